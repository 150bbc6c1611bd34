//! Rules that need the whole instruction or the whole program.

use crate::ast::{
    Array, Base, ConstValue, Dst, File, Instr, NameId, NameKind, Out, ParamItem, Program, Size, Src, StmtKind, Target,
};
use crate::dialect::{Dialect, Features, VERTEX_ATTRIBUTES, result};
use crate::read::{FLOW, LIMIT, OPERAND, OUTPUT};
use crate::table::{Flow, Sem};
use crate::table::{Group, Shape};
use parallax_lift::vector::VectorOp;
use parallax_text::{Diag, Span};
use rustc_hash::{FxHashMap, FxHashSet};

/// Checks a program as read. Problems are added to `diags`.
pub(crate) fn program(program: &Program, diags: &mut Vec<Diag>) {
    let mut outputs = Outputs::default();
    let mut images: Vec<(u8, Target)> = Vec::new();
    let mut budget = Budget::default();
    vertex_attributes(program, diags);
    indexed_arrays(program, diags);
    // Without an update the register still holds its initial EQ. Said once, and not where jumps change the order.
    let mut cc_known = program.instrs().any(|instr| matches!(instr.row.sem, Sem::Flow(Flow::Jump)));
    for (stmt, instr) in program.body.iter().flat_map(|stmt| stmt.kind.instrs().iter().map(move |instr| (stmt, instr)))
    {
        match program.dialect {
            Dialect::Fp10 => {
                attributes(instr, diags);
                parameters(program, instr, diags);
            }
            Dialect::ArbVertex => position(program, instr, diags),
            Dialect::Vp10 | Dialect::Vp11 | Dialect::Vp20 => {
                attributes(instr, diags);
                vertex_parameters(program, instr, diags);
                position(program, instr, diags);
            }
            _ => {}
        }
        if let Some(dst) = &instr.dst {
            destination(program, instr, dst, diags);
            outputs.write(program, dst, diags);
            budget.base(&dst.base);
        }
        let written = instr.dst.as_ref().filter(|dst| dst.test.is_some()).map(|dst| dst.span);
        if let Some(span) = written.or(instr.test.map(|_| stmt.span)).filter(|_| !cc_known) {
            let message = "the condition code is tested before anything has updated it: every component reads EQ";
            diags.push(Diag::warning(OPERAND, span, message).with_help("the `C` suffix updates it"));
            cc_known = true;
        }
        for src in &instr.srcs {
            source(program, instr, src, diags);
            budget.base(&src.base);
        }
        if let Some(image) = instr.image
            && let Some(target) = image.target
        {
            match images.iter().find(|(unit, _)| *unit == image.unit) {
                Some((_, other)) if *other != target => {
                    let message =
                        format!("texture unit {} is used as {} and as {}", image.unit, other.name(), target.name());
                    diags.push(Diag::invalid(OPERAND, image.span, message));
                }
                Some(_) => {}
                None => images.push((image.unit, target)),
            }
        }
        cc_known |= instr.suffix.cc;
    }
    outputs.finish(program, diags);
    budget.finish(program, diags);
    flow(program, diags);
}

/// A vertex program may not bind one attribute by both of its names (ARB_vertex_program, section 2.14.3.1).
fn vertex_attributes(program: &Program, diags: &mut Vec<Diag>) {
    if program.dialect != Dialect::ArbVertex {
        return;
    }
    // Those bound by their own names, and by number.
    let mut bound = [0u16; 2];
    let mut bind = |base: &Base, span: Span| {
        let Base::Attr(n) = base else { return };
        let (way, n) = (usize::from(*n) / VERTEX_ATTRIBUTES.len(), usize::from(*n) % VERTEX_ATTRIBUTES.len());
        if let (Some(name), true) = (VERTEX_ATTRIBUTES[n], bound[1 - way] >> n & 1 != 0) {
            let message = format!("`vertex.{name}` and `vertex.attrib[{n}]` are one attribute: read it by one name");
            diags.push(Diag::invalid(OPERAND, span, message));
        }
        bound[way] |= 1 << n;
    };
    for name in &program.names {
        if let NameKind::Attrib(base) = &name.kind {
            bind(base, name.span);
        }
    }
    program.instrs().flat_map(|instr| &instr.srcs).for_each(|src| bind(&src.base, src.span));
}

/// An array that an address register reads may bind no parameter twice (ARB_vertex_program, section 2.14.4.2).
fn indexed_arrays(program: &Program, diags: &mut Vec<Diag>) {
    if !program.dialect.is_vertex() {
        return;
    }
    let mut known: Vec<NameId> = Vec::new();
    for src in program.instrs().flat_map(|instr| &instr.srcs) {
        let Base::Relative { array: Array::Name(id), .. } = src.base else { continue };
        let id = program.target(id);
        if known.contains(&id) {
            continue;
        }
        known.push(id);
        let name = &program.names[id.0];
        let NameKind::Param { items, .. } = &name.kind else { continue };
        if let Some(twice) = bound_twice(items) {
            let message = format!("`{}` binds {twice} twice, and an address register reads it", name.text);
            let diag = Diag::invalid(OPERAND, src.span, message).with_label(name.span, "this array");
            diags.push(diag.with_help("bind every parameter once, or read the elements by number"));
        }
    }
}

/// The first parameter that elements of an array bind twice, in the spelling of a text.
fn bound_twice(items: &[ParamItem]) -> Option<String> {
    let mut numbered = FxHashSet::default();
    let mut states = FxHashSet::default();
    for item in items {
        let (file, first, last) = match item {
            ParamItem::Const(_) => continue,
            ParamItem::State(text) => match states.insert(text.as_str()) {
                true => continue,
                false => return Some(format!("`{text}`")),
            },
            ParamItem::Param(file, n) => (*file, *n, *n),
            ParamItem::Range(file, first, last) => (*file, *first, *last),
        };
        if let Some(n) = (first..=last).find(|n| !numbered.insert((file, *n))) {
            return Some(format!("`{}`", crate::print::parameter(Dialect::ArbVertex, file, n)));
        }
    }
    None
}

/// At most one parameter per instruction (NV_vertex_program, section 2.14.1.7; NV_vertex_program2, section 2.14.1.8). With the
/// position-invariant option, `!!VP1.1` has no address of one (NV_vertex_program1_1, section 2.14.B).
fn vertex_parameters(program: &Program, instr: &Instr, diags: &mut Vec<Diag>) {
    let is_parameter = |src: &&Src| matches!(src.base, Base::Param(..) | Base::Relative { .. });
    let mut all = instr.srcs.iter().filter(is_parameter);
    let first = all.next();
    if let Some(other) = first.and_then(|first| all.find(|other| other.base != first.base)) {
        let diag = Diag::invalid(OPERAND, other.span, "an instruction may read only one parameter register");
        diags.push(diag.with_help("copy one of them to a temporary with MOV"));
    }
    let fixed = program.dialect == Dialect::Vp11 && program.features.contains(Features::POSITION_INVARIANT);
    if let Some(src) = instr.srcs.iter().find(|src| fixed && matches!(src.base, Base::Relative { .. })) {
        let message = "with the option NV_position_invariant, `!!VP1.1` has no relative addresses";
        diags.push(Diag::invalid(OPERAND, src.span, message).with_help("use `!!VP2.0`, or remove the option"));
    }
}

/// With ARB_position_invariant, the program leaves the position alone (section 2.14.4.5.1).
fn position(program: &Program, instr: &Instr, diags: &mut Vec<Diag>) {
    if !program.features.contains(Features::POSITION_INVARIANT) {
        return;
    }
    let Some(dst) = &instr.dst else { return };
    let out = match &dst.base {
        Base::Out(out) => *out,
        Base::Name(id, _) => match program.resolve(*id).kind {
            NameKind::Output(out, _) => out,
            _ => return,
        },
        _ => return,
    };
    if out == Out::Vertex(result::POSITION) {
        let option = if program.dialect.is_arb() { "ARB_position_invariant" } else { "NV_position_invariant" };
        let diag = Diag::invalid(OUTPUT, dst.span, format!("the option {option} sets the position"));
        diags.push(diag.with_help("remove the option or this instruction"));
    }
}

/// At most one attribute register per instruction (NV_fragment_program, section 3.11.1.4; NV_vertex_program, section 2.14.1.7).
fn attributes(instr: &Instr, diags: &mut Vec<Diag>) {
    let mut first = None;
    for src in &instr.srcs {
        let Base::Attr(n) = src.base else { continue };
        match first {
            None => first = Some(n),
            Some(m) if m == n => {}
            Some(_) => {
                let message = "an instruction may read only one attribute register";
                diags.push(
                    Diag::invalid(OPERAND, src.span, message).with_help("copy one of them to a temporary with MOV"),
                );
                return;
            }
        }
    }
}

/// `!!FP1.0`: at most one parameter register per instruction; literals and DEFINEs merge while they name at most four
/// different numbers.
fn parameters(program: &Program, instr: &Instr, diags: &mut Vec<Diag>) {
    let mut named: Option<&Base> = None;
    let mut numbers: Vec<u32> = Vec::new();
    for src in &instr.srcs {
        let constant = match &src.base {
            Base::Const(value) => Some(*value),
            Base::Name(id, _) => match &program.names[id.0].kind {
                NameKind::Define(value) => Some(*value),
                _ => None,
            },
            Base::Param(..) => None,
            _ => continue,
        };
        let clash = match constant {
            Some(value) => {
                let new: &[f32] = match &value {
                    ConstValue::Scalar(v) => std::slice::from_ref(v),
                    ConstValue::Vector(v, _) => v,
                };
                for v in new {
                    if !numbers.contains(&v.to_bits()) {
                        numbers.push(v.to_bits());
                    }
                }
                named.is_some() || numbers.len() > 4
            }
            None => {
                let clash = !numbers.is_empty() || named.is_some_and(|other| *other != src.base);
                named = named.or(Some(&src.base));
                clash
            }
        };
        if clash {
            let message = if named.is_none() {
                "the constants of an instruction may name at most four different numbers"
            } else {
                "an instruction may read only one parameter register"
            };
            diags.push(Diag::invalid(OPERAND, src.span, message).with_help("copy one of them to a temporary with MOV"));
            return;
        }
    }
}

/// Whether a register or variable holds fewer than 32 bits per component.
fn narrow(program: &Program, base: &Base) -> bool {
    match base {
        Base::Temp(file, _) | Base::Cc(file) => *file != File::R,
        Base::Out(out) => *out == Out::Colh,
        Base::Name(id, _) => {
            matches!(program.resolve(*id).kind, NameKind::Temp(Size::Short) | NameKind::Output(_, Size::Short))
        }
        _ => false,
    }
}

fn destination(program: &Program, instr: &Instr, dst: &Dst, diags: &mut Vec<Diag>) {
    // The option NV_fragment_program leaves w undefined instead.
    let refuses = matches!(program.dialect, Dialect::Patent | Dialect::Fp10);
    let reflects = matches!(instr.row.sem, Sem::Vector(VectorOp::Reflect)) && refuses;
    if reflects && dst.mask & 8 != 0 {
        let diag = Diag::invalid(OUTPUT, dst.span, "RFL must not write component w");
        diags.push(diag.with_help("add the write mask `.xyz`"));
    }
    if instr.row.group == Group::Pack && narrow(program, &dst.base) {
        let diag = Diag::invalid(OPERAND, dst.span, format!("{} needs a 32-bit destination", instr.row.name));
        diags.push(diag.with_help("write an R register"));
    }
}

fn source(program: &Program, instr: &Instr, src: &Src, diags: &mut Vec<Diag>) {
    if instr.row.group == Group::Unpack && narrow(program, &src.base) {
        let diag = Diag::invalid(OPERAND, src.span, format!("{} needs a 32-bit source", instr.row.name));
        diags.push(diag.with_help("read an R register"));
    }
}

#[derive(Default)]
struct Outputs {
    colr: bool,
    colh: bool,
    other: bool,
    position: bool,
    /// ARB: result and size it was first written through.
    sizes: Vec<(Out, Size)>,
}

impl Outputs {
    fn write(&mut self, program: &Program, dst: &Dst, diags: &mut Vec<Diag>) {
        match &dst.base {
            Base::Out(Out::Colr) if program.dialect == Dialect::Fp10 => {
                self.clash(self.colh, dst.span, diags);
                self.colr = true;
            }
            Base::Out(Out::Colh) => {
                self.clash(self.colr, dst.span, diags);
                self.colh = true;
            }
            Base::Name(id, _) => {
                if let NameKind::Output(out, size) = program.resolve(*id).kind {
                    self.sized(out, size, dst.span, diags);
                }
            }
            Base::Out(out) => {
                self.other = true;
                self.position |= *out == Out::Vertex(result::POSITION) && dst.mask != 0;
            }
            _ => {}
        }
    }

    fn clash(&self, other: bool, span: Span, diags: &mut Vec<Diag>) {
        if other {
            diags.push(Diag::invalid(OUTPUT, span, "a program may write o[COLR] or o[COLH], not both"));
        }
    }

    fn sized(&mut self, out: Out, size: Size, span: Span, diags: &mut Vec<Diag>) {
        match self.sizes.iter().find(|(o, _)| *o == out) {
            Some((_, other)) if *other != size && *other != Size::Default && size != Size::Default => {
                diags.push(Diag::invalid(OUTPUT, span, "a result is written through a SHORT and a LONG output"));
            }
            Some(_) => {}
            None => self.sizes.push((out, size)),
        }
    }

    fn finish(&self, program: &Program, diags: &mut Vec<Diag>) {
        let nothing = !(self.colr || self.colh || self.other);
        // After other errors the missing write may be one that was not understood.
        if program.dialect == Dialect::Fp10 && nothing && !diags.iter().any(Diag::is_error) {
            let span = program.body.last().map_or(Span::default(), |s| s.span);
            let diag = Diag::invalid(OUTPUT, span, "the program writes no output register");
            diags.push(diag.with_help("write o[COLR] or o[COLH]"));
        }
        let placed = self.position || program.features.contains(Features::POSITION_INVARIANT);
        if program.dialect.is_nv_vertex() && !placed && !diags.iter().any(Diag::is_error) {
            let span = program.body.last().map_or(Span::default(), |s| s.span);
            let diag = Diag::invalid(OUTPUT, span, "the program does not write the position");
            diags.push(diag.with_help("write o[HPOS], or begin `!!VP2.0` with `OPTION NV_position_invariant;`"));
        }
    }
}

/// Temporaries in use: bit sets of R and H numbers, and outputs.
#[derive(Default)]
struct Budget {
    r: u64,
    h: u64,
    outputs: u64,
}

impl Budget {
    fn base(&mut self, base: &Base) {
        match base {
            Base::Temp(File::R, n) => self.r |= 1 << n,
            Base::Temp(File::H, n) => self.h |= 1 << n,
            Base::Out(out) => self.outputs |= 1 << out.number(),
            _ => {}
        }
    }

    fn finish(&self, program: &Program, diags: &mut Vec<Diag>) {
        let instrs = || program.body.iter().filter(|s| matches!(s.kind, StmtKind::Instr(_)));
        let limit = match program.dialect {
            Dialect::Patent => 128,
            // NV_fragment_program2: MAX_PROGRAM_EXEC_INSTRUCTIONS_NV; code that jumps can be as long as what it executes.
            Dialect::Arb if program.features.contains(Features::NV2) => 65_536,
            Dialect::Fp10 | Dialect::Arb | Dialect::ArbVertex => 1024,
            // NV_vertex_program2, sections 2.14.1.8 and 2.14.6.1.
            Dialect::Vp10 | Dialect::Vp11 | Dialect::Vp20 => {
                let whole = if program.dialect == Dialect::Vp20 { 256 } else { 128 };
                whole - if program.features.contains(Features::POSITION_INVARIANT) { 4 } else { 0 }
            }
            Dialect::Nv40 | Dialect::Nv40Vertex => usize::MAX,
        };
        if program.body.len() > limit
            && let Some(stmt) = instrs().nth(limit)
        {
            let message = format!("the program has {} instructions, {limit} are allowed", instrs().count());
            diags.push(Diag::invalid(LIMIT, stmt.span, message));
        }
        if program.dialect != Dialect::Fp10 {
            return;
        }
        let out = |o: Out, cost: u32| if self.outputs >> o.number() & 1 == 1 { cost } else { 0 };
        let used =
            2 * self.r.count_ones() + self.h.count_ones() + out(Out::Colr, 2) + out(Out::Depr, 2) + out(Out::Colh, 1);
        if used > 64 {
            let span = program.body.last().map_or(Span::default(), |s| s.span);
            let message = format!("the program uses {used} half-size temporaries, 64 are allowed");
            diags.push(
                Diag::invalid(LIMIT, span, message)
                    .with_help("R registers, o[COLR] and o[DEPR] count 2, H registers and o[COLH] count 1"),
            );
        }
    }
}

#[derive(Copy, Clone, PartialEq)]
enum Block {
    If { has_else: bool },
    Loop,
    Rep,
}

impl Block {
    fn names(self) -> (&'static str, &'static str) {
        match self {
            Block::If { .. } => ("IF", "ENDIF"),
            Block::Loop => ("LOOP", "ENDLOOP"),
            Block::Rep => ("REP", "ENDREP"),
        }
    }
}

/// The blocks that are open.
#[derive(Default)]
struct Open {
    stack: Vec<(Block, Span)>,
    /// How many of them are LOOP, and how many LOOP or REP.
    indexed: usize,
    loops: usize,
}

/// Blocks, labels, subroutines of NV_fragment_program2.
fn flow(program: &Program, diags: &mut Vec<Diag>) {
    let mut open = Open::default();
    let mut labels: FxHashMap<&str, Span> = FxHashMap::default();
    let mut has_calls = false;
    for stmt in &program.body {
        match &stmt.kind {
            StmtKind::Label(name) => {
                if !open.stack.is_empty() {
                    diags.push(Diag::invalid(FLOW, stmt.span, format!("label `{name}` is inside a block")));
                }
                if let Some(first) = labels.get(name.as_str()) {
                    let diag = Diag::invalid(FLOW, stmt.span, format!("label `{name}` is defined twice"));
                    diags.push(diag.with_label(*first, "first defined here"));
                } else {
                    labels.insert(name, stmt.span);
                }
            }
            StmtKind::Instr(instr) => {
                has_calls |= instr.label.is_some();
                open.step(instr, stmt.span, diags);
                for src in instr.srcs.iter().filter(|_| !program.dialect.is_words()) {
                    let indexed = match &src.base {
                        Base::AttrIndexed(_) => true,
                        Base::Name(id, _) => {
                            matches!(&program.resolve(*id).kind, NameKind::Attrib(Base::AttrIndexed(_)))
                        }
                        _ => false,
                    };
                    if indexed && open.indexed == 0 {
                        diags.push(Diag::invalid(FLOW, src.span, "A0.x is only defined inside LOOP"));
                    }
                }
            }
            // Microcode: its jumps are checked where it is read.
            StmtKind::Together(_) | StmtKind::Declare(_) => {}
        }
    }
    for (block, span) in open.stack {
        let (what, end) = block.names();
        diags.push(Diag::invalid(FLOW, span, format!("{what} without {end}")));
    }
    for stmt in program.body.iter().filter(|_| has_calls) {
        if let StmtKind::Instr(Instr { row, label: Some(label), .. }) = &stmt.kind
            && row.shape == Shape::Call
            && !labels.contains_key(&**label)
        {
            diags.push(Diag::invalid(FLOW, stmt.span, format!("label `{label}` does not exist")));
        }
    }
}

impl Open {
    fn push(&mut self, block: Block, span: Span) {
        self.stack.push((block, span));
        self.indexed += usize::from(block == Block::Loop);
        self.loops += usize::from(!matches!(block, Block::If { .. }));
    }

    fn close(&mut self, want: Block, span: Span, diags: &mut Vec<Diag>) {
        match self.stack.last() {
            Some((block, _)) if std::mem::discriminant(block) == std::mem::discriminant(&want) => {
                self.stack.pop();
                self.indexed -= usize::from(want == Block::Loop);
                self.loops -= usize::from(!matches!(want, Block::If { .. }));
            }
            _ => {
                let (_, end) = want.names();
                diags.push(Diag::invalid(FLOW, span, format!("{end} without a matching open block")));
            }
        }
    }

    fn step(&mut self, instr: &Instr, span: Span, diags: &mut Vec<Diag>) {
        let Sem::Flow(flow) = instr.row.sem else { return };
        match flow {
            Flow::If => {
                self.push(Block::If { has_else: false }, span);
                if self.stack.len() - self.loops == 49 {
                    diags.push(Diag::invalid(LIMIT, span, "IF blocks are nested deeper than 48"));
                }
            }
            Flow::Loop { indexed } => {
                self.push(if indexed { Block::Loop } else { Block::Rep }, span);
                if self.loops == 5 {
                    diags.push(Diag::invalid(LIMIT, span, "loops are nested deeper than 4"));
                }
            }
            Flow::EndIf => self.close(Block::If { has_else: false }, span, diags),
            Flow::EndLoop { indexed: true } => self.close(Block::Loop, span, diags),
            Flow::EndLoop { indexed: false } => self.close(Block::Rep, span, diags),
            Flow::Else => match self.stack.last_mut() {
                Some((Block::If { has_else }, _)) if !*has_else => *has_else = true,
                _ => diags.push(Diag::invalid(FLOW, span, "ELSE without IF")),
            },
            Flow::Break if self.loops == 0 => diags.push(Diag::invalid(FLOW, span, "BRK outside LOOP and REP")),
            _ => {}
        }
    }
}
