//! Cg binaries of fragment programs.

/// How words lie.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// All words big-endian, microcode with the halves of its words exchanged.
    Big,
    /// All words little-endian.
    Little,
}

/// A parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Name.
    pub name: String,
    /// Number of the type: 1048 is `float4`.
    pub kind: u32,
    /// What it is bound to: 2048 is texture unit 0.
    pub resource: u32,
    /// 4102 is uniform.
    pub variability: u32,
    /// Value unless somebody sets it.
    pub default: Option<[f32; 4]>,
    /// Where the value stands in the microcode, as bytes.
    pub places: Vec<u32>,
}

impl Parameter {
    /// A uniform of four components.
    pub fn vector(name: &str, default: Option<[f32; 4]>, places: &[u32]) -> Parameter {
        Parameter { name: name.into(), kind: 1048, resource: 0, variability: 4102, default, places: places.to_vec() }
    }

    /// A sampler of a texture unit; 1066 is `sampler2D`.
    pub fn sampler(name: &str, kind: u32, unit: u32) -> Parameter {
        Parameter { kind, resource: 2048 + unit, ..Parameter::vector(name, None, &[]) }
    }
}

/// A fragment program to be written.
#[derive(Clone, Debug)]
pub struct Fpo {
    /// How words lie.
    pub order: Order,
    /// Parameters.
    pub parameters: Vec<Parameter>,
    /// Words of the microcode, four for an instruction or constant.
    pub code: Vec<[u32; 4]>,
    /// Registers of 32 bits in use.
    pub registers: u8,
    /// Whether colours are in H registers.
    pub color_from_h: bool,
    /// Whether depth is written.
    pub depth: bool,
    /// Whether KIL is used.
    pub kil: bool,
}

impl Fpo {
    /// A program with colours in H registers.
    pub fn new(order: Order, parameters: Vec<Parameter>, code: Vec<[u32; 4]>) -> Fpo {
        Fpo { order, parameters, code, registers: 2, color_from_h: true, depth: false, kil: false }
    }

    /// The file: header, program block, records, default values, places, names, microcode.
    pub fn write(&self) -> Vec<u8> {
        const HEADER: usize = 32;
        const BLOCK: usize = 24;
        const RECORD: usize = 48;
        let mut data: Vec<u8> = Vec::new();
        let base = HEADER + BLOCK + RECORD * self.parameters.len();
        let mut records = Vec::new();
        for (n, parameter) in self.parameters.iter().enumerate() {
            let mut here = |bytes: &[u8]| {
                let at = base + data.len();
                data.extend(bytes);
                at as u32
            };
            let default = parameter.default.map_or(0, |value| here(&value.map(|v| self.word(v.to_bits())).concat()));
            let places: Vec<u8> = std::iter::once(parameter.places.len() as u32)
                .chain(parameter.places.iter().copied())
                .flat_map(|word| self.word(word))
                .collect();
            let places = if parameter.places.is_empty() { 0 } else { here(&places) };
            let mut name = parameter.name.clone().into_bytes();
            // The next value begins at a multiple of four again.
            name.resize((name.len() + 1).next_multiple_of(4), 0);
            let name = here(&name);
            let record = [
                parameter.kind,
                parameter.resource,
                parameter.variability,
                0,
                name,
                default,
                places,
                0,
                4097,
                n as u32,
                1,
                0,
            ];
            records.extend(record.iter().flat_map(|word| self.word(*word)));
        }
        let code_at = (base + data.len()).next_multiple_of(16);
        data.resize(code_at - base, 0);
        let code = code_bytes(self.order, &self.code);
        let total = code_at + code.len();
        let header = [
            7004,
            6,
            total as u32,
            self.parameters.len() as u32,
            (HEADER + BLOCK) as u32,
            HEADER as u32,
            code.len() as u32,
            code_at as u32,
        ];
        let mut out: Vec<u8> = header.iter().flat_map(|word| self.word(*word)).collect();
        for word in [self.code.len() as u32, 0, 0] {
            out.extend(self.word(word));
        }
        out.extend([0; 6]);
        out.extend([self.registers, self.color_from_h.into(), self.depth.into(), self.kil.into(), 0, 0]);
        [out, records, data, code].concat()
    }

    fn word(&self, word: u32) -> [u8; 4] {
        match self.order {
            Order::Big => word.to_be_bytes(),
            Order::Little => word.to_le_bytes(),
        }
    }
}

/// Microcode as it lies in a file.
pub fn code_bytes(order: Order, code: &[[u32; 4]]) -> Vec<u8> {
    let bytes = |word: u32| match order {
        // The more significant half comes last, each half with its more significant byte first.
        Order::Big => [(word >> 8) as u8, word as u8, (word >> 24) as u8, (word >> 16) as u8],
        Order::Little => word.to_le_bytes(),
    };
    code.iter().flatten().flat_map(|word| bytes(*word)).collect()
}
