//! The tests of this crate as one binary: linking each file on its own took longer than running it.

mod attila_samples;
mod benchmarks;
mod codes;
mod corpus;
mod dependencies;
mod encoder;
mod ir;
mod library;
mod links;
mod manifests;
#[path = "microcode/main.rs"]
mod microcode;
mod models_shown;
mod nv40_walk;
mod nv_random;
#[path = "nv_walk/main.rs"]
mod nv_walk;
mod opcodes;
mod pages;
mod reference;
mod same_value;
mod scripts;
mod shrunk;
mod spa5_pixel;
#[path = "spa5_walk/main.rs"]
mod spa5_walk;
mod test_files;
#[path = "tgsi_kernels/main.rs"]
mod tgsi_kernels;
#[path = "tgsi_walk/main.rs"]
mod tgsi_walk;
mod twins;
mod vertex_walk;
