//! What the rasteriser knows of a pixel, kills, and outputs.

use super::Ctx;
use super::flow::tested;
use crate::fields::RZ;
use crate::view::{Name, Operands};
use parallax_core::{Axis, OpKind, OutputRole, SysVal, Type, ValueId};
use parallax_lift::Deferred;
use parallax_num::Op;

/// What PIXLD.COVERED leaves in its register for a sample that is covered.
pub const COVERED_TRUE: u32 = u32::MAX;
/// Most samples of a pixel whose offsets PIXLD knows.
pub const OFFSET_SAMPLES: u32 = 8;
/// Most samples of a coverage mask.
const MASK_BITS: u32 = 16;

impl Ctx<'_, '_> {
    fn system(&mut self, value: SysVal) -> ValueId {
        self.l.b.read_bits(OpKind::Sys(value), &[])
    }

    /// The address of PIXLD: a register plus a signed number, or a number without sign.
    fn pixel_address(&mut self, i: Operands) -> ValueId {
        if i.a().register() == RZ {
            return self.lit(i.get(Name::Offset));
        }
        self.address(i)
    }

    /// PIXLD.
    pub(super) fn pixel_load(&mut self, i: Operands) {
        let predicate = i.number(Name::PredicateResult);
        match i.get(Name::Mode) {
            0 => {
                let count = self.system(SysVal::SampleCount);
                self.result(i, count);
            }
            1 => {
                let mask = self.coverage();
                self.result(i, mask);
            }
            2 => {
                let (mask, at) = (self.coverage(), self.pixel_address(i));
                let (zero, one) = (self.lit(0), self.lit(1));
                let shifted = self.l.b.int(Op::Ushr, &[mask, at]);
                let bit = self.l.b.int(Op::Iand, &[shifted, one]);
                let is_set = self.l.b.int(Op::Ine, &[bit, zero]);
                let count = self.system(SysVal::SampleCount);
                let exists = self.l.b.int(Op::Ult, &[at, count]);
                let covered = self.l.b.int(Op::Pand, &[is_set, exists]);
                let truth = self.lit(COVERED_TRUE);
                let value = self.l.b.select(covered, truth, zero);
                self.result(i, value);
                self.write_predicate(predicate, covered);
            }
            3 => {
                let at = self.pixel_address(i);
                let value = self.packed_offset(at);
                // More samples have no fixed positions.
                let (count, most, zero) = (self.system(SysVal::SampleCount), self.lit(OFFSET_SAMPLES), self.lit(0));
                let is_fixed = self.l.b.int(Op::Ule, &[count, most]);
                let value = self.l.b.select(is_fixed, value, zero);
                self.result(i, value);
            }
            4 => {
                let value = self.centroid_offset();
                self.result(i, value);
            }
            5 => {
                let (number, shaded) = (self.system(SysVal::SampleId), self.system(SysVal::SampleShading));
                let zero = self.lit(0);
                let by_sample = self.l.b.int(Op::Ine, &[shaded, zero]);
                let value = self.l.b.select(by_sample, number, zero);
                self.result(i, value);
                self.write_predicate(predicate, by_sample);
            }
            mode => self.invalid("reserved-mode", &format!("mode {mode} is reserved"), "modes 0 to 5 are defined"),
        }
    }

    /// Covered samples of the whole pixel.
    fn coverage(&mut self) -> ValueId {
        let (mask, all) = (self.system(SysVal::SampleMask), self.lit((1 << MASK_BITS) - 1));
        self.l.b.int(Op::Iand, &[mask, all])
    }

    /// Where a sample is, packed: 16 bits to the right, 16 bits down.
    fn packed_offset(&mut self, sample: ValueId) -> ValueId {
        let scale = self.lit(self.settings.offset_frac_bits);
        let [x, y] = [Axis::X, Axis::Y].map(|axis| {
            let steps = self.l.b.value(OpKind::SamplePosition { axis }, None, &[sample]);
            self.l.b.int(Op::Shl, &[steps, scale])
        });
        let sixteen = self.lit(16);
        self.l.b.int(Op::Bfi, &[x, y, sixteen, sixteen])
    }

    /// Nothing where every sample is covered, else the offset of the first that is.
    fn centroid_offset(&mut self) -> ValueId {
        let (mask, count) = (self.coverage(), self.system(SysVal::SampleCount));
        let (ones, zero) = (self.lit(u32::MAX), self.lit(0));
        let above = self.l.b.int(Op::Shl, &[ones, count]);
        let all = self.l.b.int(Op::Inot, &[above]);
        let is_full = self.l.b.int(Op::Ieq, &[mask, all]);
        // Of a pixel without covered samples this is no sample, whose offset is 0.
        let first = self.l.b.int(Op::Lsb, &[mask]);
        let offset = self.packed_offset(first);
        self.l.b.select(is_full, zero, offset)
    }

    pub(super) fn kill_where(&mut self, i: Operands) {
        if !self.registers.kills || tested(i) == Some(false) {
            return;
        }
        let pred = self.holds(i);
        self.l.b.op(OpKind::Discard, None, &[pred], &[]);
        if let Some(killed) = self.registers.killed {
            let all = Deferred::word(u32::MAX);
            self.l.set_if(pred, killed, all);
        }
    }

    /// S2R and CS2R.
    pub(super) fn special_register(&mut self, i: Operands) {
        if self.kernel.is_some() {
            return match self.kernel_register(i.get(Name::Special)) {
                Some(val) => self.result(i, val),
                None => self.refuse("this special register is not executed"),
            };
        }
        let val = match i.get(Name::Special) {
            0x00 => Deferred::sys(SysVal::QuadLane),
            0x13 => {
                let helper = self.system(SysVal::HelperLane);
                match self.registers.killed {
                    Some(killed) => {
                        let killed = self.l.read_bits(killed);
                        self.l.b.int(Op::Ior, &[helper, killed]).into()
                    }
                    None => helper.into(),
                }
            }
            _ => return self.refuse("this special register is not executed"),
        };
        self.result(i, val);
    }

    /// Sets the outputs from the registers the header names: four for every target, then the sample mask and the depth.
    pub(super) fn finish(&mut self) {
        let outputs = self.registers.outputs;
        let mut next = 0u8;
        for (n, &mask) in outputs.targets.iter().enumerate().filter(|(_, mask)| **mask != 0) {
            let first = if outputs.many { next } else { 0 };
            let comps = [0u8, 1, 2, 3].map(|comp| {
                let val = self.register(first.saturating_add(comp));
                (mask >> comp & 1 != 0).then_some(val)
            });
            next = next.saturating_add(4);
            self.l.output(format!("color{n}"), OutputRole::Color(n as u16), comps, Type::F32);
        }
        if outputs.sample_mask {
            let mask = self.register(next);
            self.l.output("samplemask", OutputRole::SampleMask, [Some(mask), None, None, None], Type::I32);
        }
        if outputs.depth {
            let depth = self.register(next.saturating_add(1));
            self.l.output("depth", OutputRole::Depth, [None, None, Some(depth), None], Type::F32);
        }
    }
}
