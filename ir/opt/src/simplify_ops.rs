//! Constant folding, algebra and value numbering in one walk: [`fold_constants`], [`apply_rewrites`] and [`merge_equal`] op by
//! op.
//!
//! Each op is looked at with operands that all three have settled, so one walk finds what the passes find one after the other,
//! and reads the ops once.

use crate::{apply_rewrites, fold_constants, merge_equal};
use parallax_core::{Bound, Shader};

/// Runs the pass.
pub fn run(shader: &mut Shader<Bound>) {
    merge_equal::merge(shader, |shader, op, subst| {
        fold_constants::fold(shader, op, subst);
        apply_rewrites::apply(shader, op, subst);
    });
}
