//! Images, samplers and filtering with fixed arithmetic.
