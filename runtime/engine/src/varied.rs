//! Draws with random inputs, to see more of a translation than one picture shows.

use crate::Draw;
use parallax_core::{Interface, Stage};
use parallax_num::Decl;
use parallax_texture::hash;

/// Words that are no ordinary numbers: zeros, infinities, NaN, denormals, the largest and the smallest normal number.
const SPECIAL: [u32; 10] =
    [0, 0x8000_0000, 0x7f80_0000, 0xff80_0000, 0x7fc0_0000, 0xff80_0001, 1, 0x807f_ffff, 0x7f7f_ffff, 0x0080_0000];

/// A draw with random attributes, a kernel with random numbers in the buffers that have some; and, if `seed` is odd, random float
/// constants, of which a sixteenth are special words. The same for the same seed. Integers stay, so that loops end as they do in the
/// draw.
pub fn varied(draw: &Draw, iface: &Interface, seed: u32) -> Draw {
    let mut draw = draw.clone();
    for (n, values) in draw.attributes.iter_mut().enumerate() {
        // What has one name is one attribute, read at several places of the pixel.
        let same = |name: &str| iface.attrs.iter().position(|attr| attr.name == name);
        let n = iface.attrs.get(n).and_then(|attr| same(&attr.name)).unwrap_or(n) as u32;
        for (vertex, value) in (0u32..).zip(values) {
            *value = std::array::from_fn(|comp| ordinary(hash(&[seed, 1, n, vertex, comp as u32])));
        }
    }
    if iface.stage == Stage::Compute {
        for (n, (words, decl)) in (0u32..).zip(draw.buffers.iter_mut().zip(&iface.buffers)) {
            // What a kernel writes alone is there to be written.
            let is_given = words.iter().any(|&word| word != 0);
            let words = words.iter_mut().filter(|_| decl.floats && is_given);
            (0u32..).zip(words).for_each(|(at, word)| *word = ordinary(hash(&[seed, 3, n, at])));
        }
    }
    if seed.is_multiple_of(2) {
        return draw;
    }
    for (n, bank) in (0u32..).zip(&mut draw.banks) {
        for (vector, words) in (0u32..).zip(bank) {
            let declared = iface.constants.iter().find(|c| u32::from(c.bank) == n && c.index == vector);
            if declared.is_some_and(|constant| constant.ty.decl() != Some(Decl::F32)) {
                continue;
            }
            for (comp, word) in (0u32..).zip(words) {
                let random = hash(&[seed, 2, n, vector, comp]);
                *word = match random % 16 {
                    0 => SPECIAL[(random >> 4) as usize % SPECIAL.len()],
                    _ => ordinary(random),
                };
            }
        }
    }
    draw
}

/// A number of either sign between 2^-6 and 2^5.
const fn ordinary(random: u32) -> u32 {
    let exponent = 121 + (random >> 24) % 11;
    (random & 0x8000_0000) | exponent << 23 | random & 0x7f_ffff
}
