//! Draws to primitives: what every attribute component is at every pixel.

use crate::draw::{Depths, Draw, Geometry};
use crate::interpolate::{Plane, quads, rows_of_quads, settled};
use crate::perspective::{Barycentric, Narrowing, Perspective};
use crate::raster::{Triangle, Window, triangles};
use crate::samples::Sampling;
use parallax_core::backend::Linear;
use parallax_core::num::{Interpolation, Processor, RasterRule, Rule};
use parallax_core::{AttrDecl, AttrSemantic, Bound, HalfAttributes, Interp, Location};
use std::sync::Arc;

/// An attribute component over a primitive.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) enum Component {
    /// The same bits everywhere.
    Flat(u32),
    /// x in the window.
    X,
    /// y in the window.
    Y,
    /// Linear in the window.
    Linear(Plane),
    /// Over w as a plane, or its distance from the value at the first vertex; made a value by the primitive's [`Perspective`].
    Perspective { over_w: Plane, first: f32 },
    /// By the place in the triangle.
    Barycentric(Barycentric),
}

/// The pixels of a primitive.
#[derive(Clone, Debug)]
pub(crate) enum Shape {
    /// The whole viewport.
    Full,
    /// A triangle.
    Triangle(Box<Triangle>),
}

/// A primitive ready to be shaded.
#[derive(Clone, Debug)]
pub(crate) struct Primitive {
    pub(crate) shape: Shape,
    /// Components in the order of the planes asked for.
    pub(crate) components: Vec<Component>,
    /// What the shader reads of those that vary; empty where that is what was interpolated.
    pub(crate) narrowed: Vec<Narrowing>,
    pub(crate) inverse_w: Plane,
    pub(crate) perspective: Arc<Perspective>,
    /// The shares of the second and the third vertex, over w.
    pub(crate) shares: [Plane; 2],
    pub(crate) front: bool,
    /// Number of the triangle in the draw.
    pub(crate) number: u32,
}

/// Primitives of a draw, in drawing order. `wanted` lists the attribute components the shader reads, as
/// `attribute * 4 + component`.
pub(crate) fn primitives(draw: &Draw, attrs: &[AttrDecl], wanted: &[usize], bound: &Bound) -> Vec<Primitive> {
    let perspective = Arc::new(Perspective::of(bound));
    let setup = Setup { draw, attrs, wanted, perspective, raster: bound.fixed.raster, halves: bound.halves.as_deref() };
    match &draw.geometry {
        Geometry::Quad => setup.quad(),
        Geometry::Triangles(positions) => {
            let mut out = Vec::new();
            for (number, clip) in positions.chunks_exact(3).enumerate() {
                let vertices = [3 * number, 3 * number + 1, 3 * number + 2];
                let window = Window {
                    depths: draw.depths,
                    width: draw.width,
                    height: draw.height,
                    grid: bound.fixed.raster.grid,
                };
                for triangle in triangles([clip[0], clip[1], clip[2]], window) {
                    out.push(setup.triangle(triangle, vertices, vertices[0], number as u32));
                }
            }
            out
        }
    }
}

struct Setup<'a> {
    draw: &'a Draw,
    attrs: &'a [AttrDecl],
    wanted: &'a [usize],
    perspective: Arc<Perspective>,
    raster: RasterRule,
    halves: Option<&'a HalfAttributes>,
}

impl Setup<'_> {
    /// Bits of a component at a vertex.
    fn bits(&self, plane: usize, vertex: usize) -> u32 {
        self.draw.attributes.get(plane / 4).and_then(|v| v.get(vertex)).map_or(0, |v| v[plane % 4])
    }

    fn is_flat(&self, attr: &AttrDecl) -> bool {
        attr.semantic == AttrSemantic::Preset
            || attr.interp == Interp::Flat
            || attr.interp == Interp::Color && self.draw.flat_shade
    }

    fn quad(&self) -> Vec<Primitive> {
        let linear = self.wanted.iter().all(|&plane| {
            let attr = &self.attrs[plane / 4];
            !crate::draw::is_supplied(attr.semantic) || self.is_flat(attr) || self.is_linear(plane)
        });
        if !linear {
            // Counter-clockwise, split from the top right to the bottom left; flat attributes are those of the top left.
            let (width, height) = (self.draw.width, self.draw.height);
            let clip = [[-1.0, 1.0, 0.0, 1.0], [1.0, 1.0, 0.0, 1.0], [-1.0, -1.0, 0.0, 1.0], [1.0, -1.0, 0.0, 1.0]];
            return [[0, 2, 1], [1, 2, 3]]
                .into_iter()
                .flat_map(|corners| {
                    let window = Window { depths: Depths::default(), width, height, grid: self.raster.grid };
                    let found = triangles(corners.map(|c| clip[c]), window);
                    found.into_iter().map(move |triangle| self.triangle(triangle, corners, 0, 0))
                })
                .collect();
        }
        let constant = |a0| Plane { a0, dadx: 0.0, dady: 0.0 };
        let (depth, inverse_w) = (constant(0.5), constant(1.0));
        let components = self.wanted.iter().map(|&plane| {
            self.fixed(plane, 0, depth, inverse_w, true).unwrap_or_else(|| Component::Linear(self.corner_plane(plane)))
        });
        let components = components.collect();
        let mut primitive =
            Primitive { perspective: self.perspective.clone(), ..Primitive::full(components, inverse_w) };
        self.narrow(&mut primitive);
        vec![primitive]
    }

    /// Makes flat attributes what the shader reads of them, and notes the others.
    fn narrow(&self, primitive: &mut Primitive) {
        let half = self.halves.map(|halves| Arc::new(halves.cvt));
        let narrowed: Vec<Narrowing> =
            self.wanted.iter().map(|&plane| self.narrowing(plane / 4, half.as_ref())).collect();
        if narrowed.iter().all(|how| *how == Narrowing::None) {
            return;
        }
        for (component, how) in primitive.components.iter_mut().zip(&narrowed) {
            if let Component::Flat(bits) = component {
                *bits = how.of(*bits);
            }
        }
        primitive.narrowed = narrowed;
    }

    /// What the shader reads of an attribute; `half` makes halves.
    fn narrowing(&self, attr: usize, half: Option<&Arc<Rule>>) -> Narrowing {
        let is_half = self.halves.is_some_and(|halves| halves.attrs.contains(&(attr as u16)));
        Narrowing::new(self.attrs[attr].semantic, self.raster.color, half.filter(|_| is_half))
    }

    fn corners(&self, plane: usize) -> [f64; 4] {
        std::array::from_fn(|n| f64::from(f32::from_bits(self.bits(plane, n))))
    }

    /// Whether the fourth corner lies in the plane of the other three, up to rounding of the numbers given.
    fn is_linear(&self, plane: usize) -> bool {
        let [a, b, c, d] = self.corners(plane);
        let scale = a.abs().max(b.abs()).max(c.abs()).max(d.abs());
        let off = (b - a) + (c - d);
        off == 0.0 || off.abs() <= scale * 1e-6
    }

    /// The plane through three corners of the viewport, slopes rounded to binary32.
    fn corner_plane(&self, plane: usize) -> Plane {
        let [a, b, c, _] = self.corners(plane);
        Plane {
            a0: a as f32,
            dadx: ((b - a) / f64::from(self.draw.width)) as f32,
            dady: ((c - a) / f64::from(self.draw.height)) as f32,
        }
    }

    fn triangle(&self, triangle: Triangle, vertices: [usize; 3], flat: usize, number: u32) -> Primitive {
        let (depth, inverse_w, front) = (triangle.depth(), triangle.inverse_w(), triangle.front);
        let components = self.wanted.iter().map(|&plane| {
            self.fixed(plane, flat, depth, inverse_w, front).unwrap_or_else(|| {
                let values = vertices.map(|v| f32::from_bits(self.bits(plane, v)));
                let interp = self.attrs[plane / 4].interp;
                let over_w = interp != Interp::Linear && !triangle.is_flat_on();
                let [first, second, third] = values;
                match (over_w && interp != Interp::OverW, self.perspective.how) {
                    (false, _) => Component::Linear(triangle.attribute(values, over_w)),
                    (true, Interpolation::Barycentric) => {
                        Component::Barycentric(Barycentric { first, more: [second - first, third - first] })
                    }
                    (true, _) if self.perspective.is_from_first() => {
                        let from_first = values.map(|value| value - first);
                        Component::Perspective { over_w: triangle.attribute(from_first, true), first }
                    }
                    (true, _) => Component::Perspective { over_w: triangle.attribute(values, true), first },
                }
            })
        });
        let components = components.collect();
        let mut primitive = Primitive {
            shares: [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|share| triangle.attribute(share, true)),
            shape: Shape::Triangle(Box::new(triangle)),
            perspective: self.perspective.clone(),
            front,
            number,
            ..Primitive::full(components, inverse_w)
        };
        self.narrow(&mut primitive);
        primitive
    }

    /// Components that are not interpolated from the draw's values.
    fn fixed(&self, plane: usize, vertex: usize, depth: Plane, inverse_w: Plane, front: bool) -> Option<Component> {
        let attr = &self.attrs[plane / 4];
        match (attr.semantic, plane % 4) {
            (AttrSemantic::Position, 0) => Some(Component::X),
            (AttrSemantic::Position, 1) => Some(Component::Y),
            (AttrSemantic::Position, 2) => Some(Component::Linear(depth)),
            (AttrSemantic::Position, _) => Some(Component::Linear(inverse_w)),
            (AttrSemantic::Face, 0) => Some(Component::Flat(if front { 1f32 } else { -1f32 }.to_bits())),
            (AttrSemantic::Face, comp) => Some(Component::Flat(if comp == 3 { 1f32.to_bits() } else { 0 })),
            _ => self.is_flat(attr).then(|| Component::Flat(self.bits(plane, vertex))),
        }
    }
}

impl Component {
    /// As a plane over the window; `None` for what is divided.
    pub(crate) fn linear(self) -> Option<Linear> {
        // Adding a negative zero changes nothing.
        let plane = |a0, dadx, dady| Some(Linear { a0, dadx, dady });
        match self {
            Component::Flat(bits) => plane(f32::from_bits(bits), -0.0, -0.0),
            Component::X => plane(-0.0, 1.0, -0.0),
            Component::Y => plane(-0.0, -0.0, 1.0),
            Component::Linear(Plane { a0, dadx, dady }) => plane(a0, dadx, dady),
            Component::Perspective { .. } | Component::Barycentric(_) => None,
        }
    }
}

impl Primitive {
    /// One that fills the window, with its front to the eye, whose quotients by 1/w are the nearest.
    pub(crate) fn full(components: Vec<Component>, inverse_w: Plane) -> Primitive {
        Primitive {
            shape: Shape::Full,
            components,
            narrowed: Vec::new(),
            inverse_w,
            perspective: Arc::default(),
            shares: [Plane::default(); 2],
            front: true,
            number: 0,
        }
    }

    /// A component as a plane over the window; `None` for what is more than that.
    pub(crate) fn linear(&self, n: usize) -> Option<Linear> {
        let is_plain = self.narrowed.get(n).is_none_or(|how| *how == Narrowing::None);
        let component = self.components.get(n)?;
        component.linear().filter(|_| is_plain || matches!(component, Component::Flat(_)))
    }

    /// Component `n` at one place of the window.
    pub(crate) fn value_at(&self, n: usize, x: f32, y: f32) -> u32 {
        let word = self.interpolated_at(n, x, y);
        self.narrowed.get(n).map_or(word, |how| how.of(word))
    }

    fn interpolated_at(&self, n: usize, x: f32, y: f32) -> u32 {
        match self.components[n] {
            Component::Flat(bits) => bits,
            Component::X => x.to_bits(),
            Component::Y => y.to_bits(),
            Component::Linear(plane) => settled(plane.at(x, y).to_bits()),
            Component::Perspective { over_w, first } => {
                self.perspective.at(over_w.at(x, y), self.inverse_w.at(x, y), first)
            }
            Component::Barycentric(component) => {
                let w = self.inverse_w.at(x, y);
                component.at(self.shares.map(|share| share.at(x, y) / w))
            }
        }
    }
}

/// Quads side by side: what lanes are, one quad after the other.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Place<'a> {
    /// Column and row of the first quad's upper left pixel.
    pub(crate) at: [u32; 2],
    /// Covered samples of the pixel of each lane.
    pub(crate) masks: &'a [u32],
    /// The sample that lanes shade, where they shade one.
    pub(crate) sample: u32,
}

/// Most lanes of one call of [`Columns::fill`].
pub(crate) const MOST_LANES: usize = 512;

/// Column tables of a primitive: the inner step of interpolation, one table per component, lane by lane: quads side by side,
/// one after the other. The x of pixel centres come first, then, if need be, those of the first sample of every pixel, of the
/// second, and so on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Columns {
    /// What they were filled for: number of the primitive in the list, first column, columns.
    filled: Option<(usize, u32, usize)>,
    /// First column of pixels.
    left: u32,
    /// Lanes of one row of quads.
    lanes: usize,
    xs: Vec<f32>,
    tables: Vec<Vec<f32>>,
    inverse_w: Vec<f32>,
    /// Those of the shares of the vertices.
    shares: [Vec<f32>; 2],
    /// 1/w of lanes, and the shares: in rows that are used again.
    lane_w: Vec<u32>,
    lane_shares: [Vec<u32>; 2],
    /// The rows of [`MOST_LANES`] lanes, for one of the places inside the pixels: its number, and the upper row.
    rows: (Option<(usize, u32)>, Vec<f32>),
}

impl Columns {
    /// Fills the tables for columns `left..left + width` of the primitive with this number; `left` is even. All calls are
    /// about one list of primitives.
    pub(crate) fn prepare(
        &mut self,
        processor: Processor,
        (number, primitive): (usize, &Primitive),
        sampling: &Sampling,
        left: u32,
        width: usize,
    ) {
        if self.filled.replace((number, left, width)) == Some((number, left, width)) {
            return;
        }
        (self.left, self.lanes) = (left, width.div_ceil(2) * 4);
        self.xs.clear();
        for [offset, _] in &sampling.offsets {
            self.xs.extend((0..self.lanes as u32).map(|n| (left + (n >> 2 << 1 | n & 1)) as f32 + offset));
        }
        self.tables.resize_with(primitive.components.len(), Vec::new);
        let (mut divides, mut has_shares) = (false, false);
        for (table, component) in self.tables.iter_mut().zip(&primitive.components) {
            match component {
                Component::Flat(_) | Component::Y => table.clear(),
                Component::X => table.clone_from(&self.xs),
                Component::Linear(plane) => plane.columns(processor, &self.xs, table),
                Component::Perspective { over_w, .. } => {
                    divides = true;
                    over_w.columns(processor, &self.xs, table);
                }
                Component::Barycentric(_) => {
                    (divides, has_shares) = (true, true);
                    table.clear();
                }
            }
        }
        for (table, share) in self.shares.iter_mut().zip(&primitive.shares).filter(|_| has_shares) {
            share.columns(processor, &self.xs, table);
        }
        self.inverse_w.clear();
        if divides {
            primitive.inverse_w.columns(processor, &self.xs, &mut self.inverse_w);
        }
    }

    /// Computes every component of quads side by side, at most [`MOST_LANES`] lanes; `rows` are the rows of the components for their lanes.
    pub(crate) fn fill<'a>(
        &mut self,
        processor: Processor,
        primitive: &Primitive,
        sampling: &Sampling,
        place: Place<'_>,
        rows: impl Iterator<Item = &'a mut [u32]>,
    ) {
        let lanes = place.masks.len();
        let components = primitive.components.iter().zip(&sampling.locations).zip(&self.tables);
        for (row, (number, ((component, &location), table))) in rows.zip(components.enumerate()) {
            if let Component::Flat(bits) = component {
                row.fill(*bits);
                continue;
            }
            if location == Location::Centroid {
                // The place inside the pixel differs from lane to lane.
                for (n, (word, &mask)) in row.iter_mut().zip(place.masks).enumerate() {
                    let [x, y] = sampling.offsets[sampling.offset_of(location, mask, place.sample)];
                    let column = place.at[0] + (n as u32 >> 2) * 2 + (n as u32 & 1);
                    let below = place.at[1] + (n as u32 >> 1 & 1);
                    *word = primitive.value_at(number, column as f32 + x, below as f32 + y);
                }
                continue;
            }
            let offset = sampling.offset_of(location, 0, place.sample);
            let first = offset * self.lanes + 2 * (place.at[0] - self.left) as usize;
            let columns = first..first + lanes;
            let (made, ys) = &mut self.rows;
            if made.replace((offset, place.at[1])) != Some((offset, place.at[1])) {
                ys.resize(MOST_LANES, 0.0);
                rows_of_quads([0, 1].map(|row| (place.at[1] + row) as f32 + sampling.offsets[offset][1]), ys);
            }
            let ys = &ys[..lanes];
            match component {
                Component::Flat(_) => {}
                Component::X => quads(&table[columns], ys, row, |x, _, _| x.to_bits()),
                Component::Y => quads(&self.xs[columns], ys, row, |_, y, _| y.to_bits()),
                Component::Linear(plane) => plane.quads(processor, &table[columns], ys, row),
                Component::Perspective { over_w, .. } if primitive.perspective.how == Interpolation::Divide => {
                    primitive.inverse_w.quads(processor, &self.inverse_w[columns.clone()], ys, row);
                    over_w.quads_over(processor, &table[columns], ys, row);
                }
                Component::Perspective { over_w, first } => {
                    self.lane_w.resize(lanes, 0);
                    primitive.inverse_w.quads(processor, &self.inverse_w[columns.clone()], ys, &mut self.lane_w);
                    over_w.quads(processor, &table[columns], ys, row);
                    primitive.perspective.row(row, &self.lane_w, *first);
                }
                Component::Barycentric(component) => {
                    for (share, (plane, table)) in
                        self.lane_shares.iter_mut().zip(primitive.shares.iter().zip(&self.shares))
                    {
                        share.resize(lanes, 0);
                        primitive.inverse_w.quads(processor, &self.inverse_w[columns.clone()], ys, share);
                        plane.quads_over(processor, &table[columns.clone()], ys, share);
                    }
                    let [i, j] = &self.lane_shares;
                    for (word, (i, j)) in row.iter_mut().zip(i.iter().zip(j)) {
                        *word = component.at([f32::from_bits(*i), f32::from_bits(*j)]);
                    }
                }
            }
            if let Some(how) = primitive.narrowed.get(number).filter(|how| **how != Narrowing::None) {
                row.iter_mut().for_each(|word| *word = how.of(*word));
            }
        }
    }
}
