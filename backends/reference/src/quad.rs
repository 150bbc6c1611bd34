//! One quad from the first op to the last.

use crate::arithmetic::{compute, coordinate, read};
use parallax_core::exec::{Inputs, InterpolateAt, Memory, Outputs, TexRows};
use parallax_core::{AtomicOp, Axis, Bound, EntityRef, OpId, OpKind, RegionId, Shader, SysVal, ValueId};
use parallax_num::Op;
use std::collections::HashMap;

/// A word for each lane of the quad.
type Words = [u64; 4];

/// Which lanes of the quad.
type Lanes = [bool; 4];

const NOBODY: Lanes = [false; 4];

fn any(lanes: Lanes) -> bool {
    lanes.contains(&true)
}

/// The numbers of the lanes of a set.
fn each(lanes: Lanes) -> impl Iterator<Item = usize> {
    (0..4).filter(move |&lane| lanes[lane])
}

fn both(a: Lanes, b: Lanes) -> Lanes {
    std::array::from_fn(|lane| a[lane] && b[lane])
}

fn either(a: Lanes, b: Lanes) -> Lanes {
    std::array::from_fn(|lane| a[lane] || b[lane])
}

fn without(a: Lanes, b: Lanes) -> Lanes {
    std::array::from_fn(|lane| a[lane] && !b[lane])
}

/// Lanes on their way out of an `if`, `block` or `loop`.
#[derive(Clone, Default)]
struct Exits {
    /// Those that go on behind it.
    joined: Lanes,
    /// Those that start the next iteration, and the parameters they pass.
    next: Lanes,
    passed: Vec<Words>,
}

/// A quad under way.
pub(crate) struct Quad<'a, 'm> {
    shader: &'a Shader<Bound>,
    inputs: &'a Inputs<'a>,
    memory: Memory<'m>,
    outputs: &'a mut Outputs,
    /// Number of its first lane in the batch.
    first: usize,
    values: Vec<Words>,
    arrays: Vec<Vec<Words>>,
    exits: HashMap<OpId, Exits>,
    covered: Lanes,
    fuel: [u32; 4],
}

impl<'a, 'm> Quad<'a, 'm> {
    pub(crate) fn new(
        shader: &'a Shader<Bound>,
        inputs: &'a Inputs<'a>,
        memory: Memory<'m>,
        outputs: &'a mut Outputs,
        first: usize,
    ) -> Self {
        let func = &shader.func;
        let array = |len: u32| vec![[0; 4]; len as usize];
        Quad {
            shader,
            inputs,
            memory,
            outputs,
            first,
            values: vec![[0; 4]; func.values.len()],
            arrays: func.arrays.values().map(|decl| array(decl.len)).collect(),
            exits: HashMap::new(),
            covered: std::array::from_fn(|lane| inputs.covered.get(first + lane).copied().unwrap_or(false)),
            fuel: [inputs.fuel; 4],
        }
    }

    pub(crate) fn run(mut self) {
        self.region(self.shader.func.body, [true; 4], None);
        self.outputs.covered[self.first..self.first + 4].copy_from_slice(&self.covered);
    }

    fn get(&self, value: ValueId) -> Words {
        self.values[value.index()]
    }

    /// Values take those of others in some lanes.
    fn assign(&mut self, to: &[ValueId], from: &[ValueId], lanes: Lanes) {
        for (to, &from) in to.iter().zip(from) {
            let words = self.get(from);
            each(lanes).for_each(|lane| self.values[to.index()][lane] = words[lane]);
        }
    }

    /// Runs a region of `owner` in lanes of which there is at least one; gives those that reach its end. Nesting is bounded by
    /// the verifier.
    fn region(&mut self, region: RegionId, lanes: Lanes, owner: Option<OpId>) -> Lanes {
        let func = &self.shader.func;
        let mut exec = lanes;
        for &op in &func.regions[region].ops {
            let data = &func.ops[op];
            match data.kind {
                OpKind::If => {
                    self.assign(&data.results, &data.args[1..], [true; 4]);
                    let taken = both(exec, self.get(data.args[0]).map(|word| word & 1 != 0));
                    let mut end = NOBODY;
                    for (arm, lanes) in [(data.regions[0], taken), (data.regions[1], without(exec, taken))] {
                        if any(lanes) {
                            end = either(end, self.region(arm, lanes, Some(op)));
                        }
                    }
                    exec = end;
                }
                OpKind::Block => {
                    self.assign(&data.results, &data.args, [true; 4]);
                    self.exits.insert(op, Exits::default());
                    let end = self.region(data.regions[0], exec, Some(op));
                    exec = either(end, self.exits[&op].joined);
                }
                OpKind::Loop => exec = self.repeat(op, exec),
                OpKind::Yield => {
                    if let Some(owner) = owner {
                        self.assign(&func.ops[owner].results, &data.args, exec);
                    }
                    return exec;
                }
                OpKind::Break(target) => {
                    self.assign(&func.ops[target].results, &data.args, exec);
                    let exits = self.exits.entry(target).or_default();
                    exits.joined = either(exits.joined, exec);
                    return NOBODY;
                }
                OpKind::Continue(target) => {
                    let passed: Vec<Words> = data.args.iter().map(|&arg| self.get(arg)).collect();
                    self.start_again(target, &passed, exec);
                    return NOBODY;
                }
                kind => self.plain(op, kind, exec),
            }
            if !any(exec) {
                return NOBODY;
            }
        }
        exec
    }

    /// A loop: gives the lanes that go on behind it.
    fn repeat(&mut self, op: OpId, lanes: Lanes) -> Lanes {
        let data = &self.shader.func.ops[op];
        let body = data.regions[0];
        let params = &self.shader.func.regions[body].params;
        let (first, initial) = data.args.split_at(params.len());
        self.assign(params, first, [true; 4]);
        self.assign(&data.results, initial, [true; 4]);
        self.exits.insert(op, Exits { passed: vec![[0; 4]; params.len()], ..Exits::default() });
        let mut exec = lanes;
        while any(exec) {
            self.region(body, exec, Some(op));
            let exits = self.exits.entry(op).or_default();
            exec = std::mem::take(&mut exits.next);
            for (param, passed) in params.iter().zip(&exits.passed) {
                each(exec).for_each(|lane| self.values[param.index()][lane] = passed[lane]);
            }
        }
        self.exits[&op].joined
    }

    /// `continue`: lanes without fuel leave the loop.
    fn start_again(&mut self, target: OpId, passed: &[Words], lanes: Lanes) {
        let exits = self.exits.entry(target).or_default();
        for lane in each(lanes) {
            if self.fuel[lane] == 0 {
                self.outputs.out_of_fuel[self.first + lane] = true;
                exits.joined[lane] = true;
                continue;
            }
            self.fuel[lane] -= 1;
            exits.next[lane] = true;
            exits.passed.iter_mut().zip(passed).for_each(|(to, from)| to[lane] = from[lane]);
        }
    }

    fn attribute(&self, index: i64, comp: u8, lane: usize) -> u32 {
        let count = self.shader.func.iface.attrs.len();
        let index = usize::try_from(index).ok().filter(|&index| index < count);
        let at = index.map(|index| (index * 4 + usize::from(comp)) * self.inputs.lanes + self.first + lane);
        at.and_then(|at| self.inputs.attrs.get(at)).copied().unwrap_or(0)
    }

    fn attribute_at(&self, index: u16, comp: u8, lane: usize, place: InterpolateAt) -> u32 {
        let inputs = self.inputs;
        let found = inputs.interpolator.at(index.into(), comp.into(), self.first + lane, place);
        found.unwrap_or_else(|| self.attribute(index.into(), comp, lane))
    }

    fn constant(&self, bank: u16, index: i64, comp: u8) -> u32 {
        let bank = self.inputs.banks.get(usize::from(bank)).copied().unwrap_or(&[]);
        let vector = usize::try_from(index).ok().and_then(|index| bank.get(index));
        vector.map_or(0, |vector| vector[usize::from(comp)])
    }

    fn given(&self, value: SysVal, lane: usize) -> Option<u32> {
        self.inputs.sysvals.get(value as usize * self.inputs.lanes + self.first + lane).copied()
    }

    fn system_value(&self, value: SysVal, lane: usize) -> u32 {
        match value {
            SysVal::HelperLane => match self.inputs.covered.get(self.first + lane) {
                Some(true) => 0,
                _ => u32::MAX,
            },
            SysVal::QuadLane => lane as u32,
            value => self.given(value, lane).unwrap_or(0),
        }
    }

    /// The samples that a lane shades.
    fn shaded(&self, lane: usize) -> u32 {
        match self.given(SysVal::SampleShading, lane) {
            None => u32::from(self.inputs.covered.get(self.first + lane).copied().unwrap_or(false)),
            Some(0) => self.given(SysVal::SampleMask, lane).unwrap_or(0),
            Some(_) => 1,
        }
    }

    /// An op that neither holds regions nor ends one.
    fn plain(&mut self, op: OpId, kind: OpKind, exec: Lanes) {
        let (shader, first) = (self.shader, self.first);
        let data = &shader.func.ops[op];
        let (bound, rule) = (&shader.state, data.rule);
        let arg = |n: usize| data.args.get(n).map_or([0; 4], |&value| self.get(value));
        let signed = |word: u64| i64::from(word as u32 as i32);
        // What is read lane by lane, under the rule of the op.
        let reads =
            |word: &dyn Fn(usize) -> u32| -> Words { std::array::from_fn(|lane| read(bound, rule, word(lane))) };
        let words: Words = match kind {
            OpKind::Num(num) => std::array::from_fn(|lane| {
                let words: Vec<u64> = data.args.iter().map(|&value| self.get(value)[lane]).collect();
                compute(bound, num, rule, &words)
            }),
            OpKind::Literal(word) => [word; 4],
            OpKind::Select => {
                let (pred, a, b) = (arg(0), arg(1), arg(2));
                std::array::from_fn(|lane| if pred[lane] & 1 != 0 { a[lane] } else { b[lane] })
            }
            OpKind::Const { bank, index, comp } => reads(&|_| self.constant(bank, index.into(), comp)),
            OpKind::ConstAt { bank, base, comp } => {
                let index = arg(0);
                reads(&|lane| self.constant(bank, i64::from(base) + signed(index[lane]), comp))
            }
            OpKind::Attr { index, comp } => reads(&|lane| self.attribute(index.into(), comp, lane)),
            OpKind::AttrAt { base, comp } => {
                let index = arg(0);
                reads(&|lane| self.attribute(i64::from(base) + signed(index[lane]), comp, lane))
            }
            OpKind::AttrSample { index, comp } => {
                let sample = arg(0);
                reads(&|lane| self.attribute_at(index, comp, lane, InterpolateAt::Sample(sample[lane] as u32)))
            }
            OpKind::AttrOffset { index, comp } => {
                let (x, y) = (arg(0), arg(1));
                let place = |lane: usize| InterpolateAt::Offset([x[lane] as u32, y[lane] as u32]);
                reads(&|lane| self.attribute_at(index, comp, lane, place(lane)))
            }
            OpKind::AttrCentroid { index, comp } => {
                reads(&|lane| self.attribute_at(index, comp, lane, InterpolateAt::Centroid))
            }
            OpKind::SamplePosition { axis } => {
                let (sample, positions) = (arg(0), self.inputs.interpolator.positions());
                let axis = usize::from(axis == Axis::Y);
                let place = |lane: usize| positions.get(sample[lane] as u32 as usize).map_or(0, |p| p[axis].into());
                std::array::from_fn(|lane| u64::from(i32::cast_unsigned(place(lane))))
            }
            OpKind::Sys(value) => std::array::from_fn(|lane| self.system_value(value, lane).into()),
            OpKind::Deriv { axis, fine } => {
                let v = arg(0);
                std::array::from_fn(|lane| {
                    let step = if axis == Axis::X { 1 } else { 2 };
                    // Coarse derivatives are those of the lower row, or of the left column.
                    let from = match (axis, fine) {
                        (_, true) => lane & !step,
                        (Axis::X, false) => 2,
                        (Axis::Y, false) => 0,
                    };
                    compute(bound, Op::Sub, rule, &[v[from + step], v[from]])
                })
            }
            OpKind::QuadXor { mask } => {
                let v = arg(0);
                std::array::from_fn(|lane| v[(lane ^ usize::from(mask)) & 3])
            }
            OpKind::QuadShuffle => {
                let (v, index) = (arg(0), arg(1));
                std::array::from_fn(|lane| v[(index[lane] & 3) as usize])
            }
            OpKind::QuadAny => {
                let v = arg(0);
                [each(exec).any(|lane| v[lane] & 1 != 0).into(); 4]
            }
            OpKind::QuadAll => {
                let v = arg(0);
                [each(exec).all(|lane| v[lane] & 1 != 0).into(); 4]
            }
            OpKind::Tex(tex) => {
                let rows: Vec<[u32; 4]> = (data.args.iter())
                    .map(|&arg| self.get(arg).map(|word| coordinate(bound, shader.func.ty(arg), word)))
                    .collect();
                let lookup = TexRows::of(&tex, |n| rows.get(n).map_or(&[], |row| &row[..]));
                let texels = self.inputs.textures.sample(&tex, &lookup.quad(0));
                for (comp, &result) in data.results.iter().enumerate() {
                    self.values[result.index()] = texels.map(|texel| read(bound, rule, texel[comp]));
                }
                return;
            }
            OpKind::ArrayLoad(array) => {
                let (index, array) = (arg(0), &self.arrays[array.index()]);
                std::array::from_fn(|lane| array.get(index[lane] as u32 as usize).map_or(0, |words| words[lane]))
            }
            OpKind::ArrayStore(array) => {
                let (index, value) = (arg(0), arg(1));
                for lane in each(exec) {
                    if let Some(words) = self.arrays[array.index()].get_mut(index[lane] as u32 as usize) {
                        words[lane] = value[lane];
                    }
                }
                return;
            }
            OpKind::BufferLoad { buffer } => arg(0).map(|address| self.memory.load(buffer, address as u32).into()),
            OpKind::TextureSize { unit, comp } => {
                arg(0).map(|level| self.inputs.textures.size(unit, level as u32)[usize::from(comp & 3)].into())
            }
            OpKind::ImageAddress { buffer } => {
                let (image, at) = (self.inputs.textures.image(buffer), [0, 1, 2, 3].map(arg));
                std::array::from_fn(|lane| {
                    let [x, y, z, sample] = at.map(|words| words[lane] as u32);
                    image.map_or(u32::MAX, |image| image.address([x, y, z], sample)).into()
                })
            }
            OpKind::ImageLoad { buffer, comp } => {
                let image = self.inputs.textures.image(buffer);
                let texel = |at: u64| image.map_or([0; 4], |image| image.load(&self.memory, buffer, at as u32));
                arg(0).map(|at| texel(at)[usize::from(comp & 3)].into())
            }
            OpKind::ImageStore { buffer } => {
                let words = [0, 1, 2, 3, 4].map(arg);
                let Some(image) = self.inputs.textures.image(buffer) else { return };
                for lane in each(both(exec, self.covered)) {
                    let [at, texel @ ..] = words.map(|words| words[lane] as u32);
                    image.store(&mut self.memory, buffer, at, texel);
                }
                return;
            }
            OpKind::ImageSize { buffer, comp } => {
                [self.inputs.textures.image(buffer).map_or(0, |image| image.extent(comp)).into(); 4]
            }
            OpKind::BufferSize { buffer } => [self.memory.size(buffer).into(); 4],
            OpKind::BufferStore { buffer } => {
                let (address, value) = (arg(0), arg(1));
                for lane in each(both(exec, self.covered)) {
                    self.memory.store(buffer, address[lane] as u32, value[lane] as u32);
                }
                return;
            }
            OpKind::Atomic { op: atomic, buffer } => {
                let (address, operand) = (arg(0), arg(1));
                let second = if atomic == AtomicOp::CompareExchange { arg(2) } else { operand };
                let mut old = [0; 4];
                for lane in each(both(exec, self.covered)) {
                    let [address, operand, second] = [address, operand, second].map(|words| words[lane] as u32);
                    old[lane] = self.memory.atomic(atomic, buffer, address, operand, second).into();
                }
                old
            }
            OpKind::Out { index, comp } => {
                let value = arg(0);
                let plane = &mut self.outputs.planes[usize::from(index) * 4 + usize::from(comp)];
                for lane in each(exec) {
                    plane.as_row_mut().set(first + lane, value[lane]);
                }
                return;
            }
            OpKind::Discard => {
                let pred = arg(0).map(|word| word & 1 != 0);
                self.covered = without(self.covered, both(exec, pred));
                return;
            }
            OpKind::DiscardSamples => {
                let mask = arg(0);
                for lane in each(exec) {
                    let before = self.shaded(lane) & !self.outputs.discarded[first + lane];
                    self.outputs.discarded[first + lane] |= mask[lane] as u32;
                    if before != 0 && before & !self.outputs.discarded[first + lane] == 0 {
                        self.covered[lane] = false;
                    }
                }
                return;
            }
            // Shaders with barriers are declined; bound ones hold no function of a library.
            OpKind::Barrier | OpKind::Library(_) => return,
            OpKind::If | OpKind::Loop | OpKind::Block | OpKind::Yield | OpKind::Break(_) | OpKind::Continue(_) => {
                return;
            }
        };
        if let Some(&result) = data.results.first() {
            self.values[result.index()] = words;
        }
    }
}
