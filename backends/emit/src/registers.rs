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
    let (mut full, mut halves): (Taken, Taken) = Default::default();
    for (start, web) in Order::new(webs, ranges).iter() {
        let mut cells: SmallVec<[Value; 4]> = SmallVec::from_slice(webs.cells(web));
        cells.retain(|cell| !ranges[*cell as usize].is_empty());
        let is_half = webs.is_half(web);
        let taken = if is_half { &mut halves } else { &mut full };
        let (number, comps) = taken.fit(&cells, start, webs, ranges);
        let home = if is_half { Home::Half(number) } else { Home::Temp(number) };
        for (&cell, comp) in cells.iter().zip(comps) {
            homes.cells[cell as usize] = Some((home, comp));
        }
    }
    homes.count = full.held.len() as u32;
    homes.halves = halves.held.len() as u32;
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

/// Registers of four components, and where each component is taken.
#[derive(Debug, Default)]
pub(crate) struct Taken {
    held: Vec<[Ranges; 4]>,
    /// Of each register a place before which no component is free.
    full_until: Vec<u32>,
}

impl Taken {
    /// The ranges of a register, which is in use from now on.
    pub(crate) fn register(&mut self, number: usize) -> &mut [Ranges; 4] {
        if self.held.len() <= number {
            self.held.resize_with(number + 1, Default::default);
            self.full_until.resize(number + 1, 0);
        }
        &mut self.held[number]
    }

    /// The first register with room for cells, of which one comes alive at `start` and none before, and their components in it. What
    /// was given room before came alive no later.
    pub(crate) fn fit(&mut self, cells: &[Value], start: u32, webs: &Webs, ranges: &[Ranges]) -> (u32, [u8; 4]) {
        let mut number = 0;
        let comps = loop {
            match self.full_until[number..].iter().position(|&full| full <= start) {
                Some(skipped) => number += skipped,
                None => {
                    number = self.held.len();
                    self.register(number);
                }
            }
            let here = &mut self.held[number];
            here.iter_mut().for_each(|held| release(held, start));
            let mut comps = [0; 4];
            // Nearly always there is one that may be in any component.
            let is_placed = match *cells {
                [cell] if webs.fixed(cell).is_none() => {
                    let free = here.iter().position(|held| !overlap(held, &ranges[cell as usize]));
                    comps[0] = free.unwrap_or(0) as u8;
                    free.is_some()
                }
                _ => place(cells, 0, 0, here, webs, ranges, &mut comps),
            };
            if is_placed {
                break comps;
            }
            let end_of_all = |held: &Ranges| match held[..] {
                [(from, end)] if from <= start => end,
                _ => start,
            };
            self.full_until[number] = here.iter().map(end_of_all).min().unwrap_or(start);
            number += 1;
        };
        for (&cell, comp) in cells.iter().zip(comps) {
            take(&mut self.held[number][usize::from(comp)], &ranges[cell as usize]);
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

/// Finds components for the cells from `n` on.
pub(crate) fn place(
    cells: &[Value],
    n: usize,
    used: u8,
    taken: &[Ranges; 4],
    webs: &Webs,
    ranges: &[Ranges],
    comps: &mut [u8; 4],
) -> bool {
    let Some(&cell) = cells.get(n) else { return true };
    let fixed = webs.fixed(cell);
    for comp in 0..4u8 {
        let is_free = used >> comp & 1 == 0
            && fixed.is_none_or(|fixed| fixed == comp)
            && !overlap(&taken[usize::from(comp)], &ranges[cell as usize]);
        if is_free {
            comps[n] = comp;
            if place(cells, n + 1, used | 1 << comp, taken, webs, ranges, comps) {
                return true;
            }
        }
    }
    false
}
