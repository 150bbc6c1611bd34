//! Runs a draw: quads to batches of lanes, bands of rows on threads.

use crate::compile::Compiled;
use crate::draw::Draw;
use crate::frame::{Channel, Frame};
use crate::primitive::{Columns, Places, Primitive, Shape, primitives};
use crate::problem::{guarded, invalid, unsupported};
use crate::target::{Store, Stored, Target};
use parallax_core::backend::Runner;
use parallax_core::exec::{Inputs, Memory, NoInterpolator, Outputs, Plane, PlaneMut};
use parallax_core::num::Storage;
use parallax_core::{Func, OpKind, Source, SourceId, Stage, SysVal};
use parallax_text::{Diag, Span};
use parallax_texture::{Missing, TextureSet};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Lanes per interpreter run: enough to share the cost of dispatch, few enough for the rows to stay in the cache.
const LANES: usize = 128;
/// Rows per band; even, so that no quad is in two bands.
const BAND: u32 = 16;

/// Threads that runs share.
#[derive(Debug)]
pub struct Workers {
    pool: Option<rayon::ThreadPool>,
}

impl Workers {
    /// `threads` threads; 0 means one per core.
    ///
    /// # Errors
    /// If the system refuses the threads.
    pub fn new(threads: usize) -> Result<Workers, Diag> {
        if threads == 1 {
            return Ok(Workers::serial());
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|e| Diag { span: None, ..Diag::internal("engine-threads", None, e.to_string()) })?;
        Ok(Workers { pool: Some(pool) })
    }

    /// The calling thread only.
    pub fn serial() -> Workers {
        Workers { pool: None }
    }

    /// Does the same with every item, on all threads; results stand in the order of the items.
    pub fn map<T: Sync, R: Send>(&self, items: &[T], job: impl Fn(&T) -> R + Sync) -> Vec<R> {
        match &self.pool {
            None => items.iter().map(job).collect(),
            Some(pool) => pool.install(|| items.par_iter().map(&job).collect()),
        }
    }

    /// Number of threads.
    pub fn threads(&self) -> usize {
        self.pool.as_ref().map_or(1, rayon::ThreadPool::current_num_threads)
    }
}

/// How a run is watched and stopped.
#[derive(Copy, Clone, Default)]
pub struct Control<'a> {
    /// Called with (pixels done, pixels in all) now and then, from any thread.
    pub progress: Option<&'a (dyn Fn(u64, u64) + Sync)>,
    /// The run stops with an error soon after this becomes true.
    pub cancel: Option<&'a AtomicBool>,
}

/// Code of the error of a cancelled run.
pub const CANCELLED: &str = "engine-cancelled";
/// Code of the error of a run that does not end.
pub const ENDLESS: &str = "draw-endless";
/// Fragments that may run out of loop fuel before a run is given up: enough to see that a few pixels do, few enough to
/// end soon.
pub const MAX_ENDLESS: u64 = 256;

/// Runs a fragment shader over a draw. The frame does not depend on the number of threads.
///
/// # Errors
/// What makes the draw impossible, all of it: sizes, missing attributes, missing textures, unsupported texture shapes,
/// another stage. [`CANCELLED`] if the run was stopped, [`ENDLESS`] if more than [`MAX_ENDLESS`] fragments ran out of loop
/// fuel.
pub fn run_draw(compiled: &Compiled, draw: &Draw, workers: &Workers, control: Control<'_>) -> Result<Frame, Vec<Diag>> {
    guarded(|| draw_frame(compiled, draw, workers, control)).unwrap_or_else(|diag| Err(vec![diag]))
}

fn draw_frame(compiled: &Compiled, draw: &Draw, workers: &Workers, control: Control<'_>) -> Result<Frame, Vec<Diag>> {
    let func = &compiled.shader.func;
    let diags = check_draw(func, draw);
    if !diags.is_empty() {
        return Err(diags);
    }
    let reads = Reads::of(func);
    let primitives = primitives(draw, &func.iface.attrs, &reads.attrs);
    let job = Job { compiled, draw, control, primitives, reads, endless: AtomicU64::new(0) };

    let (width, height) = (draw.width as usize, draw.height as usize);
    let planes = compiled.program.planes();
    let mut channels = Vec::new();
    let mut channel_planes = Vec::new();
    let stored = |target: Target| Stored { target, words: Plane::zeros(target.bits(), width * height) };
    for (plane, ty) in planes.iter().enumerate() {
        let Some(ty) = ty else { continue };
        let output = &func.iface.outputs[plane / 4];
        channel_planes.push(plane);
        channels.push(Channel {
            output: output.name.clone(),
            role: output.role,
            comp: (plane % 4) as u8,
            ty: ty.ty,
            storage: ty.storage,
            words: Plane::zeros(ty.bits(), width * height),
            stored: draw.targets.of(output.role, ty.ty).map(stored),
        });
    }
    // Integers in a colour output are binary32 patterns.
    let stores = |c: &Channel| Some(Store::new(c.storage.unwrap_or(Storage::F32), c.stored.as_ref()?.target));
    let stores: Vec<Option<Store>> = channels.iter().map(stores).collect();
    let mut covered = vec![false; width * height];

    // Every band gets its own part of every channel. A shader that writes memory has only one, so that its quads run one
    // after the other, triangle by triangle.
    let writes = compiled.program.writes_memory();
    let rows = if writes { width * height } else { BAND as usize * width };
    let mut buffers = if writes { draw.buffers.clone() } else { Vec::new() };
    let mut bands: Vec<Band<'_>> = covered
        .chunks_mut(rows)
        .enumerate()
        .map(|(n, covered)| Band {
            top: n as u32 * BAND,
            covered,
            words: Vec::new(),
            stored: Vec::new(),
            memory: Memory::Shared(&draw.buffers),
        })
        .collect();
    if writes && let [band] = bands.as_mut_slice() {
        band.memory = Memory::Exclusive(&mut buffers);
    }
    for (at, (channel, store)) in channels.iter_mut().zip(&stores).enumerate() {
        for (band, words) in bands.iter_mut().zip(channel.words.chunks_mut(rows)) {
            band.words.push(words);
        }
        if let (Some(stored), Some(store)) = (&mut channel.stored, store) {
            for (band, words) in bands.iter_mut().zip(stored.words.chunks_mut(rows)) {
                band.stored.push((at, store, words));
            }
        }
    }

    let done = AtomicU64::new(0);
    let run = |worker: &mut Worker<'_>, band: Band<'_>| -> Option<Counts> {
        let pixels = band.covered.len() as u64;
        let counts = worker.band(&job, &channel_planes, band)?;
        let done = done.fetch_add(pixels, Ordering::Relaxed) + pixels;
        if let Some(progress) = control.progress {
            progress(done, (width * height) as u64);
        }
        Some(counts)
    };
    let counts: Option<Vec<Counts>> = match &workers.pool {
        None => {
            let mut worker = Worker::new(compiled);
            bands.into_iter().map(|band| run(&mut worker, band)).collect()
        }
        Some(pool) => pool.install(|| bands.into_par_iter().map_init(|| Worker::new(compiled), run).collect()),
    };
    // Counts only grow, so whether the limit is passed does not depend on which thread came first.
    if job.endless.load(Ordering::Relaxed) > MAX_ENDLESS {
        return Err(vec![endless(func, draw.fuel, &format!("more than {MAX_ENDLESS} fragments"))]);
    }
    let Some(counts) = counts else {
        return Err(vec![invalid(CANCELLED, "the run was stopped")]);
    };
    let mut frame = Frame { width: draw.width, height: draw.height, channels, covered, buffers, ..Frame::default() };
    for counts in counts {
        frame.fragments += counts.fragments;
        frame.discarded += counts.discarded;
        frame.out_of_fuel += counts.out_of_fuel;
    }
    Ok(frame)
}

/// The problem of a program that does not end, at the first loop of its source. Which of several loops it was is not
/// known; all are named.
pub fn endless(func: &Func, fuel: u32, who: &str) -> Diag {
    /// Loops that are named.
    const MOST: usize = 8;
    let mut loops: BTreeSet<SourceId> = BTreeSet::new();
    func.walk(|_, op| {
        let data = &func.ops[op];
        if data.kind == OpKind::Loop {
            loops.extend(data.origins.iter().min());
        }
    });
    let sources: Vec<_> = loops.into_iter().filter_map(|id| func.sources.get(id)).collect();
    let mut spans = sources.iter().map(|source| {
        let word = source.text.split_whitespace().next().map_or(1, str::len);
        Span::new(source.offset as usize, source.offset as usize + word)
    });
    let message = format!("the loops do not end: {who} took more than {fuel} iterations");
    let mut diag = Diag { span: spans.next(), ..unsupported(ENDLESS, message) };
    if sources.len() > 1 {
        let place = |source: &Source<'_>| match source.line {
            0 => format!("byte {}", source.offset),
            line => format!("line {line}"),
        };
        let mut places: Vec<String> = sources.iter().take(MOST).map(place).collect();
        if sources.len() > MOST {
            places.push("further on".into());
        }
        diag = diag.with_help(format!("it is one of {} loops, at {}", sources.len(), places.join(", ")));
    }
    diag
}

/// Everything that makes a draw of this shader impossible.
fn check_draw(func: &Func, draw: &Draw) -> Vec<Diag> {
    let mut diags = draw.check(&func.iface);
    if func.iface.stage != Stage::Fragment {
        let stage = if func.iface.stage == Stage::Vertex { "vertex" } else { "compute" };
        diags.push(
            unsupported("draw-stage", format!("a {stage} shader cannot be drawn"))
                .with_help("vertex shaders run on lists of vertices"),
        );
    }
    diags.extend(check_textures(func, &draw.textures));
    diags
}

/// Lookups that would not give what the shader means.
pub(crate) fn check_textures(func: &Func, textures: &TextureSet) -> Vec<Diag> {
    let found = textures.check(func);
    found
        .into_iter()
        .map(|missing| match missing {
            Missing::Unit(unit) => invalid("draw-texture", missing.to_string())
                .with_help(format!("add a [[textures]] entry with unit = {unit} to the manifest")),
            Missing::Target { .. } => unsupported("draw-texture-target", missing.to_string()),
        })
        .collect()
}

/// Which inputs a shader reads.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reads {
    /// Attribute components, as `attribute * 4 + component`, sorted.
    pub(crate) attrs: Vec<usize>,
    /// Whether any system value is read that is not derived by the interpreter itself.
    pub(crate) sysvals: bool,
}

impl Reads {
    pub(crate) fn of(func: &Func) -> Reads {
        let mut reads = Reads::default();
        let count = func.iface.attrs.len();
        let mut used = vec![false; count * 4];
        func.walk(|_, op| match func.ops[op].kind {
            OpKind::Attr { index, comp }
            | OpKind::AttrSample { index, comp }
            | OpKind::AttrOffset { index, comp }
            | OpKind::AttrCentroid { index, comp } => {
                if let Some(used) = used.get_mut(usize::from(index) * 4 + usize::from(comp)) {
                    *used = true;
                }
            }
            OpKind::AttrAt { comp, .. } => (0..count).for_each(|a| used[a * 4 + usize::from(comp & 3)] = true),
            OpKind::Sys(value) => reads.sysvals |= !matches!(value, SysVal::HelperLane | SysVal::QuadLane),
            _ => {}
        });
        reads.attrs = (0..used.len()).filter(|&plane| used[plane]).collect();
        reads
    }
}

/// Number of system values.
const SYSVALS: usize = SysVal::QuadLane as usize + 1;

struct Job<'a> {
    compiled: &'a Compiled,
    draw: &'a Draw,
    control: Control<'a>,
    primitives: Vec<Primitive>,
    reads: Reads,
    /// Fragments that ran out of fuel so far.
    endless: AtomicU64,
}

/// Rows of the frame one thread works on.
struct Band<'a> {
    top: u32,
    covered: &'a mut [bool],
    words: Vec<PlaneMut<'a>>,
    /// Channels with a render target: number, conversion, the target's words.
    stored: Vec<(usize, &'a Store, PlaneMut<'a>)>,
    memory: Memory<'a>,
}

impl Band<'_> {
    /// Fills the render targets from the channels. Pixels that are not covered hold zeros, which every conversion keeps.
    fn store(&mut self) {
        for (channel, store, out) in &mut self.stored {
            let words = self.words[*channel].to_words();
            let mut converted = vec![0; words.len()];
            store.run(&words, &mut converted);
            out.copy_from(&converted);
        }
    }
}

#[derive(Copy, Clone, Debug, Default)]
struct Counts {
    fragments: u64,
    discarded: u64,
    out_of_fuel: u64,
}

/// What a thread keeps between bands.
struct Worker<'a> {
    runner: Box<dyn Runner + 'a>,
    outputs: Outputs,
    columns: Columns,
    /// Lanes of the primitive that is being added.
    places: Places,
    /// First lane of `places` in the batch.
    segment: usize,
    attrs: Vec<u32>,
    sysvals: Vec<u32>,
    covered: Vec<bool>,
    /// Pixel of each lane, counted from the start of the band.
    pixel: Vec<usize>,
    counts: Counts,
}

impl<'a> Worker<'a> {
    fn new(compiled: &'a Compiled) -> Worker<'a> {
        Worker {
            runner: compiled.program.runner(),
            outputs: Outputs::default(),
            columns: Columns::default(),
            places: Places::default(),
            segment: 0,
            attrs: Vec::new(),
            sysvals: Vec::new(),
            covered: Vec::new(),
            pixel: Vec::new(),
            counts: Counts::default(),
        }
    }

    /// Shades a band; `None` if the run was cancelled.
    fn band(&mut self, job: &Job<'_>, planes: &[usize], mut band: Band<'_>) -> Option<Counts> {
        let attrs = job.compiled.shader.func.iface.attrs.len();
        self.attrs.clear();
        self.attrs.resize(attrs * 4 * LANES, 0);
        self.sysvals.clear();
        if job.reads.sysvals {
            self.sysvals.resize(SYSVALS * LANES, 0);
        }
        self.counts = Counts::default();
        // A run that was given up left its last batch behind.
        self.covered.clear();
        self.pixel.clear();
        self.places.column.clear();
        self.places.y.clear();
        self.segment = 0;
        let size = [job.draw.width, job.draw.height];
        let top = band.top;
        let bottom = top + (band.covered.len() / size[0] as usize) as u32;
        let mut running = true;
        for primitive in &job.primitives {
            let (left, right) = match &primitive.shape {
                Shape::Full => (0, size[0]),
                Shape::Triangle(t) if t.rows[0] >= bottom || t.rows[1] <= top => continue,
                Shape::Triangle(t) => (t.columns[0] & !1, t.columns[1]),
            };
            // One more column: the right half of the last quad may lie outside.
            self.columns.prepare(primitive, left, (right - left) as usize + 1);
            self.places.left = left;
            let mut add = |x: u32, y: u32, covered: [bool; 4]| {
                if running {
                    self.quad(job, primitive, &band, x, y, covered);
                    if self.covered.len() == LANES {
                        running = self.flush(job, primitive, planes, &mut band);
                    }
                }
            };
            match &primitive.shape {
                Shape::Full => {
                    for y in (top..bottom).step_by(2) {
                        for x in (0..size[0]).step_by(2) {
                            let (right, below) = (x + 1 < size[0], y + 1 < size[1]);
                            add(x, y, [true, right, below, right && below]);
                        }
                    }
                }
                Shape::Triangle(triangle) => triangle.quads(top, bottom, size, add),
            }
            if !running {
                return None;
            }
            self.interpolate(job, primitive);
        }
        if !self.covered.is_empty() {
            // Interpolated already.
            running = self.shade(job, planes, &mut band);
        }
        band.store();
        running.then_some(self.counts)
    }

    /// Adds one quad to the batch.
    fn quad(&mut self, job: &Job<'_>, primitive: &Primitive, band: &Band<'_>, x: u32, y: u32, covered: [bool; 4]) {
        let width = job.draw.width as usize;
        let column = x - self.places.left;
        for (lane, covered) in covered.into_iter().enumerate() {
            let (dx, dy) = (lane as u32 & 1, lane as u32 >> 1);
            self.places.column.push(column + dx);
            self.places.y.push((y + dy) as f32 + 0.5);
            let at = (y + dy - band.top) as usize * width + (x + dx) as usize;
            if job.reads.sysvals {
                let number = self.covered.len();
                let mut set = |value: SysVal, word: u32| self.sysvals[value as usize * LANES + number] = word;
                set(SysVal::PrimitiveId, primitive.number);
                set(SysVal::FrontFacing, if primitive.front { u32::MAX } else { 0 });
                set(SysVal::SampleMask, u32::from(covered));
                set(SysVal::SampleCount, 1);
            }
            self.pixel.push(at);
            self.covered.push(covered);
        }
    }

    /// Computes the attributes of the lanes added since the last time.
    fn interpolate(&mut self, job: &Job<'_>, primitive: &Primitive) {
        let range = self.segment..self.covered.len();
        if !range.is_empty() {
            let rows = wanted_rows(&mut self.attrs, &job.reads.attrs).map(|row| &mut row[range.clone()]);
            self.columns.fill(primitive, &self.places, rows);
        }
        self.segment = self.covered.len();
        self.places.column.clear();
        self.places.y.clear();
    }

    fn flush(&mut self, job: &Job<'_>, primitive: &Primitive, planes: &[usize], band: &mut Band<'_>) -> bool {
        self.interpolate(job, primitive);
        self.shade(job, planes, band)
    }

    /// Runs the batch and writes its results; false if the run was cancelled.
    fn shade(&mut self, job: &Job<'_>, planes: &[usize], band: &mut Band<'_>) -> bool {
        if job.control.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed))
            || job.endless.load(Ordering::Relaxed) > MAX_ENDLESS
        {
            return false;
        }
        let lanes = self.covered.len();
        if lanes < LANES {
            compact(&mut self.attrs, LANES, lanes);
            compact(&mut self.sysvals, LANES, lanes);
        }
        let banks: Vec<&[[u32; 4]]> = job.draw.banks.iter().map(Vec::as_slice).collect();
        let inputs = Inputs {
            lanes,
            attrs: &self.attrs,
            banks: &banks,
            sysvals: &self.sysvals,
            covered: &self.covered,
            textures: &job.draw.textures,
            interpolator: &NoInterpolator,
            fuel: job.draw.fuel,
        };
        self.runner.run(&inputs, band.memory.reborrow(), &mut self.outputs);
        let mut endless = 0;
        for lane in (0..lanes).filter(|&lane| self.covered[lane]) {
            self.counts.fragments += 1;
            endless += u64::from(self.outputs.out_of_fuel[lane]);
            if self.outputs.covered[lane] {
                band.covered[self.pixel[lane]] = true;
            } else {
                self.counts.discarded += 1;
            }
        }
        if endless > 0 {
            self.counts.out_of_fuel += endless;
            if job.endless.fetch_add(endless, Ordering::Relaxed) + endless > MAX_ENDLESS {
                return false;
            }
        }
        for (words, &plane) in band.words.iter_mut().zip(planes) {
            words.scatter(&self.outputs.planes[plane], &self.pixel, &self.outputs.covered);
        }
        self.covered.clear();
        self.pixel.clear();
        self.segment = 0;
        true
    }
}

/// The rows of the wanted planes, in order.
fn wanted_rows<'a>(attrs: &'a mut [u32], wanted: &'a [usize]) -> impl Iterator<Item = &'a mut [u32]> {
    let mut next = wanted.iter().peekable();
    attrs
        .chunks_exact_mut(LANES)
        .enumerate()
        .filter_map(move |(plane, row)| next.next_if(|&&w| w == plane).map(|_| row))
}

/// Moves rows of `stride` words together, keeping the first `lanes` of each.
fn compact(words: &mut [u32], stride: usize, lanes: usize) {
    for row in 1..words.len() / stride {
        words.copy_within(row * stride..row * stride + lanes, row * lanes);
    }
}
