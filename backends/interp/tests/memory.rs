//! Memory, attributes elsewhere in the pixel, and shuffles.

use crate::kit;

use kit::{Batch, Kit, out, program, shader};
use parallax_core::exec::{FUEL, Inputs, InterpolateAt, Interpolator, Memory, NoInterpolator, NoTextures, Outputs};
use parallax_core::num::Op;
use parallax_core::{Access, AtomicOp, Bound, BufferDecl, OpKind, Shader, ValueId};
use parallax_interp::Scratch;

/// A shader with one buffer.
fn with_buffer(body: impl FnOnce(&mut Kit<'_>)) -> Shader<Bound> {
    shader(|k| {
        k.b.func.iface.buffers.push(BufferDecl::new("B".into()));
        body(k);
    })
}

fn load(k: &mut Kit<'_>, address: ValueId) -> ValueId {
    k.b.value(OpKind::BufferLoad { buffer: 0, access: Access::Word }, None, &[address])
}

fn store(k: &mut Kit<'_>, address: ValueId, value: ValueId) {
    k.b.op(OpKind::BufferStore { buffer: 0, atomic: false }, None, &[address, value], &[]);
}

/// Runs a batch on one buffer.
fn run(s: &Shader<Bound>, batch: &Batch, words: &mut [Vec<u32>]) -> Outputs {
    let mut outputs = Outputs::default();
    let program = program(s);
    batch.run_with(&NoTextures, |inputs| {
        program.run_in(inputs, Memory::Exclusive(words), &mut Scratch::default(), &mut outputs);
    });
    outputs
}

/// Adds one to the first word, all lanes at once.
fn counter() -> Shader<Bound> {
    with_buffer(|k| {
        let (zero, one) = (k.i32(0), k.i32(1));
        let before = load(k, zero);
        let after = k.int(Op::Iadd, before, one);
        store(k, zero, after);
        k.out(0, before);
    })
}

/// Takes a number.
fn ticket(k: &mut Kit<'_>) -> ValueId {
    let (zero, one) = (k.i32(0), k.i32(1));
    k.b.value(OpKind::Atomic { op: AtomicOp::Add, buffer: 0 }, None, &[zero, one])
}

#[test]
fn quads_that_write_memory_run_one_after_the_other() {
    let s = counter();
    assert!(program(&s).writes_memory());
    let mut words = [vec![0]];
    // More quads than a mask word has.
    let batch = Batch::new(&[0; 72]);
    let o = run(&s, &batch, &mut words);
    let quads: Vec<u64> = (0..72).map(|lane| lane / 4).collect();
    assert_eq!((out(&o, 0), words[0][0]), (quads, 18));
    // So batches may be cut anywhere.
    let mut again = [vec![0]];
    for lanes in [4, 60, 8] {
        run(&s, &Batch::new(&vec![0; lanes]), &mut again);
    }
    assert_eq!(again, words);
}

#[test]
fn atomics_act_lane_by_lane_and_skip_uncovered_lanes() {
    let s = with_buffer(|k| {
        let first = ticket(k);
        let (attr, seven) = (k.attr(0), k.i32(7));
        let gone = k.int(Op::Ieq, attr, seven);
        k.b.op(OpKind::Discard, None, &[gone], &[]);
        let second = ticket(k);
        k.out(0, first);
        k.out(1, second);
    });
    let mut words = [vec![10]];
    let mut batch = Batch::new(&[1, 2, 7, 4, 5, 6, 7, 8]);
    batch.covered[1] = false;
    let o = run(&s, &batch, &mut words);
    assert_eq!(out(&o, 0), [10, 0, 11, 12, 15, 16, 17, 18]);
    assert_eq!(out(&o, 1), [13, 0, 0, 14, 19, 20, 0, 21]);
    assert_eq!(words, [vec![22]]);
}

#[test]
fn stores_act_in_executing_covered_lanes_and_the_last_lane_wins() {
    let s = with_buffer(|k| {
        let (attr, ten) = (k.attr(0), k.i32(10));
        let small = k.int(Op::Ult, attr, ten);
        k.when(small, |k| {
            let zero = k.i32(0);
            let attr = k.attr(0);
            store(k, zero, attr);
            let four = k.i32(4);
            let at = k.int(Op::Imul, attr, four);
            store(k, at, attr);
            // Loads happen in all four lanes.
            let found = load(k, at);
            let other = k.b.quad(OpKind::QuadXor { mask: 1 }, found);
            k.out(0, other);
            k.yields(&[]);
        });
    });
    let mut words = [vec![0, 0, 0, 0, 0, 50]];
    let mut batch = Batch::new(&[1, 0x4000_0005, 3, 4]);
    batch.covered[3] = false;
    let o = run(&s, &batch, &mut words);
    assert_eq!(words, [vec![3, 1, 0, 3, 0, 50]]);
    // Lane 1 does not execute, but its address, 20, is loaded from; lane 3 has stored nothing.
    assert_eq!(out(&o, 0), [50, 0, 0, 3]);
}

#[test]
fn readers_share_memory() {
    let s = with_buffer(|k| {
        let attr = k.attr(0);
        let found = load(k, attr);
        let size = k.b.value(OpKind::BufferSize { buffer: 0 }, None, &[]);
        k.out(0, found);
        k.out(1, size);
    });
    let program = program(&s);
    assert!(!program.writes_memory());
    let words = [vec![11, 22, 33]];
    let mut outputs = Outputs::default();
    Batch::new(&[0, 4, 8, 12, 9, 0xffff_fffc, 3, 7]).run_with(&NoTextures, |inputs| {
        program.run_in(inputs, Memory::Shared(&words), &mut Scratch::default(), &mut outputs);
    });
    assert_eq!(out(&outputs, 0), [11, 22, 33, 0, 33, 0, 11, 22]);
    assert_eq!(out(&outputs, 1), [12; 8]);
}

/// Tells what it was asked.
struct Asked;

impl Interpolator for Asked {
    fn at(&self, attr: usize, comp: usize, lane: usize, place: InterpolateAt) -> Option<u32> {
        let asked = (attr * 1000 + comp * 100 + lane * 10) as u32;
        match place {
            InterpolateAt::Sample(9) => None,
            InterpolateAt::Sample(n) => Some(asked + n),
            InterpolateAt::Offset([x, y]) => Some(asked + x + y),
            InterpolateAt::Centroid => Some(asked + 7),
        }
    }
}

#[test]
fn attributes_elsewhere_come_from_the_interpolator() {
    let s = shader(|k| {
        let (number, two) = (k.attr(0), k.i32(2));
        let sample = k.b.value(OpKind::AttrSample { index: 1, comp: 0 }, None, &[number]);
        let offset = k.b.value(OpKind::AttrOffset { index: 2, comp: 0 }, None, &[number, two]);
        let centroid = k.b.value(OpKind::AttrCentroid { index: 1, comp: 0 }, None, &[]);
        k.out(0, sample);
        k.out(1, offset);
        k.out(2, centroid);
    });
    let batch = Batch::new(&[0, 1, 9, 3]).with(1, &[50, 51, 52, 53]);
    let ask = |interpolator: &dyn Interpolator| {
        let mut outputs = Outputs::default();
        let program = program(&s);
        batch
            .run_with(&NoTextures, |inputs| program.run(&Inputs { interpolator, fuel: FUEL, ..*inputs }, &mut outputs));
        outputs
    };
    let o = ask(&Asked);
    assert_eq!(out(&o, 0), [1000, 1011, 52, 1033]);
    assert_eq!(out(&o, 1), [2002, 2013, 2031, 2035]);
    assert_eq!(out(&o, 2), [1007, 1017, 1027, 1037]);
    let o = ask(&NoInterpolator);
    assert_eq!((out(&o, 0), out(&o, 2)), (vec![50, 51, 52, 53], vec![50, 51, 52, 53]));
}

#[test]
fn shuffles_read_the_lane_that_is_named() {
    let s = shader(|k| {
        let (value, index) = (k.attr(0), k.attr(1));
        let shuffled = k.b.value(OpKind::QuadShuffle, None, &[value, index]);
        k.out(0, shuffled);
    });
    let batch = Batch::new(&[10, 11, 12, 13, 20, 21, 22, 23]).with(1, &[3, 2, 5, u32::MAX, 0, 0, 1, 4]);
    assert_eq!(out(&batch.run(&s), 0), [13, 12, 11, 13, 20, 20, 21, 20]);
}
