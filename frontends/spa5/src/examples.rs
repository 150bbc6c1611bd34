//! Programs with one of most things.

/// Instructions of most kinds.
macro_rules! instructions {
    () => {
        "\
IPA.PASS R0, a[0x7c], RZ &wr=0 ?yield1
MUFU.RCP R4, -|R0| &req={0} &rd=2 &wr=0 ?stall2
IPA.CENTROID R0, a[0x80], R4 &req={0,2} &wr=1 ?stall2
PIXLD.COVERED R1, P1, [R2+0x3] &wr=2 ?stall1
TEXS.LZ.NODEP.T R3, R2, R0, R1, 0x8, 2D, RGBA &req={1} &wr=2 ?stall1
SSY end ?yield1
next: FFMA.FTZ R5, R0.reuse, c[0x3][0x10], R1 ?dual
@!P1 FADD.FTZ.RZ.SAT R7.CC, |R5|, -1.5 ?stall6
XMAD.PSL.CBCC R8, R7.H1.reuse, R5, R6
LOP3.LUT R9, R8, 0xff, R7, 0xea
ISETP.GT.U32.AND P0, PT, R9, c[0x0][-0x14], !P1 ?stall13
@P0 BRA next
SYNC CC.LT
end: @P1 KIL
STL.64 [R2+-0x10], R8
SHFL.BFLY PT, R0, R1, 0x1, 0x1c03
F2F.F16.F32.RZ R2, -R1
DEPBAR.LE SB1, 0x0, {5,0}
EXIT ?stall15
"
    };
}

/// With a header and without.
pub(crate) const EXAMPLES: &[&str] = &[
    concat!(
        ".header kills yes\n.header position w\n.header generic0 perspective perspective linear constant\n",
        ".header target0 rgba\n",
        instructions!(),
        ".word 0xefd8000000070201, 0x7e6\n"
    ),
    instructions!(),
];
