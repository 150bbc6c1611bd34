//! Lifting: instructions to IR.

mod alu;
mod effects;
mod fixed;
mod flow;
mod operand;
mod registers;
mod settings;

use crate::check::check_reach;
use crate::control_flow::Reach;
use crate::{codec::codec, program::Program};
use flow::Flow;
use parallax_core::{EntityRef, Func, Listing, Shader, SlotId, SourceId, Sources, Stage, Symbolic, ValueId};
use parallax_isa::{Out, Style};
use parallax_lift::structure::structure;
use parallax_lift::{Lifter, Options};
use parallax_num::{Decl, Saturate, Slot};
use parallax_text::Diag;
use registers::Registers;
pub use settings::SETTINGS;
use settings::Settings;

/// Lifts a program.
///
/// Jumps become regions; a jump is taken where its condition holds in the whole quad (in the whole vector, which for a
/// vertex program is the one vertex). The program ends at an end flag, at END, or behind its last instruction.
///
/// # Errors
/// What [`check`](crate::check()) finds; unknown options; watched or preset registers that do not exist.
pub fn lift(program: &Program, options: &Options) -> Result<Shader<Symbolic>, Vec<Diag>> {
    let mut diags = options.check(SETTINGS);
    let reach = Reach::of(program);
    diags.extend(check_reach(program, &reach).into_iter().filter(Diag::is_error));
    if !diags.is_empty() {
        return Err(diags);
    }
    let settings = Settings::of(options);
    let mut func = Func::new("shader", "attila", settings.stage);
    // Four components, and what they read; what blocks pass on.
    func.reserve(program.instrs.len() * 4 + 16 * reach.terminators.len());
    let mut l = Lifter::new(&mut func);
    let flow = Flow::of(program, reach);
    let registers = Registers::new(&mut l, program, &flow, &settings, options, &mut diags);
    let plan = structure(&flow.successors);
    let mut ctx = Ctx { l, program, settings, flow, registers, slots: [None; 2], index: None, guard: None };
    ctx.name_sources();
    plan.lift(&mut ctx);
    ctx.l.at(None);
    ctx.finish();
    ctx.watches(options, &mut diags);
    if !diags.is_empty() {
        return Err(diags);
    }
    ctx.l.finish()?;
    Ok(Shader::new(func))
}

/// A lift in progress.
pub(crate) struct Ctx<'a, 'f> {
    l: Lifter<'f>,
    program: &'a Program,
    settings: Settings,
    flow: Flow,
    registers: Registers,
    /// Slots without and with saturation.
    slots: [Option<SlotId>; 2],
    /// The address constants of the current instruction are relative to.
    index: Option<ValueId>,
    /// The guard of the current instruction.
    guard: Option<ValueId>,
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

    /// Makes instruction `n` the origin of the ops that follow.
    fn begin(&mut self, n: usize) {
        self.l.at((n < self.program.instrs.len()).then(|| SourceId::new(n)));
    }

    /// Makes each instruction a source. Its text is printed when somebody asks for it.
    fn name_sources(&mut self) {
        let lines = self.program.lines.iter().map(|line| (line.line, line.span.start));
        let places = lines.chain(std::iter::repeat((0, 0))).take(self.program.instrs.len()).collect();
        let instrs = self.program.instrs.clone();
        self.l.b.func.sources = Sources::printed_later(places, move || {
            let codec = codec();
            let mut out = Out::with_capacity(128);
            let mut listing = Listing::with_capacity(instrs.len(), instrs.len() * 32);
            for instr in &instrs {
                out.clear();
                codec.print(instr.row_id(), instr.word(), Style::Vendor, &mut out);
                listing.push(out.as_str());
            }
            listing
        });
    }

    /// Whether conditions are those of one pixel or vertex, not of the quad.
    fn single(&self) -> bool {
        self.settings.stage == Stage::Vertex
    }
}
