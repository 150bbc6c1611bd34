//! From inputs to loaded shaders and draws, with problems as data.

use crate::args::SourceArgs;
use crate::draw::{Origin, draw_all};
use crate::exit::Failure;
use crate::input::{Input, Place};
use crate::language::{Refusal, Translator};
use crate::term::Term;
use parallax::{
    Compiled, Control, Draw, Frame, LoadOptions, LoadTimes, Loaded, Manifest, ManifestLimit, Problems, Status, Unmet,
    Workers, run_draw_reusing,
};
use parallax_core::Stage;
use parallax_num::{Model, Profile};
use parallax_report::{Limits, Slack};
use parallax_text::{Diag, LineMap, clean, closest};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// The user's models.
pub(crate) fn models(files: &[PathBuf], term: &Term) -> Result<Vec<Model>, Failure> {
    let mut out: Vec<Model> = Vec::new();
    for path in files {
        let parallax::ReadModel { model, warnings } = parallax::read_model_file(path)?;
        if !warnings.diags.is_empty() {
            draw_problems(&warnings.name, &warnings.text, &warnings.diags, term);
        }
        // Models are told apart by name everywhere.
        let name = model.name().to_string();
        if Model::builtin(&name).is_some() || out.iter().any(|m| m.name() == name) {
            let message = format!("{}: there is already a model `{name}`", path.display());
            return Err(Failure::invalid(message));
        }
        out.push(model);
    }
    Ok(out)
}

/// The profile a text on the command line names: a built-in one, or a file.
pub(crate) fn profile(text: &str) -> Result<Profile, Failure> {
    if let Some(profile) = parallax::builtin_profile(text) {
        return Ok(profile);
    }
    let path = Path::new(text);
    if path.extension().is_none() && !path.exists() {
        let names: Vec<&str> = parallax::PROFILES.iter().map(|(name, _)| *name).collect();
        let hint = closest(text, names.iter().copied()).map_or(String::new(), |n| format!("did you mean `{n}`? "));
        let names = names.join("`, `");
        return Err(Failure::invalid(format!(
            "unknown profile `{text}`; {hint}built-in profiles are `{names}`; others are files, such as `my.toml`"
        )));
    }
    Ok(parallax::read_profile_file(path)?)
}

/// How inputs are read: `--from`, `--set`, `--manifest`.
pub(crate) struct Reading {
    options: LoadOptions,
    /// The manifest for every input; otherwise each has its own.
    manifest: Option<Manifest>,
    /// What makes modules of sources.
    translator: Translator,
}

impl Reading {
    /// `--from` alone.
    pub(crate) fn of(from: Option<&str>) -> Reading {
        Reading {
            options: LoadOptions { isa: from.map(str::to_string), ..LoadOptions::default() },
            manifest: None,
            translator: Translator::default(),
        }
    }

    /// Lets accesses outside of memory read 0 and store nothing.
    pub(crate) fn make_robust(&mut self) {
        self.options.lift.robust = true;
    }

    /// What every input is read with, besides what its manifest says.
    pub(crate) fn options(&self) -> &LoadOptions {
        &self.options
    }
}

/// `--from`, `--set` and `--manifest` as the engine takes them.
pub(crate) fn reading(args: &SourceArgs) -> Result<Reading, Failure> {
    let options = options(args)?;
    let manifest = args.manifest.as_deref().map(Manifest::read).transpose()?;
    Ok(Reading { options, manifest, translator: Translator::new(args.compiler.clone()) })
}

fn options(args: &SourceArgs) -> Result<LoadOptions, Failure> {
    let mut options = LoadOptions { isa: args.from.clone(), ..LoadOptions::default() };
    if let Some(relaxed) = &args.relaxed {
        options.lift.settings.insert("relaxed".to_string(), relaxed.clone());
    }
    if let Some(subgroup) = &args.subgroup {
        options.lift.settings.insert("subgroup".to_string(), subgroup.clone());
    }
    for text in &args.settings {
        let Some((name, value)) = text.split_once('=') else {
            return Err(Failure::invalid(format_args!("--set {text}: expected NAME=VALUE")));
        };
        options.lift.settings.insert(name.trim().to_string(), value.trim().to_string());
    }
    options.lift.block = args.block.as_deref().map(|text| sides("--block", text)).transpose()?;
    options.lift.shared_bytes = args.shared_bytes.unwrap_or(0);
    options.lift.entry.clone_from(&args.entry);
    options.lift.stage = match args.stage.as_deref() {
        Some("fragment") => Some(Stage::Fragment),
        Some("vertex") => Some(Stage::Vertex),
        Some("compute") => Some(Stage::Compute),
        _ => None,
    };
    for text in &args.spec {
        let pair = text.split_once('=').and_then(|(id, value)| {
            let id = u32::try_from(parallax_text::parse_u64(id.trim())?).ok()?;
            Some((id, parallax_text::parse_u64(value.trim())?))
        });
        let Some((id, value)) = pair else {
            return Err(Failure::invalid(format_args!("--spec {text}: expected ID=VALUE, such as 3=0x10")));
        };
        options.lift.spec.insert(id, value);
    }
    if let Some(isa) = &options.isa
        && parallax::frontend(isa).is_none()
    {
        let known: Vec<&str> = parallax::FRONTENDS.iter().map(|f| f.name).collect();
        return Err(Failure::invalid(format_args!(
            "--from {isa}: unknown instruction set; expected {}",
            known.join(", ")
        )));
    }
    Ok(options)
}

/// A shader that was read, with its manifest and its problems.
pub(crate) struct Program {
    /// Name as printed.
    pub(crate) name: String,
    /// What the engine made of it; `None` when the bytes could not be had.
    pub(crate) loaded: Option<Loaded>,
    /// All problems, those of reading the file included.
    pub(crate) diags: Vec<Diag>,
    manifest: Result<Option<Manifest>, Problems>,
    /// What it was read with.
    options: LoadOptions,
    /// The constant that is the size of the viewport, by bank and vector.
    resolution: Option<(usize, usize)>,
}

impl Program {
    /// Reads and lifts. A broken manifest is found out when the program is drawn.
    pub(crate) fn load(input: &Input, reading: &Reading) -> Program {
        let manifest = match &reading.manifest {
            Some(manifest) => Ok(Some(manifest.clone())),
            None => find_manifest(input),
        };
        let name = input.name.clone();
        match &input.source {
            Ok(source) => {
                let mut options = reading.options.clone();
                if let Ok(Some(manifest)) = &manifest {
                    for (name, value) in &manifest.options {
                        options.lift.settings.entry(name.clone()).or_insert_with(|| value.clone());
                    }
                    options.lift.block = options.lift.block.or(manifest.block);
                    options.lift.robust |= manifest.robust;
                }
                let translated = reading.translator.translate(input, &options);
                let mut resolution = None;
                let loaded = match translated.as_deref() {
                    None => parallax::load_source(source, &options),
                    Some(Ok(translation)) => {
                        if let Some(entry) = &translation.entry {
                            options.lift.entry.get_or_insert_with(|| entry.clone());
                        }
                        let mut loaded = parallax::load_source(&translation.source, &options);
                        translation.explain(&mut loaded);
                        // A scene of Shadertoy is told the size of the viewport, unless its manifest does.
                        let is_set = matches!(&manifest, Ok(Some(m)) if m.text.contains(RESOLUTION));
                        if translation.is_shadertoy && !is_set {
                            let constants = loaded.shader.iter().flat_map(|shader| &shader.func.iface.constants);
                            let found = constants.into_iter().find(|constant| constant.name == RESOLUTION);
                            resolution = found.map(|c| (usize::from(c.bank), c.index as usize));
                        }
                        loaded
                    }
                    Some(Err(Refusal { text, diags })) => not_compiled(&name, text, diags),
                };
                Program { name, diags: loaded.diags.clone(), loaded: Some(loaded), manifest, options, resolution }
            }
            Err(error) => {
                let mut diag =
                    Diag::invalid("file", parallax_text::Span::default(), format!("cannot be read: {error}"));
                diag.span = None;
                Program {
                    name,
                    loaded: None,
                    diags: vec![diag],
                    manifest,
                    options: LoadOptions::default(),
                    resolution: None,
                }
            }
        }
    }

    /// The text of an input's manifest, right or wrong; empty where there is none.
    pub(crate) fn manifest_text(input: &Input, reading: &Reading) -> String {
        let own = || match find_manifest(input) {
            Ok(manifest) => manifest.map(|m| m.text).unwrap_or_default(),
            Err(problems) => problems.text,
        };
        reading.manifest.as_ref().map_or_else(own, |manifest| manifest.text.clone())
    }

    /// Adds warnings about registers that are read before they are written.
    pub(crate) fn look_for_uninitialised(&mut self, input: &Input) {
        if let (Ok(source), Some(loaded), Status::Ok) = (&input.source, &self.loaded, self.status()) {
            self.diags.extend(parallax::uninitialised(source, &self.options, loaded));
        }
    }

    /// What is drawn, and what it is about.
    pub(crate) fn draw(&self) -> Result<(Draw, About), Problems> {
        let shader = self.loaded.as_ref().and_then(|l| l.shader.as_ref());
        let shader = shader.ok_or_else(|| self.problems(self.diags.clone()))?;
        let mut about = About { effect: effect_name(&self.name), ..About::default() };
        let mut draw = match self.manifest.as_ref().map_err(Problems::clone)? {
            None => Draw::defaults(&shader.func.iface).map_err(|found| self.problems(found.diags))?,
            Some(manifest) => {
                about.effect = manifest.effect.clone().unwrap_or(about.effect);
                about.title = manifest.title.clone().unwrap_or_default();
                about.about = manifest.about.clone().unwrap_or_default();
                about.limits = limits(manifest)?;
                about.slack = slack(manifest)?;
                Draw::new(&shader.func.iface, manifest)?
            }
        };
        let size = (draw.width, draw.height);
        self.resize(&mut draw, size);
        Ok((draw, about))
    }

    /// What its manifest expects that a frame does not have, whatever model it is for.
    pub(crate) fn unmet(&self, frame: &Frame) -> Result<Vec<Unmet>, Problems> {
        let shader = self.loaded.as_ref().and_then(|loaded| loaded.shader.as_ref());
        match (&self.manifest, shader) {
            (Ok(Some(manifest)), Some(shader)) => manifest.unmet(&shader.func.iface, frame),
            _ => Ok(Vec::new()),
        }
    }

    /// The program's own manifest, or that of the command line, where it has one without problems.
    pub(crate) fn manifest(&self) -> Option<&Manifest> {
        self.manifest.as_ref().ok()?.as_ref()
    }

    /// The stage, if it lifts.
    pub(crate) fn stage(&self) -> Option<Stage> {
        Some(self.loaded.as_ref()?.shader.as_ref()?.func.iface.stage)
    }

    /// Gives a draw another size, which a scene of Shadertoy is told unless its manifest says otherwise.
    pub(crate) fn resize(&self, draw: &mut Draw, (width, height): (u32, u32)) {
        // What a kernel is shown as follows from its buffers.
        if self.stage() == Some(Stage::Compute) {
            return;
        }
        (draw.width, draw.height) = (width, height);
        let vector = self.resolution.and_then(|(bank, vector)| draw.banks.get_mut(bank)?.get_mut(vector));
        if let Some(vector) = vector {
            *vector = [width as f32, height as f32, 1.0, 0.0].map(f32::to_bits);
        }
    }

    /// Problems of this program.
    pub(crate) fn problems(&self, diags: Vec<Diag>) -> Problems {
        Problems::new(&self.name, self.text(), diags)
    }

    /// Whether nobody said what it is drawn with.
    pub(crate) fn has_default_inputs(&self) -> bool {
        matches!(self.manifest, Ok(None))
    }

    /// Says so where nobody said what it is drawn with.
    pub(crate) fn note_default_inputs(&self, term: &Term) {
        if self.has_default_inputs() {
            term.note(&default_inputs(&clean(&self.name)));
        }
    }

    /// Whether it can be run.
    pub(crate) fn status(&self) -> Status {
        Status::of(&self.diags)
    }

    /// The text problems are located in.
    pub(crate) fn text(&self) -> &str {
        self.loaded.as_ref().map_or("", |l| &l.text)
    }

    /// Draws all problems on standard error.
    pub(crate) fn show(&self, term: &Term) {
        draw_problems(&self.name, self.text(), &self.diags, term);
    }

    /// The shader, or all problems drawn and the exit code they ask for.
    pub(crate) fn runnable(&self, term: &Term) -> Result<&Loaded, Failure> {
        self.show(term);
        match (&self.loaded, self.status()) {
            (Some(loaded), Status::Ok) => Ok(loaded),
            (_, status) => Err(Failure::Silent(status.into())),
        }
    }
}

/// The uniform of Shadertoy that holds the size of the viewport.
const RESOLUTION: &str = "iResolution";

/// A source that a compiler refused.
fn not_compiled(name: &str, text: &str, diags: &[Diag]) -> Loaded {
    Loaded {
        name: name.to_string(),
        isa: "",
        model: "",
        text: text.to_string(),
        diags: diags.to_vec(),
        shader: None,
        header: Vec::new(),
        times: LoadTimes::default(),
    }
}

/// Says of programs that nobody said what they are drawn with.
pub(crate) fn default_inputs(names: &str) -> String {
    format!("{names}: drawn with default inputs, since there is no manifest; `parallax manifest` writes one")
}

/// Draws problems on standard error.
pub(crate) fn draw_problems(name: &str, text: &str, diags: &[Diag], term: &Term) {
    if !diags.is_empty() {
        let origin = if text.is_empty() { Origin::binary(name) } else { Origin::text(name, text) };
        term.error_text(&draw_all(diags, &origin, term.colour_err));
    }
}

/// A problem as JSON: code, kind, severity, message, help, and the place where there is one.
pub(crate) fn diag_json(diag: &Diag, text: &str, map: &LineMap) -> Value {
    let mut value = json!({
        "code": diag.code,
        "kind": diag.kind.name(),
        "severity": if diag.is_error() { "error" } else { "warning" },
        "message": diag.message,
        "help": diag.help,
    });
    if let (Some(span), Some(object)) = (diag.span, value.as_object_mut()) {
        if !text.is_empty() {
            let place = map.place(text, span.start);
            object.insert("line".into(), json!(place.line));
            object.insert("column".into(), json!(place.column));
        }
        object.insert("offset".into(), json!(span.start));
    }
    value
}

/// What a comparison of a shader must keep by its manifest.
fn limits(manifest: &Manifest) -> Result<Limits, Problems> {
    let mut limits = Limits::default();
    let mut diags = Vec::new();
    for limit in &manifest.limits {
        if let Err(message) = limits.add(limit.model.as_deref(), &limit.figure, &limit.value) {
            diags.push(Diag::invalid("manifest-limit", limit.span, message));
        }
    }
    if diags.is_empty() { Ok(limits) } else { Err(Problems::new(&manifest.name, &manifest.text, diags)) }
}

/// How much figures of a comparison may grow by its manifest.
fn slack(manifest: &Manifest) -> Result<Slack, Problems> {
    let mut slack = Slack::default();
    let mut add = |part: &ManifestLimit| {
        slack.add(part.model.as_deref(), &part.figure, &part.value).err().map(|m| (part.span, m))
    };
    let wrong: Vec<_> = manifest.slack.iter().filter_map(&mut add).collect();
    let diags: Vec<Diag> =
        wrong.into_iter().map(|(span, message)| Diag::invalid("manifest-slack", span, message)).collect();
    if diags.is_empty() { Ok(slack) } else { Err(Problems::new(&manifest.name, &manifest.text, diags)) }
}

/// What is known about an effect.
#[derive(Clone, Debug, Default)]
pub(crate) struct About {
    pub(crate) effect: String,
    pub(crate) title: String,
    pub(crate) about: String,
    pub(crate) limits: Limits,
    pub(crate) slack: Slack,
}

/// The manifest of an input: `toon.toml` beside `toon.tgsi`, or the `manifest.toml` of its folder. Containers are folders of
/// their name without extension: `captured.a:toon.tgsi` has `captured/toon.toml` or `captured/manifest.toml`, else what the
/// file `captured.a` has. Manifests in the same archive come first.
fn find_manifest(input: &Input) -> Result<Option<Manifest>, Problems> {
    let inside = input.source.as_ref().ok().and_then(|source| source.manifest());
    if let Some((name, bytes)) = inside {
        let text = parallax::utf8(bytes)
            .map_err(|diag| Problems::new(name, String::from_utf8_lossy(bytes).into_owned(), vec![*diag]))?;
        let mut manifest = Manifest::parse(name, text)?;
        if let Place::Disk(path) = &input.place {
            manifest.folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
        }
        // The container may have the vertex program, too.
        let member = |program: &str| input.source.as_ref().ok().and_then(|source| source.member(program));
        if let Some(bytes) = manifest.vertex_program().and_then(member) {
            manifest.give_vertex_program(bytes);
        }
        return Ok(Some(manifest));
    }
    match &input.place {
        Place::Stdin => Ok(None),
        Place::Embedded(path) => {
            let own = Path::new(path).with_extension("toml");
            let shared = Path::new(path).with_file_name("manifest.toml");
            let file = [own, shared].iter().find_map(|p| parallax_corpus::get(p.to_str()?));
            let Some((file, text)) = file.and_then(|f| Some((f, f.text()?))) else { return Ok(None) };
            let mut manifest = Manifest::parse(file.path, text)?;
            let vertex = manifest.vertex_program().map(|program| Path::new(file.path).with_file_name(program));
            if let Some(bytes) = vertex.and_then(|path| Some(parallax_corpus::get(path.to_str()?)?.bytes)) {
                manifest.give_vertex_program(bytes);
            }
            Ok(Some(manifest))
        }
        Place::Disk(path) => {
            let inside = input.source.as_ref().map_or(&[][..], |source| source.path.as_slice());
            match manifests(path, inside).into_iter().find(|p| p.is_file()) {
                None => Ok(None),
                Some(found) => Manifest::read(&found).map(Some),
            }
        }
    }
}

/// Where the manifest of a file, or of what is inside of it by these names, may be: the nearest first.
fn manifests(file: &Path, inside: &[String]) -> Vec<PathBuf> {
    let mut levels = vec![file.to_path_buf()];
    for member in inside {
        // Members may be named with folders, and with those above.
        let name = member.rsplit(['/', '\\']).next().filter(|name| !matches!(*name, "" | "." | ".."));
        let (Some(folder), Some(name)) = (levels.last().map(|level| level.with_extension("")), name) else { break };
        levels.push(folder.join(name));
    }
    let of = |level: &PathBuf| [level.with_extension("toml"), level.with_file_name("manifest.toml")];
    // A TOML file named as the shader would be its own manifest.
    levels.iter().rev().flat_map(of).filter(|path| path != file).collect()
}

/// A compiled shader's frame: of pixels, or of vertices in a row.
pub(crate) fn frame(
    compiled: &Compiled,
    draw: &Draw,
    workers: &Workers,
    stop: &'static AtomicBool,
) -> Result<Frame, Problems> {
    frame_over(compiled, draw, workers, Control { cancel: Some(stop), ..Control::default() }, Frame::default())
}

/// The same in the memory of an earlier frame.
pub(crate) fn frame_over(
    compiled: &Compiled,
    draw: &Draw,
    workers: &Workers,
    control: Control<'_>,
    earlier: Frame,
) -> Result<Frame, Problems> {
    match compiled.shader.func.iface.stage {
        Stage::Vertex => parallax::run_vertices(compiled, draw),
        _ => run_draw_reusing(compiled, draw, workers, control, earlier),
    }
}

/// File name without folder and extension.
pub(crate) fn effect_name(name: &str) -> String {
    let file = name.rsplit(['/', ':']).next().unwrap_or(name);
    file.rsplit_once('.').map_or(file, |(stem, _)| stem).to_string()
}

/// `X`, `X,Y` or `X,Y,Z`: sides of a grid or a workgroup, as an option says.
pub(crate) fn sides(option: &str, text: &str) -> Result<[u32; 3], Failure> {
    let sides: Option<Vec<u32>> = text.split([',', 'x']).map(|side| side.trim().parse().ok()).collect();
    match sides.as_deref() {
        Some(&[x]) => Ok([x, 1, 1]),
        Some(&[x, y]) => Ok([x, y, 1]),
        Some(&[x, y, z]) => Ok([x, y, z]),
        _ => {
            let what = if option == "--grid" { "workgroups" } else { "invocations" };
            Err(Failure::invalid(format_args!("{option} {text}: expected X, X,Y or X,Y,Z {what}, such as 64 or 8,8,1")))
        }
    }
}

/// `WxH` in pixels.
pub(crate) fn size(text: &str) -> Result<(u32, u32), Failure> {
    checked_size(text, parallax::check_size)
}

/// `WxH` in pixels, of a picture that is drawn in bands.
pub(crate) fn banded_size(text: &str) -> Result<(u32, u32), Failure> {
    checked_size(text, parallax::check_sides)
}

fn checked_size(text: &str, check: impl Fn(u32, u32) -> Option<Diag>) -> Result<(u32, u32), Failure> {
    let parsed = text.split_once(['x', 'X']).and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
    let Some((width, height)) = parsed else {
        return Err(Failure::invalid(format_args!("--size {text}: expected WIDTHxHEIGHT, such as 640x480")));
    };
    match check(width, height) {
        None => Ok((width, height)),
        Some(diag) => {
            let help: String = diag.help.iter().map(|h| format!("; {h}")).collect();
            Err(Failure::invalid(format_args!("--size {text}: {}{help}", diag.message)))
        }
    }
}

/// Counts of ops by name, for summaries.
pub(crate) fn op_counts(func: &parallax_core::Func) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    func.walk(|_, op| {
        if let parallax_core::OpKind::Num(op) = func.ops[op].kind {
            *counts.entry(op.name().to_string()).or_insert(0) += 1;
        }
    });
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manifests_are_looked_for_from_the_inside_out() {
        let found = |file: &str, inside: &[&str]| {
            let inside: Vec<String> = inside.iter().map(|name| name.to_string()).collect();
            let paths = manifests(Path::new(file), &inside).into_iter();
            paths.map(|path| path.to_string_lossy().replace('\\', "/")).collect::<Vec<_>>()
        };
        assert_eq!(found("d/toon.tgsi", &[]), ["d/toon.toml", "d/manifest.toml"]);
        assert_eq!(found("toon.toml", &[]), ["manifest.toml"]);
        let member = ["d/c/k/blend.toml", "d/c/k/manifest.toml", "d/c/k.toml", "d/c/manifest.toml", "d/c.toml"];
        assert_eq!(found("d/c.a", &["k.cubin", "blend"])[..5], member);
        assert_eq!(found("c.a", &["../../x/blend.fp"])[0], "c/blend.toml");
        assert_eq!(found("c.a", &[".."]), ["c.toml", "manifest.toml"]);
    }
}
