//! What processors can do.

use parallax_lane::{Directions, Registers};
use std::fmt;

/// A set of vector instructions that code is made for.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Level {
    /// AVX2 with FMA, F16C: 8 lanes.
    Avx2,
    /// AVX-512 with the extensions F, BW, CD, DQ, VL and VPOPCNTDQ: 16 lanes.
    Avx512,
}

impl Level {
    /// All of them, the one with the fewest lanes first.
    pub const ALL: [Level; 2] = [Level::Avx2, Level::Avx512];

    /// Spelling: `avx2`, `avx512`.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Avx2 => "avx2",
            Level::Avx512 => "avx512",
        }
    }

    /// The instruction sets that it takes, for people.
    pub const fn needs(self) -> &'static str {
        match self {
            Level::Avx2 => "AVX2, FMA and F16C",
            Level::Avx512 => "AVX-512 (F, BW, CD, DQ, VL, VPOPCNTDQ)",
        }
    }

    /// Lanes of a block.
    pub const fn lanes(self) -> usize {
        match self {
            Level::Avx2 => 8,
            Level::Avx512 => 16,
        }
    }

    /// Whether this host runs its code.
    pub fn is_supported(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        match self {
            Level::Avx2 => {
                std::is_x86_feature_detected!("avx2")
                    && std::is_x86_feature_detected!("fma")
                    && std::is_x86_feature_detected!("f16c")
            }
            Level::Avx512 => {
                std::is_x86_feature_detected!("avx512f")
                    && std::is_x86_feature_detected!("avx512bw")
                    && std::is_x86_feature_detected!("avx512cd")
                    && std::is_x86_feature_detected!("avx512dq")
                    && std::is_x86_feature_detected!("avx512vl")
                    && std::is_x86_feature_detected!("avx512vpopcntdq")
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        false
    }

    /// The one with the most lanes that this host runs.
    pub fn best() -> Option<Level> {
        Level::ALL.into_iter().rev().find(|level| level.is_supported())
    }

    /// Bytes of a vector register.
    pub(crate) const fn line(self) -> usize {
        4 * self.lanes()
    }

    /// Registers that allocation gives out.
    pub(crate) const fn registers(self) -> Registers<'static> {
        match self {
            Level::Avx2 => AVX2_REGISTERS,
            Level::Avx512 => AVX512_REGISTERS,
        }
    }

    /// Those that it gives out where blocks of a workgroup are interleaved.
    pub(crate) const fn registers_of_groups(self) -> Registers<'static> {
        match self {
            // One more holds operands for all blocks.
            Level::Avx2 => AVX2_GROUP_REGISTERS,
            Level::Avx512 => AVX512_REGISTERS,
        }
    }

    /// Most blocks of a workgroup that are interleaved.
    pub(crate) const fn most_interleaved(self) -> usize {
        match self {
            Level::Avx2 => 2,
            Level::Avx512 => 4,
        }
    }

    /// How so many blocks share the registers, where they share no value: two or four.
    pub(crate) const fn interleaving(self, blocks: usize) -> Interleaving {
        let (vectors, masks) = match self {
            Level::Avx2 => (AVX2_GROUP_REGISTERS.vectors, None),
            Level::Avx512 => (AVX512_REGISTERS.vectors, AVX512_REGISTERS.masks),
        };
        let of_each = vectors.len() / blocks;
        let (masks, masks_of_each) = match masks {
            Some(masks) => (Some(masks.split_at(masks.len() / blocks).0), masks.len() / blocks),
            None => (None, 0),
        };
        let registers = Registers { vectors: vectors.split_at(of_each).0, masks };
        Interleaving { blocks, registers, vectors: of_each as u8, masks: masks_of_each as u8 }
    }

    /// Where the direction of rounding stands.
    pub(crate) const fn directions(self) -> Directions {
        match self {
            Level::Avx2 => Directions::State,
            Level::Avx512 => Directions::Instruction,
        }
    }
}

/// How blocks share the registers.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Interleaving {
    /// How many there are.
    pub(crate) blocks: usize,
    /// Those of the first block.
    pub(crate) registers: Registers<'static>,
    /// How much greater the numbers of those of the next one are.
    pub(crate) vectors: u8,
    pub(crate) masks: u8,
}

/// Registers of AVX2 that allocation gives out; the others are for patterns.
const AVX2_REGISTERS: Registers<'static> =
    Registers { vectors: &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], masks: None };

const AVX2_GROUP_REGISTERS: Registers<'static> =
    Registers { vectors: &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], masks: None };

/// Vector registers of AVX-512 that are given out; the others are for patterns.
const VECTORS: [u8; 28] = {
    let mut list = [0; 28];
    let mut n = 0;
    while n < 28 {
        list[n] = n as u8;
        n += 1;
    }
    list
};
/// Mask registers of AVX-512 that are given out. k0 cannot say which lanes act; k6 and k7 are for patterns.
const MASKS: [u8; 5] = [1, 2, 3, 4, 5];

/// Registers that allocation gives out.
const AVX512_REGISTERS: Registers<'static> = Registers { vectors: &VECTORS, masks: Some(&MASKS) };

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
