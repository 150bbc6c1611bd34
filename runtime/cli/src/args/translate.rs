//! Arguments of `parallax translate`.

use super::{RebindArgs, SourceArgs};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Language that a shader is translated to.
#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LanguageArg {
    /// A binary module.
    Spirv,
    /// A text for WebGPU.
    Wgsl,
    /// A text for OpenGL, version 4.50 of the core profile.
    Glsl,
    /// A text for Direct3D, shader model 6.0.
    Hlsl,
    /// A text for Metal, version 2.1.
    Msl,
    /// A text of TGSI.
    Tgsi,
    /// A program of ARB_fragment_program.
    Arb,
    /// The same with NV_fragment_program2.
    Nvfp,
    /// Microcode of NV40 in a Cg binary; its assembly on standard output.
    Nv40,
    /// Assembly of ATTILA.
    Attila,
    /// Assembly of SPA 5.0 (Maxwell).
    Spa5,
    /// Assembly of USC (PowerVR Rogue).
    Usc,
}

impl LanguageArg {
    /// The name of a language that is text.
    pub(crate) const fn text_name(self) -> Option<&'static str> {
        match self {
            LanguageArg::Spirv | LanguageArg::Tgsi | LanguageArg::Arb | LanguageArg::Nvfp => None,
            LanguageArg::Nv40 | LanguageArg::Attila | LanguageArg::Spa5 | LanguageArg::Usc => None,
            LanguageArg::Wgsl => Some("wgsl"),
            LanguageArg::Glsl => Some("glsl"),
            LanguageArg::Hlsl => Some("hlsl"),
            LanguageArg::Msl => Some("msl"),
        }
    }

    /// The name of an instruction set.
    pub(crate) const fn target(self) -> Option<&'static str> {
        match self {
            LanguageArg::Tgsi => Some("tgsi"),
            LanguageArg::Arb => Some("arb"),
            LanguageArg::Nvfp => Some("nvfp"),
            LanguageArg::Nv40 => Some("nv40"),
            LanguageArg::Attila => Some("attila"),
            LanguageArg::Spa5 => Some("spa5"),
            LanguageArg::Usc => Some("usc"),
            _ => None,
        }
    }

    /// Its name, as people write it; of an instruction set, that of the argument.
    pub(crate) const fn title(self) -> &'static str {
        match self {
            LanguageArg::Spirv => "SPIR-V",
            LanguageArg::Wgsl => "WGSL",
            LanguageArg::Glsl => "GLSL",
            LanguageArg::Hlsl => "HLSL",
            LanguageArg::Msl => "MSL",
            LanguageArg::Tgsi => "tgsi",
            LanguageArg::Arb => "arb",
            LanguageArg::Nvfp => "nvfp",
            LanguageArg::Nv40 => "nv40",
            LanguageArg::Attila => "attila",
            LanguageArg::Spa5 => "spa5",
            LanguageArg::Usc => "usc",
        }
    }

    /// The ending of files in the language.
    pub(crate) const fn extension(self) -> &'static str {
        match self {
            LanguageArg::Spirv => "spv",
            LanguageArg::Wgsl => "wgsl",
            LanguageArg::Glsl => "glsl",
            LanguageArg::Hlsl => "hlsl",
            LanguageArg::Msl => "metal",
            LanguageArg::Tgsi => "tgsi",
            LanguageArg::Arb | LanguageArg::Nvfp => "fp",
            LanguageArg::Nv40 => "fpo",
            LanguageArg::Attila => "attila",
            LanguageArg::Spa5 => "spa5",
            LanguageArg::Usc => "usc",
        }
    }
}

/// Whose arithmetic a translation has.
#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ArithmeticArg {
    /// The model's, in integers.
    Faithful,
    /// The device's.
    Native,
    /// The device's where it promises the model's bits, else integers.
    Mixed,
}

/// Who looks textures up.
#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LookupsArg {
    /// The device, with samplers.
    Native,
    /// The module, as the model's texture unit does.
    Faithful,
}

/// What a device may promise of its floats.
#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AssumeArg {
    /// Rounds to nearest even.
    Rte,
    /// Keeps denormals.
    DenormPreserve,
}

/// How a program of an instruction set is written.
#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormArg {
    /// Text that the set's own frontend reads.
    Text,
    /// The words alone.
    Words,
    /// A file with what loaders ask for: a Cg binary for NV40, a deko3d module (.dksh) for SPA 5.0.
    Container,
}

/// What constants are read from.
#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ConstantsArg {
    Uniform,
    Storage,
}

#[derive(Debug, Args)]
pub(crate) struct TranslateArgs {
    /// Shader files, and folders of them; `-` is standard input.
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Language or instruction set.
    #[arg(long, value_enum, default_value = "spirv")]
    pub(crate) to: LanguageArg,
    /// Model whose bits a module gives, by default that of the instruction set; model under which --check draws a program and its
    /// translation, by default `ieee`.
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<String>,
    /// Whose arithmetic a module has. Default: `mixed` where everything is assumed that it needs, else `faithful`.
    #[arg(long, value_enum)]
    pub(crate) arithmetic: Option<ArithmeticArg>,
    /// What is assumed of the device's floats, and asked for in the module.
    #[arg(long, value_enum, value_name = "PROMISE", value_delimiter = ',')]
    pub(crate) assume: Vec<AssumeArg>,
    /// Who looks textures up. The lookups of a `faithful` module fetch texels and have the model's filter; formats and samplers are those of
    /// the manifest's textures and are written into the module.
    #[arg(long, value_enum, default_value = "native")]
    pub(crate) lookups: LookupsArg,
    /// Translate operations too that only the reference evaluation decides for some operands, and count these lanes in a storage
    /// buffer.
    #[arg(long)]
    pub(crate) flag_inexact: bool,
    /// Where the module reads constants: uniform buffers, or storage buffers. Banks that a uniform buffer has no room for (more than
    /// 1,024 vectors) are always storage buffers.
    #[arg(long, value_enum, default_value = "uniform")]
    pub(crate) constants: ConstantsArg,
    /// Also write, as JSON, where the module or text has inputs, constants, textures and outputs.
    #[arg(long, value_name = "FILE")]
    pub(crate) interface: Option<PathBuf>,
    /// The fragment shader behind vertex shaders: their outputs get the locations at which its module reads them.
    #[arg(long, value_name = "FILE")]
    pub(crate) next: Option<PathBuf>,
    /// Draw with the manifest's inputs and with random ones, and compare every pixel, bit for bit; 1 is the exit code where they differ.
    /// A module is drawn on the Vulkan device that is present, a program of an instruction set by parallax. Without -o nothing is
    /// written.
    #[arg(long)]
    pub(crate) check: bool,
    /// Draws with random inputs that --check adds.
    #[arg(long, value_name = "N", default_value_t = 2, requires = "check")]
    pub(crate) random: u32,
    /// Size of the draws of --check, such as 64x64. Default: that of the manifest.
    #[arg(long, value_name = "WxH", requires = "check")]
    pub(crate) size: Option<String>,
    /// What the device of --check draws with the manifest's inputs, as a PNG.
    #[arg(long, value_name = "FILE", requires = "check")]
    pub(crate) picture: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) rebind: RebindArgs,
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    /// Write binary data even to a terminal.
    #[arg(long)]
    pub(crate) force: bool,
    /// How a program of an instruction set is written. Default: NV40 in its container, all others as text.
    #[arg(long, value_enum)]
    pub(crate) form: Option<FormArg>,
    /// Also write the manifest that draws the program of the instruction set as the source's draws the source.
    #[arg(long, value_name = "FILE")]
    pub(crate) manifest_out: Option<PathBuf>,
    /// Where to write; `-`, which is the default, is standard output. For several files a folder, which also gets
    /// the manifest or the interface of each.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}
