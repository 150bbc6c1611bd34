//! Instructions as lines.

use crate::module::Module;

/// An instruction as text, without alignment.
pub(crate) fn instruction_text(module: &Module, number: usize) -> String {
    let instruction = &module.instructions[number];
    let mut text = String::new();
    if instruction.id != 0 {
        text.push_str(&format!("%{} = ", instruction.id));
    }
    text.push_str(&format!("Op{:?}", instruction.op));
    for word in module.operands(instruction).iter().take(8) {
        text.push_str(&format!(" {word}"));
    }
    text
}
