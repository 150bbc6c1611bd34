//! Bytes as numbers: normalised, and by the curve of sRGB, as texture units read them.

use crate::swiftshader::UNIT;
use parallax_core::num::{Decl, Format, Op, Rule, SrgbDecode, TextureRule, TextureUnit, eval};
use std::sync::LazyLock;

/// Numbers of all bytes, as binary32 patterns.
pub(crate) type Table = [u32; 256];

/// How the bytes of an image are read.
#[derive(Copy, Clone)]
pub(crate) struct Decoding {
    /// Of red, green and blue.
    pub(crate) color: &'static Table,
    /// Of alpha.
    pub(crate) alpha: &'static Table,
    /// Its place among those that an image may have, below [`Decoding::COUNT`].
    pub(crate) number: usize,
}

impl Decoding {
    /// How many an image may have.
    pub(crate) const COUNT: usize = 12;

    /// Of images of normalised bytes, or of sRGB.
    #[inline]
    pub(crate) fn of(is_srgb: bool, rule: &TextureRule) -> Decoding {
        let alpha = match rule.unit {
            TextureUnit::None => &UNORM8,
            TextureUnit::Gallivm => &BY_RECIPROCAL,
            TextureUnit::SwiftShader => &BY_65280TH,
        };
        let first = 4 * rule.unit as usize;
        if !is_srgb {
            return Decoding { color: alpha, alpha, number: first };
        }
        let color = srgb_numbers(rule.srgb);
        Decoding { color, alpha, number: first + rule.srgb as usize }
    }

    /// A texel as numbers.
    #[inline(always)]
    pub(crate) fn texel(&self, [red, green, blue, alpha]: [u8; 4]) -> [u32; 4] {
        let [red, green, blue] = [red, green, blue].map(|byte| self.color[usize::from(byte)]);
        [red, green, blue, self.alpha[usize::from(alpha)]]
    }
}

/// `byte / 255`.
pub(crate) static UNORM8: Table = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = (byte as f32 / 255.0).to_bits();
        byte += 1;
    }
    table
};

/// The same as llvmpipe has it: times the binary32 next to 1/255.
static BY_RECIPROCAL: Table = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = (byte as f32 * (1.0 / 255.0)).to_bits();
        byte += 1;
    }
    table
};

/// The same as SwiftShader has it: 256 times the byte, times the binary32 next to 1/65280.
static BY_65280TH: Table = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = ((byte << 8) as f32 * UNIT).to_bits();
        byte += 1;
    }
    table
};

/// The curve of sRGB, binary32 next to it: c / 12.92 up to 0.04045, ((c + 0.055) / 1.055)^2.4 above.
#[rustfmt::skip]
pub(crate) static SRGB: Table = [
    0x0000_0000, 0x399f_22b4, 0x3a1f_22b4, 0x3a6e_b40e, 0x3a9f_22b4, 0x3ac6_eb61, 0x3aee_b40e, 0x3b0b_3e5d,
    0x3b1f_22b4, 0x3b33_070a, 0x3b46_eb61, 0x3b5b_518e, 0x3b70_f18f, 0x3b83_e1c6, 0x3b8f_e616, 0x3b9c_87fd,
    0x3ba9_c9b6, 0x3bb7_ad6f, 0x3bc6_354a, 0x3bd5_6360, 0x3be5_39c1, 0x3bf5_ba71, 0x3c03_73b6, 0x3c0c_6153,
    0x3c15_a705, 0x3c1f_45be, 0x3c29_3e6b, 0x3c33_91f7, 0x3c3e_4149, 0x3c49_4d44, 0x3c54_b6c9, 0x3c60_7eb4,
    0x3c6c_a5df, 0x3c79_2d22, 0x3c83_0aa9, 0x3c89_af9f, 0x3c90_85dc, 0x3c97_8dc6, 0x3c9e_c7c2, 0x3ca6_3433,
    0x3cad_d37d, 0x3cb5_a602, 0x3cbd_ac21, 0x3cc5_e63a, 0x3cce_54ac, 0x3cd6_f7d5, 0x3cdf_d010, 0x3ce8_ddba,
    0x3cf2_212d, 0x3cfb_9ac3, 0x3d02_a56a, 0x3d07_98dd, 0x3d0c_a7e6, 0x3d11_d2af, 0x3d17_1964, 0x3d1c_7c30,
    0x3d21_fb3c, 0x3d27_96b2, 0x3d2d_4ebb, 0x3d33_2381, 0x3d39_152b, 0x3d3f_23e4, 0x3d45_4fd2, 0x3d4b_991d,
    0x3d51_ffec, 0x3d58_8468, 0x3d5f_26b6, 0x3d65_e6fd, 0x3d6c_c563, 0x3d73_c20e, 0x3d7a_dd24, 0x3d81_0b65,
    0x3d84_b793, 0x3d88_732e, 0x3d8c_3e48, 0x3d90_18f4, 0x3d94_0344, 0x3d97_fd49, 0x3d9c_0715, 0x3da0_20ba,
    0x3da4_4a4a, 0x3da8_83d6, 0x3dac_cd6f, 0x3db1_2727, 0x3db5_910f, 0x3dba_0b38, 0x3dbe_95b3, 0x3dc3_3090,
    0x3dc7_dbe0, 0x3dcc_97b4, 0x3dd1_641d, 0x3dd6_412b, 0x3ddb_2eee, 0x3de0_2d76, 0x3de5_3cd4, 0x3dea_5d18,
    0x3def_8e51, 0x3df4_d090, 0x3dfa_23e5, 0x3dff_885e, 0x3e02_7f06, 0x3e05_427f, 0x3e08_0ea2, 0x3e0a_e377,
    0x3e0d_c104, 0x3e10_a753, 0x3e13_966a, 0x3e16_8e51, 0x3e19_8f0f, 0x3e1c_98ac, 0x3e1f_ab30, 0x3e22_c6a1,
    0x3e25_eb07, 0x3e29_186a, 0x3e2c_4ed0, 0x3e2f_8e42, 0x3e32_d6c5, 0x3e36_2862, 0x3e39_831f, 0x3e3c_e703,
    0x3e40_5417, 0x3e43_ca60, 0x3e47_49e6, 0x3e4a_d2af, 0x3e4e_64c3, 0x3e52_0029, 0x3e55_a4e7, 0x3e59_5305,
    0x3e5d_0a89, 0x3e60_cb7a, 0x3e64_95df, 0x3e68_69be, 0x3e6c_471f, 0x3e70_2e07, 0x3e74_1e7e, 0x3e78_188b,
    0x3e7c_1c33, 0x3e80_14bf, 0x3e82_2039, 0x3e84_308b, 0x3e86_45b8, 0x3e88_5fc3, 0x3e8a_7eb0, 0x3e8c_a281,
    0x3e8e_cb3b, 0x3e90_f8df, 0x3e93_2b72, 0x3e95_62f6, 0x3e97_9f6f, 0x3e99_e0e0, 0x3e9c_274c, 0x3e9e_72b6,
    0x3ea0_c321, 0x3ea3_1890, 0x3ea5_7307, 0x3ea7_d288, 0x3eaa_3716, 0x3eac_a0b6, 0x3eaf_0f68, 0x3eb1_8332,
    0x3eb3_fc15, 0x3eb6_7a14, 0x3eb8_fd34, 0x3ebb_8576, 0x3ebe_12de, 0x3ec0_a56e, 0x3ec3_3d2a, 0x3ec5_da14,
    0x3ec8_7c30, 0x3ecb_2380, 0x3ecd_d008, 0x3ed0_81ca, 0x3ed3_38c9, 0x3ed5_f508, 0x3ed8_b68a, 0x3edb_7d52,
    0x3ede_4963, 0x3ee1_1abf, 0x3ee3_f169, 0x3ee6_cd65, 0x3ee9_aeb5, 0x3eec_955b, 0x3eef_815c, 0x3ef2_72b8,
    0x3ef5_6974, 0x3ef8_6593, 0x3efb_6716, 0x3efe_6e00, 0x3f00_bd2b, 0x3f02_460c, 0x3f03_d1a5, 0x3f05_5ff7,
    0x3f06_f104, 0x3f08_84cd, 0x3f0a_1b54, 0x3f0b_b499, 0x3f0d_509f, 0x3f0e_ef65, 0x3f10_90ef, 0x3f12_353d,
    0x3f13_dc50, 0x3f15_862a, 0x3f17_32cc, 0x3f18_e237, 0x3f1a_946e, 0x3f1c_4970, 0x3f1e_0140, 0x3f1f_bbde,
    0x3f21_794d, 0x3f23_398c, 0x3f24_fc9f, 0x3f26_c285, 0x3f28_8b41, 0x3f2a_56d2, 0x3f2c_253c, 0x3f2d_f67f,
    0x3f2f_ca9c, 0x3f31_a194, 0x3f33_7b6a, 0x3f35_581d, 0x3f37_37b0, 0x3f39_1a24, 0x3f3a_ff7a, 0x3f3c_e7b2,
    0x3f3e_d2cf, 0x3f40_c0d2, 0x3f42_b1bc, 0x3f44_a58e, 0x3f46_9c49, 0x3f48_95ef, 0x3f4a_9280, 0x3f4c_91ff,
    0x3f4e_946c, 0x3f50_99c9, 0x3f52_a216, 0x3f54_ad56, 0x3f56_bb88, 0x3f58_ccaf, 0x3f5a_e0cc, 0x3f5c_f7df,
    0x3f5f_11ea, 0x3f61_2eef, 0x3f63_4eee, 0x3f65_71e9, 0x3f67_97e0, 0x3f69_c0d5, 0x3f6b_ecca, 0x3f6e_1bbf,
    0x3f70_4db5, 0x3f72_82ae, 0x3f74_baab, 0x3f76_f5ae, 0x3f79_33b6, 0x3f7b_74c6, 0x3f7d_b8de, 0x3f80_0000,
];

/// The same in 4095ths, the nearest.
static TABLE_4095: LazyLock<Table> = LazyLock::new(|| {
    SRGB.map(|bits| {
        let steps = (f64::from(f32::from_bits(bits)) * 4095.0 + 0.5) as u32;
        (steps as f32 / 4095.0).to_bits()
    })
});

/// The curve in 65280ths, found in steps of binary32: of code 149, which lies 0.001 below a tie, it is the upper one.
static CODES_65280: LazyLock<[u32; 256]> = LazyLock::new(|| {
    let rule = Rule::ieee(Decl::F64, Format::F64);
    let power = |base: f32| {
        let operands = [f64::from(base), f64::from(2.4f32)].map(f64::to_bits);
        f64::from_bits(eval(Op::Pow, &rule, &operands)) as f32
    };
    std::array::from_fn(|code| {
        let c = code as f32 / 255.0;
        let number = if c <= 0.04045 { c / 12.92 } else { power((c + 0.055) / 1.055) };
        (number * 65280.0 + 0.5) as u32
    })
});

/// The same times the binary32 next to 1/65280.
static TABLE_65280: LazyLock<Table> = LazyLock::new(|| CODES_65280.map(|code| (code as f32 * UNIT).to_bits()));

/// A byte of sRGB in 65280ths.
pub(crate) fn srgb_65280(byte: u8) -> u16 {
    CODES_65280[usize::from(byte)] as u16
}

/// The same as llvmpipe computes it: a line up to 15, above a polynomial of the byte, in steps that round once.
static POLYNOMIAL: LazyLock<Table> = LazyLock::new(|| {
    std::array::from_fn(|byte| {
        let x = byte as f32;
        let line = x * (1.0 / (12.6 * 255.0));
        let [c0, c1, c2, c3] = [0.0023f32, 0.0030 / 255.0, 0.6935 / (255.0 * 255.0), 0.3012 / (255.0 * 255.0 * 255.0)];
        let square = x * x;
        let even = crate::gallivm::fused(square, c2, c0);
        let odd = crate::gallivm::fused(square, c3, c1);
        let curve = crate::gallivm::fused(odd, x, even);
        (if x <= 15.0 { line } else { curve }).to_bits()
    })
});

/// All codes of sRGB in 65280ths, as SwiftShader has them.
pub fn srgb_codes() -> &'static [u32; 256] {
    &CODES_65280
}

/// The number of a code of sRGB: the binary32 next to the curve.
pub fn srgb_number(code: u8) -> f32 {
    f32::from_bits(SRGB[usize::from(code)])
}

/// The numbers of all codes of sRGB as a texture unit has them, as binary32 patterns.
pub fn srgb_numbers(curve: SrgbDecode) -> &'static [u32; 256] {
    match curve {
        SrgbDecode::Nearest => &SRGB,
        SrgbDecode::Table4095 => &TABLE_4095,
        SrgbDecode::Table65280 => &TABLE_65280,
        SrgbDecode::Polynomial => &POLYNOMIAL,
    }
}

/// The code whose number is nearest to a mean.
pub(crate) fn nearest_srgb(mean: f64) -> u8 {
    let number = |code: usize| f64::from(f32::from_bits(SRGB[code]));
    (0..255).position(|code| mean < (number(code) + number(code + 1)) / 2.0).unwrap_or(255) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The curve once more, in binary64.
    #[test]
    fn the_curve_of_srgb_is_that_of_its_definition() {
        let rule = Rule::ieee(Decl::F64, Format::F64);
        for (code, &bits) in SRGB.iter().enumerate() {
            let c = code as f64 / 255.0;
            let power = || f64::from_bits(eval(Op::Pow, &rule, &[(c + 0.055) / 1.055, 2.4].map(f64::to_bits)));
            let exact = if c <= 0.04045 { c / 12.92 } else { power() };
            assert_eq!((exact as f32).to_bits(), bits, "{code}");
            assert_eq!(usize::from(nearest_srgb(exact)), code);
        }
    }

    #[test]
    fn other_curves_are_near() {
        let mut cut = 0;
        for code in 0..256 {
            let [exact, table, polynomial] = [SRGB[code], TABLE_4095[code], POLYNOMIAL[code]].map(f32::from_bits);
            assert!((table - exact).abs() <= 0.5 / 4095.0 + 1e-7 && (polynomial - exact).abs() < 0.002, "{code}");
            cut += usize::from(table.to_bits() != exact.to_bits());
        }
        assert!(cut > 250);
        let tables = SRGB.iter().zip(CODES_65280.iter());
        let near = tables.map(|(&bits, &code)| f64::from(f32::from_bits(bits)) * 65280.0 - f64::from(code));
        assert!(near.into_iter().all(|distance| distance.abs() < 0.502));
        assert_eq!([149, 150, 255].map(|code| CODES_65280[code]), [19620, 19910, 65280]);
        // As the hardware's table begins: 0, 1, 2, 4 4095ths.
        assert_eq!([0, 1, 2, 3].map(|code| (f32::from_bits(TABLE_4095[code]) * 4095.0 + 0.5) as u32), [0, 1, 2, 4]);
    }
}
