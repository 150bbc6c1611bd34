//! The walk: groups executed one after the other on the registers of a quad, written from the description of the
//! instruction set alone. Every float result comes from `parallax-num`.

use crate::group::*;
use parallax_core::num::{Decl, Model, Op, Round, Saturate, Slot, Storage, eval};

pub(crate) const LANES: usize = 4;

/// Registers of one instance.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Instance {
    pub(crate) r: [u32; 24],
    pub(crate) vi: [u32; 8],
    pub(crate) sh: [u32; 24],
    pub(crate) i: [u32; 8],
    pub(crate) o: [u32; 8],
    pub(crate) vo: [u32; 16],
    pub(crate) p0: bool,
    pub(crate) pe: bool,
    /// What is added to the numbers of shared registers.
    pub(crate) base: u16,
}

pub(crate) struct Machine<'a> {
    pub(crate) model: &'a Model,
}

/// What phases pass on.
#[derive(Copy, Clone, Default)]
struct Feeds {
    ft0: u32,
    ft1: u32,
    ft2: u32,
    fte: u32,
    carry: bool,
}

impl Feeds {
    fn get(&self, ft: Ft) -> u32 {
        match ft {
            Ft::Ft0 => self.ft0,
            Ft::Ft1 => self.ft1,
            Ft::Ft2 => self.ft2,
            Ft::Fte => self.fte,
        }
    }
}

/// Everything a group changes in one instance.
#[derive(Clone, Default)]
struct Changes {
    writes: Vec<(Reg, u32)>,
    vo: Option<(u8, u32)>,
    p0: Option<bool>,
    pe: Option<bool>,
}

/// Constants that programs here name.
fn constant(n: u16) -> u32 {
    match n {
        0..32 => u32::from(n),
        64 => 1f32.to_bits(),
        65..75 => f32::from(1u16 << (n - 64)).to_bits(),
        75..89 => (1.0 / f32::from(1u16 << (n - 74))).to_bits(),
        143 => u32::MAX,
        other => panic!("c{other} occurs in no program here"),
    }
}

fn sign_extended(word: u32, bits: u32) -> u32 {
    ((word << (32 - bits)) as i32 >> (32 - bits)) as u32
}

fn low(word: u32, bits: u32) -> u32 {
    if bits == 32 { word } else { word & ((1 << bits) - 1) }
}

impl Instance {
    fn read(&self, reg: Reg) -> u32 {
        let n = usize::from(reg.1);
        match reg.0 {
            Bank::R => self.r[n],
            Bank::Vi => self.vi[n],
            Bank::Sh => self.sh[n + usize::from(self.base)],
            Bank::I => self.i[n],
            Bank::O => self.o[n],
            Bank::C => constant(reg.1),
        }
    }

    fn write(&mut self, reg: Reg, word: u32) {
        let n = usize::from(reg.1);
        match reg.0 {
            Bank::R => self.r[n] = word,
            Bank::Vi => self.vi[n] = word,
            Bank::Sh => self.sh[n + usize::from(self.base)] = word,
            Bank::I => self.i[n] = word,
            Bank::O => self.o[n] = word,
            Bank::C => panic!("constants are not written"),
        }
    }

    fn runs(&self, condition: Condition) -> bool {
        match condition {
            Condition::Pe => self.pe,
            Condition::P0 => self.pe && self.p0,
            Condition::Always => true,
            Condition::NotP0 => self.pe && !self.p0,
        }
    }
}

/// The register `k` places further, for iteration `k` of a repeated group.
fn advanced(reg: Reg, k: u8) -> Reg {
    match reg.0 {
        Bank::C => reg,
        _ => Reg(reg.0, reg.1 + u16::from(k)),
    }
}

impl Machine<'_> {
    fn num(&self, op: Op, slot: Slot, args: &[u32]) -> u32 {
        let words: Vec<u64> = args.iter().map(|word| u64::from(*word)).collect();
        let storage = if slot.decl == Decl::F16 { Storage::F16 } else { Storage::F32 };
        eval(op, &self.model.rule(op, &slot, storage).0, &words) as u32
    }

    fn f32(&self, op: Op, args: &[u32]) -> u32 {
        self.num(op, Slot::plain(Decl::F32), args)
    }

    fn sat(&self, op: Op, sat: bool, args: &[u32]) -> u32 {
        let saturate = if sat { Saturate::Unsigned } else { Saturate::None };
        self.num(op, Slot { saturate, ..Slot::plain(Decl::F32) }, args)
    }

    /// A conversion from one format to another.
    fn converted(&self, from: Decl, to: Slot, word: u32) -> u32 {
        let storage = if from == Decl::F16 { Storage::F16 } else { Storage::F32 };
        eval(Op::Cvt, &self.model.rule(Op::Cvt, &to, storage).0, &[u64::from(word)]) as u32
    }

    /// A float source: floor, then magnitude, then sign.
    fn float(&self, at: &Instance, src: Src, k: u8) -> u32 {
        let mut word = at.read(advanced(src.reg, k));
        if let Some(half) = src.element {
            word = self.converted(Decl::F16, Slot::plain(Decl::F32), word >> (16 * half) & 0xffff);
        }
        if src.flr {
            word = self.f32(Op::Floor, &[word]);
        }
        if src.abs {
            word &= !(1 << 31);
        }
        word ^ u32::from(src.neg) << 31
    }

    /// An integer source of some bits.
    fn integer(at: &Instance, src: Src, k: u8, bits: u32, signed: bool) -> u32 {
        let word = at.read(advanced(src.reg, k)) >> (u32::from(src.element.unwrap_or(0)) * bits % 32);
        let mut value = sign_extended(word, bits) as i32;
        if src.abs {
            value = value.wrapping_abs();
        }
        if src.neg {
            value = value.wrapping_neg();
        }
        let value = value as u32;
        if signed { sign_extended(value, bits) } else { low(value, bits) }
    }

    /// Phase 0 or 1: the feed-through, and where there are some the high word and the carry.
    fn arith(&self, quad: &[Instance], lane: usize, op: Arith, k: u8) -> (u32, Option<u32>, bool) {
        let at = &quad[lane];
        let float = |src| self.float(at, src, k);
        let word = |src: Src| Self::integer(at, src, k, 32, true);
        let wide = |a: Src, b: Src| u64::from(word(a)) | u64::from(word(b)) << 32;
        let raw = |reg| at.read(advanced(reg, k));
        match op {
            Arith::Add { sat, a, b } => (self.sat(Op::Add, sat, &[float(a), float(b)]), None, false),
            Arith::Mul { sat, a, b } => (self.sat(Op::Mul, sat, &[float(a), float(b)]), None, false),
            Arith::Mad { sat, a, b, c } => (self.sat(Op::Mad, sat, &[float(a), float(b), float(c)]), None, false),
            Arith::Byp(a) => (float(a), None, false),
            Arith::Gradient { rows, fine, a } => {
                let (step, own) = if rows { (2, lane & 1) } else { (1, lane & 2) };
                let from = if fine { own } else { 0 };
                let [far, near] = [from + step, from].map(|n| self.float(&quad[n], a, k));
                (self.f32(Op::Sub, &[far, near]), None, false)
            }
            Arith::Unpack { format, how, a } => {
                let word = at.read(a.reg);
                let field = (usize::from(a.element.unwrap_or(0)) + usize::from(k)) % format.fields().len();
                (self.unpacked(format, how, field, word), None, false)
            }
            Arith::Narrow { kind, bits, signed, sat, a, b, c } => {
                let bits = u32::from(bits);
                let part = |src| {
                    let word = Self::integer(at, src, k, bits, signed);
                    if signed { i64::from(word as i32) } else { i64::from(word) }
                };
                let result = match kind {
                    Kind::Add => part(a) + part(b),
                    Kind::Mul => part(a) * part(b),
                    Kind::Mad => part(a) * part(b) + part(c),
                };
                let (least, most) =
                    if signed { (-1i64 << (bits - 1), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) };
                let word = if sat { result.clamp(least, most) } else { result } as u32;
                (if signed { sign_extended(word, bits) } else { low(word, bits) }, None, false)
            }
            Arith::Add64 { a: [a, b, c], high, carry } => {
                sum64(wide(a, b), u64::from(word(c)) | u64::from(raw(high)) << 32, carry && at.p0)
            }
            Arith::Add6432 { signed, a: [a, b, c], carry } => {
                let c = if signed { word(c) as i32 as i64 as u64 } else { u64::from(word(c)) };
                sum64(wide(a, b), c, carry && at.p0)
            }
            Arith::Madd32 { a: [a, b, c], carry, .. } => {
                let (sum, over) = word(a).wrapping_mul(word(b)).overflowing_add(word(c));
                let (sum, more) = sum.overflowing_add(u32::from(carry && at.p0));
                (sum, None, over | more)
            }
            Arith::Madd64 { signed, a: [a, b, c], high, carry } => {
                let extended = |src| if signed { word(src) as i32 as i64 as u64 } else { u64::from(word(src)) };
                let product = extended(a).wrapping_mul(extended(b));
                sum64(product, u64::from(word(c)) | u64::from(raw(high)) << 32, carry && at.p0)
            }
        }
    }

    fn unpacked(&self, format: Format, how: How, field: usize, word: u32) -> u32 {
        let offset: u32 = format.fields()[..field].iter().sum();
        let bits = format.fields()[field];
        let code = low(word >> offset, bits);
        let round = (how == How::RoundZero).then_some(Round::Zero);
        let convert = |op, code| self.num(op, Slot { round, ..Slot::plain(Decl::F32) }, &[code]);
        let over = |value, most: u32| {
            let most = self.f32(Op::U2f, &[most]);
            self.f32(Op::Div, &[value, most])
        };
        match format {
            Format::U8888 | Format::U1616 | Format::U1010102 | Format::U32 => {
                let value = convert(Op::U2f, code);
                if how == How::Scale { over(value, low(u32::MAX, bits)) } else { value }
            }
            Format::S8888 | Format::S1616 | Format::S111110 | Format::S32 => {
                let value = convert(Op::I2f, sign_extended(code, bits));
                if how == How::Scale {
                    let scaled = over(value, low(u32::MAX, bits - 1));
                    // The most negative code is -1, too.
                    if code == 1 << (bits - 1) { (-1f32).to_bits() } else { scaled }
                } else {
                    value
                }
            }
            Format::O8888 => convert(Op::I2f, code.wrapping_sub(1 << (bits - 1))),
            Format::F16F16 => self.converted(Decl::F16, Slot::plain(Decl::F32), code),
            Format::F32 => word,
        }
    }

    /// One field of a packed word.
    fn packed(&self, format: Format, how: How, field: usize, value: u32) -> u32 {
        let bits = format.fields()[field];
        let trunc = how == How::RoundZero;
        let scaled = |most: u32, saturate| {
            let clamped = self.num(Op::Cvt, Slot { saturate, ..Slot::plain(Decl::F32) }, &[value]);
            let most = self.f32(Op::U2f, &[most]);
            self.f32(Op::Mul, &[clamped, most])
        };
        match format {
            Format::U8888 | Format::U1616 | Format::U1010102 | Format::U32 => {
                let most = low(u32::MAX, bits);
                let value = if how == How::Scale { scaled(most, Saturate::Unsigned) } else { value };
                self.f32(if trunc { Op::F2uTrunc } else { Op::F2uRint }, &[value]).min(most)
            }
            Format::S8888 | Format::S1616 | Format::S111110 | Format::S32 | Format::O8888 => {
                let most = low(u32::MAX, bits - 1);
                let value = if how == How::Scale { scaled(most, Saturate::Signed) } else { value };
                let code = self.f32(if trunc { Op::F2iTrunc } else { Op::F2iRint }, &[value]) as i32;
                let code = code.clamp(-(most as i32) - 1, most as i32) as u32;
                let offset = if format == Format::O8888 { 1 << (bits - 1) } else { 0 };
                low(code.wrapping_add(offset), bits)
            }
            Format::F16F16 => {
                let round = trunc.then_some(Round::Zero);
                self.converted(Decl::F32, Slot { round, ..Slot::plain(Decl::F16) }, value)
            }
            Format::F32 => value,
        }
    }

    fn test(&self, test: Test, feeds: &Feeds) -> bool {
        let [a, b] = [test.a, test.b].map(|ft| {
            let word = feeds.get(ft);
            let element = u32::from(test.element.unwrap_or(0));
            match test.ty {
                Type::U16 => low(word >> (16 * element), 16),
                Type::S16 => sign_extended(word >> (16 * element), 16),
                Type::U8 => low(word >> (8 * element), 8),
                Type::S8 => sign_extended(word >> (8 * element), 8),
                Type::F32 | Type::U32 | Type::S32 => word,
            }
        });
        let signed = matches!(test.ty, Type::S16 | Type::S8 | Type::S32);
        let (b, op) = match test.relation {
            Relation::C => return feeds.carry,
            Relation::Z => (0, Relation::E),
            Relation::Gz => (0, Relation::G),
            Relation::Gez => (0, Relation::Ge),
            other => (b, other),
        };
        if test.ty == Type::F32 {
            let op = match op {
                Relation::E => Op::FEq,
                Relation::Ne => Op::FNe,
                Relation::G => Op::FGt,
                Relation::Ge => Op::FGe,
                Relation::L => Op::FLt,
                _ => Op::FLe,
            };
            return self.f32(op, &[a, b]) != 0;
        }
        let order = if signed { (a as i32).cmp(&(b as i32)) } else { a.cmp(&b) };
        match op {
            Relation::E => order.is_eq(),
            Relation::Ne => order.is_ne(),
            Relation::G => order.is_gt(),
            Relation::Ge => order.is_ge(),
            Relation::L => order.is_lt(),
            _ => order.is_le(),
        }
    }

    fn main(&self, quad: &[Instance], lane: usize, main: &Main, k: u8, packed: &mut u32) -> Changes {
        let at = &quad[lane];
        let mut changes = Changes::default();
        let mut feeds = Feeds { fte: main.fte.map_or(0, |reg| at.read(advanced(reg, k))), ..Feeds::default() };
        if let Some(op) = main.phase0 {
            let (word, high, carry) = self.arith(quad, lane, op, k);
            (feeds.ft0, feeds.carry) = (word, carry);
            feeds.fte = high.unwrap_or(feeds.fte);
        }
        if let Some(op) = main.phase1 {
            feeds.ft1 = self.arith(quad, lane, op, k).0;
        }
        if let Some((format, how, from)) = main.pack {
            let field = usize::from(k);
            if let Some(bits) = format.fields().get(field) {
                let offset: u32 = format.fields()[..field].iter().sum();
                *packed |= low(self.packed(format, how, field, feeds.get(from)), *bits) << offset;
            }
            feeds.ft2 = *packed;
        }
        let mut ftt = false;
        if let Some(test) = main.test {
            ftt = self.test(test, &feeds);
            changes.p0 = test.p0.then_some(ftt);
        }
        // The register of a packed word is one for all iterations.
        let dst = |reg| if main.pack.is_some() { reg } else { advanced(reg, k) };
        if let Some((reg, how)) = main.w0 {
            let bytes = |mask: u8, yes: u32, no: u32| {
                let mask = (0..4).filter(|byte| mask >> byte & 1 != 0).fold(0u32, |m, byte| m | 0xff << (8 * byte));
                yes & mask | no & !mask
            };
            let word = match how {
                Move::Whole(from) => feeds.get(from),
                Move::Bytes(mask, from, rest) => bytes(mask, feeds.get(from), feeds.get(rest)),
                Move::Choice { mask, no, yes, .. } if ftt => bytes(mask, feeds.get(yes), feeds.get(no)),
                Move::Choice { no, .. } => feeds.get(no),
            };
            changes.writes.push((dst(reg), word));
        }
        if let Some((reg, from)) = main.w1 {
            changes.writes.push((dst(reg), feeds.get(from)));
        }
        changes.vo = main.uvsw.map(|address| (address + k, feeds.ft0));
        changes
    }

    fn half(&self, at: &Instance, src: Src, k: u8) -> u32 {
        let word = at.read(advanced(src.reg, k));
        let mut half = match src.element {
            Some(half) => word >> (16 * half) & 0xffff,
            None => self.converted(Decl::F32, Slot::plain(Decl::F16), word),
        };
        if src.abs {
            half &= 0x7fff;
        }
        half ^ u32::from(src.neg) << 15
    }

    fn sop(&self, at: &Instance, line: Sop, k: u8) -> u32 {
        let num = |op, args: &[u32]| self.num(op, Slot::plain(Decl::F16), args);
        let factor = |factor| match factor {
            Factor::Src(src) => self.half(at, src, k),
            Factor::Zero => 0,
            Factor::One => 0x3c00,
        };
        let first = num(Op::Mul, &[self.half(at, line.a, k), factor(line.b)]);
        let second = num(Op::Mul, &[self.half(at, line.c, k), factor(line.d)]);
        match line.op {
            "add" => num(Op::Add, &[first, second]),
            "sub" => num(Op::Sub, &[first, second]),
            "rsub" => num(Op::Sub, &[second, first]),
            "min" => num(Op::Min, &[first, second]),
            _ => num(Op::Max, &[first, second]),
        }
    }

    fn sums(&self, at: &Instance, j: Sop, other: Option<Sop>, k: u8) -> Changes {
        let mut changes = Changes::default();
        let mut now = at.clone();
        for line in [Some(j), other].into_iter().flatten() {
            let value = self.sop(at, line, k);
            let reg = advanced(line.dst, k);
            let word = match line.half {
                None => self.converted(Decl::F16, Slot::plain(Decl::F32), value),
                Some(half) => now.read(reg) & 0xffff << (16 - 16 * half) | value << (16 * half),
            };
            now.write(reg, word);
            changes.writes.push((reg, word));
        }
        changes
    }

    fn bitwise(at: &Instance, group: &Bitwise, k: u8) -> Changes {
        let read = |reg| at.read(advanced(reg, k));
        let (ft0, ft1) = match group.mask {
            Mask::Zero => (0, 0),
            Mask::Msk(width, position) => {
                let (width, position) = (read(width), read(position));
                let ones = if width & 63 >= 32 { u32::MAX } else { (1 << (width & 31)) - 1 };
                let ft1 = if position & 63 >= 32 { 0 } else { ones << (position & 31) };
                (width.wrapping_add(position).wrapping_sub(1) & 63, ft1)
            }
            Mask::Byp(a, b) => (read(a), read(b)),
            Mask::Literal(a, literal) => (read(a), literal),
        };
        let (op, s2, s1) = group.shift1;
        let (s2, s1) = (read(s2), read(s1));
        let ft2 = match op {
            "shfl" => (0..16).fold(0, |all, bit| all | (s2 >> bit & 1) << (2 * bit) | (s1 >> bit & 1) << (2 * bit + 1)),
            "rev" => s2.reverse_bits(),
            "lsl" => s2 << (s1 & 31),
            _ => s2,
        };
        let counted = if group.count.1 { ft2 } else { s2 };
        let top = |word: u32| if word == 0 { u32::MAX } else { 31 - word.leading_zeros() };
        let ft3 = match group.count.0 {
            Count::Cbs => counted.count_ones(),
            Count::Ftb => top(counted),
            Count::FtbShi => top(counted ^ (counted as i32 >> 31) as u32),
            Count::FtbMsb => {
                if counted == 0 {
                    u32::MAX
                } else {
                    counted.leading_zeros()
                }
            }
            Count::Byp => counted,
        };
        let ft4 = group.logical.map(|l| {
            let a = if l.masked { ft1 & ft2 } else { ft2 };
            let s3 = read(l.s3);
            let b = if l.inverted { !ft1 & s3 } else { s3 };
            match l.op {
                None => ft1,
                Some("and") => a & b,
                Some("or") => a | b,
                Some("xor") => a ^ b,
                Some("nand") => !(a & b),
                Some("nor") => !(a | b),
                _ => !(a ^ b),
            }
        });
        let ft5 = group.shift2.map(|(op, s4)| {
            let (word, s4) = (ft4.unwrap_or(0), read(s4));
            let amount = s4 & 31;
            let asr = |sign: u32| {
                let total = 31 - sign + amount;
                (word << (31 - sign)) as i32 >> total.min(31)
            };
            match op {
                "lsl" => word << amount,
                "shr" => word >> amount,
                "rol" => word.rotate_left(amount),
                "cps" => s4 & !word | if at.p0 { word } else { 0 },
                "asr.twb" => asr(31) as u32,
                "asr.pwb" => asr(15) as u32,
                "asr.mtb" => asr(ft0 & 31) as u32,
                _ => asr(ft3 & 31) as u32,
            }
        });
        let p0 = group.test.map(|(nonzero, of_ft5)| ((if of_ft5 { ft5.unwrap_or(0) } else { ft3 }) != 0) == nonzero);
        let mut changes = Changes { p0, ..Changes::default() };
        changes.writes.extend(group.w0.map(|reg| (advanced(reg, k), ft5.or(ft4).unwrap_or(ft1))));
        changes.writes.extend(group.w1.map(|reg| (advanced(reg, k), ft3)));
        changes
    }

    /// One instance of a conditional group; `any` tells whether the condition holds in any instance that runs, `first` is the
    /// first that runs.
    fn conditional(at: &Instance, cnd: Cnd, m: Reg, any: bool, first: Option<&Instance>) -> Changes {
        let count = at.read(m);
        let holds = |pcnd: u8| Self::holds(at, pcnd);
        let (count, pe, p0) = match cnd {
            Cnd::St { pcnd, .. } if holds(pcnd) && count == 0 => (0, true, None),
            Cnd::St { adj, .. } => (count.wrapping_add(adj), false, None),
            Cnd::Ef { adj, .. } if count == 0 => (adj, adj == 0, None),
            Cnd::Ef { pcnd, .. } if holds(pcnd) && count == 1 => (0, true, None),
            Cnd::Ef { .. } => (count, false, None),
            Cnd::Sm { pcnd, with } if holds(pcnd) && count == 0 => (at.read(with), at.read(with) == 0, None),
            Cnd::Sm { .. } => (count, count == 0, None),
            Cnd::Lt { adj, .. } if !any => (count.saturating_sub(adj), count <= adj, Some(false)),
            Cnd::Lt { pcnd, adj } if count == 0 && !holds(pcnd) => (adj, false, Some(true)),
            Cnd::Lt { .. } => (count, count == 0, Some(true)),
            Cnd::End { adj } if count > adj => (count - adj, false, None),
            Cnd::End { .. } => (0, true, None),
            Cnd::SetlB { with } if count == 0 && first.is_some_and(|first| first.read(with) != at.read(with)) => {
                (1, false, None)
            }
            Cnd::SetlB { .. } => (count, count == 0, None),
            Cnd::Lpc if count == 0 => (2, false, None),
            Cnd::Lpc if count == 1 => (0, true, None),
            Cnd::Lpc => (count, false, None),
        };
        Changes { writes: vec![(m, count)], vo: None, p0, pe: Some(pe) }
    }

    fn holds(at: &Instance, pcnd: u8) -> bool {
        match pcnd {
            0 => true,
            1 => at.p0,
            2 => false,
            _ => !at.p0,
        }
    }

    /// Executes one group in all instances of a quad.
    pub(crate) fn group(&self, quad: &mut [Instance], group: &Group) {
        let mut packed = [0; LANES];
        for k in 0..group.repeat {
            let before = quad.to_vec();
            for (lane, instance) in quad.iter_mut().enumerate() {
                let at = &before[lane];
                let changes = match &group.body {
                    Body::Main(main) => self.main(&before, lane, main, k, &mut packed[lane]),
                    Body::Complex(op, dst, src) => {
                        let op = match op {
                            Complex::Rcp => Op::Rcp,
                            Complex::Rsq => Op::Rsq,
                            Complex::Log => Op::Log2,
                            Complex::Exp => Op::Exp2,
                        };
                        let word = self.f32(op, &[self.float(at, *src, k)]);
                        Changes { writes: vec![(advanced(*dst, k), word)], ..Changes::default() }
                    }
                    Body::Sop(j, other) => self.sums(at, *j, *other, k),
                    Body::Bitwise(bitwise) => Self::bitwise(at, bitwise, k),
                    Body::Branch(..) | Body::Call(_) | Body::Return | Body::Save(_) | Body::Base(_) => {
                        panic!("groups that only say where to go change no registers by themselves")
                    }
                    Body::Cnd(cnd, m) => {
                        let pcnd = if let Cnd::Lt { pcnd, .. } = cnd { *pcnd } else { 0 };
                        let any = before
                            .iter()
                            .any(|other| other.runs(group.condition) && other.pe && Self::holds(other, pcnd));
                        Self::conditional(at, *cnd, *m, any, before.iter().find(|other| other.pe))
                    }
                };
                if !at.runs(group.condition) {
                    continue;
                }
                changes.writes.iter().for_each(|(reg, word)| instance.write(*reg, *word));
                if let Some((address, word)) = changes.vo {
                    instance.vo[usize::from(address)] = word;
                }
                instance.p0 = changes.p0.unwrap_or(instance.p0);
                instance.pe = changes.pe.unwrap_or(instance.pe);
            }
        }
    }

    /// Executes a program whose groups stand at these bytes; the number of branches taken.
    pub(crate) fn run(&self, quad: &mut [Instance], groups: &[Group], offsets: &[u32]) -> usize {
        let (mut at, mut taken, mut link) = (0, 0, None);
        while let Some(group) = groups.get(at) {
            at += 1;
            let runs = |instance: &Instance| instance.runs(group.condition);
            let (any, all) = (quad.iter().any(runs), quad.iter().all(runs));
            let to = match group.body {
                Body::Branch(Who::All, to) => all.then_some(to),
                Body::Branch(_, to) => any.then_some(to),
                Body::Call(to) if any => {
                    link = Some(at);
                    Some(to)
                }
                Body::Return if any => Some(link.expect("a call came before")),
                Body::Call(_) | Body::Return => None,
                Body::Save(reg) => {
                    let word = offsets[link.expect("a call came before")] / 2;
                    quad.iter_mut().filter(|instance| runs(instance)).for_each(|instance| instance.write(reg, word));
                    None
                }
                Body::Base(offset) => {
                    quad.iter_mut().for_each(|instance| instance.base = offset);
                    None
                }
                _ => {
                    self.group(quad, group);
                    None
                }
            };
            if let Some(to) = to {
                (at, taken) = (to, taken + 1);
                assert!(taken < 10_000, "a program here ends");
            }
            if group.end {
                break;
            }
        }
        taken
    }
}

fn sum64(a: u64, b: u64, carry: bool) -> (u32, Option<u32>, bool) {
    let (sum, over) = a.overflowing_add(b);
    let (sum, more) = sum.overflowing_add(u64::from(carry));
    (sum as u32, Some((sum >> 32) as u32), over | more)
}
