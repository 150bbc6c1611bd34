//! Pointers that are values: chosen, passed through phis and variables, compared.
//!
//! A pointer leads into a root that is known, or into one of a set, chosen by number. Where it is kept as a value it is two
//! words: the number, and the place behind the beginning of the root. What is read from there leads into whatever pointers kept
//! as values were seen to lead into.

use super::memory::Store;
use super::value::{Pointer, Root, Scalars, Value};
use super::{Ctx, Lift};
use crate::types::Layout;
use parallax_core::{Type, ValueId};
use parallax_lift::Deferred;
use parallax_num::Op;
use rspirv::spirv::StorageClass;
use smallvec::SmallVec;
use std::rc::Rc;

/// Roots that a pointer may choose between.
const MAX_CHOICES: usize = 64;

impl Ctx<'_, '_> {
    /// The pointer that an id stands for.
    pub(super) fn pointer(&mut self, id: u32) -> Lift<Rc<Pointer>> {
        let value = match self.value(id)? {
            Value::Pointer(pointer) => return Ok(pointer),
            value => value,
        };
        let class = self.type_of(id).ok().and_then(|ty| self.tables.pointee(ty));
        match (value, class) {
            (Value::Scalars(words), Some((class, ty))) if words.len() == 2 => {
                let buffers = &self.l.b.func.iface.buffers;
                let is_shared = |n: u16| buffers.get(usize::from(n)).is_some_and(|buffer| buffer.workgroup.is_some());
                let fits = |root: &Root| match (class, root) {
                    (StorageClass::StorageBuffer, Root::Buffer(n)) => !is_shared(*n),
                    (StorageClass::StorageBuffer, _) => false,
                    (_, Root::Buffer(n)) => is_shared(*n),
                    (_, root) => matches!(root, Root::Shared(..) | Root::Object(_)),
                };
                let roots: Vec<Root> = self.found.pointed.iter().copied().filter(fits).collect();
                if roots.len() > MAX_CHOICES {
                    let message =
                        format!("a pointer into one of {} variables; {MAX_CHOICES} are possible", roots.len());
                    return self.unsupported("spirv-pointer-unsupported", message);
                }
                let root = self.one_of(roots);
                let terms = SmallVec::from_slice(&[(words[1], 1)]);
                let (layout, number) = (Layout::default(), Some(words[0]));
                Ok(Rc::new(Pointer { root, ty, at: 0, terms, layout, array_stride: None, atomic: false, number }))
            }
            _ => self.invalid(format!("%{id} is not a pointer")),
        }
    }

    /// The root that stands for one of these.
    pub(super) fn one_of(&mut self, roots: impl IntoIterator<Item = Root>) -> Root {
        let roots: Vec<Root> = roots.into_iter().collect();
        match self.sets.iter().position(|set| *set == roots) {
            Some(known) => Root::Several(known),
            None => {
                self.sets.push(roots);
                Root::Several(self.sets.len() - 1)
            }
        }
    }

    /// What a pointer may lead into.
    fn roots(&self, root: Root) -> Vec<Root> {
        match root {
            Root::Several(set) => self.sets[set].clone(),
            root => vec![root],
        }
    }

    /// A root of the kind of those that a pointer may lead into; for a null pointer itself.
    pub(super) fn kind(&self, root: Root) -> Root {
        match root {
            Root::Several(set) => self.sets[set].first().copied().unwrap_or(root),
            root => root,
        }
    }

    /// Says that a value indexes a variable.
    pub(super) fn mark_indexed(&mut self, root: Root) {
        for root in self.roots(root) {
            if let Root::Object(object) = root
                && matches!(self.objects[object].store, Store::Variables(_))
            {
                self.found.indexed.insert(self.objects[object].id);
            }
        }
    }

    /// Pointers to each root that a pointer may lead into, and whether it does.
    pub(super) fn candidates(&mut self, pointer: &Pointer) -> Vec<(ValueId, Pointer)> {
        let number = self.number_of(pointer);
        let each = |ctx: &mut Self, root: Root| {
            let own = ctx.l.b.i32(root.number());
            (ctx.l.b.int(Op::Ieq, &[number, own]), Pointer { root, number: None, ..pointer.clone() })
        };
        self.roots(pointer.root).into_iter().map(|root| each(self, root)).collect()
    }

    /// A load by a pointer into one of several roots.
    pub(super) fn load_chosen(&mut self, pointer: &Pointer) -> Lift<Scalars> {
        let flat = self.tables.types.flat(pointer.ty);
        let mut chosen: Option<Scalars> = None;
        for (test, each) in self.candidates(pointer) {
            self.expand(flat.len())?;
            let Value::Scalars(loaded) = self.load(&each)? else { return self.invalid("the place holds no numbers") };
            chosen = Some(match chosen {
                None => loaded,
                Some(before) => {
                    let both = loaded.into_iter().zip(before).zip(flat.iter());
                    both.map(|((new, old), scalar)| self.l.choose(test, new, old, scalar.ir())).collect()
                }
            });
        }
        // Nothing lies at the null pointer.
        Ok(chosen.unwrap_or_else(|| self.literals(&flat, &vec![0; flat.len()])))
    }

    /// The number of what a pointer leads into.
    fn number_of(&mut self, pointer: &Pointer) -> ValueId {
        match pointer.number {
            Some(number) => self.l.force(number, Type::I32),
            None => self.l.b.i32(pointer.root.number()),
        }
    }

    /// How far behind its root a pointer begins, as a value.
    pub(super) fn place_of(&mut self, pointer: &Pointer) -> ValueId {
        let sum = self.sum_of_terms(pointer, 1);
        self.element_of(sum, pointer.at)
    }

    /// The two words of a pointer that is kept as a value.
    pub(super) fn pointer_as_value(&mut self, pointer: &Pointer) -> Lift<Scalars> {
        if pointer.layout != Layout::default() {
            return self.unsupported("spirv-pointer-unsupported", "a pointer to a matrix as a value");
        }
        let roots = self.roots(pointer.root);
        if let Some(root) =
            roots.iter().find(|root| matches!(root, Root::Bank(_) | Root::Textures(..) | Root::Images(..)))
        {
            return self.unsupported("spirv-pointer-unsupported", format!("a pointer into {root:?} as a value"));
        }
        self.mark_indexed(pointer.root);
        for root in roots {
            if !self.found.pointed.contains(&root) {
                self.found.pointed.push(root);
            }
        }
        let (number, place) = (self.number_of(pointer), self.place_of(pointer));
        Ok(Scalars::from_slice(&[number.into(), place.into()]))
    }

    /// From an element to the next where a pointer leads to one of an array, in the units of its root.
    pub(super) fn stride(&self, pointer: &Pointer, id: u32) -> Lift<Option<u32>> {
        Ok(match self.kind(pointer.root) {
            Root::Object(_) | Root::Shared(..) | Root::Several(_) => Some(self.tables.types.size(pointer.ty)),
            _ => self.tables.decorations.id(self.type_of(id)?).array_stride,
        })
    }

    /// Whether two pointers lead to the same place. Nothing lies at the null pointer.
    pub(super) fn is_same_place(&mut self, a: u32, b: u32) -> Lift<ValueId> {
        let (a, b) = (self.pointer(a)?, self.pointer(b)?);
        let (is_number, is_place) = ([&a, &b].map(|p| self.number_of(p)), [&a, &b].map(|p| self.place_of(p)));
        let is_number = self.l.b.int(Op::Ieq, &is_number);
        let is_place = self.l.b.int(Op::Ieq, &is_place);
        Ok(self.l.b.int(Op::Pand, &[is_number, is_place]))
    }

    /// `test ? a : b` of pointers.
    pub(super) fn choose_pointer(&mut self, test: ValueId, a: &Pointer, b: &Pointer) -> Lift<Value> {
        let (mut roots, others) = (self.roots(a.root), self.roots(b.root));
        let kinds = [&roots, &others].map(|roots| roots.first().map(std::mem::discriminant));
        let is_alike = a.ty == b.ty && a.layout == b.layout && (kinds[0] == kinds[1] || kinds.contains(&None));
        if !is_alike || roots.iter().any(|root| matches!(root, Root::Textures(..) | Root::Images(..))) {
            return self
                .unsupported("spirv-pointer-unsupported", "a choice between pointers to different kinds of memory");
        }
        let places = [a, b].map(|pointer| self.place_of(pointer));
        let (root, number) = match a.root == b.root && a.number.is_none() {
            true => (a.root, None),
            false => {
                let numbers = [a, b].map(|pointer| self.number_of(pointer));
                let chosen = self.l.b.select(test, numbers[0], numbers[1]);
                roots.extend(others.into_iter().filter(|root| !roots.contains(root)).collect::<Vec<_>>());
                (self.one_of(roots), Some(Deferred::from(chosen)))
            }
        };
        self.mark_indexed(root);
        let chosen = self.l.b.select(test, places[0], places[1]);
        let terms = SmallVec::from_slice(&[(Deferred::from(chosen), 1)]);
        Ok(Value::pointer(Pointer { root, number, at: 0, terms, ..a.clone() }))
    }
}
