//! What SPA 5.0 programs learn from the rasteriser: PIXLD for every mask of every sample count, and interpolation in a draw.

use parallax::{
    Control, Draw, Engine, Frame, LaneCase, LaneSamples, LoadOptions, Manifest, Optimise, Workers, compile, load,
    run_draw, run_lanes,
};
use parallax_core::OutputRole;
use parallax_core::num::Model;

/// Standard positions in sixteenths of a pixel from its centre: x, then y.
const POSITIONS: [&[[i32; 2]]; 4] = [
    &[[0, 0]],
    &[[4, 4], [-4, -4]],
    &[[-2, -6], [6, -2], [-6, 2], [2, 6]],
    &[[1, -3], [-1, 3], [5, 1], [-3, -5], [-5, 5], [-7, -1], [3, 7], [7, -7]],
];

const PROGRAM: &str = "PIXLD R1, P5, [RZ];
PIXLD.COVMASK R2;
PIXLD.COVERED R3, P0, [R0];
PIXLD.COVERED R4, P1, [R0+-0x1];
PIXLD.OFFSET R5, [R0];
PIXLD.OFFSET R6, P6, [0x1];
PIXLD.CENTROID_OFFSET R7, [RZ];
PIXLD.MY_INDEX R8, P2, [RZ];
PIXLD.COVERED R9, [0xff];
";

fn packed(position: Option<&[i32; 2]>, fraction: u32) -> u32 {
    position.map_or(0, |[x, y]| (x << fraction) as u32 & 0xffff | ((y << fraction) as u32) << 16)
}

#[test]
fn pixld_tells_every_mask() {
    let mut cases = 0;
    for (setting, fraction) in [("fixed", 8), ("literal", 0)] {
        let mut options = LoadOptions { isa: Some("spa5".into()), ..LoadOptions::default() };
        options.lift.preset = vec!["R0".into(), "P5".into(), "P6".into()];
        let watch = ["R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8", "R9", "P0", "P1", "P2", "P5", "P6"];
        options.lift.watch = watch.map(String::from).to_vec();
        options.lift.settings.insert("offset".into(), setting.into());
        let loaded = load("t", PROGRAM.as_bytes(), &options);
        let shader = loaded.shader.unwrap_or_else(|| panic!("{:#?}", loaded.diags));
        let compiled = compile(&shader, &Model::builtin("maxwell").unwrap(), Optimise::Yes, Engine::Interp).unwrap();
        for positions in POSITIONS {
            let count = positions.len() as u32;
            for masks in (0u32..1 << count).collect::<Vec<_>>().chunks(4) {
                let mut lanes = [0; 4];
                lanes.iter_mut().zip(masks.iter().chain(std::iter::repeat(&1))).for_each(|(lane, mask)| *lane = *mask);
                for sample in [0, 1, count - 1, count, 40] {
                    let per_sample = sample % 2 == 0;
                    let samples = LaneSamples { count, masks: lanes, per_sample, index: [sample % count; 4] };
                    let state = vec![("R0".into(), vec![sample]), ("P5".into(), vec![1]), ("P6".into(), vec![0])];
                    let case = LaneCase { samples, state, ..LaneCase::default() };
                    let results = run_lanes(&compiled, &case).unwrap_or_else(|d| panic!("{d:#?}"));
                    for (mask, lane) in lanes.into_iter().zip(&results) {
                        let value = |name: &str| lane.watched(name).unwrap()[0].unwrap().bits as u32;
                        let covered = |at: u32| at < count && mask >> at & 1 != 0;
                        let truth = |held: bool| if held { u32::MAX } else { 0 };
                        let centroid = match mask {
                            0 => None,
                            _ if mask == (1 << count) - 1 => None,
                            _ => positions.get(mask.trailing_zeros() as usize),
                        };
                        let want = [
                            ("R1", count),
                            ("R2", mask),
                            ("R3", truth(covered(sample))),
                            ("P0", covered(sample).into()),
                            ("R4", truth(covered(sample.wrapping_sub(1)))),
                            ("P1", covered(sample.wrapping_sub(1)).into()),
                            ("R5", packed(positions.get(sample as usize), fraction)),
                            ("R6", packed(positions.get(1), fraction)),
                            ("R7", packed(centroid, fraction)),
                            ("R8", if per_sample { sample % count } else { 0 }),
                            ("P2", per_sample.into()),
                            ("R9", 0),
                            // Other modes leave their predicate alone.
                            ("P5", 1),
                            ("P6", 0),
                        ];
                        for (name, want) in want {
                            assert_eq!(value(name), want, "{name}: {count} samples, mask {mask:x}, sample {sample}");
                        }
                        cases += 1;
                    }
                }
            }
        }
    }
    assert!(cases > 2000, "{cases}");
}

fn draw(isa: &str, program: &str, manifest: &str) -> Frame {
    let manifest = Manifest::parse("t.toml", manifest).unwrap_or_else(|p| panic!("{p}"));
    let mut options = LoadOptions { isa: Some(isa.into()), ..LoadOptions::default() };
    options.lift.settings.clone_from(&manifest.options);
    let loaded = load("t", program.as_bytes(), &options);
    let shader = loaded.shader.unwrap_or_else(|| panic!("{:#?}", loaded.diags));
    let draw = Draw::new(&shader.func.iface, &manifest).unwrap_or_else(|p| panic!("{p}"));
    let compiled = compile(&shader, &Model::builtin("ieee").unwrap(), Optimise::Yes, Engine::Interp).unwrap();
    run_draw(&compiled, &draw, &Workers::serial(), Control::default()).unwrap_or_else(|d| panic!("{d:#?}"))
}

fn values(frame: &Frame, comp: u8) -> Vec<f32> {
    let channel = frame.channel(OutputRole::Color(0), comp).expect("a colour");
    channel.words.to_words().into_iter().map(|word| f32::from_bits(word as u32)).collect()
}

const TRIANGLE: &str = "stage = \"fragment\"\nsize = [24, 24]\n[geometry]\nkind = \"triangles\"\n\
                        positions = [[-0.9, -0.8, 0, 1], [2.7, -2.1, 0, 3], [0.1, 1.2, 0, 1.4]]\n\
                        [[attributes]]\nsemantic = \"GENERIC[0]\"\nvalues = [[0.25, 1], [3, -2], [1, 7]]\n";

const HEADER: &str = ".header type 2\n.header version 3\n.header stage pixel\n.header target0 rgba\n";

/// PASS gives the attribute over w, and position w gives 1/w: their quotient, correctly rounded, is what interpolation with
/// perspective is everywhere else.
#[test]
fn pass_is_the_plane_that_perspective_divides() {
    let manifest = TRIANGLE.to_string();
    let program = format!(
        "{HEADER}.header generic0 perspective linear unused unused\n\
         IPA.PASS R0, a[0x80], RZ\nIPA.PASS R1, a[0x7c], RZ\nIPA.PASS R2, a[0x84], RZ\nIPA.CONSTANT R3, a[0x84], RZ\nEXIT\n"
    );
    let got = draw("spa5", &program, &manifest);
    let twin = |interp: &str| {
        draw(
            "tgsi",
            &format!("FRAG\nDCL IN[0], GENERIC[0], {interp}\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n"),
            &manifest,
        )
    };
    let (perspective, linear) = (twin("PERSPECTIVE"), twin("LINEAR"));
    assert_eq!(got.covered, perspective.covered);
    let (plane, inverse, screen, constant) = (values(&got, 0), values(&got, 1), values(&got, 2), values(&got, 3));
    let mut divided = 0;
    for n in (0..got.covered.len()).filter(|n| got.covered[*n]) {
        let want = values(&perspective, 0)[n];
        assert_eq!((plane[n] / inverse[n]).to_bits(), want.to_bits());
        assert_eq!(screen[n].to_bits(), values(&linear, 1)[n].to_bits());
        assert_eq!(constant[n], 1.0);
        divided += usize::from(plane[n] != want);
    }
    assert!(divided > 60, "{divided}");
}

/// The multiply form is PASS and a multiplication; SAT clamps; an offset moves the place as it says.
#[test]
fn the_other_forms_follow_from_pass() {
    let program = format!(
        "{HEADER}.header generic0 perspective perspective unused unused\n\
         IPA.PASS R4, a[0x7c], RZ\nMUFU.RCP R4, R4\nIPA.PASS R5, a[0x84], RZ\nFMUL R5, R5, R4\n\
         MOV32I R6, 0xf8000400\nIPA R0, a[0x84], R4\nFADD R0, R0, -R5\nIPA.SAT R1, a[0x84], R4\nFADD.SAT R5, R5, -RZ\n\
         FADD R1, R1, -R5\nIPA.PASS.OFFSET R2, a[0x84], RZ, R6\nIPA.PASS R3, a[0x84], RZ\nEXIT\n"
    );
    let flat = TRIANGLE.replace("0, 3]", "0, 1]").replace("0, 1.4]", "0, 1]").replace("2.7, -2.1", "0.9, -0.7");
    let frame = draw("spa5", &program, &flat);
    let (multiplied, clamped, moved, centre) =
        (values(&frame, 0), values(&frame, 1), values(&frame, 2), values(&frame, 3));
    // Where w is 1 the plane is linear over the window: its steps can be measured between pixels.
    let covered: Vec<usize> = (0..frame.covered.len()).filter(|n| frame.covered[*n]).collect();
    let is = |n: usize| frame.covered.get(n).copied().unwrap_or(false);
    let at = covered.iter().copied().find(|&n| is(n + 1) && is(n + 24)).expect("three neighbours");
    let (right, down) = (centre[at + 1] - centre[at], centre[at + 24] - centre[at]);
    for &n in &covered {
        assert_eq!((multiplied[n], clamped[n]), (0.0, 0.0));
        // 0x400 is a quarter of a pixel to the right, 0xf800 half a pixel up.
        let want = centre[n] + 0.25 * right - 0.5 * down;
        assert!((moved[n] - want).abs() < 1e-4, "{} {want}", moved[n]);
    }
}

/// Feeding the centroid's offset to IPA.OFFSET is IPA.CENTROID, and the offset of the sample that is shaded IPA at the sample.
#[test]
fn offsets_lead_to_the_places_they_name() {
    let samples = format!("{TRIANGLE}[samples]\ncount = 8\n");
    let body = |ipa: &str| {
        format!(
            "{HEADER}.header generic0 perspective perspective unused unused\nPIXLD.CENTROID_OFFSET R4\n\
             IPA.PASS{ipa}\nMOV R1, RZ\nMOV R2, RZ\nMOV R3, RZ\nEXIT\n"
        )
    };
    let by_offset = draw("spa5", &body(".OFFSET R0, a[0x84], RZ, R4"), &samples);
    let by_name = draw("spa5", &body(".CENTROID R0, a[0x84], RZ"), &samples);
    let at_centre = draw("spa5", &body(" R0, a[0x84], RZ"), &samples);
    assert_eq!(values(&by_offset, 0), values(&by_name, 0));
    assert_ne!(values(&by_offset, 0), values(&at_centre, 0));
}

/// An input named by a register is the one named by its address, whatever the mode and location.
#[test]
fn an_address_in_a_register_names_the_same_input() {
    let samples = format!("{TRIANGLE}[samples]\ncount = 4\n");
    let body = |ipa: &str| {
        format!(
            "{HEADER}.header generic0 perspective linear unused unused\nMOV32I R4, 0x84\nMOV32I R5, 0xf8000400\n\
             {ipa}\nMOV R1, RZ\nMOV R2, RZ\nMOV R3, RZ\nEXIT\n"
        )
    };
    for mode in [".PASS", ".CONSTANT", ".SC"] {
        let mut seen = Vec::new();
        for location in ["", ".CENTROID", ".OFFSET"] {
            let offset = if location == ".OFFSET" { ", R5" } else { "" };
            let named = draw("spa5", &body(&format!("IPA{mode}{location} R0, a[0x84], RZ{offset}")), &samples);
            let by_register =
                draw("spa5", &body(&format!("IPA.IDX{mode}{location} R0, a[R4], RZ{offset}, PT")), &samples);
            assert_eq!(values(&named, 0), values(&by_register, 0), "{mode}{location}");
            seen.push(values(&named, 0));
        }
        assert_eq!(seen[0] == seen[1], mode == ".CONSTANT", "{mode}");
        assert_eq!(seen[0] == seen[2], mode == ".CONSTANT", "{mode}");
    }
}

/// KIL does nothing where the header says that the shader does not kill.
#[test]
fn the_header_allows_kills() {
    for (kills, discarded) in [("no", false), ("yes", true)] {
        let program = format!("{HEADER}.header kills {kills}\nMOV32I R0, 0x3f800000\nKIL\nEXIT\n");
        let (manifest, _) = TRIANGLE.split_once("[[attributes]]").unwrap();
        let frame = draw("spa5", &program, manifest);
        assert_eq!((frame.discarded > 0, frame.covered.contains(&true)), (discarded, !discarded), "{kills}");
    }
}
