//! One file per verb.

pub(crate) mod bench;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod completions;
mod container;
pub(crate) mod explain;
pub(crate) mod identify;
pub(crate) mod info;
pub(crate) mod isas;
pub(crate) mod legal;
pub(crate) mod lift;
pub(crate) mod machine;
pub(crate) mod manifest;
pub(crate) mod models;
pub(crate) mod run;
pub(crate) mod sweep;
pub(crate) mod translate;
