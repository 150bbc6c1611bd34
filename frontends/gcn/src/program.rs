//! Whole programs: how instructions lie in a file, which of them are legal, where a program ends.

use crate::{
    fields::*,
    operand,
    table::{Gcn, Sem, TABLE},
};
use parallax_isa::{Code, Codec, RowId, Straight, Words32};
use parallax_text::{Diag, Span};
use std::sync::LazyLock;

/// Programs (manual, chapter 13): VOP3 and EXP have two words; VOP1 and VOP2 may have a literal.
pub static PROGRAMS: Straight<Gcn, Words32> = Straight {
    codec: LazyLock::new(|| Codec::new(&TABLE)),
    stream: Words32 {
        is_long: |first| matches!(first >> 26, 0b110100 | 0b110001),
        has_literal: |word| word >> 31 == 0 && word & 0x1ff == IS_LITERAL,
    },
    refuse: illegal,
    ends: |row| sem(row) == Some(Sem::End),
    end: "s_endpgm",
};

/// What an instruction does.
pub(crate) fn sem(row: RowId) -> Option<Sem> {
    PROGRAMS.codec.row(row).meaning.lifted()
}

/// The sources of nine bits that an instruction has.
pub(crate) fn sources(row: RowId, code: &Code) -> &'static [SourceFields] {
    match sem(row) {
        Some(Sem::Compute(op)) if code.word() >> 32 != 0 => &SOURCES3[..op.info().args.len()],
        Some(Sem::Compute(_) | Sem::Move | Sem::Accumulate) => const { &[SRC0] },
        _ => &[],
    }
}

/// What is wrong with sources whose fields do not tell it one by one (manual, section 6.2).
fn illegal(row: RowId, code: &Code) -> Option<Diag> {
    let refuse = |why: String| Some(Diag::invalid("gcn-operand", Span::default(), why));
    let mut scalar = None;
    for source in sources(row, code).iter().filter(|source| source.is_vector.get(code) == 0) {
        let number = source.code.get(code);
        let is_literal = number == IS_LITERAL && code.word() >> 32 == 0;
        if number < SGPRS && scalar.replace(number).is_some_and(|other| other != number) {
            return refuse("an instruction reads one scalar register at most".into());
        } else if number >= SGPRS && !is_literal && operand::constant(number).is_none() {
            return refuse(format!("field `{}` holds {number}: no register and no constant", source.code.name));
        }
    }
    None
}
