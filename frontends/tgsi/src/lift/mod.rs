//! Lifting: syntax tree to IR.

pub(crate) mod alu;
pub(crate) mod interpolate;
pub(crate) mod older;
mod operand;
pub(crate) mod quad;
mod registers;
mod texture;
mod walk;

use crate::ast::{Index, Instruction, Program};
use crate::opcode::Sem;
use crate::structure::Structure;
use crate::words::Processor;
use parallax_core::{Func, Shader, SlotId, SourceId, Stage, Symbolic, ValueId};
use parallax_lift::vector::Results;
use parallax_lift::{Calls, Lifter, Options, Setting};
use parallax_num::{Contract, Decl, Saturate, Slot, ZeroMul};
use parallax_text::Diag;
use registers::Registers;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

/// Computes what one instruction leaves in its destination; `_SAT` is left to the caller.
pub(crate) type LiftFn = fn(&mut Ctx<'_, '_>, &Instruction) -> Results;

/// Frontend options.
pub const SETTINGS: &[Setting] = &[Setting {
    name: "mul-zero-wins",
    values: &["property", "ignore"],
    doc: "whether the property LEGACY_MATH_RULES (MUL_ZERO_WINS) makes zero times anything zero",
}];

/// Lifts a program.
///
/// # Errors
/// Everything that is not executed, by name and place; unknown options; watched or preset registers that do not exist.
pub fn lift(program: &Program, options: &Options) -> Result<Shader<Symbolic>, Vec<Diag>> {
    let mut diags = options.check(SETTINGS);
    let stage = match program.processor {
        Processor::Fragment => Stage::Fragment,
        Processor::Vertex => Stage::Vertex,
        Processor::Geometry | Processor::TessControl | Processor::TessEval | Processor::Compute => {
            let message = format!("{} shaders are not executed", program.processor);
            diags.push(Diag::unsupported("tgsi-stage-unsupported", program.span, message));
            return Err(diags);
        }
    };
    for inst in &program.instructions {
        if let Sem::Unsupported(reason) = inst.op.row().sem {
            let message = format!("{}: {reason}", inst.op);
            diags.push(Diag::unsupported("tgsi-opcode-unsupported", inst.op_span, message));
        }
    }
    if !diags.is_empty() {
        return Err(diags);
    }
    // Registers addressed by registers become arrays of floats; those that turn out to hold integers as well are
    // lifted again as arrays of bits.
    let mut bit_arrays: FxHashSet<String> = FxHashSet::default();
    loop {
        let mut func = Func::new("shader", "tgsi", stage);
        func.uncompiled = true;
        let known = bit_arrays.len();
        attempt(&mut func, program, options, &mut bit_arrays)?;
        if bit_arrays.len() == known {
            return Ok(Shader::new(func));
        }
    }
}

/// One pass over the program; adds to `bit_arrays` what should have been an array of bits.
fn attempt(
    func: &mut Func,
    program: &Program,
    options: &Options,
    bit_arrays: &mut FxHashSet<String>,
) -> Result<(), Vec<Diag>> {
    let mut lifter = Lifter::new(func);
    let mut diags = Vec::new();
    let registers = Registers::new(&mut lifter, program, bit_arrays, &mut diags);
    let honour = program.sets(crate::words::PropertyName::LegacyMathRules) && options.value(&SETTINGS[0]) == "property";
    let mut ctx = Ctx {
        l: lifter,
        program,
        registers,
        diags,
        calls: Calls::default(),
        slots: [None; 4],
        zero_mul: honour.then_some(ZeroMul::Zero),
        addresses: SmallVec::new(),
        sources: vec![None; program.instructions.len()],
    };
    ctx.presets(options);
    let structure = Structure::of(&program.instructions, program.span, &mut ctx.diags);
    ctx.walk(&structure);
    ctx.l.at(None);
    ctx.outputs();
    ctx.watches(options);
    let Ctx { l, mut diags, .. } = ctx;
    if !diags.is_empty() {
        diags.sort_by_key(|d| d.span.map_or(0, |s| s.start));
        diags.dedup();
        return Err(diags);
    }
    bit_arrays.extend(l.arrays_with_bits());
    l.finish()
}

/// A lift in progress.
pub(crate) struct Ctx<'a, 'f> {
    pub(crate) l: Lifter<'f>,
    pub(crate) program: &'a Program,
    pub(crate) registers: Registers,
    pub(crate) diags: Vec<Diag>,
    calls: Calls,
    /// Slots by `_SAT` and `_PRECISE`.
    slots: [Option<SlotId>; 4],
    zero_mul: Option<ZeroMul>,
    /// Indices computed for the current instruction.
    addresses: SmallVec<[(Index, ValueId); 4]>,
    sources: Vec<Option<SourceId>>,
}

impl Ctx<'_, '_> {
    /// The slot of an instruction: its format and suffixes.
    pub(crate) fn slot(&mut self, inst: &Instruction) -> SlotId {
        self.slot_with(inst.saturate, inst.precise)
    }

    pub(crate) fn slot_with(&mut self, saturate: bool, precise: bool) -> SlotId {
        let at = usize::from(saturate) + 2 * usize::from(precise);
        if let Some(slot) = self.slots[at] {
            return slot;
        }
        let slot = Slot {
            saturate: if saturate { Saturate::Unsigned } else { Saturate::None },
            contract: if precise { Contract::Never } else { Contract::Model },
            zero_mul: self.zero_mul,
            ..Slot::plain(Decl::F32)
        };
        let id = self.l.b.slot(slot);
        self.slots[at] = Some(id);
        id
    }

    pub(crate) fn unsupported(&mut self, code: parallax_text::Code, span: parallax_text::Span, message: String) {
        self.diags.push(Diag::unsupported(code, span, message));
    }
}

impl Program {
    /// Whether a property is set to anything but 0.
    pub(crate) fn sets(&self, name: crate::words::PropertyName) -> bool {
        self.properties.iter().any(|p| p.name == name && p.value != 0)
    }
}
