#![doc = include_str!("../README.md")]

mod band;
mod bound_image;
mod bound_memory;
mod cache;
mod capture;
mod carry;
mod compile;
mod dispatch;
mod draw;
mod driver;
mod engine;
mod faults;
mod file;
mod frame;
mod frontend;
mod image_file;
mod interpolate;
mod lane_planes;
mod lanes;
mod load;
#[cfg(feature = "machine-code")]
mod machine_code;
#[cfg(not(feature = "machine-code"))]
#[path = "no_machine_code.rs"]
mod machine_code;
mod manifest;
mod merge;
mod model_file;
mod npy;
mod observed;
mod operation;
mod params;
mod perspective;
mod primitive;
mod problem;
mod profile_file;
mod quads;
mod races;
mod raster;
mod read_file;
mod reads;
mod render_target;
mod replay;
mod resolve;
mod run;
mod samples;
mod uninitialised;
mod varied;
mod vertex_stage;
mod vertices;

pub use bound_memory::NamedWords;
pub use cache::Cache;
pub use capture::{Area, Capture, Flip, Unit};
pub use compile::{Canonical, CompileTimes, Compiled, Optimise, compile, compile_bound, same_bound_shader, same_rules};
pub use dispatch::{Dispatch, DispatchResult, MAX_INVOCATIONS, MAX_WORKGROUP, run_dispatch, run_kernel_with};
pub use draw::{
    DEFAULT_SIZE, Depths, Draw, Geometry, MAX_BANK, MAX_PIXELS, MAX_SIDE, MAX_TRIANGLES, check_sides, check_size,
};
pub use driver::{apply_driver_rewrites, rewritten_by_driver, text_with_reasons};
pub use engine::{BACKENDS, Engine};
pub use faults::FAULT;
pub use file::{Contents, File, Source};
pub use frame::{Channel, Frame, FrameSamples};
pub use frontend::{FRONTENDS, LayoutRequest, frontend, named_frontend};
pub use lane_planes::{LanePlane, LanePlanes};
pub use lanes::{LaneCase, LaneResult, LaneSamples, LaneValue, Registers, run_lanes, run_lanes_in};
pub use load::{LoadOptions, LoadTimes, Loaded, MAX_BYTES, Resolved, Status, load, load_source, resolve_only};
#[cfg(feature = "machine-code")]
pub use machine_code::native_listing;
pub use manifest::{Manifest, ManifestLimit, Unmet, template as manifest_template};
pub use merge::{AlphaTest, Blend, BlendTerm, Equation, Factor, Merge};
pub use model_file::{ReadModel, parse_model_file, read_model_file};
pub use observed::compile_observed;
pub use operation::operation;
pub use parallax_container::{Content, Fact, Node, module_of_deko3d};
pub use parallax_core::backend::{Declined, OperandRows, Operation, OperationRunner};
pub use parallax_core::num::{Model, ModelError, Tier};
pub use parallax_core::{Bound, Interface, OutputRole, Shader, Stage, Symbolic};
pub use parallax_interp::{Event, Mask, Trace};
pub use parallax_lift::{Frontend, Labelled, Layout, Machine, ValueFormat, utf8};
pub use parallax_opt::{canonicalise, clean_up};
pub use parallax_text::{Diag, DiagKind};
#[cfg(feature = "machine-code")]
pub use parallax_x86::Level;
pub use params::{ParamShape, check_pointer, params, set_param};
pub use perspective::attribute_as_read;
pub use problem::{Problems, worst};
pub use profile_file::{PROFILES, builtin_profile, parse_profile_file, read_profile_file};
pub use quads::Quads;
pub use races::{MAX_RACES, RACE, check_draw_races, check_races};
pub use read_file::{read_bounded, read_file};
pub use render_target::{Stored, Target, Targets, unorm8};
pub use replay::{Change, Recording};
pub use run::{
    CANCELLED, Control, ENDLESS, MAX_ENDLESS, STRIP_SAMPLES, Workers, cut_into_frames, endless, fuel_of_budget,
    run_draw, run_draw_reusing,
};
pub use samples::{SAMPLE_COUNTS, Samples};
pub use uninitialised::uninitialised;
pub use varied::varied;
pub use vertex_stage::VertexStage;
pub use vertices::{MAX_VERTICES, run_some_vertices, run_vertices, run_vertices_with};
