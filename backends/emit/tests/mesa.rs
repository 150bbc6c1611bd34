//! ARB texts by another implementation: Mesa accepts every one, and its llvmpipe computes the bits of model `llvmpipe`.
#![allow(clippy::print_stdout, reason = "figures, shown with --nocapture")]

use crate::proof::{Source, frame, read};
use parallax::{Draw, Engine, Model, OutputRole, Stage, varied};
use parallax_core::OpKind;
use parallax_emit::{TARGETS, translate};
use std::path::Path;
use std::process::Command;

/// Pixels of each program, with random inputs each.
const PIXELS: u32 = 64;
/// Texture coordinates that the drawing program gives.
const COORDINATES: [u32; 8] = [0, 1, 2, 3, 4, 5, 6, 7];
/// What a pixel holds that is discarded.
const DISCARDED: u32 = 0x4b4b_4b4b;

fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{command:?}: {err}");
    out.trim().to_string()
}

/// Programs without lookups, which read nothing but texture coordinates: those are the same at every corner, and interpolated exactly.
#[test]
#[ignore = "needs Mesa's llvmpipe with EGL, a C compiler and the headers of EGL and OpenGL"]
fn mesa_draws_arb_texts_with_the_bits_of_llvmpipe() {
    let folder = tempfile::tempdir().expect("a folder");
    let [tool, program, inputs, pixels] =
        ["draw", "program.fp", "inputs", "pixels"].map(|name| folder.path().join(name));
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mesa/draw.c");
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benches/llvmpipe");
    run(Command::new("cc").arg("-I").arg(shared).args(["-O1", "-o"]).args([&tool, &source]).args(["-lEGL", "-lGL"]));
    let target = TARGETS.iter().find(|target| target.name == "arb").expect("arb");
    let model = Model::builtin("llvmpipe").expect("built in");
    let (mut renderer, mut equal, mut skipped, mut different) = (String::new(), 0, 0, Vec::new());
    for file in parallax_corpus::shaders() {
        let source = Source::of_corpus(file);
        if source.shader.func.iface.stage != Stage::Fragment {
            continue;
        }
        let Ok(made) = translate(&source.shader, target) else { continue };
        let result = read(&made, target).expect("reads");
        let func = &result.func;
        let mut looks_up = false;
        func.walk(|_, op| looks_up |= matches!(func.ops[op].kind, OpKind::Tex(_)));
        let is_coordinate = |name: &str| COORDINATES.iter().any(|n| name == format!("fragment.texcoord[{n}]"));
        let writes_colour = func.iface.outputs.iter().any(|output| output.role == OutputRole::Color(0));
        if looks_up || !writes_colour || !made.carried.attributes.iter().all(|(name, _)| is_coordinate(name)) {
            skipped += 1;
            continue;
        }
        let carried = &made.carried;
        let draw = source.draw.with_vertices(&source.shader.func.iface, &model, Engine::default()).expect("vertices");
        let there = draw.carried(&func.iface, carried).expect("constants");
        // A quad without perspective, as the other side draws it.
        let plain = Draw { banks: there.banks.clone(), ..Draw::defaults(&func.iface).expect("defaults") };
        let mut words: Vec<u32> = Vec::new();
        let banks = [0, 1].map(|bank| there.banks.get(bank).map_or(&[][..], |bank| &bank[..]));
        words.extend(banks.map(|bank| bank.len() as u32));
        words.push(PIXELS);
        banks.iter().for_each(|bank| words.extend(bank.iter().flatten()));
        let mut wanted: Vec<[u32; 4]> = Vec::new();
        for pixel in 0..PIXELS {
            let mut draw: Draw = varied(&plain, &func.iface, 2 * (pixel + 1));
            for (decl, corners) in func.iface.attrs.iter().zip(&mut draw.attributes) {
                let first = corners.first().copied().unwrap_or_default();
                corners.fill(first);
                if is_coordinate(&decl.name) {
                    words.extend(first);
                }
            }
            let found = frame(&result, &draw, &model, 1);
            let component = |comp: u8| match found.channel(OutputRole::Color(0), comp) {
                Some(channel) if found.covered[0] => channel.declared_bits().get(0) as u32,
                _ => DISCARDED,
            };
            wanted.push([0, 1, 2, 3].map(component));
        }
        std::fs::write(&program, &made.text).expect("written");
        std::fs::write(&inputs, words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>())
            .expect("written");
        renderer = run(Command::new(&tool).args([&program, &inputs, &pixels]).envs([
            ("EGL_PLATFORM", "surfaceless"),
            ("LIBGL_ALWAYS_SOFTWARE", "1"),
            ("GALLIUM_DRIVER", "llvmpipe"),
            ("LP_NUM_THREADS", "0"),
            ("MESA_SHADER_CACHE_DISABLE", "true"),
        ]));
        let bytes = std::fs::read(&pixels).expect("pixels");
        let found: Vec<[u32; 4]> = (bytes.as_chunks::<16>().0.iter())
            .map(|pixel| [0, 1, 2, 3].map(|n| u32::from_le_bytes([0, 1, 2, 3].map(|byte| pixel[4 * n + byte]))))
            .collect();
        let is_nan = |word: u32| word & 0x7fff_ffff > 0x7f80_0000;
        let same = |a: u32, b: u32| a == b || is_nan(a) && is_nan(b);
        let wrong: Vec<usize> = (0..PIXELS as usize)
            .filter(|&n| (0..4).any(|c| wanted[n][c] != DISCARDED && !same(wanted[n][c], found[n][c])))
            .collect();
        match wrong.first() {
            None => equal += 1,
            Some(&n) => different.push(format!(
                "{}: {} of {PIXELS} pixels, such as {:08x?}, which should be {:08x?}",
                source.path,
                wrong.len(),
                found[n],
                wanted[n]
            )),
        }
    }
    println!(
        "{renderer}: {equal} programs equal, {} different, {skipped} with lookups or other inputs",
        different.len()
    );
    assert!(different.is_empty(), "{}", different.join("\n"));
}
