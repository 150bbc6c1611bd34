//! Operations under the rules of a shader.

use parallax_core::{Bound, RuleId, Type};
use parallax_num::{Decl, Format, Op, Rule, Storage, eval};

/// An operation under its rule; without one it looks at none.
pub(crate) fn compute(bound: &Bound, op: Op, rule: Option<RuleId>, args: &[u64]) -> u64 {
    let any = Rule::ieee(Decl::F32, Format::F32);
    eval(op, rule.map_or(&any, |id| &bound.rules[id]), args)
}

/// A word of an attribute, a constant or a texture, as it is read under a rule: floats are converted from binary32, raw bits
/// are taken as they are.
pub(crate) fn read(bound: &Bound, rule: Option<RuleId>, word: u32) -> u64 {
    match rule {
        Some(_) => compute(bound, Op::Cvt, rule, &[word.into()]),
        None => word.into(),
    }
}

/// An operand of a texture lookup: floats become binary32, integers stay.
pub(crate) fn coordinate(bound: &Bound, ty: Type, word: u64) -> u32 {
    let storage = ty.decl().map(|decl| bound.storage(decl)).filter(|&storage| storage != Storage::F32);
    match storage {
        Some(source) => eval(Op::Cvt, &Rule { source, ..Rule::ieee(Decl::F32, Format::F32) }, &[word]) as u32,
        None => word as u32,
    }
}
