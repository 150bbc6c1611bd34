//! What the scheduler keeps instructions in that wait: by the time when they can start, and by their number.

use crate::schedule::Node;

const NONE: u32 = u32::MAX;
/// Half cycles that a calendar looks ahead; longer than any instruction takes, twice.
const SPAN: u32 = 256;

/// Instructions by the time when their operands are there, which is soon: a list for each half cycle.
pub(crate) struct Calendar {
    lists: [u32; SPAN as usize],
    /// All that could start then are taken.
    now: u32,
    count: u32,
}

impl Calendar {
    pub(crate) fn new() -> Calendar {
        Calendar { lists: [NONE; SPAN as usize], now: 0, count: 0 }
    }

    /// Adds an instruction by its number. It can start later than all that were taken.
    pub(crate) fn add(&mut self, node: &mut Node, number: u32) {
        let time = node.earliest.clamp(self.now + 1, self.now + SPAN - 1);
        let list = &mut self.lists[(time % SPAN) as usize];
        node.next = std::mem::replace(list, number);
        self.count += 1;
    }

    /// Takes those that can start by now.
    pub(crate) fn take(&mut self, now: u32, nodes: &[Node], mut taken: impl FnMut(&Node, u32)) {
        let last = now.min(self.now + SPAN - 1);
        for time in self.now + 1..=last {
            if self.count == 0 {
                break;
            }
            let mut number = std::mem::replace(&mut self.lists[(time % SPAN) as usize], NONE);
            while number != NONE {
                let node = &nodes[number as usize];
                taken(node, number);
                self.count -= 1;
                number = node.next;
            }
        }
        self.now = self.now.max(now);
    }

    /// When the next one can start.
    pub(crate) fn next(&self) -> Option<u32> {
        (self.now + 1..self.now + SPAN).find(|time| self.lists[(time % SPAN) as usize] != NONE)
    }
}

/// Instructions by number.
pub(crate) struct Waiting {
    /// A bit for each.
    words: Vec<u64>,
    /// A bit for each word that has one.
    filled: Vec<u64>,
    /// All are in this one of those or behind it.
    from: usize,
}

impl Waiting {
    /// None of so many.
    pub(crate) fn new(count: usize) -> Waiting {
        let words = count.div_ceil(64);
        Waiting { words: vec![0; words], filled: vec![0; words.div_ceil(64)], from: 0 }
    }

    pub(crate) fn add(&mut self, number: u32) {
        let word = number as usize / 64;
        self.words[word] |= 1 << (number % 64);
        self.filled[word / 64] |= 1 << (word % 64);
        self.from = self.from.min(word / 64);
    }

    pub(crate) fn remove(&mut self, number: u32) {
        let word = number as usize / 64;
        self.words[word] &= !(1 << (number % 64));
        if self.words[word] == 0 {
            self.filled[word / 64] &= !(1 << (word % 64));
        }
    }

    /// The first one.
    pub(crate) fn first(&mut self) -> Option<u32> {
        while *self.filled.get(self.from)? == 0 {
            self.from += 1;
        }
        let word = self.from * 64 + self.filled[self.from].trailing_zeros() as usize;
        Some(word as u32 * 64 + self.words[word].trailing_zeros())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_many_is_found() {
        let mut waiting = Waiting::new(10_000);
        for number in [9_999, 4_096, 64, 63] {
            waiting.add(number);
            assert_eq!(waiting.first(), Some(number));
        }
        for number in [63, 64, 4_096, 9_999] {
            assert_eq!(waiting.first(), Some(number));
            waiting.remove(number);
        }
        assert_eq!(waiting.first(), None);
        waiting.add(5);
        assert_eq!(waiting.first(), Some(5));
    }

    #[test]
    fn what_can_start_is_taken_in_time() {
        let mut nodes: Vec<Node> = [3, 40, 40, 239, 5_000].map(Node::at).into();
        let mut calendar = Calendar::new();
        for (number, node) in nodes.iter_mut().enumerate() {
            calendar.add(node, number as u32);
        }
        let by = |calendar: &mut Calendar, now| {
            let mut taken = Vec::new();
            calendar.take(now, &nodes, |_, number| taken.push(number));
            taken.sort_unstable();
            taken
        };
        assert_eq!(calendar.next(), Some(3));
        assert_eq!(by(&mut calendar, 2), []);
        assert_eq!(by(&mut calendar, 3), [0]);
        assert_eq!(by(&mut calendar, 41), [1, 2]);
        assert_eq!(calendar.next(), Some(239));
        assert_eq!(by(&mut calendar, 239), [3]);
        // What is far away comes when the calendar ends.
        assert_eq!(calendar.next(), Some(255));
        assert_eq!(by(&mut calendar, 10_000), [4]);
        assert_eq!(calendar.next(), None);
    }
}
