//! Models: total maps from (operation, slot) to rules, with a source and a trust tier for every field.

mod expansion;
mod file;

use crate::models::{self, Lineage};
use crate::steps::chain;
use crate::{
    Accuracy, Contract, Decl, Dot, DotOrder, Entry, Field, FixedFunctions, Format, Library, Lrp, Mad, ModelError, Op,
    OpSet, Probe, Relaxed, Rewrites, Round, Rule, Saturate, Slot, StepRules, Storage, Subgroup, TextureRule,
};
pub use expansion::Expansion;
pub use file::ModelFile;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

/// How far a field of a model can be trusted; ordered from best to worst.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Tier {
    /// The documents fix the bits.
    Exact,
    /// Somebody compared the bits with hardware over all inputs, or over a stated set.
    Measured,
    /// Inside a documented error bound; the digits are ours.
    Bounded,
    /// Only width, range, rounding or specials are documented.
    Format,
    /// Inherited from `ieee`; no document says it.
    Assumed,
}

impl Tier {
    /// All of them, best first.
    pub const ALL: [Tier; 5] = [Tier::Exact, Tier::Measured, Tier::Bounded, Tier::Format, Tier::Assumed];

    /// The word used in reports and model files.
    pub const fn name(self) -> &'static str {
        match self {
            Tier::Exact => "exact",
            Tier::Measured => "measured",
            Tier::Bounded => "bounded",
            Tier::Format => "format",
            Tier::Assumed => "assumed",
        }
    }

    /// Reads [`Tier::name`].
    pub fn from_name(name: &str) -> Option<Tier> {
        Tier::ALL.into_iter().find(|t| t.name() == name)
    }
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Where a setting applies: declared formats and operations.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Scope {
    /// Declared formats, as bits `1 << Decl as u8`.
    pub(crate) decls: u8,
    /// Operations.
    pub ops: OpSet,
}

const ALL_DECLS: u8 = (1 << Decl::ALL.len()) - 1;

impl Scope {
    /// Everywhere.
    pub const ALL: Scope = Scope { decls: ALL_DECLS, ops: OpSet::ALL };

    /// A scope from lists; an empty list of formats stands for all of them.
    pub fn new(decls: &[Decl], ops: OpSet) -> Scope {
        let bits = decls.iter().fold(0, |bits, d| bits | 1u8 << *d as u8);
        Scope { decls: if decls.is_empty() { ALL_DECLS } else { bits }, ops }
    }

    /// Whether the scope contains `op` under `decl`.
    pub const fn covers(&self, decl: Decl, op: Op) -> bool {
        self.decls & (1 << decl as u8) != 0 && self.ops.contains(op)
    }

    /// Whether the scope contains all of `other`.
    pub const fn contains(&self, other: &Scope) -> bool {
        other.decls & !self.decls == 0 && other.ops.within(self.ops)
    }

    /// The declared formats.
    pub fn decls(&self) -> impl Iterator<Item = Decl> + '_ {
        Decl::ALL.into_iter().filter(|d| self.decls & (1 << *d as u8) != 0)
    }

    /// Whether every declared format is in it.
    pub const fn all_decls(&self) -> bool {
        self.decls == ALL_DECLS
    }
}

/// `all`, `fp32`, `rcp rsq`, `fp32 half: recipe`.
impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decls: Vec<&str> = self.decls().map(Decl::name).collect();
        match (self.all_decls(), self.ops == OpSet::ALL) {
            (true, true) => f.write_str("all"),
            (true, false) => self.ops.fmt(f),
            (false, true) => f.write_str(&decls.join(" ")),
            (false, false) => write!(f, "{}: {}", decls.join(" "), self.ops),
        }
    }
}

/// One line of a model: a field's value in a scope, how far to trust it, and who says so.
#[derive(Clone, Debug)]
pub struct Setting {
    /// Where it applies.
    pub scope: Scope,
    /// What is set.
    pub field: &'static Field,
    /// The value in its written form.
    pub value: String,
    /// Trust.
    pub tier: Tier,
    /// Document and section.
    pub source: Arc<str>,
    /// The model that set it; `None` for settings given with the model's name.
    pub model: Option<Arc<str>>,
    /// A rule with the field set to `value`.
    pub(crate) sample: Rule,
    /// The field's position in [`Field::ALL`].
    pub(crate) index: usize,
}

impl Setting {
    /// Checks and builds a setting.
    ///
    /// # Errors
    /// `value` is not accepted by `field`.
    pub fn new(
        scope: Scope,
        field: &'static Field,
        value: &str,
        tier: Tier,
        source: &str,
    ) -> Result<Setting, ModelError> {
        let mut sample = Rule::ieee(Decl::F32, Format::F32);
        if !field.set(&mut sample, value) {
            return Err(ModelError::bad_value(field, value));
        }
        let value = field.get(&sample);
        Ok(Setting { scope, field, value, tier, source: source.into(), model: None, sample, index: field.index() })
    }
}

/// A model as its file describes it.
#[derive(Clone, Debug, Default)]
pub struct ModelDef {
    /// Name, as used on the command line.
    pub name: String,
    /// One line.
    pub title: String,
    /// One paragraph.
    pub about: String,
    /// Whether the model is its own authority: what it inherits is then as exact as what it sets. Otherwise what nobody but
    /// such a model sets is `assumed`.
    pub definition: bool,
    /// The best tier that inherited settings keep, where the parent describes another unit.
    pub inherited: Option<Tier>,
    /// Settings in order; later ones win.
    pub settings: Vec<Setting>,
}

/// What one declared format is rebound to.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
enum Demotion {
    /// The rules and the value format of another declared format.
    Slot(Decl),
    /// Another value format under the rules of the declared one.
    Format(Format),
}

/// A vendor's arithmetic.
#[derive(Clone, Debug)]
pub struct Model {
    name: Arc<str>,
    title: Arc<str>,
    about: Arc<str>,
    inherits: Option<Arc<str>>,
    definition: bool,
    /// Flattened, ancestors first, settings given with the name last; later ones win.
    settings: Vec<Setting>,
    /// Their scopes once more, side by side: settings are large, and few of them cover what is asked.
    scopes: Vec<Scope>,
    demotions: [Option<Demotion>; Decl::ALL.len()],
    probe: Probe,
    /// Value format of each declared format, all operations.
    formats: [Format; Decl::ALL.len()],
    /// What the settings make of [`Decl::Mediump`].
    relaxed: Relaxed,
    /// Containers of the declared formats, where they are wider than their value formats need.
    containers: Option<[Storage; Decl::ALL.len()]>,
    answers: Arc<Answers>,
}

/// An operation, its slot, and the container of a conversion's operand.
type Asked = (Op, Slot, Storage);

/// What was asked of a model, with the answers; shared by its copies. Binding a shader asks for each of its operations, and finding an
/// answer is much cheaper than working it out.
#[derive(Debug, Default)]
struct Answers {
    /// Those of [`Model::rule`].
    rules: RwLock<HashMap<Asked, (Rule, Tier)>>,
    /// That of [`Model::entries`].
    entries: OnceLock<Vec<Entry>>,
}

/// Most answers kept; shaders ask for some dozens.
const MOST_ANSWERS: usize = 1 << 14;

/// A field's value before the slot is applied, with the setting it comes from.
pub(crate) struct Resolved {
    pub(crate) rule: Rule,
    /// Position in `settings` of the setting that won, by field; `None`: inherited from `ieee`.
    pub(crate) from: [Option<u32>; Field::ALL.len()],
}

impl Model {
    /// The built-in model of this name, or of one it had before: `exact` is `binary64`.
    pub fn builtin(name: &str) -> Option<Model> {
        models::builtin(name)
    }

    /// The file of the built-in model of this name, as it is.
    pub fn builtin_file(name: &str) -> Option<&'static str> {
        models::file(name)
    }

    /// Every built-in model, in the order of listings.
    pub fn builtins() -> Vec<Model> {
        models::NAMES.iter().filter_map(|name| Model::builtin(name)).collect()
    }

    /// Names of groups of built-in models: `all`, `default` (what a comparison starts from), classes, decades, vendors.
    pub fn groups() -> Vec<String> {
        models::groups()
    }

    /// Names of the built-in models of a group, in the order of listings; `None` if there is no such group.
    pub fn group(name: &str) -> Option<Vec<&'static str>> {
        models::members(name)
    }

    /// Classes of models, in the order of listings.
    pub const fn classes() -> &'static [&'static str] {
        models::CLASSES
    }

    /// Vendor, age and class of a built-in model; `None` for the user's.
    pub fn lineage(&self) -> Option<Lineage> {
        models::lineage(&self.name)
    }

    /// Names of the built-in models.
    pub const fn builtin_names() -> &'static [&'static str] {
        models::NAMES
    }

    /// The model `def` on top of `parent`; `None` only for the root of all models, `ieee`.
    ///
    /// # Errors
    /// An operation is given a format that its container cannot hold.
    pub fn define(def: &ModelDef, parent: Option<&Model>) -> Result<Model, ModelError> {
        let name: Arc<str> = def.name.as_str().into();
        let mut settings = parent.map_or_else(Vec::new, |p| p.settings.clone());
        if let Some(parent) = parent.filter(|p| p.definition && !def.definition) {
            let source: Arc<str> = format!("nothing published; as {}", parent.name).into();
            for setting in &mut settings {
                setting.tier = Tier::Assumed;
                setting.source = source.clone();
            }
        }
        for setting in &mut settings {
            setting.tier = setting.tier.max(def.inherited.unwrap_or(Tier::Exact));
        }
        settings.extend(def.settings.iter().cloned().map(|s| Setting { model: Some(name.clone()), ..s }));
        let model = Model {
            name,
            title: def.title.as_str().into(),
            about: def.about.as_str().into(),
            inherits: parent.map(|p| p.name.clone()),
            definition: def.definition,
            settings,
            scopes: Vec::new(),
            demotions: parent.map_or([None; Decl::ALL.len()], |p| p.demotions),
            probe: parent.map_or(Probe::Nearest, |p| p.probe),
            formats: Decl::ALL.map(Decl::format),
            relaxed: Relaxed::Ignore,
            containers: None,
            answers: Arc::default(),
        };
        model.finished()
    }

    /// Recomputes the value formats and checks that every operation's format fits its container.
    fn finished(mut self) -> Result<Model, ModelError> {
        self.answers = Arc::default();
        self.scopes = self.settings.iter().map(|setting| setting.scope).collect();
        self.formats = Decl::ALL.map(|decl| {
            let sets =
                |s: &&Setting| s.field.name == "format" && s.scope.ops == OpSet::ALL && s.scope.covers(decl, Op::Add);
            self.settings.iter().rev().find(sets).map_or(decl.format(), |s| s.sample.format)
        });
        let relaxed = self.settings.iter().rev().find(|s| s.field.name == "relaxed");
        self.relaxed = relaxed.map_or(Relaxed::Ignore, |s| s.sample.relaxed);
        for setting in self.settings.iter().filter(|s| s.field.name == "format" && s.scope.ops != OpSet::ALL) {
            for decl in setting.scope.decls() {
                let container = self.formats[decl as usize].storage();
                if !setting.sample.format.fits(container.format()) {
                    return Err(ModelError::format_beyond_container(&setting.value, decl, container));
                }
            }
        }
        Ok(self)
    }

    /// The bare name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// One line of description.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// One paragraph of description.
    pub fn about(&self) -> &str {
        &self.about
    }

    /// The model it inherits from; `None` for `ieee`.
    pub fn inherits(&self) -> Option<&str> {
        self.inherits.as_deref()
    }

    /// Whether the model is its own authority (see [`ModelDef::definition`]).
    pub fn is_definition(&self) -> bool {
        self.definition
    }

    /// All settings, ancestors first; later ones win.
    pub fn settings(&self) -> &[Setting] {
        &self.settings
    }

    /// Which value inside documented bounds is chosen.
    pub fn probe(&self) -> Probe {
        self.probe
    }

    /// What was listed of the model or a copy of it, or what `list` lists now.
    pub(crate) fn entries_by(&self, list: impl FnOnce() -> Vec<Entry>) -> &[Entry] {
        self.answers.entries.get_or_init(list)
    }

    /// The same model with another choice inside documented bounds.
    #[must_use]
    pub fn with_probe(mut self, probe: Probe) -> Model {
        self.probe = probe;
        self.answers = Arc::default();
        self
    }

    /// The same model with fields set in scopes, as `model[scope.field=value,..]` does; later ones win.
    ///
    /// # Errors
    /// A value is not accepted, or the model cannot carry it.
    pub fn with_settings<'a>(
        mut self,
        settings: impl IntoIterator<Item = (Scope, &'static Field, &'a str)>,
    ) -> Result<Model, ModelError> {
        let tier = self.asked_tier();
        for (scope, field, value) in settings {
            self.settings.push(Setting::new(scope, field, value, tier, "set with the model's name")?);
        }
        self.finished()
    }

    /// The same model with one declared format rebound: to the rules of another declared format (`half`, `fx12`, `s12`,
    /// `fx9`, `fp64`, `fp32`), or to another value format under its own rules (`fp24`, `bf16`, `float(1.6.9)`, ...).
    ///
    /// # Errors
    /// `to` is neither.
    pub fn with_demotion(mut self, from: Decl, to: &str) -> Result<Model, ModelError> {
        let target = match Decl::from_name(to) {
            Some(decl) => Some(Demotion::Slot(decl)).filter(|_| decl != from),
            None => match Format::from_name(to) {
                Some(format) => Some(Demotion::Format(format)),
                None => return Err(ModelError::unknown_format(to)),
            },
        };
        self.demotions[from as usize] = target;
        self.answers = Arc::default();
        Ok(self)
    }

    /// The same model with its values in wider containers, by `Decl as usize`; where one of them cannot hold the value format,
    /// the model's own stays. Results are the same values. Operands that only the wider container holds, such as the results of
    /// another model's operation, are taken as they are.
    #[must_use]
    pub fn in_containers(mut self, containers: [Storage; Decl::ALL.len()]) -> Model {
        let own = Decl::ALL.map(|decl| self.value_format(decl));
        let holds = |container: Storage, format: Format| match (format, container.format()) {
            (Format::Fixed(fixed), Format::Float(float)) => {
                u32::from(fixed.int) + u32::from(fixed.frac) <= float.precision() && container != Storage::F16
            }
            (format, container) => format.fits(container),
        };
        let wider = |decl: Decl| Some(containers[decl as usize]).filter(|c| holds(*c, own[decl as usize]));
        self.containers = Some(Decl::ALL.map(|decl| wider(decl).unwrap_or(own[decl as usize].storage())));
        self.answers = Arc::default();
        self
    }

    /// Tier of what the user sets: a definition stays one, a claim about a vendor becomes an assumption.
    pub(crate) const fn asked_tier(&self) -> Tier {
        if self.definition { Tier::Exact } else { Tier::Assumed }
    }

    /// Name with settings, such as `nv40[round=rtz]@low`. For built-in models [`Model::parse`] reads it back.
    pub fn label(&self) -> String {
        let mut parts: Vec<String> =
            self.settings.iter().filter(|s| s.model.is_none()).flat_map(crate::spec::setting_texts).collect();
        for (decl, demotion) in Decl::ALL.iter().zip(&self.demotions) {
            match demotion {
                None => {}
                Some(Demotion::Slot(to)) => parts.push(format!("{decl}={to}")),
                Some(Demotion::Format(to)) => parts.push(format!("{decl}={to}")),
            }
        }
        let settings = if parts.is_empty() { String::new() } else { format!("[{}]", parts.join(",")) };
        let probe = match self.probe {
            Probe::Nearest => String::new(),
            probe => format!("@{probe}"),
        };
        format!("{}{settings}{probe}", self.name)
    }

    /// The rule of `op` under `slot`, and the lowest tier of any field the operation looks at. `source` is the container
    /// of a conversion's operand; other operations ignore it.
    pub fn rule(&self, op: Op, slot: &Slot, source: Storage) -> (Rule, Tier) {
        if !op.has_slot() {
            return (Rule::ieee(slot.decl, slot.decl.format()), Tier::Exact);
        }
        let asked = (op, *slot, source);
        // Answers are stored whole: a thread that panicked leaves none half written.
        let known = self.answers.rules.read().unwrap_or_else(PoisonError::into_inner).get(&asked).copied();
        known.unwrap_or_else(|| {
            let answer = self.answer(op, slot, source);
            let mut answers = self.answers.rules.write().unwrap_or_else(PoisonError::into_inner);
            if answers.len() < MOST_ANSWERS {
                answers.insert(asked, answer);
            }
            answer
        })
    }

    /// The rule by which a word from a container becomes a value of a slot: an attribute, constant, literal or texel. Reading is no operation:
    /// where the value format has every value of the container, the value is the word's, denormal, infinity or NaN; a wider container
    /// quiets the NaN. Else the word is converted.
    pub fn reading(&self, slot: &Slot, source: Storage) -> (Rule, Tier) {
        let format = self.value_format(slot.decl);
        let holds = match (source.format(), format) {
            (Format::Float(from), Format::Float(to)) => from.fits(to) && from.specials == to.specials,
            _ => false,
        };
        let plain = Slot::plain(slot.decl);
        let asked =
            Slot { saturate: slot.saturate, scale: slot.scale, round: slot.round, denormals: slot.denormals, ..plain };
        if !holds || asked != plain {
            return self.rule(Op::Cvt, slot, source);
        }
        let storage = self.storage(slot.decl);
        let rule = Rule { source, storage, quiets: source != storage, ..Rule::ieee(slot.decl, format) };
        (rule.normalised(Op::Cvt), Tier::Exact)
    }

    /// What the driver makes of a program before it is bound to the model.
    pub fn rewrites(&self) -> Rewrites {
        self.resolve(Decl::F32, Op::Add).rule.driver
    }

    /// Whose formulas functions without an operation get, and how far that can be trusted.
    pub fn library(&self) -> (Library, Tier) {
        let resolved = self.resolve(Decl::F32, Op::Add);
        (resolved.rule.library, self.tiers(&resolved)[LIBRARY])
    }

    /// What becomes of operations that may be done on halves.
    pub fn relaxed(&self) -> Relaxed {
        self.relaxed
    }

    /// How many invocations of a kernel are a subgroup, and how far that can be trusted.
    pub fn subgroup(&self) -> (Subgroup, Tier) {
        let set = self.settings.iter().rev().find(|setting| setting.field.name == "subgroup");
        let unsaid = if self.settings.is_empty() || self.definition { Tier::Exact } else { Tier::Assumed };
        set.map_or((Subgroup::Four, unsaid), |setting| (setting.sample.subgroup, setting.tier))
    }

    /// What the texture unit does, and how far each of its fields can be trusted.
    pub fn texture(&self) -> (TextureRule, impl Iterator<Item = (&'static Field, Tier)>) {
        let resolved = self.resolve(Decl::F32, Op::Add);
        let known = Field::ALL.iter().zip(self.tiers(&resolved)).filter(|(field, _)| field.is_of_textures());
        (resolved.rule.texture, known)
    }

    /// What fixed functions do around a shader, and how far each of their fields can be trusted.
    pub fn fixed_functions(&self) -> (FixedFunctions, impl Iterator<Item = (&'static Field, Tier)>) {
        let resolved = self.resolve(Decl::F32, Op::Add);
        let known = Field::ALL.iter().zip(self.tiers(&resolved)).filter(|(field, _)| field.is_of_fixed_functions());
        (resolved.rule.fixed, known)
    }

    /// The declared format whose rules hold for `decl`: [`Decl::Mediump`] has none of its own.
    pub fn declared(&self, decl: Decl) -> Decl {
        match (decl, self.relaxed) {
            (Decl::Mediump, _) if self.rebinds(decl) => decl,
            (Decl::Mediump, Relaxed::Ignore) => Decl::F32,
            (Decl::Mediump, Relaxed::Half) => Decl::F16,
            _ => decl,
        }
    }

    /// Whether the user has rebound a declared format.
    pub(crate) fn rebinds(&self, decl: Decl) -> bool {
        self.demotions[decl as usize].is_some()
    }

    /// The rule before what the operation does not look at is reset, and the tier of every field that it or a step of it
    /// looks at.
    fn decided(&self, op: Op, slot: &Slot, source: Storage) -> (Rule, Vec<(&'static Field, Tier)>) {
        let (mut rule, tiers) = self.whole_rule(op, op, slot, source);
        let mut read: Vec<(&'static Field, Tier)> = Vec::new();
        if let Some(chain) = chain(op, &rule) {
            let plain = Slot { saturate: Saturate::None, scale: 0, ..*slot };
            let mut same = true;
            let mut steps = Vec::with_capacity(chain.first.len());
            for step in chain.first {
                let (step_rule, step_tiers) = self.whole_rule(op, *step, &plain, source);
                look(&mut read, *step, &step_rule, &step_tiers);
                let step_rule = step_rule.normalised(*step);
                same &= step_rule == rule.unclamped().normalised(*step);
                steps.push(step_rule);
            }
            if !same {
                rule.steps = StepRules::new(&steps);
            }
        }
        look(&mut read, op, &rule, &tiers);
        if slot.decl == Decl::Mediump && !self.rebinds(slot.decl) {
            let field = &Field::ALL[RELAXED];
            read.push((field, self.tiers(&self.resolve(Decl::F32, Op::Add))[RELAXED]));
        }
        (rule, read)
    }

    fn answer(&self, op: Op, slot: &Slot, source: Storage) -> (Rule, Tier) {
        let (rule, read) = self.decided(op, slot, source);
        (rule.normalised(op), read.iter().map(|(_, tier)| *tier).max().unwrap_or(Tier::Exact))
    }

    /// The rule of `op` under `slot` with the tier of every field that the operation, or a step of it, looks at. `source` as
    /// for [`Model::rule`].
    pub fn fields(&self, op: Op, slot: &Slot, source: Storage) -> (Rule, Vec<(&'static Field, Tier)>) {
        if !op.has_slot() {
            return (Rule::ieee(slot.decl, slot.decl.format()), Vec::new());
        }
        let (rule, read) = self.decided(op, slot, source);
        (rule.normalised(op), read)
    }

    /// Every field of `step`, a step of `op` or the operation itself, with the modifiers of the instruction.
    fn whole_rule(&self, op: Op, step: Op, slot: &Slot, source: Storage) -> (Rule, [Tier; Field::ALL.len()]) {
        let resolved = if step == op { self.resolve(slot.decl, op) } else { self.resolve_step(slot.decl, op, step) };
        let mut tiers = self.tiers(&resolved);
        let mut rule = resolved.rule;
        if op == Op::Cvt {
            rule.source = source;
        }
        self.apply_slot(slot, &mut rule, &mut tiers);
        if op == Op::Cvt
            && source != self.storage(slot.decl)
            && let Some(from) = Decl::ALL.into_iter().find(|decl| self.storage(*decl) == source)
        {
            // Operands have the denormals of the format they come from; what an instruction says is about its own.
            let index = DENORM_IN;
            let other = self.resolve(from, op);
            tiers[index] = self.tiers(&other)[index];
            rule.denorm_in = other.rule.denorm_in;
        }
        self.apply_probe(&mut rule, &tiers);
        (rule, tiers)
    }

    /// Every field for `op` under `decl`, before an instruction's own modifiers. Where the operation is a chain of others, these
    /// are the fields of the last one.
    pub(crate) fn resolve(&self, decl: Decl, op: Op) -> Resolved {
        let own = self.resolve_step(decl, op, op);
        match chain(op, &own.rule) {
            None => own,
            Some(chain) => self.resolve_step(decl, op, chain.last),
        }
    }

    /// Every field for `step` as a step of `op`: what is set for either, the later setting winning.
    fn resolve_step(&self, decl: Decl, op: Op, step: Op) -> Resolved {
        let as_declared = self.declared(decl);
        let (as_decl, format) = match self.demotions[as_declared as usize] {
            None => (as_declared, None),
            Some(Demotion::Slot(to)) => (to, None),
            Some(Demotion::Format(format)) => (as_declared, Some(format)),
        };
        let container = format.unwrap_or(self.formats[as_decl as usize]);
        let mut rule = Rule::ieee(decl, container);
        if let Some(containers) = self.containers {
            (rule.storage, rule.source) = (containers[decl as usize], containers[decl as usize]);
        }
        let mut from = [None; Field::ALL.len()];
        for (at, scope) in self.scopes.iter().enumerate() {
            let covers = |decl| scope.covers(decl, op) || scope.covers(decl, step);
            if !(covers(as_decl) || decl == Decl::Mediump && covers(decl)) {
                continue;
            }
            let setting = &self.settings[at];
            if setting.index != FORMAT || format.is_none() {
                setting.field.copy(&mut rule, &setting.sample);
                from[setting.index] = Some(at as u32);
            }
        }
        Resolved { rule, from }
    }

    /// Tier of every field of a resolved rule.
    pub(crate) fn tiers(&self, resolved: &Resolved) -> [Tier; Field::ALL.len()] {
        resolved.from.map(|at| at.map_or(self.asked_tier(), |i| self.settings[i as usize].tier))
    }

    /// What the instruction itself fixes overrides the model and is exact.
    fn apply_slot(&self, slot: &Slot, rule: &mut Rule, tiers: &mut [Tier; Field::ALL.len()]) {
        let mut fixed = |field: usize| tiers[field] = Tier::Exact;
        if let Some(round) = slot.round {
            rule.round = round;
            fixed(ROUND);
        }
        if let Some(denormals) = slot.denormals {
            rule.denorm_in = denormals;
            rule.denorm_out = denormals;
            fixed(DENORM_IN);
            fixed(DENORM_OUT);
        }
        if let Some(zero_mul) = slot.zero_mul {
            rule.zero_mul = zero_mul;
            fixed(ZERO_MUL);
        }
        if slot.contract == Contract::Never {
            rule.mad = Mad::Separate;
            fixed(MAD);
            rule.dot = Dot {
                order: if rule.dot.order == DotOrder::Exact { DotOrder::LeftToRight } else { rule.dot.order },
                fused: false,
                ..rule.dot
            };
            fixed(DOT_FUSED);
            if rule.lrp == Lrp::FmaBlend {
                rule.lrp = Lrp::Blend;
            }
        }
        rule.saturate = slot.saturate;
        rule.scale = slot.scale;
        if rule.saturate == Saturate::None {
            fixed(SAT_NAN);
            fixed(SAT_ZERO);
        }
    }

    /// Lowest and highest apply to every bounded field; nearest and random leave a bounded rounding direction alone.
    pub(crate) fn apply_probe(&self, rule: &mut Rule, tiers: &[Tier; Field::ALL.len()]) {
        if rule.accuracy != Accuracy::Correct {
            rule.probe = self.probe;
        }
        if tiers[ROUND] == Tier::Bounded {
            match self.probe {
                Probe::Lowest => rule.round = Round::Down,
                Probe::Highest => rule.round = Round::Up,
                Probe::Nearest | Probe::Random(_) => {}
            }
        }
    }

    /// The container of a declared format under this model.
    pub fn storage(&self, decl: Decl) -> Storage {
        self.containers.map_or_else(|| self.value_format(decl).storage(), |containers| containers[decl as usize])
    }

    /// The value format of a declared format under this model.
    pub fn value_format(&self, decl: Decl) -> Format {
        let decl = self.declared(decl);
        match self.demotions[decl as usize] {
            None => self.formats[decl as usize],
            Some(Demotion::Slot(to)) => self.formats[to as usize],
            Some(Demotion::Format(format)) => format,
        }
    }
}

/// Adds the fields that an operation looks at; a field that is known keeps its lower tier.
fn look(known: &mut Vec<(&'static Field, Tier)>, op: Op, rule: &Rule, tiers: &[Tier; Field::ALL.len()]) {
    for (field, tier) in Field::ALL.iter().zip(tiers).filter(|(field, _)| field.read_by(op, rule)) {
        match known.iter_mut().find(|(other, _)| std::ptr::eq(*other, field)) {
            Some((_, lowest)) => *lowest = (*lowest).max(*tier),
            None => known.push((field, *tier)),
        }
    }
}

/// Position of a field in [`Field::ALL`], found when this is compiled.
const fn position(name: &str) -> usize {
    let mut at = 0;
    while at < Field::ALL.len() {
        let (known, asked) = (Field::ALL[at].name.as_bytes(), name.as_bytes());
        let mut same = 0;
        while same < known.len() && same < asked.len() && known[same] == asked[same] {
            same += 1;
        }
        if same == known.len() && same == asked.len() {
            return at;
        }
        at += 1;
    }
    panic!("no field has this name")
}

const FORMAT: usize = position("format");
const ROUND: usize = position("round");
const DENORM_IN: usize = position("denorm_in");
const DENORM_OUT: usize = position("denorm_out");
const ZERO_MUL: usize = position("zero_mul");
const MAD: usize = position("mad");
const RELAXED: usize = position("relaxed");
const LIBRARY: usize = position("library");
const DOT_FUSED: usize = position("dot_fused");
const SAT_NAN: usize = position("sat_nan");
const SAT_ZERO: usize = position("sat_zero");
