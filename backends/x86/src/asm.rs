//! Writes instructions.

use crate::audit::CHECKS;
use crate::encode::{Fields, Modifiers, encode, encode_elsewhere};
use crate::operand::Operand;
use crate::rows::{Row, row};
use iced_x86::{Code, Encoder, Instruction, OpKind, Register, RoundingControl};
use parallax_step::Direction;

/// Instructions that were asked for, by their offsets.
pub(crate) type Wanted = Vec<(usize, Instruction)>;

/// A place in the code.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Target(usize);

/// Instructions on their way to memory.
pub(crate) struct Asm {
    /// What is written, and room behind it.
    bytes: Vec<u8>,
    /// Where what is written ends.
    end: usize,
    /// For what has no writer of its own, once there is such an instruction.
    encoder: Option<Encoder>,
    /// Offset of each target, once it is known.
    targets: Vec<Option<usize>>,
    /// Places of 32-bit distances, and where they lead.
    jumps: Vec<(usize, Target)>,
    error: Option<String>,
    /// Lanes between the first block and the one whose code is written.
    pub(crate) ahead: usize,
    /// What was asked for, to be compared with what came out.
    pub(crate) wanted: Wanted,
}

/// Places that most shaders jump to.
const TARGETS: usize = 64;

/// Base of the arena.
const ARENA: Register = Register::RBX;
/// Base of the frame of the turn.
const FRAME: Register = Register::R15;

impl Asm {
    /// None yet; `room`: so many bytes are likely.
    pub(crate) fn new(room: usize) -> Asm {
        Asm {
            bytes: vec![0; room],
            end: 0,
            encoder: None,
            targets: Vec::with_capacity(TARGETS),
            jumps: Vec::with_capacity(TARGETS),
            error: None,
            ahead: 0,
            wanted: Vec::new(),
        }
    }

    /// Offset of the next instruction.
    pub(crate) fn offset(&self) -> usize {
        self.end
    }

    fn build(code: Code, operands: &[Operand], ahead: usize) -> Instruction {
        let mut inst = Instruction::default();
        inst.set_code(code);
        for (n, operand) in operands.iter().enumerate() {
            let n = n as u32;
            let mut memory = |base: Register, index: Option<(Register, u8)>, at: usize| {
                inst.set_op_kind(n, OpKind::Memory);
                inst.set_memory_base(base);
                if let Some((index, scale)) = index {
                    inst.set_memory_index(index);
                    inst.set_memory_index_scale(u32::from(scale));
                }
                inst.set_memory_displacement64(at as u64);
                inst.set_memory_displ_size(u32::from(at != 0));
            };
            match *operand {
                Operand::Zmm(r) => inst.set_op_register(n, Register::ZMM0 + u32::from(r)),
                Operand::Ymm(r) => inst.set_op_register(n, Register::YMM0 + u32::from(r)),
                Operand::Xmm(r) => inst.set_op_register(n, Register::XMM0 + u32::from(r)),
                Operand::Eax => inst.set_op_register(n, Register::EAX),
                Operand::K(r) => inst.set_op_register(n, Register::K0 + u32::from(r)),
                Operand::Memory(at) => memory(ARENA, None, at),
                Operand::Broadcast(at) => {
                    memory(ARENA, None, at);
                    inst.set_is_broadcast(true);
                }
                Operand::Block(at) => memory(ARENA, Some((Register::R13, 1)), at + ahead / 8),
                Operand::Frame(at) => memory(FRAME, None, at),
                Operand::Plane(bytes, at) => {
                    memory(Register::RAX, Some((Register::R12, bytes)), at + ahead * usize::from(bytes));
                }
                Operand::Row(base, at) => memory(base, Some((Register::R12, 2)), at + ahead * 2),
                Operand::Numbered(base, index, bytes, at) => memory(base, Some((index, bytes)), at),
                Operand::Pointed(base) => memory(base, None, 0),
                Operand::Behind(base, index, at) => memory(base, Some((index, 1)), at as usize),
                Operand::Sum(base, index) => memory(base, Some((index, 1)), 0),
                Operand::Gather(r) => memory(Register::RAX, Some((Register::ZMM0 + u32::from(r), 8)), 0),
                Operand::GatherXmm(r) => memory(Register::RAX, Some((Register::XMM0 + u32::from(r), 8)), 0),
                Operand::Imm(value) => {
                    inst.set_op_kind(n, OpKind::Immediate8);
                    inst.set_immediate8(value);
                }
            }
        }
        inst
    }

    /// An instruction of the block that starts so many lanes behind the first one.
    fn build_asked(code: Code, operands: &[Operand], asked: Modifiers, ahead: usize) -> Instruction {
        let mut inst = Self::build(code, operands, ahead);
        if asked.mask != 0 {
            inst.set_op_mask(Register::K0 + u32::from(asked.mask));
            inst.set_zeroing_masking(asked.zeroing);
        }
        if let Some(direction) = asked.direction {
            inst.set_rounding_control(match direction {
                Direction::Nearest => RoundingControl::RoundToNearest,
                Direction::Zero => RoundingControl::RoundTowardZero,
                Direction::Up => RoundingControl::RoundUp,
                Direction::Down => RoundingControl::RoundDown,
            });
        }
        inst
    }

    #[inline(always)]
    fn push(&mut self, code: Code, operands: &[Operand], asked: Modifiers) {
        if CHECKS {
            self.wanted.push((self.offset(), Self::build_asked(code, operands, asked, self.ahead)));
        }
        match row(code).and_then(|row| Some((row, Fields::of(row.form, operands, asked)?))) {
            Some((row, (fields, rm))) => self.put(row, fields, rm),
            None => self.push_general(code, operands, asked),
        }
    }

    #[inline(never)]
    fn put(&mut self, row: &Row, fields: Fields, rm: Operand) {
        match (encode(row, fields, rm), self.bytes[self.end..].first_chunk_mut()) {
            (Some(bytes), Some(to)) => self.end += bytes.write(to),
            _ => self.put_rare(row, fields, rm),
        }
    }

    /// An operand that is rare, or there is no room.
    #[inline(never)]
    fn put_rare(&mut self, row: &Row, fields: Fields, rm: Operand) {
        match encode_elsewhere(row, fields, rm, self.ahead).or_else(|| encode(row, fields, rm)) {
            Some(bytes) => {
                let (bytes, count) = bytes.to_bytes();
                self.bytes(&bytes[..count]);
            }
            None => self.error = Some(format!("{rm:?} is no operand of {row:?}")),
        }
    }

    #[cold]
    #[inline(never)]
    fn push_general(&mut self, code: Code, operands: &[Operand], asked: Modifiers) {
        let at = self.offset() as u64;
        let encoder = self.encoder.get_or_insert_with(|| Encoder::new(64));
        encoder.set_buffer(Vec::new());
        if let Err(error) = encoder.encode(&Self::build_asked(code, operands, asked, self.ahead), at) {
            self.error = Some(error.to_string());
        }
        let bytes = encoder.take_buffer();
        self.bytes(&bytes);
    }

    /// The bytes that the general encoder gives.
    #[cfg(test)]
    pub(crate) fn general(code: Code, operands: &[Operand], asked: Modifiers) -> Vec<u8> {
        let mut encoder = Encoder::new(64);
        encoder.encode(&Self::build_asked(code, operands, asked, 0), 0).expect("has an encoding");
        encoder.take_buffer()
    }

    /// An instruction.
    #[inline(always)]
    pub(crate) fn op(&mut self, code: Code, operands: &[Operand]) {
        self.push(code, operands, Modifiers::default());
    }

    /// An instruction that sets only what a mask says; the rest becomes zero if `zeroing`.
    #[inline(always)]
    pub(crate) fn masked(&mut self, code: Code, mask: u8, zeroing: bool, operands: &[Operand]) {
        self.push(code, operands, Modifiers { mask, zeroing, direction: None });
    }

    /// An instruction on registers that rounds in a direction, whatever the control word says.
    #[inline(always)]
    pub(crate) fn rounded(&mut self, code: Code, direction: Direction, operands: &[Operand]) {
        self.push(code, operands, Modifiers { direction: Some(direction), ..Modifiers::default() });
    }

    /// An instruction on registers that rounds in a direction and sets only what a mask says; the rest becomes zero. No mask: 0.
    #[inline(always)]
    pub(crate) fn masked_rounded(&mut self, code: Code, direction: Direction, mask: u8, operands: &[Operand]) {
        self.push(code, operands, Modifiers { mask, zeroing: mask != 0, direction: Some(direction) });
    }

    /// Bytes as they are.
    #[inline]
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        let end = self.end + bytes.len();
        if end > self.bytes.len() {
            self.grow(bytes.len());
        }
        self.bytes[self.end..end].copy_from_slice(bytes);
        self.end = end;
    }

    /// Takes room for so many bytes and more.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, count: usize) {
        self.bytes.resize(self.bytes.len() * 2 + count, 0);
    }

    /// Bytes of an instruction that ends in an offset into the arena.
    pub(crate) fn at_arena(&mut self, bytes: &[u8], at: usize) {
        self.bytes(bytes);
        self.bytes(&(at as u32).to_le_bytes());
    }

    /// A place that is not known yet.
    pub(crate) fn target(&mut self) -> Target {
        self.targets.push(None);
        Target(self.targets.len() - 1)
    }

    /// The place is here.
    pub(crate) fn place(&mut self, target: Target) {
        self.targets[target.0] = Some(self.offset());
    }

    /// A jump or call: its opcode, then the distance.
    pub(crate) fn jump(&mut self, opcode: &[u8], target: Target) {
        self.bytes(opcode);
        self.jumps.push((self.offset(), target));
        self.bytes(&[0; 4]);
    }

    /// The code.
    pub(crate) fn finish(self) -> Result<(Vec<u8>, Wanted), String> {
        if let Some(error) = self.error {
            return Err(format!("an instruction has no encoding: {error}"));
        }
        let mut bytes = self.bytes;
        bytes.truncate(self.end);
        for (at, target) in self.jumps {
            let to = self.targets[target.0].ok_or("a jump leads nowhere")?;
            let distance = i32::try_from(to as i64 - (at as i64 + 4)).map_err(|_| "a jump is too far")?;
            bytes[at..at + 4].copy_from_slice(&distance.to_le_bytes());
        }
        Ok((bytes, self.wanted))
    }
}
