//! Which rows a statement can be of.

use crate::layout::{groups, slot};
use parallax_isa::{MnemonicId, Words, byte, skip_blanks, word_end};
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// What tells the slot of a statement, where its mnemonic stands in several tables.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
enum Telling {
    /// The first operand: ft2 is that of the late ones.
    #[default]
    First,
    /// `lsl`: the first operand, ft2 or ft5.
    Shift,
    /// Moves: their operands.
    Move,
    /// `movc`.
    MoveConditional,
}

/// The slots in whose tables a mnemonic stands, as bits.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Kinds {
    slots: u32,
    telling: Telling,
    /// Its number in the table of the first slot: most mnemonics stand in one.
    first: MnemonicId,
    /// Its numbers in the tables of all, in [`Mnemonics::numbers`].
    numbers: u16,
}

impl Kinds {
    pub(crate) fn has(self, slot: u8) -> bool {
        self.slots >> slot & 1 != 0
    }

    /// The number of the mnemonic in the table of a slot.
    #[inline]
    pub(crate) fn number(self, slot: u8) -> Option<MnemonicId> {
        if self.slots == 1 << slot {
            return Some(self.first);
        }
        *MNEMONICS.numbers.get(usize::from(self.numbers))?.get(usize::from(slot))?
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
const SLOTS: usize = slot::BITWISE_OUTPUTS as usize + 1;

/// All mnemonics.
struct Mnemonics {
    words: Words<Kinds>,
    numbers: Vec<[Option<MnemonicId>; SLOTS]>,
}

static MNEMONICS: LazyLock<Mnemonics> = LazyLock::new(|| {
    let mut all: FxHashMap<String, Kinds> = FxHashMap::default();
    for slot in READ {
        for word in parallax_isa::dictionary(groups().codec(slot)).0 {
            // A bit test that is none has no text.
            if slot != slot::TEST || word != "none" {
                all.entry(word).or_default().slots |= 1 << slot;
            }
        }
    }
    let mut numbers = Vec::new();
    for (word, kinds) in &mut all {
        kinds.telling = match word.as_str() {
            "mov" | "byp" | "mbyp" => Telling::Move,
            "movc" => Telling::MoveConditional,
            "lsl" => Telling::Shift,
            _ => Telling::First,
        };
        kinds.numbers = numbers.len() as u16;
        let all: [Option<MnemonicId>; SLOTS] = std::array::from_fn(|slot| groups().codec(slot as u8).mnemonic(word));
        kinds.first = all.get(kinds.slots.trailing_zeros() as usize).copied().flatten().unwrap_or_default();
        numbers.push(all);
    }
    Mnemonics { words: Words::new(all), numbers }
});

/// Where the mnemonic that stands in a text from byte `start` up to byte `end` can stand; `None` if it is none.
#[inline]
pub(crate) fn kinds(text: &[u8], start: usize, end: usize) -> Option<Kinds> {
    MNEMONICS.words.get(text, start, end)
}

/// All mnemonics.
pub(crate) fn mnemonics() -> impl Iterator<Item = &'static str> {
    MNEMONICS.words.iter()
}

/// Whether other instruction sets have the mnemonic as well.
pub(crate) fn is_shared(word: &str) -> bool {
    matches!(word, "mov" | "mul" | "mad" | "and" | "or" | "xor" | "nop" | "ld" | "st" | "rev" | "shr" | "br")
}

/// The slot whose rows a statement is of. `end` is behind its mnemonic; `bitwise` tells whether the group is a bitwise one so far.
#[inline]
pub(crate) fn slot_of(text: &[u8], end: usize, kinds: Kinds, bitwise: bool) -> u8 {
    if kinds.slots.is_power_of_two() { kinds.slots.trailing_zeros() as u8 } else { told(text, end, kinds, bitwise) }
}

/// The same, of a mnemonic that stands in several tables.
fn told(text: &[u8], end: usize, kinds: Kinds, bitwise: bool) -> u8 {
    // Over the modifiers of the mnemonic.
    let mut behind = end;
    while byte(text, behind) == b'.' {
        behind += 1;
        behind += text[behind..].iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
    }
    let first = skip_blanks(text, behind);
    let (mut stop, mut dotted) = (first, false);
    while !matches!(byte(text, stop), b',' | b'\n' | b';' | b'}') {
        dotted |= text[stop] == b'.';
        stop += 1;
    }
    let operand = text[first..stop].trim_ascii_end();
    let is = |name: &[u8]| operand == name;
    match kinds.telling {
        Telling::Move => {}
        Telling::MoveConditional => return slot::LATE,
        Telling::Shift => return if is(b"ft5") { slot::SHIFT2 } else { slot::SHIFT1 },
        Telling::First if kinds.has(slot::LATE) && is(b"ft2") => return slot::LATE,
        Telling::First if kinds.has(slot::ZERO) => return slot::ZERO,
        Telling::First => return kinds.slots.trailing_zeros() as u8,
    }
    if dotted && !operand.starts_with(b"ft1.invert") {
        return slot::LATE;
    }
    let operands = || Operands { text, at: stop };
    // Most moves have two operands.
    let mut next = stop + 1;
    while !matches!(byte(text, next), b',' | b'\n' | b';' | b'}') {
        next += 1;
    }
    if byte(text, next) == b',' {
        if operands().nth(1) == Some(b"ftt") {
            return slot::LATE;
        }
        if is(b"ft0") && operands().next() == Some(b"ft1") && operands().count() >= 2 {
            return slot::MASK;
        }
    }
    if let [b'f', b't', n @ b'0'..=b'4'] = operand {
        return [slot::ZERO, slot::ZERO, slot::SHIFT1, slot::COUNT, slot::LOGICAL][usize::from(n - b'0')];
    }
    if bitwise || byte(text, stop) == b',' && is_unit(text, skip_blanks(text, stop + 1)) {
        slot::BITWISE_OUTPUTS
    } else {
        slot::OUTPUT0
    }
}

/// Whether the word at a place is the result of a bitwise unit that an output can take.
#[inline]
fn is_unit(text: &[u8], at: usize) -> bool {
    matches!(text.get(at..), Some([b'f', b't', b'3'..=b'5', ..])) && word_end(text, at) == at + 3
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

/// The slots that make their group a bitwise one, a bit each.
pub(crate) const BITWISE: u32 = 1 << slot::TEST
    | 1 << slot::SHIFT2
    | 1 << slot::LOGICAL
    | 1 << slot::COUNT
    | 1 << slot::SHIFT1
    | 1 << slot::MASK
    | 1 << slot::BITWISE_OUTPUTS;
