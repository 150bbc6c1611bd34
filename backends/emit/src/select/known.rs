//! Instructions whose results are there already.
//!
//! Keys are words that lie one behind the other, and tables hold where they start, since nearly none is found.

use crate::form::{Arg, Base, Operand, Precision, Signs, Value};
use crate::target::Row;
use rustc_hash::{FxBuildHasher, FxHashMap};

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
    /// Where the last key with a hash starts, by region.
    scopes: Vec<FxHashMap<u32, u32>>,
    /// The number of each constant at an address.
    addressed: FxHashMap<At, u32>,
}

impl Known {
    /// `count`: instructions that are expected.
    pub(super) fn new(count: usize) -> Known {
        let outermost = FxHashMap::with_capacity_and_hasher(count, FxBuildHasher);
        Known { words: Vec::with_capacity(count * 4), scopes: vec![outermost], addressed: FxHashMap::default() }
    }

    /// A region begins.
    pub(super) fn enter(&mut self) {
        self.scopes.push(FxHashMap::default());
    }

    /// A region ends: what it computed, other lanes have not.
    pub(super) fn leave(&mut self) {
        self.scopes.pop();
    }

    /// The value that holds what an instruction on one component computes, `result` if none did.
    pub(super) fn single(&mut self, head: Head, args: &[Arg], result: Value) -> Value {
        let start = self.begin(head, result);
        for (n, arg) in (0..).zip(args) {
            self.read(n, 0, arg.signs, arg.base);
        }
        self.end(start, result)
    }

    /// The same of one whose operands have several components.
    pub(super) fn value(&mut self, head: Head, operands: &[Operand], result: Value) -> Value {
        let start = self.begin(head, result);
        for (n, operand) in (0..).zip(operands) {
            for (lane, base) in (0..).zip(operand.lanes) {
                if let Some(base) = base {
                    self.read(n, lane, operand.signs, base);
                }
            }
        }
        self.end(start, result)
    }

    fn begin(&mut self, head: Head, result: Value) -> usize {
        let start = self.words.len();
        let Head { row, saturate, precise, kind: (precision, is_half) } = head;
        let flags = u64::from(saturate) | u64::from(precise) << 1 | u64::from(is_half) << 2 | (precision as u64) << 3;
        self.words.push(u64::from(result));
        self.words.push(u64::from(row.key) | flags << 32);
        start
    }

    /// A component of an operand: what it is in the highest bits, signs, lane and operand, and which.
    fn read(&mut self, operand: u64, lane: u64, signs: Signs, base: Base) {
        let (kind, which) = match base {
            Base::Value(value) => (0, u64::from(value)),
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
        self.words.push(kind << 60 | signs << 58 | lane << 56 | operand << 32 | which);
    }

    fn end(&mut self, start: usize, result: Value) -> Value {
        self.words[start] |= ((self.words.len() - start - 1) as u64) << 32;
        let key = &self.words[start + 1..];
        // As FxHash does it.
        let hash = key.iter().fold(0u64, |hash, word| (hash.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95));
        let hash = (hash >> 32) as u32;
        for scope in self.scopes.iter().rev() {
            // Of two keys with one hash the later one is remembered: an instruction more, at worst.
            if let Some(&at) = scope.get(&hash)
                && let head = self.words[at as usize]
                && self.words[at as usize + 1..][..(head >> 32) as usize] == *key
            {
                self.words.truncate(start);
                return head as Value;
            }
        }
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(hash, start as u32);
        }
        result
    }
}
