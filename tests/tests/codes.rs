//! Every code that a frontend gives to a problem occurs in a filetest.

use parallax_num::Model;
use std::collections::BTreeSet;
use std::path::Path;

/// Codes without a filetest.
const EXEMPT: &[(&str, &str)] = &[
    ("container-names", "needs names that are used over and over"),
    ("call-count", "needs thousands of calls"),
    ("call-depth", "needs deep nesting"),
    ("call-size", "needs a large program"),
    ("lift-size", "needs a large program"),
    ("long-program", "needs a large program"),
    ("nv40-length", "needs a large program"),
    ("nvfp-call-depth", "needs deep nesting"),
    ("nvfp-call-size", "needs a large program"),
    ("spirv-array-unsupported", "needs a variable of more scalars than any may have today"),
    ("spirv-blocks-unsupported", "needs a large program"),
    ("spirv-depth-unsupported", "needs deep nesting"),
    ("tgsi-depth-unsupported", "needs deep nesting"),
    ("tgsi-size", "needs gigabytes"),
    ("lift-open", "a bug of a frontend"),
    ("lift-types", "a bug of a frontend"),
    ("nvfp-lift", "a bug of the frontend"),
    ("tgsi-carriage-return", "needs carriage returns in the file"),
];

/// Words in quotes that look like codes and are none: options.
const OTHER_WORDS: &[&str] = &[
    "big-endian",
    "depth-range",
    "little-endian",
    "lookup-level",
    "mul-zero-wins",
    "shared-bytes",
    "signed-bytes",
    "twos-complement",
];

fn files(folder: &Path, extension: &str, found: &mut Vec<String>) {
    let mut entries: Vec<_> = std::fs::read_dir(folder).expect("a folder").flatten().map(|e| e.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            if !path.ends_with("tests") {
                files(&path, extension, found);
            }
        } else if path.extension().is_some_and(|e| e == extension) && !path.ends_with("tests.rs") {
            found.push(std::fs::read_to_string(path).expect("a text"));
        }
    }
}

/// Words of lower-case letters and at least one hyphen between two marks.
fn codes(text: &str, marks: [char; 2]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (at, _) in text.match_indices(marks[0]) {
        let rest = &text[at + 1..];
        let Some(end) = rest.find(marks[1]) else { break };
        let word = &rest[..end];
        let parts = || word.split('-');
        if parts().count() > 1 && parts().all(|p| !p.is_empty() && p.bytes().all(|b| b.is_ascii_lowercase())) {
            found.insert(word.to_string());
        }
    }
    found
}

#[test]
fn every_code_of_a_frontend_has_a_filetest() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut tests = Vec::new();
    files(&root.join("filetests"), "test", &mut tests);
    let tried: BTreeSet<String> = tests.iter().flat_map(|text| codes(text, ['[', ']'])).collect();
    let mut known = BTreeSet::new();
    for entry in std::fs::read_dir(root.join("../frontends")).expect("the frontends").flatten() {
        let mut sources = Vec::new();
        files(&entry.path().join("src"), "rs", &mut sources);
        for source in sources {
            // Unit tests stand at the end of a file.
            let code = source.split("#[cfg(test)]\nmod tests {").next().unwrap_or("");
            known.extend(codes(code, ['"', '"']));
        }
    }
    let exempt = |code: &str| {
        let is_model = Model::builtin(code).is_some();
        is_model || EXEMPT.iter().any(|(known, _)| *known == code) || OTHER_WORDS.contains(&code)
    };
    let missing: Vec<&String> = known.iter().filter(|code| !tried.contains(*code) && !exempt(code)).collect();
    assert!(missing.is_empty(), "no filetest has {missing:?}");
    assert!(known.len() > 70, "{known:?}");
    for (code, reason) in EXEMPT {
        assert!(!tried.contains(*code), "{code} has a filetest, though {reason}");
    }
}
