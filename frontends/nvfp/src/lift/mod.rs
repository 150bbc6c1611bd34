//! Program to IR.
//!
//! Order inside an instruction (NV_fragment_program rev 73, sections 3.11.4 and 3.11.5; US 7136070 tables 2 to 4): read
//! at storage precision, swizzle, signs and bars; convert to the operation's precision; operate; clamp; convert to the
//! destination's format; write where mask and condition test allow; update the condition code from the converted value.

mod alu;
mod comments;
mod flow;
mod microcode;
mod operand;
mod registers;
mod texture;

use crate::ast::{Base, Instr, NameId, NameKind, Out, ParamFile, ParamItem, Program, StmtKind, TARGETS};
use crate::dialect::{ATTRIBUTES, Dialect, Features, VERTEX_ATTRIBUTES, VERTEX_RESULTS};
use crate::{print, table::Group};
use parallax_core::{
    AttrDecl, AttrSemantic, BankDecl, ConstDecl, EntityRef, Func, Interp, Location, OpKind, OutputDecl, OutputRole,
    Shader, SourceId, Stage, Symbolic, Type, ValueId,
};
use parallax_lift::vector::one;
use parallax_lift::{Access, Deferred, Label, Lifter, Options, Setting, Spelling, VarId};
use parallax_num::{Decl, Op, Saturate, Slot};
use parallax_text::{Diag, LineMap};
use registers::{Alias, Registers};
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// Frontend options.
pub const SETTINGS: &[Setting] = &[
    Setting {
        name: "alias",
        values: &["dialect", "tagged", "separate", "bits"],
        doc: "how R, H and I registers share storage: one format tag per 128-bit chunk, not at all, or bit for bit; the \
              patent dialect is tagged, the other texts separate, microcode shares bits",
    },
    Setting {
        name: "depth",
        values: &["dialect", "none", "r1.x", "r1.z"],
        doc: "register component used as depth output if the program has no depth register",
    },
    Setting {
        name: "depth-range",
        values: &["dialect", "any"],
        doc: "what a depth outside [0, 1] does: `!!FP1.0` discards the fragment, `!!ARBfp1.0` clamps; `any` keeps it, as with \
              depth clamping or a float depth buffer",
    },
    Setting {
        name: "derivatives",
        values: &["fine", "coarse"],
        doc: "DDX and DDY from the fragment's own row and column, or one value for the whole quad",
    },
    Setting {
        name: "color",
        values: &["control", "r", "h"],
        doc: "microcode: colours are R0, R2, R3, R4 or H0, H4, H6, H8; without a control word, and unless this says it, the \
              one of R0 and H0 that is written last",
    },
    Setting { name: "colors", values: &["1", "2", "3", "4"], doc: "microcode: how many colours are outputs" },
    Setting {
        name: "lookup-level",
        values: &["source", "w"],
        doc: "microcode: TXL and TXB take their level from x of the second source, or from w of the first",
    },
    Setting {
        name: "perspective",
        values: &["multiply", "ignore"],
        doc: "microcode: whether attributes read with the perspective flag are multiplied by 1/w",
    },
    Setting {
        name: "signed-bytes",
        values: &["biased", "twos-complement"],
        doc: "how PK4B and UP4B encode signed bytes: with 128 added, or in two's complement",
    },
    shape("texture0"),
    shape("texture1"),
    shape("texture2"),
    shape("texture3"),
    shape("texture4"),
    shape("texture5"),
    shape("texture6"),
    shape("texture7"),
    shape("texture8"),
    shape("texture9"),
    shape("texture10"),
    shape("texture11"),
    shape("texture12"),
    shape("texture13"),
    shape("texture14"),
    shape("texture15"),
];

/// Where the options that shape the textures of units begin in [`SETTINGS`].
const SHAPES: usize = 9;

const fn shape(name: &'static str) -> Setting {
    Setting {
        name,
        values: &["2d", "1d", "3d", "cube", "rect", "shadow1d", "shadow2d", "shadowrect"],
        doc: "microcode: the shape of the unit's texture, which is state and no part of the words; a Cg binary says it by the \
              types of its samplers",
    }
}

/// Bank of numbered (`c[]`, `p[]`) or local parameters.
const BANK_LOCAL: u16 = 0;
/// Bank of `program.env[]`.
const BANK_ENV: u16 = 1;
/// Bank of named parameters: `DECLARE` without number and `state.*`, in order of first use.
const BANK_NAMED: u16 = 2;

/// Lifts a program that [`crate::parse`] accepted. `text` is the text it was read from, for places and listings.
pub fn lift(program: &Program, text: &str, options: &Options) -> Result<Shader<Symbolic>, Vec<Diag>> {
    let mut problems = options.check(SETTINGS);
    let branches = program.body.iter().any(|s| matches!(&s.kind, StmtKind::Instr(i) if i.row.group == Group::Flow));
    if branches && options.value(&SETTINGS[0]) == "tagged" {
        let message = "tagged registers need a program without flow control: a chunk's format must be known everywhere";
        problems.push(parallax_lift::unplaced("nvfp-alias", message).with_help("use `alias=separate` or `alias=bits`"));
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let stage = if program.dialect == Dialect::ArbVertex { Stage::Vertex } else { Stage::Fragment };
    let mut func = Func::new(program.dialect.name(), "nvfp", stage);
    // The others are machine code and its assembly.
    func.uncompiled = program.dialect.is_arb();
    if program.dialect == Dialect::Nv40 {
        func.sources = microcode::sources(program);
    }
    interface(program, &mut func);
    // What a usual instruction comes to, so that the lists seldom grow.
    func.reserve(program.body.len() * 8);
    let named = named_parameters(program, &mut func);
    comments::defaults(program, text, &mut func.iface.constants);
    let result = {
        let lifter = Lifter::new(&mut func);
        let mut unit = Unit::new(program, text, options, lifter, named);
        unit.presets(options);
        unit.body();
        unit.outputs();
        let Unit { lifter, mut diags, .. } = unit;
        match lifter.finish() {
            Ok(()) if diags.is_empty() => Ok(()),
            Ok(()) => Err(diags),
            Err(more) => {
                diags.extend(more);
                Err(diags)
            }
        }
    };
    result.map(|()| Shader::new(func))
}

/// Attributes in their fixed order.
fn attributes(dialect: Dialect) -> Vec<AttrDecl> {
    let one = |(n, name): (usize, &&str)| {
        let (semantic, interp) = match n {
            0 => (AttrSemantic::Position, Interp::Linear),
            1 | 2 => (AttrSemantic::Color(n as u16 - 1), Interp::Color),
            3 => (AttrSemantic::Fog, Interp::Perspective),
            14 => (AttrSemantic::Face, Interp::Flat),
            _ => (AttrSemantic::TexCoord(n as u16 - 4), Interp::Perspective),
        };
        let name = match dialect {
            Dialect::Patent => format!("p[{n}]"),
            Dialect::Fp10 | Dialect::Nv40 => format!("f[{name}]"),
            Dialect::Arb | Dialect::ArbVertex => print::arb_attribute(n as u8),
        };
        AttrDecl { name, semantic, interp, location: Location::Center }
    };
    ATTRIBUTES.iter().enumerate().map(one).collect()
}

/// Attributes of a vertex program, by the names that it reads them by.
fn vertex_attributes(program: &Program) -> Vec<AttrDecl> {
    let count = VERTEX_ATTRIBUTES.len() as u8;
    let declared = program.names.iter().filter_map(|name| match &name.kind {
        NameKind::Attrib(base) => Some(base),
        _ => None,
    });
    let read = program.body.iter().filter_map(|stmt| match &stmt.kind {
        StmtKind::Instr(instr) => Some(&instr.srcs),
        _ => None,
    });
    let bases = declared.chain(read.flatten().map(|src| &src.base));
    let by_number: Vec<u8> = bases.filter_map(|base| if let Base::Attr(n) = base { Some(*n) } else { None }).collect();
    let one = |n: u8| AttrDecl {
        name: print::vertex_attribute(if by_number.contains(&(n + count)) { n + count } else { n }),
        semantic: AttrSemantic::Generic(u16::from(n)),
        interp: Interp::Flat,
        location: Location::Center,
    };
    (0..count).map(one).collect()
}

/// Attributes, and the constant banks.
fn interface(program: &Program, func: &mut Func) {
    // The same for all microcode.
    static MICROCODE: LazyLock<Vec<AttrDecl>> = LazyLock::new(|| attributes(Dialect::Nv40));
    let is_text = program.dialect != Dialect::Nv40;
    func.iface.attrs = match program.dialect {
        Dialect::Nv40 => MICROCODE.clone(),
        Dialect::ArbVertex => vertex_attributes(program),
        dialect => attributes(dialect),
    };
    let (local, env) = match program.dialect {
        Dialect::Patent => ("c", "-"),
        Dialect::Fp10 | Dialect::Nv40 => ("p", "-"),
        Dialect::Arb | Dialect::ArbVertex => ("program.local", "program.env"),
    };
    let len = |bank: ParamFile| {
        let mut len = 0u32;
        let mut see = |file: ParamFile, n: u16| {
            let same = match file {
                ParamFile::Env => bank == ParamFile::Env,
                ParamFile::Local | ParamFile::Numbered => bank != ParamFile::Env,
            };
            if same {
                len = len.max(u32::from(n) + 1);
            }
        };
        for name in &program.names {
            let NameKind::Param { items, .. } = &name.kind else { continue };
            for item in items {
                match item {
                    ParamItem::Param(file, n) | ParamItem::Range(file, _, n) => see(*file, *n),
                    ParamItem::Const(_) | ParamItem::State(_) => {}
                }
            }
        }
        for stmt in program.body.iter().filter(|_| is_text) {
            let StmtKind::Instr(instr) = &stmt.kind else { continue };
            for src in &instr.srcs {
                if let Base::Param(file, n) = src.base {
                    see(file, n);
                }
            }
        }
        len
    };
    func.iface.banks = vec![
        BankDecl { name: local.into(), len: len(ParamFile::Local), by_bytes: false },
        BankDecl { name: env.into(), len: len(ParamFile::Env), by_bytes: false },
        BankDecl { name: "named".into(), len: 0, by_bytes: false },
    ];
}

/// Numbers of the parameters that have a name instead of a number, in the third bank. Those and the names of numbered
/// ones are told to the caller, declared values with them.
fn named_parameters(program: &Program, func: &mut Func) -> FxHashMap<String, u32> {
    let mut numbers: FxHashMap<String, u32> = FxHashMap::default();
    let mut see = |name: &str, default| {
        let next = numbers.len() as u32;
        if !numbers.contains_key(name) {
            numbers.insert(name.to_string(), next);
            func.iface.constants.push(ConstDecl::new(name.to_string(), BANK_NAMED, next, default));
        }
    };
    for name in &program.names {
        match &name.kind {
            NameKind::Declare(value) => see(&name.text, value.map(|value| value.components().map(f32::to_bits))),
            NameKind::Param { items, .. } => {
                for item in items {
                    if let ParamItem::State(text) = item {
                        see(text, None);
                    }
                }
            }
            _ => {}
        }
    }
    // Words name no state.
    let is_text = program.dialect != Dialect::Nv40;
    for stmt in program.body.iter().filter(|_| is_text) {
        let StmtKind::Instr(instr) = &stmt.kind else { continue };
        for src in &instr.srcs {
            if let Base::State(text) = &src.base {
                see(text, None);
            }
        }
    }
    if program.features.contains(Features::POSITION_INVARIANT) {
        POSITION_ROWS.iter().for_each(|row| see(row, None));
    }
    func.iface.banks[usize::from(BANK_NAMED)].len = numbers.len() as u32;
    for name in &program.names {
        let NameKind::Param { items, array: None } = &program.kind(name) else { continue };
        let (bank, index) = match &items[..] {
            [ParamItem::Param(file, n)] => (bank(*file), u32::from(*n)),
            [ParamItem::State(text)] => (BANK_NAMED, numbers.get(text).copied().unwrap_or(0)),
            _ => continue,
        };
        func.iface.constants.push(ConstDecl::new(name.text.clone(), bank, index, None));
    }
    numbers
}

/// The rows of the matrix that takes vertices to clip space.
const POSITION_ROWS: [&str; 4] =
    ["state.matrix.mvp.row[0]", "state.matrix.mvp.row[1]", "state.matrix.mvp.row[2]", "state.matrix.mvp.row[3]"];

/// Bank of a file of numbered parameters.
fn bank(file: ParamFile) -> u16 {
    if file == ParamFile::Env { BANK_ENV } else { BANK_LOCAL }
}

/// A program being lifted.
pub(crate) struct Unit<'p, 'f> {
    program: &'p Program,
    options: &'p Options,
    text: &'p str,
    lines: LineMap,
    lifter: Lifter<'f>,
    registers: Registers,
    /// Four variables of each of the two condition codes.
    cc: VarId,
    /// Registers the caller wants to see, with what their variables held when the lane was killed.
    watched: Vec<Watched>,
    /// Whether the lane was killed; only kept when something is watched.
    killed: Option<VarId>,
    named: FxHashMap<String, u32>,
    fine: bool,
    depth: Option<(u8, u8)>,
    /// Colours of microcode.
    colors: Vec<registers::Register>,
    /// Whether depths are kept in range as the dialect says.
    depth_range: bool,
    /// Index registers of the open LOOPs, innermost last.
    a0: Vec<ValueId>,
    /// Where the program ends.
    end: Option<Label>,
    /// Whether a level of TXL and TXB stands in w of the coordinates.
    level_in_w: bool,
    /// Whether the perspective flag counts.
    perspective: bool,
    /// Whether signed bytes are in two's complement.
    signed_bytes: bool,
    /// Labels of the subroutines being expanded, outermost first.
    calls: Vec<String>,
    /// Number of the instruction of microcode that is likely to come next.
    next: usize,
    diags: Vec<Diag>,
}

/// A watched register.
struct Watched {
    spelling: String,
    what: Watch,
    /// Four variables with the state at the kill.
    at_kill: VarId,
}

#[derive(Copy, Clone, PartialEq)]
enum Watch {
    Register(registers::Register),
    /// A declared name that is no register.
    Name(NameId),
    Cc(u8),
}

impl<'p, 'f> Unit<'p, 'f> {
    fn new(
        program: &'p Program,
        text: &'p str,
        options: &'p Options,
        mut lifter: Lifter<'f>,
        named: FxHashMap<String, u32>,
    ) -> Self {
        let alias = match (options.value(&SETTINGS[0]), program.dialect) {
            ("tagged", _) | ("dialect", Dialect::Patent) => Alias::Tagged,
            ("bits", _) | ("dialect", Dialect::Nv40) => Alias::Bits,
            _ => Alias::Separate,
        };
        let depth = match options.value(&SETTINGS[1]) {
            "r1.x" => Some((1, 0)),
            "r1.z" => Some((1, 2)),
            "dialect" if options.control.is_some_and(|control| control & microcode::DEPTH != 0) => Some((1, 2)),
            _ => None,
        };
        let colors = match program.dialect {
            Dialect::Nv40 => microcode::colors(program, options),
            _ => Vec::new(),
        };
        let depth_register = depth.map(|(n, _)| registers::Register::Temp(crate::ast::File::R, n));
        let outputs = colors.iter().copied().chain(depth_register);
        let registers = Registers::new(program, alias, options, outputs, &mut lifter);
        let cc = lifter.add_variables(8);
        for n in 0..8 {
            let equal = Deferred::word(1);
            let equal = lifter.force(equal, Type::Cc);
            lifter.set(cc.offset(n), equal);
        }
        Unit {
            program,
            options,
            text,
            lines: LineMap::new(text),
            lifter,
            registers,
            cc,
            watched: Vec::new(),
            killed: None,
            named,
            fine: options.value(&SETTINGS[3]) == "fine",
            depth_range: options.value(&SETTINGS[2]) == "dialect",
            depth,
            colors,
            a0: Vec::new(),
            end: None,
            level_in_w: options.value(&SETTINGS[6]) == "w",
            perspective: options.value(&SETTINGS[7]) == "multiply",
            signed_bytes: options.value(&SETTINGS[8]) != "biased",
            calls: Vec::new(),
            next: 0,
            diags: Vec::new(),
        }
    }

    /// Registers, initial values and watches the caller asked for by spelling.
    fn presets(&mut self, options: &Options) {
        let mut given: Vec<(registers::Register, &str)> = Vec::new();
        for spelling in self.lifter.presets(options) {
            let Some(register) = self.registers.find(self.program, spelling) else {
                self.unknown(Access::Preset, spelling);
                continue;
            };
            let other = given.iter().find(|(other, _)| self.registers.overlap(register, *other));
            if let Some((_, other)) = other {
                let why = format!("it shares its storage with `{other}`, which is preset too");
                self.diags.push(Access::Preset.refuse(spelling, &why, "give one of them, the same in all lanes"));
                continue;
            }
            given.push((register, spelling));
            let by_bits = self.registers.preset_by_bits(register);
            for (comp, mut val) in (0..4).zip(self.lifter.preset_attr(spelling)) {
                if by_bits {
                    val = Deferred::value(self.lifter.force(val, Type::I32));
                }
                self.registers.preset(&mut self.lifter, register, comp, val);
            }
        }
        for spelling in &options.watch {
            let what = if spelling == "cc" {
                Watch::Cc(0)
            } else if spelling == "cc1" && self.program.dialect == Dialect::Nv40 {
                Watch::Cc(1)
            } else {
                let register = self.registers.find(self.program, spelling).map(Watch::Register);
                let Some(watch) = register.or_else(|| self.declared(spelling).map(Watch::Name)) else {
                    self.unknown(Access::Watch, spelling);
                    continue;
                };
                watch
            };
            let at_kill = self.lifter.add_variables(4);
            self.watched.push(Watched { spelling: spelling.clone(), what, at_kill });
        }
        if !self.watched.is_empty() && self.instrs().any(|i| i.row.group == Group::Kill) {
            let variable = self.lifter.add_variables(1);
            let no = self.lifter.b.pred(false);
            self.lifter.set(variable, no);
            self.killed = Some(variable);
        }
    }

    /// The declared name with this spelling.
    fn declared(&self, spelling: &str) -> Option<NameId> {
        let at = self.program.names.iter().position(|n| n.text == spelling)?;
        let readable = !matches!(self.program.resolve(NameId(at)).kind, NameKind::Param { array: Some(_), .. });
        readable.then_some(NameId(at))
    }

    fn unknown(&mut self, access: Access, spelling: &str) {
        let why = match Spelling::parse(spelling) {
            _ if self.declared(spelling).is_some() => "it has its own value",
            Some(_) => "it is not a register of this program",
            None => "it is not spelled like a register",
        };
        let help = match self.program.dialect {
            Dialect::Patent => "registers: R0, H0, I0, cc",
            Dialect::Nv40 => "registers: R0, H0, cc, cc1",
            Dialect::Fp10 => "registers: R0, H0, o[COLR], cc, or a declared name",
            Dialect::Arb => "registers: result.color, cc, or a declared name",
            Dialect::ArbVertex => "registers: result.position, or a declared name",
        };
        self.diags.push(access.refuse(spelling, why, help));
    }

    fn instrs(&self) -> impl Iterator<Item = &'p Instr> + use<'p> {
        let program = self.program;
        program.body.iter().filter_map(|stmt| match &stmt.kind {
            StmtKind::Instr(instr) => Some(instr),
            _ => None,
        })
    }

    /// What a watched component holds.
    fn watch_value(&mut self, what: Watch, comp: u8) -> Deferred {
        match what {
            Watch::Cc(code) => self.lifter.get(self.code(code, comp)),
            Watch::Register(register) => {
                let val = self.registers.read(&mut self.lifter, register, comp);
                // What nobody wrote is still the word that was given.
                if self.lifter.is_preset(val) { Deferred::value(self.lifter.force(val, Type::I32)) } else { val }
            }
            Watch::Name(id) => {
                let val = self.held(&Base::Name(id, None), comp).0;
                Deferred::value(self.lifter.force(val, Type::I32))
            }
        }
    }

    /// Notes the state of watched registers in lanes killed now, and removes them from coverage.
    fn discard(&mut self, pred: ValueId) {
        if let Some(killed) = self.killed {
            let before = self.lifter.read_as(killed, Type::Pred);
            let alive = self.lifter.b.int(Op::Pnot, &[before]);
            let now = self.lifter.b.int(Op::Pand, &[pred, alive]);
            for n in 0..self.watched.len() {
                let Watched { what, at_kill, .. } = self.watched[n];
                for comp in 0..4 {
                    let val = self.watch_value(what, comp);
                    self.lifter.set_if(now, at_kill.offset(u32::from(comp)), val);
                }
            }
            let either = self.lifter.b.int(Op::Por, &[before, pred]);
            self.lifter.set(killed, either);
        }
        self.lifter.b.op(OpKind::Discard, None, &[pred], &[]);
    }

    /// Colour, depth and watched registers, at the end of the program.
    fn outputs(&mut self) {
        self.lifter.at(None);
        if self.program.dialect == Dialect::ArbVertex {
            self.vertex_results();
        }
        for (n, register) in self.colours() {
            let vals: Vec<Deferred> = (0..4).map(|c| self.registers.read(&mut self.lifter, register, c)).collect();
            let (decl, name) = (self.registers.decl(register), self.registers.spelling(register));
            self.emit(name, OutputRole::Color(n), &vals, 15, Some(decl));
        }
        if let Some((register, comp, decl, name)) = self.depth_register() {
            let val = self.registers.read(&mut self.lifter, register, comp);
            let val = self.in_depth_range(val, decl);
            self.emit(name, OutputRole::Depth, &[val; 4], 4, Some(decl));
        }
        for n in 0..self.watched.len() {
            let Watched { what, at_kill, .. } = self.watched[n];
            let spelling = self.watched[n].spelling.clone();
            let decl = match what {
                Watch::Cc(_) => None,
                Watch::Name(_) => Some(Decl::F32),
                Watch::Register(register) => Some(self.registers.decl(register)),
            };
            let mut vals = Vec::new();
            for comp in 0..4 {
                let end = self.watch_value(what, comp);
                let val = match self.killed {
                    None => end,
                    Some(killed) => {
                        let killed = self.lifter.read_as(killed, Type::Pred);
                        let then = self.lifter.get(at_kill.offset(u32::from(comp)));
                        self.choose(killed, then, end, decl.map_or(Type::Cc, Type::Float))
                    }
                };
                vals.push(val);
            }
            self.emit(spelling, OutputRole::Watch, &vals, 15, decl);
        }
    }

    /// The results that a vertex program writes, and the position.
    fn vertex_results(&mut self) {
        for (n, name) in (0..).zip(VERTEX_RESULTS) {
            let register = self.registers.output(Out::Vertex(n));
            let (role, mask) = match name {
                "result.position" => (OutputRole::Position, 15),
                "result.fogcoord" | "result.pointsize" => (OutputRole::Generic(u16::from(n)), 1),
                _ => (OutputRole::Generic(u16::from(n)), 15),
            };
            let vals: Vec<Deferred> = match role {
                OutputRole::Position if self.program.features.contains(Features::POSITION_INVARIANT) => {
                    self.invariant_position()
                }
                _ if self.writes(register) => {
                    (0..4).map(|comp| self.registers.read(&mut self.lifter, register, comp)).collect()
                }
                _ => continue,
            };
            self.emit(name.into(), role, &vals, mask, Some(Decl::F32));
        }
    }

    /// The position times the rows of the matrix to clip space, as a program with DP4 has it.
    fn invariant_position(&mut self) -> Vec<Deferred> {
        let slot = self.lifter.plain(Decl::F32);
        let row = |unit: &mut Self, row: &str| {
            let place = unit.named.get(row).copied().unwrap_or(0);
            let position = (0..4).map(|comp| Deferred::attr(0, comp));
            let factors = [0, 1, 2, 3].map(|comp| unit.lifter.constant(BANK_NAMED, place, comp));
            let args: Vec<ValueId> = position.chain(factors).map(|val| unit.lifter.force(val, Type::F32)).collect();
            unit.lifter.b.num(Op::Dot4, slot, &args).into()
        };
        POSITION_ROWS.iter().map(|name| row(self, name)).collect()
    }

    /// What the dialect does to a depth outside [0, 1]: `!!FP1.0` discards the fragment, NaN too
    /// (NV_fragment_program rev 73, section 3.11.4.4), ARB clamps (ARB_fragment_program, section 3.11.4.4).
    fn in_depth_range(&mut self, val: Deferred, decl: Decl) -> Deferred {
        if !self.depth_range || self.depth.is_some() {
            return val;
        }
        let value = self.lifter.force(val, Type::Float(decl));
        if self.program.dialect == Dialect::Arb {
            let slot = self.lifter.b.slot(Slot { saturate: Saturate::Unsigned, ..Slot::plain(decl) });
            return Deferred::value(self.lifter.b.num(Op::Cvt, slot, &[value]));
        }
        let slot = self.lifter.plain(decl);
        let (zero, one) = (self.lifter.b.float(slot, 0), self.lifter.b.float(slot, one(decl)));
        let near = self.lifter.b.num(Op::FGe, slot, &[value, zero]);
        let far = self.lifter.b.num(Op::FLe, slot, &[value, one]);
        let inside = self.lifter.b.int(Op::Pand, &[near, far]);
        let outside = self.lifter.b.int(Op::Pnot, &[inside]);
        self.lifter.b.op(OpKind::Discard, None, &[outside], &[]);
        val
    }

    /// `pred ? a : b`, as bits when either holds bits.
    fn choose(&mut self, pred: ValueId, a: Deferred, b: Deferred, ty: Type) -> Deferred {
        let bits = [a, b].iter().any(|v| self.lifter.type_of(*v) == Some(Type::I32));
        let ty = if bits { Type::I32 } else { ty };
        let (a, b) = (self.lifter.force(a, ty), self.lifter.force(b, ty));
        Deferred::value(self.lifter.b.select(pred, a, b))
    }

    fn emit(&mut self, name: String, role: OutputRole, vals: &[Deferred], mask: u8, decl: Option<Decl>) {
        let index = self.lifter.b.func.iface.outputs.len() as u16;
        let mut types = [None; 4];
        for comp in (0..4u8).filter(|c| mask >> c & 1 == 1) {
            let val = vals[usize::from(comp)];
            // Words stay words: they are observed bit for bit. What is narrower has the digits of its format.
            let ty = match (self.lifter.type_of(val), decl) {
                (Some(Type::I32), Some(Decl::F32)) if role == OutputRole::Watch => Type::I32,
                (_, Some(decl)) => Type::Float(decl),
                (_, None) => Type::Cc,
            };
            types[usize::from(comp)] = Some(ty);
            let value = self.lifter.force(val, ty);
            self.lifter.b.op(OpKind::Out { index, comp }, None, &[value], &[]);
        }
        self.lifter.b.func.iface.outputs.push(OutputDecl { name, role, types });
    }

    /// The registers whose values are the fragment's colours, each with the number of its render target.
    fn colours(&self) -> Vec<(u16, registers::Register)> {
        let program = self.program;
        let first = match program.dialect {
            // R0, H0 and I0 are one chunk; the format it was last written in says which of them is meant.
            Dialect::Patent => Some(self.registers.last_written(0)),
            Dialect::Fp10 => {
                let writes = |out: Out| self.instrs().any(|i| i.dst.as_ref().is_some_and(|d| d.base == Base::Out(out)));
                let out = if writes(Out::Colr) {
                    Out::Colr
                } else if writes(Out::Colh) {
                    Out::Colh
                } else {
                    return Vec::new();
                };
                Some(self.registers.output(out))
            }
            Dialect::Nv40 => return (0..).zip(self.colors.iter().copied()).collect(),
            Dialect::ArbVertex => return Vec::new(),
            Dialect::Arb => {
                let registers = (0..TARGETS).map(|n| (u16::from(n), self.registers.output(Out::color(n))));
                return registers.filter(|(_, register)| self.writes(*register)).collect();
            }
        };
        first.map(|register| (0, register)).into_iter().collect()
    }

    /// Whether an instruction writes a register.
    fn writes(&self, register: registers::Register) -> bool {
        let of_base = |base| self.registers.of_base(self.program, base);
        self.instrs().any(|i| i.dst.as_ref().is_some_and(|d| of_base(&d.base) == Some(register)))
    }

    fn depth_register(&self) -> Option<(registers::Register, u8, Decl, String)> {
        if let Some((n, comp)) = self.depth {
            let register = self.registers.find(self.program, &format!("R{n}"))?;
            return Some((register, comp, Decl::F32, format!("R{n}")));
        }
        if matches!(self.program.dialect, Dialect::Patent | Dialect::ArbVertex | Dialect::Nv40) {
            return None;
        }
        let register = self.registers.output(Out::Depr);
        self.writes(register).then(|| (register, 2, self.registers.decl(register), self.registers.spelling(register)))
    }

    /// An instruction as it stands in the text, with its `;`, if that is one line without a comment.
    fn written(&self, span: parallax_text::Span) -> Option<&'p str> {
        let whole = self.text.get(span.start as usize..span.end as usize + 1)?;
        let is_one = whole.bytes().all(|b| matches!(b, b' '..=b'~') && b != b'#') && !whole.contains("//");
        (is_one && whole.find(';') == Some(whole.len() - 1)).then_some(whole)
    }

    /// Makes an instruction the origin of what follows.
    fn begin(&mut self, instr: &Instr, span: parallax_text::Span) {
        if self.program.dialect == Dialect::Nv40 {
            let microcode = &self.program.microcode;
            // What is between instructions belongs to the block it opens or closes.
            let at = match microcode.get(self.next) {
                Some(instr) if instr.offset() == span.start => Ok(self.next),
                _ => microcode.binary_search_by_key(&span.start, |instr| instr.offset()),
            };
            self.next = at.map_or(self.next, |at| at + 1);
            return self.lifter.at(at.ok().map(SourceId::new));
        }
        let line = self.lines.line(span.start);
        let source = match self.written(span) {
            Some(text) => self.lifter.add_source(line, span.start, text),
            None => self.lifter.add_source(line, span.start, &print::instruction(self.program, instr)),
        };
        self.lifter.at(Some(source));
    }
}
