//! Loops over the lanes of a row.

use super::{Kernel, LaneWord, Row, RowMut, plain};
use crate::processor::Level;

/// Lanes that are computed together: as many as keep the compiler from writing them out before it makes vectors of them.
pub(super) const BLOCK: usize = 64;

/// A row through a lane function that may mark the lane for [`crate::eval`], compiled for the instructions of `L`. `I`
/// and `O` are the words of operands and results; rows of other words are read and written lane by lane.
#[inline(always)]
pub(super) fn rows<const N: usize, I: LaneWord, O: LaneWord, L: Level>(
    kernel: &Kernel,
    args: &[Row<'_>],
    out: RowMut<'_>,
    lane: impl Fn([u64; N], &mut bool) -> u64 + Copy,
) {
    let words = match O::words_mut(out) {
        Ok(words) => words,
        Err(out) => return plain(kernel, args, out),
    };
    let mut operands: [&[I]; N] = [&[]; N];
    let mut fits = args.len() >= N && words.len() >= BLOCK;
    for (operand, row) in operands.iter_mut().zip(args) {
        *operand = I::words(*row).unwrap_or(&[]);
        fits &= operand.len() >= words.len();
    }
    if fits {
        L::run(
            kernel.processor,
            #[inline(always)]
            || blocks(kernel, args, operands, words, lane, one_by_one::<N, O, L, _>),
        );
    } else {
        one_by_one::<N, O, L, _>(kernel, args, words, 0, lane);
    }
}

/// All lanes, [`BLOCK`] at a time; there are as many at least.
#[inline(always)]
fn blocks<const N: usize, I: LaneWord, O: LaneWord, F: Fn([u64; N], &mut bool) -> u64 + Copy>(
    kernel: &Kernel,
    args: &[Row<'_>],
    operands: [&[I]; N],
    words: &mut [O],
    lane: F,
    again: fn(&Kernel, &[Row<'_>], &mut [O], usize, F),
) {
    let len = words.len();
    let mut start = 0;
    while start < len {
        // What is left at the end, once more with lanes before it: they get what they have.
        start = start.min(len - BLOCK);
        // A block has a length that the compiler knows.
        let Ok(block) = <&mut [O; BLOCK]>::try_from(&mut words[start..start + BLOCK]) else { return };
        let rows = operands.map(|row| <&[I; BLOCK]>::try_from(&row[start..start + BLOCK]).unwrap_or(I::ZEROS));
        if lanes(rows, block, lane) {
            // Which lanes it was is found out again: keeping all marks costs more than the few blocks that have some.
            again(kernel, args, block, start, lane);
        }
        start += BLOCK;
    }
}

/// The lanes of a block; whether any is marked. A function of its own, so that the compiler knows the block apart from the
/// operands.
#[inline(always)]
fn lanes<const N: usize, I: LaneWord, O: LaneWord>(
    rows: [&[I; BLOCK]; N],
    block: &mut [O; BLOCK],
    lane: impl Fn([u64; N], &mut bool) -> u64,
) -> bool {
    let mut any = 0u8;
    for i in 0..BLOCK {
        let mut marked = false;
        block[i] = O::narrow(lane(rows.map(|row| row[i].widen()), &mut marked));
        any |= u8::from(marked);
    }
    any != 0
}

/// Lanes one after the other: rows of other words, short rows, and blocks with marked lanes. `words` are the lanes from
/// `first` on.
#[cold]
#[inline(never)]
fn one_by_one<const N: usize, O: LaneWord, L: Level, F: Fn([u64; N], &mut bool) -> u64 + Copy>(
    kernel: &Kernel,
    args: &[Row<'_>],
    words: &mut [O],
    first: usize,
    lane: F,
) {
    L::run(
        kernel.processor,
        #[inline(always)]
        || {
            for (i, word) in words.iter_mut().enumerate() {
                let operands: [u64; N] = std::array::from_fn(|k| args.get(k).map_or(0, |row| row.get(first + i)));
                if let Some(outside) = kernel.outside.filter(|outside| N == 1 && outside.holds(operands[0])) {
                    *word = O::narrow(outside.result);
                    continue;
                }
                let mut marked = false;
                let result = lane(operands, &mut marked);
                *word = O::narrow(if marked { kernel.lane(args, first + i) } else { result });
            }
        },
    );
}
