//! What an entry point reads and writes: locations, built-ins, bindings, names.

use super::value::{Pointer, Root, Scalars, Value};
use super::{Ctx, Lift, Stop};
use crate::decorations::Decorations;
use crate::module::Instruction;
use crate::types::{Scalar, Ty};
use parallax_core::{
    AliasDecl, AttrDecl, AttrSemantic, BankDecl, BufferDecl, ConstDecl, Interp, Location, OutputRole, Stage, SysVal,
    Type, ValueId,
};
use parallax_lift::{Access, Deferred, InputNames, Options, Spelling};
use parallax_num::{Decl, Op};
use rspirv::spirv::{BuiltIn, ExecutionMode, Op as Code, StorageClass};

const LOCAL: [SysVal; 3] = [SysVal::LocalX, SysVal::LocalY, SysVal::LocalZ];

/// Vectors of a bank of which each has a name.
const MAX_NAMED: u32 = 256;

/// Locations that inputs and outputs may have.
const MAX_LOCATIONS: u32 = 256;

/// Numbers that a built-in array of distances may have.
const MAX_BUILT_IN: u32 = 8;

/// Elements that an array of blocks or images may have.
const MAX_ELEMENTS: u32 = 64;

/// Buffers, banks and texture units that a module may have, of each kind; and named constants in all.
const MAX_RESOURCES: usize = 1024;

/// An output and the scalars of a variable that it takes.
pub(super) struct Output {
    object: usize,
    name: String,
    alias: Option<String>,
    role: OutputRole,
    /// Whether its numbers may be halves: of fragments, in RelaxedPrecision.
    relaxed: bool,
    /// For each component a scalar of the object and which of its words.
    comps: [Option<(u32, u32)>; 4],
}

/// A scalar or vector of an input or output variable.
struct Leaf {
    /// First scalar in the variable.
    at: u32,
    count: u32,
    scalar: Scalar,
    place: LeafPlace,
    said: Decorations,
    /// The name of the variable, or of the member.
    name: Option<String>,
}

enum LeafPlace {
    Location { location: u32, component: u32 },
    BuiltIn(BuiltIn),
}

impl Ctx<'_, '_> {
    /// Makes the variables outside of functions.
    pub(super) fn declare_globals(&mut self, options: &Options) {
        let module = self.tables.module;
        if self.l.b.func.iface.stage == Stage::Compute {
            self.l.b.func.iface.workgroup = self.workgroup();
        }
        for (number, instruction) in module.instructions.iter().enumerate() {
            match instruction.op {
                Code::Function => break,
                Code::Variable => {}
                _ if self.tables.constants.is_computed(instruction.id) => {}
                _ => continue,
            }
            self.span = module.spans[number];
            let words = module.operands(instruction);
            if instruction.op != Code::Variable {
                let value = self.computed_constant(instruction, words).unwrap_or_else(|stop| {
                    self.stop(stop);
                    Value::Refused
                });
                self.globals.insert(instruction.id, value);
                continue;
            }
            // Inputs and outputs that the entry point does not list are those of others.
            let is_other = matches!(
                self.tables.pointee(instruction.ty),
                Some((StorageClass::Input | StorageClass::Output, _)) if !self.entry.interface.contains(&instruction.id)
            );
            let value = match is_other {
                true => Ok(None),
                false => self.global(instruction.id, instruction.ty, words).map(Some),
            };
            let value = value.unwrap_or_else(|stop| {
                self.stop(stop);
                Some(Value::Refused)
            });
            if let Some(value) = value {
                self.globals.insert(instruction.id, value);
            }
        }
        for name in self.l.presets(options) {
            let help = "the inputs, constants and buffers of the entry point can be set";
            self.stop(Stop::Problem(Box::new(Access::Preset.refuse(name, "it is not an input", help))));
        }
    }

    /// A constant that the shader computes, since the rules of the model say what it is.
    fn computed_constant(&mut self, instruction: &Instruction, words: &[u32]) -> Lift<Value> {
        let (made, operands) = match (instruction.op, words) {
            (Code::SpecConstantOp, [op, operands @ ..]) => (Code::from_u32(*op).unwrap_or(Code::Nop), operands),
            (Code::SpecConstantCompositeReplicateEXT, _) => (Code::CompositeConstructReplicateEXT, words),
            _ => (Code::CompositeConstruct, words),
        };
        match self.result(&instruction.becoming(made, instruction.ty), operands)? {
            Some(value) => Ok(value),
            None => self.invalid("the expression has no value"),
        }
    }

    fn global(&mut self, id: u32, pointer: u32, words: &[u32]) -> Lift<Value> {
        let Some((class, ty)) = self.tables.pointee(pointer) else {
            return self.invalid("the type of the variable is not a pointer");
        };
        let said = self.tables.decorations.id(id).clone();
        if let StorageClass::Uniform | StorageClass::StorageBuffer | StorageClass::UniformConstant = class
            && let Some(Ty::Array { count, .. }) = self.tables.types.get(ty)
            && *count > MAX_ELEMENTS
        {
            let message = format!("an array of {count} blocks or images; {MAX_ELEMENTS} are possible");
            return self.unsupported("spirv-variable-unsupported", message);
        }
        let iface = &self.l.b.func.iface;
        if iface.buffers.len().max(iface.banks.len()).max(iface.units.len()) > MAX_RESOURCES {
            return self
                .unsupported("spirv-variable-unsupported", format!("more than {MAX_RESOURCES} bindings of a kind"));
        }
        match class {
            StorageClass::Input => self.input(id, ty),
            StorageClass::Output => self.output_variable(id, ty),
            StorageClass::Private => {
                let object = self.object(id, ty)?;
                let flat = self.objects[object].flat.clone();
                let first = match words.get(1) {
                    Some(&value) => self.scalars(value)?,
                    None => self.literals(&flat, &vec![0; flat.len()]),
                };
                self.initialise(object, &first);
                Ok(Value::pointer(self.whole(Root::Object(object), ty)))
            }
            StorageClass::PushConstant => {
                let bank = self.add_bank("push".into(), id, ty)?;
                Ok(Value::pointer(self.whole(Root::Bank(bank), ty)))
            }
            StorageClass::Uniform | StorageClass::StorageBuffer => {
                let (block, count) = match self.tables.types.get(ty) {
                    Some(Ty::Array { elem, count }) => (*elem, *count),
                    Some(Ty::RuntimeArray { .. }) => return self.uncounted(),
                    _ => (ty, 1),
                };
                let is_buffer = class == StorageClass::StorageBuffer || self.tables.decorations.id(block).buffer_block;
                let name = binding_name(&said);
                let mut first = None;
                for n in 0..count {
                    let name = if count > 1 { format!("{name}.{n}") } else { name.clone() };
                    let root = match is_buffer {
                        true => Root::Buffer(self.add_buffer(name, id, block)),
                        false => Root::Bank(self.add_bank(name, id, block)?),
                    };
                    first.get_or_insert(root);
                }
                match first {
                    Some(root) => Ok(Value::pointer(self.whole(root, ty))),
                    None => self.invalid("an array without elements"),
                }
            }
            StorageClass::UniformConstant => self.image_variable(id, ty, &said),
            // Blocks of the workgroup lie over each other.
            StorageClass::Workgroup if self.tables.decorations.id(ty).block => {
                let words = self.block_size(ty).div_ceil(4);
                let buffers = &mut self.l.b.func.iface.buffers;
                let known = buffers.iter().position(|buffer| buffer.workgroup.is_some());
                let buffer = known.unwrap_or_else(|| {
                    buffers.push(BufferDecl { workgroup: Some(words), ..BufferDecl::new("shared".into()) });
                    buffers.len() - 1
                });
                let all = &mut buffers[buffer].workgroup;
                *all = (*all).max(Some(words));
                Ok(Value::pointer(self.whole(Root::Buffer(buffer as u16), ty)))
            }
            // One invocation is the whole workgroup.
            StorageClass::Workgroup if self.is_single() => {
                let object = self.object(id, ty)?;
                let flat = self.objects[object].flat.clone();
                let zeros = self.literals(&flat, &vec![0; flat.len()]);
                self.initialise(object, &zeros);
                Ok(Value::pointer(self.whole(Root::Object(object), ty)))
            }
            StorageClass::Workgroup => {
                let flat = self.tables.types.flat(ty);
                if let Some(what) = self.tables.types.no_numbers(ty) {
                    return self.unsupported("spirv-variable-unsupported", format!("variables of {what}"));
                }
                let each = if flat.iter().any(|scalar| scalar.bits() > 32) { 2 } else { 1 };
                let name =
                    self.tables.debug.name(id).map_or_else(|| format!("shared{id}"), |name| format!("shared {name}"));
                let buffers = &mut self.l.b.func.iface.buffers;
                let workgroup = Some(flat.len() as u32 * each);
                buffers.push(BufferDecl { workgroup, ..BufferDecl::new(name) });
                let root = Root::Shared(buffers.len() as u16 - 1, each);
                Ok(Value::pointer(self.whole(root, ty)))
            }
            class => self.unsupported("spirv-variable-unsupported", format!("storage class {class:?}")),
        }
    }

    /// Sizes of a workgroup, as the module says them.
    fn workgroup(&self) -> [u32; 3] {
        for instruction in &self.tables.module.instructions {
            let constant = self.tables.constants.get(instruction.id);
            if let Some([x, y, z]) = constant.map(|constant| &constant.bits[..])
                && self.tables.decorations.id(instruction.id).built_in == Some(BuiltIn::WorkgroupSize)
            {
                return [*x as u32, *y as u32, *z as u32];
            }
        }
        for (mode, words) in self.tables.modes(self.entry.function) {
            match (mode, words) {
                (ExecutionMode::LocalSize, [x, y, z]) => return [*x, *y, *z],
                (ExecutionMode::LocalSizeId, ids) if ids.len() == 3 => {
                    let size = |n: usize| self.constant(ids[n]).map_or(1, |value| value as u32);
                    return [size(0), size(1), size(2)];
                }
                _ => {}
            }
        }
        [1; 3]
    }

    /// Whether one invocation is the whole workgroup.
    pub(super) fn is_single(&self) -> bool {
        self.l.b.func.iface.workgroup == [1; 3]
    }

    pub(super) fn alias(&mut self, name: Option<String>, of: &str) {
        let aliases = &mut self.l.b.func.iface.aliases;
        if let Some(name) = name.filter(|name| name != of && aliases.iter().all(|alias| alias.name != *name)) {
            aliases.push(AliasDecl { name, of: of.to_string() });
        }
    }

    // ---- inputs and outputs ----

    /// The scalars and vectors of an input or output variable, with their places.
    fn leaves(&self, id: u32, ty: u32) -> Lift<Vec<Leaf>> {
        let said = self.tables.decorations.id(id).clone();
        let name = self.tables.debug.name(id).map(str::to_string);
        let mut out = Vec::new();
        let mut next = said.location;
        self.leaves_of(ty, &said, name, &mut next, 0, &mut out)?;
        Ok(out)
    }

    fn leaves_of(
        &self,
        ty: u32,
        said: &Decorations,
        name: Option<String>,
        next: &mut Option<u32>,
        at: u32,
        out: &mut Vec<Leaf>,
    ) -> Lift<()> {
        let types = &self.tables.types;
        match types.get(ty) {
            Some(Ty::Struct { members, .. }) => {
                let mut inner = at;
                for (n, &member) in members.iter().enumerate() {
                    let mut own = self.tables.decorations.member(ty, n as u32).clone();
                    own.flat |= said.flat;
                    own.no_perspective |= said.no_perspective;
                    own.centroid |= said.centroid;
                    own.sample |= said.sample;
                    own.per_vertex |= said.per_vertex;
                    own.relaxed |= said.relaxed;
                    if own.location.is_some() {
                        *next = own.location;
                    }
                    let name = self.tables.debug.member(ty, n as u32).map(str::to_string);
                    self.leaves_of(member, &own, name, next, inner, out)?;
                    inner += types.size(member);
                }
                Ok(())
            }
            Some(Ty::Array { .. }) if said.per_vertex => {
                self.unsupported("spirv-variable-unsupported", "an input that has a value for each vertex")
            }
            Some(Ty::Array { elem, count } | Ty::Matrix { column: elem, count }) if said.built_in.is_none() => {
                for n in 0..*count {
                    let name = name.as_ref().map(|name| format!("{name}[{n}]"));
                    self.leaves_of(*elem, said, name, next, at + n * types.size(*elem), out)?;
                }
                Ok(())
            }
            _ => {
                let (Some(scalar), count) =
                    (types.scalar(ty).or_else(|| types.flat(ty).first().copied()), types.size(ty))
                else {
                    return self.unsupported("spirv-variable-unsupported", "an input or output that is not a number");
                };
                let place = match (said.built_in, *next) {
                    (Some(built_in), _) => LeafPlace::BuiltIn(built_in),
                    (None, Some(_)) if said.component.is_some_and(|component| component > 3) => {
                        return self.invalid("a component of a location beyond the fourth");
                    }
                    (None, Some(location)) if location >= MAX_LOCATIONS => {
                        let message = format!("location {location}; there are {MAX_LOCATIONS}");
                        return self.unsupported("spirv-variable-unsupported", message);
                    }
                    (None, Some(location)) => {
                        *next = Some(location + if scalar.bits() == 64 && count > 2 { 2 } else { 1 });
                        LeafPlace::Location { location, component: said.component.unwrap_or(0) }
                    }
                    (None, None) => return self.invalid("an input or output has neither a location nor a built-in"),
                };
                out.push(Leaf { at, count, scalar, place, said: said.clone(), name });
                Ok(())
            }
        }
    }

    fn input(&mut self, id: u32, ty: u32) -> Lift<Value> {
        let object = self.object(id, ty)?;
        let mut scalars = Scalars::new();
        let flat = self.objects[object].flat.clone();
        for leaf in self.leaves(id, ty)? {
            scalars.resize(leaf.at as usize, Deferred::word(0));
            match leaf.place {
                LeafPlace::BuiltIn(built_in) => {
                    let values = self.built_in(built_in, leaf.count as usize)?;
                    scalars.extend(values);
                }
                LeafPlace::Location { location, component } if leaf.scalar.bits() == 64 => {
                    for n in 0..leaf.count {
                        let mut words = Vec::new();
                        // The words of the third and fourth number are those of the next location.
                        for word in component + 2 * n..component + 2 * n + 2 {
                            let index = self.attribute(location + word / 4, &leaf);
                            words.push(self.l.force(Deferred::attr(index, (word % 4) as u8), Type::I32));
                        }
                        scalars.push(self.of_words(leaf.scalar, &words).into());
                    }
                }
                LeafPlace::Location { location, component } => {
                    let index = self.attribute(location, &leaf);
                    for n in 0..leaf.count {
                        let comp = (component + n) as u8;
                        if comp > 3 {
                            return self.invalid(format!("component {comp} of a location"));
                        }
                        let read = Deferred::attr(index, comp);
                        scalars.push(match leaf.scalar {
                            // Narrow numbers arrive in components of 32 bits.
                            Scalar::Float(decl) if decl.format().bits() < 32 => {
                                let wide = self.l.force(read, Type::F32);
                                self.float_to(id, decl, wide).into()
                            }
                            Scalar::Int { bits, .. } if bits < 32 => {
                                let word = self.l.force(read, Type::I32);
                                self.low_bits(word, bits).into()
                            }
                            _ => read,
                        });
                    }
                }
            }
        }
        scalars.resize(flat.len(), Deferred::word(0));
        self.initialise(object, &scalars);
        Ok(Value::pointer(self.whole(Root::Object(object), ty)))
    }

    /// The attribute of a location.
    fn attribute(&mut self, location: u32, leaf: &Leaf) -> u16 {
        let name = format!("in[{location}]");
        self.alias(leaf.name.clone(), &name);
        let is_integer = !matches!(leaf.scalar, Scalar::Float(_));
        let is_fragment = self.l.b.func.iface.stage == Stage::Fragment;
        let mediump = is_fragment && leaf.said.relaxed && self.relaxed_as.is_some();
        if let Some(index) = self.l.b.func.iface.attrs.iter().position(|attr| attr.name == name) {
            // Variables that share a location are halves together.
            self.l.b.func.iface.attrs.to_mut()[index].mediump &= mediump;
            return index as u16;
        }
        self.l.add_attr(AttrDecl {
            name,
            semantic: AttrSemantic::Generic(location as u16),
            interp: match leaf.said {
                Decorations { flat: true, .. } => Interp::Flat,
                _ if is_integer => Interp::Flat,
                Decorations { no_perspective: true, .. } => Interp::Linear,
                _ => Interp::Perspective,
            },
            location: match leaf.said {
                Decorations { sample: true, .. } => Location::Sample,
                Decorations { centroid: true, .. } => Location::Centroid,
                _ => Location::Center,
            },
            mediump,
        })
    }

    /// For each scalar of an input variable its attribute and component.
    pub(super) fn input_places(&self, object: usize) -> Option<Vec<Option<(u16, u8)>>> {
        let id = self.objects[object].id;
        let (class, ty) = self.tables.pointee(self.tables.module.defining(id)?.ty)?;
        if class != StorageClass::Input {
            return None;
        }
        let mut out = vec![None; self.objects[object].flat.len()];
        for leaf in self.leaves(id, ty).ok()? {
            if let LeafPlace::Location { location, component } = leaf.place {
                let name = format!("in[{location}]");
                let index = self.l.b.func.iface.attrs.iter().position(|attr| attr.name == name)?;
                for n in 0..leaf.count {
                    *out.get_mut((leaf.at + n) as usize)? =
                        (leaf.scalar.bits() < 64).then_some((index as u16, (component + n) as u8));
                }
            }
        }
        Some(out)
    }

    /// The attribute that is the position of the fragment.
    pub(super) fn position(&mut self) -> u16 {
        let attrs = &self.l.b.func.iface.attrs;
        if let Some(known) = attrs.iter().position(|attr| attr.semantic == AttrSemantic::Position) {
            return known as u16;
        }
        let (name, location) = (built_in_name(BuiltIn::FragCoord, 0), Location::Center);
        self.l.add_attr(AttrDecl {
            name,
            semantic: AttrSemantic::Position,
            interp: Interp::Linear,
            location,
            mediump: false,
        })
    }

    /// The scalars of a built-in input.
    fn built_in(&mut self, built_in: BuiltIn, count: usize) -> Lift<Scalars> {
        let most = if matches!(built_in, BuiltIn::ClipDistance | BuiltIn::CullDistance) { MAX_BUILT_IN } else { 4 };
        if !(1..=most as usize).contains(&count) {
            return self.unsupported("spirv-built-in-unsupported", format!("built-in {built_in:?} of {count} numbers"));
        }
        let attribute = |ctx: &mut Self, semantic: &dyn Fn(u16) -> AttrSemantic, interp| {
            let mut scalars = Scalars::new();
            for vector in 0..count.div_ceil(4) {
                let (name, semantic) = (built_in_name(built_in, vector as u32), semantic(vector as u16));
                let location = Location::Center;
                let index = ctx.l.add_attr(AttrDecl { name, semantic, interp, location, mediump: false });
                scalars.extend((vector * 4..count.min(vector * 4 + 4)).map(|n| Deferred::attr(index, (n % 4) as u8)));
            }
            scalars
        };
        let point = |_| AttrSemantic::PointCoord;
        // Behind all locations.
        let distance = |n| AttrSemantic::Generic(MAX_LOCATIONS as u16 + n);
        let second = |n| AttrSemantic::Generic(MAX_LOCATIONS as u16 + 2 + n);
        let system = |value: SysVal| Scalars::from_slice(&[Deferred::sys(value)]);
        Ok(match built_in {
            BuiltIn::FragCoord => {
                let position = self.position();
                (0..count as u8).map(|n| Deferred::attr(position, n)).collect()
            }
            BuiltIn::PointCoord => attribute(self, &point, Interp::Linear),
            BuiltIn::ClipDistance => attribute(self, &distance, Interp::Perspective),
            BuiltIn::CullDistance => attribute(self, &second, Interp::Perspective),
            BuiltIn::FrontFacing => self.system_predicate(SysVal::FrontFacing),
            BuiltIn::HelperInvocation => Scalars::from_slice(&[self.is_helper().into()]),
            BuiltIn::SampleId => system(SysVal::SampleId),
            BuiltIn::SampleMask => {
                let mut mask = system(SysVal::SampleMask);
                mask.resize(count, Deferred::word(0));
                mask
            }
            BuiltIn::SamplePosition => {
                let number = self.l.force(Deferred::sys(SysVal::SampleId), Type::I32);
                let mut out = Scalars::new();
                for axis in [parallax_core::Axis::X, parallax_core::Axis::Y] {
                    // In sixteenths from the centre; from 0 to 1 across the pixel here.
                    let kind = parallax_core::OpKind::SamplePosition { axis };
                    let sixteenths = self.l.b.value(kind, None, &[number]);
                    let eight = self.l.b.i32(8);
                    let from_edge = self.l.b.int(Op::Iadd, &[sixteenths, eight]);
                    let slot = self.l.plain(parallax_num::Decl::F32);
                    let value = self.l.b.num(Op::I2f, slot, &[from_edge]);
                    let sixteenth = self.number(parallax_num::Decl::F32, 1.0 / 16.0);
                    out.push(self.l.b.num(Op::Mul, slot, &[value, sixteenth]).into());
                }
                out
            }
            BuiltIn::VertexIndex | BuiltIn::VertexId => system(SysVal::VertexId),
            BuiltIn::InstanceIndex | BuiltIn::InstanceId => system(SysVal::InstanceId),
            BuiltIn::PrimitiveId => system(SysVal::PrimitiveId),
            BuiltIn::Layer
            | BuiltIn::ViewportIndex
            | BuiltIn::ViewIndex
            | BuiltIn::BaseVertex
            | BuiltIn::BaseInstance
            | BuiltIn::DrawIndex
            // A fragment for each pixel.
            | BuiltIn::ShadingRateKHR
            | BuiltIn::DeviceIndex => Scalars::from_elem(Deferred::word(0), count),
            BuiltIn::WorkgroupSize => self.l.b.func.iface.workgroup.map(Deferred::word).into_iter().collect(),
            BuiltIn::NumWorkgroups => {
                [SysVal::GridX, SysVal::GridY, SysVal::GridZ].map(Deferred::sys).into_iter().collect()
            }
            BuiltIn::WorkgroupId => {
                [SysVal::GroupX, SysVal::GroupY, SysVal::GroupZ].map(Deferred::sys).into_iter().collect()
            }
            BuiltIn::LocalInvocationId => LOCAL.map(Deferred::sys).into_iter().collect(),
            BuiltIn::GlobalInvocationId => {
                let size = self.l.b.func.iface.workgroup;
                let groups = [SysVal::GroupX, SysVal::GroupY, SysVal::GroupZ];
                (0..3)
                    .map(|n| {
                        let (group, size) = (self.system_word(groups[n]), self.l.b.i32(size[n]));
                        let first = self.l.b.int(Op::Imul, &[group, size]);
                        let local = self.system_word(LOCAL[n]);
                        Deferred::from(self.l.b.int(Op::Iadd, &[first, local]))
                    })
                    .collect()
            }
            BuiltIn::LocalInvocationIndex => {
                let [width, height, _] = self.l.b.func.iface.workgroup;
                let mut index = self.system_word(SysVal::LocalZ);
                for (size, value) in [(height, SysVal::LocalY), (width, SysVal::LocalX)] {
                    let size = self.l.b.i32(size);
                    let rows = self.l.b.int(Op::Imul, &[index, size]);
                    let value = self.system_word(value);
                    index = self.l.b.int(Op::Iadd, &[rows, value]);
                }
                Scalars::from_slice(&[index.into()])
            }
            BuiltIn::SubgroupSize => Scalars::from_slice(&[self.subgroup_size().into()]),
            BuiltIn::SubgroupLocalInvocationId => Scalars::from_slice(&[self.lane().into()]),
            BuiltIn::NumSubgroups => {
                let size = self.l.b.func.iface.workgroup.iter().fold(1u32, |all, &n| all.saturating_mul(n));
                let (last, width, one) = (self.l.b.i32(size.saturating_sub(1)), self.subgroup_size(), self.l.b.i32(1));
                let before = self.l.b.int(Op::Udiv, &[last, width]);
                Scalars::from_slice(&[self.l.b.int(Op::Iadd, &[before, one]).into()])
            }
            BuiltIn::SubgroupId => {
                let index = self.built_in(BuiltIn::LocalInvocationIndex, 1)?;
                let (index, size) = (self.l.force(index[0], Type::I32), self.subgroup_size());
                Scalars::from_slice(&[self.l.b.int(Op::Udiv, &[index, size]).into()])
            }
            BuiltIn::SubgroupEqMask
            | BuiltIn::SubgroupGeMask
            | BuiltIn::SubgroupGtMask
            | BuiltIn::SubgroupLeMask
            | BuiltIn::SubgroupLtMask => {
                self.subgroup_mask(built_in).into_iter().take(count).map(Deferred::from).collect()
            }
            other => return self.unsupported("spirv-built-in-unsupported", format!("built-in {other:?}")),
        })
    }

    pub(super) fn system_word(&mut self, value: SysVal) -> ValueId {
        self.l.force(Deferred::sys(value), Type::I32)
    }

    /// Whether the invocation only helps its neighbours, from the start or by now.
    pub(super) fn is_helper(&mut self) -> ValueId {
        let from_start = self.system_word(SysVal::HelperLane);
        let zero = self.l.b.i32(0);
        let from_start = self.l.b.int(Op::Ine, &[from_start, zero]);
        let Some(demoted) = self.demoted else { return from_start };
        let by_now = self.l.get(demoted);
        let by_now = self.l.force(by_now, Type::Pred);
        self.l.b.int(Op::Por, &[from_start, by_now])
    }

    fn system_predicate(&mut self, value: SysVal) -> Scalars {
        let word = self.system_word(value);
        let zero = self.l.b.i32(0);
        Scalars::from_slice(&[self.l.b.int(Op::Ine, &[word, zero]).into()])
    }

    fn output_variable(&mut self, id: u32, ty: u32) -> Lift<Value> {
        let object = self.object(id, ty)?;
        let is_vertex = self.l.b.func.iface.stage == Stage::Vertex;
        for leaf in self.leaves(id, ty)? {
            // Words of each number.
            let step = if leaf.scalar.bits() == 64 { 2 } else { 1 };
            let (first, words, most) = match leaf.place {
                LeafPlace::Location { component, .. } => (component, step * leaf.count, 4 * step),
                LeafPlace::BuiltIn(BuiltIn::FragDepth) => (2, 1, 4),
                LeafPlace::BuiltIn(BuiltIn::FragStencilRefEXT) => (1, 1, 4),
                LeafPlace::BuiltIn(BuiltIn::SampleMask) => (0, 1, 4),
                LeafPlace::BuiltIn(BuiltIn::Position) => (0, leaf.count, 4),
                LeafPlace::BuiltIn(_) => (0, leaf.count, MAX_BUILT_IN),
            };
            let end = first + words;
            if end > most {
                return self.invalid(format!("component {} of a location", end - 1));
            }
            for vector in 0..end.div_ceil(4) {
                let (name, role) = match leaf.place {
                    LeafPlace::Location { location, .. } => {
                        let number = location + vector;
                        let role = if is_vertex { OutputRole::Generic } else { OutputRole::Color };
                        (format!("out[{number}]"), role(number as u16))
                    }
                    LeafPlace::BuiltIn(built_in) => {
                        let role = match built_in {
                            BuiltIn::Position => OutputRole::Position,
                            BuiltIn::PointSize => OutputRole::PointSize,
                            BuiltIn::ClipDistance => OutputRole::ClipDistance(4 * vector as u16),
                            BuiltIn::FragDepth => OutputRole::Depth,
                            BuiltIn::FragStencilRefEXT => OutputRole::Stencil,
                            BuiltIn::SampleMask => OutputRole::SampleMask,
                            _ => OutputRole::Watch,
                        };
                        (built_in_name(built_in, vector), role)
                    }
                };
                let comps = [0, 1, 2, 3].map(|comp| {
                    let word = (vector * 4 + comp).checked_sub(first).filter(|word| *word < words)?;
                    Some((leaf.at + word / step, word % step))
                });
                let alias = leaf.name.clone().filter(|_| vector == 0);
                // Variables may share a location, each with components of its own.
                let relaxed = leaf.said.relaxed && !is_vertex;
                self.outputs.push(Output { object, name, alias, role, relaxed, comps });
            }
        }
        let flat = self.objects[object].flat.clone();
        let zeros = self.literals(&flat, &vec![0; flat.len()]);
        self.initialise(object, &zeros);
        if let Some(&first) = self.tables.module.defining(id).and_then(|i| self.tables.module.operands(i).get(1)) {
            let scalars = self.scalars(first)?;
            self.initialise(object, &scalars);
        }
        Ok(Value::pointer(self.whole(Root::Object(object), ty)))
    }

    /// Emits the outputs at the end of the program.
    pub(super) fn write_outputs(&mut self) {
        let outputs = std::mem::take(&mut self.outputs);
        let mut done: Vec<&str> = Vec::new();
        for output in &outputs {
            self.alias(output.alias.clone(), &output.name);
            if done.contains(&output.name.as_str()) {
                continue;
            }
            done.push(&output.name);
            let mut comps: [Option<Deferred>; 4] = [None; 4];
            for part in outputs.iter().filter(|other| other.name == output.name) {
                for (comp, at) in part.comps.iter().enumerate() {
                    let Some((at, word)) = at else { continue };
                    let scalar = self.objects[part.object].flat[*at as usize];
                    let pointer = Pointer { at: *at, ..self.whole(Root::Object(part.object), 0) };
                    let value = self.scalar_of_object(part.object, &pointer);
                    let mut value = self.l.force(value, scalar.ir());
                    if let (true, Scalar::Float(Decl::F32), Some(relaxed)) = (part.relaxed, scalar, self.relaxed_as) {
                        let id = self.objects[part.object].id;
                        value = self.float_to(id, relaxed, value);
                        value = self.float_to(id, Decl::F32, value);
                    }
                    comps[comp] = Some(match scalar {
                        Scalar::Bool => self.l.convert(value, Type::I32).into(),
                        _ if scalar.bits() == 64 => self.words_of(scalar, value)[*word as usize].into(),
                        Scalar::Int { bits, signed: true } if bits < 32 => self.sign_extended(value, bits).into(),
                        _ => value.into(),
                    });
                }
            }
            self.l.output(&output.name, output.role, comps, Type::F32);
        }
    }

    /// What callers want to see at the end: outputs and buffers have names already.
    pub(super) fn watches(&mut self, options: &Options) {
        for name in &options.watch {
            let iface = &self.l.b.func.iface;
            let known = Spelling::canonical(iface.resolve(name));
            let is_output = iface.outputs.iter().any(|output| Spelling::canonical(&output.name) == known);
            let is_buffer = iface.buffers.iter().any(|buffer| buffer.name == known);
            let is_input = InputNames::of(iface).find(name).is_some();
            if !is_output && !is_buffer {
                let why = if is_input { "it is an input" } else { "the entry point has no such output" };
                let names: Vec<&str> = iface.outputs.iter().map(|output| output.name.as_str()).collect();
                let help = match names.is_empty() {
                    true => "it has none".to_string(),
                    false => format!("outputs: {}", names.join(", ")),
                };
                self.stop(Stop::Problem(Box::new(Access::Watch.refuse(name, why, &help))));
            }
        }
    }

    // ---- banks and buffers ----

    /// Bytes that a block takes, as far as its type says.
    fn block_size(&self, block: u32) -> u32 {
        let Some(Ty::Struct { members, .. }) = self.tables.types.get(block) else { return 0 };
        let mut size = 0;
        for (n, &member) in members.iter().enumerate() {
            let layout =
                self.tables.types.part_in_memory(&self.tables.decorations, block, Default::default(), Some(n as u32));
            let Some((_, offset, layout)) = layout else { continue };
            let places = self.tables.types.offsets(&self.tables.decorations, member, layout).unwrap_or_default();
            for (at, scalar) in places {
                size = size.max(offset.saturating_add(at).saturating_add(scalar.bits().div_ceil(8)));
            }
        }
        size
    }

    fn add_bank(&mut self, name: String, id: u32, block: u32) -> Lift<u16> {
        let len = self.block_size(block).div_ceil(16);
        let banks = &mut self.l.b.func.iface.banks;
        // Several variables may look at one binding, each with a type of its own.
        let bank = match banks.iter().position(|bank| bank.name == name) {
            Some(known) => {
                banks[known].len = banks[known].len.max(len);
                known as u16
            }
            None => {
                banks.push(BankDecl { name: name.clone(), len, by_bytes: true });
                banks.len() as u16 - 1
            }
        };
        self.alias(self.tables.debug.name(id).map(str::to_string), &name);
        self.alias(self.tables.debug.name(block).map(str::to_string), &name);
        self.name_members(bank, block);
        Ok(bank)
    }

    /// Gives the members of a block their names as constants.
    fn name_members(&mut self, bank: u16, block: u32) {
        let Some(Ty::Struct { members, .. }) = self.tables.types.get(block) else { return };
        for (n, &member) in members.clone().iter().enumerate() {
            let Some(name) = self.tables.debug.member(block, n as u32).map(str::to_string) else { continue };
            let types = &self.tables.types;
            let decorations = &self.tables.decorations;
            let Some((_, offset, layout)) =
                types.part_in_memory(decorations, block, Default::default(), Some(n as u32))
            else {
                continue;
            };
            // Arrays and matrices have a constant for each element.
            let count = match types.get(member) {
                Some(Ty::Array { count, elem } | Ty::Matrix { count, column: elem }) => Some((*count, *elem)),
                Some(Ty::Scalar(_) | Ty::Vector { .. }) => None,
                _ => continue,
            };
            // Structures in arrays have no single type, and parts of words no place of their own.
            let vector = count.map_or(member, |(_, element)| element);
            let (scalar, components) = (types.scalar(vector), types.components(vector));
            let Some(scalar) = scalar.filter(|scalar| scalar.bits() >= 32 && (1..=4).contains(&components)) else {
                continue;
            };
            for element in 0..count.map_or(1, |(count, _)| count).min(MAX_NAMED) {
                let at = match count {
                    Some(_) => types.part_in_memory(decorations, member, layout, Some(element)).map(|(_, at, _)| at),
                    None => Some(0),
                };
                let Some(at) = at.and_then(|at| at.checked_add(offset)) else { continue };
                let name = if count.is_some() { format!("{name}[{element}]") } else { name.clone() };
                let comp = (at / 4 % 4) as u8;
                let constants = &mut self.l.b.func.iface.constants;
                if constants.len() < MAX_RESOURCES && constants.iter().all(|known| known.name != name) {
                    let (ty, count) = (scalar.ir(), components as u8);
                    constants.push(ConstDecl { comp, ty, count, ..ConstDecl::new(name, bank, at / 16, None) });
                }
            }
        }
    }

    fn add_buffer(&mut self, name: String, id: u32, block: u32) -> u16 {
        self.alias(self.tables.debug.name(id).map(str::to_string), &name);
        self.alias(self.tables.debug.name(block).map(str::to_string), &name);
        let buffers = &mut self.l.b.func.iface.buffers;
        // Several variables may look at one binding, each with a type of its own.
        if let Some(known) = buffers.iter().position(|buffer| buffer.name == name) {
            return known as u16;
        }
        let floats = self.tables.types.is_of_floats(block);
        buffers.push(BufferDecl { floats, ..BufferDecl::new(name) });
        buffers.len() as u16 - 1
    }
}

/// The name of the vector `n` that a built-in takes: arrays of distances take two.
fn built_in_name(built_in: BuiltIn, n: u32) -> String {
    match n {
        0 => format!("{built_in:?}"),
        _ => format!("{built_in:?}[{}]", 4 * n),
    }
}

/// `SET.BINDING`.
pub(super) fn binding_name(said: &Decorations) -> String {
    format!("{}.{}", said.set.unwrap_or(0), said.binding.unwrap_or(0))
}
