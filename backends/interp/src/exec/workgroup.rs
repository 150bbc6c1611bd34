//! Workgroups whose invocations wait for each other: quads take turns at barriers.

use super::Run;
use crate::Trace;
use crate::arena::{Row, Width};
use crate::program::Pc;

/// Where a quad is.
enum Quad {
    Fresh,
    Waiting(Waiting),
    Ended,
}

/// A quad at a barrier, with all that others may overwrite: steps run over whole blocks of lanes.
struct Waiting {
    /// Behind the barrier.
    pc: Pc,
    /// Executing lanes, a bit each.
    exec: u64,
    /// The quad's lanes of every mask.
    masks: Vec<u64>,
    /// The quad's words of every row.
    words: Vec<[u64; 4]>,
}

impl Run<'_> {
    /// Runs all quads from barrier to barrier, in their order. Lanes that miss a barrier at which others wait are noted, and the
    /// run ends.
    pub(super) fn run_workgroup(&mut self, trace: &mut dyn Trace) {
        let lanes = self.inputs.lanes;
        let mut quads: Vec<Quad> = (0..lanes / 4).map(|_| Quad::Fresh).collect();
        self.outputs.missed_barrier.resize(lanes, false);
        loop {
            for (n, quad) in quads.iter_mut().enumerate() {
                let pc = match quad {
                    Quad::Ended => continue,
                    Quad::Fresh => {
                        self.scratch.exec.fill(0);
                        self.scratch.exec[n / 16] = 0xf << (n % 16 * 4);
                        0
                    }
                    Quad::Waiting(waiting) => {
                        self.resume(n, waiting);
                        waiting.pc
                    }
                };
                (self.start, self.end) = (n * 4, n * 4 + 4);
                *quad = match self.run(pc, trace) {
                    None => Quad::Ended,
                    Some(pc) => Quad::Waiting(self.suspend(n, pc)),
                };
            }
            let waiting = |quad: &Quad| match quad {
                Quad::Waiting(waiting) => Some((waiting.pc, waiting.exec)),
                _ => None,
            };
            let Some((pc, _)) = quads.iter().find_map(waiting) else { return };
            let mut misses = false;
            for (n, quad) in quads.iter().enumerate() {
                let here = waiting(quad).map_or(0, |(at, exec)| if at == pc { exec } else { 0 });
                for lane in 0..4 {
                    let is_covered = self.inputs.covered.get(n * 4 + lane).copied().unwrap_or(false);
                    let missed = is_covered && here >> lane & 1 == 0;
                    self.outputs.missed_barrier[n * 4 + lane] = missed;
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

    fn suspend(&self, quad: usize, pc: Pc) -> Waiting {
        let (word, shift) = (quad / 16, quad % 16 * 4);
        let nibble = |mask: u64| mask >> shift & 0xf;
        let masks = self.scratch.masks.chunks(self.scratch.mask_words).map(|mask| nibble(mask[word])).collect();
        let words = self.rows().map(|row| [0, 1, 2, 3].map(|lane| self.scratch.arena.word(row, quad * 4 + lane)));
        Waiting { pc, exec: nibble(self.scratch.exec[word]), masks, words: words.collect() }
    }

    fn resume(&mut self, quad: usize, waiting: &Waiting) {
        let (word, shift) = (quad / 16, quad % 16 * 4);
        let mask_words = self.scratch.mask_words;
        self.scratch.masks.fill(0);
        for (mask, nibble) in self.scratch.masks.chunks_mut(mask_words).zip(&waiting.masks) {
            mask[word] = nibble << shift;
        }
        self.scratch.exec.fill(0);
        self.scratch.exec[word] = waiting.exec << shift;
        for (row, words) in self.rows().zip(&waiting.words) {
            for (lane, &word) in words.iter().enumerate() {
                self.scratch.arena.set(row, quad * 4 + lane, word);
            }
        }
    }
}
