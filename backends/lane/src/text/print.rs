//! Prints lane form.

use crate::form::{Class, Exchange, Function, Group, Op, Part, Reg, SiteKind, Source, Stream};
use crate::scan::{Allocation, Place};
use parallax_step::text::part;
use parallax_step::{Direction, Immediate, Mode, Ty};
use std::fmt::Write;

fn part(part: Part) -> &'static str {
    match part {
        Part::Whole => "",
        Part::Low => ".low",
        Part::High => ".high",
    }
}

fn source(source: Source) -> String {
    match source {
        Source::Bits32(bits) => format!("{bits:#010x}"),
        Source::Bits64(bits) => format!("{bits:#018x}"),
        Source::Uniform(n) => format!("uniform{n}"),
        Source::KeptVector(n) => format!("kept{n}"),
        Source::KeptMask(n) => format!("keptmask{n}"),
        Source::QuadLane => "quadlane".to_string(),
        Source::PixelY => "pixel.y".to_string(),
    }
}

fn name(function: &Function, reg: Reg) -> String {
    let data = &function.regs[reg as usize];
    match (data.source, data.class) {
        (Some(known), _) => source(known),
        (None, Class::Vector) => format!("v{reg}"),
        (None, Class::Mask) => format!("m{reg}"),
    }
}

/// Spelling of a state of the processor.
fn mode_name(mode: Mode) -> String {
    let direction = if mode.direction == Direction::Nearest { "nearest" } else { mode.direction.suffix() };
    format!("{direction}{}", if mode.flush { ".ftz" } else { "" })
}

/// Spelling of an operation.
pub fn mnemonic(function: &Function, op: Op) -> String {
    match op {
        Op::Step(prim, ty, imm, half) => {
            let suffixes = match prim.row().immediate {
                Immediate::Mode | Immediate::Direction => Mode::from_word(imm).unwrap_or(Mode::PLAIN).suffixes(),
                Immediate::Table => format!(".table{imm}"),
                Immediate::Bits => format!(".{imm}"),
                Immediate::None | Immediate::Nan => String::new(),
            };
            format!("{}.{ty}{suffixes}{}", prim.name(), part(half))
        }
        Op::Move => "move".into(),
        Op::Merge(half) => format!("merge{}", part(half)),
        Op::Without => "without".into(),
        Op::QuadXor(mask, half) => format!("quad.xor.{mask}{}", part(half)),
        Op::QuadShuffle(half) => format!("quad.shuffle{}", part(half)),
        Op::Vote { all } => if all { "vote.all" } else { "vote.any" }.into(),
        Op::HelperLanes => "helper.lanes".into(),
        Op::PixelX => "pixel.x".into(),
        Op::Attr(plane) => format!("attr {}.{}", plane / 4, plane % 4),
        Op::System(value) => format!("system {value:?}"),
        Op::Out { plane, bits, .. } => format!("out {}.{} bits {bits}", plane / 4, plane % 4),
        Op::Fuel(cost) => format!("fuel {cost}"),
        Op::Discard => "discard".into(),
        Op::Turn => "turn".into(),
        Op::Barrier(number) => format!("barrier {number}"),
        Op::Exchange(Exchange::Shuffle(ty), number) => format!("exchange.shuffle.{ty} {number}"),
        Op::Exchange(Exchange::Ballot(word), number) => format!("exchange.ballot.{word} {number}"),
        Op::Exchange(Exchange::Any, number) => format!("exchange.any {number}"),
        Op::Exchange(Exchange::Nothing, number) => format!("exchange.nothing {number}"),
        Op::Keep(known) => format!("keep {}", source(known)),
        Op::Label(label) => format!("L{label}:"),
        Op::Jump(label) => format!("jump L{label}"),
        Op::JumpUnlessAny(label) => format!("jump.unless.any L{label}"),
        Op::JumpIfAny(label) => format!("jump.if.any L{label}"),
        Op::Spend(label, count) => format!("spend {count} L{label}"),
        Op::FuelUniform(label, cost) => format!("fuel.uniform {cost} L{label}"),
        Op::Mode(mode) => format!("mode {}", mode_name(mode)),
        Op::Call(site) => match function.sites[site as usize].kind {
            SiteKind::Redo(call) => format!("redo {}", function.calls[call as usize].op),
            SiteKind::Call(call) => format!("call {}", function.calls[call as usize].op),
            SiteKind::Ir(kind) => format!("call {kind}"),
        },
    }
}

/// Spelling of an operation with everything that it is: what [`mnemonic`] leaves out for listings too.
fn spelled(function: &Function, op: Op) -> String {
    let types = |types: &[Ty]| types.iter().map(Ty::to_string).collect::<Vec<_>>().join(" ");
    match op {
        Op::System(value) => format!("system {}", value.name()),
        Op::Out { plane, bits, ty, masked } => {
            let masked = if masked { " masked" } else { "" };
            format!("out {}.{} bits {bits} {ty}{masked}", plane / 4, plane % 4)
        }
        Op::Call(site) => {
            let site = &function.sites[site as usize];
            let head = match site.kind {
                SiteKind::Redo(call) => format!("redo {}", part::print_call(&function.calls[call as usize])),
                SiteKind::Call(call) => format!("call {}", part::print_call(&function.calls[call as usize])),
                SiteKind::Ir(kind) => format!("op {}", part::print_kind(kind)),
            };
            let stride = site.stride.map_or(String::new(), |stride| {
                let offset = if stride.offset == 0 { String::new() } else { format!(" offset {}", stride.offset) };
                let is = |word: &'static str, is: bool| if is { word } else { "" };
                let (exact, aligned) = (is(" exact", stride.is_exact), is(" aligned", stride.is_aligned));
                let (inside, all) = (is(" inside", stride.is_inside), is(" all", stride.is_by_all));
                format!(" stride {}{exact}{offset}{aligned}{inside}{all}", stride.bytes)
            });
            format!("{head} ({} -> {}){stride}", types(&site.args), types(&site.results))
        }
        op => mnemonic(function, op),
    }
}

fn place(at: Place, in_vectors: bool) -> Option<String> {
    match at {
        Place::Vector(n) => Some(format!("{}{n}", if in_vectors { "ymm" } else { "zmm" })),
        Place::Mask(n) => Some(format!("k{n}")),
        Place::VectorSlot(n) => Some(format!("slot{n}")),
        Place::MaskSlot(n) => Some(format!("maskslot{n}")),
        Place::Source | Place::Nowhere => None,
    }
}

fn stream(function: &Function, code: &Stream, allocation: Option<&Allocation>, out: &mut String) {
    let spell = |reg: Reg| {
        let at = allocation.and_then(|a| place(a.place(reg), a.masks_in_vectors));
        let name = name(function, reg);
        at.map_or(name.clone(), |at| format!("{name}:{at}"))
    };
    for inst in &code.code {
        let list = |regs: &[Reg]| regs.iter().map(|&reg| spell(reg)).collect::<Vec<_>>().join(", ");
        let (uses, defs) = (list(code.uses(inst)), list(code.defs(inst)));
        let word = spelled(function, inst.op);
        let indent = if matches!(inst.op, Op::Label(_)) { "" } else { "  " };
        let equals = if defs.is_empty() { "" } else { " = " };
        let space = if uses.is_empty() { "" } else { " " };
        let _ = writeln!(out, "{indent}{defs}{equals}{word}{space}{uses}");
    }
}

/// The text of a function; with places, behind a colon, where they are given for prologue and body.
pub fn print(function: &Function, allocations: Option<[&Allocation; 2]>) -> String {
    let mut out = format!("lanes {} model({})", part::quote(&function.name), part::quote(&function.model));
    if function.mode != Mode::PLAIN {
        let _ = write!(out, " mode({})", mode_name(function.mode));
    }
    out.push('\n');
    if function.attributes > 0 {
        let _ = writeln!(out, "attributes {}", function.attributes);
    }
    if !function.outputs.is_empty() {
        let bits = function.outputs.iter().map(|bits| bits.map_or("-".to_string(), |bits| bits.to_string()));
        let _ = writeln!(out, "outputs {}", bits.collect::<Vec<_>>().join(" "));
    }
    if function.kept != (0, 0) {
        let _ = writeln!(out, "kept {} {}", function.kept.0, function.kept.1);
    }
    if let Some(turns) = function.turns {
        let _ = writeln!(out, "turns {}", turns.name());
    }
    if let Some(Group { size: [x, y, z], interleaved }) = function.group {
        let _ = writeln!(out, "group {x} {y} {z} interleaved {interleaved}");
    }
    if function.subgroup != 4 {
        let _ = writeln!(out, "subgroup {}", function.subgroup);
    }
    for (n, slot) in function.slots.iter().enumerate() {
        let _ = writeln!(out, "slot p{n} = {slot}");
    }
    for (ty, len) in &function.arrays {
        let _ = writeln!(out, "array {ty} {len}");
    }
    for (n, &(bank, index, comp)) in function.uniforms.iter().enumerate() {
        let _ = writeln!(out, "uniform{n}: bank {bank}[{index}].{comp}");
    }
    if !function.prologue.code.is_empty() {
        out.push_str("prologue {\n");
        stream(function, &function.prologue, allocations.map(|a| a[0]), &mut out);
        out.push_str("}\n");
    }
    out.push_str("body {\n");
    stream(function, &function.body, allocations.map(|a| a[1]), &mut out);
    out.push_str("}\n");
    out
}
