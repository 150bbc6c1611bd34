//! Where inputs stand, and the header that says how they are interpolated and what is written.

use super::text::{put_hex, put_register};
use super::{CENTROID_POSITION, POSITION};
use crate::interface::Places;
use crate::scalar::registers::Place;
use parallax_core::{AttrDecl, AttrSemantic, Interface, Interp, Location, OutputRole};
use parallax_isa::Cursor;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Generic inputs, texture coordinates, colours.
const GENERICS: u16 = 32;
const COORDINATES: u16 = 10;
const COLORS: u16 = 2;

/// The inputs of a program.
#[derive(Debug, Default)]
pub(super) struct Inputs {
    /// Address and what stands behind the name of the instruction, by number.
    known: FxHashMap<u16, (u16, &'static str, &'static str)>,
}

/// The address of an attribute, if it has one.
pub(super) fn address(semantic: AttrSemantic) -> Option<u16> {
    Some(match semantic {
        AttrSemantic::Position => 0x70,
        AttrSemantic::Generic(n) if n < GENERICS => 0x80 + 16 * n,
        AttrSemantic::Color(n) if n < COLORS => 0x280 + 16 * n,
        AttrSemantic::TexCoord(n) if n < COORDINATES => 0x300 + 16 * n,
        AttrSemantic::PointCoord => 0x2e0,
        AttrSemantic::Face => 0x3f0,
        _ => return None,
    })
}

/// The declaration of an attribute, or of the position that interpolation needs.
pub(super) fn declaration(iface: &Interface, index: u16) -> AttrDecl {
    let decl = Places::declaration(iface, index);
    let location = match index {
        POSITION => Location::Center,
        CENTROID_POSITION => Location::Centroid,
        _ => return decl,
    };
    AttrDecl { semantic: AttrSemantic::Position, interp: Interp::Linear, location, ..decl }
}

/// Where banks of constants go, the first of them to bank `first`.
pub(super) fn place_banks(iface: &Interface, places: &mut Places, first: u16) {
    const BANKS: u16 = 18;
    const VECTORS: u32 = 2048;
    for bank in 0..iface.banks.len() as u16 {
        let used = places.banks.get(usize::from(bank)).copied().flatten();
        places.carried.banks.push(Some((first + bank, 0)));
        if first + bank >= BANKS && used.is_some() {
            places.refuse(format!("bank {bank} of constants: SPA 5.0 has {}", BANKS - first));
        }
        if used.is_some_and(|last| last != u32::MAX && last >= VECTORS) {
            places.refuse(format!("constants behind vector {VECTORS}: instructions of SPA 5.0 do not reach them"));
        }
    }
}

/// Where the inputs and outputs of a shader go, or why they cannot.
pub(super) fn place(iface: &Interface, places: &mut Places) {
    place_banks(iface, places, 0);
    let mut known: BTreeMap<u16, AttrDecl> = BTreeMap::new();
    for index in places.read.clone() {
        if matches!(index, POSITION | CENTROID_POSITION) {
            continue;
        }
        let decl = declaration(iface, index);
        let Some(address) = address(decl.semantic) else {
            places.refuse(format!("the attribute `{}`: SPA 5.0 has no place for it", decl.name));
            continue;
        };
        let is_fixed = matches!(decl.semantic, AttrSemantic::Position | AttrSemantic::Face | AttrSemantic::PointCoord);
        match known.get(&address) {
            Some(other) if !is_fixed && other.interp != decl.interp => {
                places.refuse("an attribute that is interpolated in two ways: the header of SPA 5.0 says one");
            }
            // A caller that gives them names of their own may give them values of their own.
            Some(other) if other.name != decl.name => {
                places.refuse("an attribute that is read at two places of the pixel: not written for SPA 5.0 yet");
            }
            _ => {}
        }
        known.entry(address).or_insert(decl.clone());
        let name =
            if decl.semantic == AttrSemantic::Face { "a[0x3fc]".to_string() } else { format!("a[{address:#x}]") };
        places.put_attribute(index, name.clone(), name);
    }
    for output in &iface.outputs {
        match output.role {
            OutputRole::Color(n) if n < 8 => {}
            OutputRole::Depth | OutputRole::SampleMask => {}
            other => places.refuse(format!("output {other:?}: SPA 5.0 has none")),
        }
        places.outputs.push(None);
    }
}

impl Inputs {
    /// The inputs that are read.
    pub(super) fn new(iface: &Interface, read: &[(u16, u8)]) -> Inputs {
        let mut known = FxHashMap::default();
        for &(index, _) in read {
            if known.contains_key(&index) {
                continue;
            }
            let decl = declaration(iface, index);
            let mode = match (decl.semantic, decl.interp) {
                (AttrSemantic::Position | AttrSemantic::Face | AttrSemantic::PointCoord, _) => ".PASS",
                (_, Interp::Perspective) => "",
                (_, Interp::OverW | Interp::Linear) => ".PASS",
                (_, Interp::Flat) => ".CONSTANT",
                (_, Interp::Color) => ".SC",
            };
            let at = if decl.location == Location::Centroid { ".CENTROID" } else { "" };
            known.insert(index, (address(decl.semantic).unwrap_or(0x80), mode, at));
        }
        Inputs { known }
    }

    /// The instruction that reads a component, in which `w` is what it is multiplied by, and `offset` the register of a packed offset.
    pub(super) fn put(
        &self,
        line: &mut Cursor<'_>,
        (index, comp): (u16, u8),
        to: Place,
        w: Option<Place>,
        offset: Option<Place>,
    ) {
        let (address, mode, at) = self.known.get(&index).copied().unwrap_or((0x80, ".PASS", ""));
        // The face is a word alone.
        let address = if address == 0x3f0 { 0x3fc } else { address + 4 * u16::from(comp) };
        line.text("IPA");
        line.text(if w.is_some() { "" } else { mode });
        line.text(if offset.is_some() { ".OFFSET" } else { at });
        line.char(b' ');
        put_register(line, to);
        line.text(", a[");
        put_hex(line, address.into());
        line.text("], ");
        match w {
            Some(w) => put_register(line, w),
            None => line.text("RZ"),
        }
        if let Some(offset) = offset {
            line.text(", ");
            put_register(line, offset);
        }
    }
}

/// What a program writes.
#[derive(Debug, Default)]
pub(super) struct Outputs {
    /// Components of render targets, by number.
    pub(super) targets: BTreeMap<u16, u8>,
    pub(super) sample_mask: bool,
    pub(super) depth: bool,
}

/// The header: how inputs are interpolated, component by component, what is written, and the bytes of local memory.
pub(super) fn header(iface: &Interface, read: &[(u16, u8)], outputs: &Outputs, kills: bool, local: u32) -> String {
    let mut text = String::from(".header type 2\n.header version 3\n.header stage pixel\n.header sass_version 1\n");
    if outputs.targets.keys().any(|&target| target > 0) {
        text.push_str(".header mrt yes\n");
    }
    if kills {
        text.push_str(".header kills yes\n");
    }
    if local > 0 {
        let _ = writeln!(text, ".header local_low {local}");
    }
    let mut position = 0u8;
    let mut point = 0u8;
    let mut vectors: BTreeMap<u16, [&str; 4]> = BTreeMap::new();
    for &(index, comp) in read {
        let decl = declaration(iface, index);
        let comp = usize::from(comp & 3);
        match decl.semantic {
            AttrSemantic::Position => position |= 1 << comp,
            AttrSemantic::PointCoord => point |= 1 << comp,
            AttrSemantic::Face => {}
            semantic => {
                let word = match decl.interp {
                    Interp::Linear => "linear",
                    Interp::Flat => "constant",
                    _ => "perspective",
                };
                vectors.entry(address(semantic).unwrap_or(0x80)).or_insert(["unused"; 4])[comp] = word;
            }
        }
    }
    let letters = |mask: u8, names: &str| -> String {
        (0..4).zip(names.chars()).filter(|(n, _)| mask >> n & 1 != 0).map(|(_, letter)| letter).collect()
    };
    if position != 0 {
        let _ = writeln!(text, ".header position {}", letters(position, "xyzw"));
    }
    for (address, words) in &vectors {
        let name = match address {
            0x280.. if *address < 0x300 => ["diffuse", "specular"][usize::from((address - 0x280) / 16) & 1].to_string(),
            0x300.. => format!("texture_coordinate{}", (address - 0x300) / 16),
            _ => format!("generic{}", (address - 0x80) / 16),
        };
        let _ = writeln!(text, ".header {name} {}", words.join(" "));
    }
    if point != 0 {
        let _ = writeln!(text, ".header point_coordinate {}", letters(point, "st"));
    }
    for (target, &mask) in &outputs.targets {
        let _ = writeln!(text, ".header target{target} {}", letters(mask, "rgba"));
    }
    if outputs.sample_mask {
        text.push_str(".header sample_mask yes\n");
    }
    if outputs.depth {
        text.push_str(".header depth yes\n");
    }
    text.push('\n');
    text
}
