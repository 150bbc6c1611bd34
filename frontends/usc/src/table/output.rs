//! Output statements: which feed-through an output takes. They are no operations: what they say stands in the selectors and
//! destinations of the group.

use super::row::{rows, table};
use crate::{isa::Usc, opcode::Opcode::*};
use parallax_isa::Meaning::Lift;
use parallax_isa::{Family, Row, Table};

const FIRST: &[Row<Usc>] = rows! { "section 3.2.5", Observed;
    "mov", "output 0", "1o{127}", [d: OUTPUT0, a: IS4_FEED], "mov {d}, {a}", Lift(Other), "Output 0 goes to a register.";
};
/// The first output.
pub(crate) static OUTPUT0: Table<Usc> =
    table("usc output 0", "Output 0", "What output 0 takes.", &[Family { title: "Output", rows: FIRST }]);

const SECOND: &[Row<Usc>] = rows! { "section 3.2.5", Observed;
    "mov", "output 1", "1o{127}", [d: OUTPUT1, a: IS5_FEED], "mov {d}, {a}", Lift(Other), "Output 1 goes to a register.";
};
/// The second output.
pub(crate) static OUTPUT1: Table<Usc> =
    table("usc output 1", "Output 1", "What output 1 takes.", &[Family { title: "Output", rows: SECOND }]);

const BITWISE: &[Row<Usc>] = rows! { "section 3.3", Observed;
    "mov", "of phase 0", "1o{125}00", [d: BITWISE0], "mov {d}, ft1", Lift(Other), "Output 0 of a group without later phases.";
    "mov", "of phase 1", "1o{125}01", [d: BITWISE0], "mov {d}, ft4", Lift(Other), "Output 0 of a group without phase 2.";
    "mov", "of phase 2", "1o{125}10", [d: BITWISE0], "mov {d}, ft5", Lift(Other), "Output 0.";
    "mov", "of the counter", "1o{124}011", [d: OUTPUT1], "mov {d}, ft3", Lift(Other), "Output 1.";
    "mov", "through the counter", "1o{124}111", [d: OUTPUT1], "mov {d}, ft2", Lift(Other),
        "Output 1 where the counter passes on what the first shifter makes.";
};
/// Both outputs of bitwise groups.
pub(crate) static BITWISE_OUTPUTS: Table<Usc> = table(
    "usc bitwise outputs",
    "Outputs of bitwise groups",
    "Which results they take is fixed.",
    &[Family { title: "Output", rows: BITWISE }],
);
