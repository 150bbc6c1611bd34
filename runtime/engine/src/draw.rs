//! What is drawn: viewport, geometry, attributes, constants, textures.

use crate::bound_image::default_image;
use crate::dispatch::kernel_size;
use crate::merge::Merge;
use crate::problem::{Problems, invalid, unsupported};
use crate::render_target::{Target, Targets};
use crate::samples::Samples;
use crate::vertex_stage::VertexStage;
use parallax_core::exec::FUEL;
use parallax_core::num::FixedFunctions;
use parallax_core::{
    AttrDecl, AttrSemantic, Bound, ConstDecl, HalfAttributes, Interface, OutputRole, RasterSteps, Stage, TexTarget,
};
use parallax_text::Diag;
use parallax_texture::{Pattern, Sampler, TexelFormat, TextureSet, Unit};
use std::sync::Arc;

/// Largest width or height of a draw.
pub const MAX_SIDE: u32 = 16_384;
/// Most pixels of a frame; where they have several samples, most samples. A draw that is run in bands of rows, each a frame, can have
/// more.
pub const MAX_PIXELS: u64 = 1 << 24;
/// Most vectors of a constant bank that are filled.
pub const MAX_BANK: u32 = 1 << 16;
/// Most triangles of a draw.
pub const MAX_TRIANGLES: usize = 1 << 20;
/// Words of a buffer whose content nobody gives.
pub(crate) const BUFFER_WORDS: usize = 1 << 10;
/// Samples of the texels of multisampled images that nobody gives.
pub(crate) const SAMPLES: u32 = 4;
/// Size of a draw that asks for none.
pub const DEFAULT_SIZE: (u32, u32) = (128, 128);

/// What is rasterised.
#[derive(Clone, Debug, PartialEq)]
pub enum Geometry {
    /// Two triangles that cover the viewport exactly, drawn as one primitive wherever every attribute is linear over it.
    /// Depth is 0.5, w is 1, front-facing.
    Quad,
    /// Triangles in clip space (x, y, z, w), three vertices each; y points up, -w <= z <= w is kept, unless
    /// [`Depths::clips`] says otherwise. Counter-clockwise
    /// triangles are front-facing, both sides are drawn. A later triangle overwrites an earlier one: there is no depth
    /// test.
    Triangles(Vec<[f32; 4]>),
}

/// Depths of triangles in the window.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Depths {
    /// The depth of z = -w.
    pub near: f64,
    /// The depth of z = w.
    pub far: f64,
    /// Whether what lies before or behind these is cut away.
    pub clips: bool,
}

impl Default for Depths {
    /// From 0 to 1.
    fn default() -> Depths {
        Depths { near: 0.0, far: 1.0, clips: true }
    }
}

/// Everything a run needs besides the shader. Lists go by the numbers of the shader's [`Interface`].
#[derive(Clone, Debug, PartialEq)]
pub struct Draw {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// What is rasterised.
    pub geometry: Geometry,
    /// Depths of its triangles.
    pub depths: Depths,
    /// The vertex program that decides geometry and attributes; [`Draw::with_vertices`] runs it.
    pub vertex: Option<VertexStage>,
    /// Values of each attribute as binary32 patterns: for a quad at its corners top left, top right, bottom left, bottom
    /// right; for triangles at each vertex. Attributes that the geometry decides (position, facing) are empty.
    pub attributes: Vec<Vec<[u32; 4]>>,
    /// Constant banks as raw words.
    pub banks: Vec<Vec<[u32; 4]>>,
    /// Textures.
    pub textures: TextureSet,
    /// Words of each buffer before the draw.
    pub buffers: Vec<Vec<u32>>,
    /// What colours are stored as.
    pub targets: Targets,
    /// What happens to colours on their way there.
    pub merge: Merge,
    /// Samples of every pixel.
    pub samples: Samples,
    /// Whether attributes with colour interpolation are flat.
    pub flat_shade: bool,
    /// Workgroups of a kernel along x, y and z.
    pub grid: [u32; 3],
    /// Fuel of each lane ([`crate::fuel_of_budget`]).
    pub fuel: u32,
}

impl Draw {
    /// The draw a bare program gets: a full-screen quad of 128x128 pixels; texture coordinate 0 and generic input 0 are
    /// (u, v, 0, 1) with (0, 0) at the top left, those of other numbers are smooth and distinct; component `k` of
    /// constant `i` is 0.1 + 0.03 i + 0.05 k in every bank, unless the program declares a value; textures are 256x256 RGBA8 noise, linear, repeated;
    /// buffers are 1024 words of zeros.
    ///
    /// # Errors
    /// A bank of constants that is too long.
    pub fn defaults(iface: &Interface) -> Result<Draw, Problems> {
        let mut draw = Draw {
            width: DEFAULT_SIZE.0,
            height: DEFAULT_SIZE.1,
            geometry: Geometry::Quad,
            depths: Depths::default(),
            vertex: None,
            attributes: default_attributes(iface, &CORNERS),
            banks: default_banks(iface)?,
            textures: TextureSet::default(),
            buffers: vec![vec![0; BUFFER_WORDS]; iface.buffers.len()],
            targets: Targets::default(),
            merge: Merge::default(),
            samples: Samples::default(),
            flat_shade: false,
            grid: [1; 3],
            fuel: FUEL,
        };
        for decl in &iface.textures {
            if draw.textures.get(decl.unit).is_none() {
                draw.textures.set(decl.unit, default_texture(decl.unit, decl.target));
            }
        }
        for (number, buffer) in (0u16..).zip(&iface.buffers) {
            if let Some(decl) = &buffer.image {
                let image = default_image(decl);
                draw.textures.set_image(number, image);
                draw.buffers[usize::from(number)] = vec![0; image.words().unwrap_or(0)];
            }
        }
        if iface.stage == Stage::Compute {
            (draw.width, draw.height) = kernel_size(iface, &draw.buffers);
        }
        Ok(draw)
    }

    /// Finds what makes the draw impossible; empty when it can be run.
    pub fn check(&self, iface: &Interface) -> Vec<Diag> {
        self.check_rows(iface, self.height)
    }

    /// The same where so many rows are run at once.
    pub(crate) fn check_rows(&self, iface: &Interface, rows: u32) -> Vec<Diag> {
        let mut diags = Vec::new();
        diags.extend(check_sides(self.width, self.height).or_else(|| check_size(self.width, rows)));
        diags.extend(self.samples.check());
        diags.extend(check_samples(self.width, rows, self.samples.count()));
        if self.vertex.is_some() {
            let message = "the vertex program of the draw has not run: its results depend on the model";
            diags.push(invalid("draw-vertex", message));
            return diags;
        }
        let vertices = match &self.geometry {
            Geometry::Quad => 4,
            Geometry::Triangles(positions) => {
                if positions.len() % 3 != 0 {
                    diags.push(invalid(
                        "draw-vertices",
                        format!("{} vertices: expected a multiple of three", positions.len()),
                    ));
                }
                if positions.len() / 3 > MAX_TRIANGLES {
                    diags.push(unsupported("draw-triangles", format!("more than {MAX_TRIANGLES} triangles")));
                }
                positions.len()
            }
        };
        for (index, attr) in iface.attrs.iter().enumerate().filter(|(_, a)| is_supplied(a.semantic)) {
            let found = self.attributes.get(index).map_or(0, Vec::len);
            if found != vertices {
                diags.push(invalid(
                    "draw-attribute",
                    format!("attribute {index} ({}) has values for {found} vertices, expected {vertices}", attr.name),
                ));
            }
        }
        if let Some(buffer) = iface.buffers.get(self.buffers.len()) {
            let (found, needed) = (self.buffers.len(), iface.buffers.len());
            let message =
                format!("buffer `{}` is missing: the draw has {found} buffers, expected {needed}", buffer.name);
            diags.push(invalid("draw-buffer", message));
        }
        let mut targets = self.targets.every.iter().chain(self.targets.by_output.values());
        if self.samples.count() > 1 && targets.any(|target| *target == Target::Rgb9E5) {
            let message =
                "several samples of rgb9_e5: no document says how an exponent that components share is resolved";
            diags.push(unsupported("draw-target", message));
        }
        if self.merge.blend.is_some() {
            let untargeted = iface.outputs.iter().find(|output| {
                let is_color = matches!(output.role, OutputRole::Color(_));
                is_color && output.types.iter().flatten().any(|ty| self.targets.of(output.role, *ty).is_none())
            });
            if let Some(output) = untargeted {
                let message = format!("output `{}` is blended, but has no render target to hold it", output.name);
                let help = "set `target`, for example to \"unorm8\" or \"fp32\"";
                diags.push(invalid("draw-blend", message).with_help(help));
            }
        }
        for number in self.targets.by_output.keys() {
            if !has_colour(iface, *number) {
                diags.push(invalid("draw-target", no_colour(iface, *number)));
            }
        }
        diags
    }
}

impl Draw {
    /// What counts of a model's fixed functions in this draw; the rest is as in [`FixedFunctions::IEEE`]. Two models with equal rules
    /// for a shader give equal frames if they are alike in this.
    pub fn counted(
        &self,
        iface: &Interface,
        bound: &Bound,
    ) -> (FixedFunctions, Option<RasterSteps>, Option<HalfAttributes>) {
        let (own, mut counted) = (bound.fixed, FixedFunctions::IEEE);
        let has_target = self.targets.every.is_some() || !self.targets.by_output.is_empty();
        if has_target || self.targets.depth.is_some() {
            (counted.target.unorm, counted.target.float) = (own.target.unorm, own.target.float);
        }
        if self.merge.blend.is_some() {
            counted.target.blend = own.target.blend;
        }
        if self.merge.alpha_test.is_some() {
            counted.target.alpha = own.target.alpha;
        }
        if iface.attrs.iter().any(|attr| matches!(attr.semantic, AttrSemantic::Color(_))) {
            counted.raster.color = own.raster.color;
        }
        let mut steps = None;
        if self.geometry != Geometry::Quad {
            (counted.raster.interpolation, counted.raster.grid) = (own.raster.interpolation, own.raster.grid);
            steps = bound.raster_steps.as_deref().cloned();
        }
        // Which attributes are halves says all that `raster_mediump` does.
        (counted, steps, bound.halves.as_deref().cloned())
    }
}

/// Whether a shader writes a colour output.
pub(crate) fn has_colour(iface: &Interface, number: u16) -> bool {
    iface.outputs.iter().any(|output| output.role == OutputRole::Color(number))
}

/// Says that a shader does not write a colour output, and which it writes.
pub(crate) fn no_colour(iface: &Interface, number: u16) -> String {
    let written = iface.outputs.iter().filter_map(|output| match output.role {
        OutputRole::Color(n) => Some(n.to_string()),
        _ => None,
    });
    let written: Vec<String> = written.collect();
    let written = if written.is_empty() { "none".to_string() } else { written.join(", ") };
    format!("the shader writes no colour {number}; it writes {written}")
}

/// Whether a viewport can be drawn in one frame.
pub fn check_size(width: u32, height: u32) -> Option<Diag> {
    let fits = u64::from(width) * u64::from(height) <= MAX_PIXELS;
    let limit = || too_large(width, height, format!("at most {MAX_SIDE} pixels per side and {MAX_PIXELS} in total"));
    check_sides(width, height).or_else(|| (!fits).then(limit))
}

/// Whether a viewport can be drawn in bands of rows.
pub fn check_sides(width: u32, height: u32) -> Option<Diag> {
    if width == 0 || height == 0 {
        return Some(invalid("draw-size", format!("a viewport of {width}x{height} pixels is empty")));
    }
    let fits = width <= MAX_SIDE && height <= MAX_SIDE;
    (!fits).then(|| too_large(width, height, format!("at most {MAX_SIDE} pixels per side")))
}

fn too_large(width: u32, height: u32, limit: String) -> Diag {
    invalid("draw-size", format!("a viewport of {width}x{height} pixels is too large")).with_help(limit)
}

/// Whether a viewport can be drawn with so many samples per pixel.
pub(crate) fn check_samples(width: u32, height: u32, count: u32) -> Option<Diag> {
    let samples = u64::from(width) * u64::from(height) * u64::from(count);
    (count > 1 && samples > MAX_PIXELS).then(|| {
        invalid("draw-samples", format!("{width}x{height} pixels with {samples} samples each are too many"))
            .with_help(format!("at most {MAX_PIXELS} samples can be drawn"))
    })
}

/// Texture coordinates of the corners: top left, top right, bottom left, bottom right.
pub(crate) const CORNERS: [[f32; 2]; 4] = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]];

/// Whether the caller gives the values of an attribute; the others come from the geometry.
pub(crate) fn is_supplied(semantic: AttrSemantic) -> bool {
    !matches!(semantic, AttrSemantic::Position | AttrSemantic::Face)
}

/// Default values of every attribute at places given by (u, v). They follow the number that the program gives an input, so
/// that the same effect in two instruction sets gets the same, whatever else each declares.
pub(crate) fn default_attributes(iface: &Interface, places: &[[f32; 2]]) -> Vec<Vec<[u32; 4]>> {
    let values = |attr: &AttrDecl| match default_number(attr.semantic) {
        Some(n) => places.iter().map(|&[u, v]| default_attribute(n, u, v).map(f32::to_bits)).collect(),
        None if is_supplied(attr.semantic) => vec![[0; 4]; places.len()],
        None => Vec::new(),
    };
    iface.attrs.iter().map(values).collect()
}

/// Which of the default attributes an input gets: colours and fog those behind the ten texture coordinates that NV programs have.
fn default_number(semantic: AttrSemantic) -> Option<u32> {
    match semantic {
        AttrSemantic::TexCoord(n) | AttrSemantic::Generic(n) => Some(n.into()),
        AttrSemantic::PointCoord => Some(0),
        AttrSemantic::Color(n) => Some(10 + u32::from(n)),
        AttrSemantic::Fog => Some(12),
        AttrSemantic::Position | AttrSemantic::Face | AttrSemantic::Preset => None,
    }
}

/// The n-th supplied attribute at (u, v).
fn default_attribute(n: u32, u: f32, v: f32) -> [f32; 4] {
    if n == 0 {
        return [u, v, 0.0, 1.0];
    }
    // Sixteenths, from the eighth on shifted by half of one, so that every step is exact: slopes and offsets differ by attribute
    // and component.
    let offset = (n % 8) as f32 / 16.0 + (n / 8 % 2) as f32 / 32.0;
    [offset + 0.5 * u + 0.25 * v, 0.75 - offset + 0.25 * u - 0.5 * v, 0.25 + offset - 0.125 * u + 0.5 * v, 1.0]
}

fn default_banks(iface: &Interface) -> Result<Vec<Vec<[u32; 4]>>, Vec<Diag>> {
    let too_long = iface.banks.iter().filter(|bank| bank.len > MAX_BANK);
    let diags: Vec<Diag> = too_long
        .map(|bank| {
            unsupported(
                "draw-bank",
                format!("constant bank {} has {} vectors; at most {MAX_BANK} are supported", bank.name, bank.len),
            )
        })
        .collect();
    if !diags.is_empty() {
        return Err(diags);
    }
    let mut banks: Vec<Vec<[u32; 4]>> =
        iface.banks.iter().map(|bank| (0..bank.len).map(default_constant).collect()).collect();
    for constant in iface.constants.iter().filter(|constant| constant.ty.decl().is_none()) {
        // A kernel declares its parameters even where it reads none.
        if let Some(bank) = banks.get_mut(usize::from(constant.bank)) {
            constant.set(bank, default_integers(constant));
        }
    }
    iface.set_defaults(&mut banks);
    Ok(banks)
}

/// Ones: counts and switches.
fn default_integers(constant: &ConstDecl) -> impl Iterator<Item = u32> {
    let words = constant.ty.bits() / 32;
    (0..u32::from(constant.count) * words).map(move |n| u32::from(n % words == 0))
}

/// 0.1 + 0.03 i + 0.05 k, rounded once.
fn default_constant(i: u32) -> [u32; 4] {
    std::array::from_fn(|k| ((f64::from(10 + 3 * i + 5 * k as u32) / 100.0) as f32).to_bits())
}

/// RGBA8 noise, linear, repeated; every unit has its own.
pub(crate) fn default_texture(unit: u16, target: TexTarget) -> Unit {
    let pattern = Pattern::Noise { seed: u32::from(unit) + 1 };
    let samples = if target.is_multisampled() { SAMPLES } else { 1 };
    let size = texture_size(target, &[]).map(|[width, height, depth]| [width, height, depth * samples]);
    let image = size.map(|size| pattern.draw_volume(size, TexelFormat::Rgba8));
    match image {
        Ok(Ok(image)) => Unit::Image { image: Arc::new(image.with_samples(samples)), sampler: Sampler::default() },
        // The size is one that can be made.
        _ => Unit::Constant([0; 4]),
    }
}

/// Width, height and depth of an image for lookups of a shape, from the sides given: none stands for the default size,
/// 256x256, lines 256, volumes 32x32x32, cubes six faces of 128x128; of arrays, four layers.
pub(crate) fn texture_size(target: TexTarget, sides: &[u32]) -> Result<[u32; 3], String> {
    let layers = |sides: &str| format!("{sides}, followed by the number of layers");
    let array = target.is_array();
    let (sides, depth) = match sides.split_last() {
        Some((&last, sides)) if array => (sides, last),
        _ => (sides, if array { 4 } else { 1 }),
    };
    let wrong = |what: &str, list: &str| match array {
        true => Err(layers(&format!("an array of {what}s has the sides of one: {list}"))),
        false => Err(format!("a {what} has {list}")),
    };
    if target.is_cube() {
        let slices = depth.saturating_mul(6);
        return match sides {
            [] => Ok([128, 128, slices]),
            [width] => Ok([*width, *width, slices]),
            [width, height] if width == height => Ok([*width, *width, slices]),
            _ => wrong("cube", "one side, or two equal ones, of a face"),
        };
    }
    match (target.coordinates(), sides) {
        (1, []) => Ok([256, 1, depth]),
        (1, [width] | [width, 1]) => Ok([*width, 1, depth]),
        (1, _) => wrong("line", "one side, [width]"),
        (2, []) => Ok([256, 256, depth]),
        (2, [width, height]) => Ok([*width, *height, depth]),
        (2, _) => wrong("flat image", "two sides, [width, height]"),
        (_, []) => Ok([32; 3]),
        (_, [width, height, depth]) => Ok([*width, *height, *depth]),
        (_, _) => wrong("volume", "three sides, [width, height, depth]"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absurd_sizes_are_refused() {
        assert!(check_size(128, 128).is_none());
        assert!(check_size(4096, 4096).is_none());
        for (width, height) in [(0, 1), (1, 0), (MAX_SIDE + 1, 1), (MAX_SIDE, MAX_SIDE), (u32::MAX, u32::MAX)] {
            let diag = check_size(width, height).unwrap();
            assert_eq!(diag.code, "draw-size");
        }
    }

    #[test]
    fn default_attributes_follow_the_numbers_of_inputs() {
        let load = |name: &str, text: &str| crate::load(name, text.as_bytes(), &crate::LoadOptions::default());
        let values = |name: &str, text: &str, input: &str| {
            let loaded = load(name, text);
            let iface = &loaded.runnable().unwrap_or_else(|_| panic!("{:?}", loaded.diags)).func.iface;
            let at = iface.attrs.iter().position(|attr| attr.name == input).unwrap();
            default_attributes(iface, &CORNERS)[at].clone()
        };
        let tgsi = "FRAG\nDCL IN[0], COLOR, COLOR\nDCL IN[1], GENERIC[2], PERSPECTIVE\nDCL OUT[0], COLOR\n\
                    ADD OUT[0], IN[0], IN[1]\nEND\n";
        let nvfp = "!!FP1.0\nMOVR R0, f[COL0];\nADDR o[COLR], R0, f[TEX2];\nEND\n";
        assert_eq!(values("a.tgsi", tgsi, "IN[1]"), values("a.fp", nvfp, "f[TEX2]"));
        assert_eq!(values("a.tgsi", tgsi, "IN[0]"), values("a.fp", nvfp, "f[COL0]"));
        assert_eq!(values("a.attila", "mov o0, i2\n", "i2"), values("a.fp", nvfp, "f[TEX2]"));
        assert_ne!(values("a.tgsi", tgsi, "IN[0]"), values("a.tgsi", tgsi, "IN[1]"));
    }

    #[test]
    fn default_constants_are_the_nearest_binary32_numbers() {
        assert_eq!(default_constant(0).map(f32::from_bits), [0.1, 0.15, 0.2, 0.25]);
        assert_eq!(default_constant(7).map(f32::from_bits), [0.31, 0.36, 0.41, 0.46]);
    }
}
