//! How values of registers are written.

use super::answer::{Error, string};
use super::request::{Words, hex32};
use parallax::LaneValue;

/// Digits of a word of a register; `None` where the spelling does not tell its format.
fn digits(isa: &str, dialect: Option<&str>, name: &str) -> Option<usize> {
    let numbered = |letter: char| {
        name.strip_prefix(letter).is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
    };
    match isa {
        "tgsi" | "attila" => Some(8),
        "nvfp" if numbered('H') => Some(4),
        "nvfp" if numbered('I') && dialect == Some("patent") => Some(3),
        "nvfp" if name.contains('[') || numbered('R') => Some(8),
        _ => None,
    }
}

/// Whether a register has one component.
pub(super) fn is_scalar(isa: &str, name: &str) -> bool {
    let digits = |n: &str| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit());
    isa == "attila" && (name == "kill" || name.strip_prefix(['p', 'z']).is_some_and(digits))
}

/// A component of ATTILA's accumulator: sign (`+`, `-`, or `0`), integer, point, 16 digits of fraction.
pub(super) fn accumulator(magnitude: &Option<LaneValue>, sign: &Option<LaneValue>) -> String {
    let magnitude = magnitude.map_or(0, |v| v.bits);
    let sign = match sign.map_or(0, |v| v.bits as u32 as i32) {
        0 => '0',
        s if s < 0 => '-',
        _ => '+',
    };
    format!("{sign}{:x}.{:016x}", magnitude >> 32, magnitude << 32)
}

/// The accumulator as the three registers it is set through.
pub(super) fn accumulator_words(words: &Words) -> Result<Vec<(String, Vec<u32>)>, Error> {
    let wrong = || Error::invalid("value", "`acc`: expected 4 components such as `+1a.8000000000000000`");
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
        let (int, frac) = chars.as_str().split_once('.').ok_or_else(wrong)?;
        if frac.len() != 16 || !frac.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Err(wrong());
        }
        parts[0].push(sign);
        parts[1].push(hex32(int).ok_or_else(wrong)?);
        parts[2].push(hex32(&frac[..8]).ok_or_else(wrong)?);
    }
    if list.len() != 4 {
        return Err(wrong());
    }
    let names = ["acc.sign", "acc.int", "acc.frac"];
    Ok(names.into_iter().map(str::to_string).zip(parts).collect())
}

/// The components of a register's value as raw bits.
pub(super) fn words(name: &str, words: &Words, isa: &str, dialect: Option<&str>) -> Result<Vec<u32>, Error> {
    let wrong = |message: String| Error::invalid("value", format!("`{name}`: {message}"));
    if is_scalar(isa, name) {
        let Words::One(word) = words else { return Err(wrong("it has one component: expected a string".into())) };
        let Some(value) = hex32(word) else {
            return Err(wrong(format!("{} is no hexadecimal word", string(word))));
        };
        return Ok(vec![value]);
    }
    let list = match words {
        Words::Many(list) => list,
        Words::One(word) => return Err(wrong(format!("expected 4 components, found the word {}", string(word)))),
    };
    if list.len() != 4 {
        return Err(wrong(format!("expected 4 components, found {}", list.len())));
    }
    let want = digits(isa, dialect, name);
    let mut out = Vec::with_capacity(4);
    for text in list {
        let Some(value) = hex32(text) else {
            return Err(wrong(format!("{} is no hexadecimal word: up to 8 digits without 0x", string(text))));
        };
        if let Some(want) = want.filter(|want| text.len() != *want) {
            return Err(wrong(format!("{} has {} digits, expected {want}", string(text), text.len())));
        }
        out.push(value);
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_four_components_of_full_width() {
        let many = |list: &[&str]| Words::Many(list.iter().map(|s| s.to_string()).collect());
        let read = |name, w: &Words| words(name, w, "nvfp", Some("patent"));
        assert_eq!(read("c[0]", &many(&["3f800000", "0000000A", "00000000", "ffffffff"])).unwrap()[1], 10);
        for bad in [&["3f800000"] as &[&str], &["0", "0", "0", "0"], &["0x000000", "00000000", "00000000", "00000000"]]
        {
            assert!(read("f[TEX0]", &many(bad)).is_err());
        }
        assert!(read("c[0]", &Words::One("00000000".into())).is_err());
        assert!(read("H3", &many(&["3c00"; 4])).is_ok());
        assert!(read("I3", &many(&["3ff"; 4])).is_ok());
        assert!(read("half_name", &many(&["3ff"; 4])).is_ok());
        assert!(read("H3", &many(&["00003c00"; 4])).is_err());
    }
}
