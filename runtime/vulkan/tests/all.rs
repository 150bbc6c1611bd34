//! Compute modules on lavapipe and under the model `lavapipe`, which is `llvmpipe` with what Vulkan changes: the results
//! must be the same bits.
//!
//! What differs is listed in `differing`, with its share and the reason. The list holds for one version of Mesa; on others,
//! and where no device is, nothing is compared but results that were recorded.
//!
//! `PARALLAX_VULKAN_ONLY` runs the programs whose name contains it; `PARALLAX_VULKAN_NAMES=1` prints each name before its program
//! runs, which says on what a driver crashed.

#![allow(clippy::print_stderr, reason = "what is skipped is said")]

mod blends;
mod captures;
mod compare;
mod differing;
mod elementwise;
mod faithful;
mod feed;
mod flow;
mod images;
mod known;
mod layouts;
mod lookups;
mod native;
mod quads;
mod random;
mod shapes;
mod swiftshader;
mod textures;
mod translated;
mod translated_kernels;
mod translated_vertices;
mod writer;
