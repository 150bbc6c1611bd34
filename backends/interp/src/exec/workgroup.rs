//! Workgroups whose invocations wait for each other: subgroups take turns at barriers.

use super::Run;
use crate::Trace;
use crate::arena::{Row, Width};
use crate::mask;
use crate::program::Pc;
use std::ops::Range;

/// Where a subgroup is.
enum Subgroup {
    Fresh,
    Waiting(Waiting),
    Ended,
}

/// A subgroup at a barrier, with all that others may overwrite: steps run over whole blocks of lanes.
struct Waiting {
    /// Behind the barrier.
    pc: Pc,
    /// Executing lanes, a bit each.
    exec: u128,
    /// The subgroup's lanes of every mask.
    masks: Vec<u128>,
    /// The subgroup's words of every row, one row after the other.
    words: Vec<u64>,
}

impl Run<'_> {
    /// Runs all subgroups from barrier to barrier, in their order. Lanes that miss a barrier at which others wait are noted, and
    /// the run ends.
    pub(super) fn run_workgroup(&mut self, trace: &mut dyn Trace) {
        let (lanes, width) = (self.inputs.lanes, self.program.subgroup as usize);
        let place = |n: usize| n * width..lanes.min(n * width + width);
        let mut subgroups: Vec<Subgroup> = (0..lanes.div_ceil(width)).map(|_| Subgroup::Fresh).collect();
        self.outputs.missed_barrier.resize(lanes, false);
        loop {
            for (n, subgroup) in subgroups.iter_mut().enumerate() {
                let place = place(n);
                let pc = match subgroup {
                    Subgroup::Ended => continue,
                    Subgroup::Fresh => {
                        mask::set_part(&mut self.scratch.exec, place.start, u128::MAX >> (128 - place.len()));
                        0
                    }
                    Subgroup::Waiting(waiting) => {
                        self.resume(&place, waiting);
                        waiting.pc
                    }
                };
                (self.start, self.end) = (place.start, place.end);
                *subgroup = match self.run(pc, trace) {
                    None => Subgroup::Ended,
                    Some(pc) => Subgroup::Waiting(self.suspend(&place, pc)),
                };
            }
            let waiting = |subgroup: &Subgroup| match subgroup {
                Subgroup::Waiting(waiting) => Some((waiting.pc, waiting.exec)),
                _ => None,
            };
            let Some((pc, _)) = subgroups.iter().find_map(waiting) else { return };
            let mut misses = false;
            for (n, subgroup) in subgroups.iter().enumerate() {
                let here = waiting(subgroup).map_or(0, |(at, exec)| if at == pc { exec } else { 0 });
                for (bit, lane) in place(n).enumerate() {
                    let is_covered = self.inputs.covered.get(lane).copied().unwrap_or(false);
                    let missed = is_covered && here >> bit & 1 == 0;
                    self.outputs.missed_barrier[lane] = missed;
                    misses |= missed;
                }
            }
            if misses {
                return;
            }
        }
    }

    fn rows(&self) -> impl Iterator<Item = Row> + use<> {
        let counts = self.program.row_counts;
        Width::ALL
            .into_iter()
            .flat_map(move |width| (0..counts[width as usize]).map(move |number| Row { width, number }))
    }

    fn suspend(&self, place: &Range<usize>, pc: Pc) -> Waiting {
        let part = |mask: &[u64]| mask::part(mask, place.start, place.len());
        let masks = self.scratch.masks.chunks(self.scratch.mask_words).map(part).collect();
        let words = self.rows().flat_map(|row| place.clone().map(move |lane| self.scratch.arena.word(row, lane)));
        Waiting { pc, exec: part(&self.scratch.exec), masks, words: words.collect() }
    }

    fn resume(&mut self, place: &Range<usize>, waiting: &Waiting) {
        let mask_words = self.scratch.mask_words;
        for (mask, &bits) in self.scratch.masks.chunks_mut(mask_words).zip(&waiting.masks) {
            mask::set_part(mask, place.start, bits);
        }
        mask::set_part(&mut self.scratch.exec, place.start, waiting.exec);
        for (row, words) in self.rows().zip(waiting.words.chunks(place.len())) {
            for (lane, &word) in place.clone().zip(words) {
                self.scratch.arena.set(row, lane, word);
            }
        }
    }
}
