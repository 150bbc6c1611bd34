//! What is known of values: whether all lanes of a workgroup hold the same, and of addresses how they depend on the lane.

use super::{range, target};
use parallax_core::{OpKind, SysVal};
use parallax_step::{Function as Steps, Id, Inst, Kind, OpNumber, Prim, Ty};
use rustc_hash::FxHashMap;

/// An integer: something that all lanes of a block have alike and that never changes, by number, and a multiple of the
/// invocation's place along x, and a constant; all of it modulo 2^32.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// 0 for none.
    shared: u32,
    times_x: u32,
    more: u32,
}

impl Place {
    fn constant(more: u32) -> Place {
        Place { shared: 0, times_x: 0, more }
    }

    fn as_constant(self) -> Option<u32> {
        (self.shared == 0 && self.times_x == 0).then_some(self.more)
    }

    /// Whether two addresses are those of different words in any two of so many lanes, which are neighbours along x.
    pub(super) fn are_apart(a: Place, b: Place, lanes: u32) -> bool {
        let apart = |between: u32| {
            let distance = a.times_x.wrapping_mul(between).wrapping_add(a.more).wrapping_sub(b.more);
            (distance as i32).unsigned_abs() >= 4
        };
        a.shared == b.shared
            && a.times_x == b.times_x
            && (1..lanes).all(|between| apart(between) && apart(between.wrapping_neg()))
    }
}

/// What all lanes of a block have alike.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
enum Shared {
    System(SysVal),
    Constant(u16, u32, u8),
    /// Of two of them, of which the first is not the greater one.
    Sum(u32, u32),
    Product(u32, u32),
    /// Of one of them and a constant.
    Times(u32, u32),
}

/// Facts about the values of a function.
#[derive(Debug)]
pub(crate) struct Facts {
    varies: Vec<bool>,
    strides: Vec<Option<u32>>,
    places: Vec<Option<Place>>,
    is_read: Vec<bool>,
    /// Of each op with regions whether the lanes of a workgroup that execute it go the same way through it: the same arm of a
    /// branch, the same number of iterations.
    alike: Vec<bool>,
    /// Of each value the op that makes it.
    makers: Vec<OpNumber>,
    /// Whether each is surely a multiple of four.
    aligned: Vec<bool>,
    /// The greatest number that each can be, where batches are workgroups.
    greatest: Vec<u32>,
}

/// How often what varies is looked for; where that is not enough, everything does.
const MOST_ROUNDS: usize = 64;

impl Facts {
    pub(crate) fn of(steps: &Steps) -> Facts {
        let (values, ops) = (steps.values.len(), steps.ops.len());
        let (mut is_read, mut makers) = (vec![false; values], vec![OpNumber::MAX; values]);
        steps.walk(|_, number| {
            let op = &steps.ops[number as usize];
            steps.args(op).iter().for_each(|&arg| is_read[arg as usize] = true);
            op.results().for_each(|result| makers[result as usize] = number);
        });
        let leads_out = vec![false; ops];
        let (varies, alike) = (vec![false; values], vec![true; ops]);
        let mut spread = Spread { steps, varies, alike, leads_out, depths: vec![0; ops], is_new: true };
        spread.jumps(steps.body, 1);
        for _ in 0..MOST_ROUNDS {
            if std::mem::replace(&mut spread.is_new, false) {
                spread.region(steps.body, None);
            }
        }
        if spread.is_new {
            spread.varies.fill(true);
            spread.alike.fill(false);
        }
        let Spread { varies, alike, .. } = spread;
        let (strides, places) = (vec![None; values], vec![None; values]);
        let aligned = vec![false; values];
        let greatest = range::greatest(steps);
        let mut facts = Facts { varies, strides, places, is_read, alike, makers, aligned, greatest };
        facts.find_aligned(steps);
        facts.find_places(steps);
        facts.find_strides(steps);
        facts
    }

    /// How much more a value probably is in each lane than in the one before, along x: nothing is promised.
    pub(crate) fn stride(&self, value: Id) -> Option<u32> {
        self.strides[value as usize]
    }

    pub(crate) fn is_aligned(&self, value: Id) -> bool {
        self.aligned[value as usize]
    }

    /// The greatest number that a value can be, where batches are workgroups.
    pub(crate) fn greatest(&self, value: Id) -> u32 {
        self.greatest[value as usize]
    }

    fn find_aligned(&mut self, steps: &Steps) {
        let constant = |id: Id, makers: &[OpNumber]| match steps.ops.get(makers[id as usize] as usize)?.kind {
            Kind::Step(Inst { prim: Prim::Const, ty: Ty::I32, imm, .. }) => Some(imm as u32),
            _ => None,
        };
        steps.walk(|_, number| {
            let op = &steps.ops[number as usize];
            let Kind::Step(inst) = op.kind else { return };
            let args = inst.args();
            let both = || args.iter().all(|&arg| self.aligned[arg as usize]);
            self.aligned[op.result() as usize] = inst.ty == Ty::I32
                && match inst.prim {
                    Prim::Const => inst.imm & 3 == 0,
                    Prim::Add | Prim::Sub | Prim::Or | Prim::Xor => both(),
                    Prim::And | Prim::Mul => args.iter().any(|&arg| self.aligned[arg as usize]),
                    Prim::Shl => {
                        let amount = constant(args[1], &self.makers).map(|amount| amount & 31);
                        self.aligned[args[0] as usize] || amount.is_some_and(|amount| amount >= 2)
                    }
                    _ => false,
                };
        });
    }

    /// What makes a value, unless it is a parameter.
    pub(crate) fn made_by<'s>(&self, steps: &'s Steps, value: Id) -> Option<&'s Kind> {
        steps.ops.get(self.makers[value as usize] as usize).map(|op| &op.kind)
    }

    pub(super) fn place(&self, value: Id) -> Option<Place> {
        self.places[value as usize]
    }

    /// Whether anything reads a value.
    pub(super) fn is_read(&self, value: Option<Id>) -> bool {
        value.is_some_and(|value| self.is_read[value as usize])
    }

    /// Whether the lanes of a workgroup that execute an op with regions go the same way through it.
    pub(crate) fn is_taken_alike(&self, number: OpNumber) -> bool {
        self.alike[number as usize]
    }
}

/// What varies makes other values vary.
struct Spread<'a> {
    steps: &'a Steps,
    varies: Vec<bool>,
    alike: Vec<bool>,
    /// Of each op whether a jump in it aims at something around it.
    leads_out: Vec<bool>,
    depths: Vec<u32>,
    is_new: bool,
}

impl Spread<'_> {
    /// Finds the ops that jumps lead out of; gives the least depth that a jump in a region aims at. Nesting is bounded by the
    /// verifier of the IR.
    fn jumps(&mut self, region: u32, depth: u32) -> u32 {
        let steps = self.steps;
        let mut least = u32::MAX;
        for &number in &steps.regions[region as usize].ops {
            let op = &steps.ops[number as usize];
            self.depths[number as usize] = depth;
            let inner = op.regions().map(|region| self.jumps(region, depth + 1)).min().unwrap_or(u32::MAX);
            self.leads_out[number as usize] = inner < depth;
            least = least.min(inner).min(target(&op.kind).map_or(u32::MAX, |target| self.depths[target as usize]));
        }
        least
    }

    fn mark(&mut self, ids: impl IntoIterator<Item = Id>) {
        for id in ids {
            self.is_new |= !std::mem::replace(&mut self.varies[id as usize], true);
        }
    }

    /// Values become others.
    fn pass(&mut self, to: impl IntoIterator<Item = Id>, from: &[Id]) {
        for (to, &from) in to.into_iter().zip(from) {
            if self.varies[from as usize] {
                self.mark([to]);
            }
        }
    }

    /// Looks at a region of an op; gives whether lanes of a workgroup may leave it in different ways.
    fn region(&mut self, region: u32, owner: Option<OpNumber>) -> bool {
        let steps = self.steps;
        let params = |op: OpNumber| &steps.regions[steps.ops[op as usize].regions().start as usize].params;
        let mut splits = false;
        for &number in &steps.regions[region as usize].ops {
            let op = &steps.ops[number as usize];
            let args = steps.args(op);
            let args_vary = args.iter().any(|&arg| self.varies[arg as usize]);
            match op.kind {
                Kind::Step(_) | Kind::Redo(_) | Kind::Call(_) => {
                    if args_vary {
                        self.mark(op.results());
                    }
                }
                Kind::Ir(OpKind::Yield) => {
                    let results = owner.map(|owner| steps.ops[owner as usize].results());
                    self.pass(results.into_iter().flatten(), args);
                }
                Kind::Ir(OpKind::Break(_)) => {
                    let results = target(&op.kind).map(|target| steps.ops[target as usize].results());
                    self.pass(results.into_iter().flatten(), args);
                }
                Kind::Ir(OpKind::Continue(_)) => {
                    let params = target(&op.kind).map(params);
                    self.pass(params.into_iter().flatten().copied(), args);
                }
                Kind::Ir(kind @ (OpKind::If | OpKind::Block | OpKind::Loop)) => {
                    let is_loop = kind == OpKind::Loop;
                    if is_loop {
                        self.pass(params(number).iter().copied(), args);
                    }
                    self.pass(op.results(), steps.initial(op));
                    let branches = kind == OpKind::If && self.varies[args[0] as usize];
                    let inside = op.regions().fold(false, |any, region| self.region(region, Some(number)) | any);
                    self.alike[number as usize] = !branches && !inside;
                    if branches || inside {
                        self.mark(op.results());
                    }
                    if is_loop && inside {
                        self.mark(params(number).iter().copied());
                    }
                    splits |= inside || branches && self.leads_out[number as usize];
                }
                Kind::Ir(kind) => {
                    if !is_uniform(kind, args_vary) {
                        self.mark(op.results());
                    }
                }
                Kind::Trace(_) => {}
            }
        }
        splits
    }
}

impl Facts {
    fn find_strides(&mut self, steps: &Steps) {
        steps.walk(|_, number| {
            let op = &steps.ops[number as usize];
            for region in op.regions() {
                for &param in &steps.regions[region as usize].params {
                    self.strides[param as usize] = (!self.varies[param as usize]).then_some(0);
                }
            }
            for result in op.results() {
                let stride = match op.kind {
                    _ if !self.varies[result as usize] => Some(0),
                    Kind::Step(inst) => self.stride_of(&inst),
                    Kind::Ir(OpKind::Sys(SysVal::LocalX)) => Some(1),
                    Kind::Ir(OpKind::Sys(SysVal::LocalY | SysVal::LocalZ)) => Some(0),
                    _ => None,
                };
                self.strides[result as usize] = stride;
            }
        });
    }

    fn stride_of(&self, inst: &Inst) -> Option<u32> {
        let arg = |n: usize| self.strides[*inst.args().get(n)? as usize];
        let constant = |n: usize| self.places[*inst.args().get(n)? as usize]?.as_constant();
        let all_alike = inst.args().iter().all(|&arg| self.strides[arg as usize] == Some(0));
        match inst.prim {
            _ if all_alike => Some(0),
            Prim::Bits | Prim::Float => arg(0),
            Prim::Add => Some(arg(0)?.wrapping_add(arg(1)?)),
            Prim::Sub => Some(arg(0)?.wrapping_sub(arg(1)?)),
            Prim::Shl => Some(arg(0)?.wrapping_shl(constant(1)?)),
            Prim::Mul => match (constant(0), constant(1)) {
                (_, Some(factor)) => Some(arg(0)?.wrapping_mul(factor)),
                (Some(factor), _) => Some(arg(1)?.wrapping_mul(factor)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Places of what is made of constants, of where invocations are, and nothing that changes.
    fn find_places(&mut self, steps: &Steps) {
        let mut known: FxHashMap<Shared, u32> = FxHashMap::default();
        let mut number = |shared: Shared| {
            let next = known.len() as u32 + 1;
            *known.entry(shared).or_insert(next)
        };
        steps.walk(|_, op| {
            let op = &steps.ops[op as usize];
            let place = match op.kind {
                Kind::Step(inst) => self.place_of(&inst, &mut number),
                Kind::Ir(OpKind::Sys(SysVal::LocalX)) => Some(Place { shared: 0, times_x: 1, more: 0 }),
                Kind::Ir(OpKind::Sys(value)) if is_of_block(value) => {
                    Some(Place { shared: number(Shared::System(value)), times_x: 0, more: 0 })
                }
                Kind::Ir(OpKind::Const { bank, index, comp }) => {
                    Some(Place { shared: number(Shared::Constant(bank, index, comp)), times_x: 0, more: 0 })
                }
                _ => None,
            };
            if let Some(result) = op.results().next() {
                self.places[result as usize] = place;
            }
        });
    }

    fn place_of(&self, inst: &Inst, number: &mut impl FnMut(Shared) -> u32) -> Option<Place> {
        let arg = |n: usize| self.places[*inst.args().get(n)? as usize];
        if !matches!(inst.ty, Ty::I32 | Ty::F32) {
            return None;
        }
        let mut times = |place: Place, factor: u32| {
            let shared = if place.shared == 0 { 0 } else { number(Shared::Times(place.shared, factor)) };
            let [times_x, more] = [place.times_x, place.more].map(|part| part.wrapping_mul(factor));
            Place { shared, times_x, more }
        };
        match inst.prim {
            Prim::Const if inst.ty == Ty::I32 => Some(Place::constant(inst.imm as u32)),
            Prim::Bits | Prim::Float => arg(0),
            Prim::Mul => match (arg(0)?, arg(1)?) {
                (place, factor) if factor.as_constant().is_some() => Some(times(place, factor.more)),
                (factor, place) if factor.as_constant().is_some() => Some(times(place, factor.more)),
                // Both the same in all lanes.
                (a, b) if a.times_x == 0 && b.times_x == 0 && a.more == 0 && b.more == 0 => {
                    let product = Shared::Product(a.shared.min(b.shared), a.shared.max(b.shared));
                    Some(Place { shared: number(product), times_x: 0, more: 0 })
                }
                _ => None,
            },
            Prim::Shl => {
                let amount = arg(1)?.as_constant()? & 31;
                Some(times(arg(0)?, 1 << amount))
            }
            Prim::Add => {
                let (a, b) = (arg(0)?, arg(1)?);
                let shared = match (a.shared, b.shared) {
                    (0, one) | (one, 0) => one,
                    (a, b) => number(Shared::Sum(a.min(b), a.max(b))),
                };
                let sum = |a: u32, b: u32| a.wrapping_add(b);
                Some(Place { shared, times_x: sum(a.times_x, b.times_x), more: sum(a.more, b.more) })
            }
            Prim::Sub => {
                let (a, b) = (arg(0)?, arg(1)?);
                let difference = |a: u32, b: u32| a.wrapping_sub(b);
                let place = |shared: u32| Place {
                    shared,
                    times_x: difference(a.times_x, b.times_x),
                    more: difference(a.more, b.more),
                };
                match (a.shared, b.shared) {
                    (shared, 0) => Some(place(shared)),
                    (a, b) if a == b => Some(place(0)),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// Whether all lanes of a workgroup get the same from an op of the IR, whose operands may vary.
fn is_uniform(kind: OpKind, args_vary: bool) -> bool {
    match kind {
        OpKind::Literal(_) | OpKind::Const { .. } | OpKind::BufferSize { .. } | OpKind::ImageSize { .. } => true,
        OpKind::ConstAt { .. } | OpKind::TextureSize { .. } => !args_vary,
        OpKind::Sys(value) => matches!(
            value,
            SysVal::GroupX | SysVal::GroupY | SysVal::GroupZ | SysVal::GridX | SysVal::GridY | SysVal::GridZ
        ),
        _ => false,
    }
}

/// Whether the lanes of a block, which are neighbours along x, have a system value alike.
fn is_of_block(value: SysVal) -> bool {
    matches!(value, SysVal::LocalY | SysVal::LocalZ) || is_uniform(OpKind::Sys(value), false)
}
