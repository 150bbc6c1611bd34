//! Runs cases that list values.

use super::parse::{Declared, Source, ValuesCase};
use super::structs::{Places, in_block};
use super::wrap::{alone, locations, pair, uniform_words};
use crate::{Compiler, Outcome, Prepared, ShaderStage, SpirvModule, prepare};
use parallax::{Engine, LaneCase, LaneResult, Registers, run_lanes_in};
use std::collections::BTreeMap;

/// How far floats may be off, absolutely and of what is expected: the library's own number.
const TOLERANCE: f32 = 0.05;

/// Lanes of a quad.
const LANES: usize = 4;

/// Runs a case as a shader of a stage; without one, as the two shaders it has.
pub fn run(case: &ValuesCase, stage: Option<ShaderStage>, compiler: &Compiler, engine: Engine) -> Outcome {
    match attempt(case, stage, compiler, engine) {
        Ok(()) => Outcome::Passed,
        Err(outcome) => outcome,
    }
}

/// A shader, and the places of its structure's members.
struct Program {
    prepared: Prepared,
    places: Places,
}

fn attempt(case: &ValuesCase, stage: Option<ShaderStage>, compiler: &Compiler, engine: Engine) -> Result<(), Outcome> {
    let all = case.inputs.iter().chain(&case.outputs).chain(&case.uniforms);
    let is_part = |declared: &Declared| declared.name.contains(['.', '[']);
    if case.inputs.iter().chain(&case.outputs).any(is_part) {
        return Err(Outcome::NotParsed("values of parts of what the source declares".into()));
    }
    let (parts, uniforms): (Vec<Declared>, Vec<Declared>) = case.uniforms.iter().cloned().partition(is_part);
    let case = &ValuesCase { uniforms, ..case.clone() };
    let sources = match &case.source {
        Source::Both(source) | Source::One(_, source) => vec![source],
        Source::Pair { vertex, fragment } => vec![vertex, fragment],
    };
    if let Source::Pair { vertex, fragment } = &case.source
        && !(vertex.contains("${VERTEX_DECLARATIONS}") && fragment.contains("${FRAGMENT_DECLARATIONS}"))
    {
        return Err(Outcome::NotParsed("a source that declares its own inputs and outputs".into()));
    }
    // Vulkan has no such versions: the sources get a newer one.
    if sources.iter().any(|source| source.contains("__VERSION__") && !source.contains("#version 310 es")) {
        return Err(Outcome::NotParsed("a source that asks for its version".into()));
    }
    let columns = all.map(|declared| declared.values.len()).max().unwrap_or(1);
    let made = |stage, source: &str| -> Result<Program, Outcome> {
        let (source, places) = match parts.is_empty() {
            true => (source.to_string(), Places::new()),
            false => in_block(source).ok_or_else(|| Outcome::NotParsed("a structure with other members".into()))?,
        };
        let bytes = compiler.glsl(stage, &source, None)?;
        let module = SpirvModule { bytes, stage, entry: "main".into(), spec: BTreeMap::new() };
        Ok(Program { prepared: prepare(&module, engine)?, places })
    };
    let programs = match (&case.source, stage) {
        (Source::Pair { vertex, fragment }, _) => {
            let [vertex, fragment] = pair(case, vertex, fragment);
            vec![made(ShaderStage::Vertex, &vertex)?, made(ShaderStage::Fragment, &fragment)?]
        }
        (Source::Both(source) | Source::One(_, source), Some(stage)) => {
            vec![made(stage, &alone(case, stage, source))?]
        }
        (Source::Both(_) | Source::One(..), None) => return Err(Outcome::NotParsed("a case without a stage".into())),
    };
    let is_nowhere = |part: &&Declared| !programs.iter().any(|program| program.places.contains_key(&part.name));
    if let Some(part) = parts.iter().find(is_nowhere) {
        return Err(Outcome::NotParsed(format!("the value of `{}`", part.name)));
    }
    // All lanes see the same uniforms.
    let mut uniforms = case.uniforms.iter().chain(&parts);
    let together = if uniforms.any(|uniform| uniform.values.len() > 1) { 1 } else { LANES };
    for first in (0..columns).step_by(together) {
        let column = |lane: usize| (first + lane.min(together - 1)).min(columns - 1);
        let words = uniform_words(&case.uniforms, first);
        let mut lanes: [Registers; LANES] = std::array::from_fn(|lane| given(&case.inputs, column(lane)));
        let mut results = None;
        for program in &programs {
            if let Some(before) = &results {
                lanes = handed_on(&programs[0].prepared, before, &program.prepared);
            }
            let parts = part_words(&parts, &program.places, first);
            results = Some(quad(&program.prepared, lanes.clone(), [&words, &parts])?);
        }
        let results = results.ok_or_else(|| Outcome::NotParsed("a case without shaders".into()))?;
        for (lane, result) in results.iter().enumerate() {
            compare(&case.outputs, column(lane), result).map_err(Outcome::Failed)?;
        }
    }
    Ok(())
}

/// Inputs of one run by location.
fn given(inputs: &[Declared], column: usize) -> Registers {
    let mut registers = Registers::new();
    for (input, location) in inputs.iter().zip(locations(inputs)) {
        let value = &input.values[column.min(input.values.len() - 1)];
        for (n, words) in value.chunks(input.ty.rows as usize).enumerate() {
            registers.push((format!("in[{}]", location as usize + n), words.to_vec()));
        }
    }
    registers
}

/// The words of the block of a structure in one run.
fn part_words(parts: &[Declared], places: &Places, column: usize) -> Vec<u32> {
    let mut words = Vec::new();
    for part in parts {
        let Some(&start) = places.get(&part.name) else { continue };
        let value = &part.values[column.min(part.values.len() - 1)];
        words.resize(words.len().max(start + value.len()), 0);
        words[start..start + value.len()].copy_from_slice(value);
    }
    words
}

/// Runs a shader; `blocks` are the words at set 0, bindings 0 and 1.
fn quad(
    program: &Prepared,
    mut lanes: [Registers; LANES],
    blocks: [&[u32]; 2],
) -> Result<[LaneResult; LANES], Outcome> {
    let iface = &program.shader.func.iface;
    for registers in &mut lanes {
        registers.retain(|(name, _)| iface.attrs.iter().any(|attr| attr.name == *name));
    }
    let mut case = LaneCase { lanes, ..LaneCase::default() };
    for (name, words) in ["0.0", "0.1"].into_iter().zip(blocks) {
        if iface.banks.iter().any(|bank| bank.name == name) {
            case.words.push((name.into(), words.to_vec()));
        }
    }
    let mut buffers = vec![Vec::new(); iface.buffers.len()];
    let results = run_lanes_in(program, &case, &mut buffers)?;
    match results.iter().position(|result| result.out_of_fuel) {
        Some(lane) => Err(Outcome::Failed(format!("lane {lane} does not end"))),
        None => Ok(results),
    }
}

/// What one shader leaves for the next: what has the same name, since the compiler may have given it another location;
/// else what has the same location.
fn handed_on(from: &Prepared, results: &[LaneResult; LANES], to: &Prepared) -> [Registers; LANES] {
    let (outputs, inputs) = (&from.shader.func.iface, &to.shader.func.iface);
    std::array::from_fn(|lane| {
        let mut registers = Registers::new();
        for attr in inputs.attrs.iter() {
            let named = inputs.aliases.iter().find(|alias| alias.of == attr.name);
            let source = named.and_then(|named| outputs.aliases.iter().find(|alias| alias.name == named.name));
            let same_location = attr.name.replacen("in[", "out[", 1);
            let source = source.map_or(same_location.as_str(), |source| &source.of);
            let Some(found) = results[lane].register(source) else { continue };
            let words = found.iter().map(|value| value.map_or(0, |value| value.bits as u32)).collect();
            registers.push((attr.name.clone(), words));
        }
        registers
    })
}

fn compare(outputs: &[Declared], column: usize, result: &LaneResult) -> Result<(), String> {
    for (output, location) in outputs.iter().zip(locations(outputs)) {
        let expected = &output.values[column.min(output.values.len() - 1)];
        for (n, &wanted) in expected.iter().enumerate() {
            let rows = output.ty.rows as usize;
            let register = format!("out[{}]", location as usize + n / rows);
            let found = result.register(&register).and_then(|comps| comps[n % rows]);
            let name = || format!("{}, scalar {n}, column {column}", output.name);
            let Some(found) = found else { return Err(format!("{} is not written", name())) };
            let bits = found.bits as u32;
            if output.ty.kind == 'v' {
                let (actual, wanted) = (f32::from_bits(bits), f32::from_bits(wanted));
                let is_near = (actual - wanted).abs() <= TOLERANCE * wanted.abs() + TOLERANCE;
                if !is_near && actual != wanted {
                    return Err(format!("{} is {actual}, expected {wanted}", name()));
                }
            } else if bits != wanted {
                return Err(format!("{} is {}, expected {}", name(), bits as i32, wanted as i32));
            }
        }
    }
    Ok(())
}
