//! Draws of pipelines.

use super::buffer::{Buffer, channel};
use super::execute::Machine;
use super::format::Scalar;
use super::script::{Pipeline, Run, Topology};
use crate::{Outcome, Prepared, ShaderStage};
use parallax::{Control, Draw, Frame, Geometry, OutputRole, Workers, run_draw, run_vertices};
use parallax_core::{AttrSemantic, Interface};
use std::collections::BTreeMap;

/// Four words of an attribute or an output.
type Vector = [u32; 4];

/// What vertices carry: positions, and what fragments read by location.
struct Vertices {
    positions: Vec<[f32; 4]>,
    varying: BTreeMap<u16, Vec<Vector>>,
}

/// Draws with a pipeline.
pub(super) fn draw(machine: &mut Machine<'_>, name: &str, pipeline: &Pipeline, run: &Run) -> Result<(), Outcome> {
    let refuse = |what: &str| Outcome::NotParsed(what.to_string());
    let Some(fragment) = machine.program(name, pipeline, ShaderStage::Fragment)? else {
        return Err(refuse("a draw without fragments"));
    };
    let images = pipeline.colours.iter().filter_map(|(_, name)| machine.buffers.get(name)?.size);
    let [width, height] = images.map(|[width, height, _]| [width, height]).next().unwrap_or(pipeline.size);
    let (attributes, corners) = match run {
        Run::Rect([left, top, across, down]) => {
            let x = |at: f64| (at / width as f64 * 2.0 - 1.0) as f32;
            let y = |at: f64| (at / height as f64 * 2.0 - 1.0) as f32;
            let corner = |x: f32, y: f32| [x, y, 0.0, 1.0].map(f32::to_bits);
            let (right, bottom) = (x(left + across), y(top + down));
            let (left, top) = (x(*left), y(*top));
            let corners = vec![corner(left, bottom), corner(left, top), corner(right, bottom), corner(right, top)];
            (BTreeMap::from([(0, corners)]), vec![0, 1, 2, 2, 1, 3])
        }
        Run::Array { topology, first, count, indexed } => {
            let mut attributes = BTreeMap::new();
            for data in &pipeline.vertices {
                let values = vectors(machine.buffer(&data.buffer)?, data.offset);
                attributes.insert(data.location, values);
            }
            let vertices = attributes.values().map(Vec::len).min().unwrap_or(0);
            let order: Vec<usize> = if *indexed {
                let indices = pipeline.indices.as_ref().ok_or_else(|| refuse("a draw without its indices"))?;
                let indices = vectors(machine.buffer(indices)?, 0);
                let all: Vec<usize> = indices.iter().map(|index| index[0] as usize).collect();
                let count = count.unwrap_or(all.len().saturating_sub(*first));
                all.get(*first..first + count).ok_or_else(|| refuse("indices beyond the end"))?.to_vec()
            } else {
                (*first..first + count.unwrap_or(vertices.saturating_sub(*first))).collect()
            };
            if order.iter().any(|index| *index >= vertices) {
                return Err(refuse("vertices beyond the end"));
            }
            (attributes, triangles(*topology, &order))
        }
        Run::Dispatch(_) => return Err(refuse("a grid of a graphics pipeline")),
    };
    let vertices = match machine.program(name, pipeline, ShaderStage::Vertex)? {
        None => {
            let positions = attributes.get(&0).ok_or_else(|| refuse("a draw without positions"))?;
            Vertices { positions: positions.iter().map(|p| p.map(f32::from_bits)).collect(), varying: BTreeMap::new() }
        }
        Some(program) => shade_vertices(machine, pipeline, &program, &attributes)?,
    };
    let iface = &fragment.shader.func.iface;
    let mut draw = start(machine, pipeline, iface)?;
    (draw.width, draw.height) = (width as u32, height as u32);
    draw.geometry = Geometry::Triangles(
        corners
            .iter()
            .map(|&corner| {
                // Vulkan's y points down, and its depths begin at 0.
                let [x, y, z, w] = vertices.positions[corner];
                [x, -y, 2.0 * z - w, w]
            })
            .collect(),
    );
    draw.attributes = iface
        .attrs
        .iter()
        .map(|attr| match attr.semantic {
            AttrSemantic::Position | AttrSemantic::Face => Vec::new(),
            AttrSemantic::Generic(location) => match vertices.varying.get(&location) {
                Some(values) => corners.iter().map(|&corner| values[corner]).collect(),
                None => vec![[0; 4]; corners.len()],
            },
            _ => vec![[0; 4]; corners.len()],
        })
        .collect();
    let frame = run_draw(&fragment, &draw, &Workers::serial(), Control::default())?;
    ended(&frame)?;
    if !frame.buffers.is_empty() {
        machine.take_back(pipeline, iface, &frame.buffers);
    }
    for (location, buffer) in &pipeline.colours {
        store(&frame, *location, machine.buffer(buffer)?);
    }
    Ok(())
}

fn ended(frame: &Frame) -> Result<(), Outcome> {
    match frame.out_of_fuel {
        0 => Ok(()),
        count => Err(Outcome::Failed(format!("{count} fragments or vertices do not end"))),
    }
}

/// A draw with the pipeline's buffers and images.
fn start(machine: &Machine<'_>, pipeline: &Pipeline, iface: &Interface) -> Result<Draw, Outcome> {
    let mut draw = Draw::defaults(iface)?;
    draw.textures = machine.textures(pipeline, iface)?;
    for bank in &mut draw.banks {
        bank.fill([0; 4]);
    }
    draw.buffers = vec![Vec::new(); iface.buffers.len()];
    for (name, words) in machine.words(pipeline, iface) {
        if let Some(at) = iface.buffers.iter().position(|buffer| buffer.name == name) {
            draw.buffers[at].clone_from(&words);
        }
        if let Some(at) = iface.banks.iter().position(|bank| bank.name == name) {
            draw.banks[at].iter_mut().flatten().zip(&words).for_each(|(to, from)| *to = *from);
        }
    }
    Ok(draw)
}

fn shade_vertices(
    machine: &mut Machine<'_>,
    pipeline: &Pipeline,
    program: &Prepared,
    attributes: &BTreeMap<u16, Vec<Vector>>,
) -> Result<Vertices, Outcome> {
    let iface = &program.shader.func.iface;
    let count = attributes.values().map(Vec::len).min().unwrap_or(0);
    let mut draw = start(machine, pipeline, iface)?;
    draw.attributes = iface
        .attrs
        .iter()
        .map(|attr| match attr.semantic {
            AttrSemantic::Generic(location) => match attributes.get(&location) {
                Some(values) => values[..count].to_vec(),
                None => vec![[0; 4]; count],
            },
            _ => vec![[0; 4]; count],
        })
        .collect();
    // Shaders without attributes run as often, too.
    if draw.attributes.is_empty() && count != 4 {
        return Err(Outcome::NotParsed("a vertex shader without attributes".into()));
    }
    let frame = run_vertices(program, &draw)?;
    ended(&frame)?;
    if !frame.buffers.is_empty() {
        machine.take_back(pipeline, iface, &frame.buffers);
    }
    let mut vertices = Vertices { positions: vec![[0.0; 4]; count], varying: BTreeMap::new() };
    for channel in &frame.channels {
        let (words, comp) = (channel.declared_bits(), usize::from(channel.comp));
        match channel.role {
            OutputRole::Position => {
                for (n, position) in vertices.positions.iter_mut().enumerate() {
                    position[comp] = f32::from_bits(words.get(n) as u32);
                }
            }
            OutputRole::Generic(location) => {
                let values = vertices.varying.entry(location).or_insert_with(|| vec![[0; 4]; count]);
                for (n, value) in values.iter_mut().enumerate() {
                    value[comp] = words.get(n) as u32;
                }
            }
            _ => {}
        }
    }
    Ok(vertices)
}

/// The elements of a buffer as vertices see them: (0, 0, 0, 1) where they have fewer components.
fn vectors(buffer: &Buffer, offset: usize) -> Vec<Vector> {
    let (size, places) = (buffer.format.size.max(1), buffer.format.places());
    (0..buffer.bytes.len().saturating_sub(offset) / size)
        .map(|n| {
            let is_integer = matches!(buffer.format.segments[0].scalar, Scalar::Int(_) | Scalar::Uint(_));
            let mut vector = [0, 0, 0, if is_integer { 1 } else { 1f32.to_bits() }];
            for (segment, place) in buffer.format.segments.iter().zip(&places) {
                let Some(place) = place.filter(|place| *place < 4) else { continue };
                let bits = buffer.read(offset + n * size, *segment).unwrap_or(0);
                vector[place] = match segment.scalar {
                    Scalar::Int(_) | Scalar::Uint(_) => segment.scalar.number(bits) as i64 as u32,
                    scalar => (scalar.normalised(segment.component, bits) as f32).to_bits(),
                };
            }
            vector
        })
        .collect()
}

/// Corners of triangles. The first of each decides what is flat.
fn triangles(topology: Topology, order: &[usize]) -> Vec<usize> {
    let count = match topology {
        Topology::List => order.len() / 3,
        _ => order.len().saturating_sub(2),
    };
    (0..count)
        .flat_map(|n| match topology {
            Topology::List => [3 * n, 3 * n + 1, 3 * n + 2],
            Topology::Strip => [n, n + 1 + n % 2, n + 2 - n % 2],
            Topology::Fan => [n + 1, n + 2, 0],
        })
        .map(|place| order[place])
        .collect()
}

/// Writes what fragments left in a location.
fn store(frame: &Frame, location: u16, buffer: &mut Buffer) {
    let size = buffer.format.size;
    for n in 0..buffer.format.segments.len() {
        let segment = buffer.format.segments[n];
        let Some(place) = channel(segment.component) else { continue };
        let Some(found) = frame.channel(OutputRole::Color(location), place as u8) else { continue };
        let (values, words) = (found.values(), found.declared_bits());
        for pixel in (0..frame.pixels()).filter(|&pixel| frame.covered[pixel]) {
            let bits = match segment.scalar {
                Scalar::Int(bits) | Scalar::Uint(bits) => words.get(pixel) & (u64::MAX >> (64 - bits)),
                Scalar::Float(32) => words.get(pixel),
                scalar => scalar.stored(segment.component, values[pixel]),
            };
            buffer.write(pixel * size, segment, bits);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vertices_form_triangles() {
        assert_eq!(triangles(Topology::List, &[4, 5, 6, 7]), [4, 5, 6]);
        assert_eq!(triangles(Topology::Strip, &[0, 1, 2, 3]), [0, 1, 2, 1, 3, 2]);
        assert_eq!(triangles(Topology::Fan, &[0, 1, 2, 3]), [1, 2, 0, 2, 3, 0]);
    }
}
