//! The textual form.

pub(crate) mod inst;
