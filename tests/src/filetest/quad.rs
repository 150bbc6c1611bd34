//! Lines of `run` tests of programs: `run [MODEL]: NAME=VALUE ... == NAME=VALUE ...`, one quad with registers by name.
//!
//! Left of `==` stand registers and constants by the program's spelling; what is not named has the value the engine gives it. A
//! value is one word for all components, or a list in parentheses; a list of four values in brackets gives each lane its own.
//! Words are those of the `run` tests of shaders. Beside registers there are:
//!
//! - `covered`: 1 for lanes covered at the start; `fuel`: that of each lane;
//! - `tex0` and so on: what every lookup of the texture unit gives.
//!
//! Right of `==` stand the registers to look at, by their spelling; without any, the outputs of the program. Components that are
//! never written are `-`. `killed` and `dry` tell lanes that lost their coverage or ran out of fuel.
//!
//! Each line runs as lifted, and optimised by every engine; all must leave the same bits in every register.

use super::model;
use super::run::{float_text, word};
use super::vendor::{VendorTest, problems};
use crate::engines::{AS_LIFTED, Way, compiled, optimised};
use parallax::{LaneCase, LaneResult, LaneValue, Registers, load, run_lanes};
use parallax_core::num::{Format, Storage};
use parallax_core::{OutputRole, Type};
use parallax_texture::Unit;

/// Carries out one line and gives it with what came out.
///
/// # Errors
/// What is wrong with the line, or that optimising changes it.
pub(super) fn line(test: &VendorTest<'_>, bytes: &[u8], line: &str) -> Result<String, String> {
    let rest = line.strip_prefix("run").ok_or_else(|| format!("expected `run`, found `{line}`"))?;
    let (name, rest) = rest.split_once(": ").or(rest.split_once(":")).ok_or_else(|| format!("no colon in `{line}`"))?;
    let (given, wanted) = rest.split_once("==").unwrap_or((rest, ""));
    let case = case(given)?;
    let wanted: Vec<&str> = items(wanted).into_iter().map(|item| item.split_once('=').map_or(item, |i| i.0)).collect();
    let wanted: Vec<&str> = wanted.into_iter().filter(|name| !["killed", "dry"].contains(name)).collect();

    let mut options = test.options.clone();
    options.lift.preset.extend(case.state.iter().chain(case.lanes.iter().flatten()).map(|(name, _)| name.clone()));
    options.lift.watch.extend(wanted.iter().map(|name| name.to_string()));
    let loaded = load("t", bytes, &options);
    let shader = loaded.shader.as_ref().ok_or_else(|| problems(&loaded.text, &loaded.diags).join("\n"))?;
    let name = [name.trim(), test.model.unwrap_or(""), loaded.model].into_iter().find(|name| !name.is_empty());
    let model = model(name.unwrap_or("ieee"))?;
    let run = |way: Way| {
        let compiled = compiled(shader, &model, way)?;
        run_lanes(&compiled, &case).map_err(|found| problems("", &found.diags).join("\n"))
    };
    let lanes = run(AS_LIFTED)?;
    for way in optimised() {
        if run(way)? != lanes {
            return Err(format!("{line}: optimising for {} changes the result", way.1));
        }
    }

    let outputs = shader.func.iface.outputs.iter().filter(|o| o.role != OutputRole::Watch).map(|o| o.name.as_str());
    let shown: Vec<&str> = if wanted.is_empty() { outputs.collect() } else { wanted };
    let mut found = String::new();
    for name in shown {
        let values: Vec<String> = lanes
            .iter()
            .map(|lane: &LaneResult| lane.register(name).map(vector).ok_or(format!("no register `{name}`")))
            .collect::<Result<_, _>>()?;
        found.push_str(&format!(" {name}={}", lanes_text(&values)));
    }
    for (name, flags) in
        [("killed", lanes.each_ref().map(|l| l.killed)), ("dry", lanes.each_ref().map(|l| l.out_of_fuel))]
    {
        if flags.contains(&true) {
            found.push_str(&format!(" {name}={}", lanes_text(&flags.map(|flag| u8::from(flag).to_string()))));
        }
    }
    Ok(format!("{} =={found}", line.split("==").next().unwrap_or("").trim_end()))
}

/// One value when all lanes have the same.
fn lanes_text(values: &[String]) -> String {
    if values.iter().all(|value| *value == values[0]) { values[0].clone() } else { format!("[{}]", values.join(", ")) }
}

/// One word when all components have the same, or only the first is there.
fn vector(values: &[Option<LaneValue>; 4]) -> String {
    let words = values.map(|value| value.map_or("-".to_string(), component));
    if words.iter().all(|word| *word == words[0]) || words[1..].iter().all(|word| word == "-") {
        return words[0].clone();
    }
    format!("({})", words.join(", "))
}

fn component(value: LaneValue) -> String {
    match value.ty {
        Type::Float(decl) => {
            let storage = match decl.format() {
                Format::Fixed(format) => Storage::Fixed(format),
                Format::Float(_) if decl.format().bits() == 16 => Storage::F16,
                Format::Float(_) if decl.format().bits() == 64 => Storage::F64,
                Format::Float(_) => Storage::F32,
            };
            float_text(value.bits, storage)
        }
        Type::I32 | Type::I64 | Type::I16 if value.bits < 0x1_0000 => value.bits.to_string(),
        Type::I32 | Type::I64 | Type::I16 => format!("{:#x}", value.bits),
        Type::Pred | Type::Cc => value.text(),
    }
}

/// Splits at blanks outside of brackets.
fn items(text: &str) -> Vec<&str> {
    let mut depth = 0;
    let blank = |c: char| {
        depth += i32::from(matches!(c, '(' | '[')) - i32::from(matches!(c, ')' | ']'));
        depth == 0 && c.is_whitespace()
    };
    text.split(blank).filter(|item| !item.is_empty()).collect()
}

/// The parts of a list in these brackets; `None` for anything else.
fn list(text: &str, [open, close]: [char; 2]) -> Option<Vec<&str>> {
    let inner = text.strip_prefix(open)?.strip_suffix(close)?;
    let mut depth = 0;
    let comma = |c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth == 0 && c == ','
    };
    Some(inner.split(comma).map(str::trim).collect())
}

fn case(given: &str) -> Result<LaneCase, String> {
    let mut case = LaneCase::default();
    for item in items(given) {
        let (name, value) = item.split_once('=').ok_or_else(|| format!("expected NAME=VALUE, found `{item}`"))?;
        let words = |text: &str| match list(text, ['(', ')']) {
            Some(words) => words.into_iter().map(word).collect::<Result<Vec<u32>, _>>(),
            None => Ok(vec![word(text)?; 4]),
        };
        let unit = name.strip_prefix("tex").and_then(|unit| unit.parse().ok());
        let values = list(value, ['[', ']']).unwrap_or_else(|| vec![value]);
        if values.len() != 1 && values.len() != 4 {
            return Err(format!("{name} has {} values for 4 lanes", values.len()));
        }
        let values: Vec<Vec<u32>> = values.into_iter().map(words).collect::<Result<_, _>>()?;
        let lane = |n: usize| values[if values.len() == 1 { 0 } else { n }].clone();
        if name == "covered" {
            case.covered = [0, 1, 2, 3].map(|n| lane(n)[0] != 0);
        } else if name == "fuel" {
            case.fuel = lane(0)[0];
        } else if let Some(unit) = unit {
            let texel = lane(0).try_into().map_err(|_| format!("{name} has four components"))?;
            case.textures.set(unit, Unit::Constant(texel));
        } else if values.len() == 1 {
            case.state.push((name.into(), lane(0)));
        } else {
            let lanes: &mut [Registers; 4] = &mut case.lanes;
            lanes.iter_mut().enumerate().for_each(|(n, registers)| registers.push((name.into(), lane(n))));
        }
    }
    Ok(case)
}
