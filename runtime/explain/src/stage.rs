//! What the stages of a program give: pixels, vertices in a row, or the words of a kernel's buffers. All are frames.

use parallax::{Compiled, Control, Draw, Frame, Problems, Workers, run_draw, run_some_vertices, run_vertices};
use parallax_core::{Func, Stage};
use std::borrow::Cow;

/// What a difference is counted in.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Shown {
    /// Those of a picture.
    #[default]
    Pixels,
    /// Those of a list.
    Vertices,
    /// Those of the buffers that a kernel writes.
    Words,
}

impl Shown {
    /// By the stage of a program.
    pub(crate) fn of(func: &Func) -> Shown {
        match func.iface.stage {
            Stage::Fragment => Shown::Pixels,
            Stage::Vertex => Shown::Vertices,
            Stage::Compute => Shown::Words,
        }
    }

    /// `pixel`.
    pub const fn one(self) -> &'static str {
        match self {
            Shown::Pixels => "pixel",
            Shown::Vertices => "vertex",
            Shown::Words => "word",
        }
    }

    /// `pixels`.
    pub const fn many(self) -> &'static str {
        match self {
            Shown::Pixels => "pixels",
            Shown::Vertices => "vertices",
            Shown::Words => "words",
        }
    }
}

/// The draw with the size of its frame: a list of vertices is one row.
pub(crate) fn sized<'d>(func: &Func, draw: &'d Draw) -> Cow<'d, Draw> {
    match func.iface.stage {
        Stage::Vertex => Cow::Owned(Draw { width: draw.vertex_count() as u32, height: 1, ..draw.clone() }),
        _ => Cow::Borrowed(draw),
    }
}

/// Draws everything, or the quads that `control` names: a frame of pixels alone is drawn in part.
pub(crate) fn frame(compiled: &Compiled, draw: &Draw, control: Control<'_>) -> Result<Frame, Problems> {
    match compiled.shader.func.iface.stage {
        Stage::Vertex => run_vertices(compiled, draw),
        Stage::Fragment => run_draw(compiled, draw, &Workers::serial(), control),
        Stage::Compute => run_draw(compiled, draw, &Workers::serial(), Control { only: None, ..control }),
    }
}

/// Draws as little as holds one quad, lane 0 first: of vertices, which have one row, two.
pub(crate) fn quad(
    compiled: &Compiled,
    draw: &Draw,
    (x, _): (u32, u32),
    control: Control<'_>,
) -> Result<Frame, Problems> {
    match compiled.shader.func.iface.stage {
        Stage::Vertex => {
            let first = x as usize;
            run_some_vertices(compiled, draw, first..(first + 2).min(draw.vertex_count()))
        }
        _ => frame(compiled, draw, control),
    }
}
