//! Built-in models, one file each. A row names a scope, the fields it sets, how far to trust them and the public document
//! that says so. Rows apply in order; later ones win.

mod adreno;
mod amd_gcn;
mod amd_rdna;
mod amd_terascale;
mod apple_agx;
mod ati_r300;
mod ati_r500;
mod attila;
mod binary64;
mod d3d11;
mod d3d9;
mod fermi;
mod g80;
mod groups;
mod ieee;
mod intel_alt;
mod intel_gen9;
mod llvmpipe;
mod mali_bifrost;
mod mali_midgard;
mod mali_utgard;
mod maxwell;
mod nv40;
mod nv_arb;
mod nv_patent;
mod nv_published;
mod nvfp;
mod pascal;
mod rogue;
mod swiftshader;
mod tgsi;
mod tgsi_mul_zero_wins;
mod v3d;
mod vc4;
mod volta;

pub use groups::Lineage;
pub(crate) use groups::{CLASSES, groups, lineage, members};

use crate::{Decl, Field, Model, ModelDef, ModelError, OpSet, Scope, Setting, Tier};

/// Names in the order of listings; parents stand before their children.
pub(crate) const NAMES: &[&str] = &[
    "ieee",
    "binary64",
    "nv-patent",
    "nvfp",
    "nv-arb",
    "nv40",
    "attila",
    "rogue",
    "maxwell",
    "pascal",
    "volta",
    "tgsi",
    "tgsi-mul-zero-wins",
    "llvmpipe",
    "ati-r300",
    "ati-r500",
    "amd-terascale",
    "amd-gcn",
    "amd-rdna",
    "intel-gen9",
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
];

/// Names that models had before, and have now.
pub(crate) const ALIASES: &[(&str, &str)] = &[("exact", "binary64")];

/// Every name a built-in model goes by.
pub(crate) fn spellings() -> Vec<&'static str> {
    NAMES.iter().copied().chain(ALIASES.iter().map(|(old, _)| *old)).collect()
}

const TABLES: &[&Builtin] = &[
    &ieee::MODEL,
    &binary64::MODEL,
    &nv_patent::MODEL,
    &nvfp::MODEL,
    &nv_arb::MODEL,
    &nv40::MODEL,
    &attila::MODEL,
    &rogue::MODEL,
    &maxwell::MODEL,
    &pascal::MODEL,
    &volta::MODEL,
    &tgsi::MODEL,
    &tgsi_mul_zero_wins::MODEL,
    &llvmpipe::MODEL,
    &ati_r300::MODEL,
    &ati_r500::MODEL,
    &amd_terascale::MODEL,
    &amd_gcn::MODEL,
    &amd_rdna::MODEL,
    &intel_gen9::MODEL,
    &intel_alt::MODEL,
    &g80::MODEL,
    &fermi::MODEL,
    &mali_utgard::MODEL,
    &mali_midgard::MODEL,
    &mali_bifrost::MODEL,
    &adreno::MODEL,
    &apple_agx::MODEL,
    &vc4::MODEL,
    &v3d::MODEL,
    &swiftshader::MODEL,
    &d3d9::MODEL,
    &d3d11::MODEL,
];

/// A built-in model.
struct Builtin {
    name: &'static str,
    title: &'static str,
    about: &'static str,
    /// `None` for the root, `ieee`.
    inherits: Option<&'static str>,
    /// See [`ModelDef::definition`].
    definition: bool,
    /// See [`ModelDef::inherited`].
    inherited: Option<Tier>,
    rows: &'static [Row],
}

/// Fields set together.
struct Row {
    /// Declared formats; empty: all.
    slots: &'static [Decl],
    /// Operations or families; empty: all.
    ops: &'static [&'static str],
    /// Fields and values.
    set: &'static [(&'static str, &'static str)],
    tier: Tier,
    source: &'static str,
}

const EVERY_SLOT: &[Decl] = &[];
const FP32: &[Decl] = &[Decl::F32];
const HALF: &[Decl] = &[Decl::F16];
const FP32_HALF: &[Decl] = &[Decl::F32, Decl::F16];
const FP32_FP64: &[Decl] = &[Decl::F32, Decl::F64];
const FP64: &[Decl] = &[Decl::F64];
const FLOATS: &[Decl] = &[Decl::F32, Decl::F16, Decl::F64];
const FIXED: &[Decl] = &[Decl::Fx12, Decl::Fx9];

const EVERY_OP: &[&str] = &[];

/// The built-in model of this name. Tests build all of them, so that a bad row cannot reach a user.
pub(crate) fn builtin(name: &str) -> Option<Model> {
    let name = ALIASES.iter().find(|(old, _)| *old == name).map_or(name, |(_, now)| now);
    let table = TABLES.iter().find(|t| t.name == name)?;
    let parent = match table.inherits {
        None => None,
        Some(parent) => Some(builtin(parent)?),
    };
    build(table, parent.as_ref()).ok()
}

fn build(table: &Builtin, parent: Option<&Model>) -> Result<Model, ModelError> {
    let mut settings = Vec::new();
    for row in table.rows {
        let mut ops = if row.ops.is_empty() { OpSet::ALL } else { OpSet::EMPTY };
        for name in row.ops {
            ops = ops.with(OpSet::from_name(name).ok_or_else(|| ModelError::unknown_op(name))?);
        }
        let scope = Scope::new(row.slots, ops);
        for (name, value) in row.set {
            let field = Field::from_name(name).ok_or_else(|| ModelError::unknown_field(name))?;
            settings.push(Setting::new(scope, field, value, row.tier, row.source)?);
        }
    }
    let def = ModelDef {
        name: table.name.to_string(),
        title: table.title.to_string(),
        about: table.about.to_string(),
        definition: table.definition,
        inherited: table.inherited,
        settings,
    };
    Model::define(&def, parent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_every_table_is_accepted() {
        assert_eq!(NAMES.len(), TABLES.len());
        for (name, table) in NAMES.iter().zip(TABLES) {
            assert_eq!(*name, table.name);
            let parent = table.inherits.and_then(builtin);
            assert_eq!(parent.is_some(), *name != "ieee", "{name}: every other model ends at ieee");
            if let Err(error) = build(table, parent.as_ref()) {
                panic!("{name}: {error}");
            }
        }
    }

    #[test]
    fn every_row_names_its_source() {
        for table in TABLES {
            for row in table.rows {
                assert!(row.source.len() > 10, "{}: {:?}", table.name, row.set);
                assert!(!row.set.is_empty(), "{}: {}", table.name, row.source);
            }
        }
    }
}
