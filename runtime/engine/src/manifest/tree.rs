//! A TOML tree with places, read piece by piece; everything wrong is noted with its place.

use parallax_core::Type;
use parallax_core::num::Rule;
use parallax_core::num::ulp::from_f64;
use parallax_text::{Code, Diag, Span, closest};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

pub(super) type Value<'t> = Spanned<DeValue<'t>>;
pub(super) type Table<'t> = DeTable<'t>;

/// A key of a table.
#[derive(Copy, Clone, Debug)]
pub(super) struct Key<'t> {
    pub(super) name: &'t str,
    pub(super) span: Span,
}

/// A number whose type is known later.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) enum Number {
    /// The bits of a word.
    Bits(u32),
    /// Its value, and that rounded to binary32 from its own digits.
    Value { exact: f64, single: f32 },
}

impl Number {
    /// A whole number.
    pub(super) fn whole(value: u32) -> Number {
        Number::Value { exact: value.into(), single: value as f32 }
    }

    /// Its bits as a value of a type, or what that type holds: floats are rounded, integers have to be whole and fit.
    pub(super) fn as_type(self, ty: Type) -> Result<u64, String> {
        match (self, ty) {
            (Number::Bits(_), _) if ty.bits() > 32 => {
                Err(format!("numbers of {} bits: write them as numbers", ty.bits()))
            }
            (Number::Bits(bits), _) => Ok(bits.into()),
            (Number::Value { single, .. }, Type::F32) => Ok(single.to_bits().into()),
            (Number::Value { exact, .. }, Type::Float(decl)) => Ok(from_f64(exact, &Rule::ieee(decl, decl.format()))),
            (Number::Value { exact, .. }, _) => {
                let (low, high) = match ty.bits() {
                    64 => (i128::from(i64::MIN), i128::from(u64::MAX)),
                    bits => (-(1 << (bits - 1)), (1 << bits) - 1),
                };
                let whole = exact as i128;
                match whole as f64 == exact && (low..=high).contains(&whole) {
                    true => Ok(whole as u64),
                    false => Err(format!("integers of {} bits, not {exact}", ty.bits())),
                }
            }
        }
    }
}

/// Collects problems.
#[derive(Debug, Default)]
pub(super) struct Tree {
    diags: Vec<Diag>,
}

/// Place of a value.
pub(super) fn span<T>(value: &Spanned<T>) -> Span {
    Span::new(value.span().start, value.span().end)
}

impl Tree {
    /// Parses a document and hands on its table, also when parts of it are broken.
    pub(super) fn document(&mut self, text: &str, job: impl FnOnce(&mut Tree, &Table<'_>)) {
        let (table, errors) = DeTable::parse_recoverable(text);
        for error in errors {
            let place = error.span().unwrap_or(0..0);
            self.error(Span::new(place.start, place.end), "manifest-syntax", error.message().to_string());
        }
        // A broken document would only give follow-up errors.
        if self.diags.is_empty() {
            job(self, table.get_ref());
        }
    }

    /// What was wrong, in order of place.
    pub(super) fn into_diags(mut self) -> Vec<Diag> {
        parallax_text::sort_by_key(&mut self.diags, |diag| diag.span.map(|s| s.start));
        self.diags
    }

    /// Number of problems so far.
    pub(super) fn errors(&self) -> usize {
        self.diags.len()
    }

    pub(super) fn report(&mut self, diag: Diag) {
        self.diags.push(diag);
    }

    pub(super) fn error(&mut self, span: Span, code: Code, message: impl Into<String>) {
        self.report(Diag::invalid(code, span, message));
    }

    pub(super) fn expected(&mut self, value: &Value<'_>, what: &str) {
        let found = value.get_ref().type_str();
        self.error(span(value), "manifest-type", format!("expected {what}, found {found}"));
    }

    /// Entries of a table in order of place; keys that are not `known` are errors.
    pub(super) fn entries<'t>(&mut self, table: &'t Table<'_>, known: &[&str]) -> Vec<(Key<'t>, &'t Value<'t>)> {
        let mut entries = self.all_entries(table);
        entries.retain(|(key, _)| {
            let is_known = known.contains(&key.name);
            if !is_known {
                let mut diag = Diag::invalid("manifest-key", key.span, format!("unknown key `{}`", key.name));
                diag = match closest(key.name, known.iter().copied()) {
                    Some(near) => diag.with_help(format!("did you mean `{near}`?")),
                    None => diag.with_help(format!("known keys: {}", known.join(", "))),
                };
                self.diags.push(diag);
            }
            is_known
        });
        entries
    }

    /// Entries of a table in order of place.
    pub(super) fn all_entries<'t>(&mut self, table: &'t Table<'_>) -> Vec<(Key<'t>, &'t Value<'t>)> {
        let mut entries: Vec<_> =
            table.iter().map(|(key, value)| (Key { name: key.get_ref().as_ref(), span: span(key) }, value)).collect();
        parallax_text::sort_by_key(&mut entries, |(key, _)| key.span.start);
        entries
    }

    pub(super) fn table<'t>(&mut self, value: &'t Value<'_>) -> Option<&'t Table<'t>> {
        match value.get_ref() {
            DeValue::Table(table) => Some(table),
            _ => {
                self.expected(value, "a table");
                None
            }
        }
    }

    /// Items of an array of tables.
    pub(super) fn tables<'t>(&mut self, value: &'t Value<'_>) -> &'t [Value<'t>] {
        self.items(value, "an array of tables, written [[...]]")
    }

    /// Items of an array; `what` it is.
    pub(super) fn items<'t>(&mut self, value: &'t Value<'_>, what: &str) -> &'t [Value<'t>] {
        match value.get_ref() {
            DeValue::Array(items) => items,
            _ => {
                self.expected(value, what);
                &[]
            }
        }
    }

    pub(super) fn string(&mut self, value: &Value<'_>) -> Option<String> {
        match value.get_ref() {
            DeValue::String(text) => Some(text.to_string()),
            _ => {
                self.expected(value, "a string");
                None
            }
        }
    }

    pub(super) fn boolean(&mut self, value: &Value<'_>) -> Option<bool> {
        match value.get_ref() {
            DeValue::Boolean(truth) => Some(*truth),
            _ => {
                self.expected(value, "true or false");
                None
            }
        }
    }

    /// A string, number or boolean as text.
    pub(super) fn scalar(&mut self, value: &Value<'_>) -> Option<String> {
        match value.get_ref() {
            DeValue::String(text) => Some(text.to_string()),
            DeValue::Integer(number) if number.radix() == 10 => Some(number.as_str().replace('_', "")),
            DeValue::Float(number) => Some(number.as_str().replace('_', "")),
            DeValue::Boolean(truth) => Some(truth.to_string()),
            _ => {
                self.expected(value, "a string, a number or true or false");
                None
            }
        }
    }

    /// One of a few words.
    pub(super) fn word<T: Copy>(&mut self, value: &Value<'_>, words: &[(&str, T)]) -> Option<T> {
        let text = self.string(value)?;
        if let Some((_, found)) = words.iter().find(|(word, _)| *word == text) {
            return Some(*found);
        }
        let names: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        let mut diag =
            Diag::invalid("manifest-word", span(value), format!("`{text}` is not one of {}", names.join(", ")));
        if let Some(near) = closest(&text, names.iter().copied()) {
            diag = diag.with_help(format!("did you mean `{near}`?"));
        }
        self.report(diag);
        None
    }

    /// A whole number from 0 to `max`.
    pub(super) fn integer(&mut self, value: &Value<'_>, max: u32) -> Option<u32> {
        let DeValue::Integer(number) = value.get_ref() else {
            self.expected(value, "a whole number");
            return None;
        };
        let parsed = i128::from_str_radix(&number.as_str().replace('_', ""), number.radix());
        match parsed.ok().and_then(|n| u32::try_from(n).ok()).filter(|n| *n <= max) {
            Some(number) => Some(number),
            None => {
                let text = number.as_str();
                self.error(span(value), "manifest-range", format!("{text} is not between 0 and {max}"));
                None
            }
        }
    }

    /// Positions of samples: `[[x, y], ...]`, whole numbers from -8 to 7.
    pub(super) fn positions(&mut self, value: &Value<'_>) -> Option<Vec<[i8; 2]>> {
        let what = "an array of [x, y], in 1/16 pixel from the pixel centre";
        let DeValue::Array(items) = value.get_ref() else {
            self.expected(value, what);
            return None;
        };
        let pair = |tree: &mut Self, item: &Value<'_>| match item.get_ref() {
            DeValue::Array(pair) if pair.len() == 2 => {
                let (x, y) = (tree.position(&pair[0]), tree.position(&pair[1]));
                Some([x?, y?])
            }
            _ => {
                tree.expected(item, "[x, y], in 1/16 pixel from the pixel centre");
                None
            }
        };
        // Every item is looked at, so that all errors are found.
        let found: Vec<Option<[i8; 2]>> = items.iter().map(|item| pair(self, item)).collect();
        found.into_iter().collect()
    }

    fn position(&mut self, value: &Value<'_>) -> Option<i8> {
        let DeValue::Integer(number) = value.get_ref() else {
            self.expected(value, "a whole number");
            return None;
        };
        let text = number.as_str();
        let parsed = i8::from_str_radix(&text.replace('_', ""), number.radix());
        let step = parsed.ok().filter(|step| (-8..8).contains(step));
        if step.is_none() {
            self.error(span(value), "manifest-range", format!("{text} is not between -8 and 7"));
        }
        step
    }

    /// `[width, height]`.
    pub(super) fn size(&mut self, value: &Value<'_>) -> Option<(u32, u32)> {
        match value.get_ref() {
            DeValue::Array(items) if items.len() == 2 => {
                let (width, height) = (self.integer(&items[0], u32::MAX), self.integer(&items[1], u32::MAX));
                Some((width?, height?))
            }
            _ => {
                self.expected(value, "[width, height]");
                None
            }
        }
    }

    /// One to three sides of an image.
    pub(super) fn sides(&mut self, value: &Value<'_>) -> Option<Vec<u32>> {
        match value.get_ref() {
            DeValue::Array(items) if (1..=3).contains(&items.len()) => {
                let sides: Vec<Option<u32>> = items.iter().map(|item| self.integer(item, u32::MAX)).collect();
                sides.into_iter().collect()
            }
            _ => {
                self.expected(value, "[width], [width, height] or [width, height, depth]");
                None
            }
        }
    }

    /// An array of vectors; missing components are 0, 0, 0, 1.
    pub(super) fn vectors(&mut self, value: &Value<'_>) -> Vec<[u32; 4]> {
        match value.get_ref() {
            // Every item is looked at, so that all errors are found.
            DeValue::Array(items) => items.iter().map(|item| self.vector(item, 1).unwrap_or_default()).collect(),
            _ => {
                self.expected(value, "an array of vectors");
                Vec::new()
            }
        }
    }

    /// `least` to 4 numbers as binary32 patterns; missing components are 0, 0, 0, 1.
    pub(super) fn vector(&mut self, value: &Value<'_>, least: usize) -> Option<[u32; 4]> {
        let what = if least == 4 { "four numbers" } else { "one to four numbers" };
        let DeValue::Array(items) = value.get_ref() else {
            self.expected(value, what);
            return None;
        };
        if !(least..=4).contains(&items.len()) {
            let found = items.len();
            self.error(span(value), "manifest-vector", format!("expected {what}, found {found}"));
            return None;
        }
        let mut words = [0, 0, 0, 1f32.to_bits()];
        let mut good = true;
        for (word, item) in words.iter_mut().zip(items.iter()) {
            match self.number(item) {
                Some(bits) => *word = bits,
                None => good = false,
            }
        }
        good.then_some(words)
    }

    /// A number, or one to four of them.
    pub(super) fn numbers(&mut self, value: &Value<'_>) -> Option<Vec<Number>> {
        match value.get_ref() {
            DeValue::Array(items) if (1..=4).contains(&items.len()) => self.list(value),
            DeValue::Array(items) => {
                let found = items.len();
                self.error(span(value), "manifest-vector", format!("expected one to four numbers, found {found}"));
                None
            }
            _ => self.one_number(value).map(|number| vec![number]),
        }
    }

    /// A list of numbers.
    pub(super) fn list(&mut self, value: &Value<'_>) -> Option<Vec<Number>> {
        let DeValue::Array(items) = value.get_ref() else {
            self.expected(value, "a list of numbers");
            return None;
        };
        // Every item is looked at, so that all errors are found.
        let found: Vec<Option<Number>> = items.iter().map(|item| self.one_number(item)).collect();
        found.into_iter().collect()
    }

    fn one_number(&mut self, value: &Value<'_>) -> Option<Number> {
        let bits = self.number(value)?;
        match value.get_ref() {
            DeValue::String(_) => Some(Number::Bits(bits)),
            _ => Some(Number::Value { exact: self.double(value)?, single: f32::from_bits(bits) }),
        }
    }

    /// Strings.
    pub(super) fn strings(&mut self, value: &Value<'_>) -> Vec<String> {
        match value.get_ref() {
            DeValue::Array(items) => items.iter().filter_map(|item| self.string(item)).collect(),
            _ => {
                self.expected(value, "a list of strings");
                Vec::new()
            }
        }
    }

    /// A number as binary64.
    pub(super) fn double(&mut self, value: &Value<'_>) -> Option<f64> {
        let text = match value.get_ref() {
            DeValue::Float(number) => number.as_str().replace('_', ""),
            DeValue::Integer(number) if number.radix() == 10 => number.as_str().replace('_', ""),
            _ => {
                self.expected(value, "a number");
                return None;
            }
        };
        match text.trim_start_matches(['+', '-']) {
            "inf" if text.starts_with('-') => Some(f64::NEG_INFINITY),
            "inf" => Some(f64::INFINITY),
            "nan" => Some(f64::NAN),
            _ => parallax_text::parse_f64(&text),
        }
    }

    /// A number, rounded to binary32 from its own digits, or the bits in a string like `"0x3f800000"`.
    pub(super) fn number(&mut self, value: &Value<'_>) -> Option<u32> {
        let text = match value.get_ref() {
            DeValue::Float(number) => number.as_str().replace('_', ""),
            DeValue::Integer(number) if number.radix() == 10 => number.as_str().replace('_', ""),
            DeValue::Integer(number) => {
                let diag = Diag::invalid("manifest-number", span(value), "raw bits are written as a string");
                self.report(diag.with_help(format!("\"0x{:0>8}\"", number.as_str())));
                return None;
            }
            DeValue::String(text) => {
                let digits = text.strip_prefix("0x").filter(|d| (1..=8).contains(&d.len()));
                let bits = digits.and_then(parallax_text::parse_hex_u64);
                if bits.is_none() {
                    let message = "expected a number or 1 to 8 hexadecimal digits, such as \"0x3f800000\"";
                    self.error(span(value), "manifest-number", message);
                }
                return bits.map(|bits| bits as u32);
            }
            _ => {
                self.expected(value, "a number");
                return None;
            }
        };
        // TOML's words for special values are the only letters but `e` here.
        match text.trim_start_matches(['+', '-']) {
            "inf" => Some(if text.starts_with('-') { 0xff80_0000 } else { 0x7f80_0000 }),
            "nan" => Some(if text.starts_with('-') { 0xffc0_0000 } else { 0x7fc0_0000 }),
            _ => parallax_text::parse_f32(&text).map(f32::to_bits),
        }
    }
}
