//! What a kernel cannot do, and calls that do not fit.

use super::cubin::{Arg, Call, kernels, lifted, run};
use parallax::{LoadOptions, Loaded, load};

/// A text, lifted as a kernel.
fn listing(text: &str) -> Loaded {
    load("k.spa5", text.as_bytes(), &LoadOptions { isa: Some("spa5".into()), ..LoadOptions::default() })
}

#[test]
fn what_is_not_executed_is_named() {
    for (text, said) in [
        ("BAR.ARV 0x0, 0x40", "BAR.ARV: barriers at which nobody waits"),
        ("BAR.SCAN 0x0, 0x40, P0", "BAR.SCAN: barriers that count the threads before"),
        ("BAR.SYNC 0x1, 0x21", "BAR.SYNC: 33 of the 64 invocations of a workgroup wait"),
        ("BAR.SYNC 0x1, R4", "a register says how many threads wait"),
        ("LDG R0, [R2]", "LDG: an address of 32 bits"),
        ("ATOM.E.MIN.F32.FTZ.RN R0, [R2], R4", "this operation on this type"),
        ("ATOMS.CAST.SPIN R0, [R2], R4, R5", "no document says what the lock gives"),
        ("B2R.RESULT R0", "no barrier combines a predicate"),
        ("S2R R0, SR_PM0", "this special register is not executed"),
        ("LDS R4, [R2]\nSULD.P.2D.IGN R0, [R2], R4", "a handle that is neither a literal nor a constant"),
        ("SULD.D.BA.2D.IGN P0, R0, [R2], 0x0", "no document says what its predicate tells"),
        ("SURED.D.2D.MIN.SD32.IGN [R2], R0, 0x0", "the format of the surface says whether numbers have a sign"),
        ("SURED.P.2D.ADD.IGN [R2], R0, 0x0", "atomics of texels in their format"),
        ("SULD.P.2D.IGN R0, [R2], 0x0\nSULD.P.3D.IGN R4, [R4], 0x0", "surface 0x0 is d2 in another instruction"),
        ("TXQ R0, R2, TEX_HEADER_TEXTURE_TYPE, 0x0, 0x4", "no document says how types and samplers are described"),
        ("TXQ R0, R2, TEX_HEADER_SAMPLER_POS, 0x0, 0x3", "no document says how positions of samples are given"),
        ("MOV R0, c[0x0][0xb0]", "the driver fills c[0x0][0xb0], and no document says with what"),
        ("B2R R0, 0x1", "the state of barriers is undocumented"),
        ("R2B 0x1, R0", "the state of barriers is undocumented"),
        ("self: CAL self", "calls cannot be recursive"),
    ] {
        let loaded = listing(&format!(".kernel\n.block 64\n.shared 64\n{text}\nEXIT\n"));
        let messages: Vec<&str> = loaded.diags.iter().map(|diag| diag.message.as_str()).collect();
        assert!(
            loaded.shader.is_none() && messages.iter().any(|message| message.contains(said)),
            "{text}: {messages:?}"
        );
    }
    // Pixel programs have no such memory.
    let loaded =
        load("k.spa5", b"LDS R0, [R2]\nEXIT\n", &LoadOptions { isa: Some("spa5".into()), ..LoadOptions::default() });
    assert!(loaded.diags.iter().any(|diag| diag.message.contains("only kernels have global and shared memory")));
}

#[test]
fn directives_that_are_wrong_are_placed() {
    for text in [".block", ".block 1, 2, 3, 4", ".shared", ".local x", ".param 4", ".kernel 3", ".param 0x140"] {
        let loaded = listing(&format!("{text}\nEXIT\n"));
        let diag = loaded.diags.iter().find(|diag| diag.is_error()).unwrap_or_else(|| panic!("{text} is read"));
        assert!(diag.span.is_some() && loaded.shader.is_none(), "{text}");
    }
    let loaded = listing(".kernel\n.param 0x142, 4\nEXIT\n");
    assert!(loaded.diags.iter().any(|diag| diag.message.contains("do not lie in bank 0")), "{:?}", loaded.diags);
    let loaded = listing(".kernel\n.shared 0x7fffffff\nEXIT\n");
    assert!(loaded.diags.iter().any(|diag| diag.message.contains("shared memory")), "{:?}", loaded.diags);
}

fn kernel(name: &str) -> super::cubin::Target {
    let all = kernels(include_str!("programs.txt"));
    all.into_iter().find(|kernel| kernel.name == name).expect("a kernel").targets.remove(0)
}

/// What is outside of a buffer reads as 0 and is not written.
#[test]
fn accesses_outside_change_nothing() {
    let x: Vec<u32> = (1..=20).collect();
    let call = Call::new(
        1,
        32,
        vec![Arg::Buffer(x), Arg::Buffer(vec![9; 30]), Arg::Words(vec![1f32.to_bits()]), Arg::Words(vec![32])],
    );
    let found = run("saxpy", &kernel("saxpy"), &call);
    assert_eq!(found[1].len(), 30);
    assert_eq!(found[1][20..], [f32::from_bits(9).to_bits(); 10]);
}

#[test]
fn calls_that_do_not_fit_are_errors() {
    use parallax::{Dispatch, Engine, Optimise, compile, run_dispatch};
    let target = kernel("saxpy");
    let start = |block: [u32; 3], grid: [u32; 3], state: &[(&str, u32)]| {
        let loaded = lifted("saxpy", &target, &Call { grid, block, args: Vec::new() });
        let shader = loaded.shader.expect("a kernel");
        let model = parallax::Model::builtin(loaded.model).expect("a model");
        let compiled = compile(&shader, &model, Optimise::Yes, Engine::Interp).expect("compiled");
        let state = state.iter().map(|(name, word)| (name.to_string(), vec![*word])).collect();
        let result = run_dispatch(&compiled, &Dispatch { grid, state, ..Dispatch::default() });
        result.map_err(|found| found.diags[0].code)
    };
    assert!(start([32, 1, 1], [1; 3], &[]).is_ok());
    assert_eq!(start([0, 1, 1], [1; 3], &[]), Err("dispatch-workgroup"));
    assert_eq!(start([1025, 1, 1], [1; 3], &[]), Err("dispatch-workgroup"));
    assert_eq!(start([u32::MAX; 3], [1; 3], &[]), Err("dispatch-workgroup"));
    assert_eq!(start([32, 1, 1], [0, 1, 1], &[]), Err("dispatch-grid"));
    assert_eq!(start([32, 1, 1], [u32::MAX; 3], &[]), Err("dispatch-grid"));
    assert_eq!(start([32, 1, 1], [1; 3], &[("param[4]", 1)]), Err("dispatch-constant"));
}

/// A barrier that only some invocations get to.
#[test]
fn divergent_barriers_are_errors() {
    use parallax::{Dispatch, Engine, Optimise, compile, run_dispatch};
    let text = ".kernel\n.block 64\nS2R R0, SR_TID.X\nISETP.LT.U32.AND P0, PT, R0, 0x20, PT\n@P0 BAR.SYNC 0x0\nEXIT\n";
    let shader = listing(text).shader.expect("a kernel");
    let model = parallax::Model::builtin("maxwell").expect("a model");
    let compiled = compile(&shader, &model, Optimise::Yes, Engine::Interp).expect("compiled");
    let found = run_dispatch(&compiled, &Dispatch::default()).expect_err("a barrier is missed");
    assert_eq!(found.diags[0].code, "dispatch-barrier");
}
