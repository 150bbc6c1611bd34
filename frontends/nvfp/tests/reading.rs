//! Reading and printing of the three dialects. Errors are filetests, but for those of ends and counts.

use parallax_nvfp::{Dialect, Program, StmtKind, parse, print};
use parallax_text::LineMap;
use proptest::prelude::*;

/// The program without its places, for comparing what was read.
fn without_spans(mut program: Program) -> Program {
    let zero = parallax_text::Span::default();
    for name in &mut program.names {
        name.span = zero;
    }
    for stmt in &mut program.body {
        stmt.span = zero;
        if let StmtKind::Instr(instr) = &mut stmt.kind {
            for src in &mut instr.srcs {
                src.span = zero;
            }
            if let Some(dst) = &mut instr.dst {
                dst.span = zero;
            }
            if let Some(image) = &mut instr.image {
                image.span = zero;
            }
        }
    }
    program
}

fn read(text: &str) -> Program {
    match parse(text, None) {
        (Some(program), _) => program,
        (None, diags) => panic!("{diags:#?}"),
    }
}

#[track_caller]
fn round_trip(text: &str) {
    let first = read(text);
    let printed = print(&first);
    let second = read(&printed);
    assert_eq!(without_spans(first), without_spans(second), "{printed}");
    assert_eq!(print(&read(&printed)), printed);
}

#[test]
fn patent_programs_round_trip() {
    round_trip(";a comment line\nMULc H0.xy(GT.x), p[3], c[2]; // and another\nKIL LT.xyzz;\n");
    round_trip(
        "#define PERIOD 31; location\nMUL R0,R1,c[PERIOD].x;//divide\nFRC R2,R0;\nTEX H0,p[4],2,2D;\nTEX R1,R0,3;\n",
    );
    round_trip("MOVC IC.w,-I7.xyzz; UP4 R3, R2.x; TXD R0, p[4], R1, R2, 15, CUBE; NOP; KIL NE;");
}

#[test]
fn fp10_programs_round_trip() {
    round_trip(
        "!!FP1.0\n# cgc version\nDEFINE eps = {1e-007};\nDECLARE k;\nDECLARE tint = {1, .5, 0.25};\nDEFINE two = 2;\n\
         SLTRC HC.x, f[TEX0].x, two;\nMOVR  R1 (GE), k.x;\nTEX o[COLH].xyz(EQ.x), R1, TEX3, CUBE;\n\
         RCPH_SAT H3, |-R1.y|;\nADDX H2, -|H2|, eps;\nPOWR R2.w, R1.x, two;\nKIL NE.xyyy;\nEND\n# trailing",
    );
}

#[test]
fn arb_programs_round_trip() {
    round_trip(
        "!!ARBfp1.0\nATTRIB i0 = fragment.texcoord[2];\nPARAM c[4] = { program.local[0..2], { 4, 8 } };\n\
         PARAM s = state.lightmodel.ambient;\nPARAM one = 1.0;\nTEMP r, DDX;\nOUTPUT o = result.color;\n\
         MUL r, i0, c[0];\nMAD_SAT r.rga, r, c[3].x, s.bgra;\nSWZ DDX, r, -x, 0, 1, w;\nRCP r.x, 3.0.x;\n\
         TXP DDX, i0, texture[3], RECT;\nKIL -r;\nMOV o, DDX;\nEND\n",
    );
    round_trip(
        "!!ARBfp1.0\nOPTION NV_fragment_program2;\nPARAM n = {4, 0, 1};\nSHORT TEMP h;\nTEMP RC, EQ;\n\
         LOOP n;\nADDR RC, RC, fragment.texcoord[A0.x+1];\nBRK (GT.x);\nENDLOOP;\nCAL sub (NE);\n\
         SLERC_SSAT h.x, |RC.x|, 3;\nIF GT.x;\nKIL EQ;\nELSE;\nKIL NE.x;\nENDIF;\nMOV result.depth.z, h;\nRET;\n\
         sub:\nDP2A RC, RC, RC, n;\nRET (TR);\nEND",
    );
}

/// Line, column and code of the first error.
#[track_caller]
fn first_error(text: &str, line: u32, column: u32, code: &str) {
    let (program, diags) = parse(text, None);
    assert!(program.is_none(), "accepted: {text}");
    let first = diags.iter().find(|d| d.is_error()).unwrap();
    let place = LineMap::new(text).place(text, first.span.unwrap().start);
    assert_eq!((place.line, place.column, first.code), (line, column, code), "{first}");
}

#[test]
fn ends_of_texts_have_their_place() {
    first_error("!!FP1.0\nMOVR o[COLR], R0", 2, 17, "nvfp-syntax");
    first_error("MOV R0, R1", 1, 11, "nvfp-syntax");
}

#[test]
fn counts_are_limited() {
    first_error(&"MOV R0, R1;\n".repeat(129), 129, 1, "nvfp-limit");
    let wide: String = (0..32).map(|i| format!("MOVR R{i}, f[COL0];\n")).collect();
    first_error(&format!("!!FP1.0\n{wide}MOVR o[COLR], R0;\nEND"), 34, 1, "nvfp-limit");
    let long = "MOVR R0, R1;\n".repeat(1025);
    first_error(&format!("!!FP1.0\n{long}MOVR o[COLR], R0;\nEND"), 1026, 1, "nvfp-limit");
    let long = "MOV t, t;\n".repeat(1025);
    first_error(&format!("!!ARBfp1.0\nTEMP t;\n{long}MOV result.color, t;\nEND"), 1027, 1, "nvfp-limit");
    let nested = "IF GT.x;\n".repeat(49) + &"ENDIF;\n".repeat(49);
    first_error(&format!("!!ARBfp1.0\nOPTION NV_fragment_program2;\n{nested}END"), 51, 1, "nvfp-limit");
}

const PIECES: &[&str] = &[
    "MOV",
    "MULc",
    "TEX",
    "KIL",
    "IF",
    "R0",
    "H3",
    "c[1]",
    "p[2]",
    "f[TEX0]",
    "o[COLR]",
    ".x",
    ".xyzw",
    "(GT.x)",
    ",",
    ";",
    "{1,2}",
    "-",
    "|",
    "END",
    "#define A 1\n",
    "A",
    "OPTION",
    "NV_fragment_program2",
    "TEMP t",
    "PARAM",
    "=",
    "[",
    "]",
    "..",
    "3.0",
    "2D",
    "texture[0]",
    "LOOP",
    ":",
    "fragment.color",
    "vertex.color",
    "vertex.attrib[9]",
    "ARL A.x,",
    "k[A.x+1]",
    "PARAM k[2] = { program.env[3..4] };",
    "result.color",
    "é",
    "\"",
    "state.x",
    "\n",
];

proptest! {
    #[test]
    fn random_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let text = String::from_utf8_lossy(&bytes);
        for dialect in Dialect::TEXT {
            let _ = parse(&text, Some(dialect));
        }
        let _ = parse(&text, None);
    }

    #[test]
    fn random_pieces_never_panic_and_what_is_read_round_trips(
        header in prop_oneof![Just(""), Just("!!FP1.0 "), Just("!!ARBfp1.0 "), Just("!!ARBfp1.0 OPTION NV_fragment_program2; "), Just("!!ARBvp1.0 ADDRESS A; ")],
        pieces in proptest::collection::vec(proptest::sample::select(PIECES), 0..40),
    ) {
        let text = header.to_string() + &pieces.join(" ");
        if let (Some(program), _) = parse(&text, None) {
            let printed = print(&program);
            let again = parse(&printed, Some(program.dialect)).0;
            prop_assert_eq!(again.map(without_spans), Some(without_spans(program)), "{}", printed);
        }
    }

    #[test]
    fn truncated_programs_never_panic(cut in 0usize..400) {
        let text = "!!ARBfp1.0\nOPTION NV_fragment_program2;\nPARAM c[2] = { program.local[0..1] };\nTEMP R0;\n\
            LOOP c[0];\nMOVRC R0, -|fragment.texcoord[A0.x+2]|;\nBRK (GT.xyzz);\nENDLOOP;\nEND";
        let end = cut.min(text.len());
        let _ = parse(&text[..end], None);
    }
}

#[test]
fn scalar_operands_of_arb_programs_select_a_component_of_literals_too() {
    first_error("!!ARBfp1.0\nCOS result.color, 3.14159;\nEND", 2, 19, "nvfp-operand");
    first_error("!!ARBfp1.0\nPOW result.color, fragment.color.x, 2;\nEND", 2, 37, "nvfp-operand");
    round_trip("!!ARBfp1.0\nCOS result.color, 3.14159.x;\nPOW result.color, {1, 2}.y, 2.w;\nEND\n");
    round_trip("!!FP1.0\nCOS o[COLR], 3.14159;\nEND\n");
}

#[test]
fn selectors_of_swz_keep_to_one_alphabet() {
    first_error("!!ARBfp1.0\nSWZ result.color, fragment.color, a, b, x, r;\nEND", 2, 35, "nvfp-operand");
    first_error("!!ARBfp1.0\nSWZ result.color, fragment.color, x, 0, -g, 1;\nEND", 2, 35, "nvfp-operand");
    read("!!ARBfp1.0\nSWZ result.color, fragment.color, a, -b, 1, r;\nEND");
    read("!!ARBfp1.0\nSWZ result.color, fragment.color, w, -z, 0, x;\nEND");
}

/// Read in well under a second each; the time is no part of the test, but quadratic readers would need minutes.
#[test]
fn very_many_names_blocks_and_errors_are_read() {
    let count = 100_000;
    let names: String = (0..count).map(|n| format!("DECLARE d{n} = {n};\n")).collect();
    let text = format!("!!FP1.0\n{names}MOVR o[COLR], d{};\nEND", count - 1);
    assert_eq!(read(&text).names.len(), count);
    let aliases: String = (1..count).map(|n| format!("ALIAS a{n} = a{};\n", n - 1)).collect();
    let program = read(&format!("!!ARBfp1.0\nTEMP a0;\n{aliases}MOV a{}, 0;\nEND", count - 1));
    assert_eq!(program.resolve(parallax_nvfp::NameId(count - 1)).text, "a0");
    let ifs = "IF GT;\n".repeat(count);
    let (_, diags) = parse(&format!("!!ARBfp1.0\nOPTION NV_fragment_program2;\n{ifs}END"), None);
    let unclosed = diags.iter().filter(|d| d.message == "IF without ENDIF").count();
    assert_eq!(unclosed, count);
    let labels: String = (0..count).map(|n| format!("l{n}:\n")).collect();
    read(&format!("!!ARBfp1.0\nOPTION NV_fragment_program2;\n{labels}END"));
    let text = format!("!!FP1.0\n{}END", "MOVR o[COLR], name; ".repeat(count));
    let (_, diags) = parse(&text, None);
    let map = parallax_text::LineMap::new(&text);
    let columns = diags.iter().filter_map(|d| d.span).map(|span| map.place(&text, span.start).column);
    assert!(columns.eq((0..count as u32).map(|n| 15 + n * 20)));
}

#[test]
fn the_second_generation_takes_longer_programs() {
    let text =
        |option: &str, count: usize| format!("!!ARBfp1.0\n{option}TEMP r;\n{}END\n", "ADD r, r, r;\n".repeat(count));
    let codes = |text: &str| parse(text, None).1.iter().map(|d| d.code.to_string()).collect::<Vec<_>>();
    let second = "OPTION NV_fragment_program2;\n";
    assert!(codes(&text("", 1024)).is_empty());
    assert_eq!(codes(&text("", 1025)), ["nvfp-limit"]);
    assert_eq!(codes(&text("OPTION NV_fragment_program;\n", 1025)), ["nvfp-limit"]);
    assert!(codes(&text(second, 65_536)).is_empty());
    assert_eq!(codes(&text(second, 65_537)), ["nvfp-limit"]);
}

#[test]
fn vertex_programs_round_trip() {
    round_trip(
        "!!ARBvp1.0\nOPTION ARB_position_invariant;\nATTRIB n = vertex.normal;\nPARAM m[6] = { state.matrix.modelview[0].row[0], \
         state.matrix.modelview[0].row[1], program.local[3], {1.0, 2.0}, program.env[0..1] };\nADDRESS A, B;\nTEMP t, u;\n\
         OUTPUT c = result.color.back.secondary;\nARL A.x, vertex.weight.x;\nMOV t, m[A.x];\nADD u, m[A.x+4], -m[A.x-64].wzyx;\n\
         MUL c.xy, t, vertex.attrib[7];\nSWZ result.texcoord[3], vertex.texcoord[7], x, -y, 0, 1;\nEXP result.pointsize.x, u.y;\n\
         END\n",
    );
}

#[test]
fn matrices_fill_arrays_with_their_rows() {
    for (text, head, rows) in [
        ("state.matrix.mvp", "mvp", 0..4),
        ("state.matrix.texture[1].inverse", "texture[1].inverse", 0..4),
        ("state.matrix.mvp.row[1..2]", "mvp", 1..3),
        ("state.matrix.mvp.row[3]", "mvp", 3..4),
    ] {
        let rows: Vec<String> = rows.map(|n| format!("state.matrix.{head}.row[{n}]")).collect();
        let printed = print(&read(&format!("!!ARBvp1.0\nPARAM m[] = {{ {text} }};\nEND")));
        assert!(printed.contains(&format!("{{ {} }}", rows.join(", "))), "{printed}");
    }
    first_error("!!ARBvp1.0\nPARAM m[] = { state.matrix.mvp.row[2..5] };\nEND", 2, 15, "nvfp-operand");
}

#[test]
fn what_vertex_programs_may_not_do() {
    for (body, line, column, code) in [
        ("MOV result.color, fragment.color;", 2, 19, "nvfp-name"),
        ("MOV_SAT result.color, vertex.color;", 2, 1, "nvfp-opcode"),
        ("TEX result.color, vertex.color, texture[0], 2D;", 2, 1, "nvfp-opcode"),
        ("TEMP t;\nMOV t, result.color;", 3, 8, "nvfp-operand"),
        ("ADDRESS A;\nTEMP t;\nMOV t, A;", 4, 8, "nvfp-operand"),
        ("ADDRESS A;\nMOV A, vertex.color;", 3, 5, "nvfp-operand"),
        ("TEMP t;\nARL t.x, vertex.color.x;", 3, 5, "nvfp-operand"),
        ("ADDRESS A;\nARL A, vertex.color.x;", 3, 6, "nvfp-syntax"),
        ("ADDRESS A;\nARL A.x, vertex.color;", 3, 10, "nvfp-operand"),
        ("ADDRESS A;\nPARAM p[1] = { {1} };\nMOV result.color, p[A.x+64];", 4, 25, "nvfp-operand"),
        ("ADDRESS A;\nPARAM p[1] = { {1} };\nMOV result.color, p[B.x];", 4, 21, "nvfp-operand"),
        ("MOV result.color, vertex.texcoord[8];", 2, 35, "nvfp-operand"),
        ("MOV result.color, vertex.attrib[16];", 2, 33, "nvfp-operand"),
        ("ADD result.color, vertex.normal, vertex.attrib[2];", 2, 34, "nvfp-operand"),
        ("ATTRIB a = vertex.normal;\nATTRIB b = vertex.attrib[2];", 3, 8, "nvfp-operand"),
        ("RCP result.color, vertex.normal.xxxx;", 2, 33, "nvfp-operand"),
        ("PARAM m = state.matrix.mvp;", 2, 11, "nvfp-operand"),
        ("PARAM m[] = { state.matrix.mvp.inverse.transpose };", 2, 15, "nvfp-operand"),
        ("PARAM m = state.matrix.mvp.row[0].transpose;", 2, 11, "nvfp-operand"),
        ("PARAM m[] = { state.light[0..7].diffuse };", 2, 28, "nvfp-syntax"),
        ("OPTION ARB_position_invariant;\nMOV result.position, vertex.position;", 3, 5, "nvfp-output"),
        ("OPTION NV_fragment_program;", 2, 8, "nvfp-option"),
        ("MOV result.color, vertex.color.rgba;", 2, 32, "nvfp-operand"),
        ("TEMP vertex;", 2, 6, "nvfp-name"),
    ] {
        first_error(&format!("!!ARBvp1.0\n{body}\nEND"), line, column, code);
    }
}

#[test]
fn a_file_with_two_programs_is_read_as_asked() {
    let text =
        "!!ARBvp1.0\nMOV result.color, vertex.color;\nEND\n\n!!ARBfp1.0\nMOV result.color, fragment.color;\nEND\n";
    let dialect = |asked| parse(text, asked).0.expect("a program").dialect;
    assert_eq!(dialect(None), Dialect::Arb);
    assert_eq!(dialect(Some(Dialect::ArbVertex)), Dialect::ArbVertex);
}
