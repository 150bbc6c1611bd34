//! Loop parameters, made when a variable set outside a loop is first looked at inside it.

use crate::control::{Edge, Frame, FrameKind};
use crate::lifter::{Lifter, SharedLiterals};
use crate::meet::{Meeting, Nature};
use crate::variable::{Deferred, DeferredKind, ParamId, VarId};
use parallax_core::{RegionId, Type, ValueData, ValueDef, ValueId};
use smallvec::SmallVec;

/// What a variable holds at the head of a loop. Until the loop ends it is unknown whether a later iteration changes it.
#[derive(Clone, Debug)]
pub(crate) struct Param {
    pub(crate) variable: VarId,
    /// Body of the loop.
    pub(crate) region: RegionId,
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
        let (region, frame) = (frame.body, frame.serial);
        Param { variable, region, frame, init, views, settled: None, stands_for: None, place: None }
    }
}

/// The number that a parameter has until its loop ends.
pub(crate) const OPEN: u16 = u16::MAX;

/// Parameters of a loop that is being settled, with what its back edges pass on.
struct Later {
    /// Live back edges.
    edges: usize,
    /// What each of them passes for each parameter; the parameter itself where it changes nothing.
    vals: Vec<Deferred>,
}

impl Later {
    fn of(params: &[ParamId], again: &[Edge], variable: impl Fn(ParamId) -> VarId) -> Later {
        let live = again.iter().filter(|edge| edge.live);
        let edges = live.clone().count();
        let mut vals = Vec::with_capacity(params.len() * edges);
        for &p in params {
            let variable = variable(p);
            let own = Deferred::of(DeferredKind::Param(p));
            vals.extend(live.clone().map(|edge| edge.find(variable).unwrap_or(own)));
        }
        Later { edges, vals }
    }

    /// What is passed for the parameter of this number.
    fn get(&self, n: usize) -> &[Deferred] {
        &self.vals[n * self.edges..][..self.edges]
    }
}

/// A parameter that is kept, and its number among all of its loop.
#[derive(Copy, Clone)]
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
                if self.params.capacity() == 0 {
                    self.params.reserve(PARAMS);
                    self.param_of.reserve(PARAMS);
                }
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
        let value = self.b.func.values.push(ValueData { ty, def: ValueDef::Param(param.region, OPEN) });
        param.views.push(value);
        self.param_of.push((value, id));
        value
    }

    /// Where the parameter of an open loop that has this value stands in `param_of`.
    fn place_of_view(&self, value: ValueId) -> Option<usize> {
        let is_open = matches!(self.b.func.values[value].def, ValueDef::Param(_, OPEN));
        let found = is_open.then(|| self.param_of.binary_search_by_key(&value, |entry| entry.0));
        found.and_then(Result::ok)
    }

    /// What a value was found to be.
    #[inline]
    pub(crate) fn alias_of(&self, value: ValueId) -> Option<ValueId> {
        // Only parameters are ever something else.
        let may_be = !self.alias.is_empty() && matches!(self.b.func.values[value].def, ValueDef::Param(..));
        may_be.then(|| self.alias.get(&value).copied()).flatten()
    }

    /// The same for equal content: the normal form, and for a parameter that was read the parameter.
    pub(crate) fn identity(&self, val: Deferred) -> Deferred {
        let val = self.normal(val);
        match val.kind() {
            DeferredKind::Value(v) => match self.place_of_view(v) {
                Some(at) => Deferred::of(DeferredKind::Param(self.param_of[at].1)),
                None => val,
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
    pub(crate) fn normal(&self, mut val: Deferred) -> Deferred {
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
        self.add_missing_params(frame, again, exits, first_crossing);
        let later = Later::of(&frame.params, again, |p| self.params[p.0 as usize].variable);
        self.drop_trivial_params(frame, &later);

        // An exit that does not mention a variable leaves with what the variable held at the head of the iteration.
        let mut kept: Vec<Kept> = Vec::with_capacity(frame.params.len());
        for (number, &param) in frame.params.iter().enumerate() {
            let Param { variable, stands_for, .. } = self.params[param.0 as usize];
            if stands_for.is_none() {
                kept.push(Kept { param, number, variable });
            }
        }
        kept.sort_unstable_by_key(|kept| kept.variable);
        for edge in exits.iter_mut().chain(&mut self.edges[first_crossing..]) {
            edge.mention_all(kept.iter().map(|kept| (kept.variable, Deferred::of(DeferredKind::Param(kept.param)))));
        }
        self.keep_used_params(&mut kept, &later, exits, first_crossing);
        self.type_params(&kept, &later);

        let mut views: Vec<(Kept, ValueId)> = Vec::with_capacity(2 * kept.len());
        let mut inits = Vec::with_capacity(2 * kept.len());
        let mut shared = SharedLiterals::default();
        for &kept in &kept {
            let param = &self.params[kept.param.0 as usize];
            let (init, region) = (param.init, param.region);
            views.extend(param.views.iter().map(|&view| (kept, view)));
            for &(_, view) in &views[inits.len()..] {
                if let Some(at) = self.place_of_view(view) {
                    self.param_of.remove(at);
                }
                let n = self.b.func.regions[region].params.len() as u16;
                self.b.func.values[view].def = ValueDef::Param(region, n);
                self.b.func.regions[region].params.push(view);
                let ty = self.b.func.ty(view);
                inits.push(self.force_shared(init, ty, &mut shared));
            }
        }
        let mut nth_live = 0;
        for edge in again {
            let passed: SmallVec<[(Deferred, Type); 8]> = views
                .iter()
                .map(|&(kept, view)| {
                    // Where no lane gets, the parameters are passed on as they are.
                    let passed = if edge.live { later.get(kept.number)[nth_live] } else { view.into() };
                    (passed, self.b.func.ty(view))
                })
                .collect();
            self.patch(edge, passed.into_iter());
            nth_live += usize::from(edge.live);
        }
        inits
    }

    /// Variables that an iteration changes and some exit does not mention need a parameter too, though nobody read them.
    fn add_missing_params(&mut self, frame: &mut Frame, again: &[Edge], exits: &[Edge], first_crossing: usize) {
        let mut known: Vec<VarId> = frame.params.iter().map(|p| self.params[p.0 as usize].variable).collect();
        known.sort_unstable();
        let mut changed: Vec<VarId> =
            again.iter().filter(|e| e.live).flat_map(|e| e.variables.iter().map(|c| c.0)).collect();
        changed.sort_unstable();
        changed.dedup();
        changed.retain(|c| known.binary_search(c).is_err());
        for variable in changed {
            let crossing = &self.edges[first_crossing..];
            let unmentioned = |e: &Edge| e.live && e.find(variable).is_none();
            if exits.iter().any(unmentioned) || crossing.iter().any(unmentioned) {
                let init = self.get(variable);
                frame.params.push(ParamId(self.params.len() as u32));
                self.params.push(Param::new(variable, frame, init));
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
                let views = param.views.clone();
                for view in views {
                    let ty = self.b.func.ty(view);
                    let outer = self.force(init, ty);
                    self.alias.insert(view, outer);
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
    fn keep_used_params(&mut self, kept: &mut Vec<Kept>, later: &Later, exits: &[Edge], first_crossing: usize) {
        self.number_kept(kept);
        let place = |val: Deferred| self.place_among_kept(self.identity(val));
        let mut used: Vec<bool> =
            kept.iter().map(|kept| !self.params[kept.param.0 as usize].views.is_empty()).collect();
        for edge in exits.iter().chain(&self.edges[first_crossing..]) {
            edge.variables.iter().filter_map(|entry| place(entry.1)).for_each(|n| used[n] = true);
        }
        let mut work: Vec<usize> = (0..kept.len()).filter(|n| used[*n]).collect();
        while let Some(n) = work.pop() {
            for fed in later.get(kept[n].number).iter().filter_map(|&val| place(val)) {
                if !std::mem::replace(&mut used[fed], true) {
                    work.push(fed);
                }
            }
        }
        for (kept, _) in kept.iter().zip(&used).filter(|(_, used)| !**used) {
            self.params[kept.param.0 as usize].place = None;
        }
        let mut used = used.into_iter();
        kept.retain(|_| used.next() == Some(true));
        self.number_kept(kept);
    }

    /// Decides what the parameters are: how their first and later values meet.
    fn type_params(&mut self, kept: &[Kept], later: &Later) {
        // First and later values of each.
        let count = later.edges + 1;
        let mut given = Vec::with_capacity(kept.len() * count);
        for kept in kept {
            let init = self.params[kept.param.0 as usize].init;
            given.extend(std::iter::once(&init).chain(later.get(kept.number)).map(|&val| self.normal(val)));
        }
        // Parameters feed each other: all start as nothing and take on what they are given until nothing changes.
        let mut natures = vec![Nature::default(); kept.len()];
        // Those given nothing but values of one type are that.
        let mut open: Vec<usize> = Vec::with_capacity(kept.len());
        for (n, given) in given.chunks(count).enumerate() {
            match self.type_of_values(given) {
                Some(ty) => natures[n] = Nature::of(ty),
                None => open.push(n),
            }
        }
        let mut changed = !open.is_empty();
        while std::mem::take(&mut changed) {
            for &n in &open {
                let mut nature = std::mem::take(&mut natures[n]);
                for &val in &given[n * count..][..count] {
                    changed |= match self.place_among_kept(val) {
                        Some(other) if other == n => false,
                        Some(other) => nature.join(&natures[other]),
                        None => {
                            let mut known = self.nature(val);
                            let place = |q: ParamId| self.place_among_kept(Deferred::of(DeferredKind::Param(q)));
                            for m in known.open.take_params(|q| place(q).is_some()).into_iter().filter_map(place) {
                                known.open.join(if m == n { &nature.open } else { &natures[m].open });
                            }
                            nature.join(&known)
                        }
                    };
                }
                natures[n] = nature;
            }
        }
        for (kept, nature) in kept.iter().zip(natures) {
            let p = kept.param;
            let mut meeting = self.meeting_of(nature);
            let first = self.params[p.0 as usize].views.first().map(|&v| self.b.func.ty(v));
            if let (Meeting::Undecided, Some(ty)) = (&meeting, first) {
                meeting = self.undecided_as(ty);
            }
            let values: SmallVec<[ValueId; 2]> = meeting.types().iter().map(|&ty| self.view(p, ty)).collect();
            let settled = self.met(meeting, &values);
            let param = &mut self.params[p.0 as usize];
            (param.settled, param.place) = (Some(settled), None);
        }
    }
}
