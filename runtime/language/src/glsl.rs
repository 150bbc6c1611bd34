//! GLSL of any age as GLSL that compilers take for Vulkan: versions are raised, uniforms outside of blocks get blocks,
//! bindings and locations are given, and what old versions had built in is declared. Lines and names stay.

use crate::declaration::{Declaration, declarations};
use crate::rewriting::Rewriting;
use crate::tokens::{Kind, Tokens};
use crate::{Prepared, Stage, shadertoy};
use parallax_text::{Diag, Span};
use rustc_hash::FxHashSet;
use std::ops::Range;

/// Lowest versions that declare what Vulkan needs.
const DESKTOP: u32 = 450;
const ES: u32 = 310;

/// Functions and variables of old versions, and what they are called since.
const RENAMED: &[(&str, &str)] = &[
    ("texture1D", "texture"),
    ("texture1DLod", "textureLod"),
    ("texture1DProj", "textureProj"),
    ("texture2D", "texture"),
    ("texture2DLod", "textureLod"),
    ("texture2DLodEXT", "textureLod"),
    ("texture2DGradEXT", "textureGrad"),
    ("texture2DGradARB", "textureGrad"),
    ("texture2DProj", "textureProj"),
    ("texture2DProjLod", "textureProjLod"),
    ("texture2DProjLodEXT", "textureProjLod"),
    ("texture2DRect", "texture"),
    ("texture3D", "texture"),
    ("texture3DLod", "textureLod"),
    ("texture3DProj", "textureProj"),
    ("textureCube", "texture"),
    ("textureCubeLod", "textureLod"),
    ("textureCubeLodEXT", "textureLod"),
    ("textureCubeGradEXT", "textureGrad"),
    ("gl_FragDepthEXT", "gl_FragDepth"),
];

/// Words that were free for names in old versions.
#[rustfmt::skip]
const TAKEN: &[&str] = &[
    "texture", "sample", "buffer", "shared", "smooth", "flat", "patch", "coherent", "restrict", "readonly", "writeonly",
    "resource", "subroutine", "precise", "noperspective", "atomic_uint", "uint", "image2D",
];

/// Functions that old versions did not have, so that shaders define their own.
#[rustfmt::skip]
const NEW_FUNCTIONS: &[&str] = &[
    "round", "roundEven", "trunc", "modf", "isnan", "isinf", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "transpose",
    "inverse", "determinant", "outerProduct", "fma", "textureSize", "texelFetch", "textureLod", "textureGrad", "bitCount",
    "ldexp", "frexp", "mix", "dFdx", "dFdy", "fwidth",
];

/// Extensions whose functions the raised versions have.
#[rustfmt::skip]
const INCLUDED: &[&str] = &[
    "GL_OES_standard_derivatives", "GL_EXT_shader_texture_lod", "GL_EXT_frag_depth", "GL_EXT_draw_buffers", "GL_OES_texture_3D",
    "GL_ARB_shader_texture_lod", "GL_ARB_texture_rectangle", "GL_ARB_draw_buffers", "GL_EXT_gpu_shader4",
    "GL_ARB_explicit_attrib_location", "GL_ARB_shading_language_420pack", "GL_ARB_uniform_buffer_object",
    "GL_ARB_separate_shader_objects", "GL_ARB_fragment_coord_conventions", "GL_ARB_explicit_uniform_location",
];

/// Storage that a declaration asks for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Storage {
    Uniform,
    Buffer,
    In,
    Out,
}

/// The version a text is written in, and the one it becomes.
struct Version {
    is_es: bool,
    /// Whether it is older than `in`, `out` and `texture`.
    is_old: bool,
    /// Whether it has functions such as `texture2D`.
    has_old_functions: bool,
    /// The line that says so now.
    line: String,
    /// The directive that said so.
    place: Option<Range<usize>>,
}

pub(crate) fn prepare(text: &str, named: Option<Stage>) -> Result<Prepared, Box<Diag>> {
    let tokens = Tokens::of(text);
    let (found, functions) = declarations(&tokens);
    let defines = |name: &str| functions.iter().find(|&&index| tokens.at(index) == name).copied();
    let is_shadertoy = defines("main").is_none() && defines("mainImage").is_some();
    if defines("main").is_none() && !is_shadertoy && !tokens.has("main") {
        let diag = Diag::invalid("language-entry", Span::new(0, 0), "this GLSL defines no function `main`");
        return Err(Box::new(Diag {
            span: None,
            ..diag.with_help("a shader needs `void main()`, a scene of Shadertoy `void mainImage(out vec4, in vec2)`")
        }));
    }
    let stage = stage(&tokens).or(named).unwrap_or_else(|| if is_shadertoy { Stage::Fragment } else { guess(&tokens) });
    let version = version(&tokens, is_shadertoy);
    let mut raising = Raising {
        tokens: &tokens,
        changes: Rewriting::default(),
        version: &version,
        stage,
        bindings: used(&tokens, &found, "binding", |_| true),
        inputs: used(&tokens, &found, "location", |d| storage(&tokens, d, stage) == Some(Storage::In)),
        outputs: used(&tokens, &found, "location", |d| storage(&tokens, d, stage) == Some(Storage::Out)),
        defaults: Vec::new(),
        warnings: Vec::new(),
    };
    let mut preamble = raising.built_ins();
    for declaration in &found {
        raising.declare(declaration);
    }
    raising.rename(&functions);
    raising.drop_extensions();
    if is_shadertoy {
        let scene = shadertoy::Scene::of(&tokens, &mut raising.bindings);
        preamble.insert_str(0, &scene.preamble);
        raising.defaults.extend(scene.defaults);
        raising.changes.insert(text.len(), shadertoy::MAIN);
    }
    let Raising { changes, defaults, warnings, .. } = raising;
    let text = preamble_changes(&tokens, &version, &preamble).followed_by(changes).apply(text);
    Ok(Prepared { text, stage, entry: "main".into(), is_shadertoy, defaults, warnings })
}

/// What `#pragma shader_stage` says.
fn stage(tokens: &Tokens<'_>) -> Option<Stage> {
    (0..tokens.list.len()).find_map(|index| {
        let ("pragma", rest) = tokens.directive(index)? else { return None };
        let word = rest.strip_prefix("shader_stage")?.trim_matches(|c: char| !c.is_ascii_alphabetic());
        [Stage::Vertex, Stage::Fragment, Stage::Compute].into_iter().find(|stage| stage.name() == word)
    })
}

/// The stage that the built-in variables of a text belong to.
fn guess(tokens: &Tokens<'_>) -> Stage {
    let has = |words: &[&str]| words.iter().any(|word| tokens.has(word));
    if has(&["gl_Position", "gl_VertexID", "gl_VertexIndex"]) {
        Stage::Vertex
    } else if has(&["local_size_x", "gl_GlobalInvocationID", "gl_LocalInvocationID", "gl_WorkGroupID"]) {
        Stage::Compute
    } else {
        Stage::Fragment
    }
}

fn version(tokens: &Tokens<'_>, is_shadertoy: bool) -> Version {
    let said = (0..tokens.list.len()).find_map(|index| match tokens.directive(index)? {
        ("version", rest) => Some((rest, tokens.place(index))),
        _ => None,
    });
    let Some((rest, place)) = said else {
        // Without a version it is the first one: of ES, where precisions are spoken of.
        let is_es = is_shadertoy || ["precision", "highp", "mediump", "lowp"].iter().any(|word| tokens.has(word));
        let line = if is_es { format!("#version {ES} es") } else { format!("#version {DESKTOP}") };
        return Version { is_es, is_old: !is_shadertoy, has_old_functions: !is_shadertoy, line, place: None };
    };
    let mut words = rest.split_whitespace();
    let number = words.next().and_then(|word| word.parse::<u32>().ok()).unwrap_or(110);
    let is_es = number == 100 || words.next() == Some("es");
    let (line, is_old, has_old_functions) = match is_es {
        true => (format!("#version {} es", number.max(ES)), number < 300, number < 300),
        // Since 4.20 these words are types.
        false => (format!("#version {}", number.max(DESKTOP)), number < 130, number < 420),
    };
    Version { is_es, is_old, has_old_functions, line, place: Some(place) }
}

/// The numbers that layouts give to a word.
fn used(tokens: &Tokens<'_>, found: &[Declaration], word: &str, belongs: impl Fn(&Declaration) -> bool) -> Numbers {
    let numbers = found.iter().filter(|declaration| belongs(declaration));
    Numbers { used: numbers.filter_map(|declaration| declaration.layout(tokens, word)?).collect(), next: 0 }
}

/// Numbers that are still free.
pub(crate) struct Numbers {
    used: FxHashSet<u32>,
    next: u32,
}

impl Numbers {
    /// The first of so many free numbers in a row.
    pub(crate) fn take(&mut self, count: u32) -> u32 {
        let count = count.clamp(1, 1 << 10);
        while let Some(taken) = (self.next..self.next + count).rev().find(|number| self.used.contains(number)) {
            self.next = taken + 1;
        }
        let first = self.next;
        self.next += count;
        first
    }
}

fn storage(tokens: &Tokens<'_>, declaration: &Declaration, stage: Stage) -> Option<Storage> {
    let is = |qualifier: &str| declaration.is(tokens, qualifier);
    if is("uniform") {
        Some(Storage::Uniform)
    } else if is("buffer") {
        Some(Storage::Buffer)
    } else if is("attribute") || is("in") || is("varying") && stage == Stage::Fragment {
        Some(Storage::In)
    } else if is("out") || is("varying") {
        Some(Storage::Out)
    } else {
        None
    }
}

/// Whether values of a type are no numbers, and stand in no block.
fn is_opaque(ty: &str) -> bool {
    let kinds = ["sampler", "image", "texture", "subpassInput"];
    let is_kind = |ty: &str| kinds.iter().any(|kind| ty.starts_with(kind));
    is_kind(ty)
        || ty.strip_prefix(['i', 'u']).is_some_and(is_kind)
        || matches!(ty, "atomic_uint" | "accelerationStructureEXT")
}

/// A text on its way.
struct Raising<'a> {
    tokens: &'a Tokens<'a>,
    changes: Rewriting,
    version: &'a Version,
    stage: Stage,
    bindings: Numbers,
    inputs: Numbers,
    outputs: Numbers,
    defaults: Vec<(String, [u32; 4])>,
    warnings: Vec<Diag>,
}

impl Raising<'_> {
    /// Declarations of what Vulkan has not built in.
    fn built_ins(&mut self) -> String {
        let mut out = String::new();
        let tokens = self.tokens;
        let precision = if self.version.is_es { "mediump " } else { "" };
        let mut outputs: Vec<(&str, Option<u32>)> = Vec::new();
        if tokens.mentions("gl_FragColor") {
            outputs.push(("FragColor", None));
        }
        if tokens.mentions("gl_FragData") {
            let highest = |tokens: &Tokens<'_>| {
                let indices = (0..tokens.list.len()).filter(|&index| tokens.at(index) == "gl_FragData");
                indices.filter_map(|index| tokens.at(index + 2).parse::<u32>().ok()).max()
            };
            let highest = tokens.macros().map(|(_, inside)| highest(&inside)).chain([highest(tokens)]).flatten().max();
            outputs.push(("FragData", Some(highest.unwrap_or(0).min(7) + 1)));
        }
        for (name, count) in outputs {
            let location = self.outputs.take(count.unwrap_or(1));
            let name = self.free(name);
            let size = count.map(|count| format!("[{count}]")).unwrap_or_default();
            out.push_str(&format!("layout(location = {location}) out {precision}vec4 {name}{size}; "));
        }
        for (word, projection) in [("shadow2D", "texture"), ("shadow2DProj", "textureProj")] {
            if tokens.mentions(word) {
                let point = if projection == "texture" { "vec3" } else { "vec4" };
                out.push_str(&format!(
                    "vec4 {word}(sampler2DShadow s, {point} p) {{ return vec4({projection}(s, p)); }} "
                ));
            }
        }
        out
    }

    /// A name that the text does not have.
    fn free(&self, name: &str) -> String {
        let mut name = name.to_string();
        while self.tokens.has(&name) {
            name.push('_');
        }
        name
    }

    /// Gives a declaration what Vulkan asks for.
    fn declare(&mut self, declaration: &Declaration) {
        let tokens = self.tokens;
        let Some(storage) = storage(tokens, declaration, self.stage) else { return };
        let has_name = !declaration.declarators.is_empty();
        let is_struct = tokens.at(declaration.ty.start) == "struct";
        let is_block = declaration.body.is_some() && !is_struct;
        match storage {
            Storage::Uniform if has_name && !is_block => self.uniform(declaration, is_struct),
            Storage::Uniform | Storage::Buffer if is_block => {
                let has = |word| declaration.layout(tokens, word).is_some();
                if !has("binding") && !has("push_constant") && !has("shaderRecordEXT") {
                    let binding = self.bindings.take(1);
                    let at = tokens.place(declaration.qualifiers[0]).start;
                    self.changes.insert(at, format!("layout(set = 0, binding = {binding}) "));
                }
            }
            Storage::In | Storage::Out => self.varying(declaration, storage, is_block),
            _ => {}
        }
    }

    /// A uniform outside of blocks: what is no number gets a binding, numbers get a block each, in which they keep their name.
    fn uniform(&mut self, declaration: &Declaration, is_struct: bool) {
        let tokens = self.tokens;
        let ty = declaration.ty.clone();
        let opaque = !is_struct && is_opaque(tokens.at(ty.start));
        if opaque && declaration.layout(tokens, "binding").is_some() {
            return;
        }
        let keeps = |index: usize| tokens.at(index) != "uniform" && (opaque || tokens.at(index) != "const");
        let kept: String =
            declaration.qualifiers.iter().filter(|&&i| keeps(i)).map(|&i| format!("{} ", tokens.at(i))).collect();
        let mut layouts = String::new();
        for layout in &declaration.layouts {
            // A location says nothing of a uniform in a block.
            let words = self.joined(layout.clone());
            if declaration.layout(tokens, "location").is_none() {
                layouts.push_str(&format!("{words} "));
            }
            self.remove(layout.clone());
        }
        declaration.qualifiers.iter().for_each(|&index| self.remove(index..index + 1));
        // A structure is defined first, and named, so that blocks can have members of it.
        let mut ty_name = self.joined(ty.clone());
        if let (true, Some((open, close))) = (is_struct, declaration.body) {
            ty_name = tokens.at(ty.start + 1).to_string();
            if open == ty.start + 1 {
                ty_name = self.free(&format!("{}_type", tokens.at(declaration.declarators[0].name)));
                self.changes.insert(tokens.place(open).start, format!(" {ty_name} "));
            }
            let behind = self.joined(close + 1..ty.end);
            self.remove(close + 1..ty.end);
            self.changes.insert(tokens.place(close).end, "; ");
            ty_name.push_str(&behind);
        }
        for (number, declarator) in declaration.declarators.iter().enumerate() {
            let name = tokens.at(declarator.name);
            let binding = self.bindings.take(1);
            let head = match opaque {
                true => format!("layout(set = 0, binding = {binding}) {layouts}uniform {kept}"),
                false => {
                    let block = self.free(&format!("uniform_{name}"));
                    format!("layout(set = 0, binding = {binding}) uniform {block} {{ {layouts}{kept}")
                }
            };
            let at = match (number, is_struct) {
                (0, false) => tokens.place(ty.start).start,
                _ => tokens.place(declarator.name).start,
            };
            let ty = if number == 0 && !is_struct { String::new() } else { format!("{ty_name} ") };
            self.changes.insert(at, format!("{head}{ty}"));
            if let Some(value) = &declarator.value {
                self.initial(declaration, declarator.name, &declarator.dimensions, value.clone());
                self.remove(value.start - 1..value.end);
            }
            let end = tokens.place(declarator.end);
            self.changes.replace(end, if opaque { "; " } else { "; };" });
        }
    }

    /// Keeps the initial value of a uniform as its default.
    fn initial(&mut self, declaration: &Declaration, name: usize, dimensions: &Range<usize>, value: Range<usize>) {
        let tokens = self.tokens;
        let ty = tokens.at(declaration.ty.start);
        let is_plain = dimensions.is_empty() && declaration.ty.len() == 1;
        match crate::shadertoy::constant(tokens, ty, value).filter(|_| is_plain) {
            Some(words) => self.defaults.push((tokens.at(name).to_string(), words)),
            None => {
                let place = tokens.place(name);
                let message = format!("the initial value of the uniform `{}` is not kept", tokens.at(name));
                let diag = Diag::warning("language-initial", Span::new(place.start, place.end), message);
                self.warnings.push(diag.with_help("literals of scalars and vectors are; set others in the manifest"));
            }
        }
    }

    /// An input or output: the words of old versions, and a location for each name.
    fn varying(&mut self, declaration: &Declaration, storage: Storage, is_block: bool) {
        let tokens = self.tokens;
        let word = if storage == Storage::In { "in" } else { "out" };
        for &index in &declaration.qualifiers {
            match tokens.at(index) {
                "attribute" | "varying" => self.changes.replace(tokens.place(index), word),
                "invariant" if storage == Storage::In => self.remove(index..index + 1),
                _ => {}
            }
        }
        let is_built_in = |index: usize| tokens.at(index).starts_with("gl_");
        let names = &declaration.declarators;
        if self.stage == Stage::Compute
            || declaration.layout(tokens, "location").is_some()
            || is_built_in(declaration.ty.start)
            || names.iter().any(|declarator| is_built_in(declarator.name))
            || names.is_empty() && !is_block
        {
            return;
        }
        let Some(&first) = declaration.qualifiers.first() else { return };
        let begins = declaration.layouts.iter().map(|layout| layout.start).chain([first]).min().unwrap_or(first);
        let numbers = if storage == Storage::In { &mut self.inputs } else { &mut self.outputs };
        if is_block {
            let (open, close) = declaration.body.unwrap_or((first, first));
            let members = (open..close).filter(|&index| matches!(tokens.at(index), ";" | ",")).count();
            let location = numbers.take(members as u32);
            self.changes.insert(tokens.place(begins).start, format!("layout(location = {location}) "));
            return;
        }
        let again: String = declaration.qualifiers.iter().fold(String::new(), |text, &index| match tokens.at(index) {
            "attribute" | "varying" => text + word + " ",
            "invariant" if storage == Storage::In => text,
            other => text + other + " ",
        });
        for (number, declarator) in names.iter().enumerate() {
            let arrays = elements(tokens, &declaration.ty).saturating_mul(elements(tokens, &declarator.dimensions));
            let location = numbers.take(arrays.saturating_mul(columns(tokens.at(declaration.ty.start))));
            match names.get(number.wrapping_sub(1)) {
                None => self.changes.insert(tokens.place(begins).start, format!("layout(location = {location}) ")),
                Some(before) => {
                    let ty: Vec<&str> = declaration.ty.clone().map(|index| tokens.at(index)).collect();
                    let head = format!("; layout(location = {location}) {again}{} ", ty.join(" "));
                    self.changes.replace(tokens.place(before.end), head);
                }
            }
        }
    }

    /// Gives functions and variables their names of today, in code and in macros.
    fn rename(&mut self, functions: &[usize]) {
        let tokens = self.tokens;
        let mut names: Vec<(&str, String)> = vec![
            ("gl_FragColor", self.free("FragColor")),
            ("gl_FragData", self.free("FragData")),
            ("gl_VertexID", "gl_VertexIndex".into()),
            ("gl_InstanceID", "gl_InstanceIndex".into()),
        ];
        let defines = |name: &str| functions.iter().any(|&index| tokens.at(index) == name);
        if self.version.has_old_functions {
            let old = RENAMED.iter().filter(|(old, _)| !defines(old));
            names.extend(old.map(|(old, new)| (*old, new.to_string())));
        }
        if self.version.is_old {
            names.extend(TAKEN.iter().filter(|word| tokens.has(word)).map(|word| (*word, self.free(word))));
            let own = functions.iter().map(|&index| tokens.at(index));
            names.extend(own.filter(|name| NEW_FUNCTIONS.contains(name)).map(|name| (name, self.free(name))));
        }
        let new = |word: &str| names.iter().find(|(old, _)| *old == word).map(|(_, new)| new.as_str());
        for (begins, inside) in tokens.macros().chain([(0, tokens.clone())]) {
            for (index, word) in inside.list.iter().enumerate().filter(|(_, token)| token.kind == Kind::Word) {
                if let Some(new) = new(inside.at(index)) {
                    self.changes.replace(begins + word.place.start..begins + word.place.end, new);
                }
            }
        }
    }

    /// Leaves out extensions that the raised version includes.
    fn drop_extensions(&mut self) {
        for index in 0..self.tokens.list.len() {
            let Some(("extension", rest)) = self.tokens.directive(index) else { continue };
            let name = rest.split(':').next().unwrap_or("").trim();
            if INCLUDED.contains(&name) {
                self.remove(index..index + 1);
            }
        }
    }

    fn remove(&mut self, range: Range<usize>) {
        for index in range {
            self.changes.remove(self.tokens.place(index));
        }
    }

    fn joined(&self, range: Range<usize>) -> String {
        range.map(|index| self.tokens.at(index)).collect::<Vec<_>>().join(" ")
    }
}

/// Elements of arrays by their sizes in brackets; sizes that are no literals count as one.
fn elements(tokens: &Tokens<'_>, range: &Range<usize>) -> u32 {
    let sizes = range.clone().filter(|&index| tokens.at(index) == "[");
    sizes.filter_map(|index| tokens.at(index + 1).parse::<u32>().ok()).fold(1, u32::saturating_mul)
}

/// Locations that a value of a type takes.
fn columns(ty: &str) -> u32 {
    let matrix = ty.trim_start_matches('d').strip_prefix("mat");
    matrix.and_then(|rest| rest.chars().next()?.to_digit(10)).unwrap_or(1)
}

/// Puts the version first, and what is declared behind the last directive that must precede it.
fn preamble_changes(tokens: &Tokens<'_>, version: &Version, preamble: &str) -> Rewriting {
    let (text, mut changes) = (tokens.text, Rewriting::default());
    // ES has the version before everything, comments included.
    version.place.iter().for_each(|place| changes.remove(place.clone()));
    changes.insert(0, format!("{}\n#line 1\n", version.line));
    if preamble.is_empty() {
        return changes;
    }
    let (mut depth, mut inside_of_if, mut behind) = (0u32, false, version.place.as_ref().map_or(0, |place| place.end));
    for index in 0..tokens.list.len() {
        let Some((name, _)) = tokens.directive(index) else { break };
        match name {
            "if" | "ifdef" | "ifndef" => depth += 1,
            "endif" => depth = depth.saturating_sub(1),
            "extension" if depth > 0 => inside_of_if = true,
            "version" | "extension" => behind = tokens.place(index).end,
            _ => {}
        }
        if depth == 0 && inside_of_if {
            (inside_of_if, behind) = (false, tokens.place(index).end);
        }
    }
    // Behind the line that this directive ends.
    let line_end = match behind {
        0 => Some(0),
        _ => text[behind..].find('\n').map(|length| behind + length + 1),
    };
    match line_end {
        Some(at) => {
            let line = text[..at].matches('\n').count() + 1;
            changes.insert(at, format!("{preamble}\n#line {line}\n"));
        }
        None => changes.insert(text.len(), format!("\n{preamble}")),
    }
    changes
}

#[cfg(test)]
mod tests;
