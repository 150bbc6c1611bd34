//! From bytes to groups.

use crate::fields::{self, extension, header};
use crate::group::Condition;
use crate::group::{Group, GroupKind, Place, Program};
use crate::layout::{groups, slot};
use crate::opcode::{Opcode, Phase};
use crate::operation::Operation;
use parallax_isa::{Binary, Code, Meaning, RowId};
use parallax_text::{Diag, Span};
use smallvec::SmallVec;
use std::sync::{Arc, LazyLock};

/// A part of a group, from bytes or from text.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Piece {
    pub(crate) slot: u8,
    pub(crate) row: RowId,
    pub(crate) word: u128,
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

/// What a row is to its group.
#[derive(Copy, Clone, Default)]
pub(crate) struct Role {
    /// The operation it is, if it is one.
    operation: Option<Does>,
    /// fte is the high word.
    pub(crate) wide: bool,
    /// It names output 0.
    pub(crate) first: bool,
    /// It names output 1.
    pub(crate) second: bool,
    /// It can stand in phase 1.
    pub(crate) one: bool,
    /// Where it stands in phase 2: move, test, pack; 0 elsewhere.
    pub(crate) late: u8,
    /// It looks at the test of its group.
    pub(crate) conditional: bool,
    /// Nobody describes its operands.
    pub(crate) spelled: bool,
    /// Its bytes, as far as the header counts them.
    counted: u8,
}

/// What an operation is.
#[derive(Copy, Clone)]
struct Does {
    phase: Phase,
    opcode: Opcode,
    row: &'static parallax_isa::Row<crate::isa::Usc>,
}

impl Role {
    /// The role of an opcode.
    pub(crate) fn of(opcode: Opcode) -> Role {
        use Opcode::*;
        let whole = matches!(
            opcode,
            Frcp | Frsq | Fsqrt | Flog | Flogcn | Fexp | Gcmp | Gexp | Fsinc | Farctanc | Fred | Sop | WideSum
        );
        Role {
            wide: matches!(opcode, Add64 | Add6432 | Madd64),
            first: whole,
            second: matches!(opcode, Fred | Sop | Sopmov | WideSum | Movc),
            one: matches!(opcode, Fadd | Fmul | Fmad | Mbyp | Fdsx | Fdsy | Fdsxf | Fdsyf),
            late: match opcode {
                Mov | Movc => 1,
                Test => 2,
                Pck => 3,
                _ => 0,
            },
            ..Role::default()
        }
    }
}

/// Most rows of a table.
const MOST_ROWS: usize = 256;

/// Roles of all rows, by slot and row.
static ROLES: LazyLock<Vec<Role>> = LazyLock::new(|| {
    let mut all = vec![Role::default(); MOST_ROWS * (usize::from(slot::BITWISE_OUTPUTS) + 1)];
    for slot in 0..=slot::BITWISE_OUTPUTS {
        for (row, data) in groups().codec(slot).rows() {
            // A bit test that is none is no operation.
            let operation = phase(slot).filter(|_| slot != slot::TEST || data.name != "none");
            let operation = operation.map(|phase| Does { phase, opcode: opcode(data.meaning), row: data });
            all[usize::from(slot) * MOST_ROWS + row.index()] = Role {
                operation,
                conditional: data.form.starts_with("test"),
                spelled: data.operands.iter().any(|operand| operand.kind == crate::isa::Kind(&crate::syntax::OPERANDS)),
                counted: if slot == slot::HEADER || slot == slot::EXTENSION || counts(slot) {
                    (data.pattern.width / 8) as u8
                } else {
                    0
                },
                ..operation.map_or_else(Role::default, |does| Role::of(does.opcode))
            };
        }
    }
    all
});

/// Whether the header counts the parts of a slot, among those before the operands.
fn counts(slot: u8) -> bool {
    use slot::*;
    matches!(slot, BACKEND | LATE | SHIFT2 | LOGICAL | MASK | CONTROL)
}

/// The role of a row of a slot.
#[inline]
pub(crate) fn role(slot: u8, row: RowId) -> &'static Role {
    const NONE: &Role = &Role {
        operation: None,
        wide: false,
        first: false,
        second: false,
        one: false,
        late: 0,
        conditional: false,
        spelled: false,
        counted: 0,
    };
    ROLES.get(usize::from(slot) * MOST_ROWS + row.index()).unwrap_or(NONE)
}

fn opcode(meaning: Meaning<Opcode>) -> Opcode {
    match meaning {
        Meaning::Lift(opcode) => opcode,
        Meaning::Unsupported(_) | Meaning::Refused(_) => Opcode::Other,
    }
}

/// The phase of a slot, if its parts are operations.
fn phase(slot: u8) -> Option<Phase> {
    Some(match slot {
        slot::ZERO | slot::NARROW | slot::COUNT | slot::SHIFT1 | slot::MASK => Phase::Zero,
        slot::ONE | slot::LOGICAL => Phase::One,
        slot::LATE | slot::TEST | slot::SHIFT2 => Phase::Two,
        slot::BACKEND => Phase::Backend,
        slot::CONTROL => Phase::Control,
        _ => return None,
    })
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
    let (mut first, mut third, mut kind) = (0, 0, GroupKind::Main);
    for piece in pieces {
        match piece.slot {
            slot::HEADER => first = piece.word as u64,
            slot::EXTENSION => {
                third = piece.word as u64;
                if third >> 5 & 3 == 2 {
                    kind = GroupKind::Bitwise;
                }
            }
            slot::CONTROL => (third, kind) = (piece.word as u64 & 0xff, GroupKind::Control),
            slot::ZERO => fields::WIDE.put(&mut map, u64::from(role(piece.slot, piece.row).wide)),
            _ => {}
        }
    }
    let (head, third) = (Code::from(u128::from(first)), Code::from(u128::from(third)));
    outputs(first, &mut map);
    let byte = |field: &parallax_isa::Field| field.get(&third);
    let flag = |field| byte(field) != 0 && kind != GroupKind::Control;
    // Groups are large: they are filled in where they stay.
    made.extend(std::iter::once_with(|| Group {
        offset,
        len,
        kind,
        condition: Condition::of(header::CONDITION.get(&head) | byte(&extension::CONDITION) << 1),
        repeat: if kind == GroupKind::Control { 1 } else { byte(&extension::REPEAT) as u8 + 1 },
        end: flag(&extension::END),
        atomic: flag(&extension::ATOMIC),
        overlap: header::OVERLAP.get(&head) != 0,
        map: map.side(),
        operations: SmallVec::new(),
        spelled: None,
    }));
    let last = made.len() - 1;
    let group = &mut made[last];
    let mut has_sums = false;
    // Late operations stand first.
    for piece in pieces.iter().rev() {
        let Some(Does { phase, opcode, row }) = role(piece.slot, piece.row).operation else { continue };
        let mut side = map;
        if piece.slot == slot::ONE {
            side = swap(map);
            fields::PHASE.put(&mut side, 1);
        }
        has_sums |= matches!(opcode, Opcode::Sop | Opcode::Sopmov);
        group.operations.push(Operation {
            phase,
            row,
            opcode,
            part: (piece.slot, piece.row),
            code: Code::new(piece.word, side.side()),
        });
    }
    // Texts may have several lines of a sum in phase 0.
    if has_sums {
        group.operations.sort_by_key(|operation| {
            let line = match operation.opcode() {
                Opcode::Sop => operation.get(&fields::sop::LINE),
                Opcode::Sopmov => 2,
                _ => 0,
            };
            (operation.phase, line)
        });
    }
    if kind == GroupKind::Control {
        group.end = group.operations.first().is_some_and(|o| o.row.name == "nop" && o.row.form == "end");
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
fn find_pieces(binary: &Binary, group: &parallax_isa::Group, pieces: &mut Pieces) {
    let groups = groups();
    pieces.clear();
    for part in group.parts().iter().filter(|part| !is_operand(part.slot)) {
        pieces.push(Piece { slot: part.slot, row: part.row, word: groups.word(binary, group, part) });
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
        all += u64::from(role(piece.slot, piece.row).counted);
        control |= piece.slot == slot::CONTROL;
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
    let name = |piece: &Piece| groups().codec(piece.slot).row(piece.row).title();
    let (mut bitwise, mut phases, mut order, mut tests, mut conditional, mut control) =
        (false, false, 0, false, false, false);
    let (mut da, mut counted) = (0, 0);
    for piece in pieces {
        let role = role(piece.slot, piece.row);
        counted += u64::from(role.counted);
        match piece.slot {
            slot::HEADER => da = piece.word as u64 >> 4 & 15,
            slot::EXTENSION => bitwise = piece.word as u64 >> 5 & 3 == 2,
            slot::CONTROL => control = true,
            slot::ONE if !role.one => {
                return error("usc-phase", format!("`{}` cannot be in phase 1", name(piece)));
            }
            slot::MASK | slot::LOGICAL | slot::SHIFT2 => phases = true,
            slot::LATE => {
                // What has no encoding has no place among the others.
                if role.late == 0 {
                    continue;
                }
                if role.late <= order {
                    let message = format!("`{}` follows an operation in phase 2 that it must precede", name(piece));
                    return error("usc-phase-order", message);
                }
                (order, tests) = (role.late, tests || role.late == 2);
                conditional |= role.conditional;
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
        let (mut at, mut pieces) = (0, Pieces::new());
        loop {
            if let Some(end) = filler_end(bytes, at) {
                at = end;
                continue;
            }
            // What is found is put together where it was found: it is large.
            let diag = match table.decode(&binary, at) {
                None => break,
                Some(Ok(group)) => {
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
