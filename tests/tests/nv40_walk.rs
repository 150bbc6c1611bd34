//! Random NV40 microcode: what the engine computes is what walking the words' fields instruction by instruction computes.
//!
//! The walk knows what the text dialects lack: R and H registers that share their bytes, formats of sources, scales, two condition
//! codes, the fourth format. Every arithmetic result comes from the reference evaluation of `parallax-num`; programs are drawn as
//! fields, packed into words here, and walked as they were drawn.

use parallax::{LaneCase, LoadOptions, load, run_lanes};
use parallax_core::num::{Decl, Model, Op, Saturate, Slot, eval};
use parallax_gen::{Choices, choices};
use parallax_tests::engines::{compiled, ways};

const LANES: usize = 4;
const MODELS: [&str; 3] = ["ieee", "nv40", "nv-patent"];
/// R registers in use; each shares its bytes with two H registers.
const REGISTERS: usize = 3;

const NUMBERS: [f32; 18] = [
    0.0,
    1.0,
    -1.0,
    0.5,
    -0.25,
    3.0,
    -1.5,
    0.1,
    2.5,
    -2.0,
    2049.0,
    65504.0,
    100_000.0,
    1e30,
    -0.0,
    7.75,
    0.996_093_75,
    1e-5,
];
const FORMATS: [Decl; 4] = [Decl::F32, Decl::F16, Decl::Fx12, Decl::Fx9];

/// Operations: opcode, number of sources.
const OPCODES: &[(&str, u32, usize)] = &[
    ("MOV", 0x01, 1),
    ("MOV", 0x01, 1),
    ("MUL", 0x02, 2),
    ("ADD", 0x03, 2),
    ("MAD", 0x04, 3),
    ("DP3", 0x05, 2),
    ("MIN", 0x08, 2),
    ("MAX", 0x09, 2),
    ("SLT", 0x0a, 2),
    ("SGE", 0x0b, 2),
    ("FRC", 0x10, 1),
    ("FLR", 0x11, 1),
    ("RCP", 0x1a, 1),
    ("LRP", 0x1f, 3),
];

#[derive(Copy, Clone, Debug, PartialEq)]
enum Base {
    Wide(usize),
    Half(usize),
    Input,
    Constant,
}

#[derive(Copy, Clone, Debug)]
struct Source {
    base: Base,
    swizzle: [usize; 4],
    negate: bool,
    absolute: bool,
    /// 0 none, 1 to 3 a format, 4 a clamp, 5 nothing visible.
    format: u32,
}

#[derive(Copy, Clone, Debug)]
struct Test {
    /// Bits: less, equal, greater.
    passes: u32,
    swizzle: [usize; 4],
    code: usize,
}

#[derive(Clone, Debug)]
struct Instr {
    name: &'static str,
    opcode: u32,
    sources: Vec<Source>,
    precision: usize,
    /// `None`: no register.
    result: Option<Base>,
    half: bool,
    mask: u32,
    updates: Option<usize>,
    saturate: bool,
    scale: i8,
    test: Test,
    attribute: u32,
    constant: [u32; 4],
}

#[derive(Clone, Debug)]
enum Item {
    Instr(Instr),
    If(Test, Vec<Item>, Vec<Item>),
    Repeat(u32, Vec<Item>),
}

// ---- programs ----

struct Writer<'c> {
    c: Choices<'c>,
}

impl Writer<'_> {
    fn swizzle(&mut self) -> [usize; 4] {
        if self.c.once_in(2) { [0, 1, 2, 3] } else { [(); 4].map(|()| self.c.below(4)) }
    }

    fn register(&mut self) -> Base {
        if self.c.once_in(2) { Base::Wide(self.c.below(REGISTERS)) } else { Base::Half(self.c.below(2 * REGISTERS)) }
    }

    fn test(&mut self) -> Test {
        let passes = if self.c.once_in(2) { 7 } else { self.c.below(8) as u32 };
        Test { passes, swizzle: self.swizzle(), code: self.c.below(2) }
    }

    fn source(&mut self) -> Source {
        let base = match self.c.below(5) {
            0 => Base::Input,
            1 => Base::Constant,
            _ => self.register(),
        };
        let format = if self.c.once_in(3) { self.c.below(6) as u32 } else { 0 };
        Source { base, swizzle: self.swizzle(), negate: self.c.once_in(4), absolute: self.c.once_in(5), format }
    }

    fn instr(&mut self) -> Instr {
        let (name, opcode, count) = self.c.one(OPCODES);
        let sources = (0..count).map(|_| self.source()).collect();
        let result = if self.c.once_in(8) { None } else { Some(self.register()) };
        let half = match result {
            Some(base) => matches!(base, Base::Half(_)),
            None => self.c.once_in(2),
        };
        Instr {
            name,
            opcode,
            sources,
            precision: self.c.below(4),
            result,
            half,
            mask: if self.c.once_in(2) { 15 } else { self.c.below(16) as u32 },
            updates: if self.c.once_in(3) { Some(self.c.below(2)) } else { None },
            saturate: self.c.once_in(4),
            scale: if self.c.once_in(4) { self.c.below(7) as i8 - 3 } else { 0 },
            test: self.test(),
            attribute: self.c.one(&[1, 4]),
            constant: [(); 4].map(|()| self.c.one(&NUMBERS).to_bits()),
        }
    }

    fn block(&mut self, depth: usize, most: usize) -> Vec<Item> {
        let mut items = Vec::new();
        for _ in 0..most {
            if self.c.is_empty() {
                break;
            }
            items.push(match self.c.below(10) {
                0 if depth < 2 => Item::If(self.test(), self.block(depth + 1, 3), self.block(depth + 1, 2)),
                1 if depth < 2 => Item::Repeat(self.c.below(4) as u32, self.block(depth + 1, 3)),
                _ => Item::Instr(self.instr()),
            });
        }
        items
    }
}

// ---- words ----

fn packed(swizzle: [usize; 4]) -> u32 {
    swizzle.iter().enumerate().map(|(n, c)| (*c as u32) << (2 * n)).sum()
}

fn test_word(test: &Test) -> u32 {
    test.passes << 18 | packed(test.swizzle) << 21 | (test.code as u32) << 31
}

fn words(items: &[Item], out: &mut Vec<u32>) {
    for item in items {
        match item {
            Item::Instr(instr) => instr_words(instr, out),
            Item::If(test, then, other) => {
                let at = out.len();
                out.extend([0x4200_0000, test_word(test), 1 << 31, 0]);
                words(then, out);
                out[at + 2] |= out.len() as u32;
                words(other, out);
                out[at + 3] = out.len() as u32;
            }
            Item::Repeat(count, body) => {
                let at = out.len();
                out.extend([0x4400_0000, 7 << 18 | 0xe4 << 21, 1 << 31 | count << 2 | count << 10 | count << 19, 0]);
                words(body, out);
                out[at + 3] = out.len() as u32;
            }
        }
    }
}

fn instr_words(instr: &Instr, out: &mut Vec<u32>) {
    let number = match instr.result {
        Some(Base::Wide(n) | Base::Half(n)) => n as u32,
        _ => 63,
    };
    let scale = if instr.scale < 0 { 4 + u32::from(instr.scale.unsigned_abs()) } else { instr.scale as u32 };
    let mut words = [0; 4];
    words[0] = number << 1
        | u32::from(instr.half) << 7
        | u32::from(instr.updates.is_some()) << 8
        | instr.mask << 9
        | instr.attribute << 13
        | (instr.precision as u32) << 22
        | instr.opcode << 24
        | u32::from(instr.result.is_none()) << 30
        | u32::from(instr.saturate) << 31;
    words[1] = test_word(&instr.test) | (instr.updates.unwrap_or(0) as u32) << 30;
    words[2] = scale << 28;
    for (n, source) in instr.sources.iter().enumerate() {
        words[n + 1] |= match source.base {
            Base::Wide(n) => (n as u32) << 2,
            Base::Half(n) => (n as u32) << 2 | 1 << 8,
            Base::Input => 1,
            Base::Constant => 2,
        };
        words[n + 1] |= packed(source.swizzle) << 9 | u32::from(source.negate) << 17;
        words[n + 1] |= u32::from(source.absolute) << if n == 0 { 29 } else { 18 };
        words[2] |= source.format << (19 + 3 * n);
    }
    out.extend(words);
    if instr.sources.iter().any(|source| source.base == Base::Constant) {
        out.extend(instr.constant);
    }
}

// ---- the walk ----

struct Lane {
    /// The register file in halves.
    halves: [u16; 8 * REGISTERS],
    /// Less, equal, greater, unordered.
    codes: [[u64; 4]; 2],
    attributes: [[u32; 4]; 2],
}

struct Machine<'a> {
    model: &'a Model,
}

impl Lane {
    fn bits(&self, base: Base, comp: usize) -> u64 {
        match base {
            Base::Wide(n) => {
                let at = 8 * n + 2 * comp;
                u64::from(self.halves[at]) | u64::from(self.halves[at + 1]) << 16
            }
            Base::Half(n) => u64::from(self.halves[4 * n + comp]),
            _ => 0,
        }
    }

    fn set(&mut self, base: Base, comp: usize, bits: u64) {
        match base {
            Base::Wide(n) => {
                let at = 8 * n + 2 * comp;
                (self.halves[at], self.halves[at + 1]) = (bits as u16, (bits >> 16) as u16);
            }
            Base::Half(n) => self.halves[4 * n + comp] = bits as u16,
            _ => {}
        }
    }

    fn passes(&self, test: &Test, comp: usize) -> bool {
        // Unordered passes only what passes less and greater but not equal, and what passes always.
        match self.codes[test.code][test.swizzle[comp]] {
            3 => matches!(test.passes, 5 | 7),
            code => test.passes >> code & 1 == 1,
        }
    }
}

impl Machine<'_> {
    fn num(&self, op: Op, slot: Slot, args: &[u64]) -> u64 {
        eval(op, &self.model.rule(op, &slot, self.model.storage(slot.decl)).0, args)
    }

    fn plain(&self, op: Op, decl: Decl, args: &[u64]) -> u64 {
        self.num(op, Slot::plain(decl), args)
    }

    fn convert(&self, bits: u64, from: Decl, slot: Slot) -> u64 {
        eval(Op::Cvt, &self.model.rule(Op::Cvt, &slot, self.model.storage(from)).0, &[bits])
    }

    fn to(&self, bits: u64, from: Decl, to: Decl) -> u64 {
        if from == to { bits } else { self.convert(bits, from, Slot::plain(to)) }
    }

    /// What a component of a source holds, and in which format.
    fn stored(&self, lane: &Lane, instr: &Instr, source: &Source, comp: usize) -> (u64, Decl) {
        let comp = source.swizzle[comp];
        match source.base {
            Base::Half(_) => (lane.bits(source.base, comp), Decl::F16),
            Base::Wide(_) => (lane.bits(source.base, comp), Decl::F32),
            Base::Input => (lane.attributes[usize::from(instr.attribute == 4)][comp].into(), Decl::F32),
            Base::Constant => (instr.constant[comp].into(), Decl::F32),
        }
    }

    /// A component as the operation reads it.
    fn fetch(&self, lane: &Lane, instr: &Instr, n: usize, comp: usize, decl: Decl) -> u64 {
        let source = &instr.sources[n];
        let (bits, mut held) = self.stored(lane, instr, source, comp);
        let mut bits = match source.base {
            Base::Wide(_) | Base::Half(_) => self.plain(Op::BitsTo, held, &[bits]),
            _ => self.convert(bits, Decl::F32, Slot::plain(Decl::F32)),
        };
        if source.absolute {
            bits = self.plain(Op::Abs, held, &[bits]);
        }
        if matches!(source.format, 1..=4) {
            bits = match source.format {
                4 => self.convert(bits, held, Slot { saturate: Saturate::Unsigned, ..Slot::plain(held) }),
                format => {
                    let to = FORMATS[format as usize];
                    let bits = self.to(bits, held, to);
                    held = to;
                    bits
                }
            };
            bits = self.to(bits, held, Decl::F32);
            held = Decl::F32;
        }
        if source.negate {
            bits = self.plain(Op::Neg, held, &[bits]);
        }
        self.to(bits, held, decl)
    }

    fn step(&self, lane: &mut Lane, instr: &Instr) {
        let wide = instr.attribute == 4 && instr.sources.iter().any(|source| source.base == Base::Input);
        let decl = if wide { Decl::F32 } else { FORMATS[instr.precision] };
        let to = if instr.half { Decl::F16 } else { Decl::F32 };
        let saturate = if instr.saturate { Saturate::Unsigned } else { Saturate::None };
        let slot = Slot { saturate, scale: instr.scale, ..Slot::plain(decl) };
        let count = instr.sources.len();
        let changed = instr.saturate || instr.scale != 0;
        let one =
            [0x3f80_0000, 0x3c00, 1024, 255][FORMATS.iter().position(|format| *format == decl).expect("a format")];
        let seen: &Lane = lane;
        let src = |n: usize, comp: usize| self.fetch(seen, instr, n, comp, decl);
        let all =
            |op: Op| [0, 1, 2, 3].map(|comp| self.num(op, slot, &(0..count).map(|n| src(n, comp)).collect::<Vec<_>>()));
        let set = |op: Op| {
            [0, 1, 2, 3].map(|comp| {
                let bits = if self.plain(op, decl, &[src(0, comp), src(1, comp)]) & 1 == 1 { one } else { 0 };
                if instr.scale == 0 { bits } else { self.convert(bits, decl, slot) }
            })
        };
        let first = &instr.sources[0];
        let (_, stored) = self.stored(lane, instr, first, 0);
        let copies = instr.name == "MOV"
            && !(changed || first.negate || first.absolute)
            && matches!(first.format, 0 | 5)
            && stored == decl
            && decl == to;
        let results = match instr.name {
            "MOV" if copies => [0, 1, 2, 3].map(|comp| match first.base {
                Base::Wide(_) | Base::Half(_) => self.stored(lane, instr, first, comp).0,
                _ => src(0, comp),
            }),
            "MOV" if changed => [0, 1, 2, 3].map(|comp| self.convert(src(0, comp), decl, slot)),
            "MOV" => [0, 1, 2, 3].map(|comp| src(0, comp)),
            "MUL" => all(Op::Mul),
            "ADD" => all(Op::Add),
            "MAD" => all(Op::Mad),
            "LRP" => all(Op::Lrp),
            "MIN" => all(Op::Min),
            "MAX" => all(Op::Max),
            "FRC" => all(Op::Frac),
            "FLR" => all(Op::Floor),
            "SLT" => set(Op::FLt),
            "SGE" => set(Op::FGe),
            "RCP" => [self.num(Op::Rcp, slot, &[src(0, 0)]); 4],
            "DP3" => {
                let args: Vec<u64> =
                    (0..2).flat_map(|n| (0..3).map(move |comp| (n, comp))).map(|(n, c)| src(n, c)).collect();
                [self.num(Op::Dot3, slot, &args); 4]
            }
            name => unreachable!("{name}"),
        };
        let passes = [0, 1, 2, 3].map(|comp| lane.passes(&instr.test, comp));
        for comp in (0..4).filter(|comp| instr.mask >> comp & 1 == 1 && passes[*comp]) {
            let value = if copies { results[comp] } else { self.to(results[comp], decl, to) };
            if let Some(register) = instr.result {
                let bits = if copies { value } else { self.plain(Op::BitsOf, to, &[value]) };
                lane.set(register, comp, bits);
            }
            if let Some(code) = instr.updates {
                let value = if copies { self.plain(Op::BitsTo, to, &[value]) } else { value };
                lane.codes[code][comp] = self.plain(Op::CcOf, to, &[value]);
            }
        }
    }

    fn walk(&self, lane: &mut Lane, items: &[Item]) {
        for item in items {
            match item {
                Item::Instr(instr) => self.step(lane, instr),
                Item::If(test, then, other) => {
                    let any = (0..4).any(|comp| lane.passes(test, comp));
                    self.walk(lane, if any { then } else { other });
                }
                Item::Repeat(count, body) => (0..*count).for_each(|_| self.walk(lane, body)),
            }
        }
    }
}

// ---- both, side by side ----

fn watched() -> Vec<String> {
    let wide = (0..REGISTERS).map(|n| format!("R{n}"));
    let half = (0..2 * REGISTERS).map(|n| format!("H{n}"));
    wide.chain(half).chain(["cc".into(), "cc1".into()]).collect()
}

fn check(seed: u64) -> usize {
    let list = choices(seed, 500);
    let mut writer = Writer { c: Choices::new(&list) };
    let items = writer.block(0, 30);
    let mut code = Vec::new();
    words(&items, &mut code);
    code.extend([1, 0x1c9c_0000, 0, 0]);
    let bytes: Vec<u8> = code.iter().flat_map(|word| word.to_le_bytes()).collect();
    let inputs = choices(seed + 7, 100);
    let mut c = Choices::new(&inputs).around();
    let mut input = || match c.below(12) {
        0 => 0x7f80_0000,
        1 => 0x7fc0_0000,
        _ => c.one(&NUMBERS).to_bits(),
    };
    let attributes = [(); LANES].map(|()| [(); 2].map(|()| [(); 4].map(|()| input())));

    let mut options = LoadOptions { isa: Some("nvfp".into()), ..LoadOptions::default() };
    options.layout.dialect = Some("nv40".into());
    options.layout.order = Some("le".into());
    options.lift.watch = watched();
    let loaded = load("walk", &bytes, &options);
    let shader = loaded.shader.unwrap_or_else(|| panic!("{:#?}\n{items:#?}", loaded.diags));
    let names = ["f[COL0]", "f[TEX0]"];
    let lanes = attributes.map(|lane| (0..2).map(|n| (names[n].to_string(), lane[n].to_vec())).collect());
    let case = LaneCase { lanes, ..LaneCase::default() };
    for name in MODELS {
        let model = Model::builtin(name).expect("a built-in model");
        let machine = Machine { model: &model };
        for way in ways() {
            let compiled = compiled(&shader, &model, way).unwrap_or_else(|what| panic!("{what}"));
            let found = run_lanes(&compiled, &case).unwrap_or_else(|diags| panic!("{diags:?}"));
            for (n, result) in found.iter().enumerate() {
                let mut lane = Lane { halves: [0; 8 * REGISTERS], codes: [[1; 4]; 2], attributes: attributes[n] };
                machine.walk(&mut lane, &items);
                for spelling in watched() {
                    let values = result.watched(&spelling).expect("watched");
                    for (comp, value) in values.iter().enumerate() {
                        let number = spelling[1..].parse().unwrap_or(0);
                        let want = match (&spelling[..1], spelling.as_str()) {
                            ("R", _) => lane.bits(Base::Wide(number), comp),
                            ("H", _) => lane.bits(Base::Half(number), comp),
                            (_, "cc") => lane.codes[0][comp],
                            _ => lane.codes[1][comp],
                        };
                        let bits = value.map_or(0, |value| value.bits);
                        let place =
                            || format!("{spelling}.{comp} of lane {n} under {name}, {way:?}, seed {seed}\n{items:#?}");
                        assert_eq!(bits, want, "{bits:#x} for {want:#x}: {}", place());
                    }
                }
            }
        }
    }
    items.len()
}

#[test]
fn random_microcode_is_the_walk() {
    let instructions: usize = (0..300).map(check).sum();
    assert!(instructions > 2000, "{instructions}");
}
