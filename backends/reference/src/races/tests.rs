use super::*;
use parallax_core::num::Model;
use parallax_core::text;

/// Eight ops of as many instructions.
fn shader() -> Shader<Bound> {
    let sources: String = (0..8).map(|n| format!("  source @{n} line({n}) offset(0) \"op\"\n")).collect();
    let ops: String = (0..8).map(|n| format!("  %{n}: i32 = lit {n} @{n}\n")).collect();
    let source = format!(
        "shader \"t\" stage(compute) from(\"test\") {{\n  workgroup 16 1 1\n  buffer 0 \"B\"\n  \
         buffer 1 \"S\" workgroup(4)\n{sources}{ops}  yield\n}}\n"
    );
    text::read(&source).expect("a shader").bind(&Model::builtin("ieee").expect("built in"))
}

/// Numbers of a sequence that looks random.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, count: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % count
    }
}

/// An access with all that orders it.
#[derive(Copy, Clone)]
struct Made {
    touch: Touch,
    place: (u16, u32),
    bytes: u8,
    group: u64,
    phase: u64,
    subgroup: u64,
    span: u64,
    lane: u64,
}

/// What the definition of a race says of two accesses, word for word.
fn race(a: &Made, b: &Made) -> bool {
    let is_shared = a.place.0 == 1;
    let ordered = if a.group == b.group {
        a.phase != b.phase || a.lane == b.lane || a.subgroup == b.subgroup && a.span != b.span
    } else {
        is_shared
    };
    a.place == b.place
        && a.bytes & b.bytes != 0
        && (a.touch.writes || b.touch.writes)
        && !(a.touch.atomic && b.touch.atomic)
        && !ordered
}

#[test]
fn the_accesses_that_are_kept_stand_for_all_others() {
    let shader = shader();
    let mut total = 0;
    for seed in 0..600 {
        let mut numbers = Numbers(seed);
        let mut races = Races::new(&shader, LaneOrder::InStep, 1000);
        // An op always does the same.
        let kinds: Vec<(bool, bool)> = (0..8).map(|_| (numbers.below(3) == 0, numbers.below(3) == 0)).collect();
        let words = 1 + numbers.below(6);
        let mut all = Vec::new();
        let mut span = 0;
        for group in 0..1 + numbers.below(3) {
            for phase in 0..1 + numbers.below(3) {
                races.next_phase();
                for subgroup in 0..4 {
                    races.next_span();
                    for _ in 0..numbers.below(3) {
                        races.next_op();
                        span += 1;
                        let op = numbers.below(8) as usize;
                        let touch = Touch { op: OpId::new(op), writes: kinds[op].0, atomic: kinds[op].1 };
                        let buffer = numbers.below(2) as u16;
                        for lane in (0..4).filter(|_| numbers.0 >> 40 & 1 == 0).collect::<Vec<_>>() {
                            let address = numbers.below(words) as u32 * 4;
                            let bytes = [15, 15, 3, 12, 1][numbers.below(5) as usize];
                            let lane = subgroup * 4 + lane;
                            let place = (buffer, address);
                            all.push(Made { touch, place, bytes, group, phase, subgroup, span, lane });
                            races.access_masked(touch, lane as usize, buffer, address, bytes);
                        }
                    }
                }
            }
            races.end_workgroup();
        }
        let mut wanted = BTreeSet::new();
        for (n, a) in all.iter().enumerate() {
            for b in all[n..].iter().filter(|b| race(a, b)) {
                let mut pair = [a, b].map(|access| access.touch.op.index() as u64);
                pair.sort_unstable();
                wanted.insert(pair);
            }
        }
        assert_eq!(races.pairs, wanted, "seed {seed}");
        // Every report is of two accesses that were made and race.
        for found in races.found() {
            let is_side = |made: &Made, side: &RacingAccess| {
                let Invocation { group, lane } = side.invocation;
                made.touch.op == side.op
                    && (made.group, made.lane) == (group.into(), lane.into())
                    && made.place == (found.buffer, found.address & !3)
                    && made.bytes >> (found.address & 3) & 1 != 0
            };
            let sides = found.accesses.map(|side| all.iter().filter(move |made| is_side(made, &side)));
            let [a, b] = sides.map(|made| made.collect::<Vec<_>>());
            assert!(a.iter().any(|a| b.iter().any(|b| race(a, b))), "seed {seed}: {found:?}");
        }
        total += wanted.len();
    }
    assert!(total > 1000, "{total} races are too few to compare");
}

#[test]
fn accesses_over_several_words_are_told_apart_by_bytes() {
    let mut races = Races::new(&shader(), LaneOrder::Unordered, 1000);
    let write = |op: usize| Touch { op: OpId::new(op), writes: true, atomic: false };
    races.access(write(0), 0, 0, 2, 8);
    // Beside it on either side.
    races.access(write(1), 1, 0, 0, 2);
    races.access(write(2), 2, 0, 10, 6);
    assert_eq!(races.found(), []);
    races.access(write(3), 3, 0, 9, 1);
    let [found] = races.found() else { panic!("{:?}", races.found()) };
    assert_eq!((found.buffer, found.address), (0, 9));
    assert_eq!(found.accesses.map(|access| (access.op.index(), access.invocation.lane)), [(0, 0), (3, 3)]);
}

#[test]
fn a_pair_of_instructions_is_kept_once_and_no_more_than_asked() {
    let mut races = Races::new(&shader(), LaneOrder::Unordered, 2);
    for op in 0..3 {
        let touch = Touch { op: OpId::new(op), writes: true, atomic: false };
        for lane in 0..4 {
            races.access(touch, lane, 0, op as u32 * 4, 4);
        }
    }
    assert_eq!((races.found().len(), races.pairs()), (2, 3));
}
