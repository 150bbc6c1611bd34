//! The register files and how they share storage.
//!
//! Three policies, one mechanism: every register component is one or two variables.
//! - *Separate*: each file has its own 32-bit-or-narrower variables (NV_fragment_program since revision 62).
//! - *Tagged*: R, H and I registers of one 128-bit chunk share it; a chunk read in another format than it was last
//!   written in gives zeros (US 7136070, section on register files). Programs of that dialect have no branches, so the tag
//!   of a chunk is known while lifting.
//! - *Bits*: R and H registers overlap bit for bit, as on NV40: variables of 16 bits for each chunk that a program uses in
//!   both formats, else those of its one format.

use crate::ast::{Base, File, NameId, NameKind, Out, Program, Size, TARGETS};
use crate::dialect::{Dialect, Features, NV_VERTEX_RESULTS, VERTEX_RESULTS, result};
use crate::print;
use parallax_core::{Type, ValueId};
use parallax_lift::{Deferred, Lifter, Options, Spelling, VarId};
use parallax_num::{Decl, Op};

/// How registers share storage.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Alias {
    Separate,
    Tagged,
    Bits,
}

/// A writable register.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Register {
    /// Numbered temporary.
    Temp(File, u8),
    /// Output register.
    Out(Out),
    /// Declared temporary.
    Name(usize),
}

pub(super) struct Registers {
    alias: Alias,
    dialect: Dialect,
    /// First variable of R0, H0, I0 (separate and tagged).
    files: [VarId; 3],
    /// Registers of each file, as far as they are used.
    counts: [u8; 3],
    /// First 16-bit variable of chunk 0 (bits).
    chunks: VarId,
    /// Formats each chunk is used in: R 1, H 2 (bits).
    used: [u8; CHUNKS],
    /// Format each chunk was last written in (tagged).
    tags: [Option<File>; CHUNKS],
    outs: VarId,
    /// First variable, format and spelling of each declared name; no variables for names that are no temporaries.
    names: Vec<(VarId, Decl, String)>,
    /// Outputs that instructions write, by their numbers.
    written: u64,
    /// First variable and format of the temporary that each name stands for.
    places: Vec<Option<(VarId, Decl)>>,
    /// Format of the colour of each render target.
    colors: [Decl; TARGETS as usize],
}

/// The number of a render target.
fn target(out: Out) -> usize {
    if let Out::Target(n) = out { usize::from(n) } else { 0 }
}

/// 128-bit chunks: enough for the largest dialect.
const CHUNKS: usize = 48;

impl Registers {
    /// The registers of a program, with those that the caller names and those that are `outputs`.
    pub(super) fn new(
        program: &Program,
        alias: Alias,
        options: &Options,
        outputs: impl Iterator<Item = Register>,
        lifter: &mut Lifter<'_>,
    ) -> Self {
        let nowhere = lifter.add_variables(0);
        let mut registers = Registers {
            alias,
            dialect: program.dialect,
            files: [nowhere; 3],
            // Of registers nobody writes, R0 is the colour.
            counts: [1, 0, 0],
            chunks: nowhere,
            used: [0; CHUNKS],
            tags: [None; CHUNKS],
            outs: nowhere,
            names: Vec::new(),
            written: 0,
            places: Vec::new(),
            colors: [Decl::F32; TARGETS as usize],
        };
        for name in &program.names {
            let decl = match name.kind {
                NameKind::Temp(Size::Short) => Decl::F16,
                NameKind::Output(out @ (Out::Colr | Out::Target(_)), Size::Short) => {
                    registers.colors[target(out)] = Decl::F16;
                    Decl::F16
                }
                _ => Decl::F32,
            };
            registers.names.push((nowhere, decl, name.text.clone()));
        }
        for instr in program.instrs() {
            if let Some(Register::Out(out)) = instr.dst.as_ref().and_then(|dst| registers.of_base(program, &dst.base)) {
                registers.written |= 1 << out.number();
            }
            let bases = instr.dst.iter().map(|dst| &dst.base).chain(instr.srcs.iter().map(|src| &src.base));
            for base in bases {
                if let Base::Temp(file, n) = base {
                    registers.uses(*file, *n);
                }
            }
        }
        let spelled = options.watch.iter().chain(&options.preset);
        let spelled: Vec<Register> = spelled.filter_map(|spelling| registers.find(program, spelling)).collect();
        for register in spelled.into_iter().chain(outputs) {
            if let Register::Temp(file, n) = register {
                registers.uses(file, n);
            }
        }
        registers.allocate(program, lifter);
        registers
    }

    /// Notes that a numbered register is read or written.
    fn uses(&mut self, file: File, n: u8) {
        // Both H or I registers of a chunk are written when its format changes.
        let last = if file == File::R { n } else { n | 1 };
        let count = &mut self.counts[file as usize];
        *count = (*count).max(last + 1);
        if file != File::I {
            self.used[usize::from(chunk(file, n))] |= 1 << file as u8;
        }
    }

    /// Makes the variables, once it is known what is used.
    fn allocate(&mut self, program: &Program, lifter: &mut Lifter<'_>) {
        self.files = self.counts.map(|count| lifter.add_variables(u32::from(count) * 4));
        let mixed = self.used.iter().rposition(|used| *used == 3).filter(|_| self.alias == Alias::Bits);
        self.chunks = lifter.add_variables(mixed.map_or(0, |last| last as u32 + 1) * 8);
        let further = if program.features.contains(Features::DRAW_BUFFERS) { TARGETS - 1 } else { 0 };
        let outs = if program.dialect.is_vertex() { Out::COUNT } else { 3 + further };
        self.outs = lifter.add_variables(u32::from(outs) * 4);
        for (name, (variables, ..)) in program.names.iter().zip(&mut self.names) {
            let count = match name.kind {
                NameKind::Temp(_) => 4,
                NameKind::Address => 4,
                _ => 0,
            };
            *variables = lifter.add_variables(count);
        }
        let place = |n: usize| match self.of_base(program, &Base::Name(NameId(n), None)) {
            Some(Register::Name(n)) => Some((self.names[n].0, self.names[n].1)),
            _ => None,
        };
        self.places = (0..program.names.len()).map(place).collect();
    }

    /// Sets what registers hold when a program begins, where that is not 0: results are (0, 0, 0, 1), and clip distances 0
    /// (NV_vertex_program, section 2.14.1.5; NV_vertex_program2_option, section 2.14.3.4).
    pub(super) fn begin(&self, lifter: &mut Lifter<'_>) {
        if !(self.dialect.is_nv_vertex() || self.dialect == Dialect::Nv40Vertex) {
            return;
        }
        let clips = result::CLIP0..result::CLIP0 + 6;
        for n in (0..VERTEX_RESULTS.len() as u8).filter(|n| !clips.contains(n)) {
            let w = self.variable(Register::Out(Out::Vertex(n)), 3);
            lifter.set(w, Deferred::word(1.0f32.to_bits()));
        }
    }

    /// Whether a register shares bits with one of another format that is used.
    fn is_mixed(&self, file: File, n: u8) -> bool {
        self.alias == Alias::Bits && file != File::I && self.used[usize::from(chunk(file, n))] == 3
    }

    /// The register an operand names, if it is one.
    pub(super) fn of_base(&self, program: &Program, base: &Base) -> Option<Register> {
        match base {
            Base::Temp(file, n) => Some(Register::Temp(*file, *n)),
            Base::Out(out) => Some(Register::Out(*out)),
            Base::Name(id, None) => {
                let target = program.target(*id);
                match program.names[target.0].kind {
                    NameKind::Temp(_) => Some(Register::Name(target.0)),
                    NameKind::Output(out, _) => Some(Register::Out(out)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The register a caller spells.
    pub(super) fn find(&self, program: &Program, spelling: &str) -> Option<Register> {
        if let Some(n) = program.names.iter().position(|n| n.text == spelling) {
            return self.of_base(program, &Base::Name(crate::ast::NameId(n), None));
        }
        let parts = Spelling::parse(spelling)?;
        let number = parts.number(0).filter(|_| parts.indices.len() == 1);
        match (parts.file, number) {
            ("R", Some(n)) if n < if self.dialect == Dialect::Nv40 { 48 } else { 32 } => {
                Some(Register::Temp(File::R, n as u8))
            }
            ("H", Some(n)) if n < 64 && !self.dialect.is_vertex() => Some(Register::Temp(File::H, n as u8)),
            ("I", Some(n)) if n < 8 && !self.dialect.is_vertex() => Some(Register::Temp(File::I, n as u8)),
            ("o", None) if parts.indices.len() == 1 && self.dialect.is_vertex() => {
                let number = NV_VERTEX_RESULTS.iter().position(|result| *result == parts.indices[0])?;
                (self.dialect != Dialect::ArbVertex).then_some(Register::Out(Out::Vertex(number as u8)))
            }
            ("o", None) if parts.indices.len() == 1 => match parts.indices[0] {
                "COLR" => Some(Register::Out(Out::Colr)),
                "COLH" => Some(Register::Out(Out::Colh)),
                "DEPR" => Some(Register::Out(Out::Depr)),
                _ => None,
            },
            ("result.color", None) if self.dialect == Dialect::ArbVertex => Some(Register::Out(Out::Vertex(1))),
            ("result.color", None) => Some(Register::Out(Out::Colr)),
            ("result.color", Some(n))
                if n < u32::from(TARGETS) && program.features.contains(Features::DRAW_BUFFERS) =>
            {
                Some(Register::Out(Out::color(n as u8)))
            }
            ("result.depth", None) => Some(Register::Out(Out::Depr)),
            _ if self.dialect == Dialect::ArbVertex => {
                let number = VERTEX_RESULTS.iter().position(|result| *result == spelling)?;
                Some(Register::Out(Out::Vertex(number as u8)))
            }
            _ => None,
        }
    }

    /// Whether an instruction writes an output.
    pub(super) fn is_written(&self, out: Out) -> bool {
        self.written >> out.number() & 1 != 0
    }

    /// The first of four variables of an address register.
    pub(super) fn address(&self, id: NameId) -> VarId {
        self.names[id.0].0
    }

    pub(super) fn output(&self, out: Out) -> Register {
        Register::Out(out)
    }

    /// Storage format.
    pub(super) fn decl(&self, register: Register) -> Decl {
        match register {
            Register::Temp(file, _) => file_decl(file),
            Register::Out(Out::Colh) => Decl::F16,
            Register::Out(out @ (Out::Colr | Out::Target(_))) => self.colors[target(out)],
            Register::Out(Out::Depr | Out::Vertex(_)) => Decl::F32,
            Register::Name(n) => self.names[n].1,
        }
    }

    pub(super) fn spelling(&self, register: Register) -> String {
        match register {
            Register::Temp(file, n) => format!("{}{n}", file.letter()),
            Register::Out(out) => print::output(self.dialect, out),
            Register::Name(n) => self.names[n].2.clone(),
        }
    }

    /// The register that chunk `n` was last written as (tagged only); R when it never was.
    pub(super) fn last_written(&self, n: u8) -> Register {
        let file = self.tags[usize::from(n)].unwrap_or(File::R);
        let first = if file == File::R { n } else { n * 2 };
        Register::Temp(file, first)
    }

    fn variable(&self, register: Register, comp: u8) -> VarId {
        let comp = u32::from(comp);
        match register {
            Register::Temp(file, n) => {
                debug_assert!(n < self.counts[file as usize], "{register:?} was not counted");
                self.files[file as usize].offset(u32::from(n) * 4 + comp)
            }
            Register::Out(out) => self.outs.offset(u32::from(out.number()) * 4 + comp),
            Register::Name(n) => self.names[n].0.offset(comp),
        }
    }

    /// The first of four variables of a temporary that shares nothing with registers of other formats, and its own.
    #[inline]
    pub(super) fn sole(&self, base: &Base) -> Option<(VarId, Decl)> {
        match *base {
            Base::Temp(file, n) => {
                let shares = self.alias == Alias::Tagged || self.is_mixed(file, n);
                (!shares).then(|| (self.files[file as usize].offset(u32::from(n) * 4), file_decl(file)))
            }
            Base::Name(id, None) => self.places[id.0],
            _ => None,
        }
    }

    /// The two 16-bit variables of an R component, or the one of an H component, under `bits`.
    fn halves(&self, file: File, n: u8, comp: u8) -> Option<(VarId, Option<VarId>)> {
        if !self.is_mixed(file, n) {
            return None;
        }
        let (n, comp) = (u32::from(n), u32::from(comp));
        match file {
            File::R => {
                let low = self.chunks.offset(n * 8 + comp * 2);
                Some((low, Some(low.offset(1))))
            }
            File::H => Some((self.chunks.offset(n * 4 + comp), None)),
            File::I => None,
        }
    }

    /// What a component holds, at storage precision.
    pub(super) fn read(&self, lifter: &mut Lifter<'_>, register: Register, comp: u8) -> Deferred {
        if let Register::Temp(file, n) = register {
            match self.alias {
                Alias::Tagged => {
                    let tag = self.tags[usize::from(chunk(file, n))];
                    // Never written: initially zero in every format.
                    if tag.is_some_and(|t| t != file) {
                        return Deferred::word(0);
                    }
                }
                Alias::Bits => {
                    if let Some((low, high)) = self.halves(file, n, comp) {
                        let word = lifter.read_bits(low);
                        let Some(high) = high else { return Deferred::value(word) };
                        let high = lifter.read_bits(high);
                        let sixteen = lifter.b.i32(16);
                        let shifted = lifter.b.int(Op::Shl, &[high, sixteen]);
                        return Deferred::value(lifter.b.int(Op::Ior, &[shifted, word]));
                    }
                }
                Alias::Separate => {}
            }
        }
        let variable = self.variable(register, comp);
        lifter.get(variable)
    }

    /// Whether two registers hold storage in common.
    pub(super) fn overlap(&self, a: Register, b: Register) -> bool {
        match (a, b) {
            (Register::Temp(file, n), Register::Temp(other, m)) if file != other => {
                let shared = match self.alias {
                    Alias::Separate => false,
                    Alias::Tagged => true,
                    Alias::Bits => file != File::I && other != File::I,
                };
                shared && chunk(file, n) == chunk(other, m)
            }
            _ => a == b,
        }
    }

    /// Whether the words a caller gives are bits of the register's format or of storage that other formats share, not
    /// binary32 numbers.
    pub(super) fn preset_by_bits(&self, register: Register) -> bool {
        let shared = matches!(register, Register::Temp(file, n) if self.is_mixed(file, n));
        shared || self.decl(register) != Decl::F32
    }

    /// Sets the initial value of a component.
    pub(super) fn preset(&mut self, lifter: &mut Lifter<'_>, register: Register, comp: u8, val: Deferred) {
        if let Register::Temp(file, n) = register {
            self.tags[usize::from(chunk(file, n))] = Some(file);
        }
        self.write(lifter, register, comp, val, None);
    }

    /// Announces that an instruction writes `register` under `mask`: a chunk that changes its format loses what it
    /// held, components not written included.
    pub(super) fn retag(&mut self, lifter: &mut Lifter<'_>, register: Register) {
        let Register::Temp(file, n) = register else { return };
        if self.alias != Alias::Tagged {
            return;
        }
        let chunk = chunk(file, n);
        if self.tags[usize::from(chunk)] == Some(file) {
            return;
        }
        self.tags[usize::from(chunk)] = Some(file);
        let zero = Deferred::word(0);
        let members: &[u8] = if file == File::R { &[chunk] } else { &[chunk * 2, chunk * 2 + 1] };
        for &member in members {
            for comp in 0..4 {
                let variable = self.variable(Register::Temp(file, member), comp);
                lifter.set(variable, zero);
            }
        }
    }

    /// Sets a component, in lanes where `pred` holds if there is one.
    pub(super) fn write(
        &self,
        lifter: &mut Lifter<'_>,
        register: Register,
        comp: u8,
        val: Deferred,
        pred: Option<ValueId>,
    ) {
        let set = |lifter: &mut Lifter<'_>, variable: VarId, val: Deferred| match pred {
            None => lifter.set(variable, val),
            Some(pred) => lifter.set_if(pred, variable, val),
        };
        if let (Alias::Bits, Register::Temp(file, n)) = (self.alias, register)
            && let Some((low, high)) = self.halves(file, n, comp)
        {
            let own = lifter.type_of(val).unwrap_or(Type::Float(file_decl(file)));
            let value = lifter.force(val, own);
            let word = lifter.convert(value, Type::I32);
            let mask = lifter.b.i32(0xffff);
            let bottom = lifter.b.int(Op::Iand, &[word, mask]);
            set(lifter, low, Deferred::value(bottom));
            if let Some(high) = high {
                let sixteen = lifter.b.i32(16);
                let top = lifter.b.int(Op::Ushr, &[word, sixteen]);
                set(lifter, high, Deferred::value(top));
            }
            return;
        }
        let variable = self.variable(register, comp);
        set(lifter, variable, val);
    }
}

/// The 128-bit chunk a register lies in.
fn chunk(file: File, n: u8) -> u8 {
    if file == File::R { n } else { n / 2 }
}

/// Storage format of a file.
pub(super) fn file_decl(file: File) -> Decl {
    match file {
        File::R => Decl::F32,
        File::H => Decl::F16,
        File::I => Decl::Fx12,
    }
}
