//! The lifter: variables over a builder.

use crate::control::{Edge, Frame, FrameKind, Log, Scratch};
use crate::meet::Views;
use crate::params::{ALIAS, OPEN, Param, Settling};
use crate::variable::{Deferred, DeferredKind, ParamId, Reads, VarId, Variable};
use parallax_core::{
    ArrayDecl, ArrayId, Builder, EntityRef, Func, OpId, OpKind, RegionId, SlotId, Source, SourceId, Type, ValueDef,
    ValueId,
};
use parallax_num::{Decl, Op, Slot};
use parallax_text::Diag;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::Cell;

/// Literals that one op takes: bits, type and value.
#[derive(Default)]
pub(crate) struct SharedLiterals(Vec<(u32, Type, ValueId)>);

impl SharedLiterals {
    /// Forgets those of another op.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}

/// Turns reads and writes of variables under structured control into SSA.
///
/// A frontend makes variables for its registers, emits ops through [`Lifter::b`], reads and writes variables, and opens and
/// closes `if`s, loops and blocks; regions, parameters and results follow by themselves. Code after a jump may be lifted
/// like any other: it goes nowhere.
pub struct Lifter<'f> {
    /// Where ops are appended. Do not switch regions by hand.
    pub b: Builder<'f>,
    pub(crate) variables: Vec<Variable>,
    pub(crate) reads: Reads,
    pub(crate) params: Vec<Param>,
    pub(crate) views: Vec<Views>,
    pub(crate) frames: Vec<Frame>,
    /// Empty lists that frames had, for others.
    pub(crate) logs: Vec<Log>,
    pub(crate) edges: Vec<Edge>,
    /// Empty lists that edges had, for others.
    pub(crate) spare: Vec<Vec<(VarId, Deferred)>>,
    /// Variables that loops listed while they were settled.
    pub(crate) listed: u32,
    pub(crate) scratch: Scratch,
    pub(crate) settling: Settling,
    /// Empty lists of parameters that loops had, for others.
    pub(crate) param_lists: Vec<Vec<ParamId>>,
    pub(crate) serial: u32,
    pub(crate) live: bool,
    pub(crate) nowhere: RegionId,
    pub(crate) source: Option<SourceId>,
    /// Parameters that were found to be something else, with the body of their loop; see [`ALIAS`].
    pub(crate) alias: Vec<(ValueId, RegionId)>,
    /// Number of the first op that may take one of these.
    pub(crate) first_alias: usize,
    pub(crate) plain: [Option<SlotId>; Decl::ALL.len()],
    /// Float arrays that hold or are read as bits.
    pub(crate) arrays_with_bits: FxHashSet<ArrayId>,
    /// The array of bits of a float array that holds bits too.
    pub(crate) bits_of_array: FxHashMap<ArrayId, ArrayId>,
    pub(crate) errors: Vec<Diag>,
    /// How many more values may be passed between regions.
    pub(crate) budget: usize,
}

/// No program may pass more values than this between regions, counted at every way out of every construct. Keeps
/// programs made to be large from taking all memory.
pub const MAX_PASSED: usize = 1 << 21;

/// The lists that a lifter fills. Each thread keeps them, emptied, for its next program: most programs are so short that growing new ones
/// takes a large part of the time.
#[derive(Default)]
struct Lists {
    variables: Vec<Variable>,
    params: Vec<Param>,
    views: Vec<Views>,
    frames: Vec<Frame>,
    logs: Vec<Log>,
    edges: Vec<Edge>,
    spare: Vec<Vec<(VarId, Deferred)>>,
    scratch: Scratch,
    settling: Settling,
    param_lists: Vec<Vec<ParamId>>,
    alias: Vec<(ValueId, RegionId)>,
}

thread_local! {
    static LISTS: Cell<Lists> = Cell::default();
}

/// Most variables, and most lists of a kind, that are kept.
const KEPT: usize = 1 << 12;

impl Lists {
    /// Whether they are those of a program of usual size.
    fn are_small(&self) -> bool {
        let Lists { variables, params, views, logs, spare, param_lists, alias, .. } = self;
        let lists = [logs.len(), spare.len(), param_lists.len()];
        let large = lists.into_iter().max().unwrap_or(0).max(params.capacity()).max(views.capacity());
        large.max(variables.capacity()).max(alias.capacity()) <= KEPT
    }
}

impl<'f> Lifter<'f> {
    /// Starts at the beginning of the body of `func`.
    pub fn new(func: &'f mut Func) -> Self {
        let body = func.body;
        let nowhere = func.regions.push(parallax_core::RegionData::default());
        let b = Builder::at(func, body);
        let mut root = Frame::new(FrameKind::Root, 0, body, body, OpId::new(0), 0, 0);
        let Lists {
            mut frames,
            variables,
            params,
            views,
            mut logs,
            edges,
            spare,
            scratch,
            settling,
            param_lists,
            alias,
        } = LISTS.try_with(Cell::take).unwrap_or_default();
        root.log = logs.pop().unwrap_or_default();
        frames.push(root);
        Lifter {
            b,
            variables,
            reads: Reads::default(),
            params,
            views,
            frames,
            logs,
            edges,
            spare,
            listed: 0,
            scratch,
            settling,
            param_lists,
            serial: 0,
            live: true,
            nowhere,
            source: None,
            alias,
            first_alias: usize::MAX,
            plain: [None; Decl::ALL.len()],
            arrays_with_bits: FxHashSet::default(),
            bits_of_array: FxHashMap::default(),
            errors: Vec::new(),
            budget: MAX_PASSED,
        }
    }

    /// Takes `count` values from the budget; `false`, with an error, when it is spent.
    pub(crate) fn afford(&mut self, count: usize) -> bool {
        if count <= self.budget {
            self.budget -= count;
            return true;
        }
        if self.budget > 0 {
            self.budget = 0;
            let message = format!("the program passes more than {MAX_PASSED} values between its blocks");
            self.errors.push(Diag { span: None, ..Diag::unsupported("lift-size", Default::default(), message) });
        }
        false
    }

    /// How many constructs are open, the body included.
    pub fn depth(&self) -> usize {
        self.frames.len()
    }

    /// Whether some lane can get here. What is lifted where none can is dropped.
    #[inline]
    pub fn live(&self) -> bool {
        self.live
    }

    // ---- sources ----

    /// Registers a source instruction; it becomes the origin of nothing until [`Lifter::at`] names it.
    pub fn add_source(&mut self, line: u32, offset: u32, text: &str) -> SourceId {
        self.b.func.sources.push(Source { line, offset, text })
    }

    /// Sets the origin of the ops that follow.
    #[inline]
    pub fn at(&mut self, source: Option<SourceId>) {
        self.source = source;
        self.b.set_source(source);
    }

    // ---- slots ----

    /// The slot that asks for nothing but a format.
    #[inline]
    pub fn plain(&mut self, decl: Decl) -> SlotId {
        match self.plain[decl as usize] {
            Some(slot) => slot,
            None => {
                let slot = self.b.func.slot(Slot::plain(decl));
                self.plain[decl as usize] = Some(slot);
                slot
            }
        }
    }

    // ---- variables ----

    /// Makes `count` variables that hold zero bits; the result is the first, the others follow ([`VarId::offset`]).
    pub fn add_variables(&mut self, count: u32) -> VarId {
        let first = VarId(self.variables.len() as u32);
        let zero = Deferred::word(0);
        self.variables.resize(self.variables.len() + count as usize, Variable { val: zero, level: 0, listed: 0 });
        first
    }

    /// What a variable holds, without deciding its type.
    #[inline]
    pub fn get(&mut self, variable: VarId) -> Deferred {
        let level = self.variables[variable.0 as usize].level as usize;
        if level + 1 < self.frames.len() {
            self.cross_loops(variable, level);
        }
        self.variables[variable.0 as usize].val
    }

    /// Sets a variable.
    #[inline]
    pub fn set(&mut self, variable: VarId, val: impl Into<Deferred>) {
        let top = self.frames.len() - 1;
        self.set_at(variable, val.into(), top);
    }

    /// Sets a variable as seen from frame `level`, which must not be below the frame it was last set in.
    #[inline]
    pub(crate) fn set_at(&mut self, variable: VarId, val: Deferred, level: usize) {
        let slot = &mut self.variables[variable.0 as usize];
        if slot.level as usize != level {
            self.frames[level].log.push((variable, *slot));
            slot.level = level as u32;
        }
        slot.val = val;
    }

    /// Reads a variable as a float of a declared format.
    #[inline]
    pub fn read(&mut self, variable: VarId, decl: Decl) -> ValueId {
        let val = self.get(variable);
        self.force(val, Type::Float(decl))
    }

    /// Reads a variable as 32 raw bits.
    #[inline]
    pub fn read_bits(&mut self, variable: VarId) -> ValueId {
        let val = self.get(variable);
        self.force(val, Type::I32)
    }

    /// Reads a variable as any type.
    #[inline]
    pub fn read_as(&mut self, variable: VarId, ty: Type) -> ValueId {
        let val = self.get(variable);
        self.force(val, ty)
    }

    /// Sets a variable in lanes whose predicate is true.
    pub fn set_if(&mut self, pred: ValueId, variable: VarId, val: impl Into<Deferred>) {
        let new = val.into();
        let old = self.get(variable);
        if new == old || !(self.is_made(new) && self.is_made(old)) && self.identity(new) == self.identity(old) {
            return;
        }
        let chosen = self.choose(pred, new, old, Type::I32);
        self.set(variable, chosen);
    }

    // ---- types ----

    /// The type of a value, `None` while it is undecided. A value that may be a float or bits has the float's.
    #[inline]
    pub fn type_of(&self, val: Deferred) -> Option<Type> {
        match val.kind() {
            DeferredKind::Value(v) => Some(self.b.func.ty(v)),
            _ => self.type_of_any(val),
        }
    }

    fn type_of_any(&self, val: Deferred) -> Option<Type> {
        match val.kind() {
            DeferredKind::Value(v) => Some(self.b.func.ty(v)),
            DeferredKind::Param(p) => {
                let param = &self.params[p.0 as usize];
                match param.stands_for.or(param.settled) {
                    Some(known) => self.type_of(known),
                    None => self.type_of(param.init).or(param.views.first().map(|&v| self.b.func.ty(v))),
                }
            }
            DeferredKind::Views(id) => Some(self.b.func.ty(self.views[id.0 as usize].float)),
            _ => None,
        }
    }

    /// The 32 bits of a literal that nothing has read yet.
    #[inline]
    pub fn literal(&self, val: Deferred) -> Option<u32> {
        match self.normal(val).kind() {
            DeferredKind::Word(bits) => Some(bits),
            _ => None,
        }
    }

    /// Bank and word number of a constant that nothing has read yet.
    pub fn constant_place(&self, val: Deferred) -> Option<(u16, u32)> {
        match self.normal(val).kind() {
            DeferredKind::Const { bank, index, comp } => Some((bank, index.checked_mul(4)? + u32::from(comp))),
            _ => None,
        }
    }

    /// The value under a type, emitting the read or the conversion it takes.
    #[inline]
    pub fn force(&mut self, val: Deferred, ty: Type) -> ValueId {
        match val.kind() {
            DeferredKind::Value(v) if self.b.func.ty(v) == ty && self.alias_of(v).is_none() => v,
            _ => self.force_any(val, ty),
        }
    }

    /// The same, with one op for all equal literals that one terminator or control op takes: most variables still hold zero.
    #[inline]
    pub(crate) fn force_shared(&mut self, val: Deferred, ty: Type, shared: &mut SharedLiterals) -> ValueId {
        if self.is_made(val) {
            return self.force(val, ty);
        }
        let Some(bits) = self.literal(val) else { return self.force(val, ty) };
        if let Some(known) = shared.0.iter().find(|known| known.0 == bits && known.1 == ty) {
            return known.2;
        }
        let made = self.force(val, ty);
        shared.0.push((bits, ty, made));
        made
    }

    fn force_any(&mut self, val: Deferred, ty: Type) -> ValueId {
        match val.kind() {
            DeferredKind::Value(v) => self.convert(v, ty),
            DeferredKind::Param(p) => {
                let param = &self.params[p.0 as usize];
                match (param.stands_for, param.settled) {
                    (Some(init), _) => self.force(init, ty),
                    (None, Some(settled)) => match self.known_view(p, ty) {
                        Some(view) => view,
                        None => self.force(settled, ty),
                    },
                    (None, None) => self.view(p, ty),
                }
            }
            DeferredKind::Views(id) => {
                let Views { float, bits, .. } = self.views[id.0 as usize];
                let is_open = self.open_views(val).is_some();
                let from = if is_open && self.b.func.ty(float) != ty { bits } else { float };
                self.convert(from, ty)
            }
            DeferredKind::Word(bits) => self.materialise(OpKind::Literal(u64::from(bits)), None, ty),
            DeferredKind::Const { bank, index, comp } => {
                self.materialise(OpKind::Const { bank, index, comp }, None, ty)
            }
            DeferredKind::Attr { index, comp } => self.materialise(OpKind::Attr { index, comp }, None, ty),
            DeferredKind::Sys(value) => self.materialise(OpKind::Sys(value), None, ty),
            DeferredKind::At(read) => {
                let (kind, at) = self.reads.get(read);
                self.materialise(kind, Some(at), ty)
            }
        }
    }

    fn materialise(&mut self, kind: OpKind, arg: Option<ValueId>, ty: Type) -> ValueId {
        let args = arg.as_slice();
        match (kind, ty) {
            (OpKind::Literal(bits @ 0), Type::Float(decl)) | (OpKind::Literal(bits), Type::Float(decl @ Decl::F32)) => {
                let slot = self.plain(decl);
                self.b.literal(bits, Some(slot), ty)
            }
            (OpKind::Literal(bits), Type::Float(_)) => {
                let word = self.b.i32(bits as u32);
                self.convert(word, ty)
            }
            (OpKind::Literal(bits), _) => {
                let bits = if ty == Type::Pred { u64::from(bits != 0) } else { bits };
                self.b.literal(bits, None, ty)
            }
            // System values are integers.
            (OpKind::Sys(_), Type::Float(_)) => {
                let word = self.b.read_bits(kind, args);
                self.convert(word, ty)
            }
            (_, Type::Float(decl)) => {
                let slot = self.plain(decl);
                self.b.read_float(kind, slot, args)
            }
            _ => {
                let word = self.b.read_bits(kind, args);
                self.convert(word, ty)
            }
        }
    }

    /// Converts a value to another type by its bits.
    ///
    /// Bits that were read as a float only on the way come back unchanged.
    pub fn convert(&mut self, value: ValueId, ty: Type) -> ValueId {
        let value = self.alias_of(value).unwrap_or(value);
        let from = self.b.func.ty(value);
        match (from, ty) {
            _ if from == ty => value,
            (Type::Float(decl), Type::I32) => {
                if let Some(op) = self.b.func.def_op(value) {
                    match self.b.func.ops[op].kind {
                        OpKind::Num(Op::BitsTo) => return self.b.func.ops[op].args[0],
                        OpKind::ArrayLoad(array) if !self.bits_of_array.contains_key(&array) => {
                            self.arrays_with_bits.insert(array);
                        }
                        _ => {}
                    }
                }
                let slot = self.plain(decl);
                self.b.num(Op::BitsOf, slot, &[value])
            }
            (Type::I32, Type::Float(decl)) => {
                let slot = self.plain(decl);
                self.b.num(Op::BitsTo, slot, &[value])
            }
            (Type::Float(decl @ Decl::F64), Type::I64) => {
                let slot = self.plain(decl);
                self.b.num(Op::BitsOf64, slot, &[value])
            }
            (Type::I64, Type::Float(decl @ Decl::F64)) => {
                let slot = self.plain(decl);
                self.b.num(Op::BitsTo64, slot, &[value])
            }
            (Type::Float(_), _) | (_, Type::Float(_)) => {
                let bits = self.convert(value, Type::I32);
                self.convert(bits, ty)
            }
            (Type::Pred, Type::I32) => {
                let (one, zero) = (self.b.i32(1), self.b.i32(0));
                self.b.select(value, one, zero)
            }
            (Type::I32, Type::Pred) => {
                let zero = self.b.i32(0);
                self.b.int(Op::Ine, &[value, zero])
            }
            _ => {
                let message = format!("a {from} value was used as {ty}");
                self.errors.push(Diag::internal("lift-types", None, message));
                self.materialise(OpKind::Literal(0), None, ty)
            }
        }
    }

    // ---- arrays ----

    /// A local array for registers addressed by a register; its elements start as zero bits. An array of floats that
    /// `holds_bits` too has its elements twice, as floats and as bits.
    pub fn add_array(&mut self, name: String, ty: Type, len: u32, holds_bits: bool) -> ArrayId {
        let twin = (holds_bits && ty != Type::I32).then(|| ArrayDecl { name: name.clone(), ty: Type::I32, len });
        let array = self.b.func.arrays.push(ArrayDecl { name, ty, len });
        if let Some(twin) = twin {
            let twin = self.b.func.arrays.push(twin);
            self.bits_of_array.insert(array, twin);
        }
        array
    }

    /// Loads an array element.
    pub fn load(&mut self, array: ArrayId, index: ValueId) -> Deferred {
        let value = self.b.array_load(array, index);
        match self.bits_of_array.get(&array) {
            Some(&twin) => {
                let bits = self.b.array_load(twin, index);
                self.float_or_bits(value, bits)
            }
            None => value.into(),
        }
    }

    /// Stores an array element in executing lanes. What is no float for certain counts as in
    /// [`Lifter::arrays_with_bits`].
    pub fn store(&mut self, array: ArrayId, index: ValueId, val: impl Into<Deferred>) {
        let val = self.normal(val.into());
        let ty = self.b.func.arrays[array].ty;
        let twin = self.bits_of_array.get(&array).copied();
        let is_certain = val == Deferred::word(0) || (self.type_of(val) == Some(ty) && !self.is_undecided(val));
        if twin.is_none() && ty != Type::I32 && !is_certain {
            self.arrays_with_bits.insert(array);
        }
        for (array, ty) in [(Some(array), ty), (twin, Type::I32)] {
            let Some(array) = array else { continue };
            let value = self.force(val, ty);
            self.b.op(OpKind::ArrayStore(array), None, &[index, value], &[]);
        }
    }

    /// Names of the float arrays that hold or are read as bits, too. A frontend lifts again and says so of them, so that
    /// integer data never passes through a float container.
    pub fn arrays_with_bits(&self) -> Vec<String> {
        let arrays = self.b.func.arrays.iter();
        arrays.filter(|(id, _)| self.arrays_with_bits.contains(id)).map(|(_, a)| a.name.clone()).collect()
    }

    // ---- end ----

    /// Ends the body and settles what was left open.
    ///
    /// # Errors
    /// Programs that pass too many values between blocks; anything else is a bug of the frontend.
    pub fn finish(mut self) -> Result<(), Vec<Diag>> {
        if self.frames.len() != 1 && self.errors.is_empty() {
            let message = format!("{} constructs were left open", self.frames.len() - 1);
            self.errors.push(Diag::internal("lift-open", None, message));
        }
        if !self.errors.is_empty() {
            return Err(self.errors);
        }
        let body = self.b.func.body;
        self.b.switch_to(body);
        if !self.ends_in_terminator(body) {
            self.b.op(OpKind::Yield, None, &[], &[]);
        }
        if !self.alias.is_empty() {
            let Func { ops, values, .. } = &mut *self.b.func;
            for op in ops.values_mut().skip(self.first_alias) {
                for arg in &mut op.args {
                    while let ValueDef::Param(to, ALIAS) = values[*arg].def {
                        *arg = ValueId::new(to.index());
                    }
                }
            }
            for (value, region) in self.alias.drain(..) {
                values[value].def = ValueDef::Param(region, OPEN);
            }
        }
        let nowhere = self.nowhere;
        self.b.func.regions[nowhere].ops.clear();
        self.keep_lists();
        Ok(())
    }

    /// Keeps the lists for the next lifter of this thread.
    fn keep_lists(self) {
        let Lifter {
            mut variables,
            mut params,
            mut views,
            mut frames,
            mut logs,
            mut edges,
            spare,
            scratch,
            settling,
            param_lists,
            mut alias,
            ..
        } = self;
        for Frame { mut log, .. } in frames.drain(..) {
            log.clear();
            logs.push(log);
        }
        variables.clear();
        params.clear();
        views.clear();
        edges.clear();
        alias.clear();
        let lists =
            Lists { variables, params, views, frames, logs, edges, spare, scratch, settling, param_lists, alias };
        if lists.are_small() {
            // A thread that ends needs none.
            let _ = LISTS.try_with(|kept| kept.set(lists));
        }
    }
}
