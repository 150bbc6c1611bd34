//! Plans are made: parts of a row's text are joined to pieces, and the texts of pieces are written in advance.

use super::part::{
    Need, Part, Way, choose, choosing, each_choice, flatten, flatten_text, has_exact, is_number, is_untold, longest,
    way, windows, windows_of,
};
use super::{Piece, Plan, Quiet, Rest, Run, Tables, Windows};
use crate::cursor::Entry;
use crate::row::{Isa, Row};
use crate::syntax::Item;
use crate::template::{Step, Template};
use crate::{code::Code, out::Out, syntax::Number};
use rustc_hash::FxHashMap;

/// Most bits that choose which pieces a row has.
const ROW_BITS: u32 = 5;
/// Most bits that choose among the forms of an item.
const ITEM_BITS: u32 = 6;

/// What tells parts apart.
type Key = (usize, &'static str);

/// Makes [`Tables`].
pub(crate) struct Maker {
    pub(crate) tables: Tables,
    pieces: FxHashMap<Vec<Key>, Piece>,
    runs: FxHashMap<Vec<Key>, Run>,
    texts: FxHashMap<Vec<Entry>, u32>,
    /// Where the tables of numbers start that stand between these texts.
    numbers: FxHashMap<(String, String, Way), u32>,
}

fn keys(parts: &[Part]) -> Vec<Key> {
    parts.iter().map(Part::key).collect()
}

impl Maker {
    pub(crate) fn new() -> Maker {
        // The first run is that of rows without a text; the first table has none.
        let tables = Tables {
            runs: vec![Run::default(); 2],
            pieces: Vec::new(),
            texts: vec![Entry::long()],
            items: Vec::new(),
            numbers: Vec::new(),
            exact: Vec::new(),
        };
        let (pieces, runs) = Default::default();
        Maker { tables, pieces, runs, texts: FxHashMap::default(), numbers: FxHashMap::default() }
    }

    /// The plan of a row.
    ///
    /// # Errors
    /// A sentence that says what is wrong with its template.
    pub(crate) fn plan<I: Isa>(&mut self, row: &Row<I>, template: &Template<I::Kind>) -> Result<Plan, String> {
        let (mut parts, mut exact) = (Vec::new(), Vec::new());
        template.leading.iter().for_each(|kind| flatten(I::syntax(*kind).items, &mut parts, &mut Vec::new()));
        flatten_text(row.name, Part::Name, &mut parts);
        template.suffixes.iter().for_each(|kind| flatten(I::syntax(*kind).items, &mut parts, &mut exact));
        let mut ends = None;
        for (n, step) in template.steps.iter().enumerate() {
            match step {
                // The blank behind a mnemonic belongs to it.
                Step::Text(text) => flatten_text(text, if n == 0 { Part::Name } else { Part::Text }, &mut parts),
                Step::Operand(kind) => flatten(I::syntax(*kind).items, &mut parts, &mut exact),
            }
            if !exact.is_empty() {
                ends = ends.or(Some(parts.len()));
            }
        }
        if ends.is_some_and(|end| end < parts.len()) {
            return Err(format!("template of {}: pieces follow those of the exact style", row.title()));
        }
        let (bits, windows, width) = alternatives(&parts);
        let mut quiet = Quiet::default();
        let mut plain = parts.clone();
        plain.retain(|part| {
            let chosen =
                matches!(part, Part::Item(item) if choosing(item).is_some_and(|own| own.without(bits).is_zero()));
            let shown = part.elided().filter(|_| !chosen).and_then(|elided| quiet.and(elided));
            let both = shown.and_then(|both| both.tests().map(|_| both));
            quiet = both.unwrap_or(quiet);
            both.is_none()
        });
        let mut runs = Vec::new();
        for value in 0..1u64 << width {
            for parts in [&parts, &plain] {
                let mut chosen = Vec::new();
                expand(parts, &spread(windows, value), bits, &mut chosen);
                runs.push(self.run(&chosen));
            }
        }
        let plan = Plan {
            runs: self.tables.runs.len() as u32,
            windows,
            quiet: quiet.tests().unwrap_or_default(),
            exact: (self.tables.exact.len() as u32, exact.len() as u32),
        };
        self.tables.exact.extend(exact);
        self.tables.runs.extend(runs);
        Ok(plan)
    }

    /// The run of pieces whose text is that of `parts`.
    fn run(&mut self, parts: &[Part]) -> Run {
        let key = keys(parts);
        if let Some(run) = self.runs.get(&key) {
            return *run;
        }
        let pieces = self.cut(parts);
        let run = Run { start: self.tables.pieces.len() as u32, count: pieces.len() as u32 };
        self.tables.pieces.extend(pieces);
        self.runs.insert(key, run);
        run
    }

    /// Cuts parts into as few pieces as possible, of as small tables as possible.
    fn cut(&mut self, parts: &[Part]) -> Vec<Piece> {
        let needs: Vec<Need> = parts.iter().map(Need::of).collect();
        // For so many parts: how many pieces, how large their tables, where the last one starts.
        let mut best = vec![(0, 0, 0)];
        for end in 1..=parts.len() {
            let cuts = (0..end).filter_map(|start| {
                let size = match windows(&needs[start..end]) {
                    Some((_, width)) => 1 << width,
                    None if end - start == 1 => 0,
                    None => return None,
                };
                Some((best[start].0 + 1, best[start].1 + size, start))
            });
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

    /// The piece whose text is that of `parts`.
    fn piece(&mut self, parts: &[Part], needs: &[Need]) -> Piece {
        let key = keys(parts);
        if let Some(piece) = self.pieces.get(&key) {
            return *piece;
        }
        let mut piece = Piece { table: 0, windows: Windows::default(), rest: Rest::Nothing };
        let looked_up = windows(needs);
        if let Some((windows, width)) = looked_up {
            piece.windows = windows;
            piece.table = match is_number(needs) {
                true => self.number_table(parts, windows, width),
                false => self.table(parts, windows, width),
            };
        }
        match parts {
            [Part::Item(item)] => {
                let complete = looked_up.is_some() && longest(item).is_some();
                match choosing(item).filter(|_| !complete).and_then(|bits| self.alternatives(item, bits)) {
                    Some((windows, width, first)) => {
                        (piece.windows, piece.rest) = (windows, Rest::Runs(first));
                        if looked_up.is_none() {
                            piece.table = self.place(vec![Entry::long(); 1 << width]);
                        }
                    }
                    None => {
                        piece.rest = Rest::Item(self.tables.items.len() as u32);
                        self.tables.items.push(item);
                    }
                }
            }
            [Part::Number(number)] => {
                piece.rest = Rest::Number(self.tables.numbers.len() as u32);
                self.tables.numbers.push(number);
            }
            // Texts of a few numbers may be too long to be joined with what stands around them.
            _ if is_number(needs) => {
                let apart: Vec<Piece> = parts
                    .iter()
                    .zip(needs)
                    .map(|(part, need)| self.piece(&[*part], std::slice::from_ref(need)))
                    .collect();
                let run = Run { start: self.tables.pieces.len() as u32, count: apart.len() as u32 };
                self.tables.pieces.extend(apart);
                piece.rest = Rest::Run(self.tables.runs.len() as u32);
                self.tables.runs.push(run);
            }
            _ => {}
        }
        self.pieces.insert(key, piece);
        piece
    }

    /// The runs of pieces that the alternatives of an item are printed by: what they are chosen by, and where they start.
    /// `None` where they are better printed item by item.
    fn alternatives(&mut self, item: &'static Item, bits: Code) -> Option<(Windows, u32, u32)> {
        let (windows, width) = windows(&[Need::of_choice(bits)]).filter(|(_, width)| *width <= ITEM_BITS)?;
        if has_exact(std::slice::from_ref(item)) {
            return None;
        }
        let mut runs = Vec::new();
        for value in 0..1u64 << width {
            let mut parts = Vec::new();
            choose(item, &spread(windows, value), &mut parts, &mut Vec::new());
            runs.push(self.run(&parts));
        }
        let first = self.tables.runs.len() as u32;
        self.tables.runs.extend(runs);
        Some((windows, width, first))
    }

    /// The table of a number and texts around it: most operands are such, and written in few ways.
    fn number_table(&mut self, parts: &[Part], windows: Windows, width: u32) -> u32 {
        let number = parts.iter().find_map(|part| if let Part::Number(number) = part { Some(*number) } else { None });
        // Where its bits stand together, the same values stand at the same places of the table.
        let Some(number) = number.filter(|number: &&Number| number.field.pieces().len() == 1) else {
            return self.table(parts, windows, width);
        };
        let (mut front, mut behind, mut passed) = (String::new(), String::new(), false);
        for part in parts {
            match part {
                Part::Text(text) if passed => behind += text,
                Part::Text(text) => front += text,
                _ => passed = true,
            }
        }
        let key = (front, behind, way(number));
        if let Some(table) = self.numbers.get(&key) {
            return *table;
        }
        let table = self.table(parts, windows, width);
        self.numbers.insert(key, table);
        table
    }

    /// Makes the table of `parts`, unless there is one like it; where it starts.
    fn table(&mut self, parts: &[Part], windows: Windows, width: u32) -> u32 {
        let mut out = Out::new();
        let entry = |value: u64| {
            let code = spread(windows, value);
            if let [Part::Item(item)] = parts
                && is_untold(item, &code)
            {
                return Entry::long();
            }
            out.clear();
            out.line(|line| parts.iter().for_each(|part| part.print(&code, line)));
            Entry::new(out.as_str())
        };
        let texts = (0..1 << width).map(entry).collect();
        self.place(texts)
    }

    /// Adds a table, unless there is one like it; where it starts.
    fn place(&mut self, texts: Vec<Entry>) -> u32 {
        let all = &mut self.tables.texts;
        *self.texts.entry(texts).or_insert_with_key(|texts| {
            let start = all.len() as u32;
            all.extend(texts);
            start
        })
    }
}

/// The bits that choose which pieces a row has: of as many of the items that have alternatives as there is room for.
fn alternatives(parts: &[Part]) -> (Code, Windows, u32) {
    let mut found = (Code::default(), Windows::default(), 0);
    for part in parts {
        let Part::Item(item) = part else { continue };
        each_choice(std::slice::from_ref(*item), &mut |item| {
            let Some(bits) = choosing(item).filter(|_| !has_exact(std::slice::from_ref(item))) else { return };
            let all = found.0.or(bits);
            if let Some((windows, width)) = windows_of(all, ROW_BITS) {
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
        code.0[usize::from(window.limb)] |= bits.rotate_left(u32::from(window.turn));
    }
    code
}
