//! What a caller may ask of a frontend beyond the program itself.

use crate::kernel::Kernel;
use parallax_core::Stage;
use parallax_text::{Diag, Severity, Span, closest};
use std::collections::BTreeMap;

/// Wishes of the caller, the same for every frontend.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Registers to report at the end of the program, by the source's own spelling. Each becomes an output with
    /// [`parallax_core::OutputRole::Watch`] named by the spelling, beside an output
    /// of the program of that name.
    pub watch: Vec<String>,
    /// Registers whose initial value the caller gives, by spelling. Each becomes an attribute with
    /// [`parallax_core::AttrSemantic::Preset`] named by the spelling, read as raw bits, unless it is an input or a constant
    /// of the program already.
    pub preset: Vec<String>,
    /// Frontend options by name, such as `alias = bits`.
    pub settings: BTreeMap<String, String>,
    /// Constants inside of machine words that a container gives names: each is a constant of the shader by its name.
    pub embedded: Vec<Embedded>,
    /// The word that a container, or a driver, keeps beside a program, and that says what its outputs are.
    pub control: Option<u32>,
    /// The entry point of a module with several.
    pub entry: Option<String>,
    /// The stage of the entry point.
    pub stage: Option<Stage>,
    /// Invocations of a workgroup along x, y and z, for kernels that leave them to whoever starts them.
    pub block: Option<[u32; 3]>,
    /// Bytes that a workgroup shares beyond those that the program declares.
    pub shared_bytes: u32,
    /// Whether accesses outside of memory read 0 and store nothing, where they are [faults](crate::Fault) else.
    pub robust: bool,
    /// What a container says of a kernel.
    pub kernel: Option<Kernel>,
    /// Specialisation constants by their numbers, as bits.
    pub spec: BTreeMap<u32, u64>,
}

/// A constant inside of machine words that has a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Embedded {
    /// Its name.
    pub name: String,
    /// Where it stands, in bytes from the first word; where a set numbers its constants, from the first constant.
    pub places: Vec<usize>,
    /// Its value unless the caller gives another, as bits.
    pub value: [u32; 4],
}

/// A frontend option: its name, the values it takes (the first is the default), one line of meaning.
#[derive(Copy, Clone, Debug)]
pub struct Setting {
    /// Name on the command line and in manifests.
    pub name: &'static str,
    /// Accepted values, the default first.
    pub values: &'static [&'static str],
    /// One line of meaning.
    pub doc: &'static str,
}

impl Options {
    /// The chosen value of a setting: the caller's if it is one of the accepted ones, else the default.
    pub fn value(&self, setting: &Setting) -> &'static str {
        let asked = self.settings.get(setting.name);
        let found = asked.and_then(|asked| setting.values.iter().find(|v| *v == asked));
        found.or(setting.values.first()).copied().unwrap_or("")
    }

    /// Problems with the settings: unknown names and values, with what would have been right.
    pub fn check(&self, known: &[Setting]) -> Vec<Diag> {
        let mut diags = Vec::new();
        for (name, value) in &self.settings {
            let Some(setting) = known.iter().find(|s| s.name == name) else {
                let mut diag = unplaced("option-unknown", format!("unknown frontend option `{name}`"));
                let names: Vec<&str> = known.iter().map(|s| s.name).collect();
                if let Some(near) = closest(name, names.iter().copied()) {
                    diag = diag.with_help(format!("did you mean `{near}`?"));
                } else if names.is_empty() {
                    diag = diag.with_help("this frontend has no options");
                } else {
                    diag = diag.with_help(format!("known options: {}", names.join(", ")));
                }
                diags.push(diag);
                continue;
            };
            if !setting.values.contains(&value.as_str()) {
                diags.push(
                    unplaced("option-value", format!("frontend option `{name}` cannot be `{value}`"))
                        .with_help(format!("accepted values: {}", setting.values.join(", "))),
                );
            }
        }
        diags
    }
}

/// An error that has no place in the source.
pub fn unplaced(code: parallax_text::Code, message: impl Into<String>) -> Diag {
    Diag { span: None, severity: Severity::Error, ..Diag::invalid(code, Span::default(), message) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: &[Setting] = &[Setting { name: "alias", values: &["zero", "bits"], doc: "chunk policy" }];

    fn with(name: &str, value: &str) -> Options {
        let mut options = Options::default();
        options.settings.insert(name.into(), value.into());
        options
    }

    #[test]
    fn settings_have_defaults_and_refuse_what_is_unknown() {
        assert_eq!(Options::default().value(&KNOWN[0]), "zero");
        assert_eq!(with("alias", "bits").value(&KNOWN[0]), "bits");
        assert!(with("alias", "bits").check(KNOWN).is_empty());
        let diags = with("allias", "bits").check(KNOWN);
        assert_eq!((diags[0].code, diags[0].help[0].as_str()), ("option-unknown", "did you mean `alias`?"));
        assert_eq!(with("alias", "no").check(KNOWN)[0].code, "option-value");
    }
}
