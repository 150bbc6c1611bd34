//! What lives where turns stop.

use crate::form::{Op, Reg, RegData, Stream};
use rustc_hash::FxHashMap;

/// Registers, a bit each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Live(Vec<u64>);

impl Live {
    pub(crate) fn of(regs: usize) -> Live {
        Live(vec![0; regs.div_ceil(64)])
    }

    pub(crate) fn contains(&self, reg: Reg) -> bool {
        self.0[reg as usize / 64] >> (reg % 64) & 1 != 0
    }

    pub(crate) fn insert(&mut self, reg: Reg) {
        self.0[reg as usize / 64] |= 1 << (reg % 64);
    }

    pub(crate) fn remove(&mut self, reg: Reg) {
        self.0[reg as usize / 64] &= !(1 << (reg % 64));
    }

    /// Adds others; whether there are some among them that were missing.
    pub(crate) fn add(&mut self, others: &Live) -> bool {
        let mut is_new = false;
        for (word, other) in self.0.iter_mut().zip(&others.0) {
            is_new |= other & !*word != 0;
            *word |= other;
        }
        is_new
    }

    /// Their numbers, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Reg> {
        let regs = 0..64 * self.0.len() as Reg;
        regs.filter(|&reg| self.contains(reg))
    }
}

/// Of each stop, by its number, the registers that live over it: set before and read behind it. Those that never change do not count.
pub(crate) fn at_stops(stream: &Stream, regs: &[RegData], stops: u32) -> Vec<Live> {
    follow(stream, regs, stops, false)
}

/// Of each stop, by its number, those that are read behind it before another stop.
pub(crate) fn read_next(stream: &Stream, regs: &[RegData], stops: u32) -> Vec<Live> {
    follow(stream, regs, stops, true)
}

fn follow(stream: &Stream, regs: &[RegData], stops: u32, ends_there: bool) -> Vec<Live> {
    let mut found = vec![Live::of(regs.len()); stops as usize];
    if stops == 0 {
        return found;
    }
    let mut at_labels: FxHashMap<u32, Live> = FxHashMap::default();
    let mut is_new = true;
    while std::mem::take(&mut is_new) {
        let mut live = Live::of(regs.len());
        for inst in stream.code.iter().rev() {
            if let Op::Label(label) = inst.op {
                is_new |= at_labels.entry(label).or_insert_with(|| Live::of(regs.len())).add(&live);
            }
            if let Op::Jump(_) = inst.op {
                live = Live::of(regs.len());
            }
            if let Some(there) = inst.op.jumps_to().and_then(|label| at_labels.get(&label)) {
                live.add(there);
            }
            let (read, set) = stream.parts(inst);
            set.iter().for_each(|&reg| live.remove(reg));
            if let Some(number) = inst.op.stop() {
                found[number as usize] = live.clone();
                if ends_there {
                    live = Live::of(regs.len());
                }
            }
            read.iter().filter(|&&reg| regs[reg as usize].source.is_none()).for_each(|&reg| live.insert(reg));
        }
    }
    found
}
