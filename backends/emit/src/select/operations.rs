//! Arithmetic: the meanings of the target's rows, read backwards.

use super::{Held, Select};
use crate::form::{Arg, Base, Lanes, Operand, Signs};
use crate::interface::UNDIVIDED;
use crate::target::{Meaning, Row, Truth, picked};
use parallax_core::{AttrSemantic, EntityRef, Interp, OpId, ValueId};
use parallax_lift::vector::widths;
use parallax_num::{Decl, Kind, Op, Saturate, Slot};
use smallvec::SmallVec;

impl Select<'_> {
    /// An operation on numbers.
    pub(super) fn num(&mut self, op: OpId, num: Op) {
        let data = &self.func.ops[op];
        let result = data.results[0];
        if let Some(row) = self.rows.of_floats(num)
            && let Some(id) = data.slot
            && let Some(slot) = self.slots[id.index()]
            && self.func.slots[id].decl == Decl::F32
            && (num != Op::Mul || self.undoes.is_empty())
        {
            // Most of a program.
            let own = self.own(result);
            let arg = |n: usize| self.loose_arg(data.args[n]);
            match data.args.len() {
                1 => self.each(row, slot, &[arg(0)], own),
                2 => self.each(row, slot, &[arg(0), arg(1)], own),
                _ => self.each(row, slot, &[arg(0), arg(1), arg(2)], own),
            };
            return;
        }
        if !self.fits(self.func.ty(result)) || !data.args.iter().all(|&arg| self.fits(self.func.ty(arg))) {
            return;
        }
        if num.info().result == Kind::Pred {
            return self.condition(result, num, &data.args);
        }
        let slot = if num.has_slot() {
            let Some(slot) = self.slot(op) else { return };
            slot
        } else {
            Slot::plain(Decl::F32)
        };
        let declared = data.slot.map_or(Decl::F32, |slot| self.func.slots[slot].decl);
        if num == Op::Cvt && slot.saturate == Saturate::None && self.converted(result, data.args[0], declared) {
            return self.round_half(result);
        }
        if self.counted(result, num, slot, data) {
            return;
        }
        // Instructions of a format convert what they read; bits and conversions are those of what is there.
        let reads_loose = num.has_slot() && !matches!(num, Op::Neg | Op::Abs | Op::BitsOf | Op::CcOf | Op::Cvt);
        let args: SmallVec<[Arg; 8]> = data
            .args
            .iter()
            .map(|&arg| {
                if !reads_loose {
                    return self.arg(arg);
                }
                let arg = self.loose_arg(arg);
                self.readable(slot, arg)
            })
            .collect();
        if declared == Decl::F16 && matches!(num, Op::BitsOf | Op::BitsTo) {
            if !self.bits_of_half(result, num, args[0]) {
                self.refuse_op(num);
            }
            return;
        }
        if let Some(arg) = self.sign_change(num, &args) {
            return self.hold(result, arg);
        }
        if slot.saturate == Saturate::None {
            match num {
                Op::Neg | Op::Abs => {
                    self.hold(result, if num == Op::Neg { args[0].negated() } else { args[0].magnitude() });
                    return self.sign_is_loose(result, declared);
                }
                // Registers hold bits.
                Op::BitsOf | Op::BitsTo | Op::CcOf => return self.hold(result, args[0]),
                Op::Cvt => {
                    self.notes.inexact("a conversion to the format that a value has as a move: other bits under rules that flush or quiet");
                    return self.hold(result, args[0]);
                }
                Op::Mul => {
                    if let Some(arg) = self.undivided(args[0], args[1]).or_else(|| self.undivided(args[1], args[0])) {
                        return self.hold(result, arg);
                    }
                }
                _ => {}
            }
        }
        if !self.try_op(result, num, slot, &args) {
            self.refuse_op(num);
        }
        if matches!(num, Op::Add | Op::Sub | Op::Mul | Op::Cvt) {
            self.round_half(result);
        }
        if num == Op::Rcp
            && let (Base::Attr { index, comp: 3 }, Base::Value(value)) = (args[0].base(), self.arg(result).base())
            && self.func.iface.attrs.get(usize::from(index)).is_some_and(|attr| attr.semantic == AttrSemantic::Position)
            && !args[0].has_signs()
        {
            self.undoes.push(value);
        }
    }

    /// Whether an operation is one on whole numbers that the target does not compute with.
    pub(super) fn is_whole(&self, num: Op) -> bool {
        let mut kinds = num.info().args.iter().chain([&num.info().result]);
        !self.target.abilities.integers && kinds.any(|kind| *kind == Kind::I32)
    }

    /// Refuses an operation.
    fn refuse_op(&mut self, num: Op) {
        if self.is_whole(num) {
            self.refuse_whole(num);
        } else {
            self.missing(num.name());
        }
    }

    /// Refuses an operation on whole numbers.
    pub(super) fn refuse_whole(&mut self, num: Op) {
        self.refuse(format!("whole numbers (`{}`): {} computes with floats alone", num.name(), self.target.title));
    }

    /// An operation on the sign bit alone, as signs of an operand.
    fn sign_change(&self, num: Op, args: &[Arg]) -> Option<Arg> {
        // Where integers are computed with, their operands have no signs of floats.
        if self.target.abilities.integers && self.target.abilities.truth != Truth::Predicate {
            return None;
        }
        let (arg, bits) = match args {
            [arg, mask] if mask.bits().is_some() => (*arg, mask.bits()?),
            [mask, arg] if mask.bits().is_some() => (*arg, mask.bits()?),
            _ => return None,
        };
        match (num, bits) {
            (Op::Ixor, 0x8000_0000) => Some(arg.negated()),
            (Op::Iand, 0x7fff_ffff) => Some(arg.magnitude()),
            (Op::Ior, 0x8000_0000) => Some(arg.magnitude().negated()),
            _ => None,
        }
    }

    /// An attribute over w that is multiplied by w: the attribute, interpolated with perspective.
    fn undivided(&mut self, attr: Arg, w: Arg) -> Option<Arg> {
        let (Base::Attr { index, comp }, Base::Value(w)) = (attr.base(), w.base()) else { return None };
        let is_over = self.func.iface.attrs.get(usize::from(index)).is_some_and(|attr| attr.interp == Interp::OverW);
        // A set that reads attributes over w itself keeps them.
        if !is_over || self.target.abilities.over_w || !self.undoes.contains(&w) {
            return None;
        }
        self.notes
            .inexact("an attribute over w times w, as the attribute with perspective: other bits where w is not 1");
        Some(attr.with_base(Base::Attr { index: index | UNDIVIDED, comp }))
    }

    /// Whether the target computes an operation in its own instructions; if so, the result holds it.
    pub(super) fn try_op(&mut self, result: ValueId, num: Op, slot: Slot, args: &[Arg]) -> bool {
        if self.is_whole(num) && !matches!(num, Op::PackHalf2 | Op::UpHalf) {
            return self.expand(result, num, slot, args);
        }
        let own = result.index() as u32;
        if let Some(row) = self.rows.get(Meaning::Each(num)) {
            let own = self.own(result);
            let known = self.each(row, slot, args, own);
            self.stand_for(own, known);
            return true;
        }
        if let Some(row) = self.rows.get(Meaning::Scalar(num)).or_else(|| self.rows.get(Meaning::ByScalar(num))) {
            self.own(result);
            let operands = args.iter().enumerate().map(|(n, &arg)| Operand::one(self.signed(row, n, arg))).collect();
            self.put(row, slot, operands, own);
            return true;
        }
        if let Some(row) = self.rows.get(Meaning::Dot(num)) {
            self.own(result);
            let mut from = 0;
            let mut operands = SmallVec::new();
            for (n, &width) in widths(num).iter().enumerate() {
                let mut lanes = [None; 4];
                // The last three components of the second operand of a homogeneous product follow each other.
                lanes.iter_mut().zip(&args[from..from + width]).for_each(|(lane, arg)| *lane = Some(*arg));
                operands.push(self.gathered(row, n, lanes));
                from += width;
            }
            self.put(row, slot, operands, own);
            return true;
        }
        if let Some(row) = self.rows.get(Meaning::Pack(num)) {
            self.own(result);
            let mut lanes = [None; 4];
            lanes.iter_mut().zip(args).for_each(|(lane, arg)| *lane = Some(*arg));
            let operand = self.gathered(row, 0, lanes);
            self.put(row, slot, SmallVec::from_iter([operand]), own);
            return true;
        }
        if let Some((row, comp, picks)) = self.rows.part(num) {
            self.own(result);
            let count = picks.iter().map(|pick| usize::from(pick.0) + 1).max().unwrap_or(0);
            let mut operands = SmallVec::new();
            for n in 0..count {
                let mut lanes = [None; 4];
                for (&pick, &arg) in picks.iter().zip(args).filter(|(pick, _)| usize::from(pick.0) == n) {
                    lanes[picked(pick)] = Some(arg);
                }
                operands.push(self.gathered(row, n, lanes));
            }
            self.put_at(row, slot, comp, operands, own);
            return true;
        }
        self.expand(result, num, slot, args)
    }

    /// An operation of others, where the target has none of its own.
    pub(super) fn expand(&mut self, result: ValueId, num: Op, slot: Slot, args: &[Arg]) -> bool {
        let plain = Slot { saturate: Saturate::None, ..slot };
        match (num, args) {
            (Op::UpHalf | Op::UpUnorm16 | Op::UpBiased8 | Op::UpUnorm8, &[word]) => {
                let width = if matches!(num, Op::UpHalf | Op::UpUnorm16) { 16 } else { 8 };
                let Some(row) = self.rows.get(Meaning::Unpack(num, width)) else { return false };
                let own = self.own(result);
                let operand = Operand::one(self.signed(row, 0, word));
                self.put_at(row, slot, 0, SmallVec::from_iter([operand]), own);
                true
            }
            (Op::Sub, &[a, b]) => {
                self.notes.inexact("`sub` as ADD of the negated operand: NaN operands keep the other sign");
                self.try_op(result, Op::Add, slot, &[a, b.negated()])
            }
            (Op::Isub, &[a, b]) => {
                let Some(row) = self.rows.get(Meaning::Each(Op::Ineg)) else { return false };
                let fresh = self.fresh();
                let negated = self.each(row, plain, &[b], fresh);
                self.try_op(result, Op::Iadd, slot, &[a, Arg::value(negated)])
            }
            (Op::Fma, &[a, b, c]) => {
                self.notes.inexact_elsewhere("`fma` as MAD: other bits under rules whose multiply-add rounds twice");
                self.try_op(result, Op::Mad, slot, &[a, b, c])
            }
            (Op::Dot2, &[a0, a1, b0, b1]) => {
                let [Some(mul), Some(mad)] = [Op::Mul, Op::Mad].map(|op| self.rows.get(Meaning::Each(op))) else {
                    return false;
                };
                self.notes.inexact_elsewhere(
                    "`dot2` as MUL, MAD: other bits under rules that sum dot products in another order or width",
                );
                let first = self.fresh();
                let first = self.each(mul, plain, &[a0, b0], first);
                let own = self.own(result);
                let known = self.each(mad, slot, &[a1, b1, Arg::value(first)], own);
                self.stand_for(own, known);
                true
            }
            (Op::Div, &[a, b]) => {
                let [Some(mul), Some(rcp)] =
                    [Meaning::Each(Op::Mul), Meaning::Scalar(Op::Rcp)].map(|m| self.rows.get(m))
                else {
                    return false;
                };
                self.notes.inexact("`div` as RCP, MUL: other bits under every rule that rounds both");
                let first = self.fresh();
                let operand = self.signed(rcp, 0, b);
                let first = self.put(rcp, plain, SmallVec::from_iter([Operand::one(operand)]), first);
                let own = self.own(result);
                let known = self.each(mul, slot, &[a, Arg::value(first)], own);
                self.stand_for(own, known);
                true
            }
            (Op::Lrp, &[a, b, c]) => {
                let ops = [Op::Add, Op::Mul, Op::Mad].map(|op| self.rows.get(Meaning::Each(op)));
                let [Some(add), Some(mul), Some(mad)] = ops else { return false };
                self.notes.inexact_elsewhere(
                    "`lrp` as ADD, MUL, MAD: other bits under rules whose blend has another formula or rounding",
                );
                let rest = self.fresh();
                let rest = self.each(add, plain, &[Arg::imm(0x3f80_0000), a.negated()], rest);
                let part = self.fresh();
                let part = self.each(mul, plain, &[Arg::value(rest), c], part);
                let own = self.own(result);
                let known = self.each(mad, slot, &[a, b, Arg::value(part)], own);
                self.stand_for(own, known);
                true
            }
            (Op::Pow, &[a, b]) => {
                let ops = [Op::Log2, Op::Exp2].map(|op| self.rows.get(Meaning::Scalar(op)));
                let [Some(log), Some(exp)] = ops else { return false };
                let Some(mul) = self.rows.get(Meaning::Each(Op::Mul)) else { return false };
                self.notes.inexact("`pow` as LG2, MUL, EX2: other bits under rules whose power is no such chain");
                let base = self.signed(log, 0, a);
                let first = self.fresh();
                let first = self.put(log, plain, SmallVec::from_iter([Operand::one(base)]), first);
                let product = self.fresh();
                let product = self.each(mul, plain, &[Arg::value(first), b], product);
                let own = self.own(result);
                let operand = Operand::one(Arg::value(product));
                self.put(exp, slot, SmallVec::from_iter([operand]), own);
                true
            }
            (Op::Floor, &[a]) => {
                let [Some(frac), Some(add)] = [Op::Frac, Op::Add].map(|op| self.rows.get(Meaning::Each(op))) else {
                    return false;
                };
                self.notes.inexact("`floor` as FRC, ADD: other bits of infinities, and where the fraction is rounded");
                let part = self.fresh();
                let part = self.each(frac, plain, &[a], part);
                let own = self.own(result);
                let known = self.each(add, slot, &[a, Arg::value(part).negated()], own);
                self.stand_for(own, known);
                true
            }
            (Op::Ceil, &[a]) => {
                let rows = [Meaning::Each(Op::Floor), Meaning::Move].map(|meaning| self.rows.get(meaning));
                let [Some(row), Some(moves)] = rows else { return false };
                let first = self.fresh();
                let first = self.each(row, plain, &[a.negated()], first);
                let whole = Arg::value(first).negated();
                if slot.saturate == Saturate::None {
                    self.hold(result, whole);
                } else {
                    let own = self.own(result);
                    let known = self.each(moves, slot, &[whole], own);
                    self.stand_for(own, known);
                }
                true
            }
            (Op::Sqrt, &[a]) => {
                let [Some(rsq), Some(rcp)] = [Op::Rsq, Op::Rcp].map(|op| self.rows.get(Meaning::Scalar(op))) else {
                    return false;
                };
                self.notes.inexact("`sqrt` as RSQ, RCP: other bits under every rule that rounds both");
                let first = self.fresh();
                let operand = self.signed(rsq, 0, a);
                let operand = SmallVec::from_iter([Operand::one(operand)]);
                let first = self.put(rsq, plain, operand, first);
                let own = self.own(result);
                let operand = SmallVec::from_iter([Operand::one(Arg::value(first))]);
                self.put(rcp, slot, operand, own);
                true
            }
            (Op::F2iFloor | Op::F2iCeil | Op::F2iRint | Op::F2uFloor | Op::F2uCeil | Op::F2uRint, &[a]) => {
                let (shape, to) = match num {
                    Op::F2iFloor => (Op::Floor, Op::F2iTrunc),
                    Op::F2iCeil => (Op::Ceil, Op::F2iTrunc),
                    Op::F2iRint => (Op::Rint, Op::F2iTrunc),
                    Op::F2uFloor => (Op::Floor, Op::F2uTrunc),
                    Op::F2uCeil => (Op::Ceil, Op::F2uTrunc),
                    _ => (Op::Rint, Op::F2uTrunc),
                };
                let Some(row) = self.rows.get(Meaning::Each(shape)) else { return false };
                let whole = self.fresh();
                let whole = self.each(row, plain, &[a], whole);
                self.try_op(result, to, slot, &[Arg::value(whole)])
            }
            // The low word by one less than is missing, after one: so that a count of zero leaves nothing of it.
            (Op::FunnelShl | Op::FunnelShr, &[a, b, c]) => {
                let (near, far, x, y) =
                    if num == Op::FunnelShl { (Op::Shl, Op::Ushr, b, a) } else { (Op::Ushr, Op::Shl, a, b) };
                let ops = [near, far, Op::Inot].map(|op| self.rows.get(Meaning::Each(op)));
                let [Some(near), Some(far), Some(not)] = ops else { return false };
                let mut step = |row, args: &[Arg]| {
                    let fresh = self.fresh();
                    Arg::value(self.each(row, plain, args, fresh))
                };
                let first = step(near, &[x, c]);
                let one = step(far, &[y, Arg::imm(1)]);
                let count = step(not, &[c]);
                let second = step(far, &[one, count]);
                self.try_op(result, Op::Ior, slot, &[first, second])
            }
            (Op::Cvt, &[a]) => {
                let Some(row) = self.rows.get(Meaning::Move) else { return false };
                let own = self.own(result);
                let known = self.each(row, slot, &[a], own);
                self.stand_for(own, known);
                true
            }
            (Op::Neg | Op::Abs, &[a]) => {
                let arg = if num == Op::Neg { a.negated() } else { a.magnitude() };
                self.expand(result, Op::Cvt, slot, &[arg])
            }
            _ => self.expand_further(result, num, slot, args),
        }
    }

    /// The components of an operand: of one sign, as instructions have it for all of them.
    pub(super) fn gathered(&mut self, row: Row, n: usize, args: [Option<Arg>; 4]) -> Operand {
        let args = args.map(|arg| arg.map(|arg| self.signed(row, n, arg)));
        let mut signs: Option<Signs> = None;
        let mut uniform = true;
        for arg in args.iter().flatten().filter(|arg| arg.bits().is_none()) {
            uniform &= *signs.get_or_insert(arg.signs()) == arg.signs();
        }
        let signs = signs.unwrap_or_default();
        let undone = |bits: u32| {
            // The bits that become these under the signs of the operand.
            let bits = if signs.negate { bits ^ 0x8000_0000 } else { bits };
            (!signs.absolute || bits >> 31 == 0).then_some(bits)
        };
        uniform &= args.iter().flatten().filter_map(|arg| arg.bits()).all(|bits| undone(bits).is_some());
        let mut lanes = [None; 4];
        for (lane, arg) in lanes.iter_mut().zip(args) {
            let Some(arg) = arg else { continue };
            *lane = Some(match arg.bits() {
                Some(bits) if uniform => Base::Imm(undone(bits).unwrap_or(bits)),
                _ if uniform || !arg.has_signs() => arg.base(),
                _ => Base::Value(self.moved(arg, false)),
            });
        }
        Operand { lanes, signs: if uniform { signs } else { Signs::default() } }
    }

    /// An instruction whose result is in a component of its own.
    pub(super) fn put_at(&mut self, row: Row, slot: Slot, comp: u8, operands: SmallVec<[Operand; 3]>, result: u32) {
        use crate::form::{Instr, Node};
        if self.expands_clamp(slot) {
            let raw = self.fresh();
            self.put_at(row, Slot { saturate: Saturate::None, ..slot }, comp, operands, raw);
            self.clamped(raw, result);
            return;
        }
        let (precision, _) = self.kind(row, slot, result);
        let mut results = [None; 4];
        results[usize::from(comp)] = Some(result);
        let saturate = slot.saturate == Saturate::Unsigned;
        let instr = Instr {
            row,
            saturate,
            precise: false,
            precision,
            lanes: Lanes::Fixed,
            operands,
            results,
            texture: None,
            changes: false,
            origin: self.origin,
        };
        self.nodes.push(Node::Op(Box::new(instr)));
    }

    /// What a condition compares, if its users make the comparison.
    pub(super) fn comparison(&self, value: ValueId) -> Option<(Op, Arg, Arg)> {
        match self.held[value.index()] {
            Some(Held::Compared(number)) => Some(self.comparisons[number as usize]),
            _ => None,
        }
    }
}
