//! Every program of the corpus by the reference executor, the interpreter and machine code: the same frame, at a small size.

use parallax::{Compiled, Control, Draw, Engine, LoadOptions, Optimise, Workers, compile, load, run_draw};
use parallax_core::backend::Backend;
use parallax_core::num::Model;
use parallax_core::verify;
use parallax_reference::Reference;

#[test]
fn the_corpus_gives_the_frames_of_the_reference() {
    let models = Model::builtins();
    let engines: &[Engine] =
        if Engine::has_machine_code() { &[Engine::Interp, Engine::Jit] } else { &[Engine::Interp] };
    let mut frames = 0;
    for (n, file) in parallax_corpus::shaders().enumerate() {
        let shader = load(file.path, file.bytes, &LoadOptions::default()).shader.expect(file.path);
        let mut draw = Draw::defaults(&shader.func.iface).expect("a draw");
        (draw.width, draw.height) = (8, 8);
        for model in [n, n * 7 + 3].map(|n| &models[n % models.len()]) {
            let frame = |compiled: &Compiled| {
                run_draw(compiled, &draw, &Workers::serial(), Control::default()).map_err(|diags| format!("{diags:?}"))
            };
            let plain = compile(&shader, model, Optimise::No, Engine::Interp).expect("compiles");
            let program = Reference.prepare(verify(&plain.shader).expect("sound")).expect("runs everything");
            let wanted = frame(&Compiled { program: program.into(), ..plain });
            for &engine in engines {
                let compiled = compile(&shader, model, Optimise::Yes, engine).expect("compiles");
                assert!(frame(&compiled) == wanted, "{} under {}, {engine}", file.path, model.label());
                frames += usize::from(wanted.is_ok());
            }
        }
    }
    assert!(frames > 300, "{frames}");
}
