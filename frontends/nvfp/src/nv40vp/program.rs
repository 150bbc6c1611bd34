//! Instructions and whole programs: binaries in and out.

use super::fields::*;
use super::isa::sources;
use super::operand::REGISTERS;
use super::{NvVertex, codec};
use crate::nv40::Order;
use parallax_isa::{Code, Cut, Field, Row, RowId, Stream, Style, Unit, Words128, is_text};
use parallax_text::{Diag, Span};

/// Bytes of an instruction.
pub const BYTES: usize = 16;

/// Instructions that targets can name (RPCS3 and the Cg compiler keep to 512, which RSX has).
pub(super) const MOST: usize = 1024;

/// A decoded instruction: its word and its row.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Instr {
    pub(super) code: Code,
    pub(super) row: RowId,
}

impl Instr {
    /// The word.
    pub fn code(&self) -> Code {
        self.code
    }

    /// Its row.
    pub fn row(&self) -> &'static Row<NvVertex> {
        codec().row(self.row)
    }

    /// As text.
    pub fn text(&self, style: Style) -> String {
        codec().text(self.row, self.code, style)
    }

    /// Whether the program ends behind it.
    pub fn ends(&self) -> bool {
        self.flag(&END)
    }

    pub(super) fn get(&self, field: &Field) -> u64 {
        field.get(&self.code)
    }

    pub(super) fn flag(&self, field: &Field) -> bool {
        self.get(field) != 0
    }
}

/// Words in an order: four of 32 bits, least byte first, or each with its most significant byte first, as files for RSX have
/// vertex programs.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Words {
    is_big: bool,
}

impl Words {
    pub(crate) fn of(order: Order) -> Words {
        Words { is_big: order == Order::Rsx }
    }

    /// The bytes of every word in the other order.
    fn ordered(self, word: u128) -> u128 {
        if !self.is_big {
            return word;
        }
        let mut bytes = word.to_le_bytes();
        bytes.as_chunks_mut::<4>().0.iter_mut().for_each(|word| word.reverse());
        u128::from_le_bytes(bytes)
    }
}

impl Stream for Words {
    fn unit(&self, bytes: &[u8], at: usize) -> Option<Result<Unit, Cut>> {
        let unit = Words128.unit(bytes, at)?;
        Some(unit.map(|unit| Unit { code: Code::from(self.ordered(unit.code.word())), ..unit }))
    }

    fn put(&self, code: &Code, out: &mut Vec<u8>) {
        Words128.put(&Code::from(self.ordered(code.word())), out);
    }
}

/// The bytes of an instruction.
pub(super) fn span(at: usize) -> Span {
    Span::new(at * BYTES, (at + 1) * BYTES)
}

/// A program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// Its instructions.
    pub instrs: Vec<Instr>,
}

impl Program {
    /// Reads a binary. It is a program only if there is no problem; places are byte offsets. Subroutines may stand behind
    /// the instruction that ends the program.
    pub fn decode(bytes: &[u8], order: Order) -> (Program, Vec<Diag>) {
        let (mut instrs, mut diags) = (Vec::new(), Vec::new());
        if bytes.len() > MOST * BYTES {
            let message = format!("{} instructions; targets can name {MOST}", bytes.len() / BYTES);
            return (Program::default(), vec![Diag::invalid("nv40vp-length", Span::new(0, bytes.len()), message)]);
        }
        for unit in Words::of(order).units(bytes) {
            match unit {
                Ok(unit) => {
                    let place = Span::new(unit.offset, unit.offset + unit.len);
                    match codec().decode(unit.code) {
                        Ok(row) => instrs.push(Instr { code: unit.code, row }),
                        Err(reject) => diags.push(codec().explain(unit.code, reject, place)),
                    }
                }
                Err(cut) => diags.push(codec().explain_cut(cut)),
            }
        }
        if bytes.is_empty() {
            diags.push(Diag::invalid("empty-program", Span::default(), "the program has no instructions"));
        } else if diags.is_empty() && !instrs.iter().any(Instr::ends) {
            let message = "field `end` is 0 in all instructions: the program does not end";
            let diag = Diag::invalid("missing-end", span(instrs.len() - 1), message);
            diags.push(diag.with_help("set bit 96 of the last instruction"));
        }
        (Program { instrs }, diags)
    }

    /// The binary.
    pub fn encode(&self, order: Order) -> Vec<u8> {
        let codes: Vec<Code> = self.instrs.iter().map(|instr| instr.code).collect();
        Words::of(order).encode(&codes)
    }
}

/// The order in which bytes are a program and nothing else: instructions up to an end at the last byte, most of them with
/// nothing in the bits that have no meaning, naming registers that exist.
pub fn sniff(bytes: &[u8]) -> Option<Order> {
    if bytes.is_empty() || !bytes.len().is_multiple_of(BYTES) || bytes.len() > MOST * BYTES || is_text(bytes) {
        return None;
    }
    Order::ALL.into_iter().find(|&order| {
        let (program, diags) = Program::decode(bytes, order);
        let (Some((last, before)), true) = (program.instrs.split_last(), diags.is_empty()) else { return false };
        if !last.ends() || before.iter().any(Instr::ends) || !program.instrs.iter().all(registers_exist) {
            return false;
        }
        let clean = program.instrs.iter().filter(|instr| is_clean(instr)).count();
        clean > 0 && clean * 2 > program.instrs.len()
    })
}

/// The order that was asked for, else the one in which bytes are a program, else the default.
pub(crate) fn order_of(asked: Option<&str>, bytes: &[u8]) -> Order {
    asked.and_then(Order::from_name).or_else(|| sniff(bytes)).unwrap_or_default()
}

fn registers_exist(instr: &Instr) -> bool {
    let exists = |number: u64| number < REGISTERS || number == NO_REGISTER;
    let read = SOURCES.iter().zip(sources(instr.row())).filter(|(_, reads)| *reads);
    let mut read = read.filter(|(fields, _)| instr.get(&fields.file) == file::REGISTER);
    exists(instr.get(&VECTOR_REGISTER)) && read.all(|(fields, _)| instr.get(&fields.register) < REGISTERS)
}

/// Whether it writes something, and its bits without a meaning are as compilers leave them: they differ in the sources that
/// are not read and in the register of a unit that does nothing.
fn is_clean(instr: &Instr) -> bool {
    if instr.get(&VECTOR_OPCODE) + instr.get(&SCALAR_OPCODE) == 0 {
        return false;
    }
    let mut lax = SCALAR_REGISTER.mask().or(RESULT.mask()).or(VECTOR_REGISTER.mask());
    for fields in &SOURCES {
        lax = lax.or(fields.file.mask()).or(fields.swizzle.mask()).or(fields.register.mask());
    }
    Code::from(codec().remainder(instr.row, instr.code)).without(lax).is_zero()
}
