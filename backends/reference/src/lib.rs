//! The reference executor of the bound IR, which all others are tested against.
//!
//! It follows the evaluation contract at the head of `parallax-core` word by word: subgroup by subgroup, op by op, lane by lane; at
//! barriers subgroups take turns. Every value comes from [`parallax_num::eval`]; it knows neither step programs nor passes, so that
//! nothing that runs can share a fault with it. It is slow: tests use it, and whoever looks for races ([`Races`]).
//!
//! ```
//! use parallax_core::exec::{FUEL, Inputs, Memory, NoInterpolator, NoTextures, Outputs};
//! use parallax_core::num::Model;
//! use parallax_core::{text, verify};
//!
//! let source = "shader \"product\" stage(fragment) from(\"example\") {
//!   attr 0 \"a\" generic(0) perspective center
//!   output 0 \"o\" color(0) fp32 - - -
//!   slot p0 = fp32
//!   %0: p0 = attr in0.x
//!   %1: p0 = attr in0.y
//!   %2: p0 = mul %0, %1
//!   out o0.x, %2
//!   yield
//! }
//! ";
//! let shader = text::read(source).expect("a shader").bind(&Model::builtin("ieee").expect("built in"));
//! // A plane for each component of the attribute.
//! let attrs = [[1.5f32; 4], [2.0; 4], [0.0; 4], [0.0; 4]].map(|plane| plane.map(f32::to_bits));
//! let inputs = Inputs {
//!     lanes: 4,
//!     attrs: attrs.as_flattened(),
//!     banks: &[],
//!     sysvals: &[],
//!     covered: &[true; 4],
//!     textures: &NoTextures,
//!     interpolator: &NoInterpolator,
//!     fuel: FUEL,
//! };
//! let mut outputs = Outputs::default();
//! parallax_reference::run(verify(&shader).expect("sound IR"), &inputs, Memory::NONE, &mut outputs);
//! assert_eq!(outputs.planes[0].to_words(), [u64::from(3f32.to_bits()); 4]);
//! ```

mod accesses;
mod arithmetic;
mod control;
mod races;
mod subgroup;

use parallax_core::backend::{Backend, Declined, Executable, Made, Operation, Runner};
use parallax_core::exec::{Inputs, Memory, Outputs, Plane, PlaneType};
use parallax_core::{Bound, OpKind, Shader, Verified};
use parallax_num::{Op, Rule};
pub use races::{Invocation, LaneOrder, Race, Races, RacingAccess};
use subgroup::{Subgroup, World};

/// The reference executor as a backend.
#[derive(Copy, Clone, Debug)]
pub struct Reference;

impl Backend for Reference {
    fn name(&self) -> &'static str {
        "reference"
    }

    fn prepare(&self, shader: Verified<'_, Bound>) -> Result<Box<dyn Executable>, Declined> {
        Ok(Box::new(Prepared(shader.shader().clone())))
    }

    fn operation(&self, _: Op, _: &Rule) -> Result<Operation, Declined> {
        Err(Declined("the reference of an operation is `parallax_num::eval`".to_string()))
    }
}

/// A shader to be walked.
#[derive(Debug)]
struct Prepared(Shader<Bound>);

impl Executable for Prepared {
    fn planes(&self) -> Vec<Option<PlaneType>> {
        planes(&self.0)
    }

    fn made(&self) -> Made {
        Made { engine: Reference.name(), ..Made::default() }
    }

    fn writes_memory(&self) -> bool {
        let mut writes = false;
        self.0.func.walk(|_, op| writes |= self.0.func.ops[op].kind.writes_memory());
        writes
    }

    fn runner(&self) -> Box<dyn Runner + '_> {
        Box::new(Walker(&self.0))
    }
}

struct Walker<'a>(&'a Shader<Bound>);

impl Runner for Walker<'_> {
    fn run(&mut self, inputs: &Inputs<'_>, memory: Memory<'_>, outputs: &mut Outputs) {
        walk(self.0, inputs, memory, outputs, None);
    }
}

/// Type and container of component `c` of output `o` at `o * 4 + c`.
fn planes(shader: &Shader<Bound>) -> Vec<Option<PlaneType>> {
    let types = shader.func.iface.outputs.iter().flat_map(|out| out.types);
    let storage = |ty: parallax_core::Type| ty.decl().map(|decl| shader.state.storage(decl));
    types.map(|ty| ty.map(|ty| PlaneType { ty, storage: storage(ty) })).collect()
}

/// Runs a verified shader on a batch: subgroups one after the other, so that it may write memory. `outputs` is overwritten.
///
/// # Panics
/// If `inputs.lanes` is no multiple of 4.
pub fn run(shader: Verified<'_, Bound>, inputs: &Inputs<'_>, memory: Memory<'_>, outputs: &mut Outputs) {
    walk(shader.shader(), inputs, memory, outputs, None);
}

/// The same with a batch that is the next workgroup of a dispatch whose races are looked for: those of a shader like this one.
///
/// # Panics
/// As [`run`].
pub fn run_with_races(
    shader: Verified<'_, Bound>,
    inputs: &Inputs<'_>,
    memory: Memory<'_>,
    outputs: &mut Outputs,
    races: &mut Races,
) {
    walk(shader.shader(), inputs, memory, outputs, Some(races));
    races.end_workgroup();
}

fn walk(
    shader: &Shader<Bound>,
    inputs: &Inputs<'_>,
    memory: Memory<'_>,
    outputs: &mut Outputs,
    races: Option<&mut Races>,
) {
    assert!(inputs.lanes.is_multiple_of(4), "a batch consists of whole quads");
    let zeros = |ty: Option<PlaneType>| ty.map_or(Plane::default(), |ty| Plane::zeros(ty.bits(), inputs.lanes));
    outputs.planes = planes(shader).into_iter().map(zeros).collect();
    outputs.covered = vec![false; inputs.lanes];
    outputs.out_of_fuel = vec![false; inputs.lanes];
    outputs.discarded = vec![0; inputs.lanes];
    outputs.missed_barrier.clear();
    let mut waits = false;
    shader.func.walk(|_, op| waits |= shader.func.ops[op].kind == OpKind::Barrier);
    let mut world = World { shader, inputs, memory, outputs, races };
    match shader.state.subgroup {
        8 => walk_in::<8>(&mut world, waits),
        16 => walk_in::<16>(&mut world, waits),
        32 => walk_in::<32>(&mut world, waits),
        64 => walk_in::<64>(&mut world, waits),
        128 => walk_in::<128>(&mut world, waits),
        _ => walk_in::<4>(&mut world, waits),
    }
}

/// The same in subgroups of `N` lanes.
fn walk_in<const N: usize>(world: &mut World<'_, '_>, waits: bool) {
    let (shader, inputs) = (world.shader, world.inputs);
    let subgroups = (0..inputs.lanes).step_by(N).map(|first| Subgroup::<N>::new(shader, inputs, first));
    if waits {
        return take_turns(world, subgroups.collect());
    }
    for mut subgroup in subgroups {
        world.races.iter_mut().for_each(|races| races.next_span());
        subgroup.run(world);
        world.end(&subgroup);
    }
}

/// Runs the subgroups of a workgroup from barrier to barrier, in their order, until all have ended or some covered lane does not
/// get to the barrier at which the first subgroup that waits does.
fn take_turns<const N: usize>(world: &mut World<'_, '_>, mut subgroups: Vec<Subgroup<N>>) {
    let lanes = world.inputs.lanes;
    let is_covered = |lane: usize| world.inputs.covered.get(lane) == Some(&true);
    let covered: Vec<bool> = (0..lanes).map(is_covered).collect();
    let mut has_ended = vec![false; subgroups.len()];
    loop {
        let mut waiting = vec![None; lanes];
        let mut barrier = None;
        world.races.iter_mut().for_each(|races| races.next_phase());
        for (subgroup, has_ended) in subgroups.iter_mut().zip(&mut has_ended).filter(|(_, has_ended)| !**has_ended) {
            world.races.iter_mut().for_each(|races| races.next_span());
            match subgroup.run(world) {
                None => *has_ended = true,
                Some((op, exec)) => {
                    barrier = barrier.or(Some(op));
                    let at = |lane: bool| lane.then_some(op);
                    let end = lanes.min(subgroup.first + N);
                    waiting[subgroup.first..end].copy_from_slice(&exec.map(at)[..end - subgroup.first]);
                }
            }
        }
        let missed = |lane: usize| barrier.is_some() && covered[lane] && waiting[lane] != barrier;
        world.outputs.missed_barrier = (0..lanes).map(missed).collect();
        if barrier.is_none() || world.outputs.missed_barrier.contains(&true) {
            break;
        }
    }
    subgroups.iter().for_each(|subgroup| world.end(subgroup));
}
