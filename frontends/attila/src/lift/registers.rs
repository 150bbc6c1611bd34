//! Where registers live, and the interface they make.

use super::Ctx;
use super::effects::Pixel;
use super::flow::Flow;
use super::settings::Settings;
use crate::instr::{Bank, Instr};
use crate::{limits, program::Program};
use parallax_core::{AttrDecl, AttrSemantic, Interp, Location, OutputRole, Stage, Type};
use parallax_lift::vector::components;
use parallax_lift::{Access, Deferred, Lifter, Options, Spelling, VarId};
use parallax_text::Diag;

/// Everything a program can name.
pub(super) struct Registers {
    inputs: [Option<[Deferred; 4]>; limits::IN as usize],
    outputs: VarId,
    temps: VarId,
    addresses: VarId,
    predicates: VarId,
    magnitudes: VarId,
    signs: VarId,
    /// Components of each output that are written, or preset.
    written: [u8; limits::OUT as usize],
    pub(super) pixel: Pixel,
}

impl Registers {
    pub(super) fn new(
        l: &mut Lifter<'_>,
        program: &Program,
        flow: &Flow,
        settings: &Settings,
        options: &Options,
        diags: &mut Vec<Diag>,
    ) -> Registers {
        l.need_bank(0, 0, |_| "c".to_string());
        let mut registers = Registers {
            inputs: [None; limits::IN as usize],
            outputs: l.add_variables(u32::from(limits::OUT) * 4),
            temps: l.add_variables(u32::from(limits::TEMP) * 4),
            addresses: l.add_variables(u32::from(limits::ADDR) * 4),
            predicates: l.add_variables(u32::from(limits::PREDICATES)),
            magnitudes: l.add_variables(4),
            signs: l.add_variables(4),
            written: [0; limits::OUT as usize],
            pixel: Pixel::new(l, flow.effects, options),
        };
        registers.scan(l, flow.instrs(program), settings);
        for name in l.presets(options) {
            registers.preset(l, name, diags);
        }
        registers
    }

    /// Declares the inputs that are read, in the order of their numbers, and notes which outputs are written.
    fn scan<'p>(&mut self, l: &mut Lifter<'_>, instrs: impl Iterator<Item = &'p Instr>, settings: &Settings) {
        let mut read = [false; limits::IN as usize];
        for instr in instrs {
            let operands = instr.operands();
            for n in (0..3).filter(|n| operands.sources >> n & 1 != 0) {
                let source = instr.source_bits(n);
                if source.named_bank() == Bank::In {
                    read[usize::from(source.register)] = true;
                }
            }
            if operands.result && instr.result_bank() == Bank::Out {
                self.note_written(instr, settings);
            }
        }
        let interp = if settings.stage == Stage::Vertex { Interp::Flat } else { Interp::Perspective };
        for (n, _) in read.iter().enumerate().filter(|(_, read)| **read) {
            let attr = l.add_attr(AttrDecl {
                name: format!("i{n}"),
                semantic: AttrSemantic::Generic(n as u16),
                interp,
                location: Location::Center,
                mediump: false,
            });
            self.inputs[n] = Some([0, 1, 2, 3].map(|comp| Deferred::attr(attr, comp)));
        }
    }

    /// Notes that an instruction writes an output.
    fn note_written(&mut self, instr: &Instr, settings: &Settings) {
        let mut dst = instr.dst();
        if instr.sem() == Some(crate::sem::Sem::Arl) {
            dst.mask = settings.arl_writes(dst.mask);
        }
        // FXMUL and FXMAD2 name a register they do not write.
        let writes = !matches!(instr.sem(), Some(crate::sem::Sem::FixedMul | crate::sem::Sem::FixedMadTo));
        if writes {
            self.written[usize::from(dst.index)] |= dst.mask;
        }
    }

    /// What an input register holds; `None` for one that nothing reads.
    #[inline]
    pub(super) fn input(&self, index: u16, comp: u8) -> Option<Deferred> {
        self.inputs.get(usize::from(index)).copied().flatten().map(|vals| vals[usize::from(comp) & 3])
    }

    /// The first variable of a bank.
    fn file(&self, bank: Bank) -> VarId {
        match bank {
            Bank::Out => self.outputs,
            Bank::Addr => self.addresses,
            // Inputs and constants are no variables; numbers were checked.
            Bank::Temp | Bank::In | Bank::Param => self.temps,
        }
    }

    /// The variable of a register component.
    pub(super) fn variable(&self, bank: Bank, index: u16, comp: u8) -> VarId {
        self.file(bank).offset(u32::from(index) * 4 + u32::from(comp))
    }

    /// The variable of a predicate.
    pub(super) fn predicate(&self, index: u8) -> VarId {
        self.predicates.offset(u32::from(index))
    }

    /// Magnitude and sign of an accumulator component.
    pub(super) fn accumulator(&self, comp: u8) -> (VarId, VarId) {
        (self.magnitudes.offset(comp.into()), self.signs.offset(comp.into()))
    }

    fn preset(&mut self, l: &mut Lifter<'_>, name: &str, diags: &mut Vec<Diag>) {
        match Named::of(name) {
            Some(Named::Register(Bank::In, n)) => self.inputs[usize::from(n)] = Some(l.preset_attr(name)),
            // Constants are no registers of a lane: one the program does not read has no effect.
            Some(Named::Register(Bank::Param, _)) => {
                l.preset_attr(name);
            }
            Some(Named::Register(bank, n)) => {
                if bank == Bank::Out {
                    self.written[usize::from(n)] = 15;
                }
                l.preset(name, &self.file(bank).vector(n.into()));
            }
            Some(Named::Predicate(n)) => {
                let [x, ..] = l.preset_attr(name);
                let bits = l.force(x, Type::I32);
                let value = l.convert(bits, Type::Pred);
                l.set(self.predicate(n), value);
            }
            Some(Named::AccumulatorSign) => l.preset(name, &self.signs.vector(0)),
            Some(Named::AccumulatorHalf(high)) => {
                let vals = l.preset_attr(name);
                for (variable, val) in self.magnitudes.vector(0).into_iter().zip(vals) {
                    let word = l.force(val, Type::I32);
                    let before = l.read_as(variable, Type::I64);
                    let zero = l.b.i32(0);
                    let (low, high) = if high { (zero, word) } else { (word, zero) };
                    let half = l.b.int(parallax_num::Op::Join, &[low, high]);
                    // The halves are set one after the other; the other half of each is zero.
                    let sum = l.b.int(parallax_num::Op::Iadd64, &[before, half]);
                    l.set(variable, sum);
                }
            }
            None | Some(Named::Accumulator | Named::Killed | Named::Depth(_)) => {
                diags.push(no_register(Access::Preset, name));
            }
        }
    }
}

/// A spelling taken apart.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Named {
    Register(Bank, u16),
    Predicate(u8),
    /// `acc`: the magnitudes, and beside them the signs.
    Accumulator,
    /// `acc.sign`
    AccumulatorSign,
    /// `acc.int`, `acc.frac`
    AccumulatorHalf(bool),
    /// `kill`: killed samples.
    Killed,
    /// `z3`: depth of a sample.
    Depth(u8),
}

impl Named {
    fn of(name: &str) -> Option<Named> {
        match name {
            "acc" => return Some(Named::Accumulator),
            "acc.sign" => return Some(Named::AccumulatorSign),
            "acc.int" => return Some(Named::AccumulatorHalf(true)),
            "acc.frac" => return Some(Named::AccumulatorHalf(false)),
            "kill" => return Some(Named::Killed),
            _ => {}
        }
        let spelling = Spelling::parse(name)?;
        let (&[_], Some(n)) = (spelling.indices.as_slice(), spelling.number(0)) else { return None };
        let (bank, count) = match spelling.file {
            "i" => (Bank::In, limits::IN),
            "o" => (Bank::Out, limits::OUT),
            "r" => (Bank::Temp, limits::TEMP),
            "a" => (Bank::Addr, limits::ADDR),
            "c" => (Bank::Param, limits::PARAM),
            "p" => return (n < u32::from(limits::PREDICATES)).then_some(Named::Predicate(n as u8)),
            "z" => return (n < u32::from(limits::SAMPLES)).then_some(Named::Depth(n as u8)),
            _ => return None,
        };
        (n < u32::from(count)).then_some(Named::Register(bank, n as u16))
    }
}

fn no_register(access: Access, name: &str) -> Diag {
    // What the pixel keeps can be seen, not set.
    let pixel = if access == Access::Watch { " kill z0" } else { "" };
    access.refuse(name, "it does not exist", &format!("spellings: i0 o0 r0 a0 c0 p0 acc{pixel}"))
}

impl Ctx<'_, '_> {
    /// Sets the outputs from what the o registers hold. In a fragment program they are colours, numbered as they stand;
    /// in a vertex program o0 is the position.
    pub(super) fn finish(&mut self) {
        let mut colors = 0;
        for n in 0..limits::OUT {
            let written = self.registers.written[usize::from(n)];
            if written == 0 {
                continue;
            }
            let role = match (self.settings.stage, n) {
                (Stage::Vertex, 0) => OutputRole::Position,
                (Stage::Vertex, n) => OutputRole::Generic(n),
                _ => OutputRole::Color(colors),
            };
            colors += 1;
            let mut comps = [None; 4];
            for comp in components(written) {
                let variable = self.registers.variable(Bank::Out, n, comp as u8);
                comps[comp] = Some(self.l.get(variable));
            }
            self.l.output(format!("o{n}"), role, comps, Type::F32);
        }
        self.finish_pixel();
    }

    /// Reports the registers the caller watches.
    pub(super) fn watches(&mut self, options: &Options, diags: &mut Vec<Diag>) {
        for name in &options.watch {
            let comps = [0u8, 1, 2, 3];
            let register = Named::of(name);
            let vals = match register {
                None | Some(Named::AccumulatorHalf(_)) => {
                    diags.push(no_register(Access::Watch, name));
                    continue;
                }
                Some(Named::Register(Bank::In, n)) => comps.map(|comp| self.registers.input(n, comp)),
                Some(Named::Register(Bank::Param, n)) => comps.map(|comp| Some(self.l.constant(0, u32::from(n), comp))),
                Some(Named::Register(bank, n)) => {
                    self.registers.file(bank).vector(n.into()).map(|variable| Some(self.l.get(variable)))
                }
                Some(Named::Predicate(n)) => {
                    let value = self.l.read_as(self.registers.predicate(n), Type::Pred);
                    [Some(value.into()), None, None, None]
                }
                Some(Named::Accumulator) => {
                    let magnitudes = self.registers.magnitudes.vector(0);
                    magnitudes.map(|variable| Some(self.l.read_as(variable, Type::I64).into()))
                }
                Some(Named::AccumulatorSign) => self.signs(),
                Some(Named::Killed) => {
                    let killed = self.registers.pixel.killed.map(|variable| self.l.get(variable));
                    [killed, None, None, None]
                }
                Some(Named::Depth(n)) => [Some(self.depth(u32::from(n))), None, None, None],
            };
            self.l.watch(name, vals);
            if register == Some(Named::Accumulator) {
                let signs = self.signs();
                self.l.watch("acc.sign", signs);
            }
        }
    }

    fn signs(&mut self) -> [Option<Deferred>; 4] {
        self.registers.signs.vector(0).map(|variable| Some(self.l.read_as(variable, Type::I32).into()))
    }
}
