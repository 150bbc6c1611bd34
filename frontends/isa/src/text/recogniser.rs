//! Operands compiled for reading: what [`Scan`](crate::scan::Scan) reads piece by piece, as steps that look at the next character first.
//!
//! Texts seldom have most of what they could have: signs, suffixes, flags, annotations. A run of such pieces is passed over in one
//! step where none of them begins with the character that stands there; what their absence says of fields is put together in
//! advance. Forms of a choice are told by that character, too, and names by one character and a comparison of words.
//!
//! A step only says whether a text fits. Why it does not is the scan's to tell, which reads again what was refused here.

mod compile;

use crate::field::{Allowed, Field};
use crate::lex::{byte, in_word, sixteen};
use crate::scan::Scan;
use crate::syntax::{Item, Number, Register};
use rustc_hash::FxHashMap;

/// A piece of an instruction's text.
#[derive(Copy, Clone)]
pub(super) enum Piece {
    Text(&'static str),
    Item(&'static Item),
    /// Where pieces between bars begin, of which so many follow: those are read here if there are bars.
    Bars {
        field: &'static Field,
        bar: &'static str,
        items: &'static [Item],
        count: usize,
    },
}

/// Some of the steps.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Steps {
    start: u32,
    end: u32,
}

/// Some of the settings.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Settings {
    start: u32,
    end: u32,
}

/// Values of bits of one limb.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct Setting {
    limb: usize,
    mask: u64,
    value: u64,
}

/// Characters.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Set([u64; 4]);

impl Set {
    const ALL: Set = Set([u64::MAX; 4]);

    fn of(byte: u8) -> Set {
        let mut set = Set::default();
        set.0[usize::from(byte >> 6)] = 1 << (byte & 63);
        set
    }

    fn or(self, other: Set) -> Set {
        Set(std::array::from_fn(|n| self.0[n] | other.0[n]))
    }

    #[inline(always)]
    fn has(&self, byte: u8) -> bool {
        self.0[usize::from(byte >> 6)] >> (byte & 63) & 1 != 0
    }
}

/// A step, and what is done in front of it and behind without another one.
#[derive(Copy, Clone)]
struct Stage {
    /// Where none of these characters stands here, all up to the stage `to` is missing. All characters where something must stand.
    /// They are ASCII; whatever else stands here is no reason to pass over anything.
    ascii: [u64; 2],
    to: u32,
    absence: Settings,
    step: Step,
    /// The character that the next stage reads: it is read at once, and that stage passed over. 0 where that reads something else.
    then: u8,
}

/// A step of reading. Blanks may stand in front of each.
#[derive(Copy, Clone)]
enum Step {
    /// One character that is no part of a word.
    Char(u8),
    Text(&'static str),
    /// A text that may be missing, and what it says.
    Flag(&'static str, Settings),
    Set(Settings),
    Refuse(&'static str),
    Names(u32),
    Register(&'static Register),
    /// A mask, which goes to the bits of this number, and what stands for an empty one.
    Mask(u32, &'static str),
    /// A swizzle, which goes to the bits of this number.
    Swizzle(u32),
    Number(&'static Number),
    /// What stands between bars, if there are any; behind it goes on at a step.
    Bars {
        bar: &'static str,
        bars: Settings,
        inner: Steps,
        to: u32,
    },
    Optional {
        open: &'static str,
        absence: Settings,
        inner: Steps,
    },
    If {
        field: &'static Field,
        values: Allowed,
        then: Steps,
        otherwise: Steps,
    },
    Choice(u32),
    /// An item that is left to the scan.
    Item(&'static Item),
}

/// The bits of one limb that hold a field of at most eight bits, as they are for each of its values.
struct Spread {
    limb: usize,
    mask: u64,
    values: Vec<u64>,
}

/// Forms, and a bit for each that may begin with a character.
struct Choice {
    by_byte: [u16; 256],
    forms: Vec<Steps>,
}

/// A name of up to 16 characters.
struct Name {
    chars: u128,
    mask: u128,
    len: usize,
    /// Whether it ends like a word: then the word must end there.
    is_word: bool,
    /// Whether it is the last of those that are sought together.
    is_last: bool,
    says: Settings,
}

/// Names of values, sorted by one of their characters; those with the same one by their length.
struct Names {
    /// Which character.
    key: usize,
    /// By its low bits, the number of the first name behind which it is found; 0 where there is none.
    starts: [u8; 32],
    names: Vec<Name>,
    /// What it says if no name stands here.
    nothing: Option<Settings>,
}

impl Names {
    #[inline(always)]
    fn find(&self, text: &[u8], at: usize) -> Option<&Name> {
        let here = sixteen(text, at);
        let start = self.starts[usize::from((here >> (8 * self.key)) as u8 & 31)];
        for name in self.names.get(usize::from(start).wrapping_sub(1)..).unwrap_or_default() {
            if (here ^ name.chars) & name.mask == 0 && !(name.is_word && in_word(byte(text, at + name.len))) {
                return Some(name);
            }
            if name.is_last {
                break;
            }
        }
        None
    }
}

/// The steps of all operands of a table.
#[derive(Default)]
pub(super) struct Recogniser {
    stages: Vec<Stage>,
    spreads: Vec<Spread>,
    settings: Vec<Setting>,
    sets: Vec<Set>,
    names: Vec<Names>,
    choices: Vec<Choice>,
    /// Steps of items, and numbers of names and choices, by their addresses.
    known: FxHashMap<(usize, usize), Steps>,
    numbers: FxHashMap<usize, u32>,
}

impl Recogniser {
    /// Reads what the steps say, and tells whether it stands there. If it does not, the scan is somewhere in it.
    pub(super) fn read(&self, steps: Steps, scan: &mut Scan<'_>) -> bool {
        let (mut at, end) = (steps.start as usize, steps.end as usize);
        while let Some(stage) = self.stages.get(at).filter(|_| at < end) {
            scan.blanks();
            let byte = scan.byte(0);
            if byte.is_ascii() && stage.ascii[usize::from(byte >> 6)] >> (byte & 63) & 1 == 0 {
                if !self.set(stage.absence, scan) {
                    return false;
                }
                at = stage.to as usize;
                continue;
            }
            at += 1;
            let fits = match stage.step {
                Step::Char(c) => {
                    let stands = scan.byte(0) == c;
                    scan.at += usize::from(stands);
                    stands
                }
                Step::Text(text) => scan.take(text),
                Step::Flag(text, says) => !scan.take(text) || self.set(says, scan),
                Step::Set(says) => self.set(says, scan),
                Step::Refuse(text) => !scan.take(text),
                Step::Names(n) => self.name(&self.names[n as usize], scan),
                Step::Register(register) => scan.register(register),
                Step::Mask(spread, none) => scan.mask(none).is_some_and(|value| self.spread(spread, value, scan)),
                Step::Swizzle(spread) => scan.swizzle().is_some_and(|value| self.spread(spread, value, scan)),
                Step::Number(number) => scan.number(number),
                Step::Bars { bar, bars, inner, to } => {
                    !scan.take(bar) || {
                        at = to as usize;
                        self.set(bars, scan) && self.read(inner, scan) && scan.take(bar)
                    }
                }
                Step::Optional { open, absence, inner } => match scan.opens(open) {
                    true => self.read(inner, scan),
                    false => self.set(absence, scan),
                },
                Step::If { field, values, then, otherwise } => {
                    self.read(if values.holds(scan.encoding.get(field)) { then } else { otherwise }, scan)
                }
                Step::Choice(n) => self.choice(&self.choices[n as usize], scan),
                Step::Item(item) => scan.item(item),
            };
            if !fits {
                return false;
            }
            if stage.then != 0 {
                scan.blanks();
                if scan.byte(0) != stage.then {
                    return false;
                }
                scan.at += 1;
                at += 1;
            }
        }
        true
    }

    /// Sets the field of this number.
    #[inline(always)]
    fn spread(&self, number: u32, value: u64, scan: &mut Scan<'_>) -> bool {
        let Spread { limb, mask, values } = &self.spreads[number as usize];
        values.get(value as usize).is_some_and(|bits| scan.encoding.put_limb(*limb, *mask, *bits))
    }

    /// Takes settings; says whether they agree with what was set before.
    #[inline(always)]
    pub(super) fn set(&self, settings: Settings, scan: &mut Scan<'_>) -> bool {
        let all = self.settings.get(settings.start as usize..settings.end as usize).unwrap_or_default();
        all.iter().all(|setting| scan.encoding.put_limb(setting.limb, setting.mask, setting.value))
    }

    #[inline(always)]
    fn name(&self, names: &Names, scan: &mut Scan<'_>) -> bool {
        match names.find(scan.text(), scan.at) {
            Some(name) => {
                scan.at += name.len;
                self.set(name.says, scan)
            }
            None => names.nothing.is_some_and(|says| self.set(says, scan)),
        }
    }

    #[inline]
    fn choice(&self, choice: &Choice, scan: &mut Scan<'_>) -> bool {
        let mut left = choice.by_byte[usize::from(scan.byte(0))];
        while left != 0 {
            let form = choice.forms[left.trailing_zeros() as usize];
            left &= left - 1;
            if left == 0 {
                return self.read(form, scan);
            }
            let start = scan.place();
            if self.read(form, scan) {
                return true;
            }
            scan.return_to(start);
        }
        false
    }

    /// Whether pieces may begin with a character.
    #[inline(always)]
    pub(super) fn may_begin(&self, set: u32, byte: u8) -> bool {
        self.sets[set as usize].has(byte)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cursor::{Cursor, Style};
    use crate::syntax::{Bank, Form, Numeral, Problem};

    static FIELDS: [Field; 10] = {
        let mut all = [Field::new("field", 0, 4); 10];
        let mut n = 0;
        while n < all.len() {
            all[n] = Field::new("field", 4 * n as u8, 4);
            n += 1;
        }
        all
    };
    static REVERSED: Field = Field::new("reversed", 86, 2).then(84, 2).then(82, 2).then(80, 2);
    static SPLIT: Field = Field::new("split", 60, 4).then(70, 4);
    const PROBLEM: Problem = Problem { code: "problem", message: "", help: "" };
    static NUMBER: Number = Number {
        field: &FIELDS[0],
        print: |value: i64, _: Style, line: &mut Cursor<'_>| line.signed(value),
        read: Numeral::integer,
        what: "a number",
        allowed: "a number",
        range: &PROBLEM,
    };
    static REGISTER: Register = Register::new(&FIELDS[1], &[Bank::new("r", 16), Bank::new("pc", 4)], "a register");
    static NAMES: &[(&str, u64)] = &[("", 0), (".a", 1), (".ab", 2), (".b1", 3), (".c.d", 4), (".ab", 5)];
    static SPACED: &[(&str, u64)] = &[("x, ", 0), ("x", 1), ("yes", 2)];

    static ITEMS: &[&[Item]] = &[
        &[
            Item::Flag(&FIELDS[2], "-"),
            Item::Between(
                &FIELDS[3],
                "|",
                &[
                    Item::Register(&REGISTER),
                    Item::If(&FIELDS[1], Allowed::Max(3), &[Item::Refuse("[", &PROBLEM)], &[]),
                    Item::Names(&SPLIT, NAMES, ""),
                ],
            ),
            Item::When(&FIELDS[4], 3, ".ab"),
            Item::Optional {
                open: " ; ",
                absent: &[(&FIELDS[5], 7)],
                printed: false,
                items: &[Item::Number(&NUMBER), Item::Set(&FIELDS[5], 1)],
            },
        ],
        &[
            Item::Choice(
                &[
                    Form {
                        field: &FIELDS[6],
                        values: Allowed::Any,
                        items: &[Item::Register(&REGISTER), Item::Text(",")],
                    },
                    Form { field: &FIELDS[6], values: Allowed::Any, items: &[Item::Names(&FIELDS[6], SPACED, "")] },
                    Form {
                        field: &FIELDS[6],
                        values: Allowed::Any,
                        items: &[Item::Text("r2 "), Item::Mask(&FIELDS[7], "!")],
                    },
                    Form { field: &FIELDS[6], values: Allowed::Any, items: &[Item::Number(&NUMBER)] },
                ],
                "",
            ),
            Item::Swizzle(&SPLIT),
            Item::Alias(&FIELDS[8], 2, "b1"),
            Item::Annotations(" <- ", &[Item::Flag(&FIELDS[9], "ab"), Item::Bits("bits")], ""),
        ],
        &[
            Item::Text("da "),
            Item::Optional { open: " ", absent: &[(&FIELDS[0], 9)], printed: false, items: &[Item::Number(&NUMBER)] },
            Item::Shared(&[Item::Names(&FIELDS[2], NAMES, ""), Item::Flag(&FIELDS[2], ".b1")], &PROBLEM),
            Item::Swizzle(&REVERSED),
            Item::Component(&FIELDS[3]),
        ],
    ];

    /// What the steps read is what the scan reads, and they refuse what it refuses.
    #[test]
    fn steps_read_what_the_scan_reads() {
        const PIECES: &[&str] = &[
            "r2",
            "r",
            "15",
            "16",
            "pc",
            "p",
            "3",
            "-",
            "|",
            ".",
            ".a",
            ".ab",
            ".b1",
            ".c.d",
            ".xyzw",
            ".wzyx",
            "\u{e9}",
            "x",
            "x, ",
            "yes",
            " ",
            "  ",
            ";",
            "; 7",
            ",",
            "!",
            "<- ab",
            "<- bits 3",
            "da",
            "da ",
            "b1",
            "[",
            "0x1f",
            "w",
            "\t",
        ];
        let mut recogniser = Recogniser::default();
        let mut state = 1u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            (state >> 33) as usize % below
        };
        let (mut read, mut refused) = (0, 0);
        for items in ITEMS {
            let steps = recogniser.items(items);
            let first = recogniser.first(items.iter().map(Piece::Item));
            for _ in 0..40_000 {
                let text: String = (0..random(7)).map(|_| PIECES[random(PIECES.len())]).collect();
                let (mut fast, mut slow) = (Scan::new(&text, 0), Scan::new(&text, 0));
                let stands = slow.items(items);
                assert_eq!(recogniser.read(steps, &mut fast), stands, "{text:?}");
                (read, refused) = (read + usize::from(stands), refused + usize::from(!stands));
                if stands {
                    let all = |scan: &Scan<'_>| (scan.at, scan.encoding, scan.flips, scan.labels);
                    assert_eq!(all(&fast), all(&slow), "{text:?}");
                    let start = crate::lex::skip_blanks(text.as_bytes(), 0);
                    assert!(recogniser.may_begin(first, byte(text.as_bytes(), start)), "{text:?}");
                }
            }
        }
        assert!(read > 2_000 && refused > 2_000, "{read} {refused}");
        // A word of a literal ends at its blank, whatever stands behind that.
        let steps = recogniser.items(ITEMS[2]);
        let reads = |text: &str| recogniser.read(steps, &mut Scan::new(text, 0));
        assert!(reads("da 3 x") && reads(" da x") && !reads("da3 x"));
    }
}
