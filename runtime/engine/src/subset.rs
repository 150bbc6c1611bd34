//! Some quads of a draw: enough to learn what decides its results, at a fraction of the time. And runs under observation.

use crate::compile::Compiled;
use parallax_core::backend::{Executable, Made, Runner};
use parallax_core::exec::{Inputs, InterpolateAt, Interpolator, Memory, Outputs, Plane, PlaneType};
use parallax_core::verify;
use parallax_interp::{Bytecode, Trace};
use parallax_text::Diag;
use std::fmt::{self, Debug};
use std::sync::{Arc, Mutex, PoisonError};

/// One quad of this many is run.
const EVERY: usize = 32;

impl Compiled {
    /// The same shader, of which a draw runs one quad in 32: which, depends on the draw alone. The others end
    /// uncovered.
    #[must_use]
    pub fn some_quads(self) -> Compiled {
        Compiled { program: Arc::new(Subset { program: Program::Whole(self.program), every: EVERY }), ..self }
    }

    /// The same quads of a shader, interpreted under observation; a draw must run it on one thread.
    ///
    /// # Errors
    /// The shader breaks the IR's rules: a bug.
    pub fn observed(self, trace: Arc<Mutex<dyn Trace + Send>>) -> Result<Compiled, Vec<Diag>> {
        self.observed_every(EVERY, trace)
    }

    /// The shader interpreted under observation, every quad of it; a draw must run it on one thread.
    ///
    /// # Errors
    /// The shader breaks the IR's rules: a bug.
    pub fn observed_whole(self, trace: Arc<Mutex<dyn Trace + Send>>) -> Result<Compiled, Vec<Diag>> {
        self.observed_every(1, trace)
    }

    fn observed_every(self, every: usize, trace: Arc<Mutex<dyn Trace + Send>>) -> Result<Compiled, Vec<Diag>> {
        let bytecode = Box::new(Bytecode::new(verify(&self.shader)?));
        Ok(Compiled { program: Arc::new(Subset { program: Program::Observed(bytecode, trace), every }), ..self })
    }
}

enum Program {
    Whole(Arc<dyn Executable>),
    Observed(Box<Bytecode>, Arc<Mutex<dyn Trace + Send>>),
}

/// Runs some quads of every batch.
struct Subset {
    program: Program,
    /// One quad of this many is run.
    every: usize,
}

impl Debug for Subset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Subset")
    }
}

impl Executable for Subset {
    fn planes(&self) -> Vec<Option<PlaneType>> {
        match &self.program {
            Program::Whole(program) => program.planes(),
            Program::Observed(bytecode, _) => bytecode.planes(),
        }
    }

    fn made(&self) -> Made {
        match &self.program {
            Program::Whole(program) => program.made(),
            Program::Observed(bytecode, _) => Executable::made(bytecode.as_ref()),
        }
    }

    fn writes_memory(&self) -> bool {
        match &self.program {
            Program::Whole(program) => program.writes_memory(),
            Program::Observed(bytecode, _) => bytecode.writes_memory(),
        }
    }

    fn runner(&self) -> Box<dyn Runner + '_> {
        let inner = match &self.program {
            Program::Whole(program) => Inner::Whole(program.runner()),
            Program::Observed(bytecode, trace) => Inner::Observed(bytecode, trace),
        };
        Box::new(SubsetRunner { inner, every: self.every, planes: self.planes(), outputs: Outputs::default() })
    }
}

enum Inner<'p> {
    Whole(Box<dyn Runner + 'p>),
    Observed(&'p Bytecode, &'p Mutex<dyn Trace + Send>),
}

struct SubsetRunner<'p> {
    inner: Inner<'p>,
    every: usize,
    planes: Vec<Option<PlaneType>>,
    outputs: Outputs,
}

/// The first quad of a batch that is run. Batches are alike, so it moves with what the batch reads.
fn first(inputs: &Inputs<'_>, every: usize) -> usize {
    let quads = inputs.lanes / 4;
    let words = inputs.attrs.iter().step_by(inputs.lanes.max(1)).chain(inputs.sysvals.first());
    // FNV-1a, a word at a time.
    let hash = words.fold(0xcbf2_9ce4_8422_2325u64, |h, w| (h ^ u64::from(*w)).wrapping_mul(0x0000_0100_0000_01b3));
    (hash >> 32) as usize % every.min(quads.max(1))
}

/// Knows lanes by their number in the whole batch.
struct Renumbered<'a> {
    inner: &'a dyn Interpolator,
    lanes: &'a [usize],
}

impl Interpolator for Renumbered<'_> {
    fn at(&self, attr: usize, comp: usize, lane: usize, place: InterpolateAt) -> Option<u32> {
        self.inner.at(attr, comp, *self.lanes.get(lane)?, place)
    }

    fn positions(&self) -> &[[i8; 2]] {
        self.inner.positions()
    }
}

impl Runner for SubsetRunner<'_> {
    fn run(&mut self, inputs: &Inputs<'_>, memory: Memory<'_>, outputs: &mut Outputs) {
        let lanes: Vec<usize> = (first(inputs, self.every)..inputs.lanes / 4)
            .step_by(self.every)
            .flat_map(|quad| quad * 4..quad * 4 + 4)
            .collect();
        let rows = |words: &[u32]| -> Vec<u32> {
            words.chunks_exact(inputs.lanes.max(1)).flat_map(|row| lanes.iter().map(|&lane| row[lane])).collect()
        };
        let (attrs, sysvals) = (rows(inputs.attrs), rows(inputs.sysvals));
        let covered: Vec<bool> = lanes.iter().map(|&lane| inputs.covered[lane]).collect();
        let interpolator = Renumbered { inner: inputs.interpolator, lanes: &lanes };
        let some = Inputs {
            lanes: lanes.len(),
            attrs: &attrs,
            sysvals: &sysvals,
            covered: &covered,
            interpolator: &interpolator,
            ..*inputs
        };
        match &mut self.inner {
            Inner::Whole(runner) => runner.run(&some, memory, &mut self.outputs),
            Inner::Observed(bytecode, trace) => {
                // A trace that panicked is not used again.
                let mut trace = trace.lock().unwrap_or_else(PoisonError::into_inner);
                bytecode.run_traced_in(&some, memory, &mut self.outputs, &mut *trace);
            }
        }
        outputs.planes.resize_with(self.planes.len(), Plane::default);
        for ((out, ty), found) in outputs.planes.iter_mut().zip(&self.planes).zip(&self.outputs.planes) {
            out.reset(ty.map_or(0, PlaneType::bits), if ty.is_some() { inputs.lanes } else { 0 });
            if ty.is_some() {
                let places = lanes.iter().zip(&self.outputs.covered).enumerate();
                let covered = places.filter(|(_, (_, covered))| **covered);
                out.as_mut().scatter(found, covered.map(|(n, (&lane, _))| (n, lane)));
            }
        }
        outputs.discarded.clear();
        outputs.discarded.resize(inputs.lanes, 0);
        lanes.iter().zip(&self.outputs.discarded).for_each(|(&lane, &mask)| outputs.discarded[lane] = mask);
        for (out, found) in
            [(&mut outputs.covered, &self.outputs.covered), (&mut outputs.out_of_fuel, &self.outputs.out_of_fuel)]
        {
            out.clear();
            out.resize(inputs.lanes, false);
            lanes.iter().zip(found).for_each(|(&lane, &found)| out[lane] = found);
        }
    }
}
