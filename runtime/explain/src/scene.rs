//! What is drawn again and again, and the pixels that are looked at.

use crate::shot::{Distance, Shot, pixels_of};
use crate::sides::{Sides, prepared};
use parallax::{Compiled, Control, Draw, Engine, Frame, Problems, Quads, Workers, run_draw};
use parallax_core::{Bound, Shader};

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
    /// What draws it.
    pub(crate) engine: Engine,
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
        Scene { sides, draw, quads, pixels, scales, control, engine }
    }

    /// Draws the quads.
    pub(crate) fn frame(&self, shader: Shader<Bound>) -> Result<Frame, Problems> {
        self.frame_of(&prepared(shader, self.engine)?, self.draw)
    }

    fn frame_of(&self, compiled: &Compiled, draw: &Draw) -> Result<Frame, Problems> {
        // A shader that writes memory sees what all quads before did.
        let only = (!compiled.program.writes_memory()).then_some(&self.quads);
        run_draw(compiled, draw, &Workers::serial(), Control { only, ..self.control })
    }

    pub(crate) fn shot(&self, shader: Shader<Bound>) -> Result<Shot, Problems> {
        Ok(Shot::new(&self.frame(shader)?, &self.pixels))
    }

    /// The same of a shader that is compiled, with constants of its own.
    pub(crate) fn shot_of(&self, compiled: &Compiled, draw: &Draw) -> Result<Shot, Problems> {
        Ok(Shot::new(&self.frame_of(compiled, draw)?, &self.pixels))
    }

    pub(crate) fn distance(&self, found: &Shot, expected: &Shot) -> Distance {
        found.distance(expected, &self.scales)
    }
}

/// At most `most` of the quads in a list, evenly spread.
pub(crate) fn spread(quads: &[(u32, u32)], most: usize, width: u32, height: u32) -> Quads {
    let mut out = Quads::none(width, height);
    let taken = quads.len().min(most);
    (0..taken).map(|n| quads[n * quads.len() / taken]).for_each(|(x, y)| out.insert(x, y));
    out
}
