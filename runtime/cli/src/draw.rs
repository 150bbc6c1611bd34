//! Drawing of located problems: the source line with a caret, and how to mend it.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use parallax_text::{Diag, LineMap, Span, clean, mark_len};

/// Most problems drawn for one file; the others are counted.
const MOST: usize = 100;
/// Lines and spans longer than this (bytes) are not drawn, only named.
const LONG: usize = 4000;

/// A file that problems refer to.
pub(crate) struct Origin<'a> {
    /// Name as printed.
    name: &'a str,
    /// Text; empty for binaries, whose problems are placed by byte offset alone.
    text: &'a str,
    /// Where lines start; the first behind a byte order mark.
    starts: Vec<usize>,
    map: LineMap,
    binary: bool,
}

impl<'a> Origin<'a> {
    /// A text.
    pub(crate) fn text(name: &'a str, text: &'a str) -> Origin<'a> {
        let starts = std::iter::once(mark_len(text)).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Origin { name, text, starts, map: LineMap::new(text), binary: false }
    }

    /// Bytes without text.
    pub(crate) fn binary(name: &'a str) -> Origin<'a> {
        Origin { binary: true, ..Origin::text(name, "") }
    }

    /// Number of the line that holds a byte, from 0.
    fn line(&self, at: usize) -> usize {
        self.starts.partition_point(|s| *s <= at).saturating_sub(1)
    }

    /// The nearest byte inside the text that starts a character or a line end.
    fn border(&self, at: u32) -> usize {
        let mut at = (at as usize).min(self.text.len());
        if matches!(self.text.as_bytes().get(at), None | Some(b'\n')) && self.text[..at].ends_with('\r') {
            at -= 1;
        }
        while !self.text.is_char_boundary(at) {
            at -= 1;
        }
        at
    }

    fn range(&self, span: Span) -> (usize, usize) {
        let start = self.border(span.start).max(self.starts[0]);
        (start, self.border(span.end).max(start))
    }

    /// A place inside of a window that begins at `from` and holds `len` bytes; `None` where it begins elsewhere. The end
    /// of a line is in no window: what stands there is drawn behind the line.
    fn inside(&self, span: Span, from: usize, len: usize) -> Option<std::ops::Range<usize>> {
        let (start, end) = self.range(span);
        (start >= from && start <= from + len).then(|| start - from..(end - from).min(len))
    }

    /// The lines around a problem as they are drawn, with their first line's number and byte; `None` when that would be
    /// too much to draw.
    fn window(&self, span: Span) -> Option<(String, usize, usize)> {
        let (start, end) = self.range(span);
        let (first, last) = (self.line(start), self.line(end.saturating_sub(1).max(start)));
        let from = self.starts[first];
        let to = self.starts.get(last + 1).map_or(self.text.len(), |next| next - 1);
        let text = self.text.get(from..to).filter(|text| text.len() <= LONG)?;
        let text = text.strip_suffix('\r').unwrap_or(text);
        // Control characters become what takes as many bytes, so that offsets stay and no escape sequence reaches the
        // terminal.
        let clean = |c: char| if c.is_ascii_control() && !matches!(c, '\n' | '\t') { '?' } else { c };
        Some((text.replace("\r\n", " \n").chars().map(clean).collect(), first + 1, from))
    }
}

/// Draws problems in order, ending in a line feed. Beyond [`MOST`] they are counted.
pub(crate) fn draw_all(diags: &[Diag], origin: &Origin<'_>, colour: bool) -> String {
    let mut out: String = diags.iter().take(MOST).map(|d| draw(d, origin, colour)).collect();
    if diags.len() > MOST {
        out.push_str(&format!("... and {} more problems in {}\n", diags.len() - MOST, clean(origin.name)));
    }
    out
}

/// Draws one problem, ending in a line feed.
pub(crate) fn draw(diag: &Diag, origin: &Origin<'_>, colour: bool) -> String {
    let level = if diag.is_error() { Level::ERROR } else { Level::WARNING };
    let title = level.primary_title(clean(&diag.message)).id(diag.code);
    let name = clean(origin.name);
    let window = diag.span.filter(|_| !origin.binary).and_then(|span| Some((span, origin.window(span)?)));
    let mut group = match (&window, diag.span) {
        (Some((span, (text, line, from))), _) => {
            let inside = |span| origin.inside(span, *from, text.len());
            let mut snippet = Snippet::source(text.as_str()).line_start(*line).path(name);
            if let Some(range) = inside(*span) {
                snippet = snippet.annotation(AnnotationKind::Primary.span(range));
            }
            for label in &diag.labels {
                if let Some(range) = inside(label.span) {
                    snippet = snippet.annotation(AnnotationKind::Context.span(range).label(clean(&label.text)));
                }
            }
            title.element(snippet)
        }
        (None, Some(span)) if origin.binary => {
            title.element(Level::NOTE.no_name().message(format!("{name}: byte {}", span.start)))
        }
        (None, Some(span)) => {
            let place = origin.map.place(origin.text, span.start);
            title.element(Level::NOTE.no_name().message(format!("{name}:{}:{}", place.line, place.column)))
        }
        (None, None) => title.element(Level::NOTE.no_name().message(name)),
    };
    for label in &diag.labels {
        let far = match &window {
            Some((_, (text, _, from))) => origin.inside(label.span, *from, text.len()).is_none(),
            None => true,
        };
        if far && !origin.binary {
            let place = origin.map.place(origin.text, label.span.start);
            let text = format!("{} (line {}, column {})", clean(&label.text), place.line, place.column);
            group = group.element(Level::NOTE.message(text));
        }
    }
    for help in &diag.help {
        group = group.element(Level::HELP.message(clean(help)));
    }
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    let mut out = renderer.render(&[group]);
    out.push('\n');
    out
}

/// Draws a place of a text as problems are drawn, with a remark at it and notes below; without text only those.
pub(crate) fn draw_place(
    title: &str,
    span: Span,
    remark: &str,
    notes: &[String],
    origin: &Origin<'_>,
    colour: bool,
) -> String {
    let name = clean(origin.name);
    let window = Some(span).filter(|_| !origin.binary).and_then(|span| origin.window(span));
    let heading = Level::NOTE.primary_title(clean(title));
    let mut group = match &window {
        Some((text, line, from)) => {
            let snippet = Snippet::source(text.as_str()).line_start(*line).path(name);
            let range = origin.inside(span, *from, text.len()).unwrap_or(0..text.len());
            heading.element(snippet.annotation(AnnotationKind::Primary.span(range).label(clean(remark))))
        }
        None => {
            heading.element(Level::NOTE.no_name().message(format!("{name}: byte {}: {}", span.start, clean(remark))))
        }
    };
    for note in notes {
        group = group.element(Level::NOTE.no_name().message(clean(note)));
    }
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    renderer.render(&[group]) + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(diag: &Diag, text: &str) -> String {
        draw(diag, &Origin::text("a.tgsi", text), false)
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
    fn a_problem_at_the_end_of_a_line_has_its_line_and_column() {
        let texts =
            ["mov o0,\nmov o0, i0\n", "mov o0,\n", "mov o0,", "mov o0,\r\nmov o0, i0\r\n", "mov o0,\r\n", "mov o0,\r"];
        for text in texts {
            // With two characters at the line's end either may be meant.
            let last = if text.contains('\r') { 8 } else { 7 };
            for at in 7..=last {
                let diag = Diag::invalid("syntax", Span::new(at, at + 1), "expected a source register");
                let drawn = plain(&diag, text);
                let wanted = ["--> a.tgsi:1:8\n", "1 | mov o0,\n  |        ^\n"];
                assert!(wanted.iter().all(|wanted| drawn.contains(wanted)), "{text:?}: {drawn}");
            }
        }
        // Lines inside of a problem end the same way.
        let drawn = plain(&Diag::invalid("x", Span::new(0, 6), "y"), "abc\r\nd\r\n");
        assert!(drawn.contains("abc") && !drawn.contains('?'), "{drawn}");
        let diag = Diag::invalid("syntax", Span::new(3, 4), "x").with_label(Span::new(3, 4), "here");
        assert!(plain(&diag, "abc\nd\n").contains("here"));
    }

    #[test]
    fn a_byte_order_mark_is_not_drawn() {
        let text = "\u{feff}MOW\n";
        for span in [Span::new(3, 6), Span::new(0, 6), Span::new(0, 0)] {
            let drawn = plain(&Diag::invalid("x", span, "bad"), text);
            assert!(drawn.contains("a.tgsi:1:1\n") && drawn.contains("1 | MOW\n  | ^"), "{drawn}");
        }
    }

    #[test]
    fn far_labels_become_notes() {
        let text = "FRAG\nDCL TEMP[0]\nMOV OUT[0], IN[0]\n";
        let diag = Diag::invalid("x", Span::new(17, 20), "bad").with_label(Span::new(5, 8), "declared here");
        assert!(plain(&diag, text).contains("= note: declared here (line 2, column 1)"), "{}", plain(&diag, text));
    }

    #[test]
    fn no_span_and_no_text_break_it() {
        let texts = [
            "",
            "\n",
            "é",
            "\u{feff}",
            "\u{feff}a\r\n",
            "a\r\n\tb\u{7f}\0",
            "\u{1b}[31mred",
            "x\u{2028}y",
            "e\u{301}\u{200b}",
            "last",
        ];
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
    fn long_lines_are_named_not_drawn() {
        let text = "x ".repeat(100_000);
        let diags: Vec<Diag> = (0..150).map(|n| Diag::invalid("x", Span::new(n * 2, n * 2 + 1), "bad")).collect();
        let drawn = draw_all(&diags, &Origin::text("a", &text), false);
        assert!(drawn.len() < 10_000);
        assert!(drawn.contains("a:1:3") && drawn.ends_with("... and 50 more problems in a\n"));
    }

    #[test]
    fn binaries_have_an_offset() {
        let diag = Diag::invalid("x", Span::new(0x30, 0x40), "reserved opcode");
        let drawn = draw(&diag, &Origin::binary("a.bin"), false);
        assert!(drawn.contains("a.bin: byte 48"), "{drawn}");
    }
}
