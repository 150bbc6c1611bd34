//! Bad input that no text file can hold; everything else is a filetest.

use crate::parse;
use parallax_text::LineMap;

#[test]
fn ends_of_texts_and_lines_are_located() {
    for (text, expected) in [
        ("", "tgsi-header@1:1"),
        ("FRAG", "tgsi-missing-end@1:5"),
        ("FRAG\nNOP", "tgsi-missing-end@2:4"),
        ("FRAG\r\n  MOV\r\nEND\r\n", "tgsi-register@2:6"),
    ] {
        let (program, diags) = parse(text);
        let place = LineMap::new(text).place(text, diags[0].span.unwrap().start);
        assert_eq!(format!("{}@{}:{}", diags[0].code, place.line, place.column), expected, "{text:?}");
        assert!(program.is_none() && diags.len() == 1, "{text:?}");
    }
}

#[test]
fn lines_may_end_in_a_carriage_return_and_a_line_feed() {
    let text = "FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 { 1.0, 2.0, 3.0, 4.0 }\n  0: MOV OUT[0], IMM[0]\n  1: END\n";
    let (unix, dos) = (parse(text).0.unwrap(), parse(&text.replace('\n', "\r\n")));
    assert_eq!(dos.1, []);
    let dos = dos.0.unwrap();
    assert_eq!(crate::print(&dos), crate::print(&unix));
    assert!(dos.instructions.iter().map(|i| i.line).eq([4, 5]));
}
