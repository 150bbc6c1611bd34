//! Kinds of ops. Everything that computes is [`OpKind::Num`]; the rest reads, observes, or controls.
//!
//! One table declares them: fields, spelling, immediates, operands, results, effect. The verifier, the printer and the
//! reader are written against it, so a new kind of op is a new row.

use super::{Access, AtomicOp, Axis, Effect, Reduction, Scan, SysVal, TexMode, TexOp, TexTarget};
use crate::{ArrayId, EntityRef, LibraryFn, OpId, Type};
use parallax_num::{self as num, Decl, Kind};
use std::fmt;

/// What an op asks of an operand, or promises of a result.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Operand {
    /// Exactly this type.
    Is(Type),
    /// A float of the format of the op's slot.
    Slot,
    /// A float of any format.
    Float,
    /// A float; of one format wherever the op says so.
    SameFloat,
    /// Any type; the same wherever the op says so.
    Same,
    /// A float of the format of the op's slot, or raw bits (`i32`) if the op names none.
    Read,
    /// A float of the format of the op's slot, or another type if the op names none.
    Value,
    /// The type of the array's elements.
    Element,
    /// The type the interface declares for the output component.
    Declared,
    /// As many more as the regions or the target of the op ask for.
    Rest,
}

/// Whether an op names a slot.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum SlotUse {
    /// Always.
    Always,
    /// Never.
    Never,
    /// Exactly when its result is a float.
    ByResult,
}

/// What is done with the immediates of an op, one after the other in the order of the textual form: printing, reading,
/// checking.
pub trait Immediates {
    /// Why it was given up.
    type Stop;
    /// Bits of a literal.
    fn literal(&mut self, bits: &mut u64) -> Result<(), Self::Stop>;
    /// Number of a constant bank.
    fn bank(&mut self, bank: &mut u16) -> Result<(), Self::Stop>;
    /// Number of a vector in its bank.
    fn vector(&mut self, index: &mut u32) -> Result<(), Self::Stop>;
    /// An index in brackets: the next operand and what is added to it.
    fn index(&mut self, base: &mut i32) -> Result<(), Self::Stop>;
    /// Component of a vector.
    fn comp(&mut self, comp: &mut u8) -> Result<(), Self::Stop>;
    /// Number of an attribute.
    fn attr(&mut self, index: &mut u16) -> Result<(), Self::Stop>;
    /// Any attribute, by index: the next operand and what is added to it.
    fn attr_at(&mut self, base: &mut i32) -> Result<(), Self::Stop>;
    /// A system value.
    fn sys(&mut self, value: &mut SysVal) -> Result<(), Self::Stop>;
    /// Exclusive-or mask on lane numbers, or the number of a word of a ballot.
    fn mask(&mut self, mask: &mut u8) -> Result<(), Self::Stop>;
    /// A texture lookup.
    fn tex(&mut self, tex: &mut TexOp) -> Result<(), Self::Stop>;
    /// A reduction of a subgroup.
    fn reduction(&mut self, reduction: &mut Reduction) -> Result<(), Self::Stop>;
    /// An array and, in brackets, the next operand.
    fn array(&mut self, array: &mut ArrayId) -> Result<(), Self::Stop>;
    /// A buffer and, in brackets, the next operand.
    fn buffer(&mut self, buffer: &mut u16) -> Result<(), Self::Stop>;
    /// A buffer alone.
    fn whole_buffer(&mut self, buffer: &mut u16) -> Result<(), Self::Stop>;
    /// Number of a texture unit.
    fn unit(&mut self, unit: &mut u16) -> Result<(), Self::Stop>;
    /// Number of an output.
    fn output(&mut self, index: &mut u16) -> Result<(), Self::Stop>;
    /// The op a terminator leaves or starts again.
    fn target(&mut self, target: &mut OpId) -> Result<(), Self::Stop>;
}

/// What an immediate is before it is read.
trait Blank {
    fn blank() -> Self;
}

macro_rules! blank {
    ($($ty:ty = $value:expr),+) => { $(impl Blank for $ty { fn blank() -> $ty { $value } })+ };
}

blank! {
    u8 = 0, u16 = 0, u32 = 0, i32 = 0, u64 = 0,
    ArrayId = ArrayId::new(0), OpId = OpId::new(0), SysVal = SysVal::VertexId,
    Reduction = Reduction { op: num::Op::Iadd, scan: Scan::All, cluster: 0 },
    TexOp = TexOp::plain(0, TexTarget::D1, TexMode::Implicit)
}

/// Declares the kinds. A row is the spelling, the pattern of the kind, its immediates (field and [`Immediates`] method),
/// operands, results and effect. A kind with several spellings has a row for each.
macro_rules! op_kinds {
    ($(
        $(#[$meta:meta])*
        $variant:ident $(($ty:ty))? $({ $($(#[$fmeta:meta])* $field:ident: $fty:ty),+ $(,)? })? =>
        $($word:literal $pat:tt [$($imm:ident: $visit:ident),*] $operands:expr => $results:expr, $effect:expr;)+
    )+) => {
        /// What an op does. Operand and result shapes are checked by the verifier.
        #[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
        pub enum OpKind {
            /// An operation evaluated by `parallax-num`; operands, result and need of a slot by its row.
            Num(num::Op),
            $($(#[$meta])* $variant $(($ty))? $({ $($(#[$fmeta])* $field: $fty),+ })?),+
        }

        #[allow(unused_variables, reason = "a column looks at the fields it needs")]
        impl OpKind {
            /// Spelling of the kinds that are no arithmetic.
            pub(crate) const WORDS: &'static [&'static str] = &[$($($word),+),+];

            /// What it may do besides producing values.
            pub const fn effect(self) -> Effect {
                match self {
                    OpKind::Num(_) => Effect::Pure,
                    $($(OpKind::$variant $pat => $effect,)+)+
                }
            }

            /// The kind's word in the textual IR, without the immediates that follow it.
            pub const fn word(self) -> &'static str {
                match self {
                    OpKind::Num(op) => op.name(),
                    $($(OpKind::$variant $pat => $word,)+)+
                }
            }

            /// What it asks of its operands.
            pub fn operands(self) -> &'static [Operand] {
                match self {
                    OpKind::Num(op) => NUM[op as usize].operands(),
                    $($(OpKind::$variant $pat => $operands,)+)+
                }
            }

            /// What it promises of its results.
            pub fn results(self) -> &'static [Operand] {
                match self {
                    OpKind::Num(op) => &NUM[op as usize].result,
                    $($(OpKind::$variant $pat => $results,)+)+
                }
            }

            /// The kind with this spelling, its immediates still to be read.
            pub fn from_word(word: &str) -> Option<OpKind> {
                Some(match word {
                    $($($word => { $(let $imm = Blank::blank();)* OpKind::$variant $pat })+)+
                    _ => OpKind::Num(num::Op::from_name(word)?),
                })
            }

            /// Visits the immediates in the order of the textual form.
            pub fn immediates<V: Immediates>(&mut self, visitor: &mut V) -> Result<(), V::Stop> {
                match self {
                    OpKind::Num(_) => {}
                    $($(OpKind::$variant $pat => { $(visitor.$visit($imm)?;)* })+)+
                }
                Ok(())
            }
        }
    };
}

use Effect::{Control, Convergent, Pure, Read, State, Terminator};
use Operand::{Declared, Element, Is, Rest, Same, Slot, Value};

const PRED: Operand = Is(Type::Pred);
const I32: Operand = Is(Type::I32);

op_kinds! {
    /// A literal; no operands. Symbolic floats: pattern in the declared format, with a slot. Bound floats: pattern in
    /// the container. Integers, predicates, condition codes: the lane word, without slot.
    Literal(u64) =>
        "lit" {0: bits} [bits: literal] &[] => &[Value], Pure;
    /// `pred, a, b` of one type: a where true, else b, bits unchanged.
    Select =>
        "select" {} [] &[PRED, Same, Same] => &[Same], Pure;
    /// A function that becomes the formula of the model's library when it is bound; bound shaders hold none.
    Library(LibraryFn) =>
        "library.asin" {0: LibraryFn::Asin} [] &[Slot] => &[Slot], Pure;
        "library.acos" {0: LibraryFn::Acos} [] &[Slot] => &[Slot], Pure;
        "library.atan" {0: LibraryFn::Atan} [] &[Slot] => &[Slot], Pure;
        "library.atan2" {0: LibraryFn::Atan2} [] &[Slot; 2] => &[Slot], Pure;
        "library.tanh" {0: LibraryFn::Tanh} [] &[Slot] => &[Slot], Pure;
        "library.asinh" {0: LibraryFn::Asinh} [] &[Slot] => &[Slot], Pure;
        "library.acosh" {0: LibraryFn::Acosh} [] &[Slot] => &[Slot], Pure;
        "library.smoothstep" {0: LibraryFn::SmoothStep} [] &[Slot; 3] => &[Slot], Pure;
        "library.normalize" {0: LibraryFn::Normalize} [] &[Slot; 2] => &[Slot], Pure;
        "library.reflect" {0: LibraryFn::Reflect} [] &[Slot; 3] => &[Slot], Pure;
        "library.refract" {0: LibraryFn::Refract} [] &[Slot; 4] => &[Slot], Pure;
        "library.cross" {0: LibraryFn::Cross} [] &[Slot; 4] => &[Slot], Pure;

    /// Component `comp` of vector `index` of constant bank `bank`. Float result with a slot, or `i32` without.
    Const {
        /// Bank number.
        bank: u16,
        /// Vector number.
        index: u32,
        /// Component, 0 to 3.
        comp: u8,
    } =>
        "const" {bank, index, comp} [bank: bank, index: vector, comp: comp] &[] => &[Operand::Read], Read;
    /// The same at vector `base` + operand (`i32`, signed).
    ConstAt {
        /// Bank number.
        bank: u16,
        /// Added to the operand.
        base: i32,
        /// Component, 0 to 3.
        comp: u8,
    } =>
        "const.at" {bank, base, comp} [bank: bank, base: index, comp: comp] &[I32] => &[Operand::Read], Read;
    /// Component of an interpolated attribute. Float result with a slot, or `i32` without.
    Attr {
        /// Index into [`crate::Interface::attrs`].
        index: u16,
        /// Component, 0 to 3.
        comp: u8,
    } =>
        "attr" {index, comp} [index: attr, comp: comp] &[] => &[Operand::Read], Read;
    /// The same at attribute `base` + operand (`i32`, signed).
    AttrAt {
        /// Added to the operand.
        base: i32,
        /// Component, 0 to 3.
        comp: u8,
    } =>
        "attr.at" {base, comp} [base: attr_at, comp: comp] &[I32] => &[Operand::Read], Read;
    /// Component of an attribute at the position of a sample; operand: its number (`i32`).
    AttrSample {
        /// Index into [`crate::Interface::attrs`].
        index: u16,
        /// Component, 0 to 3.
        comp: u8,
    } =>
        "attr.sample" {index, comp} [index: attr, comp: comp] &[I32] => &[Operand::Read], Read;
    /// Component of an attribute away from the pixel centre; operands: to the right and down, in pixels, as binary32
    /// patterns (`i32`).
    AttrOffset {
        /// Index into [`crate::Interface::attrs`].
        index: u16,
        /// Component, 0 to 3.
        comp: u8,
    } =>
        "attr.offset" {index, comp} [index: attr, comp: comp] &[I32, I32] => &[Operand::Read], Read;
    /// Component of an attribute at the centroid of the covered samples.
    AttrCentroid {
        /// Index into [`crate::Interface::attrs`].
        index: u16,
        /// Component, 0 to 3.
        comp: u8,
    } =>
        "attr.centroid" {index, comp} [index: attr, comp: comp] &[] => &[Operand::Read], Read;
    /// Where a sample is, from the pixel centre to the right (X) or down (Y), in 1/16 pixel, signed; 0 for a sample that the
    /// pixel does not have. Operand: its number (`i32`).
    SamplePosition {
        /// Direction.
        axis: Axis,
    } =>
        "sample.position.x" {axis: Axis::X} [] &[I32] => &[I32], Read;
        "sample.position.y" {axis: Axis::Y} [] &[I32] => &[I32], Read;
    /// A system value, `i32`.
    Sys(SysVal) =>
        "sys" {0: value} [value: sys] &[] => &[I32], Read;

    /// Difference between quad neighbours, subtracted under the op's slot as `num::Op::Sub`. Fine: within the lane's
    /// own row (X) or column (Y). Coarse: of the bottom row (X) or left column (Y) for all four lanes.
    Deriv {
        /// Direction.
        axis: Axis,
        /// Own row or column.
        fine: bool,
    } =>
        "ddx" {axis: Axis::X, fine: false} [] &[Slot] => &[Slot], Convergent;
        "ddx.fine" {axis: Axis::X, fine: true} [] &[Slot] => &[Slot], Convergent;
        "ddy" {axis: Axis::Y, fine: false} [] &[Slot] => &[Slot], Convergent;
        "ddy.fine" {axis: Axis::Y, fine: true} [] &[Slot] => &[Slot], Convergent;
    /// The operand (any type) as the lane with number `own ^ mask` holds it; mask 1 to 3.
    QuadXor {
        /// Exclusive-or mask on the lane number inside the quad.
        mask: u8,
    } =>
        "quad.xor" {mask} [mask: mask] &[Same] => &[Same], Convergent;
    /// The first operand (any type) as the lane of the quad holds it whose number is in the lowest two bits of the second
    /// (`i32`), each lane with a number of its own.
    QuadShuffle =>
        "quad.shuffle" {} [] &[Same, I32] => &[Same], Convergent;
    /// Whether the predicate holds in any executing lane of the quad.
    QuadAny =>
        "quad.any" {} [] &[PRED] => &[PRED], Convergent;
    /// Whether the predicate holds in all executing lanes of the quad.
    QuadAll =>
        "quad.all" {} [] &[PRED] => &[PRED], Convergent;
    /// The first operand (any type) as the lane of the subgroup holds it whose number is the second (`i32`), each lane with a number
    /// of its own; zero bits of a lane that is not active or does not exist.
    GroupShuffle =>
        "group.shuffle" {} [] &[Same, I32] => &[Same], State;
    /// For which active lanes of the subgroup the predicate holds: a bit each, of lanes 32 `word` on.
    GroupBallot {
        /// Which lanes, 0 to 3.
        word: u8,
    } =>
        "group.ballot" {word} [word: mask] &[PRED] => &[I32], State;
    /// What the active lanes of the subgroup hold, combined; operands: that, and what to start from.
    GroupReduce(Reduction) =>
        "group.reduce" {0: reduction} [reduction: reduction] reduction.operands() => reduction.results(), State;
    /// A texture lookup.
    Tex(TexOp) =>
        "tex" {0: tex} [tex: tex] tex.operands() => tex.results(), tex.mode.effect();
    /// Size of the image of a texture unit on a level (operand, `i32`), by component: width, height, depth or layers (faces of
    /// cubes count), number of levels, or of samples where texels have several. Zeros on levels that the image does not have,
    /// but for the last.
    TextureSize {
        /// Texture unit.
        unit: u16,
        /// What is asked, 0 to 3.
        comp: u8,
    } =>
        "texture.size" {unit, comp} [unit: unit, comp: comp] &[I32] => &[I32], Read;

    /// Element of a local array; operand: `i32` index.
    ArrayLoad(ArrayId) =>
        "load" {0: array} [array: array] &[I32] => &[Element], State;
    /// Sets an element of a local array; operands: `i32` index, value.
    ArrayStore(ArrayId) =>
        "store" {0: array} [array: array] &[I32, Element] => &[], State;
    /// Word of a buffer; operand: address in bytes.
    BufferLoad {
        /// Index into [`crate::Interface::buffers`].
        buffer: u16,
        /// What the program reads of the word; the result is the word all the same.
        access: Access,
    } =>
        "buffer.load" {buffer, access: Access::Word} [buffer: buffer] &[I32] => &[I32], State;
        "buffer.load.half" {buffer, access: Access::Half} [buffer: buffer] &[I32] => &[I32], State;
        "buffer.load.byte" {buffer, access: Access::Byte} [buffer: buffer] &[I32] => &[I32], State;
        "buffer.load.atomic" {buffer, access: Access::Atomic} [buffer: buffer] &[I32] => &[I32], State;
    /// Sets a word of a buffer; operands: address in bytes, value.
    BufferStore {
        /// Index into [`crate::Interface::buffers`].
        buffer: u16,
        /// Whether the program stores it atomically.
        atomic: bool,
    } =>
        "buffer.store" {buffer, atomic: false} [buffer: buffer] &[I32, I32] => &[], State;
        "buffer.store.atomic" {buffer, atomic: true} [buffer: buffer] &[I32, I32] => &[], State;
    /// Size of a buffer in bytes.
    BufferSize {
        /// Index into [`crate::Interface::buffers`].
        buffer: u16,
    } =>
        "buffer.size" {buffer} [buffer: whole_buffer] &[] => &[I32], Read;
    /// Where a texel of the image in a buffer lies, in bytes; operands: x, y, z (depth, layer or face), sample. All ones for
    /// one outside of the image.
    ImageAddress {
        /// Index into [`crate::Interface::buffers`].
        buffer: u16,
    } =>
        "image.address" {buffer} [buffer: whole_buffer] &[I32; 4] => &[I32], Read;
    /// Component of the texel at an address in the image in a buffer, decoded: a binary32 pattern or an integer.
    ImageLoad {
        /// Index into [`crate::Interface::buffers`].
        buffer: u16,
        /// Component, 0 to 3.
        comp: u8,
    } =>
        "image.load" {buffer, comp} [buffer: buffer, comp: comp] &[I32] => &[I32], State;
    /// Sets a texel of the image in a buffer; operands: address, and red, green, blue, alpha to be encoded.
    ImageStore {
        /// Index into [`crate::Interface::buffers`].
        buffer: u16,
    } =>
        "image.store" {buffer} [buffer: buffer] &[I32; 5] => &[], State;
    /// Size of the image in a buffer, by component: width, height, depth or layers (faces of cubes count), samples; and the
    /// bytes of a texel.
    ImageSize {
        /// Index into [`crate::Interface::buffers`].
        buffer: u16,
        /// What is asked, 0 to 4.
        comp: u8,
    } =>
        "image.texel_bytes" {buffer, comp: 4} [buffer: whole_buffer] &[] => &[I32], Read;
        "image.size" {buffer, comp} [buffer: whole_buffer, comp: comp] &[] => &[I32], Read;
    /// Changes a word of a buffer and gives what it was; operands: address in bytes, operand, for compare-exchange the new
    /// value, and for an insertion the mask.
    Atomic {
        /// What becomes of the word.
        op: AtomicOp,
        /// Index into [`crate::Interface::buffers`].
        buffer: u16,
    } =>
        "atomic.add" {op: AtomicOp::Add, buffer} [buffer: buffer] &[I32, I32] => &[I32], State;
        "atomic.min_u" {op: AtomicOp::MinU, buffer} [buffer: buffer] &[I32, I32] => &[I32], State;
        "atomic.max_u" {op: AtomicOp::MaxU, buffer} [buffer: buffer] &[I32, I32] => &[I32], State;
        "atomic.min_i" {op: AtomicOp::MinI, buffer} [buffer: buffer] &[I32, I32] => &[I32], State;
        "atomic.max_i" {op: AtomicOp::MaxI, buffer} [buffer: buffer] &[I32, I32] => &[I32], State;
        "atomic.and" {op: AtomicOp::And, buffer} [buffer: buffer] &[I32, I32] => &[I32], State;
        "atomic.or" {op: AtomicOp::Or, buffer} [buffer: buffer] &[I32, I32] => &[I32], State;
        "atomic.xor" {op: AtomicOp::Xor, buffer} [buffer: buffer] &[I32, I32] => &[I32], State;
        "atomic.exchange" {op: AtomicOp::Exchange, buffer} [buffer: buffer] &[I32, I32] => &[I32], State;
        "atomic.cmpxchg" {op: AtomicOp::CompareExchange, buffer} [buffer: buffer] &[I32, I32, I32] => &[I32], State;
        "atomic.inc_wrap" {op: AtomicOp::IncWrap, buffer} [buffer: buffer] &[I32, I32] => &[I32], State;
        "atomic.dec_wrap" {op: AtomicOp::DecWrap, buffer} [buffer: buffer] &[I32, I32] => &[I32], State;
        "buffer.insert" {op: AtomicOp::Insert, buffer} [buffer: buffer] &[I32, I32, I32] => &[I32], State;
    /// Sets component `comp` of output `index`; operand: the value.
    Out {
        /// Index into [`crate::Interface::outputs`].
        index: u16,
        /// Component, 0 to 3.
        comp: u8,
    } =>
        "out" {index, comp} [index: output, comp: comp] &[Declared] => &[], State;
    /// Removes lanes whose predicate is true from coverage.
    Discard =>
        "discard" {} [] &[PRED] => &[], State;
    /// Waits until all invocations of the workgroup are here; they see what the others stored before. All of them must get
    /// here, each in the same iteration of every loop, or the program is in error ([`crate::exec::Outputs::missed_barrier`]).
    Barrier =>
        "barrier" {} [] &[] => &[], State;
    /// Orders the accesses to memory of the active lanes of the subgroup: those before it are done when those behind it begin, as
    /// they are anyway where a subgroup executes in step.
    GroupBarrier =>
        "group.barrier" {} [] &[] => &[], State;
    /// Removes samples from the coverage of lanes: a bit each (`i32`), counted among those the lane shades.
    DiscardSamples =>
        "discard.samples" {} [] &[I32] => &[], State;

    /// Two regions without parameters; operands: the predicate, then the initial operand of each result; results: what
    /// the arms yield.
    If =>
        "if" {} [] &[PRED, Rest] => &[Rest], Control;
    /// One region; operands: first values of its parameters, then the initial operand of each result; results: what
    /// `break` passes.
    Loop =>
        "loop" {} [] &[Rest] => &[Rest], Control;
    /// One region without parameters; operands: the initial operand of each result; results: what `yield` or `break`
    /// passes.
    Block =>
        "block" {} [] &[Rest] => &[Rest], Control;

    /// Ends an arm, a block or the function with results.
    Yield =>
        "yield" {} [] &[Rest] => &[], Terminator;
    /// Leaves an enclosing loop or block with its results.
    Break(OpId) =>
        "break" {0: target} [target: target] &[Rest] => &[], Terminator;
    /// Next iteration of an enclosing loop with its parameters.
    Continue(OpId) =>
        "continue" {0: target} [target: target] &[Rest] => &[], Terminator;
}

impl Reduction {
    /// The type of both operands and of the result.
    const fn shape(self) -> &'static [Operand; 2] {
        match Operand::of(self.op.info().result) {
            Slot => &[Slot; 2],
            Is(Type::I64) => &[Is(Type::I64); 2],
            Is(Type::Pred) => &[PRED; 2],
            _ => &[I32; 2],
        }
    }

    const fn operands(&self) -> &'static [Operand] {
        self.shape()
    }

    const fn results(&self) -> &'static [Operand] {
        self.shape().split_at(1).0
    }
}

impl TexMode {
    /// Effect of a lookup.
    const fn effect(self) -> Effect {
        if self.reads_neighbours() { Convergent } else { Read }
    }
}

impl TexOp {
    /// Results of a lookup.
    const fn results(&self) -> &'static [Operand] {
        if self.bits { &[I32; 4] } else { &[Slot; 4] }
    }

    /// Most operands of a lookup.
    pub const MOST_OPERANDS: usize = 16;

    /// Operands of a lookup.
    const fn operands(&self) -> &'static [Operand] {
        const FLOATS: &[Operand] = &[Operand::SameFloat; TexOp::MOST_OPERANDS];
        const INTEGERS: &[Operand] = &[I32; TexOp::MOST_OPERANDS];
        let all = if matches!(self.mode, TexMode::Fetch) { INTEGERS } else { FLOATS };
        all.split_at(self.count()).0
    }
}

/// Shape of an arithmetic op, from its row.
struct NumShape {
    operands: [Operand; NumShape::MOST],
    count: usize,
    result: [Operand; 1],
}

impl NumShape {
    /// Most operands of a row.
    const MOST: usize = 8;

    const fn of(row: &num::OpInfo) -> NumShape {
        let mut shape =
            NumShape { operands: [Rest; Self::MOST], count: row.args.len(), result: [Operand::of(row.result)] };
        let mut n = 0;
        while n < shape.count {
            shape.operands[n] = Operand::of(row.args[n]);
            n += 1;
        }
        shape
    }

    fn operands(&self) -> &[Operand] {
        &self.operands[..self.count]
    }
}

/// Shapes of the arithmetic ops, by operation.
static NUM: [NumShape; num::Op::ALL.len()] = {
    let mut shapes =
        [const { NumShape { operands: [Rest; NumShape::MOST], count: 0, result: [Rest] } }; num::Op::ALL.len()];
    let mut n = 0;
    while n < shapes.len() {
        shapes[n] = NumShape::of(&num::Op::ALL[n]);
        n += 1;
    }
    shapes
};

impl Operand {
    const fn of(kind: Kind) -> Operand {
        match kind {
            Kind::F => Operand::Slot,
            Kind::AnyF => Operand::Float,
            Kind::I32 => I32,
            Kind::I64 => Is(Type::I64),
            Kind::Pred => PRED,
            Kind::Cc => Is(Type::Cc),
        }
    }

    /// The type asked for, as far as it follows from the operand and the format of the op's slot alone.
    pub const fn ty(self, slot: Option<Decl>) -> Option<Type> {
        match (self, slot) {
            (Is(ty), _) => Some(ty),
            (Slot | Operand::Read | Value, Some(decl)) => Some(Type::Float(decl)),
            (Operand::Read, None) => Some(Type::I32),
            _ => None,
        }
    }
}

impl OpKind {
    /// Whether it changes a buffer.
    pub const fn writes_memory(self) -> bool {
        matches!(self, OpKind::BufferStore { .. } | OpKind::ImageStore { .. } | OpKind::Atomic { .. })
    }

    /// Whether it depends on how wide a subgroup is.
    pub const fn is_of_subgroups(self) -> bool {
        use SysVal::{SubgroupLane, SubgroupSize};
        matches!(
            self,
            OpKind::GroupShuffle
                | OpKind::GroupBarrier
                | OpKind::GroupBallot { .. }
                | OpKind::GroupReduce(_)
                | OpKind::Sys(SubgroupSize | SubgroupLane)
        )
    }

    /// Whether it names a slot.
    pub(crate) fn slot_use(self) -> SlotUse {
        let any =
            |wanted: fn(&Operand) -> bool| self.results().iter().any(wanted) || self.operands().iter().any(wanted);
        if any(|o| *o == Slot) {
            SlotUse::Always
        } else if any(|o| matches!(o, Operand::Read | Value)) {
            SlotUse::ByResult
        } else {
            SlotUse::Never
        }
    }
}

impl fmt::Display for OpKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_names_its_own_kind() {
        for word in OpKind::WORDS {
            assert_eq!(OpKind::from_word(word).map(OpKind::word), Some(*word));
            assert_eq!(num::Op::from_name(word), None);
        }
        for row in num::Op::ALL {
            assert_eq!(OpKind::from_word(row.name), Some(OpKind::Num(row.op)));
            let asks = if row.op.has_slot() { SlotUse::Always } else { SlotUse::Never };
            assert_eq!(OpKind::Num(row.op).slot_use(), asks, "{}", row.name);
        }
        assert_eq!(OpKind::from_word("shout"), None);
    }
}
