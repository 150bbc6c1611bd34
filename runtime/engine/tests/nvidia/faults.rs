//! Accesses outside of memory: errors, or nothing where the caller asks for it.

use super::cubin::{Arg, Call, kernels, prepared, run_loaded};
use parallax::{Dispatch, LoadOptions, Loaded, Model, load, run_dispatch};

/// What a kernel says of a fault, if it has one. All engines have to agree.
fn fault(loaded: &Loaded, dispatch: &Dispatch) -> Option<String> {
    let shader = loaded.shader.as_ref().unwrap_or_else(|| panic!("{:?}", loaded.diags));
    let model = Model::builtin(loaded.model).expect("a model");
    let mut all = prepared("a kernel", shader, &model).into_iter().map(|(engine, compiled)| {
        let found = run_dispatch(&compiled, dispatch).err().map(|found| {
            assert_eq!((found.diags.len(), found.diags[0].code), (1, parallax::FAULT), "{engine}: {found}");
            assert!(found.diags[0].span.is_some() && found.diags[0].help.len() == 2, "{engine}: {found}");
            found.diags[0].message.clone()
        });
        (engine, found)
    });
    let (_, wanted) = all.next().expect("an engine");
    all.for_each(|(engine, found)| assert_eq!(found, wanted, "{engine}"));
    wanted
}

fn saxpy(call: &Call, robust: bool) -> Loaded {
    let all = kernels(include_str!("programs.txt"));
    let target = &all.iter().find(|kernel| kernel.name == "saxpy").expect("a kernel").targets[0];
    let mut options = LoadOptions::default();
    options.lift.block = Some(call.block);
    options.lift.robust = robust;
    load("kernel.cubin", &target.cubin("saxpy"), &options)
}

/// 32 invocations of two workgroups, of which the caller gives `x` and `y` so many words.
fn call(x: usize, y: usize) -> Call {
    let words = |count: usize| Arg::Buffer((1..=count as u32).collect());
    Call::new(2, 16, vec![words(x), words(y), Arg::Words(vec![1f32.to_bits()]), Arg::Words(vec![32])])
}

#[test]
fn an_access_outside_of_a_buffer_is_named() {
    let found = |call: &Call| {
        let loaded = saxpy(call, false);
        let dispatch = call.dispatch(&loaded.shader.as_ref().expect("a kernel").func.iface);
        fault(&loaded, &dispatch)
    };
    assert_eq!(found(&call(32, 32)), None);
    for (x, y, part) in [
        (
            20,
            32,
            "invocation 20,0,0 accesses 4 bytes outside of memory at 0x0000010000000050, right behind the end of `param[0]`, which has 80 bytes: at byte 0x",
        ),
        (
            32,
            9,
            "invocation 9,0,0 accesses 4 bytes outside of memory at 0x0000020000000024, right behind the end of `param[1]`, which has 36 bytes",
        ),
        (
            0,
            32,
            "invocation 0,0,0 accesses 4 bytes outside of memory at 0x0000010000000000, right behind the end of `param[0]`, which has 0 bytes",
        ),
    ] {
        let message = found(&call(x, y)).expect("a fault");
        assert!(message.starts_with(part) && message.contains("`LD"), "{message}");
    }
}

/// What is outside of a buffer reads as 0 and is not written, where the caller asks for it.
#[test]
fn accesses_outside_change_nothing_where_they_may() {
    let call = call(20, 30);
    let found = run_loaded("saxpy", &saxpy(&call, true), &call);
    let number = |n: u32| if n < 20 { (f32::from_bits(n + 1) + f32::from_bits(n + 1)).to_bits() } else { n + 1 };
    assert_eq!(found[1].len(), 30);
    // Subnormal numbers stay as they are: 1 * x + y.
    assert_eq!(found[1], (0..30).map(number).collect::<Vec<u32>>());
}

/// What a listing says of a fault. The first buffer has three words, the second four, shared memory 16 bytes.
fn of_listing(text: &str) -> Option<String> {
    let text = format!(
        ".kernel\n.block 4\n.shared 16\n.param 0x140, 8\n.param 0x148, 8\nMOV R2, c[0x0][0x140]\nMOV R3, c[0x0][0x144]\n{text}\nEXIT\n"
    );
    let loaded = load("k.spa5", text.as_bytes(), &LoadOptions { isa: Some("spa5".into()), ..LoadOptions::default() });
    let words = vec![("param[0]".into(), vec![1; 3]), ("param[1]".into(), vec![1; 4])];
    fault(&loaded, &Dispatch { words, ..Dispatch::default() })
}

#[test]
fn every_kind_of_access_is_looked_at() {
    for inside in [
        "LDG.E R4, [R2+0x8]",
        "LDG.E.64 R4, [R2]",
        "LDG.E.U8 R4, [R2+0xb]",
        "STG.E.U16 [R2+0xa], R4",
        "MOV R2, c[0x0][0x148]\nMOV R3, c[0x0][0x14c]\nLDG.E.128 R4, [R2]",
        "RED.E.ADD [R2+0x8], R4",
        "LDS R4, [0xc]",
        "STS.64 [0x8], R4",
        // Words 0 and 1 of bank 0 say where shared and local memory begin.
        "MOV R2, c[0x0][0x0]\nMOV R3, RZ\nLD.E R4, [R2+0xc]",
        "LD.E R4, [R2+0x8]",
        // Nobody executes it.
        "ISETP.NE.AND P0, PT, R3, R3, PT\n@P0 STG.E [R2+0x100], R4",
        "ISETP.NE.AND P0, PT, R3, R3, PT\n@P0 LDG.E R4, [R2+0x100]",
        "ISETP.EQ.AND P0, PT, R3, R3, PT\n@P0 BRA over\nLDG.E R4, [R2+0x100]\nover: NOP",
    ] {
        assert_eq!(of_listing(inside), None, "{inside}");
    }
    let behind = "behind the end of `param[0]`, which has 12 bytes";
    for (outside, part) in [
        ("LDG.E R4, [R2+0x10]", format!("4 bytes outside of memory at 0x0000010000000010, 4 bytes {behind}: in line 8, `LDG.E R4, [R2+0x10]`")),
        ("LDG.E.64 R4, [R2+0x8]", "accesses 8 bytes outside of memory at 0x0000010000000008, partly behind the end of `param[0]`, which has 12 bytes, from its byte 8 on".into()),
        ("LDG.E.128 R4, [R2]", "accesses 16 bytes outside of memory at 0x0000010000000000, partly behind".into()),
        ("LDG.E.U8 R4, [R2+0xd]", format!("accesses 1 byte outside of memory at 0x000001000000000d, 1 byte {behind}")),
        ("STG.E [R2+0xc], R4", format!("right {behind}")),
        ("STG.E.U16 [R2+0xc], R4", format!("accesses 2 bytes outside of memory at 0x000001000000000c, right {behind}")),
        ("STG.E.64 [R2+0x8], R4", "partly behind".into()),
        ("RED.E.ADD [R2+0xc], R4", format!("right {behind}")),
        ("ATOM.E.CAS R6, [R2+0xc], R4, R5", format!("right {behind}")),
        ("ATOM.E.ADD.F32.FTZ.RN R6, [R2+0xc], R4", format!("right {behind}")),
        ("ST.E [R2+0xc], R4", format!("right {behind}")),
        ("LDG.E R4, [R2+-0x4]", "at 0x000000fffffffffc, 4 bytes in front of `param[0]`".into()),
        ("MOV R3, RZ\nMOV R2, RZ\nLDG.E R4, [R2+0x40]", "at 0x0000000000000040, which is near no buffer".into()),
        ("IADD R3, R3, 0x100\nLDG.E R4, [R2]", "at 0x0000020000000000, in `param[1]`, but computed from the address of another parameter".into()),
        ("LDS R4, [0x10]", "accesses 4 bytes outside of memory at byte 0x10 of shared memory, which has 16 bytes: in line 8, `LDS".into()),
        ("STS.128 [0x10], R4", "at byte 0x10 of shared memory".into()),
        ("ATOMS.ADD R4, [0x10], R6", "at byte 0x10 of shared memory".into()),
        ("MOV R2, c[0x0][0x0]\nMOV R3, RZ\nLD.E R4, [R2+0x10]", "at 0x0000000001000010, which is near no buffer".into()),
        // The first one of a lane counts, also where it is in a loop.
        ("MOV R4, RZ\nagain: LDG.E R5, [R2]\nIADD R2, R2, 0x4\nIADD R4, R4, 0x1\nISETP.LT.AND P0, PT, R4, 0x9, PT\n@P0 BRA again", format!("at 0x000001000000000c, right {behind}: in line 9")),
    ] {
        let found = of_listing(outside).unwrap_or_else(|| panic!("{outside}: no fault"));
        assert!(found.contains(&part), "{outside}: {found}");
    }
}

/// Of several invocations, the first one counts.
#[test]
fn the_first_invocation_is_named() {
    let text = "S2R R4, SR_TID.X\nISETP.GE.U32.AND P0, PT, R4, 0x2, PT\n@P0 LDG.E R6, [R2+0x20]\n@!P0 LDG.E R6, [R2]";
    let found = of_listing(text).expect("a fault");
    assert!(found.starts_with("invocation 2,0,0 accesses 4 bytes") && found.contains("in line 10"), "{found}");
}
