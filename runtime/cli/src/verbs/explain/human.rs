//! Findings for reading.

use crate::draw::{Origin, draw_place};
use crate::load::Program;
use crate::term::{Paint, Table, Term};
use parallax_explain::words::{self, at, share};
use parallax_explain::{Demotion, Explanation, Place, Precision, Shown, TOP};
use parallax_text::{Span, clean};

/// Lines that are printed of lists that may be long.
const MOST: usize = 6;
/// Leading bits lost from which on a sum is worth a line.
const LOST: u32 = 8;
/// Ratio of errors from which on an instruction is worth a line.
const CONDITION: f64 = 16.0;

fn count(n: u64, of: u64) -> String {
    format!("{n} of {of}")
}

pub(super) fn text(program: &Program, found: &Explanation, top: usize, term: &Term) -> String {
    let (width, height) = found.size;
    let title = format!("{}: {} against {}, {width}x{height}", clean(&program.name), found.model, found.against);
    let mut out = format!("{}\n", term.paint(Paint::Bold, &title));
    let whole = &found.whole;
    match whole.changed {
        0 => out.push_str(&format!("  no {} differs\n", found.shown.one())),
        _ => {
            // What is no colour looks like nothing.
            let seen = match found.shown {
                Shown::Pixels => format!(", {} look different", whole.visible),
                _ => String::new(),
            };
            let worst = found.worst.map_or(String::new(), |(x, y)| format!("; the largest difference is at {x},{y}"));
            out.push_str(&format!(
                "  {} {} differ{seen}; {} special values differ{worst}\n",
                count(whole.changed, whole.pixels),
                found.shown.many(),
                whole.special,
            ));
        }
    }
    vertices(&mut out, found);
    around(&mut out, found);
    if found.worst.is_none() {
        findings(&mut out, found);
        digits(&mut out, found, term);
        return out + "\n";
    }
    if found.unlike > 0 {
        out.push_str(&format!(
            "  {} of them have other results in the containers of both arithmetics, so their figures are approximate\n",
            count(found.unlike, found.pixels.len() as u64)
        ));
    }
    if found.ranking.instructions.is_empty() {
        out.push_str("  no single instruction makes a difference in what was examined\n");
    } else {
        out.push_str(&format!(
            "  exchanged one by one in {} {}: `fixed` disappears under {}, `caused` appears under {} alone\n\n",
            found.pixels.len(),
            found.shown.many(),
            found.against,
            found.model
        ));
        ranking(&mut out, program, found, top, term);
    }
    findings(&mut out, found);
    digits(&mut out, found, term);
    out + "\n"
}

/// What the vertex program has to do with it.
fn vertices(out: &mut String, found: &Explanation) {
    let Some(vertices) = &found.vertices else { return };
    let inputs: Vec<String> = vertices.inputs.iter().map(|(name, n)| format!("{} in {n}", clean(name))).collect();
    let inputs = if inputs.is_empty() { String::new() } else { format!("; inputs that differ: {}", inputs.join(", ")) };
    out.push_str(&format!(
        "  {}{inputs}\n  what follows is about the fragment program over the vertices of {}\n",
        words::vertices(vertices),
        found.against,
    ));
}

/// What fixed functions around the shader have to do with it.
fn around(out: &mut String, found: &Explanation) {
    for around in &found.around {
        out.push_str(&format!("  {} ({}: {})\n", words::around(around), around.tier, around.source));
    }
    if !found.around.is_empty() {
        out.push_str(&format!("  what follows is about the shader with what {} has around it\n", found.against));
    }
}

fn ranking(out: &mut String, program: &Program, found: &Explanation, top: usize, term: &Term) {
    let many = format!(">{}", found.shown.many());
    let mut table = Table::new(&[">#", ">fixed", ">caused", &many, ">line", "instruction"]);
    let shown = found.ranking.instructions.iter().take(top);
    for (n, blame) in shown.clone().enumerate() {
        let paint = match blame.score() {
            s if s >= 0.5 => Paint::Red,
            s if s >= 0.1 => Paint::Yellow,
            _ => Paint::Plain,
        };
        let plain = |text: String| (Paint::Plain, text);
        table.row(vec![
            plain((n + 1).to_string()),
            (paint, share(blame.fixed)),
            plain(share(blame.caused)),
            plain(blame.pixels.len().to_string()),
            plain(at(&blame.place)),
            plain(clean(&blame.place.text)),
        ]);
    }
    out.push_str(&table.print(term, "  "));
    let left = found.ranking.instructions.len().saturating_sub(top);
    if left > 0 {
        out.push_str(&format!("  and {left} more (--top {})\n", found.ranking.instructions.len()));
    }
    for pair in &found.ranking.pairs {
        let [a, b] = pair.ranks;
        let alone: f64 = pair.ranks.iter().map(|r| found.ranking.instructions[r - 1].fixed).sum();
        out.push_str(&format!("  {a} and {b} fix {} together, {} one by one\n", share(pair.fixed), share(alone)));
    }
    let text = program.text();
    let origin = if text.is_empty() { Origin::binary(&program.name) } else { Origin::text(&program.name, text) };
    for (n, blame) in shown.enumerate().take(TOP) {
        let shown = blame.fields.iter().filter(|f| f.fixed.abs() >= 0.005 || f.caused.abs() >= 0.005).take(MOST);
        let notes: Vec<String> = shown.map(words::field).collect();
        if notes.is_empty() {
            continue;
        }
        let title = format!("number {}: {}", n + 1, blame.place.text);
        let remark = format!("fixed {}, caused {}", share(blame.fixed), share(blame.caused));
        out.push_str(&draw_place(&title, span(text, &blame.place), &remark, &notes, &origin, term.colour_out));
    }
}

/// The instruction in its text: to the end of the statement or of the line.
fn span(text: &str, place: &Place) -> Span {
    let start = place.offset as usize;
    let rest = text.get(start..).unwrap_or("");
    let statement = rest.split(['\n', ';']).next().unwrap_or("").trim_end();
    Span::new(start, start + statement.len().max(1))
}

/// Branches and special values.
fn findings(out: &mut String, found: &Explanation) {
    for flip in found.flips.iter().take(MOST) {
        out.push_str(&format!("  {}\n", clean(&words::flip(flip, found))));
    }
    for special in found.specials.iter().take(MOST) {
        let [born, ended] = words::special(special, found);
        out.push_str(&format!("  {}\n    {}\n", clean(&born), clean(&ended)));
    }
    out.push_str(&format!("  stability: {}\n", words::verdict(found)));
    let spread = found.stability.legal.outputs.iter().filter(|(_, most)| *most > 0.0);
    let spread: Vec<String> =
        spread.map(|(name, most)| format!("{} {}", clean(name), words::value(f64::from(*most as f32)))).collect();
    if !spread.is_empty() {
        out.push_str(&format!("    largest changes of numbers: {}\n", spread.join(", ")));
    }
}

/// Instructions that lose digits.
fn digits(out: &mut String, found: &Explanation, term: &Term) {
    let worth = |p: &&Precision| p.lost_bits >= LOST || p.condition >= CONDITION;
    let mut rows: Vec<&Precision> = found.precision.iter().filter(worth).collect();
    parallax_text::sort_by(&mut rows, |a, b| b.lost_bits.cmp(&a.lost_bits).then(b.condition.total_cmp(&a.condition)));
    if rows.is_empty() {
        return;
    }
    out.push_str("  where digits are lost:\n");
    let mut table = Table::new(&[">bits", ">error out/in", ">added ulp", "holds in", ">line", "instruction"]);
    for row in rows.iter().take(MOST) {
        let plain = |text: String| (Paint::Plain, text);
        table.row(vec![
            plain(row.lost_bits.to_string()),
            plain(format!("{:.1}", row.condition)),
            plain(format!("{:.2}", row.added_ulp)),
            plain(row.holds.name().into()),
            plain(at(&row.place)),
            plain(clean(&row.place.text)),
        ]);
    }
    out.push_str(&table.print(term, "    "));
}

/// How a source asks for a narrower format.
fn spelling(isa: &str, format: &str) -> String {
    let of_isa = parallax::frontend(isa).and_then(|frontend| (frontend.narrow)(format));
    let how = of_isa.unwrap_or(match format {
        "half" => "results declared mediump (GLSL), min16float (HLSL) or half (Metal)",
        _ => "results declared lowp (GLSL)",
    });
    format!("in the source: {how}")
}

pub(super) fn demotion(program: &Program, model: &str, found: &Demotion, term: &Term) -> String {
    let title = format!("{}: {model}, instructions that can be {}", clean(&program.name), found.format);
    let mut out = format!("{}\n", term.paint(Paint::Bold, &title));
    if found.demoted.is_empty() && found.kept.is_empty() {
        return out + &format!("  no instruction computes in a format wider than {}\n\n", found.format);
    }
    out.push_str(&format!(
        "  {} of {} instructions; with all of them, {} pixels change by more than 1/255\n",
        found.demoted.len(),
        found.demoted.len() + found.kept.len(),
        count(found.visible, found.pixels),
    ));
    if !found.demoted.is_empty() {
        let isa = program.loaded.as_ref().map_or("", |l| l.isa);
        out.push_str(&format!("  {}\n", spelling(isa, found.format)));
    }
    let mut table = Table::new(&["", ">line", "instruction", ""]);
    let mut rows: Vec<(&Place, Option<u64>)> =
        found.demoted.iter().map(|p| (p, None)).chain(found.kept.iter().map(|(p, n)| (p, Some(*n)))).collect();
    parallax_text::sort_by_key(&mut rows, |(place, _)| place.index);
    for (place, shown) in rows {
        let plain = |text: String| (Paint::Plain, text);
        let (paint, word) = match shown {
            None => (Paint::Green, found.format.to_string()),
            Some(_) => (Paint::Plain, "keep".into()),
        };
        let why = shown.map_or(String::new(), |n| format!("{n} pixels show it"));
        table.row(vec![(paint, word), plain(at(place)), plain(clean(&place.text)), plain(why)]);
    }
    out + &table.print(term, "  ") + "\n"
}
