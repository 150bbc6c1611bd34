//! Lines of a program: instructions with registers, branches with the stacks of SSY, PBK and PCNT.

use super::forms::{Doubles, Form, Leaves, Writing, form, form_of, names};
use super::inputs::Inputs;
use super::schedule::{Program, Schedule};
use super::text::{Guard, put_constant, put_guard, put_hex, put_lookup, put_operation, put_register, truth};
use crate::Encoding;
use crate::form::{Arg, Args, Base, Instr, Move, Node, Operand, Relatives, Signs, Value};
use crate::scalar::moves::{self, Moving, Source};
use crate::scalar::registers::{PREDICATES, Place, Places};
use parallax_core::{TexOp, TexTarget};
use parallax_isa::{Cursor, Out};
use smallvec::SmallVec;
use std::borrow::Cow;

/// When the results of a line are there.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Timing {
    /// After a fixed number of cycles.
    Fixed,
    /// When a barrier is signalled.
    Slow,
    /// It leads control.
    Control,
    /// It ends the program.
    Exit,
}

/// A line of the text.
#[derive(Clone, Debug)]
pub(super) enum Line {
    Label(u32),
    Code(Code),
}

/// An operand of a form: where its value is, or what it is.
#[derive(Copy, Clone, Debug)]
pub(super) struct Read {
    pub(super) from: Source,
    pub(super) signs: Signs,
}

/// So many lines wait at most outside of loops until they are written: they stay in the first cache.
pub(super) const WAITING: usize = 128;

/// The most operands of a form.
pub(super) const OPERANDS: usize = 3;

/// What an instruction says, without control bits.
#[derive(Clone, Debug)]
pub(super) enum Words {
    Operation(Operation),
    Other(Box<Other>),
}

/// A form with its operands.
#[derive(Copy, Clone, Debug)]
pub(super) struct Operation {
    pub(super) form: &'static Form,
    pub(super) clamps: bool,
    pub(super) to: Option<Place>,
    pub(super) reads: [Option<Read>; OPERANDS],
}

/// What is no operation, and what is read and written there.
#[derive(Clone, Debug)]
pub(super) struct Other {
    pub(super) what: What,
    reads: SmallVec<[Place; 4]>,
    writes: SmallVec<[Place; 4]>,
}

#[derive(Clone, Debug)]
pub(super) enum What {
    Lookup(Lookup),
    Text(Cow<'static, str>),
}

/// A lookup in a texture.
#[derive(Clone, Debug)]
pub(super) struct Lookup {
    pub(super) form: &'static Form,
    pub(super) target: TexTarget,
    pub(super) unit: u16,
    /// Components of the result, one bit each.
    pub(super) mask: u8,
    /// The first register of the result and of each group of operands.
    pub(super) to: Option<Place>,
    pub(super) firsts: SmallVec<[Place; 3]>,
}

/// An instruction.
#[derive(Clone, Debug)]
pub(super) struct Code {
    pub(super) words: Words,
    pub(super) timing: Timing,
}

impl Code {
    /// Places that it reads.
    pub(super) fn reads(&self) -> impl Iterator<Item = Place> {
        let (reads, others): (&[Option<Read>], &[Place]) = match &self.words {
            Words::Operation(operation) => (&operation.reads, &[]),
            Words::Other(other) => (&[], &other.reads),
        };
        reads.iter().flatten().filter_map(|read| read.from.place()).chain(others.iter().copied())
    }

    /// Places that it writes.
    pub(super) fn writes(&self) -> impl Iterator<Item = Place> {
        let places = match &self.words {
            Words::Operation(operation) => operation.to.as_slice(),
            Words::Other(other) => &other.writes[..],
        };
        places.iter().copied()
    }

    /// Writes its text.
    #[inline]
    pub(super) fn write(&self, line: &mut Cursor<'_>) {
        match &self.words {
            Words::Operation(operation) => put_operation(line, operation),
            Words::Other(other) => match &other.what {
                What::Lookup(lookup) => put_lookup(line, lookup),
                What::Text(text) => line.text(text),
            },
        }
    }
}

/// The lines of a program.
pub(super) struct Emit<'a> {
    places: &'a Places,
    inputs: &'a Inputs,
    relatives: &'a Relatives,
    /// Those that are not written yet.
    lines: Vec<Line>,
    /// One that is being spelled.
    spelled: Out,
    schedule: Schedule,
    pub(super) kills: bool,
    /// The highest register that moves in a circle need, one more.
    pub(super) words: u32,
    labels: u32,
    loops: Vec<Loop>,
}

/// A loop that encloses a place.
struct Loop {
    /// Whether a round is ended from its middle.
    is_continued: bool,
}

impl<'a> Emit<'a> {
    /// `statements`: how many a program has.
    pub(super) fn new(
        places: &'a Places,
        inputs: &'a Inputs,
        relatives: &'a Relatives,
        statements: usize,
        encoding: Encoding,
    ) -> Emit<'a> {
        Emit {
            places,
            inputs,
            relatives,
            lines: Vec::with_capacity(WAITING),
            spelled: Out::new(),
            schedule: Schedule::new(statements, encoding),
            kills: false,
            words: places.words,
            labels: 0,
            loops: Vec::new(),
        }
    }

    fn label(&mut self) -> u32 {
        self.labels += 1;
        self.labels
    }

    fn place(&self, value: Value) -> Place {
        self.places.get(value)
    }

    fn control(&mut self, text: impl Into<Cow<'static, str>>, guard: Option<Guard>) {
        let text = text.into();
        let text = match guard {
            Some(_) => {
                let guarded = self.spelled(|line| {
                    put_guard(line, guard);
                    line.text(&text);
                });
                guarded.into()
            }
            None => text,
        };
        let reads = guard.map(|guard| guard.place).into_iter().collect();
        self.push(text, reads, SmallVec::new(), Timing::Control);
    }

    /// The text of an instruction.
    fn spelled(&mut self, print: impl FnOnce(&mut Cursor<'_>)) -> String {
        self.spelled.clear();
        self.spelled.line(print);
        self.spelled.as_str().to_string()
    }

    fn operation(&mut self, operation: Operation, timing: Timing) {
        self.lines.push(Line::Code(Code { words: Words::Operation(operation), timing }));
    }

    fn push(
        &mut self,
        text: impl Into<Cow<'static, str>>,
        reads: SmallVec<[Place; 4]>,
        writes: SmallVec<[Place; 4]>,
        timing: Timing,
    ) {
        self.other(What::Text(text.into()), reads, writes, timing);
    }

    fn other(&mut self, what: What, reads: SmallVec<[Place; 4]>, writes: SmallVec<[Place; 4]>, timing: Timing) {
        let words = Words::Other(Box::new(Other { what, reads, writes }));
        self.lines.push(Line::Code(Code { words, timing }));
    }

    /// The statements of a block. `is_tail`: whether the next round of the innermost loop begins behind it. Says whether control
    /// gets to its end.
    pub(super) fn block(&mut self, nodes: &[Node], is_tail: bool) -> bool {
        for (n, node) in nodes.iter().enumerate() {
            let is_last_here = is_tail && n + 1 == nodes.len();
            // The start of a loop depends on its end.
            if self.lines.len() >= WAITING && self.loops.is_empty() {
                self.schedule.add(&mut self.lines);
            }
            match node {
                Node::Single(single) => {
                    self.computes(form_of(&single.row), single.saturate, &single.args, Some(single.result));
                }
                Node::Op(instr) => self.instr(instr),
                Node::Moves(moves) => self.moves(moves, None),
                Node::If { condition, then, other, .. } => {
                    if !self.branch(*condition, then, other, is_last_here) {
                        return false;
                    }
                }
                Node::Loop { body, .. } => self.looped(body),
                Node::Break { .. } | Node::Leave { .. } => {
                    self.control("BRK", None);
                    return false;
                }
                Node::Continue { .. } if is_last_here => return true,
                Node::Continue { .. } => {
                    self.leave_round(None);
                    return false;
                }
            }
        }
        true
    }

    /// Ends the round of the innermost loop.
    fn leave_round(&mut self, guard: Option<Guard>) {
        if let Some(innermost) = self.loops.last_mut() {
            innermost.is_continued = true;
        }
        self.control("CONT", guard);
    }

    fn looped(&mut self, body: &[Node]) {
        let (top, next, exit) = (self.label(), self.label(), self.label());
        self.control(format!("PBK L{exit}"), None);
        self.lines.push(Line::Label(top));
        let at = self.lines.len();
        self.loops.push(Loop { is_continued: false });
        let falls = self.block(body, true);
        let is_continued = self.loops.pop().is_some_and(|innermost| innermost.is_continued);
        if is_continued {
            // Every round ends by way of the stack then.
            let (reads, writes) = (SmallVec::new(), SmallVec::new());
            let what = What::Text(format!("PCNT L{next}").into());
            let words = Words::Other(Box::new(Other { what, reads, writes }));
            let code = Code { words, timing: Timing::Control };
            self.lines.insert(at, Line::Code(code));
            if falls {
                self.control("CONT", None);
            }
            self.lines.push(Line::Label(next));
        }
        if falls || is_continued {
            self.control(format!("BRA L{top}"), None);
        }
        self.lines.push(Line::Label(exit));
    }

    /// A branch. Says whether control gets behind it.
    fn branch(&mut self, condition: Arg, then: &[Node], other: &[Node], is_tail: bool) -> bool {
        let (then_empty, other_empty) = (self.is_empty(then), self.is_empty(other));
        let Base::Value(value) = condition.base() else {
            return self.block(if condition.base() == Base::Imm(0) { other } else { then }, is_tail);
        };
        if then_empty && other_empty {
            return true;
        }
        let place = self.place(value);
        let guards = [false, true].map(|not| Guard { place, not: condition.signs().negate != not });
        // An arm that does nothing but leave is a jump under the condition, and the other follows.
        for (arm, rest, guard) in [(then, other, guards[0]), (other, then, guards[1])] {
            if self.is_jump(arm, place) {
                if let [Node::Moves(moves), _] = arm {
                    self.moves(moves, Some(guard));
                }
                match arm.last() {
                    Some(Node::Continue { .. }) => self.leave_round(Some(guard)),
                    _ => self.control("BRK", Some(guard)),
                }
                return self.block(rest, is_tail);
            }
        }
        let end = self.label();
        self.control(format!("SSY L{end}"), None);
        let mut falls = true;
        if then_empty || other_empty {
            let (arm, guard) = if then_empty { (other, guards[0]) } else { (then, guards[1]) };
            self.control("SYNC", Some(guard));
            if self.block(arm, false) {
                self.control("SYNC", None);
            }
        } else {
            let second = self.label();
            self.control(format!("BRA L{second}"), Some(guards[1]));
            falls = false;
            for (n, arm) in [then, other].into_iter().enumerate() {
                if n == 1 {
                    self.lines.push(Line::Label(second));
                }
                if self.block(arm, false) {
                    falls = true;
                    self.control("SYNC", None);
                }
            }
        }
        self.lines.push(Line::Label(end));
        falls
    }

    /// Whether a block comes to nothing.
    fn is_empty(&self, nodes: &[Node]) -> bool {
        nodes.iter().all(|node| match node {
            Node::Moves(moves) => moves.iter().all(|one| self.is_done(one)),
            Node::If { then, other, .. } => self.is_empty(then) && self.is_empty(other),
            _ => false,
        })
    }

    /// Whether a block leaves, with nothing before but moves that do not touch a predicate.
    fn is_jump(&self, nodes: &[Node], guard: Place) -> bool {
        let leaves = |node: &Node| matches!(node, Node::Break { .. } | Node::Leave { .. } | Node::Continue { .. });
        match nodes {
            [last] => leaves(last),
            [Node::Moves(moves), last] => {
                leaves(last) && moves.len() <= 4 && moves.iter().all(|one| self.place(one.to) != guard)
            }
            _ => false,
        }
    }

    fn is_done(&self, one: &Move) -> bool {
        let Some(from) = one.from.plain_value() else { return false };
        self.place(from) == self.place(one.to)
    }

    /// Moves that all read before one writes.
    fn moves(&mut self, moves: &[Move], guard: Option<Guard>) {
        let mut left = Moving::new();
        for one in moves.iter().filter(|one| !self.is_done(one)) {
            let from = match one.from.base() {
                Base::Value(value) => Source::Place(self.place(value), one.from.signs().negate),
                base => Source::Other(base),
            };
            left.push((self.place(one.to), from));
        }
        let words = self.places.words;
        let (ordered, circles) = moves::ordered(left, |like| match like {
            Place::Word(_) => Place::Word(words),
            Place::Predicate(_) => Place::Predicate(PREDICATES as u8),
        });
        if circles {
            self.words = self.words.max(words + 1);
        }
        for (to, from) in ordered {
            self.one_move(to, from, guard);
        }
    }

    fn one_move(&mut self, to: Place, from: Source, guard: Option<Guard>) {
        if let (Place::Word(_), None) = (to, guard) {
            let reads = [Some(Read { from, signs: Signs::default() }), None, None];
            return self
                .operation(Operation { form: form(names::MOV), clamps: false, to: Some(to), reads }, Timing::Fixed);
        }
        let text = self.spelled(|line| {
            put_guard(line, guard);
            if let Place::Predicate(_) = to {
                line.text("PSETP.AND.AND ");
                put_register(line, to);
                line.text(", PT, ");
                match from {
                    Source::Place(place, not) => {
                        line.char_if(b'!', not);
                        put_register(line, place);
                    }
                    Source::Other(base) => line.text(truth(base)),
                }
                return line.text(", PT, PT");
            }
            let is_long = matches!(from, Source::Other(Base::Imm(bits)) if bits != 0);
            line.text(if is_long { "MOV32I " } else { "MOV " });
            put_register(line, to);
            line.text(", ");
            match from {
                Source::Place(place, _) => put_register(line, place),
                Source::Other(Base::Imm(bits)) if bits != 0 => put_hex(line, bits),
                Source::Other(base) => put_constant(line, base),
            }
        });
        let mut reads: SmallVec<[Place; 4]> = from.place().into_iter().collect();
        reads.extend(guard.map(|guard| guard.place));
        self.push(text, reads, SmallVec::from_iter([to]), Timing::Fixed);
    }

    fn instr(&mut self, instr: &Instr) {
        if let Some(tex) = &instr.texture {
            return self.lookup(instr, tex);
        }
        let form = form_of(&instr.row);
        if form.doubles != Doubles::Nowhere {
            return self.wide(form, instr);
        }
        if instr.changes {
            return self.access(form, instr);
        }
        let arg = |operand: &Operand| Arg::new(operand.lanes[0].unwrap_or(Base::Imm(0)), operand.signs);
        let args: Args = instr.operands.iter().map(arg).collect();
        let result = instr.results.iter().flatten().next().copied();
        self.computes(form, instr.saturate, &args, result);
    }

    /// An instruction with doubles, which are named by the first of their registers.
    fn wide(&mut self, form: &'static Form, instr: &Instr) {
        let (mut places, mut reads) = (SmallVec::new(), [None; OPERANDS]);
        for (read, operand) in reads.iter_mut().zip(&instr.operands) {
            let found = operand.bases().filter_map(|base| match base {
                Base::Value(value) => Some(self.place(value)),
                _ => None,
            });
            let found: SmallVec<[Place; 4]> = found.collect();
            let first = found.first().map(|&place| Source::Place(place, false));
            *read = first.map(|from| Read { from, signs: operand.signs });
            places.extend(found);
        }
        let writes: SmallVec<[Place; 4]> = instr.results.iter().flatten().map(|&value| self.place(value)).collect();
        let operation = Operation { form, clamps: instr.saturate, to: writes.first().copied(), reads };
        let text = self.spelled(|line| put_operation(line, &operation));
        self.push(text, places, writes, Timing::Slow);
    }

    /// An access to memory.
    fn access(&mut self, form: &Form, instr: &Instr) {
        let [condition, address, offset, values @ ..] = &instr.operands[..] else { return };
        let places = |operand: &Operand| -> SmallVec<[Place; 4]> {
            let value = |base| if let Base::Value(value) = base { Some(self.place(value)) } else { None };
            operand.bases().filter_map(value).collect()
        };
        let mut reads = places(condition);
        let guard = reads.first().map(|&place| Guard { place, not: condition.signs.negate });
        let writes: SmallVec<[Place; 4]> = instr.results.iter().flatten().map(|&value| self.place(value)).collect();
        let offset = offset.lanes[0].and_then(|base| if let Base::Imm(bytes) = base { Some(bytes) } else { None });
        let (address, values): (_, SmallVec<[_; 4]>) = (places(address), values.iter().map(places).collect());
        let text = self.spelled(|line| {
            put_guard(line, guard);
            line.text(form.text);
            line.char(b' ');
            match writes.first() {
                Some(&to) => put_register(line, to),
                None if form.leaves != Leaves::Nothing => line.text("RZ"),
                None => {}
            }
            line.text(if form.leaves != Leaves::Nothing { ", [" } else { "[" });
            match (address.first(), offset.unwrap_or(0)) {
                (Some(&place), 0) => put_register(line, place),
                (Some(&place), bytes) => {
                    put_register(line, place);
                    line.char(b'+');
                    put_hex(line, bytes);
                }
                (None, 0) => line.text("RZ"),
                (None, bytes) => put_hex(line, bytes),
            }
            line.char(b']');
            for value in &values {
                line.text(if value.is_empty() { ", RZ" } else { "" });
                for &place in value {
                    line.text(", ");
                    put_register(line, place);
                }
            }
        });
        reads.extend(address);
        reads.extend(values.into_iter().flatten());
        self.push(text, reads, writes, Timing::Slow);
    }

    /// An instruction that is no lookup.
    fn computes(&mut self, form: &'static Form, clamps: bool, args: &[Arg], result: Option<Value>) {
        let to = result.map(|value| self.place(value));
        let places = self.places;
        let place = |base: Base| match base {
            Base::Value(value) | Base::ConstAt { at: value, .. } => Some(places.get(value)),
            _ => None,
        };
        let timing = if form.is_slow { Timing::Slow } else { Timing::Fixed };
        let text = match form.writing {
            Writing::Operands => {
                let mut reads = [None; OPERANDS];
                for (read, arg) in reads.iter_mut().zip(args) {
                    let from = match place(arg.base()) {
                        Some(place) => Source::Place(place, false),
                        None => Source::Other(arg.base()),
                    };
                    *read = Some(Read { from, signs: arg.signs() });
                }
                debug_assert!(form.leaves != Leaves::Predicate || matches!(to, Some(Place::Predicate(_)) | None));
                return self.operation(Operation { form, clamps, to, reads }, timing);
            }
            Writing::Kill => {
                let Some(&condition) = args.first() else { return };
                let not = condition.signs().negate;
                let guard = place(condition.base()).map(|place| Guard { place, not });
                if condition.base() == Base::Imm(0) {
                    return;
                }
                self.kills = true;
                return self.control("KIL", guard);
            }
            Writing::Barrier => return self.control("BAR.SYNC 0x0", None),
            Writing::Input => {
                let Some(Base::Attr { index, comp }) = args.first().map(|arg| arg.base()) else { return };
                let mut registers = args[1..].iter().filter_map(|arg| place(arg.base()));
                let offset = if form.name == names::AT_OFFSET { registers.next() } else { None };
                let (inputs, w) = (self.inputs, registers.next());
                self.spelled(|line| inputs.put(line, (index, comp), to.unwrap_or(Place::Word(0)), w, offset))
            }
            Writing::Constant => {
                let Some(Base::ConstAt { from, comp, at }) = args.first().map(|arg| arg.base()) else { return };
                let (bank, base) = self.relatives.get(from);
                let offset = base * 16 + i32::from(comp) * 4;
                let at = self.place(at);
                self.spelled(|line| {
                    line.text("LDC ");
                    to.into_iter().for_each(|to| put_register(line, to));
                    line.text(", c[");
                    put_hex(line, bank.into());
                    line.text("][");
                    put_register(line, at);
                    line.text(if offset < 0 { "+-" } else { "+" });
                    put_hex(line, offset.unsigned_abs());
                    line.char(b']');
                })
            }
            Writing::Spill => {
                let Some(Base::Imm(at)) = args.first().map(|arg| arg.base()) else { return };
                let from = args.get(1).and_then(|arg| place(arg.base()));
                if to.or(from).is_none() {
                    return;
                }
                self.spelled(|line| {
                    line.text(if to.is_some() { "LDL " } else { "STL " });
                    to.into_iter().for_each(|to| {
                        put_register(line, to);
                        line.text(", ");
                    });
                    line.char(b'[');
                    put_hex(line, at);
                    line.char(b']');
                    if let (None, Some(from)) = (to, from) {
                        line.text(", ");
                        put_register(line, from);
                    }
                })
            }
        };
        let reads = args.iter().filter_map(|arg| place(arg.base())).collect();
        self.push(text, reads, to.into_iter().collect(), timing);
    }

    fn lookup(&mut self, instr: &Instr, tex: &TexOp) {
        let (mut mask, mut writes): (_, SmallVec<[Place; 4]>) = (0, SmallVec::new());
        for (comp, result) in instr.results.iter().enumerate() {
            if let Some(value) = *result {
                mask |= 1 << comp;
                writes.push(self.place(value));
            }
        }
        let (mut reads, mut firsts): (SmallVec<[Place; 4]>, _) = (SmallVec::new(), SmallVec::new());
        for operand in &instr.operands {
            let from = reads.len();
            reads.extend(operand.bases().filter_map(|base| match base {
                Base::Value(value) => Some(self.place(value)),
                _ => None,
            }));
            firsts.extend(reads.get(from).copied());
        }
        let (form, to) = (form_of(&instr.row), writes.first().copied());
        let what = What::Lookup(Lookup { form, target: tex.target, unit: tex.unit, mask, to, firsts });
        self.other(what, reads, writes, Timing::Slow);
    }

    /// Ends the program; how many instructions it has.
    pub(super) fn exit(mut self, outputs: &[Value]) -> (Program, usize) {
        let reads = outputs.iter().map(|&value| self.place(value)).collect();
        self.push("EXIT", reads, SmallVec::new(), Timing::Exit);
        self.schedule.finish(self.lines)
    }
}
