//! How rows are printed: operand syntax turned into tables.
//!
//! Whatever a piece of a line shows depends on a few bits of the code. Where these are few enough, and the text is at most
//! [`Entry::MOST`] characters, the texts for all their values are made in advance, by the printer itself: printing is then
//! one lookup and one copy a piece. Other pieces are printed item by item, and so are the values of a single item whose
//! texts are longer.
//!
//! Which pieces a line has depends on a few bits, too: those that choose among the forms of operands. For each of their
//! values there is a list of pieces, and another one for codes with which some pieces show nothing.

mod make;
mod part;

pub(crate) use make::Maker;

use crate::cursor::Entry;
use crate::cursor::{Cursor, Style};
use crate::syntax::{self, Item};
use crate::{code::Code, field::Field, syntax::Number};

/// Bits of a code: a limb, how far it is turned right, and which bits are then taken.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
struct Window {
    limb: u8,
    turn: u8,
    mask: u16,
}

/// Two windows: their bits stand beside each other.
type Windows = [Window; 2];

impl Window {
    #[inline(always)]
    fn get(self, code: &Code) -> usize {
        code.0[usize::from(self.limb & 3)].rotate_right(u32::from(self.turn)) as usize & usize::from(self.mask)
    }
}

/// A piece of a row's text.
#[derive(Copy, Clone, Debug)]
struct Piece {
    /// Where the piece's table starts.
    table: u32,
    /// What the table is looked up by: the bits of both windows.
    windows: Windows,
    /// What is printed where the table has no text.
    rest: Rest,
}

/// What is printed where a table has no text.
#[derive(Copy, Clone, Debug)]
enum Rest {
    Nothing,
    /// The item of this number.
    Item(u32),
    /// The number of this number.
    Number(u32),
    /// A run of pieces.
    Run(u32),
    /// One of several runs of pieces, chosen by the bits the table is looked up by; where they start.
    Runs(u32),
}

/// Some of the pieces of all rows, in order.
#[derive(Copy, Clone, Debug, Default)]
struct Run {
    start: u32,
    count: u32,
}

/// Bits of one limb, and values of theirs.
#[derive(Copy, Clone, Debug, Default)]
struct Test {
    limb: u8,
    bits: u64,
    values: u64,
}

impl Test {
    /// The bits that have other values.
    #[inline(always)]
    fn differing(&self, code: &Code) -> u64 {
        (code.0[usize::from(self.limb & 3)] ^ self.values) & self.bits
    }
}

/// How a row is printed.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct Plan {
    /// Where its runs start: two for each value of the bits in the windows.
    runs: u32,
    windows: Windows,
    /// Where nothing differs from these, the second run of two is all there is to print: the other pieces are elided.
    quiet: [Test; 2],
    /// The items of [`Style::Exact`] alone: where they start, and how many.
    exact: (u32, u32),
}

/// The tables of all rows.
#[derive(Default)]
pub(crate) struct Tables {
    runs: Vec<Run>,
    pieces: Vec<Piece>,
    texts: Vec<Entry>,
    items: Vec<&'static Item>,
    numbers: Vec<&'static Number>,
    exact: Vec<&'static Item>,
}

impl Tables {
    /// Writes an instruction.
    #[inline(always)]
    pub(crate) fn print(&self, plan: &Plan, code: &Code, style: Style, line: &mut Cursor<'_>) {
        let is_quiet = plan.quiet[0].differing(code) | plan.quiet[1].differing(code) == 0;
        let value = plan.windows[0].get(code) | plan.windows[1].get(code);
        let run = self.runs.get(plan.runs as usize + 2 * value + usize::from(is_quiet));
        self.print_run(run.copied().unwrap_or_default(), code, style, line);
        if style == Style::Exact && plan.exact.1 > 0 {
            line.apart(|line| self.print_exact(plan.exact, code, line));
        }
    }

    #[inline(never)]
    fn print_exact(&self, (start, count): (u32, u32), code: &Code, line: &mut Cursor<'_>) {
        for item in self.exact.iter().skip(start as usize).take(count as usize) {
            syntax::print(std::slice::from_ref(*item), code, Style::Exact, line);
        }
    }

    /// Writes pieces. Nothing is called in this loop as long as tables have their texts, so that all it needs stays in
    /// registers.
    #[inline(always)]
    fn print_run(&self, run: Run, code: &Code, style: Style, line: &mut Cursor<'_>) {
        let pieces = self.pieces.get(run.start as usize..).and_then(|rest| rest.get(..run.count as usize));
        let texts = self.texts.as_slice();
        for piece in pieces.unwrap_or_default() {
            let key = piece.windows[0].get(code) | piece.windows[1].get(code);
            let Some(entry) = texts.get(piece.table as usize + key) else { return };
            if !line.try_entry(entry) {
                line.apart(|line| self.print_rest(piece.rest, key, entry, code, style, line));
            }
        }
    }

    /// Writes a piece that has no text in its table, or for which there is no room in the line.
    #[inline(never)]
    fn print_rest(&self, rest: Rest, key: usize, entry: &Entry, code: &Code, style: Style, line: &mut Cursor<'_>) {
        if !entry.is_long() {
            return line.entry(entry);
        }
        let run = match rest {
            Rest::Nothing => return,
            Rest::Item(n) => {
                return syntax::print(std::slice::from_ref(self.items[n as usize]), code, style, line);
            }
            Rest::Number(n) => {
                let number = self.numbers[n as usize];
                return (number.print)(number.field.get_signed(code), style, line);
            }
            Rest::Run(n) => n as usize,
            Rest::Runs(first) => first as usize + key,
        };
        self.print_run(self.runs.get(run).copied().unwrap_or_default(), code, style, line);
    }
}

/// Bits, and values of theirs with which some pieces show nothing.
#[derive(Copy, Clone, Default)]
struct Quiet {
    bits: Code,
    values: Code,
}

impl Quiet {
    /// The field with this value.
    fn field(field: &Field, value: u64) -> Quiet {
        let mut values = Code::default();
        field.put(&mut values, value);
        Quiet { bits: field.mask(), values }
    }

    /// Both, unless they contradict each other.
    fn and(self, other: Quiet) -> Option<Quiet> {
        let shared = self.bits.and(other.bits);
        (self.values.and(shared) == other.values.and(shared))
            .then(|| Quiet { bits: self.bits.or(other.bits), values: self.values.or(other.values) })
    }

    /// As tests of at most two limbs.
    fn tests(&self) -> Option<[Test; 2]> {
        let (mut tests, mut count) = ([Test::default(); 2], 0);
        for (limb, (bits, values)) in
            self.bits.0.into_iter().zip(self.values.0).enumerate().filter(|(_, (b, _))| *b != 0)
        {
            *tests.get_mut(count)? = Test { limb: limb as u8, bits, values };
            count += 1;
        }
        Some(tests)
    }
}
