//! The rows are sound, and every word of every row keeps its bits through text.

use parallax_isa::{Coverage, Generator, Style, check};
use parallax_spa5::{Spa5, TABLE, codec};

#[test]
fn the_table_is_sound() {
    assert_eq!(check::<Spa5>(&TABLE), Vec::<String>::new());
}

/// Branches hold a distance and show an address: whole programs test them.
fn is_branch(row: &parallax_isa::Row<Spa5>) -> bool {
    row.fields().iter().any(|field| field.name == "target" && field.signed)
}

#[test]
fn every_row_keeps_its_bits_through_text() {
    let codec = codec();
    let mut generator = Generator::new(7);
    let mut coverage = Coverage::new(codec);
    for (id, row) in codec.rows().filter(|(_, row)| !is_branch(row)) {
        for n in 0..60 {
            let code = generator.word(codec, id, n % 2 == 1).expect("rows have words");
            coverage.word(codec, code);
            let text = codec.text(id, code, Style::Exact);
            let parsed = codec.read(&text, 0).unwrap_or_else(|diag| panic!("{text}: {}", diag.message));
            assert_eq!((parsed.code, parsed.end), (code, text.len()), "{} {text}", row.title());
            // The text of the vendor's tool leads to the canonical word, unless it leaves out what a NaN holds, or that F2F
            // takes the upper half of a source that is no half.
            let text = codec.text(id, code, Style::Vendor);
            let parsed = codec.read(&text, 0).unwrap_or_else(|diag| panic!("{text}: {}", diag.message));
            assert_eq!(parsed.row, id, "{text}");
            if !text.contains("NAN") {
                let hidden = if row.name == "F2F" { 1 << 41 } else { 0 };
                assert_eq!(parsed.code.word() | hidden, codec.canonical(id, code).word() | hidden, "{text}");
            }
        }
    }
    let report = coverage.report(codec);
    assert!(report.contains("0 words rejected"), "{report}");
}
