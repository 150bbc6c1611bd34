//! Spellings that a text is compared with: literals, names and registers, as words of 8 or 16 bytes.

use super::Settings;
use crate::lex::{byte, eight, in_word, sixteen};
use crate::scan::Scan;
use crate::syntax::Register;

/// Characters that stand in a text.
pub(super) struct Literal {
    text: &'static str,
    /// Up to eight characters without a blank, compared as a word.
    chars: u64,
    mask: u64,
    len: usize,
    /// Whether it ends like a word: then the word must end there.
    is_word: bool,
    /// Whether its characters are compared one by one: there are many, or blanks among them.
    is_long: bool,
}

impl Literal {
    pub(super) fn new(text: &'static str) -> Literal {
        // Blanks behind a single character are skipped by whatever is read next.
        let text = match text.as_bytes() {
            [c, b' '] if !in_word(*c) => &text[..1],
            _ => text,
        };
        Literal {
            text,
            chars: eight(text.as_bytes(), 0),
            mask: u64::MAX.checked_shr(64 - 8 * text.len().min(8) as u32).unwrap_or(0),
            len: text.len(),
            is_word: text.bytes().next_back().is_some_and(in_word),
            is_long: text.len() > 8 || text.contains(' '),
        }
    }

    /// Takes it, if it stands at `at`.
    #[inline(always)]
    pub(super) fn takes(&self, scan: &mut Scan<'_>, at: &mut usize) -> bool {
        if self.is_long {
            return self.takes_long(scan, at);
        }
        let (text, end) = (scan.text(), *at + self.len);
        let stands = (eight(text, *at) ^ self.chars) & self.mask == 0;
        if !stands || self.is_word && in_word(byte(text, end)) {
            return false;
        }
        *at = end;
        true
    }

    #[inline(never)]
    fn takes_long(&self, scan: &mut Scan<'_>, at: &mut usize) -> bool {
        scan.at = *at;
        let stands = scan.take_all(self.text.as_bytes());
        *at = scan.at;
        stands
    }
}

/// A name of up to 16 characters.
#[derive(Clone)]
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

/// Names of values, sorted by one of their characters; those with the same one by their length. Names that end in front of that
/// character stand among those of each.
pub(super) struct Names {
    /// Which character.
    key: usize,
    /// By its low bits, the number of the first name behind which it is found; 0 where there is none.
    starts: [u8; 32],
    names: Vec<Name>,
    /// What it says if no name stands here.
    nothing: Option<Settings>,
}

impl Names {
    /// Whether names can be compared as words of 16 bytes: in longer ones, and where blanks may stand, characters are.
    pub(super) fn holds<'a>(names: impl Iterator<Item = &'a str>) -> bool {
        let mut count = 0;
        names.inspect(|_| count += 1).all(|name| name.len() <= 16 && !name.contains(' '))
            && count < usize::from(u8::MAX)
    }

    /// Whether a name is one word, perhaps behind another character.
    pub(super) fn is_word(name: &str) -> bool {
        name.bytes().next_back().is_some_and(in_word) && name.bytes().skip(1).all(in_word)
    }

    /// These names, of which the first counts among equals, and what it says if none stands there.
    pub(super) fn new(mut written: Vec<(&'static str, Settings)>, nothing: Option<Settings>) -> Names {
        // At most one of several words stands at a place: short ones are more frequent. Of others the longest counts.
        match written.iter().all(|(name, _)| Names::is_word(name)) {
            true => parallax_text::sort_by_key(&mut written, |(name, _)| name.len()),
            false => parallax_text::sort_by_key(&mut written, |(name, _)| std::cmp::Reverse(name.len())),
        }
        // The character that tells most of them apart: looking at each of those that are sought together is least work.
        let counts = |key: usize| {
            let (mut all, mut short) = ([0; 32], 0);
            written.iter().for_each(|(name, _)| match name.as_bytes().get(key) {
                Some(c) => all[usize::from(c & 31)] += 1,
                None => short += 1,
            });
            all.map(|count: usize| count + short)
        };
        let work = |key: usize| {
            let counts = counts(key);
            let has_room = counts.iter().sum::<usize>() < usize::from(u8::MAX);
            has_room.then_some((counts.iter().map(|count| count * count).sum::<usize>(), key))
        };
        let longest = written.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        let key = (0..longest).filter_map(work).min().map_or(0, |(_, key)| key);
        let group = |n: u8| {
            let is_of = move |name: &str| name.as_bytes().get(key).is_none_or(|c| c & 31 == n);
            written.iter().filter(move |(name, _)| is_of(name))
        };
        let mut starts = [0; 32];
        let mut names: Vec<Name> = Vec::new();
        for (n, start) in (0..).zip(&mut starts) {
            let before = names.len();
            names.extend(group(n).map(|(name, says)| Name {
                chars: sixteen(name.as_bytes(), 0),
                mask: u128::MAX >> (128 - 8 * name.len()),
                len: name.len(),
                is_word: name.bytes().next_back().is_some_and(in_word),
                is_last: false,
                says: says.clone(),
            }));
            if let Some(last) = names[before..].last_mut() {
                (last.is_last, *start) = (true, before as u8 + 1);
            }
        }
        Names { key, starts, names, nothing }
    }

    /// Takes the name at `at`; says whether that, or that there is none, agrees with what was set before.
    #[inline(always)]
    pub(super) fn takes(&self, scan: &mut Scan<'_>, at: &mut usize) -> bool {
        match self.find(scan.text(), *at) {
            Some(name) => {
                *at += name.len;
                name.says.set(scan)
            }
            None => self.nothing.as_ref().is_some_and(|says| says.set(scan)),
        }
    }

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

/// A bank of registers, whose name has up to three characters.
struct Bank {
    name: u64,
    mask: u64,
    len: usize,
    first: u64,
    count: u64,
    /// What the bank says of the field that tells it.
    says: Settings,
}

/// The banks of a register.
pub(super) struct Banks {
    register: &'static Register,
    banks: Vec<Bank>,
}

impl Banks {
    /// Most characters of a name: four digits and what stands behind them have room beside it in a word.
    const LONGEST: usize = 3;
    /// Most digits of a register number.
    const DIGITS: usize = 4;

    /// Whether the names of a register's banks are short enough.
    pub(super) fn holds(register: &Register) -> bool {
        register.banks.iter().all(|bank| bank.name.len() <= Banks::LONGEST)
    }

    /// The banks of a register, and what each says.
    pub(super) fn new(register: &'static Register, says: impl Iterator<Item = Settings>) -> Banks {
        let bank = |(bank, says): (&crate::syntax::Bank, Settings)| Bank {
            name: eight(bank.name.as_bytes(), 0),
            mask: u64::MAX >> (64 - 8 * bank.name.len()),
            len: bank.name.len(),
            first: bank.first,
            count: bank.count,
            says,
        };
        Banks { register, banks: register.banks.iter().zip(says).map(bank).collect() }
    }

    /// Takes the register at `at`; says whether it agrees with what was set before.
    #[inline(always)]
    pub(super) fn takes(&self, scan: &mut Scan<'_>, at: &mut usize) -> bool {
        self.find(scan.text(), *at).is_some_and(|(number, bank, end)| {
            *at = end;
            scan.encoding.put(self.register.number, number) && bank.says.set(scan)
        })
    }

    /// The register at `at`: its number in its bank, the bank, and where it ends.
    #[inline(always)]
    fn find(&self, text: &[u8], at: usize) -> Option<(u64, &Bank, usize)> {
        let here = eight(text, at);
        for bank in &self.banks {
            if (here ^ bank.name) & bank.mask != 0 {
                continue;
            }
            let mut rest = here >> (8 * bank.len);
            let (mut number, mut len) = (0, 0);
            while let digit @ 0..10 = (rest as u8).wrapping_sub(b'0') {
                number = number * 10 + u64::from(digit);
                (rest, len) = (rest >> 8, len + 1);
            }
            let number = u64::wrapping_sub(number, bank.first);
            if (1..=Banks::DIGITS).contains(&len) && !in_word(rest as u8) && number < bank.count {
                return Some((number, bank, at + bank.len + len));
            }
        }
        None
    }
}
