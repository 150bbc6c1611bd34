//! The IR as a whole: random shaders print and read back, in every state; the filetests run every kind of op.

use parallax_core::text::{AnyShader, print, read, read_any};
use parallax_core::{Bound, Shader, verify};
use parallax_gen::shader;
use parallax_num::{Model, Op};
use parallax_opt::{NoObserver, canonicalise, optimise};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::path::Path;

fn reads_back(shader: &Shader<Bound>) -> Result<(), TestCaseError> {
    let text = print(shader);
    match read_any(&text, &|label| Model::parse(label).ok()) {
        Ok(AnyShader::Bound(again)) => {
            prop_assert_eq!(print(&again), text);
            prop_assert!(verify(&again).is_ok());
            prop_assert_eq!(&again.state.model, &shader.state.model);
            prop_assert_eq!(&again.state.storage, &shader.state.storage);
            Ok(())
        }
        other => Err(TestCaseError::fail(format!("{other:?}\n{text}"))),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_shaders_read_back(
        list in prop::collection::vec(any::<u32>(), 0..400),
        model in any::<prop::sample::Index>(),
    ) {
        let symbolic = shader(&list);
        let text = print(&symbolic);
        let again = read(&text).map_err(|diags| TestCaseError::fail(format!("{diags:?}\n{text}")))?;
        prop_assert_eq!(print(&again), &text[..]);
        prop_assert!(verify(&again).is_ok());

        let models = Model::builtins();
        let bound = canonicalise(symbolic).bind(model.get(&models));
        reads_back(&bound)?;
        reads_back(&optimise(bound, &mut NoObserver))?;
    }
}

/// Words of ops that are no arithmetic.
const OTHERS: [&str; 28] = [
    "lit",
    "select",
    "const",
    "const.at",
    "attr",
    "attr.at",
    "sample.position.x",
    "sample.position.y",
    "sys",
    "ddx",
    "ddx.fine",
    "ddy",
    "ddy.fine",
    "quad.xor",
    "quad.any",
    "quad.all",
    "tex",
    "load",
    "store",
    "out",
    "discard",
    "discard.samples",
    "if",
    "loop",
    "block",
    "yield",
    "break",
    "continue",
];

#[test]
fn filetests_run_every_kind_of_op() {
    let mut missing: BTreeSet<&str> = Op::ALL.iter().map(|row| row.name).chain(OTHERS).collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("filetests/run");
    for entry in std::fs::read_dir(folder).expect("the folder of run tests").flatten() {
        let source = std::fs::read_to_string(entry.path()).expect("a run test");
        let test = parallax_tests::filetest::FileTest::parse(&source).expect("a filetest");
        let shader = read(test.head).expect("a shader");
        shader.func.walk(|_, op| {
            missing.remove(shader.func.ops[op].kind.to_string().as_str());
        });
    }
    assert!(missing.is_empty(), "no run test has {missing:?}");
}
