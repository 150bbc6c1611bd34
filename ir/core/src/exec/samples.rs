//! Where the raster samples of a pixel are.

use super::{InterpolateAt, Interpolator};

/// Standard positions of the samples of a pixel: to the right of and below its centre, in 1/16 pixel, by sample number.
/// `None` for counts without a standard pattern.
///
/// The patterns are those of the Vulkan specification ("Standard sample locations", under Rasterization), which gives
/// them in fractions of a pixel from its upper left corner, and of Direct3D 11.1 (D3D11_STANDARD_MULTISAMPLE_PATTERN),
/// in sixteenths from its centre; they are the same.
pub const fn standard_positions(count: u32) -> Option<&'static [[i8; 2]]> {
    Some(match count {
        1 => &[[0, 0]],
        2 => &[[4, 4], [-4, -4]],
        4 => &[[-2, -6], [6, -2], [-6, 2], [2, 6]],
        8 => &[[1, -3], [-1, 3], [5, 1], [-3, -5], [-5, 5], [-7, -1], [3, 7], [7, -7]],
        16 => &[
            [1, 1],
            [-1, -3],
            [-3, 2],
            [4, -1],
            [-5, -2],
            [2, 5],
            [5, 3],
            [3, -5],
            [-2, 6],
            [0, -7],
            [-4, -6],
            [-6, 4],
            [-8, 0],
            [7, -4],
            [6, 7],
            [-7, -8],
        ],
        _ => return None,
    })
}

/// Knows where samples are, and attributes nowhere else than where they are given.
#[derive(Copy, Clone, Debug)]
pub struct PositionsOnly<'a>(pub &'a [[i8; 2]]);

impl Interpolator for PositionsOnly<'_> {
    fn at(&self, _: usize, _: usize, _: usize, _: InterpolateAt) -> Option<u32> {
        None
    }

    fn positions(&self) -> &[[i8; 2]] {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standard_patterns_are_spread_over_the_pixel() {
        for count in 0..40 {
            let Some(positions) = standard_positions(count) else {
                assert!(![1, 2, 4, 8, 16].contains(&count), "{count}");
                continue;
            };
            assert_eq!(positions.len(), count as usize);
            assert!(positions.iter().flatten().all(|step| (-8..8).contains(step)));
            // From 2 on, no two samples share a column or a row of the grid of 1/16 pixel: what makes an edge at any angle
            // move through the samples one by one.
            for axis in 0..2 {
                let mut steps: Vec<i8> = positions.iter().map(|p| p[axis]).collect();
                steps.sort_unstable();
                steps.dedup();
                assert_eq!(steps.len(), count as usize, "{count} samples, axis {axis}");
            }
        }
    }
}
