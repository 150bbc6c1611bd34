//! Whether a function is sound: types, scopes, terminators.

use crate::function::{Function, Kind, OpNumber, RegionNumber};
use crate::prim::Ty;
use crate::program::Id;
use crate::rules;
use parallax_core::{Effect, EntityRef, MAX_DEPTH, OpKind, Operand, TexMode, Type};

/// Checks a function.
///
/// # Errors
/// What is wrong, in order of appearance; at most one problem for each op.
pub fn verify(function: &Function) -> Result<(), Vec<String>> {
    let mut checker = Checker {
        function,
        made: vec![false; function.values.len()],
        seen: vec![false; function.regions.len()],
        owners: Vec::new(),
        problems: Vec::new(),
    };
    if (function.body as usize) < function.regions.len() {
        checker.region(function.body, None);
    } else {
        checker.problems.push("the body does not exist".to_string());
    }
    if checker.problems.is_empty() { Ok(()) } else { Err(checker.problems) }
}

struct Checker<'a> {
    function: &'a Function,
    /// Values that may be used here.
    made: Vec<bool>,
    seen: Vec<bool>,
    /// Ops that hold the region.
    owners: Vec<OpNumber>,
    problems: Vec<String>,
}

type Check = Result<(), String>;

impl Checker<'_> {
    fn region(&mut self, region: RegionNumber, owner: Option<OpNumber>) {
        let function = self.function;
        let Some(data) = function.regions.get(region as usize) else {
            return self.problems.push(format!("region {region} does not exist"));
        };
        if self.owners.len() > MAX_DEPTH || std::mem::replace(&mut self.seen[region as usize], true) {
            return self.problems.push(format!("region {region} is nested too deeply, or occurs twice"));
        }
        let mut here: Vec<Id> = Vec::new();
        for &param in &data.params {
            self.define(param, &mut here);
        }
        for (n, &number) in data.ops.iter().enumerate() {
            let Some(op) = function.ops.get(number as usize) else {
                self.problems.push(format!("op {number} does not exist"));
                continue;
            };
            let ends = matches!(op.kind, Kind::Ir(kind) if kind.effect() == Effect::Terminator);
            if ends != (n + 1 == data.ops.len()) {
                self.problems.push(format!("op {number}: a region ends in its only terminator"));
            }
            if let Err(problem) = self.op(number, owner) {
                self.problems.push(format!("op {number}: {problem}"));
            }
            self.owners.push(number);
            for inner in op.regions() {
                self.region(inner, Some(number));
            }
            self.owners.pop();
            for result in op.results() {
                self.define(result, &mut here);
            }
        }
        if data.ops.is_empty() {
            self.problems.push(format!("region {region} is empty"));
        }
        for value in here {
            self.made[value as usize] = false;
        }
    }

    fn define(&mut self, value: Id, here: &mut Vec<Id>) {
        match self.made.get_mut(value as usize) {
            Some(made) if !*made => {
                *made = true;
                here.push(value);
            }
            _ => self.problems.push(format!("value {value} is defined twice, or does not exist")),
        }
    }

    fn types(&self, values: &[Id]) -> Result<Vec<Ty>, String> {
        let one = |&value: &Id| match self.made.get(value as usize) {
            Some(true) => Ok(self.function.values[value as usize]),
            _ => Err(format!("value {value} is not defined here")),
        };
        values.iter().map(one).collect()
    }

    fn result_types(&self, values: impl IntoIterator<Item = Id>) -> Vec<Ty> {
        values.into_iter().filter_map(|v| self.function.values.get(v as usize).copied()).collect()
    }

    fn op(&self, number: OpNumber, owner: Option<OpNumber>) -> Check {
        let function = self.function;
        let op = &function.ops[number as usize];
        let args = self.types(function.args(op))?;
        let results = self.result_types(op.results());
        match op.kind {
            Kind::Step(inst) => {
                if let Some(problem) = inst.check(&args) {
                    return Err(problem);
                }
                same(&results, &[inst.result()], "result")
            }
            Kind::Call(call) | Kind::Redo(call) => {
                let call = self.function.calls.get(call as usize).ok_or("its call does not exist")?;
                let rule = parallax_num::Rule { source: call.source, ..call.rule };
                let result = rules::result(call.op, &rule);
                let mut asked = Vec::new();
                if matches!(op.kind, Kind::Redo(_)) {
                    asked.extend([Ty::Mask, result]);
                }
                asked.extend(rules::params(call.op, &rule));
                same(&args, &asked, "operand")?;
                same(&results, &[result], "result")
            }
            Kind::Trace(_) => same(&results, &[], "result"),
            Kind::Ir(kind) => self.ir(number, kind, &args, &results, owner),
        }
    }

    /// An op of the IR, whose floats are patterns or `f32`.
    fn ir(&self, number: OpNumber, kind: OpKind, args: &[Ty], results: &[Ty], owner: Option<OpNumber>) -> Check {
        let op = &self.function.ops[number as usize];
        let regions = match kind {
            OpKind::If => 2,
            OpKind::Loop | OpKind::Block => 1,
            _ => 0,
        };
        if op.regions().len() != regions {
            return Err(format!("{kind} holds {regions} regions, found {}", op.regions().len()));
        }
        match kind {
            OpKind::Num(_) | OpKind::Library(_) | OpKind::Literal(_) | OpKind::Select | OpKind::Deriv { .. } => {
                Err(format!("{kind} is arithmetic"))
            }
            OpKind::If => {
                let mut asked = vec![Ty::Mask];
                asked.extend(results);
                same(args, &asked, "operand")
            }
            OpKind::Block => same(args, results, "operand"),
            OpKind::Loop => {
                let mut asked = self.params(number);
                asked.extend(results);
                same(args, &asked, "operand")
            }
            OpKind::Yield => {
                let asked = match owner {
                    None => Vec::new(),
                    Some(owner) if matches!(self.function.ops[owner as usize].kind, Kind::Ir(OpKind::Loop)) => {
                        return Err("a loop's body ends in `break` or `continue`".to_string());
                    }
                    Some(owner) => self.result_types(self.function.ops[owner as usize].results()),
                };
                same(args, &asked, "operand")
            }
            OpKind::Break(target) | OpKind::Continue(target) => {
                let target = target.index() as OpNumber;
                let again = matches!(kind, OpKind::Continue(_));
                let held = self.owners.contains(&target);
                let fits = held
                    && match self.function.ops[target as usize].kind {
                        Kind::Ir(OpKind::Loop) => true,
                        Kind::Ir(OpKind::Block) => !again,
                        _ => false,
                    };
                if !fits {
                    return Err(format!("{kind} does not name an enclosing loop or block"));
                }
                let asked = if again {
                    self.params(target)
                } else {
                    self.result_types(self.function.ops[target as usize].results())
                };
                same(args, &asked, "operand")
            }
            OpKind::ArrayLoad(array) | OpKind::ArrayStore(array) => {
                let (ty, _) = self.function.arrays.get(array.index()).ok_or("its array does not exist")?;
                let load = matches!(kind, OpKind::ArrayLoad(_));
                if load { same(args, &[Ty::I32], "operand") } else { same(args, &[Ty::I32, *ty], "operand") }?;
                if load { same(results, &[*ty], "result") } else { same(results, &[], "result") }
            }
            OpKind::Out { index, comp } => {
                let output = self.function.outputs.get(usize::from(index));
                let ty =
                    output.and_then(|o| *o.get(usize::from(comp))?).ok_or("its output component does not exist")?;
                same(args, &[ty.ty], "operand")
            }
            OpKind::Tex(tex) => {
                let ty = if tex.mode == TexMode::Fetch { Ty::I32 } else { Ty::F32 };
                same(args, &vec![ty; kind.operands().len()], "operand")?;
                same(results, &[if tex.bits { Ty::I32 } else { Ty::F32 }; 4], "result")
            }
            OpKind::QuadXor { .. } => same(args, results, "operand"),
            OpKind::QuadShuffle => {
                let mut asked = results.to_vec();
                asked.push(Ty::I32);
                same(args, &asked, "operand")
            }
            other => {
                let fixed = |operand: &Operand| match operand {
                    Operand::Is(Type::Pred) => Ty::Mask,
                    Operand::Is(Type::I64) => Ty::I64,
                    _ => Ty::I32,
                };
                same(args, &other.operands().iter().map(fixed).collect::<Vec<_>>(), "operand")?;
                same(results, &other.results().iter().map(fixed).collect::<Vec<_>>(), "result")
            }
        }
    }

    /// Types of the parameters of a loop.
    fn params(&self, number: OpNumber) -> Vec<Ty> {
        let region = self.function.ops[number as usize].regions().next();
        let region = region.and_then(|region| self.function.regions.get(region as usize));
        region.map_or(Vec::new(), |region| self.result_types(region.params.iter().copied()))
    }
}

fn same(found: &[Ty], asked: &[Ty], what: &str) -> Check {
    if found == asked {
        return Ok(());
    }
    let names = |types: &[Ty]| types.iter().map(|ty| ty.name()).collect::<Vec<_>>().join(", ");
    Err(format!("its {what}s are ({}), expected ({})", names(found), names(asked)))
}
