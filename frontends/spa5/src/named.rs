//! Opcodes that are known by name only: their words are instructions, which are not decoded.
//!
//! NVIDIA's disassembler names these for sm_50 to sm_62; the constant bits were found by asking it for every value of the highest
//! sixteen.

/// The highest sixteen bits of words: which are constant, their values, the mnemonic.
#[rustfmt::skip]
const NAMES: &[(u16, u16, &str)] = &[
    (0xfff0, 0xe2c0, "GETCRSPTR"),
    (0xfff0, 0xe2d0, "GETLMEMBASE"), (0xfff0, 0xe390, "IDE"), (0xfc00, 0x1000, "IMAD32I"), (0xfe90, 0x3480, "IMADSP"),
    (0xfe88, 0x3480, "IMADSP"), (0xef90, 0x4a80, "IMADSP"), (0xef88, 0x4a80, "IMADSP"), (0xf790, 0x5280, "IMADSP"),
    (0xf788, 0x5280, "IMADSP"), (0xfff0, 0xe220, "JCAL"), (0xfff0, 0xe210, "JMP"),
    (0xfff0, 0xe200, "JMX"), (0xfff8, 0x50d0, "LEPC"), (0xfff0, 0xe310, "LONGJMP"), (0xfff0, 0xe230, "PEXIT"), (0xfff0, 0xe280, "PLONGJMP"), (0xfff0, 0xe360, "RTT"),
    (0xfff0, 0xe2e0, "SETCRSPTR"), (0xfff0, 0xe2f0, "SETLMEMBASE"), (0xfff8, 0xeea0, "STP"), (0xf800, 0xc000, "TEX"),
    (0xffc0, 0xde80, "TEX"), (0xfb00, 0xd000, "TEXS"), (0xfa80, 0xd000, "TEXS"), (0xfa40, 0xd000, "TEXS"),
    (0xfe00, 0xdc00, "TLD"), (0xfc00, 0xc800, "TLD4"), (0xffc0, 0xdec0, "TLD4"), (0xff80, 0xdf80, "TLD4S"),
    (0xfb40, 0xd200, "TLDS"), (0xfb20, 0xd200, "TLDS"), (0xfb80, 0xd280, "TLDS"), (0xfa60, 0xd200, "TLDS"),
    (0xfff8, 0xdf60, "TMML"), (0xfff8, 0xdf40, "TXA"), (0xff80, 0xde00, "TXD"), (0xfff8, 0x50e0, "VOTE"),
];

/// The mnemonic of a word that no row of the table matches.
pub(crate) fn name(word: u64) -> Option<&'static str> {
    let top = (word >> 48) as u16;
    NAMES.iter().find(|(mask, value, _)| top & mask == *value).map(|(.., name)| *name)
}
