//! Modules as words: header, instructions, ids.
//!
//! Words are cut into instructions here and not by the parser of `rspirv`, which takes one word for operands of an
//! `OpSpecConstantOp` that may have several, and allocates for each instruction. What an instruction has for operands is
//! that crate's grammar.

use crate::grammar::{Grammar, opcode_row};
use parallax_text::{Diag, Span};
use rspirv::spirv::Op;
use std::ops::{Deref, Range};
use std::sync::Arc;

/// The first word of a module.
pub const MAGIC: u32 = 0x0723_0203;

/// Words of the header: magic number, version, generator, bound of the ids, schema.
pub const HEADER_WORDS: usize = 5;

/// No module may have more ids than this: the tables by id stay small.
pub const MAX_BOUND: u32 = 1 << 22;

/// A module whose words are cut into instructions. Copies share them.
#[derive(Clone, Debug, Default)]
pub struct Module(Arc<Parts>);

impl Deref for Module {
    type Target = Parts;

    #[inline]
    fn deref(&self) -> &Parts {
        &self.0
    }
}

/// What a module consists of. Ids are below the bound.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    /// Its words, the header first, in the order of this machine.
    pub words: Vec<u32>,
    /// Its instructions in order.
    pub instructions: Vec<Instruction>,
    /// Where each instruction stands in the source text or, for binaries, in the bytes.
    pub spans: Vec<Span>,
    /// For each id the instruction that defines it, plus one; 0 for none.
    definitions: Vec<u32>,
}

/// An instruction of a [`Module`].
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// What it does.
    pub op: Op,
    /// First of its operands, behind result type and result, as a place in [`Parts::words`].
    first: u32,
    /// Behind its last operand.
    end: u32,
    /// The type of its result; 0 where there is none.
    pub ty: u32,
    /// Its result; 0 where there is none.
    pub id: u32,
}

impl Instruction {
    /// The instruction that does something else, or gives something of another type, with the same place.
    pub(crate) fn becoming(self, op: Op, ty: u32) -> Instruction {
        Instruction { op, ty, ..self }
    }
}

impl Module {
    /// Cuts words into instructions. `spans` says where instruction number `n` stands, with its words.
    ///
    /// # Errors
    /// Words that are no module, instructions with too few or too many words, unknown opcodes, ids out of bounds, ids with
    /// two definitions.
    pub fn new(words: Vec<u32>, spans: impl Fn(usize, Range<usize>) -> Span) -> (Module, Vec<Diag>) {
        let mut parts = Parts { words, ..Parts::default() };
        let diags = parts.cut(spans);
        (Module(Arc::new(parts)), diags)
    }

    /// Reads bytes in either order.
    ///
    /// # Errors
    /// Those of [`Module::new`], and a number of bytes that is no multiple of 4.
    pub fn from_bytes(bytes: &[u8]) -> (Module, Vec<Diag>) {
        if !bytes.len().is_multiple_of(4) {
            let at = bytes.len() / 4 * 4;
            let message = format!("{} bytes are not whole 32-bit words", bytes.len());
            return (Module::default(), vec![Diag::invalid("spirv-words", Span::new(at, bytes.len()), message)]);
        }
        let order = if is_swapped(bytes) { u32::from_be_bytes } else { u32::from_le_bytes };
        let words = bytes.as_chunks().0.iter().map(|word| order(*word)).collect();
        Module::new(words, |_, words| Span::new(words.start * 4, words.end * 4))
    }
}

impl Parts {
    fn cut(&mut self, spans: impl Fn(usize, Range<usize>) -> Span) -> Vec<Diag> {
        let mut diags = Vec::new();
        let header = Span::new(0, (self.words.len() * 4).min(HEADER_WORDS * 4));
        if self.words.len() < HEADER_WORDS || self.words[0] != MAGIC {
            let message = match self.words.first() {
                Some(&MAGIC) => format!("the header has {} words instead of {HEADER_WORDS}", self.words.len()),
                Some(first) => format!("the first word is {first:#010x}; a module starts with {MAGIC:#010x}"),
                None => "there are no words".to_string(),
            };
            return vec![Diag::invalid("spirv-header", header, message)];
        }
        let bound = self.words[3];
        if bound == 0 || bound > MAX_BOUND {
            let message = format!("the bound of the ids is {bound}; it must be from 1 to {MAX_BOUND}");
            return vec![Diag::invalid("spirv-bound", header, message)];
        }
        self.definitions = vec![0; bound as usize];
        self.instructions.reserve(self.words.len() / 4);
        self.spans.reserve(self.words.len() / 4);
        let mut at = HEADER_WORDS;
        while at < self.words.len() {
            let (count, opcode) = ((self.words[at] >> 16) as usize, self.words[at] as u16);
            let number = self.instructions.len();
            let left = self.words.len() - at;
            if count == 0 || count > left {
                let message = format!("instruction {number} claims {count} words; 1 to {left} are possible");
                diags.push(Diag::invalid("spirv-word-count", spans(number, at..at + 1), message));
                break;
            }
            let span = spans(number, at..at + count);
            match self.instruction(at, count, opcode, bound) {
                Ok(instruction) => {
                    if let Some(slot) = self.definitions.get_mut(instruction.id as usize).filter(|_| instruction.id > 0)
                    {
                        if *slot != 0 {
                            let message = format!("id {} is defined twice", instruction.id);
                            diags.push(Diag::invalid("spirv-id", span, message));
                        }
                        *slot = number as u32 + 1;
                    }
                    self.instructions.push(instruction);
                }
                Err((code, message)) => {
                    diags.push(Diag::invalid(code, span, message));
                    if diags.len() >= 20 {
                        break;
                    }
                    let (first, end) = ((at + count) as u32, (at + count) as u32);
                    self.instructions.push(Instruction { op: Op::Nop, first, end, ty: 0, id: 0 });
                }
            }
            self.spans.push(span);
            at += count;
        }
        diags
    }

    fn instruction(
        &self,
        at: usize,
        count: usize,
        opcode: u16,
        bound: u32,
    ) -> Result<Instruction, (&'static str, String)> {
        let Some(Grammar { row, has_type, has_id, fewest, most }) = opcode_row(opcode) else {
            return Err(("spirv-opcode", format!("unknown opcode {opcode}")));
        };
        let mut first = at + 1;
        let mut take = |is_there: bool| -> Result<u32, (&'static str, String)> {
            if !is_there {
                return Ok(0);
            }
            let id = self.words[at..at + count].get(first - at).copied().unwrap_or(0);
            first += 1;
            if id == 0 || id >= bound {
                let message = format!("Op{}: id {id} is not within the bound, {bound}", row.opname);
                return Err(("spirv-id", message));
            }
            Ok(id)
        };
        let ty = take(*has_type)?;
        let id = take(*has_id)?;
        let operands = count as isize - (first - at) as isize;
        if operands < *fewest as isize || most.is_some_and(|most| operands > most as isize) {
            let found = operands.max(0);
            let wanted = match most {
                Some(most) if most == fewest => format!("{most}"),
                Some(most) => format!("{fewest} to {most}"),
                None => format!("at least {fewest}"),
            };
            let message = format!("Op{} has {found} words of operands instead of {wanted}", row.opname);
            return Err(("spirv-operands", message));
        }
        Ok(Instruction { op: row.opcode, first: first as u32, end: (at + count) as u32, ty, id })
    }

    /// The words of an instruction's operands, behind result type and result.
    #[inline]
    pub fn operands(&self, instruction: &Instruction) -> &[u32] {
        &self.words[instruction.first as usize..instruction.end as usize]
    }

    /// One more than the largest id.
    pub fn bound(&self) -> u32 {
        self.definitions.len() as u32
    }

    /// Number of the instruction that defines an id.
    #[inline]
    pub fn definition(&self, id: u32) -> Option<usize> {
        self.definitions.get(id as usize)?.checked_sub(1).map(|n| n as usize)
    }

    /// The instruction that defines an id.
    #[inline]
    pub fn defining(&self, id: u32) -> Option<&Instruction> {
        self.instructions.get(self.definition(id)?)
    }
}

/// Whether bytes begin as a module in the opposite byte order.
fn is_swapped(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC.to_be_bytes())
}

/// Whether bytes begin as a module in either byte order.
pub fn is_binary(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC.to_le_bytes()) || is_swapped(bytes)
}

/// A string of an instruction: its characters, and the words it takes. Ends at the first zero byte.
pub fn string(words: &[u32]) -> (String, usize) {
    let mut bytes = Vec::new();
    for (n, word) in words.iter().enumerate() {
        for byte in word.to_le_bytes() {
            if byte == 0 {
                return (String::from_utf8_lossy(&bytes).into_owned(), n + 1);
            }
            bytes.push(byte);
        }
    }
    (String::from_utf8_lossy(&bytes).into_owned(), words.len())
}
