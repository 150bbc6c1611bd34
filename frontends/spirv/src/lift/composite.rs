//! Composites: made, taken apart, chosen between; bit casts.

use super::value::{Scalars, Value};
use super::{Ctx, Lift};
use crate::module::Instruction;
use parallax_core::ValueId;
use parallax_lift::Deferred;
use parallax_num::Op;
use rspirv::spirv::Op as Code;

impl Ctx<'_, '_> {
    /// Instructions on composites; `None` for others.
    pub(super) fn composite(&mut self, instruction: &Instruction, words: &[u32]) -> Lift<Option<Value>> {
        let ty = instruction.ty;
        let scalars: Scalars = match instruction.op {
            Code::CompositeConstruct => {
                let mut all = Scalars::new();
                for &id in words {
                    all.extend(self.scalars(id)?);
                }
                all
            }
            // SPV_EXT_replicated_composites: all parts of the result are one.
            Code::CompositeConstructReplicateEXT => {
                let (one, size) = (self.scalars(words[0])?, self.tables.types.size(ty) as usize);
                if one.is_empty() || size % one.len() != 0 {
                    return self.invalid(format!("%{ty} does not consist of parts like %{}", words[0]));
                }
                one.iter().copied().cycle().take(size).collect()
            }
            Code::CompositeExtract => {
                let (_, at, size) = self.place(self.type_of(words[0])?, &words[1..])?;
                let all = self.scalars(words[0])?;
                all[at..at + size].into()
            }
            Code::CompositeInsert => {
                let (_, at, size) = self.place(self.type_of(words[1])?, &words[2..])?;
                let (object, mut all) = (self.scalars(words[0])?, self.scalars(words[1])?);
                if object.len() != size {
                    return self.invalid(format!("%{} does not fit where it is inserted", words[0]));
                }
                all[at..at + size].copy_from_slice(&object);
                all
            }
            Code::VectorShuffle => {
                let mut both = self.scalars(words[0])?;
                both.extend(self.scalars(words[1])?);
                let mut out = Scalars::new();
                for &n in &words[2..] {
                    match both.get(n as usize) {
                        Some(scalar) => out.push(*scalar),
                        None if n == u32::MAX => out.push(Deferred::word(0)),
                        None => return self.invalid(format!("component {n} does not exist")),
                    }
                }
                out
            }
            Code::VectorExtractDynamic => {
                let (values, index) = (self.forced(words[0])?, self.index(words[1])?);
                let mut chosen = values[0];
                for (n, &value) in values.iter().enumerate().skip(1) {
                    let number = self.l.b.i32(n as u32);
                    let is_it = self.l.b.int(Op::Ieq, &[index, number]);
                    chosen = self.l.b.select(is_it, value, chosen);
                }
                Scalars::from_slice(&[chosen.into()])
            }
            Code::VectorInsertDynamic => {
                let (values, object) = (self.forced(words[0])?, self.single(words[1])?);
                let index = self.index(words[2])?;
                let mut out = Scalars::new();
                for (n, &value) in values.iter().enumerate() {
                    let number = self.l.b.i32(n as u32);
                    let is_it = self.l.b.int(Op::Ieq, &[index, number]);
                    out.push(self.l.b.select(is_it, object, value).into());
                }
                out
            }
            Code::CopyObject | Code::CopyLogical => return self.value(words[0]).map(Some),
            Code::Select => return self.select(instruction, words).map(Some),
            Code::Bitcast => return self.bitcast(instruction, words[0]).map(Some),
            _ => return Ok(None),
        };
        if let Some(what) = self.tables.types.no_numbers(ty) {
            return self.unsupported("spirv-value-unsupported", format!("values of {what}"));
        }
        if scalars.len() != self.tables.types.size(ty) as usize {
            let (found, wanted) = (scalars.len(), self.tables.types.size(ty));
            return self.invalid(format!("{found} scalars where the type of the result has {wanted}"));
        }
        Ok(Some(Value::Scalars(scalars)))
    }

    /// The part of a type that literal indices lead to: its type, its first scalar, and how many it has.
    fn place(&self, mut ty: u32, indices: &[u32]) -> Lift<(u32, usize, usize)> {
        let mut at = 0;
        for &index in indices {
            match self.tables.types.part(ty, index) {
                Some((part, offset)) => (ty, at) = (part, at + offset),
                None => return self.invalid(format!("%{ty} has no part {index}")),
            }
        }
        Ok((ty, at as usize, self.tables.types.size(ty) as usize))
    }

    fn select(&mut self, instruction: &Instruction, words: &[u32]) -> Lift<Value> {
        let tests = self.forced(words[0])?;
        if self.tables.pointee(instruction.ty).is_some() {
            let (a, b) = (self.pointer(words[1])?, self.pointer(words[2])?);
            return self.choose_pointer(tests[0], &a, &b);
        }
        let (a, b) = match (self.value(words[1])?, self.value(words[2])?) {
            (Value::Scalars(a), Value::Scalars(b)) => (a, b),
            _ => return self.unsupported("spirv-select-unsupported", "OpSelect of images or samplers"),
        };
        let flat = self.tables.types.flat(instruction.ty);
        if a.len() != b.len() || a.len() != flat.len() || (tests.len() != 1 && tests.len() != a.len()) {
            return self.invalid("the operands differ in length");
        }
        let mut out = Scalars::new();
        for (n, scalar) in flat.iter().enumerate() {
            let test = if tests.len() == 1 { tests[0] } else { tests[n] };
            let (a, b) = (self.l.force(a[n], scalar.ir()), self.l.force(b[n], scalar.ir()));
            out.push(self.l.b.select(test, a, b).into());
        }
        Ok(Value::Scalars(out))
    }

    fn bitcast(&mut self, instruction: &Instruction, id: u32) -> Lift<Value> {
        let from_ty = self.type_of(id)?;
        if self.tables.pointee(from_ty).is_some() || self.tables.pointee(instruction.ty).is_some() {
            return self.unsupported("spirv-pointer-unsupported", "bit casts of pointers");
        }
        let (from, to) = (self.scalar_type(from_ty)?, self.scalar_type(instruction.ty)?);
        if from.ir() == to.ir() && from.bits() == to.bits() {
            return Ok(Value::Scalars(self.scalars(id)?));
        }
        if from.bits() == to.bits() {
            let values = self.forced(id)?.into_iter().map(|value| self.l.convert(value, to.ir())).collect::<Vec<_>>();
            return self.scalars_for(instruction.ty, values);
        }
        // Pieces of as many bits as the narrower type has, at most a word.
        let piece = from.bits().min(to.bits()).min(32);
        let mut pieces: Vec<ValueId> = Vec::new();
        for value in self.forced(id)? {
            for word in self.words_of(from, value) {
                pieces.extend(self.split(word, from.bits().min(32), piece));
            }
        }
        let mut words = Vec::new();
        for parts in pieces.chunks((to.bits().min(32) / piece) as usize) {
            words.push(self.join(parts, piece));
        }
        let mut out = Vec::new();
        for words in words.chunks(to.bits().div_ceil(32) as usize) {
            out.push(self.of_words(to, words));
        }
        self.scalars_for(instruction.ty, out)
    }

    /// Pieces of a word, the low one first.
    pub(super) fn split(&mut self, word: ValueId, bits: u32, piece: u32) -> Vec<ValueId> {
        if bits == piece {
            return vec![word];
        }
        (0..bits / piece)
            .map(|n| {
                let (from, width) = (self.l.b.i32(n * piece), self.l.b.i32(piece));
                self.l.b.int(Op::Ubfe, &[word, from, width])
            })
            .collect()
    }

    /// A word of pieces, the low one first.
    pub(super) fn join(&mut self, parts: &[ValueId], piece: u32) -> ValueId {
        let mut word = parts[0];
        for (n, &part) in parts.iter().enumerate().skip(1) {
            let by = self.l.b.i32(n as u32 * piece);
            let shifted = self.l.b.int(Op::Shl, &[part, by]);
            word = self.l.b.int(Op::Ior, &[word, shifted]);
        }
        word
    }
}
