//! Bad input: each text with the codes it earns, each at its line and column.

use crate::{CODES, lift, parse};
use parallax_lift::Options;
use parallax_text::{Diag, DiagKind, LineMap};

const HEAD: &str =
    "FRAG\nDCL IN[0], COLOR\nDCL OUT[0], COLOR\nDCL TEMP[0..1]\nDCL ADDR[0]\nDCL CONST[0..3]\nDCL SAMP[0]\n";

/// `code@line:column` of each problem.
fn places(text: &str, diags: &[Diag]) -> String {
    let map = LineMap::new(text);
    let place = |d: &Diag| match d.span {
        Some(span) => {
            let place = map.place(text, span.start);
            format!("{}@{}:{}", d.code, place.line, place.column)
        }
        None => d.code.to_string(),
    };
    diags.iter().map(place).collect::<Vec<_>>().join(" ")
}

fn found(text: &str) -> String {
    places(text, &parse(text).1)
}

/// Texts that stand alone.
const WHOLE: &[(&str, &str)] = &[
    ("", "tgsi-header@1:1"),
    ("  \n", "tgsi-header@2:1"),
    ("FRAGMENT\nEND", "tgsi-header@1:1"),
    ("!!ARBfp1.0\nEND", "tgsi-header@1:1"),
    ("FRAG", "tgsi-missing-end@1:5"),
    ("FRAG\r\nEND\r\n", "tgsi-carriage-return@1:5"),
    ("FRAG\n# a comment\nEND", "tgsi-syntax@2:1"),
    ("FRAG\nDCL\nEND", "tgsi-register@2:4"),
    ("FRAG\nDCL TMP[0]\nEND", "tgsi-register@2:5"),
    ("FRAG\nDCL TEMP\nEND", "tgsi-syntax@2:9"),
    ("FRAG\nDCL TEMP[x]\nEND", "tgsi-number@2:10"),
    ("FRAG\nDCL TEMP[0x4]\nEND", "tgsi-number@2:10"),
    ("FRAG\nDCL TEMP[99999999999]\nEND", "tgsi-number@2:10"),
    ("FRAG\nDCL TEMP[4..2]\nEND", "tgsi-declaration@2:10"),
    ("FRAG\nDCL TEMP[70000]\nEND", "tgsi-limit@2:1"),
    ("FRAG\nDCL CONST[32][0]\nEND", "tgsi-limit@2:1"),
    ("FRAG\nDCL TEMP[0..3]\nDCL TEMP[3]\nEND", "tgsi-redeclared@3:1"),
    ("FRAG\nDCL TEMP[0..3], ARRAY(1)\nDCL TEMP[4], ARRAY(1)\nEND", "tgsi-array@3:1"),
    ("FRAG\nDCL TEMP[0][1]\nEND", "tgsi-declaration@2:1"),
    ("FRAG\nDCL CONST[0..1][2]\nEND", "tgsi-declaration@2:5"),
    ("FRAG\nDCL IN[]\nEND", "tgsi-declaration@2:5"),
    ("FRAG\nDCL IMM[0]\nEND", "tgsi-declaration@2:1"),
    ("FRAG\nDCL IN[0], COLOUR\nEND", "tgsi-declaration@2:12"),
    ("FRAG\nDCL IN[0], PERSPECTIVE, COLOR[1]\nEND", "tgsi-declaration@2:25"),
    ("FRAG\nDCL IN[0], COLOR[\nEND", "tgsi-number@2:18"),
    ("FRAG\nDCL OUT[0].yx, COLOR\nEND", "tgsi-mask@2:12"),
    ("FRAG\nDCL SAMP[0], 2D\nEND", "tgsi-declaration@2:12"),
    ("FRAG\nDCL SVIEW[0]\nEND", "tgsi-declaration@2:13"),
    ("FRAG\nDCL SVIEW[0], 4D, FLOAT\nEND", "tgsi-target@2:15"),
    ("FRAG\nDCL SVIEW[0], 2D, FLOAT, UINT\nEND", "tgsi-declaration@2:30"),
    ("FRAG\nDCL IMAGE[0], 2D, RO\nEND", "tgsi-declaration@2:19"),
    ("FRAG\nDCL MEMORY[0], LOCAL\nEND", "tgsi-declaration@2:16"),
    ("VERT\nDCL IN[0], GENERIC[0]\nEND", "tgsi-declaration@2:10"),
    ("GEOM\nDCL IN[][0], POSITION\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nEND", "tgsi-declaration@2:1"),
    ("TESS_CTRL\nDCL OUT[][0], POSITION\nEND", "tgsi-declaration@2:1"),
    ("FRAG\nIMM[1] FLT32 {0, 0, 0, 0}\nEND", "tgsi-immediate-number@2:5"),
    ("FRAG\nIMM FLT16 {0, 0, 0, 0}\nEND", "tgsi-immediate@2:5"),
    ("FRAG\nIMM FLT32 {0, 0, 0}\nEND", "tgsi-immediate@2:19"),
    ("FRAG\nIMM FLT64 {0, 0, 0}\nEND", "tgsi-immediate@2:16"),
    ("FRAG\nIMM FLT32 {inf, 0, 0, 0}\nEND", "tgsi-immediate@2:12"),
    ("FRAG\nIMM FLT32 {0x123, 0, 0, 0}\nEND", "tgsi-number@2:12"),
    ("FRAG\nIMM FLT32 {- 1, 0, 0, 0}\nEND", "tgsi-immediate@2:14"),
    ("FRAG\nIMM INT32 {2147483648, 0, 0, 0}\nEND", "tgsi-number@2:12"),
    ("FRAG\nIMM INT32 {1.5, 0, 0, 0}\nEND", "tgsi-number@2:12"),
    ("FRAG\nIMM UINT32 {-1, 0, 0, 0}\nEND", "tgsi-number@2:13"),
    ("FRAG\nIMM UINT32 {0x10, 0, 0, 0}\nEND", "tgsi-number@2:13"),
    ("FRAG\nPROPERTY FS_COORD_ORIGINS UPPER_LEFT\nEND", "tgsi-property@2:10"),
    ("FRAG\nPROPERTY FS_COORD_ORIGIN LEFT\nEND", "tgsi-property-value@2:26"),
    ("FRAG\nPROPERTY GS_INVOCATIONS -1\nEND", "tgsi-property-value@2:25"),
    ("COMP\nDCL TEMP[0]\nKILL\nEND", "tgsi-stage@3:1"),
    ("VERT\nDCL TEMP[0]\nKILL_IF TEMP[0]\nEND", "tgsi-stage@3:1"),
    ("FRAG\nIMM INT32 {0, 0, 0, 0}\nEMIT IMM[0]\nEND", "tgsi-stage@3:1"),
    // A declaration that could not be read does not make its registers undeclared.
    ("FRAG\nDCL TEMP[0..\nDCL OUT[0], COLOR\nMOV OUT[0], TEMP[0]\nEND", "tgsi-number@2:13"),
];

/// Bodies behind [`HEAD`]; lines are counted from the first of the body.
const BODIES: &[(&str, &str)] = &[
    ("MOVE OUT[0], IN[0]\nEND", "tgsi-opcode@1:1"),
    ("SUB OUT[0], IN[0], IN[0]\nEND", "tgsi-opcode@1:1"),
    ("MAD_PRECISE_SAT OUT[0], IN[0], IN[0], IN[0]\nEND", "tgsi-opcode@1:1"),
    ("3: MOVE OUT[0], IN[0]\nEND", "tgsi-opcode@1:4"),
    ("3: : MOV OUT[0], IN[0]\nEND", "tgsi-syntax@1:4"),
    ("KILL_IF-IN[0]\nEND", "tgsi-space@1:8"),
    ("ADD OUT[0], IN[0]\nEND", "tgsi-operands@1:18"),
    ("ADD OUT[0], IN[0]", "tgsi-operands@1:18 tgsi-missing-end@1:18"),
    ("ADD OUT[0], IN[0], IN[0], IN[0]\nEND", "tgsi-operands@1:25"),
    ("ADD OUT[0] IN[0], IN[0]\nEND", "tgsi-operands@1:12"),
    ("TEX OUT[0], IN[0], SAMP[0]\nEND", "tgsi-operands@1:27"),
    ("TEX OUT[0], IN[0], SAMP[0], 5D\nEND", "tgsi-target@1:29"),
    ("TEX OUT[0], IN[0], TEMP[0], 2D\nEND", "tgsi-source@1:20"),
    ("TEX OUT[0], IN[0], SAMP[0], 2D, IN[0].xyzw\nEND", "tgsi-swizzle@1:39"),
    ("TEX OUT[0], IN[0], SAMP[0], 2D, IN[0].xyz, IN[0].xyz, IN[0].xyz, IN[0].xyz, IN[0].xyz\nEND", "tgsi-offset@1:77"),
    ("MOV OUT[0].yx, IN[0]\nEND", "tgsi-mask@1:12"),
    ("MOV OUT[0].xx, IN[0]\nEND", "tgsi-mask@1:12"),
    ("MOV OUT[0].rgb, IN[0]\nEND", "tgsi-mask@1:12"),
    ("MOV OUT[0]., IN[0]\nEND", "tgsi-mask@1:12"),
    ("MOV OUT[0], IN[0].x\nEND", "tgsi-swizzle@1:19"),
    ("MOV OUT[0], IN[0].xyzq\nEND", "tgsi-swizzle@1:19"),
    ("MOV OUT[0], |IN[0]|.xxxx\nEND", "tgsi-swizzle@1:20"),
    ("MOV OUT[0], |-IN[0]|\nEND", "tgsi-modifier@1:14"),
    ("MOV OUT[0], |IN[0]\nEND", "tgsi-modifier@1:19"),
    ("MOV OUT[0], +IN[0]\nEND", "tgsi-register@1:13"),
    ("UADD OUT[0], |IN[0]|, IN[0]\nEND", "tgsi-modifier@1:14"),
    ("DADD OUT[0], -IN[0], IN[0]\nEND", "tgsi-modifier@1:14"),
    ("TEX OUT[0], IN[0], -SAMP[0], 2D\nEND", "tgsi-modifier@1:20"),
    ("MOV OUT[0], FOO[0]\nEND", "tgsi-register@1:13"),
    ("MOV OUT[0], IN\nEND", "tgsi-syntax@1:15"),
    ("MOV OUT[0], IN[0\nEND", "tgsi-syntax@1:17"),
    ("MOV OUT[0], TEMP[ADDR[0].x+ 1]\nEND", "tgsi-index@1:29"),
    ("MOV OUT[0], TEMP[ADDR[0].q]\nEND", "tgsi-swizzle@1:26"),
    ("MOV OUT[0], TEMP[IN[0].x]\nEND", "tgsi-index@1:13"),
    ("MOV OUT[0], TEMP[ADDR[1].x]\nEND", "tgsi-undeclared@1:13"),
    ("MOV OUT[0], TEMP[ADDR[0].x](3)\nEND", "tgsi-array@1:13"),
    ("MOV OUT[0], TEMP[0][1]\nEND", "tgsi-index@1:13"),
    ("MOV OUT[0], TEMP[2]\nEND", "tgsi-undeclared@1:13"),
    ("MOV OUT[1], IN[1]\nEND", "tgsi-undeclared@1:5 tgsi-undeclared@1:13"),
    ("MOV OUT[0], CONST[4]\nEND", "tgsi-undeclared@1:13"),
    ("MOV OUT[0], CONST[1][0]\nEND", "tgsi-undeclared@1:13"),
    ("MOV OUT[0], CONST[1][ADDR[0].x]\nEND", "tgsi-undeclared@1:13"),
    ("MOV OUT[0], CONST[65536][ADDR[0].x]\nEND", "tgsi-undeclared@1:13"),
    ("MOV OUT[0], CONST[ADDR[0].x][9]\nEND", "tgsi-undeclared@1:13"),
    ("MOV OUT[0], SV[ADDR[0].x]\nEND", "tgsi-undeclared@1:13"),
    ("MOV OUT[0], IMM[0]\nEND", "tgsi-undeclared@1:13"),
    ("MOV IN[0], OUT[0]\nEND", "tgsi-destination@1:5"),
    ("MOV CONST[0], IN[0]\nEND", "tgsi-destination@1:5"),
    ("STORE TEMP[0], IN[0], IN[0]\nEND", "tgsi-destination@1:7"),
    ("MOV OUT[0], SAMP[0]\nEND", "tgsi-source@1:13"),
    ("LOAD OUT[0], TEMP[0], IN[0]\nEND", "tgsi-source@1:14"),
    ("MOV OUT[0], IN[0] :4\nEND", "tgsi-label@1:19"),
    ("NOP\nDCL TEMP[9]\nIMM FLT32 {0, 0, 0, 0}\nEND", "tgsi-order@2:1 tgsi-order@3:1"),
    ("NOP\nEND\nNOP\nEND", "tgsi-after-end@3:1 tgsi-after-end@4:1"),
    ("NOP", "tgsi-missing-end@1:4"),
    ("IF IN[0]\nEND", "tgsi-unclosed@1:1"),
    ("BGNLOOP\nSWITCH IN[0]\nEND", "tgsi-unclosed@1:1 tgsi-unclosed@2:1"),
    ("BGNSUB\nEND", "tgsi-unclosed@1:1"),
    ("ENDIF\nEND", "tgsi-mismatched@1:1"),
    ("IF IN[0]\nENDLOOP\nENDIF\nEND", "tgsi-mismatched@2:1"),
    ("BGNLOOP\nIF IN[0]\nENDLOOP\nEND", "tgsi-mismatched@3:1"),
    ("IF IN[0]\nELSE\nELSE\nENDIF\nEND", "tgsi-mismatched@3:1"),
    ("IF IN[0]\nBGNSUB\nENDSUB\nENDIF\nEND", "tgsi-mismatched@2:1"),
    ("CASE IN[0]\nEND", "tgsi-mismatched@1:1"),
    ("SWITCH IN[0]\nIF IN[0]\nDEFAULT\nENDIF\nENDSWITCH\nEND", "tgsi-mismatched@3:1"),
    ("SWITCH IN[0]\nDEFAULT\nDEFAULT\nENDSWITCH\nEND", "tgsi-mismatched@3:1"),
    ("SWITCH IN[0]\nCASE IN[0]\nENDSWITCH\nEND", "tgsi-case@2:6"),
    ("BRK\nEND", "tgsi-outside@1:1"),
    ("CONT\nEND", "tgsi-outside@1:1"),
    ("SWITCH IN[0]\nDEFAULT\nCONT\nENDSWITCH\nEND", "tgsi-outside@3:1"),
    ("CAL\nEND", "tgsi-call@1:1"),
    ("CAL :7\nEND", "tgsi-call@1:1"),
    ("CAL :1\nEND", "tgsi-call@1:1"),
    // Errors do not hide each other, nor shift labels or blocks.
    (
        "MOVE OUT[0], IN[0]\nIF IN[0].x\nADD OUT[0], IN[0]\nMOV OUT[0], TEMP[7]\nENDIF\nEND",
        "tgsi-opcode@1:1 tgsi-swizzle@2:10 tgsi-operands@3:18 tgsi-undeclared@4:13",
    ),
    ("CAL :2\nRET\nBGNSUB\nFOO BAR\nENDSUB\nEND", "tgsi-opcode@4:1"),
    ("0: MOV OUT[0], IN[0].q 1: MOV OUT[0], IN[0].w 2: END", "tgsi-swizzle@1:22 tgsi-swizzle@1:45"),
];

#[test]
fn bad_texts_are_refused_where_they_are_bad() {
    for (text, expected) in WHOLE {
        assert_eq!(found(text), *expected, "{text}");
    }
    let lines = HEAD.lines().count() as u32;
    for (body, expected) in BODIES {
        let text = format!("{HEAD}{body}");
        let (program, diags) = parse(&text);
        assert!(program.is_none(), "{body}");
        assert!(diags.iter().all(|d| d.kind == DiagKind::Invalid && d.is_error()), "{body}");
        let shifted: Vec<String> = expected
            .split(' ')
            .map(|place| {
                let (code, rest) = place.split_once('@').unwrap();
                let (line, column) = rest.split_once(':').unwrap();
                format!("{code}@{}:{column}", line.parse::<u32>().unwrap() + lines)
            })
            .collect();
        // Problems come in the order of the text.
        let mut found: Vec<String> = places(&text, &diags).split(' ').map(str::to_string).collect();
        let mut shifted = shifted;
        found.sort();
        shifted.sort();
        assert_eq!(found, shifted, "{body}");
    }
}

fn lift_places(text: &str, options: &Options) -> String {
    let (program, diags) = parse(text);
    assert!(diags.is_empty(), "{diags:?}");
    places(text, &lift(&program.unwrap(), options).unwrap_err())
}

#[test]
fn what_is_not_executed_is_named_where_it_stands() {
    let at = |body: &str| lift_places(&format!("{HEAD}{body}"), &Options::default());
    assert_eq!(
        at("DADD TEMP[0], IN[0], IN[0]\nCLOCK TEMP[0]\nEND"),
        "tgsi-opcode-unsupported@8:1 tgsi-opcode-unsupported@9:1"
    );
    assert_eq!(
        at("TEX OUT[0], IN[0], SAMP[0], SHADOW2D\nTEX OUT[0], IN[0], SAMP[ADDR[0].x], 2D\nEND"),
        "tgsi-target-unsupported@8:1 tgsi-indirect-unsupported@9:20"
    );
    assert_eq!(at("TEX OUT[0], IN[0], SAMP[0], 2D, TEMP[0].xyz\nEND"), "tgsi-offset-unsupported@8:33");
    let alone = |text: &str| lift_places(text, &Options::default());
    assert_eq!(alone("COMP\nEND"), "tgsi-stage-unsupported@1:1");
    assert_eq!(
        alone("FRAG\nDCL SV[0], SAMPLEPOS\nDCL OUT[0], COLOR\nMOV OUT[0], SV[0]\nEND"),
        "tgsi-semantic-unsupported@4:13"
    );
    assert_eq!(
        alone("FRAG\nPROPERTY FS_COORD_ORIGIN LOWER_LEFT\nDCL IN[0], POSITION\nEND"),
        "tgsi-property-unsupported@3:1"
    );
    assert_eq!(
        alone(
            "FRAG\nDCL SAMP[0..1]\nDCL SVIEW[0], 2D, FLOAT\nDCL TEMP[0]\nSAMPLE TEMP[0], TEMP[0], SVIEW[0], SAMP[1]\nEND"
        ),
        "tgsi-sampler-unsupported@5:36"
    );
    assert_eq!(
        alone("FRAG\nDCL TEMP[0..20000]\nDCL ADDR[0]\nMOV TEMP[ADDR[0].x], TEMP[1]\nEND"),
        "tgsi-array-unsupported@4:5"
    );
    assert_eq!(alone("FRAG\nCAL :1\nBGNSUB\nCAL :1\nENDSUB\nEND"), "call-recursion@4:1");
    let unknown = Options { settings: [("alias".to_string(), "x".to_string())].into(), ..Options::default() };
    assert_eq!(lift_places("FRAG\nEND", &unknown), "option-unknown");
}

#[test]
fn every_code_has_a_test() {
    let mut tested: Vec<&str> = Vec::new();
    for (_, expected) in WHOLE.iter().chain(BODIES) {
        tested.extend(expected.split(' ').filter_map(|p| p.split_once('@')).map(|p| p.0));
    }
    let elsewhere: String =
        [include_str!("errors.rs"), include_str!("control.rs"), include_str!("semantics.rs")].concat();
    for (code, meaning) in CODES {
        // Gigabytes of text and deep nesting are impractical here; the lifting kit tests its own.
        let exempt = matches!(*code, "tgsi-size" | "call-depth");
        assert!(exempt || tested.contains(code) || elsewhere.contains(code), "{code}: {meaning}");
    }
    for code in tested {
        assert!(CODES.iter().any(|c| c.0 == code), "{code} is not listed");
    }
}

#[test]
fn help_lines_say_what_to_write() {
    let help = |text: &str| parse(text).1.iter().flat_map(|d| d.help.clone()).collect::<Vec<_>>().join("; ");
    assert_eq!(help("FRAG\nADDD\nEND"), "did you mean `ADD`?");
    assert_eq!(help("FRAG\nSUB\nEND"), "`SUB` was removed from TGSI; use ADD with a negated source");
    assert_eq!(help("FRAG\nDCL IN[0], GENERICS[0]\nEND"), "did you mean `GENERIC`?");
    assert_eq!(help("FRAG\nDCL OUT[0], COLOR\nMOV OUT[0], TEMP[3]\nEND"), "declare it: `DCL TEMP[3]`");
    assert_eq!(help("FRAG\n; comment\nEND"), "TGSI has no comments");
    assert!(help("FRAG\r\nEND\r\n").contains("2 in the text"));
}
