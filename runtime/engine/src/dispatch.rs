//! Kernels: a grid of workgroups.

use crate::bound_memory::{NamedWords, bind_words};
use crate::compile::Compiled;
use crate::draw::Draw;
use crate::faults::{Faults, report};
use crate::frame::{Channel, Frame};
use crate::lanes::Registers;
use crate::problem::{Problems, guarded_shader, invalid};
use crate::run::{CANCELLED, Control, MAX_ENDLESS, check_textures, endless};
use parallax_core::backend::Runner;
use parallax_core::exec::{AlignedWords, FUEL, Inputs, Memory, NoInterpolator, Outputs, Plane, Textures};
use parallax_core::num::Storage;
use parallax_core::{Bound, Func, Interface, OpKind, OutputRole, Shader, Stage, SysVal, Type};
use parallax_lift::{Input, InputNames};
use parallax_text::Diag;
use parallax_texture::TextureSet;
use std::sync::atomic::Ordering;

/// Most invocations of a workgroup.
pub const MAX_WORKGROUP: u32 = 1024;

/// Most invocations of a dispatch.
pub const MAX_INVOCATIONS: u64 = 1 << 24;

/// A grid of workgroups and what its invocations read.
#[derive(Clone, Debug)]
pub struct Dispatch {
    /// Workgroups along x, y and z.
    pub grid: [u32; 3],
    /// Constants by name.
    pub state: Registers,
    /// Buffers and whole banks of constants by name. Buffers that are not named are empty.
    pub words: NamedWords,
    /// Textures.
    pub textures: TextureSet,
    /// Fuel of each invocation ([`crate::fuel_of_budget`]).
    pub fuel: u32,
}

impl Default for Dispatch {
    fn default() -> Self {
        Dispatch {
            grid: [1; 3],
            state: Registers::new(),
            words: NamedWords::new(),
            textures: TextureSet::default(),
            fuel: FUEL,
        }
    }
}

/// What a dispatch leaves behind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DispatchResult {
    /// The buffers by number.
    pub buffers: Vec<AlignedWords>,
    /// Invocations that ran.
    pub invocations: u64,
    /// Invocations that ran out of loop fuel.
    pub out_of_fuel: u64,
}

/// How many invocations a message names.
const NAMED: usize = 8;

/// Runs a kernel: workgroup after workgroup, x fastest, in each its invocations in the order of their numbers.
///
/// # Errors
/// Shaders of other stages, grids and workgroups that are empty or too large, names the program does not have, missing
/// textures; a [`FAULT`](crate::FAULT) of the kernel, a barrier that not all invocations get to.
pub fn run_dispatch(compiled: &Compiled, dispatch: &Dispatch) -> Result<DispatchResult, Problems> {
    guarded_shader(&compiled.shader.func.name, || run(compiled, dispatch))
}

/// The problem of a barrier that some invocations did not get to.
fn missed(lanes: &[bool], [x, y, z]: [u64; 3]) -> Diag {
    let missing: Vec<usize> = lanes.iter().enumerate().filter(|(_, missed)| **missed).map(|(lane, _)| lane).collect();
    let mut names: Vec<String> = missing.iter().take(NAMED).map(usize::to_string).collect();
    if missing.len() > NAMED {
        names.push(format!("{} more", missing.len() - NAMED));
    }
    let message =
        format!("in workgroup {x},{y},{z} invocations {} did not get to a barrier where others wait", names.join(", "));
    invalid("dispatch-barrier", message).with_help("all invocations of a workgroup have to execute a barrier, or none")
}

/// Checks a grid of workgroups.
pub(crate) fn check(func: &Func, grid: [u32; 3], textures: &TextureSet) -> Vec<Diag> {
    let mut diags = check_textures(func, textures);
    if func.iface.stage != Stage::Compute {
        diags.push(invalid("dispatch-stage", "only compute shaders run on a grid"));
    }
    let size = func.iface.workgroup;
    let invocations = size.iter().fold(1u64, |all, &n| all.saturating_mul(u64::from(n)));
    if !(1..=u64::from(MAX_WORKGROUP)).contains(&invocations) {
        let [x, y, z] = size;
        let message = format!("a workgroup of {x}x{y}x{z} invocations: 1 to {MAX_WORKGROUP} are possible");
        diags.push(invalid("dispatch-workgroup", message));
    }
    let [x, y, z] = grid;
    let total = grid.iter().try_fold(invocations, |all, &n| all.checked_mul(u64::from(n)));
    if !total.is_some_and(|total| (1..=MAX_INVOCATIONS).contains(&total)) {
        let message =
            format!("a grid of {x}x{y}x{z} workgroups: 1 to {MAX_INVOCATIONS} invocations are possible in all");
        diags.push(invalid("dispatch-grid", message));
    }
    diags
}

fn run(compiled: &Compiled, dispatch: &Dispatch) -> Result<DispatchResult, Vec<Diag>> {
    let mut bound = bind(&compiled.shader.func, dispatch)?;
    let buffers = std::mem::take(&mut bound.buffers);
    run_compiled(compiled, &bound.work(dispatch, Control::default()), buffers)
}

/// What the names of a dispatch stand for.
pub(crate) struct BoundDispatch {
    banks: Vec<Vec<[u32; 4]>>,
    pub(crate) buffers: Vec<AlignedWords>,
}

impl BoundDispatch {
    pub(crate) fn work<'a>(&'a self, dispatch: &'a Dispatch, control: Control<'a>) -> Work<'a> {
        Work { grid: dispatch.grid, banks: &self.banks, textures: &dispatch.textures, fuel: dispatch.fuel, control }
    }
}

/// Finds the constants and buffers that a dispatch names.
pub(crate) fn bind(func: &Func, dispatch: &Dispatch) -> Result<BoundDispatch, Vec<Diag>> {
    let iface = &func.iface;
    let mut diags = check(func, dispatch.grid, &dispatch.textures);
    let mut banks: Vec<Vec<[u32; 4]>> =
        iface.banks.iter().map(|bank| vec![[0; 4]; bank.len.min(crate::MAX_BANK) as usize]).collect();
    iface.set_defaults(&mut banks);
    let buffers = bind_words(iface, &dispatch.words, &mut banks, &mut diags);
    let names = InputNames::of(iface);
    for (name, words) in &dispatch.state {
        match names.find(name) {
            Some(Input::Constant { bank, vector, comp }) => {
                let places = banks[bank].iter_mut().skip(vector).flatten().skip(comp);
                places.zip(words).for_each(|(to, from)| *to = *from);
            }
            _ => diags.push(invalid("dispatch-constant", format!("the kernel has no constant `{name}`"))),
        }
    }
    if !diags.is_empty() {
        return Err(diags);
    }
    Ok(BoundDispatch { banks, buffers: buffers.into_iter().map(AlignedWords::from).collect() })
}

/// Runs a kernel as a draw says, of which the grid, the constants, the textures and the buffers count. The result is a frame of
/// the words that the kernel writes: a channel for each buffer, a word for each pixel, row by row.
///
/// # Errors
/// As [`run_dispatch`]; [`CANCELLED`] if the run was stopped, [`ENDLESS`](crate::ENDLESS) if more than [`MAX_ENDLESS`] invocations ran out of loop
/// fuel.
pub(crate) fn kernel_frame(compiled: &Compiled, draw: &Draw, control: Control<'_>) -> Result<Frame, Vec<Diag>> {
    frame_of(compiled, draw, Work::of_draw(draw, control))
}

/// The same with lookups of the caller's; the draw has textures for all units all the same.
///
/// # Errors
/// As [`run_dispatch`], and [`ENDLESS`](crate::ENDLESS) as for draws.
pub fn run_kernel_with(compiled: &Compiled, draw: &Draw, textures: &dyn Textures) -> Result<Frame, Problems> {
    let work = Work { textures, ..Work::of_draw(draw, Control::default()) };
    guarded_shader(&compiled.shader.func.name, || frame_of(compiled, draw, work))
}

fn frame_of(compiled: &Compiled, draw: &Draw, work: Work<'_>) -> Result<Frame, Vec<Diag>> {
    let func = &compiled.shader.func;
    let diags = check(func, draw.grid, &draw.textures);
    if !diags.is_empty() {
        return Err(diags);
    }
    let buffers = draw.buffers.iter().map(|words| AlignedWords::from(&words[..])).collect();
    let result = run_compiled(compiled, &work, buffers)?;
    if result.out_of_fuel > MAX_ENDLESS {
        return Err(vec![endless(func, draw.fuel, &format!("{} invocations", result.out_of_fuel))]);
    }
    let written = written_buffers(func);
    let (width, height) = kernel_size(&func.iface, &draw.buffers);
    let pixels = width as usize * height as usize;
    let most = written.iter().map(|&n| result.buffers[n].len()).max().unwrap_or(0);
    let channel = |&number: &usize| {
        let decl = &func.iface.buffers[number];
        let mut words = result.buffers[number].to_vec();
        words.resize(pixels, 0);
        Channel {
            output: decl.name.clone(),
            role: OutputRole::Generic(number as u16),
            comp: 0,
            ty: if decl.floats { Type::F32 } else { Type::I32 },
            storage: decl.floats.then_some(Storage::F32),
            words: Plane::U32(words),
            stored: None,
        }
    };
    Ok(Frame {
        width,
        height,
        channels: written.iter().map(channel).collect(),
        covered: (0..pixels).map(|n| n < most).collect(),
        samples: None,
        buffers: result.buffers.iter().map(|words| words.to_vec()).collect(),
        fragments: result.invocations,
        discarded: 0,
        out_of_fuel: result.out_of_fuel,
    })
}

/// Buffers of the caller that a program stores to, by number.
fn written_buffers(func: &Func) -> Vec<usize> {
    let mut written = vec![false; func.iface.buffers.len()];
    func.walk(|_, op| match func.ops[op].kind {
        OpKind::BufferStore { buffer, .. } | OpKind::Atomic { buffer, .. } | OpKind::ImageStore { buffer } => {
            written[usize::from(buffer)] = true;
        }
        _ => {}
    });
    let of_caller = |n: &usize| written[*n] && func.iface.buffers[*n].workgroup.is_none();
    (0..written.len()).filter(of_caller).collect()
}

/// Width and height of the frame that shows what a kernel writes: the largest of its buffers, in rows of at most 256 words.
pub(crate) fn kernel_size(iface: &Interface, buffers: &[Vec<u32>]) -> (u32, u32) {
    const ROW: usize = 256;
    let of_caller = iface.buffers.iter().zip(buffers).filter(|(decl, _)| decl.workgroup.is_none());
    let most = of_caller.map(|(_, words)| words.len()).max().unwrap_or(0).max(1);
    let width = most.min(ROW);
    (width as u32, most.div_ceil(width) as u32)
}

/// What the invocations of a grid share.
#[derive(Copy, Clone)]
pub(crate) struct Work<'a> {
    grid: [u32; 3],
    banks: &'a [Vec<[u32; 4]>],
    textures: &'a dyn Textures,
    fuel: u32,
    control: Control<'a>,
}

impl<'a> Work<'a> {
    pub(crate) fn of_draw(draw: &'a Draw, control: Control<'a>) -> Work<'a> {
        Work { grid: draw.grid, banks: &draw.banks, textures: &draw.textures, fuel: draw.fuel, control }
    }

    pub(crate) fn grid(&self) -> [u32; 3] {
        self.grid
    }
}

/// The same as the program was compiled.
pub(crate) fn run_compiled(
    compiled: &Compiled,
    work: &Work<'_>,
    buffers: Vec<AlignedWords>,
) -> Result<DispatchResult, Vec<Diag>> {
    let writes = compiled.program.writes_memory();
    run_workgroups(&compiled.shader, compiled.program.runner().as_mut(), writes, work, buffers)
}

/// Runs the workgroups of a grid one after the other, whoever executes them.
pub(crate) fn run_workgroups(
    shader: &Shader<Bound>,
    runner: &mut dyn Runner,
    writes: bool,
    work: &Work<'_>,
    mut buffers: Vec<AlignedWords>,
) -> Result<DispatchResult, Vec<Diag>> {
    let iface = &shader.func.iface;
    let (size, [x, y, z]) = (iface.workgroup, work.grid);
    let count = size.iter().product::<u32>() as usize;
    let banks: Vec<&[[u32; 4]]> = work.banks.iter().map(Vec::as_slice).collect();
    let lanes = count.next_multiple_of(shader.state.subgroup as usize);
    let covered: Vec<bool> = (0..lanes).map(|lane| lane < count).collect();
    let mut sysvals = vec![0; SysVal::ALL.len() * lanes];
    let row = |value: SysVal| value as usize * lanes..(value as usize + 1) * lanes;
    for (lane, covered) in covered.iter().enumerate() {
        let (lane_x, rest) = (lane as u32 % size[0], lane as u32 / size[0]);
        sysvals[row(SysVal::LocalX)][lane] = lane_x;
        sysvals[row(SysVal::LocalY)][lane] = rest % size[1];
        sysvals[row(SysVal::LocalZ)][lane] = rest / size[1];
        sysvals[row(SysVal::SampleMask)][lane] = u32::from(*covered);
        sysvals[row(SysVal::SampleCount)][lane] = 1;
    }
    for (value, count) in [SysVal::GridX, SysVal::GridY, SysVal::GridZ].into_iter().zip(work.grid) {
        sysvals[row(value)].fill(count);
    }
    let attrs = vec![0; iface.attrs.len() * 4 * lanes];
    let mut outputs = Outputs::default();
    let faults = Faults::of(iface);
    let mut out_of_fuel = 0;
    for (buffer, decl) in buffers.iter_mut().zip(&iface.buffers) {
        if let Some(words) = decl.workgroup {
            *buffer = AlignedWords::zeros(words as usize);
        }
    }
    let groups = u64::from(x) * u64::from(y) * u64::from(z);
    for group in 0..groups {
        if work.control.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
            return Err(vec![invalid(CANCELLED, "the run was stopped")]);
        }
        let rows = group / u64::from(x);
        let place = [group % u64::from(x), rows % u64::from(y), rows / u64::from(y)];
        for (value, at) in [SysVal::GroupX, SysVal::GroupY, SysVal::GroupZ].into_iter().zip(place) {
            let places = &mut sysvals[row(value)];
            // Most stay as they are.
            if places.first() != Some(&(at as u32)) {
                places.fill(at as u32);
            }
        }
        for (buffer, _) in buffers.iter_mut().zip(&iface.buffers).filter(|(_, decl)| decl.workgroup.is_some()) {
            buffer.fill(0);
        }
        let inputs = Inputs {
            lanes,
            attrs: &attrs,
            banks: &banks,
            sysvals: &sysvals,
            covered: &covered,
            textures: work.textures,
            interpolator: &NoInterpolator,
            fuel: work.fuel,
        };
        let memory = if writes { Memory::Aligned(&mut buffers) } else { Memory::AlignedShared(&buffers) };
        runner.run(&inputs, memory, &mut outputs);
        if let Some((lane, fault)) = faults.first(&outputs, count) {
            let within =
                [SysVal::LocalX, SysVal::LocalY, SysVal::LocalZ].map(|value| u64::from(sysvals[row(value)][lane]));
            let invocation = std::array::from_fn(|n| place[n] * u64::from(size[n]) + within[n]);
            return Err(vec![report(&shader.func, &buffers, &fault, invocation)]);
        }
        // All flags at once, which the compiler vectorises.
        let any = |flags: &[bool]| flags.iter().fold(false, |any, &flag| any | flag);
        if any(&outputs.missed_barrier) {
            return Err(vec![missed(&outputs.missed_barrier, place)]);
        }
        let out = &outputs.out_of_fuel[..count];
        if any(out) {
            out_of_fuel += out.iter().filter(|&&out| out).count() as u64;
        }
        if let Some(progress) = work.control.progress {
            progress(group + 1, groups);
        }
    }
    Ok(DispatchResult { buffers, invocations: groups * count as u64, out_of_fuel })
}
