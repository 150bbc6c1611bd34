//! Random groups in decoded form, without text or bytes between.

use crate::group::*;
use parallax_isa::{Code, Confidence, Field, Meaning, Pattern, Row};
use parallax_usc as usc;
use parallax_usc::fields::{self, alu, bitwise, control, late, sop};
use parallax_usc::{Opcode, Phase, Usc};

fn row(opcode: Opcode, width: u32) -> &'static Row<Usc> {
    Box::leak(Box::new(Row {
        name: "x",
        aliases: &[],
        form: "",
        pattern: Pattern::masked(width, 0, 0, 0),
        operands: &[],
        text: "",
        doc: "",
        source: "",
        confidence: Confidence::Observed,
        meaning: Meaning::Lift(opcode),
    }))
}
struct B {
    g: usc::Group,
    used: [Option<Reg>; 6],
}
fn reg(r: Reg) -> usc::Register {
    let bank = match r.0 {
        Bank::R => usc::Bank::Temporary,
        Bank::Vi => usc::Bank::VertexInput,
        Bank::Sh => usc::Bank::Shared,
        Bank::I => usc::Bank::Internal,
        Bank::O => usc::Bank::PixelOutput,
        Bank::C => usc::Bank::Constant,
    };
    usc::Register { bank, number: r.1, index: None }
}
fn feed(f: Ft) -> u64 {
    match f {
        Ft::Ft0 => 0,
        Ft::Ft1 => 1,
        Ft::Ft2 => 2,
        Ft::Fte => 3,
    }
}
impl B {
    fn src(&mut self, n: usize, r: Reg) {
        fields::SOURCES[n].put(&mut self.g.operands, reg(r).encode().unwrap().into());
        self.used[n] = Some(r);
    }
    fn op(&mut self, phase: Phase, opcode: Opcode, width: u32, sets: &[(&Field, u64)]) {
        let mut code = Code::new(0, 0);
        for (f, v) in sets {
            f.put(&mut code, *v);
        }
        self.g.operations.push(usc::Operation { phase, row: row(opcode, width), code });
    }
    fn out(&mut self, n: usize, r: Reg) {
        let (p, f) = if n == 0 { (fields::W0P, fields::W0) } else { (fields::W1P, fields::W1) };
        p.put(&mut self.g.operands, 1);
        f.put(&mut self.g.operands, reg(r).encode().unwrap().into());
    }
    fn set(&mut self, f: Field, v: u64) {
        f.put(&mut self.g.operands, v);
    }
    fn is0(&mut self, r: Reg) {
        let at = self.used.iter().position(|u| *u == Some(r)).unwrap_or_else(|| {
            let n = if self.used[0].is_none() {
                0
            } else if self.used[3].is_none() {
                3
            } else {
                5
            };
            self.src(n, r);
            n
        });
        let code = fields::IS0_SOURCES.iter().position(|s| *s == at).unwrap();
        self.set(fields::IS0, code as u64);
    }
    fn arith(&mut self, op: Arith, second: bool) {
        let base = if second { 3 } else { 0 };
        let phase = if second { Phase::One } else { Phase::Zero };
        let b = |x: bool| u64::from(x);
        match op {
            Arith::Add { sat, a, b: c } | Arith::Mul { sat, a, b: c } => {
                let o = if matches!(op, Arith::Add { .. }) { Opcode::Fadd } else { Opcode::Fmul };
                self.src(base, a.reg);
                self.src(base + 1, c.reg);
                self.op(
                    phase,
                    o,
                    8,
                    &[
                        (&alu::SAT, b(sat)),
                        (&alu::NEG0, b(a.neg)),
                        (&alu::ABS0, b(a.abs)),
                        (&alu::FLR0, b(a.flr)),
                        (&alu::ABS1, b(c.abs)),
                    ],
                );
            }
            Arith::Mad { sat, a, b: c, c: d } => {
                self.src(base, a.reg);
                self.src(base + 1, c.reg);
                self.src(base + 2, d.reg);
                self.op(
                    phase,
                    Opcode::Fmad,
                    16,
                    &[
                        (&alu::MAD_SAT, b(sat)),
                        (&alu::MAD_NEG0, b(a.neg)),
                        (&alu::MAD_ABS0, b(a.abs)),
                        (&alu::MAD_NEG1, b(c.neg)),
                        (&alu::MAD_ABS1, b(c.abs)),
                        (&alu::MAD_NEG2, b(d.neg)),
                        (&alu::MAD_ABS2, b(d.abs)),
                        (&alu::MAD_FLR2, b(d.flr)),
                    ],
                );
            }
            Arith::Byp(a) => {
                self.src(base, a.reg);
                self.op(phase, Opcode::Mbyp, 16, &[(&alu::ONE_NEG, b(a.neg)), (&alu::ONE_ABS, b(a.abs))]);
            }
            Arith::Gradient { rows, fine, a } => {
                self.src(base, a.reg);
                let o = match (rows, fine) {
                    (false, false) => Opcode::Fdsx,
                    (true, false) => Opcode::Fdsy,
                    (false, true) => Opcode::Fdsxf,
                    _ => Opcode::Fdsyf,
                };
                self.op(phase, o, 16, &[(&alu::ONE_NEG, b(a.neg)), (&alu::ONE_ABS, b(a.abs))]);
            }
            Arith::Unpack { format, how, a } => {
                self.src(0, a.reg);
                let code = usc::FORMATS.iter().position(|f| *f == format.name()).unwrap() as u64;
                self.op(
                    phase,
                    Opcode::Unpck,
                    16,
                    &[
                        (&alu::UNPACK_FORMAT, code),
                        (&alu::UNPACK_SCALE, b(how != How::Plain)),
                        (&alu::UNPACK_ELEMENT, a.element.unwrap_or(0).into()),
                    ],
                );
            }
            Arith::Narrow { kind, bits, signed, sat, a, b: c, c: d } => {
                self.src(0, a.reg);
                self.src(1, c.reg);
                let o = match kind {
                    Kind::Add => Opcode::AddNarrow,
                    Kind::Mul => Opcode::MulNarrow,
                    Kind::Mad => {
                        self.src(2, d.reg);
                        Opcode::MadNarrow
                    }
                };
                let e2 = if bits == 16 { &alu::NARROW_HIGH2 } else { &alu::NARROW_ELEMENT2 };
                self.op(
                    phase,
                    o,
                    24,
                    &[
                        (&alu::NARROW_16, b(bits == 16)),
                        (&alu::NARROW_SIGNED, b(signed)),
                        (&alu::NARROW_SAT, b(sat)),
                        (&alu::NARROW_ABS0, b(a.abs)),
                        (&alu::NARROW_NEG0, b(a.neg)),
                        (&alu::NARROW_ABS1, b(c.abs)),
                        (&alu::NARROW_ABS2, b(d.abs)),
                        (&alu::NARROW_NEG2, b(d.neg)),
                        (&alu::NARROW_ELEMENT0, a.element.unwrap_or(0).into()),
                        (&alu::NARROW_ELEMENT1, c.element.unwrap_or(0).into()),
                        (e2, d.element.unwrap_or(0).into()),
                    ],
                );
            }
            Arith::Add64 { a, carry, .. }
            | Arith::Add6432 { a, carry, .. }
            | Arith::Madd32 { a, carry, .. }
            | Arith::Madd64 { a, carry, .. } => {
                for n in 0..3 {
                    self.src(n, a[n].reg);
                }
                let (o, signed) = match op {
                    Arith::Add64 { .. } => (Opcode::Add64, false),
                    Arith::Add6432 { signed, .. } => (Opcode::Add6432, signed),
                    Arith::Madd32 { signed, .. } => (Opcode::Madd32, signed),
                    Arith::Madd64 { signed, .. } => (Opcode::Madd64, signed),
                    _ => unreachable!(),
                };
                self.op(
                    phase,
                    o,
                    16,
                    &[
                        (&alu::CARRY, b(carry)),
                        (&alu::WORD_SIGNED, b(signed)),
                        (&alu::WORD_ABS0, b(a[0].abs)),
                        (&alu::WORD_ABS1, b(a[1].abs)),
                        (&alu::WORD_ABS2, b(a[2].abs)),
                        (&alu::WORD_NEG0, b(a[0].neg)),
                        (&alu::WORD_NEG1, b(a[1].neg)),
                        (&alu::WORD_NEG2, b(a[2].neg)),
                    ],
                );
            }
        }
    }
    fn main(&mut self, m: &Main) {
        if let Some(a) = m.phase0 {
            self.arith(a, false);
        }
        if let Some(a) = m.phase1 {
            self.arith(a, true);
        }
        if let Some(r) = m.fte {
            self.is0(r);
        }
        if let Some((f, how, from)) = m.pack {
            let code = usc::FORMATS.iter().position(|x| *x == f.name()).unwrap() as u64;
            self.set(fields::IS3, feed(from));
            self.op(
                Phase::Two,
                Opcode::Pck,
                16,
                &[
                    (&late::FORMAT, code),
                    (&late::SCALE, u64::from(how == How::Scale)),
                    (&late::ROUND_ZERO, u64::from(how == How::RoundZero)),
                ],
            );
        }
        if let Some(t) = m.test {
            self.set(fields::IS1, u64::from(t.a == Ft::Fte));
            self.set(fields::IS2, u64::from(t.b == Ft::Fte));
            self.op(
                Phase::Two,
                Opcode::Test,
                16,
                &[
                    (&late::RELATION, t.relation as u64),
                    (&late::TYPE, t.ty as u64),
                    (&late::TEST_ELEMENT, t.element.unwrap_or(0).into()),
                    (&late::TEST_P0, u64::from(t.p0)),
                ],
            );
        }
        if let Some((r, how)) = m.w0 {
            self.out(0, r);
            match how {
                Move::Whole(f) => self.set(fields::IS4, feed(f)),
                Move::Bytes(mask, f, rest) => {
                    self.set(fields::IS4, feed(rest));
                    self.op(Phase::Two, Opcode::Mov, 16, &[(&late::MASK, mask.into()), (&late::MOVE0, feed(f))]);
                }
                Move::Choice { mask, no, yes, .. } => {
                    self.set(fields::IS4, feed(no));
                    self.op(
                        Phase::Two,
                        Opcode::Movc,
                        16,
                        &[
                            (&late::MASK, mask.into()),
                            (&late::MOVE0, feed(yes)),
                            (&late::MOVE1, m.w1.map_or(0, |w| feed(w.1))),
                        ],
                    );
                }
            }
        }
        if let Some((r, f)) = m.w1 {
            self.out(1, r);
            self.set(fields::IS5, feed(f));
        }
        if let Some(a) = m.uvsw {
            self.op(Phase::Backend, Opcode::Uvsw, 16, &[]);
            self.g.operations.last_mut().unwrap().code = Code::new(u128::from(a) << 8 | 8, 0);
        }
    }
    fn factor(&self, f: &Factor, at: usize, sets: &mut Vec<(&'static Field, u64)>) {
        let ff = &sop::FACTORS[at];
        match f {
            Factor::Zero => sets.push((&ff.width, 3)),
            Factor::One => {
                sets.push((&ff.width, 3));
                sets.push((&ff.one_minus, 1));
            }
            Factor::Src(s) => {
                sets.push((&ff.register, reg(s.reg).encode().unwrap().into()));
                sets.push((&ff.neg_(), s.neg.into()));
                if let Some(e) = s.element {
                    sets.push((&ff.width, 1));
                    sets.push((&ff.element, e.into()));
                }
            }
        }
    }
    fn sum(&mut self, s: &Sop, line: u64) {
        let mut sets = Vec::new();
        for (at, f) in [Factor::Src(s.a), s.b, Factor::Src(s.c), s.d].iter().enumerate() {
            self.factor(f, at, &mut sets);
        }
        sets.push((&sop::LINE, line));
        sets.push((
            &sop::OPERATOR,
            ["add", "sub", "rsub", "min", "max"].iter().position(|o| *o == s.op).unwrap() as u64,
        ));
        sets.push((&sop::HALF, s.half.map_or(0, |h| u64::from(h) + 1)));
        self.op(Phase::Zero, Opcode::Sop, 128, &sets);
        if s.half.is_some() || line == 0 { self.out(0, s.dst) } else { self.out(1, s.dst) }
    }
    fn bitwise(&mut self, g: &Bitwise) {
        match g.mask {
            Mask::Zero => {}
            Mask::Msk(a, b) => {
                self.src(0, a);
                self.src(1, b);
                self.op(Phase::Zero, Opcode::Mask, 8, &[]);
            }
            Mask::Byp(a, b) => {
                self.src(0, a);
                self.src(1, b);
                self.op(Phase::Zero, Opcode::MaskBypass, 8, &[]);
            }
            Mask::Literal(a, l) => {
                self.src(0, a);
                self.op(Phase::Zero, Opcode::MaskLiteral, 40, &[(&bitwise::LITERAL32, l.into())]);
            }
        }
        let (o, s2, s1) = g.shift1;
        self.src(2, s2);
        let o = match o {
            "shfl" => Opcode::Shfl,
            "rev" => Opcode::Rev,
            "lsl" => Opcode::Lsl1,
            _ => Opcode::Shift1Bypass,
        };
        if matches!(o, Opcode::Shfl | Opcode::Lsl1) {
            self.src(1, s1);
        }
        self.op(Phase::Zero, o, 8, &[]);
        let c = match g.count.0 {
            Count::Cbs => Opcode::Cbs,
            Count::Ftb => Opcode::Ftb,
            Count::FtbShi => Opcode::FtbShi,
            Count::FtbMsb => Opcode::FtbMsb,
            Count::Byp => Opcode::CountBypass,
        };
        self.op(Phase::Zero, c, 8, &[(&bitwise::COUNT_FT2, g.count.1.into())]);
        if let Some(l) = g.logical {
            self.src(3, l.s3);
            let o = match l.op {
                None => Opcode::LogicalBypass,
                Some("and") => Opcode::And,
                Some("or") => Opcode::Or,
                Some("xor") => Opcode::Xor,
                Some("nand") => Opcode::Nand,
                Some("nor") => Opcode::Nor,
                _ => Opcode::Xnor,
            };
            self.op(Phase::One, o, 8, &[(&bitwise::MASK_FT2, l.masked.into()), (&bitwise::MASK_S3, l.inverted.into())]);
        }
        if let Some((o, s4)) = g.shift2 {
            self.src(4, s4);
            let o = match o {
                "lsl" => Opcode::Lsl2,
                "shr" => Opcode::Shr,
                "rol" => Opcode::Rol,
                "cps" => Opcode::Cps,
                "asr.twb" => Opcode::AsrTwb,
                "asr.pwb" => Opcode::AsrPwb,
                "asr.mtb" => Opcode::AsrMtb,
                _ => Opcode::AsrFtb,
            };
            self.op(Phase::Two, o, 8, &[]);
        }
        if let Some((nz, ft5)) = g.test {
            self.op(Phase::Two, if nz { Opcode::Tnz } else { Opcode::Tz }, 8, &[(&bitwise::TEST_FT3, (!ft5).into())]);
        }
        if let Some(r) = g.w0 {
            self.out(0, r);
        }
        if let Some(r) = g.w1 {
            self.out(1, r);
        }
    }
}
trait Neg {
    fn neg_(&'static self) -> &'static Field;
}
impl Neg for sop::FactorFields {
    fn neg_(&'static self) -> &'static Field {
        &self.negate
    }
}

pub(crate) fn build(groups: &[Group]) -> usc::Program {
    let mut p = usc::Program::default();
    for (n, g) in groups.iter().enumerate() {
        let kind = match g.body {
            Body::Bitwise(_) => usc::GroupKind::Bitwise,
            Body::Cnd(..) => usc::GroupKind::Control,
            _ => usc::GroupKind::Main,
        };
        let condition = match g.condition {
            Condition::Pe => usc::Condition::Running,
            Condition::P0 => usc::Condition::IfP0,
            Condition::Always => usc::Condition::Always,
            Condition::NotP0 => usc::Condition::IfNotP0,
        };
        let mut b = B {
            g: usc::Group {
                offset: n as u32 * 32,
                len: 32,
                kind,
                condition,
                repeat: g.repeat,
                end: g.end,
                atomic: false,
                overlap: false,
                operands: Code::new(0, 0),
                operations: Default::default(),
            },
            used: [None; 6],
        };
        match &g.body {
            Body::Main(m) => b.main(m),
            Body::Complex(o, d, s) => {
                b.src(0, s.reg);
                b.out(0, *d);
                let o = match o {
                    Complex::Rcp => Opcode::Frcp,
                    Complex::Rsq => Opcode::Frsq,
                    Complex::Log => Opcode::Flog,
                    Complex::Exp => Opcode::Fexp,
                };
                b.op(Phase::Zero, o, 16, &[(&alu::ONE_NEG, s.neg.into()), (&alu::ONE_ABS, s.abs.into())]);
            }
            Body::Sop(j, k) => {
                b.sum(j, 0);
                if let Some(k) = k {
                    b.sum(k, 1);
                }
            }
            Body::Bitwise(x) => b.bitwise(x),
            Body::Cnd(c, m) => {
                b.src(0, *m);
                b.out(0, *m);
                let (o, pc, ad) = match *c {
                    Cnd::St { pcnd, adj } => (Opcode::Cndst, pcnd, adj),
                    Cnd::Ef { pcnd, adj } => (Opcode::Cndef, pcnd, adj),
                    Cnd::Sm { pcnd, with } => {
                        b.src(2, with);
                        (Opcode::Cndsm, pcnd, 0)
                    }
                    Cnd::Lt { pcnd, adj } => (Opcode::Cndlt, pcnd, adj),
                    Cnd::End { adj } => (Opcode::Cndend, 0, adj),
                };
                b.op(Phase::Control, o, 16, &[(&control::PCND, pc.into()), (&control::ADJUST, ad.into())]);
            }
        }
        p.groups.push(b.g);
        p.places.push(usc::Place::default());
    }
    p
}
