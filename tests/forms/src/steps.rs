//! From text to function: one statement on a line.

use crate::ReadError;
use crate::words::{Expected, direction_and_flush, number, string, ty, word};
use parallax_core::{
    ArrayId, EntityRef, Immediates, MAX_DEPTH, OpId, OpKind, Stage, SysVal, TexMode, TexOp, TexTarget,
};
use parallax_num::{Decl, Format, Model, Op, Rule, Slot, Storage};
use parallax_step::text::part;
use parallax_step::{Call, Function, Id, Immediate, Inst, Kind, OutputType, Prim, Row, Slot as Operand, Table, Ty};
use rustc_hash::FxHashMap;

/// Reads what [`parallax_step::text::print()`] prints; `models` finds a model by its label. The result is not verified.
///
/// # Errors
/// The first line that cannot be read.
pub fn read(source: &str, models: &dyn Fn(&str) -> Option<Model>) -> Result<Function, ReadError> {
    let mut reader = Reader::default();
    let mut model = None;
    let mut last = 1;
    for (n, line) in source.lines().enumerate() {
        last = n + 1;
        let text = line.split(';').next().unwrap_or("").trim();
        if text.is_empty() {
            continue;
        }
        let at = |message: String| ReadError { line: n + 1, message };
        if model.is_none() {
            let label = reader.head(text).map_err(at)?;
            model = Some(models(&label).ok_or_else(|| at(format!("unknown model `{label}`")))?);
            continue;
        }
        let Some(model) = &model else { continue };
        if reader.done {
            return Err(at("expected nothing after the last `}`".to_string()));
        }
        reader.statement(text, model).map_err(at)?;
    }
    if reader.done { Ok(reader.made) } else { Err(ReadError { line: last, message: "expected `}`".to_string() }) }
}

/// A region that is open.
struct Open {
    region: u32,
    /// The op that holds it and which of its regions it is.
    owner: Option<(u32, usize)>,
    label: Option<String>,
}

struct Reader {
    made: Function,
    open: Vec<Open>,
    values: FxHashMap<String, Id>,
    labels: FxHashMap<String, u32>,
    done: bool,
}

impl Default for Reader {
    fn default() -> Self {
        let made = Function::new("");
        let open = vec![Open { region: 0, owner: None, label: None }];
        Reader { made, open, values: FxHashMap::default(), labels: FxHashMap::default(), done: false }
    }
}

impl Reader {
    fn head(&mut self, text: &str) -> Expected<String> {
        let rest = text.strip_prefix("steps").ok_or("expected `steps`")?;
        let (name, rest) = string(rest, "")?;
        let rest = rest.trim_start().strip_prefix("stage(").ok_or("expected `stage(`")?;
        let (stage, rest) = rest.split_once(')').ok_or("expected `)`")?;
        let (isa, rest) = string(rest, "from(")?;
        let (model, rest) = string(rest.strip_prefix(')').ok_or("expected `)`")?, "model(")?;
        if rest.trim() != ") {" {
            return Err("expected `) {`".to_string());
        }
        let stages = [Stage::Fragment, Stage::Vertex, Stage::Compute];
        let found = stages.into_iter().find(|&s| part::stage(s) == stage);
        self.made.stage = found.ok_or_else(|| format!("expected a stage, found `{stage}`"))?;
        (self.made.name, self.made.isa, self.made.model) = (name, isa, model.clone());
        Ok(model)
    }

    fn statement(&mut self, text: &str, model: &Model) -> Expected<()> {
        match text {
            "}" => return self.close(),
            "} else {" => return self.other_arm(),
            _ => {}
        }
        let (first, rest) = word(text);
        match first {
            "attrs" => self.made.attrs = number(rest, "a number")?,
            "output" => {
                let (n, rest) = word(rest);
                if number::<usize>(n, "a number")? != self.made.outputs.len() {
                    return Err(format!("expected output {}", self.made.outputs.len()));
                }
                let mut types = [None; 4];
                let mut words = rest.split_whitespace();
                for slot in &mut types {
                    let word = words.next().ok_or("expected four types or `-`")?;
                    if word != "-" {
                        let (name, bits) = word.split_once(':').ok_or("expected a type and its bits")?;
                        let bits = number(bits, "8 to 64 bits")?;
                        *slot = Some(OutputType { ty: ty(name)?, bits });
                    }
                }
                self.made.outputs.push(types);
            }
            "array" => {
                let (n, rest) = word(rest);
                if number::<usize>(n, "a number")? != self.made.arrays.len() {
                    return Err(format!("expected array {}", self.made.arrays.len()));
                }
                let (name, len) = word(rest);
                self.made.arrays.push((ty(name)?, number(len, "a length")?));
            }
            "slot" => {
                let (name, slot) = rest.split_once('=').ok_or("expected `=`")?;
                if name.trim() != format!("p{}", self.made.slots.len()) {
                    return Err(format!("expected slot p{}", self.made.slots.len()));
                }
                let slot =
                    Slot::parse(slot.trim()).ok_or_else(|| format!("expected a slot, found `{}`", slot.trim()))?;
                self.made.slots.push(slot);
            }
            _ => return self.op(text, model),
        }
        Ok(())
    }

    fn close(&mut self) -> Expected<()> {
        let open = self.open.pop().ok_or("expected no `}`")?;
        if let Some(label) = open.label {
            self.labels.remove(&label);
        }
        match open.owner {
            Some((op, arm)) if matches!(self.made.ops[op as usize].kind, Kind::Ir(OpKind::If)) && arm == 0 => {
                Err("expected `} else {`".to_string())
            }
            owner => {
                self.done = owner.is_none();
                Ok(())
            }
        }
    }

    fn other_arm(&mut self) -> Expected<()> {
        let open = self.open.pop().ok_or("expected no `}`")?;
        let Some((op, 0)) = open.owner.filter(|&(op, _)| self.made.ops[op as usize].kind == Kind::Ir(OpKind::If))
        else {
            return Err("`else` stands behind the first arm of an `if`".to_string());
        };
        self.enter(op, 1, None);
        Ok(())
    }

    fn enter(&mut self, op: u32, arm: usize, label: Option<String>) -> u32 {
        let mut regions = self.made.ops[op as usize].regions();
        if regions.is_empty() {
            let arms = if self.made.ops[op as usize].kind == Kind::Ir(OpKind::If) { 2 } else { 1 };
            regions = self.made.add_regions(op, arms);
        }
        let region = regions.start + arm as u32;
        self.open.push(Open { region, owner: Some((op, arm)), label });
        region
    }

    fn use_of(&self, text: &str) -> Expected<Id> {
        let text = text.trim();
        self.values.get(text).copied().ok_or_else(|| format!("expected a value, found `{text}`"))
    }

    fn uses(&self, text: &str) -> Expected<Vec<Id>> {
        if text.trim().is_empty() {
            return Ok(Vec::new());
        }
        text.split(',').map(|word| self.use_of(word)).collect()
    }

    /// Declares a value that has been made, or is the next one.
    fn define(&mut self, text: &str, id: Id) -> Expected<Id> {
        let (name, kind) = text.split_once(':').ok_or_else(|| format!("expected `%n: type`, found `{text}`"))?;
        let name = name.trim();
        if !name.starts_with('%') {
            return Err(format!("expected a value, found `{name}`"));
        }
        if id as usize == self.made.values.len() {
            self.made.values.push(ty(kind)?);
        }
        if self.values.insert(name.to_string(), id).is_some() {
            return Err(format!("`{name}` is made twice"));
        }
        Ok(id)
    }

    fn op(&mut self, text: &str, model: &Model) -> Expected<()> {
        let (results, body) = match text.starts_with('%') {
            true => {
                // A loop's parameters have `=` too, further on.
                let (results, body) = text.split_once(" = ").ok_or("expected `=`")?;
                (results, body)
            }
            false => ("", text),
        };
        let types = results.split(',').filter(|r| !r.trim().is_empty());
        let types: Vec<Ty> = types
            .map(|r| r.split_once(':').ok_or("expected a type").map(|(_, name)| name))
            .map(|name| name.map_err(str::to_string).and_then(ty))
            .collect::<Expected<_>>()?;
        let holds = body.ends_with('{');
        let body = body.strip_suffix('{').unwrap_or(body).trim_end();
        let head_end = body.find([' ', '(']).unwrap_or(body.len());
        let (head, rest) = body.split_at(head_end);
        let name = head.split('.').next().unwrap_or(head);
        let mut label = None;
        let (kind, args, params) = if head == "call" || head == "redo" {
            let (kind, args) = self.call(head, rest, model)?;
            (kind, args, None)
        } else if !rest.starts_with('(')
            && let Some((kind, args)) = self.step(head, rest, types.first().copied())?
        {
            // A parenthesis directly behind the name holds the immediates of an op of the IR, some of which share a name.
            (kind, args, None)
        } else if let Some(kind) = OpKind::from_word(head).filter(|kind| !matches!(kind, OpKind::Num(_))) {
            let (kind, rest) = self.immediates(kind, rest)?;
            if holds {
                let (args, params, name) = self.control(kind, rest)?;
                label = name;
                (Kind::Ir(kind), args, params)
            } else {
                (Kind::Ir(kind), self.uses(rest)?, None)
            }
        } else {
            return Err(format!("expected a primitive or an op, found `{name}`"));
        };
        let op = self.made.ops.len() as u32;
        let region = self.open.last().ok_or("expected no op behind the last `}`")?.region;
        let first = match kind {
            Kind::Step(_) if types.len() != 1 => return Err(format!("`{name}` has one result")),
            Kind::Step(inst) => self.made.add_step(region, inst),
            _ => self.made.add(region, kind, &args, &types),
        };
        for (n, result) in results.split(',').filter(|r| !r.trim().is_empty()).enumerate() {
            self.define(result, first + n as Id)?;
        }
        let is_control = matches!(kind, Kind::Ir(OpKind::If | OpKind::Block | OpKind::Loop));
        if holds != is_control {
            return Err(if holds { "expected no `{`" } else { "expected `{`" }.to_string());
        }
        if !holds {
            return Ok(());
        }
        if self.open.len() > MAX_DEPTH {
            return Err(format!("regions are nested more than {MAX_DEPTH} deep"));
        }
        if let Some(label) = &label
            && self.labels.insert(label.clone(), op).is_some()
        {
            return Err(format!("`{label}` is open already"));
        }
        let inner = self.enter(op, 0, label);
        for param in params.unwrap_or_default() {
            let next = self.made.values.len() as Id;
            let value = self.define(&param, next)?;
            self.made.regions[inner as usize].params.push(value);
        }
        Ok(())
    }

    fn call(&mut self, head: &str, rest: &str, model: &Model) -> Expected<(Kind, Vec<Id>)> {
        let (call, rest) = call(rest, &self.made.slots, model)?;
        let number = self.made.calls.iter().position(|known| *known == call).unwrap_or(self.made.calls.len());
        if number == self.made.calls.len() {
            self.made.calls.push(call);
        }
        let kind = if head == "call" { Kind::Call(number as u32) } else { Kind::Redo(number as u32) };
        Ok((kind, self.uses(rest)?))
    }

    /// A primitive with the suffixes of its immediate; `None` if it is none.
    fn step(&self, head: &str, rest: &str, result: Option<Ty>) -> Expected<Option<(Kind, Vec<Id>)>> {
        // The longest name that the head starts with: some have points in them.
        let fits =
            |row: &&Row| head.strip_prefix(row.name).is_some_and(|tail| tail.is_empty() || tail.starts_with('.'));
        let Some(row) = Prim::ALL.iter().filter(fits).max_by_key(|row| row.name.len()) else { return Ok(None) };
        let suffixes = head[row.name.len()..].split('.').filter(|s| !s.is_empty());
        let Some(result) = result else { return Err(format!("`{}` has a result", row.name)) };
        let (args, bits) =
            if row.immediate == Immediate::Bits { (Vec::new(), Some(rest.trim())) } else { (self.uses(rest)?, None) };
        // The type it is taken at follows from an operand or from the result.
        let types: Vec<Ty> = args.iter().map(|&arg| self.made.values[arg as usize]).collect();
        let by_operand = row.args.iter().zip(&types).find(|(slot, _)| **slot == Operand::T).map(|(_, ty)| *ty);
        let by_result = (row.result == Operand::T).then_some(result);
        let at = by_operand.or(by_result).unwrap_or(row.over[0]);
        let mut imm = 0;
        match row.immediate {
            Immediate::Bits => imm = constant(at, bits.unwrap_or(""))?,
            Immediate::Mode | Immediate::Direction => {
                imm = direction_and_flush(suffixes.clone())?.word();
            }
            Immediate::Nan => {
                let digits = suffixes.clone().next().unwrap_or("");
                imm = u64::from_str_radix(digits, 16).map_err(|_| format!("expected a NaN, found `{digits}`"))?;
            }
            Immediate::Table => {
                let name = suffixes.clone().next().unwrap_or("");
                let table = Table::ALL.into_iter().find(|table| table.name() == name);
                imm = table.ok_or_else(|| format!("expected a table, found `{name}`"))? as u64;
            }
            Immediate::None => {
                if let Some(suffix) = suffixes.clone().next() {
                    return Err(format!("`{}` has no suffix, found `{suffix}`", row.name));
                }
            }
        }
        let inst = Inst::new(row.prim, at, imm, &args);
        if let Some(problem) = inst.check(&types) {
            return Err(problem);
        }
        if inst.result() != result {
            return Err(format!("`{}` gives {}, not {result}", row.name, inst.result()));
        }
        Ok(Some((Kind::Step(inst), Vec::new())))
    }

    fn immediates<'t>(&self, kind: OpKind, rest: &'t str) -> Expected<(OpKind, &'t str)> {
        immediates(kind, rest, &self.labels)
    }

    /// What an op with regions has behind its name: operands, declarations of parameters, label.
    #[allow(clippy::type_complexity, reason = "three lists")]
    fn control(&self, kind: OpKind, rest: &str) -> Expected<(Vec<Id>, Option<Vec<String>>, Option<String>)> {
        let (plain, initial) = match rest.split_once("initial(") {
            Some((plain, initial)) => (plain.trim(), initial.trim_end().strip_suffix(')').ok_or("expected `)`")?),
            None => (rest.trim(), ""),
        };
        let initial = self.uses(initial)?;
        if kind == OpKind::If {
            let mut args = self.uses(plain)?;
            args.extend(initial);
            return Ok((args, None, None));
        }
        let (label, list) = word(plain);
        if !label.starts_with('^') {
            return Err(format!("expected a label, found `{label}`"));
        }
        let list = list.trim();
        let list = list.strip_prefix('(').and_then(|l| l.strip_suffix(')')).unwrap_or(list);
        let (mut args, mut params) = (Vec::new(), Vec::new());
        for part in list.split(',').filter(|part| !part.trim().is_empty()) {
            let (param, first) = part.split_once('=').ok_or("expected `%n: type = %m`")?;
            params.push(param.trim().to_string());
            args.push(self.use_of(first)?);
        }
        args.extend(initial);
        Ok((args, Some(params), Some(label.to_string())))
    }
}

/// Reads what [`part::print_call`] prints, and gives the rest.
///
/// # Errors
/// What was expected.
pub fn call<'t>(text: &'t str, slots: &[Slot], model: &Model) -> Result<(Call, &'t str), String> {
    let (name, rest) = word(text);
    let (slot, rest) = word(rest);
    let (source, rest) = word(rest);
    let op = Op::from_name(name).ok_or_else(|| format!("expected an operation, found `{name}`"))?;
    let source = container(source)?;
    let plain = Rule::ieee(Decl::F32, Format::F32);
    let (slot, rule) = match slot {
        "-" => (None, if op.has_slot() { Rule { source, ..plain } } else { plain }),
        name => {
            let n = name.strip_prefix('p').and_then(|n| n.parse::<u32>().ok());
            let n = n.ok_or_else(|| format!("expected a slot or `-`, found `{name}`"))?;
            let slot = slots.get(n as usize).ok_or_else(|| format!("slot p{n} does not exist"))?;
            (Some(n), model.rule(op, slot, source).0)
        }
    };
    Ok((Call { op, rule, slot, source }, rest))
}

/// Reads what [`part::print_kind`] prints, and gives the rest.
///
/// # Errors
/// What was expected.
pub fn kind(text: &str) -> Result<(OpKind, &str), String> {
    let text = text.trim_start();
    let (name, rest) = text.split_at(text.find([' ', '(']).unwrap_or(text.len()));
    let kind = OpKind::from_word(name).filter(|kind| !matches!(kind, OpKind::Num(_)));
    let kind = kind.ok_or_else(|| format!("expected an op, found `{name}`"))?;
    immediates(kind, rest, &FxHashMap::default())
}

fn immediates<'t>(mut kind: OpKind, rest: &'t str, labels: &FxHashMap<String, u32>) -> Expected<(OpKind, &'t str)> {
    let (inside, rest) = match rest.strip_prefix('(') {
        Some(tail) => tail.split_once(')').ok_or("expected `)`")?,
        None => ("", rest),
    };
    let mut words = Words { labels, words: inside.split(',').map(str::trim) };
    kind.immediates(&mut words)?;
    if let Some(word) = words.words.next().filter(|word| !word.is_empty()) {
        return Err(format!("expected no more immediates, found `{word}`"));
    }
    Ok((kind, rest))
}

/// Reads the name of a container: that of its own format.
fn container(name: &str) -> Expected<Storage> {
    let format = Format::from_name(name).ok_or_else(|| format!("expected a container, found `{name}`"))?;
    let storage = format.storage();
    if storage.format() == format { Ok(storage) } else { Err(format!("`{name}` is no container")) }
}

/// Reads the bits of a constant.
fn constant(ty: Ty, text: &str) -> Expected<u64> {
    match (ty, text) {
        (Ty::Mask, "true") => Ok(1),
        (Ty::Mask, "false") => Ok(0),
        _ => match text.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).map_err(|_| format!("expected bits, found `{text}`")),
            None => number(text, "bits"),
        },
    }
}

/// Immediates from words.
struct Words<'a, I> {
    labels: &'a FxHashMap<String, u32>,
    words: I,
}

impl<'t, I: Iterator<Item = &'t str>> Words<'_, I> {
    fn next(&mut self) -> &'t str {
        self.words.next().unwrap_or("")
    }

    fn number<T: std::str::FromStr>(&mut self, to: &mut T) -> Expected<()> {
        *to = number(self.next(), "a number")?;
        Ok(())
    }
}

impl<'t, I: Iterator<Item = &'t str>> Immediates for Words<'_, I> {
    type Stop = String;

    fn literal(&mut self, bits: &mut u64) -> Expected<()> {
        self.number(bits)
    }
    fn bank(&mut self, bank: &mut u16) -> Expected<()> {
        self.number(bank)
    }
    fn vector(&mut self, index: &mut u32) -> Expected<()> {
        self.number(index)
    }
    fn index(&mut self, base: &mut i32) -> Expected<()> {
        self.number(base)
    }
    fn comp(&mut self, comp: &mut u8) -> Expected<()> {
        let word = self.next();
        let at = ["x", "y", "z", "w"].iter().position(|name| *name == word);
        *comp = at.ok_or_else(|| format!("expected x, y, z or w, found `{word}`"))? as u8;
        Ok(())
    }
    fn attr(&mut self, index: &mut u16) -> Expected<()> {
        self.number(index)
    }
    fn attr_at(&mut self, base: &mut i32) -> Expected<()> {
        self.number(base)
    }
    fn sys(&mut self, value: &mut SysVal) -> Expected<()> {
        let word = self.next();
        let found = SysVal::ALL.into_iter().find(|v| v.name() == word);
        *value = found.ok_or_else(|| format!("expected a system value, found `{word}`"))?;
        Ok(())
    }
    fn mask(&mut self, mask: &mut u8) -> Expected<()> {
        self.number(mask)
    }
    fn tex(&mut self, tex: &mut TexOp) -> Expected<()> {
        self.number(&mut tex.unit)?;
        let word = self.next();
        let target = TexTarget::ALL.into_iter().find(|t| t.name() == word);
        tex.target = target.ok_or_else(|| format!("expected a texture target, found `{word}`"))?;
        let word = self.next();
        let mode = TexMode::ALL.into_iter().find(|m| m.name() == word);
        tex.mode = mode.ok_or_else(|| format!("expected a texture mode, found `{word}`"))?;
        tex.project = self.next() == "project";
        for offset in &mut tex.offset {
            self.number(offset)?;
        }
        Ok(())
    }
    fn array(&mut self, array: &mut ArrayId) -> Expected<()> {
        let mut n = 0usize;
        self.number(&mut n)?;
        *array = ArrayId::new(n);
        Ok(())
    }
    fn buffer(&mut self, buffer: &mut u16) -> Expected<()> {
        self.number(buffer)
    }
    fn whole_buffer(&mut self, buffer: &mut u16) -> Expected<()> {
        self.number(buffer)
    }
    fn output(&mut self, index: &mut u16) -> Expected<()> {
        self.number(index)
    }
    fn target(&mut self, target: &mut OpId) -> Expected<()> {
        let word = self.next();
        let op = self.labels.get(word).ok_or_else(|| format!("no loop or block `{word}` is open here"))?;
        *target = OpId::new(*op as usize);
        Ok(())
    }
}
