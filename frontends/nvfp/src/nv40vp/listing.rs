//! Listings of binaries.

use super::codec;
use super::fields::{SCALAR_OPCODE, TARGET, scalar};
use super::program::{BYTES, Instr, Words};
use crate::nv40::Order;
use parallax_isa::{Coverage, Cut, Stream, Style, Unit, bytes_directive};
use parallax_lift::{Labelled, Listed, Listing};
use parallax_text::{Diag, Span};
use rustc_hash::FxHashSet;
use std::ops::Range;

/// How often each instruction form occurs in binaries, one line a form, and a line of sums.
pub fn coverage<'a>(binaries: impl IntoIterator<Item = (&'a [u8], Order)>) -> String {
    let codec = codec();
    let mut coverage = Coverage::new(codec);
    for (bytes, order) in binaries {
        Words::of(order).units(bytes).flatten().for_each(|unit| coverage.word(codec, unit.code));
    }
    coverage.report(codec)
}

/// An instruction, or the text that stands for its words and what is wrong with them.
type Entry = Result<Instr, (String, Box<Diag>)>;

/// What stands in a binary: places, and instructions or lines that keep the bytes and what is wrong with them.
fn units(bytes: &[u8], order: Order) -> Vec<(Range<usize>, Entry)> {
    let codec = codec();
    let one = |unit: Result<Unit, Cut>| match unit {
        Ok(Unit { offset, len, code }) => {
            let place = offset..offset + len;
            let decoded = codec.decode(code).map(|row| Instr { code, row });
            let kept = |reject| {
                let diag = codec.explain(code, reject, Span::new(place.start, place.end));
                (bytes_directive(&code.word().to_le_bytes()), Box::new(diag))
            };
            (place.clone(), decoded.map_err(kept))
        }
        Err(cut) => {
            let kept = (bytes_directive(&bytes[cut.offset..]), Box::new(codec.explain_cut(cut)));
            (cut.offset..bytes.len(), Err(kept))
        }
    };
    Words::of(order).units(bytes).map(one).collect()
}

fn line(bytes: &[u8], place: &Range<usize>, unit: Entry, style: Style) -> Listed {
    unit.map(|instr| {
        let mut text = instr.text(style);
        if style == Style::Exact && place.end == bytes.len() && !instr.ends() {
            text.push_str(" ; noend");
        }
        text
    })
}

/// Lists a binary, whatever is in it.
pub fn list(bytes: &[u8], order: Order, style: Style) -> Listing {
    units(bytes, order).into_iter().map(|(place, unit)| line(bytes, &place, unit, style)).collect()
}

/// Where an instruction leads.
fn target(instr: &Instr) -> Option<u64> {
    let targeted = scalar::JUMPS & !(1 << scalar::RETURN);
    scalar::has(targeted, instr.get(&SCALAR_OPCODE)).then(|| instr.get(&TARGET))
}

/// Lists a binary, whatever is in it, with labels for what jumps lead to: instructions can then be added and taken away. Without
/// `exact`, bits that no operand stands for are left out.
pub fn list_labels(bytes: &[u8], order: Order, exact: bool) -> Vec<Labelled> {
    let units = units(bytes, order);
    // A cut end is nowhere to jump to.
    let count = (bytes.len() / BYTES) as u64;
    let targets = units.iter().filter_map(|(_, unit)| target(unit.as_ref().ok()?));
    let named: FxHashSet<u64> = targets.filter(|target| *target < count).collect();
    let entry = |(place, unit): (Range<usize>, Entry)| {
        let own = (place.start / BYTES) as u64;
        let leads = unit.as_ref().ok().and_then(target).filter(|target| named.contains(target));
        let mut line = line(bytes, &place, unit, Style::Exact);
        if let (Ok(text), Some(target)) = (&mut line, leads) {
            *text = with_label(text, target);
        }
        if let (Ok(text), false) = (&mut line, exact) {
            without_bits(text);
        }
        Labelled { label: named.contains(&own).then(|| format!("L{own}")), bytes: place, line }
    };
    units.into_iter().map(entry).collect()
}

/// A jump with a name in the place of a number: its last operand, behind a blank.
fn with_label(text: &str, target: u64) -> String {
    let (word, comment) = text.split_at(text.find(" ;").unwrap_or(text.len()));
    let (front, test) = word.split_at(word.rfind(" (").filter(|at| word[*at..].ends_with(')')).unwrap_or(word.len()));
    match front.strip_suffix(&format!(" {target}")) {
        Some(front) => format!("{front} L{target}{test}{comment}"),
        None => text.to_string(),
    }
}

/// Takes the annotation of bits that no operand stands for from a line.
fn without_bits(text: &mut String) {
    if let Some(at) = text.find(" ; bits ") {
        let end = text[at + 3..].find(" ; ").map_or(text.len(), |end| at + 3 + end);
        text.replace_range(at..end, "");
    }
}
