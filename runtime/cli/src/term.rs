//! The terminal: colours, notes, tables, files and standard streams.

use crate::args::ColorArg;
use crate::exit::Failure;
use parallax_sweep::write_whole;
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

/// How to write to the user.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Term {
    /// Whether standard error takes colours.
    pub(crate) colour_err: bool,
    /// Whether standard output takes colours.
    pub(crate) colour_out: bool,
    /// Data and errors only.
    pub(crate) quiet: bool,
}

/// Colours used in tables.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Paint {
    Plain,
    Bold,
    Dim,
    Green,
    Yellow,
    Red,
    /// Of the word `warning`.
    Warning,
    /// Of the word `error`.
    Error,
}

/// Where a colour ends.
const END: char = '\u{fdef}';

/// Marks of colours in texts that are made here, and what a terminal gets for them. They are no characters that a text may have, so
/// that colours are told from escape sequences in names, which no terminal gets.
const MARKS: [(char, &str); 8] = [
    ('\u{fdd0}', "\u{1b}[1m"),
    ('\u{fdd1}', "\u{1b}[2m"),
    ('\u{fdd2}', "\u{1b}[32m"),
    ('\u{fdd3}', "\u{1b}[33m"),
    ('\u{fdd4}', "\u{1b}[31m"),
    ('\u{fdd5}', "\u{1b}[1;33m"),
    ('\u{fdd6}', "\u{1b}[1;31m"),
    (END, "\u{1b}[0m"),
];

impl Paint {
    fn mark(self) -> Option<char> {
        match self {
            Paint::Plain => None,
            Paint::Bold => Some(MARKS[0].0),
            Paint::Dim => Some(MARKS[1].0),
            Paint::Green => Some(MARKS[2].0),
            Paint::Yellow => Some(MARKS[3].0),
            Paint::Red => Some(MARKS[4].0),
            Paint::Warning => Some(MARKS[5].0),
            Paint::Error => Some(MARKS[6].0),
        }
    }

    /// A text in this colour.
    fn on(self, text: &str, has_colours: bool) -> String {
        match self.mark().filter(|_| has_colours) {
            Some(mark) => format!("{mark}{text}{END}"),
            None => text.to_string(),
        }
    }
}

impl Term {
    pub(crate) fn new(choice: ColorArg, quiet: bool) -> Term {
        let set = |name: &str| std::env::var_os(name).is_some_and(|v| !v.is_empty());
        let forced = std::env::var_os("CLICOLOR_FORCE").is_some_and(|v| !v.is_empty() && v != "0");
        let dumb = std::env::var_os("TERM").is_some_and(|v| v == "dumb");
        let decide = |terminal: bool| match choice {
            ColorArg::Always => true,
            ColorArg::Never => false,
            ColorArg::Auto if set("NO_COLOR") => false,
            ColorArg::Auto => forced || terminal && !dumb,
        };
        Term { colour_err: decide(io::stderr().is_terminal()), colour_out: decide(io::stdout().is_terminal()), quiet }
    }

    /// A line on standard error that `--quiet` drops.
    pub(crate) fn note(&self, text: &str) {
        if !self.quiet {
            self.error(text);
        }
    }

    /// `warning: text` on standard error; `--quiet` drops it.
    pub(crate) fn warn(&self, text: &str) {
        self.note(&format!("{}: {text}", Paint::Warning.on("warning", self.colour_err)));
    }

    /// A line on standard error. Nothing can be done when that is closed.
    pub(crate) fn error(&self, text: &str) {
        let _ = writeln!(io::stderr(), "{}", shown(text));
    }

    /// Drawn problems on standard error, whose colours are those of the library that draws them.
    pub(crate) fn error_text(&self, text: &str) {
        let _ = write!(io::stderr(), "{}", drawn(text));
    }

    /// `error: text` on standard error.
    pub(crate) fn fatal(&self, text: &str) {
        self.error(&format!("{}: {text}", Paint::Error.on("error", self.colour_err)));
    }

    /// Text for standard output in a colour.
    pub(crate) fn paint(&self, paint: Paint, text: &str) -> String {
        paint.on(text, self.colour_out)
    }
}

/// Writes to standard output.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(shown(text).as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Text as a terminal gets it: of control characters only line feeds and tabs are left, whoever wrote the names in it, and marks are
/// colours.
pub(crate) fn shown(text: &str) -> Cow<'_, str> {
    let sequence = |c: char| MARKS.iter().find(|(mark, _)| *mark == c).map(|(_, sequence)| *sequence);
    let is_bad = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    if !text.contains(|c| is_bad(c) || sequence(c).is_some()) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match sequence(c) {
            Some(sequence) => out.push_str(sequence),
            None => out.push(if is_bad(c) { '\u{fffd}' } else { c }),
        }
    }
    out.into()
}

/// The same of drawn problems: colours are left, too.
fn drawn(text: &str) -> Cow<'_, str> {
    let is_bad = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    let mut rest = text;
    let mut out = String::new();
    while let Some(at) = rest.find(is_bad) {
        let (before, from) = rest.split_at(at);
        let length = colour(from);
        out.push_str(before);
        out.push_str(if length == 0 { "\u{fffd}" } else { &from[..length] });
        rest = &from[length.max(from.chars().next().map_or(0, char::len_utf8))..];
    }
    if out.is_empty() && rest.len() == text.len() { text.into() } else { (out + rest).into() }
}

/// The length of the sequence that sets colours at the beginning of a text.
fn colour(text: &str) -> usize {
    let Some(rest) = text.strip_prefix("\u{1b}[") else { return 0 };
    let numbers = rest.find(|c: char| !c.is_ascii_digit() && c != ';').unwrap_or(rest.len());
    if rest[numbers..].starts_with('m') { 2 + numbers + 1 } else { 0 }
}

/// Whether a path stands for standard output: `-`, or a link or device that leads to the same file.
pub(crate) fn is_stdout(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let identity = |path: &Path| path.metadata().ok().map(|found| (found.dev(), found.ino()));
        let special = path.symlink_metadata().is_ok_and(|found| !found.is_file() && !found.is_dir());
        if special && identity(path).is_some_and(|found| Some(found) == identity(Path::new("/dev/stdout"))) {
            return true;
        }
    }
    path == Path::new("-")
}

/// Writes `bytes` to `path`, or to standard output for `-`. A file appears under its name only when it is complete.
pub(crate) fn write_to(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    write_in_parts(path, |out| out.write_all(bytes))
}

/// The same with what comes one after the other.
pub(crate) fn write_in_parts(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    if is_stdout(path) {
        let mut out = io::stdout().lock();
        write(&mut out)?;
        out.flush()?;
        return Ok(());
    }
    let fail = |e: io::Error| Failure::write(format_args!("`{}`", path.display()), &e);
    // Devices, pipes, and what links lead to are written in place.
    if path.symlink_metadata().is_ok_and(|found| !found.is_file()) {
        return File::create(path).and_then(|mut file| write(&mut file)).map_err(fail);
    }
    write_whole(path, |file| write(file)).map_err(fail)
}

/// Writes a file of a folder that this program fills. A link of its name is replaced, wherever it leads.
pub(crate) fn write_own(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    write_whole(path, |file| file.write_all(bytes))
        .map_err(|e| Failure::write(format_args!("`{}`", path.display()), &e))
}

/// Reads a file, or standard input for `-`.
pub(crate) fn read_from(path: &Path) -> io::Result<Vec<u8>> {
    // A shader may come through a pipe; who names one waits for it.
    if path == Path::new("-") {
        parallax::read_bounded(io::stdin().lock())
    } else {
        parallax::read_bounded(File::open(path)?)
    }
}

/// A table for reading: columns padded to equal width, two blanks between them.
#[derive(Debug, Default)]
pub(crate) struct Table {
    /// Whether each column stands at the right of its width.
    right: Vec<bool>,
    rows: Vec<Vec<(Paint, String)>>,
}

impl Table {
    /// A table with a header; a title that starts with `>` is aligned to the right.
    pub(crate) fn new(titles: &[&str]) -> Table {
        let right = titles.iter().map(|t| t.starts_with('>')).collect();
        let mut table = Table { right, rows: Vec::new() };
        table.rows.push(titles.iter().map(|t| (Paint::Dim, t.trim_start_matches('>').to_string())).collect());
        table
    }

    pub(crate) fn row(&mut self, cells: Vec<(Paint, String)>) {
        self.rows.push(cells);
    }

    pub(crate) fn print(&self, term: &Term, indent: &str) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        // A short row ends in a remark that may run on under the columns after it.
        let fits = |r: &&Vec<(Paint, String)>, c: usize| r.len() == columns || c + 1 < r.len();
        let width = |c: usize| {
            let cells = self.rows.iter().filter(|r| fits(r, c)).filter_map(|r| r.get(c));
            cells.map(|(_, text)| text.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let mut out = String::new();
        for row in &self.rows {
            let mut line = String::from(indent);
            for (c, (paint, text)) in row.iter().enumerate() {
                let blanks = " ".repeat(widths[c].saturating_sub(text.chars().count()));
                let last = c + 1 == row.len();
                if (!last || row.len() == columns) && self.right.get(c).copied().unwrap_or(false) {
                    line.push_str(&blanks);
                    line.push_str(&term.paint(*paint, text));
                } else {
                    line.push_str(&term.paint(*paint, text));
                    if !last {
                        line.push_str(&blanks);
                    }
                }
                if !last {
                    line.push_str("  ");
                }
            }
            out.push_str(line.trim_end());
            out.push('\n');
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_line_up() {
        let term = Term { colour_err: false, colour_out: false, quiet: false };
        let mut table = Table::new(&["model", ">ulp"]);
        table.row(vec![(Paint::Red, "ieee".into()), (Paint::Plain, "0.5".into())]);
        table.row(vec![(Paint::Plain, "nv-patent".into()), (Paint::Plain, "12".into())]);
        assert_eq!(table.print(&term, " "), " model      ulp\n ieee       0.5\n nv-patent   12\n");
    }

    #[test]
    fn only_colours_reach_a_terminal() {
        let plain = "a\tb\n";
        assert!(matches!(shown(plain), Cow::Borrowed(text) if text == plain));
        assert_eq!(shown(&Paint::Error.on("red", true)), "\u{1b}[1;31mred\u{1b}[0m");
        assert_eq!(Paint::Error.on("red", false), "red");
        assert_eq!(shown("\u{1b}[1;31mred\u{1b}[0m"), "\u{fffd}[1;31mred\u{fffd}[0m");
        assert_eq!(drawn("\u{1b}[1;31mred\u{1b}[0m"), "\u{1b}[1;31mred\u{1b}[0m");
        let hostile = "a\u{1b}]0;title\u{7}b\u{1b}[2Jc\u{9b}31md\u{1b}";
        for clean in [shown(hostile), drawn(hostile)] {
            assert_eq!(clean, "a\u{fffd}]0;title\u{fffd}b\u{fffd}[2Jc\u{fffd}31md\u{fffd}");
        }
    }

    #[test]
    fn files_appear_whole() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.bin");
        write_to(&path, b"one").unwrap();
        write_to(&path, b"two").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
        assert!(write_to(&dir.path().join("no/such/folder"), b"x").is_err());
    }
}
