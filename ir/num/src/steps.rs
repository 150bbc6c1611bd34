//! Formulas that are chains of other operations, and the rules of their steps.

use crate::{ComputedIn, Denormals, Div, Format, Infinite, Op, Overflow, Pow, Rule, Saturate, Sqrt, Storage, ulp};
use std::collections::HashSet;
use std::fmt;
use std::sync::{Mutex, PoisonError};

/// An operation computed by others, one after the other. The last one's rule is the operation's own.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Chain {
    /// What comes before the last.
    pub(crate) first: &'static [Op],
    /// What gives the result.
    pub(crate) last: Op,
}

impl Chain {
    /// The rule of the last step: the operation's own without its formula.
    pub(crate) fn last_rule(&self, rule: &Rule) -> Rule {
        Rule { steps: StepRules::OWN, ..*rule }
    }
}

/// The chain that computes `op` under `rule`, if one does.
pub(crate) fn chain(op: Op, rule: &Rule) -> Option<Chain> {
    let float = matches!(rule.format, Format::Float(_));
    Some(match op {
        Op::Nrm => Chain { first: &[Op::Dot3, Op::Rsq], last: Op::Mul },
        Op::Pow if rule.pow != Pow::C => Chain { first: &[Op::Log2, Op::Mul], last: Op::Exp2 },
        Op::LitZ if rule.pow != Pow::C && float => Chain { first: &[Op::Log2, Op::Mul], last: Op::Exp2 },
        Op::Div if rule.div != Div::Direct && float => Chain { first: &[Op::Rcp], last: Op::Mul },
        Op::Sqrt if rule.sqrt == Sqrt::ReciprocalOfRsq && float => Chain { first: &[Op::Rsq], last: Op::Rcp },
        Op::Sqrt if rule.sqrt == Sqrt::TimesRsq && float => Chain { first: &[Op::Rsq], last: Op::Mul },
        _ => return None,
    })
}

/// Rules of the steps of a chain but the last, where they are not the rule of the chain itself. Equal rules are stored
/// once for the life of the program, so that a [`Rule`] stays a plain record that is copied and compared.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct StepRules(Option<&'static [Rule]>);

/// Every list of rules handed out.
static KNOWN: Mutex<Option<HashSet<&'static [Rule]>>> = Mutex::new(None);

impl StepRules {
    /// Each step has the rule of the chain.
    pub const OWN: StepRules = StepRules(None);

    /// The given rules, one per step.
    pub(crate) fn new(rules: &[Rule]) -> StepRules {
        // A set is stored whole: a thread that panicked leaves nothing half written.
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let known = known.get_or_insert_with(HashSet::new);
        if let Some(found) = known.get(rules) {
            return StepRules(Some(found));
        }
        let kept: &'static [Rule] = Box::leak(rules.into());
        known.insert(kept);
        StepRules(Some(kept))
    }

    /// The rule of a step.
    fn get(self, step: usize) -> Option<Rule> {
        self.0.and_then(|rules| rules.get(step).copied())
    }
}

impl fmt::Debug for StepRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            None => f.write_str("own"),
            Some(rules) => f.debug_list().entries(rules).finish(),
        }
    }
}

impl Rule {
    /// The rule without what the instruction asks of its result: no clamp, no scale.
    pub fn unclamped(&self) -> Rule {
        Rule { saturate: Saturate::None, scale: 0, steps: StepRules::OWN, ..*self }
    }

    /// The rule of a function of a narrow format that is computed in binary32, before its result is rounded to the format.
    pub fn in_single(&self) -> Rule {
        Rule {
            format: Format::F32,
            storage: Storage::F32,
            source: Storage::F32,
            denorm_in: Denormals::Keep,
            denorm_out: Denormals::Keep,
            overflow: Overflow::Ieee,
            infinite: Infinite::Keep,
            computed_in: ComputedIn::Own,
            ..self.unclamped()
        }
    }

    /// The bound of the exponent in LIT's specular term, as the nearest number that the operation's format has: the exponent is an
    /// operand of the power, so nothing else can be there. `None` for no bound.
    pub fn exponent_bound(&self) -> Option<f64> {
        let bound = f64::from(f32::from_bits(self.lit.clamp?));
        let plain = Rule::ieee(self.decl, self.format);
        Some(ulp::to_f64(ulp::from_f64(bound, &plain), plain.storage))
    }

    /// The rule of a step of the operation's chain.
    pub fn step(&self, step: usize) -> Rule {
        self.steps.get(step).unwrap_or_else(|| self.unclamped())
    }
}
