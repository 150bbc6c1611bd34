//! How programs of single instructions are written in a language, so that tests can try every opcode of every instruction set.

/// A language of an instruction set: how it writes a program whose lines each compute one instruction from inputs, constants or
/// literals.
///
/// Texts hold names in braces that the writer of a program replaces: `{n}` by the number of the line, `{result}` by its result,
/// `{op}` by the mnemonic, `{sources}` by all operands with commas between, `{a}`, `{b}` and `{c}` by single ones, `{literal}` by
/// the literal of the line.
#[derive(Copy, Clone)]
pub struct Trials {
    /// An input as callers name it: the value that is tried.
    pub attribute: &'static str,
    /// The input that the other operands read, as callers name it.
    pub other: &'static str,
    /// A constant vector as callers name it: the value that is tried.
    pub constant: &'static str,
    /// The input as a program writes it where an instruction takes a vector, and where it takes a scalar.
    pub attribute_operand: [&'static str; 2],
    /// The constant as a program writes it, likewise.
    pub constant_operand: [&'static str; 2],
    /// The literal of a line in the place of an operand.
    pub literal_operand: &'static str,
    /// A literal that was moved to a register, likewise.
    pub moved_operand: [&'static str; 2],
    /// The other input as a program writes it in the place of each operand, likewise: components differ.
    pub other_operands: [[&'static str; 2]; 3],
    /// What stands in front of the lines.
    pub head: &'static str,
    /// What the head says of each literal.
    pub declare: &'static str,
    /// Writes a literal, given as patterns of binary32, as a vector or as a scalar: its first component.
    pub literal: fn([u32; 4], bool) -> String,
    /// What moves the literal of a line; empty where no instruction can.
    pub move_literal: &'static str,
    /// The only operand that can be a literal, one word for all components; `None` where each can, with four values.
    pub only_literal: Option<usize>,
    /// Whether a literal can be any pattern, not only a finite number.
    pub patterns: bool,
    /// Writes the line of a mnemonic.
    pub line: fn(&str) -> &'static str,
    /// What stands behind the lines.
    pub tail: &'static str,
    /// Registers for results, `{n}` their number.
    pub results: &'static [&'static str],
    /// Numbers of operands, and which of them are vectors (`v`) or scalars (`s`).
    pub shapes: &'static [&'static str],
    /// The mnemonics, and whether some program with each must be valid.
    pub mnemonics: fn() -> Vec<(String, bool)>,
}
