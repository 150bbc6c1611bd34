//! A vertex program in front of a fragment program: what it computes is what the draw rasterises.

use crate::compile::{Optimise, compile};
use crate::draw::{Draw, Geometry, is_supplied};
use crate::engine::Engine;
use crate::problem::{Problems, invalid};
use crate::run::endless;
use crate::vertices::run_vertices;
use parallax_core::num::Model;
use parallax_core::{AttrSemantic, Interface, OutputRole, Shader, Symbolic};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

/// A vertex program and what it reads.
#[derive(Clone, Debug, PartialEq)]
pub struct VertexStage {
    /// The program.
    pub shader: Arc<Shader<Symbolic>>,
    /// Its attributes, constants and textures: a list of vertices, as for [`run_vertices`].
    pub inputs: Box<Draw>,
    /// The vertices of each triangle, by number.
    pub triangles: Vec<[u32; 3]>,
    /// Whether colours are clamped to [0, 1] before they are interpolated, as OpenGL does unless `CLAMP_VERTEX_COLOR` is off
    /// (OpenGL 2.1, section 2.14.6). NaN becomes 0.
    pub clamp_colors: bool,
}

/// What a vertex program computes.
struct Vertices {
    positions: Vec<[u32; 4]>,
    varyings: HashMap<AttrSemantic, Vec<[u32; 4]>>,
}

/// What components hold that a program does not write.
pub(crate) const UNWRITTEN: [u32; 4] = [0, 0, 0, 1f32.to_bits()];

impl Draw {
    /// The draw with the positions and attributes that its vertex program computes under a model; the draw itself where it has
    /// none. `iface` is that of the fragment program; attributes that the vertex program does not write are (0, 0, 0, 1).
    ///
    /// # Errors
    /// What makes running the vertex program impossible; `draw-endless` if a vertex runs out of loop fuel.
    pub fn with_vertices(&self, iface: &Interface, model: &Model, engine: Engine) -> Result<Cow<'_, Draw>, Problems> {
        let Some(stage) = &self.vertex else { return Ok(Cow::Borrowed(self)) };
        let Vertices { positions, varyings } = stage.run(model, engine)?;
        let of_triangles = |values: &[[u32; 4]]| -> Vec<[u32; 4]> {
            stage.triangles.iter().flatten().map(|&vertex| values[vertex as usize]).collect()
        };
        let attributes = iface.attrs.iter().map(|attr| match varyings.get(&attr.semantic) {
            Some(values) => of_triangles(values),
            None if is_supplied(attr.semantic) => vec![UNWRITTEN; 3 * stage.triangles.len()],
            None => Vec::new(),
        });
        let positions = of_triangles(&positions).iter().map(|position| position.map(f32::from_bits)).collect();
        Ok(Cow::Owned(Draw {
            geometry: Geometry::Triangles(positions),
            attributes: attributes.collect(),
            vertex: None,
            ..self.clone()
        }))
    }
}

impl VertexStage {
    fn run(&self, model: &Model, engine: Engine) -> Result<Vertices, Problems> {
        let func = &self.shader.func;
        let compiled = compile(&self.shader, model, Optimise::Yes, engine)?;
        let frame = run_vertices(&compiled, &self.inputs)?;
        let problem = |diag| Problems::new(&func.name, "", vec![diag]);
        if frame.out_of_fuel > 0 {
            let who = format!("{} of {} vertices under {}", frame.out_of_fuel, frame.width, model.label());
            return Err(problem(endless(func, self.inputs.fuel, &who)));
        }
        let count = frame.width as usize;
        if let Some(vertex) = self.triangles.iter().flatten().find(|&&vertex| vertex as usize >= count) {
            let message = format!("a triangle names vertex {vertex}, but there are {count}, counted from 0");
            return Err(problem(invalid("draw-vertices", message)));
        }
        let mut vertices = Vertices { positions: vec![UNWRITTEN; count], varyings: HashMap::new() };
        for channel in &frame.channels {
            let to = match (channel.role, channel.role.read_as()) {
                (OutputRole::Position, _) => &mut vertices.positions,
                (_, Some(semantic)) => vertices.varyings.entry(semantic).or_insert_with(|| vec![UNWRITTEN; count]),
                _ => continue,
            };
            let clamps = self.clamp_colors && matches!(channel.role, OutputRole::FrontColor(_));
            let words = channel.declared_bits();
            for (n, value) in to.iter_mut().enumerate() {
                let word = words.get(n) as u32;
                value[usize::from(channel.comp)] = if clamps { clamped(word) } else { word };
            }
        }
        Ok(vertices)
    }
}

/// A binary32 number clamped to [0, 1].
fn clamped(word: u32) -> u32 {
    match f32::from_bits(word) {
        value if value >= 1.0 => 1f32.to_bits(),
        value if value > 0.0 => word,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_clamped() {
        let of = |value: f32| f32::from_bits(clamped(value.to_bits()));
        assert_eq!([-0.0, -3.0, 0.25, 1.0, 7.0, f32::INFINITY].map(of), [0.0, 0.0, 0.25, 1.0, 1.0, 1.0]);
        assert_eq!(clamped(0x8000_0000), 0);
        assert_eq!(clamped(f32::NAN.to_bits()), 0);
    }
}
