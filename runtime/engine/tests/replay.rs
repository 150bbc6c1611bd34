//! What a recorded draw tells of other rules is what compiled shaders draw under them.

use parallax::{
    Change, Control, Draw, Engine, LoadOptions, Manifest, Optimise, Quads, Recording, Stage, Workers,
    apply_driver_rewrites, compile_bound, frontend, load, run_draw,
};
use parallax_core::num::{Decl, Model, Probe, Storage};
use parallax_core::{Bound, OpId, Shader, Symbolic};
use parallax_random::Random;

/// A shader under two models, in containers that hold the values of both.
fn under_two(shader: &Shader<Symbolic>, [a, b]: [&Model; 2]) -> [Shader<Bound>; 2] {
    let wide = |decl: Decl| match (a.storage(decl), b.storage(decl)) {
        (a, b) if a == b => a,
        (Storage::F64, _) | (_, Storage::F64) => Storage::F64,
        _ => Storage::F32,
    };
    let containers = Decl::ALL.map(wide);
    let rewritten = apply_driver_rewrites(shader, a).into_owned().with_library_of(a);
    let [own, mut other] = [a, b].map(|model| rewritten.bind(&model.clone().in_containers(containers)));
    other.state.take_around(&own.state);
    [own, other]
}

/// The shader with some of the other one's ops.
fn mixed(own: &Shader<Bound>, changes: &[Change]) -> Shader<Bound> {
    let mut out = own.clone();
    for change in changes {
        let rule = change.rule.map(|rule| out.state.rules.push(rule));
        out.func.ops[change.op].kind = change.kind;
        out.func.ops[change.op].rule = rule;
    }
    out
}

#[test]
fn recorded_draws_tell_what_other_rules_give() {
    let mut random = Random::new(6);
    let pairs =
        [["ieee", "ati-r300"], ["nv40", "ieee"], ["binary64", "ieee"], ["rogue", "adreno"], ["nv-patent", "vc4"]];
    let (mut told, mut parted, mut differ, mut refused) = (0, 0, 0, 0);
    let files = parallax_corpus::shaders().filter(|f| frontend(f.folder()).is_some());
    for (number, file) in files.enumerate() {
        let manifest = parallax_corpus::get(&format!("{}/{}.toml", file.folder(), file.stem()));
        let mut manifest = manifest.map(|m| Manifest::parse(m.path, m.text().unwrap()).unwrap()).unwrap_or_default();
        if let Some(vertex) = manifest.vertex_program().and_then(|name| file.beside(name)) {
            manifest.give_vertex_program(vertex.bytes);
        }
        let mut options = LoadOptions::default();
        options.lift.settings.clone_from(&manifest.options);
        let shader = load(file.path, file.bytes, &options).shader.unwrap();
        if shader.func.iface.stage != Stage::Fragment {
            continue;
        }
        let [a, b] = pairs[number % pairs.len()].map(|name| Model::builtin(name).unwrap());
        let b = if number % 3 == 0 { b.with_probe(Probe::Lowest) } else { b };
        let draw = Draw::new(&shader.func.iface, &manifest).unwrap();
        let draw = Draw {
            width: 31,
            height: 22,
            ..draw.with_vertices(&shader.func.iface, &a, Engine::Interp).unwrap().into_owned()
        };
        let quads = Quads::some(draw.width, draw.height);
        let control = Control { only: Some(&quads), ..Control::default() };
        let [own, other] = under_two(&shader, [&a, &b]);
        let drawn = |shader: Shader<Bound>| {
            let compiled = compile_bound(shader, Optimise::Yes, Engine::Interp).unwrap();
            run_draw(&compiled, &draw, &Workers::serial(), control).unwrap()
        };
        let Some((frame, recording)) = Recording::new(own.clone(), &draw, control, Engine::default()).unwrap() else {
            refused += 1;
            continue;
        };
        let plain = drawn(own.clone());
        assert_eq!(frame, plain, "{}", file.path);
        let all = recording.changes_to(&other).unwrap();
        for n in 0..6 {
            let some: Vec<Change> = match n {
                0 => all.clone(),
                _ => all.iter().copied().filter(|_| random.below(1 << n) == 0).collect(),
            };
            let found = recording.frame_with(some.iter().copied(), &draw, control).unwrap();
            let ops: Vec<OpId> = some.iter().map(|change| change.op).collect();
            match found {
                Some(found) => {
                    let wanted = drawn(mixed(&own, &some));
                    assert_eq!(found, wanted, "{} {} to {}: {ops:?}", file.path, a.label(), b.label());
                    told += 1;
                    differ += usize::from(found != plain);
                }
                None => parted += 1,
            }
        }
    }
    assert!(told > 300 && differ > 150 && parted > 5, "{told} {differ} {parted} {refused}");
}

/// Another body, other containers, other fixed functions: nothing is told.
#[test]
fn other_shaders_are_no_changes_of_a_recording() {
    let text = |op: &str| {
        format!("FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\n{op} OUT[0], IN[0], IN[0]\nEND\n")
    };
    let shader = |op: &str| load("x.tgsi", text(op).as_bytes(), &LoadOptions::default()).shader.unwrap();
    let (mul, add) = (shader("MUL"), shader("ADD"));
    let bind = |shader: &Shader<Symbolic>, model: &str| shader.bind(&Model::parse(model).unwrap());
    let draw = Draw::defaults(&mul.func.iface).unwrap();
    let quads = Quads::some(draw.width, draw.height);
    let control = Control { only: Some(&quads), ..Control::default() };
    let own = bind(&mul, "ieee");
    let (_, recording) = Recording::new(own.clone(), &draw, control, Engine::Interp).unwrap().unwrap();
    assert!(recording.changes_to(&own).unwrap().is_empty());
    assert_eq!(recording.changes_to(&bind(&mul, "ieee[mul.round=rtz]")).unwrap().len(), 4);
    assert!(recording.changes_to(&bind(&add, "ieee")).is_none());
    assert!(recording.changes_to(&bind(&mul, "binary64")).is_none());
    // Another draw has other lanes.
    let wider = Draw { width: 40, ..draw };
    let quads = Quads::some(wider.width, wider.height);
    let control = Control { only: Some(&quads), ..Control::default() };
    assert!(recording.frame_with([], &wider, control).unwrap().is_none());
}
