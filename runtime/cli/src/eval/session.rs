//! One stream of cases: programs and models already seen are kept.

use super::Result2;
use super::answer::{Error, answer, string};
use super::registers::{Target, find, print, unwritten, words};
use super::request::{Pairs, Request, Samples, Verb, Words, hex_bytes, hex32};
use super::texture::units;
use crate::draw::{Origin, draw_all};
use crate::shelf::{Shelf, diagnose};
use parallax::{Compiled, LoadOptions, Loaded, Optimise, Status};
use parallax_core::exec::{FUEL, Inputs, Outputs, PlaneType};
use parallax_core::{AttrSemantic, Interface, OutputRole, Stage, SysVal, text};
use parallax_num::{Model, Op, Rule, Storage, eval};
use parallax_text::DiagKind;
use rustc_hash::FxHashMap;
use serde_json::Value;
use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::rc::Rc;

/// Lanes of a case: one quad.
const LANES: usize = 4;
/// Programs kept; when there are more, all are forgotten.
const PROGRAMS: usize = 1024;
/// System values an engine may ask for.
const SYSVALS: usize = SysVal::QuadLane as usize + 1;

/// What makes two programs the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key {
    isa: String,
    dialect: Option<String>,
    bytes: Vec<u8>,
    watch: Vec<String>,
    preset: Vec<String>,
    settings: Vec<(String, String)>,
}

/// A program and what it was compiled to, by model.
struct Known {
    loaded: Loaded,
    compiled: FxHashMap<String, Rc<Runnable>>,
}

/// A program ready to run under a model.
struct Runnable {
    compiled: Compiled,
    planes: Vec<Option<PlaneType>>,
    /// Conversions of planes to the bits of their declared format, where the container is another.
    observe: Vec<Option<Rule>>,
}

pub(super) struct Session {
    shelf: Shelf,
    models: FxHashMap<String, Model>,
    programs: FxHashMap<Key, Known>,
    outputs: Outputs,
}

impl Session {
    pub(super) fn new(shelf: Shelf) -> Session {
        Session { shelf, models: FxHashMap::default(), programs: FxHashMap::default(), outputs: Outputs::default() }
    }

    /// The answer to one line, without line feed.
    pub(super) fn line(&mut self, line: &[u8]) -> String {
        let line = line.trim_ascii_end();
        let request = match std::str::from_utf8(line) {
            Err(error) => {
                let message = format!("byte {} is no UTF-8 text", error.valid_up_to());
                return answer("null", &Err(Error::invalid("json", message)));
            }
            Ok(text) => serde_json::from_str::<Request>(text),
        };
        let id = identity(line);
        let result = match request {
            Err(error) => Err(malformed(&error)),
            Ok(request) => std::panic::catch_unwind(AssertUnwindSafe(|| self.case(&request))).unwrap_or_else(|_| {
                // Whatever the panic left behind is not used again.
                self.programs.clear();
                self.outputs = Outputs::default();
                Err(Error::new(DiagKind::Internal, "panic", "this case meets a bug of parallax"))
            }),
        };
        answer(&id, &result)
    }

    fn case(&mut self, request: &Request) -> Result2 {
        match request.op {
            Verb::Run | Verb::Check | Verb::Lift => {}
            op => {
                let message = format!("op `{}` is not done for {}", op.name(), request.isa);
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
        if request.lanes.as_ref().is_some_and(|lanes| lanes.len() != LANES) {
            let found = request.lanes.as_ref().map_or(0, Vec::len);
            return Err(Error::invalid("lanes", format!("expected 4 lanes (one quad), found {found}")));
        }
        // Names that are no input of the program are registers with an initial value: the program is lifted for them.
        let lanes = request.lanes.iter().flatten();
        let mut presets: Vec<String> = Vec::new();
        let known = self.load(&key)?;
        let iface = &known.loaded.shader.as_ref().ok_or_else(lost)?.func.iface;
        for (name, _) in request.state.0.iter().chain(lanes.flat_map(|l| &l.0)) {
            if find(iface, name)? == Target::Preset && !presets.contains(name) {
                presets.push(name.clone());
            }
        }
        presets.sort();
        key.preset.clone_from(&presets);
        let textures = units(&request.textures)?;
        let known = self.load(&key)?;
        let own = known.loaded.model;
        let dialect = known.loaded.shader.as_ref().map_or("", |s| s.func.name.as_str()).to_string();
        let label = request.model.clone().unwrap_or_else(|| own.to_string());
        let runnable = match self.programs.get(&key).and_then(|k| k.compiled.get(&label)) {
            Some(known) => known.clone(),
            None => {
                let model = self.model(&label)?;
                self.compile(&key, &label, &model)?
            }
        };
        let func = &runnable.compiled.shader.func;
        if func.iface.stage == Stage::Compute {
            return Err(Error::unsupported("stage", "compute shaders are not run"));
        }
        if let Some(missing) = textures.check(func).first() {
            return Err(match missing {
                parallax_texture::Missing::Unit(_) => Error::invalid("texture", missing.to_string()),
                parallax_texture::Missing::Target { .. } => Error::unsupported("texture", missing.to_string()),
            });
        }
        let dialect = request.dialect.as_deref().unwrap_or(&dialect);
        let state = State::new(request, &func.iface, &presets, dialect)?;
        let banks: Vec<&[[u32; 4]]> = state.banks.iter().map(Vec::as_slice).collect();
        let inputs = Inputs {
            lanes: LANES,
            attrs: &state.attrs,
            banks: &banks,
            sysvals: &state.sysvals,
            covered: &[true; LANES],
            textures: &textures,
            fuel: FUEL,
        };
        runnable.compiled.program.run(&inputs, &mut self.outputs);
        report(request.watch.as_deref(), &runnable, &self.outputs)
    }

    /// The program, read and lifted; an error if it cannot be run.
    fn load(&mut self, key: &Key) -> Result<&Known, Error> {
        if !self.programs.contains_key(key) {
            if self.programs.len() >= PROGRAMS {
                self.programs.clear();
            }
            let options = LoadOptions {
                isa: Some(key.isa.clone()),
                dialect: key.dialect.clone(),
                lift: parallax_lift::Options {
                    watch: key.watch.clone(),
                    preset: key.preset.clone(),
                    settings: key.settings.iter().cloned().collect::<BTreeMap<_, _>>(),
                },
            };
            let loaded = parallax::load("", &key.bytes, &options);
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
        let model = self.shelf.named(name).map_err(|e| {
            let diag = diagnose(&e, name);
            let help: String = diag.help.iter().map(|h| format!("; {h}")).collect();
            Error::invalid("model", format!("{}{help}", diag.message))
        })?;
        if self.models.len() >= PROGRAMS {
            self.models.clear();
        }
        self.models.insert(name.to_string(), model.clone());
        Ok(model)
    }

    fn compile(&mut self, key: &Key, label: &str, model: &Model) -> Result<Rc<Runnable>, Error> {
        let known = self.programs.get_mut(key).ok_or_else(lost)?;
        let shader = known.loaded.shader.as_ref().ok_or_else(lost)?;
        let compiled = parallax::compile(shader, model, Optimise::Yes).map_err(|diags| Error::of(&diags, ""))?;
        let planes = compiled.program.planes();
        let observe = planes.iter().map(|plane| plane.and_then(observer)).collect();
        let runnable = Rc::new(Runnable { compiled, planes, observe });
        known.compiled.insert(label.to_string(), runnable.clone());
        Ok(runnable)
    }
}

/// The conversion of a plane's words to the bits of its declared format, if they are not those already.
fn observer(plane: PlaneType) -> Option<Rule> {
    let (decl, storage): (_, Storage) = (plane.ty.decl()?, plane.storage?);
    let own = decl.format().storage();
    (own != storage).then(|| Rule { source: storage, ..Rule::ieee(decl, decl.format()) })
}

/// The `id` of a line as JSON, as far as one can be found in it.
fn identity(line: &[u8]) -> String {
    #[derive(serde::Deserialize)]
    struct Id {
        #[serde(default)]
        id: Value,
    }
    serde_json::from_slice::<Id>(line).map_or_else(|_| "null".into(), |found| found.id.to_string())
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
    let given = [
        ("bare", request.bare.is_some()),
        ("base", request.base.is_some()),
        ("order", request.order.is_some()),
        ("buffers", request.buffers.is_some()),
    ];
    if let Some((key, _)) = given.iter().find(|(_, given)| *given) {
        return Err(Error::unsupported("key", format!("`{key}` is not done for {}", request.isa)));
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
            hex_bytes(hex).ok_or_else(|| Error::invalid("hex", "`hex` is not made of pairs of hexadecimal digits"))?
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
            _ => return Err(Error::invalid("option", format!("option `{name}` is no word"))),
        };
        settings.push((name.clone(), value));
    }
    settings.sort();
    let mut watch = request.watch.clone().unwrap_or_default();
    watch.sort();
    watch.dedup();
    Ok(Key { isa: request.isa.clone(), dialect: request.dialect.clone(), bytes, watch, preset: Vec::new(), settings })
}

/// Inputs of the quad.
struct State {
    attrs: Vec<u32>,
    banks: Vec<Vec<[u32; 4]>>,
    sysvals: Vec<u32>,
}

impl State {
    fn new(request: &Request, iface: &Interface, presets: &[String], dialect: &str) -> Result<State, Error> {
        let mut state = State {
            attrs: vec![0; iface.attrs.len() * 4 * LANES],
            banks: iface.banks.iter().map(|b| vec![[0; 4]; b.len as usize]).collect(),
            sysvals: vec![0; SYSVALS * LANES],
        };
        state.built_in(request, iface)?;
        for (name, value) in &request.state.0 {
            let target = find(iface, name)?;
            let value = words(name, value, kind(target, presets, name), &request.isa, dialect)?;
            match target {
                Target::Attr(at) => (0..LANES).for_each(|lane| state.set(at, lane, value)),
                Target::Const(bank, index) => {
                    let bank = &mut state.banks[bank];
                    if bank.len() <= index as usize {
                        bank.resize(index as usize + 1, [0; 4]);
                    }
                    bank[index as usize] = value;
                }
                Target::Preset => return Err(lost()),
            }
        }
        let none = Pairs::<Words>::default();
        for lane in 0..LANES {
            for (name, value) in &request.lanes.as_ref().map_or(&none, |lanes| &lanes[lane]).0 {
                match find(iface, name)? {
                    target @ Target::Attr(at) => {
                        let value = words(name, value, kind(target, presets, name), &request.isa, dialect)?;
                        state.set(at, lane, value);
                    }
                    Target::Const(..) => {
                        let message = format!("`{name}` is the same in all lanes: set it in `state`");
                        return Err(Error::invalid("lanes", message));
                    }
                    Target::Preset => return Err(lost()),
                }
            }
        }
        Ok(state)
    }

    fn set(&mut self, attr: usize, lane: usize, value: [u32; 4]) {
        for (comp, word) in value.into_iter().enumerate() {
            self.attrs[(attr * 4 + comp) * LANES + lane] = word;
        }
    }

    /// Positions, faces and system values.
    fn built_in(&mut self, request: &Request, iface: &Interface) -> Result<(), Error> {
        let [x, y] = request.position.unwrap_or_default();
        for (at, attr) in iface.attrs.iter().enumerate() {
            for lane in 0..LANES {
                let (dx, dy) = (lane as u32 & 1, lane as u32 >> 1);
                let place = [x.saturating_add(dx), y.saturating_add(dy)].map(|p| p as f32 + 0.5);
                match attr.semantic {
                    AttrSemantic::Position => self.set(at, lane, [place[0], place[1], 0.5, 1.0].map(f32::to_bits)),
                    AttrSemantic::Face => self.set(at, lane, [1.0, 0.0, 0.0, 1.0].map(f32::to_bits)),
                    _ => {}
                }
            }
        }
        let mut set = |value: SysVal, words: [u32; LANES]| {
            self.sysvals[value as usize * LANES..][..LANES].copy_from_slice(&words);
        };
        set(SysVal::FrontFacing, [u32::MAX; LANES]);
        set(SysVal::SampleMask, [1; LANES]);
        set(SysVal::SampleCount, [1; LANES]);
        if let Some(Samples { count, coverage, index, .. }) = &request.samples {
            let wrong = |message: String| Error::invalid("samples", message);
            if !(1..=32).contains(count) {
                return Err(wrong(format!("{count} samples: 1 to 32 are possible")));
            }
            let all = u32::MAX >> (32 - count);
            set(SysVal::SampleCount, [*count; LANES]);
            set(SysVal::SampleMask, [all; LANES]);
            if let Some(coverage) = coverage {
                let four: &[String; LANES] = coverage
                    .as_slice()
                    .try_into()
                    .map_err(|_| wrong(format!("expected the coverage of 4 lanes, found {}", coverage.len())))?;
                let mut masks = [0; LANES];
                for (mask, text) in masks.iter_mut().zip(four) {
                    *mask = hex32(text)
                        .filter(|m| m & !all == 0)
                        .ok_or_else(|| wrong(format!("{} is no mask of {count} samples", string(text))))?;
                }
                set(SysVal::SampleMask, masks);
            }
            if let Some(index) = index {
                let four: [u32; LANES] = index
                    .as_slice()
                    .try_into()
                    .map_err(|_| wrong(format!("expected the sample numbers of 4 lanes, found {}", index.len())))?;
                if let Some(bad) = four.iter().find(|n| *n >= count) {
                    return Err(wrong(format!("sample {bad} of {count}, counted from 0")));
                }
                set(SysVal::SampleId, four);
            }
        }
        Ok(())
    }
}

/// Registers with an initial value are attributes of the lifted program, but have the width of the register.
fn kind(target: Target, presets: &[String], name: &str) -> Target {
    if presets.iter().any(|p| p == name) { Target::Preset } else { target }
}

/// The lanes of the answer.
fn report(watch: Option<&[String]>, runnable: &Runnable, outputs: &Outputs) -> Result2 {
    let iface = &runnable.compiled.shader.func.iface;
    let wanted: Vec<(&str, usize)> = match watch {
        None => {
            let shown = iface.outputs.iter().enumerate().filter(|(_, o)| o.role != OutputRole::Watch);
            shown.map(|(at, o)| (o.name.as_str(), at)).collect()
        }
        Some(names) => {
            let mut wanted: Vec<(&str, usize)> = Vec::new();
            for name in names {
                let watched = iface.outputs.iter().position(|o| o.role == OutputRole::Watch && o.name == *name);
                let at = watched.or_else(|| iface.outputs.iter().position(|o| o.name == *name));
                let Some(at) = at else {
                    return Err(Error::invalid("watch", format!("`{name}` is no register of this program")));
                };
                if wanted.iter().all(|(known, _)| known != name) {
                    wanted.push((name, at));
                }
            }
            wanted
        }
    };
    let mut lanes = Vec::with_capacity(LANES);
    for lane in 0..LANES {
        let mut members = Vec::with_capacity(wanted.len() + 1);
        for &(name, output) in &wanted {
            let planes = output * 4..output * 4 + 4;
            let like = planes.clone().find_map(|p| runnable.planes[p]);
            let word = |plane: usize| {
                let bits = outputs.planes.get(plane).and_then(|p| p.bits.get(lane).copied());
                match (runnable.planes[plane], bits) {
                    (Some(ty), Some(bits)) => {
                        let observed = runnable.observe[plane].as_ref();
                        string(&print(ty, observed.map_or(bits, |rule| eval(Op::Cvt, rule, &[bits]))))
                    }
                    _ => string(&unwritten(like)),
                }
            };
            let value = format!("[{}]", planes.map(word).collect::<Vec<_>>().join(","));
            members.push(format!("{}:{value}", string(name)));
        }
        members.push(format!(r#""killed":{}"#, !outputs.covered.get(lane).copied().unwrap_or(true)));
        if outputs.out_of_fuel.get(lane).copied().unwrap_or(false) {
            members.push(r#""out_of_fuel":true"#.into());
        }
        lanes.push(format!("{{{}}}", members.join(",")));
    }
    Ok(format!(r#""lanes":[{}]"#, lanes.join(",")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(lines: &[&str]) -> Vec<Value> {
        let mut session = Session::new(Shelf::default());
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
            r#"{"id":16,"op":"as","isa":"nvfp","text":"x"}"#,
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
