//! Models as tables: every field with its scopes, values, tiers and sources, and what differs between two models.

use crate::{Decl, Denormals, Field, Model, Op, OpSet, Rule, Saturate, Scope, Tier, model::Resolved};
use std::collections::BTreeMap;

/// One line of a model's listing. The lines of a field do not overlap and cover every operation that looks at it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The field.
    pub field: &'static str,
    /// Where the value holds; its operations are [`OpSet::ALL`] when they are all that look at the field.
    pub scope: Scope,
    /// The value.
    pub value: String,
    /// Trust.
    pub tier: Tier,
    /// Document and section.
    pub source: String,
    /// The model that says so; empty for what was set with the model's name.
    pub model: String,
}

/// A field that has different values, or different trust, in two models.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The field.
    pub field: &'static str,
    /// Where.
    pub scope: Scope,
    /// Value and tier in the first model.
    pub a: (String, Tier),
    /// Value and tier in the second model.
    pub b: (String, Tier),
}

/// Why a setting of a model changes nothing.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Idle {
    /// Wherever it applies, a later setting of the same field does too.
    Overruled,
    /// No operation in its scope looks at the field, as the other fields are.
    Unread,
}

/// Resolved rules by declared format and operation.
type Table = Vec<Vec<Resolved>>;

impl Model {
    /// Every field in every scope.
    pub fn entries(&self) -> Vec<Entry> {
        self.entries_by(|| self.list()).to_vec()
    }

    fn list(&self) -> Vec<Entry> {
        let table = self.table();
        let mut entries = Vec::new();
        for (index, field) in Field::ALL.iter().enumerate() {
            let read = |decl: Decl, op: Op| may_read(self, field, op, &table[decl as usize][op as usize].rule);
            let looked_at = Decl::WITH_RULES.iter().any(|d| slotted().any(|op| read(*d, op)));
            // Lines with the same words are one line, whichever settings they come from.
            let mut lines: Vec<(Entry, [OpSet; Decl::ALL.len()])> = Vec::new();
            let mut whole = [OpSet::EMPTY; Decl::ALL.len()];
            for decl in Decl::WITH_RULES {
                for op in slotted().filter(|op| field.concerns(*op)) {
                    if looked_at && !read(decl, op) {
                        continue;
                    }
                    let cell = &table[decl as usize][op as usize];
                    let line = self.entry(field, cell.from[index], &field.get(&cell.rule));
                    let at = lines.iter().position(|(known, _)| *known == line).unwrap_or_else(|| {
                        lines.push((line, [OpSet::EMPTY; Decl::ALL.len()]));
                        lines.len() - 1
                    });
                    let sets = &mut lines[at].1;
                    sets[decl as usize] = sets[decl as usize].with(OpSet::of(op));
                    whole[decl as usize] = whole[decl as usize].with(OpSet::of(op));
                }
            }
            for (line, sets) in lines {
                for scope in scopes(&sets, &whole) {
                    entries.push(Entry { scope, ..line.clone() });
                }
            }
        }
        entries
    }

    /// Settings of the model itself, not those of its ancestors, that change nothing, by their place in [`Model::settings`]. What
    /// says again that a field is as `ieee` has it is left out: it may overrule an ancestor, or just be said.
    pub fn idle_settings(&self) -> Vec<(usize, Idle)> {
        let table = self.table();
        let mut out = Vec::new();
        for (at, setting) in self.settings().iter().enumerate() {
            if setting.model.as_deref() != Some(self.name()) {
                continue;
            }
            let (field, index) = (setting.field, setting.index);
            let cells = |decl: Decl| slotted().map(move |op| (decl, op));
            let covered = setting.scope.decls().flat_map(cells).filter(|(d, op)| setting.scope.covers(*d, *op));
            let concerned: Vec<(Decl, Op)> = covered.filter(|(_, op)| field.concerns(*op)).collect();
            let cell = |&(decl, op): &(Decl, Op)| &table[decl as usize][op as usize];
            let wins = |at_cell: &&(Decl, Op)| cell(at_cell).from[index] == Some(at as u32);
            if !concerned.iter().any(|c| wins(&c)) {
                out.push((at, if concerned.is_empty() { Idle::Unread } else { Idle::Overruled }));
                continue;
            }
            let plain = concerned.iter().all(|c| {
                let rule = &cell(c).rule;
                field.get(&Rule::ieee(rule.decl, rule.format)) == setting.value
            });
            let read = concerned.iter().filter(wins).any(|c| may_read(self, field, c.1, &cell(c).rule));
            if !plain && !read {
                out.push((at, Idle::Unread));
            }
        }
        out
    }

    fn entry(&self, field: &'static Field, from: Option<u32>, value: &str) -> Entry {
        let (tier, source, model) = match from.and_then(|at| self.settings().get(at as usize)) {
            Some(setting) => (setting.tier, setting.source.as_ref(), setting.model.as_deref().unwrap_or_default()),
            None if self.is_definition() => (Tier::Exact, "definition of this model", "ieee"),
            None => (Tier::Assumed, "nothing published; as ieee", "ieee"),
        };
        Entry {
            field: field.name,
            scope: Scope::ALL,
            value: value.to_string(),
            tier,
            source: source.to_string(),
            model: model.to_string(),
        }
    }

    /// What differs from `self` (first) to `other` (second), in operations that look at it under at least one of them.
    /// Settings, demotions, parents and probes count. What is chosen inside a bound stands under the name `probe`.
    pub fn diff(&self, other: &Model) -> Vec<Difference> {
        let tables = [self.probed_table(), other.probed_table()];
        let mut differences = Vec::new();
        let mut compare = |field: &'static Field, name: &'static str, get: &dyn Fn(&Rule) -> String| {
            let index = field.index();
            let mut cells: BTreeMap<[(String, Tier); 2], [OpSet; Decl::ALL.len()]> = BTreeMap::new();
            let mut whole = [OpSet::EMPTY; Decl::ALL.len()];
            for decl in self.listed(other) {
                for op in slotted().filter(|op| field.concerns(*op)) {
                    let [a, b] = [&tables[0][decl as usize][op as usize], &tables[1][decl as usize][op as usize]];
                    if !may_read(self, field, op, &a.rule) && !may_read(other, field, op, &b.rule) {
                        continue;
                    }
                    whole[decl as usize] = whole[decl as usize].with(OpSet::of(op));
                    let key = [(get(&a.rule), self.tiers(a)[index]), (get(&b.rule), other.tiers(b)[index])];
                    if key[0].0 != key[1].0 {
                        let sets = cells.entry(key).or_insert([OpSet::EMPTY; Decl::ALL.len()]);
                        sets[decl as usize] = sets[decl as usize].with(OpSet::of(op));
                    }
                }
            }
            for ([a, b], sets) in cells {
                for scope in scopes(&sets, &whole) {
                    differences.push(Difference { field: name, scope, a: a.clone(), b: b.clone() });
                }
            }
        };
        for field in Field::ALL {
            compare(field, field.name, &|rule| field.get(rule));
        }
        if let Some(accuracy) = Field::from_name("accuracy") {
            compare(accuracy, "probe", &|rule| rule.probe.to_string());
        }
        differences
    }

    /// Declared formats that a comparison lists: those with rules of their own, and `mediump` where one of the models rebinds it.
    fn listed(&self, other: &Model) -> impl Iterator<Item = Decl> {
        let rebound = self.rebinds(Decl::Mediump) || other.rebinds(Decl::Mediump);
        Decl::ALL.into_iter().filter(move |decl| *decl != Decl::Mediump || rebound)
    }

    fn probed_table(&self) -> Table {
        let mut table = self.table();
        for cell in table.iter_mut().flatten() {
            let tiers = self.tiers(cell);
            self.apply_probe(&mut cell.rule, &tiers);
        }
        table
    }

    fn table(&self) -> Table {
        Decl::ALL.iter().map(|d| Op::ALL.iter().map(|row| self.resolve(*d, row.op)).collect()).collect()
    }
}

fn slotted() -> impl Iterator<Item = Op> {
    Op::ALL.iter().map(|row| row.op).filter(|op| op.has_slot())
}

/// Product scopes that make up `sets`, declared formats with equal operations together; operations that are all of
/// `whole` become [`OpSet::ALL`].
fn scopes(sets: &[OpSet; Decl::ALL.len()], whole: &[OpSet; Decl::ALL.len()]) -> Vec<Scope> {
    let mut groups: Vec<(OpSet, Vec<Decl>)> = Vec::new();
    for decl in Decl::ALL {
        let ops = sets[decl as usize];
        if ops.is_empty() {
            continue;
        }
        let ops = if ops == whole[decl as usize] { OpSet::ALL } else { ops };
        match groups.iter_mut().find(|(known, _)| *known == ops) {
            Some((_, decls)) => decls.push(decl),
            None => groups.push((ops, vec![decl])),
        }
    }
    // What holds for all that have rules holds for all.
    let all = |decls: &[Decl]| decls == Decl::WITH_RULES;
    groups.into_iter().map(|(ops, decls)| Scope::new(if all(&decls) { &[] } else { &decls }, ops)).collect()
}

/// Whether `op` looks at the field under some slot of `decl`.
fn may_read(model: &Model, field: &Field, op: Op, rule: &Rule) -> bool {
    if field.is_of_programs() {
        return true;
    }
    let read = |r: &Rule| {
        if op != Op::Cvt {
            return field.read_by(op, r);
        }
        Decl::ALL.iter().any(|from| field.read_by(op, &Rule { source: model.storage(*from), ..*r }))
    };
    let flushed = Rule { denorm_in: Denormals::Flush, denorm_out: Denormals::Flush, ..*rule };
    let clamped = Rule { saturate: Saturate::Unsigned, ..*rule };
    read(rule)
        || read(&flushed)
        || read(&clamped)
        || [-1, 1].into_iter().any(|scale| read(&Rule { scale, ..*rule }) || read(&Rule { scale, ..flushed }))
}
