//! What instructions compute: operations on vectors, and the few that only TGSI has.

use super::Ctx;
use crate::ast::Instruction;
use crate::opcode::{Operand, Sem};
use parallax_core::ValueId;
use parallax_lift::vector::{self, Form, Operands, Results, VectorOp, each};
use parallax_lift::{Deferred, Lifter};
use parallax_num::{Decl, Op};

const HALF: u64 = 0x3F00_0000;

impl<'f> Ctx<'_, 'f> {
    /// Executes an instruction that computes.
    pub(crate) fn execute(&mut self, inst: &Instruction) {
        self.addresses.clear();
        let results = match inst.op.row().sem {
            Sem::Vector(op) => {
                let form = self.form(inst);
                self.compute(inst, op, &form)
            }
            Sem::Wide(op) => self.wide(inst, op),
            Sem::Atomic(op) => {
                let form = self.form(inst);
                self.atomic(inst, op).map(|result| result.map(|val| vector::clamped(&mut self.l, &form, val)))
            }
            Sem::Texture(mode, lookup) => self.texture(inst, mode, lookup).unwrap_or_default(),
            Sem::Custom(run) => {
                let form = self.form(inst);
                run(self, inst).map(|result| result.map(|val| vector::clamped(&mut self.l, &form, val)))
            }
            Sem::Control | Sem::Unsupported(_) => return,
        };
        if let Some(dst) = inst.dsts.first() {
            self.write(dst, results);
        }
    }

    /// Computes an operation on the sources of an instruction.
    pub(super) fn compute(&mut self, inst: &Instruction, op: VectorOp, form: &Form) -> Results {
        vector::compute(&mut Sources { ctx: self, inst }, op, form)
    }

    /// How an instruction computes.
    pub(super) fn form(&mut self, inst: &Instruction) -> Form {
        let (slot, test) = (self.slot(inst), self.slot_with(false, inst.precise));
        Form { decl: Decl::F32, slot, test, mask: mask(inst) }
    }

    /// How a component of the first source compares with zero.
    pub(crate) fn against_zero(&mut self, inst: &Instruction, op: Op, comp: usize) -> ValueId {
        let form = self.form(inst);
        vector::against_zero(&mut Sources { ctx: self, inst }, op, &form, comp)
    }
}

/// Components an instruction writes.
pub(super) fn mask(inst: &Instruction) -> u8 {
    inst.dsts.first().map_or(0, |dst| dst.mask)
}

/// The sources of an instruction.
struct Sources<'c, 'a, 'f> {
    ctx: &'c mut Ctx<'a, 'f>,
    inst: &'c Instruction,
}

impl<'f> Operands<'f> for Sources<'_, '_, 'f> {
    fn lifter(&mut self) -> &mut Lifter<'f> {
        &mut self.ctx.l
    }

    fn float(&mut self, n: usize, comp: usize) -> ValueId {
        self.ctx.float(&self.inst.srcs[n], comp)
    }

    fn word(&mut self, n: usize, comp: usize) -> ValueId {
        self.ctx.int(&self.inst.srcs[n], comp)
    }

    fn moved(&mut self, n: usize, comp: usize) -> Deferred {
        let src = &self.inst.srcs[n];
        if self.inst.op.row().shape.srcs()[n] == Operand::Int {
            self.ctx.moved_int(src, comp)
        } else {
            self.ctx.moved(src, comp)
        }
    }
}

/// The reference adds a half and takes the floor; halves go up.
pub(crate) fn arr(ctx: &mut Ctx<'_, '_>, inst: &Instruction) -> Results {
    let slot = ctx.slot_with(false, inst.precise);
    each(mask(inst), |comp| {
        let value = ctx.float(&inst.srcs[0], comp);
        let plain = ctx.l.plain(Decl::F32);
        let half = ctx.l.b.float(plain, HALF);
        let sum = ctx.l.b.num(Op::Add, slot, &[value, half]);
        ctx.l.b.num(Op::F2iFloor, slot, &[sum]).into()
    })
}

pub(crate) fn umad(ctx: &mut Ctx<'_, '_>, inst: &Instruction) -> Results {
    each(mask(inst), |comp| {
        let [a, b, c] = [0, 1, 2].map(|n| ctx.int(&inst.srcs[n], comp));
        let product = ctx.l.b.int(Op::Imul, &[a, b]);
        ctx.l.b.int(Op::Iadd, &[product, c]).into()
    })
}

/// A time that repeats: how often the invocation has asked before, in the low word of a number of 64 bits. It grows, as
/// the document asks; it says nothing about how long anything takes.
pub(crate) fn clock(ctx: &mut Ctx<'_, '_>, inst: &Instruction) -> Results {
    let Some(variable) = ctx.clock else { return Results::default() };
    let (asked, one) = (ctx.l.read_bits(variable), ctx.l.b.i32(1));
    let next = ctx.l.b.int(Op::Iadd, &[asked, one]);
    ctx.l.set(variable, next);
    each(mask(inst), |comp| if comp == 0 { asked.into() } else { Deferred::word(0) })
}
