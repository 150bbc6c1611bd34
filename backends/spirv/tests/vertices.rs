//! Modules of vertex programs: valid, and read again with the outputs of the model.
#![allow(clippy::print_stdout, reason = "figures, shown with --nocapture")]

use crate::effect::{Effect, compiled_again, draw_again, module, single};
use parallax::{Compiled, Draw, Frame, run_vertices, varied};
use parallax_core::{AttrSemantic, OutputRole, Stage};
use parallax_num::Model;
use parallax_spirv_out::{Options, Output, Translation, captured, translate};
use parallax_step::Programs;
use std::process::Command;

/// Two attributes, an addressed constant, a loop, a point size, clip distances and a colour.
const TGSI: &str = include_str!("programs/vertices.tgsi");

/// Its inputs.
const TGSI_INPUTS: &str = include_str!("programs/vertices.toml");

const ARB: &str = "!!ARBvp1.0
ATTRIB position = vertex.position;
PARAM matrix[4] = { program.env[0..3] };
TEMP r;
DP4 result.position.x, position, matrix[0];
DP4 result.position.y, position, matrix[1];
DP4 result.position.z, position, matrix[2];
DP4 r.w, position, matrix[3];
MOV result.position.w, r.w;
RCP r.x, r.w;
LIT r, vertex.normal;
LOG r.z, vertex.texcoord[0].x;
MUL result.color, r, vertex.color;
MOV result.pointsize.x, r.x;
MOV result.fogcoord.x, r.w;
XPD result.texcoord[0].xyz, position, vertex.normal;
MOV result.color.back.secondary, vertex.color;
END
";

const ATTILA: &str = "dp4 o0.x, i0, c0
dp4 o0.y, i0, c1
dp4 o0.z, i0, c2
dp4 o0.w, i0, c3
rsq r0.x, |i1.x|
ex2 r0.y, i1.y
mul o1.xyz, r0.xyxy, i1
end
";

/// Programs that are no part of the corpus, with inputs.
fn texts() -> Vec<Effect> {
    let attributes = |names: [&str; 2]| {
        let of = |(n, name): (usize, &str)| {
            let value = |v: usize| {
                let part = |k: usize| ((v * 7 + k * 3 + n * 5) % 11) as f32 * 0.375 - 1.5;
                format!("[{:?}, {:?}, {:?}, {:?}]", part(0), part(1), part(2), part(3))
            };
            let values: Vec<String> = (0..7).map(value).collect();
            format!("[[attributes]]\n{name}\nvalues = [{}]\n", values.join(", "))
        };
        names.into_iter().enumerate().map(of).collect::<String>()
    };
    let rows = |name: &str| {
        let row = |n: usize| format!("\"{name}[{n}]\" = [0.{n}1, 1.{n}, -0.3, 0.{n}]\n");
        (0..4).map(row).collect::<String>()
    };
    let head = "effect = \"vertices\"\nstage = \"vertex\"\n";
    let arb = format!("{head}{}[constants]\n{}", attributes(["index = 0", "index = 1"]), rows("program.env"));
    let attila = format!(
        "{head}[options]\nstage = \"vertex\"\n{}[constants]\n{}",
        attributes(["index = 0", "index = 1"]),
        (0..4).map(|n| format!("c{n} = [0.{n}1, 1.{n}, -0.3, 0.{n}]\n")).collect::<String>()
    );
    vec![
        Effect::of("vertices.tgsi", TGSI, TGSI_INPUTS),
        Effect::of("vertices.vp", ARB, &arb),
        Effect::of("vertices.attila", ATTILA, &attila),
    ]
}

/// The words of a component of an output of the module, in a frame of the module read again.
fn again(frame: &Frame, output: &Output, comp: u8) -> Vec<u32> {
    let (role, comp) = match (output.location, output.role) {
        (Some(location), _) => (OutputRole::Generic(location as u16), comp),
        (_, OutputRole::ClipDistance(first)) => {
            let number = first + u16::from(comp);
            (OutputRole::ClipDistance(number / 4 * 4), (number % 4) as u8)
        }
        (_, role) => (role, comp),
    };
    let channel = frame.channels.iter().find(|channel| channel.role == role && channel.comp == comp);
    let channel = channel.unwrap_or_else(|| panic!("the module has no {role:?}.{comp}"));
    single(&channel.declared_bits(), channel.ty.decl())
}

/// Compares all outputs of a shader with those of its module; how many words there were. `None` where the frontend takes the module
/// for too long.
pub(crate) fn compare(compiled: &Compiled, translation: &Translation, draw: &Draw, whose: &str) -> Option<usize> {
    let ours = run_vertices(compiled, draw).unwrap_or_else(|e| panic!("{whose}: {e:?}"));
    assert_eq!(ours.out_of_fuel, 0, "{whose}");
    let other = compiled_again(translation)?;
    let theirs = run_vertices(&other, &draw_again(translation, &other, draw)).expect("it runs");
    let mut count = 0;
    for output in &translation.interface.outputs {
        let name = &compiled.shader.func.iface.outputs[output.output].name;
        for comp in 0..4u8 {
            let own = ours.channels.iter().find(|channel| channel.output == *name && channel.comp == comp);
            let wanted = match own {
                Some(channel) => single(&channel.declared_bits(), channel.ty.decl()),
                None if output.location.is_some() || output.role == OutputRole::Position => {
                    vec![if comp == 3 { 1f32.to_bits() } else { 0 }; ours.width as usize]
                }
                None => continue,
            };
            let found = again(&theirs, output, comp);
            // Without attributes there are four vertices.
            let vertices = if translation.interface.inputs.is_empty() { 4 } else { wanted.len() };
            let differs = (0..vertices.min(wanted.len())).find(|&n| wanted[n] != found[n]);
            assert_eq!(differs, None, "{whose}: {name}.{comp}: {wanted:08x?} {found:08x?}");
            count += wanted.len();
        }
    }
    Some(count)
}

/// Whether `spirv-val` accepts a module; `None` where it is not installed.
pub(crate) fn is_valid(words: &[u32], whose: &str) -> Option<()> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("module.spv");
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    std::fs::write(&path, bytes).expect("a file");
    let run = Command::new("spirv-val").args(["--target-env", "vulkan1.2"]).arg(&path).output();
    let Ok(run) = run else {
        println!("skipped: spirv-val is not on PATH");
        return None;
    };
    let text = String::from_utf8_lossy(&run.stdout).into_owned() + &String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{whose}: {text}");
    Some(())
}

/// Programs under models, by a choice of models for the number of a program.
fn check<'a>(models: impl Fn(usize) -> Vec<&'a str>) -> (usize, usize) {
    let mut programs = Programs::default();
    let (mut made, mut words) = (0, 0);
    for (number, effect) in Effect::of_stage("", Stage::Vertex).chain(texts()).enumerate() {
        for name in models(number) {
            let whose = format!("{} under {name}", effect.path);
            let compiled = effect.under(&Model::builtin(name).expect("built in"));
            let translation = module(&compiled, &mut programs, false).unwrap_or_else(|why| panic!("{whose}: {why:?}"));
            let _ = is_valid(&translation.words, &whose);
            let _ = is_valid(&captured(&translation).expect("a module"), &whose);
            made += 1;
            words += compare(&compiled, &translation, &effect.draw, &whose).expect("of moderate size");
            for seed in [1, 2] {
                let draw = varied(&effect.draw, &compiled.shader.func.iface, seed);
                words += compare(&compiled, &translation, &draw, &whose).expect("of moderate size");
            }
        }
    }
    (made, words)
}

#[test]
fn modules_of_vertex_programs_give_the_outputs_of_the_model() {
    let all = Model::group("default").expect("a group");
    let (made, words) = check(|number| [0, 5].map(|n| all[(number * 7 + n) % all.len()]).to_vec());
    assert_eq!(made, 14);
    assert!(words > 4_000, "{words}");
}

/// `cargo test -p parallax-spirv-out --test all vertex_programs_under_all -- --ignored --nocapture`.
#[test]
#[ignore = "long"]
fn vertex_programs_under_all_models() {
    let (made, words) = check(|_| Model::group("default").expect("a group").to_vec());
    println!("{made} modules, {words} words");
    assert_eq!(made, 84);
}

/// What a vertex shader has no place for is refused by name, and what is a location, the device's or nowhere is in the interface.
#[test]
fn outputs_have_locations_or_are_the_devices() {
    let effect = Effect::of("vertices.tgsi", TGSI, TGSI_INPUTS);
    let compiled = effect.under(&Model::builtin("ieee").expect("built in"));
    let made = module(&compiled, &mut Programs::default(), false).expect("a module");
    let outputs: Vec<_> = made.interface.outputs.iter().map(|o| (o.role, o.comps, o.location)).collect();
    let expected = [
        (OutputRole::Position, 4, None),
        (OutputRole::PointSize, 1, None),
        (OutputRole::ClipDistance(4), 3, None),
        (OutputRole::FrontColor(0), 4, Some(0)),
        (OutputRole::Generic(5), 2, Some(1)),
        (OutputRole::FixedFunction(0), 4, Some(2)),
    ];
    assert_eq!(outputs, expected);
    let locations: Vec<_> = made.interface.inputs.iter().map(|input| input.location).collect();
    assert_eq!(locations, [Some(0), Some(1)]);
    // Where the next stage reads it, and (0, 0, 0, 1) where nothing is written for it.
    let next = [(AttrSemantic::Fog, 0), (AttrSemantic::Generic(5), 2), (AttrSemantic::Color(0), 3)];
    let verified = parallax_core::verify(&compiled.shader).expect("sound IR");
    let asked = Options { next: &next, ..Options::default() };
    let made = translate(verified, &mut Programs::default(), asked).expect("a module");
    let _ = is_valid(&made.words, "with the next stage");
    let locations: Vec<_> = made.interface.outputs.iter().map(|output| output.location).collect();
    assert_eq!(locations, [None, None, None, Some(3), Some(2), Some(4)]);
    let other = compiled_again(&made).expect("of moderate size");
    let frame = run_vertices(&other, &draw_again(&made, &other, &effect.draw)).expect("it runs");
    let fog = frame.channels.iter().filter(|channel| channel.role == OutputRole::Generic(0));
    let fog: Vec<Vec<u32>> = fog.map(|channel| single(&channel.declared_bits(), channel.ty.decl())).collect();
    assert_eq!(fog, [[0; 5], [0; 5], [0; 5], [1f32.to_bits(); 5]]);
    let quads = "shader \"quads\" stage(vertex) from(\"\") {
  attr 0 \"a\" generic(0) flat center
  output 0 \"o\" position fp32 - - -
  slot p0 = fp32
  %0: p0 = attr in0.x
  %1: p0 = ddx %0
  out o0.x, %1
  yield
}
";
    let bound = parallax_core::text::read(quads).expect("a shader").bind(&Model::builtin("ieee").expect("built in"));
    let verified = parallax_core::verify(&bound).expect("sound IR");
    let reasons = translate(verified, &mut Programs::default(), Options::default()).expect_err("no module");
    let reasons: Vec<&str> = reasons.iter().map(|diag| diag.message.as_str()).collect();
    assert!(reasons.iter().any(|why| why.contains("a vertex shader has none")), "{reasons:?}");
}

/// Texts of vertex modules, made modules again by other readers, have the outputs of the model.
#[cfg(feature = "read-texts")]
#[test]
fn texts_of_vertex_programs_keep_the_words() {
    use crate::texts::{Glslang, naga_module};
    use parallax_spirv_out::{Language, text};
    let glslang = Glslang::find();
    let (mut programs, mut equal, mut hlsl) = (Programs::default(), 0, 0);
    let (mut refused, mut long) = (Vec::new(), Vec::new());
    for (effect, name) in Effect::of_stage("", Stage::Vertex)
        .chain(texts())
        .zip(["ieee", "maxwell", "llvmpipe", "nv40", "llvmpipe", "attila", "rogue"])
    {
        let whose = format!("{} under {name}", effect.path);
        let compiled = effect.under(&Model::builtin(name).expect("built in"));
        let made = module(&compiled, &mut programs, false).unwrap_or_else(|why| panic!("{whose}: {why:?}"));
        for language in Language::ALL {
            let text = match text(&made, language) {
                Ok(text) => text,
                Err(why) => {
                    refused.push(format!("{whose}: {}", why.message));
                    continue;
                }
            };
            let words = match (language, &glslang) {
                (Language::Wgsl, _) => naga_module(&text),
                (Language::Glsl, Some(glslang)) => glslang.module(&text, language),
                (Language::Hlsl, Some(glslang)) => {
                    glslang.module(&text, language);
                    hlsl += 1;
                    // HLSL names what goes between stages its own way.
                    continue;
                }
                _ => continue,
            };
            let again = Translation { words, interface: text.interface.clone(), ..made.clone() };
            let whose = format!("{whose} by way of {}", language.title());
            match compare(&compiled, &again, &effect.draw, &whose) {
                Some(_) => equal += 1,
                None => long.push(whose),
            }
        }
    }
    println!("{equal} equal, {hlsl} in HLSL, too long: {long:#?}");
    assert_eq!(refused.len(), 4, "{refused:#?}");
    assert!(refused.iter().all(|why| why.contains("has no point sizes")), "{refused:#?}");
    let (wgsl, both) = (5, 12);
    assert_eq!(equal + long.len(), if glslang.is_some() { both } else { wgsl });
    assert!(long.len() < 2 && (glslang.is_none() || hlsl > 2), "{long:#?} {hlsl}");
}
