//! Textures, kills, depth.

use super::Ctx;
use crate::control_flow::Effects;
use crate::sem::Lookup;
use crate::{instr::Instr, limits};
use parallax_core::{ArrayId, OpKind, OutputRole, SysVal, TexMode, TexOp, TexTarget, Type, ValueId};
use parallax_lift::vector::Results;
use parallax_lift::{Deferred, Lifter, Options, VarId};
use parallax_num::{Decl, Op};
use smallvec::SmallVec;

/// Samples a pixel can have.
const SAMPLES: u32 = limits::SAMPLES as u32;

/// Depths of the samples: variables while the current sample is always the first, else an array.
#[derive(Copy, Clone, Debug)]
pub(super) enum Depths {
    Cells(VarId),
    Array(ArrayId),
}

/// What a program does to its pixel beyond registers.
#[derive(Copy, Clone, Debug)]
pub(super) struct Pixel {
    /// Killed samples, a bit each. `None` where only the first can be, and nobody asks.
    pub(super) killed: Option<VarId>,
    /// Whether kills can be of other samples than the first.
    by_sample: bool,
    /// The current sample. `None` where it is always the first.
    pub(super) sample: Option<VarId>,
    pub(super) depths: Depths,
}

impl Pixel {
    pub(super) fn new(l: &mut Lifter<'_>, effects: Effects, options: &Options) -> Pixel {
        let changes = effects.changes_sample;
        let by_sample = changes || effects.kills_sample;
        let depths = if changes {
            Depths::Array(l.add_array("z".into(), Type::F32, SAMPLES, false))
        } else {
            Depths::Cells(l.add_variables(SAMPLES))
        };
        let asked = by_sample || options.watch.iter().any(|name| name == "kill");
        let killed = asked.then(|| l.add_variables(1));
        Pixel { killed, by_sample, sample: changes.then(|| l.add_variables(1)), depths }
    }
}

impl Ctx<'_, '_> {
    /// What the guard allows an effect: everything, unless guards hold back effects too.
    fn effect_guard(&self) -> Option<ValueId> {
        if self.settings.full_predication { self.guard } else { None }
    }

    fn under_guard(&mut self, pred: ValueId) -> ValueId {
        match self.effect_guard() {
            Some(guard) => self.l.b.int(Op::Pand, &[guard, pred]),
            None => pred,
        }
    }

    // ---- textures ----

    pub(super) fn texture(&mut self, instr: &Instr, lookup: Lookup) {
        let unit = u16::from(instr.unit());
        let target = self.settings.targets[usize::from(unit) & 15];
        let (mode, project) = match lookup {
            Lookup::Plain => (TexMode::Implicit, false),
            Lookup::Bias => (TexMode::Bias, false),
            Lookup::Level => (TexMode::Level, false),
            Lookup::Project => (TexMode::Implicit, true),
        };
        let args: SmallVec<[ValueId; 4]> = (0..4).map(|lane| self.float(instr, 0, lane)).collect();
        self.lookup(instr, TexOp { project, ..TexOp::plain(unit, target, mode) }, &args);
    }

    /// An attribute is a row of elements: a one-dimensional texture that is read by number.
    pub(super) fn load_attribute(&mut self, instr: &Instr) {
        let unit = u16::from(instr.unit());
        let index = self.pattern(instr, 0, 0);
        let zero = self.l.b.i32(0);
        let op = TexOp::plain(unit, TexTarget::D1, TexMode::Fetch);
        self.lookup(instr, op, &[index, zero, zero, zero]);
    }

    fn lookup(&mut self, instr: &Instr, op: TexOp, args: &[ValueId]) {
        self.l.need_texture(op.unit, op.target);
        let slot = self.slot(instr.dst().saturate);
        let texel = self.l.b.tex(op, slot, args);
        self.write(&instr.dst(), texel.map(|value| Some(value.into())));
    }

    // ---- kills ----

    /// Whether any of some values is below zero; not so for -0 and NaN.
    fn any_below_zero(&mut self, vals: impl IntoIterator<Item = Deferred>) -> Option<ValueId> {
        let slot = self.l.plain(Decl::F32);
        let mut any = None;
        for val in vals {
            let value = self.l.force(val, Type::F32);
            let zero = self.literal(0);
            let below = self.l.b.num(Op::FLt, slot, &[value, zero]);
            any = Some(match any {
                None => below,
                Some(before) => self.l.b.int(Op::Por, &[before, below]),
            });
        }
        any
    }

    /// KIL and KLS.
    pub(super) fn kill(&mut self, instr: &Instr, sample: Option<u8>) {
        let mut seen = [false; 4];
        let mut vals: SmallVec<[Deferred; 4]> = SmallVec::new();
        for lane in 0..4 {
            let comp = usize::from(instr.source(0).swizzle[lane]);
            if !std::mem::replace(&mut seen[comp], true) {
                vals.push(self.float(instr, 0, lane).into());
            }
        }
        if let Some(pred) = self.any_below_zero(vals) {
            self.kill_where(pred, sample);
        }
    }

    /// CMPKIL.
    pub(super) fn kill_below(&mut self, vals: Results) {
        if let Some(pred) = self.any_below_zero(vals.into_iter().flatten()) {
            self.kill_where(pred, None);
        }
    }

    /// Kills a sample, or the current one.
    fn kill_where(&mut self, pred: ValueId, sample: Option<u8>) {
        let pred = self.under_guard(pred);
        let bit = match (sample, self.registers.pixel.sample) {
            (Some(sample), _) => self.l.b.i32(1u32.checked_shl(u32::from(sample)).unwrap_or(0)),
            (None, None) => self.l.b.i32(1),
            (None, Some(current)) => {
                // Behind the last sample there is nothing to kill; a shift alone would start again at the first.
                let (one, current) = (self.l.b.i32(1), self.l.read_bits(current));
                let (count, zero) = (self.l.b.i32(SAMPLES), self.l.b.i32(0));
                let exists = self.l.b.int(Op::Ult, &[current, count]);
                let bit = self.l.b.int(Op::Shl, &[one, current]);
                self.l.b.select(exists, bit, zero)
            }
        };
        // The pixel goes with the last of its covered samples.
        let zero = self.l.b.i32(0);
        let gone = self.l.b.select(pred, bit, zero);
        self.l.b.op(OpKind::DiscardSamples, None, &[gone], &[]);
        let Some(killed) = self.registers.pixel.killed else { return };
        let before = self.l.read_bits(killed);
        let after = self.l.b.int(Op::Ior, &[before, bit]);
        self.l.set_if(pred, killed, after);
    }

    // ---- samples and depth ----

    pub(super) fn next_sample(&mut self) {
        let Some(variable) = self.registers.pixel.sample else { return };
        let (value, one) = (self.l.read_bits(variable), self.l.b.i32(1));
        let next = self.l.b.int(Op::Iadd, &[value, one]);
        match self.effect_guard() {
            Some(guard) => self.l.set_if(guard, variable, next),
            None => self.l.set(variable, next),
        }
    }

    fn set_depth(&mut self, index: Option<ValueId>, n: u32, val: Deferred) {
        match (self.registers.pixel.depths, self.effect_guard()) {
            (Depths::Cells(first), None) => self.l.set(first.offset(n), val),
            (Depths::Cells(first), Some(guard)) => self.l.set_if(guard, first.offset(n), val),
            (Depths::Array(array), guard) => {
                let mut at = self.l.b.i32(n);
                if let Some(index) = index {
                    at = self.l.b.int(Op::Iadd, &[index, at]);
                }
                match guard {
                    None => self.l.store(array, at, val),
                    Some(guard) => {
                        let value = self.l.force(val, Type::F32);
                        self.l.begin_if(guard);
                        self.l.store(array, at, value);
                        self.l.end_if();
                    }
                }
            }
        }
    }

    pub(super) fn depth(&mut self, n: u32) -> Deferred {
        match self.registers.pixel.depths {
            Depths::Cells(first) => self.l.get(first.offset(n)),
            Depths::Array(array) => {
                let index = self.l.b.i32(n);
                self.l.load(array, index)
            }
        }
    }

    pub(super) fn export_depth(&mut self, instr: &Instr) {
        let val = self.float(instr, 0, 0);
        self.set_depth(None, 0, val.into());
    }

    pub(super) fn export_sample_depths(&mut self, instr: &Instr) {
        let index = self.registers.pixel.sample.map(|variable| {
            let current = self.l.read_bits(variable);
            if !self.settings.sim {
                return current;
            }
            // The simulator divides the sample number by four.
            let two = self.l.b.i32(2);
            self.l.b.int(Op::Ushr, &[current, two])
        });
        let vals: SmallVec<[ValueId; 4]> = (0..4).map(|lane| self.float(instr, 0, lane)).collect();
        for (n, value) in vals.into_iter().enumerate() {
            self.set_depth(index, n as u32, value.into());
        }
    }

    /// At the end: coverage and depth.
    pub(super) fn finish_pixel(&mut self) {
        if let Some(variable) = self.registers.pixel.killed.filter(|_| self.registers.pixel.by_sample) {
            let killed = self.l.read_bits(variable);
            let killed = self.of_pixel(killed);
            let covered = self.l.b.read_bits(OpKind::Sys(SysVal::SampleMask), &[]);
            let spared = self.l.b.int(Op::Inot, &[killed]);
            let alive = self.l.b.int(Op::Iand, &[covered, spared]);
            self.l.output("samples", OutputRole::SampleMask, [Some(alive.into()), None, None, None], Type::I32);
        }
        let Effects { exports_depth, exports_depths, .. } = self.flow.effects;
        if exports_depth || exports_depths {
            let depth = self.depth(0);
            self.l.output("depth", OutputRole::Depth, [None, None, Some(depth), None], Type::F32);
        }
        if exports_depths {
            for n in 1..if self.registers.pixel.sample.is_some() { SAMPLES } else { 4 } {
                let depth = self.depth(n);
                let (name, role) = (format!("depth{n}"), OutputRole::SampleDepth(n as u16));
                self.l.output(&name, role, [None, None, Some(depth), None], Type::F32);
            }
        }
    }

    /// A set of samples of the lane as one of its pixel: a lane that shades a sample has that one alone, as its first.
    fn of_pixel(&mut self, samples: ValueId) -> ValueId {
        let [number, shaded] =
            [SysVal::SampleId, SysVal::SampleShading].map(|value| self.l.b.read_bits(OpKind::Sys(value), &[]));
        let (one, zero) = (self.l.b.i32(1), self.l.b.i32(0));
        let by_sample = self.l.b.int(Op::Ine, &[shaded, zero]);
        let first = self.l.b.int(Op::Iand, &[samples, one]);
        let own = self.l.b.int(Op::Shl, &[first, number]);
        self.l.b.select(by_sample, own, samples)
    }
}
