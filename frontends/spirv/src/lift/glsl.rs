//! `GLSL.std.450`.
//!
//! Functions without an operation of the IR become formulas, each step of which is an operation under the model's rules. Where
//! drivers agree on the formula, it stands here: that of the Vulkan specification (appendix "Precision of Individual Operations"),
//! which is Mesa's too. Where they differ, the function stays one for the model's library ([`LibraryFn`]).

use super::value::{Root, Scalars, Value, Values};
use super::{Ctx, Lift};
use crate::module::Instruction;
use crate::types::{Scalar, Ty};
use parallax_core::{AttrSemantic, LibraryFn, OpKind, Type, ValueId};
use parallax_lift::Deferred;
use parallax_num::{Decl, Op};
use rspirv::spirv::GlslStd450Op as Glsl;
use smallvec::SmallVec;
use std::f64::consts::{LN_2, LOG2_E, PI};

/// One float function being expanded: where its operations belong, and their format.
#[derive(Copy, Clone)]
struct Formula {
    /// The id of its result, whose decorations count for each step.
    id: u32,
    decl: Decl,
}

impl Ctx<'_, '_> {
    /// `OpExtInst`.
    pub(super) fn extended_instruction(&mut self, instruction: &Instruction, words: &[u32]) -> Lift<Option<Value>> {
        let set = self.tables.debug.set(words[0]).unwrap_or_default();
        if set.starts_with("NonSemantic.") || set.starts_with("OpenCL.DebugInfo") {
            return Ok(None);
        }
        if set != "GLSL.std.450" {
            let message = format!("instructions of the set `{set}`");
            return self.unsupported("spirv-set-unsupported", message);
        }
        let Some(op) = Glsl::from_u32(words[1]) else {
            return self.invalid(format!("GLSL.std.450 has no instruction {}", words[1]));
        };
        let row = rspirv::grammar::GLSL_STD_450_INSTRUCTION_TABLE.lookup_opcode(words[1]);
        let wanted = row.map_or(0, |row| row.operands.len());
        let args = &words[2..];
        if args.len() != wanted {
            return self.invalid(format!("{op:?} has {} operands instead of {wanted}", args.len()));
        }
        self.glsl(op, instruction, args).map(Some)
    }

    fn glsl(&mut self, op: Glsl, instruction: &Instruction, args: &[u32]) -> Lift<Value> {
        if let Some(value) = self.glsl_vector(op, instruction, args)? {
            return Ok(value);
        }
        let scalar = self.scalar_of(args[0])?;
        let count = self.tables.types.components(instruction.ty);
        let mut operands: SmallVec<[Values; 3]> = SmallVec::new();
        for &id in args {
            let (other, values) = self.typed_components(id)?;
            if values.len() != count {
                return self.invalid(format!("%{id} has {} components instead of {count}", values.len()));
            }
            if other.ir() != scalar.ir() || other.bits() != scalar.bits() {
                return self.invalid(format!("%{id} is {other}, %{} is {scalar}", args[0]));
            }
            operands.push(values);
        }
        let mut out = Values::new();
        for n in 0..count {
            let args: Values = operands.iter().map(|values| values[n]).collect();
            out.push(self.glsl_scalar(op, instruction.id, scalar, &args)?);
        }
        self.scalars_for(instruction.ty, out)
    }

    /// One component of a function that treats each by itself.
    fn glsl_scalar(&mut self, op: Glsl, id: u32, scalar: Scalar, args: &[ValueId]) -> Lift<ValueId> {
        let integer = match op {
            Glsl::SAbs => Some(Op::Iabs),
            Glsl::SSign => Some(Op::Isign),
            Glsl::UMin => Some(Op::Umin),
            Glsl::SMin => Some(Op::Imin),
            Glsl::UMax => Some(Op::Umax),
            Glsl::SMax => Some(Op::Imax),
            _ => None,
        };
        if let Some(op) = integer {
            return self.integer(op, scalar, args);
        }
        match op {
            Glsl::UClamp | Glsl::SClamp => {
                let (max, min) = if op == Glsl::UClamp { (Op::Umax, Op::Umin) } else { (Op::Imax, Op::Imin) };
                let low = self.integer(max, scalar, &args[..2])?;
                return self.integer(min, scalar, &[low, args[2]]);
            }
            Glsl::FindILsb | Glsl::FindSMsb | Glsl::FindUMsb => {
                if scalar.bits() > 32 {
                    return self.unsupported("spirv-int64-unsupported", format!("{op:?} of 64 bits"));
                }
                let arg = if op == Glsl::FindSMsb { self.sign_extended(args[0], scalar.bits()) } else { args[0] };
                let op = match op {
                    Glsl::FindILsb => Op::Lsb,
                    Glsl::FindSMsb => Op::Imsb,
                    _ => Op::Umsb,
                };
                return Ok(self.l.b.int(op, &[arg]));
            }
            _ => {}
        }
        let f = Formula { id, decl: self.decl(scalar)? };
        let direct = match op {
            // Either neighbour may be taken in the middle.
            Glsl::Round | Glsl::RoundEven => Op::Rint,
            Glsl::Trunc => Op::Trunc,
            Glsl::FAbs => Op::Abs,
            Glsl::FSign => Op::Sign,
            Glsl::Floor => Op::Floor,
            Glsl::Ceil => Op::Ceil,
            Glsl::Fract => Op::Frac,
            Glsl::Sin => Op::Sin,
            Glsl::Cos => Op::Cos,
            Glsl::Pow => Op::Pow,
            Glsl::Exp2 => Op::Exp2,
            Glsl::Log2 => Op::Log2,
            Glsl::Sqrt => Op::Sqrt,
            Glsl::InverseSqrt => Op::Rsq,
            Glsl::FMin | Glsl::NMin => Op::Min,
            Glsl::FMax | Glsl::NMax => Op::Max,
            _ => return self.formula(op, f, args),
        };
        Ok(self.float(id, direct, f.decl, args))
    }

    // ---- formulas ----

    fn formula(&mut self, op: Glsl, f: Formula, args: &[ValueId]) -> Lift<ValueId> {
        let function = match op {
            Glsl::Asin => Some(LibraryFn::Asin),
            Glsl::Acos => Some(LibraryFn::Acos),
            Glsl::Atan => Some(LibraryFn::Atan),
            Glsl::Atan2 => Some(LibraryFn::Atan2),
            Glsl::Tanh => Some(LibraryFn::Tanh),
            Glsl::Asinh => Some(LibraryFn::Asinh),
            Glsl::Acosh => Some(LibraryFn::Acosh),
            Glsl::SmoothStep => Some(LibraryFn::SmoothStep),
            _ => None,
        };
        if let Some(function) = function {
            return Ok(self.library(f, function, args));
        }
        let x = args[0];
        Ok(match op {
            Glsl::Radians => self.times(f, x, PI / 180.0),
            Glsl::Degrees => self.times(f, x, 180.0 / PI),
            Glsl::Exp => self.exp(f, x),
            Glsl::Log => self.log(f, x),
            Glsl::Tan => {
                let (sin, cos) = (self.of(f, Op::Sin, &[x]), self.of(f, Op::Cos, &[x]));
                self.of(f, Op::Div, &[sin, cos])
            }
            Glsl::Sinh | Glsl::Cosh => {
                let negative = self.of(f, Op::Neg, &[x]);
                let (up, down) = (self.exp(f, x), self.exp(f, negative));
                let op = if op == Glsl::Sinh { Op::Sub } else { Op::Add };
                let sum = self.of(f, op, &[up, down]);
                self.times(f, sum, 0.5)
            }
            Glsl::Atanh => {
                let one = self.number(f.decl, 1.0);
                let (upper, lower) = (self.of(f, Op::Add, &[one, x]), self.of(f, Op::Sub, &[one, x]));
                let ratio = self.of(f, Op::Div, &[upper, lower]);
                let log = self.log(f, ratio);
                self.times(f, log, 0.5)
            }
            Glsl::FClamp | Glsl::NClamp => {
                let low = self.of(f, Op::Max, &[x, args[1]]);
                self.of(f, Op::Min, &[low, args[2]])
            }
            // A product and a sum, fused where the model's multiply-add is; NoContraction forbids only to fuse two instructions.
            Glsl::Fma => {
                let slot = self.slot_of(f.id, f.decl, false);
                self.l.b.num(Op::Mad, slot, args)
            }
            // lrp blends its second and third operand by its first.
            Glsl::FMix => self.of(f, Op::Lrp, &[args[2], args[1], x]),
            Glsl::Step => {
                let (zero, one) = (self.number(f.decl, 0.0), self.number(f.decl, 1.0));
                let is_below = self.of(f, Op::FLt, &[args[1], x]);
                self.l.b.select(is_below, zero, one)
            }
            other => return self.unsupported("spirv-glsl-unsupported", format!("{other:?} of GLSL.std.450")),
        })
    }

    fn of(&mut self, f: Formula, op: Op, args: &[ValueId]) -> ValueId {
        self.float(f.id, op, f.decl, args)
    }

    /// What becomes a formula of the model's library.
    fn library(&mut self, f: Formula, function: LibraryFn, args: &[ValueId]) -> ValueId {
        self.under_slot(f.id, f.decl, args, |b, slot, args| b.value(OpKind::Library(function), Some(slot), args))
    }

    fn times(&mut self, f: Formula, x: ValueId, factor: f64) -> ValueId {
        let factor = self.number(f.decl, factor);
        self.of(f, Op::Mul, &[x, factor])
    }

    fn exp(&mut self, f: Formula, x: ValueId) -> ValueId {
        let scaled = self.times(f, x, LOG2_E);
        self.of(f, Op::Exp2, &[scaled])
    }

    fn log(&mut self, f: Formula, x: ValueId) -> ValueId {
        let log = self.of(f, Op::Log2, &[x]);
        self.times(f, log, LN_2)
    }

    /// The word of a pattern that sign and exponent stand in.
    fn high_word(&mut self, f: Formula, x: ValueId) -> ValueId {
        let words = self.words_of(Scalar::Float(f.decl), x);
        words[words.len() - 1]
    }

    /// The float with this word of sign and exponent, and the other words of `rest`.
    fn with_high_word(&mut self, f: Formula, high: ValueId, rest: Option<ValueId>) -> ValueId {
        let low = match (f.decl, rest) {
            (Decl::F64, Some(rest)) => Some(self.words_of(Scalar::Float(f.decl), rest)[0]),
            (Decl::F64, None) => Some(self.l.b.i32(0)),
            _ => None,
        };
        let words: SmallVec<[ValueId; 2]> = low.into_iter().chain([high]).collect();
        self.of_words(Scalar::Float(f.decl), &words)
    }

    /// `x` with the sign of `sign`.
    fn with_sign(&mut self, f: Formula, x: ValueId, sign: ValueId) -> ValueId {
        let size = self.of(f, Op::Abs, &[x]);
        let negative = self.of(f, Op::Neg, &[size]);
        let high = self.high_word(f, sign);
        let bit = self.l.b.i32(1 << ((f.decl.format().bits() - 1) % 32));
        let bit = self.l.b.int(Op::Iand, &[high, bit]);
        let zero = self.l.b.i32(0);
        let is_negative = self.l.b.int(Op::Ine, &[bit, zero]);
        self.l.b.select(is_negative, negative, size)
    }

    // ---- functions of whole vectors ----

    fn glsl_vector(&mut self, op: Glsl, instruction: &Instruction, args: &[u32]) -> Lift<Option<Value>> {
        let id = instruction.id;
        let out = match op {
            Glsl::PackSnorm4x8
            | Glsl::PackUnorm4x8
            | Glsl::PackSnorm2x16
            | Glsl::PackUnorm2x16
            | Glsl::PackHalf2x16
            | Glsl::UnpackSnorm2x16
            | Glsl::UnpackUnorm2x16
            | Glsl::UnpackHalf2x16
            | Glsl::UnpackSnorm4x8
            | Glsl::UnpackUnorm4x8 => self.packing(op, id, args[0])?,
            Glsl::PackDouble2x32 => {
                let words = self.same_length(args[0], 2)?;
                vec![self.of_words(Scalar::Float(Decl::F64), &words)]
            }
            Glsl::UnpackDouble2x32 => {
                let value = self.single(args[0])?;
                match self.scalar_of(args[0])? {
                    scalar @ Scalar::Float(Decl::F64) => self.words_of(scalar, value),
                    scalar => return self.invalid(format!("%{} is {scalar}, not a float of 64 bits", args[0])),
                }
            }
            Glsl::InterpolateAtCentroid | Glsl::InterpolateAtSample | Glsl::InterpolateAtOffset => {
                return self.interpolate(op, args).map(Some);
            }
            Glsl::Modf | Glsl::ModfStruct | Glsl::Frexp | Glsl::FrexpStruct => {
                return self.parts(op, instruction, args).map(Some);
            }
            Glsl::Ldexp => {
                let decl = self.float_decl(args[0])?;
                let (values, count) = (self.forced(args[0])?, self.tables.types.components(instruction.ty));
                let exponent = self.scalar_of(args[1])?;
                let exponents = self.forced(args[1])?;
                if values.len() != count || exponents.len() != count {
                    return self.invalid("the operands differ in length");
                }
                let word = Scalar::Int { bits: 32, signed: true };
                let f = Formula { id, decl };
                let mut out = Vec::new();
                for (&value, &power) in values.iter().zip(&exponents) {
                    // What is cut off must not count, and is far beyond every format.
                    let power = match exponent.bits() {
                        64 => {
                            let (low, high) = (self.l.b.i64((-1i64 << 30) as u64), self.l.b.i64(1 << 30));
                            let power = self.integer(Op::Imax, exponent, &[power, low])?;
                            self.integer(Op::Imin, exponent, &[power, high])?
                        }
                        _ => power,
                    };
                    let power = self.integer_to(exponent, word, true, power);
                    out.push(self.ldexp(f, value, power));
                }
                out
            }
            Glsl::Length | Glsl::Distance | Glsl::Normalize => {
                let f = Formula { id, decl: self.float_decl(args[0])? };
                let mut v = self.forced(args[0])?;
                if op == Glsl::Distance {
                    let other = self.same_length(args[1], v.len())?;
                    v = v.iter().zip(other).map(|(&a, b)| self.of(f, Op::Sub, &[a, b])).collect();
                }
                let square = self.dot(id, f.decl, &v, &v);
                match op {
                    Glsl::Normalize => {
                        v.iter().map(|&part| self.library(f, LibraryFn::Normalize, &[part, square])).collect()
                    }
                    _ => vec![self.of(f, Op::Sqrt, &[square])],
                }
            }
            Glsl::Cross => {
                let f = Formula { id, decl: self.float_decl(args[0])? };
                let (a, b) = (self.same_length(args[0], 3)?, self.same_length(args[1], 3)?);
                [(1, 2), (2, 0), (0, 1)]
                    .map(|(i, j)| self.library(f, LibraryFn::Cross, &[a[i], b[j], a[j], b[i]]))
                    .into()
            }
            Glsl::FaceForward => {
                let f = Formula { id, decl: self.float_decl(args[0])? };
                let n = self.forced(args[0])?;
                let (i, reference) = (self.same_length(args[1], n.len())?, self.same_length(args[2], n.len())?);
                let zero = self.number(f.decl, 0.0);
                let dot = self.dot(id, f.decl, &reference, &i);
                let is_front = self.of(f, Op::FLt, &[dot, zero]);
                let mut out = Vec::new();
                for &part in &n {
                    let negative = self.of(f, Op::Neg, &[part]);
                    out.push(self.l.b.select(is_front, part, negative));
                }
                out
            }
            Glsl::Reflect => {
                let f = Formula { id, decl: self.float_decl(args[0])? };
                let i = self.forced(args[0])?;
                let n = self.same_length(args[1], i.len())?;
                let dot = self.dot(id, f.decl, &i, &n);
                i.iter().zip(&n).map(|(&i, &n)| self.library(f, LibraryFn::Reflect, &[i, n, dot])).collect()
            }
            Glsl::Refract => {
                let f = Formula { id, decl: self.float_decl(args[0])? };
                let i = self.forced(args[0])?;
                let n = self.same_length(args[1], i.len())?;
                let eta = self.single(args[2])?;
                let eta = match self.l.b.func.ty(eta) {
                    Type::Float(decl) if decl != f.decl => self.float_to(id, f.decl, eta),
                    _ => eta,
                };
                let dot = self.dot(id, f.decl, &n, &i);
                i.iter().zip(&n).map(|(&i, &n)| self.library(f, LibraryFn::Refract, &[i, n, eta, dot])).collect()
            }
            Glsl::Determinant | Glsl::MatrixInverse => self.matrix(op, id, args[0])?,
            _ => return Ok(None),
        };
        self.scalars_for(instruction.ty, out).map(Some)
    }

    fn float_decl(&self, id: u32) -> Lift<Decl> {
        let scalar = self.scalar_of(id)?;
        self.decl(scalar)
    }

    fn same_length(&mut self, id: u32, length: usize) -> Lift<Vec<ValueId>> {
        let values = self.forced(id)?;
        match values.len() == length {
            true => Ok(values),
            false => self.invalid(format!("%{id} has {} components instead of {length}", values.len())),
        }
    }

    /// The determinant, or the adjugate by the reciprocal determinant.
    fn matrix(&mut self, op: Glsl, id: u32, arg: u32) -> Lift<Vec<ValueId>> {
        let f = Formula { id, decl: self.float_decl(arg)? };
        let ty = self.type_of(arg)?;
        let size = match self.tables.types.get(ty) {
            Some(Ty::Matrix { column, count }) if self.tables.types.components(*column) == *count as usize => {
                *count as usize
            }
            _ => return self.invalid("the operand is not a square matrix"),
        };
        let m = self.forced(arg)?;
        let columns: Vec<Vec<ValueId>> = m.chunks(size).map(<[ValueId]>::to_vec).collect();
        let determinant = self.determinant(f, &columns);
        if op == Glsl::Determinant {
            return Ok(vec![determinant]);
        }
        let inverse = self.of(f, Op::Rcp, &[determinant]);
        let mut out = Vec::new();
        for column in 0..size {
            for row in 0..size {
                // The cofactor of the transposed place.
                let value = self.determinant(f, &minor(&columns, row, column));
                let value = if (row + column) % 2 == 1 { self.of(f, Op::Neg, &[value]) } else { value };
                out.push(self.of(f, Op::Mul, &[value, inverse]));
            }
        }
        Ok(out)
    }

    /// By the cofactors of the first column: of 3 from the first on, of 4 the sum of two differences.
    fn determinant(&mut self, f: Formula, columns: &[Vec<ValueId>]) -> ValueId {
        let first = &columns[0];
        match columns {
            [_] => first[0],
            [_, second] => {
                let (a, b) = (self.of(f, Op::Mul, &[first[0], second[1]]), self.of(f, Op::Mul, &[first[1], second[0]]));
                self.of(f, Op::Sub, &[a, b])
            }
            [_, second, third] => {
                let terms = [0, 1, 2].map(|n| {
                    let (next, last) = ((n + 1) % 3, (n + 2) % 3);
                    let up = self.of(f, Op::Mul, &[second[next], third[last]]);
                    let down = self.of(f, Op::Mul, &[second[last], third[next]]);
                    let cofactor = self.of(f, Op::Sub, &[up, down]);
                    self.of(f, Op::Mul, &[first[n], cofactor])
                });
                let sum = self.of(f, Op::Add, &terms[..2]);
                self.of(f, Op::Add, &[sum, terms[2]])
            }
            _ => {
                let products = [0, 1, 2, 3].map(|row| {
                    let value = self.determinant(f, &minor(columns, 0, row));
                    self.of(f, Op::Mul, &[first[row], value])
                });
                let upper = self.of(f, Op::Sub, &products[..2]);
                let lower = self.of(f, Op::Sub, &products[2..]);
                self.of(f, Op::Add, &[upper, lower])
            }
        }
    }

    fn packing(&mut self, op: Glsl, id: u32, arg: u32) -> Lift<Vec<ValueId>> {
        let values = self.forced(arg)?;
        let slot = self.slot(id, Decl::F32);
        let byte = |n: u32| n * 8;
        Ok(match op {
            Glsl::PackSnorm4x8 => vec![self.pack(id, &self.exactly::<4>(&values)?, -1.0, 127.0)],
            Glsl::PackUnorm4x8 => vec![self.pack(id, &self.exactly::<4>(&values)?, 0.0, 255.0)],
            Glsl::PackSnorm2x16 => vec![self.pack(id, &self.exactly::<2>(&values)?, -1.0, 32767.0)],
            Glsl::PackUnorm2x16 => vec![self.pack(id, &self.exactly::<2>(&values)?, 0.0, 65535.0)],
            Glsl::PackHalf2x16 => vec![self.l.b.num(Op::PackHalf2, slot, &self.exactly::<2>(&values)?)],
            // max(v / 32767, -1).
            Glsl::UnpackSnorm2x16 => {
                let f = Formula { id, decl: Decl::F32 };
                let mut out = Vec::new();
                for n in 0..2 {
                    let (from, width) = (self.l.b.i32(16 * n), self.l.b.i32(16));
                    let word = self.l.b.int(Op::Ibfe, &[values[0], from, width]);
                    let value = self.l.b.num(Op::I2f, slot, &[word]);
                    let divisor = self.number(f.decl, 32767.0);
                    let value = self.of(f, Op::Div, &[value, divisor]);
                    let low = self.number(f.decl, -1.0);
                    out.push(self.of(f, Op::Max, &[value, low]));
                }
                out
            }
            _ => {
                let (op, count, step) = match op {
                    Glsl::UnpackUnorm2x16 => (Op::UpUnorm16, 2, byte(2)),
                    Glsl::UnpackHalf2x16 => (Op::UpHalf, 2, byte(2)),
                    Glsl::UnpackSnorm4x8 => (Op::UpSnorm8, 4, byte(1)),
                    _ => (Op::UpUnorm8, 4, byte(1)),
                };
                (0..count)
                    .map(|n| {
                        let by = self.l.b.i32(n * step);
                        let word = self.l.b.int(Op::Ushr, &[values[0], by]);
                        self.l.b.num(op, slot, &[word])
                    })
                    .collect()
            }
        })
    }

    /// `round(clamp(v, low, 1) * factor)` of each value, side by side in a word.
    fn pack(&mut self, id: u32, values: &[ValueId], low: f64, factor: f64) -> ValueId {
        let f = Formula { id, decl: Decl::F32 };
        let (slot, bits) = (self.slot(id, f.decl), 32 / values.len() as u32);
        let mut parts = Vec::new();
        for &value in values {
            let (low, high) = (self.number(f.decl, low), self.number(f.decl, 1.0));
            let value = self.of(f, Op::Max, &[value, low]);
            let value = self.of(f, Op::Min, &[value, high]);
            let scaled = self.times(f, value, factor);
            let word = self.l.b.num(Op::F2iRint, slot, &[scaled]);
            parts.push(self.low_bits(word, bits));
        }
        self.join(&parts, bits)
    }

    fn exactly<const N: usize>(&self, values: &[ValueId]) -> Lift<[ValueId; N]> {
        match values.try_into() {
            Ok(values) => Ok(values),
            Err(_) => self.invalid(format!("{} components instead of {N}", values.len())),
        }
    }

    /// `value * 2^power` by two factors, so that neither leaves the range of the format.
    fn ldexp(&mut self, f: Formula, value: ValueId, power: ValueId) -> ValueId {
        // The shift is that in the word of the exponent.
        let (low, high, bias, shift) = match f.decl {
            // Factors below the normal halves are zero: few halves would be left of a product with them.
            Decl::F16 => (-30, 30, 15, 10),
            Decl::F64 => (-2044, 2046, 1023, 20),
            _ => (-252i32, 254, 127, 23),
        };
        let (low, high) = (self.l.b.i32(low as u32), self.l.b.i32(high));
        let power = self.l.b.int(Op::Imax, &[power, low]);
        let power = self.l.b.int(Op::Imin, &[power, high]);
        let one = self.l.b.i32(1);
        let first = self.l.b.int(Op::Ishr, &[power, one]);
        let second = self.l.b.int(Op::Isub, &[power, first]);
        let mut result = value;
        for part in [first, second] {
            let (bias, by) = (self.l.b.i32(bias), self.l.b.i32(shift));
            let exponent = self.l.b.int(Op::Iadd, &[part, bias]);
            let bits = self.l.b.int(Op::Shl, &[exponent, by]);
            let factor = self.with_high_word(f, bits, None);
            result = self.of(f, Op::Mul, &[result, factor]);
        }
        result
    }

    /// `modf` and `frexp`, with a pointer or a structure for the second result.
    fn parts(&mut self, op: Glsl, instruction: &Instruction, args: &[u32]) -> Lift<Value> {
        let f = Formula { id: instruction.id, decl: self.float_decl(args[0])? };
        let values = self.forced(args[0])?;
        let (mut first, mut second): (Vec<ValueId>, Vec<ValueId>) = (Vec::new(), Vec::new());
        for &x in &values {
            match op {
                Glsl::Modf | Glsl::ModfStruct => {
                    let whole = self.of(f, Op::Trunc, &[x]);
                    let rest = self.of(f, Op::Sub, &[x, whole]);
                    let infinity = self.number(f.decl, f64::INFINITY);
                    let size = self.of(f, Op::Abs, &[x]);
                    let is_infinite = self.of(f, Op::FEq, &[size, infinity]);
                    let zero = self.number(f.decl, 0.0);
                    let rest = self.l.b.select(is_infinite, zero, rest);
                    first.push(self.with_sign(f, rest, x));
                    second.push(whole);
                }
                _ => {
                    let (mantissa, exponent) = self.frexp(f, x);
                    first.push(mantissa);
                    second.push(exponent);
                }
            }
        }
        if matches!(op, Glsl::ModfStruct | Glsl::FrexpStruct) {
            first.extend(second);
            return self.scalars_for(instruction.ty, first);
        }
        let pointer = self.pointer(args[1])?;
        let scalar = self.scalar_type(pointer.ty)?;
        let second: Scalars = second
            .into_iter()
            .map(|value| match (self.l.b.func.ty(value), scalar) {
                (Type::I32, Scalar::Int { .. }) => {
                    Deferred::from(self.integer_to(Scalar::Int { bits: 32, signed: true }, scalar, true, value))
                }
                _ => value.into(),
            })
            .collect();
        self.store(&pointer, &second)?;
        self.scalars_for(instruction.ty, first)
    }

    /// The significand in [0.5, 1) and the exponent, by bits; zeros, infinities and NaN have the exponent 0.
    fn frexp(&mut self, f: Formula, x: ValueId) -> (ValueId, ValueId) {
        // The shift is that in the word of the exponent.
        let (bits, shift, bias, scale) = match f.decl {
            Decl::F16 => (5, 10, 14, 11),
            Decl::F64 => (11, 20, 1022, 53),
            _ => (8, 23, 126, 24),
        };
        let (zero, infinity) = (self.number(f.decl, 0.0), self.number(f.decl, f64::INFINITY));
        let size = self.of(f, Op::Abs, &[x]);
        let is_finite = self.of(f, Op::FLt, &[size, infinity]);
        let is_nonzero = self.of(f, Op::FNe, &[size, zero]);
        let has_exponent = self.l.b.int(Op::Pand, &[is_finite, is_nonzero]);
        let smallest = self.l.b.i32(1 << shift);
        let smallest = self.with_high_word(f, smallest, None);
        let is_denormal = self.of(f, Op::FLt, &[size, smallest]);
        let raised = self.times(f, x, (1u64 << scale) as f64);
        let normal = self.l.b.select(is_denormal, raised, x);
        let pattern = self.high_word(f, normal);
        let (from, width) = (self.l.b.i32(shift), self.l.b.i32(bits));
        let biased = self.l.b.int(Op::Ubfe, &[pattern, from, width]);
        let bias_literal = self.l.b.i32(bias);
        let exponent = self.l.b.int(Op::Isub, &[biased, bias_literal]);
        let scale = self.l.b.i32(scale);
        let lowered = self.l.b.int(Op::Isub, &[exponent, scale]);
        let exponent = self.l.b.select(is_denormal, lowered, exponent);
        let none = self.l.b.i32(0);
        let exponent = self.l.b.select(has_exponent, exponent, none);
        let half = self.l.b.int(Op::Bfi, &[pattern, bias_literal, from, width]);
        let mantissa = self.with_high_word(f, half, Some(normal));
        (self.l.b.select(has_exponent, mantissa, x), exponent)
    }

    /// An input away from where it is declared to be interpolated.
    fn interpolate(&mut self, op: Glsl, args: &[u32]) -> Lift<Value> {
        let pointer = self.pointer(args[0])?;
        let Value::Scalars(scalars) = self.load(&pointer)? else { return self.invalid("the place holds no numbers") };
        let inputs = match pointer.root {
            Root::Object(object) => self.input_places(object),
            _ => None,
        };
        let Some(inputs) = inputs else {
            return self
                .unsupported("spirv-interpolate-unsupported", "interpolation of something that is not an input");
        };
        let mut operands = Vec::new();
        match op {
            Glsl::InterpolateAtSample => operands.push(self.index(args[1])?),
            Glsl::InterpolateAtOffset => {
                for value in self.same_length(args[1], 2)? {
                    operands.push(self.l.convert(value, Type::I32));
                }
            }
            _ => {}
        }
        if pointer.terms.is_empty() {
            let values = self.interpolated(op, &inputs, pointer.at as usize, scalars.len(), &operands)?;
            return Ok(Value::Scalars(values.into_iter().map(Deferred::from).collect()));
        }
        // Indexed by a value: the input that it leads to, of all that it may.
        let place = self.place_of(&pointer);
        let step = pointer.terms.iter().fold(0, |all, (_, step)| gcd(all, *step)).max(1) as usize;
        let first = pointer.at as usize % step;
        let mut out: Option<Vec<ValueId>> = None;
        for at in (first..).step_by(step).take_while(|at| at + scalars.len() <= inputs.len()) {
            let found = self.interpolated(op, &inputs, at, scalars.len(), &operands)?;
            let number = self.l.b.i32(at as u32);
            let is_here = self.l.b.int(Op::Ieq, &[place, number]);
            out = Some(match out {
                None => found,
                Some(before) => {
                    let pairs = found.into_iter().zip(before);
                    pairs.map(|(found, before)| self.l.b.select(is_here, found, before)).collect()
                }
            });
        }
        match out {
            Some(out) => Ok(Value::Scalars(out.into_iter().map(Deferred::from).collect())),
            None => self.invalid("the place lies outside of the input"),
        }
    }

    /// So many components of an input from one on, away from where they are declared to be interpolated.
    fn interpolated(
        &mut self,
        op: Glsl,
        inputs: &[Option<(u16, u8)>],
        at: usize,
        count: usize,
        operands: &[ValueId],
    ) -> Lift<Vec<ValueId>> {
        let mut out = Vec::new();
        for n in at..at + count {
            let Some(&Some((index, comp))) = inputs.get(n) else {
                return self.unsupported("spirv-interpolate-unsupported", "interpolation of a built-in");
            };
            if self.l.b.func.iface.attrs[usize::from(index)].semantic == AttrSemantic::Position {
                return self.unsupported("spirv-interpolate-unsupported", "interpolation of the position");
            }
            let kind = match op {
                Glsl::InterpolateAtCentroid => OpKind::AttrCentroid { index, comp },
                Glsl::InterpolateAtSample => OpKind::AttrSample { index, comp },
                _ => OpKind::AttrOffset { index, comp },
            };
            let slot = self.l.plain(Decl::F32);
            out.push(self.l.b.read_float(kind, slot, operands));
        }
        Ok(out)
    }
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The columns without one of them and without a row.
fn minor(columns: &[Vec<ValueId>], column: usize, row: usize) -> Vec<Vec<ValueId>> {
    let without =
        |values: &Vec<ValueId>| values.iter().enumerate().filter(|(n, _)| *n != row).map(|(_, value)| *value).collect();
    columns.iter().enumerate().filter(|(n, _)| *n != column).map(|(_, values)| without(values)).collect()
}
