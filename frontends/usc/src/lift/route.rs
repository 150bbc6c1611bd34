//! Tests, moves, and what goes to the outputs of a group.

use super::{Ctx, Feeds};
use crate::fields;
use crate::group::Group;
use crate::opcode::Opcode;
use crate::opcode::Phase;
use crate::operation::Feed;
use crate::operation::{Operation, Relation, TestType};
use crate::view::Name;
use parallax_core::{Type, ValueId};
use parallax_lift::Deferred;
use parallax_num::Op;

impl Ctx<'_, '_> {
    /// TST.
    pub(super) fn test(&mut self, group: &Group, operation: &Operation, feeds: &mut Feeds) {
        let (Some(relation), Some(ty)) = (operation.relation(), operation.test_type()) else { return };
        let outcome = match relation {
            Relation::Carry => feeds.carry.unwrap_or_else(|| self.l.b.pred(false)),
            relation => {
                let vals = [group.selected(&fields::IS1), group.selected(&fields::IS2)]
                    .map(|feed| self.feed(group, feed, feeds));
                let vals = if relation.operands() == 1 { [vals[0], Deferred::word(0)] } else { vals };
                if ty == TestType::F32 {
                    self.compare(relation, vals)
                } else {
                    self.compare_integers(relation, ty, operation.get(Name::Element), vals)
                }
            }
        };
        feeds.test = Some(outcome);
        if operation.has(Name::WritesP0) {
            self.set(self.registers.p0, outcome);
        }
    }

    fn compare(&mut self, relation: Relation, vals: [Deferred; 2]) -> ValueId {
        let slot = self.slot(false);
        let args = vals.map(|val| self.l.force(val, Type::F32));
        let op = match relation {
            Relation::Zero | Relation::Equal | Relation::Carry => Op::FEq,
            Relation::Positive | Relation::Greater => Op::FGt,
            Relation::NotNegative | Relation::GreaterEqual => Op::FGe,
            Relation::NotEqual => Op::FNe,
            Relation::Less => Op::FLt,
            Relation::LessEqual => Op::FLe,
        };
        self.l.b.num(op, slot, &args)
    }

    fn compare_integers(&mut self, relation: Relation, ty: TestType, element: u32, vals: [Deferred; 2]) -> ValueId {
        let (bits, signed) = match ty {
            TestType::U16 => (16, false),
            TestType::S16 => (16, true),
            TestType::U8 => (8, false),
            TestType::S8 => (8, true),
            TestType::U32 => (32, false),
            TestType::S32 | TestType::F32 => (32, true),
        };
        let offset = element * bits % 32;
        let [a, b] = vals.map(|val| {
            let word = self.l.force(val, Type::I32);
            self.element(word, offset, bits, signed)
        });
        let (less, less_equal) = if signed { (Op::Ilt, Op::Ile) } else { (Op::Ult, Op::Ule) };
        let (op, args) = match relation {
            Relation::Zero | Relation::Equal | Relation::Carry => (Op::Ieq, [a, b]),
            Relation::NotEqual => (Op::Ine, [a, b]),
            Relation::Positive | Relation::Greater => (less, [b, a]),
            Relation::NotNegative | Relation::GreaterEqual => (less_equal, [b, a]),
            Relation::Less => (less, [a, b]),
            Relation::LessEqual => (less_equal, [a, b]),
        };
        self.l.b.int(op, &args)
    }

    /// What the outputs of a main group are.
    pub(super) fn outputs(&mut self, group: &Group, choice: Option<&Operation>, feeds: &Feeds) -> [Deferred; 2] {
        if feeds.outputs.iter().any(Option::is_some) {
            return feeds.outputs.map(|val| val.unwrap_or(Deferred::word(0)));
        }
        // Which outputs anybody looks at: a backend operation sees both.
        let backend = group.operation(Phase::Backend).is_some();
        let wanted = [0, 1].map(|n| backend || group.output_code(n).is_some());
        let default = |ctx: &mut Self, n: usize, feed: Feed| {
            if wanted[n] { ctx.feed(group, feed, feeds) } else { Deferred::word(0) }
        };
        let defaults = [default(self, 0, group.selected(&fields::IS4)), default(self, 1, group.selected(&fields::IS5))];
        let Some(choice) = choice else { return defaults };
        let [first, second] = choice.moved();
        let chosen = [default(self, 0, first), default(self, 1, second)];
        let first = self.bytes(choice.bytes(), chosen[0], defaults[0]);
        if choice.opcode() == Opcode::Mov {
            return [first, defaults[1]];
        }
        let Some(test) = feeds.test else { return defaults };
        let mut outputs = defaults;
        for (n, yes) in [first, chosen[1]].into_iter().enumerate() {
            if wanted[n] && yes != defaults[n] {
                outputs[n] = self.l.choose(test, yes, defaults[n], Type::F32);
            }
        }
        outputs
    }

    /// These bytes of one word, the others of another.
    fn bytes(&mut self, mask: u32, chosen: Deferred, other: Deferred) -> Deferred {
        match mask & 15 {
            15 => chosen,
            0 => other,
            _ if chosen == other => chosen,
            mask => {
                let bits =
                    (0..4).filter(|byte| mask >> byte & 1 != 0).fold(0u32, |bits, byte| bits | 0xff << (8 * byte));
                let words = [chosen, other].map(|val| self.l.force(val, Type::I32));
                let masks = [bits, !bits].map(|bits| self.l.b.i32(bits));
                let kept = [0, 1].map(|n| self.l.b.int(Op::Iand, &[words[n], masks[n]]));
                self.l.b.int(Op::Ior, &kept).into()
            }
        }
    }
}
