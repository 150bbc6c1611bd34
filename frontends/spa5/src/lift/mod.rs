//! Lifting: instructions to IR.

mod atomic;
mod attribute;
mod convert;
mod dot;
mod double;
mod fault;
mod flags;
mod float;
mod flow;
mod global;
mod half;
mod integer;
mod kernel;
mod logic;
mod memory;
mod operand;
mod pixel;
mod predicate;
mod quad;
mod registers;
mod settings;
mod shape;
mod surface;
mod texel;
mod texture;
mod vertex;
mod video;

use crate::view::{Name, Operands};
use crate::{codec::codec, op::Op, program::Program};
use flow::Flow;
use global::Space;
use operand::Modifiers;
use parallax_core::{EntityRef, Func, Listing, OpKind, Shader, SlotId, SourceId, Sources, Stage, Symbolic, ValueId};
use parallax_isa::{Meaning, Out, Style};
use parallax_lift::structure::structure;
use parallax_lift::{Deferred, Kernel, Lifter, Options};
use parallax_num::Op as Arithmetic;
use parallax_text::Diag;
pub use pixel::{COVERED_TRUE, OFFSET_SAMPLES};
use registers::{Memories, Registers};
use rustc_hash::FxHashSet;
use settings::Settings;
pub use settings::{OFFSET_FRAC_BITS, SETTINGS};
use std::collections::BTreeSet;
use vertex::Results;

/// Lifts a program.
///
/// Branches and the stacks of SSY, PBK, PCNT and PRET become regions. The program ends at EXIT or behind its last
/// instruction; then the header says which registers are colours, the sample mask and the depth.
///
/// # Errors
/// Instructions that are not executed, by name; targets outside of the program; pops without a push; unknown options;
/// watched or preset registers that do not exist.
pub fn lift(program: &Program, options: &Options) -> Result<Shader<Symbolic>, Vec<Diag>> {
    let mut diags = options.check(SETTINGS);
    if !diags.is_empty() {
        return Err(diags);
    }
    let kernel = kernel_of(program, options);
    let flow = Flow::of(program, kernel.as_ref().map_or(&[], |kernel| &kernel.tables))?;
    let stage = if kernel.is_some() { Stage::Compute } else { stage_of(program, options)? };
    let mut func = Func::new("shader", "spa5", stage);
    func.reserve(program.instrs.len() * 2);
    let mut l = Lifter::new(&mut func);
    let mut memories = Memories::default();
    let surfaces = surface::named(program, &flow);
    if let Some(kernel) = &kernel {
        memories = kernel::declare(&mut l, kernel, &surfaces, options, &mut diags);
        let asks = |wanted: fn(Op) -> bool| flow.instrs(program).any(|instr| instr.op().is_some_and(wanted));
        memories.vote = asks(|op| op == Op::BarRed).then(|| l.add_variables(1));
        memories.clock = asks(|op| matches!(op, Op::S2r | Op::Cs2r)).then(|| l.add_variables(1));
        for variable in [memories.vote, memories.clock].into_iter().flatten() {
            l.set(variable, Deferred::word(0));
        }
        if !options.robust && asks(fault::may_fault) {
            memories.fault = Some(fault::Report::new(&mut l));
        }
    }
    memories.declare_surfaces(&mut l, &surfaces);
    let registers = Registers::new(&mut l, program, &flow, kernel.as_ref(), options, &mut diags);
    let results = (stage == Stage::Vertex).then(|| Results::new(&mut l));
    let plan = structure(&flow.successors);
    let mut ctx = Ctx {
        l,
        program,
        settings: Settings::of(options),
        flow,
        registers,
        memories,
        kernel,
        results,
        slots: [None; Modifiers::SLOTS],
        measured: Vec::new(),
        guard: None,
        current: 0,
        diags,
        refused: FxHashSet::default(),
    };
    ctx.name_sources();
    plan.lift(&mut ctx);
    ctx.declare_measured();
    ctx.l.at(None);
    ctx.guard = None;
    if stage == Stage::Vertex {
        ctx.finish_vertex();
    } else {
        ctx.finish();
        ctx.report_fault();
    }
    let mut diags = std::mem::take(&mut ctx.diags);
    ctx.watches(options, &mut diags);
    if !diags.is_empty() {
        return Err(diags);
    }
    let by_order = ctx.settings.units_by_order;
    ctx.l.finish()?;
    if by_order {
        number_units(&mut func);
    }
    Ok(Shader::new(func))
}

/// What is known of a kernel: from its container, from the text, or nothing but that the caller says it is one. A program with a header
/// is none.
fn kernel_of(program: &Program, options: &Options) -> Option<Kernel> {
    if program.header.is_some() {
        return None;
    }
    let said = options.kernel.as_ref().or(program.kernel.as_ref());
    said.cloned().or_else(|| (options.stage == Some(Stage::Compute)).then(Kernel::default))
}

/// The stage of a program that is no kernel: what its header says, or the caller where it has none.
fn stage_of(program: &Program, options: &Options) -> Result<Stage, Vec<Diag>> {
    let Some(header) = &program.header else {
        return Ok(if options.stage == Some(Stage::Vertex) { Stage::Vertex } else { Stage::Fragment });
    };
    header.stage().ok_or_else(|| {
        let message = format!("shaders of the stage `{}` are not executed", header.stage_name());
        vec![Diag::unsupported("stage", program.lines.first().map_or_else(Default::default, |line| line.span), message)]
    })
}

/// Numbers texture units, so far the numbers of handles, from 0 on in the order of their handles.
fn number_units(func: &mut Func) {
    let handles: BTreeSet<u16> = func.iface.textures.iter().map(|decl| decl.unit).collect();
    let number = |unit: u16| handles.range(..unit).count() as u16;
    func.iface.textures.iter_mut().for_each(|decl| decl.unit = number(decl.unit));
    for op in func.ops.values_mut() {
        match &mut op.kind {
            OpKind::Tex(tex) => tex.unit = number(tex.unit),
            OpKind::TextureSize { unit, .. } => *unit = number(*unit),
            _ => {}
        }
    }
}

/// A lift in progress.
pub(crate) struct Ctx<'a, 'f> {
    l: Lifter<'f>,
    program: &'a Program,
    settings: Settings,
    flow: Flow,
    registers: Registers,
    memories: Memories,
    /// What is known of the kernel, if this is one.
    kernel: Option<Kernel>,
    /// What a vertex shader writes, if this is one.
    results: Option<Results>,
    slots: [Option<SlotId>; Modifiers::SLOTS],
    /// Units of textures that are asked for their size.
    measured: Vec<u16>,
    /// The guard of the current instruction; `None` where it runs in all lanes.
    guard: Option<ValueId>,
    /// The current instruction.
    current: usize,
    diags: Vec<Diag>,
    /// Instructions that were refused already.
    refused: FxHashSet<usize>,
}

impl Ctx<'_, '_> {
    /// Makes instruction `n` the origin of the ops that follow.
    fn begin(&mut self, n: usize) {
        self.l.at(Some(SourceId::new(n)));
        self.current = n;
    }

    /// Makes each instruction a source. Its text is printed when somebody asks for it.
    fn name_sources(&mut self) {
        let lines = self.program.lines.iter().map(|line| (line.line, line.span.start));
        let places = lines.collect();
        let (instrs, addresses) = (self.program.instrs.clone(), self.program.addresses);
        self.l.b.func.sources = Sources::printed_later(places, move || {
            let codec = codec();
            let mut out = Out::with_capacity(128);
            let mut listing = Listing::with_capacity(instrs.len(), instrs.len() * 32);
            for (n, instr) in instrs.iter().enumerate() {
                out.clear();
                let code = instr.code_at(addresses.of_instruction(n));
                codec.print(instr.row_id(), code, Style::Vendor, &mut out);
                listing.push(out.as_str().trim_end());
            }
            listing
        });
    }

    /// The mnemonic of an instruction with its modifiers.
    fn mnemonic(&self, n: usize) -> String {
        let text = self.program.instrs[n].text(self.program.addresses.of_instruction(n), Style::Vendor);
        text.split(' ').find(|word| !word.starts_with('@')).unwrap_or_default().to_string()
    }

    /// Says that the current instruction is not executed.
    fn refuse(&mut self, why: &str) {
        let n = self.current;
        if self.refused.insert(n) {
            let message = format!("{}: {why}", self.mnemonic(n));
            self.diags.push(Diag::unsupported("not-executed", self.program.lines[n].span, message));
        }
    }

    /// Says that the current instruction means nothing.
    fn invalid(&mut self, code: parallax_text::Code, why: &str, help: &str) {
        let n = self.current;
        if self.refused.insert(n) {
            let message = format!("{}: {why}", self.mnemonic(n));
            self.diags.push(Diag::invalid(code, self.program.lines[n].span, message).with_help(help));
        }
    }

    /// Lifts one instruction; of one that leads control, nothing.
    fn instruction(&mut self, n: usize) {
        let instr = &self.program.instrs[n];
        let i = Operands::of(instr);
        let Some(op) = instr.op() else {
            let why = match instr.row().meaning {
                Meaning::Unsupported(why) | Meaning::Refused(why) => why,
                Meaning::Lift(_) => "it is not executed",
            };
            return self.refuse(why);
        };
        self.guard = match flow::guard(i) {
            Some(false) => return,
            Some(true) => None,
            None if flow::leads(op) => None,
            None => Some(self.predicate(i.get(Name::Guard))),
        };
        match op {
            Op::Bra
            | Op::Brk
            | Op::Brx
            | Op::Cal
            | Op::Cont
            | Op::Exit
            | Op::Pbk
            | Op::Pcnt
            | Op::Pret
            | Op::Ret
            | Op::Ssy
            | Op::Sync
            | Op::Nop
            | Op::Cache
            | Op::Membar
            | Op::Depbar => {}
            Op::Ipa | Op::Pixld | Op::Kil if self.results.is_some() => self.refuse("it is for pixel shaders"),
            Op::Fadd => self.fadd(i),
            Op::Fmul => self.fmul(i),
            Op::Ffma => self.ffma(i),
            Op::Fmnmx => self.fmnmx(i),
            Op::Fset => self.fset(i),
            Op::Fsetp => self.fsetp(i),
            Op::Fcmp => self.fcmp(i),
            Op::Dadd => self.double_pair(i, Arithmetic::Add),
            Op::Dmul => self.double_pair(i, Arithmetic::Mul),
            Op::Dfma => self.dfma(i),
            Op::Dmnmx => self.dmnmx(i),
            Op::Dset => self.double_compare(i, true),
            Op::Dsetp => self.double_compare(i, false),
            Op::Hadd2 => self.halves(i, Arithmetic::Add),
            Op::Hmul2 => self.halves(i, Arithmetic::Mul),
            Op::Hfma2 => self.halves(i, Arithmetic::Mad),
            Op::Hset2 => self.halves_set(i),
            Op::Hsetp2 => self.halves_set_predicates(i),
            // What it checks is not published. The slow path of the vendor's divisions is right for all numbers.
            Op::Fchk => {
                let yes = self.l.b.pred(true);
                self.write_predicate(i.number(Name::PredicateResult), yes);
            }
            Op::Mufu => self.mufu(i),
            Op::Rro => self.rro(i),
            Op::F2f => self.f2f(i),
            Op::F2i => self.f2i(i),
            Op::I2f => self.i2f(i),
            Op::I2i => self.i2i(i),
            Op::Iadd => self.iadd(i),
            Op::Iadd3 => self.iadd3(i),
            Op::Iscadd => self.iscadd(i),
            Op::Lea => self.lea(i),
            Op::Imnmx => self.imnmx(i),
            Op::Imul => self.imul(i),
            Op::Imad => self.imad(i),
            Op::Xmad => self.xmad(i),
            Op::Dot4 => self.dot(i, 4),
            Op::Dot2 => self.dot(i, 2),
            Op::Iset => self.iset(i),
            Op::Isetp => self.isetp(i),
            Op::Icmp => self.icmp(i),
            Op::Mov => self.mov(i),
            Op::Sel => self.sel(i),
            Op::Shl => self.shl(i),
            Op::Shr => self.shr(i),
            Op::ShfLeft => self.shf(i, true),
            Op::ShfRight => self.shf(i, false),
            Op::Lop => self.lop(i),
            Op::Lop3 => self.lop3(i),
            Op::Bfe => self.bfe(i),
            Op::Bfi => self.bfi(i),
            Op::Flo => self.flo(i),
            Op::Popc => self.popc(i),
            Op::Prmt => self.prmt(i),
            Op::Pset => self.predicates(i, true),
            Op::Psetp => self.predicates(i, false),
            Op::Cset => self.condition_code(i, true),
            Op::Csetp => self.condition_code(i, false),
            Op::P2r => self.predicates_to_register(i),
            Op::R2p => self.register_to_predicates(i),
            Op::Ldc => self.load_constant(i),
            Op::Ldl => self.load_local(i),
            Op::Stl => self.store_local(i),
            Op::Ld => self.load_memory(i, Space::Generic),
            Op::St => self.store_memory(i, Space::Generic),
            Op::Ldg => self.load_memory(i, Space::Global),
            Op::Stg => self.store_memory(i, Space::Global),
            Op::Lds => self.load_memory(i, Space::Shared),
            Op::Sts => self.store_memory(i, Space::Shared),
            Op::Atom | Op::Atoms | Op::Red => self.atomic(i, op),
            Op::AtomCas => self.compare_and_swap(i, Space::Global),
            Op::AtomsCas => self.compare_and_swap(i, Space::Shared),
            Op::Bar => self.barrier(i),
            Op::BarRed => self.barrier_reduction(i),
            Op::BarResult => self.barrier_result(i),
            Op::Vadd | Op::Vabsdiff | Op::Vmnmx | Op::Vshl | Op::Vshr => self.video(i, op),
            Op::Vabsdiff4 => self.video_four(i),
            Op::Vmad => self.video_mad(i),
            Op::Vset => self.video_set(i),
            Op::Vsetp => self.video_set_predicates(i),
            Op::Ipa => self.ipa(i),
            Op::Ald => self.load_attribute(i, false),
            Op::AldPhysical => self.load_attribute(i, true),
            Op::Ast => self.store_attribute(i, false),
            Op::AstPhysical => self.store_attribute(i, true),
            Op::Al2p => self.physical_address(i),
            Op::Pixld => self.pixel_load(i),
            Op::Kil => self.kill_where(i),
            Op::S2r | Op::Cs2r => self.special_register(i),
            Op::Shfl => self.shuffle(i),
            Op::Fswzadd => self.swizzled_add(i),
            Op::Vote => self.vote(i),
            Op::Tex => self.tex(i),
            Op::Texs => self.texs(i),
            Op::Tlds => self.tlds(i),
            Op::Tld => self.tld(i),
            Op::Txd => self.txd(i),
            Op::Tld4 => self.tld4(i),
            Op::Tld4s => self.tld4s(i),
            Op::Tmml => self.tmml(i),
            Op::TexSize => self.texture_size(i),
            Op::Suld => self.load_texel(i),
            Op::SuldBytes => self.load_surface(i),
            Op::Sust => self.store_texel(i),
            Op::SustBytes => self.store_surface(i),
            Op::Sured | Op::Suatom | Op::SuatomCas => self.change_surface(i, op),
        }
    }
}
