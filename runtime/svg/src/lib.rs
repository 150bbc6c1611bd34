//! Drawings as SVG text: rectangles, lines, labels, and nothing that needs a font or a browser to measure.
//!
//! Colours come from classes, whose style the page or the drawing itself defines.
//!
//! ```
//! use parallax_svg::Svg;
//!
//! let mut drawing = Svg::new("chart", 20, 10, "Two bars");
//! drawing.rect("bar", [0.0, 5.0, 8.0, 5.0], "five");
//! drawing.rect("bar", [10.0, 0.0, 8.0, 10.0], "ten");
//! let text = drawing.finish();
//! assert!(text.starts_with("<svg class=\"chart\"") && text.ends_with("</svg>"));
//! ```

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

    /// What classes look like, in CSS. Comes first: the description alone stands before it.
    pub fn style(&mut self, css: &str) {
        let _ = write!(self.text, "<style>{css}</style>");
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

    /// Upright bars of one width and class in one element, each from its foot up: place of the middle, foot, height. The
    /// class colours their stroke.
    pub fn bars(&mut self, class: &str, width: f64, list: &[[f64; 3]]) {
        if list.is_empty() {
            return;
        }
        let _ = write!(self.text, "<path class=\"{class}\" stroke-width=\"{}\" d=\"", short(width));
        for &[middle, foot, height] in list {
            let _ = write!(self.text, "M{} {}v-{}", short(middle), short(foot), short(height));
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
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_escaped() {
        assert_eq!(escape("a<b>&\"'\u{1}"), "a&lt;b&gt;&amp;&quot;&#39;\u{fffd}");
    }
}
