//! NV40 microcode of vertex programs.

/// Bytes of an instruction.
pub const BYTES: usize = 16;

/// A decoded instruction.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Instr;

impl Instr {
    pub fn text(&self, _: parallax_isa::Style) -> String { String::new() }
}
