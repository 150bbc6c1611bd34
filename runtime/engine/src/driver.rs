//! What the drivers of models make of programs before they are bound.

use parallax_core::num::{Model, Rewrites};
use parallax_core::{EntityRef, Func, OpId, OpKind, Shader, Symbolic, text};
use parallax_opt::clean_up;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// The program as the model's driver rewrites it before it runs; the functions that compile do so themselves.
pub fn apply_driver_rewrites<'s>(shader: &'s Shader<Symbolic>, model: &Model) -> Cow<'s, Shader<Symbolic>> {
    match model.rewrites() {
        Rewrites::NONE => Cow::Borrowed(shader),
        // What nobody reads is no use of a value.
        _ => Cow::Owned(clean_up(rewritten_by_driver(clean_up(shader.clone()), model))),
    }
}

/// The same of a program without copies and values that nobody reads, and with its functions expanded. Ops and values keep their
/// names, and ops their places; what is new stands before what it is for.
pub fn rewritten_by_driver(shader: Shader<Symbolic>, model: &Model) -> Shader<Symbolic> {
    let mut written = shader.with_library_of(model);
    model.rewrites().iter().for_each(|rewrite| parallax_opt::driver::run(rewrite, model, &mut written));
    written
}

/// The text of a program before and after the model's driver, with a reason behind each op that is new, was another one, is removed,
/// or is computed by a formula. Values have the same names in both texts.
pub fn text_with_reasons(shader: &Shader<Symbolic>, model: &Model) -> String {
    let before = clean_up(shader.clone());
    let mut reasons = Reasons::default();
    let (library, tier) = model.library();
    let mut written = before.clone().with_library_of(model);
    reasons.note(&before.func, &written.func, &format!("library={}, {tier}", library.name()));
    for rewrite in model.rewrites().iter() {
        let last = written.func.clone();
        parallax_opt::driver::run(rewrite, model, &mut written);
        let info = rewrite.info();
        reasons.note(&last, &written.func, &format!("driver={}, {}", info.name, info.source));
    }
    let after = clean_up(written);
    let mut left = HashSet::new();
    after.func.walk(|_, op| {
        left.insert(op);
    });
    let gone = |op: OpId| match reasons.of.get(&op) {
        _ if !left.contains(&op) => Some("removed".to_string()),
        Some(Reason { was: Some(_), .. }) => Some(format!("becomes {}", after.func.ops[op].kind)),
        Some(_) => Some("gets other operands".to_string()),
        None => None,
    };
    let behind = |op: OpId| {
        let steps = formulas(&after.func, op, model);
        let changed = reasons.of.get(&op).map(Reason::text);
        let all: Vec<String> = changed.into_iter().chain(steps).collect();
        (!all.is_empty()).then(|| all.join("; "))
    };
    format!(
        "; before: what the program says\n{}\n; after: what the driver of `{}` makes of it\n{}",
        text::print_with_notes(&before, &gone),
        model.label(),
        text::print_with_notes(&after, &behind)
    )
}

/// The formulas by which an op is computed, which are fields of its rule: `becomes a*rcp(b): div=a*rcp(b), format, source`.
fn formulas(func: &Func, op: OpId, model: &Model) -> Vec<String> {
    let data = &func.ops[op];
    let (OpKind::Num(operation), Some(slot)) = (data.kind, data.slot) else { return Vec::new() };
    let found = model.expansions(operation, &func.slots[slot]);
    found.iter().map(|f| format!("becomes {1}: {0}={1}, {2}, {3}", f.field, f.value, f.tier, f.source)).collect()
}

/// Why an op is as it is.
struct Reason {
    /// What it was, if it was there and of another kind.
    was: Option<String>,
    /// Whether it was not there.
    is_new: bool,
    why: String,
}

impl Reason {
    fn text(&self) -> String {
        match &self.was {
            Some(was) => format!("was {was}: {}", self.why),
            None if self.is_new => format!("new: {}", self.why),
            None => format!("other operands: {}", self.why),
        }
    }
}

/// Reasons by op; the last step that changed an op says why.
#[derive(Default)]
struct Reasons {
    of: HashMap<OpId, Reason>,
}

impl Reasons {
    /// Notes what a step made and changed.
    fn note(&mut self, before: &Func, after: &Func, why: &str) {
        after.walk(|_, op| {
            let why = || why.to_string();
            let reason = match before.ops.get(op) {
                None => Reason { was: None, is_new: true, why: why() },
                Some(was) if was.kind != after.ops[op].kind => {
                    Reason { was: Some(was.kind.to_string()), is_new: false, why: why() }
                }
                Some(was) if was.args != after.ops[op].args && !matches!(was.kind, OpKind::Yield) => {
                    Reason { was: None, is_new: false, why: why() }
                }
                Some(_) => return,
            };
            self.of.insert(op, reason);
        });
        debug_assert!(before.ops.len() <= after.ops.len() && before.body.index() == after.body.index());
    }
}
