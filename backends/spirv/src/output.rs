//! Outputs: colours, depth and stencil of fragments; positions, point sizes, clip distances and what goes to the next stage of vertices.

use crate::entry::Main;
use crate::interface::Output;
use crate::module::Id;
use parallax_core::{OpKind, OutputRole, Stage, Type};
use parallax_num::{Decl, Format, Op as Operation, Rule, Storage};
use parallax_step::words::Value;
use rspirv::spirv::{BuiltIn, Capability, Decoration, Op, StorageClass};

/// Clip distances that every device with clip distances has.
const MOST_DISTANCES: u32 = 8;

impl Main<'_> {
    /// A variable for each component, zero at first.
    pub(crate) fn declare_outputs(&mut self) {
        for (index, types) in self.steps.outputs.iter().enumerate() {
            for (comp, ty) in (0..).zip(types).filter_map(|(comp, ty)| Some((comp, (*ty)?))) {
                let local = self.local(ty.ty);
                for &(variable, word) in &local {
                    let zero = match word {
                        parallax_step::Ty::Mask => self.module.truth(false),
                        _ => self.module.constant(0),
                    };
                    self.code.op(Op::Store, &[variable, zero]);
                }
                self.outputs.insert((index, comp), local);
            }
        }
    }

    /// Hands the components over to the device.
    pub(crate) fn write_outputs(&mut self) {
        let outputs = &self.shader.func.iface.outputs;
        let mut distances: Vec<(u32, Id)> = Vec::new();
        // Behind everything that the next stage reads.
        let mut next = self.options.next.iter().map(|&(_, location)| location + 1).max().unwrap_or(0);
        let mut unwritten = self.options.next.to_vec();
        for (index, decl) in outputs.iter().enumerate() {
            let location = match decl.role {
                OutputRole::Watch => continue,
                OutputRole::Color(n) if self.interface.stage == Stage::Fragment => Some(u32::from(n)),
                OutputRole::Depth | OutputRole::Stencil if self.interface.stage == Stage::Fragment => None,
                OutputRole::Position if self.interface.stage == Stage::Vertex => None,
                OutputRole::PointSize | OutputRole::ClipDistance(_) if self.interface.stage == Stage::Vertex => {
                    if self.is_always_zero(index) {
                        continue;
                    }
                    None
                }
                role if self.interface.stage == Stage::Vertex => {
                    let read = unwritten.iter().position(|&(semantic, _)| role.read_as() == Some(semantic));
                    let location = read.map_or(next, |read| unwritten.swap_remove(read).1);
                    next += u32::from(read.is_none());
                    Some(location)
                }
                role => {
                    self.refusals.add(format!("the output `{}` ({role:?}) has no translation yet", decl.name));
                    continue;
                }
            };
            let mut comps = Vec::new();
            for (comp, ty) in (0..).zip(decl.types) {
                comps.push(match ty {
                    Some(ty) => self.output_word(index, comp, ty),
                    // What a vertex does not have is (0, 0, 0, 1).
                    None if comp == 3 && self.interface.stage == Stage::Vertex => self.module.constant(1f32.to_bits()),
                    None => self.module.constant(0),
                });
            }
            let variable = match (decl.role, location) {
                (_, Some(location)) => {
                    let variable = self.output_vector(&comps);
                    self.module.decorate(variable, Decoration::Location, &[location]);
                    Some(variable)
                }
                (OutputRole::Position, _) => {
                    let variable = self.output_vector(&comps);
                    self.module.built_in(variable, BuiltIn::Position);
                    Some(variable)
                }
                (OutputRole::ClipDistance(first), _) => {
                    let own = (0u32..).zip(comps).zip(decl.types).filter(|(_, ty)| ty.is_some());
                    distances.extend(own.map(|((comp, word), _)| (u32::from(first) + comp, word)));
                    None
                }
                (OutputRole::PointSize, _) => Some(self.output_number(comps[0], BuiltIn::PointSize)),
                (OutputRole::Stencil, _) => Some(self.output_stencil(comps[1])),
                _ => Some(self.output_number(comps[2], BuiltIn::FragDepth)),
            };
            if let Some(variable) = variable {
                self.module.name(variable, &decl.name);
            }
            let comps = decl.types.iter().rposition(Option::is_some).map_or(1, |last| last as u8 + 1);
            let output = Output { name: decl.name.clone(), output: index, role: decl.role, comps, location };
            self.interface.outputs.push(output);
        }
        self.write_distances(&distances);
        // So is what the next stage reads and this one does not write.
        if self.interface.stage == Stage::Vertex {
            let words = [0, 0, 0, 1f32.to_bits()].map(|word| self.module.constant(word));
            for (_, location) in unwritten {
                let variable = self.output_vector(&words);
                self.module.decorate(variable, Decoration::Location, &[location]);
            }
        }
    }

    /// An output of four floats.
    fn output_vector(&mut self, words: &[Id]) -> Id {
        let float = self.module.float();
        let ty = self.module.vector(float, 4);
        let floats: Vec<Id> = words.iter().map(|&word| self.number(word)).collect();
        let vector = self.op(Op::CompositeConstruct, ty, &floats);
        let variable = self.module.variable(StorageClass::Output, ty, None);
        self.code.op(Op::Store, &[variable, vector]);
        variable
    }

    /// An output of one float, which the device knows.
    fn output_number(&mut self, word: Id, built_in: BuiltIn) -> Id {
        let float = self.module.float();
        let value = self.number(word);
        let variable = self.module.variable(StorageClass::Output, float, None);
        self.module.built_in(variable, built_in);
        self.code.op(Op::Store, &[variable, value]);
        variable
    }

    /// The stencil reference.
    fn output_stencil(&mut self, word: Id) -> Id {
        self.module.capability(Capability::StencilExportEXT);
        self.module.extension("SPV_EXT_shader_stencil_export");
        let signed = self.module.signed();
        let value = self.op(Op::Bitcast, signed, &[word]);
        let variable = self.module.variable(StorageClass::Output, signed, None);
        self.module.built_in(variable, BuiltIn::FragStencilRefEXT);
        self.code.op(Op::Store, &[variable, value]);
        variable
    }

    /// The distances to clip planes, by number.
    fn write_distances(&mut self, distances: &[(u32, Id)]) {
        let Some(last) = distances.iter().map(|&(number, _)| number).max() else { return };
        if last >= MOST_DISTANCES {
            return self.refusals.add(format!("clip distance {last}: devices have {MOST_DISTANCES}"));
        }
        self.module.capability(Capability::ClipDistance);
        let float = self.module.float();
        let ty = self.module.array(float, last + 1, None);
        let variable = self.module.variable(StorageClass::Output, ty, None);
        self.module.built_in(variable, BuiltIn::ClipDistance);
        self.module.name(variable, "clip_distances");
        let pointer = self.module.pointer(StorageClass::Output, float);
        for number in 0..=last {
            let word = distances.iter().find(|(own, _)| *own == number).map(|&(_, word)| word);
            let word = word.unwrap_or_else(|| self.module.constant(0));
            let (value, place) = (self.number(word), self.module.constant(number));
            let place = self.op(Op::AccessChain, pointer, &[variable, place]);
            self.code.op(Op::Store, &[place, value]);
        }
    }

    /// Whether all that is ever written to an output is the literal 0: GLSL declares a block of point size and clip distances, used
    /// or not.
    fn is_always_zero(&self, output: usize) -> bool {
        let func = &self.shader.func;
        let mut is_zero = true;
        func.walk(|_, op| {
            let data = &func.ops[op];
            if matches!(data.kind, OpKind::Out { index, .. } if usize::from(index) == output) {
                let made = data.args.first().and_then(|&value| func.def_op(value));
                is_zero &= made.is_some_and(|made| func.ops[made].kind == OpKind::Literal(0));
            }
        });
        is_zero
    }

    /// The binary32 pattern of a component: what the program believes in, rounded to nearest even where the container is wider.
    fn output_word(&mut self, index: usize, comp: u8, ty: Type) -> Id {
        let Some(local) = self.outputs.get(&(index, comp)).cloned() else { return self.module.constant(0) };
        let value = self.load(&local);
        let Type::Float(decl) = ty else {
            return match ty {
                Type::Pred => {
                    let (word, one, zero) = (self.module.word(), self.module.constant(1), self.module.constant(0));
                    self.op(Op::Select, word, &[value.low(), one, zero])
                }
                _ => value.low(),
            };
        };
        let held = self.shader.state.storage(decl);
        let format = decl.format();
        let value = self.converted(value, held, decl, format);
        self.converted(value, format.storage(), Decl::F32, Format::F32).low()
    }

    /// A value converted to a format, correctly rounded.
    fn converted(&mut self, value: Value, from: Storage, decl: Decl, format: Format) -> Value {
        if from == format.storage() {
            return value;
        }
        let rule = Rule { source: from, ..Rule::ieee(decl, format) };
        self.operation(Operation::Cvt, &rule, &[value])
    }
}
