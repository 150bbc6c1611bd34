//! FITR, FITRP, DITR and the coordinates of ITRSMP: interpolation of attributes.

use super::Ctx;
use super::inputs::{Planes, SET};
use crate::register::{Bank, Register};
use parallax_core::{OpKind, SysVal, Type, ValueId};
use parallax_lift::Deferred;
use parallax_num::{Decl, Op, Saturate, Slot};

impl Ctx<'_, '_> {
    /// FITR, FITRP and DITR.
    pub(super) fn iterate(&mut self, planes: Planes) {
        for (k, val) in self.iterated(&planes).into_iter().enumerate() {
            let number = planes.destination.number.saturating_add(k as u16);
            self.write(Register { number, ..planes.destination }, val);
        }
    }

    /// The values of some components at the pixel.
    pub(super) fn iterated(&mut self, planes: &Planes) -> Vec<Deferred> {
        let mut vals = Vec::with_capacity(planes.count.into());
        for set in planes.set..planes.set + planes.count {
            let mut val =
                if self.inputs.is_preset(set) { self.plane_over_w(set, planes.w) } else { self.attribute(set, planes) };
            if planes.sat {
                let slot = self.l.b.slot(Slot { saturate: Saturate::Unsigned, ..Slot::plain(Decl::F32) });
                let value = self.l.force(val, Type::F32);
                val = self.l.b.num(Op::Cvt, slot, &[value]).into();
            }
            vals.push(val);
        }
        vals
    }

    fn attribute(&mut self, set: u16, planes: &Planes) -> Deferred {
        let place = set.saturating_sub(self.inputs.first_set);
        let (number, comp) = (place / 4, (place % 4) as u8);
        let known = self.inputs.iterated.iter().find(|(n, w, _)| *n == number && *w == planes.w.is_some());
        let Some(&(_, _, index)) = known else { return Deferred::word(0) };
        let slot = self.l.plain(Decl::F32);
        match planes.place {
            1 => {
                let sample = self.l.b.read_bits(OpKind::Sys(SysVal::SampleId), &[]);
                self.l.b.read_float(OpKind::AttrSample { index, comp }, slot, &[sample]).into()
            }
            2 => self.l.b.read_float(OpKind::AttrCentroid { index, comp }, slot, &[]).into(),
            _ => Deferred::attr(index, comp),
        }
    }

    /// A x + B y + C at the centre of the pixel.
    fn plane(&mut self, set: u16) -> ValueId {
        let Some(position) = self.inputs.position else { return self.float_literal(0) };
        let [x, y] = [0, 1].map(|comp| self.l.force(Deferred::attr(position, comp), Type::F32));
        let [a, b, c] = [0, 1, 2].map(|k| {
            let register = Register { bank: Bank::Coefficient, number: set * SET + k, index: None };
            let val = self.physical(register);
            self.l.force(val, Type::F32)
        });
        let slot = self.l.plain(Decl::F32);
        let sum = self.l.b.num(Op::Fma, slot, &[a, x, c]);
        self.l.b.num(Op::Fma, slot, &[b, y, sum])
    }

    fn plane_over_w(&mut self, set: u16, w: Option<u16>) -> Deferred {
        let value = self.plane(set);
        let Some(w) = w else { return value.into() };
        let w = self.plane(w);
        let slot = self.l.plain(Decl::F32);
        self.l.b.num(Op::Div, slot, &[value, w]).into()
    }
}
