//! Reading model and profile files: a TOML tree with places, everything wrong collected.

use crate::{ModelError, OpSet};
use parallax_text::{Code, Diag, Span, closest};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

pub(crate) type Value<'t> = Spanned<DeValue<'t>>;

/// Codes of the problems of one kind of file.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Codes {
    pub(crate) syntax: Code,
    pub(crate) key: Code,
    pub(crate) kind: Code,
    pub(crate) value: Code,
}

/// Walks a tree and collects everything wrong.
pub(crate) struct TomlReader {
    pub(crate) codes: Codes,
    pub(crate) diags: Vec<Diag>,
}

/// Place of a key or value.
pub(crate) fn span<T>(value: &Spanned<T>) -> Span {
    Span::new(value.span().start, value.span().end)
}

impl TomlReader {
    /// Parses a document and hands its table to `job`. Problems are in order of place.
    pub(crate) fn document<T>(
        codes: Codes,
        text: &str,
        job: impl FnOnce(&mut TomlReader, &DeTable<'_>) -> Option<T>,
    ) -> Result<T, Vec<Diag>> {
        let mut reader = TomlReader { codes, diags: Vec::new() };
        let (table, errors) = DeTable::parse_recoverable(text);
        for error in errors {
            let place = error.span().unwrap_or(0..0);
            reader.error(Span::new(place.start, place.end), codes.syntax, error.message().to_string());
        }
        // A broken document would only give follow-up errors.
        let made = if reader.diags.is_empty() { job(&mut reader, table.get_ref()) } else { None };
        match made {
            Some(made) if reader.diags.is_empty() => Ok(made),
            _ => {
                parallax_text::sort_by_key(&mut reader.diags, |d| d.span.map(|s| s.start));
                Err(reader.diags)
            }
        }
    }

    pub(crate) fn error(&mut self, span: Span, code: Code, message: impl Into<String>) {
        self.diags.push(Diag::invalid(code, span, message));
    }

    /// A value of the wrong type.
    pub(crate) fn expected(&mut self, value: &Value<'_>, what: &str) {
        let found = value.get_ref().type_str();
        self.error(span(value), self.codes.kind, format!("expected {what}, found {found}"));
    }

    /// A name that is none of the known ones.
    pub(crate) fn unknown(&mut self, name: &str, place: Span, what: &str, known: &[&str]) {
        let diag = Diag::invalid(self.codes.key, place, format!("unknown {what} `{name}`"));
        self.diags.push(match closest(name, known.iter().copied()) {
            Some(near) => diag.with_help(format!("did you mean `{near}`?")),
            None => diag.with_help(format!("known: {}", known.join(", "))),
        });
    }

    pub(crate) fn string(&mut self, value: &Value<'_>) -> Option<String> {
        match value.get_ref() {
            DeValue::String(text) => Some(text.to_string()),
            _ => {
                self.expected(value, "a string");
                None
            }
        }
    }

    /// A string, or an array of strings, with places.
    pub(crate) fn strings(&mut self, value: &Value<'_>) -> Vec<(String, Span)> {
        let items = match value.get_ref() {
            DeValue::String(text) => return vec![(text.to_string(), span(value))],
            DeValue::Array(items) => items,
            _ => {
                self.expected(value, "a string or an array of strings");
                return Vec::new();
            }
        };
        if items.is_empty() {
            self.error(span(value), self.codes.kind, "an empty list; leave the key out to mean all");
        }
        items.iter().filter_map(|item| Some((self.string(item)?, span(item)))).collect()
    }

    /// Operations and families by name.
    pub(crate) fn ops(&mut self, value: &Value<'_>) -> OpSet {
        let mut ops = OpSet::EMPTY;
        for (text, place) in self.strings(value) {
            match OpSet::from_name(&text) {
                Some(set) => ops = ops.with(set),
                None => self.unknown(&text, place, "operation", ModelError::unknown_op("").candidates()),
            }
        }
        ops
    }

    /// Items of an array of tables.
    pub(crate) fn tables<'t>(&mut self, value: &'t Value<'_>, what: &str) -> &'t [Value<'t>] {
        match value.get_ref() {
            DeValue::Array(items) => items,
            _ => {
                self.expected(value, &format!("an array of tables, written {what}"));
                &[]
            }
        }
    }

    pub(crate) fn boolean(&mut self, value: &Value<'_>) -> Option<bool> {
        match value.get_ref() {
            DeValue::Boolean(truth) => Some(*truth),
            _ => {
                self.expected(value, "true or false");
                None
            }
        }
    }

    /// A scalar as text.
    pub(crate) fn written(&mut self, value: &Value<'_>) -> Option<String> {
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

    /// A name of letters, digits, `-`, `_` and `.`, so that it can be followed by settings on the command line.
    pub(crate) fn is_name(&mut self, name: &str, place: Span, code: Code) -> bool {
        let letters = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        let fine = !name.is_empty() && name.chars().all(letters);
        if !fine {
            self.error(place, code, "a name consists of letters, digits, `-`, `_` and `.`");
        }
        fine
    }
}
