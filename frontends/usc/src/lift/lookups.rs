//! Which textures a program looks up, and what of lookups cannot be done.
//!
//! A lookup names the shared registers that hold the state of its texture. That state is set up outside of a program; unit `n`
//! of the engine stands for the texture state that has the n-th lowest number among those a program names.

use super::flow::{Base, Flow, span};
use super::inputs::coordinates;
use crate::group::{Group, Program};
use crate::opcode::Opcode;
use crate::operation::Operation;
use crate::register::{Bank, Register};
use crate::view::{Name, Source};
use parallax_text::Diag;

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

    pub(super) fn unit(&self, state: u16) -> usize {
        self.states.iter().position(|known| *known == state).unwrap_or(0)
    }
}

/// The shared register of the state of a texture; `None` for what is no lookup.
pub(super) fn state_of(group: &Group, operation: &Operation, base: Base) -> Option<u16> {
    match operation.opcode() {
        // In sets of four.
        Opcode::Itrsmp => Some((operation.get(Name::Texture) as u16 * 4).saturating_add(base.shared)),
        Opcode::Smp => Some(base.apply(group.source(operation.source(Source::State))).number),
        _ => None,
    }
}

/// Code of the level of detail that is biased.
pub(super) const BIAS: u32 = 1;
/// That of one that is replaced.
pub(super) const REPLACE: u32 = 2;
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
