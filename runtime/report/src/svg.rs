//! Small charts. Colours come from the page's style sheet, so that they follow its light and dark faces.

use crate::histogram::{BUCKETS, Histogram};
use std::fmt::Write;

/// An SVG drawing in the making.
pub struct Svg {
    text: String,
}

impl Svg {
    /// A drawing of `width` by `height` units with a class and a description for readers that do not see it.
    pub fn new(class: &str, width: u32, height: u32, description: &str) -> Svg {
        let mut text = String::new();
        let _ = write!(
            text,
            "<svg class=\"{class}\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" \
             xmlns=\"http://www.w3.org/2000/svg\"><title>{}</title>",
            escape(description)
        );
        Svg { text }
    }

    /// A rectangle; `title` is shown on pointing at it.
    pub fn rect(&mut self, class: &str, [x, y, width, height]: [f64; 4], title: &str) {
        let (x, y, width, height) = (short(x), short(y), short(width), short(height));
        let _ = write!(self.text, "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"");
        if title.is_empty() {
            self.text.push_str("/>");
        } else {
            let _ = write!(self.text, "><title>{}</title></rect>", escape(title));
        }
    }

    /// Rectangles of one class in one element.
    pub fn rects(&mut self, class: &str, list: &[[f64; 4]]) {
        if list.is_empty() {
            return;
        }
        let _ = write!(self.text, "<path class=\"{class}\" d=\"");
        for &[x, y, width, height] in list {
            let _ =
                write!(self.text, "M{} {}v{}h{}v-{}z", short(x), short(y), short(height), short(width), short(height));
        }
        self.text.push_str("\"/>");
    }

    /// A straight line.
    pub fn line(&mut self, class: &str, from: [f64; 2], to: [f64; 2]) {
        let [x1, y1, x2, y2] = [from[0], from[1], to[0], to[1]].map(short);
        let _ = write!(self.text, "<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>");
    }

    /// Text with its middle at `at`.
    pub fn label(&mut self, class: &str, at: [f64; 2], text: &str) {
        let [x, y] = at.map(short);
        let _ = write!(
            self.text,
            "<text class=\"{class}\" x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{}</text>",
            escape(text)
        );
    }

    /// The finished element.
    pub fn finish(mut self) -> String {
        self.text.push_str("</svg>");
        self.text
    }
}

/// Replaces what has a meaning in markup.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // Characters that no XML document may hold.
            c if c.is_control() && !matches!(c, '\n' | '\t') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// At most one decimal, no trailing zero.
fn short(v: f64) -> String {
    let text = format!("{v:.1}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

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
pub fn histogram(h: &Histogram) -> String {
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
pub fn spark(h: &Histogram) -> String {
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

    #[test]
    fn markup_is_escaped() {
        assert_eq!(escape("a<b>&\"'\u{1}"), "a&lt;b&gt;&amp;&quot;&#39;\u{fffd}");
    }
}
