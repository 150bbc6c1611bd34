//! Order of short lists, and of lists that are put in order once.

use std::cmp::Ordering;

/// Puts items in the order of their keys. Items with equal keys stay as they were.
///
/// It takes a few times as long as the method of slices of that name, which the compiler makes anew for each type of items and
/// each key: that is 12 KB of code, and all of them together were a tenth of ours.
pub fn sort_by_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    sort_by(items, |a, b| key(a).cmp(&key(b)));
}

/// The same with a comparison, which has to be a total order.
pub fn sort_by<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    if items.len() < 2 {
        return;
    }
    for (a, b) in swaps(items.len(), &|a, b| compare(&items[a], &items[b])) {
        items.swap(a, b);
    }
}

/// What has to be swapped, one pair after the other, to put `len` items in order. `compare` is given their places.
fn swaps(len: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<(usize, usize)> {
    // Of each place, where its item comes from.
    let mut order: Vec<usize> = (0..len).collect();
    order.sort_by(|&a, &b| compare(a, b));
    let mut swaps = Vec::new();
    for start in 0..len {
        let mut to = start;
        while order[to] != start {
            let from = std::mem::replace(&mut order[to], to);
            swaps.push((to, from));
            to = from;
        }
        order[to] = to;
    }
    swaps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted_and_equal_keys_stay_in_order() {
        let mut word = 1u32;
        for len in (0..40).chain([1000]) {
            // Few keys, so that many are equal.
            let mut items = Vec::new();
            for n in 0..len {
                word = word.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                items.push((word >> 28, n));
            }
            let (mut expected, mut descending) = (items.clone(), items.clone());
            expected.sort_by_key(|item| item.0);
            sort_by_key(&mut items, |item| item.0);
            assert_eq!(items, expected);
            expected.sort_by_key(|one| std::cmp::Reverse(one.0));
            sort_by(&mut descending, |a, b| b.0.cmp(&a.0));
            assert_eq!(descending, expected);
        }
    }
}
