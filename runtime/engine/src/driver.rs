//! What the drivers of models make of programs before they are bound.

use parallax_core::num::{Model, Rewrites};
use parallax_core::{EntityRef, Func, OpId, OpKind, Shader, Symbolic, text};
use parallax_opt::clean_up;
use std::borrow::Cow;
use std::collections::HashMap;

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
    model.rewrites().iter().for_each(|rewrite| parallax_opt::driver::run(rewrite, &mut written));
    written
}

/// The text of a program as the driver rewrites it, with a reason behind each op that is new or was another one.
pub fn text_with_reasons(shader: &Shader<Symbolic>, model: &Model) -> String {
    let mut reasons = HashMap::new();
    let before = clean_up(shader.clone());
    let (library, tier) = model.library();
    let mut written = before.clone().with_library_of(model);
    note(&mut reasons, &before.func, &written.func, &format!("library={}, {tier}", library.name()));
    for rewrite in model.rewrites().iter() {
        let before = written.func.clone();
        parallax_opt::driver::run(rewrite, &mut written);
        let info = rewrite.info();
        note(&mut reasons, &before, &written.func, &format!("driver={}, {}", info.name, info.source));
    }
    text::print_with_notes(&clean_up(written), &|op| reasons.get(&op).cloned())
}

/// Notes what a step made and changed.
fn note(reasons: &mut HashMap<OpId, String>, before: &Func, after: &Func, reason: &str) {
    after.walk(|_, op| {
        let Some(was) = before.ops.get(op) else {
            reasons.insert(op, reason.to_string());
            return;
        };
        let now = &after.ops[op];
        if was.kind != now.kind {
            reasons.insert(op, format!("was {}: {reason}", was.kind));
        } else if was.args != now.args && !matches!(now.kind, OpKind::Yield) {
            reasons.insert(op, format!("other operands: {reason}"));
        }
    });
    debug_assert!(before.ops.len() <= after.ops.len() && before.body.index() == after.body.index());
}
