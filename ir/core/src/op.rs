//! Kinds of ops. Everything that computes is [`OpKind::Num`]; the rest reads, observes, or controls.

use crate::{ArrayId, OpId};
use parallax_num as num;

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
    /// All ones in a lane that runs only to help its neighbours (not covered at the start), else 0, `i32`.
    HelperLane,
    /// Lane number inside the quad, 0 to 3, `i32`.
    QuadLane,
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
    /// Integer texel (operands `i32`) and level in the fourth operand; no filtering.
    Fetch,
}

/// A texture lookup. Operands: s, t, r, q (floats of one declared format, or `i32` for `Fetch`; unused ones are any
/// value), then for `Grad` ds/dx, dt/dx, dr/dx, ds/dy, dt/dy, dr/dy. They are converted to binary32 for the lookup.
/// Results: r, g, b, a, converted from binary32 under the op's slot.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct TexOp {
    /// Texture unit.
    pub unit: u16,
    /// Shape.
    pub target: TexTarget,
    /// Level of detail.
    pub mode: TexMode,
    /// Divide s, t, r by q first (binary32, correctly rounded).
    pub project: bool,
    /// Texel offsets added after scaling to texels.
    pub offset: [i8; 3],
}

/// What an op does. Operand and result shapes are checked by the verifier.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum OpKind {
    /// An operation evaluated by `parallax-num`; operands, result and need of a slot by its row.
    Num(num::Op),
    /// A literal; no operands. Symbolic floats: pattern in the declared format, with a slot. Bound floats: pattern in
    /// the container. Integers, predicates, condition codes: the lane word, without slot.
    Literal(u64),
    /// `pred, a, b` of one type: a where true, else b, bits unchanged.
    Select,

    /// Component `comp` of vector `index` of constant bank `bank`. Float result with a slot, or `i32` without.
    Const {
        /// Bank number.
        bank: u16,
        /// Vector number.
        index: u32,
        /// Component, 0 to 3.
        comp: u8,
    },
    /// The same at vector `base` + operand (`i32`, signed).
    ConstAt {
        /// Bank number.
        bank: u16,
        /// Added to the operand.
        base: i32,
        /// Component, 0 to 3.
        comp: u8,
    },
    /// Component of an interpolated attribute. Float result with a slot, or `i32` without.
    Attr {
        /// Index into [`crate::Interface::attrs`].
        index: u16,
        /// Component, 0 to 3.
        comp: u8,
    },
    /// The same at attribute `base` + operand (`i32`, signed).
    AttrAt {
        /// Added to the operand.
        base: i32,
        /// Component, 0 to 3.
        comp: u8,
    },
    /// A system value, `i32`.
    Sys(SysVal),

    /// Difference between quad neighbours, subtracted under the op's slot as `num::Op::Sub`. Fine: within the lane's
    /// own row (X) or column (Y). Coarse: of the bottom row (X) or left column (Y) for all four lanes.
    Deriv {
        /// Direction.
        axis: Axis,
        /// Own row or column.
        fine: bool,
    },
    /// The operand (any type) as the lane with number `own ^ mask` holds it; mask 1 to 3.
    QuadXor {
        /// Exclusive-or mask on the lane number inside the quad.
        mask: u8,
    },
    /// Whether the predicate holds in any executing lane of the quad.
    QuadAny,
    /// Whether the predicate holds in all executing lanes of the quad.
    QuadAll,
    /// A texture lookup.
    Tex(TexOp),

    /// Element of a local array; operand: `i32` index.
    ArrayLoad(ArrayId),
    /// Sets an element of a local array; operands: `i32` index, value.
    ArrayStore(ArrayId),
    /// Sets component `comp` of output `index`; operand: the value.
    Out {
        /// Index into [`crate::Interface::outputs`].
        index: u16,
        /// Component, 0 to 3.
        comp: u8,
    },
    /// Removes lanes whose predicate is true from coverage.
    Discard,

    /// Two regions without parameters; operand: the predicate; results: what the arms yield.
    If,
    /// One region; operands: first values of its parameters; results: what `break` passes.
    Loop,
    /// One region without parameters; results: what `yield` or `break` passes.
    Block,

    /// Ends an arm, a block or the function with results.
    Yield,
    /// Leaves an enclosing loop or block with its results.
    Break(OpId),
    /// Next round of an enclosing loop with its parameters.
    Continue(OpId),
}

impl OpKind {
    /// What it may do besides producing values.
    pub const fn effect(self) -> Effect {
        use OpKind::*;
        match self {
            Num(_) | Literal(_) | Select => Effect::Pure,
            Const { .. } | ConstAt { .. } | Attr { .. } | AttrAt { .. } | Sys(_) => Effect::Read,
            Tex(t) => match t.mode {
                TexMode::Implicit | TexMode::Bias => Effect::Convergent,
                TexMode::Level | TexMode::Grad | TexMode::Fetch => Effect::Read,
            },
            Deriv { .. } | QuadXor { .. } | QuadAny | QuadAll => Effect::Convergent,
            ArrayLoad(_) | ArrayStore(_) | Out { .. } | Discard => Effect::State,
            If | Loop | Block => Effect::Control,
            Yield | Break(_) | Continue(_) => Effect::Terminator,
        }
    }
}

impl SysVal {
    /// All of them; `ALL[v as usize] == v`.
    pub const ALL: [SysVal; 9] = [
        SysVal::VertexId,
        SysVal::InstanceId,
        SysVal::PrimitiveId,
        SysVal::FrontFacing,
        SysVal::SampleId,
        SysVal::SampleMask,
        SysVal::SampleCount,
        SysVal::HelperLane,
        SysVal::QuadLane,
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
            SysVal::HelperLane => "helper_lane",
            SysVal::QuadLane => "quad_lane",
        }
    }
}

impl TexTarget {
    /// All of them.
    pub const ALL: [TexTarget; 15] = [
        TexTarget::D1,
        TexTarget::D2,
        TexTarget::D3,
        TexTarget::Cube,
        TexTarget::Rect,
        TexTarget::D1Array,
        TexTarget::D2Array,
        TexTarget::CubeArray,
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

impl TexMode {
    /// All of them.
    pub const ALL: [TexMode; 5] = [TexMode::Implicit, TexMode::Bias, TexMode::Level, TexMode::Grad, TexMode::Fetch];

    /// Spelling in the textual IR.
    pub const fn name(self) -> &'static str {
        match self {
            TexMode::Implicit => "implicit",
            TexMode::Bias => "bias",
            TexMode::Level => "level",
            TexMode::Grad => "grad",
            TexMode::Fetch => "fetch",
        }
    }

    /// Number of operands of a lookup.
    pub const fn operands(self) -> usize {
        match self {
            TexMode::Grad => 10,
            TexMode::Implicit | TexMode::Bias | TexMode::Level | TexMode::Fetch => 4,
        }
    }
}

/// The kind's word in the textual IR, without the numbers that follow it.
impl std::fmt::Display for OpKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            OpKind::Num(op) => op.name(),
            OpKind::Literal(_) => "lit",
            OpKind::Select => "select",
            OpKind::Const { .. } => "const",
            OpKind::ConstAt { .. } => "const.at",
            OpKind::Attr { .. } => "attr",
            OpKind::AttrAt { .. } => "attr.at",
            OpKind::Sys(_) => "sys",
            OpKind::Deriv { axis: Axis::X, fine: false } => "ddx",
            OpKind::Deriv { axis: Axis::X, fine: true } => "ddx.fine",
            OpKind::Deriv { axis: Axis::Y, fine: false } => "ddy",
            OpKind::Deriv { axis: Axis::Y, fine: true } => "ddy.fine",
            OpKind::QuadXor { .. } => "quad.xor",
            OpKind::QuadAny => "quad.any",
            OpKind::QuadAll => "quad.all",
            OpKind::Tex(_) => "tex",
            OpKind::ArrayLoad(_) => "load",
            OpKind::ArrayStore(_) => "store",
            OpKind::Out { .. } => "out",
            OpKind::Discard => "discard",
            OpKind::If => "if",
            OpKind::Loop => "loop",
            OpKind::Block => "block",
            OpKind::Yield => "yield",
            OpKind::Break(_) => "break",
            OpKind::Continue(_) => "continue",
        })
    }
}
