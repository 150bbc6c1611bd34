//! The user's models: TOML files with the same fields as the built-in ones. `docs/models.md` describes the schema,
//! `docs/models/fp24.toml` is an example.

use crate::problem::{Problems, invalid};
use crate::toml_reader::{Codes, TomlReader, Value, problems, span};
use parallax_num::{Decl, Field, Idle, Model, ModelDef, ModelError, Op, OpSet, Scope, Setting, Tier};
use parallax_text::{Diag, Span, closest};
use std::path::{Path, PathBuf};
use toml::de::{DeTable, DeValue};

const CODES: Codes =
    Codes { read: "model-read", syntax: "model-syntax", key: "model-key", kind: "model-type", value: "model-value" };

/// Longest chain of files that inherit from each other.
const MAX_CHAIN: usize = 16;

/// A model that was read, and what is odd about its file.
#[derive(Clone, Debug)]
pub struct ReadModel {
    /// The model.
    pub model: Model,
    /// Warnings: settings that change nothing.
    pub warnings: Problems,
}

/// Reads a model file. `inherits` names a built-in model, or another model file (a name that ends in `.toml`, relative to
/// the folder of the file that says so).
///
/// # Errors
/// All problems of the first file that has any: unreadable, not TOML, unknown keys, values a field does not accept, a
/// chain of `inherits` that comes back to itself.
pub fn read_model_file(path: &Path) -> Result<ReadModel, Problems> {
    read(path, &mut Vec::new())
}

/// Reads a model from text. Files it inherits from are relative to `folder`; `name` is for messages.
///
/// # Errors
/// As [`read_model_file`].
pub fn parse_model_file(name: &str, text: &str, folder: &Path) -> Result<ReadModel, Problems> {
    parse(name, text, folder, &mut Vec::new())
}

/// `open` holds the files that wait for their parents.
fn read(path: &Path, open: &mut Vec<PathBuf>) -> Result<ReadModel, Problems> {
    let name = path.display().to_string();
    let unreadable =
        |e: std::io::Error| Problems::new(&name, "", vec![invalid("model-read", format!("cannot be read: {e}"))]);
    let identity = path.canonicalize().map_err(unreadable)?;
    let text = crate::read_file::read_text_file(path).map_err(unreadable)?;
    open.push(identity);
    let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
    let model = parse(&name, &text, &folder, open);
    open.pop();
    model
}

fn parse(name: &str, text: &str, folder: &Path, open: &mut Vec<PathBuf>) -> Result<ReadModel, Problems> {
    let draft = TomlReader::document(CODES, name, text, draft)?;
    let fail = |diags: Vec<Diag>| problems(name, text, diags);
    let parent = match draft.inherits {
        None => Model::builtin("ieee"),
        Some((parent, span)) => Some(inherited(&parent, span, folder, open).map_err(|e| match e {
            Inherited::Here(diag) => fail(vec![*diag]),
            Inherited::There(problems) => problems,
        })?),
    };
    let model = Model::define(&draft.def, parent.as_ref()).map_err(|e| fail(vec![located(&e, draft.name)]))?;
    let warnings = idle(&model, &draft.places);
    Ok(ReadModel { model, warnings: problems(name, text, warnings) })
}

/// Warnings about settings that change nothing; `places` are those of the file's own settings, which stand last in the model.
fn idle(model: &Model, places: &[Span]) -> Vec<Diag> {
    let first = model.settings().len() - places.len();
    let warning = |(at, idle): (usize, Idle)| {
        let (setting, place) = (&model.settings()[at], *places.get(at.checked_sub(first)?)?);
        let name = setting.field.name;
        Some(match idle {
            Idle::Overruled => {
                let message = format!("`{name}` is set again later wherever this applies");
                Diag::warning("model-idle", place, message).with_help("remove it, or put it behind the other")
            }
            Idle::Unread => {
                let message =
                    format!("no operation looks at `{name}` = \"{}\" here, as the other fields are set", setting.value);
                let help = format!("remove it, or set what makes it matter: {}", setting.field.doc);
                Diag::warning("model-idle", place, message).with_help(help)
            }
        })
    };
    model.idle_settings().into_iter().filter_map(warning).collect()
}

/// What is wrong with a parent: the name here, or the file there.
enum Inherited {
    Here(Box<Diag>),
    There(Problems),
}

fn inherited(parent: &str, span: Span, folder: &Path, open: &mut Vec<PathBuf>) -> Result<Model, Inherited> {
    let here = |diag: Diag| Inherited::Here(Box::new(diag));
    if !parent.ends_with(".toml") {
        return Model::builtin(parent).ok_or_else(|| here(unknown_parent(parent, span)));
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
    read(&path, open).map(|read| read.model).map_err(Inherited::There)
}

fn unknown_parent(parent: &str, span: Span) -> Diag {
    let help = match closest(parent, Model::builtin_names().iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            format!("a built-in model ({}) or a file name that ends in .toml", Model::builtin_names().join(", "))
        }
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

/// A model whose parent is not read yet.
struct Draft {
    def: ModelDef,
    inherits: Option<(String, Span)>,
    /// Where the name stands.
    name: Span,
    /// Where the settings stand.
    places: Vec<Span>,
}

const KEYS: [&str; 6] = ["name", "title", "about", "inherits", "definition", "set"];
const SET_KEYS: [&str; 4] = ["slots", "ops", "tier", "source"];

fn draft(reader: &mut TomlReader, table: &DeTable<'_>) -> Option<Draft> {
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
                // Reported with everything else that is wrong here, not only once the rest is right.
                if let Some((parent, at)) = &inherits
                    && !parent.ends_with(".toml")
                    && Model::builtin(parent).is_none()
                {
                    reader.diags.push(unknown_parent(parent, *at));
                }
            }
            "definition" => def.definition = reader.boolean(value).unwrap_or_default(),
            "set" => sets = Some(value),
            other => reader.unknown(other, span(key), "key", &KEYS),
        }
    }
    let Some((text, place)) = name else {
        reader.error(Span::new(0, 0), "model-name", "a model file needs a `name`");
        return None;
    };
    check_name(reader, &text, place);
    def.name = text;
    let mut places = Vec::new();
    if let Some(value) = sets {
        for item in reader.tables(value, "[[set]]") {
            set(reader, item, &mut def, &mut places);
        }
    }
    Some(Draft { def, inherits, name: place, places })
}

fn check_name(reader: &mut TomlReader, name: &str, place: Span) {
    if reader.is_name(name, place, "model-name") && Model::builtin(name).is_some() {
        reader.error(place, "model-name", format!("`{name}` is a built-in model; take another name"));
    }
}

/// One `[[set]]` table.
fn set(reader: &mut TomlReader, value: &Value<'_>, def: &mut ModelDef, places: &mut Vec<Span>) {
    let DeValue::Table(table) = value.get_ref() else {
        reader.expected(value, "a table");
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
                for (text, place) in reader.strings(value) {
                    match Decl::from_name(&text) {
                        Some(decl) => decls.push(decl),
                        None => reader.unknown(&text, place, "slot format", &Decl::ALL.map(Decl::name)),
                    }
                }
            }
            "ops" => ops = reader.ops(value),
            "tier" => {
                if let Some(text) = reader.string(value) {
                    tier = Tier::from_name(&text).map(|t| (t, span(value)));
                    if tier.is_none() {
                        reader.unknown(&text, span(value), "tier", &Tier::ALL.map(Tier::name));
                    }
                }
            }
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
    let claimed = tier.map_or(unsaid, |(t, _)| t);
    if let Some((tier, place)) = tier
        && tier < Tier::Assumed
        && source.trim().is_empty()
        && !def.definition
    {
        reader.error(place, "model-source", format!("tier `{tier}` needs a `source`: the document that says so"));
    }
    if source.is_empty() {
        source = if def.definition { "definition of this model" } else { "the model file gives no source" }.to_string();
    }
    let scope = Scope::new(&decls, ops);
    for (field, text, place) in fields {
        if !ops.is_empty() && !ops.iter().any(|op| field.concerns(op)) {
            let message =
                format!("none of the operations given here ever looks at `{}`: {}", field.name, ops.names().join(" "));
            let concerned: OpSet = Op::ALL.iter().map(|row| row.op).filter(|op| field.concerns(*op)).collect();
            let help = format!("it concerns {}", concerned.names().join(" "));
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

#[cfg(test)]
mod tests;
