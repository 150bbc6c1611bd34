//! `[[expect]]`: what a result has to be, and how closely.

use super::Manifest;
use super::tree::{self, Number, Tree, Value};
use crate::frame::{Channel, Frame};
use crate::npy;
use crate::problem::Problems;
use parallax_core::exec::Plane;
use parallax_core::num::{Decl, Format, Rule, ulp};
use parallax_core::{Interface, OutputRole, Type};
use parallax_text::{Diag, Span};
use toml::de::DeValue;

/// Values that a frame has to hold.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Expectation {
    place: Place,
    values: Values,
    tolerance: Tolerance,
    /// Models it is for; nobody is all.
    models: Vec<String>,
    span: Span,
}

/// Where the values are.
#[derive(Clone, Debug, PartialEq)]
enum Place {
    /// Components of an output, the first colour if none is named, in one pixel or in all.
    Pixel {
        at: Option<(u32, u32)>,
        output: Option<String>,
        /// Whether what the render target stores is looked at.
        stored: bool,
        /// Whether pixels that are not covered are left out.
        covered_only: bool,
    },
    /// Words of a buffer.
    Buffer { name: String, from: u32 },
}

#[derive(Clone, Debug, PartialEq)]
enum Values {
    Listed(Vec<Number>),
    File { path: String, span: Span },
}

/// How close a value has to be.
#[derive(Copy, Clone, Debug, PartialEq)]
enum Tolerance {
    /// The same bits; any NaN for `nan`.
    Equal,
    /// So many steps of the declared format at the expected value.
    Ulp(f64),
    /// So much.
    Abs(f64),
}

/// An expectation that does not hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Unmet {
    /// Which one, counted from 0.
    pub number: usize,
    /// The first value that is not as expected, and how many there are.
    pub diag: Diag,
}

impl Manifest {
    /// Number of expectations for a model, by its label.
    pub fn expectations(&self, model: &str) -> usize {
        self.expectations.iter().filter(|e| e.is_for(model)).count()
    }

    /// Whether an expectation is for a model, by its label.
    pub fn expects_of(&self, number: usize, model: &str) -> bool {
        self.expectations.get(number).is_some_and(|e| e.is_for(model))
    }

    /// The expectations that a frame does not meet, whatever model they are for.
    ///
    /// # Errors
    /// Expectations that do not fit the program or its frame; files that cannot be read.
    pub fn unmet(&self, iface: &Interface, frame: &Frame) -> Result<Vec<Unmet>, Problems> {
        let mut unmet = Vec::new();
        let mut diags = Vec::new();
        for (number, expectation) in self.expectations.iter().enumerate() {
            match self.judge(expectation, iface, frame) {
                Ok(None) => {}
                Ok(Some(message)) => {
                    unmet.push(Unmet { number, diag: Diag::invalid("manifest-unmet", expectation.span, message) });
                }
                Err(diag) => diags.push(*diag),
            }
        }
        if diags.is_empty() { Ok(unmet) } else { Err(Problems::new(&self.name, &self.text, diags)) }
    }

    /// What is not as expected; `None` if all is.
    fn judge(&self, of: &Expectation, iface: &Interface, frame: &Frame) -> Result<Option<String>, Box<Diag>> {
        let fail = |message: String| Box::new(Diag::invalid("manifest-expect", of.span, message));
        let values = self.values(of)?;
        let mut found = Found::default();
        match &of.place {
            Place::Buffer { name, from } => {
                let known = iface.resolve(name);
                let number = iface.buffers.iter().position(|buffer| buffer.name == known);
                let words = number.and_then(|number| frame.buffers.get(number));
                let (Some(number), Some(words)) = (number, words) else {
                    return Err(fail(format!("the program writes no buffer `{name}`")));
                };
                let from = *from as usize;
                if words.len().saturating_sub(from) < values.len() {
                    let (all, count) = (words.len(), values.len());
                    return Err(fail(format!("`{name}` has {all} words: {count} from {from} on are too many")));
                }
                let kind = if iface.buffers[number].floats { Kind::Float(Decl::F32) } else { Kind::Integer };
                for (n, (expected, word)) in values.iter().zip(&words[from..]).enumerate() {
                    let place = || format!("`{name}`[{}]", from + n);
                    found.look(place, kind, u64::from(*word), *expected, of.tolerance).map_err(&fail)?;
                }
            }
            Place::Pixel { at, output, stored, covered_only } => {
                let channels =
                    values.iter().enumerate().map(|(comp, _)| channel(iface, frame, output.as_deref(), comp));
                let channels: Vec<&Channel> = channels.collect::<Result<_, _>>().map_err(&fail)?;
                let (width, height) = (frame.width, frame.height);
                if let Some((x, y)) = at.filter(|(x, y)| *x >= width || *y >= height) {
                    return Err(fail(format!("pixel {x},{y} is outside of {width}x{height} pixels, counted from 0")));
                }
                let pixels = match at {
                    Some((x, y)) => {
                        let pixel = *y as usize * width as usize + *x as usize;
                        pixel..pixel + 1
                    }
                    None => 0..frame.pixels(),
                };
                for (channel, expected) in channels.iter().zip(&values) {
                    let kind = Kind::of(channel.ty);
                    let (words, kind) = match channel.stored.as_ref().filter(|_| *stored) {
                        // In binary64 every stored number is exact.
                        Some(stored) => (
                            Plane::U64(stored.values().iter().map(|value| value.to_bits()).collect()),
                            Kind::Float(Decl::F64),
                        ),
                        None => (channel.declared_bits(), kind),
                    };
                    for pixel in pixels.clone() {
                        let (x, y) = (pixel % width as usize, pixel / width as usize);
                        let place = || format!("{} of pixel {x},{y}", channel.name());
                        if frame.covered[pixel] {
                            found.look(place, kind, words.get(pixel), *expected, of.tolerance).map_err(&fail)?;
                        } else if !covered_only {
                            found.note(|| format!("{} is not covered", place()));
                        }
                    }
                }
            }
        }
        Ok(found.message())
    }

    /// The values, those of a file included.
    fn values(&self, of: &Expectation) -> Result<Vec<Number>, Box<Diag>> {
        match &of.values {
            Values::Listed(values) => Ok(values.clone()),
            Values::File { path, span } => {
                let full = self.folder.join(path);
                let words = npy::words(&full).map_err(|message| {
                    Box::new(Diag::invalid("manifest-expect", *span, format!("{}: {message}", full.display())))
                })?;
                Ok(words.into_iter().map(Number::Bits).collect())
            }
        }
    }

    /// Reads an entry.
    pub(super) fn expectation(&mut self, tree: &mut Tree, value: &Value<'_>) {
        let Some(table) = tree.table(value) else { return };
        let (span, before) = (tree::span(value), tree.errors());
        let mut tolerance = None;
        let (mut pixel, mut output, mut buffer, mut from) = (None, None, None, None);
        let (mut stored, mut covered_only) = (false, false);
        let (mut values, mut models) = (None, Vec::new());
        const KEYS: &[&str] = &[
            "pixel",
            "output",
            "stored",
            "covered_only",
            "buffer",
            "from",
            "values",
            "file",
            "eq",
            "ulp",
            "abs",
            "models",
        ];
        for (key, value) in tree.entries(table, KEYS) {
            match key.name {
                "pixel" => pixel = tree.pixel(value),
                "output" => output = tree.string(value).map(|name| (name, key.span)),
                "stored" => stored = tree.boolean(value).unwrap_or(false),
                "covered_only" => covered_only = tree.boolean(value).unwrap_or(false),
                "buffer" => buffer = tree.string(value),
                "from" => from = tree.integer(value, u32::MAX).map(|from| (from, key.span)),
                "values" | "file" if values.is_some() => {
                    tree.error(key.span, "manifest-expect", "give `values` or `file`, not both");
                }
                "values" => values = tree.list(value).map(Values::Listed),
                "file" => {
                    values = tree.string(value).map(|path| Values::File { path, span: tree::span(value) });
                }
                "eq" | "ulp" | "abs" if tolerance.is_some() => {
                    tree.error(key.span, "manifest-expect", "give one of `eq`, `ulp` and `abs`");
                }
                "eq" => match tree.boolean(value) {
                    Some(true) => tolerance = Some(Tolerance::Equal),
                    Some(false) => {
                        tree.error(key.span, "manifest-expect", "use `ulp` or `abs` instead of `eq = false`")
                    }
                    None => {}
                },
                "ulp" => tolerance = tree.magnitude(value).map(Tolerance::Ulp),
                "abs" => tolerance = tree.magnitude(value).map(Tolerance::Abs),
                _ => models = tree.strings(value),
            }
        }
        let place = match (pixel, buffer) {
            (Some(_), Some(_)) | (None, None) => {
                if tree.errors() == before {
                    tree.error(span, "manifest-expect", "give a `pixel` or a `buffer`");
                }
                return;
            }
            (Some(at), None) => {
                if let Some((_, span)) = from {
                    tree.error(span, "manifest-expect", "`from` is for buffers");
                }
                Place::Pixel { at, output: output.map(|(name, _)| name), stored, covered_only }
            }
            (None, Some(name)) => {
                if let Some((_, span)) = output {
                    tree.error(span, "manifest-expect", "`output` is for pixels");
                }
                Place::Buffer { name, from: from.map_or(0, |(from, _)| from) }
            }
        };
        match values {
            Some(Values::Listed(values)) if values.is_empty() => {
                tree.error(span, "manifest-expect", "`values` is empty")
            }
            Some(Values::Listed(values)) if matches!(place, Place::Pixel { .. }) && values.len() > 4 => {
                tree.error(span, "manifest-expect", format!("an output has up to 4 components, not {}", values.len()));
            }
            Some(Values::File { span, .. }) if matches!(place, Place::Pixel { .. }) => {
                tree.error(
                    span,
                    "manifest-expect",
                    "`file` is for buffers: list the components of a pixel in `values`",
                );
            }
            None if tree.errors() == before => tree.error(span, "manifest-expect", "`values` or `file` is missing"),
            Some(values) if tree.errors() == before => {
                let tolerance = tolerance.unwrap_or(Tolerance::Equal);
                self.expectations.push(Expectation { place, values, tolerance, models, span });
            }
            _ => {}
        }
    }
}

impl Expectation {
    /// A model's name covers the model with any settings and probes.
    fn is_for(&self, model: &str) -> bool {
        let name = model.split(['[', '@']).next().unwrap_or(model);
        self.models.is_empty() || self.models.iter().any(|known| known == model || known == name)
    }
}

/// A component of an output; of the first colour if none is named.
fn channel<'f>(iface: &Interface, frame: &'f Frame, output: Option<&str>, comp: usize) -> Result<&'f Channel, String> {
    let known = output.map(|name| iface.resolve(name));
    let is_it = |channel: &&Channel| match known {
        Some(name) => channel.output == name,
        None => channel.role == OutputRole::Color(0),
    };
    let found = frame.channels.iter().filter(is_it).find(|channel| usize::from(channel.comp) == comp);
    found.ok_or_else(|| {
        let name = char::from(b"xyzw"[comp & 3]);
        let outputs = || {
            let mut names: Vec<&str> = frame.channels.iter().map(|channel| channel.output.as_str()).collect();
            names.dedup();
            names.join(", ")
        };
        match output {
            _ if !frame.channels.iter().any(|channel| is_it(&channel)) => {
                format!("the program writes no {}; it writes {}", output.unwrap_or("colour"), outputs())
            }
            Some(output) => format!("the program writes no component {name} of {output}"),
            None => format!("the program writes no component {name} of its first colour"),
        }
    })
}

/// What kind of word is compared.
#[derive(Copy, Clone, Debug, PartialEq)]
enum Kind {
    Float(Decl),
    Integer,
}

impl Kind {
    fn of(ty: Type) -> Kind {
        ty.decl().map_or(Kind::Integer, Kind::Float)
    }
}

/// What was found not to be as expected.
#[derive(Default)]
struct Found {
    first: Option<String>,
    wrong: u64,
    compared: u64,
}

impl Found {
    /// Compares a word.
    fn look(
        &mut self,
        place: impl Fn() -> String,
        kind: Kind,
        word: u64,
        expected: Number,
        tolerance: Tolerance,
    ) -> Result<(), String> {
        self.compared += 1;
        let unlike = match kind {
            Kind::Float(decl) => unlike_float(decl, word, expected, tolerance),
            Kind::Integer => unlike_integer(word as u32, expected, tolerance)?,
        };
        if let Some(text) = unlike {
            self.wrong += 1;
            self.first.get_or_insert_with(|| format!("{}: {text}", place()));
        }
        Ok(())
    }

    /// Notes something that cannot be compared.
    fn note(&mut self, text: impl Fn() -> String) {
        self.compared += 1;
        self.wrong += 1;
        self.first.get_or_insert_with(text);
    }

    fn message(self) -> Option<String> {
        let first = self.first?;
        Some(match self.wrong {
            1 => first,
            wrong => format!("{first}; {wrong} of {} values are not as expected", self.compared),
        })
    }
}

/// What is wrong with a float.
fn unlike_float(decl: Decl, word: u64, expected: Number, tolerance: Tolerance) -> Option<String> {
    let format = decl.format();
    let storage = format.storage();
    let bits = match expected {
        Number::Bits(bits) => u64::from(bits),
        Number::Value { single, .. } if format == Format::F32 => u64::from(single.to_bits()),
        Number::Value { exact, .. } => ulp::from_f64(exact, &Rule::ieee(decl, format)),
    };
    let exact = match expected {
        Number::Bits(bits) => ulp::to_f64(u64::from(bits), storage),
        Number::Value { exact, .. } => exact,
    };
    let found = ulp::to_f64(word, storage);
    let (distance, unit) = (found - exact, ulp::step(exact, format));
    let holds = match (tolerance, expected) {
        _ if word == bits => true,
        (_, Number::Value { exact, .. }) if exact.is_nan() => found.is_nan(),
        (Tolerance::Equal, _) => false,
        (Tolerance::Ulp(most), _) => distance.abs() <= most * unit,
        (Tolerance::Abs(most), _) => distance.abs() <= most,
    };
    (!holds).then(|| {
        let said = |bits| format!("{} ({})", ulp::decimal(bits, storage), ulp::hex(bits, storage));
        let steps = (distance / unit).abs();
        let away = if steps.is_finite() { format!(", {} ulp away", round(steps)) } else { String::new() };
        format!("expected {}, found {}{away}", said(bits), said(word))
    })
}

/// A number of steps for reading.
fn round(steps: f64) -> String {
    let tenths = (steps * 10.0).round() / 10.0;
    if tenths > 0.0 { tenths.to_string() } else { format!("{steps:e}") }
}

/// What is wrong with an integer.
fn unlike_integer(word: u32, expected: Number, tolerance: Tolerance) -> Result<Option<String>, String> {
    let (number, is_signed) = match expected {
        Number::Bits(bits) => (i64::from(bits), false),
        Number::Value { exact, .. } => {
            let number = exact as i64;
            let range = i64::from(i32::MIN)..=i64::from(u32::MAX);
            if number as f64 != exact || !range.contains(&number) {
                return Err(format!("{exact} is not an integer of 32 bits, which this output or buffer holds"));
            }
            (number, number < 0)
        }
    };
    let found = if is_signed { i64::from(word as i32) } else { i64::from(word) };
    let most = match tolerance {
        Tolerance::Equal => 0.0,
        Tolerance::Abs(most) => most,
        Tolerance::Ulp(_) => return Err("`ulp` is for floats: use `abs` for integers".into()),
    };
    let holds = (found - number).abs() as f64 <= most;
    Ok((!holds).then(|| format!("expected {number}, found {found}")))
}

impl Tree {
    /// `[x, y]` or `"all"`.
    fn pixel(&mut self, value: &Value<'_>) -> Option<Option<(u32, u32)>> {
        match value.get_ref() {
            DeValue::String(text) if text == "all" => Some(None),
            DeValue::Array(items) if items.len() == 2 => {
                let (x, y) = (self.integer(&items[0], u32::MAX), self.integer(&items[1], u32::MAX));
                Some(Some((x?, y?)))
            }
            _ => {
                self.expected(value, "[x, y] or \"all\"");
                None
            }
        }
    }

    /// A number that is not negative.
    fn magnitude(&mut self, value: &Value<'_>) -> Option<f64> {
        let number = self.double(value)?;
        if number >= 0.0 {
            return Some(number);
        }
        self.error(tree::span(value), "manifest-range", format!("{number} is not 0 or more"));
        None
    }
}
