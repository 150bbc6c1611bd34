//! Rules of bound shaders.

use super::Checker;
use crate::{OpData, OpId, OpKind};
use parallax_num as num;

impl Checker<'_> {
    /// Checks that an op has the rule its slot asks for.
    pub(super) fn binding(&mut self, op: OpId, data: &OpData) {
        let Some(bound) = self.bound else {
            if let Some(rule) = data.rule {
                self.report("ir-rule", op, format_args!("has rule {rule}, but the shader is not bound"));
            }
            return;
        };
        if matches!(data.kind, OpKind::Library(_)) {
            self.report("ir-library", op, format_args!("binding expands it"));
        }
        let (slot, rule) = match (data.slot, data.rule) {
            (None, None) => return,
            (Some(slot), Some(rule)) => (slot, rule),
            (Some(slot), None) => return self.report("ir-rule", op, format_args!("has slot {slot}, but no rule")),
            (None, Some(rule)) => return self.report("ir-rule", op, format_args!("has rule {rule}, but no slot")),
        };
        let Some(rule) = bound.rules.get(rule) else {
            return self.report("ir-entity", op, format_args!("rule {rule} does not exist"));
        };
        let Some(slot) = self.func.slots.get(slot) else { return };
        let asked = bound.storage(slot.decl);
        if rule.storage != asked {
            let message = format!("its rule's container is {:?}, that of {} is {asked:?}", rule.storage, slot.decl);
            self.report("ir-storage", op, message);
        }
        let operand = data.args.first().and_then(|&arg| self.ty(arg)).and_then(|ty| ty.decl());
        if let (OpKind::Num(num::Op::Cvt), Some(decl)) = (data.kind, operand) {
            let asked = bound.storage(decl);
            if rule.source != asked {
                let message = format!("its rule reads {:?}, the operand is held in {asked:?}", rule.source);
                self.report("ir-storage", op, message);
            }
        }
    }
}
