//! A manifest and a shader's interface to a draw.

use super::tree::Number;
use super::{Attribute, Constant, Manifest, Place, Source, Texture, Which};
use crate::dispatch::kernel_size;
use crate::draw::{
    CORNERS, Draw, Geometry, check_samples, default_attributes, has_colour, is_supplied, no_colour, texture_size,
};
use crate::image_file::read_png;
use crate::merge::Merge;
use crate::problem::Problems;
use crate::render_target::unorm8;
use crate::run::fuel_of_budget;
use crate::vertex_stage::UNWRITTEN;
use parallax_core::{AttrDecl, AttrSemantic, ConstDecl, Interface, Stage, TexTarget};
use parallax_lift::{Input, InputNames};
use parallax_text::Diag;
use parallax_texture::{Image, Mip, TexelFormat, Unit};
use std::sync::Arc;

/// The words of a constant; components that are missing are 0, 0, 0, 1.
fn words(decl: &ConstDecl, numbers: &[Number]) -> Result<Vec<u32>, String> {
    let mut words = Vec::new();
    for comp in 0..usize::from(decl.count) {
        let missing = Number::whole(u32::from(comp == 3));
        let number = numbers.get(comp).copied().unwrap_or(missing);
        let word = number.as_type(decl.ty).map_err(|wanted| format!("`{}` holds {wanted}", decl.name))?;
        words.push(word as u32);
        if decl.ty.bits() == 64 {
            words.push((word >> 32) as u32);
        }
    }
    Ok(words)
}

/// Most bytes the textures of a draw take, without their smaller levels.
pub(super) const MAX_TEXTURE_BYTES: u64 = 2 << 30;

impl Draw {
    /// The draw a manifest asks for; what it leaves out has the defaults of [`Draw::defaults`].
    ///
    /// # Errors
    /// All that does not fit the shader, in places of the manifest; texture files that cannot be read.
    pub fn new(iface: &Interface, manifest: &Manifest) -> Result<Draw, Problems> {
        let problems = |diags| Problems::new(&manifest.name, &manifest.text, diags);
        let mut draw = Draw::defaults(iface).map_err(|found| problems(found.diags))?;
        let mut diags = Vec::new();
        if let Some((stage, span)) = manifest.stage.filter(|(stage, _)| *stage != iface.stage) {
            let message = format!("the manifest is for a {stage:?} shader, the program is a {:?} shader", iface.stage);
            diags.push(Diag::invalid("manifest-stage", span, message.to_lowercase()));
        }
        (draw.width, draw.height) = manifest.size.unwrap_or((draw.width, draw.height));
        draw.flat_shade = manifest.flat_shade;
        if let Some((samples, span)) = &manifest.samples {
            draw.samples = samples.clone();
            if let Some(diag) = check_samples(draw.width, draw.height, samples.count()) {
                diags.push(Diag { span: Some(*span), ..diag });
            }
        }
        draw.targets.every = manifest.target;
        draw.targets.depth = manifest.depth_target;
        draw.merge = Merge { blend: manifest.blend, alpha_test: manifest.alpha_test };
        for &(number, target, span) in &manifest.targets {
            if !has_colour(iface, number) {
                diags.push(Diag::invalid("manifest-target", span, no_colour(iface, number)));
            }
            draw.targets.by_output.insert(number, target);
        }
        if let Some(positions) = &manifest.triangles {
            // Defaults are laid over the window as for a quad.
            let places: Vec<[f32; 2]> =
                positions.iter().map(|p| [0.5 + 0.5 * p[0] / p[3], 0.5 - 0.5 * p[1] / p[3]]).collect();
            draw.attributes = default_attributes(iface, &places);
            draw.geometry = Geometry::Triangles(positions.clone());
        }
        if let Some(places) = &manifest.places {
            draw.attributes = default_attributes(iface, places);
        }
        if let Some(vertex) = &manifest.vertex {
            let mut fail = |message: &str| diags.push(Diag::invalid("manifest-vertex", vertex.span, message));
            if iface.stage != Stage::Fragment {
                fail("a vertex program stands in front of a fragment program only");
            } else if !manifest.attributes.is_empty() || manifest.triangles.is_some() {
                fail("the vertex program decides positions and attributes: give its own under [vertex]");
            } else {
                draw.vertex = Some(manifest.vertex_stage(vertex)?);
                draw.geometry = Geometry::Triangles(Vec::new());
                draw.attributes = vec![Vec::new(); iface.attrs.len()];
            }
        }
        manifest.attributes(iface, &mut draw, &mut diags);
        manifest.set_constants(iface, &mut draw, &mut diags);
        let mut bytes = 0;
        for texture in &manifest.textures {
            // One manifest may serve several shaders: what this one does not sample is not made.
            let unit = texture.unit(iface, &mut diags);
            let Some(decl) = iface.textures.iter().find(|t| Some(t.unit) == unit) else { continue };
            match manifest.unit(texture, decl.target, &mut bytes) {
                Ok(made) => draw.textures.set(decl.unit, made),
                Err(diag) => diags.push(*diag),
            }
        }
        manifest.set_memory(iface, &mut draw, &mut bytes, &mut diags);
        // One manifest may serve programs that have no parameters.
        let params = if crate::params(iface).is_empty() { &[][..] } else { &manifest.params };
        for (number, text, span) in params {
            if let Err(message) = crate::set_param(&mut draw, iface, *number, text, &manifest.folder) {
                diags.push(Diag::invalid("manifest-param", *span, message));
            }
        }
        if let Some(budget) = manifest.budget {
            draw.fuel = fuel_of_budget(budget.into());
        }
        match (iface.stage, manifest.grid) {
            (Stage::Compute, grid) => {
                draw.grid = grid.map_or(draw.grid, |(grid, _)| grid);
                (draw.width, draw.height) = kernel_size(iface, &draw.buffers);
            }
            (_, Some((_, span))) => {
                diags.push(Diag::invalid("manifest-dispatch", span, "`dispatch` is for compute shaders"));
            }
            _ => {}
        }
        if diags.is_empty() { Ok(draw) } else { Err(problems(diags)) }
    }
}

impl Manifest {
    fn attributes(&self, iface: &Interface, draw: &mut Draw, diags: &mut Vec<Diag>) {
        let vertices = match &draw.geometry {
            Geometry::Quad => CORNERS.len(),
            Geometry::Triangles(positions) => positions.len(),
        };
        let is_vertex = iface.stage == parallax_core::Stage::Vertex;
        let mut given = vec![false; iface.attrs.len()];
        for attribute in &self.attributes {
            let index = match find(iface, attribute) {
                Ok(index) => index,
                Err(diag) => {
                    diags.push(*diag);
                    continue;
                }
            };
            let all = declarations(iface, index);
            let name = &iface.attrs[index].name;
            let mut fail = |message: String| diags.push(Diag::invalid("manifest-attribute", attribute.span, message));
            if all.iter().any(|&index| std::mem::replace(&mut given[index], true)) {
                fail(format!("attribute {index} ({name}) is given twice"));
            } else if !is_vertex && attribute.corners != matches!(draw.geometry, Geometry::Quad) {
                let need = if attribute.corners { "triangles need `values`" } else { "a quad needs `corners`" };
                fail(format!("{need}, one per vertex"));
            } else if !is_vertex && attribute.values.len() != vertices {
                fail(format!("{} values for {vertices} vertices", attribute.values.len()));
            } else {
                all.iter().for_each(|&index| draw.attributes[index].clone_from(&attribute.values));
            }
        }
        if is_vertex {
            self.spread_over_vertices(&given, draw);
        }
    }

    /// One value is that of every vertex. What is not given has its default at the corners of a quad or the places of a grid, else
    /// (0, 0, 0, 1).
    fn spread_over_vertices(&self, given: &[bool], draw: &mut Draw) {
        let lengths = draw.attributes.iter().zip(given).filter(|(_, given)| **given).map(|(values, _)| values.len());
        let default = self.places.as_ref().map_or(CORNERS.len(), Vec::len);
        let count = lengths.max().filter(|count| *count > 1).unwrap_or(default);
        for (values, &given) in draw.attributes.iter_mut().zip(given).filter(|(values, _)| !values.is_empty()) {
            if values.len() == 1 {
                *values = vec![values[0]; count];
            } else if !given && values.len() != count {
                *values = vec![UNWRITTEN; count];
            }
        }
    }

    /// Constants a shader does not declare are left out: one manifest may serve several shaders.
    fn set_constants(&self, iface: &Interface, draw: &mut Draw, diags: &mut Vec<Diag>) {
        let names = InputNames::of(iface);
        for Constant { place, span } in &self.constants {
            match place {
                Place::Bank { bank, index, words } => {
                    let bank = draw.banks.get_mut(*bank as usize);
                    if let Some(vector) = bank.and_then(|bank| bank.get_mut(*index as usize)) {
                        *vector = *words;
                    }
                }
                Place::Named { name, numbers } => {
                    let Some(Input::Constant { bank, vector, comp }) = names.find(name) else { continue };
                    let place = (bank, vector, comp);
                    let is_it = |c: &&ConstDecl| (usize::from(c.bank), c.index as usize, usize::from(c.comp)) == place;
                    // Words that are named by their byte addresses have no type.
                    let unnamed = ConstDecl {
                        comp: comp as u8,
                        ..ConstDecl::new(name.clone(), bank as u16, vector as u32, None)
                    };
                    let decl = iface.constants.iter().find(is_it).unwrap_or(&unnamed);
                    match words(decl, numbers) {
                        Ok(words) => decl.set(&mut draw.banks[bank], words),
                        Err(message) => diags.push(Diag::invalid("manifest-constant", *span, message)),
                    }
                }
            }
        }
    }

    /// Makes a texture. `bytes` is what the textures take so far.
    fn unit(&self, texture: &Texture, target: TexTarget, bytes: &mut u64) -> Result<Unit, Box<Diag>> {
        let mut room = |[width, height, depth]: [u32; 3]| {
            let texel = match texture.format {
                TexelFormat::Rgba8 | TexelFormat::Srgb8 => 4,
                _ => 16,
            };
            *bytes = bytes.saturating_add(u64::from(width) * u64::from(height) * u64::from(depth) * texel);
            let fits = *bytes <= MAX_TEXTURE_BYTES;
            if fits { Ok(()) } else { Err(format!("the textures take more than {MAX_TEXTURE_BYTES} bytes in total")) }
        };
        let image = match &texture.source {
            Source::Pattern { pattern, size } => {
                let span = size.as_ref().map_or(texture.span, |(_, span)| *span);
                let sides = size.as_ref().map_or(&[][..], |(sides, _)| sides);
                texture_size(target, sides)
                    .and_then(|size| room(size).map(|()| size))
                    .and_then(|size| pattern.draw_volume(size, texture.format).map_err(|e| e.to_string()))
                    .map_err(|e| Diag::invalid("manifest-texture-size", span, e))?
            }
            Source::Texels { texels, size: (sides, at), span } => {
                let size = texture_size(target, sides)
                    .and_then(|size| room(size).map(|()| size))
                    .map_err(|e| Diag::invalid("manifest-texture-size", *at, e))?;
                let count = size.iter().map(|&side| u64::from(side)).product::<u64>();
                if texels.len() as u64 != count {
                    let message = format!("{} texels: a texture of this size has {count}", texels.len());
                    return Err(Box::new(Diag::invalid("manifest-texture-size", *span, message)));
                }
                let made = match texture.format {
                    rounded @ (TexelFormat::Rgba32F
                    | TexelFormat::Depth16
                    | TexelFormat::Depth24
                    | TexelFormat::Rgb565
                    | TexelFormat::Rgb9E5
                    | TexelFormat::Stored(_)) => Image::rounded_volume(size, rounded, texels.clone()),
                    TexelFormat::Rgba8 | TexelFormat::Srgb8 => {
                        let byte = |word: u32| unorm8(f64::from(f32::from_bits(word)));
                        let bytes = texels.iter().map(|texel| texel.map(byte)).collect();
                        match texture.format {
                            TexelFormat::Srgb8 => Image::srgb8_volume(size, bytes),
                            _ => Image::rgba8_volume(size, bytes),
                        }
                    }
                };
                made.map_err(|e| Diag::invalid("manifest-texture-size", *span, e.to_string()))?
            }
            Source::File { path, span } => {
                let full = self.folder.join(path);
                read_png(&full, texture.format, target, texture.layers, &mut room)
                    .map_err(|e| Diag::invalid("manifest-texture-file", *span, format!("{}: {e}", full.display())))?
            }
        };
        let slices = target.is_cube() || target.is_array();
        let image = if texture.sampler.mip == Mip::None { image } else { image.with_mipmaps(slices) };
        Ok(Unit::Image { image: Arc::new(image), sampler: texture.sampler })
    }
}

/// The attribute a manifest entry names.
fn find(iface: &Interface, attribute: &Attribute) -> Result<usize, Box<Diag>> {
    let found = position(iface, &attribute.which);
    let fail = |message: String| Err(Box::new(Diag::invalid("manifest-attribute", attribute.span, message)));
    match found {
        Some(index) if is_supplied(iface.attrs[index].semantic) => Ok(index),
        Some(index) => fail(format!("attribute {index} ({}) comes from the geometry", iface.attrs[index].name)),
        None => {
            let name = match &attribute.which {
                Which::Index(index) => format!("number {index}"),
                Which::Name(name) => format!("`{name}`"),
            };
            let known: Vec<String> = iface.attrs.iter().enumerate().map(|(n, a)| format!("{n} ({})", a.name)).collect();
            let known = if known.is_empty() { "none".to_string() } else { known.join(", ") };
            fail(format!("the shader has no attribute {name}; it has {known}"))
        }
    }
}

/// All declarations of the input that `index` declares: a shader may interpolate one in several ways.
fn declarations(iface: &Interface, index: usize) -> Vec<usize> {
    let of = &iface.attrs[index];
    let is_same = |attr: &AttrDecl| attr.semantic == of.semantic && attr.name == of.name;
    (0..iface.attrs.len()).filter(|&n| n == index || is_same(&iface.attrs[n])).collect()
}

/// The attribute that a word or a number of an entry names.
pub(super) fn position(iface: &Interface, which: &Which) -> Option<usize> {
    match which {
        Which::Index(index) => Some(*index as usize).filter(|&index| index < iface.attrs.len()),
        Which::Name(name) => iface.attrs.iter().position(|attr| attr.name == *name || semantic_is(attr, name)),
    }
}

/// Whether a manifest's word names this semantic: `GENERIC[0]`, `COLOR`, `TEXCOORD[1]`, `FOG`, `PCOORD`.
fn semantic_is(attr: &AttrDecl, name: &str) -> bool {
    let (word, number) = match name.split_once('[') {
        Some((word, rest)) => (word, rest.strip_suffix(']').and_then(|n| n.parse::<u16>().ok())),
        None => (name, Some(0)),
    };
    let wanted = match attr.semantic {
        AttrSemantic::Color(n) => ("COLOR", n),
        AttrSemantic::TexCoord(n) => ("TEXCOORD", n),
        AttrSemantic::Generic(n) => ("GENERIC", n),
        AttrSemantic::Fog => ("FOG", 0),
        AttrSemantic::PointCoord => ("PCOORD", 0),
        AttrSemantic::Position => ("POSITION", 0),
        AttrSemantic::Face => ("FACE", 0),
        AttrSemantic::Preset => return false,
    };
    word.eq_ignore_ascii_case(wanted.0) && number == Some(wanted.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn textures_have_a_limit_together() {
        let manifest =
            Manifest::parse("m.toml", "[[textures]]\nunit = 0\nsource = \"checker\"\nsize = [4, 4]").unwrap();
        let unit = |mut bytes| manifest.unit(&manifest.textures[0], TexTarget::D2, &mut bytes).map(|_| bytes);
        assert_eq!(unit(0).unwrap(), 4 * 4 * 4);
        assert!(unit(MAX_TEXTURE_BYTES - 64).is_ok());
        let problem = unit(MAX_TEXTURE_BYTES - 63).unwrap_err();
        assert_eq!(problem.code, "manifest-texture-size");
        assert!(problem.message.contains("take more than"), "{}", problem.message);
    }
}
