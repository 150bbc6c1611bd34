//! The instruction set, as `parallax_isa` sees it.

use crate::fields::{self, *};
use crate::{kind::Kind, sem::Sem};
use parallax_isa::{Code, Isa, Row, Syntax};

/// The instruction set, for `parallax_isa`.
pub struct Attila;

impl Isa for Attila {
    type Kind = Kind;
    type Lift = Sem;

    #[inline]
    fn syntax(kind: Kind) -> &'static Syntax {
        kind.syntax()
    }

    // The code with bits no text shows at the values the assembler writes.
    fn canonical(row: &Row<Attila>, mut code: Code) -> Code {
        let mut shows_address = false;
        for operand in row.operands {
            let f = match operand.kind {
                Kind::Guard => {
                    if PREDICATED.get(&code) == 0 {
                        fields::GUARD.put(&mut code, 0);
                        INVERT_GUARD.put(&mut code, 0);
                    }
                    continue;
                }
                Kind::Source1 | Kind::Condition1 => &SOURCES[0],
                Kind::Source2 | Kind::Condition2 => &SOURCES[1],
                Kind::Source3 => &SOURCES[2],
                _ => continue,
            };
            let bank = f.any_bank.get(&code);
            let constant = bank == bank::PARAM || bank == bank::PARAM2;
            if matches!(operand.kind, Kind::Condition1 | Kind::Condition2) {
                let literal = f.absolute.get(&code) != 0;
                if literal {
                    f.register.put(&mut code, 0);
                }
                if literal || !constant {
                    f.any_bank.put(&mut code, bank::TEMP);
                    f.swizzle.put(&mut code, 0);
                    continue;
                }
                let component = f.swizzle.get(&code) & 3;
                f.swizzle.put(&mut code, component * 0x55);
            }
            shows_address |= constant;
        }
        if RELATIVE.get(&code) == 0 || !shows_address {
            // Rows without such operands have no such bits to clear.
            code = code.without(ADDRESSING.and(Code::from(row.pattern.free)));
        }
        code
    }

    fn implicit(row: &Row<Attila>) -> Option<u128> {
        let has = |kind: Kind| row.operands.iter().any(|o| o.kind == kind);
        if has(Kind::Condition1) || has(Kind::Condition2) {
            return None;
        }
        let guard = fields::GUARD.mask().or(INVERT_GUARD.mask());
        Some(guard.or(ADDRESSING).word() & row.pattern.free)
    }
}

const ADDRESSING: Code = RELATIVE.mask().or(ADDRESS.mask()).or(ADDRESS_COMPONENT.mask()).or(ADDRESS_OFFSET.mask());
