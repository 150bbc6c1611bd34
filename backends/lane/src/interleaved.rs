//! Interleaved blocks of a workgroup: blocks one behind the other whose instructions alternate. What all of them have alike is computed
//! once, and so is an address that grows by the same number from block to block.

use crate::form::{Function, Group, Op, Reg, RegData, SiteKind, Source};
use parallax_core::{OpKind, SysVal};
use parallax_step::{Prim, Ty};

/// Numbers of blocks of a workgroup that may be interleaved, the one to be tried first in front: two of them keep a processor busy that
/// waits for sums, and four read what they have alike half as often.
pub const INTERLEAVED: [usize; 2] = [4, 2];

/// How registers of interleaved blocks differ.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Distances {
    /// Of each register how much greater it is in each lane than in the same lane of the block before, modulo 2^32; `None` where nobody
    /// knows.
    distances: Vec<Option<u32>>,
    /// Of each register whether the first block holds it for all of them.
    is_shared: Vec<bool>,
}

impl Distances {
    /// Those of the body where so many blocks of a workgroup are interleaved, each of so many lanes.
    pub fn of(function: &Function, lanes: u32, blocks: u32) -> Distances {
        let Some(Group { size, .. }) = function.group else { return Distances::default() };
        let distances = find_distances(function, |value| of_system(value, size, lanes, blocks));
        let is_shared = find_shared(function, &distances, blocks);
        Distances { distances, is_shared }
    }

    /// Whether the first block holds a register for all blocks: it is the same in all of them, or an address.
    pub fn is_shared(&self, reg: Reg) -> bool {
        self.is_shared.get(reg as usize).copied().unwrap_or(false)
    }

    /// How much greater a register is in each lane than in the same lane of the block before, if that is known.
    pub fn distance(&self, reg: Reg) -> Option<u32> {
        self.distances.get(reg as usize).copied().flatten()
    }
}

/// What is known of a register.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Distance {
    /// No instruction that sets it has been looked at.
    Unset,
    By(u32),
    Unknown,
}
use Distance::{By, Unknown, Unset};

impl Distance {
    fn meet(self, other: Distance) -> Distance {
        match (self, other) {
            (Unset, known) | (known, Unset) => known,
            (a, b) if a == b => a,
            _ => Unknown,
        }
    }
}

/// The distances of a system value between blocks of a workgroup of this size.
fn of_system(value: SysVal, [x, y, _]: [u32; 3], lanes: u32, blocks: u32) -> Distance {
    let together = blocks * lanes;
    match value {
        // Blocks are whole rows, or all of them are in one.
        SysVal::LocalX if lanes.is_multiple_of(x) => By(0),
        SysVal::LocalX if x.is_multiple_of(together) => By(lanes),
        SysVal::LocalY if lanes.is_multiple_of(x) && (x * y).is_multiple_of(together) => By(lanes / x),
        SysVal::LocalY if x.is_multiple_of(together) => By(0),
        SysVal::LocalZ if (x * y).is_multiple_of(together) => By(0),
        SysVal::GroupX | SysVal::GroupY | SysVal::GroupZ | SysVal::GridX | SysVal::GridY | SysVal::GridZ => By(0),
        _ => Unknown,
    }
}

fn find_distances(function: &Function, of_system: impl Fn(SysVal) -> Distance) -> Vec<Option<u32>> {
    let of_source = |source: Option<Source>| match source {
        Some(Source::PixelY) => Unknown,
        Some(_) => By(0),
        None => Unset,
    };
    let mut found: Vec<Distance> = function.regs.iter().map(|data| of_source(data.source)).collect();
    let mut is_new = true;
    while std::mem::take(&mut is_new) {
        for inst in &function.body.code {
            let (uses, defs) = function.body.parts(inst);
            if defs.is_empty() {
                continue;
            }
            let distance = match inst.op {
                Op::System(value) => of_system(value),
                op => of_result(function, op, uses, &found),
            };
            for &def in defs {
                let known = &mut found[def as usize];
                let met = known.meet(distance);
                is_new |= std::mem::replace(known, met) != met;
            }
        }
    }
    let known = |distance| if let By(distance) = distance { Some(distance) } else { None };
    found.into_iter().map(known).collect()
}

/// That of the results of an instruction.
fn of_result(function: &Function, op: Op, uses: &[Reg], found: &[Distance]) -> Distance {
    let of = |n: usize| found[uses[n] as usize];
    if uses.iter().any(|&reg| found[reg as usize] == Unset) {
        return Unset;
    }
    let constant = |n: usize| match function.regs[uses[n] as usize].source {
        Some(Source::Bits32(bits)) => Some(bits),
        _ => None,
    };
    let times = |n: usize, factor: Option<u32>| match (of(n), factor) {
        (By(distance), Some(factor)) => By(distance.wrapping_mul(factor)),
        _ => Unknown,
    };
    let are_alike = uses.iter().all(|&reg| found[reg as usize] == By(0));
    match op {
        _ if !is_computed_once(function, op) => Unknown,
        _ if are_alike => By(0),
        Op::Move => of(0),
        Op::Step(Prim::Add, Ty::I32, ..) => match (of(0), of(1)) {
            (By(a), By(b)) => By(a.wrapping_add(b)),
            _ => Unknown,
        },
        Op::Step(Prim::Shl, Ty::I32, ..) => times(0, constant(1).and_then(|amount| 1u32.checked_shl(amount))),
        Op::Step(Prim::Mul, Ty::I32, ..) if constant(0).is_some() => times(1, constant(0)),
        Op::Step(Prim::Mul, Ty::I32, ..) => times(0, constant(1)),
        _ => Unknown,
    }
}

/// Whether an instruction gives all blocks the same, if its operands are.
fn is_computed_once(function: &Function, op: Op) -> bool {
    match op {
        Op::Step(..) | Op::Move | Op::Merge(_) | Op::Without => true,
        // Between two barriers no lane changes a word that another one reads.
        Op::Call(site) => matches!(
            function.sites[site as usize].kind,
            SiteKind::Ir(OpKind::BufferLoad { .. } | OpKind::BufferSize { .. })
        ),
        _ => false,
    }
}

/// Bytes that addresses of all blocks are apart at most where one register stands for them: they are part of an instruction.
const FARTHEST: u32 = 1 << 24;

/// Which registers the first block holds for all: those that are alike, and those that are only used as addresses, or to compute what
/// the first block holds for all.
fn find_shared(function: &Function, distances: &[Option<u32>], blocks: u32) -> Vec<bool> {
    let is_near = |&distance: &u32| distance < FARTHEST / blocks;
    let can_be = |(data, distance): (&RegData, &Option<u32>)| {
        let near = distance.filter(is_near);
        near == Some(0) || near.is_some() && data.source.is_none()
    };
    let mut shared: Vec<bool> = function.regs.iter().zip(distances).map(can_be).collect();
    let mut is_new = true;
    while std::mem::take(&mut is_new) {
        for inst in &function.body.code {
            let (uses, defs) = function.body.parts(inst);
            let computes_shared = !defs.is_empty() && defs.iter().all(|&def| shared[def as usize]);
            let is_by_address = is_by_address(function, inst.op);
            for (n, &reg) in uses.iter().enumerate() {
                let is_alike = distances[reg as usize] == Some(0);
                let stays = is_alike || computes_shared || is_by_address && n == 1;
                if !stays {
                    is_new |= std::mem::replace(&mut shared[reg as usize], false);
                }
            }
        }
    }
    shared
}

/// Whether an instruction is an access to words side by side, or one word, whose second operand is the address.
fn is_by_address(function: &Function, op: Op) -> bool {
    let Op::Call(site) = op else { return false };
    let site = &function.sites[site as usize];
    matches!(site.kind, SiteKind::Ir(OpKind::BufferLoad { .. } | OpKind::BufferStore { .. }))
        && site.stride.is_some_and(|stride| stride.is_exact && matches!(stride.bytes, 0 | 4))
}

/// Whether what an instruction does concerns all interleaved blocks at once: where the code goes on, and how.
pub fn is_for_all(op: Op) -> bool {
    matches!(op, Op::Label(_) | Op::Mode(_) | Op::Barrier(_)) || op.jumps_to().is_some()
}
