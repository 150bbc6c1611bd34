//! The folder of a report.

use crate::exit::Failure;
use crate::term::write_to;
use parallax_report::{Page, Report};
use std::fs::File;
use std::path::Path;

/// Folders with files that a page shows; their names follow from their bytes.
const BESIDE: [&str; 2] = ["pictures", "pixels"];

/// Writes the page, what it shows, and the results as data. Another process that writes to the same folder waits, so that
/// what lies there is of one comparison; files that only an earlier page showed go.
pub(super) fn write(folder: &Path, report: &Report) -> Result<(), Failure> {
    // Not every system can open a folder, and not every file system lock: then the last one to write wins, file by file.
    let lock = File::open(folder).ok().filter(|folder| folder.lock().is_ok());
    let Page { html, files } = parallax_report::html(report);
    for name in BESIDE {
        let path = folder.join(name);
        std::fs::create_dir_all(&path)
            .map_err(|e| Failure::invalid(format_args!("cannot make the folder `{}`: {e}", path.display())))?;
    }
    for (name, bytes) in &files {
        write_to(&folder.join(name), bytes)?;
    }
    write_to(&folder.join("results.jsonl"), parallax_report::jsonl(report).as_bytes())?;
    write_to(&folder.join("results.csv"), parallax_report::csv(report).as_bytes())?;
    write_to(&folder.join("pairs.csv"), parallax_report::pairs(report).as_bytes())?;
    write_columns(folder, &parallax_report::jsonl(report))?;
    write_to(&folder.join("index.html"), html.as_bytes())?;
    if lock.is_some() {
        remove_old(folder, &files);
    }
    Ok(())
}

/// Writes results.parquet, if it was built in.
#[cfg(feature = "parquet")]
pub(super) fn write_columns(folder: &Path, jsonl: &str) -> Result<(), Failure> {
    let bytes = parallax_report::parquet(jsonl).map_err(|message| Failure::Stop(Exit::Internal, message))?;
    write_to(&folder.join("results.parquet"), &bytes)
}

#[cfg(not(feature = "parquet"))]
pub(super) fn write_columns(_folder: &Path, _jsonl: &str) -> Result<(), Failure> {
    Ok(())
}

/// Removes files of this program's naming that the page does not show. What cannot be removed stays.
fn remove_old(folder: &Path, files: &[(String, Vec<u8>)]) {
    let ours = |name: &str| {
        let stem = name.strip_suffix(".png").or(name.strip_suffix(".js")).unwrap_or("");
        stem.len() == 16 && stem.bytes().all(|b| b.is_ascii_hexdigit())
    };
    for beside in BESIDE {
        let entries = std::fs::read_dir(folder.join(beside)).into_iter().flatten().flatten();
        for entry in entries {
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = format!("{beside}/{name}");
            if ours(&name) && !files.iter().any(|(known, _)| *known == path) {
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }
}
