//! `parallax info`: what a file is.

use super::container;
use super::models::{lines, pretty};
use crate::args::{Format, InfoArgs};
use crate::exit::{Exit, Failure};
use crate::input::{Input, Opened};
use crate::load::{Program, diag_json, op_counts, reading};
use crate::term::{Paint, Term, print};
use parallax::{Manifest, Status};
use parallax_core::{
    AttrDecl, AttrSemantic, BufferDecl, ConstDecl, Func, Interface, OpKind, OutputDecl, OutputRole, Stage, TexTarget,
};
use parallax_lift::FAULT;
use parallax_text::{LineMap, clean};
use serde_json::{Value, json};

const NO_TABLE: &str = "info cannot print CSV: use --format human, json or jsonl";

pub(crate) fn run(args: &InfoArgs, term: &Term) -> Result<Exit, Failure> {
    let reading = reading(&args.source)?;
    let mut exit = Exit::Done;
    let mut values = Vec::new();
    for path in &args.files {
        let opened = Opened::read(path);
        let (inputs, _) = opened.inputs();
        // A container is told by its tree; so is its program, where there is one only.
        let tree = opened.file.as_ref().ok().filter(|file| opened.member.is_none() && container::is_one(file));
        if let Some(file) = tree {
            exit = exit.worse(Exit::from(container::status(file)));
            match args.format {
                Format::Human => print(&container::human(file, term))?,
                Format::Json => values.push(container::value(file)),
                Format::Jsonl => print(&lines(std::iter::once(container::value(file))))?,
                Format::Csv => return Err(Failure::invalid(NO_TABLE)),
            }
        }
        let several = tree.is_some() && (inputs.len() > 1 || container::is_refused(&inputs));
        for input in inputs.iter().filter(|_| !several) {
            let program = Program::load(input, &reading);
            exit = exit.worse(Exit::from(program.status()));
            match args.format {
                Format::Human => {
                    print(&human(input, &program, term))?;
                    program.show(term);
                }
                Format::Json => values.push(value(input, &program)),
                Format::Jsonl => print(&lines(std::iter::once(value(input, &program))))?,
                Format::Csv => return Err(Failure::invalid(NO_TABLE)),
            }
        }
    }
    if args.format == Format::Json {
        print(&pretty(&Value::Array(values)))?;
    }
    Ok(exit)
}

fn semantic(semantic: AttrSemantic) -> String {
    match semantic {
        AttrSemantic::Position => "position".into(),
        AttrSemantic::Color(n) => format!("colour {n}"),
        AttrSemantic::Fog => "fog".into(),
        AttrSemantic::TexCoord(n) => format!("texture coordinate {n}"),
        AttrSemantic::Generic(n) => format!("generic {n}"),
        AttrSemantic::Face => "face".into(),
        AttrSemantic::PointCoord => "point coordinate".into(),
        AttrSemantic::Preset => "preset".into(),
    }
}

fn role(role: OutputRole) -> String {
    match role {
        OutputRole::Color(n) => format!("colour {n}"),
        OutputRole::Depth => "depth".into(),
        OutputRole::SampleDepth(n) => format!("depth of sample {n}"),
        OutputRole::SampleMask => "sample mask".into(),
        OutputRole::Stencil => "stencil".into(),
        OutputRole::Position => "position".into(),
        OutputRole::FrontColor(n) => format!("colour {n} of front faces"),
        OutputRole::Fog => "fog".into(),
        OutputRole::TexCoord(n) => format!("texture coordinate {n}"),
        OutputRole::Generic(n) => format!("generic {n}"),
        OutputRole::PointSize => "point size".into(),
        OutputRole::ClipDistance(n) => format!("clip distances from {n} on"),
        OutputRole::FixedFunction(_) => "fixed function".into(),
        OutputRole::Watch => "watched".into(),
    }
}

fn target(target: TexTarget) -> &'static str {
    match target {
        TexTarget::D1 => "1D",
        TexTarget::D2 => "2D",
        TexTarget::D3 => "3D",
        TexTarget::Cube => "cube",
        TexTarget::Rect => "rectangle",
        TexTarget::D1Array => "1D array",
        TexTarget::D2Array => "2D array",
        TexTarget::CubeArray => "cube array",
        TexTarget::D2Samples => "2D multisampled",
        TexTarget::D2SamplesArray => "2D array multisampled",
        TexTarget::Shadow1D => "1D shadow",
        TexTarget::Shadow2D => "2D shadow",
        TexTarget::ShadowRect => "rectangle shadow",
        TexTarget::Shadow1DArray => "1D array shadow",
        TexTarget::Shadow2DArray => "2D array shadow",
        TexTarget::ShadowCube => "cube shadow",
        TexTarget::ShadowCubeArray => "cube array shadow",
    }
}

/// Attributes the program reads; some frontends declare all there are.
fn inputs(func: &Func) -> impl Iterator<Item = &AttrDecl> {
    let mut read = vec![false; func.iface.attrs.len()];
    func.walk(|_, op| match func.ops[op].kind {
        OpKind::Attr { index, .. }
        | OpKind::AttrSample { index, .. }
        | OpKind::AttrOffset { index, .. }
        | OpKind::AttrCentroid { index, .. } => {
            if let Some(read) = read.get_mut(usize::from(index)) {
                *read = true;
            }
        }
        OpKind::AttrAt { .. } => read.fill(true),
        _ => {}
    });
    func.iface.attrs.iter().zip(read).filter(|(_, read)| *read).map(|(attr, _)| attr)
}

/// The name of a resource, with those that the program has for it.
fn names(iface: &Interface, name: &str) -> String {
    let others = iface.aliases.iter().filter(|alias| alias.of == name).map(|alias| alias.name.as_str());
    let others: Vec<&str> = others.collect();
    if others.is_empty() { name.to_string() } else { format!("{name} ({})", others.join(", ")) }
}

/// What a program writes; what a kernel reports its faults in is nobody's but the engine's.
fn outputs(iface: &Interface) -> impl Iterator<Item = &OutputDecl> {
    let is_report = |output: &OutputDecl| output.role == OutputRole::Watch && output.name == FAULT;
    iface.outputs.iter().filter(move |output| !is_report(output))
}

/// What a buffer holds.
fn contents(buffer: &BufferDecl) -> String {
    match (&buffer.image, buffer.workgroup) {
        (Some(image), _) if image.any_format => "an image of any format".into(),
        (Some(image), _) => format!("an image, {}", image.format.name()),
        (None, Some(words)) => format!("{words} words of a workgroup"),
        (None, None) if buffer.floats => "numbers of 32 bits".into(),
        (None, None) => "words".into(),
    }
}

/// `8x8x1`.
fn sides([x, y, z]: [u32; 3]) -> String {
    format!("{x}x{y}x{z}")
}

/// Components with their types, such as `xyz fp32`.
fn types(types: &[Option<parallax_core::Type>; 4]) -> String {
    let mut groups: Vec<(String, &str)> = Vec::new();
    for (letter, ty) in "xyzw".chars().zip(types) {
        let Some(ty) = ty else { continue };
        match groups.last_mut() {
            Some((letters, name)) if *name == ty.name() => letters.push(letter),
            _ => groups.push((letter.to_string(), ty.name())),
        }
    }
    groups.iter().map(|(letters, name)| format!("{letters} {name}")).collect::<Vec<_>>().join(", ")
}

fn human(input: &Input, program: &Program, term: &Term) -> String {
    let bytes = input.bytes().len();
    let name = term.paint(Paint::Bold, &clean(&program.name));
    let Some(loaded) = &program.loaded else { return format!("{name}: not read\n") };
    let isa = if loaded.isa.is_empty() { "unknown instruction set" } else { loaded.isa };
    let mut rows: Vec<(&str, String)> = Vec::new();
    for (field, value) in &loaded.header {
        rows.push(("header", format!("{field} {value}")));
    }
    let table = |first: String, rows: Vec<(&str, String)>| {
        rows.into_iter().fold(first, |mut out, (key, text)| {
            out.push_str(&format!(
                "  {}{} {}\n",
                term.paint(Paint::Dim, key),
                " ".repeat(11 - key.len()),
                clean(&text)
            ));
            out
        })
    };
    let Some(shader) = &loaded.shader else {
        return table(format!("{name}: {isa}, {bytes} bytes, {}\n", program.status().name()), rows);
    };
    let func = &shader.func;
    if let Ok((draw, about)) = program.draw() {
        let title = if about.title.is_empty() { about.effect } else { format!("{}: {}", about.effect, about.title) };
        rows.push(("effect", title));
        rows.push(match func.iface.stage {
            Stage::Compute => {
                ("dispatch", format!("{} workgroups of {}", sides(draw.grid), sides(func.iface.workgroup)))
            }
            _ => ("draw", format!("{}x{} pixels", draw.width, draw.height)),
        });
        if let (Some(stage), Some(file)) = (&draw.vertex, program.manifest().and_then(Manifest::vertex_program)) {
            let count = stage.triangles.len();
            rows.push(("vertices", format!("of {}, in {count} triangles", clean(file))));
        }
    }
    for attr in inputs(func) {
        rows.push(("input", format!("{}: {}", attr.name, semantic(attr.semantic))));
    }
    for bank in func.iface.banks.iter().filter(|b| b.len > 0) {
        let vectors = if bank.len == 1 { "vector" } else { "vectors" };
        rows.push(("constants", format!("{}: {} {vectors}", bank.name, bank.len)));
    }
    let parameters = parallax::params(&func.iface);
    for param in &parameters {
        let (first, count) = param.words;
        let pointer = match (param.may_point, param.is_surface) {
            (true, _) => ", may be the address of a buffer",
            (_, true) => ", a surface",
            _ => "",
        };
        rows.push(("parameter", format!("{}: {} bytes at c[0x0][{:#x}]{pointer}", param.number, 4 * count, 4 * first)));
    }
    for constant in func.iface.constants.iter().filter(|c| parameters.is_empty() || !c.name.starts_with("param[")) {
        rows.push(("constant", format!("{}: {} of {}", constant.name, constant.count, constant.ty.name())));
    }
    for buffer in &func.iface.buffers {
        rows.push(("buffer", format!("{}: {}", names(&func.iface, &buffer.name), contents(buffer))));
    }
    for texture in &func.iface.textures {
        rows.push(("texture", format!("unit {}: {}", texture.unit, target(texture.target))));
    }
    for output in outputs(&func.iface) {
        rows.push(("output", format!("{}: {}, {}", output.name, role(output.role), types(&output.types))));
    }
    let counts = op_counts(func);
    let ops: Vec<String> = counts.iter().map(|(name, n)| format!("{name} {n}")).collect();
    rows.push(("operations", format!("{} in the intermediate representation", func.live_ops())));
    rows.push(("arithmetic", ops.join(", ")));
    rows.push(("model", loaded.model.to_string()));
    let first = format!(
        "{name}: {isa}, {} shader, {} instructions, {bytes} bytes\n",
        func.iface.stage.name(),
        loaded.instructions()
    );
    table(first, rows)
}

fn value(input: &Input, program: &Program) -> Value {
    let map = LineMap::new(program.text());
    let problems: Vec<Value> = program.diags.iter().map(|d| diag_json(d, program.text(), &map)).collect();
    let mut value = json!({
        "file": program.name,
        "bytes": input.bytes().len(),
        "isa": program.loaded.as_ref().map_or("", |l| l.isa),
        "status": program.status().name(),
        "problems": problems,
    });
    let (Some(loaded), Some(object)) = (&program.loaded, value.as_object_mut()) else { return value };
    if !loaded.header.is_empty() {
        let fields = loaded.header.iter().map(|(field, value)| json!({ "field": field, "value": value }));
        object.insert("header".into(), fields.collect());
    }
    let (Some(shader), true) = (&loaded.shader, program.status() == Status::Ok) else { return value };
    let func = &shader.func;
    let iface = &func.iface;
    let mut set = |key: &str, v: Value| object.insert(key.to_string(), v);
    set("stage", json!(func.iface.stage.name()));
    set("instructions", json!(loaded.instructions()));
    set("ops", json!(func.live_ops()));
    set("arithmetic", json!(op_counts(func)));
    set("model", json!(loaded.model));
    set("inputs", inputs(func).map(|a| json!({ "name": a.name, "semantic": semantic(a.semantic) })).collect());
    set(
        "constants",
        iface.banks.iter().filter(|b| b.len > 0).map(|b| json!({ "name": b.name, "vectors": b.len })).collect(),
    );
    let constant = |c: &ConstDecl| json!({ "name": c.name, "components": c.count, "type": c.ty.name() });
    set("named_constants", iface.constants.iter().map(constant).collect());
    let buffer = |b: &BufferDecl| {
        let aliases: Vec<&str> = iface.aliases.iter().filter(|a| a.of == b.name).map(|a| a.name.as_str()).collect();
        let image = b.image.as_ref().map(|image| image.format.name());
        json!({ "name": b.name, "aliases": aliases, "floats": b.floats, "workgroup_words": b.workgroup, "image": image })
    };
    set("buffers", iface.buffers.iter().map(buffer).collect());
    if iface.stage == Stage::Compute {
        set("workgroup", json!(iface.workgroup));
    }
    let parameters = parallax::params(iface);
    if !parameters.is_empty() {
        let parameter = |p: &parallax::ParamShape| json!({ "number": p.number, "offset": 4 * p.words.0, "bytes": 4 * p.words.1, "may_point": p.may_point });
        set("parameters", parameters.iter().map(parameter).collect());
    }
    let texture = |t: &parallax_core::TexDecl| json!({ "unit": t.unit, "target": target(t.target) });
    set("textures", iface.textures.iter().map(texture).collect());
    let output =
        |o: &OutputDecl| json!({ "name": o.name, "role": role(o.role), "types": o.types.map(|t| t.map(|t| t.name())) });
    set("outputs", outputs(iface).map(output).collect());
    if let Ok((draw, about)) = program.draw() {
        match iface.stage {
            Stage::Compute => set("grid", json!(draw.grid)),
            _ => set("size", json!([draw.width, draw.height])),
        };
        if draw.vertex.is_some() {
            set("vertex_program", json!(program.manifest().and_then(Manifest::vertex_program)));
        }
        set("effect", json!(about.effect));
        set("title", json!(about.title));
    }
    value
}
