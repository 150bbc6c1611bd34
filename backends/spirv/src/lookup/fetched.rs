//! Lookups in a module: a function for each kind of lookup of a unit, which fetches texels from the unit's image.

use super::site::Site;
use super::{Fetched, Unit, fetched_shape, lookup, refusal};
use crate::entry::Main;
use crate::interface::{Interface, Texture};
use crate::module::{Id, Section};
use parallax_core::{TexOp, TexTarget};
use parallax_num::{Decl, Format, Op as Operation, Rule};
use parallax_step::words::Value;
use parallax_step::{Call, Inst, Prim, Ty, second};
use rspirv::spirv::{Capability, Decoration, Dim, FunctionControl, ImageOperands, Op, StorageClass};
use rustc_hash::FxHashMap;

/// What the lookups of a module share.
#[derive(Debug, Default)]
pub(crate) struct Known {
    functions: FxHashMap<TexOp, Id>,
    tables: Vec<([u32; 256], Id)>,
    /// Images of units, with the shape of their lookups.
    images: FxHashMap<u16, (Id, TexTarget)>,
}

impl Known {
    /// Number of functions.
    pub(crate) fn functions(&self) -> usize {
        self.functions.len()
    }
}

/// A lookup in the making.
struct Body<'m, 'a> {
    main: &'m mut Main<'a>,
    unit: Unit,
    /// The image, loaded, and its shape.
    image: Id,
    shape: TexTarget,
    size: Option<[Id; 3]>,
}

impl Main<'_> {
    /// A lookup that the module computes.
    pub(crate) fn faithful_lookup(&mut self, tex: &TexOp, unit: &Unit, args: &[Value]) -> Result<[Id; 4], String> {
        if let Some(reason) = refusal(tex, unit) {
            return Err(reason);
        }
        let function = self.lookup_function(tex, unit)?;
        let words: Vec<Id> = args.iter().map(Value::low).collect();
        let word = self.module.word();
        let vector = self.module.vector(word, 4);
        let result = self.op(Op::FunctionCall, vector, &[&[function], &words[..]].concat());
        Ok([0, 1, 2, 3].map(|comp| self.op(Op::CompositeExtract, word, &[result, comp])))
    }

    /// The function of a lookup: from its operands to the words of its results.
    fn lookup_function(&mut self, tex: &TexOp, unit: &Unit) -> Result<Id, String> {
        if let Some(&known) = self.lookups.functions.get(tex) {
            return Ok(known);
        }
        let shape = fetched_shape(tex.target);
        let variable = self.fetched_image(tex, unit)?;
        let word = self.module.word();
        let vector = self.module.vector(word, 4);
        let params = vec![word; tex.count()];
        let signature = self.module.ty(Op::TypeFunction, &[&[vector], &params[..]].concat());
        let function = self.module.id();
        self.module.name(function, &format!("lookup{}_{}", tex.unit, tex.mode.name()));
        // The function of the shader waits.
        let waiting = (std::mem::take(&mut self.code), std::mem::take(&mut self.locals));
        let made = (std::mem::take(&mut self.known), std::mem::take(&mut self.made));
        let args: Vec<Id> = params.iter().map(|_| self.module.id()).collect();
        let image_ty = self.fetched_type(shape);
        let image = self.op(Op::Load, image_ty, &[variable]);
        let mut body = Body { main: self, unit: *unit, image, shape, size: None };
        let results = lookup(&mut body, tex, unit, &args);
        let result = self.op(Op::CompositeConstruct, vector, &results);
        self.code.op(Op::ReturnValue, &[result]);
        let mut code = Section::default();
        code.op(Op::Function, &[vector, function, FunctionControl::NONE.bits(), signature]);
        for &arg in &args {
            code.op(Op::FunctionParameter, &[word, arg]);
        }
        code.op(Op::Label, &[self.module.id()]);
        code.append(&self.locals);
        code.append(&self.code);
        code.op(Op::FunctionEnd, &[]);
        self.module.function(&code);
        (self.code, self.locals) = waiting;
        (self.known, self.made) = made;
        self.lookups.functions.insert(*tex, function);
        Ok(function)
    }

    /// The type of an image that texels are fetched from.
    fn fetched_type(&mut self, shape: TexTarget) -> Id {
        let dim = match shape {
            TexTarget::D1 | TexTarget::D1Array => Dim::Dim1D,
            TexTarget::D3 => Dim::Dim3D,
            _ => Dim::Dim2D,
        };
        if dim == Dim::Dim1D {
            self.module.capability(Capability::Sampled1D);
        }
        let float = self.module.float();
        // No depth, one sample, with or without a sampler as it is used, of no known format.
        self.module.ty(Op::TypeImage, &[float, dim as u32, 0, shape.is_array().into(), 0, 1, 0])
    }

    /// The image of a unit.
    fn fetched_image(&mut self, tex: &TexOp, unit: &Unit) -> Result<Id, String> {
        let number = tex.unit;
        if let Some(&(known, target)) = self.lookups.images.get(&number) {
            return match target == tex.target {
                true => Ok(known),
                false => {
                    let [one, other] = [target, tex.target].map(TexTarget::name);
                    Err(format!("texture unit {number} is looked up as `{one}` and as `{other}`"))
                }
            };
        }
        let ty = self.fetched_type(fetched_shape(tex.target));
        let variable = self.module.variable(StorageClass::UniformConstant, ty, None);
        let (set, image) = (Interface::TEXTURES, 2 * u32::from(number));
        self.module.decorate(variable, Decoration::DescriptorSet, &[set]);
        self.module.decorate(variable, Decoration::Binding, &[image]);
        self.module.name(variable, &format!("texture{number}"));
        let texture = Texture { unit: number, target: tex.target, set, image, sampler: None, faithful: Some(*unit) };
        self.interface.textures.push(texture);
        self.lookups.images.insert(number, (variable, tex.target));
        Ok(variable)
    }
}

impl Body<'_, '_> {
    fn op(&mut self, op: Op, ty: Id, operands: &[Id]) -> Id {
        self.main.op(op, ty, operands)
    }

    /// A word as a signed number, which is what every language addresses texels with.
    fn signed(&mut self, word: Id) -> Id {
        let ty = self.main.module.signed();
        self.op(Op::Bitcast, ty, &[word])
    }

    /// The byte of a normalised one: the nearest, however a device rounds.
    fn byte(&mut self, number: Id) -> Id {
        let (float, word) = (self.main.module.float(), self.main.module.word());
        let [steps, half] = [255f32, 0.5].map(|number| {
            let pattern = self.main.module.constant(number.to_bits());
            self.main.number(pattern)
        });
        let scaled = self.op(Op::FMul, float, &[number, steps]);
        let moved = self.op(Op::FAdd, float, &[scaled, half]);
        self.op(Op::ConvertFToU, word, &[moved])
    }
}

impl Site for Body<'_, '_> {
    fn step(&mut self, prim: Prim, ty: Ty, imm: u64, args: &[Id]) -> Id {
        let args: Vec<Value> = args.iter().map(|&arg| Value::One(arg)).collect();
        self.main.primitive(&Inst::new(prim, ty, imm, &[]), &args).low()
    }

    fn log2(&mut self, number: Id) -> Id {
        let rule = Rule::ieee(Decl::F32, Format::F32);
        let operand = Value::One(number);
        let Some(program) = parallax_step::program(Operation::Log2, &rule, true) else {
            self.main.refusals.add("logarithms have no step program");
            return number;
        };
        let (value, slow) = self.main.program(&program, &[operand]);
        let Some(slow) = slow else { return value.low() };
        let call = Call { op: Operation::Log2, rule, slot: None, source: rule.source };
        match second(Operation::Log2, &rule, true).filter(|second| second.slow.is_none()) {
            Some(second) => self.main.again(&call, &second, &[Value::One(slow), value, operand]).low(),
            None => {
                self.main.refusals.add("logarithms have no second step program");
                number
            }
        }
    }

    fn remainder(&mut self, a: Id, n: Id) -> Id {
        let word = self.main.module.word();
        self.op(Op::UMod, word, &[a, n])
    }

    fn size(&mut self) -> [Id; 3] {
        if let Some(known) = self.size {
            return known;
        }
        self.main.module.capability(Capability::ImageQuery);
        let (signed, word) = (self.main.module.signed(), self.main.module.word());
        let one = self.main.module.constant(1);
        let sides = self.shape.coordinates();
        let count = sides + usize::from(self.shape.is_array());
        let ty = if count == 1 { signed } else { self.main.module.vector(signed, count as u32) };
        let at = self.main.module.signed_constant(0);
        let found = self.op(Op::ImageQuerySizeLod, ty, &[self.image, at]);
        let parts: Vec<Id> = match count {
            1 => vec![found],
            _ => (0..count as u32).map(|n| self.op(Op::CompositeExtract, signed, &[found, n])).collect(),
        };
        let mut size = [one; 3];
        for (n, part) in parts.into_iter().enumerate() {
            // Layers stand along the depth.
            let axis = if n < sides { n } else { 2 };
            size[axis] = self.op(Op::Bitcast, word, &[part]);
        }
        self.size = Some(size);
        size
    }

    fn levels(&mut self) -> Id {
        self.main.module.capability(Capability::ImageQuery);
        let (signed, word) = (self.main.module.signed(), self.main.module.word());
        let count = self.op(Op::ImageQueryLevels, signed, &[self.image]);
        self.op(Op::Bitcast, word, &[count])
    }

    fn fetch(&mut self, at: [Id; 3], level: Id) -> [Id; 4] {
        let (signed, float) = (self.main.module.signed(), self.main.module.float());
        let sides = self.shape.coordinates();
        let mut parts: Vec<Id> = at[..sides].to_vec();
        if self.shape.is_array() {
            parts.push(at[2]);
        }
        let parts: Vec<Id> = parts.into_iter().map(|part| self.signed(part)).collect();
        let place = match parts[..] {
            [one] => one,
            _ => {
                let ty = self.main.module.vector(signed, parts.len() as u32);
                self.op(Op::CompositeConstruct, ty, &parts)
            }
        };
        let level = self.signed(level);
        let vector = self.main.module.vector(float, 4);
        let texel = self.op(Op::ImageFetch, vector, &[self.image, place, ImageOperands::LOD.bits(), level]);
        [0, 1, 2, 3].map(|comp| {
            let number = self.op(Op::CompositeExtract, float, &[texel, comp]);
            match self.unit.fetched() {
                Fetched::Unorm8 => self.byte(number),
                Fetched::Binary32 => self.main.pattern(number),
            }
        })
    }

    fn row(&mut self, table: &[u32; 256], row: Id) -> Id {
        let module = &mut self.main.module;
        let word = module.word();
        let known = self.main.lookups.tables.iter().find(|(rows, _)| rows == table).map(|(_, variable)| *variable);
        let variable = known.unwrap_or_else(|| {
            let members: Vec<Id> = table.iter().map(|&row| module.constant(row)).collect();
            let ty = module.array(word, 256, None);
            let first = module.composite(ty, &members);
            let variable = module.variable(StorageClass::Private, ty, Some(first));
            self.main.lookups.tables.push((*table, variable));
            variable
        });
        let module = &mut self.main.module;
        let (ty, last) = (module.pointer(StorageClass::Private, word), module.constant(255));
        let row = self.op(Op::BitwiseAnd, word, &[row, last]);
        let pointer = self.op(Op::AccessChain, ty, &[variable, row]);
        self.op(Op::Load, word, &[pointer])
    }

    fn beside(&mut self, word: Id, axis: u32) -> Id {
        self.main.neighbour(word, axis)
    }

    fn is_second(&mut self, axis: u32) -> Id {
        let (truth, zero) = (self.main.module.bool(), self.main.module.constant(0));
        let parity = self.main.parity(axis);
        self.op(Op::INotEqual, truth, &[parity, zero])
    }
}
