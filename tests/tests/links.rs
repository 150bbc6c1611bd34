//! The documents: every relative link leads to a file, and to a heading where it names one.

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").to_path_buf()
}

fn documents(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        if path.is_dir() && !name.starts_with('.') && name != "target" {
            documents(&path, found);
        } else if name.ends_with(".md") {
            found.push(path);
        }
    }
}

/// Targets of `[text](target)` and `src="target"` outside of code.
fn links(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut code = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            code = !code;
        }
        // What stands between back quotes is shown, not followed.
        let prose: String = line.split('`').step_by(2).collect();
        if code || line.starts_with("    ") {
            continue;
        }
        for (open, close) in [("](", ')'), ("src=\"", '"'), ("href=\"", '"')] {
            out.extend(prose.split(open).skip(1).filter_map(|rest| Some(rest.split_once(close)?.0.to_string())));
        }
    }
    out
}

/// Names of the headings, as web pages make them.
fn headings(text: &str) -> Vec<String> {
    let name = |line: &str| -> String {
        let kept =
            line.to_lowercase().chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c)).collect::<String>();
        kept.replace(' ', "-")
    };
    text.lines().filter(|l| l.starts_with('#')).map(|l| name(l.trim_start_matches('#').trim())).collect()
}

#[test]
fn every_relative_link_leads_somewhere() {
    let mut files = Vec::new();
    documents(&root(), &mut files);
    assert!(files.len() > 8);
    let (mut count, mut dead) = (0, Vec::new());
    for file in &files {
        let text = std::fs::read_to_string(file).expect("a document");
        for link in links(&text).into_iter().filter(|link| !link.contains("://") && !link.starts_with("mailto:")) {
            count += 1;
            let (path, heading) = link.split_once('#').unwrap_or((&link, ""));
            let target = if path.is_empty() { file.clone() } else { file.with_file_name(path) };
            let there = match std::fs::read_to_string(&target) {
                Ok(text) if !heading.is_empty() => headings(&text).iter().any(|name| name == heading),
                _ => target.exists(),
            };
            if !there {
                dead.push(format!("{}: {link}", file.display()));
            }
        }
    }
    assert!(dead.is_empty(), "dead links: {dead:#?}");
    assert!(count > 10, "{count}");
}

#[test]
fn links_are_found_outside_of_code() {
    let text = "See [a](a.md#b-c) and ![p](p.png).\n```\n[no](no.md)\n```\n`[no](no.md)` <img src=\"i.svg\">\n";
    assert_eq!(links(text), ["a.md#b-c", "p.png", "i.svg"]);
    assert_eq!(headings("# Wide `words`, and more\n"), ["wide-words-and-more"]);
}
