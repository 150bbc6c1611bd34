//! Arithmetic under explicit rules: the one library of parallax that evaluates anything.
//!
//! A shader instruction asks for an operation ([`Op`]) under a precision slot ([`Slot`]). A [`Model`] binds every
//! (operation, slot) to a [`Rule`]: a plain record that fixes the result to the last bit. [`eval`] computes it from
//! raw bits, one lane at a time: what an operation under a rule is. Whatever runs is tested against it.
//!
//! Nothing here depends on the host's approximations or on libm. The host's exact IEEE add, mul, div, sqrt and fma
//! are used only where a rule is exactly that; NaN bits are always decided by the rule.
//!
//! ```
//! use parallax_num::{Decl, Model, Op, Slot, eval};
//!
//! let product = |model: &str| {
//!     let model = Model::parse(model).expect("a model");
//!     let rule = model.rule(Op::Mul, &Slot::plain(Decl::F32), model.storage(Decl::F32)).0;
//!     eval(Op::Mul, &rule, &[1.1f32, 1.1].map(|x| u64::from(x.to_bits())))
//! };
//! assert_eq!(product("ieee"), u64::from((1.1f32 * 1.1).to_bits()));
//! // One step of the last bit further where products are rounded up.
//! assert_eq!(product("ieee[mul.round=rup]"), product("ieee") + 1);
//! ```

mod alternatives;
pub mod arithmetic;
mod bound;
#[cfg(feature = "oracle-c")]
pub mod counters;
mod error;
mod eval;
mod field;
mod format;
mod fraction;
mod listing;
mod model;
mod models;
mod op;
mod opset;
mod processor;
mod profile;
mod reads;
mod recipe;
mod rule;
mod slot;
mod soft;
mod spec;
mod steps;
mod toml_reader;
pub mod ulp;

pub use bound::{Bound, Extent, Piece, Scale};
pub use error::ModelError;
pub use eval::eval;
pub use field::{Field, Values};
pub use format::{FixedFormat, FloatFormat, Format, Specials, Storage};
pub use fraction::Fraction;
pub use listing::{Difference, Entry, Idle};
pub use model::{Expansion, Model, ModelDef, ModelFile, Scope, Setting, Tier};
pub use models::Lineage;
pub use op::{Family, Kind, Op, OpInfo};
pub use opset::OpSet;
pub use processor::Processor;
pub use profile::{
    Domain, Formula, Interval, Judge, Legal, Precision, Profile, Ruling, Support, Tolerance, ToleranceRow, Verdict,
};
pub use reads::hides_nan;
pub use recipe::{double, fast, gallivm, newton_factor, nv_sfu, reactor};
pub use rule::{
    Accuracy, AlphaTested, AngleFold, AngleUnit, BlendArithmetic, ColorAttribute, CompareReference, ComputedIn,
    CubeEdges, CubeFace, Denormals, Div, Dot, DotOrder, FixedFunctions, FixedPoints, Fma, FracOne, Grid, Infinite,
    Interpolation, LayerRound, LevelSteps, Library, LitRule, Log2, LogNegative, LogSpecial, Lrp, Mad, MediumpAttribute,
    MinMaxDenorm, MinMaxNan, MinMaxZero, NanBits, NanCompare, NanResult, Overflow, Pow, Probe, RasterRule, Rcp,
    RcpZero, Relaxed, Rewrite, RewriteInfo, Rewrites, Round, Rsq, RsqNegative, Rule, SatDenorm, SatNan, SatZero,
    Saturate, Sqrt, SqrtNegative, SrgbDecode, StoreFloat, StoreUnorm, SubNan, Subgroup, TargetRule, TexelResult,
    TextureRule, TextureUnit, Tininess, ToInt, Trig, Unit, ZeroMul, ZeroMulAdd, ZeroPowZero, ZeroSign,
};
pub use slot::{Contract, Decl, Slot};
pub use soft::mean::mean;
pub use spec::ModelSpec;
pub use steps::StepRules;
