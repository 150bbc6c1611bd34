//! Reads scripts.

use super::buffer::Buffer;
use super::format::Format;
use super::script::{Pipeline, Script, ScriptShader, Source};
use super::tokens::Tokens;
use super::vkscript;
use crate::ShaderStage;
use parallax_texture::{Compare, Filter, Mip, Sampler, Wrap};
use std::collections::BTreeMap;
use std::path::Path;

/// Reads a script; files that it names lie in `folder`.
///
/// # Errors
/// The first thing that the runner does not know, without its place, so that scripts can be counted by it.
pub fn parse(text: &str, folder: &Path) -> Result<Script, String> {
    if vkscript::is_sections(text) {
        return vkscript::parse(text);
    }
    let mut parser = Parser { tokens: Tokens::new(text), script: Script::default(), files: BTreeMap::new(), folder };
    parser.script()?;
    Ok(parser.script)
}

pub(super) struct Parser<'a> {
    pub(super) tokens: Tokens<'a>,
    pub(super) script: Script,
    /// Files inside of the script.
    files: BTreeMap<&'a str, &'a str>,
    folder: &'a Path,
}

pub(super) type Parsed<T> = Result<T, String>;

pub(super) fn number<T: std::str::FromStr>(word: &str) -> Parsed<T> {
    word.parse().map_err(|_| format!("`{word}` where a number should stand"))
}

pub(super) fn stage(word: &str) -> Parsed<ShaderStage> {
    match word {
        "vertex" => Ok(ShaderStage::Vertex),
        "fragment" => Ok(ShaderStage::Fragment),
        "compute" => Ok(ShaderStage::Compute),
        _ => Err(format!("a {word} shader")),
    }
}

impl<'a> Parser<'a> {
    pub(super) fn word(&mut self) -> Parsed<&'a str> {
        self.tokens.next_word().ok_or_else(|| "the script ends too soon".to_string())
    }

    pub(super) fn number<T: std::str::FromStr>(&mut self) -> Parsed<T> {
        number(self.word()?)
    }

    pub(super) fn expect(&mut self, wanted: &str) -> Parsed<()> {
        match self.word()? {
            word if word == wanted => Ok(()),
            word => Err(format!("`{word}` where `{wanted}` should stand")),
        }
    }

    pub(super) fn comparison(&mut self) -> Parsed<Compare> {
        let name = self.word()?.replace("_or_", "_");
        let found = Compare::NAMES.iter().find(|(known, _)| *known == name);
        Ok(found.ok_or("a comparison that there is not")?.1)
    }

    fn script(&mut self) -> Parsed<()> {
        while let Some(word) = self.tokens.next_word() {
            match word {
                "DEVICE_FEATURE" | "DEVICE_EXTENSION" | "INSTANCE_EXTENSION" | "DEVICE_PROPERTY" => {
                    let words = self.tokens.rest_of_line();
                    self.script.features.extend(words.iter().map(|word| word.to_string()));
                }
                "SET" => {
                    self.tokens.rest_of_line();
                }
                "VIRTUAL_FILE" => {
                    let path = self.word()?;
                    let lines = self.tokens.lines_to_end();
                    self.files.insert(path, lines);
                }
                "SHADER" => self.shader()?,
                "BUFFER" => self.buffer()?,
                "IMAGE" => self.image()?,
                "SAMPLER" => self.sampler()?,
                "PIPELINE" => {
                    let is_graphics = match self.word()? {
                        "graphics" => true,
                        "compute" => false,
                        kind => return Err(format!("a {kind} pipeline")),
                    };
                    let name = self.word()?;
                    self.pipeline(name, Pipeline { is_graphics, size: [250; 2], ..Pipeline::default() })?;
                }
                "DERIVE_PIPELINE" => {
                    let name = self.word()?;
                    self.expect("FROM")?;
                    let parent = self.word()?;
                    let parent = self.script.pipelines.get(parent).cloned();
                    self.pipeline(name, parent.ok_or("a pipeline that there is not")?)?;
                }
                word => {
                    if let Some(command) = self.command(word)? {
                        self.script.commands.push(command);
                    }
                }
            }
        }
        Ok(())
    }

    fn shader(&mut self) -> Parsed<()> {
        let stage = match self.word()? {
            "multi" => None,
            word => Some(stage(word)?),
        };
        let name = self.word()?.to_string();
        let format = self.word()?;
        let mut environment = None;
        let mut file = None;
        while let Some(word) = self.tokens.word_of_line() {
            match word {
                "TARGET_ENV" => environment = Some(self.word()?.trim_matches('"').to_string()),
                "VIRTUAL_FILE" => {
                    let path = self.word()?;
                    file = Some(self.files.get(path).copied().ok_or("a virtual file that there is not")?);
                }
                word => return Err(format!("a shader with {word}")),
            }
        }
        let source = match format {
            "PASSTHROUGH" => Source::PassThrough,
            "GLSL" | "SPIRV-ASM" | "SPIRV-HEX" => {
                let text = match file {
                    Some(text) => text,
                    None => self.tokens.lines_to_end(),
                };
                match format {
                    "GLSL" => Source::Glsl(text.trim_start().to_string()),
                    "SPIRV-ASM" => Source::Assembly(text.to_string()),
                    _ => Source::Words(
                        text.split_whitespace()
                            .map(|word| u32::from_str_radix(word.trim_start_matches("0x"), 16))
                            .collect::<Result<_, _>>()
                            .map_err(|_| "a module in hexadecimal words that are none")?,
                    ),
                }
            }
            format => return Err(format!("a shader in {format}")),
        };
        self.script.shaders.insert(name, ScriptShader { stage, source, environment });
        Ok(())
    }

    fn format(&mut self) -> Parsed<Format> {
        let name = self.word()?;
        let std140 = self.tokens.accept("STD140");
        self.tokens.accept("STD430");
        Format::named(name, std140).ok_or_else(|| format!("the format {name}"))
    }

    fn buffer(&mut self) -> Parsed<()> {
        let name = self.word()?.to_string();
        let kind = self.word()?;
        if !matches!(kind, "DATA_TYPE" | "FORMAT") {
            return Err(format!("a buffer with {kind}"));
        }
        let mut buffer = Buffer::new(self.format()?, 0);
        buffer.is_sized_by_pipeline = kind == "FORMAT";
        let mut size = [1; 3];
        while let Some(word) = self.tokens.word_of_line() {
            match word {
                "WIDTH" => size[0] = self.number()?,
                "HEIGHT" => size[1] = self.number()?,
                "MIP_LEVELS" => buffer.levels = self.number()?,
                "SAMPLES" => buffer.samples = self.number()?,
                "SIZE" => size[0] = self.number()?,
                word => self.initialise(&mut buffer, word, size.iter().product())?,
            }
        }
        if size[1] > 1 {
            buffer.size = Some(size);
        }
        self.script.buffers.insert(name, buffer);
        Ok(())
    }

    fn image(&mut self) -> Parsed<()> {
        let name = self.word()?.to_string();
        let kind = self.word()?;
        if !matches!(kind, "DATA_TYPE" | "FORMAT") {
            return Err(format!("an image with {kind}"));
        }
        let mut buffer = Buffer::new(self.format()?, 0);
        let mut size = [1; 3];
        while let Some(word) = self.tokens.word_of_line() {
            match word {
                "DIM_1D" | "DIM_2D" | "DIM_3D" => {}
                "WIDTH" => size[0] = self.number()?,
                "HEIGHT" => size[1] = self.number()?,
                "DEPTH" => size[2] = self.number()?,
                "MIP_LEVELS" => buffer.levels = self.number()?,
                "SAMPLES" => buffer.samples = self.number()?,
                word => self.initialise(&mut buffer, word, size.iter().product())?,
            }
        }
        buffer.resize(size);
        self.script.buffers.insert(name, buffer);
        Ok(())
    }

    fn initialise(&mut self, buffer: &mut Buffer, how: &str, elements: usize) -> Parsed<()> {
        let numbers = elements * buffer.format.numbers().len();
        match how {
            "DATA" => buffer.fill(&self.tokens.words_to_end()),
            "FILL" => {
                let word = self.word()?;
                buffer.fill(&vec![word; numbers])
            }
            "SERIES_FROM" => {
                let from: f64 = self.number()?;
                self.expect("INC_BY")?;
                let by: f64 = self.number()?;
                let series: Vec<String> = (0..numbers).map(|n| (from + by * n as f64).to_string()).collect();
                buffer.fill(&series.iter().map(String::as_str).collect::<Vec<_>>())
            }
            "FILE" => {
                if !self.tokens.accept("TEXT") {
                    return Err("a buffer from a file that is not text".into());
                }
                let path = self.folder.join(self.word()?);
                let text = std::fs::read_to_string(path).map_err(|error| format!("a file of numbers: {error}"))?;
                let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default());
                buffer.fill(&lines.flat_map(str::split_whitespace).collect::<Vec<_>>())
            }
            how => Err(format!("a buffer with {how}")),
        }
    }

    fn sampler(&mut self) -> Parsed<()> {
        let name = self.word()?.to_string();
        // Texels are repeated and not filtered unless the script says so.
        let mut sampler = Sampler { filter: Filter::Nearest, mip: Mip::Nearest, ..Sampler::default() };
        let filter = |word: &str| match word {
            "nearest" => Ok(Filter::Nearest),
            "linear" => Ok(Filter::Linear),
            word => Err(format!("the filter {word}")),
        };
        while let Some(word) = self.tokens.word_of_line() {
            match word {
                "MAG_FILTER" => sampler.filter = filter(self.word()?)?,
                "MIN_FILTER" => sampler.minify = Some(filter(self.word()?)?),
                "ADDRESS_MODE_U" | "ADDRESS_MODE_V" | "ADDRESS_MODE_W" => {
                    let axis = usize::from(word.as_bytes()[word.len() - 1] - b'U');
                    sampler.wrap[axis] = match self.word()? {
                        "repeat" => Wrap::Repeat,
                        "mirrored_repeat" => Wrap::Mirror,
                        "clamp_to_edge" => Wrap::Clamp,
                        "clamp_to_border" => Wrap::Border,
                        word => return Err(format!("the address mode {word}")),
                    };
                }
                "BORDER_COLOR" => {
                    sampler.border = match self.word()? {
                        "float_transparent_black" | "int_transparent_black" => [0; 4],
                        "float_opaque_black" => [0.0, 0.0, 0.0, 1.0].map(f32::to_bits),
                        "float_opaque_white" => [1f32.to_bits(); 4],
                        word => return Err(format!("the border colour {word}")),
                    };
                }
                "COMPARE" => {
                    self.word()?;
                }
                "COMPARE_OP" => sampler.compare = self.comparison()?,
                "MIN_LOD" | "MAX_LOD" => {
                    self.word()?;
                }
                "NORMALIZED_COORDS" => {}
                word => return Err(format!("a sampler with {word}")),
            }
        }
        sampler.minify = sampler.minify.or(Some(Filter::Nearest));
        self.script.samplers.insert(name, sampler);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::script::{BindingKind, Command, Expectation, ExpectationKind, Run};
    use super::*;

    const SCRIPT: &str = "#!amber\nDEVICE_FEATURE shaderInt16\nSHADER compute c GLSL TARGET_ENV spv1.3\n#version 450\n\
        void main() {}\nEND\nBUFFER b DATA_TYPE uint32 SIZE 3 SERIES_FROM 5 INC_BY 2\n\
        BUFFER u DATA_TYPE float[] STD140 DATA\n 1.5 2\nEND\nPIPELINE compute p\n\
        ATTACH c SPECIALIZE 1 AS float 0.5 SPECIALIZE 2 AS uint32 7\n\
        BIND BUFFER b AS storage DESCRIPTOR_SET 1 BINDING 2\nBIND BUFFER u AS push_constant\nEND\nRUN p 1 2 3\n\
        EXPECT b IDX 4 TOLERANCE 10% 1 EQ 7 9\nEXPECT b EQ_BUFFER b\n";

    #[test]
    fn a_script_is_read() {
        let script = parse(SCRIPT, Path::new("")).unwrap();
        assert_eq!(script.features, ["shaderInt16"]);
        assert_eq!(script.shaders["c"].source, Source::Glsl("#version 450\nvoid main() {}\n".into()));
        assert_eq!(script.buffers["b"].words(0), [5, 7, 9]);
        assert_eq!(script.buffers["u"].words(0)[4], 2f32.to_bits());
        let pipeline = &script.pipelines["p"];
        assert_eq!(pipeline.attachments[0].spec, BTreeMap::from([(1, 0x3f00_0000), (2, 7)]));
        assert_eq!((pipeline.bindings[0].set, pipeline.bindings[0].binding), (1, 2));
        assert_eq!(pipeline.bindings[1].kind, BindingKind::Push);
        assert!(matches!(script.commands[0], Command::Run { run: Run::Dispatch([1, 2, 3]), .. }));
        let Command::Expect(Expectation {
            line: 17, kind: ExpectationKind::Numbers { tolerances, values, .. }, ..
        }) = &script.commands[1]
        else {
            panic!("{:?}", script.commands[1]);
        };
        assert_eq!((tolerances.len(), values.len(), tolerances[0].percent), (2, 2, true));
    }

    #[test]
    fn what_is_not_known_is_named() {
        let refused = |text: &str| parse(text, Path::new("")).unwrap_err();
        assert_eq!(refused("ACCELERATION_STRUCTURE x"), "the command ACCELERATION_STRUCTURE");
        assert_eq!(refused("SHADER geometry g GLSL\nEND\n"), "a geometry shader");
        assert_eq!(refused("BUFFER b FORMAT BC1_RGB_UNORM_BLOCK"), "the format BC1_RGB_UNORM_BLOCK");
        assert_eq!(refused("EXPECT b IDX"), "the script ends too soon");
    }
}
