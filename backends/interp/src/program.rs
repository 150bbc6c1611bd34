//! The flattened form of a shader.

use crate::{Scratch, Trace, exec, lower};
use parallax_core::exec::{Inputs, Memory, Outputs, PlaneType};
use parallax_core::{AtomicOp, Axis, Bound, OpId, RegionId, SysVal, TexOp, ValueId, Verified};
use parallax_num::{Kernel, Width};
use std::sync::atomic::{AtomicU64, Ordering};

/// A row of the arena: its number among those with words of the same width.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) width: Width,
    pub(crate) number: u32,
}

/// Number of a mask in the scratch masks.
pub(crate) type MaskSlot = u32;
/// Place in the instruction list.
pub(crate) type Pc = u32;
/// Number of a prepared kernel.
pub(crate) type KernelId = u32;

/// Rows of each width, by its number, that are used inside one instruction: words before and after a permutation or a
/// conversion. Of texture lookups, all are binary32: the operands, then 4 results.
pub(crate) const TEMPS: [u32; Width::ALL.len()] = [2, 2, TEMP_TEXELS + 4, 2];
/// First of the four temporary rows of texture results.
pub(crate) const TEMP_TEXELS: u32 = TexOp::MOST_OPERANDS as u32;

impl Row {
    /// A row used inside one instruction.
    pub(crate) const fn temp(width: Width, number: u32) -> Row {
        Row { width, number }
    }
}

/// A part of [`Bytecode::rows`].
#[derive(Copy, Clone, Debug)]
pub(crate) struct Span {
    pub(crate) start: u32,
    pub(crate) len: u32,
}

impl Span {
    pub(crate) fn range(self) -> std::ops::Range<usize> {
        self.start as usize..(self.start + self.len) as usize
    }
}

/// One value taking the bits of another in the executing lanes.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Copy {
    pub(crate) from: Row,
    pub(crate) to: Row,
    /// The region result or parameter, for traces; `None` when `to` only waits for the next iteration.
    pub(crate) value: Option<ValueId>,
}

/// One instruction. `exec` is the current mask.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Inst {
    /// Arithmetic.
    Num { kernel: KernelId, args: Span, out: Row },
    /// A row filled before the run.
    Uniform { out: Row },
    /// `pred ? a : b`.
    Select { pred: Row, a: Row, b: Row, out: Row },
    /// An attribute component, `plane = attribute * 4 + component`.
    Attr { plane: u32, cvt: Option<KernelId>, out: Row },
    /// The same at attribute `base` + index.
    AttrAt { base: i32, comp: u8, index: Row, cvt: Option<KernelId>, out: Row },
    /// A constant at vector `base` + index.
    ConstAt { bank: u16, base: i32, comp: u8, index: Row, cvt: Option<KernelId>, out: Row },
    /// Where a sample is.
    SamplePosition { axis: Axis, index: Row, out: Row },
    /// A system value.
    Sys { value: SysVal, out: Row },
    /// A derivative.
    Deriv { axis: Axis, fine: bool, kernel: KernelId, arg: Row, out: Row },
    /// An attribute component elsewhere in the pixel.
    AttrPlace { attr: u16, comp: u8, place: PlaceRows, cvt: Option<KernelId>, out: Row },
    /// The neighbour's value.
    QuadXor { mask: u8, arg: Row, out: Row },
    /// The value of the lane an index names.
    QuadShuffle { arg: Row, index: Row, out: Row },
    /// A vote; `all`: in all executing lanes, else in any.
    QuadVote { all: bool, arg: Row, out: Row },
    /// A texture lookup, by number.
    Tex { tex: u32 },
    /// Array element.
    ArrayLoad { array: u32, index: Row, out: Row },
    /// Sets an array element.
    ArrayStore { array: u32, index: Row, value: Row },
    /// Word of a buffer.
    BufferLoad { buffer: u16, address: Row, out: Row },
    /// Sets a word of a buffer.
    BufferStore { buffer: u16, address: Row, value: Row },
    /// Size of a buffer in bytes.
    BufferSize { buffer: u16, out: Row },
    /// Changes a word of a buffer and gives what it was; `second` counts for a compare-exchange.
    Atomic { op: AtomicOp, buffer: u16, address: Row, operand: Row, second: Row, out: Row },
    /// Sets an output component.
    Out { plane: u32, value: Row },
    /// Removes coverage.
    Discard { pred: Row },
    /// Removes samples from coverage.
    DiscardSamples { mask: Row },
    /// Splits `exec`: the first arm follows; lanes of the second wait in `other`. Jumps to `else_pc` when no lane takes
    /// the first arm. Results take their initial values.
    If { pred: Row, other: MaskSlot, joined: MaskSlot, else_pc: Pc, copies: Span, region: RegionId },
    /// Starts the second arm, or jumps to `end_pc` when no lane takes it.
    Else { other: MaskSlot, end_pc: Pc, region: RegionId },
    /// Starts a block: results take their initial values.
    Block { joined: MaskSlot, copies: Span, region: RegionId },
    /// Starts a loop: parameters take their first values, results their initial ones.
    Loop { next: MaskSlot, joined: MaskSlot, copies: Span, region: RegionId },
    /// Starts another iteration for the lanes in `next`, if any.
    Again { next: MaskSlot, body_pc: Pc, copies: Span, region: RegionId },
    /// The lanes in `joined` go on. Jumps to `skip_pc`, the end of the enclosing region, when there are none.
    Join { joined: MaskSlot, skip_pc: Pc },
    /// `yield` and `break`: results are set, lanes wait in `joined`.
    Leave { joined: MaskSlot, copies: Span },
    /// `continue`: lanes with fuel wait in `next`, the others in `joined`.
    Continue { next: MaskSlot, joined: MaskSlot, copies: Span },
    /// The end of the body.
    End,
}

/// A place inside the pixel, by rows.
#[derive(Copy, Clone, Debug)]
pub(crate) enum PlaceRows {
    Sample(Row),
    Offset(Row, Row),
    Centroid,
}

/// A texture lookup.
#[derive(Clone, Debug)]
pub(crate) struct Lookup {
    pub(crate) op: TexOp,
    /// Rows of the operands and their conversion to binary32, where one is needed.
    pub(crate) args: Vec<(Row, Option<KernelId>)>,
    /// Conversion from binary32 to the container of the results.
    pub(crate) cvt: KernelId,
    pub(crate) outs: [Row; 4],
}

/// A row that is the same in all lanes.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Uniform {
    /// Bits known.
    Word(u64),
    /// A constant, read as a float through the kernel or as raw bits.
    Const { bank: u16, index: u32, comp: u8, cvt: Option<KernelId> },
}

/// A local array: where its elements stand and how many there are.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Array {
    /// Row of the first element; those of the others follow.
    pub(crate) first: Row,
    /// Elements.
    pub(crate) len: u32,
    /// Whether it has rows at all.
    pub(crate) is_touched: bool,
}

impl Array {
    /// Row of an element.
    pub(crate) fn element(self, index: u32) -> Row {
        Row { number: self.first.number + index, ..self.first }
    }
}

/// A shader ready to be interpreted: owned, shared between threads; what changes during a run is in [`Scratch`].
#[derive(Debug)]
pub struct Bytecode {
    /// Tells a [`Scratch`] for which program it was filled.
    pub(crate) id: u64,
    pub(crate) code: Vec<Inst>,
    /// Op of each instruction, `None` for those that are parts of a control op without event.
    pub(crate) ops: Vec<OpId>,
    /// Operand rows.
    pub(crate) rows: Vec<Row>,
    pub(crate) copies: Vec<Copy>,
    pub(crate) kernels: Vec<Kernel>,
    pub(crate) lookups: Vec<Lookup>,
    pub(crate) uniforms: Vec<(Row, Uniform)>,
    pub(crate) arrays: Vec<Array>,
    /// Number of rows of each width, by its number.
    pub(crate) row_counts: [u32; Width::ALL.len()],
    pub(crate) mask_count: u32,
    pub(crate) planes: Vec<Option<PlaneType>>,
    /// Attributes of the interface.
    pub(crate) attrs: usize,
    /// Whether quads run one after the other, because the shader writes memory.
    pub(crate) serial: bool,
}

static NEXT_ID: AtomicU64 = AtomicU64::new(1);

impl Bytecode {
    /// Flattens a verified shader.
    pub fn new(shader: Verified<'_, Bound>) -> Bytecode {
        lower::lower(shader.shader(), NEXT_ID.fetch_add(1, Ordering::Relaxed))
    }

    /// Runs one batch. `outputs` is overwritten; its buffers are reused. Output planes hold what the lanes wrote,
    /// uncovered lanes too: keeping those out of the result is the caller's part.
    ///
    /// Inputs that are too short read as zero bits; lanes without an entry in `covered` are helpers.
    ///
    /// # Panics
    /// If `inputs.lanes` is no multiple of 4.
    pub fn run(&self, inputs: &Inputs<'_>, outputs: &mut Outputs) {
        self.run_with(inputs, &mut Scratch::default(), outputs);
    }

    /// The same with working memory that is kept from batch to batch.
    pub fn run_with(&self, inputs: &Inputs<'_>, scratch: &mut Scratch, outputs: &mut Outputs) {
        self.run_in(inputs, Memory::NONE, scratch, outputs);
    }

    /// The same with memory. A shader that writes it needs [`Memory::Exclusive`] and its batches in raster order; quads of
    /// the batch then run one after the other.
    pub fn run_in(&self, inputs: &Inputs<'_>, memory: Memory<'_>, scratch: &mut Scratch, outputs: &mut Outputs) {
        exec::run::<false>(self, inputs, memory, scratch, outputs, &mut crate::NoTrace);
    }

    /// Whether the shader changes memory.
    pub fn writes_memory(&self) -> bool {
        self.serial
    }

    /// The same, reporting every value of every op.
    pub fn run_traced(&self, inputs: &Inputs<'_>, outputs: &mut Outputs, trace: &mut dyn Trace) {
        self.run_traced_in(inputs, Memory::NONE, outputs, trace);
    }

    /// The same with memory.
    pub fn run_traced_in(&self, inputs: &Inputs<'_>, memory: Memory<'_>, outputs: &mut Outputs, trace: &mut dyn Trace) {
        exec::run::<true>(self, inputs, memory, &mut Scratch::default(), outputs, trace);
    }

    /// Type and container of component `c` of output `o` at `o * 4 + c`; `None` for components that are not written.
    pub fn planes(&self) -> Vec<Option<PlaneType>> {
        self.planes.clone()
    }

    /// Number of instructions, for listings and statistics.
    pub fn len(&self) -> usize {
        self.code.len()
    }

    /// Whether there is nothing to run.
    pub fn is_empty(&self) -> bool {
        self.code.len() <= 1
    }
}
