//! Reads code back and compares it with what was asked for.

use iced_x86::{Decoder, DecoderOptions, Formatter, Instruction, IntelFormatter};

/// What is wrong with code: bytes that are no instruction, or another one than was asked for.
pub(crate) fn audit(bytes: &[u8], wanted: &[(usize, Instruction)]) -> Result<(), String> {
    let mut wanted = wanted.iter().peekable();
    let mut formatter = IntelFormatter::new();
    let mut text = |inst: &Instruction| {
        let mut out = String::new();
        formatter.format(inst, &mut out);
        out
    };
    for inst in &mut Decoder::with_ip(64, bytes, 0, DecoderOptions::NONE) {
        let at = inst.ip() as usize;
        if inst.is_invalid() {
            return Err(format!("no instruction at {at:#x}"));
        }
        if let Some((_, asked)) = wanted.next_if(|(place, _)| *place == at) {
            let (asked_text, found) = (text(asked), text(&inst));
            if asked.code() != inst.code() || asked_text != found {
                return Err(format!("at {at:#x}: asked for `{asked_text}`, found `{found}`"));
            }
        }
    }
    match wanted.next() {
        Some((at, asked)) => Err(format!("`{}` does not start at {at:#x}", text(asked))),
        None => Ok(()),
    }
}
