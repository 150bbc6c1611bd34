//! Models by name: built-in ones, those of the user's files, with settings and demotions.

use crate::exit::Failure;
use parallax::Problems;
use parallax_num::{Decl, Model, ModelError, ModelSpec};
use parallax_text::{Diag, Span, closest};

/// The models a command knows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Registry {
    /// Models of the user's files, in the order given.
    user: Vec<Model>,
    /// Demotions that apply to every model.
    demote: Vec<(Decl, String)>,
}

impl Registry {
    /// A registry with the user's models; `demote` holds texts such as `fp32=half`.
    pub(crate) fn new(user: Vec<Model>, demote: &[String]) -> Result<Registry, Failure> {
        let mut registry = Registry { user, demote: Vec::new() };
        for text in demote {
            let Some((from, to)) = text.split_once('=') else {
                return Err(Failure::invalid(format_args!("--demote {text}: expected FROM=TO, such as fp32=half")));
            };
            let from = match Decl::from_name(from.trim()) {
                Some(decl) => decl,
                None => return Err(wrong(&ModelError::unknown_slot(from), "--demote", text)),
            };
            // Any model will do to see whether the format is known.
            if let Some(Err(error)) = Model::builtin("ieee").map(|m| m.with_demotion(from, to.trim())) {
                return Err(wrong(&error, "--demote", text));
            }
            registry.demote.push((from, to.trim().to_string()));
        }
        Ok(registry)
    }

    /// Whether models are rebound.
    pub(crate) fn demotes(&self) -> bool {
        !self.demote.is_empty()
    }

    /// The model a text names, without demotions.
    pub(crate) fn named(&self, text: &str) -> Result<Model, ModelError> {
        let spec = ModelSpec::parse(text)?;
        match self.user.iter().find(|m| m.name() == spec.name) {
            Some(model) => spec.apply(model.clone()),
            None => Model::parse(text),
        }
    }

    /// The model a text on the command line names, rebound as asked; `option` is where it was given.
    pub(crate) fn model(&self, text: &str, option: &str) -> Result<Model, Failure> {
        let fail = |e: ModelError| wrong(&e, option, text);
        self.demoted(self.named(text).map_err(fail)?).map_err(fail)
    }

    /// The model with the demotions applied.
    pub(crate) fn demoted(&self, mut model: Model) -> Result<Model, ModelError> {
        for (from, to) in &self.demote {
            model = model.with_demotion(*from, to)?;
        }
        Ok(model)
    }

    /// The models of a list separated by commas (those inside brackets do not separate): models, groups, and patterns with
    /// `*` and `?`. `None` is the group `default` and the user's models.
    pub(crate) fn list(&self, text: Option<&str>) -> Result<Vec<Model>, Failure> {
        let mut out: Vec<Model> = Vec::new();
        let mut add = |model: Model| {
            if out.iter().all(|m| m.label() != model.label()) {
                out.push(model);
            }
        };
        let user = || self.user.iter().map(Model::name);
        for part in split(text.unwrap_or("default")) {
            let names: Vec<&str> = match Model::group(part) {
                Some(names) if matches!(part, "all" | "default") => names.into_iter().chain(user()).collect(),
                Some(names) => names,
                None if part.contains(['*', '?']) && !part.contains('[') => {
                    let known = Model::builtin_names().iter().copied().chain(user());
                    let names: Vec<&str> = known.filter(|name| matches(part, name)).collect();
                    if names.is_empty() {
                        let message = format!("--models {part}: no model matches; `parallax models` lists them");
                        return Err(Failure::invalid(message));
                    }
                    names
                }
                None => {
                    let groups = Model::groups();
                    if let (Err(_), Some(group)) = (self.named(part), closest(part, groups.iter().map(String::as_str)))
                    {
                        let message =
                            format!("--models {part}: unknown model or group; did you mean the group `{group}`?");
                        return Err(Failure::invalid(message));
                    }
                    add(self.model(part, "--models")?);
                    continue;
                }
            };
            for name in names {
                add(self.model(name, "--models")?);
            }
        }
        Ok(out)
    }

    /// All models, for listings.
    pub(crate) fn all(&self) -> Vec<Model> {
        Model::builtins().into_iter().chain(self.user.iter().cloned()).collect()
    }
}

/// Whether a name has the form of a pattern, in which `*` stands for any characters and `?` for one.
fn matches(pattern: &str, name: &str) -> bool {
    // Where the part of the pattern that was read can have come to in the name.
    let name: Vec<char> = name.chars().collect();
    let mut reached = vec![false; name.len() + 1];
    reached[0] = true;
    for wanted in pattern.chars() {
        if wanted == '*' {
            let from = reached.iter().position(|r| *r).unwrap_or(reached.len());
            reached[from..].fill(true);
            continue;
        }
        for at in (0..name.len()).rev() {
            reached[at + 1] = reached[at] && (wanted == '?' || wanted == name[at]);
        }
        reached[0] = false;
    }
    reached[name.len()]
}

/// Splits at commas outside brackets and parentheses.
fn split(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0u32, 0);
    for (at, c) in text.char_indices() {
        match c {
            '[' | '(' => depth += 1,
            ']' | ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts
}

/// A model error as a located problem of the text that was typed.
pub(crate) fn diagnose(error: &ModelError, text: &str) -> Diag {
    let found = error.found();
    let at = error.at().or_else(|| text.find(found).filter(|_| !found.is_empty()).map(|at| at..at + found.len()));
    let at = at.unwrap_or(0..text.len());
    let mut diag = Diag::invalid("model", Span::new(at.start, at.end), error.to_string());
    if let Some(name) = closest(found, error.candidates().iter().copied()) {
        diag = diag.with_help(format!("did you mean \"{name}\"?"));
    }
    diag
}

fn wrong(error: &ModelError, option: &str, text: &str) -> Failure {
    Failure::Typed(Box::new(Problems::new(option, text, vec![diagnose(error, text)])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_in_brackets_do_not_separate() {
        assert_eq!(
            split("ieee, nv40[round=rtz,fp32.mad=fused]@low,x"),
            ["ieee", "nv40[round=rtz,fp32.mad=fused]@low", "x"]
        );
        assert_eq!(split(""), [""]);
        let models = Registry::default().list(Some("ieee,ieee,nv40[round=rtz]")).unwrap();
        assert_eq!(models.iter().map(Model::label).collect::<Vec<_>>(), ["ieee", "nv40[round=rtz]"]);
    }

    #[test]
    fn patterns_match_whole_names() {
        for (pattern, name, want) in [
            ("nv*", "nv40", true),
            ("*", "", true),
            ("nv??", "nv40", true),
            ("nv?", "nv40", false),
            ("*a*a*", "llama", true),
            ("*a*a*", "nv40a", false),
            ("n", "nv", false),
            ("*************************b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false),
        ] {
            assert_eq!(matches(pattern, name), want, "{pattern} {name}");
        }
    }

    #[test]
    fn groups_and_patterns_stand_for_their_models() {
        let names = |text: &str| {
            let list = Registry::default().list(Some(text)).unwrap();
            list.iter().map(Model::label).collect::<Vec<_>>()
        };
        assert_eq!(names("tgsi*,ieee"), ["tgsi", "tgsi-mul-zero-wins", "ieee"]);
        assert_eq!(names("all").len(), Model::builtin_names().len());
        assert!(names("nvidia").contains(&"nv40".to_string()) && !names("nvidia").contains(&"ieee".to_string()));
        for (wrong, hint) in [("mally-*", "no model matches"), ("nvidea", "did you mean the group `nvidia`?")] {
            let Err(error) = Registry::default().list(Some(wrong)) else { panic!("{wrong}") };
            assert!(format!("{error:?}").contains(hint), "{error:?}");
        }
    }

    #[test]
    fn demotions_apply_to_every_model() {
        let registry = Registry::new(Vec::new(), &["fp32=half".into()]).unwrap();
        assert!(registry.list(None).unwrap().iter().all(|m| m.label().contains("fp32=half")));
        assert!(Registry::new(Vec::new(), &["fp32".into()]).is_err());
        assert!(Registry::new(Vec::new(), &["fp31=half".into()]).is_err());
        assert!(Registry::new(Vec::new(), &["fp32=hlaf".into()]).is_err());
    }

    #[test]
    fn a_wrong_name_is_located_and_mended() {
        let error = Registry::default().named("nv41[round=rtz]").unwrap_err();
        let diag = diagnose(&error, "nv41[round=rtz]");
        assert_eq!(diag.span, Some(Span::new(0, 4)));
        assert_eq!(diag.help, ["did you mean \"nv40\"?"]);
    }
}
