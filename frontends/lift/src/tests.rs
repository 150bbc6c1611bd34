//! Random structured programs, lifted and walked lane by lane, against a direct walk of the program.
//!
//! The walk of the IR here knows one lane only and forgets every value when its region ends, so it also finds values
//! used where they are not defined.

use crate::*;
use parallax_core::{Func, OpKind, RegionId, Shader, Stage, Type, ValueId, verify};
use parallax_num::{Decl, Op};
use std::collections::HashMap;

const CELLS: u32 = 6;

#[derive(Clone, Debug)]
enum Stmt {
    /// variable = variable + variable, as bits.
    Add(u32, u32, u32),
    /// variable = variable with the sign bit flipped, as a float.
    Flip(u32, u32),
    /// variable = variable, of any type.
    Move(u32, u32),
    /// variable = word, of any type.
    Word(u32, u32),
    /// if variable has an odd low bit: variable = variable.
    MoveIf(u32, u32, u32),
    /// if bit n of a variable is set.
    If(u32, u32, Vec<Stmt>, Vec<Stmt>),
    /// At most three iterations.
    Loop(Vec<Stmt>),
    Block(Vec<Stmt>),
    /// Out of the nth enclosing loop or block.
    Break(usize),
    /// Next iteration of the nth enclosing loop.
    Continue(usize),
}

struct Random(parallax_random::Random);

impl Random {
    fn below(&mut self, n: u32) -> u32 {
        self.0.below(n.into()) as u32
    }

    fn stmts(&mut self, depth: u32) -> Vec<Stmt> {
        (0..self.below(4) + 1).map(|_| self.stmt(depth)).collect()
    }

    fn stmt(&mut self, depth: u32) -> Stmt {
        let (a, b, c) = (self.below(CELLS), self.below(CELLS), self.below(CELLS));
        match self.below(if depth == 0 { 8 } else { 14 }) {
            0 => Stmt::Add(a, b, c),
            1 => Stmt::Flip(a, b),
            2 | 3 => Stmt::Move(a, b),
            4 => Stmt::Word(a, self.below(5)),
            5 => Stmt::MoveIf(a, b, c),
            6 => Stmt::Break(self.below(3) as usize),
            7 => Stmt::Continue(self.below(2) as usize),
            8..=10 => {
                let other = if self.below(2) == 0 { self.stmts(depth - 1) } else { Vec::new() };
                Stmt::If(a, self.below(3), self.stmts(depth - 1), other)
            }
            11 | 12 => Stmt::Loop(self.stmts(depth - 1)),
            _ => Stmt::Block(self.stmts(depth - 1)),
        }
    }
}

/// How a list of statements ended.
enum Way {
    On,
    Break(usize),
    Continue(usize),
}

/// Walks the program directly. `open`: for each enclosing loop or block, whether it is a loop.
fn walk(stmts: &[Stmt], variables: &mut [u32], open: &mut Vec<bool>) -> Way {
    for stmt in stmts {
        let way = match stmt {
            Stmt::Add(a, b, c) => {
                variables[*a as usize] = variables[*b as usize].wrapping_add(variables[*c as usize]);
                Way::On
            }
            Stmt::Flip(a, b) => {
                variables[*a as usize] = variables[*b as usize] ^ 0x8000_0000;
                Way::On
            }
            Stmt::Move(a, b) => {
                variables[*a as usize] = variables[*b as usize];
                Way::On
            }
            Stmt::Word(a, w) => {
                variables[*a as usize] = *w;
                Way::On
            }
            Stmt::MoveIf(a, b, c) => {
                if variables[*a as usize] & 1 != 0 {
                    variables[*b as usize] = variables[*c as usize];
                }
                Way::On
            }
            Stmt::If(a, bit, then, other) => {
                walk(if variables[*a as usize] >> bit & 1 != 0 { then } else { other }, variables, open)
            }
            Stmt::Loop(body) => {
                open.push(true);
                let mut way = Way::On;
                for _ in 0..3 {
                    match walk(body, variables, open) {
                        Way::On | Way::Continue(0) => {}
                        Way::Break(0) => break,
                        Way::Break(n) => way = Way::Break(n - 1),
                        Way::Continue(n) => way = Way::Continue(n - 1),
                    }
                    if !matches!(way, Way::On) {
                        break;
                    }
                }
                open.pop();
                way
            }
            Stmt::Block(body) => {
                open.push(false);
                let way = walk(body, variables, open);
                open.pop();
                match way {
                    Way::On | Way::Break(0) => Way::On,
                    Way::Break(n) => Way::Break(n - 1),
                    Way::Continue(n) => Way::Continue(n - 1),
                }
            }
            Stmt::Break(n) if !open.is_empty() => Way::Break(n % open.len()),
            Stmt::Continue(n) => {
                let loops: Vec<usize> =
                    open.iter().rev().enumerate().filter(|(_, is_loop)| **is_loop).map(|(at, _)| at).collect();
                if loops.is_empty() { Way::On } else { Way::Continue(loops[n % loops.len()]) }
            }
            Stmt::Break(_) => Way::On,
        };
        if !matches!(way, Way::On) {
            return way;
        }
    }
    Way::On
}

fn lift(l: &mut Lifter<'_>, stmts: &[Stmt], variables: VarId, open: &mut Vec<(Label, bool)>) {
    let variable = |n: &u32| variables.offset(*n);
    for stmt in stmts {
        match stmt {
            Stmt::Add(a, b, c) => {
                let (b, c) = (l.read_bits(variable(b)), l.read_bits(variable(c)));
                let sum = l.b.int(Op::Iadd, &[b, c]);
                l.set(variable(a), sum);
            }
            Stmt::Flip(a, b) => {
                let b = l.read(variable(b), Decl::F32);
                let slot = l.plain(Decl::F32);
                let flipped = l.b.num(Op::Neg, slot, &[b]);
                l.set(variable(a), flipped);
            }
            Stmt::Move(a, b) => {
                let val = l.get(variable(b));
                l.set(variable(a), val);
            }
            Stmt::Word(a, w) => {
                let val = Deferred::word(*w);
                l.set(variable(a), val);
            }
            Stmt::MoveIf(a, b, c) => {
                let pred = bit(l, variable(a), 0);
                let val = l.get(variable(c));
                let mut stage = WriteBuffer::new();
                stage.set_if(pred, variable(b), val);
                l.commit(&mut stage);
            }
            Stmt::If(a, n, then, other) => {
                let pred = bit(l, variable(a), *n);
                l.begin_if(pred);
                lift(l, then, variables, open);
                if !other.is_empty() {
                    l.begin_else();
                    lift(l, other, variables, open);
                }
                l.end_if();
            }
            Stmt::Loop(body) => {
                // A variable of its own counts the iterations.
                let count = l.add_variables(1);
                let zero = Deferred::word(0);
                l.set(count, zero);
                let label = l.begin_loop();
                let (n, limit, one) = (l.read_bits(count), l.b.i32(3), l.b.i32(1));
                let full = l.b.int(Op::Ieq, &[n, limit]);
                l.begin_if(full);
                l.break_to(label);
                l.end_if();
                let next = l.b.int(Op::Iadd, &[n, one]);
                l.set(count, next);
                open.push((label, true));
                lift(l, body, variables, open);
                open.pop();
                l.end_loop();
            }
            Stmt::Block(body) => {
                let label = l.begin_block();
                open.push((label, false));
                lift(l, body, variables, open);
                open.pop();
                l.end_block();
            }
            Stmt::Break(n) if !open.is_empty() => l.break_to(open[open.len() - 1 - n % open.len()].0),
            Stmt::Continue(n) => {
                let loops: Vec<Label> = open.iter().rev().filter(|o| o.1).map(|o| o.0).collect();
                if !loops.is_empty() {
                    l.continue_to(loops[n % loops.len()]);
                }
            }
            Stmt::Break(_) => {}
        }
    }
}

fn bit(l: &mut Lifter<'_>, variable: VarId, n: u32) -> ValueId {
    let value = l.read_bits(variable);
    let (mask, zero) = (l.b.i32(1 << n), l.b.i32(0));
    let masked = l.b.int(Op::Iand, &[value, mask]);
    l.b.int(Op::Ine, &[masked, zero])
}

/// One lane of the IR.
struct Lane<'a> {
    func: &'a Func,
    values: HashMap<ValueId, u64>,
    attrs: &'a [u32],
    outs: HashMap<(u16, u8), u64>,
}

enum Left {
    Yield(Vec<u64>),
    Break(parallax_core::OpId, Vec<u64>),
    Continue(parallax_core::OpId, Vec<u64>),
}

impl Lane<'_> {
    fn region(&mut self, region: RegionId) -> Left {
        let before: Vec<ValueId> = self.values.keys().copied().collect();
        let left = self.ops(region);
        self.values.retain(|v, _| before.contains(v));
        left
    }

    fn ops(&mut self, region: RegionId) -> Left {
        for &id in &self.func.regions[region].ops {
            let op = &self.func.ops[id];
            let args: Vec<u64> =
                op.args.iter().map(|v| *self.values.get(v).unwrap_or_else(|| panic!("{v} is not defined"))).collect();
            let word = |n: usize| args[n] as u32;
            let results: Vec<u64> = match op.kind {
                OpKind::Literal(bits) => vec![bits],
                OpKind::Attr { index, comp } => vec![u64::from(self.attrs[usize::from(index) * 4 + usize::from(comp)])],
                OpKind::Select => vec![if args[0] != 0 { args[1] } else { args[2] }],
                OpKind::Num(Op::BitsOf | Op::BitsTo) => vec![args[0]],
                OpKind::Num(Op::Neg) => vec![args[0] ^ 0x8000_0000],
                OpKind::Num(Op::Iadd) => vec![u64::from(word(0).wrapping_add(word(1)))],
                OpKind::Num(Op::Iand) => vec![args[0] & args[1]],
                OpKind::Num(Op::Ieq) => vec![u64::from(args[0] == args[1])],
                OpKind::Num(Op::Ine) => vec![u64::from(args[0] != args[1])],
                OpKind::Out { index, comp } => {
                    self.outs.insert((index, comp), args[0]);
                    vec![]
                }
                OpKind::If => match self.region(op.regions[if args[0] != 0 { 0 } else { 1 }]) {
                    Left::Yield(results) => results,
                    left => return left,
                },
                OpKind::Block => match self.region(op.regions[0]) {
                    Left::Yield(results) => results,
                    Left::Break(to, results) if to == id => results,
                    left => return left,
                },
                OpKind::Loop => {
                    let body = op.regions[0];
                    let mut params = args[..self.func.regions[body].params.len()].to_vec();
                    loop {
                        assert_eq!(params.len(), self.func.regions[body].params.len());
                        for (n, (&p, &word)) in self.func.regions[body].params.iter().zip(&params).enumerate() {
                            assert_eq!(self.func.values[p].def, parallax_core::ValueDef::Param(body, n as u16));
                            self.values.insert(p, word);
                        }
                        match self.region(body) {
                            Left::Continue(to, next) if to == id => params = next,
                            Left::Break(to, results) if to == id => break results,
                            Left::Yield(_) => panic!("a loop yields"),
                            left => return left,
                        }
                    }
                }
                OpKind::Yield => return Left::Yield(args),
                OpKind::Break(to) => return Left::Break(to, args),
                OpKind::Continue(to) => return Left::Continue(to, args),
                kind => panic!("not walked: {kind:?}"),
            };
            assert_eq!(results.len(), op.results.len());
            self.values.extend(op.results.iter().copied().zip(results));
        }
        panic!("a region without end");
    }
}

/// Lifts a program: the variables start from an attribute pair and are reported at the end.
fn lifted(program: &[Stmt]) -> Func {
    let mut func = Func::new("random", "test", Stage::Fragment);
    let mut l = Lifter::new(&mut func);
    let variables = l.add_variables(CELLS);
    let ids: Vec<VarId> = (0..CELLS).map(|n| variables.offset(n)).collect();
    l.preset("a", &ids[..4]);
    lift(&mut l, program, variables, &mut Vec::new());
    let vals: Vec<Deferred> = ids.iter().map(|&c| l.get(c)).collect();
    l.watch("a", [0, 1, 2, 3].map(|n| Some(vals[n])));
    l.watch("b", [Some(vals[4]), Some(vals[5]), None, None]);
    l.finish().unwrap();
    func
}

fn check(func: &Func) {
    let shader = Shader::new(func.clone());
    if let Err(diags) = verify(&shader) {
        panic!("{diags:?}");
    }
}

#[test]
fn random_programs_do_in_the_ir_what_they_say() {
    let mut random = Random(parallax_random::Random::new(0x9E37_79B9_7F4A_7C15));
    for round in 0..4000 {
        let depth = 1 + round % 4;
        let program: Vec<Stmt> = random.stmts(depth).into_iter().chain(random.stmts(depth)).collect();
        let func = lifted(&program);
        check(&func);
        for _ in 0..3 {
            let attrs: Vec<u32> = (0..4).map(|_| random.below(16)).collect();
            let mut expected = [attrs[0], attrs[1], attrs[2], attrs[3], 0, 0];
            walk(&program, &mut expected, &mut Vec::new());
            let mut lane = Lane { func: &func, values: HashMap::new(), attrs: &attrs, outs: HashMap::new() };
            lane.region(func.body);
            for (n, &word) in expected.iter().enumerate() {
                let found = lane.outs[&((n / 4) as u16, (n % 4) as u8)];
                assert_eq!(found, u64::from(word), "round {round}, variable {n} of {program:#?} from {attrs:?}");
            }
        }
    }
}

#[test]
fn arms_that_set_a_cell_to_what_it_held_before_the_loop_set_it() {
    use Stmt::*;
    let zero = || vec![Word(4, 0)];
    for inner in [vec![If(0, 0, zero(), zero())], vec![Block(zero())]] {
        // Variable 4 is 0 before the loop and 1 when the second iteration meets the arms.
        let body = inner.into_iter().chain([Add(5, 5, 4), Word(4, 1)]).collect();
        let program = [Loop(body)];
        let func = lifted(&program);
        check(&func);
        let mut lane = Lane { func: &func, values: HashMap::new(), attrs: &[0; 4], outs: HashMap::new() };
        lane.region(func.body);
        assert_eq!((lane.outs[&(1, 0)], lane.outs[&(1, 1)]), (1, 0), "{program:?}");
    }
}

fn kinds(func: &Func) -> Vec<String> {
    let mut names = Vec::new();
    func.walk(|_, op| {
        names.push(match func.ops[op].kind {
            OpKind::Num(op) => op.name().to_string(),
            kind => format!("{kind:?}").split(['(', ' ', '{']).next().unwrap_or("").to_lowercase(),
        })
    });
    names
}

#[test]
fn a_move_emits_nothing_and_the_read_takes_the_type_of_its_use() {
    let mut func = Func::new("moves", "test", Stage::Fragment);
    let mut l = Lifter::new(&mut func);
    let variables = l.add_variables(4);
    l.need_bank(0, 1, |n| format!("CONST[{n}]"));
    let constant = l.constant(0, 2, 1);
    l.set(variables, constant);
    let moved = l.get(variables);
    l.set(variables.offset(1), moved);
    let float = l.read(variables.offset(1), Decl::F32);
    let bits = l.read_bits(variables.offset(1));
    assert_eq!((l.b.func.ty(float), l.b.func.ty(bits)), (Type::F32, Type::I32));
    l.finish().unwrap();
    assert_eq!(kinds(&func), ["const", "const", "yield"]);
    assert_eq!(func.iface.banks[0].len, 3);
}

#[test]
fn variables_a_loop_does_not_change_need_no_parameter() {
    let mut func = Func::new("loop", "test", Stage::Fragment);
    let mut l = Lifter::new(&mut func);
    let variables = l.add_variables(3);
    l.preset("limit", &[variables]);
    let label = l.begin_loop();
    let (n, limit) = (l.read_bits(variables.offset(1)), l.read_bits(variables));
    let done = l.b.int(Op::Ule, &[limit, n]);
    l.begin_if(done);
    l.break_to(label);
    l.end_if();
    let one = l.b.i32(1);
    let next = l.b.int(Op::Iadd, &[n, one]);
    l.set(variables.offset(1), next);
    l.end_loop();
    let n = l.get(variables.offset(1));
    l.watch("n", [Some(n), None, None, None]);
    l.finish().unwrap();
    assert_eq!(
        kinds(&func),
        [
            "attr", "literal", "literal", "loop", "ule", "if", "break", "yield", "literal", "iadd", "continue", "out",
            "yield"
        ]
    );
    let body = func.ops[func.regions[func.body].ops[3]].regions[0];
    assert_eq!(func.regions[body].params.len(), 1);
}

#[test]
fn a_loop_parameter_of_two_types_is_one_of_each() {
    let mut func = Func::new("retyped", "test", Stage::Fragment);
    let mut l = Lifter::new(&mut func);
    let variables = l.add_variables(2);
    let slot = l.plain(Decl::F32);
    let start = l.read(variables, Decl::F32);
    let flipped = l.b.num(Op::Neg, slot, &[start]);
    l.set(variables, flipped);
    let label = l.begin_loop();
    let float = l.read(variables, Decl::F32);
    let odd = l.b.num(Op::FNe, slot, &[float, float]);
    l.begin_if(odd);
    l.break_to(label);
    l.end_if();
    let word = l.read_bits(variables.offset(1));
    l.set(variables, word);
    l.end_loop();
    l.finish().unwrap();
    let body = func.ops.iter().find(|(_, op)| op.kind == OpKind::Loop).unwrap().1.regions[0];
    assert_eq!(func.regions[body].params.iter().map(|&p| func.ty(p)).collect::<Vec<_>>(), [Type::F32, Type::I32]);
    check(&func);
}

#[test]
fn code_behind_a_jump_goes_nowhere() {
    let mut func = Func::new("dead", "test", Stage::Fragment);
    let mut l = Lifter::new(&mut func);
    let variables = l.add_variables(1);
    let block = l.begin_block();
    l.break_to(block);
    assert!(!l.live());
    let bits = l.read_bits(variables);
    let pred = l.convert(bits, Type::Pred);
    l.begin_if(pred);
    let inner = l.begin_loop();
    l.continue_to(inner);
    l.end_loop();
    l.begin_else();
    l.end_if();
    l.break_to(block);
    l.end_block();
    assert!(l.live());
    l.finish().unwrap();
    assert_eq!(kinds(&func), ["yield"]);
}

#[test]
fn a_block_that_is_left_at_its_end_only_is_none() {
    let mut func = Func::new("blocks", "test", Stage::Fragment);
    let mut l = Lifter::new(&mut func);
    let variables = l.add_variables(2);
    let number = |l: &mut Lifter<'_>, bits: u32| {
        let slot = l.plain(Decl::F32);
        l.b.float(slot, bits.into())
    };
    let before = number(&mut l, 1);
    l.set(variables, before);
    let outer = l.begin_block();
    let first = number(&mut l, 2);
    l.set(variables, first);
    // Left early, so it stays; what it sets goes on behind both.
    let inner = l.begin_block();
    let pred = l.b.pred(true);
    l.begin_if(pred);
    l.break_to(inner);
    l.end_if();
    let second = number(&mut l, 3);
    l.set(variables.offset(1), second);
    l.end_block();
    l.break_to(outer);
    l.end_block();
    assert!(l.live());
    assert_eq!(l.read(variables, Decl::F32), first);
    let last = l.read(variables.offset(1), Decl::F32);
    l.finish().unwrap();
    let made = func.def_op(last).map(|op| func.ops[op].kind);
    assert_eq!(made, Some(OpKind::Block));
    assert_eq!(kinds(&func).iter().filter(|kind| *kind == "block").count(), 1);
    check(&func);
}

#[test]
fn integers_in_float_arrays_are_noticed() {
    let mut func = Func::new("arrays", "test", Stage::Fragment);
    let mut l = Lifter::new(&mut func);
    let [clean, mixed, moved, known] =
        ["clean", "mixed", "moved", "known"].map(|name| l.add_array(name.into(), Type::F32, 4, name == "known"));
    let index = l.b.i32(1);
    l.store(clean, index, Deferred::word(0));
    l.store(mixed, index, index);
    l.store(moved, index, Deferred::word(3));
    l.store(known, index, Deferred::word(3));
    assert_eq!(l.arrays_with_bits(), ["mixed", "moved"]);
    l.finish().unwrap();
}

#[test]
fn calls_refuse_recursion_and_expansion_without_measure() {
    let span = parallax_text::Span::new(3, 4);
    let mut calls = Calls::default();
    calls.enter(7, span).unwrap();
    assert_eq!(calls.enter(7, span).unwrap_err().code, "call-recursion");
    for n in 0..MAX_DEPTH as u32 - 1 {
        calls.enter(100 + n, span).unwrap();
    }
    assert_eq!(calls.enter(99, span).unwrap_err().code, "call-depth");
    let mut calls = Calls::default();
    for _ in 0..MAX_CALLS {
        calls.enter(1, span).unwrap();
        calls.leave();
    }
    assert_eq!(calls.enter(1, span).unwrap_err().code, "call-count");
}

#[test]
fn a_loop_that_passes_too_many_values_is_refused() {
    for (count, is_refused) in [(4, false), (usize::from(u16::MAX) + 4, true)] {
        let mut func = Func::new("wide", "test", Stage::Fragment);
        let mut l = Lifter::new(&mut func);
        let first = l.add_variables(count as u32);
        let whole = l.begin_loop();
        for n in 0..count as u32 {
            let variable = first.offset(n);
            let value = l.read_bits(variable);
            let next = l.b.int(Op::Inot, &[value]);
            l.set(variable, next);
        }
        let last = l.read_bits(first);
        let zero = l.b.i32(0);
        let ends = l.b.int(Op::Ieq, &[last, zero]);
        l.begin_if(ends);
        l.break_to(whole);
        l.end_if();
        l.end_loop();
        let codes = l.finish().map_err(|diags| diags.iter().map(|diag| diag.code).collect::<Vec<_>>());
        assert_eq!(codes, if is_refused { Err(vec!["lift-size"]) } else { Ok(()) });
        if !is_refused {
            assert!(verify(&Shader::new(func)).is_ok());
        }
    }
}

#[test]
fn a_read_whose_address_no_iteration_changes_may_happen_behind_the_loop() {
    let mut func = Func::new("late", "test", Stage::Fragment);
    let mut l = Lifter::new(&mut func);
    l.need_bank(0, 4, |_| "c".into());
    let (address, held) = (l.add_variables(1), l.add_variables(1));
    let outside = l.b.i32(1);
    l.set(address, outside);
    let whole = l.begin_loop();
    let inside = l.read_bits(address);
    let read = l.constant_at(0, 0, 0, inside);
    l.set(held, read);
    let pred = l.b.pred(true);
    l.begin_if(pred);
    l.break_to(whole);
    l.end_if();
    l.end_loop();
    let behind = l.force(read, Type::I32);
    l.finish().unwrap();
    let op = func.def_op(behind).map(|op| &func.ops[op]);
    assert!(op.is_some_and(|op| matches!(op.kind, OpKind::ConstAt { .. }) && *op.args == [outside]));
    check(&func);
}
