//! Registers as callers spell them, to watch or to preset them.

use crate::register::{Bank, BankData, Register, bank};
use parallax_lift::{Access, Spelling};
use parallax_text::Diag;

/// Vertex outputs.
pub(super) const VERTEX_OUTPUTS: u32 = 256;

/// A spelling of a caller.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Named {
    Register(Register),
    VertexOutput(u32),
    P0,
    Pe,
}

impl Named {
    pub(super) fn of(name: &str) -> Option<Named> {
        match name {
            "p0" => return Some(Named::P0),
            "pe" => return Some(Named::Pe),
            _ => {}
        }
        let spelling = Spelling::parse(name)?;
        let (&[_], Some(n)) = (spelling.indices.as_slice(), spelling.number(0)) else { return None };
        let number = u16::try_from(n).ok()?;
        if spelling.file == "vo" {
            return (n < VERTEX_OUTPUTS).then_some(Named::VertexOutput(n));
        }
        let BankData { bank, count, .. } = *bank(spelling.file).filter(|data| data.bank != Bank::Special)?;
        (number < count).then_some(Named::Register(Register { bank, number, index: None }))
    }
}

/// The number of a register, if a spelling names one of this bank.
pub(super) fn number_in(bank: Bank, name: &str) -> Option<u16> {
    match Named::of(name)? {
        Named::Register(register) if register.bank == bank => Some(register.number),
        _ => None,
    }
}

pub(super) fn no_register(access: Access, name: &str) -> Diag {
    access.refuse(
        name,
        "it does not exist",
        "spellings: r0 sh0 cf0 cfa0 vi0 i0 o0 g0 idx0 vo0 p0 pe, to watch also c64",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_callers() {
        let register = |bank, number| Some(Named::Register(Register { bank, number, index: None }));
        assert_eq!(Named::of("r12"), register(Bank::Temporary, 12));
        assert_eq!(Named::of("cfa[3]"), register(Bank::AlternateCoefficient, 3));
        assert_eq!(Named::of("vo255"), Some(Named::VertexOutput(255)));
        assert_eq!((Named::of("p0"), Named::of("pe")), (Some(Named::P0), Some(Named::Pe)));
        for bad in ["idx2", "o8", "i8", "vo256", "p1", "r", "r2048", "ft0", "x3", ""] {
            assert_eq!(Named::of(bad), None, "{bad}");
        }
        assert_eq!(["cf5", "cfa5", "r5"].map(|name| number_in(Bank::Coefficient, name)), [Some(5), None, None]);
    }
}
