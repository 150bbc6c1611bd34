//! Manifests: what a shader is drawn with. The schema is described in `docs/manifest.md`.

mod apply;
mod carry;
mod expect;
mod memory;
mod merge;
mod samples;
mod template;
mod tree;
mod vertex;

use crate::draw::{MAX_TRIANGLES, check_size};
use crate::merge::{AlphaTest, Blend};
use crate::problem::{Problems, invalid};
use crate::render_target::Target;
use crate::samples::Samples;
pub use expect::Unmet;
use parallax_core::Stage;
use parallax_core::exec::{ImageFormat, TexelKind};
use parallax_text::{Diag, Span};
use parallax_texture::{Compare, Filter, Mip, Pattern, Sampler, TexelFormat, Wrap};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
pub use template::template;
use tree::{Tree, Value};

/// A manifest as it was read; places are kept, so that what does not fit a shader can be pointed at.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Manifest {
    /// Name for messages, such as a path.
    pub name: String,
    /// Its text.
    pub text: String,
    /// Folder that file names in it are relative to.
    pub folder: PathBuf,
    /// Effect the shader shows, the same for every instruction set it is written in.
    pub effect: Option<String>,
    /// Title for reports.
    pub title: Option<String>,
    /// Why the shader is interesting.
    pub about: Option<String>,
    /// Stage the shader must have.
    pub stage: Option<(Stage, Span)>,
    /// Width and height in pixels.
    pub size: Option<(u32, u32)>,
    /// Clip-space positions, three per triangle; `None` for a full-screen quad.
    pub triangles: Option<Vec<[f32; 4]>>,
    /// Ops that loops of a pixel or invocation may execute.
    pub budget: Option<u32>,
    /// Whether colours are flat.
    pub flat_shade: bool,
    /// Samples of every pixel, and where they are given.
    pub samples: Option<(Samples, Span)>,
    /// What every colour output is stored as.
    pub target: Option<Target>,
    /// What single colour outputs are stored as.
    targets: Vec<(u16, Target, Span)>,
    /// What depths that the shader writes are stored as.
    depth_target: Option<Target>,
    /// Blending.
    pub blend: Option<Blend>,
    /// Test of alphas.
    pub alpha_test: Option<AlphaTest>,
    attributes: Vec<Attribute>,
    constants: Vec<Constant>,
    textures: Vec<Texture>,
    memories: Vec<memory::Memory>,
    /// Where the default attributes of a vertex program's vertices are, by texture coordinate.
    places: Option<Vec<[f32; 2]>>,
    /// The vertex program in front of the shader.
    vertex: Option<Box<vertex::Vertex>>,
    /// Workgroups of a kernel along x, y and z.
    pub grid: Option<([u32; 3], Span)>,
    /// Invocations of a workgroup of a kernel that leaves them to its caller.
    pub block: Option<[u32; 3]>,
    /// Whether accesses outside of memory read 0 and store nothing in kernels where they are errors else.
    pub robust: bool,
    /// Parameters of a kernel by number, as [`set_param`](crate::set_param) reads them.
    params: Vec<(u32, String, Span)>,
    /// Frontend options.
    pub options: BTreeMap<String, String>,
    /// What results have to be.
    expectations: Vec<expect::Expectation>,
    /// What a comparison of the shader must keep; what the words mean is the comparison's.
    pub limits: Vec<ManifestLimit>,
    /// How much figures may grow since an earlier run.
    pub slack: Vec<ManifestLimit>,
}

/// A limit on a figure of a comparison, or its slack.
#[derive(Clone, Debug, PartialEq)]
pub struct ManifestLimit {
    /// Model it is for; `None` for all.
    pub model: Option<String>,
    /// Name of the figure.
    pub figure: String,
    /// Its limit, as text.
    pub value: String,
    /// Where it stands.
    pub span: Span,
}

/// Values of one attribute.
#[derive(Clone, Debug, PartialEq)]
struct Attribute {
    which: Which,
    /// Per corner or vertex.
    values: Vec<[u32; 4]>,
    /// Whether they were given as corners.
    corners: bool,
    span: Span,
}

/// How an attribute or a texture unit is named.
#[derive(Clone, Debug, PartialEq)]
enum Which {
    /// Number in order of declaration.
    Index(u32),
    /// Semantic or the shader's own spelling.
    Name(String),
}

/// One constant vector.
#[derive(Clone, Debug, PartialEq)]
struct Constant {
    place: Place,
    span: Span,
}

/// Which constant.
#[derive(Clone, Debug, PartialEq)]
enum Place {
    /// A vector of a bank.
    Bank { bank: u32, index: u32, words: [u32; 4] },
    /// One with a name of its own; what it holds depends on its type.
    Named { name: String, numbers: Vec<tree::Number> },
}

/// Patterns of textures, by name.
const PATTERNS: [(&str, Pattern); 5] = [
    ("noise", Pattern::Noise { seed: 1 }),
    ("checker", Pattern::Checker),
    ("gradient", Pattern::Gradient),
    ("ramp", Pattern::Gradient),
    ("normals", Pattern::Normals),
];

/// One texture unit, by number or by name.
#[derive(Clone, Debug, PartialEq)]
struct Texture {
    which: Which,
    source: Source,
    format: TexelFormat,
    sampler: Sampler,
    /// Layers of a flat array that a file holds.
    layers: u32,
    span: Span,
}

#[derive(Clone, Debug, PartialEq)]
enum Source {
    /// Width, height, depth or layers; what is missing depends on the shape the shader samples.
    Pattern {
        pattern: Pattern,
        size: Option<(Vec<u32>, Span)>,
    },
    File {
        path: String,
        span: Span,
    },
    /// Texels row by row, and where they are given.
    Texels {
        texels: Vec<[u32; 4]>,
        size: (Vec<u32>, Span),
        span: Span,
    },
}

impl Manifest {
    /// The parameters of a kernel that it gives.
    pub fn params(&self) -> impl Iterator<Item = u32> {
        self.params.iter().map(|param| param.0)
    }

    /// Reads a manifest file.
    ///
    /// # Errors
    /// All problems of the file, or that it cannot be read.
    pub fn read(path: &Path) -> Result<Manifest, Problems> {
        let name = path.display().to_string();
        let text = crate::read_file::read_text_file(path)
            .map_err(|e| Problems::new(&name, "", vec![invalid("manifest-read", format!("cannot be read: {e}"))]))?;
        let mut manifest = Manifest::parse(&name, &text)?;
        manifest.folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
        Ok(manifest)
    }

    /// Reads a manifest from text. File names in it are relative to the current folder.
    ///
    /// # Errors
    /// All problems of the text.
    pub fn parse(name: &str, text: &str) -> Result<Manifest, Problems> {
        let mut tree = Tree::default();
        let mut manifest = Manifest { name: name.to_string(), text: text.to_string(), ..Manifest::default() };
        if text.len() > crate::load::MAX_BYTES {
            return Err(Problems::new(name, "", vec![invalid("manifest-size", "too large for a manifest")]));
        }
        tree.document(text, |tree, table| manifest.table(tree, table));
        let diags = tree.into_diags();
        if diags.is_empty() { Ok(manifest) } else { Err(Problems::new(name, text, diags)) }
    }

    fn table(&mut self, tree: &mut Tree, table: &tree::Table<'_>) {
        const KEYS: &[&str] = &[
            "effect",
            "title",
            "about",
            "stage",
            "size",
            "target",
            "targets",
            "blend",
            "alpha_test",
            "dither",
            "geometry",
            "samples",
            "attributes",
            "constants",
            "textures",
            "binding",
            "dispatch",
            "budget",
            "params",
            "options",
            "vertex",
            "expect",
            "limits",
            "slack",
        ];
        for (key, value) in tree.entries(table, KEYS) {
            match key.name {
                "effect" => self.effect = tree.string(value),
                "title" => self.title = tree.string(value),
                "about" => self.about = tree.string(value),
                "stage" => {
                    let words = [("fragment", Stage::Fragment), ("vertex", Stage::Vertex), ("compute", Stage::Compute)];
                    self.stage = tree.word(value, &words).map(|stage| (stage, tree::span(value)));
                }
                "size" => {
                    self.size = tree.size(value);
                    if let Some(diag) = self.size.and_then(|(width, height)| check_size(width, height)) {
                        tree.report(Diag { span: Some(tree::span(value)), ..diag });
                        self.size = None;
                    }
                }
                "target" => self.target = tree.word(value, &color_targets()),
                "blend" => self.blend = merge::blend(tree, value),
                "alpha_test" => self.alpha_test = merge::alpha_test(tree, value),
                "dither" => merge::dither(tree, value),
                "targets" => self.targets(tree, value),
                "geometry" => self.geometry(tree, value),
                "samples" => self.samples = samples::read(tree, value).map(|samples| (samples, key.span)),
                "dispatch" => self.dispatch(tree, value),
                "budget" => self.budget = tree.integer(value, u32::MAX),
                "vertex" => self.vertex(tree, value),
                "params" => self.read_params(tree, value),
                "expect" => {
                    for item in tree.tables(value) {
                        self.expectation(tree, item);
                    }
                }
                "limits" => limits(tree, value, &mut self.limits),
                "slack" => limits(tree, value, &mut self.slack),
                name => self.input(tree, name, value),
            }
        }
    }

    /// What a program of any stage reads.
    fn input(&mut self, tree: &mut Tree, name: &str, value: &Value<'_>) {
        match name {
            "attributes" => {
                for item in tree.tables(value) {
                    self.attribute(tree, item);
                }
            }
            "constants" => self.constants(tree, value, 0),
            "textures" => {
                for item in tree.tables(value) {
                    self.texture(tree, item, None);
                }
            }
            "binding" => self.bindings(tree, value),
            _ => self.options(tree, value),
        }
    }

    fn dispatch(&mut self, tree: &mut Tree, value: &Value<'_>) {
        let Some(table) = tree.table(value) else { return };
        for (key, value) in tree.entries(table, &["grid", "block", "subgroup", "robust"]) {
            if key.name == "subgroup" {
                // A choice of the frontend.
                if let Some(text) = tree.scalar(value) {
                    self.options.insert(key.name.to_string(), text);
                }
                continue;
            }
            if key.name == "robust" {
                self.robust = tree.boolean(value).unwrap_or(false);
                continue;
            }
            let sides = tree.sides(value).map(|sides| {
                let mut all = [1; 3];
                all.iter_mut().zip(sides).for_each(|(to, from)| *to = from);
                all
            });
            match key.name {
                "block" => self.block = sides,
                _ => self.grid = sides.map(|grid| (grid, key.span)),
            }
        }
    }

    fn read_params(&mut self, tree: &mut Tree, value: &Value<'_>) {
        let Some(table) = tree.table(value) else { return };
        for (key, value) in tree.all_entries(table) {
            match number::<u32>(key.name) {
                None => {
                    let message = format!("`{}` is not the number of a parameter", key.name);
                    tree.error(key.span, "manifest-param", message);
                }
                Some(number) => {
                    let text = tree.string(value).map(|text| (number, text, key.span));
                    self.params.extend(text);
                }
            }
        }
    }

    fn targets(&mut self, tree: &mut Tree, value: &Value<'_>) {
        let Some(table) = tree.table(value) else { return };
        for (key, value) in tree.all_entries(table) {
            if key.name == "depth" {
                self.depth_target = tree.word(value, &DEPTH_TARGETS);
                continue;
            }
            match number(key.name) {
                None => {
                    let message = format!("`{}` is neither the number of a colour output nor `depth`", key.name);
                    tree.error(key.span, "manifest-target", message);
                }
                Some(number) => {
                    if let Some(target) = tree.word(value, &color_targets()) {
                        self.targets.push((number, target, key.span));
                    }
                }
            }
        }
    }

    fn geometry(&mut self, tree: &mut Tree, value: &Value<'_>) {
        let Some(table) = tree.table(value) else { return };
        let mut kind = None;
        let mut positions = None;
        for (key, value) in tree.entries(table, &["kind", "positions", "flat"]) {
            match key.name {
                "kind" => kind = tree.word(value, &[("quad", false), ("triangles", true)]),
                "positions" => positions = Some((tree.vectors(value), tree::span(value))),
                _ => self.flat_shade = tree.boolean(value).unwrap_or(false),
            }
        }
        match (kind, positions) {
            (Some(true), Some((positions, span))) => {
                if positions.is_empty() || positions.len() % 3 != 0 {
                    let found = positions.len();
                    tree.error(span, "manifest-triangles", format!("{found} positions: expected a multiple of three"));
                } else if positions.len() / 3 > MAX_TRIANGLES {
                    tree.error(span, "manifest-triangles", format!("more than {MAX_TRIANGLES} triangles"));
                } else {
                    self.triangles = Some(positions.iter().map(|p| p.map(f32::from_bits)).collect());
                }
            }
            (Some(true), None) => {
                tree.error(tree::span(value), "manifest-missing", "triangles need `positions`");
            }
            (_, Some((_, span))) => {
                tree.error(span, "manifest-geometry", "`positions` requires `kind = \"triangles\"`");
            }
            _ => {}
        }
    }

    fn attribute(&mut self, tree: &mut Tree, value: &Value<'_>) {
        let Some(table) = tree.table(value) else { return };
        let span = tree::span(value);
        let before = tree.errors();
        let (mut which, mut values, mut corners) = (None, None, false);
        for (key, value) in tree.entries(table, &["index", "semantic", "corners", "values"]) {
            match key.name {
                "index" | "semantic" if which.is_some() => {
                    tree.error(
                        key.span,
                        "manifest-attribute",
                        "an attribute is named by `index` or `semantic`, not both",
                    );
                }
                "index" => which = tree.integer(value, u32::MAX).map(Which::Index),
                "semantic" => which = tree.string(value).map(Which::Name),
                "corners" | "values" if values.is_some() => {
                    tree.error(key.span, "manifest-attribute", "an attribute has `corners` or `values`, not both");
                }
                "corners" => {
                    let mut found = tree.vectors(value);
                    if found.len() == 1 {
                        found = vec![found[0]; 4];
                    }
                    if found.len() != 4 {
                        let message = format!("a quad has 4 corners, found {}", found.len());
                        tree.error(tree::span(value), "manifest-corners", message);
                    }
                    (values, corners) = (Some(found), true);
                }
                _ => values = Some(tree.vectors(value)),
            }
        }
        match (which, values) {
            // What is missing may only be what was wrong.
            _ if tree.errors() > before => {}
            (None, _) => tree.error(span, "manifest-missing", "an attribute needs `index` or `semantic`"),
            (_, None) => tree.error(span, "manifest-missing", "an attribute needs `corners` or `values`"),
            (Some(which), Some(values)) => self.attributes.push(Attribute { which, values, corners, span }),
        }
    }

    fn constants(&mut self, tree: &mut Tree, value: &Value<'_>, bank: u32) {
        let Some(table) = tree.table(value) else { return };
        for (key, value) in tree.all_entries(table) {
            if let Some(index) = number(key.name) {
                if let Some(words) = tree.vector(value, 4) {
                    self.constants.push(Constant { place: Place::Bank { bank, index, words }, span: key.span });
                }
            } else if let Some(bank) = key.name.strip_prefix("bank").and_then(number).filter(|_| bank == 0) {
                match bank {
                    0 => tree.error(key.span, "manifest-constant", "bank 0 is [constants] itself"),
                    bank => self.constants(tree, value, bank),
                }
            } else if bank == 0 && is_name(key.name) {
                if let Some(numbers) = tree.numbers(value) {
                    let name = key.name.to_string();
                    self.constants.push(Constant { place: Place::Named { name, numbers }, span: tree::span(value) });
                }
            } else {
                let also = if bank == 0 { ", names and `bankN` tables" } else { "" };
                let message = format!("`{}` is not a constant: expected vector numbers{also}", key.name);
                tree.error(key.span, "manifest-constant", message);
            }
        }
    }

    /// Reads a texture: of `[[textures]]`, or that of a binding with this name.
    fn texture(&mut self, tree: &mut Tree, value: &Value<'_>, name: Option<&str>) {
        const KEYS: &[&str] = &[
            "unit",
            "source",
            "file",
            "texels",
            "size",
            "layers",
            "format",
            "filter",
            "minify",
            "mip",
            "wrap",
            "border",
            "compare",
            "anisotropy",
            "seed",
        ];
        let Some(table) = tree.table(value) else { return };
        let span = tree::span(value);
        let before = tree.errors();
        let (mut unit, mut source, mut file, mut size, mut layers, mut seed) = (None, None, None, None, None, None);
        const FILTERS: &[(&str, Filter)] = &[("linear", Filter::Linear), ("nearest", Filter::Nearest)];
        let (mut format, mut texels) = (None, None);
        let mut sampler = Sampler::default();
        for (key, value) in tree.entries(table, KEYS) {
            match key.name {
                "unit" if name.is_some() => {
                    tree.error(key.span, "manifest-texture", "the unit of a binding is that of its name");
                }
                "unit" => unit = tree.integer(value, u32::from(MAX_UNIT)),
                "source" => {
                    source = tree.word(value, &PATTERNS);
                }
                "file" => file = tree.string(value).map(|path| (path, tree::span(value))),
                "texels" => texels = Some((tree.vectors(value), tree::span(value))),
                "size" => size = tree.sides(value).map(|sides| (sides, tree::span(value))),
                "layers" => layers = tree.integer(value, parallax_texture::MAX_SIDE).map(|layers| (layers, key.span)),
                "compare" => sampler.compare = tree.word(value, &Compare::NAMES).unwrap_or_default(),
                "format" => {
                    format = tree.word(value, &texel_formats());
                }
                "filter" => sampler.filter = tree.word(value, FILTERS).unwrap_or_default(),
                "minify" => sampler.minify = tree.word(value, FILTERS),
                "mip" => {
                    let words = [("none", Mip::None), ("nearest", Mip::Nearest), ("linear", Mip::Linear)];
                    sampler.mip = tree.word(value, &words).unwrap_or_default();
                }
                "wrap" => {
                    let words = [
                        ("repeat", Wrap::Repeat),
                        ("mirror", Wrap::Mirror),
                        ("clamp", Wrap::Clamp),
                        ("border", Wrap::Border),
                    ];
                    sampler.wrap = [tree.word(value, &words).unwrap_or_default(); 3];
                }
                "anisotropy" => anisotropy(tree, value),
                "border" => sampler.border = tree.vector(value, 1).unwrap_or_default(),
                _ => seed = tree.integer(value, u32::MAX).map(|seed| (seed, key.span)),
            }
        }
        if tree.errors() > before {
            return;
        }
        let which = match (name, unit) {
            (Some(name), _) => Which::Name(name.to_string()),
            (None, Some(unit)) => Which::Index(unit),
            (None, None) => {
                tree.error(span, "manifest-missing", "a texture needs `unit`, 0 to 255");
                return;
            }
        };
        if let Some((seed, at)) = seed {
            match &mut source {
                Some(Pattern::Noise { seed: known }) => *known = seed,
                _ => tree.error(at, "manifest-texture", "`seed` requires `source = \"noise\"`"),
            }
        }
        if let (Some((_, at)), None) = (layers, &file) {
            tree.error(at, "manifest-texture", "`layers` requires `file`; otherwise the last number of `size` sets it");
        }
        let (is_listed, has_size) = (texels.is_some(), size.is_some());
        let source = match (source, file, texels) {
            (Some(pattern), None, None) => Source::Pattern { pattern, size },
            (None, Some((path, span)), None) => Source::File { path, span },
            (None, None, Some((texels, span))) if let Some(size) = size => Source::Texels { texels, size, span },
            (None, None, Some((_, at))) if !has_size => {
                tree.error(at, "manifest-missing", "`texels` need `size`");
                return;
            }
            (None, None, _) => {
                tree.error(span, "manifest-missing", "a texture needs `source`, `file` or `texels`");
                return;
            }
            _ => {
                tree.error(span, "manifest-texture", "a texture has one of `source`, `file` and `texels`");
                return;
            }
        };
        let format = format.unwrap_or(if is_listed { TexelFormat::Rgba32F } else { TexelFormat::Rgba8 });
        if let Some(unit) = unit.filter(|_| self.textures.iter().any(|known| known.which == which)) {
            tree.error(span, "manifest-texture", format!("texture unit {unit} is given twice"));
        }
        let layers = layers.map_or(1, |(layers, _)| layers);
        self.textures.push(Texture { which, source, format, sampler, layers, span });
    }

    fn options(&mut self, tree: &mut Tree, value: &Value<'_>) {
        let Some(table) = tree.table(value) else { return };
        for (key, value) in tree.all_entries(table) {
            if let Some(text) = tree.scalar(value) {
                self.options.insert(key.name.to_string(), text);
            }
        }
    }
}

/// Words for targets of colours, and what the formats are called elsewhere.
fn color_targets() -> Vec<(&'static str, Target)> {
    let own = Target::ALL.into_iter().filter(|target| target.is_of_colors()).map(|target| (target.name(), target));
    let others = [("f32", Target::Fp32), ("half", Target::Fp16), ("f16", Target::Fp16)];
    own.chain(others).collect()
}

/// Words for targets of depths.
const DEPTH_TARGETS: [(&str, Target); 4] = [
    (Target::Depth16.name(), Target::Depth16),
    (Target::Depth24.name(), Target::Depth24),
    (Target::Fp32.name(), Target::Fp32),
    ("depth32f", Target::Fp32),
];

/// Whether a key can be the name of a constant, and is no misspelt number or bank.
fn is_name(key: &str) -> bool {
    let bank = key.strip_prefix("bank").is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()));
    key.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '$')) && !bank
}

/// A number as keys are written: without sign and leading zeros, so that no two keys mean the same.
fn number<T: std::str::FromStr>(text: &str) -> Option<T> {
    let plain = text == "0" || !text.starts_with('0') && text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|_| plain)
}

/// Reads `anisotropy`: Direct3D 11 fixes its level of detail (7.18.11), but neither it nor another document says how many places are looked
/// up along the longer side and with which weights, so that only 1, its absence, can be drawn.
fn anisotropy(tree: &mut Tree, value: &Value<'_>) {
    if tree.integer(value, 16).is_some_and(|most| most > 1) {
        let message = "anisotropic filters are not supported: no document says which places a unit looks up along the longer side, and \
                       with which weights";
        tree.report(Diag::unsupported("manifest-anisotropy", tree::span(value), message));
    }
}

/// Formats of textures: those of their own, and those of images in memory that have floats.
fn texel_formats() -> Vec<(&'static str, TexelFormat)> {
    use TexelFormat::{Depth16, Depth24, Rgb9E5, Rgb565, Rgba8, Rgba32F, Srgb8};
    let own = [Rgba8, Srgb8, Rgba32F, Depth16, Depth24, Rgb565, Rgb9E5];
    let mut words: Vec<_> = own.into_iter().map(|format| (format.name(), format)).collect();
    for format in ImageFormat::ALL.into_iter().filter(|format| format.kind() == TexelKind::Float) {
        if words.iter().all(|(known, _)| *known != format.name()) {
            words.push((format.name(), TexelFormat::Stored(format)));
        }
    }
    words
}

/// Highest texture unit.
const MAX_UNIT: u16 = 255;

/// Figures with a limit each, in a table of their own where they are for one model.
fn limits(tree: &mut Tree, value: &Value<'_>, to: &mut Vec<ManifestLimit>) {
    let Some(table) = tree.table(value) else { return };
    for (key, value) in tree.all_entries(table) {
        if !value.get_ref().is_table() {
            to.extend(limit(tree, None, &key, value));
            continue;
        }
        let Some(of_model) = tree.table(value) else { continue };
        for (figure, value) in tree.all_entries(of_model) {
            to.extend(limit(tree, Some(key.name), &figure, value));
        }
    }
}

fn limit(tree: &mut Tree, model: Option<&str>, key: &tree::Key<'_>, value: &Value<'_>) -> Option<ManifestLimit> {
    let value = tree.scalar(value)?;
    Some(ManifestLimit { model: model.map(str::to_string), figure: key.name.to_string(), value, span: key.span })
}

#[cfg(test)]
mod tests;
