//! Values of ids while a module is lifted.

use crate::types::Layout;
use parallax_core::ValueId;
use parallax_lift::{Deferred, VarId};
use smallvec::SmallVec;
use std::rc::Rc;

/// The scalars of a value, in order. Each has the type of the IR that its type in the module stands for.
pub(super) type Scalars = SmallVec<[Deferred; 4]>;

/// The same as values of their types.
pub(super) type Values = SmallVec<[ValueId; 4]>;

/// What an id stands for.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Scalars(Scalars),
    Pointer(Rc<Pointer>),
    /// An image, or an image with a sampler: where it was loaded from.
    Image(Rc<Pointer>),
    Sampler,
    /// Nothing, since its instruction was refused.
    Refused,
}

impl Value {
    pub(super) fn pointer(pointer: Pointer) -> Value {
        Value::Pointer(Rc::new(pointer))
    }
}

/// A place in memory.
#[derive(Clone, Debug)]
pub(super) struct Pointer {
    pub(super) root: Root,
    /// Type of what it points to.
    pub(super) ty: u32,
    /// How far behind the root it begins: in scalars for objects and shared memory, in bytes for banks and buffers, in images for images.
    pub(super) at: u32,
    /// Indices that are values, and what one step of each adds.
    pub(super) terms: SmallVec<[(Deferred, u32); 1]>,
    pub(super) layout: Layout,
    /// Bytes from an element to the next of the array that it leads into; none where it leads to something else, or that is
    /// not known.
    pub(super) array_stride: Option<u32>,
    /// Whether the access through it is atomic.
    pub(super) atomic: bool,
    /// Which of several roots it leads into, by [`Root::number`]; nothing where the root is known.
    pub(super) number: Option<Deferred>,
}

/// What a pointer leads into.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Root {
    /// A variable of this invocation, by number.
    Object(usize),
    /// A bank of constants.
    Bank(u16),
    /// A buffer.
    Buffer(u16),
    /// Memory of a workgroup: a buffer, and the words that each scalar takes.
    Shared(u16, u32),
    /// Texture units from this one, and how many.
    Textures(u16, u16),
    /// Images in buffers from this one, and how many.
    Images(u16, u16),
    /// One of the roots of a set, by its number. Nothing is in the set of a null pointer.
    Several(usize),
}

impl Root {
    /// What a pointer that is a value says of its root; 0 is that of null. Roots of one storage class have different numbers.
    pub(super) fn number(self) -> u32 {
        match self {
            Root::Object(n) => n as u32 + 1,
            Root::Bank(n) | Root::Buffer(n) | Root::Shared(n, _) | Root::Textures(n, _) | Root::Images(n, _) => {
                u32::from(n) + 1
            }
            Root::Several(_) => 0,
        }
    }
}

/// What a frame knows of an id.
#[derive(Clone, Debug)]
pub(super) enum Local {
    /// Its value, in the block that defines it.
    Here(Value),
    /// Its value is read from variables, since other blocks use it: those of its scalars, or of the terms of a pointer and the
    /// number of its root.
    Stored(Value, VarId),
}
