//! What random shaders are made of.

use parallax_core::{Func, OpKind, Type};
use std::collections::BTreeMap;

/// Counts of operations by name and format.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage(BTreeMap<(String, String), usize>);

impl Coverage {
    /// Adds the live ops of a body. The format is the slot's declared one; a conversion's reads `fp32 to half`; an op
    /// without slot has the type of its result, or of its first operand.
    pub fn add(&mut self, func: &Func) {
        func.walk(|_, id| {
            let op = &func.ops[id];
            let result = op.results.first().or(op.args.first()).map(|&v| func.ty(v));
            let decl = op.slot.map(|slot| func.slots[slot].decl.name());
            let name = match op.kind {
                OpKind::Num(num) => num.name().to_string(),
                OpKind::Deriv { .. } => "deriv".into(),
                OpKind::Tex(_) => "tex".into(),
                OpKind::Select => "select".into(),
                OpKind::Discard => "discard".into(),
                OpKind::If => "if".into(),
                OpKind::Loop => "loop".into(),
                OpKind::Out { .. } => "out".into(),
                OpKind::Literal(_) => "literal".into(),
                _ => return,
            };
            let format = match (op.kind, decl, result) {
                (OpKind::Num(parallax_num::Op::Cvt), Some(to), _) => {
                    let from = op.args.first().and_then(|&v| func.ty(v).decl()).map_or("?", |d| d.name());
                    format!("{from} to {to}")
                }
                (_, Some(decl), _) => decl.to_string(),
                (_, None, Some(Type::Float(decl))) => decl.name().to_string(),
                (_, None, ty) => ty.map_or(String::new(), |ty| ty.name().to_string()),
            };
            *self.0.entry((name, format)).or_default() += 1;
        });
    }

    /// How often an op occurs in a format.
    pub fn count(&self, op: &str, format: &str) -> usize {
        self.0.get(&(op.to_string(), format.to_string())).copied().unwrap_or(0)
    }
}

/// One line per op: its formats with their counts.
impl std::fmt::Display for Coverage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut last = "";
        for ((op, format), count) in &self.0 {
            if op != last {
                write!(f, "\n{op:12}")?;
                last = op;
            }
            write!(f, " {format} {count}")?;
        }
        writeln!(f)
    }
}
