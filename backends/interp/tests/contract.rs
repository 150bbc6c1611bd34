//! One test per paragraph of the evaluation contract.

use crate::kit;

use kit::{Batch, Kit, out, program, shader, shader_under};
use parallax_core::exec::{Outputs, TexQuad, Textures};
use parallax_core::num::{Decl, Op, Slot};
use parallax_core::{ArrayDecl, Axis, OpKind, SysVal, TexMode, TexOp, TexTarget, Type};
use std::sync::Mutex;

const I32: Type = Type::I32;

/// `attr < limit`, unsigned.
fn below(k: &mut Kit<'_>, limit: u32) -> parallax_core::ValueId {
    let (attr, limit) = (k.attr(0), k.i32(limit));
    k.int(Op::Ult, attr, limit)
}

#[test]
fn arms_run_in_their_own_lanes() {
    let s = shader(|k| {
        let (small, zero) = (below(k, 10), k.i32(0));
        let results = k.if_else(
            small,
            &[zero],
            |k| {
                let one = k.i32(1);
                k.out(1, one);
                let v = k.i32(100);
                k.yields(&[v]);
            },
            |k| {
                let two = k.i32(2);
                k.out(2, two);
                let v = k.i32(200);
                k.yields(&[v]);
            },
        );
        k.out(0, results[0]);
    });
    let o = Batch::new(&[5, 50, 6, 60, 70, 70, 70, 70]).run(&s);
    assert_eq!(out(&o, 0), [100, 200, 100, 200, 200, 200, 200, 200]);
    assert_eq!(out(&o, 1), [1, 0, 1, 0, 0, 0, 0, 0]);
    assert_eq!(out(&o, 2), [0, 2, 0, 2, 2, 2, 2, 2]);
}

#[test]
fn pure_values_stand_in_all_four_lanes_of_an_executing_quad() {
    let s = shader(|k| {
        let small = below(k, 10);
        k.when(small, |k| {
            let (attr, one) = (k.attr(0), k.i32(1));
            let next = k.int(Op::Iadd, attr, one);
            let neighbour = k.b.quad(OpKind::QuadXor { mask: 1 }, next);
            k.out(0, neighbour);
            k.yields(&[]);
        });
    });
    assert_eq!(out(&Batch::new(&[5, 50, 60, 7]).run(&s), 0), [51, 0, 0, 61]);
}

#[test]
fn results_hold_the_initial_operand_in_lanes_that_do_not_execute() {
    let s = shader(|k| {
        let old = k.attr(1);
        let small = below(k, 10);
        k.when(small, |k| {
            // Executed by lanes below 10 only; lanes below 20 take the first arm.
            let inner = below(k, 20);
            let results = k.if_else(
                inner,
                &[old],
                |k| {
                    let v = k.attr(0);
                    k.yields(&[v]);
                },
                |k| {
                    let v = k.i32(9);
                    k.yields(&[v]);
                },
            );
            let neighbour = k.b.quad(OpKind::QuadXor { mask: 1 }, results[0]);
            k.out(0, neighbour);
            k.yields(&[]);
        });
    });
    // Lane 1 does not execute the inner `if`: lane 0 reads its initial operand.
    let batch = Batch::new(&[5, 15, 6, 7]).with(1, &[40, 41, 42, 43]);
    assert_eq!(out(&batch.run(&s), 0), [41, 0, 7, 6]);
}

#[test]
fn a_branch_that_no_lane_takes_changes_no_derivative() {
    let attr = |k: &mut Kit<'_>, index| k.b.read_float(OpKind::Attr { index, comp: 0 }, k.f32, &[]);
    let s = shader(|k| {
        let old = attr(k, 1);
        let small = below(k, 10);
        let never = below(k, 0);
        k.when(small, |k| {
            let taken = k.if_else(
                never,
                &[old],
                |k| {
                    let v = k.b.float(k.f32, u64::from(7f32.to_bits()));
                    k.yields(&[v]);
                },
                |k| k.yields(&[old]),
            );
            let left = k.block(&[old], |k, this| {
                k.when(never, |k| {
                    let v = k.b.float(k.f32, u64::from(7f32.to_bits()));
                    k.breaks(this, &[v]);
                });
                k.yields(&[old]);
            });
            for (n, v) in [old, taken[0], left[0]].into_iter().enumerate() {
                let d = k.b.deriv(OpKind::Deriv { axis: Axis::X, fine: true }, k.f32, v);
                k.out(n as u16, d);
            }
            k.yields(&[]);
        });
    });
    let batch = Batch::new(&[5, 50, 50, 6]).with(1, &[1.0f32, 3.0, 10.0, 20.0].map(f32::to_bits));
    let o = batch.run(&s);
    let (two, ten) = (u64::from(2f32.to_bits()), u64::from(10f32.to_bits()));
    for n in 0..3 {
        assert_eq!(out(&o, n), [two, 0, 0, ten], "output {n}");
    }
}

#[test]
fn results_start_anew_whenever_the_op_is_executed() {
    let s = shader(|k| {
        let zero = k.i32(0);
        k.looped(&[zero], &[], |k, this, params| {
            let iteration = params[0];
            // First every lane, then lanes below 10 only.
            let (attr, ten) = (k.attr(0), k.i32(10));
            let zero = k.i32(0);
            let first = k.int(Op::Ieq, iteration, zero);
            let small = k.int(Op::Ult, attr, ten);
            let takes = k.int(Op::Por, first, small);
            let thousand = k.i32(1000);
            let old = k.int(Op::Iadd, iteration, thousand);
            k.when(takes, |k| {
                let yes = k.b.pred(true);
                let results = k.if_else(
                    yes,
                    &[old],
                    |k| {
                        let hundred = k.i32(100);
                        let v = k.int(Op::Iadd, iteration, hundred);
                        k.yields(&[v]);
                    },
                    |k| {
                        let v = k.i32(0);
                        k.yields(&[v]);
                    },
                );
                let neighbour = k.b.quad(OpKind::QuadXor { mask: 1 }, results[0]);
                k.out(0, neighbour);
                k.yields(&[]);
            });
            let one = k.i32(1);
            let next = k.int(Op::Iadd, iteration, one);
            let two = k.i32(2);
            let more = k.int(Op::Ult, next, two);
            k.when(more, |k| k.continues(this, &[next]));
            k.breaks(this, &[]);
        });
    });
    // The second time lane 0 executes alone and reads the initial operand of lane 1, not its result of the first time.
    assert_eq!(out(&Batch::new(&[5, 50, 6, 7]).run(&s), 0), [1001, 100, 101, 101]);
}

#[test]
fn parameters_hold_first_values_in_lanes_that_do_not_execute() {
    let s = shader(|k| {
        let (old, small) = (k.attr(1), below(k, 10));
        k.when(small, |k| {
            k.looped(&[old], &[], |k, this, p| {
                let neighbour = k.b.quad(OpKind::QuadXor { mask: 1 }, p[0]);
                k.out(0, neighbour);
                k.breaks(this, &[]);
            });
            k.yields(&[]);
        });
    });
    let batch = Batch::new(&[5, 50, 6, 7]).with(1, &[40, 41, 42, 43]);
    assert_eq!(out(&batch.run(&s), 0), [41, 0, 43, 42]);
}

/// Sums 1 to `attr`; lanes leave by themselves.
fn sum_shader() -> parallax_core::Shader<parallax_core::Bound> {
    shader(|k| {
        let zero = k.i32(0);
        let total = k.looped(&[zero, zero], &[zero], |k, this, params| {
            let (n, sum) = (params[0], params[1]);
            let limit = k.attr(0);
            let done = k.int(Op::Ile, limit, n);
            k.when(done, |k| k.breaks(this, &[sum]));
            let one = k.i32(1);
            let n = k.int(Op::Iadd, n, one);
            let sum = k.int(Op::Iadd, sum, n);
            k.continues(this, &[n, sum]);
        });
        k.out(0, total[0]);
    })
}

#[test]
fn loops_run_while_any_lane_does() {
    assert_eq!(out(&Batch::new(&[0, 1, 2, 3, 10, 0, 4, 100]).run(&sum_shader()), 0), [0, 1, 3, 6, 55, 0, 10, 5050]);
}

#[test]
fn parameters_change_together() {
    let s = shader(|k| {
        let (a, b, zero) = (k.i32(1), k.i32(2), k.i32(0));
        let results = k.looped(&[a, b, zero], &[zero, zero], |k, this, p| {
            let (one, limit) = (k.i32(1), k.attr(0));
            let done = k.int(Op::Ieq, p[2], limit);
            k.when(done, |k| k.breaks(this, &[p[0], p[1]]));
            let n = k.int(Op::Iadd, p[2], one);
            k.continues(this, &[p[1], p[0], n]);
        });
        k.out(0, results[0]);
        k.out(1, results[1]);
    });
    let o = Batch::new(&[0, 1, 2, 3]).run(&s);
    assert_eq!((out(&o, 0), out(&o, 1)), (vec![1, 2, 1, 2], vec![2, 1, 2, 1]));
}

#[test]
fn parameters_change_when_the_next_iteration_starts() {
    let s = shader(|k| {
        let (zero, ten) = (k.i32(0), k.i32(10));
        k.looped(&[zero, ten], &[], |k, this, p| {
            let (one, eleven) = (k.i32(1), k.i32(11));
            let n = k.int(Op::Iadd, p[0], one);
            let last = k.int(Op::Ieq, p[0], one);
            k.when(last, |k| k.breaks(this, &[]));
            // Small lanes go on to the next iteration early, with another value; the others still see the old one.
            let small = below(k, 10);
            k.when(small, |k| k.continues(this, &[n, eleven]));
            let neighbour = k.b.quad(OpKind::QuadXor { mask: 1 }, p[1]);
            k.out(0, neighbour);
            k.continues(this, &[n, p[1]]);
        });
    });
    assert_eq!(out(&Batch::new(&[5, 50, 50, 50]).run(&s), 0), [0, 10, 10, 10]);
}

#[test]
fn break_leaves_any_enclosing_loop_or_block() {
    let s = shader(|k| {
        let zero = k.i32(0);
        let results = k.block(&[zero], |k, outer| {
            k.looped(&[zero], &[], |k, this, p| {
                let one = k.i32(1);
                let n = k.int(Op::Iadd, p[0], one);
                let limit = k.attr(0);
                let hit = k.int(Op::Ieq, n, limit);
                // Out of the `if`, the loop and the block at once.
                k.when(hit, |k| {
                    let hundred = k.i32(100);
                    let v = k.int(Op::Iadd, n, hundred);
                    k.breaks(outer, &[v]);
                });
                let three = k.i32(3);
                let end = k.int(Op::Ieq, n, three);
                k.when(end, |k| k.breaks(this, &[]));
                k.continues(this, &[n]);
            });
            let marker = k.i32(7);
            k.out(1, marker);
            k.yields(&[marker]);
        });
        k.out(0, results[0]);
    });
    let o = Batch::new(&[1, 2, 3, 4, 1, 1, 1, 1]).run(&s);
    assert_eq!(out(&o, 0), [101, 102, 103, 7, 101, 101, 101, 101]);
    assert_eq!(out(&o, 1), [0, 0, 0, 7, 0, 0, 0, 0]);
}

#[test]
fn a_lane_without_fuel_leaves_its_loop_and_goes_on() {
    let s = shader(|k| {
        let zero = k.i32(0);
        // Ends after `attr` iterations; `attr` zero never ends.
        let old = k.i32(99);
        let results = k.looped(&[zero], &[old], |k, this, p| {
            let one = k.i32(1);
            let n = k.int(Op::Iadd, p[0], one);
            k.out(1, n);
            let limit = k.attr(0);
            let done = k.int(Op::Ieq, n, limit);
            k.when(done, |k| k.breaks(this, &[n]));
            k.continues(this, &[n]);
        });
        k.out(0, results[0]);
        // A second loop takes one back edge more.
        let zero = k.i32(0);
        k.looped(&[zero], &[], |k, this, p| {
            let (zero, one) = (k.i32(0), k.i32(1));
            let n = k.int(Op::Iadd, p[0], one);
            k.out(2, n);
            let first = k.int(Op::Ieq, p[0], zero);
            k.when(first, |k| k.continues(this, &[n]));
            k.breaks(this, &[]);
        });
        let seven = k.i32(7);
        k.out(3, seven);
    });
    let mut batch = Batch::new(&[3, 0, 11, 12]);
    batch.fuel = Some(10);
    let o = batch.run(&s);
    // 11 iterations are 10 back edges; the twelfth is refused, and the result is the initial operand.
    assert_eq!(out(&o, 0), [3, 99, 11, 99]);
    assert_eq!(out(&o, 1), [3, 11, 11, 11]);
    assert_eq!(out(&o, 2), [2, 1, 1, 1]);
    assert_eq!(out(&o, 3), [7; 4]);
    assert_eq!(o.out_of_fuel, [false, true, true, true]);
}

#[test]
fn an_endless_loop_ends() {
    let s = shader(|k| {
        k.looped(&[], &[], |k, this, _| k.continues(this, &[]));
    });
    let o = Batch::new(&[0; 4]).run(&s);
    assert_eq!(o.out_of_fuel, [true; 4]);
}

#[test]
fn discarded_lanes_run_on_without_coverage() {
    let s = shader(|k| {
        let small = below(k, 10);
        k.b.op(OpKind::Discard, None, &[small], &[]);
        let attr = k.attr(0);
        let neighbour = k.b.quad(OpKind::QuadXor { mask: 1 }, attr);
        k.out(0, neighbour);
        // Only executing lanes can be discarded.
        let mid = below(k, 20);
        k.when(mid, |k| {
            let yes = k.b.pred(true);
            k.b.op(OpKind::Discard, None, &[yes], &[]);
            k.yields(&[]);
        });
        k.out(1, attr);
    });
    let mut batch = Batch::new(&[5, 15, 25, 35]);
    batch.covered[3] = false;
    let o = batch.run(&s);
    assert_eq!(o.covered, [false, false, true, false]);
    assert_eq!((out(&o, 0), out(&o, 1)), (vec![15, 5, 35, 25], vec![5, 15, 25, 35]));
}

#[test]
fn reads_are_converted_under_their_slot_or_taken_as_they_are() {
    let s = shader_under("nv40", |k| {
        let half = k.b.slot(Slot::plain(Decl::F16));
        let float = k.b.read_float(OpKind::Attr { index: 0, comp: 0 }, half, &[]);
        k.out(0, float);
        let raw = k.attr(0);
        k.out(1, raw);
        let constant = k.b.read_float(OpKind::Const { bank: 0, index: 1, comp: 2 }, k.f32, &[]);
        k.out(2, constant);
        let outside = k.b.read_bits(OpKind::Const { bank: 0, index: 9, comp: 2 }, &[]);
        k.out(3, outside);
    });
    let mut batch = Batch::new(&[1.0f32, 1.000_1, -2.5, 65504.0].map(f32::to_bits));
    batch.bank = vec![[0; 4], [1, 2, 3f32.to_bits(), 4]];
    let o = batch.run(&s);
    assert_eq!(out(&o, 0), [0x3c00, 0x3c00, 0xc100, 0x7bff]);
    assert_eq!(out(&o, 1), [0x3f80_0000, 0x3f80_0347, 0xc020_0000, 0x477f_e000]);
    assert_eq!((out(&o, 2), out(&o, 3)), (vec![0x4040_0000; 4], vec![0; 4]));
}

#[test]
fn indexed_reads_take_each_lane_its_own_and_zero_outside() {
    let s = shader(|k| {
        let index = k.attr(0);
        let constant = k.b.read_bits(OpKind::ConstAt { bank: 0, base: 1, comp: 3 }, &[index]);
        k.out(0, constant);
        let attr = k.b.read_bits(OpKind::AttrAt { base: 0, comp: 0 }, &[index]);
        k.out(1, attr);
        let float = k.b.read_float(OpKind::ConstAt { bank: 0, base: 1, comp: 3 }, k.f32, &[index]);
        k.out(2, float);
    });
    let mut batch = Batch::new(&[0, 1, u32::MAX, 1000]).with(1, &[70, 71, 72, 73]);
    batch.bank = (0..3).map(|n| [0, 0, 0, 40 + n]).collect();
    let o = batch.run(&s);
    assert_eq!(out(&o, 0), [41, 42, 40, 0]);
    assert_eq!(out(&o, 1), [0, 71, 0, 0]);
    assert_eq!(out(&o, 2), [41, 42, 40, 0]);
}

#[test]
fn arrays_start_as_zero_and_ignore_what_lies_outside() {
    let s = shader(|k| {
        let array = k.b.func.arrays.push(ArrayDecl { name: "t".into(), ty: I32, len: 3 });
        let index = k.attr(0);
        let before = k.b.array_load(array, index);
        k.out(0, before);
        let small = below(k, 3);
        let other = k.attr(1);
        k.when(small, |k| {
            k.b.op(OpKind::ArrayStore(array), None, &[index, other], &[]);
            k.yields(&[]);
        });
        // Outside: nothing happens.
        k.b.op(OpKind::ArrayStore(array), None, &[other, index], &[]);
        let after = k.b.array_load(array, index);
        k.out(1, after);
        let first = k.i32(0);
        let first = k.b.array_load(array, first);
        k.out(2, first);
    });
    let batch = Batch::new(&[0, 2, 3, u32::MAX]).with(1, &[11, 12, 13, 14]);
    let program = program(&s);
    let mut scratch = parallax_interp::Scratch::default();
    // Twice with the same working memory: nothing is left over.
    for _ in 0..2 {
        let mut o = Outputs::default();
        batch.run_with(&parallax_core::exec::NoTextures, |i| program.run_with(i, &mut scratch, &mut o));
        assert_eq!(out(&o, 0), [0; 4]);
        assert_eq!(out(&o, 1), [11, 12, 0, 0]);
        assert_eq!(out(&o, 2), [11, 0, 0, 0]);
    }
}

#[test]
fn derivatives_are_differences_inside_the_quad() {
    let kinds = [(Axis::X, true), (Axis::X, false), (Axis::Y, true), (Axis::Y, false)];
    let s = shader(|k| {
        let v = k.b.read_float(OpKind::Attr { index: 0, comp: 0 }, k.f32, &[]);
        for (n, (axis, fine)) in kinds.into_iter().enumerate() {
            let d = k.b.deriv(OpKind::Deriv { axis, fine }, k.f32, v);
            k.out(n as u16, d);
        }
    });
    let o = Batch::new(&[1.0f32, 3.0, 10.0, 20.0].map(f32::to_bits)).run(&s);
    let floats = |n: usize| out(&o, n).iter().map(|&w| f32::from_bits(w as u32)).collect::<Vec<_>>();
    assert_eq!(floats(0), [2.0, 2.0, 10.0, 10.0]);
    assert_eq!(floats(1), [10.0; 4]);
    assert_eq!(floats(2), [9.0, 17.0, 9.0, 17.0]);
    assert_eq!(floats(3), [9.0; 4]);
}

#[test]
fn votes_count_executing_lanes() {
    let s = shader(|k| {
        let one = k.i32(1);
        let attr = k.attr(1);
        let set = k.int(Op::Ieq, attr, one);
        let small = below(k, 10);
        k.when(small, |k| {
            let any = k.b.quad(OpKind::QuadAny, set);
            let all = k.b.quad(OpKind::QuadAll, set);
            k.out(0, any);
            k.out(1, all);
            k.yields(&[]);
        });
    });
    // Quad 0: lane 3 holds, but does not execute. Quad 1: every executing lane holds. Quad 2: one of two.
    let batch = Batch::new(&[1, 1, 1, 50, 1, 50, 50, 1, 1, 1, 50, 50]);
    let o = batch.with(1, &[0, 0, 0, 1, 1, 0, 0, 1, 1, 0, 1, 1]).run(&s);
    assert_eq!(out(&o, 0), [0, 0, 0, 0, 1, 0, 0, 1, 1, 1, 0, 0]);
    assert_eq!(out(&o, 1), [0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0]);
}

#[test]
fn system_values_tell_lanes_and_helpers_apart() {
    let s = shader(|k| {
        let lane = k.b.read_bits(OpKind::Sys(SysVal::QuadLane), &[]);
        let helper = k.b.read_bits(OpKind::Sys(SysVal::HelperLane), &[]);
        let yes = k.b.pred(true);
        k.b.op(OpKind::Discard, None, &[yes], &[]);
        let after = k.b.read_bits(OpKind::Sys(SysVal::HelperLane), &[]);
        k.out(0, lane);
        k.out(1, helper);
        k.out(2, after);
    });
    let mut batch = Batch::new(&[0; 8]);
    batch.covered[6] = false;
    let o = batch.run(&s);
    assert_eq!(out(&o, 0), [0, 1, 2, 3, 0, 1, 2, 3]);
    assert_eq!(out(&o, 1), [0, 0, 0, 0, 0, 0, 0xffff_ffff, 0]);
    assert_eq!(out(&o, 1), out(&o, 2));
}

/// Remembers the quads it was asked for; answers with s and t of each lane.
#[derive(Default)]
struct Recorder(Mutex<Vec<[f32; 4]>>);

impl Textures for Recorder {
    fn sample(&self, _: &TexOp, quad: &TexQuad) -> [[u32; 4]; 4] {
        self.0.lock().unwrap().push(quad.coords.map(|c| f32::from_bits(c[0])));
        quad.coords.map(|c| [c[0], c[1], 1f32.to_bits(), 0x3f80_0001])
    }
}

#[test]
fn lookups_go_by_quads_in_binary32() {
    for (model, decl) in [("ieee", Decl::F32), ("ieee", Decl::F16), ("binary64", Decl::F32)] {
        let s = shader_under(model, |k| {
            k.texture(2, TexTarget::D2);
            let slot = k.b.slot(Slot::plain(decl));
            let small = below(k, 10);
            k.when(small, |k| {
                let coord = k.b.read_float(OpKind::Attr { index: 1, comp: 0 }, slot, &[]);
                let op = TexOp::plain(2, TexTarget::D2, TexMode::Implicit);
                let texel = k.b.tex(op, slot, &[coord; 4]);
                k.out(0, texel[0]);
                k.out(1, texel[3]);
                k.yields(&[]);
            });
        });
        let coords = [0.5f32, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5].map(f32::to_bits);
        let batch = Batch::new(&[50, 50, 50, 50, 1, 50, 1, 1]).with(1, &coords);
        let recorder = Recorder::default();
        let mut o = Outputs::default();
        batch.run_with(&recorder, |inputs| program(&s).run(inputs, &mut o));
        // The first quad does not execute; helpers of the second take part.
        assert_eq!(*recorder.0.lock().unwrap(), [[4.5, 5.5, 6.5, 7.5]], "{model}");
        let word = |v: f32| match (model, decl) {
            ("binary64", _) => f64::from(v).to_bits(),
            (_, Decl::F16) => u64::from(if v == 4.5 { 0x4480u16 } else { 0x3c00 }),
            _ => u64::from(v.to_bits()),
        };
        assert_eq!((out(&o, 0)[4], out(&o, 0)[5]), (word(4.5), 0));
        assert_eq!(out(&o, 1)[4], word(f32::from_bits(0x3f80_0001)));
    }
}

#[test]
fn planes_tell_types_and_containers() {
    let s = shader_under("binary64", |k| {
        let v = k.b.read_float(OpKind::Attr { index: 0, comp: 0 }, k.f32, &[]);
        k.out(1, v);
    });
    let planes = program(&s).planes();
    assert_eq!(planes.iter().filter(|p| p.is_some()).count(), 1);
    assert_eq!(planes[4].map(|p| (p.ty, p.storage)), Some((Type::F32, Some(parallax_core::num::Storage::F64))));
}
