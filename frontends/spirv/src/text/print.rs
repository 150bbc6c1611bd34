//! From words to text.

use super::literal::{Number, push_string, quote};
use super::pattern::{Pattern, Want, is_id, is_result};
use super::{header, names};
use crate::grammar::opcode_row;
use crate::module::{HEADER_WORDS, Instruction, Module, string};
use rspirv::grammar::OperandKind;
use rspirv::spirv::Op;
use std::fmt::Write;

/// Where the opcodes of a listing begin.
const COLUMN: usize = 15;

/// The text of a module, as `spirv-dis --raw-id --no-color` prints it. [`crate::assemble`] makes the same words of it. Empty
/// for words that are no header.
pub fn disassemble(module: &Module) -> String {
    let Some(header) = module.words.first_chunk::<HEADER_WORDS>() else { return String::new() };
    let mut out = String::new();
    header::print(header, &mut out);
    let mut at = HEADER_WORDS;
    for (number, instruction) in module.instructions.iter().enumerate() {
        let Some(&first) = module.words.get(at) else { break };
        let count = (first >> 16) as usize;
        let known = 1
            + usize::from(instruction.ty != 0)
            + usize::from(instruction.id != 0)
            + module.operands(instruction).len();
        if first as u16 == instruction.op as u16 && count == known {
            let id = if instruction.id != 0 { format!("%{} = ", instruction.id) } else { String::new() };
            let _ = write!(out, "{id:>COLUMN$}");
            print(module, number, instruction, &mut out);
        } else {
            let end = (at + count).min(module.words.len());
            out += &" ".repeat(COLUMN - 1);
            immediates(&module.words[at..end], &mut out);
        }
        out.push('\n');
        at += count;
    }
    if let Some(rest @ [_, ..]) = module.words.get(at..) {
        out += &" ".repeat(COLUMN - 1);
        immediates(rest, &mut out);
        out.push('\n');
    }
    out
}

/// The text of an instruction by its number, without the alignment of a listing. Empty for a number that is too large.
pub fn instruction_text(module: &Module, number: usize) -> String {
    let mut out = String::new();
    if let Some(instruction) = module.instructions.get(number) {
        if instruction.id != 0 {
            let _ = write!(out, "%{} = ", instruction.id);
        }
        print(module, number, instruction, &mut out);
    }
    out
}

/// Writes the opcode and its operands.
fn print(module: &Module, number: usize, instruction: &Instruction, out: &mut String) {
    let Some(grammar) = opcode_row(instruction.op as u16) else { return };
    let _ = write!(out, "Op{}", grammar.row.opname);
    if grammar.has_type {
        let _ = write!(out, " %{}", instruction.ty);
    }
    let operands = module.operands(instruction);
    let start = out.len();
    let mut pattern = Pattern::of(grammar.row.operands);
    let mut at = 0;
    let context = Context { module, number, instruction, operands };
    while let Some(want) = pattern.next() {
        if is_result(want.kind) {
            continue;
        }
        if at == operands.len() {
            if !want.optional {
                // Too few operands cannot be read back, but for immediates.
                out.truncate(start);
                at = 0;
            }
            break;
        }
        let end = out.len();
        out.push(' ');
        let Some(taken) = context.operand(want, at, &mut pattern, out) else {
            out.truncate(end);
            break;
        };
        at += taken;
    }
    immediates(&operands[at..], out);
}

/// Words as they are.
fn immediates(words: &[u32], out: &mut String) {
    for word in words {
        let _ = write!(out, " !{word:#010x}");
    }
}

/// An instruction that is printed.
struct Context<'m> {
    module: &'m Module,
    number: usize,
    instruction: &'m Instruction,
    operands: &'m [u32],
}

impl Context<'_> {
    /// Writes an operand and says how many words it has. `None` where the words are not such an operand.
    fn operand(&self, want: Want, at: usize, pattern: &mut Pattern, out: &mut String) -> Option<usize> {
        let (word, words) = (self.operands[at], &self.operands[at..]);
        match want.kind {
            kind if is_id(kind) => {
                if word == 0 || word >= self.module.bound() {
                    return None;
                }
                write!(out, "%{word}").ok()?;
            }
            OperandKind::LiteralInteger => Number::UNSIGNED.print(words, out)?,
            OperandKind::LiteralFloat => Number::BINARY32.print(words, out)?,
            OperandKind::LiteralString => return print_string(words, out),
            OperandKind::LiteralContextDependentNumber => {
                let number = self.number()?;
                number.print(words, out)?;
                return Some(number.words());
            }
            OperandKind::LiteralSpecConstantOpInteger => {
                let row = opcode_row(u16::try_from(word).ok()?)?.row;
                *out += row.opname;
                pattern.expand(row.operands.iter().filter(|operand| !is_result(operand.kind)));
            }
            OperandKind::LiteralExtInstInteger => {
                match self.set(at).and_then(|set| set.lookup_opcode(word)) {
                    Some(row) => {
                        *out += row.opname;
                        pattern.replace(row.operands);
                    }
                    None => write!(out, "{word}").ok()?,
                };
            }
            kind => {
                *out += &names::name(kind, word)?;
                pattern.expand(names::parameters(kind, word).iter());
            }
        }
        Some(1)
    }

    /// The instruction that defines an id, if it comes before this one: the reader knows no others.
    fn before(&self, id: u32) -> Option<&Instruction> {
        let definition = self.module.definition(id).filter(|definition| *definition < self.number)?;
        self.module.instructions.get(definition)
    }

    /// What numbers the type of the result has, or for a switch the type of its selector.
    fn number(&self) -> Option<Number> {
        let ty = match self.instruction.op {
            Op::Switch => self.before(*self.operands.first()?)?.ty,
            _ => self.instruction.ty,
        };
        let ty = self.before(ty)?;
        Number::of_type(ty.op, self.module.operands(ty))
    }

    /// The set of the extended instruction whose number stands at this operand.
    fn set(&self, at: usize) -> Option<names::Set> {
        let import = self.before(*self.operands.get(at.checked_sub(1)?)?)?;
        if import.op != Op::ExtInstImport {
            return None;
        }
        // No set has a longer name, and one may be looked up for each instruction.
        let name = Some(self.module.operands(import)).filter(|name| name.len() <= 32)?;
        names::set(&string(name).0)
    }
}

/// Writes a string. `None` if it could not be read back to the same words.
fn print_string(words: &[u32], out: &mut String) -> Option<usize> {
    let (text, taken) = string(words);
    let mut again = Vec::with_capacity(taken);
    push_string(&text, &mut again);
    if again != words[..taken] {
        return None;
    }
    quote(&text, out);
    Some(taken)
}
