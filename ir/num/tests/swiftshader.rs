//! `swiftshader` against bits of the renderer itself: SwiftShader of Chromium 156 with Subzero on x86-64, recorded by
//! `runtime/vulkan/tests/swiftshader.rs` on 2026-11-27. NaN compares as NaN.

use parallax_num::{Model, Op, Slot, Storage, eval};

#[test]
fn results_are_those_of_the_renderer() {
    let model = Model::builtin("swiftshader").expect("a built-in model");
    let slot = Slot::parse("fp32").expect("a slot");
    let (mut count, mut wrong) = (0, Vec::new());
    for line in include_str!("swiftshader.tsv").lines() {
        let (name, words) = line.split_once('\t').expect("a name and words");
        let words: Vec<u64> = words.split('\t').map(|word| u64::from_str_radix(word, 16).expect("a word")).collect();
        let (expected, operands) = words.split_last().expect("a result");
        let op = Op::from_name(name).expect(name);
        let found = eval(op, &model.rule(op, &slot, Storage::F32).0, operands);
        let is_nan = |word: u64| f32::from_bits(word as u32).is_nan();
        count += 1;
        if found != *expected && !(is_nan(found) && is_nan(*expected)) {
            wrong.push(format!("{line}: {found:08x}"));
        }
    }
    assert_eq!(count, 20 * 24, "lines");
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
}
