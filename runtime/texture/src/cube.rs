//! Texels of a cube beyond the edge of a face.

use crate::place::{face_of, on_axes};

/// A face and the texel that has these numbers on `face` of a cube of this size; numbers may lie one beyond an edge, and are taken for
/// that where they lie further away. `None` where they lie beyond two: no face has such a texel.
pub(crate) fn texel(face: u32, size: u32, at: [i64; 2]) -> Option<[u32; 3]> {
    let n = i64::from(size);
    let [x, y] = at.map(|number| number.clamp(-1, n));
    let is_inside = |number: i64| (0..n).contains(&number);
    // Middles of texels in halves of texels, from the middle of the face; the face is so far away from the middle of the cube.
    let middle = |number: i64| 2 * number + 1 - n;
    let [face, sc, tc] = match [is_inside(x), is_inside(y)] {
        [true, true] => return Some([face, x as u32, y as u32]),
        [false, false] => return None,
        // The texel behind the edge lies on the plane of the neighbour, as far from the edge as the last one of this face.
        [false, true] => neighbour(face, [middle(x).signum() * n, middle(y), n - 1]),
        [true, false] => neighbour(face, [middle(x), middle(y).signum() * n, n - 1]),
    };
    let number = |middle: i64| ((middle + n - 1) / 2) as u32;
    Some([face as u32, number(sc), number(tc)])
}

/// The face, and place on it, of a place that is given by what `sc`, `tc` and `ma` are on a face.
fn neighbour(face: u32, [sc, tc, ma]: [i64; 3]) -> [i64; 3] {
    let [s, t, r] = match face {
        0 => [ma, -tc, -sc],
        1 => [-ma, -tc, sc],
        2 => [sc, ma, tc],
        3 => [sc, -ma, -tc],
        4 => [sc, -tc, ma],
        _ => [-sc, -tc, -ma],
    };
    let sizes = [s, t, r].map(i64::abs);
    let axis = (0..3).fold(0, |most, axis| if sizes[axis] > sizes[most] { axis } else { most });
    let face = face_of(axis, [s, t, r][axis] < 0);
    let [sc, tc, _] = on_axes(face, [s, t, r], |number| -number);
    [i64::from(face), sc, tc]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::{face, on_face};
    use parallax_core::num::CubeFace;

    /// By geometry: the direction of the middle of the texel beyond the edge meets the texel.
    #[test]
    fn texels_beyond_edges_are_where_their_directions_point() {
        for size in [1u32, 2, 3, 4, 7, 16, 100] {
            let n = i64::from(size);
            for own in 0..6 {
                for along in 0..n {
                    for at in [[-1, along], [n, along], [along, -1], [along, n]] {
                        let [sc, tc] = at.map(|number| (2 * number + 1 - n) as f32);
                        let (sc, tc, ma) = (sc, tc, n as f32);
                        let [s, t, r] = match own {
                            0 => [ma, -tc, -sc],
                            1 => [-ma, -tc, sc],
                            2 => [sc, ma, tc],
                            3 => [sc, -ma, -tc],
                            4 => [sc, -tc, ma],
                            _ => [-sc, -tc, -ma],
                        };
                        let side = face(s, t, r, CubeFace::Xyz);
                        let [x, y, _] = on_face(side, [s, t, r]).map(|place| (place * size as f32) as u32);
                        assert_ne!(side, own);
                        assert_eq!(texel(own, size, at), Some([side, x, y]), "face {own} of {size}: {at:?}");
                    }
                }
                assert_eq!(texel(own, size, [-1, n]), None);
                assert_eq!(texel(own, size, [0, n - 1]), Some([own, 0, size - 1]));
            }
        }
    }
}
