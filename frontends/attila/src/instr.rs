//! One instruction, and typed views of its fields.

use crate::fields::{self, *};
use crate::{codec::codec, isa::Attila, kind::Kind, sem::Sem};
use parallax_isa::{Code, Field, Reject, Row, RowId, Style};
use std::sync::LazyLock;

/// A decoded instruction: its word and its row. Nothing of the word is dropped.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Instr {
    low: u64,
    high: u64,
    row: RowId,
}

/// Register banks a program can name.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Bank {
    /// `i`
    In,
    /// `o`
    Out,
    /// `c`, both banks: 0 to 511.
    Param,
    /// `r`
    Temp,
    /// `a`
    Addr,
}

/// A source register.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Source {
    /// Bank.
    pub bank: Bank,
    /// Register number, 0 to 511.
    pub index: u16,
    /// Source component of each result component.
    pub swizzle: [u8; 4],
    /// Take the absolute value, before negating.
    pub absolute: bool,
    /// Negate.
    pub negate: bool,
}

impl Source {
    /// The component a scalar operation reads.
    pub fn select(&self) -> u8 {
        self.swizzle[3]
    }
}

/// A result register.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Dst {
    /// Bank: `o`, `r` or `a`.
    pub bank: Bank,
    /// Register number.
    pub index: u16,
    /// Written components, bit 0 = x.
    pub mask: u8,
    /// Clamp float results to [0, 1].
    pub saturate: bool,
}

/// The guard predicate.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Guard {
    /// Predicate number.
    pub predicate: u8,
    /// Run where it is false.
    pub invert: bool,
}

/// The relative address of an instruction's constants.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Relative {
    /// Address register.
    pub register: u8,
    /// Its component.
    pub component: u8,
    /// Added to it.
    pub offset: i16,
}

/// An operand of ANDP and JMP.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// `true` or `false`.
    Literal(bool),
    /// A predicate.
    Predicate {
        /// Its number.
        index: u8,
        /// Inverted.
        invert: bool,
    },
    /// Whether the bits of a constant are not all zero.
    Constant {
        /// Vector number, 0 to 511.
        index: u16,
        /// Component.
        component: u8,
        /// Inverted.
        invert: bool,
    },
}

/// Source and result operands of a row.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Operands {
    /// Bit n: whether there is source `n` from 0, as a register.
    pub(crate) sources: u8,
    /// Whether the second source is a literal.
    pub(crate) literal: bool,
    /// Whether there is a result register.
    pub(crate) result: bool,
    /// Bit n: whether there is condition `n` from 0.
    pub(crate) conditions: u8,
    /// Whether there is a predicate for the result.
    pub(crate) predicate: bool,
    /// Whether there is the number of a texture unit, an attribute or a sample.
    pub(crate) unit: bool,
}

impl Operands {
    fn of(row: &Row<Attila>) -> Operands {
        let has = |kind: Kind| row.operands.iter().any(|o| o.kind == kind);
        let sources = [Kind::Source1, Kind::Source2, Kind::Source3];
        Operands {
            sources: sources.iter().enumerate().map(|(n, &kind)| u8::from(has(kind)) << n).sum(),
            literal: has(Kind::FloatLiteral) || has(Kind::IntLiteral),
            result: has(Kind::Result),
            conditions: u8::from(has(Kind::Condition1)) | u8::from(has(Kind::Condition2)) << 1,
            predicate: has(Kind::PredicateResult) || has(Kind::AndResult),
            unit: has(Kind::Unit) || has(Kind::Attribute) || has(Kind::Sample),
        }
    }
}

impl SourceBits {
    /// The bank; literals count as constants.
    #[inline(always)]
    pub(crate) fn named_bank(self) -> Bank {
        bank_of(self.bank())
    }
}

#[inline]
fn bank_of(code: u64) -> Bank {
    // Words are checked before they become instructions, so behind the address registers only the constants above 255 are
    // left.
    const BANKS: [Bank; 8] =
        [Bank::In, Bank::Out, Bank::Param, Bank::Temp, Bank::Addr, Bank::Param, Bank::Param, Bank::Param];
    BANKS[code as usize & 7]
}

impl Instr {
    /// The instruction of a row that was found already.
    pub(crate) fn new(row: RowId, word: u128) -> Instr {
        Instr { low: word as u64, high: (word >> 64) as u64, row }
    }

    /// Decodes a word.
    ///
    /// # Errors
    /// What is wrong with it.
    #[inline(always)]
    pub fn decode(codec: &parallax_isa::Codec<Attila>, word: u128) -> Result<Instr, Reject> {
        Ok(Instr::new(codec.decode(word)?, word))
    }

    /// The word.
    #[inline(always)]
    pub fn word(&self) -> u128 {
        u128::from(self.high) << 64 | u128::from(self.low)
    }

    /// The code: the word without any side data.
    #[inline(always)]
    pub fn code(&self) -> Code {
        Code::from(self.word())
    }

    /// The bytes in memory order.
    pub fn bytes(&self) -> [u8; 16] {
        self.word().to_le_bytes()
    }

    /// Number of its row.
    pub fn row_id(&self) -> RowId {
        self.row
    }

    /// Its row.
    #[inline]
    pub fn row(&self) -> &'static Row<Attila> {
        codec().row(self.row)
    }

    /// What it does.
    #[inline]
    pub fn sem(&self) -> Option<Sem> {
        self.row().meaning.lifted()
    }

    #[inline(always)]
    pub(crate) fn get(&self, field: &Field) -> u64 {
        field.get(&self.code())
    }

    #[inline(always)]
    fn flag(&self, field: &Field) -> bool {
        self.get(field) != 0
    }

    /// Whether the end flag is set.
    pub fn end_flag(&self) -> bool {
        self.flag(&END)
    }

    /// Whether the wait flag is set.
    pub fn waits(&self) -> bool {
        self.flag(&WAIT)
    }

    /// The instruction with the end flag set to `end`.
    #[must_use]
    pub fn with_end(mut self, end: bool) -> Instr {
        let mut code = self.code();
        END.put(&mut code, u64::from(end));
        self.low = code.word() as u64;
        self
    }

    /// The instruction with this jump distance, in place of its literal.
    #[must_use]
    pub fn with_distance(mut self, distance: i32) -> Instr {
        let mut code = self.code();
        IMMEDIATE.put(&mut code, u64::from(distance as u32));
        self.high = (code.word() >> 64) as u64;
        self
    }

    /// The guard predicate, if it counts.
    pub fn guard(&self) -> Option<Guard> {
        let guard = Guard { predicate: self.get(&fields::GUARD) as u8, invert: self.flag(&INVERT_GUARD) };
        self.flag(&PREDICATED).then_some(guard)
    }

    /// Source 0, 1 or 2. Meaningful where the row has such an operand.
    ///
    /// # Panics
    /// If `n` is above 2.
    #[inline]
    pub fn source(&self, n: usize) -> Source {
        let bits = self.source_bits(n);
        Source {
            bank: bits.named_bank(),
            index: bits.index(),
            swizzle: [0, 1, 2, 3].map(|lane| bits.component(lane)),
            absolute: bits.absolute(),
            negate: bits.negate(),
        }
    }

    /// The same, not taken apart.
    #[inline(always)]
    pub(crate) fn source_bits(&self, n: usize) -> SourceBits {
        SourceBits::of(n, self.low, self.high)
    }

    /// Which sources and results it has.
    #[inline]
    pub(crate) fn operands(&self) -> Operands {
        static ALL: LazyLock<Vec<Operands>> =
            LazyLock::new(|| codec().rows().map(|(_, row)| Operands::of(row)).collect());
        ALL[self.row.index()]
    }

    /// Operand 0 or 1 of ANDP and JMP.
    ///
    /// # Panics
    /// If `n` is above 2.
    pub fn condition(&self, n: usize) -> Condition {
        let f = &SOURCES[n];
        let invert = self.flag(&f.negate);
        if self.flag(&f.absolute) {
            return Condition::Literal(invert);
        }
        let number = self.get(&f.register);
        let component = self.get(&f.swizzle) as u8 & 3;
        match self.get(&f.any_bank) {
            bank::PARAM => Condition::Constant { index: number as u16, component, invert },
            bank::PARAM2 => Condition::Constant { index: number as u16 | 256, component, invert },
            _ => Condition::Predicate { index: number as u8, invert },
        }
    }

    /// The bank of the result register.
    #[inline]
    pub(crate) fn result_bank(&self) -> Bank {
        bank_of(self.get(&RESULT_BANK))
    }

    /// The result register. Meaningful where the row has one.
    #[inline]
    pub fn dst(&self) -> Dst {
        Dst {
            bank: self.result_bank(),
            index: self.get(&RESULT) as u16,
            // The field has x in its highest bit.
            mask: (self.get(&MASK) as u8).reverse_bits() >> 4,
            saturate: self.flag(&SATURATE),
        }
    }

    /// The predicate a comparison or ANDP writes, and whether ANDP inverts it.
    pub fn predicate_result(&self) -> (u8, bool) {
        (self.get(&RESULT) as u8, self.flag(&SATURATE))
    }

    /// The relative address, if constants are addressed so.
    pub fn relative(&self) -> Option<Relative> {
        let code = self.code();
        let relative = Relative {
            register: ADDRESS.get(&code) as u8,
            component: ADDRESS_COMPONENT.get(&code) as u8,
            offset: ADDRESS_OFFSET.get_signed(&code) as i16,
        };
        self.flag(&RELATIVE).then_some(relative)
    }

    /// Bits of the literal in place of the second source.
    pub fn immediate(&self) -> u32 {
        self.get(&IMMEDIATE) as u32
    }

    /// Whether the second source is a literal.
    #[inline]
    pub fn has_immediate(&self) -> bool {
        self.operands().literal
    }

    /// Jump distance, counted from the jump itself.
    pub fn distance(&self) -> i32 {
        self.immediate() as i32
    }

    /// Texture unit, attribute or sample number.
    pub fn unit(&self) -> u8 {
        self.get(&SOURCES[1].register) as u8
    }

    /// As text.
    pub fn text(&self, style: Style) -> String {
        codec().text(self.row, self.word(), style)
    }
}
