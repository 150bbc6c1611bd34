//! Where registers live, and the interface they make.

use super::Ctx;
use super::buffers::Memories;
use crate::ast::{DeclDim, Declaration, Index, Program, Reg, Resource};
use crate::words::{File, Interpolation, Place as PixelPlace, Processor, PropertyName, ReturnType, Semantic, Target};
use parallax_core::{
    ArrayId, AttrDecl, AttrSemantic, Axis, Interp, Location, MAX_ARRAY_ELEMENTS, OpKind, OutputRole, Stage, SysVal,
    Type, ValueId,
};
use parallax_lift::{Access, Deferred, Lifter, Options, Spelling, VarId};
use parallax_num::{Decl, Op};
use parallax_text::{Diag, Span};
use rustc_hash::{FxHashMap, FxHashSet};

/// Registers of a file that become an array, because some instruction addresses them by a register.
#[derive(Clone, Debug)]
pub(crate) struct ArrayRange {
    pub(crate) first: u32,
    pub(crate) last: u32,
    pub(crate) comps: [ArrayId; 4],
}

/// A file of variables, parts of which may be arrays.
#[derive(Clone, Debug)]
pub(crate) struct CellFile {
    first: VarId,
    pub(crate) count: u32,
    pub(crate) arrays: Vec<ArrayRange>,
}

/// An input register.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Input {
    pub(crate) vals: [Deferred; 4],
    /// Index of its attribute.
    pub(crate) attr: u16,
}

/// Where a register stands.
pub(crate) enum Home {
    /// Four variables from this one.
    Cells(VarId),
    /// Element of four arrays.
    Array([ArrayId; 4], u32),
}

/// Everything known about the registers of a program.
pub(crate) struct Registers {
    pub(crate) lookup: Lookup,
    temps: CellFile,
    outs: CellFile,
    addrs: CellFile,
    inputs: Vec<Option<Input>>,
    svs: Vec<Option<Result<[Deferred; 4], Semantic>>>,
    /// Components of each output some instruction writes.
    written: Vec<u8>,
    /// Declared constant buffers.
    pub(crate) banks: Vec<u16>,
    /// Buffers, images and shared memory.
    pub(crate) memories: Memories,
}

impl CellFile {
    fn new(l: &mut Lifter<'_>, program: &Program, file: File, arrays: Vec<ArrayRange>) -> CellFile {
        let decls = program.declarations.iter().filter(|d| d.file == file);
        let count = decls.map(|d| d.last + 1).max().unwrap_or(0);
        CellFile { first: l.add_variables(count * 4), count, arrays }
    }

    /// The array a register is in. Ranges are sorted and apart.
    pub(crate) fn array(&self, index: u32) -> Option<&ArrayRange> {
        let at = self.arrays.partition_point(|a| a.last < index);
        self.arrays.get(at).filter(|a| a.first <= index)
    }

    pub(crate) fn home(&self, index: u32) -> Home {
        match self.array(index) {
            Some(array) => Home::Array(array.comps, index - array.first),
            None => Home::Cells(self.first.offset(index * 4)),
        }
    }
}

impl Registers {
    pub(crate) fn new(
        l: &mut Lifter<'_>,
        program: &Program,
        bit_arrays: &FxHashSet<String>,
        options: &Options,
        diags: &mut Vec<Diag>,
    ) -> Registers {
        let lookup = Lookup::new(program);
        let indirect: Vec<&Reg> = program.regs().filter(|reg| reg.index.indirect.is_some()).collect();
        let mut elements = 0;
        let mut arrays = |l: &mut Lifter<'_>, file: File| {
            let mut made = Vec::new();
            for (first, last, span) in lookup.indirect_ranges(&indirect, file) {
                let len = last - first + 1;
                let names = ["x", "y", "z", "w"].map(|comp| format!("{file}[{first}..{last}].{comp}"));
                let with_bits = names.iter().filter(|name| bit_arrays.contains(*name)).count() as u64;
                elements += u64::from(len) * (4 + with_bits);
                if elements > MAX_ARRAY_ELEMENTS {
                    let message = format!("too many indirect {file} registers: {len}");
                    diags.push(Diag::unsupported("tgsi-array-unsupported", span, message));
                    return made;
                }
                let comps = names.map(|name| {
                    let holds_bits = bit_arrays.contains(&name);
                    l.add_array(name, Type::F32, len, holds_bits)
                });
                made.push(ArrayRange { first, last, comps });
            }
            made
        };
        let (temp_arrays, out_arrays) = (arrays(l, File::Temp), arrays(l, File::Out));
        let mut registers = Registers {
            lookup,
            temps: CellFile::new(l, program, File::Temp, temp_arrays),
            outs: CellFile::new(l, program, File::Out, out_arrays),
            addrs: CellFile::new(l, program, File::Addr, Vec::new()),
            inputs: Vec::new(),
            svs: Vec::new(),
            written: Vec::new(),
            banks: Vec::new(),
            memories: Memories::new(l, program, options, diags),
        };
        let whole_file = indirect.iter().any(|r| r.file == File::In && r.index.indirect.is_some_and(|i| i.array == 0));
        registers.add_inputs(l, program, whole_file, diags);
        registers.add_system_values(l, program);
        registers.add_banks(l, program);
        registers.note_written(program);
        registers
    }

    pub(crate) fn file(&self, file: File) -> Option<&CellFile> {
        match file {
            File::Temp => Some(&self.temps),
            File::Out => Some(&self.outs),
            File::Addr => Some(&self.addrs),
            _ => None,
        }
    }

    pub(crate) fn input(&self, index: u32) -> Option<&Input> {
        self.inputs.get(index as usize)?.as_ref()
    }

    pub(crate) fn system_value(&self, index: u32) -> Option<Result<[Deferred; 4], Semantic>> {
        *self.svs.get(index as usize)?
    }

    /// For an indirect read of inputs: attribute of the first register of the range, the range's first and last.
    pub(crate) fn input_range(&self, array: u32) -> Option<(u16, u32, u32)> {
        let (first, last) = self.lookup.range(File::In, array)?;
        Some((self.input(first)?.attr, first, last))
    }

    /// Adds the attributes; `whole_file`: some operand may be any of them.
    fn add_inputs(&mut self, l: &mut Lifter<'_>, program: &Program, whole_file: bool, diags: &mut Vec<Diag>) {
        let decls: Vec<&Declaration> = program.declarations.iter().filter(|d| d.file == File::In).collect();
        let count = decls.iter().map(|d| d.last + 1).max().unwrap_or(0);
        self.inputs = vec![None; count as usize];
        if whole_file {
            // Attributes must stand in register order without gaps, so that an index can reach all of them.
            let first = decls.iter().map(|d| d.first).min().unwrap_or(0);
            for index in first..count {
                let decl = decls.iter().find(|d| (d.first..=d.last).contains(&index)).copied();
                self.add_input(l, program, index, decl, diags);
            }
        } else {
            for decl in decls {
                for index in decl.first..=decl.last {
                    self.add_input(l, program, index, Some(decl), diags);
                }
            }
        }
    }

    fn add_input(
        &mut self,
        l: &mut Lifter<'_>,
        program: &Program,
        index: u32,
        decl: Option<&Declaration>,
        diags: &mut Vec<Diag>,
    ) {
        let semantic = decl.and_then(|d| d.semantic.map(|(name, n)| (name, n + (index - d.first))));
        let attr = l.add_attr(AttrDecl {
            name: format!("IN[{index}]"),
            semantic: attr_semantic(semantic, index),
            interp: match decl.and_then(|d| d.interpolation) {
                Some(Interpolation::Constant) => Interp::Flat,
                Some(Interpolation::Linear) => Interp::Linear,
                Some(Interpolation::Color) => Interp::Color,
                Some(Interpolation::Perspective) => Interp::Perspective,
                None if program.processor == Processor::Vertex => Interp::Flat,
                None => Interp::Perspective,
            },
            location: match decl.and_then(|d| d.place) {
                None | Some(PixelPlace::Center) => Location::Center,
                Some(PixelPlace::Centroid) => Location::Centroid,
                Some(PixelPlace::Sample) => Location::Sample,
            },
            mediump: false,
        });
        let mut vals = [0, 1, 2, 3].map(|comp| Deferred::attr(attr, comp));
        match semantic {
            Some((Semantic::PrimId, _)) if program.processor == Processor::Fragment => {
                let zero = Deferred::word(0);
                vals = [Deferred::sys(SysVal::PrimitiveId), zero, zero, zero];
            }
            Some((Semantic::Position, _)) if program.processor == Processor::Fragment => {
                let span = decl.map_or(Span::default(), |d| d.span);
                window_position(l, program, &mut vals, span, diags);
            }
            _ => {}
        }
        self.inputs[index as usize] = Some(Input { vals, attr });
    }

    fn add_system_values(&mut self, l: &mut Lifter<'_>, program: &Program) {
        for decl in program.declarations.iter().filter(|d| d.file == File::Sv) {
            if self.svs.len() <= decl.last as usize {
                self.svs.resize(decl.last as usize + 1, None);
            }
            for index in decl.first..=decl.last {
                let found = match decl.semantic {
                    Some((semantic, _)) => system_value(l, semantic).ok_or(semantic),
                    None => Err(Semantic::Generic),
                };
                self.svs[index as usize] = Some(found);
            }
        }
    }

    fn add_banks(&mut self, l: &mut Lifter<'_>, program: &Program) {
        /// Vectors of 64 KiB, the most that a constant buffer has.
        const MOST: u32 = 4096;
        for decl in program.declarations.iter().filter(|d| matches!(d.file, File::Const | File::ConstBuf)) {
            let (bank, vectors) = match (decl.file, decl.dim) {
                // Read by addresses: the text does not say how far.
                (File::ConstBuf, None) if decl.last < 32 => (decl.last as u16, MOST),
                (_, Some(DeclDim::Number(n))) => (n as u16, decl.last + 1),
                _ => (0, decl.last + 1),
            };
            l.need_bank(bank, vectors, |n| format!("CONST[{n}]"));
            if !self.banks.contains(&bank) {
                self.banks.push(bank);
            }
        }
        self.banks.sort_unstable();
    }

    fn note_written(&mut self, program: &Program) {
        self.written = vec![0; self.outs.count as usize];
        for dst in program.instructions.iter().flat_map(|i| &i.dsts).filter(|d| d.reg.file == File::Out) {
            let index = dst.reg.index.base as u32;
            let (first, last) = match dst.reg.index.indirect {
                None => (index, index),
                Some(indirect) => self.lookup.range(File::Out, indirect.array).unwrap_or_default(),
            };
            for index in first..=last {
                if let Some(written) = self.written.get_mut(index as usize) {
                    *written |= dst.mask;
                }
            }
        }
    }
}

/// What declarations say about registers that are not named one by one.
#[derive(Default)]
pub(crate) struct Lookup {
    /// First and last register of each array.
    arrays: FxHashMap<(File, u32), (u32, u32)>,
    /// First and last register of each file.
    files: FxHashMap<File, (u32, u32)>,
    /// Shape of each sampler view, and what its texels are.
    views: FxHashMap<u32, (Target, ReturnType)>,
}

impl Lookup {
    fn new(program: &Program) -> Lookup {
        let mut lookup = Lookup::default();
        for decl in &program.declarations {
            if decl.array != 0 {
                lookup.arrays.insert((decl.file, decl.array), (decl.first, decl.last));
            }
            let file = lookup.files.entry(decl.file).or_insert((decl.first, decl.last));
            *file = (file.0.min(decl.first), file.1.max(decl.last));
            if let Resource::View(target, [ty, ..]) = decl.resource {
                lookup.views.extend((decl.first..=decl.last).map(|index| (index, (target, ty))));
            }
        }
        lookup
    }

    /// The registers an access with this array number may reach: those of the array, else the whole file.
    pub(crate) fn range(&self, file: File, array: u32) -> Option<(u32, u32)> {
        self.arrays.get(&(file, array)).or(self.files.get(&file)).copied()
    }

    /// The declared shape of a sampler view, and what its texels are.
    pub(crate) fn view(&self, index: u32) -> Option<(Target, ReturnType)> {
        self.views.get(&index).copied()
    }

    /// Ranges of registers that operands address by a register, merged where they overlap, with a place that does so.
    fn indirect_ranges(&self, operands: &[&Reg], file: File) -> Vec<(u32, u32, Span)> {
        let mut known = FxHashSet::default();
        let mut ranges: Vec<(u32, u32, Span)> = Vec::new();
        for reg in operands.iter().filter(|r| r.file == file) {
            let Some(indirect) = reg.index.indirect else { continue };
            let Some((first, last)) = self.range(file, indirect.array) else { continue };
            if known.insert((first, last)) {
                ranges.push((first, last, reg.span));
            }
        }
        parallax_text::sort_by_key(&mut ranges, |r| (r.0, r.1));
        let mut merged: Vec<(u32, u32, Span)> = Vec::new();
        for range in ranges {
            match merged.last_mut() {
                Some(last) if range.0 <= last.1 => last.1 = last.1.max(range.1),
                _ => merged.push(range),
            }
        }
        merged
    }
}

fn attr_semantic(semantic: Option<(Semantic, u32)>, register: u32) -> AttrSemantic {
    let Some((name, index)) = semantic else { return AttrSemantic::Generic(register as u16) };
    let n = index.min(u32::from(u16::MAX)) as u16;
    match name {
        Semantic::Position => AttrSemantic::Position,
        Semantic::Color => AttrSemantic::Color(n),
        Semantic::Fog => AttrSemantic::Fog,
        Semantic::TexCoord => AttrSemantic::TexCoord(n),
        Semantic::Face => AttrSemantic::Face,
        Semantic::PointCoord => AttrSemantic::PointCoord,
        _ => AttrSemantic::Generic(n),
    }
}

/// Applies the properties that say how window positions are counted.
fn window_position(l: &mut Lifter<'_>, program: &Program, vals: &mut [Deferred; 4], span: Span, diags: &mut Vec<Diag>) {
    if program.sets(PropertyName::FsCoordOrigin) {
        let message = "a window position counted from the lower left is not executed".to_string();
        diags.push(Diag::unsupported("tgsi-property-unsupported", span, message));
    }
    if program.sets(PropertyName::FsCoordPixelCenter) {
        // Pixel centres lie at one half; counted as integers they are the floor, exactly.
        let slot = l.plain(Decl::F32);
        for val in &mut vals[..2] {
            let centre = l.force(*val, Type::F32);
            *val = l.b.num(Op::Floor, slot, &[centre]).into();
        }
    }
}

/// What a system value holds; `None` when it is not executed.
fn system_value(l: &mut Lifter<'_>, semantic: Semantic) -> Option<[Deferred; 4]> {
    let zero = Deferred::word(0);
    if let Some([x, y, z]) = place_in_grid(l, semantic) {
        return Some([x, y, z, zero]);
    }
    let x = match semantic {
        Semantic::Face => {
            let one = Deferred::word(1);
            return Some([Deferred::sys(SysVal::FrontFacing), zero, zero, one]);
        }
        Semantic::InstanceId => Deferred::sys(SysVal::InstanceId),
        Semantic::VertexId | Semantic::VertexIdNoBase => Deferred::sys(SysVal::VertexId),
        Semantic::PrimId => Deferred::sys(SysVal::PrimitiveId),
        Semantic::SampleId => Deferred::sys(SysVal::SampleId),
        Semantic::SampleMask => Deferred::sys(SysVal::SampleMask),
        Semantic::SamplePos => {
            let sample = l.b.read_bits(OpKind::Sys(SysVal::SampleId), &[]);
            let [x, y] = [Axis::X, Axis::Y].map(|axis| sample_position(l, axis, sample));
            return Some([x, y, zero, zero]);
        }
        Semantic::HelperInvocation => Deferred::sys(SysVal::HelperLane),
        // One draw, no base.
        Semantic::BaseVertex | Semantic::BaseInstance | Semantic::DrawId => zero,
        // Grids have three.
        Semantic::WorkDim if l.b.func.iface.stage == Stage::Compute => Deferred::word(3),
        // The subgroup is the quad.
        Semantic::SubgroupSize => Deferred::word(4),
        Semantic::SubgroupInvocation => Deferred::sys(SysVal::QuadLane),
        Semantic::SubgroupEqMask => lane_mask(l, 1, &[]),
        Semantic::SubgroupGeMask => lane_mask(l, 0xF, &[]),
        Semantic::SubgroupGtMask => lane_mask(l, 0xE, &[]),
        Semantic::SubgroupLeMask => lane_mask(l, 0xE, &[Op::Inot]),
        Semantic::SubgroupLtMask => lane_mask(l, 0xF, &[Op::Inot]),
        Semantic::Position => {
            let attr = l.add_attr(AttrDecl {
                name: "SV POSITION".to_string(),
                semantic: AttrSemantic::Position,
                interp: Interp::Linear,
                location: Location::Center,
                mediump: false,
            });
            return Some([0, 1, 2, 3].map(|comp| Deferred::attr(attr, comp)));
        }
        _ => return None,
    };
    Some([x, zero, zero, zero])
}

/// Where an invocation of a kernel is, and how large the grid and its blocks are; `None` for other system values.
fn place_in_grid(l: &Lifter<'_>, semantic: Semantic) -> Option<[Deferred; 3]> {
    use SysVal::*;
    let iface = &l.b.func.iface;
    if iface.stage != Stage::Compute {
        return None;
    }
    Some(match semantic {
        Semantic::ThreadId => [LocalX, LocalY, LocalZ].map(Deferred::sys),
        Semantic::BlockId => [GroupX, GroupY, GroupZ].map(Deferred::sys),
        Semantic::GridSize => [GridX, GridY, GridZ].map(Deferred::sys),
        Semantic::BlockSize => iface.workgroup.map(Deferred::word),
        _ => return None,
    })
}

/// Where a sample is in its pixel, from 0 to 1: sixteenths, which are exact.
pub(super) fn sample_position(l: &mut Lifter<'_>, axis: Axis, sample: ValueId) -> Deferred {
    let from_centre = l.b.read_bits(OpKind::SamplePosition { axis }, &[sample]);
    let half = l.b.i32(8);
    let from_edge = l.b.int(Op::Iadd, &[from_centre, half]);
    let slot = l.plain(Decl::F32);
    let steps = l.b.num(Op::I2f, slot, &[from_edge]);
    let sixteenth = l.b.float(slot, u64::from(0.0625f32.to_bits()));
    l.b.num(Op::Mul, slot, &[steps, sixteenth]).into()
}

/// `bits` shifted to the lane's place among four, then put through `after`, cut to four bits.
fn lane_mask(l: &mut Lifter<'_>, bits: u32, after: &[Op]) -> Deferred {
    let lane = l.b.read_bits(OpKind::Sys(SysVal::QuadLane), &[]);
    let bits = l.b.i32(bits);
    let mut mask = l.b.int(Op::Shl, &[bits, lane]);
    for &op in after {
        mask = l.b.int(op, &[mask]);
    }
    let all = l.b.i32(0xF);
    l.b.int(Op::Iand, &[mask, all]).into()
}

fn output_role(processor: Processor, semantic: Option<(Semantic, u32)>, register: u32) -> OutputRole {
    let (name, index) = semantic.unwrap_or((Semantic::Generic, register));
    let n = index.min(u32::from(u16::MAX)) as u16;
    match (processor, name) {
        (Processor::Fragment, Semantic::Color) => OutputRole::Color(n),
        (Processor::Fragment, Semantic::Position) => OutputRole::Depth,
        (Processor::Fragment, Semantic::Stencil) => OutputRole::Stencil,
        (Processor::Fragment, Semantic::SampleMask) => OutputRole::SampleMask,
        (_, Semantic::Position) => OutputRole::Position,
        (_, Semantic::Color) => OutputRole::FrontColor(n),
        (_, Semantic::Fog) => OutputRole::Fog,
        (_, Semantic::TexCoord) => OutputRole::TexCoord(n),
        (_, Semantic::Generic) => OutputRole::Generic(n),
        (_, Semantic::PointSize) => OutputRole::PointSize,
        (_, Semantic::ClipDist) => OutputRole::ClipDistance(n.saturating_mul(4)),
        _ => OutputRole::FixedFunction(n),
    }
}

impl Program {
    /// Every register operand of every instruction.
    pub(crate) fn regs(&self) -> impl Iterator<Item = &Reg> {
        self.instructions.iter().flat_map(|inst| {
            let offsets = inst.extra.iter().flat_map(|e| e.offsets.iter().map(|o| &o.reg));
            inst.dsts.iter().map(|d| &d.reg).chain(inst.srcs.iter().map(|s| &s.reg)).chain(offsets)
        })
    }
}

impl Ctx<'_, '_> {
    /// Gives registers named by the caller their initial values.
    pub(crate) fn presets(&mut self, options: &Options) {
        for name in self.l.presets(options) {
            let Some((file, None, index)) = self.spelled(name) else {
                self.no_register(Access::Preset, name);
                continue;
            };
            let vals = self.l.preset_attr(name);
            match file {
                File::In => {
                    if let Some(Some(input)) = self.registers.inputs.get_mut(index as usize) {
                        input.vals = vals;
                    }
                }
                File::Sv => {
                    if let Some(sv) = self.registers.svs.get_mut(index as usize) {
                        *sv = Some(Ok(vals));
                    }
                }
                _ => {
                    if let (File::Out, Some(written)) = (file, self.registers.written.get_mut(index as usize)) {
                        *written = 0xF;
                    }
                    self.preset_cells(file, index, vals);
                }
            }
        }
    }

    fn preset_cells(&mut self, file: File, index: u32, vals: [Deferred; 4]) {
        let Some(home) = self.registers.file(file).map(|f| f.home(index)) else { return };
        match home {
            Home::Cells(first) => {
                for (comp, val) in (0..4).zip(vals) {
                    self.l.set(first.offset(comp), val);
                }
            }
            Home::Array(arrays, element) => {
                for (array, val) in arrays.into_iter().zip(vals) {
                    let element = self.l.b.i32(element);
                    self.l.store(array, element, val);
                }
            }
        }
    }

    /// Takes a register spelling apart and makes sure the register exists: file, first index if there are two, index.
    fn spelled(&self, name: &str) -> Option<(File, Option<u32>, u32)> {
        let spelling = Spelling::parse(name)?;
        let file = File::from_name(spelling.file)?;
        let (dim, index) = match spelling.indices.len() {
            1 => (None, spelling.number(0)?),
            2 if file == File::Const => (Some(spelling.number(0)?), spelling.number(1)?),
            _ => return None,
        };
        let bank = dim.unwrap_or(0);
        let exists = match file {
            File::Imm => (index as usize) < self.program.immediates.len(),
            File::Const | File::In | File::Out | File::Temp | File::Addr | File::Sv => {
                self.program.declarations.iter().any(|d| {
                    let of_bank = match d.dim {
                        Some(DeclDim::Number(n)) => n == bank,
                        _ => bank == 0,
                    };
                    d.file == file && of_bank && (d.first..=d.last).contains(&index)
                })
            }
            _ => false,
        };
        exists.then_some((file, dim, index))
    }

    fn no_register(&mut self, access: Access, name: &str) {
        let help = "spellings: IN[0] OUT[0] TEMP[0] CONST[0] CONST[1][0] SV[0] ADDR[0]";
        self.diags.push(access.refuse(name, "the program declares no such register", help));
    }

    /// Sets the outputs from what the OUT registers hold.
    pub(crate) fn outputs(&mut self) {
        let program = self.program;
        for decl in program.declarations.iter().filter(|d| d.file == File::Out) {
            for index in decl.first..=decl.last {
                let semantic = decl.semantic.map(|(name, n)| (name, n + (index - decl.first)));
                let role = output_role(program.processor, semantic, index);
                let written = self.registers.written[index as usize];
                let mut comps = [None; 4];
                for (comp, val) in comps.iter_mut().enumerate() {
                    if written >> comp & 1 != 0 {
                        *val = Some(self.output_component(index, comp, role));
                    }
                }
                self.l.output(format!("OUT[{index}]"), role, comps, Type::F32);
            }
        }
    }

    /// A component as the output takes it.
    fn output_component(&mut self, index: u32, comp: usize, role: OutputRole) -> Deferred {
        let val = self.register_component(File::Out, index, comp);
        match role {
            OutputRole::SampleMask | OutputRole::Stencil => self.l.force(val, Type::I32).into(),
            _ => self.l.moved(val, Decl::F32).into(),
        }
    }

    /// Reports the registers the caller watches.
    pub(crate) fn watches(&mut self, options: &Options) {
        for name in &options.watch {
            let Some((file, dim, index)) = self.spelled(name) else {
                self.no_register(Access::Watch, name);
                continue;
            };
            let reg = Reg {
                file,
                dim: dim.map(|n| Index::number(n as i32)),
                index: Index::number(index as i32),
                span: Span::default(),
            };
            let vals = [0, 1, 2, 3].map(|comp| Some(self.component(&reg, comp)));
            self.l.watch(name, vals);
        }
    }
}
