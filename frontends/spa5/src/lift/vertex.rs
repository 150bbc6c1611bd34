//! Vertex shaders: attributes in, results out.

use super::Ctx;
use crate::fields::{PT, RZ};
use crate::view::{Name, Operands};
use parallax_core::{AttrSemantic, Interp, Location, OutputRole, SysVal, Type};
use parallax_lift::{Deferred, Lifter, VarId};
use parallax_num::Op;

/// Words of the results of a vertex.
const WORDS: u16 = 0x400 / 4;

/// What a vertex shader writes, by word.
pub(super) struct Results {
    first: VarId,
    /// A bit for each word.
    written: [u64; WORDS as usize / 64],
}

impl Results {
    /// Results that nothing writes are (0, 0, 0, 1).
    pub(super) fn new(l: &mut Lifter<'_>) -> Results {
        let first = l.add_variables(WORDS.into());
        for word in (3..WORDS).step_by(4) {
            l.set(first.offset(word.into()), Deferred::word(1f32.to_bits()));
        }
        Results { first, written: [0; WORDS as usize / 64] }
    }

    fn write(&mut self, word: u16) {
        self.written[usize::from(word) / 64] |= 1 << (word % 64);
    }

    /// The words that are written, in order.
    fn words(&self) -> impl Iterator<Item = u16> + use<> {
        let mut left = self.written;
        std::iter::from_fn(move || {
            let (n, bits) = left.iter_mut().enumerate().find(|(_, bits)| **bits != 0)?;
            let bit = bits.trailing_zeros();
            *bits &= *bits - 1;
            Some(64 * n as u16 + bit as u16)
        })
    }
}

/// What the result vector at a byte address is (Mesa 25.0, nouveau, nvc0_program.c, `nvc0_vp_assign_output_slots`).
fn role(address: u16) -> OutputRole {
    match address {
        0x06c => OutputRole::PointSize,
        0x070 => OutputRole::Position,
        0x080..0x280 => OutputRole::Generic((address - 0x80) / 16),
        0x280 | 0x290 => OutputRole::FrontColor((address - 0x280) / 16),
        0x2c0..0x2e0 => OutputRole::ClipDistance((address - 0x2c0) / 4),
        0x2e8 => OutputRole::Fog,
        0x300..0x3a0 => OutputRole::TexCoord((address - 0x300) / 16),
        _ => OutputRole::FixedFunction(address / 4),
    }
}

/// The first word of the result that holds the one at a byte address, and the component of this.
fn vector(address: u16) -> (u16, u8) {
    match address {
        // Layer, viewport and point size have a word each; so has the fog coordinate.
        0x060..0x070 | 0x2c0..0x300 => (address, 0),
        _ => (address & !15, (address % 16 / 4) as u8),
    }
}

impl Ctx<'_, '_> {
    /// The address of an operand of ALD or AST, if it is known; else a refusal.
    fn attribute_address(&mut self, i: Operands, physical: bool) -> Option<u16> {
        if i.c().register() != RZ {
            self.refuse("attributes of other vertices belong to later stages");
            return None;
        }
        let address = if physical {
            let base = self.register(i.a().register());
            match self.l.literal(base) {
                Some(address) => address,
                None => {
                    self.refuse("the address of the attribute is computed");
                    return None;
                }
            }
        } else {
            i.get(Name::Attribute)
        };
        if address % 4 != 0 || address + 4 * i.get(Name::Size) >= 0x400 {
            let message = format!("attribute a[{address:#x}] does not exist");
            self.invalid("attribute-address", &message, "addresses are multiples of 4 below 0x400");
            return None;
        }
        Some(address as u16)
    }

    /// ALD.
    pub(super) fn load_attribute(&mut self, i: Operands, physical: bool) {
        if self.results.is_none() {
            return self.refuse("attributes of vertices are for vertex shaders");
        }
        if i.has(Name::OutputOperand) {
            return self.refuse("results of other vertices belong to later stages");
        }
        let Some(first) = self.attribute_address(i, physical) else { return };
        let number = i.d();
        for n in 0..=i.get(Name::Size) as u16 {
            let address = first + 4 * n;
            let val = match self.registers.given(address) {
                Some(val) => val,
                None => match self.vertex_input(address) {
                    Some(val) => val,
                    None => return self.refuse(&format!("input a[{address:#x}] of a vertex is not executed")),
                },
            };
            self.write_after(number, n as u8, val);
        }
    }

    /// The input of a vertex at a byte address.
    fn vertex_input(&mut self, address: u16) -> Option<Deferred> {
        match address {
            0x080..0x280 => {
                let semantic = AttrSemantic::Generic((address - 0x80) / 16);
                let index = self.attribute(semantic, address & !15, Interp::Flat, Location::Center);
                Some(Deferred::attr(index, (address % 16 / 4) as u8))
            }
            0x2f8 => Some(Deferred::sys(SysVal::InstanceId)),
            0x2fc => Some(Deferred::sys(SysVal::VertexId)),
            _ => None,
        }
    }

    /// AST.
    pub(super) fn store_attribute(&mut self, i: Operands, physical: bool) {
        if self.results.is_none() {
            return self.refuse("attributes of vertices are for vertex shaders");
        }
        let Some(first) = self.attribute_address(i, physical) else { return };
        let number = i.d();
        for n in 0..=i.get(Name::Size) as u16 {
            let val = self.register_after(number, n as u8);
            let Some(results) = &mut self.results else { return };
            let word = first / 4 + n;
            results.write(word);
            let variable = results.first.offset(word.into());
            match self.guard {
                Some(guard) => self.l.set_if(guard, variable, val),
                None => self.l.set(variable, val),
            }
        }
    }

    /// AL2P. Physical addresses are counted as the others, so that the way there and back changes nothing.
    pub(super) fn physical_address(&mut self, i: Operands) {
        if self.results.is_none() {
            return self.refuse("attributes of vertices are for vertex shaders");
        }
        if i.number(Name::PredicateResult) != PT {
            return self.refuse("what its predicate tells is not published");
        }
        if i.names(Name::Attribute) {
            return self.result(i, Deferred::word(i.get(Name::Attribute)));
        }
        let (base, offset) = (self.register(i.a().register()), i.signed(Name::Offset));
        let val = match self.l.literal(base) {
            Some(base) => Deferred::word(base.wrapping_add(offset as u32)),
            None => {
                let (base, offset) = (self.word_of(base), self.lit(offset as u32));
                self.l.b.int(Op::Iadd, &[base, offset]).into()
            }
        };
        self.result(i, val);
    }

    /// Sets the results of a vertex. They are called `o[0x70]`, since `a[0x70]` is an input.
    pub(super) fn finish_vertex(&mut self) {
        let Some(results) = &self.results else { return };
        let (first, words) = (results.first, results.words());
        let mut vectors: Vec<(u16, [bool; 4])> = Vec::new();
        for word in words {
            let (start, comp) = vector(4 * word);
            match vectors.last_mut().filter(|(known, _)| *known == start) {
                Some((_, comps)) => comps[usize::from(comp)] = true,
                None => {
                    let mut comps = [false; 4];
                    comps[usize::from(comp)] = true;
                    vectors.push((start, comps));
                }
            }
        }
        for (start, comps) in vectors {
            let comps: [Option<Deferred>; 4] = std::array::from_fn(|comp| {
                comps[comp].then(|| self.l.get(first.offset(u32::from(start / 4) + comp as u32)))
            });
            self.l.output(format!("o[{start:#x}]"), role(start), comps, Type::F32);
        }
    }
}
