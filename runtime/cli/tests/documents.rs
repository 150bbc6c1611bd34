//! Every command in the README and the documents does what it says: it runs, exits with 0, answers no error, and prints what is
//! shown of its output.

#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

/// A command line of a document, and the lines that are shown of its output, if any are.
#[derive(Debug)]
struct Step {
    line: String,
    shown: Option<Vec<String>>,
}

/// The lines of all `sh` blocks of a text, and those behind a prompt in its `text` blocks, whose other lines are output.
fn steps(text: &str) -> Vec<Step> {
    let mut block = "";
    let mut found: Vec<Step> = Vec::new();
    for line in text.lines() {
        match (block, line.trim()) {
            ("", "```sh") => block = "sh",
            ("", "```text") => block = "text",
            (_, "```") => block = "",
            ("sh", line) if !line.is_empty() && !line.starts_with('#') => {
                found.push(Step { line: line.to_string(), shown: None });
            }
            ("text" | "prompt", trimmed) => {
                if let Some(command) = trimmed.strip_prefix("$ ") {
                    found.push(Step { line: command.to_string(), shown: Some(Vec::new()) });
                    block = "prompt";
                } else if block == "prompt"
                    && let Some(Step { shown: Some(shown), .. }) = found.last_mut()
                {
                    shown.push(line.trim_end().to_string());
                } else {
                    // An excerpt without a command.
                    block = "other";
                }
            }
            _ => {}
        }
    }
    found
}

/// Command lines whose output is not shown.
fn commands(text: &str) -> Vec<String> {
    steps(text).into_iter().filter(|step| step.shown.is_none()).map(|step| step.line).collect()
}

/// The first line that is shown and was not printed, or the other way round. `...` stands for any lines, and at the end of a line
/// for the rest of it.
fn unlike(shown: &[String], printed: &str) -> Option<String> {
    let mut lines = printed.trim_end().lines().map(str::trim_end);
    let is = |shown: &str, line: &str| match shown.strip_suffix("...") {
        Some(begin) => line.starts_with(begin),
        None => line == shown,
    };
    let mut skips = false;
    for shown in shown {
        if shown.trim() == "..." {
            skips = true;
            continue;
        }
        let found =
            if skips { lines.find(|line| is(shown, line)) } else { lines.next().filter(|line| is(shown, line)) };
        if found.is_none() {
            return Some(format!("it does not print `{shown}`"));
        }
        skips = false;
    }
    lines.next().filter(|_| !skips).map(|line| format!("it also prints `{line}`"))
}

/// The command as it is run here: by the binary under test, and small where the document draws a lot.
fn adapted(line: &str) -> Option<String> {
    match line.strip_prefix("cargo run --release -- ") {
        Some("compare") => Some("parallax compare --size 8x8 --models ieee,nv40".into()),
        Some(rest) => Some(format!("parallax {rest}")),
        // The test command itself; `the_test_command_is_what_ci_runs` covers it. Installing: `the_install_line_names_the_command`.
        None if line.starts_with("cargo ") => None,
        None if line == "parallax compare" => Some("parallax compare --size 8x8 --models ieee,nv40".into()),
        None => Some(line.into()),
    }
}

/// How many pictures of the documents were drawn in a folder; each of them is the one that is shown. With `PARALLAX_BLESS=1` it
/// becomes the one that is shown.
fn shown_as_drawn(root: &Path, folder: &Path) -> usize {
    let entries = std::fs::read_dir(root.join("docs/images")).expect("pictures").flatten();
    let pairs = entries.map(|entry| (entry.path(), folder.join(entry.file_name())));
    let drawn: Vec<_> = pairs.filter(|(_, drawn)| drawn.is_file()).collect();
    for (shown, drawn) in &drawn {
        if std::env::var_os("PARALLAX_BLESS").is_some() {
            std::fs::copy(drawn, shown).expect("a picture");
        }
        let bytes = |path: &Path| std::fs::read(path).expect("a picture");
        assert!(bytes(shown) == bytes(drawn), "{}", shown.display());
    }
    drawn.len()
}

#[test]
fn every_documented_command_runs() {
    let root = root();
    let mut documents = vec![root.join("README.md")];
    let docs = std::fs::read_dir(root.join("docs")).expect("docs");
    documents.extend(docs.filter_map(|e| Some(e.ok()?.path())).filter(|p| p.extension().is_some_and(|e| e == "md")));
    documents.sort();
    let binary = Path::new(env!("CARGO_BIN_EXE_parallax"));
    let path = std::env::join_paths(
        std::iter::once(binary.parent().expect("a folder").to_path_buf())
            .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())),
    )
    .expect("a search path");
    let (mut count, mut shown) = (0, 0);
    for document in documents {
        // Commands write where they are started, and name files from the root of the repository.
        let dir = tempfile::tempdir().expect("a folder");
        for name in ["corpus", "docs", "tests"] {
            std::os::unix::fs::symlink(root.join(name), dir.path().join(name)).expect("a link");
        }
        let text = std::fs::read_to_string(&document).expect("a document");
        for Step { line, shown: printed } in steps(&text) {
            let Some(command) = adapted(&line) else { continue };
            let command = if printed.is_some() { format!("{{ {command}\n}} 2>&1") } else { command };
            let output = Command::new("sh")
                .args(["-c", &command])
                .current_dir(dir.path())
                .env("PATH", &path)
                .output()
                .expect("a shell");
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{}: `{line}`: {}\n{stderr}", document.display(), output.status);
            // `eval` exits with 0 whatever its answers are.
            let stdout = String::from_utf8_lossy(&output.stdout);
            assert!(!stdout.contains(r#""ok":false"#), "{}: `{line}` answers\n{stdout}", document.display());
            let wrong = printed.and_then(|lines| unlike(&lines, &stdout));
            assert!(wrong.is_none(), "{}: `{line}`: {}\n{stdout}", document.display(), wrong.unwrap_or_default());
            count += 1;
        }
        shown += shown_as_drawn(&root, dir.path());
    }
    assert!(count >= 15, "{count}");
    assert!(shown >= 4, "{shown}");
}

#[test]
fn output_is_held_against_what_is_shown() {
    let text = "```text\n$ a b\none\n...\n  thr...\n$ c\n```\n```text\nnot a command\n$ nor this\n```\n```sh\nd\n```\n";
    let found = steps(text);
    let lines: Vec<&str> = found.iter().map(|step| step.line.as_str()).collect();
    assert_eq!(lines, ["a b", "c", "d"]);
    assert_eq!(commands(text), ["d"]);
    let shown = found[0].shown.as_deref().expect("output");
    assert_eq!(unlike(shown, "one\ntwo\n  three\n\n"), None);
    assert_eq!(unlike(shown, "one\n  three  \n"), None);
    assert!(unlike(shown, "two\n  three\n").is_some_and(|text| text.contains("`one`")));
    assert!(unlike(shown, "one\ntwo\n").is_some_and(|text| text.contains("thr")));
    assert!(unlike(shown, "one\n  three\nfour\n").is_some_and(|text| text.contains("also prints `four`")));
    assert!(found[1].shown.as_deref().is_some_and(|none| unlike(none, "").is_none() && unlike(none, "x").is_some()));
}

#[test]
fn the_install_line_names_the_command() {
    let readme = std::fs::read_to_string(root().join("README.md")).expect("README.md");
    let install =
        commands(&readme).into_iter().find(|line| line.starts_with("cargo install")).expect("an install line");
    let folder = install.strip_prefix("cargo install --path ").expect("a path");
    let manifest = std::fs::read_to_string(root().join(folder).join("Cargo.toml")).expect("a package");
    assert!(manifest.contains("[[bin]]\nname = \"parallax\""), "{manifest}");
}

/// The programs shown side by side are those of the corpus, and both give one picture.
#[test]
fn the_readme_shows_the_corpus() {
    let readme = std::fs::read_to_string(root().join("README.md")).expect("README.md");
    let shown: Vec<&str> = readme.split("<pre>\n").skip(1).filter_map(|part| part.split("</pre>").next()).collect();
    assert_eq!(shown.len(), 2);
    for (program, name) in shown.iter().zip(["attila/ulp_rings.attila", "tgsi/ulp_rings.tgsi"]) {
        let file = parallax_corpus::get(name).and_then(|f| f.text()).expect("a program of the corpus");
        // An empty line would end the table.
        let lines: Vec<&str> = file.lines().filter(|line| !line.is_empty()).collect();
        let shown: Vec<&str> = program.lines().collect();
        assert!(lines.ends_with(&shown), "{name}");
    }
    let picture =
        |isa: &str| std::fs::read(root().join(format!("docs/images/ulp_rings_{isa}.png"))).expect("a picture");
    assert_eq!(picture("attila"), picture("tgsi"));
}

#[test]
fn the_test_command_is_what_ci_runs() {
    let readme = std::fs::read_to_string(root().join("README.md")).expect("README.md");
    let test = commands(&readme).into_iter().find(|line| line.starts_with("cargo test")).expect("a test command");
    let script = std::fs::read_to_string(root().join(".ci/run")).expect(".ci/run");
    assert!(script.lines().any(|line| line.strip_prefix("step ") == Some(&test)), "`{test}` is not in .ci/run");
}
