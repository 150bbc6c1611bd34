//! Operations that are chains of others: quotients by reciprocals, roots by reciprocal roots, powers by logarithms, LIT.

use super::float::{Float, Shape, default_nan};
use super::params;
use super::recipe::{in_single, is_narrow, newton};
use crate::prim::{Prim, Ty};
use crate::program::{Code, Emit, Id, Program};
use crate::words::Routine;
use parallax_num::{ComputedIn, Div, NanResult, Op, Pow, Rcp, Rsq, Rule, Saturate, Sqrt, StepRules, ZeroPowZero};

/// Whether an operation is a chain of others, each rounded.
pub(super) fn is_chain(op: Op, rule: &Rule) -> bool {
    match op {
        Op::Nrm => true,
        Op::Div if rule.div != Div::Direct => true,
        Op::Sqrt if rule.sqrt != Sqrt::Direct => true,
        Op::Pow | Op::LitZ if rule.pow != Pow::C => true,
        _ if rule.computed_in == ComputedIn::F32 && is_narrow(rule) => true,
        Op::Rcp => rule.rcp != Rcp::Direct,
        Op::Rsq => rule.rsq == Rsq::Newton,
        _ => false,
    }
}

/// A chain. `total`: of second programs, where the first ones have slow lanes.
pub(super) fn chain(op: Op, rule: &Rule, observed: bool, total: bool) -> Option<Program> {
    match op {
        Op::Nrm => nrm(rule, total),
        Op::Div if rule.div != Div::Direct => times_rcp(rule, total),
        Op::Sqrt if rule.sqrt != Sqrt::Direct => sqrt_steps(rule, total),
        Op::Pow if rule.pow != Pow::C => power_steps(rule, total),
        Op::LitZ if rule.pow != Pow::C => lit_steps(rule, total),
        _ if rule.computed_in == ComputedIn::F32 && is_narrow(rule) => in_single(op, rule, observed, total),
        _ => newton(op, rule, observed, total),
    }
}

impl Code {
    /// The instructions of another program on these operands; its slow lanes are slow here.
    fn inline(&mut self, program: &Program, args: &[Id]) -> Id {
        let mut values: Vec<Id> = args.to_vec();
        for inst in &program.insts {
            let mut inst = *inst;
            let count = usize::from(inst.count);
            for arg in &mut inst.args[..count] {
                *arg = values[*arg as usize];
            }
            values.push(self.emit(inst));
        }
        if let Some(slow) = program.slow {
            self.slow(values[slow as usize]);
        }
        values[program.result as usize]
    }

    /// Another operation as a step; `total`: by its second program, unless the first one decides all lanes and is shorter in words.
    pub(super) fn link(&mut self, op: Op, rule: &Rule, args: &[Id], total: bool) -> Option<Id> {
        let first = super::program(op, rule, true)?;
        if !total {
            return Some(self.inline(&first, args));
        }
        let weight = |program: &Program| Routine::of_program(program).weight();
        let second = super::second(op, rule, true).filter(|second| second.slow.is_none());
        let program = match second {
            Some(second) if first.slow.is_some() || weight(&second) < weight(&first) => second,
            _ if first.slow.is_some() => return None,
            _ => first,
        };
        Some(self.inline(&program, args))
    }
}

/// The rule of the last operation of a chain.
fn last(rule: &Rule) -> Rule {
    Rule { steps: StepRules::OWN, ..*rule }
}

/// v / length(x, y, z).
fn nrm(rule: &Rule, total: bool) -> Option<Program> {
    let mut code = Code::new(&params(Op::Nrm, rule));
    let length = code.link(Op::Dot3, &rule.step(0), &[1, 2, 3, 1, 2, 3], total)?;
    let scale = code.link(Op::Rsq, &rule.step(1), &[length], total)?;
    let result = code.link(Op::Mul, &last(rule), &[0, scale], total)?;
    Some(code.finish(result))
}

/// a * rcp(b).
fn times_rcp(rule: &Rule, total: bool) -> Option<Program> {
    let mut code = Code::new(&params(Op::Div, rule));
    let reciprocal = code.link(Op::Rcp, &rule.step(0), &[1], total)?;
    let result = code.link(Op::Mul, &last(rule), &[0, reciprocal], total)?;
    Some(code.finish(result))
}

/// rcp(rsq(a)), or a * rsq(a).
fn sqrt_steps(rule: &Rule, total: bool) -> Option<Program> {
    let mut code = Code::new(&params(Op::Sqrt, rule));
    let root = code.link(Op::Rsq, &rule.step(0), &[0], total)?;
    if rule.sqrt == Sqrt::ReciprocalOfRsq {
        let result = code.link(Op::Rcp, &last(rule), &[root], total)?;
        return Some(code.finish(result));
    }
    let product = code.link(Op::Mul, &last(rule), &[0, root], total)?;
    // Zero and infinity give themselves.
    let step = rule.step(0);
    let mut probe = Float::new(&step, &[super::result(Op::Sqrt, rule)], false, false)?;
    std::mem::swap(&mut probe.code, &mut code);
    let a = probe.get(0);
    let zero = probe.is_zero(a);
    let end = probe.number(f64::INFINITY);
    let endless = probe.code.op(Prim::Feq, &[a, end]);
    let special = probe.code.or(zero, endless);
    std::mem::swap(&mut probe.code, &mut code);
    // They are read and clamped under the rule as any operand is.
    let own = last(rule);
    let mut f = Float::new(&own, &[], true, false)?;
    f.total = total;
    f.code = code;
    let a = f.get(0);
    let raw = f.value(a);
    let itself = f.finish(&raw);
    let mut code = f.code;
    let result = code.select(special, itself, product);
    Some(code.finish(result))
}

/// exp2(b * log2(a)).
fn power_of(code: &mut Code, rule: &Rule, a: Id, b: Id, total: bool) -> Option<Id> {
    let (log2, mul) = (rule.step(0), rule.step(1));
    let log = code.link(Op::Log2, &log2, &[a], total)?;
    let product = code.link(Op::Mul, &mul, &[b, log], total)?;
    let power = code.link(Op::Exp2, &rule.unclamped(), &[product], total)?;
    let mut f = Float::new(&log2, &[], false, false)?;
    std::mem::swap(&mut f.code, code);
    let base = f.get(a);
    let zero = f.is_zero(base);
    let special = match rule.pow {
        Pow::ExpLogOne => {
            let mut g = Float::new(&mul, &[], false, false)?;
            std::mem::swap(&mut g.code, &mut f.code);
            let exponent = g.get(b);
            let none = g.is_zero(exponent);
            std::mem::swap(&mut g.code, &mut f.code);
            let both = f.code.and(zero, none);
            Some((both, 1.0))
        }
        Pow::ExpLogZero => {
            let unordered = f.code.op(Prim::Funo, &[base, base]);
            let special = f.code.or(zero, unordered);
            Some((special, 0.0))
        }
        Pow::C | Pow::ExpLog => None,
    };
    let power = match special {
        Some((mask, value)) => {
            let v = f.number(value);
            let word = f.put(v);
            f.code.select(mask, word, power)
        }
        None => power,
    };
    std::mem::swap(&mut f.code, code);
    Some(power)
}

/// The clamp and scale of the operation itself, on a word of its container.
fn clamped(code: Code, rule: &Rule, word: Id, total: bool) -> Option<Program> {
    if rule.saturate == Saturate::None && rule.scale == 0 {
        return Some(code.finish(word));
    }
    let own = last(rule);
    let mut f = Float::new(&own, &[], true, false)?;
    f.total = total;
    f.code = code;
    let v = f.load(word, rule.storage);
    let raw = f.value(v);
    f.conclude(&raw)
}

fn power_steps(rule: &Rule, total: bool) -> Option<Program> {
    let mut code = Code::new(&params(Op::Pow, rule));
    let power = power_of(&mut code, rule, 0, 1, total)?;
    clamped(code, rule, power, total)
}

/// An operand as another rule of the same compute type reads it.
fn get_under(f: &mut Float<'_>, rule: &Rule, word: Id) -> Option<Id> {
    let mut other = Float::new(rule, &[], false, false)?;
    if other.ty() != f.ty() {
        other = other.wide()?;
    }
    if other.ty() != f.ty() {
        return None;
    }
    std::mem::swap(&mut other.code, &mut f.code);
    let v = other.get(word);
    std::mem::swap(&mut other.code, &mut f.code);
    Some(v)
}

/// Where LIT says itself what a power of zero is, and what.
fn power_of_zero(f: &mut Float<'_>, base: Id, exponent: Id) -> Option<(Id, Id)> {
    let (none, flat) = (f.is_zero(base), f.is_zero(exponent));
    let both = f.code.and(none, flat);
    Some(match f.rule.lit.zero_pow_zero {
        ZeroPowZero::Zero => (none, f.number(0.0)),
        ZeroPowZero::One if f.rule.pow == Pow::ExpLogZero => return None,
        ZeroPowZero::One => (both, f.number(1.0)),
        ZeroPowZero::Nan if f.rule.nan_result == NanResult::Infinity => (both, f.number(f64::INFINITY)),
        ZeroPowZero::Nan => {
            let ty = f.ty();
            (both, f.code.constant_of(ty, default_nan(f.rule.nan_bits, ty)))
        }
    })
}

/// The specular term of LIT with the rule's power.
pub(super) fn lit_steps(rule: &Rule, total: bool) -> Option<Program> {
    let types = params(Op::LitZ, rule);
    let mut f = Float::new(rule, &types, false, false)?;
    if f.shape == Shape::Native(Ty::F64) && !(total && rule.pow == Pow::C) {
        return None;
    }
    if total && rule.pow != Pow::C {
        // A step may need a wider type than the others.
        let steps = [rule.step(0), rule.step(1)];
        let types = steps.iter().map(|step| Some(Float::new(step, &[], false, false)?.ty()));
        if types.collect::<Option<Vec<Ty>>>()?.contains(&Ty::F64) && f.ty() == Ty::F32 {
            f = f.wide()?;
        }
    }
    let x = f.get(0);
    // Base and exponent are operands of the steps; C's power reads its own.
    let (y, w) = if total && rule.pow != Pow::C {
        (get_under(&mut f, &rule.step(0), 1)?, get_under(&mut f, &rule.step(1), 2)?)
    } else {
        (f.get(1), f.get(2))
    };
    let (zero, one) = (f.number(0.0), f.number(1.0));
    let (mut lit, some) = (f.code.op(Prim::Flt, &[zero, x]), f.code.op(Prim::Flt, &[zero, y]));
    let base = if total {
        if rule.lit.nan_lights {
            let is_nan = f.code.op(Prim::Funo, &[x, x]);
            lit = f.code.or(lit, is_nan);
        }
        let base = f.code.select(some, y, zero);
        let is_nan = f.code.op(Prim::Funo, &[y, y]);
        if rule.lit.keep_nan { f.code.select(is_nan, y, base) } else { base }
    } else {
        // What the formula says about NaN and powers of zero is the reference's business.
        let unordered = f.code.op(Prim::Funo, &[x, y]);
        let no_exponent = f.code.op(Prim::Funo, &[w, w]);
        let none = f.code.not(some);
        let corner = f.code.and(lit, none);
        for mask in [unordered, no_exponent, corner] {
            f.code.slow(mask);
        }
        f.code.select(some, y, one)
    };
    let mut exponent = w;
    if let Some(bound) = rule.exponent_bound() {
        if bound > f.largest() {
            return None;
        }
        let (low, high) = (f.number(-bound), f.number(bound));
        let over = f.code.op(Prim::Flt, &[high, exponent]);
        exponent = f.code.select(over, high, exponent);
        let under = f.code.op(Prim::Flt, &[exponent, low]);
        exponent = f.code.select(under, low, exponent);
        if total && rule.lit.nan_clamps {
            let is_nan = f.code.op(Prim::Funo, &[w, w]);
            exponent = f.code.select(is_nan, high, exponent);
        }
    }
    let special = power_of_zero(&mut f, base, exponent).filter(|_| total);
    let special = special.map(|(mask, value)| (mask, f.put(value)));
    let (base, exponent) = (f.put(base), f.put(exponent));
    let dark = f.code.not(lit);
    let dark_word = f.put(zero);
    let mut code = f.code;
    let mut power = match rule.pow {
        // It would be rounded before it is scaled.
        Pow::C if rule.scale != 0 => return None,
        Pow::C => code.link(Op::Pow, &rule.unclamped(), &[base, exponent], total)?,
        _ => power_of(&mut code, rule, base, exponent, total)?,
    };
    if let Some((mask, word)) = special {
        power = code.select(mask, word, power);
    }
    let word = code.select(dark, dark_word, power);
    debug_assert!(code.ty(word) == super::result(Op::LitZ, rule));
    clamped(code, rule, word, total)
}
