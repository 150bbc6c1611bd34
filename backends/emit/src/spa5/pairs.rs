//! Whole numbers of 64 bits: the low words are added first, and the carry that they leave goes into the high ones.

use super::forms::{Form, PAIR_TESTS, form, names};
use super::lower::Lower;
use crate::form::{Arg, Args, Base, Instr, Value};

/// The words of an operand.
fn words(instr: &Instr, n: usize) -> [Arg; 2] {
    let lanes = instr.operands.get(n).map_or([None; 4], |operand| operand.lanes);
    [lanes[0], lanes[1]].map(|base| Arg::plain(base.unwrap_or(Base::Imm(0))))
}

impl Lower<'_> {
    /// An operation on pairs of words; whether a form is one.
    pub(super) fn pairs(&mut self, form: &Form, instr: &Instr) -> bool {
        let (a, b) = (words(instr, 0), words(instr, 1));
        let results = [instr.results[0], instr.results[1]];
        match form.name {
            names::ADD_PAIRS => self.sum_of_pairs([names::ADD_LOW, names::ADD_HIGH], a, b, results),
            names::SUBTRACT_PAIRS => self.sum_of_pairs([names::SUBTRACT_LOW, names::SUBTRACT_HIGH], a, b, results),
            name => {
                let Some(&(.., high)) = PAIR_TESTS.iter().find(|(_, _, pair, _)| *pair == name) else { return false };
                self.sum_of_pairs([names::SUBTRACT_LOW, high], a, b, [None, results[0]]);
            }
        }
        true
    }

    /// What is made of the low words, and with the carry of the high ones. Nothing between the two touches the carry.
    pub(super) fn sum_of_pairs(&mut self, names: [&str; 2], a: [Arg; 2], b: [Arg; 2], results: [Option<Value>; 2]) {
        let low = results[0].unwrap_or_else(|| self.fresh(false));
        self.legal(form(names[0]), false, Args::of(&[a[0], b[0]]), Some(low));
        if let Some(high) = results[1] {
            let args = [a[1], b[1], Arg::value(low)];
            self.legal(form(names[1]), false, Args::of(&args), Some(high));
        }
    }
}
