//! The shared vector IR.
//!
//! A [`Func`] is a tree of regions. A region is a list of ops; a value is *one component across all lanes*. Vectors of
//! four exist only while a frontend lifts. Control is nested regions with parameters and results; there is no phi and
//! no lane mask. A [`Shader`] carries its state in its type: frontends make `Shader<Symbolic>`, [`Shader::bind`] makes
//! `Shader<Bound>`, and only that can be evaluated.
//!
//! # Evaluation contract
//!
//! Every engine obeys these rules; the verifier, the interpreter and the differential tests enforce them.
//!
//! **Lanes.** Lanes 4k to 4k+3 are one 2x2 quad: top left, top right, bottom left, bottom right. Every cross-lane op
//! reads inside the quad only, so no result depends on how many lanes an engine runs at once.
//!
//! A batch of a kernel is one workgroup: places in the grid are the same in all of its lanes, and places in the workgroup are those
//! that the interface says, x fastest ([`Interface::workgroup`]).
//!
//! **Masks.** Each lane is *executing* or not; all lanes execute when the body starts. [`OpKind::If`] lets lanes whose
//! predicate is true execute the first region, the others the second. A region runs in a quad when at least one lane of
//! it executes; ops after the point where the last lane has left do not run. Pure, read and convergent ops, and loads
//! from arrays, produce a value in *all four lanes* of such a quad, from the operands as those lanes hold them, and
//! never trap. Stores, outputs and `discard` act in executing lanes only. Votes ([`OpKind::QuadAny`],
//! [`OpKind::QuadAll`]) ask the executing lanes and answer all four.
//!
//! **Subgroups.** The lanes of a kernel that has ops of subgroups ([`OpKind::is_of_subgroups`]) are cut into aligned subgroups as
//! wide as the model says ([`Bound::subgroup`]), a power of two from 4 to 128. The quads of a subgroup execute in step, as lanes
//! of one quad do: wherever this contract says of an op, of an iteration or of an access to memory that a quad does it before the
//! next, a subgroup does it, its lanes in their order. A lane is *active* where it executes and is covered. In other shaders a
//! subgroup is a quad. A kernel whose last such op a pass removes stays cut into subgroups ([`Interface::in_subgroups`]).
//!
//! **Results and parameters.** Every result of an `if`, `block` or `loop` has an *initial operand* of its type
//! ([`OpData::initial`]). When a quad starts to execute the op, its results take the values of their initial operands,
//! and the parameters of a loop their first values, in all four lanes. From then on only executing lanes change them:
//! results when a lane leaves for the end of the op, parameters when a lane starts the next iteration. So a lane that
//! does not execute the op, leaves it for a place further out, or runs out of fuel holds the initial operand, as a
//! register keeps its old value where an instruction is masked: a branch that no lane takes changes nothing that a
//! neighbour can see. A lane that has left a loop keeps the parameters of its last iteration while others go on.
//! Therefore the values convergent ops read from neighbouring lanes are always defined.
//!
//! **Terminators.** The last op of a region is a terminator. `yield` ends the arm of an `if`, a block, or the body of
//! the function, and passes results. `break ^L` leaves the enclosing loop or block `L` with its results, `continue ^L`
//! starts the next iteration of loop `L` with its parameters; both may stand in regions nested deeper. Lanes that leave stop
//! executing until the end of what they left, or until its next iteration. A loop's body ends in `break` or `continue` (or,
//! if every lane has left, in either). A loop runs while any lane of the quad executes it: when no lane is left in an
//! iteration, those that took `continue` start the next one together, and only then do their parameters change, all at
//! once. What a lane passes is what it holds when it leaves.
//!
//! **Fuel.** Each lane has fuel, [`exec::FUEL`] by default. A back edge (`continue`) takes one unit for every [`OPS_PER_FUEL`] ops on
//! the longest way through the loop's body, at least one ([`Func::back_edge_cost`]), so that fuel counts work. A lane that has too little for the next one has none
//! left: it leaves its loop instead with the initial operands as results, goes on after it, and its status reads
//! "out of fuel". Back edges are observable by this: no pass may add or remove any, or change what they cost.
//!
//! **Coverage** is apart from execution. [`OpKind::Discard`] removes lanes from coverage; they go on executing as
//! helpers for their neighbours' derivatives. At the end an uncovered lane writes no output, depth or memory.
//! [`OpKind::DiscardSamples`] removes single samples, bit 0 being sample 0 of the lane's pixel, or, where the lane shades
//! one sample ([`SysVal::SampleShading`]), that sample. A lane that loses the last of its samples
//! ([`SysVal::SampleMask`]) so is discarded.
//!
//! **Reads.** Attributes and constants come as binary32 patterns. Read as a float they are values of the slot
//! that they are read under: the word itself where its format has every value of binary32, else converted by its rule
//! ([`Model::reading`](parallax_num::Model::reading)); read as `i32` the bits are taken as they are. Constants and attributes outside their
//! bank read zero. An attribute is read where the interface says; [`OpKind::AttrSample`], [`OpKind::AttrOffset`] and
//! [`OpKind::AttrCentroid`] read it elsewhere in the pixel, as far as the engine knows such places ([`exec::Interpolator`]).
//! Sample numbers are unsigned; a sample that the pixel does not have is at its centre ([`OpKind::SamplePosition`]).
//!
//! **Memory.** Buffers hold 32-bit words. Addresses are unsigned, in bytes from the start of the buffer; the lowest two
//! bits are ignored. Loads outside of a buffer give 0, stores outside do nothing, atomics outside do nothing and give 0.
//! Loads happen in all four lanes of a quad; stores and atomics act in executing lanes that are covered at that moment,
//! lane by lane in order, each lane's access done before the next one's; in the other lanes an atomic gives 0. A shader
//! that writes memory runs serially, quad by quad in raster order, each quad from beginning to end before the next one
//! starts. At a barrier ([`OpKind::Barrier`]) the quads of a batch, which is a workgroup, take turns: each runs to the next
//! barrier, in their order. Shaders that do not write memory run in any order with equal bits.
//!
//! **Atomic accesses.** An [`OpKind::Atomic`] changes a word of integers. An atomic on a float or on 64 bits is a load, the
//! operation under its slot and a store, which lanes do in turn: so an atomic sum rounds as every sum of the model does. These
//! loads and stores are marked atomic ([`Access::Atomic`], `buffer.store.atomic`), as are loads and stores that the program
//! itself calls atomic. A mark changes no result; it tells atomic accesses from a *race*: two invocations access the same bytes,
//! one of them writes, not both accesses are atomic, and nothing orders them. Barriers order the accesses of a workgroup, and
//! [`OpKind::GroupBarrier`] those of a subgroup. What a race leaves in memory follows from the serial order above alone.
//!
//! **Bits.** A symbolic float has a declared format; a bound one is held in its model's container, which may be wider
//! or narrower. `bits.of`, packs and stores convert to the declared format first, so observed bits are always those of
//! the format the program believes in.
//!
//! **Order.** Only state ops are ordered among each other. Array loads see earlier stores to the same array. Array
//! elements are per lane and start as zero bits; the index is unsigned; a load out of range gives zero, a store out of
//! range does nothing.
//!
//! **Outputs.** An output component holds the value last written by an executing lane, zero bits before that.
//! [`exec::Outputs`] has it for uncovered lanes too (a debugger wants to see them); whoever makes a picture of it leaves
//! those out.
//!
//! ```
//! use parallax_core::num::Model;
//! use parallax_core::{text, verify};
//!
//! let source = "shader \"product\" stage(fragment) from(\"example\") {
//!   attr 0 \"a\" generic(0) perspective center
//!   output 0 \"o\" color(0) fp32 - - -
//!   slot p0 = fp32
//!   %0: p0 = attr in0.x
//!   %1: p0 = attr in0.y
//!   %2: p0 = mul %0, %1
//!   out o0.x, %2
//!   yield
//! }
//! ";
//! let shader = text::read(source).expect("a shader").bind(&Model::builtin("ieee").expect("built in"));
//! assert_eq!(text::print(&text::read(source).expect("a shader")), source);
//! assert!(verify(&shader).is_ok());
//! ```

pub mod analysis;
pub mod backend;
mod bind;
mod builder;
mod carried;
mod entity;
pub mod exec;
mod func;
mod iface;
pub mod known;
mod library;
mod list;
mod op;
mod sources;
pub mod text;
mod types;
mod verify;

pub use bind::{Bound, HalfAttributes, RasterSteps, RuleId, Shader, Symbolic};
pub use builder::Builder;
pub use carried::{BankVector, Carried};
pub use entity::{EntityRef, PrimaryMap, SecondaryMap};
pub use func::{
    ArrayDecl, ArrayId, Func, OPS_PER_FUEL, OpData, OpId, Origins, RegionData, RegionId, SlotId, SourceId, ValueData,
    ValueDef, ValueId,
};
pub use iface::{
    AliasDecl, AttrDecl, AttrSemantic, BankDecl, BufferDecl, ConstDecl, ImageDecl, ImageShape, Interface, Interp,
    Location, OutputDecl, OutputRole, Stage, TexDecl, UnitDecl,
};
pub use library::LibraryFn;
pub use list::{EntityList, Ids};
pub use op::{
    Access, AtomicOp, Axis, Effect, Immediates, OpKind, Operand, Reduction, Scan, SysVal, TexMode, TexOp, TexTarget,
};
pub use sources::{Listing, Source, Sources};
pub use types::Type;
pub use verify::{CODES as VERIFY_CODES, MAX_ARRAY_ELEMENTS, MAX_DEPTH, State, Verified, verify, violations};

pub use parallax_num as num;
