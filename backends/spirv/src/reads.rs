//! Attributes, constants, system values, arrays, coverage.

use crate::entry::Main;
use crate::interface::{Bank, Input, Interface};
use crate::module::{Id, Module};
use parallax_core::{ArrayId, AttrSemantic, EntityRef, Interp, Location, OpKind, Stage, SysVal};
use parallax_num::{ColorAttribute, Decl, FloatFormat, Format, Op as Operation, Rule, Specials, Storage};
use parallax_step::words::{Sink, Value, lower};
use parallax_step::{Inst, OpNumber, Prim, Ty};
use rspirv::spirv::{BuiltIn, Capability, Decoration, GlslStd450Op, Op, StorageClass};

/// Vectors that a uniform block may have on every device: 16 KiB. Longer banks are storage buffers.
const MOST_VECTORS: u32 = 1024;

impl Main<'_> {
    /// An op that is neither arithmetic nor control.
    pub(crate) fn effect(&mut self, number: OpNumber, kind: OpKind, args: &[Value]) {
        let results = self.steps.ops[number as usize].results();
        if self.interface.stage != Stage::Fragment && asks_neighbours(kind) {
            let stage = self.interface.stage.name();
            self.refusals
                .add(format!("`{}` asks the neighbours in a quad, and a {stage} shader has none", full_name(kind)));
            return self.zeros(results);
        }
        let in_pixels = self.interface.stage == Stage::Fragment;
        let value = match kind {
            OpKind::Attr { index, comp } => Some(Value::One(self.attribute(index.into(), comp))),
            OpKind::Const { bank, index, comp } => Some(Value::One(self.constant_at(bank.into(), index, comp))),
            OpKind::ConstAt { bank, base, comp } => {
                Some(Value::One(self.indexed_constant(bank.into(), base, comp, args[0].low())))
            }
            OpKind::AttrSample { index, comp } | OpKind::AttrCentroid { index, comp } if in_pixels => {
                self.interface.one_sample = true;
                Some(Value::One(self.attribute(index.into(), comp)))
            }
            OpKind::AttrOffset { index, comp } if in_pixels => {
                self.attribute_away(index.into(), comp, [args[0].low(), args[1].low()]).map(Value::One)
            }
            OpKind::SamplePosition { .. } if in_pixels => {
                self.interface.one_sample = true;
                Some(Value::One(self.module.constant(0)))
            }
            OpKind::AttrAt { base, comp } => Some(Value::One(self.indexed_attribute(base, comp, args[0].low()))),
            OpKind::Sys(value) => self.system(value).map(Value::One),
            OpKind::QuadXor { .. } | OpKind::QuadShuffle | OpKind::QuadAny | OpKind::QuadAll => {
                let ty = self.steps.values[results.start as usize];
                Some(self.quad(kind, ty, args))
            }
            OpKind::ArrayLoad(array) => Some(self.array_load(array, args[0].low())),
            OpKind::ArrayStore(array) => {
                self.array_store(array, args[0].low(), args[1]);
                return;
            }
            OpKind::Discard if in_pixels => return self.discard(args[0].low()),
            // The only sample.
            OpKind::DiscardSamples if in_pixels => {
                self.interface.one_sample = true;
                let (word, truth) = (self.module.word(), self.module.bool());
                let (zero, one) = (self.module.constant(0), self.module.constant(1));
                let sample = self.op(Op::BitwiseAnd, word, &[args[0].low(), one]);
                let removed = self.op(Op::INotEqual, truth, &[sample, zero]);
                return self.discard(removed);
            }
            OpKind::Out { index, comp } => {
                let local = self.outputs.get(&(index.into(), comp)).cloned();
                return local.into_iter().for_each(|local| self.store(&local, args[0]));
            }
            OpKind::TextureSize { unit, comp } => Some(Value::One(self.texture_size(unit, comp, args[0].low()))),
            OpKind::BufferLoad { .. }
            | OpKind::BufferStore { .. }
            | OpKind::BufferSize { .. }
            | OpKind::Atomic { .. }
            | OpKind::Barrier => self.memory(kind, args),
            OpKind::Tex(tex) => {
                let texels = self.lookup(&tex, args);
                return results.zip(texels).for_each(|(result, texel)| self.set(result, Value::One(texel)));
            }
            _ => None,
        };
        match value {
            Some(_) if results.is_empty() => {}
            Some(value) => self.set(results.start, value),
            None => {
                let place = match kind {
                    OpKind::BufferStore { .. } | OpKind::Atomic { .. } if self.interface.stage != Stage::Compute => {
                        format!(" in a {} shader", self.interface.stage.name())
                    }
                    _ => String::new(),
                };
                self.refusals.add(format!("`{}`{place} has no translation yet", full_name(kind)));
                self.zeros(results);
            }
        }
    }

    /// A component of an attribute, as its bits.
    fn attribute(&mut self, index: usize, comp: u8) -> Id {
        let Some(attr) = self.shader.func.iface.attrs.get(index) else { return self.module.constant(0) };
        let float = self.module.float();
        let comp = comp & 3;
        match attr.semantic {
            semantic if self.interface.stage == Stage::Vertex && semantic != AttrSemantic::Preset => {}
            AttrSemantic::Face => {
                let truth = self.module.bool();
                let word = |own: &mut Self, v: f32| own.module.constant(v.to_bits());
                match comp {
                    0 => {
                        let facing = self.built_in(BuiltIn::FrontFacing, truth);
                        let facing = self.op(Op::Load, truth, &[facing]);
                        let (front, back) = (word(self, 1.0), word(self, -1.0));
                        let ty = self.module.word();
                        return self.op(Op::Select, ty, &[facing, front, back]);
                    }
                    3 => return word(self, 1.0),
                    _ => return word(self, 0.0),
                }
            }
            AttrSemantic::PointCoord if comp > 1 => {
                return self.module.constant(if comp == 3 { 0x3f80_0000 } else { 0 });
            }
            AttrSemantic::Preset => self.refusals.add(format!("the preset register `{}`", attr.name)),
            _ => {}
        }
        let variable = self.input(index);
        let (pointer, place) = (self.module.pointer(StorageClass::Input, float), self.module.constant(comp.into()));
        let pointer = self.op(Op::AccessChain, pointer, &[variable, place]);
        let value = self.op(Op::Load, float, &[pointer]);
        let word = self.pattern(value);
        // Nothing was interpolated for a vertex.
        if self.interface.stage == Stage::Vertex { word } else { self.narrowed(index, word) }
    }

    /// What the shader reads of an attribute that was interpolated: models make halves of some, and colours of their own of others.
    fn narrowed(&mut self, index: usize, word: Id) -> Id {
        let shader = self.shader;
        let (color, halves) = (shader.state.fixed.raster.color, shader.state.halves.as_deref());
        let is_color = matches!(shader.func.iface.attrs[index].semantic, AttrSemantic::Color(_));
        let value = Value::One(word);
        match color {
            ColorAttribute::Clamped if is_color => {
                let [zero, one] = [0f32, 1.0].map(|v| Value::One(self.module.constant(v.to_bits())));
                // NaN is above nothing.
                let mut step = |prim: Prim, args: &[Value]| lower(self, &Inst::new(prim, Ty::F32, 0, &[]), args);
                let above = step(Prim::Fmax, &[value, zero]);
                step(Prim::Fmin, &[above, one]).low()
            }
            ColorAttribute::Float20 if is_color => {
                let short = FloatFormat { exp: 7, frac: 12, denormals: true, specials: Specials::InfNan };
                let rule = Rule::ieee(Decl::F32, Format::Float(short));
                let rounded = self.operation(Operation::Cvt, &rule, &[value]).low();
                let is_nan = lower(self, &Inst::new(Prim::Funo, Ty::F32, 0, &[]), &[value, value]);
                let ty = self.module.word();
                self.op(Op::Select, ty, &[is_nan.low(), word, rounded])
            }
            _ => match halves.filter(|halves| halves.attrs.contains(&(index as u16))) {
                Some(halves) => {
                    let half = self.operation(Operation::Cvt, &halves.cvt, &[value]);
                    let widen = Rule { source: Storage::F16, ..Rule::ieee(Decl::F32, Format::F32) };
                    self.operation(Operation::Cvt, &widen, &[half]).low()
                }
                None => word,
            },
        }
    }

    /// A component of an attribute away from the pixel's centre; `None` of what the device itself provides.
    fn attribute_away(&mut self, index: usize, comp: u8, [right, down]: [Id; 2]) -> Option<Id> {
        let attr = self.shader.func.iface.attrs.get(index)?;
        if attr.interp == Interp::Flat {
            return Some(self.attribute(index, comp));
        }
        if !has_location(self.interface.stage, attr.semantic) {
            return None;
        }
        self.module.capability(Capability::InterpolationFunction);
        let variable = self.input(index);
        let float = self.module.float();
        let [pair, four] = [2, 4].map(|count| self.module.vector(float, count));
        let offsets = [right, down].map(|word| self.number(word));
        let offset = self.op(Op::CompositeConstruct, pair, &offsets);
        let set = self.module.extended();
        let operands = [set, GlslStd450Op::InterpolateAtOffset as u32, variable, offset];
        let vector = self.op(Op::ExtInst, four, &operands);
        let value = self.op(Op::CompositeExtract, float, &[vector, u32::from(comp & 3)]);
        let word = self.pattern(value);
        Some(self.narrowed(index, word))
    }

    /// The variable of an attribute.
    fn input(&mut self, index: usize) -> Id {
        if let Some(&known) = self.inputs.get(&index) {
            return known;
        }
        let attr = &self.shader.func.iface.attrs[index];
        let stage = self.interface.stage;
        let before = &self.shader.func.iface.attrs[..index];
        let place = before.iter().filter(|attr| has_location(stage, attr.semantic)).count() as u32;
        let (name, semantic, interp, at) = (attr.name.clone(), attr.semantic, attr.interp, attr.location);
        let location = has_location(stage, semantic).then_some(place);
        let input = Input { name, attr: index, semantic, interp, at, location };
        let float = self.module.float();
        let variable = match semantic {
            _ if stage == Stage::Vertex => input.declare_plain(&mut self.module),
            AttrSemantic::Position => {
                let ty = self.module.vector(float, 4);
                self.built_in(BuiltIn::FragCoord, ty)
            }
            AttrSemantic::PointCoord => {
                let ty = self.module.vector(float, 2);
                self.built_in(BuiltIn::PointCoord, ty)
            }
            _ => input.declare(&mut self.module),
        };
        self.interface.inputs.push(input);
        self.inputs.insert(index, variable);
        variable
    }

    /// A built-in input of a type.
    pub(crate) fn built_in(&mut self, built_in: BuiltIn, ty: Id) -> Id {
        if let Some(&known) = self.built_ins.get(&(built_in as u32)) {
            return known;
        }
        let variable = self.module.variable(StorageClass::Input, ty, None);
        self.module.built_in(variable, built_in);
        self.built_ins.insert(built_in as u32, variable);
        variable
    }

    /// A built-in input that is one word.
    pub(crate) fn built_in_word(&mut self, built_in: BuiltIn) -> Id {
        let word = self.module.word();
        let variable = self.built_in(built_in, word);
        self.op(Op::Load, word, &[variable])
    }

    /// Whether an op reads what other lanes of its quad have.
    fn asks_neighbours(&self) -> bool {
        let func = &self.shader.func;
        let mut found = false;
        func.walk(|_, op| found |= asks_neighbours(func.ops[op].kind));
        found
    }

    /// A built-in input that is true or not, as all ones or 0.
    fn built_in_truth(&mut self, built_in: BuiltIn) -> Id {
        let (word, truth) = (self.module.word(), self.module.bool());
        let variable = self.built_in(built_in, truth);
        let value = self.op(Op::Load, truth, &[variable]);
        let (ones, zero) = (self.module.constant(u32::MAX), self.module.constant(0));
        self.op(Op::Select, word, &[value, ones, zero])
    }

    /// The attribute whose number is an operand and what is added to it; 0 outside.
    fn indexed_attribute(&mut self, base: i32, comp: u8, index: Id) -> Id {
        let (word, truth) = (self.module.word(), self.module.bool());
        let base = self.module.constant(base as u32);
        let place = self.op(Op::IAdd, word, &[index, base]);
        let mut value = self.module.constant(0);
        for n in 0..self.shader.func.iface.attrs.len() {
            let (own, number) = (self.attribute(n, comp), self.module.constant(n as u32));
            let here = self.op(Op::IEqual, truth, &[place, number]);
            value = self.op(Op::Select, word, &[here, own, value]);
        }
        value
    }

    /// A bank as a block with its storage class, and the number of its vectors.
    fn bank(&mut self, bank: usize) -> Option<((Id, StorageClass), u32)> {
        let decl = self.shader.func.iface.banks.get(bank)?;
        let (name, vectors) = (decl.name.clone(), decl.len);
        if vectors == 0 {
            return None;
        }
        let known = self.banks.get(&bank).copied();
        let variable = known.unwrap_or_else(|| {
            let word = self.module.word();
            let vector = self.module.vector(word, 4);
            let all = self.module.array(vector, vectors, Some(16));
            let block = self.module.structure(&[all]);
            self.module.decorate(block, Decoration::Block, &[]);
            self.module.decorate_member(block, 0, Decoration::Offset, &[0]);
            self.module.member_name(block, 0, "words");
            let in_storage = self.options.constants_in_storage || vectors > MOST_VECTORS;
            let class = if in_storage { StorageClass::StorageBuffer } else { StorageClass::Uniform };
            if in_storage {
                self.module.decorate_member(block, 0, Decoration::NonWritable, &[]);
            }
            let variable = self.module.variable(class, block, None);
            let (set, binding) = (Interface::BANKS, bank as u32);
            self.module.decorate(variable, Decoration::DescriptorSet, &[set]);
            self.module.decorate(variable, Decoration::Binding, &[binding]);
            self.module.name(variable, &name);
            self.interface.banks.push(Bank { name, bank, set, binding, vectors, in_storage });
            self.banks.insert(bank, (variable, class));
            (variable, class)
        });
        Some((variable, vectors))
    }

    fn constant_at(&mut self, bank: usize, index: u32, comp: u8) -> Id {
        match self.bank(bank).filter(|&(_, vectors)| index < vectors) {
            None => self.module.constant(0),
            Some((variable, _)) => {
                let index = self.module.constant(index);
                self.bank_word(variable, index, comp)
            }
        }
    }

    fn bank_word(&mut self, (variable, class): (Id, StorageClass), index: Id, comp: u8) -> Id {
        let word = self.module.word();
        let pointer = self.module.pointer(class, word);
        let (first, comp) = (self.module.constant(0), self.module.constant(u32::from(comp & 3)));
        let pointer = self.op(Op::AccessChain, pointer, &[variable, first, index, comp]);
        self.op(Op::Load, word, &[pointer])
    }

    fn indexed_constant(&mut self, bank: usize, base: i32, comp: u8, index: Id) -> Id {
        let Some((variable, vectors)) = self.bank(bank) else { return self.module.constant(0) };
        let word = self.module.word();
        let base = self.module.constant(base as u32);
        let place = self.op(Op::IAdd, word, &[index, base]);
        let (inside, place) = self.inside(place, vectors);
        let value = self.bank_word(variable, place, comp);
        let zero = self.module.constant(0);
        self.op(Op::Select, word, &[inside, value, zero])
    }

    /// Whether an unsigned index is below a number, and the index, or 0 if it is not.
    fn inside(&mut self, index: Id, count: u32) -> (Id, Id) {
        let (word, truth) = (self.module.word(), self.module.bool());
        let (count, zero) = (self.module.constant(count), self.module.constant(0));
        let inside = self.op(Op::ULessThan, truth, &[index, count]);
        (inside, self.op(Op::Select, word, &[inside, index, zero]))
    }

    fn system(&mut self, value: SysVal) -> Option<Id> {
        let word = self.module.word();
        let stage = self.interface.stage;
        match value {
            SysVal::QuadLane => Some(self.quad_lane()),
            // Each invocation is a lane of its own, and covered.
            SysVal::HelperLane | SysVal::SampleId | SysVal::SampleShading if stage != Stage::Fragment => {
                Some(self.module.constant(0))
            }
            SysVal::SampleMask | SysVal::SampleCount if stage != Stage::Fragment => Some(self.module.constant(1)),
            _ if stage == Stage::Compute => self.place_in_grid(value),
            SysVal::VertexId if stage == Stage::Vertex => Some(self.built_in_word(BuiltIn::VertexIndex)),
            SysVal::InstanceId if stage == Stage::Vertex => Some(self.built_in_word(BuiltIn::InstanceIndex)),
            SysVal::FrontFacing if stage == Stage::Fragment => Some(self.built_in_truth(BuiltIn::FrontFacing)),
            // Nobody sees what those have that only help.
            SysVal::HelperLane if stage == Stage::Fragment && !self.asks_neighbours() => Some(self.module.constant(0)),
            SysVal::SampleMask if stage == Stage::Fragment && !self.asks_neighbours() => {
                self.interface.one_sample = true;
                Some(self.module.constant(1))
            }
            SysVal::HelperLane if stage == Stage::Fragment => Some(self.built_in_truth(BuiltIn::HelperInvocation)),
            SysVal::SampleCount | SysVal::SampleShading | SysVal::SampleMask if stage == Stage::Fragment => {
                self.interface.one_sample = true;
                match value {
                    SysVal::SampleCount => Some(self.module.constant(1)),
                    SysVal::SampleShading => Some(self.module.constant(0)),
                    _ => {
                        // Of who helps alone it has no bits.
                        let (all, signed) = (self.module.signed(), self.module.signed());
                        let all = self.module.array(all, 1, None);
                        let variable = self.built_in(BuiltIn::SampleMask, all);
                        let (pointer, zero) =
                            (self.module.pointer(StorageClass::Input, signed), self.module.constant(0));
                        let pointer = self.op(Op::AccessChain, pointer, &[variable, zero]);
                        let mask = self.op(Op::Load, signed, &[pointer]);
                        Some(self.op(Op::Bitcast, word, &[mask]))
                    }
                }
            }
            SysVal::SampleId if stage == Stage::Fragment => {
                self.module.capability(Capability::SampleRateShading);
                let variable = self.built_in(BuiltIn::SampleId, word);
                self.module.decorate(variable, Decoration::Flat, &[]);
                Some(self.op(Op::Load, word, &[variable]))
            }
            _ => None,
        }
    }

    // ---- arrays ----

    /// Variables for the words of the elements of an array, and the number of elements.
    fn array(&mut self, array: ArrayId) -> (Vec<Id>, u32, Ty) {
        let (ty, count) = self.steps.arrays[array.index()];
        if let Some(known) = self.arrays.get(&array.index()) {
            return (known.clone(), count, ty);
        }
        let (word, zero) = match ty {
            Ty::Mask => (self.module.bool(), self.module.truth(false)),
            _ => (self.module.word(), self.module.constant(0)),
        };
        let all = self.module.array(word, count.max(1), None);
        let zeros = self.module.composite(all, &vec![zero; count.max(1) as usize]);
        let words = (0..1 + usize::from(ty.is_wide())).map(|_| self.variable_of(all, Some(zeros))).collect::<Vec<_>>();
        self.arrays.insert(array.index(), words.clone());
        (words, count, ty)
    }

    fn element(&mut self, ty: Ty, variable: Id, place: Id) -> Id {
        let word = if ty == Ty::Mask { self.module.bool() } else { self.module.word() };
        let pointer = self.module.pointer(StorageClass::Function, word);
        self.op(Op::AccessChain, pointer, &[variable, place])
    }

    fn array_load(&mut self, array: ArrayId, index: Id) -> Value {
        let (variables, count, ty) = self.array(array);
        let (inside, place) = self.inside(index, count);
        let (word, none) = match ty {
            Ty::Mask => (self.module.bool(), self.module.truth(false)),
            _ => (self.module.word(), self.module.constant(0)),
        };
        let words: Vec<Id> = variables
            .into_iter()
            .map(|variable| {
                let pointer = self.element(ty, variable, place);
                let value = self.op(Op::Load, word, &[pointer]);
                self.op(Op::Select, word, &[inside, value, none])
            })
            .collect();
        if let [low, high] = words[..] { Value::Two([low, high]) } else { Value::One(words[0]) }
    }

    /// Outside, the first element gets what it has.
    fn array_store(&mut self, array: ArrayId, index: Id, value: Value) {
        let (variables, count, ty) = self.array(array);
        let (inside, place) = self.inside(index, count);
        let word = if ty == Ty::Mask { self.module.bool() } else { self.module.word() };
        for (variable, &new) in variables.into_iter().zip(value.words()) {
            let pointer = self.element(ty, variable, place);
            let old = self.op(Op::Load, word, &[pointer]);
            let chosen = self.op(Op::Select, word, &[inside, new, old]);
            self.code.op(Op::Store, &[pointer, chosen]);
        }
    }

    // ---- coverage ----

    /// Lanes that lose their coverage go on for their neighbours, and end as killed.
    fn discard(&mut self, mask: Id) {
        let truth = self.module.bool();
        if self.constant(mask) == Some(0) {
            return;
        }
        let covered = match self.covered {
            Some(covered) => covered,
            None => {
                let first = self.module.truth(true);
                let covered = self.variable(Ty::Mask, Some(first));
                self.covered = Some(covered);
                covered
            }
        };
        let before = self.load_word(covered, Ty::Mask);
        let stays = self.op(Op::LogicalNot, truth, &[mask]);
        let after = self.op(Op::LogicalAnd, truth, &[before, stays]);
        self.code.op(Op::Store, &[covered, after]);
    }

    /// The bits of a float.
    pub(crate) fn pattern(&mut self, value: Id) -> Id {
        let word = self.module.word();
        self.op(Op::Bitcast, word, &[value])
    }

    /// The float of bits.
    pub(crate) fn number(&mut self, word: Id) -> Id {
        let float = self.module.float();
        self.op(Op::Bitcast, float, &[word])
    }
}

impl Input {
    /// The variable of an input of a vertex: four floats.
    fn declare_plain(&self, module: &mut Module) -> Id {
        let float = module.float();
        let ty = module.vector(float, 4);
        let variable = module.variable(StorageClass::Input, ty, None);
        module.decorate(variable, Decoration::Location, &[self.location.unwrap_or(0)]);
        module.name(variable, &self.name);
        variable
    }

    /// The variable of an input that the stage before writes, interpolated as it asks for.
    pub(crate) fn declare(&self, module: &mut Module) -> Id {
        let variable = self.declare_plain(module);
        match self.interp {
            Interp::Perspective | Interp::Color => {}
            Interp::Linear | Interp::OverW => module.decorate(variable, Decoration::NoPerspective, &[]),
            Interp::Flat => module.decorate(variable, Decoration::Flat, &[]),
        }
        match self.at {
            Location::Center => {}
            Location::Centroid => module.decorate(variable, Decoration::Centroid, &[]),
            Location::Sample => {
                module.capability(Capability::SampleRateShading);
                module.decorate(variable, Decoration::Sample, &[]);
            }
        }
        variable
    }
}

/// The locations at which the module of a shader reads attributes: all that have one, read or not, in their order, so that shaders of one
/// set fit together.
pub fn locations(iface: &parallax_core::Interface) -> Vec<(AttrSemantic, u32)> {
    let located = iface.attrs.iter().filter(|attr| has_location(iface.stage, attr.semantic));
    located.map(|attr| attr.semantic).zip(0..).collect()
}

/// Whether an attribute comes from the stage before, or from the caller's buffers.
const fn has_location(stage: Stage, semantic: AttrSemantic) -> bool {
    match semantic {
        AttrSemantic::Preset => false,
        AttrSemantic::Position | AttrSemantic::Face | AttrSemantic::PointCoord => matches!(stage, Stage::Vertex),
        _ => true,
    }
}

/// Whether an op reads what other lanes of its quad have.
const fn asks_neighbours(kind: OpKind) -> bool {
    match kind {
        OpKind::Tex(tex) => tex.mode.reads_neighbours(),
        OpKind::Deriv { .. }
        | OpKind::QuadXor { .. }
        | OpKind::QuadShuffle
        | OpKind::QuadAny
        | OpKind::QuadAll
        | OpKind::Sys(SysVal::QuadLane) => true,
        _ => false,
    }
}

/// The name of an op, with the system value.
fn full_name(kind: OpKind) -> String {
    match kind {
        OpKind::Sys(value) => format!("sys {}", value.name()),
        other => other.to_string(),
    }
}
