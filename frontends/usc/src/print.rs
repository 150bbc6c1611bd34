//! From bytes to text.

use crate::decode::{self, Piece, Pieces, Stretch, stretch};
use crate::fields;
use crate::group::{Condition, GroupKind, Head};
use crate::layout::{groups, slot};
use crate::operation::Operation;
use crate::table::{bitwise, late};
use crate::{asm, isa::Usc};
use parallax_isa::{Binary, Code, Coverage, Cursor, Groups, Out, RowId, Short, Style, bytes_directive};
use parallax_lift::{Labelled, Listed, Listing};
use std::fmt::Write;

/// How statements of a group are laid out.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// In one line, with ` ; ` between them.
    Line,
    /// One a line, indented.
    Lines,
}

/// A group being written.
struct Writer<'a, 'b> {
    line: &'a mut Cursor<'b>,
    groups: &'static Groups<Usc>,
    shape: Shape,
    first: bool,
}

impl Writer<'_, '_> {
    /// What stands in front of the next statement.
    #[inline(always)]
    fn between(&mut self) -> &'static Short {
        const BESIDE: Short = Short::new(" ; ");
        const BELOW: Short = Short::new("\n       ");
        const NOTHING: Short = Short::new("");
        match (std::mem::take(&mut self.first), self.shape) {
            (true, _) => &NOTHING,
            (_, Shape::Line) => &BESIDE,
            (_, Shape::Lines) => &BELOW,
        }
    }

    #[inline]
    fn put(&mut self, slot: u8, row: RowId, code: Code) {
        let between = self.between();
        self.line.short(between);
        self.groups.codec(slot).print_into(row, &code, Style::Vendor, self.line);
    }

    /// Writes an operation. `map` are the operands as it sees them.
    #[inline]
    fn piece(&mut self, piece: &Piece, map: &Code) {
        self.put(piece.view.slot, piece.view.id, Code::new(piece.word, map.side()));
    }
}

/// Appends a group of a binary.
pub(crate) fn group(binary: &Binary, group: &parallax_isa::Group, shape: Shape, exact: Option<&[u8]>, out: &mut Out) {
    out.line(|line| print(binary, group, shape, exact, line));
}

/// Writes a group of a binary.
#[inline]
fn print(binary: &Binary, group: &parallax_isa::Group, shape: Shape, exact: Option<&[u8]>, line: &mut Cursor<'_>) {
    let (mut pieces, mut map) = (Pieces::new(), groups().map(binary, group));
    decode::find_pieces(binary, group, &mut pieces);
    let word = |n: usize| pieces.get(n).map_or(0, |piece| piece.word as u64);
    let first = word(0);
    decode::outputs(first, &mut map);
    let third = if first >> 15 & 1 != 0 { word(1) & 0xff } else { 0 };
    let head = Head::decode(first, third);
    enclosed(head, exact, shape, line, |writer| statements(writer, head.kind, &pieces, map));
}

/// A group that was read, in one line. Groups without encoding are written like others.
pub(crate) fn text(group: &crate::group::Group) -> String {
    // Late operations stand first, as in bytes.
    let piece = |operation: &Operation| Piece { view: operation.view, word: operation.code.word() };
    let mut pieces: Pieces = group.operations.iter().rev().map(piece).collect();
    // The units of phase 0 share a byte.
    let beside = |piece: &Piece| matches!(piece.view.slot, slot::MASK | slot::SHIFT1 | slot::COUNT);
    let shared = pieces.iter().filter(|piece| beside(piece)).fold(0, |all, piece| all | piece.word);
    pieces.iter_mut().filter(|piece| beside(piece)).for_each(|piece| piece.word = shared);
    // `nop.end` says it itself.
    let head = Head { end: group.head.end && group.head.kind != GroupKind::Control, ..group.head };
    let mut out = Out::new();
    out.line(|line| enclosed(head, None, Shape::Line, line, |writer| read_statements(writer, group, &pieces)));
    out.as_str().to_string()
}

/// Writes the statements of a group that was read.
fn read_statements(writer: &mut Writer<'_, '_>, group: &crate::group::Group, pieces: &[Piece]) {
    let Some(spelled) = &group.spelled else {
        return statements(writer, group.head.kind, pieces, group.operands());
    };
    // Nobody says what the other statements of such a group share with it.
    for (n, operation) in group.operations.iter().enumerate() {
        match spelled.texts.iter().find(|(of, _)| *of == n) {
            Some((_, text)) => {
                let between = writer.between();
                writer.line.short(between);
                writer.line.text(text);
            }
            None => writer.put(operation.view.slot, operation.view.id, operation.code),
        }
    }
    if !group.operations.iter().any(|operation| operation.view.first) {
        outputs(writer, &group.operands());
    }
}

/// Writes statements with what stands in front of them, and braces where there is something.
#[inline(always)]
fn enclosed(
    head: Head,
    bytes: Option<&[u8]>,
    shape: Shape,
    line: &mut Cursor<'_>,
    statements: impl FnOnce(&mut Writer<'_, '_>),
) {
    const AROUND: [[Short; 2]; 2] =
        [[Short::new("{ "), Short::new(" }")], [Short::new("{\n       "), Short::new("\n       }")]];
    let [open, close] = &AROUND[usize::from(shape == Shape::Lines)];
    let braces = prefix(&head, bytes, line);
    if braces {
        line.short(open);
    }
    statements(&mut Writer { line, groups: groups(), shape, first: true });
    if braces {
        line.short(close);
    }
}

/// Writes what stands in front of the statements of a group; whether there is anything.
#[inline]
fn prefix(head: &Head, bytes: Option<&[u8]>, line: &mut Cursor<'_>) -> bool {
    const CONDITIONS: [Short; 4] =
        [Short::new(""), Short::new("if(p0) "), Short::new("(ignorepe) "), Short::new("if(!p0) ")];
    let conditional = head.condition != Condition::Running;
    if conditional {
        line.short(&CONDITIONS[head.condition as usize]);
    }
    let more = head.end || head.atomic || head.overlap || head.repeat > 1 || bytes.is_some();
    if more {
        more_prefixes(head, bytes, line);
    }
    more || conditional
}

#[inline(never)]
fn more_prefixes(head: &Head, bytes: Option<&[u8]>, line: &mut Cursor<'_>) {
    for (given, text) in [(head.end, "(end) "), (head.atomic, "(atom) "), (head.overlap, "(olchk) ")] {
        if given {
            line.text(text);
        }
    }
    if head.repeat > 1 {
        line.text("(rpt");
        line.char(b'0' + head.repeat);
        line.text(") ");
    }
    if let Some(bytes) = bytes {
        line.text("(bytes ");
        line.text(&hex(bytes));
        line.text(") ");
    }
}

#[inline(always)]
fn statements(writer: &mut Writer<'_, '_>, kind: GroupKind, pieces: &[Piece], map: Code) {
    match kind {
        GroupKind::Main => main(writer, pieces, map),
        GroupKind::Bitwise => bitwise(writer, pieces, map),
        GroupKind::Control => {
            if let Some(piece) = pieces.iter().find(|piece| piece.view.slot == slot::CONTROL) {
                writer.piece(piece, &map);
            }
        }
    }
}

fn main(writer: &mut Writer<'_, '_>, pieces: &[Piece], mut map: Code) {
    let (mut first, mut second) = (fields::W0P.get(&map) != 0, fields::W1P.get(&map) != 0);
    let (mut moved, mut backend) = (None, None);
    for piece in pieces.iter().rev() {
        let view = piece.view;
        match view.slot {
            slot::ZERO | slot::NARROW => {
                fields::WIDE.put(&mut map, u64::from(view.wide));
                first &= !view.first;
                second &= !view.second;
                writer.piece(piece, &map);
            }
            slot::ONE => {
                let mut side = decode::swap(map);
                fields::PHASE.put(&mut side, 1);
                writer.piece(piece, &side);
            }
            slot::LATE => {
                if view.late == 1 {
                    first = false;
                    second &= !view.second;
                    moved = Some(late::MOVED0.get(&Code::from(piece.word)));
                }
                writer.piece(piece, &map);
            }
            slot::BACKEND => backend = Some(piece),
            _ => {}
        }
    }
    if first {
        writer.put(slot::OUTPUT0, RowId(0), map);
    }
    if second {
        // What output 0 takes is written too, where the second would be taken for it.
        if fields::W0P.get(&map) == 0 && moved.is_none() {
            writer.put(slot::OUTPUT0, RowId(0), map);
        }
        writer.put(slot::OUTPUT1, RowId(0), map);
    }
    if let Some(piece) = backend {
        if let Some(moved) = moved {
            fields::IS4.put(&mut map, moved);
        }
        writer.piece(piece, &map);
    }
}

/// Both outputs, as far as they go to registers.
fn outputs(writer: &mut Writer<'_, '_>, map: &Code) {
    let (first, second) = (fields::W0P.get(map) != 0, fields::W1P.get(map) != 0);
    if first || second {
        writer.put(slot::OUTPUT0, RowId(0), *map);
    }
    if second {
        writer.put(slot::OUTPUT1, RowId(0), *map);
    }
}

/// Rows of the outputs of bitwise groups.
const AFTER_PHASE: [RowId; 3] = [RowId(0), RowId(1), RowId(2)];
const COUNTED: RowId = RowId(3);
const SHIFTED: RowId = RowId(4);

fn bitwise(writer: &mut Writer<'_, '_>, pieces: &[Piece], map: Code) {
    let find = |slot| pieces.iter().find(|piece| piece.view.slot == slot);
    let mut put = |piece: &Piece| writer.piece(piece, &map);
    let (first, second) = (fields::W0P.get(&map) != 0, fields::W1P.get(&map) != 0);
    let later = find(slot::LOGICAL).is_some() || find(slot::SHIFT2).is_some();
    let mut passed = false;
    if let (Some(mask), Some(shift), Some(count)) = (find(slot::MASK), find(slot::SHIFT1), find(slot::COUNT)) {
        let units = units(mask.word, &map, later, first);
        if units.mask {
            put(mask);
        }
        if units.shift {
            put(shift);
        }
        if units.count {
            put(count);
        }
        passed = units.shift && !units.count;
    }
    [slot::LOGICAL, slot::SHIFT2].iter().filter_map(|slot| find(*slot)).for_each(&mut put);
    if let Some(test) = find(slot::TEST)
        && test.view.phase.is_some()
    {
        put(test);
    }
    if first {
        let last = if find(slot::SHIFT2).is_some() { 2 } else { usize::from(find(slot::LOGICAL).is_some()) };
        writer.put(slot::BITWISE_OUTPUTS, AFTER_PHASE[last], map);
    }
    if second {
        writer.put(slot::BITWISE_OUTPUTS, if passed { SHIFTED } else { COUNTED }, map);
    }
}

/// Which units of phase 0 are written.
struct Units {
    mask: bool,
    shift: bool,
    count: bool,
}

/// The units of phase 0 that are written: all where later phases follow, else those that do something. The assembler fills the
/// others in as they are here.
fn units(word: u128, map: &Code, later: bool, first: bool) -> Units {
    let bit = |n: u32| word >> n & 1 != 0;
    let zero = |field: &parallax_isa::Field| field.get(map) == 0;
    // Two operations of the first shifter read s1 as well.
    let mask = later || bit(4) || bit(0) || first || !zero(&fields::S0) || !bit(2) && !zero(&fields::S1);
    // What the first shifter passes on only matters to a counter that reads it.
    let counted = bitwise::COUNTS_FT2.get(&Code::from(word)) != 0;
    let shift = later || word >> 2 & 3 != 0 || counted;
    let bypass = bit(1) && !bit(5);
    let count = later || !bypass || counted != shift || !shift && !zero(&fields::S2);
    // Something must be.
    Units { mask: mask || !shift && !count, shift, count }
}

/// Hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// A group as text that assembles to the same bytes.
fn exact(binary: &Binary, found: &parallax_isa::Group, shape: Shape) -> String {
    let mut out = Out::new();
    group(binary, found, shape, None, &mut out);
    let span = found.span();
    let bytes = &binary.bytes()[span.start as usize..span.end as usize];
    if asm::assemble_bytes(out.as_str()).0.as_deref() != Some(bytes) {
        out.clear();
        group(binary, found, shape, Some(bytes), &mut out);
    }
    out.as_str().to_string()
}

/// The line of a stretch.
fn line(binary: &Binary, found: Stretch, shape: Shape, is_exact: bool) -> Listed {
    let span = found.span();
    let bytes = &binary.bytes()[span.start as usize..span.end as usize];
    match found {
        Stretch::Group(found) if is_exact => Ok(exact(binary, &found.group, shape)),
        Stretch::Group(found) => {
            let mut out = Out::new();
            group(binary, &found.group, shape, None, &mut out);
            Ok(out.as_str().to_string())
        }
        Stretch::Filler(_) => Ok(bytes_directive(bytes)),
        Stretch::Bad(_, diag) => Err((bytes_directive(bytes), diag)),
    }
}

fn stretches(binary: &Binary) -> impl Iterator<Item = Stretch> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let found = stretch(binary, at)?;
        at = found.span().end as usize;
        Some(found)
    })
}

/// Lists a binary, one line a group. Exact lines are numbered, so that they assemble when they are joined.
pub fn list(bytes: &[u8], is_exact: bool) -> Listing {
    let binary = Binary::new(bytes);
    let mut number = 0;
    let entry = |found| lines_of(&binary, found, Shape::Line, is_exact, is_exact.then_some(&mut number)).1;
    stretches(&binary).map(entry).collect()
}

/// The bytes and the text of a stretch; a group takes the next number if they are numbered.
fn lines_of(
    binary: &Binary,
    found: Stretch,
    shape: Shape,
    is_exact: bool,
    number: Option<&mut usize>,
) -> (std::ops::Range<usize>, Listed) {
    let span = found.span();
    let number = number.filter(|_| matches!(found, Stretch::Group(_)));
    let mut line = line(binary, found, shape, is_exact);
    if let Some(number) = number {
        line = line.map(|text| format!("{number:<5}: {text}"));
        *number += 1;
    }
    (span.start as usize..span.end as usize, line)
}

/// Lists a binary with numbered groups, one statement a line. It assembles to the same bytes.
pub fn list_labels(bytes: &[u8]) -> Vec<Labelled> {
    let binary = Binary::new(bytes);
    let mut number = 0;
    let entry = |found: Stretch| {
        let (bytes, line) = lines_of(&binary, found, Shape::Lines, true, Some(&mut number));
        Labelled { label: None, bytes, line }
    };
    stretches(&binary).map(entry).collect()
}

/// Appends the listing of a whole binary, one group a line; for measuring.
pub fn list_into(binary: &Binary, out: &mut Out) {
    let (mut at, mut found) = (0, parallax_isa::Group::default());
    while let Some(decoded) = groups().decode_into(binary, at, &mut found) {
        match decoded {
            Ok(()) => {
                at = found.span().end as usize;
                out.line(|line| {
                    print(binary, &found, Shape::Line, None, line);
                    line.char(b'\n');
                });
            }
            Err(diag) => {
                at = diag.span.map_or(binary.len(), |span| span.end as usize);
                out.text(".bytes\n");
            }
        }
    }
}

/// How often each form of an operation occurs in binaries.
pub fn coverage<'a>(binaries: impl Iterator<Item = &'a [u8]>) -> String {
    const COUNTED: [u8; 11] = [
        slot::ZERO,
        slot::NARROW,
        slot::LATE,
        slot::BACKEND,
        slot::MASK,
        slot::SHIFT1,
        slot::COUNT,
        slot::LOGICAL,
        slot::SHIFT2,
        slot::TEST,
        slot::CONTROL,
    ];
    let groups = groups();
    let mut counts: Vec<Coverage> = COUNTED.iter().map(|slot| Coverage::new(groups.codec(*slot))).collect();
    for bytes in binaries {
        let binary = Binary::new(bytes);
        for found in stretches(&binary) {
            let Stretch::Group(found) = found else { continue };
            for Piece { view, word } in found.pieces {
                // Both phases have the same rows.
                let at = if view.slot == slot::ONE { slot::ZERO } else { view.slot };
                if let Some(n) = COUNTED.iter().position(|slot| *slot == at) {
                    counts[n].word(groups.codec(at), word);
                }
            }
        }
    }
    COUNTED.iter().zip(&counts).map(|(slot, count)| count.report(groups.codec(*slot))).collect()
}
