//! Draws of pipelines.

use super::depth::{DepthTest, Plane, Tests, bias};
use super::elements::{Vector, vectors};
use super::execute::{Machine, Program};
use super::primitives::{Assembly, Piece, Position};
use super::script::{Pipeline, Run, Topology, Viewport};
use super::store::{resolve, store};
use crate::{Outcome, Prepared, ShaderStage};
use parallax::{Control, Depths, Draw, Frame, Geometry, OutputRole, Samples, Workers, run_draw, run_vertices};
use parallax_core::{AttrDecl, AttrSemantic, Interface, Interp, OpKind, SysVal};
use std::collections::BTreeMap;

/// What vertices carry: positions, and what fragments read by location.
#[derive(Default)]
struct Vertices {
    positions: Vec<Position>,
    point_sizes: Vec<f32>,
    varying: BTreeMap<u16, Vec<Vector>>,
}

/// The vertices that a draw names, and what they form.
struct Input {
    attributes: BTreeMap<u16, Vec<Vector>>,
    topology: Topology,
    order: Vec<usize>,
}

fn refuse(what: &str) -> Outcome {
    Outcome::NotParsed(what.to_string())
}

/// Draws with a pipeline.
pub(super) fn draw(machine: &mut Machine<'_>, name: &str, pipeline: &Pipeline, run: &Run) -> Result<(), Outcome> {
    let size = size_of(machine, pipeline);
    let input = input(machine, pipeline, run, size)?;
    let vertices = match machine.program(name, pipeline, ShaderStage::Vertex)? {
        None => {
            let positions = input.attributes.get(&0).ok_or_else(|| refuse("a draw without positions"))?;
            let positions = positions.iter().map(|p| p.map(f32::from_bits)).collect();
            Vertices { positions, ..Vertices::default() }
        }
        Some(program) => shade_vertices(machine, pipeline, &program.compiled, &input)?,
    };
    let has_fragments = pipeline.attachments.iter().any(|attached| attached.stage == ShaderStage::Fragment);
    let Some(fragment) = machine.program(name, pipeline, ShaderStage::Fragment)? else {
        return if has_fragments { Err(refuse("fragments that are passed on")) } else { Ok(()) };
    };
    let [width, height] = size.map(|side| side as f64);
    let whole = Viewport { at: [0.0; 2], size: [width, height], depths: [0.0, 1.0] };
    let viewport = pipeline.viewport.unwrap_or(whole);
    if (viewport.at, viewport.size) != (whole.at, whole.size) {
        return Err(refuse("a viewport that is not all that is drawn to"));
    }
    let assembly = Assembly { positions: &vertices.positions, point_sizes: &vertices.point_sizes, viewport };
    let pieces = assembly.pieces(input.topology, &input.order, pipeline.polygons).map_err(refuse)?;
    let drawing = Drawing { pipeline, fragment: &fragment, vertices: &vertices, viewport, size };
    // Depths need one triangle after the other.
    let is_single = pipeline.depth.is_some() && pieces.len() > 1;
    let is_plain = !is_single && pieces.iter().all(|piece| piece.polygon == Some(piece.vertices));
    if !is_plain && reads_primitives(&fragment.compiled) {
        return Err(refuse("numbers of primitives that the engine does not draw as such"));
    }
    for pieces in pieces.chunks(if is_single { 1 } else { pieces.len().max(1) }) {
        drawing.pieces(machine, pieces)?;
    }
    for (colour, resolved) in pipeline.colours.iter().zip(&pipeline.resolved) {
        let samples = machine.buffer(&colour.buffer)?.clone();
        resolve(&samples, machine.buffer(resolved)?);
    }
    Ok(())
}

/// Width and height of what is drawn to.
fn size_of(machine: &Machine<'_>, pipeline: &Pipeline) -> [usize; 2] {
    let sized = pipeline.colours.iter().find_map(|colour| {
        let buffer = machine.buffers.get(&colour.buffer).filter(|buffer| buffer.size.is_some())?;
        Some(buffer.level_size(colour.level))
    });
    sized.map_or(pipeline.size, |[width, height, _]| [width, height])
}

fn input(machine: &mut Machine<'_>, pipeline: &Pipeline, run: &Run, size: [usize; 2]) -> Result<Input, Outcome> {
    let corner = |[x, y]: [f64; 2]| {
        let at = |at: f64, side: usize| (at / side as f64 * 2.0 - 1.0) as f32;
        [at(x, size[0]), at(y, size[1]), 0.0, 1.0].map(f32::to_bits)
    };
    match run {
        Run::Rect([left, top, across, down]) => {
            let (right, bottom) = (left + across, top + down);
            let corners = [[*left, bottom], [*left, *top], [right, bottom], [right, *top]].map(corner).to_vec();
            let attributes = BTreeMap::from([(0, corners)]);
            Ok(Input { attributes, topology: Topology::List, order: vec![0, 1, 2, 2, 1, 3] })
        }
        Run::Grid([left, top, across, down], [columns, rows]) => {
            let side = [across / *columns as f64, down / *rows as f64];
            let cells = (0..*rows).flat_map(|row| (0..*columns).map(move |column| [column, row]));
            let corners: Vec<Vector> = cells
                .flat_map(|[column, row]| {
                    let x = [column, column + 1].map(|n| left + n as f64 * side[0]);
                    let y = [row, row + 1].map(|n| top + n as f64 * side[1]);
                    [[x[1], y[1]], [x[0], y[1]], [x[0], y[0]], [x[1], y[1]], [x[0], y[0]], [x[1], y[0]]]
                })
                .map(corner)
                .collect();
            let order = (0..corners.len()).collect();
            Ok(Input { attributes: BTreeMap::from([(0, corners)]), topology: Topology::List, order })
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
                all.get(*first..first.saturating_add(count)).ok_or_else(|| refuse("indices beyond the end"))?.to_vec()
            } else {
                let count = count.unwrap_or(vertices.saturating_sub(*first));
                (*first..first.saturating_add(count).min(vertices.saturating_add(1))).collect()
            };
            if order.iter().any(|index| *index >= vertices) {
                return Err(refuse("vertices beyond the end"));
            }
            Ok(Input { attributes, topology: *topology, order })
        }
        Run::Dispatch(_) => Err(refuse("a grid of a graphics pipeline")),
    }
}

/// Whether a program asks for the numbers of primitives.
fn reads_primitives(program: &Prepared) -> bool {
    let func = &program.shader.func;
    let mut reads = false;
    func.walk(|_, op| reads |= func.ops[op].kind == OpKind::Sys(SysVal::PrimitiveId));
    reads
}

/// A draw whose vertices are shaded.
struct Drawing<'a> {
    pipeline: &'a Pipeline,
    fragment: &'a Program,
    vertices: &'a Vertices,
    viewport: Viewport,
    size: [usize; 2],
}

impl Drawing<'_> {
    fn pieces(&self, machine: &mut Machine<'_>, pieces: &[Piece]) -> Result<(), Outcome> {
        let (pipeline, compiled) = (self.pipeline, &self.fragment.compiled);
        let iface = &compiled.shader.func.iface;
        let mut draw = start(machine, pipeline, iface)?;
        (draw.width, draw.height) = (self.size[0] as u32, self.size[1] as u32);
        let clip = |piece: &Piece| {
            // Vulkan's y points down, and its depths begin at 0.
            piece.positions.map(|[x, y, z, w]| [x, -y, 2.0 * z - w, w])
        };
        draw.geometry = Geometry::Triangles(pieces.iter().flat_map(clip).collect());
        draw.attributes = iface.attrs.iter().map(|attr| self.attribute(attr, pieces)).collect();
        let samples = pipeline.colours.iter().filter_map(|colour| machine.buffers.get(&colour.buffer));
        let samples = samples.map(|buffer| buffer.samples).max().unwrap_or(1).max(1);
        draw.samples = Samples::standard(samples).ok_or_else(|| refuse("so many samples"))?;
        let depth = pipeline.depth.unwrap_or_default();
        let buffer = pipeline.depths.as_ref().and_then(|name| machine.buffers.get(name));
        let polygon = pieces.first().and_then(|piece| piece.polygon);
        let corners = polygon.map(|polygon| polygon.map(|vertex| self.vertices.positions[vertex]));
        let offset = corners.map_or(0.0, |corners| bias(&depth, corners, self.viewport, buffer));
        let [near, far] = self.viewport.depths;
        draw.depths = Depths { near: near + offset, far: far + offset, clips: !depth.clamp };
        let frame = run_draw(compiled, &draw, &Workers::serial(), Control::default())?;
        ended(&frame)?;
        if !frame.buffers.is_empty() {
            machine.take_back(pipeline, iface, &frame.buffers);
        }
        let mut passed = frame.covered.clone();
        if let (Some(depth), [piece]) = (pipeline.depth, pieces)
            && (depth.test || depth.bounds.is_some())
        {
            if frame.samples.is_some() {
                return Err(refuse("depths of several samples"));
            }
            let plane = match Plane::of(piece.positions, self.viewport) {
                Some(plane) => plane.moved(offset),
                None if frame.covered.contains(&true) => return Err(refuse("depths of what reaches behind the eye")),
                None => return Ok(()),
            };
            let tests = self.fragment.tests;
            let is_unrestricted = machine.script.features.iter().any(|name| name == "VK_EXT_depth_range_unrestricted");
            let test = DepthTest { depth, tests, range: self.viewport.depths, is_unrestricted };
            let buffer = pipeline.depths.as_ref().and_then(|name| machine.buffers.get_mut(name));
            passed = test.run(&frame, plane, buffer);
            let acts_before =
                tests != Tests::Late && (frame.discarded > 0 || !frame.buffers.is_empty() && passed != frame.covered);
            if acts_before {
                return Err(refuse("early tests of fragments that write memory or are discarded"));
            }
        }
        for colour in &pipeline.colours {
            store(&frame, colour.location, &passed, machine.buffer(&colour.buffer)?, colour.level);
        }
        Ok(())
    }

    /// The values of an attribute at the corners.
    fn attribute(&self, attr: &AttrDecl, pieces: &[Piece]) -> Vec<Vector> {
        let values = match attr.semantic {
            AttrSemantic::Position | AttrSemantic::Face => return Vec::new(),
            AttrSemantic::Generic(location) => self.vertices.varying.get(&location),
            _ => None,
        };
        let Some(values) = values else { return vec![[0; 4]; 3 * pieces.len()] };
        let of = |piece: &Piece| if attr.interp == Interp::Flat { [piece.flat; 3] } else { piece.vertices };
        pieces.iter().flat_map(of).map(|vertex| values[vertex]).collect()
    }
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
    input: &Input,
) -> Result<Vertices, Outcome> {
    let (iface, attributes) = (&program.shader.func.iface, &input.attributes);
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
    // Shaders without attributes run for four vertices; one too many shows in memory alone.
    if draw.attributes.is_empty() && (count > 4 || count < 4 && program.program.writes_memory()) {
        return Err(refuse("a vertex shader without attributes"));
    }
    let frame = run_vertices(program, &draw)?;
    ended(&frame)?;
    if !frame.buffers.is_empty() {
        machine.take_back(pipeline, iface, &frame.buffers);
    }
    let mut vertices = Vertices { positions: vec![[0.0; 4]; count], ..Vertices::default() };
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
            _ if channel.output.contains("PointSize") && comp == 0 => {
                vertices.point_sizes = (0..count).map(|n| f32::from_bits(words.get(n) as u32)).collect();
            }
            _ => {}
        }
    }
    Ok(vertices)
}
