//! The instructions that programs are made of: what each is written like, and which operands it takes.

mod kinds;

use crate::scalar::template::{Piece, Slot, pieces};
use crate::target::{Meaning, Row, Rows};
pub(super) use kinds::{Lowering, Writing};
use kinds::{lowering, writing};
use parallax_core::AtomicOp;
use parallax_num::Op;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// What an instruction leaves behind.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Leaves {
    Word,
    Predicate,
    Nothing,
}

/// Where an instruction has doubles.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Doubles {
    Nowhere,
    /// In its operands alone.
    Operands,
    /// The result is one.
    Result,
}

/// How a literal of 20 bits is read.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Short {
    /// The high bits of a binary32 number, whose other bits are 0.
    Float,
    /// A whole number with a sign.
    Whole,
    /// A lane, 0 to 31.
    Lane,
}

/// When an instruction may be said with two operands exchanged.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum When {
    Always,
    /// Where the operand that moves to the back is a literal and no NaN: then no rule can tell which of two NaNs came first.
    Number,
}

/// An instruction.
#[derive(Copy, Clone, Debug)]
pub(super) struct Form {
    /// Its name, which stands in rows.
    pub(super) name: &'static str,
    /// Its number, which stands in rows and instructions.
    number: u16,
    /// The text: `{d}` is the result, `{0}` an operand, `{s}` the clamp.
    pub(super) text: &'static str,
    /// Operands that can be negated, bit 0 = the first; of predicates, those whose opposite can be taken.
    pub(super) signed: u8,
    pub(super) absolute: u8,
    /// Operands that can be a constant or a literal; one of an instruction is.
    pub(super) wide: u8,
    /// The operand that can be a literal of 20 bits.
    pub(super) short: Option<(usize, Short)>,
    /// The same with 32 bits, and the text then.
    pub(super) long: Option<(usize, &'static str)>,
    /// Operands that are predicates.
    pub(super) predicates: u8,
    pub(super) leaves: Leaves,
    pub(super) doubles: Doubles,
    /// Two operands, and the form that computes the same with both exchanged.
    pub(super) exchange: Option<(usize, usize, &'static str, When)>,
    /// Whether the result comes by a barrier, not after a fixed number of cycles.
    pub(super) is_slow: bool,
    /// Of numbered forms, both texts taken apart.
    pub(super) pieces: &'static [Piece],
    pub(super) long_pieces: &'static [Piece],
    /// Whether it can clamp its result.
    pub(super) clamps: bool,
    pub(super) lowering: Lowering,
    pub(super) writing: Writing,
}

impl Form {
    const fn new(name: &'static str, text: &'static str) -> Form {
        Form {
            name,
            number: 0,
            text,
            signed: 0,
            absolute: 0,
            wide: 0,
            short: None,
            long: None,
            predicates: 0,
            leaves: Leaves::Word,
            doubles: Doubles::Nowhere,
            exchange: None,
            is_slow: false,
            pieces: &[],
            long_pieces: &[],
            clamps: false,
            lowering: Lowering::Nothing,
            writing: Writing::Operands,
        }
    }

    /// The same with its number, taken apart.
    fn numbered(self, number: u16) -> Form {
        let pieces = |text: &'static str| -> &'static [Piece] { Vec::leak(pieces(text)) };
        let own = pieces(self.text);
        Form {
            number,
            pieces: own,
            long_pieces: self.long.map_or(own, |(_, text)| pieces(text)),
            clamps: own.contains(&Piece::Slot(Slot::Clamp)),
            lowering: lowering(self.name),
            writing: writing(self.name),
            ..self
        }
    }

    const fn signed(self, signed: u8) -> Form {
        Form { signed, ..self }
    }

    const fn absolute(self, absolute: u8) -> Form {
        Form { absolute, ..self }
    }

    const fn wide(self, wide: u8) -> Form {
        Form { wide, ..self }
    }

    const fn short(self, at: usize, short: Short) -> Form {
        Form { short: Some((at, short)), ..self }
    }

    const fn long(self, at: usize, text: &'static str) -> Form {
        Form { long: Some((at, text)), ..self }
    }

    const fn exchanged(self, a: usize, b: usize, name: &'static str, when: When) -> Form {
        Form { exchange: Some((a, b, name, when)), ..self }
    }

    const fn predicate(self) -> Form {
        Form { leaves: Leaves::Predicate, ..self }
    }

    const fn reads(self, predicates: u8) -> Form {
        Form { predicates, signed: self.signed | predicates, ..self }
    }

    const fn slow(self) -> Form {
        Form { is_slow: true, ..self }
    }

    /// Its number.
    pub(super) const fn number(&self) -> u16 {
        self.number
    }

    /// The row of a form.
    pub(super) const fn row(&'static self) -> Row {
        Row { signed: self.signed, absolute: self.absolute, ..Row::of_form(&self.name, self.number) }
    }
}

/// Two operands of floats, the second of them wide.
const fn floats(name: &'static str, text: &'static str) -> Form {
    Form::new(name, text).signed(3).absolute(3).wide(2).short(1, Short::Float)
}

/// Two operands of whole numbers, the second of them wide.
const fn words(name: &'static str, text: &'static str) -> Form {
    Form::new(name, text).wide(2).short(1, Short::Whole)
}

/// A comparison of floats that compares the same with both operands exchanged by another form.
const fn compares(name: &'static str, text: &'static str, exchanged: &'static str) -> Form {
    floats(name, text).exchanged(0, 1, exchanged, When::Always)
}

/// The same of words.
const fn compares_words(name: &'static str, text: &'static str, exchanged: &'static str) -> Form {
    words(name, text).exchanged(0, 1, exchanged, When::Always)
}

/// A comparison with zero that chooses; `exchanged` is its opposite.
const fn chooses(name: &'static str, text: &'static str, exchanged: &'static str, short: Short) -> Form {
    Form::new(name, text).wide(4).short(2, short).exchanged(1, 2, exchanged, When::Always)
}

/// An instruction that gives a double.
const fn gives_double(name: &'static str, text: &'static str) -> Form {
    Form { doubles: Doubles::Result, ..Form::new(name, text).slow() }
}

/// An instruction that reads doubles and gives something else.
const fn reads_doubles(name: &'static str, text: &'static str) -> Form {
    Form { doubles: Doubles::Operands, ..Form::new(name, text).slow() }
}

/// A function of one float that takes its time.
const fn function(name: &'static str, text: &'static str) -> Form {
    Form::new(name, text).signed(1).absolute(1).slow()
}

/// An access to memory; the first operand is the predicate that it is under.
const fn accesses(name: &'static str, text: &'static str) -> Form {
    Form { predicates: 1, ..Form::new(name, text).slow() }
}

/// A conversion of one float.
const fn converts(name: &'static str, text: &'static str) -> Form {
    function(name, text).wide(1).short(0, Short::Float)
}

/// A conversion of a word.
const fn converts_word(name: &'static str, text: &'static str) -> Form {
    Form::new(name, text).wide(1).short(0, Short::Whole).slow()
}

use Short::{Float, Lane, Whole};
use When::{Always, Number};

/// Names of forms that lowering asks for.
pub(super) mod names {
    pub(in crate::spa5) const MOV: &str = "MOV";
    pub(in crate::spa5) const CLAMP: &str = "FADD.SAT -0";
    pub(in crate::spa5) const FLIP: &str = "LOP32I.XOR";
    pub(in crate::spa5) const CLEAR: &str = "LOP32I.AND";
    pub(in crate::spa5) const SET: &str = "LOP32I.OR";
    pub(in crate::spa5) const RCP: &str = "MUFU.RCP";
    pub(in crate::spa5) const KIL: &str = "KIL";
    pub(in crate::spa5) const SHL: &str = "SHL";
    pub(in crate::spa5) const IMIN: &str = "IMNMX.MIN";
    pub(in crate::spa5) const IMAX: &str = "IMNMX.MAX";
    pub(in crate::spa5) const LOAD: &str = "LDC";
    pub(in crate::spa5) const INPUT: &str = "IPA";
    pub(in crate::spa5) const AT_OFFSET: &str = "IPA.OFFSET";
    pub(in crate::spa5) const PLACE_OF_SAMPLE: &str = "PIXLD.OFFSET";
    pub(in crate::spa5) const PLACE_OF_CENTROID: &str = "PIXLD.CENTROID_OFFSET";
    pub(in crate::spa5) const SAMPLES: &str = "PIXLD";
    pub(in crate::spa5) const COVERED: &str = "PIXLD.COVMASK";
    pub(in crate::spa5) const SAMPLE: &str = "PIXLD.MY_INDEX";
    pub(in crate::spa5) const IS_SAMPLE: &str = "PIXLD.MY_INDEX P";
    pub(in crate::spa5) const FACE: &str = "IPA face";
    pub(in crate::spa5) const HELPER: &str = "SR_THREAD_KILL";
    pub(in crate::spa5) const LANE: &str = "SR_LANEID";
    pub(in crate::spa5) const THREAD: [&str; 3] = ["SR_TID.X", "SR_TID.Y", "SR_TID.Z"];
    pub(in crate::spa5) const GROUP: [&str; 3] = ["SR_CTAID.X", "SR_CTAID.Y", "SR_CTAID.Z"];
    pub(in crate::spa5) const BELOW: &str = "ISETP.LT.U32";
    pub(in crate::spa5) const ADD_LOW: &str = "IADD.CC";
    pub(in crate::spa5) const ADD_HIGH: &str = "IADD.X";
    pub(in crate::spa5) const SUBTRACT_LOW: &str = "IADD.CC -b";
    pub(in crate::spa5) const SUBTRACT_HIGH: &str = "IADD.X -b";
    pub(in crate::spa5) const ADD_PAIRS: &str = "a + b";
    pub(in crate::spa5) const SUBTRACT_PAIRS: &str = "a - b";
    pub(in crate::spa5) const LOAD_WORD: &str = "LDG";
    pub(in crate::spa5) const STORE_WORD: &str = "STG";
    pub(in crate::spa5) const LOAD_SHARED: &str = "LDS";
    pub(in crate::spa5) const STORE_SHARED: &str = "STS";
    pub(in crate::spa5) const LOAD_ELEMENT: &str = "LDL array";
    pub(in crate::spa5) const STORE_ELEMENT: &str = "STL array";
    pub(in crate::spa5) const SIZE: &str = "size";
    pub(in crate::spa5) const BARRIER: &str = "BAR.SYNC";
    pub(in crate::spa5) const CHOOSE: &str = "SEL";
    pub(in crate::spa5) const RELOAD: &str = "LDL";
    pub(in crate::spa5) const SPILL: &str = "STL";
    pub(in crate::spa5) const SHUFFLE: &str = "SHFL.IDX";
    pub(in crate::spa5) const PAIR_X: &str = "SHFL.IDX 1e01";
    pub(in crate::spa5) const PAIR_Y: &str = "SHFL.IDX 1d02";
    pub(in crate::spa5) const IADD: &str = "IADD";
    pub(in crate::spa5) const ISUB: &str = "IADD -b";
    pub(in crate::spa5) const LAYER: &str = "F2I.U32.FLOOR";
    pub(in crate::spa5) const UMIN: &str = "IMNMX.U32.MIN";
    pub(in crate::spa5) const FMUL: &str = "FMUL";
    pub(in crate::spa5) const FADD: &str = "FADD";
    pub(in crate::spa5) const LOGIC_AND: &str = "PSETP.AND";
    pub(in crate::spa5) const TEST_WORD: &str = "ISETP.NE";
    pub(in crate::spa5) const TEST_FLOAT: &str = "FSETP.NEU";
    pub(in crate::spa5) const CHOOSE_WORD: &str = "ICMP.NE";
    pub(in crate::spa5) const DDX: &str = "ddx";
    pub(in crate::spa5) const DDY: &str = "ddy";
    pub(in crate::spa5) const DDX_FINE: &str = "ddx.fine";
    pub(in crate::spa5) const DDY_FINE: &str = "ddy.fine";
}

/// All of them.
#[rustfmt::skip]
pub(super) static FORMS: &[Form] = &[
    Form::new(names::MOV, "MOV {d}, {0}").signed(1).absolute(1).wide(1).long(0, "MOV32I {d}, {0}"),
    Form::new(names::CLAMP, "FADD.SAT {d}, -RZ, {0}").signed(1).absolute(1).wide(1).short(0, Float),
    Form::new(names::FLIP, "LOP.XOR {d}, {0}, {1}").wide(2).short(1, Whole).long(1, "LOP32I.XOR {d}, {0}, {1}"),
    Form::new(names::CLEAR, "LOP.AND {d}, {0}, {1}").wide(2).short(1, Whole).long(1, "LOP32I.AND {d}, {0}, {1}"),
    Form::new(names::SET, "LOP.OR {d}, {0}, {1}").wide(2).short(1, Whole).long(1, "LOP32I.OR {d}, {0}, {1}"),
    // Floats.
    floats(names::FADD, "FADD{s} {d}, {0}, {1}").long(1, "FADD32I {d}, {0}, {1}").exchanged(0, 1, names::FADD, Number),
    floats(names::FMUL, "FMUL{s} {d}, {0}, {1}").signed(2).absolute(0).long(1, "FMUL32I{s} {d}, {0}, {1}").exchanged(0, 1, names::FMUL, Number),
    Form::new("FFMA", "FFMA{s} {d}, {0}, {1}, {2}").signed(6).wide(6).short(1, Float).exchanged(0, 1, "FFMA", Number),
    floats("FMNMX.MIN", "FMNMX {d}, {0}, {1}, PT"),
    floats("FMNMX.MAX", "FMNMX {d}, {0}, {1}, !PT"),
    function(names::RCP, "MUFU.RCP{s} {d}, {0}"),
    function("MUFU.RSQ", "MUFU.RSQ{s} {d}, {0}"),
    function("MUFU.SQRT", "MUFU.SQRT{s} {d}, {0}"),
    function("MUFU.LG2", "MUFU.LG2{s} {d}, {0}"),
    function("MUFU.EX2", "MUFU.EX2{s} {d}, {0}"),
    function("MUFU.SIN", "MUFU.SIN{s} {d}, {0}"),
    function("MUFU.COS", "MUFU.COS{s} {d}, {0}"),
    Form { is_slow: false, ..converts("RRO.EX2", "RRO.EX2 {d}, {0}") },
    Form { is_slow: false, ..converts("RRO.SINCOS", "RRO.SINCOS {d}, {0}") },
    converts("F2F.FLOOR", "F2F.F32.F32.FLOOR{s} {d}, {0}"),
    converts("F2F.CEIL", "F2F.F32.F32.CEIL{s} {d}, {0}"),
    converts("F2F.TRUNC", "F2F.F32.F32.TRUNC{s} {d}, {0}"),
    converts("F2F.ROUND", "F2F.F32.F32.ROUND{s} {d}, {0}"),
    converts("F2I.S32", "F2I.S32.F32 {d}, {0}"),
    converts("F2I.S32.FLOOR", "F2I.S32.F32.FLOOR {d}, {0}"),
    converts("F2I.S32.CEIL", "F2I.S32.F32.CEIL {d}, {0}"),
    converts("F2I.S32.TRUNC", "F2I.S32.F32.TRUNC {d}, {0}"),
    converts("F2I.U32", "F2I.U32.F32 {d}, {0}"),
    converts(names::LAYER, "F2I.U32.F32.FLOOR {d}, {0}"),
    converts("F2I.U32.CEIL", "F2I.U32.F32.CEIL {d}, {0}"),
    converts("F2I.U32.TRUNC", "F2I.U32.F32.TRUNC {d}, {0}"),
    converts_word("I2F.S32", "I2F.F32.S32 {d}, {0}"),
    converts_word("I2F.U32", "I2F.F32.U32 {d}, {0}"),
    Form { short: None, ..converts_word("F2F.F32.F16", "F2F.F32.F16{s} {d}, {0}") },
    converts("F2F.F16.F32", "F2F.F16.F32 {d}, {0}"),
    // Doubles, in two registers one after the other.
    gives_double("DADD", "DADD {d}, {0}, {1}"),
    gives_double("DMUL", "DMUL {d}, {0}, {1}"),
    gives_double("DFMA", "DFMA {d}, {0}, {1}, {2}"),
    gives_double("DMNMX.MIN", "DMNMX {d}, {0}, {1}, PT"),
    gives_double("DMNMX.MAX", "DMNMX {d}, {0}, {1}, !PT"),
    gives_double("F2F.F64.FLOOR", "F2F.F64.F64.FLOOR {d}, {0}"),
    gives_double("F2F.F64.CEIL", "F2F.F64.F64.CEIL {d}, {0}"),
    gives_double("F2F.F64.TRUNC", "F2F.F64.F64.TRUNC {d}, {0}"),
    gives_double("F2F.F64.ROUND", "F2F.F64.F64.ROUND {d}, {0}"),
    gives_double("F2F.F64.F32", "F2F.F64.F32 {d}, {0}"),
    reads_doubles("F2F.F32.F64", "F2F.F32.F64{s} {d}, {0}"),
    gives_double("I2F.F64.S32", "I2F.F64.S32 {d}, {0}"),
    gives_double("I2F.F64.U32", "I2F.F64.U32 {d}, {0}"),
    // To whole numbers, and whole numbers of 64 bits, which are pairs as well.
    reads_doubles("F2I.S32.F64", "F2I.S32.F64 {d}, {0}"),
    reads_doubles("F2I.S32.F64.FLOOR", "F2I.S32.F64.FLOOR {d}, {0}"),
    reads_doubles("F2I.S32.F64.CEIL", "F2I.S32.F64.CEIL {d}, {0}"),
    reads_doubles("F2I.S32.F64.TRUNC", "F2I.S32.F64.TRUNC {d}, {0}"),
    reads_doubles("F2I.U32.F64", "F2I.U32.F64 {d}, {0}"),
    reads_doubles("F2I.U32.F64.FLOOR", "F2I.U32.F64.FLOOR {d}, {0}"),
    reads_doubles("F2I.U32.F64.CEIL", "F2I.U32.F64.CEIL {d}, {0}"),
    reads_doubles("F2I.U32.F64.TRUNC", "F2I.U32.F64.TRUNC {d}, {0}"),
    gives_double("F2I.S64.F32", "F2I.S64.F32 {d}, {0}"),
    gives_double("F2I.S64.F32.FLOOR", "F2I.S64.F32.FLOOR {d}, {0}"),
    gives_double("F2I.S64.F32.CEIL", "F2I.S64.F32.CEIL {d}, {0}"),
    gives_double("F2I.S64.F32.TRUNC", "F2I.S64.F32.TRUNC {d}, {0}"),
    gives_double("F2I.U64.F32", "F2I.U64.F32 {d}, {0}"),
    gives_double("F2I.U64.F32.FLOOR", "F2I.U64.F32.FLOOR {d}, {0}"),
    gives_double("F2I.U64.F32.CEIL", "F2I.U64.F32.CEIL {d}, {0}"),
    gives_double("F2I.U64.F32.TRUNC", "F2I.U64.F32.TRUNC {d}, {0}"),
    gives_double("F2I.S64.F64", "F2I.S64.F64 {d}, {0}"),
    gives_double("F2I.S64.F64.FLOOR", "F2I.S64.F64.FLOOR {d}, {0}"),
    gives_double("F2I.S64.F64.CEIL", "F2I.S64.F64.CEIL {d}, {0}"),
    gives_double("F2I.S64.F64.TRUNC", "F2I.S64.F64.TRUNC {d}, {0}"),
    gives_double("F2I.U64.F64", "F2I.U64.F64 {d}, {0}"),
    gives_double("F2I.U64.F64.FLOOR", "F2I.U64.F64.FLOOR {d}, {0}"),
    gives_double("F2I.U64.F64.CEIL", "F2I.U64.F64.CEIL {d}, {0}"),
    gives_double("F2I.U64.F64.TRUNC", "F2I.U64.F64.TRUNC {d}, {0}"),
    reads_doubles("I2F.F32.S64", "I2F.F32.S64 {d}, {0}"),
    reads_doubles("I2F.F32.U64", "I2F.F32.U64 {d}, {0}"),
    gives_double("I2F.F64.S64", "I2F.F64.S64 {d}, {0}"),
    gives_double("I2F.F64.U64", "I2F.F64.U64 {d}, {0}"),
    reads_doubles("DSETP.LT", "DSETP.LT.AND {d}, PT, {0}, {1}, PT").predicate(),
    reads_doubles("DSETP.GE", "DSETP.GE.AND {d}, PT, {0}, {1}, PT").predicate(),
    reads_doubles("DSETP.EQ", "DSETP.EQ.AND {d}, PT, {0}, {1}, PT").predicate(),
    reads_doubles("DSETP.NEU", "DSETP.NEU.AND {d}, PT, {0}, {1}, PT").predicate(),
    reads_doubles("DSETP.NAN", "DSETP.NAN.AND {d}, PT, {0}, {1}, PT").predicate(),
    // Comparisons of floats.
    compares("FSETP.LT", "FSETP.LT.AND {d}, PT, {0}, {1}, PT", "FSETP.GT").predicate(),
    compares("FSETP.LE", "FSETP.LE.AND {d}, PT, {0}, {1}, PT", "FSETP.GE").predicate(),
    compares("FSETP.GT", "FSETP.GT.AND {d}, PT, {0}, {1}, PT", "FSETP.LT").predicate(),
    compares("FSETP.GE", "FSETP.GE.AND {d}, PT, {0}, {1}, PT", "FSETP.LE").predicate(),
    compares("FSETP.EQ", "FSETP.EQ.AND {d}, PT, {0}, {1}, PT", "FSETP.EQ").predicate(),
    compares(names::TEST_FLOAT, "FSETP.NEU.AND {d}, PT, {0}, {1}, PT", names::TEST_FLOAT).predicate(),
    compares("FSETP.NAN", "FSETP.NAN.AND {d}, PT, {0}, {1}, PT", "FSETP.NAN").predicate(),
    compares("FSET.BF.LT", "FSET.BF.LT.AND {d}, {0}, {1}, PT", "FSET.BF.GT"),
    compares("FSET.BF.LE", "FSET.BF.LE.AND {d}, {0}, {1}, PT", "FSET.BF.GE"),
    compares("FSET.BF.GT", "FSET.BF.GT.AND {d}, {0}, {1}, PT", "FSET.BF.LT"),
    compares("FSET.BF.GE", "FSET.BF.GE.AND {d}, {0}, {1}, PT", "FSET.BF.LE"),
    compares("FSET.BF.EQ", "FSET.BF.EQ.AND {d}, {0}, {1}, PT", "FSET.BF.EQ"),
    compares("FSET.BF.NEU", "FSET.BF.NEU.AND {d}, {0}, {1}, PT", "FSET.BF.NEU"),
    compares("FSET.BF.LTU", "FSET.BF.LTU.AND {d}, {0}, {1}, PT", "FSET.BF.GTU"),
    compares("FSET.BF.LEU", "FSET.BF.LEU.AND {d}, {0}, {1}, PT", "FSET.BF.GEU"),
    compares("FSET.BF.GTU", "FSET.BF.GTU.AND {d}, {0}, {1}, PT", "FSET.BF.LTU"),
    compares("FSET.BF.GEU", "FSET.BF.GEU.AND {d}, {0}, {1}, PT", "FSET.BF.LEU"),
    compares("FSET.LT", "FSET.LT.AND {d}, {0}, {1}, PT", "FSET.GT"),
    compares("FSET.LE", "FSET.LE.AND {d}, {0}, {1}, PT", "FSET.GE"),
    compares("FSET.GT", "FSET.GT.AND {d}, {0}, {1}, PT", "FSET.LT"),
    compares("FSET.GE", "FSET.GE.AND {d}, {0}, {1}, PT", "FSET.LE"),
    compares("FSET.EQ", "FSET.EQ.AND {d}, {0}, {1}, PT", "FSET.EQ"),
    compares("FSET.NEU", "FSET.NEU.AND {d}, {0}, {1}, PT", "FSET.NEU"),
    chooses("FCMP.LT", "FCMP.LT {d}, {1}, {2}, {0}", "FCMP.GEU", Float),
    chooses("FCMP.GEU", "FCMP.GEU {d}, {1}, {2}, {0}", "FCMP.LT", Float),
    chooses("FCMP.GT", "FCMP.GT {d}, {1}, {2}, {0}", "FCMP.LEU", Float),
    chooses("FCMP.LEU", "FCMP.LEU {d}, {1}, {2}, {0}", "FCMP.GT", Float),
    // Whole numbers.
    words(names::IADD, "IADD {d}, {0}, {1}").long(1, "IADD32I {d}, {0}, {1}").exchanged(0, 1, names::IADD, Always),
    Form::new(names::ISUB, "IADD {d}, {0}, -{1}").wide(2),
    Form::new("IADD -a", "IADD {d}, RZ, -{0}").wide(1),
    // Whole numbers of 64 bits: the low words leave a carry. The third operand of what reads it is the low word, which comes with it.
    words(names::ADD_LOW, "IADD {d}.CC, {0}, {1}").exchanged(0, 1, names::ADD_LOW, Always),
    words(names::ADD_HIGH, "IADD.X {d}, {0}, {1}").exchanged(0, 1, names::ADD_HIGH, Always),
    Form::new(names::SUBTRACT_LOW, "IADD {d}.CC, {0}, -{1}").wide(2),
    Form::new(names::SUBTRACT_HIGH, "IADD.X {d}, {0}, -{1}").wide(2),
    words("ISETP.LT.X", "ISETP.LT.X.AND {d}, PT, {0}, {1}, PT").predicate(),
    words("ISETP.GE.X", "ISETP.GE.X.AND {d}, PT, {0}, {1}, PT").predicate(),
    words("ISETP.LT.U32.X", "ISETP.LT.U32.X.AND {d}, PT, {0}, {1}, PT").predicate(),
    words("ISETP.GE.U32.X", "ISETP.GE.U32.X.AND {d}, PT, {0}, {1}, PT").predicate(),
    words("ISETP.EQ.X", "ISETP.EQ.X.AND {d}, PT, {0}, {1}, PT").predicate(),
    words("ISETP.NE.X", "ISETP.NE.X.AND {d}, PT, {0}, {1}, PT").predicate(),
    // What becomes two of these.
    Form::new(names::ADD_PAIRS, ""),
    Form::new(names::SUBTRACT_PAIRS, ""),
    Form::new("a < b", "").predicate(),
    Form::new("a >= b", "").predicate(),
    Form::new("a < b, unsigned", "").predicate(),
    Form::new("a >= b, unsigned", "").predicate(),
    Form::new("a == b", "").predicate(),
    Form::new("a != b", "").predicate(),
    Form::new("SHF.L.W", "SHF.L.W {d}, {0}, {2}, {1}").short(2, Lane),
    Form::new("SHF.R.W", "SHF.R.W {d}, {0}, {2}, {1}").short(2, Lane),
    words("IMUL", "IMUL.U32.U32 {d}, {0}, {1}").exchanged(0, 1, "IMUL", Always).slow(),
    words("IMUL.HI", "IMUL.HI {d}, {0}, {1}").exchanged(0, 1, "IMUL.HI", Always).slow(),
    words("IMUL.U32.HI", "IMUL.U32.U32.HI {d}, {0}, {1}").exchanged(0, 1, "IMUL.U32.HI", Always).slow(),
    words("LOP.AND", "LOP.AND {d}, {0}, {1}").long(1, "LOP32I.AND {d}, {0}, {1}").exchanged(0, 1, "LOP.AND", Always),
    words("LOP.OR", "LOP.OR {d}, {0}, {1}").long(1, "LOP32I.OR {d}, {0}, {1}").exchanged(0, 1, "LOP.OR", Always),
    words("LOP.XOR", "LOP.XOR {d}, {0}, {1}").long(1, "LOP32I.XOR {d}, {0}, {1}").exchanged(0, 1, "LOP.XOR", Always),
    Form::new("LOP.NOT", "LOP.PASS_B {d}, RZ, ~{0}").wide(1),
    words(names::SHL, "SHL {d}, {0}, {1}"),
    words("SHL.W", "SHL.W {d}, {0}, {1}"),
    words("SHR.W", "SHR.W {d}, {0}, {1}"),
    words("SHR.U32.W", "SHR.U32.W {d}, {0}, {1}"),
    words(names::IMIN, "IMNMX {d}, {0}, {1}, PT").exchanged(0, 1, names::IMIN, Always),
    words(names::IMAX, "IMNMX {d}, {0}, {1}, !PT").exchanged(0, 1, names::IMAX, Always),
    words(names::UMIN, "IMNMX.U32 {d}, {0}, {1}, PT").exchanged(0, 1, names::UMIN, Always),
    words("IMNMX.U32.MAX", "IMNMX.U32 {d}, {0}, {1}, !PT").exchanged(0, 1, "IMNMX.U32.MAX", Always),
    Form { short: None, ..converts_word("I2I |a|", "I2I.S32.S32 {d}, |{0}|") },
    words("BFE", "BFE {d}, {0}, {1}"),
    words("BFE.U32", "BFE.U32 {d}, {0}, {1}"),
    words("BFE.BREV", "BFE.U32.BREV {d}, {0}, 0x2000").wide(0),
    Form::new("BFI", "BFI {d}, {0}, {1}, {2}").wide(6).short(1, Whole),
    converts_word("POPC", "POPC {d}, {0}"),
    converts_word("FLO", "FLO {d}, {0}"),
    converts_word("FLO.U32", "FLO.U32 {d}, {0}"),
    converts_word("FLO.U32.SH", "FLO.U32.SH {d}, {0}"),
    Form::new("PRMT", "PRMT {d}, {0}, {2}, {1}").wide(6).short(2, Whole),
    compares_words("ISETP.LT", "ISETP.LT.AND {d}, PT, {0}, {1}, PT", "ISETP.GT").predicate(),
    compares_words("ISETP.GT", "ISETP.GT.AND {d}, PT, {0}, {1}, PT", "ISETP.LT").predicate(),
    compares_words("ISETP.LE", "ISETP.LE.AND {d}, PT, {0}, {1}, PT", "ISETP.GE").predicate(),
    compares_words("ISETP.GE", "ISETP.GE.AND {d}, PT, {0}, {1}, PT", "ISETP.LE").predicate(),
    compares_words("ISETP.LT.U32", "ISETP.LT.U32.AND {d}, PT, {0}, {1}, PT", "ISETP.GT.U32").predicate(),
    compares_words("ISETP.GT.U32", "ISETP.GT.U32.AND {d}, PT, {0}, {1}, PT", "ISETP.LT.U32").predicate(),
    compares_words("ISETP.LE.U32", "ISETP.LE.U32.AND {d}, PT, {0}, {1}, PT", "ISETP.GE.U32").predicate(),
    compares_words("ISETP.GE.U32", "ISETP.GE.U32.AND {d}, PT, {0}, {1}, PT", "ISETP.LE.U32").predicate(),
    compares_words("ISETP.EQ", "ISETP.EQ.AND {d}, PT, {0}, {1}, PT", "ISETP.EQ").predicate(),
    compares_words(names::TEST_WORD, "ISETP.NE.AND {d}, PT, {0}, {1}, PT", names::TEST_WORD).predicate(),
    compares_words("ISET.LT", "ISET.LT.AND {d}, {0}, {1}, PT", "ISET.GT"),
    compares_words("ISET.GT", "ISET.GT.AND {d}, {0}, {1}, PT", "ISET.LT"),
    compares_words("ISET.LE", "ISET.LE.AND {d}, {0}, {1}, PT", "ISET.GE"),
    compares_words("ISET.GE", "ISET.GE.AND {d}, {0}, {1}, PT", "ISET.LE"),
    compares_words("ISET.LT.U32", "ISET.LT.U32.AND {d}, {0}, {1}, PT", "ISET.GT.U32"),
    compares_words("ISET.GT.U32", "ISET.GT.U32.AND {d}, {0}, {1}, PT", "ISET.LT.U32"),
    compares_words("ISET.LE.U32", "ISET.LE.U32.AND {d}, {0}, {1}, PT", "ISET.GE.U32"),
    compares_words("ISET.GE.U32", "ISET.GE.U32.AND {d}, {0}, {1}, PT", "ISET.LE.U32"),
    compares_words("ISET.EQ", "ISET.EQ.AND {d}, {0}, {1}, PT", "ISET.EQ"),
    compares_words("ISET.NE", "ISET.NE.AND {d}, {0}, {1}, PT", "ISET.NE"),
    chooses(names::CHOOSE_WORD, "ICMP.NE {d}, {1}, {2}, {0}", "ICMP.EQ", Whole),
    chooses("ICMP.EQ", "ICMP.EQ {d}, {1}, {2}, {0}", names::CHOOSE_WORD, Whole),
    // Predicates.
    Form::new(names::CHOOSE, "SEL {d}, {1}, {2}, {0}").wide(4).short(2, Whole).reads(1),
    Form::new(names::LOGIC_AND, "PSETP.AND.AND {d}, PT, {0}, {1}, PT").reads(3).predicate(),
    Form::new("PSETP.OR", "PSETP.OR.AND {d}, PT, {0}, {1}, PT").reads(3).predicate(),
    Form::new("PSETP.XOR", "PSETP.XOR.AND {d}, PT, {0}, {1}, PT").reads(3).predicate(),
    Form { leaves: Leaves::Nothing, ..Form::new(names::KIL, "KIL").reads(1) },
    Form::new("VOTE.ANY", "VOTE.ANY {d}, {0}").reads(1).predicate(),
    Form::new("VOTE.ALL", "VOTE.ALL {d}, {0}").reads(1).predicate(),
    // Other lanes, constants and inputs.
    Form::new(names::SHUFFLE, "SHFL.IDX PT, {d}, {0}, {1}, 0x1c03").wide(2).short(1, Lane).slow(),
    Form::new(names::PAIR_X, "SHFL.IDX PT, {d}, {0}, {1}, 0x1e01").wide(2).short(1, Lane).slow(),
    Form::new(names::PAIR_Y, "SHFL.IDX PT, {d}, {0}, {1}, 0x1d02").wide(2).short(1, Lane).slow(),
    Form::new(names::LOAD, "LDC {d}, {1}").slow(),
    Form::new(names::INPUT, "").slow(),
    Form::new(names::AT_OFFSET, "").slow(),
    // Samples, and what else a pixel knows of itself.
    Form::new(names::PLACE_OF_SAMPLE, "PIXLD.OFFSET {d}, [{0}]").short(0, Lane).slow(),
    Form::new(names::PLACE_OF_CENTROID, "PIXLD.CENTROID_OFFSET {d}, [RZ]").slow(),
    Form::new(names::SAMPLES, "PIXLD {d}, [RZ]").slow(),
    Form::new(names::COVERED, "PIXLD.COVMASK {d}, [RZ]").slow(),
    Form::new(names::SAMPLE, "PIXLD.MY_INDEX {d}, [RZ]").slow(),
    Form::new(names::IS_SAMPLE, "PIXLD.MY_INDEX RZ, {d}, [RZ]").slow().predicate(),
    Form::new(names::FACE, "IPA.PASS {d}, a[0x3fc], RZ").slow(),
    Form::new(names::HELPER, "S2R {d}, SR_THREAD_KILL").slow(),
    Form::new(names::LANE, "S2R {d}, SR_LANEID").slow(),
    // Where an invocation of a kernel is.
    Form::new(names::THREAD[0], "S2R {d}, SR_TID.X").slow(),
    Form::new(names::THREAD[1], "S2R {d}, SR_TID.Y").slow(),
    Form::new(names::THREAD[2], "S2R {d}, SR_TID.Z").slow(),
    Form::new(names::GROUP[0], "S2R {d}, SR_CTAID.X").slow(),
    Form::new(names::GROUP[1], "S2R {d}, SR_CTAID.Y").slow(),
    Form::new(names::GROUP[2], "S2R {d}, SR_CTAID.Z").slow(),
    // Memory: under a predicate, at an address; texts are names of instructions.
    accesses(names::LOAD_WORD, "LDG.E"),
    accesses(names::LOAD_SHARED, "LDS"),
    Form { leaves: Leaves::Nothing, ..accesses(names::STORE_WORD, "STG.E") },
    Form { leaves: Leaves::Nothing, ..accesses(names::STORE_SHARED, "STS") },
    accesses(names::LOAD_ELEMENT, "LDL"),
    Form { leaves: Leaves::Nothing, ..accesses(names::STORE_ELEMENT, "STL") },
    accesses("ATOM.ADD", "ATOM.E.ADD"),
    accesses("ATOM.MIN", "ATOM.E.MIN"),
    accesses("ATOM.MAX", "ATOM.E.MAX"),
    accesses("ATOM.MIN.S32", "ATOM.E.MIN.S32"),
    accesses("ATOM.MAX.S32", "ATOM.E.MAX.S32"),
    accesses("ATOM.AND", "ATOM.E.AND"),
    accesses("ATOM.OR", "ATOM.E.OR"),
    accesses("ATOM.XOR", "ATOM.E.XOR"),
    accesses("ATOM.EXCH", "ATOM.E.EXCH"),
    accesses("ATOM.CAS", "ATOM.E.CAS"),
    accesses("ATOM.INC", "ATOM.E.INC"),
    accesses("ATOM.DEC", "ATOM.E.DEC"),
    accesses("ATOMS.ADD", "ATOMS.ADD"),
    accesses("ATOMS.MIN", "ATOMS.MIN"),
    accesses("ATOMS.MAX", "ATOMS.MAX"),
    accesses("ATOMS.MIN.S32", "ATOMS.MIN.S32"),
    accesses("ATOMS.MAX.S32", "ATOMS.MAX.S32"),
    accesses("ATOMS.AND", "ATOMS.AND"),
    accesses("ATOMS.OR", "ATOMS.OR"),
    accesses("ATOMS.XOR", "ATOMS.XOR"),
    accesses("ATOMS.EXCH", "ATOMS.EXCH"),
    accesses("ATOMS.CAS", "ATOMS.CAS"),
    accesses("ATOMS.INC", "ATOMS.INC"),
    accesses("ATOMS.DEC", "ATOMS.DEC"),
    Form { leaves: Leaves::Nothing, ..accesses("RED.ADD", "RED.E.ADD") },
    Form { leaves: Leaves::Nothing, ..accesses("RED.MIN", "RED.E.MIN") },
    Form { leaves: Leaves::Nothing, ..accesses("RED.MAX", "RED.E.MAX") },
    Form { leaves: Leaves::Nothing, ..accesses("RED.MIN.S32", "RED.E.MIN.S32") },
    Form { leaves: Leaves::Nothing, ..accesses("RED.MAX.S32", "RED.E.MAX.S32") },
    Form { leaves: Leaves::Nothing, ..accesses("RED.AND", "RED.E.AND") },
    Form { leaves: Leaves::Nothing, ..accesses("RED.OR", "RED.E.OR") },
    Form { leaves: Leaves::Nothing, ..accesses("RED.XOR", "RED.E.XOR") },
    Form { leaves: Leaves::Nothing, ..accesses("RED.INC", "RED.E.INC") },
    Form { leaves: Leaves::Nothing, ..accesses("RED.DEC", "RED.E.DEC") },
    Form::new(names::SIZE, ""),
    Form { leaves: Leaves::Nothing, ..Form::new(names::BARRIER, "") },
    // Local memory at an address.
    Form::new(names::RELOAD, "").slow(),
    Form { leaves: Leaves::Nothing, ..Form::new(names::SPILL, "").slow() },
    // Differences between neighbours become several instructions.
    Form::new(names::DDX, ""),
    Form::new(names::DDY, ""),
    Form::new(names::DDX_FINE, ""),
    Form::new(names::DDY_FINE, ""),
    // Lookups; what stands behind the operands is written with the texture.
    Form::new("TEX", "TEX").slow(),
    Form::new("TEX.LZ", "TEX.LZ").slow(),
    Form::new("TEX.LB", "TEX.LB").slow(),
    Form::new("TEX.LL", "TEX.LL").slow(),
    Form::new("TXD", "TXD").slow(),
    Form::new("TLD.LZ", "TLD.LZ").slow(),
    Form::new("TLD.LL", "TLD.LL").slow(),
    Form::new("TLD4.R", "TLD4.R").slow(),
    Form::new("TLD4.G", "TLD4.G").slow(),
    Form::new("TLD4.B", "TLD4.B").slow(),
    Form::new("TLD4.A", "TLD4.A").slow(),
];

/// The forms with their numbers.
static NUMBERED: LazyLock<Vec<Form>> =
    LazyLock::new(|| (0..).zip(FORMS).map(|(number, form)| form.numbered(number)).collect());

static BY_NAME: LazyLock<FxHashMap<&'static str, &'static Form>> =
    LazyLock::new(|| NUMBERED.iter().map(|form| (form.name, form)).collect());

/// The form of an opcode.
pub(super) fn form_of(row: &Row) -> &'static Form {
    // The first stands for numbers that nobody has.
    NUMBERED.get(row.form()).unwrap_or(&NUMBERED[0])
}

/// The form of a name.
pub(super) fn form(name: &str) -> &'static Form {
    // The first stands for names that nobody has.
    BY_NAME.get(name).copied().unwrap_or(&NUMBERED[0])
}

/// Comparisons of floats with their outcome, by the letters of the set.
const FLOAT_TESTS: [(Op, bool, &str); 13] = [
    (Op::FLt, true, "LT"),
    (Op::FLe, true, "LE"),
    (Op::FGt, true, "GT"),
    (Op::FGe, true, "GE"),
    (Op::FEq, true, "EQ"),
    (Op::FNe, true, "NEU"),
    (Op::Funo, true, "NAN"),
    (Op::FLt, false, "GEU"),
    (Op::FLe, false, "GTU"),
    (Op::FGt, false, "LEU"),
    (Op::FGe, false, "LTU"),
    (Op::FEq, false, "NEU"),
    (Op::FNe, false, "EQ"),
];

/// The same of words.
const WORD_TESTS: [(Op, bool, &str); 12] = [
    (Op::Ilt, true, "LT"),
    (Op::Ile, true, "LE"),
    (Op::Ult, true, "LT.U32"),
    (Op::Ule, true, "LE.U32"),
    (Op::Ieq, true, "EQ"),
    (Op::Ine, true, "NE"),
    (Op::Ilt, false, "GE"),
    (Op::Ile, false, "GT"),
    (Op::Ult, false, "GE.U32"),
    (Op::Ule, false, "GT.U32"),
    (Op::Ieq, false, "NE"),
    (Op::Ine, false, "EQ"),
];

/// Operations that one form computes.
pub(super) const EACH: [(Op, &str); 45] = [
    (Op::Add, names::FADD),
    (Op::Mul, names::FMUL),
    (Op::Mad, "FFMA"),
    (Op::Min, "FMNMX.MIN"),
    (Op::Max, "FMNMX.MAX"),
    (Op::Floor, "F2F.FLOOR"),
    (Op::Ceil, "F2F.CEIL"),
    (Op::Trunc, "F2F.TRUNC"),
    (Op::Rint, "F2F.ROUND"),
    (Op::F2iRint, "F2I.S32"),
    (Op::F2iFloor, "F2I.S32.FLOOR"),
    (Op::F2iCeil, "F2I.S32.CEIL"),
    (Op::F2iTrunc, "F2I.S32.TRUNC"),
    (Op::F2uRint, "F2I.U32"),
    (Op::F2uFloor, names::LAYER),
    (Op::F2uCeil, "F2I.U32.CEIL"),
    (Op::F2uTrunc, "F2I.U32.TRUNC"),
    (Op::I2f, "I2F.S32"),
    (Op::U2f, "I2F.U32"),
    (Op::UpHalf, "F2F.F32.F16"),
    (Op::Iadd, names::IADD),
    (Op::Isub, names::ISUB),
    (Op::Ineg, "IADD -a"),
    (Op::Imul, "IMUL"),
    (Op::ImulHi, "IMUL.HI"),
    (Op::UmulHi, "IMUL.U32.HI"),
    (Op::Iand, "LOP.AND"),
    (Op::Ior, "LOP.OR"),
    (Op::Ixor, "LOP.XOR"),
    (Op::Inot, "LOP.NOT"),
    (Op::Shl, "SHL.W"),
    (Op::Ishr, "SHR.W"),
    (Op::Ushr, "SHR.U32.W"),
    (Op::Imin, names::IMIN),
    (Op::Imax, names::IMAX),
    (Op::Umin, names::UMIN),
    (Op::Umax, "IMNMX.U32.MAX"),
    (Op::Iabs, "I2I |a|"),
    (Op::Brev, "BFE.BREV"),
    (Op::Popc, "POPC"),
    (Op::Umsb, "FLO.U32"),
    (Op::Imsb, "FLO"),
    (Op::Prmt, "PRMT"),
    (Op::FunnelShl, "SHF.L.W"),
    (Op::FunnelShr, "SHF.R.W"),
];

/// Operations on doubles, and whether the result is one.
const DOUBLES: [(Op, bool, &str); 19] = [
    (Op::Add, true, "DADD"),
    (Op::Mul, true, "DMUL"),
    (Op::Mad, true, "DFMA"),
    (Op::Min, true, "DMNMX.MIN"),
    (Op::Max, true, "DMNMX.MAX"),
    (Op::Floor, true, "F2F.F64.FLOOR"),
    (Op::Ceil, true, "F2F.F64.CEIL"),
    (Op::Trunc, true, "F2F.F64.TRUNC"),
    (Op::Rint, true, "F2F.F64.ROUND"),
    (Op::Cvt, true, "F2F.F64.F32"),
    (Op::Cvt, false, "F2F.F32.F64"),
    (Op::I2f, true, "I2F.F64.S32"),
    (Op::U2f, true, "I2F.F64.U32"),
    (Op::I64ToF, false, "I2F.F32.S64"),
    (Op::U64ToF, false, "I2F.F32.U64"),
    (Op::I64ToF, true, "I2F.F64.S64"),
    (Op::U64ToF, true, "I2F.F64.U64"),
    (Op::Iadd64, true, names::ADD_PAIRS),
    (Op::Isub64, true, names::SUBTRACT_PAIRS),
];

/// Conversions of floats and doubles to whole numbers, in which NaN gives the highest bit alone (PTX ISA, cvt).
#[rustfmt::skip]
const TO_WHOLE: [(Op, bool, &str); 24] = [
    (Op::F2iRint, true, "F2I.S32.F64"),
    (Op::F2iFloor, true, "F2I.S32.F64.FLOOR"),
    (Op::F2iCeil, true, "F2I.S32.F64.CEIL"),
    (Op::F2iTrunc, true, "F2I.S32.F64.TRUNC"),
    (Op::F2uRint, true, "F2I.U32.F64"),
    (Op::F2uFloor, true, "F2I.U32.F64.FLOOR"),
    (Op::F2uCeil, true, "F2I.U32.F64.CEIL"),
    (Op::F2uTrunc, true, "F2I.U32.F64.TRUNC"),
    (Op::F2i64Rint, false, "F2I.S64.F32"),
    (Op::F2i64Floor, false, "F2I.S64.F32.FLOOR"),
    (Op::F2i64Ceil, false, "F2I.S64.F32.CEIL"),
    (Op::F2i64Trunc, false, "F2I.S64.F32.TRUNC"),
    (Op::F2u64Rint, false, "F2I.U64.F32"),
    (Op::F2u64Floor, false, "F2I.U64.F32.FLOOR"),
    (Op::F2u64Ceil, false, "F2I.U64.F32.CEIL"),
    (Op::F2u64Trunc, false, "F2I.U64.F32.TRUNC"),
    (Op::F2i64Rint, true, "F2I.S64.F64"),
    (Op::F2i64Floor, true, "F2I.S64.F64.FLOOR"),
    (Op::F2i64Ceil, true, "F2I.S64.F64.CEIL"),
    (Op::F2i64Trunc, true, "F2I.S64.F64.TRUNC"),
    (Op::F2u64Rint, true, "F2I.U64.F64"),
    (Op::F2u64Floor, true, "F2I.U64.F64.FLOOR"),
    (Op::F2u64Ceil, true, "F2I.U64.F64.CEIL"),
    (Op::F2u64Trunc, true, "F2I.U64.F64.TRUNC"),
];

/// Comparisons of pairs of words with their outcome, and the instruction that compares the high words.
pub(super) const PAIR_TESTS: [(Op, bool, &str, &str); 6] = [
    (Op::Ilt64, true, "a < b", "ISETP.LT.X"),
    (Op::Ilt64, false, "a >= b", "ISETP.GE.X"),
    (Op::Ult64, true, "a < b, unsigned", "ISETP.LT.U32.X"),
    (Op::Ult64, false, "a >= b, unsigned", "ISETP.GE.U32.X"),
    (Op::Ieq64, true, "a == b", "ISETP.EQ.X"),
    (Op::Ine64, true, "a != b", "ISETP.NE.X"),
];

/// Comparisons of doubles.
const DOUBLE_TESTS: [(Op, &str); 5] = [
    (Op::FLt, "DSETP.LT"),
    (Op::FGe, "DSETP.GE"),
    (Op::FEq, "DSETP.EQ"),
    (Op::FNe, "DSETP.NEU"),
    (Op::Funo, "DSETP.NAN"),
];

/// Functions of the special unit whose operand RRO prepares or nobody does.
pub(super) const FUNCTIONS: [(Op, &str); 7] = [
    (Op::Rcp, names::RCP),
    (Op::Rsq, "MUFU.RSQ"),
    (Op::Sqrt, "MUFU.SQRT"),
    (Op::Log2, "MUFU.LG2"),
    (Op::Exp2, "MUFU.EX2"),
    (Op::Sin, "MUFU.SIN"),
    (Op::Cos, "MUFU.COS"),
];

/// A change of a word.
#[derive(Copy, Clone, Debug)]
pub(super) struct Atomic {
    op: AtomicOp,
    /// The form in a buffer, and in the memory of a workgroup.
    pub(super) global: &'static str,
    pub(super) shared: &'static str,
    /// That in a buffer where nobody reads what was there.
    pub(super) reduction: Option<&'static str>,
}

const fn atomic(op: AtomicOp, global: &'static str, shared: &'static str, reduction: Option<&'static str>) -> Atomic {
    Atomic { op, global, shared, reduction }
}

pub(super) const ATOMICS: [Atomic; 12] = [
    atomic(AtomicOp::Add, "ATOM.ADD", "ATOMS.ADD", Some("RED.ADD")),
    atomic(AtomicOp::MinU, "ATOM.MIN", "ATOMS.MIN", Some("RED.MIN")),
    atomic(AtomicOp::MaxU, "ATOM.MAX", "ATOMS.MAX", Some("RED.MAX")),
    atomic(AtomicOp::MinI, "ATOM.MIN.S32", "ATOMS.MIN.S32", Some("RED.MIN.S32")),
    atomic(AtomicOp::MaxI, "ATOM.MAX.S32", "ATOMS.MAX.S32", Some("RED.MAX.S32")),
    atomic(AtomicOp::And, "ATOM.AND", "ATOMS.AND", Some("RED.AND")),
    atomic(AtomicOp::Or, "ATOM.OR", "ATOMS.OR", Some("RED.OR")),
    atomic(AtomicOp::Xor, "ATOM.XOR", "ATOMS.XOR", Some("RED.XOR")),
    atomic(AtomicOp::Exchange, "ATOM.EXCH", "ATOMS.EXCH", None),
    atomic(AtomicOp::CompareExchange, "ATOM.CAS", "ATOMS.CAS", None),
    atomic(AtomicOp::IncWrap, "ATOM.INC", "ATOMS.INC", Some("RED.INC")),
    atomic(AtomicOp::DecWrap, "ATOM.DEC", "ATOMS.DEC", Some("RED.DEC")),
];

/// The form of a comparison, if there is one.
fn named(start: &str, letters: &str) -> Option<Row> {
    BY_NAME.get(format!("{start}{letters}").as_str()).map(|form| form.row())
}

/// The rows by their meanings.
pub(super) fn rows() -> Rows {
    let mut rows = Rows::default();
    let mut put = |meaning: Meaning, name: &str| rows.put(meaning, form(name).row());
    put(Meaning::Move, names::MOV);
    put(Meaning::Kill, names::KIL);
    put(Meaning::Choose, names::CHOOSE);
    put(Meaning::Select(Op::FLt), "FCMP.LT");
    put(Meaning::Select(Op::FGt), "FCMP.GT");
    put(Meaning::Select(Op::Ine), names::CHOOSE_WORD);
    put(Meaning::Logic(Op::Pand), names::LOGIC_AND);
    put(Meaning::Logic(Op::Por), "PSETP.OR");
    put(Meaning::Logic(Op::Pxor), "PSETP.XOR");
    put(Meaning::QuadAny, "VOTE.ANY");
    put(Meaning::QuadAll, "VOTE.ALL");
    put(Meaning::Shuffle, names::SHUFFLE);
    put(Meaning::AtOffset, names::AT_OFFSET);
    put(Meaning::Element, names::LOAD_ELEMENT);
    put(Meaning::SetElement, names::STORE_ELEMENT);
    put(Meaning::PlaceOfSample, names::PLACE_OF_SAMPLE);
    put(Meaning::PlaceOfCentroid, names::PLACE_OF_CENTROID);
    put(Meaning::Field(Op::Ubfe), "BFE.U32");
    put(Meaning::Field(Op::Ibfe), "BFE");
    put(Meaning::Field(Op::Bfi), "BFI");
    put(Meaning::Field(Op::Lsb), "FLO.U32.SH");
    put(Meaning::Field(Op::PackHalf2), "F2F.F16.F32");
    use parallax_core::Axis::{X, Y};
    for (axis, fine, name) in
        [(X, false, names::DDX), (Y, false, names::DDY), (X, true, names::DDX_FINE), (Y, true, names::DDY_FINE)]
    {
        put(Meaning::Derivative(axis, fine), name);
    }
    FUNCTIONS.iter().for_each(|&(op, name)| put(Meaning::Scalar(op), name));
    EACH.iter().for_each(|&(op, name)| put(Meaning::Each(op), name));
    DOUBLES.iter().for_each(|&(op, wide, name)| put(Meaning::Wide(op, wide), name));
    TO_WHOLE.iter().for_each(|&(op, of_double, name)| put(Meaning::ToWhole(op, of_double), name));
    DOUBLE_TESTS.iter().for_each(|&(op, name)| put(Meaning::WideBits(op, true), name));
    PAIR_TESTS.iter().for_each(|&(op, outcome, name, _)| put(Meaning::WideBits(op, outcome), name));
    for (op, outcome, letters) in FLOAT_TESTS {
        let found = [
            (Meaning::Test(op, outcome), named("FSETP.", letters)),
            (Meaning::Set(op, outcome), named("FSET.BF.", letters)),
            (Meaning::SetBits(op, outcome), named("FSET.", letters)),
        ];
        found.into_iter().for_each(|(meaning, row)| row.into_iter().for_each(|row| rows.put(meaning, row)));
    }
    for (op, outcome, letters) in WORD_TESTS {
        let found = [
            (Meaning::Test(op, outcome), named("ISETP.", letters)),
            (Meaning::SetBits(op, outcome), named("ISET.", letters)),
        ];
        found.into_iter().for_each(|(meaning, row)| row.into_iter().for_each(|row| rows.put(meaning, row)));
    }
    rows
}

/// The same of kernels, which have memory.
pub(super) fn rows_of_kernels() -> Rows {
    let mut rows = rows();
    let mut put = |meaning, name: &str| rows.put(meaning, form(name).row());
    put(Meaning::Load, names::LOAD_WORD);
    put(Meaning::Store, names::STORE_WORD);
    put(Meaning::Size, names::SIZE);
    put(Meaning::Barrier, names::BARRIER);
    ATOMICS.iter().for_each(|atomic| put(Meaning::Atomic(atomic.op), atomic.global));
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_one_each_and_all_that_are_asked_for_exist() {
        assert_eq!(BY_NAME.len(), FORMS.len());
        let exchanged = FORMS.iter().filter_map(|form| form.exchange.map(|(.., name, _)| name));
        let meant = EACH.iter().chain(&FUNCTIONS).map(|(_, name)| *name);
        let prepared = FUNCTIONS.iter().filter_map(|(_, name)| match lowering(name) {
            Lowering::Prepared(prepares) => Some(prepares),
            _ => None,
        });
        let doubles = DOUBLES.iter().map(|(.., name)| *name).chain(DOUBLE_TESTS.iter().map(|(_, name)| *name));
        let pairs = PAIR_TESTS.iter().flat_map(|&(_, _, name, high)| [name, high]);
        let whole = TO_WHOLE.iter().map(|(.., name)| *name);
        let doubles = doubles.chain(pairs).chain(whole);
        let atomics = ATOMICS.iter().flat_map(|one| [Some(one.global), Some(one.shared), one.reduction]).flatten();
        for name in exchanged.chain(meant).chain(prepared).chain(doubles).chain(atomics) {
            assert!(BY_NAME.contains_key(name), "{name}");
        }
        // One that is exchanged twice is itself.
        for form in FORMS {
            let Some((a, b, name, _)) = form.exchange else { continue };
            let back = self::form(name).exchange.map(|(c, d, back, _)| (c, d, back));
            assert_eq!(back, Some((a, b, form.name)), "{}", form.name);
        }
    }

    #[test]
    fn texts_have_a_place_for_each_operand() {
        for form in FORMS.iter().filter(|form| form.text.contains('{')) {
            for text in [Some(form.text), form.long.map(|(_, text)| text)].into_iter().flatten() {
                let is_asked = |n: usize| (form.signed | form.wide | form.predicates) >> n & 1 != 0;
                for n in (0..4).filter(|&n| is_asked(n)) {
                    assert!(text.contains(&format!("{{{n}}}")), "{}: operand {n}", form.name);
                }
                assert!(text.contains("{d}"), "{}", form.name);
            }
        }
    }
}
