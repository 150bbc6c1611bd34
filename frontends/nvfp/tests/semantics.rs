//! What programs compute, by the documents' rules: register sharing, precision, condition codes, special values.

use parallax_core::exec::{FUEL, Inputs, NoInterpolator, NoTextures, Outputs, TexQuad, Textures};
use parallax_core::{OutputRole, TexOp, verify};
use parallax_interp::Bytecode;
use parallax_lift::Options;
use parallax_num::Model;
use parallax_nvfp::{lift, parse};

/// A texture that gives one colour.
struct Constant([f32; 4]);

impl Textures for Constant {
    fn sample(&self, _: &TexOp, _: &TexQuad) -> [[u32; 4]; 4] {
        [self.0.map(f32::to_bits); 4]
    }
}

struct Case<'a> {
    model: &'a str,
    text: &'a str,
    settings: &'a [(&'a str, &'a str)],
    /// Numbered parameters, raw bits.
    constants: &'a [[u32; 4]],
    /// Attributes by number; absent ones are zero.
    attrs: &'a [(usize, [u32; 4])],
    texture: Option<[f32; 4]>,
}

/// Watched components of lane 0, and whether the lane was killed.
#[track_caller]
fn run(case: &Case<'_>, watch: &[&str]) -> (Vec<[u64; 4]>, bool) {
    let (program, diags) = parse(case.text, None);
    let program = program.unwrap_or_else(|| panic!("{diags:#?}"));
    let options = Options {
        watch: watch.iter().map(|w| w.to_string()).collect(),
        preset: Vec::new(),
        settings: case.settings.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect(),
        ..Options::default()
    };
    let shader = lift(&program, case.text, &options).unwrap_or_else(|diags| panic!("{diags:#?}"));
    let shader = shader.bind(&Model::builtin(case.model).unwrap());
    let compiled = Bytecode::new(verify(&shader).unwrap_or_else(|diags| panic!("{diags:#?}")));
    let iface = &shader.func.iface;
    let mut attrs = vec![0; iface.attrs.len() * 16];
    for (n, values) in case.attrs {
        for (comp, bits) in values.iter().enumerate() {
            attrs[(n * 4 + comp) * 4..(n * 4 + comp) * 4 + 4].fill(*bits);
        }
    }
    let colour = Constant(case.texture.unwrap_or_default());
    let textures: &dyn Textures = if case.texture.is_some() { &colour } else { &NoTextures };
    let mut outputs = Outputs::default();
    compiled.run(
        &Inputs {
            lanes: 4,
            attrs: &attrs,
            banks: &[case.constants],
            sysvals: &[],
            covered: &[true; 4],
            textures,
            interpolator: &NoInterpolator,
            fuel: FUEL,
        },
        &mut outputs,
    );
    let mut seen = Vec::new();
    for (n, output) in iface.outputs.iter().enumerate() {
        if output.role == OutputRole::Watch {
            seen.push(std::array::from_fn(|c| outputs.planes[n * 4 + c].get(0)));
        }
    }
    (seen, !outputs.covered[0])
}

fn f(values: [f32; 4]) -> [u32; 4] {
    values.map(f32::to_bits)
}

fn wide(values: [f32; 4]) -> [u64; 4] {
    values.map(|v| u64::from(v.to_bits()))
}

const PATENT: Case<'_> =
    Case { model: "nv-patent", text: "", settings: &[], constants: &[], attrs: &[], texture: None };

#[test]
fn a_chunk_read_in_another_format_gives_zero() {
    let constants = [f([9.0; 4]), f([7.0, 6.0, 5.0, 4.0])];
    let case = Case {
        text: "MOV H0,c[0]; MOV R0,c[1]; MOV R6,R0; MOV R7,H0; MOV I1,c[0]; MOV R5,R0;",
        constants: &constants,
        ..PATENT
    };
    let (seen, _) = run(&case, &["R6", "R7", "R5"]);
    // I1 lies in chunk 0 as well: writing it took R0 away.
    assert_eq!(seen, [wide([7.0, 6.0, 5.0, 4.0]), [0; 4], [0; 4]]);
}

#[test]
fn a_partial_write_in_a_new_format_clears_the_rest_of_the_chunk() {
    let case =
        Case { text: "MOV R0,c[0]; MOV H0.y,c[0]; MOV H1.x,c[0];", constants: &[f([1.0, 2.0, 3.0, 4.0])], ..PATENT };
    let (seen, _) = run(&case, &["H0", "H1", "R0"]);
    assert_eq!(seen, [[0, 0x4000, 0, 0], [0x3c00, 0, 0, 0], [0; 4]]);
}

#[test]
fn bits_policy_overlaps_r_and_h() {
    let text = "!!FP1.0\nMOVR R0, 5;\nMOVR R2, p[0];\nMOVH H4, 0;\nMOVR R6, R2;\nMOVR R7, R0;\nMOVH H1.x, 1;\nMOVR R5, R0;\nMOVR o[COLR], R7;\nEND";
    let case =
        Case { model: "nv40", text, settings: &[("alias", "bits")], constants: &[f([1.0, 2.0, 3.0, 4.0])], ..PATENT };
    let (seen, _) = run(&case, &["R6", "R7", "R5"]);
    assert_eq!(seen[0], wide([0.0, 0.0, 3.0, 4.0]));
    assert_eq!(seen[1], wide([5.0; 4]));
    // H1.x is the low half of R0.z.
    assert_eq!(seen[2], wide([5.0, 5.0, f32::from_bits(0x40a0_3c00), 5.0]));
}

#[test]
fn zero_wins_and_infinity_is_what_nan_looks_like_in_the_patent() {
    let inf = f32::INFINITY;
    let constants = [f([0.0, 0.0, inf, 1.0]), f([inf, f32::NAN, -inf, 3.0])];
    let case = Case {
        text: "MUL R0,c[0],c[1]; ADDc R1,c[1],-c[1]; MAX R2,c[1],c[0]; MOV I7,c[1];",
        constants: &constants,
        ..PATENT
    };
    let (seen, _) = run(&case, &["R0", "R2", "I7"]);
    assert_eq!(seen[0][0], 0);
    assert_eq!(seen[0][1], 0);
    assert_eq!(seen[0][2], u64::from((-inf).to_bits()));
    // MAX reads NaN as an infinity and keeps it; fixed point clamps it.
    assert_eq!(seen[1][0], u64::from(inf.to_bits()));
    assert_eq!(seen[2].map(|w| w & 0xfff), [0x7ff, 0x7ff, 0x800, 0x7ff]);
}

#[test]
fn condition_codes_follow_the_converted_value_of_written_components() {
    // 1e-9 rounds to zero in half, so its code is EQ; w is masked off and keeps its initial EQ.
    let constants = [f([2.0, -2.0, 1e-9, 5.0]), f([10.0, 20.0, 30.0, 40.0])];
    let case = Case {
        text: "MOVc HC.xyz,c[0]; MOV R0,c[1]; MOV R0(GT),c[0]; MOV R1.xy(LT.yxzw),c[1];",
        constants: &constants,
        ..PATENT
    };
    let (seen, _) = run(&case, &["cc", "R0", "R1"]);
    assert_eq!(seen[0], [2, 0, 1, 1]);
    assert_eq!(seen[1], wide([2.0, 20.0, 30.0, 40.0]));
    assert_eq!(seen[2], wide([10.0, 0.0, 0.0, 0.0]));
}

#[test]
fn a_killed_lane_reports_the_state_at_its_kill() {
    let constants = [f([-1.0; 4]), f([3.0; 4])];
    let case =
        Case { text: "MOVc R0,c[0]; KIL LT.x; MOV R0,c[1]; KIL LT; MOV R0,c[0];", constants: &constants, ..PATENT };
    let (seen, killed) = run(&case, &["R0", "cc"]);
    assert!(killed);
    assert_eq!(seen, [wide([-1.0; 4]), [0; 4]]);
    let case = Case { text: "MOVc R0,c[0]; KIL GT.x; MOV R0,c[1];", constants: &constants, ..PATENT };
    let (seen, killed) = run(&case, &["R0"]);
    assert!(!killed);
    assert_eq!(seen, [wide([3.0; 4])]);
}

#[test]
fn the_destination_decides_the_precision_in_the_patent_and_the_suffix_in_fp10() {
    // 2049 is no half: 2048 after conversion of the source.
    let constants = [f([2049.0; 4])];
    let case =
        Case { text: "ADD R0,c[0],-c[0].x; ADD H4,c[0],c[0]; MUL I3,c[0],c[0];", constants: &constants, ..PATENT };
    let (seen, _) = run(&case, &["H4", "I3"]);
    assert_eq!(seen[0], [0x6c00; 4]);
    assert_eq!(seen[1].map(|w| w & 0xfff), [0x7ff; 4]);
    let text = "!!FP1.0\nADDH R0, p[0], f[COL0];\nADDR H0, f[TEX0], 1;\nADDH R1, f[TEX0], 1;\nMOVR o[COLR], R0;\nEND";
    let case =
        Case { model: "nvfp", text, constants: &constants, attrs: &[(1, f([1.0; 4])), (4, f([2049.0; 4]))], ..PATENT };
    let (seen, _) = run(&case, &["R0", "H0", "R1"]);
    // At half: 2048 + 1 ties to even, 2048. Texture coordinates force fp32: 2050.
    assert_eq!(seen, [wide([2048.0; 4]), [0x6801; 4], wide([2050.0; 4])]);
}

#[test]
fn packs_move_bits_and_unpacks_read_them() {
    let constants = [f([-1.0, -5.0, 1.0, 0.1]), [0x4020_1008, 0x3c00_c000, 0, 0]];
    let text = "!!FP1.0\nPK4B R0, p[0];\nUP4B R1, R0.x;\nUP4UB R2, -p[1].x;\nUP2H R3, p[1].y;\nMOVR R4, R0;\nMOVR o[COLR], R0;\nEND";
    let case = Case { model: "nvfp", text, constants: &constants, ..PATENT };
    let (seen, _) = run(&case, &["R0", "R1", "R2", "R3", "R4"]);
    assert_eq!(seen[0], [0x8dff_0001; 4]);
    assert_eq!(seen[1], [0xbf80_0000, 0xbf81_0204, 0x3f80_0000, 0x3dd1_a347]);
    assert_eq!(seen[2], [0x3d00_8081, 0x3d80_8081, 0x3e00_8081, 0x3f40_c0c1]);
    assert_eq!(seen[3], [0xc000_0000, 0x3f80_0000, 0xc000_0000, 0x3f80_0000]);
    assert_eq!(seen[4], seen[0]);
}

#[test]
fn lighting_and_partial_logarithms() {
    let constants = [f([0.5, 0.0, 9.0, 0.0]), f([-1.0, 0.5, 9.0, 2.0]), f([-8.0, 10.0, 0.0, 0.0])];
    let case = Case {
        text: "LIT R0,c[0]; LIT R1,c[1]; LOG R2,c[2].x; LOG R3,c[2].z; RSQ R4,c[2].x;",
        constants: &constants,
        ..PATENT
    };
    let (seen, _) = run(&case, &["R0", "R1", "R2", "R3"]);
    assert_eq!(seen[0], wide([1.0, 0.5, 1.0, 1.0]));
    assert_eq!(seen[1], wide([1.0, 0.0, 0.0, 1.0]));
    assert_eq!(seen[2], wide([3.0, 1.0, 3.0, 1.0]));
    assert_eq!(seen[3], wide([-f32::INFINITY, 1.0, -f32::INFINITY, 1.0]));
}

#[test]
fn texels_arrive_in_the_destinations_format() {
    let case = Case { text: "TEX H0,p[4],2,2D; MOV R4,H0;", texture: Some([0.1, 0.2, 0.3, 1.0 / 3.0]), ..PATENT };
    let (seen, _) = run(&case, &["H0", "R4"]);
    assert_eq!(seen[0], [0x2e66, 0x3266, 0x34cd, 0x3555]);
    assert_eq!(seen[1], [0x3dcc_c000, 0x3e4c_c000, 0x3e99_a000, 0x3eaa_a000]);
}

#[test]
fn flow_control_of_the_second_option() {
    // Adds 1 + 3 + 5 + 7 by LOOP index, squares through a subroutine when the last sum was positive.
    let text = "!!ARBfp1.0\nOPTION NV_fragment_program2;\nPARAM n = {4, 0, 1};\nTEMP a, b;\nMOV a, 0;\nMOV b, 0;\n\
                LOOP n;\nADDC a.x, a, fragment.texcoord[A0.x];\nIF GT.x;\nADD b, b, 1;\nELSE;\nBRK;\nENDIF;\nENDLOOP;\n\
                CAL square (GT.x);\nMOV result.color, a;\nRET;\nsquare:\nMUL a.x, a, a;\nRET;\nMUL a.x, a, 0;\nEND";
    let one = |v: f32| f([v, 0.0, 0.0, 0.0]);
    let attrs = [(4, one(1.0)), (5, one(3.0)), (6, one(5.0)), (7, one(7.0))];
    let case = Case { model: "nv-arb", text, attrs: &attrs, ..PATENT };
    let (seen, _) = run(&case, &["a", "b"]);
    assert_eq!(seen[0][0], u64::from(256f32.to_bits()));
    assert_eq!(seen[1], wide([4.0; 4]));
}

#[test]
fn appendix_programs_of_the_patent() {
    // Absolute value, cross product, reduction to one period, blend, conditional assignment.
    let constants = [f([1.5, -2.0, 0.25, -0.0]), f([4.0, 5.0, 6.0, 0.0]), f([0.5, 2.0, 0.0, 0.0])];
    let text = ";Absolute Value H4=abs(R0)\nMOV R0,c[0];\nMOV R1,c[1];\nMAX H4,R0,-R0;\n\
                ;Cross Product into R3\nMUL R3,R0.zxyw,R1.yzxw;\nMAD R3,R0.yzxw,R1.zxyw,-R3;\n\
                #define PERIOD 2; location\nMUL R4,R1,c[PERIOD].x;//divide by period\nFRC R5,R4;\n\
                MUL R5,R5,c[PERIOD].y;//multiply by period\n";
    let case = Case { text, constants: &constants, ..PATENT };
    let (seen, _) = run(&case, &["R3", "R5"]);
    // a x b = (ay bz - az by, az bx - ax bz, ax by - ay bx)
    assert_eq!(seen[0][..3], wide([-13.25, -8.0, 15.5, 0.0])[..3]);
    assert_eq!(seen[1], wide([0.0, 1.0, 0.0, 0.0]));
    let text = "MOV R1,c[0];\nMOV R2,c[1];\nMOVc RC,c[2];\n;R0=(GT.x || LT.y) ? R1 : R2;\nMOV R0,R2;\nMOV R0(GT.x),R1;\nMOV R0(LT.y),R1;\n\
                ;masked write tests the component's own letter\nMOV R3.y,R1.z;\nMOV R3.y(NE.xzww),R2.w;\n";
    let case = Case { text, constants: &constants, ..PATENT };
    let (seen, _) = run(&case, &["R0", "R3"]);
    assert_eq!(seen[0], wide([1.5, -2.0, 0.25, -0.0]));
    // NE.xzww tests z for component y; z of c[2] is 0, so R1.z stays.
    assert_eq!(seen[1], wide([0.0, 0.25, 0.0, 0.0]));
}

#[test]
fn a_move_converts_to_the_destinations_format() {
    let values = [0.5, 0.25, 1.0, 2049.0];
    let half = [0x3800, 0x3400, 0x3c00, 0x6800];
    let constants = [f(values), f([1.0; 4])];
    let attrs = [(1, f(values)), (4, f(values))];
    let seen = |text: &str, watch: &[&str]| {
        run(&Case { model: "nvfp", text, constants: &constants, attrs: &attrs, ..PATENT }, watch).0
    };
    let fp10 = [
        "MOVR H0, {0.5, 0.25, 1, 2049};",
        "DEFINE d = {0.5, 0.25, 1, 2049};\nMOVR H0, d;",
        "MOVR R0, {0.5, 0.25, 1, 2049};\nMOVR H0, R0;",
        "MOVR H0, p[0];",
        "MOVR R0, p[0];\nMOVR H0, R0;",
        "MOVR H0, f[COL0];",
        "MOVH H0, f[TEX0];",
        "MOVR H0, p[1];\nMOVRC RC, p[1];\nMOVR H0 (GT), p[0];",
        // A predicated write leaves bits in the register.
        "MOVRC RC, p[1];\nMOVR R0 (GT), p[0];\nMOVR H0, R0;",
    ];
    for body in fp10 {
        let text = format!("!!FP1.0\n{body}\nMOVR o[COLR], H0;\nEND");
        assert_eq!(seen(&text, &["H0", "o[COLR]"]), [half, wide([0.5, 0.25, 1.0, 2048.0])], "{body}");
    }
    assert_eq!(seen("!!FP1.0\nMOVR o[COLH], {0.5, 0.25, 1, 2049};\nEND", &["o[COLH]"]), [half]);
    // The other way: what a half register holds, as bits too, widens.
    let text = "!!FP1.0\nMOVH H0, {0.5, 0.25, 1, 2049};\nMOVHC HC, H0;\nMOVH H1 (GT), H0;\nMOVH R1, H1;\nMOVH R2, {0.5, 0.25, 1, 2049};\nMOVR o[COLR], R1;\nEND";
    assert_eq!(seen(text, &["R1", "R2"]), [wide([0.5, 0.25, 1.0, 2048.0]); 2]);
    let arb = [
        "MOVR s, p;",
        "MOVR s, {0.5, 0.25, 1, 2049};",
        "TEMP r;\nMOVC r, p;\nIF GT.x;\nMOVR r, p;\nELSE;\nMOVR r, 1;\nENDIF;\nMOVR s, r;",
        "TEMP t;\nMOVC t, p;\nIF GT.x;\nMOVR s, p;\nELSE;\nMOVR s, 1;\nENDIF;",
    ];
    for body in arb {
        let text = format!(
            "!!ARBfp1.0\nOPTION NV_fragment_program2;\nPARAM p = program.local[0];\nSHORT TEMP s;\n{body}\nMOVR result.color, s;\nEND"
        );
        assert_eq!(seen(&text, &["s", "result.color"]), [half, wide([0.5, 0.25, 1.0, 2048.0])], "{body}");
    }
    // A condition code is that of the converted value.
    assert_eq!(seen("!!FP1.0\nMOVRC HC, 1e-9;\nMOVR o[COLR], 0;\nEND", &["cc"]), [[1; 4]]);
}
