//! Lifting: instructions to IR. Programs have no branches, so this is one walk.

use crate::fields::*;
use crate::program::{sem, sources};
use crate::{PROGRAMS, Sem, operand};
use parallax_core::{
    AttrDecl, AttrSemantic, Func, Interp, Location, OutputRole, Shader, Stage, Symbolic, Type, ValueId,
};
use parallax_isa::Instr;
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
    let vectors = l.add_variables(256);
    l.need_bank(0, 0, |_| "sgpr".into());
    let mut ctx = Ctx { l, vectors, scalars: Vec::new(), steps: Vec::new(), diags: options.check(&[]) };
    // Attributes first: they are inputs, not registers to preset.
    for instr in program.iter().filter(|instr| sem(instr.row) == Some(Sem::InterpolateJ)) {
        ctx.attribute(ATTR.get(&instr.code) as u16);
    }
    for name in ctx.l.presets(options) {
        match register(name) {
            Some(('v', n)) => ctx.l.preset(name, &[vectors.offset(n)]),
            Some((_, n)) => {
                let [value, ..] = ctx.l.preset_attr(name);
                ctx.scalars.push((n, value));
            }
            None => ctx.diags.push(no_register(Access::Preset, name)),
        }
    }
    for instr in program {
        let source = ctx.l.add_source(instr.line, instr.span.start, &PROGRAMS.text(instr));
        ctx.l.at(Some(source));
        ctx.instruction(instr);
    }
    ctx.l.at(None);
    for name in &options.watch {
        match register(name) {
            Some((file, n)) => {
                let value = if file == 'v' { ctx.l.get(vectors.offset(n)) } else { ctx.scalar(n) };
                ctx.l.watch(name, [Some(value), None, None, None]);
            }
            None => ctx.diags.push(no_register(Access::Watch, name)),
        }
    }
    if !ctx.diags.is_empty() {
        return Err(ctx.diags);
    }
    ctx.l.finish()?;
    Ok(Shader::new(func))
}

/// File and number of a register.
fn register(name: &str) -> Option<(char, u32)> {
    let spelling = Spelling::parse(name)?;
    let number = spelling.number(0).filter(|_| spelling.indices.len() == 1)?;
    match spelling.file {
        "v" if number < 256 => Some(('v', number)),
        "s" if u64::from(number) < SGPRS => Some(('s', number)),
        _ => None,
    }
}

fn no_register(access: Access, name: &str) -> Diag {
    access.refuse(name, "there is no such register", "spellings: v0 to v255, s0 to s101, sgpr[0] for s0 to s3")
}

struct Ctx<'f> {
    l: Lifter<'f>,
    vectors: VarId,
    /// Scalar registers that the caller gives one by one.
    scalars: Vec<(u32, Deferred)>,
    /// Registers after the first step of an interpolation, with attribute and component. Only the second step can use them.
    steps: Vec<(u32, [u64; 2])>,
    diags: Vec<Diag>,
}

impl Ctx<'_> {
    fn instruction(&mut self, instr: &Instr) {
        let Some(sem) = sem(instr.row) else { return };
        match sem {
            Sem::Move => {
                let value = self.source(instr, 0);
                self.write(VDST.get(&instr.code) as u32, value);
            }
            Sem::Compute(op) => self.compute(instr, op),
            Sem::Accumulate => self.compute(instr, Op::Mad),
            Sem::InterpolateI | Sem::InterpolateJ => self.interpolate(instr, sem),
            Sem::Export => {
                let comps = EXPORTED.map(|field| Some(self.vector(instr, field.get(&instr.code) as u32)));
                let target = TARGET.get(&instr.code) as u16;
                self.l.output(&format!("color{target}"), OutputRole::Color(target), comps, Type::F32);
            }
            Sem::End => {}
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
        let mut args: Vec<ValueId> = Vec::new();
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
        self.write(if is_long { VDST3.get(code) } else { VDST.get(code) } as u32, value);
    }

    /// Source `n`: of nine bits, else the vector register of a short form, else its result register.
    fn source(&mut self, instr: &Instr, n: usize) -> Deferred {
        let code = &instr.code;
        let Some(source) = sources(instr.row, code).get(n) else {
            return self.vector(instr, if n == 1 { VSRC1.get(code) } else { VDST.get(code) } as u32);
        };
        match source.code.get(code) {
            number if source.is_vector.get(code) != 0 => self.vector(instr, number as u32),
            number if number < SGPRS => self.scalar(number as u32),
            IS_LITERAL => Deferred::word(LITERAL.get(code) as u32),
            number => Deferred::word(operand::constant(number).unwrap_or(0)),
        }
    }

    fn vector(&mut self, instr: &Instr, n: u32) -> Deferred {
        if self.steps.iter().any(|(register, _)| *register == n) {
            self.refuse(instr, "only the second step of an interpolation reads what the first step leaves");
        }
        self.l.get(self.vectors.offset(n))
    }

    fn scalar(&mut self, n: u32) -> Deferred {
        let given = self.scalars.iter().find(|(number, _)| *number == n).map(|(_, value)| *value);
        given.unwrap_or_else(|| self.l.constant(0, n / 4, (n % 4) as u8))
    }

    fn write(&mut self, n: u32, value: impl Into<Deferred>) {
        self.steps.retain(|(register, _)| *register != n);
        self.l.set(self.vectors.offset(n), value);
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
        let step = (dst as u32, [attr, comp]);
        if sem == Sem::InterpolateI && from == 0 {
            self.write(step.0, Deferred::word(0));
            return self.steps.push(step);
        }
        if sem == Sem::InterpolateI || from != 1 || !self.steps.contains(&step) {
            return self.refuse(instr, "the first step takes i from v0, the second follows it and takes j from v1");
        }
        let index = self.attribute(attr as u16);
        self.write(step.0, Deferred::attr(index, comp as u8));
    }

    /// The number of an attribute in the interface.
    fn attribute(&mut self, attr: u16) -> u16 {
        let semantic = AttrSemantic::Generic(attr);
        let known = self.l.b.func.iface.attrs.iter().position(|attr| attr.semantic == semantic);
        known.map(|known| known as u16).unwrap_or_else(|| {
            let name = format!("attr{attr}");
            self.l.add_attr(AttrDecl { name, semantic, interp: Interp::Perspective, location: Location::Center })
        })
    }
}
