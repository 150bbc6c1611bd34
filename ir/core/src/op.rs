//! What ops are made of: effects, axes, system values, texture lookups. The ops themselves are in [`kind`].

mod kind;

use parallax_num::{self as num, Op};

pub(crate) use kind::SlotUse;
pub use kind::{Immediates, OpKind, Operand};

/// What an op may do besides producing values; decides what passes may move or drop.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// A function of its operands.
    Pure,
    /// Reads inputs that do not change during the run.
    Read,
    /// Reads neighbouring lanes of the quad.
    Convergent,
    /// Changes outputs, arrays, coverage or memory; ordered.
    State,
    /// Holds regions.
    Control,
    /// Ends a region.
    Terminator,
}

/// Direction of a derivative.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Axis {
    /// Right minus left.
    X,
    /// Lower minus upper row (in lane order: lanes 2, 3 minus lanes 0, 1).
    Y,
}

/// What a load from a buffer is to the program. Every load gives the whole word, so engines need not know.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Access {
    /// A plain read of the word.
    Word,
    /// A plain read of the half of the word that the address is in.
    Half,
    /// A plain read of the byte at the address.
    Byte,
    /// An atomic read.
    Atomic,
}

impl Access {
    /// A plain read of so many bits.
    pub const fn of_bits(bits: u32) -> Access {
        match bits {
            8 => Access::Byte,
            16 => Access::Half,
            _ => Access::Word,
        }
    }
}

/// What an atomic does to the word at its address, given the operand.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AtomicOp {
    /// Sum, wrapping.
    Add,
    /// Smaller one, unsigned.
    MinU,
    /// Larger one, unsigned.
    MaxU,
    /// Smaller one, signed.
    MinI,
    /// Larger one, signed.
    MaxI,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// The operand.
    Exchange,
    /// The second operand where the word equals the first.
    CompareExchange,
    /// One more, or 0 from the operand on (unsigned).
    IncWrap,
    /// One less; the operand where the word is 0 or above the operand (unsigned).
    DecWrap,
    /// The bits of the operand where the second operand has ones, and the word's own elsewhere: how part of a word is stored,
    /// which is a plain access of that part.
    Insert,
}

impl AtomicOp {
    /// All of them.
    pub const ALL: [AtomicOp; 13] = [
        AtomicOp::Add,
        AtomicOp::MinU,
        AtomicOp::MaxU,
        AtomicOp::MinI,
        AtomicOp::MaxI,
        AtomicOp::And,
        AtomicOp::Or,
        AtomicOp::Xor,
        AtomicOp::Exchange,
        AtomicOp::CompareExchange,
        AtomicOp::IncWrap,
        AtomicOp::DecWrap,
        AtomicOp::Insert,
    ];

    /// The new word; `second` is the second operand of a compare-exchange or an insertion.
    pub const fn apply(self, word: u32, operand: u32, second: u32) -> u32 {
        let below = if self.is_signed() { (word as i32) < operand as i32 } else { word < operand };
        match self {
            AtomicOp::Add => word.wrapping_add(operand),
            AtomicOp::MinU | AtomicOp::MinI if below => word,
            AtomicOp::MaxU | AtomicOp::MaxI if !below => word,
            AtomicOp::MinU | AtomicOp::MinI | AtomicOp::MaxU | AtomicOp::MaxI | AtomicOp::Exchange => operand,
            AtomicOp::And => word & operand,
            AtomicOp::Or => word | operand,
            AtomicOp::Xor => word ^ operand,
            AtomicOp::CompareExchange if word == operand => second,
            AtomicOp::CompareExchange => word,
            AtomicOp::IncWrap if word >= operand => 0,
            AtomicOp::IncWrap => word + 1,
            AtomicOp::DecWrap if word == 0 || word > operand => operand,
            AtomicOp::DecWrap => word - 1,
            AtomicOp::Insert => word & !second | operand & second,
        }
    }

    const fn is_signed(self) -> bool {
        matches!(self, AtomicOp::MinI | AtomicOp::MaxI)
    }
}

/// Inputs that are no attributes.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SysVal {
    /// Vertex number, `i32`.
    VertexId,
    /// Instance number, `i32`.
    InstanceId,
    /// Primitive number, `i32`.
    PrimitiveId,
    /// All ones for a front-facing primitive, else 0, `i32`.
    FrontFacing,
    /// Sample number when shading per sample, else 0, `i32`.
    SampleId,
    /// Covered samples of the pixel at the start, bit 0 = sample 0, `i32`.
    SampleMask,
    /// Number of raster samples of a pixel, `i32`.
    SampleCount,
    /// All ones when shading per sample, else 0, `i32`.
    SampleShading,
    /// Place of the invocation in its workgroup along x, `i32`.
    LocalX,
    /// The same along y.
    LocalY,
    /// The same along z.
    LocalZ,
    /// Place of the workgroup in the grid along x, `i32`.
    GroupX,
    /// The same along y.
    GroupY,
    /// The same along z.
    GroupZ,
    /// Number of workgroups along x, `i32`.
    GridX,
    /// The same along y.
    GridY,
    /// The same along z.
    GridZ,
    /// All ones in a lane that runs only to help its neighbours (not covered at the start), else 0, `i32`.
    HelperLane,
    /// Lane number inside the quad, 0 to 3, `i32`.
    QuadLane,
    /// Lanes of a subgroup, `i32`.
    SubgroupSize,
    /// Lane number inside the subgroup, `i32`.
    SubgroupLane,
}

/// A combination of what the active lanes of a subgroup hold: from the second operand on, `sum = op(sum, held)` for each active
/// lane in the order of their numbers, under the op's slot where the operation has one.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reduction {
    /// The operation, one of [`Reduction::OPS`].
    pub op: Op,
    /// Which lanes count.
    pub scan: Scan,
    /// Lanes of the aligned part of the subgroup that a lane's result is made of, a power of two; 0 for all.
    pub cluster: u8,
}

/// Which lanes count in a [`Reduction`], by their numbers.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scan {
    /// All.
    All,
    /// Those up to the lane that has the result.
    Inclusive,
    /// Those before it.
    Exclusive,
}

impl Scan {
    /// All of them.
    pub const ALL: [Scan; 3] = [Scan::All, Scan::Inclusive, Scan::Exclusive];

    /// Spelling in the textual IR.
    pub const fn name(self) -> &'static str {
        match self {
            Scan::All => "all",
            Scan::Inclusive => "inclusive",
            Scan::Exclusive => "exclusive",
        }
    }

    /// Whether a lane counts for another one, by their numbers.
    pub const fn counts(self, lane: usize, of: usize) -> bool {
        match self {
            Scan::All => true,
            Scan::Inclusive => lane <= of,
            Scan::Exclusive => lane < of,
        }
    }
}

impl Reduction {
    /// Operations that subgroups reduce by: on two operands of the type of the result.
    pub const OPS: [Op; 25] = [
        Op::Add,
        Op::Mul,
        Op::Min,
        Op::Max,
        Op::Iadd,
        Op::Imul,
        Op::Imin,
        Op::Imax,
        Op::Umin,
        Op::Umax,
        Op::Iand,
        Op::Ior,
        Op::Ixor,
        Op::Iadd64,
        Op::Imul64,
        Op::Imin64,
        Op::Imax64,
        Op::Umin64,
        Op::Umax64,
        Op::Iand64,
        Op::Ior64,
        Op::Ixor64,
        Op::Pand,
        Op::Por,
        Op::Pxor,
    ];

    /// Lanes that a result is made of, in a subgroup of `width`.
    pub const fn lanes(self, width: u32) -> u32 {
        match self.cluster as u32 {
            0 => width,
            cluster if cluster > width => width,
            cluster => cluster,
        }
    }
}

/// Shape of a texture.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names say it")]
pub enum TexTarget {
    D1,
    D2,
    D3,
    Cube,
    Rect,
    D1Array,
    D2Array,
    CubeArray,
    D2Samples,
    D2SamplesArray,
    Shadow1D,
    Shadow2D,
    ShadowRect,
    Shadow1DArray,
    Shadow2DArray,
    ShadowCube,
    ShadowCubeArray,
}

/// Where the level of detail comes from.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TexMode {
    /// From the quad's coordinate differences.
    Implicit,
    /// The same plus a bias in the fourth operand.
    Bias,
    /// Given in the fourth operand.
    Level,
    /// From six derivative operands after the first four.
    Grad,
    /// Integer texel (operands `i32`), in the fourth operand the level, or the sample where texels have several; no filtering.
    Fetch,
    /// The red components of the four texels of the largest level that linear filtering would blend: lower left, lower right,
    /// upper right, upper left, lower being further down the image.
    GatherRed,
    /// The same of the green components.
    GatherGreen,
    /// The same of the blue components.
    GatherBlue,
    /// The same of the alpha components.
    GatherAlpha,
    /// No texel, but the level of detail of an implicit lookup: red is the level it takes, green the one that is computed.
    Detail,
}

/// A texture lookup. Operands: s, t, r, q (floats of one declared format, or `i32` for `Fetch`; unused ones are any
/// value), then the layer of array shapes, the reference value of shadow shapes, for `Grad` ds/dx, dt/dx, dr/dx, ds/dy,
/// dt/dy, dr/dy, then texel offsets and the least level. They are converted to binary32 for the lookup.
/// Results: r, g, b, a, converted from binary32 under the op's slot, or the words of texels as they are.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct TexOp {
    /// Texture unit.
    pub unit: u16,
    /// Shape.
    pub target: TexTarget,
    /// Level of detail.
    pub mode: TexMode,
    /// Divide s, t, r and the reference value by q first (binary32, correctly rounded).
    pub project: bool,
    /// Whether the results are words (`i32`), as those of images of integers, which are never blended.
    pub bits: bool,
    /// Texel offsets added after scaling to texels.
    pub offset: [i8; 3],
    /// Whether three more operands are added to them: integers, in the format of the coordinates. A fetch and a query for the
    /// level have none.
    pub moved: bool,
    /// Whether the last operand is the least level of detail; a lookup that filters nothing has none.
    pub least_level: bool,
    /// What the model's texture unit does, of bound shaders; [`num::TextureRule::IEEE`] before, and in all that the lookup does not
    /// ask for ([`TexOp::reads`]).
    pub rule: num::TextureRule,
}

impl SysVal {
    /// All of them; `ALL[v as usize] == v`.
    pub const ALL: [SysVal; 21] = [
        SysVal::VertexId,
        SysVal::InstanceId,
        SysVal::PrimitiveId,
        SysVal::FrontFacing,
        SysVal::SampleId,
        SysVal::SampleMask,
        SysVal::SampleCount,
        SysVal::SampleShading,
        SysVal::LocalX,
        SysVal::LocalY,
        SysVal::LocalZ,
        SysVal::GroupX,
        SysVal::GroupY,
        SysVal::GroupZ,
        SysVal::GridX,
        SysVal::GridY,
        SysVal::GridZ,
        SysVal::HelperLane,
        SysVal::QuadLane,
        SysVal::SubgroupSize,
        SysVal::SubgroupLane,
    ];

    /// Spelling in the textual IR.
    pub const fn name(self) -> &'static str {
        match self {
            SysVal::VertexId => "vertex_id",
            SysVal::InstanceId => "instance_id",
            SysVal::PrimitiveId => "primitive_id",
            SysVal::FrontFacing => "front_facing",
            SysVal::SampleId => "sample_id",
            SysVal::SampleMask => "sample_mask",
            SysVal::SampleCount => "sample_count",
            SysVal::SampleShading => "sample_shading",
            SysVal::LocalX => "local_x",
            SysVal::LocalY => "local_y",
            SysVal::LocalZ => "local_z",
            SysVal::GroupX => "group_x",
            SysVal::GroupY => "group_y",
            SysVal::GroupZ => "group_z",
            SysVal::GridX => "grid_x",
            SysVal::GridY => "grid_y",
            SysVal::GridZ => "grid_z",
            SysVal::HelperLane => "helper_lane",
            SysVal::QuadLane => "quad_lane",
            SysVal::SubgroupSize => "subgroup_size",
            SysVal::SubgroupLane => "subgroup_lane",
        }
    }
}

impl TexTarget {
    /// All of them.
    pub const ALL: [TexTarget; 17] = [
        TexTarget::D1,
        TexTarget::D2,
        TexTarget::D3,
        TexTarget::Cube,
        TexTarget::Rect,
        TexTarget::D1Array,
        TexTarget::D2Array,
        TexTarget::CubeArray,
        TexTarget::D2Samples,
        TexTarget::D2SamplesArray,
        TexTarget::Shadow1D,
        TexTarget::Shadow2D,
        TexTarget::ShadowRect,
        TexTarget::Shadow1DArray,
        TexTarget::Shadow2DArray,
        TexTarget::ShadowCube,
        TexTarget::ShadowCubeArray,
    ];

    /// Spelling in the textual IR.
    pub const fn name(self) -> &'static str {
        match self {
            TexTarget::D1 => "d1",
            TexTarget::D2 => "d2",
            TexTarget::D3 => "d3",
            TexTarget::Cube => "cube",
            TexTarget::Rect => "rect",
            TexTarget::D1Array => "d1_array",
            TexTarget::D2Array => "d2_array",
            TexTarget::CubeArray => "cube_array",
            TexTarget::D2Samples => "d2_samples",
            TexTarget::D2SamplesArray => "d2_samples_array",
            TexTarget::Shadow1D => "shadow_d1",
            TexTarget::Shadow2D => "shadow_d2",
            TexTarget::ShadowRect => "shadow_rect",
            TexTarget::Shadow1DArray => "shadow_d1_array",
            TexTarget::Shadow2DArray => "shadow_d2_array",
            TexTarget::ShadowCube => "shadow_cube",
            TexTarget::ShadowCubeArray => "shadow_cube_array",
        }
    }
}

impl TexTarget {
    /// Whether there are layers, one of which a lookup names.
    pub const fn is_array(self) -> bool {
        use TexTarget::*;
        matches!(self, D1Array | D2Array | CubeArray | D2SamplesArray | Shadow1DArray | Shadow2DArray | ShadowCubeArray)
    }

    /// Whether a reference value is compared with texels, and the answers are filtered.
    pub const fn is_shadow(self) -> bool {
        use TexTarget::*;
        matches!(self, Shadow1D | Shadow2D | ShadowRect | Shadow1DArray | Shadow2DArray | ShadowCube | ShadowCubeArray)
    }

    /// Whether texels have several samples.
    pub const fn is_multisampled(self) -> bool {
        matches!(self, TexTarget::D2Samples | TexTarget::D2SamplesArray)
    }

    /// Whether images have six faces.
    pub const fn is_cube(self) -> bool {
        matches!(self, TexTarget::Cube | TexTarget::CubeArray | TexTarget::ShadowCube | TexTarget::ShadowCubeArray)
    }

    /// Whether coordinates count texels.
    pub const fn is_rectangle(self) -> bool {
        matches!(self, TexTarget::Rect | TexTarget::ShadowRect)
    }

    /// Number of coordinates.
    pub const fn coordinates(self) -> usize {
        use TexTarget::*;
        match self {
            D1 | D1Array | Shadow1D | Shadow1DArray => 1,
            D2 | Rect | D2Array | D2Samples | D2SamplesArray | Shadow2D | ShadowRect | Shadow2DArray => 2,
            D3 | Cube | CubeArray | ShadowCube | ShadowCubeArray => 3,
        }
    }

    /// The shape of lookups that compare; `None` of volumes and multisampled images, whose texels are never compared.
    pub const fn shadow(self) -> Option<TexTarget> {
        use TexTarget::*;
        Some(match self {
            D1 => Shadow1D,
            D2 => Shadow2D,
            Rect => ShadowRect,
            D1Array => Shadow1DArray,
            D2Array => Shadow2DArray,
            Cube => ShadowCube,
            CubeArray => ShadowCubeArray,
            D3 | D2Samples | D2SamplesArray => return None,
            shadow => shadow,
        })
    }
}

impl TexOp {
    /// A lookup without anything special.
    pub const fn plain(unit: u16, target: TexTarget, mode: TexMode) -> TexOp {
        TexOp {
            unit,
            target,
            mode,
            project: false,
            bits: false,
            offset: [0; 3],
            moved: false,
            least_level: false,
            rule: num::TextureRule::IEEE,
        }
    }

    /// Whether the lookup can look at a field of textures: its sampler may.
    pub fn reads(&self, field: &num::Field) -> bool {
        let (filters, gathers) = (self.mode.filters(), self.mode.gathered().is_some());
        match field.name {
            "texture_linear" => filters && !self.bits,
            "texture_nearest" => filters,
            "texture_gather" => gathers,
            "texture_level" => filters || self.mode == TexMode::Detail,
            "texture_steps" => self.mode.reads_neighbours(),
            "texture_layer" => self.target.is_array() && (filters || gathers),
            "texture_result" => !self.bits && !self.target.is_shadow() && self.mode != TexMode::Detail,
            "texture_srgb" => !self.bits && self.mode != TexMode::Detail,
            "texture_compare" => self.target.is_shadow() && (filters || gathers),
            "texture_cube" => self.target.is_cube() && (filters && !self.bits || gathers),
            "texture_face" => self.target.is_cube() && self.mode != TexMode::Fetch,
            "texture_unit" => !self.bits || filters,
            _ => false,
        }
    }

    /// How many operands come before those that not every mode has.
    const fn first(&self) -> usize {
        4 + self.target.is_array() as usize + self.target.is_shadow() as usize
    }

    /// The number of the operand that is the layer.
    pub const fn layer(&self) -> Option<usize> {
        if self.target.is_array() { Some(4) } else { None }
    }

    /// The number of the operand that is the reference value.
    pub const fn reference(&self) -> Option<usize> {
        if self.target.is_shadow() { Some(4 + self.target.is_array() as usize) } else { None }
    }

    /// The number of the first operand that is a derivative.
    pub const fn gradients(&self) -> Option<usize> {
        if matches!(self.mode, TexMode::Grad) { Some(self.first()) } else { None }
    }

    /// The number of the first of three operands that are texel offsets.
    pub const fn offsets(&self) -> Option<usize> {
        let is_placed = !matches!(self.mode, TexMode::Fetch | TexMode::Detail);
        let gradients = if matches!(self.mode, TexMode::Grad) { 6 } else { 0 };
        if self.moved && is_placed { Some(self.first() + gradients) } else { None }
    }

    /// The number of the operand that is the least level.
    pub const fn least_level_operand(&self) -> Option<usize> {
        if self.least_level && self.mode.filters() { Some(self.count() - 1) } else { None }
    }

    /// How many operands there are.
    pub const fn count(&self) -> usize {
        let gradients = if matches!(self.mode, TexMode::Grad) { 6 } else { 0 };
        let offsets = if self.offsets().is_some() { 3 } else { 0 };
        self.first() + gradients + offsets + (self.least_level && self.mode.filters()) as usize
    }
}

impl TexMode {
    /// All of them.
    pub const ALL: [TexMode; 10] = [
        TexMode::Implicit,
        TexMode::Bias,
        TexMode::Level,
        TexMode::Grad,
        TexMode::Fetch,
        TexMode::GatherRed,
        TexMode::GatherGreen,
        TexMode::GatherBlue,
        TexMode::GatherAlpha,
        TexMode::Detail,
    ];

    /// Whether a lookup depends on the coordinates of the other lanes of its quad.
    pub const fn reads_neighbours(self) -> bool {
        matches!(self, TexMode::Implicit | TexMode::Bias | TexMode::Detail)
    }

    /// Whether a lookup filters texels of the level that its level of detail names.
    pub const fn filters(self) -> bool {
        matches!(self, TexMode::Implicit | TexMode::Bias | TexMode::Level | TexMode::Grad)
    }

    /// The component that is gathered, 0 = red.
    pub const fn gathered(self) -> Option<usize> {
        match self {
            TexMode::GatherRed => Some(0),
            TexMode::GatherGreen => Some(1),
            TexMode::GatherBlue => Some(2),
            TexMode::GatherAlpha => Some(3),
            _ => None,
        }
    }

    /// Spelling in the textual IR.
    pub const fn name(self) -> &'static str {
        match self {
            TexMode::Implicit => "implicit",
            TexMode::Bias => "bias",
            TexMode::Level => "level",
            TexMode::Grad => "grad",
            TexMode::Fetch => "fetch",
            TexMode::GatherRed => "gather_r",
            TexMode::GatherGreen => "gather_g",
            TexMode::GatherBlue => "gather_b",
            TexMode::GatherAlpha => "gather_a",
            TexMode::Detail => "detail",
        }
    }
}
