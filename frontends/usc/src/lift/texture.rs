//! SMP: texture lookups.
//!
//! A lookup names the shared registers that hold the state of its texture. That state is set up outside of a program; unit `n`
//! of the engine stands for the texture state that has the n-th lowest number among those a program names.

use super::Ctx;
use super::flow::{Flow, span};
use super::settings::UNITS;
use crate::{Bank, Group, Lookup, Operation, Program, Register};
use parallax_core::{OpKind, TexMode, TexOp, Type, ValueId};
use parallax_lift::Deferred;
use parallax_num::{Decl, Op};
use parallax_text::Diag;

/// Registers that coordinates and what follows them can take.
pub(super) const COORDINATES: u16 = 6;

/// Texture states of a program, in the order of units.
pub(super) struct Units {
    states: Vec<u16>,
}

impl Units {
    pub(super) fn of(program: &Program, flow: &Flow) -> Units {
        let lookups = flow.groups(program).filter(|(_, group)| group.operations.iter().any(|o| o.lookup().is_some()));
        let mut states: Vec<u16> = lookups.map(|(_, group)| group.source(0).number).collect();
        states.sort_unstable();
        states.dedup();
        Units { states }
    }

    fn unit(&self, state: u16) -> usize {
        self.states.iter().position(|known| *known == state).unwrap_or(0)
    }
}

/// Why a lookup cannot be done.
pub(super) fn check(program: &Program, n: usize, group: &Group, lookup: &Lookup, diags: &mut Vec<Diag>) {
    let state = group.source(0);
    let refusal = if state.bank != Bank::Shared || state.index.is_some() {
        Some("a texture state that is no shared register")
    } else if lookup.write {
        Some("writing")
    } else if lookup.returned != 0 {
        Some("what it returns beside the texel (data, info, both)")
    } else if lookup.address_override {
        Some("an address override")
    } else if lookup.sample_number {
        Some("a sample number")
    } else if lookup.offset {
        Some("the layout of an offset word")
    } else if lookup.comparison {
        Some("the place of the reference value of a comparison")
    } else if lookup.half_coordinates {
        Some("halves as coordinates")
    } else if lookup.integer {
        Some("integer coordinates")
    } else if lookup.lod == 3 {
        Some("the order of gradients")
    } else if lookup.projected && (lookup.lod != 0 || lookup.array) {
        Some("projection together with a level or a layer")
    } else if lookup.array && lookup.dimensions > 2 {
        Some("layers of three dimensions")
    } else if lookup.texel_coordinates && lookup.dimensions != 2 {
        Some("texel coordinates of other textures than 2D")
    } else {
        None
    };
    if let Some(what) = refusal {
        let message = format!("smp{}d: {what} is not described well enough to be executed", lookup.dimensions);
        diags.push(Diag::unsupported("unsupported-lookup", span(program, n), message));
    }
}

impl Ctx<'_, '_> {
    /// SMP. Its results are there at once.
    pub(super) fn sample(&mut self, group: &Group, operation: &Operation) {
        let Some(lookup) = operation.lookup() else { return };
        let unit = self.units.unit(group.source(0).number);
        let shape = self.settings.target(unit, lookup.dimensions, lookup.array, lookup.texel_coordinates);
        let Some(target) = shape.filter(|_| unit < UNITS) else {
            let message = format!("the program samples texture unit {unit} in a way that has no shape");
            let diag = Diag::unsupported("unsupported-lookup", Default::default(), message);
            self.diags.push(Diag { span: None, ..diag });
            return;
        };
        let mut next = 0;
        let mut data = |ctx: &mut Self| {
            let register = group.source(1);
            let val = ctx.register(Register { number: register.number.saturating_add(next), ..register });
            next += 1;
            ctx.l.force(val, Type::F32)
        };
        let zero = self.float_literal(0);
        let mut args = [zero; 4];
        for arg in args.iter_mut().take(lookup.dimensions.into()) {
            *arg = data(self);
        }
        if lookup.projected {
            args[3] = data(self);
        }
        if lookup.array {
            args[usize::from(lookup.dimensions)] = data(self);
        }
        let mode = match lookup.lod {
            1 => TexMode::Bias,
            2 => TexMode::Level,
            _ => TexMode::Implicit,
        };
        if lookup.lod != 0 {
            // One level for all pixels stands in a register of its own.
            let shared = group.source(3);
            args[3] = if lookup.per_pixel_lod || Self::is_nothing(shared) {
                data(self)
            } else {
                let val = self.register(shared);
                self.l.force(val, Type::F32)
            };
        }
        let op = TexOp { unit: unit as u16, target, mode, project: lookup.projected, offset: [0; 3] };
        self.l.need_texture(op.unit, op.target);
        let slot = self.slot(false);
        let texel = self.l.b.tex(op, slot, &args);
        let texel = &texel[..usize::from(lookup.channels.min(4))];
        let vals: Vec<Deferred> = if lookup.half_result {
            texel.chunks(2).map(|pair| self.packed_halves(pair)).collect()
        } else {
            texel.iter().map(|value| Deferred::from(*value)).collect()
        };
        let register = group.source(4);
        for (k, val) in vals.into_iter().enumerate() {
            self.write(Register { number: register.number.saturating_add(k as u16), ..register }, val);
        }
    }

    fn packed_halves(&mut self, pair: &[ValueId]) -> Deferred {
        let slot = self.l.plain(Decl::F16);
        let mut word = None;
        for (n, value) in pair.iter().enumerate() {
            let half = self.l.b.num(Op::Cvt, slot, &[*value]);
            let mut bits = self.l.convert(half, Type::I32);
            if n == 1 {
                let shift = self.l.b.i32(16);
                bits = self.l.b.int(Op::Shl, &[bits, shift]);
            }
            word = Some(match word {
                None => bits,
                Some(low) => self.l.b.int(Op::Ior, &[low, bits]),
            });
        }
        word.map_or(Deferred::word(0), Deferred::from)
    }

    /// Removes instances from coverage.
    pub(super) fn discard(&mut self, pred: ValueId) {
        self.l.b.op(OpKind::Discard, None, &[pred], &[]);
    }
}
