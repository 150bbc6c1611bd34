//! Races of kernels: accesses of two invocations to the same bytes that nothing orders, found by the reference executor.

use crate::compile::{Compiled, Optimise, compile};
use crate::dispatch::{Dispatch, DispatchResult, Work, bind, check, run_compiled, run_workgroups};
use crate::draw::Draw;
use crate::engine::Engine;
use crate::frontend::frontend;
use crate::problem::{Problems, guarded_shader, invalid, unsupported};
use crate::run::Control;
use parallax_core::backend::Runner;
use parallax_core::exec::{AlignedWords, Inputs, Memory, Outputs};
use parallax_core::num::Model;
use parallax_core::{Bound, Func, Shader, Source, Stage, Symbolic, Verified, verify};
use parallax_reference::{Invocation, LaneOrder, Race, Races, RacingAccess, run_with_races};
use parallax_text::{Diag, Span};

/// Races that are reported.
pub const MAX_RACES: usize = 16;

/// Code of the error of a race.
pub const RACE: &str = "dispatch-race";

/// Looks for races of a kernel that runs as a draw says ([`crate::run_draw`]). It is executed op by op, which takes long.
///
/// # Errors
/// A [`RACE`] for each pair of instructions that race, [`MAX_RACES`] at most. A kernel that needs the lanes of a subgroup to go in
/// step, where it is not run so. Shaders of other stages, and what makes the run impossible.
pub fn check_draw_races(
    shader: &Shader<Symbolic>,
    model: &Model,
    draw: &Draw,
    control: Control<'_>,
) -> Result<(), Problems> {
    let compiled = compile(shader, model, Optimise::No, Engine::Interp)?;
    guarded_shader(&shader.func.name, || {
        is_kernel(&shader.func)?;
        let diags = check(&shader.func, draw.grid, &draw.textures);
        if !diags.is_empty() {
            return Err(diags);
        }
        let buffers: Vec<AlignedWords> = draw.buffers.iter().map(|words| AlignedWords::from(&words[..])).collect();
        look(&compiled, &Work::of_draw(draw, control), &buffers)
    })
}

/// The same of a kernel that runs as [`crate::run_dispatch`] runs it.
///
/// # Errors
/// As [`check_draw_races`].
pub fn check_races(shader: &Shader<Symbolic>, model: &Model, dispatch: &Dispatch) -> Result<(), Problems> {
    let compiled = compile(shader, model, Optimise::No, Engine::Interp)?;
    guarded_shader(&shader.func.name, || {
        is_kernel(&shader.func)?;
        let bound = bind(&shader.func, dispatch)?;
        look(&compiled, &bound.work(dispatch, Control::default()), &bound.buffers)
    })
}

fn is_kernel(func: &Func) -> Result<(), Vec<Diag>> {
    let what = match func.iface.stage {
        Stage::Compute => return Ok(()),
        Stage::Fragment => "fragment",
        Stage::Vertex => "vertex",
    };
    let message = format!("races are looked for in kernels, and this is a {what} shader");
    Err(vec![unsupported("race-stage", message).with_help("leave out the check for races")])
}

/// Runs workgroups and looks for races.
struct RaceRunner<'a> {
    shader: Verified<'a, Bound>,
    races: Races,
}

impl Runner for RaceRunner<'_> {
    fn run(&mut self, inputs: &Inputs<'_>, memory: Memory<'_>, outputs: &mut Outputs) {
        run_with_races(self.shader, inputs, memory, outputs, &mut self.races);
    }
}

fn look(compiled: &Compiled, work: &Work<'_>, buffers: &[AlignedWords]) -> Result<(), Vec<Diag>> {
    // Who only reads does not race.
    if !compiled.program.writes_memory() {
        return Ok(());
    }
    let mut shader = compiled.shader.clone();
    let func = &shader.func;
    let goes_in_step = frontend(&func.isa).is_some_and(|frontend| frontend.lanes_in_step);
    if let Some(subgroup) = func.iface.subgroup.filter(|_| goes_in_step) {
        shader.state.subgroup = subgroup.width();
    }
    let order = if goes_in_step { LaneOrder::InStep } else { LaneOrder::Unordered };
    let mut runner = RaceRunner { shader: verify(&shader)?, races: Races::new(&shader, order, MAX_RACES) };
    let result = run_workgroups(&shader, &mut runner, true, work, buffers.to_vec())?;
    let races = &runner.races;
    let reported = |race: &Race| report(&shader.func, work.grid(), race);
    let mut diags: Vec<Diag> = races.found().iter().map(reported).collect();
    let more = races.pairs() - diags.len();
    if let Some(last) = diags.last_mut().filter(|_| more > 0) {
        last.help.push(format!("{more} more pairs of instructions race"));
    }
    if diags.is_empty() && shader.state.subgroup != compiled.shader.state.subgroup {
        diags.extend(needs_step(compiled, work, buffers, &result)?);
    }
    if diags.is_empty() { Ok(()) } else { Err(diags) }
}

/// The problem of a kernel that leaves other words behind when its quads run one after the other, as they do, than when its
/// subgroups go in step, as the instruction set says.
fn needs_step(
    compiled: &Compiled,
    work: &Work<'_>,
    buffers: &[AlignedWords],
    in_step: &DispatchResult,
) -> Result<Option<Diag>, Vec<Diag>> {
    let serial = run_compiled(compiled, work, buffers.to_vec())?;
    let decls = &compiled.shader.func.iface.buffers;
    let differs = |n: &usize| decls[*n].workgroup.is_none() && serial.buffers[*n] != in_step.buffers[*n];
    Ok((0..decls.len()).find(differs).map(|n| {
        let message = format!(
            "the kernel relies on the lanes of a warp going in step: its quads run one after the other here, and `{}` then holds \
             other words",
            decls[n].name
        );
        unsupported("race-step", message)
            .with_help("a barrier between the accesses to shared memory gives the same words everywhere")
    }))
}

fn source<'a>(func: &'a Func, access: &RacingAccess) -> Option<Source<'a>> {
    func.sources.get(*func.ops[access.op].origins.iter().min()?)
}

/// Where an instruction stands, and the instruction.
pub(crate) fn named(source: Option<Source<'_>>) -> String {
    let Some(source) = source else { return "in an instruction that has no place in the source".into() };
    let place = match source.line {
        0 => format!("at byte {:#x}", source.offset),
        line => format!("in line {line}"),
    };
    match source.text.trim() {
        "" => place,
        text => format!("{place}, `{text}`"),
    }
}

const fn verb(access: &RacingAccess) -> &'static str {
    match (access.writes, access.atomic) {
        (false, false) => "reads",
        (false, true) => "reads atomically",
        (true, false) => "writes",
        (true, true) => "writes atomically",
    }
}

/// Place of an invocation in the whole grid.
fn global(func: &Func, grid: [u32; 3], invocation: Invocation) -> String {
    let within = |number: u32, [x, y, _]: [u32; 3]| [number % x, number / x % y, number / x / y];
    let size = func.iface.workgroup;
    let (group, lane) = (within(invocation.group, grid), within(invocation.lane, size));
    let [x, y, z] = std::array::from_fn(|n| u64::from(group[n]) * u64::from(size[n]) + u64::from(lane[n]));
    format!("{x},{y},{z}")
}

/// The first word of an instruction.
pub(crate) fn span(source: Source<'_>) -> Span {
    let word = source.text.split_whitespace().next().map_or(1, str::len);
    Span::new(source.offset as usize, source.offset as usize + word)
}

fn report(func: &Func, grid: [u32; 3], race: &Race) -> Diag {
    let [first, second] = &race.accesses;
    let [a, b] = [first, second].map(|access| global(func, grid, access.invocation));
    let [earlier, later] = [first, second].map(|access| source(func, access));
    let does = if earlier == later && verb(first) == verb(second) {
        let both = verb(first).replacen("reads", "read", 1).replacen("writes", "write", 1);
        format!("both {both} {}", named(later))
    } else {
        format!("the first {} {}; the second {} {}", verb(first), named(earlier), verb(second), named(later))
    };
    let name = &func.iface.buffers[usize::from(race.buffer)].name;
    let message = format!("invocations {a} and {b} race for `{name}` at byte {:#x}: {does}", race.address);
    let mut diag = Diag { span: later.map(span), ..invalid(RACE, message) };
    if let Some(earlier) = earlier.filter(|earlier| Some(*earlier) != later) {
        diag = diag.with_label(span(earlier), format!("invocation {a} {} here", verb(first)));
    }
    diag.with_help(if first.invocation.group != second.invocation.group {
        "nothing orders workgroups: make both accesses atomic, or give each workgroup words of its own"
    } else if earlier == later {
        "make the accesses atomic, or give each invocation words of its own"
    } else {
        "a barrier between the two orders them; two atomic accesses never race"
    })
}
