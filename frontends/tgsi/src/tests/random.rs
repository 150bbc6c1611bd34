//! Random and damaged texts: never a panic, and what reads prints and reads back.

use super::rows::program_for;
use crate::{Opcode, lift, parse, print};
use parallax_lift::Options;
use proptest::prelude::*;

/// Whatever a text is, the frontend answers.
fn survive(text: &str) {
    let (program, diags) = parse(text);
    assert_eq!(program.is_none(), diags.iter().any(|d| d.is_error()));
    for diag in &diags {
        assert!(crate::CODES.iter().any(|c| c.0 == diag.code), "{diag}");
        if let Some(span) = diag.span {
            assert!(span.start <= span.end && span.end as usize <= text.len());
            assert!(text.is_char_boundary(span.start as usize), "{diag}");
        }
    }
    let Some(program) = program else { return };
    let printed = print(&program);
    let (again, diags) = parse(&printed);
    assert!(diags.is_empty(), "{diags:?}\n{printed}");
    assert_eq!(print(&again.unwrap()), printed);
    if let Ok(shader) = lift(&program, &Options::default()) {
        assert!(parallax_core::verify(&shader).is_ok(), "{printed}");
    }
}

/// Words and marks of the language, in any order.
fn soup() -> impl Strategy<Value = String> {
    let words: Vec<String> = "FRAG VERT DCL IMM PROPERTY IN OUT TEMP CONST ADDR SAMP SVIEW NULL ARRAY COLOR GENERIC LOCAL \
        PERSPECTIVE 2D FLT32 INT32 FLT64 xyzw xy x wwww MOV ADD_SAT MAD_PRECISE IF ELSE ENDIF BGNLOOP ENDLOOP BRK CONT \
        SWITCH CASE DEFAULT ENDSWITCH CAL RET BGNSUB ENDSUB END KILL TEX [ ] ( ) { } , . .. : | - + 0 1 2 7 0x7fc00000 1.5 \
        -1 é \" # ; FS_COORD_ORIGIN UPPER_LEFT STREAM LOAD COHERENT BUFFER"
        .split_whitespace()
        .map(str::to_string)
        .chain(["\n".to_string(), "\r".to_string(), "\t".to_string(), "MOV OUT[0], IN[0]\n".to_string()])
        .collect();
    let word = (proptest::sample::select(words), any::<bool>());
    prop::collection::vec(word, 0..60)
        .prop_map(|words| words.into_iter().map(|(w, space)| if space { w + " " } else { w }).collect())
}

/// A readable program of random instructions and blocks.
fn program() -> impl Strategy<Value = String> {
    let line = (0usize..40, 0usize..4, 0usize..4, 0usize..4, 0usize..8).prop_map(|(kind, a, b, c, m)| {
        let mask = ["", ".x", ".yz", ".w", ".xyz", ".xw", ".y", ".xyzw"][m];
        let src = |n: usize| {
            [
                "IN[0]",
                "-TEMP[1].wzyx",
                "|CONST[1].xxxx|",
                "IMM[0]",
                "TEMP[2].yyyy",
                "-|IN[1]|",
                "OUT[0]",
                "ADDR[0].xxxx",
                "TEMP[ADDR[0].x+1]",
                "CONST[ADDR[0].y-1]",
                "IN[ADDR[0].z]",
            ][(n * 5 + kind + m) % 11]
                .to_string()
        };
        let int = |n: usize| src(n).replace('|', "");
        match kind {
            0 | 1 => format!("UIF {}", int(a)),
            2 => format!("IF {}", src(a)),
            3 => "ELSE".into(),
            4 | 5 => "ENDIF".into(),
            6 => "BGNLOOP".into(),
            7 => "ENDLOOP".into(),
            8 => "BRK".into(),
            9 => "CONT".into(),
            10 => "RET".into(),
            11 => format!("SWITCH {}", int(a)),
            12 => "CASE IMM[0].yyyy".into(),
            13 => "DEFAULT".into(),
            14 => "ENDSWITCH".into(),
            15 => format!("UARL ADDR[0]{mask}, {}", int(b)),
            16 => format!("KILL_IF {}", src(a)),
            17 => format!("MOV TEMP[ADDR[0].x]{mask}, {}", src(b)),
            18 => format!("DDX_FINE TEMP[{c}]{mask}, {}", src(b)),
            19 => format!("CMP_SAT TEMP[{c}]{mask}, {}, {}, {}", src(a), src(b), src(c)),
            20..=24 => format!("MOV TEMP[{c}]{mask}, {}", src(b)),
            25..=28 => format!("UADD TEMP[{c}]{mask}, {}, {}", int(a), int(b)),
            29..=32 => format!("MUL TEMP[{c}]{mask}, {}, {}", src(a), src(b)),
            33 => format!("UCMP TEMP[{c}]{mask}, {}, {}, {}", int(a), src(b), src(c)),
            34 => "CAL :0".into(),
            _ => format!("ADD OUT[0]{mask}, {}, {}", src(a), src(b)),
        }
    });
    prop::collection::vec(line, 0..40).prop_map(|lines| {
        // Close what is open and leave out what does not fit, so that most programs are accepted.
        let mut open: Vec<&str> = Vec::new();
        let mut text = String::from(
            "FRAG\nDCL IN[0..1], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL CONST[0..3]\nDCL TEMP[0..3]\nDCL ADDR[0]\n\
             IMM[0] INT32 {0, 1, 2, 3}\n0: BGNSUB\nMOV TEMP[3], IN[0]\nUIF TEMP[3].xxxx\nRET\nENDIF\nMOV TEMP[3], IMM[0]\nENDSUB\n",
        );
        for line in &lines {
            let word = line.split(' ').next().unwrap_or("");
            let top = open.last().copied();
            let fits = match word {
                "IF" | "UIF" => {
                    open.push("ENDIF");
                    true
                }
                "ELSE" if top == Some("ENDIF") => {
                    *open.last_mut().unwrap() = "ENDIF ";
                    true
                }
                "ENDIF" => top.is_some_and(|t| t.trim() == "ENDIF") && open.pop().is_some(),
                "BGNLOOP" => {
                    open.push("ENDLOOP");
                    true
                }
                "SWITCH" => {
                    open.push("ENDSWITCH");
                    true
                }
                "ENDLOOP" | "ENDSWITCH" => top == Some(word) && open.pop().is_some(),
                "ELSE" => false,
                "CASE" => top.is_some_and(|t| t.trim() == "ENDSWITCH"),
                "DEFAULT" if top == Some("ENDSWITCH") => {
                    *open.last_mut().unwrap() = "ENDSWITCH ";
                    true
                }
                "DEFAULT" => false,
                "BRK" => open.iter().any(|o| !o.starts_with("ENDIF")),
                "CONT" => open.contains(&"ENDLOOP"),
                _ => true,
            };
            if fits {
                text += line;
                text.push('\n');
            }
        }
        while let Some(end) = open.pop() {
            text += end;
            text.push('\n');
        }
        text + "END\n"
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn any_characters(text in "\\PC{0,200}") {
        survive(&text);
        survive(&format!("FRAG\n{text}"));
    }

    #[test]
    fn any_words(text in soup()) {
        survive(&text);
        survive(&format!("FRAG\n{text}\nEND"));
    }

    #[test]
    fn cut_short(text in program(), cut in 0.0..1.0f64) {
        let at = (text.len() as f64 * cut) as usize;
        survive(&text[..at]);
        survive(&text[at..]);
    }

    #[test]
    fn one_byte_wrong(text in program(), at in any::<prop::sample::Index>(), byte in 1u8..128) {
        let mut bytes = text.into_bytes();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        survive(&String::from_utf8(bytes).unwrap());
    }

    #[test]
    fn programs_are_accepted_and_lift(text in program()) {
        let (program, diags) = parse(&text);
        prop_assert!(diags.is_empty(), "{:?}\n{}", diags, text);
        let lifted = lift(&program.unwrap(), &Options::default());
        prop_assert!(lifted.is_ok(), "{:?}\n{}", lifted.err(), text);
        survive(&text);
    }
}

#[test]
fn rows_cut_at_every_byte() {
    for op in Opcode::all().step_by(7) {
        let text = program_for(op);
        let start = text.find("IMM").unwrap();
        for at in (start..text.len()).chain(0..12) {
            survive(&text[..at]);
        }
    }
}
