//! Findings as sentences, for terminals and pages alike.

use crate::{Deed, End, Explanation, FieldBlame, FixedDifference, Flip, Place, Special, VertexDifference};

/// A share in percent, with as many digits as say something.
pub fn share(value: f64) -> String {
    let percent = value * 100.0;
    match percent.abs() {
        p if p >= 9.95 || p == 0.0 => format!("{percent:.0} %"),
        p if p >= 0.95 => format!("{percent:.1} %"),
        p if p >= 0.05 => format!("{percent:.2} %"),
        _ => "~0 %".into(),
    }
}

/// `12`, or `0x30` in binaries.
pub fn at(place: &Place) -> String {
    match (place.index, place.line) {
        (None, _) => "end".into(),
        (Some(_), 0) => format!("{:#x}", place.offset),
        (Some(_), line) => line.to_string(),
    }
}

/// `line 12, MAD R0, R1, R2, R3`, or `byte 0x30, ...` in binaries.
fn instruction(place: &Place) -> String {
    let what = if place.index.is_some() && place.line == 0 { "byte" } else { "line" };
    format!("{what} {}, {}", at(place), place.text)
}

/// A number with the digits that tell it from its neighbours in binary32, or more where it is none.
pub fn value(v: f64) -> String {
    let single = v as f32;
    if f64::from(single) == v || v.is_nan() { single.to_string() } else { format!("{v:.9e}") }
}

/// `mad.round = rtz, not rne: 83 % (exact: ...)`.
pub fn field(blame: &FieldBlame) -> String {
    let FieldBlame { field, op, value, other, tier, source, fixed, caused, .. } = blame;
    let deed = deed(blame).map_or(String::new(), |deed| format!("{deed}: "));
    let share = match *caused > 2.0 * fixed.max(0.0) {
        true => format!("fixes {}, causes {}", share(*fixed), share(*caused)),
        false => share(*fixed),
    };
    format!("{deed}{op}.{field} = {value} instead of {other}: {share} ({tier}: {source})")
}

/// What a driver does to the instruction, where the field says what drivers do: `MUL and ADD contracted by the driver`.
pub fn deed(blame: &FieldBlame) -> Option<String> {
    let words = match blame.deed? {
        Deed::Contracted => "MUL and ADD contracted by the driver".into(),
        Deed::LeftApart => "MUL and ADD left apart by the driver".into(),
        Deed::Reordered => "reordered by a driver".into(),
        Deed::Formula => format!("{} written out by the driver", blame.op.trim_start_matches("library.")),
    };
    Some(words)
}

/// What a branch does.
pub fn flip(flip: &Flip, found: &Explanation) -> String {
    let (x, y) = flip.pixel;
    let pair = |p: Option<[f64; 2]>| p.map_or("-".into(), |[a, b]| format!("{} and {}", value(a), value(b)));
    let margin = flip.margin().map_or(String::new(), |m| format!(", decided by {}", value(m)));
    format!(
        "branch flips at {x},{y}: {}: {} compares {}; under {} {}{margin}",
        instruction(&flip.place),
        flip.op,
        pair(flip.found),
        found.against,
        pair(flip.expected),
    )
}

/// Where a special value is born, where it ends, and its way.
pub fn special(special: &Special, found: &Explanation) -> [String; 2] {
    let (x, y) = special.pixel;
    let operands: Vec<String> = special.operands.iter().map(|v| value(*v)).collect();
    let expected = match special.expected {
        Some(v) if v.to_bits() != special.value.to_bits() => format!(", under {} {}", found.against, value(v)),
        Some(_) => format!("; the same under {}", found.against),
        None => String::new(),
    };
    let born = format!(
        "special value {} at {x},{y}: {}: {}({}) = {}{expected}",
        value(special.value),
        instruction(&special.place),
        special.op,
        operands.join(", "),
        value(special.value),
    );
    let end = match &special.end {
        End::Output(output) => format!("it reaches {output} as {}", value(special.reached)),
        End::Number(place) => format!("it ends as {} in {}", value(special.reached), instruction(place)),
    };
    let there = match special.reached == special.reached_expected {
        true => String::new(),
        false => format!(", under {} {}", found.against, value(special.reached_expected)),
    };
    let way = match special.chain.len() {
        0 | 1 => String::new(),
        _ => format!("; through {}", special.chain.iter().map(at).collect::<Vec<_>>().join(", ")),
    };
    [born, format!("{end}{there}{way}")]
}

/// What a fixed function around the shader does.
pub fn around(found: &FixedDifference) -> String {
    let alone = &found.alone;
    let FixedDifference { field, value, other, .. } = found;
    format!("{field} is {value}, not {other}, which alone changes {} of {} pixels", alone.changed, alone.pixels)
}

/// What the vertex program in front of the shader does.
pub fn vertices(found: &VertexDifference) -> String {
    format!(
        "the vertex program gives another position to {} of {} corners of triangles; its results alone change {} of {} pixels",
        found.positions, found.corners, found.alone.changed, found.alone.pixels
    )
}

/// Whether the picture is decided by the shader or by luck.
pub fn verdict(found: &Explanation) -> String {
    let s = &found.stability;
    let legal = &s.legal;
    let verdict = if legal.more > 0 {
        format!(
            "{} of the {} are decided by luck: a legal implementation of {} may change them by more than \
             1/255, by up to {}",
            share(s.luck()),
            found.shown.many(),
            found.model,
            legal.steps
        )
    } else if legal.runs > 0 {
        format!(
            "the picture is decided by the shader: {} other legal choices change {} {}, none by more than 1/255",
            legal.runs,
            legal.changed,
            found.shown.many()
        )
    } else {
        format!("{} leaves no choice: every implementation gives the same bits", found.model)
    };
    match s.rounded.runs {
        0 => verdict,
        _ => format!(
            "{verdict}; rounding in other directions changes {} of {} {} visibly",
            s.rounded.visible,
            s.pixels,
            found.shown.many()
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_have_the_digits_that_matter() {
        let texts = [1.0, 0.834, 0.0834, 0.00834, 0.0001, 0.0, -0.2].map(share);
        assert_eq!(texts, ["100 %", "83 %", "8.3 %", "0.83 %", "~0 %", "0 %", "-20 %"]);
    }

    #[test]
    fn numbers_of_binary32_are_short() {
        assert_eq!([0.1f32.into(), 0.1, f64::INFINITY, f64::NAN].map(value), ["0.1", "1.000000000e-1", "inf", "NaN"]);
    }
}
