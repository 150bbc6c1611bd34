//! Writes the instructions that code consists of mostly, without an [`Instruction`](iced_x86::Instruction) in between.
//!
//! A general encoder looks at every field an instruction may have; these have registers, a place in memory, a mask and a
//! direction. Everything else is left to it.

use crate::address::{Address, Buffer};
use crate::operand::Operand;
use crate::rows::{Form, NO_WORD, Row};
use parallax_step::Direction;

/// What an instruction asks for besides its operands.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Modifiers {
    /// Mask register of the lanes that are set; 0 for all.
    pub(crate) mask: u8,
    /// Whether the other lanes become zero.
    pub(crate) zeroing: bool,
    /// Direction of rounding.
    pub(crate) direction: Option<Direction>,
}

impl Modifiers {
    /// What of a prefix is other than where nothing is asked for.
    #[inline(always)]
    fn bits(self) -> u64 {
        let direction = self.direction.map_or(0, |direction| {
            let word = match direction {
                Direction::Nearest => 0,
                Direction::Down => 1,
                Direction::Up => 2,
                Direction::Zero => 3,
            };
            // It stands where the length does, which is 2.
            FOR_ALL | (word ^ 2) << 29
        });
        direction | u64::from(self.mask) << 24 | u64::from(self.zeroing) << 31
    }
}

/// First byte of a prefix of two bytes; what of one of three bytes is not in the shorter one, and what stands for it.
const SHORT: u64 = 0xc5;
const IMPLIED: (u64, u64) = (0x80_7fff, 0x00_61c4);
/// The bit of an EVEX prefix that stands for a word for all lanes, or a direction.
const FOR_ALL: u64 = 1 << 28;

/// Registers of an instruction, its immediate and what else it asks for, in one word: what is known where the instruction is asked for is
/// put together there.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Fields(u64);

impl Fields {
    /// Those of operands, and the one among them that may be in memory; `None` if they are not those of the form.
    #[inline(always)]
    pub(crate) fn of(form: Form, operands: &[Operand], asked: Modifiers) -> Option<(Fields, Operand)> {
        let (operands, mut immediate) = match operands.split_last() {
            Some((&Operand::Imm(value), rest)) => (rest, Some(value)),
            _ => (operands, None),
        };
        let (reg, vector, rm) = match *operands {
            [a, b, c] if form == Form::Three => (number(a)?, number(b)?, c),
            [a, b] => match form {
                Form::Two => (number(a)?, 0, b),
                Form::Store => (number(b)?, 0, a),
                Form::Digit(digit) => (digit, number(a)?, b),
                Form::Three | Form::Fourth => return None,
            },
            [a, b, c, d] if form == Form::Fourth => {
                immediate = Some(number(d)? << 4);
                (number(a)?, number(b)?, c)
            }
            _ => return None,
        };
        let immediate = immediate.map_or(0, |value| u64::from(value) << 16 | 1 << 24);
        Some((Fields(u64::from(reg) | u64::from(vector) << 8 | immediate | asked.bits() << 32), rm))
    }
}

/// The bytes of an instruction on registers, or one place of the arena, as nearly all are; `None` for the others.
#[inline(always)]
pub(crate) fn encode(row: &Row, fields: Fields, rm: Operand) -> Option<Buffer> {
    let reg = (fields.0 & 7) << 3;
    let (extensions, rest, length) = match rm {
        Operand::Zmm(n) | Operand::Ymm(n) | Operand::Xmm(n) | Operand::K(n) => {
            let n = u64::from(n);
            ((n & 24) << 10, 0xc0 | reg | n & 7, 8)
        }
        Operand::Memory(at) => {
            let (rest, length) = Address::in_arena(at).bytes(reg, row.memory);
            (0, rest, length)
        }
        Operand::Broadcast(at) if row.word != NO_WORD => {
            let (rest, length) = Address::in_arena(at).bytes(reg, row.word);
            (FOR_ALL, rest, length)
        }
        _ => return None,
    };
    Some(written(row, fields, extensions, rest, length))
}

/// The same of the others, for the block that starts so many lanes behind the first one; `None` if there are none.
pub(crate) fn encode_elsewhere(row: &Row, fields: Fields, rm: Operand, ahead: usize) -> Option<Buffer> {
    let reg = (fields.0 & 7) << 3;
    if rm == Operand::Eax {
        return Some(written(row, fields, 0, 0xc0 | reg, 8));
    }
    let address = Address::of(rm, ahead)?;
    let (rest, length) = address.bytes(reg, row.memory);
    Some(written(row, fields, address.extensions(), rest, length))
}

/// Everything, with what the last operand changes of the prefix, and so many bits that stand behind the opcode.
#[inline(always)]
fn written(row: &Row, Fields(fields): Fields, extensions: u64, mut rest: u64, mut length: u32) -> Buffer {
    let (reg, vector) = (fields & 0xff, fields >> 8 & 0xff);
    // Bits of register numbers from the fourth on stand inverted in the prefix.
    let mut head = row.head ^ fields >> 32 ^ extensions;
    head ^= (reg & 8) << 12 | (reg & 16) << 8 | (vector & 15) << 19 | (vector & 16) << 23;
    if fields & 1 << 24 != 0 {
        rest |= (fields >> 16 & 0xff) << length;
        length += 8;
    }
    let mut bits = u32::from(row.length);
    if head & IMPLIED.0 == IMPLIED.1 {
        head = SHORT | head >> 8 & 0x7f00 | head & 0x8000 | head >> 8 & 0xff_0000;
        bits = 24;
    }
    Buffer::new(head, bits, rest, length)
}

/// The number of a register.
#[inline(always)]
fn number(operand: Operand) -> Option<u8> {
    match operand {
        Operand::Zmm(n) | Operand::Ymm(n) | Operand::Xmm(n) | Operand::K(n) => Some(n),
        Operand::Eax => Some(0),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asm::Asm;
    use crate::rows::{ROWS, row};
    use iced_x86::{Code, Register};

    /// Kinds of operands that the name of an instruction says, each as a register by its number.
    fn kinds(name: &str) -> Vec<fn(u8) -> Operand> {
        let is_long = name.starts_with("EVEX");
        name.split('_')
            .skip(2)
            .filter_map(|word| -> Option<fn(u8) -> Operand> {
                match word.get(..2)? {
                    "kr" | "km" => Some(|n| Operand::K(n & 7)),
                    "zm" => Some(|n| Operand::Zmm(n & 31)),
                    "ym" if is_long => Some(|n| Operand::Ymm(n & 31)),
                    "xm" if is_long => Some(|n| Operand::Xmm(n & 31)),
                    "ym" => Some(|n| Operand::Ymm(n & 15)),
                    "xm" => Some(|n| Operand::Xmm(n & 15)),
                    "r3" | "rm" => Some(|_| Operand::Eax),
                    // A place in memory and nothing else.
                    "m1" | "m2" => Some(|n| Operand::Memory(usize::from(n))),
                    "im" => Some(|n| Operand::Imm(n.wrapping_mul(37))),
                    _ => None,
                }
            })
            .collect()
    }

    fn same(code: Code, operands: &[Operand], asked: Modifiers) {
        let row = row(code).unwrap_or_else(|| panic!("{code:?}"));
        let (fields, rm) = Fields::of(row.form, operands, asked).unwrap_or_else(|| panic!("{code:?} {operands:?}"));
        let own = encode(row, fields, rm)
            .or_else(|| encode_elsewhere(row, fields, rm, 0))
            .unwrap_or_else(|| panic!("{code:?} {operands:?}"));
        let (bytes, count) = own.to_bytes();
        assert_eq!(bytes[..count], Asm::general(code, operands, asked), "{code:?} {operands:?} {asked:?}");
    }

    fn indexed(at: usize) -> [Operand; 11] {
        let [rax, rcx] = [Register::RAX, Register::RCX].map(|base| Operand::Row(base, at));
        let [one, two, four, eight] = [1, 2, 4, 8].map(|bytes| Operand::Plane(bytes, at));
        let [a, b] = [(Register::RCX, Register::RAX), (Register::RDX, Register::R8)].map(|(a, b)| Operand::Sum(a, b));
        [Operand::Pointed(Register::RDX), Operand::Frame(at), Operand::Block(at), rax, rcx, one, two, four, eight, a, b]
    }

    #[test]
    fn rows_are_written_as_by_the_general_encoder() {
        for &(code, row) in ROWS {
            let name = format!("{code:?}");
            let kinds = kinds(&name);
            assert!(kinds.len() >= 2, "{name}");
            for seed in 0..64u8 {
                let mut operands: Vec<Operand> =
                    kinds.iter().zip([1, 7, 13, 29]).map(|(kind, step)| kind(seed.wrapping_mul(step) ^ step)).collect();
                same(code, &operands, Modifiers::default());
                let mask = seed % 7 + 1;
                if name.contains("_k1") {
                    let zeroing = seed & 8 != 0 && name.contains("_k1z");
                    same(code, &operands, Modifiers { mask, zeroing, ..Modifiers::default() });
                }
                if name.ends_with("_er") && !name.contains("ymmm256b32") {
                    let all = [Direction::Nearest, Direction::Down, Direction::Up, Direction::Zero];
                    let direction = Some(all[usize::from(seed % 4)]);
                    same(code, &operands, Modifiers { direction, ..Modifiers::default() });
                }
                let Some(place) = name.split('_').skip(2).filter(|word| !word.starts_with("k1")).position(|word| {
                    word.contains("mmm") || ["m16", "m128", "m256"].iter().any(|end| word.ends_with(end))
                }) else {
                    continue;
                };
                for at in [0, 4, 8, 60, 64, 504, 508, 512, 1016, 1024, 4096, 8128, 8192, 8196, 70_000] {
                    operands[place] = Operand::Memory(at);
                    same(code, &operands, Modifiers::default());
                    if row.word != NO_WORD {
                        operands[place] = Operand::Broadcast(at);
                        same(
                            code,
                            &operands,
                            Modifiers { mask: if name.contains("_k1") { mask } else { 0 }, ..Modifiers::default() },
                        );
                    }
                    for indexed in indexed(at) {
                        operands[place] = indexed;
                        same(code, &operands, Modifiers::default());
                    }
                }
            }
        }
    }
}
