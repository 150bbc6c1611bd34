//! Instructions whose results are there already.
//!
//! Keys are words that lie one behind the other, and tables hold where they start, since nearly none is found.

use crate::form::{Arg, Base, Operand, Precision, Signs, Value};
use crate::target::Row;
use parallax_core::known::{self, Name};
use rustc_hash::FxHashMap;

/// What makes equal instructions one, but for operands.
#[derive(Copy, Clone, Debug)]
pub(super) struct Head {
    pub(super) row: Row,
    pub(super) saturate: bool,
    pub(super) precise: bool,
    /// The format, and whether the result is in a half register.
    pub(super) kind: (Precision, bool),
}

/// A constant at an address.
type At = (u16, i32, u8, Value);

/// The instructions of the regions that enclose a place.
#[derive(Debug)]
pub(super) struct Known {
    /// Of each instruction: its result, how many words follow; the head, and a word for each component that it reads.
    words: Vec<u64>,
    /// Where keys start.
    starts: known::Known,
    /// How many there were where each region began.
    scopes: Vec<usize>,
    /// The number of each constant at an address.
    addressed: FxHashMap<At, u32>,
}

impl Known {
    /// `count`: instructions that are expected.
    pub(super) fn new(count: usize) -> Known {
        Known {
            words: Vec::with_capacity(count * 4),
            starts: known::Known::new(count),
            scopes: Vec::new(),
            addressed: FxHashMap::default(),
        }
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
        for (n, arg) in (0..).zip(args) {
            self.read(&mut key, n, 0, arg.signs, arg.base);
        }
        self.end(key, result)
    }

    /// The same of one whose operands have several components.
    pub(super) fn value(&mut self, head: Head, operands: &[Operand], result: Value) -> Value {
        let mut key = self.begin(head, result);
        for (n, operand) in (0..).zip(operands) {
            for (lane, base) in (0..).zip(operand.lanes) {
                if let Some(base) = base {
                    self.read(&mut key, n, lane, operand.signs, base);
                }
            }
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

    /// A component of an operand: what it is in the highest bits, signs, lane and operand, and which.
    fn read(&mut self, key: &mut Key, operand: u64, lane: u64, signs: Signs, base: Base) {
        let (kind, which) = match base {
            Base::Value(value) => {
                key.newest = key.newest.max(Some(value));
                (0, u64::from(value))
            }
            Base::Imm(bits) => (1, u64::from(bits)),
            Base::Const { bank, index, comp } => {
                (2, u64::from(bank) << 40 | u64::from(comp & 3) << 38 | u64::from(index))
            }
            Base::Attr { index, comp } => (3, u64::from(index) << 2 | u64::from(comp)),
            Base::ConstAt { bank, base, comp, at } => {
                let next = self.addressed.len() as u32;
                (4, u64::from(*self.addressed.entry((bank, base, comp, at)).or_insert(next)))
            }
            Base::Buffer(buffer) => (5, buffer.into()),
            Base::System(place, comp) => (6, (place as u64) << 8 | u64::from(comp)),
        };
        let signs = u64::from(signs.negate) | u64::from(signs.absolute) << 1;
        let word = kind << 60 | signs << 58 | lane << 56 | operand << 32 | which;
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
