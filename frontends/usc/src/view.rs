//! Typed views of rows: what their fields and sources are, and what they are to their group. Found once for each row, so that
//! nobody else has to know where a field stands.

use crate::fields::SOURCES;
use crate::isa::{Kind, Usc};
use crate::layout::{groups, slot};
use crate::opcode::{Opcode, Phase};
use crate::operand::OPERANDS;
use parallax_isa::{Field, Meaning, Row, RowId};
use std::sync::LazyLock;

/// Declares what is looked up by name: spelled by the name of its field or operand.
macro_rules! names {
    ($(#[$doc:meta])* $type:ident: $($(#[$one:meta])* $name:ident = $text:literal,)*) => {
        $(#[$doc])*
        #[derive(Copy, Clone, Debug, PartialEq, Eq)]
        pub enum $type {
            $($(#[$one])* #[doc = concat!("`", $text, "`")] $name,)*
        }

        impl $type {
            const COUNT: usize = [$($text),*].len();

            fn of(text: &str) -> Option<$type> {
                match text {
                    $($text => Some($type::$name),)*
                    _ => None,
                }
            }
        }
    };
}

names! {
    /// A field of an operation's word, by its name in [`Field::name`].
    Name:
    Saturate = "sat",
    WritesP0 = "p0",
    Half = "half",
    Element = "element",
    Format = "format",
    Scale = "scale",
    RoundZero = "rtz",
    Programmable = "prog",
    Cosine = "cos",
    PartB = "partb",
    Carry = "carry",
    Signed = "signed",
    Is16Bit = "wide16",
    Type = "type",
    Relation = "relation",
    Moved0 = "movw0",
    Moved1 = "movw1",
    Bytes = "mask",
    Literal = "literal",
    CountsFt2 = "count.ft2",
    MasksFt2 = "ft2.mask",
    MasksS3 = "s3.mask",
    TestsFt3 = "test.ft3",
    What = "what",
    IsOutput1 = "w1",
    Address = "address",
    Slot = "slot",
    Place = "mode",
    Count = "count",
    Dimensions = "dimension",
    Channels = "channels",
    Level = "lod",
    PerPixelLevel = "pplod",
    Returned = "sbmode",
    Projected = "proj",
    TexelCoordinates = "nncoords",
    Offset = "soo",
    SampleNumber = "sno",
    AddressOverride = "tao",
    Layers = "array",
    IntegerCoordinates = "integer",
    Comparison = "comparison",
    HalfCoordinates = "f16coords",
    HalfResult = "f16",
    Write = "write",
    Target = "target",
    IsAbsolute = "absolute",
    Links = "link",
    Who = "who",
    Condition = "pcnd",
    Adjustment = "adjust",
    BaseOffset = "offset",
    OfShared = "shared",
    Destination = "dest",
    Coefficients = "coeff",
    CoefficientsOfW = "wcoeff",
    Perspective = "perspective",
    Index = "index",
    IndexOfW = "windex",
    Texture = "texture",
    Line = "line",
    Operator = "operator",
    Result = "result",
}

names! {
    /// A source of an operation, by the name of its operand.
    Source:
    First = "a",
    Second = "b",
    Third = "c",
    State = "state",
    Coordinates = "coordinates",
    SharedLevel = "level",
    Result = "result",
    Coefficients = "coefficients",
    CoefficientsOfW = "w",
    Reference = "reference",
    Tested = "tested",
    Relation = "relation",
}

/// Fields that patterns fix: operations are told apart by them, and still have much in common. Of two of a name, the last that
/// fits the word.
static FIXED: &[(&[Opcode], Field)] = {
    use Opcode::*;
    &[
        (&[AddNarrow, MulNarrow, MadNarrow], Field::new("wide16", 0, 1)),
        (&[AddNarrow, MulNarrow, MadNarrow], Field::new("signed", 1, 1)),
        (&[Add64, Add6432, Madd32, Madd64], Field::new("signed", 3, 1)),
        (&[Test], Field::new("relation", 1, 3)),
        (&[Test], Field::new("relation", 1, 3).then(8, 1)),
        (&[Mov, Movc], Field::new("mask", 10, 4)),
        (&[Sop], Field::new("line", 110, 1)),
        (&[Uvsw], Field::new("what", 0, 3)),
        (&[Smp], Field::new("dimension", 13, 2)),
        (&[Itrsmp], Field::new("dimension", 32, 2)),
        (&[Branch], Field::new("absolute", 9, 1)),
        (&[Branch], Field::new("link", 12, 1)),
        (&[Sbo], Field::new("shared", 8, 1)),
    ]
};

/// What is done to one of the first three sources: bits of the word, and the field of its element.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct Modified {
    pub(crate) floor: u32,
    pub(crate) absolute: u32,
    pub(crate) negate: u32,
    pub(crate) element: Option<&'static Field>,
}

/// What a row is, in one of the parts that have it.
pub(crate) struct View {
    /// The number of the part in its layout.
    pub(crate) slot: u8,
    pub(crate) id: RowId,
    pub(crate) row: &'static Row<Usc>,
    pub(crate) opcode: Opcode,
    /// Where it is executed; `None` for what is no operation.
    pub(crate) phase: Option<Phase>,
    fields: [Option<&'static Field>; Name::COUNT],
    sources: [Option<u8>; Source::COUNT],
    pub(crate) modified: [Modified; 3],
    /// All bits of modifiers.
    pub(crate) modifiers: u32,
    /// fte is the high word.
    pub(crate) wide: bool,
    /// It names output 0.
    pub(crate) first: bool,
    /// It names output 1.
    pub(crate) second: bool,
    /// It can stand in phase 1.
    pub(crate) one: bool,
    /// Where it stands in phase 2: move, test, pack; 0 elsewhere.
    pub(crate) late: u8,
    /// It looks at the test of its group.
    pub(crate) conditional: bool,
    /// Nobody describes its operands.
    pub(crate) spelled: bool,
    /// Its bytes, as far as the header counts them.
    pub(crate) counted: u8,
    /// The form that says the same in fewer bytes or has an encoding, and the bits of the word that it does not have.
    pub(crate) shorter: Option<(u8, RowId, u128)>,
}

impl View {
    fn of(slot: u8, id: RowId, row: &'static Row<Usc>) -> View {
        use Opcode::*;
        let opcode = match row.meaning {
            Meaning::Lift(opcode) => opcode,
            Meaning::Unsupported(_) | Meaning::Refused(_) => Other,
        };
        // A bit test that is none is no operation.
        let phase = phase(slot).filter(|_| slot != slot::TEST || row.name != "none");
        let is = |all: &[Opcode]| phase.is_some() && all.contains(&opcode);
        let mut view = View {
            slot,
            id,
            row,
            opcode,
            phase,
            fields: [None; Name::COUNT],
            sources: [None; Source::COUNT],
            modified: [Modified::default(); 3],
            modifiers: 0,
            wide: is(&[Add64, Add6432, Madd64]),
            first: is(&[Frcp, Frsq, Fsqrt, Flog, Flogcn, Fexp, Gcmp, Gexp, Fsinc, Farctanc, Fred, Sop, WideSum]),
            second: is(&[Fred, Sop, Sopmov, WideSum, Movc]),
            one: is(&[Fadd, Fmul, Fmad, Mbyp, Fdsx, Fdsy, Fdsxf, Fdsyf]),
            late: [&[Mov, Movc][..], &[Test], &[Pck]].iter().position(|all| is(all)).map_or(0, |n| n as u8 + 1),
            conditional: row.form.starts_with("test"),
            spelled: row.operands.iter().any(|operand| operand.kind == Kind(&OPERANDS)),
            shorter: shorter(slot, row),
            counted: if is_counted(slot) { (row.pattern.width / 8) as u8 } else { 0 },
        };
        let fixed = FIXED.iter().filter(|(opcodes, _)| opcodes.contains(&opcode)).map(|(_, field)| field);
        for field in row.fields().into_iter().chain(fixed) {
            let bits = field.mask().word();
            if bits != 0 && bits >> (row.pattern.width - 1) < 2 {
                view.note(field, bits as u32);
            }
        }
        for operand in row.operands {
            let fields = operand.kind.0.fields();
            let mut sources = (0..6).filter(|n| fields.contains(&SOURCES[*n as usize]));
            if let (Some(name), Some(n), None) = (Source::of(operand.name), sources.next(), sources.next()) {
                view.sources[name as usize] = Some(if slot == slot::ONE { n + 3 } else { n });
            }
        }
        view
    }

    fn note(&mut self, field: &'static Field, bits: u32) {
        if let Some(name) = Name::of(field.name) {
            self.fields[name as usize] = Some(field);
        }
        let Some((number, modifier)) = field.name.strip_prefix('s').and_then(|rest| rest.split_at_checked(1)) else {
            return;
        };
        let Some(modified) = number.parse().ok().and_then(|n: usize| self.modified.get_mut(n)) else { return };
        match modifier {
            "flr" => modified.floor = bits,
            "abs" => modified.absolute = bits,
            "neg" => modified.negate = bits,
            "element" | "high" | "upper" => return modified.element = Some(field),
            _ => return,
        }
        self.modifiers |= bits;
    }

    /// A field; `None` where the row has no such.
    #[inline]
    pub(crate) fn field(&self, name: Name) -> Option<&'static Field> {
        self.fields[name as usize]
    }

    /// The number of a source among the six of the group; the first where it has no such.
    #[inline]
    pub(crate) fn source(&self, source: Source) -> usize {
        self.sources[source as usize].unwrap_or(0).into()
    }
}

/// Most rows of a table.
const MOST_ROWS: usize = 256;

/// The view of a row of a part.
///
/// # Panics
/// If the part has no such row.
#[inline]
pub(crate) fn view(slot: u8, row: RowId) -> &'static View {
    /// By the number of the part and that of the row.
    static VIEWS: LazyLock<Vec<Option<View>>> = LazyLock::new(|| {
        let of = |n: usize| {
            let (slot, id) = ((n / MOST_ROWS) as u8, RowId((n % MOST_ROWS) as u16));
            groups().codec(slot).rows().nth(id.index()).map(|(id, row)| View::of(slot, id, row))
        };
        (0..MOST_ROWS * (usize::from(slot::BITWISE_OUTPUTS) + 1)).map(of).collect()
    });
    let view = VIEWS[usize::from(slot) * MOST_ROWS + row.index()].as_ref();
    view.expect("rows come from the table of their part")
}

/// The form of the same mnemonic that says the same as a row in fewer bytes, and the bits of the longer word that it does not
/// have.
fn shorter(slot: u8, long: &Row<Usc>) -> Option<(u8, RowId, u128)> {
    let (slot, form) = match (slot, long.form) {
        (slot::BACKEND, "emit and end, other spelling, no encoding") => (slot, "emit and end"),
        (slot::NARROW, _) => (slot::ZERO, ""),
        (slot::ZERO | slot::ONE | slot::LATE, "") => (slot, "short"),
        _ => return None,
    };
    let mut rows = groups().codec(slot).rows();
    let (id, short) = rows.find(|(_, short)| short.name == long.name && short.form == form)?;
    Some((slot, id, long.pattern.free & !short.pattern.free))
}

/// Whether the header counts the bytes of a part among those before the operands.
fn is_counted(slot: u8) -> bool {
    use slot::*;
    matches!(slot, HEADER | EXTENSION | BACKEND | LATE | SHIFT2 | LOGICAL | MASK | CONTROL)
}

/// The phase of a part, if it is an operation.
fn phase(slot: u8) -> Option<Phase> {
    Some(match slot {
        slot::ZERO | slot::NARROW | slot::COUNT | slot::SHIFT1 | slot::MASK => Phase::Zero,
        slot::ONE | slot::LOGICAL => Phase::One,
        slot::LATE | slot::TEST | slot::SHIFT2 => Phase::Two,
        slot::BACKEND => Phase::Backend,
        slot::CONTROL => Phase::Control,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A name that is spelled otherwise than the fields would read as 0 everywhere.
    #[test]
    fn every_name_is_that_of_some_row() {
        let mut fields = [false; Name::COUNT];
        let mut sources = [false; Source::COUNT];
        for slot in 0..=slot::BITWISE_OUTPUTS {
            for (row, _) in groups().codec(slot).rows() {
                let view = view(slot, row);
                fields.iter_mut().zip(view.fields).for_each(|(found, field)| *found |= field.is_some());
                sources.iter_mut().zip(view.sources).for_each(|(found, source)| *found |= source.is_some());
            }
        }
        assert_eq!((fields, sources), ([true; Name::COUNT], [true; Source::COUNT]));
    }
}
