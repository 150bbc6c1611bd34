//! Whether a picture is decided by the shader or by luck.

use crate::scene::{MOST_EVENTS, Scene};
use crate::shot::Shot;
use parallax::Problems;
use parallax_core::num::{Field, Model, Probe, Scope};
use parallax_core::{Bound, Shader, Symbolic};
use rayon::prelude::*;

/// Seeds of random choices inside documented bounds.
pub const SEEDS: u64 = 32;
/// The same, where little time is to be spent.
pub(crate) const BRIEF_SEEDS: u64 = 6;

/// What other runs of the same shader give.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spread {
    /// Runs that bind to other rules than the plain one.
    pub runs: usize,
    /// Pixels that some run changes.
    pub changed: u64,
    /// Pixels that some run changes by a step of 1/255, or in their coverage.
    pub visible: u64,
    /// Pixels that some run changes by more than one step of 1/255, or in their coverage.
    pub more: u64,
    /// Largest change in steps of 1/255.
    pub steps: u32,
    /// Column and row of the pixel with the largest change.
    pub pixel: Option<(u32, u32)>,
    /// Largest absolute change of each output, where it is a number in both.
    pub outputs: Vec<(String, f64)>,
}

/// How much of a picture the model leaves open.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stability {
    /// Pixels looked at.
    pub pixels: u64,
    /// Other choices inside the documented bounds: lowest, highest, and random ones, [`SEEDS`] unless the look is brief.
    pub legal: Spread,
    /// Results rounded up, down and toward zero: what the shader makes of the last bit.
    pub rounded: Spread,
}

impl Stability {
    /// Share of the pixels that a legal implementation may change by more than one step of 1/255.
    pub fn luck(&self) -> f64 {
        self.legal.more as f64 / self.pixels.max(1) as f64
    }
}

/// Draws the quads of a scene under the lowest, the highest and random choices that a model leaves open, so many.
///
/// # Errors
/// Those of compiling and of the draw.
pub(crate) fn stability(
    scene: &Scene<'_>,
    shader: &Shader<Symbolic>,
    model: &Model,
    seeds: u64,
    done: &(dyn Fn() + Sync),
) -> Result<Stability, Problems> {
    let bound = shader.bind(model);
    let recording = scene.recording(bound.clone()).filter(|recording| recording.events() <= MOST_EVENTS);
    let shot = |other: Shader<Bound>| -> Result<Shot, Problems> {
        let changes = recording.as_ref().and_then(|recording| Some((recording, recording.changes_to(&other)?)));
        let told = changes.map(|(recording, changes)| scene.shot_told(recording, changes)).transpose()?;
        told.flatten().map_or_else(|| scene.shot(other), Ok)
    };
    let plain = shot(bound.clone())?;
    let probes = [Probe::Lowest, Probe::Highest].into_iter().chain((1..=seeds).map(Probe::Random)).collect::<Vec<_>>();
    let legal = probes.into_par_iter().map(|probe| {
        let other = shader.bind(&model.clone().with_probe(probe));
        done();
        (other.state.rules != bound.state.rules).then(|| shot(other)).transpose()
    });
    let legal = legal.collect::<Result<Vec<Option<Shot>>, _>>()?;
    let mut rounded = Vec::new();
    if let Some(round) = Field::from_name("round") {
        for direction in ["rup", "rdn", "rtz"] {
            let Ok(other) = model.clone().with_settings([(Scope::ALL, round, direction)]) else { continue };
            let other = shader.bind(&other);
            rounded.push((other.state.rules != bound.state.rules).then(|| shot(other)).transpose()?);
        }
    }
    Ok(Stability {
        pixels: scene.pixels.len() as u64,
        legal: spread(scene, &plain, &legal),
        rounded: spread(scene, &plain, &rounded),
    })
}

fn spread(scene: &Scene<'_>, plain: &Shot, runs: &[Option<Shot>]) -> Spread {
    let mut out = Spread { runs: runs.iter().flatten().count(), ..Spread::default() };
    for at in 0..scene.pixels.len() {
        for run in runs.iter().flatten() {
            for (n, ((name, a), (_, b))) in plain.values(at).zip(run.values(at)).enumerate() {
                if n == out.outputs.len() {
                    out.outputs.push((name.to_string(), 0.0));
                }
                let distance = (a - b).abs();
                if distance.is_finite() {
                    out.outputs[n].1 = out.outputs[n].1.max(distance);
                }
            }
        }
    }
    for (at, &pixel) in scene.pixels.iter().enumerate() {
        let mut most = None;
        for run in runs.iter().flatten() {
            let changes =
                run.error(plain, &scene.scales, at) > 0.0 || run.specials(at).count() != plain.specials(at).count();
            if changes {
                most = most.max(Some(run.byte_steps(plain, at)));
            }
        }
        let Some(steps) = most else { continue };
        out.changed += 1;
        out.visible += u64::from(steps > 0);
        out.more += u64::from(steps > 1);
        if steps > out.steps || out.pixel.is_none() {
            (out.steps, out.pixel) = (steps, Some(pixel));
        }
    }
    out
}
