//! Vertex programs of NV_vertex_program to NV_vertex_program3: what is read, what is refused, what they compute.

use parallax_core::exec::{FUEL, Inputs, NoInterpolator, Outputs, TexQuad, Textures};
use parallax_core::{OutputRole, Stage, TexMode, TexOp, verify};
use parallax_interp::Bytecode;
use parallax_lift::Options;
use parallax_num::Model;
use parallax_nvfp::{lift, nv40vp, parse, print};
use std::collections::BTreeMap;

/// A texture whose texels say where, and at which level, they were looked up: the level stands where q would.
struct Place;

impl Textures for Place {
    fn sample(&self, op: &TexOp, quad: &TexQuad) -> [[u32; 4]; 4] {
        assert_eq!(op.mode, TexMode::Level, "vertices have no neighbours");
        quad.coords
    }
}

/// What a vertex program gives for attributes, by the number of each, constants `c[n] = (n, n + 0.25, n + 0.5, n + 0.75)`.
fn run_tree(
    program: &parallax_nvfp::Program,
    text: &str,
    attrs: &[(usize, [f32; 4])],
    model: &str,
) -> BTreeMap<String, [f32; 4]> {
    let shader = lift(program, text, &Options::default()).unwrap_or_else(|diags| panic!("{text}\n{diags:#?}"));
    let shader = shader.bind(&Model::builtin(model).unwrap());
    let iface = &shader.func.iface;
    assert_eq!(iface.stage, Stage::Vertex);
    let compiled = Bytecode::new(verify(&shader).unwrap_or_else(|diags| panic!("{text}\n{diags:#?}")));
    let mut words = vec![0; iface.attrs.len() * 16];
    for (n, values) in attrs {
        for (comp, value) in values.iter().enumerate() {
            words[(n * 4 + comp) * 4..][..4].fill(value.to_bits());
        }
    }
    let bank: Vec<[u32; 4]> =
        (0..512).map(|n| [0.0, 0.25, 0.5, 0.75].map(|part: f32| (n as f32 + part).to_bits())).collect();
    let mut named = vec![[0; 4]; 64];
    for constant in iface.constants.iter().filter(|constant| constant.bank == 2) {
        named[constant.index as usize] = match constant.name.as_str() {
            "b[3]" => [1.0f32.to_bits(), 0, 0, 0],
            name if name.starts_with("state.matrix.mvp.row") => {
                let row = usize::from(name.as_bytes()[name.len() - 2] - b'0');
                std::array::from_fn(|comp| if comp == row { 2.0f32.to_bits() } else { 0 })
            }
            _ => [0; 4],
        };
    }
    let mut outputs = Outputs::default();
    compiled.run(
        &Inputs {
            lanes: 4,
            attrs: &words,
            banks: &[&bank, &bank, &named],
            sysvals: &[],
            covered: &[true; 4],
            textures: &Place,
            interpolator: &NoInterpolator,
            fuel: FUEL,
        },
        &mut outputs,
    );
    let one = |(n, output): (usize, &parallax_core::OutputDecl)| {
        let values = [0, 1, 2, 3].map(|comp| match output.types[comp] {
            Some(_) => f32::from_bits(outputs.planes[n * 4 + comp].get(0) as u32),
            None => -99.0,
        });
        (output.name.clone(), values)
    };
    let position = iface.outputs.iter().filter(|output| output.role == OutputRole::Position).count();
    assert!(position <= 1);
    iface.outputs.iter().enumerate().map(one).collect()
}

fn run(text: &str, attrs: &[(usize, [f32; 4])], model: &str) -> BTreeMap<String, [f32; 4]> {
    let (program, diags) = parse(text, None);
    let program = program.unwrap_or_else(|| panic!("{text}\n{diags:#?}"));
    // What is printed is the same program.
    let printed = print(&program);
    let (again, diags) = parse(&printed, None);
    assert_eq!(print(&again.unwrap_or_else(|| panic!("{printed}\n{diags:#?}"))), printed);
    run_tree(&program, text, attrs, model)
}

fn run_words(text: &str, attrs: &[(usize, [f32; 4])]) -> BTreeMap<String, [f32; 4]> {
    let (program, diags) = nv40vp::assemble(text);
    let program = program.unwrap_or_else(|| panic!("{text}\n{diags:#?}"));
    let (tree, diags) = program.tree();
    run_tree(&tree.unwrap_or_else(|| panic!("{text}\n{diags:#?}")), "", attrs, "ieee")
}

const A: [f32; 4] = [1.5, -2.5, 3.0, -0.0];

#[test]
fn results_that_are_not_written_are_zero_and_one() {
    let found = run("!!VP1.0\nMOV o[HPOS].xy, v[OPOS];\nMOV o[FOGC].x, c[7].y;\nEND", &[(0, A)], "ieee");
    assert_eq!(found["o[HPOS]"], [1.5, -2.5, 0.0, 1.0]);
    assert_eq!(found["o[FOGC]"], [7.25, -99.0, -99.0, -99.0]);
    assert_eq!(found.len(), 2);
}

#[test]
fn addresses_are_vectors_and_read_nothing_beyond_the_last_parameter() {
    let text = "!!VP2.0\nARL A0, v[OPOS];\nARR A1, v[OPOS];\nMOV o[HPOS], c[A0.x+2];\nMOV o[TEX0], c[A0.y];\n\
                MOV o[TEX1].x, c[A1.x+254].x;\nMOV o[TEX1].y, c[A1.x+1].x;\nARA A0.xy, A1;\nMOV o[TEX2], c[A0.x];\nEND";
    let found = run(text, &[(0, A)], "ieee");
    assert_eq!(found["o[HPOS]"][0], 3.0);
    assert_eq!(found["o[TEX0]"], [0.0; 4]);
    // Of 1.5 the nearest even number is 2.
    assert_eq!(found["o[TEX1]"][..2], [0.0, 3.0]);
    assert_eq!(found["o[TEX2]"][0], 5.0);
}

#[test]
fn codes_of_addresses_and_signs_guard_writes() {
    let text = "!!VP2.0\nARLC A0, v[OPOS];\nMOV o[HPOS], c[0];\nMOV o[HPOS](LT), c[1];\nSSG R0, v[OPOS];\n\
                MOVC CC, R0;\nMOV o[TEX0], c[2];\nMOV o[TEX0](GT.yzxw), c[3];\nMOV o[COL0], |R0|;\nEND";
    let found = run(text, &[(0, A)], "ieee");
    assert_eq!(found["o[HPOS]"], [0.0, 1.25, 0.5, 0.75]);
    assert_eq!(found["o[TEX0]"], [2.0, 3.25, 3.5, 2.75]);
    assert_eq!(found["o[COL0]"], [1.0, 1.0, 1.0, 0.0]);
}

#[test]
fn reciprocals_are_clamped_and_keep_their_sign() {
    let text = "!!VP1.1\nRCC o[HPOS], v[OPOS].x;\nRCC o[TEX0], v[OPOS].y;\nRCC o[TEX1], v[OPOS].z;\nRCC o[TEX2], v[OPOS].w;\nEND";
    let big = 2.0f32.powi(64);
    let found = run(text, &[(0, [0.0, -0.0, f32::NEG_INFINITY, -3.0e38])], "ieee");
    let all = ["o[HPOS]", "o[TEX0]", "o[TEX1]", "o[TEX2]"].map(|name| found[name][0]);
    assert_eq!(all, [big, -big, -1.0 / big, -1.0 / big]);
    let found = run(text, &[(0, [f32::NAN, 4.0, 1e-30, f32::INFINITY])], "ieee");
    assert!(found["o[HPOS]"][0].is_nan());
    assert_eq!(["o[TEX0]", "o[TEX1]", "o[TEX2]"].map(|name| found[name][0]), [0.25, big, 1.0 / big]);
}

#[test]
fn jumps_calls_and_loops_run() {
    // Adds 1 as often as the attribute says, by a jump back.
    let text = "!!ARBvp1.0\nOPTION NV_vertex_program2;\nTEMP n, sum;\nMOV sum, 0;\nMOVC n.x, vertex.attrib[6].x;\n\
                again: BRA done (LE.x);\nCAL add (GT.x);\nADDC n.x, n.x, -1;\nBRA again;\n\
                done: MOV result.position, sum;\nMOV result.clip[2].x, n.x;\nRET;\nadd: ADD sum, sum, {1, 2, 3, 4};\nRET;\nEND";
    let found = run(text, &[(6, [5.0, 0.0, 0.0, 0.0])], "ieee");
    assert_eq!(found["result.position"], [5.0, 10.0, 15.0, 20.0]);
    assert_eq!(found["result.clip[2]"][0], 0.0);
}

#[test]
fn a_full_stack_ends_the_program() {
    // The fifth call finds four entries on the stack.
    let text = "!!VP2.0\nMOV R0, c[0];\nCAL deeper;\nMOV o[HPOS], c[9];\nRET;\n\
                deeper: ADD R0.x, R0, c[1];\nMOV o[TEX0], R0;\nMOV o[HPOS], c[1];\nCAL deeper;\nMOV o[HPOS], c[8];\nEND";
    let found = run(text, &[], "ieee");
    assert_eq!(found["o[TEX0]"][0], 4.0);
    assert_eq!(found["o[HPOS]"][0], 1.0);
}

#[test]
fn addresses_lie_on_the_stack_of_calls() {
    let text = "!!ARBvp1.0\nOPTION NV_vertex_program3;\nADDRESS a, b;\nPARAM p[4] = { program.local[0..3] };\n\
                ARL a, vertex.position;\nPUSHA a;\nARL a, 0;\nCAL sub;\nPOPA b;\nMOV result.position, p[b.x];\n\
                MOV result.color, p[a.x];\nRET;\nsub: ARL a, 2;\nRET;\nEND";
    let found = run(text, &[(0, A)], "ieee");
    assert_eq!((found["result.position"][0], found["result.color.front.primary"][0]), (1.0, 2.0));
    // What is on the stack is no place to return to: the program ends.
    let text = "!!ARBvp1.0\nOPTION NV_vertex_program3;\nADDRESS a;\nMOV result.position, 1.0;\nARL a, 0;\nPUSHA a;\nRET;\n\
                MOV result.position, 2.0;\nEND";
    assert_eq!(run(text, &[], "ieee")["result.position"][0], 1.0);
}

#[test]
fn attributes_and_results_have_relative_numbers() {
    let text = "!!ARBvp1.0\nOPTION NV_vertex_program3;\nADDRESS a;\nARL a, vertex.position;\n\
                MOV result.position, vertex.texcoord[a.x+1];\nMOV result.texcoord[a.z+2], vertex.attrib[a.x];\n\
                MOV result.texcoord[a.y], 7.0;\nEND";
    let found = run(text, &[(0, A), (1, [4.0; 4]), (10, [5.0; 4])], "ieee");
    assert_eq!(found["result.position"], [5.0; 4]);
    let written: Vec<f32> = (0..8).map(|n| found[&format!("result.texcoord[{n}]")][0]).collect();
    assert_eq!(written, [0.0, 0.0, 0.0, 0.0, 0.0, 4.0, 0.0, 0.0]);
}

#[test]
fn two_condition_codes_are_apart() {
    let text = "!!ARBvp1.0\nOPTION NV_vertex_program3;\nTEMP t;\nMOVC0 t, vertex.position;\nMOVC1_SAT t, -vertex.position;\n\
                MOV result.position, 0;\nMOV result.position(GT0), 1;\nMOV result.texcoord[0], t;\n\
                MOV result.texcoord[0](GT1.y), 9;\nEND";
    let found = run(text, &[(0, A)], "ieee");
    assert_eq!(found["result.position"], [1.0, 0.0, 1.0, 0.0]);
    assert_eq!(found["result.texcoord[0]"], [9.0; 4]);
}

#[test]
fn textures_are_read_at_a_level() {
    let text = "!!ARBvp1.0\nOPTION NV_vertex_program3;\nTEX result.position, vertex.position, texture[0], 2D;\n\
                TXL result.texcoord[0], vertex.position, texture[1], 3D;\nTXP result.texcoord[1], vertex.attrib[1], texture[2], 3D;\nEND";
    let found = run(text, &[(0, [1.0, 2.0, 3.0, 4.0]), (1, [8.0, 6.0, 4.0, 2.0])], "ieee");
    assert_eq!(found["result.position"], [1.0, 2.0, 3.0, 0.0]);
    assert_eq!(found["result.texcoord[0]"], [1.0, 2.0, 3.0, 4.0]);
    assert_eq!(found["result.texcoord[1]"], [4.0, 3.0, 2.0, 0.0]);
}

#[test]
fn the_first_vertex_programs_chop() {
    // 1 + 2^-23 + 2^-24 rounds up to nearest, and down toward zero; zero times infinity is zero.
    let attrs = [(0, [1.0 + f32::EPSILON, f32::EPSILON / 2.0, f32::INFINITY, 0.0])];
    let text = "!!VP1.0\nADD o[HPOS], v[OPOS].x, v[OPOS].y;\nMUL o[TEX0], v[OPOS].z, v[OPOS].w;\nEND";
    let (nearest, chopped) = (run(text, &attrs, "ieee"), run(text, &attrs, "nv20"));
    assert_eq!(nearest["o[HPOS]"][0], 1.0 + 2.0 * f32::EPSILON);
    assert_eq!(chopped["o[HPOS]"][0], 1.0 + f32::EPSILON);
    assert!(nearest["o[TEX0]"][0].is_nan());
    assert_eq!(chopped["o[TEX0]"][0].to_bits(), 0);
}

#[test]
fn positions_without_a_program_are_a_product() {
    let text = "!!VP2.0\nOPTION NV_position_invariant;\nMOV o[TEX0], v[3];\nEND";
    let found = run(text, &[(0, A), (3, [9.0; 4])], "ieee");
    assert_eq!(found["o[HPOS]"][..3], [3.0, -5.0, 6.0]);
    assert_eq!(found["o[TEX0]"], [9.0; 4]);
}

#[test]
fn words_read_before_they_write() {
    let text = "MOV R1, c[1]\nMOV R2, c[2]\nMOV R1, R2 || MOVS R2, R1\nMOV o[HPOS], R1\nMOV o[TEX0]&R3.x, R2 || RCP R4.w, R2.x\n\
                MOV o[COL0], R3\nMOV o[COL1], R4\nMOV o[FOGC], c[3]\nMOV o[PSIZ].xw, c[4]\nMOV o[TEX8], v[7]";
    let found = run_words(text, &[(7, [6.0; 4])]);
    assert_eq!(found["o[HPOS]"], [2.0, 2.25, 2.5, 2.75]);
    assert_eq!(found["o[TEX0]"], [1.0, 0.0, 0.0, 1.0]);
    assert_eq!(found["o[COL0]"], [1.0, 0.0, 0.0, 0.0]);
    assert_eq!(found["o[COL1]"], [0.0, 0.0, 0.0, 1.0]);
    // Clip distances stand beside the fog and the point size.
    let firsts = ["o[FOGC]", "o[CLP0]", "o[CLP1]", "o[CLP2]", "o[PSIZ]", "o[CLP5]"].map(|name| found[name][0]);
    assert_eq!(firsts, [3.0, 3.25, 3.5, 3.75, 4.0, 4.75]);
    assert_eq!((found.get("o[CLP3]"), found["o[TEX8]"]), (None, [6.0; 4]));
}

#[test]
fn words_jump_by_codes_and_by_constants() {
    let text = "\
    MOV o[HPOS], c[1]
    BRB !b[3], wrong
    BRB b[2], wrong
    SGTC CC.x, v[OPOS], c[1]
    CAL sub (NE.x)
    MOV o[COL0], c[6] ; end
wrong:
    MOV o[HPOS], c[9] ; end
sub:
    MOV o[COL1], c[A0.x+5] || RET
";
    let found = run_words(text, &[(0, A)]);
    assert_eq!((found["o[HPOS]"][0], found["o[COL0]"][0], found["o[COL1]"][0]), (1.0, 6.0, 5.0));
    let found = run_words(text, &[(0, [0.0; 4])]);
    assert_eq!((found["o[COL0]"][0], found["o[COL1]"]), (6.0, [0.0, 0.0, 0.0, 1.0]));
}

/// Problems, each with its place and code.
#[test]
fn what_is_wrong_is_said_at_its_place() {
    for (text, line, column, code) in [
        ("!!VP3.0\nEND", 1, 1, "nvfp-vertex"),
        ("!!VSP1.0\nEND", 1, 1, "nvfp-vertex"),
        ("!!VP1.0\nMOV R0, v[OPOS];\nEND", 2, 1, "nvfp-output"),
        ("!!VP1.0\nMOV o[HPOS], +v[OPOS];\nEND", 2, 14, "nvfp-syntax"),
        ("!!VP1.0\nMOV o[HPOS], c[96];\nEND", 2, 16, "nvfp-operand"),
        ("!!VP1.0\nMOV o[CLP0], c[1];\nEND", 2, 7, "nvfp-operand"),
        ("!!VP1.0\nMOV o[HPOS], R12;\nEND", 2, 14, "nvfp-operand"),
        ("!!VP1.0\nMOV o[HPOS], 1.0;\nEND", 2, 14, "nvfp-syntax"),
        ("!!VP1.0\nABS o[HPOS], R0;\nEND", 2, 1, "nvfp-opcode"),
        ("!!VP1.0\nMOVC o[HPOS], R0;\nEND", 2, 1, "nvfp-opcode"),
        ("!!VP1.0\nMOV o[HPOS](GT), R0;\nEND", 2, 12, "nvfp-operand"),
        ("!!VP1.0\nARL A0, R0.x;\nMOV o[HPOS], R0;\nEND", 2, 7, "nvfp-syntax"),
        ("!!VP1.1\nADD o[HPOS], c[1], c[2];\nEND", 2, 20, "nvfp-operand"),
        ("!!VP1.1\nADD o[HPOS], c[1], c[A0.x+1];\nEND", 2, 20, "nvfp-operand"),
        ("!!VP1.1\nADD o[HPOS], v[0], v[NRML];\nEND", 2, 20, "nvfp-operand"),
        ("!!VP1.1\nOPTION NV_position_invariant;\nMOV o[COL0], c[A0.x];\nEND", 3, 14, "nvfp-operand"),
        ("!!VP2.0\nOPTION NV_position_invariant;\nMOV o[HPOS], c[1];\nEND", 3, 5, "nvfp-output"),
        ("!!VP2.0\nMOV o[HPOS], c[A2.x];\nEND", 2, 16, "nvfp-operand"),
        ("!!VP2.0\nMOV o[HPOS], c[A0.x+256];\nEND", 2, 21, "nvfp-operand"),
        ("!!VP2.0\nMOV o[HPOS], foo;\nEND", 2, 14, "nvfp-operand"),
        ("!!VP2.0\nMOV o[HPOS], R0;\nBRA nowhere;\nEND", 3, 1, "nvfp-flow"),
        ("!!ARBvp1.0\nMOV result.position(GT), 1.0;\nEND", 2, 20, "nvfp-operand"),
        ("!!ARBvp1.0\nSIN result.position, vertex.position.x;\nEND", 2, 1, "nvfp-opcode"),
        (
            "!!ARBvp1.0\nOPTION NV_vertex_program2;\nTXL result.position, vertex.position, texture[0], 2D;\nEND",
            3,
            1,
            "nvfp-opcode",
        ),
        ("!!ARBvp1.0\nOPTION NV_vertex_program2;\nMOVC1 result.position, vertex.position;\nEND", 3, 1, "nvfp-opcode"),
        ("!!ARBvp1.0\nMOV result.clip[0].x, vertex.position;\nEND", 2, 12, "nvfp-operand"),
        ("!!ARBvp1.0\nOPTION NV_vertex_program2;\nMOV result.clip[6].x, vertex.position;\nEND", 3, 17, "nvfp-operand"),
        (
            "!!ARBvp1.0\nOPTION NV_vertex_program3;\nADDRESS a;\nMOV result.position, result.texcoord[a.x];\nEND",
            4,
            22,
            "nvfp-operand",
        ),
        ("!!ARBvp1.0\nOPTION NV_vertex_program3;\nADDRESS a;\nPUSHA a;\nPOPA a.x;\nEND", 5, 6, "nvfp-operand"),
        (
            "!!ARBvp1.0\nADDRESS A;\nPARAM p[3] = { program.env[0..1], program.env[1] };\nMOV result.position, p[A.x];\nEND",
            4,
            22,
            "nvfp-operand",
        ),
        (
            "!!ARBvp1.0\nADDRESS A;\nPARAM p[2] = { state.fog.color, state.fog.color };\nMOV result.position, p[A.x];\nEND",
            4,
            22,
            "nvfp-operand",
        ),
    ] {
        let (program, diags) = parse(text, None);
        assert!(program.is_none(), "{text}");
        let first = diags.iter().find(|diag| diag.is_error()).expect(text);
        let at = first.span.map_or(0, |span| span.start as usize);
        let before = &text[..at];
        let found = (before.matches('\n').count() + 1, at - before.rfind('\n').map_or(0, |n| n + 1) + 1, first.code);
        assert_eq!(found, (line, column, code), "{text}\n{first:?}");
    }
    // Read by number, parameters may be bound twice.
    let twice = "!!ARBvp1.0\nPARAM p[2] = { program.env[1], program.env[1] };\nMOV result.position, p[1];\nEND";
    assert!(parse(twice, None).0.is_some());
    let many = "MOV o[HPOS], R0;\n".repeat(129);
    assert_eq!(parse(&format!("!!VP1.0\n{many}END"), None).1[0].code, "nvfp-limit");
    // Four levels of many calls each.
    let calls: String = ["a", "b", "c", "d"]
        .windows(2)
        .map(|pair| format!("{}: {}RET;\n", pair[0], format!("CAL {};\n", pair[1]).repeat(60)))
        .collect();
    let text = format!("!!VP2.0\nMOV o[HPOS], R0;\nCAL a;\nRET;\n{calls}d: MOV R0, R1;\nRET;\nEND");
    let (program, diags) = parse(&text, None);
    let program = program.unwrap_or_else(|| panic!("{diags:?}"));
    let problems = lift(&program, &text, &Options::default()).unwrap_err();
    assert_eq!(problems[0].code, "nvfp-call-size");
}
