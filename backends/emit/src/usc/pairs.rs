//! Operations of phase 0 and 1, two in a group: all sources of a group are read before anything is written.

use crate::text::numbered;
use smallvec::SmallVec;
use std::fmt::Write;

/// How far ahead a partner is looked for.
const REACH: usize = 16;

/// What a group in the making is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// One operation with one result, which may stand beside another. `to`: where the result goes; `fits_above`: whether its sources
    /// can be those of phase 1.
    Early { to: String, fits_above: bool },
    /// A group of its own.
    Group,
    /// Nothing moves past it: it says who runs, is a label, or has results that come at once with it.
    Barrier,
}

/// A group in the making.
#[derive(Clone, Debug)]
pub(super) struct Item {
    /// Statements by lines; `{f}` stands for the feed-through.
    pub(super) text: String,
    pub(super) kind: Kind,
    /// Registers that it reads and writes.
    pub(super) reads: SmallVec<[u32; 4]>,
    pub(super) writes: SmallVec<[u32; 4]>,
}

impl Item {
    /// What nothing moves past.
    pub(super) fn barrier(text: String) -> Item {
        Item { text, kind: Kind::Barrier, reads: SmallVec::new(), writes: SmallVec::new() }
    }
}

/// The operation that can stand beside the one at `at`: one that nothing in between has to do with.
fn partner(items: &[Option<Item>], at: usize) -> Option<usize> {
    let first = items[at].as_ref()?;
    let Kind::Early { fits_above, .. } = &first.kind else { return None };
    let (mut written, mut read): (SmallVec<[u32; 16]>, SmallVec<[u32; 16]>) = (SmallVec::new(), SmallVec::new());
    written.extend_from_slice(&first.writes);
    for (n, item) in items.iter().enumerate().skip(at + 1).take(REACH) {
        let Some(item) = item else { continue };
        if item.kind == Kind::Barrier {
            return None;
        }
        if let Kind::Early { fits_above: other, .. } = &item.kind {
            let is_free = item.reads.iter().all(|register| !written.contains(register))
                && item.writes.iter().all(|register| !written.contains(register) && !read.contains(register));
            if is_free && (*fits_above || *other) {
                return Some(n);
            }
        }
        written.extend_from_slice(&item.writes);
        read.extend_from_slice(&item.reads);
    }
    None
}

/// The text of groups, and how many there are.
pub(super) fn paired(items: Vec<Item>) -> (String, usize) {
    let mut items: Vec<Option<Item>> = items.into_iter().map(Some).collect();
    let (mut text, mut count) = (String::with_capacity(items.len() * 64), 0);
    for at in 0..items.len() {
        let other = partner(&items, at).and_then(|n| items[n].take());
        let Some(item) = items[at].take() else { continue };
        let Kind::Early { to, fits_above } = &item.kind else {
            if item.text.ends_with(':') {
                let _ = writeln!(text, "{}", item.text);
                continue;
            }
            begin(&mut text, count);
            for (n, line) in item.text.lines().enumerate() {
                text.push_str(if n == 0 { "" } else { "      " });
                text.push_str(line);
                text.push('\n');
            }
            count += 1;
            continue;
        };
        begin(&mut text, count);
        match other.as_ref().map(|other| (other, &other.kind)) {
            Some((other, Kind::Early { to: second, fits_above: fits })) => {
                let (low, high) = if *fits { ((&item, to), (other, second)) } else { ((other, second), (&item, to)) };
                debug_assert!(*fits || *fits_above);
                statement(&mut text, &low.0.text, "ft0");
                text.push_str("      ");
                statement(&mut text, &high.0.text, "ft1");
                copy(&mut text, low.1, "ft0");
                copy(&mut text, high.1, "ft1");
            }
            _ => {
                statement(&mut text, &item.text, "ft0");
                copy(&mut text, to, "ft0");
            }
        }
        count += 1;
    }
    (text, count)
}

/// Begins a group with its number; its statements stand a line each.
fn begin(text: &mut String, number: usize) {
    let start = text.len();
    numbered(text, "", number as u32, "");
    (text.len()..start + 4).for_each(|_| text.push(' '));
    text.push_str(": ");
}

/// A statement with its feed-through.
fn statement(text: &mut String, with: &str, feed: &str) {
    let (before, behind) = with.split_once("{f}").unwrap_or((with, ""));
    text.push_str(before);
    text.push_str(feed);
    text.push_str(behind);
    text.push('\n');
}

/// A copy of a feed-through to where a result goes.
fn copy(text: &mut String, to: &str, feed: &str) {
    text.push_str("      mov ");
    text.push_str(to);
    text.push_str(", ");
    text.push_str(feed);
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn early(text: &str, reads: &[u32], write: u32, fits_above: bool) -> Item {
        Item {
            text: text.to_string(),
            kind: Kind::Early { to: format!("r{write}"), fits_above },
            reads: reads.iter().copied().collect(),
            writes: SmallVec::from_iter([write]),
        }
    }

    #[test]
    fn operations_share_a_group_where_neither_needs_the_other() {
        let swap = vec![early("mov {f}, r1", &[1], 0, true), early("mov {f}, r0", &[0], 1, true)];
        // The second reads what the first writes.
        assert_eq!(paired(swap).1, 2);
        let free = vec![early("mov {f}, r1", &[1], 0, true), early("mov {f}, r2", &[2], 1, true)];
        assert_eq!(paired(free).0, "0   : mov ft0, r1\n      mov ft1, r2\n      mov r0, ft0\n      mov r1, ft1\n");
        // The third writes what the second still reads: it does not get past it, but stands beside it.
        let blocked = vec![early("a {f}", &[1], 0, true), early("b {f}", &[0], 5, true), early("c {f}", &[2], 0, true)];
        assert!(paired(blocked).0.starts_with("0   : a ft0\n      mov r0, ft0\n1   : b ft0\n      c ft1\n"), "order");
        let past = vec![early("a {f}", &[1], 0, true), early("b {f}", &[0], 5, true), early("c {f}", &[2], 6, true)];
        assert_eq!(paired(past).1, 2);
        // One that only phase 0 can read changes places with the other.
        let low = vec![early("a {f}", &[1], 0, true), early("b {f}", &[2], 3, false)];
        assert!(paired(low).0.starts_with("0   : b ft0\n      a ft1\n      mov r3, ft0\n"), "phases");
        let none = vec![early("a {f}", &[1], 0, false), early("b {f}", &[2], 3, false)];
        assert_eq!(paired(none).1, 2);
        let apart = vec![early("a {f}", &[1], 0, true), Item::barrier("x".into()), early("b {f}", &[2], 3, true)];
        assert_eq!(paired(apart).1, 3);
    }
}
