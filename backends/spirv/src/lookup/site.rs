//! Where a lookup is written: primitives of step form over words and masks, and what only the image and the quad know.

use parallax_core::TexOp;
use parallax_step::{Direction, Id, Mode, Prim, Ty};

/// Takes the primitives of a lookup and gives it texels. All values are words, patterns of binary32 among them, or masks.
pub(crate) trait Site {
    /// A primitive.
    fn step(&mut self, prim: Prim, ty: Ty, imm: u64, args: &[Id]) -> Id;
    /// The logarithm of a number to base two, correctly rounded to binary32.
    fn log2(&mut self, number: Id) -> Id;
    /// The remainder of unsigned words; the divisor is not 0.
    fn remainder(&mut self, a: Id, n: Id) -> Id;
    /// Width, height and depth of the largest level; layers, and faces of cubes, count as depth.
    fn size(&mut self) -> [Id; 3];
    /// The number of levels.
    fn levels(&mut self) -> Id;
    /// The number of samples of a texel, of images with several.
    fn samples(&mut self) -> Id;
    /// The components of a texel of the image, which has it, on a level, or of a sample: of bytes the bytes, else binary32 patterns.
    fn fetch(&mut self, at: [Id; 3], level: Id) -> [Id; 4];
    /// A row of a table with 256 of them.
    fn row(&mut self, table: &[u32; 256], row: Id) -> Id;
    /// A word as the neighbour in the quad's row (axis 0) or column (axis 1) has it.
    fn beside(&mut self, word: Id, axis: u32) -> Id;
    /// Whether the pixel is the right one, or the lower one, of its quad.
    fn is_second(&mut self, axis: u32) -> Id;
}

/// Short names for primitives.
impl dyn Site + '_ {
    pub(super) fn int(&mut self, word: u32) -> Id {
        self.step(Prim::Const, Ty::I32, word.into(), &[])
    }

    /// A number of binary32.
    pub(super) fn real(&mut self, number: f32) -> Id {
        self.int(number.to_bits())
    }

    fn plain(&mut self, prim: Prim, args: &[Id]) -> Id {
        self.step(prim, Ty::F32, Mode::PLAIN.word(), args)
    }

    pub(super) fn fadd(&mut self, a: Id, b: Id) -> Id {
        self.plain(Prim::Fadd, &[a, b])
    }

    pub(super) fn fsub(&mut self, a: Id, b: Id) -> Id {
        self.plain(Prim::Fsub, &[a, b])
    }

    pub(super) fn fmul(&mut self, a: Id, b: Id) -> Id {
        self.plain(Prim::Fmul, &[a, b])
    }

    pub(super) fn fdiv(&mut self, a: Id, b: Id) -> Id {
        self.plain(Prim::Fdiv, &[a, b])
    }

    /// a * b + c, rounded once.
    pub(super) fn fma(&mut self, a: Id, b: Id, c: Id) -> Id {
        self.plain(Prim::Fma, &[a, b, c])
    }

    pub(super) fn fneg(&mut self, a: Id) -> Id {
        self.step(Prim::Fneg, Ty::F32, 0, &[a])
    }

    pub(super) fn fabs(&mut self, a: Id) -> Id {
        self.step(Prim::Fabs, Ty::F32, 0, &[a])
    }

    pub(super) fn flt(&mut self, a: Id, b: Id) -> Id {
        self.step(Prim::Flt, Ty::F32, 0, &[a, b])
    }

    pub(super) fn fle(&mut self, a: Id, b: Id) -> Id {
        self.step(Prim::Fle, Ty::F32, 0, &[a, b])
    }

    pub(super) fn feq(&mut self, a: Id, b: Id) -> Id {
        self.step(Prim::Feq, Ty::F32, 0, &[a, b])
    }

    /// Whether a number is NaN.
    pub(super) fn is_nan(&mut self, a: Id) -> Id {
        self.step(Prim::Funo, Ty::F32, 0, &[a, a])
    }

    /// To an integer, as a number.
    pub(super) fn round(&mut self, a: Id, direction: Direction) -> Id {
        self.step(Prim::Round, Ty::F32, direction as u64, &[a])
    }

    /// The integer that a number is, cut; the least one for what is out of range.
    pub(super) fn whole(&mut self, a: Id) -> Id {
        self.step(Prim::ToInt, Ty::F32, 0, &[a])
    }

    /// The integer that a number is, cut; the nearest one for what is out of range, 0 for a NaN.
    pub(super) fn nearest_integer(&mut self, a: Id) -> Id {
        let (end, most, zero) = (self.real(2_147_483_648.0), self.int(i32::MAX.cast_unsigned()), self.int(0));
        let (is_above, is_nan, whole) = (self.fle(end, a), self.is_nan(a), self.whole(a));
        let whole = self.select(is_above, most, whole);
        self.select(is_nan, zero, whole)
    }

    /// The number of a signed integer.
    pub(super) fn number(&mut self, a: Id) -> Id {
        self.step(Prim::FromInt, Ty::F32, 0, &[a])
    }

    pub(super) fn add(&mut self, a: Id, b: Id) -> Id {
        self.step(Prim::Add, Ty::I32, 0, &[a, b])
    }

    pub(super) fn sub(&mut self, a: Id, b: Id) -> Id {
        self.step(Prim::Sub, Ty::I32, 0, &[a, b])
    }

    pub(super) fn mul(&mut self, a: Id, b: Id) -> Id {
        self.step(Prim::Mul, Ty::I32, 0, &[a, b])
    }

    pub(super) fn and(&mut self, a: Id, word: u32) -> Id {
        let word = self.int(word);
        self.step(Prim::And, Ty::I32, 0, &[a, word])
    }

    pub(super) fn or(&mut self, a: Id, word: u32) -> Id {
        let word = self.int(word);
        self.step(Prim::Or, Ty::I32, 0, &[a, word])
    }

    pub(super) fn xor(&mut self, a: Id, b: Id) -> Id {
        self.step(Prim::Xor, Ty::I32, 0, &[a, b])
    }

    pub(super) fn plus(&mut self, a: Id, v: i32) -> Id {
        let v = self.int(v.cast_unsigned());
        self.add(a, v)
    }

    pub(super) fn shl(&mut self, a: Id, amount: Id) -> Id {
        self.step(Prim::Shl, Ty::I32, 0, &[a, amount])
    }

    pub(super) fn shl_by(&mut self, a: Id, amount: u32) -> Id {
        let amount = self.int(amount);
        self.shl(a, amount)
    }

    pub(super) fn shr_by(&mut self, a: Id, amount: u32) -> Id {
        let amount = self.int(amount);
        self.step(Prim::Shr, Ty::I32, 0, &[a, amount])
    }

    pub(super) fn sar_by(&mut self, a: Id, amount: u32) -> Id {
        let amount = self.int(amount);
        self.step(Prim::Sar, Ty::I32, 0, &[a, amount])
    }

    pub(super) fn eq(&mut self, a: Id, b: Id) -> Id {
        self.step(Prim::Eq, Ty::I32, 0, &[a, b])
    }

    /// Signed.
    pub(super) fn lt(&mut self, a: Id, b: Id) -> Id {
        self.step(Prim::Lt, Ty::I32, 0, &[a, b])
    }

    /// Unsigned.
    pub(super) fn ult(&mut self, a: Id, b: Id) -> Id {
        self.step(Prim::Ult, Ty::I32, 0, &[a, b])
    }

    pub(super) fn not(&mut self, a: Id) -> Id {
        self.step(Prim::Not, Ty::Mask, 0, &[a])
    }

    pub(super) fn both(&mut self, a: Id, b: Id) -> Id {
        self.step(Prim::And, Ty::Mask, 0, &[a, b])
    }

    pub(super) fn either(&mut self, a: Id, b: Id) -> Id {
        self.step(Prim::Or, Ty::Mask, 0, &[a, b])
    }

    pub(super) fn select(&mut self, mask: Id, a: Id, b: Id) -> Id {
        self.step(Prim::Select, Ty::I32, 0, &[mask, a, b])
    }

    /// The first of three where a mask is true, else the others, one by one.
    pub(super) fn select_all<const N: usize>(&mut self, mask: Id, a: [Id; N], b: [Id; N]) -> [Id; N] {
        std::array::from_fn(|n| self.select(mask, a[n], b[n]))
    }

    /// The size of a level that the image has: half of the larger one's, rounded down, at least 1. Devices are not asked for it: some
    /// answer all pixels with what one of them asks for.
    pub(super) fn level_size(&mut self, op: &TexOp, level: Id) -> [Id; 3] {
        let (one, zero) = (self.int(1), self.int(0));
        let mut size = self.size();
        if level == zero {
            return size;
        }
        let count = if op.target.is_cube() { 2 } else { op.target.coordinates() };
        for side in &mut size[..count] {
            let half = self.step(Prim::Shr, Ty::I32, 0, &[*side, level]);
            let is_none = self.eq(half, zero);
            *side = self.select(is_none, one, half);
        }
        size
    }

    /// Whether a word is negative.
    pub(super) fn is_negative(&mut self, a: Id) -> Id {
        let zero = self.int(0);
        self.lt(a, zero)
    }

    /// 0 for what is no finite number.
    pub(super) fn finite(&mut self, a: Id) -> Id {
        let (size, end, zero) = (self.fabs(a), self.real(f32::INFINITY), self.int(0));
        let is_finite = self.flt(size, end);
        self.select(is_finite, a, zero)
    }

    /// A number, or the only NaN.
    pub(super) fn fixed_nan(&mut self, a: Id) -> Id {
        let (is_nan, nan) = (self.is_nan(a), self.int(0xffc0_0000));
        self.select(is_nan, nan, a)
    }
}
