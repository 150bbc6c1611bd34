//! The tests of this crate as one binary: linking each file on its own took longer than running it.

mod apfloat;
mod audit;
mod bounded;
mod bounds;
mod composed;
mod documented;
mod double;
mod exhaustive;
mod facts;
mod fields;
mod inputs;
mod llvmpipe;
mod models;
mod models_doc;
mod nv_sfu;
mod programs;
mod recipes;
mod special_values;
mod swiftshader;
mod value_rows;
