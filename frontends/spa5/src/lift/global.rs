//! Loads and stores of global, generic and shared memory.
//!
//! A global address has 64 bits: which buffer it is of in those from 40 on, and the place in the buffer below
//! ([`kernel`](super::kernel)). Where the address comes from one parameter, only its buffer is accessed; else every buffer is
//! asked whether it is the one. What is outside of every buffer reads as 0 and is not written, and is a [fault](super::fault) unless the
//! caller asks otherwise. An access that the address does not divide is moved down to the next one that it does, where hardware would
//! stop.

use super::Ctx;
use super::fault::{Room, Size};
use super::kernel::{LOCAL_WINDOW, SHARED_WINDOW, base};
use crate::fields::RZ;
use crate::view::{Name, Operands};
use parallax_core::{Access, ArrayId, AtomicOp, OpKind, ValueId};
use parallax_num::Op;
use smallvec::SmallVec;

/// An address beyond all words of any buffer, and so are those of the three words behind it.
pub(super) const OUTSIDE: u32 = 0xffff_fff0;

/// Bytes of an access by its size; 0 for reserved ones.
pub(super) const BYTES: [u32; 7] = [1, 1, 2, 2, 4, 8, 16];

/// Most values that are looked at to find the pointer of an address.
const MAX_STEPS: usize = 64;

/// What is known of the pointer in the high word of an address.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Pointer {
    /// It is a number that comes from no pointer.
    None,
    /// That of this parameter.
    One(u32),
    Unknown,
}

/// Which memory an instruction accesses.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Space {
    Global,
    /// Global memory, with windows that lead to shared and local memory.
    Generic,
    Shared,
}

/// Where an access goes: a place in every buffer it may mean, which is outside of those that it does not.
pub(super) type Places = SmallVec<[(u16, ValueId); 4]>;

/// An address.
#[derive(Copy, Clone)]
pub(super) struct Address {
    pub(super) low: ValueId,
    /// The high word; shared memory has none.
    pub(super) high: Option<ValueId>,
}

impl Ctx<'_, '_> {
    /// A register pair plus an offset.
    fn wide_address(&mut self, i: Operands, offset: i32) -> Address {
        let number = i.a().register();
        let (low, high) = (self.register(number), self.register_after(number, 1));
        let (low, high) = (self.word_of(low), self.word_of(high));
        if offset == 0 {
            return Address { low, high: Some(high) };
        }
        // An offset without a register has no sign.
        let (add, sign) = (self.lit(offset as u32), if offset < 0 && number != RZ { u32::MAX } else { 0 });
        let sum = self.l.b.int(Op::Iadd, &[low, add]);
        let carry = self.l.b.int(Op::Ult, &[sum, low]);
        let (plus, zero) = (self.lit(sign.wrapping_add(1)), self.lit(sign));
        let plus = self.l.b.select(carry, plus, zero);
        let high = self.l.b.int(Op::Iadd, &[high, plus]);
        Address { low: sum, high: Some(high) }
    }

    /// The address of an instruction; `None`, with an error, if nothing stands at such addresses.
    fn address_in(&mut self, i: Operands, space: Space, offset: i32) -> Option<Address> {
        if self.kernel.is_none() {
            self.refuse("only kernels have global and shared memory");
            return None;
        }
        if space == Space::Shared {
            let val = self.register(i.a().register());
            let (low, offset) = (self.word_of(val), self.lit(offset as u32));
            return Some(Address { low: self.l.b.int(Op::Iadd, &[low, offset]), high: None });
        }
        if !i.has(Name::Extended64) {
            self.refuse("an address of 32 bits: buffers have addresses of 64 bits, `.E`");
            return None;
        }
        Some(self.wide_address(i, offset))
    }

    /// The places of an access of so many bytes at the address of an instruction. In lanes that do not execute it, they are outside where
    /// it `writes`.
    pub(super) fn places(&mut self, i: Operands, space: Space, bytes: u32, writes: bool) -> Option<Places> {
        let offset = i.signed(Name::Offset);
        self.places_at(i, space, offset, bytes, writes)
    }

    /// The same at another offset.
    pub(super) fn places_at(
        &mut self,
        i: Operands,
        space: Space,
        offset: i32,
        bytes: u32,
        writes: bool,
    ) -> Option<Places> {
        let address = self.address_in(i, space, offset)?;
        let Address { low, high } = address;
        let mask = self.lit(!(bytes - 1));
        let low = if bytes > 4 { self.l.b.int(Op::Iand, &[low, mask]) } else { low };
        let guard = self.guard.filter(|_| writes);
        let mut places = Places::new();
        let Some(high) = high else {
            let shared = self.memories.shared(&mut self.l);
            let size = Size::Bytes(self.memories.shared_size());
            self.note_fault(address, bytes, &[Room { is_it: None, at: low, size }]);
            places.push((shared, self.if_meant(guard, low)));
            return Some(places);
        };
        let mut steps = MAX_STEPS;
        let only = match self.pointer_in(high, &mut steps) {
            Pointer::One(number) => Some(number),
            _ => None,
        };
        let mut rooms = SmallVec::<[Room; 4]>::new();
        let all = self.memories.pointers.clone();
        for (number, buffer) in all.into_iter().filter(|(number, _)| only.is_none_or(|only| only == *number)) {
            let own = self.lit(base(number));
            let is_it = self.l.b.int(Op::Ieq, &[high, own]);
            rooms.push(Room { is_it: Some(is_it), at: low, size: Size::Buffer(buffer) });
            let is_it = self.both(guard, is_it);
            places.push((buffer, self.if_meant(Some(is_it), low)));
        }
        if space == Space::Generic && only.is_none() && self.memories.shared_bytes > 0 {
            let size = self.memories.shared_bytes;
            let (is_low, at) = self.in_window(low, high, SHARED_WINDOW);
            rooms.push(Room { is_it: Some(is_low), at, size: Size::Bytes(self.memories.shared_size()) });
            let size = self.lit(size);
            let is_inside = self.l.b.int(Op::Ult, &[at, size]);
            let is_it = self.l.b.int(Op::Pand, &[is_low, is_inside]);
            let is_it = self.both(guard, is_it);
            let shared = self.memories.shared(&mut self.l);
            places.push((shared, self.if_meant(Some(is_it), at)));
        }
        if space == Space::Generic && only.is_none() && self.registers.local.is_some() {
            let (is_low, at) = self.in_window(low, high, LOCAL_WINDOW);
            rooms.push(Room { is_it: Some(is_low), at, size: Size::Bytes(self.registers.local_bytes()) });
        }
        self.note_fault(address, bytes, &rooms);
        Some(places)
    }

    /// Whether the high word of a generic address is that of windows, and where in one the address is then.
    fn in_window(&mut self, low: ValueId, high: ValueId, window: u32) -> (ValueId, ValueId) {
        let (zero, window) = (self.lit(0), self.lit(window));
        let is_low = self.l.b.int(Op::Ieq, &[high, zero]);
        (is_low, self.l.b.int(Op::Isub, &[low, window]))
    }

    /// Which pointer the high word of an address comes from: it is one parameter's, and numbers that come from no pointer and from no
    /// memory are added.
    fn pointer_in(&self, value: ValueId, steps: &mut usize) -> Pointer {
        *steps = steps.saturating_sub(1);
        let func = &self.l.b.func;
        let Some(op) = func.def_op(value).filter(|_| *steps > 0) else { return Pointer::Unknown };
        let (kind, args) = (func.ops[op].kind, &func.ops[op].args);
        match kind {
            OpKind::Const { bank: 0, index, comp } => {
                let word = 4 * index + u32::from(comp);
                let kernel = self.kernel.as_ref();
                let holds = |number: &u32| {
                    let param = kernel.and_then(|kernel| kernel.params.get(*number as usize));
                    param.is_some_and(|param| param.offset / 4 + 1 == word)
                };
                let found = self.memories.pointers.iter().map(|(number, _)| *number).find(holds);
                found.map_or(Pointer::None, Pointer::One)
            }
            OpKind::Literal(_) | OpKind::Sys(_) | OpKind::Const { .. } => Pointer::None,
            OpKind::Num(Op::Iadd) => match [args[0], args[1]].map(|arg| self.pointer_in(arg, steps)) {
                [one, Pointer::None] | [Pointer::None, one] => one,
                _ => Pointer::Unknown,
            },
            OpKind::Select => match [args[1], args[2]].map(|arg| self.pointer_in(arg, steps)) {
                [one, other] if one == other => one,
                _ => Pointer::Unknown,
            },
            OpKind::Num(_) => {
                let is_number = |arg: ValueId| self.pointer_in(arg, steps) == Pointer::None;
                if args.iter().copied().all(is_number) { Pointer::None } else { Pointer::Unknown }
            }
            _ => Pointer::Unknown,
        }
    }

    pub(super) fn both(&mut self, guard: Option<ValueId>, pred: ValueId) -> ValueId {
        match guard {
            Some(guard) => self.l.b.int(Op::Pand, &[guard, pred]),
            None => pred,
        }
    }

    /// An address where it is meant, else one outside.
    fn if_meant(&mut self, is_it: Option<ValueId>, address: ValueId) -> ValueId {
        let Some(is_it) = is_it else { return address };
        let outside = self.lit(OUTSIDE);
        self.l.b.select(is_it, address, outside)
    }

    fn behind(&mut self, address: ValueId, words: u32) -> ValueId {
        if words == 0 {
            return address;
        }
        let bytes = self.lit(4 * words);
        self.l.b.int(Op::Iadd, &[address, bytes])
    }

    /// What all places hold together: those outside hold 0.
    pub(super) fn together(&mut self, found: &[ValueId]) -> ValueId {
        let zero = self.lit(0);
        found.iter().copied().reduce(|all, one| self.l.b.int(Op::Ior, &[all, one])).unwrap_or(zero)
    }

    /// The word `n` words behind places.
    pub(super) fn word_at(&mut self, places: &Places, n: u32, access: Access) -> ValueId {
        let mut found = SmallVec::<[ValueId; 4]>::new();
        for &(buffer, address) in places {
            let at = self.behind(address, n);
            found.push(self.l.b.value(OpKind::BufferLoad { buffer, access }, None, &[at]));
        }
        self.together(&found)
    }

    /// Sets the word `n` words behind places.
    pub(super) fn set_word_at(&mut self, places: &Places, n: u32, value: ValueId, atomic: bool) {
        for &(buffer, address) in places {
            let at = self.behind(address, n);
            self.l.b.op(OpKind::BufferStore { buffer, atomic }, None, &[at, value], &[]);
        }
    }

    /// Local memory at a generic address: the array, whether it is meant, and the element.
    fn local_places(&mut self, i: Operands, bytes: u32) -> Option<(ArrayId, ValueId, ValueId)> {
        let array = self.registers.local?;
        let Address { low, high } = self.address_in(i, Space::Generic, i.signed(Name::Offset))?;
        if let Pointer::One(_) = self.pointer_in(high?, &mut MAX_STEPS.clone()) {
            return None;
        }
        let (is_low, at) = self.in_window(low, high?, LOCAL_WINDOW);
        let size = self.lit(self.registers.local_bytes());
        let is_inside = self.l.b.int(Op::Ult, &[at, size]);
        let is_it = self.l.b.int(Op::Pand, &[is_low, is_inside]);
        let (mask, two) = (self.lit(!(bytes - 1)), self.lit(2));
        let at = self.l.b.int(Op::Iand, &[at, mask]);
        Some((array, is_it, self.l.b.int(Op::Ushr, &[at, two])))
    }

    fn behind_element(&mut self, element: ValueId, n: u32) -> ValueId {
        if n == 0 {
            return element;
        }
        let n = self.lit(n);
        self.l.b.int(Op::Iadd, &[element, n])
    }

    /// Which part of a word an access takes that is smaller than one: the first bit and the number of bits.
    fn part_of_word(&mut self, address: ValueId, bytes: u32) -> (ValueId, ValueId) {
        let (mask, three) = (self.lit(4 - bytes), self.lit(3));
        let place = self.l.b.int(Op::Iand, &[address, mask]);
        (self.l.b.int(Op::Shl, &[place, three]), self.lit(8 * bytes))
    }

    /// The low word of the address of an instruction, where only its place in a word counts.
    fn low_of(&mut self, i: Operands) -> ValueId {
        let val = self.register(i.a().register());
        let (low, offset) = (self.word_of(val), self.lit(i.signed(Name::Offset) as u32));
        self.l.b.int(Op::Iadd, &[low, offset])
    }

    /// LD, LDG and LDS.
    pub(super) fn load_memory(&mut self, i: Operands, space: Space) {
        // Loads of 128 bits that say they are uniform have a size of their own.
        let size = i.get(Name::Size).min(if space == Space::Shared { 7 } else { 6 });
        let Some(&bytes) = BYTES.get(size as usize) else { return self.refuse("a reserved size") };
        let Some(places) = self.places(i, space, bytes, false) else { return };
        let local = if space == Space::Generic { self.local_places(i, bytes) } else { None };
        let number = i.d();
        let mut values = SmallVec::<[ValueId; 4]>::new();
        for n in 0..bytes.div_ceil(4) {
            let mut value = self.word_at(&places, n, Access::of_bits(8 * bytes));
            if let Some((array, is_it, element)) = local {
                let (at, zero) = (self.behind_element(element, n), self.lit(0));
                let held = self.l.b.array_load(array, at);
                let held = self.l.b.select(is_it, held, zero);
                value = self.l.b.int(Op::Ior, &[value, held]);
            }
            if bytes < 4 {
                let low = self.low_of(i);
                value = self.part_of(value, low, size);
            }
            values.push(value);
        }
        // The address may be in a register that is written.
        for (n, value) in (0..).zip(values) {
            self.write_after(number, n, value);
        }
        // Nothing is paged out.
        if let Some(number) = self.flipped_predicate(i) {
            let yes = self.l.b.pred(true);
            self.write_predicate(number, yes);
        }
    }

    /// The predicate that tells whether memory is there, if the instruction has one.
    pub(super) fn flipped_predicate(&self, i: Operands) -> Option<u8> {
        i.names(Name::FlippedPredicate).then(|| 7 - i.number(Name::FlippedPredicate))
    }

    /// ST, STG and STS.
    pub(super) fn store_memory(&mut self, i: Operands, space: Space) {
        let size = i.get(Name::Size);
        let Some(&bytes) = BYTES.get(size as usize) else { return self.refuse("a reserved size") };
        let Some(places) = self.places(i, space, bytes, true) else { return };
        let local = if space == Space::Generic { self.local_places(i, bytes) } else { None };
        for n in 0..bytes.div_ceil(4) {
            let val = self.register_after(i.d(), n as u8);
            let value = self.word_of(val);
            if let Some((array, is_it, element)) = local {
                let at = self.behind_element(element, n);
                let mut stored = value;
                if bytes < 4 {
                    let low = self.low_of(i);
                    let (first, width) = self.part_of_word(low, bytes);
                    let before = self.l.b.array_load(array, at);
                    stored = self.l.b.int(Op::Bfi, &[before, value, first, width]);
                }
                let is_it = self.both(self.guard, is_it);
                self.l.begin_if(is_it);
                self.l.store(array, at, stored);
                self.l.end_if();
            }
            if bytes >= 4 {
                self.set_word_at(&places, n, value, false);
                continue;
            }
            let low = self.low_of(i);
            self.set_part_at(&places, low, bytes, value);
        }
    }

    /// Sets bytes of the words at places, fewer than four, where `low` is the place in the word. The other bytes of the word stay, whoever
    /// writes them at the same time.
    pub(super) fn set_part_at(&mut self, places: &Places, low: ValueId, bytes: u32, value: ValueId) {
        let (at, width) = self.part_of_word(low, bytes);
        let (zero, ones) = (self.lit(0), self.lit(u32::MAX));
        let mask = self.l.b.int(Op::Bfi, &[zero, ones, at, width]);
        let part = self.l.b.int(Op::Shl, &[value, at]);
        for &(buffer, address) in places {
            self.l.b.value(OpKind::Atomic { op: AtomicOp::Insert, buffer }, None, &[address, part, mask]);
        }
    }

    /// The part of a word, of fewer than four bytes, that a load of this size takes, where `low` is its place in the word.
    pub(super) fn part_of(&mut self, word: ValueId, low: ValueId, size: u32) -> ValueId {
        let (at, width) = self.part_of_word(low, BYTES[size as usize & 3]);
        self.l.b.int(if size & 1 == 0 { Op::Ubfe } else { Op::Ibfe }, &[word, at, width])
    }
}
