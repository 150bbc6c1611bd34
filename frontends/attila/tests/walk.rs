//! Random programs with random jumps: what the lifted program computes is what walking it instruction by instruction
//! computes, whichever engine runs it.
//!
//! The walk is written from the instruction set's description alone: it knows registers, fields and jumps, and takes every
//! arithmetic result from `parallax-num`.

use parallax_attila::{Bank, Condition, Instr, Kind, Program, Sem, assemble, check, lift};
use parallax_core::backend::{Backend, Executable};
use parallax_core::exec::{FUEL, Inputs, Memory, NoInterpolator, NoTextures, Outputs};
use parallax_core::num::{Decl, Model, Op, Saturate, Slot, Storage, eval};
use parallax_core::{Bound, Interface, Shader, SysVal, verify};
use parallax_interp::Interpreter;
use parallax_lift::Options;
use parallax_lift::vector::VectorOp;
use parallax_opt::{NoObserver, canonicalise, optimise};
use parallax_x86::{Level, MachineCode};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use std::cell::Cell;
use std::fmt::Write;

/// Two quads, which go different ways.
const LANES: usize = 8;
/// Blocks a program may enter before its jumps back are no longer taken.
const ROUNDS: usize = 24;
/// Registers that are compared at the end, with their number of components.
const WATCHED: [(&str, usize); 13] = [
    ("r0", 4),
    ("r1", 4),
    ("r2", 4),
    ("r3", 4),
    ("r7", 4),
    ("o0", 4),
    ("o1", 4),
    ("a0", 4),
    ("p0", 1),
    ("p1", 1),
    ("p2", 1),
    ("p3", 1),
    ("p31", 1),
];

// ---- random programs ----

/// Takes choices from the bits of a word; a word of zeros makes the plainest instruction.
struct Choices(u64);

impl Choices {
    fn below(&mut self, n: u64) -> u64 {
        let choice = self.0 % n;
        self.0 /= n;
        choice
    }

    fn one_of(&mut self, all: &[&'static str]) -> &'static str {
        all[self.below(all.len() as u64) as usize]
    }

    fn source(&mut self) -> String {
        let register = match self.below(6) {
            0..3 => format!("r{}", self.below(4)),
            3 => format!("i{}", self.below(2)),
            4 => format!("c{}", self.below(4)),
            _ => self.one_of(&["c1[a0.y + 1]", "c3[a0.x - 2]", "a0", "c300"]).to_string(),
        };
        let swizzle = self.one_of(&["", ".x", ".wzyx", ".yyxz", ".w"]);
        match self.below(5) {
            0 => format!("-{register}{swizzle}"),
            1 => format!("|{register}{swizzle}|"),
            2 => format!("-|{register}{swizzle}|"),
            _ => format!("{register}{swizzle}"),
        }
    }

    fn predicate(&mut self) -> String {
        format!("{}p{}", self.one_of(&["", "!"]), self.below(4))
    }

    fn condition(&mut self) -> String {
        match self.below(6) {
            0 => self.one_of(&["true", "false", "c2.x", "!c2.y", "c5.w"]).to_string(),
            _ => self.predicate(),
        }
    }

    fn guard(&mut self) -> String {
        if self.below(3) == 0 { format!("({}) ", self.predicate()) } else { String::new() }
    }
}

const FLOAT2: &[&str] = &["add", "mul", "max", "min", "slt", "sge", "dp3", "dp4"];

/// One instruction without jump.
fn instruction(word: u64) -> String {
    let mut c = Choices(word);
    let kind = c.below(12);
    let guard = c.guard();
    let sat = c.one_of(&["", "", "_sat"]);
    let dst =
        format!("{}{}", c.one_of(&["r0", "r1", "r2", "r3", "o0", "o1"]), c.one_of(&["", ".x", ".yz", ".w", ".xyz"]));
    let (a, b) = (c.source(), c.source());
    // Only one bracket's address counts for an instruction, so only the first source may have one.
    let b = if b.contains('[') { "r1".to_string() } else { b };
    match kind {
        0..4 => {
            let op = c.one_of(FLOAT2);
            format!("{guard}{op}{sat} {dst}, {a}, {b}")
        }
        4 => format!("{guard}mov{sat} {dst}, {a}"),
        5 => format!("{guard}mad{sat} {dst}, {a}, {b}, r{}", c.below(4)),
        6 => format!("{guard}cmp{sat} {dst}, {a}, {b}, -r{}", c.below(4)),
        7 => format!("{guard}frc{sat} {dst}, {a}"),
        8 => format!("{guard}{} {dst}, {a}, {b}", c.one_of(&["addi", "muli"])),
        9 => format!("{guard}{} p{}, {a}, {b}", c.one_of(&["setpgt", "setplt", "setpeq"]), c.below(4)),
        10 => {
            let op = c.one_of(&["stpgti", "stplti", "stpeqi"]);
            format!("{guard}{op} p{}, {a}, {}", c.below(4), c.below(100))
        }
        _ => match c.below(3) {
            0 => format!("{guard}arl a0, {a}"),
            _ => format!("{guard}andp {}, {}, {}", c.predicate(), c.predicate(), c.condition()),
        },
    }
}

/// A program of blocks that end in jumps to any block. Jumps back are taken only until enough blocks were entered, so that
/// every program ends.
fn text(blocks: &[(Vec<u64>, u64)]) -> String {
    let mut out = String::new();
    for (n, (body, exit)) in blocks.iter().enumerate() {
        let _ = writeln!(out, "b{n}: addi r7.x, r7.x, 1\nstplti p31, r7.x, {ROUNDS}");
        for &word in body {
            let _ = writeln!(out, "{}", instruction(word));
        }
        let mut c = Choices(*exit);
        let kind = c.below(6);
        let (guard, condition) = (c.guard(), c.condition());
        let to = c.below(blocks.len() as u64) as usize;
        let _ = match kind {
            0 => writeln!(out, "{guard}nop"),
            1 if n % 4 == 3 => writeln!(out, "{guard}mov r3.y, r2 <- end"),
            _ if to > n => writeln!(out, "{guard}jmp {condition}, b{to}"),
            _ => writeln!(out, "andp p4, {condition}, p31\n{guard}jmp p4, b{to}"),
        };
    }
    out.push_str("mov o0.x, r0\n");
    out
}

// ---- the walk ----

/// Registers of one pixel.
#[derive(Clone, Default)]
struct Pixel {
    i: [[u32; 4]; 2],
    o: [[u32; 4]; 2],
    r: [[u32; 4]; 8],
    a: [[u32; 4]; 1],
    p: [bool; 32],
}

struct Machine<'a> {
    model: &'a Model,
    constants: &'a [[u32; 4]],
    full_predication: bool,
}

impl Machine<'_> {
    fn num(&self, op: Op, saturate: bool, args: &[u32]) -> u32 {
        let saturate = if saturate { Saturate::Unsigned } else { Saturate::None };
        let slot = Slot { saturate, ..Slot::plain(Decl::F32) };
        let words: Vec<u64> = args.iter().map(|w| u64::from(*w)).collect();
        eval(op, &self.model.rule(op, &slot, Storage::F32).0, &words) as u32
    }

    fn constant(&self, pixel: &Pixel, instr: &Instr, index: u16, comp: usize) -> u32 {
        let mut at = i64::from(index);
        if let Some(relative) = instr.relative() {
            let address = pixel.a[usize::from(relative.register)][usize::from(relative.component)] as i32;
            at = i64::from(address.wrapping_add(i32::from(relative.offset) + i32::from(index)));
        }
        usize::try_from(at).ok().and_then(|at| self.constants.get(at)).map_or(0, |c| c[comp])
    }

    /// Component `lane` of a source; floats and integers differ in what the modifiers do.
    fn source(&self, pixel: &Pixel, instr: &Instr, n: usize, lane: usize, integer: bool) -> u32 {
        let source = instr.source(n);
        let class = instr.row().operands.iter().any(|o| matches!(o.kind, Kind::FloatLiteral | Kind::IntLiteral));
        let comp = usize::from(source.swizzle[lane]);
        let index = usize::from(source.index);
        let word = match source.bank {
            _ if n == 1 && class => instr.immediate(),
            Bank::In => pixel.i[index][comp],
            Bank::Out => unreachable!("outputs cannot be read"),
            Bank::Temp => pixel.r[index][comp],
            Bank::Addr => pixel.a[index][comp],
            Bank::Param => self.constant(pixel, instr, source.index, comp),
        };
        match (integer, source.absolute, source.negate) {
            (false, absolute, negate) => (if absolute { word & !(1 << 31) } else { word }) ^ u32::from(negate) << 31,
            (true, absolute, negate) => {
                let word = if absolute { (word as i32).wrapping_abs() as u32 } else { word };
                if negate { word.wrapping_neg() } else { word }
            }
        }
    }

    fn condition(&self, pixel: &Pixel, instr: &Instr, n: usize) -> bool {
        match instr.condition(n) {
            Condition::Literal(value) => value,
            Condition::Predicate { index, invert } => pixel.p[usize::from(index)] != invert,
            Condition::Constant { index, component, invert } => {
                (self.constant(pixel, instr, index, usize::from(component)) != 0) != invert
            }
        }
    }

    fn guarded(&self, pixel: &Pixel, instr: &Instr) -> bool {
        instr.guard().is_none_or(|guard| pixel.p[usize::from(guard.predicate)] != guard.invert)
    }

    fn takes(&self, pixel: &Pixel, jump: &Instr) -> bool {
        self.condition(pixel, jump, 0) && (!self.full_predication || self.guarded(pixel, jump))
    }

    /// Executes one instruction that is no jump.
    fn step(&self, pixel: &mut Pixel, instr: &Instr) {
        let runs = self.guarded(pixel, instr);
        let (before, saturate) = (pixel.clone(), instr.dst().saturate);
        let float = |n: usize, lane: usize| self.source(&before, instr, n, lane, false);
        let int = |n: usize, lane: usize| self.source(&before, instr, n, lane, true);
        let below = |x: u32, y: u32| self.num(Op::FLt, false, &[x, y]) != 0;
        let clamped = |word: u32| if saturate { self.num(Op::Cvt, true, &[word]) } else { word };
        let predicate = |value: bool| (runs, instr.predicate_result().0, value);
        let mut mask = instr.dst().mask;
        let mut set = None;
        let mut result = [0; 4];
        for (lane, word) in result.iter_mut().enumerate() {
            *word = match instr.sem() {
                Some(Sem::Nop) => return,
                Some(Sem::Vector(VectorOp::MOV)) => clamped(float(0, lane)),
                Some(Sem::Vector(VectorOp::Componentwise(op))) => {
                    let args: Vec<u32> = (0..op.info().args.len()).map(|n| float(n, lane)).collect();
                    self.num(op, saturate, &args)
                }
                Some(Sem::Vector(VectorOp::Dot(op))) => {
                    let count = op.info().args.len() / 2;
                    let args: Vec<u32> = (0..2 * count).map(|k| float(k / count, k % count)).collect();
                    self.num(op, saturate, &args)
                }
                Some(Sem::Int2(op)) => self.num(op, false, &[int(0, lane), int(1, lane)]),
                Some(Sem::Vector(VectorOp::Set(Op::FLt, true))) => {
                    u32::from(below(float(0, lane), float(1, lane))) * 0x3f80_0000
                }
                Some(Sem::Vector(VectorOp::Set(Op::FLt, false))) => {
                    u32::from(!below(float(0, lane), float(1, lane))) * 0x3f80_0000
                }
                Some(Sem::Vector(VectorOp::Select(Op::FLt))) => {
                    clamped(float(if below(float(0, lane), 0) { 1 } else { 2 }, lane))
                }
                Some(Sem::Arl) => {
                    mask = 15;
                    self.num(Op::F2iFloor, false, &[float(0, lane)])
                }
                Some(Sem::TestFloat(op)) => {
                    set = Some(predicate(self.num(op, false, &[float(0, 3), float(1, 3)]) != 0));
                    break;
                }
                Some(Sem::TestInt(Op::Ieq)) => {
                    set = Some(predicate(int(0, 3) == int(1, 3)));
                    break;
                }
                Some(Sem::TestInt(_)) => {
                    set = Some(predicate((int(0, 3) as i32) < int(1, 3) as i32));
                    break;
                }
                Some(Sem::TestIntSwapped(_)) => {
                    set = Some(predicate(int(0, 3) as i32 > int(1, 3) as i32));
                    break;
                }
                Some(Sem::Andp) => {
                    let both = self.condition(&before, instr, 0) && self.condition(&before, instr, 1);
                    set = Some(predicate(both != instr.predicate_result().1));
                    break;
                }
                other => unreachable!("no program here has {other:?}"),
            };
        }
        if let Some((runs, index, value)) = set {
            if runs {
                pixel.p[usize::from(index)] = value;
            }
            return;
        }
        let dst = instr.dst();
        let index = usize::from(dst.index);
        let register = match dst.bank {
            Bank::Out => &mut pixel.o[index],
            Bank::Temp => &mut pixel.r[index],
            Bank::Addr => &mut pixel.a[index],
            Bank::In | Bank::Param => unreachable!("not writable"),
        };
        for lane in (0..4).filter(|lane| runs && mask >> lane & 1 != 0) {
            register[lane] = result[lane];
        }
    }

    /// Walks pixels that jump together; the number of jumps taken.
    fn walk(&self, pixels: &mut [Pixel], program: &Program) -> usize {
        let (mut at, mut jumps) = (0, 0);
        while let Some(instr) = program.instrs.get(at) {
            let mut next = at + 1;
            if instr.sem() == Some(Sem::Jump) {
                if pixels.iter().all(|pixel| self.takes(pixel, instr)) {
                    next = (at as i64 + i64::from(instr.distance())) as usize;
                    jumps += 1;
                }
            } else {
                pixels.iter_mut().for_each(|pixel| self.step(pixel, instr));
            }
            if instr.end_flag() || instr.sem() == Some(Sem::End) {
                break;
            }
            at = next;
        }
        jumps
    }
}

// ---- both, side by side ----

/// Whether a graph of jumps has a cycle with two entries: taking away loops at a node and joining nodes with their only
/// predecessor leaves more than one node.
fn irreducible(program: &Program) -> bool {
    let count = program.instrs.len();
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (n, instr) in program.instrs.iter().enumerate() {
        let ends = instr.end_flag() || n + 1 == count;
        let jump = (instr.sem() == Some(Sem::Jump)).then(|| (n as i64 + i64::from(instr.distance())) as usize);
        let always = instr.sem() == Some(Sem::Jump) && instr.condition(0) == Condition::Literal(true);
        let never = instr.sem() == Some(Sem::Jump) && instr.condition(0) == Condition::Literal(false);
        if !ends && !always {
            next[n].push(n + 1);
        }
        next[n].extend(jump.filter(|_| !never && !instr.end_flag()));
    }
    let mut reached = vec![false; count];
    let mut work = vec![0];
    while let Some(n) = work.pop() {
        if !std::mem::replace(&mut reached[n], true) {
            work.extend(next[n].iter().copied());
        }
    }
    let mut left: Vec<usize> = (0..count).filter(|n| reached[*n]).collect();
    loop {
        for (n, ways) in next.iter_mut().enumerate() {
            ways.retain(|to| *to != n);
            ways.sort_unstable();
            ways.dedup();
        }
        let only = |n: usize| {
            let mut before = left.iter().copied().filter(|from| next[*from].contains(&n));
            before.next().filter(|_| before.next().is_none())
        };
        let Some((n, from)) = left.iter().copied().filter(|n| *n != 0).find_map(|n| Some((n, only(n)?))) else {
            return left.len() > 1;
        };
        let gone = std::mem::take(&mut next[n]);
        next[from].retain(|to| *to != n);
        next[from].extend(gone);
        left.retain(|k| *k != n);
    }
}

/// A program ready to run, with a name for it and its inputs and outputs.
type Way = (String, Interface, Box<dyn Executable>);

/// The program as it is lifted, interpreted, and as it is optimised, interpreted and as machine code of every level that
/// this host runs.
fn ways(program: &Program, settings: &[(&str, &str)], model: &Model) -> Vec<Way> {
    let preset = ["i0", "i1", "r0", "r1"];
    let options = Options {
        watch: WATCHED.iter().map(|w| w.0.to_string()).collect(),
        preset: preset.iter().map(|s| s.to_string()).collect(),
        settings: settings.iter().map(|(n, v)| (n.to_string(), v.to_string())).collect(),
        ..Options::default()
    };
    let shader = lift(program, &options).unwrap_or_else(|d| panic!("{d:?}"));
    let optimised = optimise(canonicalise(shader.clone()).bind(model), &mut NoObserver);
    let way = |name: String, bound: &Shader<Bound>, backend: &dyn Backend| {
        let prepared = backend.prepare(verify(bound).unwrap_or_else(|d| panic!("{d:?}")));
        (name, bound.func.iface.clone(), prepared.unwrap_or_else(|reason| panic!("{reason}")))
    };
    let levels = Level::ALL.into_iter().filter(|level| level.is_supported());
    let machine_code = levels.map(|level| {
        let backend = MachineCode { level: Some(level), ..MachineCode::BEST };
        way(format!("optimised for {level}"), &optimised, &backend)
    });
    let interpreted =
        [way("as lifted".into(), &shader.bind(model), &Interpreter), way("optimised".into(), &optimised, &Interpreter)];
    interpreted.into_iter().chain(machine_code).collect()
}

/// What a program leaves in the watched registers, by register, lane and component.
fn run((_, iface, program): &Way, pixels: &[Pixel], constants: &[[u32; 4]]) -> Vec<[[u32; 4]; LANES]> {
    let mut attrs = vec![0u32; iface.attrs.len() * 4 * LANES];
    for (n, attr) in iface.attrs.iter().enumerate() {
        for (lane, pixel) in pixels.iter().enumerate() {
            let words = match attr.name.as_str() {
                "i0" => pixel.i[0],
                "i1" => pixel.i[1],
                "r0" => pixel.r[0],
                "r1" => pixel.r[1],
                other => panic!("nothing sets {other}"),
            };
            words.iter().enumerate().for_each(|(comp, word)| attrs[(n * 4 + comp) * LANES + lane] = *word);
        }
    }
    let sysvals = vec![1; (SysVal::QuadLane as usize + 1) * LANES];
    let inputs = Inputs {
        lanes: LANES,
        attrs: &attrs,
        banks: &[constants],
        sysvals: &sysvals,
        covered: &[true; LANES],
        textures: &NoTextures,
        interpolator: &NoInterpolator,
        fuel: FUEL,
    };
    let mut out = Outputs::default();
    program.runner().run(&inputs, Memory::NONE, &mut out);
    WATCHED
        .iter()
        .map(|(name, comps)| {
            let mut words = [[0; 4]; LANES];
            // The last one of a name is the watched register, behind the output of the same name.
            let (n, _) = iface.outputs.iter().enumerate().rfind(|(_, o)| o.name == *name).expect("watched");
            for (lane, word) in words.iter_mut().enumerate() {
                (0..*comps).for_each(|comp| word[comp] = out.planes[n * 4 + comp].get(lane) as u32);
            }
            words
        })
        .collect()
}

fn held(pixel: &Pixel, name: &str) -> [u32; 4] {
    let (bank, number) = name.split_at(1);
    let number: usize = number.parse().expect("a number");
    match bank {
        "r" => pixel.r[number],
        "o" => pixel.o[number],
        "a" => pixel.a[number],
        _ => [u32::from(pixel.p[number]), 0, 0, 0],
    }
}

/// Mostly tame numbers, of both kinds, so that comparisons go either way.
fn word() -> impl Strategy<Value = u32> {
    prop_oneof![
        8 => (-12i32..12).prop_map(|n| (n as f32 * 0.375).to_bits()),
        2 => (-20i32..20).prop_map(|n| n as u32),
        // The first read of an input as a float makes a signalling NaN quiet; the walk knows quiet ones only.
        1 => any::<u32>().prop_map(|word| if f32::from_bits(word).is_nan() { word | 1 << 22 } else { word }),
    ]
}

fn vector() -> impl Strategy<Value = [u32; 4]> {
    [word(), word(), word(), word()]
}

#[test]
fn structured_execution_is_the_walk() {
    let block = (vec(any::<u64>(), 0..5), any::<u64>());
    let pixels = vec([vector(), vector(), vector(), vector()], LANES);
    let cases = (vec(block, 1..9), pixels, vec(vector(), 6), 0..4usize);
    let (jumps, crossing, divided) = (Cell::new(0), Cell::new(0), Cell::new(0));
    let mut runner = TestRunner::new_with_rng(
        Config { cases: 3000, failure_persistence: None, ..Config::default() },
        proptest::test_runner::TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha),
    );
    let model = Model::builtin("attila").expect("a built-in model");
    let outcome = runner.run(&cases, |(blocks, state, mut constants, options)| {
        constants.resize(320, [0x3fc0_0000, 3, 0, 0xbf80_0000]);
        let text = text(&blocks);
        let (program, diags) = assemble(&text);
        let program = program.unwrap_or_else(|| panic!("{text}{diags:?}"));
        prop_assert!(check(&program).is_empty(), "{text}");
        let pixels: Vec<Pixel> = state
            .iter()
            .map(|[i0, i1, r0, r1]| {
                let mut pixel = Pixel { i: [*i0, *i1], ..Pixel::default() };
                (pixel.r[0], pixel.r[1]) = (*r0, *r1);
                pixel
            })
            .collect();
        let (vertex, full) = (options & 1 != 0, options & 2 != 0);
        let settings = [
            ("stage", if vertex { "vertex" } else { "fragment" }),
            ("predication", if full { "full" } else { "writes" }),
        ];
        let machine = Machine { model: &model, constants: &constants, full_predication: full };
        let mut walked = pixels.clone();
        // A vertex jumps alone, the pixels of a quad together.
        let together = if vertex { 1 } else { 4 };
        let taken: Vec<usize> = walked.chunks_mut(together).map(|pixels| machine.walk(pixels, &program)).collect();
        jumps.set(jumps.get() + taken.iter().sum::<usize>());
        crossing.set(crossing.get() + usize::from(irreducible(&program)));
        divided.set(divided.get() + usize::from(taken.iter().any(|n| *n != taken[0])));
        for way in ways(&program, &settings, &model) {
            let got = run(&way, &pixels, &constants);
            for ((name, _), lanes) in WATCHED.iter().zip(got) {
                for (lane, words) in lanes.into_iter().enumerate() {
                    let want = held(&walked[lane], name);
                    prop_assert_eq!(words, want, "{} of lane {}, {}, after\n{}", name, lane, way.0, text);
                }
            }
        }
        Ok(())
    });
    outcome.unwrap_or_else(|error| panic!("{error}"));
    // The cases are no idle ones.
    let (jumps, crossing, divided) = (jumps.get(), crossing.get(), divided.get());
    assert!(jumps > 30_000 && crossing > 300 && divided > 50, "{jumps} {crossing} {divided}");
}
