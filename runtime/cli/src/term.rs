//! The terminal: colours, notes, tables, files and standard streams.

use crate::args::ColorArg;
use crate::exit::Failure;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

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
}

impl Paint {
    fn code(self) -> &'static str {
        match self {
            Paint::Plain => "",
            Paint::Bold => "\u{1b}[1m",
            Paint::Dim => "\u{1b}[2m",
            Paint::Green => "\u{1b}[32m",
            Paint::Yellow => "\u{1b}[33m",
            Paint::Red => "\u{1b}[31m",
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
        let (on, off) = if self.colour_err { ("\u{1b}[1;33m", "\u{1b}[0m") } else { ("", "") };
        self.note(&format!("{on}warning{off}: {text}"));
    }

    /// A line on standard error. Nothing can be done when that is closed.
    pub(crate) fn error(&self, text: &str) {
        let _ = writeln!(io::stderr(), "{text}");
    }

    /// Text on standard error as it is.
    pub(crate) fn error_text(&self, text: &str) {
        let _ = write!(io::stderr(), "{text}");
    }

    /// `error: text` on standard error.
    pub(crate) fn fatal(&self, text: &str) {
        let (on, off) = if self.colour_err { ("\u{1b}[1;31m", "\u{1b}[0m") } else { ("", "") };
        self.error(&format!("{on}error{off}: {text}"));
    }

    /// Text for standard output in a colour.
    pub(crate) fn paint(&self, paint: Paint, text: &str) -> String {
        if self.colour_out && paint != Paint::Plain {
            format!("{}{text}\u{1b}[0m", paint.code())
        } else {
            text.to_string()
        }
    }
}

/// Writes to standard output.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
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
    if is_stdout(path) {
        let mut out = io::stdout().lock();
        out.write_all(bytes)?;
        out.flush()?;
        return Ok(());
    }
    let fail = |e: io::Error| Failure::write(format_args!("`{}`", path.display()), &e);
    // Devices, pipes, and what links lead to are written in place.
    if path.symlink_metadata().is_ok_and(|found| !found.is_file()) {
        return std::fs::write(path, bytes).map_err(fail);
    }
    // Not the name itself with an ending: it may be as long as names can be.
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let part = path.with_file_name(format!(".parallax-{}-{number}.part", std::process::id()));
    let written = std::fs::write(&part, bytes).and_then(|()| std::fs::rename(&part, path));
    written.map_err(|e| {
        // The unfinished part is of no use; that it may stay behind changes nothing.
        let _ = std::fs::remove_file(&part);
        fail(e)
    })
}

/// Reads a file, or standard input for `-`.
pub(crate) fn read_from(path: &Path) -> io::Result<Vec<u8>> {
    if path == Path::new("-") { parallax::read_bounded(io::stdin().lock()) } else { parallax::read_file(path) }
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
