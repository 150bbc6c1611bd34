//! Optimisation passes on the IR, one per file, and their order.
