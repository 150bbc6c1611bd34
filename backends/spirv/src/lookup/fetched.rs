//! Lookups in a module: a function for each kind of lookup of a unit, which fetches texels from the unit's image.

use super::site::Site;
use super::{Fetched, Lookups, Unit, fetched_shape, lookup, refusal};
use crate::entry::Main;
use crate::interface::{Interface, Texture};
use crate::module::{Id, Section};
use parallax_core::{OpKind, TexMode, TexOp, TexTarget};
use parallax_num::{Decl, Format, Op as Operation, Rule};
use parallax_step::words::Value;
use parallax_step::{Inst, Prim, Ty, second};
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

/// A unit of which nothing is known.
pub(crate) fn unknown(number: u16) -> String {
    format!("faithful lookups need to know format and sampler of texture unit {number}")
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
    /// Whether its texels are words.
    words: bool,
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
        let (variable, image_ty, shape) = self.fetched_image(tex, unit)?;
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
        let image = self.op(Op::Load, image_ty, &[variable]);
        let mut body = Body { main: self, unit: *unit, image, shape, words: tex.bits, size: None };
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

    /// A side of a level of a unit's image, or the number of levels, or of samples where texels have several.
    pub(crate) fn texture_size(&mut self, number: u16, comp: u8, level: Id) -> Id {
        match self.size_of_unit(number, comp, level) {
            Ok(size) => size,
            Err(reason) => {
                self.refusals.add(reason);
                self.module.constant(0)
            }
        }
    }

    fn size_of_unit(&mut self, number: u16, comp: u8, level: Id) -> Result<Id, String> {
        let (func, mut looked_up) = (&self.shader.func, None);
        func.walk(|_, op| match func.ops[op].kind {
            OpKind::Tex(tex) if tex.unit == number => looked_up = looked_up.or(Some((tex.target, tex.bits))),
            _ => {}
        });
        // Where nothing looks it up, its declaration says the shape.
        let declared = || func.iface.textures.iter().find(|decl| decl.unit == number).map(|decl| (decl.target, false));
        let Some((target, bits)) = looked_up.or_else(declared) else {
            return Err(format!("the size of texture unit {number}, whose shape nothing says, has no translation"));
        };
        let unit = match self.options.lookups {
            Lookups::Native => Unit::PLAIN,
            Lookups::Faithful(units) => match units.iter().find(|(known, _)| *known == number) {
                Some((_, unit)) => *unit,
                None => return Err(unknown(number)),
            },
        };
        let tex = TexOp { bits, ..TexOp::plain(number, target, TexMode::Implicit) };
        let (variable, ty, shape) = self.fetched_image(&tex, &unit)?;
        // Images of cubes, which only the device's lookups have, tell the number of cubes.
        let is_cube = target.is_cube() && self.options.lookups == Lookups::Native;
        let shape = if is_cube && !target.is_array() { TexTarget::D2 } else { shape };
        let image = self.op(Op::Load, ty, &[variable]);
        let mut body = Body { main: self, unit, image, shape, words: tex.bits, size: None };
        let site: &mut dyn Site = &mut body;
        let [one, zero, six] = [1, 0, 6].map(|word| site.int(word));
        let count = match target {
            _ if target.is_multisampled() => site.samples(),
            _ if target.is_rectangle() => one,
            _ => site.levels(),
        };
        if comp == 3 {
            return Ok(count);
        }
        let count = if target.is_multisampled() { one } else { count };
        let inside = site.ult(level, count);
        let level = site.select(inside, level, zero);
        let mut size = site.level_size(&tex, level);
        if is_cube {
            size[2] = site.mul(size[2], six);
        }
        Ok(site.select(inside, size[usize::from(comp)], zero))
    }

    /// The type of an image that texels are fetched from.
    fn fetched_type(&mut self, shape: TexTarget, words: bool) -> Id {
        let dim = match shape {
            TexTarget::D1 | TexTarget::D1Array => Dim::Dim1D,
            TexTarget::D3 => Dim::Dim3D,
            _ => Dim::Dim2D,
        };
        if dim == Dim::Dim1D {
            self.module.capability(Capability::Sampled1D);
        }
        let number = if words { self.module.word() } else { self.module.float() };
        // No depth, with or without several samples, sampled, of no known format.
        let [arrayed, multisampled] = [shape.is_array(), shape.is_multisampled()].map(u32::from);
        self.module.ty(Op::TypeImage, &[number, dim as u32, 0, arrayed, multisampled, 1, 0])
    }

    /// Whether a unit has texels as a lookup takes them: an image has either words or numbers.
    pub(crate) fn same_texels(&self, tex: &TexOp) -> Result<(), String> {
        let known = self.interface.textures.iter().find(|texture| texture.unit == tex.unit);
        match known.is_none_or(|texture| texture.words == tex.bits) {
            true => Ok(()),
            false => Err(format!("texture unit {} is looked up for words and for numbers", tex.unit)),
        }
    }

    /// The image of a unit, its type and its shape.
    fn fetched_image(&mut self, tex: &TexOp, unit: &Unit) -> Result<(Id, Id, TexTarget), String> {
        let shape = fetched_shape(tex.target);
        let number = tex.unit;
        if self.options.lookups == Lookups::Native {
            // Who samples it, too, sees it as it is.
            let (variable, ty) = self.native_image(tex)?;
            return Ok((variable, ty, shape));
        }
        let ty = self.fetched_type(shape, tex.bits);
        if let Some(&(known, target)) = self.lookups.images.get(&number) {
            return match target == tex.target {
                true => self.same_texels(tex).map(|()| (known, ty, shape)),
                false => {
                    let [one, other] = [target, tex.target].map(TexTarget::name);
                    Err(format!("texture unit {number} is looked up as `{one}` and as `{other}`"))
                }
            };
        }
        let variable = self.module.variable(StorageClass::UniformConstant, ty, None);
        let (set, image) = (Interface::TEXTURES, 2 * u32::from(number));
        self.module.decorate(variable, Decoration::DescriptorSet, &[set]);
        self.module.decorate(variable, Decoration::Binding, &[image]);
        self.module.name(variable, &format!("texture{number}"));
        let (target, words, faithful) = (tex.target, tex.bits, Some(*unit));
        let texture = Texture { unit: number, target, set, image, sampler: None, words, faithful };
        self.interface.textures.push(texture);
        self.lookups.images.insert(number, (variable, tex.target));
        Ok((variable, ty, shape))
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

    /// How many levels or samples there are.
    fn count(&mut self, op: Op) -> Id {
        self.main.module.capability(Capability::ImageQuery);
        let (signed, word) = (self.main.module.signed(), self.main.module.word());
        let count = self.op(op, signed, &[self.image]);
        self.op(Op::Bitcast, word, &[count])
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
        match second(Operation::Log2, &rule, true).filter(|second| second.slow.is_none()) {
            Some(program) => self.main.called(Operation::Log2, &program, &[Value::One(number)]).low(),
            None => {
                self.main.refusals.add("logarithms have no step program in integers");
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
        let found = if self.shape.is_multisampled() {
            self.op(Op::ImageQuerySize, ty, &[self.image])
        } else {
            let largest = self.main.module.signed_constant(0);
            self.op(Op::ImageQuerySizeLod, ty, &[self.image, largest])
        };
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
        self.count(Op::ImageQueryLevels)
    }

    fn samples(&mut self) -> Id {
        self.count(Op::ImageQuerySamples)
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
        let texel_ty = if self.words { self.main.module.word() } else { float };
        let vector = self.main.module.vector(texel_ty, 4);
        let of = if self.shape.is_multisampled() { ImageOperands::SAMPLE } else { ImageOperands::LOD };
        let texel = self.op(Op::ImageFetch, vector, &[self.image, place, of.bits(), level]);
        [0, 1, 2, 3].map(|comp| {
            let number = self.op(Op::CompositeExtract, texel_ty, &[texel, comp]);
            match self.unit.fetched() {
                _ if self.words => number,
                Fetched::Unorm8 => self.byte(number),
                Fetched::Binary32 | Fetched::Words => self.main.pattern(number),
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
