//! Small charts. Colours come from the page's style sheet, so that they follow its light and dark faces.

use crate::histogram::{BUCKETS, Histogram};
use std::fmt::Write;

/// Bars of a chart: results below the reference from far to near, equal ones, results above.
const COLUMNS: usize = 2 * BUCKETS + 1;
/// Width of a bar.
const STEP: usize = 5;
/// Height of the tallest.
const BASE: f64 = 40.0;

/// log2(1 + n), straight between powers of two: monotone, and the same on every host.
fn rough_log(n: u64) -> f64 {
    let n = n.saturating_add(1);
    let whole = n.ilog2();
    f64::from(whole) + (n as f64 / (1u64 << whole) as f64 - 1.0)
}

/// What all charts of a page share and stands there once: colours by side, the axis and its labels.
pub(crate) fn shared() -> String {
    let width = COLUMNS * STEP;
    let mut out = format!(
        "<svg class=\"shared\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs><linearGradient id=\"ulp-sides\" \
         gradientUnits=\"userSpaceOnUse\" x2=\"{width}\">"
    );
    let borders = [0, BUCKETS, BUCKETS + 1, COLUMNS];
    for (side, border) in ["below", "zero", "above"].iter().zip(borders.windows(2)) {
        for at in border {
            let _ = write!(out, "<stop class=\"{side}\" offset=\"{:.4}\"/>", *at as f64 / COLUMNS as f64);
        }
    }
    let _ = write!(out, "</linearGradient><g id=\"ulp-axis\"><path class=\"axis\" d=\"M0 {BASE}h{width}\"/>");
    let middle = width as f64 / 2.0;
    let mut label = |x: f64, text: &str| {
        let (x, y) = (x.clamp(16.0, width as f64 - 16.0), BASE + 12.0);
        let _ = write!(out, "<text class=\"tick\" x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{text}</text>");
    };
    label(middle, "0");
    // The outer border of the last bucket that has a name, and of the one half way.
    for k in [(BUCKETS - 2) / 2, BUCKETS - 2] {
        let away = (k as f64 + 1.5) * STEP as f64;
        label(middle - away, &format!("−{}", Histogram::label(k)));
        label(middle + away, &format!("+{}", Histogram::label(k)));
    }
    out + "</g></defs></svg>"
}

/// Signed ulp errors: one bar per power of two on each side of the reference, height by the logarithm of the count. The
/// outline of all bars is one path, so that a page of a thousand charts stays small.
pub(crate) fn histogram(h: &Histogram) -> String {
    let counts = h.below.iter().rev().chain([&h.zero]).chain(&h.above);
    let most = rough_log(counts.clone().copied().max().unwrap_or(0)).max(1.0);
    let mut path = format!("M0 {BASE}");
    let (mut height, mut run) = (0, 0);
    // One more than there are, so that the outline comes down again.
    for count in counts.chain([&0]) {
        let tall = if *count == 0 { 0 } else { (rough_log(*count) / most * BASE).ceil() as i32 };
        if tall != height {
            if run > 0 {
                let _ = write!(path, "h{}", run * STEP);
            }
            let _ = write!(path, "v{}", height - tall);
            (height, run) = (tall, 0);
        }
        run += 1;
    }
    format!("<svg class=\"hist\" aria-hidden=\"true\"><use href=\"#ulp-axis\"/><path d=\"{path}\"/></svg>")
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
        // -100 ulp is in the bucket up to 128; what follows goes up from the axis and comes down to it.
        assert_eq!(svg.split('"').nth(7), Some("M0 40h80v-40h5v40h35v-40h15v40h10v-40h5v40h100v-40h5v40"), "{svg}");
        assert_eq!(histogram(&Histogram::default()).split('"').nth(7), Some("M0 40"));
        let all = shared();
        assert!(
            all.contains("id=\"ulp-axis\"") && all.contains(">−2^22</text>") && all.contains(">+1024</text>"),
            "{all}"
        );
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
