//! The device's own float instructions.
//!
//! In native arithmetic they take the place of whole operations, and what the device does not fix is listed. In mixed arithmetic they
//! take the place of primitives that they equal in every bit, as far as the device promises what was assumed of it.

use crate::entry::Main;
use crate::module::{Id, Module, Section};
use crate::words::Shared;
use parallax_core::{EntityRef, OpId};
use parallax_num::{
    Decl, DotOrder, Field, Format, LogNegative, Mad, Op as Operation, RsqNegative, Rule, Saturate, SqrtNegative,
    Storage,
};
use parallax_step::words::{Sink, Value, lower};
use parallax_step::{Call, Inst, Mode, OpNumber, Prim, Ty};
use rspirv::spirv::{Capability, Decoration, ExecutionMode, FunctionControl, GlslStd450Op, Op};
use std::collections::BTreeSet;

/// Whose arithmetic a module has.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Arithmetic {
    /// The model's, in integers.
    #[default]
    Faithful,
    /// The model's: in float instructions where they equal primitives in every bit, else in integers.
    Mixed,
    /// The device's, in float instructions; what is no arithmetic of binary32 stays in integers.
    Native,
}

/// What is assumed of a device's arithmetic in binary32, and asked for in the module (`SPV_KHR_float_controls`). With either, zeros have
/// signs, and infinities and NaNs are what they are.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Assume {
    /// Sums, differences, products and conversions are rounded to nearest even.
    pub rte: bool,
    /// Denormals are operands and results like others.
    pub denorm_preserve: bool,
}

impl Assume {
    /// Everything.
    pub const ALL: Assume = Assume { rte: true, denorm_preserve: true };

    /// Whether anything is.
    pub const fn any(self) -> bool {
        self.rte || self.denorm_preserve
    }

    /// Whether the device gives what IEEE 754 says where a rule has this field at its value there.
    fn fixes(self, field: &str) -> bool {
        match field {
            "round" => self.rte,
            "denorm_in" | "denorm_out" | "tininess" => self.denorm_preserve,
            "overflow" | "zero_mul" | "zero_mul_add" | "zero_sign" | "infinite" | "nan_compare" => self.any(),
            "format" => true,
            _ => false,
        }
    }
}

/// What a module has of a device's own instructions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Host {
    /// Whose arithmetic it is.
    pub arithmetic: Arithmetic,
    /// What is assumed of the device.
    pub assume: Assume,
    /// Operations, or primitives, that are float instructions.
    pub operations: usize,
    /// Operations whose bits may be others than the model's, besides the bits of NaNs. None in mixed arithmetic.
    pub open: Vec<Open>,
}

/// An operation that a device may compute to other bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Open {
    /// Its name.
    pub operation: &'static str,
    /// The slot of the model that it goes by.
    pub slot: Option<String>,
    /// Lines and texts of the instructions that have it; line 0 in binaries.
    pub instructions: Vec<(u32, String)>,
    /// Fields of the rule that the device may see otherwise, and the model's values.
    pub rules: Vec<(&'static str, String)>,
}

impl Open {
    /// The operation in one line.
    pub fn line(&self) -> String {
        let slot = self.slot.as_ref().map_or(String::new(), |slot| format!(" {slot}"));
        let rules: Vec<String> = self.rules.iter().map(|(field, value)| format!("{field} = {value}")).collect();
        format!("{}{slot}: {}", self.operation, rules.join(", "))
    }
}

/// Fields about the bits of NaNs, which no device promises.
const OF_NANS: [&str; 3] = ["nan_result", "nan_bits", "sub_nan"];

/// Functions, for which a device has a precision of its own.
const fn is_function(op: Operation) -> bool {
    use Operation::{Cos, Div, Exp2, Exp2Part, LitZ, Log2, Log2Part, Lrp, Nrm, Pow, Rcp, Rsq, Sin, Sqrt};
    matches!(op, Div | Rcp | Rsq | Sqrt | Exp2 | Exp2Part | Log2 | Log2Part | Sin | Cos | Pow | Nrm | LitZ | Lrp)
}

/// Whether a device computes an operation in native arithmetic: arithmetic on binary32 that takes many integers.
pub(crate) fn is_native(op: Operation, rule: &Rule) -> bool {
    use Operation::{Add, Dot2, Dot3, Dot4, Dp2a, Dph, Dst, Fma, Mad, Mul, Sub};
    let is_arithmetic = matches!(op, Add | Sub | Mul | Fma | Mad | Dot2 | Dot3 | Dot4 | Dph | Dp2a | Dst);
    (is_arithmetic || is_function(op)) && rule.storage == Storage::F32 && rule.source == Storage::F32
}

/// Whether the instructions of a module do what a field says, other than IEEE 754 has it: products and sums that are each rounded must not
/// become one, sums have their order, and signs that functions do not look at are taken off before.
fn is_followed(field: &str, rule: &Rule) -> bool {
    match field {
        "mad" => rule.mad == Mad::Separate,
        "dot_fused" => !rule.dot.fused,
        "dot_order" => !matches!(rule.dot.order, DotOrder::Exact | DotOrder::Pairwise),
        "rsq_negative" => rule.rsq_negative == RsqNegative::Magnitude,
        "sqrt_negative" => rule.sqrt_negative == SqrtNegative::Magnitude,
        "log_negative" => rule.log_negative == LogNegative::Magnitude,
        _ => false,
    }
}

/// Fields of a rule that a device may see otherwise.
fn open_fields(op: Operation, rule: &Rule, assume: Assume) -> Vec<(&'static str, String)> {
    let plain = Rule::ieee(rule.decl, Format::F32);
    let mut found = Vec::new();
    if is_function(op) {
        found.push(("precision", "the model's".to_string()));
    }
    if op == Operation::Fma {
        // No rule says otherwise, but a device may round the product.
        found.push(("fma", "fused".to_string()));
    }
    for field in Field::ALL {
        let is_clamp = field.name.starts_with("sat_") || field.name.starts_with("scale");
        if is_clamp || field.name == "fma" || OF_NANS.contains(&field.name) || !field.read_by(op, rule) {
            continue;
        }
        let (own, others) = (field.get(rule), field.get(&plain));
        if !is_followed(field.name, rule) && (own != others || !assume.fixes(field.name)) {
            found.push((field.name, own));
        }
    }
    found
}

impl Main<'_> {
    // ---- promises ----

    /// States in the module what is assumed.
    pub(crate) fn state_assumptions(module: &mut Module, main: Id, assume: Assume) {
        if !assume.any() {
            return;
        }
        module.extension("SPV_KHR_float_controls");
        let wanted = [
            (assume.rte, Capability::RoundingModeRTE, ExecutionMode::RoundingModeRTE),
            (assume.denorm_preserve, Capability::DenormPreserve, ExecutionMode::DenormPreserve),
            (true, Capability::SignedZeroInfNanPreserve, ExecutionMode::SignedZeroInfNanPreserve),
        ];
        for (_, capability, mode) in wanted.into_iter().filter(|(is_wanted, ..)| *is_wanted) {
            module.capability(capability);
            module.mode(main, mode, &[32]);
        }
    }

    // ---- mixed ----

    /// A primitive of step form: a float instruction where that gives the same bits, else integers.
    pub(crate) fn primitive(&mut self, inst: &Inst, args: &[Value]) -> Value {
        match self.float_primitive(inst, args) {
            Some(word) => Value::One(word),
            None => lower(self, inst, args),
        }
    }

    fn float_primitive(&mut self, inst: &Inst, args: &[Value]) -> Option<Id> {
        let mode = Mode::from_word(inst.imm)?;
        let nearest = Mode { direction: Mode::PLAIN.direction, ..mode };
        let is_known = args.iter().all(|arg| self.constant(arg.low()).is_some());
        if self.options.arithmetic != Arithmetic::Mixed || inst.ty != Ty::F32 || mode != nearest || is_known {
            return None;
        }
        let op = match inst.prim {
            Prim::Fadd => Op::FAdd,
            Prim::Fsub => Op::FSub,
            Prim::Fmul => Op::FMul,
            _ => return None,
        };
        self.host.operations += 1;
        if mode.flush {
            let mut words: [Id; 2] = [args[0].low(), args[1].low()];
            if op == Op::FSub {
                let (word, sign) = (self.module.word(), self.module.constant(1 << 31));
                words[1] = self.op(Op::BitwiseXor, word, &[words[1], sign]);
            }
            let (name, op) = match op {
                Op::FMul => ("host_fmul_ftz", Op::FMul),
                _ => ("host_fadd_ftz", Op::FAdd),
            };
            let function = self.shared.flushing(&mut self.module, name, op);
            return Some(Shared::call(&mut self.module, &mut self.code, function, &[Ty::I32], &words));
        }
        let operands: Vec<Id> = args.iter().map(|arg| self.number(arg.low())).collect();
        let result = self.float_op(op, &operands);
        Some(self.pattern(result))
    }

    /// A float instruction that is not contracted with others.
    fn float_op(&mut self, op: Op, operands: &[Id]) -> Id {
        let float = self.module.float();
        let id = self.op(op, float, operands);
        self.module.decorate(id, Decoration::NoContraction, &[]);
        id
    }

    // ---- native ----

    /// Whether the device computes a call.
    pub(crate) fn is_native(&self, call: u32) -> bool {
        let call = &self.steps.calls[call as usize];
        self.options.arithmetic == Arithmetic::Native && is_native(call.op, &call.rule)
    }

    /// An operation by the device's instructions.
    pub(crate) fn native(&mut self, number: OpNumber, call: u32, args: &[Value]) -> Value {
        use Operation::{
            Add, Cos, Div, Dot2, Dot3, Dot4, Dp2a, Dph, Dst, Exp2, Exp2Part, Fma, LitZ, Log2, Log2Part, Lrp, Mad, Mul,
            Nrm, Pow, Rcp, Rsq, Sin, Sqrt, Sub,
        };
        let steps = self.steps;
        let Call { op, rule, .. } = &steps.calls[call as usize];
        self.host.operations += 1;
        let origin = self.steps.origins[number as usize];
        self.opened.entry(call).or_default().insert(origin);
        let v: Vec<Id> = args.iter().map(|arg| self.number(arg.low())).collect();
        let result = match op {
            Add => self.float_op(Op::FAdd, &v),
            Sub => self.float_op(Op::FSub, &v),
            Mul | Dst => self.float_op(Op::FMul, &v),
            Fma => self.function(GlslStd450Op::Fma, &v),
            Mad => self.multiply_add(rule.mad != parallax_num::Mad::Separate, v[0], v[1], v[2]),
            Dot2 | Dot3 | Dot4 | Dph | Dp2a => self.products(*op, rule, &v),
            Lrp => {
                let difference = self.float_op(Op::FSub, &v[1..3]);
                self.multiply_add(false, difference, v[0], v[2])
            }
            Nrm => {
                let [x, y, z] = [v[1], v[2], v[3]];
                let square = self.products(Dot3, rule, &[x, y, z, x, y, z]);
                let inverse = self.function(GlslStd450Op::InverseSqrt, &[square]);
                self.float_op(Op::FMul, &[v[0], inverse])
            }
            Div => self.float_op(Op::FDiv, &v),
            Rcp => {
                let one = self.real(1.0);
                self.float_op(Op::FDiv, &[one, v[0]])
            }
            Rsq => {
                let value = self.without_sign(v[0], rule.rsq_negative == RsqNegative::Magnitude);
                self.function(GlslStd450Op::InverseSqrt, &[value])
            }
            Sqrt => {
                let value = self.without_sign(v[0], rule.sqrt_negative == SqrtNegative::Magnitude);
                self.function(GlslStd450Op::Sqrt, &[value])
            }
            Exp2 | Exp2Part => self.function(GlslStd450Op::Exp2, &v),
            Log2 | Log2Part => {
                let is_size = *op == Log2Part || rule.log_negative == LogNegative::Magnitude;
                let value = self.without_sign(v[0], is_size);
                self.function(GlslStd450Op::Log2, &[value])
            }
            Sin => self.function(GlslStd450Op::Sin, &v),
            Cos => self.function(GlslStd450Op::Cos, &v),
            Pow => self.function(GlslStd450Op::Pow, &v),
            LitZ => self.specular(&v),
            _ => {
                self.refusals.add(format!("`{op}` has no native translation"));
                v[0]
            }
        };
        let word = self.pattern(result);
        if rule.saturate == Saturate::None && rule.scale == 0 {
            return Value::One(word);
        }
        // Clamps and scales are integers again.
        let clamp = Rule {
            saturate: rule.saturate,
            scale: rule.scale,
            sat_nan: rule.sat_nan,
            sat_zero: rule.sat_zero,
            sat_denorm: rule.sat_denorm,
            ..Rule::ieee(Decl::F32, Format::F32)
        };
        self.operation(Operation::Cvt, &clamp, &[Value::One(word)])
    }

    fn real(&mut self, v: f32) -> Id {
        let word = self.module.constant(v.to_bits());
        self.number(word)
    }

    /// An instruction of `GLSL.std.450`.
    fn function(&mut self, function: GlslStd450Op, operands: &[Id]) -> Id {
        let (float, set) = (self.module.float(), self.module.extended());
        let id = self.op(Op::ExtInst, float, &[&[set, function as u32], operands].concat());
        self.module.decorate(id, Decoration::NoContraction, &[]);
        id
    }

    fn without_sign(&mut self, value: Id, is_asked: bool) -> Id {
        if is_asked { self.function(GlslStd450Op::FAbs, &[value]) } else { value }
    }

    fn multiply_add(&mut self, fused: bool, a: Id, b: Id, c: Id) -> Id {
        if fused {
            return self.function(GlslStd450Op::Fma, &[a, b, c]);
        }
        let product = self.float_op(Op::FMul, &[a, b]);
        self.float_op(Op::FAdd, &[product, c])
    }

    /// A dot product in the order of the rule; where that is no order of one sum after the other, from left to right.
    fn products(&mut self, op: Operation, rule: &Rule, v: &[Id]) -> Id {
        let count = match op {
            Operation::Dot2 | Operation::Dp2a => 2,
            Operation::Dot4 => 4,
            _ => 3,
        };
        let mut terms: Vec<(Id, Option<Id>)> = (0..count).map(|n| (v[n], Some(v[count + n]))).collect();
        terms.extend(v.get(2 * count).map(|&addend| (addend, None)));
        match rule.dot.order {
            DotOrder::RightToLeft => terms.reverse(),
            DotOrder::RightToLeftInner if op == Operation::Dph => terms = [2, 3, 0, 1].map(|n| terms[n]).to_vec(),
            DotOrder::RightToLeftInner => terms.reverse(),
            DotOrder::LeftToRight | DotOrder::Pairwise | DotOrder::Exact => {}
        }
        let mut sum = None;
        for (a, b) in terms {
            sum = Some(match (sum, b) {
                (Some(sum), Some(b)) if rule.dot.fused => self.function(GlslStd450Op::Fma, &[a, b, sum]),
                (sum, b) => {
                    let term = b.map_or(a, |b| self.float_op(Op::FMul, &[a, b]));
                    sum.map_or(term, |sum| self.float_op(Op::FAdd, &[sum, term]))
                }
            });
        }
        sum.unwrap_or(v[0])
    }

    /// The specular term of LIT: `max(y, 0)` to the power of `w` within 128, where `x` is above zero.
    fn specular(&mut self, v: &[Id]) -> Id {
        let [zero, most, least] = [0.0, 128.0, -128.0].map(|v| self.real(v));
        let base = self.function(GlslStd450Op::NMax, &[v[1], zero]);
        let power = self.function(GlslStd450Op::NClamp, &[v[2], least, most]);
        let term = self.function(GlslStd450Op::Pow, &[base, power]);
        let (truth, float) = (self.module.bool(), self.module.float());
        let lit = self.op(Op::FOrdGreaterThan, truth, &[v[0], zero]);
        self.op(Op::Select, float, &[lit, term, zero])
    }

    // ---- what is listed ----

    /// Lists what the device does not fix.
    pub(crate) fn list_open(&mut self) {
        let (steps, shader) = (self.steps, self.shader);
        let func = &shader.func;
        for (number, origins) in std::mem::take(&mut self.opened) {
            let call = &steps.calls[number as usize];
            let rules = open_fields(call.op, &call.rule, self.options.assume);
            if rules.is_empty() {
                continue;
            }
            let slot = call.slot.and_then(|slot| steps.slots.get(slot as usize)).map(ToString::to_string);
            let ops = origins.iter().filter_map(|&op| func.ops.get(OpId::new(op as usize)));
            let sources: BTreeSet<_> = ops.flat_map(|op| op.origins.iter().copied()).collect();
            let instructions = sources
                .into_iter()
                .filter_map(|source| func.sources.get(source))
                .map(|source| (source.line, source.text.to_string()))
                .collect();
            let open = Open { operation: call.op.name(), slot, instructions, rules };
            // A remark that every reader passes over.
            self.module.processed(&format!("may give other bits: {}", open.line()));
            self.host.open.push(open);
        }
    }
}

impl Shared {
    /// A sum or product of binary32 whose tiny results become zeros. Sums that are tiny are exact. Whether a product is tiny once it is
    /// rounded tells one that is 2^64 times as large, which no denormals keep from being rounded to all digits: of two factors below one
    /// the first can be scaled, and where one is not below one, the other.
    pub(crate) fn flushing(&mut self, module: &mut Module, name: &'static str, op: Op) -> Id {
        const SIZE: u32 = 0x7fff_ffff;
        const ONE: u32 = 1f32.to_bits();
        const LARGE: u32 = (127 + 64) << 23;
        if let Some(&known) = self.host.get(name) {
            return known;
        }
        let (word, float, truth) = (module.word(), module.float(), module.bool());
        let signature = module.ty(Op::TypeFunction, &[word, word, word]);
        let [size, sign, one, large] = [SIZE, !SIZE, ONE, LARGE].map(|v| module.constant(v));
        let [id, a, b, start] = [(); 4].map(|()| module.id());
        module.name(id, name);
        let mut code = Section::default();
        code.op(Op::Function, &[word, id, FunctionControl::NONE.bits(), signature]);
        code.op(Op::FunctionParameter, &[word, a]);
        code.op(Op::FunctionParameter, &[word, b]);
        code.op(Op::Label, &[start]);
        let [x, y] = [a, b].map(|word| plain(module, &mut code, Op::Bitcast, float, &[word]));
        let computed = |module: &mut Module, code: &mut Section, op: Op, args: &[Id]| {
            let value = plain(module, code, op, float, args);
            module.decorate(value, Decoration::NoContraction, &[]);
            value
        };
        let result = computed(module, &mut code, op, &[x, y]);
        let (tested, least) = if op == Op::FMul {
            let least = module.constant((1 + 64) << 23);
            let magnitude = plain(module, &mut code, Op::BitwiseAnd, word, &[a, size]);
            let small = plain(module, &mut code, Op::ULessThan, truth, &[magnitude, one]);
            let scaled = [(x, [large, one]), (y, [one, large])].map(|(value, [small_by, by])| {
                let by = plain(module, &mut code, Op::Select, word, &[small, small_by, by]);
                let by = plain(module, &mut code, Op::Bitcast, float, &[by]);
                computed(module, &mut code, Op::FMul, &[value, by])
            });
            (computed(module, &mut code, Op::FMul, &scaled), least)
        } else {
            (result, module.constant(1 << 23))
        };
        let [result, tested] = [result, tested].map(|value| plain(module, &mut code, Op::Bitcast, word, &[value]));
        let magnitude = plain(module, &mut code, Op::BitwiseAnd, word, &[tested, size]);
        let tiny = plain(module, &mut code, Op::ULessThan, truth, &[magnitude, least]);
        let signed = plain(module, &mut code, Op::BitwiseAnd, word, &[result, sign]);
        let flushed = plain(module, &mut code, Op::Select, word, &[tiny, signed, result]);
        code.op(Op::ReturnValue, &[flushed]);
        code.op(Op::FunctionEnd, &[]);
        module.function(&code);
        self.host.insert(name, id);
        id
    }
}

/// A plain instruction with a result.
fn plain(module: &mut Module, code: &mut Section, op: Op, ty: Id, args: &[Id]) -> Id {
    let id = module.id();
    code.op(op, &[&[ty, id], args].concat());
    id
}
