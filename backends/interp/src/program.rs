//! The flattened form of a shader.

use crate::arena::{Row, Width};
use crate::steps::Step;
use crate::{Scratch, Trace, exec, lower};
use parallax_core::exec::{Inputs, Memory, Outputs, PlaneType};
use parallax_core::{AtomicOp, Axis, Bound, OpId, RegionId, Shader, SysVal, TexOp, ValueId, Verified};
use parallax_step::{Call, Function, Nans, Programs, legalise, legalise_traced};
use std::sync::atomic::{AtomicU64, Ordering};

/// Number of a mask in the scratch masks.
pub(crate) type MaskSlot = u32;
/// Place in the instruction list.
pub(crate) type Pc = u32;

/// A part of [`Bytecode::rows`], of the copies or of the steps.
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
    /// The region result or parameter, for traces; `None` when `to` only waits for the next iteration, and in runs without
    /// trace.
    pub(crate) value: Option<ValueId>,
}

/// What an instruction of the control flow is made for, for traces.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Place {
    pub(crate) op: OpId,
    /// The region that is entered.
    pub(crate) region: RegionId,
}

/// One instruction. `exec` is the current mask.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Inst {
    /// Steps one after the other.
    Steps(Span),
    /// The operation of a call in lanes where the mask is set, elsewhere the value; in all lanes without a mask. `args` are its
    /// operands.
    Call { call: u32, slow: Option<(u32, Row)>, args: Span, out: Row },
    /// An attribute component, `plane = attribute * 4 + component`.
    Attr { plane: u32, out: u32 },
    /// The same at attribute `base` + index.
    AttrAt { base: i32, comp: u8, index: u32, out: u32 },
    /// A constant at vector `base` + index.
    ConstAt { bank: u16, base: i32, comp: u8, index: u32, out: u32 },
    /// Where a sample is.
    SamplePosition { axis: Axis, index: u32, out: u32 },
    /// A system value.
    Sys { value: SysVal, out: u32 },
    /// An attribute component elsewhere in the pixel.
    AttrPlace { attr: u16, comp: u8, place: PlaceRows, out: u32 },
    /// The value of the lane whose number differs in these bits.
    QuadXor { mask: u8, arg: Row, out: Row },
    /// The value of the lane an index names.
    QuadShuffle { arg: Row, index: u32, out: Row },
    /// The value of one lane of the quad.
    QuadLane { arg: Row, lane: u8, out: Row },
    /// A vote; `all`: in all executing lanes, else in any.
    QuadVote { all: bool, arg: u32, out: u32 },
    /// The value of the lane of the subgroup that an index names; zero of one that is not active.
    GroupShuffle { arg: Row, index: u32, out: Row },
    /// Active lanes of the subgroup whose predicate holds, from lane 32 `word` on.
    GroupBallot { word: u8, arg: u32, out: u32 },
    /// A texture lookup, by number.
    Tex { tex: u32 },
    /// Array element.
    ArrayLoad { array: u32, index: u32, out: Row },
    /// Sets an array element.
    ArrayStore { array: u32, index: u32, value: Row },
    /// Word of a buffer.
    BufferLoad { buffer: u16, address: u32, out: u32 },
    /// Sets a word of a buffer.
    BufferStore { buffer: u16, address: u32, value: u32 },
    /// Size of a texture unit's image.
    TextureSize { unit: u16, comp: u8, level: u32, out: u32 },
    /// Where a texel lies.
    ImageAddress { buffer: u16, at: [u32; 4], out: u32 },
    /// Component of a texel.
    ImageLoad { buffer: u16, comp: u8, address: u32, out: u32 },
    /// Sets a texel.
    ImageStore { buffer: u16, address: u32, texel: [u32; 4] },
    /// Size of an image.
    ImageSize { buffer: u16, comp: u8, out: u32 },
    /// Size of a buffer in bytes.
    BufferSize { buffer: u16, out: u32 },
    /// Changes a word of a buffer and gives what it was; `second` counts for a compare-exchange.
    Atomic { op: AtomicOp, buffer: u16, address: u32, operand: u32, second: u32, out: u32 },
    /// Sets an output component.
    Out { plane: u32, value: Row },
    /// Removes coverage.
    Discard { pred: u32 },
    /// Waits for the other quads.
    Barrier,
    /// Removes samples from coverage.
    DiscardSamples { mask: u32 },
    /// Reports an op: its operands, then its results.
    Trace { op: OpId, args: Span, results: Span },
    /// Splits `exec`: the first arm follows; lanes of the second wait in `other`. Jumps to `else_pc` when no lane takes
    /// the first arm. Results take their initial values.
    If { pred: u32, other: MaskSlot, joined: MaskSlot, else_pc: Pc, copies: Span, place: Place },
    /// Starts the second arm, or jumps to `end_pc` when no lane takes it.
    Else { other: MaskSlot, end_pc: Pc, place: Place },
    /// Starts a block: results take their initial values.
    Block { joined: MaskSlot, copies: Span, place: Place },
    /// Starts a loop: parameters take their first values, results their initial ones.
    Loop { next: MaskSlot, joined: MaskSlot, copies: Span, place: Place },
    /// Starts another iteration for the lanes in `next`, if any.
    Again { next: MaskSlot, body_pc: Pc, copies: Span, place: Place },
    /// The lanes in `joined` go on. Jumps to `skip_pc`, the end of the enclosing region, when there are none.
    Join { joined: MaskSlot, skip_pc: Pc, op: OpId },
    /// `yield` and `break`: results are set, lanes wait in `joined`.
    Leave { joined: MaskSlot, copies: Span, op: OpId },
    /// `continue`: lanes with fuel wait in `next`, the others in `joined`.
    Continue { next: MaskSlot, joined: MaskSlot, cost: u32, copies: Span, op: OpId },
    /// The end of the body.
    End,
}

/// A place inside the pixel, by rows of 32 bits.
#[derive(Copy, Clone, Debug)]
pub(crate) enum PlaceRows {
    Sample(u32),
    Offset(u32, u32),
    Centroid,
}

/// A texture lookup. All rows have 32 bits.
#[derive(Clone, Debug)]
pub(crate) struct Lookup {
    pub(crate) op: TexOp,
    pub(crate) args: Vec<u32>,
    pub(crate) outs: [u32; 4],
}

/// A row that is the same in all lanes and is filled from outside.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Uniform {
    /// Bits known.
    Word(u64),
    /// Raw bits of a constant.
    Const { bank: u16, index: u32, comp: u8 },
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
    /// What computes uniform rows from those that are filled from outside.
    pub(crate) prologue: Vec<Inst>,
    /// Rows that the prologue sets.
    pub(crate) prologue_rows: Vec<Row>,
    pub(crate) steps: Vec<Step>,
    /// Operand rows.
    pub(crate) rows: Vec<Row>,
    pub(crate) copies: Vec<Copy>,
    pub(crate) calls: Vec<Call>,
    pub(crate) lookups: Vec<Lookup>,
    pub(crate) uniforms: Vec<(Row, Uniform)>,
    pub(crate) arrays: Vec<Array>,
    /// Number of rows of each width, by its number.
    pub(crate) row_counts: [u32; Width::COUNT],
    pub(crate) mask_count: u32,
    pub(crate) planes: Vec<Option<PlaneType>>,
    /// Operations that the reference evaluation computes in all lanes.
    pub(crate) fallbacks: usize,
    /// Attributes of the interface.
    pub(crate) attrs: usize,
    /// Whether subgroups run one after the other, because the shader writes memory.
    pub(crate) serial: bool,
    /// Lanes that execute in step.
    pub(crate) subgroup: u32,
    /// Whether subgroups wait for each other.
    pub(crate) waits: bool,
    /// Whether the shader changes memory.
    pub(crate) writes: bool,
    /// Which NaN primitives give where nobody may see its bits.
    pub(crate) nans: Nans,
}

static NEXT_ID: AtomicU64 = AtomicU64::new(1);

/// Type and container of component `c` of output `o` at `o * 4 + c`.
fn planes(shader: &Shader<Bound>) -> Vec<Option<PlaneType>> {
    let types = shader.func.iface.outputs.iter().flat_map(|out| out.types);
    let plane = |ty| PlaneType { ty, storage: parallax_core::Type::decl(ty).map(|decl| shader.state.storage(decl)) };
    types.map(|ty| ty.map(plane)).collect()
}

impl Bytecode {
    /// Flattens a verified shader.
    pub fn new(shader: Verified<'_, Bound>) -> Bytecode {
        let function = legalise(shader, &mut Programs::shared());
        Bytecode {
            planes: planes(shader.shader()),
            subgroup: shader.shader().state.subgroup,
            ..Bytecode::of_steps(&function)
        }
    }

    /// The same to be run by [`Bytecode::run_traced`].
    pub fn traced(shader: Verified<'_, Bound>) -> Bytecode {
        let function = legalise_traced(shader, &mut Programs::shared());
        let made = lower::lower(&function, Some(&shader.shader().func), next_id());
        Bytecode { planes: planes(shader.shader()), subgroup: shader.shader().state.subgroup, ..made }
    }

    /// Flattens a function that [`parallax_step::verify`] accepts. Planes are known by their bits alone, and subgroups are quads.
    pub fn of_steps(function: &Function) -> Bytecode {
        lower::lower(function, None, next_id())
    }

    /// The same program with other NaN where nobody may see which: no result depends on it.
    pub fn with_nans(self, nans: Nans) -> Bytecode {
        Bytecode { id: next_id(), nans, ..self }
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
        exec::run(self, inputs, memory, scratch, outputs, &mut crate::NoTrace);
    }

    /// Whether the shader changes memory.
    pub fn writes_memory(&self) -> bool {
        self.writes
    }

    /// The same, reporting every value of every op. Nothing is reported of a program that was not made for it
    /// ([`Bytecode::traced`]).
    pub fn run_traced(&self, inputs: &Inputs<'_>, outputs: &mut Outputs, trace: &mut dyn Trace) {
        self.run_traced_in(inputs, Memory::NONE, &mut Scratch::default(), outputs, trace);
    }

    /// The same with memory, and working memory that is kept from batch to batch.
    pub fn run_traced_in(
        &self,
        inputs: &Inputs<'_>,
        memory: Memory<'_>,
        scratch: &mut Scratch,
        outputs: &mut Outputs,
        trace: &mut dyn Trace,
    ) {
        exec::run(self, inputs, memory, scratch, outputs, trace);
    }

    /// Type and container of component `c` of output `o` at `o * 4 + c`; `None` for components that are not written.
    pub fn planes(&self) -> Vec<Option<PlaneType>> {
        self.planes.clone()
    }

    /// Number of steps and other instructions, for listings and statistics.
    pub fn len(&self) -> usize {
        self.code.len() + self.steps.len()
    }

    /// Whether there is nothing to run.
    pub fn is_empty(&self) -> bool {
        self.code.len() <= 1
    }
}

fn next_id() -> u64 {
    NEXT_ID.fetch_add(1, Ordering::Relaxed)
}
