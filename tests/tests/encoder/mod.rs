//! A small compiler from NV fragment programs to NV40 microcode, written from the layout of the words alone: it shares no table
//! with the decoder. What the hardware has no instruction for is expanded as compilers do, as far as that keeps every bit; the
//! rest is refused by name.

mod expand;

use parallax_nvfp::{
    Base, CcTest, Clamp, Cond, ConstValue, Dialect, Dst, Features, File, Group, Image, Instr, Name, NameKind, Out,
    ParamFile, ParamItem, Precision, Program, Selector, Size, Src, StmtKind, Swizzle, Target,
};
use std::collections::BTreeMap;

/// A compiled program.
pub(crate) struct Encoded {
    /// Words, constants among them.
    pub(crate) words: Vec<u32>,
    /// Where the program's registers are, by spelling.
    pub(crate) registers: BTreeMap<String, String>,
    /// The control word.
    pub(crate) control: u32,
    /// Frontend options: the shapes of textures.
    pub(crate) settings: BTreeMap<String, String>,
}

impl Encoded {
    /// The words in memory, in RSX order or little-endian.
    pub(crate) fn bytes(&self, rsx: bool) -> Vec<u8> {
        let bytes = |word: &u32| if rsx { word.rotate_right(16).to_be_bytes() } else { word.to_le_bytes() };
        self.words.iter().flat_map(bytes).collect()
    }
}

/// Operations that are one instruction, with their codes.
const OPCODES: &[(&str, u32)] = &[
    ("MOV", 0x01),
    ("MUL", 0x02),
    ("ADD", 0x03),
    ("MAD", 0x04),
    ("DP3", 0x05),
    ("DP4", 0x06),
    ("DST", 0x07),
    ("MIN", 0x08),
    ("MAX", 0x09),
    ("SLT", 0x0a),
    ("SGE", 0x0b),
    ("SLE", 0x0c),
    ("SGT", 0x0d),
    ("SNE", 0x0e),
    ("SEQ", 0x0f),
    ("FRC", 0x10),
    ("FLR", 0x11),
    ("PK4B", 0x13),
    ("PK4", 0x13),
    ("UP4B", 0x14),
    ("UP4", 0x14),
    ("DDX", 0x15),
    ("DDY", 0x16),
    ("TEX", 0x17),
    ("TXP", 0x18),
    ("TXD", 0x19),
    ("RCP", 0x1a),
    ("RSQ", 0x1b),
    ("EX2", 0x1c),
    ("LG2", 0x1d),
    ("LIT", 0x1e),
    ("LRP", 0x1f),
    ("STR", 0x20),
    ("SFL", 0x21),
    ("COS", 0x22),
    ("SIN", 0x23),
    ("PK2H", 0x24),
    ("PK2", 0x24),
    ("UP2H", 0x25),
    ("UP2", 0x25),
    ("POW", 0x26),
    ("PK4UB", 0x27),
    ("UP4UB", 0x28),
    ("PK2US", 0x29),
    ("UP2US", 0x2a),
    ("X2D", 0x2b),
    ("DP2A", 0x2e),
    ("TXL", 0x2f),
    ("TXB", 0x31),
    ("RFL", 0x36),
    ("DP2", 0x38),
    ("NRM", 0x39),
    ("DIV", 0x3a),
];

const MOV: u32 = 0x01;
const MUL: u32 = 0x02;
const ADD: u32 = 0x03;
const MAD: u32 = 0x04;
const DP4: u32 = 0x06;
const KIL: u32 = 0x12;
const COS: u32 = 0x22;
const SIN: u32 = 0x23;
const CAL: u32 = 0x41;
const RET: u32 = 0x45;

/// Flow operations, with the branch bit.
const FLOW: &[(&str, u32)] =
    &[("BRK", 0x40), ("CAL", 0x41), ("IF", 0x42), ("LOOP", 0x43), ("REP", 0x44), ("RET", 0x45)];

/// Registers that hold what an instruction can read only once.
const SCRATCH: [u32; 3] = [45, 46, 47];

/// A register: number, and whether it is half as wide.
type Register = (u32, bool);

/// What a source is.
#[derive(Copy, Clone, PartialEq)]
enum Origin {
    Register(Register),
    /// An attribute; the displacement to the loop register.
    Input(u32, Option<u32>),
    Constant([u32; 4]),
}

#[derive(Copy, Clone)]
struct Source {
    origin: Origin,
    swizzle: [u8; 4],
    negate: bool,
    absolute: bool,
}

impl Source {
    fn register(number: u32, swizzle: [u8; 4]) -> Source {
        Source { origin: Origin::Register((number, false)), swizzle, negate: false, absolute: false }
    }
}

/// The first word but for its operation, and the test.
#[derive(Copy, Clone)]
struct Fields {
    register: Option<Register>,
    half: bool,
    mask: u32,
    precision: u32,
    /// Condition code to update.
    code: Option<u32>,
    saturate: bool,
    test: Option<(u32, [u8; 4], u32)>,
    unit: u32,
}

impl Fields {
    /// A register that is written as it is, in binary32.
    fn plain(register: u32, mask: u32) -> Fields {
        Fields {
            register: Some((register, false)),
            half: false,
            mask,
            precision: 0,
            code: None,
            saturate: false,
            test: None,
            unit: 0,
        }
    }
}

struct Encoder<'p> {
    program: &'p Program,
    /// Whether registers keep their numbers, for programs whose registers share storage.
    in_place: bool,
    constant: &'p dyn Fn(&str) -> [u32; 4],
    words: Vec<u32>,
    /// Where the last instruction starts.
    last: usize,
    /// Registers by the names of what they hold.
    registers: BTreeMap<String, Register>,
    next_wide: u32,
    next_half: u32,
    blocks: Vec<(usize, bool)>,
    labels: BTreeMap<String, usize>,
    calls: Vec<(usize, String)>,
    textures: BTreeMap<u8, Target>,
}

const IDENTITY: [u8; 4] = [0, 1, 2, 3];

fn packed(swizzle: [u8; 4]) -> u32 {
    swizzle.iter().enumerate().map(|(n, c)| u32::from(*c) << (2 * n)).sum()
}

fn condition(cond: Cond) -> u32 {
    match cond {
        Cond::Fl => 0,
        Cond::Lt => 1,
        Cond::Eq => 2,
        Cond::Le => 3,
        Cond::Gt => 4,
        Cond::Ne => 5,
        Cond::Ge => 6,
        Cond::Tr => 7,
    }
}

fn test(test: Option<CcTest>) -> Option<(u32, [u8; 4], u32)> {
    test.map(|test| (condition(test.cond), test.swizzle.0, 0))
}

/// Compiles a program; `constant` gives the values of its parameters by their spelling.
///
/// # Errors
/// What microcode cannot express in the same bits.
pub(crate) fn encode(program: &Program, constant: &dyn Fn(&str) -> [u32; 4]) -> Result<Encoded, String> {
    if !matches!(program.dialect, Dialect::Patent | Dialect::Fp10 | Dialect::Arb) {
        return Err("a vertex program".into());
    }
    compile(program, constant, false)
}

/// The same for a program whose registers share their bits: each keeps its number.
///
/// # Errors
/// What microcode cannot express in the same bits.
#[allow(dead_code, reason = "not every test has such programs")]
pub(crate) fn encode_in_place(program: &Program, constant: &dyn Fn(&str) -> [u32; 4]) -> Result<Encoded, String> {
    compile(program, constant, true)
}

fn compile(program: &Program, constant: &dyn Fn(&str) -> [u32; 4], in_place: bool) -> Result<Encoded, String> {
    let mut encoder = Encoder {
        program,
        in_place,
        constant,
        words: Vec::new(),
        last: 0,
        registers: BTreeMap::new(),
        next_wide: 2,
        next_half: 0,
        blocks: Vec::new(),
        labels: BTreeMap::new(),
        calls: Vec::new(),
        textures: BTreeMap::new(),
    };
    if program.dialect == Dialect::Patent {
        tags(program)?;
    }
    if program.body.iter().any(|stmt| matches!(&stmt.kind, StmtKind::Label(name) if name == "main")) {
        // What stands in front is reached by calls only.
        encoder.calls.push((0, "main".into()));
        encoder.flow(CAL, None, 0);
        encoder.flow(RET, None, 0);
    }
    for stmt in &program.body {
        match &stmt.kind {
            StmtKind::Declare(_) | StmtKind::Together(_) => {}
            StmtKind::Label(name) => {
                encoder.labels.insert(name.clone(), encoder.words.len());
            }
            StmtKind::Instr(instr) => encoder.instruction(instr)?,
        }
    }
    for (at, name) in &encoder.calls {
        encoder.words[at + 2] = 1 << 31 | encoder.labels[name] as u32;
    }
    if encoder.words.is_empty() {
        return Err("no instruction".into());
    }
    encoder.words[encoder.last] |= 1;
    let wide = encoder.registers.values().any(|register| *register == (0, false));
    let depth = encoder.registers.contains_key("depth");
    let control = if wide { 0x40 } else { 0 } | if depth { 0xe } else { 0 };
    let spell = |(number, half): Register| format!("{}{number}", if half { 'H' } else { 'R' });
    let registers = encoder.registers.into_iter().map(|(name, register)| (name, spell(register))).collect();
    let settings = encoder.textures.into_iter().map(|(unit, shape)| (format!("texture{unit}"), spelled(shape).into()));
    Ok(Encoded { words: encoder.words, registers, control, settings: settings.collect() })
}

/// A shape as the frontend option spells it.
fn spelled(shape: Target) -> &'static str {
    match shape {
        Target::D1 => "1d",
        Target::D2 => "2d",
        Target::D3 => "3d",
        Target::Cube => "cube",
        Target::Rect => "rect",
        Target::Shadow1D => "shadow1d",
        Target::Shadow2D => "shadow2d",
        Target::ShadowRect => "shadowrect",
    }
}

/// The tag of a chunk counts where registers of several formats lie in it.
fn tags(program: &Program) -> Result<(), String> {
    let mut formats: BTreeMap<u8, File> = BTreeMap::new();
    for stmt in &program.body {
        let StmtKind::Instr(instr) = &stmt.kind else { continue };
        let bases = instr.dst.iter().map(|dst| &dst.base).chain(instr.srcs.iter().map(|src| &src.base));
        for base in bases {
            match base {
                Base::Temp(File::I, _) | Base::Cc(File::I) => return Err("registers of fixed point".into()),
                Base::Temp(file, n) => {
                    let chunk = if *file == File::H { n / 2 } else { *n };
                    if *formats.entry(chunk).or_insert(*file) != *file {
                        return Err("registers whose formats are told apart by tags".into());
                    }
                }
                _ => {}
            }
        }
    }
    Ok(())
}

impl Encoder<'_> {
    /// The register that holds something, found when it is first met.
    fn place(&mut self, name: String, half: bool) -> Result<Register, String> {
        if let Some(register) = self.registers.get(&name) {
            return Ok(*register);
        }
        let register = if half {
            // Two in each register of full width.
            if self.next_half.is_multiple_of(2) {
                self.next_half = 2 * self.next_wide;
                self.next_wide += 1;
            }
            self.next_half += 1;
            (self.next_half - 1, true)
        } else {
            self.next_wide += 1;
            (self.next_wide - 1, false)
        };
        if self.next_wide > SCRATCH[0] || half && register.0 > 63 {
            return Err("too many registers".into());
        }
        self.registers.insert(name, register);
        Ok(register)
    }

    fn output(&mut self, out: Out, half: bool) -> Register {
        let (name, register) = match out {
            Out::Depr => ("depth", (1, false)),
            // Behind the registers that a program can name.
            Out::Colr | Out::Colh if self.in_place => ("color", (if half { 62 } else { 40 }, half)),
            Out::Colr | Out::Colh | Out::Target(_) => ("color", (0, half)),
            Out::Vertex(_) => unreachable!("fragment programs are encoded"),
        };
        self.registers.insert(name.into(), register);
        register
    }

    /// The register of an operand, if it is one.
    fn register(&mut self, base: &Base) -> Result<Option<Register>, String> {
        Ok(Some(match base {
            Base::Temp(file, n) => {
                let (name, half) = (format!("{}{n}", file.letter()), file.letter() == 'H');
                if self.in_place {
                    *self.registers.entry(name).or_insert((u32::from(*n), half))
                } else {
                    self.place(name, half)?
                }
            }
            Base::Out(out) => {
                let half = *out == Out::Colh;
                self.output(*out, half)
            }
            Base::Name(id, None) => {
                let name: Name = self.program.resolve(*id).clone();
                match name.kind {
                    NameKind::Temp(size) => self.place(name.text, size == Size::Short)?,
                    NameKind::Output(out, size) => self.output(out, size == Size::Short),
                    _ => return Ok(None),
                }
            }
            _ => return Ok(None),
        }))
    }

    fn parameter(&self, file: ParamFile, n: u16) -> [u32; 4] {
        (self.constant)(&match file {
            ParamFile::Numbered => format!("p[{n}]"),
            ParamFile::Local => format!("program.local[{n}]"),
            ParamFile::Env => format!("program.env[{n}]"),
        })
    }

    fn origin(&mut self, base: &Base) -> Result<Origin, String> {
        if let Some(register) = self.register(base)? {
            return Ok(Origin::Register(register));
        }
        let literal = |value: ConstValue| Origin::Constant(value.components().map(f32::to_bits));
        Ok(match base {
            Base::Attr(n) => Origin::Input(u32::from(*n), None),
            Base::AttrIndexed(n) => Origin::Input(4, Some(u32::try_from(*n).map_err(|_| "a displacement below 0")?)),
            Base::Param(file, n) => Origin::Constant(self.parameter(*file, *n)),
            Base::Const(value) => literal(*value),
            Base::State(text) => Origin::Constant((self.constant)(text)),
            Base::Name(id, element) => {
                let name = self.program.resolve(*id).clone();
                match &name.kind {
                    NameKind::Define(value) => literal(*value),
                    NameKind::Declare(_) => Origin::Constant((self.constant)(&name.text)),
                    NameKind::Attrib(base) => self.origin(&base.clone())?,
                    NameKind::Param { items, .. } => self.element(items, usize::from(element.unwrap_or(0)))?,
                    _ => return Err(format!("`{}`", name.text)),
                }
            }
            other => return Err(format!("{other:?}")),
        })
    }

    fn element(&self, items: &[ParamItem], mut left: usize) -> Result<Origin, String> {
        for item in items {
            let len = Program::param_len(std::slice::from_ref(item));
            if left < len {
                return Ok(Origin::Constant(match item {
                    ParamItem::Const(value) => value.components().map(f32::to_bits),
                    ParamItem::Param(file, n) => self.parameter(*file, *n),
                    ParamItem::Range(file, a, _) => self.parameter(*file, a + left as u16),
                    ParamItem::State(text) => (self.constant)(text),
                }));
            }
            left -= len;
        }
        Err("an element that is not there".into())
    }

    fn source(&mut self, src: &Src) -> Result<Source, String> {
        let origin = self.origin(&src.base)?;
        // Microcode has 0 where ARB programs have 1.
        if self.program.dialect == Dialect::Arb && matches!(origin, Origin::Input(3, _)) && src.swizzle.0.contains(&3) {
            return Err("the last component of the fog coordinate".into());
        }
        Ok(Source {
            origin,
            swizzle: src.swizzle.0,
            negate: src.negate ^ (src.inner_negate && !src.abs),
            absolute: src.abs,
        })
    }

    /// Whether an instruction runs in binary32 whatever it says: it reads the fog or a texture coordinate.
    fn is_wide(&mut self, instr: &Instr) -> Result<bool, String> {
        for src in &instr.srcs {
            if self.program.dialect != Dialect::Patent && matches!(self.origin(&src.base)?, Origin::Input(3..14, _)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn result(&mut self, instr: &Instr, dst: &Dst) -> Result<Fields, String> {
        let register = self.register(&dst.base)?;
        let half = match (&dst.base, register) {
            (_, Some((_, half))) => half,
            (Base::Cc(file), None) => file.letter() == 'H',
            _ => return Err("no destination".into()),
        };
        let precision = match instr.suffix.precision {
            Some(Precision::Fp32) => 0,
            Some(Precision::Fp16) => 1,
            Some(_) => 2,
            None => u32::from(half),
        };
        let precision = if instr.row.group == Group::Alu && !self.is_wide(instr)? { precision } else { 0 };
        Ok(Fields {
            register,
            half,
            mask: u32::from(dst.mask),
            precision,
            code: instr.suffix.cc.then_some(0),
            saturate: match instr.suffix.clamp {
                Clamp::None => false,
                Clamp::Sat => true,
                Clamp::SSat => return Err("a clamp to [-1, 1]".into()),
            },
            test: test(dst.test),
            unit: instr.image.map_or(0, |image| u32::from(image.unit)),
        })
    }

    /// Writes an instruction. Attributes and constants beyond the one it can name come through registers.
    fn emit(&mut self, opcode: u32, result: Fields, mut sources: Vec<Source>) {
        let (mut input, mut constant) = (None, None);
        let mut scratch = SCRATCH.iter().rev();
        for source in &mut sources {
            let clash = match source.origin {
                Origin::Register(_) => false,
                Origin::Input(..) => input.get_or_insert(source.origin) != &source.origin,
                Origin::Constant(_) => constant.get_or_insert(source.origin) != &source.origin,
            };
            if clash {
                let to = *scratch.next().expect("three sources at most");
                let from = Source { swizzle: IDENTITY, negate: false, absolute: false, ..*source };
                self.emit(MOV, Fields::plain(to, 15), vec![from]);
                source.origin = Origin::Register((to, false));
            }
        }
        let (number, none) = match result.register {
            Some((number, _)) => (number, 0),
            None => (63, 1),
        };
        let mut words = [0u32; 4];
        words[0] = number << 1
            | u32::from(result.half) << 7
            | u32::from(result.code.is_some()) << 8
            | result.mask << 9
            | result.unit << 17
            | result.precision << 22
            | (opcode & 0x3f) << 24
            | none << 30
            | u32::from(result.saturate) << 31;
        let (cond, swizzle, tested) = result.test.unwrap_or((7, IDENTITY, 0));
        words[1] = cond << 18 | packed(swizzle) << 21 | result.code.unwrap_or(0) << 30 | tested << 31;
        for (n, source) in sources.iter().enumerate() {
            let kind = match source.origin {
                Origin::Register((number, half)) => number << 2 | u32::from(half) << 8,
                Origin::Input(attribute, index) => {
                    words[0] |= attribute << 13;
                    if let Some(displacement) = index {
                        words[3] |= displacement << 19 | 1 << 30;
                    }
                    1
                }
                Origin::Constant(_) => 2,
            };
            words[n + 1] |= kind | packed(source.swizzle) << 9 | u32::from(source.negate) << 17;
            let absolute = u32::from(source.absolute);
            words[n + 1] |= if n == 0 { absolute << 29 } else { absolute << 18 };
        }
        self.last = self.words.len();
        self.words.extend(words);
        if let Some(Origin::Constant(constant)) = constant {
            self.words.extend(constant);
        }
    }

    /// Writes a word of flow control, or KIL.
    fn flow(&mut self, opcode: u32, tested: Option<(u32, [u8; 4], u32)>, third: u32) {
        let (cond, swizzle, code) = tested.unwrap_or((7, IDENTITY, 0));
        self.last = self.words.len();
        let branch = opcode >> 6 << 31;
        let words =
            [(opcode & 0x3f) << 24 | 1 << 30, cond << 18 | packed(swizzle) << 21 | code << 31, branch | third, 0];
        self.words.extend(words);
    }

    fn instruction(&mut self, instr: &Instr) -> Result<(), String> {
        let name = instr.row.name;
        if let Some((_, opcode)) = FLOW.iter().find(|(flow, _)| *flow == name) {
            return self.branch(instr, *opcode);
        }
        match name {
            "ELSE" => {
                let (at, _) = self.blocks.pop().ok_or("ELSE without IF")?;
                self.words[at + 2] |= self.words.len() as u32;
                self.blocks.push((at, true));
                return Ok(());
            }
            "ENDIF" | "ENDLOOP" | "ENDREP" => {
                let (at, other) = self.blocks.pop().ok_or("an end without a start")?;
                let here = self.words.len() as u32;
                self.words[at + 3] = here;
                if name == "ENDIF" && !other {
                    self.words[at + 2] |= here;
                }
                return Ok(());
            }
            "NOP" => return Ok(()),
            "KIL" => return self.kill(instr),
            _ => {}
        }
        let dst = instr.dst.as_ref().ok_or("no destination")?;
        let result = self.result(instr, dst)?;
        let mut sources = Vec::new();
        for src in &instr.srcs {
            sources.push(self.source(src)?);
        }
        if let Some(image) = instr.image {
            self.texture(image, name)?;
        }
        // Here the destination alone decides the format, there a texture coordinate does.
        if self.program.dialect == Dialect::Patent && result.precision != 0 {
            let mut moved = None;
            for source in &mut sources {
                if matches!(source.origin, Origin::Input(3..14, _)) {
                    if moved.is_some_and(|moved| moved != source.origin) {
                        return Err("two attributes in a half instruction".into());
                    }
                    moved = Some(source.origin);
                    let from = Source { swizzle: IDENTITY, negate: false, absolute: false, ..*source };
                    self.emit(MOV, Fields::plain(SCRATCH[0], 15), vec![from]);
                    source.origin = Origin::Register((SCRATCH[0], false));
                }
            }
        }
        match name {
            "SUB" => {
                sources[1].negate ^= true;
                self.emit(ADD, result, sources);
            }
            "ABS" => {
                (sources[0].absolute, sources[0].negate) = (true, false);
                self.emit(MOV, result, sources);
            }
            "CMP" => self.cmp(result, &sources),
            "XPD" => self.xpd(result, &sources)?,
            "DPH" => self.dph(result, &sources)?,
            "SCS" => self.scs(result, sources[0])?,
            "SWZ" => {
                let selectors = instr.selectors.as_ref().ok_or("SWZ without selectors")?;
                self.swz(result, sources[0], selectors)?;
            }
            "TXB" | "TXL" => {
                let level = Source { swizzle: [sources[0].swizzle[3]; 4], ..sources[0] };
                sources.push(level);
                self.direct(name, result, sources)?;
            }
            _ => self.direct(name, result, sources)?,
        }
        Ok(())
    }

    /// Notes the shape of a unit's textures.
    fn texture(&mut self, image: Image, name: &str) -> Result<(), String> {
        let shape = image.target.unwrap_or(Target::D2);
        if (self.program.dialect, name, shape) == (Dialect::Arb, "TXP", Target::Cube) {
            return Err("a cube whose coordinates are divided".into());
        }
        self.textures.insert(image.unit, shape);
        Ok(())
    }

    fn direct(&mut self, name: &str, result: Fields, sources: Vec<Source>) -> Result<(), String> {
        let found = OPCODES.iter().find(|(known, _)| *known == name);
        let (_, opcode) = found.ok_or_else(|| format!("no instruction for {name}"))?;
        self.emit(*opcode, result, sources);
        Ok(())
    }

    fn kill(&mut self, instr: &Instr) -> Result<(), String> {
        if let Some(tested) = instr.test {
            self.flow(KIL, test(Some(tested)), 0);
            return Ok(());
        }
        // Any component below zero: by the second condition code, which texts do not have.
        let source = self.source(&instr.srcs[0])?;
        let codes = Fields { register: None, code: Some(1), ..Fields::plain(0, 15) };
        self.emit(MOV, codes, vec![source]);
        self.flow(KIL, Some((1, IDENTITY, 1)), 0);
        Ok(())
    }

    fn branch(&mut self, instr: &Instr, opcode: u32) -> Result<(), String> {
        let at = self.words.len();
        let mut third = 0;
        if matches!(instr.row.name, "LOOP" | "REP") {
            let Origin::Constant(range) = self.origin(&instr.srcs[0].base)? else {
                return Err("a count that is no constant".into());
            };
            let swizzle: Swizzle = instr.srcs[0].swizzle;
            let number = |n: usize| f32::from_bits(range[usize::from(swizzle.0[n])]).floor();
            if !(0.0..256.0).contains(&number(0)) || instr.srcs[0].negate || instr.srcs[0].abs {
                return Err("a count that does not fit".into());
            }
            third = (number(0) as u32) << 2;
            if instr.row.name == "LOOP" {
                if !(0.0..256.0).contains(&number(1)) || !(-128.0..128.0).contains(&number(2)) {
                    return Err("a start or step that does not fit".into());
                }
                third |= (number(1) as u32) << 10 | (number(2) as i32 as u32 & 0xff) << 19;
            }
        }
        self.flow(opcode, test(instr.test), third);
        match instr.row.name {
            "IF" | "LOOP" | "REP" => self.blocks.push((at, false)),
            "CAL" => self.calls.push((at, instr.label.as_deref().unwrap_or_default().to_string())),
            _ => {}
        }
        Ok(())
    }
}

/// Whether a program needs what only NV_fragment_program2 has, for counts of what was tried.
pub(crate) fn has_flow(program: &Program) -> bool {
    program.features.contains(Features::NV2)
}
