//! SMP and ITRSMP: texture lookups.
//!
//! A lookup names the shared registers that hold the state of its texture. That state is set up outside of a program; unit `n`
//! of the engine stands for the texture state that has the n-th lowest number among those a program names.

use super::Ctx;
use super::flow::{Base, Flow, span};
use super::inputs::Planes;
use super::settings::UNITS;
use crate::group::{Group, Program};
use crate::opcode::Opcode;
use crate::operation::{IteratedLookup, Lookup, Operation};
use crate::register::{Bank, Register};
use parallax_core::{OpKind, TexMode, TexOp, Type, ValueId};
use parallax_lift::Deferred;
use parallax_num::{Decl, Op};
use parallax_text::Diag;
use smallvec::SmallVec;

/// Registers that coordinates and what follows them can take.
pub(super) const COORDINATES: u16 = 8;

/// Texture states of a program, in the order of units.
pub(super) struct Units {
    states: Vec<u16>,
}

impl Units {
    pub(super) fn of(program: &Program, flow: &Flow) -> Units {
        let state = |(_, group, base): (usize, &Group, Base)| {
            group.operations.iter().find_map(|operation| match operation.iterated_lookup() {
                Some(lookup) => Some(lookup.texture.saturating_add(base.shared)),
                None => operation.lookup().map(|_| base.apply(group.source(0)).number),
            })
        };
        if !flow.does(Opcode::Smp) && !flow.does(Opcode::Itrsmp) {
            return Units { states: Vec::new() };
        }
        let mut states: Vec<u16> = flow.groups(program).filter_map(state).collect();
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
    let others = lookup.projected || lookup.array || lookup.lod != 0 || lookup.offset || lookup.sample_number;
    let refusal = if state.bank != Bank::Shared || state.index.is_some() {
        Some("a texture state outside the shared registers")
    } else if lookup.write {
        Some("writing")
    } else if lookup.returned != 0 {
        Some("what it returns besides the texel (data, info, both)")
    } else if lookup.address_override {
        Some("an address override")
    } else if lookup.offset {
        Some("the layout of an offset word")
    } else if lookup.comparison {
        Some("the place of the reference value of a comparison")
    } else if lookup.half_coordinates && (others || lookup.integer) {
        Some("which of the other data are halves where coordinates are")
    } else if lookup.integer && lookup.lod != 2 {
        Some("the level of integer coordinates without `.replace`")
    } else if lookup.integer && lookup.projected {
        Some("the projection of integer coordinates")
    } else if lookup.lod == 3 {
        Some("the order of gradients")
    } else if lookup.array && lookup.dimensions > 2 && lookup.integer {
        Some("the texels of faces by number")
    } else if lookup.texel_coordinates && lookup.dimensions != 2 && !lookup.integer {
        Some("texel coordinates of other textures than 2D")
    } else {
        None
    };
    if let Some(what) = refusal {
        let message = format!("smp{}d: {what} is not described well enough to be executed", lookup.dimensions);
        diags.push(Diag::unsupported("unsupported-lookup", span(program, n), message));
    }
}

/// Why a lookup with iterated coordinates cannot be done.
pub(super) fn check_iterated(program: &Program, n: usize, lookup: &IteratedLookup, diags: &mut Vec<Diag>) {
    let needed = lookup.dimensions + u8::from(lookup.projected);
    let refusal = if lookup.comparison {
        Some("the place of the reference value of a comparison")
    } else if lookup.count != 0 && lookup.count != needed {
        Some("a count that is not that of its coordinates")
    } else if lookup.texel_coordinates && lookup.dimensions != 2 {
        Some("texel coordinates of other textures than 2D")
    } else {
        None
    };
    if let Some(what) = refusal {
        let message = format!("itrsmp{}d: {what} is not described well enough to be executed", lookup.dimensions);
        diags.push(Diag::unsupported("unsupported-lookup", span(program, n), message));
    }
}

/// What a lookup needs of the engine.
struct Texture {
    op: TexOp,
    args: SmallVec<[ValueId; TexOp::MOST_OPERANDS]>,
}

impl Ctx<'_, '_> {
    /// SMP. Its results are there at once.
    pub(super) fn sample(&mut self, group: &Group, operation: &Operation) {
        let Some(lookup) = operation.lookup() else { return };
        let unit = self.units.unit(self.context.base.apply(group.source(0)).number);
        // Integers count texels anyway.
        let counts = lookup.texel_coordinates && !lookup.integer;
        let shape = self.settings.target(unit, lookup.dimensions, lookup.array, counts);
        let Some(target) = shape.filter(|_| unit < UNITS) else { return self.no_shape(unit) };
        let data = group.source(1);
        let mut next = 0;
        let mut word = |ctx: &mut Self| {
            let val = ctx.register(Register { number: data.number.saturating_add(next), ..data });
            next += 1;
            val
        };
        let ty = if lookup.integer { Type::I32 } else { Type::F32 };
        let nothing = Deferred::word(0);
        let mut vals = [nothing; 4];
        if lookup.half_coordinates {
            // Two to a register, the first in the low half.
            let mut pair = nothing;
            for (n, val) in vals.iter_mut().enumerate().take(lookup.dimensions.into()) {
                if n % 2 == 0 {
                    pair = word(self);
                }
                *val = self.half(pair, n as u32 % 2);
            }
        } else {
            vals[..usize::from(lookup.dimensions)].fill_with(|| word(self));
        }
        let mut args = vals.map(|val| self.l.force(val, ty));
        let divisor = lookup.projected.then(|| word(self));
        let layer = lookup.array.then(|| word(self));
        let layer = layer.map(|layer| self.l.force(layer, ty));
        let mode = match lookup.lod {
            1 => TexMode::Bias,
            2 if lookup.integer => TexMode::Fetch,
            2 => TexMode::Level,
            _ => TexMode::Implicit,
        };
        if lookup.lod != 0 {
            // One level for all pixels stands in a register of its own.
            let shared = group.source(3);
            let level =
                if lookup.per_pixel_lod || Self::is_nothing(shared) { word(self) } else { self.register(shared) };
            args[3] = self.l.force(level, Type::F32);
            if lookup.integer {
                let slot = self.slot(false);
                args[3] = self.l.b.num(Op::F2iRint, slot, &[args[3]]);
            }
        }
        let mut project = false;
        if let Some(divisor) = divisor {
            let divisor = self.l.force(divisor, Type::F32);
            // The fourth operand of the lookup is the divisor, unless it is taken.
            project = lookup.lod == 0;
            if project {
                args[3] = divisor;
            } else {
                let slot = self.slot(false);
                for arg in args.iter_mut().take(lookup.dimensions.into()) {
                    *arg = self.l.b.num(Op::Div, slot, &[*arg, divisor]);
                }
            }
        }
        let op = TexOp { unit: unit as u16, target, mode, project, offset: [0; 3] };
        let args = args.into_iter().chain(layer).collect();
        self.look_up(Texture { op, args }, lookup.channels, lookup.half_result, group.source(4));
    }

    /// ITRSMP: an iteration, and a lookup with its components as coordinates.
    pub(super) fn sample_iterated(&mut self, operation: &Operation, planes: &Planes) {
        let Some(lookup) = operation.iterated_lookup() else { return };
        let unit = self.units.unit(lookup.texture.saturating_add(self.context.base.shared));
        let shape = self.settings.target(unit, lookup.dimensions, false, lookup.texel_coordinates);
        let Some(target) = shape.filter(|_| unit < UNITS) else { return self.no_shape(unit) };
        let mut vals = [Deferred::word(0); 4];
        let iterated = self.iterated(planes);
        let (coordinates, divisor) = iterated.split_at(iterated.len().min(lookup.dimensions.into()));
        vals[..coordinates.len()].copy_from_slice(coordinates);
        if let (true, Some(divisor)) = (lookup.projected, divisor.first()) {
            vals[3] = *divisor;
        }
        let args = vals.iter().map(|val| self.l.force(*val, Type::F32)).collect();
        let project = lookup.projected;
        let op = TexOp { unit: unit as u16, target, mode: TexMode::Implicit, project, offset: [0; 3] };
        self.look_up(Texture { op, args }, lookup.channels, lookup.half_result, lookup.destination);
    }

    #[cold]
    fn no_shape(&mut self, unit: usize) {
        let message = format!("the program samples texture unit {unit} in an unsupported shape");
        let diag = Diag::unsupported("unsupported-lookup", Default::default(), message);
        self.diags.push(Diag { span: None, ..diag });
    }

    /// The lookup itself, and where its channels go.
    fn look_up(&mut self, texture: Texture, channels: u8, halves: bool, register: Register) {
        let Texture { op, args } = texture;
        self.l.need_texture(op.unit, op.target);
        let slot = self.slot(false);
        let texel = self.l.b.tex(op, slot, &args);
        let texel = &texel[..usize::from(channels.min(4))];
        let vals: Vec<Deferred> = if halves {
            texel.chunks(2).map(|pair| self.packed_halves(pair)).collect()
        } else {
            texel.iter().map(|value| Deferred::from(*value)).collect()
        };
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
