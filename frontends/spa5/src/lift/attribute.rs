//! Inputs: what IPA reads.

use super::Ctx;
use super::operand::Modifiers;
use super::registers::{Declared, GENERICS, Range};
use crate::fields::PT;
use crate::header::Interpolation;
use crate::view::{Name, Operands};
use parallax_core::{AttrDecl, AttrSemantic, Interp, Location, OpKind, SysVal, Type, ValueId};
use parallax_lift::Deferred;
use parallax_num::{Decl, Op};

/// What stands at a byte address of the inputs.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Place {
    Attribute(AttrSemantic),
    System(SysVal),
    /// There is one layer and one viewport: number 0.
    Zero,
}

impl Place {
    fn of(address: u16) -> Option<Place> {
        Some(match address {
            0x060 => Place::System(SysVal::PrimitiveId),
            0x064 | 0x068 => Place::Zero,
            0x070..0x080 => Place::Attribute(AttrSemantic::Position),
            0x080..0x280 => Place::Attribute(AttrSemantic::Generic((address - 0x80) / 16)),
            0x280..0x2a0 => Place::Attribute(AttrSemantic::Color((address - 0x280) / 16)),
            0x2e0 | 0x2e4 => Place::Attribute(AttrSemantic::PointCoord),
            0x2e8 => Place::Attribute(AttrSemantic::Fog),
            0x300..0x3a0 => Place::Attribute(AttrSemantic::TexCoord((address - 0x300) / 16)),
            0x3fc => Place::System(SysVal::FrontFacing),
            _ => return None,
        })
    }
}

/// Modes of IPA.
const PASS: u32 = 0;
const MULTIPLY: u32 = 1;
const CONSTANT: u32 = 2;
/// The location that takes a packed offset.
const OFFSET: u32 = 2;

/// How the vector at a byte address is named: `a[0x80]`. Every program has some, so it is written without ceremony.
fn name_of(address: u16) -> String {
    let mut name = String::with_capacity(8);
    name.push_str("a[0x");
    let digits = (16 - address.leading_zeros()).div_ceil(4).max(1);
    name.extend((0..digits).rev().filter_map(|n| char::from_digit(u32::from(address) >> (4 * n) & 15, 16)));
    name.push(']');
    name
}

impl Ctx<'_, '_> {
    pub(super) fn ipa(&mut self, i: Operands) {
        if i.get(Name::InputPredicate) != PT.into() {
            return self.refuse("the predicate operand is not executed: it is undocumented");
        }
        let (mode, location) = (i.get(Name::Mode), i.get(Name::Location));
        let address = i.get(Name::Attribute) as u16 & !3;
        let val = match self.registers.given(address) {
            _ if !i.names(Name::Attribute) => self.indexed_input(i, mode, location),
            Some(val) => Some(val),
            None => self.input(i, address, mode, location),
        };
        let Some(mut val) = val else { return };
        if mode == MULTIPLY {
            let (a, b) = (self.number_of(val), self.source(i.b()));
            let (b, slot) = (self.number_of(b), self.plain());
            val = self.l.b.num(Op::Mul, slot, &[a, b]).into();
        }
        if i.has(Name::Saturate) {
            let value = self.number_of(val);
            if let Some(slot) = self.asked(Modifiers { saturate: true, ..Modifiers::default() }) {
                val = self.l.b.num(Op::Cvt, slot, &[value]).into();
            }
        }
        self.result(i, val);
    }

    /// What the rasteriser has at an address.
    fn input(&mut self, i: Operands, address: u16, mode: u32, location: u32) -> Option<Deferred> {
        let semantic = match Place::of(address) {
            Some(Place::Attribute(semantic)) => semantic,
            Some(Place::System(value)) => return Some(Deferred::sys(value)),
            Some(Place::Zero) => return Some(Deferred::word(0)),
            None => {
                self.refuse(&format!("input a[{address:#x}] does not exist"));
                return None;
            }
        };
        let comp = (address / 4 % 4) as u8;
        let interp = match (semantic, mode) {
            (AttrSemantic::Position | AttrSemantic::PointCoord, _) => Interp::Linear,
            (_, CONSTANT) => Interp::Flat,
            _ => match self.registers.interpolation(address) {
                Interpolation::Constant => Interp::Flat,
                Interpolation::Linear => Interp::Linear,
                // The plane holds the value over w; only what the pipeline decides comes divided.
                Interpolation::Perspective if mode == PASS || mode == MULTIPLY => Interp::OverW,
                Interpolation::Perspective => Interp::Color,
                Interpolation::Unused => {
                    self.refuse(&format!("the header does not interpolate a[{address:#x}]"));
                    return None;
                }
            },
        };
        let place = match location {
            0 | OFFSET => Location::Center,
            1 => Location::Centroid,
            _ => {
                self.refuse("a reserved location");
                return None;
            }
        };
        let index = self.attribute(semantic, address & !15, interp, place);
        if location != OFFSET || interp == Interp::Flat {
            return Some(Deferred::attr(index, comp));
        }
        let (right, down) = self.offset(i);
        let slot = self.l.plain(Decl::F32);
        Some(self.l.b.read_float(OpKind::AttrOffset { index, comp }, slot, &[right, down]).into())
    }

    /// The generic input at the byte address in a register; 0 at other addresses.
    fn indexed_input(&mut self, i: Operands, mode: u32, location: u32) -> Option<Deferred> {
        let place = match location {
            0 | OFFSET => Location::Center,
            1 => Location::Centroid,
            _ => {
                self.refuse("a reserved location");
                return None;
            }
        };
        let address = self.source(i.a());
        let address = self.word_of(address);
        let (start, two, four, three) = (self.lit(0x80), self.lit(2), self.lit(4), self.lit(3));
        let from_start = self.l.b.int(Op::Isub, &[address, start]);
        let vector = self.l.b.int(Op::Ushr, &[from_start, four]);
        let at = self.l.b.int(Op::Ushr, &[from_start, two]);
        let comp = self.l.b.int(Op::Iand, &[at, three]);
        let mut value = self.zero();
        for n in 0..4 {
            let first = self.indexed_range(n, mode, place);
            let read = match location {
                OFFSET => self.indexed_at_offset(i, first, n, vector),
                _ => {
                    let (slot, kind) = (self.plain(), OpKind::AttrAt { base: i32::from(first), comp: n });
                    self.l.b.read_float(kind, slot, &[vector])
                }
            };
            let number = self.lit(n.into());
            let is_this = self.l.b.int(Op::Ieq, &[comp, number]);
            value = self.l.b.select(is_this, read, value);
        }
        let (count, zero) = (self.lit(GENERICS.into()), self.zero());
        let exists = self.l.b.int(Op::Ult, &[vector, count]);
        value = self.l.b.select(exists, value, zero);
        for (given, val) in self.registers.all_given() {
            let (given, val) = (self.lit(given.into()), self.number_of(val));
            let is_this = self.l.b.int(Op::Ieq, &[address, given]);
            value = self.l.b.select(is_this, val, value);
        }
        Some(value.into())
    }

    /// The first of the generic inputs, declared one behind the other so that a number leads to each, with a component
    /// interpolated as the header says.
    fn indexed_range(&mut self, comp: u8, mode: u32, location: Location) -> u16 {
        let range = Range {
            location,
            interps: std::array::from_fn(|n| {
                let address = 0x80 + 16 * n as u16 + 4 * u16::from(comp);
                match (mode, self.registers.interpolation(address)) {
                    (CONSTANT, _) | (_, Interpolation::Constant | Interpolation::Unused) => Interp::Flat,
                    (_, Interpolation::Linear) => Interp::Linear,
                    (PASS | MULTIPLY, Interpolation::Perspective) => Interp::OverW,
                    (_, Interpolation::Perspective) => Interp::Color,
                }
            }),
        };
        if let Some(known) = self.registers.indexed.iter().find(|known| known.0 == range) {
            return known.1;
        }
        let first = self.l.b.func.iface.attrs.len() as u16;
        for (n, &interp) in (0..).zip(&range.interps) {
            let (name, semantic) = (name_of(0x80 + 16 * n), AttrSemantic::Generic(n));
            self.l.add_attr(AttrDecl { name, semantic, interp, location, mediump: false });
        }
        self.registers.indexed.push((range, first));
        first
    }

    /// A component of the generic input `vector` places behind the first, at the packed offset: each of them is asked, so that
    /// no operation is needed that knows both a number and an offset.
    fn indexed_at_offset(&mut self, i: Operands, first: u16, comp: u8, vector: ValueId) -> ValueId {
        let (right, down) = self.offset(i);
        let slot = self.plain();
        let mut value = self.zero();
        for n in 0..GENERICS {
            let index = first + n;
            // A flat input is the same everywhere.
            let is_flat = self.l.b.func.iface.attrs[usize::from(index)].interp == Interp::Flat;
            let read = if is_flat {
                self.l.force(Deferred::attr(index, comp), Type::F32)
            } else {
                self.l.b.read_float(OpKind::AttrOffset { index, comp }, slot, &[right, down])
            };
            let number = self.lit(n.into());
            let is_this = self.l.b.int(Op::Ieq, &[vector, number]);
            value = self.l.b.select(is_this, read, value);
        }
        value
    }

    /// The number of an attribute, declared where it is new.
    pub(super) fn attribute(&mut self, semantic: AttrSemantic, vector: u16, interp: Interp, location: Location) -> u16 {
        let same = |d: &&Declared| d.vector == vector && d.interp == interp && d.location == location;
        if let Some(known) = self.registers.declared.iter().find(same) {
            return known.index;
        }
        let index = self.l.add_attr(AttrDecl { name: name_of(vector), semantic, interp, location, mediump: false });
        self.registers.declared.push(Declared { vector, interp, location, index });
        index
    }

    /// The packed offset of IPA.OFFSET, to the right and down in pixels, as binary32 patterns.
    fn offset(&mut self, i: Operands) -> (ValueId, ValueId) {
        let packed = self.source(i.c());
        let packed = self.word_of(packed);
        let (slot, sixteen) = (self.plain(), self.lit(16));
        let scale = self.lit((4 + self.settings.offset_frac_bits).wrapping_neg());
        let [right, down] = [0, 16].map(|lo| {
            let at = self.lit(lo);
            let steps = self.l.b.int(Op::Ibfe, &[packed, at, sixteen]);
            let steps = self.l.b.num(Op::I2f, slot, &[steps]);
            let pixels = self.l.b.num(Op::Ldexp, slot, &[steps, scale]);
            self.l.convert(pixels, Type::I32)
        });
        (right, down)
    }
}
