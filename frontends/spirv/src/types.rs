//! Types: what they are made of, how many scalars, where these lie in memory.

use crate::constants::Constants;
use crate::decorations::DecorationTable;
use crate::grammar::{Grammar, opcode_row};
use crate::id_map::IdMap;
use crate::module::{Instruction, Module};
use parallax_core::Type;
use parallax_num::Decl;
use parallax_text::Diag;
use rspirv::spirv::{Dim, ImageFormat, Op, StorageClass};
use std::fmt;
use std::rc::Rc;

/// No value or variable may have more scalars than this.
pub(crate) const MAX_SCALARS: u32 = 1 << 16;

/// All types together may not have more scalars than this.
const MAX_TOTAL: usize = 1 << 22;

/// Deepest nesting of types.
const MAX_DEPTH: u32 = 64;

/// What an id of a type stands for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Ty {
    Void,
    Scalar(Scalar),
    Vector {
        elem: u32,
        count: u32,
    },
    Matrix {
        column: u32,
        count: u32,
    },
    Array {
        elem: u32,
        count: u32,
    },
    RuntimeArray {
        elem: u32,
    },
    /// Members, and the scalar that each begins with.
    Struct {
        members: Rc<[u32]>,
        starts: Rc<[u32]>,
    },
    Image(ImageTy),
    Sampler,
    SampledImage {
        image: u32,
    },
    Pointer {
        class: StorageClass,
        to: u32,
    },
    Function,
    /// A type that nothing here can use, by its opcode.
    Opaque(Op),
}

/// The type of a component.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Scalar {
    Bool,
    Int { bits: u32, signed: bool },
    Float(Decl),
}

/// An image type.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct ImageTy {
    pub(crate) sampled_type: u32,
    pub(crate) dim: Dim,
    pub(crate) depth: bool,
    pub(crate) arrayed: bool,
    pub(crate) multisampled: bool,
    /// 1: sampled, 2: storage, 0: known at run time.
    pub(crate) sampled: u32,
    pub(crate) format: ImageFormat,
}

impl Scalar {
    /// The type of its values in the IR; narrow integers stand zero-extended in 32 bits.
    pub(crate) fn ir(self) -> Type {
        match self {
            Scalar::Bool => Type::Pred,
            Scalar::Int { bits: 64, .. } => Type::I64,
            Scalar::Int { .. } => Type::I32,
            Scalar::Float(decl) => Type::Float(decl),
        }
    }

    /// Bits in memory.
    pub(crate) fn bits(self) -> u32 {
        match self {
            Scalar::Bool => 32,
            Scalar::Int { bits, .. } => bits,
            Scalar::Float(decl) => decl.format().bits(),
        }
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scalar::Bool => f.write_str("a boolean"),
            Scalar::Int { bits, .. } => write!(f, "an integer of {bits} bits"),
            Scalar::Float(decl) => write!(f, "a float of {} bits", decl.format().bits()),
        }
    }
}

/// The types of a module, by id.
#[derive(Clone, Debug)]
pub(crate) struct Types {
    rows: IdMap<Row>,
    none: Rc<[Scalar]>,
    /// Scalars of all types together.
    total: usize,
}

/// What is known of a type.
#[derive(Clone, Debug)]
struct Row {
    ty: Ty,
    /// Its scalars in order; nothing for types without values of scalars.
    flat: Option<Rc<[Scalar]>>,
    /// The scalar type of a scalar, vector or matrix.
    scalar: Option<Scalar>,
}

/// How a value lies in memory where its type alone does not say.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Layout {
    /// Bytes between the columns of a matrix, or rows where it is by rows.
    pub(crate) matrix_stride: u32,
    pub(crate) row_major: bool,
    /// Bytes between the components of a vector that is a column of a matrix by rows; 0 where they follow each other.
    pub(crate) vector_stride: u32,
}

impl Types {
    /// No types yet, for ids below a bound.
    pub(crate) fn new(bound: u32) -> Types {
        Types { rows: IdMap::new(bound), none: Rc::from([]), total: 0 }
    }

    /// The type of an id.
    pub(crate) fn get(&self, id: u32) -> Option<&Ty> {
        self.rows.get(id).map(|row| &row.ty)
    }

    fn scalars(&self, id: u32) -> Option<&Rc<[Scalar]>> {
        self.rows.get(id)?.flat.as_ref()
    }

    /// What variables and values of a type are called in messages where its values are no numbers; `None` where they are, which may be
    /// none.
    pub(crate) fn no_numbers(&self, id: u32) -> Option<String> {
        if self.scalars(id).is_some() {
            return None;
        }
        Some(match self.get(id) {
            Some(Ty::Array { elem, .. } | Ty::Vector { elem, .. } | Ty::Matrix { column: elem, .. }) => {
                match self.no_numbers(*elem) {
                    Some(parts) => format!("arrays of {parts}"),
                    None => format!("types of more than {MAX_SCALARS} numbers"),
                }
            }
            Some(Ty::Struct { members, .. }) => match members.iter().find_map(|member| self.no_numbers(*member)) {
                Some(parts) => format!("structures with {parts}"),
                None => format!("types of more than {MAX_SCALARS} numbers"),
            },
            Some(Ty::RuntimeArray { .. }) => "arrays without a length".into(),
            Some(Ty::Image(_) | Ty::SampledImage { .. }) => "images".into(),
            Some(Ty::Sampler) => "samplers".into(),
            Some(Ty::Pointer { class: StorageClass::PhysicalStorageBuffer, .. }) => {
                "pointers with physical addresses".into()
            }
            Some(Ty::Pointer { .. }) => "pointers".into(),
            Some(Ty::Opaque(op)) => format!("type Op{op:?}"),
            Some(Ty::Function) => "functions".into(),
            Some(Ty::Void) => "type OpTypeVoid".into(),
            Some(Ty::Scalar(_)) | None => format!("type %{id}"),
        })
    }

    /// The scalars of a type in order. Empty for types that have none.
    pub(crate) fn flat(&self, id: u32) -> Rc<[Scalar]> {
        self.scalars(id).unwrap_or(&self.none).clone()
    }

    /// Number of scalars of a type.
    pub(crate) fn size(&self, id: u32) -> u32 {
        self.scalars(id).map_or(0, |flat| flat.len() as u32)
    }

    /// The scalar type of a scalar, vector or matrix.
    pub(crate) fn scalar(&self, id: u32) -> Option<Scalar> {
        self.rows.get(id)?.scalar
    }

    /// Whether a type consists of 32-bit floats alone.
    pub(crate) fn is_of_floats(&self, id: u32) -> bool {
        match self.get(id) {
            Some(Ty::Scalar(scalar)) => *scalar == Scalar::Float(Decl::F32),
            Some(Ty::Vector { elem, .. } | Ty::Array { elem, .. } | Ty::RuntimeArray { elem }) => {
                self.is_of_floats(*elem)
            }
            Some(Ty::Matrix { column, .. }) => self.is_of_floats(*column),
            Some(Ty::Struct { members, .. }) => !members.is_empty() && members.iter().all(|&id| self.is_of_floats(id)),
            _ => false,
        }
    }

    /// Components of a vector, 1 for anything else.
    pub(crate) fn components(&self, id: u32) -> usize {
        match self.get(id) {
            Some(Ty::Vector { count, .. }) => *count as usize,
            _ => 1,
        }
    }

    /// Adds the type that an instruction defines. Lengths of arrays are `constants`.
    ///
    /// # Errors
    /// Types made of what is no type, or too large.
    pub(crate) fn add(&mut self, module: &Module, number: usize, constants: &Constants) -> Result<(), Box<Diag>> {
        let instruction = &module.instructions[number];
        let words = module.operands(instruction);
        let invalid = |what: String| Box::new(Diag::invalid("spirv-type", module.spans[number], what));
        let known = |id: u32| match self.get(id) {
            Some(_) => Ok(id),
            None => Err(invalid(format!("%{id} is not a type defined before this"))),
        };
        let ty = match instruction.op {
            Op::TypeVoid => Ty::Void,
            Op::TypeBool => Ty::Scalar(Scalar::Bool),
            Op::TypeInt => match words[0] {
                bits @ (8 | 16 | 32 | 64) => Ty::Scalar(Scalar::Int { bits, signed: words[1] != 0 }),
                bits => return Err(invalid(format!("an integer of {bits} bits; 8, 16, 32 and 64 exist"))),
            },
            Op::TypeFloat => match (words[0], words.get(1)) {
                (16, None) => Ty::Scalar(Scalar::Float(Decl::F16)),
                (32, _) => Ty::Scalar(Scalar::Float(Decl::F32)),
                (64, _) => Ty::Scalar(Scalar::Float(Decl::F64)),
                (_, Some(_)) => Ty::Opaque(instruction.op),
                (bits, _) => return Err(invalid(format!("a float of {bits} bits; 16, 32 and 64 exist"))),
            },
            Op::TypeVector => match (self.get(words[0]), words[1]) {
                (Some(Ty::Scalar(_)), count @ 2..=16) => Ty::Vector { elem: words[0], count },
                _ => return Err(invalid(format!("a vector of {} times %{}", words[1], words[0]))),
            },
            // A vector of any length, which is a constant.
            Op::TypeVectorIdEXT => match (self.get(words[0]), constants.integer(self, words[1])) {
                (Some(Ty::Scalar(_)), Some(count)) if (1..=i128::from(MAX_SCALARS)).contains(&count) => {
                    Ty::Vector { elem: words[0], count: count as u32 }
                }
                _ => return Err(invalid(format!("a vector of %{} times %{}", words[1], words[0]))),
            },
            Op::TypeMatrix => match (self.get(words[0]), words[1]) {
                (Some(Ty::Vector { .. }), count @ 2..=4) => Ty::Matrix { column: words[0], count },
                _ => return Err(invalid(format!("a matrix of {} times %{}", words[1], words[0]))),
            },
            Op::TypeArray => {
                let elem = known(words[0])?;
                match constants.integer(self, words[1]).map(u32::try_from) {
                    Some(Ok(count @ 1..)) => Ty::Array { elem, count },
                    Some(_) => {
                        return Err(invalid(format!("an array of %{} elements, which are none or too many", words[1])));
                    }
                    None => return Err(invalid(format!("the length %{} is not an integer constant", words[1]))),
                }
            }
            Op::TypeRuntimeArray => Ty::RuntimeArray { elem: known(words[0])? },
            Op::TypeStruct => {
                let members: Result<Rc<[u32]>, _> = words.iter().map(|&id| known(id)).collect();
                let starts = words.iter().scan(0u32, |at, &id| {
                    let start = *at;
                    *at = at.saturating_add(self.size(id));
                    Some(start)
                });
                Ty::Struct { members: members?, starts: starts.collect() }
            }
            Op::TypeImage => Ty::Image(ImageTy {
                sampled_type: known(words[0])?,
                dim: Dim::from_u32(words[1]).ok_or_else(|| invalid(format!("unknown dimension {}", words[1])))?,
                depth: words[2] == 1,
                arrayed: words[3] == 1,
                multisampled: words[4] == 1,
                sampled: words[5],
                format: ImageFormat::from_u32(words[6])
                    .ok_or_else(|| invalid(format!("unknown image format {}", words[6])))?,
            }),
            Op::TypeSampler => Ty::Sampler,
            Op::TypeSampledImage => Ty::SampledImage { image: known(words[0])? },
            Op::TypePointer => match StorageClass::from_u32(words[0]) {
                Some(class) => Ty::Pointer { class, to: words[1] },
                None => return Err(invalid(format!("unknown storage class {}", words[0]))),
            },
            // A structure may hold pointers to itself.
            Op::TypeForwardPointer => match StorageClass::from_u32(words[1]) {
                Some(class) => Ty::Pointer { class, to: 0 },
                None => return Err(invalid(format!("unknown storage class {}", words[1]))),
            },
            Op::TypeFunction => Ty::Function,
            op => Ty::Opaque(op),
        };
        let flat = self.flatten(&ty).filter(|flat| self.total + flat.len() <= MAX_TOTAL);
        self.total += flat.as_ref().map_or(0, |flat| flat.len());
        let scalar = match ty {
            Ty::Scalar(scalar) => Some(scalar),
            Ty::Vector { elem, .. } => self.scalar(elem),
            Ty::Matrix { column, .. } => self.scalar(column),
            _ => None,
        };
        let id = if instruction.op == Op::TypeForwardPointer { words[0] } else { instruction.id };
        self.rows.insert(id, Row { ty, flat, scalar });
        Ok(())
    }

    /// Gives so many elements to the array of images or blocks that a variable is, if it has no length. `pointer` is the variable's type.
    pub(crate) fn count_descriptors(&mut self, pointer: u32, count: u32) {
        use StorageClass::{StorageBuffer, Uniform, UniformConstant};
        if let Some(&Ty::Pointer { class: StorageBuffer | Uniform | UniformConstant, to }) = self.get(pointer)
            && let Some(&Ty::RuntimeArray { elem }) = self.get(to)
        {
            self.rows.insert(to, Row { ty: Ty::Array { elem, count }, flat: None, scalar: None });
        }
    }

    /// The scalars of a type whose parts are known; `None` where it has too many, or parts that are no scalars.
    fn flatten(&self, ty: &Ty) -> Option<Rc<[Scalar]>> {
        let repeat = |elem: u32, count: u32| {
            let flat = self.scalars(elem)?;
            let total = (flat.len() as u64).checked_mul(u64::from(count))?;
            (total <= u64::from(MAX_SCALARS)).then(|| {
                let parts = std::iter::repeat_n(flat, count as usize);
                parts.flat_map(|flat| flat.iter().copied()).collect()
            })
        };
        match ty {
            Ty::Scalar(scalar) => Some(Rc::from([*scalar])),
            // Pointers that may be values: the number of what they lead into, and how far behind its beginning.
            Ty::Pointer { class: StorageClass::StorageBuffer | StorageClass::Workgroup, .. } => {
                Some(Rc::from([Scalar::Int { bits: 32, signed: false }; 2]))
            }
            Ty::Vector { elem, count } | Ty::Array { elem, count } => repeat(*elem, *count),
            Ty::Matrix { column, count } => repeat(*column, *count),
            Ty::Struct { members, .. } => {
                let total: Option<usize> = members.iter().map(|id| self.scalars(*id).map(|flat| flat.len())).sum();
                (total? <= MAX_SCALARS as usize).then(|| {
                    members.iter().filter_map(|id| self.scalars(*id)).flat_map(|flat| flat.iter().copied()).collect()
                })
            }
            _ => None,
        }
    }

    /// The member or element `index` of a type: its type and, in scalars, where it begins. An index beyond the last element
    /// of a vector, matrix or array is `None`.
    pub(crate) fn part(&self, id: u32, index: u32) -> Option<(u32, u32)> {
        let (elem, count) = match self.get(id)? {
            Ty::Vector { elem, count } | Ty::Array { elem, count } => (*elem, *count),
            Ty::Matrix { column, count } => (*column, *count),
            Ty::RuntimeArray { elem } => (*elem, u32::MAX),
            Ty::Struct { members, starts } => {
                return Some((*members.get(index as usize)?, *starts.get(index as usize)?));
            }
            _ => return None,
        };
        (index < count).then(|| (elem, index.wrapping_mul(self.size(elem))))
    }

    /// The element of a vector, matrix or array whose index is a value: its type, and scalars from one to the next.
    pub(crate) fn element(&self, id: u32) -> Option<(u32, u32)> {
        match self.get(id)? {
            Ty::Vector { elem, .. } | Ty::Array { elem, .. } | Ty::RuntimeArray { elem } => {
                Some((*elem, self.size(*elem)))
            }
            Ty::Matrix { column, .. } => Some((*column, self.size(*column))),
            _ => None,
        }
    }

    // ---- memory ----

    /// The member or element `index` of a type in memory: type, bytes from the beginning, layout. `None` as an index stands
    /// for one that is a value; the bytes are then those from one element to the next.
    pub(crate) fn part_in_memory(
        &self,
        decorations: &DecorationTable,
        id: u32,
        layout: Layout,
        index: Option<u32>,
    ) -> Option<(u32, u32, Layout)> {
        let at = |stride: u32| index.map_or(Some(stride), |index| stride.checked_mul(index));
        match self.get(id)? {
            Ty::Struct { members, .. } => {
                let index = index?;
                let member = *members.get(index as usize)?;
                let said = decorations.member(id, index);
                let matrix = Layout {
                    matrix_stride: said.matrix_stride.unwrap_or(0),
                    row_major: said.row_major,
                    vector_stride: 0,
                };
                Some((member, said.offset?, matrix))
            }
            Ty::Array { elem, .. } | Ty::RuntimeArray { elem } => {
                Some((*elem, at(decorations.id(id).array_stride?)?, layout))
            }
            Ty::Matrix { column, .. } => {
                let bytes = self.scalar(*column)?.bits() / 8;
                let (step, vector_stride) = match layout.row_major {
                    true => (bytes, layout.matrix_stride),
                    false => (layout.matrix_stride, 0),
                };
                Some((*column, at(step)?, Layout { vector_stride, ..Layout::default() }))
            }
            Ty::Vector { elem, .. } => {
                let bytes = self.scalar(*elem)?.bits() / 8;
                let step = if layout.vector_stride > 0 { layout.vector_stride } else { bytes };
                Some((*elem, at(step)?, Layout::default()))
            }
            _ => None,
        }
    }

    /// Where the scalars of a value lie, in bytes from its beginning; `None` where a stride or an offset is missing.
    pub(crate) fn offsets(&self, decorations: &DecorationTable, id: u32, layout: Layout) -> Option<Vec<(u32, Scalar)>> {
        let mut out = Vec::new();
        self.offsets_from(decorations, id, layout, 0, 0, &mut out)?;
        Some(out)
    }

    fn offsets_from(
        &self,
        decorations: &DecorationTable,
        id: u32,
        layout: Layout,
        at: u32,
        depth: u32,
        out: &mut Vec<(u32, Scalar)>,
    ) -> Option<()> {
        if depth > MAX_DEPTH || out.len() > MAX_SCALARS as usize {
            return None;
        }
        let count = match self.get(id)? {
            Ty::Scalar(scalar) => {
                out.push((at, *scalar));
                return Some(());
            }
            Ty::Vector { count, .. } | Ty::Matrix { count, .. } | Ty::Array { count, .. } => *count,
            Ty::Struct { members, .. } => members.len() as u32,
            _ => return None,
        };
        for index in 0..count {
            let (part, offset, layout) = self.part_in_memory(decorations, id, layout, Some(index))?;
            self.offsets_from(decorations, part, layout, at.checked_add(offset)?, depth + 1, out)?;
        }
        Some(())
    }
}

/// Whether an instruction defines a type.
pub(crate) fn is_type(instruction: &Instruction) -> bool {
    if instruction.op == Op::TypeForwardPointer {
        return true;
    }
    // The grammar has more of them with every extension.
    let is_named = |grammar: &Grammar| grammar.row.opname.starts_with("Type");
    instruction.id != 0 && instruction.ty == 0 && opcode_row(instruction.op as u16).is_some_and(is_named)
}
