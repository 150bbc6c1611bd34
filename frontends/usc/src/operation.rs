//! What the operations of groups say, read through the views of their rows.

use crate::opcode::{Opcode, Phase, codes};
use crate::sums::{Operator, Sum, SumLine};
use crate::table::sum::{FACTORS, factor};
use crate::view::{Name, Source, View};
use parallax_isa::{Code, Field};
use std::fmt;

/// What an internal source or an output takes.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Feed {
    /// Result of phase 0.
    Ft0,
    /// Result of phase 1.
    Ft1,
    /// Result of the pack operation.
    Ft2,
    /// What `is0` selects; behind a 64-bit operation, its high word.
    Fte,
}

impl Feed {
    /// The feed of a code of two bits.
    pub fn of(code: u64) -> Feed {
        match code & 3 {
            0 => Feed::Ft0,
            1 => Feed::Ft1,
            2 => Feed::Ft2,
            _ => Feed::Fte,
        }
    }
}

/// What is done to a source before it is used, in this order: floor, absolute value, negation.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Modifiers {
    /// Round down to an integer.
    pub floor: bool,
    /// Clear the sign.
    pub absolute: bool,
    /// Invert the sign.
    pub negate: bool,
}

/// One operation of a group.
#[derive(Copy, Clone)]
pub struct Operation {
    /// What its row says, where it stands.
    pub(crate) view: &'static View,
    /// Its word; as side data the operands of the group, in phase 1 with the sources 3 to 5 in place of 0 to 2.
    pub code: Code,
}

impl fmt::Debug for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {} {:x?}", self.view.phase, self.view.row.title(), self.code)
    }
}

impl Operation {
    /// What it does.
    #[inline]
    pub fn opcode(&self) -> Opcode {
        self.view.opcode
    }

    /// Where it stands.
    #[inline]
    pub fn phase(&self) -> Phase {
        self.view.phase.unwrap_or(Phase::Zero)
    }

    /// A field of its word; 0 where it has no such.
    #[inline]
    pub fn get(&self, name: Name) -> u32 {
        self.view.field(name).map_or(0, |field| field.get(&self.code) as u32)
    }

    /// Whether a field of its word is set.
    #[inline]
    pub fn has(&self, name: Name) -> bool {
        self.get(name) != 0
    }

    /// The number of a source among the six of its group.
    #[inline]
    pub fn source(&self, source: Source) -> usize {
        self.view.source(source)
    }

    /// Whether something is done to one of its sources.
    #[inline]
    pub(crate) fn is_modified(&self) -> bool {
        self.code.word() as u32 & self.view.modifiers != 0
    }

    /// What is done to its source 0, 1 or 2.
    #[inline]
    pub fn modifiers(&self, n: usize) -> Modifiers {
        let (word, view) = (self.code.word() as u32, &self.view.modified[n]);
        Modifiers {
            floor: word & view.floor != 0,
            absolute: word & view.absolute != 0,
            negate: word & view.negate != 0,
        }
    }

    /// Element of source 0, 1 or 2 of an 8- or 16-bit operation.
    pub fn element(&self, n: usize) -> u32 {
        let element = self.view.modified[n].element.map_or(0, |field| field.get(&self.code) as u32);
        // The form of one byte has the high bit alone.
        if self.view.row.pattern.width <= 8 { element << 1 } else { element }
    }

    /// How many components are iterated, of which four bits hold the low ones: 1 to 16.
    pub fn count(&self) -> u32 {
        match self.get(Name::Count) {
            0 => 16,
            count => count,
        }
    }

    /// What is tested, of [`Opcode::Test`].
    pub fn relation(&self) -> Option<Relation> {
        self.view.field(Name::Relation).and_then(|field| Relation::ALL.get(field.get(&self.code) as usize)).copied()
    }

    /// Type of what is tested.
    pub fn test_type(&self) -> Option<TestType> {
        TestType::ALL.get(self.get(Name::Type) as usize).copied()
    }

    /// Bytes of output 0 that a move chooses, the lowest in the lowest bit.
    pub fn bytes(&self) -> u32 {
        self.view.field(Name::Bytes).map_or(15, |field| field.get(&self.code) as u32)
    }

    /// What an output takes, of moves.
    pub fn moved(&self) -> [Feed; 2] {
        [Name::Moved0, Name::Moved1].map(|name| Feed::of(self.get(name).into()))
    }

    /// The target of a branch: bytes from the start of its group, or the address.
    pub fn target(&self) -> Option<i32> {
        self.view.field(Name::Target).map(|field| field.get_signed(&self.code) as i32)
    }

    /// Where a vertex output is written.
    pub fn written(&self) -> Option<Address> {
        if self.opcode() != Opcode::Uvsw {
            return None;
        }
        let address = |field: Option<&Field>| field.map(|field| field.get(&self.code) as u8);
        let literal = address(self.view.field(Name::Address)).map(Address::Literal);
        literal.or_else(|| address(self.view.field(Name::Slot)).map(Address::Source))
    }

    /// Whether the strip of vertices is complete.
    pub fn cuts(&self) -> bool {
        self.opcode() == Opcode::Uvsw && matches!(self.get(Name::What), 2 | 3)
    }

    /// The line of a sum, of [`Opcode::Sop`].
    pub fn sum_line(&self) -> Option<SumLine> {
        if self.opcode() != Opcode::Sop {
            return None;
        }
        let operator = Operator::ALL.get(self.get(Name::Operator) as usize).copied().unwrap_or(Operator::Add);
        let factors = FACTORS.map(|lo| factor(self.code.word(), lo));
        let half = self.get(Name::Half) as u8;
        Some(SumLine {
            output: self.get(Name::Line) as u8,
            width: if half == 0 { 32 } else { 16 },
            element: half.saturating_sub(1),
            clamp: false,
            sum: Sum::Products(operator, factors, self.get(Name::Result) as u8),
        })
    }
}

codes! {
    /// What a test asks.
    Relation:
    /// a = 0.
    Zero,
    /// a > 0.
    Positive,
    /// a >= 0.
    NotNegative,
    /// Carry of the operation in phase 0.
    Carry,
    /// a = b.
    Equal,
    /// a > b.
    Greater,
    /// a >= b. `tstmax` asks the same.
    GreaterEqual,
    /// a != b.
    NotEqual,
    /// a < b. `tstmin` asks the same.
    Less,
    /// a <= b.
    LessEqual,
}

impl Relation {
    /// Number of operands.
    pub fn operands(self) -> usize {
        match self {
            Relation::Carry => 0,
            Relation::Zero | Relation::Positive | Relation::NotNegative => 1,
            _ => 2,
        }
    }
}

codes! {
    /// Types of test operands.
    #[allow(missing_docs)]
    TestType:
    F32,
    U16,
    S16,
    U8,
    S8,
    U32,
    S32,
}

/// Where a vertex output is written.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Address {
    /// At this number.
    Literal(u8),
    /// At the number this source holds.
    Source(u8),
}
