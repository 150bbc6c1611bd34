//! Listings of binaries.

use super::program::{span, targets};
use super::sniff::order_of;
use super::{Instr, Order, codec};
use parallax_isa::{Coverage, Cut, Stream, Style, Unit, bytes_directive};
use parallax_lift::{Labelled, Listed, Listing};
use parallax_text::{Diag, Span};
use rustc_hash::{FxHashMap, FxHashSet};

/// How often each instruction form occurs in binaries, one line a form, and a line of sums.
pub fn coverage<'a>(binaries: impl IntoIterator<Item = &'a [u8]>) -> String {
    let codec = codec();
    let mut coverage = Coverage::new(codec);
    for bytes in binaries {
        order_of(None, bytes).stream().units(bytes).flatten().for_each(|unit| coverage.word(codec, unit.code));
    }
    coverage.report(codec)
}

/// Lists a binary, whatever is in it: one entry for an instruction with its constant.
pub fn list(bytes: &[u8], order: Order, style: Style) -> Listing {
    lines(bytes, &units(bytes, order), style).collect()
}

/// What stands at a place of a binary: an instruction, or what is wrong with it.
type Found = (Span, Result<Instr, Box<Diag>>);

/// What stands in a binary.
fn units(bytes: &[u8], order: Order) -> Vec<Found> {
    let codec = codec();
    let one = |unit: Result<Unit, Cut>| match unit {
        Ok(unit) => {
            let decoded = codec.decode(unit.code);
            let instr = decoded.map(|row| Instr { code: unit.code, row, offset: unit.offset as u32 });
            (span(&unit), instr.map_err(|reject| Box::new(codec.explain(unit.code, reject, span(&unit)))))
        }
        Err(cut) => (Span::new(cut.offset, bytes.len()), Err(Box::new(codec.explain_cut(cut)))),
    };
    order.stream().units(bytes).map(one).collect()
}

/// The lines of all that stands in a binary.
fn lines(bytes: &[u8], units: &[Found], style: Style) -> impl Iterator<Item = Listed> {
    let mut texts = codec().texts(style, |lines| {
        units
            .iter()
            .filter_map(|(_, unit)| unit.as_ref().ok())
            .for_each(|instr| lines.add(instr.row, &instr.shown(style)));
    });
    units.iter().map(move |(place, unit)| match unit {
        Ok(instr) => {
            let mut text = texts.next().unwrap_or_default();
            if style == Style::Exact && place.end as usize == bytes.len() && !instr.ends() {
                text.push_str(" ; noend");
            }
            Ok(text)
        }
        Err(diag) => Err((bytes_directive(&bytes[place.start as usize..place.end as usize]), diag.clone())),
    })
}

/// Lists a binary, whatever is in it, with labels for what branches lead to: instructions can then be added and taken away.
/// Branches that lead to no instruction of the file keep their slots. Without `exact`, bits that no operand stands for are left
/// out: compilers leave some in most instructions.
pub fn list_labels(bytes: &[u8], order: Order, exact: bool) -> Vec<Labelled> {
    let units = units(bytes, order);
    let starts: FxHashMap<u64, u32> =
        units.iter().map(|(place, _)| (u64::from(place.start) / 4, place.start / 16)).collect();
    let slot_of = |words: u64| starts.get(&words).copied();
    let named: FxHashSet<u32> = units
        .iter()
        .filter_map(|(_, unit)| unit.as_ref().ok())
        .flat_map(|instr| targets(codec(), instr))
        .filter_map(|(_, words)| slot_of(words))
        .collect();
    let entry = |((place, unit), line): (&Found, Listed)| {
        let jumps: Vec<(String, String)> = unit.as_ref().map_or(Vec::new(), |instr| {
            let found = targets(codec(), instr).filter_map(|(_, words)| slot_of(words));
            found.map(|slot| (slot.to_string(), format!("L{slot}"))).collect()
        });
        let line = line.map(|text| {
            let text = with_labels(&text, &jumps);
            if exact { text } else { without_bits(text) }
        });
        let label = named.contains(&(place.start / 16)).then(|| format!("L{}", place.start / 16));
        Labelled { label, bytes: place.start as usize..place.end as usize, line }
    };
    units.iter().zip(lines(bytes, &units, Style::Exact)).map(entry).collect()
}

/// A line without the annotation of bits that no operand stands for.
fn without_bits(mut text: String) -> String {
    if let Some(at) = text.find(" ; bits ") {
        let end = text[at + 3..].find(" ; ").map_or(text.len(), |end| at + 3 + end);
        text.replace_range(at..end, "");
    }
    text
}

/// A flow word with names in the place of slots. They are its last operands, in their order, behind a blank each; a count
/// before them may have the same digits.
fn with_labels(text: &str, jumps: &[(String, String)]) -> String {
    let (word, comment) = text.split_at(text.find(" ;").unwrap_or(text.len()));
    let (mut word, mut end) = (word.to_string(), word.len());
    for (slot, label) in jumps.iter().rev() {
        let stands = |at: usize| word.as_bytes().get(at + slot.len()).is_none_or(|b| matches!(b, b',' | b' '));
        let digits = format!(" {slot}");
        let found = word[..end].rmatch_indices(&digits).map(|(blank, _)| blank + 1).find(|&at| stands(at));
        let Some(at) = found else { continue };
        word.replace_range(at..at + slot.len(), label);
        end = at - 1;
    }
    word + comment
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_left_out_and_other_annotations_stay() {
        let without = |text: &str| without_bits(text.to_string());
        assert_eq!(without("MOVR R0, R1 ; end ; bits 0x4 0x48011c02"), "MOVR R0, R1 ; end");
        assert_eq!(without("MOVR R0, R1 ; bits 0x4 0x48011c02 ; noend"), "MOVR R0, R1 ; noend");
        assert_eq!(without("MOVR R0, R1 ; end"), "MOVR R0, R1 ; end");
    }

    /// The count was replaced, and the text could not be assembled.
    #[test]
    fn a_count_with_the_digits_of_a_slot_stays() {
        let jumps = |slots: &[u32]| -> Vec<(String, String)> {
            slots.iter().map(|slot| (slot.to_string(), format!("L{slot}"))).collect()
        };
        let rest = " ; bits 0x4 0x48011c02";
        for (text, slots, want) in [
            ("REP 0, 0 (TR1.xyxy)", &[0][..], "REP 0, L0 (TR1.xyxy)"),
            ("REP 10, 1", &[1], "REP 10, L1"),
            ("IF TR1.xyxy, 4, 4", &[4, 4], "IF TR1.xyxy, L4, L4"),
            ("IF TR1.xyxy, 3/4, 12", &[12], "IF TR1.xyxy, 3/4, L12"),
            ("CAL 2 (EQ.x)", &[2], "CAL L2 (EQ.x)"),
        ] {
            assert_eq!(with_labels(&format!("{text}{rest}"), &jumps(slots)), format!("{want}{rest}"));
        }
    }
}
