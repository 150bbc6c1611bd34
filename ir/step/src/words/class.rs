//! What floats may be: of which classes, and of which magnitude. Routines of operands of which more is known are shorter.

use crate::eval::is_nan;
use crate::prim::{Mode, Prim, Ty};
use crate::program::{Facts, Inst};
use std::fmt;

/// What a float of a type may be.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Classes {
    /// Whether it may be NaN.
    pub nan: bool,
    /// Whether it may be infinite.
    pub infinite: bool,
    /// Numbers other than zero, which it always may be, are of at least 2 to this power.
    pub least: i16,
    /// They are below 2 to the power behind this one.
    pub most: i16,
}

/// The exponents of a float type: of the least number, of the least normal one, and of the largest; and the bits of its fraction.
const fn exponents(ty: Ty) -> (i32, i32, i32, i32) {
    match ty {
        Ty::F64 => (-1074, -1022, 1023, 52),
        _ => (-149, -126, 127, 23),
    }
}

impl Classes {
    /// Everything that a float of a type may be.
    pub const fn any(ty: Ty) -> Classes {
        let (least, _, most, _) = exponents(ty);
        Classes { nan: true, infinite: true, least: least as i16, most: most as i16 }
    }

    /// Those of a constant.
    pub fn of_constant(ty: Ty, bits: u64) -> Classes {
        let (smallest, normal, largest, frac) = exponents(ty);
        let size = bits & ty.bits() >> 1;
        let field = (size >> frac) as i32;
        let nothing = Classes { nan: false, infinite: false, least: largest as i16, most: smallest as i16 };
        match field {
            _ if is_nan(ty, bits) => Classes { nan: true, ..nothing },
            _ if size == 0 => nothing,
            0 => {
                let exponent = (smallest + 63 - size.leading_zeros() as i32) as i16;
                Classes { least: exponent, most: exponent, ..nothing }
            }
            _ if normal + field - 1 > largest => Classes { infinite: true, ..nothing },
            _ => {
                let exponent = (normal + field - 1) as i16;
                Classes { least: exponent, most: exponent, ..nothing }
            }
        }
    }

    /// Those of either.
    pub fn or(self, other: Classes) -> Classes {
        Classes {
            nan: self.nan || other.nan,
            infinite: self.infinite || other.infinite,
            least: self.least.min(other.least),
            most: self.most.max(other.most),
        }
    }

    /// Those of both, of one float.
    pub fn and(self, other: Classes) -> Classes {
        Classes {
            nan: self.nan && other.nan,
            infinite: self.infinite && other.infinite,
            least: self.least.max(other.least),
            most: self.most.min(other.most),
        }
    }

    /// Those of a float of which more is known.
    pub(super) fn with(self, ty: Ty, facts: Facts) -> Classes {
        let (_, normal, ..) = exponents(ty);
        let least = if facts.normal { normal as i16 } else { self.least };
        Classes {
            nan: self.nan && !facts.number,
            least: self.least.max(least).max(facts.least.unwrap_or(least)),
            ..self
        }
    }

    /// Those of a float whose pattern is cut by a mask.
    pub(super) fn cut(self, ty: Ty, mask: u64) -> Classes {
        let frac = exponents(ty).3;
        let fields = (ty.bits() >> 1) & !((1 << frac) - 1);
        match mask & ty.bits() >> 1 {
            0 => Classes::of_constant(ty, 0),
            // A NaN without payload is an infinity.
            kept if kept & fields == fields => Classes { infinite: self.infinite || self.nan, ..self },
            _ => Classes::any(ty),
        }
    }

    /// What a routine may know of an operand.
    pub(super) fn operand(self, ty: Ty) -> Operand {
        let (_, normal, ..) = exponents(ty);
        match self {
            _ if i32::from(self.least) < normal => Operand::Any,
            Classes { nan: false, infinite: false, .. } => Operand::Number,
            _ => Operand::Normal,
        }
    }
}

/// What a routine knows of an operand.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Operand {
    /// Nothing.
    #[default]
    Any,
    /// A float that is no denormal.
    Normal,
    /// A number, and no denormal.
    Number,
    /// A power of two, with any sign, and no denormal.
    Power,
    /// An integer whose upper word is 0.
    Word,
}

/// What a routine knows of its operands and its result.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Given {
    /// Of the operands.
    pub operands: [Operand; 3],
    /// The result of numbers is a number, and no denormal nor anything between zero and these.
    pub in_range: bool,
}

impl Given {
    /// What is worth a routine of its own: less is known of operands where that saves little, so that modules have few routines.
    pub(super) fn worthwhile(mut self, prim: Prim) -> Given {
        let floats = &mut self.operands[..prim.row().args.len().min(3)];
        if floats.iter().any(|&operand| operand < Operand::Number) {
            // A power of two saves the product.
            let others = floats.iter_mut().filter(|operand| **operand != Operand::Power);
            others.for_each(|operand| *operand = (*operand).min(Operand::Normal));
        }
        if let [a, b, c] = floats
            && (*b == Operand::Any || *c == Operand::Any)
        {
            (*a, *b, *c) = (Operand::Any, Operand::Any, Operand::Any);
        }
        self
    }
}

impl fmt::Display for Given {
    /// A letter for each operand up to the last one of which anything is known, and for the result.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Given::default() {
            return Ok(());
        }
        f.write_str(".")?;
        let count = self.operands.iter().rposition(|&operand| operand != Operand::Any).map_or(0, |last| last + 1);
        for operand in &self.operands[..count] {
            f.write_str(match operand {
                Operand::Any => "a",
                Operand::Normal => "n",
                Operand::Number => "f",
                Operand::Power => "p",
                Operand::Word => "w",
            })?;
        }
        f.write_str(if self.in_range { "_r" } else { "" })
    }
}

/// The exponent of the bits below which a number has none.
fn unit(ty: Ty, least: i16) -> i32 {
    let (smallest, .., frac) = exponents(ty);
    (i32::from(least) - frac).max(smallest)
}

/// What follows for the result of a primitive of the classes of its float operands, and what its routine may know. `None` where the
/// result is no float, or nothing follows.
pub(super) fn result(inst: &Inst, args: &[Classes]) -> Option<(Classes, Given)> {
    let ty = inst.ty;
    let whole = |classes: Classes| Some((classes, Given::default()));
    let (smallest, normal, largest, _) = exponents(inst.result());
    let all = |which: fn(&Classes) -> bool| args.iter().any(which);
    let (nan, infinite) = (all(|c| c.nan), all(|c| c.infinite));
    let [a, b] = [0, 1].map(|n| args.get(n).copied().unwrap_or(Classes::any(ty)));
    let [a_least, a_most, b_least, b_most] = [a.least, a.most, b.least, b.most].map(i32::from);
    // Numbers from the first exponent to the second, rounded; NaN of numbers besides those of NaN.
    let rounded = |least: i32, most: i32, invalid: bool, endless: bool| {
        let flushes = Mode::from_word(inst.imm).is_some_and(|mode| mode.flush);
        let never_huge = most < largest;
        let floor = if flushes { normal } else { smallest };
        let classes = Classes {
            nan: nan || invalid,
            infinite: infinite || endless || !never_huge,
            least: least.clamp(floor, largest) as i16,
            most: (most + 1).clamp(smallest, largest) as i16,
        };
        let mut operands = [Operand::Any; 3];
        operands.iter_mut().zip(args).for_each(|(to, classes)| *to = classes.operand(ty));
        Some((classes, Given { operands, in_range: least >= normal && never_huge }))
    };
    match inst.prim {
        Prim::Fmul | Prim::Fmulz => rounded(a_least + b_least, a_most + b_most + 1, infinite, false),
        Prim::Fadd | Prim::Fsub | Prim::FaddOdd => {
            rounded(unit(ty, a.least).min(unit(ty, b.least)), a_most.max(b_most) + 1, infinite, false)
        }
        Prim::Fma => {
            let c = args.get(2).copied().unwrap_or(Classes::any(ty));
            let product = i32::from(a.least) + i32::from(b.least) - 2 * exponents(ty).3;
            let most = (a_most + b_most + 1).max(i32::from(c.most)) + 1;
            rounded(product.min(unit(ty, c.least)), most, infinite, false)
        }
        // By zero it is infinite.
        Prim::Fdiv => rounded(a_least - b_most - 1, a_most - b_least, true, true),
        Prim::Narrow => rounded(a_least, a_most, false, false),
        Prim::Fsqrt => rounded(a_least.div_euclid(2), a_most.div_euclid(2), true, false),
        Prim::Widen => rounded(a_least, a_most, false, false),
        Prim::Fneg | Prim::Fabs | Prim::First => whole(a),
        Prim::Flush => whole(Classes { least: a.least.max(normal as i16), ..a }),
        Prim::Fmin | Prim::Fmax => whole(a.or(b)),
        Prim::Round => whole(Classes { least: 0, most: a.most.saturating_add(1).min(largest as i16).max(0), ..a }),
        Prim::FromHalf => whole(Classes { nan: true, infinite: true, least: -24, most: 15 }),
        Prim::FromInt => whole(Classes { nan: false, infinite: false, least: 0, most: 31 }),
        Prim::Select if matches!(ty, Ty::F32 | Ty::F64) => whole(a.or(b)),
        _ => None,
    }
}
