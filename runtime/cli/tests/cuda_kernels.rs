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
