//! The programs: every instruction of the text dialects in every format it has there, shapes of textures, condition codes, flow
//! of control, and small effects.

/// Programs on ordinary numbers, neither NaN nor infinite nor denormal. Where texts subtract, microcode adds the negated operand,
/// which is the same but for the signs of NaNs; where CMP chooses, it moves bits that the text reads as numbers, which is the same
/// but for denormals that a model flushes; where DPH adds w, it adds a product with 1, which is the same but for which of several
/// NaNs comes out.
pub(crate) const ORDINARY: &[&str] = &[
    "choices",
    "condition codes",
    "differences",
    "differences of attributes",
    "homogeneous dot products",
    "short and long",
    "steps on halves with codes",
];

/// Programs whose R and H registers share their bits.
pub(crate) const IN_PLACE: &[&str] = &["second chunk in halves", "chunks in both formats"];

/// Programs that microcode has no instructions for, and why.
pub(crate) const NOT_EXPRESSIBLE: &[(&str, &str)] = &[
    ("patent chunk in two formats", "registers whose formats are told apart by tags"),
    ("patent logarithm in parts", "no instruction for LOG"),
    ("patent exponential in parts", "no instruction for EXP"),
    ("patent fixed point", "registers of fixed point"),
    ("projected cubes", "a cube whose coordinates are divided"),
    ("clamp to both ones", "a clamp to [-1, 1]"),
];

/// Names and texts.
#[rustfmt::skip]
pub(crate) const PROGRAMS: &[(&str, &str)] = &[
    ("patent formats by destination", "\
ADD R0,c[0],p[4]; ADD H4,c[0],c[1]; MUL H5,p[4],c[0]; MOV R6,H4;
"),
    ("patent interpolation in halves", "\
#define WEIGHT 8
MOV H2,c[0]; MOV H3,c[1]; ADD H4,H2,-H3; MAD H4,p[WEIGHT].x,H4,H3;
"),
    ("patent reciprocal roots", "\
RSQ R0,c[0].x; RSQ R1,c[0].y; RSQ R2,c[0].z; RSQ H6,c[0].w; RCP H7,c[1].x; RCP R4,c[1].y;
"),
    ("patent light", "\
LIT R0,c[0]; LIT R1,c[1]; LIT R2,p[5]; DST R3,c[0],p[6];
"),
    ("patent lookup in halves", "\
TEX H0,p[4],2,2D; MOV R4,H0; TEX R5,p[5],0,CUBE; TXP R6,p[6],1,3D;
"),
    ("patent chunk in two formats", "\
MOV H0,c[0]; MOV R0,c[1]; MOV R6,R0; MOV R7,H0;
"),
    ("patent logarithm in parts", "\
LOG R0,c[0].x;
"),
    ("patent exponential in parts", "\
EXP R0,c[0].x;
"),
    ("patent fixed point", "\
MUL I3,c[0],c[1]; MOV R0,c[2];
"),
    ("patent codes", "\
MOVc HC.xyz,c[0]; MOV R0,c[1]; MOV R0(GT),c[0]; MOV R1.xy(LT.yxzw),c[1]; ADDc R2(EQ.x),R0,-R1;
"),
    ("patent kill", "\
MOVc R0,c[0]; KIL LT.x; MOV R0,c[1]; KIL GT.w; MOV R1,p[4];
"),
    ("patent packs", "\
PK2 R0,c[0]; UP2 R1,R0.x; PK4 R2,c[1]; UP4 R3,R2.x; UP2 R5,-R0.x;
"),
    ("patent comparisons", "\
SLT R0,c[0],c[1]; SGE H2,c[0],p[4]; MIN R3,c[0],c[1]; MAX R4,R0,p[5].yxwz; FRC R5,c[0]; FLR R6,c[1];
"),
    ("patent masks", "\
MOV R0.xz,c[0]; MOV H2.yw,-c[1].x; MAD R2.w,R0,p[4],c[0].wzyx; RCP R3.xy,c[2].z; MUL H8.x,H2.y,R0.z;
"),
    ("patent derivatives", "\
DDX R0,p[4]; DDY R1,p[4].wzyx; DP3 R2,R0,R1; DP4 H6,R0,R1;
"),
    ("patent cross product", "\
MOV R0,c[0]; MOV R1,c[1]; MUL R3,R0.zxyw,R1.yzxw; MAD R3,R0.yzxw,R1.zxyw,-R3;
"),
    ("roots of negatives", "\
!!FP1.0
RSQR R0, p[0].x;
RSQR R1, p[0].y;
RSQR R2, p[0].z;
RSQR R3, |p[0].y|;
MOVR o[COLR], R0;
END
"),
    ("unsigned fractions of 16 bits", "\
!!FP1.0
PK2US R0, p[0];
PK2US R1, p[1];
UP2US R2, R0.x;
MOVR o[COLR], R0;
END
"),
    ("signed bytes", "\
!!FP1.0
PK4B R0, p[0];
UP4B R1, R0.x;
MOVR o[COLR], R0;
END
"),
    ("words of parameters", "\
!!FP1.0
UP4UB R0, p[0].x;
UP4UB R1, -p[0].x;
UP2H R2, p[0].y;
MOVR o[COLR], R0;
END
"),
    ("fractions", "\
!!FP1.0
FRCR R0, p[0];
FRCH H4, p[1];
FRCX H5, p[1];
MOVR o[COLR], R0;
END
"),
    ("clamped NaN, and the code of a root", "\
!!FP1.0
MOVR_SAT R0, p[0];
RSQRC RC.x, p[0].w;
MOVR o[COLR], R0;
END
"),
    ("second chunk in halves", "\
!!FP1.0
MOVR R0, 5;
MOVR R2, p[0];
MOVH H4, 0;
MOVR R6, R2;
MOVR R7, R0;
MOVR o[COLR], R7;
END
"),
    ("chunks in both formats", "\
!!FP1.0
MOVR R1, f[TEX0];
ADDH H3.xz, R1, p[0];
MULR R2.yw, R1, H3;
MOVH H4.x, R1;
MADH H5, R2, H4, H3;
MOVR o[COLR], R2;
END
"),
    ("sums in three formats", "\
!!FP1.0
ADDR R0, f[TEX0], p[0];
ADDH R1, R0, p[1];
ADDX H0, R1, R0;
MULX_SAT H1, H0, p[0];
MADH H2, H1, p[1], -H0;
MOVR o[COLR], R0;
END
"),
    ("texture coordinates in binary32", "\
!!FP1.0
ADDH H0, f[TEX3], p[0];
ADDX H1, f[FOGC], p[0];
MULH H2, f[COL0], p[0];
MOVH o[COLH], H0;
END
"),
    ("dot products", "\
!!FP1.0
DP3R R0.x, f[TEX1], p[0];
DP4R R0.yw, f[TEX1], p[1];
DP3H H2, R0, p[2];
DP4X H3, R0, p[3];
MOVR o[COLR], R0;
END
"),
    ("swizzles and signs", "\
!!FP1.0
MOVR R0, -f[TEX0].wzyx;
MOVR R1.xz, |R0.yyxx|;
ADDR R2, -|R0|, R1.zwxy;
MULR R2.w, -R2.x, |p[0].z|;
MOVR o[COLR], R2;
END
"),
    ("comparisons", "\
!!FP1.0
SLTR R0, f[TEX0], p[0];
SGER R1, f[TEX0], p[0];
SGTH H4, R0, p[1];
SLER R3, p[0], f[TEX1];
SEQR R4, R0, R1;
SNEX H10, R0, R3;
STRR R6, R0, R0;
SFLH H14, R0, R0;
MOVR o[COLR], R3;
END
"),
    ("smaller and larger", "\
!!FP1.0
MINR R0, f[TEX0], p[0];
MAXR R1, f[TEX0], p[0];
MINH H4, R0, p[1];
MAXX H5, R1, p[2];
MOVR o[COLR], R0;
END
"),
    ("interpolation", "\
!!FP1.0
LRPR R0, f[TEX0].x, p[0], R1;
LRPH H2, R0, p[1], R0.wzyx;
LRPX_SAT H3, H2.x, p[2], R0;
MOVR o[COLR], R0;
END
"),
    ("powers", "\
!!FP1.0
POWR R0, f[TEX0].x, p[0].x;
EX2R R1, f[TEX0].y;
LG2R R2, |p[0].z|;
POWH H6, R1.x, p[1].w;
EX2H H7, R0.x;
MOVR o[COLR], R0;
END
"),
    ("waves", "\
!!FP1.0
COSR R0, f[TEX0].x;
SINR R1, f[TEX0].y;
COSH H4, p[0].x;
SINH_SAT H5.xy, p[0].y;
MOVR o[COLR], R0;
END
"),
    ("light and distance", "\
!!FP1.0
LITR R0, f[TEX0];
LITH H2, p[0];
DSTR R2, f[TEX1], p[1];
DSTH H6.yw, R2, p[2];
MOVR o[COLR], R0;
END
"),
    ("reflection", "\
!!FP1.0
RFLR R0.xyz, f[TEX0], p[0];
RFLH H2.xyz, R0, p[1];
MOVR o[COLR], R0;
END
"),
    ("two-dimensional transformation", "\
!!FP1.0
X2DR R0, f[TEX0], p[0], R1;
MOVR R1, f[TEX1];
X2DR R2, p[1], R1, R0;
MOVR o[COLR], R2;
END
"),
    ("floor", "\
!!FP1.0
FLRR R0, f[TEX0];
FLRH H2, p[0];
FLRX H3, p[0];
MOVR o[COLR], R0;
END
"),
    ("halves in a word", "\
!!FP1.0
PK2H R0, f[TEX0];
UP2H R1, R0.x;
PK4UB R2.y, p[0];
UP4UB H6, R2.y;
UP4B R4, -R2.y;
MOVR o[COLR], R1;
END
"),
    ("lookups of every shape", "\
!!FP1.0
TEX R0, f[TEX0], TEX0, 1D;
TEX R1, f[TEX1], TEX1, 2D;
TEX H4, f[TEX2], TEX2, 3D;
TEX R3, f[TEX3], TEX3, CUBE;
TEX R4, f[TEX4], TEX4, RECT;
MOVR o[COLR], R0;
END
"),
    ("projected lookups", "\
!!FP1.0
TXP R0, f[TEX0], TEX0, 1D;
TXP R1, f[TEX1], TEX1, 2D;
TXP R2, f[TEX2], TEX2, 3D;
TXP H6.xy, f[TEX3], TEX3, CUBE;
MOVR o[COLR], R1;
END
"),
    ("lookups with derivatives", "\
!!FP1.0
MOVR R0, f[TEX0];
DDXR R1, R0;
DDYR R2, R0;
TXD R3, R0, R1, R2, TEX0, 2D;
TXD_SAT R4, f[TEX1], R1, p[0], TEX2, 3D;
MOVR o[COLR], R3;
END
"),
    ("derivatives", "\
!!FP1.0
DDXR R0, f[TEX0];
DDYR R1, f[TEX0].zwxy;
DDXH H4, p[0];
DDYR R3.xy, -R0;
MOVR o[COLR], R1;
END
"),
    ("dependent lookups", "\
!!FP1.0
TEX R0, f[TEX0], TEX0, 2D;
MADR R0, R0, p[0], f[TEX1];
TEX R1, R0, TEX1, 2D;
MULH H4, R1, R0;
MOVR o[COLR], H4;
END
"),
    ("condition codes", "\
!!FP1.0
SUBRC RC, f[TEX0], p[0];
MOVR R0, p[1];
MOVR R0(LT), f[TEX1];
ADDR R1.xy(GE.zwxy), R0, R0;
MULHC H4.xz(NE), R0, p[2];
MOVR R3(FL), p[0];
MOVR o[COLR], R0;
END
"),
    ("kill by codes", "\
!!FP1.0
MOVR R0, f[TEX0];
ADDRC RC, R0, p[0];
KIL LT.x;
MULR R0, R0, p[1];
KIL GT.yzyz;
MOVR o[COLR], R0;
END
"),
    ("codes in halves", "\
!!FP1.0
MOVHC HC.xyz, p[0];
MOVR R0(LE.xxyz), f[TEX0];
ADDXC HC, R0, p[1];
MOVR R1(GT.w), f[TEX0];
MOVR o[COLR], R0;
END
"),
    ("clamps", "\
!!FP1.0
ADDR_SAT R0, f[TEX0], p[0];
MULH_SAT H2, R0, p[1];
LITR_SAT R2, p[2];
DP3R_SAT R3, f[TEX1], p[3];
RCPR_SAT R4, p[0].x;
MOVR o[COLR], R0;
END
"),
    ("depth and colour", "\
!!FP1.0
MOVR R0, f[TEX0];
MULR o[DEPR].z, R0.x, p[0].y;
MOVR o[COLR].xyz, R0;
MOVR o[COLR].w, p[0];
END
"),
    ("colour in halves", "\
!!FP1.0
MULH H0, f[COL0], p[0];
ADDH H1, H0, f[COL1];
MOVH o[COLH], H1;
END
"),
    ("named constants", "\
!!FP1.0
DECLARE tint = {0.5, 0.25, 2, 1};
DEFINE bias = {0.125, -1};
MULR R0, f[TEX0], tint;
ADDR R0, R0, bias;
MADR R1, R0.x, 3.5, {1, 2, 3, 3.5};
MOVR o[COLR], R1;
END
"),
    ("one instruction, its constant twice", "\
!!FP1.0
MADR R0, {0.5, 2, -1, 8}, f[TEX0], {0.5, 2, -1, 8}.wzyx;
MADR R1, p[0], p[0].yyyy, -p[0];
MOVR o[COLR], R0;
END
"),
    ("fog and face", "\
!!FP1.0
MOVR R0, f[FOGC];
ADDR R1, f[FOGC], p[0];
MULR R2, f[COL1], p[1];
MOVR R3, f[TEX7];
MOVR o[COLR], R1;
END
"),
    ("differences", "\
!!FP1.0
SUBR R0, f[TEX0], p[0];
SUBH H2, R0, p[1];
SUBR_SAT R2, p[2], R0.wzyx;
MOVR o[COLR], R0;
END
"),
    ("reciprocals", "\
!!FP1.0
RCPR R0.x, f[TEX0].x;
RCPR R0.y, -p[0].y;
RCPH H2.zw, |p[0].z|;
MULR R1, R0.x, f[TEX1];
MOVR o[COLR], R1;
END
"),
    ("a refraction", "\
!!FP1.0
DP3R R0.w, f[TEX0], f[TEX0];
RSQR R0.w, R0.w;
MULR R0.xyz, R0.w, f[TEX0];
DP3R R1.w, R0, p[0];
MADR R1.xyz, -R1.w, p[0], R0;
TEX R2, R1, TEX0, CUBE;
LRPR R3, R1.w, R2, p[1];
MOVR o[COLR], R3;
END
"),
    ("a noise", "\
!!FP1.0
MULR R0, f[TEX0], p[0];
FLRR R1, R0;
FRCR R2, R0;
DP3R R1.x, R1, {12.25, 78.5, 37.75};
SINR R1.x, R1.x;
MULR R1.x, R1.x, 43758.5;
FRCR R1.x, R1.x;
MADR R3, R2, R1.x, p[1];
MOVR o[COLR], R3;
END
"),
    ("clamp under an rgba mask", "\
!!ARBfp1.0
PARAM k[2] = { {2, 2, 2, 2}, {-1, -1, -1, -1} };
TEMP t;
MOV t, k[0];
MAD_SAT t.rga, program.local[0], k[0], k[1];
MOV result.color, t;
END
"),
    ("sums", "\
!!ARBfp1.0
TEMP a, b;
ADD a, fragment.texcoord[0], program.local[0];
MUL b, a, program.env[1];
MAD a, b.wzyx, -a, fragment.color;
MOV result.color, a;
END
"),
    ("magnitudes", "\
!!ARBfp1.0
TEMP a;
ABS a, fragment.texcoord[0];
ABS a.xz, -a.wzyx;
MUL result.color, a, program.local[0];
END
"),
    ("differences of attributes", "\
!!ARBfp1.0
TEMP a;
SUB a, fragment.texcoord[0], fragment.texcoord[1];
SUB_SAT result.color, a, program.local[0];
END
"),
    ("choices", "\
!!ARBfp1.0
TEMP a, b;
MOV b, program.local[1];
CMP a, fragment.texcoord[0], program.local[0], b;
CMP_SAT b.xyw, -a, a.yyyy, fragment.color;
MOV result.color, b;
END
"),
    ("cross products", "\
!!ARBfp1.0
TEMP a, b;
XPD a, fragment.texcoord[0], program.local[0];
MOV b, program.local[1];
XPD b.xyz, a, b.zxyw;
MOV result.color, b;
END
"),
    ("homogeneous dot products", "\
!!ARBfp1.0
TEMP a;
DPH a, fragment.texcoord[0], program.local[0];
DPH a.y, a, program.local[1];
DPH_SAT result.color, -a, program.env[0];
END
"),
    ("cosine and sine together", "\
!!ARBfp1.0
TEMP a, b;
SCS a.xy, fragment.texcoord[0].x;
MOV b, a;
SCS b.xy, b.y;
SCS a.xy, a.x;
MOV result.color, b;
END
"),
    ("cosine and sine in place", "\
!!ARBfp1.0
TEMP a;
MOV a, program.local[0];
SCS a.x, -a.w;
SCS a.y, a.y;
MOV result.color, a;
END
"),
    ("extended swizzles", "\
!!ARBfp1.0
TEMP a, b;
SWZ a, fragment.texcoord[0], y, 0, 1, -w;
SWZ b, a, -x, -z, x, y;
SWZ_SAT b.xw, b, w, 1, 0, -x;
SWZ result.color, program.local[0], -0, -1, z, z;
END
"),
    ("lookups", "\
!!ARBfp1.0
TEMP a, b;
TEX a, fragment.texcoord[0], texture[0], 2D;
TXP b, fragment.texcoord[1], texture[1], 2D;
TXB a.xy, fragment.texcoord[2], texture[0], 2D;
TEX_SAT b.z, a, texture[3], CUBE;
MUL result.color, a, b;
END
"),
    ("lookups in volumes", "\
!!ARBfp1.0
TEMP a;
TEX a, fragment.texcoord[0], texture[2], 3D;
TEX a.w, a, texture[4], RECT;
TEX a.x, a, texture[5], 1D;
MOV result.color, a;
END
"),
    ("projected cubes", "\
!!ARBfp1.0
TEMP a;
TXP a, fragment.texcoord[0], texture[0], CUBE;
MOV result.color, a;
END
"),
    ("kill by numbers", "\
!!ARBfp1.0
TEMP a;
ADD a, fragment.texcoord[0], program.local[0];
KIL a;
KIL -a.xxyy;
MOV result.color, a;
END
"),
    ("functions", "\
!!ARBfp1.0
TEMP a;
EX2 a.x, fragment.texcoord[0].x;
LG2 a.y, program.local[0].y;
POW a.z, a.x, program.local[0].z;
RCP a.w, fragment.texcoord[0].w;
RSQ a.x, a.w;
SIN a.y, a.z;
COS a.z, a.w;
MOV result.color, a;
END
"),
    ("light, distance, interpolation", "\
!!ARBfp1.0
TEMP a, b;
LIT a, fragment.texcoord[0];
DST b, a, program.local[0];
LRP a, fragment.color, b, a;
LRP_SAT result.color, a.x, program.local[1], b;
END
"),
    ("integers and comparisons", "\
!!ARBfp1.0
TEMP a, b;
FLR a, fragment.texcoord[0];
FRC b, fragment.texcoord[0];
MIN a, a, b;
MAX b, a, program.local[0];
SGE a, b, fragment.color;
SLT b, a, program.local[1];
MOV result.color, b;
END
"),
    ("dot products of four", "\
!!ARBfp1.0
TEMP a;
DP3 a.x, fragment.texcoord[0], program.local[0];
DP4 a.yz, fragment.texcoord[1], program.local[1];
DP3_SAT a.w, a, a;
MOV result.color, a;
END
"),
    ("state and aliases", "\
!!ARBfp1.0
PARAM m = state.material.ambient;
PARAM f = state.fog.color;
ATTRIB uv = fragment.texcoord[3];
OUTPUT out = result.color;
TEMP a;
ALIAS b = a;
MAD a, uv, m, f;
MOV out, b;
END
"),
    ("depth", "\
!!ARBfp1.0
TEMP a;
MUL a, fragment.texcoord[0], program.local[0];
MOV result.depth.z, a.y;
MOV result.color, a;
END
"),
    ("a light", "\
!!ARBfp1.0
TEMP n, l, t;
DP3 n.w, fragment.texcoord[0], fragment.texcoord[0];
RSQ n.w, n.w;
MUL n.xyz, n.w, fragment.texcoord[0];
DP3_SAT l.x, n, program.local[0];
DP3 l.y, n, program.local[1];
MOV l.w, 16;
LIT t, l.xyzw;
MAD result.color, t.y, fragment.color, t.z;
END
"),
    ("either arm", "\
!!ARBfp1.0
OPTION NV_fragment_program2;
TEMP R0, R1;
MOVRC R1, program.local[0];
IF GT.yzyz;
MOVR R0, 1.0;
ELSE;
MOVR R0, 2.0;
ENDIF;
MOVR result.color, R0;
END
"),
    ("division and dot products of two", "\
!!ARBfp1.0
OPTION NV_fragment_program2;
TEMP R0, R1, R2;
DIVR R0, program.local[0], program.local[1].x;
DP2AR R1, program.local[0], program.local[1], program.local[0].w;
ADDR R2, program.local[0], -3.0;
DP2R R2.w, R0, R1;
MOVR result.color, R0;
END
"),
    ("clamp to both ones", "\
!!ARBfp1.0
OPTION NV_fragment_program2;
TEMP R2;
ADDR_SSAT R2, program.local[0], -3.0;
MOVR result.color, R2;
END
"),
    ("normalised", "\
!!ARBfp1.0
OPTION NV_fragment_program2;
TEMP R0;
SHORT TEMP H0;
NRMR R0, fragment.texcoord[0];
NRMH H0.xyz, program.local[0];
MULR result.color, R0, H0;
END
"),
    ("repeated", "\
!!ARBfp1.0
OPTION NV_fragment_program2;
TEMP R0;
MOVR R0, program.local[0];
REP {3};
MADR R0, R0, 0.5, fragment.texcoord[0];
ENDREP;
MOVR result.color, R0;
END
"),
    ("repeated and left", "\
!!ARBfp1.0
OPTION NV_fragment_program2;
TEMP R0, R1;
MOVR R0, program.local[0];
REP {9};
ADDRC R0.x, R0, 1.5;
BRK (GT.x);
MULR R0.yzw, R0, -1.25;
ENDREP;
MOVR result.color, R0;
END
"),
    ("loops over texture coordinates", "\
!!ARBfp1.0
OPTION NV_fragment_program2;
TEMP R0;
MOVR R0, 0;
LOOP {3, 1, 1};
ADDR R0, R0, fragment.texcoord[A0.x];
MULR R0, R0, fragment.texcoord[A0.x + 1];
ENDLOOP;
MOVR result.color, R0;
END
"),
    ("nested", "\
!!ARBfp1.0
OPTION NV_fragment_program2;
TEMP R0, R1;
MOVR R0, fragment.texcoord[0];
REP {2};
MOVRC R1, R0;
IF LT.x;
REP {2};
ADDR R0, R0, program.local[0];
ENDREP;
ELSE;
IF GE.yyzw;
MULR R0.xy, R0, program.local[1];
ENDIF;
ENDIF;
ENDREP;
MOVR result.color, R0;
END
"),
    ("subroutines", "\
!!ARBfp1.0
OPTION NV_fragment_program2;
TEMP R0, R1;
MOVR R0, program.local[0];
CAL half;
MOVRC R1, fragment.texcoord[0];
CAL half (LT.x);
MOVR result.color, R0;
RET;
half:
MULR R0, R0, 0.5;
RET (GT.w);
ADDR R0, R0, fragment.color;
RET;
END
"),
    ("subroutines in front", "\
!!ARBfp1.0
OPTION NV_fragment_program2;
TEMP R0;
twice:
ADDR R0, R0, R0;
RET;
main:
MOVR R0, fragment.texcoord[0];
CAL twice;
CAL twice;
MOVR result.color, R0;
END
"),
    ("levels of detail", "\
!!ARBfp1.0
OPTION NV_fragment_program2;
TEMP R0, R1;
MOVR R0, fragment.texcoord[0];
MOVR R0.w, 0;
TXL R1, R0, texture[0], 2D;
TXB R0, R0.yxzw, texture[1], 3D;
MULR result.color, R0, R1;
END
"),
    ("short and long", "\
!!ARBfp1.0
OPTION NV_fragment_program2;
TEMP R0;
SHORT TEMP H0, H1;
LONG TEMP L0;
MULH H0, fragment.color, program.local[0];
ADDX H1, H0, program.local[1];
MADR L0, H0, H1, fragment.texcoord[0];
MOVH_SAT H1.xy, L0;
SUBRC R0, L0, H1;
MOVR result.color, R0;
END
"),
    ("half colour", "\
!!ARBfp1.0
OPTION NV_fragment_program2;
SHORT OUTPUT c = result.color;
SHORT TEMP H0;
MULH H0, fragment.color, program.local[0];
ADDH c, H0, 0.125;
END
"),
    ("kill in a branch", "\
!!ARBfp1.0
OPTION NV_fragment_program2;
TEMP R0;
MOVRC R0, fragment.texcoord[0];
IF LT.x;
KIL GT.y;
ADDR R0, R0, program.local[0];
ENDIF;
MOVR result.color, R0;
END
"),
    ("packed", "\
!!ARBfp1.0
OPTION NV_fragment_program2;
TEMP R0, R1;
PK4UB R0.x, fragment.texcoord[0];
PK2H R0.y, program.local[0];
UP4UB R1, R0.x;
UP2H R1.xy, R0.y;
MOVR result.color, R1;
END
"),
    ("steps on halves with codes", "\
!!ARBfp1.0
OPTION NV_fragment_program2;
SHORT TEMP H0;
TEMP R0;
SCSHC H0.xy, program.local[0].x;
SWZH H0.zw, program.local[1], x, y, -z, 1;
XPDR R0.xyz, program.local[0], program.local[1];
DPHH R0.w, R0, program.local[1];
MOVR result.color, R0;
MOVR result.color.x (GT.y), H0;
END
"),
];
