//! CUDA ELF files: what sections beside the code say of a kernel. `.nv.info` holds attributes of kernels by the number of their
//! symbol, `.nv.info.NAME` those of one kernel, `.nv.constantN.NAME` a constant bank of it, `.nv.constantN` one of all.

use crate::elf::{Section, place};
use crate::reader::Field;
use crate::tree::{Bank, Content, Kernel, Node, Program};
use goblin::elf::header::Header;
use parallax_text::Diag;
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::Arc;

/// Attributes of `.nv.info`.
const PARAM_BANK: u8 = 0x0a;
const REQUIRED_BLOCK: u8 = 0x10;
const STACK_SIZE: u8 = 0x12;
const PARAM: u8 = 0x17;
const FRAME_SIZE: u8 = 0x11;
const REGISTERS: u8 = 0x2f;
/// The form of an attribute whose value has a length of its own.
const SIZED: u8 = 4;

/// Compute capabilities whose instructions are those of SPA 5.0: Maxwell's and Pascal's.
const MAXWELL: Range<u32> = 50..54;
const PASCAL: Range<u32> = 60..63;

/// The architecture of a compute capability.
fn architecture(sm: u32) -> &'static str {
    match sm {
        10..20 => "Tesla",
        20..30 => "Fermi",
        30..40 => "Kepler",
        50..60 => "Maxwell",
        60..70 => "Pascal",
        75..80 => "Turing",
        70..80 => "Volta",
        89 => "Ada Lovelace",
        80..90 => "Ampere",
        90..100 => "Hopper",
        100..130 => "Blackwell",
        _ => "an unknown architecture",
    }
}

/// What a cubin says beside its code.
pub(crate) struct Cubin {
    /// Compute capability: 50 for `sm_50`.
    pub(crate) sm: u32,
    flags: Field,
    /// Registers by number of symbol.
    registers: FxHashMap<u32, u32>,
    /// Bytes of local memory by number of symbol.
    frames: FxHashMap<u32, u32>,
    /// Where parameters stand, by name of kernel: offset and size in bank 0.
    params: FxHashMap<String, (u16, u16)>,
    /// Each parameter, by name of kernel: number, offset from the first one, size.
    each_param: FxHashMap<String, Vec<(u16, u32, u32)>>,
    /// Invocations of a workgroup, by name of kernel, where it asks for a number.
    blocks: FxHashMap<String, [u32; 3]>,
    /// Bytes of shared memory, by name of kernel.
    shared: FxHashMap<String, u32>,
    /// Banks by name of kernel; those of no kernel belong to all.
    banks: FxHashMap<String, Vec<Bank>>,
}

impl Cubin {
    pub(crate) fn new(
        file: &[u8],
        elf: &Range<usize>,
        header: &Header,
        sections: &[Section<'_>],
        diags: &mut Vec<Diag>,
    ) -> Cubin {
        // Since version 8 of the ABI the capability stands in the second byte.
        let (shift, first) = if header.e_ident[8] >= 8 { (8, 1) } else { (0, 0) };
        let at = if header.e_ident[4] == 2 { 48 } else { 36 };
        let mut cubin = Cubin {
            sm: header.e_flags >> shift & 0xff,
            flags: Field::new("e_flags", elf.start + at + first, 1),
            registers: FxHashMap::default(),
            frames: FxHashMap::default(),
            params: FxHashMap::default(),
            each_param: FxHashMap::default(),
            blocks: FxHashMap::default(),
            shared: FxHashMap::default(),
            banks: FxHashMap::default(),
        };
        for section in sections {
            let bytes = || section.bytes(elf);
            if let Some(kernel) = section.name.strip_prefix(".nv.info") {
                match bytes() {
                    Ok(bytes) => cubin.attributes(file, bytes, kernel.strip_prefix('.'), diags),
                    Err(diag) => diags.push(diag),
                }
            } else if let Some(kernel) = section.name.strip_prefix(".nv.shared.") {
                // It has a size, and no bytes in the file.
                let size = u32::try_from(section.header.sh_size).unwrap_or(u32::MAX);
                cubin.shared.insert(kernel.to_string(), size);
            } else if let Some((number, kernel)) = bank(section.name) {
                match bytes() {
                    Ok(bytes) => cubin.banks.entry(kernel.to_string()).or_default().push(Bank { number, bytes }),
                    Err(diag) => diags.push(diag),
                }
            }
        }
        cubin
    }

    /// Reads attributes; what follows a damaged one cannot be found.
    fn attributes(&mut self, file: &[u8], bytes: Range<usize>, kernel: Option<&str>, diags: &mut Vec<Diag>) {
        let mut at = bytes.start;
        while at < bytes.end {
            let Some(&[form, attribute, low, high]) = file[at..bytes.end].first_chunk() else {
                let field = Field::new("attribute", at, bytes.end - at);
                diags.push(field.warning("elf-info", "the section ends inside of it"));
                return;
            };
            at += 4;
            if !(1..=SIZED).contains(&form) {
                let field = Field::new("form of an attribute", at - 4, 1);
                diags.push(field.warning("elf-info", format!("expected 1 to 4, found {form}")));
                return;
            }
            if form != SIZED {
                continue;
            }
            let len = usize::from(u16::from_le_bytes([low, high]));
            let Some(value) = file[at..bytes.end].get(..len) else {
                let message = format!("{len} bytes are more than the {} left in the section", bytes.end - at);
                diags.push(Field::new("size of an attribute", at - 2, 2).warning("elf-info", message));
                return;
            };
            at += len;
            let word = |n: usize| value.get(4 * n..4 * n + 4)?.first_chunk().map(|b| u32::from_le_bytes(*b));
            match (attribute, word(0), word(1)) {
                (REGISTERS, Some(symbol), Some(count)) => drop(self.registers.insert(symbol, count)),
                // The second counts what callees need as well.
                (FRAME_SIZE | STACK_SIZE, Some(symbol), Some(size)) => {
                    let known = self.frames.entry(symbol).or_default();
                    *known = size.max(*known);
                }
                (PARAM, _, Some(place)) => {
                    // Size in bytes from bit 18 on; number and offset in the word before.
                    let (number, offset) = ((place & 0xffff) as u16, place >> 16);
                    let size = word(2).map_or(0, |word| word >> 18);
                    self.each_param.entry(kernel.unwrap_or("").to_string()).or_default().push((number, offset, size));
                }
                (REQUIRED_BLOCK, Some(x), Some(y)) => {
                    let block = [x, y, word(2).unwrap_or(1)];
                    self.blocks.insert(kernel.unwrap_or("").to_string(), block);
                }
                (PARAM_BANK, Some(_), Some(place)) => {
                    let place = ((place & 0xffff) as u16, (place >> 16) as u16);
                    self.params.insert(kernel.unwrap_or("").to_string(), place);
                }
                _ => {}
            }
        }
    }

    /// The program of a section of code.
    pub(crate) fn program(&self, section: &Section<'_>, mut node: Node) -> Node {
        let kernel = section.name.strip_prefix(".text.").unwrap_or(section.name);
        // The number of the symbol in the low 24 bits, registers above.
        let (symbol, registers) = (section.header.sh_info & 0xff_ffff, section.header.sh_info >> 24);
        node.say("registers", registers.to_string());
        if let Some(&said) = self.registers.get(&symbol)
            && said != registers
        {
            let message = format!("{registers} registers, and .nv.info says {said}");
            node.diags.push(section.field("sh_info").warning("elf-registers", message));
        }
        if let Some(&size) = self.frames.get(&symbol)
            && size > 0
        {
            node.say("local memory", format!("{size} bytes"));
        }
        if let Some((offset, size)) = self.params.get(kernel) {
            node.say("parameters", format!("{size} bytes from c[0x0][{offset:#x}] on"));
        }
        let params = self.params_of(kernel);
        for (number, (offset, size)) in params.iter().enumerate() {
            node.say("parameter", format!("{number}, {size} bytes at c[0x0][{offset:#x}]"));
        }
        let shared = self.shared.get(kernel).copied().unwrap_or(0);
        if shared > 0 {
            node.say("shared memory", format!("{shared} bytes"));
        }
        let all = self.banks.get("").into_iter().chain(self.banks.get(kernel).filter(|_| !kernel.is_empty()));
        let banks: Vec<Bank> = all.flatten().cloned().collect();
        for bank in &banks {
            node.say("constant bank", format!("{}, {}", bank.number, place(&bank.bytes)));
        }
        if !MAXWELL.contains(&self.sm) && !PASCAL.contains(&self.sm) {
            let message = format!("{kernel} is machine code for {}, whose instructions are not read", self.target());
            let diag = self.flags.unsupported("elf-target", message);
            node.diags.push(diag.with_help("Maxwell's and Pascal's are: ptxas -arch=sm_50 or sm_60"));
        }
        node.content = Content::Program(Arc::new(Program {
            title: "kernel",
            isa: "spa5",
            dialect: None,
            order: None,
            code: node.bytes.clone(),
            control: None,
            constants: Vec::new(),
            // What bank 0 holds in a file is room for parameters.
            banks: banks.into_iter().filter(|bank| bank.number != 0).collect(),
            kernel: Some(Kernel {
                params,
                shared,
                local: self.frames.get(&symbol).copied().unwrap_or(0),
                block: self.blocks.get(kernel).copied(),
            }),
            settings: Vec::new(),
            model: PASCAL.contains(&self.sm).then_some("pascal"),
        }));
        node
    }

    /// Where the parameters of a kernel stand in bank 0, and their sizes.
    fn params_of(&self, kernel: &str) -> Vec<(u32, u32)> {
        let Some((first, _)) = self.params.get(kernel) else { return Vec::new() };
        let mut each = self.each_param.get(kernel).cloned().unwrap_or_default();
        each.sort_unstable();
        each.into_iter().map(|(_, offset, size)| (u32::from(*first) + offset, size)).collect()
    }

    /// The target: `Pascal (sm_61)`.
    fn target(&self) -> String {
        format!("{} (sm_{})", architecture(self.sm), self.sm)
    }

    /// Says that there is no code: libraries have cubins that hold only data, or nothing.
    pub(crate) fn without_code(&self) -> Diag {
        let message = format!("this cubin for {} holds no code", self.target());
        self.flags.unsupported("elf-no-code", message)
    }

    /// What is said of all kernels.
    pub(crate) fn describe(&self, node: &mut Node) {
        node.say("target", format!("sm_{}", self.sm));
    }
}

/// Number and kernel of a section that is a constant bank; no kernel for one of all.
fn bank(section: &str) -> Option<(u32, &str)> {
    let rest = section.strip_prefix(".nv.constant")?;
    let (number, kernel) = rest.split_once('.').unwrap_or((rest, ""));
    Some((number.parse().ok()?, kernel))
}
