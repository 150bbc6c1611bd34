//! ELF files: a header, the bytes of sections, the table of section headers.

/// An ELF file to be written. Sections get the numbers from 1 on; the last holds the names.
#[derive(Clone, Debug)]
pub struct Elf {
    /// 64 bits instead of 32.
    pub wide: bool,
    /// Big-endian.
    pub big: bool,
    /// Machine: 190 for CUDA, 0 for none.
    pub machine: u16,
    /// Flags of the machine: for CUDA the compute capability.
    pub flags: u32,
    sections: Vec<(String, u32, Vec<u8>)>,
}

impl Elf {
    /// A cubin for a compute capability, without sections.
    pub fn cubin(sm: u32) -> Elf {
        Elf { wide: true, big: false, machine: 190, flags: sm << 16 | 0x500 | sm, sections: Vec::new() }
    }

    /// An ELF file without a machine, without sections.
    pub fn plain(wide: bool, big: bool) -> Elf {
        Elf { wide, big, machine: 0, flags: 0, sections: Vec::new() }
    }

    /// Adds a section.
    #[must_use]
    pub fn section(self, name: &str, bytes: &[u8]) -> Elf {
        self.section_with(name, 0, bytes)
    }

    /// Adds a section with a value for `sh_info`.
    #[must_use]
    pub fn section_with(mut self, name: &str, info: u32, bytes: &[u8]) -> Elf {
        self.sections.push((name.to_string(), info, bytes.to_vec()));
        self
    }

    /// Adds a kernel of SPA 5.0 words: the code, and registers and symbol as cubins note them.
    #[must_use]
    pub fn kernel(self, name: &str, symbol: u32, registers: u32, code: &[u8]) -> Elf {
        self.section_with(&format!(".text.{name}"), registers << 24 | symbol, code)
    }

    /// The file.
    pub fn write(&self) -> Vec<u8> {
        let (header, entry) = if self.wide { (64, 64) } else { (52, 40) };
        let mut names = vec![0];
        let mut all = self.sections.clone();
        all.push((".shstrtab".into(), 0, Vec::new()));
        let starts: Vec<usize> = all
            .iter()
            .map(|(name, ..)| {
                let at = names.len();
                names.extend(name.as_bytes());
                names.push(0);
                at
            })
            .collect();
        if let Some((.., bytes)) = all.last_mut() {
            *bytes = names;
        }
        let mut body = Vec::new();
        let places: Vec<usize> = all
            .iter()
            .map(|(.., bytes)| {
                // Code of SPA 5.0 begins at multiples of 32.
                let at = (header + body.len() as u64).next_multiple_of(32);
                body.resize((at - header) as usize, 0);
                body.extend(bytes);
                at as usize
            })
            .collect();
        let table = (header + body.len() as u64).next_multiple_of(8);
        body.resize((table - header) as usize, 0);
        let mut out = Out { bytes: Vec::new(), big: self.big, wide: self.wide };
        out.bytes.extend(b"\x7fELF");
        out.bytes.extend([if self.wide { 2 } else { 1 }, if self.big { 2 } else { 1 }, 1, 0]);
        out.bytes.extend([if self.machine == 190 { 7 } else { 0 }, 0, 0, 0, 0, 0, 0, 0]);
        out.half(2);
        out.half(self.machine);
        out.word(1);
        out.long(0);
        out.long(0);
        out.long(table);
        out.word(self.flags);
        out.half(header as u16);
        out.half(0);
        out.half(0);
        out.half(entry);
        out.half(all.len() as u16 + 1);
        out.half(all.len() as u16);
        out.bytes.extend(body);
        let empty = out.bytes.len() + usize::from(entry);
        out.bytes.resize(empty, 0);
        for (((name, info, bytes), start), place) in all.iter().zip(starts).zip(places) {
            let kind = match name.as_str() {
                ".shstrtab" => 3,
                name if name.starts_with(".nv.info") => 0x7000_0000,
                _ => 1,
            };
            out.word(start as u32);
            out.word(kind);
            out.long(0);
            out.long(0);
            out.long(place as u64);
            out.long(bytes.len() as u64);
            out.word(0);
            out.word(*info);
            out.long(1);
            out.long(0);
        }
        out.bytes
    }
}

/// `.nv.info` of a module: registers and local memory by number of symbol.
pub fn module_info(kernels: &[(u32, u32, u32)]) -> Vec<u8> {
    let mut out = Vec::new();
    for &(symbol, registers, frame) in kernels {
        for (attribute, value) in [(0x2f, registers), (0x11, frame)] {
            out.extend([4, attribute, 8, 0]);
            out.extend(symbol.to_le_bytes());
            out.extend(value.to_le_bytes());
        }
    }
    out
}

/// `.nv.info.NAME` of a kernel: where its parameters stand in bank 0, and attributes that say nothing here.
pub fn kernel_info(offset: u16, size: u16) -> Vec<u8> {
    let mut out = vec![1, 0x30, 0, 0, 3, 0x1b, 0xff, 0];
    out.extend([4, 0x0a, 8, 0, 2, 0, 0, 0]);
    out.extend(offset.to_le_bytes());
    out.extend(size.to_le_bytes());
    out
}

/// An attribute of `.nv.info.NAME`: number, offset behind the first and size of a parameter.
pub fn kernel_param(number: u16, offset: u16, size: u32) -> Vec<u8> {
    let mut out = vec![4, 0x17, 12, 0, 0, 0, 0, 0];
    out.extend(number.to_le_bytes());
    out.extend(offset.to_le_bytes());
    out.extend((size << 18 | 0x1f000).to_le_bytes());
    out
}

struct Out {
    bytes: Vec<u8>,
    big: bool,
    wide: bool,
}

impl Out {
    fn half(&mut self, value: u16) {
        self.bytes.extend(if self.big { value.to_be_bytes() } else { value.to_le_bytes() });
    }

    fn word(&mut self, value: u32) {
        self.bytes.extend(if self.big { value.to_be_bytes() } else { value.to_le_bytes() });
    }

    /// As wide as the file's addresses.
    fn long(&mut self, value: u64) {
        match self.wide {
            true if self.big => self.bytes.extend(value.to_be_bytes()),
            true => self.bytes.extend(value.to_le_bytes()),
            false => self.word(value as u32),
        }
    }
}
