//! Appends ops at a place, inferring result types.

use crate::{
    ArrayId, EntityList, EntityRef, Func, OpData, OpId, OpKind, Operand, Origins, RegionData, RegionId, SlotId,
    SourceId, Type, ValueData, ValueDef, ValueId,
};
use parallax_num::{self as num, Decl, Slot};

/// A cursor at the end of a region. Ops get the current source as origin.
pub struct Builder<'f> {
    /// The function being built.
    pub func: &'f mut Func,
    region: RegionId,
    source: Option<SourceId>,
}

impl<'f> Builder<'f> {
    /// A cursor at the end of `region`.
    pub fn at(func: &'f mut Func, region: RegionId) -> Self {
        Builder { func, region, source: None }
    }

    /// The region ops are appended to.
    #[inline]
    pub fn region(&self) -> RegionId {
        self.region
    }

    /// Moves to the end of another region; returns the old one.
    #[inline]
    pub fn switch_to(&mut self, region: RegionId) -> RegionId {
        std::mem::replace(&mut self.region, region)
    }

    /// Sets the origin of the ops that follow.
    #[inline]
    pub fn set_source(&mut self, source: Option<SourceId>) {
        self.source = source;
    }

    /// A new, empty region, in no op yet.
    pub fn new_region(&mut self) -> RegionId {
        /// Few branches hold more.
        const OPS: usize = 16;
        self.func.regions.push(RegionData { ops: Vec::with_capacity(OPS), ..RegionData::default() })
    }

    /// Appends any op.
    pub fn op(&mut self, kind: OpKind, slot: Option<SlotId>, args: &[ValueId], results: &[Type]) -> OpId {
        self.op_with_regions(kind, slot, args, &[], results)
    }

    /// Appends an op that holds regions.
    pub fn op_with_regions(
        &mut self,
        kind: OpKind,
        slot: Option<SlotId>,
        args: &[ValueId],
        regions: &[RegionId],
        results: &[Type],
    ) -> OpId {
        let data = OpData {
            kind,
            slot,
            rule: None,
            args: EntityList::of(args),
            regions: EntityList::of(regions),
            results: EntityList::new(),
            origins: self.source.map_or_else(Origins::new, Origins::one),
        };
        self.func.push_op(self.region, data, results)
    }

    /// Appends an op with one result, which nearly all are.
    #[inline(always)]
    fn one(&mut self, kind: impl FnOnce() -> OpKind, slot: Option<SlotId>, args: &[ValueId], result: Type) -> ValueId {
        let none = ValueId::new(0);
        let (count, first, others) = match *args {
            [] => (0, none, (none, none)),
            [a] => (1, a, (a, a)),
            [a, b] => (2, a, (b, b)),
            [a, b, c] => (3, a, (b, c)),
            _ => {
                let op = self.op(kind(), slot, args, &[result]);
                return self.func.ops[op].results[0];
            }
        };
        self.append(kind, slot, count, first, others, result)
    }

    /// The same with the first `count` of three operands. The record is built where it stays: building it elsewhere and
    /// copying it would cost more than everything else done here. So what it is made of comes in registers: operands in memory are
    /// read in larger pieces than they were just written in, and the processor waits for that. A function of its own, so that growing the
    /// list of ops is compiled into it.
    #[inline(never)]
    fn append(
        &mut self,
        kind: impl FnOnce() -> OpKind,
        slot: Option<SlotId>,
        count: usize,
        first: ValueId,
        others: (ValueId, ValueId),
        result: Type,
    ) -> ValueId {
        let func = &mut *self.func;
        let source = self.source;
        let op = func.ops.next_key();
        let value = func.values.push(ValueData { ty: result, def: ValueDef::Result(op, 0) });
        func.regions[self.region].ops.push(op);
        func.ops.push_with(|| OpData {
            kind: kind(),
            slot,
            rule: None,
            args: EntityList::few(count, [first, others.0, others.1]),
            regions: EntityList::new(),
            results: EntityList::one(value),
            origins: EntityList::few(usize::from(source.is_some()), [source.unwrap_or(SourceId::new(0)); 3]),
        });
        value
    }

    /// The same of any kind.
    #[inline]
    fn any(&mut self, kind: OpKind, slot: Option<SlotId>, args: &[ValueId], result: Type) -> ValueId {
        self.one(move || kind, slot, args, result)
    }

    /// An op of numbers.
    #[inline]
    fn number(&mut self, op: num::Op, slot: Option<SlotId>, args: &[ValueId], result: Type) -> ValueId {
        self.one(move || OpKind::Num(op), slot, args, result)
    }

    /// An arithmetic op under a slot.
    ///
    /// # Panics
    /// If the op has no slot (debug builds).
    #[inline]
    pub fn num(&mut self, op: num::Op, slot: SlotId, args: &[ValueId]) -> ValueId {
        debug_assert!(op.has_slot());
        let result = self.result_type(op, self.func.slots[slot].decl);
        self.number(op, Some(slot), args, result)
    }

    /// An integer or predicate op, which has no slot.
    ///
    /// # Panics
    /// If the op has a slot (debug builds).
    #[inline]
    pub fn int(&mut self, op: num::Op, args: &[ValueId]) -> ValueId {
        debug_assert!(!op.has_slot());
        let result = self.result_type(op, Decl::F32);
        self.number(op, None, args, result)
    }

    #[inline]
    fn result_type(&self, op: num::Op, decl: Decl) -> Type {
        match op.info().result {
            num::Kind::F | num::Kind::AnyF => Type::Float(decl),
            num::Kind::I32 => Type::I32,
            num::Kind::I64 => Type::I64,
            num::Kind::Pred => Type::Pred,
            num::Kind::Cc => Type::Cc,
        }
    }

    /// A float literal given as a pattern of the slot's declared format.
    #[inline]
    pub fn float(&mut self, slot: SlotId, bits: u64) -> ValueId {
        let ty = Type::Float(self.func.slots[slot].decl);
        self.literal(bits, Some(slot), ty)
    }

    /// A literal of any type; of a float the slot says the format.
    #[inline]
    pub fn literal(&mut self, bits: u64, slot: Option<SlotId>, ty: Type) -> ValueId {
        self.one(move || OpKind::Literal(bits), slot, &[], ty)
    }

    /// An `i32` literal.
    #[inline]
    pub fn i32(&mut self, value: u32) -> ValueId {
        self.literal(u64::from(value), None, Type::I32)
    }

    /// An `i64` literal.
    pub fn i64(&mut self, value: u64) -> ValueId {
        self.literal(value, None, Type::I64)
    }

    /// A predicate literal.
    #[inline]
    pub fn pred(&mut self, value: bool) -> ValueId {
        self.literal(u64::from(value), None, Type::Pred)
    }

    /// `pred ? a : b`.
    #[inline]
    pub fn select(&mut self, pred: ValueId, a: ValueId, b: ValueId) -> ValueId {
        let ty = self.func.ty(a);
        self.one(|| OpKind::Select, None, &[pred, a, b], ty)
    }

    /// A read (`Const`, `ConstAt`, `Attr`, `AttrAt`) as a float under `slot`.
    #[inline]
    pub fn read_float(&mut self, kind: OpKind, slot: SlotId, args: &[ValueId]) -> ValueId {
        let ty = Type::Float(self.func.slots[slot].decl);
        self.any(kind, Some(slot), args, ty)
    }

    /// A read (`Const`, `ConstAt`, `Attr`, `AttrAt`, `Sys`) as raw bits.
    #[inline]
    pub fn read_bits(&mut self, kind: OpKind, args: &[ValueId]) -> ValueId {
        self.any(kind, None, args, Type::I32)
    }

    /// Any single-result op without slot whose result has the type of its first operand (`QuadXor`) or is a
    /// predicate (`QuadAny`, `QuadAll`).
    #[inline]
    pub fn quad(&mut self, kind: OpKind, arg: ValueId) -> ValueId {
        let ty = if matches!(kind, OpKind::QuadXor { .. }) { self.func.ty(arg) } else { Type::Pred };
        self.any(kind, None, &[arg], ty)
    }

    /// Any op with one result whose type follows from its kind, slot and operands.
    ///
    /// # Panics
    /// If it does not follow (debug builds).
    pub fn value(&mut self, kind: OpKind, slot: Option<SlotId>, args: &[ValueId]) -> ValueId {
        let decl = slot.map(|slot| self.func.slots[slot].decl);
        let same = kind.operands().iter().position(|asked| *asked == Operand::Same).map(|n| self.func.ty(args[n]));
        let ty = kind.results().first().and_then(|result| result.ty(decl)).or(same);
        debug_assert!(ty.is_some(), "{kind} does not say what it gives");
        self.any(kind, slot, args, ty.unwrap_or(Type::I32))
    }

    /// A derivative.
    pub fn deriv(&mut self, kind: OpKind, slot: SlotId, arg: ValueId) -> ValueId {
        let ty = self.func.ty(arg);
        self.any(kind, Some(slot), &[arg], ty)
    }

    /// A texture lookup; four results under `slot`.
    pub fn tex(&mut self, op: crate::TexOp, slot: SlotId, args: &[ValueId]) -> [ValueId; 4] {
        let ty = Type::Float(self.func.slots[slot].decl);
        let id = self.op(OpKind::Tex(op), Some(slot), args, &[ty; 4]);
        let r = &self.func.ops[id].results;
        [r[0], r[1], r[2], r[3]]
    }

    /// A texture lookup that gives the words of texels.
    pub fn tex_bits(&mut self, op: crate::TexOp, args: &[ValueId]) -> [ValueId; 4] {
        let id = self.op(OpKind::Tex(crate::TexOp { bits: true, ..op }), None, args, &[Type::I32; 4]);
        let r = &self.func.ops[id].results;
        [r[0], r[1], r[2], r[3]]
    }

    /// Loads an array element.
    pub fn array_load(&mut self, array: ArrayId, index: ValueId) -> ValueId {
        let ty = self.func.arrays[array].ty;
        self.any(OpKind::ArrayLoad(array), None, &[index], ty)
    }

    /// Interns a slot.
    pub fn slot(&mut self, slot: Slot) -> SlotId {
        self.func.slot(slot)
    }
}
