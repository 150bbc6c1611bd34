//! Plans are made: parts of a row's text are joined to pieces, and the texts of pieces are written in advance.

use super::part::{
    MOST_BITS, Need, Part, Way, choose, choosing, each_choice, flatten, flatten_text, frame, has_exact, is_framed,
    is_number, is_untold, longest, shifted, way, windows, windows_of,
};
use super::texts::{Known, MOST, Table};
use super::{Framed, Further, Piece, Quiet, Rest, Run, Shape, Stretch, TESTS, Tables, Window, Windows};
use crate::code::{Code, Limb};
use crate::out::Out;
use crate::row::{Isa, Row};
use crate::syntax::Item;
use crate::template::{Step, Template};
use rustc_hash::FxHashMap;

/// Most bits that choose which pieces a stretch has, those of tests included: for each value of theirs there is a run.
const STRETCH_BITS: u32 = 6;
/// The same of stretches without a mnemonic, which many rows share.
const SHARED_BITS: u32 = 8;
/// Most bits that choose among the forms of an item.
const ITEM_BITS: u32 = 6;

/// Parts of an operand that show nothing with certain values of bits.
struct Elision {
    operand: usize,
    quiet: Quiet,
    /// A bit for each part.
    parts: u128,
}

impl Elision {
    /// The number of its tests.
    fn count(&self) -> usize {
        self.quiet.tests().count()
    }

    /// Both in one, if that takes no more tests.
    fn with(&self, quiet: &Quiet) -> Option<Quiet> {
        let limbs = |quiet: &Quiet| quiet.bits.0.map(|bits| bits != 0);
        self.quiet.and(*quiet).filter(|_| limbs(&self.quiet) == limbs(quiet))
    }
}

/// What tells parts apart.
type Key = (usize, &'static str);

/// Makes [`Tables`].
pub(crate) struct Maker {
    pub(crate) tables: Tables,
    pieces: FxHashMap<Vec<Key>, Piece>,
    runs: FxHashMap<Vec<Key>, Run>,
    /// By parts, and how many of them are not only of the exact style.
    stretches: FxHashMap<(Vec<Key>, usize), Stretch>,
    texts: Known,
    /// Where the tables of numbers start that stand between these texts.
    numbers: FxHashMap<(String, String, Way), Table>,
    /// Numbers that are written alike, by their texts.
    ways: FxHashMap<(String, String, Way), u32>,
    /// Of items, by their address, whether they are printed in two halves.
    halves: FxHashMap<usize, bool>,
}

fn keys(parts: &[Part]) -> Vec<Key> {
    parts.iter().map(Part::key).collect()
}

impl Maker {
    pub(crate) fn new() -> Maker {
        // The first run is that of rows without a text.
        let tables = Tables { runs: vec![Run::default(); 2], rests: vec![Rest::Nothing], ..Tables::default() };
        let (pieces, runs, stretches, numbers, ways, halves) = Default::default();
        Maker { tables, pieces, runs, stretches, texts: Known::default(), numbers, ways, halves }
    }

    /// Adds a row without a text.
    pub(crate) fn skip(&mut self) {
        self.put(Shape::default(), Shape::default());
    }

    /// Adds a row.
    ///
    /// # Errors
    /// A sentence that says what is wrong with its template.
    pub(crate) fn add_row<I: Isa>(&mut self, row: &Row<I>, template: &Template<I::Kind>) -> Result<(), String> {
        let (mut parts, mut exact) = (Vec::new(), Vec::new());
        // Of each part, where its operand ends.
        let mut ends_of: Vec<usize> = Vec::new();
        let mut end = |parts: &[Part]| ends_of.resize(parts.len(), parts.len());
        for kind in &template.leading {
            flatten(I::syntax(*kind).items, &mut parts, &mut Vec::new());
            end(&parts);
        }
        flatten_text(row.name, Part::Name, &mut parts);
        for kind in &template.suffixes {
            flatten(I::syntax(*kind).items, &mut parts, &mut exact);
            end(&parts);
        }
        let mut ends = None;
        for (n, step) in template.steps.iter().enumerate() {
            match step {
                // The blank behind a mnemonic belongs to it.
                Step::Text(text) => flatten_text(text, if n == 0 { Part::Name } else { Part::Text }, &mut parts),
                Step::Operand(kind) => flatten(I::syntax(*kind).items, &mut parts, &mut exact),
            }
            end(&parts);
            if !exact.is_empty() {
                ends = ends.or(Some(parts.len()));
            }
        }
        end(&parts);
        if ends.is_some_and(|end| end < parts.len()) {
            return Err(format!("template of {}: pieces follow those of the exact style", row.title()));
        }
        let plain = self.shape(&parts, &ends_of, parts.len());
        if exact.is_empty() {
            self.put(plain, plain);
            return Ok(());
        }
        let (own, mut inner) = (parts.len(), Vec::new());
        exact.into_iter().for_each(|item| flatten(std::slice::from_ref(item), &mut parts, &mut inner));
        ends_of.resize(parts.len(), parts.len());
        if !inner.is_empty() {
            return Err(format!("template of {}: pieces of the exact style are inside of such pieces", row.title()));
        }
        let exact = self.shape(&parts, &ends_of, own);
        self.put(plain, exact);
        Ok(())
    }

    /// Adds the shapes of a row.
    fn put(&mut self, plain: Shape, exact: Shape) {
        for (shapes, shape) in [(&mut self.tables.plain, plain), (&mut self.tables.exact, exact)] {
            shapes.first.push(shape.first);
            shapes.more.push(shape.more);
        }
    }

    /// How parts are printed, of which each belongs to an operand. Those from `own` on only the exact style has.
    fn shape(&mut self, parts: &[Part], operands: &[usize], own: usize) -> Shape {
        let starts = stretches(&parts[..own], operands);
        let ends = starts[1..].iter().copied().chain([parts.len()]);
        let all = starts.iter().zip(ends);
        let mut all = all.map(|(&start, end)| {
            let parts = &parts[start..end];
            let bits = parts.iter().fold(Code::default(), |bits, part| bits.or(part.bits()));
            Further { stretch: self.stretch(parts, &operands[start..end], own.min(end) - start), bits }
        });
        let (first, others) = (all.next(), all.collect::<Vec<_>>());
        let mut first = first.map_or(Stretch::default(), |first| first.stretch);
        let start = self.tables.further.len() as u32;
        self.tables.further.extend(&others);
        first.mask |= if others.is_empty() { 0 } else { Stretch::MORE };
        Shape { first, more: (start, start + others.len() as u32) }
    }

    /// A stretch of parts. Of those from `own` on items are seldom elided: they choose nothing, and are printed in any case.
    fn stretch(&mut self, parts: &[Part], operands: &[usize], own: usize) -> Stretch {
        let key = (keys(parts), own);
        if let Some(stretch) = self.stretches.get(&key) {
            return *stretch;
        }
        // Flags of an operand are tested together: one that is negated does not make the others longer.
        let mut tests: Vec<Elision> = Vec::new();
        for (n, part) in parts.iter().enumerate() {
            let stays = n >= own && matches!(part, Part::Item(_)) || n >= 128;
            let Some(quiet) = part.elided().filter(|quiet| !stays && (1..TESTS).contains(&quiet.tests().count()))
            else {
                continue;
            };
            let mut same = tests.iter_mut().filter(|other| other.operand == operands[n]);
            match same.find_map(|other| Some((other.with(&quiet)?, other))) {
                Some((both, other)) => (other.quiet, other.parts) = (both, other.parts | 1 << n),
                None => tests.push(Elision { operand: operands[n], quiet, parts: 1 << n }),
            }
        }
        while tests.iter().map(Elision::count).sum::<usize>() > TESTS {
            parallax_text::sort_by_key(&mut tests, |test| std::cmp::Reverse(test.parts.count_ones()));
            let Some(last) = tests.pop() else { break };
            // Those that cannot be joined with any other are not elided.
            if let Some((both, other)) =
                tests.iter_mut().rev().find_map(|other| Some((other.with(&last.quiet)?, other)))
            {
                (other.quiet, other.parts) = (both, other.parts | last.parts);
            }
        }
        // An elision takes as many bits of `passed` as it has tests.
        let count = tests.iter().map(|test| test.count() as u32).sum();
        let elided_by = |passed: u32| {
            let (mut first, mut elided) = (0, 0u128);
            for test in &tests {
                let ones = (1 << test.count()) - 1;
                elided |= if passed >> first & ones == ones { test.parts } else { 0 };
                first += test.count();
            }
            elided
        };
        let elidable = tests.iter().fold(0u128, |all, test| all | test.parts);
        let others = parts[..own].iter().enumerate().filter(|(n, _)| *n >= 128 || elidable >> n & 1 == 0);
        let others: Vec<Part> = others.map(|(_, part)| *part).collect();
        let shared = !parts.iter().any(|part| matches!(part, Part::Name(_)));
        let (bits, windows, width) = alternatives(&others, if shared { SHARED_BITS } else { STRETCH_BITS } - count);
        let mut runs = Vec::new();
        for value in 0..1u64 << width {
            for passed in 0..1u32 << count {
                let elided = elided_by(passed);
                let shown = parts.iter().enumerate().filter(|(n, _)| *n >= 128 || elided >> n & 1 == 0);
                let (shown, mut chosen): (Vec<Part>, _) = (shown.map(|(_, part)| *part).collect(), Vec::new());
                expand(&shown, &spread(windows, value), bits, &mut chosen);
                runs.push(self.run(&chosen));
            }
        }
        let start = self.tables.runs.len() as u32;
        self.tables.runs.extend(runs);
        let mut stretch =
            Stretch { runs: start, windows: shifted(windows, count), mask: (1u8 << count) - 1, ..Stretch::default() };
        for (n, (limb, bits, values)) in tests.iter().flat_map(|test| test.quiet.tests()).enumerate() {
            (stretch.limbs[n], stretch.bits[n], stretch.values[n]) = (limb, bits, values);
        }
        self.stretches.insert(key, stretch);
        stretch
    }

    /// The run of pieces whose text is that of `parts`.
    fn run(&mut self, parts: &[Part]) -> Run {
        let key = keys(parts);
        if let Some(run) = self.runs.get(&key) {
            return *run;
        }
        let pieces = self.cut(parts);
        let run = self.add(&pieces);
        self.runs.insert(key, run);
        run
    }

    /// Adds a run of pieces.
    fn add(&mut self, pieces: &[Piece]) -> Run {
        let start = self.tables.pieces.len();
        self.tables.pieces.extend_from_slice(pieces);
        Run::new(start, pieces.len())
    }

    /// Cuts parts into as few pieces as possible, of as small tables as possible.
    fn cut(&mut self, parts: &[Part]) -> Vec<Piece> {
        let parts = &self.in_halves(parts);
        let needs: Vec<Need> = parts.iter().map(Need::of).collect();
        // For so many parts: how many pieces, how large their tables, where the last one starts.
        let mut best = vec![(0, 0, 0)];
        for end in 1..=parts.len() {
            let mut bits = Code::default();
            let cuts = (0..end).rev().map_while(|start| {
                bits = bits.or(needs[start].bits);
                if is_framed(&needs[start..end]) {
                    return Some(Some((best[start].0 + 1, best[start].1, start)));
                }
                if end - start > 1 && bits.count_ones() > MOST_BITS {
                    return None;
                }
                Some(match windows(&needs[start..end]) {
                    Some((_, width)) => Some((best[start].0 + 1, best[start].1 + (1 << width), start)),
                    None if end - start == 1 => Some((best[start].0 + 1, best[start].1, start)),
                    None => None,
                })
            });
            let cuts = cuts.flatten();
            best.push(cuts.min().unwrap_or_default());
        }
        let (mut pieces, mut end) = (Vec::new(), parts.len());
        while end > 0 {
            let start = best[end].2;
            pieces.push(self.piece(&parts[start..end], &needs[start..end]));
            end = start;
        }
        pieces.reverse();
        pieces
    }

    /// The parts, and for items whose text is often too long for a table but never for two, halves.
    fn in_halves(&mut self, parts: &[Part]) -> Vec<Part> {
        let mut all = Vec::with_capacity(parts.len() + 1);
        for part in parts {
            match part {
                Part::Item(item) if *self.halves.entry(part.key().0).or_insert_with(|| is_often_long(item)) => {
                    all.extend([Part::Half(item, false), Part::Half(item, true)]);
                }
                _ => all.push(*part),
            }
        }
        all
    }

    /// The piece whose text is that of `parts`.
    fn piece(&mut self, parts: &[Part], needs: &[Need]) -> Piece {
        let key = keys(parts);
        if let Some(piece) = self.pieces.get(&key) {
            return *piece;
        }
        let (mut table, mut looked_up_by, mut rest) = (Table::NONE, Windows::default(), Rest::Nothing);
        let looked_up = windows(needs);
        if let Some((windows, width)) = looked_up {
            looked_up_by = windows;
            table = match is_number(needs) {
                true => self.number_table(parts, windows, width),
                false => self.table(parts, windows, width),
            };
        }
        match parts {
            [Part::Item(item)] => {
                let complete = looked_up.is_some() && longest(item).is_some();
                match choosing(item)
                    .filter(|_| !complete)
                    .and_then(|bits| self.alternatives(item, bits, looked_up.is_none()))
                {
                    Some((windows, width, first)) => {
                        (looked_up_by, rest) = (windows, Rest::Runs(first));
                        if looked_up.is_none() {
                            let runs = &self.tables.runs[first as usize..];
                            let texts =
                                runs.iter().take(1 << width).map(|run| (run.count() == 0).then(String::new)).collect();
                            table = self.tables.texts.place(texts, &mut self.texts);
                        }
                    }
                    None => {
                        rest = Rest::Item(self.tables.items.len() as u32);
                        self.tables.items.push(item);
                    }
                }
            }
            _ => {
                if let Some((front, number, behind)) = frame(parts) {
                    let next = self.ways.len() as u32 + 1;
                    let way = *self.ways.entry((front.clone(), behind.clone(), way(number))).or_insert(next);
                    if let (None, [bits]) = (looked_up, number.field.pieces()) {
                        table = Table { start: Table::BEYOND + way, ..Table::NONE };
                        let limb = Limb::ALL[bits.limb()];
                        looked_up_by[0] = Window::new(limb, bits.shift(), bits.len.into());
                    }
                    rest = Rest::Number(self.tables.numbers.len() as u32);
                    self.tables.numbers.push(Framed { front: front.into(), number, behind: behind.into(), way });
                }
            }
        }
        let (windows, rest) = (shifted(looked_up_by, table.shift.into()), self.rest(rest));
        let piece = Piece::new(table, windows, rest);
        self.pieces.insert(key, piece);
        piece
    }

    /// The number of what is printed where a table has no text.
    fn rest(&mut self, rest: Rest) -> u16 {
        if rest == Rest::Nothing {
            return 0;
        }
        let all = &mut self.tables.rests;
        all.push(rest);
        assert!(all.len() <= usize::from(u16::MAX), "a table has at most 65,535 pieces without a text");
        (all.len() - 1) as u16
    }

    /// The runs of pieces that the alternatives of an item are printed by: what they are chosen by, and where they start.
    /// `None` where they are better printed item by item. With `inner`, choices inside of it are made at once, as far as there is room.
    fn alternatives(&mut self, item: &'static Item, bits: Code, inner: bool) -> Option<(Windows, u32, u32)> {
        let (mut windows, mut width) = windows(&[Need::of_choice(bits)]).filter(|(_, width)| *width <= ITEM_BITS)?;
        if has_exact(std::slice::from_ref(item)) {
            return None;
        }
        let mut bits = bits;
        each_choice(std::slice::from_ref(item), &mut |choice| {
            let Some(more) = choosing(choice).map(|more| bits.or(more)) else { return };
            if inner && let Some(found) = windows_of(more, ITEM_BITS) {
                (bits, (windows, width)) = (more, found);
            }
        });
        let mut runs = Vec::new();
        for value in 0..1u64 << width {
            let mut parts = Vec::new();
            expand(&[Part::Item(item)], &spread(windows, value), bits, &mut parts);
            runs.push(self.run(&parts));
        }
        let first = self.tables.runs.len() as u32;
        self.tables.runs.extend(runs);
        Some((windows, width, first))
    }

    /// The table of a number and texts around it: most operands are such, and written in few ways.
    fn number_table(&mut self, parts: &[Part], windows: Windows, width: u32) -> Table {
        // Where its bits stand together, the same values stand at the same places of the table.
        let framed = frame(parts).filter(|(_, number, _)| number.field.pieces().len() == 1);
        let Some((front, number, behind)) = framed else { return self.table(parts, windows, width) };
        let key = (front, behind, way(number));
        if let Some(table) = self.numbers.get(&key) {
            return *table;
        }
        let table = self.table(parts, windows, width);
        self.numbers.insert(key, table);
        table
    }

    /// Makes the table of `parts`, unless there is one like it.
    fn table(&mut self, parts: &[Part], windows: Windows, width: u32) -> Table {
        let mut out = Out::new();
        let entry = |value: u64| {
            let code = spread(windows, value);
            if let [Part::Item(item)] = parts
                && is_untold(item, &code)
            {
                return None;
            }
            out.clear();
            out.line(|line| parts.iter().for_each(|part| part.print(&code, line)));
            (out.len() <= MOST).then(|| out.as_str().to_string())
        };
        let texts = (0..1 << width).map(entry).collect();
        self.tables.texts.place(texts, &mut self.texts)
    }
}

/// Whether a text has up to two entries of characters, and more than one for at least an eighth of the values of its bits.
fn is_often_long(item: &'static Item) -> bool {
    let need = Need::of(&Part::Item(item));
    if !longest(item).is_some_and(|longest| longest > MOST && longest <= 2 * MOST) {
        return false;
    }
    let Some((windows, width)) = windows(&[need]) else { return false };
    let is_long = |value: &u64| {
        let mut out = Out::new();
        out.line(|line| Part::Item(item).print(&spread(windows, *value), line));
        out.len() > MOST
    };
    (0..1u64 << width).filter(is_long).count() >= 1 << width >> 3
}

/// Where the stretches of a row start: at operands of several forms, the texts of which no table holds.
fn stretches(parts: &[Part], operands: &[usize]) -> Vec<usize> {
    // What parts an operand from the one before it is joined with it.
    let (mut starts, mut start, mut front) = (vec![0], 0, 0);
    while start < parts.len() {
        let operand = &parts[start..operands[start]];
        let has_forms = |part: &Part| {
            let held = |item| longest(item).is_some() && windows(&[Need::of(part)]).is_some();
            matches!(part, Part::Item(item @ Item::Choice(..)) if !held(item))
        };
        if front > 0 && operand.iter().any(has_forms) {
            starts.push(front);
        }
        start = operands[start];
        if !operand.iter().all(|part| matches!(part, Part::Text(_))) {
            front = start;
        }
    }
    starts
}

/// The bits that choose which pieces a stretch has: of as many of the items that have alternatives as there is room for.
fn alternatives(parts: &[Part], most: u32) -> (Code, Windows, u32) {
    let mut found = (Code::default(), Windows::default(), 0);
    for part in parts {
        let Part::Item(item) = part else { continue };
        each_choice(std::slice::from_ref(*item), &mut |item| {
            let Some(bits) = choosing(item).filter(|_| !has_exact(std::slice::from_ref(item))) else { return };
            let all = found.0.or(bits);
            if let Some((windows, width)) = windows_of(all, most) {
                found = (all, windows, width);
            }
        });
    }
    found
}

/// Adds parts; in the place of items whose alternatives are chosen by `bits`, the parts of those that `code` chooses.
fn expand(parts: &[Part], code: &Code, bits: Code, out: &mut Vec<Part>) {
    for part in parts {
        match part {
            Part::Item(item)
                if choosing(item).is_some_and(|own| own.without(bits).is_zero())
                    && !has_exact(std::slice::from_ref(*item)) =>
            {
                let mut chosen = Vec::new();
                choose(item, code, &mut chosen, &mut Vec::new());
                expand(&chosen, code, bits, out);
            }
            _ => out.push(*part),
        }
    }
}

/// The code whose bits in the windows are these.
fn spread(windows: Windows, value: u64) -> Code {
    let mut code = Code::default();
    for window in windows {
        let bits = value & u64::from(window.mask);
        code.0[window.limb as usize] |= bits.rotate_left(window.turn.into());
    }
    code
}
