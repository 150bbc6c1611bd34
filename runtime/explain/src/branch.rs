//! Branches that the two arithmetics take differently.

use crate::blame::Place;
use crate::scene::Scene;
use crate::sides::Side;
use crate::trace::{LANES, Observed, Taken, Traced};
use parallax::Problems;
use parallax_core::OpId;

/// A branch that flips.
#[derive(Clone, Debug, PartialEq)]
pub struct Flip {
    /// The comparison that decides it, or the branch itself where none does.
    pub place: Place,
    /// The operation.
    pub op: &'static str,
    /// Column and row of a pixel where it flips.
    pub pixel: (u32, u32),
    /// Operands under the model; the second is 0 for a condition code.
    pub found: Option<[f64; 2]>,
    /// Operands under the other arithmetic.
    pub expected: Option<[f64; 2]>,
    /// Pixels in which it is the first branch that flips, of those looked at.
    pub pixels: u64,
}

impl Flip {
    /// How close the operands are under the other arithmetic: the distance that decides.
    pub fn margin(&self) -> Option<f64> {
        self.expected.map(|[a, b]| (a - b).abs())
    }
}

/// The first branch of each pixel of some quads that the two sides take differently, together by branch.
pub(crate) fn flips(scene: &Scene<'_>, records: &[Traced]) -> Vec<Flip> {
    let mut out: Vec<(OpId, Flip)> = Vec::new();
    for ((x, y), [found, expected]) in records {
        for lane in 0..LANES {
            let pixel = (x + lane as u32 % 2, y + lane as u32 / 2);
            if pixel.0 >= scene.draw.width || pixel.1 >= scene.draw.height {
                continue;
            }
            let Some((a, b)) = parting(&found.taken[lane], &expected.taken[lane]) else { continue };
            // Where one side goes no further, the branch before decided it.
            let Some(taken) = a.or(b) else { continue };
            let op = taken.op;
            if let Some((_, flip)) = out.iter_mut().find(|(known, _)| *known == op) {
                flip.pixels += 1;
                continue;
            }
            let decided = found.comparison(op).unwrap_or(op);
            let data = &scene.sides.func().ops[decided];
            out.push((
                op,
                Flip {
                    place: Place::new(scene.sides, data.origins.iter().min().copied()),
                    op: data.kind.word(),
                    pixel,
                    found: a.and_then(|t| t.operands),
                    expected: b.and_then(|t| t.operands),
                    pixels: 1,
                },
            ));
        }
    }
    parallax_text::sort_by(&mut out, |a, b| b.1.pixels.cmp(&a.1.pixels).then(a.1.place.index.cmp(&b.1.place.index)));
    out.into_iter().map(|(_, flip)| flip).collect()
}

/// Where two pixels part: what each does next.
fn parting(a: &[Taken], b: &[Taken]) -> Option<(Option<Taken>, Option<Taken>)> {
    let at = (0..a.len().max(b.len())).find(|&n| {
        let way = |t: Option<&Taken>| t.map(|t| (t.op, t.region));
        way(a.get(n)) != way(b.get(n))
    })?;
    Some((a.get(at).copied(), b.get(at).copied()))
}

/// Runs both sides in some quads.
///
/// # Errors
/// Those of compiling and of the draw.
pub(crate) fn records(scene: &Scene<'_>, quads: impl Iterator<Item = (u32, u32)>) -> Result<Vec<Traced>, Problems> {
    let [model, against] = [Side::Model, Side::Against].map(|side| Observed::new(scene.sides.side(side)));
    let (model, against) = (model?, against?);
    quads.map(|quad| Ok((quad, [model.quad(scene, quad)?, against.quad(scene, quad)?]))).collect()
}
