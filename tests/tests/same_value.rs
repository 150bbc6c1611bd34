//! The same value as a literal, as a constant, as an attribute and as a literal moved through a register gives the same bits:
//! every opcode of every language that has an instruction of that form, built-in models with their probes, optimised or not.

use parallax::{Draw, Engine, FRONTENDS, LaneCase, LoadOptions, Optimise, compile, load, run_lanes, same_bound_shader};
use parallax_core::num::{Model, Probe, Rewrites};
use parallax_core::{Bound, Func, Shader, Stage, Symbolic};
use parallax_gen::choices;
use parallax_lift::Trials;

/// Results of one program, in registers of their own.
const RESULTS: usize = 28;

/// Where an operand comes from.
#[derive(Copy, Clone, PartialEq)]
enum Origin {
    Constant,
    Attribute,
    Literal,
    /// A literal that was moved to a register.
    Moved,
}

const ORIGINS: [Origin; 4] = [Origin::Constant, Origin::Attribute, Origin::Literal, Origin::Moved];

/// An instruction that is tried: one operand is the value, the others are inputs.
#[derive(Clone, Debug)]
struct Form {
    mnemonic: String,
    /// Vectors (`v`) and scalars (`s`).
    shape: &'static str,
    /// The result's register, its number in braces.
    result: &'static str,
}

/// One line of a program: the operand that is the value, and the value if it is a literal.
struct Line {
    operand: usize,
    value: [u32; 4],
}

/// How programs of a language are written, and of which instruction set it is.
#[derive(Copy, Clone)]
struct Language {
    isa: &'static str,
    trials: &'static Trials,
}

impl Language {
    fn write(&self, form: &Form, origin: Origin, lines: &[Line]) -> String {
        let trials = self.trials;
        let fill = |text: &str, n: usize, line: &Line| {
            let is_vector = form.shape.as_bytes()[line.operand] == b'v';
            let literal = || (trials.literal)(line.value, is_vector);
            let named = |operand: usize, kind: u8| {
                let scalar = usize::from(kind == b's');
                match origin {
                    _ if operand != line.operand => trials.other_operands[operand][scalar].to_string(),
                    Origin::Constant => trials.constant_operand[scalar].into(),
                    Origin::Attribute => trials.attribute_operand[scalar].into(),
                    Origin::Moved => trials.moved_operand[scalar].into(),
                    Origin::Literal => trials.literal_operand.into(),
                }
            };
            let sources: Vec<String> = form.shape.bytes().enumerate().map(|(n, kind)| named(n, kind)).collect();
            let source = |n: usize| sources.get(n).map_or("", String::as_str);
            text.replace("{result}", form.result)
                .replace("{op}", &form.mnemonic)
                .replace("{sources}", &sources.join(", "))
                .replace("{a}", source(0))
                .replace("{b}", source(1))
                .replace("{c}", source(2))
                .replace("{literal}", &literal())
                .replace("{n}", &n.to_string())
        };
        let mut out = trials.head.to_string();
        out.extend(lines.iter().enumerate().map(|(n, line)| fill(trials.declare, n, line)));
        for (n, line) in lines.iter().enumerate() {
            if origin == Origin::Moved {
                out += &fill(trials.move_literal, n, line);
            }
            out += &fill((trials.line)(&form.mnemonic), n, line);
        }
        out + trials.tail
    }
}

/// Values worth trying: those that rules single out, then numbers at random.
fn values(patterns: bool) -> Vec<u32> {
    const FIRST: [u32; 28] = [
        0x3f80_0000,
        0,
        0xbf80_0000,
        0x4000_0000,
        0x3f00_0000,
        0x8000_0000,
        0x3dcc_cccd,
        0x4040_0000,
        0x7f80_0000,
        0x7fc0_0000,
        0x0000_0001,
        0xff80_0000,
        0x7f80_0001,
        0x807f_ffff,
        0xffc0_1234,
        0x0080_0000,
        0xc0a0_0000,
        0x4780_0000,
        0x477f_e000,
        0x3880_0000,
        0x3380_0000,
        0x3b80_8081,
        0x4049_0fdb,
        0x4b80_0000,
        0x7f7f_ffff,
        0xbf7f_ffff,
        0x3faa_aaab,
        0x0000_0003,
    ];
    let random =
        choices(7, 64).into_iter().map(|word| if word % 2 == 0 { word } else { 0x3e80_0000 + word % 0x0280_0000 });
    FIRST.into_iter().chain(random).filter(|word| patterns || f32::from_bits(*word).is_finite()).collect()
}

/// Models, each with its probes behind it.
fn models() -> Vec<Model> {
    let probes = [Probe::Lowest, Probe::Highest, Probe::Random(42)];
    Model::builtins()
        .into_iter()
        // A driver that rewrites programs looks for literals.
        .map(|model| match model.rewrites() {
            Rewrites::NONE => model,
            _ => Model::parse(&format!("{}[driver=none]", model.name())).expect("a model"),
        })
        .flat_map(|model| std::iter::once(model.clone()).chain(probes.map(|probe| model.clone().with_probe(probe))))
        .collect()
}

struct Program {
    text: String,
    shader: Shader<Symbolic>,
    origin: Origin,
    lines: Vec<Line>,
}

impl Language {
    fn lines(&self, form: &Form, origin: Origin) -> Vec<Line> {
        let count = form.shape.len();
        if matches!(origin, Origin::Constant | Origin::Attribute) {
            return (0..count).map(|operand| Line { operand, value: [0; 4] }).collect();
        }
        self.groups(form)
            .into_iter()
            .flat_map(|value| (0..count).map(move |operand| Line { operand, value }))
            .filter(|line| self.trials.only_literal.is_none_or(|operand| line.operand == operand))
            .take(RESULTS)
            .collect()
    }

    /// The values of the operand that is tried, run by run.
    fn groups(&self, form: &Form) -> Vec<[u32; 4]> {
        let values = values(self.trials.patterns);
        let anywhere = self.trials.only_literal.is_none();
        let vectors = anywhere && form.shape.contains('v');
        let each = if vectors {
            values.chunks_exact(4).map(|v| [v[0], v[1], v[2], v[3]]).collect()
        } else {
            values.iter().map(|v| [*v; 4]).collect::<Vec<_>>()
        };
        let positions = if anywhere { form.shape.len() } else { 1 };
        each.into_iter().take(RESULTS.div_ceil(positions)).collect()
    }

    fn program(&self, form: &Form, origin: Origin) -> Option<Program> {
        if origin == Origin::Moved && self.trials.move_literal.is_empty() {
            return None;
        }
        let lines = self.lines(form, origin);
        let text = self.write(form, origin, &lines);
        let mut options = LoadOptions { isa: Some(self.isa.into()), ..LoadOptions::default() };
        options.lift.watch = (0..lines.len()).map(|n| Self::result(form, n)).collect();
        let shader = load("same", text.as_bytes(), &options).shader?;
        Some(Program { text, shader, origin, lines })
    }

    fn result(form: &Form, n: usize) -> String {
        form.result.replace("{n}", &n.to_string())
    }

    /// Bits of a program's results, by line, lane and component.
    fn run(
        &self,
        form: &Form,
        program: &Program,
        compiled: &parallax::Compiled,
        value: [u32; 4],
    ) -> Vec<[[u64; 4]; 4]> {
        const OTHERS: [u32; 16] = [
            0x3f80_0000,
            0x4010_0000,
            0xbe99_999a,
            0x4049_0fdb,
            0x3e00_0000,
            0xc080_0000,
            0x3faa_aaab,
            0x0000_0000,
            0x42c8_0000,
            0x3f00_0001,
            0x8000_0000,
            0xbf40_0000,
            0x7f80_0000,
            0x3dcc_cccd,
            0x40a0_0000,
            0x7fc0_0000,
        ];
        let trials = self.trials;
        let mut case = LaneCase { state: vec![(trials.attribute.into(), value.to_vec())], ..LaneCase::default() };
        case.state.push((trials.constant.into(), value.to_vec()));
        for (lane, registers) in case.lanes.iter_mut().enumerate() {
            registers.push((trials.other.into(), OTHERS[lane * 4..][..4].to_vec()));
        }
        let iface = &program.shader.func.iface;
        let has = |name: &str| iface.attrs.iter().any(|attr| attr.name == name);
        case.state.retain(|(name, _)| *name == trials.constant || has(name));
        case.lanes.iter_mut().for_each(|registers| registers.retain(|(name, _)| has(name)));
        let lanes = run_lanes(compiled, &case).unwrap_or_else(|diags| panic!("{diags:?}\n{}", program.text));
        let bits = |n: usize, lane: usize| {
            let name = Self::result(form, n);
            let values = lanes[lane].watched(&name).expect("watched");
            values.map(|value| value.map_or(0, |value| value.bits))
        };
        (0..program.lines.len()).map(|n| [0, 1, 2, 3].map(|lane| bits(n, lane))).collect()
    }

    /// Compares the origins under all models; `false` when the language has no such instruction.
    fn try_form(&self, form: &Form, models: &[Model], every: usize) -> bool {
        let programs: Vec<Program> = ORIGINS.iter().filter_map(|origin| self.program(form, *origin)).collect();
        // An operand that is no value, such as a number of a texture, cannot come from everywhere.
        if !programs.iter().any(|p| p.origin == Origin::Constant)
            || !programs.iter().any(|p| p.origin == Origin::Attribute)
        {
            return false;
        }
        let groups = self.groups(form);
        // Lanes have nothing around them that counts.
        let nothing = Draw::defaults(&Func::new("", "", Stage::Fragment).iface).expect("a draw");
        // Models and probes under which the programs are the same compute the same.
        let mut known: Vec<Vec<Shader<Bound>>> = Vec::new();
        for model in models {
            let bound: Vec<_> = programs.iter().map(|program| program.shader.bind(model)).collect();
            let same =
                |other: &Vec<Shader<Bound>>| other.iter().zip(&bound).all(|(a, b)| same_bound_shader(a, b, &nothing));
            if known.iter().any(same) {
                continue;
            }
            known.push(bound);
            // The first one always, then every nth, from another one on for each mnemonic.
            let shift: usize = form.mnemonic.bytes().map(usize::from).sum();
            if known.len() > 1 && !(known.len() + shift).is_multiple_of(every) {
                continue;
            }
            let mut expected: Vec<Vec<[[u64; 4]; 4]>> = Vec::new();
            for program in &programs {
                for optimise in [Optimise::No, Optimise::Yes] {
                    let compiled = compile(&program.shader, model, optimise, Engine::Interp)
                        .unwrap_or_else(|diags| panic!("{}: {diags:?}\n{}", model.label(), program.text));
                    let place = |operand: usize, value: [u32; 4], found: [[u64; 4]; 4], wanted: [[u64; 4]; 4]| {
                        let (label, text) = (model.label(), &program.text);
                        format!(
                            "{form:?}, operand {operand} = {value:x?} under {label}, {optimise:?}: {found:x?} for {wanted:x?}\n{text}"
                        )
                    };
                    if matches!(program.origin, Origin::Literal | Origin::Moved) {
                        let found = self.run(form, program, &compiled, [0; 4]);
                        for (line, found) in program.lines.iter().zip(found) {
                            let group = groups.iter().position(|value| *value == line.value).expect("a group");
                            let wanted = expected[group][line.operand];
                            assert!(found == wanted, "{}", place(line.operand, line.value, found, wanted));
                        }
                        continue;
                    }
                    let found = groups.iter().map(|value| self.run(form, program, &compiled, *value));
                    if expected.is_empty() {
                        expected = found.collect();
                        continue;
                    }
                    for ((value, found), wanted) in groups.iter().zip(found).zip(&expected) {
                        for (operand, (found, wanted)) in found.iter().zip(wanted).enumerate() {
                            assert!(found == wanted, "{}", place(operand, *value, *found, *wanted));
                        }
                    }
                }
            }
        }
        true
    }

    /// Tries every mnemonic in every form, and says of which none could be.
    fn try_all(&self, models: &[Model], every: usize) -> Vec<String> {
        let trials = self.trials;
        let tried = |mnemonic: &str| {
            let try_with = |result: &&'static str| {
                let form = |shape| Form { mnemonic: mnemonic.into(), shape, result };
                trials.shapes.iter().any(|&shape| self.try_form(&form(shape), models, every))
            };
            // With every kind of result.
            trials.results.iter().filter(|result| try_with(result)).count() > 0
        };
        let all = (trials.mnemonics)();
        all.into_iter().filter(|(mnemonic, must)| !tried(mnemonic) && *must).map(|(mnemonic, _)| mnemonic).collect()
    }
}

#[test]
fn values_of_every_origin_compute_the_same() {
    try_languages(4);
}

/// `cargo test -p parallax-tests --release --test all same_value -- --ignored`.
#[test]
#[ignore = "long"]
fn values_of_every_origin_compute_the_same_under_all_models() {
    try_languages(1);
}

/// Every language of every instruction set that says how its programs are written, each instruction under every nth of the models
/// that differ in it.
fn try_languages(every: usize) {
    let languages: Vec<Language> = FRONTENDS
        .iter()
        .flat_map(|frontend| frontend.trials.iter().map(|trials| Language { isa: frontend.name, trials }))
        .collect();
    let models = models();
    std::thread::scope(|scope| {
        let runs: Vec<_> = languages.iter().map(|language| scope.spawn(|| language.try_all(&models, every))).collect();
        for (language, run) in languages.iter().zip(runs) {
            let missing = run.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            assert!(missing.is_empty(), "{} {}: {missing:?} was not tried", language.isa, language.trials.attribute);
        }
    });
}
