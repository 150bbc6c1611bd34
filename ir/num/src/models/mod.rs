//! Built-in models. Each is a TOML file under `ir/num/models` in the format that users write their own in ([`ModelFile`]), read
//! when the model is first asked for.

mod groups;

pub use groups::Lineage;
pub(crate) use groups::{CLASSES, groups, lineage, members};

use crate::{Model, ModelFile};
use parallax_text::Diag;
use std::sync::OnceLock;

macro_rules! built_in {
    ($($name:literal,)*) => {
        /// Names in the order of listings; parents stand before their children.
        pub(crate) const NAMES: &[&str] = &[$($name),*];

        /// Their files.
        const FILES: [&str; NAMES.len()] = [$(include_str!(concat!("../../models/", $name, ".toml"))),*];
    };
}

built_in! {
    "ieee",
    "binary64",
    "nv-patent",
    "nv20",
    "nvfp",
    "nv-arb",
    "nv40",
    "attila",
    "rogue",
    "maxwell",
    "pascal",
    "volta",
    "ampere",
    "tgsi",
    "tgsi-mul-zero-wins",
    "llvmpipe",
    "lavapipe",
    "ati-r300",
    "ati-r500",
    "amd-terascale",
    "amd-gcn",
    "amd-rdna",
    "amd-rdna1",
    "intel-gen9",
    "intel-xe",
    "intel-alt",
    "g80",
    "fermi",
    "mali-utgard",
    "mali-midgard",
    "mali-bifrost",
    "adreno",
    "apple-agx",
    "vc4",
    "v3d",
    "swiftshader",
    "d3d9",
    "d3d11",
}

/// Names that models had before, and have now.
const ALIASES: &[(&str, &str)] = &[("exact", "binary64")];

/// Every name a built-in model goes by.
pub(crate) fn spellings() -> Vec<&'static str> {
    NAMES.iter().copied().chain(ALIASES.iter().map(|(old, _)| *old)).collect()
}

/// Place of a model in [`NAMES`].
fn position(name: &str) -> Option<usize> {
    let name = ALIASES.iter().find(|(old, _)| *old == name).map_or(name, |(_, now)| now);
    NAMES.iter().position(|known| *known == name)
}

/// The file of the built-in model of this name.
pub(crate) fn file(name: &str) -> Option<&'static str> {
    position(name).map(|at| FILES[at])
}

/// The built-in model of this name.
///
/// # Panics
/// The model's file is wrong. A test reads all of them, so that none of these reaches a user.
pub(crate) fn builtin(name: &str) -> Option<Model> {
    static MODELS: [OnceLock<Model>; NAMES.len()] = [const { OnceLock::new() }; NAMES.len()];
    let at = position(name)?;
    let model = MODELS[at].get_or_init(|| match read(at) {
        Ok((_, model)) => model,
        Err(diags) => panic!("the file of the built-in model {name}: {diags:?}"),
    });
    Some(model.clone())
}

/// Reads the file at a place of [`NAMES`]. It stands on a model before it, so that no chain of parents comes back to itself.
fn read(at: usize) -> Result<(ModelFile, Model), Vec<Diag>> {
    let file = ModelFile::parse_builtin(FILES[at], &NAMES[..at])?;
    let parent = file.inherits().and_then(|(parent, _)| builtin(parent));
    let model = file.define(parent.as_ref()).map_err(|diag| vec![diag])?;
    Ok((file, model))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_read_and_says_nothing_in_vain() {
        // Maxwell repeats the error bounds of the PTX manual for what its function unit is known to compute to the bit, so that
        // they hold with [unit=none]; RDNA repeats a formula of GCN.
        let expected = |name: &str| match name {
            "maxwell" => 6,
            "amd-rdna" => 1,
            _ => 0,
        };
        for (at, name) in NAMES.iter().enumerate() {
            let (file, model) = read(at).unwrap_or_else(|diags| panic!("{name}: {diags:?}"));
            assert_eq!(model.name(), *name);
            assert_eq!(file.inherits().is_some(), *name != "ieee", "{name}: every other model ends at ieee");
            let warnings = file.warnings(&model);
            assert_eq!(warnings.len(), expected(name), "{name}: {warnings:?}");
        }
    }

    #[test]
    fn every_setting_names_its_source() {
        for model in Model::builtins() {
            for setting in model.settings() {
                assert!(setting.source.len() > 10, "{}: {}", model.name(), setting.field.name);
                assert_ne!(&*setting.source, "the model file gives no source", "{}", model.name());
            }
        }
    }

    #[test]
    fn every_file_of_the_folder_is_a_model() {
        let folder = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/models")).unwrap();
        let mut found: Vec<String> = folder.map(|f| f.unwrap().file_name().into_string().unwrap()).collect();
        let mut known: Vec<String> = NAMES.iter().map(|name| format!("{name}.toml")).collect();
        found.sort();
        known.sort();
        assert_eq!(found, known);
    }

    /// A copy of a file can be read as a user's model, once it has a name of its own.
    #[test]
    fn a_copy_under_another_name_computes_alike() {
        for name in NAMES {
            let text = file(name).unwrap();
            let taken = ModelFile::parse(text).unwrap_err();
            assert!(taken[0].message.contains("take another name"), "{name}: {taken:?}");
            let copy = text.replacen(&format!("name = \"{name}\""), "name = \"copy\"", 1);
            let read = ModelFile::parse(&copy).unwrap_or_else(|diags| panic!("{name}: {diags:?}"));
            let parent = read.inherits().map_or("ieee", |(parent, _)| parent);
            let copy = read.define(Model::builtin(parent).as_ref()).unwrap();
            assert_eq!(copy.diff(&Model::builtin(name).unwrap()), [], "{name}");
        }
    }

    #[test]
    fn a_model_is_read_once() {
        let [first, second] = [Model::builtin("exact"), Model::builtin("binary64")].map(Option::unwrap);
        assert!(std::ptr::eq(first.name(), second.name()));
        assert!(Model::builtin("nv41").is_none());
    }
}
