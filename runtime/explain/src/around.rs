//! What the fixed functions around a shader have to do with a difference: how colours are stored and blended, how attributes and vertices
//! are placed.

use crate::shot::Distance;
use parallax::{Draw, Problems};
use parallax_core::num::{Decl, Field, Format, Model, Rule, Tier};
use parallax_core::{Bound, Shader};

/// A field of fixed functions in which two models differ, and which changes a pixel of the draw.
#[derive(Clone, Debug, PartialEq)]
pub struct FixedDifference {
    /// The field.
    pub field: &'static str,
    /// Its value under the model.
    pub value: String,
    /// That under the model it is compared with.
    pub other: String,
    /// How far the model's value can be trusted.
    pub tier: Tier,
    /// Who says it.
    pub source: String,
    /// The difference that the field alone makes, with everything else under the model that is compared with.
    pub alone: Distance,
}

/// Whether something around the shader differs and counts in the draw.
pub(crate) fn differs(draw: &Draw, model: &Shader<Bound>, against: &Shader<Bound>) -> bool {
    let counted = |shader: &Shader<Bound>| draw.counted(&shader.func.iface, &shader.state);
    counted(model) != counted(against)
}

/// The same shader with what is around another one.
pub(crate) fn with_that_of(mut shader: Shader<Bound>, other: &Bound) -> Shader<Bound> {
    shader.state.take_around(other);
    shader
}

/// The fields that differ and change a pixel, one by one: `distance` draws a shader and measures it.
pub(crate) fn differences(
    draw: &Draw,
    model: (&Model, &Shader<Bound>),
    against: &Shader<Bound>,
    distance: impl Fn(Shader<Bound>) -> Result<Distance, Problems>,
) -> Result<Vec<FixedDifference>, Problems> {
    let (model, bound) = model;
    let entries = model.entries();
    let rule = |fixed| Rule { fixed, ..Rule::ieee(Decl::F32, Format::F32) };
    let mut out = Vec::new();
    for field in Field::ALL.iter().filter(|field| field.is_of_fixed_functions()) {
        let [value, other] = [bound, against].map(|shader| field.get(&rule(shader.state.fixed)));
        let Some(fixed) = against.state.fixed.with(field.name, &value) else { continue };
        let mut changed = against.clone();
        changed.state.fixed = fixed;
        match field.name {
            "raster_interpolation" => changed.state.raster_steps.clone_from(&bound.state.raster_steps),
            "raster_mediump" => changed.state.halves.clone_from(&bound.state.halves),
            _ => {}
        }
        if !differs(draw, &changed, against) {
            continue;
        }
        let said = entries.iter().find(|entry| entry.field == field.name);
        let (tier, source) = said.map_or((Tier::Assumed, String::new()), |said| (said.tier, said.source.clone()));
        let alone = distance(changed)?;
        if alone.changed == 0 {
            continue;
        }
        out.push(FixedDifference { field: field.name, value, other, tier, source, alone });
    }
    Ok(out)
}
