//! The page of a report, and what it shows.

use crate::exit::Failure;
use crate::term::write_own;
use parallax_report::{Page, Report};
use rayon::prelude::*;
use std::path::Path;

/// Folders with files that a page shows; their names follow from their bytes.
const SHOWN: [&str; 2] = ["pictures", "pixels"];

/// Writes it. If no other process writes to the folder meanwhile (`alone`), files that only an earlier page showed go.
pub(super) fn write(folder: &Path, report: &Report, alone: bool) -> Result<(), Failure> {
    let Page { html, files } = parallax_report::html(report);
    for name in SHOWN {
        let path = folder.join(name);
        std::fs::create_dir_all(&path)
            .map_err(|e| Failure::invalid(format_args!("cannot create the folder `{}`: {e}", path.display())))?;
    }
    files.par_iter().try_for_each(|(name, bytes)| write_own(&folder.join(name), bytes))?;
    write_own(&folder.join("index.html"), html.as_bytes())?;
    if alone {
        remove_old(folder, &files);
    }
    Ok(())
}

/// Removes files of this program's naming that the page does not show. What cannot be removed stays.
fn remove_old(folder: &Path, files: &[(String, Vec<u8>)]) {
    let ours = |name: &str| {
        let stem = name.strip_suffix(".png").or(name.strip_suffix(".js")).unwrap_or("");
        stem.len() == 16 && stem.bytes().all(|b| b.is_ascii_hexdigit())
    };
    for shown in SHOWN {
        let entries = std::fs::read_dir(folder.join(shown)).into_iter().flatten().flatten();
        for entry in entries {
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = format!("{shown}/{name}");
            if ours(&name) && !files.iter().any(|(known, _)| *known == path) {
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }
}
