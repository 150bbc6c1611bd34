//! From vertices to the triangles that the engine draws.

use super::script::{PolygonMode, Topology, Viewport};

/// A position in clip space as Vulkan has it: y points down, depths begin at 0.
pub(super) type Position = [f32; 4];

/// A triangle to draw.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Piece {
    /// Its corners.
    pub(super) positions: [Position; 3],
    /// The vertices that its corners have their attributes from.
    pub(super) vertices: [usize; 3],
    /// The vertex that decides what is flat.
    pub(super) flat: usize,
    /// The vertices of the polygon that it is part of.
    pub(super) polygon: Option<[usize; 3]>,
}

/// What the vertices of a draw are.
pub(super) struct Assembly<'a> {
    pub(super) positions: &'a [Position],
    /// Width and height of points in pixels, of each vertex; 1 where there are none.
    pub(super) point_sizes: &'a [f32],
    pub(super) viewport: Viewport,
}

impl Assembly<'_> {
    /// The triangles of a draw, in its order.
    ///
    /// # Errors
    /// A line that cannot be drawn.
    pub(super) fn pieces(
        &self,
        topology: Topology,
        order: &[usize],
        polygons: PolygonMode,
    ) -> Result<Vec<Piece>, &'static str> {
        let mut out = Vec::new();
        match topology {
            Topology::Points => order.iter().for_each(|&vertex| self.point(vertex, vertex, None, &mut out)),
            Topology::Lines => {
                for line in order.chunks_exact(2) {
                    self.line([line[0], line[1]], line[0], None, &mut out)?;
                }
            }
            Topology::LineStrip => {
                for line in order.windows(2) {
                    self.line([line[0], line[1]], line[0], None, &mut out)?;
                }
            }
            Topology::List | Topology::Strip | Topology::Fan => {
                for polygon in triangles(topology, order) {
                    self.polygon(polygon, polygons, &mut out)?;
                }
            }
        }
        Ok(out)
    }

    fn polygon(&self, polygon: [usize; 3], mode: PolygonMode, out: &mut Vec<Piece>) -> Result<(), &'static str> {
        let [a, b, c] = polygon;
        let whole = Some(polygon);
        match mode {
            PolygonMode::Fill => {
                let positions = polygon.map(|vertex| self.positions[vertex]);
                out.push(Piece { positions, vertices: polygon, flat: a, polygon: whole });
            }
            PolygonMode::Line => {
                for ends in [[a, b], [b, c], [c, a]] {
                    self.line(ends, a, whole, out)?;
                }
            }
            PolygonMode::Point => polygon.iter().for_each(|&vertex| self.point(vertex, a, whole, out)),
        }
        Ok(())
    }

    /// A rectangle one pixel wide along the line, as Vulkan's strict lines are.
    fn line(
        &self,
        ends: [usize; 2],
        flat: usize,
        polygon: Option<[usize; 3]>,
        out: &mut Vec<Piece>,
    ) -> Result<(), &'static str> {
        let half = self.viewport.size.map(|side| side / 2.0);
        let [from, to] = ends.map(|vertex| self.positions[vertex].map(f64::from));
        if from[3] <= 0.0 || to[3] <= 0.0 {
            return Err("a line that reaches behind the eye");
        }
        let across = [0, 1].map(|n| (to[n] / to[3] - from[n] / from[3]) * half[n]);
        let length = across[0].hypot(across[1]);
        if length == 0.0 {
            return Ok(());
        }
        // Half a pixel to either side.
        let side = [-across[1] / length / 2.0 / half[0], across[0] / length / 2.0 / half[1]];
        let corner = |end: [f64; 4], sign: f64| {
            let [x, y, z, w] = end;
            [x + sign * side[0] * w, y + sign * side[1] * w, z, w].map(|v| v as f32)
        };
        let [a, b] = ends;
        let corners = [corner(from, -1.0), corner(from, 1.0), corner(to, -1.0), corner(to, 1.0)];
        out.extend(halves(corners, [a, a, b, b], flat, polygon));
        Ok(())
    }

    /// A square around the vertex, unless it lies outside of what is seen.
    fn point(&self, vertex: usize, flat: usize, polygon: Option<[usize; 3]>, out: &mut Vec<Piece>) {
        let [x, y, z, w] = self.positions[vertex].map(f64::from);
        if w <= 0.0 || x.abs() > w || y.abs() > w {
            return;
        }
        let size = f64::from(self.point_sizes.get(vertex).copied().unwrap_or(1.0));
        let reach = self.viewport.size.map(|side| size / side * w);
        let corner = |across: f64, down: f64| [x + across * reach[0], y + down * reach[1], z, w].map(|v| v as f32);
        let corners = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(-1.0, 1.0), corner(1.0, 1.0)];
        out.extend(halves(corners, [vertex; 4], flat, polygon));
    }
}

/// Four corners, row by row, as two triangles.
fn halves(corners: [Position; 4], of: [usize; 4], flat: usize, polygon: Option<[usize; 3]>) -> [Piece; 2] {
    [[0, 2, 1], [1, 2, 3]].map(|numbers| {
        let (positions, vertices) = (numbers.map(|n| corners[n]), numbers.map(|n| of[n]));
        Piece { positions, vertices, flat, polygon }
    })
}

/// Corners of triangles. The first of each decides what is flat.
fn triangles(topology: Topology, order: &[usize]) -> Vec<[usize; 3]> {
    let places = |n: usize| match topology {
        Topology::Strip => [n, n + 1 + n % 2, n + 2 - n % 2],
        Topology::Fan => [n + 1, n + 2, 0],
        _ => [3 * n, 3 * n + 1, 3 * n + 2],
    };
    let count = match topology {
        Topology::Strip | Topology::Fan => order.len().saturating_sub(2),
        _ => order.len() / 3,
    };
    (0..count).map(|n| places(n).map(|place| order[place])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vertices_form_triangles() {
        assert_eq!(triangles(Topology::List, &[4, 5, 6, 7]), [[4, 5, 6]]);
        assert_eq!(triangles(Topology::Strip, &[0, 1, 2, 3]), [[0, 1, 2], [1, 3, 2]]);
        assert_eq!(triangles(Topology::Fan, &[0, 1, 2, 3]), [[1, 2, 0], [2, 3, 0]]);
    }

    fn pieces(topology: Topology, positions: &[Position], mode: PolygonMode) -> Result<Vec<Piece>, &'static str> {
        let viewport = Viewport { at: [0.0; 2], size: [8.0, 4.0], depths: [0.0, 1.0] };
        let order: Vec<usize> = (0..positions.len()).collect();
        Assembly { positions, point_sizes: &[], viewport }.pieces(topology, &order, mode)
    }

    #[test]
    fn lines_and_points_are_a_pixel_wide() {
        let line = [[-0.5, 0.0, 0.0, 1.0], [0.5, 0.0, 0.0, 1.0]];
        let found = pieces(Topology::Lines, &line, PolygonMode::Fill).unwrap();
        // Half a pixel of four is an eighth of the height of 2.
        assert_eq!(found[0].positions, [[-0.5, -0.25, 0.0, 1.0], [0.5, -0.25, 0.0, 1.0], [-0.5, 0.25, 0.0, 1.0]]);
        assert_eq!((found.len(), found[0].vertices, found[1].vertices, found[1].flat), (2, [0, 1, 0], [0, 1, 1], 0));
        let found = pieces(Topology::Points, &[[0.5, 0.5, 0.0, 1.0], [2.0, 0.0, 0.0, 1.0]], PolygonMode::Fill).unwrap();
        assert_eq!((found.len(), found[1].positions[2]), (2, [0.625, 0.75, 0.0, 1.0]));
        let behind = [[0.0, 0.0, 0.0, -1.0], [0.5, 0.0, 0.0, 1.0]];
        assert!(pieces(Topology::LineStrip, &behind, PolygonMode::Fill).is_err());
    }

    #[test]
    fn polygons_may_leave_their_edges_or_corners() {
        let corners = [[0.0, 0.0, 0.0, 1.0], [0.5, 0.0, 0.0, 1.0], [0.0, 0.5, 0.0, 1.0]];
        let found = |mode| pieces(Topology::List, &corners, mode).unwrap();
        assert_eq!([PolygonMode::Fill, PolygonMode::Line, PolygonMode::Point].map(|mode| found(mode).len()), [1, 6, 6]);
        let edge = &found(PolygonMode::Line)[2];
        assert_eq!((edge.vertices, edge.flat, edge.polygon), ([1, 2, 1], 0, Some([0, 1, 2])));
    }
}
