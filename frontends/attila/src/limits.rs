//! Registers of each bank, and other limits of the machine.

/// Input registers (16, or 48 when triangles are set up by shaders).
pub const IN: u16 = 48;
/// Output registers.
pub const OUT: u16 = 16;
/// Temporaries.
pub const TEMP: u16 = 32;
/// Address registers.
pub const ADDR: u16 = 2;
/// Constants.
pub const PARAM: u16 = 512;
/// Predicates.
pub const PREDICATES: u16 = 32;
/// Texture units, and vertex attributes.
pub const UNITS: u16 = 16;
/// Samples of a pixel.
pub const SAMPLES: u16 = 16;
/// Instructions a program may have.
pub const INSTRUCTIONS: usize = 2048;
