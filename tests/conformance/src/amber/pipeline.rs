//! Reads pipelines.

use super::format::Format;
use super::parse::{Parsed, Parser, stage};
use super::script::{Attachment, Binding, BindingKind, Colour, Depth, Pipeline, PolygonMode, VertexData, Viewport};
use super::tokens::Token;
use std::collections::BTreeMap;

impl Parser<'_> {
    pub(super) fn pipeline(&mut self, name: &str, mut pipeline: Pipeline) -> Parsed<()> {
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
                    pipeline.polygons = match self.word()? {
                        "fill" => PolygonMode::Fill,
                        "line" => PolygonMode::Line,
                        "point" => PolygonMode::Point,
                        word => return Err(format!("polygons as {word}")),
                    };
                }
                "DEPTH" => pipeline.depth = Some(self.depth()?),
                "VIEWPORT" => pipeline.viewport = Some(self.viewport()?),
                "SHADER_OPTIMIZATION" | "COMPILE_OPTIONS" | "SUBGROUP" => {
                    self.tokens.words_to_end();
                }
                word @ ("STENCIL" | "BLEND") => {
                    self.tokens.words_to_end();
                    pipeline.refused = Some(format!("a pipeline with {word}"));
                }
                word => return Err(format!("a pipeline with {word}")),
            }
        }
        self.script.pipelines.insert(name.to_string(), pipeline);
        Ok(())
    }

    fn depth(&mut self) -> Parsed<Depth> {
        let mut depth = Depth::default();
        loop {
            let word = self.word()?;
            match word {
                "END" => return Ok(depth),
                "TEST" => depth.test = self.switch()?,
                "WRITE" => depth.write = self.switch()?,
                "CLAMP" => depth.clamp = self.switch()?,
                "COMPARE_OP" => depth.compare = self.comparison()?,
                "BOUNDS" => depth.bounds = Some([self.named("min")?, self.named("max")?]),
                "BIAS" => depth.bias = [self.named("constant")?, self.named("clamp")?, self.named("slope")?],
                word => return Err(format!("depths with {word}")),
            }
        }
    }

    fn viewport(&mut self) -> Parsed<Viewport> {
        let at = [self.number()?, self.number()?];
        self.expect("SIZE")?;
        let mut viewport = Viewport { at, size: [self.number()?, self.number()?], depths: [0.0, 1.0] };
        while let Some(word) = self.tokens.word_of_line() {
            match word {
                "MIN_DEPTH" => viewport.depths[0] = self.number()?,
                "MAX_DEPTH" => viewport.depths[1] = self.number()?,
                word => return Err(format!("a viewport with {word}")),
            }
        }
        Ok(viewport)
    }

    /// `on` or `off`.
    fn switch(&mut self) -> Parsed<bool> {
        match self.word()? {
            "on" => Ok(true),
            "off" => Ok(false),
            word => Err(format!("`{word}` where `on` or `off` should stand")),
        }
    }

    /// A number behind its name.
    fn named(&mut self, name: &str) -> Parsed<f64> {
        self.expect(name)?;
        self.number()
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
        match kind {
            "color" => {
                self.expect("LOCATION")?;
                let location = self.number()?;
                let mut level = 0;
                while let Some(word) = self.tokens.word_of_line() {
                    match word {
                        "BASE_MIP_LEVEL" => level = self.number()?,
                        word => return Err(format!("a colour with {word}")),
                    }
                }
                pipeline.colours.retain(|colour| colour.location != location);
                pipeline.colours.extend(buffers.into_iter().map(|buffer| Colour { location, buffer, level }));
                return Ok(());
            }
            "depth_stencil" => {
                pipeline.depths = buffers.pop();
                return Ok(());
            }
            "resolve" => {
                pipeline.resolved.append(&mut buffers);
                return Ok(());
            }
            _ => {}
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
        // What a derived pipeline binds takes the place of what its parent has there.
        let place = |binding: &Binding| (binding.kind == BindingKind::Push, binding.set, binding.binding);
        pipeline.bindings.retain(|bound| place(bound) != place(&binding));
        pipeline.bindings.push(binding);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;
    use parallax_texture::Compare;
    use std::path::Path;

    const PIPELINE: &str = "SHADER fragment f GLSL\nEND\nBUFFER c FORMAT R8G8B8A8_UNORM\nBUFFER d FORMAT D16_UNORM\n\
        PIPELINE graphics p\nATTACH f\nDEPTH\nTEST on\nWRITE off\nCOMPARE_OP less_or_equal\nCLAMP on\n\
        BOUNDS min 0.25 max 0.5\nBIAS constant -1.0 clamp 0.5 slope 2\nEND\n\
        VIEWPORT 1 2 SIZE 3 4 MIN_DEPTH 0.1 MAX_DEPTH 0.9\nPOLYGON_MODE line\n\
        BIND BUFFER c AS color LOCATION 1 BASE_MIP_LEVEL 2\nBIND BUFFER d AS depth_stencil\n\
        BIND BUFFER c AS storage DESCRIPTOR_SET 0 BINDING 1\nEND\n\
        DERIVE_PIPELINE q FROM p\nBIND BUFFER d AS storage DESCRIPTOR_SET 0 BINDING 1\nEND\n";

    #[test]
    fn a_pipeline_has_depths_a_viewport_and_levels() {
        let script = parse(PIPELINE, Path::new("")).unwrap();
        let pipeline = &script.pipelines["p"];
        let (compare, bounds) = (Compare::LessEqual, Some([0.25, 0.5]));
        let depth = Depth { test: true, write: false, compare, clamp: true, bounds, bias: [-1.0, 0.5, 2.0] };
        assert_eq!(pipeline.depth, Some(depth));
        assert_eq!(pipeline.viewport, Some(Viewport { at: [1.0, 2.0], size: [3.0, 4.0], depths: [0.1, 0.9] }));
        assert_eq!((pipeline.polygons, pipeline.depths.as_deref()), (PolygonMode::Line, Some("d")));
        assert_eq!((pipeline.colours[0].location, pipeline.colours[0].level), (1, 2));
        let bound = |name: &str| script.pipelines[name].bindings.iter().map(|b| b.buffers[0].clone()).collect();
        let (parent, derived): (Vec<String>, Vec<String>) = (bound("p"), bound("q"));
        assert_eq!((parent, derived), (vec!["c".to_string()], vec!["d".to_string()]));
        assert_eq!(parse("PIPELINE graphics p\nDEPTH\nNEAR", Path::new("")).unwrap_err(), "depths with NEAR");
    }
}
