//! A comparison of frames that are too large to be held: they come in strips of rows from the top, and no more than a strip of each
//! is there at a time.
//!
//! Where errors are measured, the reference is seen before: what counts as near zero depends on its largest values. A few strips of
//! every result say what to hold for ranks of errors ([`crate::ranks`]); where that fails, a result is measured again.

use crate::comparison::{Comparison, Drawn, Known, Seen, fingerprint, thinning};
use crate::frame::{FrameRead, floors};
use crate::hash::Hash;
use crate::metrics::{Measuring, Metrics};
use crate::picture::{HeatMap, View};
use crate::pixels::{Collector, Detail, Words};
use crate::ranks::Ranks;
use crate::report::PICTURE_LIMIT;
use crate::snapshot::Snapshot;
use parallax::Frame;

/// Results of one shader, measured strip by strip.
pub struct Strips {
    size: (u32, u32),
    detail: Detail,
    /// Largest magnitudes of the reference's channels, as far as it was seen.
    largest: Vec<f64>,
    /// What is near zero in them.
    floors: Vec<f64>,
    drawn: Option<Drawn>,
    collector: Option<Collector>,
    view: View,
    baseline: Option<Baseline>,
    results: Vec<Result>,
}

/// The result that vendors are compared with.
struct Baseline {
    print: Hash,
    snapshot: Snapshot,
    view: View,
}

/// What is known of one result so far.
struct Result {
    /// Errors in some strips.
    sample: Vec<f64>,
    measuring: Option<Measuring>,
    /// Set once every strip has come.
    metrics: Option<Metrics>,
    print: Hash,
    view: View,
    /// Differences from the baseline.
    heat: HeatMap,
    /// Those from the reference, which are shown where there is no baseline or it has the same result: `None` once it has not.
    from_reference: Option<HeatMap>,
    looks: bool,
    snapshot: Snapshot,
    words: Words,
    /// Whether all of it is known but the ranks of errors.
    again: bool,
}

/// A result that is measured.
pub struct Measured(pub(crate) Seen);

/// Rows of the frames that results are measured against.
pub struct Strip<'a> {
    strips: &'a mut Strips,
    top: u32,
    reference: FrameRead<'a>,
    baseline: Option<FrameRead<'a>>,
}

impl Strips {
    /// For frames of this width and height, and so many results.
    pub fn new(size: (u32, u32), detail: Detail, results: usize) -> Strips {
        let every = thinning(size.0, size.1, PICTURE_LIMIT);
        let result = || Result {
            sample: Vec::new(),
            measuring: None,
            metrics: None,
            print: Hash::new(),
            view: View::new(size, every),
            heat: HeatMap::new(size, every),
            from_reference: Some(HeatMap::new(size, every)),
            looks: true,
            snapshot: Snapshot::empty(size.0, size.1),
            words: Words::default(),
            again: false,
        };
        Strips {
            size,
            detail,
            largest: Vec::new(),
            floors: Vec::new(),
            drawn: None,
            collector: None,
            view: View::new(size, every),
            baseline: None,
            results: (0..results).map(|_| result()).collect(),
        }
    }

    /// Whether errors are measured: then every strip of the reference has to be shown to [`Strips::scale`] first.
    pub fn needs_scale(&self) -> bool {
        self.detail.figures
    }

    /// Looks at the scale of some rows of the reference.
    pub fn scale(&mut self, reference: &Frame) {
        let read = FrameRead::part(reference);
        let largest = read.largest();
        self.largest.resize(largest.len(), 0.0);
        self.largest.iter_mut().zip(largest).for_each(|(all, new)| *all = all.max(new));
        self.floors = floors(&read, &self.largest);
    }

    /// Looks at the errors in some rows of a result. The more rows, and the more evenly spread, the less often is one measured again.
    ///
    /// # Panics
    /// If the frames are of different draws or shaders, as everywhere here.
    pub fn sample(&mut self, number: usize, found: &Frame, reference: &Frame) {
        let mut expected = FrameRead::part(reference);
        expected.set_floors(&self.floors);
        let mut measuring = Measuring::new(true, Ranks::Whole(Vec::new()));
        measuring.add(&FrameRead::part(found), &expected);
        if let Some(result) = self.results.get_mut(number) {
            result.sample.extend(measuring.errors());
        }
    }

    /// Begins the next strip, with the rows from `top` on of the reference and of the model that vendors are compared with.
    pub fn begin<'a>(&'a mut self, top: u32, reference: &'a Frame, baseline: Option<&'a Frame>) -> Strip<'a> {
        let mut read = FrameRead::part(reference);
        read.set_floors(&self.floors);
        let (size, pictures) = (self.size, self.detail.pictures);
        let every = thinning(size.0, size.1, PICTURE_LIMIT);
        let drawn = self.drawn.get_or_insert_with(|| Drawn::new(reference, size));
        let collector = self.collector.get_or_insert_with(|| Collector::new(&read, size, self.detail));
        drawn.colours.add(&read);
        if pictures {
            self.view.add(&read, top);
            collector.take_reference(&read, top);
        }
        let baseline = baseline.map(FrameRead::part);
        if let Some(read) = &baseline {
            let known = self.baseline.get_or_insert_with(|| Baseline {
                print: Hash::new(),
                snapshot: Snapshot::empty(size.0, size.1),
                view: View::new(size, every),
            });
            known.print.mix_print(fingerprint(read.frame));
            known.snapshot.add(read, top, size.1);
            if pictures {
                known.view.add(read, top);
            }
        }
        Strip { top, reference: read, baseline, strips: self }
    }

    /// The next strip of results whose errors have to be ranked again ([`Strips::missed`]).
    pub fn begin_again<'a>(&'a mut self, top: u32, reference: &'a Frame) -> Strip<'a> {
        let mut read = FrameRead::part(reference);
        read.set_floors(&self.floors);
        Strip { top, reference: read, baseline: None, strips: self }
    }

    /// Nothing but what was seen of the reference's scale, to begin anew.
    #[must_use]
    pub fn restarted(self) -> Strips {
        let (largest, floors) = (self.largest, self.floors);
        Strips { largest, floors, ..Strips::new(self.size, self.detail, self.results.len()) }
    }

    /// To be asked when every strip has come: results whose strips have to come once more, because a sample was wrong. They need not
    /// be asked for after that.
    pub fn missed(&mut self) -> Vec<usize> {
        let mut again = Vec::new();
        for (number, result) in self.results.iter_mut().enumerate() {
            let Some(measuring) = result.measuring.take() else { continue };
            let (metrics, missed) = measuring.finish();
            match missed {
                None => result.metrics = Some(metrics),
                Some(missed) => {
                    (result.again, result.measuring) = (true, Some(Measuring::new(true, missed.into())));
                    again.push(number);
                }
            }
        }
        again
    }

    /// The comparison, to which rows are added with [`Comparison::add_measured`], and the results in their order: `None` for those
    /// that never came. `None` without any strip.
    pub fn finish(mut self) -> Option<(Comparison<'static>, Vec<Option<Measured>>)> {
        self.missed();
        let pictures = self.detail.pictures;
        let png = |view: &View| if pictures { view.png() } else { Vec::new() };
        let drawn = Drawn { picture: png(&self.view), ..self.drawn? };
        let known = self.baseline.map(|known| Known {
            print: known.print.get(),
            snapshot: known.snapshot,
            picture: png(&known.view),
        });
        let own = known.as_ref().map(|known| known.print);
        let measured = |result: Result| {
            let print = result.print.get();
            let from_reference = result.from_reference.filter(|_| own.is_none_or(|own| own == print));
            let heat = from_reference.as_ref().unwrap_or(&result.heat);
            Some(Measured(Seen {
                print,
                metrics: result.metrics?,
                heat: pictures.then(|| heat.finish()),
                picture: png(&result.view),
                looks: result.looks,
                snapshot: result.snapshot,
                words: pictures.then_some(result.words),
            }))
        };
        let results = self.results.into_iter().map(measured).collect();
        Some((Comparison::of(drawn, known, self.collector?, self.detail), results))
    }
}

impl Measured {
    /// What is kept of its frame.
    pub fn snapshot(&self) -> &Snapshot {
        &self.0.snapshot
    }
}

impl Strip<'_> {
    /// Adds a result's rows.
    ///
    /// # Panics
    /// If the frames are of different draws or shaders.
    pub fn add(&mut self, number: usize, frame: &Frame) {
        let Strips { size, detail, collector, results, .. } = &mut *self.strips;
        let Some(result) = results.get_mut(number) else { return };
        let (found, top) = (FrameRead::part(frame), self.top);
        let (reference, baseline) = (&self.reference, self.baseline.as_ref());
        let Result { sample, measuring, print, view, heat, from_reference, looks, snapshot, words, .. } = result;
        let measuring = measuring.get_or_insert_with(|| {
            // Nothing is ranked where errors are not measured.
            let sample = std::mem::take(sample);
            Measuring::new(detail.figures, if detail.figures { Ranks::near(sample) } else { Ranks::Whole(Vec::new()) })
        });
        if result.again {
            measuring.add(&found, reference);
            return;
        }
        let own = fingerprint(frame);
        print.mix_print(own);
        // What is not as the baseline's once never is.
        if baseline.is_some_and(|baseline| fingerprint(baseline.frame) != own) {
            *from_reference = None;
        }
        rayon::join(
            || {
                rayon::join(
                    || measuring.add(&found, reference),
                    || {
                        if detail.pictures {
                            baseline.iter().for_each(|baseline| heat.add(&found, baseline, top));
                            from_reference.iter_mut().for_each(|map| map.add(&found, reference, top));
                        }
                    },
                )
            },
            || {
                *looks &= found.shown() == reference.shown();
                snapshot.add(&found, top, size.1);
                if detail.pictures {
                    view.add(&found, top);
                    if let Some(collector) = collector {
                        if words.1.is_empty() {
                            *words = collector.nothing();
                        }
                        collector.take(&found, top, words);
                    }
                }
            },
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::tests::{one_channel, one_exact};
    use crate::report::{ShaderReport, Subject};
    use parallax_core::exec::Plane;
    use parallax_num::Tier;

    /// Rows of a frame.
    fn rows(frame: &Frame, [first, end]: [u32; 2]) -> Frame {
        let range: Vec<usize> = (first as usize * frame.width as usize..end as usize * frame.width as usize).collect();
        let mut part = crate::comparison::thin(frame, 1);
        part.height = end - first;
        part.covered = range.iter().map(|&at| frame.covered[at]).collect();
        part.channels[0].words = frame.channels[0].words.gather(&range);
        part
    }

    /// Pictures whose strips differ: smooth, rough, with special values, uncovered, near zero.
    fn frames(width: u32, height: u32) -> [Frame; 4] {
        let all = || (0..width * height).map(|n| (n % width, n / width));
        let value = |(x, y): (u32, u32)| match (x * 7 + y * 13) % 1001 {
            0 => f64::INFINITY,
            1 => 1e-9,
            _ => (f64::from(x) * 0.37 + f64::from(y * y) * 0.011).sin() * if y > height / 2 { 5.0 } else { 0.25 },
        };
        let exact: Vec<f64> = all().map(value).collect();
        let near: Vec<f32> = exact.iter().map(|v| *v as f32).collect();
        let off =
            |n: usize, v: f32| if n.is_multiple_of(3) { f32::from_bits(v.to_bits() ^ (n as u32 % 700)) } else { v };
        let rough: Vec<f32> = near.iter().enumerate().map(|(n, v)| off(n, *v)).collect();
        // As the baseline's above, not below.
        let late: Vec<f32> =
            near.iter().zip(&rough).enumerate().map(|(n, (a, b))| if n < near.len() / 3 { *a } else { *b }).collect();
        let mut out = [
            one_exact(width, &exact),
            one_channel(width, &near),
            one_channel(width, &rough),
            one_channel(width, &late),
        ];
        for (n, frame) in out.iter_mut().enumerate() {
            for at in (n..frame.covered.len()).step_by(997) {
                frame.covered[at] = false;
                match &mut frame.channels[0].words {
                    Plane::U32(words) => words[at] = 0,
                    Plane::U64(words) => words[at] = 0,
                    _ => {}
                }
            }
        }
        out
    }

    const NAMES: [&str; 5] = ["ieee", "rough", "late", "rough again", "exact"];

    fn whole(frames: &[Frame; 4], detail: Detail) -> ShaderReport {
        let mut comparison = Comparison::new(&frames[0], Some(&frames[1]), detail);
        for (name, frame) in NAMES.iter().zip([1, 2, 3, 2, 0]) {
            comparison.add(*name, Tier::Exact, &frames[frame]);
        }
        comparison.finish(Subject::default())
    }

    /// In strips of so many rows; `sampled`: those whose errors are looked at before. Gives how many results were measured again.
    fn in_strips(frames: &[Frame; 4], detail: Detail, count: u32, sampled: &[usize]) -> (ShaderReport, usize) {
        let (width, height) = (frames[0].width, frames[0].height);
        let cuts: Vec<[u32; 2]> = (0..height).step_by(count as usize).map(|at| [at, height.min(at + count)]).collect();
        let mut strips = Strips::new((width, height), detail, 5);
        let order = [1, 2, 3, 2, 0];
        if strips.needs_scale() {
            cuts.iter().for_each(|cut| strips.scale(&rows(&frames[0], *cut)));
        }
        for &n in sampled.iter().filter(|n| **n < cuts.len()) {
            for (number, frame) in order.into_iter().enumerate() {
                strips.sample(number, &rows(&frames[frame], cuts[n]), &rows(&frames[0], cuts[n]));
            }
        }
        for cut in &cuts {
            let (reference, baseline) = (rows(&frames[0], *cut), rows(&frames[1], *cut));
            let mut strip = strips.begin(cut[0], &reference, Some(&baseline));
            for (number, frame) in order.into_iter().enumerate() {
                strip.add(number, &rows(&frames[frame], *cut));
            }
        }
        let missed = strips.missed();
        for cut in &cuts {
            let reference = rows(&frames[0], *cut);
            let mut strip = strips.begin_again(cut[0], &reference);
            missed.iter().for_each(|&number| strip.add(number, &rows(&frames[order[number]], *cut)));
        }
        let (mut comparison, results) = strips.finish().unwrap();
        for (name, result) in NAMES.iter().zip(&results) {
            comparison.add_measured(*name, Tier::Exact, result.as_ref().unwrap());
        }
        (comparison.finish(Subject::default()), missed.len())
    }

    /// Everything but what tells results apart, which is made of strips where there are several.
    fn same(a: &ShaderReport, b: &ShaderReport) -> bool {
        let plain = |report: &ShaderReport| {
            let mut report = report.clone();
            if let crate::report::Outcome::Compared(rows) = &mut report.outcome {
                rows.iter_mut().for_each(|row| row.result = None);
            }
            report
        };
        // NaN is not equal to itself.
        format!("{:?}", plain(a)) == format!("{:?}", plain(b))
    }

    #[test]
    fn strips_give_what_whole_frames_give() {
        // Chunks of sums end within strips; pictures and snapshots are thinned, and not.
        for (width, height, count) in [(50, 400, 16), (129, 130, 32), (1100, 70, 16), (2100, 40, 16), (64, 64, 64)] {
            let frames = frames(width, height);
            for detail in [
                Detail::default(),
                Detail { pictures: false, ..Detail::default() },
                Detail { pictures: false, figures: false, ..Detail::default() },
            ] {
                let expected = whole(&frames, detail);
                for sampled in [(0..30).collect::<Vec<usize>>(), Vec::new()] {
                    let (found, missed) = in_strips(&frames, detail, count, &sampled);
                    assert!(same(&found, &expected), "{width}x{height} {detail:?}");
                    // Without a sample every result with errors is measured again.
                    assert_eq!(missed > 0, sampled.is_empty() && detail.figures, "{width}x{height} {sampled:?}");
                }
            }
        }
    }
}
