//! How the addresses of the lanes of a block lie.

use crate::form::{SiteKind, Source, Stride};
use crate::lower::Lowerer;
use parallax_core::OpKind;
use parallax_step::{Id, Kind, Prim, Ty};

impl Lowerer<'_> {
    /// Says of the last instruction, an access to a buffer, what is known of its address. `by_all`: all lanes compute it; else some may
    /// hold something else.
    pub(crate) fn find_stride(&mut self, address: Id, by_all: bool) {
        let is_exact = by_all && self.rows && self.loops_are_uniform;
        let (Some(facts), Some(site)) = (&self.facts, self.out.sites.last_mut()) else { return };
        let (is_aligned, is_by_all) = (facts.is_aligned(address), by_all && self.out.group.is_some());
        site.stride = facts.stride(address).map(|bytes| Stride {
            bytes,
            is_exact,
            offset: 0,
            is_aligned,
            is_inside: false,
            is_by_all,
        });
        if is_exact {
            let address = self.split_address(address);
            self.find_inside(address);
        }
    }

    /// The last instruction has an address with an exact stride, so many bytes behind a value: whether all words are in the buffer, which
    /// is one of the workgroup's.
    fn find_inside(&mut self, address: Id) {
        let (Some(facts), Some(site)) = (&self.facts, self.out.sites.last_mut()) else { return };
        let SiteKind::Ir(OpKind::BufferLoad { buffer, .. } | OpKind::BufferStore { buffer, .. }) = site.kind else {
            return;
        };
        let words = self.steps.shared_words.get(usize::from(buffer)).copied().flatten();
        if let (Some(stride), Some(words)) = (&mut site.stride, words) {
            let last = u64::from(facts.greatest(address)) + u64::from(stride.offset);
            stride.is_inside = self.out.group.is_some() && stride.is_aligned && last < 4 * u64::from(words);
        }
    }

    /// The last instruction has an address with an exact stride: if that is a sum with a number, the number is part of the access. Gives
    /// what is left of the address.
    fn split_address(&mut self, address: Id) -> Id {
        let Some(&Kind::Step(inst)) = self.facts.as_ref().and_then(|facts| facts.made_by(self.steps, address)) else {
            return address;
        };
        if inst.prim != Prim::Add || inst.ty != Ty::I32 {
            return address;
        }
        let word = |id: Id| match self.out.regs.get(self.homes[id as usize].early as usize)?.source {
            Some(Source::Bits32(bits)) => Some(bits),
            _ => None,
        };
        let [a, b] = [inst.args[0], inst.args[1]];
        let (base, offset) = match (word(a), word(b)) {
            (None, Some(offset)) => (a, offset),
            (Some(offset), None) => (b, offset),
            _ => return address,
        };
        let reg = self.value(base)[0];
        if let Some(stride) = self.out.sites.last_mut().and_then(|site| site.stride.as_mut()) {
            stride.offset = offset;
            self.out.body.set_use(1, reg);
        }
        base
    }
}
