//! Load, lift, bind, optimise and run shaders; draws, manifests, user models.
//!
//! ```
//! use parallax::{Control, Draw, Engine, LoadOptions, Optimise, Workers, compile, load, run_draw};
//! use parallax_core::{OutputRole, num::Model};
//!
//! // A third, and its square, in a half register.
//! let text = "!!FP1.0\nRCPR R0, 3.0;\nMULH H1, R0, R0;\nMOVH o[COLH], H1;\nEND\n";
//! let loaded = load("third.fp", text.as_bytes(), &LoadOptions::default());
//! let shader = loaded.shader.expect("a program without errors");
//!
//! let red = |model: &str| {
//!     let model = Model::parse(model).expect("a built-in model");
//!     let compiled = compile(&shader, &model, Optimise::Yes, Engine::default()).expect("sound IR");
//!     let mut draw = Draw::defaults(&shader.func.iface).expect("a draw without textures");
//!     (draw.width, draw.height) = (4, 4);
//!     let frame = run_draw(&compiled, &draw, &Workers::serial(), Control::default()).expect("a frame");
//!     frame.channel(OutputRole::Color(0), 0).expect("a red channel").declared_bits().get(0)
//! };
//! assert_eq!(red("nvfp"), 0x2f1c);
//! // Rounded up: the operands, then the product.
//! assert_eq!(red("nvfp[half.round=rup]"), 0x2f1f);
//! ```

mod band;
mod cache;
mod compile;
mod draw;
mod engine;
mod file;
mod frame;
mod frontend;
mod image_file;
mod interpolate;
mod lane_planes;
mod lanes;
mod load;
mod manifest;
mod model_file;
mod native;
mod observed;
mod operation;
mod primitive;
mod problem;
mod profile_file;
mod quads;
mod raster;
mod read_file;
mod reads;
mod resolve;
mod run;
mod samples;
mod target;
mod uninitialised;
mod vertices;

pub use cache::Cache;
pub use compile::{Canonical, CompileTimes, Compiled, Optimise, compile, compile_bound, is_alike, written_for};
pub use draw::{DEFAULT_SIZE, Draw, Geometry, MAX_BANK, MAX_PIXELS, MAX_SIDE, MAX_TRIANGLES, check_size};
pub use engine::{BACKENDS, Engine};
pub use file::{Contents, File, Source};
pub use frame::{Channel, Frame, FrameSamples};
pub use frontend::{FRONTENDS, LayoutRequest, frontend, named_frontend};
pub use lane_planes::{LanePlane, LanePlanes};
pub use lanes::{LaneCase, LaneResult, LaneSamples, LaneValue, Registers, run_lanes, run_lanes_in};
pub use load::{LoadOptions, LoadTimes, Loaded, MAX_BYTES, Resolved, Status, load, load_source, resolve_only};
pub use manifest::{Manifest, ManifestLimit, template as manifest_template};
pub use model_file::{ReadModel, parse_model_file, read_model_file};
pub use native::native_listing;
pub use operation::operation;
pub use parallax_container::{Content, Fact, Node};
pub use parallax_core::backend::{Operation, OperationRunner};
pub use parallax_interp::{Event, Trace};
pub use parallax_lift::{Frontend, Labelled, Layout, Machine, ValueFormat, utf8};
pub use parallax_x86::Level;
pub use problem::{Problems, worst};
pub use profile_file::{PROFILES, builtin_profile, parse_profile_file, read_profile_file};
pub use quads::Quads;
pub use read_file::{read_bounded, read_file};
pub use run::{CANCELLED, Control, ENDLESS, MAX_ENDLESS, Workers, endless, run_draw, run_draw_over};
pub use samples::{SAMPLE_COUNTS, Samples};
pub use target::{Stored, Target, Targets, unorm8};
pub use uninitialised::uninitialised;
pub use vertices::{MAX_VERTICES, run_vertices};
