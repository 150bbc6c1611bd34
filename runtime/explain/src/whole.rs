//! Whole frames against each other: where they are large, in strips of rows, so that never more than a strip of each is held.

use crate::scene::corner;
use crate::shot::{Distance, Shot, Top, pixels_of};
use crate::stage;
use parallax::{Compiled, Control, Draw, Frame, Problems, Quads, cut_into_frames};
use std::time::{Duration, Instant};

/// What other frames are measured against.
pub(crate) struct Yardstick<'a> {
    compiled: &'a Compiled,
    draw: &'a Draw,
    control: Control<'a>,
    /// First and last row of each strip; none where frames are whole.
    cuts: Vec<[u32; 2]>,
    /// All of it, where it is whole.
    shot: Option<Shot>,
    /// The scale of each output.
    pub(crate) scales: Vec<f64>,
    /// Its fragments, and those that ran out of loop fuel.
    pub(crate) fragments: [u64; 2],
}

/// How a frame differs from the yardstick. Quads are given by the column and row of their corner, in their order.
#[derive(Default)]
pub(crate) struct Difference {
    pub(crate) distance: Distance,
    /// Quads with a pixel that is off at all, with one that is off as far as can be, and with one that holds a special value.
    pub(crate) off: Vec<(u32, u32)>,
    pub(crate) far: Vec<(u32, u32)>,
    pub(crate) special: Vec<(u32, u32)>,
    /// Error and place of the pixel that is off most, the first of several.
    worst: Option<(f64, (u32, u32))>,
    /// The fragments of the frame, and those that ran out of loop fuel.
    pub(crate) fragments: [u64; 2],
    /// What drawing took.
    pub(crate) time: Duration,
    /// The frame itself, where it is whole.
    pub(crate) frame: Option<Frame>,
}

impl<'a> Yardstick<'a> {
    /// Draws it, whole or in strips of so many samples.
    ///
    /// # Errors
    /// What makes the draw impossible.
    pub(crate) fn new(
        compiled: &'a Compiled,
        draw: &'a Draw,
        control: Control<'a>,
        of_a_strip: u64,
    ) -> Result<Yardstick<'a>, Problems> {
        let samples = u64::from(draw.width) * u64::from(draw.height) * u64::from(draw.samples.count());
        let cuts = if samples > of_a_strip { cut_into_frames(compiled, draw, of_a_strip) } else { Vec::new() };
        let cuts = if cuts.len() > 1 { cuts } else { Vec::new() };
        let mut all = Yardstick { compiled, draw, control, cuts, shot: None, scales: Vec::new(), fragments: [0; 2] };
        let mut largest: Vec<f64> = Vec::new();
        for rows in all.strips() {
            let frame = all.frame(compiled, draw, rows)?;
            let shot = Shot::new(&frame, &pixels_of_rows(&frame));
            let found = shot.largest();
            largest.resize(found.len(), 0.0);
            largest.iter_mut().zip(found).for_each(|(all, new)| *all = all.max(new));
            all.fragments = [all.fragments[0] + frame.fragments, all.fragments[1] + frame.out_of_fuel];
            all.shot = rows.is_none().then_some(shot);
        }
        all.scales = Shot::scales_of(&largest);
        Ok(all)
    }

    /// The rows of each strip; `None` for all of a frame.
    fn strips(&self) -> Vec<Option<[u32; 2]>> {
        if self.cuts.is_empty() { vec![None] } else { self.cuts.iter().copied().map(Some).collect() }
    }

    fn frame(&self, compiled: &Compiled, draw: &Draw, rows: Option<[u32; 2]>) -> Result<Frame, Problems> {
        stage::frame(compiled, draw, Control { rows, ..self.control })
    }

    /// Measures what a compiled shader draws.
    ///
    /// # Errors
    /// What makes the draw impossible.
    pub(crate) fn measure(&self, compiled: &Compiled, draw: &Draw) -> Result<Difference, Problems> {
        let mut out = Difference::default();
        let mut steps = None;
        for rows in self.strips() {
            let start = Instant::now();
            let frame = self.frame(compiled, draw, rows)?;
            out.time += start.elapsed();
            let pixels = pixels_of_rows(&frame);
            let found = Shot::new(&frame, &pixels);
            let drawn;
            let expected = match &self.shot {
                Some(shot) => shot,
                None => {
                    drawn = Shot::new(&self.frame(self.compiled, self.draw, rows)?, &pixels);
                    &drawn
                }
            };
            let all = u64::from(draw.width) * u64::from(draw.height) * found.outputs() as u64;
            let steps = steps.get_or_insert_with(|| Top::of(all));
            let errors = found.errors(expected, &self.scales);
            found.add_distance(expected, &errors, &mut out.distance, steps);
            let top = rows.map_or(0, |[first, _]| first);
            for (at, (&(x, y), &error)) in pixels.iter().zip(&errors).enumerate() {
                let place = (x, y + top);
                let note = |quads: &mut Vec<(u32, u32)>| {
                    if quads.last() != Some(&corner(place)) {
                        quads.push(corner(place));
                    }
                };
                if error > 0.0 {
                    note(&mut out.off);
                    if out.worst.is_none_or(|(most, _)| error > most) {
                        out.worst = Some((error, place));
                    }
                }
                if error == 1.0 {
                    note(&mut out.far);
                }
                if found.specials(at).next().is_some() {
                    note(&mut out.special);
                }
            }
            out.fragments = [out.fragments[0] + frame.fragments, out.fragments[1] + frame.out_of_fuel];
            out.frame = rows.is_none().then_some(frame);
        }
        out.distance.p99_ulp = steps.map_or(0.0, Top::ninety_nine_of_100);
        Ok(out)
    }
}

impl Difference {
    /// Column and row of the pixel that is off most.
    pub(crate) fn worst(&self) -> Option<(u32, u32)> {
        self.worst.map(|(_, place)| place)
    }
}

/// All pixels of a frame, row by row of quads.
fn pixels_of_rows(frame: &Frame) -> Vec<(u32, u32)> {
    pixels_of(&Quads::all(frame.width, frame.height), frame.width, frame.height)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sides::prepared;
    use parallax::{Engine, LoadOptions, load};
    use parallax_core::num::Model;

    /// Special values, uncovered pixels, and differences in some places only; an odd width and height.
    const TEXT: &str = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0..1]\n\
                        IMM[0] FLT32 { 0.1, -0.7, -0.5, 9999 }\nMAD TEMP[0], IN[0], IMM[0].wwww, IMM[0].yyyy\n\
                        FRC TEMP[1].x, TEMP[0].xxxx\nADD TEMP[1].x, TEMP[1].xxxx, IMM[0].zzzz\nKILL_IF TEMP[1].xxxx\n\
                        SIN TEMP[1].y, TEMP[0].yyyy\nLG2 TEMP[1].z, TEMP[1].yyyy\nMUL TEMP[1].w, TEMP[0].xxxx, TEMP[1].xxxx\n\
                        MOV OUT[0], TEMP[1]\nEND\n";

    #[test]
    fn strips_are_off_as_whole_frames_are() {
        let shader = load("x.tgsi", TEXT.as_bytes(), &LoadOptions::default()).shader.unwrap();
        let draw = Draw { width: 77, height: 121, ..Draw::defaults(&shader.func.iface).unwrap() };
        let [ieee, other] = ["ieee", "ieee[fp32=half]"]
            .map(|name| prepared(shader.bind(&Model::parse(name).unwrap()), Engine::default()).unwrap());
        let measured = |of_a_strip| {
            let yardstick = Yardstick::new(&ieee, &draw, Control::default(), of_a_strip).unwrap();
            let found = yardstick.measure(&other, &draw).unwrap();
            (yardstick.scales.clone(), yardstick.fragments, found, yardstick.cuts.len())
        };
        let (scales, fragments, whole, cuts) = measured(u64::MAX);
        assert_eq!(cuts, 0);
        assert!(whole.distance.changed > 100 && whole.distance.flips > 0, "{:?}", whole.distance);
        let quads = [&whole.off, &whole.far, &whole.special].map(Vec::len);
        assert!(quads.iter().all(|count| (1..39 * 61).contains(count)), "{quads:?}");
        // Sixteen rows each, and thirty-two.
        for (of_a_strip, count) in [(1, 8), (77 * 32, 4)] {
            let found = measured(of_a_strip);
            assert_eq!((&found.0, found.1, found.3), (&scales, fragments, count));
            assert_eq!((&found.2.distance, found.2.worst()), (&whole.distance, whole.worst()));
            assert_eq!((&found.2.off, &found.2.far, &found.2.special), (&whole.off, &whole.far, &whole.special));
            assert_eq!(found.2.fragments, whole.fragments);
        }
    }

    #[test]
    fn the_top_of_many_says_what_99_of_100_do_not_exceed() {
        for count in [1u64, 2, 99, 100, 101, 102, 5000, 123_456] {
            let all: Vec<f64> = (0..count).map(|n| (n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 44) as f64).collect();
            // More might have come.
            for most in [count, 3 * count] {
                let mut top = Top::of(most);
                all.iter().for_each(|v| top.push(*v));
                let mut sorted = all.clone();
                parallax_text::sort_by(&mut sorted, f64::total_cmp);
                assert_eq!(top.ninety_nine_of_100(), sorted[(all.len() - 1) * 99 / 100], "{count} of {most}");
            }
        }
        assert_eq!(Top::of(7).ninety_nine_of_100(), 0.0);
    }
}
