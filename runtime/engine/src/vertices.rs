//! Vertex shaders: one lane per vertex.

use crate::compile::Compiled;
use crate::draw::Draw;
use crate::frame::{Channel, Frame};
use crate::problem::{Problems, guarded_shader, invalid};
use crate::run::check_textures;
use parallax_core::exec::{Inputs, Memory, NoInterpolator, Outputs, Textures};
use parallax_core::{Stage, SysVal};
use parallax_text::Diag;
use std::ops::Range;

/// Most vertices of a run.
pub const MAX_VERTICES: usize = 1 << 16;

/// Runs a vertex shader once per vertex: the vertices of the draw's attributes, four where the draw is a quad. The result is
/// a frame of one row, a vertex per pixel; vertices have no render target.
///
/// # Errors
/// What makes the run impossible: another stage, attributes with different numbers of vertices, missing textures.
pub fn run_vertices(compiled: &Compiled, draw: &Draw) -> Result<Frame, Problems> {
    run_vertices_with(compiled, draw, &draw.textures)
}

/// The same with lookups of the caller's; the draw has textures for all units all the same.
///
/// # Errors
/// As [`run_vertices`].
pub fn run_vertices_with(compiled: &Compiled, draw: &Draw, textures: &dyn Textures) -> Result<Frame, Problems> {
    guarded_shader(&compiled.shader.func.name, || vertices(compiled, draw, textures, 0..draw.vertex_count()))
}

/// The same of some vertices in a row alone, which keep their numbers: the frame has these and no others.
///
/// # Errors
/// As [`run_vertices`]; vertices that the draw does not have.
pub fn run_some_vertices(compiled: &Compiled, draw: &Draw, which: Range<usize>) -> Result<Frame, Problems> {
    guarded_shader(&compiled.shader.func.name, || vertices(compiled, draw, &draw.textures, which))
}

impl Draw {
    /// Vertices that a vertex shader runs for: the values of its attributes, four where it has none.
    pub fn vertex_count(&self) -> usize {
        self.attributes.iter().map(Vec::len).max().unwrap_or(4).max(1)
    }
}

fn vertices(
    compiled: &Compiled,
    draw: &Draw,
    textures: &dyn Textures,
    which: Range<usize>,
) -> Result<Frame, Vec<Diag>> {
    let func = &compiled.shader.func;
    let iface = &func.iface;
    let mut diags = check_textures(func, &draw.textures);
    if iface.stage != Stage::Vertex {
        diags.push(invalid("draw-stage", "only vertex shaders run on a list of vertices"));
    }
    let all = draw.vertex_count();
    for (attr, values) in iface.attrs.iter().zip(&draw.attributes) {
        if values.len() != all && !values.is_empty() {
            let message = format!("attribute {} has {} values, others have {all}", attr.name, values.len());
            diags.push(invalid("draw-attribute", message));
        }
    }
    if all > MAX_VERTICES {
        diags.push(invalid("draw-vertices", format!("{all} vertices: at most {MAX_VERTICES} are supported")));
    }
    if which.end > all || which.is_empty() {
        let message =
            format!("vertices {} to {} are asked for, but there are {all}, counted from 0", which.start, which.end);
        diags.push(invalid("draw-vertices", message));
    }
    if !diags.is_empty() {
        return Err(diags);
    }

    let count = which.len();
    let lanes = count.next_multiple_of(4);
    let mut attrs = vec![0; iface.attrs.len() * 4 * lanes];
    for (index, values) in draw.attributes.iter().enumerate() {
        for (lane, words) in values.iter().skip(which.start).take(count).enumerate() {
            for (comp, word) in words.iter().enumerate() {
                attrs[(index * 4 + comp) * lanes + lane] = *word;
            }
        }
    }
    let mut sysvals = vec![0; (SysVal::QuadLane as usize + 1) * lanes];
    for (lane, word) in sysvals[SysVal::VertexId as usize * lanes..][..lanes].iter_mut().enumerate() {
        *word = (which.start + lane) as u32;
    }
    let covered: Vec<bool> = (0..lanes).map(|lane| lane < count).collect();
    // Kills of single samples ask for them; a vertex counts as one.
    for (lane, covered) in covered.iter().enumerate() {
        sysvals[SysVal::SampleMask as usize * lanes + lane] = u32::from(*covered);
        sysvals[SysVal::SampleCount as usize * lanes + lane] = 1;
    }
    let banks: Vec<&[[u32; 4]]> = draw.banks.iter().map(Vec::as_slice).collect();
    let inputs = Inputs {
        lanes,
        attrs: &attrs,
        banks: &banks,
        sysvals: &sysvals,
        covered: &covered,
        textures,
        interpolator: &NoInterpolator,
        fuel: draw.fuel,
    };
    let mut outputs = Outputs::default();
    let writes = compiled.program.writes_memory();
    let mut buffers = if writes { draw.buffers.clone() } else { Vec::new() };
    let memory = if writes { Memory::Exclusive(&mut buffers) } else { Memory::Shared(&draw.buffers) };
    compiled.program.runner().run(&inputs, memory, &mut outputs);
    let mut channels = Vec::new();
    for (plane, ty) in compiled.program.planes().into_iter().enumerate() {
        let Some(ty) = ty else { continue };
        let output = &iface.outputs[plane / 4];
        let mut words = std::mem::take(&mut outputs.planes[plane]);
        words.truncate(count);
        channels.push(Channel {
            output: output.name.clone(),
            role: output.role,
            comp: (plane % 4) as u8,
            ty: ty.ty,
            storage: ty.storage,
            words,
            stored: None,
        });
    }
    Ok(Frame {
        width: count as u32,
        height: 1,
        channels,
        covered: outputs.covered[..count].to_vec(),
        samples: None,
        buffers,
        fragments: count as u64,
        discarded: 0,
        out_of_fuel: outputs.out_of_fuel[..count].iter().filter(|&&ran_out| ran_out).count() as u64,
    })
}
