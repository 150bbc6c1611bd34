//! Groups: instructions of variable length made of parts, each of which is matched by rows of its own.
//!
//! The first bytes say which parts follow. A part is as long as the pattern of its row, so forms of several lengths are rows
//! of one table. Some parts hold nothing but operands that all operations of a group share: the *operand map*. It is the side
//! data of every operation's code, and the fields of such *linked* parts are known there by their names. So operands are
//! printed and read where they belong, wherever they stand.
//!
//! A row whose pattern has 128 bits, the highest of them 1, has no encoding: it is read from texts and printed, but never met
//! in bytes and never written.

use crate::codec::Codec;
use crate::lookup::{Found, Lookup};
use crate::row::{Isa, RowId, Table};
use crate::tree::Tree;
use crate::{code::Code, field::Field, pattern::Pattern, stream::Cut};
use parallax_text::{Diag, Span};
use std::hint::black_box;

/// Most parts of a group.
pub const MOST_PARTS: usize = 14;
/// Most bytes of a group.
pub const MOST_BYTES: usize = 32;
/// Room for parts: a number below it needs no check.
const ROOM: usize = MOST_PARTS.next_power_of_two();
/// Bytes a word is read from.
const WINDOW: usize = 16;
/// Bytes of a group, and behind it as many as a word is read from.
const SPAN: usize = MOST_BYTES + WINDOW;

/// Where parts of one kind stand in a group.
pub struct Slot<I: Isa> {
    /// Name, for messages.
    pub name: &'static str,
    /// Its rows.
    pub table: &'static Table<I>,
    /// Another part of this slot follows one that matches one of these.
    pub again: &'static [Pattern],
    /// Whether it describes other bits of the same bytes as the next slot: several units that share a byte.
    pub overlay: bool,
    /// Whether the part only holds what the operand map holds. The writer then chooses the first row that can hold it.
    pub linked: bool,
}

/// How the groups of an instruction set are laid out.
pub trait Layout: Isa {
    /// The kinds of parts.
    fn slots() -> &'static [Slot<Self>];

    /// The fields of the operand map that linked parts hold, all of them in the side data. Linked parts have at most eight
    /// bytes.
    fn map() -> &'static [&'static Field];

    /// The slots of a group in the order of their bytes, as its first eight bytes say. Where they leave several layouts
    /// open, the one is taken whose parts fill the group; the number counts them from 0, `None` stands behind the last.
    fn parts(first: u64, attempt: usize) -> Option<&'static [u8]>;

    /// Bytes of a group, padding included, as its first eight bytes say: at most [`MOST_BYTES`].
    fn len(first: u64) -> usize;

    /// Whether these bytes can stand behind the parts.
    fn padding(rest: &[u8]) -> bool;

    /// Brings the bytes of a group, which start at this one, to a length it can have, and writes that length into its header.
    fn pad(out: &mut Vec<u8>, start: usize);
}

/// A part of a group.
#[repr(align(8))]
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// Its row.
    pub row: RowId,
    /// Bytes to the next part: none where that shares them. As wide as the row: both are stored at once.
    pub len: u16,
    /// Number of its slot.
    pub slot: u8,
    /// Its first byte, counted from the start of the group.
    pub at: u8,
}

/// A decoded group: what its bytes are. The words are read from the bytes when asked for.
#[derive(Copy, Clone, Debug, Default)]
pub struct Group {
    /// Byte offset.
    pub offset: u32,
    /// Bytes, padding included.
    pub len: u8,
    /// Bytes without the padding.
    pub used: u8,
    count: u8,
    /// Behind its own may stand those of a group that was decoded in the same place before.
    parts: [Part; ROOM],
}

impl Group {
    /// Its parts.
    #[inline]
    pub fn parts(&self) -> &[Part] {
        &self.parts[..usize::from(self.count)]
    }

    /// The first part of a slot.
    #[inline]
    pub fn part(&self, slot: u8) -> Option<&Part> {
        self.parts().iter().find(|part| part.slot == slot)
    }

    /// Sets a part; behind the last place is the first.
    #[inline(always)]
    fn put(&mut self, n: usize, found: Found, slot: u8, at: usize) {
        self.parts[n % ROOM] = Part { row: found.row(), len: found.len(), slot, at: at as u8 };
    }

    /// Its bytes in the file.
    pub fn span(&self) -> Span {
        Span::new(self.offset as usize, self.offset as usize + usize::from(self.len))
    }
}

/// The bytes of a file, ready to be decoded.
#[derive(Clone, Debug, Default)]
pub struct Binary {
    /// Behind them stand zeros, so that a word can be read everywhere.
    bytes: Vec<u8>,
    /// How many there are without these.
    len: usize,
}

impl Binary {
    /// Takes a copy.
    pub fn new(bytes: &[u8]) -> Binary {
        let mut copy = Vec::with_capacity(bytes.len() + MOST_BYTES + WINDOW);
        copy.extend_from_slice(bytes);
        copy.resize(bytes.len() + MOST_BYTES + WINDOW, 0);
        Binary { bytes: copy, len: bytes.len() }
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The bytes from byte `at` on, a group and what may be read behind it. There are as many up to the last byte of the file.
    #[inline(always)]
    fn span(&self, at: usize) -> Option<&[u8; SPAN]> {
        self.bytes.get(at..)?.first_chunk()
    }

    /// 127 bits from byte `at` on as a little-endian word. Rows whose pattern has bit 127 are never met in bytes: they are
    /// operations without an encoding, which exist in texts only.
    #[inline(always)]
    fn window(&self, at: usize) -> u128 {
        let rest = self.bytes.get(at..).and_then(|rest| rest.first_chunk::<WINDOW>());
        u128::from_le_bytes(rest.copied().unwrap_or_default()) & (u128::MAX >> 1)
    }
}

/// Moves a run of bits between the word of a linked part and the operand map.
#[derive(Copy, Clone, Debug)]
struct Move {
    word: u8,
    map: u8,
    ones: u64,
}

/// Bits of a linked part that stand as far from each other in one limb of the operand map: the limb, how far it is turned, and
/// which bits are then taken.
#[derive(Copy, Clone, Debug)]
struct Turn {
    limb: u8,
    left: u32,
    bits: u64,
}

/// A row of a slot, as the decoder needs it.
#[derive(Clone, Debug)]
struct Form {
    /// Bytes.
    len: u8,
    /// Bytes to the next part.
    step: u8,
    /// Whether only [`Codec::decode`] can tell if a word is legal.
    strict: bool,
    /// What each value of each byte says of the map's side data.
    bytes: Vec<[[u64; 2]; 256]>,
}

/// A row of a linked slot, as the writer needs it.
#[derive(Clone, Debug)]
struct Linked {
    /// Bits of the map's side data that the slot is to hold and the row does not.
    lacks: [u64; 2],
    /// The constant bits.
    base: u64,
    /// Bytes.
    len: u8,
    /// Where the bits of the part stand in the map: the first of [`Forms::turns`] that say so, and how many.
    first: u16,
    count: u16,
}

struct Forms<I: Isa> {
    codec: Codec<I>,
    tree: Tree,
    forms: Vec<Form>,
    /// The same rows, of linked slots.
    linked: Vec<Linked>,
    turns: Vec<Turn>,
    /// Bytes of each row and from its parts to the next ones. The writer needs no more of other slots, and it stays in the first cache.
    sizes: Vec<[u8; 2]>,
}

/// Most slots of a layout.
const MOST_SLOTS: usize = 64;

/// The layout of an instruction set, ready to use.
pub struct Groups<I: Layout> {
    slots: Vec<Forms<I>>,
    /// How the parts of each slot are found in bytes; those behind the last find nothing.
    lookups: [Lookup; MOST_SLOTS],
    /// Slots that hold parts of the operand map, a bit each.
    linked: u64,
}

fn in_side(field: &Field) -> bool {
    field.pieces()[0].lo >= Code::SIDE
}

impl<I: Isa> Forms<I> {
    fn new(slot: &'static Slot<I>, codec: Codec<I>, map: &[&Field]) -> Forms<I> {
        // All of their bits, also those no row can hold: a value that needs one fits nowhere.
        let named = slot.table.rows().flat_map(crate::row::Row::fields).filter(|field| slot.linked && !in_side(field));
        let targets = named.filter_map(|field| map.iter().find(|target| target.name == field.name));
        let wanted = targets.fold(Code::default(), |all, target| all.or(target.mask()));
        let (mut linked, mut turns) = (Vec::new(), Vec::new());
        let form = |row: &'static crate::row::Row<I>| {
            let fields = row.fields();
            let strict = matches!(row.meaning, crate::row::Meaning::Refused(_))
                || fields.iter().any(|field| !in_side(field) && field.allowed != crate::field::Allowed::Any);
            let (mut moves, mut holds) = (Vec::new(), Code::default());
            let words = fields.iter().filter(|field| slot.linked && !in_side(field));
            for (field, target) in words.filter_map(|f| Some((f, map.iter().find(|target| target.name == f.name)?))) {
                let mut at = target.pieces()[0].lo;
                for bits in field.pieces() {
                    moves.push(Move { word: bits.lo, map: at, ones: bits.ones() });
                    Field::new("", at, bits.len).put(&mut holds, u64::MAX);
                    at += bits.len;
                }
            }
            let len = row.pattern.width.div_ceil(8) as u8;
            let bytes = if moves.is_empty() { Vec::new() } else { (0..len).map(|n| side_of(&moves, n)).collect() };
            if slot.linked {
                let Code([_, _, low, high]) = wanted.without(holds);
                let first = turns.len() as u16;
                turns.extend(turns_of(&moves));
                let count = turns.len() as u16 - first;
                linked.push(Linked { lacks: [low, high], base: row.pattern.base() as u64, len, first, count });
            }
            let step = if slot.overlay { 0 } else { len };
            Form { len, step, strict, bytes }
        };
        let forms: Vec<Form> = slot.table.rows().map(form).collect();
        let tree = Tree::new(slot.table.rows().map(|row| &row.pattern), true);
        let sizes = forms.iter().map(|form| [form.len, form.step]).collect();
        Forms { tree, codec, forms, linked, turns, sizes }
    }
}

impl<I: Layout> Default for Groups<I> {
    fn default() -> Groups<I> {
        Groups::new()
    }
}

/// How the parts of a slot are found in bytes.
fn lookup<I: Isa>(slot: &'static Slot<I>, forms: &Forms<I>) -> Lookup {
    let when = |is: bool, what: Found| if is { what } else { Found::PLAIN };
    Lookup::new(slot.table.rows().map(|row| &row.pattern), &forms.tree, |row, word, bits| {
        let form = row.and_then(|row| Some((row, forms.forms.get(row.index())?)));
        let found = form
            .map_or(Found::UNKNOWN, |(row, form)| Found::new(row, form.step).with(when(form.strict, Found::STRICT)));
        let may_match = |pattern: &Pattern| (pattern.value ^ word) & pattern.fixed & bits == 0;
        found.with(when(slot.again.iter().any(may_match), Found::REPEATS))
    })
}

impl<I: Isa> Slot<I> {
    /// Whether another part of this slot follows the one with this word.
    fn repeats(&self, word: u64) -> bool {
        self.again.iter().any(|pattern| pattern.matches(word.into()))
    }
}

impl<I: Layout> Groups<I> {
    /// What the lookup leaves open: the row of a word of a slot, or whether it allows the word.
    #[cold]
    #[inline(never)]
    fn look_closer(&self, slot: u8, found: Found, word: u128) -> Option<Found> {
        let slot = self.slots.get(usize::from(slot))?;
        let row = if found.has(Found::UNKNOWN) { slot.tree.find(word)? } else { found.row() };
        let form = slot.forms.get(row.index())?;
        let is_allowed = !form.strict || slot.codec.allows(row, Code::from(word & ones(form.len)));
        is_allowed.then(|| Found::new(row, form.step))
    }

    /// Prepares the layout.
    ///
    /// # Panics
    /// If a table is not sound; [`crate::check`] reports it without panicking.
    pub fn new() -> Groups<I> {
        let codecs = Codec::all(I::slots().iter().map(|slot| slot.table));
        let slots = I::slots().iter().zip(codecs);
        let slots: Vec<Forms<I>> = slots.map(|(slot, codec)| Forms::new(slot, codec, I::map())).collect();
        assert!(slots.len() <= MOST_SLOTS, "a layout has at most {MOST_SLOTS} slots");
        let mut lookups = I::slots().iter().zip(&slots).map(|(slot, forms)| lookup(slot, forms));
        let lookups = std::array::from_fn(|_| lookups.next().unwrap_or_default());
        let linked = I::slots().iter().enumerate().filter(|(_, slot)| slot.linked);
        let linked = linked.fold(0, |all, (n, _)| all | 1 << n);
        Groups { slots, lookups, linked }
    }

    /// The codec of a slot.
    #[inline]
    pub fn codec(&self, slot: u8) -> &Codec<I> {
        &self.slots[usize::from(slot)].codec
    }

    /// Bytes of the group that starts with these eight.
    #[inline]
    pub fn len_of(&self, first: u64) -> usize {
        I::len(first).clamp(1, MOST_BYTES)
    }

    /// The group at byte `at`; `None` at the end. The next one starts behind it.
    ///
    /// # Errors
    /// What is wrong with it. Its span are its bytes as far as its header tells them.
    pub fn decode(&self, binary: &Binary, at: usize) -> Option<Result<Group, Box<Diag>>> {
        let mut group = Group::default();
        let decoded = self.decode_into(binary, at, &mut group)?;
        Some(decoded.map(|()| group))
    }

    /// The same in the place of another group, for those who read many: returning one copies what was just written in small pieces,
    /// and the processor waits for that.
    ///
    /// # Errors
    /// What is wrong with the group; then the place holds none.
    #[inline]
    pub fn decode_into(&self, binary: &Binary, at: usize, group: &mut Group) -> Option<Result<(), Box<Diag>>> {
        let left = binary.len().checked_sub(at).filter(|left| *left > 0)?;
        let bytes = binary.span(at)?;
        let first = first_of(bytes);
        let len = self.len_of(first);
        // What is told here reaches those who read the next group without a way over memory.
        (group.offset, group.len) = (at as u32, len as u8);
        if len <= left
            && let Some(slots) = I::parts(first, 0)
            && self.parts(bytes, len, slots, group).is_some()
        {
            return Some(Ok(()));
        }
        Some(self.decode_slow(binary, at, group))
    }

    /// The parts of a group of so many bytes, if it has these. A function of its own, so that its loop has all registers.
    #[inline(never)]
    fn parts(&self, bytes: &[u8; SPAN], len: usize, slots: &[u8], group: &mut Group) -> Option<()> {
        let (mut at, mut count) = (0, 0);
        for &slot in slots {
            // Parts beyond the longest group make no group, whatever is read in their place.
            let found = self.lookups[usize::from(slot) % MOST_SLOTS].find(word_in(bytes, at));
            if found.is_plain() {
                group.put(count, found, slot, at);
                (at, count) = (behind(at, found.len()), count + 1);
            } else {
                (at, count) = self.special_parts(bytes, slot, found, group, (at, count))?;
            }
        }
        if at > len || count > MOST_PARTS {
            return None;
        }
        (group.count, group.used) = (count as u8, at as u8);
        if at < len && !I::padding(bytes.get(at..len)?) {
            return None;
        }
        Some(())
    }

    /// The parts of a slot that may be several, or take a closer look; the place behind them, and how many parts the
    /// group then has.
    #[inline(never)]
    fn special_parts(
        &self,
        bytes: &[u8; SPAN],
        slot: u8,
        mut what: Found,
        group: &mut Group,
        (mut at, mut count): (usize, usize),
    ) -> Option<(usize, usize)> {
        while count < MOST_PARTS {
            let found = match what.has(Found::UNKNOWN.with(Found::STRICT)) {
                true => self.look_closer(slot, what, window_in(bytes, at))?,
                false => what.plain(),
            };
            group.put(count, found, slot, at);
            count += 1;
            let word = word_in(bytes, at);
            at = behind(at, found.len());
            if !what.has(Found::REPEATS) || !I::slots()[usize::from(slot)].repeats(word) {
                return Some((at, count));
            }
            what = self.lookups[usize::from(slot) % MOST_SLOTS].find(word_in(bytes, at));
        }
        None
    }

    /// Tries the other layouts, and says what is wrong with the first.
    #[cold]
    #[inline(never)]
    fn decode_slow(&self, binary: &Binary, at: usize, group: &mut Group) -> Result<(), Box<Diag>> {
        let (left, len) = (binary.len() - at, usize::from(group.len));
        if len > left {
            return Err(Box::new(self.slots[0].codec.explain_cut(Cut { offset: at, have: left, need: len })));
        }
        let bytes = binary.span(at).unwrap_or(&[0; SPAN]);
        let layouts = || (0..).map_while(|n| I::parts(first_of(bytes), n));
        if layouts().any(|slots| self.parts(bytes, len, slots, group).is_some()) {
            return Ok(());
        }
        // The layout that gets furthest says it best.
        let wrong = layouts().map(|slots| self.explain(binary, at, len, slots)).max_by_key(|(at, _)| *at);
        let (_, mut diag) = wrong.unwrap_or_else(|| {
            let message = "the header describes an impossible set of parts";
            (0, Diag::invalid("group-header", Span::default(), message))
        });
        diag.span = Some(Span::new(at, at + len));
        Err(Box::new(diag))
    }

    /// What is wrong with a group, and how many of its bytes are right.
    fn explain(&self, binary: &Binary, offset: usize, len: usize, slots: &[u8]) -> (usize, Diag) {
        let (mut at, mut count) = (0, 0);
        let span = Span::new(offset, offset + len);
        for &slot in slots {
            let (forms, data) = (&self.slots[usize::from(slot)], &I::slots()[usize::from(slot)]);
            loop {
                let window = binary.window(offset + at);
                let place = format!("{} at byte {at} of the group", data.name);
                let part = forms.tree.find(window).map(|row| forms.forms[row.index()].len).unwrap_or(0);
                if at + usize::from(part).max(1) > len {
                    let message = format!("{place} takes {part} bytes; the group has {len}");
                    return (at, Diag::invalid("part-outside-group", span, message));
                }
                if let Err(reject) = forms.codec.decode(window & ones(part)) {
                    let mut diag = forms.codec.explain(window & ones(part.max(1)), reject, span);
                    diag.message = format!("{place}: {}", diag.message);
                    return (at, diag);
                }
                count += 1;
                if count > MOST_PARTS {
                    let message = format!("{place}: a group has at most {MOST_PARTS} parts");
                    return (at, Diag::invalid("group-parts", span, message));
                }
                if !data.overlay {
                    at += usize::from(part);
                }
                if !data.repeats(window as u64) {
                    break;
                }
            }
        }
        let message =
            format!("the parts of the group end at byte {at}, and the {} after them is not padding", len - at);
        (at, Diag::invalid("group-padding", span, message))
    }

    /// The word of a part.
    #[inline(always)]
    pub fn word(&self, binary: &Binary, group: &Group, part: &Part) -> u128 {
        let len = match part.len {
            0 => self.slots[usize::from(part.slot)].forms[part.row.index()].len,
            len => len as u8,
        };
        binary.window(group.offset as usize + usize::from(part.at)) & ones(len)
    }

    /// The operand map of a group.
    #[inline]
    pub fn map(&self, binary: &Binary, group: &Group) -> Code {
        let mut side = [0; 2];
        let Some(bytes) = binary.span(group.offset as usize) else { return Code::default() };
        for part in group.parts().iter().filter(|part| self.linked >> (part.slot & 63) & 1 != 0) {
            let form = &self.slots[usize::from(part.slot)].forms[part.row.index()];
            let mut word = word_in(bytes, part.at.into());
            for values in &form.bytes {
                let [low, high] = values[usize::from(word as u8)];
                side = [side[0] | low, side[1] | high];
                word >>= 8;
            }
        }
        Code([0, 0, side[0], side[1]])
    }

    /// Whether the writer would choose the same rows for the linked parts, given the group's operand map.
    pub fn is_shortest(&self, group: &Group, map: &Code) -> bool {
        let linked = group.parts().iter().filter(|part| self.linked >> (part.slot & 63) & 1 != 0);
        linked.into_iter().all(|part| self.slots[usize::from(part.slot)].fitting(map) == Some(part.row.index()))
    }

    /// Appends the bytes of a group: the words of its parts by slot, in the order of the layout, and its operand map. `header`
    /// are its first eight bytes as far as they say which parts follow.
    ///
    /// # Errors
    /// The slot that cannot hold what it should; then something may be appended all the same.
    pub fn build(
        &self,
        header: u64,
        words: impl Iterator<Item = (u8, RowId, u128)> + Clone,
        map: &Code,
        out: &mut Vec<u8>,
    ) -> Result<(), u8> {
        let (start, mut refused) = (out.len(), 0);
        for attempt in 0.. {
            let Some(slots) = I::parts(header, attempt) else { break };
            match self.write(slots, words.clone(), map, out) {
                Ok(()) => {
                    I::pad(out, start);
                    return Ok(());
                }
                Err(slot) if attempt == 0 => refused = slot,
                Err(_) => {}
            }
            out.truncate(start);
        }
        Err(refused)
    }

    /// Appends the bytes of a group that has these slots.
    fn write(
        &self,
        slots: &[u8],
        mut words: impl Iterator<Item = (u8, RowId, u128)>,
        map: &Code,
        out: &mut Vec<u8>,
    ) -> Result<(), u8> {
        let start = out.len();
        out.resize(start + SPAN, 0);
        let mut written = Written { bytes: out.last_chunk_mut().ok_or(0)?, len: 0 };
        // Bits of parts that share the bytes of the next one.
        let mut shared = 0;
        let mut next = words.next();
        for &slot in slots {
            let forms = self.slots.get(usize::from(slot)).ok_or(slot)?;
            if self.linked >> (slot & 63) & 1 != 0 {
                let form = &forms.linked[forms.fitting(map).ok_or(slot)?];
                let turns = forms.turns.get(usize::from(form.first)..).unwrap_or_default();
                let word = turns.iter().take(form.count.into()).fold(form.base, |word, turn| {
                    word | map.0[usize::from(turn.limb) & 3].rotate_left(turn.left) & turn.bits
                });
                written.put(word.into(), form.len);
                continue;
            }
            let mut missing = true;
            while let Some((_, row, word)) = next.filter(|(of, ..)| *of == slot) {
                if word >> 127 != 0 {
                    return Err(slot);
                }
                let [len, step] = forms.sizes[row.index()];
                shared |= word;
                // Otherwise the next part shares its bytes.
                if step > 0 {
                    written.put(shared, len);
                    shared = 0;
                }
                (missing, next) = (false, words.next());
            }
            if missing {
                return Err(slot);
            }
        }
        if let Some((slot, ..)) = next {
            return Err(slot);
        }
        let len = written.len;
        out.resize(start + len, 0);
        Ok(())
    }
}

impl<I: Isa> Forms<I> {
    /// The number of the first row of a linked slot that holds what the map says of it.
    #[inline(always)]
    fn fitting(&self, map: &Code) -> Option<usize> {
        self.linked.iter().position(|form| map.0[2] & form.lacks[0] | map.0[3] & form.lacks[1] == 0)
    }
}

/// Bytes of a group in the making, where they stay.
struct Written<'a> {
    bytes: &'a mut [u8; SPAN],
    /// How many there are; those behind the longest group are only counted.
    len: usize,
}

impl Written<'_> {
    /// Writes the first `len` bytes of a word.
    #[inline(always)]
    fn put(&mut self, word: u128, len: u8) {
        let at = self.len.min(MOST_BYTES);
        // As many bytes as a word can have, of which those of the row stay.
        self.bytes[at..at + WINDOW].copy_from_slice(&word.to_le_bytes());
        self.len += usize::from(len);
    }
}

/// The same as moves from the map to the word.
fn turns_of(moves: &[Move]) -> Vec<Turn> {
    let mut turns: Vec<Turn> = Vec::new();
    for bits in moves {
        let (limb, left) = (bits.map >> 6, u32::from(bits.word.wrapping_sub(bits.map) & 63));
        let taken = bits.ones << (bits.word & 63);
        match turns.iter_mut().find(|turn| (turn.limb, turn.left) == (limb, left)) {
            Some(turn) => turn.bits |= taken,
            None => turns.push(Turn { limb, left, bits: taken }),
        }
    }
    turns
}

/// What the values of byte `n` of a word say of the map's side data.
fn side_of(moves: &[Move], n: u8) -> [[u64; 2]; 256] {
    let mut all = [[0; 2]; 256];
    for (value, side) in all.iter_mut().enumerate() {
        let word = (value as u64) << (8 * u32::from(n) % 64);
        for bits in moves {
            side[usize::from(bits.map >> 6) & 1] |= (word >> (bits.word & 63) & bits.ones) << (bits.map & 63);
        }
    }
    all
}

/// The first eight bytes of a group as a little-endian word.
#[inline(always)]
fn first_of(bytes: &[u8; SPAN]) -> u64 {
    word_in(bytes, 0)
}

/// What [`Binary::window`] reads, from a byte inside of the longest group on.
#[inline(always)]
fn window_in(bytes: &[u8; SPAN], at: usize) -> u128 {
    let start = at % MOST_BYTES;
    bytes[start..start + WINDOW].first_chunk().map_or(0, |word| u128::from_le_bytes(*word) & (u128::MAX >> 1))
}

/// Eight bytes of a group as a little-endian word, from a byte inside of the longest group on.
#[inline(always)]
fn word_in(bytes: &[u8; SPAN], at: usize) -> u64 {
    let start = at % MOST_BYTES;
    bytes[start..start + 8].first_chunk().map_or(0, |word| u64::from_le_bytes(*word))
}

/// The place behind a part of `len` bytes at `at`.
///
/// Usual lengths are told by a branch, which the processor predicts, and which the compiler must not turn into an addition of
/// the length: that would make the look-up of each part wait for that of the one before it.
#[inline(always)]
fn behind(at: usize, len: u16) -> usize {
    match len {
        1 => {
            black_box(());
            at + 1
        }
        2 => {
            black_box(());
            at + 2
        }
        _ => at + usize::from(len),
    }
}

/// As many bytes of ones.
#[inline(always)]
fn ones(len: u8) -> u128 {
    const ONES: [u128; 17] = {
        let mut all = [u128::MAX; 17];
        let mut len = 0;
        while len < 16 {
            all[len] = (1 << (8 * len)) - 1;
            len += 1;
        }
        all
    };
    ONES[usize::from(len.min(16))]
}
