//! Facts about a verified function, for passes and engines. They are computed once and hold until the function changes.

mod crossed;
mod spread;
mod tree;

pub use crossed::Crossed;
pub use spread::{Evenness, Spread};
pub use tree::Tree;
