//! Two texts of one program: which change between them makes the pictures differ. Changes are exchanged as instructions are under two
//! models: each in turn alone is taken back, and each alone is made.

use crate::scene::{Errors, spread};
use crate::shot::{Distance, Shot, pixels_of};
use crate::sides::prepared;
use crate::{QUADS, stage};
use parallax::{Control, Draw, Engine, Problems, Quads, apply_driver_rewrites};
use parallax_core::num::Model;
use parallax_core::{Shader, Symbolic};
use parallax_text::{Diag, Span};
use rayon::prelude::*;
use std::ops::Range;

/// Changes that are tried one by one; of more, neighbours are taken together.
const MOST: usize = 256;

/// Which of the two texts.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Version {
    /// The first one.
    Before,
    /// The second one.
    After,
}

/// A program and what it is drawn with.
pub type Drawn = (Shader<Symbolic>, Draw);

/// A change and what it does.
#[derive(Clone, Debug, PartialEq)]
pub struct Edit {
    /// Lines of the first text, from 0.
    pub before: Range<usize>,
    /// Lines of the second text that stand in their place.
    pub after: Range<usize>,
    /// Share of the difference that goes away when this change alone is taken back; `None` where the rest is no program then.
    pub fixed: Option<f64>,
    /// Share that appears when this change alone is made.
    pub caused: Option<f64>,
}

impl Edit {
    /// What edits are ranked by: the mean of the shares that are known, each between 0 and 1.
    pub fn score(&self) -> f64 {
        let known: Vec<f64> = [self.fixed, self.caused].into_iter().flatten().map(|v| v.clamp(0.0, 1.0)).collect();
        if known.is_empty() { 0.0 } else { known.iter().sum::<f64>() / known.len() as f64 }
    }
}

/// What was found about two texts.
#[derive(Clone, Debug, PartialEq)]
pub struct Edits {
    /// The difference of the pictures.
    pub whole: Distance,
    /// Column and row of the pixel with the largest difference.
    pub worst: Option<(u32, u32)>,
    /// What a difference is counted in.
    pub shown: stage::Shown,
    /// Changes that do something, the most first.
    pub edits: Vec<Edit>,
    /// Changes that do nothing to the picture.
    pub idle: usize,
}

/// Finds which changes between two texts make the difference. `read` gives the program of a text that stands for one of the two, with
/// what that is drawn with; `None` where it is no program. Each program runs under its model.
///
/// # Errors
/// What makes a draw impossible; `explain-size` for pictures of different sizes.
pub fn edits(
    texts: [&str; 2],
    models: [&Model; 2],
    read: &(dyn Fn(Version, &str) -> Option<Drawn> + Sync),
    engine: Engine,
    control: Control<'_>,
) -> Result<Edits, Problems> {
    let [before, after] = texts.map(|text| text.lines().collect::<Vec<&str>>());
    let original = |version, text| read(version, text).ok_or_else(|| unreadable("the text is no program"));
    let (first, second) = (original(Version::Before, texts[0])?, original(Version::After, texts[1])?);
    let size = |(shader, draw): &Drawn| {
        let draw = stage::sized(&shader.func, draw);
        (draw.width, draw.height)
    };
    if size(&first) != size(&second) {
        let [a, b] = [size(&first), size(&second)];
        return Err(unreadable(&format!("the pictures have {}x{} and {}x{} pixels", a.0, a.1, b.0, b.1)));
    }
    let (width, height) = size(&first);
    let quiet = Control { progress: None, only: None, ..control };
    let shown = stage::Shown::of(&first.0.func);
    let run = |(shader, draw): &Drawn, model: &Model, quads: Option<&Quads>| -> Result<Shot, Problems> {
        let draw = stage::sized(&shader.func, draw);
        let draw = draw.with_vertices(&shader.func.iface, model, engine)?;
        let compiled = prepared(apply_driver_rewrites(shader, model).bind(model), engine)?;
        let only = quads.filter(|_| !compiled.program.writes_memory());
        let frame = stage::frame(&compiled, &draw, Control { only, ..quiet })?;
        let all;
        let quads = match quads {
            Some(quads) => quads,
            None => {
                all = Quads::all(width, height);
                &all
            }
        };
        Ok(Shot::new(&frame, &pixels_of(quads, width, height)))
    };
    let [a, b] = models;
    let (expected, found) = rayon::join(|| run(&first, a, None), || run(&second, b, None));
    let (expected, found) = (expected?, found?);
    let everything = pixels_of(&Quads::all(width, height), width, height);
    let scales = expected.scales();
    if !expected.is_alike(&found) {
        return Err(unreadable("the two programs write different outputs"));
    }
    let whole = found.distance(&expected, &scales);
    let errors = Errors::new(&found, &expected, &scales, &everything);
    let worst = errors.worst();
    let mut quads = spread(&errors.quads_with(|at| errors.is_off(at)), QUADS, width, height);
    if let Some((x, y)) = worst {
        quads.insert(x, y);
    }
    let hunks = together(hunks(&before, &after));
    if whole.changed == 0 {
        return Ok(Edits { whole, worst, shown, edits: Vec::new(), idle: hunks.len() });
    }
    let picked = pixels_of(&quads, width, height);
    let at_picked = |shot: &Shot| shot.at(&picked, width, height);
    let (expected, found) = (at_picked(&expected), at_picked(&found));
    let total = found.distance(&expected, &scales);
    let share = |version: Version, text: String| -> Option<f64> {
        let program = read(version, &text)?;
        if size(&program) != (width, height) {
            return None;
        }
        let model = if version == Version::Before { a } else { b };
        let shot = run(&program, model, Some(&quads)).ok()?;
        let left = shot.is_alike(&expected).then(|| shot.distance(&expected, &scales).error)?;
        Some(1.0 - left / total.error.max(f64::MIN_POSITIVE))
    };
    let edits: Vec<Edit> = hunks
        .into_par_iter()
        .map(|(old, new)| {
            let undone = replaced(&after, new.clone(), &before[old.clone()]);
            let done = replaced(&before, old.clone(), &after[new.clone()]);
            // Under two models, texts alone do not make all of it.
            let fixed = share(Version::After, undone);
            let caused = share(Version::Before, done).map(|left| 1.0 - left);
            Edit { before: old, after: new, fixed, caused }
        })
        .collect();
    let does = |edit: &Edit| edit.fixed.is_none_or(|v| v != 0.0) || edit.caused.is_none_or(|v| v != 0.0);
    let (mut doing, idle): (Vec<Edit>, Vec<Edit>) = edits.into_iter().partition(does);
    parallax_text::sort_by(&mut doing, |a, b| b.score().total_cmp(&a.score()).then(a.after.start.cmp(&b.after.start)));
    Ok(Edits { whole, worst, shown, edits: doing, idle: idle.len() })
}

fn unreadable(message: &str) -> Problems {
    Problems::new(
        "",
        "",
        vec![Diag { span: None, ..Diag::invalid("explain-pair", Span::default(), message.to_string()) }],
    )
}

/// A text with some lines replaced.
fn replaced(lines: &[&str], which: Range<usize>, by: &[&str]) -> String {
    let mut out = [&lines[..which.start], by, &lines[which.end..]].concat().join("\n");
    out.push('\n');
    out
}

/// A change: lines of the one text, and those of the other one in their place.
type Hunk = (Range<usize>, Range<usize>);

/// Neighbours together, so that there are not too many.
fn together(hunks: Vec<Hunk>) -> Vec<Hunk> {
    let by = hunks.len().div_ceil(MOST).max(1);
    let all = |part: &[Hunk]| {
        let (first, last) = (&part[0], &part[part.len() - 1]);
        (first.0.start..last.0.end, first.1.start..last.1.end)
    };
    hunks.chunks(by).map(all).collect()
}

/// What differs between two lists of lines, by a longest common subsequence; lines that share words are a change of one line.
fn hunks(a: &[&str], b: &[&str]) -> Vec<Hunk> {
    let same = |x: &str, y: &str| x.split_whitespace().eq(y.split_whitespace());
    let head = a.iter().zip(b).take_while(|(x, y)| same(x, y)).count();
    let tail = a[head..].iter().rev().zip(b[head..].iter().rev()).take_while(|(x, y)| same(x, y)).count();
    let (old, new) = (&a[head..a.len() - tail], &b[head..b.len() - tail]);
    /// Lines times lines that are looked at: long texts that have little in common are one change.
    const LARGE: usize = 1 << 24;
    if old.len().saturating_mul(new.len()) > LARGE {
        return vec![(head..a.len() - tail, head..b.len() - tail)];
    }
    // Length of the longest common subsequence of what is left from here.
    let width = new.len() + 1;
    let mut longest = vec![0u32; (old.len() + 1) * width];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            longest[i * width + j] = match same(old[i], new[j]) {
                true => 1 + longest[(i + 1) * width + j + 1],
                false => longest[(i + 1) * width + j].max(longest[i * width + j + 1]),
            };
        }
    }
    let mut out = Vec::new();
    let (mut i, mut j) = (0, 0);
    while i < old.len() || j < new.len() {
        let (from_i, from_j) = (i, j);
        while (i < old.len() || j < new.len()) && !(i < old.len() && j < new.len() && same(old[i], new[j])) {
            let skips_old =
                j == new.len() || i < old.len() && longest[(i + 1) * width + j] >= longest[i * width + j + 1];
            if skips_old { i += 1 } else { j += 1 }
        }
        if (from_i, from_j) != (i, j) {
            out.extend(paired((from_i..i, from_j..j), old, new));
        }
        while i < old.len() && j < new.len() && same(old[i], new[j]) {
            (i, j) = (i + 1, j + 1);
        }
    }
    out.iter().map(|(x, y)| (x.start + head..x.end + head, y.start + head..y.end + head)).collect()
}

/// A change divided into lines that became other lines, by the words that they share, and lines that are new or gone.
fn paired((olds, news): Hunk, old: &[&str], new: &[&str]) -> Vec<Hunk> {
    /// Lines times lines that are looked at.
    const LARGE: usize = 1 << 12;
    let (rows, columns) = (olds.len(), news.len());
    if rows == 0 || columns == 0 || rows * columns > LARGE {
        return vec![(olds, news)];
    }
    // As many lines for as many others stay in their order.
    if rows == columns {
        return olds.zip(news).map(|(i, j)| (i..i + 1, j..j + 1)).collect();
    }
    let shared = |i: usize, j: usize| {
        let words: Vec<&str> = new[news.start + j].split_whitespace().collect();
        old[olds.start + i].split_whitespace().filter(|word| words.contains(word)).count() as u32
    };
    let width = columns + 1;
    let mut best = vec![0u32; (rows + 1) * width];
    for i in (0..rows).rev() {
        for j in (0..columns).rev() {
            let apart = best[(i + 1) * width + j].max(best[i * width + j + 1]);
            best[i * width + j] = apart.max(shared(i, j) + best[(i + 1) * width + j + 1]);
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut out: Vec<Hunk> = Vec::new();
    let mut rest = (olds.start..olds.start, news.start..news.start);
    let flush = |rest: &mut Hunk, out: &mut Vec<Hunk>, i: usize, j: usize| {
        if !(rest.0.is_empty() && rest.1.is_empty()) {
            out.push(rest.clone());
        }
        *rest = (i..i, j..j);
    };
    while i < rows && j < columns {
        let here = best[i * width + j];
        let (at_i, at_j) = (olds.start + i, news.start + j);
        if here > 0 && here == shared(i, j) + best[(i + 1) * width + j + 1] && shared(i, j) > 0 {
            flush(&mut rest, &mut out, at_i + 1, at_j + 1);
            out.push((at_i..at_i + 1, at_j..at_j + 1));
            (i, j) = (i + 1, j + 1);
        } else if here == best[(i + 1) * width + j] {
            i += 1;
            rest.0.end = olds.start + i;
        } else {
            j += 1;
            rest.1.end = news.start + j;
        }
    }
    (rest.0.end, rest.1.end) = (olds.end, news.end);
    flush(&mut rest, &mut out, olds.end, news.end);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_found_between_what_is_the_same() {
        let split = |text: &'static str| text.split(' ').collect::<Vec<_>>();
        let of = |a, b| hunks(&split(a), &split(b));
        assert_eq!(of("a b c", "a b c"), []);
        assert_eq!(of("a b c", "a x c"), [(1..2, 1..2)]);
        assert_eq!(of("a b c d", "a x y d"), [(1..2, 1..2), (2..3, 2..3)]);
        assert_eq!(of("a b c", "a c"), [(1..2, 1..1)]);
        assert_eq!(of("a c e", "a b c d e"), [(1..1, 1..2), (2..2, 3..4)]);
        assert_eq!(of("a b", "b a x"), [(0..1, 0..0), (2..2, 1..3)]);
        let lines = ["mul a b", "add c d"];
        let longer = ["mul a x", "# a remark", "add c y"];
        assert_eq!(hunks(&lines, &longer), [(0..1, 0..1), (1..1, 1..2), (1..2, 2..3)]);
        assert_eq!(replaced(&split("a b c"), 1..2, &["x", "y"]), "a\nx\ny\nc\n");
    }
}
