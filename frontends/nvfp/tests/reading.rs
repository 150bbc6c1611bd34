//! Reading and printing of the three dialects, and the place of every kind of error.

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
fn header_and_statement_errors_have_their_place() {
    first_error("!!FP2.0\nEND", 1, 1, "nvfp-syntax");
    first_error("!!FP1.0\nMOVR o[COLR], R0", 2, 17, "nvfp-syntax");
    first_error("!!FP1.0\nMOVR o[COLR], R0;\n", 3, 1, "nvfp-syntax");
    first_error("MOV R0, @;", 1, 9, "nvfp-syntax");
    first_error("MOV R0 R1;", 1, 8, "nvfp-syntax");
    first_error("#undef X\nMOV R0, R1;", 1, 1, "nvfp-syntax");
    first_error("#define\nMOV R0, R1;", 1, 8, "nvfp-syntax");
    first_error("#define A 1\n#define A 2\nMOV R0, c[A];", 2, 9, "nvfp-name");
}

#[test]
fn opcode_errors_have_their_place() {
    first_error("SUB R0, R1, R2;", 1, 1, "nvfp-opcode");
    first_error("!!FP1.0\nMOVQ R0, R1;\nMOVR o[COLR], R0;\nEND", 2, 1, "nvfp-opcode");
    first_error("!!FP1.0\nRCPX R0, R1.x;\nMOVR o[COLR], R0;\nEND", 2, 1, "nvfp-opcode");
    first_error("!!FP1.0\nPK2HC R0, R1;\nMOVR o[COLR], R0;\nEND", 2, 1, "nvfp-opcode");
    first_error("!!ARBfp1.0\nOPTION NV_fragment_program;\nIF GT.x;\nENDIF;\nEND", 3, 1, "nvfp-opcode");
    first_error("!!ARBfp1.0\nMOVR result.color, fragment.color;\nEND", 2, 1, "nvfp-opcode");
    // Packs and KIL update no condition code.
    first_error("PK4c R0, R1;", 1, 1, "nvfp-opcode");
    first_error("KILc GT;", 1, 1, "nvfp-opcode");
}

#[test]
fn operand_errors_have_their_place() {
    first_error("MOV R0.yx, R1;", 1, 8, "nvfp-operand");
    first_error("MOV R0.xx, R1;", 1, 8, "nvfp-operand");
    first_error("MOV R0, R1.xy;", 1, 12, "nvfp-operand");
    first_error("MOV R0,|R1|;", 1, 8, "nvfp-operand");
    first_error("MOV R8, R1;", 1, 5, "nvfp-operand");
    first_error("MOV R0, p[12];", 1, 11, "nvfp-operand");
    first_error("MOV c[0], R1;", 1, 5, "nvfp-operand");
    first_error("RCP R0, R1;", 1, 9, "nvfp-operand");
    first_error("TEX R0, R1, 16, 2D;", 1, 13, "nvfp-operand");
    first_error("TEX R0, R1, 1, 4D;", 1, 16, "nvfp-operand");
    first_error("PK2 H0, R1;", 1, 5, "nvfp-operand");
    first_error("UP4 R0, H1.x;", 1, 9, "nvfp-operand");
    first_error("TEX R0, R1, 1, 2D;\nTEX R0, R1, 1, CUBE;", 2, 13, "nvfp-operand");
    first_error("!!ARBfp1.0\nMOV result.color.xg, fragment.color;\nEND", 2, 18, "nvfp-operand");
    first_error("!!ARBfp1.0\nMOV result.color, |fragment.color|;\nEND", 2, 19, "nvfp-operand");
    first_error("!!ARBfp1.0\nTEMP t;\nMOV t(GT), fragment.color;\nEND", 3, 6, "nvfp-operand");
    first_error("!!ARBfp1.0\nMOV result.color, result.color;\nEND", 2, 19, "nvfp-operand");
    first_error("!!ARBfp1.0\nMOV fragment.color, 1;\nEND", 2, 5, "nvfp-operand");
    first_error("!!ARBfp1.0\nPARAM p[2] = { {1} };\nMOV result.color, p[0];\nEND", 2, 9, "nvfp-operand");
    first_error("!!FP1.0\nADDR R0, f[TEX0], f[TEX1];\nMOVR o[COLR], R0;\nEND", 2, 19, "nvfp-operand");
    first_error("!!FP1.0\nADDR R0, p[0], p[1];\nMOVR o[COLR], R0;\nEND", 2, 16, "nvfp-operand");
    first_error("!!FP1.0\nMADR R0, {1,2,3,4}, R1, -4;\nMOVR o[COLR], R0;\nEND", 2, 25, "nvfp-operand");
    first_error("!!FP1.0\nMOVRC RC, f[COL0];\nMOVR o[COLR], RC;\nEND", 3, 15, "nvfp-operand");
}

#[test]
fn name_option_output_and_limit_errors_have_their_place() {
    first_error("!!FP1.0\nMOVR o[COLR], tint;\nEND", 2, 15, "nvfp-name");
    first_error("!!FP1.0\nDECLARE a;\nDECLARE a;\nMOVR o[COLR], a;\nEND", 3, 9, "nvfp-name");
    first_error("!!FP1.0\nDECLARE R31;\nMOVR o[COLR], R0;\nEND", 2, 9, "nvfp-name");
    first_error("!!FP1.0\nDECLARE TEX15;\nMOVR o[COLR], R0;\nEND", 2, 9, "nvfp-name");
    first_error("!!ARBfp1.0\nTEMP MUL;\nMOV result.color, 1;\nEND", 2, 6, "nvfp-name");
    first_error("!!ARBfp1.0\nOPTION NV_fragment_progam;\nMOV result.color, 1;\nEND", 2, 8, "nvfp-option");
    first_error("!!ARBfp1.0\nTEMP t;\nOPTION NV_fragment_program;\nMOV result.color, 1;\nEND", 3, 1, "nvfp-option");
    first_error("!!ARBfp1.0\nOPTION ARB_fog_exp;\nOPTION ARB_fog_linear;\nEND", 3, 8, "nvfp-option");
    first_error("!!FP1.0\nRFLR R0, f[TEX0], f[TEX0];\nMOVR o[COLR], R0;\nEND", 2, 6, "nvfp-output");
    first_error("!!FP1.0\nMOVR o[COLR], R0;\nMOVH o[COLH], H0;\nEND", 3, 6, "nvfp-output");
    first_error("!!FP1.0\nMOVR R0, R1;\nEND", 2, 1, "nvfp-output");
    let long = "MOV R0, R1;\n".repeat(129);
    first_error(&long, 129, 1, "nvfp-limit");
    let wide: String = (0..32).map(|i| format!("MOVR R{i}, f[COL0];\n")).collect();
    first_error(&format!("!!FP1.0\n{wide}MOVR o[COLR], R0;\nEND"), 34, 1, "nvfp-limit");
}

/// Rules that hold in several dialects, in those not tried above.
#[test]
fn shared_rules_hold_in_every_dialect() {
    let fp = |body: &str| format!("!!FP1.0\n{body}\nMOVR o[COLR], R0;\nEND");
    let arb = |body: &str| format!("!!ARBfp1.0\nTEMP t;\n{body}\nMOV result.color, t;\nEND");
    let nv1 = |body: &str| {
        format!("!!ARBfp1.0\nOPTION NV_fragment_program;\nTEMP t;\nSHORT TEMP h;\n{body}\nMOV result.color, t;\nEND")
    };
    // Tokens, statements, ends.
    first_error(&fp("MOVR R0, @;"), 2, 10, "nvfp-syntax");
    first_error(&arb("MOV t, @;"), 3, 8, "nvfp-syntax");
    first_error(&arb("MOV t, t"), 4, 1, "nvfp-syntax");
    first_error("!!ARBfp1.0\nMOV result.color, 1;\n", 3, 1, "nvfp-syntax");
    first_error("!!ARBfp2.0\nEND", 1, 1, "nvfp-syntax");
    first_error("MOV R0, R1", 1, 11, "nvfp-syntax");
    // Masks and swizzles.
    first_error(&fp("MOVR R0.yx, R1;"), 2, 9, "nvfp-operand");
    first_error(&fp("MOVR R0.xx, R1;"), 2, 9, "nvfp-operand");
    first_error(&fp("MOVR R0, R1.xyz;"), 2, 13, "nvfp-operand");
    first_error(&fp("MOVR R0(GT.xy), R1;"), 2, 12, "nvfp-operand");
    first_error(&arb("MOV t.gr, t;"), 3, 7, "nvfp-operand");
    first_error(&arb("MOV t, t.xg;"), 3, 10, "nvfp-operand");
    first_error(&arb("MOV t, t.xgzw;"), 3, 10, "nvfp-operand");
    // Reading and writing of the wrong class.
    first_error(&fp("MOVR R0, o[COLR];"), 2, 10, "nvfp-operand");
    first_error(&fp("MOVR f[COL0], R0;"), 2, 6, "nvfp-operand");
    first_error(&fp("MOVR p[0], R0;"), 2, 6, "nvfp-operand");
    first_error(&fp("RCPR R0, R1;"), 2, 10, "nvfp-operand");
    first_error(&arb("MOV program.local[0], t;"), 3, 5, "nvfp-operand");
    // Packs and unpacks need 32 bits.
    first_error(&fp("PK2H H0, R1;"), 2, 6, "nvfp-operand");
    first_error(&fp("UP4UB R1, H1.x;"), 2, 11, "nvfp-operand");
    first_error(&nv1("PK4B h, t;"), 5, 6, "nvfp-operand");
    first_error(&nv1("UP2US t, h.x;"), 5, 10, "nvfp-operand");
    // No update of the condition code by KIL and packs.
    first_error(&fp("KILC GT;"), 2, 1, "nvfp-opcode");
    first_error(&nv1("PK4UBC t, t;"), 5, 1, "nvfp-opcode");
    first_error(&nv1("KILC GT;"), 5, 1, "nvfp-opcode");
    // One unit, two shapes.
    first_error(&fp("TEX R0, R1, TEX1, 2D;\nTEX R0, R1, TEX1, CUBE;"), 3, 13, "nvfp-operand");
    first_error(&arb("TEX t, t, texture[1], 2D;\nTEX t, t, texture[1], 3D;"), 4, 11, "nvfp-operand");
    first_error(&fp("TEX R0, R1, TEX16, 2D;"), 2, 13, "nvfp-operand");
    first_error(&arb("TEX t, t, texture[1], SHADOW2D;"), 3, 23, "nvfp-operand");
    // Names.
    first_error(&arb("MOV t, tint;"), 3, 8, "nvfp-name");
    first_error(&arb("TEMP t;"), 3, 6, "nvfp-name");
    first_error(&fp("DEFINE f = 1;"), 2, 8, "nvfp-name");
    // Options, outputs, counts.
    first_error(
        "!!ARBfp1.0\nOPTION ARB_precision_hint_fastest;\nOPTION ARB_precision_hint_nicest;\nEND",
        3,
        8,
        "nvfp-option",
    );
    let sizes =
        "OUTPUT n = result.color;\nSHORT OUTPUT s = result.color;\nLONG OUTPUT l = result.color;\nMOV s, t;\nMOV l, t;";
    first_error(&nv1(sizes), 9, 5, "nvfp-output");
    first_error(&fp(&"MOVR R0, R1;\n".repeat(1025)), 1026, 1, "nvfp-limit");
    first_error(&arb(&"MOV t, t;\n".repeat(1025)), 1027, 1, "nvfp-limit");
    let nested = "IF GT.x;\n".repeat(49) + &"ENDIF;\n".repeat(49);
    first_error(&format!("!!ARBfp1.0\nOPTION NV_fragment_program2;\n{nested}END"), 51, 1, "nvfp-limit");
}

#[test]
fn flow_errors_have_their_place() {
    let nv2 = |body: &str| format!("!!ARBfp1.0\nOPTION NV_fragment_program2;\n{body}\nEND");
    first_error(&nv2("IF GT.x;\nMOV result.color, 1;"), 3, 1, "nvfp-flow");
    first_error(&nv2("ELSE;"), 3, 1, "nvfp-flow");
    first_error(&nv2("BRK;"), 3, 1, "nvfp-flow");
    first_error(&nv2("REP {2};\nENDLOOP;\nENDREP;"), 4, 1, "nvfp-flow");
    first_error(&nv2("CAL nowhere;"), 3, 1, "nvfp-flow");
    first_error(&nv2("IF GT.x;\nhere:\nENDIF;"), 4, 1, "nvfp-flow");
    first_error(&nv2("a:\na:\nRET;"), 4, 1, "nvfp-flow");
    first_error(&nv2("TEMP t;\nREP t;\nENDREP;"), 4, 5, "nvfp-flow");
    first_error(&nv2("MOV result.color, fragment.texcoord[A0.x];"), 3, 19, "nvfp-flow");
    first_error(&nv2(&("REP {1};\n".repeat(5) + &"ENDREP;\n".repeat(5))), 7, 1, "nvfp-limit");
}

#[test]
fn all_errors_of_a_text_are_reported() {
    let (_, diags) = parse("MOV R9, R1;\nFOO R1;\nMOV R0, R1.xy;", None);
    assert_eq!(diags.iter().filter(|d| d.is_error()).count(), 3);
}

#[test]
fn a_test_before_any_update_is_a_warning() {
    let (program, diags) = parse("!!FP1.0\nSGER H0.x, R0, R1;\nKIL   NE.x;\nMOVR o[COLR], H0;\nEND", None);
    assert!(program.is_some());
    assert_eq!(diags.len(), 1);
    assert!(!diags[0].is_error());
}

#[test]
fn names_beyond_the_register_files_are_free() {
    read("!!FP1.0\nDECLARE R37;\nDECLARE TEX24;\nMOVR o[COLR], R37;\nEND");
    // Option opcodes and condition names are ordinary words without the option.
    read("!!ARBfp1.0\nTEMP DDX, EQ;\nMOV EQ, fragment.color;\nMOV DDX, EQ;\nMOV result.color, DDX;\nEND");
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
        for dialect in Dialect::ALL {
            let _ = parse(&text, Some(dialect));
        }
        let _ = parse(&text, None);
    }

    #[test]
    fn random_pieces_never_panic_and_what_is_read_round_trips(
        header in prop_oneof![Just(""), Just("!!FP1.0 "), Just("!!ARBfp1.0 "), Just("!!ARBfp1.0 OPTION NV_fragment_program2; ")],
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
