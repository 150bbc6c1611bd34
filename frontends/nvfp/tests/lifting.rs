//! Every opcode lifts to IR that verifies, under every register policy.

use parallax_core::verify;
use parallax_lift::Options;
use parallax_nvfp::{Dialect, Row, Shape, Suffixes, TABLE, Vertex, lift, parse};

fn options(settings: &[(&str, &str)], watch: &[&str]) -> Options {
    Options {
        watch: watch.iter().map(|w| w.to_string()).collect(),
        preset: Vec::new(),
        settings: settings.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect(),
        ..Options::default()
    }
}

#[track_caller]
fn lifts(text: &str, options: &Options) {
    let (program, diags) = parse(text, None);
    let Some(program) = program else { panic!("{text}\n{diags:#?}") };
    let shader = match lift(&program, text, options) {
        Ok(shader) => shader,
        Err(diags) => panic!("{text}\n{diags:#?}"),
    };
    if let Err(diags) = verify(&shader) {
        panic!("{text}\n{diags:#?}");
    }
}

/// A program around one instruction of this row in a dialect.
fn sample(row: &Row, suffix: &str, (dialect, option): (Dialect, &str)) -> Option<String> {
    let (dst, src, image) = match dialect {
        Dialect::Patent => ("R1", "R2", "3, 2D"),
        Dialect::Fp10 => ("R1", "R2", "TEX3, 2D"),
        Dialect::Vp10 | Dialect::Vp11 | Dialect::Vp20 => ("R1", "R2", ""),
        _ => ("t", "s", "texture[3], 2D"),
    };
    let name = row.name;
    let mask = if name == "RFL" { ".xyz" } else { "" };
    let body = match row.shape {
        Shape::None if name == "NOP" => "NOP".to_string(),
        Shape::Load => format!("{name}{suffix} A0.x, {src}.y"),
        Shape::Address => format!("{name}{suffix} A0, A0"),
        Shape::Push => "PUSHA A0".to_string(),
        Shape::Pop => "PUSHA A0;\nPOPA A0".to_string(),
        Shape::Call if matches!(name, "BRA" | "CAL") && dialect != Dialect::Arb => {
            format!("{name} sub;\nsub:\nMOV {dst}, {src}")
        }
        Shape::OptTest if name == "RET" && dialect != Dialect::Arb => "RET (GT.x)".to_string(),
        Shape::V => format!("{name}{suffix} {dst}, -{src}.wzyx"),
        Shape::S => format!("{name}{suffix} {dst}.xz, {src}.y"),
        Shape::VV => format!("{name}{suffix} {dst}{mask}, {src}, {dst}"),
        Shape::SS => format!("{name}{suffix} {dst}, {src}.x, {dst}.y"),
        Shape::VS => format!("{name}{suffix} {dst}, {src}, {dst}.y"),
        Shape::VVV => format!("{name}{suffix} {dst}, {src}, {dst}, {src}"),
        Shape::Swz => format!("{name}{suffix} {dst}, {src}, -x, 0, 1, y"),
        Shape::Tex => format!("{name}{suffix} {dst}, {src}, {image}"),
        Shape::Txd => format!("{name}{suffix} {dst}, {src}, {src}, {src}, {image}"),
        Shape::Kil => match dialect {
            Dialect::Arb => format!("KIL -{src}"),
            _ => "KIL GT.xyzz".to_string(),
        },
        _ => return None,
    };
    Some(match dialect {
        Dialect::Patent => format!("{body};\nMOV H0, R1;"),
        Dialect::Fp10 => format!("!!FP1.0\n{body};\nMOVR o[COLR], R1;\nEND"),
        Dialect::ArbVertex => {
            format!("!!ARBvp1.0\n{option}ADDRESS A0;\nTEMP t, s;\n{body};\nMOV result.position, t;\nEND")
        }
        Dialect::Vp10 | Dialect::Vp11 | Dialect::Vp20 => {
            format!("{}\n{body};\nMOV o[HPOS], R1;\nEND", dialect.header())
        }
        _ => {
            format!("!!ARBfp1.0\nOPTION NV_fragment_program2;\nTEMP t, s;\n{body};\nMOV result.color, t;\nEND")
        }
    })
}

#[test]
fn every_opcode_with_every_suffix_lifts() {
    let mut count = 0;
    for row in TABLE {
        let dialects = [
            (Dialect::Patent, "", row.patent),
            (Dialect::Fp10, "", row.fp10),
            (Dialect::Arb, "", row.nv2),
            (Dialect::ArbVertex, "", row.vertex_suffixes(Vertex::ARB)),
            (Dialect::ArbVertex, "OPTION NV_vertex_program2;\n", row.vertex_suffixes(Vertex::OPTION2)),
            (Dialect::ArbVertex, "OPTION NV_vertex_program3;\n", row.vertex_suffixes(Vertex::OPTION3)),
            (Dialect::Vp10, "", row.vertex_suffixes(Vertex::VP10)),
            (Dialect::Vp11, "", row.vertex_suffixes(Vertex::VP11)),
            (Dialect::Vp20, "", row.vertex_suffixes(Vertex::VP20)),
        ];
        for (dialect, option, allowed) in dialects {
            let Some(allowed) = allowed else { continue };
            for (suffix, needs) in [
                ("", Suffixes::empty()),
                ("R", Suffixes::R),
                ("H", Suffixes::H),
                ("X", Suffixes::X),
                ("C", Suffixes::C),
                ("C1", Suffixes::CODES),
                ("_SAT", Suffixes::SAT),
                ("_SSAT", Suffixes::SSAT),
            ] {
                if !allowed.contains(needs) {
                    continue;
                }
                let Some(text) = sample(row, suffix, (dialect, option)) else { continue };
                lifts(&text, &Options::default());
                count += 1;
            }
        }
    }
    assert!(count > 600, "{count}");
}

#[test]
fn register_policies_lift() {
    let text = "MOV R0, p[4];\nMULc H0.xy(GT.x), p[3], c[2];\nMOV I3, H1;\nKIL LT;\nADD R0, H0, I2;\n";
    for alias in ["dialect", "tagged", "separate", "bits"] {
        lifts(text, &options(&[("alias", alias)], &["R0", "H1", "I3", "cc"]));
    }
}

#[test]
fn flow_control_lifts() {
    lifts(
        "!!ARBfp1.0\nOPTION NV_fragment_program2;\nPARAM n = {4, 1, 2};\nTEMP a, b;\nmain:\nMOVC a, fragment.color;\n\
         LOOP n;\nADDC a, a, fragment.texcoord[A0.x+1];\nIF GT.x;\nBRK (LT.y);\nREP n;\nCAL sub (NE.z);\nENDREP;\nELSE;\n\
         KIL EQ;\nENDIF;\nENDLOOP;\nMOV result.color, a;\nRET;\nsub:\nMUL b, a, a;\nIF GT;\nRET;\nENDIF;\nADD a, b, 1;\n\
         RET (TR);\nEND",
        &options(&[], &["a", "b", "cc"]),
    );
}

#[test]
fn what_cannot_be_lifted_says_so() {
    let refuse = |text: &str, options: &Options| {
        let program = parse(text, None).0.unwrap();
        lift(&program, text, options).unwrap_err().remove(0).code
    };
    let recursive =
        "!!ARBfp1.0\nOPTION NV_fragment_program2;\nCAL a;\nMOV result.color, 1;\nRET;\na:\nCAL a;\nRET;\nEND";
    assert_eq!(refuse(recursive, &Options::default()), "nvfp-recursion");
    let deep = "!!ARBfp1.0\nOPTION NV_fragment_program2;\nCAL a;\nMOV result.color, 1;\nRET;\na:\nCAL b;\nRET;\nb:\n\
                CAL c;\nRET;\nc:\nCAL d;\nRET;\nd:\nCAL e;\nRET;\ne:\nRET;\nEND";
    assert_eq!(refuse(deep, &Options::default()), "nvfp-call-depth");
    assert_eq!(refuse("MOV R0, R1;", &options(&[], &["X9"])), "option-watch");
    let preset = Options { preset: vec!["X9".to_string()], ..Options::default() };
    assert_eq!(refuse("MOV R0, R1;", &preset), "option-preset");
    assert_eq!(refuse("MOV R0, R1;", &options(&[("alias", "none")], &[])), "option-value");
    assert_eq!(refuse(recursive, &options(&[("alias", "tagged")], &[])), "nvfp-alias");
}
