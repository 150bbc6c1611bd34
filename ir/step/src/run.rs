//! The reference executor of step form: quad by quad, lane by lane.

use crate::eval::{Nans, eval};
use crate::function::{Function, Kind, OpNumber, RegionNumber};
use crate::program::{Id, MAX_ARGS};
use parallax_core::exec::{Inputs, InterpolateAt, Memory, TexRows};
use parallax_core::{AtomicOp, Axis, EntityRef, OpKind, SysVal};

/// What a run leaves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Results {
    /// Component `c` of output `o` at `o * 4 + c`: a word for each lane; empty where the output has no such component.
    pub planes: Vec<Vec<u64>>,
    /// Covered lanes.
    pub covered: Vec<bool>,
    /// Lanes that ran out of fuel.
    pub out_of_fuel: Vec<bool>,
    /// Lane executions that `parallax_num::eval` had to decide, and all that could have been marked.
    pub redone: u64,
}

/// A set of the four lanes of a quad.
type Lanes = u8;

struct Run<'a, 'm> {
    function: &'a Function,
    inputs: &'a Inputs<'a>,
    memory: Memory<'m>,
    nans: Nans,
    /// First lane of the quad.
    first: usize,
    values: Vec<[u64; 4]>,
    arrays: Vec<Vec<[u64; 4]>>,
    /// Lanes that left for the end of an op, and lanes that go into its next iteration with what they pass.
    joined: Vec<Lanes>,
    next: Vec<Lanes>,
    pending: Vec<Vec<[u64; 4]>>,
    covered: Lanes,
    dry: Lanes,
    fuel: [u32; 4],
    discarded: [u32; 4],
    results: Results,
}

/// Runs a function that [`crate::verify`] accepts on a batch. Quads run one after the other, so that it may write memory.
pub fn run(function: &Function, inputs: &Inputs<'_>, memory: Memory<'_>, nans: Nans) -> Results {
    let planes = function.outputs.iter().flatten();
    let planes = planes.map(|ty| if ty.is_some() { vec![0; inputs.lanes] } else { Vec::new() }).collect();
    let ops = function.ops.len();
    let mut run = Run {
        function,
        inputs,
        memory,
        nans,
        first: 0,
        values: vec![[0; 4]; function.values.len()],
        arrays: Vec::new(),
        joined: vec![0; ops],
        next: vec![0; ops],
        pending: vec![Vec::new(); ops],
        covered: 0,
        dry: 0,
        fuel: [0; 4],
        discarded: [0; 4],
        results: Results {
            planes,
            covered: vec![false; inputs.lanes],
            out_of_fuel: vec![false; inputs.lanes],
            redone: 0,
        },
    };
    for first in (0..inputs.lanes).step_by(4) {
        run.quad(first);
    }
    run.results
}

fn lanes(set: Lanes) -> impl Iterator<Item = usize> {
    (0..4).filter(move |lane| set >> lane & 1 != 0)
}

impl Run<'_, '_> {
    fn quad(&mut self, first: usize) {
        self.first = first;
        self.arrays = self.function.arrays.iter().map(|&(_, len)| vec![[0; 4]; len as usize]).collect();
        self.fuel = [self.inputs.fuel; 4];
        self.discarded = [0; 4];
        self.dry = 0;
        self.covered = 0;
        for lane in 0..4 {
            self.covered |= u8::from(self.inputs.covered.get(first + lane).copied().unwrap_or(false)) << lane;
        }
        self.region(self.function.body, 0xf, None);
        for lane in 0..4 {
            self.results.covered[first + lane] = self.covered >> lane & 1 != 0;
            self.results.out_of_fuel[first + lane] = self.dry >> lane & 1 != 0;
        }
    }

    fn copy(&mut self, from: &[Id], to: impl IntoIterator<Item = Id>, set: Lanes) {
        for (&from, to) in from.iter().zip(to) {
            let words = self.values[from as usize];
            for lane in lanes(set) {
                self.values[to as usize][lane] = words[lane];
            }
        }
    }

    /// Runs a region in the lanes of a set that is not empty; gives those that reach its end. Nesting is bounded by the
    /// verifier of the IR.
    fn region(&mut self, region: RegionNumber, start: Lanes, owner: Option<OpNumber>) -> Lanes {
        let function = self.function;
        let mut exec = start;
        for &number in &function.regions[region as usize].ops {
            let op = &function.ops[number as usize];
            let at = number as usize;
            let (args, inner) = (function.args(op), op.regions().start);
            match op.kind {
                Kind::Ir(OpKind::If) => {
                    self.copy(function.initial(op), op.results(), 0xf);
                    let pred = self.values[args[0] as usize];
                    let taken = lanes(exec).fold(0, |set, lane| set | (pred[lane] as u8 & 1) << lane);
                    let mut end = 0;
                    for (arm, set) in [(inner, taken), (inner + 1, exec & !taken)] {
                        if set != 0 {
                            end |= self.region(arm, set, Some(number));
                        }
                    }
                    exec = end;
                }
                Kind::Ir(OpKind::Block) => {
                    self.copy(function.initial(op), op.results(), 0xf);
                    self.joined[at] = 0;
                    let end = self.region(inner, exec, Some(number));
                    exec = end | self.joined[at];
                }
                Kind::Ir(OpKind::Loop) => {
                    self.copy(function.initial(op), op.results(), 0xf);
                    let params = &function.regions[inner as usize].params;
                    self.copy(args, params.iter().copied(), 0xf);
                    self.joined[at] = 0;
                    self.pending[at] = vec![[0; 4]; params.len()];
                    let mut set = exec;
                    while set != 0 {
                        self.next[at] = 0;
                        self.region(inner, set, Some(number));
                        set = self.next[at];
                        for (n, &param) in params.iter().enumerate() {
                            for lane in lanes(set) {
                                self.values[param as usize][lane] = self.pending[at][n][lane];
                            }
                        }
                    }
                    exec = self.joined[at];
                }
                Kind::Ir(OpKind::Yield) => {
                    if let Some(owner) = owner {
                        self.copy(args, function.ops[owner as usize].results(), exec);
                    }
                    return exec;
                }
                Kind::Ir(OpKind::Break(target)) => {
                    self.copy(args, function.ops[target.index()].results(), exec);
                    self.joined[target.index()] |= exec;
                    return 0;
                }
                Kind::Ir(OpKind::Continue(target)) => {
                    let target = target.index();
                    for lane in lanes(exec) {
                        match self.fuel[lane].checked_sub(1) {
                            None => {
                                self.dry |= 1 << lane;
                                self.joined[target] |= 1 << lane;
                            }
                            Some(left) => {
                                self.fuel[lane] = left;
                                self.next[target] |= 1 << lane;
                                for (n, &arg) in args.iter().enumerate() {
                                    self.pending[target][n][lane] = self.values[arg as usize][lane];
                                }
                            }
                        }
                    }
                    return 0;
                }
                kind => self.plain(kind, number, exec),
            }
            if exec == 0 {
                return 0;
            }
        }
        exec
    }

    /// An op that holds no region and ends none.
    fn plain(&mut self, kind: Kind, number: OpNumber, exec: Lanes) {
        let function = self.function;
        let op = &function.ops[number as usize];
        let args = function.args(op);
        let arg = |n: usize, lane: usize| self.values[args[n] as usize][lane];
        let out = op.results().next();
        let words: [u64; 4] = match kind {
            Kind::Step(inst) => std::array::from_fn(|lane| {
                let mut words = [0; MAX_ARGS];
                for (n, word) in words.iter_mut().enumerate().take(args.len()) {
                    *word = arg(n, lane);
                }
                eval(&inst, words, self.nans)
            }),
            Kind::Call(call) => {
                let call = &function.calls[call as usize];
                std::array::from_fn(|lane| {
                    let words: Vec<u64> = (0..args.len()).map(|n| arg(n, lane)).collect();
                    parallax_num::eval(call.op, &call.rule, &words)
                })
            }
            Kind::Redo(call) => {
                let call = &function.calls[call as usize];
                let words = std::array::from_fn(|lane| {
                    if arg(0, lane) & 1 == 0 {
                        return arg(1, lane);
                    }
                    let words: Vec<u64> = (2..args.len()).map(|n| arg(n, lane)).collect();
                    parallax_num::eval(call.op, &call.rule, &words)
                });
                let redone = (0..4).filter(|&lane| arg(0, lane) & 1 != 0).count();
                self.results.redone += redone as u64;
                words
            }
            Kind::Ir(kind) => return self.other(kind, number, exec),
        };
        if let Some(out) = out {
            self.values[out as usize] = words;
        }
    }

    /// An op of the IR.
    fn other(&mut self, kind: OpKind, number: OpNumber, exec: Lanes) {
        let op = &self.function.ops[number as usize];
        let args = self.function.args(op);
        let (inputs, first, total) = (self.inputs, self.first, self.inputs.lanes);
        let row = |n: usize| self.values[args[n] as usize];
        let attr = |index: usize, comp: u8, lane: usize| {
            inputs.attrs.get((index * 4 + usize::from(comp)) * total + first + lane).copied().unwrap_or(0)
        };
        let place = |index: u16, comp: u8, lane: usize, place: InterpolateAt| {
            let at = inputs.interpolator.at(usize::from(index), usize::from(comp), first + lane, place);
            at.unwrap_or_else(|| attr(usize::from(index), comp, lane))
        };
        let each = |word: &dyn Fn(usize) -> u32| -> [u64; 4] { std::array::from_fn(|lane| u64::from(word(lane))) };
        let bank = |bank: u16| inputs.banks.get(usize::from(bank)).copied().unwrap_or(&[]);
        let words = match kind {
            OpKind::Const { bank: number, index, comp } => {
                each(&|_| bank(number).get(index as usize).map_or(0, |v| v[usize::from(comp)]))
            }
            OpKind::ConstAt { bank: number, base, comp } => {
                let index = row(0);
                each(&|lane| {
                    let at = i64::from(base) + i64::from(index[lane] as u32 as i32);
                    let vector = usize::try_from(at).ok().and_then(|at| bank(number).get(at));
                    vector.map_or(0, |v| v[usize::from(comp)])
                })
            }
            OpKind::Attr { index, comp } => each(&|lane| attr(usize::from(index), comp, lane)),
            OpKind::AttrAt { base, comp } => {
                let index = row(0);
                let count = self.function.attrs as usize;
                each(&|lane| {
                    let at = i64::from(base) + i64::from(index[lane] as u32 as i32);
                    usize::try_from(at).ok().filter(|&at| at < count).map_or(0, |at| attr(at, comp, lane))
                })
            }
            OpKind::AttrSample { index, comp } => {
                let sample = row(0);
                each(&|lane| place(index, comp, lane, InterpolateAt::Sample(sample[lane] as u32)))
            }
            OpKind::AttrOffset { index, comp } => {
                let (x, y) = (row(0), row(1));
                each(&|lane| place(index, comp, lane, InterpolateAt::Offset([x[lane] as u32, y[lane] as u32])))
            }
            OpKind::AttrCentroid { index, comp } => each(&|lane| place(index, comp, lane, InterpolateAt::Centroid)),
            OpKind::SamplePosition { axis } => {
                let (number, positions) = (row(0), inputs.interpolator.positions());
                let axis = usize::from(axis == Axis::Y);
                each(&|lane| positions.get(number[lane] as u32 as usize).map_or(0, |p| i32::from(p[axis]) as u32))
            }
            OpKind::Sys(SysVal::HelperLane) => {
                each(&|lane| if inputs.covered.get(first + lane).copied().unwrap_or(false) { 0 } else { u32::MAX })
            }
            OpKind::Sys(SysVal::QuadLane) => [0, 1, 2, 3],
            OpKind::Sys(value) => each(&|lane| self.sys(value, lane).unwrap_or(0)),
            OpKind::QuadXor { mask } => {
                let v = row(0);
                std::array::from_fn(|lane| v[(lane ^ usize::from(mask)) & 3])
            }
            OpKind::QuadShuffle => {
                let (v, index) = (row(0), row(1));
                std::array::from_fn(|lane| v[(index[lane] & 3) as usize])
            }
            OpKind::QuadAny => {
                let v = row(0);
                [u64::from(lanes(exec).any(|lane| v[lane] & 1 != 0)); 4]
            }
            OpKind::QuadAll => {
                let v = row(0);
                [u64::from(lanes(exec).all(|lane| v[lane] & 1 != 0)); 4]
            }
            OpKind::ArrayLoad(array) => {
                let index = row(0);
                let array = &self.arrays[array.index()];
                std::array::from_fn(|lane| array.get(index[lane] as u32 as usize).map_or(0, |words| words[lane]))
            }
            OpKind::BufferLoad { buffer } => {
                let address = row(0);
                each(&|lane| self.memory.load(buffer, address[lane] as u32))
            }
            OpKind::BufferSize { buffer } => each(&|_| self.memory.size(buffer)),
            OpKind::Tex(tex) => {
                let rows: Vec<[u32; 4]> = (0..args.len()).map(|n| row(n).map(|word| word as u32)).collect();
                let lookup = TexRows::of(&tex, |n| rows.get(n).map_or(&[], |row| &row[..]));
                let texels = inputs.textures.sample(&tex, &lookup.quad(0));
                for (comp, out) in op.results().enumerate() {
                    self.values[out as usize] = std::array::from_fn(|lane| u64::from(texels[lane][comp]));
                }
                return;
            }
            state => return self.state(state, number, exec),
        };
        if let Some(out) = op.results().next() {
            self.values[out as usize] = words;
        }
    }

    fn sys(&self, value: SysVal, lane: usize) -> Option<u32> {
        self.inputs.sysvals.get(value as usize * self.inputs.lanes + self.first + lane).copied()
    }

    /// Samples that a lane shades.
    fn shaded(&self, lane: usize) -> u32 {
        match self.sys(SysVal::SampleShading, lane) {
            None => u32::from(self.inputs.covered.get(self.first + lane).copied().unwrap_or(false)),
            Some(0) => self.sys(SysVal::SampleMask, lane).unwrap_or(0),
            Some(_) => 1,
        }
    }

    /// An op that changes what is outside of values.
    fn state(&mut self, kind: OpKind, number: OpNumber, exec: Lanes) {
        let op = &self.function.ops[number as usize];
        let row = |n: usize| self.function.args(op).get(n).map_or([0; 4], |&arg| self.values[arg as usize]);
        let (a, b, c) = (row(0), row(1), row(2));
        match kind {
            OpKind::ArrayStore(array) => {
                for lane in lanes(exec) {
                    if let Some(words) = self.arrays[array.index()].get_mut(a[lane] as u32 as usize) {
                        words[lane] = b[lane];
                    }
                }
            }
            OpKind::BufferStore { buffer } => {
                for lane in lanes(exec & self.covered) {
                    self.memory.store(buffer, a[lane] as u32, b[lane] as u32);
                }
            }
            OpKind::Atomic { op: atomic, buffer } => {
                let mut old = [0; 4];
                let second = if atomic == AtomicOp::CompareExchange { c } else { [0; 4] };
                for lane in lanes(exec & self.covered) {
                    let word = self.memory.atomic(atomic, buffer, a[lane] as u32, b[lane] as u32, second[lane] as u32);
                    old[lane] = u64::from(word);
                }
                if let Some(out) = op.results().next() {
                    self.values[out as usize] = old;
                }
            }
            OpKind::Out { index, comp } => {
                let bits = self.function.outputs.get(usize::from(index)).and_then(|o| o[usize::from(comp)]);
                let mask = bits.map_or(0, |ty| u64::MAX >> (64 - ty.bits.clamp(1, 64)));
                let plane = &mut self.results.planes[usize::from(index) * 4 + usize::from(comp)];
                for lane in lanes(exec) {
                    if let Some(word) = plane.get_mut(self.first + lane) {
                        *word = a[lane] & mask;
                    }
                }
            }
            OpKind::Discard => {
                for lane in lanes(exec).filter(|&lane| a[lane] & 1 != 0) {
                    self.covered &= !(1 << lane);
                }
            }
            OpKind::DiscardSamples => {
                for lane in lanes(exec) {
                    let left = self.shaded(lane) & !self.discarded[lane];
                    self.discarded[lane] |= a[lane] as u32;
                    if left != 0 && left & !self.discarded[lane] == 0 {
                        self.covered &= !(1 << lane);
                    }
                }
            }
            _ => {}
        }
    }
}
