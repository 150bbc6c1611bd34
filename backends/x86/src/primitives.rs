//! Every primitive as code against its reference evaluation: at every type and immediate, with operands from registers and
//! from memory, alone and with results that are forced into memory.

use crate::code::CodeMemory;
use crate::level::Level;
use crate::program::{Program, assemble};
use parallax_core::exec::{Inputs, Memory, NoInterpolator, Outputs, PlaneType, Textures};
use parallax_core::{OpKind, TexOp, Type};
use parallax_random::Random;
use parallax_step::{Function, Id, Immediate, Inst, Kind, Nans, OutputType, Prim, Table, Ty, eval, verify};

struct NoTextures;

impl Textures for NoTextures {
    fn sample(&self, _: &TexOp, _: &parallax_core::exec::TexQuad) -> [[u32; 4]; 4] {
        [[0; 4]; 4]
    }
}

/// A function in the making: values come from attributes, two words for each.
struct Maker(Function);

impl Maker {
    fn new() -> Maker {
        let mut function = Function::new("primitive");
        function.model = "ieee".into();
        function.attrs = 2;
        function.outputs = vec![[None; 4]];
        Maker(function)
    }

    fn step(&mut self, prim: Prim, ty: Ty, imm: u64, args: &[Id]) -> Id {
        self.0.add_step(0, Inst::new(prim, ty, imm, args))
    }

    /// An operand from the attributes, or a constant.
    fn operand(&mut self, n: usize, ty: Ty, constant: Option<u64>) -> Id {
        if let Some(bits) = constant {
            return self.step(Prim::Const, ty, bits & ty.bits(), &[]);
        }
        let word = |maker: &mut Maker, half: usize| {
            let plane = n * 2 + half;
            let kind = OpKind::Attr { index: (plane / 4) as u16, comp: (plane % 4) as u8 };
            maker.0.add(0, Kind::Ir(kind), &[], &[Ty::I32])
        };
        let low = word(self, 0);
        match ty {
            Ty::I32 => low,
            Ty::F32 => self.step(Prim::Float, Ty::F32, 0, &[low]),
            Ty::Mask => {
                let one = self.step(Prim::Const, Ty::I32, 1, &[]);
                let bit = self.step(Prim::And, Ty::I32, 0, &[low, one]);
                self.step(Prim::Eq, Ty::I32, 0, &[bit, one])
            }
            Ty::I64 | Ty::F64 => {
                let high = word(self, 1);
                let (low, high) =
                    (self.step(Prim::Zext, Ty::I64, 0, &[low]), self.step(Prim::Zext, Ty::I64, 0, &[high]));
                let amount = self.step(Prim::Const, Ty::I32, 32, &[]);
                let high = self.step(Prim::Shl, Ty::I64, 0, &[high, amount]);
                let both = self.step(Prim::Or, Ty::I64, 0, &[low, high]);
                if ty == Ty::I64 { both } else { self.step(Prim::Float, Ty::F64, 0, &[both]) }
            }
        }
    }

    fn finish(mut self, level: Level, result: Id) -> Program {
        let ty = self.0.values[result as usize];
        let (of, bits) = match ty {
            Ty::Mask => (Type::Pred, 1),
            Ty::F32 | Ty::I32 => (Type::I32, 32),
            Ty::F64 | Ty::I64 => (Type::I64, 64),
        };
        self.0.outputs[0][0] = Some(OutputType { ty, bits });
        self.0.add(0, Kind::Ir(OpKind::Out { index: 0, comp: 0 }), &[result], &[]);
        self.0.add(0, Kind::Ir(OpKind::Yield), &[], &[]);
        assert_eq!(verify(&self.0), Ok(()));
        let plane = Some(PlaneType { ty: of, storage: None });
        assemble((level, CodeMemory::System), &self.0, vec![plane, None, None, None]).expect("compiles")
    }
}

/// Operands with corners of every type among them, some next to each other.
fn words(random: &mut Random, ty: Ty, lanes: usize) -> Vec<u64> {
    let single: &[u64] =
        &[0, 1, 0x7f_ffff, 0x80_0000, 0x3f80_0000, 0x7f7f_ffff, 0x7f80_0000, 0x7f80_0001, 0x7fc1_2345, 0x4b00_0001];
    let double: &[u64] = &[
        0,
        1,
        (1 << 52) - 1,
        1 << 52,
        0x3ff0_0000_0000_0000,
        0x7fef_ffff_ffff_ffff,
        0x7ff0_0000_0000_0000,
        0x7ff0_0000_0000_0001,
        0x7ff8_1234_5678_9abc,
        0x41df_ffff_ffc0_0000,
        0x3810_0000_0000_0000,
        0x36a0_0000_0000_0000,
        0x47ef_ffff_f000_0000,
    ];
    let (corners, sign) = if matches!(ty, Ty::F64 | Ty::I64) { (double, 63) } else { (single, 31) };
    let mut made: Vec<u64> = Vec::new();
    for _ in 0..lanes {
        let negative = u64::from(random.below(2) == 0) << sign;
        made.push(
            match random.below(8) {
                0..3 => random.pick(corners) | negative,
                3 => random.pick(corners).wrapping_add(random.below(5)).wrapping_sub(2) | negative,
                // Near one, so that sums cancel and products round.
                4 if ty == Ty::F32 => (0x3f00_0000 + (random.word() & 0x1ff_ffff)) | negative,
                4 => (0x3fd0_0000_0000_0000 + (random.word() & 0x3f_ffff_ffff_ffff)) | negative,
                5 => random.word() >> random.below(63),
                _ => random.word(),
            } & ty.bits(),
        );
    }
    made
}

fn run(program: &Program, operands: &[Vec<u64>], lanes: usize) -> Vec<u64> {
    let mut attrs = vec![0u32; 8 * lanes];
    for (n, words) in operands.iter().enumerate() {
        for (lane, word) in words.iter().enumerate() {
            attrs[n * 2 * lanes + lane] = *word as u32;
            attrs[(n * 2 + 1) * lanes + lane] = (word >> 32) as u32;
        }
    }
    let inputs = Inputs {
        lanes,
        attrs: &attrs,
        banks: &[],
        sysvals: &[],
        covered: &vec![true; lanes],
        textures: &NoTextures,
        interpolator: &NoInterpolator,
        fuel: 1,
    };
    let mut outputs = Outputs::default();
    program.run(&inputs, Memory::NONE, &mut outputs);
    outputs.planes[0].to_words()
}

fn is_nan(ty: Ty, word: u64) -> bool {
    match ty {
        Ty::F32 => word & 0x7fff_ffff > 0x7f80_0000,
        Ty::F64 => word & !(1 << 63) > 0x7ff0_0000_0000_0000,
        _ => false,
    }
}

fn immediates(prim: Prim, ty: Ty) -> Vec<u64> {
    match prim.row().immediate {
        Immediate::None => vec![0],
        Immediate::Mode => (0..8).collect(),
        Immediate::Direction => (0..4).collect(),
        Immediate::Bits => vec![0, 1],
        Immediate::Nan if ty == Ty::F32 => vec![0x7fff_ffff, 0xffc0_0000],
        Immediate::Nan => vec![0x7fff_ffff_ffff_ffff, 0xfff8_0000_0000_0000],
        Immediate::Table => (0..Table::ALL.len() as u64).collect(),
    }
}

/// Levels that this host runs.
fn levels() -> impl Iterator<Item = Level> {
    Level::ALL.into_iter().filter(|level| level.is_supported())
}

/// Operand counts of a primitive: `first` has one to four.
fn counts(prim: Prim) -> std::ops::RangeInclusive<usize> {
    let all = prim.row().args.len();
    if prim == Prim::First { 1..=all } else { all..=all }
}

#[test]
fn primitives_give_the_bits_of_the_reference_evaluation() {
    levels().for_each(primitives_at);
}

fn primitives_at(level: Level) {
    let mut random = Random::new(5);
    let lanes = 92;
    for row in Prim::ALL.iter().filter(|row| row.prim != Prim::Const) {
        for &ty in row.over {
            for imm in immediates(row.prim, ty) {
                for count in counts(row.prim) {
                    // Which operands are constants: none, the first, the last, all.
                    for constant in [0, 1, 1 << (count - 1), (1 << count) - 1] {
                        let types: Vec<Ty> = row.args[..count].iter().map(|slot| slot.at(ty)).collect();
                        let mut operands: Vec<Vec<u64>> = types.iter().map(|&t| words(&mut random, t, lanes)).collect();
                        if row.prim == Prim::FaddOdd {
                            // The row is for magnitudes that leave room.
                            operands.iter_mut().flatten().for_each(|w| *w = *w & !(1 << 62) | 1 << 61);
                        }
                        let mut maker = Maker::new();
                        let mut args = Vec::new();
                        for (n, &t) in types.iter().enumerate() {
                            let fixed = (constant >> n & 1 != 0).then(|| operands[n][0]);
                            if let Some(word) = fixed {
                                operands[n].fill(word);
                            }
                            args.push(maker.operand(n, t, fixed));
                        }
                        let result = maker.step(row.prim, ty, imm, &args);
                        let program = maker.finish(level, result);
                        let found = run(&program, &operands, lanes);
                        let inst = Inst::new(row.prim, ty, imm, &args);
                        for lane in 0..lanes {
                            let mut words = [0; 4];
                            words.iter_mut().zip(&operands).for_each(|(word, row)| *word = row[lane]);
                            let wanted = eval(&inst, words, Nans::Plain);
                            let some_nan = row.nan == parallax_step::NanEffect::Some
                                && is_nan(inst.result(), wanted)
                                && is_nan(inst.result(), found[lane]);
                            assert!(
                                some_nan || wanted == found[lane],
                                "{level}: {}.{ty} imm {imm:#x} of {words:x?}, constants {constant:b}: {:x}, not {wanted:x}",
                                row.name,
                                found[lane]
                            );
                        }
                    }
                }
            }
        }
    }
}

/// Arithmetic followed by the choice of its NaN: no instruction where the processor chooses so itself.
#[test]
fn nans_are_those_of_the_first_operand() {
    levels().for_each(nans_at);
}

fn nans_at(level: Level) {
    let mut random = Random::new(9);
    let lanes = 256;
    for ty in [Ty::F32, Ty::F64] {
        let negative = if ty == Ty::F32 { 0xffc0_0000 } else { 0xfff8_0000_0000_0000 };
        for prim in [Prim::Fadd, Prim::Fsub, Prim::Fmul, Prim::Fdiv, Prim::Fma, Prim::Fsqrt] {
            let count = prim.row().args.len();
            for order in [vec![0, 1, 2], vec![1, 0, 2], vec![0, 2, 1], vec![2, 1, 0], vec![1, 2, 0], vec![2, 0, 1]] {
                // Once with operands that are needed later, once without.
                for live in [false, true] {
                    let order: Vec<usize> = order.iter().copied().filter(|&n| n < count).collect();
                    let operands: Vec<Vec<u64>> = (0..count).map(|_| words(&mut random, ty, lanes)).collect();
                    let mut maker = Maker::new();
                    let args: Vec<Id> = (0..count).map(|n| maker.operand(n, ty, None)).collect();
                    let value = maker.step(prim, ty, 0, &args);
                    let mut chosen = vec![value];
                    chosen.extend(order.iter().map(|&n| args[n]));
                    let first = maker.step(Prim::First, ty, negative, &chosen);
                    let mut result = maker.step(Prim::Bits, ty, 0, &[first]);
                    if live {
                        for &arg in &args {
                            let bits = maker.step(Prim::Bits, ty, 0, &[arg]);
                            result = maker.step(Prim::Xor, ty.pattern(), 0, &[result, bits]);
                        }
                    }
                    let found = run(&maker.finish(level, result), &operands, lanes);
                    for lane in 0..lanes {
                        let mut words = [0; 4];
                        words.iter_mut().zip(&operands).for_each(|(word, row)| *word = row[lane]);
                        let value = eval(&Inst::new(prim, ty, 0, &args), words, Nans::Scrambled(3));
                        let mut list = [value, 0, 0, 0];
                        list[1..].iter_mut().zip(&order).for_each(|(word, &n)| *word = words[n]);
                        let mut wanted = eval(&Inst::new(Prim::First, ty, negative, &chosen), list, Nans::Plain);
                        if live {
                            wanted = words[..count].iter().fold(wanted, |bits, word| bits ^ word);
                        }
                        assert_eq!(found[lane], wanted, "{level}: {}.{ty} {order:?} of {words:x?}", prim.name());
                    }
                }
            }
        }
    }
}

/// Far more values at a time than there are registers: they live in memory, and nothing takes longer than it should.
#[test]
fn ten_thousand_live_values() {
    levels().for_each(ten_thousand_at);
}

fn ten_thousand_at(level: Level) {
    const VALUES: usize = 10_000;
    let mut maker = Maker::new();
    let operands = [maker.operand(0, Ty::I32, None), maker.operand(1, Ty::I32, None)];
    let mut values = vec![operands[0]];
    for n in 1..VALUES {
        let last = values[n - 1];
        values.push(maker.step(if n % 3 == 0 { Prim::Xor } else { Prim::Add }, Ty::I32, 0, &[last, operands[1]]));
    }
    let mut sum = operands[1];
    for &value in values.iter().rev() {
        sum = maker.step(Prim::Add, Ty::I32, 0, &[sum, value]);
    }
    let mut random = Random::new(2);
    let words: Vec<Vec<u64>> = (0..2).map(|_| words(&mut random, Ty::I32, 16)).collect();
    let found = run(&maker.finish(level, sum), &words, 16);
    for lane in 0..16 {
        let (first, second) = (words[0][lane] as u32, words[1][lane] as u32);
        let (mut value, mut sum) = (first, second.wrapping_add(first));
        for n in 1..VALUES {
            value = if n % 3 == 0 { value ^ second } else { value.wrapping_add(second) };
            sum = sum.wrapping_add(value);
        }
        assert_eq!(found[lane], u64::from(sum));
    }
}

#[test]
fn tables_have_a_power_of_two_of_rows() {
    for table in Table::ALL {
        assert!(table.rows().len().is_power_of_two(), "{table:?}");
    }
}
