//! Writes the instructions that code consists of mostly, without an [`Instruction`](iced_x86::Instruction) in between.
//!
//! A general encoder looks at every field an instruction may have; these have registers, an offset into the arena, a mask and
//! a direction. Everything else is left to it. Intel's manual, volume 2, sections 2.3 (VEX) and 2.7 (EVEX).

use crate::address::{Address, Buffer};
use crate::asm::Operand;
use iced_x86::Code;
use parallax_step::Direction;

/// Which operand stands where.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Form {
    /// Register, register in the prefix, register or memory.
    Three,
    /// Register, register or memory.
    Two,
    /// Register or memory, register.
    Store,
    /// Register in the prefix, register or memory; the opcode goes on in the place of a register.
    Digit(u8),
}
use Form::{Digit, Store, Three, Two};

/// How an instruction on 512 bits is written.
#[derive(Copy, Clone, Debug)]
struct Row {
    form: Form,
    /// Which table the opcode is of: 1 (0F), 2 (0F 38), 3 (0F 3A).
    map: u8,
    /// Prefix that belongs to the opcode: 0 (none), 1 (66), 2 (F3).
    prefix: u8,
    /// The bit W.
    wide: u8,
    opcode: u8,
    /// Bytes in memory, in which short offsets count.
    memory: u8,
    /// Bytes in memory where one word is read for all lanes; 0 where that cannot be.
    word: u8,
}

macro_rules! rows {
    ($($code:ident: $form:expr, $map:literal $prefix:literal $wide:literal $opcode:literal, $memory:literal $word:literal;)*) => {
        const ROWS: &[(Code, Row)] = &[$((Code::$code, Row {
            form: $form, map: $map, prefix: $prefix, wide: $wide, opcode: $opcode, memory: $memory, word: $word,
        })),*];
    };
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
        rows[ROWS[n].0 as usize] = n as u8 + 1;
        n += 1;
    }
    rows
};

fn row(code: Code) -> Option<&'static Row> {
    let number = *ROW_OF.get(code as usize)?;
    Some(&ROWS.get(usize::from(number).wrapping_sub(1))?.1)
}

#[rustfmt::skip]
rows! {
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
    EVEX_Vmovups_ymmm256_k1z_ymm: Store, 1 0 0 0x11, 32 0;
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
}

/// Instructions on three mask registers, or two if the second is `None`: prefix, length bit and opcode.
const fn of_masks(code: Code) -> Option<(u8, u8, u8)> {
    Some(match code {
        Code::VEX_Kandw_kr_kr_kr => (0, 1, 0x41),
        Code::VEX_Kandnw_kr_kr_kr => (0, 1, 0x42),
        Code::VEX_Korw_kr_kr_kr => (0, 1, 0x45),
        Code::VEX_Kxnorw_kr_kr_kr => (0, 1, 0x46),
        Code::VEX_Kxorw_kr_kr_kr => (0, 1, 0x47),
        Code::VEX_Kunpckbw_kr_kr_kr => (1, 1, 0x4b),
        Code::VEX_Knotw_kr_kr => (0, 0, 0x44),
        Code::VEX_Kortestw_kr_kr => (0, 0, 0x98),
        _ => return None,
    })
}

/// What an instruction asks for besides its operands.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Asked {
    /// Mask register of the lanes that are set; 0 for all.
    pub(crate) mask: u8,
    /// Whether the other lanes become zero.
    pub(crate) zeroing: bool,
    /// Direction of rounding.
    pub(crate) direction: Option<Direction>,
}

/// The bytes of an instruction; `None` for those that are left to a general encoder.
#[inline]
pub(crate) fn encode(code: Code, operands: &[Operand], asked: Asked) -> Option<Buffer> {
    let Some(row) = row(code) else { return masks(code, operands) };
    let (operands, immediate) = match operands.split_last() {
        Some((&Operand::Imm(value), rest)) => (rest, Some(value)),
        _ => (operands, None),
    };
    let (reg, vector, rm) = match (row.form, operands) {
        (Three, &[a, b, c]) => (number(a)?, number(b)?, c),
        (Two, &[a, b]) => (number(a)?, 0, b),
        (Store, &[a, b]) => (number(b)?, 0, a),
        (Digit(digit), &[a, b]) => (digit, number(a)?, b),
        _ => return None,
    };
    // Bits that extend register numbers stand inverted in the prefix.
    let inverted = |number: u8, bit: u8| (!number >> bit) & 1;
    let mut first = row.map | inverted(reg, 3) << 7 | inverted(reg, 4) << 4;
    let second = row.wide << 7 | (!vector & 15) << 3 | 4 | row.prefix;
    let mut third = inverted(vector, 4) << 3 | asked.mask | u8::from(asked.zeroing) << 7;
    third |= match asked.direction {
        // 512 bits, or 256.
        None => {
            if matches!(code, Code::EVEX_Vmovups_ymmm256_k1z_ymm) {
                1 << 5
            } else {
                2 << 5
            }
        }
        Some(direction) => {
            let word = match direction {
                Direction::Nearest => 0,
                Direction::Down => 1,
                Direction::Up => 2,
                Direction::Zero => 3,
            };
            word << 5 | 1 << 4
        }
    };
    let mut unit = row.memory;
    if let Operand::Broadcast(_) = rm {
        if row.word == 0 {
            return None;
        }
        third |= 1 << 4;
        unit = row.word;
    }
    let mut bytes = match Address::of(rm) {
        Some(address) => {
            first |= inverted(address.base, 3) << 5 | inverted(address.index_number(), 3) << 6;
            let mut bytes = Buffer::new([0x62, first, second, third, row.opcode]);
            bytes.address(reg, address, usize::from(unit))?;
            bytes
        }
        None => {
            let rm = number(rm)?;
            first |= inverted(rm, 3) << 5 | inverted(rm, 4) << 6;
            Buffer::new([0x62, first, second, third, row.opcode, 0xc0 | (reg & 7) << 3 | rm & 7])
        }
    };
    if let Some(value) = immediate {
        bytes.push(value);
    }
    Some(bytes)
}

/// The number of a register.
fn number(operand: Operand) -> Option<u8> {
    match operand {
        Operand::Zmm(n) | Operand::Ymm(n) | Operand::Xmm(n) | Operand::K(n) => Some(n),
        _ => None,
    }
}

fn masks(code: Code, operands: &[Operand]) -> Option<Buffer> {
    let moved = match (code, operands) {
        (Code::VEX_Kmovw_kr_km16, &[Operand::K(k), place]) => Some((k, place, 0x90)),
        (Code::VEX_Kmovw_m16_kr, &[place, Operand::K(k)]) => Some((k, place, 0x91)),
        _ => None,
    };
    if let Some((k, place, opcode)) = moved {
        let address = Address::of(place)?;
        let mut bytes = match (address.base | address.index_number()) >> 3 {
            0 => Buffer::new([0xc5, 0xf8, opcode]),
            _ => {
                let inverted = |number: u8| !number >> 3 & 1;
                let first = 0x81 | inverted(address.index_number()) << 6 | inverted(address.base) << 5;
                Buffer::new([0xc4, first, 0x78, opcode])
            }
        };
        bytes.address(k, address, 1)?;
        return Some(bytes);
    }
    let (prefix, long, opcode) = of_masks(code)?;
    let (to, a, b) = match *operands {
        [Operand::K(to), Operand::K(a), Operand::K(b)] => (to, a, b),
        [Operand::K(a), Operand::K(b)] => (a, 0, b),
        _ => return None,
    };
    Some(Buffer::new([0xc5, 0x80 | (!a & 15) << 3 | long << 2 | prefix, opcode, 0xc0 | to << 3 | b]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asm::Asm;
    use iced_x86::Register;

    const MASKS: [Code; 8] = [
        Code::VEX_Kandw_kr_kr_kr,
        Code::VEX_Kandnw_kr_kr_kr,
        Code::VEX_Korw_kr_kr_kr,
        Code::VEX_Kxnorw_kr_kr_kr,
        Code::VEX_Kxorw_kr_kr_kr,
        Code::VEX_Kunpckbw_kr_kr_kr,
        Code::VEX_Knotw_kr_kr,
        Code::VEX_Kortestw_kr_kr,
    ];

    /// Kinds of operands that the name of an instruction says, each as a register by its number.
    fn kinds(name: &str) -> Vec<fn(u8) -> Operand> {
        name.split('_')
            .skip(2)
            .filter_map(|word| -> Option<fn(u8) -> Operand> {
                match word.get(..2)? {
                    "kr" => Some(|n| Operand::K(n & 7)),
                    "zm" => Some(|n| Operand::Zmm(n & 31)),
                    "ym" => Some(|n| Operand::Ymm(n & 31)),
                    "xm" => Some(|n| Operand::Xmm(n & 31)),
                    "im" => Some(|n| Operand::Imm(n.wrapping_mul(37))),
                    _ => None,
                }
            })
            .collect()
    }

    fn same(code: Code, operands: &[Operand], asked: Asked) {
        let own = encode(code, operands, asked).unwrap_or_else(|| panic!("{code:?} {operands:?}"));
        assert_eq!(own.to_vec(), Asm::general(code, operands, asked), "{code:?} {operands:?} {asked:?}");
    }

    fn indexed(at: usize) -> [Operand; 7] {
        let [rax, rcx] = [Register::RAX, Register::RCX].map(|base| Operand::Row(base, at));
        let [one, two, four, eight] = [1, 2, 4, 8].map(|bytes| Operand::Plane(bytes, at));
        [Operand::Block(at), rax, rcx, one, two, four, eight]
    }

    #[test]
    fn masks_in_memory_are_written_as_by_the_general_encoder() {
        for k in 0..8 {
            for at in [0, 8, 120, 128, 2048, 70_000] {
                for place in [Operand::Memory(at)].into_iter().chain(indexed(at)) {
                    same(Code::VEX_Kmovw_kr_km16, &[Operand::K(k), place], Asked::default());
                    same(Code::VEX_Kmovw_m16_kr, &[place, Operand::K(k)], Asked::default());
                }
            }
        }
    }

    #[test]
    fn rows_are_written_as_by_the_general_encoder() {
        for &code in ROWS.iter().map(|(code, _)| code).chain(&MASKS) {
            let name = format!("{code:?}");
            let kinds = kinds(&name);
            assert!(kinds.len() >= 2, "{name}");
            for seed in 0..64u8 {
                let mut operands: Vec<Operand> =
                    kinds.iter().zip([1, 7, 13, 29]).map(|(kind, step)| kind(seed.wrapping_mul(step) ^ step)).collect();
                same(code, &operands, Asked::default());
                let mask = seed % 7 + 1;
                if name.contains("_k1") {
                    let zeroing = seed & 8 != 0 && name.contains("_k1z");
                    same(code, &operands, Asked { mask, zeroing, ..Asked::default() });
                }
                if name.ends_with("_er") && !name.contains("ymmm256b32") {
                    let all = [Direction::Nearest, Direction::Down, Direction::Up, Direction::Zero];
                    let direction = Some(all[usize::from(seed % 4)]);
                    same(code, &operands, Asked { direction, ..Asked::default() });
                }
                let Some(place) = name
                    .split('_')
                    .skip(2)
                    .filter(|word| !word.starts_with("k1"))
                    .position(|word| word.contains("mmm"))
                else {
                    continue;
                };
                for at in [0, 4, 8, 60, 64, 504, 508, 512, 1016, 1024, 4096, 8128, 8192, 8196, 70_000] {
                    operands[place] = Operand::Memory(at);
                    same(code, &operands, Asked::default());
                    if row(code).is_some_and(|row| row.word != 0) {
                        operands[place] = Operand::Broadcast(at);
                        same(
                            code,
                            &operands,
                            Asked { mask: if name.contains("_k1") { mask } else { 0 }, ..Asked::default() },
                        );
                    }
                    for indexed in indexed(at) {
                        operands[place] = indexed;
                        same(code, &operands, Asked::default());
                    }
                }
            }
        }
    }
}
