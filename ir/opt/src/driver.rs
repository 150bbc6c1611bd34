//! What drivers' compilers make of programs: no optimisation, but a part of a renderer's arithmetic, for results change. A model
//! lists the rewrites of its driver in the field `driver`; [`Rewrite::ALL`] says what each does, and who says so.

mod contract;
mod reassociate;

use contract::Feeds;
use parallax_core::num::{Model, Rewrite};
use parallax_core::{Shader, Symbolic};

/// Does one rewrite of a model. Values that nobody reads any more are left to [`drop_dead`](crate::drop_dead).
pub fn run(rewrite: Rewrite, model: &Model, shader: &mut Shader<Symbolic>) {
    let func = &mut shader.func;
    let feeds = match rewrite {
        Rewrite::Reassociate => return reassociate::run(shader, model),
        Rewrite::Contract => Feeds::Sums,
        Rewrite::ContractVariables => Feeds::SumsOfVariables,
        Rewrite::ContractOnce => Feeds::OneSum,
    };
    if func.uncompiled {
        contract::run(func, feeds);
    }
}
