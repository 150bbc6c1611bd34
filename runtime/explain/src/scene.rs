//! What is drawn again and again, and the pixels that are looked at.

use crate::shot::{Distance, Shot, pixels_of};
use crate::sides::{Side, Sides, prepared};
use crate::stage;
use parallax::{Change, Compiled, Control, Draw, Engine, Frame, Problems, Quads, Recording};
use parallax_core::{Bound, Shader};
use std::sync::OnceLock;
use std::time::Duration;

/// Events of a recorded draw up to which it takes no longer to go through them than to draw with compiled alternatives.
pub(crate) const MOST_EVENTS: usize = 8192;

/// A draw of some quads.
pub(crate) struct Scene<'a> {
    pub(crate) sides: &'a Sides,
    pub(crate) draw: &'a Draw,
    pub(crate) quads: Quads,
    /// Column and row of the pixels of the quads.
    pub(crate) pixels: Vec<(u32, u32)>,
    /// Scale of each output.
    pub(crate) scales: Vec<f64>,
    pub(crate) control: Control<'a>,
    /// What draws it again and again.
    pub(crate) engine: Engine,
    /// What draws forms of it that are drawn once.
    pub(crate) once: Engine,
    /// The draws of both sides, once they were recorded; `None` where they cannot be.
    recordings: [OnceLock<Option<Recording>>; 2],
}

impl<'a> Scene<'a> {
    pub(crate) fn new(
        sides: &'a Sides,
        draw: &'a Draw,
        quads: Quads,
        scales: Vec<f64>,
        control: Control<'a>,
        engine: Engine,
    ) -> Scene<'a> {
        let pixels = pixels_of(&quads, draw.width, draw.height);
        Scene { sides, draw, quads, pixels, scales, control, engine, once: engine, recordings: Default::default() }
    }

    /// With the engine that takes least for what is drawn once, by what a whole frame took.
    pub(crate) fn sparing(self, cost: &Cost) -> Scene<'a> {
        let share = self.pixels.len() as f64 / (f64::from(self.draw.width) * f64::from(self.draw.height));
        let once = if cost.favours_interpreter(share) { Engine::Interp } else { self.engine };
        Scene { once, ..self }
    }

    /// Draws the quads.
    pub(crate) fn frame(&self, shader: Shader<Bound>) -> Result<Frame, Problems> {
        self.frame_of(&prepared(shader, self.once)?, self.draw)
    }

    fn frame_of(&self, compiled: &Compiled, draw: &Draw) -> Result<Frame, Problems> {
        // A shader that writes memory sees what all quads before did.
        let only = (!compiled.program.writes_memory()).then_some(&self.quads);
        stage::frame(compiled, draw, Control { only, ..self.control })
    }

    pub(crate) fn shot(&self, shader: Shader<Bound>) -> Result<Shot, Problems> {
        Ok(Shot::new(&self.frame(shader)?, &self.pixels))
    }

    /// The same of a shader that is compiled, with constants of its own.
    pub(crate) fn shot_of(&self, compiled: &Compiled, draw: &Draw) -> Result<Shot, Problems> {
        Ok(Shot::new(&self.frame_of(compiled, draw)?, &self.pixels))
    }

    /// The same of one of the sides with some ops changed, told from its recorded draw without compiling; `None` where that cannot
    /// tell, or, if a draw that is compiled once `may_compile` all such changes, where that is the quicker way.
    pub(crate) fn shot_with(
        &self,
        side: Side,
        may_compile: bool,
        changes: impl IntoIterator<Item = Change>,
    ) -> Result<Option<Shot>, Problems> {
        let recording = self.recordings[side as usize].get_or_init(|| self.recording(self.sides.side(side).clone()));
        let quick = |recording: &&Recording| !may_compile || recording.events() <= MOST_EVENTS;
        match recording.as_ref().filter(quick) {
            Some(recording) => self.shot_told(recording, changes),
            None => Ok(None),
        }
    }

    /// The recorded draw of a shader; `None` where it cannot be recorded. What goes wrong goes wrong again where it is drawn.
    pub(crate) fn recording(&self, shader: Shader<Bound>) -> Option<Recording> {
        let control = Control { only: Some(&self.quads), ..self.control };
        let made = Recording::new(shader, self.draw, control, self.engine).ok().flatten();
        made.map(|(_, recording)| recording)
    }

    /// What a recorded draw of the scene tells of some changes; `None` where it cannot tell.
    pub(crate) fn shot_told(
        &self,
        recording: &Recording,
        changes: impl IntoIterator<Item = Change>,
    ) -> Result<Option<Shot>, Problems> {
        let control = Control { only: Some(&self.quads), ..self.control };
        let frame = recording.frame_with(changes, self.draw, control)?;
        Ok(frame.map(|frame| Shot::new(&frame, &self.pixels)))
    }

    /// The quads of one of the sides.
    pub(crate) fn shot_of_side(&self, side: Side) -> Result<Shot, Problems> {
        match self.shot_with(side, true, [])? {
            Some(shot) => Ok(shot),
            None => self.shot(self.sides.side(side).clone()),
        }
    }

    pub(crate) fn distance(&self, found: &Shot, expected: &Shot) -> Distance {
        found.distance(expected, &self.scales)
    }
}

/// What an engine takes for a shader.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub(crate) struct Cost {
    /// To compile it.
    pub(crate) compile: Duration,
    /// To draw a whole frame.
    pub(crate) draw: Duration,
}

impl Cost {
    /// Whether interpreting a share of the frame takes less than compiling to machine code. The interpreter prepares a shader in
    /// a third of the time, and takes ten times as long for a pixel: so it does where the code took 13.5 times what it draws in.
    fn favours_interpreter(&self, share: f64) -> bool {
        self.compile.as_secs_f64() > 13.5 * self.draw.as_secs_f64() * share
    }
}

/// How far each pixel of a shot is off from what is expected.
pub(crate) struct Errors<'a> {
    /// Column and row of each.
    pixels: &'a [(u32, u32)],
    errors: Vec<f64>,
}

impl<'a> Errors<'a> {
    pub(crate) fn new(found: &Shot, expected: &Shot, scales: &[f64], pixels: &'a [(u32, u32)]) -> Errors<'a> {
        Errors { pixels, errors: found.errors(expected, scales) }
    }

    /// That of a pixel, by its number.
    pub(crate) fn of(&self, at: usize) -> f64 {
        self.errors[at]
    }

    /// Whether a pixel is off, by its number.
    pub(crate) fn is_off(&self, at: usize) -> bool {
        self.of(at) > 0.0
    }

    /// The pixel that is off most, the first of several.
    pub(crate) fn worst(&self) -> Option<(u32, u32)> {
        let off = (0..self.errors.len()).filter(|&at| self.is_off(at));
        let worst = off.max_by(|&a, &b| self.errors[a].total_cmp(&self.errors[b]).then(b.cmp(&a)))?;
        Some(self.pixels[worst])
    }

    /// Column and row of the quads with a pixel, given by its number, for which something is true.
    pub(crate) fn quads_with(&self, test: impl Fn(usize) -> bool) -> Vec<(u32, u32)> {
        let pixels = (0..self.pixels.len()).filter(|&at| test(at));
        let mut quads: Vec<(u32, u32)> = pixels.map(|at| corner(self.pixels[at])).collect();
        quads.dedup();
        quads
    }
}

/// Column and row of the quad of a pixel.
pub(crate) fn corner((x, y): (u32, u32)) -> (u32, u32) {
    (x & !1, y & !1)
}

/// At most `most` of the quads in a list: one from each of so many equal parts of it, at places that no regular pattern of the picture
/// can meet.
pub(crate) fn spread(quads: &[(u32, u32)], most: usize, width: u32, height: u32) -> Quads {
    let mut out = Quads::none(width, height);
    let taken = quads.len().min(most);
    let place = |n: usize| {
        // The fractional parts of the multiples of the golden ratio, in 2^-32.
        let inside = (n as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let part = (n as u128) << 32 | u128::from(inside);
        ((part * quads.len() as u128 / taken as u128) >> 32) as usize
    };
    (0..taken).map(place).for_each(|at| out.insert(quads[at].0, quads[at].1));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quads_are_spread_over_rows_and_columns() {
        let quads: Vec<(u32, u32)> = (0..32 * 32).map(|n| (n % 32 * 2, n / 32 * 2)).collect();
        assert_eq!(spread(&quads, 5000, 64, 64).iter().count(), 1024);
        let taken = spread(&quads, 192, 64, 64);
        assert_eq!(taken.iter().count(), 192);
        let columns: std::collections::BTreeSet<u32> = taken.iter().map(|(x, _)| x).collect();
        let rows: std::collections::BTreeSet<u32> = taken.iter().map(|(_, y)| y).collect();
        assert_eq!((columns.len(), rows.len()), (32, 32));
        assert_eq!(spread(&[], 7, 64, 64).iter().count(), 0);
    }

    #[test]
    fn few_pixels_are_interpreted_unless_each_takes_long() {
        let cost = |compile, draw| Cost { compile: Duration::from_micros(compile), draw: Duration::from_micros(draw) };
        // 192 pixels of 128x128.
        let share = 192.0 / 16_384.0;
        assert!(cost(3000, 1000).favours_interpreter(share));
        assert!(!cost(3000, 100_000).favours_interpreter(share));
        assert!(!cost(3000, 1000).favours_interpreter(1.0));
    }
}
