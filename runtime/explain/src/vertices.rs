//! What a vertex program in front of a fragment program has to do with a difference.

use crate::shot::Distance;
use parallax::{Draw, Geometry};
use parallax_core::Interface;

/// How the vertices that a vertex program computes differ between two models.
#[derive(Clone, Debug, PartialEq)]
pub struct VertexDifference {
    /// Corners of triangles that the draw has.
    pub corners: usize,
    /// Those with another position.
    pub positions: usize,
    /// Inputs of the fragment program with other values, by name, and in how many corners.
    pub inputs: Vec<(String, usize)>,
    /// The difference that the vertices alone make, with the fragment program under the model that is compared with.
    pub alone: Distance,
}

impl VertexDifference {
    /// Compares two draws of one fragment program.
    pub(crate) fn new(iface: &Interface, own: &Draw, other: &Draw, alone: Distance) -> VertexDifference {
        let (positions, others) = (positions(own), positions(other));
        let mut inputs: Vec<(String, usize)> = Vec::new();
        for (attr, (values, others)) in iface.attrs.iter().zip(own.attributes.iter().zip(&other.attributes)) {
            let count = values.iter().zip(others).filter(|(a, b)| a != b).count();
            // An input that is interpolated in several ways is declared several times.
            if count > 0 && inputs.iter().all(|(name, _)| *name != attr.name) {
                inputs.push((attr.name.clone(), count));
            }
        }
        let differ = |(a, b): &(&[f32; 4], &[f32; 4])| a.map(f32::to_bits) != b.map(f32::to_bits);
        VertexDifference {
            corners: positions.len(),
            positions: positions.iter().zip(others).filter(differ).count(),
            inputs,
            alone,
        }
    }
}

/// Whether two draws have other positions or attributes.
pub(crate) fn differ(own: &Draw, other: &Draw) -> bool {
    let bits = |draw: &Draw| -> Vec<u32> { positions(draw).iter().flatten().map(|value| value.to_bits()).collect() };
    own.attributes != other.attributes || bits(own) != bits(other)
}

fn positions(draw: &Draw) -> &[[f32; 4]] {
    match &draw.geometry {
        Geometry::Triangles(positions) => positions,
        Geometry::Quad => &[],
    }
}
