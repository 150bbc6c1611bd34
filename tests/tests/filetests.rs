//! Runs every file under `filetests/`; see `parallax_tests::filetest`.

use libtest_mimic::{Arguments, Failed, Trial};
use parallax_tests::filetest::FileTest;
use parallax_tests::filetest::vendor::VendorTest;
use similar::TextDiff;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let bless = std::env::var_os("PARALLAX_BLESS").is_some_and(|v| v != "0");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("filetests");
    let mut files = Vec::new();
    collect(&root, &mut files);
    files.sort();
    let trials = files.into_iter().map(|file| {
        let name = file.strip_prefix(&root).unwrap_or(&file).with_extension("");
        Trial::test(name.to_string_lossy().into_owned(), move || run(&file, bless))
    });
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|e| e == "plx" || e == "test") {
            files.push(path);
        }
    }
}

fn run(file: &Path, bless: bool) -> Result<(), Failed> {
    let source = std::fs::read_to_string(file)?;
    let actual = if file.extension().is_some_and(|e| e == "test") {
        VendorTest::parse(&source)?.actual()?
    } else {
        let test = FileTest::parse(&source)?;
        format!("{}{}", test.head, test.actual()?)
    };
    if actual == source {
        return Ok(());
    }
    if bless {
        std::fs::write(file, actual)?;
        return Ok(());
    }
    let diff = TextDiff::from_lines(source.as_str(), actual.as_str());
    let text = diff.unified_diff().context_radius(3).header("expected", "actual").to_string();
    Err(format!("{text}\nPARALLAX_BLESS=1 accepts this").into())
}
