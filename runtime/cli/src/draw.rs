//! Drawing of located problems: the source line with a caret, and how to mend it.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use parallax_text::{Diag, Span};

/// A file that problems refer to.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Origin<'a> {
    /// Name as printed.
    pub(crate) name: &'a str,
    /// Text; empty for binaries, whose problems are placed by byte offset alone.
    pub(crate) text: Option<&'a str>,
}

/// Draws one problem, ending in a line feed.
pub(crate) fn draw(diag: &Diag, origin: Origin<'_>, colour: bool) -> String {
    let level = if diag.is_error() { Level::ERROR } else { Level::WARNING };
    let title = clean(&diag.message);
    let title = level.primary_title(title).id(diag.code);
    let shown;
    let mut group = match (origin.text, diag.span) {
        (Some(text), Some(span)) => {
            shown = Shown::new(text);
            let mut snippet = Snippet::source(shown.text.as_str())
                .path(origin.name)
                .annotation(AnnotationKind::Primary.span(shown.range(span)));
            for label in &diag.labels {
                let range = shown.range(label.span);
                snippet = snippet.annotation(AnnotationKind::Context.span(range).label(clean(&label.text)));
            }
            title.element(snippet)
        }
        (None, Some(span)) => {
            let place = format!("{}: byte {:#x}", origin.name, span.start);
            title.element(Level::NOTE.no_name().message(place))
        }
        (_, None) => title.element(Level::NOTE.no_name().message(origin.name.to_string())),
    };
    for help in &diag.help {
        group = group.element(Level::HELP.message(clean(help)));
    }
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    let mut out = renderer.render(&[group]);
    out.push('\n');
    out
}

/// Text as it is drawn: control characters replaced one for one by what takes the same number of bytes, so that
/// offsets stay and no escape sequence reaches the terminal.
struct Shown {
    text: String,
}

impl Shown {
    fn new(text: &str) -> Shown {
        let text = text
            .chars()
            .map(|c| match c {
                '\n' | '\t' => c,
                c if c.is_ascii_control() => '?',
                c => c,
            })
            .collect();
        Shown { text }
    }

    /// The span as a range that lies inside the text on character borders.
    fn range(&self, span: Span) -> std::ops::Range<usize> {
        let border = |mut at: usize| {
            at = at.min(self.text.len());
            while !self.text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let start = border(span.start as usize);
        start..border(span.end as usize).max(start)
    }
}

/// One line without control characters.
fn clean(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(diag: &Diag, text: &str) -> String {
        draw(diag, Origin { name: "a.tgsi", text: Some(text) }, false)
    }

    #[test]
    fn a_problem_shows_its_line_and_a_caret() {
        let text = "FRAG\nMOW OUT[0], IN[0]\nEND\n";
        let diag = Diag::invalid("tgsi-opcode", Span::new(5, 8), "no opcode `MOW`").with_help("did you mean `MOV`?");
        assert_eq!(
            plain(&diag, text),
            "error[tgsi-opcode]: no opcode `MOW`\n --> a.tgsi:2:1\n  |\n2 | MOW OUT[0], IN[0]\n  | ^^^\n  |\n  = help: did you mean `MOV`?\n"
        );
    }

    #[test]
    fn no_span_and_no_text_break_it() {
        let texts = ["", "\n", "é", "a\r\n\tb\u{7f}\0", "\u{1b}[31mred", "x\u{2028}y", "e\u{301}\u{200b}", "last"];
        for text in texts {
            for start in 0..text.len() + 4 {
                for end in [start, start + 1, start + 9, text.len()] {
                    let mut diag = Diag::invalid("x", Span::new(start, end.max(start)), "bad\u{1b}[0m\nthing");
                    diag = diag.with_label(Span::new(0, start), "here").with_help("a\u{7}b");
                    let drawn = plain(&diag, text);
                    assert!(!drawn.contains('\u{1b}') && drawn.ends_with('\n'));
                }
            }
        }
        // Ends before it starts.
        let diag = Diag::invalid("x", Span { start: 3, end: 1 }, "odd");
        plain(&diag, "abcdef");
    }

    #[test]
    fn binaries_have_an_offset() {
        let diag = Diag::invalid("x", Span::new(0x30, 0x40), "reserved opcode");
        let drawn = draw(&diag, Origin { name: "a.bin", text: None }, false);
        assert!(drawn.contains("a.bin: byte 0x30"), "{drawn}");
    }
}
