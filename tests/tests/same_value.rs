//! The same value as a literal, as a constant, as an attribute and as a literal moved through a register gives the same bits:
//! every opcode of every language that has an instruction of that form, every built-in model with its probes, optimised or not.

use parallax::{Engine, LaneCase, LoadOptions, Optimise, compile, load, run_lanes};
use parallax_core::num::{Model, Probe, Rewrites};
use parallax_core::{Shader, Symbolic};
use parallax_gen::choices;
use std::collections::BTreeSet;
use std::fmt::Write;

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
    /// What the result's register is called before its number.
    result: &'static str,
}

/// One line of a program: the operand that is the value, and the value if it is a literal.
struct Line {
    operand: usize,
    value: [u32; 4],
}

/// How programs of a language are written.
struct Language {
    isa: &'static str,
    attribute: &'static str,
    /// The input that the other operands read.
    other: &'static str,
    constant: &'static str,
    /// Whether a literal has four values, and whether it can be any pattern.
    vectors: bool,
    patterns: bool,
    write: fn(&Language, &Form, Origin, &[Line]) -> String,
}

const TGSI: Language = Language {
    isa: "tgsi",
    attribute: "IN[0]",
    other: "IN[1]",
    constant: "CONST[0]",
    vectors: true,
    patterns: true,
    write: tgsi,
};
const FP10: Language = Language {
    isa: "nvfp",
    attribute: "f[COL0]",
    other: "f[COL1]",
    constant: "p[0]",
    vectors: true,
    patterns: false,
    write: nv,
};
const ARB: Language = Language {
    attribute: "fragment.color.primary",
    other: "fragment.color.secondary",
    constant: "program.local[0]",
    ..FP10
};
const ATTILA: Language = Language {
    isa: "attila",
    attribute: "i0",
    other: "i1",
    constant: "c0",
    vectors: false,
    patterns: true,
    write: attila,
};

const USC: Language = Language {
    isa: "usc",
    attribute: "vi0",
    other: "vi4",
    constant: "shared[0]",
    vectors: true,
    patterns: true,
    write: usc,
};

/// The other operands, each with a swizzle of its own.
fn swizzled(register: &str, operand: usize) -> String {
    format!("{register}{}", ["", ".yzwx", ".zwxy"][operand])
}

fn tgsi(language: &Language, form: &Form, origin: Origin, lines: &[Line]) -> String {
    let mut out =
        "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL IN[1], GENERIC[1], PERSPECTIVE\nDCL OUT[0], COLOR\n".to_string();
    let _ = writeln!(out, "DCL CONST[0]\nDCL TEMP[0..{RESULTS}]");
    for line in lines {
        let [x, y, z, w] = line.value;
        let _ = writeln!(out, "IMM UINT32 {{{x}, {y}, {z}, {w}}}");
    }
    for (n, line) in lines.iter().enumerate() {
        if origin == Origin::Moved {
            let _ = writeln!(out, "MOV TEMP[{RESULTS}], IMM[{n}]");
        }
        let _ = write!(out, "{} TEMP[{n}]", form.mnemonic);
        for operand in 0..form.shape.len() {
            let source = match origin {
                _ if operand != line.operand => swizzled(language.other, operand),
                Origin::Constant => language.constant.into(),
                Origin::Attribute => language.attribute.into(),
                Origin::Literal => format!("IMM[{n}]"),
                Origin::Moved => format!("TEMP[{RESULTS}]"),
            };
            let _ = write!(out, ", {source}");
        }
        out.push('\n');
    }
    out + "END\n"
}

fn nv(language: &Language, form: &Form, origin: Origin, lines: &[Line]) -> String {
    let arb = language.attribute != FP10.attribute;
    let mut out = if arb { "!!ARBfp1.0\nOPTION NV_fragment_program2;\n" } else { "!!FP1.0\n" }.to_string();
    if arb {
        let names: Vec<String> = (0..RESULTS).map(|n| format!("{}{n}", form.result)).collect();
        let _ = writeln!(out, "TEMP other, moved, {};", names.join(", "));
    }
    let (other, moved, mov) = if arb { ("other", "moved", "MOV") } else { ("R28", "R29", "MOVR") };
    let _ = writeln!(out, "{mov} {other}, {};", language.other);
    for (n, line) in lines.iter().enumerate() {
        let numbers = line.value.map(|word| f32::from_bits(word).to_string());
        let vector = form.shape.as_bytes()[line.operand] == b'v';
        let literal = if vector { format!("{{{}}}", numbers.join(", ")) } else { numbers[0].clone() };
        if origin == Origin::Moved {
            let _ = writeln!(out, "{mov} {moved}, {literal};");
        }
        let _ = write!(out, "{} {}{n}", form.mnemonic, form.result);
        for (operand, kind) in form.shape.chars().enumerate() {
            let component = if kind == 's' { ".x" } else { "" };
            let source = match origin {
                _ if operand != line.operand && kind == 's' => format!("{other}.{}", ["x", "y", "z"][operand]),
                _ if operand != line.operand => swizzled(other, operand),
                Origin::Constant => format!("{}{component}", language.constant),
                Origin::Attribute => format!("{}{component}", language.attribute),
                Origin::Literal => literal.clone(),
                Origin::Moved => format!("{moved}{component}"),
            };
            let _ = write!(out, ", {source}");
        }
        out.push_str(";\n");
    }
    out + if arb { "MOV result.color, other;\nEND\n" } else { "MOVR o[COLR], R28;\nEND\n" }
}

fn attila(language: &Language, form: &Form, origin: Origin, lines: &[Line]) -> String {
    let mut out = String::new();
    for (n, line) in lines.iter().enumerate() {
        let _ = write!(out, "{} {}{n}", form.mnemonic, form.result);
        for operand in 0..form.shape.len() {
            let source = match origin {
                _ if operand != line.operand => swizzled(language.other, operand),
                Origin::Constant => language.constant.into(),
                Origin::Attribute => language.attribute.into(),
                Origin::Literal => format!("#{:08x}", line.value[0]),
                // No instruction moves a literal.
                Origin::Moved => "#".into(),
            };
            let _ = write!(out, ", {source}");
        }
        out.push('\n');
    }
    out
}

fn usc(_: &Language, form: &Form, origin: Origin, lines: &[Line]) -> String {
    let mut out = String::new();
    for (n, line) in lines.iter().enumerate() {
        if origin == Origin::Moved {
            let _ = writeln!(out, "{} : mov ft0, ft1, c0, {:#x}\nmov i0, ft1", 2 * n, line.value[0]);
        }
        let _ = write!(out, "{} : ", 2 * n + 1);
        let mut sources: Vec<String> = (0..form.shape.len()).map(|operand| format!("vi{}", 4 + operand)).collect();
        sources[line.operand] = match origin {
            Origin::Constant => "sh0".into(),
            Origin::Attribute => "vi0".into(),
            // Only a bitwise group has a literal.
            Origin::Literal => format!("{:#x}", line.value[0]),
            Origin::Moved => "i0".into(),
        };
        let (op, result) = (&form.mnemonic, form.result);
        let _ = match (op.as_str(), sources.as_slice()) {
            ("sop", [a, b, c]) => writeln!(out, "sop {result}{n}.joutj, {a}, {b}, add, {c}, 0.oneminus"),
            ("frcp" | "frsq" | "fsqrt" | "flog" | "fexp" | "gcmp" | "gexp", [a]) => {
                writeln!(out, "{op} {result}{n}, {a}")
            }
            ("fsinc", [a]) => writeln!(out, "fsinc {result}{n}, p0, {a}"),
            ("pck.s32" | "pck.f16f16" | "pck.u8888.scale", [a]) => {
                writeln!(out, "mov ft0, {a}\n{op} ft2, ft0\nmov {result}{n}, ft2")
            }
            _ => writeln!(out, "{op} ft0, {}\nmov {result}{n}, ft0", sources.join(", ")),
        };
    }
    out
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

/// Models, each with its probes.
fn models() -> Vec<(Model, [Model; 3])> {
    let probes = [Probe::Lowest, Probe::Highest, Probe::Random(42)];
    Model::builtins()
        .into_iter()
        // A driver that rewrites programs looks for literals.
        .map(|model| match model.rewrites() {
            Rewrites::None => model,
            Rewrites::Mesa => Model::parse(&format!("{}[rewrites=none]", model.name())).expect("a model"),
        })
        .map(|model| (model.clone(), probes.map(|probe| model.clone().with_probe(probe))))
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
            // The literal of an instruction with two operands is the second.
            .filter(|line| self.vectors || line.operand == 1)
            .take(RESULTS)
            .collect()
    }

    /// The values of the operand that is tried, run by run.
    fn groups(&self, form: &Form) -> Vec<[u32; 4]> {
        let values = values(self.patterns);
        let vectors = self.vectors && form.shape.contains('v');
        let each = if vectors {
            values.chunks_exact(4).map(|v| [v[0], v[1], v[2], v[3]]).collect()
        } else {
            values.iter().map(|v| [*v; 4]).collect::<Vec<_>>()
        };
        let positions = if self.vectors { form.shape.len() } else { 1 };
        each.into_iter().take(RESULTS.div_ceil(positions)).collect()
    }

    fn program(&self, form: &Form, origin: Origin) -> Option<Program> {
        let lines = self.lines(form, origin);
        let text = (self.write)(self, form, origin, &lines);
        let mut options = LoadOptions { isa: Some(self.isa.into()), ..LoadOptions::default() };
        options.lift.watch = (0..lines.len()).map(|n| self.result(form, n)).collect();
        let shader = load("same", text.as_bytes(), &options).shader?;
        Some(Program { text, shader, origin, lines })
    }

    fn result(&self, form: &Form, n: usize) -> String {
        if self.isa == "tgsi" { format!("TEMP[{n}]") } else { format!("{}{n}", form.result) }
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
        let mut case = LaneCase { state: vec![(self.attribute.into(), value.to_vec())], ..LaneCase::default() };
        case.state.push((self.constant.into(), value.to_vec()));
        for (lane, registers) in case.lanes.iter_mut().enumerate() {
            registers.push((self.other.into(), OTHERS[lane * 4..][..4].to_vec()));
        }
        let iface = &program.shader.func.iface;
        let has = |name: &str| iface.attrs.iter().any(|attr| attr.name == name);
        case.state.retain(|(name, _)| *name == self.constant || has(name));
        case.lanes.iter_mut().for_each(|registers| registers.retain(|(name, _)| has(name)));
        let lanes = run_lanes(compiled, &case).unwrap_or_else(|diags| panic!("{diags:?}\n{}", program.text));
        let bits = |n: usize, lane: usize| {
            let name = self.result(form, n);
            let values = lanes[lane].watched(&name).expect("watched");
            values.map(|value| value.map_or(0, |value| value.bits))
        };
        (0..program.lines.len()).map(|n| [0, 1, 2, 3].map(|lane| bits(n, lane))).collect()
    }

    /// Compares the origins under all models; `false` when the language has no such instruction.
    fn try_form(&self, form: &Form, models: &[(Model, [Model; 3])]) -> bool {
        let programs: Vec<Program> = ORIGINS.iter().filter_map(|origin| self.program(form, *origin)).collect();
        // An operand that is no value, such as a number of a texture, cannot come from everywhere.
        if !programs.iter().any(|p| p.origin == Origin::Constant)
            || !programs.iter().any(|p| p.origin == Origin::Attribute)
        {
            return false;
        }
        let groups = self.groups(form);
        // A probe that changes no rule of the program changes nothing.
        let rules = |model: &Model| programs[0].shader.bind(model).state.rules;
        let matters = |model: &Model, probe: &Model| rules(model) != rules(probe);
        let probes = models.iter().flat_map(|(model, probes)| probes.iter().filter(move |probe| matters(model, probe)));
        for model in models.iter().map(|(model, _)| model).chain(probes) {
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

    /// The mnemonics of which some form was tried.
    fn try_all(&self, mnemonics: &[String], shapes: &[&'static str], results: &[&'static str]) -> BTreeSet<String> {
        let models = models();
        let mut tried = BTreeSet::new();
        for mnemonic in mnemonics {
            for &result in results {
                for &shape in shapes {
                    let form = Form { mnemonic: mnemonic.clone(), shape, result };
                    if self.try_form(&form, &models) {
                        tried.insert(mnemonic.clone());
                        break;
                    }
                }
            }
        }
        tried
    }
}

#[test]
fn tgsi_computes_the_same_from_every_origin() {
    use parallax_tgsi::{Opcode, Operand};
    let names: Vec<String> =
        Opcode::all().flat_map(|op| [op.name().to_string(), format!("{}_SAT", op.name())]).collect();
    let tried = TGSI.try_all(&names, &["v", "vv", "vvv"], &[""]);
    for op in Opcode::all() {
        let (row, shape) = (op.row(), &op.row().shape);
        let values = shape.srcs().iter().all(|kind| matches!(kind, Operand::Float | Operand::Move));
        if values
            && (1..=3).contains(&shape.srcs().len())
            && shape.dsts == 1
            && !shape.target
            && row.unsupported().is_none()
        {
            assert!(tried.contains(row.name), "{} was not tried", row.name);
        }
    }
    assert!(tried.len() > 90, "{tried:?}");
}

/// In `!!FP1.0`, in all formats of operation and result.
#[test]
fn nv_programs_compute_the_same_from_every_origin() {
    use parallax_nvfp::{Group, TABLE};
    let names: Vec<String> =
        TABLE.iter().flat_map(|row| ["", "R", "H", "X"].map(|letter| format!("{}{letter}", row.name))).collect();
    let shapes = ["v", "vv", "vvv", "s", "ss"];
    let tried = FP10.try_all(&names, &shapes, &["R", "H"]);
    for row in
        TABLE.iter().filter(|row| row.fp10.is_some() && matches!(row.group, Group::Alu | Group::Pack | Group::Unpack))
    {
        // RFL has no w component.
        assert!(tried.contains(row.name) || row.name == "RFL", "{} was not tried", row.name);
    }
}

/// What only the ARB dialect has.
#[test]
fn arb_programs_compute_the_same_from_every_origin() {
    use parallax_nvfp::{Group, TABLE};
    let rows: Vec<_> =
        TABLE.iter().filter(|row| row.fp10.is_none() && row.nv2.is_some() && row.group == Group::Alu).collect();
    let names: Vec<String> =
        rows.iter().flat_map(|row| ["", "R", "H", "X"].map(|letter| format!("{}{letter}", row.name))).collect();
    let tried = ARB.try_all(&names, &["v", "vv", "vvv", "vs", "s"], &["temp"]);
    for row in rows {
        assert!(tried.contains(row.name) || row.name == "SWZ", "{} was not tried", row.name);
    }
}

#[test]
fn attila_computes_the_same_from_every_origin() {
    let names = parallax_attila::TABLE.families.iter().flat_map(|family| family.rows).map(|row| row.name.to_string());
    let names: BTreeSet<String> = names.collect();
    let names: Vec<String> = names.into_iter().collect();
    let tried = ATTILA.try_all(&names, &["v", "vv", "vvv"], &["r", "p"]);
    for name in ["add", "mul", "mad", "cmp", "max", "min", "dp3", "dph", "frc", "rcp", "rsq", "slt", "setpgt", "fxmul"]
    {
        assert!(tried.contains(name), "{name} was not tried: {tried:?}");
    }
}

#[test]
fn usc_computes_the_same_from_every_origin() {
    let names = "fadd fmul fmad fadd.sat fmul.sat fmad.sat mov sop frcp frsq fsqrt flog fexp gcmp gexp fsinc pck.s32 pck.f16f16 \
                 pck.u8888.scale unpck.f16f16 unpck.u8888.scale unpck.s32 uadd8 imad16 umadd32 fdsx fdsyf";
    let names: Vec<String> = names.split(' ').map(String::from).collect();
    let tried = USC.try_all(&names, &["s", "ss", "sss"], &["r"]);
    for name in names {
        assert!(tried.contains(&name), "{name} was not tried: {tried:?}");
    }
}
