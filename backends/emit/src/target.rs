//! What a target says about itself.

use crate::form::Precision;
use crate::notes::Notes;
use crate::program::{Program, Written};
use crate::select::Formula;
use crate::{Encoding, Translation};
use parallax_core::{AtomicOp, Axis, Func, Interface, Stage, SysVal, TexOp};
use parallax_lift::vector::{Part, Pick, SCALAR, VectorOp};
use parallax_num::{Kind, Op};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;
use std::hash::{Hash, Hasher};
use std::sync::LazyLock;

/// An opcode of a target, as selection needs it.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Row {
    /// Mnemonic, where its table has it: a row stands in every instruction.
    pub(crate) name: &'static &'static str,
    /// The number of its form, of sets that have forms; else a hash of the mnemonic, made once: rows are compared and looked up for
    /// each instruction.
    pub(crate) key: u32,
    /// Operands that can be negated, bit 0 = the first.
    pub(crate) signed: u8,
    /// Operands that can be magnitudes.
    pub(crate) absolute: u8,
    /// Operands that are one component, bit 0 = the first.
    pub(crate) scalars: u8,
}

impl Row {
    /// An opcode whose operands take no signs.
    pub(crate) const fn new(name: &'static &'static str) -> Row {
        // FNV-1a.
        let (mut key, mut n) = (0x811c_9dc5u32, 0);
        while n < name.len() {
            key = (key ^ name.as_bytes()[n] as u32).wrapping_mul(0x0100_0193);
            n += 1;
        }
        Row { name, key, signed: 0, absolute: 0, scalars: 0 }
    }

    /// An opcode that is a form, by its number.
    pub(crate) const fn of_form(name: &'static &'static str, number: u16) -> Row {
        Row { name, key: number as u32, signed: 0, absolute: 0, scalars: 0 }
    }

    /// The number of its form.
    pub(crate) const fn form(&self) -> usize {
        self.key as usize
    }

    /// All but the name.
    const fn rest(&self) -> u64 {
        (self.key as u64) << 32 | u32::from_le_bytes([0, self.signed, self.absolute, self.scalars]) as u64
    }
}

/// Where the rest is equal, names nearly always are the same text in memory.
impl PartialEq for Row {
    fn eq(&self, other: &Row) -> bool {
        self.rest() == other.rest() && (std::ptr::eq(self.name, other.name) || self.name == other.name)
    }
}

impl Eq for Row {}

impl Hash for Row {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.rest());
    }
}

/// A meaning of an opcode, as patterns look for it: the meanings of the rows, read backwards.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Meaning {
    /// An operation on each component.
    Each(Op),
    /// The same, the last operand one component for all.
    ByScalar(Op),
    /// An operation on one component of each operand.
    Scalar(Op),
    /// A dot product.
    Dot(Op),
    /// 1 or 0.
    Set(Op, bool),
    /// All bits or none.
    SetBits(Op, bool),
    /// The second operand where the first compares so with zero, else the third.
    Select(Op),
    /// One component of those that an instruction computes: which.
    Part(u8, Op, &'static [Pick]),
    /// A difference between neighbours.
    Derivative(Axis, bool),
    /// A component of an attribute at a packed offset, the second operand: steps of 1/4096 of a pixel to the right in the low half, down in the high one.
    AtOffset,
    /// The packed offset of a sample.
    PlaceOfSample,
    /// That of the centroid of the covered samples.
    PlaceOfCentroid,
    /// Fields of a word.
    Pack(Op),
    /// Fields of this many bits of a word.
    Unpack(Op, u32),
    /// A move that changes no bit.
    Move,
    /// Magnitudes.
    Magnitude,
    /// An operation on numbers of 64 bits; whether that is its format, not that of words.
    Wide(Op, bool),
    /// A conversion to a whole number that gives the highest bit alone for NaN; whether it is one of a double.
    ToWhole(Op, bool),
    /// A comparison of such numbers with this outcome: all bits or none, or a predicate.
    WideBits(Op, bool),
    /// An element of an array: its number, the index.
    Element,
    /// Sets an element.
    SetElement,
    /// A word of a buffer.
    Load,
    /// Sets a word of a buffer.
    Store,
    /// Bytes of a buffer.
    Size,
    /// Changes a word of a buffer and gives the old one.
    Atomic(AtomicOp),
    /// Waits for the invocations of the workgroup.
    Barrier,
    /// Removes the pixel where any component is below zero.
    Kill,
    /// Whether a condition holds in any executing lane of the quad.
    QuadAny,
    /// Whether it holds in all.
    QuadAll,
    /// The first operand as the lane has it that the second names.
    Shuffle,
    /// A comparison with this outcome, as a predicate.
    Test(Op, bool),
    /// An operation on predicates.
    Logic(Op),
    /// The second operand where a predicate holds, else the third.
    Choose,
    /// A bit field, whose place and length are one operand: the place in the low byte, the length in the next.
    Field(Op),
}

/// Whether an operation is one of [`Rows::of_floats`].
fn is_of_floats(op: Op) -> bool {
    let info = op.info();
    info.args.iter().all(|kind| *kind == Kind::F)
        && info.args.len() <= 3
        && info.result == Kind::F
        && !matches!(op, Op::Neg | Op::Abs | Op::Rcp)
}

/// The opcodes of a target by their meaning.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    all: FxHashMap<Meaning, Row>,
    /// Those that are asked for most, by number of the operation.
    of_ops: Vec<OfOp>,
    moves: Option<Row>,
    /// Instructions that compute operations as one of their parts: the one with the fewest letters of each.
    parts: FxHashMap<Op, (Row, u8, &'static [Pick])>,
}

/// The opcodes of an operation.
#[derive(Copy, Clone, Debug, Default)]
struct OfOp {
    each: Option<Row>,
    /// The same, of operations that [`Rows::of_floats`] gives.
    of_floats: Option<Row>,
    by_scalar: Option<Row>,
    scalar: Option<Row>,
    dot: Option<Row>,
}

impl Rows {
    /// Adds the meanings of a row; those that an earlier row has stay with it.
    pub(crate) fn add(&mut self, row: Row, op: VectorOp) {
        let mut put = |meaning| self.put(meaning, row);
        match op {
            VectorOp::Componentwise(op) => put(Meaning::Each(op)),
            VectorOp::ByScalar(op) => put(Meaning::ByScalar(op)),
            VectorOp::Scalar(op) => put(Meaning::Scalar(op)),
            VectorOp::Dot(op) => put(Meaning::Dot(op)),
            VectorOp::Set(op, outcome) => put(Meaning::Set(op, outcome)),
            VectorOp::SetBits(op, outcome) => put(Meaning::SetBits(op, outcome)),
            VectorOp::Select(op) => put(Meaning::Select(op)),
            VectorOp::Derivative { axis, fine } => put(Meaning::Derivative(axis, fine)),
            VectorOp::Pack(op) => put(Meaning::Pack(op)),
            VectorOp::Unpack(op, width) => put(Meaning::Unpack(op, width)),
            VectorOp::Parts(parts) => {
                for (comp, part) in (0..).zip(parts) {
                    if let Part::Num(op, picks) = *part {
                        put(Meaning::Part(comp, op, picks));
                    }
                }
            }
            VectorOp::Cross | VectorOp::Reflect | VectorOp::Transform2d => {}
        }
    }

    /// Adds a meaning.
    pub(crate) fn put(&mut self, meaning: Meaning, row: Row) {
        let entry = self.all.entry(meaning);
        if matches!(entry, Entry::Occupied(_)) {
            return;
        }
        entry.or_insert(row);
        match meaning {
            Meaning::Each(op) => {
                let of_floats = Some(row).filter(|_| is_of_floats(op));
                let known = self.of_op(op);
                (known.each, known.of_floats) = (Some(row), of_floats);
            }
            Meaning::ByScalar(op) => self.of_op(op).by_scalar = Some(row),
            Meaning::Scalar(op) => self.of_op(op).scalar = Some(row),
            Meaning::Dot(op) => self.of_op(op).dot = Some(row),
            Meaning::Move => self.moves = Some(row),
            // The one with the fewest letters, so that the choice does not depend on the order of rows.
            Meaning::Part(comp, op, picks) => {
                let by_name = |(row, comp, _): &(Row, u8, &[Pick])| (row.name.len(), row.name, *comp);
                let known = self.parts.entry(op).or_insert((row, comp, picks));
                if by_name(&(row, comp, picks)) < by_name(known) {
                    *known = (row, comp, picks);
                }
            }
            _ => {}
        }
    }

    fn of_op(&mut self, op: Op) -> &mut OfOp {
        let at = op as usize;
        self.of_ops.resize(self.of_ops.len().max(at + 1), OfOp::default());
        &mut self.of_ops[at]
    }

    /// The opcode with a meaning.
    pub(crate) fn get(&self, meaning: Meaning) -> Option<Row> {
        let of = |op: Op| self.of_ops.get(op as usize);
        match meaning {
            Meaning::Each(op) => of(op)?.each,
            Meaning::ByScalar(op) => of(op)?.by_scalar,
            Meaning::Scalar(op) => of(op)?.scalar,
            Meaning::Dot(op) => of(op)?.dot,
            Meaning::Move => self.moves,
            meaning => self.all.get(&meaning).copied(),
        }
    }

    /// The opcode of an operation whose operands and result are floats of one format, where selection has nothing to do but to take it:
    /// signs are operands, and reciprocals may be of positions.
    pub(crate) fn of_floats(&self, op: Op) -> Option<Row> {
        self.of_ops.get(op as usize)?.of_floats
    }

    /// The instruction that computes an operation as one of its parts.
    pub(crate) fn part(&self, op: Op) -> Option<(Row, u8, &'static [Pick])> {
        self.parts.get(&op).copied()
    }
}

/// The component of an operand that a pick names.
pub(crate) const fn picked(pick: Pick) -> usize {
    if pick.1 == SCALAR { 0 } else { pick.1 as usize }
}

/// How a target holds a condition.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Truth {
    /// All bits or none.
    Bits,
    /// 1.0 or 0.0.
    Float,
    /// As a predicate, a register of its own kind.
    Predicate,
}

/// How a target reads constants at an address.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Addresses {
    /// Not at all.
    None,
    /// By words, each bank by itself.
    Words,
    /// By words, one bank behind the other, so many at most.
    WordsOfAll(u32),
    /// By floors of floats, one bank behind the other.
    Floats,
}

/// What a target can do.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Abilities {
    /// How it holds conditions.
    pub(crate) truth: Truth,
    /// Whether registers hold integers that are computed with.
    pub(crate) integers: bool,
    /// Whether there are branches and loops.
    pub(crate) flow: bool,
    /// The most rounds of a loop, where it has to say them.
    pub(crate) rounds: Option<u32>,
    /// Whether the next round of a loop can begin in its middle.
    pub(crate) again: bool,
    /// How constants are read at an address.
    pub(crate) addresses: Addresses,
    /// Whether the clamp to [0, 1] is part of every opcode.
    pub(crate) saturate: bool,
    /// Whether two words of a register are numbers of 64 bits that are computed with.
    pub(crate) wide: bool,
    /// System values that can be read.
    pub(crate) system_values: &'static [SysVal],
    /// Words of each memory that a workgroup shares, where programs do not say how many.
    pub(crate) workgroup: Option<u32>,
    /// Whether addresses of words have to be multiples of 4.
    pub(crate) aligns: bool,
    /// Whether attributes over w can be read.
    pub(crate) over_w: bool,
    /// Instructions of a program.
    pub(crate) instructions: usize,
    /// Temporary registers.
    pub(crate) registers: u32,
    /// Whether literals are constants, which a manifest sets.
    pub(crate) literals_in_constants: bool,
    /// Whether an opcode computes in a format, of sets that say it; they have registers of halves.
    pub(crate) halves: Option<fn(&str, Precision) -> bool>,
    /// Whether a literal can have these bits.
    pub(crate) literal: fn(u32) -> bool,
}

/// What an invocation of a kernel knows of itself, of sets that have kernels.
pub(crate) const INVOCATION: &[SysVal] = &[
    SysVal::LocalX,
    SysVal::LocalY,
    SysVal::LocalZ,
    SysVal::GroupX,
    SysVal::GroupY,
    SysVal::GroupZ,
    SysVal::GridX,
    SysVal::GridY,
    SysVal::GridZ,
];

/// What a component of an operand of a lookup is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// Nothing reads it.
    Nothing,
    /// An operand of the lookup in the IR, by number.
    Operand(usize),
    /// Bits.
    Imm(u32),
}

/// A lookup of a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Lookup {
    /// The opcode.
    pub(crate) row: Row,
    /// The components of each operand of the instruction.
    pub(crate) operands: Vec<[Piece; 4]>,
}

/// How a program is made of a shader; what keeps it from being one goes to the notes.
pub(crate) type Translate = fn(&Func, &Target, Encoding, &mut Notes) -> Option<Translation>;

/// An instruction set that programs are translated to.
pub struct Target {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is.
    pub title: &'static str,
    /// Ending of its files.
    pub extension: &'static str,
    /// The frontend that reads its programs.
    pub isa: &'static str,
    /// The dialect of that frontend, where programs do not say it.
    pub dialect: Option<&'static str>,
    /// Options of that frontend, where programs need them.
    pub settings: &'static [(&'static str, &'static str)],
    /// What vertex programs become.
    pub(crate) vertex: Option<&'static Target>,
    /// What kernels become.
    pub(crate) kernel: Option<&'static Target>,
    pub(crate) abilities: Abilities,
    /// Its opcodes, made when they are first asked for.
    pub(crate) rows: &'static LazyLock<Rows>,
    /// Instructions that are formulas, made when they are first asked for.
    pub(crate) formulas: Option<&'static LazyLock<Vec<Formula>>>,
    /// How a lookup is written, or why it cannot be; whether its level is the largest.
    pub(crate) lookup: fn(&TexOp, bool) -> Result<Lookup, String>,
    /// Where the inputs and outputs of a shader go, or why they cannot.
    pub(crate) place: fn(&Interface, &mut crate::interface::Places),
    pub(crate) registers: Registers,
}

impl Target {
    /// What shaders of a stage become; `None` where they are not translated.
    pub fn of_stage(&self, stage: Stage) -> Option<&Target> {
        match stage {
            Stage::Fragment => Some(self),
            Stage::Vertex => self.vertex,
            Stage::Compute => self.kernel,
        }
    }
}

/// What registers hold, and how programs are made of what was selected.
#[derive(Copy, Clone)]
pub(crate) enum Registers {
    /// Four components: instructions are packed, and a program is written in the target's words, if nothing keeps it from being one.
    Vectors(fn(&Program<'_>) -> Result<Written, Vec<String>>),
    /// Single numbers.
    Scalars(Translate),
}

impl std::fmt::Debug for Target {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TARGETS;
    use crate::form::Args;

    /// The targets of all stages.
    fn targets() -> impl Iterator<Item = &'static Target> {
        TARGETS.iter().flat_map(|target| Stage::ALL.into_iter().filter_map(|stage| target.of_stage(stage)))
    }

    /// Selection and packing tell opcodes apart by their keys.
    #[test]
    fn keys_of_opcodes_are_one_each() {
        for target in targets() {
            let mut known: FxHashMap<u32, Row> = FxHashMap::default();
            let parts = target.rows.parts.values().map(|(row, ..)| row);
            for row in target.rows.all.values().chain(parts) {
                let other = *known.entry(row.key).or_insert(*row);
                assert_eq!(*row, other, "{}", target.name);
            }
            assert!(known.len() > 10, "{}", target.name);
        }
    }

    /// Instructions on one component hold no more.
    #[test]
    fn operations_on_one_component_have_four_operands_at_most() {
        for target in targets() {
            for meaning in target.rows.all.keys() {
                if let Meaning::Each(op) | Meaning::ByScalar(op) | Meaning::Scalar(op) | Meaning::Field(op) = meaning {
                    assert!(op.info().args.len() <= Args::MOST, "{}: {}", target.name, op.name());
                }
            }
        }
    }
}
