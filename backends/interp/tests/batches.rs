//! Results do not depend on how lanes are grouped into batches, nor on the order of quads; tracing changes nothing.

use crate::kit;

use kit::{Batch, Kit, program, shader, traced_program};
use parallax_core::exec::{NoTextures, Outputs};
use parallax_core::num::Op;
use parallax_core::{ArrayDecl, ArrayId, Bound, OpId, OpKind, Shader, Type, ValueId};
use parallax_interp::{Event, Scratch};
use proptest::prelude::*;
use std::collections::HashMap;

/// Choices that make a random shader; zeros when it is used up.
struct Tape<'a>(std::slice::Iter<'a, u8>);

impl Tape<'_> {
    fn pick(&mut self, n: usize) -> usize {
        usize::from(self.0.next().copied().unwrap_or(0)) % n
    }
}

/// What can be used where the generator stands.
#[derive(Clone)]
struct Scope {
    words: Vec<ValueId>,
    preds: Vec<ValueId>,
    /// Enclosing loops (parameters and results are two words) and blocks (one word).
    targets: Vec<(OpId, bool)>,
    array: ArrayId,
    depth: usize,
}

impl Scope {
    fn word(&self, t: &mut Tape<'_>) -> ValueId {
        self.words[t.pick(self.words.len())]
    }

    fn pred(&self, t: &mut Tape<'_>) -> ValueId {
        self.preds[t.pick(self.preds.len())]
    }
}

/// Adds a few ops; true if the last one ends the region.
fn fill(k: &mut Kit<'_>, s: &mut Scope, t: &mut Tape<'_>) -> bool {
    for _ in 0..2 + t.pick(4) {
        match t.pick(14) {
            0..=3 => {
                let ops = [Op::Iadd, Op::Isub, Op::Imul, Op::Ixor, Op::Iand, Op::Ushr];
                let (op, a, b) = (ops[t.pick(6)], s.word(t), s.word(t));
                let v = k.int(op, a, b);
                s.words.push(v);
            }
            4 | 5 => {
                let ops = [Op::Ieq, Op::Ult, Op::Ilt];
                let (op, a, b) = (ops[t.pick(3)], s.word(t), s.word(t));
                let v = k.int(op, a, b);
                s.preds.push(v);
            }
            6 => {
                let (arg, mask) = (s.word(t), 1 + t.pick(3) as u8);
                let v = k.b.quad(OpKind::QuadXor { mask }, arg);
                s.words.push(v);
            }
            7 => {
                let kind = [OpKind::QuadAny, OpKind::QuadAll][t.pick(2)];
                let arg = s.pred(t);
                let v = k.b.quad(kind, arg);
                s.preds.push(v);
            }
            8 => {
                let (index, value) = (s.word(t), s.word(t));
                let mask = k.i32(7);
                let index = k.int(Op::Iand, index, mask);
                k.b.op(OpKind::ArrayStore(s.array), None, &[index, value], &[]);
                let other = s.word(t);
                let other = k.int(Op::Iand, other, mask);
                let v = k.b.array_load(s.array, other);
                s.words.push(v);
            }
            9 => {
                let (n, v) = (t.pick(4) as u16, s.word(t));
                k.out(n, v);
            }
            10 => {
                let (a, b) = (s.pred(t), s.pred(t));
                let v = k.int(Op::Pand, a, b);
                k.b.op(OpKind::Discard, None, &[v], &[]);
            }
            11 if s.depth < 4 => {
                let pred = s.pred(t);
                let initial = [s.word(t), s.pred(t)];
                // Both arms read the same tape, one after the other.
                let tape = std::cell::RefCell::new(&mut *t);
                let arm = |k: &mut Kit<'_>| {
                    let mut inner = Scope { depth: s.depth + 1, ..s.clone() };
                    let mut tape = tape.borrow_mut();
                    if !fill(k, &mut inner, &mut tape) {
                        let (a, b) = (inner.word(&mut tape), inner.pred(&mut tape));
                        k.yields(&[a, b]);
                    }
                };
                let results = k.if_else(pred, &initial, arm, arm);
                s.words.push(results[0]);
                s.preds.push(results[1]);
            }
            12 if s.depth < 4 => {
                let first = [s.word(t), s.word(t)];
                let initial = [s.word(t), s.word(t)];
                let results = k.looped(&first, &initial, |k, this, params| {
                    let mut inner = Scope { depth: s.depth + 1, ..s.clone() };
                    inner.words.extend_from_slice(params);
                    inner.targets.push((this, true));
                    if !fill(k, &mut inner, t) {
                        let (pred, a, b) = (inner.pred(t), inner.word(t), inner.word(t));
                        k.when(pred, |k| k.continues(this, &[a, b]));
                        let (a, b) = (inner.word(t), inner.word(t));
                        k.breaks(this, &[a, b]);
                    }
                });
                s.words.extend(results);
            }
            13 if s.depth < 4 => {
                let initial = [s.word(t)];
                let results = k.block(&initial, |k, this| {
                    let mut inner = Scope { depth: s.depth + 1, ..s.clone() };
                    inner.targets.push((this, false));
                    if !fill(k, &mut inner, t) {
                        let a = inner.word(t);
                        k.yields(&[a]);
                    }
                });
                s.words.extend(results);
            }
            _ => {}
        }
    }
    if s.depth == 0 || t.pick(4) != 0 {
        return false;
    }
    let (target, is_loop) = match s.targets.len() {
        0 => return false,
        n => s.targets[t.pick(n)],
    };
    let (a, b) = (s.word(t), s.word(t));
    match (is_loop, t.pick(2)) {
        (true, 0) => k.continues(target, &[a, b]),
        (true, _) => k.breaks(target, &[a, b]),
        (false, _) => k.breaks(target, &[a]),
    }
    true
}

fn random_shader(tape: &[u8]) -> Shader<Bound> {
    let mut tape = Tape(tape.iter());
    shader(|k| {
        let array = k.b.func.arrays.push(ArrayDecl { name: "t".into(), ty: Type::I32, len: 6 });
        let mut words: Vec<ValueId> = (0..4).map(|n| k.attr(n)).collect();
        words.push(k.i32(1));
        let (a, b) = (words[0], words[1]);
        let preds = vec![k.int(Op::Ult, a, b)];
        let mut scope = Scope { words, preds, targets: Vec::new(), array, depth: 0 };
        for _ in 0..4 {
            fill(k, &mut scope, &mut tape);
        }
        for n in 0..4 {
            let v = scope.words[scope.words.len() - 1 - n];
            k.out(n as u16, v);
        }
    })
}

fn random_batch(words: &[u32], covered: &[bool]) -> Batch {
    let lanes = covered.len();
    let mut batch = Batch::new(&words[..lanes]);
    for n in 1..4 {
        // Small and large numbers, equal ones among them.
        batch.attrs[n] = words[n * lanes..][..lanes].iter().map(|w| if n == 1 { w % 4 } else { *w }).collect();
    }
    batch.covered = covered.to_vec();
    batch.fuel = Some(20);
    batch
}

/// The outputs of lanes taken out of a larger batch.
fn select(outputs: &Outputs, from: &[usize]) -> Outputs {
    let mut picked = outputs.clone();
    for plane in picked.planes.iter_mut().filter(|p| !p.is_empty()) {
        *plane = plane.gather(from);
    }
    picked.covered = from.iter().map(|&l| outputs.covered[l]).collect();
    picked.discarded = from.iter().map(|&l| outputs.discarded[l]).collect();
    picked.out_of_fuel = from.iter().map(|&l| outputs.out_of_fuel[l]).collect();
    picked
}

const LANES: usize = 72;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn grouping_lanes_changes_nothing(
        tape in proptest::collection::vec(any::<u8>(), 20..400),
        words in proptest::collection::vec(any::<u32>(), 4 * LANES),
        covered in proptest::collection::vec(any::<bool>(), LANES),
        order in Just((0..LANES / 4).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        let shader = random_shader(&tape);
        let batch = random_batch(&words, &covered);
        let whole = batch.run(&shader);
        let program = program(&shader);
        let mut scratch = Scratch::default();
        let mut run = |batch: &Batch| {
            let mut outputs = Outputs::default();
            batch.run_with(&NoTextures, |inputs| program.run_with(inputs, &mut scratch, &mut outputs));
            outputs
        };
        // Quad by quad, with working memory that still holds what other quads left there.
        for quad in 0..LANES / 4 {
            let lanes: Vec<usize> = (quad * 4..quad * 4 + 4).collect();
            prop_assert_eq!(run(&batch.select(&lanes)), select(&whole, &lanes));
        }
        // Quads in another order.
        let lanes: Vec<usize> = order.iter().flat_map(|q| q * 4..q * 4 + 4).collect();
        prop_assert_eq!(run(&batch.select(&lanes)), select(&whole, &lanes));
    }

    #[test]
    fn traces_change_nothing_and_do_not_depend_on_grouping(
        tape in proptest::collection::vec(any::<u8>(), 20..400),
        words in proptest::collection::vec(any::<u32>(), 4 * LANES),
        covered in proptest::collection::vec(any::<bool>(), LANES),
    ) {
        let shader = random_shader(&tape);
        let batch = random_batch(&words, &covered);
        let (whole, log) = traced(&shader, &batch);
        prop_assert_eq!(&whole, &batch.run(&shader));
        let lanes: Vec<usize> = (8..12).collect();
        let (_, alone) = traced(&shader, &batch.select(&lanes));
        for lane in 0..4 {
            prop_assert_eq!(log.get(&(8 + lane)), alone.get(&lane));
        }
    }
}

/// What an executing lane sees, in order: the op or target and its words.
type Log = HashMap<usize, Vec<(String, Vec<u64>)>>;

fn traced(shader: &Shader<Bound>, batch: &Batch) -> (Outputs, Log) {
    let mut log = Log::new();
    let mut outputs = Outputs::default();
    let mut note = |event: Event<'_>| {
        let (name, exec, rows): (String, _, Vec<&[u64]>) = match event {
            Event::Op { op, exec, args, results } => {
                assert_eq!(args.len(), shader.func.ops[op].args.len());
                assert_eq!(results.len(), shader.func.ops[op].results.len());
                (format!("{op}"), exec, args.iter().chain(results).copied().collect())
            }
            Event::Enter { op, region, exec } => (format!("{op} enters {region}"), exec, vec![]),
            Event::Leave { op, exec } => (format!("{op} leaves"), exec, vec![]),
            Event::Assign { op, value, exec, row } => (format!("{op} sets {value}"), exec, vec![row]),
            Event::Join { op, exec } => (format!("{op} ends"), exec, vec![]),
        };
        assert_ne!(exec.count(), 0, "{name} is executed by no lane");
        for lane in exec.lanes() {
            log.entry(lane).or_default().push((name.clone(), rows.iter().map(|row| row[lane]).collect()));
        }
    };
    batch.run_with(&NoTextures, |inputs| traced_program(shader).run_traced(inputs, &mut outputs, &mut note));
    (outputs, log)
}
