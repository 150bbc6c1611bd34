//! What can be typed. Nothing here does any work.

mod translate;

use clap::{Args, Parser, Subcommand, ValueEnum};
use parallax::{SAMPLE_COUNTS, Samples, Target, Targets};
use std::path::PathBuf;
pub(crate) use translate::{ArithmeticArg, AssumeArg, ConstantsArg, FormArg, LanguageArg, LookupsArg, TranslateArgs};

const AFTER: &str = "\
Exit codes: 0 done; 1 a requested check failed; 2 usage or invalid input; 3 valid but unsupported, or nothing \
could be analysed; 4 internal error; 130 interrupted.";

/// Run shaders of several instruction sets under the arithmetic of several vendors and report the differences.
#[derive(Debug, Parser)]
#[command(name = "parallax", version, after_help = AFTER, max_term_width = 110)]
pub(crate) struct Cli {
    /// When to use colours; `auto` also checks NO_COLOR, CLICOLOR_FORCE and TERM.
    #[arg(long, global = true, value_enum, default_value_t = ColorArg::Auto, value_name = "WHEN")]
    pub(crate) color: ColorArg,

    /// Print data and errors only: no progress, no notes.
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,

    /// What executes shaders: machine code where possible (`auto`), the interpreter, or machine code with a
    /// note where it is not possible (`jit`). Results are the same.
    #[arg(long, global = true, value_enum, default_value_t = EngineArg::Auto, value_name = "ENGINE")]
    pub(crate) engine: EngineArg,

    #[command(subcommand)]
    pub(crate) verb: Verb,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorArg {
    Auto,
    Always,
    Never,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EngineArg {
    Auto,
    Interp,
    Jit,
    /// AVX2 machine code, 8 lanes, for comparisons.
    JitAvx2,
    /// AVX-512 machine code, 16 lanes.
    JitAvx512,
}

/// Format of the data on standard output.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Human-readable.
    #[default]
    Human,
    /// One JSON document.
    Json,
    /// One JSON object per line.
    Jsonl,
    /// Comma-separated values with a header line.
    Csv,
}

/// Form of what a comparison prints.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum CompareFormat {
    /// Human-readable.
    #[default]
    Human,
    /// One JSON document.
    Json,
    /// One JSON object per line.
    Jsonl,
    /// Comma-separated values with a header line.
    Csv,
    /// For a comment on a pull request: the verdict, failed checks, the ten worst pictures.
    Markdown,
}

/// How progress is told.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProgressArg {
    /// A bar, where standard error is a terminal.
    #[default]
    Bar,
    /// A JSON line at the beginning and for each shader that is done, for programs.
    Json,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Describe a file: instruction set, interface, size, unsupported features.
    Info(InfoArgs),
    /// Validate files and print every problem with its position.
    Check(CheckArgs),
    /// Print the intermediate representation: as lifted, bound to a model, or optimised.
    Lift(LiftArgs),
    /// Translate shaders: to modules and languages, with a model's bits, and to other instruction sets.
    Translate(TranslateArgs),
    /// Disassemble a binary; problems are reported and the rest is still listed.
    Dis(DisArgs),
    /// Assemble a text to machine words.
    As(AsArgs),
    /// Run one shader under one model and write the picture.
    Run(RunArgs),
    /// Run shaders under several models and report where, by how much and how visibly they differ.
    Compare(CompareArgs),
    /// Find the instruction that makes a shader differ under a model, the rule behind it, and the evidence for it.
    Explain(ExplainArgs),
    /// Find the model that draws what another renderer drew: a picture beside every model, driver, target and flip.
    Identify(IdentifyArgs),
    /// Measure translation and execution speed.
    Bench(BenchArgs),
    /// List the models, print one with the source of every field or as a file, or what differs between two.
    Models(ModelsArgs),
    /// Run one operation over all its inputs and report errors, special values, monotonicity, and with --profile whether
    /// results are legal; `sweep merge DIR` combines shards.
    Sweep(SweepArgs),
    /// List the instruction sets.
    Isas(IsasArgs),
    /// Answer JSON lines from standard input, for test suites and other languages.
    Eval(EvalArgs),
    /// Write a manifest to start from, with every input of a shader and its default value.
    Manifest(ManifestArgs),
    /// Print a shell completion script, which also completes models, instruction sets, operations, profiles and formats.
    Completions(CompletionsArgs),
    /// Print the manual page of parallax or of one command, for `man`.
    Man(ManArgs),
}

/// Where input comes from.
#[derive(Debug, Args)]
pub(crate) struct SourceArgs {
    /// Instruction set of the input. Default: recognised from the contents.
    #[arg(long, value_name = "ISA")]
    pub(crate) from: Option<String>,

    /// Frontend option, such as `--set alias=bits`; repeatable.
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub(crate) settings: Vec<String>,

    /// Entry point of a SPIR-V module with several.
    #[arg(long, value_name = "NAME")]
    pub(crate) entry: Option<String>,

    /// Stage of the entry point of a SPIR-V module with several.
    #[arg(long, value_name = "STAGE", value_parser = ["fragment", "vertex", "compute"])]
    pub(crate) stage: Option<String>,

    /// Specialisation constant of a SPIR-V module, such as `--spec 3=0x10`; the value is a decimal or hexadecimal integer of
    /// its bits; repeatable.
    #[arg(long, value_name = "ID=VALUE")]
    pub(crate) spec: Vec<String>,

    /// What RelaxedPrecision (`mediump`) of a SPIR-V module makes of binary32: what each model's driver does, nothing, or half
    /// operations between conversions. Default: model.
    #[arg(long, value_name = "HOW", value_parser = ["model", "ignore", "half"])]
    pub(crate) relaxed: Option<String>,

    /// How many invocations of a SPIR-V kernel are a subgroup: as many as each model says, or so many. Default: model.
    #[arg(long, value_name = "N", value_parser = ["model", "4", "8", "16", "32", "64", "128"])]
    pub(crate) subgroup: Option<String>,

    /// Invocations of a workgroup of a kernel that leaves them to its caller, such as `128` or `16,16`. Default: the manifest's.
    #[arg(long, value_name = "X[,Y[,Z]]")]
    pub(crate) block: Option<String>,

    /// Bytes that the workgroups of such a kernel share beyond those that it declares.
    #[arg(long, value_name = "BYTES")]
    pub(crate) shared_bytes: Option<u32>,

    /// Manifest to draw with. Default: the one beside each shader, NAME.toml or manifest.toml.
    #[arg(long, value_name = "FILE")]
    pub(crate) manifest: Option<PathBuf>,

    /// Compiler for GLSL, HLSL, Slang and WGSL: `glslangValidator`, `glslang`, `glslc`, `dxc`, `slangc`, `naga`, or a path to
    /// one. Default: the first on PATH.
    #[arg(long, value_name = "NAME|PATH")]
    pub(crate) compiler: Option<String>,
}

/// What colours are stored as.
#[derive(Copy, Clone, Debug, Args)]
pub(crate) struct TargetArg {
    /// Render target of every colour output; its stored values are compared and drawn. Default: the manifest's, or none.
    #[arg(long, value_enum, value_name = "FORMAT")]
    target: Option<TargetForm>,
}

impl TargetArg {
    /// As it would be typed.
    pub(crate) fn text(self) -> Option<String> {
        let name = self.target?.to_possible_value()?.get_name().to_string();
        Some(format!("--target {name}"))
    }
}

/// Render targets.
#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
enum TargetForm {
    /// Binary32, rounded to nearest.
    #[value(alias = "f32")]
    Fp32,
    /// Binary16, rounded to nearest.
    #[value(aliases = ["half", "f16"])]
    Fp16,
    /// Bytes: clamped to [0, 1], rounded to nearest.
    Unorm8,
    /// Bytes by the curve of sRGB.
    Srgb8,
    /// 10 bits of red, green and blue, 2 of alpha.
    #[value(name = "rgb10_a2")]
    Rgb10A2,
    /// 5, 6 and 5 bits of red, green and blue.
    Rgb565,
    /// Signed bytes.
    Snorm8,
    /// Floats without a sign of 11, 11 and 10 bits.
    #[value(name = "r11f_g11f_b10f")]
    R11fG11fB10f,
    /// Fractions of 9 bits under one exponent.
    #[value(name = "rgb9_e5")]
    Rgb9E5,
}

impl TargetArg {
    /// Puts the target asked for in the place of the manifest's.
    pub(crate) fn apply(self, targets: &mut Targets) {
        let target = self.target.map(|form| match form {
            TargetForm::Fp32 => Target::Fp32,
            TargetForm::Fp16 => Target::Fp16,
            TargetForm::Unorm8 => Target::Unorm8,
            TargetForm::Srgb8 => Target::Srgb8,
            TargetForm::Rgb10A2 => Target::Rgb10A2,
            TargetForm::Rgb565 => Target::Rgb565,
            TargetForm::Snorm8 => Target::Snorm8,
            TargetForm::R11fG11fB10f => Target::R11fG11fB10f,
            TargetForm::Rgb9E5 => Target::Rgb9E5,
        });
        if let Some(target) = target {
            *targets = Targets { depth: targets.depth, ..Targets::all(target) };
        }
    }
}

/// Samples of every pixel.
#[derive(Copy, Clone, Debug, Args)]
pub(crate) struct SamplesArg {
    /// Samples per pixel, in the standard pattern: 1, 2, 4, 8 or 16. Default: the manifest's, or one.
    #[arg(long, value_name = "COUNT", value_parser = samples)]
    samples: Option<u32>,
}

fn samples(text: &str) -> Result<u32, String> {
    let count = text.parse().ok().filter(|count| SAMPLE_COUNTS.contains(count));
    count.ok_or_else(|| "a pixel has 1, 2, 4, 8 or 16 samples".to_string())
}

impl SamplesArg {
    /// As it would be typed.
    pub(crate) fn text(self) -> Option<String> {
        self.samples.map(|count| format!("--samples {count}"))
    }

    /// Puts the samples asked for in the place of the manifest's; whether each is shaded stays.
    pub(crate) fn apply(self, samples: &mut Samples) {
        if let Some(standard) = self.samples.and_then(Samples::standard) {
            samples.positions = standard.positions;
        }
    }
}

/// Which arithmetic.
#[derive(Debug, Args)]
pub(crate) struct RebindArgs {
    /// User model in TOML; its name can be used like a built-in one. Repeatable.
    #[arg(long, value_name = "FILE")]
    pub(crate) model_file: Vec<PathBuf>,

    /// Compute values declared in one format under the rules of another, such as `fp32=half`. Repeatable.
    #[arg(long, value_name = "FROM=TO")]
    pub(crate) demote: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct InfoArgs {
    /// Shader files; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    /// Output format.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// Shader files or folders; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    /// Output format.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct LiftArgs {
    /// Shader file; `-` is standard input.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Bind to this model first.
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<String>,
    /// Print the program before and after the model's driver, with a reason behind each line that differs.
    #[arg(long, requires = "model", conflicts_with_all = ["opt", "steps"])]
    pub(crate) driver: bool,
    /// Optimise after binding.
    #[arg(long, requires = "model")]
    pub(crate) opt: bool,
    /// Print step form: every operation of the optimised shader in exactly defined primitives.
    #[arg(long, requires = "model")]
    pub(crate) steps: bool,
    #[command(flatten)]
    pub(crate) rebind: RebindArgs,
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    /// Where to write; `-` is standard output.
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub(crate) output: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct DisArgs {
    /// Binary; `-` is standard input.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Instruction set; recognised from the contents when absent.
    #[arg(long, value_name = "ISA")]
    pub(crate) from: Option<String>,
    /// Byte order of words, for instruction sets with several: `le`, `rsx`. Default: as recognised.
    #[arg(long, value_name = "ORDER")]
    pub(crate) order: Option<String>,
    /// Compiler for GLSL, HLSL, Slang and WGSL, whose SPIR-V is listed. Default: the first on PATH.
    #[arg(long, value_name = "NAME|PATH")]
    pub(crate) compiler: Option<String>,
    /// Print as the vendor's own tool does, which may not reassemble to the same bytes.
    #[arg(long)]
    pub(crate) vendor: bool,
    /// Also print bits that no operand stands for, so that every listing reassembles to the same bytes.
    #[arg(long, conflicts_with = "vendor")]
    pub(crate) exact: bool,
    /// Add offset and bytes of each instruction as a comment.
    #[arg(long)]
    pub(crate) offsets: bool,
    /// List the x86-64 code of a shader under a model, with the source instructions.
    #[arg(long, conflicts_with_all = ["vendor", "exact", "offsets", "order"])]
    pub(crate) native: bool,
    /// Model for --native. Default: the instruction set's own.
    #[arg(long, value_name = "MODEL", requires = "native")]
    pub(crate) model: Option<String>,
    /// Where to write; `-` is standard output.
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub(crate) output: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct AsArgs {
    /// Assembly text; `-` is standard input.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Instruction set; recognised from the contents when absent.
    #[arg(long, value_name = "ISA")]
    pub(crate) from: Option<String>,
    /// Byte order of words, for instruction sets with several: `le` (default) or `rsx`.
    #[arg(long, value_name = "ORDER")]
    pub(crate) order: Option<String>,
    /// Print hexadecimal digits, one instruction per line, instead of bytes.
    #[arg(long)]
    pub(crate) hex: bool,
    /// Write binary data even to a terminal.
    #[arg(long)]
    pub(crate) force: bool,
    /// Where to write; `-` is standard output.
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub(crate) output: PathBuf,
}

/// File form of a picture.
#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ImageForm {
    /// 8-bit RGBA, clamped to [0, 1] and rounded to nearest.
    Png,
    /// Raw binary32 RGB.
    Pfm,
    /// NumPy array of raw binary32, shape (height, width, 4).
    Npy,
}

#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// Shader file; `-` is standard input.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Arithmetic; default: the instruction set's own.
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<String>,
    /// Pixels, such as `640x480`; default: the manifest's, or 128x128.
    #[arg(long, allow_hyphen_values = true, value_name = "WxH")]
    pub(crate) size: Option<String>,
    #[command(flatten)]
    pub(crate) target: TargetArg,

    #[command(flatten)]
    pub(crate) samples: SamplesArg,
    /// Workgroups of a kernel, such as `64` or `8,8,1`; default: the manifest's, or one.
    #[arg(long, value_name = "X[,Y[,Z]]")]
    pub(crate) grid: Option<String>,
    /// A parameter of a kernel: `0=buffer:a.npy`, `0=zeros:1024` (words), `1=f32:2.5`, `2=u32:7`; repeatable.
    #[arg(long, value_name = "N=VALUE")]
    pub(crate) param: Vec<String>,
    /// Look for races of a kernel first: two invocations access the same bytes, one of them writes, and nothing orders them. Takes
    /// long.
    #[arg(long)]
    pub(crate) check_races: bool,
    /// Let accesses of NVIDIA kernels outside of memory read 0 and store nothing, where they end the run else.
    #[arg(long)]
    pub(crate) robust: bool,
    /// Ops that the loops of a pixel or an invocation may execute before it counts as endless; default: the manifest's, or 4194304.
    #[arg(long, value_name = "OPS")]
    pub(crate) budget: Option<u64>,
    /// Buffer of a kernel that --output writes; default: the only one that it changes.
    #[arg(long, value_name = "NAME")]
    pub(crate) buffer: Option<String>,
    /// Picture to write: .png, .pfm or .npy; `-` is standard output. Of a kernel, a buffer as .npy.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Picture format, if the file name does not determine it.
    #[arg(long, value_enum, value_name = "FORM")]
    pub(crate) image: Option<ImageForm>,
    /// Write binary data even to a terminal.
    #[arg(long)]
    pub(crate) force: bool,
    /// Print every output of this pixel; repeatable.
    #[arg(long, allow_hyphen_values = true, value_name = "X,Y")]
    pub(crate) pixel: Vec<String>,
    /// Threads; default: one per core.
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
    #[command(flatten)]
    pub(crate) rebind: RebindArgs,
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    /// Format of the summary.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// Shader files or folders; `-` is standard input. Default: the embedded corpus.
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Models to compare, separated by commas: names, groups (`nvidia`, `mobile`, `2000s`, `all`), patterns (`mali-*`);
    /// default: a dozen typical ones, and those of --model-file.
    #[arg(long, value_name = "A,B")]
    pub(crate) models: Option<String>,
    /// Model that is taken as the right answer.
    #[arg(long, value_name = "MODEL", default_value = "binary64")]
    pub(crate) reference: String,
    /// Folder for the report.
    #[arg(long, value_name = "DIR", default_value = "parallax-report")]
    pub(crate) out: PathBuf,
    /// Only print; write no report.
    #[arg(long, conflicts_with = "out")]
    pub(crate) no_report: bool,
    /// Compress the pictures of the report as far as they go, which takes longer.
    #[arg(long, conflicts_with = "no_report")]
    pub(crate) small_pictures: bool,
    /// Keep the words of every pixel for the report's inspector, not of a grid where there are many programs: about half a megabyte
    /// for each program of 128x128 pixels.
    #[arg(long, conflicts_with = "no_report")]
    pub(crate) all_pixels: bool,
    /// Print a table for every program, and a matrix of the models against each other.
    #[arg(short, long)]
    pub(crate) verbose: bool,
    /// Limits on results, such as `max_ulp=4,pixels8_changed=0.1%,coverage_flips=0`; exit code 1 if one is exceeded.
    /// Names are those of the results; `equal` and `correct_bits` are minimums, the rest are maximums.
    #[arg(long, value_name = "NAME=LIMIT,..")]
    pub(crate) tolerance: Vec<String>,
    /// Compare with an earlier run (its folder or its results.jsonl) and report what is worse, better, new or gone. Exit code 1 if
    /// anything is worse.
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// How much figures may grow since the earlier run, such as `pixels8=1%,max8=2`: other figures are not held against it then,
    /// except special values and coverage. A manifest can say it for its program, in a table `[slack]`.
    #[arg(long, value_name = "NAME=SLACK,..", requires = "baseline")]
    pub(crate) baseline_slack: Vec<String>,
    /// Replace the earlier results by those of this run; nothing counts as worse then. The file need not exist yet.
    #[arg(long, requires = "baseline")]
    pub(crate) update_baseline: bool,
    /// Run one shard of the comparison, such as `2/8`, and store its results in the report's folder; a finished shard is
    /// not run again.
    #[arg(long, value_name = "K/N", conflicts_with_all = ["baseline", "junit"])]
    pub(crate) shard: Option<String>,
    /// Combine all shards in this folder into the report and results of an undivided run.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["paths", "models", "shard", "out", "tolerance", "profile", "size"])]
    pub(crate) merge: Option<PathBuf>,
    /// Also write results as JUnit XML, for continuous integration.
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
    /// Also check a sample of each shader's operations under each model against a specification: `vulkan-highp`, `d3d11`,
    /// `webgpu`, `opencl`, `gles`, `metal` and variants, or a file. Exit code 1 if a result is not legal.
    #[arg(long, value_name = "NAME|FILE")]
    pub(crate) profile: Option<String>,
    /// A picture that another renderer drew of the one program, as one more column: PNG or `.npy`, drawn at its size. Repeatable.
    #[arg(long, value_name = "NAME=FILE", conflicts_with_all = ["merge", "shard"])]
    pub(crate) capture: Vec<String>,
    /// Pixels, such as `640x480`; default: each manifest's, or 128x128.
    #[arg(long, allow_hyphen_values = true, value_name = "WxH")]
    pub(crate) size: Option<String>,
    #[command(flatten)]
    pub(crate) target: TargetArg,

    #[command(flatten)]
    pub(crate) samples: SamplesArg,
    /// Threads; default: one per core.
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
    #[command(flatten)]
    pub(crate) rebind: RebindArgs,
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    /// Output format.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: CompareFormat,
    /// How progress is told on standard error.
    #[arg(long, value_enum, default_value_t, value_name = "HOW")]
    pub(crate) progress: ProgressArg,
}

#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// Command. Default: the page of parallax itself.
    #[arg(value_name = "VERB")]
    pub(crate) verb: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ManifestArgs {
    /// Shader file; `-` is standard input.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    /// Where to write, such as `toon.toml` beside `toon.tgsi`; `-` is standard output.
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub(crate) output: PathBuf,
    /// Overwrite an existing file.
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// Shader files or folders; `-` is standard input. Default: the embedded corpus. Of exactly two programs it is explained what
    /// makes the second differ from the first: a change of the text, or where values part.
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Arithmetic to explain; default: the instruction set's own. Of two programs, that of both, or of the first.
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<String>,
    /// Arithmetic to compare with; default: binary64. Of two programs, that of the second.
    #[arg(long, value_name = "MODEL")]
    pub(crate) against: Option<String>,
    /// Explain the quad of this pixel.
    #[arg(long, allow_hyphen_values = true, value_name = "X,Y", conflicts_with = "worst")]
    pub(crate) pixel: Option<String>,
    /// Explain the quad with the largest difference.
    #[arg(long)]
    pub(crate) worst: bool,
    /// Instead, find the instructions that can compute in this narrower format without a visible change.
    #[arg(long, value_name = "FORMAT", conflicts_with_all = ["pixel", "worst", "against"])]
    pub(crate) demote: Option<String>,
    /// Number of instructions to print.
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) top: usize,
    /// Pixels, such as `640x480`; default: each manifest's, or 128x128.
    #[arg(long, allow_hyphen_values = true, value_name = "WxH")]
    pub(crate) size: Option<String>,
    #[command(flatten)]
    pub(crate) target: TargetArg,

    #[command(flatten)]
    pub(crate) samples: SamplesArg,
    /// Threads; default: one per core.
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
    /// User model in TOML; its name can be used like a built-in one. Repeatable.
    #[arg(long, value_name = "FILE")]
    pub(crate) model_file: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    /// Print one JSON object per finding, with the documented keys.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct IdentifyArgs {
    /// Fragment shader that the capture shows; `-` is standard input.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The capture: PNG of 8 or 16 bits, or .npy of shape (height, width) or (height, width, 1 to 4). Red, green and blue count.
    #[arg(long, value_name = "FILE")]
    pub(crate) capture: PathBuf,
    /// Models to try, separated by commas: names, groups (`nvidia`), patterns (`mali-*`).
    #[arg(long, value_name = "A,B", default_value = "all")]
    pub(crate) models: String,
    /// Part of the capture that shows the shader.
    #[arg(long, allow_hyphen_values = true, value_name = "X,Y,WxH")]
    pub(crate) crop: Option<String>,
    /// How many pixels of the capture, across and down, are one of the shader.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) scale: u32,
    /// How the capture is turned over; `auto` tries none and vertical, for pictures whose first row is the lowest.
    #[arg(long, value_name = "HOW", default_value = "auto", value_parser = ["auto", "none", "vertical", "horizontal", "both"])]
    pub(crate) flip: String,
    /// Steps of 1/255 that count as equal.
    #[arg(long, value_name = "STEPS", default_value_t = 0.0)]
    pub(crate) tolerance: f64,
    /// Picture of the capture's size, before cropping, whose black pixels do not count.
    #[arg(long, value_name = "FILE")]
    pub(crate) mask: Option<PathBuf>,
    /// Only the models as they are: none without its driver's rewrites, or with multiply-adds contracted.
    #[arg(long)]
    pub(crate) no_drivers: bool,
    /// Number of pictures to print.
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(crate) top: usize,
    #[command(flatten)]
    pub(crate) target: TargetArg,

    #[command(flatten)]
    pub(crate) samples: SamplesArg,
    /// Threads; default: one per core.
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
    /// User model in TOML; its name can be used like a built-in one. Repeatable.
    #[arg(long, value_name = "FILE")]
    pub(crate) model_file: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    /// Print one JSON object per picture, with the documented keys.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct BenchArgs {
    /// Shader files or folders; `-` is standard input. Default: the embedded corpus.
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Measure translations to each of the instruction sets that `translate --to` knows, in place of drawing.
    #[arg(long, conflicts_with_all = ["models", "size", "threads", "target", "samples", "model_file", "demote"])]
    pub(crate) translate: bool,
    /// With --translate: to words, where the target has them, in place of text.
    #[arg(long, requires = "translate")]
    pub(crate) words: bool,
    /// Models, separated by commas: names, groups (`nvidia`), patterns (`mali-*`).
    #[arg(long, value_name = "A,B", default_value = "ieee")]
    pub(crate) models: String,
    /// Pixels.
    #[arg(long, allow_hyphen_values = true, value_name = "WxH", default_value = "512x512")]
    pub(crate) size: String,
    /// Threads; default: one per core.
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
    #[command(flatten)]
    pub(crate) target: TargetArg,

    #[command(flatten)]
    pub(crate) samples: SamplesArg,
    /// Number of runs of each measurement; the median is printed.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) runs: u32,
    /// Print one JSON object per line, with the documented keys.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) rebind: RebindArgs,
    #[command(flatten)]
    pub(crate) source: SourceArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ModelsArgs {
    /// Model to print field by field. Default: list all.
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Print the fields in which two models differ.
    #[arg(long, num_args = 2, value_names = ["A", "B"], conflicts_with = "name")]
    pub(crate) diff: Option<Vec<String>>,
    /// Print the file of a built-in model as it is: a copy of it under a name of its own is a model for --model-file. Names with
    /// settings or a probe have no file.
    #[arg(long, requires = "name", conflicts_with_all = ["diff", "format"])]
    pub(crate) toml: bool,
    /// User model in TOML; its name can be used like a built-in one. Repeatable.
    #[arg(long, value_name = "FILE")]
    pub(crate) model_file: Vec<PathBuf>,
    /// Output format.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct SweepArgs {
    /// Operation, such as `exp2`, `add`, `mad`; or `merge`. Without it, --profile checks every operation it bounds.
    #[arg(value_name = "OP", required_unless_present = "profile")]
    pub(crate) op: Option<String>,
    /// With `merge`: folder of a sweep with all its shards.
    #[arg(value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,
    /// Arithmetic under test; default: `ieee`.
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<String>,
    /// Without OP: models to check, separated by commas: names, groups, patterns; default: `default` and those of --model-file.
    #[arg(long, value_name = "A,B", conflicts_with = "op")]
    pub(crate) models: Option<String>,
    /// What results are compared with: `exact` (default), the value of the function, or another model.
    #[arg(long, value_name = "MODEL")]
    pub(crate) against: Option<String>,
    /// Check whether results are legal under a profile, such as `vulkan-highp`, or a TOML file. Exit code 1 if any is not.
    #[arg(long, value_name = "PROFILE")]
    pub(crate) profile: Option<String>,
    /// Declared format of operands and result: fp32, half, fx12. Default: the profile's, or fp32.
    #[arg(long, value_name = "FORMAT")]
    pub(crate) float: Option<String>,
    /// Only the operands from A to B, both included: numbers, or patterns with 0x.
    #[arg(long, value_name = "A..B", conflicts_with = "all", allow_hyphen_values = true)]
    pub(crate) range: Option<String>,
    /// Sweep every input; an error if there are too many.
    #[arg(long)]
    pub(crate) all: bool,
    /// Number of random inputs of a sampled sweep; an error for a complete sweep.
    #[arg(long, value_name = "N")]
    pub(crate) random: Option<u64>,
    /// Seed of a sampled sweep; an error for a complete sweep.
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Only shard K of N, numbered from 1.
    #[arg(long, value_name = "K/N")]
    pub(crate) shard: Option<String>,
    /// Folder for parts and results; finished parts in it are not run again.
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
    /// Threads; default: one per core.
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
    /// User model in TOML; its name can be used like a built-in one. Repeatable.
    #[arg(long, value_name = "FILE")]
    pub(crate) model_file: Vec<PathBuf>,
    /// Format of the summary.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct IsasArgs {
    /// Instruction set to print the reference page of. Default: list all.
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Instead, print how often each instruction form occurs in the programs.
    #[arg(long, requires = "name")]
    pub(crate) coverage: bool,
    /// Programs and folders for --coverage. Default: the embedded corpus.
    #[arg(value_name = "PROGRAM", requires = "coverage")]
    pub(crate) programs: Vec<PathBuf>,
    /// Output format.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct EvalArgs {
    /// User model in TOML; its name can be used like a built-in one. Repeatable.
    #[arg(long, value_name = "FILE")]
    pub(crate) model_file: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// Shell.
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definitions_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_verb_and_option_says_what_it_does() {
        for verb in Cli::command().get_subcommands() {
            assert!(verb.get_about().is_some(), "{}", verb.get_name());
            for arg in verb.get_arguments() {
                assert!(arg.get_help().is_some(), "{} {}", verb.get_name(), arg.get_id());
            }
        }
    }
}
