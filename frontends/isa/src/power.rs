//! Powers of ten as tables of decimal conversions hold them.

/// Limbs of a power while it is made: 5^360 and quotients of 2^960 fit.
const LIMBS: usize = 16;

/// The first 128 bits of 10^`e`, the highest of them 1; what is behind them is cut off. `e` is at least -352 and at most 360.
pub const fn power_of_ten(e: i32) -> u128 {
    let mut limbs = [0u64; LIMBS];
    // 5^e has the same bits; for a negative e, 2^960 / 5^-e has.
    limbs[if e < 0 { LIMBS - 1 } else { 0 }] = 1;
    let mut n = 0;
    while n < e.unsigned_abs() {
        let (mut carry, mut at) = (0u128, 0);
        while at < LIMBS {
            if e < 0 {
                let value = carry << 64 | limbs[LIMBS - 1 - at] as u128;
                limbs[LIMBS - 1 - at] = (value / 5) as u64;
                carry = value % 5;
            } else {
                let value = limbs[at] as u128 * 5 + carry;
                limbs[at] = value as u64;
                carry = value >> 64;
            }
            at += 1;
        }
        n += 1;
    }
    let mut top = LIMBS - 1;
    while limbs[top] == 0 {
        top -= 1;
    }
    let (high, zeros) = (limbs[top], limbs[top].leading_zeros());
    let middle = if top > 0 { limbs[top - 1] } else { 0 };
    let low = if top > 1 { limbs[top - 2] } else { 0 };
    let all = (high as u128) << 64 | middle as u128;
    if zeros == 0 { all } else { all << zeros | (low >> (64 - zeros)) as u128 }
}

/// Powers of ten with the exponents from here on, each as 64 bits, the highest of them 1, rounded up.
const LEAST: i32 = -64;
static ROUNDED_UP: [u64; 110] = {
    let mut all = [0; 110];
    let mut n = 0;
    while n < all.len() {
        let e = LEAST + n as i32;
        all[n] = (power_of_ten(e) >> 64) as u64 + !is_exact(e) as u64;
        n += 1;
    }
    all
};

/// The first 64 bits of 10^`e`, the highest of them 1, rounded up. `e` is at least -64 and at most 45.
#[inline(always)]
pub(crate) fn rounded_up(e: i32) -> u64 {
    ROUNDED_UP[(e - LEAST) as usize]
}

/// Whether 64 bits hold 10^`e`: it has the bits of 5^`e`.
pub(crate) const fn is_exact(e: i32) -> bool {
    0 <= e && e <= 27
}

/// Floor of the binary logarithm of 10^`e`.
pub(crate) const fn log2_of_power(e: i32) -> i32 {
    (e * 1_741_647) >> 19
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_are_those_of_ten() {
        for e in 0..=38 {
            let power = 10u128.pow(e);
            assert_eq!(power_of_ten(e as i32), power << power.leading_zeros(), "{e}");
        }
        // A power and that of its reciprocal multiply to a little less than a power of two.
        for e in 1..=32 {
            let (large, small) = (power_of_ten(e) >> 64, power_of_ten(-e) >> 64);
            let product = large * small;
            let below = u128::MAX >> product.leading_zeros();
            assert!(below - product < 1 << 66, "{e}");
        }
    }

    #[test]
    fn powers_of_64_bits_are_not_too_small() {
        for e in LEAST..=45 {
            let (power, exact) = (power_of_ten(e), u128::from(rounded_up(e)) << 64);
            assert!(exact >= power && exact - power <= 1 << 64, "{e}");
            assert_eq!(exact == power, is_exact(e), "{e}");
            // 2^-53 of the logarithm is far less than what is between it and an integer.
            assert_eq!(log2_of_power(e), (f64::from(e) * std::f64::consts::LOG2_10).floor() as i32, "{e}");
        }
    }
}
