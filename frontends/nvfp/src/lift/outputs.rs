//! What a program gives: colours and depth, results of vertices, watched registers.

use super::interface::{BANK_NAMED, POSITION_ROWS};
use super::{Unit, Watch, Watched, registers};
use crate::ast::{Array, Base, Out, TARGETS};
use crate::dialect::{Dialect, Features, VERTEX_RESULTS, result};
use crate::print;
use parallax_core::{OpKind, OutputDecl, OutputRole, Type, ValueId};
use parallax_lift::Deferred;
use parallax_lift::vector::one;
use parallax_num::{Decl, Op, Saturate, Slot};

impl Unit<'_, '_> {
    /// Colour, depth and watched registers, at the end of the program.
    pub(super) fn outputs(&mut self) {
        self.lifter.at(None);
        if self.program.dialect.is_vertex() {
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
        const CLIPS: std::ops::Range<u8> = result::CLIP0..result::CLIP0 + 6;
        for n in 0..VERTEX_RESULTS.len() as u8 {
            let (out, name) = (Out::Vertex(n), print::output(self.program.dialect, Out::Vertex(n)));
            let number = u16::from(n);
            let (role, mask) = match n {
                result::POSITION => (OutputRole::Position, 15),
                1 | 2 => (OutputRole::FrontColor(number - 1), 15),
                result::FOG => (OutputRole::Fog, 1),
                result::POINT_SIZE => (OutputRole::PointSize, 1),
                _ if CLIPS.contains(&n) => (OutputRole::ClipDistance(u16::from(n - result::CLIP0)), 1),
                // Behind clip distances stands texture coordinate 8.
                result::TEXT.. => (OutputRole::TexCoord(8 + number - u16::from(result::TEXT)), 15),
                result::TEX0.. => (OutputRole::TexCoord(number - u16::from(result::TEX0)), 15),
                _ => (OutputRole::FixedFunction(number), 15),
            };
            // Microcode writes clip distances beside the fog and the point size.
            let (register, shift) = match self.program.dialect {
                Dialect::Nv40Vertex if CLIPS.contains(&n) => {
                    let clip = n - result::CLIP0;
                    (Out::Vertex(if clip < 3 { result::FOG } else { result::POINT_SIZE }), 1 + clip % 3)
                }
                _ => (out, 0),
            };
            let vals: Vec<Deferred> = match role {
                OutputRole::Position if self.program.features.contains(Features::POSITION_INVARIANT) => {
                    self.invariant_position()
                }
                _ if self.writes_result(register, mask << shift) => {
                    let register = self.registers.output(register);
                    (shift..4).map(|comp| self.registers.read(&mut self.lifter, register, comp)).collect()
                }
                _ => continue,
            };
            self.emit(name, role, &vals, mask, Some(Decl::F32));
        }
    }

    /// Whether an instruction writes any of these components of a result of a vertex program.
    fn writes_result(&self, out: Out, mask: u8) -> bool {
        let is_texture = matches!(out, Out::Vertex(n) if (result::TEX0..result::TEX0 + 8).contains(&n));
        self.instrs().filter_map(|instr| instr.dst.as_ref()).any(|dst| match &dst.base {
            Base::Relative { array: Array::Results, .. } => is_texture,
            base => {
                let is_it = self.registers.of_base(self.program, base) == Some(self.registers.output(out));
                is_it && (dst.mask & mask != 0 || !self.program.dialect.is_words())
            }
        })
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
                let out = if self.registers.is_written(Out::Colr) {
                    Out::Colr
                } else if self.registers.is_written(Out::Colh) {
                    Out::Colh
                } else {
                    return Vec::new();
                };
                Some(self.registers.output(out))
            }
            Dialect::Nv40 => return (0..).zip(self.colors.iter().copied()).collect(),
            Dialect::Arb => {
                let written = (0..TARGETS).filter(|n| self.registers.is_written(Out::color(*n)));
                return written.map(|n| (u16::from(n), self.registers.output(Out::color(n)))).collect();
            }
            _ => return Vec::new(),
        };
        first.map(|register| (0, register)).into_iter().collect()
    }

    fn depth_register(&self) -> Option<(registers::Register, u8, Decl, String)> {
        if let Some((n, comp)) = self.depth {
            let register = self.registers.find(self.program, &format!("R{n}"))?;
            return Some((register, comp, Decl::F32, format!("R{n}")));
        }
        if !matches!(self.program.dialect, Dialect::Fp10 | Dialect::Arb) {
            return None;
        }
        let register = self.registers.output(Out::Depr);
        let depth = || (register, 2, self.registers.decl(register), self.registers.spelling(register));
        self.registers.is_written(Out::Depr).then(depth)
    }
}
