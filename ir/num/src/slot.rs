//! Precision slots: what an instruction asked for, before any model is chosen.

use crate::{Denormals, Round, Saturate, ZeroMul};
use std::fmt;

/// The float format a program believes a value has.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Decl {
    /// 32-bit float.
    F32,
    /// 16-bit float.
    F16,
    /// 64-bit float.
    F64,
    /// s12 fixed point, 2.10.
    Fx12,
    /// s0.8 fixed point (NV40 only).
    Fx9,
    /// A 32-bit float that may be computed as a half: `mediump` in GLSL ES, `RelaxedPrecision` in SPIR-V. It has the rules of
    /// `fp32` or of `half`, as the model's field `relaxed` says.
    Mediump,
}

impl Decl {
    /// All of them, in printing order.
    pub const ALL: [Decl; 6] = [Decl::F32, Decl::F16, Decl::F64, Decl::Fx12, Decl::Fx9, Decl::Mediump];

    /// Those that have rules of their own, in printing order.
    pub const WITH_RULES: [Decl; 5] = [Decl::F32, Decl::F16, Decl::F64, Decl::Fx12, Decl::Fx9];

    /// Spelling in the textual IR, in model files and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Decl::F32 => "fp32",
            Decl::F16 => "half",
            Decl::F64 => "fp64",
            Decl::Fx12 => "fx12",
            Decl::Fx9 => "fx9",
            Decl::Mediump => "mediump",
        }
    }

    /// Reads [`Decl::name`], and the other spellings of the same formats: `f32`, `fp16` and `f16`, `f64`, `s12`.
    pub fn from_name(name: &str) -> Option<Decl> {
        let name = match name {
            "f32" => "fp32",
            "fp16" | "f16" => "half",
            "f64" => "fp64",
            "s12" => "fx12",
            other => other,
        };
        Decl::ALL.into_iter().find(|d| d.name() == name)
    }

    /// The format the program believes in; also the format of literals and of observed bits.
    pub const fn format(self) -> crate::Format {
        match self {
            Decl::F32 | Decl::Mediump => crate::Format::F32,
            Decl::F16 => crate::Format::F16,
            Decl::F64 => crate::Format::F64,
            Decl::Fx12 => crate::Format::FX12,
            Decl::Fx9 => crate::Format::FX9,
        }
    }
}

impl fmt::Display for Decl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Whether a multiply-add may round once.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Contract {
    /// The model decides.
    #[default]
    Model,
    /// The instruction forbids it (`_PRECISE`).
    Never,
}

/// What an instruction itself fixes. Everything that is `None` is left to the model.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Slot {
    /// Declared format of the result and of all float operands.
    pub decl: Decl,
    /// Rounding mode named by the instruction.
    pub round: Option<Round>,
    /// Denormal treatment named by the instruction (`.FTZ`), operands and result.
    pub denormals: Option<Denormals>,
    /// Zero-times-anything rule named by the instruction (`.FMZ`).
    pub zero_mul: Option<ZeroMul>,
    /// Multiply-add contraction.
    pub contract: Contract,
    /// Clamp of the result.
    pub saturate: Saturate,
    /// Result scale: the result is multiplied by 2^scale (-3 to 3).
    pub scale: i8,
}

impl Slot {
    /// A slot that asks for nothing but a format.
    pub const fn plain(decl: Decl) -> Slot {
        Slot {
            decl,
            round: None,
            denormals: None,
            zero_mul: None,
            contract: Contract::Model,
            saturate: Saturate::None,
            scale: 0,
        }
    }
}

/// Printed as in the textual IR: `fp32`, `half.sat`, `fp32.rtz.ftz.precise.x2`.
impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.decl.name())?;
        if let Some(round) = self.round {
            write!(f, ".{}", round.name())?;
        }
        match self.denormals {
            None => {}
            Some(Denormals::Flush) => f.write_str(".ftz")?,
            Some(Denormals::FlushPositive) => f.write_str(".ftz+")?,
            Some(Denormals::Keep) => f.write_str(".denorm")?,
        }
        match self.zero_mul {
            None => {}
            Some(ZeroMul::Zero) => f.write_str(".fmz")?,
            Some(ZeroMul::Ieee) => f.write_str(".ieeemul")?,
        }
        if self.contract == Contract::Never {
            f.write_str(".precise")?;
        }
        match self.saturate {
            Saturate::None => {}
            Saturate::Unsigned => f.write_str(".sat")?,
            Saturate::Signed => f.write_str(".ssat")?,
        }
        match self.scale {
            0 => Ok(()),
            s if s > 0 => write!(f, ".x{}", 1u32 << s),
            s => write!(f, ".d{}", 1u32 << -s),
        }
    }
}

impl Slot {
    /// Reads what [`fmt::Display`] prints; `None` on an unknown part.
    pub fn parse(text: &str) -> Option<Slot> {
        let mut parts = text.split('.');
        let mut slot = Slot::plain(Decl::from_name(parts.next()?)?);
        for part in parts {
            match part {
                "ftz" => slot.denormals = Some(Denormals::Flush),
                "ftz+" => slot.denormals = Some(Denormals::FlushPositive),
                "denorm" => slot.denormals = Some(Denormals::Keep),
                "fmz" => slot.zero_mul = Some(ZeroMul::Zero),
                "ieeemul" => slot.zero_mul = Some(ZeroMul::Ieee),
                "precise" => slot.contract = Contract::Never,
                "sat" => slot.saturate = Saturate::Unsigned,
                "ssat" => slot.saturate = Saturate::Signed,
                "x2" => slot.scale = 1,
                "x4" => slot.scale = 2,
                "x8" => slot.scale = 3,
                "d2" => slot.scale = -1,
                "d4" => slot.scale = -2,
                "d8" => slot.scale = -3,
                other => slot.round = Some(Round::from_name(other)?),
            }
        }
        Some(slot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_print_and_parse() {
        for text in ["fp32", "half.sat", "fp32.rtz.ftz.fmz.precise.ssat.x4", "fx12.denorm.d8", "fp64.ftz+.ieeemul"] {
            assert_eq!(Slot::parse(text).map(|s| s.to_string()).as_deref(), Some(text));
        }
        let named = ["f32", "fp16", "f16", "f64", "s12"].map(Decl::from_name);
        assert_eq!(named, [Decl::F32, Decl::F16, Decl::F16, Decl::F64, Decl::Fx12].map(Some));
        assert_eq!(Slot::parse("fp31"), None);
        assert_eq!(Slot::parse("fp32.fast"), None);
    }
}
