//! Recipes: functions whose exact value is not a rational number of a few bits.
//!
//! [`fast`] evaluates them in binary64 with a known error bound; where that error could change the rounding, and for all else,
//! [`wide`] evaluates them in integer arithmetic far below any format's last bit; `power` has the one that has two operands. [`double`] is for programs of results in
//! binary64: pairs of binary64 numbers. Function units whose data path is known have a module of their own ([`nv_sfu`],
//! [`gallivm`]); `angle` reduces the operands of sine and cosine.

mod accuracy;
mod angle;
pub mod double;
pub mod fast;
mod functions;
pub mod gallivm;
mod nearby;
pub mod nv_sfu;
mod power;
pub mod reactor;
mod short;
mod wide;

pub(crate) use accuracy::chosen;
pub use functions::newton_factor;
pub(crate) use functions::recipe;
pub(crate) use short::eval as eval_short;

/// 2^(n / 100), to 110 bits.
pub(crate) fn exp2_of_hundredths(n: i16) -> crate::soft::value::Real {
    use crate::soft::value::Real;
    let whole = Real { neg: false, exp: i32::from(n / 100), sig: 1, sticky: false };
    if n % 100 == 0 {
        return whole;
    }
    let number = |n: u128| Real { neg: false, exp: 0, sig: n, sticky: false };
    let exponent = crate::soft::divide::quotient(number(u128::from(n.unsigned_abs())), number(100));
    // Sixty-four digits of the exponent decide all of a binary64.
    let exponent = exponent.normal();
    wide::exp2(Real { neg: n < 0, exp: exponent.exp + 64, sig: exponent.sig >> 64, sticky: false })
}
