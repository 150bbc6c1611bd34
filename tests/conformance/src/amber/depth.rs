//! Depths of fragments: Vulkan's "Depth Bias", "Depth Bounds Test" and "Depth Test".

use super::buffer::Buffer;
use super::format::{Component, Scalar, Segment};
use super::script::{Depth, Viewport};
use parallax::{Frame, OutputRole};
use parallax_texture::Compare;

/// When fragments are compared.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Tests {
    /// After they are shaded, by the depth that they give.
    Late,
    /// Before, by the depth of the triangle.
    Early,
    /// Before by the one, after by the other.
    Both,
}

impl Tests {
    /// What a module says of the fragment shader with this name (`OpEntryPoint` and `OpExecutionMode`).
    pub(super) fn of(words: &[u32], name: &str) -> Tests {
        const ENTRY_POINT: u32 = 15;
        const EXECUTION_MODE: u32 = 16;
        const FRAGMENT: u32 = 4;
        let mut entry = None;
        let mut rest = words.get(5..).unwrap_or_default();
        while let [first, ..] = rest {
            let length = (first >> 16) as usize;
            let Some(instruction) = rest.get(..length).filter(|_| length > 0) else { break };
            match (first & 0xffff, instruction) {
                (ENTRY_POINT, [_, FRAGMENT, id, text @ ..]) => {
                    let bytes: Vec<u8> = text.iter().flat_map(|word| word.to_le_bytes()).collect();
                    if bytes.split(|byte| *byte == 0).next() == Some(name.as_bytes()) {
                        entry = Some(*id);
                    }
                }
                // EarlyFragmentTests and EarlyAndLateFragmentTestsAMD.
                (EXECUTION_MODE, [_, id, 9, ..]) if Some(*id) == entry => return Tests::Early,
                (EXECUTION_MODE, [_, id, 5017, ..]) if Some(*id) == entry => return Tests::Both,
                _ => {}
            }
            rest = &rest[length..];
        }
        Tests::Late
    }
}

/// A plane over the window.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) struct Plane {
    corner: f64,
    slope: [f64; 2],
}

impl Plane {
    /// The depths of a triangle; `None` where it reaches behind the eye, or has no area.
    pub(super) fn of(positions: [[f32; 4]; 3], viewport: Viewport) -> Option<Plane> {
        let mut points = [[0.0; 3]; 3];
        for (point, position) in points.iter_mut().zip(positions) {
            *point = window(position, viewport)?;
        }
        let [p, q, r] = points;
        let (a, b) = ([0, 1, 2].map(|n| q[n] - p[n]), [0, 1, 2].map(|n| r[n] - p[n]));
        let area = a[0] * b[1] - a[1] * b[0];
        let slope = [(a[2] * b[1] - b[2] * a[1]) / area, (b[2] * a[0] - a[2] * b[0]) / area];
        let corner = p[2] - slope[0] * p[0] - slope[1] * p[1];
        (area != 0.0).then_some(Plane { corner, slope })
    }

    fn at(self, x: f64, y: f64) -> f64 {
        self.corner + self.slope[0] * x + self.slope[1] * y
    }

    /// The same plane this far behind.
    pub(super) fn moved(self, by: f64) -> Plane {
        Plane { corner: self.corner + by, ..self }
    }
}

/// A position in the window; `None` behind the eye.
fn window([x, y, z, w]: [f32; 4], viewport: Viewport) -> Option<[f64; 3]> {
    let [x, y, z, w] = [x, y, z, w].map(f64::from);
    let Viewport { at, size, depths: [near, far] } = viewport;
    let across = |v: f64, n: usize| at[n] + (v / w * 0.5 + 0.5) * size[n];
    (w > 0.0).then(|| [across(x, 0), across(y, 1), near + (far - near) * (z / w)])
}

/// What is added to the depths of a polygon with these corners.
pub(super) fn bias(depth: &Depth, corners: [[f32; 4]; 3], viewport: Viewport, buffer: Option<&Buffer>) -> f64 {
    let [constant, most, slope] = depth.bias;
    let (Some(plane), true) = (Plane::of(corners, viewport), constant != 0.0 || slope != 0.0) else { return 0.0 };
    let depths = corners.iter().filter_map(|corner| window(*corner, viewport)).map(|[_, _, z]| z.abs());
    let unit = match buffer.and_then(segment).map(|segment| segment.scalar) {
        Some(Scalar::Unorm(bits)) => 0.5f64.powi(bits as i32),
        // The last place of the largest depth.
        _ => match depths.fold(0.0, f64::max) as f32 {
            0.0 => 0.0,
            largest => 2f64.powi((largest.to_bits() >> 23) as i32 - 127 - 23),
        },
    };
    let steepest = plane.slope[0].abs().max(plane.slope[1].abs());
    match constant * unit + slope * steepest {
        offset if most > 0.0 => offset.min(most),
        offset if most < 0.0 => offset.max(most),
        offset => offset,
    }
}

/// The component of depths of a buffer.
fn segment(buffer: &Buffer) -> Option<Segment> {
    buffer.format.segments.iter().copied().find(|segment| segment.component == Component::Depth)
}

/// How the fragments of a triangle are compared.
pub(super) struct DepthTest {
    pub(super) depth: Depth,
    pub(super) tests: Tests,
    /// The least and the largest depth of the viewport.
    pub(super) range: [f64; 2],
    /// Whether depths of floats may lie outside of 0 to 1.
    pub(super) is_unrestricted: bool,
}

impl DepthTest {
    /// Which pixels of a frame with one triangle pass; their depths are stored.
    pub(super) fn run(&self, frame: &Frame, plane: Plane, buffer: Option<&mut Buffer>) -> Vec<bool> {
        let mut passed = frame.covered.clone();
        // Without a buffer, everything passes.
        let Some((segment, buffer)) = buffer.and_then(|buffer| Some((segment(buffer)?, buffer))) else { return passed };
        let shaded = frame.channel(OutputRole::Depth, 2).map(|channel| channel.values());
        let width = frame.width as usize;
        for (pixel, passed) in passed.iter_mut().enumerate().filter(|(_, covered)| **covered) {
            let before = plane.at((pixel % width) as f64 + 0.5, (pixel / width) as f64 + 0.5);
            let after = shaded.as_ref().map_or(before, |shaded| shaded[pixel]);
            let (first, last) = match self.tests {
                Tests::Early => (before, before),
                Tests::Late => (after, after),
                Tests::Both => (before, after),
            };
            let element = pixel * buffer.format.size;
            let seen = |bits: u64| segment.scalar.normalised(Component::Depth, bits);
            let stored = seen(buffer.read(element, segment).unwrap_or(0));
            let is_inside = self.depth.bounds.is_none_or(|[least, most]| least <= stored && stored <= most);
            let compared = [first, last].map(|depth| self.stored(segment.scalar, depth));
            let holds = |bits: &u64| holds(self.depth.compare, seen(*bits), stored);
            *passed = is_inside && (!self.depth.test || compared.iter().all(holds));
            if *passed && self.depth.test && self.depth.write {
                buffer.write(element, segment, compared[1]);
            }
        }
        passed
    }

    /// A depth as the buffer holds it.
    fn stored(&self, scalar: Scalar, depth: f64) -> u64 {
        let [near, far] = self.range;
        let depth = if self.depth.clamp { depth.clamp(near.min(far), near.max(far)) } else { depth };
        let is_free = self.is_unrestricted && matches!(scalar, Scalar::Float(_));
        scalar.stored(Component::Depth, if is_free { depth } else { depth.clamp(0.0, 1.0) })
    }
}

fn holds(compare: Compare, fragment: f64, stored: f64) -> bool {
    match compare {
        Compare::Never => false,
        Compare::Less => fragment < stored,
        Compare::Equal => fragment == stored,
        Compare::LessEqual => fragment <= stored,
        Compare::Greater => fragment > stored,
        Compare::NotEqual => fragment != stored,
        Compare::GreaterEqual => fragment >= stored,
        Compare::Always => true,
    }
}

#[cfg(test)]
mod tests {
    use super::super::format::Format;
    use super::*;

    const VIEWPORT: Viewport = Viewport { at: [0.0; 2], size: [4.0, 4.0], depths: [0.0, 1.0] };
    /// Depths from 0.25 on the left to 0.75 on the right.
    const SLOPE: [[f32; 4]; 3] = [[-1.0, -1.0, 0.25, 1.0], [1.0, -1.0, 0.75, 1.0], [-1.0, 1.0, 0.25, 1.0]];

    fn buffer(format: &str) -> Buffer {
        let mut buffer = Buffer::new(Format::named(format, false).unwrap(), 0);
        buffer.resize([4, 1, 1]);
        buffer
    }

    #[test]
    fn planes_go_through_the_corners() {
        assert_eq!(Plane::of(SLOPE, VIEWPORT), Some(Plane { corner: 0.25, slope: [0.125, 0.0] }));
        let half = Viewport { depths: [0.5, 1.0], ..VIEWPORT };
        assert_eq!(Plane::of(SLOPE, half), Some(Plane { corner: 0.625, slope: [0.0625, 0.0] }));
        assert_eq!(Plane::of([[0.0, 0.0, 0.0, -1.0]; 3], VIEWPORT), None);
    }

    #[test]
    fn a_bias_counts_last_places_and_slopes() {
        let of = |bias: [f64; 3], format: &str| {
            super::bias(&Depth { bias, ..Depth::default() }, SLOPE, VIEWPORT, Some(&buffer(format)))
        };
        assert_eq!(of([2.0, 0.0, 0.0], "D16_UNORM"), 2f64.powi(-15));
        assert_eq!(of([1.0, 0.0, 0.0], "D24_UNORM_S8_UINT"), 2f64.powi(-24));
        // The largest depth, 0.75, has the exponent -1.
        assert_eq!(of([1.0, 0.0, 0.0], "D32_SFLOAT"), 2f64.powi(-24));
        assert_eq!([of([0.0, 0.0, 2.0], "D16_UNORM"), of([0.0, 0.125, 2.0], "D16_UNORM")], [0.25, 0.125]);
        assert_eq!(of([0.0, -0.125, -2.0], "D16_UNORM"), -0.125);
    }

    fn run(depth: Depth, format: &str, cleared: f64) -> (Vec<bool>, Vec<f64>) {
        let mut buffer = buffer(format);
        buffer.clear(0, |component| (component == Component::Depth).then_some(cleared));
        let test = DepthTest { depth, tests: Tests::Late, range: [0.0, 0.5], is_unrestricted: false };
        let frame = Frame { width: 4, height: 1, covered: vec![false, true, true, true], ..Frame::default() };
        let passed = test.run(&frame, Plane::of(SLOPE, VIEWPORT).unwrap(), Some(&mut buffer));
        let segment = buffer.format.segments[0];
        let read = |n: usize| segment.scalar.normalised(Component::Depth, buffer.read(n * 4, segment).unwrap());
        (passed, (0..4).map(read).collect())
    }

    #[test]
    fn fragments_are_compared_and_stored() {
        let depth = Depth { test: true, write: true, compare: Compare::Less, ..Depth::default() };
        let (passed, stored) = run(depth, "D32_SFLOAT", 0.5625);
        assert_eq!((passed, stored), (vec![false, true, false, false], vec![0.5625, 0.4375, 0.5625, 0.5625]));
        let (passed, stored) = run(Depth { clamp: true, compare: Compare::Always, ..depth }, "D32_SFLOAT", 1.0);
        assert_eq!((passed, stored), (vec![false, true, true, true], vec![1.0, 0.4375, 0.5, 0.5]));
        let (passed, stored) = run(Depth { bounds: Some([0.0, 0.5]), ..depth }, "D32_SFLOAT", 1.0);
        assert_eq!((passed, stored), (vec![false; 4], vec![1.0; 4]));
        assert_eq!(run(Depth { write: false, ..depth }, "D24_UNORM_S8_UINT", 1.0).1, [1.0; 4]);
    }

    #[test]
    fn modules_say_when_they_are_tested() {
        let text = |name: &str| u32::from_le_bytes([name.as_bytes()[0], 0, 0, 0]);
        let module = |mode: u32| {
            let entry = |id: u32, name: &str| [4 << 16 | 15, 4, id, text(name)];
            let head = vec![0; 5];
            [head, entry(7, "a").to_vec(), entry(8, "b").to_vec(), vec![3 << 16 | 16, 8, mode]].concat()
        };
        assert_eq!([9, 5017, 7].map(|mode| Tests::of(&module(mode), "b")), [Tests::Early, Tests::Both, Tests::Late]);
        assert_eq!(Tests::of(&module(9), "a"), Tests::Late);
        assert_eq!(Tests::of(&[0, 0, 0, 0, 0, 0], "a"), Tests::Late);
    }
}
