//! What drivers make of whole programs: short programs as Mesa 22.3.6's llvmpipe rendered them, four operands each; and contraction.

use parallax::{Engine, LaneCase, LaneValue, LoadOptions, Optimise, compile, load, run_lanes};
use parallax_core::num::{self, Decl, Model, Op, Slot, Storage};

/// Program, then operands and result of the x component.
const RENDERED: &[(&str, [&str; 4])] = &[
    (
        "ADD r, a, {0.0}.x;",
        ["007fffff = 007fffff", "cfa9be56 = cfa9be56", "c0f66822 = c0f66822", "b1c9037b = b1c9037b"],
    ),
    (
        "ADD t, a, b; ADD r, t, {0.3,0.3,0.3,0.3};",
        [
            "c1142738 3e91ae02 = c10accfb",
            "40003459 43ff4542 = 44003609",
            "3fc9b366 bf507c35 = 3f87dbb2",
            "3f454e5e c2a989d0 = c2a7659a",
        ],
    ),
    ("ADD r, a, a;", ["007fffff = 00000000", "3e3d619c = 3ebd619c", "4ea3c42e = 4f23c42e", "4230c6f4 = 42b0c6f4"]),
    (
        "ADD t, a, b; SUB r, t, b;",
        [
            "362cfc9e 42c625f3 = 362cfc9e",
            "3fccc861 3feaed93 = 3fccc861",
            "42a00000 00400000 = 42a00000",
            "be9800f4 43800000 = be9800f4",
        ],
    ),
    (
        "MUL t, a, b; MAD r, a, c, t;",
        [
            "82c2e8bc c305d80c cebc8ec8 = 120f8fa0",
            "3a2f28d1 777fffff 42af0000 = 722f28d0",
            "3c59c1e8 4064a5a3 bf3ade83 = 3d1ac08d",
            "3d420f0a bdd7a960 3e5ccaf4 = 3bab4285",
        ],
    ),
    (
        "LG2 t, a.x; EX2 r, t.x;",
        ["007fffff = 007fffff", "bf9abb88 = bf9abb88", "4416af17 = 4416af17", "3e887786 = 3e887786"],
    ),
    (
        "MUL t, a, b; SUB r, {1.0}.x, a; MAD r, r, c, t;",
        [
            "cc2b2b07 4ae2e296 42450e59 = d797b33a",
            "b2bf114f b2bf1151 42b743a1 = 42b743a1",
            "beb32ea9 b27a44f4 ccbe9066 = cd00a0a0",
            "4ea80ad3 b5fd3dc7 c13fe0ee = 507be76f",
        ],
    ),
    (
        "LG2 t, a.x; MUL t, t, b; EX2 r, t.x;",
        [
            "3d04244f 4c470d18 = 00000000",
            "3d94f82c b7f41511 = 3f800280",
            "43e49aaf 44047024 = 7f800000",
            "40d2b2f1 40d2b2f3 = 486f5e81",
        ],
    ),
    (
        "LRP r, {0.3}.x, a, b;",
        [
            "bf9e1478 bf47ccc8 = bf6ab53a",
            "406b864b 3f5187e4 = 3fd6a68a",
            "00000000 43000000 = 42b33333",
            "43eab399 43eab39a = 43eab39a",
        ],
    ),
    (
        "LRP r, a, b, {1.0}.x;",
        [
            "3e404ec7 cef96a3f = cdbb5c70",
            "4b800000 42060000 = 4e020000",
            "c047ff2a 406a4346 = c0ea0801",
            "35646348 35646348 = 3f7ffff2",
        ],
    ),
    (
        "MAD t, a, b, c; MAD r, t, {0.5}.x, {0.25}.x;",
        [
            "bf947cf7 3f9de161 bfe2b6a6 = bfaceeb0",
            "c1afeddd bfcaac4e 35a2f682 = 418d481a",
            "3f1fb572 3f3f1bfa 3dcde14d = 3f087aff",
            "c033754b 3fe1927c c030e582 = c0669388",
        ],
    ),
    (
        "MAX t, a, {0.0}.x; MIN r, t, {1.0}.x;",
        ["007fffff = 00000000", "3a639b53 = 3a639b53", "c069edf1 = 00000000", "b7ca1197 = 00000000"],
    ),
    (
        "MIN t, a, {1.0}.x; MAX r, t, {0.0}.x;",
        ["007fffff = 00000000", "3f62f8e2 = 3f62f8e2", "b1168951 = 00000000", "36bf84fc = 36bf84fc"],
    ),
    (
        "MUL r, a, {0.0}.x;",
        ["007fffff = 00000000", "cbca73dd = 00000000", "462379ae = 00000000", "4d474b44 = 00000000"],
    ),
    (
        "MUL r, a, {1.0}.x;",
        ["007fffff = 007fffff", "41dbe957 = 41dbe957", "ba078ee2 = ba078ee2", "4b01fd2e = 4b01fd2e"],
    ),
    (
        "MUL r, a, {2.0}.x;",
        ["007fffff = 00000000", "356e4665 = 35ee4665", "44550e86 = 44d50e86", "c6a21167 = c7221167"],
    ),
    (
        "MUL t, a, b; MUL r, t, {0.3,0.3,0.3,0.3};",
        [
            "b4d801fa b7b7daab = 2c3a28b6",
            "be79ad9b c1e26cd4 = 4004800b",
            "bfe6b401 c0591d97 = 3feacb19",
            "bfcc5331 c021bab3 = 3f9ae667",
        ],
    ),
    (
        "MUL t, a, {0.3}.x; MUL r, t, {0.7}.x;",
        ["007fffff = 00000000", "40ed395c = 3fc744aa", "4d20b4ff = 4c06fe70", "c45bc956 = c3389ee2"],
    ),
    (
        "MUL t, a, b; MUL r, b, c; ADD t, t, r; ADD r, t, a;",
        [
            "c00ccab6 c0475f7f 3e1ca97b = 4085a690",
            "c19fc00d 3a8e699a c104229d = c19ffedc",
            "3e080547 c00f65d0 446a8daf = c5036510",
            "4b800000 00800001 402df854 = 4b800000",
        ],
    ),
    (
        "POW r, a.x, {1.0}.x;",
        ["007fffff = 007fffff", "3894ac09 = 3894ac09", "4c385885 = 4c385885", "f7800000 = f7800000"],
    ),
    (
        "POW r, a.x, {2.0}.x;",
        ["007fffff = 00000000", "43ee2bf2 = 485d95be", "4526d1c9 = 4ad96979", "b24fa507 = 25286c4c"],
    ),
    (
        "POW r, a.x, {2.2}.x;",
        ["007fffff = 00000000", "80000001 = 00000000", "31744ed0 = 209863c1", "802a3b44 = 00000000"],
    ),
    (
        "POW r, a.x, {3.0}.x;",
        ["007fffff = 00000000", "80000000 = 00000000", "46b90197 = 55413ee0", "433a4f01 = 4ac55b02"],
    ),
    (
        "POW r, a.x, {4.0}.x;",
        ["007fffff = 00000000", "33d7ce5f = 110147fb", "c00466a4 = 4192885c", "43cd4bf7 = 50d3c1db"],
    ),
    (
        "POW r, a.x, {0.5}.x;",
        ["007fffff = 00000000", "80000001 = 00000000", "33c00482 = 399cc647", "44669144 = 41f2f381"],
    ),
    (
        "RCP t, b.x; MUL r, a, t;",
        [
            "42ed0000 ce4edd47 = b412a595",
            "bdc85bd0 c0261adb = 3d1a6556",
            "c0478f43 406ddc0b = bf56c774",
            "ba78fcf3 cb29416f = 2ebc4c43",
        ],
    ),
    (
        "RCP t, a.x; RCP r, t.x;",
        ["007fffff = 007fffff", "b52a3462 = b52a3462", "4fdf3611 = 4fdf3611", "3ee6f5f5 = 3ee6f5f5"],
    ),
    (
        "RSQ t, a.x; RCP r, t.x;",
        ["007fffff = 00000000", "3cf16f15 = 3e2fcb46", "f5800001 = 5a800000", "f04a6082 = 57e39d65"],
    ),
    (
        "RSQ t, a.x; MUL r, t, a;",
        ["33000000 = 393504f3", "409a1c8a = 400c7343", "b589a7eb = ba84bd7e", "cc320927 = c5d57cf2"],
    ),
    (
        "SGE t, a, b; MUL r, t, c;",
        [
            "40609126 c01bf441 3fa8f61f = 3fa8f61f",
            "c88d325e 4131faf6 40eabc7e = 00000000",
            "b3c343b2 24800001 b1a4860b = 80000000",
            "3f0a100b 3f4bf410 3f3a5b8f = 00000000",
        ],
    ),
    (
        "SIN t, a.x; MUL t, t, {43758.5453}.x; FRC r, t;",
        ["007fffff = 00000000", "40abd2b0 = 3f630000", "3dcf12bb = 3f63c000", "8a716aa7 = 3f800000"],
    ),
    (
        "SLT t, a, {0.0}.x; LRP r, t, b, c;",
        [
            "3ea340e8 3f372268 3f4af8ca = 3f4af8ca",
            "c000fa18 bf392371 bfa57c40 = bf392371",
            "401af042 4031ce62 bfd9faac = bfd9faac",
            "30345ac3 bc939bb8 c240144f = c240144f",
        ],
    ),
    (
        "LRP t, a, b, c; SUB r, t, c;",
        [
            "3fa17373 405a1ef6 3ea88250 = 40788e31",
            "bfd43771 c016ad86 400fc25a = 40f4146a",
            "bff1a589 bfbb64ed c008f4c7 = bfa3559b",
            "3dcb1a83 3e060998 c0bee3a7 = 3f1ac506",
        ],
    ),
    (
        "LRP t, a, b, c; ADD r, t, {0.3}.x;",
        [
            "c0277f5f 3fc27369 3f3fefcc = bf76bffc",
            "4018b28b c0064856 bf1011a3 = c07b44aa",
            "be7bf480 41052263 bf141a82 = c01df782",
            "4073ff3f 407d8915 bf0f3734 = 4187cfa8",
        ],
    ),
    (
        "LRP r, a.x, b.x, c;",
        [
            "3f8f6767 40987cd1 c00597c3 = 40b2e07b",
            "c04f13ea 409a877e bf90b45e = c1a34e20",
            "c0941873 40abea7a 403a5724 = c107a1c4",
            "3fc71bc1 3fcc837c bf8964fa = 40453a48",
        ],
    ),
    (
        "LRP r, a, {1.0}.x, b;",
        [
            "c08b2540 3f493121 = be148520",
            "401808b0 40401f81 = bfe0796c",
            "bf2ae3f5 4012fbce = 404a60e9",
            "40c1b4c7 c00f36c4 = 418ae3c5",
        ],
    ),
    (
        "LRP r, a.x, {0.7}.x, {0.3}.x;",
        ["c02e5209 = bf4a1cd9", "3fc27f1d = 3f6865b0", "3fc69729 = 3f6bac20", "c0368466 = bf573a3b"],
    ),
    (
        "MOV r, a; DP3 t.x, a, b; ADD r.x, t.x, {0.3}.x;",
        [
            "bf4f3618 bfe93157 = 409729ba",
            "4029c5a9 bffd6be4 = c1774b0a",
            "bf5fd759 3fbed0f5 = c067119a",
            "c0aa224c bf700b2b = 4174182a",
        ],
    ),
    (
        "ADD t.x, a.x, b.x; ADD r, t.x, {0.3}.x;",
        [
            "40b2eb8b 40053333 = 40ff1ebe",
            "c07fe311 400cdf5e = bfbfa100",
            "c019b093 3fa61bd2 = bf4dbddb",
            "bed1dc4c bf859aac = bf93ab58",
        ],
    ),
    (
        "MUL t.x, a.x, b.x; MUL r, t.x, {0.3}.x;",
        [
            "c04f3856 bf89c73d = 3f85d482",
            "3fe6938e 405b92e4 = 3fed523d",
            "3eb134ab 4038b175 = 3e996a6f",
            "be25bb4f 40826b92 = be4aa36c",
        ],
    ),
    (
        "MUL t, a, b; SUB t, t, c; ADD r, t, {0.3}.x;",
        [
            "40e95c69 40882797 c0a5a1b7 = 42120499",
            "bf8ac94f 403ce565 401d9598 = c0ab9966",
            "c0579229 c0aae964 c086f235 = 41b40e8b",
            "bfeb60e4 beaaba62 3fd160bc = bf38faf6",
        ],
    ),
    (
        "SUB t, a, b; SUB r, t, {0.3}.x;",
        [
            "3fc16bb0 400ae6d7 = bf7590c8",
            "beaf0e8d 40c4b6ae = c0d94130",
            "bf3f987a bedfb28e = bf1c8c01",
            "3fcadfbc bfb9bd57 = 402f1b56",
        ],
    ),
    (
        "ADD t, a, {0.7}.x; SUB r, {0.3}.x, t;",
        ["4061e3a4 = c07b7d3e", "4089c71a = c09693e7", "c0a1ada4 = 4094e0d7", "4066269c = c07fc036"],
    ),
    (
        "EX2 t, a.x; RSQ r, t.x;",
        ["3f72fb4d = 3f383cec", "3ff2922d = 3f04bd64", "bf564f88 = 3fab15f3", "407913fb = 3e84e396"],
    ),
    (
        "EX2 t, a.x; RCP r, t.x;",
        ["3fb1be38 = 3ec38c69", "bfd6baa2 = 404cba96", "c0b61f78 = 424eb13f", "3f743230 = 3f042833"],
    ),
    (
        "POW t, a.x, b.x; LG2 r, t.x;",
        [
            "3f05c22c 4026f368 = c01c5a07",
            "3f676e7a 3fea13b9 = be884993",
            "40671a70 3f08b83b = 3f7d4236",
            "40cbd391 3f6c538f = 401dd191",
        ],
    ),
    (
        "RCP t, a.x; LG2 r, t.x;",
        ["40b1e0f2 = c01e624d", "3f8123f4 = bc51aac1", "3fa2d8fb = beb1db96", "3fc6ac5f = bf225e7e"],
    ),
    ("SUB r, a, a;", ["007fffff = 00000000", "42480000 = 00000000", "b6954b61 = 00000000", "48ceec97 = 00000000"]),
];

/// The x components of `r` under a model, for four lanes of operands.
fn run(body: &str, cases: &[Vec<u32>; 4], model: &str) -> Vec<String> {
    let count = cases[0].len();
    let inputs: String = ["a", "b", "c"][..count]
        .iter()
        .enumerate()
        .map(|(n, name)| format!("ATTRIB {name} = fragment.texcoord[{n}];\n"))
        .collect();
    let text = format!("!!ARBfp1.0\nTEMP r, t;\n{inputs}{body}\nMOV result.color, r;\nEND\n");
    let register = |n: usize| format!("fragment.texcoord[{n}]");
    let mut options = LoadOptions::default();
    options.lift.preset = (0..count).map(register).collect();
    options.lift.watch = vec!["r".to_string()];
    let loaded = load("t", text.as_bytes(), &options);
    let shader = loaded.shader.unwrap_or_else(|| panic!("{body}: {:?}", loaded.diags));
    let lanes = std::array::from_fn(|lane| {
        let words = cases[lane].iter().enumerate();
        words.map(|(n, &word)| (register(n), vec![word; 4])).collect()
    });
    let case = LaneCase { lanes, ..LaneCase::default() };
    let compiled = compile(&shader, &Model::parse(model).expect("a model"), Optimise::Yes, Engine::Interp)
        .expect("a valid shader");
    let results = run_lanes(&compiled, &case).expect("it runs");
    results
        .iter()
        .map(|lane| lane.register("r").expect("r")[0].as_ref().map(LaneValue::text).unwrap_or_default())
        .collect()
}

#[test]
fn llvmpipe_computes_programs_as_its_driver_rewrites_them() {
    let mut as_written = 0;
    for (body, rows) in RENDERED {
        let split = rows.map(|row| row.split_once(" = ").expect(row));
        let cases: [Vec<u32>; 4] =
            split.map(|(left, _)| left.split(' ').map(|w| u32::from_str_radix(w, 16).expect(left)).collect());
        let want: Vec<&str> = split.iter().map(|(_, right)| *right).collect();
        assert_eq!(run(body, &cases, "llvmpipe"), want, "{body}");
        as_written += usize::from(run(body, &cases, "llvmpipe[driver=none]") != want);
    }
    // Where the driver changes nothing that shows, and where it does.
    assert!(RENDERED.len() > 25 && as_written >= 10, "{as_written} of {}", RENDERED.len());
}

/// Programs of a, b and c with `t = a * b`; what is fused by `contract`, `contract-variables` and `contract-once`: the factors, which
/// of product and addend are negated, and the addend.
const CONTRACTED: &[(&str, [bool; 3], [bool; 2])] = &[
    ("MUL t, a, b; ADD r, t, c;", [true; 3], [false, false]),
    ("MUL t, a, b; ADD r, c, t;", [true; 3], [false, false]),
    ("MUL t, a, b; SUB r, t, c;", [true; 3], [false, true]),
    ("MUL t, a, b; SUB r, c, t;", [true; 3], [true, false]),
    ("MUL t, a, b; ADD r, -t, c;", [true; 3], [true, false]),
    // Two sums read the product.
    ("MUL t, a, b; ADD r.x, t, c; ADD r.y, t.x, a;", [true, true, false], [false, false]),
    // Something else does.
    ("MUL t, a, b; ADD r.x, t, c; MOV r.y, t.x;", [false; 3], [false, false]),
    ("MUL t, a, b; MAX t, t, t; ADD r, t, c;", [false; 3], [false, false]),
];

#[test]
fn drivers_contract_sums_with_products() {
    let ieee = Model::parse("ieee").expect("a model");
    let eval = |op: Op, args: &[u32]| {
        let rule = ieee.rule(op, &Slot::plain(Decl::F32), ieee.storage(Decl::F32)).0;
        let args: Vec<u64> = args.iter().map(|&word| u64::from(word)).collect();
        num::eval(op, &rule, &args) as u32
    };
    // The products need more digits than the format has.
    let cases: [Vec<u32>; 4] = [
        vec![0x3f80_0001, 0x3f80_0003, 0xbf80_0000],
        vec![0x3eaa_aaab, 0x4040_0001, 0xbf80_0000],
        vec![0x4049_0fdb, 0x402d_f854, 0xc108_a2c1],
        vec![0x3dcc_cccd, 0x3dcc_cccd, 0xbc23_d70a],
    ];
    let mut fused_differently = 0;
    for (body, fused, [negates_product, negates_addend]) in CONTRACTED {
        for (driver, is_fused) in ["contract", "contract-variables", "contract-once"].into_iter().zip(fused) {
            let want: Vec<String> = cases
                .iter()
                .map(|case| {
                    let sign = |word: u32, negated: &bool| word ^ u32::from(*negated) << 31;
                    let (a, b, c) = (sign(case[0], negates_product), case[1], sign(case[2], negates_addend));
                    let apart = eval(Op::Add, &[eval(Op::Mul, &[a, b]), c]);
                    let once = eval(Op::Fma, &[a, b, c]);
                    fused_differently += usize::from(apart != once);
                    format!("{:08x}", if *is_fused { once } else { apart })
                })
                .collect();
            assert_eq!(run(body, &cases, &format!("ieee[mad=fused,driver={driver}]")), want, "{body} with {driver}");
        }
    }
    assert!(fused_differently > 60, "{fused_differently}");
    // Intel's driver leaves a product and a sum apart that each read a literal nothing else reads.
    let body = "MUL t.x, a, {0.3}.x; ADD r.x, t, {-0.1}.x;";
    let results =
        ["contract", "contract-variables", "none"].map(|d| run(body, &cases, &format!("ieee[mad=fused,driver={d}]")));
    assert!(results[0] != results[1] && results[1] == results[2], "{results:?}");
    // A product that is clamped is no factor of a sum.
    let fixed = "MUL_SAT t, a, b; ADD r, t, c;";
    assert_eq!(run(fixed, &cases, "ieee[mad=fused,driver=contract]"), run(fixed, &cases, "ieee"));
}

/// Who makes one operation of a product and a sum, by the option tables and passes of Mesa's drivers and by SwiftShader's source.
/// Where a multiply-add rounds twice, it makes no difference.
const CONTRACTING: &[(&str, bool)] = &[
    ("adreno", true),
    ("mali-bifrost", true),
    ("apple-agx", true),
    ("rogue", true),
    ("amd-rdna", true),
    ("intel-gen9", true),
    ("intel-alt", true),
    ("g80", true),
    ("fermi", true),
    ("maxwell", true),
    ("pascal", true),
    ("volta", true),
    ("amd-gcn", false),
    ("amd-terascale", false),
    ("ati-r300", false),
    ("ati-r500", false),
    ("mali-midgard", false),
    ("mali-utgard", false),
    ("v3d", false),
    ("vc4", false),
    ("swiftshader", false),
    ("llvmpipe", false),
    ("ieee", false),
    ("tgsi", false),
];

#[test]
fn models_contract_as_their_drivers_do() {
    let cases: [Vec<u32>; 4] = [
        vec![0x3f80_0001, 0x3f80_0003, 0xbf80_0000],
        vec![0x3eaa_aaab, 0x4040_0001, 0xbf80_0000],
        vec![0x4049_0fdb, 0x402d_f854, 0xc108_a2c1],
        vec![0x3dcc_cccd, 0x3dcc_cccd, 0xbc23_d70a],
    ];
    let body = "MUL t, a, b; ADD r, t, c;";
    for &(name, contracts) in CONTRACTING {
        let model = Model::parse(name).expect("a model");
        let eval = |op: Op, args: &[u64]| {
            num::eval(op, &model.rule(op, &Slot::plain(Decl::F32), model.storage(Decl::F32)).0, args)
        };
        let split = |fused: bool| -> Vec<String> {
            let word = |case: &Vec<u32>| {
                // Reading an attribute converts it where the model has narrower numbers.
                let read = model.reading(&Slot::plain(Decl::F32), Storage::F32).0;
                let [a, b, c] = [0, 1, 2].map(|n| num::eval(Op::Cvt, &read, &[u64::from(case[n])]));
                if fused { eval(Op::Mad, &[a, b, c]) } else { eval(Op::Add, &[eval(Op::Mul, &[a, b]), c]) }
            };
            cases.iter().map(|case| format!("{:08x}", word(case))).collect()
        };
        let (fused, apart) = (split(true), split(false));
        // Half registers show a word of half the width, after a conversion.
        if name == "mali-utgard" {
            assert_eq!(run(body, &cases, name), run(body, &cases, "mali-utgard[driver=none]"));
            continue;
        }
        assert_eq!(run(body, &cases, name), if contracts { fused.clone() } else { apart.clone() }, "{name}");
        assert_eq!(run(body, &cases, &format!("{name}[driver=none]")), apart, "{name} without its driver");
        assert!(!contracts || fused != apart, "{name}: the operands show nothing");
    }
}

#[test]
fn the_listing_has_the_program_before_and_after_with_reasons() {
    let text = "!!ARBfp1.0\nTEMP t, u;\nATTRIB a = fragment.texcoord[0];\nATTRIB b = fragment.texcoord[1];\n\
                MUL t, a, b;\nADD t, t, a.x;\nPOW u.x, t.x, b.x;\nMOV t.x, u.x;\nMOV result.color, t;\nEND\n";
    let shader = load("t", text.as_bytes(), &LoadOptions::default()).shader.expect("a program");
    let model = |name: &str| Model::parse(name).expect("a model");
    let listing = parallax::text_with_reasons(&shader, &model("adreno"));
    let (before, after) = listing.split_once("; after:").expect("two texts");
    let count = |text: &str, what: &str| text.lines().filter(|line| line.contains(what)).count();
    assert_eq!((count(before, "= mul "), count(before, "= add "), count(before, "= mad ")), (4, 4, 0), "{before}");
    assert_eq!((count(before, "; removed"), count(before, "; becomes mad")), (4, 4), "{before}");
    assert_eq!((count(after, "= mul "), count(after, "= add "), count(after, "= mad ")), (0, 0, 4), "{after}");
    assert_eq!(count(after, "; was add: driver=contract, Mesa"), 4, "{after}");
    assert_eq!(count(after, "; becomes exp2(b*log2(a)): pow=exp2(b*log2(a)), format, Mesa"), 1, "{after}");
    // A value that stays has its name in both.
    let line = |text: &str| {
        text.lines().find(|line| line.contains("= pow ")).map(|line| line.split(';').next().unwrap_or("").to_string())
    };
    assert_eq!(line(before).map(|l| l.trim_end().to_string()), line(after).map(|l| l.trim_end().to_string()));
    let quiet = parallax::text_with_reasons(&shader, &model("adreno[driver=none,pow=c]"));
    assert!(!quiet.contains("becomes") && !quiet.contains("was "), "{quiet}");
}
