//! From bytes to groups.

use crate::fields::{self, extension, header};
use crate::group::{Group, GroupKind, Operation, Place, Program};
use crate::layout::{groups, slot};
use crate::{Condition, Opcode, Phase};
use parallax_isa::{Binary, Code, Meaning, Part, RowId};
use parallax_text::{Diag, Span};
use smallvec::SmallVec;

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
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct Role {
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
}

impl Role {
    /// The role of an opcode.
    pub(crate) fn of(opcode: Opcode) -> Role {
        use Opcode::*;
        let whole =
            matches!(opcode, Frcp | Frsq | Fsqrt | Flog | Flogcn | Fexp | Gcmp | Gexp | Fsinc | Farctanc | Fred | Sop);
        Role {
            wide: matches!(opcode, Add64 | Add6432 | Madd64),
            first: whole,
            second: matches!(opcode, Fred | Sop | Sopmov | Movc),
            one: matches!(opcode, Fadd | Fmul | Fmad | Mbyp | Fdsx | Fdsy | Fdsxf | Fdsyf),
            late: match opcode {
                Mov | Movc => 1,
                Test => 2,
                Pck => 3,
                _ => 0,
            },
        }
    }
}

/// Roles of all rows of a slot.
pub(crate) fn role(slot: u8, row: RowId) -> Role {
    use std::sync::LazyLock;
    static ROLES: LazyLock<Vec<Vec<Role>>> = LazyLock::new(|| {
        let of = |slot: u8| groups().codec(slot).rows().map(|(_, row)| opcode(row.meaning)).map(Role::of).collect();
        (0..=slot::BITWISE_OUTPUTS).map(of).collect()
    });
    ROLES.get(usize::from(slot)).and_then(|rows| rows.get(row.index())).copied().unwrap_or_default()
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

/// Puts a group together. `pieces` stand in the order of their bytes.
pub(crate) fn assemble(offset: u32, len: u32, pieces: &[Piece], mut map: Code) -> Group {
    let first = pieces.iter().find(|p| p.slot == slot::HEADER).map_or(0, |p| p.word);
    let head = Code::from(first);
    let extended = pieces.iter().find(|p| matches!(p.slot, slot::EXTENSION | slot::CONTROL));
    let third = Code::from(extended.map_or(0, |p| p.word & 0xff));
    let byte = |field: &parallax_isa::Field| field.get(&third);
    let kind = match extended {
        Some(piece) if piece.slot == slot::CONTROL => GroupKind::Control,
        Some(piece) if piece.word >> 5 & 3 == 2 => GroupKind::Bitwise,
        _ => GroupKind::Main,
    };
    outputs(first as u64, &mut map);
    let wide = pieces.iter().any(|p| p.slot == slot::ZERO && role(p.slot, p.row).wide);
    fields::WIDE.put(&mut map, u64::from(wide));
    let mut operations: SmallVec<[Operation; 4]> = SmallVec::new();
    // Late operations stand first.
    for piece in pieces.iter().rev() {
        let Some(phase) = phase(piece.slot) else { continue };
        let row = groups().codec(piece.slot).row(piece.row);
        if piece.slot == slot::TEST && row.name == "none" {
            continue;
        }
        let mut side = if piece.slot == slot::ONE { swap(map) } else { map };
        if piece.slot == slot::ONE {
            fields::PHASE.put(&mut side, 1);
        }
        operations.push(Operation { phase, row, code: Code::new(piece.word, side.side()) });
    }
    // Texts may have several lines of a sum in phase 0.
    operations.sort_by_key(|operation| {
        let line = match operation.opcode() {
            Opcode::Sop => operation.get(&fields::sop::LINE),
            Opcode::Sopmov => 2,
            _ => 0,
        };
        (operation.phase, line)
    });
    let flag = |field| byte(field) != 0 && kind != GroupKind::Control;
    Group {
        offset,
        len,
        kind,
        condition: Condition::of(header::CONDITION.get(&head) | byte(&extension::CONDITION) << 1),
        repeat: if kind == GroupKind::Control { 1 } else { byte(&extension::REPEAT) as u8 + 1 },
        end: flag(&extension::END) || operations.first().is_some_and(|o| o.row.name == "nop" && o.row.form == "end"),
        atomic: flag(&extension::ATOMIC),
        overlap: header::OVERLAP.get(&head) != 0,
        operands: Code::new(0, map.side()),
        operations,
    }
}

/// The pieces of a decoded group.
pub(crate) fn pieces(binary: &Binary, group: &parallax_isa::Group) -> SmallVec<[Piece; 14]> {
    let piece = |part: &Part| Piece { slot: part.slot, row: part.row, word: groups().word(binary, group, part) };
    group.parts().iter().map(piece).collect()
}

/// Bytes up to the end of what the header calls `da`: the early parts start there.
pub(crate) fn expected_da(pieces: &[Piece]) -> u64 {
    let len = |p: &Piece| u64::from(groups().codec(p.slot).row(p.row).pattern.width / 8);
    let sum = |slots: &[u8]| pieces.iter().filter(|p| slots.contains(&p.slot)).map(len).sum::<u64>();
    let has = |slots: &[u8]| pieces.iter().any(|p| slots.contains(&p.slot));
    if has(&[slot::CONTROL]) {
        let operands = has(&[slot::LOWER, slot::FIRST, slot::SECOND, slot::BOTH]);
        return if operands { sum(&[slot::HEADER, slot::CONTROL]) } else { 0 };
    }
    let mut all = sum(&[slot::HEADER, slot::EXTENSION, slot::BACKEND, slot::LATE]);
    all += sum(&[slot::SHIFT2, slot::LOGICAL, slot::MASK]);
    all & 15
}

/// What is wrong with a group whose parts are all legal by themselves.
pub(crate) fn check_parts(pieces: &[Piece], map: &Code, span: Span) -> Option<Diag> {
    let error = |code, message: String| Some(Diag::invalid(code, span, message));
    let name = |piece: &Piece| groups().codec(piece.slot).row(piece.row).title();
    if let Some(piece) = pieces.iter().find(|p| p.slot == slot::ONE && !role(p.slot, p.row).one) {
        return error("usc-phase", format!("`{}` cannot stand in phase 1", name(piece)));
    }
    let bitwise = pieces.iter().any(|p| p.slot == slot::EXTENSION && p.word >> 5 & 3 == 2);
    if bitwise && !pieces.iter().any(|p| matches!(p.slot, slot::MASK | slot::LOGICAL | slot::SHIFT2)) {
        return error("usc-phases", "a bitwise group has at least one phase".into());
    }
    let mut order = 0;
    for piece in pieces.iter().filter(|p| p.slot == slot::LATE) {
        let late = role(piece.slot, piece.row).late;
        // What has no encoding has no place among the others.
        if late == 0 {
            continue;
        }
        if late <= order {
            return error(
                "usc-phase-order",
                format!("`{}` stands in phase 2 behind an operation it must precede", name(piece)),
            );
        }
        order = late;
    }
    let conditional =
        pieces.iter().find(|p| p.slot == slot::LATE && groups().codec(p.slot).row(p.row).form.starts_with("test"));
    if conditional.is_some() && !pieces.iter().any(|p| p.slot == slot::LATE && role(p.slot, p.row).late == 2) {
        return error("usc-no-test", "`movc` needs a test in its group".into());
    }
    if fields::IS0.get(map) > 5 {
        return error("usc-selector", format!("selector is0 holds {}; allowed: 0 to 5", fields::IS0.get(map)));
    }
    let da = pieces.iter().find(|p| p.slot == slot::HEADER).map_or(0, |p| header::DA.get(&Code::from(p.word)));
    let expected = expected_da(pieces);
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
    Group(parallax_isa::Group),
    /// Bytes between programs.
    Filler(Span),
    /// What is no group, and why.
    Bad(Span, Box<Diag>),
}

impl Stretch {
    pub(crate) fn span(&self) -> Span {
        match self {
            Stretch::Group(group) => group.span(),
            Stretch::Filler(span) | Stretch::Bad(span, _) => *span,
        }
    }
}

/// What stands at byte `at`; `None` at the end.
pub(crate) fn stretch(binary: &Binary, at: usize) -> Option<Stretch> {
    let rest = binary.bytes().get(at..).filter(|rest| !rest.is_empty())?;
    let filler = rest.iter().take_while(|b| **b == FILLER).count();
    if filler >= 2 {
        return Some(Stretch::Filler(Span::new(at, at + filler)));
    }
    Some(match groups().decode(binary, at)? {
        Ok(group) => {
            let pieces = pieces(binary, &group);
            let map = groups().map(binary, &group);
            match check_parts(&pieces, &map, group.span()) {
                None => Stretch::Group(group),
                Some(diag) => Stretch::Bad(group.span(), Box::new(diag)),
            }
        }
        // The header says where the next group starts, unless it says more than there is.
        Err(diag) => {
            let end = diag.span.map_or(rest.len(), |span| span.end as usize - at).clamp(1, rest.len());
            Stretch::Bad(Span::new(at, at + end), diag)
        }
    })
}

impl Program {
    /// Reads a binary. It can be run only if no problem is an error; groups that cannot be read are left out.
    pub fn decode(bytes: &[u8]) -> (Program, Vec<Diag>) {
        let binary = Binary::new(bytes);
        let (mut program, mut diags) = (Program::default(), Vec::new());
        let mut at = 0;
        while let Some(found) = stretch(&binary, at) {
            let span = found.span();
            at = span.end as usize;
            match found {
                Stretch::Group(group) => {
                    let map = groups().map(&binary, &group);
                    let pieces = pieces(&binary, &group);
                    program.groups.push(assemble(group.offset, u32::from(group.len), &pieces, map));
                    program.places.push(Place { line: 0, span });
                }
                Stretch::Filler(_) => {}
                Stretch::Bad(_, diag) => diags.push(*diag),
            }
        }
        (program, diags)
    }
}
