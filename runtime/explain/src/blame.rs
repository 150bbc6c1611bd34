//! Blame by exchange: what one instruction does to the difference between two arithmetics.

use crate::exchange::Exchange;
use crate::scene::Scene;
use crate::shot::{Distance, Shot};
use crate::sides::{Side, Sides, asked};
use crate::written::{Deed, Rewritten};
use parallax::{Change, Problems};
use parallax_core::num::{Accuracy, Decl, Entry, Field, Format, Model, Op, Rule, Slot, Tier};
use parallax_core::{EntityRef, OpId, OpKind, SourceId, TexOp};
use rayon::prelude::*;

/// Instructions whose rules are looked into, and which are tried in pairs.
pub const TOP: usize = 5;
/// Share of the difference that two instructions take together beyond what each takes alone, from which on it is told.
const INTERACTION: f64 = 0.1;

/// An instruction of the source.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// Number of the instruction from 0; `None` for what belongs to none, such as the conversion of results at the end.
    pub index: Option<usize>,
    /// Line from 1 in a text; 0 for binaries.
    pub line: u32,
    /// Byte offset in the text or binary.
    pub offset: u32,
    /// The instruction as the frontend prints it.
    pub text: String,
}

impl Place {
    pub(crate) fn new(sides: &Sides, source: Option<SourceId>) -> Place {
        match source.and_then(|id| Some((id, sides.func().sources.get(id)?))) {
            Some((id, found)) => Place {
                index: Some(id.index()),
                line: found.line,
                offset: found.offset,
                text: found.text.split_whitespace().collect::<Vec<_>>().join(" "),
            },
            None => Place { index: None, line: 0, offset: 0, text: "(no instruction)".into() },
        }
    }
}

/// What exchanging one instruction does.
#[derive(Clone, Debug, PartialEq)]
pub struct Blame {
    /// The instruction.
    pub place: Place,
    /// Share of the difference that goes away when this instruction alone follows the other arithmetic; negative where it
    /// grows.
    pub fixed: f64,
    /// Share of the difference that appears when this instruction alone follows the model, and all others the other
    /// arithmetic; more than 1 where others make good for it.
    pub caused: f64,
    /// Pixels whose results the exchange changes: places in [`Explanation::pixels`](crate::Explanation::pixels).
    pub pixels: Vec<u32>,
    /// Pixels that stop to look different.
    pub visible: i64,
    /// Special values that stop to differ.
    pub special: i64,
    /// What it takes of the smallest error that 99 of 100 components do not exceed, in steps.
    pub p99_ulp: f64,
    /// The fields of the model's rules that do it: the largest share first. Of the first instructions only.
    pub fields: Vec<FieldBlame>,
    pub(crate) ops: Vec<OpId>,
    /// Its place in [`Sides::instructions`].
    number: usize,
}

/// What exchanging one field of the rules of an instruction does.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldBlame {
    /// The field.
    pub field: &'static str,
    /// Operation whose rule it is, where the instruction has several.
    pub op: &'static str,
    /// Its value under the model.
    pub value: String,
    /// Its value under the other arithmetic.
    pub other: String,
    /// How well the model's value is known.
    pub tier: Tier,
    /// Who says so.
    pub source: String,
    /// What is done, where the field says what drivers do.
    pub deed: Option<Deed>,
    /// Share of the difference that goes away when this field alone is the other arithmetic's.
    pub fixed: f64,
    /// Share that appears when this field alone, of this instruction alone, is the model's. It tells what `fixed` hides: numbers that
    /// are flushed where they are made and again where they are read do not come back when one of the two stops.
    pub caused: f64,
}

/// Two instructions that do more, or less, together than each alone.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// Ranks of the two, from 1.
    pub ranks: [usize; 2],
    /// Share of the difference that goes away when both are exchanged.
    pub fixed: f64,
}

/// Instructions ranked, and what the whole difference is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ranking {
    /// The difference that is explained.
    pub total: Distance,
    /// Instructions that can make a difference and do: the most important first.
    pub instructions: Vec<Blame>,
    /// Interactions among the first five, where their shares do not add up.
    pub pairs: Vec<Pair>,
}

/// How much of `total` is gone in `left`, as a share of errors.
fn gone(total: &Distance, left: &Distance) -> f64 {
    if total.error > 0.0 { 1.0 - left.error / total.error } else { 0.0 }
}

/// The two arithmetics' pictures, and their difference.
struct Ends {
    found: Shot,
    expected: Shot,
    total: Distance,
}

impl Ends {
    /// How far a picture of a mixture is from what is expected: most exchanges leave it as one of the two.
    fn left(&self, scene: &Scene<'_>, shot: &Shot) -> Distance {
        if shot.is_same(&self.found) { self.total.clone() } else { scene.distance(shot, &self.expected) }
    }

    /// The share of the difference that is gone in a mixture.
    fn gone(&self, scene: &Scene<'_>, shot: &Shot) -> f64 {
        gone(&self.total, &self.left(scene, shot))
    }
}

impl Blame {
    /// What instructions are ranked by: the share that they fix and the share that they cause, on average.
    pub fn score(&self) -> f64 {
        score(self.fixed, self.caused)
    }
}

impl FieldBlame {
    /// What fields are ranked by, as instructions are.
    pub fn score(&self) -> f64 {
        score(self.fixed, self.caused)
    }
}

fn score(fixed: f64, caused: f64) -> f64 {
    (fixed.clamp(0.0, 1.0) + caused.clamp(0.0, 1.0)) / 2.0
}

/// Ranks the instructions of a scene. `done` is called after each with how many are done, and how many there are.
///
/// # Errors
/// Those of compiling and of the draw.
pub(crate) fn rank(scene: &Scene<'_>, done: &(dyn Fn() + Sync)) -> Result<Ranking, Problems> {
    let sides = scene.sides;
    let all = sides.instructions();
    let exchange = Exchange::of_instructions(sides, Side::Model, scene.engine);
    let (found, expected) = (exchange.shot(scene, |_| false)?, exchange.shot(scene, |_| true)?);
    let total = scene.distance(&found, &expected);
    let ends = Ends { found, expected, total };
    let Ends { found, total, .. } = &ends;
    let blame = |(number, (source, ops)): (usize, (Option<SourceId>, Vec<OpId>))| -> Result<Blame, Problems> {
        let fixed = exchange.shot(scene, |n| n == number)?;
        let caused = exchange.shot(scene, |n| n != number)?;
        done();
        let left = ends.left(scene, &fixed);
        let minus = |a: u64, b: u64| a as i64 - b as i64;
        Ok(Blame {
            place: Place::new(sides, source),
            fixed: gone(total, &left),
            caused: 1.0 - ends.gone(scene, &caused),
            pixels: fixed.changed(found),
            visible: minus(total.visible, left.visible),
            special: minus(total.special, left.special),
            p99_ulp: total.p99_ulp - left.p99_ulp,
            fields: Vec::new(),
            ops,
            number,
        })
    };
    let all: Result<Vec<Blame>, Problems> = all.into_par_iter().enumerate().map(blame).collect();
    let mut instructions: Vec<Blame> = all?;
    instructions.retain(|b| !b.pixels.is_empty() || b.caused != 0.0 || b.fixed != 0.0);
    parallax_text::sort_by(&mut instructions, |a, b| {
        let key = |x: &Blame| (x.score(), x.pixels.len() as f64);
        let (a_key, b_key) = (key(a), key(b));
        b_key.0.total_cmp(&a_key.0).then(b_key.1.total_cmp(&a_key.1)).then(a.place.index.cmp(&b.place.index))
    });
    let pairs = pairs(scene, &exchange, &instructions, &ends)?;
    Ok(Ranking { total: ends.total, instructions, pairs })
}

fn pairs(scene: &Scene<'_>, exchange: &Exchange, ranked: &[Blame], ends: &Ends) -> Result<Vec<Pair>, Problems> {
    let top = &ranked[..ranked.len().min(TOP)];
    let fixed = |blames: &[&Blame]| -> Result<f64, Problems> {
        let shot = exchange.shot(scene, |n| blames.iter().any(|b| b.number == n))?;
        Ok(ends.gone(scene, &shot))
    };
    if top.len() < 2 {
        return Ok(Vec::new());
    }
    let alone: f64 = top.iter().map(|b| b.fixed).sum();
    let together = fixed(&top.iter().collect::<Vec<_>>())?;
    if (together - alone).abs() <= INTERACTION {
        return Ok(Vec::new());
    }
    let all: Vec<(usize, usize)> = (0..top.len()).flat_map(|a| (a + 1..top.len()).map(move |b| (a, b))).collect();
    let found: Result<Vec<(usize, usize, f64)>, Problems> =
        all.into_par_iter().map(|(a, b)| Ok((a, b, fixed(&[&top[a], &top[b]])?))).collect();
    let mut out: Vec<(f64, Pair)> = Vec::new();
    for (a, b, fixed) in found? {
        let surplus = (fixed - top[a].fixed - top[b].fixed).abs();
        if surplus > INTERACTION {
            out.push((surplus, Pair { ranks: [a + 1, b + 1], fixed }));
        }
    }
    parallax_text::sort_by(&mut out, |a, b| b.0.total_cmp(&a.0).then(a.1.ranks.cmp(&b.1.ranks)));
    Ok(out.into_iter().map(|(_, pair)| pair).collect())
}

/// Which fields are looked into.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Looked {
    /// What drivers do.
    Deeds,
    /// All.
    All,
}

/// Finds which fields of the model do what the first instructions of a ranking do: each is exchanged in both directions.
///
/// # Errors
/// Those of compiling and of the draw.
pub(crate) fn look_into(
    scene: &Scene<'_>,
    model: &Model,
    ranking: &mut Ranking,
    looked: Looked,
) -> Result<(), Problems> {
    let (sides, total, entries) = (scene.sides, ranking.total.clone(), model.entries());
    let top = ranking.instructions.iter_mut().take(TOP);
    let (blames, candidates): (Vec<&mut Blame>, Vec<Vec<Candidate>>) = top
        .map(|blame| (fields(sides, model, &entries, &blame.ops, looked), blame))
        .map(|(found, blame)| (blame, found))
        .unzip();
    if candidates.iter().all(Vec::is_empty) {
        return Ok(());
    }
    let [found, expected] = [Side::Model, Side::Against].map(|side| scene.shot_of_side(side));
    let ends = Ends { found: found?, expected: expected?, total };
    let [fix, cause] = [Side::Model, Side::Against].map(|base| {
        let changes = |candidate: &Candidate| match base {
            Side::Model => candidate.changes.clone(),
            Side::Against => candidate.causes.clone(),
        };
        Exchange::new(sides, base, candidates.iter().flatten().map(changes).collect(), scene.engine)
    });
    let mut first = 0;
    for (blame, candidates) in blames.into_iter().zip(candidates) {
        let numbers = first..first + candidates.len();
        first = numbers.end;
        let measured = numbers.into_par_iter().zip(candidates).map(|(number, candidate)| {
            let left = |exchange: &Exchange| -> Result<f64, Problems> {
                Ok(ends.gone(scene, &exchange.shot(scene, |n| n == number)?))
            };
            Ok(FieldBlame { fixed: left(&fix)?, caused: 1.0 - left(&cause)?, ..candidate.blame })
        });
        let mut fields = measured.collect::<Result<Vec<FieldBlame>, Problems>>()?;
        fields.retain(|f| f.fixed != 0.0 || f.caused != 0.0);
        parallax_text::sort_by(&mut fields, |a, b| {
            let by_fixed = b.fixed.total_cmp(&a.fixed);
            b.score().total_cmp(&a.score()).then(by_fixed).then(a.field.cmp(b.field)).then(a.op.cmp(b.op))
        });
        blame.fields = fields;
    }
    Ok(())
}

/// A field to be exchanged.
struct Candidate {
    blame: FieldBlame,
    /// The model's rules with the field exchanged.
    changes: Vec<Change>,
    /// The other rules with the field of the model.
    causes: Vec<Change>,
}

/// The fields in which the two rules of some ops differ, each with the rules that have it exchanged.
fn fields(sides: &Sides, model: &Model, entries: &[Entry], ops: &[OpId], looked: Looked) -> Vec<Candidate> {
    let mut out: Vec<Candidate> = Vec::new();
    for &op in ops {
        if let Some(rewritten) = sides.rewritten(op) {
            out.extend(choice(sides, entries, op, rewritten));
            continue;
        }
        if looked == Looked::Deeds {
            continue;
        }
        textures(sides, entries, op, &mut out);
        let (Some(own), Some(other), Some((asked, slot))) =
            (sides.rule(Side::Model, op), sides.rule(Side::Against, op), asked(sides.func(), op))
        else {
            continue;
        };
        let plain = [own, other].map(|rule| rule.normalised(asked));
        for field in Field::ALL {
            let exchanged = [with_field(field, &own, &other), with_field(field, &other, &own)];
            // Most fields agree.
            if exchanged == [own, other] {
                continue;
            }
            let [rule, cause] = exchanged.map(|rule| rule.normalised(asked));
            if [rule, cause] == plain {
                continue;
            }
            let [change, cause] = [rule, cause].map(|r| Change { op, kind: sides.func().ops[op].kind, rule: Some(r) });
            let known = out.iter_mut().find(|c| {
                c.blame.field == field.name && c.blame.op == asked.name() && c.blame.value == field.get(&own)
            });
            match known {
                Some(candidate) => {
                    candidate.changes.push(change);
                    candidate.causes.push(cause);
                }
                None => {
                    let (tier, source) = said(model, entries, field, asked, &slot, &own);
                    let (value, exchanged) = (field.get(&own), field.get(&other));
                    let blame = FieldBlame {
                        field: field.name,
                        op: asked.name(),
                        value,
                        other: exchanged,
                        tier,
                        source,
                        deed: None,
                        fixed: 0.0,
                        caused: 0.0,
                    };
                    out.push(Candidate { blame, changes: vec![change], causes: vec![cause] });
                }
            }
        }
    }
    out
}

/// The fields in which the texture units differ that do the same lookup.
fn textures(sides: &Sides, entries: &[Entry], op: OpId, out: &mut Vec<Candidate>) {
    let [kind, other] = [Side::Model, Side::Against].map(|side| sides.side(side).func.ops[op].kind);
    let (OpKind::Tex(tex), OpKind::Tex(other_tex)) = (kind, other) else { return };
    let plain = Rule::ieee(Decl::F32, Format::F32);
    let [own, other] = [tex, other_tex].map(|tex| Rule { texture: tex.rule, ..plain });
    for field in Field::ALL.iter().filter(|field| field.is_of_textures()) {
        let [value, exchanged] = [own, other].map(|rule| field.get(&rule));
        let Some(entry) = entries.iter().find(|entry| entry.field == field.name && value != exchanged) else {
            continue;
        };
        let exchange = |side: Side, mut rule: Rule, from: &Rule, tex: TexOp| {
            field.copy(&mut rule, from);
            Change { op, kind: OpKind::Tex(TexOp { rule: rule.texture, ..tex }), rule: sides.rule(side, op) }
        };
        let change = exchange(Side::Model, own, &other, tex);
        let cause = exchange(Side::Against, other, &own, other_tex);
        match out.iter_mut().find(|known| known.blame.field == field.name) {
            Some(known) => {
                known.changes.push(change);
                known.causes.push(cause);
            }
            None => {
                let (tier, source) = (entry.tier, entry.source.clone());
                let (field, op) = (field.name, "tex");
                let (fixed, caused) = (0.0, 0.0);
                let blame = FieldBlame { field, op, value, other: exchanged, tier, source, deed: None, fixed, caused };
                out.push(Candidate { blame, changes: vec![change], causes: vec![cause] });
            }
        }
    }
}

/// What the drivers make of an instruction, as a field of the models.
fn choice(sides: &Sides, entries: &[Entry], op: OpId, rewritten: &Rewritten) -> Option<Candidate> {
    let entry = entries.iter().find(|entry| entry.field == rewritten.field)?;
    let [value, other] = rewritten.values.clone();
    let blame = FieldBlame {
        field: rewritten.field,
        op: rewritten.op,
        value,
        other,
        tier: entry.tier,
        source: entry.source.clone(),
        deed: Some(rewritten.deed),
        fixed: 0.0,
        caused: 0.0,
    };
    let [changes, causes] = [Side::Against, Side::Model].map(|side| sides.changes(side, &[op]));
    Some(Candidate { blame, changes, causes })
}

/// A rule with one field of another.
fn with_field(field: &Field, rule: &Rule, from: &Rule) -> Rule {
    let mut out = *rule;
    field.copy(&mut out, from);
    if field.name == "accuracy" {
        out.probe = from.probe;
        // What an operation of a bounded accuracy is made of goes with it.
        if rule.accuracy != Accuracy::Correct {
            out.steps = from.steps;
        }
    }
    out
}

/// How well a model knows a field, and who says so.
fn said(model: &Model, entries: &[Entry], field: &Field, op: Op, slot: &Slot, rule: &Rule) -> (Tier, String) {
    let value = field.get(rule);
    let covers = |e: &&Entry| e.field == field.name && e.scope.covers(slot.decl, op);
    let entry = entries.iter().filter(covers).find(|e| e.value == value);
    match entry {
        Some(entry) => (entry.tier, entry.source.clone()),
        None => {
            let (_, fields) = model.fields(op, slot, rule.source);
            let tier = fields.iter().find(|(f, _)| std::ptr::eq(*f, field)).map_or(Tier::Exact, |(_, tier)| *tier);
            (tier, "the instruction itself".into())
        }
    }
}
