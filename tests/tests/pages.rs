//! What `docs/architecture.md` names exists.

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
