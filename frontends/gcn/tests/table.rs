//! The rows are sound, every word of every row keeps its bits through text, and words are those of an open assembler.

use parallax_gcn::{PROGRAMS, TABLE};
use parallax_isa::{Coverage, Generator, Stream, check};

#[test]
fn the_table_is_sound() {
    assert_eq!(check(&TABLE), Vec::<String>::new());
}

#[test]
fn every_row_keeps_its_bits_through_text() {
    let (codec, mut generator) = (&*PROGRAMS.codec, Generator::new(11));
    let mut coverage = Coverage::new(codec);
    for (id, row) in codec.rows() {
        let mut kept = 0;
        for _ in 0..200 {
            let code = generator.word(codec, id, false).expect("rows have words");
            let mut bytes = Vec::new();
            PROGRAMS.stream.put(&code, &mut bytes);
            // Words whose sources are no registers and no constants are listed as numbers.
            let [(place, line)] = &PROGRAMS.list(&bytes)[..] else { panic!("{}: one instruction", row.name) };
            assert_eq!(*place, 0..bytes.len());
            let text = match line {
                Ok(text) => text,
                Err((text, diag)) => {
                    assert_eq!((diag.code, &text[..6]), ("gcn-operand", ".long "));
                    text
                }
            };
            kept += usize::from(line.is_ok());
            coverage.word(codec, code);
            assert_eq!(PROGRAMS.assemble_bytes(text).0.as_deref(), Some(&bytes[..]), "{text}");
        }
        assert!(kept > 10, "{}: {kept}", row.name);
    }
    assert!(coverage.report(codec).contains("0 words rejected"));
}

/// What `llvm-mc -arch=amdgcn -mcpu=tonga -show-encoding` of LLVM 14 says, which has `-v2` for `neg(v2)`.
#[test]
fn words_are_those_of_an_open_assembler() {
    let known: [(&str, &[u8]); 31] = [
        ("v_mov_b32 v1, v2", &[0x02, 0x03, 0x02, 0x7e]),
        ("v_mov_b32 v1, 0x3e99999a", &[0xff, 0x02, 0x02, 0x7e, 0x9a, 0x99, 0x99, 0x3e]),
        ("v_cvt_f32_i32 v1, v2", &[0x02, 0x0b, 0x02, 0x7e]),
        ("v_cvt_i32_f32 v1, v2", &[0x02, 0x11, 0x02, 0x7e]),
        ("v_fract_f32 v1, v2", &[0x02, 0x37, 0x02, 0x7e]),
        ("v_floor_f32 v1, v2", &[0x02, 0x3f, 0x02, 0x7e]),
        ("v_exp_f32 v1, 64", &[0xc0, 0x40, 0x02, 0x7e]),
        ("v_log_f32 v1, -16", &[0xd0, 0x42, 0x02, 0x7e]),
        ("v_rcp_f32 v1, s3", &[0x03, 0x44, 0x02, 0x7e]),
        ("v_rsq_f32 v1, 0.5", &[0xf0, 0x48, 0x02, 0x7e]),
        ("v_sqrt_f32 v1, -4.0", &[0xf7, 0x4e, 0x02, 0x7e]),
        ("v_add_f32 v1, v2, v3", &[0x02, 0x07, 0x02, 0x02]),
        ("v_sub_f32 v1, v2, v3", &[0x02, 0x07, 0x02, 0x04]),
        ("v_mul_f32 v1, s101, v3", &[0x65, 0x06, 0x02, 0x0a]),
        ("v_min_f32 v1, v2, v3", &[0x02, 0x07, 0x02, 0x14]),
        ("v_max_f32 v1, v2, v3", &[0x02, 0x07, 0x02, 0x16]),
        ("v_mac_f32 v1, 0.15915494, v3", &[0xf8, 0x06, 0x02, 0x2c]),
        ("v_mad_f32 v1, v2, v3, v4", &[0x01, 0x00, 0xc1, 0xd1, 0x02, 0x07, 0x12, 0x04]),
        ("v_mad_f32 v1, neg(v2), |v3|, neg(1.0) clamp", &[0x01, 0x82, 0xc1, 0xd1, 0x02, 0x07, 0xca, 0xa3]),
        ("v_mad_f32 v1, neg(|v2|), v3, v4 mul:2", &[0x01, 0x01, 0xc1, 0xd1, 0x02, 0x07, 0x12, 0x2c]),
        ("v_add_f32_e64 v1, v2, s3 clamp mul:4", &[0x01, 0x80, 0x01, 0xd1, 0x02, 0x07, 0x00, 0x10]),
        ("v_add_f32_e64 v1, neg(v2), neg(|s3|) div:2", &[0x01, 0x02, 0x01, 0xd1, 0x02, 0x07, 0x00, 0x78]),
        ("v_mul_f32_e64 v1, v2, v3", &[0x01, 0x00, 0x05, 0xd1, 0x02, 0x07, 0x02, 0x00]),
        ("v_interp_p1_f32 v2, v0, attr3.y", &[0x00, 0x0d, 0x08, 0xd4]),
        ("v_interp_p2_f32 v2, v1, attr3.y", &[0x01, 0x0d, 0x09, 0xd4]),
        ("exp mrt0 v0, v1, v2, v3 done vm", &[0x0f, 0x18, 0x00, 0xc4, 0x00, 0x01, 0x02, 0x03]),
        ("exp mrt7 v0, v1, v2, v3", &[0x7f, 0x00, 0x00, 0xc4, 0x00, 0x01, 0x02, 0x03]),
        ("s_endpgm", &[0x00, 0x00, 0x81, 0xbf]),
        ("v_add_f32_e32 v1, 2.0, v3", &[0xf4, 0x06, 0x02, 0x02]),
        ("v_add_f32 v1, 0.1, v3", &[0xff, 0x06, 0x02, 0x02, 0xcd, 0xcc, 0xcc, 0x3d]),
        ("v_add_f32 v1, -17, v3", &[0xff, 0x06, 0x02, 0x02, 0xef, 0xff, 0xff, 0xff]),
    ];
    for (text, bytes) in known {
        assert_eq!(PROGRAMS.assemble_bytes(text).0.as_deref(), Some(bytes), "{text}");
    }
}
