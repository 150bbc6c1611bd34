//! From the lanes of quads side by side to the two rows of pixels that they are.

use parallax_core::exec::{Plane, PlaneMut};
use parallax_core::num::Processor;
use std::ops::Range;

/// Lanes of one step.
const STEP: usize = 16;

/// Sets two stretches of words, which start at places, to the upper and the lower lanes of quads; lanes that are not covered
/// become zeros. `covered` is empty where all are.
pub(super) fn set_quads(
    processor: Processor,
    to: &mut PlaneMut<'_>,
    from: &Plane,
    covered: &[bool],
    lanes: Range<usize>,
    [upper, lower]: [usize; 2],
) {
    fn set<T: Copy + Default>(
        processor: Processor,
        to: &mut [T],
        from: &[T],
        covered: &[bool],
        [upper, lower]: [usize; 2],
    ) {
        let half = from.len() / 2;
        let (before, behind) = to.split_at_mut(lower);
        let (upper, lower) = (&mut before[upper..upper + half], &mut behind[..half]);
        processor.run(
            #[inline(always)]
            || {
                if covered.is_empty() {
                    return split(from, upper, lower);
                }
                let mut shown = [T::default(); STEP];
                for (n, (block, covered)) in from.chunks(STEP).zip(covered.chunks(STEP)).enumerate() {
                    for ((shown, &word), &covered) in shown.iter_mut().zip(block).zip(covered) {
                        *shown = if covered { word } else { T::default() };
                    }
                    let place = n * STEP / 2..n * STEP / 2 + block.len() / 2;
                    split(&shown[..block.len()], &mut upper[place.clone()], &mut lower[place]);
                }
            },
        );
    }
    match (to, from) {
        (PlaneMut::U8(to), Plane::U8(from)) => set(processor, to, &from[lanes], covered, [upper, lower]),
        (PlaneMut::U16(to), Plane::U16(from)) => set(processor, to, &from[lanes], covered, [upper, lower]),
        (PlaneMut::U32(to), Plane::U32(from)) => set(processor, to, &from[lanes], covered, [upper, lower]),
        (PlaneMut::U64(to), Plane::U64(from)) => set(processor, to, &from[lanes], covered, [upper, lower]),
        (to, from) => {
            let place = |n: usize| if n & 2 == 0 { upper } else { lower } + n / 4 * 2 + n % 2;
            let zero = from.len();
            let shown = |n: usize| covered.get(n).is_none_or(|&covered| covered);
            to.scatter(from, lanes.enumerate().map(|(n, lane)| (if shown(n) { lane } else { zero }, place(n))));
        }
    }
}

/// The same of flags.
pub(super) fn set_flags(to: &mut [bool], from: &[bool], [upper, lower]: [usize; 2]) {
    let half = from.len() / 2;
    let (before, behind) = to.split_at_mut(lower);
    split(from, &mut before[upper..upper + half], &mut behind[..half]);
}

#[inline(always)]
fn split<T: Copy>(from: &[T], upper: &mut [T], lower: &mut [T]) {
    let rows = upper.as_chunks_mut::<2>().0.iter_mut().zip(lower.as_chunks_mut::<2>().0);
    for ((upper, lower), &[a, b, c, d]) in rows.zip(from.as_chunks::<4>().0) {
        *upper = [a, b];
        *lower = [c, d];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quads_become_two_rows() {
        for processor in Processor::all() {
            let lanes = 44;
            let results = Plane::U16((1..=lanes as u16).collect());
            let covered: Vec<bool> = (0..lanes).map(|n| n % 3 != 0).collect();
            for covered in [&[][..], &covered] {
                for bits in [16, 32] {
                    let mut plane = Plane::from_words(bits, &[99; 60]);
                    set_quads(processor, &mut plane.as_mut(), &results, covered, 0..lanes, [3, 30]);
                    let mut want = vec![99; 60];
                    for lane in 0..lanes {
                        let row = if lane & 2 == 0 { 3 } else { 30 };
                        let shown = covered.is_empty() || covered[lane];
                        want[row + lane / 4 * 2 + lane % 2] = if shown { lane as u64 + 1 } else { 0 };
                    }
                    assert_eq!(plane.to_words(), want, "{processor:?} {bits}");
                }
            }
        }
        let mut flags = vec![false; 12];
        set_flags(&mut flags, &[true, false, false, true, true, true, false, false], [1, 7]);
        let set: Vec<usize> = (0..12).filter(|&n| flags[n]).collect();
        assert_eq!(set, [1, 3, 4, 8]);
    }
}
