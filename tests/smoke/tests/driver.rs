//! The driver as it is started by hand and in CI.

use std::process::{Command, Output};

fn driver(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_parallax-smoke")).args(args).output().expect("the driver starts")
}

#[test]
fn targets_are_driven_for_a_while() {
    let found = driver(&["0.05", "container"]);
    let text = String::from_utf8_lossy(&found.stderr);
    assert!(found.status.success(), "{text}");
    assert_eq!(
        text.lines().filter(|line| line.starts_with("container_") && line.ends_with(" runs")).count(),
        3,
        "{text}"
    );
}

#[test]
fn a_name_that_no_target_has_is_refused() {
    let found = driver(&["0.05", "containers"]);
    assert_eq!(found.status.code(), Some(2));
    assert_eq!(String::from_utf8_lossy(&found.stderr), "no target begins with `containers`\n");
}

#[test]
fn a_time_that_is_no_number_is_refused() {
    let found = driver(&["soon"]);
    assert_eq!(found.status.code(), Some(2));
    let text = String::from_utf8_lossy(&found.stderr);
    assert!(text.starts_with("expected a number of seconds: "), "{text}");
}
