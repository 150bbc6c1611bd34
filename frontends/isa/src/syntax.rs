//! The syntax of operands as data: one declaration, from which the printer, the reader and the list of fields are made.

use crate::code::Code;
use crate::cursor::{Cursor, Style};
use crate::field::{Allowed, Field};
use parallax_text::parse_u64;
use std::fmt;

/// How a kind of operand is written.
#[derive(Debug)]
pub struct Syntax {
    /// The pieces, in order.
    pub items: &'static [Item],
    /// Short notation for the reference page.
    pub notation: &'static str,
}

impl Syntax {
    /// All bits of its fields, for patterns made from masks.
    pub const fn bits_of_fields(&self) -> Code {
        bits_of(self.items)
    }

    /// The field and the spellings, where these are ends of a mnemonic itself, as `_sat` is.
    pub(crate) fn suffix(&self) -> Option<(&'static Field, &'static [(&'static str, u64)])> {
        let &[Item::Names(field, names, _)] = self.items else { return None };
        names.iter().all(|(name, _)| name.bytes().all(crate::lex::in_word)).then_some((field, names))
    }

    /// The fields, each once.
    pub fn fields(&self) -> Vec<&'static Field> {
        let mut all: Vec<&'static Field> = Vec::new();
        each_field(self.items, &mut |field| {
            if !all.contains(&field) {
                all.push(field);
            }
        });
        all
    }

    /// The characters in front of bits no operand shows, if it has a place for such bits.
    pub(crate) fn bits(&self) -> Option<[&'static str; 2]> {
        self.items.iter().find_map(|item| match item {
            Item::Annotations(open, items, _) => items.iter().find_map(|item| match item {
                Item::Bits(text) => Some([*open, *text]),
                _ => None,
            }),
            _ => None,
        })
    }
}

/// A kind of operand that is nothing but how it is written. Kinds are the same if they are written by the same declaration.
#[derive(Copy, Clone)]
pub struct SyntaxKind(pub &'static Syntax);

impl PartialEq for SyntaxKind {
    fn eq(&self, other: &SyntaxKind) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for SyntaxKind {}

/// An operand that is nothing but how it is written: its name in templates, its notation on the reference page, its pieces.
#[macro_export]
macro_rules! operand {
    ($id:ident = $name:literal, $notation:tt: $($items:expr),*) => {
        pub(crate) const $id: $crate::Operand<$crate::SyntaxKind> = {
            static SYNTAX: $crate::Syntax = $crate::Syntax { items: &[$($items),*], notation: $notation };
            $crate::Operand { name: $name, kind: $crate::SyntaxKind(&SYNTAX) }
        };
    };
}

impl fmt::Debug for SyntaxKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Steps of templates are compared by this, too.
        write!(f, "{:p} {}", self.0, self.0.notation)
    }
}

/// A piece of an operand. The reader allows blanks in front of every piece.
#[derive(Debug)]
pub enum Item {
    /// Characters that always stand here.
    Text(&'static str),
    /// Characters that stand here where a field of one bit is 1.
    Flag(&'static Field, &'static str),
    /// Characters that stand here where a field holds this value. Where they are missing, the reader leaves it to later
    /// pieces to set the field.
    When(&'static Field, u64, &'static str),
    /// Characters the reader takes, and the value they give to a field; never printed.
    Alias(&'static Field, u64, &'static str),
    /// A value without any text.
    Set(&'static Field, u64),
    /// Characters that cannot stand here, and why.
    Refuse(&'static str, &'static Problem),
    /// A register.
    Register(&'static Register),
    /// A write mask, x in the highest bit: nothing for all components; the characters for none.
    Mask(&'static Field, &'static str),
    /// A point and one or four components, two bits each, x in the highest; nothing for the identity.
    Swizzle(&'static Field),
    /// One component, as often as the field holds it.
    Component(&'static Field),
    /// Spellings of values; the first of a value is the one printed.
    Names(&'static Field, &'static [(&'static str, u64)], &'static str),
    /// A number.
    Number(&'static Number),
    /// A place in the program: a number, or the name of a label.
    Target(&'static Number),
    /// Pieces between two bars, such as `|`, where a field of one bit is 1; without the bars where it is 0.
    Between(&'static Field, &'static str, &'static [Item]),
    /// Pieces that may be missing. The reader knows them by the characters in front.
    Optional {
        /// The characters in front.
        open: &'static str,
        /// Field values where the pieces are missing. The printer leaves them out where all of these hold.
        absent: &'static [(&'static Field, u64)],
        /// Whether the printer always writes them.
        printed: bool,
        /// The pieces.
        items: &'static [Item],
    },
    /// The pieces of the first list where a field that was read before holds one of the values, else of the second.
    If(&'static Field, Allowed, &'static [Item], &'static [Item]),
    /// One of several forms, and what to expect where none fits.
    Choice(&'static [Form], &'static str),
    /// Annotations in any order, each behind the same characters, and what to expect behind those. Members are flags,
    /// aliases, names and [`Item::Bits`]; a name of no characters is not written.
    Annotations(&'static str, &'static [Item], &'static str),
    /// Pieces that only [`Style::Exact`] prints, at the end of the text.
    Exact(&'static [Item]),
    /// Bits no operand shows, as numbers of 64 bits.
    Bits(&'static str),
    /// Pieces that several operands of an instruction share, and the problem where they differ.
    Shared(&'static [Item], &'static Problem),
    /// One of several places, whose numbers other operands may also name.
    Selected(&'static Selected),
}

/// A number at one of several places, and a field that tells which.
#[derive(Debug)]
pub struct Selected {
    /// The field.
    pub field: &'static Field,
    /// The places. The printer writes that of the value the field holds; the reader takes one that holds the number
    /// already, else the first that is not set and can hold it.
    pub places: &'static [Candidate],
    /// The problem where there is none.
    pub full: &'static Problem,
}

/// A place of [`Selected`].
#[derive(Debug)]
pub struct Candidate {
    /// Value of the field that tells.
    pub value: u64,
    /// The number. All places of a `Selected` spell theirs alike.
    pub number: &'static Number,
    /// Which numbers it can hold.
    pub holds: fn(i64) -> bool,
}

/// One form of a [`Item::Choice`]; the printer takes the first whose field holds one of the values.
#[derive(Debug)]
pub struct Form {
    /// The field that tells.
    pub field: &'static Field,
    /// Its values.
    pub values: Allowed,
    /// The pieces.
    pub items: &'static [Item],
}

/// What is wrong with a text.
#[derive(Debug)]
pub struct Problem {
    /// Code of the diagnostic.
    pub code: &'static str,
    /// The sentence.
    pub message: &'static str,
    /// How to mend it; may be empty.
    pub help: &'static str,
}

/// A register: the name of a bank and a number.
#[derive(Debug)]
pub struct Register {
    /// The number in its bank.
    pub number: &'static Field,
    /// The bank, where there are several.
    pub bank: Option<&'static Field>,
    /// The banks. Words that name none of them are printed with the first.
    pub banks: &'static [Bank],
    /// What it is, for messages.
    pub what: &'static str,
    /// Help where a number stands in its place; may be empty.
    pub literal: &'static str,
}

/// A bank of registers, or a part of one.
#[derive(Debug)]
pub struct Bank {
    /// Name in front of the number.
    pub name: &'static str,
    /// Code in the field of the bank.
    pub code: u64,
    /// Number of the register whose field is 0.
    pub first: u64,
    /// How many registers the field can number.
    pub count: u64,
    /// How many registers the machine has in all banks of this name.
    pub exist: u64,
}

impl Bank {
    /// A bank of as many registers as its field numbers.
    pub const fn new(name: &'static str, count: u64) -> Bank {
        Bank { name, code: 0, first: 0, count, exist: count }
    }
}

/// A number and its formats.
#[derive(Debug)]
pub struct Number {
    /// Its field.
    pub field: &'static Field,
    /// Writes it.
    pub print: fn(i64, Style, &mut Cursor<'_>),
    /// Reads it.
    pub read: fn(&[u8]) -> Numeral,
    /// What it is, for messages.
    pub what: &'static str,
    /// Which numbers it can be, for messages about one it cannot be.
    pub allowed: &'static str,
    /// What is wrong with a number the field does not hold.
    pub range: &'static Problem,
}

/// What a text holds where a number should stand.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Numeral {
    /// No number.
    None,
    /// A number that is none of the allowed.
    Bad,
    /// A number, and how many bytes it takes.
    Value(i64, usize),
}

impl Numeral {
    /// The characters of a number at the start of a text: perhaps a sign, a digit, then letters and digits, and points if it
    /// `has_points`. Empty where there is no number.
    pub fn characters(text: &[u8], has_points: bool) -> &str {
        let signs = usize::from(matches!(text.first(), Some(b'-' | b'+')));
        let is_inside = |b: &&u8| b.is_ascii_alphanumeric() || has_points && **b == b'.';
        let len = text[signs..].iter().take_while(is_inside).count();
        let is_number = text.get(signs).is_some_and(u8::is_ascii_digit);
        std::str::from_utf8(&text[..signs + len]).ok().filter(|_| is_number).unwrap_or("")
    }

    /// A number in digits, perhaps with a point inside, as most are: its digits as an integer, how many of them stand behind the
    /// point, and its bytes. None where there are more than `most` digits, 18 at most, or a point behind them.
    #[inline]
    pub(crate) fn digits(text: &[u8], most: usize) -> Option<(u64, usize, usize)> {
        let behind = |mut at: usize, mut value: u64| {
            while let Some(digit @ 0..10) = text.get(at).map(|b| b.wrapping_sub(b'0')) {
                // Where it does not fit there are too many.
                (value, at) = (value.wrapping_mul(10).wrapping_add(digit.into()), at + 1);
            }
            (value, at)
        };
        let (whole, point) = behind(0, 0);
        if text.get(point) != Some(&b'.') {
            return (1..=most).contains(&point).then_some((whole, 0, point));
        }
        let (value, len) = behind(point + 1, whole);
        let places = len - point - 1;
        let is_inside = point > 0 && places > 0 && text.get(len) != Some(&b'.');
        (is_inside && len - 1 <= most).then_some((value, places, len))
    }

    /// A hexadecimal integer of up to 15 digits, perhaps with a sign in front, as most are, and its bytes. None for any other.
    #[inline]
    fn short_hex(text: &[u8]) -> Option<(i64, usize)> {
        let sign = usize::from(matches!(text.first(), Some(b'-' | b'+')));
        let digits = text.get(sign..)?.strip_prefix(b"0x")?;
        let (mut value, mut len) = (0, 0);
        while let Some(digit) = digits.get(len).and_then(|b| char::from(*b).to_digit(16)) {
            (value, len) = (value << 4 | i64::from(digit), len + 1);
        }
        let ends = digits.get(len).is_none_or(|b| !b.is_ascii_alphanumeric());
        let value = if text[0] == b'-' { -value } else { value };
        (ends && (1..=15).contains(&len)).then_some((value, sign + 2 + len))
    }

    /// A decimal or hexadecimal integer, with a sign or without.
    pub fn integer(text: &[u8]) -> Numeral {
        if let Some((value, 0, len)) = Numeral::digits(text, 18)
            && !text.get(len).is_some_and(u8::is_ascii_alphanumeric)
        {
            return Numeral::Value(value as i64, len);
        }
        if let Some((value, len)) = Numeral::short_hex(text) {
            return Numeral::Value(value, len);
        }
        let word = Numeral::characters(text, false);
        let value = parse_u64(word.trim_start_matches(['-', '+'])).and_then(|value| i64::try_from(value).ok());
        match value {
            _ if word.is_empty() => Numeral::None,
            Some(value) => Numeral::Value(if word.starts_with('-') { -value } else { value }, word.len()),
            None => Numeral::Bad,
        }
    }
}

/// Component letters.
pub(crate) const LETTERS: &[u8; 4] = b"xyzw";

impl Register {
    /// A register of the first of these banks.
    pub const fn new(number: &'static Field, banks: &'static [Bank], what: &'static str) -> Register {
        Register { number, bank: None, banks, what, literal: "" }
    }

    pub(crate) fn bank_of(&self, code: &Code) -> &'static Bank {
        let held = self.bank.map_or(self.banks[0].code, |field| field.get(code));
        self.banks.iter().find(|bank| bank.code == held).unwrap_or(&self.banks[0])
    }
}

/// Whether all of these fields hold these values.
pub(crate) fn holds(values: &[(&'static Field, u64)], code: &Code) -> bool {
    values.iter().all(|(field, value)| field.get(code) == *value)
}

/// Writes pieces.
pub(crate) fn print(items: &'static [Item], code: &Code, style: Style, line: &mut Cursor<'_>) {
    for item in items {
        print_item(item, code, style, line);
    }
}

fn print_item(item: &'static Item, code: &Code, style: Style, line: &mut Cursor<'_>) {
    let letter = |value: u64| LETTERS[value as usize & 3];
    match item {
        Item::Text(text) => line.text(text),
        Item::Flag(field, text) => {
            if field.get(code) != 0 {
                line.text(text);
            }
        }
        Item::When(field, value, text) => {
            if field.get(code) == *value {
                line.text(text);
            }
        }
        Item::Alias(..) | Item::Set(..) | Item::Refuse(..) | Item::Bits(_) => {}
        Item::Exact(items) => {
            if style == Style::Exact {
                print(items, code, style, line);
            }
        }
        Item::Register(register) => {
            let bank = register.bank_of(code);
            line.text(bank.name);
            line.decimal(bank.first + register.number.get(code));
        }
        Item::Mask(field, none) => match field.get(code) {
            15 => {}
            0 => line.text(none),
            mask => {
                line.char(b'.');
                (0..4).filter(|n| mask >> (3 - n) & 1 != 0).for_each(|n| line.char(letter(n)));
            }
        },
        Item::Swizzle(field) => match field.get(code) {
            IDENTITY => {}
            byte => {
                line.char(b'.');
                let all = byte % 0x55 == 0;
                (0..if all { 1 } else { 4 }).for_each(|n| line.char(letter(byte >> (6 - 2 * n))));
            }
        },
        Item::Component(field) => line.char(letter(field.get(code))),
        Item::Names(field, names, _) => {
            let value = field.get(code);
            line.text(names.iter().find(|(_, v)| *v == value).map_or("", |(name, _)| name));
        }
        Item::Number(number) | Item::Target(number) => {
            (number.print)(number.field.get_signed(code), style, line);
        }
        Item::Between(field, bar, items) => {
            let bars = field.get(code) != 0;
            if bars {
                line.text(bar);
            }
            print(items, code, style, line);
            if bars {
                line.text(bar);
            }
        }
        Item::Optional { open, absent, printed, items } => {
            if *printed || !holds(absent, code) {
                line.text(open);
                print(items, code, style, line);
            }
        }
        Item::If(field, values, then, otherwise) => {
            print(if values.holds(field.get(code)) { then } else { otherwise }, code, style, line);
        }
        Item::Choice(forms, _) => {
            if let Some(form) = forms.iter().find(|form| form.values.holds(form.field.get(code))) {
                print(form.items, code, style, line);
            }
        }
        Item::Annotations(open, items, _) => items.iter().for_each(|item| print_annotation(open, item, code, line)),
        Item::Shared(items, _) => print(items, code, style, line),
        Item::Selected(selected) => {
            let number = selected.at(code).number;
            (number.print)(number.field.get_signed(code), style, line);
        }
    }
}

/// Writes a member of [`Item::Annotations`], if there is anything to write.
pub(crate) fn print_annotation(open: &str, item: &Item, code: &Code, line: &mut Cursor<'_>) {
    let text = match item {
        Item::Flag(field, text) if field.get(code) != 0 => text,
        Item::Names(field, names, _) => {
            let value = field.get(code);
            names.iter().find(|(_, v)| *v == value).map_or("", |(name, _)| name)
        }
        _ => "",
    };
    if !text.is_empty() {
        line.text(open);
        line.text(text);
    }
}

impl Selected {
    /// The place the field tells; the first where it tells none.
    pub(crate) fn at(&self, code: &Code) -> &'static Candidate {
        let value = self.field.get(code);
        self.places.iter().find(|place| place.value == value).unwrap_or(&self.places[0])
    }
}

/// The swizzle that changes nothing.
pub(crate) const IDENTITY: u64 = 0x1b;

/// Calls `each` with every field of the pieces, some of them several times.
pub(crate) fn each_field(items: &'static [Item], each: &mut dyn FnMut(&'static Field)) {
    for item in items {
        match item {
            Item::Text(_) | Item::Refuse(..) | Item::Bits(_) => {}
            Item::Flag(field, _)
            | Item::When(field, ..)
            | Item::Alias(field, ..)
            | Item::Set(field, _)
            | Item::Mask(field, _)
            | Item::Swizzle(field)
            | Item::Component(field)
            | Item::Names(field, ..) => each(field),
            Item::Register(register) => {
                register.bank.into_iter().for_each(&mut *each);
                each(register.number);
            }
            Item::Number(number) | Item::Target(number) => each(number.field),
            Item::Between(field, _, items) => {
                each(field);
                each_field(items, each);
            }
            Item::Optional { absent, items, .. } => {
                absent.iter().for_each(|(field, _)| each(field));
                each_field(items, each);
            }
            Item::If(field, _, then, otherwise) => {
                each(field);
                each_field(then, each);
                each_field(otherwise, each);
            }
            Item::Choice(forms, _) => {
                for form in *forms {
                    each(form.field);
                    each_field(form.items, each);
                }
            }
            Item::Annotations(_, items, _) | Item::Shared(items, _) | Item::Exact(items) => each_field(items, each),
            Item::Selected(selected) => {
                each(selected.field);
                selected.places.iter().for_each(|place| each(place.number.field));
            }
        }
    }
}

/// All bits of the fields of the pieces.
const fn bits_of(items: &[Item]) -> Code {
    let mut bits = Code::new(0, 0);
    let mut n = 0;
    while n < items.len() {
        let more = match &items[n] {
            Item::Text(_) | Item::Refuse(..) | Item::Bits(_) => Code::new(0, 0),
            Item::Flag(field, _)
            | Item::When(field, ..)
            | Item::Alias(field, ..)
            | Item::Set(field, _)
            | Item::Mask(field, _)
            | Item::Swizzle(field)
            | Item::Component(field)
            | Item::Names(field, ..) => field.mask(),
            Item::Register(register) => match register.bank {
                Some(bank) => bank.mask().or(register.number.mask()),
                None => register.number.mask(),
            },
            Item::Number(number) | Item::Target(number) => number.field.mask(),
            Item::Between(field, _, items) => field.mask().or(bits_of(items)),
            Item::Optional { absent, items, .. } => {
                let mut bits = bits_of(items);
                let mut n = 0;
                while n < absent.len() {
                    bits = bits.or(absent[n].0.mask());
                    n += 1;
                }
                bits
            }
            Item::If(field, _, then, otherwise) => field.mask().or(bits_of(then)).or(bits_of(otherwise)),
            Item::Selected(selected) => {
                let mut bits = selected.field.mask();
                let mut n = 0;
                while n < selected.places.len() {
                    bits = bits.or(selected.places[n].number.field.mask());
                    n += 1;
                }
                bits
            }
            Item::Choice(forms, _) => {
                let mut bits = Code::new(0, 0);
                let mut n = 0;
                while n < forms.len() {
                    bits = bits.or(forms[n].field.mask()).or(bits_of(forms[n].items));
                    n += 1;
                }
                bits
            }
            Item::Annotations(_, items, _) | Item::Shared(items, _) | Item::Exact(items) => bits_of(items),
        };
        bits = bits.or(more);
        n += 1;
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_read() {
        for digits in (0..10_000_000u32).step_by(7_919).chain([1, 9, 10, 9_999_999]) {
            let whole = digits.to_string();
            assert_eq!(Numeral::integer(whole.as_bytes()), Numeral::Value(digits.into(), whole.len()));
        }
        let integers = [
            ("18446744073709551616", Numeral::Bad),
            ("9223372036854775807", Numeral::Value(i64::MAX, 19)),
            ("999999999999999999.", Numeral::Value(999_999_999_999_999_999, 18)),
            ("1.5", Numeral::Value(1, 1)),
            ("-0x1f]", Numeral::Value(-31, 5)),
            ("1a", Numeral::Bad),
            ("1e5", Numeral::Bad),
            ("]", Numeral::None),
        ];
        for (text, want) in integers {
            assert_eq!(Numeral::integer(text.as_bytes()), want, "{text}");
        }
    }
}
