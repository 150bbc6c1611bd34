//! Random programs: what a lifted program computes is what walking its words computes, whichever engine runs it.
//!
//! The walk is written from the manual's formats: it cuts words into fields by itself and takes every arithmetic result from
//! `parallax-num`.

use parallax_core::backend::Backend;
use parallax_core::exec::{FUEL, Inputs, Memory, NoInterpolator, NoTextures, Outputs};
use parallax_core::num::{Decl, Model, Op, Saturate, Slot, Storage, eval};
use parallax_core::{Bound, Shader, SysVal, verify};
use parallax_gcn::{PROGRAMS, lift};
use parallax_interp::Interpreter;
use parallax_lift::Options;
use parallax_opt::{NoObserver, canonicalise, optimise};
use parallax_random::Random;
use parallax_x86::{Level, MachineCode};

const LANES: usize = 8;
/// Registers that programs read and write, and that are given and compared.
const REGISTERS: u32 = 6;
/// Scalar registers with constants.
const SCALARS: usize = 8;

// ---- random words ----

/// A source code: registers and constants of all kinds.
fn source(random: &mut Random, scalar: u32) -> u32 {
    match random.below(8) {
        0 => scalar,
        1 => random.pick(&[128, 193, 208, 240, 241, 242, 243, 246, 247, 248]),
        _ => vector(random) | 256,
    }
}

fn vector(random: &mut Random) -> u32 {
    random.below(u64::from(REGISTERS)) as u32
}

/// Opcodes of VOP1, VOP2 and VOP3 with two and three sources.
const VOP1: [u32; 10] = [1, 5, 8, 27, 31, 32, 33, 34, 36, 39];
const VOP2: [u32; 6] = [1, 2, 5, 10, 11, 22];
const VOP3: [u32; 3] = [0x101, 0x105, 0x1c1];

fn instruction(random: &mut Random, out: &mut Vec<u32>) {
    let (dst, scalar) = (vector(random), random.below(SCALARS as u64) as u32);
    let short = match random.below(3) {
        0 => 0x3f << 25 | dst << 17 | random.pick(&VOP1) << 9,
        1 => random.pick(&VOP2) << 25 | dst << 17 | vector(random) << 9,
        _ => {
            let op = random.pick(&VOP3);
            let count = if op == 0x1c1 { 3 } else { 2 };
            let modifiers = |random: &mut Random| random.below(1 << count) as u32 & random.word() as u32;
            let clamp = u32::from(random.below(4) == 0);
            out.push(0x34 << 26 | op << 16 | clamp << 15 | modifiers(random) << 8 | dst);
            let sources = (0..count).fold(0, |all, n| all | source(random, scalar) << (9 * n));
            out.push(modifiers(random) << 29 | (random.below(8) as u32 % 5 % 4) << 27 | sources);
            return;
        }
    };
    if random.below(8) == 0 {
        out.extend([short | 255, word(random)]);
    } else {
        out.push(short | source(random, scalar));
    }
}

/// Mostly tame numbers. The first read of an input as a float makes a signalling NaN quiet, and flushes a denormal where the model
/// does; the walk knows neither.
fn word(random: &mut Random) -> u32 {
    match random.below(10) {
        0..9 => ((random.below(24) as f32 - 12.0) * 0.375).to_bits(),
        _ => {
            let word = random.word() as u32;
            let number = f32::from_bits(word);
            if number.is_nan() || number.is_subnormal() { word | 3 << 22 } else { word }
        }
    }
}

// ---- the walk ----

struct Machine<'a> {
    model: &'a Model,
    scalars: &'a [[u32; 4]],
}

impl Machine<'_> {
    fn num(&self, op: Op, slot: Slot, args: &[u32]) -> u32 {
        let words: Vec<u64> = args.iter().map(|word| u64::from(*word)).collect();
        eval(op, &self.model.rule(op, &slot, Storage::F32).0, &words) as u32
    }

    fn source(&self, v: &[u32], code: u32, literal: u32) -> u32 {
        const FLOATS: [f32; 9] = [0.5, -0.5, 1.0, -1.0, 2.0, -2.0, 4.0, -4.0, 0.159_154_94];
        match code {
            0..102 => self.scalars[code as usize / 4][code as usize % 4],
            128..=192 => code - 128,
            193..=208 => (192i32 - code as i32) as u32,
            240..=248 => FLOATS[code as usize - 240].to_bits(),
            255 => literal,
            256..512 => v[code as usize - 256],
            other => panic!("no program here has source {other}"),
        }
    }

    /// Walks the words of one lane.
    fn walk(&self, words: &[u32], v: &mut [u32]) {
        let (plain, mut at) = (Slot::plain(Decl::F32), 0);
        while let Some(&word) = words.get(at) {
            let next = words.get(at + 1).copied().unwrap_or(0);
            at += 1;
            if word >> 26 == 0x34 {
                at += 1;
                let saturate = if word >> 15 & 1 != 0 { Saturate::Unsigned } else { Saturate::None };
                let slot = Slot { saturate, scale: [0, 1, 2, -1][(next >> 27 & 3) as usize], ..plain };
                let argument = |n: u32| {
                    let value = self.source(v, next >> (9 * n) & 511, 0);
                    let value = if word >> (8 + n) & 1 != 0 { value & !(1 << 31) } else { value };
                    value ^ (next >> (29 + n) & 1) << 31
                };
                let (op, count) = match word >> 16 & 0x3ff {
                    0x101 => (Op::Add, 2),
                    0x105 => (Op::Mul, 2),
                    _ => (Op::Mad, 3),
                };
                let args: Vec<u32> = (0..count).map(argument).collect();
                v[(word & 255) as usize] = self.num(op, slot, &args);
                continue;
            }
            if word & 511 == 255 {
                at += 1;
            }
            let (a, dst) = (self.source(v, word & 511, next), (word >> 17 & 255) as usize);
            v[dst] = match word >> 25 {
                0x3f => match word >> 9 & 255 {
                    1 => a,
                    5 => self.num(Op::I2f, plain, &[a]),
                    8 => self.num(Op::F2iTrunc, plain, &[a]),
                    27 => self.num(Op::Frac, plain, &[a]),
                    31 => self.num(Op::Floor, plain, &[a]),
                    32 => self.num(Op::Exp2, plain, &[a]),
                    33 => self.num(Op::Log2, plain, &[a]),
                    34 => self.num(Op::Rcp, plain, &[a]),
                    36 => self.num(Op::Rsq, plain, &[a]),
                    _ => self.num(Op::Sqrt, plain, &[a]),
                },
                op => {
                    let b = v[(word >> 9 & 255) as usize];
                    match op {
                        1 => self.num(Op::Add, plain, &[a, b]),
                        2 => self.num(Op::Sub, plain, &[a, b]),
                        5 => self.num(Op::Mul, plain, &[a, b]),
                        10 => self.num(Op::Min, plain, &[a, b]),
                        11 => self.num(Op::Max, plain, &[a, b]),
                        _ => self.num(Op::Mad, plain, &[a, b, v[dst]]),
                    }
                }
            };
        }
    }
}

// ---- both, side by side ----

fn run(bound: &Shader<Bound>, backend: &dyn Backend, lanes: &[Vec<u32>], scalars: &[[u32; 4]]) -> Vec<Vec<u32>> {
    let iface = &bound.func.iface;
    let mut attrs = vec![0; iface.attrs.len() * 4 * LANES];
    for (n, attr) in iface.attrs.iter().enumerate() {
        let number: usize = attr.name[1..].parse().expect("a vector register");
        lanes.iter().enumerate().for_each(|(lane, v)| attrs[n * 4 * LANES + lane] = v[number]);
    }
    let inputs = Inputs {
        lanes: LANES,
        attrs: &attrs,
        banks: &[scalars],
        sysvals: &[1; (SysVal::QuadLane as usize + 1) * LANES],
        covered: &[true; LANES],
        textures: &NoTextures,
        interpolator: &NoInterpolator,
        fuel: FUEL,
    };
    let verified = verify(bound).unwrap_or_else(|diags| panic!("{diags:?}"));
    let program = backend.prepare(verified).unwrap_or_else(|reason| panic!("{reason}"));
    let mut out = Outputs::default();
    program.runner().run(&inputs, Memory::NONE, &mut out);
    let register = |lane: usize, n: u32| {
        let name = format!("v{n}");
        let at = iface.outputs.iter().position(|output| output.name == name).expect("watched");
        out.planes[at * 4].get(lane) as u32
    };
    (0..LANES).map(|lane| (0..REGISTERS).map(|n| register(lane, n)).collect()).collect()
}

#[test]
fn lifted_programs_are_the_walk() {
    let mut random = Random::new(3);
    let names: Vec<String> = (0..REGISTERS).map(|n| format!("v{n}")).collect();
    let options = Options { preset: names.clone(), watch: names, ..Options::default() };
    let mut changed = 0;
    for case in 0..1500 {
        let model = Model::builtin(["amd-gcn", "ieee", "attila"][case % 3]).expect("a built-in model");
        let mut words = Vec::new();
        for _ in 0..1 + random.below(20) {
            instruction(&mut random, &mut words);
        }
        let scalars: Vec<[u32; 4]> = (0..26).map(|_| std::array::from_fn(|_| word(&mut random))).collect();
        let lanes: Vec<Vec<u32>> = (0..LANES).map(|_| (0..REGISTERS).map(|_| word(&mut random)).collect()).collect();
        let mut walked = lanes.clone();
        let machine = Machine { model: &model, scalars: &scalars };
        walked.iter_mut().for_each(|v| machine.walk(&words, v));
        changed += usize::from(walked != lanes);

        let bytes: Vec<u8> = words.iter().chain(&[0xbf81_0000]).flat_map(|word| word.to_le_bytes()).collect();
        let (program, diags) = PROGRAMS.decode(&bytes);
        assert!(diags.is_empty(), "{diags:?}");
        let text = || program.iter().map(|instr| PROGRAMS.text(instr) + "\n").collect::<String>();
        let shader = lift(&program, &options).unwrap_or_else(|diags| panic!("{diags:?}\n{}", text()));
        let optimised = optimise(canonicalise(shader.clone()).bind(&model), &mut NoObserver);
        let levels = Level::ALL.into_iter().filter(|level| level.is_supported());
        let machine_code =
            levels.map(|level| MachineCode { level: Some(level), ..MachineCode::BEST }).collect::<Vec<_>>();
        let mut found = vec![
            run(&shader.bind(&model), &Interpreter, &lanes, &scalars),
            run(&optimised, &Interpreter, &lanes, &scalars),
        ];
        found.extend(machine_code.iter().map(|backend| run(&optimised, backend, &lanes, &scalars)));
        for (way, found) in found.iter().enumerate() {
            assert_eq!(*found, walked, "way {way} under {} of\n{}", model.name(), text());
        }
    }
    assert!(changed > 1200, "{changed}");
}
