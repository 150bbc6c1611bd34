//! From bytes to groups.

use crate::fields::{self, header};
use crate::group::{Group, GroupKind, Head, Place, Program};
use crate::layout::{groups, slot};
use crate::opcode::Opcode;
use crate::operation::Operation;
use crate::view::{Name, View, view};
use parallax_isa::{Binary, Code, RowId};
use parallax_text::{Diag, Span};
use smallvec::SmallVec;
use std::fmt;
use std::sync::Arc;

/// A part of a group, from bytes or from text.
#[derive(Copy, Clone)]
pub(crate) struct Piece {
    pub(crate) view: &'static View,
    pub(crate) word: u128,
}

impl fmt::Debug for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:x}", self.view.row.title(), self.word)
    }
}

impl Piece {
    pub(crate) fn new(slot: u8, row: RowId, word: u128) -> Piece {
        Piece { view: view(slot, row), word }
    }
}

/// The bits of the low sources in a limb of the operand map.
const SOURCES: u64 = (1 << 42) - 1;

/// The operand map as phase 1 sees it, or back: the lower sources in place of the upper ones.
pub(crate) fn swap(map: Code) -> Code {
    let side = map.side();
    let (low, high) = (side as u64, (side >> 64) as u64);
    let (new_low, new_high) = (low & !SOURCES | high & SOURCES, high & !SOURCES | low & SOURCES);
    Code::new(map.word(), u128::from(new_high) << 64 | u128::from(new_low))
}

/// Reads the outputs of the header into the operand map.
#[inline]
pub(crate) fn outputs(first: u64, map: &mut Code) {
    let code = Code::from(u128::from(first & 0xffff));
    fields::W0P.put(map, header::W0P.get(&code));
    fields::W1P.put(map, header::W1P.get(&code));
}

/// Puts a group together behind those that are made. `pieces` stand in the order of their bytes.
pub(crate) fn assemble<'a>(
    offset: u32,
    len: u32,
    pieces: &[Piece],
    mut map: Code,
    made: &'a mut Vec<Group>,
) -> &'a mut Group {
    let (mut first, mut third, mut count) = (0, 0, 0);
    for piece in pieces {
        count += usize::from(piece.view.phase.is_some());
        match piece.view.slot {
            slot::HEADER => first = piece.word as u64,
            slot::EXTENSION | slot::CONTROL => third = piece.word as u64 & 0xff,
            slot::ZERO => fields::WIDE.put(&mut map, u64::from(piece.view.wide)),
            _ => {}
        }
    }
    outputs(first, &mut map);
    // Groups are large: they are filled in where they stay.
    made.extend(std::iter::once_with(|| Group {
        offset,
        len,
        head: Head::decode(first, third),
        map: map.side(),
        operations: SmallVec::with_capacity(count),
        spelled: None,
    }));
    let last = made.len() - 1;
    let group = &mut made[last];
    let mut has_sums = false;
    // Late operations stand first.
    for Piece { view, word } in pieces.iter().rev().filter(|piece| piece.view.phase.is_some()) {
        let mut side = map;
        if view.slot == slot::ONE {
            side = swap(map);
            fields::PHASE.put(&mut side, 1);
        }
        has_sums |= matches!(view.opcode, Opcode::Sop | Opcode::Sopmov);
        group.operations.push(Operation { view, code: Code::new(*word, side.side()) });
    }
    // Texts may have several lines of a sum in phase 0.
    if has_sums {
        group.operations.sort_by_key(|operation| {
            let line = match operation.opcode() {
                Opcode::Sop => operation.get(Name::Line),
                Opcode::Sopmov => 2,
                _ => 0,
            };
            (operation.phase(), line)
        });
    }
    if group.head.kind == GroupKind::Control {
        group.head.end = group.operations.first().is_some_and(|o| o.view.row.name == "nop" && o.view.row.form == "end");
    }
    group
}

/// A group of a binary: where its bytes stand.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) group: parallax_isa::Group,
    pub(crate) pieces: Pieces,
}

/// The parts of a group that hold more than operands.
pub(crate) type Pieces = SmallVec<[Piece; 8]>;

/// The pieces of a decoded group.
pub(crate) fn pieces(binary: &Binary, group: &parallax_isa::Group) -> Pieces {
    let mut pieces = Pieces::new();
    find_pieces(binary, group, &mut pieces);
    pieces
}

/// The same in the place of others.
#[inline]
pub(crate) fn find_pieces(binary: &Binary, group: &parallax_isa::Group, pieces: &mut Pieces) {
    let groups = groups();
    pieces.clear();
    for part in group.parts().iter().filter(|part| !is_operand(part.slot)) {
        pieces.push(Piece::new(part.slot, part.row, groups.word(binary, group, part)));
    }
}

/// Whether a part only holds operands of the group.
#[inline]
pub(crate) fn is_operand(at: u8) -> bool {
    const OPERANDS: u32 = 1 << slot::LOWER
        | 1 << slot::UPPER
        | 1 << slot::SELECTORS
        | 1 << slot::FIRST
        | 1 << slot::SECOND
        | 1 << slot::BOTH;
    OPERANDS >> (at & 31) & 1 != 0
}

/// Whether a group has parts that hold operands.
pub(crate) fn has_operands(group: &parallax_isa::Group) -> bool {
    group.parts().last().is_some_and(|part| is_operand(part.slot))
}

/// Bytes up to the end of what the header calls `da`: the early parts start there. `operands`: whether the group has any.
pub(crate) fn da_of(pieces: &[Piece], operands: bool) -> u64 {
    let (mut all, mut control) = (0, false);
    for piece in pieces {
        all += u64::from(piece.view.counted);
        control |= piece.view.slot == slot::CONTROL;
    }
    counted_by_header(all, control, operands)
}

fn counted_by_header(all: u64, control: bool, operands: bool) -> u64 {
    match (control, operands) {
        (true, true) => all,
        (true, false) => 0,
        _ => all & 15,
    }
}

/// What is wrong with a group whose parts are all legal by themselves.
///
/// `operands`: whether it has parts that hold operands.
pub(crate) fn check_parts(pieces: &[Piece], operands: bool, map: &Code, span: Span) -> Option<Diag> {
    let error = |code, message: String| Some(Diag::invalid(code, span, message));
    let (mut bitwise, mut phases, mut order, mut tests, mut conditional, mut control) =
        (false, false, 0, false, false, false);
    let (mut da, mut counted) = (0, 0);
    for piece in pieces {
        let view = piece.view;
        counted += u64::from(view.counted);
        match view.slot {
            slot::HEADER => da = piece.word as u64 >> 4 & 15,
            slot::EXTENSION => bitwise = piece.word as u64 >> 5 & 3 == 2,
            slot::CONTROL => control = true,
            slot::ONE if !view.one => {
                return error("usc-phase", format!("`{}` cannot be in phase 1", view.row.title()));
            }
            slot::MASK | slot::LOGICAL | slot::SHIFT2 => phases = true,
            slot::LATE => {
                // What has no encoding has no place among the others.
                if view.late == 0 {
                    continue;
                }
                if view.late <= order {
                    let message =
                        format!("`{}` follows an operation in phase 2 that it must precede", view.row.title());
                    return error("usc-phase-order", message);
                }
                (order, tests) = (view.late, tests || view.late == 2);
                conditional |= view.conditional;
            }
            _ => {}
        }
    }
    if bitwise && !phases {
        return error("usc-phases", "a bitwise group has at least one phase".into());
    }
    if conditional && !tests {
        return error("usc-no-test", "`movc` needs a test in its group".into());
    }
    if fields::IS0.get(map) > 5 {
        return error("usc-selector", format!("selector is0 holds {}; allowed: 0 to 5", fields::IS0.get(map)));
    }
    let expected = counted_by_header(counted, control, operands);
    if da != expected {
        let message = format!("field `da` of the header holds {da}, but what it counts has {expected} bytes");
        return error("usc-da", message);
    }
    None
}

/// Bytes that fill the space between programs.
const FILLER: u8 = 0xcd;

/// A stretch of a binary.
#[derive(Clone, Debug)]
pub(crate) enum Stretch {
    /// A group.
    Group(Box<Found>),
    /// Bytes between programs.
    Filler(Span),
    /// What is no group, and why.
    Bad(Span, Box<Diag>),
}

impl Stretch {
    pub(crate) fn span(&self) -> Span {
        match self {
            Stretch::Group(found) => found.group.span(),
            Stretch::Filler(span) | Stretch::Bad(span, _) => *span,
        }
    }
}

/// What stands at byte `at`; `None` at the end.
pub(crate) fn stretch(binary: &Binary, at: usize) -> Option<Stretch> {
    let rest = binary.bytes().get(at..).filter(|rest| !rest.is_empty())?;
    if let Some(end) = filler_end(binary.bytes(), at) {
        return Some(Stretch::Filler(Span::new(at, end)));
    }
    Some(match group_at(binary, at)? {
        Ok(found) => Stretch::Group(Box::new(found)),
        // The header says where the next group starts, unless it says more than there is.
        Err(diag) => {
            let end = diag.span.map_or(rest.len(), |span| span.end as usize - at).clamp(1, rest.len());
            Stretch::Bad(Span::new(at, at + end), diag)
        }
    })
}

/// The group at byte `at`; `None` at the end.
///
/// # Errors
/// Why there is none. The span are the bytes it would have.
pub(crate) fn group_at(binary: &Binary, at: usize) -> Option<Result<Found, Box<Diag>>> {
    let groups = groups();
    Some(groups.decode(binary, at)?.and_then(|group| {
        let (pieces, map) = (pieces(binary, &group), groups.map(binary, &group));
        match check_parts(&pieces, has_operands(&group), &map, group.span()) {
            None => Ok(Found { group, pieces }),
            Some(diag) => Err(Box::new(diag)),
        }
    }))
}

/// Where filler that starts at byte `at` ends.
fn filler_end(bytes: &[u8], at: usize) -> Option<usize> {
    let filler = bytes[at.min(bytes.len())..].iter().take_while(|b| **b == FILLER).count();
    (filler >= 2).then_some(at + filler)
}

impl Program {
    /// Reads a binary. It can be run only if no problem is an error; groups that cannot be read are left out.
    pub fn decode(bytes: &[u8]) -> (Program, Vec<Diag>) {
        /// Groups there is room for from the start, at most.
        const ROOM: usize = 4096;
        let (binary, table) = (Binary::new(bytes), groups());
        let room = (bytes.len() / 8).min(ROOM);
        let (mut groups, mut places, mut diags) = (Vec::with_capacity(room), Vec::with_capacity(room), Vec::new());
        let (mut at, mut group, mut pieces) = (0, parallax_isa::Group::default(), Pieces::new());
        loop {
            if let Some(end) = filler_end(bytes, at) {
                at = end;
                continue;
            }
            // What is found is put together where it was found: it is large.
            let diag = match table.decode_into(&binary, at, &mut group) {
                None => break,
                Some(Ok(())) => {
                    find_pieces(&binary, &group, &mut pieces);
                    let map = table.map(&binary, &group);
                    match check_parts(&pieces, has_operands(&group), &map, group.span()) {
                        None => {
                            assemble(group.offset, u32::from(group.len), &pieces, map, &mut groups);
                            places.push(Place { line: 0, span: group.span() });
                            at = group.span().end as usize;
                            continue;
                        }
                        Some(diag) => Box::new(diag),
                    }
                }
                Some(Err(diag)) => diag,
            };
            at = diag.span.map_or(bytes.len(), |span| span.end as usize).clamp(at + 1, bytes.len());
            diags.push(*diag);
        }
        (Program { groups: Arc::new(groups), places, is_text: false }, diags)
    }
}
