//! The other form of scripts, in sections (`docs/vk_script.md` of `google/amber`).

use super::buffer::Buffer;
use super::format::Format;
use super::script::{
    Attachment, Binding, BindingKind, Colour, Command, Comparator, Expectation, ExpectationKind, Pipeline, Run, Script,
    ScriptShader, Source, Tolerance, Topology, VertexData,
};
use crate::ShaderStage;
use std::collections::BTreeMap;

/// The pipeline that has all that is drawn to, and no shaders.
const TARGET: &str = "target";
/// What is drawn to.
const FRAMEBUFFER: &str = "framebuffer";
/// What push constants are in.
const PUSH: &str = "push";
/// What indices are in.
const INDICES: &str = "indices";

/// Whether a text is such a script.
pub(super) fn is_sections(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.next().is_some_and(|line| line.starts_with('['))
}

/// Reads a script.
///
/// # Errors
/// The first thing that the runner does not know.
pub(super) fn parse(text: &str) -> Result<Script, String> {
    let mut parser = Sections::new()?;
    let (mut section, mut body) = (String::new(), String::new());
    let mut test = (0, String::new());
    for (n, line) in text.lines().chain(["[]"]).enumerate() {
        if line.starts_with('[') {
            match section.as_str() {
                "" => {}
                "require" => parser.require(&body)?,
                "test" => test.1 = std::mem::take(&mut body),
                "vertex data" => parser.vertex_data(&body)?,
                "indices" => {
                    let mut indices = Buffer::new(data_type("uint")?, 0);
                    indices.fill(&without_comments(&body).flat_map(str::split_whitespace).collect::<Vec<_>>())?;
                    parser.script.buffers.insert(INDICES.into(), indices);
                    parser.target.indices = Some(INDICES.into());
                }
                section => parser.shader(section, &body)?,
            }
            section = line.trim_matches(['[', ']', ' ', '\r']).to_string();
            body.clear();
            if section == "test" {
                test.0 = n + 1;
            }
        } else {
            body.push_str(line);
            body.push('\n');
        }
    }
    for (n, line) in test.1.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().replace(['(', ')', ','], " ");
        let words: Vec<&str> = line.split_whitespace().collect();
        parser.command(&words, test.0 + n + 1)?;
    }
    parser.finish()
}

fn without_comments(body: &str) -> impl Iterator<Item = &str> {
    body.lines().map(|line| line.split('#').next().unwrap_or_default())
}

struct Sections {
    script: Script,
    /// What all pipelines that draw have in common.
    target: Pipeline,
    entries: BTreeMap<&'static str, String>,
    /// Buffers by set and binding that are blocks of uniforms.
    uniforms: Vec<String>,
    tolerances: Vec<Tolerance>,
}

impl Sections {
    fn new() -> Result<Sections, String> {
        let colours = vec![Colour { location: 0, buffer: FRAMEBUFFER.into(), level: 0 }];
        let target = Pipeline { is_graphics: true, size: [250; 2], colours, ..Pipeline::default() };
        let mut parser = Sections {
            script: Script::default(),
            target,
            entries: BTreeMap::new(),
            uniforms: Vec::new(),
            tolerances: Vec::new(),
        };
        parser.framebuffer("B8G8R8A8_UNORM")?;
        Ok(parser)
    }

    fn framebuffer(&mut self, format: &str) -> Result<(), String> {
        let format = Format::named(format, false).ok_or_else(|| format!("the format {format}"))?;
        let mut buffer = Buffer::new(format, 0);
        buffer.is_sized_by_pipeline = true;
        self.script.buffers.insert(FRAMEBUFFER.into(), buffer);
        Ok(())
    }

    fn require(&mut self, body: &str) -> Result<(), String> {
        for line in without_comments(body) {
            match line.split_whitespace().collect::<Vec<_>>().as_slice() {
                ["framebuffer", format] => self.framebuffer(format)?,
                ["fbsize", width, height] => self.target.size = [number(width)?, number(height)?],
                ["depthstencil", ..] => return Err("depths in sections".into()),
                words => self.script.features.extend(words.iter().map(|word| word.to_string())),
            }
        }
        Ok(())
    }

    fn shader(&mut self, section: &str, body: &str) -> Result<(), String> {
        let unknown = || format!("the section [{section}]");
        let (name, form) = section.split_once(" shader").ok_or_else(unknown)?;
        let stage = match name {
            "vertex" => ShaderStage::Vertex,
            "fragment" => ShaderStage::Fragment,
            "compute" => ShaderStage::Compute,
            name => return Err(format!("a {} shader", name.replace(' ', "_"))),
        };
        let source = match form.trim() {
            "" => Source::Glsl(body.to_string()),
            "spirv" => Source::Assembly(body.to_string()),
            "passthrough" => Source::PassThrough,
            _ => return Err(unknown()),
        };
        let shader = ScriptShader { stage: Some(stage), source, environment: None };
        self.script.shaders.insert(stage_name(stage).into(), shader);
        Ok(())
    }

    /// A line of locations with formats, then a line for each vertex.
    fn vertex_data(&mut self, body: &str) -> Result<(), String> {
        let mut lines = without_comments(body).filter(|line| !line.trim().is_empty());
        let mut columns = Vec::new();
        for column in lines.next().unwrap_or_default().split_whitespace() {
            let (location, format) = column.split_once('/').ok_or_else(|| format!("the column {column}"))?;
            let format = Format::named(format, false).ok_or_else(|| format!("the format {format}"))?;
            columns.push((number(location)?, Buffer::new(format, 0), Vec::new()));
        }
        for line in lines {
            let mut words = line.split_whitespace();
            for (_, buffer, values) in &mut columns {
                values.extend(words.by_ref().take(buffer.format.numbers().len()));
            }
        }
        for (location, mut buffer, values) in columns {
            buffer.fill(&values)?;
            let name = format!("vertices {location}");
            self.script.buffers.insert(name.clone(), buffer);
            self.target.vertices.push(VertexData { buffer: name, location, offset: 0 });
        }
        Ok(())
    }

    fn command(&mut self, words: &[&str], line: usize) -> Result<(), String> {
        let command = match words {
            [] => return Ok(()),
            [stage @ ("vertex" | "fragment" | "compute"), "entrypoint", name] => {
                let stages = [ShaderStage::Vertex, ShaderStage::Fragment, ShaderStage::Compute];
                let stage = stages.map(stage_name).into_iter().find(|known| known == stage).unwrap_or_default();
                self.entries.insert(stage, name.to_string());
                return Ok(());
            }
            ["compute", x, y, z] => {
                let run = Run::Dispatch([number(x)?, number(y)?, number(z)?]);
                self.run(&[ShaderStage::Compute], Pipeline::default(), run)
            }
            ["draw", "rect", "ortho", rest @ ..] => {
                let [left, top, width, height] = numbers(rest)?;
                self.draw(Run::Rect([left, top, width, height]))
            }
            ["draw", "rect", rest @ ..] => {
                // From -1 to 1.
                let [left, top, width, height] = numbers(rest)?;
                let [across, down] = self.target.size.map(|side| side as f64 / 2.0);
                self.draw(Run::Rect([(left + 1.0) * across, (top + 1.0) * down, width * across, height * down]))
            }
            ["draw", "arrays", rest @ ..] => {
                let (indexed, rest) = match rest {
                    ["indexed", rest @ ..] => (true, rest),
                    rest => (false, rest),
                };
                let [name, first, count] = rest else { return Err("a draw of instances".into()) };
                let topology = Topology::named(name).ok_or_else(|| format!("a draw of {name}"))?;
                self.draw(Run::Array { topology, first: number(first)?, count: Some(number(count)?), indexed })
            }
            ["clear"] => Command::Clear(TARGET.into()),
            ["clear", "color", rest @ ..] => Command::ClearColour { pipeline: TARGET.into(), colour: numbers(rest)? },
            ["tolerance", rest @ ..] => {
                self.tolerances = rest.iter().map(|word| tolerance(word)).collect::<Result<_, _>>()?;
                return Ok(());
            }
            ["uniform", "ubo", binding, ty, offset, values @ ..] => {
                let buffer = self.buffer_of(binding)?;
                self.uniforms.push(buffer.clone());
                write(buffer, ty, offset, values)?
            }
            ["uniform", ty, offset, values @ ..] => {
                let bytes = Buffer::new(data_type("uint8_t")?, 0);
                self.script.buffers.entry(PUSH.into()).or_insert(bytes);
                write(PUSH.into(), ty, offset, values)?
            }
            ["ssbo", binding, "subdata", ty, offset, values @ ..] => {
                write(self.buffer_of(binding)?, ty, offset, values)?
            }
            ["ssbo", binding, size] => {
                let name = self.buffer_of(binding)?;
                let buffer = Buffer::new(data_type("uint8_t")?, number(size)?);
                self.script.buffers.insert(name, buffer);
                return Ok(());
            }
            ["probe", "ssbo", ty, binding, offset, comparator, values @ ..] => {
                let (comparator, is_near) = comparator_of(comparator)?;
                let kind = ExpectationKind::Numbers {
                    at: number(offset)?,
                    format: Some(data_type(ty)?),
                    comparator,
                    values: values.iter().map(|word| word.to_string()).collect(),
                    tolerances: if is_near { self.tolerances.clone() } else { Vec::new() },
                };
                Command::Expect(Expectation { line, buffer: self.buffer_of(binding)?, kind })
            }
            [first @ ("probe" | "relative"), rest @ ..] => {
                let kind = self.colours(*first == "relative", rest)?;
                Command::Expect(Expectation { line, buffer: FRAMEBUFFER.into(), kind })
            }
            [first, ..] => return Err(format!("the test command {first}")),
        };
        self.script.commands.push(command);
        Ok(())
    }

    /// Colours that must be somewhere: at a place, in a rectangle, everywhere.
    fn colours(&self, relative: bool, words: &[&str]) -> Result<ExpectationKind, String> {
        let words = if relative { words.strip_prefix(&["probe"]).unwrap_or(words) } else { words };
        let [width, height] = self.target.size;
        let scale = if relative { [width, height].map(|side| side as f64) } else { [1.0; 2] };
        let pixels = |at: f64, n: usize| (at * scale[n % 2]) as usize;
        let (rect, count, rest) = match words {
            ["rect", kind, rest @ ..] if rest.len() > 4 => {
                let at: [f64; 4] = numbers(&rest[..4])?;
                ([0, 1, 2, 3].map(|n| pixels(at[n], n)), channels(kind)?, &rest[4..])
            }
            ["all", kind, rest @ ..] => ([0, 0, width, height], channels(kind)?, rest),
            [kind, rest @ ..] if rest.len() > 2 => {
                let at: [f64; 2] = numbers(&rest[..2])?;
                ([pixels(at[0], 0), pixels(at[1], 1), 1, 1], channels(kind)?, &rest[2..])
            }
            _ => return Err("a probe without a place".into()),
        };
        let colour = rest.iter().map(|word| number(word)).collect::<Result<Vec<f64>, _>>()?;
        if colour.len() != count {
            return Err(format!("{} components where {count} should stand", colour.len()));
        }
        // Those of colours are from 0 to 1, too.
        Ok(ExpectationKind::Colours { rect, colour, tolerances: self.tolerances.clone() })
    }

    fn draw(&mut self, run: Run) -> Command {
        self.run(&[ShaderStage::Vertex, ShaderStage::Fragment], self.target.clone(), run)
    }

    fn run(&mut self, stages: &[ShaderStage], mut pipeline: Pipeline, run: Run) -> Command {
        for &stage in stages.iter().filter(|stage| self.script.shaders.contains_key(stage_name(**stage))) {
            let entry = self.entries.get(stage_name(stage)).cloned().unwrap_or_else(|| "main".into());
            let shader = stage_name(stage).to_string();
            pipeline.attachments.push(Attachment { shader, stage, entry, spec: BTreeMap::new() });
        }
        let name = format!("{}", self.script.pipelines.len());
        self.script.pipelines.insert(name.clone(), pipeline);
        Command::Run { pipeline: name, run }
    }

    /// The name of the buffer of a binding, which is its set and number; it is made if there is none.
    fn buffer_of(&mut self, binding: &str) -> Result<String, String> {
        let name = if binding.contains(':') { binding.to_string() } else { format!("0:{binding}") };
        let bytes = Buffer::new(data_type("uint8_t")?, 0);
        self.script.buffers.entry(name.clone()).or_insert(bytes);
        Ok(name)
    }

    /// Everything that was named is bound to every pipeline.
    fn finish(mut self) -> Result<Script, String> {
        let mut bindings = Vec::new();
        for name in self.script.buffers.keys() {
            let kind = match name.as_str() {
                PUSH => BindingKind::Push,
                name if self.uniforms.iter().any(|uniform| uniform == name) => BindingKind::Uniform,
                name if name.contains(':') => BindingKind::Storage,
                _ => continue,
            };
            bindings.push(binding(name, kind));
        }
        for pipeline in self.script.pipelines.values_mut() {
            pipeline.bindings.clone_from(&bindings);
        }
        self.script.pipelines.insert(TARGET.into(), self.target);
        Ok(self.script)
    }
}

fn stage_name(stage: ShaderStage) -> &'static str {
    match stage {
        ShaderStage::Vertex => "vertex",
        ShaderStage::Fragment => "fragment",
        ShaderStage::Compute => "compute",
    }
}

fn write(buffer: String, ty: &str, offset: &str, values: &[&str]) -> Result<Command, String> {
    let values = values.iter().map(|word| word.to_string()).collect();
    Ok(Command::Write { buffer, format: data_type(ty)?, at: number(offset)?, values })
}

/// A comparison, and whether it allows for the tolerance.
fn comparator_of(word: &str) -> Result<(Comparator, bool), String> {
    Ok(match word {
        "==" => (Comparator::Eq, false),
        "~=" => (Comparator::Eq, true),
        "!=" => (Comparator::Ne, false),
        "<" => (Comparator::Lt, false),
        "<=" => (Comparator::Le, false),
        ">" => (Comparator::Gt, false),
        ">=" => (Comparator::Ge, false),
        word => return Err(format!("numbers compared by {word}")),
    })
}

fn channels(kind: &str) -> Result<usize, String> {
    match kind {
        "rgb" => Ok(3),
        "rgba" => Ok(4),
        kind => Err(format!("a probe of {kind}")),
    }
}

fn numbers<const N: usize>(words: &[&str]) -> Result<[f64; N], String> {
    let found = words.iter().map(|word| number(word)).collect::<Result<Vec<f64>, _>>()?;
    found.try_into().map_err(|found: Vec<f64>| format!("{} numbers where {N} should stand", found.len()))
}

fn number<T: std::str::FromStr>(word: &str) -> Result<T, String> {
    word.parse().map_err(|_| format!("`{word}` where a number should stand"))
}

fn tolerance(word: &str) -> Result<Tolerance, String> {
    let (digits, percent) = match word.strip_suffix('%') {
        Some(digits) => (digits, true),
        None => (word, false),
    };
    Ok(Tolerance { value: number(digits)?, percent })
}

fn binding(name: &str, kind: BindingKind) -> Binding {
    let (set, number) = name.split_once(':').unwrap_or(("0", name));
    Binding {
        kind,
        buffers: vec![name.to_string()],
        set: set.parse().unwrap_or(0),
        binding: number.parse().unwrap_or(0),
        offsets: Vec::new(),
        sampler: None,
    }
}

/// A type as GLSL names it.
fn data_type(name: &str) -> Result<Format, String> {
    let plain = name.strip_suffix("_t").unwrap_or(name);
    let scalar = |name: &str| match name {
        "int" => "int32".to_string(),
        "uint" => "uint32".to_string(),
        name => name.to_string(),
    };
    let spelled = match plain.split_once("vec") {
        Some((kind, rows)) => {
            let element = match kind {
                "" => "float".to_string(),
                "d" => "double".to_string(),
                "i" => "int32".to_string(),
                "u" => "uint32".to_string(),
                kind if kind.starts_with('i') => format!("int{}", &kind[1..]),
                kind => format!("uint{}", kind.get(1..).unwrap_or_default()),
            };
            format!("vec{rows}<{element}>")
        }
        None => match plain.strip_prefix('d').filter(|rest| rest.starts_with("mat")) {
            Some(rest) => format!("{rest}<double>"),
            None if plain.starts_with("mat") => format!("{plain}<float>"),
            None => scalar(plain),
        },
    };
    Format::named(&spelled, false).ok_or_else(|| format!("the type {name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCRIPT: &str = "# x\n[require]\nVK_KHR_spirv_1_4\n[compute shader spirv]\nOpNop\n\n[test]\nssbo 0:1 16\n\
        ssbo 2 subdata ivec2 8 1 2\ncompute entrypoint other\ncompute 1 2 3\ntolerance 5%\n\
        probe ssbo float 0:1 4 ~= 1.5\n";

    #[test]
    fn sections_are_a_script() {
        assert!(is_sections(SCRIPT) && !is_sections("#!amber\nSHADER"));
        let script = parse(SCRIPT).unwrap();
        assert_eq!(script.shaders["compute"].source, Source::Assembly("OpNop\n\n".into()));
        assert_eq!((script.buffers["0:1"].bytes.len(), script.pipelines["0"].bindings.len()), (16, 2));
        assert_eq!(script.pipelines["0"].attachments[0].entry, "other");
        assert!(matches!(&script.commands[0], Command::Write { at: 8, values, .. } if values.len() == 2));
        assert!(matches!(&script.commands[2], Command::Expect(Expectation { line: 13, .. })));
        assert_eq!(parse("[fonts]\n").unwrap_err(), "the section [fonts]");
        assert_eq!(parse("[tessellation control shader]\n").unwrap_err(), "a tessellation_control shader");
        assert_eq!(parse("[test]\npatch parameter vertices 3\n").unwrap_err(), "the test command patch");
    }

    const DRAWS: &str = "[require]\nfbsize 10 20\n[vertex shader passthrough]\n[fragment shader]\nvoid main() {}\n\
        [vertex data]\n1/R8G8_SNORM 0/R32G32_SFLOAT # places\n1 2 0.5 0.25\n3 4 1 0\n[indices]\n1 0 # two\n\
        [test]\nclear color 1 0 0 0.5\nclear\nuniform ubo 1:2 float 4 0.5\nuniform int 0 7\n\
        draw rect -1 -1 2 1\ndraw arrays indexed LINE_LIST 0 2\nprobe rect rgba (1, 2, 3, 4) (0 0 0 1)\n\
        relative probe rect rgb (0.5, 0.5, 0.5, 0.5) (1.0, 0, 0.3)\nprobe all rgb 0 0 1\n";

    #[test]
    fn sections_draw() {
        let script = parse(DRAWS).unwrap();
        assert_eq!(script.shaders["vertex"].source, Source::PassThrough);
        assert_eq!(script.buffers["vertices 1"].bytes, [1, 2, 3, 4]);
        assert_eq!(script.buffers["vertices 0"].words(8), [1f32.to_bits(), 0]);
        assert_eq!(script.buffers[INDICES].words(0), [1, 0]);
        let bound: Vec<_> = script.pipelines["0"].bindings.iter().map(|b| (b.kind, b.set, b.binding)).collect();
        assert_eq!(bound, [(BindingKind::Uniform, 1, 2), (BindingKind::Push, 0, 0)]);
        assert_eq!(script.pipelines["0"].attachments.len(), 2);
        let Command::Run { run, .. } = &script.commands[4] else { panic!("a draw") };
        assert_eq!(*run, Run::Rect([0.0, 0.0, 10.0, 10.0]));
        let Command::Run { run, .. } = &script.commands[5] else { panic!("a draw") };
        assert_eq!(*run, Run::Array { topology: Topology::Lines, first: 0, count: Some(2), indexed: true });
        let rects: Vec<_> = script.commands[6..]
            .iter()
            .map(|command| match command {
                Command::Expect(Expectation { kind: ExpectationKind::Colours { rect, colour, .. }, .. }) => {
                    (*rect, colour.len())
                }
                command => panic!("{command:?}"),
            })
            .collect();
        assert_eq!(rects, [([1, 2, 3, 4], 4), ([5, 10, 5, 10], 3), ([0, 0, 10, 20], 3)]);
    }

    #[test]
    fn types_are_those_of_glsl() {
        for (name, size) in [("int", 4), ("uint16_t", 2), ("vec3", 16), ("i64vec2", 16), ("u8vec4", 4), ("dmat2x2", 32)]
        {
            assert_eq!(data_type(name).unwrap().size, size, "{name}");
        }
        assert!(data_type("sampler").is_err());
    }
}
