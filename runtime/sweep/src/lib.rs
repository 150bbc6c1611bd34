//! One operation over all its inputs, or over a stated sample of them.
//!
//! A [`Plan`] says which operation, under which model, against what, over which inputs. Inputs are numbered; the numbers
//! are cut into blocks of equal size, blocks are dealt to shards. A shard's [`Tally`] is exact: every field is a count, a
//! fixed-point sum or a maximum with a fixed rule for ties, so tallies merge in any order to the same bytes. Parts are
//! written under their final name only when they are complete, which is what makes a sweep resumable.
//!
//! ```
//! use parallax_num::{Decl, Model};
//! use parallax_sweep::{Against, Inputs, Plan, Progress, Summary, run_shard, version};
//!
//! struct Quiet;
//! impl Progress for Quiet {
//!     fn advance(&self, _: u64) {}
//! }
//!
//! // Reciprocals of all halves.
//! let model = Model::builtin("ieee").expect("built in");
//! let mut plan = Plan {
//!     op: "rcp".into(),
//!     format: "half".into(),
//!     model: model.label(),
//!     against: Against::Exact,
//!     inputs: Inputs::all(Decl::F16),
//!     profile: None,
//!     fingerprint: String::new(),
//!     version: version(),
//! };
//! let bound = plan.bind(&model, None).expect("a plan that is possible");
//! plan.fingerprint = bound.fingerprint();
//! let tally = run_shard(&plan, &bound, 1, 1, &Quiet).expect("nobody stops it");
//! let summary = Summary::new(&plan, &tally).expect("a whole sweep");
//! assert_eq!((summary.inputs, summary.correct), (1 << 16, 1.0));
//! ```

mod count;
mod error;
mod inputs;
mod part;
mod plan;
mod plot;
mod run;
mod summary;
mod tally;
mod whole;
mod worker;

pub use error::SweepError;
pub use inputs::{Inputs, bits_at, place_of};
pub use part::{Part, merge, read_part};
pub use plan::{Against, BoundPlan, Plan, PlanError, Reference};
pub use plot::plot;
pub use run::{Progress, run, run_shard};
pub use summary::{LegalSummary, Outside, Summary, write_results};
pub use tally::{Class, Offence, Rulings, SIGNED_BUCKETS, Tally};
pub use whole::write_whole;

/// Revision of the measurement: what inputs are drawn, what they are compared with, how errors are counted. Raised whenever
/// one of these changes; `tests/pinned.rs` notices.
const REVISION: u32 = 4;

/// Version of the program for [`Plan::version`]. Parts of different versions are never added up.
pub fn version() -> String {
    format!("{}-m{REVISION}", env!("CARGO_PKG_VERSION"))
}
