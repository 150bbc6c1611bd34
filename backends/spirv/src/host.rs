//! The device's own float instructions.
//!
//! In native arithmetic they take the place of whole operations, and what the device does not fix is listed. In mixed arithmetic they
//! take the place of primitives that they equal in every bit, as far as the device promises what was assumed of it.

use crate::entry::Main;
use crate::module::{Id, Module, Section};
use crate::words::Shared;
use parallax_core::{EntityRef, OpId};
use parallax_num::{Decl, Field, Format, Mad, Op as Operation, Rule, Saturate, Storage};
use parallax_step::words::{Key, Sink, Value, lower};
use parallax_step::{Call, Inst, Mode, OpNumber, Prim, Ty};
use rspirv::spirv::{Capability, Decoration, ExecutionMode, FunctionControl, GlslStd450Op, Op, SelectionControl};
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
    fn fixes(self, field: &str, rule: &Rule) -> bool {
        match field {
            "round" => self.rte,
            "denorm_in" | "denorm_out" | "tininess" => self.denorm_preserve,
            "overflow" | "zero_mul" | "zero_mul_add" | "zero_sign" | "infinite" | "nan_compare" => self.any(),
            // The instruction's order, and the bits that programs believe in.
            "format" | "dot_order" => true,
            "dot_fused" => !rule.dot.fused,
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

/// Fields of a rule that a device may see otherwise.
fn open_fields(op: Operation, rule: &Rule, assume: Assume) -> Vec<(&'static str, String)> {
    let plain = Rule::ieee(rule.decl, Format::F32);
    let mut found = Vec::new();
    if is_function(op) {
        found.push(("precision", "the model's".to_string()));
    }
    for field in Field::ALL {
        let is_clamp = field.name.starts_with("sat_") || field.name.starts_with("scale");
        if is_clamp || OF_NANS.contains(&field.name) || !field.read_by(op, rule) {
            continue;
        }
        let (own, others) = (field.get(rule), field.get(&plain));
        // A product and a sum, each rounded, are two instructions that must not become one.
        let is_separate = field.name == "mad" && rule.mad == Mad::Separate;
        if !is_separate && (own != others || !assume.fixes(field.name, rule)) {
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
        let fused = rule.dot.fused;
        let result = match op {
            Add => self.float_op(Op::FAdd, &v),
            Sub => self.float_op(Op::FSub, &v),
            Mul | Dst => self.float_op(Op::FMul, &v),
            Fma => self.function(GlslStd450Op::Fma, &v),
            Mad => self.multiply_add(rule.mad != parallax_num::Mad::Separate, v[0], v[1], v[2]),
            Dot2 => self.products(&v[..2], &v[2..], fused),
            Dot3 => self.products(&v[..3], &v[3..], fused),
            Dot4 => self.products(&v[..4], &v[4..], fused),
            Dph => {
                let sum = self.products(&v[..3], &v[3..6], fused);
                self.float_op(Op::FAdd, &[sum, v[6]])
            }
            Dp2a => {
                let sum = self.products(&v[..2], &v[2..4], fused);
                self.float_op(Op::FAdd, &[sum, v[4]])
            }
            Lrp => {
                let difference = self.float_op(Op::FSub, &v[1..3]);
                self.multiply_add(false, difference, v[0], v[2])
            }
            Nrm => {
                let square = self.products(&v[1..4], &v[1..4], fused);
                let inverse = self.function(GlslStd450Op::InverseSqrt, &[square]);
                self.float_op(Op::FMul, &[v[0], inverse])
            }
            Div => self.float_op(Op::FDiv, &v),
            Rcp => {
                let one = self.real(1.0);
                self.float_op(Op::FDiv, &[one, v[0]])
            }
            Rsq => self.function(GlslStd450Op::InverseSqrt, &v),
            Sqrt => self.function(GlslStd450Op::Sqrt, &v),
            Exp2 | Exp2Part => self.function(GlslStd450Op::Exp2, &v),
            Log2 => self.function(GlslStd450Op::Log2, &v),
            Log2Part => {
                let size = self.function(GlslStd450Op::FAbs, &v);
                self.function(GlslStd450Op::Log2, &[size])
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

    fn multiply_add(&mut self, fused: bool, a: Id, b: Id, c: Id) -> Id {
        if fused {
            return self.function(GlslStd450Op::Fma, &[a, b, c]);
        }
        let product = self.float_op(Op::FMul, &[a, b]);
        self.float_op(Op::FAdd, &[product, c])
    }

    /// A sum of products, from left to right.
    fn products(&mut self, a: &[Id], b: &[Id], fused: bool) -> Id {
        let first = self.float_op(Op::FMul, &[a[0], b[0]]);
        a[1..].iter().zip(&b[1..]).fold(first, |sum, (&a, &b)| {
            if fused {
                return self.function(GlslStd450Op::Fma, &[a, b, sum]);
            }
            let product = self.float_op(Op::FMul, &[a, b]);
            self.float_op(Op::FAdd, &[sum, product])
        })
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
    /// A sum or product of binary32 whose tiny results become zeros. Sums that are tiny are exact. A product next to the least number
    /// that is not tiny may have been rounded up to it: integers tell.
    pub(crate) fn flushing(&mut self, module: &mut Module, name: &'static str, op: Op) -> Id {
        if let Some(&known) = self.host.get(name) {
            return known;
        }
        let exact = (op == Op::FMul).then(|| {
            let imm = Mode { flush: true, ..Mode::PLAIN }.word();
            self.routine(module, Key { prim: Prim::Fmul, ty: Ty::F32, imm })
        });
        let (word, float, truth) = (module.word(), module.float(), module.bool());
        let signature = module.ty(Op::TypeFunction, &[word, word, word]);
        let [size, least, sign] = [0x7fff_ffff, 0x0080_0000, 1 << 31].map(|v| module.constant(v));
        let [id, a, b, start] = [(); 4].map(|()| module.id());
        module.name(id, name);
        let mut code = Section::default();
        code.op(Op::Function, &[word, id, FunctionControl::NONE.bits(), signature]);
        code.op(Op::FunctionParameter, &[word, a]);
        code.op(Op::FunctionParameter, &[word, b]);
        code.op(Op::Label, &[start]);
        let [x, y] = [a, b].map(|word| plain(module, &mut code, Op::Bitcast, float, &[word]));
        let result = plain(module, &mut code, op, float, &[x, y]);
        module.decorate(result, Decoration::NoContraction, &[]);
        let result = plain(module, &mut code, Op::Bitcast, word, &[result]);
        let magnitude = plain(module, &mut code, Op::BitwiseAnd, word, &[result, size]);
        if let Some(exact) = exact {
            let next = plain(module, &mut code, Op::IEqual, truth, &[magnitude, least]);
            let [then, rest] = [(); 2].map(|()| module.id());
            code.op(Op::SelectionMerge, &[rest, SelectionControl::NONE.bits()]);
            code.op(Op::BranchConditional, &[next, then, rest]);
            code.op(Op::Label, &[then]);
            let precise = Shared::call(module, &mut code, exact, &[Ty::I32], &[a, b]);
            code.op(Op::ReturnValue, &[precise]);
            code.op(Op::Label, &[rest]);
        }
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
