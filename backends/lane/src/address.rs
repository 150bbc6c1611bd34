//! How the addresses of the lanes of a block lie.

use crate::form::{Source, Stride};
use crate::lower::Lowerer;
use parallax_step::{Id, Kind, Prim, Ty};

impl Lowerer<'_> {
    /// Says of the last instruction, an access to a buffer, what is known of its address. `by_all`: all lanes compute it; else some may
    /// hold something else.
    pub(crate) fn find_stride(&mut self, address: Id, by_all: bool) {
        let is_exact = by_all && self.rows && self.loops_are_uniform;
        let (Some(facts), Some(site)) = (&self.facts, self.out.sites.last_mut()) else { return };
        let is_aligned = facts.is_aligned(address);
        site.stride = facts.stride(address).map(|bytes| Stride { bytes, is_exact, offset: 0, is_aligned });
        if is_exact {
            self.split_address(address);
        }
    }

    /// The last instruction has an address with an exact stride: if that is a sum with a number, the number is part of the access.
    fn split_address(&mut self, address: Id) {
        let Some(&Kind::Step(inst)) = self.facts.as_ref().and_then(|facts| facts.made_by(self.steps, address)) else {
            return;
        };
        if inst.prim != Prim::Add || inst.ty != Ty::I32 {
            return;
        }
        let word = |id: Id| match self.out.regs.get(self.homes[id as usize].early as usize)?.source {
            Some(Source::Bits32(bits)) => Some(bits),
            _ => None,
        };
        let [a, b] = [inst.args[0], inst.args[1]];
        let (base, offset) = match (word(a), word(b)) {
            (None, Some(offset)) => (a, offset),
            (Some(offset), None) => (b, offset),
            _ => return,
        };
        let base = self.value(base)[0];
        if let Some(stride) = self.out.sites.last_mut().and_then(|site| site.stride.as_mut()) {
            stride.offset = offset;
            self.out.body.set_use(1, base);
        }
    }
}
