//! The user's models: TOML files with the same fields as the built-in ones. `docs/models.md` describes the schema,
//! `docs/models/fp24.toml` is an example.

use crate::problem::{Problems, invalid};
use parallax_num::{Decl, Field, Model, ModelDef, ModelError, OpSet, Scope, Setting, Tier};
use parallax_text::{Diag, Span, closest};
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Longest chain of files that inherit from each other.
const MAX_CHAIN: usize = 16;

/// Reads a model file. `inherits` names a built-in model, or another model file (a name that ends in `.toml`, relative to
/// the folder of the file that says so).
///
/// # Errors
/// All problems of the first file that has any: unreadable, not TOML, unknown keys, values a field does not accept, a
/// chain of `inherits` that comes back to itself.
pub fn read_model_file(path: &Path) -> Result<Model, Problems> {
    read(path, &mut Vec::new())
}

/// Reads a model from text. Files it inherits from are relative to `folder`; `name` is for messages.
///
/// # Errors
/// As [`read_model_file`].
pub fn parse_model_file(name: &str, text: &str, folder: &Path) -> Result<Model, Problems> {
    parse(name, text, folder, &mut Vec::new())
}

/// `open` holds the files that wait for their parents.
fn read(path: &Path, open: &mut Vec<PathBuf>) -> Result<Model, Problems> {
    let name = path.display().to_string();
    let unreadable =
        |e: std::io::Error| Problems::new(&name, "", vec![invalid("model-read", format!("cannot be read: {e}"))]);
    let identity = path.canonicalize().map_err(unreadable)?;
    let text = std::fs::read_to_string(path).map_err(unreadable)?;
    open.push(identity);
    let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
    let model = parse(&name, &text, &folder, open);
    open.pop();
    model
}

fn parse(name: &str, text: &str, folder: &Path, open: &mut Vec<PathBuf>) -> Result<Model, Problems> {
    if text.len() > crate::load::MAX_BYTES {
        return Err(Problems::new(name, "", vec![invalid("model-size", "too large for a model file")]));
    }
    let mut reader = Reader { diags: Vec::new() };
    let (table, errors) = DeTable::parse_recoverable(text);
    for error in errors {
        let place = error.span().unwrap_or(0..0);
        reader.error(Span::new(place.start, place.end), "model-syntax", error.message().to_string());
    }
    let draft = if reader.diags.is_empty() { reader.model(table.get_ref()) } else { None };
    let fail = |mut diags: Vec<Diag>| {
        diags.sort_by_key(|d| d.span.map(|s| s.start));
        Problems::new(name, text, diags)
    };
    let Some(draft) = draft.filter(|_| reader.diags.is_empty()) else {
        return Err(fail(reader.diags));
    };
    let parent = match draft.inherits {
        None => Model::builtin("ieee"),
        Some((parent, span)) => Some(inherited(&parent, span, folder, open).map_err(|e| match e {
            Inherited::Here(diag) => fail(vec![*diag]),
            Inherited::There(problems) => problems,
        })?),
    };
    Model::define(&draft.def, parent.as_ref()).map_err(|e| fail(vec![located(&e, draft.name)]))
}

/// What is wrong with a parent: the name here, or the file there.
enum Inherited {
    Here(Box<Diag>),
    There(Problems),
}

fn inherited(parent: &str, span: Span, folder: &Path, open: &mut Vec<PathBuf>) -> Result<Model, Inherited> {
    let here = |diag: Diag| Inherited::Here(Box::new(diag));
    if !parent.ends_with(".toml") {
        return Model::builtin(parent).ok_or_else(|| {
            let diag = Diag::invalid("model-inherits", span, format!("unknown model `{parent}`"));
            let help = match closest(parent, Model::builtin_names().iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!(
                    "a built-in model ({}) or a file name that ends in .toml",
                    Model::builtin_names().join(", ")
                ),
            };
            here(diag.with_help(help))
        });
    }
    let path = folder.join(parent);
    let identity = path.canonicalize().map_err(|e| {
        here(Diag::invalid("model-inherits", span, format!("`{}` cannot be read: {e}", path.display())))
    })?;
    if open.contains(&identity) {
        let message = format!("`{parent}` inherits, directly or through others, from this file");
        return Err(here(Diag::invalid("model-cycle", span, message)));
    }
    if open.len() >= MAX_CHAIN {
        let message = format!("more than {MAX_CHAIN} model files inherit from each other");
        return Err(here(Diag::invalid("model-cycle", span, message)));
    }
    read(&path, open).map_err(Inherited::There)
}

fn located(error: &ModelError, span: Span) -> Diag {
    let diag = Diag::invalid("model-value", span, error.to_string());
    match closest(error.found(), error.candidates().iter().copied()) {
        Some(near) => diag.with_help(format!("did you mean `{near}`?")),
        None => diag,
    }
}

/// A model whose parent is not read yet.
struct Draft {
    def: ModelDef,
    inherits: Option<(String, Span)>,
    /// Where the name stands.
    name: Span,
}

type Value<'t> = Spanned<DeValue<'t>>;

/// Walks the tree and collects everything wrong.
struct Reader {
    diags: Vec<Diag>,
}

fn span<T>(value: &Spanned<T>) -> Span {
    Span::new(value.span().start, value.span().end)
}

const KEYS: [&str; 6] = ["name", "title", "about", "inherits", "definition", "set"];
const SET_KEYS: [&str; 4] = ["slots", "ops", "tier", "source"];

impl Reader {
    fn error(&mut self, span: Span, code: &'static str, message: impl Into<String>) {
        self.diags.push(Diag::invalid(code, span, message));
    }

    fn expected(&mut self, value: &Value<'_>, what: &str) {
        let found = value.get_ref().type_str();
        self.error(span(value), "model-type", format!("expected {what}, found {found}"));
    }

    fn unknown(&mut self, name: &str, place: Span, what: &str, known: &[&str]) {
        let diag = Diag::invalid("model-key", place, format!("unknown {what} `{name}`"));
        self.diags.push(match closest(name, known.iter().copied()) {
            Some(near) => diag.with_help(format!("did you mean `{near}`?")),
            None => diag.with_help(format!("known: {}", known.join(", "))),
        });
    }

    fn string(&mut self, value: &Value<'_>) -> Option<String> {
        match value.get_ref() {
            DeValue::String(text) => Some(text.to_string()),
            _ => {
                self.expected(value, "a string");
                None
            }
        }
    }

    /// A string, or an array of strings, with places.
    fn strings(&mut self, value: &Value<'_>) -> Vec<(String, Span)> {
        let items = match value.get_ref() {
            DeValue::String(text) => return vec![(text.to_string(), span(value))],
            DeValue::Array(items) => items,
            _ => {
                self.expected(value, "a string or an array of strings");
                return Vec::new();
            }
        };
        if items.is_empty() {
            self.error(span(value), "model-type", "an empty list; leave the key out to mean all");
        }
        items.iter().filter_map(|item| Some((self.string(item)?, span(item)))).collect()
    }

    fn model(&mut self, table: &DeTable<'_>) -> Option<Draft> {
        let mut def = ModelDef::default();
        let mut inherits = None;
        let mut name = None;
        let mut sets = None;
        for (key, value) in table {
            match key.get_ref().as_ref() {
                "name" => {
                    name = self.string(value).map(|text| (text, span(value)));
                }
                "title" => def.title = self.string(value).unwrap_or_default(),
                "about" => def.about = self.string(value).map(|t| t.trim().to_string()).unwrap_or_default(),
                "inherits" => inherits = self.string(value).map(|text| (text, span(value))),
                "definition" => match value.get_ref() {
                    DeValue::Boolean(truth) => def.definition = *truth,
                    _ => self.expected(value, "true or false"),
                },
                "set" => sets = Some(value),
                other => self.unknown(other, span(key), "key", &KEYS),
            }
        }
        let Some((text, place)) = name else {
            self.error(Span::new(0, 0), "model-name", "a model file needs a `name`");
            return None;
        };
        self.check_name(&text, place);
        def.name = text;
        match sets.map(|value| (value, value.get_ref())) {
            None => {}
            Some((_, DeValue::Array(items))) => {
                for item in items {
                    self.set(item, &mut def);
                }
            }
            Some((value, _)) => self.expected(value, "an array of tables, written [[set]]"),
        }
        Some(Draft { def, inherits, name: place })
    }

    fn check_name(&mut self, name: &str, place: Span) {
        let letters = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if name.is_empty() || !name.chars().all(letters) {
            self.error(place, "model-name", "a name consists of letters, digits, `-`, `_` and `.`");
        } else if Model::builtin_names().contains(&name) {
            self.error(place, "model-name", format!("`{name}` is a built-in model; take another name"));
        }
    }

    /// One `[[set]]` table.
    fn set(&mut self, value: &Value<'_>, def: &mut ModelDef) {
        let DeValue::Table(table) = value.get_ref() else {
            self.expected(value, "a table");
            return;
        };
        let mut decls = Vec::new();
        let mut ops = OpSet::ALL;
        let mut tier = None;
        let mut source = String::new();
        let mut fields: Vec<(&'static Field, String, Span)> = Vec::new();
        for (key, value) in table {
            match key.get_ref().as_ref() {
                "slots" => {
                    for (text, place) in self.strings(value) {
                        match Decl::from_name(&text) {
                            Some(decl) => decls.push(decl),
                            None => self.unknown(&text, place, "slot format", &Decl::ALL.map(Decl::name)),
                        }
                    }
                }
                "ops" => {
                    ops = OpSet::EMPTY;
                    for (text, place) in self.strings(value) {
                        match OpSet::from_name(&text) {
                            Some(set) => ops = ops.with(set),
                            None => self.unknown(&text, place, "operation", ModelError::unknown_op("").candidates()),
                        }
                    }
                }
                "tier" => {
                    if let Some(text) = self.string(value) {
                        tier = Tier::from_name(&text).map(|t| (t, span(value)));
                        if tier.is_none() {
                            self.unknown(&text, span(value), "tier", &Tier::ALL.map(Tier::name));
                        }
                    }
                }
                "source" => source = self.string(value).unwrap_or_default(),
                other => match Field::from_name(other) {
                    Some(field) => fields.extend(self.written(value).map(|text| (field, text, span(value)))),
                    None => {
                        let known: Vec<&str> = Field::ALL.iter().map(|f| f.name).chain(SET_KEYS).collect();
                        self.unknown(other, span(key), "field", &known);
                    }
                },
            }
        }
        let unsaid = if def.definition { Tier::Exact } else { Tier::Assumed };
        let claimed = tier.map_or(unsaid, |(t, _)| t);
        if let Some((tier, place)) = tier
            && tier < Tier::Assumed
            && source.trim().is_empty()
            && !def.definition
        {
            self.error(place, "model-source", format!("tier `{tier}` needs a `source`: the document that says so"));
        }
        if source.is_empty() {
            source =
                if def.definition { "definition of this model" } else { "the model file gives no source" }.to_string();
        }
        let scope = Scope::new(&decls, ops);
        for (field, text, place) in fields {
            match Setting::new(scope, field, &text, claimed, &source) {
                Ok(setting) => def.settings.push(setting),
                Err(error) => self.diags.push(located(&error, place)),
            }
        }
    }

    /// A field's value as text.
    fn written(&mut self, value: &Value<'_>) -> Option<String> {
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
}

#[cfg(test)]
mod tests;
