//! Constants and local memory at addresses in registers.

use super::Ctx;
use crate::view::{Name, Operands};
use parallax_core::ValueId;
use parallax_num::Op;

/// Sizes of loads and stores, by number.
const SIZES: [&str; 7] = ["U8", "S8", "U16", "S16", "32", "64", "128"];

impl Ctx<'_, '_> {
    /// The part of a word that a load of one or two bytes takes, and its extension.
    fn loaded_part(&mut self, loaded: ValueId, address: ValueId, size: u32) -> ValueId {
        let (mask, three) = (self.lit(if size < 2 { 3 } else { 2 }), self.lit(3));
        let place = self.l.b.int(Op::Iand, &[address, mask]);
        let (at, width) = (self.l.b.int(Op::Shl, &[place, three]), self.lit(if size < 2 { 8 } else { 16 }));
        self.l.b.int(if size & 1 == 0 { Op::Ubfe } else { Op::Ibfe }, &[loaded, at, width])
    }

    /// LDC: a constant at a register plus an offset, in bytes.
    pub(super) fn load_constant(&mut self, i: Operands) {
        if i.has(Name::Index) {
            return self.refuse("indexed modes are not executed: they are undocumented");
        }
        let size = i.get(Name::Size);
        if size > 5 {
            return self.refuse("a reserved size");
        }
        let (bank, offset) = (i.get(Name::Bank) as u16, i.signed(Name::Offset));
        let base = self.source(i.a());
        let number = i.d();
        // A known address is that of a constant like others.
        if let Some(base) = self.l.literal(base) {
            let address = base.wrapping_add(offset as u32);
            for n in 0..if size == 5 { 2 } else { 1 } {
                let val = self.constant_word(bank, (address as i32 >> 2).saturating_add(n));
                if size >= 4 {
                    self.write_after(number, n as u8, val);
                    continue;
                }
                let (loaded, at) = (self.word_of(val), self.lit(address));
                let value = self.loaded_part(loaded, at, size);
                self.write(number, value);
            }
            return;
        }
        if self.kernel.as_ref().is_some_and(|kernel| kernel.variables == Some(bank)) {
            return self.refuse("there stand addresses of variables of the module, which have no place in any buffer");
        }
        let (base, offset) = (self.word_of(base), self.lit(offset as u32));
        let address = self.l.b.int(Op::Iadd, &[base, offset]);
        for n in 0..if size == 5 { 2 } else { 1 } {
            let at = if n == 0 {
                address
            } else {
                let four = self.lit(4);
                self.l.b.int(Op::Iadd, &[address, four])
            };
            let mut loaded = self.constant_at(bank, at);
            if bank == 0 && self.kernel.is_some() {
                loaded = self.driver_word_at(at, loaded);
            }
            let value = if size < 4 { self.loaded_part(loaded, address, size) } else { loaded };
            // The address may be the first register written: the second word was computed from it already.
            self.write_after(number, n, value);
        }
    }

    /// The constant word at a byte address.
    fn constant_at(&mut self, bank: u16, address: ValueId) -> ValueId {
        let (two, four, three) = (self.lit(2), self.lit(4), self.lit(3));
        let vector = self.l.b.int(Op::Ishr, &[address, four]);
        let word = self.l.b.int(Op::Ushr, &[address, two]);
        let comp = self.l.b.int(Op::Iand, &[word, three]);
        let mut value = None;
        for n in (0..4).rev() {
            let val = self.l.constant_at(bank, 0, n, vector);
            let read = self.word_of(val);
            value = Some(match value {
                None => read,
                Some(others) => {
                    let n = self.lit(n.into());
                    let is_this = self.l.b.int(Op::Ieq, &[comp, n]);
                    self.l.b.select(is_this, read, others)
                }
            });
        }
        value.unwrap_or(address)
    }

    /// The size of a local access as a number of words; 0 for parts of one.
    fn local_size(&mut self, i: Operands) -> Option<(u32, u8)> {
        let size = i.get(Name::Size);
        if size as usize >= SIZES.len() {
            self.refuse("a reserved size");
            return None;
        }
        Some((size, [0, 0, 0, 0, 1, 2, 4][size as usize]))
    }

    /// The element of local memory `n` words after an address.
    fn element(&mut self, address: ValueId, n: u8) -> ValueId {
        let (two, n) = (self.lit(2), self.lit(n.into()));
        let word = self.l.b.int(Op::Ushr, &[address, two]);
        self.l.b.int(Op::Iadd, &[word, n])
    }

    pub(super) fn load_local(&mut self, i: Operands) {
        let Some((size, words)) = self.local_size(i) else { return };
        let Some(local) = self.registers.local else { return };
        let address = self.address(i);
        let number = i.d();
        for n in 0..words.max(1) {
            let at = self.element(address, n);
            let mut value = self.l.b.array_load(local, at);
            if words == 0 {
                value = self.loaded_part(value, address, size);
            }
            self.write_after(number, n, value);
        }
    }

    pub(super) fn store_local(&mut self, i: Operands) {
        let Some((size, words)) = self.local_size(i) else { return };
        let Some(local) = self.registers.local else { return };
        let address = self.address(i);
        let number = i.d();
        let mut stores = Vec::new();
        for n in 0..words.max(1) {
            let at = self.element(address, n);
            let val = self.register_after(number, n);
            let mut value = self.word_of(val);
            if words == 0 {
                // The other bytes of the word stay.
                let before = self.l.b.array_load(local, at);
                let (mask, three) = (self.lit(if size < 2 { 3 } else { 2 }), self.lit(3));
                let place = self.l.b.int(Op::Iand, &[address, mask]);
                let shift = self.l.b.int(Op::Shl, &[place, three]);
                let width = self.lit(if size < 2 { 8 } else { 16 });
                value = self.l.b.int(Op::Bfi, &[before, value, shift, width]);
            }
            stores.push((at, value));
        }
        if let Some(guard) = self.guard {
            self.l.begin_if(guard);
        }
        for (at, value) in stores {
            self.l.store(local, at, value);
        }
        if self.guard.is_some() {
            self.l.end_if();
        }
    }
}
