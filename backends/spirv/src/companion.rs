//! The stages around a module where it is compared on a device: one that hands over vertices, and one that tells what the device
//! makes of them.
//!
//! How attributes are interpolated is the device's, so whoever compares pictures has to know what the module got. The vertex stage
//! reads positions and inputs from a buffer. In place of the module, the telling stage writes the inputs of each pixel to colour
//! targets of integers, bit for bit.

use crate::interface::{Input, Interface};
use crate::module::{Id, Module, Section};
use parallax_core::AttrSemantic;
use rspirv::spirv::{
    BuiltIn, Capability, Decoration, ExecutionMode, ExecutionModel, FunctionControl, Op, StorageClass,
};

/// Inputs that a telling stage writes, besides the first colour: devices have at least four colour targets.
pub const PER_PASS: usize = 3;

/// Makes the stages around a module.
#[derive(Copy, Clone, Debug)]
pub struct Companions<'a>(pub &'a Interface);

/// What a telling stage writes to a colour target.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Passed {
    /// One more than the number of the triangle, 1 if it is front-facing, and two zeros.
    Triangle,
    /// The four components of the input with this number in the interface.
    Input(usize),
}

/// Where the vertices are.
const SET: u32 = 3;

/// A function in the making.
#[derive(Default)]
struct Main {
    module: Module,
    code: Section,
}

impl Main {
    fn op(&mut self, op: Op, ty: Id, operands: &[Id]) -> Id {
        let id = self.module.id();
        self.code.op(op, &[&[ty, id], operands].concat());
        id
    }

    fn finish(mut self, model: ExecutionModel) -> Vec<u32> {
        let (void, id) = (self.module.void(), self.module.id());
        let signature = self.module.ty(Op::TypeFunction, &[void]);
        let mut function = Section::default();
        function.op(Op::Function, &[void, id, FunctionControl::NONE.bits(), signature]);
        function.op(Op::Label, &[self.module.id()]);
        function.append(&self.code);
        function.op(Op::Return, &[]);
        function.op(Op::FunctionEnd, &[]);
        self.module.function(&function);
        if model == ExecutionModel::Fragment {
            self.module.mode(id, ExecutionMode::OriginUpperLeft, &[]);
        }
        self.module.finish(model, id, "main")
    }
}

impl Companions<'_> {
    /// Descriptor set and binding of the storage buffer that has the vertices: of each, four floats of its position and four of
    /// each input of [`Companions::located`].
    pub const VERTICES: (u32, u32) = (SET, 0);

    /// The inputs that vertices have, as numbers of the interface.
    pub fn located(&self) -> Vec<usize> {
        let inputs = self.0.inputs.iter().enumerate();
        inputs.filter(|(_, input)| input.location.is_some()).map(|(n, _)| n).collect()
    }

    /// The location of the triangle's number.
    fn triangle(&self) -> u32 {
        self.0.inputs.iter().filter_map(|input| input.location).max().map_or(0, |last| last + 1)
    }

    /// The module of the vertex stage.
    pub fn vertices(&self) -> Vec<u32> {
        let mut main = Main::default();
        let module = &mut main.module;
        module.capability(Capability::Shader);
        let (float, word, signed) = (module.float(), module.word(), module.signed());
        let vector = module.vector(float, 4);
        let list = module.ty(Op::TypeRuntimeArray, &[vector]);
        module.decorate(list, Decoration::ArrayStride, &[16]);
        let block = module.structure(&[list]);
        module.decorate(block, Decoration::Block, &[]);
        module.decorate_member(block, 0, Decoration::Offset, &[0]);
        module.decorate_member(block, 0, Decoration::NonWritable, &[]);
        let buffer = module.variable(StorageClass::StorageBuffer, block, None);
        let (set, binding) = Self::VERTICES;
        module.decorate(buffer, Decoration::DescriptorSet, &[set]);
        module.decorate(buffer, Decoration::Binding, &[binding]);
        let number = module.variable(StorageClass::Input, signed, None);
        module.built_in(number, BuiltIn::VertexIndex);
        let position = module.variable(StorageClass::Output, vector, None);
        module.built_in(position, BuiltIn::Position);
        let located = self.located();
        let mut outputs = vec![position];
        for &input in &located {
            let output = module.variable(StorageClass::Output, vector, None);
            module.decorate(output, Decoration::Location, &[self.0.inputs[input].location.unwrap_or(0)]);
            outputs.push(output);
        }
        let triangle = module.variable(StorageClass::Output, word, None);
        module.decorate(triangle, Decoration::Location, &[self.triangle()]);
        module.decorate(triangle, Decoration::Flat, &[]);
        let pointer = module.pointer(StorageClass::StorageBuffer, vector);
        let [zero, three, stride] = [0, 3, outputs.len() as u32].map(|n| module.constant(n));
        let places: Vec<Id> = (0..outputs.len() as u32).map(|n| module.constant(n)).collect();

        let number = main.op(Op::Load, signed, &[number]);
        let number = main.op(Op::Bitcast, word, &[number]);
        let first = main.op(Op::IMul, word, &[number, stride]);
        for (output, place) in outputs.into_iter().zip(places) {
            let at = main.op(Op::IAdd, word, &[first, place]);
            let at = main.op(Op::AccessChain, pointer, &[buffer, zero, at]);
            let value = main.op(Op::Load, vector, &[at]);
            main.code.op(Op::Store, &[output, value]);
        }
        let number = main.op(Op::UDiv, word, &[number, three]);
        main.code.op(Op::Store, &[triangle, number]);
        main.finish(ExecutionModel::Vertex)
    }

    /// The passes that tell all inputs: what each writes to which target.
    pub fn passes(&self) -> Vec<Vec<Passed>> {
        let all: Vec<Passed> = (0..self.0.inputs.len()).map(Passed::Input).collect();
        let mut parts: Vec<&[Passed]> = all.chunks(PER_PASS).collect();
        if parts.is_empty() {
            parts.push(&[]);
        }
        parts.into_iter().map(|part| [&[Passed::Triangle], part].concat()).collect()
    }

    /// The module of a telling stage.
    pub fn telling(&self, pass: &[Passed]) -> Vec<u32> {
        let mut main = Main::default();
        main.module.capability(Capability::Shader);
        for (location, passed) in (0..).zip(pass) {
            let word = main.module.word();
            let ty = main.module.vector(word, 4);
            let value = match *passed {
                Passed::Triangle => self.triangle_words(&mut main),
                Passed::Input(number) => self.input_words(&mut main, &self.0.inputs[number]),
            };
            let output = main.module.variable(StorageClass::Output, ty, None);
            main.module.decorate(output, Decoration::Location, &[location]);
            main.code.op(Op::Store, &[output, value]);
        }
        main.finish(ExecutionModel::Fragment)
    }

    fn triangle_words(self, main: &mut Main) -> Id {
        let (word, truth) = (main.module.word(), main.module.bool());
        let ty = main.module.vector(word, 4);
        let [zero, one] = [0, 1].map(|n| main.module.constant(n));
        let triangle = main.module.variable(StorageClass::Input, word, None);
        main.module.decorate(triangle, Decoration::Location, &[self.triangle()]);
        main.module.decorate(triangle, Decoration::Flat, &[]);
        let facing = main.module.variable(StorageClass::Input, truth, None);
        main.module.built_in(facing, BuiltIn::FrontFacing);
        let triangle = main.op(Op::Load, word, &[triangle]);
        let triangle = main.op(Op::IAdd, word, &[triangle, one]);
        let facing = main.op(Op::Load, truth, &[facing]);
        let facing = main.op(Op::Select, word, &[facing, one, zero]);
        main.op(Op::CompositeConstruct, ty, &[triangle, facing, zero, zero])
    }

    fn input_words(self, main: &mut Main, input: &Input) -> Id {
        let (float, word) = (main.module.float(), main.module.word());
        let [ty, vector, pair] = [(word, 4), (float, 4), (float, 2)].map(|(of, n)| main.module.vector(of, n));
        if input.semantic == AttrSemantic::PointCoord {
            let variable = main.module.variable(StorageClass::Input, pair, None);
            main.module.built_in(variable, BuiltIn::PointCoord);
            let value = main.op(Op::Load, pair, &[variable]);
            let pair = main.module.vector(word, 2);
            let words = main.op(Op::Bitcast, pair, &[value]);
            let [x, y] = [0, 1].map(|n| main.op(Op::CompositeExtract, word, &[words, n]));
            let [zero, one] = [0, 1f32.to_bits()].map(|n| main.module.constant(n));
            return main.op(Op::CompositeConstruct, ty, &[x, y, zero, one]);
        }
        let variable = match input.semantic {
            AttrSemantic::Position => {
                let variable = main.module.variable(StorageClass::Input, vector, None);
                main.module.built_in(variable, BuiltIn::FragCoord);
                variable
            }
            _ => input.declare(&mut main.module),
        };
        let value = main.op(Op::Load, vector, &[variable]);
        main.op(Op::Bitcast, ty, &[value])
    }
}
