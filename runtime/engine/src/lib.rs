//! Load, lift, bind, optimise and run shaders; draws, manifests, user models.

mod compile;
mod draw;
mod frame;
mod frontend;
mod image_file;
mod interpolate;
mod lanes;
mod load;
mod manifest;
mod model_file;
mod primitive;
mod problem;
mod profile_file;
mod raster;
mod run;
mod target;
mod toml_reader;
mod vertices;

pub use compile::{Cache, CompileTimes, Compiled, Optimise, compile};
pub use draw::{DEFAULT_SIZE, Draw, Geometry, MAX_BANK, MAX_PIXELS, MAX_SIDE, MAX_TRIANGLES, check_size};
pub use frame::{Channel, Frame};
pub use frontend::{FRONTENDS, LayoutRequest, frontend, named_frontend, sniff};
pub use lanes::{LaneCase, LaneResult, LaneSamples, LaneValue, Registers, run_lanes};
pub use load::{LoadOptions, LoadTimes, Loaded, MAX_BYTES, Status, load};
pub use manifest::Manifest;
pub use model_file::{parse_model_file, read_model_file};
pub use parallax_lift::{Frontend, Layout, Machine, ValueFormat, utf8};
pub use problem::{Problems, worst};
pub use profile_file::{PROFILES, builtin_profile, parse_profile_file, read_profile_file};
pub use run::{CANCELLED, Control, ENDLESS, MAX_ENDLESS, Workers, endless, run_draw};
pub use target::{Stored, Target, Targets, unorm8};
pub use vertices::{MAX_VERTICES, run_vertices};
