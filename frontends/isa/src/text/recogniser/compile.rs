//! From operands to steps: what pieces can begin with, and what their absence says.

use super::{Choice, Name, Names, Piece, Recogniser, Set, Setting, Settings, Spread, Stage, Step, Steps};
use crate::code::Code;
use crate::field::Field;
use crate::lex::{in_word, sixteen};
use crate::syntax::{Form, IDENTITY, Item};

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

impl Piece {
    fn first(self) -> First {
        match self {
            Piece::Text(text) => First::text(text),
            Piece::Item(item) => First::of(item),
            Piece::Bars { bar, .. } => First::perhaps(bar),
        }
    }

    /// What is said of fields where nothing of it is written; `None` if something always is, or that depends on more.
    fn absence(self) -> Option<Vec<(&'static Field, u64)>> {
        let item = match self {
            Piece::Text(_) => return None,
            Piece::Bars { .. } => return Some(Vec::new()),
            Piece::Item(item) => item,
        };
        match item {
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
            Item::Optional { open, absent, .. } if *open == " " || !First::text(open).nothing => {
                // Fields are 0 by themselves.
                Some(absent.iter().copied().filter(|(_, value)| *value != 0).collect())
            }
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
        let mut flat = Vec::new();
        items.iter().for_each(|item| flatten(Piece::Item(item), &mut flat));
        let all: Option<Vec<_>> = flat.into_iter().map(Piece::absence).collect();
        all.map(|all| all.into_iter().flatten().collect())
    }
}

impl Step {
    /// Reads a text that always stands here.
    fn text(text: &'static str) -> Step {
        // Blanks stand in front of any step, also of the next.
        match text.trim().as_bytes() {
            [c] if !in_word(*c) => Step::Char(*c),
            _ => Step::Text(text.trim_start()),
        }
    }
}

impl Recogniser {
    /// The number of the set of characters that pieces may begin with; of all if something may stand behind them.
    pub(in crate::text) fn first(&mut self, pieces: impl Iterator<Item = Piece>) -> u32 {
        let mut first = First::NOTHING;
        for piece in pieces {
            first = first.then(|| piece.first());
        }
        self.set_of(if first.nothing { Set::ALL } else { first.set })
    }

    fn set_of(&mut self, set: Set) -> u32 {
        let known = self.sets.iter().position(|other| *other == set);
        known.unwrap_or_else(|| {
            self.sets.push(set);
            self.sets.len() - 1
        }) as u32
    }

    /// The steps that read pieces.
    pub(in crate::text) fn compile(&mut self, pieces: impl Iterator<Item = Piece>) -> Steps {
        let mut flat = Vec::new();
        for piece in pieces {
            flatten(piece, &mut flat);
        }
        // Steps may have others made, which stand in front.
        let mut stages: Vec<Stage> = (0..flat.len()).map(|n| self.stage(&flat[n..])).collect();
        for n in 1..stages.len() {
            // Behind what stands between bars it goes on elsewhere.
            if let (Step::Char(then), false) = (stages[n].step, matches!(stages[n - 1].step, Step::Bars { .. })) {
                stages[n - 1].then = then;
            }
        }
        let first = self.stages.len();
        for (n, stage) in stages.iter_mut().enumerate() {
            stage.to += (first + n) as u32;
            if let Step::Bars { to, .. } = &mut stage.step {
                *to += (first + n) as u32;
            }
        }
        self.stages.extend(stages);
        Steps { start: first as u32, end: self.stages.len() as u32 }
    }

    /// The stage that reads the first of these pieces. Where it may lead to is counted from itself on.
    fn stage(&mut self, pieces: &[Piece]) -> Stage {
        let (says, set, to) = self.unless(pieces).unwrap_or((Absence::default(), Set::ALL, 0));
        Stage {
            ascii: [set.0[0], set.0[1]],
            to: to as u32,
            absence: self.settings(&says),
            step: self.step(pieces[0]),
            then: 0,
        }
    }

    /// The run of pieces at the start of these that may be missing: what that says, what they may begin with, and how many they are;
    /// `None` where that is one that tells as fast by itself, or none.
    fn unless(&self, pieces: &[Piece]) -> Option<(Absence, Set, usize)> {
        let (mut says, mut set, mut count) = (Absence::default(), Set::default(), 0);
        for piece in pieces {
            if !piece.absence().is_some_and(|absence| says.add(&absence)) {
                break;
            }
            (set, count) = (set.or(piece.first().set), count + 1);
        }
        let is_slow = |piece: &Piece| matches!(piece, Piece::Item(Item::If(..) | Item::Annotations(..)));
        let worthwhile = count > 1 || count == 1 && is_slow(&pieces[0]);
        worthwhile.then_some((says, set, count))
    }

    /// The steps of items, made once.
    pub(in crate::text) fn items(&mut self, items: &'static [Item]) -> Steps {
        let key = (items.as_ptr().addr(), items.len());
        if let Some(steps) = self.known.get(&key) {
            return *steps;
        }
        let steps = self.compile(items.iter().map(Piece::Item));
        self.known.insert(key, steps);
        steps
    }

    /// What the absence of an operand in front of mnemonics says.
    pub(in crate::text) fn absence(&mut self, items: &'static [Item]) -> Settings {
        let mut says = Absence::default();
        says.add(&Piece::absence_of(items).unwrap_or_default());
        self.settings(&says)
    }

    fn step(&mut self, piece: Piece) -> Step {
        let item = match piece {
            Piece::Text(text) => return Step::text(text),
            Piece::Bars { field, bar, items, count } => {
                let to = count as u32 + 1;
                return Step::Bars { bar, bars: self.says(field, 1), inner: self.items(items), to };
            }
            Piece::Item(item) => item,
        };
        match item {
            Item::Text(text) => Step::text(text),
            // Blanks stand in front of any step.
            Item::Flag(field, text) => Step::Flag(text.trim_start(), self.says(field, 1)),
            Item::When(field, value, text) | Item::Alias(field, value, text) => {
                Step::Flag(text.trim_start(), self.says(field, *value))
            }
            Item::Set(field, value) => Step::Set(self.says(field, *value)),
            Item::Refuse(text, _) => Step::Refuse(text.trim_start()),
            Item::Register(register) => Step::Register(register),
            Item::Mask(field, none) => {
                self.spread_of(field).map_or(Step::Item(item), |spread| Step::Mask(spread, none))
            }
            Item::Swizzle(field) => self.spread_of(field).map_or(Step::Item(item), Step::Swizzle),
            Item::Number(number) => Step::Number(number),
            Item::Names(field, names, _) if Recogniser::holds(names) => {
                let number = self.number(item, |all| {
                    let names = all.names_of(field, names);
                    all.names.push(names);
                    all.names.len() - 1
                });
                Step::Names(number)
            }
            Item::Optional { open, items, absent, .. } => {
                let mut says = Absence::default();
                // Those that contradict each other are left to the scan.
                let agree = says.add(&absent.iter().copied().filter(|(_, value)| *value != 0).collect::<Vec<_>>());
                // A blank alone is in front of a number.
                let open = if *open == " " { open } else { open.trim_start() };
                match agree {
                    true => Step::Optional { open, absence: self.settings(&says), inner: self.items(items) },
                    false => Step::Item(item),
                }
            }
            Item::If(field, values, then, otherwise) => {
                Step::If { field, values: *values, then: self.items(then), otherwise: self.items(otherwise) }
            }
            Item::Choice(forms, _) if forms.len() <= u16::BITS as usize => {
                let number = self.number(item, |all| {
                    let choice = all.choice_of(forms);
                    all.choices.push(choice);
                    all.choices.len() - 1
                });
                Step::Choice(number)
            }
            _ => Step::Item(item),
        }
    }

    /// The number of a field's bits; `None` where these are many, or in several limbs.
    fn spread_of(&mut self, field: &Field) -> Option<u32> {
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
        let spread = Spread { limb, mask: mask.0[limb], values: (0..1 << field.width()).map(bits).collect() };
        let known = self.spreads.iter().position(|other| (other.limb, &other.values) == (limb, &spread.values));
        Some(known.unwrap_or_else(|| {
            self.spreads.push(spread);
            self.spreads.len() - 1
        }) as u32)
    }

    /// The number under which something of an item is kept.
    fn number(&mut self, item: &'static Item, make: impl FnOnce(&mut Recogniser) -> usize) -> u32 {
        let key = std::ptr::from_ref(item).addr();
        if let Some(number) = self.numbers.get(&key) {
            return *number;
        }
        let number = make(self) as u32;
        self.numbers.insert(key, number);
        number
    }

    fn choice_of(&mut self, forms: &'static [Form]) -> Choice {
        let mut by_byte = [0; 256];
        for (n, form) in forms.iter().enumerate() {
            let first = First::all(form.items);
            let may_begin = |byte: usize| first.nothing || first.set.has(byte as u8);
            by_byte.iter_mut().enumerate().filter(|(byte, _)| may_begin(*byte)).for_each(|(_, bits)| *bits |= 1 << n);
        }
        Choice { by_byte, forms: forms.iter().map(|form| self.items(form.items)).collect() }
    }

    /// Whether names can be compared as words of 16 bytes: in longer ones, and where blanks may stand, characters are.
    fn holds(names: &[(&'static str, u64)]) -> bool {
        names.len() < usize::from(u8::MAX) && names.iter().all(|(name, _)| name.len() <= 16 && !name.contains(' '))
    }

    fn names_of(&mut self, field: &'static Field, names: &'static [(&'static str, u64)]) -> Names {
        let mut written: Vec<_> = names.iter().filter(|(name, _)| !name.is_empty()).collect();
        let shortest = written.iter().map(|(name, _)| name.len()).min().unwrap_or(0);
        // The character that tells most of them apart.
        let told = |key: &usize| {
            let bits = written.iter().fold(0u32, |bits, (name, _)| bits | 1 << (name.as_bytes()[*key] & 31));
            (bits.count_ones(), std::cmp::Reverse(*key))
        };
        let key = (0..shortest).max_by_key(told).unwrap_or(0);
        let group = |name: &str| name.as_bytes()[key] & 31;
        parallax_text::sort_by_key(&mut written, |(name, _)| (group(name), std::cmp::Reverse(name.len())));
        let mut starts = [0; 32];
        let mut all: Vec<Name> = Vec::new();
        for (name, value) in written {
            let start = &mut starts[usize::from(group(name))];
            if *start == 0 {
                *start = all.len() as u8 + 1;
                all.iter_mut().next_back().into_iter().for_each(|name| name.is_last = true);
            }
            let len = name.len();
            all.push(Name {
                chars: sixteen(name.as_bytes(), 0),
                mask: u128::MAX >> (128 - 8 * len),
                len,
                is_word: name.bytes().next_back().is_some_and(in_word),
                is_last: false,
                says: self.says(field, *value),
            });
        }
        let nothing = names.iter().find(|(name, _)| name.is_empty()).map(|(_, value)| self.says(field, *value));
        Names { key, starts, names: all, nothing }
    }

    fn says(&mut self, field: &'static Field, value: u64) -> Settings {
        let mut says = Absence::default();
        says.add(&[(field, value)]);
        self.settings(&says)
    }

    fn settings(&mut self, says: &Absence) -> Settings {
        let start = self.settings.len() as u32;
        let limbs = says.bits.0.into_iter().zip(says.values.0).enumerate().filter(|(_, (mask, _))| *mask != 0);
        self.settings.extend(limbs.map(|(limb, (mask, value))| Setting { limb, mask, value }));
        Settings { start, end: self.settings.len() as u32 }
    }
}

/// Bits and their values.
#[derive(Default, PartialEq)]
struct Absence {
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

/// Adds a piece, without what only tells how it is printed or explained.
fn flatten(piece: Piece, out: &mut Vec<Piece>) {
    match piece {
        Piece::Item(Item::Exact(items) | Item::Shared(items, _)) => {
            items.iter().for_each(|item| flatten(Piece::Item(item), out));
        }
        Piece::Item(Item::Bits(_)) => {}
        Piece::Item(Item::Between(field, bar, items)) => {
            let at = out.len();
            out.push(piece);
            items.iter().for_each(|item| flatten(Piece::Item(item), out));
            out[at] = Piece::Bars { field, bar, items, count: out.len() - at - 1 };
        }
        _ => out.push(piece),
    }
}
