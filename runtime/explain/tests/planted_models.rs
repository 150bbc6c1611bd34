//! A model differs from plain binary32 in one field of one operation, and in others that decide nothing. Programs of every
//! instruction set are written so that one instruction shows it: by their arithmetic, not by what is tested. The instruction and
//! the field have to be named.

use parallax::{Draw, Layout, LoadOptions, frontend, load};
use parallax_core::num::Model;
use parallax_core::{Shader, Symbolic};
use parallax_explain::{Explanation, Options, Place, explain};
use std::collections::BTreeMap;
use std::fmt::Write;

/// An operand.
#[derive(Copy, Clone, Debug)]
enum Arg {
    /// The first texture coordinate, from 0 to 1 across.
    X,
    /// The second one.
    Y,
    /// The second one, negated.
    MinusY,
    /// The result of an instruction.
    T(usize),
    /// A constant.
    K(f32),
}
use Arg::{K, MinusY, T, X, Y};

/// An instruction: the operation, and its operands. It writes the register of its number.
type Line = (&'static str, &'static [Arg]);

/// A program, a model, and what is to be found.
struct Case {
    /// What the model has beyond plain binary32.
    settings: &'static str,
    lines: &'static [Line],
    /// Instructions whose results are shown, at most three.
    shown: &'static [usize],
    /// Instructions that may be named: one, or several where the model does the same to each in a row.
    culprits: &'static [usize],
    /// Fields that may be named.
    fields: &'static [&'static str],
    /// What both models have beyond plain binary32; empty for nothing.
    base: &'static str,
    /// Sets that the case is for; empty for all that have the operations.
    sets: &'static [&'static str],
}

/// A small number on its way down, and up again: X * 1e-39, and X * 1e-9.
const SMALL: &[Line] = &[("mul", &[X, K(1e-20)]), ("mul", &[T(0), K(1e-19)]), ("mul", &[T(1), K(1e30)])];
/// The same doubled where it is small.
const DOUBLED: &[Line] =
    &[("mul", &[X, K(1e-20)]), ("mul", &[T(0), K(1e-19)]), ("add", &[T(1), T(1)]), ("mul", &[T(2), K(1e30)])];
/// Zero times infinity, and a product that is nothing special.
const ZERO: &[Line] = &[("add", &[MinusY, Y]), ("rcp", &[T(0)]), ("mul", &[T(0), T(1)]), ("mul", &[X, K(0.5)])];

const fn case(
    settings: &'static str,
    lines: &'static [Line],
    shown: &'static [usize],
    culprits: &'static [usize],
    fields: &'static [&'static str],
) -> Case {
    Case { settings, lines, shown, culprits, fields, base: "", sets: &[] }
}

const CASES: &[Case] = &[
    case(
        "mul.round=rtz,mul.zero_mul=zero",
        &[("mul", &[X, K(0.5)]), ("mul", &[X, K(0.3)]), ("add", &[T(1), Y])],
        &[0, 2],
        &[1],
        &["round"],
    ),
    case(
        "mul.round=rup",
        &[("mul", &[X, K(0.3)]), ("mul", &[Y, K(0.25)]), ("mul", &[T(1), K(4.0)])],
        &[0, 2],
        &[0],
        &["round"],
    ),
    case(
        "fp32.mul.format=float(1.8.11)",
        &[("mul", &[K(0.5), K(0.25)]), ("mul", &[X, K(0.3)]), ("add", &[T(1), Y])],
        &[0, 2],
        &[1],
        &["format"],
    ),
    case(
        "add.round=rtz,add.denorm_out=flush",
        &[("add", &[K(0.5), K(0.25)]), ("add", &[X, K(0.3)])],
        &[0, 1],
        &[1],
        &["round"],
    ),
    case(
        "fp32.add.format=float(1.8.11)",
        &[("add", &[X, K(0.3)]), ("add", &[K(0.5), K(0.25)]), ("mul", &[T(0), Y])],
        &[1, 2],
        &[0],
        &["format"],
    ),
    case(
        "mad.mad=separate,mul.zero_mul=zero",
        &[("mad", &[X, K(0.5), Y]), ("mad", &[X, K(0.3), Y])],
        &[0, 1],
        &[1],
        &["mad"],
    ),
    case(
        "fma.fma=mad,fma.mad=separate",
        // The product alone, taken from itself: what one rounding leaves.
        &[("mul", &[X, K(-0.3)]), ("fma", &[X, K(0.3), T(0)]), ("fma", &[X, K(0.5), Y])],
        &[1, 2],
        &[1],
        &["fma", "mad"],
    ),
    case("mul.denorm_out=flush", SMALL, &[2, 0], &[1], &["denorm_out"]),
    case("mul.denorm_in=flush", SMALL, &[2, 0], &[2], &["denorm_in"]),
    // Flushed where it is made and where it is read.
    case("mul.denorm_in=flush,mul.denorm_out=flush", SMALL, &[2, 0], &[1, 2], &["denorm_in", "denorm_out"]),
    case(
        "mul.denorm_out=flush,add.denorm_in=flush,add.denorm_out=flush",
        DOUBLED,
        &[3],
        &[1, 2],
        &["denorm_in", "denorm_out"],
    ),
    case("add.denorm_in=flush", DOUBLED, &[3], &[2], &["denorm_in"]),
    case("add.denorm_out=flush,mul.round=rne", DOUBLED, &[3], &[2], &["denorm_out"]),
    case("mul.zero_mul=zero", ZERO, &[2, 3], &[2], &["zero_mul"]),
    case(
        "rcp.round=rtz,mul.zero_mul=zero",
        &[("rcp", &[K(0.5)]), ("rcp", &[X]), ("mul", &[T(1), Y])],
        &[0, 2],
        &[1],
        &["round"],
    ),
    case("fp32.rcp.format=float(1.8.11)", &[("rcp", &[K(0.5)]), ("rcp", &[Y])], &[0, 1], &[1], &["format"]),
    case("rsq.round=rup", &[("rsq", &[X]), ("rsq", &[K(0.25)])], &[0, 1], &[0], &["round"]),
    case("exp2.round=rtz", &[("ex2", &[K(2.0)]), ("ex2", &[X])], &[0, 1], &[1], &["round"]),
    case("fp32.log2.format=float(1.8.11)", &[("lg2", &[K(8.0)]), ("lg2", &[X])], &[0, 1], &[1], &["format"]),
    case(
        "max.minmax_nan=nan",
        &[
            ("add", &[MinusY, Y]),
            ("rcp", &[T(0)]),
            ("mul", &[T(0), T(1)]),
            ("max", &[K(0.5), T(2)]),
            ("max", &[X, K(0.5)]),
        ],
        &[3, 4],
        &[3],
        &["minmax_nan"],
    ),
    // Half a texel from two neighbours, a weight is on every grid.
    case("texture_linear=rtz4", &[("tex", &[K(0.5)]), ("tex", &[X])], &[0, 1], &[1], &["texture_linear"]),
    // What is read is converted where the format is another one: an attribute, and a constant.
    Case {
        base: "fp32.format=fp24",
        sets: &["attila", "arb", "fp1.0", "nv40", "tgsi"],
        ..case("fp32.cvt.round=rtz", &[("mul", &[K(0.5), K(0.25)]), ("add", &[X, K(0.5)])], &[0, 1], &[1], &["round"])
    },
    Case {
        base: "fp32.format=fp24",
        sets: &["attila", "arb", "tgsi", "usc"],
        ..case(
            "fp32.cvt.round=rup",
            &[("mul", &[K(0.5), K(0.25)]), ("mul", &[T(0), K(0.7)])],
            &[0, 1],
            &[1],
            &["round"],
        )
    },
    Case {
        sets: &["spirv"],
        ..case(
            "driver=contract",
            &[("mul", &[X, K(0.3)]), ("add", &[T(0), Y]), ("add", &[X, Y])],
            &[1, 2],
            &[1],
            &["driver"],
        )
    },
    Case {
        sets: &["fp1.0", "spirv"],
        ..case(
            "driver=reassociate",
            &[("mul", &[X, Y]), ("mul", &[T(0), K(0.3)]), ("mul", &[X, K(0.5)])],
            &[1, 2],
            &[0, 1],
            &["driver"],
        )
    },
];

/// How an instruction set writes a program.
struct Set {
    name: &'static str,
    /// Operations by their names here, with `{d}` for the register, `{a}`, `{b}`, `{c}` for operands.
    ops: &'static [(&'static str, &'static str)],
    before: &'static str,
    /// Operands: X, Y, a register, a constant. `{n}` is its number, `{v}` its value.
    operands: [&'static str; 4],
    /// A negated operand.
    minus: &'static str,
    /// Shows a register: `{o}` is the component, `{xyzw}` its name.
    out: &'static str,
    after: &'static str,
}

const SETS: &[Set] = &[
    Set {
        name: "attila",
        ops: &[
            ("mul", "mul r{d}.x, {a}, {b}"),
            ("add", "add r{d}.x, {a}, {b}"),
            ("mad", "mad r{d}.x, {a}, {b}, {c}"),
            ("rcp", "rcp r{d}.x, {a}"),
            ("tex", "tex r{d}, {a}, t0"),
            ("rsq", "rsq r{d}.x, {a}"),
            ("ex2", "ex2 r{d}.x, {a}"),
            ("lg2", "lg2 r{d}.x, {a}"),
            ("max", "max r{d}.x, {a}, {b}"),
        ],
        before: "",
        operands: ["i0.x", "i0.y", "r{n}.x", "c{n}.x"],
        minus: "-{a}",
        out: "mov o1.{xyzw}, r{n}.x",
        after: "",
    },
    Set {
        name: "arb",
        ops: &[
            ("mul", "MUL t{d}.x, {a}, {b};"),
            ("add", "ADD t{d}.x, {a}, {b};"),
            ("mad", "MAD t{d}.x, {a}, {b}, {c};"),
            ("rcp", "RCP t{d}.x, {a};"),
            ("tex", "TEX t{d}, {a}, texture[0], 2D;"),
            ("rsq", "RSQ t{d}.x, {a};"),
            ("ex2", "EX2 t{d}.x, {a};"),
            ("lg2", "LG2 t{d}.x, {a};"),
            ("max", "MAX t{d}.x, {a}, {b};"),
        ],
        before: "!!ARBfp1.0\nPARAM c[8] = { program.local[0..7] };\nTEMP t0, t1, t2, t3, t4;\n",
        operands: ["fragment.texcoord[0].x", "fragment.texcoord[0].y", "t{n}.x", "c[{n}].x"],
        minus: "-{a}",
        out: "MOV result.color.{xyzw}, t{n}.x;",
        after: "END\n",
    },
    Set {
        name: "fp1.0",
        ops: &[
            ("mul", "MULR R{d}.x, {a}, {b};"),
            ("add", "ADDR R{d}.x, {a}, {b};"),
            ("mad", "MADR R{d}.x, {a}, {b}, {c};"),
            ("tex", "TEX R{d}, {a}, TEX0, 2D;"),
            ("rcp", "RCPR R{d}.x, {a};"),
            ("ex2", "EX2R R{d}.x, {a};"),
            ("lg2", "LG2R R{d}.x, {a};"),
            ("max", "MAXR R{d}.x, {a}, {b};"),
        ],
        before: "!!FP1.0\n",
        operands: ["f[TEX0].x", "f[TEX0].y", "R{n}.x", "{v}"],
        minus: "-{a}",
        out: "MOVR o[COLR].{xyzw}, R{n}.x;",
        after: "END\n",
    },
    Set {
        name: "nv40",
        ops: &[
            ("mul", "MULR R{d}.x, {a}, {b}"),
            ("add", "ADDR R{d}.x, {a}, {b}"),
            ("mad", "MADR R{d}.x, {a}, {b}, {c}"),
            ("rcp", "RCPR R{d}.x, {a}"),
            ("ex2", "EX2R R{d}.x, {a}"),
            ("lg2", "LG2R R{d}.x, {a}"),
            ("max", "MAXR R{d}.x, {a}, {b}"),
        ],
        // An instruction has one constant at most.
        before: "{constants}",
        operands: ["f[TEX0].x", "f[TEX0].y", "R{n}.x", "R2{n}.x"],
        minus: "-{a}",
        out: "MOVR R0.{xyzw}, R{n}.x",
        after: "MOVR R0.w, {1, 0, 0, 0}.x ; end\n",
    },
    Set {
        name: "usc",
        ops: &[
            ("mul", "{l} : fmul ft0, {a}, {b}\n mov r{d}, ft0"),
            ("add", "{l} : fadd ft0, {a}, {b}\n mov r{d}, ft0"),
            ("mad", "{l} : fmad ft0, {a}, {b}, {c}\n mov r{d}, ft0"),
            ("rcp", "{l} : frcp r{d}, {a}"),
            ("rsq", "{l} : frsq r{d}, {a}"),
            ("ex2", "{l} : fexp r{d}, {a}"),
            ("lg2", "{l} : flog r{d}, {a}"),
        ],
        before: "0 : fitrp.pixel r0, drc0, cf4, cf0, 2\n1 : wdf drc0\n",
        operands: ["r0", "r1", "r{n}", "sh{n}"],
        minus: "{a}.neg",
        out: "{l} : mov ft0, r{n}\n mov o{o}, ft0",
        after: "{l} : nop.end\n",
    },
    Set {
        name: "spa5",
        ops: &[
            ("mul", "FMUL R{d}, {a}, {b} &req={0} ?stall6"),
            ("add", "FADD R{d}, {a}, {b} &req={0} ?stall6"),
            ("fma", "FFMA R{d}, {a}, {b}, {c} &req={0} ?stall6"),
            ("rcp", "MUFU.RCP R{d}, {a} &req={0} &wr=0 ?stall2"),
            ("rsq", "MUFU.RSQ R{d}, {a} &req={0} &wr=0 ?stall2"),
            ("lg2", "MUFU.LG2 R{d}, {a} &req={0} &wr=0 ?stall2"),
        ],
        before: ".header type 2\n.header version 3\n.header stage pixel\n.header sass_version 1\n.header position w\n\
                 .header generic0 perspective perspective unused unused\n.header target0 rgba\n\
                 IPA.PASS R0, a[0x7c], RZ &wr=0 ?stall2\nMUFU.RCP R0, R0 &req={0} &wr=0 ?stall2\n\
                 IPA R6, a[0x80], R0 &req={0} &wr=0 ?stall2\nIPA R7, a[0x84], R0 &req={0} &wr=0 ?stall2\n{constants}",
        operands: ["R6", "R7", "R{n}", "R2{n}"],
        minus: "-{a}",
        out: "MOV R{o}, R{n} &req={0} ?stall6",
        after: "MOV32I R3, 0x3f800000 ?stall6\nEXIT ?stall15\n",
    },
    Set {
        name: "gcn",
        ops: &[
            ("mul", "v_mul_f32_e64 v{d}, {a}, {b}"),
            ("add", "v_add_f32_e64 v{d}, {a}, {b}"),
            ("mad", "v_mad_f32 v{d}, {a}, {b}, {c}"),
            ("rcp", "v_rcp_f32 v{d}, {a}"),
            ("ex2", "v_exp_f32 v{d}, {a}"),
            ("lg2", "v_log_f32 v{d}, {a}"),
            ("rsq", "v_rsq_f32 v{d}, {a}"),
        ],
        before: "v_interp_p1_f32 v2, v0, attr0.x\nv_interp_p2_f32 v2, v1, attr0.x\nv_interp_p1_f32 v3, v0, attr0.y\n\
                 v_interp_p2_f32 v3, v1, attr0.y\nv_mov_b32 v20, 1.0\nv_mov_b32 v21, 1.0\nv_mov_b32 v22, 1.0\nv_mov_b32 v23, 1.0\n{constants}",
        operands: ["v2", "v3", "v{n}", "v3{n}"],
        minus: "neg({a})",
        out: "v_mov_b32 v2{o}, v{n}",
        after: "exp mrt0 v20, v21, v22, v23 done vm\ns_endpgm\n",
    },
    Set {
        name: "tgsi",
        ops: &[
            ("mul", "MUL TEMP[{d}].x, {a}, {b}"),
            ("add", "ADD TEMP[{d}].x, {a}, {b}"),
            ("mad", "MAD TEMP[{d}].x, {a}, {b}, {c}"),
            ("fma", "FMA TEMP[{d}].x, {a}, {b}, {c}"),
            ("rcp", "RCP TEMP[{d}].x, {a}"),
            ("tex", "TEX TEMP[{d}], {a}, SAMP[0], 2D"),
            ("rsq", "RSQ TEMP[{d}].x, {a}"),
            ("ex2", "EX2 TEMP[{d}].x, {a}"),
            ("lg2", "LG2 TEMP[{d}].x, {a}"),
            ("max", "MAX TEMP[{d}].x, {a}, {b}"),
        ],
        before: "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL CONST[0..7]\nDCL TEMP[0..7]\nDCL SAMP[0]\n",
        operands: ["IN[0].xxxx", "IN[0].yyyy", "TEMP[{n}].xxxx", "CONST[{n}].xxxx"],
        minus: "-{a}",
        out: "MOV OUT[0].{xyzw}, TEMP[{n}].xxxx",
        after: "END\n",
    },
    Set {
        name: "spirv",
        ops: &[
            ("mul", "%t{d} = OpFMul %float {a} {b}"),
            ("add", "%t{d} = OpFAdd %float {a} {b}"),
            ("fma", "%t{d} = OpExtInst %float %glsl Fma {a} {b} {c}"),
            ("rsq", "%t{d} = OpExtInst %float %glsl InverseSqrt {a}"),
            ("ex2", "%t{d} = OpExtInst %float %glsl Exp2 {a}"),
            ("lg2", "%t{d} = OpExtInst %float %glsl Log2 {a}"),
        ],
        before: "OpCapability Shader\n%glsl = OpExtInstImport \"GLSL.std.450\"\nOpMemoryModel Logical GLSL450\n\
                 OpEntryPoint Fragment %main \"main\" %uv %color\nOpExecutionMode %main OriginUpperLeft\nOpDecorate %uv Location 0\n\
                 OpDecorate %color Location 0\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%float = OpTypeFloat 32\n\
                 %v4 = OpTypeVector %float 4\n%in4 = OpTypePointer Input %v4\n%out4 = OpTypePointer Output %v4\n\
                 %uv = OpVariable %in4 Input\n%color = OpVariable %out4 Output\n{constants}\
                 %main = OpFunction %void None %fn\n%begin = OpLabel\n%place = OpLoad %v4 %uv\n%x = OpCompositeExtract %float %place 0\n\
                 %y = OpCompositeExtract %float %place 1\n%minus = OpFNegate %float %y\n",
        operands: ["%x", "%y", "%t{n}", "%k{n}"],
        minus: "%minus",
        out: "",
        after: "%result = OpCompositeConstruct %v4 {shown}\nOpStore %color %result\nOpReturn\nOpFunctionEnd\n",
    },
];

/// A program in the text of a set.
struct Written {
    text: String,
    /// The line of each instruction from 1.
    places: Vec<usize>,
    constants: Vec<f32>,
}

impl Set {
    /// The first register that instructions write.
    fn first(&self) -> usize {
        if matches!(self.name, "usc" | "spa5" | "gcn" | "fp1.0" | "nv40") { 10 } else { 0 }
    }

    /// `None` where the set has an operation not.
    fn write(&self, case: &Case) -> Option<Written> {
        let mut constants: Vec<f32> = Vec::new();
        let mut lines = String::new();
        let mut at = Vec::new();
        let mut label = 2;
        for (n, (op, args)) in case.lines.iter().enumerate() {
            let (_, form) = self.ops.iter().find(|(name, _)| name == op)?;
            let mut line = form.replace("{d}", &(self.first() + n).to_string()).replace("{l}", &label.to_string());
            for (arg, place) in args.iter().zip(["{a}", "{b}", "{c}"]) {
                line = line.replace(place, &self.operand(*arg, &mut constants));
            }
            at.push(lines.lines().count());
            let _ = writeln!(lines, "{line}");
            label += 1;
        }
        for (o, n) in case.shown.iter().enumerate().filter(|_| !self.out.is_empty()) {
            let out = self.out.replace("{n}", &(self.first() + n).to_string()).replace("{o}", &o.to_string());
            let _ = writeln!(lines, "{}", out.replace("{xyzw}", &"xyzw"[o..=o]).replace("{l}", &label.to_string()));
            label += 1;
        }
        let declare = |(n, k): (usize, &f32)| match self.name {
            "nv40" => format!("MOVR R2{n}.x, {{{}, 0, 0, 0}}.x\n", spelled(*k)),
            "spa5" => format!("MOV R2{n}, c[0x0][{:#x}] ?stall6\n", 16 * n),
            "gcn" => format!("v_mov_b32 v3{n}, s{}\n", 4 * n),
            _ => format!("%k{n} = OpConstant %float {}\n", spelled(*k)),
        };
        let declared: String = constants.iter().enumerate().map(declare).collect();
        let before = self.before.replace("{constants}", &declared);
        let shown: Vec<String> = (0..4).map(|o| format!("%t{}", case.shown.get(o).unwrap_or(&case.shown[0]))).collect();
        let after = self.after.replace("{shown}", &shown.join(" ")).replace("{l}", &label.to_string());
        let first = before.lines().count() + 1;
        let places = at.into_iter().map(|line| first + line).collect();
        Some(Written { text: format!("{before}{lines}{after}"), places, constants })
    }

    fn operand(&self, arg: Arg, constants: &mut Vec<f32>) -> String {
        let [x, y, register, constant] = self.operands;
        match arg {
            X => x.into(),
            Y => y.into(),
            MinusY => self.minus.replace("{a}", y),
            T(n) => register.replace("{n}", &(self.first() + n).to_string()),
            K(value) => {
                let n = constants.iter().position(|known| *known == value).unwrap_or_else(|| {
                    constants.push(value);
                    constants.len() - 1
                });
                constant.replace("{n}", &n.to_string()).replace("{v}", &spelled(value))
            }
        }
    }

    /// Reads a program; microcode is assembled first.
    fn load(&self, written: &Written) -> Shader<Symbolic> {
        let (name, bytes) = match self.name {
            "nv40" => {
                let machine = frontend("nvfp").and_then(|found| found.machine).expect("it has machine words");
                let (words, diags) = (machine.assemble)(&written.text, &Layout::default(), true);
                ("a.nv40", words.unwrap_or_else(|| panic!("{}\n{diags:#?}", written.text)))
            }
            "attila" => ("a.attila", written.text.clone().into_bytes()),
            "arb" | "fp1.0" => ("a.fp", written.text.clone().into_bytes()),
            "usc" => ("a.usc", written.text.clone().into_bytes()),
            "spa5" => ("a.spa5", written.text.clone().into_bytes()),
            "gcn" => ("a.gcn", written.text.clone().into_bytes()),
            "tgsi" => ("a.tgsi", written.text.clone().into_bytes()),
            _ => ("a.spvasm", written.text.clone().into_bytes()),
        };
        let loaded = load(name, &bytes, &LoadOptions::default());
        loaded.shader.unwrap_or_else(|| panic!("{}: {}\n{:#?}", self.name, written.text, loaded.diags))
    }
}

/// With a point or an exponent.
fn spelled(value: f32) -> String {
    format!("{value:?}")
}

fn explained(set: &Set, case: &Case, written: &Written) -> Explanation {
    let shader = set.load(written);
    let mut draw = Draw::defaults(&shader.func.iface).expect("a draw");
    (draw.width, draw.height) = (10, 10);
    for bank in &mut draw.banks {
        for (n, value) in written.constants.iter().enumerate() {
            // One component of a vector each, or a vector each.
            if set.name == "usc" {
                if let Some(vector) = bank.get_mut(n / 4) {
                    vector[n % 4] = value.to_bits();
                }
            } else if let Some(vector) = bank.get_mut(n) {
                *vector = [value.to_bits(); 4];
            }
        }
    }
    let model = |name: &str| Model::parse(name).unwrap_or_else(|e| panic!("{name}: {e:?}"));
    let settings = |parts: &[&str]| -> String {
        let parts: Vec<&str> = parts.iter().copied().filter(|part| !part.is_empty()).collect();
        if parts.is_empty() { "ieee".into() } else { format!("ieee[{}]", parts.join(",")) }
    };
    let (own, base) = (model(&settings(&[case.base, case.settings])), model(&settings(&[case.base])));
    let options = Options { brief: true, ..Options::default() };
    explain(&shader, &draw, &own, &base, &options).unwrap_or_else(|e| panic!("{}: {e}", set.name))
}

impl Case {
    fn names(&self, set: &Set, written: &Written, place: &Place) -> bool {
        self.culprits.iter().any(|&n| match set.name {
            "nv40" => place.index == Some(n + written.constants.len()),
            _ => place.line as usize == written.places[n],
        })
    }
}

#[test]
fn what_is_planted_is_named() {
    let (mut tried, mut right) = (0, 0);
    let mut wrong = Vec::new();
    let mut by_set: BTreeMap<&str, usize> = BTreeMap::new();
    let mut by_field: BTreeMap<&str, usize> = BTreeMap::new();
    for case in CASES {
        for set in SETS.iter().filter(|set| case.sets.is_empty() || case.sets.contains(&set.name)) {
            let Some(written) = set.write(case) else { continue };
            let found = explained(set, case, &written);
            tried += 1;
            *by_set.entry(set.name).or_default() += 1;
            *by_field.entry(case.fields[0]).or_default() += 1;
            let first = found.ranking.instructions.first();
            let place = first.is_some_and(|blame| case.names(set, &written, &blame.place));
            let field = first.and_then(|blame| blame.fields.first()).map(|field| (field.op, field.field));
            if place && field.is_some_and(|(_, field)| case.fields.contains(&field)) {
                right += 1;
            } else {
                let named = first.map(|blame| (blame.place.line, &blame.place.text, blame.fixed, blame.caused));
                wrong.push(format!(
                    "{} {}: {named:?} {field:?}, {:?}\n{}",
                    set.name, case.settings, found.whole, written.text
                ));
            }
        }
    }
    assert!(tried >= 120 && by_set.len() == SETS.len() && by_set.values().all(|n| *n >= 10), "{tried}: {by_set:?}");
    assert_eq!(by_field.len(), 10, "{by_field:?}");
    assert!(right * 100 >= tried * 95, "{right} of {tried}:\n{}", wrong.join("\n"));
}
