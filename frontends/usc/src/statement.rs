//! Which rows a statement can be of.

use crate::asm::is_bitwise;
use crate::layout::{groups, slot};
use parallax_isa::{byte, skip_blanks, word_end};
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// The slots in whose tables a mnemonic stands, as bits.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Kinds(u32);

impl Kinds {
    pub(crate) fn has(self, slot: u8) -> bool {
        self.0 >> slot & 1 != 0
    }
}

/// Slots that statements are read for.
const READ: [u8; 13] = [
    slot::BACKEND,
    slot::LATE,
    slot::ZERO,
    slot::NARROW,
    slot::TEST,
    slot::SHIFT2,
    slot::LOGICAL,
    slot::COUNT,
    slot::SHIFT1,
    slot::MASK,
    slot::CONTROL,
    slot::OUTPUT0,
    slot::BITWISE_OUTPUTS,
];

static MNEMONICS: LazyLock<FxHashMap<String, Kinds>> = LazyLock::new(|| {
    let mut all: FxHashMap<String, Kinds> = FxHashMap::default();
    for slot in READ {
        for word in parallax_isa::dictionary(groups().codec(slot)).0 {
            // A bit test that is none has no text.
            if slot != slot::TEST || word != "none" {
                all.entry(word).or_default().0 |= 1 << slot;
            }
        }
    }
    all
});

/// Where the mnemonic can stand; `None` if it is none.
pub(crate) fn kinds(word: &str) -> Option<Kinds> {
    MNEMONICS.get(word).copied()
}

/// All mnemonics.
pub(crate) fn mnemonics() -> impl Iterator<Item = &'static str> {
    MNEMONICS.keys().map(String::as_str)
}

/// Whether other instruction sets have the mnemonic as well.
pub(crate) fn is_shared(word: &str) -> bool {
    matches!(word, "mov" | "mul" | "mad" | "and" | "or" | "xor" | "nop" | "ld" | "st" | "rev" | "shr" | "br")
}

/// The slot whose rows a statement is of. `end` is behind its mnemonic; `bitwise` tells whether the group is a bitwise one so far.
pub(crate) fn slot_of(text: &[u8], end: usize, word: &str, kinds: Kinds, bitwise: bool) -> u8 {
    if kinds.0.is_power_of_two() {
        return kinds.0.trailing_zeros() as u8;
    }
    // Over the modifiers of the mnemonic.
    let mut behind = end;
    while byte(text, behind) == b'.' {
        behind += 1;
        behind += text[behind..].iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
    }
    let first = skip_blanks(text, behind);
    let stop = first + text[first..].iter().take_while(|b| !matches!(b, b',' | b'\n' | b';' | b'}')).count();
    let operand = text[first..stop].trim_ascii_end();
    let is = |name: &[u8]| operand == name;
    match word {
        "mov" | "byp" | "mbyp" | "movc" => {}
        "lsl" => return if is(b"ft5") { slot::SHIFT2 } else { slot::SHIFT1 },
        _ if kinds.has(slot::LATE) && is(b"ft2") => return slot::LATE,
        _ if kinds.has(slot::ZERO) => return slot::ZERO,
        _ => return kinds.0.trailing_zeros() as u8,
    }
    let operands = || Operands { text, at: stop };
    let masked = operand.contains(&b'.') && !operand.starts_with(b"ft1.invert");
    if word == "movc" || masked || operands().nth(1) == Some(b"ftt") {
        return slot::LATE;
    }
    if is(b"ft0") && operands().next() == Some(b"ft1") && operands().count() >= 2 {
        return slot::MASK;
    }
    match operand {
        b"ft0" | b"ft1" => slot::ZERO,
        b"ft2" => slot::SHIFT1,
        b"ft3" => slot::COUNT,
        b"ft4" => slot::LOGICAL,
        _ if bitwise || matches!(operands().next(), Some(b"ft3" | b"ft4" | b"ft5")) => slot::BITWISE_OUTPUTS,
        _ => slot::OUTPUT0,
    }
}

/// The words behind the commas of a statement.
struct Operands<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Iterator for Operands<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let comma = skip_blanks(self.text, self.at);
        if byte(self.text, comma) != b',' {
            return None;
        }
        let start = skip_blanks(self.text, comma + 1);
        let mut end = word_end(self.text, start);
        let word = &self.text[start..end];
        // Over modifiers, indices and numbers.
        while matches!(byte(self.text, end), b'.' | b'[' | b']' | b'-' | b'0'..=b'9' | b'a'..=b'z' | b'_') {
            end += 1;
        }
        self.at = end;
        Some(word)
    }
}

/// Whether a slot makes its group a bitwise one.
pub(crate) fn decides_bitwise(slot: u8) -> bool {
    is_bitwise(slot)
}
