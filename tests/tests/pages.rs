//! What `docs/architecture.md` names exists, what `docs/adding-an-isa.md` shows is the code, and `README.md` lists every page.

use std::path::Path;

#[test]
fn paths_of_the_architecture_page_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let page = std::fs::read_to_string(root.join("docs/architecture.md")).expect("the page");
    let named = page.split('`').skip(1).step_by(2).filter(|word| word.contains('/') && !word.contains("NAME"));
    let mut count = 0;
    for path in named {
        assert!(root.join(path).exists(), "{path} does not exist");
        count += 1;
    }
    assert!(count > 60, "{count}");
}

/// A comment in front of each excerpt names its file.
#[test]
fn excerpts_of_the_tutorial_are_the_code() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let page = std::fs::read_to_string(root.join("docs/adding-an-isa.md")).expect("the page");
    let mut count = 0;
    for (before, excerpt) in page.split("```rust\n").collect::<Vec<_>>().windows(2).map(|pair| (pair[0], pair[1])) {
        let mark =
            before.trim_end().rsplit('\n').next().and_then(|line| line.strip_prefix("<!-- ")?.strip_suffix(" -->"));
        let file = mark.expect("a comment that names the file");
        let code = std::fs::read_to_string(root.join(file)).expect(file);
        let (excerpt, _) = excerpt.split_once("```").expect("the end of the excerpt");
        assert!(code.contains(excerpt), "{file} does not hold\n{excerpt}");
        count += 1;
    }
    assert!(count > 10, "{count}");
}

/// `README.md` leads to every page.
#[test]
fn the_readme_lists_every_page() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let readme = std::fs::read_to_string(root.join("README.md")).expect("README.md");
    let (_, list) = readme.split_once("## Reading on").expect("the list of pages");
    let mut count = 0;
    for page in std::fs::read_dir(root.join("docs")).expect("docs").flatten() {
        let name = page.file_name().to_string_lossy().into_owned();
        if name.ends_with(".md") {
            assert!(list.contains(&format!("(docs/{name})")), "docs/{name} is not among the pages to read on");
            count += 1;
        }
    }
    assert!(count > 20, "{count}");
}
