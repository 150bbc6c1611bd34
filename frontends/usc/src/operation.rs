//! What the operations of groups say: their operands, modifiers and settings.

use crate::group::Feed;
use crate::opcode::{Opcode, Phase};
use crate::register::{Bank, Register};
use crate::{fields, isa::Usc};
use parallax_isa::{Code, Field, Row, RowId};
use std::fmt;

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
    /// Where it stands.
    pub phase: Phase,
    /// Its row.
    pub row: &'static Row<Usc>,
    /// What its row says it does.
    pub(crate) opcode: Opcode,
    /// The kind of part it is, and the number of its row there.
    pub(crate) part: (u8, RowId),
    /// Its word; as side data the operands of the group, in phase 1 with the sources 3 to 5 in place of 0 to 2.
    pub code: Code,
}

impl fmt::Debug for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {} {:x?}", self.phase, self.row.title(), self.code)
    }
}

impl Operation {
    /// What it does.
    #[inline]
    pub fn opcode(&self) -> Opcode {
        self.opcode
    }

    /// A field of its word.
    #[inline]
    pub fn get(&self, field: &Field) -> u64 {
        field.get(&self.code)
    }

    /// A field of one bit.
    #[inline]
    pub fn flag(&self, field: &Field) -> bool {
        self.get(field) != 0
    }

    /// The number of the group's source that is this operation's first: 0 in phase 0, 3 in phase 1.
    pub fn first_source(&self) -> usize {
        if self.phase == Phase::One { 3 } else { 0 }
    }

    /// Whether its result is clamped: to 0 to 1, or to the range of an integer type.
    pub fn saturates(&self) -> bool {
        use fields::{alu, backend, control};
        let long = self.row.pattern.width > 8;
        match self.opcode() {
            Opcode::Fadd | Opcode::Fmul => self.flag(&alu::SAT),
            Opcode::Fmad => self.flag(&alu::MAD_SAT),
            Opcode::AddNarrow | Opcode::MulNarrow | Opcode::MadNarrow => long && self.flag(&alu::NARROW_SAT),
            Opcode::Fitr | Opcode::Fitrp => self.flag(&backend::FITR_SAT),
            Opcode::Ditr => self.flag(&control::DITR_SAT),
            Opcode::Itrsmp => self.flag(&control::IT_SAT),
            _ => false,
        }
    }

    /// Whether something may be done to an operand: of most operations their lowest bits tell that nothing is.
    #[inline]
    pub(crate) fn may_modify(&self) -> bool {
        use fields::alu::*;
        const TWO: Code = NEG0.mask().or(ABS0.mask()).or(ABS1.mask()).or(FLR0.mask());
        const MAD_SHORT: Code = MAD_NEG0.mask().or(MAD_ABS0.mask()).or(MAD_NEG2.mask());
        match self.opcode {
            Opcode::Fadd | Opcode::Fmul => self.code.word() & TWO.word() != 0,
            Opcode::Fmad => self.row.pattern.width > 8 || self.code.word() & MAD_SHORT.word() != 0,
            _ => true,
        }
    }

    /// What is done to its operand 0, 1 or 2.
    pub fn modifiers(&self, n: usize) -> Modifiers {
        use fields::alu::*;
        let long = self.row.pattern.width > 8;
        let of = |floor: Option<&Field>, absolute: Option<&Field>, negate: Option<&Field>| {
            let flag = |field: Option<&Field>| field.is_some_and(|f| self.flag(f));
            Modifiers { floor: flag(floor), absolute: flag(absolute), negate: flag(negate) }
        };
        let none = Modifiers::default();
        match (self.opcode(), n) {
            // The most frequent ones are written out, so that the places of their bits are known when this is compiled.
            (Opcode::Fadd | Opcode::Fmul, 0) => {
                Modifiers { floor: self.flag(&FLR0), absolute: self.flag(&ABS0), negate: self.flag(&NEG0) }
            }
            (Opcode::Fadd | Opcode::Fmul, 1) => Modifiers { absolute: self.flag(&ABS1), ..none },
            (Opcode::Fmad, 0) => Modifiers { absolute: self.flag(&MAD_ABS0), negate: self.flag(&MAD_NEG0), ..none },
            (Opcode::Fmad, 1) if long => of(None, Some(&MAD_ABS1), Some(&MAD_NEG1)),
            (Opcode::Fmad, 2) if long => of(Some(&MAD_FLR2), Some(&MAD_ABS2), Some(&MAD_NEG2)),
            (Opcode::Fmad, 2) => of(None, None, Some(&MAD_NEG2)),
            (Opcode::AddNarrow | Opcode::MulNarrow | Opcode::MadNarrow, 0) if long => {
                of(None, Some(&NARROW_ABS0), Some(&NARROW_NEG0))
            }
            (Opcode::AddNarrow | Opcode::MulNarrow | Opcode::MadNarrow, 1) if long => {
                of(None, Some(&NARROW_ABS1), None)
            }
            (Opcode::MadNarrow, 2) if long => of(None, Some(&NARROW_ABS2), Some(&NARROW_NEG2)),
            (Opcode::Add64 | Opcode::Add6432 | Opcode::Madd32 | Opcode::Madd64, 0) if long => {
                of(None, Some(&WORD_ABS0), Some(&WORD_NEG0))
            }
            (Opcode::Add64 | Opcode::Add6432 | Opcode::Madd32 | Opcode::Madd64, 1) if long => {
                of(None, Some(&WORD_ABS1), Some(&WORD_NEG1))
            }
            (Opcode::Add64 | Opcode::Add6432 | Opcode::Madd32 | Opcode::Madd64, 2) => {
                of(None, long.then_some(&WORD_ABS2), Some(&WORD_NEG2))
            }
            (
                Opcode::Mbyp
                | Opcode::Fdsx
                | Opcode::Fdsy
                | Opcode::Fdsxf
                | Opcode::Fdsyf
                | Opcode::Frcp
                | Opcode::Frsq
                | Opcode::Flog
                | Opcode::Flogcn
                | Opcode::Fexp
                | Opcode::Gcmp
                | Opcode::Gexp
                | Opcode::Fsinc
                | Opcode::Farctanc
                | Opcode::Fred,
                0,
            ) if long => of(None, Some(&ONE_ABS), Some(&ONE_NEG)),
            _ => none,
        }
    }

    /// Element of operand 0, 1 or 2 of an 8- or 16-bit operation or of a test, of the operand of unpck.
    pub fn element(&self, n: usize) -> u8 {
        use fields::{alu, late};
        let width = self.row.pattern.width;
        let field = match (self.opcode(), n) {
            (Opcode::Unpck, 0) => &alu::UNPACK_ELEMENT,
            (Opcode::AddNarrow | Opcode::MulNarrow | Opcode::MadNarrow, 0) if width > 16 => &alu::NARROW_ELEMENT0,
            (Opcode::AddNarrow | Opcode::MulNarrow | Opcode::MadNarrow, 1) if width > 16 => &alu::NARROW_ELEMENT1,
            (Opcode::MadNarrow, 2) if width <= 8 => &alu::NARROW_UPPER2,
            (Opcode::MadNarrow, 2) if self.flag(&alu::NARROW_16) => &alu::NARROW_HIGH2,
            (Opcode::MadNarrow, 2) => &alu::NARROW_ELEMENT2,
            (Opcode::Test, _) if width > 8 => &late::TEST_ELEMENT,
            _ => return 0,
        };
        let value = self.get(field) as u8;
        if width <= 8 { value << 1 } else { value }
    }
}

/// What a test asks.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
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
    /// In the order of their codes.
    pub const ALL: [Relation; 10] = [
        Relation::Zero,
        Relation::Positive,
        Relation::NotNegative,
        Relation::Carry,
        Relation::Equal,
        Relation::Greater,
        Relation::GreaterEqual,
        Relation::NotEqual,
        Relation::Less,
        Relation::LessEqual,
    ];

    /// Number of operands.
    pub fn operands(self) -> usize {
        match self {
            Relation::Carry => 0,
            Relation::Zero | Relation::Positive | Relation::NotNegative => 1,
            _ => 2,
        }
    }
}

/// Types of test operands, in the order of their codes.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum TestType {
    F32,
    U16,
    S16,
    U8,
    S8,
    U32,
    S32,
}

impl TestType {
    /// In the order of their codes.
    pub const ALL: [TestType; 7] =
        [TestType::F32, TestType::U16, TestType::S16, TestType::U8, TestType::S8, TestType::U32, TestType::S32];
}

/// A test.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Test {
    /// What it asks.
    pub relation: Relation,
    /// Type of its operands.
    pub ty: TestType,
    /// Element of both, of types narrower than 32 bits.
    pub element: u8,
    /// Whether its outcome goes to p0.
    pub writes_p0: bool,
}

/// A pack or unpack.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Conversion {
    /// Code of the format; [`crate::FORMATS`] has the names.
    pub format: u8,
    /// Normalised: of unpck this bit also stands for rounding towards zero.
    pub scale: bool,
    /// Round towards zero.
    pub round_to_zero: bool,
    /// The format is taken from fte.
    pub programmable: bool,
    /// Element of the operand, of unpck.
    pub element: u8,
}

/// A choice of outputs.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Choice {
    /// Whether it waits for the test to be true (movc).
    pub conditional: bool,
    /// Bytes of output 0 that are chosen, the lowest in the lowest bit; the others come from is4.
    pub mask: u8,
    /// What output 0 takes.
    pub first: Feed,
    /// What output 1 takes, of movc.
    pub second: Feed,
}

/// A range reduction.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reduction {
    /// Second of its two parts.
    pub part_b: bool,
    /// For a cosine.
    pub cosine: bool,
    /// Number of the iteration.
    pub iteration: u8,
    /// Whether p0 says that there is another one.
    pub writes_p0: bool,
}

/// Operands of `fitr` and `fitrp`.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Iteration {
    /// 0 pixel centre, 1 sample, 2 centroid.
    pub place: u8,
    /// Components, 1 to 16.
    pub count: u8,
    /// Number of the counter.
    pub counter: u8,
}

/// A branch.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Branch {
    /// Bytes from the start of the branch's group, or the address.
    pub target: i32,
    /// Whether `target` is an address.
    pub absolute: bool,
    /// Whether the address of the next group is saved.
    pub link: bool,
    /// Who decides.
    pub who: Who,
}

/// Which instances decide about a branch.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Who {
    /// The group's condition.
    Condition,
    /// It is taken if all instances satisfy the condition.
    All,
    /// It is taken if any does.
    Any,
}

/// What the operations on mask counts are given.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Adjustment {
    /// 0 always, 1 p0, 2 never, 3 not p0.
    pub condition: u8,
    /// How much the count changes.
    pub adjust: u8,
}

/// What is done with vertex outputs, in this order.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Uvsw {
    /// Where an output is written.
    pub write: Option<Address>,
    /// Number of the output that is written, 0 or 1.
    pub output: u8,
    /// The vertex is complete.
    pub emit: bool,
    /// The strip is complete.
    pub cut: bool,
    /// The task ends.
    pub end_task: bool,
}

/// Where a vertex output is written.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Address {
    /// At this number.
    Literal(u8),
    /// At the number this source holds.
    Source(u8),
}

/// An alpha test.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct AlphaTest {
    /// Whether its outcome goes to p0.
    pub writes_p0: bool,
    /// In front of the buffer.
    pub before: bool,
}

/// One line of a sum of products: (a * e) op (b * f).
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct SumOfProducts {
    /// Number of the output, 0 for line j and 1 for line k.
    pub output: u8,
    /// What joins the products.
    pub operator: Operator,
    /// a, e, b, f.
    pub operands: [Factor; 4],
    /// What is given: 0 the sum, 1 the operand a, 2 the operand b.
    pub result: u8,
    /// Where it goes: a half of output 0, or the whole output as F32.
    pub half: Option<u8>,
}

/// What joins two products.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
    /// First plus second.
    Add,
    /// First minus second.
    Sub,
    /// Second minus first.
    Rsub,
    /// The smaller.
    Min,
    /// The larger.
    Max,
}

/// An operand of a sum of products.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Factor {
    /// What is read; `None` is the constant 0.
    pub register: Option<Register>,
    /// How it is read.
    pub width: Width,
    /// Negated.
    pub negate: bool,
    /// Absolute value.
    pub absolute: bool,
    /// Rounded down to an integer, in front of everything else.
    pub floor: bool,
    /// Clamped to 0 to 1.
    pub clamp: bool,
    /// 1 - x, after everything else.
    pub one_minus: bool,
}

/// How an operand of a sum of products is read.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Width {
    /// The register as F32, narrowed to F16.
    F32,
    /// This half.
    F16(u8),
    /// This byte, over 255.
    U8(u8),
}

/// Operands of a lookup with iterated coordinates.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct IteratedLookup {
    /// 1 to 3.
    pub dimensions: u8,
    /// Channels, 1 to 4.
    pub channels: u8,
    /// Components to iterate; 0 for as many as there are coordinates.
    pub count: u8,
    /// Shared register of the texture's state.
    pub texture: u16,
    /// 0 pixel centre, 1 sample, 2 centroid.
    pub place: u8,
    /// Coordinates are divided by the last one.
    pub projected: bool,
    /// Coordinates count texels.
    pub texel_coordinates: bool,
    /// Comparison with a reference value.
    pub comparison: bool,
    /// An index stands beside coefficients.
    pub indexed: bool,
    /// Results are packed halves.
    pub half_result: bool,
    /// The first register of the result.
    pub destination: Register,
}

/// Operands of a texture lookup.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Lookup {
    /// 1 to 3.
    pub dimensions: u8,
    /// Channels, 1 to 4.
    pub channels: u8,
    /// Level of detail: 0 computed, 1 bias, 2 replace, 3 gradient.
    pub lod: u8,
    /// What is returned: 0 the filtered texel, 1 data, 2 info, 3 both.
    pub returned: u8,
    /// Fixed-point data become floats.
    pub normalised: bool,
    /// Coordinates are divided by the last one.
    pub projected: bool,
    /// Coordinates count texels.
    pub texel_coordinates: bool,
    /// Level of detail for every pixel.
    pub per_pixel_lod: bool,
    /// An offset is supplied.
    pub offset: bool,
    /// A sample number is supplied.
    pub sample_number: bool,
    /// Address override.
    pub address_override: bool,
    /// Layers.
    pub array: bool,
    /// Coordinates are integers.
    pub integer: bool,
    /// Comparison with a reference value.
    pub comparison: bool,
    /// Coordinates are packed halves.
    pub half_coordinates: bool,
    /// Results are packed halves.
    pub half_result: bool,
    /// It writes.
    pub write: bool,
}

impl Operation {
    /// The test, of [`Opcode::Test`].
    pub fn test(&self) -> Option<Test> {
        use fields::late::*;
        if self.opcode() != Opcode::Test {
            return None;
        }
        let long = self.row.pattern.width > 8;
        let relation = self.get(if long { &RELATION } else { &RELATION_SHORT }) as usize;
        let ty = if long { self.get(&TYPE) as usize } else { 0 };
        Some(Test {
            relation: *Relation::ALL.get(relation)?,
            ty: *TestType::ALL.get(ty)?,
            element: self.element(0),
            writes_p0: self.flag(&TEST_P0),
        })
    }

    /// The conversion, of [`Opcode::Pck`] and [`Opcode::Unpck`].
    pub fn conversion(&self) -> Option<Conversion> {
        use fields::{alu, late};
        match self.opcode() {
            Opcode::Pck => Some(Conversion {
                format: self.get(&late::FORMAT) as u8,
                scale: self.flag(&late::SCALE),
                round_to_zero: self.flag(&late::ROUND_ZERO),
                programmable: self.flag(&late::PROGRAMMABLE),
                element: 0,
            }),
            Opcode::Unpck => {
                let scale = self.flag(&alu::UNPACK_SCALE);
                Some(Conversion {
                    format: self.get(&alu::UNPACK_FORMAT) as u8,
                    scale,
                    round_to_zero: scale,
                    programmable: false,
                    element: self.element(0),
                })
            }
            _ => None,
        }
    }

    /// The choice of outputs, of [`Opcode::Mov`] and [`Opcode::Movc`].
    pub fn choice(&self) -> Option<Choice> {
        use fields::late::*;
        let conditional = match self.opcode() {
            Opcode::Mov => false,
            Opcode::Movc => true,
            _ => return None,
        };
        Some(Choice {
            conditional,
            mask: if self.row.pattern.width > 8 { self.get(&MASK) as u8 } else { 15 },
            first: Feed::of(self.get(&MOVE0)),
            second: Feed::of(self.get(&MOVE1)),
        })
    }

    /// The range reduction, of [`Opcode::Fred`].
    pub fn reduction(&self) -> Option<Reduction> {
        use fields::alu::*;
        (self.opcode() == Opcode::Fred).then(|| Reduction {
            part_b: self.flag(&PART_B),
            cosine: self.flag(&COSINE),
            iteration: self.get(&ITERATION) as u8,
            writes_p0: self.flag(&RED_P0),
        })
    }

    /// Whether an 8- or 16-bit integer operation works on 16 bits, and whether an integer operation is signed.
    pub fn integer(&self) -> (bool, bool) {
        use fields::alu::*;
        match self.opcode() {
            Opcode::AddNarrow | Opcode::MulNarrow | Opcode::MadNarrow => {
                (self.flag(&NARROW_16), self.flag(&NARROW_SIGNED))
            }
            _ => (false, self.flag(&WORD_SIGNED)),
        }
    }

    /// Whether a 32- or 64-bit integer operation adds p0.
    pub fn carries(&self) -> bool {
        self.row.pattern.width > 8 && self.flag(&fields::alu::CARRY)
    }

    /// The literal of [`Opcode::MaskLiteral`].
    pub fn literal(&self) -> u32 {
        let long = self.row.pattern.width > 24;
        self.get(if long { &fields::bitwise::LITERAL32 } else { &fields::bitwise::LITERAL16 }) as u32
    }

    /// The operands of `fitr` and `fitrp`.
    pub fn iteration(&self) -> Option<Iteration> {
        use fields::backend::*;
        matches!(self.opcode(), Opcode::Fitr | Opcode::Fitrp).then(|| Iteration {
            place: self.get(&FITR_MODE) as u8,
            count: match self.get(&FITR_COUNT) as u8 {
                0 => 16,
                count => count,
            },
            counter: self.get(&FITR_COUNTER) as u8,
        })
    }

    /// The branch, of [`Opcode::Branch`].
    pub fn branch(&self) -> Option<Branch> {
        use fields::control::*;
        (self.opcode() == Opcode::Branch).then(|| Branch {
            target: TARGET.get_signed(&self.code) as i32,
            absolute: self.flag(&ABSOLUTE),
            link: self.flag(&LINK),
            who: match self.get(&WHO) {
                1 => Who::All,
                2 => Who::Any,
                _ => Who::Condition,
            },
        })
    }

    /// Condition and adjustment, of the operations on mask counts.
    pub fn adjustment(&self) -> Adjustment {
        use fields::control::*;
        Adjustment { condition: self.get(&PCND) as u8, adjust: self.get(&ADJUST) as u8 }
    }

    /// The vertex output, of [`Opcode::Uvsw`].
    pub fn uvsw(&self) -> Option<Uvsw> {
        use fields::backend::*;
        if self.opcode() != Opcode::Uvsw {
            return None;
        }
        let word = self.code.word();
        let code = word & 7;
        let address = if word & 8 != 0 {
            Address::Literal(self.get(&ADDRESS) as u8)
        } else {
            Address::Source(self.get(&ADDRESS_SLOT) as u8)
        };
        Some(Uvsw {
            write: matches!(code, 0 | 6).then_some(address),
            output: self.get(&UVSW_W1) as u8,
            emit: matches!(code, 1 | 3 | 5 | 6),
            cut: matches!(code, 2 | 3),
            end_task: matches!(code, 4..=6),
        })
    }

    /// The alpha test, of [`Opcode::Atst`].
    pub fn alpha_test(&self) -> Option<AlphaTest> {
        use fields::backend::*;
        (self.opcode() == Opcode::Atst).then(|| AlphaTest { writes_p0: self.flag(&ATST_P0), before: self.flag(&IFB) })
    }

    /// The line, of [`Opcode::Sop`].
    pub fn sum_of_products(&self) -> Option<SumOfProducts> {
        use fields::sop::*;
        if self.opcode() != Opcode::Sop {
            return None;
        }
        let factor = |f: &FactorFields| {
            let element = self.get(&f.element) as u8;
            Factor {
                register: (self.get(&f.width) != ZERO).then(|| Register::decode(self.get(&f.register) as u16)),
                width: match self.get(&f.width) {
                    F16 => Width::F16(element & 1),
                    U8 => Width::U8(element),
                    _ => Width::F32,
                },
                negate: self.flag(&f.negate),
                absolute: self.flag(&f.absolute),
                floor: false,
                clamp: self.flag(&f.clamp),
                one_minus: self.flag(&f.one_minus),
            }
        };
        Some(SumOfProducts {
            output: self.get(&LINE) as u8,
            operator: match self.get(&OPERATOR) {
                1 => Operator::Sub,
                2 => Operator::Rsub,
                3 => Operator::Min,
                4 => Operator::Max,
                _ => Operator::Add,
            },
            operands: [factor(&FACTORS[0]), factor(&FACTORS[1]), factor(&FACTORS[2]), factor(&FACTORS[3])],
            result: self.get(&RESULT) as u8,
            half: match self.get(&HALF) {
                0 => None,
                half => Some(half as u8 - 1),
            },
        })
    }

    /// The operands of a lookup with iterated coordinates.
    pub fn iterated_lookup(&self) -> Option<IteratedLookup> {
        use fields::control::*;
        if self.opcode() != Opcode::Itrsmp {
            return None;
        }
        let (extended, indices) = (self.row.pattern.width > 56, self.row.pattern.width > 64);
        Some(IteratedLookup {
            dimensions: self.get(&IT_DIMENSION) as u8,
            channels: self.get(&IT_CHANNELS) as u8 + 1,
            count: if extended { self.get(&IT_COUNT) as u8 } else { 0 },
            texture: self.get(&IT_TEXTURE) as u16 * 4,
            place: self.get(if indices { &IT_MODE_LONG } else { &IT_MODE }) as u8,
            projected: self.flag(&IT_PROJ),
            texel_coordinates: self.flag(&IT_NNCOORDS),
            comparison: extended && self.flag(&IT_COMPARISON),
            indexed: indices && (self.flag(&IT_INDEX) || self.flag(&IT_INDEX_W)),
            half_result: self.flag(&IT_F16),
            destination: Register { bank: Bank::Temporary, number: self.get(&DEST) as u16, index: None },
        })
    }

    /// The operands of a texture lookup.
    pub fn lookup(&self) -> Option<Lookup> {
        use fields::backend::*;
        if self.opcode() != Opcode::Smp {
            return None;
        }
        let further = self.code.word() >> 8;
        let has = |bit: u32| further >> bit & 1 != 0;
        // Which of the bytes behind the second follow: the first by bit 4, the second by bit 7, the third by its bit 7.
        let (first, second) = (has(4), has(7));
        let second_at = 8 + 8 * u32::from(first);
        let third = second && has(second_at + 7);
        let third_at = second_at + 8;
        let in_first = |field: &Field| first && self.flag(field);
        Some(Lookup {
            dimensions: self.get(&DIMENSION) as u8,
            channels: self.get(&CHANNELS) as u8 + 1,
            lod: self.get(&LOD) as u8,
            returned: if first { self.get(&SBMODE) as u8 } else { 0 },
            normalised: self.flag(&FCNORM),
            projected: in_first(&PROJ),
            texel_coordinates: in_first(&NNCOORDS),
            per_pixel_lod: in_first(&PPLOD),
            offset: in_first(&SOO),
            sample_number: in_first(&SNO),
            address_override: in_first(&TAO),
            array: third && has(third_at),
            integer: third && has(third_at + 1),
            comparison: third && has(third_at + 2),
            half_coordinates: third && has(third_at + 3),
            half_result: second && has(second_at + 4),
            write: second && has(second_at),
        })
    }
}
