//! Kernels of NVIDIA on the command line: blocks, grids and parameters, from cubins, listings and requests.

use crate::support::Place;
use parallax_pack::{Elf, kernel_info, kernel_param, module_info};
use serde_json::{Value, json};

/// Each thread adds a number to its word of a buffer and stores the sum in another one.
const LISTING: &str = ".kernel\n.param 0x140, 8\n.param 0x148, 8\n.param 0x150, 4\n\
    S2R R0, SR_CTAID.X\nS2R R1, SR_TID.X\nIMAD R0, R0, c[0x0][0x8], R1\nSHL R2, R0, 0x2\n\
    IADD R4.CC, R2, c[0x0][0x140]\nIADD.X R5, RZ, c[0x0][0x144]\nLDG.E R6, [R4]\nIADD R6, R6, c[0x0][0x150]\n\
    IADD R4.CC, R2, c[0x0][0x148]\nIADD.X R5, RZ, c[0x0][0x14c]\nSTG.E [R4], R6\nEXIT\n";

/// The same in a cubin.
fn cubin(place: &Place) -> Vec<u8> {
    place.run(&["as", "k.spa5", "-o", "k.bin"]).exits(0);
    let mut info = kernel_info(0x140, 20);
    for (number, offset, size) in [(2, 16, 4), (1, 8, 8), (0, 0, 8)] {
        info.extend(kernel_param(number, offset, size));
    }
    Elf::cubin(50)
        .section(".nv.info", &module_info(&[(5, 8, 0)]))
        .section(".nv.info.add", &info)
        .section(".nv.shared.add", &[0; 64])
        .kernel("add", 5, 8, &place.get("k.bin"))
        .write()
}

fn place() -> Place {
    let place = Place::new();
    place.put("k.spa5", LISTING);
    let bytes = cubin(&place);
    place.put("k.cubin", bytes);
    place
}

fn hex(words: impl IntoIterator<Item = u32>) -> Value {
    Value::from(words.into_iter().map(|word| format!("{word:08x}")).collect::<Vec<_>>())
}

#[test]
fn run_takes_block_grid_and_parameters() {
    let place = place();
    let params = ["--param", "0=iota:8", "--param", "1=zeros:8", "--param", "2=u32:100"];
    for file in ["k.spa5", "k.cubin:add", "k.cubin"] {
        let call = [&["run", file, "--grid", "2", "--block", "4", "--format", "jsonl"], &params[..]].concat();
        let json = place.run(&call).exits(0).lines();
        assert_eq!(json[0]["buffers"], json!({ "param[1]": hex(100..108) }), "{file}");
        assert_eq!((&json[0]["workgroup"], &json[0]["grid"]), (&json!([4, 1, 1]), &json!([2, 1, 1])));
    }
    let call = [&["run", "k.cubin", "--grid", "2", "--block", "4", "-o", "a.npy"], &params[..]].concat();
    place.run(&call).exits(0);
    // What was written is read again.
    let again = ["--param", "0=buffer:a.npy", "--param", "1=zeros:8", "--param", "2=i32:-100"];
    let call = [&["run", "k.cubin", "--grid", "2", "--block", "4", "--format", "jsonl"], &again[..]].concat();
    assert_eq!(place.run(&call).exits(0).lines()[0]["buffers"]["param[1]"], hex(0..8));
}

#[test]
fn manifests_have_blocks_and_parameters() {
    let place = place();
    let manifest = "[dispatch]\ngrid = [2]\nblock = [4]\n[params]\n0 = \"iota:8\"\n1 = \"zeros:8\"\n2 = \"u32:7\"\n";
    place.put("k.toml", manifest);
    let json = place.run(&["run", "k.spa5", "--format", "jsonl"]).exits(0).lines();
    assert_eq!(json[0]["buffers"], json!({ "param[1]": hex(7..15) }));
    // The command line decides.
    let json =
        place.run(&["run", "k.spa5", "--param", "2=u32:1", "--block", "2", "--format", "jsonl"]).exits(0).lines();
    assert_eq!(json[0]["buffers"]["param[1]"], hex([1, 2, 3, 4, 0, 0, 0, 0]));
    place.put("k.toml", "[params]\n2 = \"f64:1\"\n");
    place.run(&["run", "k.spa5"]).exits(2).says("the parameter takes 4 bytes").says("k.toml:2");
    place.put("k.toml", "[params]\nfirst = \"f64:1\"\n");
    place.run(&["run", "k.spa5"]).exits(2).says("`first` is not the number of a parameter");
}

#[test]
fn info_lists_parameters() {
    let place = place();
    place
        .run(&["info", "k.cubin:add"])
        .exits(0)
        .prints("0: 8 bytes at c[0x0][0x140], may be the address of a buffer")
        .prints("2: 4 bytes at c[0x0][0x150]");
    let json = place.run(&["info", "k.cubin:add", "--format", "jsonl"]).exits(0).lines();
    let wanted = json!({ "number": 2, "offset": 0x150, "bytes": 4, "may_point": false });
    assert_eq!(json[0]["parameters"][2], wanted);
}

#[test]
fn eval_runs_kernels() {
    let place = place();
    let request = json!({
        "isa": "spa5", "text": LISTING, "grid": [2, 1, 1], "block": [2, 1, 1],
        "params": { "0": { "buffer": ["1", "2", "3", "4"] }, "1": { "buffer": ["0", "0", "0", "0"] }, "2": "10" },
    });
    let wrong = json!({ "isa": "spa5", "text": LISTING, "params": { "2": "x" } });
    let unknown = json!({ "isa": "spa5", "text": LISTING, "params": { "7": "1" } });
    let answers = place.feed(&["eval"], format!("{request}\n{wrong}\n{unknown}\n").as_bytes()).lines();
    assert_eq!(answers[0]["buffers"]["param[1]"], hex(0x11..0x15), "{}", answers[0]);
    assert_eq!(answers[1]["error"]["code"], "params");
    assert_eq!(answers[2]["error"]["code"], "dispatch-constant");
}

/// Threads 6 and 7 have no words in the first buffer.
#[test]
fn accesses_outside_of_buffers_are_errors_unless_the_caller_asks() {
    let place = place();
    let params = ["--param", "0=iota:6", "--param", "1=zeros:8", "--param", "2=u32:5"];
    let call = [&["run", "k.spa5", "--grid", "2", "--block", "4", "--format", "jsonl"], &params[..]].concat();
    place
        .run(&call)
        .exits(2)
        .says("error[dispatch-fault]: invocation 6,0,0 accesses 4 bytes outside of memory at 0x0000010000000018")
        .says("right behind the end of `param[0]`, which has 24 bytes: in line 11, `LDG.E R6, [R4]`")
        .says("k.spa5:11:1")
        .says("give `param[0]` a larger buffer");
    place.run(&[&call[..], &["--check-races"]].concat()).exits(2).says("error[dispatch-fault]");
    let robust = hex([5, 6, 7, 8, 9, 10, 5, 5]);
    let json = place.run(&[&call[..], &["--robust"]].concat()).exits(0).lines();
    assert_eq!(json[0]["buffers"], json!({ "param[1]": robust }));
    let manifest = |robust: &str| {
        let text = format!(
            "[dispatch]\ngrid = [2]\nblock = [4]\nrobust = {robust}\n[params]\n0 = \"iota:6\"\n1 = \"zeros:8\"\n2 = \"u32:5\"\n"
        );
        place.put("k.toml", text);
        place.run(&["run", "k.spa5", "--format", "jsonl"])
    };
    assert_eq!(manifest("true").exits(0).lines()[0]["buffers"]["param[1]"], robust);
    manifest("false").exits(2).says("dispatch-fault");
    manifest("1").exits(2).says("k.toml:4");
    let request = |robust: Value| {
        json!({
            "isa": "spa5", "text": LISTING, "block": [2, 1, 1], "robust": robust,
            "params": { "0": { "buffer": ["1"] }, "1": { "buffer": ["0", "0"] }, "2": "10" },
        })
    };
    let pixels = json!({ "isa": "tgsi", "text": "FRAG\nDCL OUT[0], COLOR\nMOV OUT[0], OUT[0]\nEND\n", "robust": true });
    let lines =
        [request(Value::Null), request(false.into()), request(true.into()), pixels].map(|line| format!("{line}\n"));
    let answers = place.feed(&["eval"], lines.concat().as_bytes()).lines();
    for answer in &answers[..2] {
        assert_eq!((&answer["error"]["code"], &answer["error"]["kind"]), (&"dispatch-fault".into(), &"invalid".into()));
    }
    assert_eq!(answers[2]["buffers"]["param[1]"], hex([0x11, 0x10]), "{}", answers[2]);
    assert_eq!(answers[3]["error"]["code"], "key");
    place.put("f.tgsi", "FRAG\nDCL OUT[0], COLOR\nMOV OUT[0], OUT[0]\nEND\n");
    place.run(&["run", "f.tgsi", "--robust"]).exits(2).says("only kernels take it");
    // What a kernel reports in is nobody's business.
    let json = place.run(&["info", "k.spa5", "--format", "jsonl"]).exits(0).lines();
    assert_eq!((&json[0]["outputs"], json[0]["buffers"].as_array().map(Vec::len)), (&json!([]), Some(2)));
}

#[test]
fn calls_that_do_not_fit_are_explained() {
    let place = place();
    for (arguments, said) in [
        (&["--param", "2=u32:1"][..], "parameter 0 (8 bytes at c[0x0][0x140]) is not given"),
        (&["--param", "3=u32:1"], "there is no parameter 3: the kernel has 3"),
        (&["--param", "2=f64:1"], "the parameter takes 4 bytes"),
        (&["--param", "2"], "expected N=VALUE"),
        (&["--param", "2=u32:1", "--param", "2=u32:1"], "given twice"),
        (&["--param", "0=buffer:none.npy"], "none.npy"),
        (&["--block", "x"], "expected X, X,Y or X,Y,Z invocations"),
        (&["--block", "0"], "a workgroup of 0x1x1 invocations"),
        (&["--block", "2048"], "a workgroup of 2048x1x1 invocations"),
        (&["--shared-bytes", "4294967295"], "bytes of shared memory"),
    ] {
        place.run(&[&["run", "k.cubin"], arguments].concat()).exits(2).says(said);
    }
    place.put("f.tgsi", "FRAG\nDCL OUT[0], COLOR\nIMM FLT32 { 0.5, 0.5, 0.5, 1 }\nMOV OUT[0], IMM[0]\nEND\n");
    place.run(&["run", "f.tgsi", "--block", "2"]).exits(2).says("a fragment program has no workgroups");
    place.run(&["run", "f.tgsi", "--param", "0=u32:1"]).exits(2).says("only kernels have parameters");
}

/// Every thread writes its number to a texel of parameter 0, and doubles that of parameter 1.
const SURFACES: &str = ".kernel\n.block 4\n.param 0x140, 8\n.param 0x148, 8\nS2R R0, SR_TID.X\nS2R R1, SR_CTAID.X\n\
    I2F.F32.U32 R4, R0\nMOV R5, RZ\nMOV R6, RZ\nMOV R7, RZ\nSUST.P.2D.IGN [R0], R4, 0x50\n\
    SHL R2, R0, 0x2\nMOV R3, R1\nSULD.D.BA.2D.TRAP R8, [R2], 0x52\nSHL R8, R8, 0x1\nSUST.D.BA.2D.TRAP [R2], R8, 0x52\nEXIT\n";

/// A manifest says which images stand behind surfaces; no other parameter is asked for.
#[test]
fn surfaces_are_bound_by_manifests_and_requests() {
    let place = Place::new();
    place.put("s.spa5", SURFACES);
    let manifest = "[dispatch]\ngrid = [2]\n[binding.\"param[0]\"]\nsize = [4, 2]\nformat = \"r32f\"\n\
        [binding.\"param[1]\"]\nsize = [4, 2]\nformat = \"r32ui\"\nsource = \"iota\"\n";
    place.put("s.toml", manifest);
    let json = place.run(&["run", "s.spa5", "--format", "jsonl"]).exits(0).lines();
    let row = [0f32, 1.0, 2.0, 3.0].map(f32::to_bits);
    assert_eq!(json[0]["buffers"]["param[0]"], hex(row.into_iter().chain(row)));
    assert_eq!(json[0]["buffers"]["param[1]"], hex((0..8).map(|n| 2 * n)));
    place.run(&["run", "s.spa5", "--param", "1=zeros:8"]).exits(2).says("the kernel takes it for a surface");
    let request = json!({
        "isa": "spa5", "text": SURFACES, "grid": [1, 1, 1],
        "textures": {
            "param[0]": { "width": 4, "height": 1, "format": "r32f", "words": ["0", "0", "0", "0"] },
            "param[1]": { "width": 4, "height": 1, "format": "rgba8", "words": ["7", "8", "9", "a"] },
        },
    });
    let answers = place.feed(&["eval"], format!("{request}\n").as_bytes()).lines();
    assert_eq!(answers[0]["buffers"]["param[0]"], hex(row), "{}", answers[0]);
    assert_eq!(answers[0]["buffers"]["param[1]"], hex([14, 16, 18, 20]));
}

/// A kernel that cannot run leaves others of the file, and other requests, as they are.
#[test]
fn other_kernels_and_requests_keep_their_results() {
    let place = place();
    place.put("bad.spa5", ".kernel\n.block 64\nBAR.ARV 0x1, 0x40\nself: CAL self\nEXIT\n");
    let bad = "BAR.ARV 0x1, 0x40\nEXIT\n";
    place.put("b.spa5", bad);
    place.run(&["as", "b.spa5", "-o", "b.bin"]).exits(0);
    place.run(&["as", "k.spa5", "-o", "k.bin"]).exits(0);
    let mut info = kernel_info(0x140, 20);
    for (number, offset, size) in [(2, 16, 4), (1, 8, 8), (0, 0, 8)] {
        info.extend(kernel_param(number, offset, size));
    }
    let bytes = Elf::cubin(50)
        .section(".nv.info", &module_info(&[(5, 8, 0), (6, 8, 0)]))
        .section(".nv.info.add", &info)
        .section(".nv.info.bad", &kernel_info(0x140, 0))
        .kernel("add", 5, 8, &place.get("k.bin"))
        .kernel("bad", 6, 8, &place.get("b.bin"))
        .write();
    place.put("two.cubin", bytes);
    let params = ["--param", "0=iota:4", "--param", "1=zeros:4", "--param", "2=u32:1"];
    let call = [&["run", "two.cubin:add", "--block", "4", "--format", "jsonl"], &params[..]].concat();
    assert_eq!(place.run(&call).exits(0).lines()[0]["buffers"], json!({ "param[1]": hex(1..5) }));
    place.run(&["run", "two.cubin:bad"]).exits(3).says("BAR.ARV: barriers at which nobody waits");
    place.run(&["check", "bad.spa5"]).exits(3).says("CAL: the subroutine calls itself");
    // An endless loop, a barrier that some miss, a grid of nothing, and a kernel as it should be.
    let text =
        |lines: &str| format!(".kernel\n.block 4\n.param 0x140, 8\n.param 0x148, 8\n.param 0x150, 4\n{lines}\nEXIT\n");
    let divergent = text("S2R R0, SR_TID.X\nISETP.LT.U32.AND P0, PT, R0, 0x2, PT\n@P0 BAR.SYNC 0x0");
    let requests = [
        json!({ "isa": "spa5", "text": divergent }),
        json!({ "isa": "spa5", "text": LISTING, "grid": [0, 1, 1] }),
        json!({ "isa": "spa5", "text": LISTING, "block": [1025, 1, 1] }),
        json!({ "isa": "spa5", "text": LISTING, "block": [2, 1, 1],
            "params": { "0": { "buffer": ["1", "2"] }, "1": { "buffer": ["0", "0"] }, "2": "10" } }),
    ];
    let lines: String = requests.iter().map(|request| format!("{request}\n")).collect();
    let answers = place.feed(&["eval"], lines.as_bytes()).lines();
    let codes = [0, 1, 2].map(|n| answers[n]["error"]["code"].clone());
    assert_eq!(codes, ["dispatch-barrier", "dispatch-grid", "dispatch-workgroup"]);
    assert_eq!(answers[3]["buffers"]["param[1]"], hex([0x11, 0x12]));
}
