//! What must hold of buffers.

use super::buffer::{Buffer, channel};
use super::format::{Format, Scalar};
use super::script::{Comparator, Expectation, ExpectationKind, Tolerance};
use std::collections::BTreeMap;

/// In hundredths of what is expected: how exact a float has to be that is given with a point.
const EXACT: Tolerance = Tolerance { value: 1e-6, percent: true };
/// How exact a colour has to be.
const COLOUR: Tolerance = Tolerance { value: 0.002, percent: false };

impl Tolerance {
    fn holds(self, actual: f64, expected: f64) -> bool {
        if actual.is_nan() || expected.is_nan() {
            return actual.is_nan() == expected.is_nan();
        }
        let most = if self.percent { self.value / 100.0 * expected.abs() } else { self.value };
        actual == expected || (actual - expected).abs() <= most
    }
}

/// Checks an expectation.
///
/// # Errors
/// The first difference.
pub(super) fn check(expected: &Expectation, buffers: &BTreeMap<String, Buffer>) -> Result<(), String> {
    let named = |name: &str| buffers.get(name).ok_or_else(|| format!("unknown buffer {name}"));
    let buffer = named(&expected.buffer)?;
    let checked = match &expected.kind {
        ExpectationKind::Numbers { at, format, comparator, values, tolerances } => {
            let format = format.as_ref().unwrap_or(&buffer.format);
            numbers(buffer, format, *at, *comparator, values, tolerances)
        }
        ExpectationKind::Colours { rect, colour, tolerances } => colours(buffer, *rect, colour, tolerances),
        ExpectationKind::Same(other) => same(buffer, named(other)?),
        ExpectationKind::Near(other, most) => near(buffer, named(other)?, *most),
        ExpectationKind::Histogram(other, most) => histogram(buffer, named(other)?, *most),
    };
    checked.map_err(|difference| format!("line {}: {}: {difference}", expected.line, expected.buffer))
}

fn numbers(
    buffer: &Buffer,
    format: &Format,
    at: usize,
    comparator: Comparator,
    values: &[String],
    tolerances: &[Tolerance],
) -> Result<(), String> {
    let segments = format.numbers();
    for (n, text) in values.iter().enumerate() {
        let segment = segments[n % segments.len()];
        let element = at + n / segments.len() * format.size;
        let bits = buffer.read(element, segment).ok_or_else(|| format!("value {n} lies beyond the end"))?;
        let wanted = segment.scalar.encode(text).ok_or_else(|| format!("`{text}` is not a number"))?;
        let is_float = matches!(segment.scalar, Scalar::Float(_));
        // What a script gives as a float is one, whatever the number of the buffer is.
        let expected = match text.parse::<f64>() {
            Ok(value) if !matches!(segment.scalar, Scalar::Float(_)) && text.contains('.') => value,
            _ => segment.scalar.number(wanted),
        };
        let actual = segment.scalar.number(bits);
        let is_equal = match tolerances {
            [] if is_float => EXACT.holds(actual, expected),
            [] => bits == wanted,
            [first, ..] => first.holds(actual, expected),
        };
        let holds = match comparator {
            Comparator::Eq => is_equal,
            Comparator::Ne => !is_equal,
            Comparator::Lt => actual < expected,
            Comparator::Le => actual <= expected,
            Comparator::Gt => actual > expected,
            Comparator::Ge => actual >= expected,
        };
        if !holds {
            return Err(format!("value {n} is {actual} ({bits:x}), expected {comparator:?} {text}"));
        }
    }
    Ok(())
}

fn colours(
    buffer: &Buffer,
    [left, top, width, height]: [usize; 4],
    colour: &[f64],
    tolerances: &[Tolerance],
) -> Result<(), String> {
    let [across, down, _] = buffer.size.ok_or("the buffer has no width and height")?;
    if left + width > across || top + height > down {
        return Err(format!("the rectangle lies outside of {across}x{down}"));
    }
    let tolerance = |place: usize| match tolerances {
        [] => COLOUR,
        [only] => *only,
        all => all.get(place).copied().unwrap_or(COLOUR),
    };
    for (y, x) in (top..top + height).flat_map(|y| (left..left + width).map(move |x| (y, x))) {
        for segment in &buffer.format.segments {
            let Some(place) = channel(segment.component).filter(|place| *place < colour.len()) else { continue };
            let bits = buffer.read((y * across + x) * buffer.format.size, *segment).ok_or("beyond the end")?;
            let actual = segment.scalar.normalised(segment.component, bits);
            if !tolerance(place).holds(actual, colour[place]) {
                let (component, expected) = (segment.component, colour[place] * 255.0);
                let actual = actual * 255.0;
                return Err(format!("{component:?} of ({x}, {y}) is {actual}, expected {expected}"));
            }
        }
    }
    Ok(())
}

fn same(buffer: &Buffer, other: &Buffer) -> Result<(), String> {
    if buffer.bytes.len() != other.bytes.len() {
        return Err(format!("{} bytes, the other has {}", buffer.bytes.len(), other.bytes.len()));
    }
    match buffer.bytes.iter().zip(&other.bytes).position(|(a, b)| a != b) {
        None => Ok(()),
        Some(at) => {
            let word = at / 4 * 4;
            let words = |buffer: &Buffer| buffer.words(word).first().copied().unwrap_or(0);
            let different = buffer.bytes.iter().zip(&other.bytes).filter(|(a, b)| a != b).count();
            Err(format!(
                "{different} bytes differ; the word at byte {word} is {:08x}, expected {:08x}",
                words(buffer),
                words(other)
            ))
        }
    }
}

fn all_numbers(buffer: &Buffer) -> impl Iterator<Item = f64> {
    let segments = &buffer.format.segments;
    (0..buffer.elements()).flat_map(move |n| {
        let number = move |segment| buffer.read(n * buffer.format.size, segment);
        segments.iter().filter_map(move |segment| Some(segment.scalar.number(number(*segment)?)))
    })
}

fn near(buffer: &Buffer, other: &Buffer, most: f64) -> Result<(), String> {
    let squares: Vec<f64> = all_numbers(buffer).zip(all_numbers(other)).map(|(a, b)| (a - b) * (a - b)).collect();
    let error = (squares.iter().sum::<f64>() / squares.len() as f64).sqrt();
    // Whatever is no number is no match either.
    if error <= most { Ok(()) } else { Err(format!("the root of the mean square is {error}, at most {most}")) }
}

fn histogram(buffer: &Buffer, other: &Buffer, most: f64) -> Result<(), String> {
    let channels = buffer.format.segments.len();
    let bins = |buffer: &Buffer, channel: usize| {
        let mut bins = [0.0; 256];
        for number in all_numbers(buffer).skip(channel).step_by(channels) {
            bins[(number as usize).min(255)] += 1.0 / buffer.elements() as f64;
        }
        bins
    };
    for channel in 0..channels {
        let (a, b) = (bins(buffer, channel), bins(other, channel));
        let (mut moved, mut total) = (0.0, 0.0);
        for (a, b) in a.iter().zip(&b) {
            moved += a - b;
            total += f64::abs(moved);
        }
        if total / 256.0 > most {
            return Err(format!("the histograms of channel {channel} are {} apart, at most {most}", total / 256.0));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(format: &str, words: &[&str], kind: ExpectationKind) -> Result<(), String> {
        let mut buffer = Buffer::new(Format::named(format, false).unwrap(), 0);
        buffer.fill(words).unwrap();
        buffer.size = Some([buffer.elements(), 1, 1]);
        let expected = Expectation { line: 1, buffer: "b".into(), kind };
        check(&expected, &BTreeMap::from([("b".to_string(), buffer)]))
    }

    fn numbers(comparator: Comparator, values: &[&str], tolerances: &[Tolerance]) -> ExpectationKind {
        let values = values.iter().map(|value| value.to_string()).collect();
        ExpectationKind::Numbers { at: 0, format: None, comparator, values, tolerances: tolerances.to_vec() }
    }

    #[test]
    fn numbers_compare_as_asked() {
        assert!(checked("int32", &["-1", "2"], numbers(Comparator::Eq, &["-1", "2"], &[])).is_ok());
        assert!(checked("int32", &["-1"], numbers(Comparator::Lt, &["0"], &[])).is_ok());
        assert!(checked("int32", &["-1"], numbers(Comparator::Eq, &["1"], &[])).is_err());
        assert!(checked("float", &["nan"], numbers(Comparator::Eq, &["nan"], &[])).is_ok());
        assert!(checked("float", &["1.5"], numbers(Comparator::Eq, &["1"], &[])).is_err());
        let tenth = Tolerance { value: 10.0, percent: true };
        assert!(checked("float", &["1.05"], numbers(Comparator::Eq, &["1"], &[tenth])).is_ok());
        assert!(checked("float", &[], numbers(Comparator::Eq, &["1"], &[])).is_err());
    }

    #[test]
    fn colours_compare_by_their_component() {
        let colour = |colour: [f64; 4]| ExpectationKind::Colours {
            rect: [0, 0, 1, 1],
            colour: colour.to_vec(),
            tolerances: Vec::new(),
        };
        let words = ["0", "0", "255", "255"];
        assert!(checked("B8G8R8A8_UNORM", &words, colour([1.0, 0.0, 0.0, 1.0])).is_ok());
        assert!(checked("B8G8R8A8_UNORM", &words, colour([0.0, 0.0, 1.0, 1.0])).is_err());
    }
}
