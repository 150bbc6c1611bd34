//! How groups are laid out: which parts follow a header, in the order of their bytes.

use crate::{fields, isa::Usc, table};
use parallax_isa::{Binary, Field, Groups, Layout, Pattern, Slot};
use std::sync::LazyLock;

const fn part(name: &'static str, table: &'static parallax_isa::Table<Usc>) -> Slot<Usc> {
    Slot { name, table, again: &[], overlay: false, linked: false }
}

const fn linked(name: &'static str, table: &'static parallax_isa::Table<Usc>) -> Slot<Usc> {
    Slot { linked: true, ..part(name, table) }
}

const fn beside(name: &'static str, table: &'static parallax_isa::Table<Usc>) -> Slot<Usc> {
    Slot { overlay: true, ..part(name, table) }
}

/// Declares the slots: the number of each, and what it is.
macro_rules! slots {
    ($($name:ident = $slot:expr;)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Number { $($name),* }

        /// Numbers of the slots.
        pub(crate) mod slot {
            $(pub(crate) const $name: u8 = super::Number::$name as u8;)*
        }

        static SLOTS: &[Slot<Usc>] = &[$($slot),*];
    };
}

slots! {
    HEADER = part("header", &table::HEADER);
    EXTENSION = part("third header byte", &table::EXTENSION);
    BACKEND = part("backend operation", &table::BACKEND);
    LATE = Slot { again: LATE_AGAIN, ..part("operation of phase 2", &table::LATE) };
    ONE = part("operation of phase 1", &table::EARLY);
    ZERO = part("operation of phase 0", &table::EARLY);
    NARROW = part("operation of phase 0 with elements", &table::NARROW);
    TEST = beside("bit test", &table::TEST);
    SHIFT2 = part("second shifter", &table::SHIFT2);
    LOGICAL = part("logical unit", &table::LOGICAL);
    COUNT = beside("counter", &table::COUNT);
    SHIFT1 = beside("first shifter", &table::SHIFT1);
    MASK = part("mask unit", &table::MASK);
    CONTROL = part("control operation", &table::CONTROL);
    LOWER = linked("lower sources", &table::LOWER);
    UPPER = linked("upper sources", &table::UPPER);
    SELECTORS = linked("selectors", &table::SELECTORS);
    FIRST = linked("destination", &table::FIRST);
    SECOND = linked("destination", &table::SECOND);
    BOTH = linked("destinations", &table::BOTH);
    // Not in bytes.
    OUTPUT0 = part("output 0", &table::OUTPUT_0);
    OUTPUT1 = part("output 1", &table::OUTPUT_1);
    BITWISE_OUTPUTS = part("output", &table::BITWISE_OUTPUTS);
}
use slot::*;

/// Codes of the sets of phases a main group can have: of which parts, the first bytes first.
const MAIN: [&[u8]; 8] = [
    &[ZERO],
    &[LATE],
    &[BACKEND],
    &[ONE, ZERO],
    &[LATE, ZERO],
    &[LATE, ONE, ZERO],
    &[BACKEND, LATE, ZERO],
    &[BACKEND, LATE, ONE, ZERO],
];

/// The slots of one layout.
#[derive(Copy, Clone)]
struct Plan {
    slots: [u8; 15],
    count: u8,
}

impl Plan {
    const fn with(mut self, slot: u8) -> Plan {
        self.slots[self.count as usize] = slot;
        self.count += 1;
        self
    }

    const fn outputs(self, outputs: usize) -> Plan {
        match outputs {
            1 => self.with(FIRST),
            2 => self.with(SECOND),
            3 => self.with(BOTH),
            _ => self,
        }
    }
}

/// The header, with which all start.
const HEAD: Plan = Plan { slots: [0; 15], count: 0 }.with(HEADER);

impl Plan {
    /// Of a main group: by seven bits of the header, which are the outputs (two), the overlap check (one), the set of phases (three) and
    /// whether there is a third byte (one); and whether the operation of phase 0 has a byte of elements (one).
    const fn main(n: usize) -> Plan {
        let mut plan = if n >> 6 & 1 == 1 { HEAD.with(EXTENSION) } else { HEAD };
        let parts = MAIN[n >> 3 & 7];
        let mut i = 0;
        while i < parts.len() {
            plan = plan.with(if parts[i] == ZERO && n >> 7 == 1 { NARROW } else { parts[i] });
            i += 1;
        }
        plan.with(LOWER).with(UPPER).with(SELECTORS).outputs(n & 3)
    }

    /// Of a bitwise group: by the outputs and the mask of phases.
    const fn bitwise(n: usize) -> Plan {
        let mut plan = HEAD.with(EXTENSION);
        if n >> 4 & 1 == 1 {
            plan = plan.with(TEST).with(SHIFT2);
        }
        if n >> 3 & 1 == 1 {
            plan = plan.with(LOGICAL);
        }
        if n >> 2 & 1 == 1 {
            plan = plan.with(COUNT).with(SHIFT1).with(MASK);
        }
        plan.with(LOWER).with(UPPER).outputs(n & 3)
    }

    /// Of a control group: by the outputs and whether it has sources.
    const fn control(n: usize) -> Plan {
        let plan = HEAD.with(CONTROL);
        if n >> 2 == 1 { plan.with(LOWER).with(UPPER).outputs(n & 3) } else { plan.outputs(n & 3) }
    }
}

/// All plans of a kind of groups.
macro_rules! plans {
    ($($name:ident = $plan:ident, $count:literal;)*) => {
        $(static $name: [Plan; $count] = {
            let mut all = [HEAD; $count];
            let mut n = 0;
            while n < $count {
                all[n] = Plan::$plan(n);
                n += 1;
            }
            all
        };)*
    };
}
plans! {
    MAIN_PLANS = main, 256;
    BITWISE_PLANS = bitwise, 32;
    CONTROL_PLANS = control, 8;
}

/// Code of the control operation on mask counts, the only one with sources.
const CONDITIONAL: u64 = 3;

/// The slots of a group by its first bytes.
#[inline(always)]
fn parts(first: u64, attempt: usize) -> Option<&'static [u8]> {
    let outputs = (first >> 9 & 3) as usize;
    let phases = (first >> 12 & 7) as usize;
    let extended = first >> 15 & 1 == 1;
    let kind = if extended { first >> 21 & 3 } else { 0 };
    let main = (first >> 9 & 0x7f) as usize;
    let plan = match (kind, attempt) {
        (0, 0) => &MAIN_PLANS[main],
        // Sets with phase 0: a byte of elements may follow it.
        (0, 1) if phases != 1 && phases != 2 => &MAIN_PLANS[0x80 | main],
        (2, 0) => &BITWISE_PLANS[phases << 2 | outputs],
        (3, 0) => &CONTROL_PLANS[usize::from(first >> 17 & 15 == CONDITIONAL) << 2 | outputs],
        _ => return None,
    };
    plan.slots.get(..usize::from(plan.count))
}

/// Operations of phase 2 that another one follows: moves and tests, of which the longer forms say whether they are the last.
const LATE_AGAIN: &[Pattern] = &[
    Pattern::new("110 0----"),
    Pattern::new("0 110 1----"),
    Pattern::new("111 0----"),
    Pattern::new("0 ---- 111 1----"),
];

/// Whether bytes are padding: one 0xff to whole words, then 0xf0 plus the number of words and 0xff to the end.
fn is_padding(mut rest: &[u8]) -> bool {
    if !rest.len().is_multiple_of(2) {
        if rest[0] != 0xff {
            return false;
        }
        rest = &rest[1..];
    }
    match rest {
        [] => true,
        [first, rest @ ..] => {
            usize::from(first & 15) == rest.len().div_ceil(2) && first >> 4 == 15 && rest.iter().all(|b| *b == 0xff)
        }
    }
}

impl Layout for Usc {
    fn slots() -> &'static [Slot<Usc>] {
        SLOTS
    }

    fn map() -> &'static [&'static Field] {
        &[
            &fields::S0_NUMBER,
            &fields::S0_BANK,
            &fields::S1_NUMBER,
            &fields::S1_BANK,
            &fields::S2_NUMBER,
            &fields::S2_BANK,
            &fields::S3_NUMBER,
            &fields::S3_BANK,
            &fields::S4_NUMBER,
            &fields::S4_BANK,
            &fields::S5_NUMBER,
            &fields::S5_BANK,
            &fields::W0_NUMBER,
            &fields::W0_BANK,
            &fields::W1_NUMBER,
            &fields::W1_BANK,
            &fields::IS0,
            &fields::IS1,
            &fields::IS2,
            &fields::IS3,
            &fields::IS4,
            &fields::IS5,
        ]
    }

    #[inline(always)]
    fn parts(first: u64, attempt: usize) -> Option<&'static [u8]> {
        parts(first, attempt)
    }

    #[inline(always)]
    fn len(first: u64) -> usize {
        // 0 stands for 16 words.
        ((first as usize).wrapping_sub(1) % 16 + 1) * 2
    }

    #[inline(always)]
    fn padding(rest: &[u8]) -> bool {
        is_padding(rest)
    }

    #[inline]
    fn pad(out: &mut Vec<u8>, start: usize) {
        if !(out.len() - start).is_multiple_of(2) {
            out.push(0xff);
        }
        out[start] = out[start] & 0xf0 | (((out.len() - start) / 2) & 15) as u8;
    }
}

/// Decoder, encoder and text engine of all tables.
pub fn groups() -> &'static Groups<Usc> {
    static GROUPS: LazyLock<Groups<Usc>> = LazyLock::new(Groups::new);
    &GROUPS
}

/// The set of phases whose parts are these, as bits: 1 phase 0, 2 phase 1, 4 phase 2, 8 backend.
pub(crate) fn phase_code(present: u8) -> Option<u64> {
    const NONE: u8 = u8::MAX;
    static CODES: [u8; 16] = {
        let mut all = [NONE; 16];
        let mut code = 0;
        while code < MAIN.len() {
            let (mut bits, mut n) = (0, 0);
            while n < MAIN[code].len() {
                bits |= match MAIN[code][n] {
                    ZERO => 1,
                    ONE => 2,
                    LATE => 4,
                    _ => 8,
                };
                n += 1;
            }
            all[bits] = code as u8;
            code += 1;
        }
        all
    };
    CODES.get(usize::from(present)).filter(|code| **code != NONE).map(|code| u64::from(*code))
}

/// Decodes bytes that stand for exactly one group.
pub(crate) fn one_group(bytes: &[u8]) -> Option<(Binary, parallax_isa::Group)> {
    let binary = Binary::new(bytes);
    let group = groups().decode(&binary, 0)?.ok()?;
    (usize::from(group.len) == bytes.len()).then_some((binary, group))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn padding() {
        for good in [&[][..], &[0xff], &[0xf1, 0xff], &[0xff, 0xf2, 0xff, 0xff, 0xff]] {
            assert!(is_padding(good), "{good:x?}");
        }
        for bad in [&[0xf1][..], &[0xff, 0xff], &[0xf2, 0xff], &[0xff, 0xf1, 0], &[0]] {
            assert!(!is_padding(bad), "{bad:x?}");
        }
    }

    #[test]
    fn tables_are_sound() {
        let mut wrong = Vec::new();
        for slot in SLOTS {
            wrong.extend(parallax_isa::check(slot.table));
        }
        assert_eq!(wrong, Vec::<String>::new());
    }

    #[test]
    fn sets_of_phases() {
        assert_eq!([1, 3, 5, 7, 13, 15, 4, 8].map(phase_code), [0, 3, 4, 5, 6, 7, 1, 2].map(Some));
        assert_eq!([2, 9, 11, 12].map(phase_code), [None; 4]);
    }
}
