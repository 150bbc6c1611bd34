//! Programs as a tree, and their text.

use crate::tgsi_walk::opcodes::{Change, Opcode};
use std::fmt::Write;

/// Registers of each kind that have no other purpose.
pub(crate) const TEMPS: u32 = 6;
/// Registers of the array behind them.
pub(crate) const ARRAY: u32 = 4;
/// First register of the loops.
pub(crate) const COUNTERS: u32 = TEMPS + ARRAY;
pub(crate) const INPUTS: u32 = 4;
pub(crate) const OUTPUTS: u32 = 2;
/// Constants of each of two banks.
pub(crate) const CONSTANTS: u32 = 8;
/// Buffers that programs read and change; behind them comes the memory of a workgroup.
pub(crate) const BUFFERS: usize = 2;
/// Words of each of them.
pub(crate) const WORDS: usize = 14;
/// Invocations of a workgroup.
pub(crate) const GROUP: u32 = 12;
/// Temporaries that stand for inputs and outputs in kernels, and one to compute places.
const STAND_INS: u32 = 200;
const SCRATCH: u32 = STAND_INS + INPUTS + OUTPUTS;

/// What a program is about, besides arithmetic and control.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub(crate) enum Mode {
    /// Every lane for itself.
    #[default]
    Alone,
    /// Lanes ask each other.
    Votes,
    /// Buffers.
    Memory,
    /// Buffers, shared memory and barriers, in a kernel.
    Kernel,
}

#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) enum File {
    Temp,
    Out,
    Addr,
    In,
    /// Of the first bank.
    Const,
    /// Of the second one.
    Second,
    /// Of the bank that a component of the address register names.
    Named(usize),
    Imm,
}

/// A register: its number, or what is added to a component of the address register.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Reg {
    pub(crate) file: File,
    pub(crate) number: i32,
    pub(crate) relative: Option<usize>,
}

#[derive(Copy, Clone, Debug)]
pub(crate) struct Src {
    pub(crate) reg: Reg,
    pub(crate) swizzle: [usize; 4],
    pub(crate) negate: bool,
    pub(crate) absolute: bool,
}

#[derive(Copy, Clone, Debug)]
pub(crate) struct Dst {
    pub(crate) reg: Reg,
    /// Bit 0 = x.
    pub(crate) mask: usize,
}

#[derive(Clone, Debug)]
pub(crate) struct Instr {
    pub(crate) opcode: Opcode,
    pub(crate) saturate: bool,
    pub(crate) precise: bool,
    pub(crate) dst: Dst,
    pub(crate) sources: Vec<Src>,
}

#[derive(Clone, Debug)]
pub(crate) enum Stmt {
    Instr(Instr),
    /// With `bits`, `UIF`.
    If {
        bits: bool,
        condition: Src,
        then: Vec<Stmt>,
        other: Option<Vec<Stmt>>,
    },
    Loop(Vec<Stmt>),
    Switch {
        value: Src,
        /// What stands before the first label: never reached.
        before: Vec<Stmt>,
        arms: Vec<Arm>,
    },
    Break,
    Continue,
    Return,
    Call(usize),
    Kill,
    KillIf(Src),
    Access(Access),
    Barrier,
}

/// Something that reads or changes memory.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    pub(crate) kind: AccessKind,
    pub(crate) buffer: usize,
    /// Of a store, the mask alone counts.
    pub(crate) dst: Dst,
    /// Of a load: where each component comes from.
    pub(crate) swizzle: [usize; 4],
    /// The address, then the operands.
    pub(crate) sources: Vec<Src>,
}

#[derive(Copy, Clone, Debug)]
pub(crate) enum AccessKind {
    Load,
    Store,
    Atomic(&'static str, Change),
    AddFloat,
}

/// A part of a switch.
#[derive(Clone, Debug)]
pub(crate) struct Arm {
    /// The component of `IMM[1]` in `CASE`; `None` for `DEFAULT`.
    pub(crate) case: Option<usize>,
    pub(crate) body: Vec<Stmt>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Program {
    pub(crate) mode: Mode,
    pub(crate) body: Vec<Stmt>,
    pub(crate) subs: Vec<Vec<Stmt>>,
    /// Whether subroutines stand before the main program, and not behind `END`.
    pub(crate) subs_first: bool,
    /// Whether an address register reaches all temporaries, and not only those of the array.
    pub(crate) whole_file: bool,
    /// Loops; each has a register.
    pub(crate) loops: u32,
    pub(crate) immediates: [[u32; 4]; 4],
}

impl Program {
    /// Number of temporaries.
    pub(crate) fn temps(&self) -> u32 {
        COUNTERS + self.loops
    }

    /// First temporary that an address register reaches, and the one behind the last.
    pub(crate) fn reached(&self) -> (i32, i32) {
        if self.whole_file { (0, self.temps() as i32) } else { (TEMPS as i32, COUNTERS as i32) }
    }

    /// Bytes in which a kernel leaves the registers of an invocation.
    pub(crate) fn kept(&self) -> u32 {
        16 * (self.temps() + OUTPUTS)
    }

    /// The program as a fragment shader, or as a kernel.
    pub(crate) fn text(&self) -> String {
        let is_kernel = self.mode == Mode::Kernel;
        let mut out = String::from(if is_kernel { "COMP\n" } else { "FRAG\n" });
        if is_kernel {
            let _ = writeln!(out, "PROPERTY CS_FIXED_BLOCK_WIDTH {GROUP}\nDCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID");
            let _ = writeln!(out, "DCL BUFFER[0..{}]\nDCL MEMORY[0], SHARED", BUFFERS + 1);
            let _ = writeln!(out, "DCL TEMP[{STAND_INS}..{}], ARRAY(2), LOCAL", STAND_INS + INPUTS - 1);
            let _ = writeln!(out, "DCL TEMP[{}..{SCRATCH}]", STAND_INS + INPUTS);
        }
        for n in (0..INPUTS).filter(|_| !is_kernel) {
            let _ = writeln!(out, "DCL IN[{n}], GENERIC[{n}], PERSPECTIVE");
        }
        for n in (0..OUTPUTS).filter(|_| !is_kernel) {
            let _ = writeln!(out, "DCL OUT[{n}], COLOR[{n}]");
        }
        if self.mode == Mode::Memory {
            let _ = writeln!(out, "DCL BUFFER[0..{}]", BUFFERS - 1);
        }
        let _ = writeln!(out, "DCL CONST[0..{0}]\nDCL CONST[1][0..{0}]", CONSTANTS - 1);
        let _ = writeln!(out, "DCL ADDR[0]\nDCL TEMP[0..{}]", TEMPS - 1);
        let _ = writeln!(out, "DCL TEMP[{TEMPS}..{}], ARRAY(1), LOCAL", COUNTERS - 1);
        if self.loops > 0 {
            let _ = writeln!(out, "DCL TEMP[{COUNTERS}..{}]", self.temps() - 1);
        }
        for (n, words) in self.immediates.iter().enumerate() {
            let _ = writeln!(out, "IMM[{n}] UINT32 {{{}, {}, {}, {}}}", words[0], words[1], words[2], words[3]);
        }
        if is_kernel {
            let _ = writeln!(out, "IMM[4] UINT32 {{{GROUP}, 16, {}, {}}}", INPUTS * 16, self.kept());
        }
        let mut lines = Vec::new();
        if !self.subs_first {
            self.main(&mut lines);
        }
        let mut places = Vec::new();
        for sub in &self.subs {
            places.push(lines.len());
            lines.push("BGNSUB".to_string());
            self.lines(sub, &mut lines);
            lines.push("ENDSUB".to_string());
        }
        if self.subs_first {
            self.main(&mut lines);
        }
        for (n, line) in lines.iter().enumerate() {
            let _ = match line.strip_prefix("CAL ").and_then(|sub| sub.parse::<usize>().ok()) {
                Some(sub) => writeln!(out, "{n}: CAL :{}", places[sub]),
                None => writeln!(out, "{n}: {line}"),
            };
        }
        out
    }

    /// The main program. A kernel fetches what stands for its inputs and leaves its registers in a buffer.
    fn main(&self, lines: &mut Vec<String>) {
        if self.mode != Mode::Kernel {
            self.lines(&self.body, lines);
            lines.push("END".to_string());
            return;
        }
        let place = |bytes: char| {
            format!("UMUL TEMP[{SCRATCH}].y, TEMP[{SCRATCH}].xxxx, IMM[4].{}", String::from(bytes).repeat(4))
        };
        let next = || format!("UADD TEMP[{SCRATCH}].y, TEMP[{SCRATCH}].yyyy, IMM[4].yyyy");
        lines.push(format!("UMAD TEMP[{SCRATCH}].x, SV[1].xxxx, IMM[4].xxxx, SV[0].xxxx"));
        lines.push(place('z'));
        for n in 0..INPUTS {
            lines.push(format!("LOAD TEMP[{}], BUFFER[{BUFFERS}], TEMP[{SCRATCH}].yyyy", STAND_INS + n));
            lines.push(next());
        }
        self.lines(&self.body, lines);
        lines.push(place('w'));
        for n in (0..self.temps()).chain((0..OUTPUTS).map(|n| STAND_INS + INPUTS + n)) {
            lines.push(format!("STORE BUFFER[{}], TEMP[{SCRATCH}].yyyy, TEMP[{n}]", BUFFERS + 1));
            lines.push(next());
        }
        lines.push("END".to_string());
    }

    /// Instructions, one each line; calls still by the number of the subroutine.
    fn lines(&self, body: &[Stmt], out: &mut Vec<String>) {
        for stmt in body {
            match stmt {
                Stmt::Instr(instr) => out.push(self.instr(instr)),
                Stmt::If { bits, condition, then, other } => {
                    out.push(format!("{} {}", if *bits { "UIF" } else { "IF" }, self.src(condition)));
                    self.lines(then, out);
                    if let Some(other) = other {
                        out.push("ELSE".into());
                        self.lines(other, out);
                    }
                    out.push("ENDIF".into());
                }
                Stmt::Loop(body) => {
                    out.push("BGNLOOP".into());
                    self.lines(body, out);
                    out.push("ENDLOOP".into());
                }
                Stmt::Switch { value, before, arms } => {
                    out.push(format!("SWITCH {}", self.src(value)));
                    self.lines(before, out);
                    for arm in arms {
                        out.push(match arm.case {
                            Some(comp) => format!("CASE IMM[1].{}", ["xxxx", "yyyy", "zzzz", "wwww"][comp]),
                            None => "DEFAULT".into(),
                        });
                        self.lines(&arm.body, out);
                    }
                    out.push("ENDSWITCH".into());
                }
                Stmt::Break => out.push("BRK".into()),
                Stmt::Continue => out.push("CONT".into()),
                Stmt::Return => out.push("RET".into()),
                Stmt::Call(sub) => out.push(format!("CAL {sub}")),
                Stmt::Kill => out.push("KILL".into()),
                Stmt::KillIf(src) => out.push(format!("KILL_IF {}", self.src(src))),
                Stmt::Access(access) => out.push(self.access(access)),
                Stmt::Barrier => out.push("BARRIER".into()),
            }
        }
    }

    fn instr(&self, instr: &Instr) -> String {
        let saturate = if instr.saturate { "_SAT" } else { "" };
        let precise = if instr.precise { "_PRECISE" } else { "" };
        let mask: String = (0..4).filter(|comp| instr.dst.mask >> comp & 1 != 0).map(letter).collect();
        let mut out = format!("{}{saturate}{precise} {}.{mask}", instr.opcode.0, self.reg(&instr.dst.reg));
        for src in &instr.sources {
            let _ = write!(out, ", {}", self.src(src));
        }
        out
    }

    fn access(&self, access: &Access) -> String {
        let memory = match access.buffer {
            BUFFERS => "MEMORY[0]".to_string(),
            n => format!("BUFFER[{n}]"),
        };
        let mask: String = (0..4).filter(|comp| access.dst.mask >> comp & 1 != 0).map(letter).collect();
        let mut out = match access.kind {
            AccessKind::Store => format!("STORE {memory}.{mask}"),
            AccessKind::Load => {
                let swizzle: String = access.swizzle.into_iter().map(letter).collect();
                format!("LOAD {}.{mask}, {memory}.{swizzle}", self.reg(&access.dst.reg))
            }
            AccessKind::Atomic(name, _) => format!("{name} {}.{mask}, {memory}", self.reg(&access.dst.reg)),
            AccessKind::AddFloat => format!("ATOMFADD {}.{mask}, {memory}", self.reg(&access.dst.reg)),
        };
        for src in &access.sources {
            let _ = write!(out, ", {}", self.src(src));
        }
        out
    }

    fn src(&self, src: &Src) -> String {
        let swizzle: String = src.swizzle.into_iter().map(letter).collect();
        let (sign, bar) = (if src.negate { "-" } else { "" }, if src.absolute { "|" } else { "" });
        format!("{sign}{bar}{}.{swizzle}{bar}", self.reg(&src.reg))
    }

    fn reg(&self, reg: &Reg) -> String {
        let bank;
        let (reg, array) = match reg.file {
            File::In if self.mode == Mode::Kernel => {
                (Reg { file: File::Temp, number: reg.number + STAND_INS as i32, ..*reg }, "(2)")
            }
            File::Out if self.mode == Mode::Kernel => {
                (Reg { file: File::Temp, number: reg.number + (STAND_INS + INPUTS) as i32, ..*reg }, "")
            }
            File::Temp if !self.whole_file => (*reg, "(1)"),
            _ => (*reg, ""),
        };
        let name = match reg.file {
            File::Temp => "TEMP",
            File::Out => "OUT",
            File::Addr => "ADDR",
            File::In => "IN",
            File::Const => "CONST",
            File::Second => "CONST[1]",
            File::Named(comp) => {
                bank = format!("CONST[ADDR[0].{}]", letter(comp));
                bank.as_str()
            }
            File::Imm => "IMM",
        };
        match (reg.relative, reg.number) {
            (None, number) => format!("{name}[{number}]"),
            (Some(comp), 0) => format!("{name}[ADDR[0].{}]{array}", letter(comp)),
            (Some(comp), number) => format!("{name}[ADDR[0].{}{number:+}]{array}", letter(comp)),
        }
    }
}

/// Name of a component.
fn letter(comp: usize) -> char {
    ['x', 'y', 'z', 'w'][comp]
}
