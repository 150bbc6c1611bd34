//! One shader whose frames are too large to be held: they are drawn in strips of rows, and each strip is compared as it is drawn.

use super::job::{Job, Pictures, Way};
use crate::load::{Program, frame_over};
use parallax::{
    CANCELLED, Compiled, Control, Draw, ENDLESS, Frame, MAX_ENDLESS, Problems, STRIP_SAMPLES, cut_into_frames,
};
use parallax_num::Tier;
use parallax_report::{Comparison, Detail, Strips};
use parallax_text::Diag;

/// Rows whose errors are looked at before all others: about so many stretches of them.
const SAMPLED: usize = 16;

/// Why there is no comparison.
pub(super) enum Ended {
    Interrupted,
    Problems(Problems),
}

impl From<Problems> for Ended {
    fn from(problems: Problems) -> Ended {
        if problems.diags.iter().any(|d| d.code == CANCELLED) { Ended::Interrupted } else { Ended::Problems(problems) }
    }
}

/// The ways in which a shader is drawn.
pub(super) struct Ways<'d> {
    /// Those that compute something of their own.
    all: Vec<Way<'d>>,
    /// What results are measured against, and what vendors are compared with: numbers among them.
    exact: usize,
    plain: usize,
    /// Label and tier of each row, and its way.
    rows: Vec<(String, Tier, usize)>,
}

impl<'d> Ways<'d> {
    /// Of the reference, the baseline, and the rows in their order.
    pub(super) fn new<E>(
        exact: Way<'d>,
        plain: Way<'d>,
        rows: impl Iterator<Item = Result<(String, Way<'d>), E>>,
    ) -> Result<Ways<'d>, E> {
        let mut ways = Ways { all: vec![exact], exact: 0, plain: 0, rows: Vec::new() };
        ways.plain = ways.number(plain);
        for row in rows {
            let (label, way) = row?;
            let tier = way.shader.state.tier;
            let number = ways.number(way);
            ways.rows.push((label, tier, number));
        }
        Ok(ways)
    }

    fn number(&mut self, way: Way<'d>) -> usize {
        self.all.iter().position(|known| known.is_same(&way)).unwrap_or_else(|| {
            self.all.push(way);
            self.all.len() - 1
        })
    }

    /// Whether a row is drawn in a way.
    fn is_shown(&self, way: usize) -> bool {
        self.rows.iter().any(|(.., number)| *number == way)
    }
}

/// What draws in one of the ways, and how that went so far.
struct Drawing<'a> {
    compiled: Compiled,
    draw: &'a Draw,
    /// Fragments that ran out of loop fuel so far.
    out_of_fuel: u64,
    /// Why it is drawn no further: its loops do not end.
    endless: Option<String>,
}

impl Job {
    /// Cuts frames into strips: one where they are small, and where all of a frame is asked for at once: by expectations of a manifest,
    /// which may be anywhere, and by captures.
    pub(super) fn cuts(&self, program: &Program, compiled: &Compiled, draw: &Draw) -> Vec<[u32; 2]> {
        let samples = u64::from(draw.width) * u64::from(draw.height) * u64::from(draw.samples.count());
        let expects = |label: String| program.manifest().is_some_and(|manifest| manifest.expectations(&label) > 0);
        let is_whole = samples <= STRIP_SAMPLES
            || !self.captures.is_empty()
            || self.list.iter().any(|model| expects(model.label()));
        if is_whole { vec![[0, draw.height]] } else { cut_into_frames(compiled, draw, STRIP_SAMPLES) }
    }

    /// Compares strip by strip. Results are those of whole frames, but for what tells them apart, which is made of strips.
    pub(super) fn in_strips(
        &self,
        ways: &Ways<'_>,
        cuts: &[[u32; 2]],
        detail: Detail,
        keep: bool,
    ) -> Result<(Comparison<'static>, Pictures), Ended> {
        let mut drawings = Vec::new();
        for way in &ways.all {
            drawings.push(Drawing { compiled: self.compiled(way)?, draw: &way.draw, out_of_fuel: 0, endless: None });
        }
        let mut strips = Strips::new(drawings[ways.exact].size(), detail, ways.all.len());
        if strips.needs_scale() {
            for cut in cuts {
                strips.scale(&self.rows(&drawings[ways.exact], *cut)?);
            }
            let stretches = cut_into_frames(&drawings[ways.exact].compiled, drawings[ways.exact].draw, 0);
            let every = (stretches.len() / SAMPLED).max(1);
            for cut in stretches.iter().skip(every / 2).step_by(every) {
                let reference = self.rows(&drawings[ways.exact], *cut)?;
                for way in (0..ways.all.len()).filter(|way| ways.is_shown(*way)) {
                    match self.rows(&drawings[way], *cut) {
                        Ok(found) => strips.sample(way, &found, &reference),
                        // It will not end below either.
                        Err(found) if is_endless(&found) => {}
                        Err(found) => return Err(found.into()),
                    }
                }
            }
        }
        // Where the baseline does not end, nothing is compared with it.
        let mut has_baseline = true;
        while !self.pass(&mut strips, ways, &mut drawings, cuts, has_baseline)? {
            has_baseline = false;
            strips = strips.restarted();
        }
        let missed = strips.missed();
        let missed: Vec<usize> = missed.into_iter().filter(|way| drawings[*way].endless.is_none()).collect();
        for [first, end] in cuts.iter().filter(|_| !missed.is_empty()) {
            let reference = self.rows(&drawings[ways.exact], [*first, *end])?;
            let mut strip = strips.begin_again(*first, &reference);
            for &way in &missed {
                strip.add(way, &self.rows(&drawings[way], [*first, *end])?);
            }
        }
        let Some((mut comparison, results)) = strips.finish() else {
            let nothing = Diag { span: None, ..Diag::internal("compare-strips", None, "no strip was drawn") };
            return Err(Ended::Problems(Problems::new("", "", vec![nothing])));
        };
        let mut pictures = Pictures::new();
        for (row, (label, tier, way)) in ways.rows.iter().enumerate() {
            let first = ways.rows.iter().position(|(.., other)| other == way).unwrap_or(row);
            match (&drawings[*way].endless, &results[*way]) {
                _ if first < row => comparison.repeat(label.as_str(), *tier, first),
                // What ends under the reference and not here is a finding about this model.
                (Some(message), _) => comparison.refuse(label.as_str(), *tier, message.as_str()),
                (None, Some(result)) => comparison.add_measured(label.as_str(), *tier, result),
                (None, None) => comparison.refuse(label.as_str(), *tier, "nothing was drawn"),
            }
            let seen = results[*way].as_ref().filter(|_| keep && drawings[*way].endless.is_none());
            pictures.extend(seen.map(|result| (label.clone(), result.snapshot().clone())));
        }
        Ok((comparison, pictures))
    }

    /// Draws and measures everything; gives whether that went well under the baseline.
    fn pass(
        &self,
        strips: &mut Strips,
        ways: &Ways<'_>,
        drawings: &mut [Drawing<'_>],
        cuts: &[[u32; 2]],
        has_baseline: bool,
    ) -> Result<bool, Ended> {
        for drawing in drawings.iter_mut() {
            (drawing.out_of_fuel, drawing.endless) = (0, None);
        }
        for [first, end] in cuts {
            let rows = [*first, *end];
            let Some(reference) = self.next(&mut drawings[ways.exact], rows)? else {
                let problem = drawings[ways.exact].problem();
                return Err(Ended::Problems(Problems::new("", "", vec![problem])));
            };
            let own = if has_baseline && ways.plain != ways.exact {
                self.next(&mut drawings[ways.plain], rows)?
            } else {
                None
            };
            let baseline = if ways.plain == ways.exact { Some(&reference) } else { own.as_ref() };
            if has_baseline && baseline.is_none() {
                return Ok(false);
            }
            let mut strip = strips.begin(*first, &reference, baseline);
            for way in (0..ways.all.len()).filter(|way| ways.is_shown(*way)) {
                if way == ways.exact {
                    strip.add(way, &reference);
                } else if let Some(baseline) = baseline.filter(|_| way == ways.plain) {
                    strip.add(way, baseline);
                } else if let Some(frame) = self.next(&mut drawings[way], rows)? {
                    strip.add(way, &frame);
                }
            }
        }
        Ok(true)
    }

    /// The next rows of a frame; `None` where its loops do not end.
    fn next(&self, drawing: &mut Drawing<'_>, rows: [u32; 2]) -> Result<Option<Frame>, Ended> {
        if drawing.endless.is_some() {
            return Ok(None);
        }
        let frame = match self.rows(drawing, rows) {
            Ok(frame) => frame,
            Err(found) if is_endless(&found) => {
                drawing.endless = found.diags.first().map(|diag| diag.message.clone());
                return Ok(None);
            }
            Err(found) => return Err(found.into()),
        };
        drawing.out_of_fuel += frame.out_of_fuel;
        if drawing.out_of_fuel > MAX_ENDLESS {
            drawing.endless = Some(drawing.problem().message);
            return Ok(None);
        }
        Ok(Some(frame))
    }

    /// Some rows of a frame.
    fn rows(&self, drawing: &Drawing<'_>, rows: [u32; 2]) -> Result<Frame, Problems> {
        let control = Control { cancel: Some(self.stop), rows: Some(rows), ..Control::default() };
        frame_over(&drawing.compiled, drawing.draw, &self.workers, control, Frame::default())
    }
}

impl Drawing<'_> {
    fn size(&self) -> (u32, u32) {
        (self.draw.width, self.draw.height)
    }

    /// That too many fragments do not end.
    fn problem(&self) -> Diag {
        parallax::endless(&self.compiled.shader.func, self.draw.fuel, &format!("more than {MAX_ENDLESS} fragments"))
    }
}

fn is_endless(problems: &Problems) -> bool {
    problems.diags.iter().all(|d| d.code == ENDLESS)
}
