//! One stream of cases: programs and models already seen are kept.

use super::Result2;
use super::answer::{Error, answer, string};
use super::machine::machine;
use super::memory::{buffers_member, dispatch, parameters, run_kernel, specialisations};
use super::quad::{LANES, lane_case};
use super::registers;
use super::request::{Request, StageName, Verb, hex_bytes};
use super::texture::units;
use crate::draw::{Origin, draw_all};
use crate::registry::{Registry, diagnose};
use parallax::{
    Compiled, Dispatch, Engine, Frontend, LaneResult, LayoutRequest, LoadOptions, Loaded, Optimise, Stage, Status,
    run_lanes_in,
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
    block: Option<[u32; 3]>,
    shared_bytes: u32,
    robust: bool,
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
        if request.op == Verb::Translate {
            let message = format!("op `{}` is not supported for {}", request.op.name(), request.isa);
            return Err(Error::unsupported("op", message));
        }
        refuse_what_is_not_done(request)?;
        if matches!(request.op, Verb::Dis | Verb::As) {
            return machine(request);
        }
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
        let frontend = request.frontend()?;
        let (mut case, names) = lane_case(request, frontend)?;
        key.state = names;
        let model = match &request.model {
            Some(name) => name.clone(),
            None => self.load(&key)?.loaded.model.to_string(),
        };
        let compiled = self.compiled(&key, &model)?;
        let iface = &compiled.shader.func.iface;
        let is_open = |name: &str| frontend.value_format(name, request.dialect.as_deref()).is_none();
        for registers in std::iter::once(&case.state).chain(&case.lanes) {
            registers::check(registers, iface, is_open)?;
        }
        if let Some(budget) = request.budget {
            case.fuel = parallax::fuel_of_budget(budget);
        }
        case.textures = units(&request.textures, Some(iface), &mut case.words)?;
        case.state.extend(parameters(request, iface)?);
        if iface.stage == Stage::Compute {
            let dispatch = dispatch(request, case);
            if request.check_races == Some(true) {
                self.check_races(&key, &model, &dispatch)?;
            }
            return run_kernel(&compiled, &dispatch);
        }
        if request.check_races.is_some() {
            return Err(Error::invalid("key", "`check_races` belongs to compute shaders"));
        }
        if request.robust.is_some() {
            return Err(Error::invalid("key", "`robust` belongs to compute shaders"));
        }
        if !request.params.0.is_empty() {
            return Err(Error::invalid("key", "`params` belongs to compute shaders"));
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

    /// Looks for races of a kernel.
    fn check_races(&mut self, key: &Key, model: &str, dispatch: &Dispatch) -> Result<(), Error> {
        let model = self.model(model)?;
        let loaded = &self.load(key)?.loaded;
        let shader = loaded.shader.as_ref().ok_or_else(lost)?;
        parallax::check_races(shader, &model, dispatch).map_err(|found| Error::of(&found.diags, &loaded.text))
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
                    block: key.block,
                    shared_bytes: key.shared_bytes,
                    robust: key.robust,
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

/// Keys that no instruction set at hand has a use for.
fn refuse_what_is_not_done(request: &Request) -> Result<(), Error> {
    if request.buffers.is_some() && !request.frontend()?.has_words {
        return Err(Error::unsupported("key", format!("`buffers` is not supported for {}", request.isa)));
    }
    if request.buffers.is_some() && request.op != Verb::Run {
        return Err(Error::invalid("key", "`buffers` belongs to op `run`"));
    }
    if request.to.is_some() {
        return Err(Error::invalid("key", "`to` belongs to op `translate`"));
    }
    Ok(())
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
        layout: request.layout(),
        bytes,
        watch,
        state: Vec::new(),
        settings,
        entry: request.entry.clone(),
        stage,
        block: request.block,
        shared_bytes: request.shared_bytes.unwrap_or(0),
        robust: request.robust.unwrap_or(false),
        spec: specialisations(request)?,
    })
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
