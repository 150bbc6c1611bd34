//! Regions, and where values live.
//!
//! Results and parameters of control ops are variables of the function; a driver makes values of them again. A loop, and a block
//! that is left from inside, is a loop of SPIR-V. Who leaves more than the innermost of these says so in a variable that is
//! looked at behind each.

use crate::entry::Main;
use crate::module::Id;
use parallax_core::OpKind;
use parallax_step::words::{Classes, Sink, Value, WordInst, WordKind, learn};
use parallax_step::{Kind, OpNumber, Prim, RegionNumber, Ty};
use rspirv::spirv::{LoopControl, Op, SelectionControl, StorageClass};
use std::collections::BTreeSet;

/// Variables of the words of a value.
pub(crate) type Local = Vec<(Id, Ty)>;

/// A control op around.
pub(crate) struct Nest {
    op: OpNumber,
    merge: Id,
    /// Where the next iteration is entered; `None` of what is no loop of SPIR-V.
    next: Option<Id>,
    results: Vec<Local>,
    params: Vec<Local>,
    /// What is left through this one.
    passing: BTreeSet<u32>,
}

/// The number that says what is left, or started again, from further in.
const fn code(depth: usize, again: bool) -> u32 {
    depth as u32 * 2 + again as u32 + 1
}

/// The words of a float: two, or one twice.
fn both(words: &[Id]) -> [Id; 2] {
    [words[0], words[words.len() - 1]]
}

impl Sink for Main<'_> {
    fn constant(&self, id: Id) -> Option<u32> {
        self.constants.get(&id).copied()
    }

    fn make(&mut self, inst: WordInst) -> Id {
        if let Some(&known) = self.known.get(&inst) {
            return known;
        }
        let constants = &self.constants;
        let constant = |id: Id| constants.get(&id).copied();
        let id = self.shared.emit(&mut self.module, &mut self.code, &inst, &constant);
        match inst.kind {
            WordKind::Step(Prim::Const, _, word) => drop(self.constants.insert(id, word)),
            _ => self.made.push(inst.clone()),
        }
        self.known.insert(inst, id);
        id
    }

    fn classes(&self, words: &[Id]) -> Option<Classes> {
        self.classes.get(&both(words)).copied()
    }

    fn note(&mut self, words: &[Id], classes: Classes) {
        self.classes.entry(both(words)).and_modify(|known| *known = known.and(classes)).or_insert(classes);
    }
}

impl Main<'_> {
    // ---- values ----

    /// The words of a value of step form.
    pub(crate) fn value(&self, id: parallax_step::Id) -> Value {
        self.values.get(id as usize).copied().flatten().unwrap_or(Value::One(0))
    }

    pub(crate) fn set(&mut self, id: parallax_step::Id, value: Value) {
        self.values[id as usize] = Some(value);
    }

    /// A plain instruction with a result.
    pub(crate) fn op(&mut self, op: Op, ty: Id, operands: &[Id]) -> Id {
        let id = self.module.id();
        self.code.op(op, &[&[ty, id], operands].concat());
        id
    }

    /// Variables for a value of a type.
    pub(crate) fn local(&mut self, ty: Ty) -> Local {
        let word = if ty == Ty::Mask { Ty::Mask } else { Ty::I32 };
        (0..1 + usize::from(ty.is_wide())).map(|_| (self.variable(word, None), word)).collect()
    }

    /// A variable of the function for a word or a mask.
    pub(crate) fn variable(&mut self, word: Ty, first: Option<Id>) -> Id {
        let ty = if word == Ty::Mask { self.module.bool() } else { self.module.word() };
        self.variable_of(ty, first)
    }

    pub(crate) fn variable_of(&mut self, ty: Id, first: Option<Id>) -> Id {
        let pointer = self.module.pointer(StorageClass::Function, ty);
        let id = self.module.id();
        let mut operands = vec![pointer, id, StorageClass::Function as u32];
        operands.extend(first);
        self.locals.op(Op::Variable, &operands);
        id
    }

    pub(crate) fn load(&mut self, local: &Local) -> Value {
        let words: Vec<Id> = local.iter().map(|&(variable, ty)| self.load_word(variable, ty)).collect();
        match words[..] {
            [low, high] => Value::Two([low, high]),
            _ => Value::One(words[0]),
        }
    }

    pub(crate) fn load_word(&mut self, variable: Id, ty: Ty) -> Id {
        let ty = if ty == Ty::Mask { self.module.bool() } else { self.module.word() };
        self.op(Op::Load, ty, &[variable])
    }

    pub(crate) fn store(&mut self, local: &Local, value: Value) {
        for (&(variable, _), &word) in local.iter().zip(value.words()) {
            self.code.op(Op::Store, &[variable, word]);
        }
    }

    fn store_all(&mut self, locals: &[Local], values: &[Value]) {
        for (local, &value) in locals.iter().zip(values) {
            self.store(local, value);
        }
    }

    // ---- blocks ----

    fn label(&mut self, id: Id) {
        self.code.op(Op::Label, &[id]);
    }

    fn branch(&mut self, to: Id) {
        self.code.op(Op::Branch, &[to]);
    }

    /// Goes to `then` where `mask` is true, and there on to `merge`.
    pub(crate) fn branch_if(&mut self, mask: Id, then: Id, otherwise: Id, merge: Id) {
        self.code.op(Op::SelectionMerge, &[merge, SelectionControl::NONE.bits()]);
        self.code.op(Op::BranchConditional, &[mask, then, otherwise]);
    }

    /// The ops of a region. A `yield` goes to the end of the innermost nest; at the end of the function nothing is done.
    pub(crate) fn region(&mut self, region: RegionNumber) {
        let before = self.made.len();
        let steps = self.steps;
        for &number in &steps.regions[region as usize].ops {
            let op = &steps.ops[number as usize];
            let args: Vec<Value> = steps.args(op).iter().map(|&arg| self.value(arg)).collect();
            match &op.kind {
                Kind::Step(inst) => {
                    let value = self.primitive(inst, &args);
                    if let Some(&facts) = steps.facts.get(op.result() as usize) {
                        learn(self, inst.result(), value, facts);
                    }
                    self.set(op.result(), value);
                }
                Kind::Redo(call) => {
                    let value = self.redo(*call, &args);
                    self.set(op.result(), value);
                }
                Kind::Call(call) if self.is_native(*call) => {
                    let value = self.native(number, *call, &args);
                    self.set(op.result(), value);
                }
                Kind::Call(call) => {
                    if let Some(value) = self.in_integers(*call, &args) {
                        self.set(op.result(), value);
                        continue;
                    }
                    self.refuse_call(*call, "has no step program");
                    self.zeros(op.results());
                }
                Kind::Ir(OpKind::If | OpKind::Block | OpKind::Loop) => self.control(number, &args),
                Kind::Ir(OpKind::Yield) => self.end(&args),
                Kind::Ir(OpKind::Break(target)) => self.leave(target_number(*target), false, &args),
                Kind::Ir(OpKind::Continue(target)) => self.leave(target_number(*target), true, &args),
                Kind::Ir(kind) => self.effect(number, *kind, &args),
                Kind::Trace(_) => {}
            }
        }
        for inst in self.made.drain(before..) {
            self.known.remove(&inst);
        }
    }

    /// Values for what has been refused.
    pub(crate) fn zeros(&mut self, results: std::ops::Range<parallax_step::Id>) {
        for result in results {
            let value = match self.steps.values[result as usize] {
                Ty::Mask => Value::One(self.module.truth(false)),
                ty if ty.is_wide() => Value::Two([self.module.constant(0); 2]),
                _ => Value::One(self.module.constant(0)),
            };
            self.set(result, value);
        }
    }

    fn control(&mut self, number: OpNumber, args: &[Value]) {
        let steps = self.steps;
        let op = &steps.ops[number as usize];
        let initial = &args[args.len() - op.results().len()..];
        let results: Vec<Local> = op.results().map(|id| self.local(steps.values[id as usize])).collect();
        self.store_all(&results, initial);
        let merge = self.module.id();
        let regions: Vec<RegionNumber> = op.regions().collect();
        let nest = Nest { op: number, merge, next: None, results, params: Vec::new(), passing: BTreeSet::new() };
        match op.kind {
            Kind::Ir(OpKind::If) => {
                let labels = [self.module.id(), self.module.id()];
                self.branch_if(args[0].low(), labels[0], labels[1], merge);
                self.nests.push(nest);
                for (label, region) in labels.into_iter().zip(regions) {
                    self.label(label);
                    self.region(region);
                }
            }
            Kind::Ir(OpKind::Block) if !self.left.contains(&number) => {
                self.branch(merge);
                // Nobody leaves it but at its end: what is inside goes on here.
                self.label(merge);
                let end = self.module.id();
                self.nests.push(Nest { merge: end, ..nest });
                self.region(regions[0]);
                self.merged(end, number);
                return;
            }
            _ => {
                let is_loop = matches!(op.kind, Kind::Ir(OpKind::Loop));
                let [header, body, next] = [(); 3].map(|()| self.module.id());
                let inner = &steps.regions[regions[0] as usize].params;
                let params: Vec<Local> = inner.iter().map(|&id| self.local(steps.values[id as usize])).collect();
                self.store_all(&params, args);
                self.branch(header);
                self.label(header);
                self.code.op(Op::LoopMerge, &[merge, next, LoopControl::NONE.bits()]);
                self.branch(body);
                self.label(body);
                if is_loop {
                    for (&id, local) in inner.iter().zip(&params) {
                        let value = self.load(local);
                        self.set(id, value);
                    }
                }
                self.nests.push(Nest { next: Some(next), params, ..nest });
                self.region(regions[0]);
                self.label(next);
                self.branch(header);
            }
        }
        self.merged(merge, number);
    }

    /// What stands behind a nest: whoever left more than it goes on, the others have its results.
    fn merged(&mut self, merge: Id, number: OpNumber) {
        self.label(merge);
        let Some(nest) = self.nests.pop() else { return };
        self.pass_on(&nest.passing);
        let results = self.steps.ops[number as usize].results();
        for (id, local) in results.zip(&nest.results) {
            let value = self.load(local);
            self.set(id, value);
        }
    }

    fn pass_on(&mut self, passing: &BTreeSet<u32>) {
        let Some(outer) = self.innermost() else { return };
        let Some(said) = self.leaving.filter(|_| !passing.is_empty()) else { return };
        let word = self.load_word(said, Ty::I32);
        let (truth, zero) = (self.module.bool(), self.module.constant(0));
        let mut further = BTreeSet::new();
        for &code_of in passing {
            let again = code_of == code(outer, true);
            if again || code_of == code(outer, false) {
                let wanted = self.module.constant(code_of);
                let mask = self.op(Op::IEqual, truth, &[word, wanted]);
                let [then, rest] = [(); 2].map(|()| self.module.id());
                self.branch_if(mask, then, rest, rest);
                self.label(then);
                self.code.op(Op::Store, &[said, zero]);
                self.go(outer, again);
                self.label(rest);
            } else {
                further.insert(code_of);
            }
        }
        if !further.is_empty() {
            let mask = self.op(Op::INotEqual, truth, &[word, zero]);
            let [then, rest] = [(); 2].map(|()| self.module.id());
            self.branch_if(mask, then, rest, rest);
            self.label(then);
            self.go(outer, false);
            self.label(rest);
            self.nests[outer].passing.extend(further);
        }
    }

    /// The innermost nest that is a loop of SPIR-V.
    fn innermost(&self) -> Option<usize> {
        self.nests.iter().rposition(|nest| nest.next.is_some())
    }

    fn go(&mut self, nest: usize, again: bool) {
        let Nest { merge, next, .. } = self.nests[nest];
        self.branch(if again { next.unwrap_or(merge) } else { merge });
    }

    fn end(&mut self, args: &[Value]) {
        let Some(nest) = self.nests.last_mut() else { return };
        let (merge, results) = (nest.merge, std::mem::take(&mut nest.results));
        self.store_all(&results, args);
        if let Some(nest) = self.nests.last_mut() {
            nest.results = results;
        }
        self.branch(merge);
    }

    fn leave(&mut self, target: OpNumber, again: bool, args: &[Value]) {
        let found = self.nests.iter().position(|nest| nest.op == target);
        let (Some(depth), Some(innermost)) = (found, self.innermost()) else { return };
        let nest = &mut self.nests[depth];
        let locals = std::mem::take(if again { &mut nest.params } else { &mut nest.results });
        self.store_all(&locals, args);
        let nest = &mut self.nests[depth];
        *(if again { &mut nest.params } else { &mut nest.results }) = locals;
        if depth == innermost {
            return self.go(depth, again);
        }
        let said = match self.leaving {
            Some(said) => said,
            None => {
                let zero = self.module.constant(0);
                let said = self.variable(Ty::I32, Some(zero));
                self.leaving = Some(said);
                said
            }
        };
        let word = self.module.constant(code(depth, again));
        self.code.op(Op::Store, &[said, word]);
        self.nests[innermost].passing.insert(code(depth, again));
        self.go(innermost, false);
    }
}

fn target_number(op: parallax_core::OpId) -> OpNumber {
    use parallax_core::EntityRef;
    op.index() as OpNumber
}
