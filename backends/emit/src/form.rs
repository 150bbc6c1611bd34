//! The form between the IR and a target: instructions on single components, in nested blocks, whose operands are components of
//! registers, constants, attributes and immediates.

use crate::target::Row;
use parallax_core::{SourceId, TexOp};
use rustc_hash::FxHashMap;
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
    /// The same of the vector at an address behind another one.
    ConstAt { from: Relative, comp: u8, at: Value },
    /// A component of an attribute.
    Attr { index: u16, comp: u8 },
    /// A buffer, as an operand of accesses to it.
    Buffer(u16),
    /// A component of a system value.
    System(SystemValue, u8),
}

impl Base {
    /// The value that it is, or whose content says which constant.
    pub(crate) const fn read(self) -> Option<Value> {
        match self {
            Base::Value(value) | Base::ConstAt { at: value, .. } => Some(value),
            _ => None,
        }
    }
}

/// The number of a constant that addresses are added to.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Relative(u32);

/// The constants that addresses are added to: bank and vector of each.
#[derive(Clone, Debug, Default)]
pub(crate) struct Relatives {
    all: Vec<(u16, i32)>,
    numbers: FxHashMap<(u16, i32), u32>,
}

impl Relatives {
    /// More than these are refused. An operand has room for twice as many, as lowering adds some.
    pub(crate) const MOST: usize = 1 << 23;

    /// The number of a vector.
    pub(crate) fn number(&mut self, bank: u16, vector: i32) -> Relative {
        let next = self.all.len() as u32;
        let number = *self.numbers.entry((bank, vector)).or_insert(next);
        if number == next {
            self.all.push((bank, vector));
        }
        Relative(number)
    }

    /// Bank and vector of a number.
    pub(crate) fn get(&self, number: Relative) -> (u16, i32) {
        self.all.get(number.0 as usize).copied().unwrap_or_default()
    }

    /// All banks are one further.
    pub(crate) fn move_banks(&mut self) {
        self.all.iter_mut().for_each(|(bank, _)| *bank += 1);
        self.numbers = self.all.iter().copied().zip(0..).collect();
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }
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

impl SystemValue {
    /// All of them; `ALL[v as usize] == v`.
    const ALL: [SystemValue; 10] = [
        SystemValue::Thread,
        SystemValue::Block,
        SystemValue::Size,
        SystemValue::Sample,
        SystemValue::Mask,
        SystemValue::Helper,
        SystemValue::Face,
        SystemValue::Samples,
        SystemValue::Shading,
        SystemValue::Lane,
    ];
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
    ConstAt(Relative, Value),
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

/// A base with signs, in one word: operands are copied, compared and looked up more than anything else. From the lowest bit on: a
/// value, bits or a number (32 bits); a bank or a [`Relative`] (24); the component (2); magnitude and negation; the kind (4).
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Arg(u64);

impl Arg {
    const SECOND: u32 = 32;
    const COMP: u32 = 56;
    const ABSOLUTE: u64 = 1 << 58;
    const NEGATE: u64 = 1 << 59;
    const KIND: u32 = 60;

    /// A base with signs.
    #[inline]
    pub(crate) const fn new(base: Base, signs: Signs) -> Arg {
        let (kind, first, second, comp) = match base {
            Base::Value(value) => (0, value, 0, 0),
            Base::Imm(bits) => (1, bits, 0, 0),
            Base::Const { bank, index, comp } => (2, index, bank as u32, comp),
            Base::ConstAt { from, comp, at } => (3, at, from.0 & 0xff_ffff, comp),
            Base::Attr { index, comp } => (4, index as u32, 0, comp),
            Base::Buffer(buffer) => (5, buffer as u32, 0, 0),
            Base::System(place, comp) => (6, place as u32, 0, comp),
        };
        let plain = kind << Arg::KIND | (comp as u64 & 3) << Arg::COMP | (second as u64) << Arg::SECOND | first as u64;
        Arg(plain).with_signs(signs)
    }

    /// A base as it is.
    #[inline]
    pub(crate) const fn plain(base: Base) -> Arg {
        Arg::new(base, Signs { negate: false, absolute: false })
    }

    /// Bits.
    #[inline]
    pub(crate) const fn imm(bits: u32) -> Arg {
        Arg::plain(Base::Imm(bits))
    }

    /// A value.
    #[inline]
    pub(crate) const fn value(value: Value) -> Arg {
        Arg::plain(Base::Value(value))
    }

    /// What it reads.
    #[inline]
    pub(crate) const fn base(self) -> Base {
        let (first, comp) = (self.0 as u32, (self.0 >> Arg::COMP & 3) as u8);
        match self.0 >> Arg::KIND {
            0 => Base::Value(first),
            1 => Base::Imm(first),
            2 => Base::Const { bank: (self.0 >> Arg::SECOND) as u16, index: first, comp },
            3 => Base::ConstAt { from: Relative((self.0 >> Arg::SECOND) as u32 & 0xff_ffff), comp, at: first },
            4 => Base::Attr { index: first as u16, comp },
            5 => Base::Buffer(first as u16),
            _ => Base::System(SystemValue::ALL[first as usize], comp),
        }
    }

    /// Its signs.
    #[inline]
    pub(crate) const fn signs(self) -> Signs {
        Signs { negate: self.0 & Arg::NEGATE != 0, absolute: self.0 & Arg::ABSOLUTE != 0 }
    }

    /// Whether it has signs.
    #[inline]
    pub(crate) const fn has_signs(self) -> bool {
        self.0 & (Arg::NEGATE | Arg::ABSOLUTE) != 0
    }

    /// The same with other signs.
    #[inline]
    pub(crate) const fn with_signs(self, signs: Signs) -> Arg {
        let plain = self.0 & !(Arg::NEGATE | Arg::ABSOLUTE);
        let negate = if signs.negate { Arg::NEGATE } else { 0 };
        Arg(plain | negate | if signs.absolute { Arg::ABSOLUTE } else { 0 })
    }

    /// The same of another base.
    #[inline]
    pub(crate) const fn with_base(self, base: Base) -> Arg {
        Arg::new(base, self.signs())
    }

    /// The same with the other sign, also of an immediate.
    #[inline]
    pub(crate) const fn opposite(self) -> Arg {
        Arg(self.0 ^ Arg::NEGATE)
    }

    /// The value that it is, or whose content says which constant.
    #[inline]
    pub(crate) const fn read(self) -> Option<Value> {
        if matches!(self.0 >> Arg::KIND, 0 | 3) { Some(self.0 as u32) } else { None }
    }

    /// The value that it is, if it has no signs.
    #[inline]
    pub(crate) const fn plain_value(self) -> Option<Value> {
        if self.0 >> Arg::SECOND == 0 { Some(self.0 as u32) } else { None }
    }

    /// The same of another value, if [`Arg::read`] says that it has one.
    #[inline]
    pub(crate) const fn renumbered(self, value: Value) -> Arg {
        Arg(self.0 & !0xffff_ffff | value as u64)
    }

    /// Its signs as a number below 4.
    #[inline]
    pub(crate) const fn sign_bits(self) -> u64 {
        self.0 >> 58 & 3
    }

    /// What operands of the same register have in common that read no value: all but component and signs, nothing of immediates.
    #[inline]
    pub(crate) const fn register(self) -> u64 {
        let plain = self.0 & !(0xf << Arg::COMP);
        if plain >> Arg::KIND == 1 { 1 << Arg::KIND } else { plain }
    }

    /// The word that it is.
    #[inline]
    pub(crate) const fn word(self) -> u64 {
        self.0
    }

    /// Bits of an immediate, its signs applied.
    pub(crate) fn bits(self) -> Option<u32> {
        let Base::Imm(mut bits) = self.base() else { return None };
        let Signs { negate, absolute } = self.signs();
        if absolute {
            bits &= 0x7fff_ffff;
        }
        Some(if negate { bits ^ 0x8000_0000 } else { bits })
    }

    /// The same with the other sign.
    pub(crate) fn negated(self) -> Arg {
        self.opposite().folded()
    }

    /// The same without sign.
    pub(crate) fn magnitude(self) -> Arg {
        self.with_signs(Signs { negate: false, absolute: true }).folded()
    }

    fn folded(self) -> Arg {
        self.bits().map_or(self, Arg::imm)
    }
}

impl fmt::Debug for Arg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Arg").field(&self.base()).field(&self.signs()).finish()
    }
}

/// The operands of an instruction on one component.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Args {
    /// As wide as an operand, since both are copied together.
    count: u64,
    all: [Arg; Args::MOST],
}

impl Args {
    /// The most that there are.
    pub(crate) const MOST: usize = 4;

    /// None.
    pub(crate) const NONE: Args = Args { count: 0, all: [Arg::imm(0); Args::MOST] };

    /// These.
    ///
    /// # Panics
    /// As [`Args::push`] does.
    #[inline]
    pub(crate) fn of(args: &[Arg]) -> Args {
        assert!(args.len() <= Args::MOST, "{} operands on one component", args.len());
        let nth = |n: usize| args.get(n).copied().unwrap_or(Arg::imm(0));
        Args { count: args.len() as u64, all: [nth(0), nth(1), nth(2), nth(3)] }
    }

    /// One more, behind the others.
    ///
    /// # Panics
    /// If there are [`Args::MOST`]: no opcode of a target has more on one component, which a test sees to.
    pub(crate) fn push(&mut self, arg: Arg) {
        self.all[self.count as usize] = arg;
        self.count += 1;
    }

    /// These in place of none.
    ///
    /// # Panics
    /// As [`Args::push`] does.
    #[inline]
    pub(crate) fn fill(&mut self, args: &[Arg]) {
        assert!(args.len() <= Args::MOST, "{} operands on one component", args.len());
        self.count = args.len() as u64;
        for (n, to) in self.all.iter_mut().enumerate() {
            if let Some(&arg) = args.get(n) {
                *to = arg;
            }
        }
    }
}

impl Deref for Args {
    type Target = [Arg];

    fn deref(&self) -> &[Arg] {
        &self.all[..self.count as usize]
    }
}

impl DerefMut for Args {
    fn deref_mut(&mut self) -> &mut [Arg] {
        &mut self.all[..self.count as usize]
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
        self.all.into_iter().take(self.count as usize)
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
        Operand { lanes: [Some(arg.base()), None, None, None], signs: arg.signs() }
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
    pub(crate) const fn new(row: Row, args: Args, result: Value, origin: Option<SourceId>) -> Single {
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
    /// Takes the statement out of its list and leaves a placeholder, which nobody looks at.
    pub(crate) fn taken(&mut self) -> Node {
        std::mem::replace(self, Node::Break { to: 0 })
    }

    /// Appends what [`Node::of_scalars`] makes. It is filled in place: a copy of a struct that was stored field by field just before reads
    /// it in larger pieces, which the processor cannot forward from its store buffer.
    #[inline]
    pub(crate) fn put(
        list: &mut Vec<Node>,
        row: Row,
        saturate: bool,
        args: &[Arg],
        result: Option<Value>,
        origin: Option<SourceId>,
    ) {
        let Some(result) = result else {
            return list.push(Node::of_scalars(row, saturate, Args::of(args), None, origin));
        };
        let to = Node::put_single(list);
        (to.row, to.saturate, to.result, to.origin) = (row, saturate, result, origin);
        to.args.fill(args);
    }

    /// Appends an instruction, which the caller fills.
    #[inline]
    pub(crate) fn put_single(list: &mut Vec<Node>) -> &mut Single {
        const EMPTY: Single = Single::new(Row::of_form(&"", 0), Args::NONE, 0, None);
        list.push(Node::Single(EMPTY));
        match list.last_mut() {
            Some(Node::Single(single)) => single,
            _ => unreachable!("it was just put there"),
        }
    }

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
            Node::Single(single) => single.args.iter().for_each(|arg| visit(arg.base())),
            Node::Op(instr) => instr.operands.iter().flat_map(Operand::bases).for_each(&mut *visit),
            Node::Moves(moves) => moves.iter().for_each(|one| visit(one.from.base())),
            Node::If { condition, then, other, .. } => {
                visit(condition.base());
                each_read(then, visit);
                each_read(other, visit);
            }
            Node::Loop { body, .. } => each_read(body, visit),
            Node::Break { .. } | Node::Continue { .. } | Node::Leave { .. } => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operand_is_what_it_was_made_of() {
        let mut relatives = Relatives::default();
        let numbers = [(0, 0), (7, -3), (0, 0), (u16::MAX, i32::MIN)].map(|(bank, at)| relatives.number(bank, at));
        assert_eq!(numbers[0], numbers[2]);
        assert_eq!((relatives.get(numbers[1]), relatives.get(numbers[3])), ((7, -3), (u16::MAX, i32::MIN)));
        let mut bases = vec![
            Base::Value(0),
            Base::Value(u32::MAX),
            Base::Imm(0),
            Base::Imm(u32::MAX),
            Base::Const { bank: u16::MAX, index: u32::MAX, comp: 3 },
            Base::Const { bank: 0, index: 0, comp: 0 },
            Base::ConstAt { from: numbers[3], comp: 2, at: u32::MAX },
            Base::ConstAt { from: Relative(0xff_ffff), comp: 3, at: 5 },
            Base::Attr { index: u16::MAX, comp: 1 },
            Base::Buffer(u16::MAX),
        ];
        bases.extend(SystemValue::ALL.map(|value| Base::System(value, 2)));
        for (n, &base) in bases.iter().enumerate() {
            for signs in [(false, false), (false, true), (true, false), (true, true)] {
                let signs = Signs { negate: signs.0, absolute: signs.1 };
                let arg = Arg::new(base, signs);
                assert_eq!((arg.base(), arg.signs()), (base, signs));
                assert_eq!(arg.read(), base.read());
                assert_eq!(arg.has_signs(), signs != Signs::default());
                let plain = matches!(base, Base::Value(_)) && !arg.has_signs();
                assert_eq!(arg.plain_value(), base.read().filter(|_| plain));
                assert_eq!(arg.opposite().signs(), Signs { negate: !signs.negate, ..signs });
                for (m, &other) in bases.iter().enumerate() {
                    assert_eq!(arg == Arg::new(other, signs), n == m, "{base:?} {other:?}");
                }
            }
        }
        assert_eq!(Arg::value(3).renumbered(9), Arg::value(9));
        assert!(SystemValue::ALL.iter().enumerate().all(|(n, value)| *value as usize == n));
    }

    #[test]
    fn operands_of_one_register_are_told_by_all_but_the_component() {
        let constant = |index, comp| Arg::plain(Base::Const { bank: 1, index, comp }).register();
        assert_eq!(constant(4, 0), constant(4, 3));
        assert_ne!(constant(4, 0), constant(5, 0));
        assert_eq!(Arg::imm(1).register(), Arg::imm(2).negated().register());
        assert_ne!(Arg::imm(4).register(), Arg::plain(Base::Attr { index: 4, comp: 0 }).register());
    }
}
