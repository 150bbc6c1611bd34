//! One stream of cases: programs and models already seen are kept.

use super::Result2;
use super::answer::{Error, answer, string};
use super::registers;
use super::request::{Pairs, Request, Samples, StageName, Verb, Words, hex_bytes, hex32};
use super::texture::units;
use crate::draw::{Origin, draw_all};
use crate::registry::{Registry, diagnose};
use parallax::{
    Compiled, Dispatch, Engine, Frontend, LaneCase, LanePlane, LanePlanes, LaneResult, LaneSamples, LayoutRequest,
    LoadOptions, Loaded, NamedWords, Optimise, Registers, Stage, Status, named_frontend, run_dispatch, run_lanes_in,
};
use parallax_core::{OutputRole, text};
use parallax_num::Model;
use parallax_text::DiagKind;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::de::IgnoredAny;
use serde_json::Value;
use serde_json::value::RawValue;
use std::panic::AssertUnwindSafe;
use std::rc::Rc;

/// Lanes of a case: one quad.
const LANES: usize = 4;
/// Programs kept; when there are more, all are forgotten.
const PROGRAMS: usize = 1024;
/// Bytes of programs kept, as estimated; when there are more, all are forgotten but the one in use.
const BYTES: usize = 64 << 20;
/// What an op takes in a lifted or compiled program, roughly.
const OP_BYTES: usize = 256;
/// Models kept; when there are more, all are forgotten.
const MODELS: usize = 64;

/// What makes two programs the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key {
    isa: String,
    layout: LayoutRequest,
    bytes: Vec<u8>,
    watch: Vec<String>,
    /// Registers that are set.
    state: Vec<String>,
    settings: Vec<(String, String)>,
    entry: Option<String>,
    stage: Option<Stage>,
    /// Specialisation constants, sorted.
    spec: Vec<(u32, u64)>,
}

/// A program and what it was compiled to, by the model's name as it was asked for.
struct Known {
    loaded: Loaded,
    compiled: FxHashMap<String, Rc<Compiled>>,
}

pub(super) struct Session {
    engine: Engine,
    registry: Registry,
    models: FxHashMap<String, Model>,
    programs: FxHashMap<Key, Known>,
    /// What the programs take, as estimated.
    bytes: usize,
}

impl Session {
    pub(super) fn new(registry: Registry, engine: Engine) -> Session {
        Session { engine, registry, models: FxHashMap::default(), programs: FxHashMap::default(), bytes: 0 }
    }

    /// The answer to one line, without line feed.
    pub(super) fn line(&mut self, line: &[u8]) -> String {
        let line = line.trim_ascii_end();
        let request = match std::str::from_utf8(line) {
            Ok(text) if !text.trim_start().starts_with('{') && serde_json::from_str::<IgnoredAny>(text).is_ok() => {
                let message = r#"a case is an object, such as `{"isa":"nvfp","text":".."}`"#;
                return answer("null", &Err(Error::invalid("request", message)));
            }
            Err(error) => {
                let message = format!("byte {} is not valid UTF-8", error.valid_up_to());
                return answer("null", &Err(Error::invalid("json", message)));
            }
            Ok(text) => serde_json::from_str::<Request>(text),
        };
        let id = identity(line);
        let result = match request {
            Err(error) => Err(malformed(&error)),
            Ok(request) => std::panic::catch_unwind(AssertUnwindSafe(|| self.case(&request))).unwrap_or_else(|_| {
                // Whatever the panic left behind is not used again.
                self.forget();
                Err(Error::new(DiagKind::Internal, "panic", "this case hit a bug in parallax"))
            }),
        };
        answer(&id, &result)
    }

    fn case(&mut self, request: &Request) -> Result2 {
        match request.op {
            Verb::Run | Verb::Check | Verb::Lift => {}
            Verb::Dis | Verb::As => return machine(request),
            op => {
                let message = format!("op `{}` is not supported for {}", op.name(), request.isa);
                return Err(Error::unsupported("op", message));
            }
        }
        refuse_what_is_not_done(request)?;
        let key = key(request)?;
        match request.op {
            Verb::Check => {
                let known = self.load(&key)?;
                let name = "program";
                let warnings = draw_all(&known.loaded.diags, &Origin::text(name, &known.loaded.text), false);
                Ok(format!(r#""text":{}"#, string(&warnings)))
            }
            Verb::Lift => {
                let model = match &request.model {
                    None => None,
                    Some(name) => Some(self.model(name)?),
                };
                let known = self.load(&key)?;
                let Some(shader) = &known.loaded.shader else { return Err(lost()) };
                let printed = match model {
                    None => text::print(shader),
                    Some(model) => text::print(&shader.bind(&model)),
                };
                Ok(format!(r#""text":{}"#, string(&printed)))
            }
            _ => self.run(request, key),
        }
    }

    fn run(&mut self, request: &Request, mut key: Key) -> Result2 {
        let frontend = named(&request.isa)?;
        let (mut case, names) = lane_case(request, frontend)?;
        key.state = names;
        let model = match &request.model {
            Some(name) => name.clone(),
            None => self.load(&key)?.loaded.model.to_string(),
        };
        let compiled = self.compiled(&key, &model)?;
        let iface = &compiled.shader.func.iface;
        case.textures = units(&request.textures, Some(iface))?;
        let has_words = !iface.buffers.is_empty() || iface.banks.iter().any(|bank| bank.by_bytes);
        if request.buffers.is_some() && !has_words {
            return Err(Error::unsupported("key", format!("this program of {} has no `buffers`", request.isa)));
        }
        if iface.stage == Stage::Compute {
            return dispatch(request, &compiled, case);
        }
        if request.grid.is_some() {
            return Err(Error::invalid("key", "`grid` belongs to compute shaders"));
        }
        let mut buffers = vec![Vec::new(); iface.buffers.len()];
        let lanes = run_lanes_in(&compiled, &case, &mut buffers).map_err(|found| Error::of(&found.diags, ""))?;
        let endless: Vec<String> = (0..LANES).filter(|n| lanes[*n].out_of_fuel).map(|n| n.to_string()).collect();
        if !endless.is_empty() {
            let who = format!("lane {}", endless.join(" and "));
            let text = self.load(&key)?.loaded.text.clone();
            return Err(Error::of(&[parallax::endless(&compiled.shader.func, case.fuel, &who)], &text));
        }
        let lanes = report(request, frontend, &compiled, &lanes)?;
        Ok(format!("{lanes}{}", buffers_member(&compiled, &buffers)))
    }

    /// Makes room for a program, or for another form of one, that takes so many bytes.
    fn make_room(&mut self, bytes: usize) {
        if self.programs.len() >= PROGRAMS || self.bytes.saturating_add(bytes) > BYTES {
            self.forget();
        }
        self.bytes += bytes;
    }

    fn forget(&mut self) {
        self.programs.clear();
        self.bytes = 0;
    }

    /// The program, read and lifted; an error if it cannot be run.
    fn load(&mut self, key: &Key) -> Result<&Known, Error> {
        if !self.programs.contains_key(key) {
            let options = LoadOptions {
                isa: Some(key.isa.clone()),
                layout: key.layout.clone(),
                lift: parallax_lift::Options {
                    settings: key.settings.iter().cloned().collect(),
                    preset: key.state.clone(),
                    watch: key.watch.clone(),
                    entry: key.entry.clone(),
                    stage: key.stage,
                    spec: key.spec.iter().copied().collect(),
                    ..Default::default()
                },
            };
            let loaded = parallax::load("", &key.bytes, &options);
            let ops = loaded.shader.as_ref().map_or(0, |shader| shader.func.ops.len());
            self.make_room(key.bytes.len() + loaded.text.len() + ops * OP_BYTES);
            self.programs.insert(key.clone(), Known { loaded, compiled: FxHashMap::default() });
        }
        let known = self.programs.get(key).ok_or_else(lost)?;
        match known.loaded.status() {
            Status::Ok => Ok(known),
            _ => Err(Error::of(&known.loaded.diags, &known.loaded.text)),
        }
    }

    fn model(&mut self, name: &str) -> Result<Model, Error> {
        if let Some(model) = self.models.get(name) {
            return Ok(model.clone());
        }
        let model = self.registry.named(name).map_err(|e| {
            let diag = diagnose(&e, name);
            let help: String = diag.help.iter().map(|h| format!("; {h}")).collect();
            Error::invalid("model", format!("{}{help}", diag.message))
        })?;
        if self.models.len() >= MODELS {
            self.models.clear();
        }
        self.models.insert(name.to_string(), model.clone());
        Ok(model)
    }

    /// The program compiled for a model.
    fn compiled(&mut self, key: &Key, name: &str) -> Result<Rc<Compiled>, Error> {
        if let Some(known) = self.programs.get(key).and_then(|k| k.compiled.get(name)) {
            return Ok(known.clone());
        }
        // A program's own errors come before those of the model.
        self.load(key)?;
        let model = self.model(name)?;
        let shader = self.programs.get(key).and_then(|known| known.loaded.shader.as_ref()).ok_or_else(lost)?;
        let compiled = parallax::compile(shader, &model, Optimise::Yes, self.engine)
            .map_err(|found| Error::of(&found.diags, ""))?;
        let compiled = Rc::new(compiled);
        self.make_room(name.len() + compiled.shader.func.ops.len() * OP_BYTES);
        if let Some(known) = self.programs.get_mut(key) {
            known.compiled.insert(name.to_string(), compiled.clone());
        }
        Ok(compiled)
    }
}

/// The `id` of a line as it stands there, as far as one can be found in it.
fn identity(line: &[u8]) -> String {
    #[derive(serde::Deserialize)]
    struct Id<'a> {
        #[serde(borrow)]
        id: Option<&'a RawValue>,
    }
    let found = serde_json::from_slice::<Id<'_>>(line).ok().and_then(|found| found.id);
    found.map_or_else(|| "null".into(), |id| id.get().to_string())
}

fn malformed(error: &serde_json::Error) -> Error {
    let code = if error.is_data() { "request" } else { "json" };
    Error::invalid(code, error.to_string())
}

fn lost() -> Error {
    Error::new(DiagKind::Internal, "lost", "the program was not kept")
}

/// The instruction set of a request.
fn named(isa: &str) -> Result<&'static Frontend, Error> {
    named_frontend(isa).map_err(|diag| Error::of(&[diag], ""))
}

/// Listing and assembling.
fn machine(request: &Request) -> Result2 {
    refuse_what_is_not_done(request)?;
    let frontend = named(&request.isa)?;
    let Some(machine) = frontend.machine else {
        let message = format!("op `{}` is not supported for {}", request.op.name(), request.isa);
        return Err(Error::unsupported("op", message));
    };
    let layout = layout(request).of(frontend).map_err(|diag| Error::of(&[diag], ""))?;
    let name = if request.op == Verb::Dis { "exact" } else { "end" };
    let option = match request.options.0.as_slice() {
        [] => None,
        [(given, value)] if given == name => match value {
            Value::Bool(value) => Some(*value),
            Value::String(word) if word == "true" || word == "false" => Some(word == "true"),
            _ => return Err(Error::invalid("option", format!("option `{name}` must be true or false"))),
        },
        given => {
            let given = given.iter().map(|(given, _)| given).find(|given| *given != name);
            let message = match given {
                Some(given) => format!("op `{}` has no option `{given}`; it has `{name}`", request.op.name()),
                None => format!("option `{name}` is given twice"),
            };
            return Err(Error::invalid("option-unknown", message));
        }
    };
    match (request.op, &request.text, &request.hex) {
        (Verb::Dis, None, Some(hex)) => {
            let bytes = hex_bytes(hex)
                .ok_or_else(|| Error::invalid("hex", "`hex` must consist of pairs of hexadecimal digits"))?;
            // Words without anything around them may begin like a container.
            let asked =
                LoadOptions { isa: Some(request.isa.clone()), layout: self::layout(request), ..LoadOptions::default() };
            let found = match request.bare {
                Some(true) => None,
                _ => Some(parallax::resolve_only(&bytes, &asked).map_err(|diag| Error::of(&[diag], ""))?),
            };
            let (bytes, layout) = match &found {
                None => (bytes.as_slice(), layout),
                Some(found) => (&*found.bytes, found.layout.of(frontend).map_err(|diag| Error::of(&[diag], ""))?),
            };
            let (mut lines, mut diags) = (Vec::new(), Vec::new());
            for line in (machine.list)(bytes, &layout, option.unwrap_or(false)) {
                lines.push(string(&line.unwrap_or_else(|(text, diag)| {
                    diags.push(*diag);
                    text
                })));
            }
            let members = format!(r#""text":[{}]"#, lines.join(","));
            if diags.is_empty() { Ok(members) } else { Err(Error::of(&diags, "").with_members(members)) }
        }
        (Verb::As, Some(text), None) => {
            // Unless the request says what it wants, one instruction is assembled as it stands and a program gets its
            // end.
            let whole = option.unwrap_or_else(|| text.trim().lines().count() != 1);
            let (bytes, diags) = (machine.assemble)(text, &layout, whole);
            let bytes = bytes.ok_or_else(|| Error::of(&diags, text))?;
            let hex: String = bytes.iter().map(|b| format!("{b:02x}")).collect();
            let warnings = Error::warnings(&diags, text);
            let warnings =
                if warnings.is_empty() { String::new() } else { format!(r#","warnings":[{}]"#, warnings.join(",")) };
            Ok(format!(r#""hex":{}{warnings}"#, string(&hex)))
        }
        (Verb::Dis, ..) => Err(Error::invalid("request", "op `dis` takes the program as `hex`")),
        _ => Err(Error::invalid("request", "op `as` takes the program as `text`")),
    }
}

/// Runs a kernel; its buffers are the answer.
fn dispatch(request: &Request, compiled: &Compiled, case: LaneCase) -> Result2 {
    let LaneCase { state, textures, words, fuel, .. } = case;
    let grid = request.grid.unwrap_or([1; 3]);
    let dispatch = Dispatch { grid, state, words, textures, fuel };
    let result = run_dispatch(compiled, &dispatch).map_err(|found| Error::of(&found.diags, ""))?;
    if result.out_of_fuel > 0 {
        let who = format!("{} invocations", result.out_of_fuel);
        return Err(Error::of(&[parallax::endless(&compiled.shader.func, fuel, &who)], ""));
    }
    let buffers = buffers_member(compiled, &result.buffers);
    Ok(buffers.strip_prefix(',').unwrap_or(r#""buffers":{}"#).to_string())
}

/// The member `buffers` of an answer, behind others; nothing for programs without buffers.
fn buffers_member(compiled: &Compiled, buffers: &[Vec<u32>]) -> String {
    let names = compiled.shader.func.iface.buffers.iter().map(|buffer| buffer.name.as_str());
    let members: Vec<String> = names
        .zip(buffers)
        .map(|(name, words)| {
            let words: Vec<String> = words.iter().map(|word| format!("\"{word:08x}\"")).collect();
            format!("{}:[{}]", string(name), words.join(","))
        })
        .collect();
    if members.is_empty() { String::new() } else { format!(r#","buffers":{{{}}}"#, members.join(",")) }
}

/// Buffers and constants of a request, as words by name.
fn words(request: &Request) -> Result<NamedWords, Error> {
    let mut out = NamedWords::new();
    for (name, list) in request.buffers.iter().flat_map(|pairs| &pairs.0) {
        let wrong = |text: &String| {
            let message = format!("buffer `{name}`: {} is not a hexadecimal word of up to 8 digits", string(text));
            Error::invalid("buffers", message)
        };
        let words: Result<Vec<u32>, Error> = list.iter().map(|text| hex32(text).ok_or_else(|| wrong(text))).collect();
        out.push((name.clone(), words?));
    }
    if let Some(hex) = &request.push {
        let bytes = hex_bytes(hex)
            .filter(|bytes| bytes.len().is_multiple_of(4))
            .ok_or_else(|| Error::invalid("push", "`push` must be whole words as pairs of hexadecimal digits"))?;
        out.push(("push".into(), bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect()));
    }
    Ok(out)
}

/// Specialisation constants of a request, sorted.
fn specialisations(request: &Request) -> Result<Vec<(u32, u64)>, Error> {
    let mut out = Vec::new();
    for (id, value) in &request.spec.0 {
        let id = id.parse().map_err(|_| Error::invalid("spec", format!("{} is not a number", string(id))))?;
        let digits = (1..=16).contains(&value.len()) && value.bytes().all(|b| b.is_ascii_hexdigit());
        let bits = u64::from_str_radix(value, 16).ok().filter(|_| digits);
        let bits = bits.ok_or_else(|| {
            Error::invalid("spec", format!("{} is not a number of up to 16 hexadecimal digits", string(value)))
        })?;
        out.push((id, bits));
    }
    out.sort();
    Ok(out)
}

/// Keys that no instruction set at hand has a use for.
fn refuse_what_is_not_done(request: &Request) -> Result<(), Error> {
    if request.buffers.is_some() && request.op != Verb::Run {
        return Err(Error::invalid("key", "`buffers` belongs to op `run`"));
    }
    if request.to.is_some() {
        return Err(Error::invalid("key", "`to` belongs to op `translate`"));
    }
    Ok(())
}

fn layout(request: &Request) -> LayoutRequest {
    let Request { dialect, order, base, bare, .. } = request;
    LayoutRequest { dialect: dialect.clone(), order: order.clone(), base: *base, bare: *bare }
}

fn key(request: &Request) -> Result<Key, Error> {
    let bytes = match (&request.text, &request.hex) {
        (Some(text), None) => text.clone().into_bytes(),
        (None, Some(hex)) => {
            hex_bytes(hex).ok_or_else(|| Error::invalid("hex", "`hex` must consist of pairs of hexadecimal digits"))?
        }
        (Some(_), Some(_)) => {
            return Err(Error::invalid("request", "give the program as `text` or as `hex`, not both"));
        }
        (None, None) => return Err(Error::invalid("request", "the program is missing: give `text` or `hex`")),
    };
    let mut settings = Vec::new();
    for (name, value) in &request.options.0 {
        let value = match value {
            Value::String(text) => text.clone(),
            Value::Bool(_) | Value::Number(_) => value.to_string(),
            _ => return Err(Error::invalid("option", format!("option `{name}` must be a string"))),
        };
        settings.push((name.clone(), value));
    }
    settings.sort();
    let mut watch = request.watch.clone().unwrap_or_default();
    watch.sort();
    watch.dedup();
    let stage = request.stage.map(|stage| match stage {
        StageName::Fragment => Stage::Fragment,
        StageName::Vertex => Stage::Vertex,
        StageName::Compute => Stage::Compute,
    });
    Ok(Key {
        isa: request.isa.clone(),
        layout: layout(request),
        bytes,
        watch,
        state: Vec::new(),
        settings,
        entry: request.entry.clone(),
        stage,
        spec: specialisations(request)?,
    })
}

/// The quad a request describes, and the names of all registers it sets, sorted.
fn lane_case(request: &Request, frontend: &Frontend) -> Result<(LaneCase, Vec<String>), Error> {
    let read = |pairs: &Pairs<Words>| -> Result<Registers, Error> {
        let one = |(name, value): &(String, Words)| {
            registers::read(name, value, frontend.value_format(name, request.dialect.as_deref()))
        };
        let lists: Result<Vec<Registers>, Error> = pairs.0.iter().map(one).collect();
        Ok(lists?.into_iter().flatten().collect())
    };
    let mut case = LaneCase {
        state: read(&request.state)?,
        planes: planes(&request.planes)?,
        words: words(request)?,
        position: request.position.unwrap_or_default(),
        ..LaneCase::default()
    };
    if let Some(lanes) = &request.lanes {
        let four: &[Pairs<Words>; LANES] = lanes
            .as_slice()
            .try_into()
            .map_err(|_| Error::invalid("lanes", format!("expected 4 lanes (one quad), found {}", lanes.len())))?;
        for (lane, pairs) in case.lanes.iter_mut().zip(four) {
            *lane = read(pairs)?;
        }
    }
    if let Some(given) = &request.samples {
        case.samples = samples(given, frontend.samples)?;
    }
    let mut names: Vec<String> = case.state.iter().chain(case.lanes.iter().flatten()).map(|(n, _)| n.clone()).collect();
    names.sort();
    names.dedup();
    Ok((case, names))
}

/// Attributes as planes over the window. `1/w` is that of perspective, which no attribute can be named like.
fn planes(given: &Pairs<Vec<[String; 3]>>) -> Result<LanePlanes, Error> {
    let mut out = LanePlanes::default();
    for (name, components) in &given.0 {
        let wrong = |message: String| Error::invalid("planes", format!("`{name}`: {message}"));
        let mut planes = Vec::with_capacity(components.len());
        for component in components {
            let mut plane: LanePlane = [0; 3];
            for (word, text) in plane.iter_mut().zip(component) {
                *word = hex32(text).ok_or_else(|| wrong(format!("{} is not a hexadecimal word", string(text))))?;
            }
            planes.push(plane);
        }
        match (name.as_str(), planes.as_slice()) {
            ("1/w", [plane]) => out.inverse_w = Some(*plane),
            ("1/w", _) => return Err(wrong(format!("expected one plane, found {}", planes.len()))),
            (_, []) => return Err(wrong("expected a plane for each component: a0, dadx, dady".into())),
            _ => out.attributes.push((name.clone(), planes)),
        }
    }
    Ok(out)
}

/// Multisampling state.
fn samples(given: &Samples, most: u32) -> Result<LaneSamples, Error> {
    let wrong = |message: String| Error::invalid("samples", message);
    let count = given.count;
    if !(1..=most).contains(&count) {
        return Err(wrong(format!("{count} samples: expected 1 to {most}")));
    }
    let all = u32::MAX >> (32 - count);
    let mut out = LaneSamples { count, masks: [all; LANES], ..LaneSamples::default() };
    if let Some(coverage) = &given.coverage {
        if coverage.len() != LANES {
            return Err(wrong(format!("expected the coverage of 4 lanes, found {}", coverage.len())));
        }
        for (mask, text) in out.masks.iter_mut().zip(coverage) {
            *mask = hex32(text)
                .filter(|m| m & !all == 0)
                .ok_or_else(|| wrong(format!("{} is not a mask of {count} samples", string(text))))?;
        }
    }
    // Who gives numbers of samples shades them.
    out.per_sample = given.per_sample.unwrap_or(given.index.is_some());
    if let Some(index) = &given.index {
        out.index = index
            .as_slice()
            .try_into()
            .map_err(|_| wrong(format!("expected the sample numbers of 4 lanes, found {}", index.len())))?;
        if let Some(bad) = out.index.iter().find(|n| **n >= count) {
            return Err(wrong(format!("sample {bad} does not exist; there are {count}, counted from 0")));
        }
    }
    Ok(out)
}

/// The lanes of the answer.
fn report(request: &Request, frontend: &Frontend, compiled: &Compiled, lanes: &[LaneResult; LANES]) -> Result2 {
    let outputs = &compiled.shader.func.iface.outputs;
    let mut seen = FxHashSet::default();
    let wanted: Vec<&str> = match &request.watch {
        // Depths of single samples have names to be watched by.
        None => {
            let shown = |role| !matches!(role, OutputRole::Watch | OutputRole::SampleDepth(_));
            outputs.iter().filter(|o| shown(o.role)).map(|o| o.name.as_str()).collect()
        }
        Some(names) => names.iter().map(String::as_str).filter(|n| !n.is_empty() && seen.insert(*n)).collect(),
    };
    let mut out = Vec::with_capacity(LANES);
    for lane in lanes {
        let mut members = Vec::with_capacity(wanted.len() + 1);
        for name in &wanted {
            let format = frontend.value_format(name, request.dialect.as_deref());
            let value = registers::print(name, lane, format)
                .ok_or_else(|| Error::invalid("watch", format!("`{name}` is not a register of this program")))?;
            members.push(format!("{}:{value}", string(name)));
        }
        members.push(format!(r#""killed":{}"#, lane.killed));
        out.push(format!("{{{}}}", members.join(",")));
    }
    Ok(format!(r#""lanes":[{}]"#, out.join(",")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(lines: &[&str]) -> Vec<Value> {
        let mut session = Session::new(Registry::default(), Engine::Interp);
        lines.iter().map(|l| serde_json::from_str(&session.line(l.as_bytes())).unwrap()).collect()
    }

    const HALF: &str = r#""isa":"nvfp","dialect":"patent","text":"ADD H0,c[0],c[1];""#;

    #[test]
    fn a_case_runs_and_answers_in_the_registers_width() {
        let state = r#""state":{"c[0]":["3fc00000","40000000","40400000","40800000"]}"#;
        let line = format!(r#"{{"id":"x1",{HALF},"model":"nv-patent",{state},"watch":["H0","cc"]}}"#);
        let found = &ask(&[&line])[0];
        assert_eq!((&found["id"], &found["ok"]), (&Value::from("x1"), &Value::from(true)), "{found}");
        assert_eq!(found["lanes"][3]["H0"], serde_json::json!(["3e00", "4000", "4200", "4400"]));
        assert_eq!(found["lanes"][0]["killed"], false);
    }

    #[test]
    fn machine_words_are_listed_assembled_and_run() {
        let found = ask(&[
            r#"{"id":1,"op":"as","isa":"attila","text":"add r0, i0, 0.5"}"#,
            r#"{"id":2,"op":"as","isa":"attila","text":"nop\nadd r0, i0, 0.5"}"#,
            r#"{"id":3,"op":"dis","isa":"attila","hex":"01008039f3000000001b00000000003f"}"#,
            r#"{"id":4,"op":"dis","isa":"attila","hex":"0e00"}"#,
            r#"{"id":5,"op":"as","isa":"attila","text":"nop\nadd r0 i0"}"#,
            r#"{"id":6,"isa":"attila","text":"setpgt p0, i0.x, c1.y\nfxmul r0, i0, i0","state":{"i0":["3f800000","00000000","00000000","3fc00000"],"p1":"1"},"watch":["p0","p1","acc","r0"]}"#,
            r#"{"id":7,"isa":"attila","text":"fxmad r0, i0, i0, i0","state":{"acc":["-2.8000000000000000","+0.0000000000000000","+0.0000000000000000","00.0000000000000000"]},"watch":["acc","r0"]}"#,
        ]);
        assert_eq!(found[0]["hex"], "01008039f3000000001b00000000003f");
        assert_eq!(found[1]["hex"].as_str().map(|h| &h[32..36]), Some("0101"));
        assert_eq!(found[2]["text"], serde_json::json!(["add r0, i0, 0.500000"]));
        assert_eq!(
            (&found[3]["error"]["code"], &found[3]["error"]["offset"]),
            (&"truncated-instruction".into(), &0.into())
        );
        assert_eq!((&found[4]["error"]["line"], &found[4]["error"]["column"]), (&2.into(), &8.into()));
        let lane = &found[5]["lanes"][0];
        assert_eq!((&lane["p0"], &lane["p1"]), (&"1".into(), &"1".into()), "{}", found[5]);
        assert_eq!(lane["acc"][3], "+2.4000000000000000");
        let lane = &found[6]["lanes"][0];
        assert_eq!(
            (&lane["acc"][0], &lane["r0"][0]),
            (&"-2.8000000000000000".into(), &"c0200000".into()),
            "{}",
            found[6]
        );
    }

    #[test]
    fn bad_lines_give_an_error_line_and_the_next_goes_on() {
        let lines = [
            "{",
            "[]",
            "null",
            r#"{"id":7,"isa":"nvfp","text":"x","nope":1}"#,
            r#"{"id":8,"isa":"nvfp"}"#,
            r#"{"id":9,"isa":"abc","text":"x"}"#,
            r#"{"id":10,"isa":"nvfp","dialect":"patent","text":"ADD H0,"}"#,
            r#"{"id":11,"isa":"nvfp","dialect":"patent","text":"MOV R0,c[0];","lanes":[{},{}]}"#,
            r#"{"id":12,"isa":"nvfp","dialect":"patent","text":"MOV R0,c[0];","model":"iee"}"#,
            r#"{"id":13,"isa":"nvfp","dialect":"patent","text":"MOV R0,c[0];","state":{"c[0]":["0"]}}"#,
            r#"{"id":14,"isa":"nvfp","dialect":"patent","text":"MOV R0,c[0];","watch":["R99"]}"#,
            r#"{"id":15,"isa":"nvfp","dialect":"patent","text":"MOV R0,c[0];","lanes":[{"c[0]":["00000000","00000000","00000000","00000000"]},{},{},{}]}"#,
            r#"{"id":16,"op":"as","isa":"tgsi","text":"x"}"#,
            r#"{"id":17,"isa":"nvfp","text":"x","hex":"00"}"#,
            r#"{"id":18,"isa":"nvfp","hex":"0"}"#,
            r#"{"id":19,"isa":"nvfp","dialect":"patent","text":"MOV R0,c[0];","buffers":{}}"#,
        ];
        let found = ask(&lines);
        for (line, found) in lines.iter().zip(&found) {
            assert_eq!(found["ok"], false, "{line}");
            assert!(found["error"]["message"].as_str().is_some_and(|m| !m.is_empty()), "{line}");
        }
        assert_eq!(found[0]["error"]["code"], "json");
        assert!(found[0]["id"].is_null());
        assert_eq!((&found[3]["id"], &found[3]["error"]["code"]), (&Value::from(7), &Value::from("request")));
        assert_eq!(found[6]["error"]["line"], 1);
        assert_eq!(found[12]["error"]["kind"], "unsupported");
        assert_eq!(found[15]["error"]["kind"], "unsupported");
    }
}
