//! Every shader of the embedded corpus loads, its manifest fits it, and it draws.

use parallax::{
    Control, Draw, Engine, LoadOptions, Manifest, Optimise, Stage, Workers, compile, frontend, load, run_draw,
    run_vertices,
};
use parallax_core::OutputRole;
use parallax_core::num::Model;

#[test]
fn every_embedded_shader_draws() {
    let workers = Workers::new(0).expect("threads");
    let mut shaders = 0;
    for file in parallax_corpus::shaders().filter(|f| frontend(f.folder()).is_some()) {
        let manifest = parallax_corpus::get(&format!("{}/{}.toml", file.folder(), file.stem()));
        let manifest =
            manifest.map(|m| Manifest::parse(m.path, m.text().expect("text")).unwrap_or_else(|p| panic!("{p}")));
        let mut manifest = manifest.unwrap_or_default();
        if let Some(vertex) = manifest.vertex_program().and_then(|name| file.beside(name)) {
            manifest.give_vertex_program(vertex.bytes);
        }
        let mut options = LoadOptions::default();
        options.lift.settings.clone_from(&manifest.options);
        let loaded = load(file.path, file.bytes, &options);
        let shader = loaded.shader.unwrap_or_else(|| panic!("{}: {:#?}", file.path, loaded.diags));
        assert_eq!(loaded.isa, file.folder(), "{}", file.path);
        let mut draw = Draw::new(&shader.func.iface, &manifest).unwrap_or_else(|p| panic!("{p}"));
        (draw.width, draw.height) = (24, 24);
        for model in ["ieee", loaded.model] {
            let model = Model::builtin(model).expect("a built-in model");
            let compiled = compile(&shader, &model, Optimise::Yes, Engine::Interp)
                .unwrap_or_else(|d| panic!("{}: {d:#?}", file.path));
            let draw = draw.with_vertices(&shader.func.iface, &model, Engine::Interp).unwrap_or_else(|p| panic!("{p}"));
            let (frame, role) = match shader.func.iface.stage {
                Stage::Vertex => (run_vertices(&compiled, &draw), OutputRole::Position),
                _ => (run_draw(&compiled, &draw, &workers, Control::default()), OutputRole::Color(0)),
            };
            let frame = frame.unwrap_or_else(|d| panic!("{}: {d:#?}", file.path));
            let channel = frame.channel(role, 0).unwrap_or_else(|| panic!("{}: no colour", file.path));
            let words = channel.words.to_words();
            assert!(words.iter().any(|word| *word != words[0]), "{} is of one colour", file.path);
            assert_eq!(frame.out_of_fuel, 0, "{}", file.path);
        }
        shaders += 1;
    }
    assert!(shaders > 0);
}
