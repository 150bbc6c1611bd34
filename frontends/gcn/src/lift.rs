//! Lifting: instructions to IR. Programs have no branches, so this is one walk.

use crate::program::{sem, sources};
use crate::{fields::*, operand::constant, program::PROGRAMS, table::Sem};
use parallax_core::{AttrDecl, AttrSemantic, Func, Interp, Location, OutputRole, Shader, Stage, Symbolic, Type};
use parallax_isa::{Field, Instr};
use parallax_lift::{Access, Deferred, Lifter, Options, Spelling, VarId};
use parallax_num::{Decl, Op, Saturate, Slot};
use parallax_text::Diag;

/// Lifts a program. Scalar registers hold the constants of bank `sgpr`; v0 and v1 hold the barycentric coordinates i and j.
///
/// # Errors
/// Interpolations that are not two steps with i and j; unknown options; watched or preset registers that do not exist.
pub fn lift(program: &[Instr], options: &Options) -> Result<Shader<Symbolic>, Vec<Diag>> {
    let mut func = Func::new("shader", "gcn", Stage::Fragment);
    let mut l = Lifter::new(&mut func);
    let registers = l.add_variables(VECTORS + 256);
    l.need_bank(0, 0, |_| "sgpr".into());
    let mut ctx = Ctx { l, registers, steps: Vec::new(), diags: options.check(&[]) };
    // Attributes first: they are inputs, not registers to preset.
    for instr in program.iter().filter(|instr| sem(instr.row) == Some(Sem::InterpolateJ)) {
        ctx.attribute(ATTR.get(&instr.code) as u16);
    }
    for name in ctx.l.presets(options) {
        if let Some(register) = ctx.named(Access::Preset, name) {
            ctx.l.preset(name, &[registers.offset(register)]);
        }
    }
    for instr in program {
        let source = ctx.l.add_source(instr.line, instr.span.start, &PROGRAMS.text(instr));
        ctx.l.at(Some(source));
        ctx.instruction(instr);
    }
    ctx.l.at(None);
    for name in &options.watch {
        if let Some(register) = ctx.named(Access::Watch, name) {
            let value = ctx.register(register);
            ctx.l.watch(name, [Some(value), None, None, None]);
        }
    }
    if !ctx.diags.is_empty() {
        return Err(ctx.diags);
    }
    ctx.l.finish()?;
    Ok(Shader::new(func))
}

/// The variable of v0; those of the scalar registers stand before it.
const VECTORS: u32 = SGPRS as u32;

struct Ctx<'f> {
    l: Lifter<'f>,
    registers: VarId,
    /// Vector registers after the first step of an interpolation, with attribute and component. Only the second can use them.
    steps: Vec<(u32, [u64; 2])>,
    diags: Vec<Diag>,
}

impl Ctx<'_> {
    fn instruction(&mut self, instr: &Instr) {
        match sem(instr.row) {
            Some(Sem::Move) => {
                let value = self.source(instr, 0);
                self.write(instr, &VDST, value);
            }
            Some(Sem::Compute(op)) => self.compute(instr, op),
            Some(Sem::Accumulate) => self.compute(instr, Op::Mad),
            Some(sem @ (Sem::InterpolateI | Sem::InterpolateJ)) => self.interpolate(instr, sem),
            Some(Sem::Export) => {
                let comps = EXPORTED.map(|field| Some(self.vector(instr, &field)));
                let target = TARGET.get(&instr.code) as u16;
                self.l.output(format!("color{target}"), OutputRole::Color(target), comps, Type::F32);
            }
            Some(Sem::End) | None => {}
        }
    }

    /// Computes with the sources and writes the result, clamped and multiplied as a long form says.
    fn compute(&mut self, instr: &Instr, op: Op) {
        let (code, is_long) = (&instr.code, instr.code.word() >> 32 != 0);
        let (mut slot, plain) = (Slot::plain(Decl::F32), self.l.plain(Decl::F32));
        if is_long {
            slot.saturate = if CLAMP.get(code) != 0 { Saturate::Unsigned } else { Saturate::None };
            slot.scale = [0, 1, 2, -1][OMOD.get(code) as usize];
        }
        let mut args = Vec::new();
        for n in 0..op.info().args.len() {
            let value = self.source(instr, n);
            let mut value = self.l.force(value, if op == Op::I2f { Type::I32 } else { Type::F32 });
            if let Some(source) = sources(instr.row, code).get(n).filter(|_| is_long) {
                for (field, op) in [(source.abs, Op::Abs), (source.neg, Op::Neg)] {
                    value = if field.get(code) != 0 { self.l.b.num(op, plain, &[value]) } else { value };
                }
            }
            args.push(value);
        }
        let slot = self.l.b.slot(slot);
        let value = self.l.b.num(op, slot, &args);
        self.write(instr, if is_long { &VDST3 } else { &VDST }, value);
    }

    /// Source `n`: of nine bits, else the vector register of a short form, else its result register.
    fn source(&mut self, instr: &Instr, n: usize) -> Deferred {
        let code = &instr.code;
        let Some(source) = sources(instr.row, code).get(n) else {
            return self.vector(instr, if n == 1 { &VSRC1 } else { &VDST });
        };
        match source.code.get(code) {
            _ if source.is_vector.get(code) != 0 => self.vector(instr, &source.code),
            number if number < SGPRS => self.register(number as u32),
            IS_LITERAL => Deferred::word(LITERAL.get(code) as u32),
            number => Deferred::word(constant(number).unwrap_or_default().1),
        }
    }

    fn vector(&mut self, instr: &Instr, field: &Field) -> Deferred {
        let register = VECTORS + field.get(&instr.code) as u32;
        if self.steps.iter().any(|step| step.0 == register) {
            self.refuse(instr, "only the second step of an interpolation reads what the first step leaves");
        }
        self.register(register)
    }

    /// What a register holds. Scalar registers that the caller does not give are constants.
    fn register(&mut self, register: u32) -> Deferred {
        let value = self.l.get(self.registers.offset(register));
        let is_constant = register < VECTORS && !self.l.is_preset(value);
        if is_constant { self.l.constant(0, register / 4, (register % 4) as u8) } else { value }
    }

    fn write(&mut self, instr: &Instr, field: &Field, value: impl Into<Deferred>) {
        let register = VECTORS + field.get(&instr.code) as u32;
        self.steps.retain(|step| step.0 != register);
        self.l.set(self.registers.offset(register), value);
    }

    fn refuse(&mut self, instr: &Instr, why: &str) {
        // Once, whichever operands are wrong.
        if self.diags.last().is_none_or(|last| last.span != Some(instr.span)) {
            let message = format!("`{}`: {why}", PROGRAMS.text(instr));
            self.diags.push(Diag::unsupported("gcn-interpolation", instr.span, message));
        }
    }

    /// The rasteriser interpolates: the second step gives its value.
    fn interpolate(&mut self, instr: &Instr, sem: Sem) {
        let [dst, from, attr, comp] = [INTERP_DST, INTERP_SRC, ATTR, ATTR_CHAN].map(|field| field.get(&instr.code));
        let step = (VECTORS + dst as u32, [attr, comp]);
        if sem == Sem::InterpolateI && from == 0 {
            self.write(instr, &INTERP_DST, Deferred::word(0));
            return self.steps.push(step);
        }
        if sem == Sem::InterpolateI || from != 1 || !self.steps.contains(&step) {
            return self.refuse(instr, "the first step takes i from v0, the second follows it and takes j from v1");
        }
        let index = self.attribute(attr as u16);
        self.write(instr, &INTERP_DST, Deferred::attr(index, comp as u8));
    }

    /// The number of an attribute in the interface.
    fn attribute(&mut self, attr: u16) -> u16 {
        let semantic = AttrSemantic::Generic(attr);
        let known = self.l.b.func.iface.attrs.iter().position(|attr| attr.semantic == semantic);
        known.map(|known| known as u16).unwrap_or_else(|| {
            let name = format!("attr{attr}");
            self.l.add_attr(AttrDecl {
                name,
                semantic,
                interp: Interp::Perspective,
                location: Location::Center,
                mediump: false,
            })
        })
    }

    /// The register of a name.
    fn named(&mut self, access: Access, name: &str) -> Option<u32> {
        let spelling = Spelling::parse(name).filter(|spelling| spelling.indices.len() == 1);
        let register = spelling.and_then(|spelling| match (spelling.file, spelling.number(0)?) {
            ("v", number @ 0..256) => Some(VECTORS + number),
            ("s", number @ 0..VECTORS) => Some(number),
            _ => None,
        });
        if register.is_none() {
            let help = "spellings: v0 to v255, s0 to s101, sgpr[0] for s0 to s3";
            self.diags.push(access.refuse(name, "there is no such register", help));
        }
        register
    }
}
