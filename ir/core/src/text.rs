//! The textual form of shaders: [`print()`] and [`read`].
//!
//! ```text
//! shader "blend" stage(fragment) from("tgsi") {
//!   attr 0 "IN[0]" generic(0) perspective center
//!   bank 0 "CONST[0]" len(4)
//!   constant "shine" bank(0) index(2) = 0x41100000 0x41100000 0x41100000 0x41100000
//!   output 0 "OUT[0]" color(0) fp32 - - -
//!   buffer 0 "BUFFER[0]"
//!   slot p0 = fp32
//!   slot p1 = half.sat
//!   source @0 line(4) offset(61) "MUL OUT[0].x, IN[0], CONST[3]"
//!   %0: p0 = attr in0.x @0
//!   %1: p0 = const c0[3].x @0
//!   %2: p0 = mul %0, %1 @0
//!   %3: p1 = cvt %2 @0
//!   %4: pred = fgt %2, %1 under p0 @0
//!   %5: half = if %4 initial(%3) {
//!     yield %3
//!   } else {
//!     %6: p1 = lit 0x1.8p-1
//!     yield %6
//!   }
//!   %7: i32 = lit 1
//!   %8: i32 = loop ^0 (%9: i32 = %7) initial(%7) {
//!     continue ^0 %9
//!   }
//!   %10: i32 = atomic.add b0[%7], %7
//!   out o0.x, %2
//!   yield
//! }
//! ```
//!
//! - Statements need no separators; layout is free. A comment runs from `;` to the end of the line.
//! - `%2: p0 = ...` says that the op names slot `p0` and that the result is a float of its format. A result of any other
//!   type has the type's name; the slot, if there is one, then follows the operands: `under p0`. Floats made without a
//!   slot (`select`, `load`, results of regions) have the name of their format.
//! - `@0` after the operands are the op's origins.
//! - `if %4 initial(%3, ...)`, `block ^0 initial(...)`, `loop ^0 (...) initial(...)`: the initial operands, one per result.
//! - Float literals of symbolic shaders are numbers of the declared format: hexadecimal floats (exact), decimal numbers,
//!   `inf`, `nan:0x7fc00001` (exact pattern), or `0x3f800000`, a pattern. Those of bound shaders are patterns of the
//!   container. Integers are decimal or `0x`, predicates `true` and `false`, condition codes `less`, `equal`, `greater`,
//!   `unordered`.
//! - Strings have no escapes but `\u{22}`-style code points, which stand for quotes, backslashes and control
//!   characters.
//!
//! A bound shader has the line `bind "nv40"` with its model's label at the head. Rules are not printed: they follow from
//! op, slot and model, and reading binds anew; only the bits of literals are taken from the text. (The rule of a literal
//! is never looked at again. Passes may leave an op with the rule of an equal one under another slot, nothing else.)
//!
//! Printing numbers values, loops and blocks in order of appearance, and reading keeps those numbers, so a text that was
//! printed is the same after reading and printing.

mod listed;
mod number;
mod print;
mod read;
#[cfg(test)]
mod tests;

pub use listed::{ImmediateWords, Listed};
pub use parallax_text::quote;
pub use print::{print, print_op, print_with_notes};
pub use read::{AnyShader, read, read_any};

use parallax_text::{Comments, LexOptions};

/// How this form is cut into tokens.
const LEX: LexOptions =
    LexOptions { comments: Comments::Line(b';'), newlines: false, carriage_return: true, floats: true };

/// Spellings of the interface that carry no number, with their meanings.
macro_rules! words {
    ($name:ident: $ty:ty { $($word:literal = $value:expr),+ $(,)? }) => {
        const $name: &[(&str, $ty)] = &[$(($word, $value)),+];
    };
}

words!(INTERPS: crate::Interp {
    "perspective" = crate::Interp::Perspective,
    "linear" = crate::Interp::Linear,
    "flat" = crate::Interp::Flat,
    "color" = crate::Interp::Color,
    "over_w" = crate::Interp::OverW,
});

words!(LOCATIONS: crate::Location {
    "center" = crate::Location::Center,
    "centroid" = crate::Location::Centroid,
    "sample" = crate::Location::Sample,
});

words!(CODES: u64 { "less" = 0, "equal" = 1, "greater" = 2, "unordered" = 3 });

/// The spelling of `value` in one of the tables above.
fn word_of<T: PartialEq>(table: &[(&'static str, T)], value: &T) -> &'static str {
    table.iter().find(|row| row.1 == *value).map_or("?", |row| row.0)
}

/// The name of a component.
fn comp_name(comp: u8) -> &'static str {
    ["x", "y", "z", "w"].get(usize::from(comp)).copied().unwrap_or("?")
}
