//! Loop parameters, made when a variable set outside a loop is first looked at inside it.

use crate::Lifter;
use crate::control::{Edge, Frame, FrameKind};
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
}

impl Param {
    fn new(variable: VarId, frame: &Frame, init: Deferred) -> Param {
        let views = SmallVec::new();
        Param { variable, region: frame.body, frame: frame.serial, init, views, settled: None, stands_for: None }
    }
}

/// The number that a parameter has until its loop ends.
pub(crate) const OPEN: u16 = u16::MAX;

/// Numbers of parameters in a list.
struct Places {
    first: u32,
    /// By parameter from the first on; [`Places::NONE`] for those that are not in the list.
    numbers: Vec<u32>,
}

impl Places {
    const NONE: u32 = u32::MAX;

    fn of(list: &[ParamId]) -> Places {
        let first = list.iter().map(|p| p.0).min().unwrap_or(0);
        let end = list.iter().map(|p| p.0 + 1).max().unwrap_or(0);
        let mut numbers = vec![Places::NONE; (end - first) as usize];
        for (n, p) in (0..).zip(list) {
            numbers[(p.0 - first) as usize] = n;
        }
        Places { first, numbers }
    }

    fn get(&self, param: ParamId) -> Option<usize> {
        let number = *self.numbers.get(param.0.checked_sub(self.first)? as usize)?;
        (number != Places::NONE).then_some(number as usize)
    }
}

impl Lifter<'_> {
    /// Makes `variable`, last set in frame `level`, hold a parameter of each loop opened since.
    pub(crate) fn cross_loops(&mut self, variable: VarId, level: usize) {
        for index in level + 1..self.frames.len() {
            if self.frames[index].kind == FrameKind::Loop && self.afford(1) {
                let init = self.variables[variable.0 as usize].val;
                let frame = &mut self.frames[index];
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
        self.drop_trivial_params(frame, again);

        // An exit that does not mention a variable leaves with what the variable held at the head of the iteration.
        let mut kept: Vec<ParamId> =
            frame.params.iter().copied().filter(|p| self.params[p.0 as usize].stands_for.is_none()).collect();
        kept.sort_by_key(|p| self.params[p.0 as usize].variable);
        for &p in &kept {
            let variable = self.params[p.0 as usize].variable;
            for edge in exits.iter_mut().chain(&mut self.edges[first_crossing..]) {
                edge.mention(variable, Deferred::of(DeferredKind::Param(p)));
            }
        }
        self.keep_used_params(&mut kept, again, exits, first_crossing);
        self.type_params(&kept, again);

        let mut views: Vec<(ParamId, ValueId)> = Vec::new();
        let mut inits = Vec::new();
        for &p in &kept {
            let param = &self.params[p.0 as usize];
            let (init, region) = (param.init, param.region);
            views.extend(param.views.iter().map(|&view| (p, view)));
            for &(_, view) in &views[inits.len()..] {
                if let Some(at) = self.place_of_view(view) {
                    self.param_of.remove(at);
                }
                let n = self.b.func.regions[region].params.len() as u16;
                self.b.func.values[view].def = ValueDef::Param(region, n);
                self.b.func.regions[region].params.push(view);
                let ty = self.b.func.ty(view);
                inits.push(self.force(init, ty));
            }
        }
        for edge in again {
            let passed: SmallVec<[(Deferred, Type); 8]> = views
                .iter()
                .map(|&(p, view)| {
                    // Where no lane gets, the parameters are passed on as they are.
                    let passed = if edge.live { edge.find(self.params[p.0 as usize].variable) } else { None };
                    (passed.unwrap_or(view.into()), self.b.func.ty(view))
                })
                .collect();
            self.patch(edge, passed.into_iter());
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
    fn drop_trivial_params(&mut self, frame: &Frame, again: &[Edge]) {
        loop {
            let mut progress = false;
            for &p in &frame.params {
                let param = &self.params[p.0 as usize];
                if param.stands_for.is_some() {
                    continue;
                }
                let (own, init) = (Deferred::of(DeferredKind::Param(p)), self.identity(param.init));
                let trivial = again.iter().filter(|e| e.live).all(|e| {
                    e.find(param.variable).is_none_or(|val| {
                        let val = self.identity(val);
                        val == own || val == init
                    })
                });
                if !trivial {
                    continue;
                }
                progress = true;
                let (init, views) = (param.init, param.views.clone());
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

    /// Keeps only parameters that were read, or that reach an exit, or that feed one kept.
    fn keep_used_params(&self, kept: &mut Vec<ParamId>, again: &[Edge], exits: &[Edge], first_crossing: usize) {
        let places = Places::of(kept);
        let place = |val: Deferred| match self.identity(val).kind() {
            DeferredKind::Param(p) => places.get(p),
            _ => None,
        };
        let mut used: Vec<bool> = kept.iter().map(|p| !self.params[p.0 as usize].views.is_empty()).collect();
        for edge in exits.iter().chain(&self.edges[first_crossing..]) {
            edge.variables.iter().filter_map(|entry| place(entry.1)).for_each(|n| used[n] = true);
        }
        let mut work: Vec<usize> = (0..kept.len()).filter(|n| used[*n]).collect();
        while let Some(n) = work.pop() {
            let variable = self.params[kept[n].0 as usize].variable;
            for fed in again.iter().filter_map(|edge| place(edge.find(variable)?)) {
                if !std::mem::replace(&mut used[fed], true) {
                    work.push(fed);
                }
            }
        }
        let mut used = used.into_iter();
        kept.retain(|_| used.next() == Some(true));
    }

    /// Decides what the parameters are: how their first and later values meet.
    fn type_params(&mut self, kept: &[ParamId], again: &[Edge]) {
        let places = Places::of(kept);
        // First and later values of all of them, and where those of each end.
        let (mut given, mut ends) = (Vec::new(), Vec::with_capacity(kept.len()));
        for &p in kept {
            let Param { variable, init, .. } = self.params[p.0 as usize];
            let later = again.iter().filter(|e| e.live).filter_map(|e| e.find(variable));
            given.extend(std::iter::once(init).chain(later).map(|val| self.normal(val)));
            ends.push(given.len());
        }
        // Parameters feed each other: all start as nothing and take on what they are given until nothing changes.
        let mut natures = vec![Nature::default(); kept.len()];
        let mut changed = true;
        while std::mem::take(&mut changed) {
            let mut start = 0;
            for (n, &end) in ends.iter().enumerate() {
                let mut nature = natures[n].clone();
                for &val in &given[start..end] {
                    let other = match val.kind() {
                        DeferredKind::Param(q) => places.get(q),
                        _ => None,
                    };
                    match other {
                        Some(other) => nature.join(&natures[other]),
                        None => {
                            let mut known = self.nature(val);
                            for q in known.open.take_params(|q| places.get(q).is_some()) {
                                places.get(q).into_iter().for_each(|m| known.open.join(&natures[m].open));
                            }
                            nature.join(&known);
                        }
                    }
                }
                start = end;
                changed |= nature != natures[n];
                natures[n] = nature;
            }
        }
        for (&p, nature) in kept.iter().zip(natures) {
            let mut meeting = self.meeting_of(nature);
            let first = self.params[p.0 as usize].views.first().map(|&v| self.b.func.ty(v));
            if let (Meeting::Undecided, Some(ty)) = (&meeting, first) {
                meeting = self.undecided_as(ty);
            }
            let values: SmallVec<[ValueId; 2]> = meeting.types().iter().map(|&ty| self.view(p, ty)).collect();
            let settled = self.met(meeting, &values);
            self.params[p.0 as usize].settled = Some(settled);
        }
    }
}
