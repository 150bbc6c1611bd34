//! One instruction of a shader computes worse than the others: it has to be found.

use parallax::{Draw, Engine, LoadOptions, Manifest, load};
use parallax_core::num::{Denormals, Dot, Field, Mad, Model, Op, Rule};
use parallax_core::{OpId, OpKind, OutputRole, Shader, Stage, Symbolic};
use parallax_corpus::File;
use parallax_explain::{Side, Sides, rank};
use parallax_random::Random;
use std::collections::BTreeSet;

/// Width and height of the draws.
const SIDE: u32 = 10;
/// Draws of one shader with an error that changes nothing, before the next kind is tried.
const TRIES: usize = 6;

/// What an instruction is changed to.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Error {
    /// Results with fewer digits.
    Coarse,
    /// Another literal in its last bits.
    Literal,
    /// One rounding instead of two, or two instead of one.
    Fused,
    /// Small results become zero.
    Flush,
}

const ERRORS: [Error; 4] = [Error::Coarse, Error::Literal, Error::Fused, Error::Flush];

fn subject(file: &File) -> Option<(Shader<Symbolic>, Draw)> {
    let manifest = parallax_corpus::get(&format!("{}/{}.toml", file.folder(), file.stem())).expect("a manifest");
    let mut manifest = Manifest::parse(manifest.path, manifest.text().expect("text")).unwrap_or_else(|p| panic!("{p}"));
    if let Some(vertex) = manifest.vertex_program().and_then(|name| file.beside(name)) {
        manifest.give_vertex_program(vertex.bytes);
    }
    let mut options = LoadOptions::default();
    options.lift.settings.clone_from(&manifest.options);
    let loaded = load(file.path, file.bytes, &options);
    let shader = loaded.shader.unwrap_or_else(|| panic!("{}: {:#?}", file.path, loaded.diags));
    let colours = shader.func.iface.outputs.iter().any(|o| matches!(o.role, OutputRole::Color(_)));
    if shader.func.iface.stage != Stage::Fragment || !colours {
        return None;
    }
    let mut draw = Draw::new(&shader.func.iface, &manifest).unwrap_or_else(|p| panic!("{p}"));
    (draw.width, draw.height) = (SIDE, SIDE);
    let model = Model::builtin("ieee").expect("a built-in model");
    let draw = draw.with_vertices(&shader.func.iface, &model, Engine::Interp).unwrap_or_else(|p| panic!("{p}"));
    let draw = draw.into_owned();
    Some((shader, draw))
}

/// The rule with the error; `None` where the operation has no such rule.
fn degraded(error: Error, op: Op, rule: &Rule) -> Option<Rule> {
    let mut worse = *rule;
    match error {
        Error::Coarse => Field::from_name("format")?.set(&mut worse, "float(1.8.11)").then_some(())?,
        Error::Fused => {
            worse.mad = if rule.mad == Mad::Fused { Mad::Separate } else { Mad::Fused };
            worse.dot = Dot { fused: !rule.dot.fused, ..rule.dot };
        }
        // As if the format ended at 2^-6.
        Error::Flush => {
            Field::from_name("format")?.set(&mut worse, "float(1.4.23 no-denormals)").then_some(())?;
            worse.denorm_out = Denormals::Flush;
        }
        Error::Literal => return None,
    }
    let worse = worse.normalised(op);
    (worse != rule.normalised(op)).then_some(worse)
}

/// The shader under two sides, one instruction of the first with an error.
fn planted(sides: &Sides, error: Error, random: &mut Random) -> Option<(usize, Sides)> {
    let func = sides.func();
    let mut candidates: Vec<(OpId, Rule)> = Vec::new();
    let mut literals: Vec<OpId> = Vec::new();
    func.walk(|_, id| {
        let data = &func.ops[id];
        if data.origins.len() != 1 {
            return;
        }
        match data.kind {
            OpKind::Num(op) => {
                let worse = sides.rule(Side::Model, id).and_then(|rule| degraded(error, op, &rule));
                candidates.extend(worse.map(|rule| (id, rule)));
            }
            OpKind::Literal(_) if data.slot.is_some() => literals.push(id),
            _ => {}
        }
    });
    let index = |id: OpId| func.ops[id].origins.iter().next().map(|s| parallax_core::EntityRef::index(*s));
    let other = sides.side(Side::Against).clone();
    if error == Error::Literal {
        let id = *literals.get(random.below(literals.len() as u64) as usize)?;
        let mut worse = sides.side(Side::Model).clone();
        let OpKind::Literal(bits) = worse.func.ops[id].kind else { return None };
        let value = f64::from_bits(bits);
        // Four units in the last place of binary32, in a container of binary64.
        if value == 0.0 || !value.is_finite() {
            return None;
        }
        worse.func.ops[id].kind = OpKind::Literal((value * (1.0 + 1.0 / 2_097_152.0)).to_bits());
        return Some((index(id)?, Sides::new(worse, other)?));
    }
    if candidates.is_empty() {
        return None;
    }
    let (id, _) = candidates[random.below(candidates.len() as u64) as usize];
    // All components of the instruction.
    let here: Vec<(OpId, Rule)> = candidates.iter().filter(|(other, _)| index(*other) == index(id)).copied().collect();
    Some((index(id)?, Sides::new(sides.with_rules(here), other)?))
}

/// A third of the corpus.
#[test]
fn the_planted_instruction_is_named() {
    plant_in_every(3);
}

#[test]
#[ignore = "all of the corpus: three times as long"]
fn every_planted_instruction_is_named() {
    plant_in_every(1);
}

/// Plants an error in every nth shader of the corpus and looks for it.
fn plant_in_every(nth: usize) {
    let model = |name: &str| Model::parse(name).expect("a built-in model");
    let (ieee, reference) = (model("ieee"), model("binary64"));
    let mut random = Random::new(17);
    let (mut tried, mut first, mut third) = (0, 0, 0);
    let mut isas = BTreeSet::new();
    let mut kinds = BTreeSet::new();
    let mut missed = Vec::new();
    // Kernels have no picture.
    for (n, file) in parallax_corpus::shaders().filter(|file| file.folder() != "kernels").enumerate().step_by(nth) {
        let Some((shader, draw)) = subject(file) else { continue };
        for k in 0..ERRORS.len() {
            let error = ERRORS[(n + k) % ERRORS.len()];
            // Errors in last bits are told from nothing else that differs; the others among the roundings of all instructions.
            let base = if matches!(error, Error::Fused | Error::Literal) {
                let wide = Sides::of_models(&shader, &ieee, &reference);
                Sides::new(wide.side(Side::Model).clone(), wide.side(Side::Model).clone())
            } else {
                Some(Sides::of_models(&shader, &ieee, &reference))
            };
            let base = base.expect("the same shader");
            let found = (0..TRIES).find_map(|_| {
                let (index, sides) = planted(&base, error, &mut random)?;
                let ranking = rank(&sides, &draw, Engine::Interp).unwrap_or_else(|d| panic!("{}: {d:#?}", file.path));
                // What nobody can see is not to be found: the error has to be above the rounding of everything else.
                let plain = rank_total(&base, &draw);
                (ranking.total.error > 4.0 * plain).then_some((index, ranking))
            });
            let Some((index, ranking)) = found else { continue };
            let place = ranking.instructions.iter().position(|b| b.place.index == Some(index));
            tried += 1;
            first += usize::from(place == Some(0));
            third += usize::from(place.is_some_and(|p| p < 3));
            isas.insert(file.folder());
            kinds.insert(error);
            if place != Some(0) {
                missed.push(format!("{} {error:?} instruction {index}: place {place:?}", file.path));
            }
            break;
        }
    }
    assert!(tried >= 60 / nth && kinds.len() == ERRORS.len(), "{tried} shaders, {kinds:?}");
    assert_eq!(isas.len(), 8, "{isas:?}");
    assert!(first * 100 >= tried * 95 && third == tried, "{first} and {third} of {tried}: {missed:#?}");
}

/// The difference without a planted error.
fn rank_total(sides: &Sides, draw: &Draw) -> f64 {
    parallax_explain::difference(sides, draw, Engine::Interp).map_or(0.0, |d| d.error)
}
