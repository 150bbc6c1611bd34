//! One operation under a rule as a function of its own.

use crate::function::{Call, Function, Kind, OutputType};
use crate::prim::{Prim, Ty};
use crate::program::{Id, Inst};
use crate::rules::{Programs, params, result};
use parallax_core::OpKind;
use parallax_num::{Op, Rule};

/// The step form of one operation under a rule. Operand n is attribute n: its patterns, of a 64-bit one the lower words in
/// component x and the upper ones in y. The result's patterns, of 32 or 64 bits, are component x of output 0. `None` for
/// operations without step program, and for those that take or give truth values.
pub fn operation(op: Op, rule: &Rule, programs: &mut Programs) -> Option<Function> {
    let program = programs.get(op, rule, true)?;
    let (params, result) = (params(op, rule), result(op, rule));
    if params.contains(&Ty::Mask) || result == Ty::Mask {
        return None;
    }
    let bits = if result.bits() > u64::from(u32::MAX) { 64 } else { 32 };
    let mut made = Maker(Function {
        attrs: params.len() as u32,
        outputs: vec![[Some(OutputType { ty: result.pattern(), bits }), None, None, None]],
        calls: vec![Call { op, rule: *rule, slot: None, source: rule.source }],
        ..Function::new(op.info().name)
    });
    let operands: Vec<Id> = params.iter().enumerate().map(|(n, &ty)| made.operand(n as u16, ty)).collect();
    let mut values = operands.clone();
    for inst in &program.insts {
        let args: Vec<Id> = inst.args().iter().map(|&arg| values[arg as usize]).collect();
        values.push(made.step(inst.prim, inst.ty, inst.imm, &args));
    }
    let mut value = values[program.result as usize];
    if let Some(mark) = program.mark {
        let args: Vec<Id> = [values[mark as usize], value].into_iter().chain(operands).collect();
        value = made.0.add(0, Kind::Redo(0), &args, &[result]);
    }
    if matches!(result, Ty::F32 | Ty::F64) {
        value = made.step(Prim::Bits, result, 0, &[value]);
    }
    made.0.add(0, Kind::Ir(OpKind::Out { index: 0, comp: 0 }), &[value], &[]);
    made.0.add(0, Kind::Ir(OpKind::Yield), &[], &[]);
    Some(made.0)
}

/// A function in the making.
struct Maker(Function);

impl Maker {
    fn step(&mut self, prim: Prim, ty: Ty, imm: u64, args: &[Id]) -> Id {
        self.0.add_step(0, Inst::new(prim, ty, imm, args))
    }

    /// An operand of its type.
    fn operand(&mut self, index: u16, ty: Ty) -> Id {
        let mut word = |comp: u8| self.0.add(0, Kind::Ir(OpKind::Attr { index, comp }), &[], &[Ty::I32]);
        let low = word(0);
        match ty {
            Ty::I32 | Ty::Mask => low,
            Ty::F32 => self.step(Prim::Float, Ty::F32, 0, &[low]),
            Ty::I64 | Ty::F64 => {
                let high = word(1);
                let [low, high] = [low, high].map(|word| self.step(Prim::Zext, Ty::I64, 0, &[word]));
                let amount = self.step(Prim::Const, Ty::I32, 32, &[]);
                let high = self.step(Prim::Shl, Ty::I64, 0, &[high, amount]);
                let both = self.step(Prim::Or, Ty::I64, 0, &[low, high]);
                if ty == Ty::I64 { both } else { self.step(Prim::Float, Ty::F64, 0, &[both]) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify;
    use parallax_num::{Decl, Model, Slot};

    #[test]
    fn operations_are_sound_functions() {
        let mut programs = Programs::default();
        let mut made = 0;
        for model in Model::builtins() {
            for row in Op::ALL {
                for decl in Decl::ALL {
                    let rule = model.rule(row.op, &Slot::plain(decl), model.storage(decl)).0;
                    if let Some(function) = operation(row.op, &rule, &mut programs) {
                        assert_eq!(verify(&function), Ok(()), "{} {decl} under {}", row.name, model.label());
                        made += 1;
                    }
                }
            }
        }
        assert!(made > 1000, "{made}");
    }
}
