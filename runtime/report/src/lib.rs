//! Comparisons of one shader under several models, ulp statistics, and reports in HTML, CSV, JSON lines, SVG.

mod chart;
mod frame;
mod histogram;
mod html;
mod metrics;
pub mod picture;
mod report;
mod rows;
mod value;
pub mod words;

pub use frame::FrameRead;
pub use histogram::{BUCKETS, Histogram};
pub use html::html;
pub use metrics::{Metrics, PixelComponent, measure};
pub use parallax::{Channel, Frame};
pub use report::{Comparison, Outcome, PICTURE_LIMIT, Problem, Report, Row, ShaderReport, Subject, thinning};
pub use rows::{ArgMax, Record, SCHEMA, csv, jsonl, records};
