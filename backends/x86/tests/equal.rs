//! Random shaders as machine code and interpreted, against the reference executor: the same bits, coverage, fuel and samples.
#![allow(clippy::print_stdout, reason = "figures, shown with --nocapture")]

use parallax_core::exec::{Memory, Outputs, Plane};
use parallax_core::text::read;
use parallax_core::{Bound, OpKind, Shader, Symbolic, verify};
use parallax_gen::{
    Batch, choices, filetest, kernel, random_rule, random_texture_rule, shader, shrink, straight_shader,
};
use parallax_interp::{Bytecode, Scratch};
use parallax_num::{Field, Model, Op, Probe, Rule, Scope};
use parallax_opt::{NoObserver, canonicalise, optimise};
use parallax_random::Random;
use parallax_step::Programs;
use parallax_x86::{Level, Program, compile};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Instant;

/// What the reference executor gives, and buffers afterwards.
fn wanted_of(shader: &Shader<Bound>, batch: &Batch) -> (Outputs, Vec<Vec<u32>>) {
    let (mut outputs, mut buffers) = (Outputs::default(), batch.buffers());
    let memory = Memory::Exclusive(&mut buffers);
    batch.with(|inputs| parallax_reference::run(verify(shader).expect("sound"), inputs, memory, &mut outputs));
    (outputs, buffers)
}

/// What the interpreter gives, likewise.
fn interpreted(shader: &Shader<Bound>, batch: &Batch) -> (Outputs, Vec<Vec<u32>>) {
    let program = Bytecode::new(verify(shader).expect("sound"));
    let (mut outputs, mut buffers) = (Outputs::default(), batch.buffers());
    let memory = Memory::Exclusive(&mut buffers);
    batch.with(|inputs| program.run_in(inputs, memory, &mut Scratch::default(), &mut outputs));
    (outputs, buffers)
}

/// What code gives, likewise.
fn compiled(program: &Program, batch: &Batch) -> (Outputs, Vec<Vec<u32>>) {
    let (mut outputs, mut buffers) = (Outputs::default(), batch.buffers());
    batch.with(|inputs| program.run(inputs, Memory::Exclusive(&mut buffers), &mut outputs));
    (outputs, buffers)
}

/// What differs, if anything does.
fn difference(wanted: &Outputs, found: &Outputs) -> Option<String> {
    for (n, (wanted, found)) in wanted.planes.iter().zip(&found.planes).enumerate() {
        if !wanted.is_empty() && wanted != found {
            let (found, wanted) = (found.to_words(), wanted.to_words());
            return Some(format!("output {} component {}: {found:x?}, not\n{wanted:x?}", n / 4, n % 4));
        }
    }
    let flags = [
        ("coverage", &wanted.covered, &found.covered),
        ("fuel", &wanted.out_of_fuel, &found.out_of_fuel),
        ("barriers", &wanted.missed_barrier, &found.missed_barrier),
    ];
    let differs = flags.into_iter().find(|(_, wanted, found)| wanted != found);
    let samples = (wanted.discarded != found.discarded).then(|| "samples".to_string());
    differs.map(|(what, wanted, found)| format!("{what}: {found:?}, not {wanted:?}")).or(samples)
}

fn same(wanted: &Outputs, found: &Outputs, what: &str) {
    if let Some(difference) = difference(wanted, found) {
        panic!("{what}: {difference}");
    }
}

/// What code gives, to be spoiled by tests of this test.
type Spoil = fn(&Shader<Bound>, Outputs) -> Outputs;

fn unspoiled(_: &Shader<Bound>, outputs: Outputs) -> Outputs {
    outputs
}

/// What a shader is bound to.
struct Arithmetic {
    model: Model,
    /// Of random rules in the place of the model's.
    rules: Option<u64>,
}

impl Arithmetic {
    fn of(model: Model) -> Arithmetic {
        Arithmetic { model, rules: None }
    }

    /// One of all that are tried: built-in models, their probes, random rules.
    fn number(n: usize, models: &[Model]) -> Arithmetic {
        let model = models[n / 4 % models.len()].clone();
        match n % 4 {
            0 | 1 => Arithmetic::of(model),
            2 => {
                let probes = [Probe::Lowest, Probe::Highest, Probe::Random(n as u64)];
                Arithmetic::of(model.with_probe(probes[n / 4 % probes.len()]))
            }
            _ => Arithmetic { model, rules: Some(n as u64) },
        }
    }

    fn label(&self) -> String {
        let label = self.model.label();
        self.rules.map_or(label.clone(), |seed| format!("random rules {seed} in the place of those of {label}"))
    }

    fn bind(&self, symbolic: Shader<Symbolic>) -> Shader<Bound> {
        let mut bound = symbolic.bind(&self.model);
        let Some(seed) = self.rules else { return bound };
        let texture = random_texture_rule(&mut Random::new(seed));
        for op in bound.func.ops.values_mut() {
            if let OpKind::Tex(tex) = &mut op.kind {
                tex.rule = texture.only(|field| tex.reads(field));
            }
        }
        for rule in bound.state.rules.values_mut() {
            // A rule gives way to the same one wherever it stands, also when the shader shrinks.
            let mut hasher = DefaultHasher::new();
            (seed, &*rule).hash(&mut hasher);
            let mut random = Random::new(hasher.finish());
            let mut others = std::iter::repeat_with(|| random_rule(&mut random)).take(400);
            // Containers stay: the types of the values follow from them.
            let fits =
                |other: &Rule| (other.storage, other.source, other.decl) == (rule.storage, rule.source, rule.decl);
            if let Some(other) = others.find(fits) {
                *rule = other;
            }
        }
        bound
    }

    /// The shader as it is and optimised.
    fn bind_twice(&self, symbolic: &Shader<Symbolic>) -> [Shader<Bound>; 2] {
        let optimised = optimise(self.bind(canonicalise(symbolic.clone())), &mut NoObserver);
        [self.bind(symbolic.clone()), optimised]
    }
}

/// Where zero wins, a zero is looked for in the factor that differs from lane to lane, though that never changes either.
#[test]
fn zeros_among_lane_numbers_win_over_a_shared_factor() {
    const TEXT: &str = "shader \"product\" stage(fragment) from(\"test\") {
  bank 0 \"CONST[0]\" len(1)
  output 0 \"OUT[0]\" color(0) fp32 fp32 - -
  slot p0 = fp32
  %0: i32 = sys quad_lane
  %1: p0 = bits.to %0
  %2: p0 = const c0[0].x
  %3: p0 = mul %1, %2
  %4: p0 = mul %2, %1
  out o0.x, %3
  out o0.y, %4
  yield
}
";
    let symbolic = read(TEXT).unwrap_or_else(|diags| panic!("{diags:#?}"));
    let arithmetic = Arithmetic::of(Model::builtin("tgsi-mul-zero-wins").expect("built in"));
    for seed in 0..40 {
        let batch = Batch::new(&choices(seed, 2000), &symbolic.func.iface, 36);
        assert!(!fails(&symbolic, &arithmetic, &batch, unspoiled), "seed {seed}");
    }
}

/// Lookups whose coordinates are rounded to any places in any direction: those that code does itself, all components and one
/// alone, and those that it leaves to the host.
#[test]
fn lookups_of_any_texture_unit_have_the_same_bits() {
    const TEXT: &str = "shader \"lookups\" stage(fragment) from(\"test\") {
  attr 0 \"IN[0]\" generic(0) perspective center
  texture 0 d2
  texture 1 d2
  output 0 \"OUT[0]\" color(0) fp32 fp32 fp32 fp32
  output 1 \"OUT[1]\" color(1) fp32 fp32 - -
  slot p0 = fp32
  %0: p0 = attr in0.x
  %1: p0 = attr in0.y
  %2: p0 = attr in0.z
  %3: p0 = attr in0.w
  %4: p0, %5: p0, %6: p0, %7: p0 = tex implicit d2 unit(0) %0, %1, %2, %3
  %8: p0, %9: p0, %10: p0, %11: p0 = tex implicit d2 unit(1) offset(1, -2, 0) %2, %0, %2, %3
  %12: p0, %13: p0, %14: p0, %15: p0 = tex implicit d2 unit(0) project %1, %2, %2, %3
  out o0.x, %4
  out o0.y, %5
  out o0.z, %6
  out o0.w, %7
  out o1.x, %9
  out o1.y, %12
  yield
}
";
    let symbolic = read(TEXT).unwrap_or_else(|diags| panic!("{diags:#?}"));
    let ieee = Model::builtin("ieee").expect("built in");
    let plain = ieee.clone();
    let mut changed = 0;
    for seed in 0..360 {
        let mut random = Random::new(seed);
        let mut grid = || format!("{}{}", random.pick(parallax_num::Round::ALL).name(), 1 + random.below(15));
        let values = [grid(), grid()];
        let settings = ["texture_linear", "texture_nearest"]
            .into_iter()
            .zip(&values)
            .map(|(field, value)| (Scope::ALL, Field::from_name(field).expect("a field"), value.as_str()));
        let arithmetic = Arithmetic::of(ieee.clone().with_settings(settings).expect("grids"));
        let batch = Batch::new(&choices(seed, 2000), &symbolic.func.iface, 36);
        assert!(!fails(&symbolic, &arithmetic, &batch, unspoiled), "seed {seed}: {}", arithmetic.label());
        let [found, ieee] = [&arithmetic.model, &plain].map(|model| wanted_of(&symbolic.bind(model), &batch).0);
        changed += usize::from(found != ieee);
    }
    assert!(changed > 100, "in {changed} batches a rule makes a difference");
}

/// Whether the interpreter, or code of some level, differs from the reference.
fn fails(symbolic: &Shader<Symbolic>, arithmetic: &Arithmetic, batch: &Batch, spoil: Spoil) -> bool {
    let mut programs = Programs::default();
    arithmetic.bind_twice(symbolic).iter().any(|bound| {
        let (wanted, buffers) = wanted_of(bound, batch);
        let (found, after) = interpreted(bound, batch);
        if difference(&wanted, &found).is_some() || buffers != after {
            return true;
        }
        levels().any(|level| {
            let program = compile(verify(bound).expect("sound"), level, &mut programs);
            program.is_ok_and(|program| {
                let (found, after) = compiled(&program, batch);
                difference(&wanted, &spoil(bound, found)).is_some() || buffers != after
            })
        })
    })
}

/// A filetest of as little as could be found that fails like a shader and a batch do. With the textures of filetests where it
/// fails with those.
fn shrunk(symbolic: &Shader<Symbolic>, arithmetic: &Arithmetic, batch: &Batch, what: &str, spoil: Spoil) -> String {
    let as_filetest = batch.clone().as_filetest();
    let (batch, mut about) = if fails(symbolic, arithmetic, &as_filetest, spoil) {
        (as_filetest, what.to_string())
    } else {
        (batch.clone(), format!("{what}\nOnly with the textures of the generator, or with four samples."))
    };
    let (small, batch) = shrink(symbolic.clone(), batch, &mut |shader, batch| fails(shader, arithmetic, batch, spoil));
    if arithmetic.rules.is_some() {
        let _ = write!(about, "\nOnly with {}, here:", arithmetic.label());
        for rule in arithmetic.bind(small.clone()).state.rules.values() {
            let _ = write!(about, "\n{rule:?}");
        }
    }
    filetest(&small, &arithmetic.model.label(), &about, &batch)
}

/// What was run: lanes, and shaders.
#[derive(Default)]
struct Ran {
    lanes: u64,
    /// Lanes of the interpreter.
    interpreted: u64,
    compiled: usize,
    /// Those whose subgroups are several blocks.
    exchanges: usize,
    /// Those of which so many blocks are interleaved.
    interleaved: BTreeMap<usize, usize>,
    /// Those whose lanes take turns, by which of them run together.
    turns: BTreeMap<&'static str, usize>,
    /// Batches in which all lanes got to every barrier, and others.
    barriers: [usize; 2],
}

/// Levels that this host runs.
fn levels() -> impl Iterator<Item = Level> {
    Level::ALL.into_iter().filter(|level| level.is_supported())
}

fn batch_of(seed: u64, bound: &Shader<Bound>, width: usize) -> Batch {
    Batch::new(&choices(seed, 2000 + width * 40), &bound.func.iface, width)
}

/// What differs between the reference and what runs.
fn check(
    bound: &Shader<Bound>,
    programs: &mut Programs,
    seed: u64,
    width: usize,
    ran: &mut Ran,
    spoil: Spoil,
) -> Result<(), String> {
    let batch = batch_of(seed, bound, width);
    let (wanted, buffers) = wanted_of(bound, &batch);
    let (found, after) = interpreted(bound, &batch);
    if let Some(difference) = difference(&wanted, &found) {
        return Err(format!("seed {seed} under {}, interpreter: {difference}", bound.state.model));
    }
    if buffers != after {
        return Err(format!(
            "seed {seed} under {}, interpreter: buffers {after:x?}, not {buffers:x?}",
            bound.state.model
        ));
    }
    ran.interpreted += width as u64;
    // Quads one by one: what fills up a block changes nothing.
    let quads: Vec<_> = batch.quads().take(2).map(|quad| (wanted_of(bound, &quad), quad)).collect();
    let wanted = (wanted, buffers);
    if !wanted.0.missed_barrier.is_empty() {
        ran.barriers[usize::from(wanted.0.missed_barrier.contains(&true))] += 1;
    }
    for level in levels() {
        let program = compile(verify(bound).expect("sound"), level, programs).map_err(|reason| reason.0)?;
        ran.compiled += 1;
        ran.exchanges += usize::from(bound.state.subgroup as usize > level.lanes());
        if let Some(turns) = program.takes_turns() {
            *ran.turns.entry(turns.name()).or_default() += 1;
        }
        *ran.interleaved.entry(program.blocks()).or_default() += 1;
        let what = format!("seed {seed} under {}, {level}", bound.state.model);
        for ((wanted, buffers), batch, lanes) in
            std::iter::once((&wanted, &batch, width)).chain(quads.iter().map(|(wanted, quad)| (wanted, quad, 4)))
        {
            let (found, after) = compiled(&program, batch);
            if let Some(difference) = difference(wanted, &spoil(bound, found)) {
                return Err(format!("{what}: {difference}"));
            }
            if *buffers != after {
                return Err(format!("{what}: buffers {after:x?}, not {buffers:x?}"));
            }
            ran.lanes += lanes as u64;
        }
    }
    Ok(())
}

/// Shaders of random choices.
type Made = fn(&[u32]) -> Shader<Symbolic>;

fn both(
    made: Made,
    list: &[u32],
    arithmetic: &Arithmetic,
    programs: &mut Programs,
    seed: u64,
    width: usize,
    ran: &mut Ran,
) {
    let symbolic = made(list);
    for bound in arithmetic.bind_twice(&symbolic) {
        if let Err(what) = check(&bound, programs, seed, width, ran, unspoiled) {
            let batch = batch_of(seed, &bound, width);
            let name = format!("parallax-seed-{seed}.plx");
            let path = std::env::temp_dir().join(name);
            let text = shrunk(&symbolic, arithmetic, &batch, &format!("Found at random: seed {seed}."), unspoiled);
            let kept = std::fs::write(&path, &text).is_ok();
            let place = if kept { path.display().to_string() } else { "tests/filetests/run".into() };
            panic!(
                "{what}\nunder {}\nas little of it as fails, for tests/filetests/run, is {place}:\n{text}",
                arithmetic.label()
            );
        }
    }
}

/// A difference that is planted is found, and little more than it is left.
#[test]
fn failures_shrink_to_filetests() {
    if Level::best().is_none() {
        return;
    }
    /// Code that would give the lowest bit of output 0, component x wrongly where there is a square root.
    fn spoil(bound: &Shader<Bound>, mut outputs: Outputs) -> Outputs {
        let mut has_root = false;
        bound.func.walk(|_, op| has_root |= bound.func.ops[op].kind == OpKind::Num(Op::Sqrt));
        if has_root && let Some(Plane::U32(words)) = outputs.planes.first_mut() {
            words.iter_mut().for_each(|word| *word ^= 1);
        }
        outputs
    }
    let arithmetic = Arithmetic::of(Model::builtin("nv-arb").expect("built in"));
    let mut tried = 0;
    for seed in 0..200 {
        let symbolic = shader(&choices(seed, 200));
        let bound = arithmetic.bind(symbolic.clone());
        let mut ran = Ran::default();
        let Err(what) = check(&bound, &mut Programs::default(), seed, 36, &mut ran, spoil) else { continue };
        assert!(what.contains("output 0 component 0"), "{what}");
        tried += 1;
        let text = shrunk(&symbolic, &arithmetic, &batch_of(seed, &bound, 36), "Planted.", spoil);
        let end = text.rfind("\n}\n").expect("a shader") + 3;
        let small = read(&text[..end]).expect("reads back");
        assert!(text.starts_with("; test run nv-arb\n; Planted.\n"), "{text}");
        assert!(text[end..].starts_with("; run: covered=[0x1, 0x1, 0x1, 0x1]"), "{text}");
        // The root of a literal, what is written, the end; a loop that holds the root stays.
        assert!(small.func.live_ops() <= 14 && symbolic.func.live_ops() > 20, "{text}");
        if tried == 3 {
            return;
        }
    }
    panic!("{tried} of 3 shaders with a root that code can run");
}

/// Random rules do take the place of a model's: of most, as few have a container that none of the random ones has.
#[test]
fn random_rules_are_other_rules() {
    let model = Model::builtin("ieee").expect("built in");
    let (mut changed, mut count) = (0, 0);
    for seed in 0..40 {
        let symbolic = shader(&choices(seed, 200));
        let (plain, arithmetic) = (symbolic.bind(&model), Arithmetic { model: model.clone(), rules: Some(seed) });
        let random = arithmetic.bind(symbolic);
        let rules = plain.state.rules.values().zip(random.state.rules.values());
        count += plain.state.rules.len();
        changed += rules.filter(|(plain, random)| plain != random).count();
    }
    println!("{changed} of {count} rules are others");
    assert!(changed > count / 2);
}

#[test]
fn random_shaders_give_the_bits_of_the_reference() {
    if Level::best().is_none() {
        return;
    }
    let models = Model::builtins();
    let (mut programs, mut ran) = (Programs::default(), Ran::default());
    for seed in 0..240 {
        let n = seed as usize;
        let (made, most) = [(shader as Made, 1036), (straight_shader, 1036), (kernel, 1020)][n / 5 % 3];
        let width = [16, 4, 20, 64, most][n % 5];
        both(
            made,
            &choices(seed, 40 + n * 7 % 300),
            &Arithmetic::number(n, &models),
            &mut programs,
            seed,
            width,
            &mut ran,
        );
    }
    println!(
        "{} lanes, {} compiled, by blocks {:?}, {} with wide subgroups, {:?}, barriers {:?}",
        ran.lanes, ran.compiled, ran.interleaved, ran.exchanges, ran.turns, ran.barriers
    );
    assert!(ran.interleaved.keys().any(|&blocks| blocks > 1) || !Level::Avx512.is_supported());
    assert_eq!(ran.compiled, 480 * levels().count());
    assert!(ran.exchanges > 20, "{}", ran.exchanges);
    assert!(ran.barriers[0] > 30 && ran.barriers[1] > 0, "{:?}", ran.barriers);
}

/// A shader of these instructions, of values by number: 0 and 1 are attributes, the last one is the result.
fn of_instructions(code: impl Iterator<Item = (&'static str, [usize; 2])>) -> Shader<Bound> {
    let mut text = String::from(
        "shader \"long\" stage(fragment) from(\"test\") {\n  attr 0 \"IN[0]\" generic(0) perspective center\n  \
         output 0 \"OUT[0]\" color(0) fp32 fp32 fp32 fp32\n  slot p0 = fp32\n  \
         %0: p0 = attr in0.x\n  %1: p0 = attr in0.y\n",
    );
    let mut last = 1;
    for (op, [a, b]) in code {
        last += 1;
        let _ = writeln!(text, "  %{last}: p0 = {op} %{a}, %{b}");
    }
    let _ = writeln!(text, "  out o0.x, %{last}\n  yield\n}}");
    read(&text).expect("reads").bind(&Model::builtin("ieee").expect("built in"))
}

/// Each of the value before and one from far before.
fn chain(count: usize) -> Shader<Bound> {
    of_instructions((2..count).map(|n| (["add", "mul"][n % 2], [n - 1, n - 1 - n.min(400) / 2])))
}

/// A chain of sums, a quotient of each, and the chain of their sums: quotients wait for nothing but the unit that divides.
fn quotients(count: usize) -> Shader<Bound> {
    let each = count / 3;
    let link = |n: usize| ("add", [1, n + 1]);
    let quotient = move |n: usize| ("div", [0, 2 + n]);
    let sum = move |n: usize| ("add", [1 + 2 * each + n, 2 + each + n]);
    of_instructions((0..each).map(link).chain((0..each).map(quotient)).chain((0..each).map(sum)))
}

/// Long shaders are compiled like short ones; what a tenth takes is shown as well.
#[test]
fn a_hundred_thousand_instructions() {
    let mut programs = Programs::default();
    for (what, made) in [("chain", chain as fn(usize) -> Shader<Bound>), ("quotients", quotients)] {
        for count in [10_000, 100_000] {
            let bound = made(count);
            let batch = Batch::new(&choices(7, 2000), &bound.func.iface, 20);
            let (wanted, _) = wanted_of(&bound, &batch);
            same(&wanted, &interpreted(&bound, &batch).0, what);
            for level in levels() {
                let start = Instant::now();
                let program = compile(verify(&bound).expect("sound"), level, &mut programs).expect("compiles");
                println!("{what} of {count} instructions for {level}: {} ms", start.elapsed().as_millis());
                same(&wanted, &compiled(&program, &batch).0, what);
            }
        }
    }
}

/// Loops in branches in loops, as deep as regions may be nested: what stands inside `depth` of them, of a value; its result.
fn nest(text: &mut String, next: &mut usize, depth: usize, value: usize) -> usize {
    let mut new = || {
        *next += 1;
        *next
    };
    let [result, inside, test] = [new(), new(), new()];
    if depth == 0 {
        let _ = writeln!(text, "  %{result}: i32 = iadd %{value}, %2");
    } else if depth.is_multiple_of(2) {
        let _ = writeln!(text, "  %{result}: i32 = loop ^{depth} (%{inside}: i32 = %{value}) initial(%1) {{");
        let found = nest(text, next, depth - 1, inside);
        let _ = writeln!(text, "  %{test}: pred = ile %0, %{found}");
        let _ = writeln!(text, "  if %{test} {{\n  break ^{depth} %{found}\n  }} else {{\n  yield\n  }}");
        let _ = writeln!(text, "  continue ^{depth} %{found}\n  }}");
    } else {
        let _ = writeln!(text, "  %{test}: pred = ieq %{value}, %0");
        let _ = writeln!(text, "  %{result}: i32 = if %{test} initial(%1) {{");
        let found = nest(text, next, depth - 1, value);
        let _ = writeln!(text, "  yield %{found}\n  }} else {{");
        let _ = writeln!(text, "  %{inside}: i32 = iadd %{value}, %2\n  yield %{inside}\n  }}");
    }
    result
}

#[test]
fn deep_nests() {
    let mut text = String::from(
        "shader \"deep\" stage(fragment) from(\"test\") {\n  attr 0 \"IN[0]\" generic(0) perspective center\n  \
         output 0 \"OUT[0]\" color(0) i32 - - -\n  %0: i32 = attr in0.x\n  %1: i32 = lit 0\n  %2: i32 = lit 1\n",
    );
    let mut last = 2;
    let result = nest(&mut text, &mut last, 252, 1);
    let _ = writeln!(text, "  out o0.x, %{result}\n  yield\n}}");
    let symbolic = read(&text).unwrap_or_else(|diags| panic!("{diags:#?}"));
    let arithmetic = Arithmetic::of(Model::builtin("ieee").expect("built in"));
    let (mut programs, mut ran) = (Programs::default(), Ran::default());
    for bound in arithmetic.bind_twice(&symbolic) {
        check(&bound, &mut programs, 7, 36, &mut ran, unspoiled).unwrap_or_else(|what| panic!("{what}"));
    }
    assert_eq!(ran.compiled, 2 * levels().count());
}

/// `cargo test -p parallax-x86 --release --test all equal -- --ignored --nocapture`.
#[test]
#[ignore = "long"]
fn many_shaders() {
    let models = Model::builtins();
    let (mut programs, mut ran) = (Programs::default(), Ran::default());
    let most = std::env::var("LANES").ok().and_then(|n| n.parse().ok()).unwrap_or(10_000_000);
    for seed in 1000.. {
        let n = seed as usize;
        let (made, widest) = [(shader as Made, 1036), (straight_shader, 1036), (kernel, 1020)][n / 5 % 3];
        let width = [16, 36, 64, 128, widest][n % 5];
        both(made, &choices(seed, 40 + n % 500), &Arithmetic::number(n, &models), &mut programs, seed, width, &mut ran);
        if ran.lanes > most {
            println!(
                "{} lanes, {} compiled, by blocks {:?}, {} with wide subgroups, {:?}, barriers {:?}, seeds to {seed}",
                ran.lanes, ran.compiled, ran.interleaved, ran.exchanges, ran.turns, ran.barriers
            );
            break;
        }
    }
}
