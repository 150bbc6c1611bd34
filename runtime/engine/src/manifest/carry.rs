//! The manifest of a translation: that of the source, with the names that inputs have in the translation.

use super::apply::position;
use super::{Manifest, Which};
use crate::Draw;
use parallax_core::{Carried, Interface};
use std::fmt::Write;

impl Manifest {
    /// The text of a manifest that draws `to` as this one draws `from`. `draw` is what draws `to` ([`Draw::carried`]).
    ///
    /// Constants are written by number, textures by unit, buffers under the names that they have there; frontend options are those of the source and left out.
    pub fn carried(&self, from: &Interface, to: &Interface, draw: &Draw, carried: &Carried) -> String {
        let mut out = String::new();
        let mut section = String::new();
        for line in self.text.lines() {
            let words = line.trim();
            if words.starts_with('[') && !words.starts_with("[[[") && words.contains(']') && !section_goes_on(words) {
                section = words.trim_matches(['[', ']']).to_string();
                if let Some(unit) = section.strip_prefix("binding.").and_then(|name| unit(from, name)) {
                    section = "textures".to_string();
                    match carried.unit(unit) {
                        Some(unit) => {
                            let _ = writeln!(out, "[[textures]]\nunit = {unit}");
                        }
                        // Nobody reads it.
                        None => section = "expect".to_string(),
                    }
                    continue;
                }
                if let Some(name) = section.strip_prefix("binding.") {
                    match buffer(from, name).and_then(|n| to.buffers.get(carried.buffer(n))) {
                        Some(there) => {
                            section = "memory".to_string();
                            let _ = writeln!(out, "[binding.\"{}\"]", there.name);
                        }
                        // The source does not have it.
                        None => section = "expect".to_string(),
                    }
                    continue;
                }
            }
            let is_dropped =
                section.starts_with("constants") || section.starts_with("options") || section.starts_with("expect");
            if is_dropped {
                continue;
            }
            if section == "attributes"
                && let Some(which) = which(words)
            {
                let name =
                    position(from, &which).and_then(|at| carried.attributes.iter().find(|(_, source)| *source == at));
                match name {
                    Some((name, _)) => {
                        let _ = writeln!(out, "semantic = \"{name}\"");
                    }
                    // Nobody reads it: the table is taken back.
                    None => {
                        if let Some(at) = out.rfind("[[attributes]]") {
                            out.truncate(at);
                        }
                        section = "expect".to_string();
                    }
                }
                continue;
            }
            if section == "textures"
                && let Some(unit) = number_of_unit(words)
            {
                match carried.unit(unit) {
                    Some(unit) => {
                        let _ = writeln!(out, "unit = {unit}");
                    }
                    // The table is taken back.
                    None => {
                        if let Some(at) = out.rfind("[[textures]]") {
                            out.truncate(at);
                        }
                        section = "expect".to_string();
                    }
                }
                continue;
            }
            let _ = writeln!(out, "{line}");
        }
        constants(&mut out, to, draw);
        out
    }
}

/// Whether a line that begins with a bracket is part of a list and no table.
fn section_goes_on(words: &str) -> bool {
    words.starts_with("[[")
        && !words.starts_with("[[attributes")
        && !words.starts_with("[[textures")
        && !words.starts_with("[[vertex")
        || words.contains(',')
        || words.chars().nth(1).is_some_and(|c| c.is_ascii_digit() || c == '-')
}

/// What the line of an attribute names.
fn which(line: &str) -> Option<Which> {
    let (key, value) = line.split_once('=')?;
    let value = value.split('#').next()?.trim();
    match key.trim() {
        "index" => Some(Which::Index(value.parse().ok()?)),
        "semantic" => Some(Which::Name(value.trim_matches('"').to_string())),
        _ => None,
    }
}

/// The unit that the line of a texture names.
fn number_of_unit(line: &str) -> Option<u16> {
    let (key, value) = line.split_once('=')?;
    (key.trim() == "unit").then(|| value.split('#').next()?.trim().parse().ok())?
}

/// The texture unit that a binding is.
fn unit(iface: &Interface, name: &str) -> Option<u16> {
    let name = iface.resolve(name.trim_matches('"'));
    iface.units.iter().find(|unit| unit.name == name).map(|unit| unit.unit)
}

/// The buffer that a binding is.
fn buffer(iface: &Interface, name: &str) -> Option<usize> {
    let name = iface.resolve(name.trim_matches('"'));
    iface.buffers.iter().position(|buffer| buffer.name == name)
}

/// All constants that are others than without a manifest, word by word.
fn constants(out: &mut String, iface: &Interface, draw: &Draw) {
    let defaults = Draw::defaults(iface).map(|draw| draw.banks).unwrap_or_default();
    for (number, bank) in draw.banks.iter().enumerate() {
        let without = defaults.get(number).map_or(&[][..], |bank| bank);
        let mut lines = String::new();
        for (index, words) in bank.iter().enumerate().filter(|&(index, words)| without.get(index) != Some(words)) {
            let words: Vec<String> = words.iter().map(|&word| number_or_bits(word)).collect();
            let _ = writeln!(lines, "{index} = [{}]", words.join(", "));
        }
        if !lines.is_empty() {
            let _ = match number {
                0 => writeln!(out, "\n[constants]\n{lines}"),
                n => writeln!(out, "\n[constants.bank{n}]\n{lines}"),
            };
        }
    }
}

/// A number as it is usually written, where that is the same word.
fn number_or_bits(word: u32) -> String {
    let value = f32::from_bits(word);
    let is_usual = word == 0 || value.is_finite() && (1e-4..1e6).contains(&value.abs());
    if is_usual { format!("{value:?}") } else { format!("\"0x{word:08x}\"") }
}
