//! The groups that programs are made of: what each is written like, and which operands it takes.

use crate::scalar::template::{Piece, Slot, pieces};
use crate::select::Formula;
use crate::target::{Meaning, Row, Rows};
use parallax_core::Axis;
use parallax_lift::{Layout, Options, Request};
use parallax_num::Op;
use parallax_usc::FRONTEND;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// A group, or several.
#[derive(Copy, Clone, Debug)]
pub(super) struct Form {
    /// Its name, which stands in rows.
    pub(super) name: &'static str,
    /// Its number, which stands in rows and instructions.
    number: u16,
    /// The text: `{d}` is the result, `{0}` an operand, `{-0}` the same with the other sign, `{s}` the clamp, `{f}` the feed-through
    /// of an operation that can be in phase 0 or 1, `{#0}` a literal. Lines are statements; `|` stands between groups.
    pub(super) text: &'static str,
    /// Operands that can be negated, bit 0 = the first.
    pub(super) signed: u8,
    pub(super) absolute: u8,
    /// Operands that cannot be shared registers.
    pub(super) narrow: u8,
    /// Of numbered forms, its groups.
    pub(super) groups: &'static [Group],
    /// Whether it is an operation that another one can stand beside.
    pub(super) is_early: bool,
    /// Whether it can clamp its result.
    pub(super) clamps: bool,
    /// Operands that are literals.
    pub(super) literals: u8,
    /// What is to be done before it can be written.
    pub(super) lowering: Lowering,
    /// Of comparisons that give all bits or none, the test, and whether none where it holds.
    pub(super) tested: Option<(&'static str, bool)>,
    /// How many registers, one after the other, its operands are, and its result.
    pub(super) coordinates: u32,
    pub(super) results: u32,
    /// Whether the third operand is the mask count.
    pub(super) counts: bool,
}

/// A group of a form.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// Its number among the groups of all forms.
    pub(super) number: u16,
    pub(super) pieces: Vec<Piece>,
    /// Whether it sets or reads the predicate: then it stays where it is.
    pub(super) is_fixed: bool,
}

/// What stands in front of the statements of a group behind its first.
pub(super) const INDENT: &str = "      ";

impl Form {
    const fn new(name: &'static str, text: &'static str) -> Form {
        Form {
            name,
            number: 0,
            text,
            signed: 0,
            absolute: 0,
            narrow: 0,
            groups: &[],
            is_early: false,
            clamps: false,
            literals: 0,
            lowering: Lowering::Other,
            tested: None,
            coordinates: 1,
            results: 1,
            counts: false,
        }
    }

    /// Operands with signs of floats.
    const fn floats(self, operands: u8) -> Form {
        Form { signed: operands, absolute: operands, ..self }
    }

    const fn narrow(self, narrow: u8) -> Form {
        Form { narrow, ..self }
    }

    const fn counting(self) -> Form {
        Form { counts: true, ..self }
    }

    /// The row of a form.
    pub(super) const fn row(&'static self) -> Row {
        Row { signed: self.signed, absolute: self.absolute, ..Row::of_form(&self.name, self.number) }
    }

    /// The same with its number, taken apart. `first`: the number of its first group.
    fn numbered(self, number: u16, first: u16) -> Form {
        let group = |(number, text): (u16, &'static str)| {
            let indented = text.replace('\n', &format!("\n{INDENT}"));
            Group { number, pieces: pieces(&indented), is_fixed: text.contains("p0") }
        };
        let groups: Vec<Group> = (first..).zip(self.text.split('|')).map(group).collect();
        let has = |slot: Slot| groups.iter().any(|group| group.pieces.contains(&Piece::Slot(slot)));
        Form {
            number,
            is_early: has(Slot::Feed),
            clamps: has(Slot::Clamp),
            literals: (0..3).map(|n| u8::from(has(Slot::Literal(n))) << n).sum(),
            lowering: lowering(self.name),
            tested: tested(self.name),
            groups: Vec::leak(groups),
            ..self
        }
    }
}

/// What lowering does with a form whose operands can stand where they do.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Lowering {
    Nothing,
    /// Nothing, unless the second operand is negated.
    SecondIsNegated,
    Other,
}

fn lowering(name: &str) -> Lowering {
    match name {
        names::FADD | names::FMUL => Lowering::SecondIsNegated,
        names::MOV
        | names::FMAD
        | names::FLOOR
        | "frcp"
        | "frsq"
        | "flog"
        | "fexp"
        | "iadd"
        | names::ISUB
        | "imul"
        | names::AND
        | names::OR
        | names::XOR
        | names::SHL
        | names::USHR
        | names::ISHR => Lowering::Nothing,
        _ => Lowering::Other,
    }
}

/// Words with a tested order and the choice by it: the test, then what is taken where it holds and where not. `A` and `B` are what is
/// compared, `X` is another operand.
pub(super) fn choice(test: &str, then: char, other: char) -> Option<&'static Form> {
    BY_NAME.get(format!("{test} {then}:{other}").as_str()).copied()
}

/// The test of a comparison that gives all bits or none, and whether none where it holds.
fn tested(name: &'static str) -> Option<(&'static str, bool)> {
    match (name.strip_suffix(" bits"), name.strip_suffix(" bits, not")) {
        (Some(test), _) => Some((test, false)),
        (_, Some(test)) => Some((test, true)),
        _ => None,
    }
}

/// Names of forms that lowering asks for.
pub(super) mod names {
    pub(in crate::usc) const MOV: &str = "mov";
    pub(in crate::usc) const LITERAL: &str = "mov literal";
    pub(in crate::usc) const LOAD: &str = "mov sh[idx0]";
    pub(in crate::usc) const FADD: &str = "fadd";
    pub(in crate::usc) const FMUL: &str = "fmul";
    pub(in crate::usc) const FMAD: &str = "fmad";
    pub(in crate::usc) const CLAMP: &str = "fmul.sat 1";
    pub(in crate::usc) const QUIET: &str = "fmul 1";
    pub(in crate::usc) const MIN: &str = "min";
    pub(in crate::usc) const MAX: &str = "max";
    pub(in crate::usc) const LESS: &str = "a < b ? a : b";
    pub(in crate::usc) const LESS_EQUAL: &str = "a <= b ? a : b";
    pub(in crate::usc) const GREATER: &str = "a > b ? a : b";
    pub(in crate::usc) const GREATER_EQUAL: &str = "a >= b ? a : b";
    pub(in crate::usc) const LARGER: &str = "the larger of two";
    pub(in crate::usc) const SMALLER: &str = "the smaller of two";
    pub(in crate::usc) const IF_ZERO: &str = "a = 0 ? b : c";
    pub(in crate::usc) const CHOOSE: &str = "select.ne";
    pub(in crate::usc) const AND: &str = "and";
    pub(in crate::usc) const OR: &str = "or";
    pub(in crate::usc) const SHL: &str = "shl";
    pub(in crate::usc) const USHR: &str = "ushr";
    pub(in crate::usc) const ISHR: &str = "ishr";
    pub(in crate::usc) const UBFE: &str = "ubfe";
    pub(in crate::usc) const IBFE: &str = "ibfe";
    pub(in crate::usc) const BFI: &str = "bfi";
    pub(in crate::usc) const TRUNC: &str = "trunc";
    pub(in crate::usc) const RINT: &str = "rint";
    pub(in crate::usc) const LSB: &str = "lsb";
    pub(in crate::usc) const IMSB: &str = "imsb";
    pub(in crate::usc) const UMSB: &str = "umsb";
    pub(in crate::usc) const BREV: &str = "brev";
    pub(in crate::usc) const ISUB: &str = "isub";
    pub(in crate::usc) const XOR: &str = "xor";
    pub(in crate::usc) const FLOOR: &str = "floor";
    pub(in crate::usc) const MERGE: &str = "bits of a, others of b";
    pub(in crate::usc) const PACK: &str = "pck.f16f16";
    pub(in crate::usc) const KILL: &str = "atst";
    pub(in crate::usc) const SIN: &str = "sin";
    pub(in crate::usc) const COS: &str = "cos";
    pub(in crate::usc) const PERSPECTIVE: &str = "fitrp";
    pub(in crate::usc) const LINEAR: &str = "fitr";
    pub(in crate::usc) const LOOKUP: &str = "smp";
    pub(in crate::usc) const WAIT: &str = "wdf";
}

/// A test of two operands and a choice between them.
macro_rules! chosen {
    ($test:literal) => {
        concat!("mov ft0, {0}\nmov ft1, {1}\n", $test, " ftt, _, ft0, ft1\nmov {d}.e0.e1.e2.e3, ft1, ftt, ft0, ft1")
    };
}

/// The three groups of a minimum or maximum, by the difference whose sign says which to take.
macro_rules! least {
    ($difference:literal) => {
        concat!(
            "fmul ft0, {0}, c64\nmov ft1, {1}\ntstne.f32 ftt, _, {1}, {1}\nmov i0.e0.e1.e2.e3, ft1, ftt, ft0, ft1|",
            "mov ft0, i0\nmov ft1, {0}\ntstne.f32 ftt, _, {0}, {0}\nmov i1.e0.e1.e2.e3, ft1, ftt, ft0, ft1|",
            $difference,
            "\nmov ft1, i0\ntstgez.s32 ftt, _, ft0\nmov {d}.e0.e1.e2.e3, i1, ftt, ft1, ft1"
        )
    };
}

/// A bitwise group of the logical unit.
macro_rules! logical {
    ($op:literal) => {
        concat!("mov ft2, {0}\n", $op, " ft4, _, ft2, _, {1}\nmov {d}, ft4")
    };
}

/// One of the second shifter.
macro_rules! shift {
    ($op:literal) => {
        concat!("mov ft2, {0}\nor ft4, _, ft2, _, c0\n", $op, " ft5, ft4, {1}\nmov {d}, ft5")
    };
}

/// All forms but those of comparisons.
#[rustfmt::skip]
static FORMS: &[Form] = &[
    Form::new(names::MOV, "mov {f}, {0}").floats(1),
    Form::new(names::LITERAL, "mov ft0, ft1, c0, {#0}\nmov {d}, ft1"),
    // Phases 0 and 1. What fadd and fmul cannot negate is said as fmad.
    Form::new(names::FADD, "fadd{s} {f}, {0}, {1}").floats(3).narrow(2),
    Form::new(names::FMUL, "fmul{s} {f}, {0}, {1}").floats(3).narrow(2),
    Form::new(names::FMAD, "fmad{s} {f}, {0}, {1}, {2}").floats(7).narrow(2),
    Form::new(names::CLAMP, "fmul.sat {f}, {0}, c64").floats(1),
    Form::new(names::QUIET, "fmul {f}, {0}, c64").floats(1),
    Form::new(names::FLOOR, "fadd{s} {f}, {0}.flr, c141"),
    Form::new("fdsx", "fdsx {f}, {0}").floats(1),
    Form::new("fdsxf", "fdsxf {f}, {0}").floats(1),
    Form::new("fdsyf", "fdsyf {f}, {0}").floats(1),
    Form::new("fdsy", "fdsy {f}, {0}").floats(1),
    // Functions.
    Form::new("frcp", "frcp {d}, {0}").floats(1),
    Form::new("frsq", "frsq {d}, {0}").floats(1),
    Form::new("flog", "flog {d}, {0}").floats(1),
    Form::new("fexp", "fexp {d}, {0}").floats(1),
    Form::new(names::SIN, "fred.sin i1, i0, _, 0, {0},|fred.sin.partb i0, ft0, _, 0, {0}, i0|fsinc i1, p0, i0|fmul ft0, i1, i0\nmov {d}, ft0").floats(1),
    Form::new(names::COS, "fred.cos i1, i0, _, 0, {0},|fred.cos.partb i0, ft0, _, 0, {0}, i0|fsinc i1, p0, i0|fmul ft0, i1, i0\nmov {d}, ft0").floats(1),
    // Formulas.
    Form::new("fred.sin", "fred.sin i1, i0, _, 0, {0},|fred.sin.partb {d}, ft0, _, 0, {0}, i0").floats(1),
    Form::new("fred.cos", "fred.cos i1, i0, _, 0, {0},|fred.cos.partb {d}, ft0, _, 0, {0}, i0").floats(1),
    Form::new("fsinc", "fsinc {d}, p0, {0}").floats(1),
    Form::new("farctanc", "farctanc {d}, {0}").floats(1),
    Form::new("gcmp", "gcmp {d}, {0}").floats(1),
    Form::new("gexp", "gexp {d}, {0}").floats(1),
    // Choices.
    Form::new(names::MIN, "").floats(3),
    Form::new(names::MAX, "").floats(3),
    Form::new(names::LESS, chosen!("tstl.f32")).floats(3),
    Form::new(names::LESS_EQUAL, chosen!("tstle.f32")).floats(3),
    Form::new(names::GREATER, chosen!("tstg.f32")).floats(3),
    Form::new(names::GREATER_EQUAL, chosen!("tstge.f32")).floats(3),
    Form::new("imin", chosen!("tstl.s32")),
    Form::new("imax", chosen!("tstg.s32")),
    Form::new("umin", chosen!("tstl.u32")),
    Form::new("umax", chosen!("tstg.u32")),
    Form::new(names::LARGER, least!("fadd ft0, i1.neg, i0")).narrow(3),
    Form::new(names::SMALLER, least!("fadd ft0, i0.neg, i1")).narrow(3),
    Form::new(names::IF_ZERO, "mov ft0, {1}\nmov ft1, {2}\ntstz.u32 ftt, _, {0}\nmov {d}.e0.e1.e2.e3, ft1, ftt, ft0, ft1").floats(6),
    Form::new(names::CHOOSE, "mov ft0, {1}\nmov ft1, {2}\ntstz.u32 ftt, _, {0}\nmov {d}.e0.e1.e2.e3, ft0, ftt, ft1, ft1").floats(6),
    Form::new("select.lt", "mov ft0, {-0}\nmov ft1, {1}\ntstgz.f32 ftt, _, ft0\nmov {d}.e0.e1.e2.e3, {2}, ftt, ft1, ft1").floats(3),
    Form::new("select.gt", "mov ft0, {0}\nmov ft1, {1}\ntstgz.f32 ftt, _, ft0\nmov {d}.e0.e1.e2.e3, {2}, ftt, ft1, ft1").floats(3),
    // Whole numbers.
    Form::new("iadd", "umadd32 ft0, {0}, c1, {1}, _\nmov {d}, ft0"),
    Form::new(names::ISUB, "umadd32 ft0, {0}, c1, {1}.neg, _\nmov {d}, ft0"),
    Form::new("ineg", "umadd32 ft0, {0}.neg, c1, c0, _\nmov {d}, ft0"),
    Form::new("iabs", "umadd32 ft0, {0}.abs, c1, c0, _\nmov {d}, ft0"),
    Form::new("imul", "umadd32 ft0, {0}, {1}, c0, _\nmov {d}, ft0").narrow(2),
    Form::new("umulhi", "umadd64 ft0, {0}, {1}, c0, c0\nmov {d}, fte").narrow(2),
    Form::new("imulhi", "smadd64 ft0, {0}, {1}, c0, c0\nmov {d}, fte").narrow(2),
    Form::new(names::AND, logical!("and")),
    Form::new(names::OR, logical!("or")),
    Form::new(names::XOR, logical!("xor")),
    Form::new("not", "mov ft2, {0}\nxor ft4, _, ft2, _, c143\nmov {d}, ft4"),
    Form::new(names::SHL, shift!("lsl")).narrow(2),
    Form::new(names::USHR, shift!("shr")).narrow(2),
    Form::new(names::ISHR, shift!("asr.twb")).narrow(2),
    Form::new(names::BREV, "rev ft2, {0}\nor ft4, _, ft2, _, c0\nmov {d}, ft4"),
    Form::new("popc", "mov ft2, {0}\ncbs ft3, ft2\nmov {d}, ft3"),
    Form::new(names::UMSB, "mov ft2, {0}\nftb ft3, ft2\nmov {d}, ft3"),
    // Made of others.
    Form::new(names::TRUNC, "").floats(1),
    Form::new(names::RINT, "").floats(1),
    Form::new(names::LSB, ""),
    Form::new(names::IMSB, ""),
    // Fields; lowering makes others of them, but for the last.
    Form::new(names::UBFE, ""),
    Form::new(names::IBFE, ""),
    Form::new(names::BFI, ""),
    Form::new(names::MERGE, "mov ft0, ft1, c0, {#0}\nmov ft2, {1}\nor ft4, ft1, ft2, ft1.invert, {2}\nmov {d}, ft4"),
    // Questions to the quad: `{2}` is the mask count.
    Form::new("any", "mov ft0, {0}\ntstz.u32 ftt, p0, ft0|(ignorepe) { cndlt 3, i2, p0, c0, 1 }|(ignorepe) { cndend i2, {2}, 0 }|mov ft0, c0\nmov {d}, ft0|if(p0) {\nmov ft0, c143\nmov {d}, ft0\n}").counting(),
    Form::new("all", "mov ft0, {0}\ntstz.u32 ftt, p0, ft0|(ignorepe) { cndlt 1, i2, p0, c0, 1 }|(ignorepe) { cndend i2, {2}, 0 }|mov ft0, c143\nmov {d}, ft0|if(p0) {\nmov ft0, c0\nmov {d}, ft0\n}").counting(),
    // Constants at an address.
    Form::new(names::LOAD, "mov ft0, {0}\nmov idx0, ft0|mov ft0, {1}[idx0]\nmov {d}, ft0"),
    // Conversions.
    Form::new("pck.s32.roundzero", "mov ft0, {0}\npck.s32.roundzero ft2, ft0\nmov {d}, ft2").floats(1),
    Form::new("pck.u32.roundzero", "mov ft0, {0}\npck.u32.roundzero ft2, ft0\nmov {d}, ft2").floats(1),
    Form::new("pck.s32", "mov ft0, {0}\npck.s32 ft2, ft0\nmov {d}, ft2").floats(1),
    Form::new("pck.u32", "mov ft0, {0}\npck.u32 ft2, ft0\nmov {d}, ft2").floats(1),
    Form::new(names::PACK, "mov ft0, {0}\npck.f16f16 ft2, ft0\nmov {d}, ft2").floats(1),
    Form::new("unpck.s32", "unpck.s32 ft0, {0}.e0\nmov {d}, ft0"),
    Form::new("unpck.u32", "unpck.u32 ft0, {0}.e0\nmov {d}, ft0"),
    Form::new("unpck.f16f16", "unpck.f16f16 ft0, {0}.e0\nmov {d}, ft0"),
    // What leaves no value, and what has more than one.
    Form::new(names::KILL, "mov ft0, {-0}\ntstgz.f32 ftt, p0, ft0|if(p0) {\natst _, c0, c0, c0\n}").floats(1),
    Form::new(names::PERSPECTIVE, ""),
    Form::new(names::LINEAR, ""),
    Form::new(names::LOOKUP, ""),
    Form::new(names::WAIT, "wdf drc0"),
];

/// A comparison: its operation, the outcome that is true, the test and what the bits are.
struct Comparison {
    op: Op,
    outcome: bool,
    is_one: bool,
    form: Form,
}

/// Comparisons by their tests. Those of floats take signs and can give 1.
const TESTS: [(Op, &str); 12] = [
    (Op::FLt, "tstl.f32"),
    (Op::FLe, "tstle.f32"),
    (Op::FGt, "tstg.f32"),
    (Op::FGe, "tstge.f32"),
    (Op::FEq, "tste.f32"),
    (Op::FNe, "tstne.f32"),
    (Op::Ilt, "tstl.s32"),
    (Op::Ile, "tstle.s32"),
    (Op::Ult, "tstl.u32"),
    (Op::Ule, "tstle.u32"),
    (Op::Ieq, "tste.u32"),
    (Op::Ine, "tstne.u32"),
];

/// A text that is made once.
fn made(text: String) -> &'static str {
    Box::leak(text.into_boxed_str())
}

/// A test that gives a constant or 0.
static COMPARISONS: LazyLock<Vec<Comparison>> = LazyLock::new(|| {
    let mut list = Vec::new();
    for (op, test) in TESTS {
        let of_floats = test.ends_with(".f32");
        for (outcome, is_one) in [(true, false), (false, false), (true, true), (false, true)] {
            if is_one && !of_floats {
                continue;
            }
            let (what, constant) = if is_one { ("one", "c64") } else { ("bits", "c143") };
            let (then, other) = if outcome { (constant, "ft2") } else { ("ft2", constant) };
            let not = if outcome { "" } else { ", not" };
            let text = format!(
                "mov ft0, {{0}}\nmov ft1, {{1}}\npck.zero ft2, ft0\n{test} ftt, _, ft0, ft1\n\
                 mov {{d}}.e0.e1.e2.e3, {other}, ftt, {then}, ft1"
            );
            let form = Form::new(made(format!("{test} {what}{not}")), made(text)).floats(if of_floats { 3 } else { 0 });
            list.push(Comparison { op, outcome, is_one, form });
        }
    }
    list
});

/// Tests of two operands with a choice between them and another one.
static CHOICES: LazyLock<Vec<Form>> = LazyLock::new(|| {
    let mut choices = Vec::new();
    for comparison in COMPARISONS.iter() {
        let Some((test, false)) = tested(comparison.form.name) else { continue };
        for (then, other) in [('A', 'B'), ('B', 'A'), ('A', 'X'), ('B', 'X'), ('X', 'A'), ('X', 'B')] {
            let feed = |letter| match letter {
                'A' => "ft0",
                'B' => "ft1",
                _ => "{2}",
            };
            let text = format!(
                "mov ft0, {{0}}\nmov ft1, {{1}}\n{test} ftt, _, ft0, ft1\nmov {{d}}.e0.e1.e2.e3, {}, ftt, {}, ft1",
                feed(other),
                feed(then)
            );
            let name = made(format!("{test} {then}:{other}"));
            choices.push(Form::new(name, made(text)).floats(comparison.form.signed));
        }
    }
    choices
});

/// What the level of a lookup is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Level {
    Implicit,
    /// Of coordinates that are divided first.
    Projected,
    Bias,
    Given,
}

/// A lookup.
#[derive(Copy, Clone, Debug)]
pub(super) struct Sampled {
    pub(super) dimensions: usize,
    pub(super) level: Level,
    pub(super) is_array: bool,
    pub(super) channels: usize,
}

impl Sampled {
    const COUNT: usize = 3 * 4 * 2 * 4;

    /// All of them, by their numbers.
    fn all() -> impl Iterator<Item = Sampled> {
        const LEVELS: [Level; 4] = [Level::Implicit, Level::Projected, Level::Bias, Level::Given];
        (0..Sampled::COUNT).map(|n| Sampled {
            dimensions: 1 + n / 32,
            level: LEVELS[n / 8 % 4],
            is_array: n / 4 % 2 == 1,
            channels: 1 + n % 4,
        })
    }

    fn number(self) -> usize {
        (((self.dimensions - 1) * 4 + self.level as usize) * 2 + usize::from(self.is_array)) * 4 + self.channels - 1
    }

    /// Its form: the operands are a texture state, the first register of the coordinates and a sampler state.
    fn made(self) -> Form {
        let Sampled { dimensions, level, is_array, channels } = self;
        let (project, level, more) = match level {
            Level::Implicit => ("", "", 0),
            Level::Projected => (".proj", "", 1),
            Level::Bias => ("", ".bias.pplod", 1),
            Level::Given => ("", ".replace.pplod", 1),
        };
        let array = if is_array { ".array" } else { "" };
        let name = made(format!("smp{dimensions}d{project}.fcnorm{level}{array}, {channels}"));
        let text =
            format!("smp{dimensions}d{project}.fcnorm{level}{array} drc0, {{0}}, {{1}}, {{2}}, _, {{d}}, {channels}");
        let coordinates = (dimensions + more + usize::from(is_array)) as u32;
        Form { coordinates, results: channels as u32, ..Form::new(name, made(text)) }
    }

    /// The same with its number.
    pub(super) fn form(self) -> &'static Form {
        let first = NUMBERED.len() - Sampled::COUNT;
        &NUMBERED[first + self.number()]
    }
}

/// The forms with their numbers; lookups are the last.
static NUMBERED: LazyLock<Vec<Form>> = LazyLock::new(|| {
    let compared = COMPARISONS.iter().map(|comparison| comparison.form);
    let lookups = Sampled::all().map(Sampled::made);
    let all = FORMS.iter().copied().chain(compared).chain(CHOICES.iter().copied()).chain(lookups);
    let mut groups = 0;
    let numbered = (0..).zip(all).map(|(number, form)| {
        let form = form.numbered(number, groups);
        groups += form.groups.len() as u16;
        form
    });
    numbered.collect()
});

/// All forms.
#[cfg(test)]
pub(super) fn all() -> &'static [Form] {
    &NUMBERED
}

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

/// The number of a form that is no comparison.
pub(super) const fn number_of(name: &str) -> u16 {
    let mut number = 0;
    loop {
        let (of, mut n) = (FORMS[number].name.as_bytes(), 0);
        if of.len() == name.len() {
            while n < of.len() && of[n] == name.as_bytes()[n] {
                n += 1;
            }
            if n == of.len() {
                return number as u16;
            }
        }
        number += 1;
    }
}

/// The form of a number.
pub(super) fn numbered(number: u16) -> &'static Form {
    &NUMBERED[usize::from(number)]
}

/// The form of a name that is known to the compiler, which need not be looked for.
macro_rules! known {
    ($name:expr) => {
        crate::usc::forms::numbered(const { crate::usc::forms::number_of($name) })
    };
}
pub(super) use known;

/// Operations that one form computes.
const EACH: [(Op, &str); 38] = [
    (Op::Add, names::FADD),
    (Op::Mul, names::FMUL),
    (Op::Mad, names::FMAD),
    (Op::Min, names::MIN),
    (Op::Max, names::MAX),
    (Op::Floor, names::FLOOR),
    (Op::F2iTrunc, "pck.s32.roundzero"),
    (Op::F2uTrunc, "pck.u32.roundzero"),
    (Op::F2iRint, "pck.s32"),
    (Op::F2uRint, "pck.u32"),
    (Op::I2f, "unpck.s32"),
    (Op::U2f, "unpck.u32"),
    (Op::UpHalf, "unpck.f16f16"),
    (Op::PackHalf2, names::PACK),
    (Op::Iadd, "iadd"),
    (Op::Isub, names::ISUB),
    (Op::Ineg, "ineg"),
    (Op::Iabs, "iabs"),
    (Op::Imul, "imul"),
    (Op::UmulHi, "umulhi"),
    (Op::ImulHi, "imulhi"),
    (Op::Imin, "imin"),
    (Op::Imax, "imax"),
    (Op::Umin, "umin"),
    (Op::Umax, "umax"),
    (Op::Iand, names::AND),
    (Op::Ior, names::OR),
    (Op::Ixor, names::XOR),
    (Op::Inot, "not"),
    (Op::Popc, "popc"),
    (Op::Umsb, names::UMSB),
    (Op::Ubfe, names::UBFE),
    (Op::Ibfe, names::IBFE),
    (Op::Bfi, names::BFI),
    (Op::Trunc, names::TRUNC),
    (Op::Rint, names::RINT),
    (Op::Lsb, names::LSB),
    (Op::Imsb, names::IMSB),
];

const SHIFTS: [(Op, &str); 4] =
    [(Op::Shl, names::SHL), (Op::Ushr, names::USHR), (Op::Ishr, names::ISHR), (Op::Brev, names::BREV)];

/// Functions of one operand.
const FUNCTIONS: [(Op, &str); 6] = [
    (Op::Rcp, "frcp"),
    (Op::Rsq, "frsq"),
    (Op::Log2, "flog"),
    (Op::Exp2, "fexp"),
    (Op::Sin, names::SIN),
    (Op::Cos, names::COS),
];

/// Functions whose meaning is a formula, and how each is computed of `r1`.
const FORMULAS: [(&str, &str); 7] = [
    ("fred.sin", "fred.sin i1, i0, _, 0, r1,\n2 : fred.sin.partb r0, ft0, _, 0, r1, i0"),
    ("fred.cos", "fred.cos i1, i0, _, 0, r1,\n2 : fred.cos.partb r0, ft0, _, 0, r1, i0"),
    ("fsinc", "fsinc r0, p0, r1"),
    ("farctanc", "farctanc r0, r1"),
    ("gcmp", "gcmp r0, r1"),
    ("gexp", "gexp r0, r1"),
    ("fdsx", "fdsx ft0, r1\n mov r0, ft0"),
];

/// What the frontend makes of them.
pub(super) fn formulas() -> Vec<Formula> {
    let options = Options { watch: vec!["r0".to_string()], ..Options::default() };
    let formula = |&(name, computed): &(&str, &str)| {
        let text = format!("0 : fadd ft0, sh0, sh1\n mov r1, ft0\n1 : {computed}\n");
        let request = Request { bytes: text.as_bytes(), layout: Layout::default(), options: &options };
        Formula::new(form(name).row(), (FRONTEND.read)(&request).shader?.func)
    };
    FORMULAS.iter().filter_map(formula).collect()
}

/// The rows by their meanings.
pub(super) fn rows() -> Rows {
    let mut rows = Rows::default();
    let mut put = |meaning: Meaning, name: &str| rows.put(meaning, form(name).row());
    put(Meaning::Move, names::MOV);
    put(Meaning::Kill, names::KILL);
    put(Meaning::Select(Op::Ine), names::CHOOSE);
    put(Meaning::Select(Op::FLt), "select.lt");
    put(Meaning::Select(Op::FGt), "select.gt");
    put(Meaning::QuadAny, "any");
    put(Meaning::QuadAll, "all");
    put(Meaning::Derivative(Axis::X, true), "fdsxf");
    put(Meaning::Derivative(Axis::Y, true), "fdsyf");
    put(Meaning::Derivative(Axis::Y, false), "fdsy");
    FUNCTIONS.iter().for_each(|&(op, name)| put(Meaning::Scalar(op), name));
    EACH.iter().chain(&SHIFTS).for_each(|&(op, name)| put(Meaning::Each(op), name));
    for Comparison { op, outcome, is_one, form } in COMPARISONS.iter() {
        let meaning = if *is_one { Meaning::Set(*op, *outcome) } else { Meaning::SetBits(*op, *outcome) };
        rows.put(meaning, self::form(form.name).row());
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_one_each_and_all_that_are_asked_for_exist() {
        assert_eq!(BY_NAME.len(), FORMS.len() + COMPARISONS.len() + CHOICES.len() + Sampled::COUNT);
        for (_, name) in EACH.iter().chain(&SHIFTS).chain(&FUNCTIONS) {
            assert!(BY_NAME.contains_key(name), "{name}");
        }
        for name in [names::LITERAL, names::LOOKUP, names::LINEAR] {
            assert_eq!(form(name).name, name);
        }
    }

    #[test]
    fn lookups_have_a_form_each() {
        for lookup in Sampled::all() {
            assert_eq!(lookup.form().text, lookup.made().text, "{lookup:?}");
        }
    }

    #[test]
    fn all_formulas_are_lifted() {
        assert_eq!(formulas().len(), FORMULAS.len());
    }

    #[test]
    fn texts_have_a_place_for_each_operand() {
        for form in BY_NAME.values().filter(|form| !form.text.is_empty()) {
            for n in (0..3).filter(|n| (form.signed | form.narrow) >> n & 1 != 0) {
                let is_there = [format!("{{{n}}}"), format!("{{-{n}}}")].iter().any(|place| form.text.contains(place));
                assert!(is_there, "{}: operand {n}", form.name);
            }
            let has_no_result = [names::KILL, names::WAIT].contains(&form.name);
            assert!(form.is_early || form.text.contains("{d}") || has_no_result, "{}", form.name);
        }
    }
}
