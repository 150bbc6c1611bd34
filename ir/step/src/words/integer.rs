//! Integers of 64 bits as pairs of words.

use super::big::Big;
use super::sink::Sink;
use crate::prim::Prim;
use crate::program::Id;

impl dyn Sink + '_ {
    /// The low half of a product.
    pub(super) fn mul_pair(&mut self, a: &[Id], b: &[Id]) -> Big {
        let [low, high] = self.mul_words(a[0], b[0]);
        let (x, y) = (self.mul(a[0], b[1]), self.mul(a[1], b[0]));
        let high = self.add(high, x);
        Big::from_slice(&[low, self.add(high, y)])
    }

    /// A shift by an amount modulo 64.
    pub(super) fn shift_pair(&mut self, prim: Prim, a: &[Id], amount: Id) -> Big {
        let far = self.and_with(amount, 32);
        let far = self.is_set(far);
        let zero = self.int(0);
        let (low, high) = (a[0], a[1]);
        let rest = self.xor_with(amount, 31);
        if prim == Prim::Shl {
            let half = self.shr_by(low, 1);
            let carried = self.shr(half, rest);
            let (lower, upper) = (self.shl(low, amount), self.shl(high, amount));
            let near = self.or(upper, carried);
            return Big::from_slice(&[self.select(far, zero, lower), self.select(far, lower, near)]);
        }
        let twice = self.shl_by(high, 1);
        let carried = self.shl(twice, rest);
        let lower = self.shr(low, amount);
        let near = self.or(lower, carried);
        let upper = self.step(prim, crate::prim::Ty::I32, &[high, amount]);
        let fill = match prim {
            Prim::Sar => {
                let all = self.int(31);
                self.sar(high, all)
            }
            _ => zero,
        };
        Big::from_slice(&[self.select(far, upper, near), self.select(far, fill, upper)])
    }
}
