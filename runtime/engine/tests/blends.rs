//! Blends that Mesa 22.3.6, lavapipe, did on an x86 host, recorded by `tests/blends.rs` of `parallax-vulkan`.
//!
//! Columns: target; source factor, destination factor and equation of colour, and of alpha; then as binary32 patterns the constant, the
//! background, and the shader's colour, four numbers each; what the target held afterwards.

use parallax::{
    Blend, BlendTerm, Compiled, Control, Draw, Engine, Equation, Factor, LoadOptions, Optimise, Target, Targets,
    Workers, compile, load, run_draw,
};
use parallax_core::num::Model;

const RECORDED: &str = include_str!("blends.tsv");

const PROGRAM: &str = "FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n";

fn compiled(model: &str) -> Compiled {
    let shader = load("blend.tgsi", PROGRAM.as_bytes(), &LoadOptions::default()).shader.expect("a program");
    compile(&shader, &Model::parse(model).expect("a model"), Optimise::Yes, Engine::Interp).expect("a program")
}

fn term(words: &[&str]) -> BlendTerm {
    let factor = |word: &str| Factor::NAMES.iter().find(|(name, _)| *name == word).expect(word).1;
    let equation = Equation::NAMES.iter().find(|(name, _)| *name == words[2]).expect(words[2]).1;
    BlendTerm { source: factor(words[0]), destination: factor(words[1]), equation }
}

fn blended(compiled: &Compiled, target: Target, blend: Blend, color: [u32; 4]) -> Vec<u32> {
    let mut draw = Draw::defaults(&compiled.shader.func.iface).expect("a draw");
    (draw.width, draw.height) = (1, 1);
    draw.attributes[0] = vec![color; 4];
    draw.targets = Targets { every: Some(target), ..Targets::default() };
    draw.merge.blend = Some(blend);
    let frame = run_draw(compiled, &draw, &Workers::serial(), Control::default()).expect("a frame");
    frame.channels.iter().map(|channel| channel.stored.as_ref().expect("a target").words.get(0) as u32).collect()
}

#[test]
fn blends_are_those_of_llvmpipe() {
    let (own, plain) = (compiled("llvmpipe"), compiled("llvmpipe[target_blend=binary32]"));
    let (mut bytes, mut singles, mut alike) = (0, 0, [0; 2]);
    for line in RECORDED.lines() {
        let words: Vec<&str> = line.split('\t').collect();
        let target = if words[0] == "unorm8" { Target::Unorm8 } else { Target::Fp32 };
        let bits: Vec<u32> = words[7..].iter().map(|word| u32::from_str_radix(word, 16).expect(line)).collect();
        let four = |n: usize| -> [u32; 4] { std::array::from_fn(|comp| bits[4 * n + comp]) };
        let blend = Blend {
            color: term(&words[1..4]),
            alpha: term(&words[4..7]),
            constant: four(0).map(f32::from_bits),
            background: four(1).map(f32::from_bits),
        };
        assert_eq!(blended(&own, target, blend, four(2)), four(3), "{line}");
        let is_plain = usize::from(blended(&plain, target, blend, four(2)) == four(3));
        match target {
            Target::Unorm8 => (bytes, alike[0]) = (bytes + 1, alike[0] + is_plain),
            _ => (singles, alike[1]) = (singles + 1, alike[1] + is_plain),
        }
    }
    // Of both kinds there are some that `binary32` blends otherwise.
    assert!(
        bytes > 200 && singles > 100 && alike[0] < bytes * 9 / 10 && alike[1] < singles,
        "{bytes} {singles} {alike:?}"
    );
}
