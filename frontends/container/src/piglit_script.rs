//! What the `[test]` section of a piglit test draws and looks at, as manifests: one for each draw, with the probes behind it as
//! expectations (piglit, tests/shaders/shader_runner.c).

use std::fmt::Write;

/// Width and height of the window.
const SIZE: [u32; 2] = [250, 250];
/// How far a colour may be away: three steps of 8 bits.
const TOLERANCE: f64 = 3.0 / 256.0;
/// Draws of a test that get a manifest.
const MOST: usize = 64;

/// A draw of a rectangle, and what is looked at.
#[derive(Clone, Debug)]
struct Step {
    /// x, y, width and height, in front of the vertex program.
    rect: [f64; 4],
    /// The same of texture coordinate 0.
    texture: Option<[f64; 4]>,
    state: State,
    probes: Vec<Probe>,
}

/// Parameters and attributes at a draw.
#[derive(Clone, Debug)]
struct State {
    /// Left, right, bottom and top of an orthographic projection; `None` for none.
    ortho: Option<[f64; 4]>,
    colour: Option<[f64; 4]>,
    texture_coordinates: Vec<(u32, [f64; 4])>,
    textures: Vec<Texture>,
    /// Stage, name and value.
    parameters: Vec<(Stage, String, [f64; 4])>,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Stage {
    Vertex,
    Fragment,
}

/// A texture with nearest filtering that ends at its edges.
#[derive(Clone, Debug)]
struct Texture {
    unit: u32,
    /// `2D`, `1D` or `Rect`.
    target: String,
    size: Vec<u32>,
    /// The comparison of a texture of depths; else it has four quarters of one colour each.
    compare: Option<&'static str>,
}

#[derive(Clone, Debug)]
struct Probe {
    /// Column and row from the lower left; `None` for all pixels.
    at: Option<[u32; 2]>,
    colour: Vec<f64>,
}

/// The manifests of a test; what it does that none of them can say.
///
/// # Errors
/// The first such line.
pub(crate) fn manifests(test: &str) -> Result<Vec<String>, String> {
    let mut steps: Vec<Step> = Vec::new();
    // The first draw after the last time that the window was cleared.
    let mut first = 0;
    let mut state = State {
        ortho: None,
        colour: None,
        texture_coordinates: Vec::new(),
        textures: Vec::new(),
        parameters: Vec::new(),
    };
    for line in test.lines() {
        let line = line.split('#').next().unwrap_or("").trim();
        let words: Vec<&str> =
            line.split(|c: char| c.is_whitespace() || "(),;".contains(c)).filter(|word| !word.is_empty()).collect();
        if words.is_empty() {
            continue;
        }
        let known = match words[..] {
            ["clear"] => {
                first = steps.len();
                Some(())
            }
            ["clear", "color", ref rest @ ..] => numbers::<4>(rest).map(|_| ()),
            ["ortho"] => {
                state.ortho = Some([0.0, f64::from(SIZE[0]), 0.0, f64::from(SIZE[1])]);
                Some(())
            }
            ["ortho", ref rest @ ..] => numbers(rest).map(|sides| state.ortho = Some(sides)),
            ["color", ref rest @ ..] => numbers(rest).map(|colour| state.colour = Some(colour)),
            ["texcoord", unit, ref rest @ ..] => unit.parse().ok().zip(numbers(rest)).map(|(unit, value)| {
                state.texture_coordinates.retain(|(known, _)| *known != unit);
                state.texture_coordinates.push((unit, value));
            }),
            ["texture", kind, unit, ref size @ ..] => Texture::of(kind, unit, size).map(|texture| {
                state.textures.retain(|known| known.unit != texture.unit);
                state.textures.push(texture);
            }),
            ["texparameter", target, "compare_func", func] => {
                let last = state.textures.iter_mut().rfind(|texture| texture.target == target);
                last.zip(comparison(func)).and_then(|(texture, func)| texture.compare.replace(func)).map(|_| ())
            }
            // How a comparison is spread over the components, by default.
            ["texparameter", _, "depth_mode", "luminance"] => Some(()),
            ["parameter", kind, number, ref rest @ ..] => {
                parameter(kind, number).zip(numbers(rest)).map(|((stage, name), value)| {
                    state.parameters.retain(|(of, known, _)| (*of, known) != (stage, &name));
                    state.parameters.push((stage, name, value));
                })
            }
            ["draw", "rect", "tex", ref rest @ ..] => numbers::<8>(rest).map(|[x, y, w, h, s, t, sw, th]| {
                let (rect, texture, state) = ([x, y, w, h], Some([s, t, sw, th]), state.clone());
                steps.push(Step { rect, texture, state, probes: Vec::new() });
            }),
            ["draw", "rect", ref rest @ ..] => numbers(rest).map(|rect| {
                steps.push(Step { rect, texture: None, state: state.clone(), probes: Vec::new() });
            }),
            _ => probe(&words).map(|probe| {
                let drawn = steps.get_mut(first..).unwrap_or_default();
                match probe.at {
                    None => drawn.iter_mut().for_each(|step| step.probes.push(probe.clone())),
                    Some(at) => {
                        let seen = drawn.iter().rposition(|step| step.has(at));
                        let seen = seen.or(drawn.len().checked_sub(1));
                        if let Some(step) = seen.and_then(|seen| drawn.get_mut(seen)) {
                            step.probes.push(probe);
                        }
                    }
                }
            }),
        };
        if known.is_none() || steps.len() > MOST {
            return Err(line.to_string());
        }
    }
    Ok(steps.iter().map(Step::manifest).collect())
}

/// The manifest's word for a comparison of OpenGL.
fn comparison(func: &str) -> Option<&'static str> {
    Some(match func {
        "never" => "never",
        "less" => "less",
        "equal" => "equal",
        "lequal" => "less_equal",
        "greater" => "greater",
        "notequal" => "not_equal",
        "gequal" => "greater_equal",
        "always" => "always",
        _ => return None,
    })
}

impl Texture {
    fn of(kind: &str, unit: &str, size: &[&str]) -> Option<Texture> {
        let sides: Option<Vec<u32>> =
            size.iter().map(|side| side.parse().ok().filter(|side| (1..=64).contains(side))).collect();
        let (target, compare, sides_wanted) = match kind {
            "rgbw" => ("2D", None, 2),
            // The comparison that piglit starts with.
            "shadow1D" => ("1D", Some("greater"), 1),
            "shadow2D" => ("2D", Some("greater"), 2),
            "shadowRect" => ("Rect", Some("greater"), 2),
            _ => return None,
        };
        let size = sides.filter(|sides| sides.len() == sides_wanted)?;
        Some(Texture { unit: unit.parse().ok().filter(|unit| *unit < 32)?, target: target.into(), size, compare })
    }

    /// Quarters of red, green, blue and white, or depths from 0 on the left to 1 on the right.
    fn texels(&self) -> Vec<[f64; 4]> {
        let (width, height) = (self.size[0], self.size.get(1).copied().unwrap_or(1));
        let texel = |x: u32, y: u32| match (self.compare, x < width / 2, y < height / 2) {
            (Some(_), ..) => [f64::from(x) / f64::from((width - 1).max(1)), 0.0, 0.0, 1.0],
            (None, true, true) => [1.0, 0.0, 0.0, 1.0],
            (None, false, true) => [0.0, 1.0, 0.0, 1.0],
            (None, true, false) => [0.0, 0.0, 1.0, 1.0],
            (None, false, false) => [1.0; 4],
        };
        (0..height).flat_map(|y| (0..width).map(move |x| texel(x, y))).collect()
    }
}

/// So many numbers and no more.
fn numbers<const N: usize>(words: &[&str]) -> Option<[f64; N]> {
    let numbers: Option<Vec<f64>> = words.iter().map(|word| parallax_text::parse_f64(word)).collect();
    <[f64; N]>::try_from(numbers?).ok()
}

/// The stage and name of a parameter: `env_vp 0` is `program.env[0]` of the vertex program.
fn parameter(kind: &str, number: &str) -> Option<(Stage, String)> {
    let (file, stage) = kind.split_once('_')?;
    let stage = match stage {
        "vp" => Stage::Vertex,
        "fp" => Stage::Fragment,
        _ => return None,
    };
    let number: u32 = number.parse().ok()?;
    matches!(file, "env" | "local").then(|| (stage, format!("program.{file}[{number}]")))
}

fn probe(words: &[&str]) -> Option<Probe> {
    let comps = |kind: &str| match kind {
        "rgb" => Some(3),
        "rgba" => Some(4),
        _ => None,
    };
    let values = |words: &[&str]| words.iter().map(|word| parallax_text::parse_f64(word)).collect::<Option<Vec<f64>>>();
    let (at, colour) = match words {
        ["probe", "all", kind, rest @ ..] => (None, values(rest).filter(|found| Some(found.len()) == comps(kind))?),
        ["relative", "probe", kind, x, y, rest @ ..] => {
            let [x, y] = numbers([x, y].map(|word| *word).as_slice())?;
            let pixel = |share: f64, side: u32| ((share * f64::from(side)) as u32).min(side - 1);
            let colour = values(rest).filter(|found| Some(found.len()) == comps(kind))?;
            (Some([pixel(x, SIZE[0]), pixel(y, SIZE[1])]), colour)
        }
        ["probe", kind, x, y, rest @ ..] => {
            let at = [x.parse().ok().filter(|x| *x < SIZE[0])?, y.parse().ok().filter(|y| *y < SIZE[1])?];
            (Some(at), values(rest).filter(|found| Some(found.len()) == comps(kind))?)
        }
        _ => return None,
    };
    Some(Probe { at, colour })
}

impl Step {
    /// Whether the rectangle has a pixel, if the vertex program only projects it.
    fn has(&self, at: [u32; 2]) -> bool {
        let [left, right, bottom, top] = self.state.ortho.unwrap_or([-1.0, 1.0, -1.0, 1.0]);
        let place = |n: usize, from: f64, to: f64| from + (f64::from(at[n]) + 0.5) / f64::from(SIZE[n]) * (to - from);
        let (x, y) = (place(0, left, right), place(1, bottom, top));
        let [x0, y0, width, height] = self.rect;
        (x0..=x0 + width).contains(&x) && (y0..=y0 + height).contains(&y)
    }

    /// No line of it is a name in brackets, which would open a section.
    fn manifest(&self) -> String {
        let mut out = format!(
            "stage = \"fragment\"\nsize = {SIZE:?}\ntarget = \"unorm8\"\n\
             vertex.program = \"vertex.vp\"\nvertex.attributes = [\n"
        );
        // By number, since programs may call attributes generic (ARB_vertex_program, table X.2).
        let mut attribute = |index: u32, values: &[[f64; 4]]| {
            let _ = writeln!(out, "    {{ index = {index}, values = {values:?} }},");
        };
        let corners = |[x, y, width, height]: [f64; 4]| {
            [[x, y + height, 0.0, 1.0], [x + width, y + height, 0.0, 1.0], [x, y, 0.0, 1.0], [x + width, y, 0.0, 1.0]]
        };
        attribute(0, &corners(self.rect));
        // The current colour of OpenGL is white.
        attribute(3, &[self.state.colour.unwrap_or([1.0; 4])]);
        let texture = self.texture.map(|rect| corners(rect).to_vec());
        for unit in 0..8 {
            let set = self.state.texture_coordinates.iter().find(|(known, _)| *known == unit);
            let set = set.map_or([0.0, 0.0, 0.0, 1.0], |(_, value)| *value);
            match texture.as_ref().filter(|_| unit == 0) {
                Some(corners) => attribute(8, corners),
                None => attribute(8 + unit, &[set]),
            }
        }
        out.push_str("]\n");
        for (n, row) in self.projection().iter().enumerate() {
            for matrix in ["mvp", "projection"] {
                let _ = writeln!(out, "vertex.constants.\"state.matrix.{matrix}.row[{n}]\" = {row:?}");
            }
        }
        for (stage, name, value) in &self.state.parameters {
            let table = if *stage == Stage::Vertex { "vertex.constants" } else { "constants" };
            let _ = writeln!(out, "{table}.\"{name}\" = {value:?}");
        }
        out.push_str("textures = [\n");
        for texture in &self.state.textures {
            let compare = texture.compare.map_or(String::new(), |compare| format!(", compare = \"{compare}\""));
            let _ = writeln!(
                out,
                "    {{ unit = {}, size = {:?}, filter = \"nearest\", wrap = \"clamp\"{compare}, texels = {:?} }},",
                texture.unit,
                texture.size,
                texture.texels()
            );
        }
        out.push_str("]\nexpect = [\n");
        for Probe { at, colour } in &self.probes {
            let (place, all) = match at {
                None => ("\"all\"".to_string(), true),
                Some([x, y]) => (format!("[{x}, {}]", SIZE[1] - 1 - y), false),
            };
            let _ = writeln!(
                out,
                "    {{ pixel = {place}, values = {colour:?}, stored = true, covered_only = {all}, abs = {TOLERANCE:?} }},"
            );
        }
        out.push_str("]\n");
        out
    }

    /// The rows of the projection.
    fn projection(&self) -> [[f64; 4]; 4] {
        let [left, right, bottom, top] = self.state.ortho.unwrap_or([-1.0, 1.0, -1.0, 1.0]);
        let row = |low: f64, high: f64| (2.0 / (high - low), -(high + low) / (high - low));
        let ((x, dx), (y, dy)) = (row(left, right), row(bottom, top));
        // glOrtho from -1 to 1 turns z around; without a projection it stays.
        let z = if self.state.ortho.is_some() { -1.0 } else { 1.0 };
        [[x, 0.0, 0.0, dx], [0.0, y, 0.0, dy], [0.0, 0.0, z, 0.0], [0.0, 0.0, 0.0, 1.0]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probes_are_for_the_draw_that_has_the_pixel() {
        let test = "ortho 0 4 0 4\ndraw rect 0 0 2 4\ncolor 1 0 0 1\ndraw rect 2 0 2 4\n\
                    relative probe rgb (0.1, 0.9) (1, 2, 3)\nprobe rgba 200 0 4 5 6 7 # the right one\nprobe all rgb 0 0 0\n\
                    clear\ndraw rect -1 -1 1 1\nprobe rgb 249 249 8 8 8\n";
        let found = manifests(test).expect("a test");
        let expected = |n: usize| -> Vec<&str> { found[n].lines().filter(|line| line.contains("pixel")).collect() };
        assert_eq!(found.len(), 3);
        let line = |place: &str, values: &str, all: bool| {
            format!(
                "    {{ pixel = {place}, values = {values}, stored = true, covered_only = {all}, abs = 0.01171875 }},"
            )
        };
        let all = line("\"all\"", "[0.0, 0.0, 0.0]", true);
        assert_eq!(expected(0), [line("[25, 24]", "[1.0, 2.0, 3.0]", false), all.clone()]);
        assert_eq!(expected(1), [line("[200, 249]", "[4.0, 5.0, 6.0, 7.0]", false), all]);
        // The last draw has what no rectangle has.
        assert_eq!(expected(2), [line("[249, 0]", "[8.0, 8.0, 8.0]", false)]);
        assert!(found[0].contains("{ index = 3, values = [[1.0, 1.0, 1.0, 1.0]] }"), "{}", found[0]);
        assert!(found[1].contains("{ index = 3, values = [[1.0, 0.0, 0.0, 1.0]] }"), "{}", found[1]);
        assert!(
            found[1]
                .contains("[[2.0, 4.0, 0.0, 1.0], [4.0, 4.0, 0.0, 1.0], [2.0, 0.0, 0.0, 1.0], [4.0, 0.0, 0.0, 1.0]]")
        );
        assert!(found[0].contains("\"state.matrix.mvp.row[0]\" = [0.5, 0.0, 0.0, -1.0]"), "{}", found[0]);
    }

    #[test]
    fn what_no_manifest_can_say_is_named() {
        for line in [
            "fb tex 2d 0",
            "draw rect 0 0 1",
            "texture miptree 0",
            "texture rgbw 0 (8000, 8)",
            "texparameter 2D compare_func lequal",
            "parameter local_gp 0 (1, 2, 3, 4)",
            "parameter env_vp x (1, 2, 3, 4)",
            "probe rgba 250 0 1 2 3 4",
            "relative probe rgba (0.5, 0.5) (1, 2, 3)",
            "clear depth 1",
        ] {
            assert_eq!(manifests(&format!("draw rect 0 0 1 1\n{line}\n")), Err(line.to_string()));
        }
        let many = "draw rect 0 0 1 1\n".repeat(MOST + 1);
        assert_eq!(manifests(&many), Err("draw rect 0 0 1 1".to_string()));
        assert_eq!(manifests("# nothing\n\n"), Ok(Vec::new()));
        assert_eq!(manifests("probe all rgba 0 0 0 0"), Ok(Vec::new()));
    }

    #[test]
    fn textures_have_quarters_or_depths() {
        let quarters = Texture::of("rgbw", "1", &["2", "2"]).expect("a texture");
        let rgbw = [[1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 1.0], [0.0, 0.0, 1.0, 1.0], [1.0; 4]];
        assert_eq!((quarters.unit, quarters.texels()), (1, rgbw.to_vec()));
        let depths = Texture::of("shadow1D", "0", &["3"]).expect("a texture").texels();
        assert_eq!(depths.iter().map(|texel| texel[0]).collect::<Vec<_>>(), [0.0, 0.5, 1.0]);
        assert!(Texture::of("shadow2D", "0", &["3"]).is_none() && Texture::of("rgbw", "40", &["2", "2"]).is_none());
    }
}
