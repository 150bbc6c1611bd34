//! Runs a draw: bands of rows on threads.

use crate::band::{Alpha, BAND, Band, Batches, Counts, Job, StoredRows, Worker};
use crate::bound_image::check_images;
use crate::compile::Compiled;
use crate::dispatch::kernel_frame;
use crate::draw::Draw;
use crate::frame::{Channel, Frame, FrameSamples};
use crate::merge::{AlphaTest, Merger, Part, Parts};
use crate::primitive::{Primitive, Shape, primitives};
use crate::problem::{Problems, guarded_shader, invalid, unsupported};
use crate::quads::Quads;
use crate::reads::Reads;
use crate::render_target::{Store, Stored};
use crate::resolve::Resolve;
use crate::samples::Sampling;
use parallax_core::exec::{Memory, Plane, PlaneMut, PlaneType};
use parallax_core::num::{Storage, TargetRule};
use parallax_core::{Func, OPS_PER_FUEL, OpKind, OutputRole, Source, SourceId, Stage};
use parallax_text::{Diag, Span};
use parallax_texture::TextureSet;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};

/// Threads that runs share.
#[derive(Debug)]
pub struct Workers {
    pool: Option<rayon::ThreadPool>,
}

/// Bytes of stack of a thread; what is not used costs nothing.
const STACK: usize = 32 << 20;

impl Workers {
    /// `threads` threads; 0 means one per core.
    ///
    /// # Errors
    /// If the system refuses the threads.
    pub fn new(threads: usize) -> Result<Workers, Diag> {
        // Whole shaders are worked on by a thread that waits for its share of another. One thread needs a pool, too: parallel work
        // outside of any pool takes all cores.
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK).build();
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

    /// Does the same with every item, each as soon as a thread is free, and hands over the results in the order of the items, on
    /// the calling thread. Once `take` breaks, no further item is begun.
    pub fn in_order<T: Sync, R: Send>(
        &self,
        items: &[T],
        job: impl Fn(&T) -> R + Sync,
        mut take: impl FnMut(R) -> ControlFlow<()>,
    ) {
        let Some(pool) = &self.pool else {
            let _ = items.iter().try_for_each(|item| take(job(item)));
            return;
        };
        let (next, ended) = (AtomicUsize::new(0), AtomicBool::new(false));
        let (sender, receiver) = mpsc::channel();
        pool.in_place_scope(|scope| {
            // Every thread has its own turn, so that none waits in the middle of an item for another's.
            scope.spawn_broadcast(|_, _| {
                let sender = sender.clone();
                while !ended.load(Ordering::Relaxed) {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(at) else { break };
                    let done = std::panic::catch_unwind(AssertUnwindSafe(|| job(item)));
                    // Nobody listens once it has ended.
                    let _ = sender.send((at, done));
                }
            });
            // What came before its turn.
            let mut early: BTreeMap<usize, std::thread::Result<R>> = BTreeMap::new();
            let mut turn = 0;
            while turn < items.len() {
                let Ok((at, done)) = receiver.recv() else { break };
                early.insert(at, done);
                while let Some(done) = early.remove(&turn) {
                    turn += 1;
                    // A panic ends here as it would without threads.
                    let taken = done.and_then(|done| std::panic::catch_unwind(AssertUnwindSafe(|| take(done))));
                    if !matches!(taken, Ok(ControlFlow::Continue(()))) {
                        ended.store(true, Ordering::Relaxed);
                    }
                    match taken {
                        Ok(ControlFlow::Continue(())) => {}
                        Ok(ControlFlow::Break(())) => return,
                        Err(panic) => std::panic::resume_unwind(panic),
                    }
                }
            }
        });
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
    /// Only these quads are shaded; the others end uncovered. Shaders that write memory may then give other results.
    pub only: Option<&'a Quads>,
    /// Only these rows of a picture are drawn, from the first up to but without the second, and the frame has no others. They are
    /// one of [`cut_into_frames`]. Each of such frames counts the fragments without end for itself.
    pub rows: Option<[u32; 2]>,
    /// Channels with a render target hold only what that stores, as a renderer's do: [`Channel::words`] stay empty. Where target and
    /// container have one format nothing is copied, elsewhere results are converted while they are in the cache. Channels of pixels
    /// with several samples hold both all the same.
    pub targets_alone: bool,
}

/// Code of the error of a cancelled run.
pub const CANCELLED: &str = "engine-cancelled";
/// Code of the error of a run that does not end.
pub const ENDLESS: &str = "draw-endless";
/// Fuel for a budget of so many ops ([`OPS_PER_FUEL`]).
pub fn fuel_of_budget(ops: u64) -> u32 {
    u32::try_from(ops.div_ceil(OPS_PER_FUEL as u64)).unwrap_or(u32::MAX)
}

/// Fragments that may run out of loop fuel before a run is given up: enough to see that a few pixels do, few enough to
/// end soon.
pub const MAX_ENDLESS: u64 = 256;

/// Runs a fragment shader over a draw, or a kernel over its grid: then the frame shows the buffers that it writes, a channel each,
/// a word per pixel. The frame does not depend on the number of threads.
///
/// # Errors
/// What makes the draw impossible, all of it: sizes, missing attributes, missing textures, unsupported texture shapes,
/// another stage. [`CANCELLED`] if the run was stopped, [`ENDLESS`] if more than [`MAX_ENDLESS`] fragments ran out of loop
/// fuel.
pub fn run_draw(compiled: &Compiled, draw: &Draw, workers: &Workers, control: Control<'_>) -> Result<Frame, Problems> {
    run_draw_reusing(compiled, draw, workers, control, Frame::default())
}

/// [`run_draw`] in the memory of an earlier frame, as far as it has the same channels: the result is the same, but large
/// frames one after the other need not be asked of the system each time.
///
/// # Errors
/// As [`run_draw`].
pub fn run_draw_reusing(
    compiled: &Compiled,
    draw: &Draw,
    workers: &Workers,
    control: Control<'_>,
    earlier: Frame,
) -> Result<Frame, Problems> {
    let func = &compiled.shader.func;
    guarded_shader(&func.name, || match func.iface.stage {
        Stage::Compute => kernel_frame(compiled, draw, control),
        _ => draw_frame(compiled, draw, workers, control, earlier, Batches::Made),
    })
}

/// [`run_draw`] of fragments on one thread, with batches that are kept or given.
pub(crate) fn run_batches(
    compiled: &Compiled,
    draw: &Draw,
    control: Control<'_>,
    batches: Batches<'_>,
) -> Result<Frame, Problems> {
    let drawn = || draw_frame(compiled, draw, &Workers::serial(), control, Frame::default(), batches);
    guarded_shader(&compiled.shader.func.name, drawn)
}

/// Samples up to which a frame is held as a whole where frames are measured, and those of a strip of larger ones.
pub const STRIP_SAMPLES: u64 = 1 << 20;

/// Cuts the rows of a draw into frames of about so many samples, from the top: a picture that is too large for one is the frames
/// below each other, bit for bit. A shader that writes memory, and one of another stage than fragments, has one.
pub fn cut_into_frames(compiled: &Compiled, draw: &Draw, samples: u64) -> Vec<[u32; 2]> {
    let is_whole = compiled.shader.func.iface.stage != Stage::Fragment || compiled.program.writes_memory();
    let row = (u64::from(draw.width) * u64::from(draw.samples.count())).max(1);
    let rows = if is_whole { draw.height } else { (samples / row).clamp(1, u64::from(draw.height.max(1))) as u32 };
    let rows = rows.next_multiple_of(BAND).max(BAND) as usize;
    (0..draw.height).step_by(rows).map(|first| [first, draw.height.min(first + rows as u32)]).collect()
}

fn draw_frame(
    compiled: &Compiled,
    draw: &Draw,
    workers: &Workers,
    control: Control<'_>,
    earlier: Frame,
    batches: Batches<'_>,
) -> Result<Frame, Vec<Diag>> {
    let func = &compiled.shader.func;
    let [first, end] = control.rows.unwrap_or([0, draw.height]);
    let diags = check_draw(func, draw, end.saturating_sub(first));
    if !diags.is_empty() {
        return Err(diags);
    }
    let is_cut = first.is_multiple_of(BAND) && end <= draw.height && (end.is_multiple_of(BAND) || end == draw.height);
    if !is_cut {
        return Err(vec![Diag { span: None, ..Diag::internal("draw-rows", None, format!("rows {first} to {end}")) }]);
    }
    let reads = Reads::of(func);
    let primitives = primitives(draw, &func.iface.attrs, &reads.attrs, &compiled.shader.state);
    let sampling = Sampling::new(&draw.samples, &func.iface.attrs, &reads);

    // Until it is resolved, a channel holds the words of samples, pixel by pixel.
    let count = sampling.count();
    let (width, height) = (draw.width as usize, (end - first) as usize);
    let words = width * height * count;
    let planes = compiled.program.planes();
    let mut channels = Vec::new();
    let mut channel_planes = Vec::new();
    for (plane, ty) in planes.iter().enumerate() {
        let Some(ty) = ty else { continue };
        let output = &func.iface.outputs[plane / 4];
        // Part of the channel of depths.
        if matches!(output.role, OutputRole::SampleDepth(_)) {
            continue;
        }
        channel_planes.push(plane);
        channels.push(Channel {
            output: output.name.clone(),
            role: output.role,
            comp: (plane % 4) as u8,
            ty: ty.ty,
            storage: ty.storage,
            words: Plane::default(),
            stored: draw.targets.of(output.role, ty.ty).map(|target| Stored {
                target,
                comp: (plane % 4) as u8,
                words: Plane::default(),
            }),
        });
    }
    // Integers in a colour output are binary32 patterns.
    let fixed = compiled.shader.state.fixed;
    let stores = |c: &Channel| {
        let code = c.stored.as_ref()?.target.code(c.comp);
        Some(Store::new(c.storage.unwrap_or(Storage::F32), code, &fixed.target))
    };
    let stores: Vec<Option<Store>> = channels.iter().map(stores).collect();
    let alone = control.targets_alone && count == 1 && draw.merge.blend.is_none() && draw.merge.alpha_test.is_none();
    let colors: Vec<[Option<usize>; 3]> = channels.iter().map(|channel| colors_of(&channels, channel)).collect();
    let (merger, alpha_test) = merging(draw, &fixed.target, &channels, &channel_planes, &stores);
    let stale = give_memory(&mut channels, earlier.channels, words, alone) && earlier.covered.len() == words;
    let mut covered = if stale { earlier.covered } else { vec![false; words] };
    // A single sample has no mask.
    let is_mask =
        |plane: &usize| plane.is_multiple_of(4) && func.iface.outputs[plane / 4].role == OutputRole::SampleMask;
    let sample_mask = channel_planes.iter().copied().find(is_mask).filter(|_| count > 1);
    let sample_depths = if sampling.per_sample { Vec::new() } else { depths_of_samples(compiled, count) };
    let no_end = AtomicU64::new(0);
    let is_whole = matches!(primitives.as_slice(), [Primitive { shape: Shape::Full, .. }])
        && control.only.is_none()
        && matches!(batches, Batches::Made)
        && merger.is_none()
        && alpha_test.is_none()
        && (count, sampling.offsets.len(), sampling.per_sample) == (1, 1, false)
        && !(reads.sysvals || reads.elsewhere || reads.discards_samples);
    let job = Job {
        compiled,
        draw,
        control,
        primitives,
        reads,
        sampling,
        sample_mask,
        sample_depths,
        is_whole,
        endless: no_end,
        merger,
        alpha_test,
        batches,
    };

    // Every band gets its own part of every channel. A shader that writes memory has only one, so that its quads run one
    // after the other, triangle by triangle.
    let writes = compiled.program.writes_memory();
    // So do a few quads drawn on one thread: together they fill batches.
    let together = writes || (control.only.is_some() && workers.pool.is_none());
    let rows = if together { words } else { BAND as usize * width * count };
    let mut buffers = if writes { draw.buffers.clone() } else { Vec::new() };
    let mut bands: Vec<Band<'_>> = covered
        .chunks_mut(rows)
        .enumerate()
        .map(|(n, covered)| Band {
            top: first + n as u32 * BAND,
            stale,
            covered,
            words: Vec::new(),
            stored: Vec::new(),
            unkept: Vec::new(),
            memory: Memory::Shared(&draw.buffers),
        })
        .collect();
    if writes && let [band] = bands.as_mut_slice() {
        band.memory = Memory::Exclusive(&mut buffers);
    }
    for (at, (channel, store)) in channels.iter_mut().zip(&stores).enumerate() {
        let bits = PlaneType { ty: channel.ty, storage: channel.storage }.bits();
        let (results, stored) = (&mut channel.words, channel.stored.as_mut().zip(store.as_ref()));
        match stored {
            Some((stored, store)) if alone && store.is_copy() => {
                for (band, words) in bands.iter_mut().zip(stored.words.chunks_mut(rows)) {
                    band.words.push(words);
                }
                continue;
            }
            Some(_) if alone => {
                for band in &mut bands {
                    band.unkept.push((at, bits));
                    band.words.push(PlaneMut::U8(&mut []));
                }
            }
            _ => {
                for (band, words) in bands.iter_mut().zip(results.chunks_mut(rows)) {
                    band.words.push(words);
                }
            }
        }
        if let Some((stored, store)) = stored {
            let is_blended = job.merger.is_some() && matches!(channel.role, OutputRole::Color(_));
            for (band, words) in bands.iter_mut().zip(stored.words.chunks_mut(rows)) {
                band.stored.push(StoredRows { channel: at, color: colors[at], store, is_blended, words });
            }
        }
    }

    let done = AtomicU64::new(0);
    let run = |worker: &mut Worker<'_>, band: Band<'_>| -> Option<Counts> {
        let pixels = (band.covered.len() / count) as u64;
        let counts = worker.band(&job, &channel_planes, band)?;
        let done = done.fetch_add(pixels, Ordering::Relaxed) + pixels;
        if let Some(progress) = control.progress {
            progress(done, (width * height) as u64);
        }
        Some(counts)
    };
    let several = bands.len().min(workers.threads()) > 1;
    // Each thread takes the next band until there is none. The calling one is among them: a frame may be done before others wake.
    let bands = Mutex::new(bands.into_iter());
    let next = || bands.lock().unwrap_or_else(PoisonError::into_inner).next();
    let counts = Mutex::new(Some(Counts::default()));
    let work = || {
        let Some(first) = next() else { return };
        let mut worker = Worker::new(compiled);
        let mut own = Some(Counts::default());
        let mut band = Some(first);
        while let (Some(so_far), Some(this)) = (own, band) {
            own = run(&mut worker, this).map(|more| so_far + more);
            band = next();
        }
        let mut counts = counts.lock().unwrap_or_else(PoisonError::into_inner);
        *counts = counts.zip(own).map(|(all, own)| all + own);
    };
    match workers.pool.as_ref().filter(|_| several) {
        None => work(),
        Some(pool) => pool.in_place_scope(|scope| {
            (1..workers.threads()).for_each(|_| scope.spawn(|_| work()));
            work();
        }),
    }
    let counts = counts.into_inner().unwrap_or_else(PoisonError::into_inner);
    // Counts only grow, so whether the limit is passed does not depend on which thread came first.
    if job.endless.load(Ordering::Relaxed) > MAX_ENDLESS {
        return Err(vec![endless(func, draw.fuel, &format!("more than {MAX_ENDLESS} fragments"))]);
    }
    let Some(counts) = counts else {
        return Err(vec![invalid(CANCELLED, "the run was stopped")]);
    };
    let mut frame = Frame { width: draw.width, height: end - first, channels, covered, buffers, ..Frame::default() };
    if count > 1 {
        match &workers.pool {
            None => resolve(&mut frame, &job.sampling),
            Some(pool) => pool.install(|| resolve(&mut frame, &job.sampling)),
        }
    }
    (frame.fragments, frame.discarded, frame.out_of_fuel) = (counts.fragments, counts.discarded, counts.out_of_fuel);
    Ok(frame)
}

/// The channels of red, green and blue of a channel's output.
fn colors_of(channels: &[Channel], channel: &Channel) -> [Option<usize>; 3] {
    [0, 1, 2].map(|comp| channels.iter().position(|other| other.role == channel.role && other.comp == comp))
}

/// What is between colours and targets.
fn merging<'a>(
    draw: &Draw,
    rule: &TargetRule,
    channels: &[Channel],
    planes: &[usize],
    stores: &'a [Option<Store>],
) -> (Option<Merger<'a>>, Option<(AlphaTest, Alpha<'a>)>) {
    let part = |at: usize, stored: usize| stores[at].as_ref().map(|store| Part { plane: planes[at], stored, store });
    let merger = draw.merge.blend.map(|blend| {
        let mut outputs: BTreeMap<u16, Parts<'_>> = BTreeMap::new();
        let stored = channels.iter().enumerate().filter(|(_, channel)| channel.stored.is_some());
        for (number, (at, channel)) in stored.enumerate() {
            if let OutputRole::Color(output) = channel.role {
                outputs.entry(output).or_insert([None; 4])[usize::from(channel.comp & 3)] = part(at, number);
            }
        }
        Merger { blend, rule: *rule, outputs: outputs.into_values().collect() }
    });
    let alpha_test = draw.merge.alpha_test.map(|test| {
        let at = channels.iter().position(|channel| channel.role == OutputRole::Color(0) && channel.comp == 3);
        let plane = at.map(|at| (planes[at], channels[at].storage.unwrap_or(Storage::F32)));
        (test, Alpha { plane, store: at.and_then(|at| stores[at].as_ref()) })
    });
    (merger, alpha_test)
}

/// Gives channels memory for so many words: that of earlier ones, if there are as many of the same widths and targets, else
/// zeros. Tells which. `alone`: those with a render target get none but for that.
fn give_memory(channels: &mut [Channel], earlier: Vec<Channel>, words: usize, alone: bool) -> bool {
    let kept = |channel: &Channel| if alone && channel.stored.is_some() { 0 } else { words };
    let target = |channel: &Channel| channel.stored.as_ref().map(|stored| stored.target);
    let of = |channel: &Channel| PlaneType { ty: channel.ty, storage: channel.storage };
    let like = |(new, old): (&Channel, &Channel)| {
        old.words.len() == kept(new)
            && old.stored.iter().all(|stored| stored.words.len() == words)
            && (of(new).bits(), target(new)) == (of(old).bits(), target(old))
    };
    let stale = channels.len() == earlier.len() && channels.iter().zip(&earlier).all(like);
    let mut earlier = earlier.into_iter();
    for channel in channels {
        let bits = of(channel).bits();
        let old = earlier.next().filter(|_| stale);
        let (results, stored) = old.map_or((None, None), |old| (Some(old.words), old.stored));
        channel.words = results.unwrap_or_else(|| Plane::zeros(bits, kept(channel)));
        if let Some(to) = &mut channel.stored {
            to.words = stored.map_or_else(|| Plane::zeros(to.target.bits(to.comp), words), |stored| stored.words);
        }
    }
    stale
}

/// Planes that hold the depths of single samples: the plane of all depths, the sample, the plane of its own.
fn depths_of_samples(compiled: &Compiled, count: usize) -> Vec<(usize, usize, usize)> {
    let (outputs, types) = (&compiled.shader.func.iface.outputs, compiled.program.planes());
    let z = |output: usize| output * 4 + 2;
    let Some(depth) = outputs.iter().position(|output| output.role == OutputRole::Depth).map(z) else {
        return Vec::new();
    };
    let own = |(n, role): (usize, OutputRole)| match role {
        OutputRole::SampleDepth(sample) if usize::from(sample) < count && types[z(n)] == types[depth] => {
            Some((depth, usize::from(sample), z(n)))
        }
        _ => None,
    };
    outputs.iter().map(|output| output.role).enumerate().filter_map(own).collect()
}

/// From a frame of samples to one of pixels that has the samples beside it.
fn resolve(frame: &mut Frame, sampling: &Sampling) {
    let count = sampling.count();
    let covered = std::mem::take(&mut frame.covered);
    let pixels = |how: Resolve, words: &mut Plane, bits: u32| {
        let resolved = how.run(words, &covered, count, bits);
        std::mem::replace(words, resolved)
    };
    let samples = frame.channels.par_iter_mut().map(|channel| {
        let how = Resolve::channel(channel);
        let bits = PlaneType { ty: channel.ty, storage: channel.storage }.bits();
        let words = pixels(how, &mut channel.words, bits);
        let stored = channel.stored.as_mut();
        (words, stored.map(|s| pixels(Resolve::target(s.target, s.comp), &mut s.words, s.target.bits(s.comp))))
    });
    let (words, stored) = samples.unzip();
    frame.covered = covered.chunks_exact(count).map(|pixel| pixel.contains(&true)).collect();
    let positions = sampling.positions.clone();
    frame.samples = Some(FrameSamples { positions, per_sample: sampling.per_sample, covered, words, stored });
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
    let budget = u64::from(fuel) * OPS_PER_FUEL as u64;
    let message = format!("the loops do not terminate: {who} used up the budget of {budget} ops");
    let mut diag = Diag { span: spans.next(), ..unsupported(ENDLESS, message) }
        .with_help("if they do terminate, give them a larger `budget`");
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
fn check_draw(func: &Func, draw: &Draw, rows: u32) -> Vec<Diag> {
    let mut diags = draw.check_rows(&func.iface, rows);
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

/// Lookups of units without a texture.
pub(crate) fn check_textures(func: &Func, textures: &TextureSet) -> Vec<Diag> {
    let missing = |unit| {
        let help = match func.iface.units.iter().find(|named| named.unit == unit) {
            Some(named) => format!("add a [binding.\"{}\"] entry to the manifest", named.name),
            None => format!("add a [[textures]] entry with unit = {unit} to the manifest"),
        };
        invalid("draw-texture", format!("no texture is given for unit {unit}")).with_help(help)
    };
    let mut diags: Vec<Diag> = textures.missing(func).into_iter().map(missing).collect();
    diags.extend(check_images(func, textures));
    diags
}
