//! What the scheduler keeps instructions in that wait: by the time when they can start.

use crate::schedule::{Node, rank};
use std::collections::BinaryHeap;

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

    /// Moves those that can start by now to the ones that can.
    #[inline]
    pub(crate) fn take(&mut self, now: u32, nodes: &[Node], ready: &mut BinaryHeap<u64>) {
        if self.count > 0 {
            self.take_lists(now, nodes, ready);
        }
        self.now = self.now.max(now);
    }

    #[inline(never)]
    fn take_lists(&mut self, now: u32, nodes: &[Node], ready: &mut BinaryHeap<u64>) {
        let last = now.min(self.now + SPAN - 1);
        for time in self.now + 1..=last {
            let list = &mut self.lists[(time % SPAN) as usize];
            if *list == NONE {
                continue;
            }
            let mut number = std::mem::replace(list, NONE);
            while number != NONE {
                let node = &nodes[number as usize];
                ready.push(rank(node, number));
                self.count -= 1;
                number = node.next;
            }
            if self.count == 0 {
                break;
            }
        }
    }

    /// When the next one can start.
    pub(crate) fn next(&self) -> Option<u32> {
        (self.now + 1..self.now + SPAN).find(|time| self.lists[(time % SPAN) as usize] != NONE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::number;

    #[test]
    fn what_can_start_is_taken_in_time() {
        let mut nodes: Vec<Node> = [3, 40, 40, 239, 5_000].map(Node::at).into();
        let mut calendar = Calendar::new();
        for (number, node) in nodes.iter_mut().enumerate() {
            calendar.add(node, number as u32);
        }
        let by = |calendar: &mut Calendar, now| {
            let mut ready = BinaryHeap::new();
            calendar.take(now, &nodes, &mut ready);
            // The first ones have the greatest rank.
            let mut taken: Vec<u32> = ready.into_iter().map(number).collect();
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
