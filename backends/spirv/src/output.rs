//! Outputs: colours and depth.

use crate::entry::Main;
use crate::interface::Output;
use crate::module::Id;
use parallax_core::{OutputRole, Type};
use parallax_num::{Decl, Format, Op as Operation, Rule, Storage};
use parallax_step::words::Value;
use rspirv::spirv::{BuiltIn, Decoration, Op, StorageClass};

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
        let iface = &self.shader.func.iface;
        for (index, decl) in iface.outputs.iter().enumerate() {
            let float = self.module.float();
            let location = match decl.role {
                OutputRole::Color(n) => Some(u32::from(n)),
                OutputRole::Depth => None,
                OutputRole::Watch => continue,
                role => {
                    self.refusals.add(format!("the output `{}` ({role:?}) has no translation yet", decl.name));
                    continue;
                }
            };
            let mut comps = Vec::new();
            for (comp, ty) in (0..).zip(decl.types) {
                comps.push(match ty {
                    Some(ty) => self.output_word(index, comp, ty),
                    None => self.module.constant(0),
                });
            }
            let variable = if let Some(location) = location {
                let floats: Vec<Id> = comps.into_iter().map(|word| self.number(word)).collect();
                let ty = self.module.vector(float, 4);
                let vector = self.op(Op::CompositeConstruct, ty, &floats);
                let variable = self.module.variable(StorageClass::Output, ty, None);
                self.module.decorate(variable, Decoration::Location, &[location]);
                self.code.op(Op::Store, &[variable, vector]);
                variable
            } else {
                let depth = self.number(comps[2]);
                let variable = self.module.variable(StorageClass::Output, float, None);
                self.module.built_in(variable, BuiltIn::FragDepth);
                self.code.op(Op::Store, &[variable, depth]);
                variable
            };
            self.module.name(variable, &decl.name);
            self.interface.outputs.push(Output { name: decl.name.clone(), output: index, location });
        }
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
