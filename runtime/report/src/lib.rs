//! Comparisons of one shader under several models, ulp statistics, and reports in HTML, CSV, JSON lines, SVG.
//!
//! ```
//! use parallax::{Control, Draw, Engine, LoadOptions, Optimise, Workers, compile, load, run_draw};
//! use parallax_num::Model;
//! use parallax_report::{Comparison, Detail, Subject};
//!
//! let text = "!!FP1.0\nMULH o[COLH], f[TEX0], 0.3;\nEND\n";
//! let loaded = load("a.fp", text.as_bytes(), &LoadOptions::default());
//! let shader = loaded.runnable().expect("a program without errors");
//! let draw = Draw::defaults(&shader.func.iface).expect("a draw without textures");
//! let frame = |model: &str| {
//!     let model = Model::parse(model).expect("a model");
//!     let compiled = compile(shader, &model, Optimise::Yes, Engine::default()).expect("sound IR");
//!     let frame = run_draw(&compiled, &draw, &Workers::serial(), Control::default()).expect("a frame");
//!     (compiled.tier(), frame)
//! };
//! let (_, reference) = frame("binary64");
//! let (tier, rounded) = frame("nvfp");
//! let mut comparison = Comparison::new(&reference, None, Detail::default());
//! comparison.add("nvfp", tier, &rounded);
//! let report = comparison.finish(Subject { name: "a.fp".into(), ..Subject::default() });
//! assert_eq!(report.rows().len(), 1);
//! ```

pub mod answer;
mod base64;
mod blamed;
#[cfg(feature = "html")]
mod chart;
mod checks;
#[cfg(feature = "parquet")]
mod columns;
mod comparison;
mod earlier;
mod evidence;
mod findings;
mod floats;
mod frame;
mod hash;
mod histogram;
#[cfg(feature = "html")]
mod html;
mod junit;
mod kept;
mod legality;
mod limits;
mod markdown;
mod metrics;
mod part;
pub mod picture;
mod picture_file;
mod pixels;
mod ranks;
mod report;
mod rows;
mod slack;
mod snapshot;
mod strips;
mod trust;
mod value;
mod value_range;
mod verdict;
pub mod words;

pub use answer::answer;
pub use blamed::{Blamed, Culprit, Instruction};
pub use checks::{Check, CheckFailure};
#[cfg(feature = "parquet")]
pub use columns::parquet;
pub use comparison::{Comparison, thinning};
pub use earlier::{Change, Changes, Results, Trend};
pub use evidence::Evidence;
pub use findings::{Class, Finding};
pub use frame::FrameRead;
pub use histogram::{BUCKETS, Histogram};
#[cfg(feature = "html")]
pub use html::{Page, html};
pub use junit::junit;
pub use legality::{Legality, Offence, legality};
pub use limits::Limits;
pub use markdown::markdown;
pub use metrics::{Metrics, PixelComponent, count, measure};
pub use parallax::{Channel, Frame};
pub use part::{Merged, Part, Plan, contents_hash, merge, part_name, shard_of};
pub use picture_file::{PictureFile, PictureForm};
pub use pixels::{Component, Detail, Pixels};
pub use report::{Outcome, PICTURE_LIMIT, Pair, Problem, ProgramPair, Report, Row, ShaderReport, Subject};
pub use rows::{ArgMax, Record, SCHEMA, csv, jsonl, jsonl_of, pairs, records};
pub use slack::Slack;
pub use snapshot::{Distance, SNAPSHOT_LIMIT, Snapshot};
pub use strips::{Measured, Strip, Strips};
pub use trust::{Decided, Observations, Trust, Varied, observed_draw, trust};
pub use value_range::ValueRange;
pub use verdict::Verdict;
