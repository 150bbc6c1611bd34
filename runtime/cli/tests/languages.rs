//! Sources in shading languages: compiled by what is on PATH. Most tests put a compiler of their own there; those that need a real
//! one say so when there is none.

#![allow(clippy::print_stdout, reason = "tests say what they skip")]
#![cfg(unix)]

use crate::support;

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use support::{Place, Run, finish};

const WEBGL: &str = "precision mediump float;\nuniform float time;\nvoid main() {\n  gl_FragColor = vec4(tim);\n}\n";

/// A program in a folder `bin`.
fn put_program(place: &Place, name: &str, script: &str) {
    let path = format!("bin/{name}");
    place.put(&path, format!("#!/bin/sh\n{script}\n"));
    std::fs::set_permissions(place.path(&path), std::fs::Permissions::from_mode(0o755)).expect("permissions");
}

/// Runs the binary with nothing but that folder on PATH.
fn run(place: &Place, args: &[&str]) -> Run {
    feed(place, args, b"")
}

fn feed(place: &Place, args: &[&str], input: &[u8]) -> Run {
    let child = place.command(args).env("PATH", place.path("bin")).spawn().expect("the binary starts");
    finish(child, input)
}

/// The module of a shader of the corpus.
fn put_module(place: &Place, effect: &str) {
    let text = parallax_corpus::get(&format!("spirv/{effect}.spvasm")).expect("an effect of the corpus");
    place.put(&format!("{effect}.spvasm"), text.bytes);
    place.run(&["as", &format!("{effect}.spvasm"), "-o", &format!("{effect}.module")]).exits(0);
}

fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

#[test]
fn without_a_compiler_the_error_says_what_to_install() {
    let place = Place::new();
    place.put("a.frag", WEBGL).put("b.hlsl", "float4 main() : SV_Target { return 1; }");
    place.put("c.slang", "[shader(\"pixel\")] float4 main() : SV_Target { return 1; }");
    for verb in ["check", "run", "lift", "dis", "info", "explain"] {
        let said = run(&place, &[verb, "a.frag"]);
        said.exits(3).says("none of its compilers is on PATH: glslangValidator, glslang, glslc").says("glslang-tools");
    }
    run(&place, &["compare", "a.frag", "--no-report"]).exits(3);
    run(&place, &["check", "b.hlsl"])
        .exits(3)
        .says("this is HLSL source")
        .says("help: install one: DirectXShaderCompiler");
    // A stage in the name is no language.
    place.put("e.frag", "float4 main() : SV_Target { return 1; }");
    run(&place, &["check", "e.frag"]).exits(3).says("this is HLSL source");
    run(&place, &["check", "c.slang"]).exits(3).says("this is Slang source").says("slangc");
    run(&place, &["check", "a.frag", "--compiler", "gcc"])
        .exits(3)
        .says("expected one of glslangValidator, glslang, glslc");
    run(&place, &["check", "a.frag", "--compiler", "./no/glslc"]).exits(3).says("there is no such program");
    feed(&place, &["check", "-"], WEBGL.as_bytes()).exits(3).says("this is GLSL source");
    // Another instruction set than is recognised, or a text that one recognises, is nobody's source.
    run(&place, &["check", "a.frag", "--from", "tgsi"]).exits(2).says("tgsi");
    place.put("d.frag", "!!FP1.0\nMOVR o[COLR], f[TEX0];\nEND\n");
    run(&place, &["check", "d.frag"]).exits(0).prints("nvfp");
}

#[test]
fn problems_of_a_compiler_are_placed_in_the_source() {
    let place = Place::new();
    place.put("d/a.frag", WEBGL).put("b.frag", "float f(float x) { return x; }\n").put("c.frag", b"void main() {}\xff");
    put_program(
        &place,
        "glslangValidator",
        "echo 'shader.frag'; echo \"ERROR: shader.frag:4: 'tim' : undeclared identifier \"\n\
         echo 'ERROR: 1 compilation errors.  No code generated.'; exit 2",
    );
    let said = run(&place, &["check", "d/a.frag"]);
    said.exits(2).says("error[compiler]: `tim`: undeclared identifier").says(" --> d/a.frag:4:23").says("gl_FragColor");
    let said = run(&place, &["check", "d/a.frag", "--format", "jsonl"]);
    let problem = &said.exits(2).lines()[0]["problems"][0];
    assert_eq!((problem["line"].as_u64(), problem["column"].as_u64()), (Some(4), Some(23)), "{problem}");
    run(&place, &["compare", "d", "--no-report"]).exits(2).prints("4:23: `tim`: undeclared identifier");
    // What no compiler needs to see.
    run(&place, &["check", "b.frag"]).exits(2).says("defines no function `main`").says("mainImage");
    run(&place, &["check", "c.frag"]).exits(2).says("error[utf8]");
    put_program(&place, "glslangValidator", "echo broken; exit 1");
    run(&place, &["check", "d/a.frag"]).exits(2).says("bin/glslangValidator failed: broken");
    put_program(&place, "glslangValidator", "exit 0");
    run(&place, &["check", "d/a.frag"]).exits(2).says("failed");
}

/// A compiler that copies a finished module and what it got.
fn copying(place: &Place, module: &str, before: &str) -> String {
    let (module, folder) = (place.path(module), place.path("got"));
    let (module, folder) = (module.display(), folder.display());
    format!(
        "{before}\n/bin/mkdir -p {folder}; echo \"$@\" > {folder}/arguments; /bin/cp shader.* {folder}\n/bin/cp {module} shader.spv"
    )
}

#[test]
fn sources_are_raised_compiled_and_drawn() {
    let place = Place::new();
    let beside = |extension: &str| parallax_corpus::get(&format!("spirv/water.{extension}")).expect("water").bytes;
    put_module(&place, "water");
    place.put("water.toml", beside("toml")).put("src/water.frag", beside("frag")).put("src/water.toml", beside("toml"));
    put_program(&place, "glslangValidator", &copying(&place, "water.module", ""));
    run(&place, &["run", "src/water.frag", "--size", "24x24", "-o", "a.png"]).exits(0);
    run(&place, &["run", "water.spvasm", "--size", "24x24", "-o", "b.png"]).exits(0);
    assert!(place.get("a.png") == place.get("b.png"), "a source and its module draw different pictures");
    let got = |name: &str| String::from_utf8(place.get(&format!("got/{name}"))).expect("text");
    assert!(got("arguments").starts_with("-V -gVS -S frag -o shader.spv -I/"), "{}", got("arguments"));
    assert!(got("shader.frag").starts_with("#version 310 es\n#line 1\n"), "{}", got("shader.frag"));
    // Places are those of the source.
    let said = run(&place, &["explain", "src/water.frag", "--model", "nv40", "--size", "16x16"]);
    said.exits(0).prints("--> src/water.frag:").prints("float phase = dot(wave, p) + time * (0.7 + 0.2 * n);");
    run(&place, &["dis", "src/water.frag"]).exits(0).prints("OpEntryPoint Fragment");
    // Older releases have no -gVS.
    let old = "case \"$*\" in *-gVS*) echo 'unrecognized command-line option'; exit 1;; esac";
    put_program(&place, "glslangValidator", &copying(&place, "water.module", old));
    run(&place, &["check", "src/water.frag"]).exits(0).prints("spirv");
    assert!(got("arguments").starts_with("-V -g -S frag"), "{}", got("arguments"));
    // A name or a path chooses.
    put_program(&place, "glslc", &copying(&place, "water.module", ""));
    run(&place, &["check", "src/water.frag", "--compiler", "glslc"]).exits(0);
    assert!(got("arguments").starts_with("-g -O0 -fshader-stage=frag"), "{}", got("arguments"));
    run(&place, &["check", "src/water.frag", "--compiler", "bin/glslangValidator"]).exits(0);
    // A compiler runs once for a source, however often it is drawn.
    let count = "echo x >> count";
    let counting = copying(&place, "water.module", &count.replace("count", &place.path("count").display().to_string()));
    put_program(&place, "glslangValidator", &counting);
    run(&place, &["bench", "src/water.frag", "--size", "8x8", "--runs", "3"]).exits(0);
    assert_eq!(place.get("count"), b"x\n");
}

#[test]
fn folders_have_the_module_of_a_source_once() {
    let place = Place::new();
    put_module(&place, "plasma");
    let text = parallax_corpus::get("spirv/plasma.frag").expect("plasma").bytes;
    place.put("d/plasma.frag", text).put("d/plasma.spvasm", place.get("plasma.spvasm"));
    let said = run(&place, &["check", "d"]);
    assert_eq!(said.exits(0).text().lines().count(), 1, "{}", said.text());
    place.put("d/alone.frag", text);
    run(&place, &["check", "d"]).exits(3).prints("d/plasma.spvasm: ok").prints("d/alone.frag: unsupported");
}

/// The compiler of this machine makes of the sources of the corpus what is in the corpus.
#[test]
fn the_corpus_compiles_to_itself() {
    if on_path("glslangValidator").is_none() {
        println!("skipped: glslangValidator is not on PATH");
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let place = Place::new();
    let mut count = 0;
    for file in parallax_corpus::FILES.iter().filter(|file| file.is_source()) {
        let folder = root.join(file.folder());
        let name = |extension: &str| folder.join(format!("{}.{extension}", file.stem())).display().to_string();
        // What a kernel writes is not a picture.
        let (options, out): (&[&str], _) = match file.extension() {
            "comp" if file.stem() == "random" => (&["--buffer", "0.0"], "a.npy"),
            "comp" => (&[], "a.npy"),
            _ => (&["--size", "24x24"], "a.pfm"),
        };
        let pictures = [name(file.extension()), name("spvasm")].map(|path| {
            place.run(&[&["run", &path, "-o", out], options].concat()).exits(0);
            place.get(out)
        });
        assert!(pictures[0] == pictures[1], "{}", file.path);
        count += 1;
    }
    assert!(count >= 12, "{count}");
}

const SCENE: &str = "void mainImage( out vec4 fragColor, in vec2 fragCoord )\n{\n    vec2 uv = fragCoord/iResolution.xy;\n    \
    vec3 col = 0.5 + 0.5*cos(iTime+uv.xyx+vec3(0,2,4));\n    fragColor = vec4(col,1.0);\n}\n";

#[test]
fn scenes_of_shadertoy_fill_every_viewport() {
    if on_path("glslangValidator").is_none() {
        println!("skipped: glslangValidator is not on PATH");
        return;
    }
    let place = Place::new();
    place.put("new.shadertoy", SCENE);
    let corner = |size: &str, pixel: &str| {
        let said = place.run(&["run", "new.shadertoy", "--size", size, "--pixel", pixel, "-o", "a.png"]);
        said.exits(0).text().lines().rfind(|line| line.trim_start().starts_with("out[0].x")).map(str::to_string)
    };
    // The middle of a picture is the middle of the scene, whatever its size.
    let (small, wide) = (corner("5x5", "2,2"), corner("15x5", "7,2"));
    assert!(small.is_some() && small == wide, "{small:?} {wide:?}");
    place.put("new.toml", "[constants]\niTime = [0, 0, 0, 0]\niResolution = [5, 5, 1, 0]\n");
    assert_ne!(corner("15x5", "7,2"), wide);
    place.put("bad.glsl", SCENE.replace("iTime+", "iTim+"));
    place.run(&["check", "bad.glsl"]).exits(2).says("bad.glsl:4:30").says("iTim");
}

#[test]
fn hlsl_and_wgsl_are_compiled_too() {
    let place = Place::new();
    place.put("a.hlsl", "float4 tint;\nfloat4 shade(float2 uv : TEXCOORD0) : SV_Target {\n  return tint * uv.x;\n}\n");
    place.put("b.hlsl", "float4 shade(float2 uv : TEXCOORD0) : SV_Target {\n  return colour;\n}\n");
    place.put(
        "a.wgsl",
        "@fragment fn shade(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {\n  return uv.xyxy;\n}\n",
    );
    place.put(
        "b.wgsl",
        "@fragment fn shade(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {\n  return uvw.xyxy;\n}\n",
    );
    match ["dxc", "glslangValidator"].into_iter().find(|name| on_path(name).is_some()) {
        None => println!("skipped: neither dxc nor glslangValidator is on PATH"),
        Some(_) => {
            place.run(&["check", "a.hlsl"]).exits(0).prints("spirv");
            place.run(&["check", "b.hlsl"]).exits(2).says("b.hlsl:2:10").says("colour");
        }
    }
    if !cfg!(feature = "wgsl") && on_path("naga").is_none() {
        println!("skipped: naga is not on PATH, and the feature wgsl is off");
        return;
    }
    place.run(&["check", "a.wgsl"]).exits(0).prints("spirv");
    place.run(&["check", "b.wgsl"]).exits(2).says("b.wgsl:2:10").says("uvw");
}

/// Documented commands that need a compiler.
#[test]
fn documented_commands_compile() {
    if on_path("glslangValidator").is_none() {
        println!("skipped: glslangValidator is not on PATH");
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = std::fs::read_to_string(root.join("docs/spirv.md")).expect("docs/spirv.md");
    let place = Place::new();
    std::os::unix::fs::symlink(root.join("corpus").canonicalize().expect("corpus"), place.path("corpus"))
        .expect("a link");
    let mut count = 0;
    for block in text.split("```sh compiler\n").skip(1) {
        for line in block.split("```").next().unwrap_or("").lines() {
            let args: Vec<&str> = line.split_whitespace().skip(1).collect();
            place.run(&args).exits(0);
            count += 1;
        }
    }
    assert!(count >= 3, "{count}");
}
