//! Loop parameters, made when a variable set outside a loop is first looked at inside it.

use crate::Lifter;
use crate::control::{Edge, Frame, FrameKind};
use crate::meet::{Meeting, Nature};
use crate::variable::{Deferred, DeferredKind, ParamId, VarId};
use parallax_core::{RegionId, Type, ValueData, ValueDef, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};
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
        let value = self.b.func.values.push(ValueData { ty, def: ValueDef::Param(param.region, u16::MAX) });
        param.views.push(value);
        self.param_of.insert(value, id);
        value
    }

    /// The same for equal content: the normal form, and for a parameter that was read the parameter.
    pub(crate) fn identity(&self, val: Deferred) -> Deferred {
        let val = self.normal(val);
        match val.kind() {
            DeferredKind::Value(v) => match self.param_of.get(&v) {
                Some(&param) => Deferred::of(DeferredKind::Param(param)),
                None => val,
            },
            _ => val,
        }
    }

    /// The simplest way to say what `val` holds; equal normal forms hold equal bits.
    pub(crate) fn normal(&self, mut val: Deferred) -> Deferred {
        loop {
            match val.kind() {
                DeferredKind::Value(v) => match self.alias.get(&v) {
                    Some(&to) => val = to.into(),
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
                let n = self.b.func.regions[region].params.len() as u16;
                self.b.func.values[view].def = ValueDef::Param(region, n);
                self.b.func.regions[region].params.push(view);
                self.param_of.remove(&view);
                let ty = self.b.func.ty(view);
                inits.push(self.force(init, ty));
            }
        }
        for edge in again {
            let passed: Vec<(Deferred, Type)> = views
                .iter()
                .map(|&(p, view)| {
                    // Where no lane gets, the parameters are passed on as they are.
                    let passed = if edge.live { edge.find(self.params[p.0 as usize].variable) } else { None };
                    (passed.unwrap_or(view.into()), self.b.func.ty(view))
                })
                .collect();
            self.patch(edge, &passed);
        }
        inits
    }

    /// Variables that an iteration changes and some exit does not mention need a parameter too, though nobody read them.
    fn add_missing_params(&mut self, frame: &mut Frame, again: &[Edge], exits: &[Edge], first_crossing: usize) {
        let known: FxHashSet<VarId> = frame.params.iter().map(|p| self.params[p.0 as usize].variable).collect();
        let mut changed: Vec<VarId> =
            again.iter().filter(|e| e.live).flat_map(|e| e.variables.iter().map(|c| c.0)).collect();
        changed.sort_unstable();
        changed.dedup();
        changed.retain(|c| !known.contains(c));
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
        let mut used: FxHashSet<Deferred> = FxHashSet::default();
        let mut work: Vec<ParamId> = Vec::new();
        for edge in exits.iter().chain(&self.edges[first_crossing..]) {
            used.extend(edge.variables.iter().map(|c| self.identity(c.1)));
        }
        let mut left: Vec<ParamId> = Vec::new();
        for &p in kept.iter() {
            if !self.params[p.0 as usize].views.is_empty() || used.contains(&Deferred::of(DeferredKind::Param(p))) {
                work.push(p);
            } else {
                left.push(p);
            }
        }
        while let Some(p) = work.pop() {
            let variable = self.params[p.0 as usize].variable;
            let fed: FxHashSet<Deferred> =
                again.iter().filter_map(|e| e.find(variable)).map(|v| self.identity(v)).collect();
            left.retain(|&q| {
                let needed = fed.contains(&Deferred::of(DeferredKind::Param(q)));
                if needed {
                    work.push(q);
                }
                !needed
            });
        }
        kept.retain(|p| !left.contains(p));
    }

    /// Decides what the parameters are: how their first and later values meet.
    fn type_params(&mut self, kept: &[ParamId], again: &[Edge]) {
        let place: FxHashMap<ParamId, usize> = kept.iter().enumerate().map(|(n, &p)| (p, n)).collect();
        // Parameters feed each other: all start as nothing and take on what they are given until nothing changes.
        let mut natures = vec![Nature::default(); kept.len()];
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for (n, &p) in kept.iter().enumerate() {
                let Param { variable, init, .. } = self.params[p.0 as usize];
                let later = again.iter().filter(|e| e.live).filter_map(|e| e.find(variable));
                let mut nature = natures[n].clone();
                for val in std::iter::once(init).chain(later) {
                    let given = match self.normal(val).kind() {
                        DeferredKind::Param(q) if place.contains_key(&q) => natures[place[&q]].clone(),
                        _ => {
                            let mut given = self.nature(val);
                            for q in given.open.take_params(|q| place.contains_key(&q)) {
                                given.open.join(&natures[place[&q]].open);
                            }
                            given
                        }
                    };
                    nature.join(&given);
                }
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
