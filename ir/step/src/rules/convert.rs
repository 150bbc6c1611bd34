//! Conversions: between floats, to and from integers, patterns, packed words.

use super::float::{Float, Origin, Raw, Shape, container, direction};
use super::{fixed, params};
use crate::eval::quiet_bits;
use crate::prim::{Direction, Mode, Prim, Ty};
use crate::program::{Code, Emit, Id, Program};
use parallax_num::{Decl, Denormals, Format, NanCompare, NanResult, Op, Overflow, Round, Rule, Storage, ToInt};

/// Float to float. `total`: without slow lanes where a result next to an end of the range may be tiny or infinite.
pub(super) fn convert(rule: &Rule, observed: bool, total: bool) -> Option<Program> {
    let mut f = Float::new(rule, &[container(rule.source)], observed, false)?;
    f.total = total;
    if !rule.quiets {
        // The word as it is, whose values the format has.
        return (rule.source == rule.storage && rule.source.format() == rule.format).then(|| f.done(0))?;
    }
    // Words of fixed point may hold more than binary32 does.
    if matches!(rule.source, Storage::F64 | Storage::Fixed(_)) && f.shape == Shape::Half {
        f = f.wide()?;
    }
    if rule.source == Storage::F64 && rule.scale != 0 {
        // Scaled, it may leave binary64.
        return None;
    }
    if total && f.shape == Shape::Native(Ty::F32) {
        f = f.wide()?;
    } else if rule.source == Storage::F32 {
        f = f.in_single();
    }
    let mut raw = source(&mut f, rule.source)?;
    if total && rule.source == Storage::F64 && f.shape == Shape::Wide {
        raw.value = near(&mut f.code, raw.value);
    }
    f.conclude(&raw)
}

/// The operand of a conversion, in the compute type, its denormals treated as those of its own container.
fn source(f: &mut Float<'_>, from: Storage) -> Option<Raw> {
    let target = f.shape;
    let narrows = from == Storage::F64 && f.ty() == Ty::F32;
    if narrows {
        f.shape = Shape::Wide;
    }
    let v = f.load(0, from);
    let v = match from.format() {
        Format::Float(format) => f.read(v, format.min_exp()),
        Format::Fixed(_) => v,
    };
    f.shape = target;
    if narrows {
        let mode = f.mode();
        let v = f.code.narrow(mode, v);
        return Some(Raw { value: v, origin: Origin::Other, nans: vec![v] });
    }
    Some(f.value(v))
}

/// Float to a 32-bit integer.
pub(super) fn to_int(op: Op, rule: &Rule, total: bool) -> Option<Program> {
    let (direction, signed) = match op {
        Op::F2iTrunc => (Direction::Zero, true),
        Op::F2uTrunc => (Direction::Zero, false),
        Op::F2iFloor => (Direction::Down, true),
        Op::F2uFloor => (Direction::Down, false),
        Op::F2iCeil => (Direction::Up, true),
        Op::F2uCeil => (Direction::Up, false),
        Op::F2iRint => (Direction::Nearest, true),
        Op::F2uRint => (Direction::Nearest, false),
        _ => return None,
    };
    let types = params(op, rule);
    let plain = Rule { scale: 0, round: Round::NearestEven, ..*rule };
    let mut f = Float::new(&plain, &types, false, false)?;
    let operand = f.get(0);
    let largest = f.largest();
    let v = f.code.round(direction, operand);
    let v = if f.ty() == Ty::F32 { f.code.widen(v) } else { v };
    let (low, high) = if signed { (f64::from(i32::MIN), f64::from(i32::MAX)) } else { (0.0, f64::from(u32::MAX)) };
    let width = if signed { 31 } else { 32 };
    let precision = f.format.precision();
    let high = match rule.to_int {
        // The largest number of the operand's format in the range.
        ToInt::SaturateFloat if width > precision => high - (f64::from(1u32 << (width - precision)) - 1.0),
        _ => high,
    };
    let code = &mut f.code;
    let (low, high) = (code.number(Ty::F64, low), code.number(Ty::F64, high));
    let (above, below) = (code.op(Prim::Fle, &[low, v]), code.op(Prim::Fle, &[v, high]));
    let inside = code.and(above, below);
    let word = |code: &mut Code, v: Id| {
        if signed {
            return code.op(Prim::ToInt, &[v]);
        }
        // Half of the range down, and up again in integers.
        let middle = code.number(Ty::F64, 2_147_483_648.0);
        let v = code.fsub(Mode::PLAIN, v, middle);
        let (v, flip) = (code.op(Prim::ToInt, &[v]), code.int(i32::MIN));
        code.op(Prim::Xor, &[v, flip])
    };
    let result = match rule.to_int {
        ToInt::Saturate | ToInt::SaturateFloat => {
            let under = code.op(Prim::Flt, &[v, low]);
            let x = code.select(under, low, v);
            let over = code.op(Prim::Flt, &[high, x]);
            let x = code.select(over, high, x);
            let (x, zero) = (word(code, x), code.int(0));
            let unordered = code.op(Prim::Funo, &[v, v]);
            code.select(unordered, zero, x)
        }
        ToInt::Zero => {
            // The largest numbers of both signs give the least integer.
            let ty = code.ty(operand);
            let (size, largest) = (code.op(Prim::Fabs, &[operand]), code.number(ty, largest));
            let is_largest = code.op(Prim::Feq, &[size, largest]);
            let (x, zero, least) = (word(code, v), code.int(0), code.int(i32::MIN));
            let outside = code.select(is_largest, least, zero);
            code.select(inside, x, outside)
        }
        // The least integer is what the primitive gives.
        ToInt::AllOnes | ToInt::Indefinite if signed => word(code, v),
        ToInt::AllOnes => {
            let (x, ones) = (word(code, v), code.int(-1));
            code.select(inside, x, ones)
        }
        ToInt::Indefinite if total => {
            // The low word of 64 bits; 0 of what these do not hold.
            let (scale, turn) =
                (code.number(Ty::F64, crate::exact::power(-32)), code.number(Ty::F64, crate::exact::power(32)));
            let turns = code.fmul(Mode::PLAIN, v, scale);
            let turns = code.round(Direction::Down, turns);
            let whole = code.fmul(Mode::PLAIN, turns, turn);
            let rest = code.fsub(Mode::PLAIN, v, whole);
            let (least, end) =
                (code.number(Ty::F64, -crate::exact::power(63)), code.number(Ty::F64, crate::exact::power(63)));
            let (above, below) = (code.op(Prim::Fle, &[least, v]), code.op(Prim::Flt, &[v, end]));
            let held = code.and(above, below);
            let (x, zero) = (word(code, rest), code.int(0));
            code.select(held, x, zero)
        }
        ToInt::Indefinite => {
            let outside = code.not(inside);
            code.slow(outside);
            word(code, v)
        }
    };
    f.done(result)
}

/// A 32-bit integer to float.
pub(super) fn of_int(op: Op, rule: &Rule, observed: bool) -> Option<Program> {
    let mut f = Float::new(rule, &[Ty::I32], observed, false)?;
    let signed = match op {
        Op::I2f => true,
        Op::U2f => false,
        _ => return None,
    };
    if f.shape == Shape::Half {
        f = f.wide()?;
    }
    let code = &mut f.code;
    // Every 32-bit integer is a binary64 number.
    let exact = if signed {
        code.of_int(Ty::F64, Direction::Nearest, 0)
    } else {
        let flip = code.int(i32::MIN);
        let flipped = code.op(Prim::Xor, &[0, flip]);
        let v = code.of_int(Ty::F64, Direction::Nearest, flipped);
        let middle = code.number(Ty::F64, 2_147_483_648.0);
        code.fadd(Mode::PLAIN, v, middle)
    };
    let value = match (f.ty(), signed) {
        (Ty::F32, true) => {
            let direction = f.direction;
            f.code.of_int(Ty::F32, direction, 0)
        }
        (Ty::F32, false) => {
            let mode = f.mode();
            f.code.narrow(mode, exact)
        }
        _ => exact,
    };
    let raw = f.value(value);
    f.conclude(&raw)
}

/// Marks signalling NaN, whose bits a conversion of floats would change.
fn mark_signalling(code: &mut Code, v: Id) {
    let ty = code.ty(v);
    let (quiet, payload, sign) = quiet_bits(ty);
    let bit = quiet
        & !(payload | sign)
        & !match ty {
            Ty::F32 => 0x7f80_0000,
            _ => 0x7ff0_0000_0000_0000,
        };
    let is_nan = code.op(Prim::Funo, &[v, v]);
    let bits = code.bits(v);
    let (bit, zero) = (code.constant_of(ty.pattern(), bit), code.constant_of(ty.pattern(), 0));
    let masked = code.and(bits, bit);
    let clear = code.op(Prim::Eq, &[masked, zero]);
    let signalling = code.and(is_nan, clear);
    code.slow(signalling);
}

/// Marks signalling NaN among binary16 patterns.
fn mark_signalling_half(code: &mut Code, word: Id) {
    let (exponent, rest) = (code.int(0x7e00), code.int(0x1ff));
    let (top, low) = (code.and(word, exponent), code.and(word, rest));
    let (infinite, zero) = (code.int(0x7c00), code.int(0));
    let (is_top, is_zero) = (code.op(Prim::Eq, &[top, infinite]), code.op(Prim::Eq, &[low, zero]));
    let some = code.not(is_zero);
    let signalling = code.and(is_top, some);
    code.slow(signalling);
}

/// A word of one float container as one of another, bits in mind: rounded, denormals kept, overflow as in IEEE 754. `total`: with
/// the payloads of signalling NaN, whose lanes are slow otherwise.
fn moved(code: &mut Code, word: Id, from: Storage, to: Storage, round: Round, total: bool) -> Option<Id> {
    if !total {
        match from {
            Storage::F16 => mark_signalling_half(code, word),
            _ => mark_signalling(code, word),
        }
    }
    let direction = direction(round)?;
    let mode = Mode { direction, flush: false };
    let number = match (from, to) {
        (Storage::F16, Storage::F32) => code.of_half(word),
        (Storage::F16, Storage::F64) => {
            let v = code.of_half(word);
            code.widen(v)
        }
        (Storage::F32, Storage::F64) => code.widen(word),
        (Storage::F32, Storage::F16) => code.half_of(direction, word),
        (Storage::F64, Storage::F32) => code.narrow(mode, word),
        (Storage::F64, Storage::F16) => half_of_double(code, word, round)?,
        _ => return None,
    };
    Some(if total { with_payload(code, word, from, to, number) } else { number })
}

/// A converted number, or the NaN of another container with its sign and as much of its payload as there is room for.
fn with_payload(code: &mut Code, word: Id, from: Storage, to: Storage, number: Id) -> Id {
    let v = if from == Storage::F16 { code.of_half(word) } else { word };
    let is_nan = code.op(Prim::Funo, &[v, v]);
    // As a pattern of binary64.
    let bits = if from == Storage::F16 { word } else { code.bits(word) };
    let bits = if code.ty(bits) == Ty::I32 { code.op(Prim::Zext, &[bits]) } else { bits };
    let (width, fraction) = layout(from);
    let top = code.shift(Prim::Shl, bits, 64 - width);
    let (sign, least) = (code.long(1 << 63), code.long((1 << 52) - 1));
    let sign = code.and(top, sign);
    let payload = code.shift(Prim::Shl, bits, 52 - fraction);
    let payload = code.and(payload, least);
    let (width, fraction) = layout(to);
    let payload = code.shift(Prim::Shr, payload, 52 - fraction);
    let (none, quiet) = (code.long(0), code.long(1 << (fraction - 1)));
    let is_lost = code.op(Prim::Eq, &[payload, none]);
    let payload = code.select(is_lost, quiet, payload);
    let exponent = code.long(((1 << (width - 1 - fraction)) - 1) << fraction);
    let nan = code.or(payload, exponent);
    let sign = code.shift(Prim::Shr, sign, 64 - width);
    let nan = code.or(nan, sign);
    let nan = if to == Storage::F64 { nan } else { code.op(Prim::Low, &[nan]) };
    let nan = if to == Storage::F16 { nan } else { code.float_of(nan) };
    code.select(is_nan, nan, number)
}

/// Bits of a float container, and of its fraction.
const fn layout(storage: Storage) -> (i32, i32) {
    match storage {
        Storage::F16 => (16, 10),
        Storage::F64 => (64, 52),
        _ => (32, 23),
    }
}

/// A binary64 number that does not leave binary64 while it is rounded to a narrow format: far beyond the range of that the
/// direction decides about all of them alike.
fn near(code: &mut Code, v: Id) -> Id {
    let (size, infinity, far) = (
        code.op(Prim::Fabs, &[v]),
        code.number(Ty::F64, f64::INFINITY),
        code.number(Ty::F64, crate::exact::power(200)),
    );
    let (large, finite) = (code.op(Prim::Flt, &[far, size]), code.op(Prim::Flt, &[size, infinity]));
    let large = code.and(large, finite);
    let limit = code.copysign(far, v);
    code.select(large, limit, v)
}

/// Binary64 to a binary16 pattern, rounded once; a NaN keeps its sign and leading payload bits, quieted.
fn half_of_double(code: &mut Code, word: Id, round: Round) -> Option<Id> {
    let rule = Rule { round, ..Rule::ieee(Decl::F16, Format::F16) };
    let mut f = Float::new(&rule, &[], false, true)?;
    std::mem::swap(&mut f.code, code);
    let v = near(&mut f.code, word);
    let raw = f.value(v);
    let v = f.round(&raw);
    let half = f.put(v);
    std::mem::swap(&mut f.code, code);
    Some(half)
}

/// Moves of bits: signs and patterns.
/// `total`: signalling NaN keep their payloads.
pub(super) fn moves(op: Op, rule: &Rule, total: bool) -> Option<Program> {
    let mut code = Code::new(&params(op, rule));
    let result = match op {
        Op::Neg | Op::Abs => {
            let prim = if op == Op::Neg { Prim::Fneg } else { Prim::Fabs };
            match rule.storage {
                Storage::F32 | Storage::F64 => code.op(prim, &[0]),
                Storage::F16 if op == Op::Neg => {
                    let sign = code.int(0x8000);
                    code.op(Prim::Xor, &[0, sign])
                }
                Storage::F16 => {
                    let rest = code.int(0x7fff);
                    code.and(0, rest)
                }
                Storage::Fixed(f) => {
                    let (zero, most) = (code.int(0), code.int(fixed::highest(f) as i32));
                    let minus = code.op(Prim::Sub, &[zero, 0]);
                    let over = code.op(Prim::Lt, &[most, minus]);
                    let minus = code.select(over, most, minus);
                    // Beyond the range on the other side lies no negated number of the range.
                    let below = code.op(Prim::Lt, &[0, zero]);
                    if op == Op::Neg {
                        let out = code.op(Prim::Lt, &[most, 0]);
                        code.slow(out);
                        let least = code.int(i32::MIN);
                        let edge = code.op(Prim::Eq, &[0, least]);
                        code.slow(edge);
                        minus
                    } else {
                        let least = code.int(i32::MIN);
                        let edge = code.op(Prim::Eq, &[0, least]);
                        code.slow(edge);
                        let over = code.op(Prim::Lt, &[most, 0]);
                        let plus = code.select(over, most, 0);
                        code.select(below, minus, plus)
                    }
                }
            }
        }
        Op::BitsOf | Op::BitsOf64 => {
            let to = rule.decl.format().storage();
            let word = if to == rule.storage {
                0
            } else {
                let round = if rule.decl.format() == rule.format { Round::NearestEven } else { rule.round };
                moved(&mut code, 0, rule.storage, to, round, total)?
            };
            let word = if code.ty(word).is_float() { code.bits(word) } else { word };
            match (code.ty(word), op) {
                (Ty::I64, Op::BitsOf) => code.op(Prim::Low, &[word]),
                (Ty::I32, Op::BitsOf64) => code.op(Prim::Zext, &[word]),
                _ => word,
            }
        }
        Op::BitsTo | Op::BitsTo64 => {
            let from = rule.decl.format().storage();
            let word = match (container(from), op) {
                (Ty::F64, Op::BitsTo) => code.op(Prim::Zext, &[0]),
                (Ty::F32 | Ty::I32, Op::BitsTo64) => code.op(Prim::Low, &[0]),
                _ => 0,
            };
            let word = match from {
                Storage::F16 => {
                    let low = code.int(0xffff);
                    code.and(word, low)
                }
                Storage::F32 | Storage::F64 => code.float_of(word),
                Storage::Fixed(_) => word,
            };
            if from == rule.storage { word } else { moved(&mut code, word, from, rule.storage, rule.round, total)? }
        }
        _ => return None,
    };
    Some(code.finish(result))
}

/// Packs and unpacks.
/// `total`: without slow lanes for NaN that become infinities.
pub(super) fn pack(op: Op, rule: &Rule, observed: bool, total: bool) -> Option<Program> {
    match op {
        Op::UpHalf => {
            // As a conversion from binary16, whose denormals are those of the half.
            let types = params(op, rule);
            let mut f = Float::new(rule, &types, observed, false)?;
            let low = f.code.int(0xffff);
            let half = f.code.and(0, low);
            let v = f.load(half, Storage::F16);
            let v = f.read(v, -14);
            let raw = f.value(v);
            f.conclude(&raw)
        }
        Op::UpUnorm16 => unpack(op, rule, 16, 65535.0, 0),
        Op::UpUnorm8 => unpack(op, rule, 8, 255.0, 0),
        Op::UpBiased8 => unpack(op, rule, 8, 127.0, 128),
        Op::UpSnorm8 => unpack(op, rule, 8, 127.0, 0),
        Op::PackHalf2 => pack_half(rule, total),
        Op::PackUnorm2 => pack_integers(op, rule, 16, 65535.0, 0.0, [0.0, 65535.0]),
        Op::PackUnorm4 => pack_integers(op, rule, 8, 255.0, 0.0, [0.0, 255.0]),
        Op::PackBiased4 => pack_integers(op, rule, 8, 127.0, 128.0, [-128.0, 127.0]),
        Op::PackSnorm4 => pack_integers(op, rule, 8, 127.0, 0.0, [-127.0, 127.0]),
        _ => None,
    }
}

/// The lowest field of a word, divided by what stands for 1.
fn unpack(op: Op, rule: &Rule, bits: i32, one: f64, zero: i32) -> Option<Program> {
    let f = Float::new(rule, &[Ty::I32], false, false)?;
    // The quotient is inexact: the format is reached in one rounding from binary64, which loses nothing that 24 bits see.
    let mut f = f.wide()?;
    let code = &mut f.code;
    let raw = if op == Op::UpSnorm8 {
        let up = code.shift(Prim::Shl, 0, 32 - bits);
        let field = code.shift(Prim::Sar, up, 32 - bits);
        let least = code.int(-127);
        let below = code.op(Prim::Lt, &[field, least]);
        code.select(below, least, field)
    } else {
        let mask = code.int((1 << bits) - 1);
        let field = code.and(0, mask);
        let offset = code.int(zero);
        code.op(Prim::Sub, &[field, offset])
    };
    let (v, one) = (code.of_int(Ty::F64, Direction::Nearest, raw), code.number(Ty::F64, one));
    let value = code.fdiv(Mode::PLAIN, v, one);
    let raw = Raw { origin: Origin::Other, ..f.value(value) };
    f.conclude(&raw)
}

/// Whether a value of the rule's container is packed as it is.
fn declares(rule: &Rule) -> bool {
    let decl = rule.decl.format();
    decl == rule.format || matches!((decl, rule.storage.format()), (Format::Float(d), Format::Float(s)) if s.fits(d))
}

/// Two values as halves.
fn pack_half(rule: &Rule, total: bool) -> Option<Program> {
    let inner = Rule { scale: 0, round: Round::NearestEven, ..*rule };
    let mut f = Float::new(&inner, &params(Op::PackHalf2, rule), true, false)?;
    let mut halves = [0; 2];
    for (n, half) in halves.iter_mut().enumerate() {
        let v = f.get(n as Id);
        let v = declared(&mut f, rule, v)?;
        *half = half_of(&mut f.code, rule, v, total)?;
    }
    let high = f.code.shift(Prim::Shl, halves[1], 16);
    let word = f.code.or(halves[0], high);
    f.done(word)
}

/// A value of the compute type rounded to the declared format, where that has fewer numbers than the container.
fn declared(f: &mut Float<'_>, rule: &Rule, v: Id) -> Option<Id> {
    if declares(rule) {
        return Some(v);
    }
    let (Format::Float(_), Some(direction)) = (rule.decl.format(), direction(rule.round)) else { return None };
    let ty = f.ty();
    let code = &mut f.code;
    let wide = if ty == Ty::F32 { code.widen(v) } else { v };
    match rule.decl.format().storage() {
        Storage::F64 => Some(wide),
        Storage::F32 => Some(code.narrow(Mode { direction, flush: false }, wide)),
        Storage::F16 => {
            let half = half_of_double(code, wide, rule.round)?;
            Some(code.of_half(half))
        }
        Storage::Fixed(_) => None,
    }
}

/// A binary32 or binary64 value as a half, by the rule's direction, overflow, flushing and NaN.
fn half_of(code: &mut Code, rule: &Rule, v: Id, total: bool) -> Option<Id> {
    let (away, round) = if rule.round == Round::Away { (true, Round::Up) } else { (false, rule.round) };
    let ty = code.ty(v);
    let v = match rule.nan_result {
        NanResult::Infinity if total => {
            let (is_nan, infinity) = (code.op(Prim::Funo, &[v, v]), code.number(ty, f64::INFINITY));
            let infinity = code.copysign(infinity, v);
            code.select(is_nan, infinity, v)
        }
        NanResult::Infinity => {
            code.slow_nan(v);
            v
        }
        _ => v,
    };
    let v = if rule.nan_result == NanResult::Default {
        code.first(super::float::default_nan(rule.nan_bits, ty), &[v])
    } else {
        v
    };
    let plain = rule.denorm_out == Denormals::Keep
        && (rule.overflow == Overflow::Ieee || rule.overflow == Overflow::Infinity && round == Round::NearestEven);
    if plain && !away && ty == Ty::F32 {
        return Some(code.half_of(direction(round)?, v));
    }
    let half = Rule {
        round,
        denorm_out: rule.denorm_out,
        tininess: rule.tininess,
        overflow: rule.overflow,
        ..Rule::ieee(Decl::F16, Format::F16)
    };
    let mut f = Float::new(&half, &[], false, true)?;
    std::mem::swap(&mut f.code, code);
    let v = if ty == Ty::F32 { f.code.widen(v) } else { near(&mut f.code, v) };
    let size = if away { f.code.op(Prim::Fabs, &[v]) } else { v };
    let raw = f.value(size);
    let mut rounded = f.round(&raw);
    if away {
        let signed = f.code.copysign(rounded, v);
        rounded = if rule.denorm_out == Denormals::FlushPositive {
            // What was flushed is a zero above zero.
            let (is_zero, was_zero) = (f.is_zero(rounded), f.is_zero(v));
            let was_not = f.code.not(was_zero);
            let flushed = f.code.and(is_zero, was_not);
            let zero = f.number(0.0);
            f.code.select(flushed, zero, signed)
        } else {
            signed
        };
    }
    let word = f.put(rounded);
    std::mem::swap(&mut f.code, code);
    Some(word)
}

/// one * clamp(value) + zero, rounded to an integer, for each operand.
fn pack_integers(op: Op, rule: &Rule, bits: i32, one: f64, zero: f64, range: [f64; 2]) -> Option<Program> {
    if !declares(rule) || matches!(rule.storage, Storage::F64 | Storage::Fixed(_)) {
        return None;
    }
    let direction = direction(rule.pack_round)?;
    let types = params(op, rule);
    let inner = Rule { scale: 0, round: Round::NearestEven, ..*rule };
    let f = Float::new(&inner, &types, false, false)?;
    let mut f = f.wide()?;
    let mut word = None;
    for n in 0..types.len() as Id {
        let v = f.get(n);
        let unordered = f.code.op(Prim::Funo, &[v, v]);
        if rule.nan_compare == NanCompare::Infinity {
            f.code.slow(unordered);
        }
        let code = &mut f.code;
        let (one, zero) = (code.number(Ty::F64, one), code.number(Ty::F64, zero));
        let [low, high] = range.map(|end| code.number(Ty::F64, end));
        // 24 bits by 16 are exact; so is the sum to the last bit that rounding looks at.
        let scaled = code.fmul(Mode::PLAIN, v, one);
        let under = code.op(Prim::Flt, &[scaled, low]);
        let x = code.select(under, low, scaled);
        let over = code.op(Prim::Flt, &[high, x]);
        let x = code.select(over, high, x);
        let nothing = code.number(Ty::F64, 0.0);
        let x = code.select(unordered, nothing, x);
        let x = code.op(Prim::FaddOdd, &[x, zero]);
        let x = code.round(direction, x);
        let field = code.op(Prim::ToInt, &[x]);
        let mask = code.int((1i64 << bits).wrapping_sub(1) as i32);
        let field = code.and(field, mask);
        let field = code.shift(Prim::Shl, field, bits * n as i32);
        word = Some(match word {
            None => field,
            Some(word) => code.or(word, field),
        });
    }
    f.done(word?)
}
