//! Pieces of instruction sets whose frontends do not exist yet, lifted by hand: the kit must carry them.
//!
//! SPA 5.0: guard predicates, the carry flag of 64-bit adds, coverage queries.

use parallax_core::exec::{FUEL, Inputs, NoInterpolator, NoTextures, Outputs};
use parallax_core::verify;
use parallax_core::{AttrDecl, AttrSemantic, Func, Interp, Location, OpKind, OutputRole, Shader, Stage, SysVal, Type};
use parallax_interp::Bytecode;
use parallax_lift::{Deferred, Lifter, VarId};
use parallax_num::{Model, Op};

/// Lifts with `build`, binds to `model`, runs one quad and returns x of output 0 per lane, as bits.
fn run(model: &str, attrs: &[[u32; 4]], sysvals: &[(SysVal, [u32; 4])], build: impl Fn(&mut Lifter<'_>)) -> [u64; 4] {
    let mut func = Func::new("contact", "test", Stage::Fragment);
    for n in 0..attrs.len().div_ceil(4) {
        func.iface.attrs.to_mut().push(AttrDecl {
            name: format!("in{n}"),
            semantic: AttrSemantic::Generic(n as u16),
            interp: Interp::Flat,
            location: Location::Center,
            mediump: false,
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
