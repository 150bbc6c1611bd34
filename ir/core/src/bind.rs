//! Shaders with their state in the type, and binding to a model.

use crate::entity::entity;
use crate::library;
use crate::{AttrDecl, EntityRef, Func, Interp, OpKind, PrimaryMap, SlotId, Stage};
use parallax_num::{
    self as num, Decl, FixedFunctions, Interpolation, MediumpAttribute, Model, Rule, Slot, Storage, Tier,
};
use rustc_hash::FxHashMap;

entity!(
    /// An interned rule of a bound shader.
    RuleId, "r"
);

/// State of a shader as a frontend leaves it: floats are typed by what the program believes, nothing can be evaluated.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Symbolic;

/// State of a shader bound to a model: every op with a slot has a rule, every float a container.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    /// The model's name with its settings, as printed in reports.
    pub model: String,
    /// Rules in use, without repeats.
    pub rules: PrimaryMap<RuleId, Rule>,
    /// Container of each declared format, by `Decl as usize`.
    pub storage: [Storage; Decl::ALL.len()],
    /// Lowest trust of any rule in use.
    pub tier: Tier,
    /// Lanes of a subgroup: those of the model in kernels that have ops of subgroups, else 4.
    pub subgroup: u32,
    /// What fixed functions do around the shader.
    pub fixed: FixedFunctions,
    /// Rules of the operations that give attributes their values, where the unit does them one by one.
    pub raster_steps: Option<Box<RasterSteps>>,
    /// Attributes that the shader reads as halves, where the model has some.
    pub halves: Option<Box<HalfAttributes>>,
}

/// Attributes that a shader reads as halves.
#[derive(Clone, Debug, PartialEq)]
pub struct HalfAttributes {
    /// The conversion from binary32.
    pub cvt: Rule,
    /// Numbers in [`crate::Interface::attrs`], in order.
    pub attrs: Vec<u16>,
}

/// Rules of the operations that give attributes with perspective their values.
#[derive(Clone, Debug, PartialEq)]
pub struct RasterSteps {
    /// The reciprocal of 1/w.
    pub rcp: Rule,
    /// Products with it.
    pub mul: Rule,
    /// Sums.
    pub add: Rule,
}

/// A shader in state `S`.
#[derive(Clone, Debug, PartialEq)]
pub struct Shader<S> {
    /// Body and interface.
    pub func: Func,
    /// What is known beyond the body.
    pub state: S,
}

impl Shader<Symbolic> {
    /// Wraps a lifted body.
    pub fn new(func: Func) -> Self {
        Shader { func, state: Symbolic }
    }

    /// The same shader with its functions expanded, as binding to the model does.
    #[must_use]
    pub fn with_library_of(mut self, model: &Model) -> Self {
        library::expand(&mut self.func, model.library().0);
        self
    }

    /// Decides every bit: expands functions as the model's driver does, gives each op with a slot the model's rule, and converts float literals to their container.
    /// Total: every model binds every shader.
    pub fn bind(&self, model: &Model) -> Shader<Bound> {
        self.clone().into_bound(model)
    }

    /// The same of a shader that is not needed any more: a copy takes as long as all decisions.
    pub fn into_bound(self, model: &Model) -> Shader<Bound> {
        let mut func = self.func;
        let mut order = Vec::with_capacity(func.ops.len());
        let mut has_functions = false;
        func.walk(|_, op| {
            has_functions |= matches!(func.ops[op].kind, OpKind::Library(_));
            order.push(op);
        });
        let mut tier = Tier::Exact;
        if has_functions {
            let (library, trust) = model.library();
            library::expand(&mut func, library);
            tier = trust;
            order.clear();
            func.walk(|_, op| order.push(op));
        }
        let storage = Decl::ALL.map(|decl| model.storage(decl));
        let mut binder = Binder {
            model,
            answers: vec![None; func.slots.len() * num::Op::ALL.len()],
            reads: vec![None; func.slots.len()],
            known: FxHashMap::default(),
            rules: PrimaryMap::default(),
            tier,
        };
        let mut of_subgroups = func.iface.in_subgroups;
        let mut texture: Option<(num::TextureRule, Vec<(&num::Field, Tier)>)> = None;
        for op in order {
            let data = &mut func.ops[op];
            if let OpKind::Tex(tex) = &mut data.kind {
                let (rule, known) = texture.get_or_insert_with(|| {
                    let (rule, known) = model.texture();
                    (rule, known.collect())
                });
                tex.rule = rule.only(|field| tex.reads(field));
                let trusts = known.iter().filter(|(field, _)| tex.reads(field)).map(|(_, tier)| *tier);
                binder.tier = trusts.fold(binder.tier, Tier::max);
            }
            of_subgroups |= data.kind.is_of_subgroups();
            let Some(slot_id) = data.slot else { continue };
            let slot = &func.slots[slot_id];
            let (asked, source) = match data.kind {
                OpKind::Num(num::Op::Cvt) => {
                    let from = func.values[data.args[0]].ty.decl().unwrap_or(slot.decl);
                    if is_retyped(model, from, slot) {
                        data.rule = Some({
                            let rule = retyped(model, slot.decl, storage[from as usize]);
                            intern(&mut binder.known, &mut binder.rules, rule)
                        });
                        continue;
                    }
                    (num::Op::Cvt, storage[from as usize])
                }
                OpKind::Num(asked) => (asked, storage[slot.decl as usize]),
                OpKind::Deriv { .. } => (num::Op::Sub, storage[slot.decl as usize]),
                OpKind::GroupReduce(reduction) => (reduction.op, storage[slot.decl as usize]),
                // Attributes, constants and texels arrive as binary32.
                kind => {
                    let is_literal = matches!(kind, OpKind::Literal(_));
                    let source = if is_literal { slot.decl.format().storage() } else { Storage::F32 };
                    data.rule = Some(binder.reading(slot_id, slot, source));
                    if let (OpKind::Literal(bits), Some(id)) = (kind, data.rule) {
                        data.kind = OpKind::Literal(num::eval(num::Op::Cvt, &binder.rules[id], &[bits]));
                    }
                    continue;
                }
            };
            data.rule = Some(binder.rule(asked, slot_id, slot, source));
        }
        let Binder { rules, mut tier, .. } = binder;
        let mut subgroup = 4;
        if func.iface.stage == Stage::Compute && of_subgroups {
            // What somebody asked for is no claim about hardware.
            let (width, trust) = func.iface.subgroup.map_or_else(|| model.subgroup(), |asked| (asked, Tier::Exact));
            (subgroup, tier) = (width.width(), tier.max(trust));
        }
        let fixed = model.fixed_functions().0;
        // Attributes are binary32; a model that computes in another container has its quotients alone.
        let by_steps = matches!(fixed.raster.interpolation, Interpolation::TimesRcp | Interpolation::SlopeTimesW);
        let raster_steps = (by_steps && storage[Decl::F32 as usize] == Storage::F32).then(|| {
            let rule = |op| model.rule(op, &Slot::plain(Decl::F32), Storage::F32).0;
            Box::new(RasterSteps { rcp: rule(num::Op::Rcp), mul: rule(num::Op::Mul), add: rule(num::Op::Add) })
        });
        let halves = half_attributes(&func, fixed.raster.mediump);
        let halves = (!halves.is_empty()).then(|| {
            let cvt = model.rule(num::Op::Cvt, &Slot::plain(Decl::F16), Storage::F32).0;
            Box::new(HalfAttributes { cvt, attrs: halves })
        });
        let state = Bound { model: model.label(), rules, storage, tier, subgroup, fixed, raster_steps, halves };
        Shader { func, state }
    }
}

/// The attributes that become halves: those that the program lets be some, but for flat ones and, if the unit leaves them alone, those that
/// are coordinates of lookups.
fn half_attributes(func: &Func, how: MediumpAttribute) -> Vec<u16> {
    let may_be = |attr: &AttrDecl| attr.mediump && attr.interp != Interp::Flat;
    if how == MediumpAttribute::Binary32 || !func.iface.attrs.iter().any(may_be) {
        return Vec::new();
    }
    let mut kept = Vec::new();
    if how == MediumpAttribute::HalfButCoordinates {
        func.walk(|_, op| {
            let data = &func.ops[op];
            let read = |n: usize| match func.ops[func.def_op(*data.args.get(n)?)?].kind {
                OpKind::Attr { index, .. } | OpKind::AttrSample { index, .. } | OpKind::AttrCentroid { index, .. } => {
                    Some(index)
                }
                _ => None,
            };
            if let (OpKind::Tex(_), Some(s)) = (data.kind, read(0))
                && read(1) == Some(s)
            {
                kept.push(s);
            }
        });
    }
    let all = (0u16..).zip(func.iface.attrs.iter());
    all.filter(|(n, attr)| may_be(attr) && !kept.contains(n)).map(|(n, _)| n).collect()
}

/// Whether a conversion only gives a value another declared format with the same rules: `mediump` as `fp32` or `half`, as the
/// model has it. That is no operation, so it changes no bits of a number.
fn is_retyped(model: &Model, from: Decl, slot: &Slot) -> bool {
    from != slot.decl
        && model.declared(from) == model.declared(slot.decl)
        && slot.saturate == num::Saturate::None
        && slot.scale == 0
}

/// The rule of such a conversion.
fn retyped(model: &Model, to: Decl, source: Storage) -> Rule {
    let format = model.value_format(to);
    let rule = Rule { source, storage: model.storage(to), quiets: source.format() != format, ..Rule::ieee(to, format) };
    rule.normalised(num::Op::Cvt)
}

/// Interns rules. Asking the model costs more than looking up what it answered last time.
struct Binder<'m> {
    model: &'m Model,
    /// The last answer by slot and operation, and the container it was asked for.
    answers: Vec<Option<(Storage, RuleId)>>,
    /// The last answer about a read by slot, likewise.
    reads: Vec<Option<(Storage, RuleId)>>,
    known: FxHashMap<Rule, RuleId>,
    rules: PrimaryMap<RuleId, Rule>,
    tier: Tier,
}

impl Binder<'_> {
    fn reading(&mut self, slot_id: SlotId, slot: &Slot, source: Storage) -> RuleId {
        match self.reads[slot_id.index()] {
            Some((known, id)) if known == source => id,
            _ => {
                let (rule, trust) = self.model.reading(slot, source);
                self.tier = self.tier.max(trust);
                let id = intern(&mut self.known, &mut self.rules, rule);
                self.reads[slot_id.index()] = Some((source, id));
                id
            }
        }
    }

    fn rule(&mut self, op: num::Op, slot_id: SlotId, slot: &Slot, source: Storage) -> RuleId {
        let answer = &mut self.answers[slot_id.index() * num::Op::ALL.len() + op as usize];
        match *answer {
            Some((known, id)) if known == source => id,
            _ => {
                let (rule, trust) = self.model.rule(op, slot, source);
                self.tier = self.tier.max(trust);
                let id = intern(&mut self.known, &mut self.rules, rule);
                *answer = Some((source, id));
                id
            }
        }
    }
}

fn intern(known: &mut FxHashMap<Rule, RuleId>, rules: &mut PrimaryMap<RuleId, Rule>, rule: Rule) -> RuleId {
    *known.entry(rule).or_insert_with(|| rules.push(rule))
}

impl Bound {
    /// Whether what is around the shader is alike.
    pub fn has_around(&self, other: &Bound) -> bool {
        (self.fixed, &self.raster_steps, &self.halves) == (other.fixed, &other.raster_steps, &other.halves)
    }

    /// Takes what is around another shader.
    pub fn take_around(&mut self, other: &Bound) {
        self.fixed = other.fixed;
        self.raster_steps.clone_from(&other.raster_steps);
        self.halves.clone_from(&other.halves);
    }

    /// The container of a declared format.
    pub fn storage(&self, decl: Decl) -> Storage {
        self.storage[decl as usize]
    }
}
