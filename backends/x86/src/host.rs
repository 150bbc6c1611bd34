//! What is done outside of the code.

use crate::arena;
use crate::emit::Found;
use crate::exchange;
use crate::layout::{self, At, MOST_LANES_OF_BLOCK as MOST};
use crate::level::Level;
use crate::memory;
use crate::program::Program;
use parallax_core::exec::{Inputs, InterpolateAt, Memory, TexRows};
use parallax_core::{Axis, OpKind, SysVal, TexOp};
use parallax_lane::{Site, SiteKind};
use parallax_step::Ty;

/// A word for each lane of a block; blocks may have fewer.
pub(crate) type Words = [u64; MOST];

/// Serves the calls of one run.
pub(crate) struct Host<'a, 'm> {
    pub(crate) program: &'a Program,
    pub(crate) inputs: &'a Inputs<'a>,
    pub(crate) memory: &'a mut Memory<'m>,
    /// Samples removed so far, of each lane of the batch.
    pub(crate) discarded: &'a mut [u32],
    /// Lane of the batch that the run starts with.
    pub(crate) first: usize,
    /// Of each operation what it was last computed of, and what came out: slow lanes are often alike.
    pub(crate) last: &'a mut [Last],
}

/// Most operands of an operation.
const MOST_OPERANDS: usize = 8;

/// Operands and result.
pub(crate) type Last = Option<([u64; MOST_OPERANDS], u64)>;

/// Most operands of a lookup: coordinates, layer, reference value, gradients.
const MOST_COORDINATES: usize = TexOp::MOST_OPERANDS;

fn is_wide(ty: Ty) -> bool {
    matches!(ty, Ty::F64 | Ty::I64)
}

/// Reads values in order: two places for each 64-bit one.
pub(crate) struct Reader<'a> {
    pub(crate) level: Level,
    pub(crate) arena: &'a [u64],
    pub(crate) places: std::slice::Iter<'a, At>,
}

impl Reader<'_> {
    fn place(&mut self) -> At {
        self.places.next().copied().unwrap_or(At::Word(layout::ONE32))
    }

    fn mask(&mut self) -> u16 {
        match self.place() {
            At::Line(at) => {
                let signs = (0..self.level.lanes()).map(|lane| arena::word(self.arena, at + 4 * lane) >> 31);
                signs.enumerate().fold(0, |bits, (lane, sign)| bits | (sign as u16) << lane)
            }
            At::Mask(at) | At::Word(at) | At::Double(at) => arena::half(self.arena, at),
        }
    }

    /// A 32-bit value.
    fn row(&mut self) -> [u32; MOST] {
        match self.place() {
            At::Line(at) => {
                let mut row = [0; MOST];
                let words = &self.arena[at / 8..][..self.level.lanes() / 2];
                for (two, &word) in row.as_chunks_mut::<2>().0.iter_mut().zip(words) {
                    *two = [word as u32, (word >> 32) as u32];
                }
                row
            }
            At::Word(at) | At::Double(at) | At::Mask(at) => [arena::word(self.arena, at); MOST],
        }
    }

    pub(crate) fn words(&mut self, ty: Ty) -> Words {
        if ty == Ty::Mask {
            let mask = self.mask();
            return std::array::from_fn(|lane| u64::from(mask >> lane & 1));
        }
        if !is_wide(ty) {
            return match self.place() {
                At::Line(at) => self.each(|lane| u64::from(arena::word(self.arena, at + 4 * lane))),
                At::Word(at) | At::Double(at) | At::Mask(at) => [u64::from(arena::word(self.arena, at)); MOST],
            };
        }
        let places = [self.place(), self.place()];
        let half = self.level.lanes() / 2;
        self.each(|lane| match places[lane / half] {
            At::Line(at) => self.arena[at / 8 + lane % half],
            At::Double(at) | At::Word(at) | At::Mask(at) => self.arena[at / 8],
        })
    }

    /// A word for each lane that there is.
    fn each(&self, word: impl Fn(usize) -> u64) -> Words {
        let mut words = [0; MOST];
        words.iter_mut().enumerate().take(self.level.lanes()).for_each(|(lane, to)| *to = word(lane));
        words
    }
}

/// Sets values in some lanes; gives how many places they took.
pub(crate) fn write(level: Level, arena: &mut [u64], ty: Ty, places: &[At], words: &Words, lanes: u16) -> usize {
    let half = level.lanes() / 2;
    let set = (0..level.lanes()).filter(|lane| lanes >> lane & 1 != 0);
    match (ty, places) {
        (Ty::Mask, [At::Mask(at), ..]) => {
            let bits = set.fold(0, |bits, lane| bits | (words[lane] as u16 & 1) << lane);
            let old = arena::half(arena, *at);
            arena::set_half(arena, *at, old & !lanes | bits);
            1
        }
        (Ty::F64 | Ty::I64, [At::Line(low), At::Line(high), ..]) => {
            set.for_each(|lane| arena[[low, high][lane / half] / 8 + lane % half] = words[lane]);
            2
        }
        (Ty::Mask, [At::Line(at), ..]) => {
            set.for_each(|lane| arena::set_word(arena, at + 4 * lane, 0u32.wrapping_sub(words[lane] as u32 & 1)));
            1
        }
        (_, [At::Line(at), ..]) => {
            set.for_each(|lane| arena::set_word(arena, at + 4 * lane, words[lane] as u32));
            1
        }
        _ => 1,
    }
}

fn each(word: impl Fn(usize) -> u32) -> Words {
    std::array::from_fn(|lane| u64::from(word(lane)))
}

impl Host<'_, '_> {
    /// The code calls out.
    pub(crate) fn call(&mut self, arena: &mut [u64], number: u32) {
        let program = self.program;
        let found = &program.sites[number as usize];
        // Blocks that are interleaved with the first one have numbers behind all of it.
        let sites = &program.function.sites;
        let (block, number) = (number as usize / sites.len(), number as usize % sites.len());
        arena[layout::LANE / 8] += (block * program.level.lanes()) as u64;
        let site = &sites[number];
        match site.kind {
            SiteKind::Redo(call) => self.evaluate(arena, call, site, found, true),
            SiteKind::Call(call) => self.evaluate(arena, call, site, found, false),
            SiteKind::Ir(kind) => self.op(arena, kind, site, found),
        }
    }

    /// An operation by the reference evaluation: in slow lanes, or in all.
    fn evaluate(&mut self, arena: &mut [u64], call: u32, site: &Site, found: &Found, slow: bool) {
        let last = &mut self.last[call as usize];
        let level = self.program.level;
        let call = &self.program.function.calls[call as usize];
        let mut reader = Reader { level, arena, places: found.uses.iter() };
        let lanes = if slow { reader.mask() } else { layout::all(level) };
        let args: Vec<Words> = site.args.iter().map(|&ty| reader.words(ty)).collect();
        let mut operands = [0; MOST_OPERANDS];
        let words = std::array::from_fn(|lane| {
            if lanes >> lane & 1 == 0 {
                return 0;
            }
            operands.iter_mut().zip(&args).for_each(|(operand, words)| *operand = words[lane]);
            match last {
                Some((known, word))
                    if known.iter().zip(&operands[..args.len().min(MOST_OPERANDS)]).all(|(a, b)| a == b) =>
                {
                    *word
                }
                _ => {
                    let word = parallax_num::eval(call.op, &call.rule, &operands[..args.len().min(MOST_OPERANDS)]);
                    *last = Some((operands, word));
                    word
                }
            }
        });
        write(level, arena, site.results[0], &found.defs, &words, lanes);
    }

    /// Lane of the batch. What fills up the last block repeats its last quad.
    fn lane(&self, arena: &[u64], lane: usize) -> usize {
        let lane = self.first + arena[layout::LANE / 8] as usize + lane;
        let total = self.inputs.lanes;
        if lane < total { lane } else { total.saturating_sub(4) + lane % 4 }
    }

    fn system(&self, value: SysVal, lane: usize) -> Option<u32> {
        self.inputs.sysvals.get(value as usize * self.inputs.lanes + lane).copied()
    }

    /// Samples that a lane shades.
    fn shaded(&self, lane: usize) -> u32 {
        match self.system(SysVal::SampleShading, lane) {
            None => u32::from(self.inputs.covered.get(lane).copied().unwrap_or(false)),
            Some(0) => self.system(SysVal::SampleMask, lane).unwrap_or(0),
            Some(_) => 1,
        }
    }

    /// An op of the IR.
    fn op(&mut self, arena: &mut [u64], kind: OpKind, site: &Site, found: &Found) {
        let program = self.program;
        let level = program.level;
        let inputs = self.inputs;
        let mut reader = Reader { level, arena, places: found.uses.iter() };
        let exec = reader.mask();
        if let OpKind::Tex(tex) = kind {
            let mut rows = [[0; MOST]; MOST_COORDINATES];
            rows.iter_mut().zip(&site.args).for_each(|(row, _)| *row = reader.row());
            return self.lookup(arena, &tex, &rows[..site.args.len().min(MOST_COORDINATES)], exec, found);
        }
        let args: Vec<Words> = site.args.iter().map(|&ty| reader.words(ty)).collect();
        let lanes: [usize; MOST] = std::array::from_fn(|lane| self.lane(arena, lane));
        let arg = |n: usize, lane: usize| args[n][lane] as u32;
        let attr = |index: usize, comp: u8, lane: usize| {
            let at = (index * 4 + usize::from(comp)) * inputs.lanes + lanes[lane];
            inputs.attrs.get(at).copied().unwrap_or(0)
        };
        let placed = |index: u16, comp: u8, lane: usize, place: InterpolateAt| {
            let at = inputs.interpolator.at(usize::from(index), usize::from(comp), lanes[lane], place);
            at.unwrap_or_else(|| attr(usize::from(index), comp, lane))
        };
        let index = |base: i32, lane: usize| usize::try_from(i64::from(base) + i64::from(arg(0, lane) as i32)).ok();
        let words = match kind {
            OpKind::ConstAt { bank, base, comp } => {
                let bank = inputs.banks.get(usize::from(bank)).copied().unwrap_or(&[]);
                each(|lane| index(base, lane).and_then(|at| bank.get(at)).map_or(0, |vector| vector[usize::from(comp)]))
            }
            OpKind::AttrAt { base, comp } => {
                let count = program.function.attributes as usize / 4;
                each(|lane| index(base, lane).filter(|&at| at < count).map_or(0, |at| attr(at, comp, lane)))
            }
            OpKind::AttrSample { index, comp } => {
                each(|lane| placed(index, comp, lane, InterpolateAt::Sample(arg(0, lane))))
            }
            OpKind::AttrOffset { index, comp } => {
                each(|lane| placed(index, comp, lane, InterpolateAt::Offset([arg(0, lane), arg(1, lane)])))
            }
            OpKind::AttrCentroid { index, comp } => each(|lane| placed(index, comp, lane, InterpolateAt::Centroid)),
            OpKind::SamplePosition { axis } => {
                let positions = inputs.interpolator.positions();
                let axis = usize::from(axis == Axis::Y);
                each(|lane| positions.get(arg(0, lane) as usize).map_or(0, |p| i32::from(p[axis]) as u32))
            }
            OpKind::TextureSize { unit, comp } => {
                each(|lane| inputs.textures.size(unit, arg(0, lane))[usize::from(comp & 3)])
            }
            OpKind::ImageAddress { buffer } => {
                let image = inputs.textures.image(buffer);
                let place = |lane| ([0, 1, 2].map(|n| arg(n, lane)), arg(3, lane));
                each(|lane| image.map_or(u32::MAX, |image| image.address(place(lane).0, place(lane).1)))
            }
            OpKind::ImageLoad { buffer, comp } => {
                let image = inputs.textures.image(buffer);
                let texel = |at| image.map_or([0; 4], |image| image.load(self.memory, buffer, at));
                each(|lane| texel(arg(0, lane))[usize::from(comp & 3)])
            }
            OpKind::ImageSize { buffer, comp } => {
                let image = inputs.textures.image(buffer);
                each(|_| image.map_or(0, |image| image.extent(comp)))
            }
            OpKind::ImageStore { buffer } => {
                let Some(image) = inputs.textures.image(buffer) else { return };
                let acting = exec & layout::lanes(level, arena, layout::COVERED, arena[layout::LANE / 8] as usize);
                for lane in (0..level.lanes()).filter(|lane| acting >> lane & 1 != 0) {
                    image.store(self.memory, buffer, arg(0, lane), [1, 2, 3, 4].map(|n| arg(n, lane)));
                }
                return memory::describe(&program.layout, arena, self.memory);
            }
            OpKind::DiscardSamples => {
                let of_run = arena[layout::LANE / 8] as usize;
                let first = self.first + of_run;
                let mut covered = layout::lanes(level, arena, layout::COVERED, of_run);
                for lane in (0..level.lanes()).filter(|lane| exec >> lane & 1 != 0 && first + lane < inputs.lanes) {
                    let shaded = self.shaded(first + lane);
                    let discarded = &mut self.discarded[first + lane];
                    let left = shaded & !*discarded;
                    *discarded |= args[0][lane] as u32;
                    if left != 0 && left & !*discarded == 0 {
                        covered &= !(1 << lane);
                    }
                }
                layout::set_lanes(level, arena, layout::COVERED, of_run, covered);
                return;
            }
            OpKind::GroupShuffle | OpKind::GroupBallot { .. } => {
                let active = exec & layout::lanes(level, arena, layout::COVERED, arena[layout::LANE / 8] as usize);
                exchange::in_block(program.function.subgroup as usize, kind, &args, active)
            }
            OpKind::Sys(SysVal::SubgroupLane) => each(|lane| lanes[lane] as u32 % program.function.subgroup),
            // Everything else has a pattern or was refused.
            _ => [0; MOST],
        };
        if let Some(&ty) = site.results.first() {
            write(level, arena, ty, &found.defs, &words, layout::all(level));
        }
    }

    /// A texture lookup, for quads in which a lane executes.
    fn lookup(&self, arena: &mut [u64], tex: &TexOp, rows: &[[u32; MOST]], exec: u16, found: &Found) {
        let lanes = self.program.level.lanes();
        let mut texels = [[0; MOST]; 4];
        let executes = |quad: usize| exec >> (4 * quad) & 0xf != 0;
        let mut quad = 0;
        while quad < lanes / 4 {
            let start = quad;
            while quad < lanes / 4 && executes(quad) {
                quad += 1;
            }
            if start == quad {
                quad += 1;
                continue;
            }
            let range = 4 * start..4 * quad;
            let row = |n: usize| rows.get(n).map_or(&[][..], |row| &row[range.clone()]);
            let lookup = TexRows::of(tex, row);
            let mut parts = texels.each_mut().map(|row| &mut row[range.clone()]);
            self.inputs.textures.sample_rows(tex, &lookup, &mut parts);
        }
        for (comp, place) in found.defs.iter().enumerate() {
            if let At::Line(at) = place {
                for (pair, two) in texels[comp][..lanes].as_chunks::<2>().0.iter().enumerate() {
                    arena[at / 8 + pair] = u64::from(two[0]) | u64::from(two[1]) << 32;
                }
            }
        }
    }
}
