//! One operation under a rule as a function of its own.

use crate::function::{Call, Function, Kind, OutputType};
use crate::prim::{Prim, Ty};
use crate::program::{Id, Inst, Program};
use crate::rules::{Programs, params, result};
use parallax_core::OpKind;
use parallax_num::{Op, Rule};

/// The step form of one operation under a rule. Operand n is attribute n: its patterns, of a 64-bit one the lower words in
/// component x and the upper ones in y, of a truth value 0 or 1. The result's patterns, of 32 or 64 bits, are component x of
/// output 0. Without a step program it is a call.
pub fn operation(op: Op, rule: &Rule, programs: &mut Programs) -> Function {
    let (params, result) = (params(op, rule), result(op, rule));
    let bits = if result.is_wide() { 64 } else { 32 };
    let output = if result == Ty::Mask { Ty::I32 } else { result.pattern() };
    let mut made = Maker(Function {
        attrs: params.len() as u32,
        outputs: vec![[Some(OutputType { ty: output, bits }), None, None, None]],
        calls: vec![Call { op, rule: *rule, slot: None, source: rule.source }],
        ..Function::new(op.info().name)
    });
    let operands: Vec<Id> = params.iter().enumerate().map(|(n, &ty)| made.operand(n as u16, ty)).collect();
    let value = match programs.get(op, rule, true) {
        Some(program) => made.follow(&program, &operands, result),
        None => made.0.add(0, Kind::Call(0), &operands, &[result]),
    };
    let value = match result {
        Ty::F32 | Ty::F64 => made.step(Prim::Bits, result, 0, &[value]),
        Ty::Mask => {
            let [one, zero] = [1, 0].map(|word| made.step(Prim::Const, Ty::I32, word, &[]));
            made.step(Prim::Select, Ty::I32, 0, &[value, one, zero])
        }
        Ty::I32 | Ty::I64 => value,
    };
    made.0.add(0, Kind::Ir(OpKind::Out { index: 0, comp: 0 }), &[value], &[]);
    made.0.add(0, Kind::Ir(OpKind::Yield), &[], &[]);
    made.0
}

/// A function in the making.
struct Maker(Function);

impl Maker {
    fn step(&mut self, prim: Prim, ty: Ty, imm: u64, args: &[Id]) -> Id {
        self.0.add_step(0, Inst::new(prim, ty, imm, args))
    }

    /// The result of a program.
    fn follow(&mut self, program: &Program, operands: &[Id], result: Ty) -> Id {
        let mut values = operands.to_vec();
        for inst in &program.insts {
            let args: Vec<Id> = inst.args().iter().map(|&arg| values[arg as usize]).collect();
            values.push(self.step(inst.prim, inst.ty, inst.imm, &args));
        }
        let value = values[program.result as usize];
        let Some(slow) = program.slow else { return value };
        let args: Vec<Id> = [values[slow as usize], value].iter().chain(operands).copied().collect();
        self.0.add(0, Kind::Redo(0), &args, &[result])
    }

    /// An operand of its type.
    fn operand(&mut self, index: u16, ty: Ty) -> Id {
        let mut word = |comp: u8| self.0.add(0, Kind::Ir(OpKind::Attr { index, comp }), &[], &[Ty::I32]);
        let low = word(0);
        match ty {
            Ty::I32 => low,
            Ty::Mask => {
                let one = self.step(Prim::Const, Ty::I32, 1, &[]);
                let clear = self.step(Prim::Disjoint, Ty::I32, 0, &[low, one]);
                self.step(Prim::Not, Ty::Mask, 0, &[clear])
            }
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
                    let function = operation(row.op, &rule, &mut programs);
                    assert_eq!(verify(&function), Ok(()), "{} {decl} under {}", row.name, model.label());
                    made += usize::from(function.fallbacks().is_empty());
                }
            }
        }
        assert!(made > 1000, "{made}");
    }
}
