//! Instructions whose results are there already.
//!
//! Keys lie one behind the other and tables hold their numbers, since nearly none is found: a table that grows moves eight bytes for each.

use crate::form::{Arg, Base, Operand, Precision, Value};
use crate::target::Row;
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::SmallVec;
use std::hash::BuildHasher;

/// What makes equal instructions one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    row: Row,
    saturate: bool,
    precise: bool,
    /// The format, and whether the result is in a half register.
    kind: (Precision, bool),
    /// Operand, lane and signs, and what is read there.
    reads: SmallVec<[(u8, Base); 3]>,
}

impl Key {
    /// Of an instruction on one component.
    pub(super) fn single(row: Row, saturate: bool, precise: bool, kind: (Precision, bool), args: &[Arg]) -> Key {
        let read = |(n, arg): (u8, &Arg)| {
            let signs = u8::from(arg.signs.negate) | u8::from(arg.signs.absolute) << 1;
            (n << 4 | signs, arg.base)
        };
        Key { row, saturate, precise, kind, reads: (0..).zip(args).map(read).collect() }
    }

    pub(super) fn new(row: Row, saturate: bool, precise: bool, kind: (Precision, bool), operands: &[Operand]) -> Key {
        let mut reads = SmallVec::new();
        for (n, operand) in (0..).zip(operands) {
            let signs = u8::from(operand.signs.negate) | u8::from(operand.signs.absolute) << 1;
            for (lane, base) in (0..).zip(operand.lanes) {
                reads.extend(base.map(|base| (n << 4 | lane << 2 | signs, base)));
            }
        }
        Key { row, saturate, precise, kind, reads }
    }
}

/// The instructions of the regions that enclose a place.
#[derive(Debug)]
pub(super) struct Known {
    made: Vec<(Key, Value)>,
    /// The last key with a hash, by region.
    scopes: Vec<FxHashMap<u32, u32>>,
}

impl Known {
    /// `count`: instructions that are expected.
    pub(super) fn new(count: usize) -> Known {
        let outermost = FxHashMap::with_capacity_and_hasher(count, FxBuildHasher);
        Known { made: Vec::with_capacity(count), scopes: vec![outermost] }
    }

    /// A region begins.
    pub(super) fn enter(&mut self) {
        self.scopes.push(FxHashMap::default());
    }

    /// A region ends: what it computed, other lanes have not.
    pub(super) fn leave(&mut self) {
        self.scopes.pop();
    }

    /// The value that holds what an instruction computes, `result` if none did.
    pub(super) fn value(&mut self, key: Key, result: Value) -> Value {
        let hash = (FxBuildHasher.hash_one(&key) >> 32) as u32;
        for scope in self.scopes.iter().rev() {
            // Of two keys with one hash the later one is remembered: an instruction more, at worst.
            if let Some(&at) = scope.get(&hash)
                && let (known, value) = &self.made[at as usize]
                && *known == key
            {
                return *value;
            }
        }
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(hash, self.made.len() as u32);
        }
        self.made.push((key, result));
        result
    }
}
