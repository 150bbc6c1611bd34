//! Numbers of ids: names that are numbers keep them, other names get the lowest that are free.

use super::tokens::Token;
use crate::module::MAX_BOUND;
use std::collections::HashMap;

/// The ids of a text.
#[derive(Debug)]
pub(super) struct Ids<'t> {
    /// Numbers that stand in the text, in order.
    taken: Vec<u32>,
    /// How many of them are below the next free one.
    below: usize,
    next: u32,
    /// Hostile names must not collide, so it is not the hash of the compiler.
    names: HashMap<&'t str, u32>,
    /// One more than the largest id.
    pub(super) bound: u32,
}

/// The number that a name is.
fn numeric(name: &str) -> Option<u32> {
    let is_number = !name.starts_with('0') && name.bytes().all(|b| b.is_ascii_digit());
    is_number.then(|| name.parse().unwrap_or(u32::MAX))
}

impl<'t> Ids<'t> {
    pub(super) fn new(tokens: &[Token<'t>]) -> Ids<'t> {
        let names = tokens.iter().filter_map(|token| token.text.strip_prefix('%'));
        let mut taken: Vec<u32> = names.filter_map(numeric).collect();
        taken.sort_unstable();
        taken.dedup();
        Ids { taken, below: 0, next: 1, names: HashMap::new(), bound: 1 }
    }

    /// The number of a name.
    ///
    /// # Errors
    /// What is wrong with the name.
    pub(super) fn number(&mut self, name: &'t str) -> Result<u32, String> {
        if name.is_empty() || !name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
            return Err(format!("`%{name}` is not an id: a name consists of letters, digits and `_`"));
        }
        let id = match numeric(name) {
            Some(id) => id,
            None if name.bytes().all(|b| b == b'0') => return Err(format!("`%{name}` is not an id: they begin at 1")),
            None => match self.names.get(name) {
                Some(id) => *id,
                None => {
                    let id = self.free();
                    self.names.insert(name, id);
                    id
                }
            },
        };
        if id >= MAX_BOUND {
            return Err(format!("`%{name}` is too large an id; the largest is {}", MAX_BOUND - 1));
        }
        self.bound = self.bound.max(id + 1);
        Ok(id)
    }

    fn free(&mut self) -> u32 {
        while self.taken.get(self.below) == Some(&self.next) {
            self.below += 1;
            self.next += 1;
        }
        self.next += 1;
        self.next - 1
    }
}
