//! Which vector instructions there are.
//!
//! Loops over lanes are compiled several times: for every processor of the architecture, and for levels that newer ones
//! have. All give the same bits: what they are compiled from are exactly defined operations, and the compiler neither
//! contracts nor reorders them.

#[cfg(target_arch = "x86_64")]
mod x86;

/// A level of vector instructions that this machine has.
#[derive(Copy, Clone, Debug)]
pub enum Processor {
    /// What every processor of the architecture has.
    Baseline,
    /// x86-64-v3: 256 bits, fused multiply-add.
    #[cfg(target_arch = "x86_64")]
    V3(x86::V3),
    /// x86-64-v4: 512 bits, masks.
    #[cfg(target_arch = "x86_64")]
    V4(x86::V4),
}

impl Processor {
    /// The best level of this machine.
    pub fn best() -> Processor {
        #[cfg(target_arch = "x86_64")]
        {
            if let Some(token) = x86::V4::detect() {
                return Processor::V4(token);
            }
            if let Some(token) = x86::V3::detect() {
                return Processor::V3(token);
            }
        }
        Processor::Baseline
    }

    /// All levels of this machine, the lowest first.
    pub fn all() -> Vec<Processor> {
        #[cfg(target_arch = "x86_64")]
        let higher = [x86::V3::detect().map(Processor::V3), x86::V4::detect().map(Processor::V4)];
        #[cfg(not(target_arch = "x86_64"))]
        let higher: [Option<Processor>; 0] = [];
        std::iter::once(Processor::Baseline).chain(higher.into_iter().flatten()).collect()
    }

    /// Whether a fused multiply-add is one instruction.
    pub const fn fuses(self) -> bool {
        // Every aarch64 processor has it.
        cfg!(target_arch = "aarch64") || !matches!(self, Processor::Baseline)
    }

    /// Does a job with the instructions of the level; what is to be compiled for them has to be inlined into the job.
    #[inline(always)]
    pub fn run<R>(self, job: impl FnOnce() -> R) -> R {
        match self {
            Processor::Baseline => job(),
            #[cfg(target_arch = "x86_64")]
            Processor::V3(token) => token.run(job),
            #[cfg(target_arch = "x86_64")]
            Processor::V4(token) => token.run(job),
        }
    }

    /// Does one of two jobs with the instructions of the level: `fused` where a fused multiply-add is one instruction, else
    /// `split`. Only one of them is compiled for a level.
    #[inline(always)]
    pub fn run_with<T, R>(self, value: T, split: impl FnOnce(T) -> R, fused: impl FnOnce(T) -> R) -> R {
        match self {
            #[cfg(target_arch = "aarch64")]
            Processor::Baseline => {
                // Every processor fuses.
                let _ = split;
                fused(value)
            }
            #[cfg(not(target_arch = "aarch64"))]
            Processor::Baseline => split(value),
            #[cfg(target_arch = "x86_64")]
            Processor::V3(token) => token.run(
                #[inline(always)]
                || fused(value),
            ),
            #[cfg(target_arch = "x86_64")]
            Processor::V4(token) => token.run(
                #[inline(always)]
                || fused(value),
            ),
        }
    }
}
