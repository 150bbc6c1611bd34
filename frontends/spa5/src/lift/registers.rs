//! Where registers live, and the interface they make.

use super::Ctx;
use super::flow::{Flow, Ops};
use super::shape::Shape;
use crate::fields::{PT, RZ};
use crate::view::{Name, Operands};
use crate::{header::Interpolation, op::Op, program::Program};
use parallax_core::{ArrayId, Interp, Location, Type};
use parallax_lift::{Access, Deferred, Kernel, Lifter, Options, Spelling, VarId};
use parallax_text::Diag;

/// Vectors of a bank that is read at addresses in registers: 64 KiB.
const BANK_VECTORS: u32 = 4096;
/// Numbers of banks fit in five bits.
const BANKS: usize = 32;

/// What the registers at the end of the program are.
#[derive(Copy, Clone, Debug)]
pub(super) struct Outputs {
    /// Components of each render target, bit 0 = red.
    pub(super) targets: [u8; 8],
    /// Whether every target has registers of its own; else all have those of the first.
    pub(super) many: bool,
    pub(super) sample_mask: bool,
    pub(super) depth: bool,
}

/// A declared attribute.
#[derive(Copy, Clone, Debug)]
pub(super) struct Declared {
    pub(super) vector: u16,
    pub(super) interp: Interp,
    pub(super) location: Location,
    pub(super) index: u16,
}

/// Generic inputs.
pub(super) const GENERICS: u16 = 32;

/// How the generic inputs are declared where a register names one.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) location: Location,
    pub(super) interps: [Interp; GENERICS as usize],
}

/// The condition code: what the last instruction with `.CC` left.
#[derive(Copy, Clone, Debug)]
pub(super) struct Flags {
    first: VarId,
}

impl Flags {
    pub(super) const COUNT: u32 = 4;

    pub(super) fn new(first: VarId) -> Flags {
        Flags { first }
    }

    /// The flags by their bits in the condition code.
    pub(super) fn all(self) -> [VarId; Flags::COUNT as usize] {
        [self.zero(), self.negative(), self.carry(), self.overflow()]
    }

    /// The result is 0, or a float that is no number.
    pub(super) fn zero(self) -> VarId {
        self.first
    }

    /// The result is negative, or a float that is no number.
    pub(super) fn negative(self) -> VarId {
        self.first.offset(1)
    }

    /// Carry out of the highest bit.
    pub(super) fn carry(self) -> VarId {
        self.first.offset(2)
    }

    /// The sum does not fit as a signed number.
    pub(super) fn overflow(self) -> VarId {
        self.first.offset(3)
    }
}

/// Memory of a kernel.
#[derive(Clone, Debug, Default)]
pub(super) struct Memories {
    /// The buffers that parameters may point to, with the numbers of these.
    pub(super) pointers: Vec<(u32, u16)>,
    /// The images of surfaces, by the numbers of the words that hold their handles.
    pub(super) surfaces: Vec<(u16, u16)>,
    /// Bytes of shared memory.
    pub(super) shared_bytes: u32,
    /// How many of them the caller adds.
    pub(super) added_shared: u32,
    /// The buffer of shared memory, once something accesses it.
    pub(super) shared: Option<u16>,
    /// The buffer of what barriers combine.
    pub(super) votes: Option<u16>,
    /// What the last barrier combined that did.
    pub(super) vote: Option<VarId>,
    /// How often a lane has looked at the clock.
    pub(super) clock: Option<VarId>,
    /// The first access of a lane that is outside of memory, where that is an error.
    pub(super) fault: Option<super::fault::Report>,
}

/// Everything a program can name.
pub(super) struct Registers {
    general: VarId,
    predicates: VarId,
    pub(super) flags: Flags,
    pub(super) local: Option<ArrayId>,
    /// All ones in lanes that KIL made helpers; kept where somebody asks.
    pub(super) killed: Option<VarId>,
    /// Inputs that the caller gives, by byte address.
    given: Vec<(u16, Deferred)>,
    pub(super) declared: Vec<Declared>,
    /// First of the generic inputs that are read by address, by how they are declared.
    pub(super) indexed: Vec<(Range, u16)>,
    shape: Shape,
    pub(super) outputs: Outputs,
    /// Whether KIL does anything.
    pub(super) kills: bool,
}

impl Registers {
    pub(super) fn new(
        l: &mut Lifter<'_>,
        program: &Program,
        flow: &Flow,
        kernel: Option<&Kernel>,
        options: &Options,
        diags: &mut Vec<Diag>,
    ) -> Registers {
        let shape = Shape::of(program.header, kernel);
        let outputs = Outputs {
            targets: shape.targets(),
            many: shape.has_many_targets(),
            sample_mask: shape.sample_mask(),
            depth: shape.depth(),
        };
        let mut registers = Registers {
            general: l.add_variables(u32::from(RZ)),
            predicates: l.add_variables(u32::from(PT)),
            flags: Flags::new(l.add_variables(Flags::COUNT)),
            local: None,
            killed: None,
            given: Vec::new(),
            declared: Vec::new(),
            indexed: Vec::new(),
            kills: shape.kills(),
            outputs,
            shape,
        };
        registers.scan(l, program, flow, options);
        for name in l.presets(options) {
            registers.preset(l, name, diags);
        }
        registers
    }

    /// Declares constant banks and local memory as far as they are named.
    fn scan(&mut self, l: &mut Lifter<'_>, program: &Program, flow: &Flow, options: &Options) {
        /// Instructions that need something else than the bank of a source.
        const OTHERS: Ops = Ops::of(&[Op::Ldc, Op::Ldl, Op::Stl, Op::Ld, Op::St, Op::S2r, Op::Cs2r]);
        let mut named = [None; BANKS];
        let mut need = |bank: u32, vectors: u32| {
            let known = &mut named[bank as usize % BANKS];
            *known = Some(known.unwrap_or(0).max(vectors));
        };
        let (mut local, mut asks_killed) = (false, false);
        let has_others = flow.may_do(OTHERS);
        for instr in flow.instrs(program) {
            let i = Operands::of(instr);
            if !has_others && i.constant_bank().is_none() {
                continue;
            }
            let Some(op) = instr.op() else { continue };
            match op {
                Op::Ldc => need(i.get(Name::Bank), if i.a().register() == RZ { 0 } else { BANK_VECTORS }),
                Op::Ldl | Op::Stl => local = true,
                // Generic addresses lead to local memory as well.
                Op::Ld | Op::St => local |= self.shape.has_known_local(),
                Op::S2r | Op::Cs2r => asks_killed |= i.get(Name::Special) == 0x13,
                _ => {
                    if let Some(bank) = i.constant_bank() {
                        need(bank.into(), 0);
                    }
                }
            }
        }
        // What the caller gives or watches may lie in a bank that nothing reads.
        for name in options.preset.iter().chain(&options.watch) {
            if let Some(Named::Constant { bank, .. }) = Named::of(name) {
                need(bank.into(), 0);
            }
        }
        let count = named.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        for (n, vectors) in named.iter().enumerate().take(count) {
            l.need_bank(n as u16, vectors.unwrap_or(0), |n| format!("c[{n}]"));
        }
        l.b.func.iface.banks.iter_mut().for_each(|bank| bank.by_bytes = true);
        if local {
            let words = self.shape.local_bytes() / 4;
            self.local = Some(l.add_array("local".into(), Type::I32, words.max(1), false));
        }
        if asks_killed {
            self.killed = Some(l.add_variables(1));
        }
    }

    /// The variable of a register other than RZ.
    #[inline]
    pub(super) fn general(&self, number: u8) -> VarId {
        self.general.offset(number.into())
    }

    /// The variable of a predicate other than PT.
    pub(super) fn predicate(&self, number: u8) -> VarId {
        self.predicates.offset(number.into())
    }

    /// Bytes of local memory.
    pub(super) fn local_bytes(&self) -> u32 {
        self.shape.local_bytes()
    }

    /// What the caller gave for the input at a byte address.
    pub(super) fn given(&self, address: u16) -> Option<Deferred> {
        self.given.iter().find(|(at, _)| *at == address).map(|(_, val)| *val)
    }

    /// All inputs that the caller gave, with their byte addresses.
    pub(super) fn all_given(&self) -> Vec<(u16, Deferred)> {
        self.given.clone()
    }

    /// How the input at a byte address is interpolated.
    pub(super) fn interpolation(&self, address: u16) -> Interpolation {
        self.shape.interpolation(address)
    }

    fn preset(&mut self, l: &mut Lifter<'_>, name: &str, diags: &mut Vec<Diag>) {
        match Named::of(name) {
            Some(Named::General(RZ) | Named::Predicate(PT)) => {
                let why = "it always holds the same";
                diags.push(Access::Preset.refuse(name, why, "other registers can be set"));
            }
            Some(Named::General(n)) => {
                // As bits: read as a float, a NaN could change.
                let [x, ..] = l.preset_attr(name);
                let bits = l.force(x, Type::I32);
                l.set(self.general(n), bits);
            }
            Some(Named::Predicate(n)) => {
                let [x, ..] = l.preset_attr(name);
                let bits = l.force(x, Type::I32);
                let value = l.convert(bits, Type::Pred);
                l.set(self.predicate(n), value);
            }
            Some(Named::Input { address }) => {
                let [x, ..] = l.preset_attr(name);
                self.given.push((address, x));
            }
            // Declared before, so that it is an input by now unless it lies between two words.
            Some(Named::Result) => {
                diags.push(Access::Preset.refuse(name, "it is a result", "results can be watched"));
            }
            Some(Named::Constant { .. }) | None => diags.push(no_register(Access::Preset, name)),
        }
    }
}

/// A spelling taken apart.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Named {
    General(u8),
    Predicate(u8),
    /// `a[0x7c]`
    Input {
        address: u16,
    },
    /// `o[0x70]`, of a vertex shader.
    Result,
    /// `c[0][0x10]`
    Constant {
        bank: u16,
        /// In bytes.
        offset: u32,
    },
}

impl Named {
    fn of(name: &str) -> Option<Named> {
        if name == "RZ" {
            return Some(Named::General(RZ));
        }
        if name == "PT" {
            return Some(Named::Predicate(PT));
        }
        let spelling = Spelling::parse(name)?;
        let number = |n: usize| parallax_text::parse_u64(spelling.indices.get(n)?);
        match (spelling.file, spelling.indices.len()) {
            ("R", 1) => number(0).filter(|n| *n < u64::from(RZ)).map(|n| Named::General(n as u8)),
            ("P", 1) => number(0).filter(|n| *n < u64::from(PT)).map(|n| Named::Predicate(n as u8)),
            ("a", 1) => number(0).filter(|n| *n < 0x400 && n % 4 == 0).map(|n| Named::Input { address: n as u16 }),
            ("o", 1) => number(0).filter(|n| *n < 0x400 && n % 4 == 0).map(|_| Named::Result),
            ("c", 2) => {
                let bank = number(0).filter(|n| *n < BANKS as u64)? as u16;
                let offset = number(1).filter(|n| *n < u64::from(BANK_VECTORS) * 16 && n % 4 == 0)?;
                Some(Named::Constant { bank, offset: offset as u32 })
            }
            _ => None,
        }
    }
}

fn no_register(access: Access, name: &str) -> Diag {
    access.refuse(
        name,
        "it does not exist",
        "spellings: R0 P0 c[0x0][0x10] a[0x7c], of vertex shaders o[0x70]; addresses are multiples of 4",
    )
}

impl Ctx<'_, '_> {
    /// Reports the registers the caller watches.
    pub(super) fn watches(&mut self, options: &Options, diags: &mut Vec<Diag>) {
        for name in &options.watch {
            let val = match Named::of(name) {
                Some(Named::General(n)) => self.register(n),
                Some(Named::Predicate(n)) => self.predicate(n.into()).into(),
                Some(Named::Input { address }) => match self.registers.given(address) {
                    Some(val) => val,
                    None => {
                        let help = "watch the register that IPA writes";
                        diags.push(Access::Watch.refuse(name, "it depends on how it is read", help));
                        continue;
                    }
                },
                Some(Named::Result) => {
                    // What is written is reported anyway.
                    if !self.l.b.func.iface.outputs.iter().any(|output| output.name == *name) {
                        let help = "results are named by the first of their words, such as `o[0x70]`";
                        diags.push(Access::Watch.refuse(name, "no such result is written", help));
                    }
                    continue;
                }
                Some(Named::Constant { bank, offset }) => match self.known_constant_word(bank, offset as i32 / 4) {
                    Ok(val) => val,
                    Err(why) => {
                        diags.push(Access::Watch.refuse(name, &why, "watch the register that it is read into"));
                        continue;
                    }
                },
                None => {
                    diags.push(no_register(Access::Watch, name));
                    continue;
                }
            };
            self.l.watch(name, [Some(val), None, None, None]);
        }
    }
}
