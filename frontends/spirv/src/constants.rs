//! Constants, specialised: the bits of their scalars.
//!
//! Constant expressions of shaders are integer and logical ones but for conversions between floats (SPIR-V 1.6, section
//! 3.52.3, `OpSpecConstantOp`). Nothing that rounds is computed here: the shader computes it when it starts.

use crate::id_map::IdMap;
use crate::module::Module;
use crate::types::{Scalar, Types};
use parallax_text::Diag;
use rspirv::spirv::Op;
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// The value of a constant: its type, and the bits of its scalars in order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Constant {
    pub(crate) ty: u32,
    pub(crate) bits: Rc<[u64]>,
}

/// The constants of a module, by id.
#[derive(Clone, Debug)]
pub(crate) struct Constants {
    by_id: IdMap<Constant>,
    /// Those that the shader computes.
    computed: FxHashSet<u32>,
}

/// Whether an instruction defines a constant.
pub(crate) fn is_constant(op: Op) -> bool {
    use Op::*;
    matches!(
        op,
        ConstantTrue
            | ConstantFalse
            | Constant
            | ConstantComposite
            | ConstantCompositeReplicateEXT
            | ConstantNull
            | SpecConstantTrue
            | SpecConstantFalse
            | SpecConstant
            | SpecConstantComposite
            | SpecConstantCompositeReplicateEXT
            | SpecConstantOp
            | Undef
    )
}

impl Constants {
    /// No constants yet, for ids below a bound.
    pub(crate) fn new(bound: u32) -> Constants {
        Constants { by_id: IdMap::new(bound), computed: FxHashSet::default() }
    }

    /// Whether the shader computes a constant, since that rounds.
    pub(crate) fn is_computed(&self, id: u32) -> bool {
        self.computed.contains(&id)
    }

    pub(crate) fn get(&self, id: u32) -> Option<&Constant> {
        self.by_id.get(id)
    }

    /// The value of a scalar integer constant, sign-extended where its type has a sign.
    pub(crate) fn integer(&self, types: &Types, id: u32) -> Option<i128> {
        let constant = self.by_id.get(id)?;
        match (types.scalar(constant.ty)?, &constant.bits[..]) {
            (scalar @ Scalar::Int { .. }, [bits]) => Some(extended(*bits, scalar)),
            _ => None,
        }
    }

    /// Adds the constant that an instruction defines; `given` is the value that the caller specialises it to.
    ///
    /// # Errors
    /// Parts that are no constants, expressions that are no integer expressions.
    pub(crate) fn add(
        &mut self,
        module: &Module,
        types: &Types,
        number: usize,
        given: Option<u64>,
    ) -> Result<(), Box<Diag>> {
        let instruction = &module.instructions[number];
        let (ty, words) = (instruction.ty, module.operands(instruction));
        if self.needs_computing(instruction.op, words) {
            self.computed.insert(instruction.id);
            return Ok(());
        }
        let span = module.spans[number];
        let invalid = |what: String| Box::new(Diag::invalid("spirv-constant", span, what));
        let scalar = types.scalar(ty);
        let part =
            |id: u32| self.by_id.get(id).ok_or_else(|| invalid(format!("%{id} is not a constant defined before this")));
        let bits: Rc<[u64]> = match instruction.op {
            Op::ConstantTrue => Rc::from([1]),
            Op::ConstantFalse => Rc::from([0]),
            Op::SpecConstantTrue => Rc::from([given.map_or(1, |bits| u64::from(bits != 0))]),
            Op::SpecConstantFalse => Rc::from([given.map_or(0, |bits| u64::from(bits != 0))]),
            Op::Constant | Op::SpecConstant => {
                let scalar = scalar.ok_or_else(|| invalid(format!("%{ty} is not a numeric type")))?;
                let needed = if scalar.bits() > 32 { 2 } else { 1 };
                if words.len() != needed {
                    let message = format!("{} words instead of {needed} for {} bits", words.len(), scalar.bits());
                    return Err(invalid(message));
                }
                let stated = u64::from(words[0]) | words.get(1).map_or(0, |high| u64::from(*high) << 32);
                Rc::from([masked(given.unwrap_or(stated), scalar)])
            }
            Op::ConstantComposite | Op::SpecConstantComposite => {
                let parts: Result<Vec<&Constant>, _> = words.iter().map(|&id| part(id)).collect();
                let bits: Rc<[u64]> = parts?.iter().flat_map(|constant| constant.bits.iter().copied()).collect();
                if let Some(what) = types.no_numbers(ty) {
                    let message = format!("constants of {what}");
                    return Err(Box::new(Diag::unsupported("spirv-constant-unsupported", span, message)));
                }
                if bits.len() != types.size(ty) as usize {
                    let message = format!("{} scalars instead of {}", bits.len(), types.size(ty));
                    return Err(invalid(message));
                }
                bits
            }
            // SPV_EXT_replicated_composites: all parts of the result are one.
            Op::ConstantCompositeReplicateEXT | Op::SpecConstantCompositeReplicateEXT => {
                let (one, size) = (part(words[0])?, types.size(ty) as usize);
                if one.bits.is_empty() || size % one.bits.len() != 0 {
                    return Err(invalid(format!("%{ty} does not consist of parts like %{}", words[0])));
                }
                one.bits.iter().copied().cycle().take(size).collect()
            }
            Op::ConstantNull | Op::Undef => types.flat(ty).iter().map(|_| 0).collect(),
            Op::SpecConstantOp => {
                let op = Op::from_u32(words[0]).ok_or_else(|| invalid(format!("unknown opcode {}", words[0])))?;
                match self.expression(types, op, ty, &words[1..]) {
                    Some(bits) => bits,
                    None => {
                        let message = format!("Op{op:?} in a constant expression");
                        return Err(Box::new(Diag::unsupported("spirv-constant-unsupported", span, message)));
                    }
                }
            }
            op => return Err(invalid(format!("Op{op:?} is not a constant"))),
        };
        self.by_id.insert(instruction.id, Constant { ty, bits });
        Ok(())
    }

    /// Whether a constant rounds, or has a part that does.
    fn needs_computing(&self, op: Op, words: &[u32]) -> bool {
        let (rounds, parts) = match (op, words) {
            (Op::SpecConstantComposite | Op::SpecConstantCompositeReplicateEXT, parts) => (false, parts),
            (Op::SpecConstantOp, [op, operands @ ..]) => {
                let op = Op::from_u32(*op);
                let ids = match op {
                    Some(Op::CompositeExtract) => 1,
                    Some(Op::CompositeInsert | Op::VectorShuffle) => 2,
                    _ => operands.len(),
                };
                (op.is_some_and(rounds), &operands[..ids.min(operands.len())])
            }
            _ => return false,
        };
        rounds || parts.iter().any(|id| self.computed.contains(id))
    }

    /// The value of an expression; `None` for what is no integer expression.
    fn expression(&self, types: &Types, op: Op, ty: u32, words: &[u32]) -> Option<Rc<[u64]>> {
        let arg = |n: usize| self.by_id.get(*words.get(n)?);
        match op {
            Op::CompositeExtract => {
                let from = arg(0)?;
                let (mut ty, mut at) = (from.ty, 0);
                for &index in &words[1..] {
                    let (part, offset) = types.part(ty, index)?;
                    (ty, at) = (part, at + offset);
                }
                return Some(Rc::from(from.bits.get(at as usize..(at + types.size(ty)) as usize)?));
            }
            Op::CompositeInsert => {
                let (object, into) = (arg(0)?, arg(1)?);
                let (mut ty, mut at) = (into.ty, 0);
                for &index in &words[2..] {
                    let (part, offset) = types.part(ty, index)?;
                    (ty, at) = (part, at + offset);
                }
                let mut bits = into.bits.to_vec();
                bits.get_mut(at as usize..at as usize + object.bits.len())?.copy_from_slice(&object.bits);
                return Some(bits.into());
            }
            Op::VectorShuffle => {
                let both: Vec<u64> = arg(0)?.bits.iter().chain(arg(1)?.bits.iter()).copied().collect();
                return words[2..]
                    .iter()
                    .map(|&n| if n == u32::MAX { Some(0) } else { both.get(n as usize).copied() })
                    .collect();
            }
            Op::Select => {
                let (test, a, b) = (arg(0)?, arg(1)?, arg(2)?);
                let chosen = |n: usize| {
                    if *test.bits.get(n).or(test.bits.first())? != 0 { a.bits.get(n) } else { b.bits.get(n) }
                };
                return (0..a.bits.len()).map(|n| chosen(n).copied()).collect();
            }
            _ => {}
        }
        let to = types.scalar(ty)?;
        let from = types.scalar(arg(0)?.ty)?;
        let count = arg(0)?.bits.len();
        let operands = words.len();
        (0..count)
            .map(|n| {
                let a = *arg(0)?.bits.get(n)?;
                let b = if operands > 1 { *arg(1)?.bits.get(n)? } else { 0 };
                integer(op, from, to, a, b)
            })
            .collect()
    }
}

/// Whether an operation of a constant expression is one on floats.
fn rounds(op: Op) -> bool {
    use Op::*;
    matches!(
        op,
        FConvert
            | QuantizeToF16
            | ConvertFToS
            | ConvertFToU
            | ConvertSToF
            | ConvertUToF
            | Bitcast
            | FNegate
            | FAdd
            | FSub
            | FMul
            | FDiv
            | FRem
            | FMod
    )
}

/// One component of an integer or logical expression.
fn integer(op: Op, from: Scalar, to: Scalar, a: u64, b: u64) -> Option<u64> {
    // Signs are those of the operation where it has one, not of the type.
    let signed = |bits| extended(bits, Scalar::Int { bits: from.bits(), signed: true });
    let unsigned = |bits| i128::from(masked(bits, from));
    let (sa, sb, ua, ub) = (signed(a), signed(b), unsigned(a), unsigned(b));
    let value = match op {
        Op::IAdd => sa + sb,
        Op::ISub => sa - sb,
        Op::IMul => sa * sb,
        Op::SNegate => -sa,
        Op::Not => !sa,
        Op::UDiv => ua.checked_div(ub).unwrap_or(0),
        Op::SDiv => sa.checked_div(sb).unwrap_or(0),
        Op::UMod => ua.checked_rem(ub).unwrap_or(0),
        Op::SRem => sa.checked_rem(sb).unwrap_or(0),
        Op::SMod => match sa.checked_rem(sb).unwrap_or(0) {
            rest if rest != 0 && (rest < 0) != (sb < 0) => rest + sb,
            rest => rest,
        },
        Op::ShiftLeftLogical => sa.wrapping_shl(ub.min(127) as u32),
        Op::ShiftRightLogical => ua >> ub.min(127),
        Op::ShiftRightArithmetic => sa >> ub.min(127),
        Op::BitwiseAnd => sa & sb,
        Op::BitwiseOr => sa | sb,
        Op::BitwiseXor => sa ^ sb,
        Op::UConvert => ua,
        Op::SConvert => sa,
        Op::LogicalAnd => ua & ub,
        Op::LogicalOr => ua | ub,
        Op::LogicalNot => i128::from(ua == 0),
        Op::LogicalEqual | Op::IEqual => i128::from(ua == ub),
        Op::LogicalNotEqual | Op::INotEqual => i128::from(ua != ub),
        Op::ULessThan => i128::from(ua < ub),
        Op::ULessThanEqual => i128::from(ua <= ub),
        Op::UGreaterThan => i128::from(ua > ub),
        Op::UGreaterThanEqual => i128::from(ua >= ub),
        Op::SLessThan => i128::from(sa < sb),
        Op::SLessThanEqual => i128::from(sa <= sb),
        Op::SGreaterThan => i128::from(sa > sb),
        Op::SGreaterThanEqual => i128::from(sa >= sb),
        _ => return None,
    };
    (!matches!(from, Scalar::Float(_)) && !matches!(to, Scalar::Float(_))).then(|| masked(value as u64, to))
}

/// Bits of a scalar, those beyond its width cleared.
pub(crate) fn masked(bits: u64, scalar: Scalar) -> u64 {
    match scalar {
        Scalar::Bool => bits & 1,
        _ if scalar.bits() >= 64 => bits,
        _ => bits & ((1 << scalar.bits()) - 1),
    }
}

/// An integer with its sign, if it has one.
fn extended(bits: u64, scalar: Scalar) -> i128 {
    let bits = masked(bits, scalar);
    match scalar {
        Scalar::Int { bits: width, signed: true } => {
            let unused = 64 - width;
            i128::from((bits << unused) as i64 >> unused)
        }
        _ => i128::from(bits),
    }
}
