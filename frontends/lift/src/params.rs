//! Loop parameters, made when a variable set outside a loop is first looked at inside it.

use crate::Lifter;
use crate::control::{Edge, Frame, FrameKind};
use crate::variable::{Deferred, DeferredKind, ParamId, VarId};
use parallax_core::{RegionId, Type, ValueData, ValueDef, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

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
    /// The content as a value, once a type was needed.
    pub(crate) value: Option<ValueId>,
    /// The region parameter, where it is bits that `value` is converted from.
    pub(crate) bits: Option<ValueId>,
    /// Set when no iteration changes the variable: the parameter is just this.
    pub(crate) stands_for: Option<Deferred>,
}

impl Lifter<'_> {
    /// Makes `variable`, last set in frame `level`, hold a parameter of each loop opened since.
    pub(crate) fn cross_loops(&mut self, variable: VarId, level: usize) {
        for index in level + 1..self.frames.len() {
            if self.frames[index].kind == FrameKind::Loop && self.afford(1) {
                let init = self.variables[variable.0 as usize].val;
                let param = self.new_param(variable, init, index);
                self.set_at(variable, Deferred::of(DeferredKind::Param(param)), index);
            }
        }
    }

    fn new_param(&mut self, variable: VarId, init: Deferred, index: usize) -> ParamId {
        let frame = &mut self.frames[index];
        let id = ParamId(self.params.len() as u32);
        self.params.push(Param {
            variable,
            region: frame.body,
            frame: frame.serial,
            init,
            value: None,
            bits: None,
            stands_for: None,
        });
        frame.params.push(id);
        id
    }

    /// Gives a parameter its type, and with it a value.
    pub(crate) fn type_param(&mut self, id: ParamId, ty: Type) -> ValueId {
        let param = &mut self.params[id.0 as usize];
        let value = self.b.func.values.push(ValueData { ty, def: ValueDef::Param(param.region, u16::MAX) });
        param.value = Some(value);
        value
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
                    match (param.stands_for, param.value) {
                        (Some(init), _) => val = init,
                        (None, Some(v)) => val = v.into(),
                        (None, None) => return val,
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

        let mut inits = Vec::with_capacity(kept.len());
        for (n, &p) in kept.iter().enumerate() {
            let Param { init, region, .. } = self.params[p.0 as usize];
            let Some(outer) = self.region_param(p) else { continue };
            self.b.func.values[outer].def = ValueDef::Param(region, n as u16);
            self.b.func.regions[region].params.push(outer);
            let ty = self.b.func.ty(outer);
            inits.push(self.force(init, ty));
        }
        for edge in again {
            let passed: Vec<(Deferred, Type)> = kept
                .iter()
                .map(|&p| {
                    let outer = self.region_param(p);
                    let ty = outer.map_or(Type::I32, |v| self.b.func.ty(v));
                    let own = outer.map_or(Deferred::of(DeferredKind::Param(p)), Deferred::value);
                    // Where no lane gets, the parameters are passed on as they are.
                    let passed = if edge.live { edge.find(self.params[p.0 as usize].variable) } else { None };
                    (passed.unwrap_or(own), ty)
                })
                .collect();
            self.patch(edge, &passed);
        }
        inits
    }

    fn region_param(&self, id: ParamId) -> Option<ValueId> {
        let param = &self.params[id.0 as usize];
        param.bits.or(param.value)
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
                let id = ParamId(self.params.len() as u32);
                let (region, serial) = (frame.body, frame.serial);
                self.params.push(Param {
                    variable,
                    region,
                    frame: serial,
                    init,
                    value: None,
                    bits: None,
                    stands_for: None,
                });
                frame.params.push(id);
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
                let (own, init) = (self.normal(Deferred::of(DeferredKind::Param(p))), self.normal(param.init));
                let trivial = again.iter().filter(|e| e.live).all(|e| {
                    e.find(param.variable).is_none_or(|val| {
                        let val = self.normal(val);
                        val == own || val == init
                    })
                });
                if !trivial {
                    continue;
                }
                progress = true;
                let (init, value) = (param.init, param.value);
                if let Some(value) = value {
                    let ty = self.b.func.ty(value);
                    let outer = self.force(init, ty);
                    self.alias.insert(value, outer);
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
            used.extend(edge.variables.iter().map(|c| self.normal(c.1)));
        }
        let mut left: Vec<ParamId> = Vec::new();
        for &p in kept.iter() {
            if self.params[p.0 as usize].value.is_some() || used.contains(&Deferred::of(DeferredKind::Param(p))) {
                work.push(p);
            } else {
                left.push(p);
            }
        }
        while let Some(p) = work.pop() {
            let variable = self.params[p.0 as usize].variable;
            let fed: FxHashSet<Deferred> =
                again.iter().filter_map(|e| e.find(variable)).map(|v| self.normal(v)).collect();
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

    /// Types the parameters; where the types of first and later values differ, the parameter carries bits and is
    /// converted at the head of the loop.
    fn type_params(&mut self, kept: &[ParamId], again: &[Edge]) {
        let later = |this: &Self, p: ParamId| -> Vec<Deferred> {
            let param = &this.params[p.0 as usize];
            let live = again.iter().filter(|e| e.live);
            std::iter::once(param.init).chain(live.filter_map(|e| e.find(param.variable))).collect()
        };
        for &p in kept {
            if self.params[p.0 as usize].value.is_none() {
                let ty = self.common_type(&later(self, p));
                self.type_param(p, ty);
            }
        }
        let types: Vec<Type> = kept.iter().map(|&p| self.common_type(&later(self, p))).collect();
        let mut converted = Vec::new();
        for (&p, met) in kept.iter().zip(types) {
            let Param { region, value: Some(value), .. } = self.params[p.0 as usize] else { continue };
            let ty = self.b.func.ty(value);
            let undecided = later(self, p).iter().all(|&v| self.type_of(v).is_none());
            if met == ty || ty == Type::I32 || undecided {
                continue;
            }
            let bits = self.b.func.values.push(ValueData { ty: Type::I32, def: ValueDef::Param(region, u16::MAX) });
            converted.push((p, region, value, bits, ty));
        }
        if converted.is_empty() {
            return;
        }
        let prelude = self.b.new_region();
        let back = self.b.switch_to(prelude);
        let body = converted[0].1;
        let mut renamed = FxHashMap::default();
        for (p, _, value, bits, ty) in converted {
            let at_head = self.convert(bits, ty);
            renamed.insert(value, at_head);
            let param = &mut self.params[p.0 as usize];
            (param.value, param.bits) = (Some(at_head), Some(bits));
        }
        self.alias.extend(renamed);
        self.b.switch_to(back);
        let mut ops = std::mem::take(&mut self.b.func.regions[prelude].ops);
        let rest = &mut self.b.func.regions[body].ops;
        ops.append(rest);
        *rest = ops;
    }
}
