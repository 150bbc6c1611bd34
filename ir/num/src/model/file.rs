//! Models as TOML: the one reader of the built-in models and of the user's. `docs/models.md` describes the schema,
//! `docs/models/fp24.toml` is an example.

use super::{Model, ModelDef, Scope, Setting, Tier};
use crate::models;
use crate::toml_reader::{Codes, TomlReader, Value, span};
use crate::{Decl, Field, Idle, ModelError, Op, OpSet};
use parallax_text::{Diag, Span, closest};
use toml::de::{DeTable, DeValue};

const CODES: Codes = Codes { syntax: "model-syntax", key: "model-key", kind: "model-type", value: "model-value" };

/// A model file that was read; its parent is not looked up yet.
#[derive(Clone, Debug)]
pub struct ModelFile {
    def: ModelDef,
    inherits: Option<(String, Span)>,
    /// Where the name stands.
    name: Span,
    /// Where the settings stand.
    places: Vec<Span>,
}

impl ModelFile {
    /// Reads the text of a user's model file, whose name must not be that of a built-in model.
    ///
    /// # Errors
    /// All problems of the text, in order of place: not TOML, unknown keys, values that a field does not accept, an unknown
    /// parent. Files that it inherits from are not looked for.
    pub fn parse(text: &str) -> Result<ModelFile, Vec<Diag>> {
        let known = models::spellings();
        TomlReader::document(CODES, text, |reader, table| draft(reader, table, &known, &known))
    }

    /// Reads the text of a built-in model, which may stand on one of `parents`.
    ///
    /// # Errors
    /// As [`ModelFile::parse`].
    pub(crate) fn parse_builtin(text: &str, parents: &[&str]) -> Result<ModelFile, Vec<Diag>> {
        TomlReader::document(CODES, text, |reader, table| draft(reader, table, &[], parents))
    }

    /// What the file says it inherits from, with its place: a built-in model, or another file, whose name ends in `.toml`.
    pub fn inherits(&self) -> Option<(&str, Span)> {
        self.inherits.as_ref().map(|(parent, place)| (parent.as_str(), *place))
    }

    /// The model on top of its parent.
    ///
    /// # Errors
    /// As [`Model::define`], at the name of the model.
    pub fn define(&self, parent: Option<&Model>) -> Result<Model, Diag> {
        Model::define(&self.def, parent).map_err(|e| located(&e, self.name))
    }

    /// Warnings about settings of the file that change nothing in `model`, which it defines, in order of place.
    pub fn warnings(&self, model: &Model) -> Vec<Diag> {
        // The file's own settings stand last.
        let first = model.settings().len() - self.places.len();
        let warning = |(at, idle): (usize, Idle)| {
            let (setting, place) = (&model.settings()[at], *self.places.get(at.checked_sub(first)?)?);
            let name = setting.field.name;
            Some(match idle {
                Idle::Overruled => {
                    let message = format!("`{name}` has no effect: a later table sets it again everywhere");
                    Diag::warning("model-idle", place, message).with_help("remove it, or move it after the other")
                }
                Idle::Unread => {
                    let message =
                        format!("`{name}` = \"{}\" has no effect with the other fields as set here", setting.value);
                    let help = format!("remove it, or set the field that makes it matter: {}", setting.field.doc);
                    Diag::warning("model-idle", place, message).with_help(help)
                }
            })
        };
        model.idle_settings().into_iter().filter_map(warning).collect()
    }
}

fn unknown_parent(parent: &str, span: Span) -> Diag {
    let help = match closest(parent, Model::builtin_names().iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("a built-in model ({}) or a file name that ends in .toml", Model::builtin_names().join(", ")),
    };
    Diag::invalid("model-inherits", span, format!("unknown model `{parent}`")).with_help(help)
}

fn located(error: &ModelError, span: Span) -> Diag {
    let diag = Diag::invalid("model-value", span, error.to_string());
    match closest(error.found(), error.candidates().iter().copied()) {
        Some(near) => diag.with_help(format!("did you mean `{near}`?")),
        None => diag,
    }
}

const KEYS: [&str; 7] = ["name", "title", "about", "inherits", "inherited_tier", "definition", "set"];
const SET_KEYS: [&str; 4] = ["slots", "ops", "tier", "source"];

/// A model's file; its name is none of `taken`, its parent one of `parents` or a file.
fn draft(reader: &mut TomlReader, table: &DeTable<'_>, taken: &[&str], parents: &[&str]) -> Option<ModelFile> {
    let mut def = ModelDef::default();
    let mut inherits = None;
    let mut name = None;
    let mut sets = None;
    for (key, value) in table {
        match key.get_ref().as_ref() {
            "name" => {
                name = reader.string(value).map(|text| (text, span(value)));
            }
            "title" => def.title = reader.string(value).unwrap_or_default(),
            "about" => def.about = reader.string(value).map(|t| t.trim().to_string()).unwrap_or_default(),
            "inherits" => {
                inherits = reader.string(value).map(|text| (text, span(value)));
                if let Some((parent, at)) = &inherits
                    && !parent.ends_with(".toml")
                    && !parents.contains(&parent.as_str())
                {
                    reader.diags.push(unknown_parent(parent, *at));
                }
            }
            "inherited_tier" => def.inherited = tier(reader, value),
            "definition" => def.definition = reader.boolean(value).unwrap_or_default(),
            "set" => sets = Some(value),
            other => reader.unknown(other, span(key), "key", &KEYS),
        }
    }
    let Some((text, place)) = name else {
        reader.error(Span::new(0, 0), "model-name", "a model file needs a `name`");
        return None;
    };
    if reader.is_name(&text, place, "model-name") && taken.contains(&text.as_str()) {
        reader.error(place, "model-name", format!("`{text}` is a built-in model; take another name"));
    }
    def.name = text;
    let mut places = Vec::new();
    if let Some(value) = sets {
        for item in reader.tables(value, "[[set]]") {
            set(reader, item, &mut def, &mut places);
        }
    }
    Some(ModelFile { def, inherits, name: place, places })
}

/// The tier that a value names.
fn tier(reader: &mut TomlReader, value: &Value<'_>) -> Option<Tier> {
    let text = reader.string(value)?;
    let tier = Tier::from_name(&text);
    if tier.is_none() {
        reader.unknown(&text, span(value), "tier", &Tier::ALL.map(Tier::name));
    }
    tier
}

/// One `[[set]]` table.
fn set(reader: &mut TomlReader, value: &Value<'_>, def: &mut ModelDef, places: &mut Vec<Span>) {
    let DeValue::Table(table) = value.get_ref() else {
        reader.expected(value, "a table");
        return;
    };
    let mut decls = Vec::new();
    let mut ops = OpSet::ALL;
    let mut said = None;
    let mut source = String::new();
    let mut fields: Vec<(&'static Field, String, Span)> = Vec::new();
    for (key, value) in table {
        match key.get_ref().as_ref() {
            "slots" => {
                for (text, place) in reader.strings(value) {
                    match Decl::from_name(&text) {
                        Some(decl) => decls.push(decl),
                        None => reader.unknown(&text, place, "slot format", &Decl::ALL.map(Decl::name)),
                    }
                }
            }
            "ops" => ops = reader.ops(value),
            "tier" => said = tier(reader, value).map(|tier| (tier, span(value))),
            "source" => source = reader.string(value).unwrap_or_default(),
            other => match Field::from_name(other) {
                Some(field) => fields.extend(reader.written(value).map(|text| (field, text, span(value)))),
                None => {
                    let known: Vec<&str> = Field::ALL.iter().map(|f| f.name).chain(SET_KEYS).collect();
                    reader.unknown(other, span(key), "field", &known);
                }
            },
        }
    }
    let unsaid = if def.definition { Tier::Exact } else { Tier::Assumed };
    let claimed = said.map_or(unsaid, |(tier, _)| tier);
    if let Some((tier, place)) = said
        && tier < Tier::Assumed
        && source.trim().is_empty()
        && !def.definition
    {
        reader.error(place, "model-source", format!("tier `{tier}` needs a `source`: the document that says so"));
    }
    if source.is_empty() {
        source = if def.definition { "definition of this model" } else { "the model file gives no source" }.to_string();
    }
    // In the order in which they are written.
    parallax_text::sort_by_key(&mut fields, |(_, _, place)| place.start);
    let scope = Scope::new(&decls, ops);
    for (field, text, place) in fields {
        if !ops.is_empty() && !ops.iter().any(|op| field.concerns(op)) {
            let message =
                format!("`{}` has no effect on any operation given here: {}", field.name, ops.names().join(" "));
            let concerned: OpSet = Op::ALL.iter().map(|row| row.op).filter(|op| field.concerns(*op)).collect();
            let help = format!("it affects {}", concerned.names().join(" "));
            reader.diags.push(Diag::invalid("model-unread", place, message).with_help(help));
            continue;
        }
        match Setting::new(scope, field, &text, claimed, &source) {
            Ok(setting) => {
                def.settings.push(setting);
                places.push(place);
            }
            Err(error) => reader.diags.push(located(&error, place)),
        }
    }
}
