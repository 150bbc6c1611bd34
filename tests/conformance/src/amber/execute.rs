//! Runs scripts.

use super::buffer::{Buffer, channel};
use super::depth::Tests;
use super::draw::draw;
use super::elements::{Texels, unit};
use super::expect::check;
use super::format::Component;
use super::script::{Attachment, Binding, BindingKind, Command, Pipeline, Run, Script, Source};
use crate::{Compiler, Outcome, Prepared, ShaderStage, SpirvModule, prepare};
use parallax::{Dispatch, Engine, NamedWords, run_dispatch};
use parallax_core::{BufferDecl, Interface};
use parallax_texture::TextureSet;
use std::collections::BTreeMap;
use std::ops::Deref;
use std::rc::Rc;

/// A shader that runs.
pub(super) struct Program {
    pub(super) compiled: Prepared,
    /// When its fragments are compared.
    pub(super) tests: Tests,
}

/// A script being run.
pub(super) struct Machine<'a> {
    pub(super) script: &'a Script,
    pub(super) buffers: BTreeMap<String, Buffer>,
    compiler: &'a Compiler,
    engine: Engine,
    /// Colours and depths that the buffers of a pipeline are cleared to.
    colours: BTreeMap<&'a str, [f64; 4]>,
    depths: BTreeMap<&'a str, f64>,
    /// Programs by pipeline and number of the attachment.
    programs: BTreeMap<(String, usize), Rc<Program>>,
}

/// Runs a script to its first expectation that is not met.
pub fn run(script: &Script, compiler: &Compiler, engine: Engine) -> Outcome {
    let mut machine = Machine {
        script,
        buffers: script.buffers.clone(),
        compiler,
        engine,
        colours: BTreeMap::new(),
        depths: BTreeMap::new(),
        programs: BTreeMap::new(),
    };
    // An image of a size of its own decides that of the pipeline, not the other way around.
    for pipeline in script.pipelines.values() {
        let colours = pipeline.colours.iter().map(|colour| (&colour.buffer, colour.level));
        let depths = pipeline.depths.iter().map(|depths| (depths, 0));
        let resolved = pipeline.resolved.iter().map(|resolved| (resolved, 0));
        for (name, level) in colours.chain(depths).chain(resolved) {
            if let Some(buffer) = machine.buffers.get_mut(name).filter(|buffer| buffer.is_sized_by_pipeline) {
                let [width, height] = pipeline.size.map(|side| side.checked_shl(level).unwrap_or(0));
                buffer.resize([width, height, 1]);
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
                Command::ClearDepth { pipeline, depth } => {
                    self.depths.insert(pipeline, *depth);
                }
                Command::Clear(name) => self.clear(name)?,
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

    fn clear(&mut self, name: &str) -> Result<(), Outcome> {
        let colour = self.colours.get(name).copied().unwrap_or([0.0; 4]);
        let depth = self.depths.get(name).copied().unwrap_or(1.0);
        let pipeline = self.pipeline(name)?;
        for to in &pipeline.colours {
            self.buffer(&to.buffer)?.clear(to.level, |component| Some(colour[channel(component)?]));
        }
        if let Some(depths) = &pipeline.depths {
            self.buffer(depths)?.clear(0, |component| match component {
                Component::Depth => Some(depth),
                Component::Stencil => Some(0.0),
                _ => None,
            });
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
    ) -> Result<Option<Rc<Program>>, Outcome> {
        let Some(number) = pipeline.attachments.iter().position(|attached| attached.stage == stage) else {
            return Ok(None);
        };
        let key = (name.to_string(), number);
        if let Some(known) = self.programs.get(&key) {
            return Ok(Some(known.clone()));
        }
        let Some(module) = self.module(&pipeline.attachments[number])? else { return Ok(None) };
        let words: Vec<u32> =
            module.bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
        let tests = Tests::of(&words, &module.entry);
        let program = Rc::new(Program { compiled: prepare(&module, self.engine)?, tests });
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
        let iface = &program.compiled.shader.func.iface;
        let (words, textures) = (self.words(pipeline, iface), self.textures(pipeline, iface)?);
        let dispatch = Dispatch { grid, words, textures, ..Dispatch::default() };
        let result = run_dispatch(&program.compiled, &dispatch)?;
        if result.out_of_fuel > 0 {
            return Err(Outcome::Failed(format!("{} invocations do not end", result.out_of_fuel)));
        }
        self.take_back(pipeline, iface, &result.buffers);
        Ok(())
    }

    /// Words of everything that is bound and that an interface names.
    pub(super) fn words(&self, pipeline: &Pipeline, iface: &Interface) -> NamedWords {
        let mut words = NamedWords::new();
        for (name, buffer, offset) in pipeline.bindings.iter().flat_map(Binding::places) {
            let Some(buffer) = self.buffers.get(buffer) else { continue };
            let decl = iface.buffers.iter().find(|decl| decl.name == name);
            match decl.and_then(|decl| texels(buffer, decl)) {
                Some(texels) => words.push((name, texels.words(buffer, offset))),
                None if decl.is_some() || iface.banks.iter().any(|bank| bank.name == name) => {
                    words.push((name, buffer.words(offset)));
                }
                None => {}
            }
        }
        words
    }

    /// Puts what a run left in buffers where it came from.
    pub(super) fn take_back(&mut self, pipeline: &Pipeline, iface: &Interface, results: &[impl Deref<Target = [u32]>]) {
        let before = self.words(pipeline, iface);
        for (name, buffer, offset) in pipeline.bindings.iter().flat_map(Binding::places) {
            let found = iface.buffers.iter().zip(results).find(|(decl, _)| decl.name == name);
            let before = before.iter().find(|(known, _)| *known == name);
            if let (Some((decl, words)), Some((_, before)), Some(buffer)) =
                (found, before, self.buffers.get_mut(buffer))
            {
                match texels(buffer, decl) {
                    Some(texels) => texels.take(buffer, offset, before, words),
                    None => buffer.take_words(offset, before, words),
                }
            }
        }
    }

    /// Images that are bound, by unit.
    pub(super) fn textures(&self, pipeline: &Pipeline, iface: &Interface) -> Result<TextureSet, Outcome> {
        let mut set = TextureSet::default();
        for binding in pipeline.bindings.iter().filter(|binding| binding.kind == BindingKind::Image) {
            let sampler = binding.sampler.as_ref().and_then(|name| self.script.samplers.get(name)).copied();
            for (name, buffer, _) in binding.places() {
                let Some(buffer) = self.buffers.get(buffer) else { continue };
                let memory = (0u16..).zip(&iface.buffers).find(|(_, decl)| decl.name == name);
                if let Some((number, image)) = memory.and_then(|(number, decl)| Some((number, decl.image?))) {
                    set.set_image(number, Texels::of(buffer, &image)?.layout);
                }
                if let Some(named) = iface.units.iter().find(|unit| unit.name == name) {
                    set.set(named.unit, unit(buffer, sampler.unwrap_or_default())?);
                }
            }
        }
        Ok(set)
    }
}

/// A buffer as the image that a program takes it for; `None` where it does not, or cannot.
fn texels(buffer: &Buffer, decl: &BufferDecl) -> Option<Texels> {
    Texels::of(buffer, decl.image.as_ref()?).ok()
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
