//! What a kernel cannot do, and calls that do not fit.

use super::cubin::{Call, kernels, lifted};
use parallax::{Dispatch, Engine, LoadOptions, Loaded, Optimise, compile, load, run_dispatch};

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
        ("self: CAL self", "CAL: the subroutine calls itself"),
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

/// Addresses of variables of a module stand in a bank of their own; nothing else of the bank is refused.
#[test]
fn variables_of_a_module_are_refused() {
    let words = "001f8000fec007f5 4c98078000070004 4c98079000070002 50b0000000070f00\n\
        001f8000ffe007ff e30000000007000f e2400fffff87000f 50b0000000070f00";
    for (bank, refused) in [("bank 4 0000000000000000\n", true), ("", false)] {
        let all = kernels(&format!("kernel k\ntarget sm_50\nparam 0x140 8\n{bank}{words}\n"));
        let loaded = lifted("k", &all[0].targets[0], &Call::new(1, 32, Vec::new()));
        let messages: Vec<&str> = loaded.diags.iter().map(|diag| diag.message.as_str()).collect();
        let is_said = messages.iter().any(|message| message.contains("the address of a variable of the module"));
        assert_eq!((is_said, loaded.shader.is_none()), (refused, refused), "{messages:?}");
    }
}

fn kernel(name: &str) -> super::cubin::Target {
    let all = kernels(include_str!("programs.txt"));
    all.into_iter().find(|kernel| kernel.name == name).expect("a kernel").targets.remove(0)
}

#[test]
fn calls_that_do_not_fit_are_errors() {
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

/// The buffer of parameter 0 after a run of a listing with 32 invocations, and how many ran out of fuel.
fn ran(text: &str, words: Vec<u32>) -> (Vec<u32>, u64) {
    let shader = listing(text).shader.expect("a kernel");
    let model = parallax::Model::builtin("maxwell").expect("a model");
    let dispatch = Dispatch { words: vec![("param[0]".into(), words)], fuel: 100, ..Dispatch::default() };
    let run = |engine| {
        let compiled = compile(&shader, &model, Optimise::Yes, engine).expect("compiled");
        run_dispatch(&compiled, &dispatch).expect("it runs")
    };
    let found = run(Engine::Auto);
    assert!(found == run(Engine::Interp), "engines differ");
    (found.buffers[0].to_vec(), found.out_of_fuel)
}

/// An access begins at a multiple of its size: those between are moved down.
#[test]
fn misaligned_accesses_are_moved_down() {
    let text = ".kernel\n.block 1\n.param 0x140, 8\nMOV R2, c[0x0][0x140]\nMOV R3, c[0x0][0x144]\n\
        LDG.E R4, [R2+0x3]\nLDG.E.64 R6, [R2+0xc]\nLDG.E.U16 R8, [R2+0x5]\nSTG.E [R2+0x16], R4\nSTG.E.64 [R2+0x1c], R6\n\
        STG.E.U16 [R2+0x27], R8\nEXIT\n";
    let (found, _) = ran(text, (0..12).map(|n| 0x0101_0101 * (n + 1)).collect());
    let same = |n: u32| 0x0101_0101 * (n + 1);
    let mut wanted: Vec<u32> = (0..12).map(same).collect();
    // R4 is word 0; R6, R7 are words 2 and 3; R8 is half of word 1.
    (wanted[5], wanted[6], wanted[7], wanted[9]) = (same(0), same(2), same(3), 0x0202_0a0a);
    assert_eq!(found, wanted);
}

/// A loop without end takes its fuel and leaves; what was stored before stays.
#[test]
fn endless_loops_run_out_of_fuel() {
    let text = ".kernel\n.block 3\n.param 0x140, 8\nMOV R2, c[0x0][0x140]\nMOV R3, c[0x0][0x144]\nMOV32I R4, 0x7\n\
        STG.E [R2], R4\nagain: BRA again\nEXIT\n";
    assert_eq!(ran(text, vec![0; 2]), (vec![7, 0], 3));
}

/// A barrier that only some invocations get to.
#[test]
fn divergent_barriers_are_errors() {
    let text = ".kernel\n.block 64\nS2R R0, SR_TID.X\nISETP.LT.U32.AND P0, PT, R0, 0x20, PT\n@P0 BAR.SYNC 0x0\nEXIT\n";
    let shader = listing(text).shader.expect("a kernel");
    let model = parallax::Model::builtin("maxwell").expect("a model");
    let compiled = compile(&shader, &model, Optimise::Yes, Engine::Interp).expect("compiled");
    let found = run_dispatch(&compiled, &Dispatch::default()).expect_err("a barrier is missed");
    assert_eq!(found.diags[0].code, "dispatch-barrier");
}
