//! Step programs over rows of lanes.
//!
//! An instruction at a time runs over [`CHUNK`] lanes, whose values lie in rows as wide as their type. What the host computes as
//! the primitive is defined goes through its own arithmetic; rounding in other directions, and what is tiny under a flushing
//! mode, goes lane by lane through [`crate::eval()`].

use crate::eval::{Nans, eval, is_denormal};
use crate::prim::{Direction, Mode, Prim, Ty};
use crate::program::{Id, Inst, MAX_ARGS, Program};

/// Lanes that are computed together.
pub const CHUNK: usize = 64;

/// Where the values of a program lie: one row each, `u64` words.
#[derive(Clone, Debug)]
pub struct Rows {
    program: Program,
    values: Vec<[u64; CHUNK]>,
}

/// Applies a function of one operand.
#[inline(always)]
fn one(a: &[u64; CHUNK], f: impl Fn(u64) -> u64) -> [u64; CHUNK] {
    std::array::from_fn(|n| f(a[n]))
}

/// Applies a function of two operands.
#[inline(always)]
fn two(a: &[u64; CHUNK], b: &[u64; CHUNK], f: impl Fn(u64, u64) -> u64) -> [u64; CHUNK] {
    std::array::from_fn(|n| f(a[n], b[n]))
}

fn single(w: u64) -> f32 {
    f32::from_bits(w as u32)
}

fn pack(v: f32) -> u64 {
    u64::from(v.to_bits())
}

/// p + c rounded to odd, without branches.
#[inline(always)]
fn odd_sum(p: f64, c: f64) -> f64 {
    let s = p + c;
    let b = s - p;
    let error = (p - (s - b)) + (c - b);
    let bits = s.to_bits();
    let inexact = (error.abs() > 0.0) & (bits & 1 == 0);
    let outward = (error > 0.0) == (s > 0.0);
    let odd = if outward { bits.wrapping_add(1) } else { bits.wrapping_sub(1) };
    f64::from_bits(if inexact { odd } else { bits })
}

impl Rows {
    /// Prepares a program.
    pub fn new(program: &Program) -> Rows {
        let count = program.params.len() + program.insts.len();
        let mut rows = Rows { program: program.clone(), values: vec![[0; CHUNK]; count] };
        // Constants stay from chunk to chunk.
        for (n, inst) in program.insts.iter().enumerate() {
            if inst.prim == Prim::Const {
                rows.values[program.params.len() + n] = [inst.imm; CHUNK];
            }
        }
        rows
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Runs the program: `args[k][lane]` are the operands. Sets the results, and for each chunk of 64 lanes a bit where a lane
    /// is marked. All rows are as long as `out`.
    pub fn run(&mut self, args: &[&[u64]], out: &mut [u64], marks: &mut Vec<u64>) {
        marks.clear();
        for start in (0..out.len()).step_by(CHUNK) {
            let len = CHUNK.min(out.len() - start);
            for (n, ty) in self.program.params.iter().enumerate() {
                let row = args.get(n).and_then(|row| row.get(start..start + len)).unwrap_or(&[]);
                for (word, &arg) in self.values[n].iter_mut().zip(row) {
                    *word = arg & ty.bits();
                }
            }
            self.chunk();
            out[start..start + len].copy_from_slice(&self.values[self.program.result as usize][..len]);
            let marked = self.program.mark.map_or(0, |mark| {
                let row = &self.values[mark as usize][..len];
                row.iter().enumerate().fold(0, |set, (n, &m)| set | (m & 1) << n)
            });
            marks.push(marked);
        }
    }

    fn chunk(&mut self) {
        let first = self.program.params.len();
        for n in 0..self.program.insts.len() {
            let inst = self.program.insts[n];
            if inst.prim != Prim::Const {
                self.values[first + n] = self.inst(&inst);
            }
        }
    }

    fn row(&self, id: Id) -> &[u64; CHUNK] {
        &self.values[id as usize]
    }

    /// Every lane by the reference evaluation of the primitive.
    fn slow(&self, inst: &Inst) -> [u64; CHUNK] {
        std::array::from_fn(|n| {
            let mut words = [0; MAX_ARGS];
            for (word, &arg) in words.iter_mut().zip(inst.args()) {
                *word = self.row(arg)[n];
            }
            eval(inst, words, Nans::Plain)
        })
    }

    fn inst(&self, inst: &Inst) -> [u64; CHUNK] {
        let [a, b, c, _] = inst.args.map(|id| self.row(id));
        let mode = Mode::from_word(inst.imm).unwrap_or(Mode::PLAIN);
        let nearest = mode.direction == Direction::Nearest;
        if inst.ty == Ty::F64 {
            let v = f64::from_bits;
            return match inst.prim {
                Prim::Fadd if mode == Mode::PLAIN => two(a, b, |a, b| (v(a) + v(b)).to_bits()),
                Prim::Fsub if mode == Mode::PLAIN => two(a, b, |a, b| (v(a) - v(b)).to_bits()),
                Prim::Fmul if mode == Mode::PLAIN => two(a, b, |a, b| (v(a) * v(b)).to_bits()),
                Prim::Fmulz if mode == Mode::PLAIN => {
                    two(a, b, |a, b| if v(a) == 0.0 || v(b) == 0.0 { 0 } else { (v(a) * v(b)).to_bits() })
                }
                Prim::Fdiv if mode == Mode::PLAIN => two(a, b, |a, b| (v(a) / v(b)).to_bits()),
                Prim::Fma if mode == Mode::PLAIN => {
                    std::array::from_fn(|n| v(a[n]).mul_add(v(b[n]), v(c[n])).to_bits())
                }
                Prim::Fsqrt if mode == Mode::PLAIN => one(a, |a| v(a).sqrt().to_bits()),
                Prim::FaddOdd => two(a, b, |a, b| odd_sum(v(a), v(b)).to_bits()),
                Prim::Fmin => two(a, b, |a, b| if v(a) < v(b) { a } else { b }),
                Prim::Fmax => two(a, b, |a, b| if v(a) > v(b) { a } else { b }),
                Prim::Fneg => one(a, |a| a ^ 1 << 63),
                Prim::Fabs => one(a, |a| a & !(1 << 63)),
                Prim::Feq => two(a, b, |a, b| u64::from(v(a) == v(b))),
                Prim::Flt => two(a, b, |a, b| u64::from(v(a) < v(b))),
                Prim::Fle => two(a, b, |a, b| u64::from(v(a) <= v(b))),
                Prim::Funo => two(a, b, |a, b| u64::from(v(a).is_nan() | v(b).is_nan())),
                Prim::Narrow if mode == Mode::PLAIN => one(a, |a| {
                    let nan = a >> 32 & 1 << 31 | 0x7fc0_0000 | a >> 29 & 0x7f_ffff;
                    if v(a).is_nan() { nan } else { pack(v(a) as f32) }
                }),
                Prim::FromInt => one(a, |a| f64::from(a as u32 as i32).to_bits()),
                Prim::Select => self.select(inst),
                Prim::Bits | Prim::Float => *a,
                _ => self.slow(inst),
            };
        }
        if inst.ty == Ty::F32 {
            let v = single;
            let row = match inst.prim {
                Prim::Fadd if nearest => two(a, b, |a, b| pack(v(a) + v(b))),
                Prim::Fsub if nearest => two(a, b, |a, b| pack(v(a) - v(b))),
                Prim::Fmul if nearest => two(a, b, |a, b| pack(v(a) * v(b))),
                Prim::Fmulz if nearest => {
                    two(a, b, |a, b| if v(a) == 0.0 || v(b) == 0.0 { 0 } else { pack(v(a) * v(b)) })
                }
                Prim::Fdiv if nearest => two(a, b, |a, b| pack(v(a) / v(b))),
                Prim::Fsqrt if nearest => one(a, |a| pack(v(a).sqrt())),
                Prim::Fma if nearest => std::array::from_fn(|n| {
                    let product = f64::from(v(a[n])) * f64::from(v(b[n]));
                    pack(odd_sum(product, f64::from(v(c[n]))) as f32)
                }),
                Prim::Fmin => return two(a, b, |a, b| if v(a) < v(b) { a } else { b }),
                Prim::Fmax => return two(a, b, |a, b| if v(a) > v(b) { a } else { b }),
                Prim::Fneg => return one(a, |a| a ^ 1 << 31),
                Prim::Fabs => return one(a, |a| a & 0x7fff_ffff),
                Prim::Feq => return two(a, b, |a, b| u64::from(v(a) == v(b))),
                Prim::Flt => return two(a, b, |a, b| u64::from(v(a) < v(b))),
                Prim::Fle => return two(a, b, |a, b| u64::from(v(a) <= v(b))),
                Prim::Funo => return two(a, b, |a, b| u64::from(v(a).is_nan() | v(b).is_nan())),
                Prim::Flush => return one(a, |a| if is_denormal(Ty::F32, a) { a & 1 << 31 } else { a }),
                Prim::Widen => {
                    return one(a, |a| {
                        let nan = (a & 1 << 31) << 32 | 0x7ff8_0000_0000_0000 | (a & 0x7f_ffff) << 29;
                        if v(a).is_nan() { nan } else { f64::from(v(a)).to_bits() }
                    });
                }
                Prim::Select => return self.select(inst),
                Prim::Bits | Prim::Float => return *a,
                _ => return self.slow(inst),
            };
            if !mode.flush {
                return row;
            }
            // Up to the smallest normal number the mode decides.
            let tiny = row.iter().fold(false, |any, &w| any | ((w & 0x7fff_ffff).wrapping_sub(1) < 0x80_0000));
            return if tiny { self.slow(inst) } else { row };
        }
        let mask = inst.ty.bits();
        let wide = inst.ty == Ty::I64;
        match inst.prim {
            Prim::Select => self.select(inst),
            Prim::Add => two(a, b, |a, b| a.wrapping_add(b) & mask),
            Prim::Sub => two(a, b, |a, b| a.wrapping_sub(b) & mask),
            Prim::Mul => two(a, b, |a, b| a.wrapping_mul(b) & mask),
            Prim::And => two(a, b, |a, b| a & b),
            Prim::Or => two(a, b, |a, b| a | b),
            Prim::Xor => two(a, b, |a, b| a ^ b),
            Prim::Not => one(a, |a| !a & 1),
            Prim::Shl if wide => two(a, b, |a, b| a << (b & 63)),
            Prim::Shl => two(a, b, |a, b| a << (b & 31) & mask),
            Prim::Shr if wide => two(a, b, |a, b| a >> (b & 63)),
            Prim::Shr => two(a, b, |a, b| a >> (b & 31)),
            Prim::Sar if wide => two(a, b, |a, b| (a as i64 >> (b & 63)) as u64),
            Prim::Sar => two(a, b, |a, b| u64::from((a as u32 as i32 >> (b & 31)) as u32)),
            Prim::Eq => two(a, b, |a, b| u64::from(a == b)),
            Prim::Ult => two(a, b, |a, b| u64::from(a < b)),
            Prim::Disjoint => two(a, b, |a, b| u64::from(a & b == 0)),
            Prim::Lt if wide => two(a, b, |a, b| u64::from((a as i64) < b as i64)),
            Prim::Lt => two(a, b, |a, b| u64::from((a as u32 as i32) < b as u32 as i32)),
            Prim::Low | Prim::Zext => one(a, |a| a & 0xffff_ffff),
            Prim::Sext => one(a, |a| a as u32 as i32 as u64),
            _ => self.slow(inst),
        }
    }

    fn select(&self, inst: &Inst) -> [u64; CHUNK] {
        let [m, a, b, _] = inst.args.map(|id| self.row(id));
        std::array::from_fn(|n| if m[n] & 1 != 0 { a[n] } else { b[n] })
    }
}
