//! Inputs: what IPA reads.

use super::Ctx;
use super::operand::{Asked, Bits, Sign};
use crate::Interpolation;
use parallax_core::{AttrDecl, AttrSemantic, Interp, Location, OpKind, SysVal, ValueId};
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

/// A declared attribute.
#[derive(Copy, Clone, Debug)]
pub(super) struct Declared {
    vector: u16,
    interp: Interp,
    location: Location,
    index: u16,
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

/// Generic inputs.
const GENERICS: u16 = 32;

/// Modes of IPA.
const PASS: u32 = 0;
const MULTIPLY: u32 = 1;
const CONSTANT: u32 = 2;

impl Ctx<'_, '_> {
    pub(super) fn ipa(&mut self, word: u64) {
        if word.field(47, 4) != 7 {
            return self.refuse("the predicate operand is not executed: no document says what it is for");
        }
        let (mode, location) = (word.field(54, 2), word.field(52, 2));
        let address = word.field(28, 10) as u16 & !3;
        let val = match self.registers.given(address) {
            _ if word.bit(38) => self.indexed_input(word, mode, location),
            Some(val) => Some(val),
            None => self.input(word, address, mode, location),
        };
        let Some(mut val) = val else { return };
        if mode == MULTIPLY {
            let (a, b) = (self.float_of(val, Sign::default()), self.register(word.byte(20)));
            let (b, slot) = (self.float_of(b, Sign::default()), self.plain());
            val = self.l.b.num(Op::Mul, slot, &[a, b]).into();
        }
        if word.bit(51) {
            let value = self.float_of(val, Sign::default());
            if let Some(slot) = self.asked(Asked { saturate: true, ..Asked::default() }) {
                val = self.l.b.num(Op::Cvt, slot, &[value]).into();
            }
        }
        self.result(word, val);
    }

    /// What the rasteriser has at an address.
    fn input(&mut self, word: u64, address: u16, mode: u32, location: u32) -> Option<Deferred> {
        let semantic = match Place::of(address) {
            Some(Place::Attribute(semantic)) => semantic,
            Some(Place::System(value)) => return Some(Deferred::sys(value)),
            Some(Place::Zero) => return Some(Deferred::word(0)),
            None => {
                self.refuse(&format!("there is no input a[{address:#x}]"));
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
                    self.refuse(&format!("the header does not have a[{address:#x}] interpolated"));
                    return None;
                }
            },
        };
        let place = match location {
            0 | 2 => Location::Center,
            1 => Location::Centroid,
            _ => {
                self.refuse("a reserved location");
                return None;
            }
        };
        let index = self.attribute(semantic, address & !15, interp, place);
        if location != 2 || interp == Interp::Flat {
            return Some(Deferred::attr(index, comp));
        }
        let (right, down) = self.offset(word);
        let slot = self.l.plain(Decl::F32);
        Some(self.l.b.read_float(OpKind::AttrOffset { index, comp }, slot, &[right, down]).into())
    }

    /// The generic input at the byte address in a register; 0 at other addresses.
    fn indexed_input(&mut self, word: u64, mode: u32, location: u32) -> Option<Deferred> {
        let place = match location {
            0 => Location::Center,
            1 => Location::Centroid,
            _ => {
                self.refuse("an offset of an input addressed by a register is not executed");
                return None;
            }
        };
        let first = match self.registers.indexed.iter().find(|known| known.0 == (mode, location)) {
            Some(known) => known.1,
            None => {
                // One behind the other, so that a number leads to each.
                let mut first = None;
                for n in 0..GENERICS {
                    let vector = 0x80 + 16 * n;
                    let interp = match (0..4).map(|comp| self.registers.interpolation(vector + 4 * comp)) {
                        _ if mode == CONSTANT => Interp::Flat,
                        mut comps => match comps.find(|how| *how != Interpolation::Unused) {
                            Some(Interpolation::Perspective) if mode == PASS || mode == MULTIPLY => Interp::OverW,
                            Some(Interpolation::Perspective) => Interp::Color,
                            Some(Interpolation::Linear) => Interp::Linear,
                            _ => Interp::Flat,
                        },
                    };
                    let (name, semantic) = (format!("a[{vector:#x}]"), AttrSemantic::Generic(n));
                    let index = self.l.add_attr(AttrDecl { name, semantic, interp, location: place });
                    first.get_or_insert(index);
                }
                let first = first.unwrap_or(0);
                self.registers.indexed.push(((mode, location), first));
                first
            }
        };
        let address = self.a(word);
        let address = self.word_of(address);
        let (start, two, four, three) = (self.lit(0x80), self.lit(2), self.lit(4), self.lit(3));
        let from_start = self.l.b.int(Op::Isub, &[address, start]);
        let vector = self.l.b.int(Op::Ushr, &[from_start, four]);
        let at = self.l.b.int(Op::Ushr, &[from_start, two]);
        let comp = self.l.b.int(Op::Iand, &[at, three]);
        let slot = self.plain();
        let mut value = self.float_of(Deferred::word(0), Sign::default());
        for n in 0..4 {
            let kind = OpKind::AttrAt { base: i32::from(first), comp: n };
            let read = self.l.b.read_float(kind, slot, &[vector]);
            let number = self.lit(n.into());
            let is_this = self.l.b.int(Op::Ieq, &[comp, number]);
            value = self.l.b.select(is_this, read, value);
        }
        let (count, zero) = (self.lit(GENERICS.into()), self.float_of(Deferred::word(0), Sign::default()));
        let exists = self.l.b.int(Op::Ult, &[vector, count]);
        value = self.l.b.select(exists, value, zero);
        for (given, val) in self.registers.all_given() {
            let (given, val) = (self.lit(given.into()), self.float_of(val, Sign::default()));
            let is_this = self.l.b.int(Op::Ieq, &[address, given]);
            value = self.l.b.select(is_this, val, value);
        }
        Some(value.into())
    }

    /// The number of an attribute, declared where it is new.
    fn attribute(&mut self, semantic: AttrSemantic, vector: u16, interp: Interp, location: Location) -> u16 {
        let same = |d: &&Declared| d.vector == vector && d.interp == interp && d.location == location;
        if let Some(known) = self.registers.declared.iter().find(same) {
            return known.index;
        }
        let index = self.l.add_attr(AttrDecl { name: format!("a[{vector:#x}]"), semantic, interp, location });
        self.registers.declared.push(Declared { vector, interp, location, index });
        index
    }

    /// The packed offset of IPA.OFFSET, to the right and down in pixels, as binary32 patterns.
    fn offset(&mut self, word: u64) -> (ValueId, ValueId) {
        let packed = self.register(word.byte(39));
        let packed = self.word_of(packed);
        let (slot, sixteen) = (self.plain(), self.lit(16));
        let scale = self.lit((4 + self.settings.offset_frac_bits).wrapping_neg());
        let [right, down] = [0, 16].map(|lo| {
            let at = self.lit(lo);
            let steps = self.l.b.int(Op::Ibfe, &[packed, at, sixteen]);
            let steps = self.l.b.num(Op::I2f, slot, &[steps]);
            let pixels = self.l.b.num(Op::Ldexp, slot, &[steps, scale]);
            self.l.convert(pixels, parallax_core::Type::I32)
        });
        (right, down)
    }
}
