//! The folder of a report.

#[cfg(feature = "report")]
use super::page;
use crate::exit::Failure;
use crate::term::write_own;
use parallax_report::Report;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The file to begin with.
pub(super) const FIRST: &str = if cfg!(feature = "report") { "index.html" } else { "results.csv" };

/// Makes the folder, unless it holds a page that this program did not write and would overwrite.
pub(super) fn prepare(folder: &Path) -> Result<(), Failure> {
    let first = folder.join(FIRST);
    if first.symlink_metadata().is_ok() && !is_own(&first) {
        let message = format!(
            "`{}` is not a report of parallax and would be overwritten; choose another folder with --out, or remove it",
            first.display()
        );
        return Err(Failure::invalid(message));
    }
    std::fs::create_dir_all(folder)
        .map_err(|e| Failure::invalid(format_args!("cannot create the folder `{}`: {e}", folder.display())))
}

/// Whether this program wrote a page or a table.
fn is_own(path: &Path) -> bool {
    /// Bytes in which it would be seen.
    const HEAD: u64 = 1024;
    let mut head = Vec::new();
    let is_file = path.symlink_metadata().is_ok_and(|found| found.is_file());
    let is_read = is_file && File::open(path).and_then(|file| file.take(HEAD).read_to_end(&mut head)).is_ok();
    let text = String::from_utf8_lossy(&head);
    is_read && (text.contains("<title>parallax: ") || text.starts_with("schema,"))
}

/// Writes the results as data and, if it was built in, the page with what it shows. Another process that writes to the same
/// folder waits, so that what lies there is of one comparison.
pub(super) fn write(folder: &Path, report: &Report) -> Result<(), Failure> {
    // Not every system can open a folder, and not every file system lock: then the last one to write wins, file by file.
    let lock = File::open(folder).ok().filter(|folder| folder.lock().is_ok());
    write_own(&folder.join("results.jsonl"), parallax_report::jsonl(report).as_bytes())?;
    write_own(&folder.join("results.csv"), parallax_report::csv(report).as_bytes())?;
    write_own(&folder.join("pairs.csv"), parallax_report::pairs(report).as_bytes())?;
    write_columns(folder, &parallax_report::jsonl(report))?;
    write_page(folder, report, lock.is_some())
}

#[cfg(feature = "report")]
fn write_page(folder: &Path, report: &Report, alone: bool) -> Result<(), Failure> {
    page::write(folder, report, alone)
}

#[cfg(not(feature = "report"))]
fn write_page(_folder: &Path, _report: &Report, _alone: bool) -> Result<(), Failure> {
    Ok(())
}

/// Writes results.parquet, if it was built in.
#[cfg(feature = "parquet")]
fn write_columns(folder: &Path, jsonl: &str) -> Result<(), Failure> {
    let bytes =
        parallax_report::parquet(jsonl).map_err(|message| Failure::Stop(crate::exit::Exit::Internal, message))?;
    write_own(&folder.join("results.parquet"), &bytes)
}

#[cfg(not(feature = "parquet"))]
fn write_columns(_folder: &Path, _jsonl: &str) -> Result<(), Failure> {
    Ok(())
}
