//! Facts about a verified function, for passes and engines. They are computed once and hold until the function changes.

mod crossed;
mod tree;
mod uniformity;

pub use crossed::{Crossed, CrossedOnDemand};
pub use tree::Tree;
pub use uniformity::{UniformScope, Uniformity};
