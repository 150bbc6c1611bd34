//! Small sweeps whose outcome is known, and what goes wrong on purpose.

use parallax_num::{Decl, Model, Op};
use parallax_sweep::{
    Against, BoundPlan, Inputs, Part, Plan, PlanError, Progress, SweepError, Tally, merge, place_of, read_part, run,
    run_shard, write_results,
};
use std::sync::atomic::{AtomicU64, Ordering};

struct Silent;

impl Progress for Silent {
    fn advance(&self, _: u64) {}
}

fn plan(op: &str, format: &str, model: &str, inputs: Inputs) -> Plan {
    Plan {
        op: op.into(),
        format: format.into(),
        model: model.into(),
        against: Against::Exact,
        inputs,
        profile: None,
        fingerprint: String::new(),
        version: "test".into(),
    }
}

fn bind(plan: &Plan) -> BoundPlan {
    let model = Model::parse(&plan.model).unwrap();
    let against = match &plan.against {
        Against::Exact => None,
        Against::Model(name) => Some(Model::parse(name).unwrap()),
    };
    plan.bind(&model, against.as_ref()).unwrap()
}

fn sweep(plan: &Plan) -> Tally {
    run_shard(plan, &bind(plan), 1, 1, &Silent).unwrap()
}

#[test]
fn every_half_is_rounded_correctly_under_ieee() {
    for op in ["rcp", "rsq", "sqrt", "exp2", "log2", "sin", "cos", "floor"] {
        let tally = sweep(&plan(op, "half", "ieee", Inputs::all(Decl::F16)));
        assert_eq!((tally.inputs, tally.correct), (65_536, 65_536), "{op}");
        assert!(tally.max_ulp() <= 0.5, "{op} {}", tally.max_ulp());
        assert_eq!((tally.special_mismatch, tally.not_monotonic), (0, 0), "{op}");
    }
}

#[test]
fn every_pair_of_s12_multiplies_within_half_a_step() {
    let tally = sweep(&plan("mul", "fx12", "ieee", Inputs::Pairs));
    assert_eq!(tally.inputs, 1 << 24);
    assert_eq!(tally.correct, 1 << 24);
    assert!(tally.max_ulp() <= 0.5);
}

#[test]
fn a_part_of_binary32_under_a_bounded_model_stays_inside_its_bound() {
    let first = place_of(u64::from(1f32.to_bits()), Decl::F32);
    let range = Inputs::Unary { first, last: first + 200_000 };
    let tally = sweep(&plan("exp2", "fp32", "nvfp@high", range.clone()));
    // The documents allow 2^-22 of the binade: two steps of binary32, and rounding.
    assert!(tally.max_ulp() > 1.0 && tally.max_ulp() <= 2.0, "{}", tally.max_ulp());
    let nearest = sweep(&plan("exp2", "fp32", "nvfp", range));
    assert_eq!(nearest.correct, nearest.inputs);
}

#[test]
fn special_values_are_counted_by_class() {
    let tally = sweep(&plan("rsq", "half", "nv-patent", Inputs::all(Decl::F16)));
    // The patent takes the magnitude of negative numbers, the exact function has none.
    assert!(tally.special_mismatch > 30_000, "{}", tally.special_mismatch);
    let summary_rows: u64 = tally.matrix.iter().sum();
    assert_eq!(summary_rows, 65_536);
}

#[test]
fn any_partition_gives_the_same_tally_and_the_same_files() {
    let first = place_of(u64::from(2f32.to_bits()), Decl::F32);
    let plan = plan("rcp", "fp32", "maxwell@random:3", Inputs::Unary { first, last: first + 700_000 });
    let bound = bind(&plan);
    let mut files = Vec::new();
    for total in [1, 3, 5] {
        let dir = tempfile::tempdir().unwrap();
        run(&plan, &bound, dir.path(), (1..=total).rev(), total, &Silent).unwrap();
        let (merged, tally) = merge(dir.path()).unwrap();
        write_results(dir.path(), &merged, &tally).unwrap();
        let read = |name: &str| std::fs::read_to_string(dir.path().join(name)).unwrap();
        files.push(["sweep.json", "sweep.csv", "special.csv", "sweep.jsonl", "sweep.svg"].map(read));
    }
    assert_eq!(files[0], files[1]);
    assert_eq!(files[0], files[2]);
    assert!(files[0][4].starts_with("<svg"));
}

/// Stops after some inputs.
struct Stops(AtomicU64, u64);

impl Progress for Stops {
    fn advance(&self, inputs: u64) {
        self.0.fetch_add(inputs, Ordering::Relaxed);
    }
    fn stop(&self) -> bool {
        self.0.load(Ordering::Relaxed) >= self.1
    }
}

#[test]
fn an_interrupted_sweep_keeps_finished_parts_and_goes_on() {
    let plan = plan("sqrt", "fp32", "ieee", Inputs::Unary { first: 1 << 31, last: (1 << 31) + 3_000_000 });
    let bound = bind(&plan);
    let dir = tempfile::tempdir().unwrap();
    let stops = Stops(AtomicU64::new(0), 1_500_000);
    let error = run(&plan, &bound, dir.path(), 1..=8, 8, &stops).unwrap_err();
    assert!(matches!(error, SweepError::Interrupted));
    let parts = || std::fs::read_dir(dir.path().join("parts")).unwrap().count();
    let kept = parts();
    assert!(kept > 0 && kept < 8, "{kept}");
    assert!(matches!(merge(dir.path()), Err(SweepError::Incomplete { .. })));
    run(&plan, &bound, dir.path(), 1..=8, 8, &Silent).unwrap();
    assert_eq!(merge(dir.path()).unwrap().1, sweep(&plan));
}

#[test]
fn mixed_and_damaged_parts_are_refused() {
    let inputs = Inputs::Unary { first: 0, last: 1000 };
    let one = plan("exp2", "half", "ieee", inputs.clone());
    let other = Plan { version: "other".into(), ..one.clone() };
    let bound = bind(&one);
    let dir = tempfile::tempdir().unwrap();
    run(&one, &bound, dir.path(), [1], 2, &Silent).unwrap();
    // The same folder for another sweep.
    let error = run(&other, &bound, dir.path(), [1], 2, &Silent).unwrap_err();
    assert!(error.to_string().contains("another sweep"), "{error}");
    run(&other, &bound, dir.path(), [2], 2, &Silent).unwrap();
    assert!(merge(dir.path()).unwrap_err().to_string().contains("another version"));
    std::fs::write(dir.path().join("parts/00002-of-00002.json"), "{").unwrap();
    assert!(merge(dir.path()).unwrap_err().to_string().contains("is not a part"));
    std::fs::write(dir.path().join("parts/00002-of-00002.json"), "{\"schema\":1}").unwrap();
    assert!(merge(dir.path()).unwrap_err().to_string().contains("has format version 1; this program reads version 3"));
    let error = run(&one, &bound, dir.path(), [3], 2, &Silent).unwrap_err();
    assert!(matches!(error, SweepError::Plan(PlanError::Shard { shard: 3, total: 2 })));
}

/// A folder with a whole sweep of three shards.
fn three_parts() -> (tempfile::TempDir, Plan) {
    let plan = plan("rcp", "half", "ieee", Inputs::all(Decl::F16));
    let dir = tempfile::tempdir().unwrap();
    run(&plan, &bind(&plan), dir.path(), 1..=3, 3, &Silent).unwrap();
    (dir, plan)
}

#[test]
fn changed_counts_are_not_believed() {
    let (dir, plan) = three_parts();
    let path = dir.path().join("parts/00001-of-00003.json");
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains("\"correct\":65536"));
    std::fs::write(&path, text.replace("\"correct\":65536", "\"correct\":65535")).unwrap();
    for error in [merge(dir.path()).unwrap_err(), run(&plan, &bind(&plan), dir.path(), [1], 3, &Silent).unwrap_err()] {
        let message = error.to_string();
        assert!(message.contains("00001-of-00003.json: is damaged: its checksum"), "{message}");
        assert!(message.contains("run shard 1 again"), "{message}");
    }
    std::fs::remove_file(&path).unwrap();
    run(&plan, &bind(&plan), dir.path(), 1..=3, 3, &Silent).unwrap();
    assert_eq!(merge(dir.path()).unwrap().1, sweep(&plan));
}

/// The checksum is no secret: counts must also fit each other and the plan.
#[test]
fn counts_that_contradict_each_other_are_not_believed() {
    let (dir, plan) = three_parts();
    let part = read_part(&dir.path().join("parts/00001-of-00003.json")).unwrap();
    type Change = (&'static str, fn(&mut Tally));
    let changes: [Change; 9] = [
        ("counts 65535 inputs, but the shard has 65536", |t| t.inputs -= 1),
        ("more correct results than inputs", |t| t.correct = u64::MAX),
        ("errors by magnitude", |t| t.magnitudes[3] += 1),
        ("errors by binade", |t| t.binades[7] += 1),
        ("special values", |t| t.matrix[0] += 1),
        ("below one ulp than errors", |t| t.faithful = t.measured + 1),
        ("more errors than results", |t| t.special_mismatch = u64::MAX),
        ("an input that the sweep does not have", |t| t.first_not_monotonic = Some(1 << 16)),
        ("its lists have the wrong length", |t| t.matrix.push(0)),
    ];
    for (what, change) in changes {
        let mut tally = part.tally.clone();
        change(&mut tally);
        let other = Part::new(plan.clone(), 1, 3, tally);
        let path = dir.path().join("parts/00001-of-00003.json");
        std::fs::write(&path, serde_json::to_string(&other).unwrap()).unwrap();
        let message = merge(dir.path()).unwrap_err().to_string();
        assert!(message.contains("00001-of-00003.json") && message.contains(what), "{what}: {message}");
    }
    // Nor is a plan whose inputs cannot be numbered.
    let plan = Plan { inputs: Inputs::Unary { first: 5, last: 1 << 40 }, ..plan };
    let path = dir.path().join("parts/00001-of-00003.json");
    std::fs::write(&path, serde_json::to_string(&Part::new(plan, 1, 3, part.tally)).unwrap()).unwrap();
    assert!(merge(dir.path()).unwrap_err().to_string().contains("do not fit"));
}

#[test]
fn a_part_of_another_shard_is_named() {
    let (dir, _) = three_parts();
    let name = |shard: u32| dir.path().join(format!("parts/{shard:05}-of-00003.json"));
    std::fs::copy(name(1), name(2)).unwrap();
    let message = merge(dir.path()).unwrap_err().to_string();
    assert!(message.contains("00002-of-00003.json: holds shard 1 of 3"), "{message}");
    std::fs::remove_file(name(2)).unwrap();
    assert!(merge(dir.path()).unwrap_err().to_string().contains("1 of 3 shards are missing, the first is 2"));
}

#[test]
fn parts_of_two_divisions_are_not_added_up() {
    let (dir, plan) = three_parts();
    run(&plan, &bind(&plan), dir.path(), [2], 2, &Silent).unwrap();
    let message = merge(dir.path()).unwrap_err().to_string();
    assert!(message.contains("is one of 3 shards") || message.contains("is one of 2 shards"), "{message}");
}

/// They used to share the names of their temporary files, and to fail when another had renamed them.
#[test]
fn sweeps_in_one_folder_at_the_same_time_do_not_disturb_each_other() {
    let plan = plan("floor", "half", "ieee", Inputs::Unary { first: 0, last: 99 });
    let bound = bind(&plan);
    let dir = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        let runs: Vec<_> =
            (0..8).map(|_| scope.spawn(|| run(&plan, &bound, dir.path(), 1..=64, 64, &Silent))).collect();
        for run in runs {
            run.join().unwrap().unwrap();
        }
    });
    assert_eq!(merge(dir.path()).unwrap().1, sweep(&plan));
    // Nothing else is left in the folder.
    assert_eq!(std::fs::read_dir(dir.path().join("parts")).unwrap().count(), 64);
}

#[test]
fn impossible_plans_say_why() {
    let bind = |plan: Plan| plan.bind(&Model::builtin("ieee").unwrap(), None).err();
    let range = Inputs::Unary { first: 0, last: 9 };
    assert_eq!(bind(plan("exp3", "fp32", "ieee", range.clone())), Some(PlanError::Op("exp3".into())));
    assert_eq!(bind(plan("flt", "fp32", "ieee", range.clone())), Some(PlanError::Shape("flt".into())));
    assert_eq!(bind(plan("exp2", "fp33", "ieee", range.clone())), Some(PlanError::Format("fp33".into())));
    assert!(matches!(bind(plan("add", "fp32", "ieee", range)), Some(PlanError::Inputs(_))));
    let empty = Inputs::Unary { first: 9, last: 0 };
    assert!(matches!(bind(plan("exp2", "fp32", "ieee", empty)), Some(PlanError::Inputs(_))));
    assert!(matches!(bind(plan("add", "fp32", "ieee", Inputs::Pairs)), Some(PlanError::Inputs(_))));
}

#[test]
fn three_operands_run_over_corners_and_samples() {
    let inputs = Inputs::Tuples { random: 20_000, seed: 5 };
    let tally = sweep(&plan("mad", "fp32", "attila", inputs));
    assert!(tally.inputs > 20_000);
    assert!(tally.correct < tally.inputs, "separate rounding must show");
    assert_eq!(Plan::default_inputs(Op::Mad, Decl::F32), Inputs::Tuples { random: 1 << 24, seed: 1 });
}
