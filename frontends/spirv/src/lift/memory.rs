//! Variables, pointers, loads and stores.

use super::value::{Pointer, Root, Scalars, Value};
use super::{Ctx, Lift};
use crate::module::Instruction;
use crate::types::{Layout, Scalar, Ty};
use parallax_core::{ArrayId, Type, ValueId};
use parallax_lift::{Deferred, VarId};
use parallax_num::Op;
use rspirv::spirv::{BuiltIn, Op as Code};
use smallvec::SmallVec;
use std::rc::Rc;

/// Elements that an array of the IR may have.
const MAX_ELEMENTS: usize = parallax_core::MAX_ARRAY_ELEMENTS as usize;

/// A variable of an invocation.
#[derive(Clone, Debug)]
pub(super) struct Object {
    /// The id of the variable.
    pub(super) id: u32,
    /// Its scalars.
    pub(super) flat: Rc<[Scalar]>,
    pub(super) store: Store,
}

/// Where the scalars of a variable are.
#[derive(Clone, Debug)]
pub(super) enum Store {
    /// In variables of the kit.
    Variables(VarId),
    /// In arrays, one for each type, each with a place for all scalars.
    Arrays(SmallVec<[(Type, ArrayId); 2]>),
}

impl Ctx<'_, '_> {
    /// Makes a variable of an invocation with zero bits; gives its number.
    pub(super) fn object(&mut self, id: u32, ty: u32) -> Lift<usize> {
        let flat = self.tables.types.flat(ty);
        if let Some(what) = self.tables.types.no_numbers(ty) {
            return self.unsupported("spirv-variable-unsupported", format!("variables of {what}"));
        }
        let store = if self.found.indexed.contains(&id) {
            if flat.len() > MAX_ELEMENTS {
                let message = format!("an indexed variable of {} scalars; {MAX_ELEMENTS} are possible", flat.len());
                return self.unsupported("spirv-array-unsupported", message);
            }
            let mut arrays: SmallVec<[(Type, ArrayId); 2]> = SmallVec::new();
            for scalar in flat.iter() {
                let ty = scalar.ir();
                if arrays.iter().all(|(known, _)| *known != ty) {
                    let name = format!("{}.{}", id, ty.name());
                    arrays.push((ty, self.l.add_array(name, ty, flat.len() as u32, false)));
                }
            }
            Store::Arrays(arrays)
        } else {
            let first = self.l.add_variables(flat.len() as u32);
            Store::Variables(first)
        };
        self.objects.push(Object { id, flat, store });
        Ok(self.objects.len() - 1)
    }

    /// A pointer to a whole object.
    pub(super) fn whole(&self, root: Root, ty: u32) -> Pointer {
        let (terms, layout) = (SmallVec::new(), Layout::default());
        Pointer { root, ty, at: 0, terms, layout, array_stride: None, atomic: false, number: None }
    }

    /// Sets all scalars of an object.
    pub(super) fn initialise(&mut self, object: usize, scalars: &[Deferred]) {
        let pointer = self.whole(Root::Object(object), 0);
        self.store_object(object, &pointer, scalars);
    }

    /// `OpVariable` inside of a function.
    pub(super) fn local(&mut self, instruction: &Instruction, words: &[u32]) -> Lift<Value> {
        let Some((_, ty)) = self.tables.pointee(instruction.ty) else {
            return self.invalid("the type is not a pointer");
        };
        let object = self.object(instruction.id, ty)?;
        let flat = self.objects[object].flat.clone();
        let first = match words.get(1) {
            Some(&id) => self.scalars(id)?,
            None => {
                let zeros = vec![0; flat.len()];
                self.literals(&flat, &zeros)
            }
        };
        let is_array = matches!(self.objects[object].store, Store::Arrays(_));
        // An array without a first value holds zeros already.
        if !is_array || words.len() > 1 {
            self.initialise(object, &first);
        }
        Ok(Value::pointer(self.whole(Root::Object(object), ty)))
    }

    /// `OpAccessChain` and its kin.
    pub(super) fn access(&mut self, base: u32, indices: &[u32]) -> Lift<Pointer> {
        let mut pointer = Rc::unwrap_or_clone(self.pointer(base)?);
        for &id in indices {
            self.step(&mut pointer, id)?;
        }
        Ok(pointer)
    }

    /// Follows one index of an access chain.
    fn step(&mut self, pointer: &mut Pointer, id: u32) -> Lift<()> {
        // An index outside of what it counts is undefined only where it is followed, which may be never. One below zero is
        // none of a constant place, so that it is followed like a value.
        let literal = self.constant(id).and_then(|value| u32::try_from(value).ok());
        let types = &self.tables.types;
        // The elements of an array of blocks are banks or buffers of their own.
        if let (Root::Bank(_) | Root::Buffer(_), Some(Ty::Array { elem, count })) =
            (pointer.root, types.get(pointer.ty))
            && self.tables.decorations.id(pointer.ty).array_stride.is_none()
        {
            let (first, count) = (pointer.root, *count);
            let block = |index: u32| match first {
                Root::Bank(first) => Root::Bank(first + index as u16),
                Root::Buffer(first) => Root::Buffer(first + index as u16),
                root => root,
            };
            pointer.ty = *elem;
            match literal {
                Some(index) if index < count => pointer.root = block(index),
                Some(index) => return self.invalid(format!("block {index} of an array of {count}")),
                None => {
                    let index = self.index(id)?;
                    let number = self.l.b.i32(first.number());
                    pointer.number = Some(self.l.b.int(Op::Iadd, &[index, number]).into());
                    pointer.root = self.one_of((0..count).map(block));
                }
            }
            return Ok(());
        }
        match self.kind(pointer.root) {
            Root::Object(_) | Root::Shared(..) | Root::Several(_) => {
                if let Some(index) = literal {
                    let last = match types.get(pointer.ty) {
                        Some(Ty::Vector { count, .. } | Ty::Matrix { count, .. } | Ty::Array { count, .. }) => {
                            count - 1
                        }
                        _ => u32::MAX,
                    };
                    let Some((part, offset)) = types.part(pointer.ty, index.min(last)) else {
                        return self.invalid(format!("%{} has no part {index}", pointer.ty));
                    };
                    pointer.at += offset;
                    pointer.ty = part;
                    return Ok(());
                }
                let Some((part, stride)) = types.element(pointer.ty) else {
                    return self.invalid(format!("%{} is indexed by a value", pointer.ty));
                };
                self.mark_indexed(pointer.root);
                let index = self.index(id)?;
                pointer.terms.push((index.into(), stride));
                pointer.ty = part;
            }
            Root::Bank(_) | Root::Buffer(_) => {
                let decorations = &self.tables.decorations;
                let array_stride = decorations.id(pointer.ty).array_stride;
                let Some((part, step, layout)) = types.part_in_memory(decorations, pointer.ty, pointer.layout, literal)
                else {
                    let message =
                        format!("%{} has no such part, or no offset or stride says where it lies", pointer.ty);
                    return self.invalid(message);
                };
                match literal {
                    Some(_) => match pointer.at.checked_add(step) {
                        Some(at) => pointer.at = at,
                        None => return self.invalid("the offset is beyond 32 bits"),
                    },
                    None => {
                        let index = self.index(id)?;
                        pointer.terms.push((index.into(), step));
                    }
                }
                (pointer.ty, pointer.layout, pointer.array_stride) = (part, layout, array_stride);
            }
            Root::Textures(..) | Root::Images(..) => {
                let Some((part, _)) = types.part(pointer.ty, literal.unwrap_or(0)) else {
                    return self.invalid(format!("%{} has no such element", pointer.ty));
                };
                match literal {
                    Some(index) => pointer.at = index,
                    None => {
                        let index = self.index(id)?;
                        pointer.terms.push((index.into(), 1));
                    }
                }
                pointer.ty = part;
            }
        }
        Ok(())
    }

    /// The sum of the terms of a pointer, in units of `unit`, without its constant part; `None` without terms. All strides
    /// must be multiples of the unit.
    pub(super) fn sum_of_terms(&mut self, pointer: &Pointer, unit: u32) -> Option<ValueId> {
        let mut sum = None;
        for &(index, stride) in &pointer.terms {
            let index = self.l.force(index, Type::I32);
            let scaled = match stride / unit {
                1 => index,
                factor => {
                    let factor = self.l.b.i32(factor);
                    self.l.b.int(Op::Imul, &[index, factor])
                }
            };
            sum = Some(match sum {
                None => scaled,
                Some(before) => self.l.b.int(Op::Iadd, &[before, scaled]),
            });
        }
        sum
    }

    /// The place of a scalar in an array: that of the pointer and some more.
    pub(super) fn element_of(&mut self, sum: Option<ValueId>, at: u32) -> ValueId {
        let at = self.l.b.i32(at);
        match sum {
            Some(sum) => self.l.b.int(Op::Iadd, &[sum, at]),
            None => at,
        }
    }

    /// What a pointer to an object leads to.
    fn load_object(&mut self, object: usize, pointer: &Pointer) -> Lift<Scalars> {
        let Object { store, flat: all, .. } = &self.objects[object];
        let count = self.tables.types.size(pointer.ty);
        if pointer.at as usize + count as usize > all.len() {
            return self.invalid("the load goes beyond its variable");
        }
        match store {
            Store::Variables(first) => {
                // Indexed by a value: the module is lifted again with an array.
                Ok((0..count).map(|n| self.l.get(first.offset(pointer.at + n))).collect())
            }
            Store::Arrays(arrays) => {
                let (arrays, flat) = (arrays.clone(), self.tables.types.flat(pointer.ty));
                let sum = self.sum_of_terms(pointer, 1);
                let mut out = Scalars::new();
                for (n, scalar) in flat.iter().enumerate() {
                    let index = self.element_of(sum, pointer.at + n as u32);
                    match arrays.iter().find(|(ty, _)| *ty == scalar.ir()) {
                        Some(&(_, array)) => out.push(self.l.load(array, index)),
                        None => return self.invalid("the load has another type than its variable"),
                    }
                }
                Ok(out)
            }
        }
    }

    /// One scalar of an object.
    pub(super) fn scalar_of_object(&mut self, object: usize, pointer: &Pointer) -> Deferred {
        let Object { store, flat, .. } = self.objects[object].clone();
        match store {
            Store::Variables(first) => self.l.get(first.offset(pointer.at)),
            Store::Arrays(arrays) => {
                let ty = flat[pointer.at as usize].ir();
                let index = self.element_of(None, pointer.at);
                match arrays.iter().find(|(known, _)| *known == ty) {
                    Some(&(_, array)) => self.l.load(array, index),
                    None => Deferred::word(0),
                }
            }
        }
    }

    /// Sets what a pointer to an object leads to.
    fn store_object(&mut self, object: usize, pointer: &Pointer, scalars: &[Deferred]) {
        let Object { store, flat, .. } = &self.objects[object];
        let at = pointer.at;
        match store {
            Store::Variables(first) => {
                for (n, &scalar) in scalars.iter().enumerate().take(flat.len().saturating_sub(at as usize)) {
                    self.l.set(first.offset(at + n as u32), scalar);
                }
            }
            Store::Arrays(arrays) => {
                let (arrays, flat) = (arrays.clone(), flat.clone());
                let sum = self.sum_of_terms(pointer, 1);
                for (n, &scalar) in scalars.iter().enumerate() {
                    let Some(ty) = flat.get(at as usize + n).map(|scalar| scalar.ir()) else { continue };
                    let Some(&(_, array)) = arrays.iter().find(|(known, _)| *known == ty) else { continue };
                    let index = self.element_of(sum, at + n as u32);
                    let value = self.l.force(scalar, ty);
                    self.l.store(array, index, value);
                }
            }
        }
    }

    /// `OpLoad`.
    pub(super) fn load(&mut self, pointer: &Pointer) -> Lift<Value> {
        match pointer.root {
            Root::Several(_) => self.load_chosen(pointer).map(Value::Scalars),
            Root::Object(object) => self.load_object(object, pointer).map(Value::Scalars),
            Root::Bank(bank) => self.load_bank(bank, pointer).map(Value::Scalars),
            Root::Buffer(buffer) | Root::Shared(buffer, _) => self.load_buffer(buffer, pointer).map(Value::Scalars),
            Root::Textures(..) | Root::Images(..) => match self.tables.types.get(pointer.ty) {
                Some(Ty::Image(_) | Ty::SampledImage { .. }) => Ok(Value::Image(Rc::new(pointer.clone()))),
                Some(Ty::Sampler) => Ok(Value::Sampler),
                _ => self.unsupported("spirv-texture-unsupported", "a load of an array of images"),
            },
        }
    }

    /// `OpStore`.
    pub(super) fn store(&mut self, pointer: &Pointer, scalars: &[Deferred]) -> Lift<()> {
        self.expand(scalars.len())?;
        if scalars.len() != self.tables.types.size(pointer.ty) as usize {
            return self.invalid("the stored value and the place have different types");
        }
        match pointer.root {
            Root::Several(_) => {
                for (test, each) in self.candidates(pointer) {
                    self.l.begin_if(test);
                    let stored = self.store(&each, scalars);
                    self.l.end_if();
                    stored?;
                }
                Ok(())
            }
            Root::Object(object) => {
                self.store_object(object, pointer, scalars);
                Ok(())
            }
            Root::Buffer(buffer) | Root::Shared(buffer, _) => self.store_buffer(buffer, pointer, scalars),
            Root::Bank(_) | Root::Textures(..) | Root::Images(..) => self.invalid("a store to what is only read"),
        }
    }

    /// Instructions on memory; `None` for others.
    pub(super) fn memory(&mut self, instruction: &Instruction, words: &[u32]) -> Lift<Option<Value>> {
        match instruction.op {
            Code::Variable => self.local(instruction, words).map(Some),
            Code::AccessChain | Code::InBoundsAccessChain => {
                self.access(words[0], &words[1..]).map(|pointer| Some(Value::pointer(pointer)))
            }
            Code::PtrAccessChain | Code::InBoundsPtrAccessChain => {
                let mut pointer = Rc::unwrap_or_clone(self.pointer(words[0])?);
                match (self.constant(words[1]), self.stride(&pointer, words[0])?) {
                    (Some(0), _) => {}
                    (_, None) => return self.invalid("the type of the pointer has no ArrayStride"),
                    (Some(value), Some(stride)) if !matches!(pointer.root, Root::Object(_)) => {
                        let offset = (value as i64).wrapping_mul(i64::from(stride));
                        pointer.at = pointer.at.wrapping_add(offset as u32);
                    }
                    (_, Some(stride)) => {
                        self.mark_indexed(pointer.root);
                        let index = self.index(words[1])?;
                        pointer.terms.push((index.into(), stride));
                    }
                }
                for &id in &words[2..] {
                    self.step(&mut pointer, id)?;
                }
                Ok(Some(Value::pointer(pointer)))
            }
            Code::PtrEqual | Code::PtrNotEqual => {
                let equal = self.is_same_place(words[0], words[1])?;
                let value = match instruction.op {
                    Code::PtrEqual => equal,
                    _ => self.l.b.int(Op::Pnot, &[equal]),
                };
                Ok(Some(Value::Scalars(Scalars::from_slice(&[value.into()]))))
            }
            Code::PtrDiff => {
                let (a, b) = (self.pointer(words[0])?, self.pointer(words[1])?);
                if a.root != b.root && a.number.is_none() && b.number.is_none() {
                    return self.invalid("the pointers lead into different variables");
                }
                // Unlike OpPtrAccessChain, this needs no stride of the pointers' type.
                let Some(stride @ 1..) = self.stride(&a, words[0])?.or(a.array_stride).or(b.array_stride) else {
                    return self.invalid(
                        "neither the type of the pointers nor an array that they lead into has an ArrayStride",
                    );
                };
                let (a, b) = (self.place_of(&a), self.place_of(&b));
                let difference = self.l.b.int(Op::Isub, &[a, b]);
                let stride = self.l.b.i32(stride);
                let count = self.l.b.int(Op::Idiv, &[difference, stride]);
                let to = self.scalar_type(instruction.ty)?;
                let value = self.integer_to(Scalar::Int { bits: 32, signed: true }, to, true, count);
                Ok(Some(Value::Scalars(Scalars::from_slice(&[value.into()]))))
            }
            Code::Load => {
                let pointer = self.pointer(words[0])?;
                // It changes while the invocation runs.
                if let Root::Object(object) = pointer.root
                    && self.tables.decorations.id(self.objects[object].id).built_in == Some(BuiltIn::HelperInvocation)
                {
                    return Ok(Some(Value::Scalars(Scalars::from_slice(&[self.is_helper().into()]))));
                }
                let value = self.load(&pointer)?;
                match &value {
                    Value::Scalars(scalars) if scalars.len() != self.tables.types.size(instruction.ty) as usize => {
                        self.invalid("the loaded value and the place have different types")
                    }
                    _ => Ok(Some(value)),
                }
            }
            Code::ArrayLength => {
                let pointer = self.pointer(words[0])?;
                self.array_length(&pointer, words[1]).map(Some)
            }
            _ => self.atomic(instruction, words),
        }
    }

    /// Instructions on memory without a result; whether it was one.
    pub(super) fn effect(&mut self, instruction: &Instruction, words: &[u32]) -> Lift<bool> {
        match instruction.op {
            Code::Store => {
                let pointer = self.pointer(words[0])?;
                let scalars = self.scalars(words[1])?;
                self.store(&pointer, &scalars)?;
            }
            Code::CopyMemory => {
                let (to, from) = (self.pointer(words[0])?, self.pointer(words[1])?);
                match self.load(&from)? {
                    Value::Scalars(scalars) => self.store(&to, &scalars)?,
                    _ => return self.invalid("what is copied is not a numeric value"),
                }
            }
            Code::AtomicStore => {
                let pointer = self.atomic_pointer(words[0])?;
                let scalars = self.scalars(words[3])?;
                self.store(&pointer, &scalars)?;
            }
            Code::AtomicFlagClear => {
                let pointer = self.atomic_pointer(words[0])?;
                self.store(&pointer, &[Deferred::word(0)])?;
            }
            _ => return self.image_effect(instruction, words),
        }
        Ok(true)
    }
}
