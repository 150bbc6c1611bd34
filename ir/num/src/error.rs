//! What can be wrong with a model's name, file or setting. Errors carry the known names, so that the caller, who has an
//! edit distance at hand, can say what was probably meant.

use crate::models;
use crate::{Decl, Family, Field, Op, Storage, Values};
use std::fmt;
use std::ops::Range;

/// A model that could not be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelError {
    message: String,
    found: String,
    candidates: Vec<&'static str>,
    at: Option<Range<usize>>,
}

impl ModelError {
    fn new(message: String, found: &str, candidates: Vec<&'static str>) -> ModelError {
        ModelError { message, found: found.to_string(), candidates, at: None }
    }

    pub(crate) fn unknown_model(name: &str) -> ModelError {
        ModelError::new(format!("unknown model \"{name}\""), name, models::spellings())
    }

    /// No field has this name.
    pub fn unknown_field(name: &str) -> ModelError {
        ModelError::new(format!("unknown field \"{name}\""), name, Field::ALL.iter().map(|f| f.name).collect())
    }

    /// No operation and no family of operations has this name.
    pub fn unknown_op(name: &str) -> ModelError {
        ModelError::new(format!("unknown operation \"{name}\""), name, op_names())
    }

    /// No slot has this name.
    pub fn unknown_slot(name: &str) -> ModelError {
        let known = Decl::ALL.into_iter().map(Decl::name).collect();
        ModelError::new(format!("unknown slot \"{name}\""), name, known)
    }

    pub(crate) fn unknown_scope(name: &str) -> ModelError {
        let known = Decl::ALL.into_iter().map(Decl::name).chain(op_names()).collect();
        ModelError::new(format!("unknown slot or operation \"{name}\""), name, known)
    }

    pub(crate) fn unknown_format(name: &str) -> ModelError {
        const KNOWN: [&str; 10] = ["half", "fp32", "fp64", "fx12", "s12", "fx9", "fp24", "bf16", "tf32", "f16"];
        ModelError::new(format!("unknown format \"{name}\""), name, KNOWN.to_vec())
    }

    pub(crate) fn unknown_probe(name: &str, at: Range<usize>) -> ModelError {
        let known = vec!["nearest", "low", "high", "random:1"];
        let text = format!("unknown probe \"{name}\" (nearest, low, high, random:SEED)");
        ModelError { at: Some(at), ..ModelError::new(text, name, known) }
    }

    /// A field does not accept this value.
    pub fn bad_value(field: &'static Field, value: &str) -> ModelError {
        let known = match field.values {
            Values::Words(words) => words.to_vec(),
            Values::Pattern(_, examples) => examples.to_vec(),
        };
        ModelError::new(format!("field \"{}\" cannot be \"{value}\" ({})", field.name, field.accepts()), value, known)
    }

    pub(crate) fn format_beyond_container(value: &str, decl: Decl, container: Storage) -> ModelError {
        let text = format!(
            "format \"{value}\" for single operations does not fit the container of {decl}, {}",
            container.format()
        );
        ModelError::new(text, value, Vec::new())
    }

    pub(crate) fn syntax(text: &str, at: Range<usize>) -> ModelError {
        ModelError { at: Some(at), ..ModelError::new(text.to_string(), "", Vec::new()) }
    }

    pub(crate) fn within(mut self, at: Range<usize>) -> ModelError {
        self.at = Some(at);
        self
    }

    /// The word that is wrong, empty when it is not about one word.
    pub fn found(&self) -> &str {
        &self.found
    }

    /// Known names in the place of [`ModelError::found`], for "did you mean".
    pub fn candidates(&self) -> &[&'static str] {
        &self.candidates
    }

    /// Byte range in the text that was parsed, where one is known.
    pub fn at(&self) -> Option<Range<usize>> {
        self.at.clone()
    }
}

fn op_names() -> Vec<&'static str> {
    let families = Family::WITH_SLOT.into_iter().map(Family::name);
    Op::ALL.iter().filter(|row| row.op.has_slot()).map(|row| row.name).chain(families).collect()
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ModelError {}
