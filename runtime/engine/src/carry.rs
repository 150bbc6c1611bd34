//! The draw of a shader for its translation.

use crate::{Draw, Problems};
use parallax_core::Interface;

/// A constant: its bank and its number there.
type Vector = (u16, u32);

impl Draw {
    /// The same draw for another shader that computes the same from other registers. `attributes` names attributes of it by what
    /// they are here; `banks` gives for each bank here the bank there, and the vector that is the first one, `vectors` single vectors: bank and
    /// vector here and there; `literals` are words of
    /// constants there: bank, vector, words.
    ///
    /// # Errors
    /// A bank of constants that is too long.
    pub fn carried(
        &self,
        to: &Interface,
        attributes: &[(String, usize)],
        banks: &[Option<(u16, u32)>],
        vectors: &[(Vector, Vector)],
        literals: &[(u16, u32, [u32; 4])],
    ) -> Result<Draw, Problems> {
        let defaults = Draw::defaults(to)?;
        let mut draw = Draw { attributes: defaults.attributes, banks: defaults.banks, ..self.clone() };
        draw.buffers.resize(to.buffers.len(), Vec::new());
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
        Ok(draw)
    }
}
