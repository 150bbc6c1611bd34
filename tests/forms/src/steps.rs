//! From text to function.

use crate::ReadError;
use crate::pieces::{self, Expected, call, direction_and_flush, kind, number};
use parallax_core::{MAX_DEPTH, OpKind, Stage};
use parallax_num::Model;
use parallax_step::{Function, Id, Immediate, Inst, Kind, OutputType, Prim, Row, Slot as Operand, Table, Ty};
use parallax_text::{FormReader, TokenKind};
use rustc_hash::FxHashMap;

/// Reads what [`parallax_step::text::print()`] prints; `models` finds a model by its label. The result is not verified.
///
/// # Errors
/// The first statement that cannot be read.
pub fn read(source: &str, models: &dyn Fn(&str) -> Option<Model>) -> Result<Function, ReadError> {
    let tokens = pieces::tokens(source);
    let reader = pieces::read(source, &tokens, |r| Reader::head(r, models), Reader::statement)?;
    Ok(reader.made)
}

/// A region that is open.
struct Open {
    region: u32,
    /// The op that holds it and which of its regions it is.
    owner: Option<(u32, usize)>,
    label: Option<u32>,
}

struct Reader {
    made: Function,
    model: Model,
    open: Vec<Open>,
    values: FxHashMap<u32, Id>,
    labels: FxHashMap<u32, u32>,
}

/// What an op with regions has behind its name.
#[derive(Default)]
struct Control {
    label: Option<u32>,
    /// Fuel that a back edge of a loop takes, if that is more than one.
    cost: u32,
    /// Numbers and types of parameters.
    params: Vec<(u32, Ty)>,
    /// First values of parameters, or the predicate; then those of results.
    args: Vec<Id>,
}

/// `%3: i32`.
fn declared(r: &mut FormReader<'_>) -> parallax_text::Expected<(u32, Ty)> {
    let (number, _) = r.value()?;
    r.punct(b':')?;
    Ok((number, ty(r)?))
}

fn ty(r: &mut FormReader<'_>) -> parallax_text::Expected<Ty> {
    r.named(&Ty::ALL, Ty::name, "a type")
}

fn is_value(r: &FormReader<'_>) -> bool {
    r.t.peek().kind == TokenKind::Punct(b'%')
}

impl Reader {
    fn head(r: &mut FormReader<'_>, models: &dyn Fn(&str) -> Option<Model>) -> Expected<Reader> {
        let mut made = Function::new("");
        r.word("steps")?;
        made.name = r.string()?;
        r.word("stage")?;
        r.punct(b'(')?;
        made.stage = r.named(&Stage::ALL, Stage::name, "a stage")?;
        r.punct(b')')?;
        made.isa = r.string_in("from")?;
        let (label, model) = pieces::model(r, models)?;
        made.model = label;
        r.punct(b'{')?;
        let open = vec![Open { region: 0, owner: None, label: None }];
        Ok(Reader { made, model, open, values: FxHashMap::default(), labels: FxHashMap::default() })
    }

    /// Reads a statement; `false` behind the last.
    fn statement(&mut self, r: &mut FormReader<'_>) -> Expected<bool> {
        if r.t.eat(b'}') {
            if !r.eat_word("else") {
                return self.close();
            }
            r.punct(b'{')?;
            self.other_arm()?;
        } else if r.eat_word("workgroup") {
            self.made.workgroup = [r.int()?, r.int()?, r.int()?];
        } else if r.eat_word("subgroup") {
            self.made.subgroup = r.int()?;
        } else if r.eat_word("attrs") {
            self.made.attrs = r.int()?;
        } else if r.eat_word("output") {
            if let Some(diag) = r.ordinal(self.made.outputs.len())? {
                return Err(diag.into());
            }
            let mut types = [None; 4];
            for slot in &mut types {
                if !r.t.eat(b'-') {
                    let ty = ty(r)?;
                    r.punct(b':')?;
                    *slot = Some(OutputType { ty, bits: r.int()? });
                }
            }
            self.made.outputs.push(types);
        } else if r.eat_word("array") {
            if let Some(diag) = r.ordinal(self.made.arrays.len())? {
                return Err(diag.into());
            }
            self.made.arrays.push((ty(r)?, r.int()?));
        } else if r.at_word("slot") {
            pieces::slot(r, &mut self.made.slots)?;
        } else {
            self.op(r)?;
        }
        Ok(true)
    }

    fn close(&mut self) -> Expected<bool> {
        let open = self.open.pop().ok_or("expected no `}`")?;
        if let Some(label) = open.label {
            self.labels.remove(&label);
        }
        match open.owner {
            Some((op, 0)) if self.made.ops[op as usize].kind == Kind::Ir(OpKind::If) => {
                Err("expected `} else {`".into())
            }
            owner => Ok(owner.is_some()),
        }
    }

    fn other_arm(&mut self) -> Expected<()> {
        let open = self.open.pop().ok_or("expected no `}`")?;
        let Some((op, 0)) = open.owner.filter(|&(op, _)| self.made.ops[op as usize].kind == Kind::Ir(OpKind::If))
        else {
            return Err("`else` stands behind the first arm of an `if`".into());
        };
        self.enter(op, 1, None);
        Ok(())
    }

    fn enter(&mut self, op: u32, arm: usize, label: Option<u32>) -> u32 {
        let mut regions = self.made.ops[op as usize].regions();
        if regions.is_empty() {
            let arms = if self.made.ops[op as usize].kind == Kind::Ir(OpKind::If) { 2 } else { 1 };
            regions = self.made.add_regions(op, arms);
        }
        let region = regions.start + arm as u32;
        self.open.push(Open { region, owner: Some((op, arm)), label });
        region
    }

    fn value(&self, r: &mut FormReader<'_>) -> parallax_text::Expected<Id> {
        let (number, span) = r.value()?;
        let known = self.values.get(&number).copied();
        known.ok_or_else(|| r.wrong(span, format!("expected a value, found `%{number}`")))
    }

    /// Values with commas between them, or nothing.
    fn uses(&self, r: &mut FormReader<'_>) -> Expected<Vec<Id>> {
        Ok(if is_value(r) { r.list(|r| self.value(r))? } else { Vec::new() })
    }

    fn define(&mut self, number: u32, id: Id) -> Expected<()> {
        match self.values.insert(number, id) {
            Some(_) => Err(format!("`%{number}` is made twice").into()),
            None => Ok(()),
        }
    }

    fn op(&mut self, r: &mut FormReader<'_>) -> Expected<()> {
        let mut results = Vec::new();
        if is_value(r) {
            results = r.list(declared)?;
            r.punct(b'=')?;
        }
        let types: Vec<Ty> = results.iter().map(|result| result.1).collect();
        let (head, _) = r.joined(b"({");
        // A parenthesis directly behind the name holds the immediates of an op of the IR, some of which share a name with a
        // primitive.
        let has_immediates = r.t.peek().kind == TokenKind::Punct(b'(') && !r.t.peek().spaced;
        let row = Prim::ALL.iter().filter(|row| starts_with(head, row)).max_by_key(|row| row.name.len());
        let mut control = Control::default();
        let kind = match (head, row) {
            ("call" | "redo", _) => self.call(r, head)?,
            (_, Some(row)) if !has_immediates => self.step(r, head, row, &types)?,
            _ => Kind::Ir(kind(r, head, &self.labels)?),
        };
        let is_control = matches!(kind, Kind::Ir(OpKind::If | OpKind::Block | OpKind::Loop));
        if is_control {
            control = self.control(r, kind)?;
        } else if !matches!(kind, Kind::Step(_)) {
            control.args = self.uses(r)?;
        }
        let region = self.open.last().ok_or("expected no op behind the last `}`")?.region;
        let op = self.made.ops.len() as u32;
        let first = match kind {
            Kind::Step(inst) => self.made.add_step(region, inst),
            _ => self.made.add(region, kind, &control.args, &types),
        };
        for (id, (number, _)) in (first..).zip(results) {
            self.define(number, id)?;
        }
        if is_control { self.open_region(r, op, control) } else { Ok(()) }
    }

    /// The brace behind an op with regions.
    fn open_region(&mut self, r: &mut FormReader<'_>, op: u32, control: Control) -> Expected<()> {
        r.punct(b'{')?;
        if self.open.len() > MAX_DEPTH {
            return Err(format!("regions are nested more than {MAX_DEPTH} deep").into());
        }
        if let Some(label) = control.label
            && self.labels.insert(label, op).is_some()
        {
            return Err(format!("`^{label}` is open already").into());
        }
        let inner = self.enter(op, 0, control.label);
        self.made.regions[inner as usize].cost = control.cost;
        for (number, ty) in control.params {
            let value = self.made.values.len() as Id;
            self.made.values.push(ty);
            self.define(number, value)?;
            self.made.regions[inner as usize].params.push(value);
        }
        Ok(())
    }

    fn call(&mut self, r: &mut FormReader<'_>, head: &str) -> Expected<Kind> {
        let call = call(r, &self.made.slots, &self.model)?;
        let number = self.made.calls.iter().position(|known| *known == call).unwrap_or(self.made.calls.len());
        if number == self.made.calls.len() {
            self.made.calls.push(call);
        }
        Ok(if head == "call" { Kind::Call(number as u32) } else { Kind::Redo(number as u32) })
    }

    /// A primitive with the suffixes of its immediate.
    fn step(&self, r: &mut FormReader<'_>, head: &str, row: &Row, results: &[Ty]) -> Expected<Kind> {
        let &[result] = results else { return Err(format!("`{}` has one result", row.name).into()) };
        let mut suffixes = head[row.name.len()..].split('.').filter(|s| !s.is_empty());
        let bits = if row.immediate == Immediate::Bits { Some(r.joined(b"").0) } else { None };
        let args = self.uses(r)?;
        // The type it is taken at follows from an operand or from the result.
        let types: Vec<Ty> = args.iter().map(|&arg| self.made.values[arg as usize]).collect();
        let by_operand = row.args.iter().zip(&types).find(|(slot, _)| **slot == Operand::T).map(|(_, ty)| *ty);
        let by_result = (row.result == Operand::T).then_some(result);
        let at = by_operand.or(by_result).unwrap_or(row.over[0]);
        let imm = match row.immediate {
            Immediate::Bits => constant(at, bits.unwrap_or(""))?,
            Immediate::Mode | Immediate::Direction => direction_and_flush(suffixes.by_ref())?.word(),
            Immediate::Nan => {
                let digits = suffixes.next().unwrap_or("");
                u64::from_str_radix(digits, 16).map_err(|_| format!("expected a NaN, found `{digits}`"))?
            }
            Immediate::Table => {
                let name = suffixes.next().unwrap_or("");
                let table = Table::ALL.into_iter().find(|table| table.name() == name);
                table.ok_or_else(|| format!("expected a table, found `{name}`"))?.number()
            }
            Immediate::None => 0,
        };
        if let Some(suffix) = suffixes.next() {
            return Err(format!("`{}` has no such suffix, found `{suffix}`", row.name).into());
        }
        let inst = Inst::new(row.prim, at, imm, &args);
        if let Some(problem) = inst.check(&types) {
            return Err(problem.into());
        }
        if inst.result() != result {
            return Err(format!("`{}` gives {}, not {result}", row.name, inst.result()).into());
        }
        Ok(Kind::Step(inst))
    }

    /// What an op with regions has behind its name: operands, declarations of parameters, label.
    fn control(&mut self, r: &mut FormReader<'_>, kind: Kind) -> Expected<Control> {
        let mut control = Control::default();
        if kind == Kind::Ir(OpKind::If) {
            control.args = self.uses(r)?;
        } else {
            if r.eat_word("cost") {
                r.punct(b'(')?;
                control.cost = r.int()?;
                r.punct(b')')?;
            }
            control.label = Some(r.label()?.0);
            if r.t.eat(b'(') && !r.t.eat(b')') {
                let params = r.list(|r| {
                    let param = declared(r)?;
                    r.punct(b'=')?;
                    Ok((param, self.value(r)?))
                })?;
                (control.params, control.args) = params.into_iter().unzip();
                r.punct(b')')?;
            }
        }
        if r.eat_word("initial") {
            r.punct(b'(')?;
            control.args.extend(self.uses(r)?);
            r.punct(b')')?;
        }
        Ok(control)
    }
}

/// Whether a head is this primitive with suffixes. Some names have points in them, so several may fit: the longest is meant.
fn starts_with(head: &str, row: &Row) -> bool {
    head.strip_prefix(row.name).is_some_and(|tail| tail.is_empty() || tail.starts_with('.'))
}

/// Reads the bits of a constant.
fn constant(ty: Ty, text: &str) -> Expected<u64> {
    match (ty, text) {
        (Ty::Mask, "true") => Ok(1),
        (Ty::Mask, "false") => Ok(0),
        _ => match text.strip_prefix("0x") {
            Some(digits) => Ok(u64::from_str_radix(digits, 16).map_err(|_| format!("expected bits, found `{text}`"))?),
            None => number(text),
        },
    }
}
