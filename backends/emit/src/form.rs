//! The form between the IR and a target: instructions on single components, in nested blocks, whose operands are components of
//! registers, constants, attributes and immediates.

use crate::target::Row;
use parallax_core::{SourceId, TexOp};
use smallvec::SmallVec;
use std::fmt;
use std::ops::{Deref, DerefMut};

/// A value: one component that an instruction writes. Values of the IR keep their numbers; more come behind them.
pub(crate) type Value = u32;

/// What an operand reads.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Base {
    /// A value.
    Value(Value),
    /// Bits.
    Imm(u32),
    /// A component of a constant.
    Const { bank: u16, index: u32, comp: u8 },
    /// The same at a vector `base` + `at`.
    ConstAt { bank: u16, base: i32, comp: u8, at: Value },
    /// A component of an attribute.
    Attr { index: u16, comp: u8 },
    /// A buffer, as an operand of accesses to it.
    Buffer(u16),
    /// A component of a system value.
    System(SystemValue, u8),
}

/// System values: where an invocation of a kernel is, and what a pixel knows of itself.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum SystemValue {
    /// The place in the workgroup.
    Thread,
    /// The place of the workgroup in the grid.
    Block,
    /// Workgroups of the grid.
    Size,
    /// The number of the sample.
    Sample,
    /// Covered samples.
    Mask,
    /// Whether the lane only helps its neighbours.
    Helper,
    /// Whether the primitive faces the viewer.
    Face,
    /// How many samples a pixel has.
    Samples,
    /// Whether each sample is shaded by itself.
    Shading,
    /// The lane in the quad.
    Lane,
}

/// The register that a base is a component of, as far as it has one before registers are allocated.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Vector {
    /// The register of a web of values.
    Web(u32),
    /// Any immediate.
    Imm,
    /// A constant.
    Const(u16, u32),
    /// A constant at an address.
    ConstAt(u16, i32, Value),
    /// An attribute.
    Attr(u16),
    /// A buffer.
    Buffer(u16),
    /// A system value.
    System(SystemValue),
}

/// Signs of an operand: magnitude first, then negation.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Signs {
    pub(crate) negate: bool,
    pub(crate) absolute: bool,
}

/// A base with signs.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Arg {
    pub(crate) base: Base,
    pub(crate) signs: Signs,
}

impl Arg {
    /// A base as it is.
    pub(crate) const fn plain(base: Base) -> Arg {
        Arg { base, signs: Signs { negate: false, absolute: false } }
    }

    /// Bits.
    pub(crate) const fn imm(bits: u32) -> Arg {
        Arg::plain(Base::Imm(bits))
    }

    /// Bits of an immediate, its signs applied.
    pub(crate) fn bits(self) -> Option<u32> {
        let Base::Imm(mut bits) = self.base else { return None };
        if self.signs.absolute {
            bits &= 0x7fff_ffff;
        }
        Some(if self.signs.negate { bits ^ 0x8000_0000 } else { bits })
    }

    /// The same with the other sign.
    pub(crate) fn negated(mut self) -> Arg {
        self.signs.negate ^= true;
        self.folded()
    }

    /// The same without sign.
    pub(crate) fn magnitude(mut self) -> Arg {
        self.signs = Signs { negate: false, absolute: true };
        self.folded()
    }

    fn folded(self) -> Arg {
        self.bits().map_or(self, Arg::imm)
    }
}

/// The operands of an instruction on one component.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Args {
    count: u8,
    all: [Arg; Args::MOST],
}

impl Args {
    /// The most that there are.
    pub(crate) const MOST: usize = 4;

    /// None.
    pub(crate) const NONE: Args = Args { count: 0, all: [Arg::imm(0); Args::MOST] };

    /// One more, behind the others.
    ///
    /// # Panics
    /// If there are [`Args::MOST`]: no opcode of a target has more on one component, which a test sees to.
    pub(crate) fn push(&mut self, arg: Arg) {
        self.all[usize::from(self.count)] = arg;
        self.count += 1;
    }
}

impl Deref for Args {
    type Target = [Arg];

    fn deref(&self) -> &[Arg] {
        &self.all[..usize::from(self.count)]
    }
}

impl DerefMut for Args {
    fn deref_mut(&mut self) -> &mut [Arg] {
        &mut self.all[..usize::from(self.count)]
    }
}

impl Extend<Arg> for Args {
    fn extend<I: IntoIterator<Item = Arg>>(&mut self, args: I) {
        args.into_iter().for_each(|arg| self.push(arg));
    }
}

impl FromIterator<Arg> for Args {
    fn from_iter<I: IntoIterator<Item = Arg>>(args: I) -> Args {
        let mut all = Args::NONE;
        all.extend(args);
        all
    }
}

impl IntoIterator for Args {
    type Item = Arg;
    type IntoIter = std::iter::Take<std::array::IntoIter<Arg, { Args::MOST }>>;

    fn into_iter(self) -> Self::IntoIter {
        self.all.into_iter().take(usize::from(self.count))
    }
}

impl<'a> IntoIterator for &'a Args {
    type Item = &'a Arg;
    type IntoIter = std::slice::Iter<'a, Arg>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a> IntoIterator for &'a mut Args {
    type Item = &'a mut Arg;
    type IntoIter = std::slice::IterMut<'a, Arg>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

impl fmt::Debug for Args {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// An operand of an instruction: up to four components, one for each lane of the instruction.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Operand {
    pub(crate) lanes: [Option<Base>; 4],
    pub(crate) signs: Signs,
}

impl Operand {
    /// One component.
    pub(crate) fn one(arg: Arg) -> Operand {
        Operand { lanes: [Some(arg.base), None, None, None], signs: arg.signs }
    }

    /// The components that are there.
    pub(crate) fn bases(&self) -> impl Iterator<Item = Base> + '_ {
        self.lanes.iter().flatten().copied()
    }
}

/// The format that an instruction computes in, of sets that say it.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Precision {
    /// Binary32.
    #[default]
    Full,
    /// Binary16.
    Half,
    /// Fixed point of 12 bits, which half registers hold.
    Fixed,
}

/// How the lanes of an instruction are the components of its result.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Lanes {
    /// One result, in any component; lanes of operands are components as the target counts them.
    One,
    /// Results in the components as the target counts them.
    Fixed,
}

/// An instruction.
#[derive(Clone, Debug)]
pub(crate) struct Instr {
    pub(crate) row: Row,
    pub(crate) saturate: bool,
    /// Whether products and sums stay apart.
    pub(crate) precise: bool,
    pub(crate) precision: Precision,
    pub(crate) lanes: Lanes,
    pub(crate) operands: SmallVec<[Operand; 3]>,
    pub(crate) results: [Option<Value>; 4],
    /// The lookup, of lookups.
    pub(crate) texture: Option<TexOp>,
    /// Whether it changes memory: then it stays where it is, whether its result is read or not.
    pub(crate) changes: bool,
    pub(crate) origin: Option<SourceId>,
}

impl Instr {
    /// An instruction with at most one result, in any component.
    pub(crate) fn one(
        row: Row,
        saturate: bool,
        operands: SmallVec<[Operand; 3]>,
        result: Option<Value>,
        origin: Option<SourceId>,
    ) -> Instr {
        let results = [result, None, None, None];
        Instr {
            row,
            saturate,
            precise: false,
            precision: Precision::Full,
            lanes: Lanes::One,
            operands,
            results,
            texture: None,
            changes: false,
            origin,
        }
    }
}

/// An instruction on one component of any register. Packing links those that do the same: they are one instruction on vectors, which
/// stands where the first of them is.
#[derive(Clone, Debug)]
pub(crate) struct Single {
    pub(crate) row: Row,
    pub(crate) saturate: bool,
    /// Whether products and sums stay apart.
    pub(crate) precise: bool,
    pub(crate) precision: Precision,
    /// Whether it is a lane of an instruction that stands further in front.
    pub(crate) follows: bool,
    pub(crate) args: Args,
    pub(crate) result: Value,
    /// The place of the next lane in the same list of statements; 0 behind the last.
    pub(crate) next: u32,
    pub(crate) origin: Option<SourceId>,
}

impl Single {
    /// An instruction that is alone.
    pub(crate) fn new(row: Row, args: Args, result: Value, origin: Option<SourceId>) -> Single {
        Single {
            row,
            saturate: false,
            precise: false,
            precision: Precision::Full,
            follows: false,
            args,
            result,
            next: 0,
            origin,
        }
    }

    /// The lanes of an instruction, of which this is the first.
    pub(crate) fn lanes<'a>(&'a self, nodes: &'a [Node]) -> impl Iterator<Item = &'a Single> {
        std::iter::successors(Some(self), |lane| match lane.next {
            0 => None,
            next => match nodes.get(next as usize) {
                Some(Node::Single(next)) => Some(next),
                _ => None,
            },
        })
    }
}

impl Node {
    /// An instruction on single numbers, of sets whose registers are such.
    pub(crate) fn of_scalars(
        row: Row,
        saturate: bool,
        args: Args,
        result: Option<Value>,
        origin: Option<SourceId>,
    ) -> Node {
        match result {
            Some(result) => Node::Single(Single { saturate, ..Single::new(row, args, result, origin) }),
            None => {
                let operands = args.into_iter().map(Operand::one).collect();
                Node::Op(Box::new(Instr::one(row, saturate, operands, None, origin)))
            }
        }
    }
}

/// How a branch looks at its condition.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Test {
    /// A float that differs from zero.
    Float,
    /// Any bit is set.
    Bits,
}

/// A value that takes what another holds.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Move {
    pub(crate) to: Value,
    pub(crate) from: Arg,
}

/// A statement.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    Single(Single),
    Op(Box<Instr>),
    /// Moves that all read before one writes.
    Moves(Vec<Move>),
    If {
        condition: Arg,
        test: Test,
        then: Vec<Node>,
        other: Vec<Node>,
    },
    /// A loop, by its number, and how many rounds it has at most, where that is known; whether lanes go on behind it after these rounds.
    Loop {
        id: u32,
        rounds: Option<u32>,
        ends: bool,
        body: Vec<Node>,
    },
    /// Leaves the innermost loop; what is read then is what a construct further out reads, if it is on its way there.
    Break {
        to: u32,
    },
    /// Next iteration of the innermost loop, or on the way to that of one further out.
    Continue {
        to: u32,
    },
    /// Ends the innermost loop on the way to a construct further out; the innermost is left by `Break`. `flags` say on the way where the
    /// lane goes.
    Leave {
        to: u32,
        again: bool,
        flags: SmallVec<[Value; 2]>,
    },
}

/// Visits everything that statements read, also inside of branches and loops; flags of lanes that leave are none of it.
pub(crate) fn each_read(nodes: &[Node], visit: &mut impl FnMut(Base)) {
    for node in nodes {
        match node {
            Node::Single(single) => single.args.iter().for_each(|arg| visit(arg.base)),
            Node::Op(instr) => instr.operands.iter().flat_map(Operand::bases).for_each(&mut *visit),
            Node::Moves(moves) => moves.iter().for_each(|one| visit(one.from.base)),
            Node::If { condition, then, other, .. } => {
                visit(condition.base);
                each_read(then, visit);
                each_read(other, visit);
            }
            Node::Loop { body, .. } => each_read(body, visit),
            Node::Break { .. } | Node::Continue { .. } | Node::Leave { .. } => {}
        }
    }
}
