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
use crate::{code::Code, field::Field, stream::Cut};
use parallax_text::{Diag, Span};
use std::hint::black_box;

/// Most parts of a group.
pub const MOST_PARTS: usize = 14;
/// Most bytes of a group.
pub const MOST_BYTES: usize = 32;
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
    /// Whether another part of this slot follows the one with this word.
    pub again: Option<fn(u64) -> bool>,
    /// Whether it describes other bits of the same bytes as the next slot: several units that share a byte.
    pub overlay: bool,
    /// Whether the part only holds what the operand map holds. The writer then chooses the first row that can hold it.
    pub linked: bool,
}

/// How groups are laid out.
pub struct Layout<I: Isa> {
    /// The kinds of parts.
    pub slots: &'static [Slot<I>],
    /// The slots of a group in the order of their bytes, as its first eight bytes say. Where they leave several layouts
    /// open, the one is taken whose parts fill the group; the number counts them from 0, `None` stands behind the last.
    pub parts: fn(u64, usize) -> Option<&'static [u8]>,
    /// Bytes of a group, padding included, as its first eight bytes say: at most [`MOST_BYTES`].
    pub len: fn(u64) -> usize,
    /// Whether these bytes can stand behind the parts.
    pub padding: fn(&[u8]) -> bool,
    /// Brings the bytes of a group, which start at this one, to a length it can have, and writes that length into its header.
    pub pad: fn(&mut Vec<u8>, usize),
    /// The fields of the operand map that linked parts hold, all of them in the side data. Linked parts have at most eight
    /// bytes.
    pub map: &'static [&'static Field],
}

/// A part of a group.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// Its row.
    pub row: RowId,
    /// Its bytes. As wide as the row: both are stored at once.
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
    parts: [Part; MOST_PARTS],
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
}

impl Binary {
    /// Takes a copy.
    pub fn new(bytes: &[u8]) -> Binary {
        let mut copy = Vec::with_capacity(bytes.len() + MOST_BYTES + WINDOW);
        copy.extend_from_slice(bytes);
        copy.resize(bytes.len() + MOST_BYTES + WINDOW, 0);
        Binary { bytes: copy }
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len()]
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.bytes.len().saturating_sub(MOST_BYTES + WINDOW)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Eight bytes from byte `at` on as a little-endian word.
    #[inline(always)]
    fn first(&self, at: usize) -> u64 {
        let rest = self.bytes.get(at..).and_then(|rest| rest.first_chunk::<8>());
        u64::from_le_bytes(rest.copied().unwrap_or_default())
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
    /// Whether only [`Codec::decode`] can tell if a word is legal.
    strict: bool,
    /// Where the bits of the part stand in the map.
    turns: Vec<Turn>,
    /// What each value of each byte says of the map's side data.
    bytes: Vec<[[u64; 2]; 256]>,
    /// Bits of the map's side data the row holds.
    holds: [u64; 2],
    /// The constant bits of a linked part.
    base: u64,
}

struct Forms<I: Isa> {
    codec: Codec<I>,
    tree: Tree,
    forms: Vec<Form>,
    /// Bits of the map's side data the slot is to hold.
    holds: [u64; 2],
}

/// How the parts of a slot are found in bytes.
#[derive(Clone, Debug, Default)]
struct Finder {
    lookup: Lookup,
    /// Whether the next part shares its bytes, or may be of the same slot.
    special: bool,
    overlay: bool,
    again: Option<fn(u64) -> bool>,
}

/// Most slots of a layout.
const MOST_SLOTS: usize = 64;

/// A layout, ready to use.
pub struct Groups<I: Isa> {
    layout: &'static Layout<I>,
    slots: Vec<Forms<I>>,
    /// By slot; those behind the last find nothing.
    finders: Box<[Finder; MOST_SLOTS]>,
    /// Slots that hold parts of the operand map, a bit each.
    linked: u64,
}

fn in_side(field: &Field) -> bool {
    field.pieces()[0].lo >= Code::SIDE
}

impl<I: Isa> Forms<I> {
    fn new(slot: &'static Slot<I>, codec: Codec<I>, map: &[&Field]) -> Forms<I> {
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
            let turns = turns_of(&moves);
            Form { len, strict, turns, bytes, holds: [holds.0[2], holds.0[3]], base: row.pattern.base() as u64 }
        };
        let forms: Vec<Form> = slot.table.rows().map(form).collect();
        // All of their bits, also those no row can hold: a value that needs one fits nowhere.
        let named = slot.table.rows().flat_map(crate::row::Row::fields).filter(|field| slot.linked && !in_side(field));
        let targets = named.filter_map(|field| map.iter().find(|target| target.name == field.name));
        let holds = targets.fold(Code::default(), |all, target| all.or(target.mask()));
        let tree = Tree::new(slot.table.rows().map(|row| &row.pattern), true);
        Forms { tree, codec, forms, holds: [holds.0[2], holds.0[3]] }
    }
}

impl Finder {
    fn new<I: Isa>(slot: &'static Slot<I>, forms: &Forms<I>) -> Finder {
        let len = |row: RowId| Some(forms.forms.get(row.index()).filter(|form| !form.strict)?.len);
        let lookup = Lookup::new(slot.table.rows().map(|row| &row.pattern), &forms.tree, len);
        let special = slot.overlay || slot.again.is_some();
        Finder { lookup, special, overlay: slot.overlay, again: slot.again }
    }
}

impl<I: Isa> Groups<I> {
    /// The row of a word of a slot that the lookup does not tell.
    #[cold]
    #[inline(never)]
    fn look_closer(&self, slot: u8, word: u128) -> Option<Found> {
        let slot = self.slots.get(usize::from(slot))?;
        let row = slot.tree.find(word)?;
        let form = slot.forms.get(row.index())?;
        if form.strict && slot.codec.decode(word & ones(form.len)) != Ok(row) {
            return None;
        }
        Some(Found::new(row, form.len))
    }

    /// Prepares a layout.
    ///
    /// # Panics
    /// If a table is not sound; [`crate::check`] reports it without panicking.
    pub fn new(layout: &'static Layout<I>) -> Groups<I> {
        let codecs = Codec::all(layout.slots.iter().map(|slot| slot.table));
        let slots = layout.slots.iter().zip(codecs);
        let slots: Vec<Forms<I>> = slots.map(|(slot, codec)| Forms::new(slot, codec, layout.map)).collect();
        assert!(slots.len() <= MOST_SLOTS, "a layout has at most {MOST_SLOTS} slots");
        let mut finders = layout.slots.iter().zip(&slots).map(|(slot, forms)| Finder::new(slot, forms));
        let finders = Box::new(std::array::from_fn(|_| finders.next().unwrap_or_default()));
        let linked = layout.slots.iter().enumerate().filter(|(_, slot)| slot.linked);
        let linked = linked.fold(0, |all, (n, _)| all | 1 << n);
        Groups { layout, slots, finders, linked }
    }

    /// The layout it was made from.
    pub fn layout(&self) -> &'static Layout<I> {
        self.layout
    }

    /// A kind of part.
    pub fn slot(&self, slot: u8) -> &'static Slot<I> {
        &self.layout.slots[usize::from(slot)]
    }

    /// The codec of a slot.
    #[inline]
    pub fn codec(&self, slot: u8) -> &Codec<I> {
        &self.slots[usize::from(slot)].codec
    }

    /// Bytes of the group that starts with these eight.
    #[inline]
    pub fn len_of(&self, first: u64) -> usize {
        (self.layout.len)(first).clamp(1, MOST_BYTES)
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
        let first = binary.first(at);
        let len = self.len_of(first);
        if len <= left
            && let Some(slots) = (self.layout.parts)(first, 0)
            && self.parts(binary, at, len, slots, group).is_some()
        {
            return Some(Ok(()));
        }
        Some(self.decode_slow(binary, at, len, group))
    }

    /// The parts of a group, if there is nothing special about it. A function of its own, so that its loop has all registers.
    #[inline(never)]
    fn parts(&self, binary: &Binary, offset: usize, len: usize, slots: &[u8], group: &mut Group) -> Option<()> {
        let bytes = binary.span(offset)?;
        let mut at = 0;
        let mut room = group.parts.iter_mut();
        for &slot in slots {
            let finder = &self.finders[usize::from(slot) % MOST_SLOTS];
            loop {
                // Parts beyond the longest group make no group, whatever is read in their place.
                let word = word_in(bytes, at);
                let mut found = finder.lookup.find(word);
                if !found.is_known() {
                    found = self.look_closer(slot, binary.window(offset + at))?;
                }
                *room.next()? = Part { row: found.row(), len: found.len(), slot, at: at as u8 };
                if !finder.special {
                    at = behind(at, found.len());
                    break;
                }
                if !finder.overlay {
                    at = behind(at, found.len());
                }
                if !finder.again.is_some_and(|again| again(word)) {
                    break;
                }
            }
        }
        if at > len {
            return None;
        }
        (group.count, group.used) = ((MOST_PARTS - room.len()) as u8, at as u8);
        (group.offset, group.len) = (offset as u32, len as u8);
        if at < len && !(self.layout.padding)(binary.bytes.get(offset + at..offset + len)?) {
            return None;
        }
        Some(())
    }

    /// Tries the other layouts, and says what is wrong with the first.
    #[cold]
    #[inline(never)]
    fn decode_slow(&self, binary: &Binary, at: usize, len: usize, group: &mut Group) -> Result<(), Box<Diag>> {
        let left = binary.len() - at;
        if len > left {
            return Err(Box::new(self.slots[0].codec.explain_cut(Cut { offset: at, have: left, need: len })));
        }
        let first = binary.window(at) as u64;
        let layouts = || (0..).map_while(|n| (self.layout.parts)(first, n));
        if layouts().any(|slots| self.parts(binary, at, len, slots, group).is_some()) {
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
            let (forms, data) = (&self.slots[usize::from(slot)], &self.layout.slots[usize::from(slot)]);
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
                if !data.again.is_some_and(|again| again(window as u64)) {
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
        binary.window(group.offset as usize + usize::from(part.at)) & ones(part.len as u8)
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
        let linked = group.parts().iter().filter(|part| self.layout.slots[usize::from(part.slot)].linked);
        linked.into_iter().all(|part| self.linked(part.slot, map) == Some(part.row))
    }

    /// The first row of a linked slot that holds what the map says of it.
    fn linked(&self, slot: u8, map: &Code) -> Option<RowId> {
        let slot = &self.slots[usize::from(slot)];
        let wanted = [map.0[2] & slot.holds[0], map.0[3] & slot.holds[1]];
        let fits = |form: &Form| wanted[0] & !form.holds[0] | wanted[1] & !form.holds[1] == 0;
        slot.forms.iter().position(fits).map(|n| RowId(n as u16))
    }

    /// Appends the bytes of a group: the words of its parts by slot, in the order of the layout, and its operand map. `header`
    /// are its first eight bytes as far as they say which parts follow.
    ///
    /// # Errors
    /// The slot that cannot hold what it should.
    pub fn build(
        &self,
        header: u64,
        words: impl Iterator<Item = (u8, RowId, u128)> + Clone,
        map: &Code,
        out: &mut Vec<u8>,
    ) -> Result<(), u8> {
        let mut present = 0u64;
        for (slot, _, word) in words.clone() {
            if word >> 127 != 0 {
                return Err(slot);
            }
            present |= 1 << (slot & 63);
        }
        let mut layouts = (0..).map_while(|n| (self.layout.parts)(header, n));
        let complete = |slots: &&[u8]| present & !slots.iter().fold(0, |all, slot| all | 1 << (slot & 63)) == 0;
        let Some(slots) = layouts.find(complete) else { return Err(0) };
        let start = out.len();
        let mut written = Written { bytes: [0; SPAN], len: 0, shared: 0 };
        let mut words = words.peekable();
        for &slot in slots {
            let forms = &self.slots[usize::from(slot)];
            if self.linked >> (slot & 63) & 1 != 0 {
                let row = self.linked(slot, map).ok_or(slot)?;
                let form = &forms.forms[row.index()];
                let word = form
                    .turns
                    .iter()
                    .fold(0, |word, turn| word | map.0[usize::from(turn.limb) & 3].rotate_left(turn.left) & turn.bits);
                written.put(u128::from(word | form.base), form.len, out);
                continue;
            }
            let overlay = self.layout.slots[usize::from(slot)].overlay;
            let (_, mut row, mut word) = words.next_if(|(of, ..)| *of == slot).ok_or(slot)?;
            loop {
                if overlay {
                    written.shared |= word;
                } else {
                    written.put(word, forms.forms[row.index()].len, out);
                }
                match words.next_if(|(of, ..)| *of == slot) {
                    Some(next) => (_, row, word) = next,
                    None => break,
                }
            }
        }
        out.extend_from_slice(&written.bytes[..written.len]);
        if let Some((slot, ..)) = words.next() {
            return Err(slot);
        }
        (self.layout.pad)(out, start);
        Ok(())
    }
}

/// Bytes of a group in the making, as many as are collected before they are appended.
struct Written {
    bytes: [u8; SPAN],
    len: usize,
    /// Bits of parts that share the bytes of the next one.
    shared: u128,
}

impl Written {
    /// Writes the first `len` bytes of a word.
    #[inline(always)]
    fn put(&mut self, word: u128, len: u8, out: &mut Vec<u8>) {
        if self.len > MOST_BYTES {
            out.extend_from_slice(&self.bytes[..self.len]);
            self.len = 0;
        }
        // As many bytes as a word can have, of which those of the row stay.
        self.bytes[self.len..self.len + WINDOW].copy_from_slice(&(word | self.shared).to_le_bytes());
        self.len += usize::from(len);
        self.shared = 0;
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
        1 => at + black_box(1),
        2 => at + black_box(2),
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
