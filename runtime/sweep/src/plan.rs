//! What a sweep does: one record that a part carries, so that parts of different sweeps are never mixed.

use crate::inputs::Inputs;
use crate::inputs::width;
use parallax_core::backend::Operation;
use parallax_interp::Interpreter;
use parallax_num::{Decl, Family, Format, Judge, Kind, Model, Op, Profile, Round, Rule, Slot};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Inputs per block: the unit of work that is dealt to shards.
pub(crate) const BLOCK: u64 = 1 << 18;

/// What results are compared with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Against {
    /// The value of the mathematical function, to 2^-20 ulp of binary32 and on the right side of every midpoint between
    /// binary32 numbers.
    Exact,
    /// The result of another model, by label.
    Model(String),
}

/// A sweep.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// Operation, by name.
    pub op: String,
    /// Declared format of operands and result, by name.
    pub format: String,
    /// Model label.
    pub model: String,
    /// What results are compared with.
    pub against: Against,
    /// Inputs.
    pub inputs: Inputs,
    /// Profile that judges the results, by name.
    pub profile: Option<String>,
    /// What names do not say: [`BoundPlan::fingerprint`].
    pub fingerprint: String,
    /// Version of the program that made the part, as [`crate::version`] gives it.
    pub version: String,
}

/// A plan that cannot be carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanError {
    /// No such operation.
    Op(String),
    /// The operation does not take floats to a float.
    Shape(String),
    /// No such format.
    Format(String),
    /// The format has too many patterns for what was asked.
    Inputs(String),
    /// A profile that does not fit.
    Profile(String),
    /// A profile without a bound for the operation.
    Unbounded {
        /// The profile.
        profile: String,
        /// The operation.
        op: String,
    },
    /// Shard number out of range.
    Shard {
        /// Asked for.
        shard: u32,
        /// All.
        total: u32,
    },
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlanError::Op(op) => write!(f, "unknown operation `{op}`"),
            PlanError::Shape(op) => {
                write!(f, "`{op}` cannot be swept: its operands and result must be floats of one format")
            }
            PlanError::Format(format) => {
                write!(f, "unknown format `{format}`; formats are fp32, half, fp64, fx12, fx9")
            }
            PlanError::Inputs(message) | PlanError::Profile(message) => f.write_str(message),
            PlanError::Unbounded { profile, op } => write!(f, "profile `{profile}` has no bound for `{op}`"),
            PlanError::Shard { shard, total } => {
                write!(f, "shard {shard} of {total} does not exist; shards are numbered from 1")
            }
        }
    }
}

impl std::error::Error for PlanError {}

/// A plan with its rules bound.
pub struct BoundPlan {
    pub(crate) op: Op,
    pub(crate) decl: Decl,
    pub(crate) arity: usize,
    /// The rule under test.
    pub(crate) rule: Rule,
    /// The rule that rounds correctly, to nearest even, in the declared format.
    pub(crate) correct: Rule,
    /// Whether the rule under test is that rule.
    pub(crate) same: bool,
    /// What gives the value compared with.
    pub(crate) reference: Reference,
    /// What judges the results.
    pub(crate) profile: Option<Profile>,
    pub(crate) operations: Operations,
}

impl BoundPlan {
    /// Lets a profile judge the results.
    ///
    /// # Errors
    /// The profile has no bound for the operation, judges another format, or results are compared with a model.
    pub fn judged_by(self, profile: &Profile) -> Result<BoundPlan, PlanError> {
        if profile.slot != self.decl {
            return Err(PlanError::Profile(format!(
                "profile `{}` is for operations on {}, not on {}",
                profile.name, profile.slot, self.decl
            )));
        }
        if Judge::new(profile, self.op).is_none() {
            return Err(PlanError::Unbounded { profile: profile.name.clone(), op: self.op.info().name.into() });
        }
        if matches!(self.reference, Reference::Rule(_)) {
            return Err(PlanError::Profile("a profile compares with exact values, not with another model".into()));
        }
        Ok(BoundPlan { profile: Some(profile.clone()), ..self })
    }

    /// Evaluates the operation under all of its rules by another engine than the interpreter, with the same results: `prepare`
    /// is asked once for each.
    #[must_use]
    pub fn evaluated_by(self, prepare: impl Fn(Op, &Rule) -> Operation) -> BoundPlan {
        let rules = [&self.rule, &self.correct, self.reference.rule()];
        BoundPlan { operations: Operations::new(self.op, rules, prepare), ..self }
    }

    /// A number for the rules and the profile themselves: models and profiles of one name may come from different files.
    pub fn fingerprint(&self) -> String {
        format!("{:016x}", hash(&format!("{:?}{:?}{:?}", self.rule, self.reference, self.profile)))
    }
}

/// FNV-1a.
pub(crate) fn hash(text: &str) -> u64 {
    let step = |state: u64, byte: u8| (state ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, step)
}

/// The operation under the rules of a plan.
pub(crate) struct Operations {
    /// Under the rule that is tested.
    pub(crate) tested: Operation,
    /// Under the rule that rounds correctly.
    pub(crate) correct: Operation,
    /// Under the rule that gives the value compared with.
    pub(crate) reference: Operation,
}

impl Operations {
    fn new(op: Op, rules: [&Rule; 3], prepare: impl Fn(Op, &Rule) -> Operation) -> Operations {
        let [tested, correct, reference] = rules.map(|rule| prepare(op, rule));
        Operations { tested, correct, reference }
    }
}

/// What gives the value compared with.
#[derive(Clone, Debug)]
pub enum Reference {
    /// The exact value, correctly rounded to binary64.
    Wide(Rule),
    /// Another model's rule in the same containers.
    Rule(Rule),
}

impl Reference {
    /// The rule that gives it.
    pub(crate) fn rule(&self) -> &Rule {
        match self {
            Reference::Wide(rule) | Reference::Rule(rule) => rule,
        }
    }
}

impl Plan {
    /// The default inputs of an operation: everything where that is possible, otherwise a stated sample.
    pub fn default_inputs(op: Op, decl: Decl) -> Inputs {
        match (op.info().args.len(), decl) {
            (1, _) => Inputs::all(decl),
            (2, Decl::F16 | Decl::Fx12 | Decl::Fx9) => Inputs::Pairs,
            (2, _) => Inputs::Stratified { per_cell: 16, random: 1 << 24, seed: 1 },
            _ => Inputs::Tuples { random: 1 << 24, seed: 1 },
        }
    }

    /// Operation and format by name, checked for being sweepable.
    pub fn resolve(op: &str, format: &str) -> Result<(Op, Decl), PlanError> {
        let found = Op::from_name(op).ok_or_else(|| PlanError::Op(op.into()))?;
        let info = found.info();
        let floats = info.result == Kind::F && info.args.iter().all(|k| *k == Kind::F);
        if !floats || matches!(info.family, Family::Bits) {
            return Err(PlanError::Shape(op.into()));
        }
        // `mediump` is one of the others under every model.
        let decl = Decl::from_name(format).filter(|decl| Decl::WITH_RULES.contains(decl));
        let decl = decl.ok_or_else(|| PlanError::Format(format.into()))?;
        Ok((found, decl))
    }

    /// Checks the inputs and binds the models. `against` is the other model where the plan names one.
    pub fn bind(&self, model: &Model, against: Option<&Model>) -> Result<BoundPlan, PlanError> {
        let (op, decl) = Plan::resolve(&self.op, &self.format)?;
        let arity = op.info().args.len();
        self.check_inputs(decl, arity)?;
        let slot = Slot::plain(decl);
        let rule = model.rule(op, &slot, model.storage(decl)).0;
        let ieee = |decl: Decl, format: Format| Rule::ieee(decl, format).normalised(op);
        let correct = Rule { round: Round::NearestEven, ..ieee(decl, decl.format()) };
        let reference = match (&self.against, against) {
            (Against::Model(_), Some(other)) => Reference::Rule(other.rule(op, &slot, other.storage(decl)).0),
            _ => Reference::Wide(ieee(decl, Format::F64)),
        };
        let operations = Operations::new(op, [&rule, &correct, reference.rule()], Interpreter::operation);
        Ok(BoundPlan { op, decl, arity, same: rule == correct, rule, correct, reference, profile: None, operations })
    }

    /// Whether the inputs can be numbered for an operation of `arity` operands.
    pub(crate) fn check_inputs(&self, decl: Decl, arity: usize) -> Result<(), PlanError> {
        let fits = match self.inputs {
            Inputs::Unary { first, last } => {
                if arity != 1 {
                    return Err(PlanError::Inputs(format!(
                        "`{}` has {arity} operands; --range needs a unary operation",
                        self.op
                    )));
                }
                if width(decl) > 32 {
                    return Err(PlanError::Inputs("binary64 has too many patterns to sweep over a range".into()));
                }
                first <= last && last >> width(decl) == 0
            }
            Inputs::Pairs => arity == 2 && width(decl) <= 16,
            Inputs::Stratified { per_cell, random, .. } => {
                let cells = 1u64 << (2 * (width(decl) - 1)).min(40);
                arity == 2
                    && matches!(decl, Decl::F32 | Decl::F16)
                    && cells.checked_mul(u64::from(per_cell)).is_some()
                    && random < 1 << 48
            }
            Inputs::Tuples { random, .. } => random < 1 << 48,
        };
        if !fits {
            return Err(PlanError::Inputs(format!(
                "these inputs do not fit `{}` with {arity} operands of {}",
                self.op, self.format
            )));
        }
        Ok(())
    }

    /// A name for a folder: operation, format and model, and eight digits for the rest where that is not the default.
    pub fn folder(&self) -> String {
        let plain =
            |text: &str| text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect::<String>();
        let name = [&self.op, &self.format, &self.model].map(|text| plain(text)).join("-");
        /// Names of folders end at 255 bytes on most systems.
        const LONGEST: usize = 100;
        let name = match name.get(..LONGEST) {
            Some(start) if start.len() < name.len() => format!("{start}-{:08x}", hash(&self.model) >> 32),
            _ => name,
        };
        let inputs = Plan::resolve(&self.op, &self.format).map(|(op, decl)| Plan::default_inputs(op, decl));
        if inputs.as_ref() == Ok(&self.inputs) && self.against == Against::Exact && self.profile.is_none() {
            return name;
        }
        let rest = format!("{:?}{:?}{:?}", self.inputs, self.against, self.profile);
        format!("{name}-{:08x}", hash(&rest) >> 32)
    }

    /// Number of inputs.
    pub fn count(&self) -> Result<u64, PlanError> {
        let (op, decl) = Plan::resolve(&self.op, &self.format)?;
        Ok(self.inputs.count(decl, op.info().args.len()))
    }
}
