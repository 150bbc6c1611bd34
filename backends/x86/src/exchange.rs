//! What the lanes of a subgroup exchange: in a block, or between the turns of several.

use crate::arena;
use crate::host::{Reader, Words, write};
use crate::layout::{self, At, ENDED, MOST_LANES_OF_BLOCK};
use crate::level::Level;
use crate::program::Program;
use parallax_core::OpKind;
use parallax_lane::Exchange;
use parallax_step::Ty;
use std::array::from_fn;

/// The value of the lane with a number, if it is active.
fn shuffled(active: u128, index: u64, held: impl Fn(usize) -> u64) -> u64 {
    let index = index as u32 as usize;
    if active.checked_shr(index as u32).is_some_and(|bits| bits & 1 != 0) { held(index) } else { 0 }
}

/// The bits of 32 lanes.
fn word_of(bits: u128, word: u8) -> u64 {
    u64::from(bits.checked_shr(32 * u32::from(word)).unwrap_or(0) as u32)
}

/// An op of subgroups that have no more lanes than a block; `active`: a bit for each active lane.
pub(crate) fn in_block(width: usize, kind: OpKind, args: &[Words], active: u16) -> Words {
    from_fn(|lane| {
        let first = lane / width * width;
        let active = u128::from(active >> first) & ((1 << width) - 1);
        match kind {
            OpKind::GroupBallot { word } => {
                let is_true = |n: &usize| active >> n & 1 != 0 && args[0][first + n] & 1 != 0;
                word_of((0..width).filter(is_true).fold(0, |bits, n| bits | 1 << n), word)
            }
            _ => shuffled(active, args[1][lane], |index| args[0][first + index]),
        }
    })
}

/// The turns of a subgroup have stopped or ended: whether they stopped to exchange something, which is done then.
pub(crate) fn serve(program: &Program, arena: &[u64], mut turns: Vec<&mut [u64]>) -> bool {
    let level = program.level;
    let next = |frame: &[u64]| arena::word(frame, layout::FRAME_NEXT);
    let Some(stop) = turns.iter().map(|frame| next(frame)).find(|&next| next != ENDED) else { return false };
    let Some(Some(exchange)) = program.exchanges.get(stop as usize - 1) else { return false };
    if *exchange == Exchange::Nothing {
        return true;
    }
    let at = program.layout.frame.exchange;
    let (mut executing, mut active) = (0u128, 0u128);
    for (n, frame) in turns.iter().enumerate().filter(|(_, frame)| next(frame) == stop) {
        let lanes = arena::half(frame, layout::FRAME_WAITING) & layout::all(level);
        let covered = layout::lanes(level, arena, layout::COVERED, frame[layout::FRAME_LANE / 8] as usize);
        executing |= u128::from(lanes) << (n * level.lanes());
        active |= u128::from(lanes & covered) << (n * level.lanes());
    }
    let (lanes, count) = (level.lanes(), turns.len());
    let words = |ty: Ty, line: usize| -> Vec<Words> {
        let places = places(level, ty, at + line * level.line());
        turns.iter().map(|frame| Reader { level, arena: frame, places: places.iter() }.words(ty)).collect()
    };
    let (ty, results): (Ty, Vec<Words>) = match *exchange {
        Exchange::Shuffle(ty) => {
            let (held, index) = (words(ty, 0), words(Ty::I32, places(level, ty, 0).len()));
            let from = |index: usize| held[index / lanes][index % lanes];
            (ty, (0..count).map(|n| from_fn(|lane| shuffled(active, index[n][lane], from))).collect())
        }
        Exchange::Ballot(word) => {
            let held = words(Ty::Mask, 0);
            let is_true = |lane: &usize| active >> lane & 1 != 0 && held[lane / lanes][lane % lanes] & 1 != 0;
            let bits = (0..count * lanes).filter(is_true).fold(0, |bits: u128, lane| bits | 1 << lane);
            (Ty::I32, vec![[word_of(bits, word); MOST_LANES_OF_BLOCK]; count])
        }
        // Of nothing, nothing is done above.
        Exchange::Any | Exchange::Nothing => (Ty::Mask, vec![[u64::from(executing != 0); MOST_LANES_OF_BLOCK]; count]),
    };
    let places = places(level, ty, at);
    for (frame, words) in turns.iter_mut().zip(&results) {
        write(level, frame, ty, &places, words, layout::all(level));
    }
    true
}

/// Where a value of a frame is that starts at an offset.
fn places(level: Level, ty: Ty, at: usize) -> Vec<At> {
    match ty {
        Ty::F64 | Ty::I64 => vec![At::Line(at), At::Line(at + level.line())],
        Ty::Mask if level == Level::Avx512 => vec![At::Mask(at)],
        _ => vec![At::Line(at)],
    }
}
