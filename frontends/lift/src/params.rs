//! Loop parameters, made when a variable set outside a loop is first looked at inside it.

use crate::control::{Edge, Frame, FrameKind};
use crate::lifter::Lifter;
use crate::meet::{Meeting, Nature};
use crate::variable::{Deferred, DeferredKind, ParamId, VarId};
use parallax_core::{EntityList, EntityRef, RegionId, Type, ValueData, ValueDef, ValueId};
use parallax_text::Diag;
use smallvec::SmallVec;

/// What a variable holds at the head of a loop. Until the loop ends it is unknown whether a later iteration changes it.
#[derive(Clone, Debug)]
pub(crate) struct Param {
    pub(crate) variable: VarId,
    /// Serial number of the loop's frame.
    pub(crate) frame: u32,
    /// Content before the first iteration.
    pub(crate) init: Deferred,
    /// The content under each type it was needed as: each becomes a parameter of the region.
    pub(crate) views: SmallVec<[ValueId; 2]>,
    /// What it is, once the loop has ended.
    pub(crate) settled: Option<Deferred>,
    /// Set when no iteration changes the variable: the parameter is just this.
    pub(crate) stands_for: Option<Deferred>,
    /// Its number among those kept, while its loop is being settled.
    place: Option<u32>,
}

impl Param {
    fn new(variable: VarId, frame: &Frame, init: Deferred) -> Param {
        let views = SmallVec::new();
        Param { variable, frame: frame.serial, init, views, settled: None, stands_for: None, place: None }
    }
}

/// The number of a value whose parameter belongs to an open loop: in the place of its region stands the number of the parameter.
pub(crate) const OPEN: u16 = u16::MAX;

/// The number of a value that was found to be another one, which stands in the place of its region until the program ends.
pub(crate) const ALIAS: u16 = u16::MAX - 1;

/// Lists that settling a loop fills, kept for the next one.
#[derive(Default)]
pub(crate) struct Settling {
    later: Later,
    kept: Vec<Kept>,
    /// Variables that an iteration changes, without a parameter.
    changed: Vec<VarId>,
    used: Vec<bool>,
    work: Vec<usize>,
    /// First and later values of each parameter that is kept, in their normal forms.
    given: Vec<Deferred>,
    natures: Vec<Nature>,
    views: Vec<(usize, ValueId)>,
    /// First values of the parameters.
    pub(crate) inits: Vec<ValueId>,
}

/// Parameters of a loop that is being settled, with what its back edges pass on.
#[derive(Default)]
struct Later {
    /// Live back edges.
    edges: usize,
    /// What each of them passes for each parameter; the parameter itself where it changes nothing.
    vals: Vec<Deferred>,
}

impl Later {
    /// What is passed for the parameter of this number.
    fn get(&self, n: usize) -> &[Deferred] {
        &self.vals[n * self.edges..][..self.edges]
    }
}

/// A parameter that is kept, and its number among all of its loop.
#[derive(Copy, Clone, Debug)]
struct Kept {
    param: ParamId,
    number: usize,
    variable: VarId,
}

/// Parameters that there is room for from the first on: most loops have fewer.
const PARAMS: usize = 32;

impl Lifter<'_> {
    /// Makes `variable`, last set in frame `level`, hold a parameter of each loop opened since.
    pub(crate) fn cross_loops(&mut self, variable: VarId, level: usize) {
        for index in level + 1..self.frames.len() {
            if self.frames[index].kind == FrameKind::Loop && self.afford(1) {
                let init = self.variables[variable.0 as usize].val;
                let frame = &mut self.frames[index];
                if frame.params.capacity() == 0 {
                    frame.params.reserve(PARAMS);
                }
                let param = ParamId(self.params.len() as u32);
                self.params.push(Param::new(variable, frame, init));
                frame.params.push(param);
                self.set_at(variable, Deferred::of(DeferredKind::Param(param)), index);
            }
        }
    }

    /// The value of a parameter under a type, if it was needed before.
    pub(crate) fn known_view(&self, id: ParamId, ty: Type) -> Option<ValueId> {
        self.params[id.0 as usize].views.iter().copied().find(|&v| self.b.func.ty(v) == ty)
    }

    /// The value of a parameter under a type.
    pub(crate) fn view(&mut self, id: ParamId, ty: Type) -> ValueId {
        if let Some(known) = self.known_view(id, ty) {
            return known;
        }
        let param = &mut self.params[id.0 as usize];
        let value = self.b.func.values.push(ValueData { ty, def: ValueDef::Param(RegionId::new(id.0 as usize), OPEN) });
        param.views.push(value);
        value
    }

    /// What a value was found to be.
    #[inline]
    pub(crate) fn alias_of(&self, value: ValueId) -> Option<ValueId> {
        match self.b.func.values[value].def {
            ValueDef::Param(to, ALIAS) => Some(ValueId::new(to.index())),
            _ => None,
        }
    }

    /// The same for equal content: the normal form, and for a parameter that was read the parameter.
    #[inline]
    pub(crate) fn identity(&self, val: Deferred) -> Deferred {
        let val = self.normal(val);
        match val.kind() {
            DeferredKind::Value(v) => match self.b.func.values[v].def {
                ValueDef::Param(param, OPEN) => Deferred::of(DeferredKind::Param(ParamId(param.index() as u32))),
                _ => val,
            },
            _ => val,
        }
    }

    /// Whether it is the result of an op: nothing else is the same.
    #[inline]
    pub(crate) fn is_made(&self, val: Deferred) -> bool {
        match val.kind() {
            DeferredKind::Value(v) => !matches!(self.b.func.values[v].def, ValueDef::Param(..)),
            _ => false,
        }
    }

    /// The simplest way to say what `val` holds; equal normal forms hold equal bits.
    #[inline]
    pub(crate) fn normal(&self, val: Deferred) -> Deferred {
        match val.kind() {
            DeferredKind::Value(v) if self.alias_of(v).is_none() => val,
            DeferredKind::Value(_) | DeferredKind::Param(_) => self.normal_any(val),
            _ => val,
        }
    }

    fn normal_any(&self, mut val: Deferred) -> Deferred {
        loop {
            match val.kind() {
                DeferredKind::Value(v) => match self.alias_of(v) {
                    Some(to) => val = to.into(),
                    None => return val,
                },
                DeferredKind::Param(p) => {
                    let param = &self.params[p.0 as usize];
                    match param.stands_for.or(param.settled) {
                        Some(known) => val = known,
                        None => return val,
                    }
                }
                _ => return val,
            }
        }
    }

    /// Settles the parameters of a loop whose body is complete: finds which are needed, their types, and what every
    /// `continue` passes. The cursor stands in the region around the loop, variables are as before it.
    /// Returns the first values of the parameters.
    pub(crate) fn settle_params(
        &mut self,
        frame: &mut Frame,
        again: &[Edge],
        exits: &mut [Edge],
        first_crossing: usize,
    ) -> Vec<ValueId> {
        let edges = again.len() + exits.len() + (self.edges.len() - first_crossing);
        let changed: usize = again.iter().map(|e| e.variables.len()).sum();
        if !self.afford((frame.params.len() + changed) * edges) {
            return Vec::new();
        }
        let mut settling = std::mem::take(&mut self.settling);
        self.list_params(frame, again, exits, first_crossing, &mut settling);
        self.drop_trivial_params(frame, &settling.later);

        // An exit that does not mention a variable leaves with what the variable held at the head of the iteration.
        settling.kept.clear();
        for (number, &param) in frame.params.iter().enumerate() {
            let Param { variable, stands_for: None, .. } = self.params[param.0 as usize] else { continue };
            settling.kept.push(Kept { param, number, variable });
        }
        settling.kept.sort_unstable_by_key(|kept| kept.variable);
        for edge in exits.iter_mut().chain(&mut self.edges[first_crossing..]) {
            let all = settling.kept.iter();
            edge.mention_all(all.map(|kept| (kept.variable, Deferred::of(DeferredKind::Param(kept.param)))));
        }
        self.keep_used_params(&mut settling, exits, first_crossing);
        self.type_params(&mut settling);
        let inits = self.place_params(frame, again, &mut settling);
        self.settling = settling;
        inits
    }

    /// Numbers the values of parameters, and passes them first and later values. The result is the first ones.
    fn place_params(&mut self, frame: &Frame, again: &[Edge], settling: &mut Settling) -> Vec<ValueId> {
        let Settling { later, kept, views, inits, .. } = settling;
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.shared.clear();
        scratch.args.clear();
        views.clear();
        let mut inits = std::mem::take(inits);
        inits.clear();
        for kept in &*kept {
            let param = &self.params[kept.param.0 as usize];
            let (init, first) = (param.init, views.len());
            views.extend(param.views.iter().map(|&view| (kept.number, view)));
            for &(_, view) in &views[first..] {
                self.b.func.values[view].def = ValueDef::Param(frame.body, scratch.args.len() as u16);
                scratch.args.push(view);
                let ty = self.b.func.ty(view);
                inits.push(self.force_shared(init, ty, &mut scratch.shared));
            }
        }
        if views.len() > usize::from(ALIAS) {
            let message = format!("a loop passes more than {ALIAS} values to its next iteration");
            self.errors.push(Diag { span: None, ..Diag::unsupported("lift-size", Default::default(), message) });
        }
        self.b.func.regions[frame.body].params = EntityList::of(&scratch.args);
        let mut nth_live = 0;
        for edge in again {
            scratch.passed.clear();
            for &(number, view) in &*views {
                // Where no lane gets, the parameters are passed on as they are.
                let passed = if edge.live { later.get(number)[nth_live] } else { view.into() };
                scratch.passed.push((passed, self.b.func.ty(view)));
            }
            self.patch(edge, &mut scratch);
            nth_live += usize::from(edge.live);
        }
        self.scratch = scratch;
        inits
    }

    /// Lists parameters and what back edges pass for them. Variables that an iteration changes and some exit does not mention need
    /// a parameter too, though nobody read them.
    fn list_params(
        &mut self,
        frame: &mut Frame,
        again: &[Edge],
        exits: &[Edge],
        first_crossing: usize,
        settling: &mut Settling,
    ) {
        let Settling { later, changed, .. } = settling;
        /// A variable that is known to need no parameter.
        const NO_PARAM: u32 = 0;
        let first = self.listed + 1;
        for (number, p) in (first + 1..).zip(&frame.params) {
            self.variables[self.params[p.0 as usize].variable.0 as usize].listed = number;
        }
        changed.clear();
        for &(variable, _) in again.iter().filter(|edge| edge.live).flat_map(|edge| &edge.variables) {
            let listed = &mut self.variables[variable.0 as usize].listed;
            if *listed < first {
                *listed = first + NO_PARAM;
                changed.push(variable);
            }
        }
        changed.sort_unstable();
        for &variable in &*changed {
            let crossing = &self.edges[first_crossing..];
            let unmentioned = |e: &Edge| e.live && e.find(variable).is_none();
            if exits.iter().any(unmentioned) || crossing.iter().any(unmentioned) {
                let init = self.get(variable);
                frame.params.push(ParamId(self.params.len() as u32));
                self.params.push(Param::new(variable, frame, init));
                self.variables[variable.0 as usize].listed = first + frame.params.len() as u32;
            }
        }
        self.listed = first + frame.params.len() as u32;
        later.edges = again.iter().filter(|edge| edge.live).count();
        later.vals.clear();
        for &p in &frame.params {
            let own = Deferred::of(DeferredKind::Param(p));
            later.vals.extend(std::iter::repeat_n(own, later.edges));
        }
        for (nth_live, edge) in again.iter().filter(|edge| edge.live).enumerate() {
            for &(variable, val) in &edge.variables {
                let listed = self.variables[variable.0 as usize].listed;
                if listed > first {
                    later.vals[(listed - first - 1) as usize * later.edges + nth_live] = val;
                }
            }
        }
    }

    /// Finds parameters that every iteration passes on unchanged; they stand for their first value.
    fn drop_trivial_params(&mut self, frame: &Frame, later: &Later) {
        loop {
            let mut progress = false;
            for (n, &p) in frame.params.iter().enumerate() {
                let param = &self.params[p.0 as usize];
                if param.stands_for.is_some() {
                    continue;
                }
                let (own, init) = (Deferred::of(DeferredKind::Param(p)), param.init);
                let trivial = later.get(n).iter().all(|&val| {
                    val == own || {
                        let val = self.identity(val);
                        val == own || val == self.identity(init)
                    }
                });
                if !trivial {
                    continue;
                }
                progress = true;
                for n in 0..param.views.len() {
                    let view = self.params[p.0 as usize].views[n];
                    let ty = self.b.func.ty(view);
                    let outer = self.force(init, ty);
                    self.b.func.values[view].def = ValueDef::Param(RegionId::new(outer.index()), ALIAS);
                    self.alias.push((view, frame.body));
                    self.first_alias = self.first_alias.min(frame.op.index());
                }
                self.params[p.0 as usize].stands_for = Some(init);
            }
            if !progress {
                return;
            }
        }
    }

    /// The number of a parameter among those kept of the loop being settled.
    fn place_among_kept(&self, val: Deferred) -> Option<usize> {
        match val.kind() {
            DeferredKind::Param(p) => self.params[p.0 as usize].place.map(|place| place as usize),
            _ => None,
        }
    }

    /// Numbers the parameters that are kept.
    fn number_kept(&mut self, kept: &[Kept]) {
        for (n, kept) in (0..).zip(kept) {
            self.params[kept.param.0 as usize].place = Some(n);
        }
    }

    /// Keeps only parameters that were read, or that reach an exit, or that feed one kept.
    fn keep_used_params(&mut self, settling: &mut Settling, exits: &[Edge], first_crossing: usize) {
        let Settling { later, kept, used, work, .. } = settling;
        self.number_kept(kept);
        let place = |val: Deferred| if self.is_made(val) { None } else { self.place_among_kept(self.identity(val)) };
        used.clear();
        used.extend(kept.iter().map(|kept| !self.params[kept.param.0 as usize].views.is_empty()));
        for edge in exits.iter().chain(&self.edges[first_crossing..]) {
            edge.variables.iter().filter_map(|entry| place(entry.1)).for_each(|n| used[n] = true);
        }
        work.clear();
        work.extend((0..kept.len()).filter(|n| used[*n]));
        while let Some(n) = work.pop() {
            for fed in later.get(kept[n].number).iter().filter_map(|&val| place(val)) {
                if !std::mem::replace(&mut used[fed], true) {
                    work.push(fed);
                }
            }
        }
        for (kept, _) in kept.iter().zip(&*used).filter(|(_, used)| !**used) {
            self.params[kept.param.0 as usize].place = None;
        }
        let mut used = used.iter();
        kept.retain(|_| used.next() == Some(&true));
        self.number_kept(kept);
    }

    /// Decides what the parameters are: how their first and later values meet.
    fn type_params(&mut self, settling: &mut Settling) {
        let Settling { later, kept, work: open, given, natures, .. } = settling;
        // First and later values of each.
        let count = later.edges + 1;
        given.clear();
        for kept in &*kept {
            given.push(self.normal(self.params[kept.param.0 as usize].init));
            given.extend(later.get(kept.number).iter().map(|&val| self.normal(val)));
        }
        // Parameters feed each other: all start as nothing and take on what they are given until nothing changes.
        natures.clear();
        natures.resize(kept.len(), Nature::default());
        open.clear();
        for (n, given) in given.chunks(count).enumerate() {
            // Those given nothing but values of one type are that.
            if let Some(ty) = self.type_of_values(given) {
                natures[n] = Nature::of(ty);
                continue;
            }
            let mut is_fed = false;
            for &val in given {
                if self.place_among_kept(val).is_some() {
                    is_fed = true;
                    continue;
                }
                let mut known = self.nature(val);
                is_fed |= !known.open.take_params(|q| self.params[q.0 as usize].place.is_some()).is_empty();
                natures[n].join(&known);
            }
            // Nothing else changes again.
            if is_fed {
                open.push(n);
            }
        }
        let mut changed = !open.is_empty();
        while std::mem::take(&mut changed) {
            for &n in &*open {
                let mut nature = std::mem::take(&mut natures[n]);
                for &val in &given[n * count..][..count] {
                    match self.place_among_kept(val) {
                        Some(other) if other == n => {}
                        Some(other) => changed |= nature.join(&natures[other]),
                        None => {
                            let mut open = self.nature(val).open;
                            let place = |q: ParamId| self.params[q.0 as usize].place.map(|place| place as usize);
                            for m in open.take_params(|q| place(q).is_some()).into_iter().filter_map(place) {
                                if m != n {
                                    changed |= nature.open.join(&natures[m].open);
                                }
                            }
                        }
                    }
                }
                natures[n] = nature;
            }
        }
        for (kept, nature) in kept.iter().zip(natures.drain(..)) {
            let p = kept.param;
            let mut meeting = self.meeting_of(nature);
            let first = self.params[p.0 as usize].views.first().map(|&v| self.b.func.ty(v));
            if let (Meeting::Undecided, Some(ty)) = (&meeting, first) {
                meeting = self.undecided_as(ty);
            }
            let values: SmallVec<[ValueId; 2]> = meeting.types().iter().map(|ty| self.view(p, ty)).collect();
            let settled = self.met(meeting, &values);
            let param = &mut self.params[p.0 as usize];
            (param.settled, param.place) = (Some(settled), None);
        }
    }
}
