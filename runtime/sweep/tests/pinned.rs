//! Numbers that change only when the measurement does.

use parallax_num::{Decl, Model};
use parallax_sweep::{Against, Inputs, Plan, Progress, place_of, run_shard, version};

struct Silent;

impl Progress for Silent {
    fn advance(&self, _: u64) {}
}

/// FNV-1a of everything a small sweep counts.
fn digest(op: &str, decl: Decl, model: &str, inputs: Inputs) -> u64 {
    let plan = Plan {
        op: op.into(),
        format: decl.name().into(),
        model: model.into(),
        against: Against::Exact,
        inputs,
        profile: None,
        fingerprint: String::new(),
        version: String::new(),
    };
    let bound = plan.bind(&Model::parse(model).unwrap(), None).unwrap();
    let tally = run_shard(&plan, &bound, 1, 1, &Silent).unwrap();
    let text = serde_json::to_string(&tally).unwrap();
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |state, byte| (state ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

#[test]
fn a_changed_measurement_has_a_new_revision() {
    let around_one = |count| {
        let first = place_of(u64::from(1f32.to_bits()), Decl::F32) - count / 2;
        Inputs::Unary { first, last: first + count - 1 }
    };
    let pairs = Inputs::Stratified { per_cell: 1, random: 20_000, seed: 1 };
    let digests = [
        digest("add", Decl::F32, "ieee", pairs.clone()),
        digest("mul", Decl::F32, "maxwell", pairs),
        digest("exp2", Decl::F32, "maxwell[unit=none]@high", around_one(40_000)),
        digest("log2", Decl::F32, "nvfp@random:3", around_one(40_000)),
        digest("rsq", Decl::F16, "nv-patent@low", Inputs::all(Decl::F16)),
        digest("mad", Decl::F32, "attila", Inputs::Tuples { random: 5000, seed: 1 }),
    ];
    let pinned: [u64; 6] = [
        0xfe89_ba6c_acf7_2cbf,
        0x63cd_38cc_3a6f_e5d8,
        0x5411_a382_edd6_8c33,
        0x7791_ca7f_7769_93dd,
        0x7dc0_7363_a775_6de6,
        0xc6aa_8d03_e2a4_6fb4,
    ];
    assert_eq!(
        (digests.map(|d| format!("{d:#018x}")), version().rsplit('-').next()),
        (pinned.map(|d| format!("{d:#018x}")), Some("m4")),
        "the measurement changed: raise REVISION in src/lib.rs, and renew these numbers"
    );
}
