//! The folder of a report.

#[cfg(feature = "report")]
use super::page;
use crate::exit::Failure;
use crate::term::write_to;
use parallax_report::Report;
use std::fs::File;
use std::path::Path;

/// The file to begin with.
pub(super) const FIRST: &str = if cfg!(feature = "report") { "index.html" } else { "results.csv" };

/// Writes the results as data and, if it was built in, the page with what it shows. Another process that writes to the same
/// folder waits, so that what lies there is of one comparison.
pub(super) fn write(folder: &Path, report: &Report) -> Result<(), Failure> {
    // Not every system can open a folder, and not every file system lock: then the last one to write wins, file by file.
    let lock = File::open(folder).ok().filter(|folder| folder.lock().is_ok());
    write_to(&folder.join("results.jsonl"), parallax_report::jsonl(report).as_bytes())?;
    write_to(&folder.join("results.csv"), parallax_report::csv(report).as_bytes())?;
    write_to(&folder.join("pairs.csv"), parallax_report::pairs(report).as_bytes())?;
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
    write_to(&folder.join("results.parquet"), &bytes)
}

#[cfg(not(feature = "parquet"))]
fn write_columns(_folder: &Path, _jsonl: &str) -> Result<(), Failure> {
    Ok(())
}
