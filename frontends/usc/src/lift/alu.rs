//! Arithmetic of phases 0 to 2.

use super::{Ctx, Feeds};
use crate::fields;
use crate::group::Group;
use crate::opcode::{Opcode, Phase};
use crate::operation::Feed;
use crate::operation::{Modifiers, Operation};
use crate::view::{Name, Source};
use parallax_core::{Axis, OpKind, Type, ValueId};
use parallax_lift::Deferred;
use parallax_num::{Decl, Op};

/// 2/pi in two pieces, as binary64 patterns: together they have twice the digits.
const TWO_OVER_PI: [u64; 2] = [0x3fe4_5f30_6dc9_c883, 0xbc86_b01e_c541_7056];
/// pi/2 as a binary32 pattern: special constant 94.
const HALF_PI: u32 = 0x3fc9_0fdb;

/// Magnitudes below this pattern are their own arctangents.
const ARCTANGENT_OF_ITSELF: u32 = 0x39c0_0000;

/// Constants of sRGB: special constants 136 to 140 and 156 to 159.
mod srgb {
    pub(super) const ENCODE_BELOW: u32 = 0x3b4d_2e1c;
    pub(super) const SLOPE: u32 = 0x414e_b852;
    pub(super) const ROOT: u32 = 0x3ed5_5555;
    pub(super) const SCALE: u32 = 0x3f87_0a3d;
    pub(super) const OFFSET: u32 = 0x3d61_47ae;
    pub(super) const DECODE_BELOW: u32 = 0x3d25_aee6;
    pub(super) const POWER: u32 = 0x4019_999a;
}

impl Ctx<'_, '_> {
    /// A source of an operation, as it stands in its register.
    pub(super) fn operand(&mut self, group: &Group, operation: &Operation, source: Source) -> Deferred {
        self.source(group, operation.source(source))
    }

    /// A source as an integer.
    pub(super) fn word(&mut self, group: &Group, operation: &Operation, source: Source) -> ValueId {
        let val = self.operand(group, operation, source);
        self.l.force(val, Type::I32)
    }

    /// A source as a float, modified.
    fn float(&mut self, group: &Group, operation: &Operation, source: Source) -> ValueId {
        let val = self.operand(group, operation, source);
        let value = if operation.view.field(Name::Half).is_some() {
            // Forms that read a half have no encoding.
            let word = self.l.force(val, Type::I32);
            let bits = self.element(word, 16 * operation.get(Name::Half), 16, false);
            let narrow = self.l.plain(Decl::F16);
            let value = self.l.b.num(Op::BitsTo, narrow, &[bits]);
            let slot = self.slot(false);
            self.l.b.num(Op::Cvt, slot, &[value])
        } else {
            self.l.force(val, Type::F32)
        };
        if !operation.is_modified() {
            return value;
        }
        self.modified(value, operation.modifiers(source as usize))
    }

    fn modified(&mut self, mut value: ValueId, modifiers: Modifiers) -> ValueId {
        let slot = self.slot(false);
        let Modifiers { floor, absolute, negate } = modifiers;
        for (set, op) in [(floor, Op::Floor), (absolute, Op::Abs), (negate, Op::Neg)] {
            if set {
                value = self.l.b.num(op, slot, &[value]);
            }
        }
        value
    }

    /// An operation of the phases but for packs, tests and moves.
    pub(super) fn arithmetic(&mut self, group: &Group, operation: &Operation, feeds: &mut Feeds) {
        let feed = match operation.phase() {
            Phase::Zero => Feed::Ft0,
            Phase::One => Feed::Ft1,
            _ => Feed::Ft2,
        };
        let slot = self.slot(operation.has(Name::Saturate));
        match operation.opcode() {
            Opcode::Fadd => self.binary(group, operation, Op::Add, feed, feeds),
            Opcode::Fmul => self.binary(group, operation, Op::Mul, feed, feeds),
            Opcode::Fmad => {
                let args =
                    [Source::First, Source::Second, Source::Third].map(|source| self.float(group, operation, source));
                feeds.set(feed, self.l.b.num(Op::Mad, slot, &args));
            }
            Opcode::Mbyp => {
                let val = self.operand(group, operation, Source::First);
                let modifiers = operation.modifiers(0);
                let copied = if modifiers == Modifiers::default() { val } else { self.with_sign(val, modifiers) };
                feeds.set(feed, copied);
            }
            Opcode::Fdsx => {
                let value = self.float(group, operation, Source::First);
                let [far, near] = [1, 0].map(|pixel| {
                    let pixel = self.l.b.i32(pixel);
                    self.l.b.value(OpKind::QuadShuffle, None, &[value, pixel])
                });
                feeds.set(feed, self.l.b.num(Op::Sub, slot, &[far, near]));
            }
            Opcode::Fdsy | Opcode::Fdsxf | Opcode::Fdsyf => {
                let axis = if operation.opcode() == Opcode::Fdsxf { Axis::X } else { Axis::Y };
                let kind = OpKind::Deriv { axis, fine: operation.opcode() != Opcode::Fdsy };
                let slot = self.slot(false);
                let value = self.float(group, operation, Source::First);
                feeds.set(feed, self.l.b.deriv(kind, slot, value));
            }
            Opcode::Frcp => self.unary(group, operation, Op::Rcp, feeds),
            Opcode::Frsq => self.unary(group, operation, Op::Rsq, feeds),
            Opcode::Fsqrt => self.unary(group, operation, Op::Sqrt, feeds),
            Opcode::Flog => self.unary(group, operation, Op::Log2, feeds),
            Opcode::Fexp => self.unary(group, operation, Op::Exp2, feeds),
            Opcode::Gcmp | Opcode::Gexp => {
                let value = self.float(group, operation, Source::First);
                let coded = self.gamma(value, operation.opcode() == Opcode::Gcmp);
                feeds.outputs[0] = Some(coded.into());
            }
            Opcode::Farctanc => self.arctangent_over_x(group, operation, feeds),
            Opcode::Fsinc => self.sine_over_x(group, operation, feeds),
            Opcode::Fred => self.reduce(group, operation, feeds),
            Opcode::Unpck => {
                let unpacked = self.unpack(group, operation);
                feeds.set(feed, unpacked);
            }
            Opcode::AddNarrow | Opcode::MulNarrow | Opcode::MadNarrow => {
                let result = self.narrow(group, operation);
                feeds.set(feed, result);
            }
            Opcode::Add64 | Opcode::Add6432 | Opcode::Madd32 | Opcode::Madd64 => self.wide(group, operation, feeds),
            _ => {}
        }
    }

    /// FADD and FMUL; in phase 2 they take is3 and fte.
    fn binary(&mut self, group: &Group, operation: &Operation, op: Op, feed: Feed, feeds: &mut Feeds) {
        let slot = self.slot(operation.has(Name::Saturate));
        let args = if operation.phase() == Phase::Two {
            let vals = [self.feed(group, group.selected(&fields::IS3), feeds), self.feed(group, Feed::Fte, feeds)];
            [0, 1].map(|n| {
                let value = self.l.force(vals[n], Type::F32);
                self.modified(value, operation.modifiers(n))
            })
        } else {
            [Source::First, Source::Second].map(|source| self.float(group, operation, source))
        };
        feeds.set(feed, self.l.b.num(op, slot, &args));
    }

    /// A copy with another sign. Words that are known to be integers stay integers.
    fn with_sign(&mut self, val: Deferred, modifiers: Modifiers) -> Deferred {
        if self.l.type_of(val) != Some(Type::I32) {
            let value = self.l.force(val, Type::F32);
            return self.modified(value, modifiers).into();
        }
        let mut word = self.l.force(val, Type::I32);
        if modifiers.absolute {
            let magnitude = self.l.b.i32(!(1 << 31));
            word = self.l.b.int(Op::Iand, &[word, magnitude]);
        }
        if modifiers.negate {
            let sign = self.l.b.i32(1 << 31);
            word = self.l.b.int(Op::Ixor, &[word, sign]);
        }
        word.into()
    }

    /// Operations with one source, which drive output 0.
    fn unary(&mut self, group: &Group, operation: &Operation, op: Op, feeds: &mut Feeds) {
        let slot = self.slot(false);
        let value = self.float(group, operation, Source::First);
        feeds.outputs[0] = Some(self.l.b.num(op, slot, &[value]).into());
    }

    /// sRGB encoding or decoding.
    fn gamma(&mut self, value: ValueId, encode: bool) -> ValueId {
        let slot = self.slot(false);
        let literal = |ctx: &mut Self, bits| ctx.float_literal(bits);
        let (scale, offset, slope) =
            (literal(self, srgb::SCALE), literal(self, srgb::OFFSET), literal(self, srgb::SLOPE));
        let limit = literal(self, if encode { srgb::ENCODE_BELOW } else { srgb::DECODE_BELOW });
        let power = literal(self, if encode { srgb::ROOT } else { srgb::POWER });
        let b = &mut self.l.b;
        if encode {
            let below = b.num(Op::FLt, slot, &[value, limit]);
            let linear = b.num(Op::Mul, slot, &[value, slope]);
            let curved = b.num(Op::Pow, slot, &[value, power]);
            let curved = b.num(Op::Mul, slot, &[curved, scale]);
            let curved = b.num(Op::Sub, slot, &[curved, offset]);
            return b.select(below, linear, curved);
        }
        let below = b.num(Op::FLe, slot, &[value, limit]);
        let linear = b.num(Op::Div, slot, &[value, slope]);
        let sum = b.num(Op::Add, slot, &[value, offset]);
        let ratio = b.num(Op::Div, slot, &[sum, scale]);
        let curved = b.num(Op::Pow, slot, &[ratio, power]);
        b.select(below, linear, curved)
    }

    /// FSINC: sin(pi/2 x) / x, near 0 pi/2. p0 says that a sine is this times x, which it is unless x is a NaN.
    fn sine_over_x(&mut self, group: &Group, operation: &Operation, feeds: &mut Feeds) {
        let slot = self.slot(false);
        let x = self.float(group, operation, Source::First);
        let half_pi = self.float_literal(HALF_PI);
        let b = &mut self.l.b;
        let angle = b.num(Op::Mul, slot, &[x, half_pi]);
        let sine = b.num(Op::Sin, slot, &[angle]);
        let ratio = b.num(Op::Div, slot, &[sine, x]);
        let number = b.num(Op::FEq, slot, &[x, x]);
        let bits = self.l.convert(x, Type::I32);
        let b = &mut self.l.b;
        let magnitude = b.i32(!(1 << 31));
        let magnitude = b.int(Op::Iand, &[bits, magnitude]);
        // An exponent below 103.
        let limit = b.i32(103 << 23);
        let tiny = b.int(Op::Ult, &[magnitude, limit]);
        let value = b.select(tiny, half_pi, ratio);
        feeds.outputs[0] = Some(value.into());
        self.set(self.registers.p0, number);
    }

    /// FARCTANC: atan(x) / x on [-1, 1], near 0 1; in binary64. With u = tan(atan(x) / 4), which two halvings of the angle give,
    /// it is 4 u/x times the series 1 - u^2/3 + u^4/5 and so on, and u^2 is below 0.04.
    fn arctangent_over_x(&mut self, group: &Group, operation: &Operation, feeds: &mut Feeds) {
        let (slot, wide) = (self.slot(false), self.l.plain(Decl::F64));
        let source = self.float(group, operation, Source::First);
        let b = &mut self.l.b;
        let one = b.float(wide, 1f64.to_bits());
        let x = b.num(Op::Cvt, wide, &[source]);
        let (mut tangent, mut ratio) = (x, None);
        for _ in 0..2 {
            // tan(a/2) = tan(a) / (1 + sqrt(1 + tan(a)^2))
            let square = b.num(Op::Fma, wide, &[tangent, tangent, one]);
            let root = b.num(Op::Sqrt, wide, &[square]);
            let divisor = b.num(Op::Add, wide, &[root, one]);
            tangent = b.num(Op::Div, wide, &[tangent, divisor]);
            ratio = Some(match ratio {
                None => divisor,
                Some(before) => b.num(Op::Mul, wide, &[before, divisor]),
            });
        }
        let square = b.num(Op::Mul, wide, &[tangent, tangent]);
        // 1/21, then -1/19, 1/17 and so on.
        let term = |n: i32| (if n % 2 == 0 { 1.0 } else { -1.0 }) / f64::from(2 * n + 1);
        let mut series = b.float(wide, term(10).to_bits());
        for n in (0..10).rev() {
            let term = b.float(wide, term(n).to_bits());
            series = b.num(Op::Fma, wide, &[series, square, term]);
        }
        let four = b.float(wide, 4f64.to_bits());
        let mut value = b.num(Op::Mul, wide, &[series, four]);
        if let Some(ratio) = ratio {
            value = b.num(Op::Div, wide, &[value, ratio]);
        }
        let value = b.num(Op::Cvt, slot, &[value]);
        let bits = self.l.convert(source, Type::I32);
        let b = &mut self.l.b;
        let magnitude = b.i32(!(1 << 31));
        let magnitude = b.int(Op::Iand, &[bits, magnitude]);
        let limit = b.i32(ARCTANGENT_OF_ITSELF);
        let tiny = b.int(Op::Ult, &[magnitude, limit]);
        let one = self.float_literal(1f32.to_bits());
        feeds.outputs[0] = Some(self.l.b.select(tiny, one, value).into());
    }

    /// FRED: part A hands its source on; part B gives r in [-1, 1] such that the sine or cosine of the source is that of
    /// pi/2 r. Computed in binary64 with 2/pi in two pieces.
    fn reduce(&mut self, group: &Group, operation: &Operation, feeds: &mut Feeds) {
        if operation.has(Name::WritesP0) {
            let done = self.l.b.pred(false);
            self.set(self.registers.p0, done);
        }
        let source = self.float(group, operation, Source::First);
        feeds.outputs = [Some(source.into()); 2];
        if !operation.has(Name::PartB) {
            return;
        }
        let is_cosine = operation.has(Name::Cosine);
        let (slot, wide) = (self.slot(false), self.l.plain(Decl::F64));
        let b = &mut self.l.b;
        let [high, low] = TWO_OVER_PI.map(|bits| b.float(wide, bits));
        let [half, one, minus_four] = [0.5f64, 1.0, -4.0].map(|value| b.float(wide, value.to_bits()));
        let a = b.num(Op::Cvt, wide, &[source]);
        // Quarter turns, and whole half turns in them.
        let mut quarters = b.num(Op::Mul, wide, &[a, high]);
        if is_cosine {
            quarters = b.num(Op::Add, wide, &[quarters, one]);
        }
        let halves = b.num(Op::Mul, wide, &[quarters, half]);
        let halves = b.num(Op::Rint, wide, &[halves]);
        let whole = b.num(Op::Add, wide, &[halves, halves]);
        let back = if is_cosine { b.num(Op::Sub, wide, &[one, whole]) } else { b.num(Op::Neg, wide, &[whole]) };
        let rest = b.num(Op::Fma, wide, &[a, high, back]);
        let rest = b.num(Op::Fma, wide, &[a, low, rest]);
        // Every other half turn has the other sign.
        let parity = b.num(Op::Mul, wide, &[halves, half]);
        let parity = b.num(Op::Frac, wide, &[parity]);
        let sign = b.num(Op::Fma, wide, &[parity, minus_four, one]);
        let rest = b.num(Op::Mul, wide, &[rest, sign]);
        feeds.outputs[0] = Some(b.num(Op::Cvt, slot, &[rest]).into());
    }

    /// What an internal source takes: a feed-through, or the register that is0 selects.
    pub(super) fn feed(&mut self, group: &Group, feed: Feed, feeds: &Feeds) -> Deferred {
        match (feed, feeds.vals[Feed::Fte as usize]) {
            (Feed::Fte, None) => self.source(group, group.is0()),
            _ => feeds.get(feed),
        }
    }
}
