//! The curve of sRGB for colours that are stored: 12.92 x up to 0.0031308, 1.055 x^(1/2.4) - 0.055 above.

/// Where one code ends and the next begins: the binary64 next to the number whose code would be n + 1/2, for n from 0 on.
#[rustfmt::skip]
const BORDERS: [u64; 255] = [
    0x3f23_e456_77c1_76f7, 0x3f3d_d681_b3a2_3272, 0x3f48_dd6c_15b1_d4b4, 0x3f51_67cb_a8c9_4818, 0x3f56_60e1_46b9_a5d5,
    0x3f5b_59f6_e4aa_0393, 0x3f60_2986_414d_30a8, 0x3f62_a611_1045_5f87, 0x3f65_229b_df3d_8e66, 0x3f67_9f26_ae35_bd45,
    0x3f6a_1e5a_03a8_a4b5, 0x3f6c_bf73_4477_e0e7, 0x3f6f_8680_5909_12c1, 0x3f71_3a0b_e3e9_8ad5, 0x3f72_c466_5c6b_c58b,
    0x3f74_6297_93a3_99b0, 0x3f76_14e6_0755_4158, 0x3f77_db96_ca0c_99d9, 0x3f79_b6ed_95fb_6dba, 0x3f7b_a72c_de4c_b5ca,
    0x3f7d_ac95_df18_3297, 0x3f7f_c768_ac1b_d733, 0x3f80_fbf2_1f2d_c489, 0x3f82_1f23_4061_c55c, 0x3f83_4d66_2df3_2ddc,
    0x3f84_86d8_e075_e9d4, 0x3f85_cb98_d9e2_545f, 0x3f87_1bc3_2a59_ad46, 0x3f88_7774_749c_c7c5, 0x3f89_dec8_f23b_a5bf,
    0x3f8b_51dc_7783_fa2a, 0x3f8c_d0ca_7733_ec84, 0x3f8e_5bae_05f5_ea99, 0x3f8f_f2a1_dda9_da46, 0x3f90_cae0_303f_c81d,
    0x3f91_a291_cdf3_0864, 0x3f92_8072_a5a9_656b, 0x3f93_648f_6d71_d8d4, 0x3f94_4ef4_b4ef_6b8f, 0x3f95_3fae_e688_f616,
    0x3f96_36ca_4889_ebee, 0x3f97_3452_fe35_32a6, 0x3f98_3855_08ca_eef9, 0x3f99_42dc_4882_1f75, 0x3f9a_53f4_7d76_ca86,
    0x3f9b_6ba9_488d_7613, 0x3f9c_8a06_2c4c_9086, 0x3f9d_af16_8dac_664f, 0x3f9e_dae5_b4de_330d, 0x3fa0_06bf_6705_6983,
    0x3fa0_a376_7504_c7e3, 0x3fa1_439d_7f87_bcfa, 0x3fa1_e739_f4ab_dd1c, 0x3fa2_8e51_35e2_9dea, 0x3fa3_38e8_983f_0647,
    0x3fa3_e705_64c0_63c2, 0x3fa4_98ac_d89a_2d57, 0x3fa5_4de4_2579_38cc, 0x3fa6_06b0_71c6_6583, 0x3fa6_c316_d8e6_dd5e,
    0x3fa7_831c_6b7a_0a43, 0x3fa8_46c6_2f95_5cea, 0x3fa9_0e19_20fd_ffce, 0x3fa9_d91a_3160_8f91, 0x3faa_a7ce_4886_f087,
    0x3fab_7a3a_448c_57bf, 0x3fac_5062_fa0f_9c99, 0x3fad_2a4d_3463_e6bc, 0x3fae_07fd_b5bf_cb10, 0x3fae_e979_376a_e979,
    0x3faf_cec4_69ea_1be6, 0x3fb0_5bf1_fa95_233f, 0x3fb0_d26e_3c54_ebea, 0x3fb1_4ad9_45d0_8395, 0x3fb1_c535_5e94_6f1e,
    0x3fb2_4184_ca30_8d86, 0x3fb2_bfc9_c84a_7aee, 0x3fb3_4006_94af_6b4b, 0x3fb3_c23d_6765_8241, 0x3fb4_4670_74bc_ad3f,
    0x3fb4_cca1_ed5f_04c9, 0x3fb5_54d3_fe60_b982, 0x3fb5_df08_d14f_9170, 0x3fb6_6b42_8c41_f9a1, 0x3fb6_f983_51e5_b03c,
    0x3fb7_89cd_418e_0ac2, 0x3fb8_1c22_7741_dc30, 0x3fb8_b085_0bc8_fe6b, 0x3fb9_46f7_14b9_8253, 0x3fb9_df7a_a484_8998,
    0x3fba_7a11_ca82_cd65, 0x3fbb_16be_9300_d4b9, 0x3fbb_b583_074a_dd2e, 0x3fbc_5661_2db8_78df, 0x3fbc_f95b_09b7_e3e6,
    0x3fbd_9e72_9bd9_13de, 0x3fbe_45a9_e1d8_83c9, 0x3fbe_ef02_d6a9_be77, 0x3fbf_9a7f_7281_a9a9, 0x3fc0_2410_d570_49f5,
    0x3fc0_7bf5_b94e_038a, 0x3fc0_d4ef_5cf4_30b2, 0x3fc1_2efe_b731_1b79, 0x3fc1_8a24_bd8b_be9d, 0x3fc1_e662_6448_412f,
    0x3fc2_43b8_9e6c_58e7, 0x3fc2_a228_5dc3_93e6, 0x3fc3_01b2_92e3_8aa4, 0x3fc3_6258_2d2f_fac4, 0x3fc3_c41a_1ade_cb7a,
    0x3fc4_26f9_48fb_fc29, 0x3fc4_8af6_a36d_7de4, 0x3fc4_f013_14f6_f85f, 0x3fc5_564f_873d_7af6, 0x3fc5_bdac_e2cb_1a51,
    0x3fc6_262c_0f12_7b37, 0x3fc6_8fcd_f272_4b0d, 0x3fc6_fa93_7238_a68f, 0x3fc7_667d_72a6_6f3d, 0x3fc7_d38c_d6f2_8fe9,
    0x3fc8_41c2_814d_30ed, 0x3fc8_b11f_52e2_dc70, 0x3fc9_21a4_2bdf_9326, 0x3fc9_9351_eb71_d1f9, 0x3fca_0629_6fcd_88fb,
    0x3fca_7a2b_962f_040b, 0x3fca_ef59_3add_c582, 0x3fcb_65b3_392f_5350, 0x3fcb_dd3a_6b89_f6d8, 0x3fcc_55ef_ab67_6fe3,
    0x3fcc_cfd3_d157_9b02, 0x3fcd_4ae7_b503_0ba9, 0x3fcd_c72c_2d2d_9a5b, 0x3fce_44a2_0fb8_e723, 0x3fce_c34a_31a6_d0b4,
    0x3fcf_4325_671b_e069, 0x3fcf_c434_8361_ab75, 0x3fd0_233c_2c74_94c1, 0x3fd0_64f8_dca6_8078, 0x3fd0_a750_baa9_e48d,
    0x3fd0_ea44_2e79_2155, 0x3fd1_2dd3_9fa6_c332, 0x3fd1_71ff_755e_9545, 0x3fd1_b6c8_1666_af86, 0x3fd1_fc2d_e920_806a,
    0x3fd2_4231_5389_d220, 0x3fd2_88d2_bb3d_cb8f, 0x3fd2_d012_8575_ed1d, 0x3fd3_17f1_170b_096c, 0x3fd3_606e_d476_3a09,
    0x3fd3_a98c_21d1_d03f, 0x3fd3_f349_62da_4212, 0x3fd4_3da6_faef_137c, 0x3fd4_88a5_4d13_bc06, 0x3fd4_d444_bbf0_88ca,
    0x3fd5_2085_a9d3_7af4, 0x3fd5_6d68_78b1_22d7, 0x3fd5_baed_8a25_77aa, 0x3fd6_0915_3f74_abf5, 0x3fd6_57df_f98b_fecf,
    0x3fd6_a74e_1902_89f3, 0x3fd6_f75f_fe1a_0cbc, 0x3fd7_4816_08bf_b425, 0x3fd7_9970_988c_dfca, 0x3fd7_eb70_0cc7_e40c,
    0x3fd8_3e14_c464_c956, 0x3fd8_915f_1e06_08a3, 0x3fd8_e54f_77fd_4542, 0x3fd9_39e6_304c_03f5, 0x3fd9_8f23_a4a4_5f6c,
    0x3fd9_e508_3269_ba32, 0x3fda_3b94_36b1_6e15, 0x3fda_92c8_0e43_7919, 0x3fda_eaa4_159b_27f7, 0x3fdb_4328_a8e7_be4a,
    0x3fdb_9c56_240d_1c5a, 0x3fdb_f62c_e2a4_62a8, 0x3fdc_50ad_3ffc_933a, 0x3fdc_abd7_971b_30b4, 0x3fdd_07ac_42bc_db47,
    0x3fdd_642b_9d55_eb84, 0x3fdd_c156_0113_0b20, 0x3fde_1f2b_c7d9_cba5, 0x3fde_7dad_4b49_3b27, 0x3fde_dcda_e4ba_7707,
    0x3fdf_3cb4_ed41_3cbf, 0x3fdf_9d3b_bdac_78d2, 0x3fdf_fe6f_ae86_d3d6, 0x3fe0_3028_8c0b_9edc, 0x3fe0_6170_2930_bb93,
    0x3fe0_930e_da93_4ca2, 0x3fe0_c504_cbf2_cdca, 0x3fe0_f752_28ed_ec22, 0x3fe1_29f7_1d02_c75c, 0x3fe1_5cf3_d38f_323d,
    0x3fe1_9048_77d0_f24b, 0x3fe1_c3f5_34e5_fea4, 0x3fe1_f7fa_35cc_be1b, 0x3fe2_2c57_a564_448b, 0x3fe2_610d_ae6c_8f65,
    0x3fe2_961c_7b86_c188, 0x3fe2_cb84_3735_5e5b, 0x3fe3_0145_0bdc_8432, 0x3fe3_375f_23c2_25fb, 0x3fe3_6dd2_a90e_443c,
    0x3fe3_a49f_c5cb_2566, 0x3fe3_dbc6_a3e5_8d79, 0x3fe4_1347_6d2c_f4fe, 0x3fe4_4b22_4b53_bf61, 0x3fe4_8357_67ef_70a2,
    0x3fe4_bbe6_ec78_e26b, 0x3fe4_f4d1_024c_7882, 0x3fe5_2e15_d2aa_54a6, 0x3fe5_67b5_86b6_89cd, 0x3fe5_a1b0_4779_4ed4,
    0x3fe5_dc06_3ddf_3090, 0x3fe6_16b7_92b9_4357, 0x3fe6_51c4_6ebd_53f4, 0x3fe6_8d2c_fa86_1810, 0x3fe6_c8f1_5e93_5e0f,
    0x3fe7_0511_c34a_3c66, 0x3fe7_418e_50f5_4067, 0x3fe7_7e67_2fc4_9c8c, 0x3fe7_bb9c_87ce_563d, 0x3fe7_f92e_810e_7315,
    0x3fe8_371d_4367_25ab, 0x3fe8_7568_f6a0_f9dc, 0x3fe8_b411_c26b_0098, 0x3fe8_f317_ce5a_fb3e, 0x3fe9_327b_41ed_8674,
    0x3fe9_723c_4486_4498, 0x3fe9_b25a_fd70_07af, 0x3fe9_f2d7_93dc_faee, 0x3fea_33b2_2ee6_cbcc, 0x3fea_74ea_f58e_d2a5,
    0x3fea_b682_0ebe_3af1, 0x3fea_f877_a146_2b15, 0x3feb_3acb_d3df_ebbe, 0x3feb_7d7e_cd2d_0ee0, 0x3feb_c090_b3b7_9644,
    0x3fec_0401_adf2_19b8, 0x3fec_47d1_e237_ecd4, 0x3fec_8c01_76cd_4466, 0x3fec_d090_91df_5b70, 0x3fed_157f_5984_97d1,
    0x3fed_5acd_f3bc_ae8a, 0x3fed_a07c_8670_c7a5, 0x3fed_e68b_3773_a1c6, 0x3fee_2cfa_2c81_b559, 0x3fee_73c9_8b41_576d,
    0x3fee_baf9_7942_dc33, 0x3fef_028a_1c00_b929, 0x3fef_4a7b_98df_a6eb, 0x3fef_92ce_152e_c2b7, 0x3fef_db81_b627_af90,
];

/// The code nearest to the curve, 255 for 1 and what lies above; 0 for NaN and what lies below 0.
pub(super) fn encode(value: f64) -> u64 {
    BORDERS.partition_point(|&border| f64::from_bits(border) <= value) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use dashu_base::Sign;
    use dashu_int::{IBig, UBig};

    /// A binary64 number as m * 2^e.
    fn parts(value: f64) -> (UBig, i32) {
        let bits = value.to_bits();
        (UBig::from(bits & ((1 << 52) - 1) | 1 << 52), (bits >> 52) as i32 - 1075)
    }

    /// Sign of value - border n, exactly: value^5 against ((2n + 1 + 28.05) / 538.05)^12, or 12.92 value against (2n + 1) / 510.
    fn against_border(value: f64, n: u64) -> i8 {
        let (m, e) = parts(value);
        let (left, right, e) = if n < 10 {
            (m * UBig::from(1292u32) * UBig::from(510u32), UBig::from(2 * n + 1) * UBig::from(100u32), e)
        } else {
            let top = UBig::from(100 * (2 * n + 1) + 2805).pow(12);
            (m.pow(5) * UBig::from(53805u32).pow(12), top, 5 * e)
        };
        // Exponents of numbers in 0 to 1 are negative.
        let right = right << (-e) as usize;
        let difference = IBig::from(left) - IBig::from(right);
        match (difference.is_zero(), difference.sign()) {
            (true, _) => 0,
            (_, Sign::Positive) => 1,
            _ => -1,
        }
    }

    /// Every border lies between two binary64 numbers, of which one is in the table.
    #[test]
    fn codes_end_where_the_curve_says() {
        for n in 0..255u64 {
            let border = f64::from_bits(BORDERS[n as usize]);
            assert!(against_border(border.next_down(), n) < 0 && against_border(border.next_up(), n) > 0, "{n}");
            assert_eq!((encode(border.next_down()), encode(border.next_up())), (n, n + 1));
            // No binary32 number is so close that the table decides.
            let single = border as f32;
            let near = [single.next_down(), single, single.next_up()].map(f64::from);
            for value in near {
                let want = if against_border(value, n) >= 0 { n + 1 } else { n };
                assert_eq!(encode(value), want, "{value}");
            }
        }
        for (value, code) in
            [(f64::NAN, 0), (-1.0, 0), (0.0, 0), (1.0, 255), (f64::INFINITY, 255), (0.5, 188), (0.0031308, 10)]
        {
            assert_eq!(encode(value), code, "{value}");
        }
    }
}
