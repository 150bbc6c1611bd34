//! From function to text.

use super::inst;
use crate::function::{Call, Function, Kind, OpNumber};
use crate::program::Id;
use parallax_core::text::{ImmediateWords, Listed};
use parallax_core::{EntityRef, OpId, OpKind};
use parallax_num::TextureRule;
use rustc_hash::FxHashMap;
use std::convert::Infallible;
use std::fmt::{Display, Write};

/// Prints a function. Values, loops and blocks are numbered in order of appearance.
pub fn print(function: &Function) -> String {
    let mut printer =
        Printer { function, out: String::new(), values: FxHashMap::default(), labels: FxHashMap::default() };
    printer.head();
    printer.body();
    printer.out.push_str("}\n");
    printer.out
}

/// A string literal. A semicolon starts a comment wherever it stands, so strings have none.
pub fn quote(text: &str) -> String {
    parallax_core::text::quote(text, &[';'])
}

/// An operation under a rule: its name, the slot its rule is bound for, the container of its operand.
pub fn call(call: &Call) -> String {
    let slot = call.slot.map_or("-".to_string(), |slot| format!("p{slot}"));
    format!("{} {slot} {}", call.op, call.source.format())
}

/// A kind of the IR with its immediates, other than jumps and what holds regions.
pub fn kind(kind: OpKind) -> String {
    words(kind, &FxHashMap::default())
}

fn words(kind: OpKind, labels: &FxHashMap<OpNumber, u32>) -> String {
    let mut kind = kind;
    let mut words = Listed(Words { labels, words: Vec::new() });
    let Ok(()) = kind.immediates(&mut words);
    let words = words.0.words.join(", ");
    if words.is_empty() { kind.word().to_string() } else { format!("{}({words})", kind.word()) }
}

struct Printer<'a> {
    function: &'a Function,
    out: String,
    values: FxHashMap<Id, u32>,
    labels: FxHashMap<OpNumber, u32>,
}

/// What is still to be printed, innermost last.
enum Work {
    Ops(u32, usize),
    Text(&'static str),
}

impl Printer<'_> {
    fn head(&mut self) {
        let f = self.function;
        let _ = writeln!(
            self.out,
            "steps {} stage({}) from({}) model({}) {{",
            quote(&f.name),
            f.stage.name(),
            quote(&f.isa),
            quote(&f.model)
        );
        if f.workgroup != [1; 3] {
            let [x, y, z] = f.workgroup;
            let _ = writeln!(self.out, "  workgroup {x} {y} {z}");
        }
        if f.subgroup != 4 {
            let _ = writeln!(self.out, "  subgroup {}", f.subgroup);
        }
        if f.attrs != 0 {
            let _ = writeln!(self.out, "  attrs {}", f.attrs);
        }
        for (n, types) in f.outputs.iter().enumerate() {
            let types = types.map(|ty| ty.map_or("-".to_string(), |ty| format!("{}:{}", ty.ty, ty.bits)));
            let _ = writeln!(self.out, "  output {n} {}", types.join(" "));
        }
        for (n, (ty, len)) in f.arrays.iter().enumerate() {
            let _ = writeln!(self.out, "  array {n} {ty} {len}");
        }
        for (n, slot) in f.slots.iter().enumerate() {
            let _ = writeln!(self.out, "  slot p{n} = {slot}");
        }
    }

    fn body(&mut self) {
        let mut depth = 1usize;
        let mut work = vec![Work::Ops(self.function.body, 0)];
        while let Some(next) = work.pop() {
            match next {
                Work::Text(text) => {
                    depth -= 1;
                    self.out.push_str(&"  ".repeat(depth));
                    self.out.push_str(text);
                    if text.ends_with("{\n") {
                        depth += 1;
                    }
                }
                Work::Ops(region, at) => {
                    let ops = &self.function.regions[region as usize].ops;
                    for (n, &op) in ops.iter().enumerate().skip(at) {
                        self.out.push_str(&"  ".repeat(depth));
                        self.op(op);
                        let inner = self.function.ops[op as usize].regions();
                        if inner.is_empty() {
                            self.out.push('\n');
                            continue;
                        }
                        self.out.push_str(" {\n");
                        depth += 1;
                        work.push(Work::Ops(region, n + 1));
                        work.push(Work::Text("}\n"));
                        for (n, inner) in inner.enumerate().rev() {
                            work.push(Work::Ops(inner, 0));
                            if n > 0 {
                                work.push(Work::Text("} else {\n"));
                            }
                        }
                        break;
                    }
                }
            }
        }
    }

    fn define(&mut self, value: Id) -> String {
        let next = self.values.len() as u32;
        let number = *self.values.entry(value).or_insert(next);
        format!("%{number}: {}", self.function.values[value as usize])
    }

    fn value(&self, value: Id) -> String {
        self.values.get(&value).map_or_else(|| format!("%{value}?"), |n| format!("%{n}"))
    }

    fn list(&self, values: &[Id]) -> String {
        values.iter().map(|&v| self.value(v)).collect::<Vec<_>>().join(", ")
    }

    /// Everything of an op but its regions.
    fn op(&mut self, number: OpNumber) {
        let function = self.function;
        let data = &function.ops[number as usize];
        let args = self.list(function.args(data));
        let plain = |args: &str| if args.is_empty() { String::new() } else { format!(" {args}") };
        let text = match data.kind {
            Kind::Step(inst) => inst::body(&inst, &|id| self.value(id)),
            Kind::Call(number) | Kind::Redo(number) => {
                let word = if matches!(data.kind, Kind::Call(_)) { "call" } else { "redo" };
                format!("{word} {}{}", call(&function.calls[number as usize]), plain(&args))
            }
            Kind::Trace(op) => format!("trace {}{}", op.index(), plain(&args)),
            Kind::Ir(kind) => {
                let mut out = words(kind, &self.labels);
                self.control(number, kind, &mut out);
                if data.regions().is_empty() {
                    out.push_str(&plain(&args));
                }
                out
            }
        };
        let results: Vec<String> = data.results().map(|r| self.define(r)).collect();
        if !results.is_empty() {
            let _ = write!(self.out, "{} = ", results.join(", "));
        }
        self.out.push_str(&text);
    }

    /// What an op with regions has behind its name.
    fn control(&mut self, number: OpNumber, kind: OpKind, out: &mut String) {
        let function = self.function;
        let data = &function.ops[number as usize];
        if data.regions().is_empty() {
            return;
        }
        let (args, initial) = (function.args(data), function.initial(data));
        let plain = &args[..args.len() - initial.len()];
        let initial = self.list(initial);
        let plain_list = self.list(plain);
        if matches!(kind, OpKind::Loop | OpKind::Block) {
            let next = self.labels.len() as u32;
            self.labels.insert(number, next);
            let body = &function.regions[data.regions().start as usize];
            if body.cost > 0 {
                let _ = write!(out, " cost({})", body.cost);
            }
            let _ = write!(out, " ^{next}");
        } else {
            let _ = write!(out, " {plain_list}");
        }
        if kind == OpKind::Loop {
            let params = &function.regions[data.regions().start as usize].params;
            let firsts: Vec<String> = plain.iter().map(|&arg| self.value(arg)).collect();
            let params: Vec<String> =
                params.iter().zip(firsts).map(|(&param, first)| format!("{} = {first}", self.define(param))).collect();
            let _ = write!(out, " ({})", params.join(", "));
        }
        if !initial.is_empty() {
            let _ = write!(out, " initial({initial})");
        }
    }
}

/// Immediates as words.
struct Words<'a> {
    labels: &'a FxHashMap<OpNumber, u32>,
    words: Vec<String>,
}

impl ImmediateWords for Words<'_> {
    type Stop = Infallible;

    fn number<T: Display + Copy + TryFrom<i128>>(&mut self, number: &mut T) -> Result<(), Infallible> {
        self.words.push(number.to_string());
        Ok(())
    }

    fn name<T: Copy>(
        &mut self,
        value: &mut T,
        _: &[T],
        name: fn(T) -> &'static str,
        _: &str,
    ) -> Result<(), Infallible> {
        self.words.push(name(*value).to_string());
        Ok(())
    }

    fn target(&mut self, target: &mut OpId) -> Result<(), Infallible> {
        let label = self.labels.get(&(target.index() as u32));
        self.words.push(label.map_or("^?".to_string(), |label| format!("^{label}")));
        Ok(())
    }

    fn texture(&mut self, rule: &mut TextureRule) -> Result<(), Infallible> {
        self.words.extend(rule.words().flat_map(|(field, value)| [field.name.to_string(), value]));
        Ok(())
    }
}
