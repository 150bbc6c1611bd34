//! Frontend options.

use parallax_core::TexTarget;
use parallax_lift::{Options, Setting};

/// Texture units a program may use.
pub(super) const UNITS: usize = 16;

const fn unit(name: &'static str) -> Setting {
    Setting { name, values: &["plain", "cube"], doc: "shape of the texture on this unit, which groups do not specify" }
}

/// Frontend options: what groups leave to state that is set up outside of the program.
pub const SETTINGS: &[Setting] = &[
    Setting {
        name: "pixel",
        values: &["f32", "f16", "unorm8"],
        doc: "what pixel output registers hold: one float each, two halves, or the four bytes of a colour",
    },
    unit("t0"),
    unit("t1"),
    unit("t2"),
    unit("t3"),
    unit("t4"),
    unit("t5"),
    unit("t6"),
    unit("t7"),
    unit("t8"),
    unit("t9"),
    unit("t10"),
    unit("t11"),
    unit("t12"),
    unit("t13"),
    unit("t14"),
    unit("t15"),
    Setting {
        name: "end",
        values: &["auto", "required", "optional"],
        doc: "whether a program may end by running past its last group; by default only a text without any end",
    },
];

/// What a pixel output register holds.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Pixel {
    F32,
    F16,
    Unorm8,
}

/// Whether a program has to end.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum End {
    Auto,
    Required,
    Optional,
}

/// The options as chosen.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub(super) pixel: Pixel,
    pub(super) end: End,
    cubes: [bool; UNITS],
}

impl Settings {
    pub(super) fn of(options: &Options) -> Settings {
        let value = |n: usize| options.value(&SETTINGS[n]);
        let pixel = match value(0) {
            "f16" => Pixel::F16,
            "unorm8" => Pixel::Unorm8,
            _ => Pixel::F32,
        };
        let end = match value(UNITS + 1) {
            "required" => End::Required,
            "optional" => End::Optional,
            _ => End::Auto,
        };
        Settings { pixel, end, cubes: std::array::from_fn(|n| value(n + 1) == "cube") }
    }

    /// The shape of the texture on a unit that is sampled like this; `None` where no shape has these coordinates.
    pub(super) fn target(&self, unit: usize, dimensions: u8, array: bool, texels: bool) -> Option<TexTarget> {
        let cube = self.cubes.get(unit).copied().unwrap_or(false);
        Some(match (dimensions, array, texels) {
            (3, false, false) if cube => TexTarget::Cube,
            (3, true, false) if cube => TexTarget::CubeArray,
            (1, false, false) => TexTarget::D1,
            (1, true, false) => TexTarget::D1Array,
            (2, false, false) => TexTarget::D2,
            (2, true, false) => TexTarget::D2Array,
            (2, false, true) => TexTarget::Rect,
            (3, false, false) => TexTarget::D3,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_stand_where_they_are_looked_up() {
        let mut options = Options::default();
        for (name, value) in [("pixel", "unorm8"), ("t15", "cube"), ("end", "required")] {
            options.settings.insert(name.into(), value.into());
        }
        assert!(options.check(SETTINGS).is_empty());
        let settings = Settings::of(&options);
        assert_eq!((settings.pixel, settings.end), (Pixel::Unorm8, End::Required));
        assert_eq!(settings.target(15, 3, false, false), Some(TexTarget::Cube));
        assert_eq!(settings.target(14, 3, false, false), Some(TexTarget::D3));
        assert_eq!(settings.target(0, 1, false, true), None);
    }
}
