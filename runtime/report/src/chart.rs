//! Small charts. Colours come from the page's style sheet, so that they follow its light and dark faces.

use crate::histogram::{BUCKETS, Histogram};
use parallax_svg::Svg;

/// log2(1 + n), straight between powers of two: monotone, and the same on every host.
fn rough_log(n: u64) -> f64 {
    let n = n.saturating_add(1);
    let whole = n.ilog2();
    f64::from(whole) + (n as f64 / (1u64 << whole) as f64 - 1.0)
}

/// The bars of a histogram from left to right: results below the reference from far to near, equal ones, results above.
fn bars(h: &Histogram, reach: usize) -> Vec<(&'static str, u64)> {
    let below = (0..reach).rev().map(|k| ("below", h.below[k]));
    let above = (0..reach).map(|k| ("above", h.above[k]));
    below.chain([("zero", h.zero)]).chain(above).collect()
}

/// Signed ulp errors: one bar per power of two on each side of the reference, height by the logarithm of the count.
pub(crate) fn histogram(h: &Histogram) -> String {
    let (width, height, base) = (260.0, 54.0, 40.0);
    let reach = h.used().max(3);
    let total = h.total();
    let mut svg = Svg::new("hist", width as u32, height as u32, &format!("Signed ulp errors of {total} components"));
    let columns = bars(h, reach);
    // Whole units keep the page small.
    let step = (width / columns.len() as f64).floor();
    let left = ((width - step * columns.len() as f64) / 2.0).floor();
    let most = rough_log(columns.iter().map(|c| c.1).max().unwrap_or(0)).max(1.0);
    for wanted in ["below", "zero", "above"] {
        let mut list = Vec::new();
        for (n, (_, count)) in columns.iter().enumerate().filter(|(_, c)| c.0 == wanted && c.1 > 0) {
            let tall = (rough_log(*count) / most * base).ceil();
            list.push([left + (n as f64 + 0.5) * step, base, tall]);
        }
        svg.bars(wanted, step - 1.0, &list);
    }
    svg.line("axis", [0.0, base], [width, base]);
    let middle = left + (reach as f64 + 0.5) * step;
    svg.label("tick", [middle.floor(), base + 12.0], "0");
    // The outer border of the last bucket that has a name, and of the one half way.
    let last = if reach == BUCKETS { reach - 2 } else { reach - 1 };
    for k in [last / 2, last] {
        let away = (k as f64 + 1.5) * step;
        for (sign, x) in [("−", middle - away), ("+", middle + away)] {
            svg.label(
                "tick",
                [x.clamp(16.0, width - 16.0).floor(), base + 12.0],
                &format!("{sign}{}", Histogram::label(k)),
            );
        }
    }
    svg.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn charts_are_well_formed_and_repeat() {
        let mut h = Histogram::default();
        for error in [0.0, 0.25, -0.25, 3.0, -100.0, 1e9] {
            h.add(error);
        }
        let svg = histogram(&h);
        assert_eq!(svg, histogram(&h));
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>"));
        // One path per side and for what is equal, one bar per bucket in use.
        let bars = svg.matches('M').count();
        assert_eq!((svg.matches("<path ").count(), bars), (3, 6));
        assert!(svg.contains("Signed ulp errors of 6 components") && svg.contains("−2^22"), "{svg}");
        assert!(svg.len() < 800, "{}", svg.len());
        assert_eq!(histogram(&Histogram::default()).matches("<path ").count(), 0);
    }

    #[test]
    fn logarithms_grow_with_the_count() {
        let mut last = -1.0;
        for n in [0, 1, 2, 3, 7, 8, 1000, u64::MAX] {
            assert!(rough_log(n) >= last);
            last = rough_log(n);
        }
        assert_eq!((rough_log(0), rough_log(1), rough_log(3)), (0.0, 1.0, 2.0));
    }
}
