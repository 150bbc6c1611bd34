//! The order of the passes.

use crate::edit::has_control;
use crate::{
    apply_rewrites, drop_dead, flatten_ifs, fold_constants, forward_copies, hoist_uniform, merge_equal, renumber,
    share_reads, simplify_ops, simplify_regions,
};
use parallax_core::{Bound, Func, Shader, Stage, State, Symbolic, verify};
use std::time::{Duration, Instant};

/// One run of one pass.
#[derive(Copy, Clone, Debug)]
pub struct PassReport {
    /// Name of the pass.
    pub name: &'static str,
    /// Time it took.
    pub duration: Duration,
    /// Live ops before it.
    pub ops_before: usize,
    /// Live ops after it.
    pub ops_after: usize,
}

/// Watches a pipeline.
pub trait Observer {
    /// Whether to call the other functions at all; counting ops and reading clocks takes time.
    fn is_active(&self) -> bool {
        true
    }

    /// A pass has run; `shader` is its result.
    fn pass(&mut self, report: PassReport, shader: &Shader<Bound>);
}

/// Watches nothing.
#[derive(Copy, Clone, Debug, Default)]
pub struct NoObserver;

impl Observer for NoObserver {
    fn is_active(&self) -> bool {
        false
    }

    fn pass(&mut self, _: PassReport, _: &Shader<Bound>) {}
}

impl<F: FnMut(PassReport, &Shader<Bound>)> Observer for F {
    fn pass(&mut self, report: PassReport, shader: &Shader<Bound>) {
        self(report, shader);
    }
}

/// A pass by name.
#[derive(Copy, Clone, Debug)]
pub struct Pass<S> {
    /// Its file's name.
    pub name: &'static str,
    /// Runs it.
    pub run: fn(&mut Shader<S>),
}

/// The passes that need no rules, in order: what [`canonicalise`] runs.
pub const CANONICALISE: &[Pass<Symbolic>] = &[
    Pass { name: "forward_copies", run: forward_copies::run },
    Pass { name: "simplify_regions", run: simplify_regions::run },
    Pass { name: "drop_dead", run: drop_dead::run },
    Pass { name: "share_reads", run: share_reads::run },
    Pass { name: "renumber", run: renumber::run },
];

/// How many of them keep every op with the instruction it is of: what [`clean_up`] runs.
const CLEAN_UP: usize = CANONICALISE.len() - 2;

const FOLD_CONSTANTS: Pass<Bound> = Pass { name: "fold_constants", run: fold_constants::run };
const APPLY_REWRITES: Pass<Bound> = Pass { name: "apply_rewrites", run: apply_rewrites::run };
const MERGE_EQUAL: Pass<Bound> = Pass { name: "merge_equal", run: merge_equal::run };
const SIMPLIFY_OPS: Pass<Bound> = Pass { name: "simplify_ops", run: simplify_ops::run };
const FORWARD_COPIES: Pass<Bound> = Pass { name: "forward_copies", run: forward_copies::run };
const SPLICE_REGIONS: Pass<Bound> = Pass { name: "simplify_regions", run: simplify_regions::run };
const DROP_DEAD: Pass<Bound> = Pass { name: "drop_dead", run: drop_dead::run };
const FLATTEN_IFS: Pass<Bound> = Pass { name: "flatten_ifs", run: flatten_ifs::run };
const HOIST_UNIFORM: Pass<Bound> = Pass { name: "hoist_uniform", run: hoist_uniform::run };

/// Every pass once, by name.
pub const PASSES: &[Pass<Bound>] = &[
    FOLD_CONSTANTS,
    APPLY_REWRITES,
    MERGE_EQUAL,
    SIMPLIFY_OPS,
    FORWARD_COPIES,
    SPLICE_REGIONS,
    DROP_DEAD,
    FLATTEN_IFS,
    HOIST_UNIFORM,
];

/// What [`optimise`] runs, in order.
const OPTIMISE: &[Pass<Bound>] =
    &[SIMPLIFY_OPS, FORWARD_COPIES, SPLICE_REGIONS, DROP_DEAD, FLATTEN_IFS, HOIST_UNIFORM, SIMPLIFY_OPS, DROP_DEAD];

/// What it runs on shaders without `if`, block and loop: nothing there moves ops, so one walk finds everything.
const OPTIMISE_STRAIGHT: &[Pass<Bound>] = &[SIMPLIFY_OPS, DROP_DEAD];

/// Removes what lifting leaves behind: copies, empty and needless regions, values nobody reads; then makes one of equal reads.
/// Bit-exact under every model.
pub fn canonicalise(shader: Shader<Symbolic>) -> Shader<Symbolic> {
    run(shader, CANONICALISE)
}

/// The same except for reads: each stays with the instruction it is of, as who exchanges or follows instructions wants it.
pub fn clean_up(shader: Shader<Symbolic>) -> Shader<Symbolic> {
    run(shader, &CANONICALISE[..CLEAN_UP])
}

fn run(mut shader: Shader<Symbolic>, passes: &[Pass<Symbolic>]) -> Shader<Symbolic> {
    shader.func.fix_costs();
    let of_subgroups = has_subgroups(&shader.func);
    for pass in passes {
        (pass.run)(&mut shader);
        check(pass.name, &shader);
    }
    shader.func.keep_subgroups(of_subgroups);
    shader
}

/// Whether a kernel has ops of subgroups.
fn has_subgroups(func: &Func) -> bool {
    func.iface.stage == Stage::Compute && func.has_subgroup_ops()
}

/// Runs all passes on a bound shader. Outputs, coverage and fuel status stay the same bit for bit.
pub fn optimise(mut shader: Shader<Bound>, observer: &mut dyn Observer) -> Shader<Bound> {
    let passes = if has_control(&shader.func) { OPTIMISE } else { OPTIMISE_STRAIGHT };
    shader.func.fix_costs();
    let of_subgroups = has_subgroups(&shader.func);
    for pass in passes {
        if observer.is_active() {
            let ops_before = shader.func.live_ops();
            let start = Instant::now();
            (pass.run)(&mut shader);
            let duration = start.elapsed();
            let ops_after = shader.func.live_ops();
            observer.pass(PassReport { name: pass.name, duration, ops_before, ops_after }, &shader);
        } else {
            (pass.run)(&mut shader);
        }
        check(pass.name, &shader);
    }
    shader.func.keep_subgroups(of_subgroups);
    shader
}

/// In debug builds, every pass must give a shader that verifies.
fn check<S: State>(name: &str, shader: &Shader<S>) {
    if cfg!(debug_assertions)
        && let Err(diags) = verify(shader)
    {
        let texts: Vec<String> = diags.iter().map(ToString::to_string).collect();
        debug_assert!(false, "{name} broke the shader: {}", texts.join("; "));
    }
}
