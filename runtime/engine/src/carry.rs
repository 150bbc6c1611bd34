//! The draw of a shader for its translation.

use crate::{Draw, Problems};
use parallax_core::{Carried, Interface};

impl Draw {
    /// The same draw for another shader that computes the same from other registers.
    ///
    /// # Errors
    /// A bank of constants that is too long.
    pub fn carried(&self, to: &Interface, carried: &Carried) -> Result<Draw, Problems> {
        let Carried { attributes, banks, vectors, literals, sizes, .. } = carried;
        let defaults = Draw::defaults(to)?;
        let mut draw = Draw { attributes: defaults.attributes, banks: defaults.banks, ..self.clone() };
        draw.buffers = vec![Vec::new(); to.buffers.len()];
        for (number, words) in self.buffers.iter().enumerate() {
            if let Some(there) = draw.buffers.get_mut(carried.buffer(number)) {
                there.clone_from(words);
            }
        }
        let count = self.attributes.iter().map(Vec::len).max().unwrap_or(4);
        for (index, decl) in to.attrs.iter().enumerate() {
            let from =
                attributes.iter().find(|(name, _)| *name == decl.name).and_then(|&(_, at)| self.attributes.get(at));
            match from {
                Some(values) => draw.attributes[index].clone_from(values),
                // What nobody reads.
                None if !draw.attributes[index].is_empty() && draw.attributes[index].len() != count => {
                    draw.attributes[index] = vec![[0; 4]; count];
                }
                None => {}
            }
        }
        for (words, place) in self.banks.iter().zip(banks) {
            let Some((bank, first)) = *place else { continue };
            let Some(there) = draw.banks.get_mut(usize::from(bank)) else { continue };
            there.iter_mut().skip(first as usize).zip(words).for_each(|(to, from)| *to = *from);
        }
        if !carried.units.is_empty() {
            draw.textures = self.textures.renumbered(|unit| carried.unit(unit));
        }
        for &((bank, index), (to, at)) in vectors {
            let from = self.banks.get(usize::from(bank)).and_then(|bank| bank.get(index as usize));
            let there = draw.banks.get_mut(usize::from(to)).and_then(|bank| bank.get_mut(at as usize));
            if let (Some(from), Some(there)) = (from, there) {
                *there = *from;
            }
        }
        for &(bank, index, words) in literals {
            if let Some(there) = draw.banks.get_mut(usize::from(bank)).and_then(|bank| bank.get_mut(index as usize)) {
                *there = words;
            }
        }
        for &(number, (bank, index, comp)) in sizes {
            let words = self.buffers.get(usize::from(number)).map_or(0, Vec::len);
            let there = draw.banks.get_mut(usize::from(bank)).and_then(|bank| bank.get_mut(index as usize));
            if let Some(word) = there.and_then(|vector| vector.get_mut(usize::from(comp))) {
                *word = 4 * words as u32;
            }
        }
        Ok(draw)
    }
}
