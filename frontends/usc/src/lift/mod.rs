//! Lifting: groups to IR.
//!
//! A group reads everything before it writes anything: what its phases and its backend operation set is held back until the
//! group, or one iteration of a repeated group, is complete. Instances that do not satisfy the group's condition keep what they
//! had.

mod access;
mod alu;
mod bitwise;
mod convert;
mod flow;
mod inputs;
mod integer;
mod iterate;
mod lookups;
mod masks;
mod named;
mod pixel;
mod registers;
mod route;
mod settings;
mod sums;
mod support;
mod texture;

use crate::group::{Condition, Group, GroupKind, Program};
use crate::opcode::{Opcode, Phase};
use crate::operation::Feed;
use crate::print;
use crate::view::Name;
use flow::{ALL, Context, Flow, Link};
use inputs::{Inputs, Planes};
use lookups::Units;
use parallax_core::{
    EntityRef, Func, Listing, OpKind, Shader, SlotId, SourceId, Sources, Stage, Symbolic, Type, ValueId,
};
use parallax_lift::structure::{Blocks, structure};
use parallax_lift::{Deferred, Lifter, Options, WriteBuffer};
use parallax_num::{Decl, Op, Saturate, Slot};
use parallax_text::Diag;
use registers::{Registers, Stores};
pub use settings::SETTINGS;
use settings::Settings;
use std::sync::Arc;

/// Lifts a program. One that writes vertex outputs is a vertex program, any other a fragment program.
///
/// The instances of a quad branch together, and conditional groups look at the quad where they ask for any instance. A program
/// ends at an end flag or behind its last group.
///
/// # Errors
/// What can be read but not executed, by name; branches to where no group begins; unknown options; watched or preset registers
/// that do not exist.
pub fn lift(program: &Program, options: &Options) -> Result<Shader<Symbolic>, Vec<Diag>> {
    let mut diags = options.check(SETTINGS);
    if program.groups.is_empty() {
        diags.push(Diag {
            span: None,
            ..Diag::invalid("empty-program", Default::default(), "the program has no groups")
        });
        return Err(diags);
    }
    let settings = Settings::of(options);
    let flow = Flow::of(program, options.preset.iter().any(|name| name == "pe"), &mut diags);
    support::check(program, &flow, &settings, &mut diags);
    if !diags.is_empty() {
        parallax_text::sort_by_key(&mut diags, |diag| diag.span);
        return Err(diags);
    }
    let vertex = flow.does(Opcode::Uvsw);
    let stage = if vertex { Stage::Vertex } else { Stage::Fragment };
    let mut func = Func::new("shader", "usc", stage);
    func.reserve(flow.operations() * OPS + MORE_OPS);
    let mut l = Lifter::new(&mut func);
    let presets = l.presets(options);
    let mut inputs = Inputs::new(&mut l, stage, &presets);
    let registers = Registers::new(&mut l, program, &flow, options, &presets, &mut inputs, &mut diags);
    inputs.declare(&mut l, program, &flow, &mut diags);
    let units = Units::of(program, &flow);
    let plan = structure(&flow.successors);
    let mut ctx = Ctx {
        l,
        program,
        settings,
        context: Context::default(),
        flow,
        registers,
        inputs,
        units,
        slots: [None; 2],
        iteration: 0,
        guard: None,
        packed: None,
        buffer: WriteBuffer::new(),
        stores: Stores::new(),
        diags,
    };
    ctx.name_sources();
    plan.lift(&mut ctx);
    ctx.l.at(None);
    ctx.context = Context::default();
    ctx.finish();
    ctx.watches(options);
    let Ctx { l, diags, .. } = ctx;
    if !diags.is_empty() {
        return Err(diags);
    }
    l.finish()?;
    Ok(Shader::new(func))
}

/// Ops that there is room for from the start, for each operation and besides: more than most programs have.
const OPS: usize = 4;
const MORE_OPS: usize = 64;

/// A lift in progress.
pub(crate) struct Ctx<'a, 'f> {
    l: Lifter<'f>,
    program: &'a Program,
    settings: Settings,
    /// Of the block being lifted.
    context: Context,
    flow: Flow,
    registers: Registers,
    inputs: Inputs,
    units: Units,
    /// F32 slots without and with saturation.
    slots: [Option<SlotId>; 2],
    /// Iteration of the current group, from 0.
    iteration: u8,
    /// Which instances run the current group; `None` for all.
    guard: Option<ValueId>,
    /// The word that the iterations of a pack fill.
    packed: Option<Deferred>,
    buffer: WriteBuffer,
    stores: Stores,
    diags: Vec<Diag>,
}

/// What the phases of a group pass on.
#[derive(Copy, Clone, Debug)]
struct Feeds {
    /// ft0, ft1, ft2, fte, as far as they are there.
    vals: [Option<Deferred>; 4],
    /// Carry of the integer operation in phase 0.
    carry: Option<ValueId>,
    /// Outcome of the test.
    test: Option<ValueId>,
    /// Outputs that an operation drives itself.
    outputs: [Option<Deferred>; 2],
}

impl Feeds {
    const fn none() -> Feeds {
        Feeds { vals: [None; 4], carry: None, test: None, outputs: [None; 2] }
    }

    /// Feed-throughs nobody drives are 0.
    fn get(&self, feed: Feed) -> Deferred {
        self.vals[feed as usize].unwrap_or(Deferred::word(0))
    }

    fn set(&mut self, feed: Feed, val: impl Into<Deferred>) {
        self.vals[feed as usize] = Some(val.into());
    }
}

impl Ctx<'_, '_> {
    fn slot(&mut self, saturate: bool) -> SlotId {
        if let Some(slot) = self.slots[usize::from(saturate)] {
            return slot;
        }
        let saturate_how = if saturate { Saturate::Unsigned } else { Saturate::None };
        let slot = self.l.b.slot(Slot { saturate: saturate_how, ..Slot::plain(Decl::F32) });
        self.slots[usize::from(saturate)] = Some(slot);
        slot
    }

    /// A float literal by its pattern.
    fn float_literal(&mut self, bits: u32) -> ValueId {
        let slot = self.slot(false);
        self.l.b.float(slot, bits.into())
    }

    /// Makes group `n` the origin of the ops that follow.
    fn begin(&mut self, n: usize) {
        self.l.at((n < self.program.groups.len()).then(|| SourceId::new(n)));
    }

    /// Makes each group a source. Its text is printed when somebody asks for it.
    fn name_sources(&mut self) {
        let places = self.program.places.iter().map(|place| (place.line, place.span.start));
        let places = places.chain(std::iter::repeat((0, 0))).take(self.program.groups.len()).collect();
        let groups = Arc::clone(&self.program.groups);
        self.l.b.func.sources = Sources::printed_later(places, move || {
            let mut listing = Listing::with_capacity(groups.len(), groups.len() * 48);
            groups.iter().for_each(|group| listing.push(&print::text(group)));
            listing
        });
    }

    /// Which instances satisfy a condition; `None` for all.
    fn holds(&mut self, condition: Condition) -> Option<ValueId> {
        let running = |ctx: &mut Self| ctx.registers.masked.then(|| ctx.l.read_as(ctx.registers.pe, Type::Pred));
        let p0 = match condition {
            Condition::Always => return None,
            Condition::Running => return running(self),
            Condition::IfP0 => self.l.read_as(self.registers.p0, Type::Pred),
            Condition::IfNotP0 => {
                let p0 = self.l.read_as(self.registers.p0, Type::Pred);
                self.l.b.int(Op::Pnot, &[p0])
            }
        };
        Some(match running(self) {
            Some(pe) => self.l.b.int(Op::Pand, &[pe, p0]),
            None => p0,
        })
    }

    /// Executes group `n`, but for a branch.
    fn group(&mut self, n: usize) {
        let program = self.program;
        let Some(group) = program.groups.get(n) else { return };
        self.packed = None;
        for iteration in 0..group.head.repeat.max(1) {
            self.iteration = iteration;
            self.guard = self.holds(group.head.condition);
            match group.head.kind {
                GroupKind::Main => self.main(n, group),
                GroupKind::Bitwise => self.bitwise(group),
                GroupKind::Control => self.control(n, group),
            }
            self.commit();
        }
    }

    /// Phases in their order, outputs, backend.
    fn main(&mut self, n: usize, group: &Group) {
        let mut feeds = Feeds::none();
        let mut sums = false;
        let mut choice = None;
        for operation in &group.operations {
            match operation.opcode() {
                // All statements of a group together.
                Opcode::Sop | Opcode::Sopmov | Opcode::WideSum => sums = true,
                Opcode::Pck => self.pack(group, operation, &mut feeds),
                Opcode::Test => self.test(group, operation, &mut feeds),
                Opcode::Mov | Opcode::Movc => choice = Some(operation),
                _ if operation.phase() <= Phase::Two => self.arithmetic(group, operation, &mut feeds),
                _ => {}
            }
        }
        if sums {
            self.sums(group, &mut feeds);
        }
        let outputs = self.outputs(group, choice, &feeds);
        // The word that iterations fill has one register.
        let iteration = self.iteration;
        if self.packed.is_some() {
            self.iteration = 0;
        }
        for (k, val) in outputs.into_iter().enumerate() {
            self.write_output(group, k, val);
        }
        self.iteration = iteration;
        if let Some(operation) = group.operation(Phase::Backend) {
            self.backend(n, group, operation, outputs);
        }
    }

    fn backend(&mut self, n: usize, group: &Group, operation: &crate::operation::Operation, outputs: [Deferred; 2]) {
        match operation.opcode() {
            Opcode::Fitr | Opcode::Fitrp => {
                if let Some(Ok(planes)) = Planes::of(self.program, &self.flow, (n, group, self.context.base), operation)
                {
                    self.iterate(planes);
                }
            }
            Opcode::Smp => self.sample(group, operation),
            Opcode::Uvsw => self.vertex_output(group, operation, outputs),
            Opcode::Atst => self.alpha_test(group, operation),
            Opcode::Depthf => self.set(self.registers.depth, outputs[0]),
            _ => {}
        }
    }

    fn control(&mut self, n: usize, group: &Group) {
        let Some(operation) = group.operation(Phase::Control) else { return };
        match operation.opcode() {
            Opcode::Ditr => {
                if let Some(Ok(planes)) = Planes::of(self.program, &self.flow, (n, group, self.context.base), operation)
                {
                    self.iterate(planes);
                }
            }
            Opcode::Itrsmp => {
                if let Some(Ok(planes)) = Planes::of(self.program, &self.flow, (n, group, self.context.base), operation)
                {
                    self.sample_iterated(group, operation, &planes);
                }
            }
            Opcode::Savl => {
                // In units of 16 bits.
                let groups = &self.program.groups;
                let end = groups.last().map_or(0, |last| last.offset + last.len);
                if let (Link::Group(to), Some(register)) = (self.context.link, group.output(0)) {
                    let address = groups.get(to).map_or(end, |group| group.offset);
                    self.write(register, Deferred::word(address / 2));
                }
            }
            opcode if opcode.is_conditional() => self.conditional(group, operation),
            // Results of requests are there at once.
            _ => {}
        }
    }
}

impl<'f> Blocks<'f> for Ctx<'_, 'f> {
    fn lifter(&mut self) -> &mut Lifter<'f> {
        &mut self.l
    }

    fn begin_loop(&mut self, block: usize) {
        let first = self.flow.blocks[block].start;
        self.begin(first);
    }

    fn block(&mut self, block: usize) {
        self.context = self.flow.contexts[block];
        for n in self.flow.blocks[block].clone() {
            self.begin(n);
            self.group(n);
        }
    }

    /// The instances of a quad branch together: where any of those that satisfy the condition does, or all do.
    fn condition(&mut self, block: usize) -> ValueId {
        let program = self.program;
        let last = self.flow.blocks[block].end.saturating_sub(1);
        self.begin(last);
        let Some(group) = program.groups.get(last) else { return self.l.b.pred(false) };
        let all = group.operation(Phase::Control).is_some_and(|operation| operation.get(Name::Who) == ALL);
        let holds = match self.holds(group.head.condition) {
            Some(pred) => pred,
            None => return self.l.b.pred(true),
        };
        let kind = if all { OpKind::QuadAll } else { OpKind::QuadAny };
        self.l.b.quad(kind, holds)
    }
}
