//! `parallax translate`: a module, and what it says of it.

use crate::support;

use support::Place;

const SHADER: &str = "!!ARBfp1.0\nPARAM tint = program.env[1];\nTEMP t;\nMUL t, fragment.texcoord[0], tint;\n\
    SIN t.x, t.x;\nMOV result.color, t;\nEND\n";

const KERNEL: &str = "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 8\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\nPROPERTY CS_FIXED_BLOCK_DEPTH 1\n\
    DCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\nDCL BUFFER[0]\nDCL BUFFER[1]\nDCL TEMP[0..1]\nIMM[0] UINT32 { 8, 4, 0, 0 }\n\
    UMAD TEMP[0].x, SV[1].xxxx, IMM[0].xxxx, SV[0].xxxx\nUMUL TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\n\
    LOAD TEMP[1].x, BUFFER[0], TEMP[0].xxxx\nRCP TEMP[1].x, TEMP[1].xxxx\nSTORE BUFFER[1].x, TEMP[0].xxxx, TEMP[1].xxxx\nEND\n";

const VERTEX: &str = "!!ARBvp1.0\nMUL result.position, vertex.position, program.env[2];\nMOV result.pointsize.x, vertex.normal.x;\n\
    RCP result.texcoord[1].x, vertex.normal.y;\nEND\n";

#[test]
fn a_module_and_what_lies_where() {
    let place = Place::new();
    place.put("a.fp", SHADER);
    let run = place.run(&["translate", "a.fp", "--model", "nvfp", "-o", "a.spv", "--interface", "a.json"]);
    run.exits(0).says("a.fp under nvfp");
    // parallax reads what it writes.
    place.run(&["check", "a.spv"]).exits(0);
    let listing: serde_json::Value = serde_json::from_slice(&place.get("a.json")).expect("JSON");
    assert_eq!(listing["model"], "nvfp");
    assert_eq!(listing["inputs"][0]["semantic"], "texcoord 0");
    // Behind the colours and the fog, whether they are read or not.
    assert_eq!(listing["inputs"][0]["location"], 3);
    assert_eq!(listing["constants"][0]["set"], 0);
    assert_eq!(listing["outputs"][0]["location"], 0);
    assert!(listing["figures"]["functions"].as_u64() >= Some(1), "{listing}");
    assert_eq!(listing["inexact"], serde_json::Value::Null);
}

#[test]
fn a_vertex_program_has_outputs_for_the_next_stage_and_for_the_device() {
    let place = Place::new();
    place.put("v.vp", VERTEX);
    let run = place.run(&["translate", "v.vp", "--model", "nv40", "-o", "v.spv", "--interface", "v.json"]);
    run.exits(0).says("v.vp under nv40");
    place.run(&["check", "v.spv"]).exits(0);
    let listing: serde_json::Value = serde_json::from_slice(&place.get("v.json")).expect("JSON");
    assert_eq!(listing["stage"], "vertex");
    assert!(listing["inputs"][0]["location"].is_u64() && listing["inputs"][0]["interpolation"].is_null(), "{listing}");
    let outputs = listing["outputs"].as_array().expect("a list");
    let of = |name: &str| outputs.iter().find(|output| output["semantic"] == name).map(|output| &output["location"]);
    assert_eq!(of("position"), Some(&serde_json::Value::Null));
    assert_eq!(of("point_size"), Some(&serde_json::Value::Null));
    assert_eq!(of("texcoord 1"), Some(&0.into()));
    // Where the fragment shader reads it: behind two colours, the fog and a texture coordinate.
    place.put("a.fp", SHADER);
    let run = place.run(&["translate", "v.vp", "--next", "a.fp", "-o", "v.spv", "--interface", "v.json"]);
    run.exits(0);
    place.run(&["check", "v.spv"]).exits(0);
    let listing: serde_json::Value = serde_json::from_slice(&place.get("v.json")).expect("JSON");
    let outputs = listing["outputs"].as_array().expect("a list");
    let found = outputs.iter().find(|output| output["semantic"] == "texcoord 1").expect("it is there");
    assert_eq!(found["location"], 4);
    place.run(&["translate", "v.vp", "--next", "v.vp", "-o", "v.spv"]).exits(2).says("v.vp is no fragment shader");
    place.run(&["translate", "a.fp", "--next", "a.fp", "--to", "tgsi"]).exits(2).says("--next is for modules");
    if cfg!(feature = "texts") {
        place.run(&["translate", "v.vp", "--to", "glsl", "-o", "-"]).exits(0).prints("gl_PointSize");
        place.run(&["translate", "v.vp", "--to", "wgsl", "-o", "-"]).exits(3).says("WGSL has no point sizes");
    }
    let run = place.run(&["translate", "v.vp", "--model", "nv40", "--check", "--random", "1"]);
    if cfg!(not(feature = "vulkan")) {
        run.exits(3).says("built without the feature `vulkan`");
    } else if run.code == Some(3) {
        run.says("no Vulkan device");
    } else {
        run.exits(0).prints("the manifest's inputs: equal in all 4 vertices").prints("random inputs 1: equal");
    }
}

#[test]
fn a_kernel_has_buffers_and_a_workgroup() {
    let place = Place::new();
    place.put("k.tgsi", KERNEL);
    let manifest = "stage = \"compute\"\n[dispatch]\ngrid = [3]\n[binding.\"BUFFER[0]\"]\nsource = \"uniform\"\ncount = 20\n\
        [binding.\"BUFFER[1]\"]\ncount = 24\n";
    place.put("k.toml", manifest);
    let run = place.run(&["translate", "k.tgsi", "--model", "nv40", "-o", "k.spv", "--interface", "k.json"]);
    run.exits(0).says("k.tgsi under nv40");
    place.run(&["check", "k.spv"]).exits(0);
    let listing: serde_json::Value = serde_json::from_slice(&place.get("k.json")).expect("JSON");
    assert_eq!(listing["stage"], "compute");
    assert_eq!(listing["workgroup"], serde_json::json!([8, 1, 1]));
    let access: Vec<_> =
        (0..2).map(|n| (&listing["buffers"][n]["binding"], &listing["buffers"][n]["access"])).collect();
    assert_eq!(access, [(&1.into(), &"read".into()), (&2.into(), &"read_write".into())]);
    if cfg!(feature = "texts") {
        place.run(&["translate", "k.tgsi", "--to", "glsl", "-o", "-"]).exits(0).prints("local_size_x = 8");
        place.run(&["translate", "k.tgsi", "--to", "wgsl", "-o", "-"]).exits(0).prints("@workgroup_size(8, 1, 1)");
        place.run(&["translate", "k.tgsi", "--to", "msl", "-o", "k.metal", "--interface", "k.json"]).exits(0);
        let listing: serde_json::Value = serde_json::from_slice(&place.get("k.json")).expect("JSON");
        assert!(listing["sizes"]["binding"].as_u64() > listing["buffers"][1]["binding"].as_u64(), "{listing}");
    }
    let run = place.run(&["translate", "k.tgsi", "--model", "nv40", "--check", "--random", "1"]);
    if cfg!(not(feature = "vulkan")) {
        run.exits(3).says("built without the feature `vulkan`");
    } else if run.code == Some(3) {
        run.says("no Vulkan device");
    } else {
        run.exits(0).prints("the manifest's inputs: equal in all 44 words of buffers").prints("random inputs 1: equal");
    }
}

#[test]
fn what_has_no_translation_is_named() {
    /// Whose functions only the reference evaluation decides.
    const OPEN: &str = "binary64[denorm_out=flush]";
    let place = Place::new();
    let power =
        "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nPOW OUT[0], IN[0].xxxx, IN[0].yyyy\nEND\n";
    place.put("p.tgsi", power);
    let refused = place.run(&["translate", "p.tgsi", "--model", OPEN, "-o", "p.spv"]);
    refused.exits(3).says("`pow`").says("slow lanes").says("--flag-inexact");
    assert!(!place.path("p.spv").exists());
    let counted =
        place.run(&["translate", "p.tgsi", "--model", OPEN, "--flag-inexact", "-o", "p.spv", "--interface", "-"]);
    counted.exits(0).says("counted").prints("\"binding\": 0");
    place.run(&["translate", "gone.fp", "-o", "n.spv"]).exits(2);
}

/// What the manifest says of textures is written into a module that looks up itself, and listed.
#[test]
fn lookups_of_the_module_say_what_they_were_made_for() {
    let place = Place::new();
    let text = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL SAMP[0]\nDCL SVIEW[0], CUBE, FLOAT\n\
                TEX OUT[0], IN[0], SAMP[0], CUBE\nEND\n";
    place.put("t.tgsi", text);
    let manifest = "stage = \"fragment\"\nsize = [8, 8]\n[[textures]]\nunit = 0\nsource = \"noise\"\nsize = [8]\n\
                    format = \"srgb8\"\nfilter = \"linear\"\nmip = \"nearest\"\n";
    place.put("t.toml", manifest);
    let args = ["translate", "t.tgsi", "--model", "nv40", "-o", "t.spv", "--interface", "t.json"];
    let listing = |lookups: &str| -> serde_json::Value {
        place.run(&[&args[..], &["--lookups", lookups]].concat()).exits(0);
        serde_json::from_slice::<serde_json::Value>(&place.get("t.json")).expect("JSON")["textures"][0].clone()
    };
    let native = listing("native");
    assert_eq!((&native["faithful"], &native["sampler"]), (&serde_json::Value::Null, &1.into()));
    assert_eq!(native["words"], false);
    let found = listing("faithful");
    assert_eq!((&found["shape"], &found["sampler"]), (&"cube".into(), &serde_json::Value::Null));
    let faithful = &found["faithful"];
    assert_eq!((&faithful["image_shape"], &faithful["image_texels"]), (&"d2_array".into(), &"unorm8".into()));
    assert_eq!((&faithful["format"], &faithful["mip"]), (&"srgb8".into(), &"nearest".into()));
    place.run(&["check", "t.spv"]).exits(0);
    place.put("t.toml", manifest.replace("srgb8", "rgba16f"));
    let refused = ["translate", "t.tgsi", "--model", "swiftshader", "--lookups", "faithful", "-o", "u.spv"];
    place.run(&refused).exits(3).says("not written yet for corners of cubes in the texture unit of SwiftShader");
}

/// The device's own instructions, and what they may do otherwise.
#[test]
fn native_and_mixed_arithmetic_say_what_they_take() {
    let place = Place::new();
    place.put("a.fp", SHADER);
    let listing = |args: &[&str]| -> serde_json::Value {
        place.run(&[&["translate", "a.fp", "-o", "a.spv", "--interface", "a.json"], args].concat()).exits(0);
        serde_json::from_slice(&place.get("a.json")).expect("JSON")
    };
    let native = listing(&["--model", "nv40", "--arithmetic", "native", "--assume", "rte,denorm-preserve"]);
    assert_eq!(native["arithmetic"], "native");
    assert_eq!(native["assumes"][0], "RoundingModeRTE");
    let open = native["may_differ"].as_array().expect("a list");
    let product = open.iter().find(|open| open["operation"] == "mul").expect("a product that flushes");
    assert!(product["rules"]["denorm_out"].is_string(), "{product}");
    assert_eq!(product["instructions"][0]["line"], 4, "{product}");
    assert!(open.iter().any(|open| open["operation"] == "sin" && open["rules"]["precision"].is_string()), "{open:?}");
    // Promises make mixed arithmetic of faithful.
    let mixed = listing(&["--model", "ieee", "--assume", "rte,denorm-preserve"]);
    assert_eq!(mixed["arithmetic"], "mixed");
    assert!(mixed["figures"]["float_operations"].as_u64() > Some(0), "{mixed}");
    assert!(mixed["may_differ"].is_null());
    assert_eq!(mixed["assumes"].as_array().map(Vec::len), Some(3));
    assert_eq!(listing(&["--model", "ieee", "--assume", "rte"])["arithmetic"], "faithful");
    let refused = ["translate", "a.fp", "-o", "a.spv", "--arithmetic", "mixed", "--assume", "rte"];
    place.run(&refused).exits(2).says("--assume rte,denorm-preserve");
    let text = place.run(&["translate", "a.fp", "--to", "glsl", "--arithmetic", "native", "--model", "nv40"]);
    if cfg!(feature = "texts") {
        text.exits(0).prints("// may give other bits: mul").prints("#version 450");
        let refused = ["translate", "a.fp", "--to", "glsl", "--assume", "rte"];
        place.run(&refused).exits(2).says("no text can state it");
    }
}

/// Drawn on a device, the module has the bits of the model; without one, or without the feature, that is said.
#[test]
fn a_check_draws_on_the_device() {
    let place = Place::new();
    place.put("a.fp", SHADER);
    let run = place.run(&["translate", "a.fp", "--model", "nvfp", "--check", "--size", "8x8", "--random", "1"]);
    if cfg!(not(feature = "vulkan")) {
        run.exits(3).says("built without the feature `vulkan`");
    } else if run.code == Some(3) {
        run.says("no Vulkan device");
    } else {
        run.exits(0).prints("the manifest's inputs: equal in all 64 pixels").prints("random inputs 1: equal");
    }
    place.run(&["translate", "a.fp", "--size", "8x8"]).exits(2).says("--check");
}

#[test]
fn constants_are_in_the_buffers_that_are_asked_for() {
    let place = Place::new();
    place.put("a.fp", SHADER);
    for (kind, more) in [("uniform", &[][..]), ("storage", &["--constants", "storage"])] {
        let args = ["translate", "a.fp", "--model", "nvfp", "-o", "a.spv", "--interface", "a.json"];
        place.run(&[&args[..], more].concat()).exits(0);
        let listing: serde_json::Value = serde_json::from_slice(&place.get("a.json")).expect("JSON");
        assert_eq!(listing["constants"][0]["buffer"], kind);
    }
}

#[test]
fn a_program_of_another_set_keeps_its_bits() {
    let place = Place::new();
    place.put("a.fp", SHADER);
    place.put("a.toml", "[constants]\n\"program.env[1]\" = [0.5, 0.25, 0.125, 1.0]\n");
    let args =
        ["translate", "a.fp", "--to", "tgsi", "-o", "b.tgsi", "--manifest-out", "b.toml", "--check", "--size", "8x8"];
    place.run(&args).exits(0).prints("in TGSI").prints("random inputs 2: equal in all 64 pixels under ieee");
    let text = String::from_utf8(place.get("b.tgsi")).expect("text");
    assert!(text.contains("DCL IN[0], TEXCOORD[0], PERSPECTIVE") && text.contains("CONST[1][1]"), "{text}");
    // The manifest draws the translation as its own draws the source.
    let pixels = |file: &str| {
        let picture = format!("{file}.png");
        place.run(&["run", file, "--model", "ieee", "--size", "8x8", "-o", &picture]).exits(0);
        place.get(&picture)
    };
    assert_eq!(pixels("a.fp"), pixels("b.tgsi"));
    place.run(&["translate", "b.tgsi", "--to", "arb"]).exits(0).prints("!!ARBfp1.0").prints("program.env[1]");
}

#[test]
fn folders_are_translated_and_failures_are_named() {
    let place = Place::new();
    place.put("in/a.fp", SHADER);
    place.put("in/loop.tgsi", "FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0]\nBGNLOOP\nADD TEMP[0], TEMP[0], TEMP[0]\nIF TEMP[0]\nBRK\nENDIF\nENDLOOP\nMOV OUT[0], TEMP[0]\nEND\n");
    let run = place.run(&["translate", "in", "--to", "arb", "-o", "out"]);
    run.exits(3).says("loops: ARB_fragment_program has none; first in line 4: `BGNLOOP`").prints("1 of 2 programs");
    assert!(place.path("out/a_fp.fp").exists() && !place.path("out/loop_tgsi.fp").exists());
    place.run(&["translate", "in", "--to", "arb"]).exits(2).says("-o FOLDER");
    // Names that become one.
    place.put("two/a.b.fp", SHADER).put("two/a_b.fp", SHADER);
    let run = place.run(&["translate", "two", "--to", "arb", "-o", "out"]);
    run.exits(2).prints("not written, since another program is out/a_b_fp.fp").prints("1 of 2 programs");
    place.run(&["translate", "in/a.fp", "--manifest-out", "x.toml", "-o", "x.spv"]).exits(2).says("--manifest-out");
    let args = ["translate", "in/a.fp", "--to", "arb", "--interface", "x.json", "-o", "x.fp"];
    place.run(&args).exits(2).says("--interface is for modules");
}

/// Programs of instruction sets as text, as words, and in containers: all of them are read again.
#[test]
fn programs_are_written_in_the_form_that_is_asked_for() {
    let place = Place::new();
    place.put("a.fp", SHADER);
    for (to, form, is_there) in [
        ("nv40", "text", true),
        ("nv40", "words", true),
        ("nv40", "container", true),
        ("spa5", "text", true),
        ("spa5", "words", true),
        ("spa5", "container", true),
        ("attila", "words", true),
        ("usc", "words", true),
        ("usc", "container", false),
        ("tgsi", "words", false),
        ("arb", "words", false),
        ("nvfp", "container", false),
    ] {
        let run =
            place.run(&["translate", "a.fp", "--to", to, "--form", form, "-o", "out", "--check", "--size", "8x8"]);
        if !is_there {
            run.exits(2).says(&format!("--form {form}"));
            continue;
        }
        run.prints("the manifest's inputs: equal");
        let written = place.get("out");
        assert_eq!(written.contains(&0), form != "text", "{to} {form}");
        if to != "nv40" {
            place.run(&["check", "out", "--from", to]).exits(0);
        }
    }
    // Options of modules are not for programs, nor the other way round.
    place.run(&["translate", "a.fp", "--form", "words", "-o", "a.spv"]).exits(2).says("--form is for instruction sets");
    for option in
        [&["--arithmetic", "native"][..], &["--assume", "rte"], &["--flag-inexact"], &["--lookups", "faithful"]]
    {
        let run = place.run(&[&["translate", "a.fp", "--to", "tgsi", "-o", "a.tgsi"], option].concat());
        run.exits(2).says(option[0]).says("is for modules");
    }
    place.run(&["translate", "a.fp", "--to", "spa5", "--form", "container", "-o", "b.dksh"]).exits(0);
    place.run(&["info", "b.dksh"]).exits(0).prints("deko3d fragment shader");
    // Parameters of a kernel stand in the text.
    let kernel = "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 8\nDCL SV[0], THREAD_ID\nDCL BUFFER[0]\nDCL TEMP[0]\nIMM[0] UINT32 {4, 0, 0, 0}\n\
                  UMUL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\nSTORE BUFFER[0].x, TEMP[0].xxxx, SV[0].xxxx\nEND\n";
    place.put("k.tgsi", kernel);
    for form in ["words", "container"] {
        let run = place.run(&["translate", "k.tgsi", "--to", "spa5", "--form", form, "-o", "k.bin"]);
        run.exits(2).says(&format!("--form {form}: a kernel of SPA 5.0 has its parameters in the text"));
    }
    let run =
        place.run(&["translate", "k.tgsi", "--to", "spa5", "-o", "k.spa5", "--manifest-out", "k.toml", "--check"]);
    run.exits(0).prints("equal in all 1024 words of buffers");
    place
        .run(&["run", "k.spa5", "--model", "ieee", "--manifest", "k.toml", "--buffer", "param[0]", "-o", "k.npy"])
        .exits(0);
    // Files of a folder are named by what they are.
    place.put("in/a.fp", SHADER);
    place.put("in/b.fp", SHADER);
    place.run(&["translate", "in", "--to", "attila", "--form", "words", "-o", "out-words"]).exits(0);
    assert!(place.path("out-words/a_fp.bin").exists() && place.path("out-words/b_fp.bin").exists());
}

/// Modules of a folder, and what each reads.
#[test]
fn folders_become_modules() {
    let place = Place::new();
    place
        .put("in/a.fp", SHADER)
        .put("in/b.fp", SHADER)
        .put(
            "in/s.tgsi",
            "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], SAMPLEMASK\nMOV OUT[0].x, IN[0].xxxx\nEND\n",
        )
        .put("in/broken.tgsi", "FRAG\nBAD\nEND\n");
    let run = place.run(&["translate", "in", "--model", "nvfp", "-o", "out"]);
    run.exits(2).says("(SampleMask) has no translation yet").says("for each translation");
    run.prints("in/a.fp under nvfp: ").prints("in/s.tgsi under nvfp: no translation").prints("in/broken.tgsi: ");
    let size = place.get("out/a_fp.spv").len();
    run.prints(&format!("2 of 4 programs are SPIR-V now, {} bytes", 2 * size));
    let listing: serde_json::Value = serde_json::from_slice(&place.get("out/b_fp.json")).expect("JSON");
    assert_eq!(listing["figures"]["bytes"], size);
    assert_eq!(place.get("out/a_fp.spv"), place.get("out/b_fp.spv"));
    place.run(&["translate", "in/a.fp", "--model", "nvfp", "-o", "a.spv"]).exits(0);
    assert_eq!(place.get("out/a_fp.spv"), place.get("a.spv"), "a module does not depend on those before it");
    place.run(&["translate", "in", "-o", "out", "--interface", "x.json"]).exits(2).says("--interface is for one file");
    place.run(&["translate", "in"]).exits(2).says("-o FOLDER");
}

/// Texts of languages, or the feature that writes them.
#[test]
fn languages_are_written_or_their_feature_is_named() {
    let place = Place::new();
    place.put("in/a.fp", SHADER);
    let languages = [
        ("wgsl", "wgsl", "@fragment"),
        ("glsl", "glsl", "#version 450"),
        ("hlsl", "hlsl", "SV_Target0"),
        ("msl", "metal", "metal_stdlib"),
    ];
    for (name, ending, part) in languages {
        let run = place.run(&["translate", "in/a.fp", "--to", name, "--model", "nvfp"]);
        if cfg!(not(feature = "texts")) {
            run.exits(3).says(&format!("--to {name}: this parallax was built without the feature `texts`"));
            continue;
        }
        run.exits(0).prints(part).says("in/a.fp under nvfp").says(&format!("bytes of {}", name.to_uppercase()));
        let folder = format!("out_{name}");
        place
            .run(&["translate", "in", "--to", name, "--model", "nvfp", "-o", &folder])
            .exits(0)
            .prints("1 of 1 programs");
        assert_eq!(place.get(&format!("{folder}/a_fp.{ending}")), run.out, "{name}");
        let listing: serde_json::Value =
            serde_json::from_slice(&place.get(&format!("{folder}/a_fp.json"))).expect("JSON");
        assert_eq!(listing["language"], name.to_uppercase());
        // `main` is no name of a function in MSL.
        let entry = listing["entry"].as_str().expect("a name");
        assert!(run.text().contains(&format!(" {entry}(")), "{entry}");
        assert_eq!(listing["constants"][0]["set"].is_null(), matches!(name, "glsl" | "msl"), "{listing}");
        let check = place.run(&["translate", "in/a.fp", "--to", name, "--check"]);
        match name {
            "wgsl" if cfg!(feature = "wgsl") => {}
            "wgsl" => {
                check.exits(3).says("built without the feature `wgsl`");
            }
            _ => {
                check.exits(2).says("--check draws with modules and WGSL");
            }
        }
    }
}

/// What a device draws is kept as a picture: that of the engine, since all pixels are equal. Without a device the command says so.
#[test]
fn what_a_device_draws_is_kept() {
    let place = Place::new();
    place.put("a.fp", SHADER);
    let drawn = ["translate", "a.fp", "--model", "nvfp", "--check", "--random", "0", "--size", "8x8"];
    let run = place.run(&[&drawn[..], &["--picture", "device.png"]].concat());
    if run.code == Some(3) {
        assert!(run.err.contains("vulkan") || run.err.contains("Vulkan"), "{}", run.err);
    } else {
        run.exits(0).prints("equal in all 64 pixels");
        place.run(&["run", "a.fp", "--model", "nvfp", "--size", "8x8", "-o", "engine.png"]).exits(0);
        assert_eq!(place.get("device.png"), place.get("engine.png"));
    }
    place.run(&["translate", "a.fp", "--picture", "p.png"]).exits(2).says("--check");
    let of_program = ["translate", "a.fp", "--to", "tgsi", "--check", "--picture", "p.png"];
    place.run(&of_program).exits(2).says("--picture is what a device draws");
}

/// What differs is found: a difference in the quad's first row is said as one in the pixel's own, and the pixels show it.
#[test]
fn a_check_sees_what_is_said_in_other_words() {
    let place = Place::new();
    let text = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0]\nMUL TEMP[0], IN[0].xxxx, IN[0].yyyy\n\
        DDX OUT[0], TEMP[0]\nEND\n";
    place.put("d.tgsi", text);
    let run = place.run(&["translate", "d.tgsi", "--to", "nvfp", "--check", "--size", "8x8", "--random", "0"]);
    run.exits(1).prints("differences in the quad's first row");
    run.prints("the manifest's inputs: different under ieee: OUT[0].x of ").prints("; the first at ");
}

/// Where a pixel leaves an endless loop depends on how many instructions it has, which a translation changes.
#[test]
fn draws_with_endless_loops_are_not_compared() {
    let place = Place::new();
    let text = "FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nDCL TEMP[0]\nIMM[0] FLT32 {1.0, 0.0, 0.0, 0.0}\n\
                MOV TEMP[0], IN[0]\nBGNLOOP\nADD TEMP[0], TEMP[0], IMM[0].xxxx\nIF IMM[0].yyyy\nBRK\nENDIF\nENDLOOP\n\
                MOV OUT[0], TEMP[0]\nEND\n";
    place.put("a.tgsi", text);
    let run = place.run(&["translate", "a.tgsi", "--to", "tgsi", "-o", "b.tgsi", "--check", "--size", "2x2"]);
    run.exits(3).prints("the manifest's inputs: not compared: 4 of 4 invocations never leave a loop");
}
