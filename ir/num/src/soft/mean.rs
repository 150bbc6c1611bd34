//! The mean of several numbers.

use super::arith::sum_of;
use super::round::finish;
use super::unpack::{encode, unpack};
use super::value::propagated;
use crate::{Decl, Rule, Storage};

/// The mean of words of a container: their exact sum, divided by their number, rounded once to nearest even. Equal words
/// give that word, whatever it is. Otherwise the first NaN comes out quieted, infinities of both signs give the NaN
/// 0xffc00000 (of the container), and numbers that cancel give +0. Of no words it is 0.
///
/// # Panics
/// If the number of words is not a power of two up to 64.
pub fn mean(storage: Storage, words: &[u64]) -> u64 {
    let Some((&first, rest)) = words.split_first() else { return 0 };
    assert!(words.len().is_power_of_two() && words.len() <= 64, "the mean of {} words", words.len());
    if rest.iter().all(|&word| word == first) {
        return first;
    }
    let mut values = [super::value::Val::Zero(false); 64];
    for (value, &word) in values.iter_mut().zip(words) {
        *value = unpack(word, storage);
    }
    let values = &values[..words.len()];
    let scale = -(words.len().trailing_zeros() as i8);
    let rule = Rule { storage, scale, scale_once: true, ..Rule::ieee(Decl::F32, storage.format()) };
    let exact = propagated(&rule, values).unwrap_or_else(|| sum_of(&rule, values));
    encode(finish(exact, &rule), storage)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Format, ulp};

    fn f32s<const N: usize>(values: [f32; N]) -> f32 {
        f32::from_bits(mean(Storage::F32, &values.map(|v| u64::from(v.to_bits()))) as u32)
    }

    #[test]
    fn means_are_rounded_once() {
        assert_eq!(f32s([1.0, 2.0]), 1.5);
        assert_eq!(f32s([1.0, 0.0, 0.0, 0.0]), 0.25);
        // A chain of additions would lose the small numbers, or the large ones.
        assert_eq!(f32s([1e30, 1.0, -1e30, 3.0]), 1.0);
        assert_eq!(f32s([f32::MAX, f32::MAX]), f32::MAX);
        assert_eq!(f32s([f32::MAX, f32::MAX, f32::MAX, f32::MAX.next_down()]), f32::MAX);
        // Half a step above 1, exactly: to even. The smallest number more decides.
        let tie = 1.0 + f32::EPSILON;
        assert_eq!(f32s([1.0, tie]), 1.0);
        assert_eq!(f32s([1.0, tie, 1.0, tie + f32::EPSILON]), tie);
        let tiny = f32::from_bits(1);
        assert_eq!(f32s([1.0, tie, 1.0, tie]), 1.0);
        assert_eq!(f32s([2.0, 2.0 + 4.0 * f32::EPSILON, tiny, 0.0]), 1.0 + f32::EPSILON);
        // Denormals: half of the smallest goes to zero, three halves to two.
        assert_eq!((f32s([tiny, 0.0]).to_bits(), f32s([tiny, 2.0 * tiny]).to_bits()), (0, 2));
    }

    #[test]
    fn special_words_keep_their_meaning() {
        let bits = |words: &[u64]| mean(Storage::F32, words);
        assert_eq!(bits(&[0x7fa0_0001; 4]), 0x7fa0_0001);
        assert_eq!(bits(&[0, 0x7fa0_0001]), 0x7fe0_0001);
        assert_eq!(bits(&[0x7f80_0000, 0x3f80_0000]), 0x7f80_0000);
        assert_eq!(bits(&[0x7f80_0000, 0xff80_0000]), 0xffc0_0000);
        assert_eq!((bits(&[0x8000_0000; 2]), bits(&[0x8000_0000, 0])), (0x8000_0000, 0));
        assert_eq!(bits(&[0xbf80_0000, 0x3f80_0000]), 0);
        assert_eq!(bits(&[]), 0);
    }

    #[test]
    fn every_container_has_means() {
        assert_eq!(mean(Storage::F16, &[0x3c00, 0x4000, 0x3c00, 0x4000]), 0x3e00);
        let double = |v: f64| v.to_bits();
        assert_eq!(mean(Storage::F64, &[double(1e300), double(3.0), double(-1e300), double(1.0)]), double(1.0));
        let fixed = Format::FX12.storage();
        // Steps of 1/1024: 2, 3, 5, 4 have the mean 3.5, which goes to 4; 1 and 2 give 2.
        assert_eq!(mean(fixed, &[2, 3, 5, 4]), 4);
        assert_eq!(
            (mean(fixed, &[1, 2]), mean(fixed, &[2, 3]), mean(fixed, &[0xffff_ffff, 0xffff_fffe])),
            (2, 2, 0xffff_fffe)
        );
        assert_eq!(ulp::to_f64(mean(fixed, &[0xffff_f800, 0x7ff]), fixed), 0.0);
    }

    /// Sums of halves are exact in 64 bits: every mean of four against integers.
    #[test]
    fn means_of_halves_agree_with_integers() {
        let mut seed = 1u64;
        for _ in 0..20_000 {
            let words: [u64; 4] = std::array::from_fn(|_| {
                seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
                // Finite halves, mostly of near size.
                (seed >> 48) & if seed >> 20 & 1 == 0 { 0x83ff } else { 0xf7ff }
                    | if seed >> 30 & 3 == 0 { 0 } else { 0x3000 }
            });
            if words.iter().any(|w| w & 0x7c00 == 0x7c00) {
                continue;
            }
            let sum: f64 = words.iter().map(|&w| ulp::to_f64(w, Storage::F16)).sum();
            // The sum needs at most 44 bits; so does its quarter.
            let quarter = sum / 4.0;
            let cvt = Rule { source: Storage::F64, ..Rule::ieee(Decl::F16, Format::F16) };
            let want = crate::eval(crate::Op::Cvt, &cvt, &[quarter.to_bits()]);
            let got = mean(Storage::F16, &words);
            assert_eq!(got, if words.iter().all(|w| *w == words[0]) { words[0] } else { want }, "{words:x?}");
        }
    }
}
