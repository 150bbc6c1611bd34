//! A group in the making: from its statements to its bytes.

use crate::decode::{self, Piece};
use crate::fields::{self, SOURCES, header};
use crate::group::{Condition, Group, GroupKind, Head, Spelled};
use crate::layout::{groups, one_group, phase_code, slot};
use crate::register::{Bank, Register};
use crate::statement::{BITWISE, Kinds, slot_of};
use crate::sums::WideSum;
use crate::table::{bitwise, late};
use crate::view::{View, view};
use parallax_isa::{Code, Encoding, Field, Reading, RowId};
use parallax_text::{Diag, Span};
use smallvec::SmallVec;

/// What text says about a group.
#[derive(Clone, Debug, Default)]
pub(crate) struct Builder {
    pieces: SmallVec<[Piece; 8]>,
    /// The slots of these, a bit each.
    slots: u32,
    /// The operand map, as far as statements have set it.
    known: Encoding,
    head: Head,
    /// What stood in front of it, a bit for each kind of [`Prefix`].
    prefixes: u8,
    bytes: Option<Vec<u8>>,
    /// Texts of operations whose operands nobody describes.
    spelled: Vec<((u8, RowId), Box<str>)>,
    wide: Option<Box<WideSum>>,
    /// The label a branch names.
    pub(crate) branch: Option<Span>,
    /// Whether a statement of the group could not be read.
    pub(crate) broken: bool,
    /// Whether a plain output statement named output 0, and output 1.
    outputs: [bool; 2],
    /// Whether statements were passed over because the bytes are given.
    passed: bool,
    /// What the operations of phase 0 and 1 alone say of the operand map, unless that is all that is known.
    early: Encoding,
    /// Whether nothing else was said yet since the last of them.
    is_early: bool,
    /// Statements behind those, and their slots.
    behind: SmallVec<[(Statement, u8); 4]>,
}

/// What can stand in front of a group.
#[derive(Clone, Debug)]
pub(crate) enum Prefix {
    Condition(Condition),
    Repeat(u8),
    End,
    Atomic,
    Overlap,
    Bytes(Vec<u8>),
}

impl Prefix {
    /// Bits of those that control groups do not have.
    const NOT_OF_CONTROL: u8 = 0b1110;
}

/// A statement: where it starts, where its mnemonic ends, and in which tables that stands.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Statement {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) kinds: Kinds,
}

/// Why a group has no bytes.
pub(crate) enum Unencoded {
    /// Nobody knows the encoding of a row.
    Unknown(&'static View, Span),
    /// For another reason.
    Other(Box<Diag>),
}

impl Unencoded {
    /// Says why.
    #[cold]
    pub(crate) fn explain(self) -> Diag {
        match self {
            Unencoded::Unknown(view, span) => {
                let title = view.row.title().replace(", no encoding", "").replace(" (no encoding)", "");
                let message = format!("nobody knows the encoding of `{title}`");
                Diag::unsupported("usc-no-encoding", span, message).with_help("the text can be run")
            }
            Unencoded::Other(diag) => *diag,
        }
    }
}

impl Statement {
    /// Reads it as one of a slot's rows; the row and its word. `known` are the operands that are known, with which `reading` was made.
    #[inline]
    fn read(&self, reading: &mut Reading<'_>, slot: u8, known: &Encoding) -> Result<(RowId, u128), Box<Diag>> {
        let place = (self.start, self.end);
        let (row, code) = groups().codec(slot).read_into(reading, place, self.kinds.number(slot), known)?;
        Ok((row, code.word()))
    }
}

/// A statement with single blanks, and behind commas only.
fn normalised(statement: &str) -> Box<str> {
    let operands = statement.split(',').map(|part| part.split_whitespace().collect::<Vec<_>>().join(" "));
    let named = operands.map(|part| if part.is_empty() { "_".to_string() } else { part });
    named.collect::<Vec<_>>().join(", ").into()
}

/// Forgets fields.
fn without(encoding: Encoding, fields: &[&Field]) -> Encoding {
    let (code, mut set) = encoding.parts();
    for field in fields {
        set = set.without(field.mask());
    }
    Encoding::from_parts(code, set)
}

impl Builder {
    /// Whether nothing was said about the group yet but what stands in front of it.
    pub(crate) fn is_empty(&self) -> bool {
        self.pieces.is_empty() && self.outputs == [false; 2] && !self.broken && !self.passed
    }

    /// Whether a statement was read.
    pub(crate) fn has_statements(&self) -> bool {
        !self.pieces.is_empty() || self.outputs != [false; 2]
    }

    /// Takes what stands in front of the group; whether it is there for the first time.
    pub(crate) fn prefix(&mut self, prefix: Prefix) -> bool {
        let kind = match prefix {
            Prefix::Condition(condition) => {
                self.head.condition = condition;
                0
            }
            Prefix::Repeat(times) => {
                self.head.repeat = times;
                1
            }
            Prefix::End => {
                self.head.end = true;
                2
            }
            Prefix::Atomic => {
                self.head.atomic = true;
                3
            }
            Prefix::Overlap => {
                self.head.overlap = true;
                4
            }
            Prefix::Bytes(bytes) => {
                self.bytes = Some(bytes);
                5
            }
        };
        let known = self.prefixes;
        self.prefixes |= 1 << kind;
        known != self.prefixes
    }

    /// Whether the bytes of the group are given.
    pub(crate) fn has_bytes(&self) -> bool {
        self.bytes.is_some()
    }

    /// Takes a statement for read whose operands only the given bytes can tell.
    pub(crate) fn mark_read(&mut self) {
        self.passed = true;
    }

    fn has(&self, slot: u8) -> bool {
        self.slots >> (slot & 31) & 1 != 0
    }

    fn is_bitwise(&self) -> bool {
        self.slots & BITWISE != 0
    }

    fn push(&mut self, piece: Piece) {
        self.slots |= 1 << (piece.view.slot & 31);
        self.pieces.push(piece);
    }

    /// Keeps pieces.
    fn retain(&mut self, keep: impl Fn(&Piece) -> bool) {
        self.pieces.retain(|piece| keep(piece));
        self.slots = self.pieces.iter().fold(0, |all, piece| all | 1 << (piece.view.slot & 31));
    }

    /// Takes a statement; where it ends.
    ///
    /// # Errors
    /// What is wrong with it.
    #[inline]
    pub(crate) fn statement(&mut self, text: &str, statement: Statement) -> Result<usize, Box<Diag>> {
        let at = slot_of(text.as_bytes(), statement.end, statement.kinds, self.is_bitwise());
        match at {
            slot::ZERO => return self.early(text, statement),
            // Only now: right behind the operation it would wait for what was just written.
            _ if std::mem::take(&mut self.is_early) => self.early = self.known,
            _ => {}
        }
        match at {
            slot::BITWISE_OUTPUTS => self.bitwise_output(text, statement),
            slot::BACKEND => self.backend(text, statement),
            _ => {
                let end = self.further(text, statement, at)?;
                self.behind.push((statement, at));
                Ok(end)
            }
        }
    }

    /// Keeps the text of an operation whose operands nobody describes.
    ///
    /// # Errors
    /// What is wrong with the operands of those that are described.
    #[inline]
    fn keep(&mut self, view: &View, text: &str, span: Span) -> Result<(), Box<Diag>> {
        if view.spelled { self.keep_text(view, text, span) } else { Ok(()) }
    }

    #[inline(never)]
    fn keep_text(&mut self, view: &View, text: &str, span: Span) -> Result<(), Box<Diag>> {
        let statement = span.text(text);
        self.spelled.push(((view.slot, view.id), normalised(statement)));
        if let Some(sum) = crate::sums::read(statement, span.start as usize)? {
            self.merge(&sum.encoding(), span)?;
            (self.early, self.is_early) = (self.known, false);
            self.wide.get_or_insert_default().join(sum);
        }
        Ok(())
    }

    /// Whether a row is a further line of a sum of products.
    fn joins_sum(&self, slot: u8, row: RowId) -> bool {
        let sum = |view: &View| matches!(view.row.name, "sop" | "sopmov" | "sopu8madmov");
        let mut lines = self.pieces.iter().filter(|piece| piece.view.slot == slot);
        // A sum has two lines and a copy.
        lines.clone().count() < 3 && lines.all(|piece| sum(piece.view)) && sum(view(slot, row))
    }

    /// Refuses a second operation in a place that has one.
    #[inline]
    fn fresh(&self, slot: u8, span: Span) -> Result<(), Box<Diag>> {
        if self.has(slot) { Err(Builder::second(slot, span)) } else { Ok(()) }
    }

    /// Says that a place has an operation already.
    #[cold]
    fn second(slot: u8, span: Span) -> Box<Diag> {
        let what = match slot {
            slot::ZERO => "phase 0 has an operation already",
            slot::ONE => "phase 1 has an operation already",
            slot::BACKEND => "the group has a backend operation already",
            slot::CONTROL => "the group has a control operation already",
            _ => "this unit has an operation already",
        };
        let diag = Diag::invalid("usc-phase-twice", span, what);
        Box::new(diag.with_help("start another group with a number and `:`"))
    }

    /// An operation of phase 0 or 1.
    fn early(&mut self, text: &str, statement: Statement) -> Result<usize, Box<Diag>> {
        const NOTHING: &Encoding = &Encoding::NOTHING;
        let mut reading = Reading::new(text, NOTHING);
        let mut at = slot::ZERO;
        let mut read = statement.read(&mut reading, at, NOTHING);
        // Only forms with elements can say what these say.
        if statement.kinds.has(slot::NARROW) && (read.is_err() || text.as_bytes().get(reading.end()) == Some(&b'.')) {
            at = slot::NARROW;
            reading = Reading::new(text, NOTHING);
            read = statement.read(&mut reading, at, NOTHING);
        }
        let (row, word) = read?;
        let span = Span::new(statement.start, reading.end());
        let swapped;
        let operands = if reading.encoding().get(&fields::PHASE) != 0 {
            at = slot::ONE;
            let (code, set) = reading.encoding().parts();
            swapped = Encoding::from_parts(decode::swap(code), decode::swap(set));
            &swapped
        } else {
            reading.encoding()
        };
        if !(self.has(at) && self.joins_sum(at, row)) {
            self.fresh(at, span)?;
            if at == slot::ZERO || at == slot::NARROW {
                self.fresh(slot::ZERO, span)?;
                self.fresh(slot::NARROW, span)?;
            }
        }
        self.merge(operands, span)?;
        self.is_early = true;
        let piece = Piece::new(at, row, word);
        self.push(piece);
        self.keep(piece.view, text, span)?;
        Ok(reading.end())
    }

    /// An output statement, or an operation behind phase 1.
    fn further(&mut self, text: &str, statement: Statement, at: u8) -> Result<usize, Box<Diag>> {
        if at == slot::OUTPUT0 { self.output(text, statement) } else { self.late(text, statement, at) }
    }

    /// A backend operation. Its sources are fixed, while statements in front of it may have taken any that were free: where
    /// that clashes, they choose again.
    fn backend(&mut self, text: &str, statement: Statement) -> Result<usize, Box<Diag>> {
        if self.behind.is_empty() {
            return self.late(text, statement, slot::BACKEND);
        }
        let before = self.clone();
        let refused = match self.late(text, statement, slot::BACKEND) {
            Err(diag) if diag.code != "usc-feed" => diag,
            result => return result,
        };
        self.known = self.early;
        self.outputs = [false; 2];
        self.retain(|piece| matches!(piece.view.slot, slot::ZERO | slot::NARROW | slot::ONE));
        let again = self.late(text, statement, slot::BACKEND);
        let others = before.behind.iter().all(|(statement, at)| self.further(text, *statement, *at).is_ok());
        match again {
            Ok(end) if others => Ok(end),
            _ => {
                *self = before;
                Err(refused)
            }
        }
    }

    /// An operation of another slot.
    fn late(&mut self, text: &str, statement: Statement, at: u8) -> Result<usize, Box<Diag>> {
        let moved = if at == slot::BACKEND { self.moved() } else { None };
        // A backend operation names what the move gives, not the default.
        let without_default;
        let known = if moved.is_some() {
            without_default = without(self.known, &[&fields::IS4]);
            &without_default
        } else {
            &self.known
        };
        let mut reading = Reading::new(text, known);
        let (row, word) = statement.read(&mut reading, at, known)?;
        let span = Span::new(statement.start, reading.end());
        let piece = Piece::new(at, row, word);
        let late = piece.view.late;
        match at {
            slot::LATE => {
                if late != 0 && self.pieces.iter().any(|piece| piece.view.late == late) {
                    let diag = Diag::invalid("usc-phase-twice", span, "phase 2 has such an operation already");
                    return Err(diag.with_help("start another group with a number and `:`").into());
                }
            }
            _ => self.fresh(at, span)?,
        }
        if let Some(moved) = moved {
            check_feed(reading.encoding(), moved, span)?;
            self.merge(&without(*reading.encoding(), &[&fields::IS4]), span)?;
        } else {
            self.merge(reading.encoding(), span)?;
        }
        if let Some(label) = reading.label() {
            self.branch = Some(label.name);
        }
        self.push(piece);
        self.keep(piece.view, text, span)?;
        Ok(reading.end())
    }

    /// What the move of the group gives output 0.
    fn moved(&self) -> Option<u64> {
        if !self.has(slot::LATE) {
            return None;
        }
        let found = self.pieces.iter().find(|piece| piece.view.late == 1);
        found.map(|piece| late::MOVED0.get(&Code::from(piece.word)))
    }

    /// An output statement of a main group.
    fn output(&mut self, text: &str, statement: Statement) -> Result<usize, Box<Diag>> {
        let taken = self.outputs[0] || self.early.has(&fields::W0P) || self.moved().is_some();
        let at = if taken { slot::OUTPUT1 } else { slot::OUTPUT0 };
        let mut reading = Reading::new(text, &self.known);
        statement.read(&mut reading, at, &self.known)?;
        let span = Span::new(statement.start, reading.end());
        let n = usize::from(at == slot::OUTPUT1);
        if std::mem::replace(&mut self.outputs[n], true) || n == 1 && self.known.has(&fields::W1P) {
            let diag = Diag::invalid("usc-output", span, "a group has two outputs, and both are written already");
            return Err(diag.with_help("start another group with a number and `:`").into());
        }
        self.merge(reading.encoding(), span)?;
        Ok(reading.end())
    }

    /// An output statement of a bitwise group.
    fn bitwise_output(&mut self, text: &str, statement: Statement) -> Result<usize, Box<Diag>> {
        let mut reading = Reading::new(text, &self.known);
        let (row, word) = statement.read(&mut reading, slot::BITWISE_OUTPUTS, &self.known)?;
        let span = Span::new(statement.start, reading.end());
        let code = word & 3;
        let n = usize::from(code == 3);
        let last = if self.has(slot::SHIFT2) { 2 } else { u128::from(self.has(slot::LOGICAL)) };
        if n == 0 && code != last {
            let name = ["ft1", "ft4", "ft5"][last as usize];
            let diag = Diag::invalid("usc-output", span, format!("output 0 of this group is {name}"));
            return Err(diag
                .with_help("output 0 takes the result of the last phase, output 1 that of the counter")
                .into());
        }
        if std::mem::replace(&mut self.outputs[n], true) {
            return Err(Diag::invalid("usc-output", span, "this output is written already").into());
        }
        self.merge(reading.encoding(), span)?;
        self.push(Piece::new(slot::BITWISE_OUTPUTS, row, 0));
        Ok(reading.end())
    }

    /// Adds what an operation says of the operand map to what is known.
    fn merge(&mut self, said: &Encoding, span: Span) -> Result<(), Box<Diag>> {
        // That an output goes nowhere is said by nobody else naming it; the phase is that of the operation alone.
        const OUTPUTS: u128 = fields::W0P.mask().side() | fields::W1P.mask().side();
        const PHASE: u128 = fields::PHASE.mask().side();
        let ((code, set), (known, known_set)) = (said.parts(), self.known.parts());
        let (code, set) = (code.side(), set.side() & (code.side() | !OUTPUTS) & !PHASE);
        let (known, known_set) = (known.side(), known_set.side());
        if (code ^ known) & set & known_set != 0 {
            return Err(self.explain_clash(&Encoding::from_parts(Code::new(0, code), Code::new(0, set)), span).into());
        }
        self.known = Encoding::from_parts(Code::new(0, code & set | known), Code::new(0, set | known_set));
        Ok(())
    }

    #[cold]
    fn explain_clash(&self, side: &Encoding, span: Span) -> Diag {
        let differs =
            |field: &&&Field| self.known.has(field) && side.has(field) && self.known.get(field) != side.get(field);
        let message = match SOURCES.iter().find(differs) {
            Some(field) => format!("source {} is read as two registers", field.name),
            None => "two statements of the group want different operands in the same place".to_string(),
        };
        let help =
            "the operations of a group share its six sources and two outputs: put one of them into another group";
        Diag::invalid("usc-operands", span, message).with_help(help)
    }

    /// Forgets the group.
    pub(crate) fn clear(&mut self) {
        self.pieces.clear();
        self.slots = 0;
        self.behind.clear();
        self.spelled.clear();
        (self.known, self.early) = Default::default();
        (self.head, self.prefixes, self.bytes, self.branch, self.wide) = Default::default();
        (self.broken, self.passed, self.is_early) = Default::default();
        self.outputs = [false; 2];
    }

    /// Makes the group and appends it, and its bytes if it has any; why it has none.
    ///
    /// # Errors
    /// Why there is no such group.
    pub(crate) fn finish(
        &mut self,
        span: Span,
        made: &mut Vec<Group>,
        out: &mut Vec<u8>,
    ) -> Result<Option<Unencoded>, Box<Diag>> {
        let offset = out.len() as u32;
        if let Some(bytes) = self.bytes.take() {
            self.raw(&bytes, span, made, out)?;
            return Ok(None);
        }
        let error = |code, message: &str| Err(Box::new(Diag::invalid(code, span, message)));
        const MAIN: u32 = 1 << slot::ZERO | 1 << slot::NARROW | 1 << slot::ONE | 1 << slot::LATE | 1 << slot::BACKEND;
        let is_bitwise = self.is_bitwise();
        let is_control = self.has(slot::CONTROL);
        let main = self.slots & MAIN != 0;
        if u8::from(is_bitwise) + u8::from(is_control) + u8::from(main) > 1 {
            return error(
                "usc-mixed",
                "operations of the main ALU, of the bitwise ALU and of control exclude each other",
            );
        }
        let mut map = Code::new(0, self.known.parts().0.side());
        let phases = if is_bitwise {
            self.head.kind = GroupKind::Bitwise;
            self.finish_bitwise()
        } else if is_control {
            self.head.kind = GroupKind::Control;
            if self.prefixes & Prefix::NOT_OF_CONTROL != 0 {
                return error("usc-prefix", "control groups have no `end`, `atom` or `rpt`; `nop.end` ends a program");
            }
            0
        } else {
            self.finish_main(&mut map, span)?
        };
        let row = RowId(u16::from(is_bitwise));
        let (mut first, mut third) = (Code::default(), Code::default());
        self.head.encode(&mut first, &mut third);
        header::W0P.put(&mut first, fields::W0P.get(&map));
        header::W1P.put(&mut first, fields::W1P.get(&map));
        header::PHASES.put(&mut first, phases);
        let extended = is_control || !third.is_zero();
        header::EXTENDED.put(&mut first, u64::from(extended));
        let mut third = third.word();
        if is_control {
            for piece in self.pieces.iter_mut().filter(|piece| piece.view.slot == slot::CONTROL) {
                piece.word |= third;
                third = piece.word;
            }
        } else if extended {
            self.push(Piece::new(slot::EXTENSION, row, third));
        }
        let third = third as u64 & 0xff;
        if is_bitwise {
            self.retain(|piece| piece.view.slot != slot::BITWISE_OUTPUTS);
        }
        self.push(Piece::new(slot::HEADER, RowId(0), first.word()));
        // Only phase 2 has several places.
        let place = |piece: &Piece| u16::from(piece.view.slot) << 8 | u16::from(piece.view.late);
        // Most texts name the operations in the order they run in, which is that of the bytes turned round.
        if self.pieces.is_sorted_by(|a, b| place(a) > place(b)) {
            self.pieces.reverse();
        } else {
            self.pieces.sort_by_key(place);
        }
        let operands = !is_control || self.outputs() || has_sources(&self.pieces);
        let da = decode::da_of(&self.pieces, operands);
        header::DA.put(&mut first, da);
        if let Some(header) = self.pieces.first_mut() {
            header.word = first.word();
        }
        if let Some(diag) = decode::check_parts(&self.pieces, operands, &map, span).filter(|diag| diag.code != "usc-da")
        {
            return Err(diag.into());
        }
        let unencoded = self.encode(first.word() as u64 | third << 16, &map, span, out).err();
        let len = out.len() as u32 - offset;
        let group = decode::assemble(offset, len, &self.pieces, map, made);
        if !self.spelled.is_empty() {
            let mut texts: Vec<(usize, Box<str>)> = Vec::new();
            for (part, text) in self.spelled.drain(..) {
                let taken = |n: usize| texts.iter().any(|(of, _)| *of == n);
                let is_it =
                    |n: &usize| (group.operations[*n].view.slot, group.operations[*n].view.id) == part && !taken(*n);
                let n = (0..group.operations.len()).find(is_it);
                texts.extend(n.map(|n| (n, text)));
            }
            group.spelled = Some(Box::new(Spelled { texts, wide: self.wide.take() }));
        }
        Ok(unencoded)
    }

    fn outputs(&self) -> bool {
        self.known.get(&fields::W0P) | self.known.get(&fields::W1P) != 0
    }

    /// A group whose bytes are given.
    fn raw(&self, bytes: &[u8], span: Span, made: &mut Vec<Group>, out: &mut Vec<u8>) -> Result<(), Box<Diag>> {
        let Some((binary, found)) = one_group(bytes) else {
            return Err(Box::new(Diag::invalid("usc-bytes-attribute", span, "these bytes are not a group")));
        };
        let pieces = decode::pieces(&binary, &found);
        let map = groups().map(&binary, &found);
        if let Some(diag) = decode::check_parts(&pieces, decode::has_operands(&found), &map, span) {
            return Err(diag.into());
        }
        let offset = out.len() as u32;
        out.extend_from_slice(bytes);
        decode::assemble(offset, bytes.len() as u32, &pieces, map, made);
        Ok(())
    }

    /// Fills in the units that share a byte with others; the phases as a mask.
    fn finish_bitwise(&mut self) -> u64 {
        let one = self.has(slot::LOGICAL);
        let two = self.has(slot::SHIFT2) || self.has(slot::TEST);
        let zero = [slot::MASK, slot::SHIFT1, slot::COUNT].iter().any(|slot| self.has(*slot)) || !one && !two;
        let row = |slot: u8, word: u128| groups().codec(slot).decode(word).unwrap_or_default();
        let fill = |builder: &mut Builder, slot: u8, word: u128| {
            if !builder.has(slot) {
                builder.push(Piece::new(slot, row(slot, word), word));
            }
        };
        if zero {
            let shifted = self.has(slot::SHIFT1);
            let mut count = Code::default();
            if !one && !two {
                // The counter passes on what the first shifter makes.
                count = Code::from(2);
                bitwise::COUNTS_FT2.put(&mut count, u64::from(shifted));
            }
            fill(self, slot::COUNT, count.word());
            fill(self, slot::SHIFT1, 0);
            fill(self, slot::MASK, 0);
        }
        if two {
            fill(self, slot::TEST, 0);
            fill(self, slot::SHIFT2, 0);
        }
        u64::from(zero) | u64::from(one) << 1 | u64::from(two) << 2
    }

    /// Adds a move of all bytes of what output 0 takes by default.
    fn push_move(&mut self, map: &mut Code) {
        let mut word = Code::from(0x3ed0);
        late::MOVED0.put(&mut word, fields::IS4.get(map));
        fields::IS4.put(map, 0);
        let row = groups().codec(slot::LATE).decode(word.word()).unwrap_or_default();
        self.push(Piece::new(slot::LATE, row, word.word()));
    }

    /// Chooses forms and marks the last operation of phase 2; the code of the set of phases.
    fn finish_main(&mut self, map: &mut Code, span: Span) -> Result<u64, Box<Diag>> {
        let phase = |slot: u8, bit: u32| u8::from(self.has(slot)) << bit;
        let mut present = phase(slot::ZERO, 0)
            | phase(slot::NARROW, 0)
            | phase(slot::ONE, 1)
            | phase(slot::LATE, 2)
            | phase(slot::BACKEND, 3);
        if present == 0 {
            // Only outputs.
            self.push_move(map);
            present = 4;
        }
        // A backend takes what a move gives: the default of an output is moved where the text leaves the move out.
        if present & 0b1101 == 0b1001 && self.known.has(&fields::IS4) {
            self.push_move(map);
            present |= 4;
        }
        let Some(code) = phase_code(present) else {
            let names: Vec<&str> = ["phase 0", "phase 1", "phase 2", "the backend"]
                .into_iter()
                .enumerate()
                .filter(|(n, _)| present >> n & 1 != 0)
                .map(|(_, name)| name)
                .collect();
            let message = format!("no group consists of {} alone", names.join(", "));
            let help = "phase 1 needs phase 0; a backend stands alone or with phases 0 and 2: `mov REG.e0.e1.e2.e3, ft0` is of \
                        phase 2";
            return Err(Diag::invalid("usc-phases", span, message).with_help(help).into());
        };
        if fields::W1P.get(map) == 0
            && let Some(piece) = self.pieces.iter().find(|piece| piece.view.late != 0 && piece.view.second)
        {
            // Output 1 goes nowhere: the vendor's compiler makes its default what it would take.
            fields::IS5.put(map, late::MOVED1.get(&Code::from(piece.word)));
        }
        // Of the late operations the last of the order move, test, pack ends the phase.
        let last = self.pieces.iter().map(|piece| piece.view.late).max().unwrap_or(0);
        for piece in &mut self.pieces {
            if piece.view.late == last && last != 0 {
                let mut word = Code::from(piece.word);
                match last {
                    1 => late::MOVE_LAST.put(&mut word, 1),
                    2 => late::TEST_LAST.put(&mut word, 1),
                    _ => {}
                }
                piece.word = word.word();
            }
            while let Some((slot, row, lost)) = piece.view.shorter
                && piece.word & lost == 0
            {
                let pattern = &view(slot, row).row.pattern;
                *piece = Piece::new(slot, row, piece.word & pattern.free | pattern.base());
            }
        }
        Ok(code)
    }

    /// Whether the byte of elements would be taken for something else.
    fn is_misread(&self, bytes: &[u8]) -> bool {
        let elements = |(_, group): (_, parallax_isa::Group)| group.part(slot::NARROW).is_some();
        let has_elements = self.has(slot::NARROW) && self.pieces.iter().any(|piece| piece.view.slot == slot::NARROW);
        has_elements && !one_group(bytes).is_some_and(elements)
    }

    /// Appends the bytes, of which `first` are the first ones.
    fn encode(&self, first: u64, map: &Code, span: Span, out: &mut Vec<u8>) -> Result<(), Unencoded> {
        let start = out.len();
        let words = self.pieces.iter().map(|piece| (piece.view.slot, piece.view.id, piece.word));
        let built = groups().build(first, words, map, out);
        let diag = match built {
            Ok(()) if out.len() - start <= parallax_isa::MOST_BYTES => {
                if !self.is_misread(&out[start..]) {
                    return Ok(());
                }
                let message =
                    "nobody knows what tells that elements are there, and the bytes would be read without them";
                Diag::unsupported("usc-ambiguous", span, message).with_help("use other registers")
            }
            Ok(()) => {
                let message = format!("the group takes {} bytes; groups have at most 32", out.len() - start);
                Diag::invalid("usc-length", span, message).with_help("divide it into two")
            }
            Err(_) => match self.pieces.iter().find(|piece| piece.word >> 127 != 0) {
                Some(piece) => return Err(Unencoded::Unknown(piece.view, span)),
                None => limits(map, span),
            },
        };
        out.truncate(start);
        Err(Unencoded::Other(diag.into()))
    }
}

/// A backend operation that names a feed-through means what the move gives to output 0.
fn check_feed(said: &Encoding, moved: u64, span: Span) -> Result<(), Box<Diag>> {
    let named = said.get(&fields::IS4);
    if !said.has(&fields::IS4) || named == moved {
        return Ok(());
    }
    let name = |feed: u64| ["ft0", "ft1", "ft2", "fte"][feed as usize & 3];
    let message = format!("output 0 holds {} here, not {}", name(moved), name(named));
    Err(Diag::invalid("usc-feed", span, message).into())
}

/// Whether control operations among these read sources.
fn has_sources(pieces: &[Piece]) -> bool {
    pieces.iter().any(|piece| piece.view.slot == slot::CONTROL && piece.view.row.name.starts_with("cnd"))
}

/// Which source names a register that its encoding cannot.
fn limits(map: &Code, span: Span) -> Diag {
    for (n, field) in SOURCES.iter().enumerate().filter(|(n, _)| matches!(n, 1 | 4 | 5)) {
        let code = field.get(map) as u16;
        if code >> 11 < 4 && code & 0x7ff < 256 {
            continue;
        }
        let Register { bank, number, index } = Register::decode(code);
        let what = match (bank, index) {
            (_, Some(_)) => "an indexed register".to_string(),
            (Bank::Shared, _) => format!("sh{number}"),
            (Bank::AlternateCoefficient, _) => format!("cfa{number}"),
            (Bank::Index, _) => format!("idx{number}"),
            _ => format!("number {number}"),
        };
        let diag = Diag::invalid("usc-bank", span, format!("source s{n} cannot name {what}"));
        return diag.with_help(
            "s1, s4 and s5 can name special, r, vi and cf registers below 256; s0, s2 and s3 can name every bank: exchange \
             operands, or multiply by c64 (1.0) and add",
        );
    }
    Diag::invalid("usc-bank", span, "the source maps cannot hold these registers")
}
