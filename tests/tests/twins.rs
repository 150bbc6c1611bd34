//! The same effect written in two instruction sets computes the same bits under `ieee`, unless its manifest says
//! otherwise.

use parallax::{Control, Draw, Engine, Frame, LoadOptions, Manifest, Optimise, Workers, compile, load, run_draw};
use parallax_core::OutputRole;
use parallax_core::num::Model;
use parallax_corpus::File;

/// What the manifest of a twin says that uses narrower formats on purpose, or lacks an operation of the other set.
const OTHER_FORMULAS: &str = "# Other formulas than its TGSI twin.";

fn manifest(file: &File) -> &'static File {
    parallax_corpus::get(&format!("{}/{}.toml", file.folder(), file.stem())).expect("a manifest")
}

fn draw(file: &File, workers: &Workers) -> Frame {
    let manifest = manifest(file);
    let mut manifest = Manifest::parse(manifest.path, manifest.text().expect("text")).unwrap_or_else(|p| panic!("{p}"));
    if let Some(vertex) = manifest.vertex_program().and_then(|name| file.beside(name)) {
        manifest.give_vertex_program(vertex.bytes);
    }
    let mut options = LoadOptions::default();
    options.lift.settings.clone_from(&manifest.options);
    let loaded = load(file.path, file.bytes, &options);
    let shader = loaded.shader.unwrap_or_else(|| panic!("{}: {:#?}", file.path, loaded.diags));
    let mut draw = Draw::new(&shader.func.iface, &manifest).unwrap_or_else(|p| panic!("{p}"));
    (draw.width, draw.height) = (48, 48);
    let model = Model::builtin("ieee").expect("a built-in model");
    let draw = draw.with_vertices(&shader.func.iface, &model, Engine::Interp).unwrap_or_else(|p| panic!("{p}"));
    let compiled =
        compile(&shader, &model, Optimise::Yes, Engine::Interp).unwrap_or_else(|d| panic!("{}: {d:#?}", file.path));
    run_draw(&compiled, &draw, workers, Control::default()).unwrap_or_else(|d| panic!("{}: {d:#?}", file.path))
}

fn same(a: &Frame, b: &Frame) -> bool {
    let channel = |frame: &Frame, comp: u8| frame.channel(OutputRole::Color(0), comp).map(|c| c.words.clone());
    a.covered == b.covered && (0..4).all(|comp| channel(a, comp) == channel(b, comp))
}

#[test]
fn twins_agree_bit_for_bit_under_ieee() {
    let workers = Workers::new(0).expect("threads");
    let mut pairs = 0;
    for file in parallax_corpus::shaders().filter(|f| f.folder() != "tgsi") {
        let Some(twin) = parallax_corpus::get(&format!("tgsi/{}.tgsi", file.stem())) else { continue };
        let equal = same(&draw(file, &workers), &draw(twin, &workers));
        let other = manifest(file).text().expect("text").contains(OTHER_FORMULAS);
        assert_eq!(equal, !other, "{}", file.path);
        pairs += 1;
    }
    assert!(pairs >= 40, "{pairs}");
}

#[test]
fn kernels_write_the_same_words_under_ieee() {
    let workers = Workers::new(0).expect("threads");
    let words = |file: &File| {
        let mut channels = draw(file, &workers).channels;
        // By binding, or by number.
        channels.sort_by(|a, b| a.output.cmp(&b.output));
        channels.into_iter().map(|channel| channel.words).collect::<Vec<_>>()
    };
    let mut pairs = 0;
    for file in parallax_corpus::shaders().filter(|f| f.folder() == "kernels" && f.extension() == "tgsi") {
        let twin = parallax_corpus::get(&format!("kernels/{}.spvasm", file.stem())).expect("a twin");
        assert_eq!(words(file), words(twin), "{}", file.path);
        pairs += 1;
    }
    assert!(pairs >= 3, "{pairs}");
}
