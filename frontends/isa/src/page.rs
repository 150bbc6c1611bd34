//! The reference page.

use crate::code::Code;
use crate::codec::list;
use crate::field::Field;
use crate::row::{Isa, Meaning, Row, Table};
use std::fmt::Write;

/// The reference page of a table as Markdown: a summary table, then the families, one section a mnemonic.
pub fn page<I: Isa>(table: &Table<I>) -> String {
    let mut out = format!("# {}\n\n{}\n\n", table.title, table.about.trim());
    out.push_str("| instruction | form | what it does | status | confidence |\n|---|---|---|---|---|\n");
    for row in table.rows() {
        let status = match row.meaning {
            Meaning::Lift(_) => "lifted",
            Meaning::Unsupported(_) => "unsupported",
            Meaning::Refused(_) => "refused",
        };
        let confidence = row.confidence.name();
        // A bar would end the variable.
        let doc = row.doc.replace('|', "\\|");
        let _ = writeln!(out, "| `{}` | {} | {doc} | {status} | {confidence} |", row.name, row.form);
    }
    for family in table.families {
        let _ = write!(out, "\n## {}\n", family.title);
        let mut last = "";
        for row in family.rows {
            if row.name != last {
                let _ = write!(out, "\n### {}\n\n{}\n", row.name, row.doc);
                if !row.aliases.is_empty() {
                    let _ = write!(out, "\nAlso read as: {}.\n", row.aliases.join(", "));
                }
            }
            last = row.name;
            form(row, &mut out);
        }
    }
    out
}

fn form<I: Isa>(row: &Row<I>, out: &mut String) {
    out.push('\n');
    if !row.form.is_empty() {
        let _ = writeln!(out, "**{}**\n", row.form);
    }
    let mut syntax = row.text.to_string();
    for operand in row.operands {
        syntax = syntax.replace(&format!("{{{}}}", operand.name), I::syntax(operand.kind).notation);
    }
    if !syntax.is_empty() {
        let _ = writeln!(out, "    {syntax}\n");
    }
    let _ = writeln!(out, "Encoding, most significant bit first: `{}`\n", row.pattern.spelling());
    fields(row.fields(), out);
    match row.meaning {
        Meaning::Lift(_) => {}
        Meaning::Unsupported(reason) => {
            let _ = writeln!(out, "Not lifted: {reason}.\n");
        }
        Meaning::Refused(reason) => {
            let _ = writeln!(out, "Refused: {reason}.\n");
        }
    }
    let _ = writeln!(out, "Source: {} ({}).", row.source, row.confidence.name());
}

/// The table of fields; apart from [`form`], so that it is compiled once.
fn fields(mut rows: Vec<&'static Field>, out: &mut String) {
    parallax_text::sort_by_key(&mut rows, |field| field.pieces().iter().map(|bits| bits.lo).min());
    rows.dedup_by_key(|field| field.mask());
    if !rows.is_empty() {
        out.push_str("| field | bits | values |\n|---|---|---|\n");
        for field in rows {
            let bits: Vec<String> = field
                .pieces()
                .iter()
                .rev()
                .map(|b| {
                    let (place, lo) = if b.lo < Code::SIDE { ("", b.lo) } else { ("side ", b.lo - Code::SIDE) };
                    if b.len == 1 { format!("{place}{lo}") } else { format!("{place}{lo}-{}", lo + b.len - 1) }
                })
                .collect();
            let signed = if field.signed { ", signed" } else { "" };
            let _ = writeln!(out, "| {} | {} | {}{signed} |", field.name, bits.join(", "), list(field));
        }
        out.push('\n');
    }
}
