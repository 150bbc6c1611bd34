//! Where values come from: uniforms, vertex inputs, and the interpolation of attributes.
//!
//! A coefficient set is four registers: A, B, C and padding of a plane A x + B y + C. The first set is that of 1/w; the
//! others, four to an attribute, are the components of the engine's attributes, which it interpolates itself. Where the caller
//! presets a register of a set, the plane is evaluated instead.

use super::flow::{Base, Flow, span};
use super::named::number_in;
use crate::group::{Group, Program};
use crate::register::{Bank, Register};
use crate::view::{Name, Source};
use crate::{opcode::Opcode, operation::Operation};
use parallax_core::{AttrDecl, AttrSemantic, Interp, Location, Stage};
use parallax_lift::{Deferred, Lifter};
use parallax_text::Diag;

/// Registers of a coefficient set.
pub(super) const SET: u16 = 4;
/// Shared registers.
const SHARED: u32 = 4096;

/// An iteration of some components.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Planes {
    /// First coefficient set.
    pub(super) set: u16,
    /// Set of 1/w, with perspective.
    pub(super) w: Option<u16>,
    pub(super) count: u16,
    /// 0 pixel centre, 1 sample, 2 centroid.
    pub(super) place: u8,
    pub(super) sat: bool,
    pub(super) destination: Register,
}

impl Planes {
    /// The iteration of an operation; `None` for other operations.
    ///
    /// # Errors
    /// Operands that are no coefficient sets.
    pub(super) fn of(
        program: &Program,
        flow: &Flow,
        (n, group, base): (usize, &Group, Base),
        operation: &Operation,
    ) -> Option<Result<Planes, Diag>> {
        let unsupported = |message: String| Diag::unsupported("coefficient-set", span(program, n), message);
        let refuse = |message: String| {
            let help = "name the first of four `cf` registers, such as cf4, without an index";
            Some(Err(unsupported(message).with_help(help)))
        };
        let set = |register: Register| {
            let is_plain = register.bank == Bank::Coefficient && register.index.is_none();
            let number = base.apply(register).number;
            (is_plain && number.is_multiple_of(SET)).then_some(number / SET)
        };
        let all = Planes {
            set: operation.get(Name::Coefficients) as u16,
            w: None,
            count: operation.count() as u16,
            place: operation.get(Name::Place) as u8,
            sat: operation.has(Name::Saturate),
            destination: direct_result(operation),
        };
        match operation.opcode() {
            Opcode::Ditr | Opcode::Itrsmp => {
                let w = match operation.get(Name::Perspective) {
                    0 => None,
                    1 | KEEPS_W => Some(operation.get(Name::CoefficientsOfW) as u16),
                    _ => match kept(program, flow) {
                        Some(w) => Some(w),
                        None => {
                            let message = "perspective 3 works on the value that perspective 2 kept, and the program \
                                           keeps none, or several";
                            return Some(Err(unsupported(message.into())));
                        }
                    },
                };
                if operation.has(Name::Index) || operation.has(Name::IndexOfW) {
                    return Some(Err(unsupported("an index of coefficients is undocumented".into())));
                }
                let more = base.coefficient / SET;
                if !base.coefficient.is_multiple_of(SET) {
                    return refuse("the base offset of coefficients is not a multiple of a coefficient set".into());
                }
                let count = match operation.opcode() {
                    Opcode::Itrsmp => coordinates(operation) as u16,
                    _ => all.count,
                };
                Some(Ok(Planes { set: all.set + more, w: w.map(|w| w + more), count, ..all }))
            }
            opcode @ (Opcode::Fitr | Opcode::Fitrp) => {
                let source = |source| group.source(operation.source(source));
                let Some(first) = set(source(Source::Coefficients)) else {
                    return refuse("the first coefficient of an iteration does not start a coefficient set".into());
                };
                let w = (opcode == Opcode::Fitrp).then(|| set(source(Source::CoefficientsOfW)));
                if w == Some(None) {
                    return refuse("the coefficient of W of an iteration does not start a coefficient set".into());
                }
                Some(Ok(Planes { set: first, w: w.flatten(), destination: source(Source::Result), ..all }))
            }
            _ => None,
        }
    }
}

/// Code of the perspective whose W is kept for later iterations.
const KEEPS_W: u32 = 2;

/// How many components the coordinates of a lookup have.
pub(super) fn coordinates(operation: &Operation) -> u32 {
    operation.get(Name::Dimensions) + u32::from(operation.has(Name::Projected))
}

/// The first register that `ditr` or `itrsmp` writes.
pub(super) fn direct_result(operation: &Operation) -> Register {
    Register { bank: Bank::Temporary, number: operation.get(Name::Destination) as u16, index: None }
}

/// The only set of 1/w that is kept for later iterations.
fn kept(program: &Program, flow: &Flow) -> Option<u16> {
    let operations = flow.groups(program).flat_map(|(_, group, _)| &group.operations);
    let keeps = operations.filter(|operation| operation.get(Name::Perspective) == KEEPS_W);
    let mut sets = keeps.map(|operation| operation.get(Name::CoefficientsOfW) as u16);
    let first = sets.next()?;
    sets.all(|w| w == first).then_some(first)
}

/// Inputs as far as they are declared.
pub(super) struct Inputs {
    interp: Interp,
    /// Attributes of vertex inputs, by number.
    vertex: Vec<Option<u16>>,
    /// Iterated attributes: number, with perspective, and index.
    pub(super) iterated: Vec<(u16, bool, u16)>,
    /// The set that component x of attribute 0 has.
    pub(super) first_set: u16,
    /// Coefficient registers that the caller presets.
    preset: Vec<u16>,
    /// Vertex inputs that the caller presets.
    preset_vertex: Vec<u16>,
    pub(super) position: Option<u16>,
}

impl Inputs {
    /// Nothing but the bank of uniforms, which every program has.
    pub(super) fn new(l: &mut Lifter<'_>, stage: Stage, presets: &[&str]) -> Inputs {
        l.need_bank(0, 0, |_| "shared".into());
        let interp = if stage == Stage::Vertex { Interp::Flat } else { Interp::Perspective };
        let of = |bank| presets.iter().filter_map(|name| number_in(bank, name)).collect();
        let (preset, preset_vertex) = (of(Bank::Coefficient), of(Bank::VertexInput));
        Inputs { interp, vertex: Vec::new(), iterated: Vec::new(), first_set: 1, preset, preset_vertex, position: None }
    }

    /// A uniform, not read yet: register `4 n + k` is component `k` of vector `n`.
    pub(super) fn uniform(l: &mut Lifter<'_>, number: u16) -> Deferred {
        l.constant(0, (number / 4).into(), (number % 4) as u8)
    }

    /// Makes the bank of uniforms as long as it can be: any of them may be read.
    pub(super) fn need_all_uniforms(l: &mut Lifter<'_>) {
        l.need_bank(0, SHARED / 4, |_| "shared".into());
    }

    /// A vertex input, not read yet: register `4 n + k` is component `k` of attribute `n`.
    pub(super) fn vertex(&mut self, l: &mut Lifter<'_>, number: u16) -> Deferred {
        let n = usize::from(number / 4);
        if self.vertex.len() <= n {
            self.vertex.resize(n + 1, None);
        }
        let interp = self.interp;
        // The name of its first register may be that of a preset.
        let preset = self.preset_vertex.iter().any(|register| usize::from(*register) == 4 * n);
        let index = *self.vertex[n].get_or_insert_with(|| {
            l.add_attr(AttrDecl {
                name: if preset { format!("vi{} to vi{}", 4 * n, 4 * n + 3) } else { format!("vi{}", 4 * n) },
                semantic: AttrSemantic::Generic(n as u16),
                interp,
                location: Location::Center,
                mediump: false,
            })
        });
        Deferred::attr(index, (number % 4) as u8)
    }

    pub(super) fn is_preset(&self, set: u16) -> bool {
        self.preset.iter().any(|register| register / SET == set)
    }

    /// Declares the attributes that are iterated, in their order. Iterations that cannot be done are left out.
    pub(super) fn declare(&mut self, l: &mut Lifter<'_>, program: &Program, flow: &Flow, diags: &mut Vec<Diag>) {
        let mut all = Vec::new();
        let iterates =
            [Opcode::Fitr, Opcode::Fitrp, Opcode::Ditr, Opcode::Itrsmp].iter().any(|opcode| flow.does(*opcode));
        for visit in flow.groups(program).filter(|_| iterates) {
            let iterates = |operation: &&Operation| {
                matches!(operation.opcode(), Opcode::Fitr | Opcode::Fitrp | Opcode::Ditr | Opcode::Itrsmp)
            };
            for operation in visit.1.operations.iter().filter(iterates) {
                match Planes::of(program, flow, visit, operation) {
                    Some(Ok(planes)) => all.push(planes),
                    Some(Err(diag)) => diags.push(diag),
                    None => {}
                }
            }
        }
        // Programs without perspective may start with the first set.
        if all.iter().any(|planes| planes.set == 0) {
            self.first_set = 0;
        }
        let mut wanted: Vec<(u16, bool)> = Vec::new();
        for planes in &all {
            let sets = (planes.set..planes.set + planes.count).filter(|set| !self.is_preset(*set));
            wanted.extend(sets.map(|set| ((set - self.first_set) / 4, planes.w.is_some())));
        }
        wanted.sort_unstable();
        wanted.dedup();
        for (number, perspective) in wanted {
            let first = (self.first_set + 4 * number) * SET;
            let index = l.add_attr(AttrDecl {
                name: if perspective { format!("cf{first}") } else { format!("cf{first}.linear") },
                semantic: AttrSemantic::Generic(number),
                interp: if perspective { Interp::Perspective } else { Interp::Linear },
                location: Location::Center,
                mediump: false,
            });
            self.iterated.push((number, perspective, index));
        }
        let evaluates = all
            .iter()
            .any(|planes| (planes.set..planes.set + planes.count).chain(planes.w).any(|set| self.is_preset(set)));
        if evaluates {
            self.position = Some(l.add_attr(AttrDecl {
                name: "position".into(),
                semantic: AttrSemantic::Position,
                interp: Interp::Linear,
                location: Location::Center,
                mediump: false,
            }));
        }
    }
}
