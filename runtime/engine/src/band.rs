//! Shades a band of rows: quads to batches of lanes, their results to samples and pixels.

mod quad_rows;
mod whole;

use crate::compile::Compiled;
use crate::draw::Draw;
use crate::merge::{AlphaTest, Merger};
use crate::primitive::{Columns, MOST_LANES, Place, Primitive, Shape};
use crate::reads::Reads;
use crate::render_target::Store;
use crate::run::{Control, MAX_ENDLESS};
use crate::samples::Sampling;
use parallax_core::SysVal;
use parallax_core::backend::Runner;
use parallax_core::exec::{Inputs, InterpolateAt, Interpolator, Memory, Outputs, Plane, PlaneMut};
use parallax_core::num::{Processor, Storage, TargetRule, ulp};
use quad_rows::set_quads;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Lanes of a batch: enough to share the cost of dispatch, few enough for the rows to stay in the cache.
const LANES: usize = 256;
/// Rows per band; even, so that no quad is in two bands.
pub(crate) const BAND: u32 = 16;
/// Number of system values.
const SYSVALS: usize = SysVal::QuadLane as usize + 1;

/// A draw on its way, shared by all threads.
pub(crate) struct Job<'a> {
    pub(crate) compiled: &'a Compiled,
    pub(crate) draw: &'a Draw,
    pub(crate) control: Control<'a>,
    pub(crate) primitives: Vec<Primitive>,
    pub(crate) reads: Reads,
    pub(crate) sampling: Sampling,
    /// Output plane that says which samples of a lane are written.
    pub(crate) sample_mask: Option<usize>,
    /// Samples with a depth of their own: the output plane of all depths, the sample, the output plane of its depth.
    pub(crate) sample_depths: Vec<(usize, usize, usize)>,
    /// Whether quads can be taken as they lie: one primitive fills the viewport, a pixel has one sample, and lanes need not
    /// know which pixels they are.
    pub(crate) is_whole: bool,
    /// Fragments that ran out of fuel so far.
    pub(crate) endless: AtomicU64,
    /// What blends colours.
    pub(crate) merger: Option<Merger<'a>>,
    /// The test of alphas, and where they are.
    pub(crate) alpha_test: Option<(AlphaTest, Alpha<'a>)>,
    pub(crate) batches: Batches<'a>,
}

/// Where batches of lanes come from.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) enum Batches<'a> {
    /// From the draw's primitives.
    #[default]
    Made,
    /// From them, and they are kept here.
    Kept(&'a Mutex<Vec<Laid>>),
    /// The same draw made them under the same control.
    Given(&'a [Laid]),
}

/// A batch of lanes: what they are, and what they are given.
#[derive(Clone, Debug)]
pub(crate) struct Laid {
    /// First row of its band.
    top: u32,
    spans: Vec<Span>,
    attrs: Vec<u32>,
    sysvals: Vec<u32>,
    covered: Vec<bool>,
    shaded: Vec<u32>,
    pixels: Vec<Pixel>,
}

/// The alphas of colour output 0.
#[derive(Copy, Clone)]
pub(crate) struct Alpha<'a> {
    /// Output plane and its container; `None` where the shader writes no alpha, which is 1 then.
    pub(crate) plane: Option<(usize, Storage)>,
    /// How it is stored.
    pub(crate) store: Option<&'a Store>,
}

/// Rows of the frame one thread works on: of every pixel, its samples.
pub(crate) struct Band<'a> {
    pub(crate) top: u32,
    /// Whether the memory holds an earlier frame instead of zeros.
    pub(crate) stale: bool,
    pub(crate) covered: &'a mut [bool],
    pub(crate) words: Vec<PlaneMut<'a>>,
    /// Channels with a render target.
    pub(crate) stored: Vec<StoredRows<'a>>,
    /// Channels of whose words nothing is left but what a render target stores: number, bits. The worker has memory for them.
    pub(crate) unkept: Vec<(usize, u32)>,
    pub(crate) memory: Memory<'a>,
}

/// A channel with a render target.
pub(crate) struct StoredRows<'a> {
    /// The channel.
    pub(crate) channel: usize,
    /// The channels of red, green and blue of its output.
    pub(crate) color: [Option<usize>; 3],
    pub(crate) store: &'a Store,
    /// Whether fragments are blended into the target one by one.
    pub(crate) is_blended: bool,
    /// The target's words.
    pub(crate) words: PlaneMut<'a>,
}

impl Band<'_> {
    /// Writes the results of quads side by side to the samples that their lanes shade.
    fn write(&mut self, job: &Job<'_>, span: &Span, shaded: &[u32], results: &[Plane], planes: &[usize]) {
        let (width, count) = (job.draw.width as usize, job.sampling.count());
        let upper = (span.at[1] - self.top) as usize * width + span.at[0] as usize;
        let lanes = span.first..span.first + 4 * span.quads;
        // The results that a sample takes: some have a depth of their own.
        let of_sample = |plane: usize, sample: usize| {
            let own = job.sample_depths.iter().find(|(all, of, _)| *all == plane && *of == sample);
            &results[own.map_or(plane, |(.., own)| *own)]
        };
        let pixel = |lane: usize| upper + (lane >> 1 & 1) * width + (lane >> 2) * 2 + (lane & 1);
        if let Some(merger) = &job.merger {
            for sample in 0..count {
                let places = (0..shaded.len()).filter(|&lane| shaded[lane] >> sample & 1 != 0);
                let places = places.map(|lane| (span.first + lane, pixel(lane) * count + sample));
                merger.write(self, |plane| of_sample(plane, sample), places);
            }
        }
        if count == 1 && shaded.iter().all(|&shaded| shaded != 0) {
            // Whole quads: two stretches of pixels.
            self.covered[upper..upper + 2 * span.quads].fill(true);
            self.covered[upper + width..upper + width + 2 * span.quads].fill(true);
            for (words, &plane) in self.words.iter_mut().zip(planes) {
                set_quads(Processor::best(), words, of_sample(plane, 0), &[], lanes.clone(), [upper, upper + width]);
            }
            return;
        }
        for sample in 0..count {
            let writes = || (0..shaded.len()).filter(|&lane| shaded[lane] >> sample & 1 != 0);
            for lane in writes() {
                self.covered[pixel(lane) * count + sample] = true;
            }
            for (words, &plane) in self.words.iter_mut().zip(planes) {
                let places = writes().map(|lane| (span.first + lane, pixel(lane) * count + sample));
                words.scatter(of_sample(plane, sample), places);
            }
        }
    }

    /// Makes the memory zeros.
    fn blank(&mut self) {
        if std::mem::take(&mut self.stale) {
            self.covered.fill(false);
            self.words.iter_mut().for_each(|words| words.fill_zeros(0..words.len()));
            let blended = self.stored.iter_mut().filter(|stored| stored.is_blended);
            blended.for_each(|stored| stored.words.fill_zeros(0..stored.words.len()));
        }
    }

    /// Fills the render targets from the channels. Samples that are not covered hold zeros, which every conversion keeps.
    fn store(&mut self, processor: Processor) {
        for stored in self.stored.iter_mut().filter(|stored| !stored.is_blended) {
            let words = |channel: usize| self.words[channel].as_row();
            let color =
                if stored.store.is_shared() { stored.color.map(|channel| channel.map(words)) } else { [None; 3] };
            stored.store.run(processor, words(stored.channel), color, stored.words.as_row_mut());
        }
    }
}

#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) fragments: u64,
    pub(crate) discarded: u64,
    pub(crate) out_of_fuel: u64,
}

impl std::ops::Add for Counts {
    type Output = Counts;

    fn add(self, other: Counts) -> Counts {
        Counts {
            fragments: self.fragments + other.fragments,
            discarded: self.discarded + other.discarded,
            out_of_fuel: self.out_of_fuel + other.out_of_fuel,
        }
    }
}

/// The pixel of a lane, for attributes at places that the shader chooses.
#[derive(Copy, Clone, Debug)]
struct Pixel {
    primitive: usize,
    /// Column and row.
    at: [u32; 2],
    /// Covered samples.
    mask: u32,
}

/// Interpolates inside the pixels of a batch.
struct Inside<'a> {
    job: &'a Job<'a>,
    /// Of each lane; empty where the shader chooses no places.
    pixels: &'a [Pixel],
}

impl Interpolator for Inside<'_> {
    fn at(&self, attr: usize, comp: usize, lane: usize, place: InterpolateAt) -> Option<u32> {
        let pixel = self.pixels.get(lane)?;
        let sampling = &self.job.sampling;
        let corner = pixel.at.map(|n| n as f32);
        let moved = |offset: [f32; 2]| [corner[0] + offset[0], corner[1] + offset[1]];
        let [x, y] = match place {
            InterpolateAt::Sample(sample) => moved(sampling.offset_of_sample(sample)),
            InterpolateAt::Centroid => {
                moved(sampling.centroid(pixel.mask).map_or([0.5; 2], |sample| sampling.offset_of_sample(sample)))
            }
            // One rounding, from the pixel centre in the window.
            InterpolateAt::Offset([x, y]) => {
                let centre = moved([0.5; 2]);
                [centre[0] + f32::from_bits(x), centre[1] + f32::from_bits(y)]
            }
        };
        let component = self.job.reads.place(attr, comp)?;
        Some(self.job.primitives.get(pixel.primitive)?.value_at(component, x, y))
    }

    fn positions(&self) -> &[[i8; 2]] {
        &self.job.sampling.positions
    }
}

/// Quads side by side in one row of quads, of one primitive; as lanes, one quad after the other.
#[derive(Copy, Clone, Debug)]
struct Span {
    /// Their first lane.
    first: usize,
    quads: usize,
    /// Column and row of the first quad's upper left pixel.
    at: [u32; 2],
}

/// What a thread keeps between bands.
pub(crate) struct Worker<'a> {
    processor: Processor,
    runner: Box<dyn Runner + 'a>,
    outputs: Outputs,
    columns: Columns,
    /// What the lanes of the batch are.
    spans: Vec<Span>,
    attrs: Vec<u32>,
    sysvals: Vec<u32>,
    covered: Vec<bool>,
    /// Samples each lane shades, a bit each.
    shaded: Vec<u32>,
    /// Of each lane, where the shader chooses places of attributes.
    pixels: Vec<Pixel>,
    /// x of the pixels of a row of quads, lane by lane, where tiles are run.
    xs: Vec<f32>,
    counts: Counts,
    /// Words of [`Band::unkept`].
    unkept: Vec<Plane>,
}

impl<'a> Worker<'a> {
    pub(crate) fn new(compiled: &'a Compiled) -> Worker<'a> {
        Worker {
            processor: Processor::best(),
            runner: compiled.program.runner(),
            outputs: Outputs::default(),
            columns: Columns::default(),
            spans: Vec::new(),
            attrs: Vec::new(),
            sysvals: Vec::new(),
            covered: Vec::new(),
            shaded: Vec::new(),
            pixels: Vec::new(),
            xs: Vec::new(),
            counts: Counts::default(),
            unkept: Vec::new(),
        }
    }

    /// Empties the batch.
    fn clear(&mut self) {
        self.spans.clear();
        self.covered.clear();
        self.shaded.clear();
        self.pixels.clear();
    }

    /// Shades a band; `None` if the run was cancelled.
    pub(crate) fn band(&mut self, job: &Job<'_>, planes: &[usize], band: Band<'_>) -> Option<Counts> {
        if band.unkept.is_empty() {
            return self.shade_band(job, planes, band);
        }
        let mut own = std::mem::take(&mut self.unkept);
        let mut band: Band<'_> = band;
        let unkept = std::mem::take(&mut band.unkept);
        own.resize_with(unkept.len(), Plane::default);
        for ((at, bits), words) in unkept.into_iter().zip(&mut own) {
            if words.len() != band.covered.len() || !words.is_of(bits) {
                words.reset(bits, band.covered.len());
            }
            band.words[at] = words.as_mut();
        }
        // An earlier band left its words behind.
        band.stale = true;
        let counts = self.shade_band(job, planes, band);
        self.unkept = own;
        counts
    }

    fn shade_band(&mut self, job: &Job<'_>, planes: &[usize], mut band: Band<'_>) -> Option<Counts> {
        let attrs = job.compiled.shader.func.iface.attrs.len();
        self.attrs.clear();
        self.attrs.resize(attrs * 4 * if job.is_whole { MOST_LANES } else { LANES }, 0);
        self.sysvals.clear();
        if job.reads.sysvals {
            self.sysvals.resize(SYSVALS * LANES, 0);
        }
        self.counts = Counts::default();
        // A run that was given up left its last batch behind.
        self.clear();
        if job.is_whole {
            let running = self.whole(job, planes, &mut band);
            band.store(self.processor);
            return running.then_some(self.counts);
        }
        band.blank();
        if let Batches::Given(all) = job.batches {
            let top = band.top;
            let running = all.iter().filter(|laid| laid.top == top).all(|laid| {
                self.take(laid);
                self.shade_lanes(job, planes, &mut band)
            });
            band.store(self.processor);
            return running.then_some(self.counts);
        }
        let size = [job.draw.width, job.draw.height];
        let top = band.top;
        let bottom = top + (band.covered.len() / (size[0] as usize * job.sampling.count())) as u32;
        let all = job.sampling.all();
        let mut running = true;
        let mut masks: Vec<[u32; 4]> = Vec::new();
        for (number, primitive) in job.primitives.iter().enumerate() {
            let (left, right) = match &primitive.shape {
                Shape::Full => (0, size[0]),
                Shape::Triangle(t) if t.rows[0] >= bottom || t.rows[1] <= top => continue,
                Shape::Triangle(t) => (t.columns[0] & !1, t.columns[1]),
            };
            self.columns.prepare(self.processor, (number, primitive), &job.sampling, left, (right - left) as usize);
            for y in (top..bottom).step_by(2) {
                if job.control.only.is_some_and(|only| only.in_row(y).next().is_none()) {
                    continue;
                }
                // Quads side by side, and the left column of the first.
                let mut start = left;
                masks.clear();
                let mut emit = |x: u32, quad: [u32; 4]| {
                    if job.control.only.is_some_and(|only| !only.contains(x, y)) {
                        return;
                    }
                    if x != start + 2 * masks.len() as u32 {
                        running = running && self.row(job, number, planes, &mut band, [start, y], &masks);
                        masks.clear();
                        start = x;
                    }
                    masks.push(quad);
                };
                match &primitive.shape {
                    Shape::Full => {
                        let mut shade = |x: u32| {
                            let (right, below) = (x + 1 < size[0], y + 1 < size[1]);
                            emit(x, [true, right, below, right && below].map(|shown| if shown { all } else { 0 }));
                        };
                        match job.control.only {
                            Some(only) => only.in_row(y).for_each(shade),
                            None => (0..size[0]).step_by(2).for_each(&mut shade),
                        }
                    }
                    Shape::Triangle(triangle) => {
                        triangle.quads(y, bottom.min(y + 2), size, &job.sampling.positions, |x, _, quad| emit(x, quad));
                    }
                }
                running = running && self.row(job, number, planes, &mut band, [start, y], &masks);
                if !running {
                    return None;
                }
            }
        }
        if !self.covered.is_empty() {
            running = self.shade(job, planes, &mut band);
        }
        band.store(self.processor);
        running.then_some(self.counts)
    }

    /// Adds quads side by side, by the masks of their pixels; false if the run was cancelled.
    fn row(
        &mut self,
        job: &Job<'_>,
        number: usize,
        planes: &[usize],
        band: &mut Band<'_>,
        [mut x, y]: [u32; 2],
        mut masks: &[[u32; 4]],
    ) -> bool {
        while !masks.is_empty() {
            // A lane is a pixel, or a sample of one: then a quad is added for every sample that one of its pixels has.
            let (quads, mut samples) = match job.sampling.per_sample {
                true => (1, masks[0].into_iter().fold(0, |all, m| all | m)),
                false => (masks.len().min((LANES - self.covered.len()) / 4), 1),
            };
            let (now, later) = masks.split_at(quads);
            while samples != 0 {
                self.add(job, number, [x, y], now, samples.trailing_zeros());
                samples &= samples - 1;
                if self.covered.len() == LANES && !self.shade(job, planes, band) {
                    return false;
                }
            }
            x += 2 * quads as u32;
            masks = later;
        }
        true
    }

    /// Adds quads to the batch: of pixels with these masks, or of their samples of this number.
    fn add(&mut self, job: &Job<'_>, number: usize, at: [u32; 2], masks: &[[u32; 4]], sample: u32) {
        let sampling = &job.sampling;
        let primitive = &job.primitives[number];
        let first = self.covered.len();
        let masks = masks.as_flattened();
        self.shaded.extend(masks.iter().map(|&mask| sampling.shaded(mask, sample)));
        self.covered.extend(self.shaded[first..].iter().map(|&shaded| shaded != 0));
        self.spans.push(Span { first, quads: masks.len() / 4, at });
        if job.reads.sysvals || job.reads.elsewhere {
            for (n, &mask) in masks.iter().enumerate() {
                let (quad, lane) = (n as u32 / 4, n as u32 % 4);
                if job.reads.sysvals {
                    let all = |truth: bool| if truth { u32::MAX } else { 0 };
                    let mut set = |value: SysVal, word: u32| self.sysvals[value as usize * LANES + first + n] = word;
                    set(SysVal::PrimitiveId, primitive.number);
                    set(SysVal::FrontFacing, all(primitive.front));
                    set(SysVal::SampleId, sample);
                    set(SysVal::SampleMask, mask);
                    set(SysVal::SampleCount, sampling.count() as u32);
                    set(SysVal::SampleShading, all(sampling.per_sample));
                }
                if job.reads.elsewhere {
                    let at = [at[0] + 2 * quad + (lane & 1), at[1] + (lane >> 1)];
                    self.pixels.push(Pixel { primitive: number, at, mask });
                }
            }
        }
        let lanes = first..first + masks.len();
        let rows = wanted_rows(&mut self.attrs, &job.reads.attrs).map(|row| &mut row[lanes.clone()]);
        self.columns.fill(self.processor, primitive, sampling, Place { at, masks, sample }, rows);
    }

    /// Runs the batch and writes its results; false if the run was cancelled.
    fn shade(&mut self, job: &Job<'_>, planes: &[usize], band: &mut Band<'_>) -> bool {
        let lanes = self.covered.len();
        if lanes < LANES {
            compact(&mut self.attrs, LANES, lanes);
            compact(&mut self.sysvals, LANES, lanes);
        }
        if let Batches::Kept(all) = job.batches {
            all.lock().unwrap_or_else(PoisonError::into_inner).push(self.laid(band.top));
        }
        self.shade_lanes(job, planes, band)
    }

    /// The batch, to be kept.
    fn laid(&self, top: u32) -> Laid {
        Laid {
            top,
            spans: self.spans.clone(),
            attrs: self.attrs.clone(),
            sysvals: self.sysvals.clone(),
            covered: self.covered.clone(),
            shaded: self.shaded.clone(),
            pixels: self.pixels.clone(),
        }
    }

    /// Makes the batch one that was kept.
    fn take(&mut self, laid: &Laid) {
        self.spans.clone_from(&laid.spans);
        self.attrs.clone_from(&laid.attrs);
        self.sysvals.clone_from(&laid.sysvals);
        self.covered.clone_from(&laid.covered);
        self.shaded.clone_from(&laid.shaded);
        self.pixels.clone_from(&laid.pixels);
    }

    /// The same of lanes whose rows stand close together.
    fn shade_lanes(&mut self, job: &Job<'_>, planes: &[usize], band: &mut Band<'_>) -> bool {
        if job.control.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed))
            || job.endless.load(Ordering::Relaxed) > MAX_ENDLESS
        {
            return false;
        }
        let lanes = self.covered.len();
        let banks: Vec<&[[u32; 4]]> = job.draw.banks.iter().map(Vec::as_slice).collect();
        let inputs = Inputs {
            lanes,
            attrs: &self.attrs,
            banks: &banks,
            sysvals: &self.sysvals,
            covered: &self.covered,
            textures: &job.draw.textures,
            interpolator: &Inside { job, pixels: &self.pixels },
            fuel: job.draw.fuel,
        };
        self.runner.run(&inputs, band.memory.reborrow(), &mut self.outputs);
        let kept = self.outputs.covered == self.covered && !self.outputs.out_of_fuel.contains(&true);
        if kept && job.sample_mask.is_none() && !job.reads.discards_samples {
            self.counts.fragments += self.covered.iter().filter(|&&covered| covered).count() as u64;
        } else if !self.settle(job) {
            return false;
        }
        if let Some((test, alpha)) = &job.alpha_test {
            self.test_alphas(*test, *alpha, &job.compiled.shader.state.fixed.target);
        }
        for span in &self.spans {
            let shaded = &self.shaded[span.first..span.first + 4 * span.quads];
            band.write(job, span, shaded, &self.outputs.planes, planes);
        }
        self.clear();
        true
    }

    /// Discards fragments whose alpha fails the test.
    fn test_alphas(&mut self, test: AlphaTest, alpha: Alpha<'_>, rule: &TargetRule) {
        for (lane, shaded) in self.shaded.iter_mut().enumerate().filter(|(_, shaded)| **shaded != 0) {
            let value =
                alpha.plane.map_or(1.0, |(plane, storage)| ulp::to_f64(self.outputs.planes[plane].get(lane), storage));
            if !test.keeps(value, alpha.store, rule) {
                *shaded = 0;
                self.counts.discarded += 1;
            }
        }
    }

    /// Which samples are left in each lane, and how many fragments there were; false if too many did not end.
    fn settle(&mut self, job: &Job<'_>) -> bool {
        let mask = job.sample_mask.map(|plane| &self.outputs.planes[plane]);
        let mut endless = 0;
        for (lane, shaded) in self.shaded.iter_mut().enumerate().filter(|(_, shaded)| **shaded != 0) {
            self.counts.fragments += 1;
            endless += u64::from(self.outputs.out_of_fuel[lane]);
            *shaded = match self.outputs.covered[lane] {
                true => job.sampling.left(*shaded, self.outputs.discarded[lane]),
                false => 0,
            };
            if let Some(mask) = mask {
                *shaded &= mask.get(lane) as u32;
            }
            self.counts.discarded += u64::from(*shaded == 0);
        }
        self.counts.out_of_fuel += endless;
        endless == 0 || job.endless.fetch_add(endless, Ordering::Relaxed) + endless <= MAX_ENDLESS
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
