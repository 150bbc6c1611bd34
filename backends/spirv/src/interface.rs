//! What a module reads and writes, for whoever binds it.

use crate::lookup::{Fetched, Unit, fetched_shape};
use parallax_core::{AttrSemantic, Interp, Location, OutputRole, Stage, TexTarget};

/// Where a module has what the shader reads and writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interface {
    /// The stage.
    pub stage: Stage,
    /// Attributes.
    pub inputs: Vec<Input>,
    /// Banks of constants.
    pub banks: Vec<Bank>,
    /// Texture units: an image each, and a sampler where the device looks textures up.
    pub textures: Vec<Texture>,
    /// Outputs.
    pub outputs: Vec<Output>,
    /// Buffers that the shader itself reads or writes.
    pub buffers: Vec<Buffer>,
    /// Invocations of a workgroup along x, y and z; all 1 outside of compute.
    pub workgroup: [u32; 3],
    /// Whether the module asks about samples and so is one for pixels with a single sample, at their centre.
    pub one_sample: bool,
    /// Descriptor set and binding of the storage buffer whose first word counts lanes that are not exact.
    pub counter: Option<(u32, u32)>,
}

/// An attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// The name in the shader.
    pub name: String,
    /// Its number in the shader.
    pub attr: usize,
    /// What it stands for.
    pub semantic: AttrSemantic,
    /// How it has to be interpolated; of no account in a vertex shader.
    pub interp: Interp,
    /// Where in its pixel; of no account in a vertex shader.
    pub at: Location,
    /// Its location; `None` for what the device itself provides.
    pub location: Option<u32>,
}

/// A bank of constants, as a block of vectors of four words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bank {
    /// The name in the shader.
    pub name: String,
    /// Its number in the shader.
    pub bank: usize,
    /// Descriptor set.
    pub set: u32,
    /// Binding.
    pub binding: u32,
    /// Number of vectors, 16 bytes each.
    pub vectors: u32,
    /// Whether it is a storage buffer, which the module does not write; else a uniform buffer.
    pub in_storage: bool,
}

/// A texture unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texture {
    /// Unit number.
    pub unit: u16,
    /// Shape.
    pub target: TexTarget,
    /// Descriptor set of image and sampler.
    pub set: u32,
    /// Binding of the image.
    pub image: u32,
    /// Binding of the sampler; `None` where texels are fetched alone.
    pub sampler: Option<u32>,
    /// Whether its texels are words, integers of 32 bits without sign.
    pub words: bool,
    /// Where the module looks up itself, what it takes the unit for.
    pub faithful: Option<Unit>,
}

impl Texture {
    /// What the module fetches where it looks up itself.
    pub fn fetched(&self) -> Option<Fetched> {
        let unit = self.faithful?;
        Some(if self.words { Fetched::Words } else { unit.fetched() })
    }

    /// The shape of the image that is bound.
    pub const fn shape(&self) -> TexTarget {
        match self.target {
            _ if self.faithful.is_some() => fetched_shape(self.target),
            // Vulkan has no images whose coordinates are texels.
            TexTarget::Rect => TexTarget::D2,
            TexTarget::ShadowRect => TexTarget::Shadow2D,
            target => target,
        }
    }
}

/// A storage buffer of words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// The name in the shader.
    pub name: String,
    /// Its number in the shader.
    pub buffer: usize,
    /// Descriptor set.
    pub set: u32,
    /// Binding.
    pub binding: u32,
    /// Whether the module writes it.
    pub is_written: bool,
}

/// An output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// The name in the shader.
    pub name: String,
    /// Its number in the shader.
    pub output: usize,
    /// What it stands for.
    pub role: OutputRole,
    /// Components from the first to the last one that the shader writes, 1 to 4; of locations and positions the device gets four.
    pub comps: u8,
    /// Its location; `None` for what the device itself takes: depth, position, point size, clip distances.
    pub location: Option<u32>,
}

impl Interface {
    /// Nothing.
    pub(crate) const fn new(stage: Stage, workgroup: [u32; 3]) -> Interface {
        Interface {
            stage,
            workgroup,
            inputs: Vec::new(),
            banks: Vec::new(),
            textures: Vec::new(),
            outputs: Vec::new(),
            buffers: Vec::new(),
            one_sample: false,
            counter: None,
        }
    }

    /// Descriptor set of the banks.
    pub(crate) const BANKS: u32 = 0;
    /// Descriptor set of the textures.
    pub(crate) const TEXTURES: u32 = 1;
    /// Descriptor set of the buffers, whose bindings begin behind the counter.
    pub(crate) const BUFFERS: u32 = 2;
    /// Descriptor set and binding of the counter.
    pub(crate) const COUNTER: (u32, u32) = (2, 0);
}
