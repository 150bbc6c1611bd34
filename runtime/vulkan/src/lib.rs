//! Runs kernels and draws on the Vulkan device that is present, so that there is something to compare with, and compares modules
//! that parallax wrote with the engine ([`check`]).
//!
//! The loader is looked for when a [`Device`] is opened; building needs no Vulkan. Where no loader or no device is,
//! [`Device::open`] says so and tests skip.
//!
//! ```no_run
//! use parallax_vulkan::{Buffer, Device, Job};
//!
//! # let words: Vec<u32> = Vec::new();
//! let device = Device::open().expect("a Vulkan device");
//! let job = Job { words: &words, buffers: vec![Buffer::storage(0, 0, vec![0; 64])], ..Job::default() };
//! let after = device.run(&job).expect("the module runs");
//! assert_eq!(after[0].len(), 64);
//! ```

mod check;
mod check_kernel;
mod check_vertices;
mod device;
mod draw;
mod fetched;
mod image;
mod made;
mod sides;
mod vertices;

pub use check::{Compared, Comparison, Difference, Picture, check, speed};
pub use device::{Device, Failure, Feature};
pub use draw::{Border, DrawJob, Drawn, TargetKind, Texture, Wrapping};
pub use image::{Filtering, Image, Use};
pub use parallax::varied;
pub use vertices::VertexJob;

/// A compute module and what it works on.
#[derive(Clone, Debug)]
pub struct Job<'a> {
    /// The module.
    pub words: &'a [u32],
    /// Name of its entry point.
    pub entry: &'a str,
    /// Workgroups along x, y and z.
    pub grid: [u32; 3],
    /// Buffers that it is bound to.
    pub buffers: Vec<Buffer>,
    /// Images and texel buffers that it is bound to.
    pub images: Vec<Image>,
    /// Images with samplers of their own that it is bound to.
    pub textures: Vec<Texture>,
    /// Push constants.
    pub push: Vec<u32>,
    /// Specialisation constants of 32 bits by `SpecId`.
    pub spec: Vec<(u32, u32)>,
}

impl Default for Job<'_> {
    fn default() -> Self {
        Job {
            words: &[],
            entry: "main",
            grid: [1; 3],
            buffers: Vec::new(),
            images: Vec::new(),
            textures: Vec::new(),
            push: Vec::new(),
            spec: Vec::new(),
        }
    }
}

/// A buffer of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// Descriptor set.
    pub set: u32,
    /// Binding in the set.
    pub binding: u32,
    /// Whether it is a uniform buffer; else a storage buffer.
    pub is_uniform: bool,
    /// Its contents.
    pub words: Vec<u32>,
}

impl Buffer {
    /// A storage buffer.
    pub const fn storage(set: u32, binding: u32, words: Vec<u32>) -> Buffer {
        Buffer { set, binding, is_uniform: false, words }
    }

    /// A uniform buffer.
    pub const fn uniform(set: u32, binding: u32, words: Vec<u32>) -> Buffer {
        Buffer { set, binding, is_uniform: true, words }
    }
}
