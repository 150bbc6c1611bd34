//! Checks of a table, run as ordinary tests of each frontend.

use crate::plan::Maker;
use crate::row::{Isa, Row, Table};
use crate::{code::Code, template};
use std::collections::BTreeMap;

/// Everything that is wrong with a table; empty for a sound one.
///
/// - Patterns have a width the table names. Two rows match the same word only if one is strictly narrower.
/// - Every operand bit belongs to a field, no field touches a constant or ignored bit, runs of a field do not overlap,
///   and two different fields share bits only if all bits of one are the other's, too: a target may take those of a source.
/// - Templates name every operand once, start with the mnemonic, and no two rows of a mnemonic have the same text.
/// - Rows have a sentence and a source; rows that are not refused have text.
pub fn check<I: Isa>(table: &Table<I>) -> Vec<String> {
    let mut wrong = Vec::new();
    let rows: Vec<&Row<I>> = table.rows().collect();
    for (n, &row) in rows.iter().enumerate() {
        let title = row.title();
        if !table.widths.contains(&row.pattern.width) {
            wrong.push(format!("{title}: pattern has {} bits, not one of {:?}", row.pattern.width, table.widths));
        }
        for other in &rows[..n] {
            let (a, b) = (&row.pattern, &other.pattern);
            if a.overlaps(b) && !a.narrower_than(b) && !b.narrower_than(a) {
                wrong.push(format!("{title} and {}: one word can match both", other.title()));
            }
        }
        check_fields(row, &mut wrong);
        check_text(row, &mut wrong);
        if row.doc.is_empty() || !row.doc.ends_with('.') {
            wrong.push(format!("{title}: needs a sentence that ends with a full stop"));
        }
        if row.source.is_empty() {
            wrong.push(format!("{title}: needs a source section"));
        }
    }
    let mut texts: BTreeMap<(&str, String), String> = BTreeMap::new();
    for &row in rows.iter().filter(|row| !row.text.is_empty()) {
        let Ok(template) = template::cut(row) else { continue };
        let key = (row.name, format!("{:?}", template.steps));
        if let Some(other) = texts.insert(key, row.title()) {
            wrong.push(format!("{} and {other}: the same text", row.title()));
        }
    }
    wrong
}

fn check_fields<I: Isa>(row: &Row<I>, wrong: &mut Vec<String>) {
    let title = row.title();
    let (mut covered, fields) = (0, row.fields());
    let free = Code::new(row.pattern.free, u128::MAX);
    for field in &fields {
        let mask = field.mask();
        if mask.0.iter().map(|limb| limb.count_ones()).sum::<u32>() != field.width() {
            wrong.push(format!("{title}: runs of field {} overlap", field.name));
        }
        if !mask.without(free).is_zero() {
            wrong.push(format!("{title}: field {} touches bits that are not operand bits", field.name));
        }
        let clash = fields.iter().find(|other| {
            let shared = other.mask().and(mask);
            !shared.is_zero() && shared != mask && shared != other.mask()
        });
        if let Some(other) = clash {
            wrong.push(format!("{title}: fields {} and {} share bits", field.name, other.name));
        }
        covered |= mask.word();
    }
    let bare = row.pattern.free & !covered;
    if bare != 0 {
        wrong.push(format!("{title}: operand bits {bare:#x} belong to no field"));
    }
}

fn check_text<I: Isa>(row: &Row<I>, wrong: &mut Vec<String>) {
    if row.text.is_empty() {
        if !matches!(row.meaning, crate::row::Meaning::Refused(_)) {
            wrong.push(format!("{}: needs text", row.title()));
        }
        return;
    }
    let planned = template::cut(row).and_then(|template| Maker::new().add_row(row, &template));
    wrong.extend(planned.err());
    for operand in row.operands {
        let uses = row.text.matches(&format!("{{{}}}", operand.name)).count();
        if uses != 1 {
            wrong.push(format!("{}: operand {} stands {uses} times in the text", row.title(), operand.name));
        }
    }
}
