//! Profiles as TOML. `docs/models.md` describes the schema; the built-in profiles stand in `docs/profiles`.

use super::{Domain, Formula, Precision, Profile, Support, Tolerance, ToleranceRow};
use crate::toml_reader::{Codes, TomlReader, Value, span};
use crate::{Decl, OpSet};
use parallax_text::{Diag, Span};
use toml::de::{DeTable, DeValue};

const CODES: Codes =
    Codes { syntax: "profile-syntax", key: "profile-key", kind: "profile-type", value: "profile-value" };

impl Profile {
    /// Reads the text of a profile file.
    ///
    /// # Errors
    /// All problems of the text, in order of place.
    pub fn from_toml(text: &str) -> Result<Profile, Vec<Diag>> {
        TomlReader::document(CODES, text, profile)
    }
}

const KEYS: [&str; 12] = [
    "name",
    "title",
    "about",
    "slot",
    "exponents",
    "fraction",
    "step",
    "largest",
    "subnormals",
    "infinities",
    "nan",
    "bound",
];
const BOUND_KEYS: [&str; 14] = [
    "ops",
    "source",
    "operand",
    "range",
    "magnitude",
    "correct",
    "ulp",
    "ulp_per_operand",
    "ulp_floor_per_operand",
    "absolute",
    "relative",
    "of_largest_squared",
    "formula",
    "anything",
];

fn profile(reader: &mut TomlReader, table: &DeTable<'_>) -> Option<Profile> {
    let mut name = None;
    // Step and range of fixed point, and where they stand.
    let mut fixed: [Option<(f64, Span)>; 2] = [None; 2];
    let mut made = Profile {
        name: String::new(),
        title: String::new(),
        about: String::new(),
        slot: Decl::F32,
        precision: Precision {
            exponents: (-126, 127),
            fraction: 23,
            fixed: None,
            subnormals: Support::Maybe,
            infinities: Support::Yes,
            nan: Support::Maybe,
        },
        bounds: Vec::new(),
    };
    for (key, value) in table {
        match key.get_ref().as_ref() {
            "name" => name = reader.string(value).map(|text| (text, span(value))),
            "title" => made.title = reader.string(value).unwrap_or_default(),
            "about" => made.about = reader.string(value).map(|t| t.trim().to_string()).unwrap_or_default(),
            "slot" => {
                if let Some(text) = reader.string(value) {
                    match Decl::from_name(&text) {
                        Some(decl) => made.slot = decl,
                        None => reader.unknown(&text, span(value), "slot format", &Decl::ALL.map(Decl::name)),
                    }
                }
            }
            "exponents" => {
                let ends = numbers(reader, value, 2);
                if let [low, high] = ends[..] {
                    let whole = low.fract() == 0.0 && high.fract() == 0.0;
                    if !whole || low >= high || low < -900.0 || high > 1023.0 {
                        let message = "expected two whole numbers, the lower first, from -900 to 1023";
                        reader.error(span(value), CODES.value, message);
                    } else {
                        made.precision.exponents = (low as i32, high as i32);
                    }
                }
            }
            "fraction" => match number(reader, value) {
                Some(bits) if bits.fract() == 0.0 && (1.0..=52.0).contains(&bits) => {
                    made.precision.fraction = bits as u32
                }
                Some(_) => reader.error(span(value), CODES.value, "expected 1 to 52 bits"),
                None => {}
            },
            word @ ("step" | "largest") => {
                if let Some(size) = number(reader, value) {
                    if size > 0.0 && size.is_finite() {
                        fixed[usize::from(word != "step")] = Some((size, span(value)));
                    } else {
                        reader.error(span(value), CODES.value, "expected a size above 0");
                    }
                }
            }
            "subnormals" => made.precision.subnormals = support(reader, value).unwrap_or(Support::Maybe),
            "infinities" => made.precision.infinities = support(reader, value).unwrap_or(Support::Maybe),
            "nan" => made.precision.nan = support(reader, value).unwrap_or(Support::Maybe),
            "bound" => {
                for item in reader.tables(value, "[[bound]]") {
                    made.bounds.extend(bound(reader, item));
                }
            }
            other => reader.unknown(other, span(key), "key", &KEYS),
        }
    }
    match fixed {
        [Some((step, _)), Some((largest, _))] if largest > step => made.precision.fixed = Some((step, largest)),
        [Some(_), Some((_, place))] => reader.error(place, CODES.value, "`largest` must be more than one `step`"),
        [Some((_, place)), None] => {
            reader.error(place, CODES.value, "fixed point also needs `largest`, the magnitude below which numbers stay")
        }
        [None, Some((_, place))] => {
            reader.error(place, CODES.value, "`largest` is for fixed point, which also needs `step`")
        }
        [None, None] => {}
    }
    let Some((text, place)) = name else {
        reader.error(Span::new(0, 0), "profile-name", "a profile file needs a `name`");
        return None;
    };
    reader.is_name(&text, place, "profile-name");
    made.name = text;
    Some(made)
}

fn support(reader: &mut TomlReader, value: &Value<'_>) -> Option<Support> {
    let text = reader.string(value)?;
    let found = Support::from_name(&text);
    if found.is_none() {
        reader.unknown(&text, span(value), "word", &Support::ALL.map(Support::name));
    }
    found
}

/// A number: TOML's own, or a string such as `"2^-21"`.
fn number(reader: &mut TomlReader, value: &Value<'_>) -> Option<f64> {
    let text = reader.written(value)?;
    let parsed = match text.strip_prefix("2^") {
        Some(exp) => exp
            .parse::<i32>()
            .ok()
            .filter(|e| (-1022..=1023).contains(e))
            .map(|e| f64::from_bits(((e + 1023) as u64) << 52)),
        None => text.parse::<f64>().ok().filter(|v| !v.is_nan()),
    };
    if parsed.is_none() {
        reader.error(
            span(value),
            CODES.value,
            format!("`{text}` is not a number; powers of two are written \"2^-21\""),
        );
    }
    parsed
}

/// An array of `count` numbers.
fn numbers(reader: &mut TomlReader, value: &Value<'_>, count: usize) -> Vec<f64> {
    match value.get_ref() {
        DeValue::Array(items) if items.len() == count => items.iter().filter_map(|item| number(reader, item)).collect(),
        _ => {
            reader.expected(value, &format!("an array of {count} numbers"));
            Vec::new()
        }
    }
}

/// One `[[bound]]` table.
fn bound(reader: &mut TomlReader, value: &Value<'_>) -> Option<ToleranceRow> {
    let DeValue::Table(table) = value.get_ref() else {
        reader.expected(value, "a table");
        return None;
    };
    let mut ops = OpSet::EMPTY;
    let mut source = String::new();
    let mut operand = 0usize;
    let mut range: Option<((f64, f64), bool)> = None;
    let mut ulps: (Option<f64>, f64, f64) = (None, 0.0, 0.0);
    let mut tolerances = Vec::new();
    for (key, value) in table {
        match key.get_ref().as_ref() {
            "ops" => ops = reader.ops(value),
            "source" => source = reader.string(value).unwrap_or_default(),
            "operand" => match number(reader, value) {
                Some(n) if n.fract() == 0.0 && (0.0..8.0).contains(&n) => operand = n as usize,
                Some(_) => reader.error(span(value), CODES.value, "operands are counted from 0 to 7"),
                None => {}
            },
            word @ ("range" | "magnitude") => {
                if let [low, high] = numbers(reader, value, 2)[..] {
                    if low > high {
                        reader.error(span(value), CODES.value, "the lower end must come first");
                    }
                    range = Some(((low, high), word == "magnitude"));
                }
            }
            "correct" => tolerances.extend(reader.boolean(value).filter(|t| *t).map(|_| Tolerance::Correct)),
            "anything" => tolerances.extend(reader.boolean(value).filter(|t| *t).map(|_| Tolerance::Anything)),
            "ulp" => ulps.0 = number(reader, value),
            "ulp_per_operand" => ulps.1 = number(reader, value).unwrap_or_default(),
            "ulp_floor_per_operand" => ulps.2 = number(reader, value).unwrap_or_default(),
            "absolute" => tolerances.extend(number(reader, value).map(Tolerance::Absolute)),
            "relative" => tolerances.extend(number(reader, value).map(Tolerance::Relative)),
            "of_largest_squared" => tolerances.extend(number(reader, value).map(Tolerance::OfLargestSquared)),
            "formula" => {
                if let Some(text) = reader.string(value) {
                    match Formula::from_name(&text) {
                        Some(formula) => tolerances.push(Tolerance::Formula(formula)),
                        None => reader.unknown(&text, span(value), "formula", &Formula::ALL.map(Formula::name)),
                    }
                }
            }
            other => reader.unknown(other, span(key), "key", &BOUND_KEYS),
        }
    }
    let (fixed, per_operand, floor_per_operand) = ulps;
    tolerances.extend(fixed.map(|fixed| Tolerance::Ulp { fixed, per_operand, floor_per_operand }));
    if fixed.is_none() && (per_operand != 0.0 || floor_per_operand != 0.0) {
        reader.error(span(value), "profile-bound", "bounds per operand need `ulp`, which may be 0");
    }
    if ops == OpSet::EMPTY {
        reader.error(span(value), "profile-bound", "a bound needs `ops`");
    }
    let [tolerance] = tolerances[..] else {
        let message = "a bound needs exactly one of `correct`, `ulp`, `absolute`, `relative`, `of_largest_squared`, `formula` and \
                       `anything`";
        reader.error(span(value), "profile-bound", message);
        return None;
    };
    let sizes = match tolerance {
        Tolerance::Ulp { fixed, per_operand, floor_per_operand } => [fixed, per_operand, floor_per_operand],
        Tolerance::Absolute(size) | Tolerance::Relative(size) | Tolerance::OfLargestSquared(size) => [size, 0.0, 0.0],
        Tolerance::Correct | Tolerance::Formula(_) | Tolerance::Anything => [0.0; 3],
    };
    if sizes.iter().any(|size| *size < 0.0) {
        reader.error(span(value), CODES.value, "an error bound cannot be negative");
    }
    if source.trim().is_empty() {
        reader.error(span(value), "profile-source", "a bound needs a `source`: the document that says so");
    }
    let domain = range.map(|(range, magnitude)| Domain { operand, range, magnitude });
    Some(ToleranceRow { ops, domain, tolerance, source })
}
