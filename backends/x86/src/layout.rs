//! The memory that code works on: one arena, addressed from one register.
//!
//! Lines are as long as a vector register. Registers are saved in it when the code calls out, so that the host finds every
//! operand there.
//!
//! What is the same in all lanes is one word at the level of AVX-512, whose instructions read it for all lanes, and a line
//! full of it at that of AVX2.

use crate::arena::{half, set_uniform, set_word};
use crate::gather::{self, Array, Read};
use crate::level::Level;
use crate::lines::LINES;
use crate::lookup::{self, Lookup};
use crate::memory;
use parallax_core::OpKind;
use parallax_lane::{Allocation, Class, Function, Op, Reg, SiteKind, Source};
use parallax_step::{Direction, Mode, Ty};
use rustc_hash::FxHashMap;

/// Saved vector registers, a line each.
pub(crate) const VECTORS: usize = 0;
/// Saved mask registers, 8 bytes each.
pub(crate) const MASKS: usize = 2048;
/// Constants of 64 bits that patterns use.
pub(crate) const SIGN64: usize = 2112;
pub(crate) const MAGNITUDE64: usize = 2120;
pub(crate) const QUIET64: usize = 2128;
pub(crate) const AMOUNT64: usize = 2136;
pub(crate) const LANE64: usize = 2144;
pub(crate) const ONE64: usize = 2152;
/// Stays zero.
pub(crate) const ZERO: usize = 2160;
/// Constants of 32 bits that patterns use.
pub(crate) const SIGN32: usize = 2176;
pub(crate) const MAGNITUDE32: usize = 2180;
pub(crate) const QUIET32: usize = 2184;
pub(crate) const AMOUNT32: usize = 2188;
pub(crate) const ONE32: usize = 2192;
pub(crate) const MINUS_ONE32: usize = 2196;
/// Control words of the processor for each [`Mode`]: all exceptions masked.
const CONTROLS: usize = 2200;
/// Where the turns of a whole workgroup go on.
pub(crate) const RESUME: usize = 2232;
/// 0, 1, 2, 3 in each quad; 0, 0, 0, 0, 4, 4, 4, 4 in 64 bits.
pub(crate) const QUAD_LANE: usize = 2240;
pub(crate) const QUAD_FIRST64: usize = 2304;
/// The host's callback and what it is given.
pub(crate) const HOST: usize = 2368;
pub(crate) const HELPER: usize = 2376;
/// Lanes to run, and the first lane of the block that calls out.
pub(crate) const LANES: usize = 2384;
pub(crate) const LANE: usize = 2392;
/// Control words of the processor: the host's, and the one in force when the code calls out.
pub(crate) const CONTROL_HOST: usize = 2448;
pub(crate) const CONTROL_SITE: usize = 2460;
/// Back edges a lane may take.
pub(crate) const FUEL_START: usize = 2464;
/// Back edges that were left to all lanes of a workgroup where its turns went on.
pub(crate) const FUEL_OF_GROUP: usize = 2468;
/// How the code is run: [`TO_ROWS`], [`PLACED`], [`STARTED`].
pub(crate) const FLAGS: usize = 2472;
/// Where the x of the lanes' pixels are.
pub(crate) const XS: usize = 2480;
/// Where the frames of turns are, and where they end: code whose lanes take turns does not count them.
pub(crate) const FRAMES: usize = 2488;
pub(crate) const FRAMES_END: usize = LANES;
/// Back edges left to each lane of the block.
pub(crate) const FUEL: usize = 2496;
/// A bit for each lane: lanes covered at the start, lanes covered, lanes out of fuel.
pub(crate) const COVERED_AT_START: usize = 2560;
pub(crate) const COVERED: usize = 2688;
pub(crate) const DRY: usize = 2816;
/// Numbers of the upper pairs of lanes of quads, then of the lower ones, in 64 bits.
pub(crate) const ROWS_OF_PAIRS: usize = 2944;
/// The number of each lane, 32 bits.
pub(crate) const LANE_NUMBERS: usize = 3008;
/// The y of the pixels of quads, 32 bits.
pub(crate) const YS: usize = 3072;
/// Where the tables of [`parallax_step::Table`] are.
pub(crate) const TABLES: usize = 3136;
/// Where what differs from level to level begins: the lines that patterns of AVX2 read, then what differs from shader to
/// shader.
pub(crate) const FIXED: usize = (TABLES + 8 * parallax_step::Table::ALL.len()).next_multiple_of(64);

/// Results go to rows of pixels.
pub(crate) const TO_ROWS: u8 = 1;
/// Attributes are computed from where pixels are; else they are rows.
pub(crate) const PLACED: u8 = 2;
/// What the prologue keeps is there.
pub(crate) const STARTED: u8 = 4;
/// The lanes of each block are neighbours along x of one row of a workgroup: for the host.
pub(crate) const ROWS: u8 = 8;

/// Of a frame: where the turn goes on (0: at the start, [`ENDED`]: nowhere, else behind a stop, by its number and one), the
/// first lane of its block, a bit for each lane that runs, and for each that waits where the turn stopped.
pub(crate) const FRAME_NEXT: usize = 0;
pub(crate) const FRAME_LANE: usize = 8;
pub(crate) const FRAME_LANES: usize = 16;
pub(crate) const FRAME_WAITING: usize = 24;
/// Back edges left to all lanes, where they have as many; else those left to each.
pub(crate) const FRAME_FUEL_UNIFORM: usize = 32;
pub(crate) const FRAME_FUEL: usize = 64;
/// What stands in [`FRAME_NEXT`] at the end.
pub(crate) const ENDED: u32 = u32::MAX;

/// Most lanes of one run.
pub(crate) const MOST_LANES: usize = 1024;
/// Most lanes of a block.
pub(crate) const MOST_LANES_OF_BLOCK: usize = 16;

/// Where the control word of a state is.
pub(crate) const fn control(mode: Mode) -> usize {
    CONTROLS + 4 * mode.word() as usize
}

/// The control word of a state: all exceptions masked.
fn control_word(mode: Mode) -> u32 {
    let direction = match mode.direction {
        Direction::Nearest => 0,
        Direction::Down => 1,
        Direction::Up => 2,
        Direction::Zero => 3,
    };
    0x1f80 | direction << 13 | u32::from(mode.flush) << 15
}

/// Where a value is when the host looks for it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum At {
    /// A line: 32 or 64 bits for each lane.
    Line(usize),
    /// 32 bits for all lanes.
    Word(usize),
    /// 64 bits for all lanes.
    Double(usize),
    /// A bit for each lane.
    Mask(usize),
}

/// Offsets of a shader's own part, in bytes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Layout {
    pub(crate) level: Level,
    /// Pointers to attribute planes, to system values, to output planes.
    pub(crate) attributes: usize,
    /// Of each attribute plane a0, dadx and dady, where code computes attributes.
    pub(crate) planes: usize,
    pub(crate) systems: usize,
    pub(crate) outputs: usize,
    /// Where results go to rows of pixels: pointers to the lower ones; output planes point to the upper ones.
    pub(crate) lower: usize,
    pub(crate) fills_rows: bool,
    /// Whether lanes can lose their coverage.
    pub(crate) discards: bool,
    /// Constants, in the order of the registers that stand for them.
    constants: Vec<(Source, usize)>,
    /// Words of constant banks.
    pub(crate) uniforms: usize,
    /// What the prologue keeps.
    pub(crate) kept_vectors: usize,
    pub(crate) kept_masks: usize,
    /// Slots of registers that found no room.
    pub(crate) slots: usize,
    pub(crate) mask_slots: usize,
    /// Local arrays: first element, and how many there are; an element is a line, or two.
    pub(crate) arrays: Vec<(usize, u32)>,
    /// Where they all end.
    arrays_end: usize,
    /// Tables of reads at computed places, by site; see [`crate::gather`].
    pub(crate) tables: FxHashMap<u32, (usize, Read)>,
    /// Where the words of buffers are, by buffer; see [`crate::memory`].
    pub(crate) buffers: FxHashMap<u16, usize>,
    /// What turns keep while others run.
    pub(crate) frame: Frame,
    /// What is known of the images of lookups that code does itself, by site; see [`crate::lookup`].
    pub(crate) lookups: FxHashMap<u32, Lookup>,
    /// The registers that anybody reads, where there are such lookups: most shaders do not read all components.
    is_read: Vec<bool>,
    /// What a lookup keeps on its way.
    pub(crate) scratch: usize,
    /// Bytes in all.
    pub(crate) size: usize,
}

impl Layout {
    /// Room for so many interleaved blocks.
    pub(crate) fn new(
        level: Level,
        function: &Function,
        prologue: &Allocation,
        body: &Allocation,
        blocks: usize,
    ) -> Layout {
        let (line, mut at) = match level {
            Level::Avx2 => (level.line(), FIXED + LINES.len() * level.line()),
            Level::Avx512 => (level.line(), FIXED),
        };
        let (single, double) = (uniform(level, 4), uniform(level, 8));
        let mut take = |bytes: usize, align: usize| {
            let start = at.next_multiple_of(align);
            at = start + bytes;
            start
        };
        let attributes = take(function.attributes as usize * 8, 64);
        let planes = take(function.attributes as usize * 3 * single, single);
        let systems = take(parallax_core::SysVal::ALL.len() * 8, 8);
        let outputs = take(function.outputs.len() * 8, 8);
        let fills_rows = fills_rows(function);
        let lower = take(if fills_rows { function.outputs.len() * 8 } else { 0 }, 8);
        let mut constants = Vec::new();
        for data in &function.regs {
            let (bytes, source) = match data.source {
                Some(source @ Source::Bits32(_)) => (single, source),
                Some(source @ Source::Bits64(_)) => (double, source),
                _ => continue,
            };
            constants.push((source, take(bytes, bytes)));
        }
        let uniforms = take(function.uniforms.len() * single, single);
        let most = |of: fn(&Allocation) -> u32| (of(prologue) as usize).max(of(body) as usize * blocks);
        let kept_vectors = take(function.kept.0 as usize * line, 64);
        let kept_masks = take(function.kept.1 as usize * if level == Level::Avx2 { line } else { 8 }, 64);
        let slots = take(most(|a| a.slots.0) * line, 64);
        let mask_slots = take(most(|a| a.slots.1) * 8, 64);
        // One element more: what is not to be stored goes there.
        let room = |ty: Ty, len: u32| (len as usize + 1) * element(level, ty);
        let arrays: Vec<(usize, u32)> =
            function.arrays.iter().map(|&(ty, len)| (take(room(ty, len), 64), len)).collect();
        let arrays_end = take(0, 8);
        let reads = function.sites.iter().enumerate().filter_map(|(n, site)| Some((n as u32, Read::of(site)?)));
        let tables = reads.map(|(site, read)| (site, (take(gather::SIZE, 16), read))).collect();
        let buffers = function.sites.iter().filter_map(memory::buffer);
        let mut buffers: Vec<u16> = buffers.collect();
        buffers.sort_unstable();
        buffers.dedup();
        let buffers = buffers.into_iter().map(|buffer| (buffer, take(memory::SIZE, 8))).collect();
        let has_lookups = function.sites.iter().any(|site| site.lookup().is_some());
        let mut is_read = vec![false; if has_lookups { function.regs.len() } else { 0 }];
        let mut lookups = FxHashMap::default();
        if has_lookups {
            for stream in [&function.prologue, &function.body] {
                for &reg in stream.code.iter().flat_map(|inst| stream.uses(inst)) {
                    is_read[reg as usize] = true;
                }
            }
            for stream in [&function.prologue, &function.body] {
                for inst in &stream.code {
                    let Op::Call(site) = inst.op else { continue };
                    if function.sites[site as usize].lookup().is_some() {
                        let mut read = (0..).zip(stream.defs(inst)).filter(|&(_, &reg)| is_read[reg as usize]);
                        let only = read.next().filter(|_| read.next().is_none()).map(|(comp, _)| comp);
                        lookups.insert(site, Lookup { image: take(lookup::size(level), 64), only });
                    }
                }
            }
        }
        let scratch = take(if lookups.is_empty() { 0 } else { lookup::SCRATCH * blocks }, 64);
        let size = at.next_multiple_of(64);
        let array_bytes = arrays_end - arrays.first().map_or(arrays_end, |&(start, _)| start);
        Layout {
            level,
            attributes,
            planes,
            systems,
            outputs,
            lower,
            fills_rows,
            discards: function.body.code.iter().any(|inst| inst.op == Op::Discard),
            constants,
            uniforms,
            kept_vectors,
            kept_masks,
            slots,
            mask_slots,
            arrays,
            arrays_end,
            tables,
            buffers,
            frame: Frame::new(level, function, body, array_bytes),
            lookups,
            is_read,
            scratch,
            size,
        }
    }

    /// Where the local arrays begin, if there are any, and how many words of 64 bits they take.
    pub(crate) fn words_of_arrays(&self) -> Option<(usize, usize)> {
        let start = self.arrays.first()?.0;
        Some((start, (self.arrays_end - start) / 8))
    }

    /// The array of a number.
    pub(crate) fn array(&self, number: usize) -> Array {
        let (start, len) = self.arrays[number];
        Array { start, len }
    }

    /// Whether anybody reads a component of a lookup's result.
    pub(crate) fn is_read(&self, component: Option<&Reg>) -> bool {
        component.is_some_and(|&reg| self.is_read.get(reg as usize).is_none_or(|&is_read| is_read))
    }

    /// Where constants are, in the order of the registers that stand for them.
    pub(crate) fn constants(&self) -> impl Iterator<Item = usize> {
        self.constants.iter().map(|&(_, at)| at)
    }

    /// Where a coefficient of an attribute plane stands: 0 a0, 1 dadx, 2 dady.
    pub(crate) fn coefficient(&self, plane: usize, number: usize) -> usize {
        self.planes + uniform(self.level, 4) * (3 * plane + number)
    }

    /// Where something is that never changes and is no constant.
    pub(crate) fn source(&self, source: Source) -> At {
        match source {
            // A constant is where its register says.
            Source::Bits32(_) | Source::Bits64(_) => At::Double(ONE64),
            Source::Uniform(n) => At::Word(self.uniforms + uniform(self.level, 4) * n as usize),
            Source::KeptVector(n) => At::Line(self.kept_vectors + self.level.line() * n as usize),
            Source::KeptMask(n) if self.level == Level::Avx2 => {
                At::Line(self.kept_masks + self.level.line() * n as usize)
            }
            Source::KeptMask(n) => At::Mask(self.kept_masks + 8 * n as usize),
            Source::QuadLane => At::Line(QUAD_LANE),
            Source::PixelY => At::Line(YS),
        }
    }

    /// An arena with what never changes filled in, in words of 64 bits.
    pub(crate) fn fill(&self, arena: &mut [u64]) {
        let sign = 1u64 << 63;
        for (at, word) in
            [(SIGN64, sign), (MAGNITUDE64, !sign), (QUIET64, 1 << 51), (AMOUNT64, 63), (LANE64, 3), (ONE64, 1)]
        {
            arena[at / 8] = word;
        }
        for (at, word) in [
            (SIGN32, 1 << 31),
            (MAGNITUDE32, u32::MAX >> 1),
            (QUIET32, 1 << 22),
            (AMOUNT32, 31),
            (ONE32, 1),
            (MINUS_ONE32, u32::MAX),
        ] {
            set_word(arena, at, word);
        }
        for mode in (0..8).filter_map(Mode::from_word) {
            set_word(arena, control(mode), control_word(mode));
        }
        for lane in 0..16 {
            set_word(arena, QUAD_LANE + 4 * lane, lane as u32 & 3);
            set_word(arena, LANE_NUMBERS + 4 * lane, lane as u32);
        }
        for lane in 0..8 {
            arena[QUAD_FIRST64 / 8 + lane] = lane as u64 & 4;
            arena[ROWS_OF_PAIRS / 8 + lane] = lane as u64 % 4 * 2 + lane as u64 / 4;
        }
        for (n, table) in parallax_step::Table::ALL.iter().enumerate() {
            arena[TABLES / 8 + n] = table.rows().as_ptr().expose_provenance() as u64;
        }
        if self.level == Level::Avx2 {
            for (to, line) in arena[FIXED / 8..].as_chunks_mut::<4>().0.iter_mut().zip(LINES) {
                *to = *line;
            }
        }
        for &(source, at) in &self.constants {
            match source {
                Source::Bits32(bits) => set_uniform(self.level, arena, at, bits),
                Source::Bits64(bits) => arena[at / 8..][..uniform(self.level, 8) / 8].fill(bits),
                _ => {}
            }
        }
    }
}

/// What a frame consists of besides its head: offsets in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    /// Registers that come back from it: where they are, and whether they are brought there where they are set.
    pub(crate) framed: FxHashMap<Reg, (usize, bool)>,
    /// What is exchanged: a line for each operand, then for each result.
    pub(crate) exchange: usize,
    /// Local arrays.
    pub(crate) arrays: usize,
    /// Bytes in all.
    pub(crate) size: usize,
}

impl Frame {
    fn new(level: Level, function: &Function, body: &Allocation, array_bytes: usize) -> Frame {
        let has_fuel = function.body.code.iter().any(|inst| matches!(inst.op, Op::Fuel(_)));
        let mut end = FRAME_FUEL + if has_fuel { 64 } else { 0 };
        let mut framed = FxHashMap::default();
        // Vectors first: they are lines.
        for wants_bits in [false, true] {
            for &(reg, is_set_once) in &body.framed {
                if is_bits(level, function, reg) == wants_bits {
                    framed.insert(reg, (end, is_set_once));
                    end += if wants_bits { 8 } else { level.line() };
                }
            }
        }
        let exchange = end.next_multiple_of(64);
        let exchanges = function.body.code.iter().filter(|inst| matches!(inst.op, Op::Exchange(..)));
        let lines = exchanges.map(|inst| (function.body.uses(inst).len() - 1).max(function.body.defs(inst).len()));
        let arrays = exchange + lines.max().unwrap_or(0) * level.line();
        let size = if body.kept.is_empty() { FRAME_FUEL } else { (arrays + array_bytes).next_multiple_of(64) };
        Frame { framed, exchange, arrays, size }
    }
}

/// Whether a value is a bit for each lane.
pub(crate) fn is_bits(level: Level, function: &Function, reg: Reg) -> bool {
    level == Level::Avx512 && function.regs[reg as usize].class == Class::Mask
}

/// Whether results can go right to the rows of pixels: every plane is written once, 32 bits wide, by all lanes, when coverage is
/// settled.
pub(crate) fn fills_rows(function: &Function) -> bool {
    let mut written = vec![false; function.outputs.len()];
    for inst in &function.body.code {
        match inst.op {
            Op::Out { plane, bits: 17..=32, ty: Ty::F32 | Ty::I32, masked: false }
                if !std::mem::replace(&mut written[plane as usize], true) => {}
            Op::Out { .. } => return false,
            Op::Discard if written.contains(&true) => return false,
            // The host takes samples away.
            Op::Call(site) if function.sites[site as usize].kind == SiteKind::Ir(OpKind::DiscardSamples) => {
                return false;
            }
            _ => {}
        }
    }
    !function.has_loops
        && function.turns.is_none()
        && written.iter().zip(&function.outputs).all(|(&written, output)| written == output.is_some())
}

/// Bytes that something takes that is the same so many bytes in all lanes.
fn uniform(level: Level, bytes: usize) -> usize {
    if level == Level::Avx2 { level.line() } else { bytes }
}

/// Bytes of an array element.
fn element(level: Level, ty: Ty) -> usize {
    if matches!(ty, Ty::F64 | Ty::I64) { 2 * level.line() } else { level.line() }
}

/// The bits of the lanes of a block, of those that start at an offset in bytes; the block starts with a lane of the run.
pub(crate) fn lanes(level: Level, arena: &[u64], at: usize, first: usize) -> u16 {
    half(arena, at + first / 8) & all(level)
}

/// Sets the bits of the lanes of a block.
pub(crate) fn set_lanes(level: Level, arena: &mut [u64], at: usize, first: usize, bits: u16) {
    let at = at + first / 8;
    let shift = at % 8 * 8;
    let old = &mut arena[at / 8];
    *old = *old & !(u64::from(all(level)) << shift) | u64::from(bits) << shift;
}

/// A bit for each lane of a block.
pub(crate) const fn all(level: Level) -> u16 {
    u16::MAX >> (MOST_LANES_OF_BLOCK - level.lanes())
}
