//! Reads scripts.

use super::buffer::Buffer;
use super::format::Format;
use super::script::{
    Attachment, Binding, BindingKind, Command, Comparator, Expectation, ExpectationKind, Pipeline, Run, Script,
    ScriptShader, Source, Tolerance, Topology, VertexData,
};
use super::tokens::{Token, Tokens};
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

struct Parser<'a> {
    tokens: Tokens<'a>,
    script: Script,
    /// Files inside of the script.
    files: BTreeMap<&'a str, &'a str>,
    folder: &'a Path,
}

type Parsed<T> = Result<T, String>;

fn number<T: std::str::FromStr>(word: &str) -> Parsed<T> {
    word.parse().map_err(|_| format!("`{word}` where a number should stand"))
}

fn stage(word: &str) -> Parsed<ShaderStage> {
    match word {
        "vertex" => Ok(ShaderStage::Vertex),
        "fragment" => Ok(ShaderStage::Fragment),
        "compute" => Ok(ShaderStage::Compute),
        _ => Err(format!("a {word} shader")),
    }
}

impl<'a> Parser<'a> {
    fn word(&mut self) -> Parsed<&'a str> {
        self.tokens.next_word().ok_or_else(|| "the script ends too soon".to_string())
    }

    fn number<T: std::str::FromStr>(&mut self) -> Parsed<T> {
        number(self.word()?)
    }

    fn expect(&mut self, wanted: &str) -> Parsed<()> {
        match self.word()? {
            word if word == wanted => Ok(()),
            word => Err(format!("`{word}` where `{wanted}` should stand")),
        }
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
        let numbers = elements * buffer.format.segments.len();
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
                "COMPARE_OP" => {
                    let name = self.word()?.replace("_or_", "_");
                    let found = Compare::NAMES.iter().find(|(known, _)| *known == name);
                    sampler.compare = found.ok_or("a comparison that there is not")?.1;
                }
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

    fn pipeline(&mut self, name: &str, mut pipeline: Pipeline) -> Parsed<()> {
        loop {
            match self.word()? {
                "END" => break,
                "ATTACH" => self.attach(&mut pipeline)?,
                "FRAMEBUFFER_SIZE" => pipeline.size = [self.number()?, self.number()?],
                "BIND" => self.bind(&mut pipeline)?,
                "VERTEX_DATA" => {
                    let buffer = self.word()?.to_string();
                    self.expect("LOCATION")?;
                    let mut data = VertexData { buffer, location: self.number()?, offset: 0 };
                    while let Some(word) = self.tokens.word_of_line() {
                        match word {
                            "OFFSET" => data.offset = self.number()?,
                            "RATE" if self.tokens.accept("vertex") => {}
                            word => return Err(format!("vertices with {word}")),
                        }
                    }
                    pipeline.vertices.push(data);
                }
                "INDEX_DATA" => pipeline.indices = Some(self.word()?.to_string()),
                "POLYGON_MODE" => {
                    if self.word()? != "fill" {
                        pipeline.refused = Some("polygons that are not filled".into());
                    }
                }
                "SHADER_OPTIMIZATION" | "COMPILE_OPTIONS" | "SUBGROUP" => {
                    self.tokens.words_to_end();
                }
                word @ ("DEPTH" | "STENCIL" | "BLEND") => {
                    self.tokens.words_to_end();
                    pipeline.refused = Some(format!("a pipeline with {word}"));
                }
                word @ "VIEWPORT" => {
                    self.tokens.rest_of_line();
                    pipeline.refused = Some(format!("a pipeline with {word}"));
                }
                word => return Err(format!("a pipeline with {word}")),
            }
        }
        self.script.pipelines.insert(name.to_string(), pipeline);
        Ok(())
    }

    fn attach(&mut self, pipeline: &mut Pipeline) -> Parsed<()> {
        let shader = self.word()?.to_string();
        let mut attached = self.script.shaders.get(&shader).and_then(|shader| shader.stage);
        let mut entry = "main".to_string();
        let mut spec = BTreeMap::new();
        while let Some(word) = self.tokens.word_of_line() {
            match word {
                "TYPE" => attached = Some(stage(self.word()?)?),
                "ENTRY_POINT" => entry = self.word()?.to_string(),
                "SPECIALIZE" => {
                    let id = self.number()?;
                    self.expect("AS")?;
                    let ty = Format::named(self.word()?, false).ok_or("a constant of an unknown type")?;
                    let value = ty.segments[0].scalar.encode(self.word()?);
                    spec.insert(id, value.ok_or("a constant that is not a number")?);
                }
                word => return Err(format!("a shader attached with {word}")),
            }
        }
        let stage = attached.ok_or("a shader attached without a stage")?;
        pipeline.attachments.push(Attachment { shader, stage, entry, spec });
        Ok(())
    }

    fn bind(&mut self, pipeline: &mut Pipeline) -> Parsed<()> {
        let what = self.word()?;
        if !matches!(what, "BUFFER" | "BUFFER_ARRAY") {
            // Samplers come with their images, or are the only one.
            let words = self.tokens.rest_of_line();
            if what == "SAMPLER" {
                let name = words.first().ok_or("a sampler without a name")?.to_string();
                let images = pipeline.bindings.iter_mut().filter(|b| b.kind == BindingKind::Image);
                images.for_each(|binding| binding.sampler = Some(name.clone()));
                return Ok(());
            }
            return Err(format!("a binding of {what}"));
        }
        let mut buffers = Vec::new();
        loop {
            match self.word()? {
                "AS" => break,
                name => buffers.push(name.to_string()),
            }
        }
        let kind = self.word()?;
        if kind == "color" {
            self.expect("LOCATION")?;
            let location = self.number()?;
            if let Some(word) = self.tokens.word_of_line() {
                return Err(format!("a colour with {word}"));
            }
            pipeline.colours.extend(buffers.into_iter().map(|buffer| (location, buffer)));
            return Ok(());
        }
        if kind == "depth_stencil" {
            // Without tests, nothing sees it.
            self.tokens.rest_of_line();
            return Ok(());
        }
        let kind = match kind {
            "uniform" | "uniform_dynamic" => BindingKind::Uniform,
            "storage" | "storage_dynamic" => BindingKind::Storage,
            "push_constant" => BindingKind::Push,
            "combined_image_sampler" | "sampled_image" => BindingKind::Image,
            "storage_image" | "uniform_texel_buffer" | "storage_texel_buffer" => BindingKind::Image,
            kind => return Err(format!("a binding as {kind}")),
        };
        let mut binding = Binding { kind, buffers, set: 0, binding: 0, offsets: Vec::new(), sampler: None };
        while let Some(word) = self.tokens.word_of_line() {
            match word {
                "SAMPLER" => binding.sampler = Some(self.word()?.to_string()),
                "DESCRIPTOR_SET" => binding.set = self.number()?,
                "BINDING" => binding.binding = self.number()?,
                "OFFSET" | "DESCRIPTOR_OFFSET" => {
                    let mut place = 0;
                    while let Token::Word(word) = self.tokens.peek() {
                        let Ok(offset) = word.parse::<usize>() else { break };
                        self.tokens.next();
                        if binding.offsets.len() <= place {
                            binding.offsets.resize(place + 1, 0);
                        }
                        binding.offsets[place] += offset;
                        place += 1;
                    }
                }
                "DESCRIPTOR_RANGE" => {
                    while let Token::Word(word) = self.tokens.peek() {
                        if word.parse::<i64>().is_err() {
                            break;
                        }
                        self.tokens.next();
                    }
                }
                word => return Err(format!("a binding with {word}")),
            }
        }
        pipeline.bindings.push(binding);
        Ok(())
    }

    /// A command; `None` for one that does nothing here.
    fn command(&mut self, word: &str) -> Parsed<Option<Command>> {
        Ok(Some(match word {
            "RUN" => self.run()?,
            "CLEAR" => Command::Clear(self.word()?.to_string()),
            "CLEAR_COLOR" => {
                let pipeline = self.word()?.to_string();
                let mut colour = [0.0; 4];
                for value in &mut colour {
                    *value = self.number::<f64>()? / 255.0;
                }
                Command::ClearColour { pipeline, colour }
            }
            "CLEAR_DEPTH" | "CLEAR_STENCIL" => {
                self.tokens.rest_of_line();
                return Ok(None);
            }
            "COPY" => {
                let from = self.word()?.to_string();
                self.expect("TO")?;
                Command::Copy { from, to: self.word()?.to_string() }
            }
            "EXPECT" => Command::Expect(self.expectation()?),
            "REPEAT" => {
                let times = self.number()?;
                let mut commands = Vec::new();
                loop {
                    match self.word()? {
                        "END" => break,
                        word => commands.extend(self.command(word)?),
                    }
                }
                Command::Repeat(times, commands)
            }
            word => return Err(format!("the command {word}")),
        }))
    }

    fn run(&mut self) -> Parsed<Command> {
        let mut pipeline = self.word()?;
        if pipeline == "TIMED_EXECUTION" {
            pipeline = self.word()?;
        }
        let run = match self.word()? {
            "DRAW_RECT" => {
                self.expect("POS")?;
                let [left, top] = [self.number()?, self.number()?];
                self.expect("SIZE")?;
                Run::Rect([left, top, self.number()?, self.number()?])
            }
            "DRAW_ARRAY" => {
                self.expect("AS")?;
                let topology = match self.word()? {
                    "TRIANGLE_LIST" => Topology::List,
                    "TRIANGLE_STRIP" => Topology::Strip,
                    "TRIANGLE_FAN" => Topology::Fan,
                    word => return Err(format!("a draw of {word}")),
                };
                let (mut first, mut count, mut indexed) = (0, None, false);
                while let Some(word) = self.tokens.word_of_line() {
                    match word {
                        "INDEXED" => indexed = true,
                        "START_IDX" => first = self.number()?,
                        "COUNT" => count = Some(self.number()?),
                        word => return Err(format!("a draw with {word}")),
                    }
                }
                Run::Array { topology, first, count, indexed }
            }
            word if word.parse::<u32>().is_ok() => Run::Dispatch([number(word)?, self.number()?, self.number()?]),
            word => return Err(format!("a run with {word}")),
        };
        Ok(Command::Run { pipeline: pipeline.to_string(), run })
    }

    fn tolerances(&mut self) -> Parsed<Vec<Tolerance>> {
        let mut tolerances = Vec::new();
        while let Token::Word(word) = self.tokens.peek() {
            let (digits, percent) = match word.strip_suffix('%') {
                Some(digits) => (digits, true),
                None => (word, false),
            };
            let Ok(value) = digits.parse() else { break };
            tolerances.push(Tolerance { value, percent });
            self.tokens.next();
        }
        Ok(tolerances)
    }

    fn expectation(&mut self) -> Parsed<Expectation> {
        let line = self.tokens.line();
        let buffer = self.word()?.to_string();
        let other = |parser: &mut Self| -> Parsed<(String, f64)> {
            let name = parser.word()?.to_string();
            parser.expect("TOLERANCE")?;
            Ok((name, parser.number()?))
        };
        let kind = match self.word()? {
            "EQ_BUFFER" => ExpectationKind::Same(self.word()?.to_string()),
            "RMSE_BUFFER" => {
                let (name, most) = other(self)?;
                ExpectationKind::Near(name, most)
            }
            "EQ_HISTOGRAM_EMD_BUFFER" => {
                let (name, most) = other(self)?;
                ExpectationKind::Histogram(name, most)
            }
            "IDX" => {
                let at = self.number()?;
                let y = match self.tokens.peek() {
                    Token::Word(word) => word.parse::<usize>().ok(),
                    _ => None,
                };
                if let Some(y) = y {
                    self.tokens.next();
                    self.expect("SIZE")?;
                    let rect = [at, y, self.number()?, self.number()?];
                    let count = match self.word()? {
                        "EQ_RGBA" => 4,
                        "EQ_RGB" => 3,
                        word => return Err(format!("colours compared by {word}")),
                    };
                    let colour = (0..count).map(|_| Ok(self.number::<f64>()? / 255.0)).collect::<Parsed<_>>()?;
                    let tolerances = if self.tokens.accept("TOLERANCE") { self.tolerances()? } else { Vec::new() };
                    ExpectationKind::Colours { rect, colour, tolerances }
                } else {
                    let tolerances = if self.tokens.accept("TOLERANCE") { self.tolerances()? } else { Vec::new() };
                    let comparator = match self.word()? {
                        "EQ" => Comparator::Eq,
                        "NE" => Comparator::Ne,
                        "LT" => Comparator::Lt,
                        "LE" => Comparator::Le,
                        "GT" => Comparator::Gt,
                        "GE" => Comparator::Ge,
                        word => return Err(format!("numbers compared by {word}")),
                    };
                    let values = self.tokens.rest_of_line().iter().map(|word| word.to_string()).collect();
                    ExpectationKind::Numbers { at, format: None, comparator, values, tolerances }
                }
            }
            word => return Err(format!("an expectation of {word}")),
        };
        Ok(Expectation { line, buffer, kind })
    }
}

#[cfg(test)]
mod tests {
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
        assert_eq!(refused("BUFFER b FORMAT R5G6B5_UNORM_PACK16"), "the format R5G6B5_UNORM_PACK16");
        assert_eq!(refused("EXPECT b IDX"), "the script ends too soon");
    }
}
