//! Ops on literals become literals, by the one library that evaluates.

use crate::edit::{Subst, literal, live_ops, make_literal};
use parallax_core::{Bound, Func, OpId, OpKind, Shader, ValueId};
use parallax_num::{self as num, Decl, Format, Rule};
use smallvec::SmallVec;

/// Runs the pass.
pub fn run(shader: &mut Shader<Bound>) {
    let mut subst = Subst::default();
    for op in live_ops(&shader.func) {
        subst.rewrite(&mut shader.func, op);
        fold(shader, op, &mut subst);
    }
}

/// Folds one op, whose operands are up to date.
pub(crate) fn fold(shader: &mut Shader<Bound>, op: OpId, subst: &mut Subst) {
    let data = &shader.func.ops[op];
    let rules = &shader.state.rules;
    // Operations without slot look at no rule.
    let rule = || data.rule.map_or_else(|| Rule::ieee(Decl::F32, Format::F32), |id| rules[id]);
    match data.kind {
        OpKind::Num(asked) => {
            if let Some(words) = literals(&shader.func, &data.args) {
                let bits = num::eval(asked, &rule(), &words);
                make_literal(&mut shader.func, op, bits);
            }
        }
        OpKind::Select => {
            if let Some(bits) = literal(&shader.func, data.args[0]) {
                let chosen = if bits & 1 != 0 { data.args[1] } else { data.args[2] };
                subst.set(data.results[0], chosen);
            }
        }
        OpKind::Deriv { .. } => {
            if let Some(bits) = literal(&shader.func, data.args[0]) {
                let bits = num::eval(num::Op::Sub, &rule(), &[bits, bits]);
                make_literal(&mut shader.func, op, bits);
            }
        }
        // The same in all lanes; of a vote at least one lane executes.
        OpKind::QuadXor { .. } | OpKind::QuadShuffle | OpKind::QuadAny | OpKind::QuadAll
            if literal(&shader.func, data.args[0]).is_some() =>
        {
            subst.set(data.results[0], data.args[0]);
        }
        OpKind::ConstAt { bank, base, comp } => {
            if let Some(at) = known_index(&shader.func, data.args[0], base) {
                match u32::try_from(at) {
                    Ok(index) => become_read(&mut shader.func, op, OpKind::Const { bank, index, comp }),
                    Err(_) => {
                        let rule = rule();
                        become_zero(&mut shader.func, op, &rule);
                    }
                }
            }
        }
        OpKind::AttrAt { base, comp } => {
            if let Some(at) = known_index(&shader.func, data.args[0], base) {
                let declared = usize::try_from(at).is_ok_and(|n| n < shader.func.iface.attrs.len());
                match u16::try_from(at).ok().filter(|_| declared) {
                    Some(index) => become_read(&mut shader.func, op, OpKind::Attr { index, comp }),
                    None => {
                        let rule = rule();
                        become_zero(&mut shader.func, op, &rule);
                    }
                }
            }
        }
        _ => {}
    }
}

/// Bits of all operands, if they are literals.
fn literals(func: &Func, args: &[ValueId]) -> Option<SmallVec<[u64; 8]>> {
    // The last operand is a literal most often.
    literal(func, *args.last()?)?;
    args.iter().map(|&arg| literal(func, arg)).collect()
}

fn known_index(func: &Func, arg: ValueId, base: i32) -> Option<i64> {
    Some(i64::from(base) + i64::from(literal(func, arg)? as u32 as i32))
}

fn become_read(func: &mut Func, op: OpId, kind: OpKind) {
    func.ops[op].kind = kind;
    func.ops[op].args.clear();
}

/// What a read outside of everything gives: zero bits, converted under the rule if it is read as a float.
fn become_zero(func: &mut Func, op: OpId, rule: &Rule) {
    let bits = if func.ops[op].rule.is_some() { num::eval(num::Op::Cvt, rule, &[0]) } else { 0 };
    make_literal(func, op, bits);
}
