//! Constants in banks, and buffers: places in bytes, words.

use super::value::{Pointer, Root, Scalars, Value};
use super::{Ctx, Lift};
use crate::types::{Scalar, Ty};
use parallax_core::{Access, AtomicOp, OpKind, Type, ValueId};
use parallax_lift::Deferred;
use parallax_num::Op;

impl Ctx<'_, '_> {
    /// Where the scalars of what a pointer leads to lie, in bytes from its root without its terms.
    fn places(&self, pointer: &Pointer) -> Lift<Vec<(u32, Scalar)>> {
        if let Root::Shared(_, each) = pointer.root {
            // One scalar after the other, each in words of its own.
            let flat = self.tables.types.flat(pointer.ty);
            let places = flat.iter().enumerate().map(|(n, scalar)| {
                let scalar = match *scalar {
                    Scalar::Bool => Scalar::Int { bits: 32, signed: false },
                    scalar => scalar,
                };
                (pointer.at.wrapping_add(n as u32).wrapping_mul(each * 4), scalar)
            });
            return Ok(places.collect());
        }
        let Some(mut places) = self.tables.types.offsets(&self.tables.decorations, pointer.ty, pointer.layout) else {
            return match self.tables.types.no_numbers(pointer.ty) {
                Some(what) => self.unsupported("spirv-value-unsupported", format!("values of {what}")),
                None => self.invalid(format!("no offset or stride says where the parts of %{} lie", pointer.ty)),
            };
        };
        for (at, scalar) in &mut places {
            match at.checked_add(pointer.at) {
                Some(sum) => *at = sum,
                None => return self.invalid("the offset is beyond 32 bits"),
            }
            // Booleans have no layout; compilers keep them as words.
            if *scalar == Scalar::Bool {
                *scalar = Scalar::Int { bits: 32, signed: false };
            }
        }
        Ok(places)
    }

    /// A scalar from its words in memory: the first word, and for 64 bits the next. `at` is its place in bytes.
    fn assemble(&mut self, scalar: Scalar, words: &[ValueId], at: u32, terms: Option<ValueId>) -> ValueId {
        let bits = scalar.bits();
        if bits >= 32 {
            return self.of_words(scalar, words);
        }
        // Part of a word.
        let shift = match terms {
            None => self.l.b.i32(at % 4 * 8),
            Some(terms) => {
                let at = self.l.b.i32(at);
                let address = self.l.b.int(Op::Iadd, &[terms, at]);
                let (three, eight) = (self.l.b.i32(3), self.l.b.i32(3));
                let byte = self.l.b.int(Op::Iand, &[address, three]);
                self.l.b.int(Op::Shl, &[byte, eight])
            }
        };
        let shifted = self.l.b.int(Op::Ushr, &[words[0], shift]);
        let low = self.low_bits(shifted, bits);
        self.of_words(scalar, &[low])
    }

    pub(super) fn load_bank(&mut self, bank: u16, pointer: &Pointer) -> Lift<Scalars> {
        let places = self.places(pointer)?;
        let by_vectors = pointer.terms.iter().all(|(_, stride)| stride % 16 == 0);
        let vectors = if by_vectors { self.sum_of_terms(pointer, 16) } else { None };
        let bytes = if by_vectors { None } else { self.sum_of_terms(pointer, 1) };
        let mut out = Scalars::new();
        for (at, scalar) in places {
            let mut words: Vec<Deferred> = Vec::new();
            for n in 0..scalar.bits().div_ceil(32) {
                let word = at / 4 + n;
                let (vector, comp) = (word / 4, (word % 4) as u8);
                words.push(match (vectors, bytes) {
                    (Some(at), _) => self.l.constant_at(bank, vector as i32, comp, at),
                    (None, None) => self.l.constant(bank, vector, comp),
                    (None, Some(bytes)) => self.word_of_bank(bank, bytes, at.wrapping_add(4 * n)).into(),
                });
            }
            out.push(match scalar.bits() {
                32 => words[0],
                _ => {
                    let words: Vec<ValueId> = words.iter().map(|&word| self.l.force(word, Type::I32)).collect();
                    self.assemble(scalar, &words, at, bytes).into()
                }
            });
        }
        Ok(out)
    }

    /// The word of a bank that holds a byte whose place is a value.
    fn word_of_bank(&mut self, bank: u16, terms: ValueId, at: u32) -> ValueId {
        let at = self.l.b.i32(at);
        let address = self.l.b.int(Op::Iadd, &[terms, at]);
        let (four, two, three) = (self.l.b.i32(4), self.l.b.i32(2), self.l.b.i32(3));
        let vector = self.l.b.int(Op::Ushr, &[address, four]);
        let word = self.l.b.int(Op::Ushr, &[address, two]);
        let comp = self.l.b.int(Op::Iand, &[word, three]);
        let mut chosen = None;
        for n in 0..4u8 {
            let read = self.l.constant_at(bank, 0, n, vector);
            let read = self.l.force(read, Type::I32);
            chosen = Some(match chosen {
                None => read,
                Some(before) => {
                    let number = self.l.b.i32(u32::from(n));
                    let is_it = self.l.b.int(Op::Ieq, &[comp, number]);
                    self.l.b.select(is_it, read, before)
                }
            });
        }
        chosen.unwrap_or(address)
    }

    /// The terms of a pointer into a buffer in bytes.
    pub(super) fn byte_terms(&mut self, pointer: &Pointer) -> Option<ValueId> {
        let sum = self.sum_of_terms(pointer, 1)?;
        match pointer.root {
            Root::Shared(_, each) => {
                let bytes = self.l.b.i32(each * 4);
                Some(self.l.b.int(Op::Imul, &[sum, bytes]))
            }
            _ => Some(sum),
        }
    }

    /// The address of a byte of a buffer.
    pub(super) fn address(&mut self, terms: Option<ValueId>, at: u32) -> ValueId {
        let place = self.l.b.i32(at);
        match terms {
            None => place,
            Some(terms) if at == 0 => terms,
            Some(terms) => self.l.b.int(Op::Iadd, &[terms, place]),
        }
    }

    pub(super) fn load_buffer(&mut self, buffer: u16, pointer: &Pointer) -> Lift<Scalars> {
        let places = self.places(pointer)?;
        let terms = self.byte_terms(pointer);
        let mut out = Scalars::new();
        for (at, scalar) in places {
            let mut words = Vec::new();
            let access = if pointer.atomic { Access::Atomic } else { Access::of_bits(scalar.bits()) };
            for n in 0..scalar.bits().div_ceil(32) {
                let address = self.address(terms, at.wrapping_add(4 * n));
                words.push(self.l.b.value(OpKind::BufferLoad { buffer, access }, None, &[address]));
            }
            out.push(self.assemble(scalar, &words, at, terms).into());
        }
        Ok(out)
    }

    pub(super) fn store_buffer(&mut self, buffer: u16, pointer: &Pointer, scalars: &[Deferred]) -> Lift<()> {
        let places = self.places(pointer)?;
        let terms = self.byte_terms(pointer);
        for ((at, scalar), &value) in places.into_iter().zip(scalars) {
            // A boolean becomes a word.
            let value = self.l.force(value, scalar.ir());
            for (n, word) in self.words_of(scalar, value).into_iter().enumerate() {
                let address = self.address(terms, at.wrapping_add(4 * n as u32));
                match scalar.bits() {
                    bits @ (8 | 16) => self.store_part(buffer, pointer.atomic, address, word, bits),
                    _ => {
                        let store = OpKind::BufferStore { buffer, atomic: pointer.atomic };
                        self.l.b.op(store, None, &[address, word], &[]);
                    }
                }
            }
        }
        Ok(())
    }

    /// Stores part of a word. Other invocations may store the rest of it at the same time.
    fn store_part(&mut self, buffer: u16, atomic: bool, address: ValueId, value: ValueId, bits: u32) {
        let (three, eight) = (self.l.b.i32(3), self.l.b.i32(3));
        let byte = self.l.b.int(Op::Iand, &[address, three]);
        let from = self.l.b.int(Op::Shl, &[byte, eight]);
        let mask = self.l.b.i32((1 << bits) - 1);
        let place = self.l.b.int(Op::Shl, &[mask, from]);
        let value = self.low_bits(value, bits);
        let part = self.l.b.int(Op::Shl, &[value, from]);
        if !atomic {
            self.l.b.value(OpKind::Atomic { op: AtomicOp::Insert, buffer }, None, &[address, part, place]);
            return;
        }
        let rest = self.l.b.int(Op::Inot, &[place]);
        self.l.b.value(OpKind::Atomic { op: AtomicOp::And, buffer }, None, &[address, rest]);
        self.l.b.value(OpKind::Atomic { op: AtomicOp::Or, buffer }, None, &[address, part]);
    }

    fn size_of_buffer(&mut self, buffer: u16) -> ValueId {
        self.l.b.value(OpKind::BufferSize { buffer }, None, &[])
    }

    /// `OpArrayLength`: elements of the member that a buffer ends with.
    pub(super) fn array_length(&mut self, pointer: &Pointer, member: u32) -> Lift<Value> {
        let sizes: Vec<ValueId> = match pointer.root {
            Root::Buffer(buffer) => vec![self.size_of_buffer(buffer)],
            Root::Several(_) => {
                let mut chosen = None;
                for (test, each) in self.candidates(pointer) {
                    let Root::Buffer(buffer) = each.root else { continue };
                    let size = self.size_of_buffer(buffer);
                    chosen = Some(chosen.map_or(size, |before| self.l.b.select(test, size, before)));
                }
                chosen.into_iter().collect()
            }
            _ => Vec::new(),
        };
        let [size] = sizes[..] else { return self.invalid("the structure stands in no buffer") };
        let types = &self.tables.types;
        let last = types.part_in_memory(&self.tables.decorations, pointer.ty, pointer.layout, Some(member));
        let stride = last.and_then(|(array, ..)| match types.get(array)? {
            Ty::RuntimeArray { .. } => self.tables.decorations.id(array).array_stride,
            _ => None,
        });
        let (Some((_, offset, _)), Some(stride @ 1..)) = (last, stride) else {
            return self.invalid("the member is not a runtime array with an ArrayStride");
        };
        let (offset, stride) = (self.l.b.i32(offset.wrapping_add(pointer.at)), self.l.b.i32(stride));
        let rest = self.l.b.int(Op::Isub, &[size, offset]);
        let length = self.l.b.int(Op::Udiv, &[rest, stride]);
        Ok(Value::Scalars(Scalars::from_slice(&[length.into()])))
    }
}
