//! Tells whoever looks for races what an op does to memory.

use crate::races::Touch;
use crate::subgroup::{Lanes, Subgroup, World, both, each};
use parallax_core::{Access, AtomicOp, OpId, OpKind};

/// What a lane accesses at an address.
#[derive(Copy, Clone)]
enum Extent {
    /// So many bytes; a power of two up to 4, which divides where they begin.
    Within(u32),
    /// The texel of the image in the buffer.
    Texel,
    /// Bytes of the word where the third operand has ones.
    Mask,
}

impl<const N: usize> Subgroup<N> {
    /// What an op does that is about to be executed, where somebody wants to know.
    pub(crate) fn note_accesses(&self, w: &mut World<'_, '_>, op: OpId, kind: OpKind, exec: Lanes<N>) {
        let Some(races) = &mut w.races else { return };
        races.next_op();
        let (buffer, extent, writes, atomic) = match kind {
            OpKind::GroupBarrier => return races.next_span(),
            OpKind::BufferLoad { buffer, access } => {
                let bytes = match access {
                    Access::Word | Access::Atomic => 4,
                    Access::Half => 2,
                    Access::Byte => 1,
                };
                (buffer, Extent::Within(bytes), false, access == Access::Atomic)
            }
            OpKind::BufferStore { buffer, atomic } => (buffer, Extent::Within(4), true, atomic),
            OpKind::Atomic { op: AtomicOp::Insert, buffer } => (buffer, Extent::Mask, true, false),
            OpKind::Atomic { buffer, .. } => (buffer, Extent::Within(4), true, true),
            OpKind::ImageLoad { buffer, .. } => (buffer, Extent::Texel, false, false),
            OpKind::ImageStore { buffer } => (buffer, Extent::Texel, true, false),
            _ => return,
        };
        let args = &w.shader.func.ops[op].args;
        let touch = Touch { op, writes, atomic };
        let size = w.memory.words(buffer).len();
        for lane in each(both(exec, self.covered)) {
            let word = |n: usize| args.get(n).map_or(0, |&arg| self.get(arg)[lane] as u32);
            let (address, number) = (word(0), self.first + lane);
            // Outside of the buffer is no memory.
            if address as usize / 4 >= size {
                continue;
            }
            match extent {
                Extent::Within(bytes) => races.access(touch, number, buffer, address & !(bytes - 1), bytes),
                Extent::Texel => {
                    if let Some(image) = w.inputs.textures.image(buffer) {
                        races.access(touch, number, buffer, address, image.format.bytes());
                    }
                }
                Extent::Mask => {
                    let mask = word(2).to_le_bytes();
                    let bytes = (0..4).filter(|&n| mask[n] != 0).fold(0, |bytes, n| bytes | 1 << n);
                    races.access_masked(touch, number, buffer, address, bytes);
                }
            }
        }
    }
}
