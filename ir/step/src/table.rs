//! The tables that [`crate::Prim::Table`] reads: those of NVIDIA's function unit, and those of powers in 256 bits and of angles in 128.

use parallax_num::{Fraction, nv_sfu};
use std::sync::LazyLock;

/// A table.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Table {
    /// Of a function of NVIDIA's unit.
    Unit(nv_sfu::Table),
    /// Of a power.
    Power(Power),
    /// The words of 2/pi behind 89 zeros, each with the next one below it; zeros behind the last one that an angle needs.
    TwoOverPi,
}

/// A table of [`crate::second`]'s powers, for the first six bits of a fraction.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Power {
    /// 256 c, an integer, for c next to the reciprocal of the numbers from 1 to 2 that begin with these bits.
    Reciprocal,
    /// 64 bits of log2(1 / c) / 4 behind the point, the highest ones first.
    Log(u8),
    /// 64 bits of 2^fraction / 2 behind the point, the highest ones first.
    Exp(u8),
}

impl Table {
    /// All of them, in the order of their numbers.
    pub const ALL: [Table; 16] = {
        let unit = nv_sfu::Table::ALL;
        [
            Table::Unit(unit[0]),
            Table::Unit(unit[1]),
            Table::Unit(unit[2]),
            Table::Unit(unit[3]),
            Table::Unit(unit[4]),
            Table::Unit(unit[5]),
            Table::Power(Power::Reciprocal),
            Table::Power(Power::Log(0)),
            Table::Power(Power::Log(1)),
            Table::Power(Power::Exp(0)),
            Table::Power(Power::Exp(1)),
            Table::TwoOverPi,
            Table::Power(Power::Log(2)),
            Table::Power(Power::Log(3)),
            Table::Power(Power::Exp(2)),
            Table::Power(Power::Exp(3)),
        ]
    };

    /// Its number.
    pub const fn number(self) -> u64 {
        match self {
            Table::Unit(table) => table as u64,
            Table::Power(Power::Reciprocal) => UNITS,
            Table::Power(Power::Log(n @ 0..2)) => UNITS + 1 + n as u64,
            Table::Power(Power::Exp(n @ 0..2)) => UNITS + 3 + n as u64,
            Table::TwoOverPi => UNITS + 5,
            Table::Power(Power::Log(n)) => UNITS + 4 + n as u64,
            Table::Power(Power::Exp(n)) => UNITS + 6 + n as u64,
        }
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Table::Unit(table) => table.name(),
            Table::Power(Power::Reciprocal) => "reciprocal",
            Table::Power(Power::Log(n)) => ["log_high", "log_low", "log_third", "log_last"][n as usize & 3],
            Table::Power(Power::Exp(n)) => ["exp_high", "exp_low", "exp_third", "exp_last"][n as usize & 3],
            Table::TwoOverPi => "two_over_pi",
        }
    }

    /// Its rows.
    pub fn rows(self) -> &'static [u64] {
        match self {
            Table::Unit(table) => table.rows(),
            Table::Power(Power::Reciprocal) => &RECIPROCALS,
            Table::Power(Power::Log(n)) => &LOGS[n as usize & 3],
            Table::Power(Power::Exp(n)) => &EXPS[n as usize & 3],
            Table::TwoOverPi => &ANGLES,
        }
    }
}

/// Tables of NVIDIA's unit.
const UNITS: u64 = nv_sfu::Table::ALL.len() as u64;

/// The row of a table; 0 of a table that does not exist.
pub(crate) fn row(table: u64, number: u32) -> u64 {
    let Some(table) = Table::ALL.get(table as usize) else { return 0 };
    let rows = table.rows();
    rows.get(number as usize % rows.len().max(1)).copied().unwrap_or(0)
}

/// High 128 bits of a product.
pub(crate) const fn high(a: u128, b: u128) -> u128 {
    const LOW: u128 = u64::MAX as u128;
    let (a1, a0, b1, b0) = (a >> 64, a & LOW, b >> 64, b & LOW);
    let middle = a1 * b0 + ((a0 * b0) >> 64);
    let other = a0 * b1 + (middle & LOW);
    a1 * b1 + (middle >> 64) + (other >> 64)
}

/// The first row is 256 and the last one 128, so that numbers next to 1 have no logarithm of c to be taken away.
static RECIPROCALS: [u64; 64] = {
    let mut rows = [256; 64];
    let mut n = 1;
    while n < 63 {
        // 256 / (1 + (n + 1/2) / 64), rounded.
        let divisor = 129 + 2 * n as u64;
        rows[n] = (256 * 128 + divisor / 2) / divisor;
        n += 1;
    }
    rows[63] = 128;
    rows
};

/// Rows of 256 bits in tables of 64, the highest ones first.
fn split(row: impl Fn(usize) -> Fraction) -> [[u64; 64]; 4] {
    let mut tables = [[0; 64]; 4];
    for n in 0..64 {
        for (table, word) in tables.iter_mut().zip(row(n).0.into_iter().rev()) {
            table[n] = word;
        }
    }
    tables
}

static LOGS: LazyLock<[[u64; 64]; 4]> = LazyLock::new(|| split(|n| log_of_ratio(RECIPROCALS[n])));

/// log2(256 / c) / 4 for c from 128 to 256: with s = (256 - c) / (256 + c) it is half of atanh(s) log2(e).
fn log_of_ratio(c: u64) -> Fraction {
    if c == 128 {
        return Fraction([0, 0, 0, 1 << 62]);
    }
    let s = Fraction::MOST.over(256 + c).times(256 - c);
    let s = Fraction([s[0], s[1], s[2], s[3]]);
    let square = s.high(s);
    let series = (1..90).rev().fold(Fraction::ZERO, |p, n| square.high(Fraction::MOST.over(2 * n + 1).plus(p)));
    s.plus(s.high(series)).high(Fraction::LOG2E)
}

static EXPS: LazyLock<[[u64; 64]; 4]> = LazyLock::new(|| {
    split(|n| {
        // With z = n / 64 ln 2: z (1 + z / 2 (1 + z / 3 ...)).
        let z = Fraction([0, 0, 0, (n as u64) << 58]).high(Fraction::LN2);
        let grown = (1..65).rev().fold(Fraction::ZERO, |p, n| z.plus(z.high(p)).over(n));
        Fraction([0, 0, 0, 1 << 63]).plus(grown.shifted(1))
    })
});

/// ln(2)^n / n!, n from 1.
pub(crate) fn exp_term(n: u64) -> Fraction {
    (2..=n).fold(Fraction::LN2, |term, k| term.high(Fraction::LN2).over(k))
}

/// pi / 4 * 2^128.
const QUARTER_PI: u128 = 0xc90f_daa2_2168_c234_c4c6_628b_80dc_1cd1;

/// (pi / 2)^n / n! * 2^127, n from 1.
pub(crate) const fn angle_term(n: u32) -> u128 {
    let (mut term, mut k) = (QUARTER_PI, 2);
    while k <= n {
        term = high(term, QUARTER_PI) / k as u128 * 2;
        k += 1;
    }
    term
}

/// 2/pi after the point, in words, the first ones first.
pub(crate) const TWO_OVER_PI: [u32; 40] = [
    0xa2f9_836e,
    0x4e44_1529,
    0xfc27_57d1,
    0xf534_ddc0,
    0xdb62_9599,
    0x3c43_9041,
    0xfe51_63ab,
    0xdebb_c561,
    0xb724_6e3a,
    0x424d_d2e0,
    0x0649_2eea,
    0x09d1_921c,
    0xfe1d_eb1c,
    0xb129_a73e,
    0xe882_35f5,
    0x2ebb_4484,
    0xe99c_7026,
    0xb45f_7e41,
    0x3991_d639,
    0x8353_39f4,
    0x9c84_5f8b,
    0xbdf9_283b,
    0x1ff8_97ff,
    0xde05_980f,
    0xef2f_118b,
    0x5a0a_6d1f,
    0x6d36_7ecf,
    0x27cb_09b7,
    0x4f46_3f66,
    0x9e5f_ea2d,
    0x7527_bac7,
    0xebe5_f17b,
    0x3d07_39f7,
    0x8a52_92ea,
    0x6bfb_5fb1,
    0x1f8d_5d08,
    0x5603_3046,
    0xfc7b_6bab,
    0xf0cf_bc20,
    0x9af4_361d,
];

/// Zeros in front of 2/pi.
pub(crate) const ANGLE_ZEROS: u32 = 57;

/// Word number `n` of 2/pi behind [`ANGLE_ZEROS`].
pub(crate) const fn angle_word(n: usize) -> u32 {
    let (first, shift) = ((ANGLE_ZEROS / 32) as usize, ANGLE_ZEROS % 32);
    if n < first {
        return 0;
    }
    let own = if n - first < TWO_OVER_PI.len() { TWO_OVER_PI[n - first] >> shift } else { 0 };
    let has_before = n > first && n - first - 1 < TWO_OVER_PI.len();
    let before = if has_before { TWO_OVER_PI[n - first - 1] << (32 - shift) } else { 0 };
    own | before
}

static ANGLES: [u64; 64] = {
    let mut rows = [0; 64];
    let mut n = 0;
    while n < rows.len() {
        let above = if n == 0 { 0 } else { angle_word(n - 1) };
        rows[n] = (above as u64) << 32 | angle_word(n) as u64;
        n += 1;
    }
    rows
};
