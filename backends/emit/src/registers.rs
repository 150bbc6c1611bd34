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
    let mut order: Vec<(u32, u32)> = Vec::new();
    let mut homes = Homes { cells: vec![None; webs.len()], count: 0, halves: 0 };
    for value in 0..webs.len() as Value {
        if webs.web(value) != value {
            continue;
        }
        if let Some(output) = webs.output(value) {
            for &cell in webs.cells(value) {
                homes.cells[cell as usize] = Some((Home::Output(output), webs.fixed(cell).unwrap_or(0)));
            }
            continue;
        }
        let starts = webs.cells(value).iter().filter_map(|&cell| ranges[cell as usize].first());
        if let Some(start) = starts.map(|range| range.0).min() {
            order.push((start, value));
        }
    }
    order.sort_unstable();
    let (mut full, mut halves): (Vec<[Ranges; 4]>, Vec<[Ranges; 4]>) = Default::default();
    for (start, web) in order {
        let cells: SmallVec<[Value; 4]> =
            webs.cells(web).iter().copied().filter(|&cell| !ranges[cell as usize].is_empty()).collect();
        let taken = if webs.is_half(web) { &mut halves } else { &mut full };
        let mut register = 0;
        let comps = loop {
            if register == taken.len() {
                taken.push(Default::default());
            }
            let here = &mut taken[register];
            here.iter_mut().for_each(|held| release(held, start));
            let mut comps = [0; 4];
            if place(&cells, 0, 0, here, webs, ranges, &mut comps) {
                break comps;
            }
            register += 1;
        };
        for (&cell, comp) in cells.iter().zip(comps) {
            let number = register as u32;
            let home = if webs.is_half(web) { Home::Half(number) } else { Home::Temp(number) };
            homes.cells[cell as usize] = Some((home, comp));
            take(&mut taken[register][usize::from(comp)], &ranges[cell as usize]);
        }
    }
    homes.count = full.len() as u32;
    homes.halves = halves.len() as u32;
    homes
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
