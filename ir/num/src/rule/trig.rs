//! Argument reduction of sine and cosine.

use super::choice::{AngleFold, AngleUnit};
use std::fmt;

/// Argument reduction of sine and cosine: the operand times a constant, folded into a period. In radians nothing is done, and
/// what the function unit does for itself, if anything, happens.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Trig {
    /// Unit of the angle after the multiplication.
    pub unit: AngleUnit,
    /// The factor, as a binary32 pattern; 0 for radians.
    pub scale: u32,
    /// Whether that product is rounded toward zero whatever the rule's direction is.
    pub chop: bool,
    /// What follows.
    pub fold: AngleFold,
}

impl Trig {
    /// The operand as it is.
    pub const RADIANS: Trig = Trig { unit: AngleUnit::Radians, scale: 0, chop: false, fold: AngleFold::None };

    /// Reads what [`fmt::Display`] prints.
    pub fn from_name(word: &str) -> Option<Trig> {
        if word == "radians" {
            return Some(Trig::RADIANS);
        }
        let (unit, rest) = word.split_once('(')?;
        let unit = AngleUnit::from_name(unit).filter(|u| *u != AngleUnit::Radians)?;
        let (scale, rest) = rest.split_once(')')?;
        let scale = u32::from_str_radix(scale, 16).ok().filter(|_| scale.len() == 8)?;
        let value = f32::from_bits(scale);
        if !(value.is_normal() && value > 0.0) {
            return None;
        }
        let (chop, rest) = match rest.strip_prefix(".rtz") {
            Some(rest) => (true, rest),
            None => (false, rest),
        };
        let fold = match rest.strip_prefix('.') {
            None if rest.is_empty() => AngleFold::None,
            None => return None,
            Some(fold) => AngleFold::from_name(fold).filter(|f| *f != AngleFold::None)?,
        };
        // Only turns go back to radians.
        if fold == AngleFold::FractHalfRadians && unit != AngleUnit::Turns {
            return None;
        }
        Some(Trig { unit, scale, chop, fold })
    }
}

/// `radians`, `turns(3e22f983)`, `turns(3e22f983).rtz`, `half-turns(3ea2f983).rint`.
impl fmt::Display for Trig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.unit.name())?;
        if self.unit != AngleUnit::Radians {
            write!(f, "({:08x})", self.scale)?;
            if self.chop {
                f.write_str(".rtz")?;
            }
            if self.fold != AngleFold::None {
                write!(f, ".{}", self.fold.name())?;
            }
        }
        Ok(())
    }
}
