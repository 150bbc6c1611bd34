//! Models as they are named on the command line: `nv40[round=rtz,fp32.mad=fused,fp32=half]@random:7`.

use crate::{Decl, Field, Model, ModelError, OpSet, Probe, Scope, Setting};

/// A parsed model name: the bare name, the settings in brackets, the probe.
#[derive(Clone, Debug)]
pub struct ModelSpec {
    /// Bare name.
    pub name: String,
    settings: Vec<SpecSetting>,
    probe: Option<Probe>,
}

#[derive(Clone, Debug)]
enum SpecSetting {
    Field(Scope, &'static Field, String),
    Demote(Decl, String),
}

impl ModelSpec {
    /// Reads `NAME`, `NAME[SETTING,...]`, `NAME@PROBE`, `NAME[SETTING,...]@PROBE`. A setting is `[SLOT.][OP.]FIELD=VALUE`,
    /// where OP is an operation or a family of them, or `SLOT=FORMAT`, which rebinds a slot format. A probe is `nearest`,
    /// `low`, `high` or `random:SEED`.
    ///
    /// # Errors
    /// Anything else, with the byte range of the part that is wrong.
    pub fn parse(text: &str) -> Result<ModelSpec, ModelError> {
        let (head, probe) = split_probe(text)?;
        let (name, settings) = match head.find('[') {
            None => (head, Vec::new()),
            Some(open) => {
                if !head.ends_with(']') {
                    return Err(ModelError::syntax("expected \"]\" after the settings", head.len()..head.len()));
                }
                (&head[..open], parse_settings(&head[open + 1..head.len() - 1], open + 1)?)
            }
        };
        if name.trim().is_empty() {
            return Err(ModelError::syntax("expected a model's name", 0..name.len()));
        }
        Ok(ModelSpec { name: name.trim().to_string(), settings, probe })
    }

    /// The model this names, given the model of its bare name.
    ///
    /// # Errors
    /// A setting that the model cannot carry.
    pub fn apply(&self, base: Model) -> Result<Model, ModelError> {
        let fields = self.settings.iter().filter_map(|setting| match setting {
            SpecSetting::Field(scope, field, value) => Some((*scope, *field, value.as_str())),
            SpecSetting::Demote(..) => None,
        });
        let mut model = base.with_settings(fields)?;
        for setting in &self.settings {
            if let SpecSetting::Demote(from, to) = setting {
                model = model.with_demotion(*from, to)?;
            }
        }
        Ok(match self.probe {
            Some(probe) => model.with_probe(probe),
            None => model,
        })
    }
}

impl Model {
    /// Reads the name of a built-in model with its settings and probe, as [`ModelSpec::parse`].
    ///
    /// # Errors
    /// What is wrong, where, and what could have been meant.
    pub fn parse(text: &str) -> Result<Model, ModelError> {
        let spec = ModelSpec::parse(text)?;
        let base = Model::builtin(&spec.name).ok_or_else(|| ModelError::unknown_model(&spec.name))?;
        spec.apply(base)
    }
}

fn split_probe(text: &str) -> Result<(&str, Option<Probe>), ModelError> {
    let after = text.rfind(']').map_or(0, |at| at + 1);
    let Some(at) = text[after..].find('@').map(|at| after + at) else { return Ok((text.trim_end(), None)) };
    let word = text[at + 1..].trim();
    let probe = match word {
        "nearest" => Some(Probe::Nearest),
        "low" => Some(Probe::Lowest),
        "high" => Some(Probe::Highest),
        _ => word.strip_prefix("random:").and_then(|seed| seed.parse().ok()).map(Probe::Random),
    };
    match probe {
        Some(probe) => Ok((text[..at].trim_end(), Some(probe))),
        None => Err(ModelError::unknown_probe(word, at + 1..text.len())),
    }
}

fn parse_settings(text: &str, base: usize) -> Result<Vec<SpecSetting>, ModelError> {
    let mut settings = Vec::new();
    let mut start = 0;
    let mut depth = 0usize;
    for (at, c) in text.char_indices().chain([(text.len(), ',')]) {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 || at == text.len() => {
                settings.push(parse_setting(&text[start..at]).map_err(|e| e.within(base + start..base + at))?);
                start = at + 1;
            }
            _ => {}
        }
    }
    Ok(settings)
}

fn parse_setting(text: &str) -> Result<SpecSetting, ModelError> {
    let Some((key, value)) = text.split_once('=') else {
        return Err(ModelError::syntax("expected FIELD=VALUE", 0..0));
    };
    let (key, value) = (key.trim(), value.trim());
    if let Some(decl) = Decl::from_name(key) {
        // Checked here so that the place is known.
        Model::parse("ieee")?.with_demotion(decl, value)?;
        return Ok(SpecSetting::Demote(decl, value.to_string()));
    }
    let (prefix, name) = key.rsplit_once('.').unwrap_or(("", key));
    let scope = parse_scope(prefix)?;
    let field = Field::from_name(name).ok_or_else(|| ModelError::unknown_field(name))?;
    Setting::new(scope, field, value, crate::Tier::Assumed, "")?;
    Ok(SpecSetting::Field(scope, field, value.to_string()))
}

/// Reads `""`, `SLOT`, `OP` or `SLOT.OP`.
fn parse_scope(text: &str) -> Result<Scope, ModelError> {
    if text.is_empty() {
        return Ok(Scope::ALL);
    }
    if let Some(ops) = OpSet::from_name(text) {
        return Ok(Scope::new(&[], ops));
    }
    let (first, rest) = text.split_once('.').unwrap_or((text, ""));
    match (Decl::from_name(first), rest) {
        (Some(decl), "") => Ok(Scope::new(&[decl], OpSet::ALL)),
        (Some(decl), op) => match OpSet::from_name(op) {
            Some(ops) => Ok(Scope::new(&[decl], ops)),
            None => Err(ModelError::unknown_op(op)),
        },
        (None, "") => Err(ModelError::unknown_scope(first)),
        (None, _) => Err(ModelError::unknown_scope(text)),
    }
}

/// A setting as it is written in brackets. A scope of several slots or operations takes one text each.
pub(crate) fn setting_texts(setting: &Setting) -> Vec<String> {
    let slots: Vec<String> = match setting.scope.all_decls() {
        true => vec![String::new()],
        false => setting.scope.decls().map(|d| format!("{d}.")).collect(),
    };
    let ops: Vec<String> = match setting.scope.ops == OpSet::ALL {
        true => vec![String::new()],
        false => setting.scope.ops.names().iter().map(|op| format!("{op}.")).collect(),
    };
    let mut texts = Vec::new();
    for slot in &slots {
        for op in &ops {
            texts.push(format!("{slot}{op}{}={}", setting.field.name, setting.value));
        }
    }
    texts
}
