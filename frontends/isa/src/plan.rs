//! How rows are printed: operand syntax turned into tables.
//!
//! Whatever a piece of an operand shows depends on a few bits of the code. Where these are at most [`BITS`], and the text
//! is at most eight characters, the texts for all their values are made in advance, by the printer itself: printing is
//! then one lookup and one copy a piece. Other pieces are printed item by item, and so are the values of a single item
//! whose texts are longer.

use crate::cursor::Entry;
use crate::syntax::{self, Item, Number};
use crate::template::{Step, Template};
use crate::{Code, Cursor, Field, Isa, Out, Row, Short, Style};
use rustc_hash::FxHashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

/// Most bits a table of several parts is looked up by.
const BITS: u32 = 13;

/// Bits of a code: a limb, how far it is turned right, and which bits are then taken.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
struct Window {
    limb: u8,
    turn: u8,
    mask: u16,
}

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
    windows: [Window; 2],
    /// What is printed where the table has no text.
    rest: Rest,
    /// Whether there is a table, though perhaps one without the texts that are too long for it.
    looked_up: bool,
}

/// What is printed where a table has no text.
#[derive(Copy, Clone, Debug)]
enum Rest {
    Nothing,
    /// The item of this number.
    Item(u16),
    /// One of several runs of pieces, chosen by the bits the table is looked up by; where they start.
    Runs(u16),
}

impl Piece {
    /// What the bits are that it is looked up by.
    #[inline(always)]
    fn key(&self, code: &Code) -> usize {
        self.windows[0].get(code) | self.windows[1].get(code)
    }

    /// The number of its text.
    #[inline(always)]
    fn at(&self, code: &Code) -> usize {
        self.table as usize + self.key(code)
    }
}

/// Some of the pieces of all rows, in order.
#[derive(Copy, Clone, Debug, Default)]
struct Run {
    start: u32,
    /// How many stand in front of the mnemonic, and behind it.
    leading: u16,
    behind: u16,
}

/// How a row is printed.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct Plan {
    /// Where the spellings of the mnemonic start: with each value of its suffix, and what always stands behind it.
    names: u32,
    suffix: Window,
    /// Where these bits hold these values, `plain` is all there is to print: the other pieces are elided.
    shown: Code,
    quiet: Code,
    plain: Run,
    full: Run,
    /// The items of [`Style::Exact`] alone: where they start, and how many.
    exact: (u32, u32),
}

/// The tables of all rows.
#[derive(Default)]
pub(crate) struct Tables {
    names: Vec<Short>,
    pieces: Vec<Piece>,
    texts: Vec<Entry>,
    items: Vec<&'static Item>,
    /// Pieces one of several alternatives is printed by.
    runs: Vec<Run>,
    exact: Vec<&'static Item>,
}

/// Makes [`Tables`].
pub(crate) struct Maker {
    pub(crate) tables: Tables,
    /// The pieces made so far, by [`Part::key`].
    pieces: FxHashMap<Vec<(usize, &'static str)>, Piece>,
    texts: FxHashMap<Vec<Entry>, u32>,
    /// Where the tables of numbers start that stand alone.
    numbers: FxHashMap<Way, u32>,
}

/// What a piece is made of.
#[derive(Copy, Clone)]
enum Part {
    Text(&'static str),
    Flag(&'static Field, &'static str),
    Item(&'static Item),
}

impl Part {
    /// Tells parts apart.
    fn key(&self) -> (usize, &'static str) {
        match *self {
            Part::Text(text) => (0, text),
            Part::Flag(field, text) => (std::ptr::from_ref(field).addr(), text),
            Part::Item(item) => (std::ptr::from_ref(item).addr(), ""),
        }
    }
}

impl Tables {
    /// Writes an instruction.
    #[inline(always)]
    pub(crate) fn print(&self, plan: &Plan, code: &Code, style: Style, line: &mut Cursor<'_>) {
        let run = if code.and(plan.shown) == plan.quiet { plan.plain } else { plan.full };
        let pieces = self.pieces.get(run.start as usize..).unwrap_or(&[]);
        let (front, behind) = pieces.split_at(usize::from(run.leading).min(pieces.len()));
        for piece in front {
            line.apart(|line| self.print_piece(piece, code, style, line));
        }
        line.short(&self.names[plan.names as usize + plan.suffix.get(code)]);
        let mut behind = &behind[..usize::from(run.behind).min(behind.len())];
        while let Some((piece, rest)) = self.print_tables(behind, code, line).split_first() {
            line.apart(|line| self.print_piece(piece, code, style, line));
            behind = rest;
        }
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

    /// Writes pieces up to the first that is no table or finds the line full; what is left. Nothing is called in this
    /// loop, so that all it needs stays in registers.
    #[inline(always)]
    fn print_tables<'a>(&self, pieces: &'a [Piece], code: &Code, line: &mut Cursor<'_>) -> &'a [Piece] {
        let texts = self.texts.as_slice();
        let mut pieces = pieces.iter();
        while let Some(piece) = pieces.as_slice().first() {
            if !piece.looked_up || !texts.get(piece.at(code)).is_some_and(|entry| line.try_entry(entry)) {
                break;
            }
            pieces.next();
        }
        pieces.as_slice()
    }

    #[inline(never)]
    fn print_piece(&self, piece: &Piece, code: &Code, style: Style, line: &mut Cursor<'_>) {
        let entry = piece.looked_up.then(|| &self.texts[piece.at(code)]).filter(|entry| !entry.is_long());
        match (entry, piece.rest) {
            (Some(entry), _) => line.entry(entry),
            (None, Rest::Item(item)) => {
                syntax::print(std::slice::from_ref(self.items[usize::from(item)]), code, style, line);
            }
            (None, Rest::Runs(first)) => {
                let run = self.runs[usize::from(first) + piece.key(code)];
                let pieces = self.pieces.get(run.start as usize..).unwrap_or(&[]);
                let mut left = &pieces[..usize::from(run.behind).min(pieces.len())];
                while let Some((piece, rest)) = self.print_tables(left, code, line).split_first() {
                    self.print_piece(piece, code, style, line);
                    left = rest;
                }
            }
            (None, Rest::Nothing) => {}
        }
    }
}

impl Maker {
    pub(crate) fn new() -> Maker {
        // The empty name is that of rows without a text.
        let names = vec![Short::new("")];
        let tables = Tables { names, ..Tables::default() };
        Maker { tables, pieces: FxHashMap::default(), texts: FxHashMap::default(), numbers: FxHashMap::default() }
    }

    /// The plan of a row.
    ///
    /// # Errors
    /// A sentence that says what is wrong with its template.
    pub(crate) fn plan<I: Isa>(&mut self, row: &Row<I>, template: &Template<I::Kind>) -> Result<Plan, String> {
        let mut suffix = Window::default();
        let mut names = vec![row.name.to_string()];
        if let Some((field, spellings)) = template.suffixes.first().and_then(|kind| I::syntax(*kind).suffix()) {
            let bits = field.pieces()[0];
            suffix = Window { limb: bits.limb() as u8, turn: bits.shift() as u8, mask: bits.ones() as u16 };
            let spelling = |value| spellings.iter().find(|(_, v)| *v == value).map_or("", |(text, _)| text);
            names = (0..=bits.ones()).map(|value| format!("{}{}", row.name, spelling(value))).collect();
        }
        let (mut front, mut behind, mut exact) = (Vec::new(), Vec::new(), Vec::new());
        template.leading.iter().for_each(|kind| flatten(I::syntax(*kind).items, &mut front, &mut Vec::new()));
        template.suffixes.iter().skip(1).for_each(|kind| flatten(I::syntax(*kind).items, &mut behind, &mut exact));
        let more_suffixes = template.suffixes.len() > 1;
        let mut ends = None;
        for (n, step) in template.steps.iter().enumerate() {
            match step {
                Step::Text(text)
                    if n == 0 && !more_suffixes && names.iter().all(|name| name.len() + text.len() <= Short::MOST) =>
                {
                    names.iter_mut().for_each(|name| name.push_str(text));
                }
                Step::Text(text) => flatten_text(text, &mut behind),
                Step::Operand(kind) => flatten(I::syntax(*kind).items, &mut behind, &mut exact),
            }
            if !exact.is_empty() {
                ends = ends.or(Some(behind.len()));
            }
        }
        if ends.is_some_and(|end| end < behind.len()) {
            return Err(format!("template of {}: pieces follow those of the exact style", row.title()));
        }
        if let Some(long) = names.iter().find(|name| name.len() > Short::MOST) {
            let title = row.title();
            return Err(format!("template of {title}: `{long}` is longer than {} characters", Short::MOST));
        }
        let full = self.run(&front, &behind);
        let mut quiet = Quiet::default();
        let mut elide = |part: &Part| {
            let bits = if let Part::Item(item) = part { elided(std::slice::from_ref(*item)) } else { None };
            let both = bits.and_then(|bits| quiet.and(bits));
            quiet = both.unwrap_or(quiet);
            both.is_none()
        };
        front.retain(&mut elide);
        behind.retain(&mut elide);
        let plan = Plan {
            names: self.tables.names.len() as u32,
            suffix,
            shown: quiet.bits,
            quiet: quiet.values,
            plain: self.run(&front, &behind),
            full,
            exact: (self.tables.exact.len() as u32, exact.len() as u32),
        };
        self.tables.exact.extend(exact);
        self.tables.names.extend(names.iter().map(|name| Short::new(name)));
        Ok(plan)
    }

    /// Adds the pieces that stand in front of a mnemonic and behind it.
    fn run(&mut self, front: &[Part], behind: &[Part]) -> Run {
        let (front, behind) = (self.cut(front), self.cut(behind));
        let all = &mut self.tables.pieces;
        let run = Run { start: all.len() as u32, leading: front.len() as u16, behind: behind.len() as u16 };
        all.extend(front.into_iter().chain(behind));
        run
    }

    /// Cuts parts into as few pieces as possible, of as small tables as possible.
    fn cut(&mut self, parts: &[Part]) -> Vec<Piece> {
        let needs: Vec<Need> = parts.iter().map(Need::of).collect();
        // For so many parts: how many pieces, how large their tables, where the last one starts.
        let mut best = vec![(0, 0, 0)];
        for end in 1..=parts.len() {
            let cuts = (0..end).filter_map(|start| {
                let size = match windows(&needs[start..end]) {
                    Some((_, width)) => 1 << width,
                    None if end - start == 1 => 0,
                    None => return None,
                };
                Some((best[start].0 + 1, best[start].1 + size, start))
            });
            best.push(cuts.min().unwrap_or_default());
        }
        let (mut pieces, mut end) = (Vec::new(), parts.len());
        while end > 0 {
            let start = best[end].2;
            pieces.push(self.piece(&parts[start..end], &needs[start..end]));
            end = start;
        }
        pieces.reverse();
        pieces
    }

    /// The piece whose text is that of `parts`.
    fn piece(&mut self, parts: &[Part], needs: &[Need]) -> Piece {
        let key: Vec<_> = parts.iter().map(Part::key).collect();
        if let Some(piece) = self.pieces.get(&key) {
            return *piece;
        }
        let mut piece = Piece { table: 0, windows: [Window::default(); 2], rest: Rest::Nothing, looked_up: false };
        if let Some((windows, width)) = windows(needs) {
            piece.windows = windows;
            piece.table = match parts {
                [Part::Item(Item::Number(number) | Item::Target(number))] => {
                    self.number_table(number, parts, windows, width)
                }
                _ => self.table(parts, windows, width),
            };
            piece.looked_up = true;
        }
        if let [Part::Item(item)] = parts {
            let complete = piece.looked_up && longest(item).is_some();
            match choice(item).filter(|_| !complete).and_then(|choice| self.runs(&choice)) {
                Some((windows, first)) => (piece.windows, piece.rest) = (windows, Rest::Runs(first)),
                None => {
                    piece.rest = Rest::Item(self.tables.items.len() as u16);
                    self.tables.items.push(item);
                }
            }
        }
        self.pieces.insert(key, piece);
        piece
    }

    /// The runs of pieces that a choice is printed by: what they are chosen by, and where they start. `None` where its
    /// alternatives are better printed item by item.
    fn runs(&mut self, choice: &Choice) -> Option<([Window; 2], u16)> {
        let need = Need { bits: choice.bits, longest: Some(0), alone: true, number: false };
        let (windows, width) = windows(&[need])?;
        if width > CHOICE_BITS {
            return None;
        }
        let mut runs = Vec::new();
        for key in 0..1u64 << width {
            let (mut parts, mut exact) = (Vec::new(), Vec::new());
            flatten((choice.items)(&spread(windows, key)), &mut parts, &mut exact);
            if !exact.is_empty() {
                return None;
            }
            runs.push(self.run(&[], &parts));
        }
        let first = u16::try_from(self.tables.runs.len()).ok()?;
        self.tables.runs.extend(runs);
        Some((windows, first))
    }

    /// The table of a number that stands alone: most operands are such, and written in few ways.
    fn number_table(&mut self, number: &'static Number, parts: &[Part], windows: [Window; 2], width: u32) -> u32 {
        // Where its bits stand together, the same values stand at the same places of the table.
        if number.field.pieces().len() > 1 {
            return self.table(parts, windows, width);
        }
        let key = way(number);
        if let Some(table) = self.numbers.get(&key) {
            return *table;
        }
        let table = self.table(parts, windows, width);
        self.numbers.insert(key, table);
        table
    }

    /// Makes the table of `parts`, unless there is one like it; where it starts.
    fn table(&mut self, parts: &[Part], windows: [Window; 2], width: u32) -> u32 {
        let mut out = Out::new();
        let entry = |key: u64| {
            let code = spread(windows, key);
            out.clear();
            out.line(|line| {
                for part in parts {
                    match part {
                        Part::Text(text) => line.text(text),
                        Part::Flag(field, text) if field.get(&code) != 0 => line.text(text),
                        Part::Flag(..) => {}
                        Part::Item(item) => syntax::print(std::slice::from_ref(*item), &code, Style::Vendor, line),
                    }
                }
            });
            if let [Part::Item(item @ Item::Choice(forms, _))] = parts
                && longest(item).is_none()
                && let Some(form) = forms.iter().find(|form| form.values.holds(form.field.get(&code)))
                && !is_told(form.items, choosing(item).unwrap_or_default())
            {
                return Entry::long();
            }
            Entry::new(out.as_str())
        };
        let texts: Vec<Entry> = (0..1 << width).map(entry).collect();
        let all = &mut self.tables.texts;
        *self.texts.entry(texts).or_insert_with_key(|texts| {
            let start = all.len() as u32;
            all.extend(texts);
            start
        })
    }
}

/// The code whose bits in the windows are these.
fn spread(windows: [Window; 2], key: u64) -> Code {
    let mut code = Code::default();
    for window in windows {
        let bits = key & u64::from(window.mask);
        code.0[usize::from(window.limb)] |= bits.rotate_left(u32::from(window.turn));
    }
    code
}

/// Most bits alternatives are chosen by.
const CHOICE_BITS: u32 = 6;

/// The items that a code chooses.
type Chosen = dyn Fn(&Code) -> &'static [Item];

/// Alternatives: the bits that decide which is printed, and its items.
struct Choice {
    bits: Code,
    items: Box<Chosen>,
}

/// An item as alternatives.
fn choice(item: &'static Item) -> Option<Choice> {
    match item {
        Item::Choice(forms, _) => Some(Choice {
            bits: forms.iter().fold(Code::default(), |bits, form| bits.or(form.field.mask())),
            items: Box::new(|code| {
                let form = forms.iter().find(|form| form.values.holds(form.field.get(code)));
                form.map_or(&[], |form| form.items)
            }),
        }),
        Item::If(field, values, then, otherwise) => Some(Choice {
            bits: field.mask(),
            items: Box::new(|code| if values.holds(field.get(code)) { then } else { otherwise }),
        }),
        _ => None,
    }
}

/// Adds a text in parts that are short enough.
fn flatten_text(text: &'static str, out: &mut Vec<Part>) {
    out.extend(
        (0..text.len()).step_by(Entry::MOST).map(|at| Part::Text(&text[at..(at + Entry::MOST).min(text.len())])),
    );
}

fn flatten(items: &'static [Item], out: &mut Vec<Part>, exact: &mut Vec<&'static Item>) {
    for item in items {
        match item {
            Item::Alias(..) | Item::Set(..) | Item::Refuse(..) | Item::Bits(_) => {}
            Item::Text(text) => flatten_text(text, out),
            Item::Flag(field, text) if text.len() <= Entry::MOST => out.push(Part::Flag(field, text)),
            Item::Between(field, bar, items) if bar.len() <= Entry::MOST => {
                out.push(Part::Flag(field, bar));
                flatten(items, out, exact);
                out.push(Part::Flag(field, bar));
            }
            Item::Shared(items, _) => flatten(items, out, exact),
            Item::Exact(items) => exact.extend(*items),
            _ => out.push(Part::Item(item)),
        }
    }
}

/// What a table of a part needs.
struct Need {
    /// The bits that decide what it shows.
    bits: Code,
    /// Most characters it shows; `None` where it has no table.
    longest: Option<usize>,
    /// Whether it can be printed by itself where its text is too long for a table.
    alone: bool,
    /// Whether it is one number.
    number: bool,
}

impl Need {
    fn of(part: &Part) -> Need {
        match part {
            Part::Text(text) => Need { bits: Code::default(), longest: Some(text.len()), alone: false, number: false },
            Part::Flag(field, text) => {
                Need { bits: field.mask(), longest: Some(text.len()), alone: false, number: false }
            }
            Part::Item(item) => {
                let mut bits = Code::default();
                syntax::each_field(std::slice::from_ref(*item), &mut |field| bits = bits.or(field.mask()));
                let longest = longest(item);
                if longest.is_none()
                    && let Some(bits) = choosing(item)
                {
                    // What is not told by these is printed by itself.
                    return Need { bits, longest: Some(Entry::MOST + 1), alone: true, number: false };
                }
                let number = matches!(item, Item::Number(_) | Item::Target(_));
                Need { bits, longest, alone: true, number }
            }
        }
    }
}

/// The bits that decide what some parts show, as up to two windows, and how many they are; `None` where a table would be
/// too large or its texts too long.
fn windows(parts: &[Need]) -> Option<([Window; 2], u32)> {
    let bits = parts.iter().fold(Code::default(), |bits, part| bits.or(part.bits));
    let length = parts.iter().try_fold(0, |length, part| Some(length + part.longest?))?;
    if length > Entry::MOST && !matches!(parts, [part] if part.alone) {
        return None;
    }
    let most = if let [Need { number: true, .. }] = parts { NUMBER_BITS } else { BITS };
    let (mut found, mut count, mut width) = ([Window::default(); 2], 0, 0);
    for (limb, bits) in bits.0.into_iter().enumerate() {
        let mut left = bits;
        while left != 0 {
            let shift = left.trailing_zeros();
            // As far as a window can reach.
            let run = left >> shift & ((1 << most) - 1);
            let len = 64 - run.leading_zeros();
            // Its bits stand above those of the window before it.
            let (turn, mask) = ((64 + shift - width) % 64, ((1 << len) - 1) << width);
            if width + len > most {
                return None;
            }
            *found.get_mut(count)? = Window { limb: limb as u8, turn: turn as u8, mask };
            (count, width) = (count + 1, width + len);
            left &= !(run << shift);
        }
    }
    Some((found, width))
}

/// Most characters of an item whose text depends on a few bits only.
fn longest(item: &'static Item) -> Option<usize> {
    let digits = |n: u64| n.max(1).ilog10() as usize + 1;
    let all = |items: &'static [Item]| items.iter().try_fold(0, |sum, item| Some(sum + longest(item)?));
    match item {
        Item::Text(text) | Item::Flag(_, text) | Item::When(_, _, text) => Some(text.len()),
        Item::Alias(..) | Item::Set(..) | Item::Refuse(..) => Some(0),
        Item::Register(register) => {
            register.banks.iter().map(|bank| bank.name.len() + digits(bank.first + bank.count)).max()
        }
        Item::Mask(_, none) => Some(none.len().max(4)),
        Item::Swizzle(_) => Some(5),
        Item::Component(_) => Some(1),
        Item::Names(_, names, _) => names.iter().map(|(name, _)| name.len()).max(),
        Item::Number(number) => longest_number(number),
        Item::Between(_, bar, items) => Some(2 * bar.len() + all(items)?),
        Item::Optional { open, items, .. } => Some(open.len() + all(items)?),
        Item::Annotations(open, items, _) => items.iter().try_fold(0, |sum, item| match longest(item)? {
            0 => Some(sum),
            len => Some(sum + open.len() + len),
        }),
        Item::If(_, _, then, otherwise) => Some(all(then)?.max(all(otherwise)?)),
        Item::Choice(forms, _) => forms.iter().try_fold(0, |most: usize, form| Some(most.max(all(form.items)?))),
        _ => None,
    }
}

/// The bits that choose among the forms of an item whose text depends on more bits than a table can be looked up by, if some
/// of its forms depend on no other: a table then has the texts of these.
fn choosing(item: &'static Item) -> Option<Code> {
    let Item::Choice(forms, _) = item else { return None };
    let bits = forms.iter().fold(Code::default(), |bits, form| bits.or(form.field.mask()));
    forms.iter().any(|form| is_told(form.items, bits)).then_some(bits)
}

/// Whether these bits are all the items' text depends on.
fn is_told(items: &'static [Item], bits: Code) -> bool {
    let mut told = true;
    syntax::each_field(items, &mut |field| told &= field.mask().without(bits).is_zero());
    told
}

/// Most bits of a number whose texts are made in advance.
const NUMBER_BITS: u32 = 14;

/// What tells numbers apart that are written in different ways: the address of their printer, and the values there are.
type Way = (usize, u32, bool);

fn way(number: &'static Number) -> Way {
    (number.print as usize, number.field.width(), number.field.extend(u64::MAX) < 0)
}

/// Most characters of a number of few bits that is written alike in both styles.
fn longest_number(number: &'static Number) -> Option<usize> {
    static KNOWN: LazyLock<Mutex<FxHashMap<Way, Option<usize>>>> = LazyLock::new(Mutex::default);
    if number.field.width() > NUMBER_BITS {
        return None;
    }
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    *known.entry(way(number)).or_insert_with(|| measure(number))
}

fn measure(number: &'static Number) -> Option<usize> {
    let mut out = [Out::new(), Out::new()];
    (0..1u64 << number.field.width()).try_fold(0, |most: usize, value| {
        for (out, style) in out.iter_mut().zip([Style::Vendor, Style::Exact]) {
            out.clear();
            out.line(|line| (number.print)(number.field.extend(value), style, line));
        }
        (out[0].as_str() == out[1].as_str()).then(|| most.max(out[0].len()))
    })
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
}

/// Bits with whose values the items show nothing; `None` where there are none such.
fn elided(items: &'static [Item]) -> Option<Quiet> {
    items.iter().try_fold(Quiet::default(), |quiet, item| {
        quiet.and(match item {
            Item::Alias(..) | Item::Set(..) | Item::Refuse(..) | Item::Bits(_) => Quiet::default(),
            Item::Flag(field, _) => Quiet::field(field, 0),
            Item::When(field, value, _) if *value != 0 => Quiet::field(field, 0),
            // The first name of a value is the one printed: an empty one behind it is only read.
            Item::Names(field, names, _) => {
                let printed =
                    |value: u64| names.iter().find(|(_, v)| *v == value).is_some_and(|(name, _)| name.is_empty());
                Quiet::field(field, names.iter().find(|(_, value)| printed(*value))?.1)
            }
            Item::Optional { absent, printed: false, .. } => absent
                .iter()
                .try_fold(Quiet::default(), |quiet, (field, value)| quiet.and(Quiet::field(field, *value)))?,
            Item::Annotations(_, items, _) | Item::Shared(items, _) => elided(items)?,
            Item::If(_, _, then, otherwise) => elided(then)?.and(elided(otherwise)?)?,
            _ => return None,
        })
    })
}
