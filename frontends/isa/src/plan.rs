//! How rows are printed: operand syntax turned into tables.
//!
//! Whatever a piece of a line shows depends on a few bits of the code. Where these are few enough, and the text is at most
//! [`MOST`](texts::MOST) characters, the texts for all their values are made in advance, by the printer itself: printing is then
//! one lookup and one copy a piece. Other pieces are printed item by item, and so are the values of a single item whose
//! texts are longer.
//!
//! Which pieces a line has depends on a few bits, too: those that choose among the forms of operands. For each of their
//! values there is a list of pieces, and another one for codes with which some pieces show nothing. Where these bits are too many for
//! one table, the line is cut into stretches of operands that have tables of their own.

mod make;
mod part;
mod texts;

pub(crate) use make::Maker;

use crate::cursor::{Cursor, LONG, Style};
use crate::syntax::{self, Item};
use crate::{code::Code, field::Field, syntax::Number};
use texts::{Table, Text, Texts};

/// Bits of a code: in the lowest two bits a limb, in the next six how far it is turned right, above them which bits are then taken.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
struct Window(u32);

/// Two windows: their bits stand beside each other.
type Windows = [Window; 2];

impl Window {
    fn new(limb: usize, turn: u32, mask: u32) -> Window {
        assert!(limb < 4 && mask >> 24 == 0, "a window is of one limb, and its bits are among the lowest 24");
        Window(limb as u32 | (turn % 64) << 2 | mask << 8)
    }

    #[inline(always)]
    fn limb(self) -> usize {
        self.0 as usize & 3
    }

    #[inline(always)]
    fn turn(self) -> u32 {
        self.0 >> 2 & 63
    }

    #[inline(always)]
    fn mask(self) -> u32 {
        self.0 >> 8
    }

    #[inline(always)]
    fn get(self, code: &Code) -> usize {
        code.0[self.limb()].rotate_right(self.turn()) as usize & self.mask() as usize
    }
}

/// A piece of a row's text: what is looked up, and by which bits. The windows take their bits to where an entry of the table starts.
#[derive(Copy, Clone, Debug)]
struct Piece {
    /// Its table, in parts: with the rest they take 16 bytes.
    start: u32,
    last: u8,
    /// The number of what is printed where the table has no text, in [`Tables::rests`].
    rest: u16,
    windows: Windows,
}

impl Piece {
    #[inline(always)]
    fn table(&self) -> Table {
        Table { start: self.start, last: self.last }
    }

    /// The place in its table that a code says.
    #[inline(always)]
    fn place(&self, code: &Code) -> usize {
        self.windows[0].get(code) | self.windows[1].get(code)
    }
}

/// What is printed where a table has no text.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
enum Rest {
    Nothing,
    /// The item of this number.
    Item(u32),
    /// The number of this number, and the texts around it.
    Number(u32),
    /// One of several runs of pieces, chosen by the bits the table is looked up by; where they start.
    Runs(u32),
}

/// Some of the pieces of all rows, in order: the first, and in the low bits how many. There are as many runs as values of a row's tests:
/// they are small to stay in the caches.
#[derive(Copy, Clone, Debug, Default)]
struct Run(u32);

impl Run {
    /// Bits of the number of pieces.
    const COUNT: u32 = 8;

    fn new(start: usize, count: usize) -> Run {
        assert!(count >> Run::COUNT == 0 && start >> (32 - Run::COUNT) == 0, "a row has too many pieces");
        Run((start << Run::COUNT | count) as u32)
    }

    #[inline(always)]
    fn start(self) -> usize {
        (self.0 >> Run::COUNT) as usize
    }

    #[inline(always)]
    fn count(self) -> usize {
        (self.0 & ((1 << Run::COUNT) - 1)) as usize
    }
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

/// Most tests of a stretch.
const TESTS: usize = 3;

/// A stretch of a row's text: operands whose alternatives are chosen together.
#[derive(Copy, Clone, Debug, Default)]
struct Stretch {
    /// Where its runs start: one for each value of the bits in the windows, and of the tests below them.
    runs: u32,
    windows: Windows,
    /// Bits of the tests that there are.
    mask: u8,
    /// Where nothing differs from one of these, some pieces show nothing: the runs are without them.
    quiet: [Test; TESTS],
}

impl Stretch {
    /// The number of a code's run.
    #[inline(always)]
    fn run(&self, code: &Code) -> usize {
        let tests = self.quiet.iter().enumerate();
        let passed = tests.fold(0, |passed, (n, test)| passed | usize::from(test.differing(code) == 0) << n);
        let value = self.windows[0].get(code) | self.windows[1].get(code);
        self.runs as usize + (value | passed & usize::from(self.mask))
    }
}

/// How a row is printed in one style: the stretch that most rows have alone, and the numbers of further ones.
#[derive(Copy, Clone, Debug, Default)]
struct Shape {
    stretch: Stretch,
    more: (u32, u32),
}

/// How a row is printed.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct Plan {
    plain: Shape,
    exact: Shape,
}

/// The tables of all rows.
#[derive(Default)]
pub(crate) struct Tables {
    stretches: Vec<Stretch>,
    runs: Vec<Run>,
    pieces: Vec<Piece>,
    rests: Vec<Rest>,
    texts: Texts,
    items: Vec<&'static Item>,
    numbers: Vec<Framed>,
}

/// A number and the texts around it.
struct Framed {
    front: Box<str>,
    number: &'static Number,
    behind: Box<str>,
    /// What it has in common with the numbers that are written like it, from 1 on.
    way: u32,
}

impl Framed {
    /// Writes it.
    #[inline]
    fn print(&self, code: &Code, style: Style, line: &mut Cursor<'_>) {
        let value = self.number.field.get_signed(code);
        let way = 2 * self.way + u32::from(style == Style::Exact);
        line.known(value, way, |line| {
            line.text(&self.front);
            (self.number.print)(value, style, line);
            line.text(&self.behind);
        });
    }
}

impl Tables {
    /// Writes an instruction.
    #[inline(always)]
    pub(crate) fn print(&self, plan: &Plan, code: &Code, style: Style, line: &mut Cursor<'_>) {
        let shape = if style == Style::Exact { &plan.exact } else { &plan.plain };
        self.print_run(self.run_of(&shape.stretch, code), code, style, line);
        if shape.more.0 < shape.more.1 {
            line.apart(|line| self.print_more(shape.more, code, style, line));
        }
    }

    /// Writes further stretches.
    #[inline(never)]
    fn print_more(&self, (start, end): (u32, u32), code: &Code, style: Style, line: &mut Cursor<'_>) {
        let mut own = line.reborrow();
        for stretch in self.stretches.get(start as usize..end as usize).unwrap_or_default() {
            self.print_run(self.run_of(stretch, code), code, style, &mut own);
        }
        line.at = own.at;
    }

    /// The pieces that a code chooses.
    #[inline(always)]
    fn run_of(&self, stretch: &Stretch, code: &Code) -> Run {
        self.runs.get(stretch.run(code)).copied().unwrap_or_default()
    }

    /// Writes pieces. Nothing is called in this loop as long as tables have their texts, so that all it needs stays in
    /// registers.
    #[inline(always)]
    fn print_run(&self, run: Run, code: &Code, style: Style, line: &mut Cursor<'_>) {
        let pieces = self.pieces.get(run.start()..run.start() + run.count());
        for piece in pieces.unwrap_or_default() {
            let text = self.texts.get(piece.table(), piece.place(code));
            if !line.try_chars(text.chars, text.len) {
                line.apart(|line| self.print_rest(piece, text, code, style, line));
            }
        }
    }

    /// Writes a piece that has no text in its table, or for which there is no room in the line.
    #[inline(never)]
    fn print_rest(&self, piece: &Piece, text: Text<'_>, code: &Code, style: Style, line: &mut Cursor<'_>) {
        if text.len != LONG {
            return line.first_of(text.chars, text.len.into());
        }
        let run = match self.rests[usize::from(piece.rest)] {
            Rest::Nothing => return,
            Rest::Item(n) => {
                return syntax::print(std::slice::from_ref(self.items[n as usize]), code, style, line);
            }
            Rest::Number(n) => return self.numbers[n as usize].print(code, style, line),
            Rest::Runs(first) => first as usize + piece.table().number(piece.place(code)),
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

    /// As tests of one limb each.
    fn tests(&self) -> impl Iterator<Item = Test> {
        let limbs = self.bits.0.into_iter().zip(self.values.0).enumerate();
        limbs.filter(|(_, (bits, _))| *bits != 0).map(|(limb, (bits, values))| Test { limb: limb as u8, bits, values })
    }
}
