//! Registers that a program reads before it writes them.

use crate::file::Source;
use crate::frontend::frontend;
use crate::load::{LoadOptions, Loaded, load_source};
use crate::problem::guarded;
use parallax_core::num::Op;
use parallax_core::{AttrSemantic, Func, OpId, OpKind, RegionId, ValueId};
use parallax_opt::clean_up;
use parallax_text::{Diag, Span};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Lifts that are tried: each without the names that the one before refused.
const TRIES: usize = 3;

/// Warnings, one for each register of which the program uses what was in it before: of a temporary register that is
/// nothing, and parallax puts zeros there. The program is lifted once more, with the registers it names as inputs; those
/// that an instruction still uses when dead code is gone were never written, or not in all lanes. Nothing is said of a
/// program that was not lifted.
pub fn uninitialised(source: &Source, options: &LoadOptions, loaded: &Loaded) -> Vec<Diag> {
    let (Some(shader), Some(frontend)) = (&loaded.shader, frontend(loaded.isa)) else { return Vec::new() };
    let mut names: BTreeSet<String> = BTreeSet::new();
    for (_, instruction) in shader.func.sources.iter() {
        for example in frontend.temporaries {
            named(instruction.text, example, &mut names);
        }
    }
    for _ in 0..TRIES {
        if names.is_empty() {
            break;
        }
        let mut asked = options.clone();
        asked.lift.preset = names.iter().cloned().collect();
        let again = load_source(source, &asked);
        let Some(shader) = again.shader else {
            // Words that look like registers, and are none.
            let refused = again.diags.iter().filter_map(|diag| diag.message.split('`').nth(1));
            let before = names.len();
            refused.for_each(|name| {
                names.remove(name);
            });
            if names.len() == before {
                break;
            }
            continue;
        };
        let masks = frontend.mask_is_counter;
        return guarded(|| warnings(&clean_up(shader).func, masks)).unwrap_or_default();
    }
    Vec::new()
}

/// Adds the registers of a file that an instruction names: of `r0` words like `r12`, of `TEMP[0]` those like `TEMP[3]`, of
/// `NAME` every word.
fn named(text: &str, example: &str, names: &mut BTreeSet<String>) {
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$');
    if example == "NAME" {
        let words =
            text.split(|c: char| !is_word(c)).filter(|w| w.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'));
        names.extend(words.map(str::to_string));
        return;
    }
    let Some(at) = example.find(|c: char| c.is_ascii_digit()) else { return };
    let (prefix, suffix) = (&example[..at], &example[at + 1..]);
    for (start, _) in text.match_indices(prefix) {
        let rest = &text[start + prefix.len()..];
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let end = &rest[digits..];
        let part = text[..start].ends_with(is_word) || suffix.is_empty() && end.starts_with(is_word);
        if digits > 0 && !part && end.starts_with(suffix) {
            names.insert(format!("{prefix}{}{suffix}", &rest[..digits]));
        }
    }
}

/// How much of a value is a register's first content.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Part {
    All,
    /// In lanes where a predicate is not what it says.
    Lanes(ValueId, bool),
    /// Some of its bits; the others are 0.
    Bits,
}

/// What a value holds of a register's first content: the register's number among the inputs, the component, and how much.
type First = (u16, u8, Part);

/// What is still held of the first contents of registers.
#[derive(Default)]
struct Held {
    values: FxHashMap<ValueId, First>,
    /// What was written in some lanes counts as written.
    masks: bool,
    /// Where each register is used first, and which components.
    read: BTreeMap<u16, (Option<Span>, BTreeSet<u8>)>,
}

impl Held {
    /// Follows the values through a region. What a loop starts with, and what a lookup reads beyond its coordinates, is no use:
    /// a register that is written in a loop before it is read is carried along all the same.
    fn region(&mut self, func: &Func, region: RegionId) {
        for &op in &func.regions[region].ops {
            let data = &func.ops[op];
            for &inner in data.regions.iter() {
                self.region(func, inner);
            }
            match data.kind {
                OpKind::Attr { index, comp } => {
                    let attr = func.iface.attrs.get(usize::from(index));
                    if attr.is_some_and(|attr| attr.semantic == AttrSemantic::Preset) {
                        self.values.extend(data.results.iter().map(|&value| (value, (index, comp, Part::All))));
                    }
                }
                OpKind::If => {
                    // An arm that writes nothing passes on what was there.
                    let arms = data.regions.iter().filter_map(|&arm| func.regions[arm].ops.last());
                    let yields: Vec<OpId> =
                        arms.copied().filter(|&last| func.ops[last].kind == OpKind::Yield).collect();
                    for (n, &result) in data.results.iter().enumerate() {
                        let passed = yields.iter().filter_map(|&last| func.ops[last].args.get(n));
                        if let Some(held) = passed.filter_map(|value| self.values.get(value)).next() {
                            self.values.insert(result, *held);
                        }
                    }
                }
                OpKind::Select => self.select(func, op),
                OpKind::Num(Op::Iand | Op::Ior) if self.combine(func, op) => {}
                OpKind::Loop
                | OpKind::Block
                | OpKind::Yield
                | OpKind::Break(_)
                | OpKind::Continue(_)
                | OpKind::Tex(_) => {}
                _ => self.uses(func, op),
            }
        }
    }

    /// A write in some lanes passes on what the register held in the others.
    fn select(&mut self, func: &Func, op: OpId) {
        let data = &func.ops[op];
        let (&[pred, yes, no], &[result]) = (&*data.args, &*data.results) else { return };
        if self.values.contains_key(&pred) {
            self.uses(func, op);
        }
        let complement = |a: ValueId, b: ValueId| {
            let negates = |a: ValueId, b: ValueId| {
                let def = func.def_op(a).map(|op| &func.ops[op]);
                def.is_some_and(|def| def.kind == OpKind::Num(Op::Pnot) && def.args.first() == Some(&b))
            };
            negates(a, b) || negates(b, a)
        };
        let held = [yes, no].map(|value| self.values.get(&value).copied());
        let left = match held {
            [None, None] => None,
            [Some(first), Some(_)] => Some(first),
            // In lanes where the predicate is `is_set` it is what this instruction writes.
            [Some((index, comp, part)), None] | [None, Some((index, comp, part))] => {
                let is_set = held[0].is_none();
                match part {
                    Part::All if self.masks => None,
                    Part::All => Some((index, comp, Part::Lanes(pred, is_set))),
                    Part::Lanes(written, was_set) => {
                        let same = written == pred && was_set != is_set;
                        let other = complement(written, pred) && was_set == is_set;
                        (!same && !other).then_some((index, comp, part))
                    }
                    Part::Bits => Some((index, comp, part)),
                }
            }
        };
        self.values.extend(left.map(|first| (result, first)));
    }

    /// A part of a word that is kept where another is written. False where an operation is no such thing.
    fn combine(&mut self, func: &Func, op: OpId) -> bool {
        let data = &func.ops[op];
        let (&[a, b], &[result]) = (&*data.args, &*data.results) else { return false };
        let literal =
            |value: ValueId| func.def_op(value).is_some_and(|def| matches!(func.ops[def].kind, OpKind::Literal(_)));
        let (first, other) = match (self.values.get(&a), self.values.get(&b)) {
            (Some(&first), None) => (first, b),
            (None, Some(&first)) => (first, a),
            _ => return false,
        };
        match (data.kind, first) {
            (OpKind::Num(Op::Iand), (index, comp, Part::All)) if literal(other) => {
                self.values.insert(result, (index, comp, Part::Bits));
                true
            }
            (OpKind::Num(Op::Ior), (.., Part::Bits)) => true,
            _ => false,
        }
    }

    fn uses(&mut self, func: &Func, op: OpId) {
        let data = &func.ops[op];
        let held: Vec<First> = data.args.iter().filter_map(|arg| self.values.get(arg).copied()).collect();
        let Some(&first) = held.first() else { return };
        let place = data.origins.first().and_then(|&id| func.sources.get(id)).map(|place| place.offset as usize);
        // What belongs to no instruction brings the value into another form, or sends it out at the end.
        if place.is_none() && !data.results.is_empty() {
            self.values.extend(data.results.iter().map(|&value| (value, first)));
            return;
        }
        for (index, comp, _) in held {
            let (at, comps) = self.read.entry(index).or_default();
            *at = at.or(place.map(|start| Span::new(start, start + 1)));
            comps.insert(comp);
        }
    }
}

/// A warning for each register whose first contents an instruction uses.
fn warnings(func: &Func, masks: bool) -> Vec<Diag> {
    let mut held = Held { masks, ..Held::default() };
    held.region(func, func.body);
    let warning = |(index, (span, comps)): (u16, (Option<Span>, BTreeSet<u8>))| {
        let name = &func.iface.attrs[usize::from(index)].name;
        let all = comps.iter().all(|comp| *comp == 0);
        let parts: String = comps.iter().map(|comp| ["x", "y", "z", "w"][usize::from(comp & 3)]).collect();
        // Scalars have the first component alone, and so may vectors: then the name says enough.
        let parts = if all { String::new() } else { format!(".{parts}") };
        let message = format!("`{name}{parts}` is read before it has been written in all lanes");
        let diag = Diag::warning("uninitialised", Span::default(), message);
        let help = "the initial content of a register is undefined; here it is zero";
        Diag { span, ..diag.with_help(help) }
    };
    let mut out: Vec<Diag> = held.read.into_iter().map(warning).collect();
    parallax_text::sort_by_key(&mut out, |diag| diag.span.map(|span| span.start));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_are_found_in_texts() {
        let found = |text: &str, example: &str| {
            let mut names = BTreeSet::new();
            named(text, example, &mut names);
            names.into_iter().collect::<Vec<_>>().join(" ")
        };
        assert_eq!(found("mad r1.x, -r30, cr2, r7a, r2", "r0"), "r1 r2 r30");
        assert_eq!(found("MAD TEMP[1].x, TEMP[12], ATEMP[3], TEMP[ADDR[0].x+1]", "TEMP[0]"), "TEMP[12] TEMP[1]");
        assert_eq!(found("MUL t, _u2, 0.5", "NAME"), "MUL _u2 t");
    }
}
