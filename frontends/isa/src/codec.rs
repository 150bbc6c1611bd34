//! Decoder, encoder and disassembler, read from the rows.

use crate::template::{self, Template};
use crate::text::Reader;
use crate::tree::bits_from;
use crate::{Allowed, Cursor, Cut, Field, Isa, Meaning, Operand, Out, Row, RowId, Style, Table, Tree};
use parallax_text::{Diag, Span};

/// Checks of fields that are done without looking at the row.
const QUICK: usize = 2;

/// Eight bits of a word and the set of their valid values.
#[derive(Copy, Clone, Debug)]
struct Check {
    shift: u8,
    valid: [u64; 4],
}

/// What a word must still pass once its row is known.
#[derive(Copy, Clone, Debug)]
struct Gate {
    checks: [Check; QUICK],
    /// Whether the row is refused, or has fields that need the slow check.
    slow: bool,
    /// Bits no text shows, and their canonical values; where these stand, nothing remains to be printed.
    quiet: u128,
    quiet_value: u128,
    /// Whether only [`Isa::canonical`] can tell.
    ask: bool,
}

/// Why a word is no instruction.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Reject {
    /// No pattern matches.
    Unknown,
    /// The row is refused.
    Refused(RowId),
    /// A field holds a value the row does not allow.
    Field(RowId, &'static Field),
}

/// A table, ready to use.
pub struct Codec<I: Isa> {
    /// The table it was made from.
    pub table: &'static Table<I>,
    rows: Vec<&'static Row<I>>,
    tree: Tree,
    gates: Vec<Gate>,
    templates: Vec<Option<Template<I::Class>>>,
    reader: Reader<I>,
}

impl<I: Isa> Codec<I> {
    /// Prepares a table.
    ///
    /// # Panics
    /// If a template is malformed; [`crate::check`] reports it without panicking.
    pub fn new(table: &'static Table<I>) -> Codec<I> {
        let rows: Vec<_> = table.rows().collect();
        let templates: Vec<_> = rows
            .iter()
            .map(|row| (!row.text.is_empty()).then(|| template::cut(row).unwrap_or_else(|e| panic!("{e}"))))
            .collect();
        Codec {
            table,
            tree: Tree::new(rows.iter().map(|row| &row.pattern)),
            gates: rows.iter().map(|row| gate(row)).collect(),
            reader: Reader::new(&rows, &templates),
            templates,
            rows,
        }
    }

    /// The row of a number.
    pub fn row(&self, id: RowId) -> &'static Row<I> {
        self.rows[id.index()]
    }

    /// Rows and their numbers.
    pub fn rows(&self) -> impl Iterator<Item = (RowId, &'static Row<I>)> {
        self.rows.iter().enumerate().map(|(n, &row)| (RowId(n as u16), row))
    }

    pub(crate) fn reader(&self) -> &Reader<I> {
        &self.reader
    }

    /// Finds the row of a word and checks its fields. The word itself is the record of the instruction: nothing of it
    /// is dropped.
    ///
    /// # Errors
    /// [`Reject`], to be explained by [`Codec::explain`].
    #[inline(always)]
    pub fn decode(&self, word: u128) -> Result<RowId, Reject> {
        let Some(id) = self.tree.find(word) else { return Err(Reject::Unknown) };
        let gate = &self.gates[id.index()];
        let mut pass = true;
        for check in &gate.checks {
            let value = bits_from(word, check.shift) as u8;
            pass &= check.valid[usize::from(value >> 6)] >> (value & 63) & 1 != 0;
        }
        if pass && !gate.slow { Ok(id) } else { self.decode_slow(id, word) }
    }

    #[cold]
    #[inline(never)]
    fn decode_slow(&self, id: RowId, word: u128) -> Result<RowId, Reject> {
        let row = self.row(id);
        if matches!(row.meaning, Meaning::Refused(_)) {
            return Err(Reject::Refused(id));
        }
        let bad = fields(row).find(|field| !field.allowed.holds(field.get(word)));
        bad.map_or(Ok(id), |field| Err(Reject::Field(id, field)))
    }

    /// Says why a word is no instruction. `span` are its bytes.
    pub fn explain(&self, word: u128, reject: Reject, span: Span) -> Diag {
        match reject {
            Reject::Unknown => {
                let digits = self.rows.first().map_or(32, |row| row.pattern.width as usize / 4);
                Diag::invalid("unknown-instruction", span, format!("no instruction has the word 0x{word:0digits$x}"))
            }
            Reject::Refused(id) => {
                let row = self.row(id);
                let Meaning::Refused(reason) = row.meaning else {
                    return Diag::internal("isa", Some(span), row.title());
                };
                Diag::invalid("refused-instruction", span, format!("`{}`: {reason}", row.title()))
            }
            Reject::Field(id, field) => {
                let row = self.row(id);
                let value = field.get(word);
                let message =
                    format!("field `{}` of `{}` holds {value}; allowed: {}", field.name, row.title(), list(field));
                Diag::invalid("illegal-field", span, message)
            }
        }
    }

    /// Says that the bytes end inside an instruction.
    pub fn explain_cut(&self, cut: Cut) -> Diag {
        let span = Span::new(cut.offset, cut.offset + cut.have);
        let message = format!("the instruction at byte {} has {} of {} bytes", cut.offset, cut.have, cut.need);
        Diag::invalid("truncated-instruction", span, message)
    }

    /// Prints an instruction: `row` as [`Codec::decode`] found it.
    #[inline]
    pub fn print(&self, row: RowId, word: u128, style: Style, out: &mut Out) {
        let Some(template) = &self.templates[row.index()] else { return };
        out.line(|line| self.print_line(row, template, word, style, line));
    }

    #[inline(always)]
    fn print_line(&self, row: RowId, template: &Template<I::Class>, word: u128, style: Style, line: &mut Cursor<'_>) {
        let value = bits_from(word, template.shift) as usize & usize::from(template.mask);
        let name = &template.names[value];
        let (pieces, leading) = match word & template.loud {
            0 => (&template.plain, template.plain_leading),
            _ => (&template.pieces, template.leading),
        };
        // One loop for what stands before and behind the name: operands are printed at one place of the code only.
        for (n, piece) in pieces.iter().enumerate() {
            line.short(if n == leading { name } else { &piece.before });
            I::print(piece.class, word, style, line);
        }
        if leading == pieces.len() {
            line.short(name);
        }
        if !template.tail.is_empty() {
            line.short(&template.tail);
        }
        if style == Style::Exact {
            let gate = &self.gates[row.index()];
            if word & gate.quiet != gate.quiet_value || gate.ask {
                let remainder = self.remainder(row, word);
                if remainder != 0 {
                    line.apart(|line| I::print_remainder(remainder, line));
                }
            }
        }
    }

    /// An instruction as text.
    pub fn text(&self, row: RowId, word: u128, style: Style) -> String {
        let mut out = Out::new();
        self.print(row, word, style, &mut out);
        out.as_str().to_string()
    }

    /// The word as an assembler writes it: ignored bits and bits that have no spelling at their canonical values.
    pub fn canonical(&self, row: RowId, word: u128) -> u128 {
        let row = self.row(row);
        let pattern = &row.pattern;
        I::canonical(row, word & pattern.free | pattern.base())
    }

    /// Bits of the word that no text shows, as a difference to the canonical word.
    pub fn remainder(&self, row: RowId, word: u128) -> u128 {
        self.canonical(row, word) ^ word
    }
}

/// All operand fields of a row.
pub(crate) fn fields<I: Isa>(row: &Row<I>) -> impl Iterator<Item = &'static Field> {
    row.operands.iter().flat_map(|operand: &Operand<I::Class>| I::fields(operand.class))
}

fn gate<I: Isa>(row: &Row<I>) -> Gate {
    let all = Check { shift: 0, valid: [u64::MAX; 4] };
    let quiet = row.pattern.ignored() | I::hidden(row).unwrap_or(0);
    let mut gate = Gate {
        checks: [all; QUICK],
        slow: matches!(row.meaning, Meaning::Refused(_)),
        quiet,
        quiet_value: row.pattern.base() & quiet,
        ask: I::hidden(row).is_none(),
    };
    let mut limited: Vec<&Field> = fields(row).filter(|field| field.allowed != Allowed::Any).collect();
    limited.sort_by_key(|field| field.mask());
    let mut windows: Vec<Check> = Vec::new();
    for field in limited {
        let &[bits] = field.pieces() else {
            gate.slow = true;
            continue;
        };
        let inside = |shift: u8| bits.lo >= shift && bits.lo + bits.len <= shift + 8;
        if !windows.last().is_some_and(|check| inside(check.shift)) {
            // Neither beyond the word's end nor across its middle.
            let shift = if bits.lo < 64 { bits.lo.min(56) } else { bits.lo.min(120) };
            windows.push(Check { shift, ..all });
        }
        match windows.last_mut() {
            Some(check) if inside(check.shift) => {
                let mask = (1u64 << bits.len) - 1;
                let valid = |value: u64| field.allowed.holds(value >> (bits.lo - check.shift) & mask);
                for value in (0..256).filter(|value| !valid(*value)) {
                    check.valid[value as usize >> 6] &= !(1 << (value & 63));
                }
            }
            _ => gate.slow = true,
        }
    }
    gate.slow |= windows.len() > QUICK;
    gate.checks.iter_mut().zip(windows).for_each(|(check, window)| *check = window);
    gate
}

/// The valid values of a field, for people.
pub(crate) fn list(field: &Field) -> String {
    match field.allowed {
        Allowed::Any => "any".into(),
        Allowed::Max(max) => format!("0 to {max}"),
        Allowed::Set(set) => {
            let mut runs: Vec<(u32, u32)> = Vec::new();
            for v in (0..64).filter(|v| set >> v & 1 != 0) {
                match runs.last_mut() {
                    Some(run) if run.1 + 1 == v => run.1 = v,
                    _ => runs.push((v, v)),
                }
            }
            let words: Vec<String> = runs
                .iter()
                .map(|&(a, b)| match b - a {
                    0 => a.to_string(),
                    1 => format!("{a}, {b}"),
                    _ => format!("{a} to {b}"),
                })
                .collect();
            words.join(", ")
        }
    }
}
