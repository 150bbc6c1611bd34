//! From operands to steps: what pieces can begin with, and what their absence says.

use super::spelling::{Banks, Literal, Names};
use super::{
    Annotations, Bars, Choice, If, Part, Passed, Recogniser, Run, Set, Setting, Settings, Spread, Stage, Step, Steps,
};
use crate::code::Code;
use crate::field::Field;
use crate::lex::in_word;
use crate::syntax::{Bank, Form, IDENTITY, Item};
use std::sync::Arc;

/// The characters that pieces can begin with, and whether they may also show nothing.
#[derive(Copy, Clone)]
struct First {
    set: Set,
    nothing: bool,
}

impl First {
    /// A text, blanks in front of which do not count.
    fn text(text: &str) -> First {
        let first = text.bytes().find(|b| *b != b' ');
        First { set: first.map_or(Set::default(), Set::of), nothing: first.is_none() }
    }

    /// A text that may be missing.
    fn perhaps(text: &str) -> First {
        First { nothing: true, ..First::text(text) }
    }

    /// Anything.
    const ANY: First = First { set: Set::ALL, nothing: false };

    /// Nothing.
    const NOTHING: First = First { set: Set([0; 4]), nothing: true };

    fn either(self, other: First) -> First {
        First { set: self.set.or(other.set), nothing: self.nothing || other.nothing }
    }

    fn then(self, behind: impl FnOnce() -> First) -> First {
        if !self.nothing {
            return self;
        }
        let behind = behind();
        First { set: self.set.or(behind.set), nothing: behind.nothing }
    }

    fn all(items: &'static [Item]) -> First {
        items.split_first().map_or(First::NOTHING, |(item, rest)| First::of(item).then(|| First::all(rest)))
    }

    fn of(item: &'static Item) -> First {
        match item {
            Item::Text(text) => First::text(text),
            Item::Flag(_, text) | Item::When(_, _, text) | Item::Alias(_, _, text) | Item::Refuse(text, _) => {
                First::perhaps(text)
            }
            Item::Set(..) | Item::Bits(_) => First::NOTHING,
            Item::Exact(items) | Item::Shared(items, _) => First::all(items),
            Item::Register(register) => {
                let banks = register.banks.iter().map(|bank| First::text(bank.name));
                banks.reduce(First::either).unwrap_or(First::ANY)
            }
            Item::Mask(_, none) => First::perhaps(".").either(First::perhaps(none)),
            Item::Swizzle(_) => First::perhaps("."),
            Item::Names(_, names, _) => {
                names.iter().map(|(name, _)| First::text(name)).reduce(First::either).unwrap_or(First::ANY)
            }
            Item::Between(_, bar, items) => First::text(bar).either(First::all(items)),
            Item::Optional { open: " ", .. } => {
                First { set: b"0123456789-+".iter().fold(Set::default(), |set, b| set.or(Set::of(*b))), nothing: true }
            }
            Item::Optional { open, items, .. } => match First::text(open) {
                First { nothing: true, .. } => First::all(items),
                first => First { nothing: true, ..first },
            },
            Item::If(_, _, then, otherwise) => First::all(then).either(First::all(otherwise)),
            Item::Choice(forms, _) => {
                forms.iter().map(|form| First::all(form.items)).reduce(First::either).unwrap_or(First::ANY)
            }
            Item::Annotations(open, ..) => First::perhaps(open),
            Item::Component(_) | Item::Number(_) | Item::Target(_) | Item::Selected(_) => First::ANY,
        }
    }
}

/// The second characters of items that begin with two of one spelling; all where blanks may stand between them.
fn second(items: &'static [Item]) -> Set {
    let of = |text: &str| match text.as_bytes() {
        [_, second, ..] if *second != b' ' => Set::of(*second),
        _ => Set::ALL,
    };
    let digits = || b"0123456789".iter().fold(Set::default(), |set, b| set.or(Set::of(*b)));
    let any = |all: &mut dyn Iterator<Item = Set>| all.reduce(Set::or).unwrap_or(Set::ALL);
    match items {
        [Item::Text(text), ..] => of(text.trim_start()),
        [Item::Register(register), ..] => any(&mut register.banks.iter().map(|bank| match bank.name {
            name if name.len() == 1 => digits(),
            name => of(name),
        })),
        [Item::Names(_, names, _), ..] => any(&mut names.iter().map(|(name, _)| of(name))),
        [Item::Choice(forms, _), ..] => any(&mut forms.iter().map(|form| second(form.items))),
        _ => Set::ALL,
    }
}

/// A piece of an instruction's text.
#[derive(Copy, Clone)]
enum Piece {
    Text(&'static str),
    Item(&'static Item),
    /// A text that always stands here, and the value it gives to a field.
    Says(&'static str, &'static Field, u64),
    /// Where pieces that may be missing begin, of which so many follow: they are there if these characters are.
    Opens {
        item: &'static Item,
        open: &'static str,
        absent: &'static [(&'static Field, u64)],
        count: usize,
    },
    /// Where pieces between bars begin, of which so many follow: those are read here if there are bars.
    Bars {
        field: &'static Field,
        bar: &'static str,
        items: &'static [Item],
        count: usize,
    },
}

impl Part {
    fn first(self) -> First {
        match self {
            Part::Text(text) => First::text(text),
            Part::Items(items) => First::all(items),
        }
    }
}

impl Piece {
    fn first(self) -> First {
        match self {
            Piece::Text(text) | Piece::Says(text, ..) => First::text(text),
            Piece::Item(item) | Piece::Opens { item, .. } => First::of(item),
            Piece::Bars { bar, .. } => First::perhaps(bar),
        }
    }

    /// Of how many pieces it is the first.
    fn count(self) -> usize {
        match self {
            Piece::Opens { count, .. } => count + 1,
            _ => 1,
        }
    }

    /// What is said of fields where nothing of it is written; `None` if something always is, or that depends on more.
    fn absence(self) -> Option<Vec<(&'static Field, u64)>> {
        let item = match self {
            Piece::Text(_) | Piece::Says(..) => return None,
            Piece::Bars { .. } => return Some(Vec::new()),
            Piece::Item(item) | Piece::Opens { item, .. } => item,
        };
        match item {
            Item::Bits(_) => Some(Vec::new()),
            Item::Exact(items) | Item::Shared(items, _) | Item::Between(_, _, items) => Piece::absence_of(items),
            Item::Flag(_, text)
            | Item::When(_, _, text)
            | Item::Alias(_, _, text)
            | Item::Refuse(text, _)
            | Item::Annotations(text, ..) => (!First::text(text).nothing).then(Vec::new),
            Item::Set(field, value) => Some(vec![(field, *value)]),
            Item::Mask(field, _) => Some(vec![(field, 15)]),
            Item::Swizzle(field) => Some(vec![(field, IDENTITY)]),
            Item::Names(field, names, _) => {
                names.iter().find(|(name, _)| name.is_empty()).map(|(_, value)| vec![(*field, *value)])
            }
            Item::Optional { open, absent, .. } if *open == " " || !First::text(open).nothing => Some(said(absent)),
            Item::If(_, _, then, otherwise) => Piece::absence_of(then).filter(|absence| {
                let says = |absence: &[_]| {
                    let mut says = Absence::default();
                    says.add(absence).then_some(says)
                };
                says(absence).is_some() && Piece::absence_of(otherwise).map(|other| says(&other)) == Some(says(absence))
            }),
            _ => None,
        }
    }

    /// The same of several items.
    fn absence_of(items: &'static [Item]) -> Option<Vec<(&'static Field, u64)>> {
        let all: Option<Vec<_>> = items.iter().map(|item| Piece::Item(item).absence()).collect();
        all.map(|all| all.into_iter().flatten().collect())
    }
}

impl Recogniser {
    /// The number of the set of characters that parts may begin with; of all if something may stand behind them.
    pub(in crate::text) fn first(&mut self, parts: &[Part]) -> u32 {
        let first = parts.iter().fold(First::NOTHING, |first, part| first.then(|| part.first()));
        self.set_of(if first.nothing { Set::ALL } else { first.set })
    }

    fn set_of(&mut self, set: Set) -> u32 {
        let known = self.sets.iter().position(|other| *other == set);
        known.unwrap_or_else(|| {
            self.sets.push(set);
            self.sets.len() - 1
        }) as u32
    }

    /// The steps that read parts.
    pub(in crate::text) fn compile(&mut self, parts: &[Part]) -> Steps {
        let mut flat = Vec::new();
        for part in parts {
            match part {
                Part::Text(text) => flat.push(Piece::Text(text)),
                Part::Items(items) => flatten(items, &mut flat),
            }
        }
        let mut stages: Vec<Stage> = (0..flat.len()).map(|n| self.stage(&flat[n..])).collect();
        for n in 1..stages.len() {
            // Behind what stands between bars it goes on elsewhere.
            if let (&Step::Char(then), false) = (&stages[n].step, matches!(stages[n - 1].step, Step::Bars(_))) {
                stages[n - 1].then = then;
            }
        }
        Steps(stages.into())
    }

    /// The stage that reads the first of these pieces.
    fn stage(&mut self, pieces: &[Piece]) -> Stage {
        let (mut says, mut run, mut stages) = (Absence::default(), Vec::new(), 0);
        while let Some(piece) = pieces.get(stages)
            && run.len() < usize::from(u8::MAX)
            && piece.absence().is_some_and(|absence| says.add(&absence))
        {
            stages += piece.count();
            run.push((piece.first().set, stages, says));
        }
        let any = run.iter().fold(Set::default(), |all, (set, ..)| all.or(*set));
        let Set([low, high, ..]) = if run.is_empty() { Set::ALL } else { any };
        let (has_several, step) = (run.len() > 1, self.step(pieces[0]));
        Stage { step, ascii: [low, high], run: self.run(run), stages: stages as u16, has_several, then: 0 }
    }

    fn run(&mut self, pieces: Vec<(Set, usize, Absence)>) -> Arc<Run> {
        if let Some(known) = self.known.runs.get(&pieces) {
            return known.clone();
        }
        let mut passes = [0; 256];
        passes[..128].fill(pieces.len() as u8);
        for (n, (set, ..)) in pieces.iter().enumerate().rev() {
            set.ascii().for_each(|byte| passes[byte] = n as u8);
        }
        let passed =
            pieces.iter().map(|(_, stages, says)| Passed { stages: *stages, says: self.settings(says) }).collect();
        let absence = self.settings(&pieces.last().map_or(Absence::default(), |(.., says)| *says));
        let run = Arc::new(Run { passes, passed, absence });
        self.known.runs.insert(pieces, run.clone());
        run
    }

    fn literal(&mut self, text: &'static str) -> Arc<Literal> {
        self.known.literals.entry(text).or_insert_with(|| Arc::new(Literal::new(text))).clone()
    }

    /// The steps of items, made once.
    pub(in crate::text) fn items(&mut self, items: &'static [Item]) -> Steps {
        let key = (items.as_ptr().addr(), items.len());
        if let Some(steps) = self.known.items.get(&key) {
            return steps.clone();
        }
        let steps = self.compile(&[Part::Items(items)]);
        self.known.items.insert(key, steps.clone());
        steps
    }

    /// What the absence of an operand in front of mnemonics says.
    pub(in crate::text) fn absence(&mut self, items: &'static [Item]) -> Settings {
        let mut says = Absence::default();
        says.add(&Piece::absence_of(items).unwrap_or_default());
        self.settings(&says)
    }

    /// Reads a text that always stands here.
    fn text(&mut self, text: &'static str) -> Step {
        // Blanks stand in front of any step, also of the next.
        match text.trim().as_bytes() {
            [c] if !in_word(*c) => Step::Char(*c),
            _ => Step::Text(self.literal(text.trim_start())),
        }
    }

    fn step(&mut self, piece: Piece) -> Step {
        let item = match piece {
            Piece::Text(text) => return self.text(text),
            Piece::Says(text, field, value) => {
                return Step::Says(self.literal(text.trim_start()), self.says(field, value));
            }
            Piece::Opens { open, absent, count, .. } => {
                let (absence, stages) = (self.absences(absent), count as u32);
                return match open {
                    // A blank alone is in front of a number.
                    " " => Step::OpensNumber(absence, stages),
                    _ => Step::Opens(self.literal(open.trim_start()), absence, stages),
                };
            }
            Piece::Bars { field, bar, items, count } => {
                let (bar, says) = (self.literal(bar), self.says(field, 1));
                return Step::Bars(Arc::new(Bars { bar, says, inner: self.items(items), behind: count }));
            }
            Piece::Item(item) => item,
        };
        let key = std::ptr::from_ref(item).addr();
        if let Some(step) = self.known.steps.get(&key) {
            return step.clone();
        }
        let step = self.step_of(item);
        self.known.steps.insert(key, step.clone());
        step
    }

    /// The step that reads an item.
    fn step_of(&mut self, item: &'static Item) -> Step {
        match item {
            Item::Text(text) => self.text(text),
            // Blanks stand in front of any step.
            Item::Flag(field, text) => Step::Flag(self.literal(text.trim_start()), self.says(field, 1)),
            Item::When(field, value, text) | Item::Alias(field, value, text) => {
                Step::Flag(self.literal(text.trim_start()), self.says(field, *value))
            }
            Item::Set(field, value) => Step::Set(self.says(field, *value)),
            Item::Refuse(text, _) => Step::Refuse(self.literal(text.trim_start())),
            Item::Register(register) if Banks::holds(register) => {
                let code = |bank: &Bank| match register.bank {
                    Some(field) => self.says(field, bank.code),
                    None => self.settings(&Absence::default()),
                };
                Step::Register(Arc::new(Banks::new(register, register.banks.iter().map(code))))
            }
            Item::Mask(field, none) => spread_of(field).map_or(Step::Item(item), |spread| Step::Mask(spread, none)),
            Item::Swizzle(field) => spread_of(field).map_or(Step::Item(item), Step::Swizzle),
            Item::Number(number) => Step::Number(number),
            Item::Names(field, names, _) if Names::holds(names.iter().map(|(name, _)| *name)) => {
                let says = names.iter().map(|(name, value)| (*name, self.says(field, *value)));
                let (written, nothing): (Vec<_>, Vec<_>) = says.partition(|(name, _)| !name.is_empty());
                Step::Names(Arc::new(Names::new(written, nothing.into_iter().next().map(|(_, says)| says))))
            }
            Item::If(field, values, then, otherwise) => {
                let (then, otherwise) = (self.items(then), self.items(otherwise));
                Step::If(Arc::new(If { field, values: *values, then, otherwise }))
            }
            Item::Choice(forms, _) if forms.len() <= u16::BITS as usize => {
                Step::Choice(Arc::new(self.choice_of(forms)))
            }
            Item::Annotations(open, members, _) => match self.spelled(members) {
                Some(names) => {
                    let (open, names) = (self.literal(open.trim_start()), Names::new(names, None));
                    Step::Annotations(Arc::new(Annotations { open, names }))
                }
                None => Step::Item(item),
            },
            _ => Step::Item(item),
        }
    }

    /// The names of annotations, and what each says; `None` where they are not words, one of which at most stands at a place.
    fn spelled(&mut self, members: &'static [Item]) -> Option<Vec<(&'static str, Settings)>> {
        let mut all: Vec<(&'static str, Settings)> = Vec::new();
        for member in members {
            match member {
                Item::Flag(field, text) => all.push((text, self.says(field, 1))),
                Item::Alias(field, value, text) => all.push((text, self.says(field, *value))),
                Item::Names(field, names, _) => {
                    let written = names.iter().filter(|(name, _)| !name.is_empty());
                    all.extend(written.map(|(name, value)| (*name, self.says(field, *value))));
                }
                _ => return None,
            }
        }
        let names = || all.iter().map(|(name, _)| *name);
        (Names::holds(names()) && names().all(Names::is_word)).then_some(all)
    }

    fn choice_of(&mut self, forms: &'static [Form]) -> Choice {
        let (mut by_first, mut by_second) = ([0; 256], [0; 256]);
        for (n, form) in forms.iter().enumerate() {
            let first = First::all(form.items);
            let second = if first.nothing { Set::ALL } else { second(form.items) };
            for byte in 0..=u8::MAX {
                by_first[usize::from(byte)] |= u16::from(first.nothing || first.set.has(byte)) << n;
                by_second[usize::from(byte)] |= u16::from(second.has(byte)) << n;
            }
        }
        Choice { by_first, by_second, forms: forms.iter().map(|form| self.items(form.items)).collect() }
    }

    fn says(&mut self, field: &'static Field, value: u64) -> Settings {
        self.values(&[(field, value)])
    }

    /// Values of fields, which agree.
    pub(in crate::text) fn values(&mut self, values: &[(&'static Field, u64)]) -> Settings {
        let mut says = Absence::default();
        says.add(values);
        self.settings(&says)
    }

    /// What the absence of a piece says, if its fields agree. Fields are 0 by themselves.
    fn absences(&mut self, absent: &[(&'static Field, u64)]) -> Settings {
        let mut says = Absence::default();
        says.add(&said(absent));
        self.settings(&says)
    }

    fn settings(&mut self, says: &Absence) -> Settings {
        let make = |says: &Absence| {
            let limbs = says.bits.0.into_iter().zip(says.values.0).enumerate().filter(|(_, (mask, _))| *mask != 0);
            Settings(limbs.map(|(limb, (mask, value))| Setting { limb, mask, value }).collect())
        };
        self.known.settings.entry(*says).or_insert_with_key(make).clone()
    }
}

/// The bits of a field; `None` where these are many, or in several limbs.
fn spread_of(field: &Field) -> Option<Arc<Spread>> {
    let mask = field.mask();
    let limb = mask.0.iter().position(|bits| *bits != 0)?;
    if field.width() > 8 || mask.0.iter().filter(|bits| **bits != 0).count() > 1 {
        return None;
    }
    let bits = |value: u64| {
        let mut code = Code::default();
        field.put(&mut code, value);
        code.0[limb]
    };
    Some(Arc::new(Spread { limb, mask: mask.0[limb], values: (0..1 << field.width()).map(bits).collect() }))
}

/// The values that the absence of a piece says: those that are not 0 by themselves.
fn said(absent: &[(&'static Field, u64)]) -> Vec<(&'static Field, u64)> {
    absent.iter().copied().filter(|(_, value)| *value != 0).collect()
}

/// Bits and their values.
#[derive(Copy, Clone, Default, PartialEq, Eq, Hash)]
pub(super) struct Absence {
    bits: Code,
    values: Code,
}

impl Absence {
    /// Adds values of fields, unless they contradict what there is.
    fn add(&mut self, fields: &[(&'static Field, u64)]) -> bool {
        let (mut bits, mut values) = (self.bits, self.values);
        for (field, value) in fields {
            let mut own = Code::default();
            field.put(&mut own, *value);
            let shared = bits.and(field.mask());
            if own.and(shared) != values.and(shared) {
                return false;
            }
            (bits, values) = (bits.or(field.mask()), values.or(own));
        }
        (self.bits, self.values) = (bits, values);
        true
    }
}

/// Adds the pieces of items, without what only tells how they are printed or explained.
fn flatten(mut items: &'static [Item], out: &mut Vec<Piece>) {
    while let [item, behind @ ..] = items {
        items = behind;
        let at = out.len();
        match item {
            Item::Text(text) if let [Item::Set(field, value), behind @ ..] = items => {
                out.push(Piece::Says(text, field, *value));
                items = behind;
            }
            Item::Exact(items) | Item::Shared(items, _) => flatten(items, out),
            Item::Bits(_) => {}
            Item::Between(field, bar, items) => {
                out.push(Piece::Item(item));
                flatten(items, out);
                out[at] = Piece::Bars { field, bar, items, count: out.len() - at - 1 };
            }
            // Values that contradict each other are left to the scan.
            Item::Optional { open, items, absent, .. } if Absence::default().add(&said(absent)) => {
                out.push(Piece::Item(item));
                flatten(items, out);
                out[at] = Piece::Opens { item, open, absent, count: out.len() - at - 1 };
            }
            _ => out.push(Piece::Item(item)),
        }
    }
}
