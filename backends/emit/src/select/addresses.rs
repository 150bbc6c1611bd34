//! Constants at an address: as sets read them, or as choices among those that an address can name.

use super::Select;
use super::intervals::interval;
use super::ranges::Ranges;
use crate::form::{Arg, Base};
use crate::target::{Addresses, Meaning};
use parallax_core::{Func, OpData, OpId, OpKind, ValueId};
use parallax_num::{Decl, Op, Slot};
use rustc_hash::{FxHashMap, FxHashSet};

/// Constants that choices are made among.
const MOST: i64 = 64;

/// Conversions to words whose only readers are addresses: sets that compute with floats alone take the float.
pub(super) fn conversions(func: &Func) -> FxHashSet<OpId> {
    let mut only: FxHashMap<ValueId, bool> = FxHashMap::default();
    func.walk(|_, op| {
        let data = &func.ops[op];
        let is_read = matches!(data.kind, OpKind::ConstAt { .. });
        data.args.iter().for_each(|&arg| *only.entry(arg).or_insert(true) &= is_read);
    });
    let found = only.into_iter().filter(|&(_, only)| only).filter_map(|(value, _)| func.def_op(value));
    found.filter(|&op| floored(&func.ops[op]).is_some()).collect()
}

/// The float of which a conversion takes the largest whole number that is not above it.
fn floored(data: &OpData) -> Option<ValueId> {
    match data.kind {
        OpKind::Num(Op::F2iFloor) => data.args.first().copied(),
        _ => None,
    }
}

/// A float whose floor is an address, and between which numbers that is.
#[derive(Copy, Clone, Debug)]
struct Address {
    float: Arg,
    range: Option<(i64, i64)>,
}

impl Select<'_> {
    pub(super) fn constant_at(&mut self, op: OpId, bank: u16, base: i32, comp: u8) {
        let data = &self.func.ops[op];
        let (result, at) = (data.results[0], data.args[0]);
        match self.target.abilities.addresses {
            Addresses::Words => {
                let at = self.arg(at);
                let at = self.value_of(at);
                let from = self.relatives.number(bank, base);
                self.read(op, Base::ConstAt { from, comp, at });
            }
            Addresses::WordsOfAll(most) => {
                let word = self.arg(at);
                let at_value = self.value_of(word);
                let from = self.relatives.number(bank, base);
                self.read(op, Base::ConstAt { from, comp, at: at_value });
                let mut len = self.bank(bank);
                if len > i64::from(most) {
                    let what = format!("constants at an address: 0 behind the first {most}");
                    self.notes.inexact(what);
                    len = i64::from(most);
                }
                let range = Ranges::new(self.func).proven(at).map(|range| (range.low, range.high));
                if !is_inside(range, base, len) {
                    self.only_inside(result, word, base, len);
                }
            }
            Addresses::Floats => {
                let Some(address) = self.address(at) else { return self.refuse_address() };
                if !is_inside(address.range, base, self.bank(bank)) {
                    self.notes.inexact("a constant at an address: others behind the end of its bank, where 0 is read");
                }
                let at = self.value_of(address.float);
                let from = self.relatives.number(bank, base);
                let value = self.moved(Arg::plain(Base::ConstAt { from, comp, at }), false);
                self.hold(result, Arg::value(value));
            }
            Addresses::None => {
                let Some(address) = self.address(at) else { return self.refuse_address() };
                self.chosen(result, address, bank, base, comp);
            }
        }
    }

    fn refuse_address(&mut self) {
        self.refuse(format!("constants at an address: {} has no words that name them", self.target.title));
    }

    /// How many constants a bank has.
    fn bank(&self, bank: u16) -> i64 {
        self.func.iface.banks.get(usize::from(bank)).map_or(0, |bank| i64::from(bank.len))
    }

    /// The float whose floor an address is.
    fn address(&mut self, at: ValueId) -> Option<Address> {
        let conversion = self.func.def_op(at).filter(|op| self.skipped.contains(op));
        if conversion.is_none()
            && let Some(range) = self.ranges.proven(at)
            && let Some(float) = self.number(at)
        {
            return Some(Address { float, range: Some((range.low, range.high)) });
        }
        let from = floored(&self.func.ops[conversion?])?;
        let range = interval(self.func, from).numbers().filter(|(low, high)| low.abs().max(*high) < MOST as f64 * 4.0);
        if range.is_none() {
            self.notes.inexact("the floor of NaN as an address: another constant than that at 0");
        }
        let range = range.map(|(low, high)| (low.floor() as i64, high.floor() as i64));
        Some(Address { float: self.arg(from), range })
    }

    /// 0 where an address is outside of a bank.
    fn only_inside(&mut self, result: ValueId, word: Arg, base: i32, len: i64) {
        let Some(held) = self.held_arg(result) else { return };
        let mut at = word;
        if base != 0
            && let Some(row) = self.rows.get(Meaning::Each(Op::Iadd))
        {
            let fresh = self.fresh();
            let sum = self.each(row, Slot::plain(Decl::F32), &[word, Arg::imm(base as u32)], fresh);
            at = Arg::value(sum);
        }
        match self.compared(Op::Ult, at, Arg::imm(len as u32)) {
            Some(inside) => self.choose_between(inside, held, Arg::imm(0), result),
            None => self.refuse_address(),
        }
    }

    /// A choice among the constants that an address names: one after the other, by whether it is below the next.
    fn chosen(&mut self, result: ValueId, address: Address, bank: u16, base: i32, comp: u8) {
        let len = self.bank(bank);
        let base = i64::from(base);
        let (low, high) = address.range.unwrap_or((-base - 1, len - base));
        let (first, last) = (low.max(-base), high.min(len - 1 - base));
        if last - first >= MOST {
            return self.refuse(format!(
                "constants at an address (one of {}): {} has no addresses, and choices are made among {MOST}",
                last - first + 1,
                self.target.title
            ));
        }
        let plain = Slot::plain(Decl::F32);
        let rows = [Meaning::Select(Op::FLt), Meaning::Each(Op::Add)].map(|meaning| self.rows.get(meaning));
        let [Some(choose), Some(add)] = rows else { return self.refuse_address() };
        let constant = |at: i64| Arg::plain(Base::Const { bank, index: (base + at) as u32, comp });
        // What is chosen, and from which address on.
        let mut arms: Vec<(i64, Arg)> = Vec::new();
        if low < first || first > last {
            arms.push((low, Arg::imm(0)));
        }
        arms.extend((first..=last).map(|at| (at, constant(at))));
        if high > last && first <= last {
            arms.push((last + 1, Arg::imm(0)));
        }
        let mut chosen = arms[0].1;
        for &(from, arm) in &arms[1..] {
            let bound = Arg::imm((from as f32).to_bits()).negated();
            let fresh = self.fresh();
            let below = self.each(add, plain, &[address.float, bound], fresh);
            let fresh = self.fresh();
            let value = self.each(choose, plain, &[Arg::value(below), chosen, arm], fresh);
            chosen = Arg::value(value);
        }
        self.hold(result, chosen);
    }
}

/// Whether addresses of a range name constants of a bank alone.
fn is_inside(range: Option<(i64, i64)>, base: i32, len: i64) -> bool {
    range.is_some_and(|(low, high)| low + i64::from(base) >= 0 && high + i64::from(base) < len)
}
