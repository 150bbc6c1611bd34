//! Instructions that compute each component by itself, and sums of products.

use super::value::{Scalars, Value, Values};
use super::{Ctx, Lift};
use crate::module::Instruction;
use crate::types::{Scalar, Ty};
use parallax_core::{Axis, OpKind, Type, ValueId};
use parallax_lift::Deferred;
use parallax_num::{Decl, Op};
use rspirv::spirv::Op as Code;
use smallvec::SmallVec;

/// Operands of one component.
type Args = SmallVec<[ValueId; 4]>;

/// What a componentwise instruction does.
#[derive(Copy, Clone)]
enum Each {
    /// An operation on floats of the operands' format.
    Float(Op),
    /// A comparison of floats, and whether it is true where an operand is NaN.
    Compare(Op, bool),
    /// An operation on integers of the operands' width.
    Integer(Op),
    /// The same with the operands the other way round.
    Swapped(Op),
    /// A shift: its amount has a type of its own.
    Shift(Op),
    /// An operation on predicates.
    Logic(Op),
    Other,
}

fn each(op: Code) -> Option<Each> {
    use Each::*;
    Some(match op {
        Code::FAdd => Float(Op::Add),
        Code::FSub => Float(Op::Sub),
        Code::FMul => Float(Op::Mul),
        Code::FDiv => Float(Op::Div),
        Code::FNegate => Float(Op::Neg),
        // SPV_KHR_fma: one rounding, unlike `Fma` of GLSL.std.450, which may be a product and a sum.
        Code::FmaKHR => Float(Op::Fma),
        Code::FOrdEqual => Compare(Op::FEq, false),
        Code::FUnordEqual => Compare(Op::FEq, true),
        Code::FOrdNotEqual => Compare(Op::FNe, false),
        Code::FUnordNotEqual => Compare(Op::FNe, true),
        Code::FOrdLessThan => Compare(Op::FLt, false),
        Code::FUnordLessThan => Compare(Op::FLt, true),
        Code::FOrdGreaterThan => Compare(Op::FGt, false),
        Code::FUnordGreaterThan => Compare(Op::FGt, true),
        Code::FOrdLessThanEqual => Compare(Op::FLe, false),
        Code::FUnordLessThanEqual => Compare(Op::FLe, true),
        Code::FOrdGreaterThanEqual => Compare(Op::FGe, false),
        Code::FUnordGreaterThanEqual => Compare(Op::FGe, true),
        Code::IAdd => Integer(Op::Iadd),
        Code::ISub => Integer(Op::Isub),
        Code::IMul => Integer(Op::Imul),
        Code::UDiv => Integer(Op::Udiv),
        Code::SDiv => Integer(Op::Idiv),
        Code::UMod => Integer(Op::Umod),
        Code::SRem => Integer(Op::Imod),
        Code::BitwiseOr => Integer(Op::Ior),
        Code::BitwiseXor => Integer(Op::Ixor),
        Code::BitwiseAnd => Integer(Op::Iand),
        Code::Not => Integer(Op::Inot),
        Code::SNegate => Integer(Op::Ineg),
        Code::IEqual => Integer(Op::Ieq),
        Code::INotEqual => Integer(Op::Ine),
        Code::ULessThan => Integer(Op::Ult),
        Code::ULessThanEqual => Integer(Op::Ule),
        Code::SLessThan => Integer(Op::Ilt),
        Code::SLessThanEqual => Integer(Op::Ile),
        Code::UGreaterThan => Swapped(Op::Ult),
        Code::UGreaterThanEqual => Swapped(Op::Ule),
        Code::SGreaterThan => Swapped(Op::Ilt),
        Code::SGreaterThanEqual => Swapped(Op::Ile),
        Code::ShiftLeftLogical => Shift(Op::Shl),
        Code::ShiftRightLogical => Shift(Op::Ushr),
        Code::ShiftRightArithmetic => Shift(Op::Ishr),
        Code::LogicalAnd => Logic(Op::Pand),
        Code::LogicalOr => Logic(Op::Por),
        Code::LogicalNotEqual => Logic(Op::Pxor),
        Code::LogicalNot => Logic(Op::Pnot),
        Code::LogicalEqual
        | Code::FRem
        | Code::FMod
        | Code::SMod
        | Code::IsNan
        | Code::IsInf
        | Code::IsFinite
        | Code::Ordered
        | Code::Unordered
        | Code::BitFieldInsert
        | Code::BitFieldSExtract
        | Code::BitFieldUExtract
        | Code::BitReverse
        | Code::BitCount
        | Code::ConvertFToU
        | Code::ConvertFToS
        | Code::ConvertSToF
        | Code::ConvertUToF
        | Code::UConvert
        | Code::SConvert
        | Code::FConvert
        | Code::QuantizeToF16
        | Code::DPdx
        | Code::DPdy
        | Code::DPdxFine
        | Code::DPdyFine
        | Code::DPdxCoarse
        | Code::DPdyCoarse
        | Code::Fwidth
        | Code::FwidthFine
        | Code::FwidthCoarse => Other,
        _ => return None,
    })
}

impl Ctx<'_, '_> {
    /// A componentwise instruction; `None` for others.
    pub(super) fn componentwise(&mut self, instruction: &Instruction, words: &[u32]) -> Lift<Option<Value>> {
        let Some(kind) = each(instruction.op) else { return Ok(None) };
        let to = self.scalar_type(instruction.ty)?;
        let from = self.scalar_of(words[0])?;
        let count = self.tables.types.components(instruction.ty);
        let shared = matches!(instruction.op, Code::BitFieldInsert | Code::BitFieldSExtract | Code::BitFieldUExtract);
        let mut operands: SmallVec<[Values; 4]> = SmallVec::new();
        for (n, &id) in words.iter().enumerate() {
            let is_amount = n == 1 && matches!(kind, Each::Shift(_));
            let is_field = shared && n >= words.len() - 2;
            let (other, values) = match is_field {
                true => (from, Values::from_elem(self.index(id)?, count)),
                false => self.typed_components(id)?,
            };
            if values.len() != count {
                return self.invalid(format!("%{id} has {} components instead of {count}", values.len()));
            }
            if !is_amount && !is_field && n > 0 {
                let is_alike = std::mem::discriminant(&other) == std::mem::discriminant(&from);
                if !is_alike || other.bits() != from.bits() {
                    return self.invalid(format!("%{id} is {other}, %{} is {from}", words[0]));
                }
            }
            operands.push(values);
        }
        let amount = match (kind, words) {
            (Each::Shift(_), [_, amount]) => Some(self.scalar_of(*amount)?),
            _ => None,
        };
        if let Each::Float(op) = kind
            && let Some(slot) = self.shared_slot(instruction.id, self.decl(from)?)
        {
            let args = |n: usize| operands.iter().map(move |values| values[n]).collect::<Args>();
            let out = (0..count).map(|n| self.l.b.num(op, slot, &args(n)).into()).collect();
            return Ok(Some(Value::Scalars(out)));
        }
        let mut out = Scalars::new();
        for n in 0..count {
            let mut args: Args = operands.iter().map(|values| values[n]).collect();
            if let Some(amount) = amount {
                args[1] = self.integer_to(amount, Scalar::Int { bits: 32, signed: false }, false, args[1]);
            }
            out.push(self.component(kind, instruction, from, to, &args)?.into());
        }
        Ok(Some(Value::Scalars(out)))
    }

    fn component(
        &mut self,
        kind: Each,
        instruction: &Instruction,
        from: Scalar,
        to: Scalar,
        args: &[ValueId],
    ) -> Lift<ValueId> {
        let id = instruction.id;
        match kind {
            Each::Float(op) => {
                let decl = self.decl(from)?;
                Ok(self.float(id, op, decl, args))
            }
            Each::Compare(op, unordered) => {
                let decl = self.decl(from)?;
                let ordered = self.float(id, op, decl, args);
                Ok(match (op, unordered) {
                    // True on NaN by itself.
                    (Op::FNe, true) => ordered,
                    (Op::FNe, false) => {
                        let nan = self.float(id, Op::Funo, decl, args);
                        let no_nan = self.l.b.int(Op::Pnot, &[nan]);
                        self.l.b.int(Op::Pand, &[ordered, no_nan])
                    }
                    (_, true) => {
                        let nan = self.float(id, Op::Funo, decl, args);
                        self.l.b.int(Op::Por, &[ordered, nan])
                    }
                    (_, false) => ordered,
                })
            }
            Each::Integer(op) => {
                self.needs_integer(from)?;
                self.integer(op, from, args)
            }
            Each::Swapped(op) => {
                self.needs_integer(from)?;
                self.integer(op, from, &[args[1], args[0]])
            }
            Each::Shift(op) => {
                self.needs_integer(from)?;
                self.integer(op, from, args)
            }
            Each::Logic(op) => match from {
                Scalar::Bool => Ok(self.l.b.int(op, args)),
                _ => self.invalid("an operand is not a boolean"),
            },
            Each::Other => self.other(instruction, from, to, args),
        }
    }

    fn needs_integer(&self, scalar: Scalar) -> Lift<()> {
        match scalar {
            Scalar::Int { .. } => Ok(()),
            _ => self.invalid("an operand is not an integer"),
        }
    }

    /// The format of a float type.
    pub(super) fn decl(&self, scalar: Scalar) -> Lift<Decl> {
        match scalar {
            Scalar::Float(decl) => Ok(decl),
            _ => self.invalid("an operand is not a float"),
        }
    }

    fn other(&mut self, instruction: &Instruction, from: Scalar, to: Scalar, args: &[ValueId]) -> Lift<ValueId> {
        let id = instruction.id;
        match instruction.op {
            Code::LogicalEqual => {
                let differs = self.l.b.int(Op::Pxor, args);
                Ok(self.l.b.int(Op::Pnot, &[differs]))
            }
            // x - y * trunc(x / y) and x - y * floor(x / y): Vulkan 1.3, appendix "Precision and Operation of SPIR-V
            // Instructions".
            Code::FRem | Code::FMod => {
                let decl = self.decl(from)?;
                let ratio = self.float(id, Op::Div, decl, args);
                let whole = if instruction.op == Code::FMod { Op::Floor } else { Op::Trunc };
                let whole = self.float(id, whole, decl, &[ratio]);
                let product = self.float(id, Op::Mul, decl, &[args[1], whole]);
                Ok(self.float(id, Op::Sub, decl, &[args[0], product]))
            }
            Code::SMod => {
                self.needs_integer(from)?;
                let rest = self.integer(Op::Imod, from, args)?;
                let sum = self.integer(Op::Iadd, from, &[rest, args[1]])?;
                let signs = self.integer(Op::Ixor, from, &[rest, args[1]])?;
                let zero = self.integer_literal(from, 0);
                let differ = self.integer(Op::Ilt, from, &[signs, zero])?;
                let is_rest = self.integer(Op::Ine, from, &[rest, zero])?;
                let wrong = self.l.b.int(Op::Pand, &[differ, is_rest]);
                Ok(self.l.b.select(wrong, sum, rest))
            }
            Code::IsNan => {
                let decl = self.decl(from)?;
                Ok(self.float(id, Op::Funo, decl, &[args[0], args[0]]))
            }
            Code::Ordered | Code::Unordered => {
                let decl = self.decl(from)?;
                let nan = self.float(id, Op::Funo, decl, args);
                Ok(if instruction.op == Code::Ordered { self.l.b.int(Op::Pnot, &[nan]) } else { nan })
            }
            Code::IsInf | Code::IsFinite => {
                let decl = self.decl(from)?;
                let size = self.float(id, Op::Abs, decl, args);
                let infinity = self.number(decl, f64::INFINITY);
                let op = if instruction.op == Code::IsInf { Op::FEq } else { Op::FLt };
                Ok(self.float(id, op, decl, &[size, infinity]))
            }
            Code::BitFieldInsert | Code::BitFieldUExtract | Code::BitFieldSExtract if from.bits() == 64 => {
                Ok(self.long_field(instruction.op, args))
            }
            Code::BitFieldInsert => self.integer(Op::Bfi, from, args),
            Code::BitFieldUExtract => self.integer(Op::Ubfe, from, args),
            Code::BitFieldSExtract => self.integer(Op::Ibfe, from, args),
            Code::BitReverse => match from.bits() {
                32 => Ok(self.l.b.int(Op::Brev, args)),
                64 => {
                    let halves = [Op::Low, Op::High].map(|half| self.l.b.int(half, args));
                    let [low, high] = halves.map(|half| self.l.b.int(Op::Brev, &[half]));
                    Ok(self.l.b.int(Op::Join, &[high, low]))
                }
                bits => {
                    let reversed = self.l.b.int(Op::Brev, args);
                    let by = self.l.b.i32(32 - bits);
                    Ok(self.l.b.int(Op::Ushr, &[reversed, by]))
                }
            },
            Code::BitCount => {
                let mut count = None;
                for word in self.words_of(from, args[0]) {
                    let bits = self.l.b.int(Op::Popc, &[word]);
                    count = Some(match count {
                        None => bits,
                        Some(before) => self.l.b.int(Op::Iadd, &[before, bits]),
                    });
                }
                let word = Scalar::Int { bits: 32, signed: false };
                Ok(match count {
                    Some(count) => self.integer_to(word, to, false, count),
                    None => self.integer_literal(to, 0),
                })
            }
            Code::ConvertFToU | Code::ConvertFToS => {
                let decl = self.decl(from)?;
                let op = match (instruction.op, to.bits()) {
                    (Code::ConvertFToU, 64) => Op::F2u64Trunc,
                    (Code::ConvertFToU, _) => Op::F2uTrunc,
                    (_, 64) => Op::F2i64Trunc,
                    _ => Op::F2iTrunc,
                };
                let slot = self.slot(id, decl);
                let value = self.l.b.num(op, slot, args);
                Ok(self.low_bits(value, to.bits()))
            }
            Code::ConvertSToF | Code::ConvertUToF => {
                let decl = self.decl(to)?;
                let (op, value) = match (instruction.op, from.bits()) {
                    (Code::ConvertSToF, 64) => (Op::I64ToF, args[0]),
                    (Code::ConvertSToF, bits) => (Op::I2f, self.sign_extended(args[0], bits)),
                    (_, 64) => (Op::U64ToF, args[0]),
                    _ => (Op::U2f, args[0]),
                };
                let slot = self.slot(id, decl);
                Ok(self.l.b.num(op, slot, &[value]))
            }
            Code::UConvert => Ok(self.integer_to(from, to, false, args[0])),
            Code::SConvert => Ok(self.integer_to(from, to, true, args[0])),
            Code::FConvert => {
                let decl = self.decl(to)?;
                Ok(self.float_to(id, decl, args[0]))
            }
            // Denormal halves become zero (SPIR-V 1.6, section 3.52.11).
            Code::QuantizeToF16 => {
                let slot = self.l.b.slot(parallax_num::Slot {
                    denormals: Some(parallax_num::Denormals::Flush),
                    ..parallax_num::Slot::plain(Decl::F16)
                });
                let half = self.l.b.num(Op::Cvt, slot, args);
                let plain = self.l.plain(Decl::F32);
                Ok(self.l.b.num(Op::Cvt, plain, &[half]))
            }
            _ => self.derivative(instruction, from, args[0]),
        }
    }

    /// A bit field of 64 bits, by shifts: those of no bits are apart, since a shift by 64 is one by 0.
    fn long_field(&mut self, op: Code, args: &[ValueId]) -> ValueId {
        let (offset, count) = (args[args.len() - 2], args[args.len() - 1]);
        let (all, none, whole) = (self.l.b.i64(u64::MAX), self.l.b.i64(0), self.l.b.i32(64));
        let above = self.l.b.int(Op::Isub, &[whole, count]);
        let zero = self.l.b.i32(0);
        let is_empty = self.l.b.int(Op::Ieq, &[count, zero]);
        if op == Code::BitFieldSExtract {
            let up = self.l.b.int(Op::Isub, &[above, offset]);
            let top = self.l.b.int(Op::Shl64, &[args[0], up]);
            let field = self.l.b.int(Op::Ishr64, &[top, above]);
            return self.l.b.select(is_empty, none, field);
        }
        let ones = self.l.b.int(Op::Ushr64, &[all, above]);
        let ones = self.l.b.select(is_empty, none, ones);
        if op == Code::BitFieldUExtract {
            let low = self.l.b.int(Op::Ushr64, &[args[0], offset]);
            return self.l.b.int(Op::Iand64, &[low, ones]);
        }
        let place = self.l.b.int(Op::Shl64, &[ones, offset]);
        let rest = self.l.b.int(Op::Inot64, &[place]);
        let kept = self.l.b.int(Op::Iand64, &[args[0], rest]);
        let part = self.l.b.int(Op::Iand64, &[args[1], ones]);
        let part = self.l.b.int(Op::Shl64, &[part, offset]);
        self.l.b.int(Op::Ior64, &[kept, part])
    }

    fn derivative(&mut self, instruction: &Instruction, from: Scalar, arg: ValueId) -> Lift<ValueId> {
        let decl = self.decl(from)?;
        let id = instruction.id;
        let slot = self.slot(id, decl);
        let fine = matches!(instruction.op, Code::DPdxFine | Code::DPdyFine | Code::FwidthFine);
        let mut difference = |axis| self.l.b.deriv(OpKind::Deriv { axis, fine }, slot, arg);
        match instruction.op {
            Code::DPdx | Code::DPdxFine | Code::DPdxCoarse => Ok(difference(Axis::X)),
            Code::DPdy | Code::DPdyFine | Code::DPdyCoarse => Ok(difference(Axis::Y)),
            _ => {
                let (x, y) = (difference(Axis::X), difference(Axis::Y));
                let x = self.float(id, Op::Abs, decl, &[x]);
                let y = self.float(id, Op::Abs, decl, &[y]);
                Ok(self.float(id, Op::Add, decl, &[x, y]))
            }
        }
    }

    // ---- sums of products ----

    /// A dot product of equally many components, by the model's rule.
    pub(super) fn dot(&mut self, id: u32, decl: Decl, a: &[ValueId], b: &[ValueId]) -> ValueId {
        let args: SmallVec<[ValueId; 8]> = a.iter().chain(b).copied().collect();
        match a.len() {
            2 => self.float(id, Op::Dot2, decl, &args),
            3 => self.float(id, Op::Dot3, decl, &args),
            4 => self.float(id, Op::Dot4, decl, &args),
            _ => self.float(id, Op::Mul, decl, &[a[0], b[0]]),
        }
    }

    /// Products of columns and factors, summed from the last to the first as Mesa's compiler does it
    /// (src/compiler/spirv/vtn_alu.c of Mesa 22.3): a product, then multiply-adds by the model's rule.
    fn combination(&mut self, id: u32, decl: Decl, columns: &[ValueId], factors: &[ValueId]) -> ValueId {
        let last = columns.len() - 1;
        let mut sum = self.float(id, Op::Mul, decl, &[columns[last], factors[last]]);
        for n in (0..last).rev() {
            sum = self.float(id, Op::Mad, decl, &[columns[n], factors[n], sum]);
        }
        sum
    }

    /// Columns and rows of a matrix type.
    fn shape(&self, ty: u32) -> Lift<(usize, usize)> {
        match self.tables.types.get(ty) {
            Some(Ty::Matrix { column, count }) => Ok((*count as usize, self.tables.types.components(*column))),
            _ => self.invalid(format!("%{ty} is not a matrix")),
        }
    }

    /// Products of vectors and matrices; `None` for other instructions.
    pub(super) fn linear(&mut self, instruction: &Instruction, words: &[u32]) -> Lift<Option<Value>> {
        let id = instruction.id;
        if !matches!(
            instruction.op,
            Code::Dot
                | Code::VectorTimesScalar
                | Code::MatrixTimesScalar
                | Code::VectorTimesMatrix
                | Code::MatrixTimesVector
                | Code::MatrixTimesMatrix
                | Code::OuterProduct
                | Code::Transpose
        ) {
            return Ok(None);
        }
        let scalar = self.scalar_type(instruction.ty)?;
        let decl = self.decl(scalar)?;
        let a = self.components(words[0])?;
        let b = if words.len() > 1 { self.components(words[1])? } else { Values::new() };
        let (a_ty, b_ty) = (self.type_of(words[0])?, self.type_of(*words.last().unwrap_or(&words[0]))?);
        for ty in [a_ty, b_ty] {
            let other = self.scalar_type(ty)?;
            if other.ir() != scalar.ir() {
                return self.invalid(format!("an operand is {other}, the result is {scalar}"));
            }
        }
        let out: Vec<ValueId> = match instruction.op {
            Code::Dot => {
                if a.len() != b.len() {
                    return self.invalid("the vectors differ in length");
                }
                vec![self.dot(id, decl, &a, &b)]
            }
            Code::VectorTimesScalar | Code::MatrixTimesScalar => match b.as_slice() {
                [factor] => match self.shared_slot(id, decl) {
                    Some(slot) => a.iter().map(|&value| self.l.b.num(Op::Mul, slot, &[value, *factor])).collect(),
                    None => a.iter().map(|&value| self.float(id, Op::Mul, decl, &[value, *factor])).collect(),
                },
                _ => return self.invalid("the second operand is not a scalar"),
            },
            Code::VectorTimesMatrix => {
                let (columns, rows) = self.shape(b_ty)?;
                if a.len() != rows {
                    return self.invalid("the vector does not fit the matrix");
                }
                (0..columns).map(|c| self.dot(id, decl, &a, &b[c * rows..(c + 1) * rows])).collect()
            }
            Code::MatrixTimesVector | Code::MatrixTimesMatrix => {
                let (columns, rows) = self.shape(a_ty)?;
                if b.len() % columns != 0 || (instruction.op == Code::MatrixTimesVector && b.len() != columns) {
                    return self.invalid("the operands do not fit each other");
                }
                let mut out = Vec::with_capacity(b.len() / columns * rows);
                for factors in b.chunks_exact(columns) {
                    for row in 0..rows {
                        let column: Vec<ValueId> = (0..columns).map(|c| a[c * rows + row]).collect();
                        out.push(self.combination(id, decl, &column, factors));
                    }
                }
                out
            }
            Code::OuterProduct => b
                .iter()
                .flat_map(|&factor| a.iter().map(move |&value| (value, factor)))
                .collect::<Vec<_>>()
                .into_iter()
                .map(|(value, factor)| self.float(id, Op::Mul, decl, &[value, factor]))
                .collect(),
            _ => {
                let (columns, rows) = self.shape(a_ty)?;
                (0..rows).flat_map(|r| (0..columns).map(move |c| c * rows + r)).map(|n| a[n]).collect()
            }
        };
        Ok(Some(self.scalars_for(instruction.ty, out)?))
    }

    /// A value of a type from its scalars.
    pub(super) fn scalars_for(&self, ty: u32, values: impl IntoIterator<Item = ValueId>) -> Lift<Value> {
        let scalars: Scalars = values.into_iter().map(Deferred::from).collect();
        let wanted = self.tables.types.size(ty) as usize;
        match scalars.len() == wanted {
            true => Ok(Value::Scalars(scalars)),
            false => self.invalid(format!("{} scalars where the type has {wanted}", scalars.len())),
        }
    }

    /// Sums, differences and products with a carry, borrow or upper half; `None` for other instructions.
    pub(super) fn carrying(&mut self, instruction: &Instruction, words: &[u32]) -> Lift<Option<Value>> {
        let (low, high) = match instruction.op {
            Code::IAddCarry => (Op::Iadd, None),
            Code::ISubBorrow => (Op::Isub, None),
            Code::UMulExtended => (Op::Imul, Some(Op::UmulHi)),
            Code::SMulExtended => (Op::Imul, Some(Op::ImulHi)),
            _ => return Ok(None),
        };
        let scalar = self.scalar_of(words[0])?;
        self.needs_integer(scalar)?;
        let (a, b) = (self.forced(words[0])?, self.forced(words[1])?);
        if a.len() != b.len() {
            return self.invalid("the operands differ in length");
        }
        let (mut first, mut second) = (Vec::new(), Vec::new());
        for (&a, &b) in a.iter().zip(&b) {
            let value = self.integer(low, scalar, &[a, b])?;
            first.push(value);
            second.push(match (high, scalar.bits()) {
                (Some(high), 32 | 64) => self.integer(high, scalar, &[a, b])?,
                (Some(high), bits) => {
                    let signed = high == Op::ImulHi;
                    let a = if signed { self.sign_extended(a, bits) } else { a };
                    let b = if signed { self.sign_extended(b, bits) } else { b };
                    let product = self.l.b.int(Op::Imul, &[a, b]);
                    let by = self.l.b.i32(bits);
                    let shifted = self.l.b.int(Op::Ushr, &[product, by]);
                    self.low_bits(shifted, bits)
                }
                (None, _) => {
                    let (small, large) = if low == Op::Iadd { (value, a) } else { (a, b) };
                    let over = self.integer(Op::Ult, scalar, &[small, large])?;
                    let (one, zero) = (self.integer_literal(scalar, 1), self.integer_literal(scalar, 0));
                    self.l.b.select(over, one, zero)
                }
            });
        }
        first.extend(second);
        Ok(Some(self.scalars_for(instruction.ty, first)?))
    }

    /// Integer dot products; `None` for other instructions.
    pub(super) fn integer_dot(&mut self, instruction: &Instruction, words: &[u32]) -> Lift<Option<Value>> {
        let (signs, saturates) = match instruction.op {
            Code::SDot => ([true, true], false),
            Code::UDot => ([false, false], false),
            Code::SUDot => ([true, false], false),
            Code::SDotAccSat => ([true, true], true),
            Code::UDotAccSat => ([false, false], true),
            Code::SUDotAccSat => ([true, false], true),
            _ => return Ok(None),
        };
        let to = self.scalar_type(instruction.ty)?;
        let packed = self.tables.types.components(self.type_of(words[0])?) == 1;
        let from = self.scalar_of(words[0])?;
        self.needs_integer(to)?;
        self.needs_integer(from)?;
        let word = Scalar::Int { bits: 32, signed: false };
        let mut sides = Vec::new();
        for (&id, signed) in words.iter().zip(signs) {
            let mut parts = Vec::new();
            for value in self.forced(id)? {
                if !packed {
                    parts.push(self.integer_to(from, to, signed, value));
                    continue;
                }
                for n in 0..4 {
                    let (from, width) = (self.l.b.i32(8 * n), self.l.b.i32(8));
                    let part = self.l.b.int(if signed { Op::Ibfe } else { Op::Ubfe }, &[value, from, width]);
                    parts.push(self.integer_to(word, to, signed, part));
                }
            }
            sides.push(parts);
        }
        let mut sum = self.integer_literal(to, 0);
        for (&a, &b) in sides[0].iter().zip(&sides[1]) {
            let product = self.integer(Op::Imul, to, &[a, b])?;
            sum = self.integer(Op::Iadd, to, &[sum, product])?;
        }
        if saturates {
            let accumulator = self.single(words[2])?;
            sum = self.saturating_sum(to, signs[0], sum, accumulator)?;
        }
        Ok(Some(self.scalars_for(instruction.ty, [sum])?))
    }

    /// A sum that stays at the extreme numbers of its type instead of wrapping.
    fn saturating_sum(&mut self, scalar: Scalar, signed: bool, a: ValueId, b: ValueId) -> Lift<ValueId> {
        let sum = self.integer(Op::Iadd, scalar, &[a, b])?;
        let all = self.integer_literal(scalar, u64::MAX);
        if !signed {
            let is_over = self.integer(Op::Ult, scalar, &[sum, a])?;
            return Ok(self.l.b.select(is_over, all, sum));
        }
        // Over where both have the sign that the sum has not.
        let zero = self.integer_literal(scalar, 0);
        let signs = [a, b].map(|side| self.integer(Op::Ixor, scalar, &[side, sum]));
        let [of_a, of_b] = signs;
        let both = self.integer(Op::Iand, scalar, &[of_a?, of_b?])?;
        let is_over = self.integer(Op::Ilt, scalar, &[both, zero])?;
        let largest = self.integer_literal(scalar, (1 << (scalar.bits() - 1)) - 1);
        let least = self.integer(Op::Inot, scalar, &[largest])?;
        let is_negative = self.integer(Op::Ilt, scalar, &[a, zero])?;
        let extreme = self.l.b.select(is_negative, least, largest);
        Ok(self.l.b.select(is_over, extreme, sum))
    }

    /// `any` and `all`; `None` for other instructions.
    pub(super) fn reduction(&mut self, instruction: &Instruction, words: &[u32]) -> Lift<Option<Value>> {
        let op = match instruction.op {
            Code::Any => Op::Por,
            Code::All => Op::Pand,
            _ => return Ok(None),
        };
        let values = self.forced(words[0])?;
        let mut result = values[0];
        for &value in &values[1..] {
            if self.l.b.func.ty(value) != Type::Pred {
                return self.invalid("an operand is not a boolean");
            }
            result = self.l.b.int(op, &[result, value]);
        }
        Ok(Some(self.scalars_for(instruction.ty, [result])?))
    }
}
