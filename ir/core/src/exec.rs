//! What an engine is given and what it gives back. Shared by every backend, so that they can be compared.

use crate::{TexOp, Type};
use parallax_num::Storage;

/// Back edges a lane may take.
pub const FUEL: u32 = 65_536;

/// Inputs of one batch of lanes. `lanes` is a multiple of 4.
#[derive(Copy, Clone)]
pub struct Inputs<'a> {
    /// Number of lanes.
    pub lanes: usize,
    /// Interpolated attributes as binary32 patterns: component `c` of attribute `a` in lane `l` stands at
    /// `(a * 4 + c) * lanes + l`.
    pub attrs: &'a [u32],
    /// Constant banks as raw 32-bit words.
    pub banks: &'a [&'a [[u32; 4]]],
    /// Per-lane system values, by [`crate::SysVal`] (as `sysvals[value as usize * lanes + l]`); may be empty when the
    /// shader reads none. `HelperLane` and `QuadLane` are derived from `covered` and the lane number, not read here.
    pub sysvals: &'a [u32],
    /// Lanes covered at the start; the others run as helpers.
    pub covered: &'a [bool],
    /// Textures.
    pub textures: &'a dyn Textures,
    /// Back edges per lane.
    pub fuel: u32,
}

/// Coordinates of one quad's lookup, as binary32 patterns (for `Fetch`: integers).
#[derive(Copy, Clone, Debug, Default)]
pub struct TexQuad {
    /// s, t, r, q per lane.
    pub coords: [[u32; 4]; 4],
    /// ds/dx, dt/dx, dr/dx, ds/dy, dt/dy, dr/dy per lane, for `Grad`.
    pub grads: [[u32; 6]; 4],
}

/// A set of textures. Lookup arithmetic is fixed (binary32), the same under every model.
pub trait Textures: Sync {
    /// Looks up one quad; the result is r, g, b, a as binary32 patterns per lane. A unit without texture gives zeros.
    fn sample(&self, op: &TexOp, quad: &TexQuad) -> [[u32; 4]; 4];
}

/// No textures: every lookup gives zeros.
pub struct NoTextures;

impl Textures for NoTextures {
    fn sample(&self, _: &TexOp, _: &TexQuad) -> [[u32; 4]; 4] {
        [[0; 4]; 4]
    }
}

/// One output component across the lanes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plane {
    /// Lane words in the container.
    pub bits: Vec<u64>,
}

/// Results of one batch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outputs {
    /// Component `c` of output `o` at `o * 4 + c`; empty for components never written.
    pub planes: Vec<Plane>,
    /// Covered lanes at the end.
    pub covered: Vec<bool>,
    /// Lanes that ran out of fuel.
    pub out_of_fuel: Vec<bool>,
}

/// Type and container of an output component, for reading a [`Plane`].
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct PlaneType {
    /// Declared type.
    pub ty: Type,
    /// Container, if it is a float.
    pub storage: Option<Storage>,
}
