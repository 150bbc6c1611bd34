//! What only microcode does: its operations, its outputs, and where its instructions come from.

use super::registers::Register;
use super::{SETTINGS, Unit};
use crate::ast::{Base, File, Instr, Program, StmtKind};
use crate::dialect::Dialect;
use crate::table::Microcode;
use parallax_core::{Listing, Sources, ValueId};
use parallax_isa::{Out, Style};
use parallax_lift::vector::{self, Form, Results, each};
use parallax_lift::{Deferred, Options};
use parallax_num::{Decl, Op, Saturate, Slot};

/// Bit of the control word: colours are R registers.
const COLOR_R: u32 = 0x40;
/// Bits of the control word: R1.z is the depth.
pub(super) const DEPTH: u32 = 0xe;

/// The registers that are colours, in the order of targets.
pub(super) fn colors(program: &Program, options: &Options) -> Vec<Register> {
    const R: [u8; 4] = [0, 2, 3, 4];
    const H: [u8; 4] = [0, 4, 6, 8];
    let written = program.body.iter().rev().find_map(|stmt| match &stmt.kind {
        StmtKind::Instr(Instr { dst: Some(dst), .. }) => match dst.base {
            Base::Temp(file, 0) => Some(file),
            _ => None,
        },
        _ => None,
    });
    let file = match (options.value(&SETTINGS[4]), options.control) {
        ("r", _) => Some(File::R),
        ("h", _) => Some(File::H),
        (_, Some(control)) => Some(if control & COLOR_R != 0 { File::R } else { File::H }),
        _ => written,
    };
    let count = options.value(&SETTINGS[5]).parse().unwrap_or(1);
    let numbers = |file: File| if file == File::R { R } else { H };
    file.map_or(Vec::new(), |file| numbers(file).into_iter().take(count).map(|n| Register::Temp(file, n)).collect())
}

/// Makes every instruction a source, printed when somebody asks for it.
pub(super) fn sources(program: &Program) -> Sources {
    if program.dialect == Dialect::Nv40Vertex {
        return vertex_sources(program);
    }
    let instrs = program.microcode.clone();
    let places = instrs.iter().map(|instr| (0, instr.span().start)).collect();
    Sources::printed_later(places, move || {
        let mut out = Out::with_capacity(128);
        let mut listing = Listing::with_capacity(instrs.len(), instrs.len() * 32);
        for instr in instrs.iter() {
            out.clear();
            instr.print(Style::Vendor, &mut out);
            listing.push(out.as_str());
        }
        listing
    })
}

/// The same for words of vertex programs.
fn vertex_sources(program: &Program) -> Sources {
    let instrs = program.vertex_microcode.clone();
    let places = (0..instrs.len()).map(|n| (0, (n * crate::nv40vp::BYTES) as u32)).collect();
    Sources::printed_later(places, move || {
        let mut listing = Listing::with_capacity(instrs.len(), instrs.len() * 32);
        instrs.iter().for_each(|instr| listing.push(&instr.text(Style::Vendor)));
        listing
    })
}

/// Constants of the sRGB curve (IEC 61966-2-1), as binary32.
mod srgb {
    /// Below this a fraction is small.
    pub(super) const SMALL: f32 = 0.003_130_8;
    /// Below this a coded fraction is small.
    pub(super) const SMALL_CODED: f32 = 0.040_45;
    pub(super) const SLOPE: f32 = 12.92;
    pub(super) const FACTOR: f32 = 1.055;
    pub(super) const OFFSET: f32 = 0.055;
    pub(super) const EXPONENT: f32 = 2.4;
    pub(super) const ROOT: f32 = 1.0 / 2.4;
}

impl Unit<'_, '_> {
    /// Operations that no text dialect has.
    pub(super) fn microcode(&mut self, instr: &Instr, op: Microcode, form: &Form) -> Results {
        match op {
            Microcode::DivSqrt => self.div_sqrt(instr, form),
            Microcode::LitExp => self.lit_exp(instr, form),
            Microcode::PackSrgb => self.pack_srgb(instr, form),
            Microcode::UnpackSrgb => self.unpack_srgb(instr, form),
        }
    }

    fn zero(&mut self, decl: Decl) -> ValueId {
        let plain = self.lifter.plain(decl);
        self.lifter.b.float(plain, 0)
    }

    /// a / sqrt(|b|), 0 where a is 0.
    fn div_sqrt(&mut self, instr: &Instr, form: &Form) -> Results {
        let decl = form.decl;
        let scalar = self.fetch(&instr.srcs[1], 0, decl);
        let magnitude = self.lifter.b.num(Op::Abs, form.test, &[scalar]);
        let root = self.lifter.b.num(Op::Sqrt, form.test, &[magnitude]);
        let zero = self.zero(decl);
        each(form.mask, |comp| {
            let a = self.fetch(&instr.srcs[0], comp as u8, decl);
            let quotient = self.lifter.b.num(Op::Div, form.slot, &[a, root]);
            let nothing = self.lifter.b.num(Op::FEq, form.test, &[a, zero]);
            self.lifter.b.select(nothing, zero, quotient).into()
        })
    }

    /// (1, y, y > 0 ? 2^w : 0, 1).
    fn lit_exp(&mut self, instr: &Instr, form: &Form) -> Results {
        let (src, decl) = (&instr.srcs[0], form.decl);
        each(form.mask, |comp| match comp {
            1 => {
                let diffuse = self.fetch(src, 1, decl);
                vector::clamped(&mut self.lifter, form, diffuse.into())
            }
            2 => {
                let (diffuse, exponent) = (self.fetch(src, 1, decl), self.fetch(src, 3, decl));
                let zero = self.zero(decl);
                let lit = self.lifter.b.num(Op::FGt, form.test, &[diffuse, zero]);
                let power = self.lifter.b.num(Op::Exp2, form.slot, &[exponent]);
                self.lifter.b.select(lit, power, zero).into()
            }
            _ => {
                let one = self.lifter.b.float(form.test, vector::one(decl));
                vector::clamped(&mut self.lifter, form, one.into())
            }
        })
    }

    /// A binary32 constant.
    fn number(&mut self, value: f32) -> ValueId {
        let plain = self.lifter.plain(Decl::F32);
        self.lifter.b.float(plain, value.to_bits().into())
    }

    fn pack_srgb(&mut self, instr: &Instr, form: &Form) -> Results {
        let plain = self.lifter.plain(Decl::F32);
        let clamp = self.lifter.b.slot(Slot { saturate: Saturate::Unsigned, ..Slot::plain(Decl::F32) });
        let fields = [0, 1, 2, 3].map(|comp| {
            let value = self.fetch(&instr.srcs[0], comp, Decl::F32);
            if comp == 3 {
                return value;
            }
            let value = self.lifter.b.num(Op::Cvt, clamp, &[value]);
            let [small, slope, factor, root] =
                [srgb::SMALL, srgb::SLOPE, srgb::FACTOR, srgb::ROOT].map(|value| self.number(value));
            let offset = self.number(-srgb::OFFSET);
            let line = self.lifter.b.num(Op::Mul, plain, &[value, slope]);
            let power = self.lifter.b.num(Op::Pow, plain, &[value, root]);
            let curve = self.lifter.b.num(Op::Mad, plain, &[power, factor, offset]);
            let is_small = self.lifter.b.num(Op::FLe, plain, &[value, small]);
            self.lifter.b.select(is_small, line, curve)
        });
        let word = self.lifter.b.num(Op::PackUnorm4, plain, &fields);
        each(form.mask, |_| word.into())
    }

    fn unpack_srgb(&mut self, instr: &Instr, form: &Form) -> Results {
        let plain = self.lifter.plain(Decl::F32);
        let word = self.word(&instr.srcs[0]);
        each(form.mask, |comp| {
            let shift = self.lifter.b.i32(comp as u32 * 8);
            let field = self.lifter.b.int(Op::Ushr, &[word, shift]);
            if comp == 3 {
                return self.lifter.b.num(Op::UpUnorm8, form.slot, &[field]).into();
            }
            let value = self.lifter.b.num(Op::UpUnorm8, plain, &[field]);
            let [small, slope, factor, exponent] =
                [srgb::SMALL_CODED, srgb::SLOPE, srgb::FACTOR, srgb::EXPONENT].map(|value| self.number(value));
            let offset = self.number(srgb::OFFSET);
            let line = self.lifter.b.num(Op::Div, form.slot, &[value, slope]);
            let above = self.lifter.b.num(Op::Add, plain, &[value, offset]);
            let base = self.lifter.b.num(Op::Div, plain, &[above, factor]);
            let curve = self.lifter.b.num(Op::Pow, form.slot, &[base, exponent]);
            let is_small = self.lifter.b.num(Op::FLe, plain, &[value, small]);
            Deferred::value(self.lifter.b.select(is_small, line, curve))
        })
    }
}
