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
fn bars(h: &Histogram, reach: usize) -> Vec<(&'static str, u64, String)> {
    let mut out = Vec::new();
    let words = |k: usize| match k {
        0 => "up to ½ ulp".to_string(),
        k if k + 1 == BUCKETS => format!("{} ulp", Histogram::label(k)),
        k => format!("{} to {} ulp", Histogram::label(k - 1), Histogram::label(k)),
    };
    for k in (0..reach).rev() {
        out.push(("below", h.below[k], format!("{}: {} below", h.below[k], words(k))));
    }
    out.push(("zero", h.zero, format!("{}: exactly at the reference", h.zero)));
    for k in 0..reach {
        out.push(("above", h.above[k], format!("{}: {} above", h.above[k], words(k))));
    }
    out
}

/// Signed ulp errors: one bar per power of two on each side of the reference, height by the logarithm of the count.
pub(crate) fn histogram(h: &Histogram) -> String {
    let (width, height, base) = (260.0, 84.0, 66.0);
    let reach = h.used().max(3);
    let total = h.total();
    let mut svg = Svg::new("hist", width as u32, height as u32, &format!("Signed ulp errors of {total} components"));
    let columns = bars(h, reach);
    let step = width / columns.len() as f64;
    let most = rough_log(columns.iter().map(|c| c.1).max().unwrap_or(0)).max(1.0);
    for (n, (class, count, title)) in columns.iter().enumerate() {
        if *count > 0 {
            let tall = (rough_log(*count) / most * (base - 6.0)).max(1.5);
            svg.rect(class, [n as f64 * step + step * 0.1, base - tall, step * 0.8, tall], title);
        }
    }
    svg.line("axis", [0.0, base], [width, base]);
    let middle = width / 2.0;
    svg.label("tick", [middle, base + 13.0], "0");
    // The outer border of bucket k, on both sides.
    let every = reach.div_ceil(4);
    for k in (every - 1..reach).step_by(every) {
        if k + 1 == BUCKETS {
            continue;
        }
        let away = (k as f64 + 1.5) * step;
        for (sign, x) in [("−", middle - away), ("+", middle + away)] {
            svg.line("axis", [x, base], [x, base + 3.0]);
            svg.label("tick", [x.clamp(10.0, width - 10.0), base + 13.0], &format!("{sign}{}", Histogram::label(k)));
        }
    }
    svg.finish()
}

/// The same as a thumbnail for a table cell.
pub(crate) fn spark(h: &Histogram) -> String {
    let (width, height) = (64.0, 14.0);
    let reach = h.used().max(3);
    let mut svg = Svg::new("spark", width as u32, height as u32, "Signed ulp errors");
    let columns = bars(h, reach);
    let step = width / columns.len() as f64;
    let most = rough_log(columns.iter().map(|c| c.1).max().unwrap_or(0)).max(1.0);
    for wanted in ["below", "zero", "above"] {
        let mut list = Vec::new();
        for (n, (class, count, _)) in columns.iter().enumerate() {
            if *count > 0 && *class == wanted {
                let tall = (rough_log(*count) / most * height).max(1.0);
                list.push([n as f64 * step, height - tall, step * 0.85, tall]);
            }
        }
        svg.rects(wanted, &list);
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
        // One bar per bucket in use.
        assert_eq!(svg.matches("<rect ").count(), 6);
        assert!(svg.contains("1: 64 to 128 ulp below"));
        assert!(svg.contains("more than 2^22"));
        let spark = spark(&h);
        assert_eq!((spark.matches("<path ").count(), spark.matches('M').count()), (3, 6));
        assert_eq!(histogram(&Histogram::default()).matches("<rect ").count(), 0);
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
