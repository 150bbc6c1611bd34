//! Pieces of instruction sets whose frontends do not exist yet, lifted by hand: the kit must carry them.
//!
//! PowerVR Rogue: groups read every source before they write, pass values between phases through feed-throughs, and
//! narrow operands of `sop` to halves. SPA 5.0: guard predicates, the carry flag of 64-bit adds, coverage queries.

use parallax_core::exec::{FUEL, Inputs, NoInterpolator, NoTextures, Outputs};
use parallax_core::{AttrDecl, AttrSemantic, Func, Interp, Location, OpKind, OutputRole, Shader, Stage, SysVal, Type};
use parallax_core::{ValueId, verify};
use parallax_interp::Bytecode;
use parallax_lift::{Deferred, Lifter, VarId, WriteBuffer};
use parallax_num::{Decl, Model, Op, Saturate, Slot};

/// Lifts with `build`, binds to `model`, runs one quad and returns x of output 0 per lane, as bits.
fn run(model: &str, attrs: &[[u32; 4]], sysvals: &[(SysVal, [u32; 4])], build: impl Fn(&mut Lifter<'_>)) -> [u64; 4] {
    let mut func = Func::new("contact", "test", Stage::Fragment);
    for n in 0..attrs.len().div_ceil(4) {
        func.iface.attrs.push(AttrDecl {
            name: format!("in{n}"),
            semantic: AttrSemantic::Generic(n as u16),
            interp: Interp::Flat,
            location: Location::Center,
        });
    }
    let mut lifter = Lifter::new(&mut func);
    build(&mut lifter);
    lifter.finish().unwrap();
    let shader = Shader::new(func).bind(&Model::builtin(model).unwrap());
    let program = Bytecode::new(verify(&shader).unwrap_or_else(|diags| panic!("{diags:#?}")));
    let mut planes = vec![0; attrs.len().div_ceil(4) * 16];
    for (plane, lanes) in attrs.iter().enumerate() {
        planes[plane * 4..plane * 4 + 4].copy_from_slice(lanes);
    }
    let mut system = vec![0; 64];
    for (value, lanes) in sysvals {
        system[*value as usize * 4..*value as usize * 4 + 4].copy_from_slice(lanes);
    }
    let mut outputs = Outputs::default();
    let inputs = Inputs {
        lanes: 4,
        attrs: &planes,
        banks: &[],
        sysvals: &system,
        covered: &[true; 4],
        textures: &NoTextures,
        interpolator: &NoInterpolator,
        fuel: FUEL,
    };
    program.run(&inputs, &mut outputs);
    std::array::from_fn(|lane| outputs.planes[0].get(lane))
}

fn f(values: [f32; 4]) -> [u32; 4] {
    values.map(f32::to_bits)
}

/// Registers preloaded from attribute components, one per variable.
fn registers(lifter: &mut Lifter<'_>, count: u32) -> VarId {
    let first = lifter.add_variables(count);
    for n in 0..count {
        let val = Deferred::attr((n / 4) as u16, (n % 4) as u8);
        lifter.set(first.offset(n), val);
    }
    first
}

/// Output 0, x: a variable as bits.
fn show(lifter: &mut Lifter<'_>, variable: VarId) {
    let bits = lifter.read_bits(variable);
    lifter.output("r", OutputRole::Watch, [Some(bits.into()), None, None, None], Type::I32);
}

#[test]
fn rogue_two_phases_swap_through_feed_throughs() {
    // fmad ft0, r1, r2, r3 ; fadd ft1, r0, r2 ; mov r0, ft0 ; mov r1, ft1, then a group fmul r2, r0, r1.
    let build = |lifter: &mut Lifter<'_>| {
        let r = registers(lifter, 4);
        let slot = lifter.plain(Decl::F32);
        let mut group = WriteBuffer::new();
        let [r0, r1, r2, r3] = [0, 1, 2, 3].map(|n| lifter.read(r.offset(n), Decl::F32));
        let ft0 = lifter.b.num(Op::Mad, slot, &[r1, r2, r3]);
        let ft1 = lifter.b.num(Op::Add, slot, &[r0, r2]);
        group.set(r.offset(0), ft0);
        group.set(r.offset(1), ft1);
        lifter.commit(group);
        let [a, b] = [0, 1].map(|n| lifter.read(r.offset(n), Decl::F32));
        let product = lifter.b.num(Op::Mul, slot, &[a, b]);
        lifter.set(r.offset(2), product);
        show(lifter, r.offset(2));
    };
    let attrs = [f([1.0; 4]), f([2.0, 3.0, 4.0, 5.0]), f([0.5; 4]), f([-1.0; 4])];
    // (r1 * 0.5 - 1) * (1 + 0.5)
    assert_eq!(run("rogue", &attrs, &[], build), f([0.0, 0.75, 1.5, 2.25]).map(u64::from));
}

/// Half of a 32-bit register: `.e0` is bits 15 to 0, `.e1` bits 31 to 16.
fn set_half(lifter: &mut Lifter<'_>, variable: VarId, half: u32, value: ValueId) {
    let bits = lifter.convert(value, Type::I32);
    let old = lifter.read_bits(variable);
    let (keep, shift) = (lifter.b.i32(0xffff << (16 - 16 * half)), lifter.b.i32(16 * half));
    let kept = lifter.b.int(Op::Iand, &[old, keep]);
    let placed = lifter.b.int(Op::Shl, &[bits, shift]);
    let word = lifter.b.int(Op::Ior, &[kept, placed]);
    lifter.set(variable, word);
}

#[test]
fn rogue_sum_of_products_rounds_each_step_to_half() {
    // sop r0.e1.joutj, r0, r1, add, r2, r3: the result goes to the upper half, the lower half of r0 stays.
    let build = |lifter: &mut Lifter<'_>| {
        let r = registers(lifter, 4);
        let half = lifter.plain(Decl::F16);
        let [a, e, b, g] = [0, 1, 2, 3].map(|n| {
            let wide = lifter.read(r.offset(n), Decl::F32);
            lifter.b.num(Op::Cvt, half, &[wide])
        });
        let left = lifter.b.num(Op::Mul, half, &[a, e]);
        let right = lifter.b.num(Op::Mul, half, &[b, g]);
        let sum = lifter.b.num(Op::Add, half, &[left, right]);
        set_half(lifter, r, 1, sum);
        show(lifter, r);
    };
    // 1.001 narrows to 1 + 2^-10. Times 3 is 3 + 3 * 2^-10, a tie between 3 + 2^-9 and 3 + 2^-8, even: 3 + 2^-8. Adding
    // 0.5 is exact; adding 1 gives 4 + 2^-8, exact too; adding 8192 rounds 3 + 2^-8 away.
    let attrs = [f([1.001; 4]), f([3.0; 4]), f([2.0; 4]), f([0.25, 0.5, 0.25, 4096.0])];
    let low = u64::from(1.001f32.to_bits() & 0xffff);
    let want = [0x4302u64, 0x4401, 0x4302, 0x7000].map(|half| half << 16 | low);
    assert_eq!(run("rogue", &attrs, &[], build), want);
}

#[test]
fn rogue_test_phase_selects_between_feed_throughs() {
    // fadd.sat ft0, r0, r1 ; tstg.f32 ftt, p0, ft0, r2 ; mov r0.e0.e1.e2.e3, ft0, ftt, r3
    let build = |lifter: &mut Lifter<'_>| {
        let r = registers(lifter, 4);
        let p0 = lifter.add_variables(1);
        let slot = lifter.b.slot(Slot { saturate: Saturate::Unsigned, ..Slot::plain(Decl::F32) });
        let plain = lifter.plain(Decl::F32);
        let [r0, r1, r2] = [0, 1, 2].map(|n| lifter.read(r.offset(n), Decl::F32));
        let ft0 = lifter.b.num(Op::Add, slot, &[r0, r1]);
        let ftt = lifter.b.num(Op::FGt, plain, &[ft0, r2]);
        lifter.set(p0, ftt);
        let r3 = lifter.read(r.offset(3), Decl::F32);
        let chosen = lifter.b.select(ftt, r3, ft0);
        lifter.set(r, chosen);
        show(lifter, r);
    };
    let attrs = [f([0.5, 0.5, f32::NAN, -3.0]), f([1.0, 0.0, 1.0, 1.0]), f([0.75; 4]), f([7.0; 4])];
    // A clamp turns NaN into 0.
    assert_eq!(run("rogue", &attrs, &[], build), f([7.0, 0.5, 0.0, 0.0]).map(u64::from));
}

#[test]
fn spa_carry_flag_makes_a_64_bit_add() {
    // IADD.CC R0, R0, R2 ; IADD.X R1, R1, R3
    let build = |lifter: &mut Lifter<'_>| {
        let r = registers(lifter, 4);
        let carry = lifter.add_variables(1);
        let [r0, r1, r2, r3] = [0, 1, 2, 3].map(|n| lifter.read_bits(r.offset(n)));
        let low = lifter.b.int(Op::Iadd, &[r0, r2]);
        let out = lifter.b.int(Op::Ult, &[low, r0]);
        lifter.set(r, low);
        lifter.set(carry, out);
        let carry_in = lifter.read_as(carry, Type::Pred);
        let carry_in = lifter.convert(carry_in, Type::I32);
        let sum = lifter.b.int(Op::Iadd, &[r1, r3]);
        let high = lifter.b.int(Op::Iadd, &[sum, carry_in]);
        lifter.set(r.offset(1), high);
        show(lifter, r.offset(1));
    };
    let attrs = [[0xffff_ffff, 1, 0x8000_0000, 0], [1, 2, 3, 4], [1, 1, 0x8000_0000, 0], [10, 20, 30, u32::MAX]];
    assert_eq!(run("maxwell", &attrs, &[], build), [12, 22, 34, 3]);
}

#[test]
fn spa_pixld_reads_coverage_under_a_guard_predicate() {
    // PIXLD.COVMASK R0 ; @P0 PIXLD.COVERED R0, P1, [R1+0x1] ; @!P1 KIL
    let build = |lifter: &mut Lifter<'_>| {
        let r = registers(lifter, 4);
        let (p0, p1) = (lifter.add_variables(1), lifter.add_variables(1));
        let two = lifter.b.i32(2);
        let r1 = lifter.read_bits(r.offset(1));
        let guard = lifter.b.int(Op::Ult, &[r1, two]);
        lifter.set(p0, guard);
        let mask = lifter.b.read_bits(OpKind::Sys(SysVal::SampleMask), &[]);
        lifter.set(r, mask);
        let one = lifter.b.i32(1);
        let sample = lifter.b.int(Op::Iadd, &[r1, one]);
        let count = lifter.b.read_bits(OpKind::Sys(SysVal::SampleCount), &[]);
        let inside = lifter.b.int(Op::Ult, &[sample, count]);
        let shifted = lifter.b.int(Op::Ushr, &[mask, sample]);
        let bit = lifter.b.int(Op::Iand, &[shifted, one]);
        let zero = lifter.b.i32(0);
        let set = lifter.b.int(Op::Ine, &[bit, zero]);
        let covered = lifter.b.int(Op::Pand, &[set, inside]);
        let (yes, no) = (lifter.b.i32(u32::MAX), lifter.b.i32(0));
        let word = lifter.b.select(covered, yes, no);
        let guard = lifter.read_as(p0, Type::Pred);
        lifter.set_if(guard, r, word);
        lifter.set_if(guard, p1, covered);
        let p1 = lifter.read_as(p1, Type::Pred);
        let kill = lifter.b.int(Op::Pnot, &[p1]);
        lifter.b.op(OpKind::Discard, None, &[kill], &[]);
        show(lifter, r);
    };
    let attrs = [[9; 4], [0, 1, 0, 5], [0; 4], [0; 4]];
    let system = [(SysVal::SampleMask, [0b1010, 0b0100, 0b1101, 0b1111]), (SysVal::SampleCount, [4; 4])];
    // Lanes 0 to 2 ask for samples 1, 2, 1; lane 3 is not guarded in and keeps the mask.
    assert_eq!(run("maxwell", &attrs, &system, build), [0xffff_ffff, 0xffff_ffff, 0, 0b1111]);
}
