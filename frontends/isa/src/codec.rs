//! Decoder, encoder and disassembler, read from the rows.

use crate::cursor::{Cursor, Style};
use crate::field::{Allowed, Bits, Field};
use crate::pattern::Pattern;
use crate::plan::{Maker, Tables};
use crate::row::{Isa, Meaning, Row, RowId, Table};
use crate::template::{self, Template};
use crate::text::Reader;
use crate::tree::bits_from;
use crate::{code::Code, out::Out, stream::Cut, tree::Tree};
use parallax_text::{Diag, Span};
use std::sync::{Arc, OnceLock};

/// Checks of fields that are done without looking at the row.
const QUICK: usize = 2;

/// Eight bits of a word and the set of their valid values.
#[derive(Copy, Clone, Debug)]
struct Check {
    shift: u8,
    valid: Valid,
}

/// A set of values of eight bits.
type Valid = [u64; 4];

/// Most sets that are told apart by eight bits; rows whose fields need further ones take the slow check.
const SETS: usize = 256;

/// What one half of a word must pass to be an instruction of a row.
#[derive(Copy, Clone, Debug)]
struct Half {
    /// The constant bits, and their values.
    fixed: u64,
    value: u64,
    /// The low bits of fields of two bits that must not both be 1.
    pairs: u64,
}

impl Half {
    /// The constant bits that differ.
    #[inline(always)]
    fn differing(&self, half: u64) -> u64 {
        half & self.fixed ^ self.value
    }

    /// The pairs of bits that are both 1 and must not be.
    #[inline(always)]
    fn bad_pairs(&self, half: u64) -> u64 {
        half & half >> 1 & self.pairs
    }
}

/// What a word must pass to be an instruction of a row, without its high half: half a line of a cache, so that many rows stay in the
/// first one. Where words have 64 bits, decoding touches no more of a row.
#[derive(Copy, Clone, Debug)]
#[repr(align(32))]
struct Gate {
    low: Half,
    /// The eight bits that are checked, and the numbers of their sets in [`Codec::valid`].
    shifts: [u8; QUICK],
    valid: [u8; QUICK],
    /// Whether the row is refused, or has fields that need the slow check.
    slow: bool,
    /// Whether no other row matches any of its words.
    alone: bool,
    /// Whether ignored bits are written as 1.
    filled: bool,
}

/// Bits of a row that no text shows.
#[derive(Copy, Clone, Debug)]
struct Unseen {
    /// The bits, and their canonical values; where these stand, nothing remains to be printed.
    bits: [u64; 2],
    values: [u64; 2],
    /// Whether only [`Isa::canonical`] can tell.
    ask: bool,
}

/// The halves of a word.
const fn halves(word: u128) -> [u64; 2] {
    [word as u64, (word >> 64) as u64]
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

/// How rows of tables that have much in common are printed. Made when the first row is: it takes longer than all else of a table, and
/// whoever assembles or decodes alone never needs it.
struct Listings<I: Isa> {
    tables: Vec<&'static Table<I>>,
    /// Those of all rows, table after table.
    made: OnceLock<Tables>,
}

impl<I: Isa> Listings<I> {
    #[inline(always)]
    fn made(&self) -> &Tables {
        match self.made.get() {
            Some(made) => made,
            None => self.make(),
        }
    }

    #[cold]
    #[inline(never)]
    fn make(&self) -> &Tables {
        self.made.get_or_init(|| {
            let mut maker = Maker::new();
            for table in &self.tables {
                let rows: Vec<_> = table.rows().collect();
                for (row, template) in rows.iter().zip(templates(&rows)) {
                    match template {
                        Some(template) => maker.add_row(row, &template).unwrap_or_else(|what| panic!("{what}")),
                        None => maker.skip(),
                    }
                }
            }
            maker.tables
        })
    }
}

/// The templates of rows; those without a text have none.
fn templates<I: Isa>(rows: &[&'static Row<I>]) -> Vec<Option<Template<I::Kind>>> {
    let cut = |row: &&'static Row<I>| template::cut(row).unwrap_or_else(|what| panic!("{what}"));
    rows.iter().map(|row| (!row.text.is_empty()).then(|| cut(row))).collect()
}

/// A table, ready to use.
pub struct Codec<I: Isa> {
    /// The table it was made from.
    pub table: &'static Table<I>,
    rows: Vec<&'static Row<I>>,
    tree: Tree,
    gates: Vec<Gate>,
    /// What the high halves of words of each row must pass.
    high: Vec<Half>,
    unseen: Vec<Unseen>,
    /// The fields of each row that have few valid values.
    limited: Vec<Vec<&'static Field>>,
    /// Sets of valid values that rows have in common; 0 is all values.
    valid: Box<[Valid; SETS]>,
    /// Whether pairs of bits are all that [`Codec::passes`] has to look at.
    only_pairs: bool,
    listings: Arc<Listings<I>>,
    /// The number of the first row there.
    first: usize,
    /// What stands in front of the bits no operand of a row shows.
    bits: Vec<[&'static str; 2]>,
    reader: Reader<I>,
}

impl<I: Isa> Codec<I> {
    /// Prepares a table.
    ///
    /// # Panics
    /// If a template is malformed; [`crate::check`] reports it without panicking.
    pub fn new(table: &'static Table<I>) -> Codec<I> {
        let listings = Arc::new(Listings { tables: vec![table], made: OnceLock::new() });
        Codec::with(table, listings, 0)
    }

    /// Prepares tables that have much in common.
    pub(crate) fn all(tables: impl Iterator<Item = &'static Table<I>>) -> Vec<Codec<I>> {
        let listings = Arc::new(Listings { tables: tables.collect(), made: OnceLock::new() });
        let mut first = 0;
        let with = |&table: &&'static Table<I>| {
            let codec = Codec::with(table, listings.clone(), first);
            first += codec.rows.len();
            codec
        };
        listings.tables.iter().map(with).collect()
    }

    /// Prepares a table whose rows are printed as listings say, from the row with number `first` on.
    fn with(table: &'static Table<I>, listings: Arc<Listings<I>>, first: usize) -> Codec<I> {
        let rows: Vec<_> = table.rows().collect();
        let templates = templates(&rows);
        let bits = |row: &&'static Row<I>| {
            row.operands.iter().find_map(|operand| I::syntax(operand.kind).bits()).unwrap_or([" ", "bits"])
        };
        let mut valid = vec![[u64::MAX; 4]];
        let is_refused = |row: &Row<I>| matches!(row.meaning, Meaning::Refused(_));
        let gates = rows.iter().map(|row| gate(&row.pattern, is_refused(row), limited(row), &mut valid));
        let (mut gates, high): (Vec<Gate>, Vec<Half>) = gates.unzip();
        gates.iter_mut().zip(alone(&rows)).for_each(|(gate, alone)| gate.alone = alone);
        Codec {
            table,
            tree: Tree::new(rows.iter().map(|row| &row.pattern), I::WIDE),
            only_pairs: gates.iter().all(|gate| gate.valid == [0; QUICK] && !gate.slow),
            gates,
            high,
            unseen: rows.iter().map(|row| unseen(row)).collect(),
            limited: rows.iter().map(|row| limited(row)).collect(),
            valid: Box::new(std::array::from_fn(|n| valid.get(n).copied().unwrap_or([u64::MAX; 4]))),
            listings,
            first,
            bits: rows.iter().map(bits).collect(),
            reader: Reader::new(&rows, &templates),
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

    /// Finds the row of a code and checks its fields. The code itself is the record of the instruction: nothing of it
    /// is dropped.
    ///
    /// # Errors
    /// [`Reject`], to be explained by [`Codec::explain`].
    #[inline(always)]
    pub fn decode(&self, code: impl Into<Code>) -> Result<RowId, Reject> {
        let code = code.into();
        let word = if I::WIDE { code.word() } else { u128::from(code.word() as u64) };
        let leaf = self.tree.leaf(word, I::WIDE);
        let id = RowId(leaf);
        let Some(gate) = self.gates.get(id.index()) else { return self.decode_listed(leaf, code) };
        if !self.matches(gate, id, word) {
            return Err(Reject::Unknown);
        }
        if self.passes(gate, id, word) { Ok(id) } else { self.decode_slow(id, code) }
    }

    /// The row of a code that lookups do not settle.
    #[inline(never)]
    fn decode_listed(&self, leaf: u16, code: Code) -> Result<RowId, Reject> {
        let Some(id) = self.tree.compare(leaf, code.word()) else { return Err(Reject::Unknown) };
        let passes = self.passes(&self.gates[id.index()], id, code.word());
        if passes { Ok(id) } else { self.decode_slow(id, code) }
    }

    /// Whether the constant bits of a word have the values of a row.
    #[inline(always)]
    fn matches(&self, gate: &Gate, id: RowId, word: u128) -> bool {
        let high = if I::WIDE { self.high[id.index()].differing((word >> 64) as u64) } else { 0 };
        gate.low.differing(word as u64) | high == 0
    }

    /// Whether the fields of a word are known to hold valid values.
    #[inline(always)]
    fn passes(&self, gate: &Gate, id: RowId, word: u128) -> bool {
        let high = if I::WIDE { self.high[id.index()].bad_pairs((word >> 64) as u64) } else { 0 };
        let mut pass = gate.low.bad_pairs(word as u64) | high == 0;
        if self.only_pairs {
            return pass;
        }
        for (shift, valid) in gate.shifts.into_iter().zip(gate.valid) {
            let value = bits_from(word, shift, I::WIDE) as u8;
            pass &= self.valid[usize::from(valid)][usize::from(value >> 6)] >> (value & 63) & 1 != 0;
        }
        pass && !gate.slow
    }

    /// Whether a code that was made from a row is known to be decoded as that row.
    #[inline(always)]
    pub(crate) fn is_own(&self, id: RowId, code: &Code) -> bool {
        let (gate, word) = (&self.gates[id.index()], code.word());
        self.matches(gate, id, word) && gate.alone && self.passes(gate, id, word)
    }

    /// The word of a row with all operand bits zero. The row itself is seldom in a cache.
    #[inline(always)]
    pub(crate) fn base(&self, id: RowId) -> u128 {
        let gate = &self.gates[id.index()];
        if gate.filled {
            return self.row(id).pattern.base();
        }
        let high = if I::WIDE { self.high[id.index()].value } else { 0 };
        u128::from(high) << 64 | u128::from(gate.low.value)
    }

    /// Whether a code that has the constant bits of a row may hold what its fields hold.
    #[inline]
    pub(crate) fn allows(&self, id: RowId, code: Code) -> bool {
        self.passes(&self.gates[id.index()], id, code.word()) || self.decode_slow(id, code).is_ok()
    }

    #[cold]
    #[inline(never)]
    fn decode_slow(&self, id: RowId, code: Code) -> Result<RowId, Reject> {
        let row = self.row(id);
        if matches!(row.meaning, Meaning::Refused(_)) {
            return Err(Reject::Refused(id));
        }
        let bad = self.limited[id.index()].iter().copied().find(|field| !field.allowed.holds(field.get(&code)));
        bad.map_or(Ok(id), |field| Err(Reject::Field(id, field)))
    }

    /// Says why a word is no instruction. `span` are its bytes.
    pub fn explain(&self, code: impl Into<Code>, reject: Reject, span: Span) -> Diag {
        let code = code.into();
        match reject {
            Reject::Unknown => {
                let (word, bits) = (code.word(), self.table.widths.iter().max().copied().unwrap_or(0));
                let digits = bits as usize / 4;
                Diag::invalid("unknown-instruction", span, format!("the word 0x{word:0digits$x} is not an instruction"))
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
                let value = field.get(&code);
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
    pub fn print(&self, row: RowId, code: impl Into<Code>, style: Style, out: &mut Out) {
        let code = code.into();
        out.line(|line| self.print_into(row, &code, style, line));
    }

    /// Prints an instruction into a line in the making. Never inlined: with what decodes the instruction it has too few registers.
    #[inline(never)]
    pub fn print_into(&self, row: RowId, code: &Code, style: Style, line: &mut Cursor<'_>) {
        self.listings.made().print(self.first + row.index(), code, style, line);
        if style == Style::Exact {
            self.print_unseen(row, code, line);
        }
    }

    /// How rows are printed, and the number of the first there.
    #[inline(always)]
    pub(crate) fn listing(&self) -> (&Tables, usize) {
        (self.listings.made(), self.first)
    }

    /// Prints the bits that no text shows, if they are not canonical.
    #[inline(always)]
    pub(crate) fn print_unseen(&self, row: RowId, code: &Code, line: &mut Cursor<'_>) {
        let unseen = &self.unseen[row.index()];
        let [low, high] = unseen.bits;
        let differs = (code.0[0] & low) ^ unseen.values[0] | (code.0[1] & high) ^ unseen.values[1];
        if differs != 0 || unseen.ask {
            self.print_remainder(row, code, line);
        }
    }

    #[inline(never)]
    fn print_remainder(&self, row: RowId, code: &Code, line: &mut Cursor<'_>) {
        let remainder = self.remainder(row, *code);
        if remainder == 0 {
            return;
        }
        self.bits[row.index()].iter().for_each(|text| line.text(text));
        for n in 0..self.row(row).pattern.width.div_ceil(64) {
            line.text(&format!(" {:#x}", (remainder >> (64 * n)) as u64));
        }
    }

    /// An instruction as text.
    pub fn text(&self, row: RowId, code: impl Into<Code>, style: Style) -> String {
        let mut out = Out::new();
        self.print(row, code, style, &mut out);
        out.as_str().to_string()
    }

    /// The code as an assembler writes it: ignored bits and bits that have no spelling at their canonical values.
    pub fn canonical(&self, row: RowId, code: impl Into<Code>) -> Code {
        let (row, code) = (self.row(row), code.into());
        let pattern = &row.pattern;
        I::canonical(row, Code::new(code.word() & pattern.free | pattern.base(), code.side()))
    }

    /// Bits of the word that no text shows, as a difference to the canonical word.
    pub fn remainder(&self, row: RowId, code: impl Into<Code>) -> u128 {
        let code = code.into();
        self.canonical(row, code).word() ^ code.word()
    }
}

/// Of each row, whether no other matches any of its words.
fn alone<I: Isa>(rows: &[&'static Row<I>]) -> Vec<bool> {
    let apart = |a: &Row<I>, b: &Row<I>| (a.pattern.value ^ b.pattern.value) & a.pattern.fixed & b.pattern.fixed != 0;
    rows.iter().map(|row| rows.iter().all(|other| std::ptr::eq(*row, *other) || apart(row, other))).collect()
}

fn limited<I: Isa>(row: &Row<I>) -> Vec<&'static Field> {
    row.fields().into_iter().filter(|field| field.allowed != Allowed::Any).collect()
}

fn unseen<I: Isa>(row: &Row<I>) -> Unseen {
    let bits = row.pattern.ignored() | I::implicit(row).unwrap_or(0);
    Unseen { bits: halves(bits), values: halves(row.pattern.base() & bits), ask: I::implicit(row).is_none() }
}

fn gate(pattern: &Pattern, is_refused: bool, mut limited: Vec<&'static Field>, sets: &mut Vec<Valid>) -> (Gate, Half) {
    let all = Check { shift: 0, valid: [u64::MAX; 4] };
    let (fixed, value, mut pairs) = (halves(pattern.fixed), halves(pattern.value), [0; 2]);
    let half = |n: usize, pairs: [u64; 2]| Half { fixed: fixed[n], value: value[n], pairs: pairs[n] };
    let mut gate = Gate {
        low: half(0, pairs),
        shifts: [0; QUICK],
        valid: [0; QUICK],
        slow: is_refused,
        alone: false,
        filled: pattern.filler != 0,
    };
    parallax_text::sort_by_key(&mut limited, |field| field.pieces()[0].lo);
    let mut windows: Vec<Check> = Vec::new();
    for field in limited {
        let bits = field.pieces()[0];
        if let ([Bits { len: 2, lo: 0..127 }], Allowed::Set(0b111)) = (field.pieces(), field.allowed) {
            pairs[bits.limb() & 1] |= 1 << bits.shift();
            continue;
        }
        if field.pieces().len() > 1 || bits.lo >= Code::SIDE {
            gate.slow = true;
            continue;
        }
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
    for (n, check) in windows.into_iter().enumerate().take(QUICK) {
        gate.shifts[n] = check.shift;
        let number = sets.iter().position(|set| *set == check.valid).unwrap_or(sets.len());
        let Ok(narrow) = u8::try_from(number) else {
            gate.slow = true;
            continue;
        };
        if number == sets.len() {
            sets.push(check.valid);
        }
        gate.valid[n] = narrow;
    }
    gate.low = half(0, pairs);
    (gate, half(1, pairs))
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
