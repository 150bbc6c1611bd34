//! Numbers in words: normalised codes and halves, by the rounding that the documents name; and back.

use super::{HALF, Number, Row, SINGLE, rows};
use crate::inputs::Random;
use dashu_base::{Abs, Signed};
use dashu_int::IBig;
use parallax_num::Op;
use std::collections::BTreeMap;

/// The code of a number times `scale`, plus `add`: rounded as the row says. `None` where it depends on whether the product was
/// rounded first.
fn code(row: &Row, word: u64, packed: &Packed) -> Option<u64> {
    let Packed { bits, scale, low, add, .. } = *packed;
    let form = row.form;
    if form.is_nan(word) {
        return (row.says("pnan") == Some("zero") && add == 0).then_some(0);
    }
    let infinite =
        |negative: bool| if negative { (IBig::from(low.0), IBig::from(low.1)) } else { (1.into(), 1.into()) };
    // The number as a fraction.
    let (top, bottom) = match form.number(word) {
        Number::Infinite(negative) => infinite(negative),
        Number::Finite(m, e) if e >= 0 => (m << e as usize, IBig::from(1)),
        Number::Finite(m, e) => (m, IBig::from(1) << (-e) as usize),
    };
    let (top, bottom) = if top > bottom { infinite(false) } else { (top, bottom) };
    let is_below = &top * IBig::from(low.1) < &bottom * IBig::from(low.0);
    let (top, bottom) = if is_below { infinite(true) } else { (top, bottom) };
    // Codes that are cut are cut after the sum, which is positive.
    let cut = row.says("pack") == Some("rtz");
    let top: IBig = top * IBig::from(scale) + &bottom * IBig::from(if cut { add } else { 0 });
    let size = (&top).abs();
    let (whole, rest) = (&size / &bottom, &size % &bottom);
    let twice: IBig = rest.clone() * 2;
    let from_tie: IBig = (&twice - &bottom).abs();
    // Where a product of binary32 may be a tie and the exact one is not.
    if from_tie != IBig::from(0) && from_tie * (1 << 10) < bottom {
        return None;
    }
    let odd = &whole % IBig::from(2) == IBig::from(1);
    let up = match row.says("pack")? {
        "rne" => twice > bottom || twice == bottom && odd,
        "rna" => twice >= bottom,
        // The product next below a code may be rounded to it.
        "rtz" if rest != IBig::from(0) && (&bottom - &rest) * (1 << 10) < bottom => return None,
        _ => false,
    };
    let whole: i64 = (whole + i64::from(up)).try_into().expect("a few bits");
    let signed = if top.is_negative() { -whole } else { whole } + if cut { 0 } else { add };
    Some(signed as u64 & ((1 << bits) - 1))
}

/// Codes in a word.
struct Packed {
    op: Op,
    lanes: usize,
    bits: u32,
    scale: i64,
    /// The least number, as a fraction.
    low: (i64, i64),
    /// What is added to a code.
    add: i64,
}

const PACKS: [Packed; 4] = [
    Packed { op: Op::PackUnorm2, lanes: 2, bits: 16, scale: 65535, low: (0, 1), add: 0 },
    Packed { op: Op::PackUnorm4, lanes: 4, bits: 8, scale: 255, low: (0, 1), add: 0 },
    Packed { op: Op::PackSnorm4, lanes: 4, bits: 8, scale: 127, low: (-1, 1), add: 0 },
    Packed { op: Op::PackBiased4, lanes: 4, bits: 8, scale: 127, low: (-128, 127), add: 128 },
];

#[test]
fn packed_codes_are_those_of_the_documents() {
    let mut checked: BTreeMap<(&str, Op), u64> = BTreeMap::new();
    for row in rows().iter().filter(|row| row.says("pack").is_some_and(|says| says != "open")) {
        let mut random = Random::new(31);
        let special = super::specials(row.form);
        for packed in &PACKS {
            let Packed { op, lanes, bits, scale, .. } = *packed;
            for n in 0..4000 {
                let args: Vec<u64> = (0..lanes)
                    .map(|_| match n % 8 {
                        0 => random.pick(&special),
                        // Halves of codes: the ties.
                        1 => {
                            let twice = random.below(511) as f64;
                            u64::from(((twice / 2.0 / scale as f64) as f32).to_bits())
                        }
                        _ => (0x3b00_0000 + random.below(0x0540_0000)) | random.below(2) << 31,
                    })
                    .collect();
                let codes = args.iter().map(|word| code(row, *word, packed));
                let Some(codes) = codes.collect::<Option<Vec<u64>>>() else { continue };
                let want = codes.iter().enumerate().fold(0, |all, (lane, code)| all | code << (bits as usize * lane));
                let got = row.eval(op, &args);
                assert_eq!(got, want, "{} {op} of {args:x?}: {got:x}, not {want:x}", row.line);
                *checked.entry((row.name, op)).or_default() += 1;
            }
        }
    }
    assert!(checked.len() >= 4 * 8 && checked.values().all(|n| *n > 1500), "{checked:?}");
}

/// The half of a number, as the row says; `None` where it does not.
fn half(row: &Row, word: u64) -> Option<u64> {
    let form = row.form;
    let sign = (word >> 16) & 0x8000;
    if form.is_nan(word) || form.is_zero(word) {
        return None;
    }
    let Number::Finite(m, e) = form.number(row.operand(word)?) else { return None };
    if m == IBig::from(0) {
        return None;
    }
    let away = row.says("ph") == Some("raz");
    let (mut code, _) = HALF.round(&m, e, row.says("ph") != Some("rne"));
    if away {
        let exact = match HALF.number(code) {
            Number::Finite(n, f) => (n << (f + 200) as usize) == m.clone() << (e + 200) as usize,
            Number::Infinite(_) => true,
        };
        let cut = code;
        code += u64::from(!exact);
        // Whether it was denormal before or after rounding is not said.
        if HALF.is_denormal(cut) && !HALF.is_denormal(code) {
            return None;
        }
    }
    match row.says("phd") {
        _ if !HALF.is_denormal(code) && !HALF.is_zero(code) => Some(code),
        Some("keep") => Some(code),
        Some("flush") => Some(sign),
        Some("plus") => Some(0),
        _ => None,
    }
}

#[test]
fn packed_halves_are_those_of_the_documents() {
    let mut checked: BTreeMap<&str, u64> = BTreeMap::new();
    for row in rows().iter().filter(|row| row.says("ph").is_some_and(|says| says != "open")) {
        let mut random = Random::new(41);
        for _ in 0..20_000 {
            let [a, b] = [0, 1].map(|_| (0x3280_0000 + random.below(0x1600_0000)) | random.below(2) << 31);
            let (Some(x), Some(y)) = (half(row, a), half(row, b)) else { continue };
            let got = row.eval(Op::PackHalf2, &[a, b]);
            assert_eq!(got, x | y << 16, "{}: of {a:x} {b:x}", row.line);
            *checked.entry(row.name).or_default() += 1;
        }
    }
    assert!(checked.len() >= 9 && checked.values().all(|n| *n > 5000), "{checked:?}");
}

/// Every code, where results round to nearest.
#[test]
fn unpacked_codes_are_the_nearest_numbers() {
    let mut count = 0;
    for row in rows().iter().filter(|row| row.says("unpack") == Some("nearest")) {
        let quotient = |top: i64, bottom: i64| -> u64 {
            if top == 0 {
                return 0;
            }
            // Far more digits than binary32 has, and a last one for what is left.
            let scaled = IBig::from(top) << 100;
            let whole = &scaled / IBig::from(bottom);
            let sticky: IBig = whole.clone() * 2 + if whole * IBig::from(bottom) == scaled { 0 } else { top.signum() };
            SINGLE.round(&sticky, -101, false).0
        };
        for word in 0..=65535i64 {
            assert_eq!(row.eval(Op::UpUnorm16, &[word as u64]), quotient(word, 65535), "{} {word}", row.line);
            count += 1;
        }
        for byte in 0..=255i64 {
            let [unorm, snorm] = [Op::UpUnorm8, Op::UpSnorm8].map(|op| row.eval(op, &[byte as u64]));
            assert_eq!(unorm, quotient(byte, 255), "{} {byte}", row.line);
            let signed = i64::from(byte as u8 as i8);
            assert_eq!(snorm, quotient(signed.max(-127), 127), "{} {byte}", row.line);
            assert_eq!(row.eval(Op::UpBiased8, &[byte as u64]), quotient(byte - 128, 127), "{} {byte}", row.line);
        }
    }
    assert!(count >= 65536);
}
