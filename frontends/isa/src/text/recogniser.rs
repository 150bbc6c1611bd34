//! Operands compiled for reading: what [`Scan`](crate::scan::Scan) reads piece by piece, as steps that look at the next character first.
//!
//! Texts seldom have most of what they could have: signs, suffixes, flags, annotations. Of a run of such pieces, those in front of the
//! first that may begin with the character that stands there are passed over in one step; what their absence says of fields is put
//! together in advance. Forms of a choice are told by their first two characters, and names by one character and a comparison of
//! words.
//!
//! A step only says whether a text fits. Why it does not is the scan's to tell, which reads again what was refused here.

mod compile;
mod spelling;
#[cfg(test)]
mod tests;

use crate::field::{Allowed, Field};
use crate::lex::{byte, skip_blanks};
use crate::scan::Scan;
use crate::syntax::{Item, Number, Numeral};
use compile::Absence;
use rustc_hash::FxHashMap;
use spelling::{Banks, Literal, Names};
use std::sync::Arc;

/// A part of an instruction's text.
#[derive(Copy, Clone)]
pub(super) enum Part {
    Text(&'static str),
    Items(&'static [Item]),
}

/// Steps, one behind the other.
#[derive(Clone, Default)]
pub(super) struct Steps(Arc<[Stage]>);

/// Values of bits of one limb.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct Setting {
    limb: usize,
    mask: u64,
    value: u64,
}

/// Values of bits.
#[derive(Clone, Debug)]
pub(super) struct Settings(Arc<[Setting]>);

impl Settings {
    /// Takes them; says whether they agree with what was set before.
    #[inline(always)]
    pub(super) fn set(&self, scan: &mut Scan<'_>) -> bool {
        self.0.iter().all(|setting| scan.encoding.put_limb(setting.limb, setting.mask, setting.value))
    }
}

/// Characters.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Set([u64; 4]);

impl Set {
    const ALL: Set = Set([u64::MAX; 4]);

    fn of(byte: u8) -> Set {
        let mut set = Set::default();
        set.0[usize::from(byte >> 6)] = 1 << (byte & 63);
        set
    }

    fn or(self, other: Set) -> Set {
        Set(std::array::from_fn(|n| self.0[n] | other.0[n]))
    }

    /// Those that are ASCII.
    fn ascii(&self) -> impl Iterator<Item = usize> {
        let mut left = u128::from(self.0[1]) << 64 | u128::from(self.0[0]);
        std::iter::from_fn(move || {
            let first = (left != 0).then(|| left.trailing_zeros() as usize);
            left &= left.wrapping_sub(1);
            first
        })
    }

    #[inline(always)]
    fn has(&self, byte: u8) -> bool {
        self.0[usize::from(byte >> 6)] >> (byte & 63) & 1 != 0
    }
}

/// Pieces, each of which may be missing.
struct Run {
    /// How many are passed over where a character stands: those in front of the first that may begin with it. None where it is not
    /// ASCII.
    passes: [u8; 256],
    /// What is passed over, shortest first.
    passed: Vec<Passed>,
    /// What the absence of all of them says.
    absence: Settings,
}

/// Pieces that are passed over: their stages, and what their absence says.
struct Passed {
    stages: usize,
    says: Settings,
}

/// A step, and what is done in front of it and behind without another one.
struct Stage {
    step: Step,
    /// Where none of these characters stands here, the whole run of pieces that begins here is missing. All characters where something
    /// must stand. They are ASCII; whatever else stands here is no reason to pass over anything.
    ascii: [u64; 2],
    run: Arc<Run>,
    /// How many stages the run has.
    stages: u16,
    /// Whether it has several pieces, some of which may be missing in front of others.
    has_several: bool,
    /// The character that the next stage reads: it is read at once, and that stage passed over. 0 where that reads something else.
    then: u8,
}

/// A step of reading. Blanks in front of it are skipped already.
#[derive(Clone)]
enum Step {
    /// One character that is no part of a word.
    Char(u8),
    Text(Arc<Literal>),
    /// A text that always stands here, and what it says.
    Says(Arc<Literal>, Settings),
    /// A text that may be missing, and what it says.
    Flag(Arc<Literal>, Settings),
    Set(Settings),
    Refuse(Arc<Literal>),
    Names(Arc<Names>),
    Register(Arc<Banks>),
    /// A mask, and what stands for an empty one.
    Mask(Arc<Spread>, &'static str),
    Swizzle(Arc<Spread>),
    Number(&'static Number),
    Bars(Arc<Bars>),
    /// The text in front of stages that may be missing: what that says, and how many they are.
    Opens(Arc<Literal>, Settings, u32),
    /// The same in front of a number, where its first character tells.
    OpensNumber(Settings, u32),
    If(Arc<If>),
    Choice(Arc<Choice>),
    Annotations(Arc<Annotations>),
    /// An item that is left to the scan.
    Item(&'static Item),
}

/// The bits of one limb that hold a field of at most eight bits, as they are for each of its values.
struct Spread {
    limb: usize,
    mask: u64,
    values: Vec<u64>,
}

impl Spread {
    /// Sets the field.
    #[inline(always)]
    fn set(&self, value: u64, scan: &mut Scan<'_>) -> bool {
        self.values.get(value as usize).is_some_and(|bits| scan.encoding.put_limb(self.limb, self.mask, *bits))
    }
}

/// What stands between bars, if there are any; behind it goes on so many stages further.
struct Bars {
    bar: Arc<Literal>,
    says: Settings,
    inner: Steps,
    behind: usize,
}

/// Steps that the value of a field chooses.
struct If {
    field: &'static Field,
    values: Allowed,
    then: Steps,
    otherwise: Steps,
}

/// Forms, and a bit for each that may begin with a character, and that may have a character behind the first.
struct Choice {
    by_first: [u16; 256],
    by_second: [u16; 256],
    forms: Vec<Steps>,
}

impl Choice {
    /// The forms that may stand at `at`, a bit each.
    #[inline(always)]
    fn may_stand(&self, first: u8, text: &[u8], at: usize) -> u16 {
        let forms = self.by_first[usize::from(first)];
        match forms.is_power_of_two() {
            true => forms,
            false => forms & self.by_second[usize::from(byte(text, at + 1))],
        }
    }
}

/// Annotations: what stands in front of each, and their names.
struct Annotations {
    open: Arc<Literal>,
    names: Names,
}

/// The steps of all operands of a table.
#[derive(Default)]
pub(super) struct Recogniser {
    sets: Vec<Set>,
    known: Known,
}

/// What was made, by what it is made from: it is kept once.
#[derive(Default)]
struct Known {
    /// By addresses of items.
    items: FxHashMap<(usize, usize), Steps>,
    /// By the address of an item.
    steps: FxHashMap<usize, Step>,
    literals: FxHashMap<&'static str, Arc<Literal>>,
    /// By its pieces: what each may begin with, where its stages end, and what its absence and that of all in front of it says.
    runs: FxHashMap<Vec<(Set, usize, Absence)>, Arc<Run>>,
    settings: FxHashMap<Absence, Settings>,
}

/// Where reading goes on behind a form: the steps, which stage of them, and the character in front of that.
#[derive(Copy, Clone)]
struct Behind<'a> {
    stages: &'a [Stage],
    at: usize,
    then: u8,
}

/// Most forms inside of each other that are read without a call.
const DEPTH: usize = 2;

impl Recogniser {
    /// Whether pieces may begin with a character.
    #[inline(always)]
    pub(super) fn may_begin(&self, set: u32, byte: u8) -> bool {
        self.sets[set as usize].has(byte)
    }
}

impl Steps {
    /// Reads what the steps say, and tells whether it stands there. If it does not, the scan is somewhere in it.
    pub(super) fn read(&self, scan: &mut Scan<'_>) -> bool {
        let (text, mut at) = (scan.text(), scan.at);
        let (mut stages, mut n) = (&*self.0, 0);
        let (mut behind, mut depth) = ([None::<Behind<'_>>; DEPTH], 0);
        'stages: loop {
            let Some(stage) = stages.get(n) else {
                let Some(form) = usize::checked_sub(depth, 1).and_then(|n| behind[n]) else { break };
                (stages, n) = (form.stages, form.at);
                depth -= 1;
                if form.then != 0 {
                    if !takes(form.then, text, &mut at) {
                        return false;
                    }
                    n += 1;
                }
                continue;
            };
            let mut first = byte(text, at);
            // Most blanks are one.
            if first == b' ' {
                at += 1;
                first = byte(text, at);
            }
            if first <= b' ' {
                at = skip_blanks(text, at);
                first = byte(text, at);
            }
            // How far that goes does not depend on the character itself: reading goes on without waiting for it.
            if first.is_ascii() && stage.ascii[usize::from(first >> 6)] >> (first & 63) & 1 == 0 {
                if !stage.run.absence.set(scan) {
                    return false;
                }
                n += usize::from(stage.stages);
                continue;
            }
            if stage.has_several
                && let passes @ 1.. = stage.run.passes[usize::from(first)]
                && let Some(passed) = stage.run.passed.get(usize::from(passes) - 1)
            {
                if !passed.says.set(scan) {
                    return false;
                }
                n += passed.stages;
                continue;
            }
            n += 1;
            let mut step = &stage.step;
            let form = 'step: loop {
                let fits = match step {
                    Step::Char(c) => {
                        at += 1;
                        first == *c
                    }
                    Step::Text(literal) => literal.takes(scan, &mut at),
                    Step::Says(literal, says) => literal.takes(scan, &mut at) && says.set(scan),
                    Step::Flag(literal, says) => !literal.takes(scan, &mut at) || says.set(scan),
                    Step::Set(says) => says.set(scan),
                    Step::Refuse(literal) => !literal.takes(scan, &mut at),
                    Step::Names(names) => names.takes(scan, &mut at),
                    Step::Register(banks) => banks.takes(scan, &mut at),
                    Step::Mask(spread, none) => {
                        scan.at = at;
                        let mask = scan.mask(none);
                        at = scan.at;
                        mask.is_some_and(|value| spread.set(value, scan))
                    }
                    Step::Swizzle(spread) => {
                        scan.at = at;
                        let swizzle = scan.swizzle();
                        at = scan.at;
                        swizzle.is_some_and(|value| spread.set(value, scan))
                    }
                    Step::Number(number) => match (number.read)(text.get(at..).unwrap_or_default()) {
                        Numeral::Value(value, len) if number.field.fits(value) => {
                            at += len;
                            scan.encoding.put(number.field, value as u64)
                        }
                        _ => false,
                    },
                    Step::Bars(bars) => {
                        !bars.bar.takes(scan, &mut at) || {
                            n += bars.behind;
                            bars.says.set(scan) && bars.inner.read_at(scan, &mut at) && {
                                at = skip_blanks(text, at);
                                bars.bar.takes(scan, &mut at)
                            }
                        }
                    }
                    Step::Opens(open, absence, inner) => {
                        if !open.takes(scan, &mut at) {
                            if !absence.set(scan) {
                                return false;
                            }
                            n += *inner as usize;
                            continue 'stages;
                        }
                        true
                    }
                    Step::OpensNumber(absence, inner) => {
                        if !matches!(first, b'0'..=b'9' | b'-' | b'+') {
                            if !absence.set(scan) {
                                return false;
                            }
                            n += *inner as usize;
                            continue 'stages;
                        }
                        true
                    }
                    Step::If(choice) => {
                        let holds = choice.values.holds(scan.encoding.get(choice.field));
                        break Some(if holds { &choice.then } else { &choice.otherwise });
                    }
                    Step::Choice(choice) => {
                        let mut left = choice.may_stand(first, text, at);
                        loop {
                            let Some(form) = choice.forms.get(left.trailing_zeros() as usize) else { return false };
                            left &= left - 1;
                            let only = match &*form.0 {
                                [only] if only.stages == 0 => Some(&only.step),
                                _ => None,
                            };
                            match only {
                                Some(only) if left == 0 => {
                                    step = only;
                                    continue 'step;
                                }
                                None if left == 0 => break 'step Some(form),
                                Some(Step::Says(literal, says)) => {
                                    let start = at;
                                    if literal.takes(scan, &mut at) {
                                        let encoding = scan.encoding;
                                        if says.set(scan) {
                                            break true;
                                        }
                                        (at, scan.encoding) = (start, encoding);
                                    }
                                }
                                _ => {
                                    scan.at = at;
                                    let start = scan.place();
                                    if form.read_at(scan, &mut at) {
                                        break true;
                                    }
                                    scan.return_to(start);
                                    at = scan.at;
                                }
                            }
                        }
                    }
                    Step::Annotations(annotations) => loop {
                        if !annotations.open.takes(scan, &mut at) {
                            break true;
                        }
                        at = skip_blanks(text, at);
                        if !annotations.names.takes(scan, &mut at) {
                            break false;
                        }
                        at = skip_blanks(text, at);
                    },
                    Step::Item(item) => {
                        scan.at = at;
                        let fits = scan.item(item);
                        at = scan.at;
                        fits
                    }
                };
                if !fits {
                    return false;
                }
                break None;
            };
            if let Some(form) = form {
                let is_last = n == stages.len() && stage.then == 0;
                if is_last || depth < DEPTH {
                    if !is_last {
                        behind[depth] = Some(Behind { stages, at: n, then: stage.then });
                        depth += 1;
                    }
                    (stages, n) = (&form.0, 0);
                    continue;
                }
                if !form.read_at(scan, &mut at) {
                    return false;
                }
            }
            if stage.then != 0 {
                if !takes(stage.then, text, &mut at) {
                    return false;
                }
                n += 1;
            }
        }
        scan.at = at;
        true
    }

    /// Reads them at a place.
    #[inline]
    fn read_at(&self, scan: &mut Scan<'_>, at: &mut usize) -> bool {
        scan.at = *at;
        let stands = self.read(scan);
        *at = scan.at;
        stands
    }
}

/// Takes a character that is no part of a word, blanks in front of it.
#[inline(always)]
fn takes(wanted: u8, text: &[u8], at: &mut usize) -> bool {
    if byte(text, *at) != wanted {
        *at = skip_blanks(text, *at);
        if byte(text, *at) != wanted {
            return false;
        }
    }
    *at += 1;
    true
}
