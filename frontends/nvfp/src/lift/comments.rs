//! What comments of Cg's compiler say about parameters: their names, their places and their defaults.
//!
//! `#var TYPE NAME : USE : PLACE : INDEX : READ` names a parameter, whose place is `c[n]` for an element of the array `c` that
//! the listing declares, with a count behind it where it takes several, or the parameter's own name in `!!FP1.0`.
//! `#default NAME = NUMBERS` is its value until the program sets it, `#const c[n] = NUMBERS` that of a place without a name
//! (Cg Users Manual 3.1, appendix on profiles; listings of Cg 1.5 to 3.1).

use super::interface::{BANK_LOCAL, bank};
use crate::ast::{NameKind, ParamItem, Program};
use crate::dialect::Dialect;
use parallax_core::ConstDecl;
use parallax_text::parse_f32;
use rustc_hash::FxHashMap;

/// Parameters that comments can name: a damaged text must not list without end.
const MOST: usize = 4096;

/// Adds the parameters that comments name, with the defaults they give.
pub(super) fn defaults(program: &Program, text: &str, constants: &mut Vec<ConstDecl>) {
    if !matches!(program.dialect, Dialect::Arb | Dialect::Fp10) {
        return;
    }
    let lines: Vec<&str> = comments(text).collect();
    if lines.is_empty() {
        return;
    }
    let mut values: FxHashMap<&str, Vec<u32>> = FxHashMap::default();
    for (name, numbers) in lines.iter().filter_map(|line| assignment(line, "#default ")) {
        values.insert(name, numbers);
    }
    for decl in constants.iter_mut().filter(|decl| decl.default.is_none()) {
        decl.default = values.get(decl.name.as_str()).map(|numbers| vector(numbers));
    }
    let named = lines.iter().filter_map(|line| variable(line)).flat_map(|(name, place, count)| {
        let all = values.get(name).map_or(&[][..], Vec::as_slice);
        let width = all.len().div_ceil(count.max(1) as usize);
        (0..count).map(move |row| {
            let part = all.get(row as usize * width..).map(|rest| &rest[..width.min(rest.len())]);
            let default = part.filter(|part| !part.is_empty()).map(vector);
            let name = if count == 1 { name.to_string() } else { format!("{name}[{row}]") };
            (name, place + row, default)
        })
    });
    let unnamed = lines.iter().filter_map(|line| {
        let (place, numbers) = assignment(line, "#const ")?;
        Some((place.to_string(), element(place)?, Some(vector(&numbers))))
    });
    let found: Vec<_> = named.chain(unnamed).take(MOST).collect();
    for (name, place, default) in found {
        let Some((bank, index)) = parameter(program, place) else { continue };
        constants.push(ConstDecl::new(name, bank, index, default));
    }
}

/// Lines that are comments. Most programs have few, so the lines between them are stepped over.
fn comments(text: &str) -> impl Iterator<Item = &str> {
    let mut end = 0;
    std::iter::from_fn(move || {
        loop {
            let at = end + text[end..].find('#')?;
            let start = text[end..at].rfind('\n').map_or(end, |n| end + n + 1);
            end = text[at..].find('\n').map_or(text.len(), |n| at + n);
            if text[start..at].trim().is_empty() {
                return Some(&text[start..end]);
            }
        }
    })
}

/// The bank and the number of the parameter at a place of the array `c`; without one, of the local parameter of that number.
/// Literals of the array are no parameters.
fn parameter(program: &Program, place: u32) -> Option<(u16, u32)> {
    let array = program.names.iter().find_map(|name| match &name.kind {
        NameKind::Param { items, array: Some(_) } if name.text == "c" => Some(items),
        _ => None,
    });
    let Some(items) = array else { return (program.dialect == Dialect::Arb).then_some((BANK_LOCAL, place)) };
    let mut left = place;
    for item in items {
        match item {
            ParamItem::Range(file, first, last) if left <= u32::from(last - first) => {
                return Some((bank(*file), u32::from(*first) + left));
            }
            ParamItem::Range(_, first, last) => left -= u32::from(last - first) + 1,
            ParamItem::Param(file, n) if left == 0 => return Some((bank(*file), u32::from(*n))),
            _ if left == 0 => return None,
            _ => left -= 1,
        }
    }
    None
}

/// Up to four numbers; what is missing is 0.
fn vector(numbers: &[u32]) -> [u32; 4] {
    [0, 1, 2, 3].map(|comp| numbers.get(comp).copied().unwrap_or(0))
}

/// `PREFIX NAME = NUMBERS`; numbers are divided by blanks.
fn assignment<'a>(line: &'a str, prefix: &str) -> Option<(&'a str, Vec<u32>)> {
    let (name, numbers) = line.trim().strip_prefix(prefix)?.split_once('=')?;
    let numbers = numbers.split_whitespace().map(number).collect::<Option<_>>()?;
    Some((name.trim(), numbers))
}

fn number(text: &str) -> Option<u32> {
    match text.strip_prefix('-') {
        Some(text) => Some((-parse_f32(text)?).to_bits()),
        None => parse_f32(text).map(f32::to_bits),
    }
}

/// `#var TYPE NAME : USE : c[n] : INDEX : READ`, or `c[n], COUNT`: name, place and count of a parameter.
fn variable(line: &str) -> Option<(&str, u32, u32)> {
    let mut parts = line.trim().strip_prefix("#var ")?.split(" :");
    let name = parts.next()?.split_whitespace().nth(1)?;
    let place = parts.nth(1)?.trim();
    let (place, count) = match place.split_once(',') {
        Some((place, count)) => (place.trim(), count.trim().parse().ok()?),
        None => (place, 1),
    };
    Some((name, element(place)?, count)).filter(|(_, _, count)| (1..=MOST as u32).contains(count))
}

/// `c[n]`.
fn element(place: &str) -> Option<u32> {
    place.strip_prefix("c[")?.strip_suffix(']')?.parse().ok().filter(|place| *place < MOST as u32)
}

#[cfg(test)]
mod tests {
    use crate::{lift, parse};
    use parallax_lift::Options;

    fn constants(text: &str) -> Vec<(String, u16, u32, Option<[f32; 4]>)> {
        let (program, diags) = parse(text, None);
        let program = program.unwrap_or_else(|| panic!("{diags:?}"));
        let shader = lift(&program, text, &Options::default()).unwrap();
        let one = |decl: &parallax_core::ConstDecl| {
            (decl.name.clone(), decl.bank, decl.index, decl.default.map(|words| words.map(f32::from_bits)))
        };
        shader.func.iface.constants.iter().map(one).collect()
    }

    #[test]
    fn parameters_of_an_array_have_the_names_and_defaults_of_comments() {
        let text = "!!ARBfp1.0\n# cgc version 3.1.0013\n#program main\n#semantic main.tint\n\
                    #var float2 uv : $vin.TEXCOORD0 : TEX0 : 0 : 1\n\
                    #var float3 tint :  : c[1] : 1 : 1\n#var float2x2 turn :  : c[2], 2 : 2 : 1\n\
                    #var float unset :  : c[4] : 3 : 1\n#var float gone :  :  : 4 : 0\n\
                    #const c[0] = 0.5 -1\n#default tint = 1 0.25 -2\n#default turn = 1 2 3 4\n\
                    PARAM c[5] = { { 0.5, -1 }, program.local[0..2], program.local[7] };\n\
                    MOV result.color, c[4];\nEND\n";
        let found = constants(text);
        let expected = [
            ("tint".to_string(), 0, 0, Some([1.0, 0.25, -2.0, 0.0])),
            ("turn[0]".to_string(), 0, 1, Some([1.0, 2.0, 0.0, 0.0])),
            ("turn[1]".to_string(), 0, 2, Some([3.0, 4.0, 0.0, 0.0])),
            ("unset".to_string(), 0, 7, None),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_place_without_an_array_is_a_local_parameter() {
        let text = "!!ARBfp1.0\n#const c[3] = 0.5\nMOV result.color, program.local[3];\nEND\n";
        assert_eq!(constants(text), [("c[3]".to_string(), 0, 3, Some([0.5, 0.0, 0.0, 0.0]))]);
    }

    #[test]
    fn declared_names_take_their_defaults() {
        let text = "!!FP1.0\n#default glow = 0.5 1 2 4\nDECLARE glow;\nMOVR o[COLR], glow;\nEND\n";
        assert_eq!(constants(text), [("glow".to_string(), 2, 0, Some([0.5, 1.0, 2.0, 4.0]))]);
    }

    #[test]
    fn comments_behind_something_name_nothing() {
        let text = "!!ARBfp1.0 #const c[1] = 1\n \t#const c[2] = 2\r\n\n# #const c[3] = 3\nTEMP a; #const c[4] = 4\n\
                    MOV result.color, program.local[2]; # #\nEND\n#const c[5] = 5";
        let names: Vec<String> = constants(text).into_iter().map(|(name, ..)| name).collect();
        assert_eq!(names, ["c[2]", "c[5]"]);
    }

    #[test]
    fn damaged_comments_name_nothing() {
        let text = "!!ARBfp1.0\n#var\n#var float\n#var float4 a : : c[99999999999] : 1 : 1\n#const c[ = 1\n\
                    #var float4 b : : c[0], 4294967295 : 1 : 1\n#default b = x\nMOV result.color, 1;\nEND\n";
        assert_eq!(constants(text), []);
    }
}
