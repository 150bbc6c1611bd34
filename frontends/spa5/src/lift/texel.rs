//! Loads, stores and atomics of surfaces ([`surface`](super::surface)).

use super::Ctx;
use super::global::{BYTES, Places};
use crate::fields::{PT, RZ};
use crate::op::Op as Instruction;
use crate::view::{Name, Operands};
use parallax_core::{Access, OpKind, ValueId};
use smallvec::{SmallVec, smallvec};

impl Ctx<'_, '_> {
    /// The bytes of an access by its size; nothing, with an error, for reserved ones.
    fn surface_bytes(&mut self, i: Operands) -> Option<(u32, u32)> {
        let size = i.get(Name::Size);
        let bytes = BYTES.get(size as usize).copied();
        if bytes.is_none() {
            self.refuse("a reserved size");
        }
        bytes.map(|bytes| (size, bytes))
    }

    /// Says that nobody knows what the predicate of an instruction tells, if it has one.
    fn no_predicate(&mut self, i: Operands) -> bool {
        let has_predicate = self.flipped_predicate(i).is_some_and(|number| number != PT);
        if has_predicate {
            self.refuse("no document says what its predicate tells");
        }
        !has_predicate
    }

    /// SULD.P: components of a texel, as its format says.
    pub(super) fn load_texel(&mut self, i: Operands) {
        if !self.no_predicate(i) {
            return;
        }
        let Some((buffer, address)) = self.texel(i, 1, true, false) else { return };
        let texel = [0, 1, 2, 3].map(|comp| self.l.b.value(OpKind::ImageLoad { buffer, comp }, None, &[address]));
        self.write_channels(i.d(), i.get(Name::Channels), texel);
    }

    /// SUST.P: registers one after the other are the components that are named; the others, whose value PTX leaves open, are 0.
    pub(super) fn store_texel(&mut self, i: Operands) {
        let Some((buffer, address)) = self.texel(i, 1, true, true) else { return };
        let (mask, mut next) = (i.get(Name::Channels), 0);
        let texel = [0, 1, 2, 3].map(|comp| {
            if mask >> comp & 1 == 0 {
                return self.lit(0);
            }
            let val = self.register_after(i.d(), next);
            next += 1;
            self.word_of(val)
        });
        let [r, g, b, a] = texel;
        self.l.b.op(OpKind::ImageStore { buffer }, None, &[address, r, g, b, a], &[]);
    }

    /// SULD.D: bytes as they lie in memory.
    pub(super) fn load_surface(&mut self, i: Operands) {
        if !self.no_predicate(i) {
            return;
        }
        let Some((size, bytes)) = self.surface_bytes(i) else { return };
        let Some((buffer, address)) = self.texel(i, bytes, false, false) else { return };
        let places: Places = smallvec![(buffer, address)];
        let mut values = SmallVec::<[ValueId; 4]>::new();
        for n in 0..bytes.div_ceil(4) {
            let mut value = self.word_at(&places, n, Access::of_bits(8 * bytes));
            if bytes < 4 {
                value = self.part_of(value, address, size);
            }
            values.push(value);
        }
        // The coordinates may be in registers that are written.
        for (n, value) in (0..).zip(values) {
            self.write_after(i.d(), n, value);
        }
    }

    /// SUST.D.
    pub(super) fn store_surface(&mut self, i: Operands) {
        let Some((_, bytes)) = self.surface_bytes(i) else { return };
        let Some((buffer, address)) = self.texel(i, bytes, false, true) else { return };
        let places: Places = smallvec![(buffer, address)];
        for n in 0..bytes.div_ceil(4) {
            let val = self.register_after(i.d(), n as u8);
            let value = self.word_of(val);
            if bytes < 4 {
                self.set_part_at(&places, address, bytes, value);
            } else {
                self.set_word_at(&places, n, value, false);
            }
        }
    }

    /// SURED.D and SUATOM.D.
    pub(super) fn change_surface(&mut self, i: Operands, op: Instruction) {
        const SD32: u32 = 6;
        const SD64: u32 = 7;
        let (operation, ty) = (i.get(Name::Operation), i.get(Name::Type));
        let has_sign = matches!(operation, 1 | 2);
        let ty = match ty {
            SD32 | SD64 if has_sign => {
                return self.refuse(
                    "the format of the surface says whether numbers have a sign, and only the caller knows it",
                );
            }
            SD32 => 0,
            SD64 => 2,
            ty => ty,
        };
        let result = (op != Instruction::Sured).then(|| i.d());
        let (operand, second, exchanges) = match op {
            Instruction::Sured => (i.d(), RZ, None),
            Instruction::SuatomCas => {
                let first = i.b().register();
                let wide = ty == 2;
                let behind = first.saturating_add(if wide { 2 } else { 1 });
                (first, if first == RZ { RZ } else { behind }, Some(wide))
            }
            _ => (i.b().register(), RZ, None),
        };
        let Some(change) = self.change_of(operation, ty, exchanges) else { return };
        if !self.no_predicate(i) {
            return;
        }
        let bytes = 4 * u32::from(change.words());
        let Some((buffer, address)) = self.texel(i, bytes, false, true) else { return };
        let places: Places = smallvec![(buffer, address)];
        self.change_at(&places, change, operand, second, result);
    }
}
