//! What an algorithm is computed in: integers of 32 and 64 bits, truth values, numbers of a float format.
//!
//! Where a result is correctly rounded, [`crate::eval()`] and the programs that are tested against it find it in ways of their
//! own. Where the algorithm itself is the known fact - a chip's data path, a driver's polynomial, a bound proved step by
//! step - its text exists once, generic over these traits: [`Words`] computes the values, and the implementation in
//! `parallax_step` adds the same operations to a program.

/// Truth values, integers of 32 and 64 bits, and the ways between them.
pub trait Values {
    /// An integer of 32 bits.
    type Word: Copy;
    /// An integer of 64 bits.
    type Long: Copy;
    /// A truth value.
    type Truth: Copy;

    /// A constant of 32 bits.
    fn word(&mut self, n: i32) -> Self::Word;
    /// A constant of 64 bits.
    fn long(&mut self, n: u64) -> Self::Long;
    /// The low 32 bits.
    fn low(&mut self, v: Self::Long) -> Self::Word;
    /// 64 bits, the upper half zero.
    fn zext(&mut self, v: Self::Word) -> Self::Long;
    /// 64 bits, the upper half copies of the sign.
    fn sext(&mut self, v: Self::Word) -> Self::Long;
    /// Whether it is false.
    fn not(&mut self, a: Self::Truth) -> Self::Truth;
    /// Whether both are true.
    fn both(&mut self, a: Self::Truth, b: Self::Truth) -> Self::Truth;
    /// Whether one of them is true.
    fn either(&mut self, a: Self::Truth, b: Self::Truth) -> Self::Truth;
}

/// A choice between values of one type.
pub trait Choice<T>: Values {
    /// The first value where the condition is true, else the second.
    fn select(&mut self, condition: Self::Truth, a: T, b: T) -> T;
}

/// Integers of one width; results are taken modulo 2^width, amounts of shifts modulo the width.
pub trait Integer<T>: Choice<T> {
    /// a + b.
    fn add(&mut self, a: T, b: T) -> T;
    /// a - b.
    fn sub(&mut self, a: T, b: T) -> T;
    /// a * b.
    fn mul(&mut self, a: T, b: T) -> T;
    /// Bits that both have.
    fn and(&mut self, a: T, b: T) -> T;
    /// Bits that one of them has.
    fn or(&mut self, a: T, b: T) -> T;
    /// Bits that only one of them has.
    fn xor(&mut self, a: T, b: T) -> T;
    /// v * 2^amount.
    fn shl_by(&mut self, v: T, amount: Self::Word) -> T;
    /// v / 2^amount of an unsigned number, rounded down.
    fn shr_by(&mut self, v: T, amount: Self::Word) -> T;
    /// v / 2^amount of a signed number, rounded down.
    fn sar_by(&mut self, v: T, amount: Self::Word) -> T;
    /// Number of zeros above the highest set bit; the width for 0.
    fn leading_zeros(&mut self, v: T) -> Self::Word;
    /// Whether they are equal.
    fn equal(&mut self, a: T, b: T) -> Self::Truth;
    /// Whether a < b, both signed.
    fn less(&mut self, a: T, b: T) -> Self::Truth;

    /// [`Integer::shl_by`] of a constant.
    fn shl(&mut self, v: T, amount: u32) -> T {
        let amount = self.word(amount as i32);
        self.shl_by(v, amount)
    }

    /// [`Integer::shr_by`] of a constant.
    fn shr(&mut self, v: T, amount: u32) -> T {
        let amount = self.word(amount as i32);
        self.shr_by(v, amount)
    }

    /// [`Integer::sar_by`] of a constant.
    fn sar(&mut self, v: T, amount: u32) -> T {
        let amount = self.word(amount as i32);
        self.sar_by(v, amount)
    }
}

/// Integers of both widths, and words with constants.
pub trait Integers: Integer<<Self as Values>::Word> + Integer<<Self as Values>::Long> {
    /// v + n.
    fn plus(&mut self, v: Self::Word, n: i32) -> Self::Word {
        let n = self.word(n);
        self.add(v, n)
    }

    /// n - v.
    fn less_from(&mut self, n: i32, v: Self::Word) -> Self::Word {
        let n = self.word(n);
        self.sub(n, v)
    }

    /// The bits of v that a mask has.
    fn mask(&mut self, v: Self::Word, bits: i32) -> Self::Word {
        let bits = self.word(bits);
        self.and(v, bits)
    }

    /// Whether v is n.
    fn is(&mut self, v: Self::Word, n: i32) -> Self::Truth {
        let n = self.word(n);
        self.equal(v, n)
    }

    /// Whether v < n.
    fn is_below(&mut self, v: Self::Word, n: i32) -> Self::Truth {
        let n = self.word(n);
        self.less(v, n)
    }

    /// Whether v > n.
    fn is_above(&mut self, v: Self::Word, n: i32) -> Self::Truth {
        let n = self.word(n);
        self.less(n, v)
    }

    /// The lesser of v and n.
    fn at_most(&mut self, v: Self::Word, n: i32) -> Self::Word {
        let (over, n) = (self.is_above(v, n), self.word(n));
        self.select(over, n, v)
    }

    /// The greater of v and n.
    fn at_least(&mut self, v: Self::Word, n: i32) -> Self::Word {
        let (under, n) = (self.is_below(v, n), self.word(n));
        self.select(under, n, v)
    }
}

impl<A: Integer<<A as Values>::Word> + Integer<<A as Values>::Long>> Integers for A {}

/// Numbers; every result is rounded as the implementation says.
pub trait Numbers {
    /// A number.
    type Number: Copy;

    /// A constant that the format holds exactly.
    fn number(&mut self, v: f64) -> Self::Number;
    /// a - b.
    fn fsub(&mut self, a: Self::Number, b: Self::Number) -> Self::Number;
    /// a * b.
    fn fmul(&mut self, a: Self::Number, b: Self::Number) -> Self::Number;
}

/// Numbers of a binary format.
pub trait Floats: Numbers + Integers + Choice<<Self as Numbers>::Number> {
    /// a + b.
    fn fadd(&mut self, a: Self::Number, b: Self::Number) -> Self::Number;
    /// a / b.
    fn fdiv(&mut self, a: Self::Number, b: Self::Number) -> Self::Number;
    /// a * b + c; binary64 rounds it once, binary32 as the unit does.
    fn mad(&mut self, a: Self::Number, b: Self::Number, c: Self::Number) -> Self::Number;
}

/// Numbers of binary32, and their patterns.
pub trait Singles: Floats {
    /// The pattern of a number.
    fn bits(&mut self, v: Self::Number) -> Self::Word;
    /// The number of a pattern.
    fn float(&mut self, bits: Self::Word) -> Self::Number;
    /// |a|.
    fn fabs(&mut self, a: Self::Number) -> Self::Number;
    /// Whether a < b.
    fn fless(&mut self, a: Self::Number, b: Self::Number) -> Self::Truth;
    /// The greatest integer that is not above a number.
    fn floor(&mut self, v: Self::Number) -> Self::Number;
    /// The signed integer next to a number toward zero; -2^31 for NaN and what is out of range.
    fn to_integer(&mut self, v: Self::Number) -> Self::Word;
    /// The number nearest to a signed integer.
    fn of_integer(&mut self, v: Self::Word) -> Self::Number;
}

/// Numbers of binary64, and their patterns.
pub trait Doubles: Floats {
    /// The pattern of a number.
    fn bits(&mut self, v: Self::Number) -> Self::Long;
    /// The number of a pattern.
    fn float(&mut self, bits: Self::Long) -> Self::Number;
    /// -a.
    fn fneg(&mut self, a: Self::Number) -> Self::Number;
    /// Square root.
    fn sqrt(&mut self, v: Self::Number) -> Self::Number;
}

/// Computes values, with numbers of the kind that `N` stands for.
#[derive(Copy, Clone, Debug)]
pub struct Words<N>(pub N);

impl<N> Values for Words<N> {
    type Word = u32;
    type Long = u64;
    type Truth = bool;

    #[inline(always)]
    fn word(&mut self, n: i32) -> u32 {
        n.cast_unsigned()
    }

    #[inline(always)]
    fn long(&mut self, n: u64) -> u64 {
        n
    }

    #[inline(always)]
    fn low(&mut self, v: u64) -> u32 {
        v as u32
    }

    #[inline(always)]
    fn zext(&mut self, v: u32) -> u64 {
        v.into()
    }

    #[inline(always)]
    fn sext(&mut self, v: u32) -> u64 {
        i64::from(v.cast_signed()).cast_unsigned()
    }

    #[inline(always)]
    fn not(&mut self, a: bool) -> bool {
        !a
    }

    #[inline(always)]
    fn both(&mut self, a: bool, b: bool) -> bool {
        a & b
    }

    #[inline(always)]
    fn either(&mut self, a: bool, b: bool) -> bool {
        a | b
    }
}

impl<N, T> Choice<T> for Words<N> {
    #[inline(always)]
    fn select(&mut self, condition: bool, a: T, b: T) -> T {
        if condition { a } else { b }
    }
}

macro_rules! integer {
    ($($ty:ty)*) => {$(
        impl<N> Integer<$ty> for Words<N> {
            #[inline(always)]
            fn add(&mut self, a: $ty, b: $ty) -> $ty {
                a.wrapping_add(b)
            }

            #[inline(always)]
            fn sub(&mut self, a: $ty, b: $ty) -> $ty {
                a.wrapping_sub(b)
            }

            #[inline(always)]
            fn mul(&mut self, a: $ty, b: $ty) -> $ty {
                a.wrapping_mul(b)
            }

            #[inline(always)]
            fn and(&mut self, a: $ty, b: $ty) -> $ty {
                a & b
            }

            #[inline(always)]
            fn or(&mut self, a: $ty, b: $ty) -> $ty {
                a | b
            }

            #[inline(always)]
            fn xor(&mut self, a: $ty, b: $ty) -> $ty {
                a ^ b
            }

            #[inline(always)]
            fn shl_by(&mut self, v: $ty, amount: u32) -> $ty {
                v.wrapping_shl(amount)
            }

            #[inline(always)]
            fn shr_by(&mut self, v: $ty, amount: u32) -> $ty {
                v.wrapping_shr(amount)
            }

            #[inline(always)]
            fn sar_by(&mut self, v: $ty, amount: u32) -> $ty {
                v.cast_signed().wrapping_shr(amount).cast_unsigned()
            }

            #[inline(always)]
            fn leading_zeros(&mut self, v: $ty) -> u32 {
                v.leading_zeros()
            }

            #[inline(always)]
            fn equal(&mut self, a: $ty, b: $ty) -> bool {
                a == b
            }

            #[inline(always)]
            fn less(&mut self, a: $ty, b: $ty) -> bool {
                a.cast_signed() < b.cast_signed()
            }
        }
    )*};
}

integer!(u32 u64);
