//! The reader of operands: follows their [`Item`]s over the bytes of a text, and says what is wrong where they do not stand.

use crate::lex::{byte, in_word, skip_blanks, word_end};
use crate::syntax::{Bank, Candidate, Form, IDENTITY, Item, Number, Numeral, Problem, Register, Selected};
use crate::{code::Encoding, field::Field};
use parallax_text::{Diag, LexOptions, Span, Tokens, lex_range};

/// The name of a place in the program, such as a label.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The field the place's number goes to.
    pub field: &'static Field,
    /// Where the name stands.
    pub name: Span,
}

/// Why a text is refused at a place.
#[derive(Copy, Clone, Debug)]
enum Reason {
    /// Something else should stand here.
    Expected(&'static str),
    /// These characters should stand here.
    Text(&'static str),
    /// A register that is not there.
    Number(&'static Register, &'static Bank),
    /// Something else should be a register.
    Register(&'static Register),
    /// A field holds something else already.
    SetTwice(&'static str),
    Problem(&'static Problem),
}

/// A refusal.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Refusal {
    /// Where it stands, and where it ends if that is not the next token.
    start: usize,
    end: usize,
    /// What stands here was recognised, though it is wrong: no other form can fit.
    recognised: bool,
    reason: Reason,
}

/// A text being read: the place, and what was collected up to there.
pub(crate) struct Scan<'a> {
    pub(crate) source: &'a str,
    pub(crate) at: usize,
    pub(crate) encoding: Encoding,
    /// Bits that are inverted at the very end.
    pub(crate) flips: u128,
    /// Names of places whose numbers are not known yet.
    pub(crate) labels: [Option<Label>; 2],
    pub(crate) refusal: Refusal,
}

/// What was read up to a place.
#[derive(Copy, Clone)]
pub(crate) struct Place {
    at: usize,
    encoding: Encoding,
    flips: u128,
    labels: [Option<Label>; 2],
}

impl<'a> Scan<'a> {
    /// What was read up to here.
    #[inline]
    pub(crate) fn place(&self) -> Place {
        Place { at: self.at, encoding: self.encoding, flips: self.flips, labels: self.labels }
    }

    /// Forgets what was read behind a place.
    #[inline]
    pub(crate) fn return_to(&mut self, place: Place) {
        (self.at, self.encoding, self.flips, self.labels) = (place.at, place.encoding, place.flips, place.labels);
    }

    /// Nothing is read yet but what is `known`.
    #[inline(always)]
    pub(crate) fn new(source: &'a str, at: usize, known: Encoding) -> Scan<'a> {
        let refusal = Refusal { start: at, end: 0, recognised: false, reason: Reason::Expected("") };
        Scan { source, at, encoding: known, flips: 0, labels: [None; 2], refusal }
    }

    #[inline(always)]
    pub(crate) fn text(&self) -> &'a [u8] {
        self.source.as_bytes()
    }

    #[inline(always)]
    pub(crate) fn byte(&self, ahead: usize) -> u8 {
        byte(self.text(), self.at + ahead)
    }

    #[inline(always)]
    pub(crate) fn blanks(&mut self) {
        self.at = skip_blanks(self.text(), self.at);
    }

    #[cold]
    fn refuse(&mut self, start: usize, recognised: bool, reason: Reason) -> bool {
        self.refusal = Refusal { start, end: 0, recognised, reason };
        false
    }

    fn problem(&mut self, start: usize, problem: &'static Problem) -> bool {
        self.refuse(start, true, Reason::Problem(problem))
    }

    #[cold]
    pub(crate) fn expected(&mut self, what: &'static str) -> bool {
        self.refuse(self.at, false, Reason::Expected(what))
    }

    /// Takes characters, any number of blanks before them and for each of theirs.
    #[inline(always)]
    pub(crate) fn take(&mut self, wanted: &'static str) -> bool {
        self.blanks();
        let wanted = wanted.as_bytes();
        match wanted.first() {
            None => true,
            Some(b' ') => self.take_all(wanted),
            Some(first) if *first != self.byte(0) => false,
            // Blanks behind it are skipped by whatever is read next.
            Some(first) if !in_word(*first) && (wanted.len() == 1 || wanted[1..] == *b" ") => {
                self.at += 1;
                true
            }
            _ => self.take_all(wanted),
        }
    }

    /// Takes what an optional piece begins with. A blank alone is in front of a number.
    #[inline(always)]
    pub(crate) fn opens(&mut self, open: &'static str) -> bool {
        if open == " " {
            self.blanks();
            return matches!(self.byte(0), b'0'..=b'9' | b'-' | b'+');
        }
        self.take(open)
    }

    pub(crate) fn take_all(&mut self, wanted: &[u8]) -> bool {
        let text = self.text().get(self.at..).unwrap_or_default();
        // Literals are short, and most that do not fit differ early: nothing is called to compare them.
        for (n, (&c, &found)) in wanted.iter().zip(text).enumerate() {
            if c == b' ' {
                return self.take_spaced(wanted, n);
            }
            if found != c {
                return false;
            }
        }
        let last = wanted.last().copied().unwrap_or_default();
        if text.len() < wanted.len() {
            return self.take_spaced(wanted, 0);
        }
        if in_word(last) && in_word(byte(text, wanted.len())) {
            return false;
        }
        self.at += wanted.len();
        true
    }

    /// The same from the first blank of theirs on, of which `done` were compared; or at the end of a text.
    #[inline(never)]
    fn take_spaced(&mut self, wanted: &[u8], done: usize) -> bool {
        let text = self.text();
        let (mut at, mut last) = (self.at + done, wanted[..done].last().copied().unwrap_or_default());
        for &c in &wanted[done..] {
            if c == b' ' {
                if in_word(last) && in_word(byte(text, at)) {
                    return false;
                }
                (at, last) = (skip_blanks(text, at), c);
                continue;
            }
            if byte(text, at) != c {
                return false;
            }
            last = c;
            at += 1;
        }
        if in_word(last) && in_word(byte(text, at)) {
            return false;
        }
        self.at = at;
        true
    }

    #[inline(always)]
    pub(crate) fn literal(&mut self, wanted: &'static str) -> bool {
        self.take(wanted) || self.refuse(self.at, false, Reason::Text(wanted))
    }

    #[inline(always)]
    fn put(&mut self, field: &'static Field, value: u64, start: usize) -> bool {
        self.encoding.put(field, value) || self.refuse(start, true, Reason::SetTwice(field.name))
    }

    /// Reads pieces.
    pub(crate) fn items(&mut self, items: &'static [Item]) -> bool {
        items.iter().all(|item| self.item(item))
    }

    pub(crate) fn item(&mut self, item: &'static Item) -> bool {
        self.blanks();
        let start = self.at;
        match item {
            Item::Text(text) => self.literal(text),
            Item::Flag(field, text) => !self.take(text) || self.put(field, 1, start),
            Item::Alias(field, value, text) | Item::When(field, value, text) => {
                !self.take(text) || self.put(field, *value, start)
            }
            Item::Exact(items) => self.items(items),
            Item::Set(field, value) => self.put(field, *value, start),
            Item::Refuse(text, problem) => !self.take(text) || self.problem(start, problem),
            Item::Register(register) => self.register(register),
            Item::Mask(field, none) => self.mask(none).is_some_and(|value| self.put(field, value, start)),
            Item::Swizzle(field) => self.swizzle().is_some_and(|value| self.put(field, value, start)),
            Item::Component(field) => match self.component(0).filter(|_| !in_word(self.byte(1))) {
                Some(c) => {
                    self.at += 1;
                    let value = if field.width() > 2 { c * 0x55 } else { c };
                    self.put(field, value, start)
                }
                None => self.expected("a component x, y, z or w"),
            },
            Item::Names(field, names, what) => {
                let mut best = None::<(usize, u64)>;
                for (name, value) in *names {
                    self.at = start;
                    if self.take_all(name.as_bytes()) && best.is_none_or(|(end, _)| self.at > end) {
                        best = Some((self.at, *value));
                    }
                }
                self.at = best.map_or(start, |(end, _)| end);
                match best {
                    Some((_, value)) => self.put(field, value, start),
                    None => self.expected(what),
                }
            }
            Item::Number(number) => self.number(number),
            Item::Target(number) => {
                let end = word_end(self.text(), start);
                if end == start {
                    return self.number(number);
                }
                let Some(free) = self.labels.iter_mut().find(|label| label.is_none()) else {
                    return self.expected(number.what);
                };
                *free = Some(Label { field: number.field, name: Span::new(start, end) });
                self.at = end;
                self.put(number.field, 0, start)
            }
            Item::Between(field, bar, items) => {
                if !self.take(bar) {
                    return self.items(items);
                }
                self.put(field, 1, start) && self.items(items) && self.literal(bar)
            }
            Item::Optional { open, absent, items, .. } => match self.opens(open) {
                true => self.items(items),
                // Fields are 0 by themselves.
                false => absent.iter().all(|(field, value)| *value == 0 || self.put(field, *value, start)),
            },
            Item::If(field, values, then, otherwise) => {
                self.items(if values.holds(self.encoding.get(field)) { then } else { otherwise })
            }
            Item::Choice(forms, what) => self.choice(forms, what),
            Item::Annotations(open, items, what) => self.annotations(open, items, what),
            Item::Selected(selected) => self.selected(selected),
            Item::Bits(_) => true,
            Item::Shared(items, problem) => {
                if self.items(items) {
                    return true;
                }
                if let Reason::SetTwice(_) = self.refusal.reason {
                    let end = self.at;
                    self.problem(start, problem);
                    self.refusal.end = end;
                }
                false
            }
        }
    }
}

impl Scan<'_> {
    /// Reads the first form that stands here, or says what is wrong where none does: that of the nearest.
    fn choice(&mut self, forms: &'static [Form], what: &'static str) -> bool {
        let place = self.place();
        let mut nearest = None::<Refusal>;
        for form in forms {
            if self.items(form.items) {
                return true;
            }
            self.return_to(place);
            if nearest.is_none_or(|best| self.refusal.is_beyond(&best)) {
                nearest = Some(self.refusal);
            }
        }
        match nearest {
            Some(refusal) if refusal.start > place.at || refusal.recognised => self.refusal = refusal,
            _ => return self.expected(what),
        }
        false
    }

    /// The number of the component letter at this distance.
    #[inline(always)]
    fn component(&self, ahead: usize) -> Option<u64> {
        const NUMBERS: [u8; 256] = {
            let mut all = [4; 256];
            (all[b'x' as usize], all[b'y' as usize], all[b'z' as usize], all[b'w' as usize]) = (0, 1, 2, 3);
            all
        };
        let number = NUMBERS[usize::from(self.byte(ahead))];
        (number < 4).then_some(u64::from(number))
    }

    #[inline]
    pub(crate) fn register(&mut self, register: &'static Register) -> bool {
        let start = self.at;
        let mut beyond = None;
        for bank in register.banks {
            let name = bank.name.as_bytes();
            if self.byte(0) != name[0] || name.len() > 1 && !self.text()[start..].starts_with(name) {
                continue;
            }
            let (mut number, mut at) = (0u64, name.len());
            // Numbers of five and more digits are no register numbers.
            while let digit @ 0..10 = self.byte(at).wrapping_sub(b'0') {
                number = number * 10 + u64::from(digit);
                at += 1;
                if at > name.len() + 4 {
                    break;
                }
            }
            if at == name.len() || at > name.len() + 4 || in_word(self.byte(at)) {
                continue;
            }
            if number.wrapping_sub(bank.first) < bank.count {
                self.at = start + at;
                return self.put(register.number, number - bank.first, start)
                    && register.bank.is_none_or(|field| self.put(field, bank.code, start));
            }
            beyond = Some(bank);
        }
        match beyond {
            Some(bank) => self.refuse(start, true, Reason::Number(register, bank)),
            None => self.refuse(start, false, Reason::Register(register)),
        }
    }

    /// The mask that stands here.
    #[inline]
    pub(crate) fn mask(&mut self, none: &'static str) -> Option<u64> {
        if self.byte(0) != b'.' {
            return match none.as_bytes().first() {
                Some(first) if *first == self.byte(0) => self.literal(none).then_some(0),
                _ => Some(15),
            };
        }
        self.at += 1;
        self.blanks();
        let (mut bits, mut next, mut len) = (0, 0, 0);
        while let Some(c) = self.component(len).filter(|c| *c >= next) {
            bits |= 8 >> c;
            (next, len) = (c + 1, len + 1);
        }
        if len == 0 || in_word(self.byte(len)) {
            self.expected("a write mask: some of x, y, z, w in this order");
            return None;
        }
        self.at += len;
        Some(bits)
    }

    /// The swizzle that stands here.
    #[inline]
    pub(crate) fn swizzle(&mut self) -> Option<u64> {
        if self.byte(0) != b'.' {
            return Some(IDENTITY);
        }
        self.at += 1;
        self.blanks();
        let (mut byte, mut len) = (0, 0);
        while let Some(c) = self.component(len).filter(|_| len < 5) {
            (byte, len) = (byte << 2 | c, len + 1);
        }
        if len != 1 && len != 4 || in_word(self.byte(len)) {
            self.expected("one or four of the letters x, y, z, w");
            return None;
        }
        self.at += len;
        Some(if len == 1 { byte * 0x55 } else { byte })
    }

    pub(crate) fn number(&mut self, number: &'static Number) -> bool {
        let start = self.at;
        match (number.read)(&self.text()[start.min(self.source.len())..]) {
            Numeral::Value(value, len) if number.field.fits(value) => {
                self.at = start + len;
                self.put(number.field, value as u64, start)
            }
            Numeral::Value(..) => self.problem(start, number.range),
            Numeral::Bad => self.refuse(start, true, Reason::Expected(number.allowed)),
            Numeral::None => self.expected(number.what),
        }
    }

    fn selected(&mut self, selected: &'static Selected) -> bool {
        let start = self.at;
        let number = selected.places[0].number;
        match (number.read)(&self.text()[start.min(self.source.len())..]) {
            Numeral::Value(value, len) => {
                let holds = |place: &&Candidate| self.encoding.get(place.number.field) == value as u64;
                let taken = |place: &&Candidate| self.encoding.has(place.number.field);
                let places = selected.places;
                let known = places.iter().find(|place| taken(place) && holds(place));
                let free = || places.iter().find(|place| !taken(place) && (place.holds)(value));
                let Some(place) = known.or_else(free) else { return self.problem(start, selected.full) };
                self.at = start + len;
                self.put(place.number.field, value as u64, start) && self.put(selected.field, place.value, start)
            }
            Numeral::Bad => self.refuse(start, true, Reason::Expected(number.allowed)),
            Numeral::None => self.expected(number.what),
        }
    }

    #[inline]
    fn annotations(&mut self, open: &'static str, items: &'static [Item], what: &'static str) -> bool {
        loop {
            self.blanks();
            // Most instructions have none: the first character tells.
            let first = open.as_bytes().iter().find(|b| **b != b' ');
            if first != Some(&self.byte(0)) || !self.take(open) {
                return true;
            }
            self.blanks();
            let start = self.at;
            let found = items.iter().find_map(|item| match item {
                Item::Flag(field, text) => self.take(text).then_some((*field, 1)).map(Some),
                Item::Alias(field, value, text) => self.take(text).then_some((*field, *value)).map(Some),
                Item::Names(field, names, _) => {
                    let found = names.iter().find(|(name, _)| !name.is_empty() && self.take(name));
                    found.map(|(_, value)| Some((*field, *value)))
                }
                Item::Bits(text) => self.take(text).then_some(None),
                _ => None,
            });
            let read = match found {
                Some(Some((field, value))) => self.put(field, value, start),
                Some(None) => self.bits(),
                None => self.expected(what),
            };
            if !read {
                return false;
            }
        }
    }

    /// Bits without a spelling: up to two numbers of 64 bits, the low one first.
    fn bits(&mut self) -> bool {
        for n in 0..2 {
            self.blanks();
            let end = self.at + self.text()[self.at..].iter().take_while(|b| b.is_ascii_alphanumeric()).count();
            match parallax_text::parse_u64(&self.source[self.at..end]) {
                Some(value) if end > self.at => self.flips ^= u128::from(value) << (64 * n),
                _ if n > 0 && end == self.at => return true,
                _ => return self.expected("64 bits as a number"),
            }
            self.at = end;
        }
        true
    }

    /// Whether what stands here may be an operand in front of the mnemonic.
    #[inline(always)]
    pub(crate) fn may_start(&self, items: &'static [Item]) -> bool {
        match items {
            [Item::Optional { open, .. }] => open.as_bytes().first() == Some(&self.byte(0)),
            _ => true,
        }
    }

    /// Explains the refusals of all forms that could have stood here.
    pub(crate) fn explain(&self, refusals: &[Refusal], lexer: LexOptions) -> Diag {
        let mut first = refusals.first().copied().unwrap_or(self.refusal);
        refusals.iter().for_each(|other| {
            if other.is_beyond(&first) {
                first = *other;
            }
        });
        let mut wanted: Vec<String> = Vec::new();
        let mut help = "";
        for refusal in refusals.iter().filter(|r| !first.is_beyond(r)) {
            let what = match refusal.reason {
                Reason::Expected(what) => what.to_string(),
                Reason::Text(text) => format!("`{}`", text.trim()),
                Reason::Register(register) => {
                    help = register.literal;
                    register.what.to_string()
                }
                Reason::Number(..) | Reason::SetTwice(_) | Reason::Problem(_) => {
                    return self.explain_found(refusal, lexer);
                }
            };
            if !wanted.contains(&what) {
                wanted.push(what);
            }
        }
        let diag = self.expected_at(first.start, &wanted.join(" or "), lexer);
        let digit = matches!(byte(self.text(), first.start), b'0'..=b'9' | b'#' | b'.');
        if digit && !help.is_empty() && refusals.len() == 1 { diag.with_help(help) } else { diag }
    }

    /// "Expected this, found that" at a place.
    pub(crate) fn expected_at(&self, at: usize, what: &str, lexer: LexOptions) -> Diag {
        Tokens::new(self.source, &self.token(at, lexer)).expected("syntax", what)
    }

    /// The next tokens at a place. Lines may be as long as a file, so not all of them.
    fn token(&self, at: usize, lexer: LexOptions) -> Vec<parallax_text::Token> {
        const LONGEST: usize = 1000;
        let line = self.text()[at..].iter().take(LONGEST).position(|b| *b == b'\n').map_or(LONGEST, |n| n + 1);
        let mut end = (at + line).min(self.source.len());
        while !self.source.is_char_boundary(end) {
            end -= 1;
        }
        let mut tokens = Vec::new();
        lex_range(self.source, at..end, lexer, &mut tokens);
        tokens
    }

    fn explain_found(&self, refusal: &Refusal, lexer: LexOptions) -> Diag {
        let token = self.token(refusal.start, lexer)[0];
        let end = if refusal.end > refusal.start { refusal.end } else { token.span.end as usize };
        let span = Span::new(refusal.start, end);
        match refusal.reason {
            Reason::Number(register, bank) => {
                let most = register.banks.iter().filter(|b| b.name == bank.name).map(|b| b.first + b.count - 1).max();
                let (most, last) = (most.unwrap_or(0), bank.exist - 1);
                let name = bank.name;
                let mut message = format!("registers end at `{name}{last}`");
                if last < most {
                    message += &format!("; the highest that an instruction can name is `{name}{most}`");
                }
                Diag::invalid("register-number", span, message)
            }
            Reason::SetTwice(field) => {
                let message = format!("field `{field}` is set twice, to different values");
                Diag::invalid("set-twice", span, message)
            }
            Reason::Problem(problem) => {
                let diag = Diag::invalid(problem.code, span, problem.message);
                if problem.help.is_empty() { diag } else { diag.with_help(problem.help) }
            }
            Reason::Expected(what) | Reason::Text(what) => self.expected_at(refusal.start, what, lexer),
            Reason::Register(register) => self.expected_at(refusal.start, register.what, lexer),
        }
    }
}

impl Refusal {
    /// Whether more was understood before this refusal than before the other.
    pub(crate) fn is_beyond(&self, other: &Refusal) -> bool {
        (self.start, self.recognised) > (other.start, other.recognised)
    }
}
