//! Attributes of one quad as planes over the window: what they are wherever a shader has them evaluated.

use crate::interpolate::Plane;
use crate::lanes::LaneCase;
use crate::primitive::{Component, Primitive};
use crate::problem::invalid;
use crate::samples::offset;
use parallax_core::exec::{InterpolateAt, Interpolator, standard_positions};
use parallax_core::{AttrDecl, AttrSemantic, Interp, Location};
use parallax_lift::Spelling;
use parallax_text::{Diag, closest};

/// A value that varies linearly over the window, `fma(dady, y, fma(dadx, x, a0))` in binary32, as the patterns of a0, dadx
/// and dady. x and y count pixels from the upper left corner of the window.
pub type LanePlane = [u32; 3];

/// Attributes as planes. An attribute that is interpolated with perspective is the quotient of its plane and that of 1/w; a
/// flat one is a0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LanePlanes {
    /// 1/w; 1 everywhere when absent.
    pub inverse_w: Option<LanePlane>,
    /// Attributes by name, up to four components each; what is missing is 0.
    pub attributes: Vec<(String, Vec<LanePlane>)>,
}

/// Knows the attributes of a quad's lanes at all places.
pub(crate) struct LanePlaces<'a> {
    case: &'a LaneCase,
    primitive: Primitive,
    /// Where each component of each attribute stands in the primitive.
    places: Vec<Option<usize>>,
    positions: &'static [[i8; 2]],
}

impl<'a> LanePlaces<'a> {
    /// `is_set` tells the attributes whose values the case gives lane by lane.
    pub(crate) fn new(case: &'a LaneCase, attrs: &[AttrDecl], is_set: &[bool], diags: &mut Vec<Diag>) -> Self {
        let plane = |[a0, dadx, dady]: LanePlane| {
            let [a0, dadx, dady] = [a0, dadx, dady].map(f32::from_bits);
            Plane { a0, dadx, dady }
        };
        let inverse_w = plane(case.planes.inverse_w.unwrap_or([1f32.to_bits(), 0, 0]));
        let mut given = vec![None; attrs.len()];
        for (name, planes) in &case.planes.attributes {
            let wanted = Spelling::canonical(name);
            let mut found = false;
            for (index, attr) in attrs.iter().enumerate() {
                let is_interpolated = !matches!(attr.semantic, AttrSemantic::Preset | AttrSemantic::Position);
                if is_interpolated && Spelling::canonical(&attr.name) == wanted {
                    found = true;
                    if is_set[index] || given[index].is_some() {
                        let message = format!("`{name}` has both values and planes: give one of them");
                        diags.push(invalid("lanes-twice", message));
                    }
                    given[index] = Some(planes);
                }
            }
            if !found {
                let diag = invalid("lanes-plane", format!("the program does not interpolate `{name}`"));
                let near = closest(name, attrs.iter().map(|attr| attr.name.as_str()));
                diags.push(near.map_or(diag.clone(), |near| diag.with_help(format!("did you mean `{near}`?"))));
            }
            if planes.len() > 4 {
                let message = format!("`{name}` has at most 4 components, found {}", planes.len());
                diags.push(invalid("lanes-width", message));
            }
        }
        let (mut components, mut places) = (Vec::new(), vec![None; attrs.len() * 4]);
        for (index, attr) in attrs.iter().enumerate().filter(|(index, _)| !is_set[*index]) {
            for comp in 0..4 {
                let component = match (attr.semantic, comp, given[index]) {
                    (AttrSemantic::Position, 0, _) => Component::X,
                    (AttrSemantic::Position, 1, _) => Component::Y,
                    (AttrSemantic::Position, 3, _) => Component::Linear(inverse_w),
                    (_, _, Some(planes)) => {
                        let plane = plane(planes.get(comp).copied().unwrap_or_default());
                        match attr.interp {
                            Interp::Flat => Component::Flat(plane.a0.to_bits()),
                            Interp::Linear | Interp::OverW => Component::Linear(plane),
                            Interp::Perspective | Interp::Color => Component::Perspective { over_w: plane, first: 0.0 },
                        }
                    }
                    _ => continue,
                };
                places[index * 4 + comp] = Some(components.len());
                components.push(component);
            }
        }
        let primitive = Primitive::full(components, inverse_w);
        let positions = standard_positions(case.samples.count).unwrap_or_default();
        LanePlaces { case, primitive, places, positions }
    }

    /// A sample inside its pixel, from the upper left corner; the centre for a sample that the pixel does not have.
    fn of_sample(&self, sample: u32) -> [f32; 2] {
        self.positions.get(sample as usize).map_or([0.5; 2], |position| position.map(offset))
    }

    /// The centroid inside the pixel of a lane: the sample that is shaded, the centre of a pixel that is covered whole or not
    /// at all, else the first covered sample.
    fn centroid(&self, lane: usize) -> [f32; 2] {
        let samples = &self.case.samples;
        if samples.per_sample {
            return self.of_sample(samples.index[lane]);
        }
        let mask = if self.case.covered[lane] { samples.masks[lane] } else { 0 };
        let all = u32::MAX.checked_shr(32 - samples.count.min(32)).unwrap_or(0);
        if mask == 0 || mask == all { [0.5; 2] } else { self.of_sample(mask.trailing_zeros()) }
    }

    fn moved(&self, lane: usize, by: [f32; 2]) -> [f32; 2] {
        let step = [lane as u32 & 1, lane as u32 >> 1];
        std::array::from_fn(|axis| self.case.position[axis] as f32 + step[axis] as f32 + by[axis])
    }

    fn value(&self, attr: usize, comp: usize, [x, y]: [f32; 2]) -> Option<u32> {
        let place = (*self.places.get(attr * 4 + comp)?)?;
        Some(self.primitive.value_at(place, x, y))
    }

    /// Component `comp` of attribute `attr` in a lane where the shader declares it; `None` where no plane is known.
    pub(crate) fn declared(&self, attr: usize, comp: usize, location: Location, lane: usize) -> Option<u32> {
        let samples = &self.case.samples;
        let by = match location {
            Location::Sample if samples.per_sample => self.of_sample(samples.index[lane]),
            Location::Center | Location::Sample => [0.5; 2],
            Location::Centroid => self.centroid(lane),
        };
        self.value(attr, comp, self.moved(lane, by))
    }
}

impl Interpolator for LanePlaces<'_> {
    fn at(&self, attr: usize, comp: usize, lane: usize, place: InterpolateAt) -> Option<u32> {
        let at = match place {
            InterpolateAt::Sample(sample) => self.moved(lane, self.of_sample(sample)),
            InterpolateAt::Centroid => self.moved(lane, self.centroid(lane)),
            // One rounding, from the pixel centre in the window.
            InterpolateAt::Offset([x, y]) => {
                let centre = self.moved(lane, [0.5; 2]);
                [centre[0] + f32::from_bits(x), centre[1] + f32::from_bits(y)]
            }
        };
        self.value(attr, comp, at)
    }

    fn positions(&self) -> &[[i8; 2]] {
        self.positions
    }
}
