//! Runs scripts.

use super::buffer::Buffer;
use super::draw::draw;
use super::expect::check;
use super::script::{Attachment, Binding, BindingKind, Command, Pipeline, Run, Script, Source};
use crate::{Compiler, Outcome, Prepared, ShaderStage, SpirvModule, prepare};
use parallax::{Dispatch, Engine, NamedWords, run_dispatch};
use parallax_core::Interface;
use parallax_core::exec::ImageLayout;
use parallax_texture::{Image, Sampler, TextureSet, Unit};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// A script being run.
pub(super) struct Machine<'a> {
    pub(super) script: &'a Script,
    pub(super) buffers: BTreeMap<String, Buffer>,
    compiler: &'a Compiler,
    engine: Engine,
    colours: BTreeMap<&'a str, [f64; 4]>,
    /// Programs by pipeline and number of the attachment.
    programs: BTreeMap<(String, usize), Rc<Prepared>>,
}

/// Runs a script to its first expectation that is not met.
pub fn run(script: &Script, compiler: &Compiler, engine: Engine) -> Outcome {
    let mut machine = Machine {
        script,
        buffers: script.buffers.clone(),
        compiler,
        engine,
        colours: BTreeMap::new(),
        programs: BTreeMap::new(),
    };
    // An image of a size of its own decides that of the pipeline, not the other way around.
    for pipeline in script.pipelines.values() {
        for (_, name) in &pipeline.colours {
            if let Some(buffer) = machine.buffers.get_mut(name).filter(|buffer| buffer.is_sized_by_pipeline) {
                buffer.resize([pipeline.size[0], pipeline.size[1], 1]);
            }
        }
    }
    match machine.commands(&script.commands) {
        Ok(()) => Outcome::Passed,
        Err(outcome) => outcome,
    }
}

impl<'a> Machine<'a> {
    fn commands(&mut self, commands: &'a [Command]) -> Result<(), Outcome> {
        for command in commands {
            match command {
                Command::Run { pipeline: name, run } => {
                    let pipeline = self.pipeline(name)?;
                    match run {
                        Run::Dispatch(grid) => self.dispatch(name, pipeline, *grid)?,
                        run => draw(self, name, pipeline, run)?,
                    }
                }
                Command::ClearColour { pipeline, colour } => {
                    self.colours.insert(pipeline, *colour);
                }
                Command::Clear(name) => {
                    let colour = self.colours.get(name.as_str()).copied().unwrap_or([0.0; 4]);
                    for (_, buffer) in &self.pipeline(name)?.colours {
                        self.buffer(buffer)?.clear(colour);
                    }
                }
                Command::Copy { from, to } => {
                    let bytes = self.buffer(from)?.bytes.clone();
                    self.buffer(to)?.bytes = bytes;
                }
                Command::Write { buffer, format, at, values } => {
                    let words: Vec<&str> = values.iter().map(String::as_str).collect();
                    self.buffer(buffer)?.fill_from(*at, format, &words).map_err(Outcome::NotParsed)?;
                }
                Command::Expect(expected) => check(expected, &self.buffers).map_err(Outcome::Failed)?,
                Command::Repeat(times, commands) => {
                    for _ in 0..*times {
                        self.commands(commands)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn pipeline(&self, name: &str) -> Result<&'a Pipeline, Outcome> {
        let script = self.script;
        let pipeline = script.pipelines.get(name).ok_or_else(|| Outcome::NotParsed("an unknown pipeline".into()))?;
        match &pipeline.refused {
            Some(reason) => Err(Outcome::NotParsed(reason.clone())),
            None => Ok(pipeline),
        }
    }

    pub(super) fn buffer(&mut self, name: &str) -> Result<&mut Buffer, Outcome> {
        self.buffers.get_mut(name).ok_or_else(|| Outcome::NotParsed("an unknown buffer".into()))
    }

    /// The program of a stage of a pipeline; `None` where it has none, or one that only passes on.
    pub(super) fn program(
        &mut self,
        name: &str,
        pipeline: &Pipeline,
        stage: ShaderStage,
    ) -> Result<Option<Rc<Prepared>>, Outcome> {
        let Some(number) = pipeline.attachments.iter().position(|attached| attached.stage == stage) else {
            return Ok(None);
        };
        let key = (name.to_string(), number);
        if let Some(known) = self.programs.get(&key) {
            return Ok(Some(known.clone()));
        }
        let Some(module) = self.module(&pipeline.attachments[number])? else { return Ok(None) };
        let program = Rc::new(prepare(&module, self.engine)?);
        self.programs.insert(key, program.clone());
        Ok(Some(program))
    }

    fn module(&self, attached: &Attachment) -> Result<Option<SpirvModule>, Outcome> {
        let shader = self.script.shaders.get(&attached.shader);
        let shader = shader.ok_or_else(|| Outcome::NotParsed("an unknown shader".into()))?;
        let bytes_of = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
        let bytes = match &shader.source {
            Source::PassThrough => return Ok(None),
            Source::Glsl(text) => self.compiler.glsl(attached.stage, text, shader.environment.as_deref())?,
            Source::Words(words) => bytes_of(words),
            Source::Assembly(text) => {
                let (module, diags) = parallax_spirv::assemble(text).module();
                if diags.iter().any(|diag| diag.is_error()) {
                    return Err(Outcome::of_diags(&diags));
                }
                bytes_of(&module.words)
            }
        };
        let (entry, spec) = (attached.entry.clone(), attached.spec.clone());
        Ok(Some(SpirvModule { bytes, stage: attached.stage, entry, spec }))
    }

    fn dispatch(&mut self, name: &str, pipeline: &Pipeline, grid: [u32; 3]) -> Result<(), Outcome> {
        let program = self.program(name, pipeline, ShaderStage::Compute)?;
        let program = program.ok_or_else(|| Outcome::NotParsed("a grid without a kernel".into()))?;
        let iface = &program.shader.func.iface;
        let (words, textures) = (self.words(pipeline, iface), self.textures(pipeline, iface)?);
        let dispatch = Dispatch { grid, words, textures, ..Dispatch::default() };
        let result = run_dispatch(&program, &dispatch)?;
        if result.out_of_fuel > 0 {
            return Err(Outcome::Failed(format!("{} invocations do not end", result.out_of_fuel)));
        }
        self.take_back(pipeline, iface, &result.buffers);
        Ok(())
    }

    /// Words of everything that is bound and that an interface names.
    pub(super) fn words(&self, pipeline: &Pipeline, iface: &Interface) -> NamedWords {
        let is_known = |name: &str| {
            iface.buffers.iter().any(|buffer| buffer.name == name) || iface.banks.iter().any(|bank| bank.name == name)
        };
        let mut words = NamedWords::new();
        for (name, buffer, offset) in pipeline.bindings.iter().flat_map(Binding::places) {
            if let Some(buffer) = self.buffers.get(buffer).filter(|_| is_known(&name)) {
                words.push((name, buffer.words(offset)));
            }
        }
        words
    }

    /// Puts what a run left in buffers where it came from.
    pub(super) fn take_back(&mut self, pipeline: &Pipeline, iface: &Interface, results: &[Vec<u32>]) {
        let before = self.words(pipeline, iface);
        for (name, buffer, offset) in pipeline.bindings.iter().flat_map(Binding::places) {
            let found = iface.buffers.iter().zip(results).find(|(decl, _)| decl.name == name);
            let before = before.iter().find(|(known, _)| *known == name);
            if let (Some((_, words)), Some((_, before)), Some(buffer)) = (found, before, self.buffers.get_mut(buffer)) {
                buffer.take_words(offset, before, words);
            }
        }
    }

    /// Images that are bound, by unit.
    pub(super) fn textures(&self, pipeline: &Pipeline, iface: &Interface) -> Result<TextureSet, Outcome> {
        let mut set = TextureSet::default();
        for binding in pipeline.bindings.iter().filter(|binding| binding.kind == BindingKind::Image) {
            let sampler = binding.sampler.as_ref().and_then(|name| self.script.samplers.get(name)).copied();
            for (name, buffer, _) in binding.places() {
                let memory = iface.buffers.iter().position(|decl| decl.name == name && decl.image.is_some());
                if let (Some(number), Some(buffer)) = (memory, self.buffers.get(buffer)) {
                    set.set_image(number as u16, layout_of(buffer)?);
                }
                let unit = iface.units.iter().find(|unit| unit.name == name);
                let (Some(unit), Some(buffer)) = (unit, self.buffers.get(buffer)) else { continue };
                set.set(unit.unit, unit_of(buffer, sampler.unwrap_or_default())?);
            }
        }
        Ok(set)
    }
}

impl Binding {
    /// Names that an interface has for its buffers, the buffers, and where they begin.
    fn places(&self) -> Vec<(String, &str, usize)> {
        let base = match self.kind {
            BindingKind::Push => "push".to_string(),
            _ => format!("{}.{}", self.set, self.binding),
        };
        let mut out = Vec::new();
        for (n, buffer) in self.buffers.iter().enumerate() {
            let name = if self.buffers.len() > 1 { format!("{base}.{n}") } else { base.clone() };
            out.push((name, buffer.as_str(), self.offsets.get(n).copied().unwrap_or(0)));
        }
        out
    }
}

/// The image that a program reads and writes as memory in a buffer.
fn layout_of(buffer: &Buffer) -> Result<ImageLayout, Outcome> {
    let format = buffer.format.image().ok_or_else(|| Outcome::NotParsed("an image of this format as memory".into()))?;
    let size = buffer.size.unwrap_or([buffer.elements(), 1, 1]).map(|side| side as u32);
    Ok(ImageLayout { format, size, samples: buffer.samples.max(1) })
}

fn unit_of(buffer: &Buffer, sampler: Sampler) -> Result<Unit, Outcome> {
    let refuse = |what: &str| Outcome::NotParsed(format!("an image {what}"));
    if buffer.samples > 1 {
        return Err(refuse("of several samples"));
    }
    if buffer.levels > 1 {
        return Err(refuse("of several levels"));
    }
    let size = buffer.size.unwrap_or([buffer.elements(), 1, 1]);
    let places = buffer.format.places();
    let mut texels = vec![[0, 0, 0, 1f32.to_bits()]; buffer.elements()];
    for (n, texel) in texels.iter_mut().enumerate() {
        for (segment, place) in buffer.format.segments.iter().zip(&places) {
            let Some(place) = place.filter(|place| *place < 4) else { continue };
            let bits = buffer.read(n * buffer.format.size, *segment).unwrap_or(0);
            texel[place] = match segment.scalar {
                super::format::Scalar::Int(_) | super::format::Scalar::Uint(_) => {
                    segment.scalar.number(bits) as i64 as u32
                }
                scalar => (scalar.normalised(segment.component, bits) as f32).to_bits(),
            };
        }
    }
    let image = Image::rgba32f_volume(size.map(|side| side as u32), texels).map_err(|_| refuse("of this size"))?;
    Ok(Unit::Image { image: Arc::new(image), sampler })
}
