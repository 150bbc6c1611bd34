//! How the instructions are written that code consists of: Intel's manual, volume 2, sections 2.3 (VEX) and 2.7 (EVEX).

use iced_x86::Code;

/// Which operand stands where.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Register, register in the prefix, register or memory.
    Three,
    /// The same, and a register in the place of a number.
    Fourth,
    /// Register, register or memory.
    Two,
    /// Register or memory, register.
    Store,
    /// Register in the prefix, register or memory; the opcode goes on in the place of a register.
    Digit(u8),
}
use Form::{Digit, Fourth, Store, Three, Two};

/// How an instruction is written.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Row {
    /// The prefix, its first byte lowest, and the opcode, without registers. What extends the numbers of registers stands
    /// inverted in it, so that all of that is set.
    pub(crate) head: u64,
    pub(crate) form: Form,
    /// Bits of the head.
    pub(crate) length: u8,
    /// Bytes in memory in which short offsets count, as a power of two.
    pub(crate) memory: u8,
    /// The same where one word is read for all lanes, or [`NO_WORD`].
    pub(crate) word: u8,
}

/// Instead of the size of a word where none is read for all lanes.
pub(crate) const NO_WORD: u8 = u8::MAX;

/// Which table the opcode is of: 1 (0F), 2 (0F 38), 3 (0F 3A); the prefix that belongs to it: 0 (none), 1 (66), 2 (F3); the
/// bit W; the opcode.
type Opcode = (u8, u8, u8, u8);

/// Of 128 bits, or masks (length 0), 256 bits (1).
const fn vex(length: u8, form: Form, (map, prefix, wide, opcode): Opcode) -> Row {
    let bytes = [0xc4, 0xe0 | map, wide << 7 | 0x78 | length << 2 | prefix, opcode];
    Row { head: u32::from_le_bytes(bytes) as u64, form, length: 32, memory: 0, word: NO_WORD }
}

/// Of 128 bits (length 0), 256 (1) or 512 (2), with bytes in memory, and of one word there.
const fn evex(length: u8, form: Form, (map, prefix, wide, opcode): Opcode, (memory, word): (u8, u8)) -> Row {
    let bytes = [0x62, 0xf0 | map, wide << 7 | 0x7c | prefix, length << 5 | 8, opcode, 0, 0, 0];
    let word = if word == 0 { NO_WORD } else { word.trailing_zeros() as u8 };
    Row { head: u64::from_le_bytes(bytes), form, length: 40, memory: memory.trailing_zeros() as u8, word }
}

/// One more than the greatest number of a code that has a row.
const CODES: usize = {
    let (mut most, mut n) = (0, 0);
    while n < ROWS.len() {
        if ROWS[n].0 as usize >= most {
            most = ROWS[n].0 as usize + 1;
        }
        n += 1;
    }
    most
};

/// The number of each code's row, from 1; 0 for none.
static ROW_OF: [u8; CODES] = {
    let mut rows = [0; CODES];
    let mut n = 0;
    while n < ROWS.len() {
        assert!(n < 255 && rows[ROWS[n].0 as usize] == 0);
        rows[ROWS[n].0 as usize] = n as u8 + 1;
        n += 1;
    }
    rows
};

/// How an instruction is written; `None` for those that are left to a general encoder.
#[inline(always)]
pub(crate) fn row(code: Code) -> Option<&'static Row> {
    let number = *ROW_OF.get(code as usize)?;
    Some(&ROWS.get(usize::from(number).wrapping_sub(1))?.1)
}

macro_rules! rows {
    ($(vex $length:literal { $($code:ident: $form:expr, $map:literal $prefix:literal $wide:literal $opcode:literal;)* })*
     $(evex $elength:literal { $($ecode:ident: $eform:expr, $emap:literal $eprefix:literal $ewide:literal $eopcode:literal,
        $memory:literal $word:literal;)* })*) => {
        /// All rows.
        pub(crate) static ROWS: &[(Code, Row)] = &[
            $($((Code::$code, vex($length, $form, ($map, $prefix, $wide, $opcode))),)*)*
            $($((Code::$ecode, evex($elength, $eform, ($emap, $eprefix, $ewide, $eopcode), ($memory, $word))),)*)*
        ];
    };
}

#[rustfmt::skip]
rows! {
    vex 0 {
        VEX_Knotw_kr_kr: Two, 1 0 0 0x44;
        VEX_Kortestw_kr_kr: Two, 1 0 0 0x98;
        VEX_Kmovw_kr_km16: Two, 1 0 0 0x90;
        VEX_Kmovw_m16_kr: Store, 1 0 0 0x91;
        VEX_Kshiftrw_kr_kr_imm8: Two, 3 1 1 0x30;
        VEX_Vpslld_xmm_xmm_imm8: Digit(6), 1 1 0 0x72;
        VEX_Vpsrld_xmm_xmm_imm8: Digit(2), 1 1 0 0x72;
        VEX_Vpblendvb_xmm_xmm_xmmm128_xmm: Fourth, 3 1 0 0x4c;
        VEX_Vmovdqu_xmm_xmmm128: Two, 1 2 0 0x6f;
        VEX_Vmovdqu_xmmm128_xmm: Store, 1 2 0 0x7f;
        VEX_Vmovups_xmm_xmmm128: Two, 1 0 0 0x10;
        VEX_Vmovups_xmmm128_xmm: Store, 1 0 0 0x11;
        VEX_Vmovq_xmm_xmmm64: Two, 1 2 0 0x7e;
        VEX_Vmovq_xmmm64_xmm: Store, 1 1 0 0xd6;
        VEX_Vmovd_xmm_rm32: Two, 1 1 0 0x6e;
    }
    vex 1 {
        VEX_Vaddps_ymm_ymm_ymmm256: Three, 1 0 0 0x58;
        VEX_Vaddpd_ymm_ymm_ymmm256: Three, 1 1 0 0x58;
        VEX_Vsubps_ymm_ymm_ymmm256: Three, 1 0 0 0x5c;
        VEX_Vsubpd_ymm_ymm_ymmm256: Three, 1 1 0 0x5c;
        VEX_Vmulps_ymm_ymm_ymmm256: Three, 1 0 0 0x59;
        VEX_Vmulpd_ymm_ymm_ymmm256: Three, 1 1 0 0x59;
        VEX_Vdivps_ymm_ymm_ymmm256: Three, 1 0 0 0x5e;
        VEX_Vdivpd_ymm_ymm_ymmm256: Three, 1 1 0 0x5e;
        VEX_Vminps_ymm_ymm_ymmm256: Three, 1 0 0 0x5d;
        VEX_Vminpd_ymm_ymm_ymmm256: Three, 1 1 0 0x5d;
        VEX_Vmaxps_ymm_ymm_ymmm256: Three, 1 0 0 0x5f;
        VEX_Vmaxpd_ymm_ymm_ymmm256: Three, 1 1 0 0x5f;
        VEX_Vsqrtps_ymm_ymmm256: Two, 1 0 0 0x51;
        VEX_Vsqrtpd_ymm_ymmm256: Two, 1 1 0 0x51;
        VEX_Vfmadd132ps_ymm_ymm_ymmm256: Three, 2 1 0 0x98;
        VEX_Vfmadd132pd_ymm_ymm_ymmm256: Three, 2 1 1 0x98;
        VEX_Vfmadd213ps_ymm_ymm_ymmm256: Three, 2 1 0 0xa8;
        VEX_Vfmadd213pd_ymm_ymm_ymmm256: Three, 2 1 1 0xa8;
        VEX_Vfmadd231ps_ymm_ymm_ymmm256: Three, 2 1 0 0xb8;
        VEX_Vfmadd231pd_ymm_ymm_ymmm256: Three, 2 1 1 0xb8;
        VEX_Vandps_ymm_ymm_ymmm256: Three, 1 0 0 0x54;
        VEX_Vxorps_ymm_ymm_ymmm256: Three, 1 0 0 0x57;
        VEX_Vcmpps_ymm_ymm_ymmm256_imm8: Three, 1 0 0 0xc2;
        VEX_Vcmppd_ymm_ymm_ymmm256_imm8: Three, 1 1 0 0xc2;
        VEX_Vblendvps_ymm_ymm_ymmm256_ymm: Fourth, 3 1 0 0x4a;
        VEX_Vblendvpd_ymm_ymm_ymmm256_ymm: Fourth, 3 1 0 0x4b;
        VEX_Vpand_ymm_ymm_ymmm256: Three, 1 1 0 0xdb;
        VEX_Vpandn_ymm_ymm_ymmm256: Three, 1 1 0 0xdf;
        VEX_Vpor_ymm_ymm_ymmm256: Three, 1 1 0 0xeb;
        VEX_Vpxor_ymm_ymm_ymmm256: Three, 1 1 0 0xef;
        VEX_Vpaddb_ymm_ymm_ymmm256: Three, 1 1 0 0xfc;
        VEX_Vpaddd_ymm_ymm_ymmm256: Three, 1 1 0 0xfe;
        VEX_Vpaddq_ymm_ymm_ymmm256: Three, 1 1 0 0xd4;
        VEX_Vpsubd_ymm_ymm_ymmm256: Three, 1 1 0 0xfa;
        VEX_Vpsubq_ymm_ymm_ymmm256: Three, 1 1 0 0xfb;
        VEX_Vpcmpeqd_ymm_ymm_ymmm256: Three, 1 1 0 0x76;
        VEX_Vpcmpgtd_ymm_ymm_ymmm256: Three, 1 1 0 0x66;
        VEX_Vpmuludq_ymm_ymm_ymmm256: Three, 1 1 0 0xf4;
        VEX_Vpmaddwd_ymm_ymm_ymmm256: Three, 1 1 0 0xf5;
        VEX_Vpsadbw_ymm_ymm_ymmm256: Three, 1 1 0 0xf6;
        VEX_Vpcmpeqq_ymm_ymm_ymmm256: Three, 2 1 0 0x29;
        VEX_Vpcmpgtq_ymm_ymm_ymmm256: Three, 2 1 0 0x37;
        VEX_Vpmulld_ymm_ymm_ymmm256: Three, 2 1 0 0x40;
        VEX_Vpmaxsd_ymm_ymm_ymmm256: Three, 2 1 0 0x3d;
        VEX_Vpminsd_ymm_ymm_ymmm256: Three, 2 1 0 0x39;
        VEX_Vpminud_ymm_ymm_ymmm256: Three, 2 1 0 0x3b;
        VEX_Vpshufb_ymm_ymm_ymmm256: Three, 2 1 0 0x00;
        VEX_Vpmaddubsw_ymm_ymm_ymmm256: Three, 2 1 0 0x04;
        VEX_Vpsllvd_ymm_ymm_ymmm256: Three, 2 1 0 0x47;
        VEX_Vpsrlvd_ymm_ymm_ymmm256: Three, 2 1 0 0x45;
        VEX_Vpsravd_ymm_ymm_ymmm256: Three, 2 1 0 0x46;
        VEX_Vpermd_ymm_ymm_ymmm256: Three, 2 1 0 0x36;
        VEX_Vpermilps_ymm_ymm_ymmm256: Three, 2 1 0 0x0c;
        VEX_Vpsllvq_ymm_ymm_ymmm256: Three, 2 1 1 0x47;
        VEX_Vpsrlvq_ymm_ymm_ymmm256: Three, 2 1 1 0x45;
        VEX_Vpslld_ymm_ymm_imm8: Digit(6), 1 1 0 0x72;
        VEX_Vpsrld_ymm_ymm_imm8: Digit(2), 1 1 0 0x72;
        VEX_Vpsrad_ymm_ymm_imm8: Digit(4), 1 1 0 0x72;
        VEX_Vpsllq_ymm_ymm_imm8: Digit(6), 1 1 0 0x73;
        VEX_Vpsrlq_ymm_ymm_imm8: Digit(2), 1 1 0 0x73;
        VEX_Vpsrlw_ymm_ymm_imm8: Digit(2), 1 1 0 0x71;
        VEX_Vshufps_ymm_ymm_ymmm256_imm8: Three, 1 0 0 0xc6;
        VEX_Vunpcklps_ymm_ymm_ymmm256: Three, 1 0 0 0x14;
        VEX_Vunpcklpd_ymm_ymm_ymmm256: Three, 1 1 0 0x14;
        VEX_Vunpckhps_ymm_ymm_ymmm256: Three, 1 0 0 0x15;
        VEX_Vunpckhpd_ymm_ymm_ymmm256: Three, 1 1 0 0x15;
        VEX_Vpshufd_ymm_ymmm256_imm8: Two, 1 1 0 0x70;
        VEX_Vpermilps_ymm_ymmm256_imm8: Two, 3 1 0 0x04;
        VEX_Vpermq_ymm_ymmm256_imm8: Two, 3 1 1 0x00;
        VEX_Vperm2f128_ymm_ymm_ymmm256_imm8: Three, 3 1 0 0x06;
        VEX_Vinsertf128_ymm_ymm_xmmm128_imm8: Three, 3 1 0 0x18;
        VEX_Vinserti128_ymm_ymm_xmmm128_imm8: Three, 3 1 0 0x38;
        VEX_Vextractf128_xmmm128_ymm_imm8: Store, 3 1 0 0x19;
        VEX_Vextracti128_xmmm128_ymm_imm8: Store, 3 1 0 0x39;
        VEX_Vroundps_ymm_ymmm256_imm8: Two, 3 1 0 0x08;
        VEX_Vroundpd_ymm_ymmm256_imm8: Two, 3 1 0 0x09;
        VEX_Vcvtdq2ps_ymm_ymmm256: Two, 1 0 0 0x5b;
        VEX_Vcvttps2dq_ymm_ymmm256: Two, 1 2 0 0x5b;
        VEX_Vcvtps2pd_ymm_xmmm128: Two, 1 0 0 0x5a;
        VEX_Vcvtpd2ps_xmm_ymmm256: Two, 1 1 0 0x5a;
        VEX_Vcvtdq2pd_ymm_xmmm128: Two, 1 2 0 0xe6;
        VEX_Vcvttpd2dq_xmm_ymmm256: Two, 1 1 0 0xe6;
        VEX_Vcvtph2ps_ymm_xmmm128: Two, 2 1 0 0x13;
        VEX_Vcvtps2ph_xmmm128_ymm_imm8: Store, 3 1 0 0x1d;
        VEX_Vpmovsxdq_ymm_xmmm128: Two, 2 1 0 0x25;
        VEX_Vpmovzxdq_ymm_xmmm128: Two, 2 1 0 0x35;
        VEX_Vpmovzxwd_ymm_xmmm128: Two, 2 1 0 0x33;
        VEX_Vpbroadcastb_ymm_xmmm8: Two, 2 1 0 0x78;
        VEX_Vpbroadcastd_ymm_xmmm32: Two, 2 1 0 0x58;
        VEX_Vptest_ymm_ymmm256: Two, 2 1 0 0x17;
        VEX_Vmovmskps_r32_ymm: Two, 1 0 0 0x50;
        VEX_Vmovdqa_ymm_ymmm256: Two, 1 1 0 0x6f;
        VEX_Vmovdqa_ymmm256_ymm: Store, 1 1 0 0x7f;
        VEX_Vmovdqu_ymm_ymmm256: Two, 1 2 0 0x6f;
        VEX_Vmovdqu_ymmm256_ymm: Store, 1 2 0 0x7f;
        VEX_Vmovaps_ymm_ymmm256: Two, 1 0 0 0x28;
        VEX_Vmovaps_ymmm256_ymm: Store, 1 0 0 0x29;
        VEX_Vmovups_ymm_ymmm256: Two, 1 0 0 0x10;
        VEX_Kandw_kr_kr_kr: Three, 1 0 0 0x41;
        VEX_Kandnw_kr_kr_kr: Three, 1 0 0 0x42;
        VEX_Korw_kr_kr_kr: Three, 1 0 0 0x45;
        VEX_Kxnorw_kr_kr_kr: Three, 1 0 0 0x46;
        VEX_Kxorw_kr_kr_kr: Three, 1 0 0 0x47;
        VEX_Kunpckbw_kr_kr_kr: Three, 1 1 0 0x4b;
    }
    evex 0 {
        EVEX_Vmovups_xmm_k1z_xmmm128: Two, 1 0 0 0x10, 16 0;
    }
    evex 1 {
        EVEX_Vmovups_ymm_k1z_ymmm256: Two, 1 0 0 0x10, 32 0;
        EVEX_Vmovups_ymmm256_k1z_ymm: Store, 1 0 0 0x11, 32 0;
    }
    evex 2 {
        EVEX_Vaddps_zmm_k1z_zmm_zmmm512b32_er: Three, 1 0 0 0x58, 64 4;
        EVEX_Vaddpd_zmm_k1z_zmm_zmmm512b64_er: Three, 1 1 1 0x58, 64 8;
        EVEX_Vminps_zmm_k1z_zmm_zmmm512b32_sae: Three, 1 0 0 0x5d, 64 4;
        EVEX_Vminpd_zmm_k1z_zmm_zmmm512b64_sae: Three, 1 1 1 0x5d, 64 8;
        EVEX_Vmaxps_zmm_k1z_zmm_zmmm512b32_sae: Three, 1 0 0 0x5f, 64 4;
        EVEX_Vmaxpd_zmm_k1z_zmm_zmmm512b64_sae: Three, 1 1 1 0x5f, 64 8;
        EVEX_Vmulps_zmm_k1z_zmm_zmmm512b32_er: Three, 1 0 0 0x59, 64 4;
        EVEX_Vmulpd_zmm_k1z_zmm_zmmm512b64_er: Three, 1 1 1 0x59, 64 8;
        EVEX_Vsubps_zmm_k1z_zmm_zmmm512b32_er: Three, 1 0 0 0x5c, 64 4;
        EVEX_Vsubpd_zmm_k1z_zmm_zmmm512b64_er: Three, 1 1 1 0x5c, 64 8;
        EVEX_Vdivps_zmm_k1z_zmm_zmmm512b32_er: Three, 1 0 0 0x5e, 64 4;
        EVEX_Vdivpd_zmm_k1z_zmm_zmmm512b64_er: Three, 1 1 1 0x5e, 64 8;
        EVEX_Vsqrtps_zmm_k1z_zmmm512b32_er: Two, 1 0 0 0x51, 64 4;
        EVEX_Vsqrtpd_zmm_k1z_zmmm512b64_er: Two, 1 1 1 0x51, 64 8;
        EVEX_Vfmadd132ps_zmm_k1z_zmm_zmmm512b32_er: Three, 2 1 0 0x98, 64 4;
        EVEX_Vfmadd132pd_zmm_k1z_zmm_zmmm512b64_er: Three, 2 1 1 0x98, 64 8;
        EVEX_Vfmadd213ps_zmm_k1z_zmm_zmmm512b32_er: Three, 2 1 0 0xa8, 64 4;
        EVEX_Vfmadd213pd_zmm_k1z_zmm_zmmm512b64_er: Three, 2 1 1 0xa8, 64 8;
        EVEX_Vfmadd231ps_zmm_k1z_zmm_zmmm512b32_er: Three, 2 1 0 0xb8, 64 4;
        EVEX_Vfmadd231pd_zmm_k1z_zmm_zmmm512b64_er: Three, 2 1 1 0xb8, 64 8;
        EVEX_Vpandd_zmm_k1z_zmm_zmmm512b32: Three, 1 1 0 0xdb, 64 4;
        EVEX_Vpandq_zmm_k1z_zmm_zmmm512b64: Three, 1 1 1 0xdb, 64 8;
        EVEX_Vpord_zmm_k1z_zmm_zmmm512b32: Three, 1 1 0 0xeb, 64 4;
        EVEX_Vporq_zmm_k1z_zmm_zmmm512b64: Three, 1 1 1 0xeb, 64 8;
        EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32: Three, 1 1 0 0xef, 64 4;
        EVEX_Vpxorq_zmm_k1z_zmm_zmmm512b64: Three, 1 1 1 0xef, 64 8;
        EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32: Three, 1 1 0 0xfe, 64 4;
        EVEX_Vpaddq_zmm_k1z_zmm_zmmm512b64: Three, 1 1 1 0xd4, 64 8;
        EVEX_Vpsubd_zmm_k1z_zmm_zmmm512b32: Three, 1 1 0 0xfa, 64 4;
        EVEX_Vpsubq_zmm_k1z_zmm_zmmm512b64: Three, 1 1 1 0xfb, 64 8;
        EVEX_Vpmulld_zmm_k1z_zmm_zmmm512b32: Three, 2 1 0 0x40, 64 4;
        EVEX_Vpminsd_zmm_k1z_zmm_zmmm512b32: Three, 2 1 0 0x39, 64 4;
        EVEX_Vpmaxsd_zmm_k1z_zmm_zmmm512b32: Three, 2 1 0 0x3d, 64 4;
        EVEX_Vpblendmd_zmm_k1z_zmm_zmmm512b32: Three, 2 1 0 0x64, 64 4;
        EVEX_Vpblendmq_zmm_k1z_zmm_zmmm512b64: Three, 2 1 1 0x64, 64 8;
        EVEX_Vpsllvd_zmm_k1z_zmm_zmmm512b32: Three, 2 1 0 0x47, 64 4;
        EVEX_Vpsllvq_zmm_k1z_zmm_zmmm512b64: Three, 2 1 1 0x47, 64 8;
        EVEX_Vpsrlvd_zmm_k1z_zmm_zmmm512b32: Three, 2 1 0 0x45, 64 4;
        EVEX_Vpsrlvq_zmm_k1z_zmm_zmmm512b64: Three, 2 1 1 0x45, 64 8;
        EVEX_Vpsravd_zmm_k1z_zmm_zmmm512b32: Three, 2 1 0 0x46, 64 4;
        EVEX_Vpsravq_zmm_k1z_zmm_zmmm512b64: Three, 2 1 1 0x46, 64 8;
        EVEX_Vpslld_zmm_k1z_zmmm512b32_imm8: Digit(6), 1 1 0 0x72, 64 4;
        EVEX_Vpsrld_zmm_k1z_zmmm512b32_imm8: Digit(2), 1 1 0 0x72, 64 4;
        EVEX_Vpsrad_zmm_k1z_zmmm512b32_imm8: Digit(4), 1 1 0 0x72, 64 4;
        EVEX_Vpsllq_zmm_k1z_zmmm512b64_imm8: Digit(6), 1 1 1 0x73, 64 8;
        EVEX_Vpsrlq_zmm_k1z_zmmm512b64_imm8: Digit(2), 1 1 1 0x73, 64 8;
        EVEX_Vpsraq_zmm_k1z_zmmm512b64_imm8: Digit(4), 1 1 1 0x72, 64 8;
        EVEX_Vshufps_zmm_k1z_zmm_zmmm512b32_imm8: Three, 1 0 0 0xc6, 64 4;
        EVEX_Vcmpps_kr_k1_zmm_zmmm512b32_imm8_sae: Three, 1 0 0 0xc2, 64 4;
        EVEX_Vcmppd_kr_k1_zmm_zmmm512b64_imm8_sae: Three, 1 1 1 0xc2, 64 8;
        EVEX_Vpcmpd_kr_k1_zmm_zmmm512b32_imm8: Three, 3 1 0 0x1f, 64 4;
        EVEX_Vpcmpq_kr_k1_zmm_zmmm512b64_imm8: Three, 3 1 1 0x1f, 64 8;
        EVEX_Vpcmpud_kr_k1_zmm_zmmm512b32_imm8: Three, 3 1 0 0x1e, 64 4;
        EVEX_Vpcmpuq_kr_k1_zmm_zmmm512b64_imm8: Three, 3 1 1 0x1e, 64 8;
        EVEX_Vptestmd_kr_k1_zmm_zmmm512b32: Three, 2 1 0 0x27, 64 4;
        EVEX_Vptestmq_kr_k1_zmm_zmmm512b64: Three, 2 1 1 0x27, 64 8;
        EVEX_Vptestnmd_kr_k1_zmm_zmmm512b32: Three, 2 2 0 0x27, 64 4;
        EVEX_Vptestnmq_kr_k1_zmm_zmmm512b64: Three, 2 2 1 0x27, 64 8;
        EVEX_Vfpclassps_kr_k1_zmmm512b32_imm8: Two, 3 1 0 0x66, 64 4;
        EVEX_Vfpclasspd_kr_k1_zmmm512b64_imm8: Two, 3 1 1 0x66, 64 8;
        EVEX_Vpmovm2d_zmm_kr: Two, 2 2 0 0x38, 64 0;
        EVEX_Vpmovd2m_kr_zmm: Two, 2 2 0 0x39, 64 0;
        EVEX_Vmovdqa32_zmm_k1z_zmmm512: Two, 1 1 0 0x6f, 64 0;
        EVEX_Vmovdqa32_zmmm512_k1z_zmm: Store, 1 1 0 0x7f, 64 0;
        EVEX_Vmovdqu32_zmm_k1z_zmmm512: Two, 1 2 0 0x6f, 64 0;
        EVEX_Vmovdqu32_zmmm512_k1z_zmm: Store, 1 2 0 0x7f, 64 0;
        EVEX_Vmovdqa64_zmm_k1z_zmmm512: Two, 1 1 1 0x6f, 64 0;
        EVEX_Vmovdqa64_zmmm512_k1z_zmm: Store, 1 1 1 0x7f, 64 0;
        EVEX_Vpbroadcastd_zmm_k1z_xmmm32: Two, 2 1 0 0x58, 4 0;
        EVEX_Vpbroadcastq_zmm_k1z_xmmm64: Two, 2 1 1 0x59, 8 0;
        EVEX_Vpmovzxdq_zmm_k1z_ymmm256: Two, 2 1 0 0x35, 32 0;
        EVEX_Vpmovsxdq_zmm_k1z_ymmm256: Two, 2 1 0 0x25, 32 0;
        EVEX_Vpmovqd_ymmm256_k1z_zmm: Store, 2 2 0 0x35, 32 0;
        EVEX_Vinsertf32x8_zmm_k1z_zmm_ymmm256_imm8: Three, 3 1 0 0x1a, 32 0;
        EVEX_Vextractf32x8_ymmm256_k1z_zmm_imm8: Store, 3 1 0 0x1b, 32 0;
        EVEX_Vcvtps2pd_zmm_k1z_ymmm256b32_sae: Two, 1 0 0 0x5a, 32 4;
        EVEX_Vcvtpd2ps_ymm_k1z_zmmm512b64_er: Two, 1 1 1 0x5a, 64 8;
        EVEX_Vcvtdq2ps_zmm_k1z_zmmm512b32_er: Two, 1 0 0 0x5b, 64 4;
        EVEX_Vcvttps2dq_zmm_k1z_zmmm512b32_sae: Two, 1 2 0 0x5b, 64 4;
        EVEX_Vcvtdq2pd_zmm_k1z_ymmm256b32_er: Two, 1 2 0 0xe6, 32 4;
        EVEX_Vcvttpd2dq_ymm_k1z_zmmm512b64_sae: Two, 1 1 1 0xe6, 64 8;
        EVEX_Vrndscaleps_zmm_k1z_zmmm512b32_imm8_sae: Two, 3 1 0 0x08, 64 4;
        EVEX_Vrndscalepd_zmm_k1z_zmmm512b64_imm8_sae: Two, 3 1 1 0x09, 64 8;
        EVEX_Vpshufd_zmm_k1z_zmmm512b32_imm8: Two, 1 1 0 0x70, 64 4;
        EVEX_Vpermilps_zmm_k1z_zmmm512b32_imm8: Two, 3 1 0 0x04, 64 4;
        EVEX_Vpermilps_zmm_k1z_zmm_zmmm512b32: Three, 2 1 0 0x0c, 64 4;
        EVEX_Vpermq_zmm_k1z_zmmm512b64_imm8: Two, 3 1 1 0x00, 64 8;
        EVEX_Vpermq_zmm_k1z_zmm_zmmm512b64: Three, 2 1 1 0x36, 64 8;
        EVEX_Vunpcklps_zmm_k1z_zmm_zmmm512b32: Three, 1 0 0 0x14, 64 4;
        EVEX_Vunpckhps_zmm_k1z_zmm_zmmm512b32: Three, 1 0 0 0x15, 64 4;
        EVEX_Vunpcklpd_zmm_k1z_zmm_zmmm512b64: Three, 1 1 1 0x14, 64 8;
        EVEX_Vunpckhpd_zmm_k1z_zmm_zmmm512b64: Three, 1 1 1 0x15, 64 8;
        EVEX_Vcvtph2ps_zmm_k1z_ymmm256_sae: Two, 2 1 0 0x13, 32 0;
        EVEX_Vcvtps2ph_ymmm256_k1z_zmm_imm8_sae: Store, 3 1 0 0x1d, 32 0;
        EVEX_Vinsertf64x4_zmm_k1z_zmm_ymmm256_imm8: Three, 3 1 1 0x1a, 32 0;
        EVEX_Vbroadcastf32x4_zmm_k1z_m128: Two, 2 1 0 0x1a, 16 0;
        EVEX_Vbroadcastf64x2_zmm_k1z_m128: Two, 2 1 1 0x1a, 16 0;
        EVEX_Vbroadcastf64x4_zmm_k1z_m256: Two, 2 1 1 0x1b, 32 0;
        EVEX_Vshuff64x2_zmm_k1z_zmm_zmmm512b64_imm8: Three, 3 1 1 0x23, 64 8;
        EVEX_Vmovdqu64_zmmm512_k1z_zmm: Store, 1 2 1 0x7f, 64 0;
        EVEX_Vpbroadcastd_zmm_k1z_r32: Two, 2 1 0 0x7c, 4 0;
        EVEX_Vpcmpeqd_kr_k1_zmm_zmmm512b32: Three, 1 1 0 0x76, 64 4;
        EVEX_Vpmovdb_xmmm128_k1z_zmm: Store, 2 2 0 0x31, 16 0;
        EVEX_Vpmovdw_ymmm256_k1z_zmm: Store, 2 2 0 0x33, 32 0;
        EVEX_Vpmovzxwd_zmm_k1z_ymmm256: Two, 2 1 0 0x33, 32 0;
        EVEX_Vpmullq_zmm_k1z_zmm_zmmm512b64: Three, 2 1 1 0x40, 64 8;
        EVEX_Vplzcntd_zmm_k1z_zmmm512b32: Two, 2 1 0 0x44, 64 4;
        EVEX_Vplzcntq_zmm_k1z_zmmm512b64: Two, 2 1 1 0x44, 64 8;
        EVEX_Vpopcntd_zmm_k1z_zmmm512b32: Two, 2 1 0 0x55, 64 4;
        EVEX_Vpopcntq_zmm_k1z_zmmm512b64: Two, 2 1 1 0x55, 64 8;
    }
}
