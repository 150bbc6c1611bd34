//! Where NaN and infinity come from.

use crate::blame::Place;
use crate::scene::Scene;
use crate::shot::Shot;
use crate::trace::{LANES, Record, Traced};
use parallax_core::{Func, OpId, OpKind, ValueDef, ValueId};
use std::collections::HashSet;

/// Most instructions of a chain that are told.
const MOST_LINKS: usize = 24;

/// Where a special value ends.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// In this output.
    Output(String),
    /// In this instruction, such as a clamp, which makes another number of it than the other arithmetic has there.
    Number(Place),
}

/// A NaN or an infinity that reaches an output, or decides one.
#[derive(Clone, Debug, PartialEq)]
pub struct Special {
    /// The instruction it was born in.
    pub place: Place,
    /// The operation.
    pub op: &'static str,
    /// Its operands in the pixel.
    pub operands: Vec<f64>,
    /// What it gave.
    pub value: f64,
    /// What the other arithmetic gave there; `None` where it did not get there.
    pub expected: Option<f64>,
    /// Column and row of the first such pixel.
    pub pixel: (u32, u32),
    /// Where it ends.
    pub end: End,
    /// What it is there.
    pub reached: f64,
    /// What is there under the other arithmetic.
    pub reached_expected: f64,
    /// Instructions on its way to the output, the birth first.
    pub chain: Vec<Place>,
    /// Components of the pixels looked at that it reaches.
    pub components: u64,
}

/// Finds where the special values of the outputs come from. `shots` are those of the scene's pixels under both sides.
pub(crate) fn specials(scene: &Scene<'_>, [found, expected]: [&Shot; 2], records: &[Traced]) -> Vec<Special> {
    let outs = outs(scene.sides.func());
    let mut all = Found::default();
    for ((x, y), [own, other]) in records {
        for lane in 0..LANES {
            let pixel = (x + lane as u32 % 2, y + lane as u32 / 2);
            let Some(at) = scene.pixels.iter().position(|p| *p == pixel) else { continue };
            let values: Vec<(&str, f64)> = expected.values(at).collect();
            for (output, reached) in found.specials(at) {
                let Some(&(_, value)) = outs.iter().find(|(name, _)| name == output) else { continue };
                let there = values.iter().find(|(name, _)| *name == output).map_or(f64::NAN, |(_, v)| *v);
                all.add(scene, [own, other], lane, pixel, value, End::Output(output.to_string()), [reached, there]);
            }
        }
    }
    all.ranked()
}

/// Finds special values that become numbers on their way, other numbers than under the other arithmetic: the first such
/// instruction of each pixel.
pub(crate) fn vanished(scene: &Scene<'_>, records: &[Traced]) -> Vec<Special> {
    let func = scene.sides.func();
    let mut all = Found::default();
    for ((x, y), [own, other]) in records {
        for lane in 0..LANES {
            let pixel = (x + lane as u32 % 2, y + lane as u32 / 2);
            if !scene.pixels.contains(&pixel) {
                continue;
            }
            let mut first = None;
            func.walk(|_, op| {
                let data = &func.ops[op];
                let (OpKind::Num(_), Some(&result), None) = (data.kind, data.results.first(), first) else { return };
                let float = |v: ValueId| own.float(v, lane);
                let special = data.args.iter().copied().find(|&arg| float(arg).is_some_and(|f| !f.is_finite()));
                if let (Some(arg), Some(got), Some(there)) = (special, float(result), other.float(result, lane))
                    && got.is_finite()
                    && got != there
                {
                    first = Some((op, arg, [got, there]));
                }
            });
            if let Some((op, arg, values)) = first {
                let end = End::Number(Place::new(scene.sides, func.ops[op].origins.iter().min().copied()));
                all.add(scene, [own, other], lane, pixel, arg, end, values);
            }
        }
    }
    all.ranked()
}

/// Special values by the op they were born in and where they end.
#[derive(Default)]
struct Found(Vec<(OpId, Special)>);

impl Found {
    #[allow(clippy::too_many_arguments, reason = "what is known of one value in one pixel")]
    fn add(
        &mut self,
        scene: &Scene<'_>,
        [own, other]: [&Record; 2],
        lane: usize,
        pixel: (u32, u32),
        value: ValueId,
        end: End,
        [reached, reached_expected]: [f64; 2],
    ) {
        let func = scene.sides.func();
        let chain = chain(func, own, value, lane);
        let Some(&birth) = chain.last() else { return };
        if let Some((_, known)) = self.0.iter_mut().find(|(op, s)| *op == birth && s.end == end) {
            known.components += 1;
            return;
        }
        let data = &func.ops[birth];
        let result = data.results.first().copied();
        let place = |op: OpId| Place::new(scene.sides, func.ops[op].origins.iter().min().copied());
        let mut links: Vec<Place> = Vec::new();
        for place in chain.iter().rev().map(|op| place(*op)) {
            if links.last() != Some(&place) && place.index.is_some() {
                links.push(place);
            }
        }
        let special = Special {
            place: place(birth),
            op: data.kind.word(),
            operands: data.args.iter().filter_map(|&arg| own.float(arg, lane)).collect(),
            value: result.and_then(|r| own.float(r, lane)).unwrap_or(reached),
            expected: result.and_then(|r| other.float(r, lane)),
            pixel,
            end,
            reached,
            reached_expected,
            chain: links,
            components: 1,
        };
        self.0.push((birth, special));
    }

    fn ranked(mut self) -> Vec<Special> {
        parallax_text::sort_by(&mut self.0, |a, b| {
            b.1.components.cmp(&a.1.components).then(a.1.place.index.cmp(&b.1.place.index))
        });
        self.0.into_iter().map(|(_, special)| special).collect()
    }
}

/// Outputs by name, and the last value each component is set to.
fn outs(func: &Func) -> Vec<(String, ValueId)> {
    let mut out: Vec<(String, ValueId)> = Vec::new();
    func.walk(|_, op| {
        let data = &func.ops[op];
        if let (OpKind::Out { index, comp }, Some(&value)) = (data.kind, data.args.first())
            && let Some(decl) = func.iface.outputs.get(usize::from(index))
        {
            let name = format!("{}.{}", decl.name, char::from(b"xyzw"[usize::from(comp & 3)]));
            out.retain(|(known, _)| *known != name);
            out.push((name, value));
        }
    });
    out
}

/// The ops that hand a special value on, from the output back to where it was born.
fn chain(func: &Func, record: &Record, value: ValueId, lane: usize) -> Vec<OpId> {
    let is_special = |v: ValueId| record.float(v, lane).is_some_and(|f| !f.is_finite());
    let mut chain = Vec::new();
    let mut seen = HashSet::new();
    let mut next = Some(value);
    while let Some(value) = next.filter(|v| seen.insert(*v) && chain.len() < MOST_LINKS) {
        let sources = match func.values[value].def {
            ValueDef::Result(op, n) => {
                let data = &func.ops[op];
                if data.regions.is_empty() {
                    chain.push(op);
                    data.args.to_vec()
                } else {
                    passed(func, |kind, parent| leaves(kind, parent, op), usize::from(n))
                        .chain(data.initial().get(usize::from(n)).copied())
                        .collect()
                }
            }
            ValueDef::Param(region, n) => {
                let mut values: Vec<ValueId> = Vec::new();
                func.walk(|_, op| {
                    let data = &func.ops[op];
                    if data.regions.contains(&region) {
                        values.extend(data.args.get(usize::from(n)));
                        values.extend(passed(func, |kind, _| kind == OpKind::Continue(op), usize::from(n)));
                    }
                });
                values
            }
        };
        next = sources.into_iter().find(|&v| is_special(v) && !seen.contains(&v));
    }
    chain
}

/// Whether a terminator in a region of `parent` gives `op` its results.
fn leaves(kind: OpKind, parent: Option<OpId>, op: OpId) -> bool {
    match kind {
        OpKind::Yield => parent == Some(op),
        OpKind::Break(target) => target == op,
        _ => false,
    }
}

/// Operand `n` of the terminators that a test accepts: it gets the terminator and the op whose region it ends.
fn passed(func: &Func, test: impl Fn(OpKind, Option<OpId>) -> bool, n: usize) -> impl Iterator<Item = ValueId> {
    let mut parents = std::collections::HashMap::new();
    let mut out = Vec::new();
    func.walk(|region, op| {
        let data = &func.ops[op];
        data.regions.iter().for_each(|&inner| {
            parents.insert(inner, op);
        });
        if test(data.kind, parents.get(&region).copied()) {
            out.extend(data.args.get(n).copied());
        }
    });
    out.into_iter()
}
