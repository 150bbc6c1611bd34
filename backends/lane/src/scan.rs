//! Linear scan: every register has one place from the first time it is set to its last use.

use crate::form::{Class, Function, Reg, Stream};
use crate::interleaved::Distances;
use crate::intervals::{Interval, intervals};
use crate::liveness::{at_stops, read_next};
use crate::ranges::{Ranges, color, ranges};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Registers of a machine that may be given out.
#[derive(Copy, Clone, Debug)]
pub struct Registers<'a> {
    /// Vector registers.
    pub vectors: &'a [u8],
    /// Mask registers; `None` for a machine that has none and keeps masks in vector registers.
    pub masks: Option<&'a [u8]>,
}

/// Where a virtual register is.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// In a vector register.
    Vector(u8),
    /// In a mask register.
    Mask(u8),
    /// In memory: a vector.
    VectorSlot(u32),
    /// In memory: a mask.
    MaskSlot(u32),
    /// It never changes: where the [`Source`](crate::Source) of the register is.
    Source,
    /// It is never set here.
    Nowhere,
}

/// Places of the registers of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allocation {
    /// Place of each virtual register.
    pub places: Vec<Place>,
    /// Slots in memory: vectors and masks.
    pub slots: (u32, u32),
    /// Whether masks have places of vectors.
    pub masks_in_vectors: bool,
    /// Of each stop, by number, the registers that come back from the frame behind it.
    pub kept: Vec<Vec<Reg>>,
    /// All of them, and whether each is brought to the frame where it is set, which happens at one place; else at every stop.
    pub framed: Vec<(Reg, bool)>,
    /// How registers of interleaved blocks differ, and which of them they share.
    pub distances: Distances,
}

impl Allocation {
    /// The places of a block that is interleaved with this one, so many blocks behind it, where the numbers of registers of the next block
    /// are as much greater.
    pub fn shifted(&self, block: u8, vectors: u8, masks: u8) -> Allocation {
        let place = |(reg, place): (usize, &Place)| match *place {
            place if self.is_shared(reg as Reg) => place,
            Place::Vector(n) => Place::Vector(n + block * vectors),
            Place::Mask(n) => Place::Mask(n + block * masks),
            Place::VectorSlot(n) => Place::VectorSlot(n + u32::from(block) * self.slots.0),
            Place::MaskSlot(n) => Place::MaskSlot(n + u32::from(block) * self.slots.1),
            same => same,
        };
        Allocation {
            places: self.places.iter().enumerate().map(place).collect(),
            slots: self.slots,
            masks_in_vectors: self.masks_in_vectors,
            kept: self.kept.clone(),
            framed: self.framed.clone(),
            distances: self.distances.clone(),
        }
    }

    /// Whether interleaved blocks share a register.
    pub fn is_shared(&self, reg: Reg) -> bool {
        self.distances.is_shared(reg)
    }

    /// Place of a register.
    pub fn place(&self, reg: Reg) -> Place {
        self.places[reg as usize]
    }
}

/// Gives the registers of a stream places. Where there are too few, the one that lives longest goes to memory.
pub fn allocate(function: &Function, stream: &Stream, registers: Registers<'_>) -> Allocation {
    let mut allocation = nothing_allocated(function, stream, registers, Distances::default());
    if stream.code.is_empty() {
        return allocation;
    }
    let all = intervals(stream, &function.regs);
    let is_mask = |interval: &&Interval| function.regs[interval.reg as usize].class == Class::Mask;
    let Some(masks) = registers.masks.filter(|_| all.iter().any(|interval| is_mask(&interval))) else {
        allocation.slots.0 = scan(&all, registers.vectors, &mut allocation.places, Place::Vector, Place::VectorSlot);
        return allocation;
    };
    let (mut of_vectors, mut of_masks) = (Vec::with_capacity(all.len()), Vec::with_capacity(all.len()));
    for interval in &all {
        if is_mask(&interval) { of_masks.push(*interval) } else { of_vectors.push(*interval) }
    }
    allocation.slots.0 = scan(&of_vectors, registers.vectors, &mut allocation.places, Place::Vector, Place::VectorSlot);
    allocation.slots.1 = scan(&of_masks, masks, &mut allocation.places, Place::Mask, Place::MaskSlot);
    allocation
}

/// The same for so many interleaved blocks that share some registers: the places of the first one, and how much greater the numbers of
/// registers of the next one are that they do not share. Nothing if there are too few.
pub fn allocate_blocks(
    function: &Function,
    stream: &Stream,
    registers: Registers<'_>,
    blocks: usize,
    distances: Distances,
) -> Option<(Allocation, [u8; 2])> {
    let mut allocation = nothing_allocated(function, stream, registers, distances);
    let is_stored = |reg: Reg| allocation.framed.contains(&(reg, false));
    let mut all = ranges(stream, &function.regs, &allocation.kept, is_stored);
    for ranges in all.iter_mut().filter(|ranges| allocation.is_shared(ranges.reg)) {
        // Other blocks read it after the first one has written its results.
        ranges.pieces.iter_mut().for_each(|piece| piece.1 |= 1);
    }
    let mut further = [0; 2];
    for (class, further) in [Class::Vector, Class::Mask].into_iter().zip(&mut further) {
        let list = match class {
            Class::Vector => registers.vectors,
            Class::Mask => registers.masks.unwrap_or_default(),
        };
        let is_of = |ranges: &&Ranges| {
            let own = function.regs[ranges.reg as usize].class;
            class == if allocation.masks_in_vectors { Class::Vector } else { own }
        };
        let (both, own): (Vec<Ranges>, Vec<Ranges>) =
            all.iter().filter(is_of).cloned().partition(|ranges| allocation.is_shared(ranges.reg));
        let (own_places, count) = color(&own, list.len() / blocks)?;
        let (of_each, of_both) = list.split_at(blocks * count);
        let (shared_places, _) = color(&both, of_both.len())?;
        let places = own.iter().zip(own_places.iter().map(|&n| of_each[usize::from(n)]));
        for (ranges, place) in places.chain(both.iter().zip(shared_places.iter().map(|&n| of_both[usize::from(n)]))) {
            allocation.places[ranges.reg as usize] = match class {
                Class::Vector => Place::Vector(place),
                Class::Mask => Place::Mask(place),
            };
        }
        *further = count as u8;
    }
    Some((allocation, further))
}

/// No register has a place yet, but frames have them.
fn nothing_allocated(
    function: &Function,
    stream: &Stream,
    registers: Registers<'_>,
    distances: Distances,
) -> Allocation {
    let places = function.regs.iter().map(|reg| if reg.source.is_some() { Place::Source } else { Place::Nowhere });
    let (kept, framed) = if stream.code.is_empty() { Default::default() } else { frames(function, stream) };
    let masks_in_vectors = registers.masks.is_none();
    Allocation { places: places.collect(), slots: (0, 0), masks_in_vectors, kept, framed, distances }
}

/// What comes back from frames behind each stop, and all of it. What is set once stays in the frame until somebody reads it.
fn frames(function: &Function, stream: &Stream) -> (Vec<Vec<Reg>>, Vec<(Reg, bool)>) {
    if function.stops == 0 {
        return (Vec::new(), Vec::new());
    }
    let mut count = vec![0u32; function.regs.len()];
    stream.code.iter().flat_map(|inst| stream.defs(inst)).for_each(|&reg| count[reg as usize] += 1);
    let is_set_once = |reg: Reg| count[reg as usize] == 1;
    let live = at_stops(stream, &function.regs, function.stops);
    let next = read_next(stream, &function.regs, function.stops);
    let comes_back = live.iter().zip(&next);
    let kept: Vec<Vec<Reg>> = comes_back
        .map(|(live, next)| live.iter().filter(|&reg| !is_set_once(reg) || next.contains(reg)).collect())
        .collect();
    let mut framed: Vec<Reg> = kept.iter().flatten().copied().collect();
    framed.sort_unstable();
    framed.dedup();
    (kept, framed.into_iter().map(|reg| (reg, is_set_once(reg))).collect())
}

/// One class; gives the number of slots.
fn scan(
    intervals: &[Interval],
    registers: &[u8],
    places: &mut [Place],
    in_register: fn(u8) -> Place,
    in_slot: fn(u32) -> Place,
) -> u32 {
    debug_assert!(intervals.is_sorted_by_key(|interval| interval.start));
    let mut free: Vec<u8> = registers.iter().rev().copied().collect();
    let mut taken: Vec<u8> = vec![0; intervals.len()];
    // The end and the number of each, the first to end last: at most as many as there are registers.
    let mut active: Vec<u64> = Vec::with_capacity(registers.len() + 1);
    let entry = |n: usize| u64::from(intervals[n].end) << 32 | n as u64;
    let (end, number) = (|entry: u64| (entry >> 32) as u32, |entry: u64| entry as u32 as usize);
    let add = |active: &mut Vec<u64>, entry: u64| {
        // Most live shortly.
        let mut at = active.len();
        active.push(entry);
        while at > 0 && active[at - 1] < entry {
            active[at] = active[at - 1];
            at -= 1;
        }
        active[at] = entry;
    };
    let mut spilled: Vec<usize> = Vec::new();
    for (n, interval) in intervals.iter().enumerate() {
        while let Some(old) = active.pop_if(|entry| end(*entry) < interval.start) {
            free.push(taken[number(old)]);
        }
        if let Some(register) = free.pop() {
            taken[n] = register;
            add(&mut active, entry(n));
            continue;
        }
        match active.first().copied().filter(|&entry| end(entry) > interval.end) {
            Some(longest) => {
                active.remove(0);
                spilled.push(number(longest));
                taken[n] = taken[number(longest)];
                add(&mut active, entry(n));
            }
            None => spilled.push(n),
        }
    }
    // What is in memory is said below.
    for (interval, &register) in intervals.iter().zip(&taken) {
        places[interval.reg as usize] = in_register(register);
    }
    // Slots are given out in the same way, as many as there are values in memory at a time.
    spilled.sort_by_key(|&n| intervals[n].start);
    let (mut slots, mut empty) = (0, Vec::new());
    let mut busy: BinaryHeap<Reverse<(u32, u32)>> = BinaryHeap::new();
    for n in spilled {
        while let Some(&Reverse((end, slot))) = busy.peek().filter(|Reverse((end, _))| *end < intervals[n].start) {
            busy.pop();
            empty.push(slot);
            debug_assert!(end < intervals[n].start);
        }
        let slot = empty.pop().unwrap_or_else(|| {
            slots += 1;
            slots - 1
        });
        busy.push(Reverse((intervals[n].end, slot)));
        places[intervals[n].reg as usize] = in_slot(slot);
    }
    slots
}
