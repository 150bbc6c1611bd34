//! Optimisation passes on the IR, one per file, and their order.
//!
//! Every pass is bit-exact: outputs, coverage and the fuel status of every lane stay the same under every rule, NaN bits
//! included. There is no reassociation, and no contraction that the rule itself does not ask for. Three facts of the
//! evaluation contract (see `parallax_core`) limit what passes may do:
//!
//! - Region results hold their initial operand in lanes that do not execute, ordinary values are computed in all four
//!   lanes of a quad. Turning one into the other is right where no neighbour looks at a lane that does not execute:
//!   `parallax_core::analysis::Crossed`.
//! - A lane that runs out of fuel leaves its loop with the initial operands. Results of a loop with back edges are
//!   therefore never replaced by what every `break` passes, unless that is the initial operand.
//! - Back edges are observable, so loops that have some are never removed, however useless.
//!
//! Passes expect functions that verify, and give such. `shrink_results` (computing only the components of a texture
//! lookup or array that are used) does not exist: lookups give their components at once in both engines.
//!
//! ```
//! use parallax_core::num::Model;
//! use parallax_core::text;
//! use parallax_opt::{NoObserver, optimise};
//!
//! let source = "shader \"product\" stage(fragment) from(\"example\") {
//!   attr 0 \"a\" generic(0) perspective center
//!   output 0 \"o\" color(0) fp32 - - -
//!   slot p0 = fp32
//!   %0: p0 = attr in0.x
//!   %1: p0 = attr in0.y
//!   %2: p0 = mul %0, %1
//!   out o0.x, %1
//!   yield
//! }
//! ";
//! let shader = text::read(source).expect("a shader").bind(&Model::builtin("ieee").expect("built in"));
//! let before = shader.func.live_ops();
//! // Nobody uses the product.
//! let shader = optimise(shader, &mut NoObserver);
//! assert!(shader.func.live_ops() < before);
//! ```

pub mod apply_rewrites;
pub mod driver;
pub mod drop_dead;
mod edit;
pub mod flatten_ifs;
pub mod fold_constants;
pub mod forward_copies;
pub mod hoist_uniform;
pub mod merge_equal;
mod pipeline;
pub mod renumber;
pub mod share_reads;
pub mod simplify_ops;
pub mod simplify_regions;

pub use pipeline::{CANONICALISE, NoObserver, Observer, PASSES, Pass, PassReport, canonicalise, clean_up, optimise};
