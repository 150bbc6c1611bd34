//! Built-in models by vendor, age and class, so that several can be asked for at once.

/// What kind of thing a model describes.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Lineage {
    /// Who made it: `nvidia`.
    pub vendor: &'static str,
    /// Year of the first product, or of the document.
    pub year: u16,
    /// `definition` (of ours), `api` (rules of a programming interface), `desktop`, `mobile`, `software` (a renderer on the
    /// CPU) or `simulator`.
    pub class: &'static str,
}

/// Models a comparison starts from: a dozen that differ in kind.
pub(crate) const DEFAULT: &[&str] = &[
    "ieee",
    "ati-r300",
    "nv-patent",
    "nvfp",
    "attila",
    "maxwell",
    "amd-gcn",
    "intel-alt",
    "rogue",
    "adreno",
    "vc4",
    "llvmpipe",
];

/// Classes in the order of listings.
pub(crate) const CLASSES: &[&str] = &["definition", "api", "desktop", "mobile", "software", "simulator"];

/// Every built-in model.
const LINEAGES: &[(&str, &str, u16, &str)] = &[
    ("ieee", "parallax", 2019, "definition"),
    ("binary64", "parallax", 2019, "definition"),
    ("d3d9", "microsoft", 2002, "api"),
    ("d3d11", "microsoft", 2009, "api"),
    ("nv-patent", "nvidia", 2001, "desktop"),
    ("nv20", "nvidia", 2001, "desktop"),
    ("nvfp", "nvidia", 2003, "desktop"),
    ("nv-arb", "nvidia", 2003, "desktop"),
    ("nv40", "nvidia", 2004, "desktop"),
    ("g80", "nvidia", 2006, "desktop"),
    ("fermi", "nvidia", 2010, "desktop"),
    ("maxwell", "nvidia", 2014, "desktop"),
    ("pascal", "nvidia", 2016, "desktop"),
    ("volta", "nvidia", 2017, "desktop"),
    ("ampere", "nvidia", 2020, "desktop"),
    ("ati-r300", "amd", 2002, "desktop"),
    ("ati-r500", "amd", 2005, "desktop"),
    ("amd-terascale", "amd", 2007, "desktop"),
    ("amd-gcn", "amd", 2012, "desktop"),
    ("amd-rdna1", "amd", 2019, "desktop"),
    ("amd-rdna", "amd", 2020, "desktop"),
    ("intel-gen9", "intel", 2015, "desktop"),
    ("intel-xe", "intel", 2020, "desktop"),
    ("intel-alt", "intel", 2015, "desktop"),
    ("mali-utgard", "arm", 2008, "mobile"),
    ("mali-midgard", "arm", 2012, "mobile"),
    ("mali-bifrost", "arm", 2016, "mobile"),
    ("adreno", "qualcomm", 2015, "mobile"),
    ("apple-agx", "apple", 2020, "mobile"),
    ("vc4", "broadcom", 2012, "mobile"),
    ("v3d", "broadcom", 2019, "mobile"),
    ("rogue", "imagination", 2012, "mobile"),
    ("tgsi", "mesa", 2017, "software"),
    ("tgsi-mul-zero-wins", "mesa", 2017, "software"),
    ("llvmpipe", "mesa", 2022, "software"),
    ("lavapipe", "mesa", 2022, "software"),
    ("swiftshader", "google", 2020, "software"),
    ("attila", "attila", 2006, "simulator"),
];

/// Of the built-in model of this name.
pub(crate) fn lineage(name: &str) -> Option<Lineage> {
    let &(_, vendor, year, class) = LINEAGES.iter().find(|row| row.0 == name)?;
    Some(Lineage { vendor, year, class })
}

/// Names of all groups: `all`, `default`, classes, decades such as `2000s`, vendors.
pub(crate) fn groups() -> Vec<String> {
    let mut out: Vec<String> =
        ["all", "default"].into_iter().chain(CLASSES.iter().copied()).map(String::from).collect();
    for name in super::NAMES {
        let Some(of) = lineage(name) else { continue };
        for group in [decade(of.year), of.vendor.to_string()] {
            // A vendor with one model that bears its name needs no group.
            if !out.contains(&group) && !super::NAMES.contains(&group.as_str()) {
                out.push(group);
            }
        }
    }
    out
}

fn decade(year: u16) -> String {
    format!("{}s", year / 10 * 10)
}

/// Built-in models of a group, in the order of listings; `None` for no group.
pub(crate) fn members(group: &str) -> Option<Vec<&'static str>> {
    if !groups().iter().any(|known| known == group) {
        return None;
    }
    let belongs = |name: &str| match group {
        "all" => true,
        "default" => DEFAULT.contains(&name),
        _ => lineage(name).is_some_and(|of| of.vendor == group || of.class == group || decade(of.year) == group),
    };
    Some(super::NAMES.iter().copied().filter(|name| belongs(name)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::NAMES;

    #[test]
    fn every_model_has_a_lineage_and_every_group_members() {
        for name in NAMES {
            let of = lineage(name).unwrap_or_else(|| panic!("{name} has no lineage"));
            assert!(CLASSES.contains(&of.class), "{name}");
            assert!(members(of.class).unwrap().contains(name), "{name}");
        }
        for group in groups() {
            assert!(!members(&group).unwrap().is_empty(), "{group}");
            assert!(!NAMES.contains(&group.as_str()), "{group} is a model too");
        }
        assert_eq!(members("all").unwrap(), NAMES);
        assert_eq!(members("maxwell"), None);
    }
}
