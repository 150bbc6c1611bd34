//! Triangles to covered quads, in integers.
//!
//! Vertices are clipped in binary64, transformed to the window and snapped to 1/256 pixel, or to the coarser grid of a model. From there on coverage is
//! exact: edge functions in 64-bit integers at the samples of the pixels, which lie on that grid; samples on an edge belong to
//! the triangle whose top or left edge it is. Window y points down.

use crate::draw::Depths;
use crate::interpolate::Plane;
use parallax_core::num::{Grid, Round};

/// Fixed-point steps per pixel.
const STEPS: i64 = 256;

/// A vertex in clip space with the weights that give its attributes from those of the original three.
#[derive(Copy, Clone, Debug)]
struct Vertex {
    clip: [f64; 4],
    weights: [f64; 3],
}

/// A triangle in the window.
#[derive(Clone, Debug)]
pub(crate) struct Triangle {
    /// Snapped window coordinates in 1/256 pixel.
    points: [[i64; 2]; 3],
    /// Edges in an order that makes the inside positive: `a * x + b * y + c >= 0` at (x, y) in 1/256 pixel.
    edges: [[i64; 3]; 3],
    /// z of the window, 0 to 1, at each point.
    depths: [f64; 3],
    /// 1/w at each point.
    inverse_w: [f64; 3],
    weights: [[f64; 3]; 3],
    /// Counter-clockwise in clip space.
    pub(crate) front: bool,
    /// First and one past the last column and row that may be covered.
    pub(crate) columns: [u32; 2],
    pub(crate) rows: [u32; 2],
}

/// Where triangles are drawn.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Window {
    pub(crate) depths: Depths,
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// Places that vertices are rounded to, in pixels: at most 8 bits of fraction.
    pub(crate) grid: Grid,
}

impl Window {
    /// A coordinate in pixels as one in steps.
    fn snapped(&self, v: f64) -> i64 {
        let Grid::Fixed { bits, round } = self.grid else { return (v * STEPS as f64).round_ties_even() as i64 };
        let scaled = v * f64::from(1u32 << bits);
        let rounded = match round {
            Round::NearestEven => scaled.round_ties_even(),
            Round::NearestAway => scaled.round(),
            Round::Zero => scaled.trunc(),
            Round::Up => scaled.ceil(),
            Round::Down => scaled.floor(),
            Round::Away => {
                if scaled < 0.0 {
                    scaled.floor()
                } else {
                    scaled.ceil()
                }
            }
        };
        rounded as i64 * (STEPS >> bits)
    }
}

/// Clips one triangle and makes window triangles of what is left; usually one, none if nothing is left.
pub(crate) fn triangles(clip: [[f32; 4]; 3], window: Window) -> Vec<Triangle> {
    let range = window.depths;
    let mut polygon: Vec<Vertex> = clip
        .iter()
        .enumerate()
        .map(|(n, v)| {
            let mut weights = [0.0; 3];
            weights[n] = 1.0;
            Vertex { clip: v.map(f64::from), weights }
        })
        .collect();
    if polygon.iter().flat_map(|v| v.clip).any(|c| !c.is_finite()) {
        return Vec::new();
    }
    // A w that can be divided by, near and far, and a guard band that keeps window coordinates small.
    const GUARD: f64 = 4.0;
    let planes: [fn(&[f64; 4]) -> f64; 7] = [
        |v| v[3] - 1e-6,
        if range.clips { |v| v[2] + v[3] } else { |_| 1.0 },
        if range.clips { |v| v[3] - v[2] } else { |_| 1.0 },
        |v| v[0] + GUARD * v[3],
        |v| GUARD * v[3] - v[0],
        |v| v[1] + GUARD * v[3],
        |v| GUARD * v[3] - v[1],
    ];
    for plane in planes {
        polygon = clipped(&polygon, plane);
    }
    (2..polygon.len()).filter_map(|n| Triangle::new([polygon[0], polygon[n - 1], polygon[n]], window)).collect()
}

fn clipped(polygon: &[Vertex], plane: fn(&[f64; 4]) -> f64) -> Vec<Vertex> {
    let mut out = Vec::with_capacity(polygon.len() + 1);
    for (n, to) in polygon.iter().enumerate() {
        let from = &polygon[(n + polygon.len() - 1) % polygon.len()];
        let (a, b) = (plane(&from.clip), plane(&to.clip));
        if (a >= 0.0) != (b >= 0.0) {
            // Always from the inside out, so that two triangles that share an edge cut it at the same point.
            let (inside, outside, t) = if a >= 0.0 { (from, to, a / (a - b)) } else { (to, from, b / (b - a)) };
            out.push(Vertex {
                clip: std::array::from_fn(|c| inside.clip[c] + t * (outside.clip[c] - inside.clip[c])),
                weights: std::array::from_fn(|c| inside.weights[c] + t * (outside.weights[c] - inside.weights[c])),
            });
        }
        if b >= 0.0 {
            out.push(*to);
        }
    }
    out
}

impl Triangle {
    fn new(vertices: [Vertex; 3], window: Window) -> Option<Triangle> {
        let Window { depths: range, width, height, .. } = window;
        let mut points = [[0i64; 2]; 3];
        let mut depths = [0.0; 3];
        let mut inverse_w = [0.0; 3];
        for (n, vertex) in vertices.iter().enumerate() {
            let [x, y, z, w] = vertex.clip;
            inverse_w[n] = 1.0 / w;
            depths[n] = range.near + (range.far - range.near) * (z / w * 0.5 + 0.5);
            let place = [(x / w * 0.5 + 0.5) * f64::from(width), (0.5 - y / w * 0.5) * f64::from(height)];
            points[n] = place.map(|v| window.snapped(v));
        }
        let [p, q, r] = points;
        let area = (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
        if area == 0 {
            return None;
        }
        // With y down, a positive area is clockwise to the eye.
        let ring = if area > 0 { [p, q, r] } else { [p, r, q] };
        let edges = std::array::from_fn(|n| {
            let (from, to) = (ring[n], ring[(n + 1) % 3]);
            let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
            let top_left = dy < 0 || dy == 0 && dx > 0;
            [-dy, dx, dy * from[0] - dx * from[1] - i64::from(!top_left)]
        });
        let range = |axis: usize, size: u32| {
            let low = points.iter().map(|p| p[axis]).min().unwrap_or(0).div_euclid(STEPS);
            let high = points.iter().map(|p| p[axis]).max().unwrap_or(0).div_euclid(STEPS) + 1;
            [low.clamp(0, i64::from(size)) as u32, high.clamp(0, i64::from(size)) as u32]
        };
        let weights = vertices.map(|v| v.weights);
        let (columns, rows) = (range(0, width), range(1, height));
        let triangle = Triangle { points, edges, depths, inverse_w, weights, front: area < 0, columns, rows };
        (columns[0] < columns[1] && rows[0] < rows[1]).then_some(triangle)
    }

    /// The edge functions at samples of the pixel (0, 0), given in 1/16 pixel from its centre.
    fn at_samples(&self, positions: &[[i8; 2]]) -> Vec<[i64; 3]> {
        let at = |step: i8| STEPS / 2 + i64::from(step) * (STEPS / 16);
        positions.iter().map(|&[x, y]| self.edges.map(|[a, b, c]| a * at(x) + b * at(y) + c)).collect()
    }

    /// Samples of pixel (x, y) that are inside, a bit each.
    fn mask(&self, x: u32, y: u32, at_samples: &[[i64; 3]]) -> u32 {
        let (x, y) = (i64::from(x) * STEPS, i64::from(y) * STEPS);
        let moved = self.edges.map(|[a, b, _]| a * x + b * y);
        let inside = |at: &[i64; 3]| at.iter().zip(moved).all(|(at, moved)| at + moved >= 0);
        at_samples.iter().enumerate().fold(0, |mask, (n, at)| mask | u32::from(inside(at)) << n)
    }

    /// Calls back for every quad of rows `top..bottom` (`top` even) with a covered sample: its left column, its top row,
    /// covered samples by lane. Left to right, top to bottom.
    pub(crate) fn quads(
        &self,
        top: u32,
        bottom: u32,
        limit: [u32; 2],
        positions: &[[i8; 2]],
        mut emit: impl FnMut(u32, u32, [u32; 4]),
    ) {
        let at_samples = self.at_samples(positions);
        let first = self.rows[0].max(top) & !1;
        for y in (first..self.rows[1].min(bottom)).step_by(2) {
            for x in (self.columns[0] & !1..self.columns[1]).step_by(2) {
                let masks = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(dx, dy)| {
                    let shown = x + dx < limit[0] && y + dy < limit[1] && y + dy < bottom;
                    if shown { self.mask(x + dx, y + dy, &at_samples) } else { 0 }
                });
                if masks != [0; 4] {
                    emit(x, y, masks);
                }
            }
        }
    }

    /// Window depth as a plane.
    pub(crate) fn depth(&self) -> Plane {
        self.plane(self.depths)
    }

    /// 1/w as a plane.
    pub(crate) fn inverse_w(&self) -> Plane {
        self.plane(self.inverse_w)
    }

    /// Whether dividing by the interpolated 1/w changes nothing.
    pub(crate) fn is_flat_on(&self) -> bool {
        self.inverse_w == [1.0; 3]
    }

    /// An attribute component, given at the original vertices, as a plane; with `perspective` that of value/w.
    pub(crate) fn attribute(&self, values: [f32; 3], perspective: bool) -> Plane {
        let values = values.map(f64::from);
        let at: [f64; 3] = std::array::from_fn(|n| {
            let [a, b, c] = self.weights[n];
            let value = match (a, b, c) {
                // An uncut vertex keeps its value, whatever it is.
                (1.0, 0.0, 0.0) => values[0],
                (0.0, 1.0, 0.0) => values[1],
                (0.0, 0.0, 1.0) => values[2],
                _ => a * values[0] + b * values[1] + c * values[2],
            };
            if perspective { value * self.inverse_w[n] } else { value }
        });
        self.plane(at)
    }

    /// The plane through three values; computed in binary64, its coefficients rounded to binary32.
    fn plane(&self, [p, q, r]: [f64; 3]) -> Plane {
        let [a, b, c] = self.points.map(|point| point.map(|v| v as f64 / STEPS as f64));
        let area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        let dadx = ((q - p) * (c[1] - a[1]) - (r - p) * (b[1] - a[1])) / area;
        let dady = ((r - p) * (b[0] - a[0]) - (q - p) * (c[0] - a[0])) / area;
        Plane { a0: (p - dadx * a[0] - dady * a[1]) as f32, dadx: dadx as f32, dady: dady as f32 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parallax_core::num::FixedFunctions;
    use proptest::prelude::*;

    fn triangles(clip: [[f32; 4]; 3], width: u32, height: u32) -> Vec<Triangle> {
        let grid = FixedFunctions::IEEE.raster.grid;
        super::triangles(clip, Window { depths: Depths::default(), width, height, grid })
    }

    fn coverage(triangles: &[Triangle], width: u32, height: u32) -> Vec<u32> {
        let mut count = vec![0; (width * height) as usize];
        for triangle in triangles {
            triangle.quads(0, height, [width, height], &[[0, 0]], |x, y, masks| {
                for (lane, mask) in masks.into_iter().enumerate() {
                    if mask != 0 {
                        count[((y + lane as u32 / 2) * width + x + lane as u32 % 2) as usize] += 1;
                    }
                }
            });
        }
        count
    }

    const CORNERS: [[f32; 4]; 4] =
        [[-1.0, 1.0, 0.0, 1.0], [1.0, 1.0, 0.0, 1.0], [-1.0, -1.0, 0.0, 1.0], [1.0, -1.0, 0.0, 1.0]];

    #[test]
    fn two_triangles_cover_the_viewport_once() {
        for (width, height) in [(8, 8), (7, 5), (1, 1), (3, 16)] {
            let [a, b, c, d] = CORNERS;
            let mut all = triangles([a, b, c], width, height);
            all.extend(triangles([c, b, d], width, height));
            assert_eq!(coverage(&all, width, height), vec![1; (width * height) as usize], "{width}x{height}");
            assert!(all.iter().all(|t| !t.front));
        }
    }

    #[test]
    fn facing_follows_the_winding_seen_with_y_up() {
        let [a, b, c, _] = CORNERS;
        assert!(!triangles([a, b, c], 4, 4)[0].front);
        assert!(triangles([a, c, b], 4, 4)[0].front);
    }

    #[test]
    fn what_lies_behind_or_outside_is_cut_away() {
        let [a, b, c, _] = CORNERS;
        assert!(triangles([a, b, [0.0, 0.0, 0.0, -1.0]], 4, 4).iter().all(|t| t.inverse_w.iter().all(|w| *w > 0.0)));
        assert!(triangles([a.map(|v: f32| -v), b.map(|v| -v), c.map(|v| -v)], 4, 4).is_empty());
        assert!(triangles([a, b, [f32::NAN; 4]], 4, 4).is_empty());
        let far = [0.0, 0.0, 5.0, 1.0];
        assert!(triangles([far, far, far], 4, 4).is_empty());
        // A triangle far larger than the guard band still covers everything.
        let huge = [[-1e6, 1e6, 0.0, 1.0], [1e6, 1e6, 0.0, 1.0], [0.0, -1e6, 0.0, 1.0]];
        assert_eq!(coverage(&triangles(huge, 4, 4), 4, 4), vec![1; 16]);
    }

    #[test]
    fn depths_lie_in_their_range_and_beyond_it_where_nothing_is_cut() {
        let [a, b, c] = [CORNERS[0], CORNERS[1], CORNERS[2]].map(|[x, y, _, w]| [x, y, 3.0, w]);
        assert!(triangles([a, b, c], 4, 4).is_empty());
        let depths = Depths { near: 0.25, far: 0.75, clips: false };
        let window = Window { depths, width: 4, height: 4, grid: FixedFunctions::IEEE.raster.grid };
        let found = super::triangles([a, b, c], window);
        assert_eq!(found[0].depth(), Plane { a0: 1.25, dadx: 0.0, dady: 0.0 });
    }

    #[test]
    fn planes_go_through_the_vertices() {
        let [a, b, c, _] = CORNERS;
        let triangle = &triangles([a, b, c], 8, 4)[0];
        let plane = triangle.attribute([1.0, 9.0, 5.0], false);
        assert_eq!(plane, Plane { a0: 1.0, dadx: 1.0, dady: 1.0 });
        assert!(triangle.is_flat_on());
        assert_eq!(triangle.depth(), Plane { a0: 0.5, dadx: 0.0, dady: 0.0 });
    }

    proptest! {
        /// A fan around an inner point covers what the outline covers, no pixel twice.
        #[test]
        fn shared_edges_are_covered_once(x in -0.9f32..0.9, y in -0.9f32..0.9) {
            let middle = [x, y, 0.0, 1.0];
            let [a, b, c, d] = CORNERS;
            let all: Vec<Triangle> = [[a, b, middle], [b, d, middle], [d, c, middle], [c, a, middle]]
                .into_iter()
                .flat_map(|t| triangles(t, 33, 17))
                .collect();
            prop_assert_eq!(coverage(&all, 33, 17), vec![1; 33 * 17]);
        }
    }

    /// Vertices on coarser grids, by whole numbers: the same pixels as a triangle whose vertices were there before.
    #[test]
    fn vertices_are_rounded_to_the_grid() {
        for (bits, round) in [(4u8, Round::Zero), (4, Round::NearestEven), (6, Round::NearestEven), (1, Round::Down)] {
            let window = Window { depths: Depths::default(), width: 16, height: 16, grid: Grid::Fixed { bits, round } };
            for n in 0..4096i64 {
                // 1/256 of a pixel is a sum of exact steps.
                let v = n as f64 / 256.0;
                let step = 256 >> bits;
                let (below, rest) = (n / step, n % step);
                let whole = match round {
                    Round::NearestEven => below + i64::from(2 * rest > step || 2 * rest == step && below % 2 == 1),
                    _ => below,
                };
                assert_eq!(window.snapped(v), whole * step, "{v} on {bits} {round:?}");
            }
        }
        // NV2A: 9/16 of a pixel is the first place that moves an edge past the centre of a pixel.
        let grid = Grid::Fixed { bits: 4, round: Round::Zero };
        let window = Window { depths: Depths::default(), width: 16, height: 16, grid };
        let covers = |left: f64| {
            let x = (left / 8.0 - 1.0) as f32;
            let found = super::triangles([[x, 1.0, 0.0, 1.0], [x, -9.0, 0.0, 1.0], [9.0, 1.0, 0.0, 1.0]], window);
            coverage(&found, 16, 16)[16] != 0
        };
        assert!(covers(0.5) && covers(0.5 + 15.0 / 256.0) && !covers(9.0 / 16.0));
    }
}
