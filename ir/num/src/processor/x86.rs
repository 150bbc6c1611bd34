//! The levels of x86-64, each a token that only its detection makes.
#![allow(unsafe_code, reason = "a function of another level can be called in no other way")]

/// A level: its name, what it is, and its instructions.
macro_rules! level {
    ($name:ident, $doc:literal, $($feature:tt),+) => {
        #[doc = $doc]
        #[derive(Copy, Clone, Debug)]
        pub struct $name(());

        impl $name {
            /// The token, where this machine has all instructions of the level.
            pub(super) fn detect() -> Option<$name> {
                ($(std::arch::is_x86_feature_detected!($feature))&&+).then_some($name(()))
            }

            /// Does a job with the instructions of the level.
            #[inline(always)]
            pub(super) fn run<R>(self, job: impl FnOnce() -> R) -> R {
                #[inline]
                $(#[target_feature(enable = $feature)])+
                fn of_level<R>(job: impl FnOnce() -> R) -> R {
                    job()
                }
                // SAFETY: there is a token, so this machine has these instructions.
                unsafe { of_level(job) }
            }
        }
    };
}

level!(V3, "This machine has x86-64-v3.", "avx", "avx2", "bmi1", "bmi2", "fma", "lzcnt", "popcnt");
level!(
    V4,
    "This machine has x86-64-v4.",
    "avx",
    "avx2",
    "bmi1",
    "bmi2",
    "fma",
    "lzcnt",
    "popcnt",
    "avx512f",
    "avx512bw",
    "avx512cd",
    "avx512dq",
    "avx512vl"
);
