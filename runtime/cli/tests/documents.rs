//! Every command in the README and the documents does what it says: it runs, exits with 0, and answers no error.

#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

/// Command lines of all `sh` blocks of a text.
fn commands(text: &str) -> Vec<String> {
    let mut inside = false;
    let mut found = Vec::new();
    for line in text.lines() {
        match line.trim() {
            "```sh" => inside = true,
            "```" => inside = false,
            line if inside && !line.is_empty() && !line.starts_with('#') => found.push(line.to_string()),
            _ => {}
        }
    }
    found
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

/// How many pictures of the documents were drawn in a folder; each of them is the one that is shown.
fn shown_as_drawn(root: &Path, folder: &Path) -> usize {
    let entries = std::fs::read_dir(root.join("docs/images")).expect("pictures").flatten();
    let pairs = entries.map(|entry| (entry.path(), folder.join(entry.file_name())));
    let drawn: Vec<_> = pairs.filter(|(_, drawn)| drawn.is_file()).collect();
    for (shown, drawn) in &drawn {
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
        for line in commands(&text) {
            let Some(command) = adapted(&line) else { continue };
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
            count += 1;
        }
        shown += shown_as_drawn(&root, dir.path());
    }
    assert!(count >= 15, "{count}");
    assert!(shown >= 4, "{shown}");
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
