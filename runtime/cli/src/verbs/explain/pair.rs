//! Two programs: which instruction or literal makes the second one differ from the first one.

use super::Job;
use crate::input::Input;
use crate::load::{Program, Reading};
use crate::term::{Paint, Table, Term};
use parallax::{File, Problems, Status};
use parallax_core::{Shader, Symbolic};
use parallax_explain::edits::{Drawn, Edit, Edits, Version, edits};
use parallax_explain::twins::{Twins, twins};
use parallax_explain::{Distance, Shown, words};
use parallax_num::Model;
use parallax_text::{Diag, clean};
use serde_json::{Value, json};

/// Lines of a change that are printed.
const LINES: usize = 3;

/// What was found about two programs.
pub(super) enum Pair {
    /// Two texts in one language.
    Edits(Edits),
    /// Programs that have no text in common.
    Twins(Twins),
}

/// Who is compared, and under what.
pub(super) struct Who<'a> {
    pub(super) programs: [&'a Program; 2],
    pub(super) models: [&'a Model; 2],
}

impl Job<'_> {
    /// Compares two programs, each under its model.
    pub(super) fn pair(&self, inputs: [&Input; 2], who: &Who<'_>, reading: &Reading) -> Result<Pair, Problems> {
        let [first, second] = who.programs;
        let control = parallax::Control { cancel: Some(self.stop), ..parallax::Control::default() };
        let isa = |program: &Program| program.loaded.as_ref().map_or("", |loaded| loaded.isa);
        let one_language = isa(first) == isa(second) && ![first, second].iter().any(|p| p.text().is_empty());
        let of_pair = |found: Problems| second.problems(found.diags);
        if !one_language {
            let programs = [self.drawn(first)?, self.drawn(second)?];
            let found = twins([&programs[0], &programs[1]], who.models, self.engine, control);
            return found.map(Pair::Twins).map_err(of_pair);
        }
        let read = |version: Version, text: &str| -> Option<Drawn> {
            let input = inputs[usize::from(version == Version::After)];
            let source = File::open(input.name.clone(), text.as_bytes().to_vec()).contents().sources.pop()?;
            let program = Program::load(&Input { source: Ok(source), ..input.clone() }, reading);
            self.drawn(&program).ok()
        };
        let found = edits([first.text(), second.text()], who.models, &read, self.engine, control);
        found.map(Pair::Edits).map_err(of_pair)
    }

    fn drawn(&self, program: &Program) -> Result<Drawn, Problems> {
        let shader: Option<&Shader<Symbolic>> = program.loaded.as_ref().and_then(|loaded| loaded.shader.as_ref());
        match shader.filter(|_| program.status() == Status::Ok) {
            Some(shader) => Ok((shader.clone(), self.draw(program)?)),
            None => {
                let diags: Vec<Diag> = program.diags.clone();
                Err(program.problems(diags))
            }
        }
    }
}

fn title(who: &Who<'_>, whole: &Distance, worst: Option<(u32, u32)>, shown: Shown, term: &Term) -> String {
    let [a, b] = who.programs.map(|program| clean(&program.name));
    let models = who.models.map(|model| clean(&model.label()));
    let under = if models[0] == models[1] { models[0].clone() } else { models.join(" and ") };
    let mut out = format!("{}\n", term.paint(Paint::Bold, &format!("{b} beside {a}, under {under}")));
    if whole.changed == 0 {
        return out + &format!("  no {} differs\n", shown.one());
    }
    let seen = match shown {
        Shown::Pixels => format!(", {} look different", whole.visible),
        _ => String::new(),
    };
    let worst = worst.map_or(String::new(), |(x, y)| format!("; the largest difference is at {x},{y}"));
    out.push_str(&format!("  {} of {} {} differ{seen}{worst}\n", whole.changed, whole.pixels, shown.many()));
    out
}

fn lines(text: &str, which: &std::ops::Range<usize>) -> Vec<String> {
    text.lines().skip(which.start).take(which.len()).map(|line| clean(line.trim())).collect()
}

pub(super) fn human(who: &Who<'_>, found: &Pair, top: usize, term: &Term) -> String {
    match found {
        Pair::Edits(found) => of_edits(who, found, top, term),
        Pair::Twins(found) => of_twins(who, found, top, term),
    }
}

fn of_edits(who: &Who<'_>, found: &Edits, top: usize, term: &Term) -> String {
    let mut out = title(who, &found.whole, found.worst, found.shown, term);
    let [a, b] = who.programs.map(Program::text);
    let share = |v: Option<f64>| v.map_or("–".into(), words::share);
    if found.whole.changed > 0 && found.edits.is_empty() {
        let why = if who.models[0].label() == who.models[1].label() { "" } else { ": the models make the difference" };
        out.push_str(&format!("  no change of the text does anything{why}\n"));
    }
    for (n, edit) in found.edits.iter().take(top).enumerate() {
        let place = match edit.after.is_empty() {
            true => format!("behind line {}", edit.after.start),
            false => format!("line {}", edit.after.start + 1),
        };
        out.push_str(&format!("  {}. {place}: fixed {}, caused {}\n", n + 1, share(edit.fixed), share(edit.caused)));
        for (sign, text, which) in [("-", a, &edit.before), ("+", b, &edit.after)] {
            let all = lines(text, which);
            all.iter().take(LINES).for_each(|line| out.push_str(&format!("      {sign} {line}\n")));
            if all.len() > LINES {
                out.push_str(&format!("      {sign} and {} more lines\n", all.len() - LINES));
            }
        }
    }
    let left = found.edits.len().saturating_sub(top);
    if left > 0 {
        out.push_str(&format!("  and {left} more (--top {})\n", found.edits.len()));
    }
    if found.edits.iter().any(|edit| edit.fixed.is_none() || edit.caused.is_none()) {
        out.push_str("  –: without the other changes it is no program\n");
    }
    if found.idle > 0 {
        out.push_str(&format!("  {} other changes do nothing here\n", found.idle));
    }
    out + "\n"
}

fn of_twins(who: &Who<'_>, found: &Twins, top: usize, term: &Term) -> String {
    let mut out = title(who, &found.whole, found.worst, found.shown, term);
    if found.births.is_empty() {
        if found.whole.changed > 0 {
            out.push_str("  every value of the second program is one of the first: what differs is where they go\n");
        }
        return out + "\n";
    }
    out.push_str("  values that only the second program has, from values that both have:\n\n");
    let mut table = Table::new(&[">#", ">fixed", ">value", ">line", "instruction", ">beside", ">line", "instruction"]);
    for (n, birth) in found.births.iter().take(top).enumerate() {
        let plain = |text: String| (Paint::Plain, text);
        let beside =
            |f: &dyn Fn(&(parallax_explain::Place, f64)) -> String| birth.beside.as_ref().map_or("–".into(), f);
        table.row(vec![
            plain((n + 1).to_string()),
            plain(birth.fixed.map_or("–".into(), words::share)),
            plain(words::value(birth.value)),
            plain(words::at(&birth.place)),
            plain(clean(&birth.place.text)),
            plain(beside(&|(_, value)| words::value(*value))),
            plain(beside(&|(place, _)| words::at(place))),
            plain(beside(&|(place, _)| clean(&place.text))),
        ]);
    }
    out + &table.print(term, "  ") + "\n"
}

/// The findings as JSON lines.
pub(super) fn json(who: &Who<'_>, found: &Pair) -> String {
    let [a, b] = who.programs;
    let [first, second] = who.models.map(Model::label);
    let (whole, worst, shown) = match found {
        Pair::Edits(found) => (&found.whole, found.worst, found.shown),
        Pair::Twins(found) => (&found.whole, found.worst, found.shown),
    };
    let base = |kind: &str, rank: usize| {
        json!({
            "schema": 1, "kind": kind, "shader": b.name, "beside": a.name, "model": second, "against": first, "rank": rank,
        })
    };
    let mut list: Vec<Value> = Vec::new();
    let mut line = base("pair", 1);
    line["changed"] = json!(whole.changed);
    line["visible"] = json!(whole.visible);
    line["of"] = json!(whole.pixels);
    line["worst"] = json!(worst.map(|(x, y)| [x, y]));
    line["shown"] = json!(shown.many());
    match found {
        Pair::Edits(found) => {
            line["idle"] = json!(found.idle);
            list.push(line);
            let edit = |(n, edit): (usize, &Edit)| {
                let mut line = base("edit", n + 1);
                line["fixed"] = json!(edit.fixed);
                line["caused"] = json!(edit.caused);
                line["before"] = json!({"line": edit.before.start + 1, "text": lines(a.text(), &edit.before)});
                line["after"] = json!({"line": edit.after.start + 1, "text": lines(b.text(), &edit.after)});
                line
            };
            list.extend(found.edits.iter().enumerate().map(edit));
        }
        Pair::Twins(found) => {
            list.push(line);
            for (n, birth) in found.births.iter().enumerate() {
                let place = |place: &parallax_explain::Place| json!({"line": place.line, "offset": place.offset, "text": place.text});
                let mut line = base("birth", n + 1);
                line["op"] = json!(birth.op);
                line["value"] = super::json::number(birth.value);
                line["place"] = place(&birth.place);
                line["fixed"] = json!(birth.fixed);
                line["beside_place"] = json!(birth.beside.as_ref().map(|(found, _)| place(found)));
                line["beside_value"] = json!(birth.beside.as_ref().map(|(_, value)| super::json::number(*value)));
                list.push(line);
            }
        }
    }
    list.iter().map(|line| format!("{line}\n")).collect()
}
