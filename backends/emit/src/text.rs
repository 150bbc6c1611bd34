//! What texts of several targets spell alike.

use crate::form::Signs;
use crate::program::{Reg, Src};

/// Masks, by their bits, x lowest.
const MASKS: [&str; 16] =
    [".", ".x", ".y", ".xy", ".z", ".xz", ".yz", ".xyz", ".w", ".xw", ".yw", ".xyw", ".zw", ".xzw", ".yzw", ""];

/// All swizzles one behind the other, four letters each, the last letter that of the lowest bits.
const SWIZZLES: &str = match std::str::from_utf8(&SPELLED) {
    Ok(letters) => letters,
    Err(_) => panic!("letters are text"),
};

const SPELLED: [u8; 1024] = {
    let mut letters = [0; 1024];
    let mut n = 0;
    while n < letters.len() {
        letters[n] = b"xyzw"[((n / 4) >> (6 - 2 * (n % 4))) & 3];
        n += 1;
    }
    letters
};

/// A mask behind a destination; nothing where all components are written.
pub(crate) fn mask(text: &mut String, comps: u8) {
    text.push_str(MASKS[usize::from(comps & 15)]);
}

/// How targets spell the components that a source reads.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Swizzles {
    /// Always four letters.
    Four,
    /// One letter where all four are the same.
    Short,
    /// One letter, of an operand that is one component.
    One,
}

/// The components that a source reads; nothing where each reads its own.
pub(crate) fn swizzle(text: &mut String, comps: [u8; 4], swizzles: Swizzles) {
    let count = match swizzles {
        Swizzles::One => 1,
        Swizzles::Short if comps == [comps[0]; 4] => 1,
        _ if comps == [0, 1, 2, 3] => return,
        _ => 4,
    };
    let at = comps.iter().fold(0, |at, &comp| at << 2 | usize::from(comp & 3)) * 4;
    text.push('.');
    text.push_str(&SWIZZLES[at..at + count]);
}

/// A source with its signs. `register` writes the register.
pub(crate) fn source(text: &mut String, src: &Src, swizzles: Swizzles, register: impl FnOnce(&mut String)) {
    let Signs { negate, absolute } = src.signs;
    if negate {
        text.push('-');
    }
    if absolute {
        text.push('|');
    }
    register(text);
    swizzle(text, src.swizzle, swizzles);
    if absolute {
        text.push('|');
    }
}

/// The operands of an instruction behind its mnemonic: what it writes, and its sources. `register` writes a register.
pub(crate) fn operands(
    text: &mut String,
    dst: Option<(Reg, u8)>,
    srcs: &[Src],
    swizzles: impl Fn(usize) -> Swizzles,
    register: impl Fn(&mut String, Reg),
) {
    let mut before = " ";
    if let Some((reg, comps)) = dst {
        text.push_str(before);
        register(text, reg);
        mask(text, comps);
        before = ", ";
    }
    for (n, src) in srcs.iter().enumerate() {
        text.push_str(before);
        source(text, src, swizzles(n), |text| register(text, src.reg));
        before = ", ";
    }
}

/// Text, a number and text. Texts have several of them in each line, and `write!` takes three times as long.
pub(crate) fn numbered(text: &mut String, before: &str, number: u32, behind: &str) {
    text.push_str(before);
    if number < 10 {
        text.push(char::from(b'0' + number as u8));
        text.push_str(behind);
        return;
    }
    let mut digits = [0u8; 10];
    let (mut at, mut left) = (digits.len(), number);
    loop {
        at -= 1;
        digits[at] = b'0' + (left % 10) as u8;
        left /= 10;
        if left == 0 {
            break;
        }
    }
    digits[at..].iter().for_each(|&digit| text.push(char::from(digit)));
    text.push_str(behind);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_decimal() {
        for number in [0, 7, 10, 909, u32::MAX] {
            let mut text = String::new();
            numbered(&mut text, "r", number, "]");
            assert_eq!(text, format!("r{number}]"));
        }
    }
}
