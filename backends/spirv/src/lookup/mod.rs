//! Texture lookups as the model has them: texels are fetched, and everything else is done by primitives of step form.
//!
//! The steps are those of `parallax-texture`: projection, layer and face ([`place`], [`cube`]), level of detail ([`level`]), texels along
//! each axis with their weights ([`grid`]), comparison and blends ([`filter`]). [`gallivm`] and [`swiftshader`] have what these units do
//! otherwise. What the sampler does
//! is written into the module; the size of the image and the number of its levels come from the image itself. The lookups of one kind
//! share a function ([`fetched`]).

mod cube;
mod fetched;
mod filter;
mod gallivm;
mod grid;
mod level;
mod place;
mod site;
mod swiftshader;
#[cfg(test)]
mod tests;
mod words;

pub(crate) use fetched::{Known, unknown};

use parallax_core::{TexMode, TexOp, TexTarget};
use parallax_num::{CubeEdges, TextureUnit};
use parallax_step::Id;
use parallax_texture::{Compare, Filter, Mip, Sampler, TexelFormat, Wrap};
use site::Site;

/// A texture unit whose lookups a module computes: what is written into the module.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Unit {
    /// What texels are.
    pub format: TexelFormat,
    /// Filter, wrapping, border, comparison.
    pub sampler: Sampler,
}

/// Who looks textures up.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Lookups<'a> {
    /// The device, with samplers.
    #[default]
    Native,
    /// The module, as the model does it: the units by number.
    Faithful(&'a [(u16, Unit)]),
}

/// What a module fetches from an image.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Fetched {
    /// Four normalised bytes, also where they are of sRGB: the module knows the curve.
    Unorm8,
    /// Four numbers of binary32.
    Binary32,
    /// Four words, as integers without sign.
    Words,
}

impl Unit {
    /// A unit of which nothing is known but that its texels are numbers.
    pub(crate) const PLAIN: Unit = Unit {
        format: TexelFormat::Rgba32F,
        sampler: Sampler {
            filter: Filter::Nearest,
            minify: None,
            mip: Mip::None,
            wrap: [Wrap::Clamp; 3],
            border: [0; 4],
            compare: Compare::Never,
        },
    };

    /// How many bits a depth has; 0 of what is no depth, or a number.
    const fn depth_bits(&self) -> u32 {
        match self.format {
            TexelFormat::Depth16 => 16,
            TexelFormat::Depth24 => 24,
            _ => 0,
        }
    }

    /// What the module fetches where lookups give numbers.
    pub const fn fetched(&self) -> Fetched {
        match self.format {
            TexelFormat::Rgba8 | TexelFormat::Srgb8 => Fetched::Unorm8,
            _ => Fetched::Binary32,
        }
    }
}

/// The shape of the image that a lookup of a shape fetches from: images of cubes and rectangles have no fetches.
pub const fn fetched_shape(target: TexTarget) -> TexTarget {
    use TexTarget::{
        Cube, CubeArray, D1, D1Array, D2, D2Array, D2Samples, D2SamplesArray, D3, Rect, Shadow1D, Shadow1DArray,
        Shadow2D, Shadow2DArray, ShadowCube, ShadowCubeArray, ShadowRect,
    };
    match target {
        D1 | Shadow1D => D1,
        D1Array | Shadow1DArray => D1Array,
        D2 | Rect | Shadow2D | ShadowRect => D2,
        D2Array | Cube | CubeArray | Shadow2DArray | ShadowCube | ShadowCubeArray => D2Array,
        D3 => D3,
        D2Samples => D2Samples,
        D2SamplesArray => D2SamplesArray,
    }
}

/// What a lookup is given, in each pixel.
#[derive(Copy, Clone)]
pub(crate) struct Given {
    /// s, t, r after the projection; integers for fetches.
    at: [Id; 3],
    /// s, t, r before it.
    unprojected: [Id; 3],
    /// The fourth operand: a level or a bias.
    fourth: Id,
    layer: Id,
    reference: Option<Id>,
    /// ds/dx, dt/dx, dr/dx, ds/dy, dt/dy, dr/dy.
    gradients: [Id; 6],
    least_level: Option<Id>,
    /// Computed offsets, in texels.
    moved: Option<[Id; 3]>,
}

impl Given {
    /// From the operands of a lookup.
    fn of(site: &mut dyn Site, op: &TexOp, args: &[Id]) -> Given {
        let zero = site.int(0);
        let operand = |number: Option<usize>| number.and_then(|number| args.get(number)).copied();
        let gradients = op.gradients().map_or([zero; 6], |first| std::array::from_fn(|n| args[first + n]));
        let moved = op.offsets().map(|first| [0, 1, 2].map(|n| site.nearest_integer(args[first + n])));
        let mut given = Given {
            at: std::array::from_fn(|n| args[n]),
            unprojected: std::array::from_fn(|n| args[n]),
            fourth: args[3],
            layer: operand(op.layer()).unwrap_or(zero),
            reference: operand(op.reference()),
            gradients,
            least_level: operand(op.least_level_operand()),
            moved,
        };
        if op.project {
            let count = op.target.coordinates();
            for number in given.at[..count].iter_mut().chain(&mut given.reference) {
                *number = site.fdiv(*number, given.fourth);
                if op.target.is_cube() {
                    // Its sign may choose a face.
                    *number = site.fixed_nan(*number);
                }
            }
        }
        given
    }
}

/// Red, green, blue and alpha of a lookup, as binary32 patterns.
pub(crate) fn lookup(site: &mut dyn Site, op: &TexOp, unit: &Unit, args: &[Id]) -> [Id; 4] {
    let given = Given::of(site, op, args);
    match op.mode {
        TexMode::Fetch => site.fetch_texel(op, unit, &given),
        TexMode::Detail => {
            let zero = site.int(0);
            let computed = site.level(op, unit, &given);
            let taken = site.level_taken(op, unit, computed);
            [taken, computed, zero, zero].map(|number| site.fixed_nan(number))
        }
        _ if op.bits => match op.mode.gathered() {
            Some(comp) => site.gathered_words(op, unit, &given, comp),
            None => site.filtered_words(op, unit, &given),
        },
        _ => match op.mode.gathered() {
            Some(comp) => site.gather(op, unit, &given, comp),
            None => site.filtered(op, unit, &given),
        },
    }
}

/// Why a lookup cannot be computed by a module yet.
pub(crate) fn refusal(op: &TexOp, unit: &Unit) -> Option<String> {
    let blends = [Some(unit.sampler.filter), unit.sampler.minify].contains(&Some(Filter::Linear));
    let is_crossing =
        op.target.is_cube() && op.rule.cube == CubeEdges::Seamless && op.mode.filters() && blends && !op.bits;
    let is_gather = op.mode.gathered().is_some();
    let has_corners = !op.bits && (is_gather || op.mode.filters() && blends);
    let has_offsets = op.offset != [0; 3] || op.moved;
    let why = match () {
        () if op.bits && unit.fetched() == Fetched::Unorm8 => "words of images of bytes",
        () if op.bits && op.target.is_cube() && op.rule.unit == TextureUnit::SwiftShader && is_gather => {
            "gathered words of cubes in the texture unit of SwiftShader"
        }
        () if op.rule.unit == TextureUnit::SwiftShader
            && op.target.is_cube()
            && has_corners
            && matches!(unit.format, TexelFormat::Rgb9E5 | TexelFormat::Stored(_)) =>
        {
            "corners of cubes in the texture unit of SwiftShader, of formats with shared exponents, small floats or words"
        }
        () if is_crossing && has_offsets && op.rule.unit == TextureUnit::None => {
            "texel offsets of cubes whose edges are blended (`texture_cube = \"seamless\"`)"
        }
        () => return None,
    };
    Some(format!("faithful lookups are not written yet for {why}"))
}
