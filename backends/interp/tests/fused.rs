//! What the interpreter runs as one: random chains of binary64 arithmetic give the bits of their primitives.

use parallax_core::OpKind;
use parallax_core::exec::{FUEL, Inputs, Memory, NoInterpolator, NoTextures, Outputs};
use parallax_gen::word;
use parallax_interp::{Bytecode, Scratch};
use parallax_num::Storage;
use parallax_random::Random;
use parallax_step::{Function, Id, Inst, Kind, Mode, Nans, OutputType, Prim, Ty, eval, verify};

const LANES: usize = 64;
const OPERANDS: usize = 2;

/// A function of two numbers of binary64.
struct Chain {
    function: Function,
    /// What each value is, in the order of the primitives: an operand or a primitive of earlier values.
    insts: Vec<(Id, Inst)>,
    numbers: [Id; OPERANDS],
}

impl Chain {
    fn new() -> Chain {
        let output = OutputType { ty: Ty::I64, bits: 64 };
        let mut function = Function::new("chain");
        function.attrs = OPERANDS as u32;
        function.outputs = vec![[Some(output), None, None, None]];
        let numbers = std::array::from_fn(|index| {
            let mut half = |comp: u8| {
                let word = function.add(0, Kind::Ir(OpKind::Attr { index: index as u16, comp }), &[], &[Ty::I32]);
                function.add_step(0, Inst::new(Prim::Zext, Ty::I64, 0, &[word]))
            };
            let [low, high] = [half(0), half(1)];
            let amount = function.add_step(0, Inst::new(Prim::Const, Ty::I32, 32, &[]));
            let high = function.add_step(0, Inst::new(Prim::Shl, Ty::I64, 0, &[high, amount]));
            let both = function.add_step(0, Inst::new(Prim::Or, Ty::I64, 0, &[low, high]));
            function.add_step(0, Inst::new(Prim::Float, Ty::F64, 0, &[both]))
        });
        Chain { function, insts: Vec::new(), numbers }
    }

    fn step(&mut self, prim: Prim, imm: u64, args: &[Id]) -> Id {
        let inst = Inst::new(prim, Ty::F64, imm, args);
        let id = self.function.add_step(0, inst);
        self.insts.push((id, inst));
        id
    }

    /// Terms of a polynomial in one value or in sums with it, for the most part, and what may become of it.
    fn random(random: &mut Random) -> (Chain, Id) {
        let mut chain = Chain::new();
        let [a, b] = chain.numbers;
        let mode = random.pick(&[Mode::PLAIN, Mode { flush: true, ..Mode::PLAIN }]).word();
        let square = chain.step(Prim::Fmul, mode, &[a, a]);
        let factor = random.pick(&[a, square]);
        let constants = |chain: &mut Chain, random: &mut Random| -> [Id; 2] {
            std::array::from_fn(|_| {
                let bits = random.pick(&[0.5f64, -1.0, 455.75, 1e-200, 1e-300, 0.0, 3.0]).to_bits();
                chain.step(Prim::Const, bits, &[])
            })
        };
        let start = random.pick(&[a, a, b, square]);
        let [by, addend] = constants(&mut chain, random);
        let first = chain.step(Prim::Fma, mode, &random.pick(&[[start, by, addend], [by, start, addend]]));
        let mut sum = random.pick(&[first, first, first, b, square]);
        for _ in 0..1 + random.below(5) {
            let [shift, addend] = constants(&mut chain, random);
            let shifted = chain.step(Prim::Fadd, mode, &random.pick(&[[factor, shift], [shift, factor]]));
            let x = random.pick(&[factor, shifted, shifted, shifted]);
            let other = if random.below(8) == 0 { x } else { sum };
            let args = random.pick(&[[x, other, addend], [x, other, addend], [other, x, addend], [x, other, b]]);
            sum = chain.step(Prim::Fma, mode, &args);
        }
        sum = match random.below(3) {
            0 => chain.step(Prim::Fmul, mode, &[b, sum]),
            1 => chain.step(Prim::Fma, mode, &[b, sum, a]),
            _ => sum,
        };
        let bits = chain.function.add_step(0, Inst::new(Prim::Bits, Ty::F64, 0, &[sum]));
        chain.function.add(0, Kind::Ir(OpKind::Out { index: 0, comp: 0 }), &[bits], &[]);
        chain.function.add(0, Kind::Ir(OpKind::Yield), &[], &[]);
        chain.function.drop_dead();
        (chain, sum)
    }

    /// The value of a primitive, by the definition of each.
    fn value(&self, of: Id, operands: [u64; OPERANDS]) -> u64 {
        let mut values = vec![0; self.function.values.len()];
        for (id, operand) in self.numbers.iter().zip(operands) {
            values[*id as usize] = operand;
        }
        for (id, inst) in &self.insts {
            let mut args = [0; 4];
            for (arg, from) in args.iter_mut().zip(inst.args()) {
                *arg = values[*from as usize];
            }
            values[*id as usize] = eval(inst, args, Nans::Plain);
        }
        values[of as usize]
    }
}

#[test]
fn chains_of_fused_sums() {
    let mut random = Random::new(12);
    let mut outputs = Outputs::default();
    let mut small = 0;
    for _ in 0..4000 {
        let (chain, result) = Chain::random(&mut random);
        assert_eq!(verify(&chain.function), Ok(()));
        let tame = random.below(2) == 0;
        let mut number = |_| {
            let random_word = word(&mut random, Storage::F64);
            if tame { random_word >> 12 | 0x3ff << 52 } else { random_word }
        };
        let operands: [[u64; LANES]; OPERANDS] = [std::array::from_fn(&mut number), std::array::from_fn(number)];
        let attrs: Vec<u32> = operands
            .iter()
            .flat_map(|row| [row.map(|word| word as u32), row.map(|word| (word >> 32) as u32), [0; LANES], [0; LANES]])
            .flatten()
            .collect();
        let inputs = Inputs {
            lanes: LANES,
            attrs: &attrs,
            banks: &[],
            sysvals: &[],
            covered: &[true; LANES],
            textures: &NoTextures,
            interpolator: &NoInterpolator,
            fuel: FUEL,
        };
        let program = Bytecode::of_steps(&chain.function);
        program.run_in(&inputs, Memory::NONE, &mut Scratch::default(), &mut outputs);
        for (lane, got) in outputs.planes[0].to_words().into_iter().enumerate() {
            let words = operands.map(|row| row[lane]);
            let want = chain.value(result, words);
            let agrees = if f64::from_bits(want).is_nan() { f64::from_bits(got).is_nan() } else { got == want };
            assert!(agrees, "{words:x?}: {got:x}, not {want:x}, in\n{}", parallax_step::text::print(&chain.function));
            small += usize::from(f64::from_bits(want).abs() < f64::MIN_POSITIVE);
        }
    }
    assert!(small > 100, "{small} tiny results");
}
