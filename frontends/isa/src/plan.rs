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

mod block;
mod make;
mod part;
mod texts;

pub(crate) use block::{BLOCK, Pending};
pub(crate) use make::Maker;

use crate::code::{Code, Limb};
use crate::cursor::{Cursor, LONG, Style};
use crate::syntax::{self, Item};
use crate::{field::Field, syntax::Number};
use texts::{Table, Texts};

/// Bits of a limb of a code: how far it is turned right, and which bits are then taken.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
struct Window {
    limb: Limb,
    turn: u8,
    mask: u16,
}

/// Two windows: their bits stand beside each other.
type Windows = [Window; 2];

impl Window {
    fn new(limb: Limb, turn: u32, mask: u32) -> Window {
        assert!(mask >> 16 == 0, "the bits of a window are among the lowest 16");
        Window { limb, turn: (turn % 64) as u8, mask: mask as u16 }
    }

    #[inline(always)]
    fn get(self, code: &Code) -> usize {
        code.limb(self.limb).rotate_right(self.turn.into()) as usize & usize::from(self.mask)
    }
}

/// A piece of a row's text: what is looked up, and by which bits. The windows take their bits to where an entry of the table starts.
/// They stand field by field, and their masks are wide, so that each is applied by one instruction.
#[derive(Copy, Clone, Debug)]
struct Piece {
    /// Where its table starts; or, of a number without a table, how it is written, behind [`Table::BEYOND`]: such a number is
    /// all the bits of the first window's limb that there are as many of as its mask says.
    start: u32,
    masks: [u32; 2],
    limbs: [Limb; 2],
    turns: [u8; 2],
    /// The number of what is printed where the table has no text, in [`Tables::rests`].
    rest: u16,
    /// How far numbers of the table's entries are shifted.
    shift: u8,
}

impl Piece {
    fn new(table: Table, windows: Windows, rest: u16) -> Piece {
        Piece {
            start: table.start,
            masks: windows.map(|window| window.mask.into()),
            limbs: windows.map(|window| window.limb),
            turns: windows.map(|window| window.turn),
            rest,
            shift: table.shift,
        }
    }

    #[inline(always)]
    fn table(&self) -> Table {
        Table { start: self.start, shift: self.shift }
    }

    /// The place in its table that a code says.
    #[inline(always)]
    fn place(&self, code: &Code) -> u32 {
        let bits = |n: usize| code.limb(self.limbs[n]).rotate_right(self.turns[n].into()) as u32 & self.masks[n];
        bits(0) | bits(1)
    }

    /// The number that is written without a table.
    #[inline(always)]
    fn number(&self, code: &Code) -> u64 {
        code.limb(self.limbs[0]) >> (self.turns[0] & 63) & (u64::MAX >> (self.masks[0].wrapping_neg() & 63))
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

/// Most tests of a stretch.
const TESTS: usize = 3;

/// A stretch of a row's text: operands whose alternatives are chosen together. One line of a cache: of most rows printing touches no
/// more than that, and pieces and texts.
#[derive(Copy, Clone, Debug, Default)]
#[repr(align(64))]
struct Stretch {
    /// Tests of one limb each: bits, and values of theirs. Where these stand, some pieces show nothing: the runs are without them.
    bits: [u64; TESTS],
    values: [u64; TESTS],
    limbs: [Limb; TESTS],
    /// Bits of the tests that there are, and [`Stretch::MORE`] where others follow.
    mask: u8,
    /// Where its runs start: one for each value of the bits in the windows, and of the tests below them.
    runs: u32,
    windows: Windows,
}

impl Stretch {
    /// The bit of `mask` that says that further stretches follow.
    const MORE: u8 = 1 << TESTS;

    /// The number of a code's run.
    #[inline(always)]
    fn run(&self, code: &Code) -> usize {
        let differing = |n: usize| (code.limb(self.limbs[n]) ^ self.values[n]) & self.bits[n];
        let passed = (0..TESTS).fold(0, |passed, n| passed | usize::from(differing(n) == 0) << n);
        let value = self.windows[0].get(code) | self.windows[1].get(code);
        self.runs as usize + (value | passed & usize::from(self.mask))
    }

    /// Whether others follow.
    #[inline(always)]
    fn has_more(&self) -> bool {
        self.mask & Stretch::MORE != 0
    }
}

/// A stretch behind the first of a row. Its text depends on these bits.
#[derive(Copy, Clone, Debug)]
struct Further {
    stretch: Stretch,
    bits: Code,
}

/// How a row is printed in one style: the stretch that most rows have alone, and the numbers of further ones.
#[derive(Copy, Clone, Default)]
struct Shape {
    first: Stretch,
    more: (u32, u32),
}

/// Those of all rows, apart from each other.
#[derive(Default)]
struct Shapes {
    first: Vec<Stretch>,
    more: Vec<(u32, u32)>,
}

/// The tables of all rows.
#[derive(Default)]
pub(crate) struct Tables {
    plain: Shapes,
    exact: Shapes,
    further: Vec<Further>,
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

/// The way of a number in a style, for [`Cursor::try_number`].
#[inline(always)]
fn way_in(way: u32, style: Style) -> u32 {
    2 * way + u32::from(style == Style::Exact)
}

impl Framed {
    /// Writes it.
    #[inline]
    fn print(&self, code: &Code, style: Style, line: &mut Cursor<'_>) {
        let (number, way) = (self.number.field.get(code), way_in(self.way, style));
        if !line.try_number(number, way) {
            line.keep_number(number, way, |line| {
                line.text(&self.front);
                (self.number.print)(self.number.field.extend(number), style, line);
                line.text(&self.behind);
            });
        }
    }
}

impl Tables {
    /// Writes an instruction of the row with this number.
    #[inline(always)]
    pub(crate) fn print(&self, row: usize, code: &Code, style: Style, line: &mut Cursor<'_>) {
        let shapes = self.shapes(style);
        let Some(stretch) = shapes.first.get(row) else { return };
        self.print_run(self.run_of(stretch, code), code, style, line);
        if stretch.has_more() {
            self.print_more(shapes.more[row], code, style, line);
        }
    }

    /// Writes further stretches.
    #[inline(never)]
    fn print_more(&self, (start, end): (u32, u32), code: &Code, style: Style, line: &mut Cursor<'_>) {
        for Further { stretch, bits } in self.further.get(start as usize..end as usize).unwrap_or_default() {
            // No two stretches have their runs in common, and none has run 0.
            line.operands(&code.and(*bits), way_in(stretch.runs, style), |line| {
                self.print_run(self.run_of(stretch, code), code, style, line);
            });
        }
    }

    /// The pieces that a code chooses.
    #[inline(always)]
    fn run_of(&self, stretch: &Stretch, code: &Code) -> Run {
        self.runs.get(stretch.run(code)).copied().unwrap_or_default()
    }

    /// Writes pieces. Nothing is called in this loop as long as tables have their texts, so that all it needs stays in registers.
    #[inline(always)]
    fn print_run(&self, run: Run, code: &Code, style: Style, line: &mut Cursor<'_>) {
        let pieces = self.pieces.get(run.start()..run.start() + run.count());
        let Cursor { room, at, start, recent } = line;
        let mut end = *at;
        for piece in pieces.unwrap_or_default() {
            if let Some(text) = self.texts.get(piece.start, piece.place(code))
                && Cursor::copy_chars(room, &mut end, text.chars, text.len)
            {
                continue;
            }
            let mut line = Cursor { room, at: end, start, recent };
            self.print_rest(piece, code, style, &mut line);
            end = line.at;
        }
        *at = end;
    }

    /// Writes a piece that has no text in its table, or for which there is no room in the line.
    #[inline(never)]
    fn print_rest(&self, piece: &Piece, code: &Code, style: Style, line: &mut Cursor<'_>) {
        if let Some(text) = self.texts.get(piece.start, piece.place(code))
            && text.len != LONG
        {
            return line.first_of(text.chars, text.len.into());
        }
        if piece.start > Table::BEYOND
            && line.try_number(piece.number(code), way_in(piece.start - Table::BEYOND, style))
        {
            return;
        }
        let run = match self.rests[usize::from(piece.rest)] {
            Rest::Nothing => return,
            Rest::Item(n) => {
                return syntax::print(std::slice::from_ref(self.items[n as usize]), code, style, line);
            }
            Rest::Number(n) => return self.numbers[n as usize].print(code, style, line),
            Rest::Runs(first) => first as usize + piece.table().number(piece.place(code) as usize),
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

    /// As tests of one limb each: the limb, its bits and their values.
    fn tests(&self) -> impl Iterator<Item = (Limb, u64, u64)> {
        let limbs = Limb::ALL.into_iter().zip(self.bits.0.into_iter().zip(self.values.0));
        limbs.filter(|(_, (bits, _))| *bits != 0).map(|(limb, (bits, values))| (limb, bits, values))
    }
}
