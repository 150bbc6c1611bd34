//! Surfaces: images that are read and written as memory.
//!
//! A surface is named like a texture, by the number of the word that holds its handle: in a kernel mostly that of a parameter, which
//! then is the image `param[N]`; others are `surface[0x53]`. Size and format come from the caller.
//!
//! A coordinate outside counts as the nearest inside, or the access is outside of the surface: then a load gives 0 and a store does
//! nothing. `.TRAP` is like `.IGN`, where hardware would stop.

use super::Ctx;
use super::flow::{Flow, Ops};
use super::global::OUTSIDE;
use crate::op::Op as Instruction;
use crate::program::Program;
use crate::view::{Name, Operands};
use parallax_core::exec::{ImageFormat, TexelKind};
use parallax_core::{BufferDecl, ImageDecl, ImageShape, OpKind, ValueId};
use parallax_lift::Lifter;
use parallax_num::Op;

/// Shapes by number.
const SHAPES: [Option<ImageShape>; 8] = {
    use ImageShape::*;
    [Some(D1), Some(Buffer), Some(D1Array), Some(D2), Some(D2Array), Some(D3), None, None]
};

/// Clamps by number: coordinates outside count as the nearest inside.
const NEAREST: u32 = 1;
/// A clamp that nobody named.
const RESERVED: u32 = 3;

/// A surface that an instruction names by a number, as far as is known before anything is lifted.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Surface {
    /// The number of the word that holds its handle.
    pub(super) handle: u16,
    /// The image that has to be there.
    pub(super) image: ImageDecl,
}

/// Whether an instruction accesses a surface, and whether in the format of its texels.
fn access(op: Instruction) -> Option<bool> {
    use Instruction::{Suatom, SuatomCas, Suld, SuldBytes, Sured, Sust, SustBytes};
    match op {
        Suld | Sust => Some(true),
        SuldBytes | SustBytes | Sured | Suatom | SuatomCas => Some(false),
        _ => None,
    }
}

/// What an access asks of the image: the caller chooses its format.
fn image(shape: ImageShape, is_formatted: bool) -> ImageDecl {
    let words = ImageFormat::from_name("r32ui");
    let format = words.filter(|_| !is_formatted).unwrap_or(ImageFormat::widest(TexelKind::Float));
    ImageDecl { shape, format, any_format: true }
}

/// The surfaces that instructions name by number.
pub(super) fn named(program: &Program, flow: &Flow) -> Vec<Surface> {
    use Instruction::{Suatom, SuatomCas, Suld, SuldBytes, Sured, Sust, SustBytes};
    const ACCESSES: Ops = Ops::of(&[Suatom, SuatomCas, Suld, SuldBytes, Sured, Sust, SustBytes]);
    let mut found: Vec<Surface> = Vec::new();
    for instr in flow.instrs(program).filter(|_| flow.may_do(ACCESSES)) {
        let Some(is_formatted) = instr.op().and_then(access) else { continue };
        let i = Operands::of(instr);
        if !i.names(Name::Handle) {
            continue;
        }
        let Some(shape) = SHAPES[i.get(Name::Surface) as usize & 7] else { continue };
        let surface = Surface { handle: i.get(Name::Handle) as u16, image: image(shape, is_formatted) };
        match found.iter_mut().find(|known| known.handle == surface.handle) {
            Some(known) if is_formatted => known.image.format = surface.image.format,
            Some(_) => {}
            None => found.push(surface),
        }
    }
    found
}

/// Declares the image of a surface, and gives its number.
pub(super) fn declare(l: &mut Lifter<'_>, name: String, image: ImageDecl) -> u16 {
    let buffers = &mut l.b.func.iface.buffers;
    buffers.push(BufferDecl { image: Some(image), ..BufferDecl::new(name) });
    buffers.len() as u16 - 1
}

impl Ctx<'_, '_> {
    /// The image that an instruction accesses.
    fn surface(&mut self, i: Operands, is_formatted: bool) -> Option<(u16, ImageShape)> {
        let Some(shape) = SHAPES[i.get(Name::Surface) as usize & 7] else {
            self.refuse("a reserved shape");
            return None;
        };
        let handle = if i.names(Name::Handle) {
            i.get(Name::Handle) as u16
        } else {
            let val = self.register(i.c().register());
            self.unit_of(val)?
        };
        let buffer = self.surface_of(handle).unwrap_or_else(|| {
            let buffer = declare(&mut self.l, format!("surface[{handle:#x}]"), image(shape, is_formatted));
            self.memories.surfaces.push((handle, buffer));
            buffer
        });
        let declared = self.l.b.func.iface.buffers[usize::from(buffer)].image.map(|image| image.shape);
        if declared != Some(shape) {
            let declared = declared.map_or("a buffer", ImageShape::name);
            self.refuse(&format!("surface {handle:#x} is {declared} in another instruction"));
            return None;
        }
        Some((buffer, shape))
    }

    /// The image of the surface with a handle, if an instruction accesses it.
    pub(super) fn surface_of(&self, handle: u16) -> Option<u16> {
        self.memories.surfaces.iter().find(|(known, _)| *known == handle).map(|(_, buffer)| *buffer)
    }

    /// A side of an image, or the bytes of its texels.
    pub(super) fn side(&mut self, buffer: u16, comp: u8) -> ValueId {
        self.l.b.value(OpKind::ImageSize { buffer, comp }, None, &[])
    }

    /// The nearest coordinate that is less than `size`.
    fn nearest(&mut self, coordinate: ValueId, size: ValueId) -> ValueId {
        let (zero, one) = (self.lit(0), self.lit(1));
        let last = self.l.b.int(Op::Isub, &[size, one]);
        let least = self.l.b.int(Op::Imax, &[coordinate, zero]);
        self.l.b.int(Op::Imin, &[least, last])
    }

    /// Where an access of so many bytes goes: the image and the address. In lanes that do not execute it, it is outside where it `writes`.
    pub(super) fn texel(
        &mut self,
        i: Operands,
        bytes: u32,
        is_formatted: bool,
        writes: bool,
    ) -> Option<(u16, ValueId)> {
        let clamp = i.get(Name::SurfaceClamp);
        if clamp == RESERVED {
            self.refuse("a reserved clamp");
            return None;
        }
        let (buffer, shape) = self.surface(i, is_formatted)?;
        // The sides that coordinates are along, in the order of their registers.
        let sides: &[u8] = match shape {
            ImageShape::D1Array => &[0, 2],
            ImageShape::D2 => &[0, 1],
            ImageShape::D2Array | ImageShape::D3 => &[0, 1, 2],
            _ => &[0],
        };
        let mut place = [self.lit(0); 4];
        let number = i.a().register();
        for (n, &side) in (0..).zip(sides) {
            let val = self.register_after(number, n);
            place[usize::from(side)] = self.word_of(val);
        }
        let in_bytes = i.has(Name::InBytes);
        if clamp == NEAREST {
            for &side in sides.iter().filter(|side| **side != 0 || !in_bytes) {
                let size = self.side(buffer, side);
                place[usize::from(side)] = self.nearest(place[usize::from(side)], size);
            }
        }
        let x = place[0];
        if in_bytes {
            place[0] = self.lit(0);
        }
        let mut address = self.l.b.value(OpKind::ImageAddress { buffer }, None, &place);
        if in_bytes {
            address = self.in_row(buffer, address, x, bytes, clamp == NEAREST);
        } else if !is_formatted {
            let is_between = self.is_between(address, bytes);
            address = self.outside_where(is_between, address);
        }
        if let Some(guard) = self.guard.filter(|_| writes) {
            let outside = self.lit(OUTSIDE);
            address = self.l.b.select(guard, address, outside);
        }
        Some((buffer, address))
    }

    /// The address of bytes of a row that begins at an address. They are moved down to where their number divides their place, as
    /// everywhere, and all of them have to be in the row, which has to begin at a multiple of their number or of a word.
    fn in_row(&mut self, buffer: u16, row: ValueId, x: ValueId, bytes: u32, to_nearest: bool) -> ValueId {
        let (width, texel) = (self.side(buffer, 0), self.side(buffer, 4));
        let (size, taken) = (self.l.b.int(Op::Imul, &[width, texel]), self.lit(bytes));
        let last = self.l.b.int(Op::Isub, &[size, taken]);
        let mut x = x;
        if to_nearest {
            let zero = self.lit(0);
            let least = self.l.b.int(Op::Imax, &[x, zero]);
            x = self.l.b.int(Op::Imin, &[least, last]);
        }
        let mask = self.lit(!(bytes - 1));
        let x = self.l.b.int(Op::Iand, &[x, mask]);
        // A row that is too short has no last place.
        let too_short = self.l.b.int(Op::Ult, &[size, taken]);
        let is_behind = self.l.b.int(Op::Ult, &[last, x]);
        let is_outside = self.l.b.int(Op::Por, &[too_short, is_behind]);
        let nowhere = self.lit(u32::MAX);
        let no_row = self.l.b.int(Op::Ieq, &[row, nowhere]);
        let is_outside = self.l.b.int(Op::Por, &[is_outside, no_row]);
        let is_between = self.is_between(row, bytes);
        let is_outside = self.l.b.int(Op::Por, &[is_outside, is_between]);
        let address = self.l.b.int(Op::Iadd, &[row, x]);
        self.outside_where(is_outside, address)
    }

    /// Whether an address is no multiple of so many bytes, or of a word; so is that of no texel.
    fn is_between(&mut self, address: ValueId, bytes: u32) -> ValueId {
        let (rest, zero) = (self.lit(bytes.min(4) - 1), self.lit(0));
        let rest = self.l.b.int(Op::Iand, &[address, rest]);
        self.l.b.int(Op::Ine, &[rest, zero])
    }

    fn outside_where(&mut self, is_outside: ValueId, address: ValueId) -> ValueId {
        let outside = self.lit(OUTSIDE);
        self.l.b.select(is_outside, outside, address)
    }
}
