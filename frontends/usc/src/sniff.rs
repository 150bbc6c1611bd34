//! Telling groups and their text from everything else.

use crate::asm::recognise;
use crate::decode::{Stretch, stretch};
use parallax_isa::Binary;

/// Statements of a text that are looked at.
const STATEMENTS: usize = 64;
/// Groups of a binary that are looked at.
const GROUPS: usize = 256;

/// Whether bytes are text, if perhaps damaged text.
pub(crate) fn is_text(bytes: &[u8]) -> bool {
    const LOOKED_AT: usize = 4096;
    let head = &bytes[..bytes.len().min(LOOKED_AT)];
    let control = |b: &u8| *b < b' ' && !matches!(b, b'\n' | b'\r' | b'\t') || *b == 0x7f;
    let strange = head.iter().filter(|b| control(b) || !b.is_ascii()).count();
    !head.is_empty() && strange * 8 <= head.len() && !head.contains(&0)
}

/// Whether a text is USC assembly: at least half of its first statements can be read, and could be of no other instruction set.
pub(crate) fn is_assembly(text: &str) -> bool {
    is_text(text.as_bytes()) && {
        let found = recognise(text, STATEMENTS);
        found.own > 0 && found.own * 2 >= found.all
    }
}

/// How many bytes are those of groups, and how many were looked at.
fn groups(bytes: &[u8]) -> (usize, usize) {
    let binary = Binary::new(bytes);
    let (mut at, mut good) = (0, 0);
    for _ in 0..GROUPS {
        let Some(found) = stretch(&binary, at) else { break };
        let span = found.span();
        at = span.end as usize;
        if let Stretch::Group(_) = found {
            good += span.end as usize - span.start as usize;
        }
    }
    (good, at)
}

/// Whether bytes are groups: all of the first, with nothing between them but filler.
pub(crate) fn is_binary(bytes: &[u8]) -> bool {
    let (good, looked) = groups(bytes);
    let filler = bytes[..looked].iter().filter(|b| **b == 0xcd).count();
    good > 0 && bytes.len().is_multiple_of(2) && good + filler >= looked && !is_text(bytes)
}

/// Whether bytes may be a damaged program: a text half of whose statements start with a mnemonic, or bytes half of which are
/// groups.
pub(crate) fn may_be_usc(bytes: &[u8]) -> bool {
    if is_text(bytes) {
        let found = recognise(&String::from_utf8_lossy(bytes), STATEMENTS);
        return found.own > 0 || found.named > 0 && found.named * 2 >= found.all;
    }
    let (good, looked) = groups(bytes);
    good > 0 && good * 2 >= looked
}
