//! The single gate in front of every consumer.
//!
//! [`verify`] checks every rule of the evaluation contract and of [`OpKind`] on any [`Func`], however broken: ids are
//! looked up before they are used, and the region tree is walked at most [`MAX_DEPTH`] deep and each region once. All
//! violations are reported, each under a stable code (listed in [`CODES`]) and with the op at fault named.

mod bound;
mod shape;
#[cfg(test)]
mod tests;

use crate::{
    Bound, Effect, EntityRef, Func, OpData, OpId, OpKind, RegionId, Shader, Symbolic, Type, ValueDef, ValueId,
};
use parallax_text::{Code, Diag};

/// Regions may be nested this deep, the body counted as 1. Passes and readers may recurse over regions.
pub const MAX_DEPTH: usize = 256;

/// Arrays may hold this many elements together.
pub const MAX_ARRAY_ELEMENTS: u64 = 1 << 16;

/// Every code a violation may carry, with the rule it stands for.
pub const CODES: &[(Code, &str)] = &[
    ("ir-entity", "ids name an entity of the function"),
    ("ir-shared", "a region belongs to one op, an op to one region, a value to one definition"),
    ("ir-depth", "regions are nested at most 256 deep"),
    ("ir-dominance", "operands are defined before their use, in the same region or one around it"),
    ("ir-terminator", "the last op of a region, and only the last, is a terminator"),
    ("ir-yield", "`yield` ends the body, an arm of an `if` or a block"),
    ("ir-target", "`break` leaves a loop or block around it, `continue` a loop around it"),
    ("ir-edge", "terminators pass what the results or parameters at their target ask for"),
    ("ir-regions", "`if` has two regions, `loop` and `block` one, all others none"),
    ("ir-params", "only the region of a loop has parameters, of the types of the loop's operands"),
    ("ir-initial", "`if`, `block` and `loop` have an initial operand for each result, of its type"),
    ("ir-operands", "an op has the operands its kind asks for"),
    ("ir-results", "an op has the results its kind asks for"),
    (
        "ir-slot",
        "an op names a slot exactly where its kind asks for one, of the format of its float operands and result",
    ),
    ("ir-slot-scale", "a slot scales by 2^-3 to 2^3"),
    ("ir-literal", "a literal's bits are a pattern of its type"),
    ("ir-comp", "components are 0 to 3"),
    ("ir-quad", "quad masks are 1 to 3"),
    ("ir-group", "subgroups are reduced by some operations, in clusters of a power of two"),
    ("ir-interface", "attributes, banks, buffers, outputs and texture units are declared"),
    ("ir-output", "an output component is written with the type declared for it"),
    ("ir-array", "arrays hold 1 to 2^16 elements together"),
    ("ir-library", "a bound shader holds no function that a library expands"),
    ("ir-rule", "a bound op has a rule exactly where it has a slot; a symbolic one has none"),
    ("ir-storage", "a rule's container is the container of the slot's format"),
];

/// What the verifier has to know of a shader's state.
pub trait State: sealed::Sealed {
    /// The binding, in bound shaders.
    fn bound(&self) -> Option<&Bound>;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for crate::Symbolic {}
    impl Sealed for crate::Bound {}
}

impl State for Symbolic {
    fn bound(&self) -> Option<&Bound> {
        None
    }
}

impl State for Bound {
    fn bound(&self) -> Option<&Bound> {
        Some(self)
    }
}

/// Proof that a shader passed [`verify`]. Backends take this, never a bare shader.
#[derive(Debug)]
pub struct Verified<'a, S>(&'a Shader<S>);

impl<S> Clone for Verified<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for Verified<'_, S> {}

impl<'a, S> Verified<'a, S> {
    /// The shader.
    pub fn shader(self) -> &'a Shader<S> {
        self.0
    }
}

/// Checks every rule of the IR. All violations are reported, not the first; never panics.
pub fn verify<S: State>(shader: &Shader<S>) -> Result<Verified<'_, S>, Vec<Diag>> {
    let found = violations(shader);
    if found.is_empty() { Ok(Verified(shader)) } else { Err(found.into_iter().map(|(_, diag)| diag).collect()) }
}

/// All violations, with the op that each is about.
pub fn violations<S: State>(shader: &Shader<S>) -> Vec<(Option<OpId>, Diag)> {
    let mut checker = Checker::new(&shader.func, shader.state.bound());
    checker.run();
    checker.found
}

struct Checker<'a> {
    func: &'a Func,
    bound: Option<&'a Bound>,
    found: Vec<(Option<OpId>, Diag)>,
    /// Regions and ops met so far.
    seen_regions: Vec<bool>,
    seen_ops: Vec<bool>,
    /// Whether a value is visible where the walk stands.
    visible: Vec<bool>,
    /// Whether a definition of the value was met.
    defined: Vec<bool>,
    /// Visible values in order of definition.
    scope: Vec<ValueId>,
    /// Ops that hold the regions around the place where the walk stands; `None` for the body.
    owners: Vec<Option<OpId>>,
}

impl<'a> Checker<'a> {
    fn new(func: &'a Func, bound: Option<&'a Bound>) -> Self {
        Checker {
            func,
            bound,
            found: Vec::new(),
            seen_regions: vec![false; func.regions.len()],
            seen_ops: vec![false; func.ops.len()],
            visible: vec![false; func.values.len()],
            defined: vec![false; func.values.len()],
            scope: Vec::new(),
            owners: Vec::new(),
        }
    }

    /// Reports a violation at an op.
    #[cold]
    #[inline(never)]
    fn report(&mut self, code: Code, op: OpId, message: impl std::fmt::Display) {
        let place = self.describe(op);
        self.found.push((Some(op), Diag::internal(code, None, format!("{place}: {message}"))));
    }

    /// Reports a violation of the whole function.
    fn report_func(&mut self, code: Code, message: impl Into<String>) {
        self.found.push((None, Diag::internal(code, None, message)));
    }

    /// How an op is named in messages: its first result, or its own id, and its kind.
    fn describe(&self, op: OpId) -> String {
        match self.func.ops.get(op) {
            Some(data) => match data.results.first() {
                Some(result) => format!("`{result} = {}`", data.kind),
                None => format!("`{}` {op}", data.kind),
            },
            None => format!("{op}"),
        }
    }

    fn run(&mut self) {
        self.header();
        if self.func.regions.get(self.func.body).is_none() {
            self.report_func("ir-entity", format!("the body {} does not exist", self.func.body));
            return;
        }
        self.region(self.func.body, None);
    }

    fn header(&mut self) {
        let elements: u64 = self.func.arrays.values().map(|a| u64::from(a.len)).sum();
        if elements > MAX_ARRAY_ELEMENTS {
            self.report_func("ir-array", format!("arrays hold {elements} elements, more than {MAX_ARRAY_ELEMENTS}"));
        }
        for (id, array) in self.func.arrays.iter() {
            if array.len == 0 {
                self.report_func("ir-array", format!("array {id} has no elements"));
            }
        }
        for (id, slot) in self.func.slots.iter() {
            if !(-3..=3).contains(&slot.scale) {
                self.report_func("ir-slot-scale", format!("slot {id} scales by 2^{}", slot.scale));
            }
        }
    }

    fn region(&mut self, region: RegionId, owner: Option<OpId>) {
        let func = self.func;
        let Some(data) = func.regions.get(region) else { return };
        self.seen_regions[region.index()] = true;
        if self.owners.len() == MAX_DEPTH {
            let message = format!("{region} is nested more than {MAX_DEPTH} deep");
            match owner {
                Some(op) => self.report("ir-depth", op, message),
                None => self.report_func("ir-depth", message),
            }
            return;
        }
        let outer = self.scope.len();
        self.owners.push(owner);
        self.params(region, owner);
        for (at, &op) in data.ops.iter().enumerate() {
            let Some(op_data) = func.ops.get(op) else {
                self.report_func("ir-entity", format!("{region} holds {op}, which does not exist"));
                continue;
            };
            if std::mem::replace(&mut self.seen_ops[op.index()], true) {
                self.report("ir-shared", op, format_args!("stands in more than one place, again in {region}"));
                continue;
            }
            self.op(op, op_data, at + 1 == data.ops.len());
        }
        if data.ops.is_empty() {
            let message = format!("{region} is empty; expected a terminator");
            match owner {
                Some(op) => self.report("ir-terminator", op, message),
                None => self.report_func("ir-terminator", message),
            }
        }
        for value in self.scope.drain(outer..) {
            self.visible[value.index()] = false;
        }
        self.owners.pop();
    }

    /// Makes a value visible, checking that it says the same of its definition.
    fn define(&mut self, value: ValueId, def: ValueDef, what: &str, op: Option<OpId>) {
        let problem = match self.func.values.get(value) {
            None => Some(("ir-entity", format!("{what} {value} does not exist"))),
            Some(_) if self.defined[value.index()] => Some(("ir-shared", format!("{what} {value} is defined twice"))),
            Some(data) if data.def != def => {
                Some(("ir-shared", format!("{what} {value} says that it is defined elsewhere")))
            }
            Some(_) => None,
        };
        if let Some((code, message)) = problem {
            match op {
                Some(op) => self.report(code, op, message),
                None => self.report_func(code, message),
            }
        }
        if let Some(defined) = self.defined.get_mut(value.index()) {
            *defined = true;
            self.visible[value.index()] = true;
            self.scope.push(value);
        }
    }

    fn params(&mut self, region: RegionId, owner: Option<OpId>) {
        let func = self.func;
        let params = &func.regions[region].params;
        for (n, &param) in params.iter().enumerate() {
            self.define(param, ValueDef::Param(region, n as u16), "parameter", owner);
        }
        let owner_data = owner.and_then(|op| func.ops.get(op));
        match (owner, owner_data) {
            (Some(op), Some(data)) if data.kind == OpKind::Loop => {
                let first = &data.args[..data.args.len() - data.initial().len()];
                if !self.same_types(params, first) {
                    let (found, asked) = (self.types(params), self.types(first));
                    self.report("ir-params", op, format_args!("parameters are ({found}), operands ({asked})"));
                }
            }
            (Some(op), _) if !params.is_empty() => {
                self.report("ir-params", op, format_args!("{region} has parameters; only loops pass some"));
            }
            (None, _) if !params.is_empty() => self.report_func("ir-params", "the body has parameters"),
            _ => {}
        }
    }

    /// Type of a value, if it exists.
    fn ty(&self, value: ValueId) -> Option<Type> {
        self.func.values.get(value).map(|v| v.ty)
    }

    fn same_types(&self, a: &[ValueId], b: &[ValueId]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| self.ty(a) == self.ty(b))
    }

    /// Types of a list of values, for messages.
    fn types(&self, values: &[ValueId]) -> String {
        let names: Vec<&str> = values.iter().map(|&v| self.ty(v).map_or("?", Type::name)).collect();
        names.join(", ")
    }

    fn op(&mut self, op: OpId, data: &OpData, last: bool) {
        for (n, &arg) in data.args.iter().enumerate() {
            if self.func.values.get(arg).is_none() {
                self.report("ir-entity", op, format_args!("operand {n} is {arg}, which does not exist"));
            } else if !self.visible[arg.index()] {
                self.report("ir-dominance", op, format_args!("operand {n}, {arg}, is not visible here"));
            }
        }
        for &source in &data.origins {
            if !self.func.sources.contains(source) {
                self.report("ir-entity", op, format_args!("origin {source} does not exist"));
            }
        }
        let effect = data.kind.effect();
        let is_terminator = effect == Effect::Terminator;
        if is_terminator != last {
            let message =
                if last { "ends a region, but is no terminator" } else { "stands before the end of a region" };
            self.report("ir-terminator", op, message);
        }
        self.shape(op, data);
        self.binding(op, data);

        if effect == Effect::Control {
            // The first values of a loop are compared with its parameters.
            let initial = match data.kind {
                OpKind::If => data.args.get(1..).unwrap_or(&[]),
                OpKind::Loop => data.initial(),
                _ => &data.args,
            };
            if !self.same_types(initial, &data.results) {
                let (found, asked) = (self.types(initial), self.types(&data.results));
                self.report("ir-initial", op, format_args!("initial operands are ({found}), results ({asked})"));
            }
        }

        // Results of a control op are not visible in its own regions.
        let asked = match data.kind {
            OpKind::If => 2,
            OpKind::Loop | OpKind::Block => 1,
            _ => 0,
        };
        if data.regions.len() != asked {
            let found = data.regions.len();
            self.report("ir-regions", op, format_args!("expected {asked} regions, found {found}"));
        }
        for &region in &data.regions {
            if self.func.regions.get(region).is_none() {
                self.report("ir-entity", op, format_args!("{region} does not exist"));
            } else if self.seen_regions[region.index()] {
                self.report("ir-shared", op, format_args!("{region} is used more than once"));
            } else {
                self.region(region, Some(op));
            }
        }
        if is_terminator {
            self.terminator(op, data);
        }
        for (n, &result) in data.results.iter().enumerate() {
            self.define(result, ValueDef::Result(op, n as u16), "result", Some(op));
        }
    }

    fn terminator(&mut self, op: OpId, data: &OpData) {
        let func = self.func;
        let kind_of = |op: OpId| func.ops.get(op).map(|d| d.kind);
        match data.kind {
            OpKind::Yield => match self.owners.last().copied().flatten() {
                None => self.edge(op, data, &[], "the body"),
                Some(owner) => match kind_of(owner) {
                    Some(OpKind::Loop) => {
                        self.report("ir-yield", op, "a loop's body ends in `break` or `continue`, not in `yield`");
                    }
                    _ => {
                        let results = func.ops.get(owner).map(|d| &d.results[..]).unwrap_or(&[]);
                        self.edge(op, data, results, "the results");
                    }
                },
            },
            OpKind::Break(target) | OpKind::Continue(target) => {
                let is_break = matches!(data.kind, OpKind::Break(_));
                let inside = self.owners.contains(&Some(target));
                match func.ops.get(target) {
                    None => self.report("ir-entity", op, format_args!("target {target} does not exist")),
                    Some(_) if !inside => {
                        self.report("ir-target", op, format_args!("target {target} does not enclose it"));
                    }
                    Some(at) => match at.kind {
                        OpKind::Loop if !is_break => {
                            let region = at.regions.first().and_then(|&r| func.regions.get(r));
                            let params = region.map(|r| &r.params[..]).unwrap_or(&[]);
                            self.edge(op, data, params, "the parameters");
                        }
                        OpKind::Loop => self.edge(op, data, &at.results, "the results"),
                        OpKind::Block if is_break => self.edge(op, data, &at.results, "the results"),
                        other => {
                            self.report("ir-target", op, format_args!("target {target} is {other}"));
                        }
                    },
                }
            }
            _ => {}
        }
    }

    /// Compares what a terminator passes with what stands at its target.
    fn edge(&mut self, op: OpId, data: &OpData, asked: &[ValueId], what: &str) {
        if !self.same_types(&data.args, asked) {
            let (found, asked) = (self.types(&data.args), self.types(asked));
            self.report("ir-edge", op, format_args!("passes ({found}), {what} at its target are ({asked})"));
        }
    }
}
