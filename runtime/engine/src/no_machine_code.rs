//! What stands in for machine code where it is not built in.

use crate::engine::Engine;
use parallax_core::backend::{Backend, Declined};

/// There is none, whatever the engine.
pub(crate) fn backend(_: Engine) -> Result<Box<dyn Backend>, Declined> {
    Err(Declined("this build makes no machine code".into()))
}

/// Never.
pub(crate) fn is_available() -> bool {
    false
}
