//! From ops of the IR to instructions of the target on single components.

mod addresses;
mod branches;
mod conditions;
mod expansions;
mod facts;
mod formats;
mod formulas;
mod intervals;
mod known;
mod longs;
mod lookups;
mod memory;
mod operations;
mod quotients;
mod ranges;
mod rounds;
mod samples;
mod votes;
mod whole;
mod wide;

use crate::form::{Arg, Args, Base, Instr, Node, Operand, Relatives, Signs, Value};
use crate::notes::Notes;
use crate::target::{Lookup, Meaning, Registers, Row, Rows, Target, Truth};
use facts::Facts;
pub(crate) use formulas::Formula;
use known::{Head, Known};
pub(crate) use memory::MEMORY;
use parallax_core::analysis::{Crossed, Tree};
use parallax_core::{EntityRef, Func, OpId, OpKind, RegionId, SourceId, TexOp, Type, ValueId};
use parallax_num::{Contract, Decl, Op, Saturate, Slot};
use ranges::Ranges;
use rustc_hash::{FxHashMap, FxHashSet};
use samples::Offsets;
use smallvec::SmallVec;
use std::rc::Rc;

/// What stands for a value of the IR.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Held {
    /// An operand.
    Arg(Arg),
    /// A comparison that its users make themselves, by its number.
    Compared(u32),
    /// The words of a number of 64 bits, by its number.
    Wide(u32),
}

/// The statements of a shader, and how many values they have.
#[derive(Debug)]
pub(crate) struct Selected {
    pub(crate) body: Vec<Node>,
    pub(crate) values: u32,
    /// Which of them are in registers of half the size; those behind the end are not.
    pub(crate) half: Vec<bool>,
    /// The value that is component `comp` of output `index`.
    pub(crate) outputs: FxHashMap<(u16, u8), Value>,
    /// Whether constants are read at addresses.
    pub(crate) is_addressed: bool,
    /// What these are added to.
    pub(crate) relatives: Relatives,
}

pub(crate) struct Select<'a> {
    func: &'a Func,
    target: &'a Target,
    rows: &'static Rows,
    /// Of shaders with branches.
    crossed: Option<Crossed>,
    notes: &'a mut Notes,
    held: Vec<Option<Held>>,
    /// Comparisons that users make themselves.
    comparisons: Vec<(Op, Arg, Arg)>,
    /// The words of numbers of 64 bits.
    words: Vec<wide::Words>,
    /// Of those that branches and loops pass on, the values that hold the high words.
    highs: FxHashMap<ValueId, Value>,
    /// Of each slot, what the target makes of it.
    slots: Vec<Option<Slot>>,
    values: u32,
    outputs: FxHashMap<(u16, u8), Value>,
    /// What addresses of constants are added to.
    relatives: Relatives,
    /// What the target says of lookups, each with whether its level is the largest.
    lookups: Vec<(TexOp, bool, Rc<Lookup>)>,
    /// Conditions that somebody needs as a value, by number.
    needed: Vec<bool>,
    /// Instructions of the regions that enclose this place.
    known: Known,
    nodes: Vec<Node>,
    /// Constructs that enclose this place and are loops of the target.
    loops: Vec<branches::Construct>,
    /// Values that are w: reciprocals of the position's fourth component.
    undoes: Vec<Value>,
    /// Conditions under which a lane executes, where branches became choices.
    guards: Vec<Arg>,
    /// Ops whose user says what they say: masks of samples, conditions as words that are conditions again.
    skipped: FxHashSet<OpId>,
    /// Ops that give what an instruction of the target computes by a formula, and its operand.
    formulas: FxHashMap<OpId, (Row, ValueId)>,
    /// Ops that take a half from its own words: that half.
    halves: FxHashMap<OpId, ValueId>,
    /// Conditions that ask whether words are zero that another condition chose: that one.
    asked: FxHashMap<ValueId, ValueId>,
    origin: Option<SourceId>,
    /// Values of the program in half registers.
    half: Vec<bool>,
    /// Whether halves are numbers of binary32 that packing and unpacking rounds.
    rounds_halves: bool,
    /// Words that packing made of halves, by their numbers.
    packed: FxHashMap<Value, Value>,
    /// Values of the IR that whoever reads them has to convert.
    loose: FxHashSet<ValueId>,
    /// Votes that all lanes of their quads take part in.
    votes: FxHashSet<OpId>,
    /// Ranges of words, where the target computes with floats alone.
    ranges: Ranges,
    /// Values that are converted to halves when they are written.
    narrowed: FxHashSet<ValueId>,
    /// Whether the shader has numbers of 64 bits that the target computes with.
    is_ever_wide: bool,
    /// Packed offsets, where the target has them.
    offsets: Offsets,
}

/// How a clamp is said where no opcode has it.
const CLAMP: &str =
    "a clamp to [0, 1] as MAX, MIN: other bits of negative zeros, and under rules whose clamp keeps NaN";

/// Statements for a shader; what cannot be said goes to the notes.
pub(crate) fn select(func: &Func, target: &Target, notes: &mut Notes) -> Selected {
    let facts = Facts::new(func);
    let mut select = Select {
        func,
        target,
        rows: target.rows,
        crossed: facts.control.then(|| Crossed::new(func, &Tree::new(func))),
        notes,
        held: vec![None; func.values.len()],
        comparisons: Vec::new(),
        words: Vec::new(),
        highs: FxHashMap::default(),
        slots: vec![None; func.slots.len()],
        values: func.values.len() as u32,
        outputs: FxHashMap::default(),
        relatives: Relatives::default(),
        lookups: Vec::new(),
        needed: Vec::new(),
        known: Known::new(func.regions[func.body].ops.len()),
        // Some operations are several instructions, and room that is not written costs nothing.
        nodes: Vec::with_capacity(func.regions[func.body].ops.len() * 2),
        loops: Vec::new(),
        undoes: Vec::new(),
        skipped: FxHashSet::default(),
        formulas: FxHashMap::default(),
        halves: FxHashMap::default(),
        asked: FxHashMap::default(),
        guards: Vec::new(),
        origin: None,
        half: Vec::new(),
        rounds_halves: formats::rounds_halves(target),
        packed: FxHashMap::default(),
        loose: FxHashSet::default(),
        votes: if facts.votes { votes::in_whole_quads(func) } else { FxHashSet::default() },
        ranges: if facts.counts && !target.abilities.integers { Ranges::new(func) } else { Ranges::default() },
        narrowed: match target.abilities.halves {
            Some(_) if facts.narrows => formats::narrowed(func),
            _ => FxHashSet::default(),
        },
        is_ever_wide: facts.wide && target.abilities.wide,
        offsets: Offsets::default(),
    };
    if facts.places && target.rows.get(Meaning::AtOffset).is_some() {
        select.offsets = Offsets::new(func);
        select.skipped.extend(select.offsets.between.iter().copied());
    }
    if facts.samples {
        select.skipped.extend(select.find_masks());
    }
    if facts.asks {
        select.find_asked();
    }
    if facts.addresses && !target.abilities.integers {
        select.skipped.extend(addresses::conversions(func));
    }
    let formulas = target.formulas.into_iter().flat_map(|formulas| formulas.iter());
    let formulas: SmallVec<[&Formula; 8]> = formulas.filter(|formula| formula.can_be_among(&facts.ops)).collect();
    if !formulas.is_empty() || facts.bits_of_halves {
        select.find_formulas(&formulas, facts.bits_of_halves);
    }
    if facts.conditions {
        select.needed = select.find_needed();
    }
    select.region(func.body);
    if select.relatives.len() > Relatives::MOST {
        select.refuse(format!("constants at addresses behind more than {} others", Relatives::MOST));
    }
    let Select { nodes: body, values, half, outputs, relatives, .. } = select;
    Selected { body, values, half, outputs, is_addressed: facts.addresses, relatives }
}

impl Select<'_> {
    /// A new value.
    fn fresh(&mut self) -> Value {
        self.values += 1;
        self.values - 1
    }

    fn refuse(&mut self, message: impl Into<String>) {
        self.notes.refuse(message, self.origin);
    }

    /// The operand that a value is; immediate zero after something was refused.
    fn arg(&mut self, value: ValueId) -> Arg {
        if self.is_loose(value) {
            return self.rounded(value);
        }
        if !self.ranges.is_empty() {
            self.refuse_bits(value);
        }
        self.loose_arg(value)
    }

    /// The same for an instruction that converts what it reads to the format of the value.
    fn loose_arg(&self, value: ValueId) -> Arg {
        match self.held[value.index()] {
            Some(Held::Arg(arg)) => arg,
            _ => Arg::imm(0),
        }
    }

    fn hold(&mut self, value: ValueId, arg: Arg) {
        self.held[value.index()] = Some(Held::Arg(arg));
    }

    /// The value that a result of an op gets in the program.
    fn own(&mut self, value: ValueId) -> Value {
        let own = self.own_full(value);
        if self.is_kept_half(value) {
            self.keep_half(own);
        }
        own
    }

    /// The same, never in a half register.
    fn own_full(&mut self, value: ValueId) -> Value {
        let own = value.index() as Value;
        self.hold(value, Arg::value(own));
        own
    }

    /// The statements of a region up to its terminator.
    fn region(&mut self, region: RegionId) {
        let func = self.func;
        for &op in &func.regions[region].ops {
            let data = &func.ops[op];
            self.origin = data.origins.first().copied().or(self.origin);
            if !self.skipped.contains(&op) {
                self.op(op);
            }
        }
    }

    fn op(&mut self, op: OpId) {
        let func = self.func;
        let data = &func.ops[op];
        if !self.formulas.is_empty()
            && let Some(&(row, operand)) = self.formulas.get(&op)
        {
            return self.formula(op, row, operand);
        }
        if !self.halves.is_empty()
            && let Some(&half) = self.halves.get(&op)
        {
            return self.half(op, half);
        }
        if self.rounds_halves {
            self.note_halves(op);
        }
        if self.is_ever_wide && self.has_wide(op) {
            return self.wide(op);
        }
        match data.kind {
            OpKind::Num(num) => self.num(op, num),
            OpKind::Literal(bits) => self.literal(data.results[0], bits),
            OpKind::Select if self.is_place(op) => {}
            OpKind::Select => self.choose(op),
            OpKind::Const { bank, index, comp } => self.read(op, Base::Const { bank, index, comp }),
            OpKind::ConstAt { bank, base, comp } => self.constant_at(op, bank, base, comp),
            OpKind::Attr { index, comp } => self.read(op, Base::Attr { index, comp }),
            OpKind::AttrOffset { .. } | OpKind::AttrSample { .. } | OpKind::AttrCentroid { .. } => {
                self.attribute_elsewhere(op)
            }
            OpKind::SamplePosition { axis } => self.sample_position(op, axis),
            OpKind::Deriv { axis, fine } => {
                let Some(slot) = self.slot(op) else { return };
                let row = self.rows.get(Meaning::Derivative(axis, fine)).or_else(|| {
                    let other = self.rows.get(Meaning::Derivative(axis, !fine))?;
                    let (one, as_other) = if fine { ("own", "first") } else { ("first", "own") };
                    self.notes.inexact(format!(
                        "differences in the quad's {one} row or column as those in its {as_other}: other bits where they differ"
                    ));
                    Some(other)
                });
                match row {
                    Some(row) => {
                        let arg = self.loose_arg(data.args[0]);
                        let arg = self.readable(slot, arg);
                        let result = self.own(data.results[0]);
                        self.each(row, slot, &[arg], result);
                    }
                    None => self.missing(data.kind.word()),
                }
            }
            OpKind::Tex(tex) => self.lookup(op, tex),
            OpKind::Out { index, comp } => self.output(data.args[0], index, comp),
            OpKind::Discard => self.discard(data.args[0]),
            OpKind::DiscardSamples => self.discard_samples(data.args[0]),
            OpKind::QuadAny => self.vote(op, Meaning::QuadAny),
            OpKind::QuadAll => self.vote(op, Meaning::QuadAll),
            OpKind::QuadShuffle => self.shuffle(op),
            OpKind::If | OpKind::Loop | OpKind::Block => self.construct(op),
            OpKind::Sys(value) => self.system(op, value),
            OpKind::BufferLoad { .. }
            | OpKind::BufferStore { .. }
            | OpKind::BufferSize { .. }
            | OpKind::Atomic { .. }
            | OpKind::Barrier => self.memory(op),
            OpKind::ArrayLoad(array) | OpKind::ArrayStore(array) => self.element(op, array),
            OpKind::Yield => {}
            OpKind::Break(_) | OpKind::Continue(_) => self.jump(op),
            OpKind::Library(_) => self.refuse(format!("{}: no formula was chosen", data.kind.word())),
            _ => self.missing(data.kind.word()),
        }
    }

    /// Refuses an operation that the target does not have.
    fn missing(&mut self, word: &str) {
        self.refuse(format!("`{word}`: {} has no such operation", self.target.title));
    }

    /// Whether the target holds values of a type; says so where not.
    #[inline]
    fn fits(&mut self, ty: Type) -> bool {
        matches!(ty, Type::Float(Decl::F32) | Type::I32 | Type::Pred | Type::Cc) || self.fits_other(ty)
    }

    #[inline(never)]
    fn fits_other(&mut self, ty: Type) -> bool {
        match ty {
            Type::Float(Decl::Mediump) => {
                self.notes.inexact_elsewhere("mediump as binary32: other bits under models that compute it as half");
                true
            }
            Type::Float(decl) if self.fits_format(decl) => true,
            other => {
                self.refuse(format!("values of `{other}`: {} has no such registers", self.target.title));
                false
            }
        }
    }

    /// The slot of an op, if the target can compute under it.
    fn slot(&mut self, op: OpId) -> Option<Slot> {
        let id = self.func.ops[op].slot?;
        if let Some(known) = self.slots[id.index()] {
            return Some(known);
        }
        let slot = self.func.slots[id];
        if !self.fits(Type::Float(slot.decl)) {
            return None;
        }
        let slot = self.simple(slot)?;
        let slot = self.in_format(slot);
        self.slots[id.index()] = Some(slot);
        Some(slot)
    }

    /// A slot whose choices the target has.
    fn simple(&mut self, slot: Slot) -> Option<Slot> {
        let title = self.target.title;
        let refused = if slot.round.is_some() {
            Some("rounding that an instruction chooses")
        } else if slot.denormals.is_some() {
            Some("denormals that an instruction flushes or keeps")
        } else if slot.zero_mul.is_some() {
            Some("products with zero as an instruction chooses")
        } else if slot.scale != 0 {
            Some("results that an instruction scales")
        } else if slot.saturate == Saturate::Signed {
            Some("clamps to [-1, 1]")
        } else {
            None
        };
        match refused {
            Some(what) => {
                self.refuse(format!("{what}: {title} has none"));
                None
            }
            None => Some(slot),
        }
    }

    /// What another lane of the quad holds.
    fn shuffle(&mut self, op: OpId) {
        let data = &self.func.ops[op];
        let [value, lane] = [data.args[0], data.args[1]].map(|arg| self.arg(arg));
        let Some(row) = self.rows.get(Meaning::Shuffle) else { return self.missing(data.kind.word()) };
        let operands = [value, lane].map(|arg| if arg.has_signs() { Arg::value(self.moved(arg, false)) } else { arg });
        let own = self.own(data.results[0]);
        self.put_at(row, Slot::plain(Decl::F32), 0, operands.into_iter().map(Operand::one).collect(), own);
    }

    fn literal(&mut self, value: ValueId, bits: u64) {
        let ty = self.func.ty(value);
        if !self.fits(ty) {
            return;
        }
        let bits = match ty {
            Type::Pred => self.truth(bits != 0),
            // As a number that compares so with zero.
            Type::Cc => [0xbf80_0000, 0, 0x3f80_0000, 0x7fc0_0000][bits as usize & 3],
            Type::Float(decl) => Self::literal_of(decl, bits),
            _ => bits as u32,
        };
        self.hold(value, Arg::imm(bits));
    }

    /// The bits of a condition.
    fn truth(&self, holds: bool) -> u32 {
        match (self.target.abilities.truth, holds) {
            (_, false) => 0,
            (Truth::Bits | Truth::Predicate, true) => u32::MAX,
            (Truth::Float, true) => 0x3f80_0000,
        }
    }

    fn read(&mut self, op: OpId, base: Base) {
        let result = self.func.ops[op].results[0];
        if self.fits(self.func.ty(result)) && (self.func.ops[op].slot.is_none() || self.slot(op).is_some()) {
            self.hold(result, Arg::plain(base));
            self.round_half(result);
        }
    }

    /// What is held of a value, if that is an operand.
    fn held_arg(&self, value: ValueId) -> Option<Arg> {
        match self.held[value.index()] {
            Some(Held::Arg(arg)) => Some(arg),
            _ => None,
        }
    }

    /// A value that holds an operand.
    fn value_of(&mut self, arg: Arg) -> Value {
        match arg.plain_value() {
            Some(value) => value,
            None => self.moved(arg, false),
        }
    }

    /// An operand moved to a register.
    fn moved(&mut self, arg: Arg, saturate: bool) -> Value {
        let Some(row) = self.rows.get(Meaning::Move) else { return 0 };
        let arg = self.signed(row, 0, arg);
        let slot =
            Slot { saturate: if saturate { Saturate::Unsigned } else { Saturate::None }, ..Slot::plain(Decl::F32) };
        let value = self.fresh();
        self.each(row, slot, &[arg], value)
    }

    /// An operand with signs that moves take.
    fn movable(&mut self, arg: Arg) -> Arg {
        match self.rows.get(Meaning::Move) {
            Some(row) => self.signed(row, 0, arg),
            None => arg,
        }
    }

    /// An instruction on each component; gives the value that holds the result, which may be that of an equal one.
    fn each(&mut self, row: Row, slot: Slot, args: &[Arg], result: Value) -> Value {
        if self.expands_clamp(slot) {
            let raw = self.fresh();
            let raw = self.each(row, Slot { saturate: Saturate::None, ..slot }, args, raw);
            return self.clamped(raw, result);
        }
        let mut args = Args::of(args);
        if args.iter().any(|arg| arg.has_signs()) {
            for (n, arg) in args.iter_mut().enumerate() {
                *arg = self.signed(row, n, *arg);
            }
        }
        let (saturate, precise) = (slot.saturate == Saturate::Unsigned, slot.contract == Contract::Never);
        let kind = self.kind(row, slot, result);
        let known = self.known.single(Head { row, saturate, precise, kind }, &args, result);
        if known != result {
            self.stand_for(result, known);
            return known;
        }
        let single = Node::put_single(&mut self.nodes);
        (single.row, single.result, single.origin) = (row, result, self.origin);
        (single.saturate, single.precise, single.precision) = (saturate, precise, kind.0);
        single.args.fill(&args);
        result
    }

    /// Whether a clamp takes instructions of its own.
    fn expands_clamp(&self, slot: Slot) -> bool {
        slot.saturate == Saturate::Unsigned && !self.target.abilities.saturate
    }

    /// A clamp to [0, 1] of what a value holds.
    fn clamped(&mut self, raw: Value, result: Value) -> Value {
        let [Some(max), Some(min)] = [Op::Max, Op::Min].map(|op| self.rows.get(Meaning::Each(op))) else {
            self.refuse(format!("clamps to [0, 1]: {} has none", self.target.title));
            return result;
        };
        self.notes.inexact(CLAMP);
        let low = self.fresh();
        let low = self.each(max, Slot::plain(Decl::F32), &[Arg::value(raw), Arg::imm(0)], low);
        self.each(min, Slot::plain(Decl::F32), &[Arg::value(low), Arg::imm(0x3f80_0000)], result)
    }

    /// An operand as a row takes it: signs become an instruction where the row has none.
    fn signed(&mut self, row: Row, n: usize, arg: Arg) -> Arg {
        let mut arg = arg;
        if arg.signs().absolute && row.absolute >> n & 1 == 0 {
            let negate = arg.signs().negate;
            arg = arg.with_signs(Signs { negate: false, absolute: true });
            let magnitude = match self.rows.get(Meaning::Magnitude) {
                Some(row) => {
                    let fresh = self.fresh();
                    self.each(row, Slot::plain(Decl::F32), &[Arg::plain(arg.base())], fresh)
                }
                None => self.moved(arg, false),
            };
            arg = Arg::value(magnitude).with_signs(Signs { negate, absolute: false });
        }
        if arg.signs().negate && row.signed >> n & 1 == 0 {
            arg = Arg::value(self.moved(arg, false));
        }
        arg
    }

    /// An instruction with one result, whose operands have as many components as it reads.
    fn put(&mut self, row: Row, slot: Slot, operands: SmallVec<[Operand; 3]>, result: Value) -> Value {
        if self.expands_clamp(slot) {
            let raw = self.fresh();
            let raw = self.put(row, Slot { saturate: Saturate::None, ..slot }, operands, raw);
            return self.clamped(raw, result);
        }
        // Where registers are single numbers, so is nearly all else.
        let is_one = |operand: &Operand| matches!(operand.lanes, [Some(_), None, None, None]);
        if matches!(self.target.registers, Registers::Scalars(_)) && operands.iter().all(is_one) {
            let args: Args = operands.iter().flat_map(|of| of.bases().map(|base| Arg::new(base, of.signs))).collect();
            return self.each(row, slot, &args, result);
        }
        let (saturate, precise) = (slot.saturate == Saturate::Unsigned, slot.contract == Contract::Never);
        let kind = self.kind(row, slot, result);
        let known = self.known.value(Head { row, saturate, precise, kind }, &operands, result);
        if known != result {
            self.stand_for(result, known);
            return known;
        }
        let instr =
            Instr { precise, precision: kind.0, ..Instr::one(row, saturate, operands, Some(result), self.origin) };
        self.nodes.push(Node::Op(Box::new(instr)));
        result
    }

    /// From here on a value of the IR is another one.
    fn stand_for(&mut self, own: Value, known: Value) {
        if let Some(held) = self.held.get_mut(own as usize) {
            *held = Some(Held::Arg(Arg::value(known)));
        }
    }
}
