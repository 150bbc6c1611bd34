//! Lifting: syntax tree to IR.

pub(crate) mod alu;
mod buffers;
mod image;
pub(crate) mod interpolate;
pub(crate) mod memory;
pub(crate) mod older;
mod operand;
pub(crate) mod quad;
mod registers;
pub(crate) mod texture;
mod walk;
pub(crate) mod wide;

use crate::ast::{Index, Instruction, Program, Reg};
use crate::opcode::{Opcode, Sem};
use crate::reader::parse;
use crate::structure::Structure;
use crate::words::{Processor, PropertyName};
use parallax_core::{Func, Listing, Shader, SlotId, Source, SourceId, Sources, Stage, Symbolic, ValueId};
use parallax_lift::vector::Results;
use parallax_lift::{Calls, Lifter, Options, Setting, VarId};
use parallax_num::{Contract, Decl, Saturate, Slot, ZeroMul};
use parallax_text::Diag;
use registers::Registers;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

pub use wide::WideOp;

/// Computes what one instruction leaves in its destination; `_SAT` is left to the caller.
pub(crate) type LiftFn = fn(&mut Ctx<'_, '_>, &Instruction) -> Results;

/// Frontend options.
pub const SETTINGS: &[Setting] = &[MUL_ZERO_WINS, buffers::SHARED_BYTES];

const MUL_ZERO_WINS: Setting = Setting {
    name: "mul-zero-wins",
    values: &["property", "ignore"],
    doc: "whether the property LEGACY_MATH_RULES (MUL_ZERO_WINS) makes zero times anything zero",
};

/// Resources that a program may look at in all where a register names one of several. Each is an access or a lookup.
const MAX_TRIED: usize = 1 << 15;

/// Lifts a program.
///
/// # Errors
/// Everything that is not executed, by name and place; unknown options; watched or preset registers that do not exist.
pub fn lift(program: &Program, options: &Options) -> Result<Shader<Symbolic>, Vec<Diag>> {
    lift_as(program, options, &|places, order| {
        let mut sources = Sources::default();
        let mut text = String::with_capacity(64);
        for (&(line, offset), &at) in places.iter().zip(order) {
            text.clear();
            program.instructions[at as usize].print(&mut text);
            sources.push(Source { line, offset, text: &text });
        }
        sources
    })
}

/// The same of a program that was just read from `text`: its listing is printed when somebody asks for it, from the text, which is
/// read once more then.
pub(crate) fn lift_text(program: &Program, text: &str, options: &Options) -> Result<Shader<Symbolic>, Vec<Diag>> {
    lift_as(program, options, &|places, order| {
        let (text, order): (Box<str>, Box<[u32]>) = (text.into(), order.into());
        Sources::printed_later(places.to_vec(), move || {
            let instructions = parse(&text).0.map_or(Vec::new(), |program| program.instructions);
            let mut listing = Listing::with_capacity(order.len(), text.len());
            let mut line = String::with_capacity(64);
            for &at in &order {
                line.clear();
                if let Some(instruction) = instructions.get(at as usize) {
                    instruction.print(&mut line);
                }
                listing.push(&line);
            }
            listing
        })
    })
}

/// Makes the sources of a shader of their places and the numbers of their instructions.
type List<'a> = &'a dyn Fn(&[(u32, u32)], &[u32]) -> Sources;

fn lift_as(program: &Program, options: &Options, list: List<'_>) -> Result<Shader<Symbolic>, Vec<Diag>> {
    let mut diags = options.check(SETTINGS);
    let stage = match program.processor {
        Processor::Fragment => Stage::Fragment,
        Processor::Vertex => Stage::Vertex,
        Processor::Compute => Stage::Compute,
        Processor::Geometry | Processor::TessControl | Processor::TessEval => {
            let message = format!("{} shaders are not executed", program.processor);
            diags.push(Diag::unsupported("tgsi-stage-unsupported", program.span, message));
            return Err(diags);
        }
    };
    let workgroup = workgroup(program, &mut diags);
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
        func.iface.workgroup = workgroup;
        // What a usual instruction comes to, so that the lists seldom grow.
        func.reserve(program.instructions.len() * 8);
        let known = bit_arrays.len();
        attempt(&mut func, program, options, list, &mut bit_arrays)?;
        if bit_arrays.len() == known {
            return Ok(Shader::new(func));
        }
    }
}

/// Invocations of a workgroup along x, y and z: all 1 outside of compute.
fn workgroup(program: &Program, diags: &mut Vec<Diag>) -> [u32; 3] {
    use PropertyName::{CsFixedBlockDepth, CsFixedBlockHeight, CsFixedBlockWidth};
    let sides = [CsFixedBlockWidth, CsFixedBlockHeight, CsFixedBlockDepth];
    let set = |name| program.properties.iter().rev().find(|property| property.name == name && property.value != 0);
    if program.processor == Processor::Compute && set(CsFixedBlockWidth).is_none() {
        let message = "the size of a block is left to the caller".to_string();
        let help = "say it with the properties CS_FIXED_BLOCK_WIDTH, CS_FIXED_BLOCK_HEIGHT and CS_FIXED_BLOCK_DEPTH";
        diags.push(Diag::unsupported("tgsi-block-unsupported", program.span, message).with_help(help));
    }
    match program.processor {
        Processor::Compute => sides.map(|name| set(name).map_or(1, |property| property.value)),
        _ => [1; 3],
    }
}

/// One pass over the program; adds to `bit_arrays` what should have been an array of bits.
fn attempt(
    func: &mut Func,
    program: &Program,
    options: &Options,
    list: List<'_>,
    bit_arrays: &mut FxHashSet<String>,
) -> Result<(), Vec<Diag>> {
    let mut lifter = Lifter::new(func);
    let mut diags = Vec::new();
    let registers = Registers::new(&mut lifter, program, bit_arrays, options, &mut diags);
    let honour = program.sets(PropertyName::LegacyMathRules) && options.value(&MUL_ZERO_WINS) == "property";
    let uses = |op: Opcode| program.instructions.iter().any(|inst| inst.op == op);
    let clock = uses(Opcode::CLOCK).then(|| lifter.add_variables(1));
    let removed = uses(Opcode::READ_HELPER).then(|| lifter.add_variables(1));
    let mut ctx = Ctx {
        l: lifter,
        program,
        registers,
        diags,
        calls: Calls::default(),
        slots: [None; 8],
        zero_mul: honour.then_some(ZeroMul::Zero),
        addresses: SmallVec::new(),
        tried: 0,
        clock,
        removed,
        sources: vec![None; program.instructions.len()],
        order: Vec::with_capacity(program.instructions.len()),
        places: Vec::with_capacity(program.instructions.len()),
    };
    ctx.presets(options);
    let structure = Structure::of(&program.instructions, program.span, &mut ctx.diags);
    ctx.walk(&structure);
    ctx.l.at(None);
    ctx.outputs();
    ctx.watches(options);
    let Ctx { l, registers, mut diags, order, places, .. } = ctx;
    l.b.func.sources = list(&places, &order);
    registers.memories.note_floats(&mut l.b.func.iface.buffers);
    if !diags.is_empty() {
        parallax_text::sort_by_key(&mut diags, |d| d.span.map_or(0, |s| s.start));
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
    /// Slots by `_SAT`, `_PRECISE` and whether floats have 64 bits.
    slots: [Option<SlotId>; 8],
    zero_mul: Option<ZeroMul>,
    /// Indices computed for the current instruction.
    addresses: SmallVec<[(Index, ValueId); 4]>,
    /// Resources that were looked at where a register names one of several.
    tried: usize,
    /// How often the lane asked for the time, in programs that do.
    clock: Option<VarId>,
    /// All ones where the lane was removed, in programs that ask for it.
    removed: Option<VarId>,
    /// Of each instruction that was reached, its number among them.
    sources: Vec<Option<SourceId>>,
    /// The instructions in the order in which they were reached, and their lines and offsets.
    order: Vec<u32>,
    places: Vec<(u32, u32)>,
}

impl Ctx<'_, '_> {
    /// The slot of an instruction: its format and suffixes.
    pub(crate) fn slot(&mut self, inst: &Instruction) -> SlotId {
        self.slot_with(inst.saturate, inst.precise)
    }

    pub(crate) fn slot_with(&mut self, saturate: bool, precise: bool) -> SlotId {
        self.slot_of(Decl::F32, saturate, precise)
    }

    /// The same of another format.
    pub(crate) fn slot_of(&mut self, decl: Decl, saturate: bool, precise: bool) -> SlotId {
        let is_wide = decl == Decl::F64;
        let at = usize::from(saturate) + 2 * usize::from(precise) + 4 * usize::from(is_wide);
        if let Some(slot) = self.slots[at] {
            return slot;
        }
        let slot = Slot {
            saturate: if saturate { Saturate::Unsigned } else { Saturate::None },
            contract: if precise { Contract::Never } else { Contract::Model },
            // The rules of Direct3D 9, which has no doubles.
            zero_mul: self.zero_mul.filter(|_| !is_wide),
            ..Slot::plain(decl)
        };
        let id = self.l.b.slot(slot);
        self.slots[at] = Some(id);
        id
    }

    /// Whether so many more registers may be looked at where a register names one of them; says so if not.
    pub(crate) fn may_try(&mut self, reg: &Reg, count: usize) -> bool {
        let before = self.tried <= MAX_TRIED;
        self.tried += count;
        let may = self.tried <= MAX_TRIED;
        if before && !may {
            let message = format!("registers name one of several in more than {MAX_TRIED} ways");
            self.unsupported("tgsi-array-unsupported", reg.span, message);
        }
        may
    }

    pub(crate) fn unsupported(&mut self, code: parallax_text::Code, span: parallax_text::Span, message: String) {
        self.diags.push(Diag::unsupported(code, span, message));
    }
}

impl Program {
    /// Whether a property is set to anything but 0.
    pub(crate) fn sets(&self, name: PropertyName) -> bool {
        self.properties.iter().any(|p| p.name == name && p.value != 0)
    }
}
