//! Straight programs of any length in every instruction set, in which each instruction needs earlier ones.

use parallax::{FRONTENDS, LoadOptions};
use parallax_lift::Layout;

/// An instruction set, and how a program of it is written.
#[derive(Copy, Clone, Debug)]
pub struct Straight {
    /// The set, as `--from` names it.
    pub set: &'static str,
    /// What comes before the instructions.
    head: &'static str,
    /// Instructions, used in turn; `#` is the number of the turn, `@` that of the turn before.
    body: &'static [&'static str],
    /// What comes after them.
    tail: &'static str,
    /// Most instructions of a program.
    pub limit: usize,
}

/// All instruction sets. Values have a factor below one on their way round, so that numbers stay finite.
pub const STRAIGHT: [Straight; 8] = [
    Straight {
        set: "tgsi",
        head: "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL CONST[0][0..3]\nDCL TEMP[0..3]\nDCL SAMP[0]\n\
               DCL SVIEW[0], 2D, FLOAT\nMOV TEMP[0], IN[0]\nMOV TEMP[2], IN[0]\n",
        body: &[
            "MUL TEMP[1], TEMP[0], CONST[0][0]",
            "MAD TEMP[2].xyz, TEMP[1].wzyx, CONST[0][1].xxxx, -TEMP[0]",
            "DP3 TEMP[3].x, TEMP[2], TEMP[1]",
            "RCP TEMP[3].x, TEMP[3].xxxx",
            "MAX TEMP[0], TEMP[1], TEMP[3].xxxx",
            "FRC TEMP[0].x, TEMP[2]",
            "TEX TEMP[3], TEMP[0], SAMP[0], 2D",
            "ADD TEMP[0].yzw, TEMP[0], TEMP[3]",
        ],
        tail: "MOV OUT[0], TEMP[0]\nEND\n",
        limit: usize::MAX,
    },
    Straight {
        set: "nvfp",
        head: "!!ARBfp1.0\nTEMP R0, R1, R2, R3;\nMOV R0, fragment.texcoord[0];\nMOV R2, fragment.texcoord[0];\n",
        body: &[
            "MUL R1, R0, program.local[0];",
            "MAD R2.xyz, R1.wzyx, program.local[1].x, -R0;",
            "DP3 R3.x, R2, R1;",
            "RCP R3.x, R3.x;",
            "MAX R0, R1, R3.x;",
            "FRC R0.x, R2;",
            "TEX R3, R0, texture[0], 2D;",
            "ADD R0.yzw, R0, R3;",
        ],
        tail: "MOV result.color, R0;\nEND\n",
        limit: 1000,
    },
    Straight {
        set: "nv40",
        head: "MOVR R0, f[TEX0];\nMOVR R2, f[TEX0];\n",
        body: &[
            "MULR R1, R0, {0.3, 0.2, 0.4, 0.5};",
            "MADR R2.xyz, R1.wzyx, {0.7, 0.2, 0.4, 0.5}.x, -R0;",
            "DP3R R3.x, R2, R1;",
            "RCPR R3.x, R3.x;",
            "MAXR R0, R1, R3.x;",
            "FRCR R0.x, R2;",
            "TEX R3, R0, TEX0;",
            "ADDR R0.yzw, R0, R3;",
        ],
        tail: "MOVR R0, R0;\n",
        limit: 65_000,
    },
    Straight {
        set: "attila",
        head: "mov r0, i0\nmov r2, i0\n",
        body: &[
            "mul r1, r0, c0",
            "mad r2.xyz, r1.wzyx, c1.x, -r0",
            "dp3 r3.x, r2, r1",
            "rcp r3.x, r3.x",
            "max r0, r1, r3.x",
            "frc r0.x, r2",
            "tex r3, r0, t0",
            "add r0.yzw, r0, r3",
        ],
        tail: "mov o1, r0\n",
        limit: usize::MAX,
    },
    Straight {
        set: "spa5",
        head: ".header type 2\n.header version 3\n.header stage pixel\n.header sass_version 1\n.header position w\n\
               .header generic0 perspective perspective unused unused\n.header target0 rgba\n\
               IPA.PASS R0, a[0x7c], RZ &wr=0 ?stall2\nMUFU.RCP R0, R0 &req={0} &wr=0 ?stall2\n\
               IPA R1, a[0x80], R0 &req={0} &wr=0 ?stall2\nIPA R2, a[0x84], R0 &req={0} &wr=0 ?stall2\n\
               MOV R0, R1 &req={0} ?stall6\nMOV R3, R2 ?stall6\n",
        body: &[
            "FMUL R0, R0, c[0x0][0x0] ?stall6",
            "FFMA R1, R0, c[0x0][0x4], -R3 ?stall6",
            "FADD R2, R1, R0 ?stall6",
            "MUFU.RCP R3, R2 &wr=0 ?stall2",
            "FMNMX R0, R1, R3, !PT &req={0} ?stall6",
            "FADD.SAT R3, R2, R0 ?stall6",
        ],
        tail: "EXIT ?stall15\n",
        limit: usize::MAX,
    },
    Straight {
        set: "usc",
        head: "0: fitrp.pixel r0, drc0, cf4, cf0, 4\n0: wdf drc0\n",
        body: &[
            "0: fmad ft0, sh0, r0, r3\nfmad ft1, sh1, r1, r2\nmov r0, ft0\nmov r1, ft1",
            "0: fadd ft0, r1.neg, r0\nfmul ft1, r3, r0\nmov r2, ft0\nmov r3, ft1",
            "0: fmad ft0, r2, r2, r1\nfadd.sat ft1, r3, r1\nmov r1, ft0\nmov r3, ft1",
        ],
        tail: "0: mov ft0, r0\nmov ft1, r1\nmov o0, ft0\nmov o1, ft1\n0: mov ft0, r2\nmov ft1, r3\nmov o2, ft0\nmov o3, ft1\n0: nop.end\n",
        limit: usize::MAX,
    },
    Straight {
        set: "gcn",
        head: "v_interp_p1_f32 v2, v0, attr0.x\nv_interp_p2_f32 v2, v1, attr0.x\nv_interp_p1_f32 v3, v0, attr0.y\n\
               v_interp_p2_f32 v3, v1, attr0.y\nv_mov_b32 v4, v2\nv_mov_b32 v5, v3\n",
        body: &[
            "v_mul_f32 v4, s0, v4",
            "v_mad_f32 v5, v4, s1, v3",
            "v_mac_f32 v3, v5, v4",
            "v_sub_f32 v2, v3, v5",
            "v_add_f32_e64 v3, v2, v4 clamp",
            "v_max_f32 v5, v3, v2",
        ],
        tail: "exp mrt0 v2, v3, v4, v5 done vm\ns_endpgm\n",
        limit: usize::MAX,
    },
    Straight {
        set: "spirv",
        head: "OpCapability Shader\n%glsl = OpExtInstImport \"GLSL.std.450\"\nOpMemoryModel Logical GLSL450\n\
               OpEntryPoint Fragment %main \"main\" %in %out\nOpExecutionMode %main OriginUpperLeft\nOpDecorate %in Location 0\n\
               OpDecorate %out Location 0\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%float = OpTypeFloat 32\n\
               %v4 = OpTypeVector %float 4\n%pin = OpTypePointer Input %v4\n%pout = OpTypePointer Output %v4\n\
               %in = OpVariable %pin Input\n%out = OpVariable %pout Output\n%main = OpFunction %void None %fn\n%start = OpLabel\n\
               %f0 = OpLoad %v4 %in\n",
        body: &[
            "%a# = OpFMul %v4 %f@ %f@",
            "%b# = OpCompositeExtract %float %a# 1",
            "%c# = OpExtInst %float %glsl Fract %b#",
            "%d# = OpVectorTimesScalar %v4 %a# %c#",
            "%e# = OpVectorShuffle %v4 %d# %a# 1 4 3 6",
            "%f# = OpFSub %v4 %e# %f@",
        ],
        tail: "OpStore %out %f@\nOpReturn\nOpFunctionEnd\n",
        limit: 500_000,
    },
];

impl Straight {
    /// A program of about `instructions` instructions, in whole turns, as text.
    pub fn text(&self, instructions: usize) -> String {
        let turns = instructions.min(self.limit) / self.body.len();
        let mut out = String::from(self.head);
        let numbered = |line: &str, turn: usize| match line.contains(['#', '@']) {
            true => line.replace('#', &turn.to_string()).replace('@', &(turn - 1).to_string()),
            false => line.to_string(),
        };
        for turn in 1..=turns {
            for line in self.body {
                out.push_str(&numbered(line, turn));
                out.push('\n');
            }
        }
        out + &numbered(self.tail, turns + 1)
    }

    /// The same as words, if the set has them; else the text.
    ///
    /// # Panics
    /// If the text does not assemble.
    pub fn program(&self, instructions: usize) -> Vec<u8> {
        let text = self.text(instructions);
        let named = |name: &str| FRONTENDS.iter().find(|frontend| frontend.name == name);
        let frontend = named(self.set).or_else(|| named("nvfp")).expect("a frontend");
        let dialect = (self.set != frontend.name).then_some(self.set);
        let Some(machine) = frontend.machine.as_ref().filter(|_| self.set != "nvfp") else { return text.into_bytes() };
        let layout = Layout { dialect: dialect.or(machine.dialect), ..Layout::default() };
        let (bytes, diags) = (machine.assemble)(&text, &layout, true);
        bytes.unwrap_or_else(|| panic!("{}: {:?}", self.set, diags.first()))
    }

    /// How it is loaded. NV40 is a dialect of NV.
    pub fn options(&self) -> LoadOptions {
        let isa = if self.set == "nv40" { "nvfp" } else { self.set };
        LoadOptions { isa: Some(isa.to_string()), ..LoadOptions::default() }
    }
}
