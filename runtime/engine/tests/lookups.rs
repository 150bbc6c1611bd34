//! Texture lookups by every engine: images, edges, filters and coordinates of all kinds, bit for bit.

use parallax::{Control, Draw, Engine, Frame, LoadOptions, Optimise, Workers, compile_bound, load, run_draw_reusing};
use parallax_core::num::Model;
use parallax_random::Random;
use parallax_texture::{Filter, Image, Mip, Sampler, Unit, Wrap};
use std::sync::Arc;

const PLAIN: &str = "FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL TEMP[0..1]
DCL SAMP[0]
DCL SVIEW[0], TARGET, FLOAT
IMM[0] INT32 { 1, -3, 0, 0 }
  0: LOOKUP TEMP[0], IN[0], SAMP[0], TARGETOFFSET
  1: LOOKUP TEMP[1], TEMP[0].yxzw, SAMP[0], TARGET
  2: ADD OUT[0], TEMP[0], -TEMP[1].zyxw
  3: END
";

/// A lookup in a branch, of lanes that are killed half of the time, under a model that flushes.
const BRANCH: &str = "FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL TEMP[0..1]
DCL SAMP[0]
DCL SVIEW[0], TARGET, FLOAT
IMM[0] FLT32 { 0.5, 0.0, 1e-38, -0.25 }
  0: MOV TEMP[0], IMM[0].yyyz
  1: SLT TEMP[1].x, IN[0].xxxx, IMM[0].xxxx
  2: IF TEMP[1].xxxx
  3: LOOKUP TEMP[0], IN[0], SAMP[0], TARGET
  4: ADD TEMP[1].y, TEMP[0].xxxx, IMM[0].wwww
  5: KILL_IF TEMP[1].yyyy
  6: ENDIF
  7: MUL OUT[0], TEMP[0], IMM[0].zzzx
  8: END
";

fn image(random: &mut Random, size: [u32; 2]) -> Image {
    let count = (size[0] * size[1]) as usize;
    let mut pick = |n: usize| random.below(n as u64) as usize;
    let image = match pick(2) {
        0 => Image::rgba8(size[0], size[1], (0..count).map(|_| [0; 4].map(|_: u8| pick(256) as u8)).collect()),
        _ => {
            let words = [0x3f80_0000, 0x8000_0000, 0x7f80_0000, 0xbe12_3456, 1, 0x7fc0_1234];
            Image::rgba32f(size[0], size[1], (0..count).map(|_| [0; 4].map(|_: u32| words[pick(6)])).collect())
        }
    };
    image.expect("a possible size")
}

fn frame(engine: Engine, text: &str, model: &str, set: &dyn Fn(&mut Draw), earlier: &mut Frame) -> Frame {
    let loaded = load("lookup.tgsi", text.as_bytes(), &LoadOptions::default());
    let shader = loaded.shader.unwrap_or_else(|| panic!("{text}{:#?}", loaded.diags));
    let bound = shader.bind(&Model::parse(model).expect("a model"));
    let compiled = compile_bound(bound, Optimise::Yes, engine).expect("compiles");
    let mut draw = Draw::defaults(&compiled.shader.func.iface).expect("defaults");
    set(&mut draw);
    let old = std::mem::take(earlier);
    let frame = run_draw_reusing(&compiled, &draw, &Workers::serial(), Control::default(), old).expect("a frame");
    *earlier = frame.clone();
    frame
}

#[test]
fn every_engine_looks_up_the_same_texels() {
    let mut random = Random::new(11);
    let engines = [Engine::Jit, Engine::JitAvx2, Engine::JitAvx512];
    let mut earlier = Frame::default();
    for case in 0..120 {
        let mut pick = |n: usize| random.below(n as u64) as usize;
        let sides = [1, 2, 4, 8, 64, 3, 37];
        let size = [sides[pick(7)], sides[pick(7)]];
        let filter = [Filter::Linear, Filter::Linear, Filter::Nearest][pick(3)];
        let wrap = [Wrap::Repeat, Wrap::Clamp, Wrap::Clamp, Wrap::Mirror, Wrap::Border];
        let sampler = Sampler {
            filter,
            mip: if pick(8) == 0 { Mip::Nearest } else { Mip::None },
            wrap: [wrap[pick(5)], wrap[pick(5)], Wrap::Repeat],
            border: [0x3f00_0000; 4],
            ..Sampler::default()
        };
        let target = if pick(4) == 0 { "RECT" } else { "2D" };
        let offset = if pick(2) == 0 { "" } else { ", IMM[0].xyz" };
        let (template, model) = if pick(3) == 0 { (BRANCH, "nv-patent") } else { (PLAIN, "ieee") };
        let text = template
            .replace("TARGETOFFSET", &format!("{target}{offset}"))
            .replace("TARGET", target)
            .replace("LOOKUP", if pick(3) == 0 { "TXP" } else { "TEX" });
        let mut corners = [[0u32; 4]; 4];
        let odd = [f32::NAN, f32::INFINITY, -1e30, 9e6, -0.0, 1e-40];
        for word in corners.as_flattened_mut() {
            *word = match pick(30) {
                0 => odd[pick(6)],
                1..6 => pick(9) as f32 / 4.0 - 1.0,
                _ => pick(1 << 20) as f32 / (1 << 17) as f32 - 4.0,
            }
            .to_bits();
        }
        let viewport = [(33, 18), (64, 8), (7, 3)][pick(3)];
        let image = Arc::new(image(&mut random, size));
        let set = |draw: &mut Draw| {
            (draw.width, draw.height) = viewport;
            draw.textures.set(0, Unit::Image { image: image.clone(), sampler });
            draw.attributes = vec![corners.to_vec(); draw.attributes.len()];
        };
        let wanted = frame(Engine::Interp, &text, model, &set, &mut Frame::default());
        for engine in engines {
            let found = frame(engine, &text, model, &set, &mut earlier);
            assert_eq!(found, wanted, "case {case}, {engine}: {size:?} {sampler:?}\n{text}");
        }
    }
}
