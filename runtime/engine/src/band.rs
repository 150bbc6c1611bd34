//! Shades a band of rows: quads to batches of lanes, their results to samples and pixels.

use crate::compile::Compiled;
use crate::draw::Draw;
use crate::primitive::{Columns, Places, Primitive, Shape};
use crate::reads::Reads;
use crate::run::{Control, MAX_ENDLESS};
use crate::samples::{LOCATIONS, Sampling};
use crate::target::Store;
use parallax_core::backend::Runner;
use parallax_core::exec::{Inputs, InterpolateAt, Interpolator, Memory, Outputs, PlaneMut};
use parallax_core::{Location, SysVal};
use std::sync::atomic::{AtomicU64, Ordering};

/// Lanes per interpreter run: enough to share the cost of dispatch, few enough for the rows to stay in the cache.
const LANES: usize = 128;
/// Rows per band; even, so that no quad is in two bands.
pub(crate) const BAND: u32 = 16;
/// Number of system values.
const SYSVALS: usize = SysVal::QuadLane as usize + 1;
/// Locations by their number.
const BY_NUMBER: [Location; LOCATIONS] = [Location::Center, Location::Centroid, Location::Sample];

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
    /// Fragments that ran out of fuel so far.
    pub(crate) endless: AtomicU64,
}

/// Rows of the frame one thread works on: of every pixel, its samples.
pub(crate) struct Band<'a> {
    pub(crate) top: u32,
    pub(crate) covered: &'a mut [bool],
    pub(crate) words: Vec<PlaneMut<'a>>,
    /// Channels with a render target: number, conversion, the target's words.
    pub(crate) stored: Vec<(usize, &'a Store, PlaneMut<'a>)>,
    pub(crate) memory: Memory<'a>,
}

impl Band<'_> {
    /// Fills the render targets from the channels. Samples that are not covered hold zeros, which every conversion keeps.
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
pub(crate) struct Counts {
    pub(crate) fragments: u64,
    pub(crate) discarded: u64,
    pub(crate) out_of_fuel: u64,
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

/// What a thread keeps between bands.
pub(crate) struct Worker<'a> {
    runner: Box<dyn Runner + 'a>,
    outputs: Outputs,
    columns: Columns,
    /// Lanes of the primitive that is being added, for each location in use.
    places: [Places; LOCATIONS],
    /// First lane of `places` in the batch.
    segment: usize,
    attrs: Vec<u32>,
    sysvals: Vec<u32>,
    covered: Vec<bool>,
    /// Samples each lane shades, a bit each.
    shaded: Vec<u32>,
    /// First sample of each lane's pixel, counted from the start of the band.
    sample: Vec<usize>,
    /// Lanes that write the sample in hand.
    writes: Vec<bool>,
    /// Of each lane, where the shader chooses places of attributes.
    pixels: Vec<Pixel>,
    counts: Counts,
}

impl<'a> Worker<'a> {
    pub(crate) fn new(compiled: &'a Compiled) -> Worker<'a> {
        Worker {
            runner: compiled.program.runner(),
            outputs: Outputs::default(),
            columns: Columns::default(),
            places: Default::default(),
            segment: 0,
            attrs: Vec::new(),
            sysvals: Vec::new(),
            covered: Vec::new(),
            shaded: Vec::new(),
            sample: Vec::new(),
            writes: Vec::new(),
            pixels: Vec::new(),
            counts: Counts::default(),
        }
    }

    /// Empties the batch.
    fn clear(&mut self) {
        self.covered.clear();
        self.shaded.clear();
        self.sample.clear();
        self.pixels.clear();
        self.segment = 0;
    }

    /// Shades a band; `None` if the run was cancelled.
    pub(crate) fn band(&mut self, job: &Job<'_>, planes: &[usize], mut band: Band<'_>) -> Option<Counts> {
        let attrs = job.compiled.shader.func.iface.attrs.len();
        self.attrs.clear();
        self.attrs.resize(attrs * 4 * LANES, 0);
        self.sysvals.clear();
        if job.reads.sysvals {
            self.sysvals.resize(SYSVALS * LANES, 0);
        }
        self.counts = Counts::default();
        // A run that was given up left its last batch behind.
        self.clear();
        self.places.iter_mut().for_each(Places::clear);
        let size = [job.draw.width, job.draw.height];
        let top = band.top;
        let bottom = top + (band.covered.len() / (size[0] as usize * job.sampling.count())) as u32;
        let all = job.sampling.all();
        let mut running = true;
        for (number, primitive) in job.primitives.iter().enumerate() {
            let (left, right) = match &primitive.shape {
                Shape::Full => (0, size[0]),
                Shape::Triangle(t) if t.rows[0] >= bottom || t.rows[1] <= top => continue,
                Shape::Triangle(t) => (t.columns[0] & !1, t.columns[1]),
            };
            // One more column: the right half of the last quad may lie outside.
            self.columns.prepare(primitive, &job.sampling, left, (right - left) as usize + 1);
            let mut add = |x: u32, y: u32, masks: [u32; 4]| {
                if job.control.only.is_some_and(|only| !only.contains(x, y)) {
                    return;
                }
                // A lane is a pixel, or a sample of one: then a quad is added for every sample that one of its pixels has.
                let mut samples = if job.sampling.per_sample { masks.into_iter().fold(0, |all, m| all | m) } else { 1 };
                while running && samples != 0 {
                    self.quad(job, number, &band, [x, y], masks, samples.trailing_zeros());
                    samples &= samples - 1;
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
                            add(x, y, [true, right, below, right && below].map(|shown| if shown { all } else { 0 }));
                        }
                    }
                }
                Shape::Triangle(triangle) => triangle.quads(top, bottom, size, &job.sampling.positions, add),
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

    /// Adds one quad to the batch: of four pixels with these masks, or of their samples of this number.
    fn quad(&mut self, job: &Job<'_>, number: usize, band: &Band<'_>, [x, y]: [u32; 2], masks: [u32; 4], sample: u32) {
        let sampling = &job.sampling;
        let width = job.draw.width as usize;
        let column = (x - self.columns.left) as usize;
        for (lane, mask) in masks.into_iter().enumerate() {
            let (dx, dy) = (lane as u32 & 1, lane as u32 >> 1);
            for (location, places) in BY_NUMBER.into_iter().zip(&mut self.places) {
                if sampling.used[location as usize] {
                    let offset = sampling.offset_of(location, mask, sample);
                    places.column.push((offset * self.columns.width + column) as u32 + dx);
                    places.y.push((y + dy) as f32 + sampling.offsets[offset][1]);
                }
            }
            let shaded = sampling.shaded(mask, sample);
            if job.reads.sysvals {
                let primitive = &job.primitives[number];
                let lane = self.covered.len();
                let all = |truth: bool| if truth { u32::MAX } else { 0 };
                let mut set = |value: SysVal, word: u32| self.sysvals[value as usize * LANES + lane] = word;
                set(SysVal::PrimitiveId, primitive.number);
                set(SysVal::FrontFacing, all(primitive.front));
                set(SysVal::SampleId, sample);
                set(SysVal::SampleMask, mask);
                set(SysVal::SampleCount, sampling.count() as u32);
                set(SysVal::SampleShading, all(sampling.per_sample));
            }
            if job.reads.elsewhere {
                self.pixels.push(Pixel { primitive: number, at: [x + dx, y + dy], mask });
            }
            let pixel = (y + dy - band.top) as usize * width + (x + dx) as usize;
            self.sample.push(pixel * sampling.count());
            self.shaded.push(shaded);
            self.covered.push(shaded != 0);
        }
    }

    /// Computes the attributes of the lanes added since the last time.
    fn interpolate(&mut self, job: &Job<'_>, primitive: &Primitive) {
        let range = self.segment..self.covered.len();
        if !range.is_empty() {
            let rows = wanted_rows(&mut self.attrs, &job.reads.attrs).map(|row| &mut row[range.clone()]);
            self.columns.fill(primitive, &job.sampling, &self.places, rows);
        }
        self.segment = self.covered.len();
        self.places.iter_mut().for_each(Places::clear);
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
            interpolator: &Inside { job, pixels: &self.pixels },
            fuel: job.draw.fuel,
        };
        self.runner.run(&inputs, band.memory.reborrow(), &mut self.outputs);
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
        if endless > 0 {
            self.counts.out_of_fuel += endless;
            if job.endless.fetch_add(endless, Ordering::Relaxed) + endless > MAX_ENDLESS {
                return false;
            }
        }
        for sample in 0..job.sampling.count() {
            if sample > 0 {
                self.sample.iter_mut().for_each(|at| *at += 1);
            }
            self.writes.clear();
            self.writes.extend(self.shaded.iter().map(|shaded| shaded >> sample & 1 != 0));
            for (&at, _) in self.sample.iter().zip(&self.writes).filter(|(_, writes)| **writes) {
                band.covered[at] = true;
            }
            for (words, &plane) in band.words.iter_mut().zip(planes) {
                let own = job.sample_depths.iter().find(|(all, of, _)| *all == plane && *of == sample);
                let plane = own.map_or(plane, |(.., own)| *own);
                words.scatter(&self.outputs.planes[plane], &self.sample, &self.writes);
            }
        }
        self.clear();
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
