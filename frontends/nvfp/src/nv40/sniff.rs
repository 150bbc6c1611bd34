//! Recognising programs.

use super::fields::{MASK, NO_RESULT, RESULT, RESULT_HALF, SOURCES, TEST, TEST_SWIZZLE, file};
use super::isa::{has, sources};
use super::kind::REGISTERS;
use super::{Instr, Kind, Order, Program, codec};
use parallax_isa::{Code, is_text};

/// The order in which bytes are a program and nothing else: whole instructions up to an end at the last byte, most of them as
/// a compiler writes them, naming registers that exist.
pub fn sniff(bytes: &[u8]) -> Option<Order> {
    if bytes.is_empty() || !bytes.len().is_multiple_of(16) || is_text(bytes) {
        return None;
    }
    Order::ALL.into_iter().find(|&order| {
        let (program, diags) = Program::decode(bytes, order);
        if !diags.is_empty() || !program.instrs.iter().all(registers_exist) {
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
    let wide = |half: u64, number: u64| half != 0 || number < REGISTERS;
    let result = !has(instr.row(), Kind::Result)
        || instr.flag(&NO_RESULT)
        || instr.get(&RESULT) == 63
        || wide(instr.get(&RESULT_HALF), instr.get(&RESULT));
    let read = SOURCES.iter().take(sources(instr.row()));
    result && { read }.all(|s| instr.get(&s.file) != file::REGISTER || wide(instr.get(&s.half), instr.get(&s.register)))
}

/// Whether it is an instruction with operands whose ignored bits are as compilers leave them. They differ in the swizzles and
/// types of sources that are not read, and in the test's swizzle where the test always passes.
fn is_clean(instr: &Instr) -> bool {
    if !has(instr.row(), Kind::Result) || instr.get(&MASK) == 0 {
        return false;
    }
    let mut lax = TEST.mask().or(TEST_SWIZZLE.mask());
    for source in SOURCES.iter().skip(sources(instr.row())) {
        lax = lax.or(source.swizzle.mask()).or(source.file.mask());
    }
    Code::from(codec().remainder(instr.row_id(), instr.code())).without(lax).is_zero()
}
