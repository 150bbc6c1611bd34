//! Whole draws of NV programs: pictures, coverage, errors, threads.

use parallax::{
    CANCELLED, Compiled, Control, Draw, Engine, Frame, Geometry, Level, LoadOptions, Manifest, Optimise, Problems,
    Target, Targets, Workers, compile, compile_bound, cut_into_frames, load, run_draw, run_draw_reusing,
};
use parallax_core::OutputRole;
use parallax_core::num::{self, Decl, Format, Model, Storage};
use parallax_text::DiagKind;
use std::ops::ControlFlow;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

fn compiled(text: &str) -> Compiled {
    compiled_with(text, &LoadOptions::default())
}

fn compiled_with(text: &str, options: &LoadOptions) -> Compiled {
    let loaded = load("test.fp", text.as_bytes(), options);
    let shader = loaded.shader.unwrap_or_else(|| panic!("{:#?}", loaded.diags));
    compile(&shader, &Model::builtin("ieee").expect("built in"), Optimise::Yes, Engine::Interp).expect("a valid shader")
}

fn draw(compiled: &Compiled, manifest: &str) -> Draw {
    let manifest = Manifest::parse("m.toml", manifest).unwrap_or_else(|p| panic!("{p}"));
    Draw::new(&compiled.shader.func.iface, &manifest).unwrap_or_else(|p| panic!("{p}"))
}

fn run(compiled: &Compiled, draw: &Draw) -> Result<Frame, Problems> {
    run_draw(compiled, draw, &Workers::serial(), Control::default())
}

/// Component `comp` of the colour as numbers.
fn colour(frame: &Frame, comp: u8) -> Vec<f32> {
    let channel = frame.channel(OutputRole::Color(0), comp).expect("a colour");
    channel.values().iter().map(|&v| v as f32).collect()
}

const COPY: &str = "!!FP1.0\nMOVR o[COLR], f[TEX0];\nEND\n";

#[test]
fn a_quad_interpolates_at_pixel_centres() {
    let shader = compiled(COPY);
    let frame = run(&shader, &draw(&shader, "size = [4, 2]")).unwrap();
    assert_eq!(colour(&frame, 0), [0.125, 0.375, 0.625, 0.875, 0.125, 0.375, 0.625, 0.875]);
    assert_eq!(colour(&frame, 1), [0.25, 0.25, 0.25, 0.25, 0.75, 0.75, 0.75, 0.75]);
    assert_eq!((colour(&frame, 2), colour(&frame, 3)), (vec![0.0; 8], vec![1.0; 8]));
    assert_eq!((frame.fragments, frame.discarded, frame.out_of_fuel), (8, 0, 0));
}

/// The memory of an earlier frame shows nowhere: of pixels that are killed, beyond the edges, of other shapes.
#[test]
fn frames_in_the_memory_of_earlier_ones_are_the_same() {
    let kill = "!!FP1.0\nADDRC R0, f[TEX0], {-0.4, -0.5, 0, 0};\nKIL LT.x;\nMOVR o[COLR], R0;\nEND\n";
    let triangle =
        "[geometry]\nkind = \"triangles\"\npositions = [[-1, -1, 0, 1], [0.7, -0.9, 0, 1], [-0.3, 0.8, 0, 1]]\n";
    let mut earlier = Frame::default();
    for manifest in ["size = [33, 17]", "size = [32, 18]", "size = [32, 18]\ntarget = \"fp16\""] {
        for (text, geometry) in [(COPY, ""), (kill, ""), (COPY, triangle), (kill, "")] {
            let shader = compiled(text);
            let draw = draw(&shader, &format!("{manifest}\n{geometry}"));
            let wanted = run(&shader, &draw).unwrap();
            earlier = run_draw_reusing(&shader, &draw, &Workers::serial(), Control::default(), earlier).unwrap();
            assert_eq!(earlier, wanted, "{manifest} {geometry} {text}");
        }
    }
}

/// Every engine gives the same frames, in new memory and in that of an earlier frame: of sizes whose last band has one row, too.
#[test]
fn engines_give_the_same_frames_of_odd_sizes() {
    let kill = "!!FP1.0\nADDRC R0, f[TEX0], {-0.4, -0.5, 0, 0};\nKIL LT.x;\nMOVR o[COLR], R0;\nEND\n";
    let model = Model::builtin("ieee").expect("built in");
    let shader = load("test.fp", kill.as_bytes(), &LoadOptions::default()).shader.expect("loads");
    for size in ["[33, 17]", "[4, 1]", "[1, 1]", "[32, 33]", "[34, 16]"] {
        let mut wanted: Option<Frame> = None;
        let levels = [(Engine::JitAvx2, Level::Avx2), (Engine::JitAvx512, Level::Avx512)];
        let levels = levels.into_iter().filter(|(_, level)| level.is_supported()).map(|(engine, _)| engine);
        for engine in [Engine::Interp, Engine::Jit].into_iter().chain(levels) {
            let compiled = compile_bound(shader.bind(&model), Optimise::Yes, engine).expect("a valid shader");
            let draw = draw(&compiled, &format!("size = {size}"));
            let frame = run(&compiled, &draw).unwrap();
            let wanted = wanted.get_or_insert_with(|| frame.clone());
            assert!(frame == *wanted, "{engine} {size}");
            let over = run_draw_reusing(&compiled, &draw, &Workers::serial(), Control::default(), frame).unwrap();
            assert!(over == *wanted, "{engine} {size}, in the memory of an earlier frame");
        }
    }
}

#[test]
fn odd_sizes_are_covered_once() {
    let shader = compiled(COPY);
    for (width, height) in [(1u32, 1u32), (3, 5), (33, 17), (130, 19)] {
        let frame = run(&shader, &draw(&shader, &format!("size = [{width}, {height}]"))).unwrap();
        assert!(frame.covered.iter().all(|c| *c));
        assert_eq!(frame.fragments, u64::from(width * height));
        let x = colour(&frame, 0);
        assert_eq!(x[frame.pixels() - 1], (width as f32 - 0.5) * (1.0 / width as f32));
    }
}

#[test]
fn corners_off_a_plane_split_the_quad() {
    let shader = compiled(COPY);
    let manifest = "size = [4, 4]\n[[attributes]]\nindex = 4\ncorners = [[0], [0], [0], [8]]\n";
    let frame = run(&shader, &draw(&shader, manifest)).unwrap();
    assert_eq!(frame.fragments, 16);
    let x = colour(&frame, 0);
    assert_eq!((x[0], x[5], x[15]), (0.0, 0.0, 6.0));
}

#[test]
fn position_is_the_pixel_centre_in_the_window() {
    let shader = compiled("!!FP1.0\nMOVR o[COLR], f[WPOS];\nEND\n");
    let frame = run(&shader, &draw(&shader, "size = [3, 2]")).unwrap();
    assert_eq!(colour(&frame, 0), [0.5, 1.5, 2.5, 0.5, 1.5, 2.5]);
    assert_eq!(colour(&frame, 1), [0.5, 0.5, 0.5, 1.5, 1.5, 1.5]);
    assert_eq!((colour(&frame, 2), colour(&frame, 3)), (vec![0.5; 6], vec![1.0; 6]));
}

#[test]
fn perspective_divides_by_the_interpolated_inverse_w() {
    let shader = compiled("!!FP1.0\nMOVR R0, f[TEX0];\nMOVR R0.y, f[WPOS].w;\nMOVR o[COLR], R0;\nEND\n");
    let manifest = "size = [2, 2]\n[geometry]\nkind = \"triangles\"\n\
        positions = [[-1, 3, 0, 1], [-1, -1, 0, 1], [12, -4, 0, 4]]\n\
        [[attributes]]\nindex = 4\nvalues = [[0], [0], [1]]\n";
    let frame = run(&shader, &draw(&shader, manifest)).unwrap();
    // The window is the left quarter of a triangle 8 pixels wide: 1/w is 1 at its left, 1/4 at its right edge.
    let (x, w) = (colour(&frame, 0), colour(&frame, 1));
    for column in 0..2 {
        let t = (column as f32 + 0.5) / 4.0;
        let inverse = 1.0 - 0.75 * t;
        assert!((w[column] - inverse).abs() < 1e-6, "{w:?}");
        assert!((x[column] - 0.25 * t / inverse).abs() < 1e-6, "{x:?}");
    }
}

#[test]
fn helpers_complete_the_quads_of_an_edge() {
    let text = "!!FP1.0\nDDXR R0.x, f[TEX0].x;\nDDYR R0.y, f[TEX0].y;\nMOVR o[COLR], R0;\nEND\n";
    let shader = compiled(text);
    let manifest = "size = [8, 8]\n[geometry]\nkind = \"triangles\"\n\
        positions = [[-1, -1], [1, -1], [-1, 1]]\n\
        [[attributes]]\nindex = 4\nvalues = [[0, 8], [8, 8], [0, 0]]\n";
    let frame = run(&shader, &draw(&shader, manifest)).unwrap();
    // The diagonal belongs to the other side.
    assert_eq!(frame.fragments, 28);
    for pixel in (0..64).filter(|&p| frame.covered[p]) {
        assert_eq!((colour(&frame, 0)[pixel], colour(&frame, 1)[pixel]), (1.0, 1.0));
    }
    let outside = (0..64).find(|&p| !frame.covered[p]).expect("a pixel outside");
    assert!(frame.channels.iter().all(|c| c.words.get(outside) == 0));
}

#[test]
fn later_triangles_overwrite_and_killed_fragments_do_not() {
    let shader = compiled("!!FP1.0\nMOVRC R0, f[TEX0];\nKIL LT.x;\nMOVR o[COLR], R0;\nEND\n");
    let manifest = "size = [4, 4]\n[geometry]\nkind = \"triangles\"\n\
        positions = [[-1, 3], [-1, -1], [3, -1], [-1, 3], [-1, -1], [3, -1]]\n\
        [[attributes]]\nindex = 4\nvalues = [[1], [1], [1], [2], [2], [-6]]\n";
    let frame = run(&shader, &draw(&shader, manifest)).unwrap();
    assert_eq!((frame.fragments, frame.covered.iter().filter(|c| **c).count()), (32, 16));
    assert!(frame.discarded > 0);
    // x falls by one per pixel; the last columns are killed and show the first triangle.
    assert_eq!(colour(&frame, 0)[..4], [1.5, 0.5, 1.0, 1.0]);
}

const BUSY: &str = "!!FP1.0\nTEX R0, f[TEX0], TEX0, 2D;\nMULR R0, R0, f[TEX1];\nADDRC R1.x, R0.x, -0.3;\nKIL GT.x;\n\
    SINR R0.x, R0.x;\nEX2R R0.y, R0.y;\nMOVR o[COLR], R0;\nEND\n";

#[test]
fn threads_change_no_byte() {
    let shader = compiled(BUSY);
    let shapes = [
        "size = [150, 90]",
        "size = [150, 90]\n[geometry]\nkind = \"triangles\"\npositions = [[-1, 1], [-0.5, -2], [1, 0.3], [-1, 1, 0, 2], [1, 0.3], [0, 2]]",
    ];
    for manifest in shapes {
        let draw = draw(&shader, manifest);
        let serial = run(&shader, &draw).unwrap();
        assert!(serial.discarded > 0 && serial.fragments > 1000);
        for threads in [2, 3, 7] {
            let workers = Workers::new(threads).expect("threads");
            assert_eq!(run_draw(&shader, &draw, &workers, Control::default()).unwrap(), serial);
        }
    }
}

/// Depths outside [0, 1]: `!!FP1.0` discards, ARB clamps, `depth-range=any` keeps.
#[test]
fn depths_are_kept_in_range_as_the_dialect_says() {
    let fp10 = "!!FP1.0\nMOVR o[DEPR].z, f[TEX0].x;\nMOVR o[COLR], f[TEX0];\nEND\n";
    let arb = "!!ARBfp1.0\nMOV result.depth.z, fragment.texcoord[0].x;\nMOV result.color, fragment.texcoord[0];\nEND\n";
    let mut any = LoadOptions::default();
    any.lift.settings.insert("depth-range".into(), "any".into());
    let depths = |text: &str, options: &LoadOptions| {
        let shader = compiled_with(text, options);
        let frame = run(
            &shader,
            &draw(
                &shader,
                "size = [4, 1]\n[[attributes]]\nsemantic = \"TEXCOORD[0]\"\ncorners = [[-1], [3], [-1], [3]]",
            ),
        )
        .unwrap();
        (frame.channel(OutputRole::Depth, 2).unwrap().values(), frame.covered.clone())
    };
    assert_eq!(depths(fp10, &LoadOptions::default()), (vec![0.0, 0.5, 0.0, 0.0], vec![false, true, false, false]));
    assert_eq!(depths(arb, &LoadOptions::default()), (vec![0.0, 0.5, 1.0, 1.0], vec![true; 4]));
    for text in [fp10, arb] {
        assert_eq!(depths(text, &any), (vec![-0.5, 0.5, 1.5, 2.5], vec![true; 4]));
    }
}

/// What a target of the colour holds, by component.
fn stored(frame: &Frame) -> Vec<Vec<u64>> {
    frame.channels.iter().filter_map(|c| Some(c.stored.as_ref()?.words.to_words())).collect()
}

#[test]
fn targets_hold_the_colour_rounded_once() {
    let shader = compiled(COPY);
    let plain = run(&shader, &draw(&shader, "size = [150, 9]")).unwrap();
    assert!(plain.channels.iter().all(|c| c.stored.is_none()) && plain.target_names().is_none());
    for target in Target::ALL.into_iter().filter(|target| target.is_of_colors()) {
        let frame = run(&shader, &draw(&shader, &format!("size = [150, 9]\ntarget = \"{target}\""))).unwrap();
        assert_eq!(frame.target_names().as_deref(), Some(target.name()));
        assert_eq!(stored(&frame).len(), 4);
        for (comp, (kept, channel)) in (0u8..).zip(plain.channels.iter().zip(&frame.channels)) {
            // The shader's own words stay.
            assert_eq!(kept.words, channel.words);
            let stored = channel.stored.as_ref().unwrap().words.to_words();
            for (word, stored) in channel.words.to_words().into_iter().zip(stored) {
                let value = f32::from_bits(word as u32);
                let want = match target {
                    Target::Fp32 => word,
                    // Coordinates have few digits: the product is exact.
                    Target::Unorm8 | Target::Rgb10A2 | Target::Rgb565 if target.bits(comp) > 1 => {
                        (f64::from(value) * ((1 << target.bits(comp)) - 1) as f64).round_ties_even() as u64
                    }
                    // What it has no bits for is 1.
                    Target::Rgb565 | Target::R11fG11fB10f | Target::Rgb9E5 if comp == 3 => 0,
                    Target::Snorm8 => (f64::from(value) * 127.0).round_ties_even() as u64,
                    Target::Fp16 => {
                        let rule = num::Rule { source: Storage::F32, ..num::Rule::ieee(Decl::F16, Format::F16) };
                        num::eval(num::Op::Cvt, &rule, &[word])
                    }
                    // Their codes have tests of their own; here no other step is nearer.
                    target => {
                        let off = |word: u64| (target.value(comp, word) - f64::from(value)).abs();
                        let is_nearest = off(stored) <= off(stored + 1) && off(stored) <= off(stored.max(1) - 1);
                        assert!(is_nearest || target == Target::Srgb8, "{target} of {value}: {stored:x}");
                        continue;
                    }
                };
                assert_eq!(stored, want, "{target} of {value}");
            }
        }
    }
}

#[test]
fn targets_depend_on_no_thread_and_leave_uncovered_pixels_at_zero() {
    let shader = compiled(BUSY);
    let manifest = "size = [150, 90]\n[geometry]\nkind = \"triangles\"\npositions = [[-1, 1], [-0.5, -2], [1, 0.3]]";
    for target in Target::ALL.into_iter().filter(|target| target.is_of_colors()) {
        let draw = Draw { targets: Targets::all(target), ..draw(&shader, manifest) };
        let serial = run(&shader, &draw).unwrap();
        assert!(serial.discarded > 0);
        for threads in [2, 3, 7] {
            let workers = Workers::new(threads).expect("threads");
            assert_eq!(run_draw(&shader, &draw, &workers, Control::default()).unwrap(), serial);
        }
        for words in stored(&serial) {
            let outside = words.iter().zip(&serial.covered).filter(|(_, covered)| !**covered);
            assert!(outside.map(|(word, _)| *word).all(|word| word == 0));
            let has_bits = words.iter().any(|word| *word != 0);
            assert!(has_bits || target.bits(3) == 1);
        }
    }
}

/// Frames that keep nothing but targets store the same, on any number of threads, as the first frame and in the memory of another one.
#[test]
fn targets_alone_hold_what_they_hold_beside_results() {
    let alone = Control { targets_alone: true, ..Control::default() };
    let shader = compiled(BUSY);
    let triangle = "[geometry]\nkind = \"triangles\"\npositions = [[-1, 1], [-0.5, -2], [1, 0.3]]";
    for geometry in ["", triangle] {
        for target in Target::ALL {
            let draw = draw(&shader, &format!("size = [151, 91]\n{geometry}"));
            let draw = Draw { targets: Targets::all(target), ..draw };
            let both = run(&shader, &draw).unwrap();
            assert!(both.discarded > 0);
            for threads in [1, 2, 3] {
                let workers = Workers::new(threads).expect("threads");
                let mut earlier = parallax::Frame::default();
                for _ in 0..3 {
                    let frame = parallax::run_draw_reusing(&shader, &draw, &workers, alone, earlier).unwrap();
                    assert_eq!((stored(&frame), &frame.covered), (stored(&both), &both.covered), "{target} {geometry}");
                    let counts = |frame: &parallax::Frame| (frame.fragments, frame.discarded, frame.out_of_fuel);
                    assert_eq!(counts(&frame), counts(&both));
                    assert!(frame.channels.iter().all(|c| c.words.is_empty() == c.stored.is_some()));
                    earlier = frame;
                    // Whatever an earlier frame left behind.
                    for channel in &mut earlier.channels {
                        if let Some(stored) = &mut channel.stored {
                            let len = stored.words.len();
                            stored.words.as_mut().copy_from(&vec![0x55; len]);
                        }
                    }
                    earlier.covered.fill(true);
                }
            }
        }
    }
    // Pixels of several samples hold both.
    let samples = draw(&shader, "size = [20, 8]\ntarget = \"unorm8\"");
    let samples = Draw {
        samples: parallax::Samples { positions: vec![[-2, -6], [6, -2], [-6, 2], [2, 6]], per_sample: None },
        ..samples
    };
    let frame = parallax::run_draw(&shader, &samples, &Workers::serial(), alone).unwrap();
    assert_eq!(frame, run(&shader, &samples).unwrap());
}

#[test]
fn every_colour_output_has_its_own_target() {
    let shader = compiled(
        "FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nDCL OUT[1], COLOR[1]\nDCL OUT[2], POSITION\n\
         MOV OUT[0], IN[0]\nMOV OUT[1], IN[0]\nMOV OUT[2].z, IN[0].xxxx\nEND\n",
    );
    let frame = run(&shader, &draw(&shader, "target = \"unorm8\"\n[targets]\n1 = \"fp16\"")).unwrap();
    let target = |role| frame.channel(role, if role == OutputRole::Depth { 2 } else { 0 }).unwrap().stored.clone();
    assert_eq!(target(OutputRole::Color(0)).map(|s| s.target), Some(Target::Unorm8));
    assert_eq!(target(OutputRole::Color(1)).map(|s| s.target), Some(Target::Fp16));
    assert_eq!(target(OutputRole::Depth), None);
    assert_eq!(frame.target_names().as_deref(), Some("fp16 and unorm8"));
}

/// Depth comparisons in both languages that have them: the reference value is the third coordinate, and the answers of the
/// texels are filtered.
#[test]
fn shadow_lookups_compare_and_blend_the_answers() {
    let arb = "!!ARBfp1.0\nOPTION ARB_fragment_program_shadow;\nPARAM at = { 0.4375, 0.5, 0.5, 1 };\n\
               TEX result.color, at, texture[2], SHADOW2D;\nEND\n";
    let tgsi = "FRAG\nDCL OUT[0], COLOR\nDCL SAMP[2]\nIMM FLT32 {0.4375, 0.5, 0.5, 1}\n\
                TEX OUT[0], IMM[0], SAMP[2], SHADOW2D\nEND\n";
    // Columns of red 0, 1/3, 2/3, 1: at s = 0.4375 the second and a quarter of the third count.
    for (compare, answer) in
        [("", 0.25), ("compare = \"greater\"", 0.75), ("compare = \"not_equal\"", 1.0), ("compare = \"equal\"", 0.0)]
    {
        let manifest = format!(
            "size = [1, 1]\n[[textures]]\nunit = 2\nsource = \"ramp\"\nformat = \"rgba32f\"\nsize = [4, 4]\n{compare}\n"
        );
        for text in [arb, tgsi] {
            let shader = compiled(text);
            let frame = run(&shader, &draw(&shader, &manifest)).unwrap();
            let pixel = [0, 1, 2, 3].map(|comp| colour(&frame, comp)[0]);
            assert_eq!(pixel, [answer, answer, answer, 1.0], "{compare} {text}");
        }
    }
}

/// Layers and comparisons in two languages whose operands stand in different places.
#[test]
fn array_and_shadow_shapes_agree_between_languages() {
    let drawn = |name: &str, text: String| {
        let loaded = load(name, text.as_bytes(), &LoadOptions::default());
        let shader = loaded.shader.unwrap_or_else(|| panic!("{text}{:#?}", loaded.diags));
        let shader = compile(&shader, &Model::builtin("ieee").expect("built in"), Optimise::Yes, Engine::Interp)
            .expect("a valid shader");
        let frame = run(&shader, &draw(&shader, "size = [24, 20]")).unwrap();
        [0, 1, 2, 3].map(|comp| frame.channel(OutputRole::Color(0), comp).expect("a colour").values().to_vec())
    };
    // The shapes, the sources of TGSI behind coordinates and layer 2, reference 0.5; and registers R4 to R7 and the operand
    // R8 of TEX: the layer, coordinates; the level of detail and the reference.
    let cases = [
        ("1D_ARRAY", "TEX", "xzyy", "TEX.NODEP R0, R4, R8, 0x0, ARRAY_1D, 0xf", [L, X, N, N], [N, N]),
        ("2D_ARRAY", "TEX", "xyzz", "TEX R0, R4, 0x0, ARRAY_2D, 0xf", [L, X, Y, N], [N, N]),
        ("2D_ARRAY", "TXL", "xyzw", "TEX.LL R0, R4, R8, 0x0, ARRAY_2D, 0xf", [L, X, Y, N], [H, N]),
        ("3D", "TEX", "xyww", "TEX R0, R4, 0x0, 3D, 0xf", [X, Y, H, N], [N, N]),
        ("CUBEARRAY", "TEX", "xywz", "TEX R0, R4, 0x0, ARRAY_CUBE, 0xf", [L, X, Y, H], [N, N]),
        ("SHADOW1D", "TEX", "xyww", "TEX.DC R0, R4, R8, 0x0, 1D, 0xf", [X, N, N, N], [H, N]),
        ("SHADOW2D", "TEX", "xyww", "TEX.DC R0, R4, R8, 0x0, 2D, 0xf", [X, Y, N, N], [H, N]),
        ("SHADOW2D", "TXB", "xyww", "TEX.LB.DC R0, R4, R8, 0x0, 2D, 0xf", [X, Y, N, N], [H, H]),
        ("SHADOW2D", "TEX_LZ", "xyww", "TEXS.LZ.DC R2, R0, R4, R8, 0x0, 2D, RGBA", [X, Y, N, N], [H, N]),
        ("SHADOW1D_ARRAY", "TEX", "xzww", "TEX.DC R0, R4, R8, 0x0, ARRAY_1D, 0xf", [L, X, N, N], [H, N]),
        ("SHADOW2D_ARRAY", "TEX", "xyzw", "TEX.DC R0, R4, R8, 0x0, ARRAY_2D, 0xf", [L, X, Y, N], [H, N]),
        ("SHADOWCUBE", "TEX", "xyww", "TEX.DC R0, R4, R8, 0x0, CUBE, 0xf", [X, Y, H, N], [H, N]),
        ("SHADOWCUBE", "TXL2", "xyww", "TEX.LL.DC R0, R4, R8, 0x0, CUBE, 0xf", [X, Y, H, N], [H, H]),
        ("SHADOWCUBEARRAY", "TEX2", "xywz", "TEX.DC R0, R4, R8, 0x0, ARRAY_CUBE, 0xf", [L, X, Y, H], [H, N]),
    ];
    /// What a register holds: a coordinate, the layer, one half, nothing.
    const X: &str = "IPA {}, a[0x80], R12";
    const Y: &str = "IPA {}, a[0x84], R12";
    const L: &str = "MOV32I {}, 0x2";
    const H: &str = "MOV32I {}, 0x3f000000";
    const N: &str = "MOV32I {}, 0x7fc00000";
    for (target, op, swizzle, tex, a, b) in cases {
        let second = if op.ends_with('2') { ", IMM[0].wwww" } else { "" };
        let tgsi = format!(
            "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL SAMP[0]\nDCL TEMP[0]\n\
             IMM FLT32 {{0.0, 0.0, 2.0, 0.5}}\nMOV TEMP[0].xy, IN[0]\nMOV TEMP[0].zw, IMM[0]\n\
             {op} OUT[0], TEMP[0].{swizzle}{second}, SAMP[0], {target}\nEND\n"
        );
        let registers = a.iter().zip(4..).chain(b.iter().zip(8..));
        let moves: Vec<String> = registers.map(|(text, n)| text.replace("{}", &format!("R{n}"))).collect();
        let spa5 = format!("IPA.PASS R12, a[0x7c], RZ\nMUFU.RCP R12, R12\n{}\n{tex}\nEXIT\n", moves.join("\n"));
        let (one, other) = (drawn("a.tgsi", tgsi), drawn("a.spa5", spa5));
        assert_eq!(one, other, "{op} {target}");
        let first = one[0][0];
        assert!(one[0].iter().any(|red| *red != first), "{op} {target} gives {first} everywhere");
    }
}

#[test]
fn what_cannot_be_drawn_is_said() {
    let shader = compiled("!!FP1.0\nTEX R0, f[TEX0], TEX3, 2D;\nMOVR o[COLR], R0;\nEND\n");
    let good = draw(&shader, "");
    let codes = |draw: &Draw| {
        let diags = run(&shader, draw).unwrap_err().diags;
        diags.iter().map(|d| (d.code, d.kind)).collect::<Vec<_>>()
    };
    let invalid = DiagKind::Invalid;
    for (width, height) in [(0, 5), (u32::MAX, 1), (16_384, 16_384)] {
        assert_eq!(codes(&Draw { width, height, ..good.clone() }), [("draw-size", invalid)]);
    }
    assert_eq!(codes(&Draw { textures: Default::default(), ..good.clone() }), [("draw-texture", invalid)]);
    let geometry = Geometry::Triangles(vec![[0.0; 4]; 2]);
    assert!(codes(&Draw { geometry, ..good.clone() }).contains(&("draw-vertices", invalid)));
    let mut short = good;
    short.attributes[4].pop();
    assert_eq!(codes(&short), [("draw-attribute", invalid)]);
}

#[test]
fn endless_loops_end_and_are_counted() {
    let text = "!!ARBfp1.0\nOPTION NV_fragment_program2;\nTEMP r;\nMOVC r, {1,1,1,1};\nREP {255};\nREP {255};\nREP {255};\n\
        ADD r, r, r;\nENDREP;\nENDREP;\nENDREP;\nMOV result.color, r;\nEND\n";
    let loaded = load("t.fp", text.as_bytes(), &LoadOptions::default());
    let Some(shader) = loaded.shader else { panic!("{:#?}", loaded.diags) };
    let compiled =
        compile(&shader, &Model::builtin("ieee").expect("built in"), Optimise::Yes, Engine::Interp).expect("valid");
    let mut draw = draw(&compiled, "size = [4, 4]");
    draw.fuel = 1000;
    let frame = run(&compiled, &draw).unwrap();
    assert_eq!((frame.fragments, frame.out_of_fuel), (16, 16));
}

#[test]
fn runs_report_progress_and_can_be_stopped() {
    let shader = compiled(COPY);
    let draw = draw(&shader, "size = [64, 64]");
    let last = AtomicU64::new(0);
    let progress = |done: u64, all: u64| {
        assert_eq!(all, 64 * 64);
        last.fetch_max(done, Ordering::Relaxed);
    };
    let control = Control { progress: Some(&progress), ..Control::default() };
    run_draw(&shader, &draw, &Workers::new(2).expect("threads"), control).unwrap();
    assert_eq!(last.into_inner(), 64 * 64);
    let cancel = AtomicBool::new(true);
    let control = Control { cancel: Some(&cancel), ..Control::default() };
    let diags = run_draw(&shader, &draw, &Workers::serial(), control).unwrap_err().diags;
    assert_eq!(diags[0].code, CANCELLED);
}

#[test]
fn programs_that_do_not_end_are_given_up() {
    // Endless where x is above 3/4: a quarter of the pixels.
    let text = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0]\nIMM FLT32 {0.75, 0, 0, 0}\n\
        BGNLOOP\nSGE TEMP[0].x, IMM[0].xxxx, IN[0].xxxx\nIF TEMP[0].xxxx\nBRK\nENDIF\nENDLOOP\nMOV OUT[0], IN[0]\nEND\n";
    let loaded = load("endless.tgsi", text.as_bytes(), &LoadOptions::default());
    let shader = loaded.shader.unwrap_or_else(|| panic!("{:#?}", loaded.diags));
    let shader = compile(&shader, &Model::builtin("ieee").expect("built in"), Optimise::Yes, Engine::Interp)
        .expect("a valid shader");
    let few = run(&shader, &draw(&shader, "size = [16, 16]")).unwrap();
    assert_eq!((few.fragments, few.out_of_fuel), (256, 64));
    for threads in [1, 3] {
        let workers = Workers::new(threads).unwrap();
        let big = draw(&shader, "size = [64, 64]");
        let diags = run_draw(&shader, &big, &workers, Control::default()).unwrap_err().diags;
        assert_eq!((diags[0].code, diags[0].kind), (parallax::ENDLESS, DiagKind::Unsupported));
        assert_eq!(diags[0].span.map(|s| s.start), text.find("BGNLOOP").map(|at| at as u32));
        // The same threads draw on.
        assert_eq!(
            run_draw(&shader, &draw(&shader, "size = [16, 16]"), &workers, Control::default()).as_ref(),
            Ok(&few)
        );
    }
}

#[test]
fn results_are_handed_over_in_order() {
    let items: Vec<u64> = (0..60).collect();
    for workers in [Workers::serial(), Workers::new(2).expect("threads"), Workers::new(5).expect("threads")] {
        let begun = AtomicU64::new(0);
        // The first ones take longest.
        let job = |item: &u64| {
            begun.fetch_add(1, Ordering::Relaxed);
            std::thread::sleep(std::time::Duration::from_micros(50 * (60 - item)));
            // Items have parts that are shared out, too.
            workers.map(&[*item, 1], |part| part * part).iter().sum::<u64>()
        };
        let mut taken = Vec::new();
        workers.in_order(&items, job, |found| {
            taken.push(found);
            ControlFlow::Continue(())
        });
        assert_eq!(taken, items.iter().map(|n| n * n + 1).collect::<Vec<_>>());
        assert_eq!(begun.swap(0, Ordering::Relaxed), 60);

        let mut taken = 0;
        workers.in_order(&items, job, |_| {
            taken += 1;
            if taken == 7 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!(taken, 7);
        assert!(begun.load(Ordering::Relaxed) < 60);

        let panics = std::panic::catch_unwind(AssertUnwindSafe(|| {
            workers.in_order(&items, |item| assert_ne!(*item, 3), |()| ControlFlow::Continue(()));
        }));
        assert!(panics.is_err());
        workers.in_order(&[] as &[u64], |item| *item, |_| ControlFlow::Break(()));
    }
}

/// A triangle over another one, both half transparent: what the lower one left is blended with the upper one, in order.
#[test]
fn triangles_are_blended_in_order() {
    let shader = compiled("FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n");
    let manifest = "size = [8, 8]\ntarget = \"unorm8\"\n[blend]\nsource = \"src_alpha\"\n\
                    destination = \"one_minus_src_alpha\"\nbackground = [0, 0, 1, 1]\n[geometry]\nkind = \"triangles\"\n\
                    positions = [[-1, -1], [1, -1], [-1, 1], [-4, -4], [4, -4], [0, 4]]\n[[attributes]]\nindex = 0\n\
                    values = [[1, 0, 0, 0.5], [0, 0, 0, 0], [0, 0, 0, 0], [0, 1, 0, 0.25], [0, 0, 0, 0], [0, 0, 0, 0]]\n";
    for samples in ["", "[samples]\ncount = 4\n"] {
        let draw = draw(&shader, &format!("{manifest}{samples}"));
        let frame = run(&shader, &draw).unwrap();
        let words = stored(&frame);
        let pixel = |x: usize, y: usize| [0, 1, 2, 3].map(|comp| words[comp][y * 8 + x]);
        // Red over blue, 0.5 of each: 127.5 goes to the even 128; then a quarter of green over that.
        let byte = |v: f64| v.round_ties_even() as u64;
        assert_eq!(
            pixel(1, 6),
            [byte(128.0 * 0.75), byte(255.0 * 0.25), byte(128.0 * 0.75), byte(63.75 * 0.25 + 191.0 * 0.75)]
        );
        // Where the lower triangle does not lie, green alone.
        assert_eq!(pixel(6, 1), [0, byte(255.0 * 0.25), byte(255.0 * 0.75), byte(63.75 * 0.25 + 255.0 * 0.75)]);
        // What the shader computed stays what it is.
        assert!(frame.channels[1].values().iter().all(|&v| v == 1.0));
        for threads in [2, 5] {
            let workers = Workers::new(threads).expect("threads");
            assert_eq!(run_draw(&shader, &draw, &workers, Control::default()).unwrap(), frame);
        }
        // The memory of another frame does not shine through.
        let again =
            run_draw_reusing(&shader, &draw, &Workers::new(1).expect("threads"), Control::default(), frame.clone());
        assert_eq!(again.unwrap(), frame);
    }
}

/// Half of a ramp fails a test of its alpha; a model that tests what is stored keeps another column.
#[test]
fn fragments_that_fail_the_alpha_test_are_discarded() {
    let shader = compiled(COPY);
    let manifest = "size = [256, 4]\ntarget = \"unorm8\"\n[alpha_test]\ncompare = \"greater\"\nreference = 0.5\n\
                    [[attributes]]\nsemantic = \"f[TEX0]\"\ncorners = [[0, 0, 0, 0], [0, 0, 0, 1], [0, 0, 0, 0], [0, 0, 0, 1]]\n";
    let frame = run(&shader, &draw(&shader, manifest)).unwrap();
    let kept: Vec<usize> = (0..256).filter(|&x| frame.covered[x]).collect();
    assert_eq!(kept, (128..256).collect::<Vec<_>>());
    assert_eq!((frame.discarded, frame.fragments), (512, 1024));
    let blend = "[blend]\nsource = \"one\"\ndestination = \"zero\"\n";
    let diags =
        |text: &str| run(&shader, &draw(&shader, text)).unwrap_err().diags.iter().map(|d| d.code).collect::<Vec<_>>();
    assert_eq!(diags(blend), ["draw-blend"]);
    assert_eq!(diags("target = \"rgb9_e5\"\n[samples]\ncount = 4\n"), ["draw-target"]);
}

/// Depths that a shader writes are stored in 16 and 24 bits: clamped, to the nearest.
#[test]
fn depths_are_stored_in_few_bits() {
    let shader = compiled(
        "FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nDCL OUT[1], POSITION\n\
         MOV OUT[0], IN[0]\nMOV OUT[1].z, IN[0].xxxx\nEND\n",
    );
    for (target, bits) in [("depth16", 16), ("depth24", 24)] {
        let manifest = format!(
            "size = [50, 1]\n[targets]\ndepth = \"{target}\"\n[[attributes]]\nindex = 0\ncorners = [[-0.25], [1.25], [-0.25], [1.25]]\n"
        );
        let frame = run(&shader, &draw(&shader, &manifest)).unwrap();
        let depth = frame.channel(OutputRole::Depth, 2).unwrap();
        let stored = depth.stored.as_ref().unwrap();
        assert_eq!(stored.target.name(), target);
        for (word, depth) in stored.words.to_words().into_iter().zip(depth.values()) {
            let most = f64::from((1u32 << bits) - 1);
            // 24 bits times 24 bits are exact.
            assert_eq!(word as f64, (depth.clamp(0.0, 1.0) * most).round_ties_even(), "{depth}");
        }
    }
}

/// Frames below each other are the picture: words, targets, samples, counts; with triangles over the seams, neighbours, discards.
#[test]
fn a_picture_in_frames_is_the_picture() {
    let text = "!!FP1.0\nDDXR R0, f[TEX0];\nDDYR R1, f[WPOS];\nADDR R1, R1, f[WPOS];\nMADR R0, R0, 3.25, R1;\nADDR R2.x, f[TEX0].x, -0.5;\n\
                KIL LT.x;\nMULR o[COLR], R0, f[TEX0];\nEND\n";
    let text = text.replace("KIL LT.x", "MULRC R2.x, R2.x, f[TEX0].y;\nKIL LT.x");
    let triangles = "[geometry]\nkind = \"triangles\"\npositions = [[-1.1, 0.9, 0, 1], [0.2, -1.3, 0, 1.5], [0.8, 0.95, 0, 1.2],\n\
                     [0.9, 0.9, 0, 1], [-0.7, -0.9, 0, 1], [0.95, -0.95, 0, 0.9]]\n";
    for manifest in ["", triangles, "target = \"fp16\"\n", "[samples]\ncount = 4\nper_sample = true\n"] {
        let compiled = compiled(&text);
        for size in [(37, 75), (64, 48), (5, 3)] {
            let draw = draw(&compiled, &format!("size = [{}, {}]\n{manifest}", size.0, size.1));
            let whole = run(&compiled, &draw).unwrap_or_else(|p| panic!("{p}"));
            let cut = cut_into_frames(&compiled, &draw, 1000);
            assert!(cut.len() > 1 || size.1 < 17, "{cut:?}");
            let mut next = 0;
            let (mut covered, mut sums) = (Vec::new(), [0; 3]);
            let mut words = vec![Vec::new(); 2 * whole.channels.len()];
            let mut samples = Vec::new();
            for rows in cut {
                assert_eq!(rows[0], next);
                next = rows[1];
                let control = Control { rows: Some(rows), ..Control::default() };
                let part = run_draw(&compiled, &draw, &Workers::serial(), control).unwrap_or_else(|p| panic!("{p}"));
                assert_eq!((part.width, part.height), (size.0, rows[1] - rows[0]));
                covered.extend(part.covered);
                for (n, channel) in part.channels.iter().enumerate() {
                    words[2 * n].extend(channel.words.to_words());
                    words[2 * n + 1].extend(channel.stored.iter().flat_map(|stored| stored.words.to_words()));
                }
                samples.extend(part.samples.into_iter().flat_map(|samples| samples.covered));
                sums = [sums[0] + part.fragments, sums[1] + part.discarded, sums[2] + part.out_of_fuel];
            }
            assert_eq!(next, size.1);
            assert_eq!(sums, [whole.fragments, whole.discarded, whole.out_of_fuel]);
            assert!(sums[1] > 0 || size.1 < 17, "nothing is discarded");
            assert_eq!(covered, whole.covered, "{manifest} {size:?}");
            for (n, channel) in whole.channels.iter().enumerate() {
                let stored = channel.stored.as_ref().map_or(Vec::new(), |stored| stored.words.to_words());
                assert_eq!(
                    (&words[2 * n], &words[2 * n + 1]),
                    (&channel.words.to_words(), &stored),
                    "{manifest} {size:?}"
                );
            }
            assert_eq!(samples, whole.samples.map_or(Vec::new(), |samples| samples.covered));
        }
    }
}
