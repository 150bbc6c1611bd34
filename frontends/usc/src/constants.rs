//! Special constants: PowerVR Instruction Set Reference, appendix A.1.

/// Powers of two from 2^0 on, then from 2^-1 down.
const POWERS: u16 = 64;

/// The constants that are no small integers and no powers of two between 2^-14 and 2^10.
const TABLE: &[(u16, u32)] = &[
    (89, 0x402d_f854),
    (90, 0x3ebc_5ab2),
    (91, 0x3fb5_04f3),
    (92, 0x3f35_04f3),
    (93, 0x3f49_0fdb),
    (94, 0x3fc9_0fdb),
    (95, 0x4049_0fdb),
    (128, 0x3ea2_f983),
    (129, 0x3f22_f983),
    (130, 0x3fa2_f983),
    (131, 0x40c9_0fdb),
    (132, 0x4149_0fdb),
    (133, 0x41c9_0fdb),
    (134, 0x3780_0000),
    (135, 0x3800_0000),
    (136, 0x3b4d_2e1c),
    (137, 0x414e_b852),
    (138, 0x3ed5_5555),
    (139, 0x3f87_0a3d),
    (140, 0x3d61_47ae),
    (141, 0x8000_0000),
    (142, 0x7f80_0000),
    (143, 0xffff_ffff),
    (144, 0x7fff_7fff),
    (145, 0x3e9a_209b),
    (146, 0x3f31_7218),
    (147, 0x0000_007f),
    (148, 0x7f7f_ffff),
    (149, 0x4b00_0000),
    (150, 0x4b80_0000),
    (151, 0x3f86_0a92),
    (152, 0x3eaa_aaab),
    (153, 0x3e2a_aaab),
    (154, 0x4054_9a78),
    (155, 0x3fb8_aa3b),
    (156, 0x3d25_aee6),
    (157, 0x3d9e_8391),
    (158, 0x3f72_a76f),
    (159, 0x4019_999a),
];

/// The bits of constant `cN`; `None` where there is none.
pub(crate) fn value(number: u16) -> Option<u32> {
    match number {
        0..=31 => Some(u32::from(number)),
        64..=74 => Some(u32::from(127 + number - POWERS) << 23),
        75..=88 => Some(u32::from(127 + 74 - number) << 23),
        _ => TABLE.iter().find(|(n, _)| *n == number).map(|(_, bits)| *bits),
    }
}

#[cfg(test)]
mod tests {
    use super::value;

    #[test]
    fn constants() {
        let float = |n| f32::from_bits(value(n).unwrap());
        assert_eq!((value(0), value(31), value(32), value(96)), (Some(0), Some(31), None, None));
        assert_eq!((float(64), float(74), float(75), float(88)), (1.0, 1024.0, 0.5, 1.0 / 16384.0));
        assert_eq!((0..160).filter(|n| value(*n).is_some()).count(), 96);
    }
}
