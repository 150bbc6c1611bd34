//! Texture lookups.

use super::Ctx;
use crate::fields::RZ;
use crate::view::{Name, Operands};
use parallax_core::{OpKind, TexMode, TexOp, TexTarget, Type, ValueId};
use parallax_lift::Deferred;
use parallax_num::{Decl, Op};
use smallvec::SmallVec;

/// Where the level of detail comes from.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Lod {
    Implicit,
    Zero,
    Bias,
    Level,
}

/// Registers taken one after the other.
struct Vector {
    next: u8,
}

impl Vector {
    fn at(first: u8) -> Vector {
        Vector { next: first }
    }

    /// Those of the first two sources.
    fn pair(i: Operands) -> (Vector, Vector) {
        (Vector::at(i.a().register()), Vector::at(i.b().register()))
    }

    fn next(&mut self, ctx: &mut Ctx<'_, '_>) -> Deferred {
        let val = ctx.register(self.next);
        self.next = self.next.saturating_add(1);
        val
    }
}

/// What a lookup takes, wherever it stood.
struct Lookup {
    target: TexTarget,
    lod: Lod,
    coordinates: SmallVec<[Deferred; 3]>,
    layer: Option<Deferred>,
    level: Option<Deferred>,
    offset: [i8; 3],
    reference: Option<Deferred>,
    derivatives: SmallVec<[Deferred; 6]>,
    /// Coordinates are whole texels.
    by_texel: bool,
    /// The component that is gathered.
    gathered: Option<u32>,
    /// Only the level of detail is wanted.
    asks_level: bool,
}

impl Lookup {
    fn new(target: TexTarget, lod: Lod) -> Lookup {
        Lookup {
            target,
            lod,
            coordinates: SmallVec::new(),
            layer: None,
            level: None,
            offset: [0; 3],
            reference: None,
            derivatives: SmallVec::new(),
            by_texel: false,
            gathered: None,
            asks_level: false,
        }
    }

    /// Takes the next coordinates.
    fn take(&mut self, ctx: &mut Ctx<'_, '_>, count: usize, from: &mut Vector) {
        for _ in 0..count {
            self.coordinates.push(from.next(ctx));
        }
    }

    /// Takes the layer of an array, then the coordinates.
    fn take_place(&mut self, ctx: &mut Ctx<'_, '_>, shape: Shape, from: &mut Vector) {
        if shape.is_array {
            self.layer = Some(from.next(ctx));
        }
        self.take(ctx, shape.coordinates, from);
    }
}

/// The shape of a texture as an instruction names it.
#[derive(Copy, Clone)]
struct Shape {
    target: TexTarget,
    coordinates: usize,
    is_array: bool,
}

/// Shapes by number, without and with a depth comparison.
const SHAPES: [[Option<TexTarget>; 2]; 8] = {
    use TexTarget::*;
    [
        [Some(D1), Some(Shadow1D)],
        [Some(D1Array), Some(Shadow1DArray)],
        [Some(D2), Some(Shadow2D)],
        [Some(D2Array), Some(Shadow2DArray)],
        [Some(D3), None],
        [None, None],
        [Some(Cube), Some(ShadowCube)],
        [Some(CubeArray), Some(ShadowCubeArray)],
    ]
};

/// Channels of TEXS, TLDS and TLD4S by number, bit 0 = red: with a second register pair, and without.
const CHANNELS: [u8; 5] = [0b0111, 0b1011, 0b1101, 0b1110, 0b1111];
const FEW_CHANNELS: [u8; 8] = [0b0001, 0b0010, 0b0100, 0b1000, 0b0011, 0b1001, 0b1010, 0b1100];

impl Ctx<'_, '_> {
    /// The shape that an instruction names; nothing, with an error, where there is none.
    fn shape(&mut self, i: Operands) -> Option<Shape> {
        let number = i.get(Name::Dimension) as usize;
        let Some(target) = SHAPES[number][usize::from(i.has(Name::DepthCompare))] else {
            self.refuse("this shape is not executed");
            return None;
        };
        Some(Shape { target, coordinates: [1, 1, 2, 2, 3, 3, 3, 3][number], is_array: number % 2 == 1 })
    }

    /// The number of the texture unit: the index of the handle.
    fn unit(i: Operands) -> u16 {
        i.get(Name::Handle) as u16
    }

    /// The number of the texture unit by a handle in a register: a literal's lowest 20 bits are the number of the texture, and
    /// a constant is the handle that its word number names to instructions with an index.
    pub(super) fn unit_of(&mut self, handle: Deferred) -> Option<u16> {
        const NUMBER: u32 = 0xf_ffff;
        let number = match self.l.constant_place(handle) {
            Some((_, word)) => Some(word),
            None => self.l.literal(handle).map(|bits| bits & NUMBER),
        };
        let unit = number.and_then(|number| u16::try_from(number).ok());
        if unit.is_none() {
            self.refuse("a handle that is neither a literal nor a constant names no unit");
        }
        unit
    }

    /// The unit of a lookup: by the handle in the instruction, or by that in the first of some registers.
    fn unit_at(&mut self, i: Operands, registers: &mut Vector) -> Option<u16> {
        if i.names(Name::Handle) {
            return Some(Self::unit(i));
        }
        let handle = registers.next(self);
        self.unit_of(handle)
    }

    /// Adds texel offsets, packed in fours of bits from bit `from` on. Those that are no literals can be added only to whole
    /// texels; says whether they could.
    fn add_offsets(&mut self, lookup: &mut Lookup, packed: Deferred, from: u32) -> bool {
        let places = [0, 4, 8].map(|lo| lo + from);
        if let Some(bits) = self.l.literal(packed) {
            lookup.offset = places.map(|lo| (bits >> lo << 4) as i8 >> 4);
            return true;
        }
        if !lookup.by_texel {
            self.refuse("texel offsets of filtered lookups must be literals");
            return false;
        }
        let (packed, four) = (self.word_of(packed), self.lit(4));
        for (coordinate, lo) in lookup.coordinates.iter_mut().zip(places) {
            let at = self.lit(lo);
            let step = self.l.b.int(Op::Ibfe, &[packed, at, four]);
            let texel = self.l.force(*coordinate, Type::I32);
            *coordinate = self.l.b.int(Op::Iadd, &[texel, step]).into();
        }
        true
    }

    fn single(&mut self, val: Deferred) -> ValueId {
        self.l.force(val, Type::F32)
    }

    /// Looks up.
    fn lookup(&mut self, unit: u16, lookup: &Lookup) -> [ValueId; 4] {
        let is_fetch = lookup.by_texel;
        let mut args: SmallVec<[ValueId; TexOp::MOST_OPERANDS]> = SmallVec::new();
        let operand = |ctx: &mut Self, val: Deferred| if is_fetch { ctx.word_of(val) } else { ctx.single(val) };
        // A lookup without a level takes anything in its place.
        let last = lookup.level.unwrap_or(Deferred::word(0));
        for n in 0..3 {
            let val = lookup.coordinates.get(n).copied().unwrap_or(Deferred::word(0));
            args.push(operand(self, val));
        }
        args.push(operand(self, last));
        if let Some(layer) = lookup.layer {
            let bits = self.word_of(layer);
            let (at, width) = (self.lit(0), self.lit(16));
            let number = self.l.b.int(Op::Ubfe, &[bits, at, width]);
            args.push(if is_fetch {
                number
            } else {
                let slot = self.plain();
                self.l.b.num(Op::U2f, slot, &[number])
            });
        }
        if let Some(reference) = lookup.reference {
            args.push(operand(self, reference));
        }
        let gathers = [TexMode::GatherRed, TexMode::GatherGreen, TexMode::GatherBlue, TexMode::GatherAlpha];
        let mode = match lookup.lod {
            _ if lookup.gathered.is_some() => gathers[lookup.gathered.unwrap_or(0) as usize & 3],
            _ if is_fetch => TexMode::Fetch,
            _ if lookup.asks_level => TexMode::Detail,
            _ if !lookup.derivatives.is_empty() => TexMode::Grad,
            Lod::Implicit => TexMode::Implicit,
            Lod::Bias => TexMode::Bias,
            Lod::Zero | Lod::Level => TexMode::Level,
        };
        for n in 0..lookup.derivatives.len() {
            let value = self.single(lookup.derivatives[n]);
            args.push(value);
        }
        self.l.need_texture(unit, lookup.target);
        let op = TexOp { offset: lookup.offset, ..TexOp::plain(unit, lookup.target, mode) };
        let slot = self.l.plain(Decl::F32);
        self.l.b.tex(op, slot, &args)
    }

    /// Writes the channels of a mask to registers one after the other.
    pub(super) fn write_channels(&mut self, number: u8, mask: u32, texel: [ValueId; 4]) {
        let mut place = 0;
        for (channel, value) in texel.into_iter().enumerate() {
            if mask >> channel & 1 != 0 {
                self.write_after(number, place, value);
                place += 1;
            }
        }
    }

    /// TEX; in the form with a handle, that stands in front of the other operands in registers.
    pub(super) fn tex(&mut self, i: Operands) {
        let Some(shape) = self.shape(i) else { return };
        let lod = match i.get(Name::Level) {
            0 => Lod::Implicit,
            1 => Lod::Zero,
            2 => Lod::Bias,
            3 => Lod::Level,
            _ => return self.refuse("levels of detail with a clamp are not executed"),
        };
        let mut lookup = Lookup::new(shape.target, lod);
        let (mut a, mut b) = Vector::pair(i);
        let Some(unit) = self.unit_at(i, &mut b) else { return };
        lookup.take_place(self, shape, &mut a);
        match lod {
            Lod::Implicit => {}
            Lod::Zero => lookup.level = Some(Deferred::word(0)),
            Lod::Bias | Lod::Level => lookup.level = Some(b.next(self)),
        }
        self.finish_lookup(i, lookup, unit, &mut b);
    }

    /// Takes the operands that stand last, texel offsets and reference, looks up and writes.
    fn finish_lookup(&mut self, i: Operands, mut lookup: Lookup, unit: u16, b: &mut Vector) {
        if i.has(Name::TexelOffsets) {
            let packed = b.next(self);
            if !self.add_offsets(&mut lookup, packed, 0) {
                return;
            }
        }
        if i.has(Name::DepthCompare) {
            lookup.reference = Some(b.next(self));
        }
        let texel = self.lookup(unit, &lookup);
        if i.names(Name::Second) {
            self.write_pairs(i, texel.into_iter());
        } else {
            self.write_channels(i.d(), i.get(Name::Mask), texel);
        }
    }

    /// TXD: derivatives stand in pairs, to the right and down, one pair a coordinate. Behind the coordinates comes a register
    /// with the layer in its low half and texel offsets above it, where there are any; in front of them, a handle.
    pub(super) fn txd(&mut self, i: Operands) {
        let Some(shape) = self.shape(i) else { return };
        if shape.coordinates > 2 {
            return self.refuse("this shape is not executed");
        }
        let mut lookup = Lookup::new(shape.target, Lod::Implicit);
        let (mut a, mut b) = Vector::pair(i);
        let Some(unit) = self.unit_at(i, &mut a) else { return };
        let mut slopes = [[Deferred::word(0); 3]; 2];
        let [right, down] = &mut slopes;
        for (right, down) in right.iter_mut().zip(down).take(shape.coordinates) {
            lookup.take(self, 1, &mut a);
            (*right, *down) = (b.next(self), b.next(self));
        }
        lookup.derivatives.extend(slopes.into_iter().flatten());
        let has_offset = i.has(Name::TexelOffsets);
        if shape.is_array || has_offset {
            let packed = a.next(self);
            lookup.layer = shape.is_array.then_some(packed);
            if has_offset && !self.add_offsets(&mut lookup, packed, 16) {
                return;
            }
        }
        let texel = self.lookup(unit, &lookup);
        self.write_channels(i.d(), i.get(Name::Mask), texel);
    }

    /// TLD: a texel by integer coordinates.
    pub(super) fn tld(&mut self, i: Operands) {
        if i.has(Name::Samples) || i.has(Name::Clamp) {
            return self.refuse("samples of a texel and clamped levels are not executed");
        }
        let Some(shape) = self.shape(i) else { return };
        if matches!(shape.target, TexTarget::Cube | TexTarget::CubeArray) {
            return self.refuse("this shape is not executed");
        }
        let (mut a, mut b) = Vector::pair(i);
        let mut lookup = Lookup { by_texel: true, ..Lookup::new(shape.target, Lod::Level) };
        let Some(unit) = self.unit_at(i, &mut b) else { return };
        lookup.take_place(self, shape, &mut a);
        lookup.level = Some(if i.has(Name::Level) { b.next(self) } else { Deferred::word(0) });
        self.finish_lookup(i, lookup, unit, &mut b);
    }

    /// TMML: the level of detail of a sample, in steps of 1/256: first as it is computed, a signed number of 16 bits, then as it
    /// is taken, an unsigned one. Both of Mesa's compilers read it so. To the nearest, which no document says.
    pub(super) fn tmml(&mut self, i: Operands) {
        const BOTH: u32 = 3;
        let mask = i.get(Name::Mask);
        if mask & !BOTH != 0 {
            return self.refuse("no document says what its third and fourth result are");
        }
        let Some(shape) = self.shape(i) else { return };
        let mut lookup = Lookup { asks_level: true, ..Lookup::new(shape.target, Lod::Implicit) };
        lookup.take_place(self, shape, &mut Vector::at(i.a().register()));
        let [taken, computed, ..] = self.lookup(Self::unit(i), &lookup);
        let slot = self.plain();
        let steps = self.l.b.float(slot, 256f32.to_bits().into());
        let [computed, taken] = [(computed, -32768f32, 32767f32), (taken, 0.0, 65535.0)].map(|(level, least, most)| {
            let [least, most] = [least, most].map(|limit| self.l.b.float(slot, limit.to_bits().into()));
            let steps = self.l.b.num(Op::Mul, slot, &[level, steps]);
            let steps = self.l.b.num(Op::Max, slot, &[steps, least]);
            let steps = self.l.b.num(Op::Min, slot, &[steps, most]);
            self.l.b.num(Op::F2iRint, slot, &[steps])
        });
        let mut place = 0;
        for (n, value) in [computed, taken].into_iter().enumerate() {
            if mask >> n & 1 != 0 {
                self.write_after(i.d(), place, value);
                place += 1;
            }
        }
    }

    /// TXQ of TEX_HEADER_DIMENSION: width, height, depth or layers, and the number of levels. Mesa's compiler reads these components,
    /// and ptxas the first three, of surfaces as well. A handle in a register stands in front of the level.
    pub(super) fn texture_size(&mut self, i: Operands) {
        let mut registers = Vector::at(i.a().register());
        let Some(unit) = self.unit_at(i, &mut registers) else { return };
        let val = registers.next(self);
        let sides = match self.surface_of(unit) {
            Some(buffer) => {
                let [width, height, depth] = [0, 1, 2].map(|comp| self.side(buffer, comp));
                // A surface is one level.
                [width, height, depth, self.lit(1)]
            }
            None => {
                let level = self.word_of(val);
                self.measured.push(unit);
                [0, 1, 2, 3].map(|comp| self.l.b.value(OpKind::TextureSize { unit, comp }, None, &[level]))
            }
        };
        self.write_channels(i.d(), i.get(Name::Mask), sides);
    }

    /// Declares the textures that are asked for their size and never looked up: as images.
    pub(super) fn declare_measured(&mut self) {
        for unit in std::mem::take(&mut self.measured) {
            if !self.l.b.func.iface.textures.iter().any(|decl| decl.unit == unit) {
                self.l.need_texture(unit, TexTarget::D2);
            }
        }
    }

    /// The channels a number names, by whether there is a second pair of registers.
    fn channels(&mut self, i: Operands) -> Option<u8> {
        let number = i.get(Name::Channels) as usize;
        let known = if i.number(Name::Second) == RZ { FEW_CHANNELS.get(number) } else { CHANNELS.get(number) };
        if known.is_none() {
            self.refuse("a reserved set of channels");
        }
        known.copied()
    }

    /// Writes values to two pairs of registers, in order.
    fn write_pairs(&mut self, i: Operands, values: impl Iterator<Item = ValueId>) {
        for (place, value) in values.enumerate() {
            let number = if place < 2 { i.d() } else { i.number(Name::Second) };
            self.write_after(number, place as u8 % 2, value);
        }
    }

    /// TEXS: the operands' places follow from the variant.
    pub(super) fn texs(&mut self, i: Operands) {
        let Some(channels) = self.channels(i) else { return };
        let variant = i.variant();
        // Shape, level of detail, and how many coordinates each operand begins with.
        use TexTarget::{Cube, D1, D2, D2Array, D3, Shadow2D, Shadow2DArray};
        let (target, lod, from_a, from_b) = match variant {
            0 => (D1, Lod::Zero, 1, 0),
            1 => (D2, Lod::Implicit, 1, 1),
            2 => (D2, Lod::Zero, 1, 1),
            3 => (D2, Lod::Level, 2, 0),
            4 => (Shadow2D, Lod::Implicit, 2, 0),
            5 => (Shadow2D, Lod::Level, 2, 0),
            6 => (Shadow2D, Lod::Zero, 2, 0),
            7 => (D2Array, Lod::Implicit, 1, 1),
            8 => (D2Array, Lod::Zero, 1, 1),
            9 => (Shadow2DArray, Lod::Zero, 1, 1),
            10 => (D3, Lod::Implicit, 2, 1),
            11 => (D3, Lod::Zero, 2, 1),
            12 => (Cube, Lod::Implicit, 2, 1),
            13 => (Cube, Lod::Level, 2, 1),
            _ => return self.refuse("a reserved variant"),
        };
        let mut lookup = Lookup::new(target, lod);
        let (mut a, mut b) = Vector::pair(i);
        if (7..=9).contains(&variant) {
            lookup.layer = Some(a.next(self));
        }
        lookup.take(self, from_a, &mut a);
        lookup.take(self, from_b, &mut b);
        match lod {
            Lod::Zero => lookup.level = Some(Deferred::word(0)),
            Lod::Level => lookup.level = Some(b.next(self)),
            Lod::Implicit | Lod::Bias => {}
        }
        if matches!(target, Shadow2D | Shadow2DArray) {
            lookup.reference = Some(b.next(self));
        }
        let texel = self.lookup(Self::unit(i), &lookup);
        self.write_pairs(i, (0..4).filter(|n| channels >> n & 1 != 0).map(|n| texel[n]));
    }

    /// TLDS: a texel by integer coordinates, its operands' places by variant.
    pub(super) fn tlds(&mut self, i: Operands) {
        let Some(channels) = self.channels(i) else { return };
        let (mut a, mut b) = Vector::pair(i);
        let variant = i.variant();
        let (target, from_a, from_b, has_level) = match variant {
            0 => (TexTarget::D1, 1, 0, false),
            1 => (TexTarget::D1, 1, 0, true),
            2 => (TexTarget::D2, 1, 1, false),
            4 => (TexTarget::D2, 2, 0, false),
            5 | 12 => (TexTarget::D2, 2, 0, true),
            7 => (TexTarget::D3, 2, 1, false),
            8 => (TexTarget::D2Array, 0, 2, false),
            6 => return self.refuse("samples of a texel are not executed"),
            _ => return self.refuse("a reserved variant"),
        };
        let mut lookup = Lookup { by_texel: true, ..Lookup::new(target, Lod::Level) };
        if variant == 8 {
            lookup.layer = Some(a.next(self));
        }
        lookup.take(self, from_a, &mut a);
        lookup.take(self, from_b, &mut b);
        lookup.level = Some(if has_level { b.next(self) } else { Deferred::word(0) });
        if variant == 4 || variant == 12 {
            let packed = b.next(self);
            if !self.add_offsets(&mut lookup, packed, 0) {
                return;
            }
        }
        let texel = self.lookup(Self::unit(i), &lookup);
        self.write_pairs(i, (0..4).filter(|n| channels >> n & 1 != 0).map(|n| texel[n]));
    }

    /// TLD4: one component of the four texels around a point.
    pub(super) fn tld4(&mut self, i: Operands) {
        const OF_EACH_TEXEL: u32 = 2;
        let Some(shape) = self.shape(i) else { return };
        let gathered = Some(i.get(Name::Component));
        let mut lookup = Lookup { gathered, ..Lookup::new(shape.target, Lod::Implicit) };
        let (mut a, mut b) = Vector::pair(i);
        lookup.take_place(self, shape, &mut a);
        if i.get(Name::TexelOffsets) >= OF_EACH_TEXEL {
            return self.refuse("offsets of single texels are not executed");
        }
        self.finish_lookup(i, lookup, Self::unit(i), &mut b);
    }

    /// TLD4S: the same of an image, into two pairs of registers. The second operand begins with a coordinate unless it holds
    /// offsets or a reference.
    pub(super) fn tld4s(&mut self, i: Operands) {
        let compares = i.has(Name::DepthCompare);
        let target = if compares { TexTarget::Shadow2D } else { TexTarget::D2 };
        let gathered = Some(i.get(Name::Component));
        let mut lookup = Lookup { gathered, ..Lookup::new(target, Lod::Implicit) };
        let (mut a, mut b) = Vector::pair(i);
        lookup.take(self, 1, &mut a);
        lookup.take(self, 1, if compares || i.has(Name::TexelOffsets) { &mut a } else { &mut b });
        self.finish_lookup(i, lookup, Self::unit(i), &mut b);
    }
}
