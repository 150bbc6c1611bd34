//! Frontend options.

use parallax_core::{Stage, TexTarget};
use parallax_lift::{Options, Setting};

const TARGETS: &[&str] = &["2d", "1d", "3d", "cube", "rect"];

const fn unit(name: &'static str) -> Setting {
    Setting { name, values: TARGETS, doc: "shape of the texture on this unit" }
}

/// Frontend options. The instruction words say nothing about stage and texture shapes, and the source document and the
/// original simulator differ in the rest.
pub const SETTINGS: &[Setting] = &[
    Setting {
        name: "stage",
        values: &["fragment", "vertex"],
        doc: "shader stage; a vertex program decides jumps per vertex",
    },
    Setting {
        name: "quirks",
        values: &["none", "sim"],
        doc: "sim: STPLTI compares for equality, integer absolute values pass through binary32, ZXS counts samples in \
              fours, as the original simulator has it",
    },
    Setting {
        name: "arl_mask",
        values: &["ignore", "honour"],
        doc: "whether ARL writes all four components or only those of its mask",
    },
    Setting {
        name: "predication",
        values: &["writes", "full"],
        doc: "whether a guard affects only register writes, or also kills, exports, sample changes and jumps",
    },
    Setting {
        name: "fx_bits",
        values: &["8", "16", "1", "2", "3", "4", "5", "6", "7", "9", "10", "11", "12", "13", "14", "15"],
        doc: "fraction bits of fixed-point operands; the accumulator has twice as many",
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
];

/// The options as chosen.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub(super) stage: Stage,
    /// Reproduce what the facts call bugs of the simulator.
    pub(super) sim: bool,
    pub(super) arl_mask: bool,
    pub(super) full_predication: bool,
    pub(super) fx_bits: u32,
    pub(super) targets: [TexTarget; 16],
}

impl Settings {
    /// The components ARL writes with this mask.
    pub(super) fn arl_writes(&self, mask: u8) -> u8 {
        if self.arl_mask { mask } else { 15 }
    }

    pub(super) fn of(options: &Options) -> Settings {
        let value = |n: usize| options.value(&SETTINGS[n]);
        let mut targets = [TexTarget::D2; 16];
        for (n, target) in targets.iter_mut().enumerate() {
            *target = match value(5 + n) {
                "1d" => TexTarget::D1,
                "3d" => TexTarget::D3,
                "cube" => TexTarget::Cube,
                "rect" => TexTarget::Rect,
                _ => TexTarget::D2,
            };
        }
        Settings {
            stage: if value(0) == "vertex" { Stage::Vertex } else { Stage::Fragment },
            sim: value(1) == "sim",
            arl_mask: value(2) == "honour",
            full_predication: value(3) == "full",
            fx_bits: value(4).parse().unwrap_or(8),
            targets,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_stand_where_they_are_looked_up() {
        let mut options = Options::default();
        for (name, value) in
            [("stage", "vertex"), ("quirks", "sim"), ("arl_mask", "honour"), ("predication", "full"), ("fx_bits", "16")]
        {
            options.settings.insert(name.into(), value.into());
        }
        options.settings.insert("t15".into(), "cube".into());
        assert!(options.check(SETTINGS).is_empty());
        let s = Settings::of(&options);
        assert_eq!((s.stage, s.sim, s.arl_mask, s.full_predication, s.fx_bits), (Stage::Vertex, true, true, true, 16));
        assert_eq!((s.targets[15], s.targets[14]), (TexTarget::Cube, TexTarget::D2));
    }
}
