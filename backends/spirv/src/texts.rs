//! Modules as texts of shading languages, by the writers of the library naga.
//!
//! The text has the module's instructions on integers, so it has the same bits. What differs is where a language has resources:
//! [`Text::interface`] says it in the numbers of the language.

use crate::interface::Interface;
use crate::refusal::refused;
use crate::{Arithmetic, Language, Translation};
use naga::back::{glsl, hlsl, msl, wgsl};
use naga::front::spv;
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use naga::{DerivativeControl, Expression, Module, ResourceBinding, ShaderStage};
use parallax_core::OutputRole;
use parallax_text::Diag;
use rspirv::spirv::{Capability, Op};

/// A text, and what it reads and writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// The text.
    pub text: String,
    /// The name of its entry point.
    pub entry: String,
    /// What it reads and writes, where the language has it. WGSL has sets as groups, HLSL as register spaces. GLSL and MSL have none: in
    /// GLSL `image` is the texture unit of image and sampler.
    pub interface: Interface,
    /// Where a text in HLSL that samples has the samplers.
    pub samplers: Option<SamplerHeap>,
    /// Where a text in MSL that has buffers of the shader's own has their sizes: the index (`[[buffer]]`) of a buffer with the number of
    /// bytes of each, in their order, 32 bits each.
    pub sizes: Option<u32>,
}

/// Samplers of HLSL: a list of samplers, and a buffer with one number of that list for each texture unit.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct SamplerHeap {
    /// Register space and number (`s`) of the first sampler.
    pub samplers: (u32, u32),
    /// The same of the first of those that compare, a list of their own with the same numbers.
    pub comparing: (u32, u32),
    /// Register space and number (`t`) of the structured buffer of words. [`Texture::sampler`](crate::Texture::sampler) is a place in it.
    pub numbers: (u32, u32),
}

impl SamplerHeap {
    /// Registers that nothing else has.
    const OURS: SamplerHeap = SamplerHeap { samplers: (3, 0), comparing: (4, 0), numbers: (3, 0) };
}

/// The least index of a resource of MSL that naga cannot say.
const MSL_SLOTS: u32 = 256;

/// The text of a module in a language.
///
/// # Errors
/// What the library does not read, or the language does not have.
pub fn text(translation: &Translation, language: Language) -> Result<Text, Diag> {
    if translation.host.assume.any() {
        return Err(refused("no text can state what is assumed of a device's floats, only a module".to_string()));
    }
    let has_size = translation.interface.outputs.iter().any(|output| output.role == OutputRole::PointSize);
    if has_size && matches!(language, Language::Wgsl | Language::Hlsl) {
        return Err(refused(format!("{} has no point sizes", language.title())));
    }
    if has(&translation.words, Op::Capability, Some(Capability::InterpolationFunction as u32)) {
        return Err(refused("naga does not read attributes away from the centre of a pixel".to_string()));
    }
    if [Op::AtomicSMin, Op::AtomicSMax].iter().any(|&op| has(&translation.words, op, None)) {
        return Err(refused(
            "naga reads the least and the greatest of signed numbers in memory as unsigned".to_string(),
        ));
    }
    let options = spv::Options { adjust_coordinate_space: false, ..spv::Options::default() };
    let module = spv::Frontend::new(translation.words.iter().copied(), &options)
        .parse()
        .map_err(|error| refused(format!("naga does not read the module: {error}")))?;
    let info = Validator::new(ValidationFlags::all(), Capabilities::all())
        .validate(&module)
        .map_err(|error| refused(format!("naga does not accept the module: {}", chain(error.as_inner()))))?;
    if language == Language::Msl && has_fine_derivatives(&module) {
        return Err(refused(
            "MSL has no fine derivatives, by which the module reads what the neighbours in a quad have".to_string(),
        ));
    }
    let interface = language.places(&translation.interface);
    let sizes = last_slot(&interface) + 1;
    let sizes = (language == Language::Msl && !interface.buffers.is_empty()).then_some(sizes);
    if language == Language::Msl && last_slot(&interface) >= MSL_SLOTS {
        return Err(refused(format!("a buffer, texture or sampler has an index of {MSL_SLOTS} or more")));
    }
    let writer = Writer { module: &module, info: &info, from: &translation.interface, to: &interface, sizes };
    let written = match language {
        Language::Wgsl => writer.wgsl(),
        Language::Glsl => writer.glsl(),
        Language::Hlsl => writer.hlsl(),
        Language::Msl => writer.msl(),
    };
    let (text, entry) =
        written.map_err(|message| refused(format!("naga writes no {}: {message}", language.title())))?;
    let text = remarks(translation) + &text;
    let samples = language == Language::Hlsl && interface.textures.iter().any(|texture| texture.sampler.is_some());
    Ok(Text { text, entry, interface, samplers: samples.then_some(SamplerHeap::OURS), sizes })
}

/// HLSL whose tables begin as lists of numbers. naga lets a function put them together, which `glslangValidator` takes for a recursion.
fn with_lists(text: &str) -> String {
    let mut made = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let table = line.strip_prefix("static ").and_then(|_| line.split_once(" = Constructarray"));
        let list = table.and_then(|(variable, call)| {
            let numbers = call.split_once('(')?.1.trim_end().strip_suffix(");")?;
            Some(format!("{variable} = {{ {numbers} }};\n"))
        });
        made.push_str(list.as_deref().unwrap_or(line));
    }
    made
}

/// Whether a module has an instruction, with this operand in front if one is given.
fn has(words: &[u32], wanted: Op, operand: Option<u32>) -> bool {
    let mut at = 5;
    while let Some(&word) = words.get(at) {
        if word & 0xffff == wanted as u32 && operand.is_none_or(|operand| words.get(at + 1) == Some(&operand)) {
            return true;
        }
        at += (word >> 16).max(1) as usize;
    }
    false
}

/// What may differ on a device, as comments; every one of the languages has them.
fn remarks(translation: &Translation) -> String {
    let mut lines = String::new();
    if translation.host.arithmetic == Arithmetic::Native {
        lines += "// Native arithmetic. Compilers of the language may make one operation of a product and a sum.\n";
    }
    for open in &translation.host.open {
        lines += &format!("// may give other bits: {}\n", open.line());
    }
    lines
}

/// An error and its reasons: what is wrong is at the end.
fn chain(error: &dyn std::error::Error) -> String {
    let mut message = error.to_string();
    let mut reason = error.source();
    while let Some(inner) = reason {
        message = format!("{message}: {inner}");
        reason = inner.source();
    }
    message
}

fn has_fine_derivatives(module: &Module) -> bool {
    let entries = module.entry_points.iter().map(|entry| &entry.function);
    let functions = module.functions.iter().map(|(_, function)| function);
    entries
        .chain(functions)
        .flat_map(|function| function.expressions.iter())
        .any(|(_, expression)| matches!(expression, Expression::Derivative { ctrl: DerivativeControl::Fine, .. }))
}

fn last_slot(interface: &Interface) -> u32 {
    let banks = interface.banks.iter().map(|bank| bank.binding);
    let textures = interface.textures.iter().map(|texture| texture.image.max(texture.sampler.unwrap_or(0)));
    let buffers = interface.buffers.iter().map(|buffer| buffer.binding);
    banks.chain(textures).chain(buffers).chain(interface.counter.map(|(_, binding)| binding)).max().unwrap_or(0)
}

impl Language {
    /// Where a text of the language has what a module has there.
    fn places(self, module: &Interface) -> Interface {
        let mut own = module.clone();
        match self {
            Language::Wgsl => {}
            // In a list of numbers, units have their own.
            Language::Hlsl => {
                own.textures
                    .iter_mut()
                    .for_each(|texture| texture.sampler = texture.sampler.map(|_| texture.unit.into()));
            }
            Language::Glsl | Language::Msl => {
                for texture in &mut own.textures {
                    let unit = texture.unit.into();
                    (texture.set, texture.image, texture.sampler) = (0, unit, texture.sampler.map(|_| unit));
                }
                own.banks.iter_mut().for_each(|bank| bank.set = 0);
                // Behind the banks.
                let behind = own.banks.iter().map(|bank| bank.binding + 1).max().unwrap_or(0);
                own.counter = own.counter.map(|_| (0, behind));
                let first = behind + u32::from(own.counter.is_some());
                for (binding, buffer) in (first..).zip(&mut own.buffers) {
                    (buffer.set, buffer.binding) = (0, binding);
                }
            }
        }
        own
    }
}

struct Writer<'a> {
    module: &'a Module,
    info: &'a ModuleInfo,
    /// Resources in the module.
    from: &'a Interface,
    /// The same in the text.
    to: &'a Interface,
    /// The index of the buffer of sizes in MSL.
    sizes: Option<u32>,
}

/// A resource in the module, and in the text.
struct Place {
    key: ResourceBinding,
    kind: PlaceKind,
    set: u32,
    binding: u32,
}

#[derive(Copy, Clone, PartialEq, Eq)]
enum PlaceKind {
    Buffer { written: bool },
    Image,
    Sampler,
}

impl Writer<'_> {
    fn places(&self) -> Vec<Place> {
        let place = |from: (u32, u32), kind, (set, binding)| {
            let key = ResourceBinding { group: from.0, binding: from.1 };
            Place { key, kind, set, binding }
        };
        let mut places = Vec::new();
        for (from, to) in self.from.banks.iter().zip(&self.to.banks) {
            let kind = PlaceKind::Buffer { written: false };
            places.push(place((from.set, from.binding), kind, (to.set, to.binding)));
        }
        for (from, to) in self.from.textures.iter().zip(&self.to.textures) {
            places.push(place((from.set, from.image), PlaceKind::Image, (to.set, to.image)));
            if let (Some(from_sampler), Some(to_sampler)) = (from.sampler, to.sampler) {
                places.push(place((from.set, from_sampler), PlaceKind::Sampler, (to.set, to_sampler)));
            }
        }
        for (from, to) in self.from.buffers.iter().zip(&self.to.buffers) {
            let kind = PlaceKind::Buffer { written: from.is_written };
            places.push(place((from.set, from.binding), kind, (to.set, to.binding)));
        }
        if let (Some(from), Some(to)) = (self.from.counter, self.to.counter) {
            places.push(place(from, PlaceKind::Buffer { written: true }, to));
        }
        places
    }

    fn entry(&self) -> Result<(ShaderStage, String), String> {
        let entry = self.module.entry_points.first().ok_or("the module has no entry point")?;
        Ok((entry.stage, entry.name.clone()))
    }

    fn wgsl(&self) -> Result<(String, String), String> {
        let text =
            wgsl::write_string(self.module, self.info, wgsl::WriterFlags::empty()).map_err(|error| chain(&error))?;
        // Quads are where the shader's own instruction set has them: programs that read neighbours in branches are as they are.
        Ok((format!("diagnostic(off, derivative_uniformity);\n{text}"), self.entry()?.1))
    }

    fn glsl(&self) -> Result<(String, String), String> {
        let binding_map = self.places().into_iter().map(|place| (place.key, place.binding as u8));
        let options = glsl::Options {
            version: glsl::Version::Desktop(450),
            writer_flags: glsl::WriterFlags::empty(),
            binding_map: binding_map.collect(),
            // The module does so.
            zero_initialize_workgroup_memory: false,
        };
        let (shader_stage, entry_point) = self.entry()?;
        let pipeline = glsl::PipelineOptions { shader_stage, entry_point, multiview: None };
        let mut text = String::new();
        glsl::Writer::new(&mut text, self.module, self.info, &options, &pipeline, Default::default())
            .and_then(|mut writer| writer.write())
            .map_err(|error| chain(&error))?;
        Ok((text, "main".to_string()))
    }

    fn hlsl(&self) -> Result<(String, String), String> {
        let target = |(space, register): (u32, u32)| hlsl::BindTarget {
            space: space as u8,
            register,
            ..hlsl::BindTarget::default()
        };
        let SamplerHeap { samplers, comparing, numbers } = SamplerHeap::OURS;
        let options = hlsl::Options {
            shader_model: hlsl::ShaderModel::V6_0,
            binding_map: self.places().into_iter().map(|p| (p.key, target((p.set, p.binding)))).collect(),
            fake_missing_bindings: false,
            zero_initialize_workgroup_memory: false,
            sampler_heap_target: hlsl::SamplerHeapBindTargets {
                standard_samplers: target(samplers),
                comparison_samplers: target(comparing),
            },
            sampler_buffer_binding_map: std::iter::once((
                hlsl::SamplerIndexBufferKey { group: Interface::TEXTURES },
                target(numbers),
            ))
            .collect(),
            ..hlsl::Options::default()
        };
        let mut text = String::new();
        let pipeline = hlsl::PipelineOptions::default();
        let names = hlsl::Writer::new(&mut text, &options, &pipeline)
            .write(self.module, self.info, None)
            .map_err(|error| chain(&error))?
            .entry_point_names;
        Ok((with_lists(&text), first(names)?))
    }

    fn msl(&self) -> Result<(String, String), String> {
        let target = |place: &Place| {
            let slot = place.binding as msl::Slot;
            let empty = msl::BindTarget::default();
            match place.kind {
                PlaceKind::Buffer { written } => msl::BindTarget { buffer: Some(slot), mutable: written, ..empty },
                PlaceKind::Image => msl::BindTarget { texture: Some(slot), ..empty },
                PlaceKind::Sampler => {
                    msl::BindTarget { sampler: Some(msl::BindSamplerTarget::Resource(slot)), ..empty }
                }
            }
        };
        let resources = self.places().iter().map(|place| (place.key, target(place))).collect();
        let sizes_buffer = self.sizes.map(|index| index as msl::Slot);
        let resources = msl::EntryPointResources { resources, sizes_buffer, ..msl::EntryPointResources::default() };
        let options = msl::Options {
            lang_version: (2, 1),
            per_entry_point_map: std::iter::once((self.entry()?.1, resources)).collect(),
            fake_missing_bindings: false,
            zero_initialize_workgroup_memory: false,
            ..msl::Options::default()
        };
        let (text, info) = msl::write_string(self.module, self.info, &options, &msl::PipelineOptions::default())
            .map_err(|error| chain(&error))?;
        Ok((text, first(info.entry_point_names)?))
    }
}

fn first<E: std::error::Error>(names: Vec<Result<String, E>>) -> Result<String, String> {
    let name = names.into_iter().next().ok_or("the text has no entry point")?;
    name.map_err(|error| chain(&error))
}
