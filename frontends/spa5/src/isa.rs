//! The instruction set, as `parallax_isa` sees it.

use crate::{op::Op, operand::Kind};
use parallax_isa::{Code, Field, Isa, Row, Syntax};
use parallax_text::{Comments, LexOptions};

/// The instruction set, for `parallax_isa`.
pub struct Spa5;

impl Isa for Spa5 {
    type Kind = Kind;
    type Lift = Op;

    // `//` starts a comment, lines count.
    const LEXER: LexOptions =
        LexOptions { comments: Comments::Slashes, newlines: true, carriage_return: true, floats: true };
    const WIDE: bool = false;

    #[inline]
    fn syntax(kind: Kind) -> &'static Syntax {
        kind.0
    }

    // Between different formats a rounding has a bit too much, and three values of no use are written alike.
    fn canonical(row: &Row<Spa5>, mut code: Code) -> Code {
        if row.name == "F2F" {
            let (to, from) = (code.word() >> 8 & 3, code.word() >> 10 & 3);
            let round = ROUND.get(&code);
            let shown = match round {
                _ if to != from => round & 3,
                2 | 3 => 1,
                other => other,
            };
            ROUND.put(&mut code, shown);
        }
        code
    }

    fn implicit(row: &Row<Spa5>) -> Option<u128> {
        (row.name != "F2F").then_some(0)
    }
}

const ROUND: Field = Field::new("rnd", 39, 2).then(42, 1);
