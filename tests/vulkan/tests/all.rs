//! Compute modules on lavapipe and under the model `llvmpipe`: the results must be the same bits.
//!
//! What differs is listed in `differing`, with its share and the reason. The list holds for one version of Mesa; on others,
//! and where no device is, nothing is compared.

mod compare;
mod differing;
mod elementwise;
mod feed;
mod flow;
mod known;
mod layouts;
mod writer;
