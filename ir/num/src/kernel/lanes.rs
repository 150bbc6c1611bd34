//! Loops over the lanes of a row.

use super::{Kernel, LaneWord, Row, RowMut, plain};
use crate::processor::Level;

/// Lanes that are computed together: as many as keep the compiler from writing them out before it makes vectors of them.
pub(super) const BLOCK: usize = 64;

/// A row through a lane function that may mark the lane for [`crate::eval`], compiled for the instructions of `L`. `I`
/// and `O` are the words of operands and results; rows of other words go through [`crate::eval`] lane by lane.
#[inline(always)]
pub(super) fn rows<const N: usize, I: LaneWord, O: LaneWord, L: Level>(
    kernel: &Kernel,
    args: &[Row<'_>],
    out: RowMut<'_>,
    lane: impl Fn([u64; N], &mut bool) -> u64 + Copy,
) {
    let mut operands: [&[I]; N] = [&[]; N];
    let mut fits = args.len() >= N;
    for (operand, row) in operands.iter_mut().zip(args) {
        *operand = I::words(*row).unwrap_or(&[]);
        fits &= operand.len() >= out.len();
    }
    if !fits {
        return plain(kernel, args, out);
    }
    let words = match O::words_mut(out) {
        Ok(words) => words,
        Err(out) => return plain(kernel, args, out),
    };
    if words.len() >= BLOCK {
        L::run(
            kernel.processor,
            #[inline(always)]
            || blocks(kernel, args, operands, words, lane, marked::<N, I, O, L, _>),
        );
    } else {
        marked::<N, I, O, L, _>(kernel, args, operands, words, 0, lane);
    }
}

/// [`marked`] as a function to call.
type Marked<const N: usize, I, O, F> = fn(&Kernel, &[Row<'_>], [&[I]; N], &mut [O], usize, F);

/// All lanes, [`BLOCK`] at a time; there are as many at least.
#[inline(always)]
fn blocks<const N: usize, I: LaneWord, O: LaneWord, F: Fn([u64; N], &mut bool) -> u64 + Copy>(
    kernel: &Kernel,
    args: &[Row<'_>],
    operands: [&[I]; N],
    words: &mut [O],
    lane: F,
    again: Marked<N, I, O, F>,
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
            // Which lanes it was is found out again: keeping all marks costs more than the few blocks that have some.
            again(kernel, args, operands, block, start, lane);
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
    for (i, result) in block.iter_mut().enumerate() {
        let (mut words, mut marked) = ([0; N], false);
        for k in 0..N {
            words[k] = rows[k][i].widen();
        }
        *result = O::narrow(lane(words, &mut marked));
        any |= u8::from(marked);
    }
    any != 0
}

/// Lanes and which of them are marked; all rows are as long.
#[inline(always)]
fn lanes_and_marks<const N: usize, I: LaneWord, O: LaneWord>(
    mut rows: [&[I]; N],
    results: &mut [O],
    marks: &mut [u8],
    lane: impl Fn([u64; N], &mut bool) -> u64,
) {
    let len = results.len().min(marks.len());
    for row in &mut rows {
        *row = &row[..len];
    }
    for (i, (result, mark)) in results[..len].iter_mut().zip(&mut marks[..len]).enumerate() {
        let (mut words, mut marked) = ([0; N], false);
        for k in 0..N {
            words[k] = rows[k][i].widen();
        }
        *result = O::narrow(lane(words, &mut marked));
        *mark = u8::from(marked);
    }
}

/// At most a block of lanes, some of which may be marked: blocks that had a mark, and short rows, which a few quads have. `words` are
/// the lanes from `first` on.
#[inline(never)]
fn marked<const N: usize, I: LaneWord, O: LaneWord, L: Level, F: Fn([u64; N], &mut bool) -> u64 + Copy>(
    kernel: &Kernel,
    args: &[Row<'_>],
    operands: [&[I]; N],
    words: &mut [O],
    first: usize,
    lane: F,
) {
    let mut rows = operands;
    for row in &mut rows {
        *row = &row[first..];
    }
    let mut marks = [0; BLOCK];
    L::run(
        kernel.processor,
        #[inline(always)]
        || lanes_and_marks(rows, words, &mut marks, lane),
    );
    if marks.iter().fold(0, |any, mark| any | mark) != 0 {
        settle(kernel, args, words, first, &marks);
    }
}

/// Gives marked lanes the result of the reference evaluation.
#[inline(never)]
fn settle<O: LaneWord>(kernel: &Kernel, args: &[Row<'_>], words: &mut [O], first: usize, marks: &[u8; BLOCK]) {
    let outside = kernel.outside.filter(|_| args.len() == 1);
    for (i, (word, _)) in words.iter_mut().zip(marks).enumerate().filter(|(_, (_, mark))| **mark != 0) {
        *word = O::narrow(match outside {
            Some(outside) if outside.holds(args[0].get(first + i)) => outside.result,
            _ => kernel.lane(args, first + i),
        });
    }
}
