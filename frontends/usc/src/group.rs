//! Decoded groups: what text and bytes are read into, and what is lifted.

use crate::fields::{self, extension, header};
use crate::operation::{Feed, Operation};
use crate::sums::{SumLine, WideSum};
use crate::{opcode::Phase, register::Register};
use parallax_isa::{Code, Field};
use parallax_text::Span;
use smallvec::SmallVec;
use std::sync::Arc;

/// What a group is made of.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum GroupKind {
    /// Phases of the main ALU, and a backend operation.
    Main,
    /// Units of the bitwise ALU.
    Bitwise,
    /// One control operation.
    Control,
}

/// Which instances run a group; in the order of codes.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// Those whose execution predicate is 1.
    Running,
    /// `if(p0)`: of those, the ones whose p0 is 1.
    IfP0,
    /// `(ignorepe)`: all.
    Always,
    /// `if(!p0)`: of the running ones, those whose p0 is 0.
    IfNotP0,
}

/// What the header says of a group besides its parts and outputs.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// What it is made of.
    pub kind: GroupKind,
    /// Which instances run it.
    pub condition: Condition,
    /// How often it runs, 1 to 4.
    pub repeat: u8,
    /// Whether the program ends behind it.
    pub end: bool,
    /// The flag `atom`.
    pub atomic: bool,
    /// The flag `olchk`.
    pub overlap: bool,
}

impl Default for Head {
    fn default() -> Head {
        let (kind, condition) = (GroupKind::Main, Condition::Running);
        Head { kind, condition, repeat: 1, end: false, atomic: false, overlap: false }
    }
}

impl Head {
    /// Reads the first two bytes of a group, and the third: 0 where there is none.
    #[inline]
    pub(crate) fn decode(first: u64, third: u64) -> Head {
        const CONDITIONS: [Condition; 4] = [Condition::Running, Condition::IfP0, Condition::Always, Condition::IfNotP0];
        let (first, third) = (Code::from(u128::from(first)), Code::from(u128::from(third)));
        let condition = header::CONDITION.get(&first) | extension::CONDITION.get(&third) << 1;
        let head = Head {
            kind: GroupKind::Control,
            condition: CONDITIONS[condition as usize & 3],
            overlap: header::OVERLAP.get(&first) != 0,
            ..Head::default()
        };
        let kind = match extension::KIND.get(&third) {
            0 => GroupKind::Main,
            2 => GroupKind::Bitwise,
            // The third byte says what it does.
            _ => return head,
        };
        let (end, atomic) = (extension::END.get(&third) != 0, extension::ATOMIC.get(&third) != 0);
        Head { kind, repeat: extension::REPEAT.get(&third) as u8 + 1, end, atomic, ..head }
    }

    /// Sets what it says in the first two bytes and the third. `third` is what a control operation has there.
    pub(crate) fn encode(&self, first: &mut Code, third: &mut Code) {
        let condition = self.condition as u64;
        header::CONDITION.put(first, condition & 1);
        header::OVERLAP.put(first, u64::from(self.overlap));
        extension::CONDITION.put(third, condition >> 1);
        let kind = match self.kind {
            GroupKind::Main => 0,
            GroupKind::Bitwise => 2,
            GroupKind::Control => return,
        };
        extension::KIND.put(third, kind);
        extension::END.put(third, u64::from(self.end));
        extension::ATOMIC.put(third, u64::from(self.atomic));
        extension::REPEAT.put(third, u64::from(self.repeat) - 1);
    }
}

/// A program.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The groups, in order.
    pub groups: Arc<Vec<Group>>,
    /// Where each came from.
    pub places: Vec<Place>,
    /// Whether it was read from a text.
    pub is_text: bool,
}

/// Where a group came from.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Line of the text, from 1; 0 for binaries.
    pub line: u32,
    /// Its bytes in the text or binary.
    pub span: Span,
}

/// A group.
#[derive(Clone, Debug)]
pub struct Group {
    /// Byte offset of the group in its program.
    pub offset: u32,
    /// Bytes it takes; 0 where something in it has no encoding.
    pub len: u32,
    /// What its header says besides.
    pub head: Head,
    /// The operand map: the side data of the operations.
    pub(crate) map: u128,
    /// The operations, in the order they run in.
    pub operations: SmallVec<[Operation; 2]>,
    /// What texts alone say.
    pub(crate) spelled: Option<Box<Spelled>>,
}

/// What texts say of operations without encoding of which nobody says what their operands are.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spelled {
    /// Their texts and numbers.
    pub(crate) texts: Vec<(usize, Box<str>)>,
    /// What the [`Opcode::WideSum`] operations among them say.
    pub(crate) wide: Option<Box<WideSum>>,
}

/// The lowest bits of the codes in a half of the operand map.
const LANES: u64 = 1 | 1 << fields::REGISTER | 1 << (2 * fields::REGISTER) | 1 << OUTPUT_LANE;
/// That of the output.
const OUTPUT_LANE: u8 = 3 * fields::REGISTER;

/// The lanes of a half whose code is not 0.
#[inline]
fn named(half: u64) -> u64 {
    // All bits of a code but its highest: if any is 1, adding these ones makes the highest 1.
    const LOW: u64 = LANES * ((1 << (fields::REGISTER - 1)) - 1);
    (((half & LOW) + LOW) | half) >> (fields::REGISTER - 1) & LANES
}

/// The lanes of a half whose bank has more than registers: the banks 0, 6 and 7.
#[inline]
fn other(half: u64) -> u64 {
    let [low, middle, high] = [3, 2, 1].map(|bit| half >> (fields::REGISTER - bit));
    (!(low | middle | high) | middle & high) & LANES
}

/// The codes of a group; see [`Group::codes`].
#[derive(Clone, Debug)]
pub(crate) struct Codes {
    halves: [u64; 2],
    marks: [u64; 2],
}

impl Iterator for Codes {
    type Item = (u16, bool);

    #[inline]
    fn next(&mut self) -> Option<(u16, bool)> {
        let n = usize::from(self.marks[0] == 0);
        let marks = &mut self.marks[n];
        if *marks == 0 {
            return None;
        }
        let lane = marks.trailing_zeros();
        *marks &= *marks - 1;
        let code = (self.halves[n] >> lane) as u16 & ((1 << fields::REGISTER) - 1);
        Some((code, lane == OUTPUT_LANE.into()))
    }
}

impl Group {
    /// The operands all operations share; see `fields.rs`.
    #[inline]
    pub fn operands(&self) -> Code {
        Code::new(0, self.map)
    }

    /// What its [`Opcode::WideSum`] operations say.
    #[inline]
    pub(crate) fn wide(&self) -> Option<&WideSum> {
        self.spelled.as_ref()?.wide.as_deref()
    }

    /// The lines of its sums.
    pub(crate) fn sum_lines(&self) -> impl Iterator<Item = SumLine> {
        let wide = self.wide().into_iter().flat_map(|sum| sum.lines.iter().copied());
        self.operations.iter().filter_map(Operation::sum_line).chain(wide)
    }

    /// The registers that its sums read.
    pub(crate) fn read_by_sums(&self) -> impl Iterator<Item = Register> {
        let lines = self.operations.iter().filter_map(Operation::sum_line);
        let read = lines.flat_map(|line| line.reads().collect::<SmallVec<[Register; 4]>>());
        read.chain(self.wide().into_iter().flat_map(WideSum::reads))
    }

    /// Source 0 to 5. Sources nobody reads are the constant 0.
    ///
    /// # Panics
    /// If `n` is above 5.
    #[inline]
    pub fn source(&self, n: usize) -> Register {
        assert!(n < 6, "a group has six sources");
        Register::decode(self.source_code(n))
    }

    /// The code of source 0 to 5; 0 where nobody reads it, or the constant 0 is read.
    #[inline]
    pub(crate) fn source_code(&self, n: usize) -> u16 {
        // The lower three sources start the lower half of the operand map, the upper ones the upper half.
        let side = self.map;
        let (half, place) = if n < 3 { (side as u64, n) } else { ((side >> 64) as u64, n - 3) };
        (half >> (u32::from(fields::REGISTER) * place as u32)) as u16 & ((1 << fields::REGISTER) - 1)
    }

    /// The codes of all sources.
    #[inline]
    pub(crate) fn source_codes(&self) -> [u16; 6] {
        std::array::from_fn(|n| self.source_code(n))
    }

    /// Its halves of the operand map without outputs that go nowhere: three sources and an output each.
    #[inline]
    fn halves(&self) -> [u64; 2] {
        const OUTPUT: u64 = ((1 << fields::REGISTER) - 1) << OUTPUT_LANE;
        const CODES: u64 = (1 << (OUTPUT_LANE + fields::REGISTER)) - 1;
        let [low, high] = [self.map as u64, (self.map >> 64) as u64];
        let without = |present: u64| if present == 0 { CODES & !OUTPUT } else { CODES };
        [low & without(low >> 62 & 1), high & without(low >> 63)]
    }

    /// The codes of registers that it names, those of outputs marked; not the constant 0, which is what nobody reads.
    #[inline]
    pub(crate) fn codes(&self) -> Codes {
        let halves = self.halves();
        Codes { halves, marks: halves.map(named) }
    }

    /// Whether it names anything in a bank that has more than registers.
    #[inline]
    pub(crate) fn names_other(&self) -> bool {
        self.halves().into_iter().any(|half| named(half) & other(half) != 0)
    }

    /// Number of the source that `is0` selects.
    pub fn is0(&self) -> usize {
        fields::IS0_SOURCES.get(fields::IS0.get(&self.operands()) as usize).copied().unwrap_or(0)
    }

    /// What an internal source takes: `field` is its selector, `is1` to `is5`.
    #[inline]
    pub fn selected(&self, field: &Field) -> Feed {
        let code = field.get(&self.operands());
        match field.width() {
            // Tests choose between a feed-through and fte.
            1 if code != 0 => Feed::Fte,
            1 if *field == fields::IS2 => Feed::Ft1,
            _ => Feed::of(code),
        }
    }

    /// The register of output 0 or 1, if it goes to one.
    #[inline]
    pub fn output(&self, n: usize) -> Option<Register> {
        self.output_code(n).map(Register::decode)
    }

    /// The code of that register.
    #[inline]
    pub(crate) fn output_code(&self, n: usize) -> Option<u16> {
        // Behind the sources in their halves of the operand map; the highest bits of the lower half say whether they are there.
        let side = self.map;
        let (half, present) = match n {
            0 => (side as u64, side as u64 >> 62 & 1),
            _ => ((side >> 64) as u64, side as u64 >> 63),
        };
        (present != 0).then_some((half >> (3 * u32::from(fields::REGISTER))) as u16 & ((1 << fields::REGISTER) - 1))
    }

    /// The first operation in a phase.
    pub fn operation(&self, phase: Phase) -> Option<&Operation> {
        self.operations.iter().find(|operation| operation.phase() == phase)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_those_of_sources_and_outputs() {
        let mut state = 1u128;
        for n in 0..20_000u32 {
            state = state.wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645).wrapping_add(0x5851_f42d_4c95_7f2d);
            // Some with many zeros.
            let map = if n % 3 == 0 { state & state.rotate_left(41) & state.rotate_left(77) } else { state };
            let group = group(map);
            let mut codes: Vec<(u16, bool)> = group.codes().collect();
            let outputs = [0, 1].into_iter().filter_map(|n| Some((group.output_code(n)?, true)));
            let sources = (0..6).map(|n| (group.source_code(n), false));
            let mut expected: Vec<(u16, bool)> = sources.chain(outputs).filter(|(code, _)| *code != 0).collect();
            codes.sort_unstable();
            expected.sort_unstable();
            assert_eq!(codes, expected, "{map:x}");
            let other = |code: &(u16, bool)| !Register::is_plain(code.0);
            assert_eq!(group.names_other(), expected.iter().any(other), "{map:x}");
        }
    }

    fn group(map: u128) -> Group {
        Group { offset: 0, len: 0, head: Head::default(), map, operations: SmallVec::new(), spelled: None }
    }
}
