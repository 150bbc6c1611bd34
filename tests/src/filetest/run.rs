//! Lines of `run` tests: `; run [MODEL]: NAME=VALUE ... == NAME=VALUE ...`.
//!
//! Left of `==` stand inputs; what is not named is zero. A value is one word for all lanes, or a list in brackets, one
//! word per lane; lists decide how many lanes there are (4 without any).
//!
//! - `in0.x`, `c0[3].x`: attributes and constants, as binary32 patterns;
//! - `vertex_id` and the other system values; `sample_count` decides the positions of samples;
//! - `b0`: words of a buffer, of which it then has as many;
//! - `covered`: 1 for lanes covered at the start (all, if absent); `fuel`: that of each lane.
//!
//! Words are numbers (`1.5`, `-0x1.8p-3`, `inf`, `nan:0x7fc00001`, converted to binary32), or patterns (`0x3f800000`).
//! A texture lookup gives its s, t, r, q operands back, the layer and the reference value of shapes that have them in place of
//! r and q.
//!
//! Right of `==` stand outputs: every component the shader declares, as numbers of its container or as integers, `_` in
//! lanes that end uncovered; `covered`, where lanes were lost; `discarded`, where samples were; `dry`, where lanes ran out of fuel; the words of
//! every buffer. Each line runs five ways that must agree: as it is, canonical, optimised, both, and as the second and third copy
//! in a batch three times as wide; each of them by the reference executor, the interpreter and machine code of each level.

use super::{model, verified};
use parallax_core::exec::{FUEL, Inputs, Memory, Outputs, PositionsOnly, standard_positions};
use parallax_core::{Bound, Shader, Symbolic, SysVal};
use parallax_gen::EchoTextures;
use parallax_interp::{Bytecode, Scratch};
use parallax_num::{Decl, Format, Storage, ulp};
use parallax_opt::{NoObserver, canonicalise, optimise};
use parallax_text::{parse_f64, parse_hex_float, parse_u64, print_hex_float};
use parallax_x86::Level;

/// Inputs of a line.
struct Given {
    lanes: usize,
    attrs: Vec<u32>,
    banks: Vec<Vec<[u32; 4]>>,
    sysvals: Vec<u32>,
    covered: Vec<bool>,
    buffers: Vec<Vec<u32>>,
    fuel: u32,
}

/// Carries out one line and gives it with the outputs that came out. Lines that are no runs stay.
///
/// # Errors
/// What is wrong with the line, or which way of running it disagrees.
pub fn line(shader: &Shader<Symbolic>, default: &str, line: &str) -> Result<String, String> {
    let Some(rest) = line.strip_prefix("; run") else { return Ok(line.to_string()) };
    // A model's label may hold a colon, without a space behind it.
    let (name, rest) = rest.split_once(": ").ok_or_else(|| format!("no colon in `{line}`"))?;
    let name = if name.trim().is_empty() { default } else { name.trim() };
    let inputs = rest.split("==").next().unwrap_or("");
    let given = Given::parse(shader, inputs)?;
    let model = model(name)?;

    let plain = shader.bind(&model);
    let expected = given.run(&plain, 1)?;
    let canonical = canonicalise(shader.clone()).bind(&model);
    let ways = [
        ("optimised", optimise(plain.clone(), &mut NoObserver)),
        ("canonical and optimised", optimise(canonical.clone(), &mut NoObserver)),
        ("canonical", canonical),
    ];
    for (way, other) in &ways {
        if given.run(other, 1)? != expected {
            return Err(format!("{name}: {way}, `{inputs}` gives something else"));
        }
    }
    let (wide, _) = given.run(&plain, 3)?;
    // Copies that write memory see what the one before wrote.
    let alone = !verified(&plain).is_ok_and(|shader| Bytecode::new(shader).writes_memory());
    if alone && (0..3).any(|copy| part(&wide, copy, given.lanes) != expected.0) {
        return Err(format!("{name}: copies of `{inputs}` in one batch differ"));
    }
    let found = given.show(&plain, &expected.0, &expected.1);
    let head = line.split("==").next().unwrap_or("").trim_end();
    Ok(format!("{head} =={found}"))
}

/// One copy of the lanes out of a wide batch.
fn part(wide: &Outputs, copy: usize, lanes: usize) -> Outputs {
    let mut out = wide.clone();
    let range = copy * lanes..(copy + 1) * lanes;
    let places: Vec<usize> = range.clone().collect();
    for plane in out.planes.iter_mut().filter(|plane| !plane.is_empty()) {
        *plane = plane.gather(&places);
    }
    out.covered = out.covered[range.clone()].to_vec();
    out.out_of_fuel = out.out_of_fuel[range.clone()].to_vec();
    out.discarded = out.discarded[range].to_vec();
    out
}

impl Given {
    fn parse(shader: &Shader<Symbolic>, text: &str) -> Result<Given, String> {
        let iface = &shader.func.iface;
        let mut items: Vec<(&str, Vec<&str>)> = Vec::new();
        let mut rest = text.trim();
        while !rest.is_empty() {
            let (name, after) = rest.split_once('=').ok_or_else(|| format!("expected NAME=VALUE, found `{rest}`"))?;
            let (value, after) = match after.strip_prefix('[') {
                Some(list) => list.split_once(']').ok_or("a list without end")?,
                None => after.split_once(' ').unwrap_or((after, "")),
            };
            items.push((name.trim(), value.split(',').map(str::trim).collect()));
            rest = after.trim_start();
        }
        let (buffers, items): (Vec<_>, Vec<_>) = items.into_iter().partition(|item| item.0.starts_with('b'));
        let lanes = items.iter().map(|i| i.1.len()).filter(|&n| n > 1).max().unwrap_or(4);
        if lanes % 4 != 0 {
            return Err(format!("{lanes} lanes are no whole quads"));
        }
        let mut given = Given {
            lanes,
            attrs: vec![0; iface.attrs.len() * 4 * lanes],
            banks: iface.banks.iter().map(|bank| vec![[0; 4]; bank.len as usize]).collect(),
            sysvals: vec![0; SysVal::ALL.len() * lanes],
            covered: vec![true; lanes],
            buffers: vec![Vec::new(); iface.buffers.len()],
            fuel: FUEL,
        };
        iface.set_defaults(&mut given.banks);
        for (name, words) in buffers {
            let number = name.strip_prefix('b').and_then(|n| n.parse::<usize>().ok());
            let buffer = number.and_then(|n| given.buffers.get_mut(n)).ok_or(format!("unknown input `{name}`"))?;
            *buffer = words.iter().map(|w| word(w)).collect::<Result<_, _>>()?;
        }
        for (name, words) in items {
            if words.len() != 1 && words.len() != lanes {
                return Err(format!("{name} has {} words for {lanes} lanes", words.len()));
            }
            let words: Vec<u32> = words.iter().map(|w| word(w)).collect::<Result<_, _>>()?;
            given.set(name, &words)?;
        }
        Ok(given)
    }

    fn set(&mut self, name: &str, words: &[u32]) -> Result<(), String> {
        let lanes = self.lanes;
        let lane = |n: usize| words[if words.len() == 1 { 0 } else { n }];
        let unknown = || format!("unknown input `{name}`");
        let comp = |text: &str| ["x", "y", "z", "w"].iter().position(|&c| c == text).ok_or_else(unknown);
        if name == "fuel" {
            self.fuel = lane(0);
        } else if name == "covered" {
            self.covered = (0..lanes).map(|n| lane(n) != 0).collect();
        } else if let Some(value) = SysVal::ALL.into_iter().find(|v| v.name() == name) {
            for n in 0..lanes {
                self.sysvals[value as usize * lanes + n] = lane(n);
            }
        } else if let Some(attr) = name.strip_prefix("in") {
            let (index, c) = attr.split_once('.').ok_or_else(unknown)?;
            let plane = index.parse::<usize>().map_err(|_| unknown())? * 4 + comp(c)?;
            for n in 0..lanes {
                *self.attrs.get_mut(plane * lanes + n).ok_or_else(unknown)? = lane(n);
            }
        } else if let Some(bank) = name.strip_prefix('c') {
            let (bank, rest) = bank.split_once('[').ok_or_else(unknown)?;
            let (index, c) = rest.split_once("].").ok_or_else(unknown)?;
            let bank = bank.parse::<usize>().ok().and_then(|n| self.banks.get_mut(n)).ok_or_else(unknown)?;
            let vector = index.parse::<usize>().ok().and_then(|n| bank.get_mut(n)).ok_or_else(unknown)?;
            vector[comp(c)?] = lane(0);
        } else {
            return Err(unknown());
        }
        Ok(())
    }

    /// Runs `copies` copies of the lanes in one batch; gives the buffers as they are then, too.
    fn run(&self, shader: &Shader<Bound>, copies: usize) -> Result<(Outputs, Vec<Vec<u32>>), String> {
        let spread =
            |planes: &[u32]| -> Vec<u32> { planes.chunks(self.lanes).flat_map(|plane| plane.repeat(copies)).collect() };
        let (attrs, sysvals, covered) = (spread(&self.attrs), spread(&self.sysvals), self.covered.repeat(copies));
        let banks: Vec<&[[u32; 4]]> = self.banks.iter().map(Vec::as_slice).collect();
        let samples = self.sysvals.get(SysVal::SampleCount as usize * self.lanes).copied().unwrap_or(1);
        let inputs = Inputs {
            lanes: self.lanes * copies,
            attrs: &attrs,
            banks: &banks,
            sysvals: &sysvals,
            covered: &covered,
            textures: &EchoTextures,
            interpolator: &PositionsOnly(standard_positions(samples).unwrap_or_default()),
            fuel: self.fuel,
        };
        let mut outputs = Outputs::default();
        let mut buffers = self.buffers.clone();
        let memory = Memory::Exclusive(&mut buffers);
        parallax_reference::run(verified(shader)?, &inputs, memory, &mut outputs);
        let (mut found, mut after) = (Outputs::default(), self.buffers.clone());
        let memory = Memory::Exclusive(&mut after);
        Bytecode::new(verified(shader)?).run_in(&inputs, memory, &mut Scratch::default(), &mut found);
        if found != outputs || after != buffers {
            return Err(format!("the interpreter gives {found:?} {after:x?}, not {outputs:?} {buffers:x?}"));
        }
        // Machine code gives the same.
        let mut programs = parallax_step::Programs::default();
        for level in Level::ALL.into_iter().filter(|level| level.is_supported()) {
            let program = parallax_x86::compile(verified(shader)?, level, &mut programs)
                .map_err(|reason| format!("no machine code for {level}: {reason}"))?;
            let (mut found, mut after) = (Outputs::default(), self.buffers.clone());
            program.run(&inputs, Memory::Exclusive(&mut after), &mut found);
            if found != outputs || after != buffers {
                return Err(format!(
                    "machine code for {level} gives {found:?} {after:x?}, not {outputs:?} {buffers:x?}"
                ));
            }
        }
        Ok((outputs, buffers))
    }

    /// The right side of a line.
    fn show(&self, shader: &Shader<Bound>, outputs: &Outputs, buffers: &[Vec<u32>]) -> String {
        let mut out = String::new();
        let mut add = |name: &str, words: Vec<String>| {
            let equal = words.windows(2).all(|w| w[0] == w[1]);
            let text = match words.first() {
                Some(first) if equal => first.clone(),
                _ => format!("[{}]", words.join(", ")),
            };
            out.push_str(&format!(" {name}={text}"));
        };
        for (index, decl) in shader.func.iface.outputs.iter().enumerate() {
            for (comp, ty) in decl.types.iter().enumerate() {
                let Some(ty) = ty else { continue };
                let storage = ty.decl().map(|decl: Decl| shader.state.storage(decl));
                let bits = outputs.planes[index * 4 + comp].to_words();
                let words = bits.iter().zip(&outputs.covered).map(|(&bits, &covered)| match storage {
                    _ if !covered => "_".to_string(),
                    Some(storage) => float_text(bits, storage),
                    None if bits < 0x1_0000 => bits.to_string(),
                    None => format!("{bits:#x}"),
                });
                add(&format!("o{index}.{}", ["x", "y", "z", "w"][comp]), words.collect());
            }
        }
        let flags = |flags: &[bool]| flags.iter().map(|&f| u8::from(f).to_string()).collect();
        if outputs.covered != self.covered {
            add("covered", flags(&outputs.covered));
        }
        if outputs.discarded.iter().any(|&mask| mask != 0) {
            add("discarded", outputs.discarded.iter().map(u32::to_string).collect());
        }
        if outputs.out_of_fuel.contains(&true) {
            add("dry", flags(&outputs.out_of_fuel));
        }
        for (n, words) in buffers.iter().enumerate() {
            let words: Vec<String> = words.iter().map(|word| format!("{word:#x}")).collect();
            out.push_str(&format!(" b{n}=[{}]", words.join(", ")));
        }
        out
    }
}

/// A lane word as a number, NaN with its bits.
pub(super) fn float_text(bits: u64, storage: Storage) -> String {
    let value = ulp::to_f64(bits, storage);
    match storage.format() {
        Format::Float(_) if value.is_nan() => format!("nan:{bits:#x}"),
        _ => print_hex_float(value),
    }
}

/// A binary32 pattern.
pub(super) fn word(text: &str) -> Result<u32, String> {
    let bad = || format!("`{text}` is not a binary32 number or pattern");
    if let Some(bits) = text.strip_prefix("nan:") {
        return parse_u64(bits).and_then(|b| u32::try_from(b).ok()).ok_or_else(bad);
    }
    let (sign, size) = match text.strip_prefix('-') {
        Some(size) => (1u32 << 31, size),
        None => (0, text),
    };
    if size == "inf" {
        return Ok(sign | 0x7f80_0000);
    }
    let hex = size.starts_with("0x");
    if hex && !size.contains(['p', '.']) && sign == 0 {
        return parse_u64(size).and_then(|b| u32::try_from(b).ok()).ok_or_else(bad);
    }
    let value = if hex { parse_hex_float(size) } else { parse_f64(size) }.ok_or_else(bad)?;
    // Numbers of a test are binary32 numbers, or decimal ones whose nearest is meant.
    let rounded = value as f32;
    if hex && f64::from(rounded) != value { Err(bad()) } else { Ok(sign | rounded.to_bits()) }
}
