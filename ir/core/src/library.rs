//! Functions of shading languages that no unit has as an instruction, and that drivers expand into formulas of their own.
//!
//! A symbolic shader names the function, for which formula it becomes depends on the model ([`Library`]). Binding expands it
//! ([`crate::Shader::bind`]), so a bound shader holds none and no backend knows them. Each step of a formula is an operation
//! under the slot of the function and belongs to the same source instructions.

mod mesa;
mod swiftshader;
mod vulkan;

use crate::{Builder, Func, OpId, OpKind, RegionId, SlotId, ValueId};
use parallax_num::ulp::from_f64;
use parallax_num::{Contract, Decl, Library, Op, Rule, Saturate, Slot};
use std::f64::consts::{LN_2, LOG2_E};

/// A function that is expanded. The formulas are in the files of the libraries.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LibraryFn {
    /// Arc sine.
    Asin,
    /// Arc cosine.
    Acos,
    /// Arc tangent.
    Atan,
    /// Angle of the point (second operand, first operand).
    Atan2,
    /// Hyperbolic tangent.
    Tanh,
    /// Inverse hyperbolic sine.
    Asinh,
    /// Inverse hyperbolic cosine.
    Acosh,
    /// `smoothstep`; operands: the edges, then the position between them.
    SmoothStep,
    /// Component of a vector by the vector's length; operands: the component, the square of the length.
    Normalize,
    /// Component of `reflect`; operands: those of the incident vector and of the normal, the dot product of the two.
    Reflect,
    /// Component of `refract`; operands: those of the incident vector and of the normal, the ratio of indices, the dot product.
    Refract,
    /// Component of a cross product; operands a, b, c, d of a * b - c * d.
    Cross,
}

/// Replaces every function by the library's formula.
pub(crate) fn expand(func: &mut Func, library: Library) {
    let mut homes: Vec<RegionId> = Vec::new();
    func.walk(|region, op| {
        if matches!(func.ops[op].kind, OpKind::Library(_)) && !homes.contains(&region) {
            homes.push(region);
        }
    });
    for region in homes {
        for op in std::mem::take(&mut func.regions[region].ops) {
            if let (OpKind::Library(function), Some(slot)) = (func.ops[op].kind, func.ops[op].slot) {
                expand_op(func, region, op, function, slot, library);
            }
            func.regions[region].ops.push(op);
        }
    }
}

/// Puts the steps of a function to the end of a region, but for the last, which takes the place of the function.
fn expand_op(func: &mut Func, region: RegionId, op: OpId, function: LibraryFn, slot: SlotId, library: Library) {
    let args: Vec<ValueId> = func.ops[op].args.iter().copied().collect();
    let before = func.regions[region].ops.len();
    let result = formula(&mut Steps::new(func, region, slot), function, &args, library);
    let steps: Vec<OpId> = func.regions[region].ops[before..].to_vec();
    for step in steps {
        func.ops[step].origins = func.ops[op].origins.clone();
    }
    if let Some(last) = func.regions[region].ops.pop() {
        debug_assert_eq!(func.def_op(result), Some(last), "a formula ends in its result");
        let (kind, slot, args) = (func.ops[last].kind, func.ops[last].slot, func.ops[last].args.clone());
        let data = &mut func.ops[op];
        (data.kind, data.slot, data.args) = (kind, slot, args);
    }
}

/// The value of a function, which the last step computes.
fn formula(s: &mut Steps<'_>, function: LibraryFn, args: &[ValueId], library: Library) -> ValueId {
    match library {
        Library::Mesa22 | Library::Mesa => mesa::formula(s, function, args, library == Library::Mesa),
        Library::Vulkan => vulkan::formula(s, function, args),
        Library::Swiftshader => swiftshader::formula(s, function, args),
    }
}

/// Steps of a formula, put to the end of a region.
struct Steps<'f> {
    b: Builder<'f>,
    /// The function's own.
    slot: SlotId,
    /// Of literals.
    plain: SlotId,
    asked: Slot,
}

impl<'f> Steps<'f> {
    fn new(func: &'f mut Func, region: RegionId, slot: SlotId) -> Steps<'f> {
        let asked = func.slots[slot];
        let plain = func.slot(Slot::plain(asked.decl));
        Steps { b: Builder::at(func, region), slot, plain, asked }
    }

    fn of(&mut self, op: Op, args: &[ValueId]) -> ValueId {
        self.b.num(op, self.slot, args)
    }

    /// A multiply-add that the formula asks for as one operation, so that a program's wish for separate roundings does not count.
    fn mad(&mut self, a: ValueId, b: ValueId, c: ValueId) -> ValueId {
        let slot = self.b.slot(Slot { contract: Contract::Model, ..self.asked });
        self.b.num(Op::Mad, slot, &[a, b, c])
    }

    /// `a / b`, clamped from 0 to 1 by the instruction.
    fn saturated_quotient(&mut self, a: ValueId, b: ValueId) -> ValueId {
        let slot = self.b.slot(Slot { saturate: Saturate::Unsigned, ..self.asked });
        self.b.num(Op::Div, slot, &[a, b])
    }

    fn number(&mut self, value: f64) -> ValueId {
        let decl = self.asked.decl;
        self.b.float(self.plain, from_f64(value, &Rule::ieee(decl, decl.format())))
    }

    fn int(&mut self, op: Op, args: &[ValueId]) -> ValueId {
        self.b.int(op, args)
    }

    fn select(&mut self, pred: ValueId, yes: ValueId, no: ValueId) -> ValueId {
        self.b.select(pred, yes, no)
    }

    fn times(&mut self, x: ValueId, factor: f64) -> ValueId {
        let factor = self.number(factor);
        self.of(Op::Mul, &[x, factor])
    }

    /// `e^x` as `2^(x * log2 e)`.
    fn exp(&mut self, x: ValueId) -> ValueId {
        let scaled = self.times(x, LOG2_E);
        self.of(Op::Exp2, &[scaled])
    }

    /// The natural logarithm as `log2 x * ln 2`.
    fn log(&mut self, x: ValueId) -> ValueId {
        let log = self.of(Op::Log2, &[x]);
        self.times(log, LN_2)
    }

    /// `e^x` and `e^-x`.
    fn exps(&mut self, x: ValueId) -> (ValueId, ValueId) {
        let negative = self.of(Op::Neg, &[x]);
        (self.exp(x), self.exp(negative))
    }

    /// `low` up to `high`, where those are numbers.
    fn clamped(&mut self, x: ValueId, low: f64, high: f64) -> ValueId {
        let (low, high) = (self.number(low), self.number(high));
        let x = self.of(Op::Max, &[x, low]);
        self.of(Op::Min, &[x, high])
    }

    /// A polynomial with a number for each power, from the highest on: a product and a sum each, or one multiply-add.
    fn polynomial(&mut self, x: ValueId, numbers: &[f64], fused: bool) -> ValueId {
        let mut sum = self.number(numbers.first().copied().unwrap_or(0.0));
        for &number in numbers.iter().skip(1) {
            let number = self.number(number);
            sum = if fused {
                self.mad(x, sum, number)
            } else {
                let product = self.of(Op::Mul, &[x, sum]);
                self.of(Op::Add, &[number, product])
            };
        }
        sum
    }

    /// Whether the sign bit is set, also that of a zero.
    fn is_negative(&mut self, x: ValueId) -> ValueId {
        let decl = self.asked.decl;
        let word = match decl {
            Decl::F64 => {
                let pattern = self.b.num(Op::BitsOf64, self.plain, &[x]);
                self.int(Op::High, &[pattern])
            }
            _ => self.b.num(Op::BitsOf, self.plain, &[x]),
        };
        let bit = if decl == Decl::F16 { 1 << 15 } else { 1 << 31 };
        let (bit, zero) = (self.b.i32(bit), self.b.i32(0));
        let bit = self.int(Op::Iand, &[word, bit]);
        self.int(Op::Ine, &[bit, zero])
    }

    /// `x` with the sign of `sign`.
    fn with_sign(&mut self, x: ValueId, sign: ValueId) -> ValueId {
        let size = self.of(Op::Abs, &[x]);
        let negative = self.of(Op::Neg, &[size]);
        let is_negative = self.is_negative(sign);
        self.select(is_negative, negative, size)
    }

    /// Does in binary32 what halves are too coarse for.
    fn in_single(&mut self, x: ValueId, job: impl FnOnce(&mut Self, ValueId) -> ValueId) -> ValueId {
        let own = (self.slot, self.plain, self.asked);
        if !matches!(own.2.decl, Decl::F16 | Decl::Mediump) {
            return job(self, x);
        }
        // What a module says of halves, it does not say of binary32.
        self.asked = match own.2.decl {
            Decl::Mediump => Slot { decl: Decl::F32, ..own.2 },
            _ => Slot { contract: own.2.contract, ..Slot::plain(Decl::F32) },
        };
        self.slot = self.b.slot(self.asked);
        self.plain = self.b.slot(Slot::plain(Decl::F32));
        let wide = self.of(Op::Cvt, &[x]);
        let result = job(self, wide);
        (self.slot, self.plain, self.asked) = own;
        self.of(Op::Cvt, &[result])
    }
}
