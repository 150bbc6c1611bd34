//! Registers and components for webs, first fit in the order in which they come alive.

use crate::form::Value;
use crate::live::{Ranges, overlap};
use crate::webs::Webs;
use smallvec::SmallVec;

/// A register of the target.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Home {
    Temp(u32),
    /// One of half the size.
    Half(u32),
    Output(u16),
}

/// Where each cell is.
#[derive(Debug, Default)]
pub(crate) struct Homes {
    cells: Vec<Option<(Home, u8)>>,
    /// Temporaries in use.
    pub(crate) count: u32,
    /// Those of half the size.
    pub(crate) halves: u32,
}

impl Homes {
    /// The register and component of a value.
    pub(crate) fn get(&self, webs: &Webs, value: Value) -> (Home, u8) {
        self.cells[webs.cell(value) as usize].unwrap_or((Home::Temp(0), 0))
    }
}

/// Finds homes. `ranges` are those of cells.
pub(crate) fn allocate(webs: &Webs, ranges: &[Ranges]) -> Homes {
    let mut homes = Homes { cells: vec![None; webs.len()], count: 0, halves: 0 };
    for (web, output) in webs.outputs() {
        for &cell in webs.cells(web) {
            homes.cells[cell as usize] = Some((Home::Output(output), webs.fixed(cell).unwrap_or(0)));
        }
    }
    let (mut full, mut halves): (Bank, Bank) = Default::default();
    for (start, web) in Order::new(webs, ranges).iter() {
        let mut cells: SmallVec<[Value; 4]> = SmallVec::from_slice(webs.cells(web));
        cells.retain(|cell| !ranges[*cell as usize].is_empty());
        let is_half = webs.is_half(web);
        let bank = if is_half { &mut halves } else { &mut full };
        let (number, comps) = bank.fit(&cells, start, webs, ranges);
        let home = if is_half { Home::Half(number) } else { Home::Temp(number) };
        for (&cell, comp) in cells.iter().zip(comps) {
            homes.cells[cell as usize] = Some((home, comp));
        }
    }
    homes.count = full.len() as u32;
    homes.halves = halves.len() as u32;
    homes
}

/// Webs in the order in which they come alive, those at the same place by their numbers; outputs are none of them.
pub(crate) struct Order {
    /// The first web that comes alive at each place.
    first: Vec<u32>,
    /// The one behind each.
    next: Vec<u32>,
}

impl Order {
    const NONE: u32 = u32::MAX;

    /// `ranges` are those of cells.
    pub(crate) fn new(webs: &Webs, ranges: &[Ranges]) -> Order {
        let count =
            ranges.iter().filter_map(|ranges| ranges.first()).map(|range| range.0 as usize + 1).max().unwrap_or(0);
        let mut order = Order { first: vec![Order::NONE; count], next: vec![Order::NONE; webs.len()] };
        for value in (0..webs.len() as Value).rev() {
            if webs.web(value) != value || webs.output(value).is_some() {
                continue;
            }
            let starts = webs.cells(value).iter().filter_map(|&cell| ranges[cell as usize].first());
            if let Some(start) = starts.map(|range| range.0).min() {
                order.next[value as usize] = std::mem::replace(&mut order.first[start as usize], value);
            }
        }
        order
    }

    /// The place where each comes alive, and its number.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, u32)> {
        let known = |web: u32| Some(web).filter(|&web| web != Order::NONE);
        (0..).zip(&self.first).flat_map(move |(start, &first)| {
            let webs = std::iter::successors(known(first), move |&web| known(self.next[web as usize]));
            webs.map(move |web| (start, web))
        })
    }
}

/// A register of four components, and where each is taken.
#[derive(Debug, Default)]
pub(crate) struct Taken {
    /// Where the last range ends that was taken when it came alive: it is taken up to there.
    ends: [u32; 4],
    /// Whether there are others.
    has_others: bool,
    /// Ranges that lie ahead, and those of what has several.
    others: [Ranges; 4],
}

impl Taken {
    /// Whether a component is free at ranges, none of which begins before what was taken.
    fn is_free(&self, comp: usize, ranges: &Ranges) -> bool {
        let starts_behind = ranges.first().is_none_or(|range| self.ends[comp] <= range.0);
        starts_behind && !(self.has_others && overlap(&self.others[comp], ranges))
    }

    /// Takes a component at ranges, where it is free. `start`: a place where nothing that is asked for later has begun.
    fn take(&mut self, comp: usize, ranges: &Ranges, start: u32) {
        match ranges[..] {
            [(from, end)] if from <= start => self.ends[comp] = end,
            _ => self.take_ahead(comp, ranges),
        }
    }

    /// The same of ranges that may lie ahead.
    pub(crate) fn take_ahead(&mut self, comp: usize, ranges: &Ranges) {
        take(&mut self.others[comp], ranges);
        self.has_others = true;
    }

    /// Forgets what ended before a place.
    fn release(&mut self, start: u32) {
        if self.has_others {
            self.others.iter_mut().for_each(|others| release(others, start));
            self.has_others = self.others.iter().any(|others| !others.is_empty());
        }
    }

    /// A place before which no component is free.
    fn full_until(&self, start: u32) -> u32 {
        let until = self.ends.iter().zip(&self.others).map(|(&end, others)| match others[..] {
            [(from, behind)] if from <= start => behind.max(end),
            _ => end,
        });
        until.min().unwrap_or(start)
    }

    /// Finds components for the cells from `n` on.
    pub(crate) fn place(
        &self,
        cells: &[Value],
        n: usize,
        used: u8,
        webs: &Webs,
        ranges: &[Ranges],
        comps: &mut [u8; 4],
    ) -> bool {
        let Some(&cell) = cells.get(n) else { return true };
        let fixed = webs.fixed(cell);
        for comp in 0..4u8 {
            let is_free = used >> comp & 1 == 0
                && fixed.is_none_or(|fixed| fixed == comp)
                && self.is_free(comp.into(), &ranges[cell as usize]);
            if is_free {
                comps[n] = comp;
                if self.place(cells, n + 1, used | 1 << comp, webs, ranges, comps) {
                    return true;
                }
            }
        }
        false
    }
}

/// Registers of four components.
#[derive(Debug, Default)]
pub(crate) struct Bank {
    registers: Vec<Taken>,
    /// Of each register a place before which no component is free.
    full_until: Vec<u32>,
}

impl Bank {
    /// How many registers are in use.
    pub(crate) fn len(&self) -> usize {
        self.registers.len()
    }

    /// A register, which is in use from now on.
    pub(crate) fn register(&mut self, number: usize) -> &mut Taken {
        if self.registers.len() <= number {
            self.registers.resize_with(number + 1, Default::default);
            self.full_until.resize(number + 1, 0);
        }
        &mut self.registers[number]
    }

    /// The first register with room for cells, of which one comes alive at `start` and none before, and their components in it. What
    /// was given room before came alive no later.
    pub(crate) fn fit(&mut self, cells: &[Value], start: u32, webs: &Webs, ranges: &[Ranges]) -> (u32, [u8; 4]) {
        let mut number = 0;
        let comps = loop {
            match self.full_until[number..].iter().position(|&full| full <= start) {
                Some(skipped) => number += skipped,
                None => {
                    number = self.registers.len();
                    self.register(number);
                }
            }
            let here = &mut self.registers[number];
            here.release(start);
            // Nearly always there is one that may be in any component.
            let placed = match *cells {
                [cell] if webs.fixed(cell).is_none() => {
                    let free = (0..4u8).find(|&comp| here.is_free(comp.into(), &ranges[cell as usize]));
                    free.map(|comp| [comp, 0, 0, 0])
                }
                _ => {
                    let mut comps = [0; 4];
                    here.place(cells, 0, 0, webs, ranges, &mut comps).then_some(comps)
                }
            };
            if let Some(comps) = placed {
                break comps;
            }
            self.full_until[number] = here.full_until(start);
            number += 1;
        };
        for (&cell, comp) in cells.iter().zip(comps) {
            self.registers[number].take(comp.into(), &ranges[cell as usize], start);
        }
        (number as u32, comps)
    }
}

/// Forgets what of a component ended before a place.
pub(crate) fn release(held: &mut Ranges, start: u32) {
    match held[..] {
        [] => {}
        [(_, end)] if end > start => {}
        [_] => held.clear(),
        _ => held.retain(|range| range.1 > start),
    }
}

/// Adds ranges to those of a component.
pub(crate) fn take(held: &mut Ranges, more: &Ranges) {
    if let ([], &[one]) = (&held[..], &more[..]) {
        held.push(one);
        return;
    }
    held.extend_from_slice(more);
    held.sort_unstable();
}
