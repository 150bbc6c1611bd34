//! Parts of a row's text, before they are joined to pieces: what each shows, and which bits decide that.

use super::texts::MOST;
use super::{Quiet, Window, Windows};
use crate::code::{Code, Limb};
use crate::cursor::{Cursor, Style};
use crate::syntax::{self, Form, Item, Number};
use crate::{field::Field, out::Out};
use rustc_hash::FxHashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

/// Most bits the table of an item is looked up by.
const ITEM_BITS: u32 = 12;
/// The same of several parts.
const JOINED_BITS: u32 = 9;
/// The same where the mnemonic is one of them: such tables are those of one row alone.
const OWN_BITS: u32 = 4;
/// Most bits of a number whose texts are made in advance.
const NUMBER_BITS: u32 = 14;
/// Most bits of any table.
pub(super) const MOST_BITS: u32 = NUMBER_BITS;

/// What a piece is made of.
#[derive(Copy, Clone)]
pub(super) enum Part {
    /// The mnemonic, or a part of it.
    Name(&'static str),
    Text(&'static str),
    Flag(&'static Field, &'static str),
    Number(&'static Number),
    Item(&'static Item),
    /// The first characters of an item, as many as an entry holds; or those behind them.
    Half(&'static Item, bool),
}

impl Part {
    /// Tells parts apart.
    pub(super) fn key(&self) -> (usize, &'static str) {
        match *self {
            Part::Name(text) => (1, text),
            Part::Text(text) => (0, text),
            Part::Flag(field, text) => (std::ptr::from_ref(field).addr(), text),
            Part::Number(number) => (std::ptr::from_ref(number).addr(), ""),
            Part::Item(item) => (std::ptr::from_ref(item).addr(), ""),
            Part::Half(item, second) => (std::ptr::from_ref(item).addr(), if second { "second" } else { "first" }),
        }
    }

    /// Writes it.
    pub(super) fn print(&self, code: &Code, line: &mut Cursor<'_>) {
        match self {
            Part::Name(text) | Part::Text(text) => line.text(text),
            Part::Flag(field, text) if field.get(code) != 0 => line.text(text),
            Part::Flag(..) => {}
            Part::Number(number) => (number.print)(number.field.get_signed(code), Style::Vendor, line),
            Part::Item(item) => syntax::print(std::slice::from_ref(*item), code, Style::Vendor, line),
            Part::Half(item, second) => {
                let mut out = Out::new();
                out.line(|line| syntax::print(std::slice::from_ref(*item), code, Style::Vendor, line));
                let (first, rest) = out.as_str().split_at(out.len().min(MOST));
                line.text(if *second { rest } else { first });
            }
        }
    }

    /// The bits of its fields.
    pub(super) fn bits(&self) -> Code {
        match self {
            Part::Name(_) | Part::Text(_) => Code::default(),
            Part::Flag(field, _) => field.mask(),
            Part::Number(number) => number.field.mask(),
            Part::Item(item) | Part::Half(item, _) => bits_of(item),
        }
    }

    /// Bits with whose values it shows nothing; `None` where there are none such.
    pub(super) fn elided(&self) -> Option<Quiet> {
        match self {
            Part::Flag(field, _) => Some(Quiet::field(field, 0)),
            Part::Item(item) => elided(std::slice::from_ref(*item)),
            _ => None,
        }
    }
}

/// Adds a text in parts that are short enough.
pub(super) fn flatten_text(text: &'static str, part: fn(&'static str) -> Part, out: &mut Vec<Part>) {
    let most = MOST;
    out.extend((0..text.len()).step_by(most).map(|at| part(&text[at..(at + most).min(text.len())])));
}

/// Adds the parts of items; those of [`Style::Exact`] alone go to `exact`.
pub(super) fn flatten(items: &'static [Item], out: &mut Vec<Part>, exact: &mut Vec<&'static Item>) {
    for item in items {
        match item {
            Item::Alias(..) | Item::Set(..) | Item::Refuse(..) | Item::Bits(_) => {}
            Item::Text(text) => flatten_text(text, Part::Text, out),
            Item::Flag(field, text) if text.len() <= MOST => out.push(Part::Flag(field, text)),
            Item::Between(field, bar, items) if bar.len() <= MOST => {
                out.push(Part::Flag(field, bar));
                flatten(items, out, exact);
                out.push(Part::Flag(field, bar));
            }
            Item::Optional { open, printed: true, items, .. } => {
                flatten_text(open, Part::Text, out);
                flatten(items, out, exact);
            }
            Item::Number(number) | Item::Target(number) => out.push(Part::Number(number)),
            Item::Shared(items, _) => flatten(items, out, exact),
            Item::Exact(items) => exact.extend(*items),
            _ => out.push(Part::Item(item)),
        }
    }
}

/// Most bits that tell whether something optional is there, for it to count as an alternative.
const OPTIONAL_BITS: u32 = 3;

/// The bits that choose what an item is printed as, if it has alternatives.
pub(super) fn choosing(item: &Item) -> Option<Code> {
    let union =
        |fields: &mut dyn Iterator<Item = &'static Field>| fields.fold(Code::default(), |all, f| all.or(f.mask()));
    match item {
        Item::Choice(forms, _) => Some(union(&mut forms.iter().map(|form| form.field))),
        Item::If(field, ..) => Some(field.mask()),
        Item::Selected(selected) => Some(selected.field.mask()),
        Item::Optional { absent, printed: false, .. }
            if !absent.is_empty() && absent.iter().map(|(field, _)| field.width()).sum::<u32>() <= OPTIONAL_BITS =>
        {
            Some(union(&mut absent.iter().map(|(field, _)| *field)))
        }
        _ => None,
    }
}

fn form(forms: &'static [Form], code: &Code) -> &'static [Item] {
    forms.iter().find(|form| form.values.holds(form.field.get(code))).map_or(&[], |form| form.items)
}

/// Adds the parts of the alternative of an item that a code chooses, if the item has alternatives.
pub(super) fn choose(item: &'static Item, code: &Code, out: &mut Vec<Part>, exact: &mut Vec<&'static Item>) {
    match item {
        Item::Choice(forms, _) => flatten(form(forms, code), out, exact),
        Item::If(field, values, then, otherwise) => {
            flatten(if values.holds(field.get(code)) { then } else { otherwise }, out, exact);
        }
        Item::Selected(selected) => out.push(Part::Number(selected.at(code).number)),
        Item::Optional { open, absent, items, .. } if !syntax::holds(absent, code) => {
            flatten_text(open, Part::Text, out);
            flatten(items, out, exact);
        }
        _ => {}
    }
}

/// Whether there are pieces that [`Style::Exact`] alone prints.
pub(super) fn has_exact(items: &[Item]) -> bool {
    items.iter().any(|item| match item {
        Item::Exact(_) => true,
        Item::Choice(forms, _) => forms.iter().any(|form| has_exact(form.items)),
        Item::If(_, _, then, otherwise) => has_exact(then) || has_exact(otherwise),
        Item::Optional { items, .. } | Item::Between(_, _, items) | Item::Shared(items, _) => has_exact(items),
        _ => false,
    })
}

/// Calls `each` with the items that have alternatives, those inside of alternatives included.
pub(super) fn each_choice(items: &'static [Item], each: &mut dyn FnMut(&'static Item)) {
    for item in items {
        match item {
            Item::Choice(forms, _) => {
                each(item);
                forms.iter().for_each(|form| each_choice(form.items, each));
            }
            Item::If(_, _, then, otherwise) => {
                each(item);
                each_choice(then, each);
                each_choice(otherwise, each);
            }
            Item::Selected(_) => each(item),
            Item::Optional { items, .. } => {
                each(item);
                each_choice(items, each);
            }
            Item::Between(_, _, items) | Item::Shared(items, _) => each_choice(items, each),
            _ => {}
        }
    }
}

/// What a table of a part needs.
pub(super) struct Need {
    /// The bits that decide what it shows.
    pub(super) bits: Code,
    /// Most characters it shows; `None` where it has no table.
    longest: Option<usize>,
    /// Whether it can be printed by itself where its text is too long for a table.
    alone: bool,
    kind: Kind,
}

/// What parts can be joined with.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Kind {
    Name,
    Text,
    Number,
    Other,
}

impl Need {
    /// What a table that only tells alternatives apart needs.
    pub(super) fn of_choice(bits: Code) -> Need {
        Need { bits, longest: Some(0), alone: true, kind: Kind::Other }
    }

    pub(super) fn of(part: &Part) -> Need {
        let constant = |text: &str, kind| Need { bits: Code::default(), longest: Some(text.len()), alone: false, kind };
        match part {
            Part::Name(text) => constant(text, Kind::Name),
            Part::Text(text) => constant(text, Kind::Text),
            Part::Flag(field, text) => {
                Need { bits: field.mask(), longest: Some(text.len()), alone: false, kind: Kind::Other }
            }
            Part::Number(number) => {
                Need { bits: number.field.mask(), longest: longest_number(number), alone: true, kind: Kind::Number }
            }
            Part::Half(item, second) => {
                let longest = longest(item).map(|all| if *second { all - MOST } else { MOST });
                Need { bits: bits_of(item), longest, alone: false, kind: Kind::Other }
            }
            Part::Item(item) => {
                let bits = bits_of(item);
                let longest = longest(item);
                if longest.is_none()
                    && let Some(bits) = telling(item)
                {
                    // What is not told by these is printed by itself.
                    return Need { bits, longest: Some(MOST + 1), alone: true, kind: Kind::Other };
                }
                Need { bits, longest, alone: true, kind: Kind::Other }
            }
        }
    }
}

/// The bits of the fields of an item.
fn bits_of(item: &'static Item) -> Code {
    let mut bits = Code::default();
    syntax::each_field(std::slice::from_ref(item), &mut |field| bits = bits.or(field.mask()));
    bits
}

/// The bits that decide what some parts show, as up to two windows, and how many they are; `None` where a table would be
/// too large or its texts too long.
pub(super) fn windows(parts: &[Need]) -> Option<(Windows, u32)> {
    let bits = parts.iter().fold(Code::default(), |bits, part| bits.or(part.bits));
    let length = parts.iter().try_fold(0, |length, part| Some(length + part.longest?))?;
    let is_number = is_number(parts);
    if length > MOST && !(is_number || matches!(parts, [part] if part.alone)) {
        return None;
    }
    let most = match parts {
        [part] if part.kind == Kind::Number => NUMBER_BITS,
        // Large tables only have what many rows have: what parts an operand from the one in front of it.
        [part, _] if is_number && part.kind == Kind::Text && part.longest <= Some(SEPARATOR) => NUMBER_BITS,
        [_] => ITEM_BITS,
        _ if parts.iter().any(|part| part.kind == Kind::Name) => OWN_BITS,
        _ => JOINED_BITS,
    };
    windows_of(bits, most)
}

/// Most characters between operands.
const SEPARATOR: usize = 2;

/// Whether parts are one number and texts around it.
pub(super) fn is_number(parts: &[Need]) -> bool {
    let numbers = parts.iter().filter(|part| part.kind == Kind::Number).count();
    numbers == 1 && parts.iter().all(|part| matches!(part.kind, Kind::Number | Kind::Text))
}

/// The one number of parts, and the texts in front of it and behind.
pub(super) fn frame(parts: &[Part]) -> Option<(String, &'static Number, String)> {
    let (mut front, mut found, mut behind) = (String::new(), None, String::new());
    for part in parts {
        match part {
            Part::Text(text) if found.is_some() => behind += text,
            Part::Text(text) => front += text,
            Part::Number(number) if found.is_none() => found = Some(*number),
            _ => return None,
        }
    }
    Some((front, found?, behind))
}

/// Whether parts are one number that has no table and short texts around it: such a piece is known if it was written before.
pub(super) fn is_framed(parts: &[Need]) -> bool {
    let around = parts.iter().filter(|part| part.kind == Kind::Text).filter_map(|part| part.longest).sum::<usize>();
    let has_table = parts.iter().any(|part| part.kind == Kind::Number && part.longest.is_some());
    is_number(parts) && !has_table && around <= 2 * SEPARATOR
}

/// Bits as up to two windows of at most so many bits, and how many they are.
pub(super) fn windows_of(bits: Code, most: u32) -> Option<(Windows, u32)> {
    if bits.count_ones() > most {
        return None;
    }
    let (mut found, mut count, mut width) = (Windows::default(), 0, 0);
    for (limb, bits) in Limb::ALL.into_iter().zip(bits.0) {
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
            *found.get_mut(count)? = Window::new(limb, turn, mask);
            (count, width) = (count + 1, width + len);
            left &= !(run << shift);
        }
    }
    Some((found, width))
}

/// Windows that take their bits to so many places further up.
pub(super) fn shifted(windows: Windows, by: u32) -> Windows {
    windows.map(|window| Window::new(window.limb, 64 + u32::from(window.turn) - by, u32::from(window.mask) << by))
}

/// Most characters of an item whose text depends on a few bits only.
pub(super) fn longest(item: &'static Item) -> Option<usize> {
    let digits = |n: u64| n.max(1).ilog10() as usize + 1;
    let all = |items: &'static [Item]| items.iter().try_fold(0, |sum, item| Some(sum + longest(item)?));
    match item {
        Item::Text(text) | Item::Flag(_, text) | Item::When(_, _, text) => Some(text.len()),
        Item::Alias(..) | Item::Set(..) | Item::Refuse(..) | Item::Bits(_) => Some(0),
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
pub(super) fn telling(item: &'static Item) -> Option<Code> {
    let Item::Choice(forms, _) = item else { return None };
    let bits = choosing(item)?;
    forms.iter().any(|form| is_told(form.items, bits)).then_some(bits)
}

/// Whether a code chooses a form of an item that depends on other bits than those which choose.
pub(super) fn is_untold(item: &'static Item, code: &Code) -> bool {
    match item {
        Item::Choice(forms, _) => {
            longest(item).is_none() && !is_told(form(forms, code), telling(item).unwrap_or_default())
        }
        _ => false,
    }
}

/// Whether these bits are all the items' text depends on.
fn is_told(items: &'static [Item], bits: Code) -> bool {
    let mut told = true;
    syntax::each_field(items, &mut |field| told &= field.mask().without(bits).is_zero());
    told
}

/// What tells numbers apart that are written in different ways: the address of their printer, and the values there are.
pub(super) type Way = (usize, u32, bool);

pub(super) fn way(number: &'static Number) -> Way {
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
