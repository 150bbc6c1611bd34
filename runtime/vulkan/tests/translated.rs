//! Modules of `parallax-spirv-out` on the device: the bits of the model in every pixel.
#![allow(clippy::print_stdout, reason = "figures, shown with --nocapture")]

use parallax::{
    Canonical, Compiled, Control, Draw, Engine, LoadOptions, Manifest, Optimise, Workers, compile_bound, load, run_draw,
};
use parallax_core::analysis::Tree;
use parallax_core::{OpKind, Stage, verify};
use parallax_lift::Options;
use parallax_num::Model;
use parallax_spirv_out::{Arithmetic, Assume, Options as Asked, Translation, translate};
use parallax_step::Programs;
use parallax_vulkan::{Comparison, Device, Feature, check, speed};
use std::collections::BTreeMap;
use std::io::Write;
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

/// A fragment program of the corpus and its draw.
pub(crate) struct Effect {
    pub(crate) path: &'static str,
    canonical: Canonical,
    draw: Draw,
}

impl Effect {
    pub(crate) fn all(prefix: &str) -> impl Iterator<Item = Effect> {
        parallax_corpus::shaders().filter(move |file| file.path.starts_with(prefix)).filter_map(Effect::read)
    }

    fn read(file: &'static parallax_corpus::File) -> Option<Effect> {
        let path = file.path;
        let beside = format!("{}/{}.toml", file.folder(), file.stem());
        let text = parallax_corpus::get(&beside).and_then(|f| f.text()).expect(&beside);
        let mut manifest = Manifest::parse(&beside, text).unwrap_or_else(|e| panic!("{beside}: {e:?}"));
        if let Some(vertex) = manifest.vertex_program().and_then(|name| file.beside(name)) {
            manifest.give_vertex_program(vertex.bytes);
        }
        let lift = Options { settings: manifest.options.clone(), ..Options::default() };
        let loaded = load(path, file.bytes, &LoadOptions { lift, ..LoadOptions::default() });
        let shader = loaded.shader.as_ref().expect(path);
        if shader.func.iface.stage != Stage::Fragment {
            return None;
        }
        let draw = Draw::new(&shader.func.iface, &manifest).unwrap_or_else(|e| panic!("{beside}: {e:?}"));
        Some(Effect { path, canonical: Canonical::new(shader).expect(path), draw })
    }

    /// A program of this text, drawn as a manifest says.
    pub(crate) fn of(path: &'static str, text: &str, manifest: &str) -> Effect {
        let manifest = Manifest::parse("manifest.toml", manifest).unwrap_or_else(|e| panic!("{path}: {e:?}"));
        let loaded = load(path, text.as_bytes(), &LoadOptions::default());
        let shader = loaded.shader.as_ref().unwrap_or_else(|| panic!("{path}: {:?}", loaded.diags));
        let draw = Draw::new(&shader.func.iface, &manifest).unwrap_or_else(|e| panic!("{path}: {e:?}"));
        Effect { path, canonical: Canonical::new(shader).expect(path), draw }
    }

    /// The program under a model, and its draw, `side` pixels wide and high.
    pub(crate) fn under(&self, model: &Model, side: u32) -> (Compiled, Draw) {
        let bound = self.canonical.bind(model).expect(self.path);
        let compiled = compile_bound(bound, Optimise::Yes, Engine::Auto).expect(self.path);
        let draw = Draw { width: side, height: side, ..self.draw.clone() };
        let draw = draw.with_vertices(&compiled.shader.func.iface, model, Engine::Auto).expect(self.path).into_owned();
        (compiled, draw)
    }
}

/// Any device. Draws run one after the other.
pub(crate) fn device() -> Option<&'static Mutex<Device>> {
    static DEVICE: OnceLock<Result<Mutex<Device>, String>> = OnceLock::new();
    let found = DEVICE.get_or_init(|| match Device::open() {
        Err(problem) => Err(format!("skipped: no Vulkan device ({problem})")),
        Ok(device) if !device.can_draw() => Err(format!("skipped: {} does not draw", device.name())),
        Ok(device) => Ok(Mutex::new(device)),
    });
    found.as_ref().inspect_err(|message| eprintln!("{message}")).ok()
}

/// What a device made of programs under models.
#[derive(Default)]
struct Seen {
    equal: usize,
    differing: Vec<String>,
    failed: BTreeMap<String, usize>,
}

impl Seen {
    /// Compares a program under a model.
    fn add(&mut self, device: &Device, effect: &Effect, name: &str, translation: &Translation, side: u32) {
        let (path, model) = (effect.path, Model::builtin(name).expect("built in"));
        let (compiled, draw) = effect.under(&model, side);
        let start = Instant::now();
        let found = check(device, &compiled, translation, &draw);
        let took = start.elapsed();
        let verdict = match found {
            Ok(found) if found.is_equal() => {
                self.equal += 1;
                format!("equal in {} pixels, {} left out", found.pixels, found.left_out)
            }
            Ok(found) => {
                self.differing.push(format!("{path} under {name}: {}", told(&found)));
                format!("DIFFERS: {}", told(&found))
            }
            Err(problem) => {
                *self.failed.entry(problem.to_string()).or_default() += 1;
                problem.to_string()
            }
        };
        println!("{path} {name} {} words, {took:.2?}: {verdict}", translation.words.len());
        // The next one may crash the driver.
        let _ = std::io::stdout().flush();
    }
}

/// The module of a program under a model, unless it is refused. Constants are storage buffers: Mesa's search for uniform blocks to
/// fold into conditions takes minutes for what these modules compute with constants. Not where neighbours are asked: lavapipe reads zeros
/// from storage buffers where it only helps, and a triangle that is cut at the viewport has such pixels inside.
fn module(effect: &Effect, name: &str, programs: &mut Programs) -> Option<Translation> {
    let (compiled, _) = effect.under(&Model::builtin(name).expect("built in"), 2);
    let func = &compiled.shader.func;
    let mut asks_neighbours = !Tree::new(func).neighbour_reads().is_empty();
    func.walk(|_, op| asks_neighbours |= matches!(func.ops[op].kind, OpKind::QuadAny | OpKind::QuadAll));
    let constants_in_storage = !asks_neighbours;
    let asked = Asked { constants_in_storage, ..Asked::default() };
    translate(verify(&compiled.shader).expect("sound IR"), programs, asked).ok()
}

pub(crate) fn told(found: &Comparison) -> String {
    let parts = found.differences.iter().map(|d| {
        let [x, y] = d.at;
        format!(
            "{} in {} of {} pixels by up to {} steps, {} NaN, first at {x}, {y}: {:08x} for {:08x}",
            d.what, d.pixels, found.pixels, d.distance, d.nan, d.found, d.expected
        )
    });
    let coverage = (found.coverage > 0).then(|| format!("coverage of {} pixels", found.coverage));
    coverage.into_iter().chain(parts).collect::<Vec<_>>().join("; ")
}

/// Programs of all instruction sets, and models whose modules a driver compiles in a second or two.
const SOME: [(&str, &[&str]); 13] = [
    ("tgsi/blend", &["ieee", "ati-r300", "rogue"]),
    ("tgsi/marble", &["llvmpipe"]),
    ("attila/fog", &["maxwell"]),
    ("attila/blend", &["attila", "maxwell", "amd-gcn"]),
    ("nvfp/toon", &["adreno", "nvfp"]),
    ("nvfp/nan_sign", &["maxwell", "intel-alt", "amd-gcn", "ieee"]),
    ("nvfp/blend", &["adreno", "ieee", "llvmpipe"]),
    ("nv40/faraway", &["ieee", "rogue", "llvmpipe"]),
    ("nv40/blend", &["attila", "nv-patent"]),
    ("spa5/blend", &["maxwell", "attila"]),
    ("spa5/faraway", &["attila"]),
    ("usc/blend", &["rogue", "adreno", "ieee"]),
    ("gcn/blend", &["amd-gcn", "nv-patent"]),
];

#[test]
fn modules_give_the_bits_of_the_model_on_the_device() {
    let Some(device) = device() else { return };
    let device = device.lock().expect("no other test failed");
    let (mut seen, mut programs) = (Seen::default(), Programs::default());
    for (path, models) in SOME {
        let effect = Effect::all(path).next().expect(path);
        for name in models {
            let translation = module(&effect, name, &mut programs).unwrap_or_else(|| panic!("{path} under {name}"));
            seen.add(&device, &effect, name, &translation, 16);
        }
    }
    assert!(seen.differing.is_empty(), "{:#?}", seen.differing);
    assert!(seen.failed.is_empty(), "{:#?}", seen.failed);
    assert_eq!(seen.equal, 30);
}

/// The module of a program under a model in another arithmetic, on devices that promise what it assumes.
fn module_in(
    effect: &Effect,
    name: &str,
    (arithmetic, assume): (Arithmetic, Assume),
    programs: &mut Programs,
) -> Option<Translation> {
    let (compiled, _) = effect.under(&Model::builtin(name).expect("built in"), 2);
    // Where the device computes, there are no long sums to search, and Mesa gives other bits where constants are in storage buffers.
    let constants_in_storage = arithmetic != Arithmetic::Native;
    let asked = Asked { constants_in_storage, arithmetic, assume, ..Asked::default() };
    translate(verify(&compiled.shader).expect("sound IR"), programs, asked).ok()
}

/// Float instructions where they equal the model's primitives. A device without the promises says so.
#[test]
fn mixed_modules_give_the_bits_of_the_model_on_the_device() {
    let Some(device) = device() else { return };
    let device = device.lock().expect("no other test failed");
    let (mut seen, mut programs) = (Seen::default(), Programs::default());
    let (mut count, mut floats) = (0, 0);
    for (path, models) in SOME {
        let effect = Effect::all(path).next().expect(path);
        for name in models {
            let made = module_in(&effect, name, (Arithmetic::Mixed, Assume::ALL), &mut programs).expect(path);
            (count, floats) = (count + 1, floats + made.host.operations);
            seen.add(&device, &effect, name, &made, 16);
        }
    }
    assert!(floats > 100, "{floats}");
    if promised(&device) != Assume::ALL {
        assert_eq!(seen.failed.values().sum::<usize>(), count, "{:#?}", seen.failed);
        assert!(seen.failed.keys().all(|why| why.contains("does not promise")), "{:#?}", seen.failed);
        eprintln!("skipped: {} promises no more than {:?}", device.name(), promised(&device));
        return;
    }
    assert!(seen.differing.is_empty(), "{:#?}", seen.differing);
    assert!(seen.failed.is_empty(), "{:#?}", seen.failed);
    assert_eq!(seen.equal, count);
}

/// What may be assumed of a device.
fn promised(device: &Device) -> Assume {
    let nans = device.has(Feature::Nans32);
    Assume {
        rte: nans && device.has(Feature::NearestEven32),
        denorm_preserve: nans && device.has(Feature::Denormals32),
    }
}

/// The device's own instructions against the model of it: pixels differ in programs alone whose module lists operations that may.
#[test]
fn native_modules_are_the_model_of_the_device() {
    let Some(device) = device() else { return };
    let device = device.lock().expect("no other test failed");
    if !device.driver().starts_with("Mesa") || !device.name().contains("llvmpipe") {
        eprintln!("skipped: {} is not what the model `llvmpipe` describes", device.name());
        return;
    }
    let asked = (Arithmetic::Native, promised(&device));
    let mut programs = Programs::default();
    let (mut silent, mut listed, mut differing) = (0, 0, 0);
    for effect in Effect::all("") {
        let (compiled, draw) = effect.under(&Model::builtin("llvmpipe").expect("built in"), 16);
        let Some(made) = module_in(&effect, "llvmpipe", asked, &mut programs) else { continue };
        // A driver takes seconds for longer ones.
        if made.words.len() > 12_000 {
            continue;
        }
        let found = match check(&device, &compiled, &made, &draw) {
            Ok(found) => found,
            Err(why) => {
                let why = why.to_string();
                assert!(why.contains("away from the centre of a pixel"), "{}: {why}", effect.path);
                continue;
            }
        };
        match (found.is_equal(), made.host.open.is_empty()) {
            (true, true) => silent += 1,
            (true, false) => listed += 1,
            (false, true) => panic!("{} differs without a word: {}", effect.path, told(&found)),
            (false, false) => {
                differing += 1;
                let open: Vec<String> = made.host.open.iter().map(parallax_spirv_out::Open::line).collect();
                println!("{}: {}; listed: {open:?}", effect.path, told(&found));
            }
        }
    }
    println!("{silent} equal with nothing listed, {listed} equal all the same, {differing} differ as listed");
    assert!(silent + listed > 100 && differing < 4, "{silent} {listed} {differing}");
}

/// At the edge of a triangle a derivative reads pixels outside of it, of which a device tells nothing.
#[test]
fn derivatives_at_the_edges_of_triangles_are_left_out() {
    let Some(device) = device() else { return };
    let device = device.lock().expect("no other test failed");
    let effect = Effect::all("tgsi/parallax").next().expect("in the corpus");
    let translation = module(&effect, "ieee", &mut Programs::default()).expect("a module");
    let (compiled, draw) = effect.under(&Model::builtin("ieee").expect("built in"), 64);
    let found = check(&device, &compiled, &translation, &draw).expect("a draw");
    assert!(found.is_equal(), "{}", told(&found));
    assert!(found.left_out > 0 && found.pixels > 2000, "{found:?}");
}

/// The smallest modules first: `PARALLAX_FROM` leaves so many out, and after `PARALLAX_MINUTES` it ends, so that the corpus can be
/// done in parts. `cargo test -p parallax-vulkan --test all the_whole_corpus -- --ignored --nocapture`.
#[test]
#[ignore = "long"]
fn the_whole_corpus_gives_the_bits_of_the_models_on_the_device() {
    let Some(device) = device() else { return };
    let device = device.lock().expect("no other test failed");
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let from = number("PARALLAX_FROM").unwrap_or(0) as usize;
    let until = number("PARALLAX_MINUTES").map(|minutes| Duration::from_secs(60 * minutes));
    let models = Model::group("default").expect("a group");
    let (mut seen, mut programs) = (Seen::default(), Programs::default());
    // Mirrored texels of this one lie at edges, where a device may take either: `faithful.rs` has it under all models.
    let effects: Vec<Effect> = Effect::all("").filter(|effect| !effect.path.starts_with("tgsi/texture_card")).collect();
    let mut all = Vec::new();
    for effect in &effects {
        for name in &models {
            all.extend(module(effect, name, &mut programs).map(|module| (module, effect, *name)));
        }
    }
    let count = all.len();
    all.sort_by_key(|(module, ..)| module.words.len());
    let (start, mut done) = (Instant::now(), from);
    for (module, effect, name) in all.into_iter().skip(from) {
        if until.is_some_and(|until| start.elapsed() > until) {
            break;
        }
        print!("{done} of {count}: ");
        seen.add(&device, effect, name, &module, 64);
        done += 1;
    }
    println!("{} ({}): {} of {count} from {from} to {done} are equal", device.name(), device.driver(), seen.equal);
    assert!(seen.differing.is_empty(), "{:#?}", seen.differing);
    // Nobody tells where in a pixel a device evaluates these.
    seen.failed.retain(|why, _| !why.starts_with("attributes away from the centre"));
    assert!(seen.failed.is_empty(), "{:#?}", seen.failed);
}

/// How long a picture takes on the device in each arithmetic, and in parallax's machine code with as many threads, in nanoseconds for a
/// pixel: `cargo test --release -p parallax-vulkan --test all speeds -- --ignored --nocapture`. Promises are not asked for: what counts
/// here is the time.
#[test]
#[ignore = "a measurement"]
fn speeds() {
    let Some(device) = device() else { return };
    let device = device.lock().expect("no other test failed");
    let side = 512;
    let programs = [
        ("tgsi/blend", "llvmpipe"),
        ("tgsi/marble", "llvmpipe"),
        ("nv40/toon", "nv40"),
        ("nv40/blend", "nv40"),
        ("attila/fog", "maxwell"),
        ("nvfp/toon", "adreno"),
        ("usc/blend", "rogue"),
    ];
    let workers = Workers::new(std::thread::available_parallelism().map_or(1, usize::from)).expect("threads");
    println!(
        "{} ({}), {} threads",
        device.name(),
        device.driver(),
        std::thread::available_parallelism().map_or(1, usize::from)
    );
    for (path, name) in programs {
        let effect = Effect::all(path).next().expect(path);
        let (compiled, draw) = effect.under(&Model::builtin(name).expect("built in"), side);
        let pixels = f64::from(side * side);
        let mut cells = vec![format!("`{}` under `{name}`", effect.path)];
        for asked in [
            (Arithmetic::Faithful, Assume::default()),
            (Arithmetic::Mixed, Assume::ALL),
            (Arithmetic::Native, Assume::default()),
        ] {
            let made = module_in(&effect, name, asked, &mut Programs::default()).expect(path);
            let took = speed(&device, &made, &draw, 5).unwrap_or_else(|why| panic!("{path}: {why}"));
            cells.push(format!("{:.0}", took.as_nanos() as f64 / pixels));
        }
        let mut shortest = Duration::MAX;
        for _ in 0..5 {
            let start = Instant::now();
            run_draw(&compiled, &draw, &workers, Control::default()).expect("a draw");
            shortest = shortest.min(start.elapsed());
        }
        cells.push(format!("{:.0}", shortest.as_nanos() as f64 / pixels));
        println!("| {} |", cells.join(" | "));
    }
}
