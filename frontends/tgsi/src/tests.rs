//! Tests of the whole way from text to results.

mod control;
mod errors;
mod memory;
mod random;
mod rows;
mod semantics;

use crate::{lift, parse};
use parallax_core::exec::{ImageFormat, ImageLayout, Inputs, Memory, NoInterpolator, Outputs, TexQuad, Textures};
use parallax_core::{AttrSemantic, TexMode, TexOp};
use parallax_interp::Bytecode;
use parallax_lift::Options;
use parallax_num::Model;

/// A vector.
type Vec4 = [u32; 4];

/// What goes into one quad.
#[derive(Default)]
struct Case<'a> {
    /// Inputs, each for four lanes.
    inputs: Vec<[Vec4; 4]>,
    /// Constant buffers.
    banks: Vec<Vec<Vec4>>,
    /// Registers to report behind the outputs.
    watch: &'a [&'a str],
    /// Registers with an initial value for all lanes.
    preset: &'a [(&'a str, Vec4)],
    /// Buffers by name; images among them are 4 x 4 texels of `r32ui`.
    buffers: Vec<(&'a str, Vec<u32>)>,
    /// Lanes that are not covered.
    helpers: [bool; 4],
}

/// What comes out of one quad.
#[derive(Debug)]
struct Answer {
    /// Outputs and watched registers, each for four lanes; what is not written is 0.
    outs: Vec<[Vec4; 4]>,
    alive: [bool; 4],
    out_of_fuel: [bool; 4],
    /// Buffers by number, as they are afterwards.
    buffers: Vec<Vec<u32>>,
}

/// Textures whose texels tell how they were asked for.
struct Echo;

impl Textures for Echo {
    fn sample(&self, op: &TexOp, quad: &TexQuad) -> [[u32; 4]; 4] {
        let offset = op.offset.iter().fold(0, |sum, &o| sum * 16 + u32::from(o as u8 & 15));
        [0, 1, 2, 3].map(|lane| {
            let c = quad.coords[lane];
            // Modes that filter nothing show their number.
            let mode = if op.mode.filters() || op.mode == TexMode::Fetch { 0 } else { op.mode as u32 };
            [
                c[0] ^ quad.layer[lane],
                c[1] ^ quad.grads[lane][4] ^ quad.offsets[lane][1],
                c[3] ^ quad.reference[lane],
                mode << 24 | u32::from(op.unit) << 16 | u32::from(op.project) << 12 | offset,
            ]
        })
    }

    fn size(&self, unit: u16, level: u32) -> [u32; 4] {
        [0, 1, 2, 3].map(|comp| 1000 * u32::from(unit) + 100 * level + 6 * comp)
    }

    fn image(&self, _: u16) -> Option<ImageLayout> {
        Some(ImageLayout { format: ImageFormat::from_name("r32ui")?, size: [4, 4, 1], samples: 1 })
    }
}

/// Runs one quad under the model `tgsi`.
fn run(text: &str, case: &Case<'_>) -> Answer {
    let (program, diags) = parse(text);
    assert!(diags.is_empty(), "{diags:?}\n{text}");
    let options = Options {
        watch: case.watch.iter().map(|w| w.to_string()).collect(),
        preset: case.preset.iter().map(|p| p.0.to_string()).collect(),
        ..Options::default()
    };
    let shader = lift(&program.unwrap(), &options).unwrap_or_else(|d| panic!("{d:?}\n{text}"));
    let bound = shader.bind(&Model::builtin("tgsi").unwrap());
    let verified = parallax_core::verify(&bound).unwrap_or_else(|d| panic!("{d:?}\n{text}"));
    let program = Bytecode::new(verified);
    let iface = &bound.func.iface;
    let mut attrs = vec![0; iface.attrs.len() * 16];
    for (n, attr) in iface.attrs.iter().enumerate() {
        let preset = case.preset.iter().find(|p| attr.semantic == AttrSemantic::Preset && p.0 == attr.name);
        for lane in 0..4 {
            let value = preset.map(|p| p.1).or(case.inputs.get(n).map(|i| i[lane])).unwrap_or_default();
            for (comp, word) in value.into_iter().enumerate() {
                attrs[(n * 4 + comp) * 4 + lane] = word;
            }
        }
    }
    let mut sysvals = vec![0; 32];
    sysvals[parallax_core::SysVal::FrontFacing as usize * 4 + 1] = u32::MAX;
    let banks: Vec<&[Vec4]> = case.banks.iter().map(Vec::as_slice).collect();
    let inputs = Inputs {
        lanes: 4,
        attrs: &attrs,
        banks: &banks,
        sysvals: &sysvals,
        covered: &case.helpers.map(|helps| !helps),
        textures: &Echo,
        interpolator: &NoInterpolator,
        fuel: 1000,
    };
    let mut outputs = Outputs::default();
    let given = |name: &str| case.buffers.iter().find(|buffer| buffer.0 == name).map(|buffer| buffer.1.clone());
    let mut buffers: Vec<Vec<u32>> =
        iface.buffers.iter().map(|buffer| given(&buffer.name).unwrap_or_default()).collect();
    program.run_in(&inputs, Memory::Exclusive(&mut buffers), &mut Default::default(), &mut outputs);
    let outs = (0..iface.outputs.len())
        .map(|out| [0, 1, 2, 3].map(|lane| [0, 1, 2, 3].map(|comp| outputs.planes[out * 4 + comp].get(lane) as u32)));
    Answer {
        outs: outs.collect(),
        alive: [0, 1, 2, 3].map(|lane| outputs.covered[lane]),
        out_of_fuel: [0, 1, 2, 3].map(|lane| outputs.out_of_fuel[lane]),
        buffers,
    }
}

/// A fragment program with four inputs and one output around some instructions.
fn around(declarations: &str, body: &str) -> String {
    format!(
        "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL IN[1], GENERIC[1], PERSPECTIVE\n\
         DCL IN[2], GENERIC[2], PERSPECTIVE\nDCL IN[3], GENERIC[3], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0..7]\n\
         DCL ADDR[0]\n{declarations}\n{body}\nEND\n"
    )
}

fn f(value: f32) -> u32 {
    value.to_bits()
}

fn fs(values: [f32; 4]) -> Vec4 {
    values.map(f32::to_bits)
}

const NAN: u32 = 0x7FC0_0000;
const INF: u32 = 0x7F80_0000;
const NEG_INF: u32 = 0xFF80_0000;
const NEG_ZERO: u32 = 0x8000_0000;
const ONE: u32 = 0x3F80_0000;
const ALL: u32 = u32::MAX;
