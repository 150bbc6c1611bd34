//! One primitive that fills the viewport, one sample per pixel: rows of quads are taken as they lie.

use super::quad_rows::{set_flags, set_quads};
use super::{Band, Inside, Job, LANES, Span, Worker};
use crate::primitive::{MOST_LANES, Place};
use crate::run::MAX_ENDLESS;
use parallax_core::backend::Tile;
use parallax_core::exec::{Inputs, PlaneMut};
use std::sync::atomic::Ordering;

/// All samples of a pixel that has one.
const ONE: [u32; MOST_LANES] = [1; MOST_LANES];
/// Coverage of lanes that all lie in the viewport.
const ALL: [bool; MOST_LANES] = [true; MOST_LANES];

impl Worker<'_> {
    /// Shades a band; false if the run was cancelled.
    pub(super) fn whole(&mut self, job: &Job<'_>, planes: &[usize], band: &mut Band<'_>) -> bool {
        let width = job.draw.width;
        let rows = (band.covered.len() / width as usize) as u32;
        let banks: Vec<&[[u32; 4]]> = job.draw.banks.iter().map(Vec::as_slice).collect();
        let is_cancelled = || {
            job.control.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed))
                || job.endless.load(Ordering::Relaxed) > MAX_ENDLESS
        };
        if is_cancelled() {
            return false;
        }
        // Quads that stand out at the right and the lower edge are left over, or all of them.
        let inside = [width & !1, rows & !1];
        let done = if self.tile(job, planes, band, &banks, inside) { inside } else { [0, 0] };
        if done == [width, rows] {
            return true;
        }
        self.columns.prepare(self.processor, (0, &job.primitives[0]), &job.sampling, 0, width as usize);
        // Code shares the cost of being entered.
        let most = if job.compiled.program.made().code_bytes > 0 { MOST_LANES } else { LANES };
        for y in (0..rows).step_by(2) {
            let first = if y < done[1] { done[0] } else { 0 };
            for x in (first..width).step_by(most / 2) {
                if is_cancelled() || !self.stretch(job, planes, band, &banks, [x, band.top + y], most) {
                    return false;
                }
            }
        }
        true
    }

    /// Shades the first columns and rows of a band at once; false if that is not possible.
    fn tile(
        &mut self,
        job: &Job<'_>,
        planes: &[usize],
        band: &mut Band<'_>,
        banks: &[&[[u32; 4]]],
        [width, rows]: [u32; 2],
    ) -> bool {
        let mut attributes = vec![None; job.compiled.shader.func.iface.attrs.len() * 4];
        for (number, &plane) in job.reads.attrs.iter().enumerate() {
            attributes[plane] = job.primitives[0].linear(number);
        }
        let [x, y] = job.sampling.offsets[0];
        if self.xs.len() != 2 * width as usize {
            self.xs = (0..2 * width).map(|lane| (lane >> 2 << 1 | lane & 1) as f32 + x).collect();
        }
        let ys: Vec<f32> = (0..rows).map(|row| (band.top + row) as f32 + y).collect();
        let inputs = Inputs {
            lanes: 0,
            attrs: &[],
            banks,
            sysvals: &[],
            covered: &[],
            textures: &job.draw.textures,
            interpolator: &Inside { job, pixels: &[] },
            fuel: job.draw.fuel,
        };
        let mut words: Vec<_> = (0..planes.iter().max().map_or(0, |last| last + 1)).map(|_| None).collect();
        for (plane_words, &plane) in band.words.iter_mut().zip(planes) {
            if let PlaneMut::U32(plane_words) = plane_words {
                words[plane] = Some(&mut **plane_words);
            }
        }
        let stride = job.draw.width as usize;
        let mut tile = Tile {
            attributes: &attributes,
            xs: &self.xs,
            ys: &ys,
            stride,
            words,
            covered: &mut *band.covered,
            discarded: 0,
        };
        if !self.runner.run_tile(&inputs, &band.memory, &mut tile) {
            return false;
        }
        self.counts.fragments += u64::from(width) * u64::from(rows);
        self.counts.discarded += tile.discarded;
        true
    }

    /// Shades quads side by side from a pixel on, as many as a batch takes.
    fn stretch(
        &mut self,
        job: &Job<'_>,
        planes: &[usize],
        band: &mut Band<'_>,
        banks: &[&[[u32; 4]]],
        at: [u32; 2],
        most: usize,
    ) -> bool {
        let [width, height] = [job.draw.width, job.draw.height];
        let quads = ((width - at[0]).div_ceil(2) as usize).min(most / 4);
        let lanes = 4 * quads;
        let mut wanted = job.reads.attrs.iter().peekable();
        let rows = self.attrs.chunks_exact_mut(lanes).enumerate();
        let rows = rows.filter_map(|(plane, row)| wanted.next_if(|&&wanted| wanted == plane).map(|_| row));
        let place = Place { at, masks: &ONE[..lanes], sample: 0 };
        self.columns.fill(self.processor, &job.primitives[0], &job.sampling, place, rows);

        // At the right and the lower edge quads may stand out.
        let inside = [width - at[0], height - at[1]];
        let is_inside = inside[0] >= 2 * quads as u32 && inside[1] >= 2;
        self.covered.clear();
        if !is_inside {
            let shown =
                |lane: usize| ((lane >> 2 << 1 | lane & 1) as u32) < inside[0] && (lane as u32 >> 1 & 1) < inside[1];
            self.covered.extend((0..lanes).map(shown));
        }
        let covered = if is_inside { &ALL[..lanes] } else { &self.covered[..] };
        let inputs = Inputs {
            lanes,
            attrs: &self.attrs,
            banks,
            sysvals: &[],
            covered,
            textures: &job.draw.textures,
            interpolator: &Inside { job, pixels: &[] },
            fuel: job.draw.fuel,
        };
        let upper = ((at[1] - band.top) * width + at[0]) as usize;
        let rows = [upper, upper + width as usize];
        self.runner.run(&inputs, band.memory.reborrow(), &mut self.outputs);

        let outputs = &self.outputs;
        let any = |flags: &[bool]| flags.iter().fold(false, |any, &flag| any | flag);
        if is_inside && !any(&outputs.out_of_fuel) {
            self.counts.fragments += lanes as u64;
            let left = if outputs.covered == ALL[..lanes] { &[][..] } else { &outputs.covered };
            if left.is_empty() {
                for row in rows {
                    band.covered[row..row + 2 * quads].fill(true);
                }
            } else {
                self.counts.discarded += left.iter().filter(|&&covered| !covered).count() as u64;
                set_flags(band.covered, left, rows);
            }
            for (words, &plane) in band.words.iter_mut().zip(planes) {
                set_quads(self.processor, words, &outputs.planes[plane], left, 0..lanes, rows);
            }
            return true;
        }
        self.shaded.clear();
        self.shaded.extend(covered.iter().map(|&covered| u32::from(covered)));
        if !self.settle(job) {
            return false;
        }
        if band.stale {
            for row in 0..inside[1].min(2) {
                let start = ((at[1] - band.top + row) * width + at[0]) as usize;
                let end = start + inside[0].min(2 * quads as u32) as usize;
                band.covered[start..end].fill(false);
                band.words.iter_mut().for_each(|words| words.fill_zeros(start..end));
            }
        }
        band.write(job, &Span { first: 0, quads, at }, &self.shaded, &self.outputs.planes, planes);
        true
    }
}
