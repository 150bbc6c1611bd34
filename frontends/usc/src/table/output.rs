//! Output statements: which feed-through an output takes. They are no operations: what they say stands in the selectors and
//! destinations of the group.

use super::row::{rows, table};
use crate::fields::*;
use crate::operand::{OUTPUT0, OUTPUT1, feed, operands, result};
use crate::{isa::Usc, opcode::Opcode::*};
use parallax_isa::Meaning::Lift;
use parallax_isa::{Family, Row, Table};

operands! {
    OUTPUT0_OR_NONE = "{reg, _}", result!(&W0P, &W0, "_");
    TAKEN0 = "{ft0, ft1, ft2, reg}", feed!(&IS4);
    TAKEN1 = "{ft0, ft1, ft2, reg}", feed!(&IS5);
}

const FIRST: &[Row<Usc>] = rows! { "section 3.2.5", Observed;
    "mov", Lift(Other), "mov {d}, {a}", "Output 0 goes to a register.", [d: OUTPUT0_OR_NONE, a: TAKEN0] { "output 0" "1o{127}"; }
};
/// The first output.
pub(crate) static OUTPUT_0: Table<Usc> =
    table("usc output 0", "Output 0", "What output 0 takes.", &[Family { title: "Output", rows: FIRST }]);

const SECOND: &[Row<Usc>] = rows! { "section 3.2.5", Observed;
    "mov", Lift(Other), "mov {d}, {a}", "Output 1 goes to a register.", [d: OUTPUT1, a: TAKEN1] { "output 1" "1o{127}"; }
};
/// The second output.
pub(crate) static OUTPUT_1: Table<Usc> =
    table("usc output 1", "Output 1", "What output 1 takes.", &[Family { title: "Output", rows: SECOND }]);

const BITWISE: &[Row<Usc>] = rows! { "section 3.3", Observed;
    "mov", Lift(Other), "mov {d}, ft1", "Output 0 of a group without later phases.", [d: OUTPUT0] { "of phase 0" "1o{125}00"; }
    "mov", Lift(Other), "mov {d}, ft4", "Output 0 of a group without phase 2.", [d: OUTPUT0] { "of phase 1" "1o{125}01"; }
    "mov", Lift(Other), "mov {d}, ft5", "Output 0.", [d: OUTPUT0] { "of phase 2" "1o{125}10"; }
    "mov", Lift(Other), "mov {d}, ft3", "Output 1.", [d: OUTPUT1] { "of the counter" "1o{124}011"; }
    "mov", Lift(Other), "mov {d}, ft2", "Output 1 where the counter passes on what the first shifter makes.", [d: OUTPUT1] {
        "through the counter" "1o{124}111";
    }
};
/// Both outputs of bitwise groups.
pub(crate) static BITWISE_OUTPUTS: Table<Usc> = table(
    "usc bitwise outputs",
    "Outputs of bitwise groups",
    "Which results they take is fixed.",
    &[Family { title: "Output", rows: BITWISE }],
);
