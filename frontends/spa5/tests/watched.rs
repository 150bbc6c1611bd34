//! Constants are watched by name, whether the program reads their bank or not.

use parallax_core::Stage;
use parallax_lift::{Layout, Options};
use parallax_spa5::{assemble, lift};

/// The banks that are declared, or what is wrong, of a program without instructions but its end.
fn watching(name: &str, stage: Option<Stage>) -> Result<usize, String> {
    let (program, diags) = assemble("EXIT\n", &Layout::default());
    let program = program.unwrap_or_else(|| panic!("{diags:?}"));
    let options = Options { watch: vec![name.into()], stage, ..Options::default() };
    let shader = lift(&program, &options).map_err(|diags| diags[0].message.clone())?;
    assert!(shader.func.iface.outputs.iter().any(|output| output.name == name), "{name}");
    Ok(shader.func.iface.banks.len())
}

#[test]
fn a_bank_that_nothing_reads_is_declared() {
    assert_eq!(watching("c[1][0x20]", None), Ok(2));
    assert_eq!(watching("c[0x1f][0xfffc]", None), Ok(32));
}

#[test]
fn what_no_bank_holds_does_not_exist() {
    for name in ["c[0][0x10000]", "c[0][2]", "c[32][0]", "c[0][0x100000000]", "c[0]"] {
        assert_eq!(watching(name, None), Err(format!("cannot watch `{name}`: it does not exist")));
    }
}

#[test]
fn words_that_the_driver_fills_are_refused_by_name() {
    let found = watching("c[0x0][0x50]", Some(Stage::Compute)).expect_err("nobody knows it");
    assert!(found.starts_with("cannot watch `c[0x0][0x50]`: the driver fills c[0x0][0x50]"), "{found}");
    // The sides of a workgroup are known.
    assert!(watching("c[0x0][0x8]", Some(Stage::Compute)).is_ok());
}
