//! Kernels of NVIDIA's Maxwell and Pascal, run from cubins, against direct models of their PTX texts.
//!
//! The files in `nvidia` hold the texts, which are ours, and what ptxas of CUDA 12.4 makes of them: parameters, memory and words for
//! each target. Every kernel runs on the interpreter, on machine code and on the reference executor, with equal results.

mod cubin;
mod faults;
mod halves;
mod operations;
mod programs;
mod refused;
mod surfaces;
mod twins;
