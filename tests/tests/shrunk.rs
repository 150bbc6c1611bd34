//! What a property test makes of a failure is a filetest: it reads, runs, and holds once its results are filled in.

use parallax_core::OpKind;
use parallax_gen::{Batch, choices, filetest, shader, shrink};
use parallax_num::Op;
use parallax_tests::filetest::FileTest;

#[test]
fn shrunk_shaders_are_filetests() {
    const SEEDS: u64 = 6;
    let mut tried = 0;
    for seed in 0..SEEDS {
        let made = shader(&choices(seed, 100));
        let batch = Batch::new(&choices(seed, 4000), &made.func.iface, 36).as_filetest();
        // As if sums were wrong where an attribute is not zero.
        let line = |batch: &Batch| batch.inputs(&made.func.iface);
        let (small, batch) = shrink(made.clone(), batch, &mut |shader, batch| {
            let mut sums = 0;
            shader.func.walk(|_, op| sums += usize::from(shader.func.ops[op].kind == OpKind::Num(Op::Add)));
            sums > 0 && line(batch).contains("in1.y=[")
        });
        let mut text = filetest(&small, "nv-patent", "Planted.", &batch);
        for _ in 0..2 {
            let test = FileTest::parse(&text).expect("a filetest");
            let found = test.actual().unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert!(found.starts_with("; run: ") && found.contains(" == o0.x="), "{found}");
            let filled = format!("{}{found}", test.head);
            tried += u64::from(filled == text);
            text = filled;
        }
    }
    // The second time nothing is left to fill in.
    assert_eq!(tried, SEEDS);
}
