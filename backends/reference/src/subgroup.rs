//! One subgroup, a quad or the quads of a kernel that go in step, and what ops do in it that neither hold regions nor end them.

use crate::arithmetic::{compute, coordinate, read};
use crate::control::Control;
use crate::races::Races;
use parallax_core::exec::{Inputs, InterpolateAt, Memory, Outputs, TexRows};
use parallax_core::{Axis, Bound, EntityRef, OpId, OpKind, Shader, SysVal, ValueId};
use parallax_num::Op;

/// A word for each lane.
pub(crate) type Words<const N: usize> = [u64; N];

/// Which lanes.
pub(crate) type Lanes<const N: usize> = [bool; N];

pub(crate) fn any<const N: usize>(lanes: Lanes<N>) -> bool {
    lanes.contains(&true)
}

/// The numbers of the lanes of a set.
pub(crate) fn each<const N: usize>(lanes: Lanes<N>) -> impl Iterator<Item = usize> {
    (0..N).filter(move |&lane| lanes[lane])
}

pub(crate) fn both<const N: usize>(a: Lanes<N>, b: Lanes<N>) -> Lanes<N> {
    std::array::from_fn(|lane| a[lane] && b[lane])
}

pub(crate) fn either<const N: usize>(a: Lanes<N>, b: Lanes<N>) -> Lanes<N> {
    std::array::from_fn(|lane| a[lane] || b[lane])
}

pub(crate) fn without<const N: usize>(a: Lanes<N>, b: Lanes<N>) -> Lanes<N> {
    std::array::from_fn(|lane| a[lane] && !b[lane])
}

/// What all subgroups of a batch share.
pub(crate) struct World<'a, 'm> {
    pub(crate) shader: &'a Shader<Bound>,
    pub(crate) inputs: &'a Inputs<'a>,
    pub(crate) memory: Memory<'m>,
    pub(crate) outputs: &'a mut Outputs,
    /// Whoever looks for races.
    pub(crate) races: Option<&'a mut Races>,
}

impl World<'_, '_> {
    /// Keeps what is known of a subgroup in the end.
    pub(crate) fn end<const N: usize>(&mut self, subgroup: &Subgroup<N>) {
        let end = self.inputs.lanes.min(subgroup.first + N);
        self.outputs.covered[subgroup.first..end].copy_from_slice(&subgroup.covered[..end - subgroup.first]);
    }
}

/// A subgroup of `N` lanes under way.
pub(crate) struct Subgroup<const N: usize> {
    /// Number of its first lane in the batch.
    pub(crate) first: usize,
    pub(crate) values: Vec<Words<N>>,
    arrays: Vec<Vec<Words<N>>>,
    pub(crate) covered: Lanes<N>,
    pub(crate) fuel: [u32; N],
    /// Where it is.
    pub(crate) control: Control<N>,
}

impl<const N: usize> Subgroup<N> {
    pub(crate) fn new(shader: &Shader<Bound>, inputs: &Inputs<'_>, first: usize) -> Self {
        let func = &shader.func;
        let array = |len: u32| vec![[0; N]; len as usize];
        Subgroup {
            first,
            values: vec![[0; N]; func.values.len()],
            arrays: func.arrays.values().map(|decl| array(decl.len)).collect(),
            covered: std::array::from_fn(|lane| inputs.covered.get(first + lane).copied().unwrap_or(false)),
            fuel: [inputs.fuel; N],
            control: Control::at_start(func, std::array::from_fn(|lane| first + lane < inputs.lanes)),
        }
    }

    pub(crate) fn get(&self, value: ValueId) -> Words<N> {
        self.values[value.index()]
    }

    fn attribute(&self, w: &World<'_, '_>, index: i64, comp: u8, lane: usize) -> u32 {
        let count = w.shader.func.iface.attrs.len();
        let index = usize::try_from(index).ok().filter(|&index| index < count);
        let at = index.map(|index| (index * 4 + usize::from(comp)) * w.inputs.lanes + self.first + lane);
        at.and_then(|at| w.inputs.attrs.get(at)).copied().unwrap_or(0)
    }

    fn attribute_at(&self, w: &World<'_, '_>, index: u16, comp: u8, lane: usize, place: InterpolateAt) -> u32 {
        let inputs = w.inputs;
        let found = inputs.interpolator.at(index.into(), comp.into(), self.first + lane, place);
        found.unwrap_or_else(|| self.attribute(w, index.into(), comp, lane))
    }

    fn constant(&self, w: &World<'_, '_>, bank: u16, index: i64, comp: u8) -> u32 {
        let bank = w.inputs.banks.get(usize::from(bank)).copied().unwrap_or(&[]);
        let vector = usize::try_from(index).ok().and_then(|index| bank.get(index));
        vector.map_or(0, |vector| vector[usize::from(comp)])
    }

    fn given(&self, w: &World<'_, '_>, value: SysVal, lane: usize) -> Option<u32> {
        w.inputs.sysvals.get(value as usize * w.inputs.lanes + self.first + lane).copied()
    }

    fn system_value(&self, w: &World<'_, '_>, value: SysVal, lane: usize) -> u32 {
        match value {
            SysVal::HelperLane => match w.inputs.covered.get(self.first + lane) {
                Some(true) => 0,
                _ => u32::MAX,
            },
            SysVal::QuadLane => lane as u32 & 3,
            SysVal::SubgroupLane => lane as u32,
            SysVal::SubgroupSize => N as u32,
            value => self.given(w, value, lane).unwrap_or(0),
        }
    }

    /// The samples that a lane shades.
    fn shaded(&self, w: &World<'_, '_>, lane: usize) -> u32 {
        match self.given(w, SysVal::SampleShading, lane) {
            None => u32::from(w.inputs.covered.get(self.first + lane).copied().unwrap_or(false)),
            Some(0) => self.given(w, SysVal::SampleMask, lane).unwrap_or(0),
            Some(_) => 1,
        }
    }

    /// An op that neither holds regions nor ends one.
    pub(crate) fn plain(&mut self, w: &mut World<'_, '_>, op: OpId, kind: OpKind, exec: Lanes<N>) {
        self.note_accesses(w, op, kind, exec);
        let (shader, first) = (w.shader, self.first);
        let data = &shader.func.ops[op];
        let (bound, rule) = (&shader.state, data.rule);
        let arg = |n: usize| data.args.get(n).map_or([0; N], |&value| self.get(value));
        let signed = |word: u64| i64::from(word as u32 as i32);
        // What is read lane by lane, under the rule of the op.
        let reads =
            |word: &dyn Fn(usize) -> u32| -> Words<N> { std::array::from_fn(|lane| read(bound, rule, word(lane))) };
        let words: Words<N> = match kind {
            OpKind::Num(num) => std::array::from_fn(|lane| {
                let words: Vec<u64> = data.args.iter().map(|&value| self.get(value)[lane]).collect();
                compute(bound, num, rule, &words)
            }),
            OpKind::Literal(word) => [word; N],
            OpKind::Select => {
                let (pred, a, b) = (arg(0), arg(1), arg(2));
                std::array::from_fn(|lane| if pred[lane] & 1 != 0 { a[lane] } else { b[lane] })
            }
            OpKind::Const { bank, index, comp } => reads(&|_| self.constant(w, bank, index.into(), comp)),
            OpKind::ConstAt { bank, base, comp } => {
                let index = arg(0);
                reads(&|lane| self.constant(w, bank, i64::from(base) + signed(index[lane]), comp))
            }
            OpKind::Attr { index, comp } => reads(&|lane| self.attribute(w, index.into(), comp, lane)),
            OpKind::AttrAt { base, comp } => {
                let index = arg(0);
                reads(&|lane| self.attribute(w, i64::from(base) + signed(index[lane]), comp, lane))
            }
            OpKind::AttrSample { index, comp } => {
                let sample = arg(0);
                reads(&|lane| self.attribute_at(w, index, comp, lane, InterpolateAt::Sample(sample[lane] as u32)))
            }
            OpKind::AttrOffset { index, comp } => {
                let (x, y) = (arg(0), arg(1));
                let place = |lane: usize| InterpolateAt::Offset([x[lane] as u32, y[lane] as u32]);
                reads(&|lane| self.attribute_at(w, index, comp, lane, place(lane)))
            }
            OpKind::AttrCentroid { index, comp } => {
                reads(&|lane| self.attribute_at(w, index, comp, lane, InterpolateAt::Centroid))
            }
            OpKind::SamplePosition { axis } => {
                let (sample, positions) = (arg(0), w.inputs.interpolator.positions());
                let axis = usize::from(axis == Axis::Y);
                let place = |lane: usize| positions.get(sample[lane] as u32 as usize).map_or(0, |p| p[axis].into());
                std::array::from_fn(|lane| u64::from(i32::cast_unsigned(place(lane))))
            }
            OpKind::Sys(value) => std::array::from_fn(|lane| self.system_value(w, value, lane).into()),
            OpKind::Deriv { axis, fine } => {
                let v = arg(0);
                std::array::from_fn(|lane| {
                    let step = if axis == Axis::X { 1 } else { 2 };
                    // Coarse derivatives are those of the lower row, or of the left column.
                    let from = match (axis, fine) {
                        (_, true) => lane & !step,
                        (Axis::X, false) => lane & !3 | 2,
                        (Axis::Y, false) => lane & !3,
                    };
                    compute(bound, Op::Sub, rule, &[v[from + step], v[from]])
                })
            }
            OpKind::QuadXor { mask } => {
                let v = arg(0);
                std::array::from_fn(|lane| v[lane ^ usize::from(mask & 3)])
            }
            OpKind::QuadShuffle => {
                let (v, index) = (arg(0), arg(1));
                std::array::from_fn(|lane| v[lane & !3 | (index[lane] & 3) as usize])
            }
            OpKind::QuadAny => {
                let v = arg(0);
                let votes = |quad: usize| each(exec).any(|lane| lane / 4 == quad && v[lane] & 1 != 0);
                std::array::from_fn(|lane| votes(lane / 4).into())
            }
            OpKind::QuadAll => {
                let v = arg(0);
                let votes = |quad: usize| each(exec).all(|lane| lane / 4 != quad || v[lane] & 1 != 0);
                std::array::from_fn(|lane| votes(lane / 4).into())
            }
            OpKind::GroupShuffle => {
                let (v, index, active) = (arg(0), arg(1), both(exec, self.covered));
                let held = |index: usize| if active.get(index) == Some(&true) { v[index] } else { 0 };
                index.map(|index| held(index as u32 as usize))
            }
            OpKind::GroupBallot { word } => {
                let (v, active) = (arg(0), both(exec, self.covered));
                let holds = each(active).filter(|&lane| lane / 32 == usize::from(word) && v[lane] & 1 != 0);
                [holds.fold(0, |bits, lane| bits | 1 << (lane % 32)); N]
            }
            OpKind::GroupReduce(reduction) => {
                let (v, start, active) = (arg(0), arg(1), both(exec, self.covered));
                let cluster = reduction.lanes(N as u32) as usize;
                std::array::from_fn(|of| {
                    let counted = each(active).filter(|&lane| lane / cluster == of / cluster);
                    let counted = counted.filter(|&lane| reduction.scan.counts(lane, of));
                    counted.fold(start[of], |sum, lane| compute(bound, reduction.op, rule, &[sum, v[lane]]))
                })
            }
            OpKind::Tex(tex) => {
                let rows: Vec<[u32; N]> = (data.args.iter())
                    .map(|&arg| self.get(arg).map(|word| coordinate(bound, shader.func.ty(arg), word)))
                    .collect();
                let lookup = TexRows::of(&tex, |n| rows.get(n).map_or(&[], |row| &row[..]));
                for quad in (0..N).step_by(4) {
                    let texels = w.inputs.textures.sample(&tex, &lookup.quad(quad));
                    for (comp, &result) in data.results.iter().enumerate() {
                        let words = texels.map(|texel| read(bound, rule, texel[comp]));
                        self.values[result.index()][quad..quad + 4].copy_from_slice(&words);
                    }
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
            OpKind::BufferLoad { buffer, .. } => arg(0).map(|address| w.memory.load(buffer, address as u32).into()),
            OpKind::TextureSize { unit, comp } => {
                arg(0).map(|level| w.inputs.textures.size(unit, level as u32)[usize::from(comp & 3)].into())
            }
            OpKind::ImageAddress { buffer } => {
                let (image, at) = (w.inputs.textures.image(buffer), [0, 1, 2, 3].map(arg));
                std::array::from_fn(|lane| {
                    let [x, y, z, sample] = at.map(|words| words[lane] as u32);
                    image.map_or(u32::MAX, |image| image.address([x, y, z], sample)).into()
                })
            }
            OpKind::ImageLoad { buffer, comp } => {
                let image = w.inputs.textures.image(buffer);
                let texel = |at: u64| image.map_or([0; 4], |image| image.load(&w.memory, buffer, at as u32));
                arg(0).map(|at| texel(at)[usize::from(comp & 3)].into())
            }
            OpKind::ImageStore { buffer } => {
                let words = [0, 1, 2, 3, 4].map(arg);
                let Some(image) = w.inputs.textures.image(buffer) else { return };
                for lane in each(both(exec, self.covered)) {
                    let [at, texel @ ..] = words.map(|words| words[lane] as u32);
                    image.store(&mut w.memory, buffer, at, texel);
                }
                return;
            }
            OpKind::ImageSize { buffer, comp } => {
                [w.inputs.textures.image(buffer).map_or(0, |image| image.extent(comp)).into(); N]
            }
            OpKind::BufferSize { buffer } => [w.memory.size(buffer).into(); N],
            OpKind::BufferStore { buffer, .. } => {
                let (address, value) = (arg(0), arg(1));
                for lane in each(both(exec, self.covered)) {
                    w.memory.store(buffer, address[lane] as u32, value[lane] as u32);
                }
                return;
            }
            OpKind::Atomic { op: atomic, buffer } => {
                let (address, operand) = (arg(0), arg(1));
                let second = if data.args.len() > 2 { arg(2) } else { operand };
                let mut old = [0; N];
                for lane in each(both(exec, self.covered)) {
                    let [address, operand, second] = [address, operand, second].map(|words| words[lane] as u32);
                    old[lane] = w.memory.atomic(atomic, buffer, address, operand, second).into();
                }
                old
            }
            OpKind::Out { index, comp } => {
                let value = arg(0);
                let plane = &mut w.outputs.planes[usize::from(index) * 4 + usize::from(comp)];
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
                    let before = self.shaded(w, lane) & !w.outputs.discarded[first + lane];
                    w.outputs.discarded[first + lane] |= mask[lane] as u32;
                    if before != 0 && before & !w.outputs.discarded[first + lane] == 0 {
                        self.covered[lane] = false;
                    }
                }
                return;
            }
            // Bound shaders hold no function of a library.
            OpKind::Library(_)
            | OpKind::Barrier
            | OpKind::GroupBarrier
            | OpKind::If
            | OpKind::Loop
            | OpKind::Block
            | OpKind::Yield
            | OpKind::Break(_)
            | OpKind::Continue(_) => {
                return;
            }
        };
        if let Some(&result) = data.results.first() {
            self.values[result.index()] = words;
        }
    }
}
