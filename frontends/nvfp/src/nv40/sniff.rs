//! Recognising programs.

use super::fields::{MASK, NO_RESULT, RESULT, RESULT_HALF, SOURCES, TEST, TEST_SWIZZLE, file};
use super::isa::{has, sources};
use super::kind::REGISTERS;
use super::{Instr, Kind, Nv40, Order, Program, codec};
use parallax_isa::{Code, Row, is_text};
use std::sync::LazyLock;

/// The order in which bytes are a program and nothing else: whole instructions up to an end at the last byte, most of them as
/// a compiler writes them, naming registers that exist.
pub fn sniff(bytes: &[u8]) -> Option<Order> {
    if is_text(bytes) { None } else { recognise(bytes).map(|(order, _)| order) }
}

/// The same of words, with the program that they are.
pub(crate) fn recognise(bytes: &[u8]) -> Option<(Order, Program)> {
    if bytes.is_empty() || !bytes.len().is_multiple_of(16) {
        return None;
    }
    Order::ALL.into_iter().find_map(|order| {
        let (program, diags) = Program::decode(bytes, order);
        if !diags.is_empty() || !program.instrs.iter().all(registers_exist) {
            return None;
        }
        let most = program.instrs.len() / 2;
        program.instrs.iter().filter(|instr| is_clean(instr)).nth(most)?;
        Some((order, program))
    })
}

/// What is looked at in instructions of a row.
struct Traits {
    result: bool,
    sources: usize,
    /// Bits that compilers leave as they please.
    lax: Code,
}

impl Traits {
    fn of(row: &Row<Nv40>) -> Traits {
        let (result, sources) = (has(row, Kind::Result), sources(row));
        let mut lax = TEST.mask().or(TEST_SWIZZLE.mask());
        for source in SOURCES.iter().skip(sources) {
            lax = lax.or(source.swizzle.mask()).or(source.file.mask());
        }
        Traits { result, sources, lax }
    }

    fn of_instr(instr: &Instr) -> &'static Traits {
        /// By number of the row.
        static ALL: LazyLock<Vec<Traits>> = LazyLock::new(|| codec().rows().map(|(_, row)| Traits::of(row)).collect());
        &ALL[instr.row.index()]
    }
}

/// The order that was asked for, else the one in which bytes are a program, else the default.
pub(crate) fn order_of(asked: Option<&str>, bytes: &[u8]) -> Order {
    asked.and_then(Order::from_name).or_else(|| sniff(bytes)).unwrap_or_default()
}

fn registers_exist(instr: &Instr) -> bool {
    let wide = |half: u64, number: u64| half != 0 || number < REGISTERS;
    let traits = Traits::of_instr(instr);
    let result = !traits.result
        || instr.flag(&NO_RESULT)
        || instr.get(&RESULT) == 63
        || wide(instr.get(&RESULT_HALF), instr.get(&RESULT));
    result
        && SOURCES
            .iter()
            .take(traits.sources)
            .all(|s| instr.get(&s.file) != file::REGISTER || wide(instr.get(&s.half), instr.get(&s.register)))
}

/// Whether it is an instruction with operands whose ignored bits are as compilers leave them. They differ in the swizzles and
/// types of sources that are not read, and in the test's swizzle where the test always passes.
fn is_clean(instr: &Instr) -> bool {
    let Traits { result, lax, .. } = *Traits::of_instr(instr);
    if !result || instr.get(&MASK) == 0 {
        return false;
    }
    Code::from(codec().remainder(instr.row_id(), instr.code())).without(lax).is_zero()
}
