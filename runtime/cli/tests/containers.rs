//! Containers on the command line: every verb that reads shaders takes them.

#![cfg(unix)]

use crate::support;

use parallax_pack::{Elf, Fpo, Order, Parameter, archive, code_bytes};
use support::Place;

const RED: &str = "!!FP1.0\nMOVR o[COLR], {1, 0, 0, 1};\nEND\n";
const TINT: &str = "!!FP1.0\nDECLARE tint = {0.5, 0.25, 0, 1};\nMOVR o[COLR], tint;\nEND\n";
const WRONG: &str = "!!FP1.0\nNOPE\n";

/// An archive of two texts and the machine words of another.
fn captured(place: &Place) {
    place.put("gray.attila", "mul r0, i0, 0.5\nmov o0, r0\n");
    place.run(&["as", "gray.attila", "-o", "gray.bin"]).exits(0);
    let words = place.get("gray.bin");
    place.put(
        "in/captured.a",
        archive(&[("red.fp", RED.as_bytes()), ("tint.fp", TINT.as_bytes()), ("gray.bin", &words)]),
    );
}

#[test]
fn verbs_for_many_shaders_take_every_member() {
    let place = Place::new();
    captured(&place);
    for path in ["in/captured.a", "in"] {
        let run =
            place.run(&["compare", path, "--models", "ieee", "--size", "4x4", "--no-report", "--format", "jsonl"]);
        let lines = run.exits(0).lines();
        let names: Vec<&str> = lines.iter().map(|l| l["shader"].as_str().unwrap()).collect();
        assert_eq!(names, ["in/captured.a:red.fp", "in/captured.a:tint.fp", "in/captured.a:gray.bin"]);
        assert!(lines.iter().all(|line| line["status"] == "ok"), "{lines:?}");
        place.run(&["check", path]).exits(0).prints("in/captured.a:tint.fp");
    }
    let bench = place.run(&["bench", "in/captured.a", "--size", "4x4", "--runs", "1", "--json"]);
    assert_eq!(bench.exits(0).lines().len(), 3);
    place.run(&["compare", "in/captured.a", "--models", "ieee", "--size", "4x4", "--out", "rep"]).exits(0);
    let page = String::from_utf8(place.get("rep/index.html")).unwrap();
    assert!(page.contains("captured.a:tint.fp"));
    let coverage = place.run(&["isas", "attila", "--coverage", "in/captured.a"]);
    assert!(coverage.exits(0).text().contains("mul"), "{}", coverage.text());
}

#[test]
fn verbs_for_one_shader_take_a_member_by_name() {
    let place = Place::new();
    captured(&place);
    place
        .run(&["run", "in/captured.a"])
        .exits(2)
        .says("in/captured.a holds 3 programs; select one, such as in/captured.a:red.fp");
    let run = place.run(&["run", "in/captured.a:red.fp", "--size", "4x4", "--pixel", "0,0", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(run.exits(0).text()).unwrap();
    assert_eq!(json["pixels"][0]["values"]["o[COLR].x"], "1.0", "{json}");
    place.run(&["lift", "in/captured.a:tint.fp"]).exits(0).prints("shader \"tint\"");
    place.run(&["dis", "in/captured.a:gray.bin"]).exits(0).prints("mul r0, i0,");
    place.run(&["info", "in/captured.a:gray.bin"]).exits(0).prints("attila, fragment shader");
    place.run(&["run", "in/captured.a:rde.fp"]).exits(2).says("did you mean `red.fp`?");
    place.run(&["run", "in/none.a:red.fp"]).exits(2).says("in/none.a:red.fp").says("cannot be read");
    // From standard input as well.
    let bytes = place.get("in/captured.a");
    place.feed(&["lift", "--", "-:tint.fp"], &bytes).exits(0).prints("shader \"tint\"");
    place.feed(&["check", "-"], &bytes).exits(0).prints("<stdin>:tint.fp");
    // A file that has a colon in its own name.
    place.put("in/captured.a:red.fp", TINT);
    place.run(&["lift", "in/captured.a:red.fp"]).exits(0).prints("\"tint\"");
}

#[test]
fn members_have_manifests() {
    let place = Place::new();
    let pixel = |place: &Place, path: &str| {
        let run = place.run(&["run", path, "--pixel", "0,0", "--format", "json"]);
        let json: serde_json::Value = serde_json::from_str(run.exits(0).text()).unwrap();
        (json["width"].as_u64().unwrap(), json["pixels"][0]["values"]["o[COLR].x"].as_str().unwrap().to_string())
    };
    captured(&place);
    let tint = "in/captured.a:tint.fp";
    assert_eq!(pixel(&place, tint), (128, "0.5".into()));
    // Of the file's folder, of the file, of the folder with the file's name, of the member.
    place.put("in/manifest.toml", "size = [8, 8]\n");
    assert_eq!(pixel(&place, tint).0, 8);
    place.put("in/captured.toml", "size = [9, 9]\n[constants]\ntint = [2, 0, 0, 1]\n");
    assert_eq!(pixel(&place, tint), (9, "2.0".into()));
    place.put("in/captured/manifest.toml", "size = [10, 10]\n");
    assert_eq!(pixel(&place, tint), (10, "0.5".into()));
    place.put("in/captured/tint.toml", "size = [11, 11]\n[constants]\ntint = [\"0x40400000\", 0, 0, 1]\n");
    assert_eq!((pixel(&place, tint), pixel(&place, "in/captured.a:red.fp").0), ((11, "3.0".into()), 10));
    // Of the archive itself.
    let own = b"size = [12, 12]\n[constants]\ntint = [4, 0, 0, 1]\n";
    place.put("in/captured.a", archive(&[("tint.fp", TINT.as_bytes()), ("tint.toml", own)]));
    assert_eq!(pixel(&place, tint), (12, "4.0".into()));
    place.put("in/captured.a", archive(&[("tint.fp", TINT.as_bytes()), ("tint.toml", b"sice = 1\n")]));
    place.run(&["run", tint]).exits(2).says("in/captured.a:tint.toml:1:1");
}

#[test]
fn info_prints_the_tree() {
    let place = Place::new();
    captured(&place);
    let run = place.run(&["info", "in/captured.a"]);
    run.exits(0).prints("in/captured.a: ar archive").prints("  red.fp: program or data, 40 bytes at byte 68");
    let cubin = Elf::cubin(50).section(".nv.constant2.shade", &[1; 16]).kernel("shade", 1, 12, &[0; 32]).write();
    place.put("k.cubin", &cubin).put("c.a", archive(&[("k.cubin", &cubin), ("red.fp", RED.as_bytes())]));
    let tree = place.run(&["info", "c.a"]);
    tree.prints("  k.cubin: CUDA ELF for sm_50").prints("    shade: kernel, 32 bytes").prints("      registers 12");
    tree.prints("      constant bank 2, 16 bytes at byte ");
    let json: serde_json::Value = serde_json::from_str(place.run(&["info", "c.a", "--format", "json"]).text()).unwrap();
    let kernel = &json[0]["members"][0]["members"][0];
    assert_eq!((&kernel["name"], &kernel["isa"]), (&"shade".into(), &"spa5".into()), "{json}");
    assert_eq!(kernel["facts"][0], serde_json::json!({ "name": "registers", "value": "12" }));
    // What is wrong stands where it is.
    let mut broken = cubin;
    broken[40] = 0xff;
    place.put("b.cubin", &broken);
    place.run(&["info", "b.cubin"]).exits(2).prints("b.cubin: damaged").prints("e_shnum").prints("byte 60");
}

#[test]
fn damage_loses_nothing_of_the_rest() {
    let place = Place::new();
    let mut broken = Elf::cubin(50).kernel("k", 1, 8, &[0; 32]).write();
    broken[40] = 0xff;
    let members: &[(&str, &[u8])] =
        &[("broken.cubin", &broken), ("wrong.fp", WRONG.as_bytes()), ("red.fp", RED.as_bytes())];
    let mut bytes = archive(members);
    place.put("in/a.a", &bytes).put("in/b.fp", RED);
    let status = |place: &Place| {
        let run =
            place.run(&["compare", "in", "--models", "ieee", "--size", "4x4", "--no-report", "--format", "jsonl"]);
        let lines = run.exits(2).lines();
        lines.iter().map(|l| format!("{} {}", l["shader"].as_str().unwrap(), l["status"].as_str().unwrap())).collect()
    };
    let found: Vec<String> = status(&place);
    assert_eq!(found, ["in/a.a:broken.cubin invalid", "in/a.a:wrong.fp invalid", "in/a.a:red.fp ok", "in/b.fp ok"]);
    // The first header damaged.
    bytes[8 + 48] = b'x';
    place.put("in/a.a", &bytes);
    let found: Vec<String> = status(&place);
    assert_eq!(found, ["in/a.a:damaged member invalid", "in/a.a:wrong.fp invalid", "in/a.a:red.fp ok", "in/b.fp ok"]);
    place.run(&["check", "in/a.a"]).exits(2).says("byte 56").says("is not a decimal number");
}

#[test]
fn foreign_files_are_named_for_what_they_are() {
    let place = Place::new();
    let mut object = Elf::plain(true, false).section(".nv_fatbin", &[0; 16]);
    object.machine = 62;
    place
        .put("in/a.bc", b"BC\xc0\xde\0\0\0\0")
        .put("in/b.fp", "#version 330\nvoid main() {}\n")
        .put("in/c.o", object.write());
    place.put("in/d.ptx", ".version 7.0\n.target sm_50\n");
    place.put("in/f.dxbc", b"DXBC\0\0\0\0");
    for (name, what) in [
        ("a.bc", "LLVM bitcode"),
        ("b.fp", "GLSL source"),
        ("c.o", "an ELF file with a CUDA fatbin inside"),
        ("d.ptx", "PTX assembly"),
        ("f.dxbc", "a DXBC container"),
    ] {
        let path = format!("in/{name}");
        for verb in ["check", "run", "lift", "dis", "info"] {
            place.run(&[verb, &path]).exits(3).says(what).says("help: ");
        }
    }
    // In a folder they are no shaders, whatever their names, unless they are called so.
    place.put("in/z.fp", RED);
    place.run(&["check", "in"]).exits(3).says("in/b.fp").prints("in/z.fp");
    assert!(!place.run(&["check", "in"]).text().contains("c.o"));
}

#[test]
fn large_files_of_zeros_end_quickly() {
    let place = Place::new();
    let file = std::fs::File::create(place.path("zeros")).unwrap();
    file.set_len(100 << 20).unwrap();
    for verb in ["check", "info", "run", "dis"] {
        place.run(&[verb, "zeros"]).exits(2).says("it has more than 67108864 bytes");
    }
    std::fs::File::options().write(true).open(place.path("zeros")).unwrap().set_len(60 << 20).unwrap();
    place.run(&["check", "zeros"]).exits(2).says("no instruction set recognises");
}

/// `MOV H0, tint`, the colour in H0.
fn tinted(order: Order, default: Option<[f32; 4]>) -> Fpo {
    let mov = [0x0100_1e81, 0x1c9d_c802, 0x0001_c800, 0x0001_c800];
    Fpo::new(order, vec![Parameter::vector("tint", default, &[16])], vec![mov, [0.125f32.to_bits(); 4]])
}

#[test]
fn cg_binaries_are_drawn_with_their_constants() {
    let place = Place::new();
    let red = |place: &Place, path: &str| {
        let run = place.run(&["run", path, "--size", "4x4", "--pixel", "0,0", "--format", "json"]);
        let json: serde_json::Value = serde_json::from_str(run.exits(0).text()).unwrap();
        assert_eq!((&json["isa"], &json["model"]), (&"nvfp".into(), &"nv40".into()));
        let values = json["pixels"][0]["values"].as_object().unwrap().clone();
        values.iter().find(|(name, _)| name.ends_with(".x")).unwrap().1.as_str().unwrap().to_string()
    };
    for order in [Order::Big, Order::Little] {
        let place_of = |name: &str| name.to_string();
        place.put("s.fpo", tinted(order, Some([0.75, 0.5, 0.25, 1.0])).write());
        place.put("t.fpo", tinted(order, None).write());
        // The default, the value in the code where there is none, the manifest's.
        assert_eq!((red(&place, "s.fpo"), red(&place, "t.fpo")), (place_of("0.75"), place_of("0.125")));
        place.put("s.toml", "[constants]\ntint = [0.375, 0, 0, 1]\n");
        assert_eq!(red(&place, "s.fpo"), "0.375");
        std::fs::remove_file(place.path("s.toml")).unwrap();
        place.put("a.a", archive(&[("s.fpo", &place.get("s.fpo")), ("t.fpo", &place.get("t.fpo"))]));
        assert_eq!((red(&place, "a.a:s.fpo"), red(&place, "a.a:t.fpo")), (place_of("0.75"), place_of("0.125")));
        place.run(&["dis", "s.fpo"]).exits(0).prints("MOV").prints("0.75");
        place
            .run(&["info", "s.fpo"])
            .exits(0)
            .prints("parameter tint: float4, uniform")
            .prints("nvfp, fragment shader");
        place.run(&["lift", "s.fpo"]).exits(0).prints("tint");
        // The words alone, and behind their control word.
        let code = code_bytes(order, &tinted(order, None).code);
        let control = if order == Order::Big { 0x0200_0000u32.to_be_bytes() } else { 0x0200_0000u32.to_le_bytes() };
        place.put("w.bin", [&control, &code[..]].concat()).put("v.nv40", &code);
        assert_eq!((red(&place, "w.bin"), red(&place, "v.nv40")), (place_of("0.125"), place_of("0.125")));
    }
    let run =
        place.run(&["compare", "s.fpo", "--models", "nv40,ieee", "--size", "4x4", "--no-report", "--format", "jsonl"]);
    assert!(run.exits(0).lines().iter().all(|line| line["status"] == "ok"));
}

#[test]
fn control_words_say_where_colours_are() {
    let place = Place::new();
    // R0 is written behind H0, which is its first half.
    let mov = |word: u32| [word, 0x1c9d_c802, 0x0001_c800, 0x0001_c800];
    let code = vec![mov(0x0100_1e80), [1f32.to_bits(); 4], mov(0x0100_1e01 | 2 << 1), [0.5f32.to_bits(); 4]];
    let mut fpo = Fpo::new(Order::Big, Vec::new(), code);
    let channels = |place: &Place| {
        let run = place.run(&["info", "s.fpo", "--format", "json"]);
        let json: serde_json::Value = serde_json::from_str(run.exits(0).text()).unwrap();
        json[1]["outputs"][0]["name"].as_str().unwrap().to_string()
    };
    place.put("s.fpo", fpo.write());
    assert_eq!(channels(&place), "H0");
    fpo.color_from_h = false;
    place.put("s.fpo", fpo.write());
    assert_eq!(channels(&place), "R0");
}

#[test]
fn tests_of_piglit_are_drawn_and_probed() {
    let place = Place::new();
    let test = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/filetests/container/quarters.shader_test"
    ));
    let test = test.expect("a text");
    place.put("quarters.shader_test", test.as_bytes());
    // The size is that of the file, without what it is taken apart into.
    place
        .run(&["info", "quarters.shader_test"])
        .exits(0)
        .prints(&format!("{} bytes", test.len()))
        .prints("fragment-2.fp");
    place.run(&["run", "quarters.shader_test:fragment.fp"]).exits(0).prints("expectations: 4 of 4 hold");
    place.run(&["run", "quarters.shader_test:fragment-2.fp"]).exits(0).prints("expectations: 1 of 1 hold");
    let wrong = test.replace("(0.0, 0.0, 1.0, 1.0)", "(0.0, 0.5, 1.0, 1.0)");
    place.put("wrong.shader_test", wrong.as_bytes());
    place.run(&["run", "wrong.shader_test:fragment.fp"]).exits(1).prints("expectations: 3 of 4 hold");
    // One of the two programs is enough.
    let vertex = &test[..test.find("[fragment program]").expect("a section")];
    let vertex = format!(
        "{vertex}[test]\nparameter env_vp 1 (1, 1, 0.5, 4)\ncolor 0.5 0.5 0.5 0.25\ndraw rect -1 -1 2 2\nprobe all rgba 0.5 0.5 0.25 1\n"
    );
    place.put("vertex.shader_test", vertex.as_bytes());
    place.run(&["run", "vertex.shader_test"]).exits(0).prints("expectations: 1 of 1 hold");
    let fragment = "[require]\n[fragment program]\n!!ARBfp1.0\nMOV result.color, fragment.texcoord[2];\nEND\n\
                    [test]\ntexcoord 2 (0.5, 0.25, 0.75, 1)\ndraw rect -1 -1 2 2\nprobe all rgba 0.5 0.25 0.75 1\n";
    place.put("fragment.shader_test", fragment.as_bytes());
    place.run(&["run", "fragment.shader_test"]).exits(0).prints("expectations: 1 of 1 hold");
}
