//! Sums of products of parts of words (sm_61).

use super::Ctx;
use crate::view::{Name, Operands};
use parallax_core::ValueId;
use parallax_num::Op;

impl Ctx<'_, '_> {
    /// IDP: `count` parts of a word times as many bytes, and c, added modulo 2^32 (PTX ISA, dp4a and dp2a).
    pub(super) fn dot(&mut self, i: Operands, count: u32) {
        let types = i.get(Name::Types);
        let (is_a_signed, is_b_signed) = (types & 1 != 0, types & 2 != 0);
        let first = if i.has(Name::Half) { 2 } else { 0 };
        let [a, b, mut sum] = self.words(i);
        let width = 32 / count;
        for n in 0..count {
            let x = self.extended(a, n * width, width, is_a_signed);
            let y = self.extended(b, 8 * (first + n), 8, is_b_signed);
            let product = self.l.b.int(Op::Imul, &[x, y]);
            sum = self.l.b.int(Op::Iadd, &[sum, product]);
        }
        self.result(i, sum);
    }

    /// So many bits of a word, extended.
    fn extended(&mut self, word: ValueId, at: u32, width: u32, is_signed: bool) -> ValueId {
        let (at, width) = (self.lit(at), self.lit(width));
        self.l.b.int(if is_signed { Op::Ibfe } else { Op::Ubfe }, &[word, at, width])
    }
}
