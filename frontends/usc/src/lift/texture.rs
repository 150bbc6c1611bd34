//! SMP and ITRSMP: texture lookups.
//!
//! A lookup names the shared registers that hold the state of its texture. That state is set up outside of a program; unit `n`
//! of the engine stands for the texture state that has the n-th lowest number among those a program names.

use super::Ctx;
use super::flow::{Base, Flow, span};
use super::inputs::{Planes, coordinates, direct_result};
use super::settings::UNITS;
use crate::group::{Group, Program};
use crate::opcode::Opcode;
use crate::operation::Operation;
use crate::register::{Bank, Register, ZERO};
use crate::view::{Name, Source};
use parallax_core::{OpKind, TexMode, TexOp, TexTarget, Type, ValueId};
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
            group.operations.iter().find_map(|operation| state_of(group, operation, base))
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

/// The shared register of the state of a texture; `None` for what is no lookup.
fn state_of(group: &Group, operation: &Operation, base: Base) -> Option<u16> {
    match operation.opcode() {
        // In sets of four.
        Opcode::Itrsmp => Some((operation.get(Name::Texture) as u16 * 4).saturating_add(base.shared)),
        Opcode::Smp => Some(base.apply(group.source(operation.source(Source::State))).number),
        _ => None,
    }
}

/// Code of the level of detail that is biased.
const BIAS: u32 = 1;
/// That of one that is replaced.
const REPLACE: u32 = 2;
/// That of one from gradients.
const GRADIENT: u32 = 3;

/// Why a lookup cannot be done.
pub(super) fn check(program: &Program, n: usize, group: &Group, operation: &Operation, diags: &mut Vec<Diag>) {
    let has = |name| operation.has(name);
    let (name, refusal) = match operation.opcode() {
        Opcode::Smp => ("smp", refusal(group.source(operation.source(Source::State)), operation)),
        Opcode::Itrsmp if has(Name::Comparison) => ("itrsmp", Some(COMPARISON)),
        Opcode::Itrsmp if has(Name::Count) && operation.get(Name::Count) != coordinates(operation) => {
            ("itrsmp", Some("a count that is not that of its coordinates"))
        }
        Opcode::Itrsmp if has(Name::TexelCoordinates) && operation.get(Name::Dimensions) != 2 => {
            ("itrsmp", Some(NOT_RECTANGLE))
        }
        _ => return,
    };
    if let Some(what) = refusal {
        let dimensions = operation.get(Name::Dimensions);
        let message = format!("{name}{dimensions}d: {what} is not described well enough to be executed");
        diags.push(Diag::unsupported("unsupported-lookup", span(program, n), message));
    }
}

const COMPARISON: &str = "the place of the reference value of a comparison";
const NOT_RECTANGLE: &str = "texel coordinates of other textures than 2D";

/// What of a lookup cannot be done.
fn refusal(state: Register, operation: &Operation) -> Option<&'static str> {
    let (has, level) = (|name| operation.has(name), operation.get(Name::Level));
    let (integer, half) = (has(Name::IntegerCoordinates), has(Name::HalfCoordinates));
    let others = [Name::Projected, Name::Layers, Name::Level, Name::Offset, Name::SampleNumber].into_iter().any(has);
    let refusals = [
        (state.bank != Bank::Shared || state.index.is_some(), "a texture state outside the shared registers"),
        (has(Name::Write), "writing"),
        (has(Name::Returned), "what it returns besides the texel (data, info, both)"),
        (has(Name::AddressOverride), "an address override"),
        (has(Name::Offset), "the layout of an offset word"),
        (has(Name::Comparison), COMPARISON),
        (half && (others || integer), "which of the other data are halves where coordinates are"),
        (integer && level != REPLACE, "the level of integer coordinates without `.replace`"),
        (integer && has(Name::Projected), "the projection of integer coordinates"),
        (level == GRADIENT, "the order of gradients"),
        (has(Name::Layers) && operation.get(Name::Dimensions) > 2 && integer, "the texels of faces by number"),
        (has(Name::TexelCoordinates) && operation.get(Name::Dimensions) != 2 && !integer, NOT_RECTANGLE),
    ];
    refusals.into_iter().find(|(refused, _)| *refused).map(|(_, what)| what)
}

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
        let op = TexOp { unit, target, mode, project, offset: [0; 3] };
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
        let op = TexOp { unit, target, mode: TexMode::Implicit, project, offset: [0; 3] };
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
        let vals: Vec<Deferred> = if operation.has(Name::HalfResult) {
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
