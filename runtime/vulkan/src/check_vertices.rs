//! Compares a vertex module on a device with the engine: every output of every vertex, bit for bit.
//!
//! The module runs with stores of its outputs behind it ([`captured`]), so that positions, point sizes and clip distances are seen
//! as the shader gave them. Attributes come from vertex buffers.

use crate::check::{Compared, Comparison, Difference, buffers, single};
use crate::device::{Device, Failure, Feature};
use crate::sides::both_sides;
use crate::{Buffer, VertexJob};
use parallax::{Compiled, Draw, MAX_VERTICES, run_vertices_with};
use parallax_core::OutputRole;
use parallax_spirv_out::{CAPTURED, PER_OUTPUT, Translation, captured};

pub(crate) fn check(
    device: &Device,
    compiled: &Compiled,
    translation: &Translation,
    draw: &Draw,
) -> Result<Comparison, Failure> {
    let interface = &translation.interface;
    if !device.has(Feature::VertexStores) {
        return Err(Failure::new(
            "its vertex shaders cannot store: `vertexPipelineStoresAndAtomics` is missing".into(),
        ));
    }
    let clips = interface.outputs.iter().any(|output| matches!(output.role, OutputRole::ClipDistance(_)));
    if clips && !device.has(Feature::ClipDistances) {
        return Err(Failure::new("it has no clip distances: `shaderClipDistance` is missing".into()));
    }
    let count = draw.vertex_count();
    if count > MAX_VERTICES {
        return Err(Failure::new(format!("{count} vertices are too many to compare")));
    }
    let bound = both_sides(interface, &draw.textures)?;
    let ours = run_vertices_with(compiled, draw, &*bound.ours).map_err(|problems| {
        let message = problems.diags.first().map_or("the vertices do not run", |diag| &diag.message);
        Failure::new(message.to_string())
    })?;
    if ours.out_of_fuel > 0 {
        let message =
            format!("some vertices do not leave their loops within {} iterations; a device may never", draw.fuel);
        return Err(Failure::new(message));
    }

    let words = captured(translation).map_err(Failure::new)?;
    let stride = PER_OUTPUT * interface.outputs.len();
    let (set, binding) = CAPTURED;
    let mut buffers = vec![Buffer::storage(set, binding, vec![0; (stride * count).max(1)])];
    buffers.extend(self::buffers(interface, draw));
    let attributes = interface.inputs.iter().filter_map(|input| {
        let given = draw.attributes.get(input.attr).map_or(&[][..], Vec::as_slice);
        let values = (0..count).map(|vertex| given.get(vertex).copied().unwrap_or_default()).collect();
        Some((input.location?, values))
    });
    let attributes = attributes.collect();
    let (textures, images) = (bound.textures, bound.images);
    let job = VertexJob { words: &words, vertices: count as u32, attributes, buffers, textures, images };
    let after = device.run_vertices(&job)?;

    let mut found = Comparison { of: Compared::Vertices, pixels: count, ..Comparison::default() };
    for (n, output) in interface.outputs.iter().enumerate() {
        for channel in ours.channels.iter().filter(|channel| channel.output == output.name) {
            let wanted = single(&channel.declared_bits(), channel.ty.decl());
            let what = format!("{}.{}", output.name, ["x", "y", "z", "w"][usize::from(channel.comp & 3)]);
            let mut difference = None;
            for (vertex, &expected) in wanted.iter().enumerate() {
                let got = after[0][stride * vertex + PER_OUTPUT * n + usize::from(channel.comp)];
                if got != expected {
                    Difference::add(&mut difference, &what, [vertex, 0], [expected, got]);
                }
            }
            found.differences.extend(difference);
        }
    }
    found.counted = if interface.counter.is_some() { after.last().map_or(0, |words| words[0]) } else { 0 };
    Ok(found)
}
