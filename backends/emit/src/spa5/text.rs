//! Texts of instructions and their operands.

use super::emit::{Lookup, Operation, Read};
use super::forms::{Form, names};
use super::lower::fits;
use crate::form::{Base, Signs};
use crate::scalar::moves::Source;
use crate::scalar::registers::Place;
use crate::scalar::template::{Piece, Slot, names as called};
use parallax_core::TexTarget;
use parallax_isa::{Cursor, Short};

impl Operation {
    /// Whether it has a literal of 32 bits.
    pub(super) fn is_long(&self) -> bool {
        let Operation { form, reads, .. } = self;
        let Some((at, _)) = form.long else { return false };
        match reads.get(at).copied().flatten().map(|read| read.from) {
            Some(Source::Other(Base::Imm(bits))) if bits != 0 => {
                !form.short.is_some_and(|(short_at, short)| short_at == at && fits(bits, short))
            }
            _ => false,
        }
    }
}

/// The text of a form with its operands.
pub(super) fn put_operation(line: &mut Cursor<'_>, operation: &Operation) {
    let Operation { form, clamps, to, reads } = operation;
    let is_long = operation.is_long();
    line.apart(|line| {
        for piece in if is_long { form.long_pieces } else { form.pieces } {
            match piece {
                Piece::Text(words) => line.short(words),
                Piece::Slot(Slot::Clamp) => {
                    if *clamps {
                        line.short(const { &Short::new(".SAT") });
                    }
                }
                Piece::Slot(Slot::Result) => match to {
                    Some(place) => put_register(line, *place),
                    None => line.short(const { &Short::new("RZ") }),
                },
                Piece::Slot(Slot::Operand(n)) => {
                    let n = usize::from(*n);
                    if let Some(Some(read)) = reads.get(n) {
                        operand(line, form, n, read, is_long);
                    }
                }
                // Only other sets have these.
                Piece::Slot(_) => {}
            }
        }
    });
}

/// The text of a lookup.
pub(super) fn put_lookup(line: &mut Cursor<'_>, lookup: &Lookup) {
    line.text(lookup.form.name);
    line.text(if lookup.target.is_shadow() { ".DC " } else { " " });
    match lookup.to {
        Some(place) => put_register(line, place),
        None => line.text("RZ"),
    }
    for &first in &lookup.firsts {
        line.text(", ");
        put_register(line, first);
    }
    line.text(", ");
    put_hex(line, lookup.unit.into());
    line.text(", ");
    line.text(shape(lookup.target));
    line.text(", ");
    put_hex(line, lookup.mask.into());
}

#[inline(always)]
fn operand(line: &mut Cursor<'_>, form: &Form, n: usize, read: &Read, is_long: bool) {
    let Read { from, signs: Signs { negate, absolute } } = *read;
    if form.predicates >> n & 1 != 0 {
        match from {
            Source::Place(place, _) => {
                line.char_if(b'!', negate);
                put_register(line, place);
            }
            Source::Other(Base::Imm(bits)) => line.text(truth(Base::Imm(if negate { !bits } else { bits }))),
            Source::Other(base) => line.text(truth(base)),
        }
        return;
    }
    line.char_if(b'-', negate);
    line.char_if(b'|', absolute);
    match from {
        Source::Place(place, _) => put_register(line, place),
        Source::Other(Base::Imm(0)) => line.short(const { &Short::new("RZ") }),
        Source::Other(Base::Imm(bits)) => {
            use super::forms::Short;
            let is_float = form.short.is_some_and(|(_, short)| short == Short::Float) && form.name != names::MOV;
            let has_sign =
                form.name == names::IADD || !is_long && form.short.is_some_and(|(_, short)| short == Short::Whole);
            match is_float {
                true => put_number(line, bits),
                false if has_sign && bits >> 31 != 0 => {
                    line.char(b'-');
                    put_hex(line, bits.wrapping_neg());
                }
                false => put_hex(line, bits),
            }
        }
        Source::Other(base) => put_constant(line, base),
    }
    line.char_if(b'|', absolute);
}

/// A constant in its bank; RZ for the literal 0.
#[inline(always)]
pub(super) fn put_constant(line: &mut Cursor<'_>, base: Base) {
    let Base::Const { bank, index, comp } = base else { return line.short(const { &Short::new("RZ") }) };
    line.short(const { &Short::new("c[") });
    put_hex(line, bank.into());
    line.short(const { &Short::new("][") });
    put_hex(line, offset(index, comp));
    line.char(b']');
}

/// The name of a register.
#[inline(always)]
pub(super) fn put_register(line: &mut Cursor<'_>, place: Place) {
    match place {
        Place::Word(number) => match WORDS.get(number as usize) {
            Some(name) => line.short(name),
            // Programs with more are refused.
            None => line.char(b'R'),
        },
        Place::Predicate(number) => {
            line.char(b'P');
            line.decimal(number.into());
        }
    }
}

/// The names of the registers.
static WORDS: [Short; 256] = called(b'R');

/// A number as `0x` and hexadecimal digits.
#[inline(always)]
pub(super) fn put_hex(line: &mut Cursor<'_>, number: u32) {
    match SMALL.get(number as usize) {
        Some(known) => line.short(known),
        None => line.apart(|line| {
            line.short(const { &Short::new("0x") });
            line.hex(number.into(), (32 - number.leading_zeros()).div_ceil(4) as usize);
        }),
    }
}

/// The first numbers in hexadecimal digits.
static SMALL: [Short; 256] = {
    let mut numbers = [Short::new("0x0"); 256];
    let mut n = 1;
    while n < numbers.len() {
        let (one, two) = ([b'0', b'x', digit(n % 16)], [b'0', b'x', digit(n / 16), digit(n % 16)]);
        let digits: &[u8] = if n < 16 { &one } else { &two };
        numbers[n] = match std::str::from_utf8(digits) {
            Ok(digits) => Short::new(digits),
            Err(_) => panic!("digits are text"),
        };
        n += 1;
    }
    numbers
};

const fn digit(value: usize) -> u8 {
    b"0123456789abcdef"[value]
}

/// The bytes in front of a constant in its bank.
const fn offset(index: u32, comp: u8) -> u32 {
    index * 16 + comp as u32 * 4
}

/// A predicate under which an instruction runs, or its opposite.
#[derive(Copy, Clone, Debug)]
pub(super) struct Guard {
    pub(super) place: Place,
    pub(super) not: bool,
}

/// What stands in front of an instruction with a guard.
pub(super) fn put_guard(line: &mut Cursor<'_>, guard: Option<Guard>) {
    if let Some(Guard { place, not }) = guard {
        line.text(if not { "@!" } else { "@" });
        put_register(line, place);
        line.char(b' ');
    }
}

/// A literal predicate.
pub(super) const fn truth(base: Base) -> &'static str {
    match base {
        Base::Imm(0) => "!PT",
        _ => "PT",
    }
}

/// A float literal: its shortest decimals, or its bits where these are long or no number.
fn put_number(line: &mut Cursor<'_>, bits: u32) {
    if !f32::from_bits(bits).is_finite() || !line.shortest_within(bits, 12) {
        line.short(const { &Short::new("0f") });
        line.hex(bits.into(), 8);
    }
}

/// The shape of a texture.
const fn shape(target: TexTarget) -> &'static str {
    match target {
        TexTarget::D1 | TexTarget::Shadow1D => "1D",
        TexTarget::D1Array | TexTarget::Shadow1DArray => "ARRAY_1D",
        TexTarget::D3 => "3D",
        TexTarget::D2Array | TexTarget::Shadow2DArray => "ARRAY_2D",
        TexTarget::Cube | TexTarget::ShadowCube => "CUBE",
        TexTarget::CubeArray | TexTarget::ShadowCubeArray => "ARRAY_CUBE",
        _ => "2D",
    }
}
