//! Program to IR.
//!
//! Order inside an instruction (NV_fragment_program rev 73, sections 3.11.4 and 3.11.5; US 7136070 tables 2 to 4): read
//! at storage precision, swizzle, signs and bars; convert to the operation's precision; operate; clamp; convert to the
//! destination's format; write where mask and condition test allow; update the condition code from the converted value.

mod alu;
mod comments;
mod flow;
mod interface;
mod jumps;
mod lines;
mod microcode;
mod operand;
mod outputs;
mod registers;
mod texture;

use crate::ast::{Base, Instr, NameId, NameKind, Program};
use crate::dialect::{Dialect, Features};
use crate::{print, table::Group};
use lines::Lines;
use parallax_core::{EntityRef, Func, OpKind, Shader, SourceId, Stage, Symbolic, Type, ValueId};
use parallax_lift::{Access, Deferred, Label, Lifter, Options, Setting, Spelling, VarId};
use parallax_num::Op;
use parallax_text::Diag;
use registers::{Alias, Registers};
use rustc_hash::FxHashMap;

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

/// Lifts a program that [`crate::parse`] accepted. `text` is the text it was read from, for places and listings.
pub fn lift(program: &Program, text: &str, options: &Options) -> Result<Shader<Symbolic>, Vec<Diag>> {
    let mut problems = options.check(SETTINGS);
    let branches = program.instrs().any(|instr| instr.row.group == Group::Flow);
    if branches && options.value(&SETTINGS[0]) == "tagged" {
        let message = "tagged registers need a program without flow control: a chunk's format must be known everywhere";
        problems.push(parallax_lift::unplaced("nvfp-alias", message).with_help("use `alias=separate` or `alias=bits`"));
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let stage = if program.dialect.is_vertex() { Stage::Vertex } else { Stage::Fragment };
    let mut func = Func::new(program.dialect.name(), "nvfp", stage);
    // The others are machine code and its assembly.
    func.uncompiled = program.dialect.is_arb();
    if program.dialect.is_words() {
        func.sources = microcode::sources(program);
    }
    interface::declare(program, &mut func);
    // What a usual instruction comes to, so that the lists seldom grow.
    func.reserve(program.body.len() * 8);
    let named = interface::named_parameters(program, &mut func);
    interface::embedded(program, options, &mut func.iface.constants);
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

/// A program being lifted.
pub(crate) struct Unit<'p, 'f> {
    program: &'p Program,
    options: &'p Options,
    text: &'p str,
    lines: Lines<'p>,
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
    calls: Vec<Box<str>>,
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
        registers.begin(&mut lifter);
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
            lines: Lines::new(text),
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
            } else if spelling == "cc1" && self.has_two_codes() {
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
            Dialect::ArbVertex => "registers: result.position, cc, or a declared name",
            Dialect::Vp10 | Dialect::Vp11 => "registers: R0, o[HPOS]",
            Dialect::Vp20 => "registers: R0, o[HPOS], cc",
            Dialect::Nv40Vertex => "registers: R0, o[HPOS], cc, cc1",
        };
        self.diags.push(access.refuse(spelling, why, help));
    }

    fn instrs(&self) -> impl Iterator<Item = &'p Instr> + use<'p> {
        self.program.instrs()
    }

    /// Whether there is a second condition code.
    fn has_two_codes(&self) -> bool {
        self.program.dialect.is_words() || self.program.features.contains(Features::VP3)
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

    /// An instruction as it stands in the text, with its `;`, if that is one line without a comment.
    fn written(&self, span: parallax_text::Span) -> Option<&'p str> {
        let whole = self.text.get(span.start as usize..span.end as usize + 1)?;
        let (b';', bytes) = whole.as_bytes().split_last()? else { return None };
        // No byte ends the search, so that many are looked at together.
        let is_line = bytes.iter().fold(true, |all, &b| all & (b' '..=b'~').contains(&b) & (b != b'#') & (b != b';'));
        let has_slash = bytes.iter().fold(false, |any, &b| any | (b == b'/'));
        (is_line && !(has_slash && whole.contains("//"))).then_some(whole)
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
        if self.program.dialect == Dialect::Nv40Vertex {
            let at = span.start as usize / crate::nv40vp::BYTES;
            return self.lifter.at((at < self.program.vertex_microcode.len()).then(|| SourceId::new(at)));
        }
        let line = self.lines.line(span.start);
        let source = match self.written(span) {
            Some(text) => self.lifter.add_source(line, span.start, text),
            None => self.lifter.add_source(line, span.start, &print::instruction(self.program, instr)),
        };
        self.lifter.at(Some(source));
    }
}
