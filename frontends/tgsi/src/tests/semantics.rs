//! What programs compute that need more than one opcode, or inputs that differ between lanes. Single opcodes are filetests.

use super::*;

fn one_with(declarations: &str, body: &str, ins: &[Vec4]) -> Vec4 {
    let inputs = ins.iter().map(|&v| [v; 4]).collect();
    let answer = run(&around(declarations, body), &Case { inputs, ..Case::default() });
    assert!(answer.outs[0].iter().all(|lane| *lane == answer.outs[0][0]), "{body}");
    answer.outs[0][0]
}

/// Four lanes, each with its own x.
fn lanes(xs: [u32; 4]) -> [Vec4; 4] {
    xs.map(|x| [x, 0, 0, 0])
}

#[test]
fn derivatives_and_discards() {
    let quad = lanes([f(1.0), f(2.0), f(4.0), f(8.0)]);
    let x = |body: &str| {
        let answer = run(&around("", body), &Case { inputs: vec![quad], ..Case::default() });
        answer.outs[0].map(|v| f32::from_bits(v[0]))
    };
    assert_eq!(x("DDX OUT[0], IN[0]"), [4.0; 4]);
    assert_eq!(x("DDY OUT[0], IN[0]"), [3.0; 4]);
    assert_eq!(x("DDX_FINE OUT[0], IN[0]"), [1.0, 1.0, 4.0, 4.0]);
    assert_eq!(x("DDY_FINE OUT[0], IN[0]"), [3.0, 6.0, 3.0, 6.0]);
    let alive = |body: &str, ins: [Vec4; 4]| run(&around("", body), &Case { inputs: vec![ins], ..Case::default() });
    let minus = lanes([f(-1.0), NEG_ZERO, NAN, NEG_INF]);
    let answer = alive("KILL_IF IN[0]\nMOV OUT[0], IN[0]", minus);
    assert_eq!(answer.alive, [false, true, true, false]);
    assert_eq!(answer.outs[0], minus, "execution continues in killed lanes");
    assert_eq!(alive("KILL_IF -|IN[0].yyyy|", lanes([1; 4])).alive, [true; 4]);
    assert_eq!(alive("KILL", minus).alive, [false; 4]);
    assert_eq!(alive("UIF IN[0]\nDEMOTE\nENDIF", lanes([0, 1, 0, 0])).alive, [true, false, true, true]);
}

#[test]
fn lanes_of_the_quad() {
    let x = |body: &str, xs: [u32; 4]| {
        let case = Case { inputs: vec![lanes(xs), [[3; 4]; 4]], ..Case::default() };
        run(&around("", body), &case).outs[0].map(|v| v[0])
    };
    assert_eq!(x("VOTE_ANY OUT[0].x, IN[0]", [0, 0, 5, 0]), [ALL; 4]);
    assert_eq!(x("VOTE_ALL OUT[0].x, IN[0]", [1, 0, 5, 1]), [0; 4]);
    assert_eq!(x("VOTE_EQ OUT[0].x, IN[0]", [7, 7, 7, 7]), [ALL; 4]);
    assert_eq!(x("VOTE_EQ OUT[0].x, IN[0]", [7, 7, 8, 7]), [0; 4]);
    assert_eq!(x("BALLOT OUT[0].xy, IN[0]", [1, 0, 9, 0]), [5; 4]);
    // Only running lanes count.
    let inside = "UIF IN[0]\nBALLOT OUT[0].x, IN[0]\nENDIF";
    assert_eq!(x(inside, [0, 1, 1, 0]), [0, 6, 6, 0]);
    let inside = "UIF IN[0]\nREAD_FIRST OUT[0], IN[0]\nENDIF";
    assert_eq!(x(inside, [0, 11, 12, 0]), [0, 11, 11, 0]);
    assert_eq!(x("READ_INVOC OUT[0], IN[0], IN[1]", [10, 11, 12, 13]), [13; 4]);
}

#[test]
fn lookups_ask_what_the_text_says() {
    let views = "DCL SAMP[0..3]\nDCL SVIEW[2], 2D, FLOAT\nIMM[0] INT32 {1, -2, 3, 7}";
    let ask = |body: &str| one_with(views, body, &[fs([8.0, 4.0, 2.0, 2.0]), fs([0.0, 32.0, 0.0, 0.0]), [5, 6, 7, 0]]);
    let (s, t, q) = (f(8.0), f(4.0), f(2.0));
    assert_eq!(ask("TEX OUT[0], IN[0], SAMP[3], 2D"), [s, t, q, 3 << 16]);
    assert_eq!(ask("TXP OUT[0], IN[0], SAMP[3], RECT")[3], 3 << 16 | 1 << 12);
    assert_eq!(ask("TXB OUT[0], IN[0], SAMP[0], 1D"), [s, t, q, 0]);
    assert_eq!(ask("TXL OUT[0].xyzw, IN[0], SAMP[0], 2D, IMM[0].xyz")[3], 0x1E3);
    assert_eq!(ask("TEX_LZ OUT[0], IN[0], SAMP[0], 2D"), [s, t, 0, 0]);
    assert_eq!(ask("TXD OUT[0], IN[0], IN[2], IN[1], SAMP[0], 2D"), [s, t ^ f(32.0), q, 0]);
    assert_eq!(ask("TXF OUT[0], IN[2], SAMP[0], 2D"), [5, 6, 0, 0]);
    assert_eq!(ask("TXF_LZ OUT[0], IN[2].xyzz, SAMP[0], 2D"), [5, 6, 0, 0]);
    assert_eq!(ask("SAMPLE OUT[0], IN[0], SVIEW[2].wxyz, SAMP[2]"), [2 << 16, s, t, q]);
    assert_eq!(ask("SAMPLE_L OUT[0], IN[0], SVIEW[2], SAMP[2], IN[1].yyyy"), [s, t, f(32.0), 2 << 16]);
    assert_eq!(ask("SAMPLE_B OUT[0].z, IN[0], SVIEW[2], SAMP[2], IN[1].yyyy"), [0, 0, f(32.0), 0]);
    assert_eq!(ask("SAMPLE_D OUT[0], IN[0], SVIEW[2], SAMP[2], IN[2], IN[1]")[1], t ^ f(32.0));
    assert_eq!(ask("SAMPLE_I OUT[0], IN[2], SVIEW[2]"), [5, 6, 0, 2 << 16]);
    assert_eq!(ask("TEX_SAT OUT[0], IN[0], SAMP[0], 2D")[..2], [ONE, ONE]);
}

#[test]
fn gathers_and_queries_ask_what_the_text_says() {
    let views = "DCL SAMP[0..3]\nDCL SVIEW[1], 2D_MSAA, FLOAT\nDCL SVIEW[2], 2D, FLOAT\nDCL SVIEW[3], BUFFER, UINT\n\
                 IMM[0] INT32 {1, -2, 3, 7}\nIMM[1] INT32 {4, 5, 6, 100000}";
    let ask = |body: &str| {
        one_with(views, body, &[fs([8.0, 4.0, 2.0, 16.0]), fs([0.0, 32.0, 0.0, 0.0]), [5, 6, 7, 0], [1, 2, 3, 2]])
    };
    let (s, t, r, q) = (f(8.0), f(4.0), f(2.0), f(16.0));
    let [red, green, alpha, detail] = [5, 6, 8, 9].map(|mode| mode << 24);
    assert_eq!(ask("TG4 OUT[0], IN[0], IMM[0].zzzz, SAMP[3], 2D"), [s, t, q, alpha | 3 << 16]);
    assert_eq!(ask("TG4 OUT[0], IN[0], IN[2].xxxx, SAMP[0], 2D"), [s, t, q, green]);
    assert_eq!(ask("TG4 OUT[0], IN[0], IMM[0].xxxx, SAMP[0], 2D_ARRAY, IMM[0].xyz"), [s ^ r, t, q, green | 0x1E3]);
    assert_eq!(ask("TG4 OUT[0], IN[0], IMM[0].xxxx, SAMP[0], SHADOW2D"), [s, t, q ^ r, red]);
    assert_eq!(ask("TG4 OUT[0], IN[0], IN[1].yyyy, SAMP[0], SHADOWCUBEARRAY"), [s ^ q, t, q ^ f(32.0), red]);
    let four = "TG4 OUT[0], IN[0], IMM[0].xxxx, SAMP[0], 2D, IMM[0].xxx, IMM[1].xyz, IN[2].xyz, IMM[0].zxz";
    assert_eq!(ask(four), [green | 0x111, green | 0x456, green, green | 0x313]);
    assert_eq!(ask("GATHER4 OUT[0], IN[0], SVIEW[2].wxyz, SAMP[2]"), [red | 2 << 16, s, t, q]);
    assert_eq!(ask("LODQ OUT[0], IN[0], SAMP[0], 2D"), [s, t, 0, 0]);
    assert_eq!(ask("LOD OUT[0], IN[0], SVIEW[2].wwww, SAMP[2]"), [s, t, 0, 0]);
    assert_eq!(ask("TG4 OUT[0], IN[0], IMM[0].xxxx, SAMP[0], RECT")[3] | detail, green | detail);
    // Offsets that are values, or too large.
    assert_eq!(ask("TEX OUT[0], IN[0], SAMP[0], 2D, IN[2].xyz"), [s, t ^ f(6.0), q, 0]);
    assert_eq!(ask("TEX OUT[0], IN[0], SAMP[0], 2D, IMM[1].xwz"), [s, t ^ f(100_000.0), q, 0]);
    assert_eq!(ask("TXF OUT[0], IN[2], SAMP[0], 2D, IN[3].xyz"), [6, 8, 0, 0]);
    // Several samples.
    assert_eq!(ask("TXF OUT[0], IN[3], SAMP[0], 2D_MSAA"), [1, 2, 2, 0]);
    assert_eq!(ask("TXF_LZ OUT[0], IN[3], SAMP[0], 2D_ARRAY_MSAA"), [1 ^ 3, 2, 2, 0]);
    assert_eq!(ask("SAMPLE_I_MS OUT[0], IN[2], SVIEW[1].xyzw, IN[3].yyyy"), [5, 6, 2, 1 << 16]);
    // Units that registers name, and buffers of texels.
    let unit = "UARL ADDR[0].x, IN[3].yyyy\n";
    assert_eq!(ask(&format!("{unit}TEX OUT[0], IN[0], SAMP[ADDR[0].x+1], 2D"))[3], 3 << 16);
    assert_eq!(ask(&format!("{unit}TXQ OUT[0].x, IN[2].wwww, SAMP[ADDR[0].x-1], 2D"))[0], 1000);
    assert_eq!(ask("SVIEWINFO OUT[0], IN[2].wwww, SVIEW[3]"), [4, 0, 0, 1]);
    let texels = vec![("SVIEW[3]", vec![10, 11, 12, 13])];
    let body = "TXF OUT[0], IN[0], SAMP[3], BUFFER, IMM[0].xxx\nSAMPLE_I OUT[0].y, IN[0], SVIEW[3].wxyz";
    let case = Case { inputs: vec![lanes([0, 1, 2, 3])], buffers: texels, ..Case::default() };
    let found = run(&around(views, body), &case).outs[0].map(|out| [out[0], out[1], out[3]]);
    assert_eq!(found, [[11, 10, 1], [12, 11, 1], [13, 12, 1], [0, 13, 0]]);
    // Vertices are no neighbours.
    let vertex = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL SAMP[0]\nTEX OUT[0], IN[0], SAMP[0], 2D\nEND";
    let case = Case { inputs: vec![[fs([8.0, 4.0, 2.0, 16.0]); 4]], ..Case::default() };
    assert_eq!(run(vertex, &case).outs[0][0], [s, t, 0, 0]);
    let bias = vertex.replace("TEX OUT", "TXB OUT");
    assert_eq!(run(&bias, &case).outs[0][0], [s, t, q, 0]);
    let projected = vertex.replace("TEX OUT", "TXP OUT");
    assert_eq!(run(&projected, &case).outs[0][0], [f(0.5), f(0.25), 0, 0]);
}

#[test]
fn registers_addressed_by_registers() {
    let consts: Vec<Vec4> = (0..8).map(|n| [n * 10, n * 10 + 1, n * 10 + 2, n * 10 + 3]).collect();
    let other: Vec<Vec4> = (0..2).map(|n| [1000 + n; 4]).collect();
    let declared = "DCL CONST[0][0..7]\nDCL CONST[1][0..1]\nDCL TEMP[8..11], ARRAY(1)\nDCL ADDR[1]";
    let load = "UARL ADDR[0].x, IN[0].xxxx\nUARL ADDR[1].y, IN[1].xxxx\n";
    let x = |body: &str, a: [u32; 4], b: [u32; 4]| {
        let case = Case {
            inputs: vec![lanes(a), lanes(b), [[70; 4]; 4], [[71; 4]; 4]],
            banks: vec![consts.clone(), other.clone()],
            ..Case::default()
        };
        run(&around(declared, &format!("{load}{body}")), &case).outs[0].map(|v| v[0])
    };
    let zero = [0; 4];
    // Each lane has its own address; outside reads zero, before and behind.
    assert_eq!(x("MOV OUT[0], CONST[ADDR[0].x+1]", [0, 6, 7, ALL - 1], zero), [10, 70, 0, 0]);
    assert_eq!(x("MOV OUT[0], CONST[0][ADDR[0].x-1].yyyy", [1, 2, 0, 8], zero), [1, 11, 0, 71]);
    assert_eq!(x("MOV OUT[0], CONST[ADDR[0].x][ADDR[1].y]", [0, 1, 1, 2], [3, 0, 1, 0]), [30, 1000, 1001, 0]);
    assert_eq!(x("MOV OUT[0], IN[ADDR[0].x+2]", [0, 1, 2, ALL - 1], zero), [70, 71, 0, ALL - 1]);
    let fill = "MOV TEMP[8], CONST[1]\nMOV TEMP[9], CONST[2]\nMOV TEMP[10], CONST[3]\nMOV TEMP[11], CONST[4]\n";
    let temp = |body: &str, a: [u32; 4], b: [u32; 4]| x(&format!("{fill}{body}"), a, b);
    assert_eq!(temp("MOV OUT[0], TEMP[ADDR[0].x+8](1)", [0, 3, 4, ALL], zero), [10, 40, 0, 0]);
    // A destination is addressed per lane as well, and only running lanes write.
    let store = "UIF IN[1]\nMOV TEMP[ADDR[0].x+8](1), CONST[7]\nENDIF\nMOV OUT[0], TEMP[9]";
    assert_eq!(temp(store, [0, 1, 1, 5], [1, 1, 0, 1]), [20, 70, 20, 20]);
    // The source of an index may be the register that is written.
    let own = "MOV TEMP[0].x, IN[0].xxxx\nMOV TEMP[TEMP[0].x], IN[2]\nMOV OUT[0], TEMP[2]";
    assert_eq!(x(own, [2, 1, 2, 0], zero), [70, 0, 70, 0]);
    let out = "UADD OUT[ADDR[0].x].x, IN[2], IN[0]\nNOP";
    assert_eq!(x(out, zero, zero), [70; 4]);
}

#[test]
fn integers_survive_registers_addressed_by_registers() {
    let body = "UARL ADDR[0].x, IN[0].xxxx\nMOV TEMP[ADDR[0].x], IN[1]\nUADD TEMP[1], TEMP[ADDR[0].x], IN[1]\n\
                MOV OUT[0], TEMP[1]";
    let (program, _) = parse(&around("", body));
    let shader = lift(&program.unwrap(), &Options::default()).unwrap();
    assert!(shader.func.arrays.values().any(|a| a.ty == parallax_core::Type::I32));
    let body = "UARL ADDR[0].x, IN[0].xxxx\nADD TEMP[ADDR[0].x], IN[1], IN[1]\nMUL OUT[0], TEMP[ADDR[0].x], IN[1]";
    let (program, _) = parse(&around("", body));
    let shader = lift(&program.unwrap(), &Options::default()).unwrap();
    assert!(shader.func.arrays.values().all(|a| a.ty == parallax_core::Type::F32));
}

#[test]
fn the_interface_follows_the_declarations() {
    use parallax_core::{AttrSemantic::*, Interp, Location, OutputRole};
    let text = "FRAG\nPROPERTY FS_COORD_PIXEL_CENTER INTEGER\nDCL IN[0], POSITION, LINEAR\nDCL IN[1], COLOR, COLOR\n\
                DCL IN[2..3], TEXCOORD[4], PERSPECTIVE, CENTROID\nDCL IN[4], FACE, CONSTANT\nDCL IN[5], FOG, LINEAR, SAMPLE\n\
                DCL SV[0], FACE\nDCL SV[1], SAMPLEPOS\nDCL OUT[0], COLOR\nDCL OUT[1], POSITION\nDCL OUT[2], STENCIL\n\
                DCL OUT[3], SAMPLEMASK\nDCL SAMP[4]\nDCL CONST[2][0..5]\n\
                MOV OUT[0].xy, IN[0]\nMOV OUT[1].z, IN[1]\nUADD OUT[2].y, SV[0].xxxx, SV[0].wwww\nMOV OUT[3].x, IN[2]\n\
                TEX OUT[0].zw, IN[3], SAMP[4], RECT\nEND\n";
    let shader = lift(&parse(text).0.unwrap(), &Options::default()).unwrap();
    let iface = &shader.func.iface;
    let attrs: Vec<_> = iface.attrs.iter().map(|a| (a.name.as_str(), a.semantic, a.interp, a.location)).collect();
    assert_eq!(
        attrs,
        [
            ("IN[0]", Position, Interp::Linear, Location::Center),
            ("IN[1]", Color(0), Interp::Color, Location::Center),
            ("IN[2]", TexCoord(4), Interp::Perspective, Location::Centroid),
            ("IN[3]", TexCoord(5), Interp::Perspective, Location::Centroid),
            ("IN[4]", Face, Interp::Flat, Location::Center),
            ("IN[5]", Fog, Interp::Linear, Location::Sample),
        ]
    );
    let outs: Vec<_> = iface.outputs.iter().map(|o| (o.role, o.types.map(|t| t.map(|t| t.name())))).collect();
    let float = Some("fp32");
    assert_eq!(
        outs,
        [
            (OutputRole::Color(0), [float; 4]),
            (OutputRole::Depth, [None, None, float, None]),
            (OutputRole::Stencil, [None, Some("i32"), None, None]),
            (OutputRole::SampleMask, [Some("i32"), None, None, None]),
        ]
    );
    assert_eq!(
        iface.banks.iter().map(|b| (b.name.as_str(), b.len)).collect::<Vec<_>>(),
        [("CONST[0]", 0), ("CONST[1]", 0), ("CONST[2]", 6)]
    );
    assert_eq!((iface.textures[0].unit, iface.textures[0].target), (4, parallax_core::TexTarget::Rect));
    let answer = run(text, &Case { inputs: vec![[[f(3.5), f(7.5), 0, 0]; 4]], ..Case::default() });
    assert_eq!(answer.outs[0][0][..2], [f(3.0), f(7.0)]);
    assert_eq!(answer.outs[2].map(|v| v[1]), [1, 0, 1, 1], "the sum of facing (all ones in lane 1) and 1");
}

#[test]
fn vertex_programs_run() {
    let text = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[3]\nDCL CONST[0..3]\nDCL SV[0], VERTEXID\n\
                DP4 OUT[0].x, IN[0], CONST[0]\nMOV OUT[0].yzw, IN[0]\nMOV OUT[1], SV[0].xxxx\nEND";
    let banks = vec![vec![fs([1.0, 2.0, 3.0, 4.0])]];
    let answer = run(text, &Case { inputs: vec![[fs([1.0; 4]); 4]], banks, ..Case::default() });
    assert_eq!(answer.outs[0][2], fs([10.0, 1.0, 1.0, 1.0]));
    assert_eq!(answer.outs[1][2], [0; 4]);
}

#[test]
fn registers_are_preset_and_watched_by_name() {
    let body = "UADD TEMP[1], TEMP[0], TEMP[0]\nADD TEMP[2].x, IN[0], IN[0]\nMOV OUT[0], SV[0]";
    let case = Case {
        inputs: vec![[fs([1.5; 4]); 4]],
        watch: &["TEMP[1]", "TEMP[2]", "CONST[1][0]", "CONST[1]", "SV[0]", "ADDR[0]", "IN[0]"],
        preset: &[("TEMP[0]", [1, 2, 3, 4]), ("SV[0]", [9, 8, 7, 6]), ("ADDR[0]", [5; 4])],
        banks: vec![vec![[0; 4], [20; 4]], vec![[30; 4]]],
        ..Case::default()
    };
    let text = around("DCL SV[0], FACE\nDCL CONST[0..1]\nDCL CONST[1][0]", body);
    let answer = run(&text, &case);
    let lane: Vec<Vec4> = answer.outs.iter().map(|o| o[0]).collect();
    assert_eq!(
        lane,
        [[9, 8, 7, 6], [2, 4, 6, 8], [f(3.0), 0, 0, 0], [30; 4], [20; 4], [9, 8, 7, 6], [5; 4], fs([1.5; 4])]
    );
    let program = parse(&text).0.unwrap();
    let refuse = |options: Options| lift(&program, &options).unwrap_err()[0].code;
    assert_eq!(refuse(Options { watch: vec!["TEMP[8]".into()], ..Options::default() }), "option-watch");
    assert_eq!(refuse(Options { preset: vec!["R0".into()], ..Options::default() }), "option-preset");
    let settings = [("mul-zero-wins".to_string(), "no".to_string())].into();
    assert_eq!(refuse(Options { settings, ..Options::default() }), "option-value");
}

#[test]
fn zero_wins_where_the_program_asks_for_it() {
    let body = "MUL OUT[0], IN[0], IN[1]\n";
    let ins = vec![[[0, INF, 0, ONE]; 4], [[INF, 0, NAN, ONE]; 4]];
    for name in ["MUL_ZERO_WINS", "LEGACY_MATH_RULES"] {
        let text = around(&format!("PROPERTY {name} 1"), body);
        let answer = run(&text, &Case { inputs: ins.clone(), ..Case::default() });
        assert_eq!(answer.outs[0][0], [0, 0, 0, ONE]);
    }
    let plain = run(&around("", body), &Case { inputs: ins, ..Case::default() });
    assert!(plain.outs[0][0][..3].iter().all(|w| f32::from_bits(*w).is_nan()));
}

#[test]
fn every_instruction_is_a_source_with_its_place() {
    let text = "FRAG\nDCL IN[0], COLOR\nDCL OUT[0], COLOR\nDCL TEMP[0]\n 7: add temp[0] , in[0],-in[0] MUL OUT[0], TEMP[0], TEMP[0]\nEND";
    let shader = lift(&parse(text).0.unwrap(), &Options::default()).unwrap();
    let sources: Vec<_> = shader.func.sources.iter().map(|(_, s)| (s.line, s.offset, s.text)).collect();
    assert_eq!(
        sources,
        [
            (5, text.find("add").unwrap() as u32, "ADD TEMP[0], IN[0], -IN[0]"),
            (5, text.find("MUL").unwrap() as u32, "MUL OUT[0], TEMP[0], TEMP[0]"),
        ]
    );
}
