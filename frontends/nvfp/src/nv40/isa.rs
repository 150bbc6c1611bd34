//! The instruction set, as `parallax_isa` sees it.

use super::Kind;
use super::fields::*;
use parallax_isa::{Code, Isa, Row, Syntax};
use parallax_text::{Comments, LexOptions};

/// The instruction set, for `parallax_isa`.
pub struct Nv40;

impl Isa for Nv40 {
    type Kind = Kind;
    /// The row of the same operation in the text dialects.
    type Lift = &'static crate::table::Row;

    // `//` and `#` start comments.
    const LEXER: LexOptions =
        LexOptions { comments: Comments::SlashesOr(b'#'), newlines: true, carriage_return: true, floats: true };

    #[inline]
    fn syntax(kind: Kind) -> &'static Syntax {
        kind.syntax()
    }

    fn canonical(row: &Row<Nv40>, mut code: Code) -> Code {
        let read = sources(row);
        if read == 0 {
            return code;
        }
        let mut reads_input = false;
        for (source, register) in SOURCES.iter().zip(NUMBERS).take(read) {
            let file = source.file.get(&code);
            reads_input |= file == file::INPUT;
            if file != file::REGISTER {
                code = code.without(register);
            }
        }
        if !reads_input {
            code = code.without(Code::from(INPUT.word() & row.pattern.free));
        } else if INDEXED.get(&code) == 0 {
            code = code.without(const { DISPLACEMENT.mask() });
        }
        if CODE.get(&code) & 1 == 0 {
            code = code.without(const { CODE.mask() });
        }
        code
    }

    fn implicit(row: &Row<Nv40>) -> Option<u128> {
        let read = sources(row);
        if read == 0 {
            return Some(0);
        }
        let registers =
            SOURCES[..read].iter().fold(INPUT, |bits, source| bits.or(source.register.mask()).or(source.half.mask()));
        Some(registers.or(CODE.mask()).word() & row.pattern.free)
    }
}

/// Bits only inputs use.
const INPUT: Code = ATTRIBUTE.mask().or(DISPLACEMENT.mask()).or(INDEXED.mask()).or(PERSPECTIVE.mask());

/// Bits of each source that only registers use.
const NUMBERS: [Code; 3] = {
    let [a, b, c] = &SOURCES;
    [a.register.mask().or(a.half.mask()), b.register.mask().or(b.half.mask()), c.register.mask().or(c.half.mask())]
};

pub(super) fn has(row: &Row<Nv40>, kind: Kind) -> bool {
    row.operands.iter().any(|operand| operand.kind == kind)
}

/// Sources a row reads.
pub(super) fn sources(row: &Row<Nv40>) -> usize {
    row.operands.iter().filter(|operand| matches!(operand.kind, Kind::Source1 | Kind::Source2 | Kind::Source3)).count()
}
