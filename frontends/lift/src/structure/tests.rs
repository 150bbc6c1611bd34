//! Random graphs, walked directly and as structured.

use super::*;
use std::collections::BTreeSet;

struct Random(parallax_random::Random);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0.below(n as u64) as usize
    }

    fn successors(&mut self, blocks: usize) -> Vec<Successors> {
        (0..blocks)
            .map(|_| match self.below(8) {
                0 => Successors::End,
                1 | 2 => Successors::Goto(self.below(blocks)),
                _ => Successors::Branch { then: self.below(blocks), other: self.below(blocks) },
            })
            .collect()
    }

    /// Mostly forward, a few loops: what programs look like.
    fn program(&mut self, blocks: usize) -> Vec<Successors> {
        (0..blocks)
            .map(|b| {
                let next = if b + 1 == blocks { return Successors::End } else { b + 1 };
                match self.below(6) {
                    0 => Successors::Branch { then: self.below(b + 1), other: next },
                    1 | 2 => Successors::Branch { then: next + self.below(blocks - next), other: next },
                    3 => Successors::Goto(next + self.below(blocks - next)),
                    _ => Successors::Goto(next),
                }
            })
            .collect()
    }
}

/// What decides conditions: a hash of the number of steps and the block.
fn holds(seed: u64, step: usize, block: usize) -> bool {
    let mixed = (seed ^ (step as u64) << 32 ^ block as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed >> 61 & 1 != 0
}

fn direct(successors: &[Successors], seed: u64, limit: usize) -> Vec<usize> {
    let mut trace = Vec::new();
    let mut at = 0;
    while trace.len() < limit {
        trace.push(at);
        at = match successors[at] {
            Successors::Goto(to) => to,
            Successors::Branch { then, other } => {
                if holds(seed, trace.len(), at) {
                    then
                } else {
                    other
                }
            }
            Successors::End => break,
        };
    }
    trace
}

enum Left {
    On,
    Break(u32),
    Continue(u32),
    Limit,
}

struct Walker {
    seed: u64,
    limit: usize,
    trace: Vec<usize>,
    selector: u32,
}

impl Walker {
    /// Runs a list of steps, whose first is at `at`, and leaves `at` behind it.
    fn run(&mut self, steps: &[Step], at: &mut usize) -> Left {
        while let Some(&step) = steps.get(*at) {
            if ends_list(step) {
                break;
            }
            *at += 1;
            let left = match step {
                Step::Block(b) => {
                    if self.trace.len() == self.limit {
                        return Left::Limit;
                    }
                    self.trace.push(b);
                    Left::On
                }
                Step::If(b) => {
                    assert_eq!(self.trace.last(), Some(&b));
                    let then = holds(self.seed, self.trace.len(), b);
                    self.arms(steps, at, then)
                }
                Step::IfBelow(n) => self.arms(steps, at, self.selector < n),
                Step::Select(n) => {
                    self.selector = n;
                    Left::On
                }
                Step::Scope(label) => {
                    let body = *at;
                    *at = end_of_list(steps, *at) + 1;
                    assert_eq!(steps[*at - 1], Step::EndScope(label));
                    match self.run(steps, &mut body.clone()) {
                        Left::Break(to) if to == label => Left::On,
                        left => left,
                    }
                }
                Step::Loop(label) => {
                    let body = *at;
                    *at = end_of_list(steps, *at) + 1;
                    assert_eq!(steps[*at - 1], Step::EndLoop(label));
                    loop {
                        let before = self.trace.len();
                        match self.run(steps, &mut body.clone()) {
                            Left::On => {}
                            Left::Continue(to) if to == label => {}
                            Left::Break(to) if to == label => break Left::On,
                            left => break left,
                        }
                        assert!(self.trace.len() > before || self.trace.len() == self.limit, "a round without a block");
                    }
                }
                Step::Break(label) => Left::Break(label),
                Step::Continue(label) => Left::Continue(label),
                Step::Else | Step::EndIf | Step::EndLoop(_) | Step::EndScope(_) => unreachable!("a list ends there"),
            };
            if !matches!(left, Left::On) {
                return left;
            }
        }
        Left::On
    }

    /// Runs one of two arms, and goes on behind both.
    fn arms(&mut self, steps: &[Step], at: &mut usize, first: bool) -> Left {
        let mut then = *at;
        *at = end_of_list(steps, *at);
        let mut other = *at + 1;
        let is_two = steps[*at] == Step::Else;
        if is_two {
            *at = end_of_list(steps, other);
        }
        assert_eq!(steps[*at], Step::EndIf);
        *at += 1;
        match first {
            true => self.run(steps, &mut then),
            false if is_two => self.run(steps, &mut other),
            false => Left::On,
        }
    }
}

fn ends_list(step: Step) -> bool {
    matches!(step, Step::Else | Step::EndIf | Step::EndLoop(_) | Step::EndScope(_))
}

/// Where the list ends whose first step is at `at`.
fn end_of_list(steps: &[Step], at: usize) -> usize {
    let mut depth = 0;
    for (n, &step) in steps.iter().enumerate().skip(at) {
        match step {
            step if depth == 0 && ends_list(step) => return n,
            Step::If(_) | Step::IfBelow(_) | Step::Loop(_) | Step::Scope(_) => depth += 1,
            Step::EndIf | Step::EndLoop(_) | Step::EndScope(_) => depth -= 1,
            _ => {}
        }
    }
    steps.len()
}

fn run(walker: &mut Walker, steps: &[Step]) -> Left {
    let mut at = 0;
    walker.run(steps, &mut at)
}

fn compare(successors: &[Successors], steps: &[Step], runs: u64) {
    let blocks = steps.iter().filter_map(|step| if let Step::Block(block) = *step { Some(block) } else { None });
    let mut seen: Vec<usize> = blocks.collect();
    seen.sort_unstable();
    let blocks = seen.len();
    seen.dedup();
    assert_eq!(blocks, seen.len(), "a block was copied: {successors:?}");
    for seed in 0..runs {
        let mut walker = Walker { seed, limit: 150, trace: Vec::new(), selector: 0 };
        let left = run(&mut walker, steps);
        assert!(matches!(left, Left::On | Left::Limit));
        assert_eq!(walker.trace, direct(successors, seed, 150), "{successors:?}\n{steps:#?}");
    }
}

#[test]
fn random_graphs_run_as_they_jump() {
    let mut random = Random(parallax_random::Random::new(0x1234_5678_9abc_def1));
    let (mut plain, mut irreducible) = (0, 0);
    for round in 0..3000 {
        let blocks = 1 + random.below(3 + round % 12);
        let successors = if round % 2 == 0 { random.successors(blocks) } else { random.program(blocks + 3) };
        let plan = structure(&successors);
        plain += usize::from(plan.irreducible == 0);
        irreducible += usize::from(plan.irreducible > 0);
        compare(&successors, &plan.steps, 6);
        if round % 8 == 0 {
            let mut whole = switch(&successors);
            whole.push(Step::EndScope(OUT));
            compare(&successors, &whole, 4);
        }
    }
    assert!(plain > 500 && irreducible > 150, "{plain} {irreducible}");
}

/// Whether repeated removal of self-loops and merging into single predecessors leaves one node.
fn reducible(successors: &[Successors]) -> bool {
    let count = successors.len();
    let mut reach = vec![false; count];
    let mut work = vec![0];
    while let Some(b) = work.pop() {
        if !std::mem::replace(&mut reach[b], true) {
            match successors[b] {
                Successors::Goto(to) => work.push(to),
                Successors::Branch { then, other } => work.extend([then, other]),
                Successors::End => {}
            }
        }
    }
    let mut next: Vec<BTreeSet<usize>> = (0..count)
        .map(|b| match successors[b] {
            _ if !reach[b] => BTreeSet::new(),
            Successors::Goto(to) => [to].into(),
            Successors::Branch { then, other } => [then, other].into(),
            Successors::End => BTreeSet::new(),
        })
        .collect();
    let mut left: BTreeSet<usize> = (0..count).filter(|b| reach[*b]).collect();
    loop {
        for &b in &left {
            next[b].remove(&b);
        }
        let single = left.iter().copied().find_map(|b| {
            let from: Vec<usize> = left.iter().copied().filter(|p| next[*p].contains(&b)).collect();
            (b != 0 && from.len() == 1).then(|| (b, from[0]))
        });
        let Some((b, from)) = single else { return left.len() == 1 };
        let moved = std::mem::take(&mut next[b]);
        next[from].remove(&b);
        next[from].extend(moved);
        left.remove(&b);
    }
}

#[test]
fn only_irreducible_graphs_get_a_selector() {
    let mut random = Random(parallax_random::Random::new(99));
    for round in 0..2000 {
        let blocks = 1 + random.below(9);
        let successors = if round % 2 == 0 { random.successors(blocks) } else { random.program(blocks + 2) };
        assert_eq!(structure(&successors).irreducible == 0, reducible(&successors), "{successors:?}");
    }
}

#[test]
fn familiar_shapes_come_out_familiar() {
    use Step::*;
    // if / else
    let plan = structure(&[
        Successors::Branch { then: 1, other: 2 },
        Successors::Goto(3),
        Successors::Goto(3),
        Successors::End,
    ]);
    assert_eq!(plan.steps, [Block(0), If(0), Block(1), Else, Block(2), EndIf, Block(3)]);
    // while
    let plan = structure(&[
        Successors::Goto(1),
        Successors::Branch { then: 2, other: 3 },
        Successors::Goto(1),
        Successors::End,
    ]);
    let expected = [Block(0), Loop(3), Block(1), If(1), Else, Break(3), EndIf, Block(2), EndLoop(3), Block(3)];
    assert_eq!(plan.steps, expected);
    // do / while
    let plan = structure(&[Successors::Branch { then: 0, other: 1 }, Successors::End]);
    assert_eq!(plan.steps, [Loop(1), Block(0), If(0), Else, Break(1), EndIf, EndLoop(1), Block(1)]);
    // if without else: what both ways come to is behind a scope
    let plan = structure(&[Successors::Branch { then: 1, other: 2 }, Successors::Goto(2), Successors::End]);
    let expected = [Scope(4), Block(0), If(0), Else, Break(4), EndIf, Block(1), EndScope(4), Block(2)];
    assert_eq!(plan.steps, expected);
    assert_eq!(structure(&[]).steps, []);
}

#[test]
fn deep_graphs_become_a_switch() {
    // Every block may leave to a common handler of the next: scopes nest without end.
    let blocks = 3000;
    let successors: Vec<Successors> = (0..blocks)
        .map(|b| if b + 2 >= blocks { Successors::End } else { Successors::Branch { then: b + 1, other: b + 2 } })
        .collect();
    let plan = structure(&successors);
    compare(&successors, &plan.steps, 2);
    let chain: Vec<Successors> =
        (0..blocks).map(|b| if b + 1 == blocks { Successors::End } else { Successors::Goto(b + 1) }).collect();
    assert_eq!(structure(&chain).steps.len(), blocks);
}

/// Runs with little stack, as a caller's thread may have.
fn with_small_stack(run: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(256 << 10).spawn(run).unwrap().join().unwrap();
}

/// Steps that stand in no other.
fn top(steps: &[Step]) -> usize {
    let (mut count, mut at) = (0, 0);
    while at < steps.len() {
        count += 1;
        at += 1;
        if matches!(steps[at - 1], Step::If(_) | Step::IfBelow(_) | Step::Loop(_) | Step::Scope(_)) {
            at = end_of_list(steps, at);
            if steps[at] == Step::Else {
                at = end_of_list(steps, at + 1);
            }
            at += 1;
        }
    }
    count
}

#[test]
fn long_chains_of_branches_need_no_stack() {
    // Thousands of `if`s, one behind the other; then loops, one behind the other.
    with_small_stack(|| {
        let blocks = 40_001;
        let last = |b: usize| b + 1 == blocks;
        let branches: Vec<Successors> = (0..blocks)
            .map(|b| match b % 2 {
                _ if last(b) => Successors::End,
                0 => Successors::Branch { then: b + 2, other: b + 1 },
                _ => Successors::Goto(b + 1),
            })
            .collect();
        let plan = structure(&branches);
        assert_eq!(top(&plan.steps), blocks / 2 + 1, "laid out, not a switch");
        compare(&branches, &plan.steps, 1);
        let loops: Vec<Successors> = (0..blocks)
            .map(|b| if last(b) { Successors::End } else { Successors::Branch { then: b, other: b + 1 } })
            .collect();
        let plan = structure(&loops);
        assert_eq!(top(&plan.steps), blocks, "laid out, not a switch");
        compare(&loops, &plan.steps, 1);
    });
}

#[test]
fn deep_nests_are_given_up_early() {
    // With work or memory that grows by the square these would take minutes: loops in loops, cycles with two entries in
    // one another, forward jumps in forward jumps, and forward jumps across each other.
    let count = 50_000;
    let way = |b: usize, to: usize| {
        if b + 1 == 2 * count { Successors::End } else { Successors::Branch { then: to, other: b + 1 } }
    };
    let on = |b: usize| if b + 1 == 2 * count { Successors::End } else { Successors::Goto(b + 1) };
    let back = |b: usize| if b < count { on(b) } else { way(b, 2 * count - 1 - b) };
    let twice = |b: usize| way(b, 2 * count - 1 - b);
    let nested = |b: usize| if b < count { way(b, 2 * count - 1 - b) } else { on(b) };
    let crossed = |b: usize| if b < count { way(b, count + b) } else { on(b) };
    let shapes: [&dyn Fn(usize) -> Successors; 4] = [&back, &twice, &nested, &crossed];
    for shape in shapes {
        let successors: Vec<Successors> = (0..2 * count).map(shape).collect();
        let plan = structure(&successors);
        compare(&successors, &plan.steps, 1);
    }
}

#[test]
fn many_cycles_with_two_entries_get_their_selectors() {
    let count = 3 * 20_000;
    let successors: Vec<Successors> = (0..count + 1)
        .map(|b| match b % 3 {
            _ if b == count => Successors::End,
            0 => Successors::Branch { then: b + 2, other: b + 1 },
            1 => Successors::Goto(b + 1),
            _ => Successors::Branch { then: b - 1, other: b + 1 },
        })
        .collect();
    let plan = structure(&successors);
    assert_eq!(plan.irreducible, count / 3);
    compare(&successors, &plan.steps, 1);
}

/// The same through the lifter and the interpreter: eight lanes, each with conditions of its own.
#[test]
fn random_graphs_run_in_the_ir_as_they_jump() {
    use crate::{Lifter, VarId};
    use parallax_core::exec::{FUEL, Inputs, NoInterpolator, NoTextures, Outputs};
    use parallax_core::{Func, Shader, Stage, Symbolic, ValueId, verify};
    use parallax_interp::Bytecode;
    use parallax_num::{Model, Op};

    const LANES: usize = 8;

    struct Code<'f> {
        l: Lifter<'f>,
        x: VarId,
    }

    impl<'f> Blocks<'f> for Code<'f> {
        fn lifter(&mut self) -> &mut Lifter<'f> {
            &mut self.l
        }

        fn begin_loop(&mut self, _: usize) {}

        fn block(&mut self, block: usize) {
            let x = self.l.read_bits(self.x);
            let (factor, plus) = (self.l.b.i32(0x0019_660d), self.l.b.i32(block as u32 + 0x3c6e_f35f));
            let x = self.l.b.int(Op::Imul, &[x, factor]);
            let x = self.l.b.int(Op::Iadd, &[x, plus]);
            self.l.set(self.x, x);
        }

        fn condition(&mut self, _: usize) -> ValueId {
            let x = self.l.read_bits(self.x);
            let zero = self.l.b.i32(0);
            self.l.b.int(Op::Ilt, &[x, zero])
        }
    }

    fn walk(successors: &[Successors], mut x: u32) -> Option<u32> {
        let mut at = 0;
        for _ in 0..400 {
            x = x.wrapping_mul(0x0019_660d).wrapping_add(at as u32 + 0x3c6e_f35f);
            at = match successors[at] {
                Successors::Goto(to) => to,
                Successors::Branch { then, other } => {
                    if (x as i32) < 0 {
                        then
                    } else {
                        other
                    }
                }
                Successors::End => return Some(x),
            };
        }
        None
    }

    let model = Model::builtin("ieee").unwrap();
    let mut random = Random(parallax_random::Random::new(0xfeed_beef));
    let (mut graphs, mut irreducible) = (0, 0);
    for round in 0..1500 {
        let blocks = 1 + random.below(3 + round % 9);
        let successors = if round % 2 == 0 { random.successors(blocks) } else { random.program(blocks + 3) };
        let starts: Vec<u32> = (0..LANES).map(|_| random.below(1 << 31) as u32).collect();
        let ends: Vec<Option<u32>> = starts.iter().map(|&x| walk(&successors, x)).collect();
        if ends.iter().any(Option::is_none) {
            continue;
        }
        let plan = structure(&successors);
        graphs += 1;
        irreducible += usize::from(plan.irreducible > 0);
        let mut func = Func::new("random", "test", Stage::Fragment);
        let mut l = Lifter::new(&mut func);
        let x = l.add_variables(1);
        l.preset("x", &[x]);
        let mut code = Code { l, x };
        plan.lift(&mut code);
        let val = code.l.get(x);
        code.l.watch("x", [Some(val), None, None, None]);
        code.l.finish().unwrap();
        let shader: Shader<Symbolic> = Shader::new(func);
        verify(&shader).unwrap_or_else(|d| panic!("{d:?}"));
        let bound = shader.bind(&model);
        let program = Bytecode::new(verify(&bound).unwrap());
        let mut attrs = starts.clone();
        attrs.resize(4 * LANES, 0);
        let mut out = Outputs::default();
        program.run(
            &Inputs {
                lanes: LANES,
                attrs: &attrs,
                banks: &[],
                sysvals: &[],
                covered: &[true; LANES],
                textures: &NoTextures,
                interpolator: &NoInterpolator,
                fuel: FUEL,
            },
            &mut out,
        );
        let got: Vec<Option<u32>> = out.planes[0].to_words().into_iter().map(|b| Some(b as u32)).collect();
        assert_eq!(got, ends, "{successors:?}\n{:#?}", plan.steps);
    }
    assert!(graphs > 700 && irreducible > 15, "{graphs} {irreducible}");
}
