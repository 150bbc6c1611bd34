//! Long NV fragment programs, one per dialect.

use parallax_corpus::File;

/// A dialect with its name in benchmark ids and a long program in it.
#[derive(Clone, Debug)]
pub struct Dialect {
    /// Name.
    pub name: &'static str,
    /// What comes before the instructions.
    head: &'static str,
    /// Instructions, used in turn.
    body: &'static [&'static str],
    /// What comes after them.
    tail: &'static str,
    /// Most instructions the dialect allows, those of `tail` left out.
    limit: usize,
}

/// All dialects.
pub const DIALECTS: [Dialect; 4] = [
    Dialect {
        name: "patent",
        head: "#define TINT 7\n",
        body: &[
            "MUL R0, p[4], c[0];",
            "MAD R1.xyz, R0.wzyx, c[1].x, -R1;",
            "DP3 R2.x, R1, R0;",
            "RSQ R2.x, R2.x;",
            "MUL H8.xyz, R2.x, R1;",
            "ADDc H9.xy, H8, -c[TINT];",
            "MOV H9.xy(LT.xyzz), H8;",
            "TEX H10, p[5], 0, 2D;",
            "LIT R3, R2;",
            "MAX H9, H9, -H10;",
        ],
        tail: "MOV H0, H9;\n",
        limit: 127,
    },
    Dialect {
        name: "fp1.0",
        head: "!!FP1.0\nDECLARE tint = {1, 0.5, 0.25, 1};\nDEFINE two = 2;\n",
        body: FP10,
        tail: "MOVR o[COLR], R3;\nEND\n",
        limit: 1023,
    },
    Dialect {
        name: "arbfp1.0",
        head: "!!ARBfp1.0\nPARAM c[3] = { program.local[0..1], { 4, 8 } };\nATTRIB uv = fragment.texcoord[0];\nTEMP R0, R1, R2, R3;\n",
        body: &[
            "MUL R0, uv, c[0];",
            "MAD R1.xyz, R0.wzyx, c[1].x, -R1;",
            "DP3 R2.x, R1, R0;",
            "RSQ R2.x, R2.x;",
            "MUL_SAT R1.xyz, R2.x, R1;",
            "TEX R3, fragment.texcoord[1], texture[0], 2D;",
            "LRP R3.rgb, c[2].x, R3, fragment.color;",
            "CMP R2, -R1, R3.wwww, 0.5;",
            "SWZ R0, R2, -x, 0, 1, w;",
            "POW R0.w, R1.x, c[2].y;",
        ],
        tail: "MOV result.color, R3;\nEND\n",
        limit: 1023,
    },
    Dialect {
        name: "arbfp1.0 with NV_fragment_program2",
        head: "!!ARBfp1.0\nOPTION NV_fragment_program2;\nPARAM c[3] = { program.local[0..1], { 4, 8 } };\nTEMP R0, R1, R2, R3;\nSHORT TEMP H0, H1;\n",
        body: &[
            "MULR R0, fragment.texcoord[0], c[0];",
            "MADR R1.xyz, R0.wzyx, c[1].x, -R1;",
            "DP3RC H0.x, R1, |R0|;",
            "MOVH H1.xyz(GT.x), -R1;",
            "NRMH H0.xyz, H1;",
            "TEX R3, fragment.texcoord[1], texture[0], 2D;",
            "IF GT.x;",
            "LRPX_SAT H1, H0, R3, c[2].x;",
            "ENDIF;",
            "SGERC R2.xy, R3, 0.5;",
        ],
        tail: "MOVR result.color, R3;\nEND\n",
        limit: 1023,
    },
];

const FP10: &[&str] = &[
    "MULR R0, f[TEX0], p[0];",
    "MADR R1.xyz, R0.wzyx, tint, -R1;",
    "DP3R R2.x, R1, R0;",
    "RSQR R2.x, |R2.x|;",
    "MULH H1.xyz, R2.x, R1;",
    "ADDXC H2.xy, H1, -two;",
    "MOVH H2.xy (LT.xyzz), H1;",
    "TEX H3, f[TEX1], TEX0, 2D;",
    "LRPH_SAT H2, H1.x, H2, -H3;",
    "MAXR R3, R1, {0.25, 0.5}.xxyy;",
];

impl Dialect {
    /// The longest program of about `instructions` instructions the dialect allows.
    pub fn long_text(&self, instructions: usize) -> String {
        // Blocks stay whole.
        let count = instructions.min(self.limit) / self.body.len() * self.body.len();
        let mut out = String::from(self.head);
        for instruction in self.body.iter().cycle().take(count) {
            out.push_str(instruction);
            out.push('\n');
        }
        out.push_str(self.tail);
        out
    }
}

/// A program of 64 instructions that mixes formats, for what depends on the number of instructions.
pub fn sixty_four() -> String {
    let mut out = String::from(DIALECTS[1].head);
    FP10.iter().cycle().take(63).for_each(|instruction| {
        out.push_str(instruction);
        out.push('\n');
    });
    out + DIALECTS[1].tail
}

/// The NV programs of the corpus.
pub fn corpus() -> Vec<&'static File> {
    parallax_corpus::shaders().filter(|file| file.folder() == "nvfp").collect()
}
