//! A test for each rule: a correct function is broken in one way, and that rule's code is reported.

use super::{CODES, MAX_DEPTH, verify};
use crate::num::{self, Decl, Op, Rule, Slot, Storage};
use crate::{
    ArrayDecl, AttrDecl, AttrSemantic, Axis, BankDecl, Builder, EntityRef, Func, Interp, Location, OpId, OpKind,
    OutputDecl, OutputRole, Reduction, RegionId, RuleId, Scan, Shader, SlotId, Source, Stage, TexDecl, TexMode, TexOp,
    TexTarget, Type, ValueId,
};

/// Ids inside [`sound`].
struct Parts {
    a: ValueId,
    sum: ValueId,
    int: ValueId,
    pred: ValueId,
    cond: OpId,
    then: RegionId,
    inner: ValueId,
    block: OpId,
    loop_op: OpId,
    body: RegionId,
    param: ValueId,
}

const TEX: TexOp = TexOp::plain(0, TexTarget::D2, TexMode::Implicit);

/// A function with one op of most kinds.
fn sound() -> (Func, Parts) {
    let mut func = Func::new("t", "test", Stage::Fragment);
    func.iface.attrs.to_mut().push(AttrDecl {
        name: "IN[0]".into(),
        semantic: AttrSemantic::Generic(0),
        interp: Interp::Perspective,
        location: Location::Center,
        mediump: false,
    });
    func.iface.banks.push(BankDecl { name: "CONST".into(), len: 4, by_bytes: false });
    func.iface.textures.push(TexDecl { unit: 0, target: TexTarget::D2 });
    let types = [Some(Type::F32), Some(Type::I32), None, None];
    func.iface.outputs.push(OutputDecl { name: "OUT[0]".into(), role: OutputRole::Color(0), types });
    func.sources.push(Source::default());
    func.arrays.push(ArrayDecl { name: "A".into(), ty: Type::F32, len: 4 });
    let body = func.body;
    let mut b = Builder::at(&mut func, body);
    let p0 = b.slot(Slot::plain(Decl::F32));
    let p1 = b.slot(Slot::plain(Decl::F16));
    let int = b.i32(7);
    let a = b.read_float(OpKind::Attr { index: 0, comp: 0 }, p0, &[]);
    let c = b.read_float(OpKind::Const { bank: 0, index: 1, comp: 3 }, p0, &[]);
    let sum = b.num(Op::Add, p0, &[a, c]);
    let half = b.num(Op::Cvt, p1, &[sum]);
    let back = b.num(Op::Cvt, p0, &[half]);
    let dx = b.deriv(OpKind::Deriv { axis: Axis::X, fine: true }, p0, back);
    let [r, ..] = b.tex(TEX, p0, &[dx, a, a, a]);
    let array = crate::ArrayId::new(0);
    b.op(OpKind::ArrayStore(array), None, &[int, r], &[]);
    let loaded = b.array_load(array, int);
    let pred = b.num(Op::FLt, p0, &[loaded, a]);
    b.op(OpKind::Discard, None, &[pred], &[]);

    let (then, other) = (b.new_region(), b.new_region());
    let outer = b.switch_to(then);
    let inner = b.num(Op::Mul, p0, &[a, sum]);
    b.op(OpKind::Yield, None, &[inner], &[]);
    b.switch_to(other);
    b.op(OpKind::Yield, None, &[a], &[]);
    b.switch_to(outer);
    let cond = b.op_with_regions(OpKind::If, None, &[pred, a], &[then, other], &[Type::F32]);
    let chosen = b.func.ops[cond].results[0];

    let (block_region, body) = (b.new_region(), b.new_region());
    let block = b.op_with_regions(OpKind::Block, None, &[], &[block_region], &[]);
    b.switch_to(block_region);
    let loop_op = b.op_with_regions(OpKind::Loop, None, &[int, int], &[body], &[Type::I32]);
    let param = b.func.add_param(body, Type::I32);
    b.switch_to(body);
    let next = b.int(Op::Iadd, &[param, int]);
    let stop = b.int(Op::Ilt, &[int, next]);
    let (leave, again) = (b.new_region(), b.new_region());
    b.op_with_regions(OpKind::If, None, &[stop], &[leave, again], &[]);
    b.op(OpKind::Continue(loop_op), None, &[next], &[]);
    b.switch_to(leave);
    b.op(OpKind::Break(loop_op), None, &[param], &[]);
    b.switch_to(again);
    b.op(OpKind::Yield, None, &[], &[]);
    b.switch_to(block_region);
    let count = b.func.ops[loop_op].results[0];
    b.op(OpKind::Out { index: 0, comp: 1 }, None, &[count], &[]);
    b.op(OpKind::Break(block), None, &[], &[]);
    b.switch_to(outer);
    b.op(OpKind::Out { index: 0, comp: 0 }, None, &[chosen], &[]);
    b.op(OpKind::Yield, None, &[], &[]);
    let parts = Parts { a, sum, int, pred, cond, then, inner, block, loop_op, body, param };
    (func, parts)
}

fn codes(func: Func) -> Vec<&'static str> {
    let diags = verify(&Shader::new(func)).err().unwrap_or_default();
    diags.iter().for_each(|d| assert!(CODES.iter().any(|c| c.0 == d.code), "{d} is not listed"));
    diags.iter().map(|d| d.code).collect()
}

/// Codes reported after `change`.
fn broken(change: impl FnOnce(&mut Func, &Parts)) -> Vec<&'static str> {
    let (mut func, parts) = sound();
    change(&mut func, &parts);
    codes(func)
}

fn op_of(func: &Func, value: ValueId) -> OpId {
    func.def_op(value).unwrap_or_else(|| panic!("{value} is a parameter"))
}

fn find(func: &Func, wanted: impl Fn(OpKind) -> bool) -> OpId {
    let mut found = None;
    func.walk(|_, op| {
        if found.is_none() && wanted(func.ops[op].kind) {
            found = Some(op);
        }
    });
    found.unwrap_or_else(|| panic!("no such op"))
}

#[test]
fn a_sound_function_passes() {
    assert_eq!(broken(|_, _| ()), Vec::<&str>::new());
}

#[test]
fn entity() {
    assert_eq!(
        broken(|f, p| {
            let op = op_of(f, p.sum);
            f.ops[op].args[1] = ValueId::new(9999);
        }),
        ["ir-entity"]
    );
    assert_eq!(
        broken(|f, p| {
            let op = op_of(f, p.sum);
            f.ops[op].slot = Some(SlotId::new(77));
        }),
        ["ir-entity"]
    );
    assert_eq!(
        broken(|f, p| {
            let op = op_of(f, p.sum);
            f.ops[op].origins.push(crate::SourceId::new(5));
        }),
        ["ir-entity"]
    );
    assert_eq!(broken(|f, p| f.ops[p.cond].regions[0] = RegionId::new(500)), ["ir-entity"]);
    assert_eq!(broken(|f, _| f.body = RegionId::new(500)), ["ir-entity"]);
    let stray = |f: &mut Func, _: &Parts| f.regions[f.body].ops.insert(0, OpId::new(800));
    assert_eq!(broken(stray), ["ir-entity"]);
    let array = |f: &mut Func, _: &Parts| {
        let op = find(f, |k| matches!(k, OpKind::ArrayLoad(_)));
        f.ops[op].kind = OpKind::ArrayLoad(crate::ArrayId::new(3));
    };
    assert_eq!(broken(array), ["ir-entity"]);
    let target = |f: &mut Func, _: &Parts| {
        let op = find(f, |k| matches!(k, OpKind::Continue(_)));
        f.ops[op].kind = OpKind::Continue(OpId::new(800));
    };
    assert_eq!(broken(target), ["ir-entity"]);
}

#[test]
fn shared() {
    // The same region twice: its values are defined once only.
    assert_eq!(broken(|f, p| f.ops[p.cond].regions[1] = p.then), ["ir-shared"]);
    // A cycle of regions.
    assert_eq!(broken(|f, p| f.ops[p.cond].regions[1] = f.body), ["ir-shared"]);
    let twice = |f: &mut Func, p: &Parts| {
        let op = op_of(f, p.sum);
        f.regions[f.body].ops.insert(5, op);
    };
    assert_eq!(broken(twice), ["ir-shared"]);
    let values = |f: &mut Func, p: &Parts| {
        let op = op_of(f, p.sum);
        f.ops[op].results[0] = p.a;
    };
    assert!(broken(values).contains(&"ir-shared"));
}

#[test]
fn depth() {
    let mut func = Func::new("t", "test", Stage::Fragment);
    let body = func.body;
    let mut b = Builder::at(&mut func, body);
    for _ in 0..MAX_DEPTH - 1 {
        let region = b.new_region();
        b.op_with_regions(OpKind::Block, None, &[], &[region], &[]);
        b.op(OpKind::Yield, None, &[], &[]);
        b.switch_to(region);
    }
    let mut deeper = b.func.clone();
    b.op(OpKind::Yield, None, &[], &[]);
    let last = b.region();
    assert_eq!(codes(func), Vec::<&str>::new());
    let mut b = Builder::at(&mut deeper, last);
    let region = b.new_region();
    b.op_with_regions(OpKind::Block, None, &[], &[region], &[]);
    b.op(OpKind::Yield, None, &[], &[]);
    assert_eq!(codes(deeper), ["ir-depth"]);
}

#[test]
fn dominance() {
    // Values of a region are not visible after it.
    let after = |f: &mut Func, p: &Parts| {
        let op = *f.regions[f.body].ops.iter().rev().nth(1).unwrap();
        f.ops[op].args[0] = p.inner;
    };
    assert_eq!(broken(after), ["ir-dominance"]);
    // Nor in the other arm.
    let other_arm = |f: &mut Func, p: &Parts| {
        let region = f.ops[p.cond].regions[1];
        let op = f.regions[region].ops[0];
        f.ops[op].args[0] = p.inner;
    };
    assert_eq!(broken(other_arm), ["ir-dominance"]);
    // Nor before their op.
    let before = |f: &mut Func, _: &Parts| f.regions[f.body].ops.swap(2, 3);
    assert_eq!(broken(before), ["ir-dominance"]);
    // A parameter is not visible outside its loop, a result not inside.
    let param = |f: &mut Func, p: &Parts| {
        let op = find(f, |k| matches!(k, OpKind::Out { comp: 1, .. }));
        f.ops[op].args[0] = p.param;
    };
    assert_eq!(broken(param), ["ir-dominance"]);
    let result = |f: &mut Func, p: &Parts| {
        let op = find(f, |k| matches!(k, OpKind::Continue(_)));
        f.ops[op].args[0] = f.ops[p.loop_op].results[0];
    };
    assert_eq!(broken(result), ["ir-dominance"]);
}

#[test]
fn terminator() {
    let missing = |f: &mut Func, _: &Parts| f.regions[f.body].ops.truncate(4);
    assert_eq!(broken(missing), ["ir-terminator"]);
    let empty = |f: &mut Func, p: &Parts| f.regions[p.then].ops.clear();
    assert_eq!(broken(empty), ["ir-terminator"]);
    let early = |f: &mut Func, p: &Parts| {
        let yielded = f.regions[p.then].ops[1];
        f.regions[p.then].ops.reverse();
        f.ops[yielded].args[0] = p.a;
    };
    assert_eq!(broken(early), ["ir-terminator", "ir-terminator"]);
}

#[test]
fn yields() {
    let in_loop = |f: &mut Func, p: &Parts| {
        let op = *f.regions[p.body].ops.last().unwrap();
        f.ops[op].kind = OpKind::Yield;
    };
    assert_eq!(broken(in_loop), ["ir-yield"]);
}

#[test]
fn targets() {
    let not_around = |f: &mut Func, p: &Parts| {
        let op = *f.regions[p.then].ops.last().unwrap();
        f.ops[op].kind = OpKind::Break(p.loop_op);
    };
    assert_eq!(broken(not_around), ["ir-target"]);
    let continue_block = |f: &mut Func, p: &Parts| {
        let op = find(f, |k| matches!(k, OpKind::Continue(_)));
        f.ops[op].kind = OpKind::Continue(p.block);
    };
    assert_eq!(broken(continue_block), ["ir-target"]);
    let break_if = |f: &mut Func, p: &Parts| {
        let op = *f.regions[p.then].ops.last().unwrap();
        f.ops[op].kind = OpKind::Break(p.cond);
    };
    assert_eq!(broken(break_if), ["ir-target"]);
}

#[test]
fn edges() {
    let count = |f: &mut Func, p: &Parts| {
        let op = *f.regions[p.then].ops.last().unwrap();
        f.ops[op].args.clear();
    };
    assert_eq!(broken(count), ["ir-edge"]);
    let ty = |f: &mut Func, p: &Parts| {
        let op = *f.regions[p.then].ops.last().unwrap();
        f.ops[op].args[0] = p.int;
    };
    assert_eq!(broken(ty), ["ir-edge"]);
    let next = |f: &mut Func, p: &Parts| {
        let op = find(f, |k| matches!(k, OpKind::Continue(_)));
        f.ops[op].args[0] = p.a;
    };
    assert_eq!(broken(next), ["ir-edge"]);
    let leave = |f: &mut Func, p: &Parts| {
        let op = find(f, |k| k == OpKind::Break(p.loop_op));
        f.ops[op].args[0] = p.a;
    };
    assert_eq!(broken(leave), ["ir-edge"]);
    let body = |f: &mut Func, p: &Parts| {
        let op = *f.regions[f.body].ops.last().unwrap();
        f.ops[op].args.push(p.a);
    };
    assert_eq!(broken(body), ["ir-edge"]);
}

#[test]
fn regions() {
    let one_arm = |f: &mut Func, p: &Parts| {
        f.ops[p.cond].regions.pop();
    };
    assert_eq!(broken(one_arm), ["ir-regions"]);
    let plain = |f: &mut Func, p: &Parts| {
        let op = op_of(f, p.sum);
        let region = f.ops[p.cond].regions.pop().unwrap();
        f.ops[op].regions.push(region);
    };
    assert!(broken(plain).contains(&"ir-regions"));
}

#[test]
fn params() {
    let count = |f: &mut Func, p: &Parts| f.ops[p.loop_op].args.push(p.int);
    assert_eq!(broken(count), ["ir-params"]);
    let ty = |f: &mut Func, p: &Parts| f.ops[p.loop_op].args[0] = p.a;
    assert_eq!(broken(ty), ["ir-params"]);
    let arm = |f: &mut Func, p: &Parts| {
        f.add_param(p.then, Type::I32);
    };
    assert_eq!(broken(arm), ["ir-params"]);
    let body = |f: &mut Func, _: &Parts| {
        f.add_param(f.body, Type::I32);
    };
    assert_eq!(broken(body), ["ir-params"]);
}

#[test]
fn operands() {
    let count = |f: &mut Func, p: &Parts| {
        let op = op_of(f, p.sum);
        f.ops[op].args.push(p.a);
    };
    assert_eq!(broken(count), ["ir-operands"]);
    let change = |wanted: fn(OpKind) -> bool, n: usize, with: fn(&Parts) -> ValueId| {
        broken(|f, p| {
            let op = find(f, wanted);
            f.ops[op].args[n] = with(p);
        })
    };
    assert_eq!(change(|k| k == OpKind::Num(Op::Add), 1, |p| p.int), ["ir-operands"]);
    assert_eq!(change(|k| k == OpKind::Num(Op::Cvt), 0, |p| p.int), ["ir-operands"]);
    assert_eq!(change(|k| matches!(k, OpKind::Deriv { .. }), 0, |p| p.int), ["ir-operands"]);
    assert_eq!(change(|k| matches!(k, OpKind::Tex(_)), 2, |p| p.int), ["ir-operands"]);
    assert_eq!(change(|k| matches!(k, OpKind::Tex(_)), 0, |p| p.int)[0], "ir-operands");
    assert_eq!(change(|k| matches!(k, OpKind::ArrayStore(_)), 0, |p| p.a), ["ir-operands"]);
    assert_eq!(change(|k| matches!(k, OpKind::ArrayStore(_)), 1, |p| p.int), ["ir-operands"]);
    assert_eq!(change(|k| matches!(k, OpKind::ArrayLoad(_)), 0, |p| p.a), ["ir-operands"]);
    assert_eq!(change(|k| k == OpKind::Discard, 0, |p| p.a), ["ir-operands"]);
    assert_eq!(change(|k| k == OpKind::If, 0, |p| p.a), ["ir-operands"]);
}

/// Adds an op before the body's end.
fn with_op(
    kind: OpKind,
    slot: Option<SlotId>,
    args: fn(&Parts) -> Vec<ValueId>,
    results: &[Type],
) -> Vec<&'static str> {
    broken(|f, p| {
        let body = f.body;
        let end = f.regions[body].ops.pop().unwrap();
        let mut b = Builder::at(f, body);
        b.op(kind, slot, &args(p), results);
        f.regions[body].ops.push(end);
    })
}

const NONE: Option<SlotId> = None;

#[test]
fn ops_of_the_other_kinds() {
    let none: Vec<&str> = Vec::new();
    let f32s = [Type::F32];
    let p0 = Some(SlotId::new(0));
    assert_eq!(with_op(OpKind::Select, NONE, |p| vec![p.pred, p.a, p.sum], &f32s), none);
    assert_eq!(with_op(OpKind::Select, NONE, |p| vec![p.pred, p.a, p.int], &f32s), ["ir-operands"]);
    assert_eq!(with_op(OpKind::Select, NONE, |p| vec![p.a, p.a, p.a], &f32s), ["ir-operands"]);
    assert_eq!(with_op(OpKind::Select, NONE, |p| vec![p.pred, p.a, p.a], &[Type::I32]), ["ir-results"]);
    assert_eq!(with_op(OpKind::QuadAny, NONE, |p| vec![p.pred], &[Type::Pred]), none);
    assert_eq!(with_op(OpKind::QuadAll, NONE, |p| vec![p.a], &[Type::Pred]), ["ir-operands"]);
    assert_eq!(with_op(OpKind::QuadAny, NONE, |p| vec![p.pred], &[Type::I32]), ["ir-results"]);
    assert_eq!(with_op(OpKind::Sys(crate::SysVal::QuadLane), NONE, |_| vec![], &[Type::I32]), none);
    assert_eq!(with_op(OpKind::Sys(crate::SysVal::QuadLane), NONE, |_| vec![], &[Type::Pred]), ["ir-results"]);
    let const_at = OpKind::ConstAt { bank: 0, base: -1, comp: 0 };
    assert_eq!(with_op(const_at, p0, |p| vec![p.int], &f32s), none);
    assert_eq!(with_op(const_at, NONE, |p| vec![p.int], &[Type::I32]), none);
    assert_eq!(with_op(const_at, p0, |p| vec![p.a], &f32s), ["ir-operands"]);
    assert_eq!(with_op(const_at, NONE, |p| vec![p.int], &[Type::Pred]), ["ir-results"]);
    let attr_at = OpKind::AttrAt { base: 0, comp: 1 };
    assert_eq!(with_op(attr_at, p0, |p| vec![p.int], &f32s), none);
    assert_eq!(with_op(attr_at, p0, |p| vec![p.pred], &f32s), ["ir-operands"]);
    let grad = OpKind::Tex(TexOp { mode: TexMode::Grad, ..TEX });
    assert_eq!(with_op(grad, p0, |p| vec![p.a; 10], &[Type::F32; 4]), none);
    assert_eq!(with_op(grad, p0, |p| vec![p.a; 4], &[Type::F32; 4]), ["ir-operands"]);
    // Layer and reference value stand in front of the derivatives.
    let shaped = |target, mode| OpKind::Tex(TexOp { target, mode, ..TEX }).operands().len();
    assert_eq!(shaped(TexTarget::D2Array, TexMode::Fetch), 5);
    assert_eq!(shaped(TexTarget::ShadowRect, TexMode::GatherRed), 5);
    assert_eq!(shaped(TexTarget::ShadowCubeArray, TexMode::Level), 6);
    assert_eq!(shaped(TexTarget::Shadow1DArray, TexMode::Grad), 12);
    let special = |mode| {
        let op = TexOp { mode, target: TexTarget::Shadow1DArray, moved: true, least_level: true, ..TEX };
        (op.offsets(), op.least_level_operand(), OpKind::Tex(op).operands().len())
    };
    assert_eq!(special(TexMode::Grad), (Some(12), Some(15), TexOp::MOST_OPERANDS));
    assert_eq!(special(TexMode::Bias), (Some(6), Some(9), 10));
    assert_eq!(special(TexMode::GatherRed), (Some(6), None, 9));
    assert_eq!(special(TexMode::Fetch), (None, None, 6));
    let fetch = OpKind::Tex(TexOp { mode: TexMode::Fetch, ..TEX });
    assert_eq!(with_op(fetch, p0, |p| vec![p.int; 4], &[Type::F32; 4]), none);
    assert_eq!(with_op(fetch, p0, |p| vec![p.a, p.int, p.int, p.int], &[Type::F32; 4]), ["ir-operands"]);
}

#[test]
fn results() {
    assert_eq!(with_op(OpKind::Num(Op::Iadd), NONE, |p| vec![p.int; 2], &[]), ["ir-results"]);
    assert_eq!(with_op(OpKind::Num(Op::Iadd), NONE, |p| vec![p.int; 2], &[Type::Pred]), ["ir-results"]);
    let p0 = Some(SlotId::new(0));
    assert_eq!(with_op(OpKind::Num(Op::Mul), p0, |p| vec![p.a; 2], &[Type::F16]), ["ir-results"]);
    assert_eq!(with_op(OpKind::Tex(TEX), p0, |p| vec![p.a; 4], &[Type::F32; 3]), ["ir-results"]);
    assert_eq!(with_op(OpKind::Discard, NONE, |p| vec![p.pred], &[Type::Pred]), ["ir-results"]);
}

#[test]
fn slots() {
    let none = |f: &mut Func, p: &Parts| {
        let op = op_of(f, p.sum);
        f.ops[op].slot = None;
    };
    assert_eq!(broken(none), ["ir-slot"]);
    assert_eq!(with_op(OpKind::Num(Op::Iadd), Some(SlotId::new(0)), |p| vec![p.int; 2], &[Type::I32]), ["ir-slot"]);
    assert_eq!(with_op(OpKind::Literal(0), NONE, |_| vec![], &[Type::F32]), ["ir-slot"]);
    assert_eq!(with_op(OpKind::Literal(0), Some(SlotId::new(1)), |_| vec![], &[Type::F32]), ["ir-slot"]);
    assert_eq!(with_op(OpKind::Literal(0), Some(SlotId::new(1)), |_| vec![], &[Type::I32]), ["ir-slot"]);
    let attr = OpKind::Attr { index: 0, comp: 0 };
    assert_eq!(with_op(attr, NONE, |_| vec![], &[Type::F32]), ["ir-slot"]);
    let scale = |f: &mut Func, _: &Parts| f.slots[SlotId::new(0)].scale = 40;
    assert_eq!(broken(scale), ["ir-slot-scale"]);
}

#[test]
fn literals() {
    let (none, bad) = (Vec::<&str>::new(), ["ir-literal"]);
    let int = |bits, ty| with_op(OpKind::Literal(bits), NONE, |_| vec![], &[ty]);
    assert_eq!(int(u64::MAX, Type::I64), none);
    assert_eq!(int(1 << 32, Type::I32), bad);
    assert_eq!(int(1 << 16, Type::I16), bad);
    assert_eq!(int(2, Type::Pred), bad);
    assert_eq!(int(4, Type::Cc), bad);
    let half = |bits| with_op(OpKind::Literal(bits), Some(SlotId::new(1)), |_| vec![], &[Type::F16]);
    assert_eq!(half(0x7e01), none);
    assert_eq!(half(0x1_0000), bad);
    let fixed = |bits| {
        broken(|f, _| {
            let slot = f.slot(Slot::plain(Decl::Fx12));
            let body = f.body;
            let end = f.regions[body].ops.pop().unwrap();
            Builder::at(f, body).float(slot, bits);
            f.regions[body].ops.push(end);
        })
    };
    assert_eq!(fixed(0xffff_f800), none);
    assert_eq!(fixed(0x7ff), none);
    assert_eq!(fixed(0x800), bad);
}

#[test]
fn numbers_of_the_interface() {
    let p0 = Some(SlotId::new(0));
    let read = |kind| with_op(kind, p0, |_| vec![], &[Type::F32]);
    assert_eq!(read(OpKind::Attr { index: 1, comp: 0 }), ["ir-interface"]);
    assert_eq!(read(OpKind::Attr { index: 0, comp: 4 }), ["ir-comp"]);
    assert_eq!(read(OpKind::Const { bank: 1, index: 0, comp: 0 }), ["ir-interface"]);
    assert_eq!(read(OpKind::Const { bank: 0, index: 0, comp: 4 }), ["ir-comp"]);
    // Vectors outside the bank read zero.
    assert_eq!(read(OpKind::Const { bank: 0, index: 4000, comp: 0 }), Vec::<&str>::new());
    let unit = OpKind::Tex(TexOp { unit: 3, ..TEX });
    assert_eq!(with_op(unit, p0, |p| vec![p.a; 4], &[Type::F32; 4]), ["ir-interface"]);
    let target = OpKind::Tex(TexOp { target: TexTarget::D3, ..TEX });
    assert_eq!(with_op(target, p0, |p| vec![p.a; 4], &[Type::F32; 4]), ["ir-interface"]);
    let out = |index, comp| with_op(OpKind::Out { index, comp }, NONE, |p| vec![p.a], &[]);
    assert_eq!(out(1, 0), ["ir-interface"]);
    assert_eq!(out(0, 4), ["ir-comp"]);
    assert_eq!(out(0, 1), ["ir-output"]);
    assert_eq!(out(0, 2), ["ir-output"]);
    assert_eq!(with_op(OpKind::QuadXor { mask: 3 }, NONE, |p| vec![p.a], &[Type::F32]), Vec::<&str>::new());
    assert_eq!(with_op(OpKind::QuadXor { mask: 0 }, NONE, |p| vec![p.a], &[Type::F32]), ["ir-quad"]);
    assert_eq!(with_op(OpKind::QuadXor { mask: 4 }, NONE, |p| vec![p.a], &[Type::F32]), ["ir-quad"]);
    let reduced = |op, cluster| OpKind::GroupReduce(Reduction { op, scan: Scan::All, cluster });
    assert_eq!(with_op(reduced(Op::Add, 8), p0, |p| vec![p.a; 2], &[Type::F32]), Vec::<&str>::new());
    assert_eq!(with_op(reduced(Op::Iadd, 0), NONE, |p| vec![p.int; 2], &[Type::I32]), Vec::<&str>::new());
    assert_eq!(with_op(reduced(Op::Iadd, 3), NONE, |p| vec![p.int; 2], &[Type::I32]), ["ir-group"]);
    assert_eq!(with_op(reduced(Op::Isub, 0), NONE, |p| vec![p.int; 2], &[Type::I32]), ["ir-group"]);
}

#[test]
fn arrays() {
    let id = crate::ArrayId::new(0);
    assert_eq!(broken(|f, _| f.arrays[id].len = 0), ["ir-array"]);
    assert_eq!(broken(|f, _| f.arrays[id].len = u32::MAX), ["ir-array"]);
}

#[test]
fn bindings() {
    let model = num::Model::builtin("ieee").unwrap();
    let bound = |change: fn(&mut Shader<crate::Bound>, OpId)| {
        let (func, parts) = sound();
        let add = op_of(&func, parts.sum);
        let mut shader = Shader::new(func).bind(&model);
        change(&mut shader, add);
        let diags = verify(&shader).err().unwrap_or_default();
        diags.iter().map(|d| d.code).collect::<Vec<_>>()
    };
    assert_eq!(bound(|_, _| ()), Vec::<&str>::new());
    assert_eq!(bound(|s, op| s.func.ops[op].rule = None), ["ir-rule"]);
    assert_eq!(bound(|s, op| s.func.ops[op].rule = Some(RuleId::new(99))), ["ir-entity"]);
    let extra = |s: &mut Shader<crate::Bound>, _: OpId| {
        let op = find(&s.func, |k| k == OpKind::Discard);
        s.func.ops[op].rule = Some(RuleId::new(0));
    };
    assert_eq!(bound(extra), ["ir-rule"]);
    let library = |s: &mut Shader<crate::Bound>, op: OpId| {
        s.func.ops[op].kind = OpKind::Library(crate::LibraryFn::Atan2);
    };
    assert_eq!(bound(library), ["ir-library"]);
    let container = |s: &mut Shader<crate::Bound>, op: OpId| {
        let rule = Rule { storage: Storage::F64, ..s.state.rules[s.func.ops[op].rule.unwrap()] };
        s.func.ops[op].rule = Some(s.state.rules.push(rule));
    };
    assert_eq!(bound(container), ["ir-storage"]);
    let source = |s: &mut Shader<crate::Bound>, _: OpId| {
        let op = find(&s.func, |k| k == OpKind::Num(Op::Cvt));
        let rule = Rule { source: Storage::F64, ..s.state.rules[s.func.ops[op].rule.unwrap()] };
        s.func.ops[op].rule = Some(s.state.rules.push(rule));
    };
    assert_eq!(bound(source), ["ir-storage"]);
    let symbolic = |f: &mut Func, p: &Parts| {
        let op = op_of(f, p.sum);
        f.ops[op].rule = Some(RuleId::new(0));
    };
    assert_eq!(broken(symbolic), ["ir-rule"]);
}

#[test]
fn messages_name_the_op() {
    let (mut func, parts) = sound();
    let op = op_of(&func, parts.sum);
    func.ops[op].args[1] = parts.int;
    let diags = verify(&Shader::new(func)).unwrap_err();
    assert_eq!(diags[0].message, format!("`{} = add`: operand 1 is i32, expected fp32", parts.sum));
}
