//! How rows are printed: operand syntax turned into tables.
//!
//! Whatever a piece of an operand shows depends on a few bits of the code. Where these are at most [`BITS`], and the text
//! is at most seven characters, the texts for all their values are made in advance, by the printer itself: printing is
//! then one lookup and one copy a piece. Other pieces are printed item by item.

use crate::syntax::{self, Item};
use crate::template::{Step, Template};
use crate::{Code, Cursor, Field, Isa, Out, Row, Short, Style};
use rustc_hash::FxHashMap;

/// Most bits a table is looked up by.
const BITS: u32 = 11;
/// Most characters of an entry: a machine word has eight bytes, and the last holds their number.
const MOST: usize = 7;
/// In place of an item's number: the piece is a table.
const TABLE: u16 = u16::MAX;

/// A run of bits of a code.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
struct Window {
    limb: u8,
    shift: u8,
    mask: u16,
}

impl Window {
    #[inline(always)]
    fn get(self, code: &Code) -> usize {
        (code.0[usize::from(self.limb & 3)] >> (self.shift & 63)) as usize & usize::from(self.mask)
    }
}

/// A piece of a row's text.
#[derive(Copy, Clone, Debug)]
struct Piece {
    /// Where the piece's table starts.
    table: u32,
    item: u16,
    /// What the table is looked up by: two windows, the second `up` bits higher.
    first: Window,
    second: Window,
    up: u8,
}

/// How a row is printed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    /// The mnemonic with each value of its suffix, and what always stands behind it.
    names: Vec<Short>,
    suffix: Window,
    pieces: Vec<Piece>,
    /// How many of them stand in front of the mnemonic.
    leading: usize,
    /// Where these bits are all 0, `plain` is all there is to print: the other pieces are elided.
    shown: Code,
    plain: Vec<Piece>,
    plain_leading: usize,
}

/// The tables of all rows.
#[derive(Default)]
pub(crate) struct Tables {
    texts: Vec<u64>,
    items: Vec<&'static Item>,
}

/// Makes [`Tables`].
#[derive(Default)]
pub(crate) struct Maker {
    pub(crate) tables: Tables,
    known: FxHashMap<Vec<u64>, u32>,
}

/// What a table is made of.
#[derive(Copy, Clone)]
enum Part {
    Text(&'static str),
    Flag(&'static Field, &'static str),
    Item(&'static Item),
}

impl Plan {
    /// Writes an instruction.
    #[inline(always)]
    pub(crate) fn print(&self, tables: &Tables, code: &Code, style: Style, line: &mut Cursor<'_>) {
        let (pieces, leading) = match code.and(self.shown).is_zero() {
            true => (self.plain.as_slice(), self.plain_leading),
            false => (self.pieces.as_slice(), self.leading),
        };
        let (front, behind) = pieces.split_at(leading);
        for piece in front {
            line.apart(|line| tables.print(piece, code, style, line));
        }
        line.short(&self.names[self.suffix.get(code)]);
        for piece in behind {
            tables.print(piece, code, style, line);
        }
    }
}

impl Tables {
    #[inline(always)]
    fn print(&self, piece: &Piece, code: &Code, style: Style, line: &mut Cursor<'_>) {
        if piece.item == TABLE {
            let key = piece.first.get(code) | piece.second.get(code) << (piece.up & 15);
            let text = self.texts[piece.table as usize + key];
            line.packed(text, (text >> 56) as usize);
        } else {
            line.apart(|line| self.print_item(piece, code, style, line));
        }
    }

    #[inline(never)]
    fn print_item(&self, piece: &Piece, code: &Code, style: Style, line: &mut Cursor<'_>) {
        syntax::print(std::slice::from_ref(self.items[usize::from(piece.item)]), code, style, line);
    }
}

impl Maker {
    /// The plan of a row.
    ///
    /// # Errors
    /// A sentence that says what is wrong with its template.
    pub(crate) fn plan<I: Isa>(&mut self, row: &Row<I>, template: &Template<I::Kind>) -> Result<Plan, String> {
        let mut plan = Plan { names: vec![Short::new("")], ..Plan::default() };
        let mut names = vec![row.name.to_string()];
        if let Some((field, spellings)) = template.suffix.and_then(|kind| I::syntax(kind).suffix()) {
            let bits = field.pieces()[0];
            plan.suffix = Window { limb: bits.limb() as u8, shift: bits.shift() as u8, mask: bits.ones() as u16 };
            let spelling = |value| spellings.iter().find(|(_, v)| *v == value).map_or("", |(text, _)| text);
            names = (0..=bits.ones()).map(|value| format!("{}{}", row.name, spelling(value))).collect();
        }
        let mut parts = Vec::new();
        template.leading.iter().for_each(|kind| flatten(I::syntax(*kind).items, &mut parts));
        self.pieces(&parts, &mut plan);
        (plan.leading, plan.plain_leading) = (plan.pieces.len(), plan.plain.len());
        parts.clear();
        for (n, step) in template.steps.iter().enumerate() {
            match step {
                Step::Text(text) if n == 0 && names.iter().all(|name| name.len() + text.len() <= Short::MOST) => {
                    names.iter_mut().for_each(|name| name.push_str(text));
                }
                Step::Text(text) => parts.push(Part::Text(text)),
                Step::Operand(kind) => flatten(I::syntax(*kind).items, &mut parts),
            }
        }
        if let Some(long) = names.iter().find(|name| name.len() > Short::MOST) {
            let title = row.title();
            return Err(format!("template of {title}: `{long}` is longer than {} characters", Short::MOST));
        }
        self.pieces(&parts, &mut plan);
        plan.names = names.iter().map(|name| Short::new(name)).collect();
        Ok(plan)
    }

    /// Adds the pieces made of `parts`.
    fn pieces(&mut self, parts: &[Part], plan: &mut Plan) {
        let mut rest = parts;
        while let [first, ..] = rest {
            let count = (1..=rest.len()).take_while(|n| windows(&rest[..*n]).is_some()).last();
            let Some(count) = count else {
                if let Part::Text(text) = first {
                    // Too long for an entry: in pieces.
                    for at in (0..text.len()).step_by(MOST) {
                        let part = [Part::Text(&text[at..(at + MOST).min(text.len())])];
                        self.table(&part, plan);
                    }
                } else if let Part::Item(item) = first {
                    let number = self.tables.items.len() as u16;
                    let empty = Window::default();
                    let piece = Piece { table: 0, item: number, first: empty, second: empty, up: 0 };
                    self.tables.items.push(item);
                    plan.pieces.push(piece);
                    match elided(std::slice::from_ref(*item)) {
                        Some(bits) => plan.shown = plan.shown.or(bits),
                        None => plan.plain.push(piece),
                    }
                }
                rest = &rest[1..];
                continue;
            };
            self.table(&rest[..count], plan);
            rest = &rest[count..];
        }
    }

    /// Adds the piece whose text is that of `parts`.
    fn table(&mut self, parts: &[Part], plan: &mut Plan) {
        let Some((windows, width)) = windows(parts) else { return };
        let up = windows[0].mask.count_ones();
        let mut out = Out::new();
        let entry = |key: usize| {
            let mut code = Code::default();
            for (window, key) in windows.iter().zip([key, key >> up]) {
                code.0[usize::from(window.limb)] |= ((key & usize::from(window.mask)) as u64) << window.shift;
            }
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
            let text = out.as_str().as_bytes();
            text.iter().rev().fold(0, |packed, c| packed << 8 | u64::from(*c)) | (text.len() as u64) << 56
        };
        let texts: Vec<u64> = (0..1 << width).map(entry).collect();
        let all = &mut self.tables.texts;
        let table = *self.known.entry(texts).or_insert_with_key(|texts| {
            let start = all.len() as u32;
            all.extend(texts);
            start
        });
        let piece = Piece { table, item: TABLE, first: windows[0], second: windows[1], up: up as u8 };
        plan.pieces.push(piece);
        plan.plain.push(piece);
    }
}

fn flatten(items: &'static [Item], out: &mut Vec<Part>) {
    for item in items {
        match item {
            Item::Alias(..) | Item::Set(..) | Item::Refuse(..) | Item::Bits(_) => {}
            Item::Text(text) => out.push(Part::Text(text)),
            Item::Flag(field, text) => out.push(Part::Flag(field, text)),
            Item::Between(field, bar, items) => {
                out.push(Part::Flag(field, bar));
                flatten(items, out);
                out.push(Part::Flag(field, bar));
            }
            Item::Shared(items, _) => flatten(items, out),
            _ => out.push(Part::Item(item)),
        }
    }
}

/// The bits that decide what `parts` show, as up to two windows, and how many they are; `None` where a table would be too
/// large or its texts too long.
fn windows(parts: &[Part]) -> Option<([Window; 2], u32)> {
    let (mut bits, mut length) = (Code::default(), 0);
    let mut add = |field: &Field| bits = bits.or(field.mask());
    for part in parts {
        length += match part {
            Part::Text(text) => text.len(),
            Part::Flag(field, text) => {
                add(field);
                text.len()
            }
            Part::Item(item) => {
                syntax::each_field(std::slice::from_ref(*item), &mut |field| add(field));
                longest(item)?
            }
        };
    }
    if length > MOST {
        return None;
    }
    let (mut found, mut count, mut width) = ([Window::default(); 2], 0, 0);
    for (limb, bits) in bits.0.into_iter().enumerate() {
        let mut left = bits;
        while left != 0 {
            let shift = left.trailing_zeros();
            // As far as a window can reach.
            let run = left >> shift & ((1 << BITS) - 1);
            let len = 64 - run.leading_zeros();
            *found.get_mut(count)? = Window { limb: limb as u8, shift: shift as u8, mask: ((1u32 << len) - 1) as u16 };
            (count, width) = (count + 1, width + len);
            left &= !(run << shift);
        }
    }
    (width <= BITS).then_some((found, width))
}

/// Most characters of an item whose text depends on a few bits only.
fn longest(item: &Item) -> Option<usize> {
    let digits = |n: u64| n.max(1).ilog10() as usize + 1;
    match item {
        Item::Register(register) => {
            register.banks.iter().map(|bank| bank.name.len() + digits(bank.first + bank.count)).max()
        }
        Item::Mask(_, none) => Some(none.len().max(4)),
        Item::Swizzle(_) => Some(5),
        Item::Component(_) => Some(1),
        Item::Names(_, names, _) => names.iter().map(|(name, _)| name.len()).max(),
        _ => None,
    }
}

/// Bits that are all 0 only where the items show nothing; `None` where there are none such.
fn elided(items: &'static [Item]) -> Option<Code> {
    items.iter().try_fold(Code::default(), |bits, item| {
        let more = match item {
            Item::Alias(..) | Item::Set(..) | Item::Refuse(..) | Item::Bits(_) => Code::default(),
            Item::Flag(field, _) => field.mask(),
            Item::Optional { absent, printed: false, .. } if absent.iter().all(|(_, value)| *value == 0) => {
                absent.iter().fold(Code::default(), |bits, (field, _)| bits.or(field.mask()))
            }
            Item::Annotations(_, items, _) | Item::Shared(items, _) => elided(items)?,
            Item::If(_, _, then, otherwise) => elided(then)?.or(elided(otherwise)?),
            _ => return None,
        };
        Some(bits.or(more))
    })
}
