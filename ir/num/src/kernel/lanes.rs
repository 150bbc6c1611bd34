//! Loops over the lanes of a row.

use super::{Kernel, LaneWord, Row, RowMut, plain};
use crate::processor::Level;

/// Lanes that are computed together: as many as keep the compiler from writing them out before it makes vectors of them.
pub(super) const BLOCK: usize = 64;

/// A row through a lane function that may mark the lane for [`crate::eval`], compiled for the instructions of `L`. `I`
/// and `O` are the words of operands and results; rows of other operand words are as good, but slow.
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
    // Keeping all marks costs more than finding out once more which lanes it was, in the few blocks that have some; but two
    // loops for every function take their time to compile.
    if fits && L::FUSES {
        L::run(
            kernel.processor,
            #[inline(always)]
            || blocks(kernel, args, operands, words, lane, marked::<N, I, O, L, _>),
        );
    } else {
        for (n, block) in words.chunks_mut(BLOCK).enumerate() {
            marked::<N, I, O, L, _>(kernel, args, block, n * BLOCK, lane);
        }
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
        let mut rows = [I::ZEROS; N];
        for k in 0..N {
            rows[k] = <&[I; BLOCK]>::try_from(&operands[k][start..start + BLOCK]).unwrap_or(I::ZEROS);
        }
        if lanes(rows, block, lane) {
            again(kernel, args, block, start, lane);
        }
        start += BLOCK;
    }
}

/// The operands of a lane.
#[inline(always)]
fn operands_of<const N: usize, I: LaneWord>(rows: [&[I; BLOCK]; N], i: usize) -> [u64; N] {
    let mut words = [0; N];
    for k in 0..N {
        words[k] = rows[k][i].widen();
    }
    words
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
    for (i, result) in block.iter_mut().enumerate() {
        let mut marked = false;
        *result = O::narrow(lane(operands_of(rows, i), &mut marked));
        any |= u8::from(marked);
    }
    any != 0
}

/// The lanes of a block, and which are marked.
#[inline(always)]
fn lanes_and_marks<const N: usize, I: LaneWord, O: LaneWord>(
    rows: [&[I; BLOCK]; N],
    block: &mut [O; BLOCK],
    marks: &mut [u8; BLOCK],
    lane: impl Fn([u64; N], &mut bool) -> u64,
) {
    for (i, (result, mark)) in block.iter_mut().zip(marks).enumerate() {
        let mut marked = false;
        *result = O::narrow(lane(operands_of(rows, i), &mut marked));
        *mark = u8::from(marked);
    }
}

/// A block, or less, with marked lanes: rows of other words, short rows, and blocks that had a mark. `words` are the lanes from
/// `first` on.
#[inline(never)]
fn marked<const N: usize, I: LaneWord, O: LaneWord, L: Level, F: Fn([u64; N], &mut bool) -> u64 + Copy>(
    kernel: &Kernel,
    args: &[Row<'_>],
    words: &mut [O],
    first: usize,
    lane: F,
) {
    let mut copies = [*I::ZEROS; N];
    let mut rows = [I::ZEROS; N];
    for ((row, copy), arg) in rows.iter_mut().zip(&mut copies).zip(args) {
        *row = block_of(*arg, first, words.len(), copy);
    }
    let (mut block, mut marks) = ([O::narrow(0); BLOCK], [0; BLOCK]);
    L::run(
        kernel.processor,
        #[inline(always)]
        || lanes_and_marks(rows, &mut block, &mut marks, lane),
    );
    settle(kernel, args, words, first, &block, &marks);
}

/// The lanes of an operand from `first` on, as a block: where they are, or copied, the first of them in the place of lanes that
/// are not wanted.
fn block_of<'a, I: LaneWord>(row: Row<'a>, first: usize, lanes: usize, copy: &'a mut [I; BLOCK]) -> &'a [I; BLOCK] {
    if let Some(words) = I::words(row)
        && let Some(block) = words.get(first..first + BLOCK)
        && let Ok(block) = block.try_into()
    {
        return block;
    }
    for (i, word) in copy.iter_mut().enumerate() {
        *word = I::narrow(row.get(if i < lanes { first + i } else { first }));
    }
    copy
}

/// Takes over results, those of marked lanes from the reference evaluation.
fn settle<O: LaneWord>(
    kernel: &Kernel,
    args: &[Row<'_>],
    words: &mut [O],
    first: usize,
    block: &[O; BLOCK],
    marks: &[u8; BLOCK],
) {
    let outside = kernel.outside.filter(|_| args.len() == 1);
    for (i, ((word, result), mark)) in words.iter_mut().zip(block).zip(marks).enumerate() {
        *word = match (mark, outside) {
            (0, _) => *result,
            (_, Some(outside)) if outside.holds(args[0].get(first + i)) => O::narrow(outside.result),
            _ => O::narrow(kernel.lane(args, first + i)),
        };
    }
}
