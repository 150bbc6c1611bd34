//! How values of registers are written.

use super::answer::{Error, string};
use super::request::{Words, hex32};
use parallax::{LaneResult, LaneValue, Registers, ValueFormat};
use parallax_core::{Interface, Type};
use parallax_lift::{Input, InputNames};

/// What a register is set to: raw bits by spelling, several spellings where one does not hold the value.
pub(super) fn read(name: &str, words: &Words, format: Option<ValueFormat>) -> Result<Registers, Error> {
    let wrong = |message: String| Error::invalid("value", format!("`{name}`: {message}"));
    let digits = match (format, words) {
        // Whether it has one component or four is the program's to say.
        (Some(ValueFormat::Scalar), _) | (None, Words::One(_)) => {
            let Words::One(word) = words else { return Err(wrong("it has one component: expected a string".into())) };
            let value = hex32(word).ok_or_else(|| wrong(format!("{} is not a hexadecimal word", string(word))))?;
            return Ok(vec![(name.to_string(), vec![value])]);
        }
        (Some(ValueFormat::SignMagnitude), _) => return read_sign_magnitude(name, words).map_err(wrong),
        (Some(ValueFormat::Vector(digits)), _) => usize::from(digits),
        (None, _) => 8,
    };
    let list = match words {
        Words::Many(list) => list,
        Words::One(word) => return Err(wrong(format!("expected 4 components, found the word {}", string(word)))),
    };
    if list.len() != 4 {
        return Err(wrong(format!("expected 4 components, found {}", list.len())));
    }
    let mut out = Vec::with_capacity(4);
    for text in list {
        // Fewer digits than the format has are the lowest ones.
        let value = hex32(text).filter(|_| text.len() <= digits);
        let hint = || wrong(format!("{} is not a hexadecimal word of up to {digits} digits without 0x", string(text)));
        out.push(value.ok_or_else(hint)?);
    }
    Ok(vec![(name.to_string(), out)])
}

/// Checks what names of the program were set to, which `read` could not: a word for the words of a bank that are named by
/// bytes, four components for everything else. A name may stand for a vector of such words, too.
pub(super) fn check(registers: &Registers, iface: &Interface, is_open: impl Fn(&str) -> bool) -> Result<(), Error> {
    let names = InputNames::of(iface);
    for (name, words) in registers.iter().filter(|(name, _)| is_open(name)) {
        let by_bytes = match names.find(name) {
            Some(Input::Constant { bank, .. }) => iface.banks[bank].by_bytes,
            _ => false,
        };
        let is_address = by_bytes && name.ends_with(']') && iface.constants.iter().all(|c| c.name != *name);
        if words.len() == 1 && !by_bytes {
            return Err(Error::invalid("value", format!("`{name}`: expected 4 components, found one word")));
        }
        if words.len() == 4 && is_address {
            return Err(Error::invalid("value", format!("`{name}`: it has one component: expected a string")));
        }
    }
    Ok(())
}

/// A register of signs and magnitudes, as the three registers it is set through.
fn read_sign_magnitude(name: &str, words: &Words) -> Result<Registers, String> {
    let wrong = || "expected 4 components such as `+1a.8000000000000000`".to_string();
    let Words::Many(list) = words else { return Err(wrong()) };
    let mut parts = [Vec::new(), Vec::new(), Vec::new()];
    for text in list {
        let mut chars = text.chars();
        let sign = match chars.next() {
            Some('+') => 1u32,
            Some('-') => u32::MAX,
            Some('0') => 0,
            _ => return Err(wrong()),
        };
        let (int, fraction) = chars.as_str().split_once('.').ok_or_else(wrong)?;
        if fraction.len() != 16 || !fraction.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Err(wrong());
        }
        let (high, low) = fraction.split_at(8);
        if hex32(low) != Some(0) {
            return Err(format!("{} has more than 32 fraction bits: the last 8 digits must be 0", string(text)));
        }
        parts[0].push(sign);
        parts[1].push(hex32(int).ok_or_else(wrong)?);
        parts[2].push(hex32(high).ok_or_else(wrong)?);
    }
    if list.len() != 4 {
        return Err(wrong());
    }
    Ok(["sign", "int", "frac"].into_iter().map(|part| format!("{name}.{part}")).zip(parts).collect())
}

/// A register's value in one lane, as JSON; `None` where the program has no such register.
pub(super) fn print(name: &str, lane: &LaneResult, format: Option<ValueFormat>) -> Option<String> {
    // What a program wrote to its outputs after a lane was killed says nothing about the kill.
    let values = if lane.killed { lane.watched(name)? } else { lane.register(name)? };
    // Components that are never written are zero bits of the others' format.
    let ty = values.iter().flatten().map(|v| v.ty).next().unwrap_or(Type::F32);
    let text = |value: Option<LaneValue>| string(&value.unwrap_or(LaneValue { ty, bits: 0 }).text());
    Some(match format {
        Some(ValueFormat::Scalar) => text(values[0]),
        Some(ValueFormat::SignMagnitude) => {
            let signs = lane.register(&format!("{name}.sign")).copied().unwrap_or_default();
            let words: Vec<String> = values.iter().zip(&signs).map(|(m, s)| string(&sign_magnitude(m, s))).collect();
            format!("[{}]", words.join(","))
        }
        Some(ValueFormat::Vector(_)) | None => format!("[{}]", values.map(text).join(",")),
    })
}

/// One component: sign, integer, point, 16 digits of fraction.
fn sign_magnitude(magnitude: &Option<LaneValue>, sign: &Option<LaneValue>) -> String {
    let magnitude = magnitude.map_or(0, |v| v.bits);
    let sign = match sign.map_or(0, |v| v.bits as u32 as i32) {
        0 => '0',
        s if s < 0 => '-',
        _ => '+',
    };
    format!("{sign}{:x}.{:016x}", magnitude >> 32, magnitude << 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn many(list: &[&str]) -> Words {
        Words::Many(list.iter().map(|s| s.to_string()).collect())
    }

    #[test]
    fn values_have_four_components_and_short_digits_are_padded() {
        let read = |w: &Words, digits| read("R0", w, Some(ValueFormat::Vector(digits)));
        assert_eq!(read(&many(&["3f800000", "A", "0", "ffffffff"]), 8).unwrap()[0].1, [0x3f80_0000, 10, 0, u32::MAX]);
        for bad in [&["3f800000"] as &[&str], &["0x000000", "00000000", "00000000", "00000000"], &["000000000"; 4]] {
            assert!(read(&many(bad), 8).is_err());
        }
        assert!(read(&Words::One("00000000".into()), 8).is_err());
        assert_eq!(read(&many(&["3c00", "1", "0", "0"]), 4).unwrap()[0].1, [0x3c00, 1, 0, 0]);
        assert!(read(&many(&["00003c00"; 4]), 4).is_err());
        assert!(super::read("half_name", &many(&["3ff"; 4]), None).is_ok());
    }

    #[test]
    fn sign_and_magnitude_keep_every_digit_or_say_so() {
        let read = |text: &str| super::read("acc", &many(&[text; 4]), Some(ValueFormat::SignMagnitude));
        let parts = read("-2.8000000100000000").unwrap();
        let names: Vec<&str> = parts.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["acc.sign", "acc.int", "acc.frac"]);
        assert_eq!((parts[0].1[0], parts[1].1[0], parts[2].1[0]), (u32::MAX, 2, 0x8000_0001));
        assert!(read("-2.8000000000000001").unwrap_err().message.contains("32 fraction bits"));
        assert!(read("2.8").is_err());
    }
}
