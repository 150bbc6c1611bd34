//! Each row of the opcode table: a program made from it reads, prints, reads back, and lifts or says why not.

use crate::opcode::{Opcode, Operand};
use crate::{lift, parse, print};
use parallax_text::DiagKind;

/// A program around one instruction of the opcode, made from its row alone.
pub(super) fn program_for(op: Opcode) -> String {
    let shape = &op.row().shape;
    if op == Opcode::BARRIER {
        return "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 4\nIMM[0] INT32 {1, 2, 3, 4}\nBARRIER\nEND\n".into();
    }
    let header = match op {
        Opcode::EMIT | Opcode::ENDPRIM => "GEOM",
        _ => "FRAG",
    };
    let mut text = format!(
        "{header}\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL CONST[0][0..3]\nDCL TEMP[0..3]\n\
         DCL ADDR[0]\nDCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\nDCL BUFFER[0]\nIMM[0] INT32 {{1, 2, 3, 4}}\n"
    );
    let mut operands: Vec<String> = Vec::new();
    for n in 0..shape.dsts {
        operands.push(if shape.writes_resource { "BUFFER[0].x".into() } else { format!("TEMP[{n}]") });
    }
    for (n, kind) in shape.srcs().iter().enumerate() {
        operands.push(match kind {
            Operand::Float | Operand::Move => format!("-|IN[0].{}|", ["xyzw", "wzyx", "xxxx", "yzwx", "wwww"][n]),
            Operand::Input => "-|IN[0].wzyx|".into(),
            Operand::Int if op == Opcode::CASE => "IMM[0].yyyy".into(),
            Operand::Int => format!("-CONST[0][{n}]"),
            Operand::Wide => "IN[0]".into(),
            Operand::Sampler => "SAMP[0]".into(),
            Operand::View => "SVIEW[0].wzyx".into(),
            Operand::Resource => "BUFFER[0]".into(),
        });
    }
    if shape.target {
        operands.push("2D".into());
    }
    if op == Opcode::SAMPLE_I_MS {
        text = text.replace("SVIEW[0], 2D,", "SVIEW[0], 2D_MSAA,");
    }
    let line = format!("{op} {}", operands.join(", "));
    text += &match op {
        Opcode::END => String::new(),
        Opcode::CAL => "CAL :2\nRET\nBGNSUB\nENDSUB\n".into(),
        Opcode::RET => "RET\n".into(),
        Opcode::BGNSUB | Opcode::ENDSUB => "BGNSUB\nENDSUB\n".into(),
        Opcode::CONT | Opcode::BRK => format!("BGNLOOP\n{op}\nENDLOOP\n"),
        Opcode::BGNLOOP | Opcode::ENDLOOP => "BGNLOOP :1\nBRK\nENDLOOP :0\n".into(),
        Opcode::IF | Opcode::UIF => format!("{line} :1\nENDIF\n"),
        Opcode::ELSE | Opcode::ENDIF => "UIF IN[0] :1\nELSE :2\nENDIF\n".into(),
        Opcode::SWITCH | Opcode::ENDSWITCH => "SWITCH IN[0]\nENDSWITCH\n".into(),
        Opcode::CASE | Opcode::DEFAULT => format!("SWITCH IN[0]\n{line}\nBRK\nENDSWITCH\n"),
        // Only this shape has its reference value in a second source.
        Opcode::TEX2 => format!("{}\n", line.replace(", 2D", ", SHADOWCUBEARRAY")),
        _ => format!("{line}\n"),
    };
    text + "MOV OUT[0], TEMP[0]\nEND\n"
}

#[test]
fn every_row_reads_prints_and_lifts_or_says_why_not() {
    for op in Opcode::all() {
        let text = program_for(op);
        let (program, diags) = parse(&text);
        assert!(diags.is_empty(), "{op}: {diags:?}\n{text}");
        let program = program.unwrap();
        assert!(program.instructions.iter().any(|i| i.op == op), "{op}");
        let printed = print(&program);
        assert_eq!(print(&parse(&printed).0.unwrap()), printed, "{op}");
        match (lift(&program, &Default::default()), op.row().unsupported()) {
            (Ok(shader), None) => {
                assert!(parallax_core::verify(&shader).is_ok(), "{op}: {}", parallax_core::text::print(&shader));
            }
            (Err(diags), Some(_)) => {
                assert_eq!(diags.len(), 1, "{op}: {diags:?}");
                assert_eq!(diags[0].kind, DiagKind::Unsupported, "{op}");
            }
            (result, row) => panic!("{op}: {row:?} but {result:?}"),
        }
    }
}
