//! Bad input that no text file can hold; everything else is a filetest.

use crate::parse;
use parallax_text::LineMap;

#[test]
fn ends_of_texts_and_lines_are_located() {
    for (text, expected) in [
        ("", "tgsi-header@1:1"),
        ("FRAG", "tgsi-missing-end@1:5"),
        ("FRAG\nNOP", "tgsi-missing-end@2:4"),
        ("FRAG\r\nEND\r\n", "tgsi-carriage-return@1:5"),
    ] {
        let (program, diags) = parse(text);
        let place = LineMap::new(text).place(text, diags[0].span.unwrap().start);
        assert_eq!(format!("{}@{}:{}", diags[0].code, place.line, place.column), expected, "{text:?}");
        assert!(program.is_none() && diags.len() == 1, "{text:?}");
    }
}
