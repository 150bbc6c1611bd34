//! Attributes away from the centre of a pixel, and where its samples are.

use super::Select;
use crate::form::{Arg, Base, Operand};
use crate::target::Meaning;
use parallax_core::{Axis, EntityRef, Func, Interp, OpId, OpKind, SysVal, ValueId};
use parallax_num::{Decl, Op, Slot};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Steps of a pixel in packed offsets: 1/4096, a signed number in each half of a word.
const STEP_BITS: u32 = 12;
/// Fraction bits of a packed offset behind the grid of 16 by 16 that samples lie on.
const FRACTION_BITS: u32 = 8;

const MANY: &str = "places of samples as those of eight at most: other places where a pixel has more";
const COARSE: &str =
    "offsets of attributes in steps of 1/4096 of a pixel: other places where one is finer, or beyond 8 pixels";

/// A place of the pixel whose packed offset the set gives.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Place {
    /// That of a sample, by its number; none where a pixel has more than eight.
    Sample(ValueId),
    /// The centroid of the covered samples.
    Centroid,
}

/// Where packed offsets become the numbers that ops take, and where places become packed offsets.
#[derive(Debug, Default)]
pub(super) struct Offsets {
    /// Of ops on attributes, the word that both of their operands are made of.
    packed: FxHashMap<OpId, ValueId>,
    /// Of choices that give the packed offset of a place, which.
    places: FxHashMap<OpId, Place>,
    /// Ops on the way that nobody else reads.
    pub(super) between: Vec<OpId>,
}

impl Offsets {
    /// Looks through a shader.
    pub(super) fn new(func: &Func) -> Offsets {
        let mut offsets = Offsets::default();
        let mut uses = vec![0u32; func.values.len()];
        let mut left: Vec<ValueId> = Vec::new();
        func.walk(|_, op| {
            let data = &func.ops[op];
            data.args.iter().for_each(|arg| uses[arg.index()] += 1);
            let read = match data.kind {
                OpKind::AttrOffset { .. } => {
                    let [right, down] = [0, 1].map(|n| half_in_pixels(func, data.args[n], 16 * n as u32));
                    let Some(word) = right.filter(|_| right == down) else { return };
                    offsets.packed.insert(op, word);
                    Some(word)
                }
                OpKind::Select => {
                    let Some(place) = place(func, &data.args) else { return };
                    offsets.places.insert(op, place);
                    match place {
                        Place::Sample(sample) => Some(sample),
                        Place::Centroid => None,
                    }
                }
                _ => return,
            };
            left.extend(&data.args);
            // It is read in their place.
            read.into_iter().for_each(|value| uses[value.index()] += 1);
        });
        while let Some(value) = left.pop() {
            uses[value.index()] -= 1;
            let Some(op) = func.def_op(value).filter(|_| uses[value.index()] == 0) else { continue };
            let data = &func.ops[op];
            if matches!(data.kind, OpKind::Num(_) | OpKind::SamplePosition { .. }) {
                offsets.between.push(op);
                left.extend(&data.args);
            }
        }
        offsets
    }
}

/// The operands of an operation that a value is.
fn made_by(func: &Func, value: ValueId, num: Op) -> Option<&[ValueId]> {
    let data = &func.ops[func.def_op(value)?];
    (data.kind == OpKind::Num(num)).then_some(&data.args[..])
}

/// Whether a value is a literal with these bits.
fn is_literal(func: &Func, value: ValueId, bits: u32) -> bool {
    let kind = func.def_op(value).map(|op| func.ops[op].kind);
    matches!(kind, Some(OpKind::Literal(found)) if found as u32 == bits)
}

/// The word whose half from bit `at` on is, in steps of a pixel, the number whose bits a value has.
fn half_in_pixels(func: &Func, value: ValueId, at: u32) -> Option<ValueId> {
    let &[number] = made_by(func, value, Op::BitsOf)? else { return None };
    let &[steps, scale] = made_by(func, number, Op::Ldexp)? else { return None };
    let &[whole] = made_by(func, steps, Op::I2f)? else { return None };
    let &[word, place, width] = made_by(func, whole, Op::Ibfe)? else { return None };
    let is_half = is_literal(func, place, at) && is_literal(func, width, 16);
    (is_half && is_literal(func, scale, STEP_BITS.wrapping_neg())).then_some(word)
}

/// The place whose packed offset a choice between these operands gives.
fn place(func: &Func, args: &[ValueId]) -> Option<Place> {
    let &[condition, then, other] = args else { return None };
    let is_count = |value| func.def_op(value).is_some_and(|op| func.ops[op].kind == OpKind::Sys(SysVal::SampleCount));
    if let Some(sample) = packed_sample(func, then).filter(|_| is_literal(func, other, 0)) {
        let &[count, most] = made_by(func, condition, Op::Ule)? else { return None };
        return (is_count(count) && is_literal(func, most, 8)).then_some(Place::Sample(sample));
    }
    let sample = packed_sample(func, other).filter(|_| is_literal(func, then, 0))?;
    let &[mask] = made_by(func, sample, Op::Lsb)? else { return None };
    let &[found, all] = made_by(func, condition, Op::Ieq)? else { return None };
    let &[above] = made_by(func, all, Op::Inot)? else { return None };
    let &[ones, count] = made_by(func, above, Op::Shl)? else { return None };
    let &[covered, samples] = made_by(func, mask, Op::Iand)? else { return None };
    let is_mask = func.def_op(covered).is_some_and(|op| func.ops[op].kind == OpKind::Sys(SysVal::SampleMask));
    let is_all = is_literal(func, ones, u32::MAX) && is_count(count);
    (found == mask && is_all && is_mask && is_literal(func, samples, 0xffff)).then_some(Place::Centroid)
}

/// The number of the sample whose place a value is, packed.
fn packed_sample(func: &Func, value: ValueId) -> Option<ValueId> {
    let &[x, y, place, width] = made_by(func, value, Op::Bfi)? else { return None };
    if !is_literal(func, place, 16) || !is_literal(func, width, 16) {
        return None;
    }
    let sample = |value, along| {
        let &[steps, scale] = made_by(func, value, Op::Shl)? else { return None };
        let data = &func.ops[func.def_op(steps)?];
        let is_place = data.kind == OpKind::SamplePosition { axis: along } && is_literal(func, scale, FRACTION_BITS);
        is_place.then(|| data.args[0])
    };
    let (x, y) = (sample(x, Axis::X)?, sample(y, Axis::Y)?);
    (x == y).then_some(x)
}

impl Select<'_> {
    /// A component of an attribute at the centroid, at a sample or at an offset.
    pub(super) fn attribute_elsewhere(&mut self, op: OpId) {
        let func = self.func;
        let data = &func.ops[op];
        let (OpKind::AttrOffset { index, comp }
        | OpKind::AttrSample { index, comp }
        | OpKind::AttrCentroid { index, comp }) = data.kind
        else {
            return;
        };
        let attribute = Base::Attr { index, comp };
        let is_flat = func.iface.attrs.get(usize::from(index)).is_some_and(|attr| attr.interp == Interp::Flat);
        if is_flat {
            // It is the same everywhere.
            return self.read(op, attribute);
        }
        let result = data.results[0];
        if !self.fits(func.ty(result)) || data.slot.is_some() && self.slot(op).is_none() {
            return;
        }
        let offset = match (data.kind, self.offsets.packed.get(&op).copied()) {
            (_, Some(word)) => Some(self.arg(word)),
            (OpKind::AttrSample { .. }, _) => self.place_of_sample(data.args[0]),
            (OpKind::AttrOffset { .. }, _) => self.packed_offset([data.args[0], data.args[1]]),
            _ => self.place(Place::Centroid),
        };
        let (Some(row), Some(offset)) = (self.rows.get(Meaning::AtOffset), offset) else {
            return self.missing(data.kind.word());
        };
        let operands = [Arg::plain(attribute), self.signed(row, 1, offset)].map(Operand::one);
        let own = self.own(result);
        self.put(row, Slot::plain(Decl::F32), SmallVec::from_iter(operands), own);
    }

    /// The packed offset of a place.
    fn place(&mut self, place: Place) -> Option<Arg> {
        let (meaning, sample) = match place {
            Place::Sample(sample) => (Meaning::PlaceOfSample, Some(self.arg(sample))),
            Place::Centroid => (Meaning::PlaceOfCentroid, None),
        };
        let (row, fresh) = (self.rows.get(meaning)?, self.fresh());
        Some(Arg::value(self.each(row, Slot::plain(Decl::F32), sample.as_slice(), fresh)))
    }

    /// That of a sample, whatever their number.
    fn place_of_sample(&mut self, sample: ValueId) -> Option<Arg> {
        self.notes.inexact(MANY);
        self.place(Place::Sample(sample))
    }

    /// Numbers of pixels to the right and down as a packed offset.
    fn packed_offset(&mut self, args: [ValueId; 2]) -> Option<Arg> {
        const SCALE: u32 = 0x4580_0000;
        let each = [Op::Mul, Op::F2iRint, Op::Imax, Op::Imin].map(|op| self.rows.get(Meaning::Each(op)));
        let [Some(mul), Some(to_whole), Some(max), Some(min)] = each else { return None };
        let insert = self.rows.get(Meaning::Field(Op::Bfi))?;
        self.notes.inexact(COARSE);
        let pixels = args.map(|arg| self.arg(arg));
        let mut value = |row, args: &[Arg]| {
            let fresh = self.fresh();
            Arg::value(self.each(row, Slot::plain(Decl::F32), args, fresh))
        };
        let [right, down] = pixels.map(|pixels| {
            let steps = value(mul, &[pixels, Arg::imm(SCALE)]);
            let steps = value(to_whole, &[steps]);
            let steps = value(max, &[steps, Arg::imm(-0x8000i32 as u32)]);
            value(min, &[steps, Arg::imm(0x7fff)])
        });
        Some(value(insert, &[down, Arg::imm(0x1010), right]))
    }

    /// Where a sample is, along an axis.
    pub(super) fn sample_position(&mut self, op: OpId, axis: Axis) {
        let data = &self.func.ops[op];
        let row = self.rows.get(Meaning::Field(Op::Ibfe));
        let (Some(place), Some(row)) = (self.place_of_sample(data.args[0]), row) else {
            return self.missing(data.kind.word());
        };
        let from = if axis == Axis::X { FRACTION_BITS } else { 16 + FRACTION_BITS };
        let field = Arg::imm((16 - FRACTION_BITS) << 8 | from);
        let own = self.own(data.results[0]);
        let known = self.each(row, Slot::plain(Decl::F32), &[place, field], own);
        self.stand_for(own, known);
    }

    /// Whether a choice gives the packed offset of a place; then its result holds that.
    pub(super) fn is_place(&mut self, op: OpId) -> bool {
        let Some(&place) = self.offsets.places.get(&op) else { return false };
        let Some(offset) = self.place(place) else { return false };
        self.hold(self.func.ops[op].results[0], offset);
        true
    }
}
