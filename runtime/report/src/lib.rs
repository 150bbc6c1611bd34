//! Comparisons of one shader under several models, ulp statistics, and reports in HTML, CSV, JSON lines, SVG.

mod chart;
mod frame;
mod histogram;
mod html;
mod legality;
mod metrics;
pub mod picture;
mod report;
mod rows;
mod snapshot;
mod trust;
mod value;
mod verdict;
pub mod words;

pub use frame::FrameRead;
pub use histogram::{BUCKETS, Histogram};
pub use html::html;
pub use legality::{Legality, Offence, legality};
pub use metrics::{Metrics, PixelComponent, measure};
pub use parallax::{Channel, Frame};
pub use report::{
    Comparison, Outcome, PICTURE_LIMIT, Pair, Problem, ProgramPair, Report, Row, ShaderReport, Subject, thinning,
};
pub use rows::{ArgMax, Record, SCHEMA, csv, jsonl, pairs, records};
pub use snapshot::{Distance, SNAPSHOT_LIMIT, Snapshot};
pub use trust::{Decided, Trust, Varied, observed_draw, trust};
pub use verdict::Verdict;
