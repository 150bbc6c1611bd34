//! The source of a program as a report shows it.

use crate::load::Program;
use parallax_core::Sources;
use parallax_text::LineMap;

/// Bytes of a listing.
const MOST: usize = 200_000;

/// The lines that instructions name: those of the text that was read, or those of the source it was compiled from where its
/// debug information has them. Of the latter only lines with instructions are known; the others are blank.
pub(super) fn listing(program: &Program) -> String {
    let shader = program.loaded.as_ref().and_then(|loaded| loaded.shader.as_ref());
    match shader.and_then(|shader| compiled_from(&shader.func.sources, program.text())) {
        Some(lines) => clean(&lines),
        None => clean(program.text()),
    }
}

/// The known lines of the source that a program was compiled from; `None` where lines are those of its own text.
fn compiled_from(sources: &Sources, text: &str) -> Option<String> {
    let map = LineMap::new(text);
    let mut lines: Vec<String> = Vec::new();
    for (_, source) in sources.iter() {
        let line = source.line as usize;
        if line == 0 || line > MOST || !text.is_empty() && map.line(source.offset) == source.line {
            continue;
        }
        if lines.len() < line {
            lines.resize(line, String::new());
        }
        lines[line - 1] = source.text.to_string();
    }
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// Without characters that a page or a terminal would take for more than text.
fn clean(text: &str) -> String {
    let mut end = text.len().min(MOST);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text[..end].chars().map(|c| if c.is_control() && !matches!(c, '\n' | '\t') { '\u{fffd}' } else { c }).collect()
}
