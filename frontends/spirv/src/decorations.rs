//! Decorations by id and member.

use crate::module::Module;
use rspirv::spirv::{BuiltIn, Decoration, FPFastMathMode, FPRoundingMode, Op};
use rustc_hash::FxHashMap;

/// What is said of an id or of a member of a structure. What nobody reads is left out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Decorations {
    pub(crate) location: Option<u32>,
    pub(crate) component: Option<u32>,
    pub(crate) index: Option<u32>,
    pub(crate) binding: Option<u32>,
    pub(crate) set: Option<u32>,
    pub(crate) built_in: Option<BuiltIn>,
    pub(crate) spec_id: Option<u32>,
    /// Byte offset of a member.
    pub(crate) offset: Option<u32>,
    /// Bytes from an element of an array to the next.
    pub(crate) array_stride: Option<u32>,
    /// Bytes from a column, or row, of a matrix to the next.
    pub(crate) matrix_stride: Option<u32>,
    pub(crate) rounding: Option<FPRoundingMode>,
    pub(crate) fast_math: Option<FPFastMathMode>,
    pub(crate) row_major: bool,
    pub(crate) relaxed: bool,
    pub(crate) no_contraction: bool,
    pub(crate) flat: bool,
    pub(crate) no_perspective: bool,
    pub(crate) centroid: bool,
    pub(crate) sample: bool,
    /// An array of what each vertex of the triangle has.
    pub(crate) per_vertex: bool,
    pub(crate) block: bool,
    pub(crate) buffer_block: bool,
}

/// All decorations of a module.
#[derive(Clone, Debug, Default)]
pub(crate) struct DecorationTable {
    ids: FxHashMap<u32, Decorations>,
    members: FxHashMap<(u32, u32), Decorations>,
    none: Decorations,
}

impl DecorationTable {
    pub(crate) fn of(module: &Module) -> DecorationTable {
        let mut table = DecorationTable::default();
        for instruction in &module.instructions {
            let words = module.operands(instruction);
            match instruction.op {
                Op::Decorate | Op::DecorateId => table.ids.entry(words[0]).or_default().add(words[1], &words[2..]),
                Op::MemberDecorate => {
                    table.members.entry((words[0], words[1])).or_default().add(words[2], &words[3..]);
                }
                // The group was decorated before.
                Op::GroupDecorate => {
                    let group = table.ids.get(&words[0]).cloned().unwrap_or_default();
                    for &target in &words[1..] {
                        table.ids.entry(target).or_default().merge(&group);
                    }
                }
                Op::GroupMemberDecorate => {
                    let group = table.ids.get(&words[0]).cloned().unwrap_or_default();
                    for target in words[1..].chunks_exact(2) {
                        table.members.entry((target[0], target[1])).or_default().merge(&group);
                    }
                }
                Op::Function => break,
                _ => {}
            }
        }
        table
    }

    pub(crate) fn id(&self, id: u32) -> &Decorations {
        self.ids.get(&id).unwrap_or(&self.none)
    }

    pub(crate) fn member(&self, structure: u32, member: u32) -> &Decorations {
        self.members.get(&(structure, member)).unwrap_or(&self.none)
    }
}

impl Decorations {
    fn add(&mut self, decoration: u32, words: &[u32]) {
        let Some(decoration) = Decoration::from_u32(decoration) else { return };
        let first = words.first().copied();
        match decoration {
            Decoration::Location => self.location = first,
            Decoration::Component => self.component = first,
            Decoration::Index => self.index = first,
            Decoration::Binding => self.binding = first,
            Decoration::DescriptorSet => self.set = first,
            Decoration::BuiltIn => self.built_in = first.and_then(BuiltIn::from_u32),
            Decoration::SpecId => self.spec_id = first,
            Decoration::Offset => self.offset = first,
            Decoration::ArrayStride => self.array_stride = first,
            Decoration::MatrixStride => self.matrix_stride = first,
            Decoration::FPRoundingMode => self.rounding = first.and_then(FPRoundingMode::from_u32),
            Decoration::FPFastMathMode => self.fast_math = first.map(FPFastMathMode::from_bits_truncate),
            Decoration::RowMajor => self.row_major = true,
            Decoration::RelaxedPrecision => self.relaxed = true,
            Decoration::NoContraction => self.no_contraction = true,
            Decoration::Flat => self.flat = true,
            Decoration::NoPerspective => self.no_perspective = true,
            Decoration::Centroid => self.centroid = true,
            Decoration::Sample => self.sample = true,
            Decoration::PerVertexKHR => self.per_vertex = true,
            Decoration::Block => self.block = true,
            Decoration::BufferBlock => self.buffer_block = true,
            _ => {}
        }
    }

    fn merge(&mut self, other: &Decorations) {
        let Decorations { location, component, index, binding, set, built_in, spec_id, offset, .. } = *other;
        self.location = self.location.or(location);
        self.component = self.component.or(component);
        self.index = self.index.or(index);
        self.binding = self.binding.or(binding);
        self.set = self.set.or(set);
        self.built_in = self.built_in.or(built_in);
        self.spec_id = self.spec_id.or(spec_id);
        self.offset = self.offset.or(offset);
        self.array_stride = self.array_stride.or(other.array_stride);
        self.matrix_stride = self.matrix_stride.or(other.matrix_stride);
        self.rounding = self.rounding.or(other.rounding);
        self.fast_math = self.fast_math.or(other.fast_math);
        self.row_major |= other.row_major;
        self.relaxed |= other.relaxed;
        self.no_contraction |= other.no_contraction;
        self.flat |= other.flat;
        self.no_perspective |= other.no_perspective;
        self.centroid |= other.centroid;
        self.sample |= other.sample;
        self.per_vertex |= other.per_vertex;
        self.block |= other.block;
        self.buffer_block |= other.buffer_block;
    }
}
