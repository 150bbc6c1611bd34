//! Typed views of an instruction's operands: what a row calls its fields, found once for each row, so that nobody else has to
//! know where a field stands.

use crate::fields::{self, RZ};
use crate::operand::Kind;
use crate::{codec::codec, instr::Instr};
use parallax_isa::{Field, Item, Operand, Row};
use std::sync::LazyLock;

/// What the fields of rows are called, by their names in [`Field::name`]. Predicates stand below the bit that inverts them.
macro_rules! names {
    ($($name:ident = $($text:literal)|+,)*) => {
        /// A field of an instruction that is no part of a source.
        #[derive(Copy, Clone, Debug, PartialEq, Eq)]
        pub(crate) enum Name {
            $(#[doc = concat!($("`", $text, "` "),+)] $name,)*
        }

        impl Name {
            const ALL: &[Name] = &[$(Name::$name),*];

            fn of(text: &str) -> Option<Name> {
                match text {
                    $($($text)|+ => Some(Name::$name),)*
                    _ => None,
                }
            }
        }
    };
}

names! {
    Destination = "d",
    Second = "second",
    Guard = "guard",
    FirstPredicate = "pa",
    SecondPredicate = "pb",
    LastPredicate = "pc",
    InputPredicate = "predicate",
    PredicateResult = "pd",
    OppositeResult = "pd2",
    SetsFlags = "cc",
    Extended = "x",
    Round = "rnd",
    Flush = "ftz" | "fmz",
    Saturate = "sat",
    Scale = "scale",
    Compare = "cmp",
    Combine = "bop",
    CombineFirst = "bop1",
    AsFloat = "bf",
    Signed = "signed",
    Types = "types",
    To = "to",
    From = "from",
    Part = "part",
    Half = "half",
    Byte = "byte",
    What = "what",
    Function = "function",
    Mode = "mode",
    High = "hi" | "high",
    ShiftsProduct = "psl",
    Merge = "mrg" | "merge",
    Shift = "shift",
    Wrap = "wrap",
    Reverse = "brev",
    Range = "max",
    Reduction = "range",
    Extend = "extend",
    FromTop = "sh",
    Logic = "logic",
    Test = "test",
    Truth = "lut",
    Lanes = "lanes",
    Signs = "selector",
    Special = "special",
    Size = "size",
    Index = "index",
    Bank = "bank",
    Offset = "imm",
    Attribute = "attribute",
    Location = "location",
    Dimension = "dim",
    Level = "lod",
    TexelOffsets = "aoffi" | "offsets",
    DepthCompare = "dc",
    Samples = "ms",
    Clamp = "cl",
    Component = "component",
    Mask = "mask",
    Channels = "channels",
    Surface = "surface",
    SurfaceClamp = "clamp",
    InBytes = "ba",
    Handle = "handle",
    Extended64 = "e",
    HighLiteral = "imm_high",
    Both = "h_and",
    SelectorA0 = "selector_a0",
    SelectorA1 = "selector_a1",
    SelectorA2 = "selector_a2",
    SignA = "sign_a",
    SelectorB0 = "selector_b0",
    SelectorB1 = "selector_b1",
    SelectorB2 = "selector_b2",
    SignB = "sign_b",
    ResultSigned = "result_signed",
    Negates = "negates",
    BytesA = "bytes_a",
    BytesB = "bytes_b",
    Signs4 = "signs",
    Sum = "sum",
    Operation = "operation",
    Type = "type",
    Wide = "wide",
    OutputOperand = "o",
    FlippedPredicate = "pd_flipped",
}

/// Where a field stands in the word: one run of bits, or two, the low one first.
#[derive(Copy, Clone, Debug, Default)]
struct Place {
    lo: u8,
    len: u8,
    more: u8,
    more_len: u8,
    /// What the field reads as where the row has none.
    absent: u8,
}

impl Place {
    fn of(field: &Field) -> Place {
        let (first, second) = (field.pieces()[0], field.pieces().get(1));
        let (more, more_len) = second.map_or((0, 0), |bits| (bits.lo, bits.len));
        Place { lo: first.lo, len: first.len, more, more_len, absent: 0 }
    }

    fn bit(lo: u8) -> Place {
        Place { lo, len: 1, ..Place::default() }
    }

    #[inline(always)]
    fn get(self, word: u64) -> u32 {
        let low = self.low(word) | u32::from(self.absent);
        if self.more_len == 0 { low } else { low | self.high(word) << self.len }
    }

    /// The higher run alone. Few fields have one.
    fn high(self, word: u64) -> u32 {
        (word >> self.more & ((1 << self.more_len) - 1)) as u32
    }

    /// The lower run alone.
    #[inline(always)]
    fn low(self, word: u64) -> u32 {
        (word >> self.lo & ((1 << self.len) - 1)) as u32
    }

    /// A field of one bit, or of none.
    #[inline(always)]
    fn flag(self, word: u64) -> bool {
        word >> self.lo & u64::from(self.len) != 0
    }

    /// A field of eight bits.
    #[inline(always)]
    fn byte(self, word: u64) -> u8 {
        (word >> self.lo) as u8
    }

    fn exists(self) -> bool {
        self.len > 0
    }
}

/// What a source is.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
enum Origin {
    #[default]
    None,
    Register,
    Constant,
    /// A literal of 20 bits.
    Short,
    Literal,
}

/// Where a source and what is done to it stand.
#[derive(Copy, Clone, Debug, Default)]
struct SourcePlace {
    origin: Origin,
    value: Place,
    bank: Place,
    negate: Place,
    magnitude: Place,
    invert: Place,
    half: Place,
}

impl SourcePlace {
    fn of(operand: &Operand<Kind>) -> SourcePlace {
        let mut out = SourcePlace::default();
        for field in operand.kind.0.fields() {
            let is_shift = field.name == "imm" && field.width() == 6;
            let place = Place::of(if is_shift { &fields::SHIFT_LITERAL } else { field });
            let origin = match field.name {
                "a" | "b" | "c" | "d" => Origin::Register,
                "offset" => Origin::Constant,
                "imm" if field.width() == 20 => Origin::Short,
                "imm" | "lane" | "segment" => Origin::Literal,
                "bank" => {
                    out.bank = place;
                    continue;
                }
                name => {
                    match name.split('_').next() {
                        Some("neg") => out.negate = place,
                        Some("abs") => out.magnitude = place,
                        Some("inv") => out.invert = place,
                        Some("half") => out.half = place,
                        _ => {}
                    }
                    continue;
                }
            };
            (out.origin, out.value) = (origin, place);
        }
        // The signs of two sources share a field.
        for item in operand.kind.0.items {
            if let Item::When(field, value, _) = item {
                out.negate = Place::bit(field.pieces()[0].lo + value.trailing_zeros() as u8);
            }
        }
        out
    }
}

/// Where the fields of a row stand.
#[derive(Clone, Debug)]
struct View {
    places: [Place; Name::ALL.len()],
    sources: [SourcePlace; 3],
    /// The bank of the source that is a constant.
    bank: Place,
    /// What tells TEXS and TLDS of several shapes apart.
    variant: u32,
}

impl View {
    fn of(row: &Row<crate::isa::Spa5>) -> View {
        let mut view = View {
            places: [Place::default(); Name::ALL.len()],
            sources: [SourcePlace::default(); 3],
            bank: Place::default(),
            variant: (row.pattern.value >> 53 & 15) as u32,
        };
        // Where no predicate is written PT is meant.
        let predicates = [Name::Guard, Name::PredicateResult, Name::OppositeResult];
        predicates.iter().for_each(|name| view.places[*name as usize].absent = 7);
        for field in row.fields() {
            if let Some(name) = Name::of(field.name) {
                view.places[name as usize] = Place::of(field);
            }
        }
        for field in row.fields() {
            if let Some(name) = field.name.strip_suffix("_not").and_then(Name::of) {
                let place = &mut view.places[name as usize];
                (place.more, place.more_len) = (field.pieces()[0].lo, 1);
            }
        }
        for operand in row.operands {
            if let Some(n) = ["a", "b", "c"].iter().position(|name| *name == operand.name) {
                view.sources[n] = SourcePlace::of(operand);
                if view.sources[n].origin == Origin::Constant {
                    view.bank = view.sources[n].bank;
                }
            }
            // Addresses have their register inside.
            if let Some(field) = operand.kind.0.fields().iter().find(|field| field.name == fields::A.name) {
                view.sources[0] =
                    SourcePlace { origin: Origin::Register, value: Place::of(field), ..SourcePlace::of(operand) };
            }
        }
        view
    }
}

/// What a source holds, before anything is done to it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// A register by number.
    Register(u8),
    /// A word of a constant bank.
    Constant { bank: u16, offset: i32 },
    /// A literal of 20 bits: an integer with a sign, or the high bits of a binary32 number.
    Short(u32),
    /// A literal.
    Literal(u32),
}

/// A source of an instruction.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Source {
    pub(crate) content: Content,
    /// Its sign is flipped.
    pub(crate) negate: bool,
    /// Its magnitude is taken, before that.
    pub(crate) magnitude: bool,
    /// Its bits are flipped.
    pub(crate) invert: bool,
    /// Which half of it, or another part, is taken; 0 where nothing is said.
    pub(crate) half: u32,
}

/// The operands of an instruction, by what they are.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Operands {
    word: u64,
    view: &'static View,
}

impl Operands {
    #[inline]
    pub(crate) fn of(instr: &Instr) -> Operands {
        static VIEWS: LazyLock<Vec<View>> = LazyLock::new(|| codec().rows().map(|(_, row)| View::of(row)).collect());
        Operands { word: instr.word(), view: &VIEWS[instr.row_id().index()] }
    }

    /// A field; 0 where the row has none, PT where it has no such predicate.
    #[inline(always)]
    pub(crate) fn get(self, name: Name) -> u32 {
        self.view.places[name as usize].get(self.word)
    }

    /// Whether a field is set.
    #[inline(always)]
    pub(crate) fn has(self, name: Name) -> bool {
        self.get(name) != 0
    }

    /// Whether the row has a field.
    pub(crate) fn names(self, name: Name) -> bool {
        self.view.places[name as usize].exists()
    }

    /// A field as a signed number.
    pub(crate) fn signed(self, name: Name) -> i32 {
        let place = self.view.places[name as usize];
        let spare = 32 - u32::from(place.len + place.more_len);
        ((place.get(self.word) << spare) as i32) >> spare
    }

    /// A register or predicate by number.
    #[inline(always)]
    pub(crate) fn number(self, name: Name) -> u8 {
        self.get(name) as u8
    }

    /// The result register.
    #[inline(always)]
    pub(crate) fn d(self) -> u8 {
        self.number(Name::Destination)
    }

    /// The first source.
    #[inline(always)]
    pub(crate) fn a(self) -> Source {
        self.source(0)
    }

    /// The second source.
    #[inline(always)]
    pub(crate) fn b(self) -> Source {
        self.source(1)
    }

    /// The third source.
    #[inline(always)]
    pub(crate) fn c(self) -> Source {
        self.source(2)
    }

    /// Whether there is a third source.
    pub(crate) fn has_c(self) -> bool {
        self.view.sources[2].origin != Origin::None
    }

    /// Number of the shape of TEXS and TLDS.
    pub(crate) fn variant(self) -> u32 {
        self.view.variant
    }

    /// The bank of the source that is a constant.
    pub(crate) fn constant_bank(self) -> Option<u16> {
        self.view.bank.exists().then(|| self.view.bank.get(self.word) as u16)
    }

    #[inline]
    fn source(self, n: usize) -> Source {
        let place = &self.view.sources[n];
        let content = match place.origin {
            Origin::None => Content::Register(RZ),
            Origin::Register => Content::Register(place.value.byte(self.word)),
            Origin::Constant => {
                let spare = 32 - u32::from(place.value.len);
                let offset = ((place.value.get(self.word) << spare) as i32) >> spare;
                Content::Constant { bank: place.bank.get(self.word) as u16, offset }
            }
            Origin::Short => Content::Short(place.value.get(self.word)),
            Origin::Literal => Content::Literal(place.value.get(self.word)),
        };
        Source {
            content,
            negate: place.negate.flag(self.word),
            magnitude: place.magnitude.flag(self.word),
            invert: place.invert.flag(self.word),
            half: place.half.low(self.word),
        }
    }
}

impl Source {
    /// The number of its register; RZ where it is none.
    pub(crate) fn register(self) -> u8 {
        match self.content {
            Content::Register(number) => number,
            _ => RZ,
        }
    }

    /// As an integer of 32 bits, where it is a literal.
    pub(crate) fn literal(self) -> Option<u32> {
        match self.content {
            Content::Short(bits) => Some(((bits << 12) as i32 >> 12) as u32),
            Content::Literal(bits) => Some(bits),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Operands {
        let parsed = codec().read(text, 0).expect("an instruction");
        Operands::of(&Instr::new(parsed.row, &parsed.code))
    }

    #[test]
    fn sources_hold_what_the_text_says() {
        let i = read("FADD.FTZ.SAT R0.CC, -|R1|, c[0x1][0x8]");
        let plain = Source { content: Content::Register(1), negate: false, magnitude: false, invert: false, half: 0 };
        assert_eq!(i.a(), Source { negate: true, magnitude: true, ..plain });
        assert_eq!(i.b(), Source { content: Content::Constant { bank: 1, offset: 2 }, ..plain });
        assert!(i.has(Name::Flush) && i.has(Name::Saturate) && i.has(Name::SetsFlags) && !i.has_c());
        let i = read("FFMA32I R3, -R1, 2, R3");
        assert_eq!((i.a(), i.c().content), (Source { negate: true, ..plain }, Content::Register(3)));
        assert_eq!(i.b().literal(), Some(2f32.to_bits()));
        let i = read("IADD R0, -R1, -0x1");
        assert_eq!((i.a().negate, i.b().negate, i.b().literal()), (true, false, Some(u32::MAX)));
        assert_eq!(read("EXIT").get(Name::Guard), 7);
    }

    #[test]
    fn the_width_of_a_shift_is_no_part_of_its_literal() {
        assert_eq!(read("SHF.R.U64 R8, R0, 0x4, R1").b().literal(), Some(4));
    }
}
