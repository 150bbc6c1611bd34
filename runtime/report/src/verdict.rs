//! How far a difference strikes the eye.

use crate::metrics::Metrics;
use crate::snapshot::Distance;

/// What a viewer of 8-bit pictures makes of two results, from nothing up.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Bit for bit the same.
    Equal,
    /// Bits differ, and no 8-bit pixel does.
    Bits,
    /// Pixels differ by one 8-bit step.
    OneStep,
    /// By 2 or 3 steps.
    BarelyVisible,
    /// By 4 to 15 steps.
    Visible,
    /// By 16 to 63 steps; or pixels are drawn in one picture alone.
    PlainlyVisible,
    /// By 64 steps or more.
    AnotherPicture,
}

impl Verdict {
    /// From the least to the most.
    pub const ALL: [Verdict; 7] = [
        Verdict::Equal,
        Verdict::Bits,
        Verdict::OneStep,
        Verdict::BarelyVisible,
        Verdict::Visible,
        Verdict::PlainlyVisible,
        Verdict::AnotherPicture,
    ];

    fn new(equal: bool, steps: u8, flips: u64) -> Verdict {
        let seen = match steps {
            0 if equal => Verdict::Equal,
            0 => Verdict::Bits,
            1 => Verdict::OneStep,
            2..=3 => Verdict::BarelyVisible,
            4..=15 => Verdict::Visible,
            16..=63 => Verdict::PlainlyVisible,
            _ => Verdict::AnotherPicture,
        };
        if flips > 0 { seen.max(Verdict::PlainlyVisible) } else { seen }
    }

    /// Of pixels that differ by this many 8-bit steps, or in their bits where that is 0.
    pub fn steps(steps: u8) -> Verdict {
        Verdict::new(false, steps, 0)
    }

    /// Of a result compared with the reference.
    pub fn of(m: &Metrics) -> Verdict {
        Verdict::new(m.identical(), m.max8, m.coverage_flips)
    }

    /// Of two results compared with each other.
    pub fn between(d: &Distance) -> Verdict {
        Verdict::new(d.differ == 0, d.max8, d.flips)
    }

    /// Name in tables and limits: `one-step`.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Equal => "equal",
            Verdict::Bits => "bits",
            Verdict::OneStep => "one-step",
            Verdict::BarelyVisible => "barely-visible",
            Verdict::Visible => "visible",
            Verdict::PlainlyVisible => "plainly-visible",
            Verdict::AnotherPicture => "another-picture",
        }
    }

    /// The verdict of this name.
    pub fn from_name(name: &str) -> Option<Verdict> {
        Verdict::ALL.into_iter().find(|v| v.name() == name)
    }

    /// In a sentence.
    pub fn words(self) -> &'static str {
        match self {
            Verdict::Equal => "bit for bit equal",
            Verdict::Bits => "no visible difference",
            Verdict::OneStep => "one step, not visible",
            Verdict::BarelyVisible => "barely visible",
            Verdict::Visible => "visible side by side",
            Verdict::PlainlyVisible => "plainly visible",
            Verdict::AnotherPicture => "another picture",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_rise_with_the_steps() {
        let of = |steps| Verdict::new(false, steps, 0).name();
        let want = [(0, "bits"), (1, "one-step"), (3, "barely-visible"), (15, "visible"), (63, "plainly-visible")];
        want.into_iter().for_each(|(steps, name)| assert_eq!(of(steps), name));
        assert_eq!((of(64), Verdict::new(true, 0, 0)), ("another-picture", Verdict::Equal));
        // A pixel that only one picture has is seen, whatever its colour.
        assert_eq!(
            (Verdict::new(false, 0, 1).name(), Verdict::new(false, 200, 1).name()),
            ("plainly-visible", "another-picture")
        );
        assert!(Verdict::ALL.is_sorted() && Verdict::ALL.iter().all(|v| Verdict::from_name(v.name()) == Some(*v)));
    }
}
