//! Writes Cg binaries of fragment programs, as [`open`](crate::open) reads them.

use super::{BLOCK, FRAGMENT, HEADER, PARAMETER, TEXTURE_UNIT};
use crate::microcode::SLOT;

/// Revision of the format.
const REVISION: u32 = 6;
/// Numbers of types, classes and directions of parameters (Cg's `CGenum`).
const FLOAT4: u32 = 1048;
const UNIFORM: u32 = 4102;
const IN: u32 = 4097;
/// The resource of a uniform whose value stands in the code (`CG_UNDEFINED`).
const UNDEFINED: u32 = 3256;

/// A parameter of a Cg binary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CgParameter {
    /// A constant whose value stands in the code.
    Constant {
        /// Its name.
        name: String,
        /// Its value until somebody sets it, as bits of binary32.
        value: [u32; 4],
        /// Where it stands, in bytes from the first instruction.
        places: Vec<u32>,
    },
    /// A sampler.
    Sampler {
        /// Its name.
        name: String,
        /// Its texture unit, below 16.
        unit: u32,
        /// The shape of its textures, as the option of the frontend spells it: `1d`, `2d`, `3d`, `rect` or `cube`.
        shape: &'static str,
    },
}

/// A fragment program to write.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CgFragment {
    /// Microcode in plain words of four bytes, little-endian; the binary has them as RSX memory does.
    pub code: Vec<u8>,
    /// Its constants and samplers.
    pub parameters: Vec<CgParameter>,
    /// R registers in use.
    pub registers: u8,
    /// Whether R1.z is the depth.
    pub writes_depth: bool,
    /// Whether a pixel can be discarded.
    pub discards: bool,
    /// Texture coordinates that are read, bit 0 = TEX0.
    pub coordinates: u16,
}

impl CgFragment {
    /// The bytes of the binary, big-endian: header, parameters, names and values, the program's block, microcode.
    pub fn write(&self) -> Vec<u8> {
        let mut records: Vec<u8> = Vec::new();
        // What the records point to, behind them.
        let mut heap: Vec<u8> = Vec::new();
        let start = HEADER + self.parameters.len() * PARAMETER;
        for (n, parameter) in (0u32..).zip(&self.parameters) {
            let (kind, resource, name) = match parameter {
                CgParameter::Constant { name, .. } => (FLOAT4, UNDEFINED, name),
                CgParameter::Sampler { name, unit, shape } => (super::sampler(shape), TEXTURE_UNIT + unit, name),
            };
            let place = |heap: &Vec<u8>| (start + heap.len()) as u32;
            let (mut value_at, mut places_at) = (0, 0);
            if let CgParameter::Constant { value, places, .. } = parameter {
                value_at = place(&heap);
                heap.extend(value.iter().flat_map(|word| word.to_be_bytes()));
                places_at = place(&heap);
                let words = std::iter::once(places.len() as u32).chain(places.iter().copied());
                heap.extend(words.flat_map(u32::to_be_bytes));
            }
            let name_at = place(&heap);
            heap.extend(name.bytes().chain([0]));
            heap.resize(heap.len().next_multiple_of(4), 0);
            let record = [kind, resource, UNIFORM, u32::MAX, name_at, value_at, places_at, 0, IN, n, 1, 0];
            records.extend(record.iter().flat_map(|word| word.to_be_bytes()));
        }
        let block = start + heap.len();
        let code = (block + BLOCK).next_multiple_of(SLOT);
        let header = [
            FRAGMENT,
            REVISION,
            (code + self.code.len()) as u32,
            self.parameters.len() as u32,
            HEADER as u32,
            block as u32,
            self.code.len() as u32,
            code as u32,
        ];
        let mut bytes: Vec<u8> = header.iter().flat_map(|word| word.to_be_bytes()).collect();
        bytes.extend(records);
        bytes.extend(heap);
        // Instructions, the masks of inputs (not used by the hardware) and of textures of few components.
        let words = [(self.code.len() / SLOT) as u32, 0, 0];
        bytes.extend(words.iter().flat_map(|word| word.to_be_bytes()));
        // Coordinates, those of two components, those at the centroid.
        bytes.extend([self.coordinates, 0, 0].iter().flat_map(|half| half.to_be_bytes()));
        bytes.extend([self.registers, 0, u8::from(self.writes_depth), u8::from(self.discards)]);
        bytes.resize(code, 0);
        // RSX exchanges the halves of big-endian words.
        let words = self.code.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word));
        bytes.extend(words.flat_map(|word| word.rotate_left(16).to_be_bytes()));
        bytes
    }
}
