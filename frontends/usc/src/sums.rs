//! The four-fold and byte forms of the sum of products. Nobody knows their encoding, and they have more operands than other
//! operations: what they say is read from the text of the statement and kept beside the group.

use crate::fields;
use crate::opcode::codes;
use crate::{register, register::Register};
use parallax_isa::{Encoding, Numeral};
use parallax_text::{Diag, Span};
use smallvec::SmallVec;

codes! {
    /// What joins two products.
    Operator:
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

/// An operand of a sum of products; by default the constant 0.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
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
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Width {
    /// The register as F32, narrowed to F16.
    #[default]
    F32,
    /// This half.
    F16(u8),
    /// This byte, over 255.
    U8(u8),
}

/// What a group with such operations computes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct WideSum {
    /// Its lines.
    pub lines: SmallVec<[SumLine; 4]>,
    /// What output 1 copies.
    pub copy: Option<Register>,
    /// The registers of the outputs.
    pub outputs: [Option<Register>; 2],
}

/// A line: what it computes, and where that goes.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct SumLine {
    /// Number of the output.
    pub output: u8,
    /// Bits it takes of the output: 32 for an F32, 16 for a half, 8 for a byte.
    pub width: u8,
    /// Number of that half or byte.
    pub element: u8,
    /// Clamped to 0 to 1; bytes always are.
    pub clamp: bool,
    /// What is computed.
    pub sum: Sum,
}

impl SumLine {
    /// The registers it reads.
    pub(crate) fn reads(&self) -> impl Iterator<Item = Register> + '_ {
        let factors = match &self.sum {
            Sum::Mad(factors) => &factors[..],
            Sum::Products(_, factors, _) => &factors[..],
        };
        factors.iter().filter_map(|factor| factor.register)
    }
}

/// What a line computes.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Sum {
    /// a * e + v.
    Mad([Factor; 3]),
    /// (a * e) op (b * f); or with 1 or 2, what a or b is.
    Products(Operator, [Factor; 4], u8),
}

impl WideSum {
    /// The registers it reads.
    pub(crate) fn reads(&self) -> impl Iterator<Item = Register> + '_ {
        self.lines.iter().flat_map(SumLine::reads).chain(self.copy)
    }

    /// Adds what another statement of the group says.
    pub(crate) fn join(&mut self, other: WideSum) {
        self.lines.extend(other.lines);
        self.copy = self.copy.or(other.copy);
        for (own, other) in self.outputs.iter_mut().zip(other.outputs) {
            *own = own.or(other);
        }
    }

    /// What it says of the operands that all operations of a group share.
    pub(crate) fn encoding(&self) -> Encoding {
        let mut encoding = Encoding::default();
        let all = [(&fields::W0, &fields::W0P), (&fields::W1, &fields::W1P)];
        for ((field, present), output) in all.into_iter().zip(self.outputs) {
            if let Some(code) = output.and_then(Register::encode) {
                let _ = encoding.put(field, code.into()) && encoding.put(present, 1);
            }
        }
        encoding
    }
}

/// The operands of a statement.
struct Operands<'a> {
    /// Their texts, and where they start.
    all: Vec<(&'a str, usize)>,
    at: usize,
    end: usize,
}

/// What is read, or why it is not.
type Read<T> = Result<T, Box<Diag>>;

/// Reads a statement of one of these operations; `None` for other operations. `start` is where it stands.
///
/// # Errors
/// An operand that cannot stand where it does.
pub(crate) fn read(statement: &str, start: usize) -> Read<Option<WideSum>> {
    let head = statement.find(|c: char| c.is_ascii_whitespace()).unwrap_or(statement.len());
    let mut operands = Operands::of(statement, head, start);
    let (name, modifiers) = statement[..head].split_once('.').unwrap_or((&statement[..head], ""));
    let mut sum = WideSum::default();
    match (name.trim_start_matches("f16"), modifiers.split('.').next().unwrap_or("")) {
        ("sop", "mad") => operands.mad(&mut sum, false)?,
        ("sop", "u8mad") => operands.mad(&mut sum, true)?,
        ("sop", "u8") => operands.bytes(&mut sum)?,
        ("sopmov", "u8") => {
            operands.output(&mut sum, 0)?;
            operands.copy(&mut sum)?;
        }
        ("sopu8madmov", _) => operands.copy(&mut sum)?,
        _ => return Ok(None),
    }
    operands.done()?;
    Ok(Some(sum))
}

impl<'a> Operands<'a> {
    fn of(statement: &'a str, head: usize, start: usize) -> Operands<'a> {
        let mut at = head;
        let operand = |text: &'a str| {
            let blanks = text.len() - text.trim_start().len();
            let found = (text.trim(), start + at + blanks);
            at += text.len() + 1;
            found
        };
        let all = statement[head..].split(',').map(operand).collect();
        Operands { all, at: 0, end: start + statement.len() }
    }

    /// The next operand, empty behind the last one.
    fn next(&mut self) -> (&'a str, usize) {
        let found = self.all.get(self.at).copied().unwrap_or(("", self.end));
        self.at += 1;
        found
    }

    fn done(&mut self) -> Read<()> {
        match self.all.get(self.at) {
            Some((text, at)) if !text.is_empty() => refuse(*at, text, "the end of the statement"),
            _ => Ok(()),
        }
    }

    /// A destination: the register of an output, `w0`, `w1` or `_`; the modifiers behind it.
    fn output(&mut self, sum: &mut WideSum, output: usize) -> Read<Vec<&'a str>> {
        let (text, at) = self.next();
        let mut parts = text.split('.');
        let name = parts.next().unwrap_or("");
        if !matches!(name, "" | "_" | "w0" | "w1") {
            let Some(register) = named(name) else { return refuse(at, text, "a register, `w0`, `w1` or `_`") };
            if sum.outputs[output].replace(register).is_some_and(|other| other != register) {
                return refuse(at, text, "the register of the same output as before");
            }
        }
        Ok(parts.collect())
    }

    /// A destination that is a part of an output; whether it is clamped, and what it takes.
    fn part(&mut self, sum: &mut WideSum, output: usize, line: &mut SumLine, fixed: bool) -> Read<u8> {
        let (text, at) = self.all.get(self.at).copied().unwrap_or(("", self.end));
        let mut result = 0;
        for modifier in self.output(sum, output)? {
            match modifier {
                "u8" if line.width == 8 => {}
                "f16" if line.width == 16 => {}
                "clamp" => line.clamp = true,
                "e0" | "e1" | "e2" | "e3" => {
                    let element = modifier.as_bytes()[1] - b'0';
                    if fixed && element != line.element || element >= 32 / line.width {
                        return refuse(at, text, "the element of this place");
                    }
                    line.element = element;
                }
                "joutj" | "koutk" | "joutjc" | "koutkc" => result = 0,
                "jouta" | "koutc" => result = 1,
                "joutb" | "koutd" => result = 2,
                _ => return refuse(at, text, "an element, `clamp`, or what the line gives"),
            }
        }
        Ok(result)
    }

    fn copy(&mut self, sum: &mut WideSum) -> Read<()> {
        self.output(sum, 1)?;
        self.copied(sum)
    }

    /// What output 1 copies.
    fn copied(&mut self, sum: &mut WideSum) -> Read<()> {
        let (text, at) = self.next();
        sum.copy = match text {
            "" | "_" => return Ok(()),
            name => match named(name) {
                Some(register) => Some(register),
                None => return refuse(at, text, "a register or `_`"),
            },
        };
        Ok(())
    }

    /// Four destinations, for bytes the copy's, four triples, for bytes what is copied.
    fn mad(&mut self, sum: &mut WideSum, byte: bool) -> Read<()> {
        let mut lines = [SumLine {
            output: 0,
            width: if byte { 8 } else { 16 },
            element: 0,
            clamp: false,
            sum: Sum::Mad([Factor::default(); 3]),
        }; 4];
        let mut goes = [true; 4];
        for (n, line) in lines.iter_mut().enumerate() {
            goes[n] = self.all.get(self.at).is_some_and(|(text, _)| !is_nothing(text));
            let (output, element) = if byte { (0, n) } else { (n / 2, n % 2) };
            (line.output, line.element) = (output as u8, element as u8);
            self.part(sum, output, line, true)?;
        }
        if byte {
            self.output(sum, 1)?;
        }
        for line in &mut lines {
            line.sum = Sum::Mad([self.factor()?, self.factor()?, self.factor()?]);
        }
        if byte {
            self.copied(sum)?;
        }
        sum.lines = lines.into_iter().zip(goes).filter_map(|(line, goes)| goes.then_some(line)).collect();
        Ok(())
    }

    /// The destinations of both lines and of the copy, both lines, what is copied.
    fn bytes(&mut self, sum: &mut WideSum) -> Read<()> {
        let line = SumLine { output: 0, width: 8, element: 0, clamp: true, sum: Sum::Mad([Factor::default(); 3]) };
        let mut lines = [line, SumLine { element: 1, ..line }];
        let mut results = [0; 2];
        let goes = [self.all.first(), self.all.get(1)].map(|text| text.is_some_and(|(text, _)| !is_nothing(text)));
        for (line, result) in lines.iter_mut().zip(&mut results) {
            *result = self.part(sum, 0, line, false)?;
        }
        self.output(sum, 1)?;
        for (line, result) in lines.iter_mut().zip(results) {
            let (a, e) = (self.factor()?, self.factor()?);
            let operator = self.operator()?;
            line.sum = Sum::Products(operator, [a, e, self.factor()?, self.factor()?], result);
        }
        self.copied(sum)?;
        sum.lines = lines.into_iter().zip(goes).filter_map(|(line, goes)| goes.then_some(line)).collect();
        Ok(())
    }

    fn operator(&mut self) -> Read<Operator> {
        let (text, at) = self.next();
        Ok(match text {
            "add" | "_" | "" => Operator::Add,
            "sub" => Operator::Sub,
            "rsub" => Operator::Rsub,
            "min" => Operator::Min,
            "max" => Operator::Max,
            _ => return refuse(at, text, "`add`, `sub`, `rsub`, `min` or `max`"),
        })
    }

    /// An operand of a product or sum.
    fn factor(&mut self) -> Read<Factor> {
        let (text, at) = self.next();
        let mut parts = text.split('.');
        let name = parts.next().unwrap_or("");
        let mut factor = Factor::default();
        if !matches!(name, "" | "_" | "0") {
            factor.register = Some(match named(name) {
                Some(register) => register,
                None => return refuse(at, text, "a register or `0`"),
            });
        }
        for modifier in parts {
            let element = modifier.as_bytes().get(1).map_or(0, |digit| digit.wrapping_sub(b'0'));
            match (modifier, factor.width) {
                ("flr", _) => factor.floor = true,
                ("abs", _) => factor.absolute = true,
                ("clamp", _) => factor.clamp = true,
                ("neg", _) => factor.negate = true,
                ("oneminus", _) => factor.one_minus = true,
                ("f32", _) => {}
                ("f16", _) => factor.width = Width::F16(0),
                ("u8", _) => factor.width = Width::U8(0),
                ("e0" | "e1" | "e2" | "e3", Width::U8(_)) => factor.width = Width::U8(element),
                ("e0" | "e1", _) => factor.width = Width::F16(element),
                _ => return refuse(at, text, "a modifier of this operand"),
            }
        }
        Ok(factor)
    }
}

/// Whether no operand stands in its place.
fn is_nothing(text: &str) -> bool {
    matches!(text, "" | "_")
}

/// The register of a name.
fn named(name: &str) -> Option<Register> {
    match register::read(name.as_bytes()) {
        Numeral::Value(code, len) if len == name.len() => Some(Register::decode(code as u16)),
        _ => None,
    }
}

#[cold]
fn refuse<T>(at: usize, found: &str, expected: &str) -> Read<T> {
    let found = if found.is_empty() { "nothing".to_string() } else { format!("`{found}`") };
    let span = Span::new(at, at + found.len().saturating_sub(2).max(1));
    Err(Diag::invalid("syntax", span, format!("expected {expected}, found {found}")).into())
}
