//! Instructions whose results are there already.
//!
//! Keys are words that lie one behind the other, and tables hold where they start, since nearly none is found.

use crate::form::{Arg, Operand, Precision, Value};
use crate::target::Row;
use parallax_core::known::{self, Name};

/// Marks the word that says which lanes an operand has; no component has this bit.
const LANES: u64 = 1 << 63;

/// What makes equal instructions one, but for operands.
#[derive(Copy, Clone, Debug)]
pub(super) struct Head {
    pub(super) row: Row,
    pub(super) saturate: bool,
    pub(super) precise: bool,
    /// The format, and whether the result is in a half register.
    pub(super) kind: (Precision, bool),
}

/// The instructions of the regions that enclose a place.
#[derive(Debug)]
pub(super) struct Known {
    /// Of each instruction: its result, how many words follow; the head, and a word for each component that it reads.
    words: Vec<u64>,
    /// Where keys start.
    starts: known::Known,
    /// How many there were where each region began.
    scopes: Vec<usize>,
}

impl Known {
    /// `count`: instructions that are expected.
    pub(super) fn new(count: usize) -> Known {
        Known { words: Vec::with_capacity(count * 4), starts: known::Known::new(count), scopes: Vec::new() }
    }

    /// A region begins.
    pub(super) fn enter(&mut self) {
        self.scopes.push(self.starts.len());
    }

    /// A region ends: what it computed, other lanes have not.
    pub(super) fn leave(&mut self) {
        if let Some(before) = self.scopes.pop() {
            self.starts.forget(before);
        }
    }

    /// The value that holds what an instruction on one component computes, `result` if none did.
    pub(super) fn single(&mut self, head: Head, args: &[Arg], result: Value) -> Value {
        let mut key = self.begin(head, result);
        for &arg in args {
            self.read(&mut key, arg);
        }
        self.end(key, result)
    }

    /// The same of one whose operands have several components.
    pub(super) fn value(&mut self, head: Head, operands: &[Operand], result: Value) -> Value {
        let mut key = self.begin(head, result);
        for operand in operands {
            let mut lanes = LANES;
            for (lane, base) in operand.lanes.iter().enumerate() {
                if let Some(base) = *base {
                    lanes |= 1 << lane;
                    self.read(&mut key, Arg::new(base, operand.signs));
                }
            }
            self.word(&mut key, lanes);
        }
        self.end(key, result)
    }

    fn begin(&mut self, head: Head, result: Value) -> Key {
        let start = self.words.len();
        let Head { row, saturate, precise, kind: (precision, is_half) } = head;
        let flags = u64::from(saturate) | u64::from(precise) << 1 | u64::from(is_half) << 2 | (precision as u64) << 3;
        let first = u64::from(row.key) | flags << 32;
        self.words.extend([u64::from(result), first]);
        Key { start, hash: mixed(0, first), newest: None }
    }

    /// A component of an operand.
    fn read(&mut self, key: &mut Key, arg: Arg) {
        key.newest = key.newest.max(arg.read());
        self.word(key, arg.word());
    }

    fn word(&mut self, key: &mut Key, word: u64) {
        self.words.push(word);
        key.hash = mixed(key.hash, word);
    }

    fn end(&mut self, Key { start, hash, newest }: Key, result: Value) -> Value {
        let (before, key) = self.words.split_at_mut(start);
        key[0] |= ((key.len() - 1) as u64) << 32;
        let is_equal = |at: u32| {
            let at = at as usize;
            let count = (before[at] >> 32) as usize;
            before[at + 1..][..count] == key[1..]
        };
        let name = Name::hashed((hash >> 32) as u32);
        match self.starts.find(newest.map_or(name, |newest| name.behind(newest)), is_equal) {
            Ok(at) => {
                self.words.truncate(start);
                self.words[at as usize] as Value
            }
            Err(free) => {
                self.starts.add(free, start as u32);
                result
            }
        }
    }
}

/// The key of an instruction that is looked for.
#[derive(Copy, Clone)]
struct Key {
    /// Where its words start.
    start: usize,
    hash: u64,
    /// The newest value that it reads.
    newest: Option<Value>,
}

/// A hash with a word more, as FxHash does it.
fn mixed(hash: u64, word: u64) -> u64 {
    (hash.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95)
}
