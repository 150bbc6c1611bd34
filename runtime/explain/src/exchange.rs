//! A shader whose rules are chosen when it is drawn. What a recorded draw can tell is taken from it. Else each op that may follow
//! another rule is there once more for it, and a word of a constant bank says which result counts. So a shader is compiled once for
//! all exchanges of its rules but those to rules without a step program. Where it takes long to run, it is compiled again for a part
//! of the choices at a time: what is not among them is what it is in all exchanges of the part, and need not be computed twice.

use crate::scene::Scene;
use crate::shot::Shot;
use crate::sides::{Rules, Side, Sides, prepared};
use parallax::{Change, Compiled, Draw, Engine, Problems};
use parallax_core::num::{Op, Rule};
use parallax_core::{BankDecl, Bound, Func, OpData, OpId, OpKind, RegionId, RuleId, Shader, Type, ValueId};
use parallax_step::Programs;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// A shader with choices.
pub(crate) struct Exchange {
    side: Side,
    base: Shader<Bound>,
    choices: Vec<Vec<Change>>,
    /// Whether an alternative of a choice has no step program: the reference evaluation, lane by lane, of what is not chosen would
    /// cost more than telling what becomes of it from a recorded draw, or than compiling a shader whenever the choice is made.
    alone: Vec<bool>,
    /// What the ops of each choice are on the side, if all choices make the other side.
    back: Option<Vec<Vec<Change>>>,
    /// Whether ops of the shader itself all have step programs.
    can_choose: bool,
    /// With the alternatives of all other choices, once it is wanted, and what compiling that took.
    compiled: OnceLock<Result<(Option<Compiled>, Duration), Problems>>,
    engine: Engine,
    /// Choices of a part, once the time of a draw is known; at least one.
    part: OnceLock<usize>,
    /// The shader with the alternatives of a part of the choices, in which all others are made or not.
    parts: [Vec<OnceLock<Option<Compiled>>>; 2],
}

impl Exchange {
    /// Choice n makes ops what `choices[n]` says; without any, they are as on a side. Of several choices for one op, the last
    /// that is made counts.
    pub(crate) fn new(sides: &Sides, side: Side, choices: Vec<Vec<Change>>, engine: Engine) -> Exchange {
        let base = sides.side(side);
        let func = &base.func;
        let mut can_choose = true;
        func.walk(|_, op| {
            can_choose &= func.ops[op].rule.is_none_or(|rule| is_stepwise(func, op, &base.state.rules[rule]));
        });
        let is_alone = |change: &Change| change.rule.is_some_and(|rule| !is_stepwise(func, change.op, &rule));
        let alone: Vec<bool> = choices.iter().map(|choice| choice.iter().any(is_alone)).collect();
        let parts = [(); 2].map(|()| choices.iter().map(|_| OnceLock::new()).collect());
        Exchange {
            side,
            base: base.clone(),
            choices,
            alone,
            back: None,
            can_choose,
            compiled: OnceLock::new(),
            engine,
            part: OnceLock::new(),
            parts,
        }
    }

    /// Choice n makes the ops of the n-th instruction those of the other side.
    pub(crate) fn of_instructions(sides: &Sides, side: Side, engine: Engine) -> Exchange {
        let all = sides.instructions();
        let [back, choices] =
            [side, side.other()].map(|side| all.iter().map(|(_, ops)| sides.changes(side, ops)).collect());
        // All of them make the other side if what is around the two is alike.
        let [own, other] = [side, side.other()].map(|side| &sides.side(side).state);
        Exchange { back: own.has_around(other).then_some(back), ..Exchange::new(sides, side, choices, engine) }
    }

    /// The shader with the alternatives of all choices that have step programs; `None` if it has ops without one itself.
    fn with_all(&self) -> Result<Option<(&Compiled, Duration)>, Problems> {
        if !self.can_choose {
            return Ok(None);
        }
        let made = self.compiled.get_or_init(|| {
            let start = Instant::now();
            let compiled = self.compiled(0..self.choices.len(), false)?;
            Ok((compiled, start.elapsed()))
        });
        let (compiled, time) = made.as_ref().map_err(Clone::clone)?;
        Ok(compiled.as_ref().map(|compiled| (compiled, *time)))
    }

    /// The shader with the alternatives of some choices, all others made or not; `None` if it has ops without a step program.
    fn compiled(&self, some: Range<usize>, others: bool) -> Result<Option<Compiled>, Problems> {
        let compiled = prepared(self.written(some, others), self.engine)?;
        Ok(Some(compiled).filter(|compiled| compiled.program.made().fallbacks == 0))
    }

    /// The shader with the alternatives of all choices among some that are compiled together, all others made or not.
    fn written(&self, some: Range<usize>, others: bool) -> Shader<Bound> {
        let mut by_op: HashMap<OpId, Vec<Alternative>> = HashMap::new();
        let mut rules = Rules::new(&self.base);
        for (n, choice) in self.choices.iter().enumerate().filter(|(n, _)| !self.alone[*n]) {
            if !some.contains(&n) {
                choice.iter().filter(|_| others).for_each(|change| rules.make(change));
                continue;
            }
            for change in choice {
                let rule = change.rule.map(|rule| rules.id(rule));
                by_op.entry(change.op).or_default().push((n, change.kind, rule));
            }
        }
        let mut shader = rules.shader;
        Writer::new(&mut shader.func, self.choices.len()).write(&by_op);
        shader
    }

    /// Draws a scene with the choices for which `made` holds.
    ///
    /// # Errors
    /// Those of the draw.
    pub(crate) fn shot(&self, scene: &Scene<'_>, made: impl Fn(usize) -> bool) -> Result<Shot, Problems> {
        let is_together = self.is_together(&made);
        match self.told(scene, &made, is_together)? {
            Some(shot) => Ok(shot),
            None => self.drawn(scene, &made, is_together),
        }
    }

    /// The same by compiled shaders; `is_together`: no choice that is made is to be compiled alone.
    fn drawn(&self, scene: &Scene<'_>, made: &impl Fn(usize) -> bool, is_together: bool) -> Result<Shot, Problems> {
        let compiled = if is_together { self.with_all()? } else { None };
        let Some((compiled, compiling)) = compiled else {
            let mut rules = Rules::new(&self.base);
            self.changes(made).for_each(|change| rules.make(change));
            return scene.shot(rules.shader);
        };
        let start = Instant::now();
        let compiled = self.part_of(made).unwrap_or(compiled);
        let mut words: Vec<u32> = (0..self.choices.len()).map(|n| made(n).into()).collect();
        words.resize(self.choices.len().next_multiple_of(4), 0);
        let bank = words.chunks_exact(4).map(|four| [four[0], four[1], four[2], four[3]]).collect();
        let mut draw: Draw = scene.draw.clone();
        draw.banks.push(bank);
        let shot = scene.shot_of(compiled, &draw);
        self.part.get_or_init(|| self.best_part(compiling, start.elapsed()));
        shot
    }

    /// Whether no choice that is made is to be compiled alone.
    fn is_together(&self, made: &impl Fn(usize) -> bool) -> bool {
        !self.alone.iter().enumerate().any(|(n, alone)| *alone && made(n))
    }

    /// What is changed where choices are made.
    fn changes(&self, made: &impl Fn(usize) -> bool) -> impl Iterator<Item = &Change> {
        self.choices.iter().enumerate().filter(|(n, _)| made(*n)).flat_map(|(_, choice)| choice)
    }

    /// What the recorded draw of a side tells, of the one from which less is changed.
    fn told(
        &self,
        scene: &Scene<'_>,
        made: &impl Fn(usize) -> bool,
        is_together: bool,
    ) -> Result<Option<Shot>, Problems> {
        let count = (0..self.choices.len()).filter(|&n| made(n)).count();
        match self.back.as_ref().filter(|_| 2 * count > self.choices.len()) {
            None => scene.shot_with(self.side, is_together, self.changes(made).copied()),
            Some(back) => {
                let unmade = back.iter().enumerate().filter(|(n, _)| !made(*n)).flat_map(|(_, ops)| ops);
                scene.shot_with(self.side.other(), is_together, unmade.copied())
            }
        }
    }

    /// What draws one exchange, or all but one, in the least time; `None` where that is what draws all.
    fn part_of(&self, made: &impl Fn(usize) -> bool) -> Option<&Compiled> {
        let &size = self.part.get().filter(|size| **size < self.choices.len())?;
        let count = (0..self.choices.len()).filter(|&n| made(n)).count();
        // Of two choices, one is made and all but one are.
        let others = match count {
            1 => false,
            _ if count + 1 == self.choices.len() && !self.has_rivals() => true,
            _ => return None,
        };
        let alone = (0..self.choices.len()).find(|&n| made(n) != others)?;
        let part = alone / size;
        let form = self.parts[usize::from(others)][part].get_or_init(|| {
            let some = part * size..self.choices.len().min((part + 1) * size);
            // What all can be compiled with can be compiled in parts.
            self.compiled(some, others).ok().flatten()
        });
        form.as_ref()
    }

    /// Whether two choices are about one op.
    fn has_rivals(&self) -> bool {
        let mut ops = HashSet::new();
        !self.choices.iter().flatten().all(|change| ops.insert(change.op))
    }

    /// The number of choices in each part with which exchanging each in turn takes the least time, where a draw of all takes so
    /// long. By measurement, two thirds of what all alternatives take in compiling and drawing, the alternatives themselves do.
    fn best_part(&self, compiling: Duration, draw: Duration) -> usize {
        let all = self.choices.len();
        let [compile, draw] = [compiling, draw].map(|time| time.as_secs_f64());
        let share = |parts: usize| (1.0 + 2.0 / parts as f64) / 3.0;
        let takes = |parts: usize| match parts {
            1 => all as f64 * draw,
            _ => share(parts) * (parts as f64 * compile + all as f64 * draw),
        };
        let parts = [1, 2, 4, 8, 16, 32].into_iter().filter(|parts| *parts <= all.max(1));
        let best = parts.min_by(|a, b| takes(*a).total_cmp(&takes(*b))).unwrap_or(1);
        all.div_ceil(best).max(1)
    }
}

/// Whether an op has a step program under a rule. Of ops without an operation of their own nothing is known: yes.
fn is_stepwise(func: &Func, op: OpId, rule: &Rule) -> bool {
    match func.ops[op].kind {
        OpKind::Num(asked) => Programs::shared().get(asked, rule, true).is_some(),
        _ => true,
    }
}

/// What an op is if a choice is made: the choice's number, the kind and the rule.
type Alternative = (usize, OpKind, Option<RuleId>);

/// Writes the alternatives into a body.
struct Writer<'f> {
    func: &'f mut Func,
    /// The bank of choices.
    bank: u16,
    /// Whether a choice is made, once it was asked for; computed at the beginning of the body.
    made: Vec<Option<ValueId>>,
    first: Vec<OpId>,
}

impl<'f> Writer<'f> {
    fn new(func: &'f mut Func, choices: usize) -> Writer<'f> {
        let bank = func.iface.banks.len() as u16;
        let len = choices.div_ceil(4) as u32;
        func.iface.banks.push(BankDecl { name: "exchanged rules".into(), len, by_bytes: false });
        Writer { func, bank, made: vec![None; choices], first: Vec::new() }
    }

    fn write(mut self, by_op: &HashMap<OpId, Vec<Alternative>>) {
        let mut order: Vec<(RegionId, OpId)> = Vec::new();
        self.func.walk(|region, op| order.push((region, op)));
        // What stands for the results of an op with alternatives, and the ops that choose it.
        let mut chosen: HashMap<ValueId, ValueId> = HashMap::new();
        let mut selects: HashSet<OpId> = HashSet::new();
        let mut behind: HashMap<OpId, Vec<OpId>> = HashMap::new();
        for &(_, op) in &order {
            for &(choice, kind, rule) in by_op.get(&op).into_iter().flatten() {
                let made = self.made(choice);
                let data = &self.func.ops[op];
                let (slot, args, origins) = (data.slot, data.args.clone(), data.origins.clone());
                let results: Vec<ValueId> = data.results.to_vec();
                let types: Vec<Type> = results.iter().map(|&value| self.func.ty(value)).collect();
                let other = self.make(OpData { slot, rule, args, origins, ..OpData::new(kind) }, &types);
                let added = behind.entry(op).or_default();
                added.push(other);
                for (n, (&result, &ty)) in results.iter().zip(&types).enumerate() {
                    let before = chosen.get(&result).copied().unwrap_or(result);
                    let alternative = self.func.ops[other].results[n];
                    let args = [made, alternative, before].into_iter().collect();
                    let select = self.make(OpData { args, ..OpData::new(OpKind::Select) }, &[ty]);
                    selects.insert(select);
                    behind.entry(op).or_default().push(select);
                    chosen.insert(result, self.func.ops[select].results[0]);
                }
            }
        }
        for region in self.func.regions.values_mut() {
            let ops = std::mem::take(&mut region.ops);
            region.ops =
                ops.into_iter().flat_map(|op| [op].into_iter().chain(behind.remove(&op).unwrap_or_default())).collect();
        }
        let body = self.func.body;
        self.func.regions[body].ops.splice(..0, self.first);
        let mut readers: Vec<OpId> = Vec::new();
        self.func.walk(|_, op| readers.push(op));
        for op in readers.into_iter().filter(|op| !selects.contains(op)) {
            for arg in self.func.ops[op].args.iter_mut() {
                *arg = chosen.get(arg).copied().unwrap_or(*arg);
            }
        }
    }

    /// An op that stands in no region yet.
    fn make(&mut self, data: OpData, results: &[Type]) -> OpId {
        let op = self.func.ops.push(data);
        self.func.add_results(op, results.iter().copied());
        op
    }

    /// Whether a choice is made.
    fn made(&mut self, choice: usize) -> ValueId {
        if let Some(known) = self.made[choice] {
            return known;
        }
        let word = OpKind::Const { bank: self.bank, index: choice as u32 / 4, comp: (choice % 4) as u8 };
        let word = self.make(OpData::new(word), &[Type::I32]);
        let zero = self.make(OpData::new(OpKind::Literal(0)), &[Type::I32]);
        let args = [word, zero].into_iter().map(|op| self.func.ops[op].results[0]).collect();
        let differs = self.make(OpData { args, ..OpData::new(OpKind::Num(Op::Ine)) }, &[Type::Pred]);
        self.first.extend([word, zero, differs]);
        let made = self.func.ops[differs].results[0];
        self.made[choice] = Some(made);
        made
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parallax::{Control, LoadOptions, Quads, load};
    use parallax_core::num::Model;

    /// Literals, a loop, a branch, derivatives and a texture.
    const TEXT: &str = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0..3]\nDCL SAMP[0]\n\
                        IMM[0] FLT32 { 0.1, 0.3, 1.0, 3.0 }\nIMM[1] INT32 { 0, 1, 3, 0 }\nMOV TEMP[1], IMM[1].xxxx\n\
                        MUL TEMP[0].x, IN[0].xxxx, IMM[0].yyyy\nBGNLOOP\nUSGE TEMP[1].y, TEMP[1].xxxx, IMM[1].zzzz\n\
                        UIF TEMP[1].yyyy\nBRK\nENDIF\nRCP TEMP[0].x, TEMP[0].xxxx\nADD TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx\n\
                        UADD TEMP[1].x, TEMP[1].xxxx, IMM[1].yyyy\nENDLOOP\nDDX TEMP[2].x, TEMP[0].xxxx\n\
                        TEX TEMP[3], TEMP[0].xxxx, SAMP[0], 2D\nMAD TEMP[2].y, TEMP[3].xxxx, TEMP[0].xxxx, TEMP[2].xxxx\n\
                        EX2 TEMP[2].z, TEMP[2].yyyy\nMOV OUT[0], TEMP[2].xyzx\nEND\n";

    #[test]
    fn a_choice_gives_what_the_exchanged_shader_gives() {
        let shader = load("x.tgsi", TEXT.as_bytes(), &LoadOptions::default()).shader.unwrap();
        let draw = Draw { width: 24, height: 18, ..Draw::defaults(&shader.func.iface).unwrap() };
        let (mut compiled, mut parts, mut recordings) = (std::collections::BTreeSet::new(), 0, 0);
        for (model, against) in [("nv40", "ieee"), ("ati-r300", "ieee"), ("nv-patent", "d3d9"), ("adreno", "binary64")]
        {
            let [model, against] = [model, against].map(|name| Model::parse(name).unwrap());
            let sides = Sides::of_models(&shader, &model, &against);
            let instructions = sides.instructions();
            assert!(instructions.len() > 3, "{}", model.label());
            let choices: Vec<Vec<Change>> =
                instructions.iter().map(|(_, ops)| sides.changes(Side::Against, ops)).collect();
            for engine in [Engine::Interp, Engine::default()] {
                let mut exchange = Exchange::new(&sides, Side::Model, choices.clone(), engine);
                compiled.insert(exchange.with_all().unwrap().is_some());
                let recorded = Exchange::of_instructions(&sides, Side::Model, engine);
                let quads = Quads::all(draw.width, draw.height);
                let scene = Scene::new(&sides, &draw, quads, vec![1.0], Control::default(), engine);
                let some = [0u32, !0, 0x5555_5555, 0x0f0f_0f0f, 1, 2, 4, 8, 16, 0x9ab3_42c1, !1, !4, !16, !2];
                // All in one form, then in parts.
                for (n, pattern) in some.into_iter().chain(some).enumerate() {
                    if n % some.len() == 0 {
                        exchange.part = OnceLock::from(if n == 0 { choices.len() } else { 2 });
                    }
                    let made = |n: usize| pattern >> (n % 32) & 1 != 0;
                    let chosen = instructions.iter().enumerate().filter(|(n, _)| made(*n));
                    let ops: Vec<OpId> = chosen.flat_map(|(_, (_, ops))| ops.iter().copied()).collect();
                    let wanted = scene.shot(sides.mixed(Side::Model, &ops)).unwrap();
                    let told = recorded.told(&scene, &made, true).unwrap();
                    recordings += usize::from(told.is_some());
                    if let Some(told) = told {
                        assert_eq!(told.distance(&wanted, &[1.0]).changed, 0, "{} {pattern:x}", model.label());
                    }
                    let found = exchange.drawn(&scene, &made, exchange.is_together(&made)).unwrap();
                    assert_eq!(found.distance(&wanted, &[1.0]).changed, 0, "{} {pattern:x}", model.label());
                }
                let forms = exchange.parts.iter().flatten().filter(|form| form.get().is_some()).count();
                parts += forms;
            }
        }
        assert!(parts > 6 && recordings > 100, "{parts} {recordings}");
        assert_eq!(compiled.len(), 2, "with a step program for every rule, and without: {compiled:?}");
    }
}
