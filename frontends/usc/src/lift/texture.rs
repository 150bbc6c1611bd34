//! SMP and ITRSMP: texture lookups.

use super::Ctx;
use super::inputs::{Planes, direct_result};
use super::lookups::{BIAS, REPLACE, state_of};
use super::settings::UNITS;
use crate::group::Group;
use crate::operation::Operation;
use crate::register::{Register, ZERO};
use crate::view::{Name, Source};
use parallax_core::{OpKind, TexMode, TexOp, TexTarget, Type, ValueId};
use parallax_lift::Deferred;
use parallax_num::{Decl, Op};
use parallax_text::Diag;
use smallvec::SmallVec;

/// What a lookup needs of the engine.
struct Texture {
    op: TexOp,
    args: SmallVec<[ValueId; TexOp::MOST_OPERANDS]>,
}

impl Ctx<'_, '_> {
    /// SMP. Its results are there at once.
    pub(super) fn sample(&mut self, group: &Group, operation: &Operation) {
        let (level, integer) = (operation.get(Name::Level), operation.has(Name::IntegerCoordinates));
        let dimensions = operation.get(Name::Dimensions) as usize;
        let source = |source| group.source(operation.source(source));
        // Integers count texels anyway.
        let counts = operation.has(Name::TexelCoordinates) && !integer;
        let layered = operation.has(Name::Layers);
        let Some((unit, target)) = self.target(group, operation, layered, counts) else { return };
        let data = source(Source::Coordinates);
        let mut next = 0;
        let mut word = |ctx: &mut Self| {
            let val = ctx.register(Register { number: data.number.saturating_add(next), ..data });
            next += 1;
            val
        };
        let ty = if integer { Type::I32 } else { Type::F32 };
        let nothing = Deferred::word(0);
        let mut vals = [nothing; 4];
        if operation.has(Name::HalfCoordinates) {
            // Two to a register, the first in the low half.
            let mut pair = nothing;
            for (n, val) in vals.iter_mut().enumerate().take(dimensions) {
                if n % 2 == 0 {
                    pair = word(self);
                }
                *val = self.half(pair, n as u32 % 2);
            }
        } else {
            vals[..dimensions].fill_with(|| word(self));
        }
        let mut args = vals.map(|val| self.l.force(val, ty));
        let divisor = operation.has(Name::Projected).then(|| word(self));
        let layer = layered.then(|| word(self));
        let layer = layer.map(|layer| self.l.force(layer, ty));
        let mode = match level {
            BIAS => TexMode::Bias,
            REPLACE if integer => TexMode::Fetch,
            REPLACE => TexMode::Level,
            _ => TexMode::Implicit,
        };
        if level != 0 {
            // One level for all pixels stands in a register of its own.
            let shared = source(Source::SharedLevel);
            let own = operation.has(Name::PerPixelLevel) || shared == Register::decode(ZERO);
            let level = if own { word(self) } else { self.register(shared) };
            args[3] = self.l.force(level, Type::F32);
            if integer {
                let slot = self.slot(false);
                args[3] = self.l.b.num(Op::F2iRint, slot, &[args[3]]);
            }
        }
        let mut project = false;
        if let Some(divisor) = divisor {
            let divisor = self.l.force(divisor, Type::F32);
            // The fourth operand of the lookup is the divisor, unless it is taken.
            project = level == 0;
            if project {
                args[3] = divisor;
            } else {
                let slot = self.slot(false);
                for arg in args.iter_mut().take(dimensions) {
                    *arg = self.l.b.num(Op::Div, slot, &[*arg, divisor]);
                }
            }
        }
        let op = TexOp { project, ..TexOp::plain(unit, target, mode) };
        let args = args.into_iter().chain(layer).collect();
        self.look_up(Texture { op, args }, operation, source(Source::Result));
    }

    /// ITRSMP: an iteration, and a lookup with its components as coordinates.
    pub(super) fn sample_iterated(&mut self, group: &Group, operation: &Operation, planes: &Planes) {
        let counts = operation.has(Name::TexelCoordinates);
        let Some((unit, target)) = self.target(group, operation, false, counts) else { return };
        let mut vals = [Deferred::word(0); 4];
        let iterated = self.iterated(planes);
        let (coordinates, divisor) = iterated.split_at(iterated.len().min(operation.get(Name::Dimensions) as usize));
        vals[..coordinates.len()].copy_from_slice(coordinates);
        let project = operation.has(Name::Projected);
        if let (true, Some(divisor)) = (project, divisor.first()) {
            vals[3] = *divisor;
        }
        let args = vals.iter().map(|val| self.l.force(*val, Type::F32)).collect();
        let op = TexOp { project, ..TexOp::plain(unit, target, TexMode::Implicit) };
        self.look_up(Texture { op, args }, operation, direct_result(operation));
    }

    /// The unit of a lookup, and the shape of its texture. `counts`: coordinates count texels.
    fn target(
        &mut self,
        group: &Group,
        operation: &Operation,
        layered: bool,
        counts: bool,
    ) -> Option<(u16, TexTarget)> {
        let unit = self.units.unit(state_of(group, operation, self.context.base)?);
        let shape = self.settings.target(unit, operation.get(Name::Dimensions) as u8, layered, counts);
        if let Some(target) = shape.filter(|_| unit < UNITS) {
            return Some((unit as u16, target));
        }
        let message = format!("the program samples texture unit {unit} in an unsupported shape");
        let diag = Diag::unsupported("unsupported-lookup", Default::default(), message);
        self.diags.push(Diag { span: None, ..diag });
        None
    }

    /// The lookup itself, and where its channels go.
    fn look_up(&mut self, texture: Texture, operation: &Operation, register: Register) {
        let Texture { op, args } = texture;
        self.l.need_texture(op.unit, op.target);
        let slot = self.slot(false);
        let texel = self.l.b.tex(op, slot, &args);
        let texel = &texel[..=operation.get(Name::Channels) as usize & 3];
        let vals: SmallVec<[Deferred; 4]> = if operation.has(Name::HalfResult) {
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
