//! A shader as code, and how it is run.

use crate::avx2::Avx2;
use crate::avx512::Avx512;
use crate::code::{Code, CodeMemory};
use crate::emit::{Emitted, Found, Places, write};
use crate::frames::{Frames, systems_of};
use crate::groups::Granted;
use crate::host::{Host, Last};
use crate::layout::{self, At, Layout, MOST_LANES, MOST_LANES_OF_BLOCK};
use crate::level::{Interleaving, Level};
use crate::{arena, audit, exchange, gather, lookup, memory, thunk, tile};
use parallax_core::exec::{Inputs, Memory, Outputs, Plane, PlaneType};
use parallax_core::{Bound, OpKind, SysVal, Type, Verified};
use parallax_lane::{
    self as lane, Allocation, Distances, Exchange, Function, Group, INTERLEAVED, Lives, SiteKind, Source, Turns,
    Unsupported, allocate, allocate_blocks, check, check_apart, choose_mode, lower, lower_groups, pays_to_interleave,
    place_modes, schedule,
};
use parallax_num::{Op, Rule};
use parallax_step::{Arithmetic, Function as Steps, Kind, OutputType, Programs, legalise_for, operation};
use std::borrow::Cow;
use std::sync::OnceLock;

/// Machine code of a shader with what it takes to run it.
#[derive(Debug)]
pub struct Program {
    pub(crate) level: Level,
    pub(crate) code: Code,
    pub(crate) function: Function,
    pub(crate) layout: Layout,
    pub(crate) sites: Vec<Found>,
    /// Interleaved blocks.
    blocks: usize,
    pub(crate) planes: Vec<Option<PlaneType>>,
    /// Whether every lane writes the plane: what it held before is all the same.
    whole: Vec<bool>,
    /// System values that it reads and the caller gives.
    pub(crate) systems: Vec<SysVal>,
    /// Whether lanes can lose their coverage.
    pub(crate) changes_coverage: bool,
    /// Attribute planes that it reads.
    pub(crate) attributes: Vec<u32>,
    /// Rows that the caller gives it: of attributes, and of system values.
    rows: [Vec<usize>; 2],
    /// Whether it runs whole tiles.
    pub(crate) runs_tiles: bool,
    /// What is exchanged at each stop, by its number; nothing at barriers. Empty where nothing is anywhere.
    pub(crate) exchanges: Vec<Option<Exchange>>,
    has_barriers: bool,
    /// What batches must be, if they are whole workgroups.
    granted: Option<Granted>,
    /// What runs batches that are no whole workgroups, if this is for those alone.
    general: Option<Box<General>>,
}

/// A program for any batch, which is made when there is the first one that needs it.
#[derive(Debug)]
struct General {
    steps: Steps,
    made_for: (Level, CodeMemory),
    program: OnceLock<Program>,
}

/// System values that the caller gives: those before the ones that lanes know themselves.
const SYSTEMS: usize = SysVal::HelperLane as usize;

/// Compiles a verified shader for a level. `programs` keeps step programs from shader to shader.
///
/// # Errors
/// What the shader has that is not compiled, or what the host lacks: the interpreter then runs it.
pub fn compile(shader: Verified<'_, Bound>, level: Level, programs: &mut Programs) -> Result<Program, Unsupported> {
    of_steps(shader, (level, CodeMemory::System), &legalise_for(shader, programs, Arithmetic::FirstNan))
}

/// The code of a verified shader as bytes, without memory that it could run in; the host need not be able to run it.
///
/// # Errors
/// What the shader has that is not compiled.
pub fn encode(shader: Verified<'_, Bound>, level: Level, programs: &mut Programs) -> Result<Vec<u8>, Unsupported> {
    let steps = legalise_for(shader, programs, Arithmetic::FirstNan);
    Ok(translate(level, &steps, false)?.emitted.bytes)
}

/// Compiles one operation under a rule: a shader as [`parallax_step::operation`] makes it, whose output is a pattern.
///
/// # Errors
/// That it has no step program, or as for [`compile`].
pub fn compile_operation(op: Op, rule: &Rule, level: Level, programs: &mut Programs) -> Result<Program, Unsupported> {
    let steps = operation(op, rule, programs);
    if !steps.fallbacks().is_empty() {
        return Err(Unsupported(format!("`{}` has no step program under this rule", op.info().name)));
    }
    let ty = |bits: u32| if bits > 32 { Type::I64 } else { Type::I32 };
    let plane = |output: OutputType| PlaneType { ty: ty(output.bits), storage: None };
    let planes = steps.outputs.iter().flatten().map(|output| output.map(plane)).collect();
    assemble((level, CodeMemory::System), &steps, planes)
}

/// Compiles a shader whose step form is known.
pub(crate) fn of_steps(
    shader: Verified<'_, Bound>,
    made_for: (Level, CodeMemory),
    steps: &Steps,
) -> Result<Program, Unsupported> {
    let (bound, state) = (shader.shader(), &shader.shader().state);
    let types = bound.func.iface.outputs.iter().flat_map(|output| output.types);
    let plane = |ty: parallax_core::Type| PlaneType { ty, storage: ty.decl().map(|decl| state.storage(decl)) };
    let planes = types.map(|ty| ty.map(plane)).collect();
    assemble(made_for, steps, planes)
}

/// Compiles a function in step form, whose outputs have these types.
pub(crate) fn assemble(
    (level, memory): (Level, CodeMemory),
    steps: &Steps,
    planes: Vec<Option<PlaneType>>,
) -> Result<Program, Unsupported> {
    if !level.is_supported() {
        return Err(Unsupported(format!("the processor lacks {}", level.needs())));
    }
    let mut program = of_translated((level, memory), steps, &planes, translate(level, steps, false)?)?;
    if program.function.group.is_some() {
        let general = General { steps: steps.clone(), made_for: (level, memory), program: OnceLock::new() };
        program.general = Some(Box::new(general));
    }
    Ok(program)
}

fn of_translated(
    (level, memory): (Level, CodeMemory),
    steps: &Steps,
    planes: &[Option<PlaneType>],
    translated: Translated,
) -> Result<Program, Unsupported> {
    let Translated { function, is_for_tiles, layout, emitted, blocks } = translated;
    let code = Code::new(&emitted.bytes, memory)
        .map_err(|error| Unsupported(format!("the system refuses executable memory: {error}")))?;
    let systems = systems_of(&function);
    let given = systems.iter().map(|&value| value as usize).filter(|&value| value < SYSTEMS);
    let rows = [(0..function.attributes as usize).collect(), given.collect()];
    let granted = Granted::of(&function, &systems, &steps.shared_words);
    let mut whole = vec![false; planes.len()];
    for inst in &function.body.code {
        if let lane::Op::Out { plane, masked: false, .. } = inst.op {
            whole[plane as usize] = true;
        }
    }
    let removes_samples = |kind: SiteKind| kind == SiteKind::Ir(OpKind::DiscardSamples);
    let changes_coverage = layout.discards || function.sites.iter().any(|site| removes_samples(site.kind));
    let read = function.body.code.iter().filter_map(|inst| match inst.op {
        lane::Op::Attr(plane) => Some(plane),
        _ => None,
    });
    let mut attributes: Vec<u32> = read.collect();
    attributes.sort_unstable();
    attributes.dedup();
    let mut exchanges = vec![None; function.stops as usize];
    for inst in &function.body.code {
        if let lane::Op::Exchange(exchange, number) = inst.op {
            exchanges[number as usize] = Some(exchange);
        }
    }
    // Those that nobody gets to, too: whoever runs the shader asks who missed one.
    let mut has_barriers = false;
    steps.walk(|_, op| has_barriers |= steps.ops[op as usize].kind == Kind::Ir(OpKind::Barrier));
    if exchanges.iter().all(Option::is_none) {
        exchanges.clear();
    }
    let runs_tiles = is_for_tiles && tile::rounds_to_nearest(&function);
    Ok(Program {
        level,
        code,
        function,
        layout,
        sites: emitted.sites,
        blocks,
        planes: planes.to_vec(),
        whole,
        systems,
        changes_coverage,
        attributes,
        rows,
        runs_tiles,
        exchanges,
        has_barriers,
        granted,
        general: None,
    })
}

/// A function up to its bytes.
pub(crate) struct Translated {
    pub(crate) function: Function,
    /// Whether it can run tiles, if attributes are moderate.
    is_for_tiles: bool,
    pub(crate) layout: Layout,
    pub(crate) emitted: Emitted,
    /// Interleaved blocks.
    pub(crate) blocks: usize,
}

/// Everything up to the bytes, which any host can do; kernels for whole workgroups, if that is possible. `with_origins`: also where the
/// code of each instruction starts.
pub(crate) fn translate(level: Level, steps: &Steps, with_origins: bool) -> Result<Translated, Unsupported> {
    translate_lanes(level, lower_groups(steps, level.lanes() as u32)?, with_origins)
}

fn translate_lanes(level: Level, function: Function, with_origins: bool) -> Result<Translated, Unsupported> {
    let most = function.group.map_or(1, |group| group.interleaved as usize);
    for blocks in INTERLEAVED.into_iter().filter(|&blocks| blocks <= most.min(level.most_interleaved())) {
        if let Some(translated) = translate_blocks(level, function.clone(), Some(blocks), with_origins)? {
            return Ok(translated);
        }
    }
    let translated = translate_blocks(level, function, None, with_origins)?;
    translated.ok_or_else(|| Unsupported("registers are missing".into()))
}

/// The same; `interleaved`: so many blocks of a workgroup interleaved, unless registers are too few.
fn translate_blocks(
    level: Level,
    mut function: Function,
    interleaved: Option<usize>,
    with_origins: bool,
) -> Result<Option<Translated>, Unsupported> {
    let is_for_tiles = tile::is_for_tiles(&function);
    if !is_for_tiles {
        function.read_rows_alone();
    }
    let lives = Lives::of(&function);
    let pays = |interleaving: &Interleaving| pays_to_interleave(&function, interleaving.registers, &lives);
    let interleaving = match interleaved {
        Some(blocks) => Some(level.interleaving(blocks)),
        None => Some(level.interleaving(2)).filter(pays),
    };
    let registers = interleaving.map_or(level.registers(), |interleaving| interleaving.registers);
    let directions = if choose_mode(&mut function, level.directions()) { None } else { Some(level.directions()) };
    schedule(&mut function, directions, registers, interleaving.map_or(1, |of| of.blocks), &lives);
    if let Some(directions) = directions {
        place_modes(&mut function, directions);
    }
    let prologue = allocate(&function, &function.prologue, level.registers());
    let (body, interleaving) = if let Some(blocks) = interleaved {
        let distances = Distances::of(&function, level.lanes() as u32, blocks as u32);
        let registers = level.registers_of_groups();
        let Some((body, [vectors, masks])) = allocate_blocks(&function, &function.body, registers, blocks, distances)
        else {
            return Ok(None);
        };
        (body, Some(Interleaving { vectors, masks, ..level.interleaving(blocks) }))
    } else {
        (allocate(&function, &function.body, registers), interleaving)
    };
    if audit::CHECKS {
        let sound = |checked: Result<(), String>| {
            checked.unwrap_or_else(|problem| panic!("allocation of {} for {level}: {problem}", function.name));
        };
        sound(check(&function, &function.prologue, &prologue));
        sound(check(&function, &function.body, &body));
        if let Some(interleaving) = interleaving {
            let all: Vec<Allocation> = (0..interleaving.blocks as u8)
                .map(|block| body.shifted(block, interleaving.vectors, interleaving.masks))
                .collect();
            for (n, block) in all.iter().enumerate().skip(1) {
                sound(check(&function, &function.body, block));
                all[..n].iter().for_each(|other| sound(check_apart(other, block)));
            }
        }
    }
    let places = Places { prologue, body, interleaving };
    let blocks = places.blocks();
    let layout = Layout::new(level, &function, &places.prologue, &places.body, blocks);
    if i32::try_from(layout.size).is_err() {
        return Err(Unsupported(format!("it needs {} bytes of working memory, which is too much", layout.size)));
    }
    let emitted = match level {
        Level::Avx2 => write::<Avx2>(&function, &layout, &places, with_origins),
        Level::Avx512 => write::<Avx512>(&function, &layout, &places, with_origins),
    }
    .map_err(Unsupported)?;
    if audit::CHECKS {
        audit::audit(&emitted.bytes, &emitted.wanted)
            .unwrap_or_else(|problem| panic!("code of {} for {level}: {problem}", function.name));
    }
    Ok(Some(Translated { function, is_for_tiles, layout, emitted, blocks }))
}

impl Program {
    /// What it is made for.
    pub fn level(&self) -> Level {
        self.level
    }

    /// The code.
    pub fn bytes(&self) -> &[u8] {
        self.code.bytes()
    }

    /// Interleaved blocks of lanes.
    pub fn blocks(&self) -> usize {
        self.blocks
    }

    /// The program for batches that are no whole workgroups.
    fn general(&self) -> &Program {
        let Some(general) = &self.general else { return self };
        general.program.get_or_init(|| {
            let General { steps, made_for, .. } = &**general;
            let made = lower(steps, self.level.lanes() as u32)
                .and_then(|function| translate_lanes(self.level, function, false))
                .and_then(|translated| of_translated(*made_for, steps, &self.planes, translated));
            made.unwrap_or_else(|reason| panic!("code for batches that are no whole workgroups: {reason}"))
        })
    }

    /// Lanes that the code takes at a time.
    pub(crate) fn step(&self) -> usize {
        self.level.lanes() * self.blocks
    }

    /// Which lanes run together, where lanes take turns.
    pub fn takes_turns(&self) -> Option<Turns> {
        self.function.turns
    }

    /// Operations without step program, and those that are redone in slow lanes.
    pub fn fallbacks(&self) -> (usize, usize) {
        self.function.fallbacks()
    }

    /// Type and container of component `c` of output `o` at `o * 4 + c`.
    pub fn planes(&self) -> &[Option<PlaneType>] {
        &self.planes
    }

    /// Runs one batch.
    ///
    /// # Panics
    /// If `inputs.lanes` is no multiple of 4, or more than 1,024 where lanes wait for each other: a workgroup has no more. If the first
    /// batch that is no whole workgroup of a kernel needs code and the system refuses memory for it.
    pub fn run(&self, inputs: &Inputs<'_>, memory: Memory<'_>, outputs: &mut Outputs) {
        Space::new(self).batch(inputs, memory, outputs);
    }
}

/// Working memory of one thread.
pub(crate) struct Space<'p> {
    pub(crate) program: &'p Program,
    words: Vec<u64>,
    /// Where the arena starts: the first line of the memory.
    start: usize,
    /// What fills up the last block: attributes, system values, outputs.
    pub(crate) padded: [Vec<u64>; 3],
    /// What operations were last computed of.
    pub(crate) last: Vec<Last>,
    frames: Frames,
    /// What runs batches that are no whole workgroups.
    general: Option<Box<Space<'p>>>,
}

/// A pointer for the code.
pub(crate) fn pointer<T>(words: &[T]) -> u64 {
    words.as_ptr().expose_provenance() as u64
}

pub(crate) fn pointer_mut<T>(words: &mut [T]) -> u64 {
    words.as_mut_ptr().expose_provenance() as u64
}

impl<'p> Space<'p> {
    pub(crate) fn new(program: &'p Program) -> Space<'p> {
        let size = program.layout.size / 8;
        let words = vec![0u64; size + 8];
        let start = (64 - words.as_ptr().addr() % 64) % 64 / 8;
        let (last, frames) = (vec![None; program.function.calls.len()], Frames::default());
        let mut space = Space { program, words, start, padded: Default::default(), last, frames, general: None };
        program.layout.fill(space.arena());
        space
    }

    pub(crate) fn arena(&mut self) -> &mut [u64] {
        let size = self.program.layout.size / 8;
        &mut self.words[self.start..][..size]
    }

    /// Runs one batch.
    pub(crate) fn batch(&mut self, inputs: &Inputs<'_>, mut memory: Memory<'_>, outputs: &mut Outputs) {
        assert!(inputs.lanes.is_multiple_of(4), "a batch consists of whole quads");
        let program = self.program;
        if program.granted.as_ref().is_some_and(|granted| !granted.holds(inputs, &mut memory)) {
            let general = self.general.get_or_insert_with(|| Box::new(Space::new(program.general())));
            return general.batch(inputs, memory, outputs);
        }
        let lanes = inputs.lanes;
        outputs.planes.resize_with(program.planes.len(), Default::default);
        for (plane, (ty, &is_whole)) in outputs.planes.iter_mut().zip(program.planes.iter().zip(&program.whole)) {
            let (bits, len) = (ty.map_or(0, PlaneType::bits), if ty.is_some() { lanes } else { 0 });
            if !(is_whole && plane.len() == len && plane.is_of(bits)) {
                plane.reset(bits, len);
            }
        }
        outputs.covered.clear();
        if !program.changes_coverage {
            let given = inputs.covered.get(..lanes).unwrap_or(inputs.covered);
            outputs.covered.extend_from_slice(given);
            outputs.covered.resize(lanes, false);
        }
        outputs.out_of_fuel.clear();
        if !program.function.has_loops {
            outputs.out_of_fuel.resize(lanes, false);
        }
        outputs.discarded.clear();
        outputs.discarded.resize(lanes, 0);
        outputs.missed_barrier.clear();
        // Inputs that are too short read as zeros.
        let attrs = lengthened(inputs.attrs, program.function.attributes as usize * lanes);
        let systems = lengthened(inputs.sysvals, if program.systems.is_empty() { 0 } else { SYSTEMS * lanes });
        let is_row = |group: Group| group.size[0].is_multiple_of(program.level.lanes() as u32);
        let rows = if program.function.group.is_some_and(is_row) { u32::from(layout::ROWS) } else { 0 };
        arena::set_word(self.arena(), layout::FLAGS, rows);
        self.start(inputs, &mut memory);
        let step = program.step();
        let whole = lanes - lanes % step;
        let waits = program.function.stops > 0;
        assert!(!waits || lanes <= MOST_LANES, "a workgroup has at most {MOST_LANES} invocations");
        let mut first = 0;
        while first < lanes {
            let count = if waits {
                lanes.next_multiple_of(step)
            } else if first < whole {
                (whole - first).min(MOST_LANES)
            } else {
                step
            };
            self.part(inputs, &mut memory, outputs, [&attrs, &systems], first, count);
            arena::set_word(self.arena(), layout::FLAGS, u32::from(layout::STARTED));
            first += count;
        }
    }

    /// Sets what stays the same from batch to batch of a draw.
    pub(crate) fn start(&mut self, inputs: &Inputs<'_>, memory: &mut Memory<'_>) {
        let program = self.program;
        let arena = self.arena();
        arena::set_word(arena, layout::FUEL_START, inputs.fuel);
        memory::describe(&program.layout, arena, memory);
        for (&site, &at) in &program.layout.lookups {
            if let Some(tex) = program.function.sites[site as usize].lookup() {
                lookup::describe(program.layout.level, arena, at, &tex, inputs.textures);
            }
        }
        for (&site, &(at, read)) in &program.layout.tables {
            if let SiteKind::Ir(OpKind::ConstAt { bank, comp, .. }) = program.function.sites[site as usize].kind {
                let bank = inputs.banks.get(usize::from(bank)).map_or(&[][..], |bank| bank.as_flattened());
                let words = bank.get(usize::from(comp)..).unwrap_or(&[]);
                gather::describe(arena, at, read.base, (pointer(words), bank.len() / 4, 4));
            }
        }
        for (n, &(bank, index, comp)) in program.function.uniforms.iter().enumerate() {
            let vector = inputs.banks.get(usize::from(bank)).and_then(|bank| bank.get(index as usize));
            let word = vector.map_or(0, |vector| vector[usize::from(comp)]);
            let (At::Word(at) | At::Double(at) | At::Line(at) | At::Mask(at)) =
                program.layout.source(Source::Uniform(n as u32));
            arena::set_uniform(program.layout.level, arena, at, word);
        }
    }

    /// Runs some blocks of a batch; the last one may be filled up.
    fn part(
        &mut self,
        inputs: &Inputs<'_>,
        memory: &mut Memory<'_>,
        outputs: &mut Outputs,
        [attrs, systems]: [&[u32]; 2],
        first: usize,
        count: usize,
    ) {
        let program = self.program;
        let (function, layout) = (&program.function, &program.layout);
        let (lanes, level) = (inputs.lanes, program.level);
        let block = level.lanes();
        // Lanes that exist.
        let real = count.min(lanes - first);
        let padded = real < count;
        let mut spare = std::mem::take(&mut self.padded);
        let mut last = std::mem::take(&mut self.last);
        let mut frames = std::mem::take(&mut self.frames);
        let arena = self.arena();
        arena[layout::LANES / 8] = count as u64;
        let [attribute_rows, system_rows] = &program.rows;
        for (words, planes, table, which) in
            [(attrs, attribute_rows, layout.attributes, 0), (systems, system_rows, layout.systems, 1)]
        {
            let spare = &mut spare[which];
            spare.clear();
            if padded {
                spare.resize(planes.iter().max().map_or(0, |last| last + 1) * count / 2, 0);
            }
            for &plane in planes {
                let row = words.get(plane * lanes + first..plane * lanes + first + real).unwrap_or(&[]);
                arena[table / 8 + plane] = if padded {
                    let to = &mut spare[plane * count / 2..][..count / 2];
                    let (own, filled) = to.split_at_mut(real / 2);
                    for (to, &[low, high]) in own.iter_mut().zip(row.as_chunks::<2>().0) {
                        *to = u64::from(low) | u64::from(high) << 32;
                    }
                    // The last quad again and again.
                    let last = &own[real / 2 - 2..];
                    filled.chunks_exact_mut(2).for_each(|quad| quad.copy_from_slice(last));
                    pointer(to)
                } else {
                    pointer(row)
                };
            }
        }
        // Nobody looks at what is read there.
        arena[layout::XS / 8] = arena.get(layout.attributes / 8).copied().unwrap_or(0);
        for (&site, &(at, read)) in &layout.tables {
            if let SiteKind::Ir(OpKind::AttrAt { comp, .. }) = function.sites[site as usize].kind {
                let first = arena.get(layout.attributes / 8 + usize::from(comp)).copied().unwrap_or(0);
                let vectors = function.attributes as usize / 4;
                let stride = 4 * if padded { count } else { lanes };
                gather::describe(arena, at, read.base, (first, vectors, stride));
            }
        }
        let outs = &mut spare[2];
        outs.clear();
        if padded {
            outs.resize(outputs.planes.len() * count, 0);
        }
        for (n, plane) in outputs.planes.iter_mut().enumerate() {
            arena[layout.outputs / 8 + n] = match plane {
                _ if padded => pointer_mut(&mut outs[n * count..][..count]),
                plane if plane.is_empty() => 0,
                Plane::U8(words) => pointer_mut(&mut words[first..first + count]),
                Plane::U16(words) => pointer_mut(&mut words[first..first + count]),
                Plane::U32(words) => pointer_mut(&mut words[first..first + count]),
                Plane::U64(words) => pointer_mut(&mut words[first..first + count]),
            };
        }
        let words = count.div_ceil(64);
        arena[layout::DRY / 8..][..words].fill(0);
        if inputs.covered.get(first..first + real).is_some_and(|flags| flags.iter().fold(true, |all, &flag| all & flag))
        {
            arena[layout::COVERED_AT_START / 8..][..words].fill(u64::MAX);
            arena[layout::COVERED / 8..][..words].fill(u64::MAX);
        } else {
            for lane in (0..count).step_by(block) {
                let bits = covered(inputs, first + lane, block);
                layout::set_lanes(level, arena, layout::COVERED_AT_START, lane, bits);
                layout::set_lanes(level, arena, layout::COVERED, lane, bits);
            }
        }
        let mut host = Host { program, inputs, memory, discarded: &mut outputs.discarded, first, last: &mut last };
        // All pointers in the arena are set for these lanes, as `thunk::run` asks.
        if let Some(group) = function.group {
            run_group(&mut host, arena, &mut frames, group);
            // No lane misses a barrier: all of them get to the same ones.
            outputs.missed_barrier.resize(if program.has_barriers { lanes } else { 0 }, false);
        } else if function.turns.is_some() {
            frames.start(program, program.turns(inputs, first, real));
            let rows = if program.has_rows(inputs, first, real) { layout::ROWS } else { 0 };
            outputs.missed_barrier = take_turns(&mut host, arena, &mut frames, rows);
        } else {
            thunk::run(&mut host, arena);
        }
        let changed = [
            (program.changes_coverage, layout::COVERED, &mut outputs.covered),
            (function.has_loops, layout::DRY, &mut outputs.out_of_fuel),
        ];
        for (_, at, flags) in changed.into_iter().filter(|(changes, ..)| *changes) {
            if arena[at / 8..][..words].iter().all(|&bits| bits == 0) {
                flags.resize(flags.len() + real, false);
                continue;
            }
            for lane in (0..real).step_by(block) {
                let lanes = block.min(real - lane);
                match layout::lanes(level, arena, at, lane) {
                    bits if bits == layout::all(level) => flags.resize(flags.len() + lanes, true),
                    0 => flags.resize(flags.len() + lanes, false),
                    bits => {
                        let each: [bool; MOST_LANES_OF_BLOCK] = std::array::from_fn(|lane| bits >> lane & 1 != 0);
                        flags.extend_from_slice(&each[..lanes]);
                    }
                }
            }
        }
        if padded {
            for (n, (plane, ty)) in outputs.planes.iter_mut().zip(&program.planes).enumerate() {
                let from = &spare[2][n * count..][..count];
                let lanes = first..first + real;
                match plane {
                    _ if ty.is_none() => {}
                    Plane::U8(words) => (0..real).for_each(|n| words[first + n] = (from[n / 8] >> (n % 8 * 8)) as u8),
                    Plane::U16(words) => {
                        (0..real).for_each(|n| words[first + n] = (from[n / 4] >> (n % 4 * 16)) as u16)
                    }
                    Plane::U32(words) => {
                        for (to, &two) in words[lanes].as_chunks_mut::<2>().0.iter_mut().zip(from) {
                            *to = [two as u32, (two >> 32) as u32];
                        }
                    }
                    Plane::U64(words) => words[lanes].copy_from_slice(&from[..real]),
                }
            }
        }
        (self.padded, self.last, self.frames) = (spare, last, frames);
    }
}

/// Runs a whole workgroup.
fn run_group(host: &mut Host<'_, '_>, arena: &mut [u64], frames: &mut Frames, group: Group) {
    let program = host.program;
    if program.function.stops > 0 {
        let turns = group.size.iter().product::<u32>() as usize / program.level.lanes();
        arena[layout::FRAMES / 8] = frames.room(program, turns);
    }
    thunk::run(host, arena);
}

/// Runs all turns from barrier to barrier, until all have ended or some lane missed one: gives which, if there are barriers. Those of
/// a subgroup whose lanes exchange something get to the barrier before the next subgroup starts.
fn take_turns(host: &mut Host<'_, '_>, arena: &mut [u64], frames: &mut Frames, rows: u8) -> Vec<bool> {
    let program = host.program;
    let started = arena::word(arena, layout::FLAGS);
    arena::set_word(arena, layout::FLAGS, started | u32::from(rows));
    memory::describe(&program.layout, arena, host.memory);
    let together = if program.exchanges.is_empty() {
        frames.count()
    } else {
        program.function.subgroup as usize / program.level.lanes()
    };
    loop {
        for first in (0..frames.count()).step_by(together) {
            let turns = first..frames.count().min(first + together);
            loop {
                [arena[layout::FRAMES / 8], arena[layout::FRAMES_END / 8]] = frames.pointers(turns.clone());
                thunk::run(host, arena);
                arena::set_word(arena, layout::FLAGS, u32::from(layout::STARTED | rows));
                if program.exchanges.is_empty() || !exchange::serve(program, arena, frames.some(turns.clone())) {
                    break;
                }
            }
        }
        if !program.has_barriers {
            return Vec::new();
        }
        if program.function.stops == 0 {
            return vec![false; host.inputs.lanes];
        }
        match frames.missed(program.level, host.inputs) {
            None => return vec![false; host.inputs.lanes],
            Some(missed) if missed.contains(&true) => return missed,
            Some(_) => {}
        }
    }
}

/// Covered lanes of a block; what fills up the last one repeats its last quad.
fn covered(inputs: &Inputs<'_>, first: usize, block: usize) -> u16 {
    match inputs.covered.get(first..first + block) {
        Some(flags) if flags == &[true; MOST_LANES_OF_BLOCK][..block] => u16::MAX >> (MOST_LANES_OF_BLOCK - block),
        Some(flags) => flags.iter().enumerate().fold(0, |bits, (lane, &flag)| bits | u16::from(flag) << lane),
        None => (0..block).fold(0, |bits, lane| {
            let lane_of_batch = first + lane;
            let from = if lane_of_batch < inputs.lanes { lane_of_batch } else { inputs.lanes - 4 + lane % 4 };
            bits | u16::from(inputs.covered.get(from).copied().unwrap_or(false)) << lane
        }),
    }
}

/// Words with zeros behind them, where there are too few.
fn lengthened(words: &[u32], len: usize) -> Cow<'_, [u32]> {
    if words.len() >= len {
        return Cow::Borrowed(words);
    }
    let mut copy = words.to_vec();
    copy.resize(len, 0);
    Cow::Owned(copy)
}
