//! Beside Cranelift: the same programs optimised and made into code, under `ieee`.
//!
//! A program is one straight block of binary32 arithmetic. Cranelift gets it as four lanes (`f32x4`, the widest it has), built from
//! the bound IR: a read is a load that may move, of a constant also a `splat`. It gives x86's NaN where parallax gives the
//! model's, and knows no lanes that are not covered, no batch, no slow path; what it makes is measured as it is.
//!
//! With `CRANELIFT_CODE` set to a folder Cranelift's code is written there, for `benches/cranelift/run.sh`, which runs it, and a
//! file `parallax` says how fast that of parallax runs on the same lanes.

use cranelift_codegen::Context;
use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::cursor::{Cursor, FuncCursor};
use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::immediates::Ieee32;
use cranelift_codegen::ir::types::{F32, F32X4, I64};
use cranelift_codegen::ir::{AbiParam, Function, InstBuilder, MemFlagsData, Signature, UserFuncName, Value};
use cranelift_codegen::isa::{CallConv, OwnedTargetIsa, lookup_by_name};
use cranelift_codegen::settings::{Configurable, Flags, builder};
use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use parallax::{Draw, Level, LoadOptions, load};
use parallax_benches::{PROGRAMS, chain};
use parallax_core::backend::Executable;
use parallax_core::exec::{Inputs, Memory, NoInterpolator, Outputs};
use parallax_core::num::{Model, Op};
use parallax_core::{Bound, OpKind, Shader, ValueId, verify};
use parallax_num::{Lrp, Mad, Saturate};
use parallax_opt::{NoObserver, canonicalise, optimise};
use parallax_step::Programs;
use std::collections::HashMap;
use std::fmt::Write;
use std::hint::black_box;
use std::time::Instant;

/// Two lights without roots and powers, which Cranelift has no instructions for.
const LIGHTING: &str = "FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL IN[1], GENERIC[1], PERSPECTIVE
DCL IN[2], GENERIC[2], PERSPECTIVE
DCL OUT[0], COLOR
DCL CONST[0][0..15]
DCL TEMP[0..7]
IMM[0] FLT32 {0.0, 0.5, 1.0, 2.0}
  0: ADD TEMP[0].xyz, CONST[0][1], -IN[0]
  1: DP3 TEMP[1].x, TEMP[0], IN[1]
  2: MAX TEMP[1].x, TEMP[1].xxxx, IMM[0].xxxx
  3: MUL TEMP[2], CONST[0][2], TEMP[1].xxxx
  4: DP3 TEMP[1].y, TEMP[0], IN[2]
  5: MAX TEMP[1].y, TEMP[1].yyyy, IMM[0].xxxx
  6: MUL TEMP[1].y, TEMP[1].yyyy, TEMP[1].yyyy
  7: MUL TEMP[1].y, TEMP[1].yyyy, TEMP[1].yyyy
  8: MAD TEMP[2], CONST[0][3], TEMP[1].yyyy, TEMP[2]
  9: ADD TEMP[3].xyz, CONST[0][4], -IN[0]
 10: DP3 TEMP[1].z, TEMP[3], IN[1]
 11: MAX TEMP[1].z, TEMP[1].zzzz, IMM[0].xxxx
 12: MAD TEMP[2], CONST[0][5], TEMP[1].zzzz, TEMP[2]
 13: DP3 TEMP[1].w, TEMP[3], IN[2]
 14: MAX TEMP[1].w, TEMP[1].wwww, IMM[0].xxxx
 15: MUL TEMP[1].w, TEMP[1].wwww, TEMP[1].wwww
 16: MUL TEMP[1].w, TEMP[1].wwww, TEMP[1].wwww
 17: MAD TEMP[2], CONST[0][6], TEMP[1].wwww, TEMP[2]
 18: MAD TEMP[4], IN[2], CONST[0][7], CONST[0][8]
 19: LRP TEMP[5], CONST[0][9], TEMP[4], TEMP[2]
 20: MUL_SAT OUT[0], TEMP[5], CONST[0][10]
 21: END
";

/// One program on its way to a function of Cranelift.
struct Maker<'a> {
    shader: &'a Shader<Bound>,
    values: HashMap<ValueId, Value>,
    at: FuncCursor<'a>,
    /// Pointers to attributes (16 bytes a component), constants (4 bytes a component), outputs.
    params: [Value; 3],
}

impl Maker<'_> {
    fn literal(&mut self, bits: u32) -> Value {
        let scalar = self.at.ins().f32const(Ieee32::with_bits(bits));
        self.at.ins().splat(F32X4, scalar)
    }

    fn greater(&mut self, a: Value, b: Value) -> Value {
        let mask = self.at.ins().fcmp(FloatCC::GreaterThan, a, b);
        let mask = self.at.ins().bitcast(
            F32X4,
            MemFlagsData::new().with_endianness(cranelift_codegen::ir::Endianness::Little),
            mask,
        );
        self.at.ins().bitselect(mask, a, b)
    }

    fn num(&mut self, op: Op, rule: &parallax_num::Rule, args: &[Value]) -> Value {
        let sum = |maker: &mut Self, a: Value, b: Value, c: Value| match rule.mad {
            Mad::Fused => maker.at.ins().fma(a, b, c),
            _ => {
                let product = maker.at.ins().fmul(a, b);
                maker.at.ins().fadd(product, c)
            }
        };
        let result = match (op, args) {
            (Op::Add, &[a, b]) => self.at.ins().fadd(a, b),
            (Op::Sub, &[a, b]) => self.at.ins().fsub(a, b),
            (Op::Mul, &[a, b]) => self.at.ins().fmul(a, b),
            (Op::Mad, &[a, b, c]) => sum(self, a, b, c),
            (Op::Neg, &[a]) => self.at.ins().fneg(a),
            (Op::Max, &[a, b]) => self.greater(a, b),
            (Op::Dot3, &[a, b, c, x, y, z]) => {
                let first = self.at.ins().fmul(a, x);
                let second = self.at.ins().fma(b, y, first);
                self.at.ins().fma(c, z, second)
            }
            (Op::Lrp, &[a, b, c]) => {
                let one = self.literal(1.0f32.to_bits());
                match rule.lrp {
                    Lrp::FmaBlend | Lrp::Blend => {
                        let rest = self.at.ins().fsub(one, a);
                        let low = self.at.ins().fmul(rest, c);
                        if rule.lrp == Lrp::FmaBlend {
                            self.at.ins().fma(a, b, low)
                        } else {
                            let high = self.at.ins().fmul(a, b);
                            self.at.ins().fadd(high, low)
                        }
                    }
                    Lrp::Difference => {
                        let difference = self.at.ins().fsub(b, c);
                        sum(self, a, difference, c)
                    }
                }
            }
            (Op::Cvt, &[a]) => a,
            _ => panic!("`{op}` is not made for Cranelift"),
        };
        if rule.saturate == Saturate::None {
            return result;
        }
        let (zero, one) = (self.literal(0), self.literal(1.0f32.to_bits()));
        let low = self.greater(result, zero);
        let mask = self.at.ins().fcmp(FloatCC::LessThan, low, one);
        let mask = self.at.ins().bitcast(
            F32X4,
            MemFlagsData::new().with_endianness(cranelift_codegen::ir::Endianness::Little),
            mask,
        );
        self.at.ins().bitselect(mask, low, one)
    }

    fn run(mut self) {
        let func = &self.shader.func;
        let fixed = MemFlagsData::trusted().with_readonly().with_can_move();
        for &op in &func.regions[func.body].ops {
            let data = &func.ops[op];
            let args: Vec<Value> = data.args.iter().map(|arg| self.values[arg]).collect();
            let value = match data.kind {
                OpKind::Literal(bits) => self.literal(bits as u32),
                OpKind::Attr { index, comp } => {
                    let at = (i32::from(index) * 4 + i32::from(comp)) * 16;
                    self.at.ins().load(F32X4, fixed, self.params[0], at)
                }
                OpKind::Const { index, comp, .. } => {
                    let at = (index as i32 * 4 + i32::from(comp)) * 4;
                    let scalar = self.at.ins().load(F32, fixed, self.params[1], at);
                    self.at.ins().splat(F32X4, scalar)
                }
                OpKind::Num(asked) => {
                    let rule = self.shader.state.rules[data.rule.expect("a float")];
                    self.num(asked, &rule, &args)
                }
                OpKind::Out { index, comp } => {
                    let at = (i32::from(index) * 4 + i32::from(comp)) * 16;
                    self.at.ins().store(MemFlagsData::trusted(), args[0], self.params[2], at);
                    continue;
                }
                OpKind::Yield => {
                    self.at.ins().return_(&[]);
                    continue;
                }
                kind => panic!("`{kind}` is not made for Cranelift"),
            };
            self.values.insert(data.results[0], value);
        }
    }
}

/// The body of a shader for Cranelift.
fn clif(shader: &Shader<Bound>) -> Function {
    let mut signature = Signature::new(CallConv::SystemV);
    signature.params = vec![AbiParam::new(I64); 3];
    let mut function = Function::with_name_signature(UserFuncName::default(), signature);
    let block = function.dfg.make_block();
    let params = std::array::from_fn(|_| function.dfg.append_block_param(block, I64));
    let mut at = FuncCursor::new(&mut function);
    at.insert_block(block);
    Maker { shader, values: HashMap::new(), at, params }.run();
    function
}

fn isa(level: &str, allocator: &str) -> OwnedTargetIsa {
    let mut flags = builder();
    for (name, value) in [("opt_level", level), ("regalloc_algorithm", allocator), ("enable_verifier", "false")] {
        flags.set(name, value).expect("a setting");
    }
    let mut host = lookup_by_name("x86_64").expect("a target");
    for feature in ["sse3", "ssse3", "sse4_1", "sse4_2", "avx", "avx2", "fma"] {
        host.enable(&format!("has_{}", feature.replace("4_", "4"))).expect("a feature");
    }
    host.finish(Flags::new(flags)).expect("a target")
}

fn bound(text: &str, model: &Model) -> Shader<Bound> {
    let loaded = load("bench.tgsi", text.as_bytes(), &LoadOptions::default());
    canonicalise(loaded.shader.expect("a program that loads")).bind(model)
}

/// Runs Cranelift on a copy of a function.
fn code(function: &Function, isa: &OwnedTargetIsa) -> Vec<u8> {
    let mut context = Context::for_function(function.clone());
    let code = context.compile(&**isa, &mut ControlPlane::default()).expect("compiles");
    code.code_buffer().to_vec()
}

/// Million lanes per second of parallax's code: batches of 1,024 lanes with the inputs of `benches/cranelift/run.c`, the best of
/// as many turns.
fn lanes_per_second(shader: &Shader<Bound>, level: Level, programs: &mut Programs) -> f64 {
    // With 1,024 all rows would have the same place in the first cache, which holds fewer of them.
    const LANES: usize = 960;
    const ROUNDS: usize = 40;
    const TURNS: usize = 40;
    let code = parallax_x86::compile(verify(shader).expect("sound"), level, programs).expect("compiles");
    let draw = Draw::defaults(&shader.func.iface).expect("defaults");
    let planes = shader.func.iface.attrs.len() * 4 * LANES;
    let attrs: Vec<u32> = (0..planes).map(|n| (0.1 + (n % 977) as f32 / 1000.0).to_bits()).collect();
    let constant = |n: usize, k: usize| (0.1 + 0.03 * n as f32 + 0.05 * k as f32).to_bits();
    let bank: Vec<[u32; 4]> = (0..64).map(|n| std::array::from_fn(|k| constant(n, k))).collect();
    let inputs = Inputs {
        lanes: LANES,
        attrs: &attrs,
        banks: &[&bank],
        sysvals: &[],
        covered: &[true; LANES],
        textures: &draw.textures,
        interpolator: &NoInterpolator,
        fuel: draw.fuel,
    };
    let mut outputs = Outputs::default();
    let mut runner = code.runner();
    let turn = |_| {
        let start = Instant::now();
        for _ in 0..ROUNDS {
            runner.run(black_box(&inputs), Memory::NONE, &mut outputs);
        }
        start.elapsed().as_secs_f64()
    };
    let best = (0..TURNS).map(turn).fold(f64::INFINITY, f64::min);
    (LANES * ROUNDS) as f64 / best / 1e6
}

fn compare(c: &mut Criterion) {
    let model = Model::builtin("ieee").expect("a built-in model");
    let long = [256, 4096].map(|n| (format!("chain_{n}"), chain(n, false)));
    let texts = PROGRAMS.iter().filter(|p| matches!(p.name, "blend" | "mad_chain")).map(|p| (p.name, p.text));
    let texts = texts.chain([("lighting", LIGHTING)]).chain(long.iter().map(|(name, text)| (&**name, &**text)));
    let texts: Vec<(&str, &str)> = texts.collect();
    let speed = isa("speed", "backtracking");

    // Elements are Cranelift's instructions on both sides: ratios of rates are ratios of times.
    let mut group = c.benchmark_group("beside cranelift: optimise");
    for &(name, text) in &texts {
        let shader = bound(text, &model);
        let function = clif(&shader);
        group.throughput(Throughput::Elements(function.dfg.num_insts() as u64));
        group.bench_function(BenchmarkId::new("parallax", name), |b| {
            b.iter_batched(|| shader.clone(), |shader| optimise(shader, &mut NoObserver), BatchSize::SmallInput);
        });
        group.bench_function(BenchmarkId::new("cranelift", name), |b| {
            let optimised = |mut context: Context| {
                context.optimize(&*speed, &mut ControlPlane::default()).expect("optimises");
                context
            };
            b.iter_batched(|| Context::for_function(function.clone()), optimised, BatchSize::SmallInput);
        });
    }
    group.finish();

    // From optimised IR to bytes, without memory to run them in; that of parallax goes through step form and lane form.
    let mut programs = Programs::default();
    let settings = [("single_pass", "none", "single_pass"), ("backtracking", "none", "backtracking")];
    let settings = settings.map(|(name, level, allocator)| (name, isa(level, allocator)));
    let folder = std::env::var_os("CRANELIFT_CODE").map(std::path::PathBuf::from);
    let mut rates = String::new();
    let mut group = c.benchmark_group("beside cranelift: code");
    for &(name, text) in &texts {
        let shader = optimise(bound(text, &model), &mut NoObserver);
        let function = clif(&shader);
        group.throughput(Throughput::Elements(function.dfg.num_insts() as u64));
        let verified = verify(&shader).expect("sound");
        for level in Level::ALL.into_iter().filter(|level| level.is_supported()) {
            group.bench_function(BenchmarkId::new(format!("parallax {level}"), name), |b| {
                b.iter(|| parallax_x86::encode(black_box(verified), level, &mut programs).expect("compiles"));
            });
        }
        for (setting, isa) in settings.iter().map(|(name, isa)| (*name, isa)).chain([("speed", &speed)]) {
            group.bench_function(BenchmarkId::new(format!("cranelift {setting}"), name), |b| {
                b.iter(|| code(black_box(&function), isa));
            });
        }
        if let Some(folder) = &folder {
            let bytes = code(&clif(&bound(text, &model)), &speed);
            std::fs::write(folder.join(format!("{name}.bin")), bytes).expect("a file that can be written");
            for level in Level::ALL.into_iter().filter(|level| level.is_supported()) {
                let rate = lanes_per_second(&shader, level, &mut programs);
                writeln!(rates, "parallax {level} {name} {rate:.0} million lanes/s").expect("a text takes all");
            }
        }
    }
    if let Some(folder) = &folder {
        std::fs::write(folder.join("parallax"), rates).expect("a file that can be written");
    }
    group.finish();
}

criterion_group!(benches, compare);
criterion_main!(benches);
