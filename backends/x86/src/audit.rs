//! Reads code back and compares it with what was asked for.

use iced_x86::{Decoder, DecoderOptions, Formatter, Instruction, IntelFormatter, OpKind};
use rustc_hash::FxHashSet;

/// Whether every allocation is proven and all code read back: in debug builds, and wherever tests are built.
pub(crate) const CHECKS: bool = cfg!(any(debug_assertions, feature = "checked"));

/// Whether two instructions do the same: everything but their place and the width of an offset.
fn is_same(a: &Instruction, b: &Instruction) -> bool {
    a.code() == b.code()
        && a.op_mask() == b.op_mask()
        && a.zeroing_masking() == b.zeroing_masking()
        && a.rounding_control() == b.rounding_control()
        && a.is_broadcast() == b.is_broadcast()
        && (0..a.op_count()).all(|n| {
            a.op_kind(n) == b.op_kind(n)
                && match a.op_kind(n) {
                    OpKind::Register => a.op_register(n) == b.op_register(n),
                    OpKind::Memory => {
                        a.memory_base() == b.memory_base()
                            && a.memory_index() == b.memory_index()
                            && a.memory_index_scale() == b.memory_index_scale()
                            && a.memory_displacement64() == b.memory_displacement64()
                    }
                    _ => a.immediate(n) == b.immediate(n),
                }
        })
}

/// What is wrong with code: bytes that are no instruction, or another one than was asked for, jumps into one.
pub(crate) fn audit(bytes: &[u8], wanted: &[(usize, Instruction)]) -> Result<(), String> {
    let text = |inst: &Instruction| {
        let mut out = String::new();
        IntelFormatter::new().format(inst, &mut out);
        out
    };
    let mut wanted = wanted.iter().peekable();
    let (mut starts, mut targets) = (FxHashSet::default(), Vec::new());
    for inst in &mut Decoder::with_ip(64, bytes, 0, DecoderOptions::NONE) {
        let at = inst.ip() as usize;
        if inst.is_invalid() {
            return Err(format!("no instruction at {at:#x}"));
        }
        starts.insert(inst.ip());
        if inst.op_count() == 1 && inst.op0_kind() == OpKind::NearBranch64 {
            targets.push((at, inst.near_branch64()));
        }
        if let Some((_, asked)) = wanted.next_if(|(place, _)| *place == at)
            && !is_same(asked, &inst)
        {
            return Err(format!("at {at:#x}: requested `{}`, found `{}`", text(asked), text(&inst)));
        }
    }
    if let Some((at, target)) = targets.into_iter().find(|(_, target)| !starts.contains(target)) {
        return Err(format!("the jump at {at:#x} goes to {target:#x}, where no instruction starts"));
    }
    match wanted.next() {
        Some((at, asked)) => Err(format!("`{}` does not start at {at:#x}", text(asked))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asm::Asm;
    use crate::operand::Operand;
    use iced_x86::Code;

    #[test]
    fn changed_code_is_found() {
        let mut asm = Asm::new(0);
        asm.op(Code::EVEX_Vaddps_zmm_k1z_zmm_zmmm512b32_er, &[Operand::Zmm(1), Operand::Zmm(2), Operand::Memory(64)]);
        asm.masked(
            Code::EVEX_Vpblendmd_zmm_k1z_zmm_zmmm512b32,
            3,
            false,
            &[Operand::Zmm(17), Operand::Zmm(30), Operand::Broadcast(12)],
        );
        let (bytes, wanted) = asm.finish().expect("has an encoding");
        assert!(wanted.is_empty() != CHECKS);
        assert_eq!(audit(&bytes, &wanted), Ok(()));
        let differs = |at: usize| {
            let mut changed = bytes.clone();
            changed[at] ^= 8;
            audit(&changed, &wanted).is_err()
        };
        // Registers, masks and offsets are in every byte of the prefix, and in those behind the opcode.
        assert!(!CHECKS || (0..bytes.len()).filter(|&at| differs(at)).count() >= bytes.len() - 2);
    }

    #[test]
    fn jumps_into_instructions_are_found() {
        // A jump over one byte, to a return or into an addition of three bytes.
        let with = |distance: u8| [0xeb, distance, 0x90, 0x48, 0x01, 0xc0, 0xc3];
        assert_eq!(audit(&with(1), &[]), Ok(()));
        assert_eq!(audit(&with(4), &[]), Ok(()));
        assert!(audit(&with(2), &[]).is_err_and(|problem| problem.contains("goes to 0x4")));
    }
}
