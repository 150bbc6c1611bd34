//! Types of values.

use parallax_num::Decl;
use std::fmt;

/// Type of one value: one component across all lanes. Lane words are `u64`; narrower values stand in the low bits with
/// zeros above.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Type {
    /// A float the program believes to have this format; binding picks the container.
    Float(Decl),
    /// 64 bits without sign.
    I64,
    /// 32 bits without sign.
    I32,
    /// 16 bits without sign.
    I16,
    /// False (0) or true (1).
    Pred,
    /// Condition code: 0 less, 1 equal, 2 greater, 3 unordered.
    Cc,
}

impl Type {
    /// 32-bit float.
    pub const F32: Type = Type::Float(Decl::F32);
    /// 16-bit float.
    pub const F16: Type = Type::Float(Decl::F16);

    /// Spelling in the textual IR.
    pub const fn name(self) -> &'static str {
        match self {
            Type::Float(decl) => decl.name(),
            Type::I64 => "i64",
            Type::I32 => "i32",
            Type::I16 => "i16",
            Type::Pred => "pred",
            Type::Cc => "cc",
        }
    }

    /// Reads [`Type::name`].
    pub fn from_name(name: &str) -> Option<Type> {
        match name {
            "i64" => Some(Type::I64),
            "i32" => Some(Type::I32),
            "i16" => Some(Type::I16),
            "pred" => Some(Type::Pred),
            "cc" => Some(Type::Cc),
            _ => Decl::from_name(name).map(Type::Float),
        }
    }

    /// Width in bits of what programs see: of floats, that of the declared format.
    pub fn bits(self) -> u32 {
        match self {
            Type::Float(decl) => decl.format().bits(),
            Type::I64 => 64,
            Type::I32 => 32,
            Type::I16 => 16,
            Type::Pred | Type::Cc => 8,
        }
    }

    /// The declared float format, if it is a float.
    pub const fn decl(self) -> Option<Decl> {
        match self {
            Type::Float(decl) => Some(decl),
            _ => None,
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
