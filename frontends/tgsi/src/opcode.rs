//! Opcodes: what a row of the table says, and how a mnemonic finds its row.

use crate::lift::WideOp;
use crate::table::ROWS;
use parallax_core::{AtomicOp, TexMode};
use parallax_lift::vector::VectorOp;
use rustc_hash::FxHashMap;
use std::fmt;
use std::sync::LazyLock;

pub use crate::table::Opcode;

/// How an instruction is executed.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Sem {
    /// An operation on vectors; operands are read as the row's shape says.
    Vector(VectorOp),
    /// An operation on numbers of 64 bits.
    Wide(WideOp),
    /// A change of a word of memory.
    Atomic(AtomicOp),
    /// A texture lookup.
    Texture(TexMode, Lookup),
    /// Anything else that computes.
    Custom(crate::lift::LiftFn),
    /// Structure of the program; handled by the walk.
    Control,
    /// Known, not executed; the reason.
    Unsupported(&'static str),
}

/// Where a texture lookup has its parts from.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Lookup {
    /// The sampler is the last source, the shape stands behind it.
    Sampler,
    /// The same; coordinates are divided by w.
    Projected,
    /// The same; the level is 0.
    LevelZero,
    /// The view is the second source: its declaration has the shape, its swizzle applies to the texel. Bias and level are
    /// the x component of the fourth source.
    View,
    /// The same; the x component of the fourth source is compared with texels.
    Compared,
    /// The same at level 0.
    ComparedLevelZero,
    /// As `Sampler`; the x component of the second source is compared with texels.
    SecondReference,
    /// As `Sampler`; bias and level are the x component of the second source.
    SecondLevel,
}

/// What kind of operand an instruction takes at a place; decides the registers and modifiers that fit.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Operand {
    /// Float: absolute value, then negation, on the sign bit.
    Float,
    /// Integer: two's complement negation.
    Int,
    /// Moved bits, with the modifiers of a float.
    Move,
    /// `IN`, with the modifiers of a float: an input, not its value.
    Input,
    /// 64-bit float or integer: no modifiers.
    Wide,
    /// `SAMP`.
    Sampler,
    /// `SVIEW`.
    View,
    /// `BUFFER`, `IMAGE`, `MEMORY`, `HWATOMIC`.
    Resource,
}

/// The operands of an instruction.
#[derive(Copy, Clone, Debug)]
pub struct Shape {
    /// Number of destinations.
    pub dsts: u8,
    /// Whether the destination is a resource.
    pub writes_resource: bool,
    srcs: [Operand; 5],
    count: u8,
    /// Whether a texture shape follows.
    pub target: bool,
    /// Whether a label may follow.
    pub label: bool,
    /// Whether memory qualifiers may follow.
    pub memory: bool,
    /// Whether the sources may be left out, all of them.
    pub optional: bool,
}

impl Shape {
    /// Reads a shape: `O` per destination (`R` for a resource), `=`, a letter per source (`F`loat, `I`nteger, `M`oved, `A`n input, `W`ide,
    /// `S`ampler, `V`iew, `R`esource), `@` for a texture shape, `:` for a label, `?` where
    /// sources may be left out.
    pub(crate) const fn read(text: &str) -> Shape {
        let bytes = text.as_bytes();
        let mut shape = Shape {
            dsts: 0,
            writes_resource: false,
            srcs: [Operand::Float; 5],
            count: 0,
            target: false,
            label: false,
            memory: false,
            optional: false,
        };
        let mut i = 0;
        let mut sources = false;
        while i < bytes.len() {
            let operand = match bytes[i] {
                b'O' => {
                    shape.dsts += 1;
                    None
                }
                b'R' if !sources => {
                    shape.dsts += 1;
                    shape.writes_resource = true;
                    shape.memory = true;
                    None
                }
                b'=' => {
                    sources = true;
                    None
                }
                b'@' => {
                    shape.target = true;
                    None
                }
                b':' => {
                    shape.label = true;
                    None
                }
                b'?' => {
                    shape.optional = true;
                    None
                }
                b'F' => Some(Operand::Float),
                b'I' => Some(Operand::Int),
                b'M' => Some(Operand::Move),
                b'A' => Some(Operand::Input),
                b'W' => Some(Operand::Wide),
                b'S' => Some(Operand::Sampler),
                b'V' => Some(Operand::View),
                b'R' => {
                    shape.memory = true;
                    Some(Operand::Resource)
                }
                _ => panic!("unknown letter in an operand shape"),
            };
            if let Some(operand) = operand {
                shape.srcs[shape.count as usize] = operand;
                shape.count += 1;
            }
            i += 1;
        }
        shape
    }

    /// The sources.
    pub fn srcs(&self) -> &[Operand] {
        &self.srcs[..usize::from(self.count)]
    }

    /// Whether there is any operand.
    pub fn has_operands(&self) -> bool {
        self.dsts != 0 || self.count != 0 || self.target
    }
}

/// A row of the opcode table.
#[derive(Clone, Debug)]
pub struct Row {
    /// The mnemonic.
    pub name: &'static str,
    /// Operands.
    pub shape: Shape,
    /// Execution.
    pub(crate) sem: Sem,
    /// One sentence of meaning.
    pub doc: &'static str,
    /// Where it is described.
    pub source: &'static str,
}

impl Row {
    /// Why the opcode is not executed, if it is not.
    pub fn unsupported(&self) -> Option<&'static str> {
        match self.sem {
            Sem::Unsupported(reason) => Some(reason),
            _ => None,
        }
    }
}

impl Opcode {
    /// The opcode's row.
    pub fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    /// The mnemonic.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Finds a mnemonic without suffixes, letters of either case.
    pub fn from_name(word: &str) -> Option<Opcode> {
        match packed(word) {
            Some(packed) => BY_SHORT_NAME.get(&packed).copied().filter(|op| op.name().len() == word.len()),
            None => Opcode::from_long_name(word),
        }
    }

    fn from_long_name(word: &str) -> Option<Opcode> {
        let mut upper = [0u8; LONGEST];
        let bytes = word.as_bytes();
        let upper = upper.get_mut(..bytes.len())?;
        for (to, from) in upper.iter_mut().zip(bytes) {
            *to = from.to_ascii_uppercase();
        }
        BY_NAME.get(&*upper).copied()
    }

    /// What it means, if that is an operation on vectors.
    pub fn vector_op(self) -> Option<VectorOp> {
        match self.row().sem {
            Sem::Vector(op) => Some(op),
            _ => None,
        }
    }

    /// What it computes with numbers of 64 bits, if it does.
    pub fn wide_op(self) -> Option<WideOp> {
        match self.row().sem {
            Sem::Wide(op) => Some(op),
            _ => None,
        }
    }

    /// Every opcode, in table order.
    pub fn all() -> impl Iterator<Item = Opcode> {
        Opcode::ALL.iter().copied()
    }
}

impl fmt::Display for Opcode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// No mnemonic is longer.
const LONGEST: usize = 24;

static BY_NAME: LazyLock<FxHashMap<&'static [u8], Opcode>> =
    LazyLock::new(|| Opcode::all().map(|op| (op.name().as_bytes(), op)).collect());

/// A word of up to eight bytes in capital letters as a number, which is found faster.
#[inline]
fn packed(word: &str) -> Option<u64> {
    let few = word.len() <= 8;
    few.then(|| word.bytes().fold(0, |packed, byte| packed << 8 | u64::from(byte.to_ascii_uppercase())))
}

static BY_SHORT_NAME: LazyLock<FxHashMap<u64, Opcode>> =
    LazyLock::new(|| Opcode::all().filter_map(|op| Some((packed(op.name())?, op))).collect());

/// A mnemonic with its suffixes taken off.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mnemonic {
    pub(crate) op: Opcode,
    pub(crate) saturate: bool,
    pub(crate) precise: bool,
}

impl Mnemonic {
    /// Reads a mnemonic: the name, then `_SAT`, then `_PRECISE`.
    pub(crate) fn read(word: &str) -> Option<Mnemonic> {
        if let Some(op) = Opcode::from_name(word) {
            return Some(Mnemonic { op, saturate: false, precise: false });
        }
        let (rest, precise) = strip(word, "_PRECISE");
        let (rest, saturate) = strip(rest, "_SAT");
        if !precise && !saturate {
            return None;
        }
        Opcode::from_name(rest).map(|op| Mnemonic { op, saturate, precise })
    }
}

fn strip<'a>(word: &'a str, suffix: &str) -> (&'a str, bool) {
    let cut = word.len().wrapping_sub(suffix.len());
    match (word.get(..cut), word.get(cut..)) {
        (Some(rest), Some(tail)) if tail.eq_ignore_ascii_case(suffix) => (rest, true),
        _ => (word, false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_found_by_its_name() {
        for op in Opcode::all() {
            let row = op.row();
            assert!(row.name.len() < LONGEST, "{}", row.name);
            assert_eq!(Opcode::from_name(&row.name.to_lowercase()), Some(op));
            assert!(!row.doc.is_empty() && !row.doc.ends_with('.'), "{}", row.name);
        }
        assert!(Opcode::all().count() >= 242);
        assert_eq!(Opcode::from_name("CALLNZ"), None);
        assert_eq!([Opcode::from_name(""), Opcode::from_name("\0MOV")], [None; 2]);
        assert_eq!(Opcode::from_name(&"A".repeat(100)), None);
    }

    #[test]
    fn suffixes_stand_in_one_order() {
        let read = |w| Mnemonic::read(w).map(|m| (m.op, m.saturate, m.precise));
        assert_eq!(read("ADD_SAT"), Some((Opcode::ADD, true, false)));
        assert_eq!(read("mad_sat_precise"), Some((Opcode::MAD, true, true)));
        assert_eq!(read("MAD_PRECISE_SAT"), None);
        assert_eq!(read("_SAT"), None);
        assert_eq!(read("é_SAT"), None);
    }
}
