//! How inputs and outputs of a shader are called in another that computes the same.

use crate::OutputRole;

/// A constant: its bank and its number there.
pub type BankVector = (u16, u32);

/// Which input of a translation is which of the source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Carried {
    /// Of attributes that the translation reads: its name there, and its number in the source.
    pub attributes: Vec<(String, usize)>,
    /// Of banks of the source: the bank of the translation, and the vector there that is the first one.
    pub banks: Vec<Option<BankVector>>,
    /// Single vectors, of targets where constants have names in place of numbers: bank and vector in the source and in the translation.
    pub vectors: Vec<(BankVector, BankVector)>,
    /// Constants of the translation that are literals of the program: bank, vector, words.
    pub literals: Vec<(u16, u32, [u32; 4])>,
    /// Texture units, where any has another number: that in the source, and that in the translation. Without any, all have their own.
    pub units: Vec<(u16, u16)>,
    /// The number in the translation of each buffer of the source. Without any, all have their own.
    pub buffers: Vec<u16>,
    /// Words of constants of the translation that say how many bytes a buffer has: its number in the source, bank, vector, component.
    pub sizes: Vec<(u16, (u16, u32, u8))>,
    /// What outputs are in the translation, where sets number them on their own: the role in the source, and that.
    pub roles: Vec<(OutputRole, OutputRole)>,
}

impl Carried {
    /// What an output of the source is in the translation.
    pub fn role(&self, role: OutputRole) -> OutputRole {
        self.roles.iter().find(|(from, _)| *from == role).map_or(role, |&(_, to)| to)
    }

    /// The number in the translation of a buffer of the source.
    pub fn buffer(&self, number: usize) -> usize {
        self.buffers.get(number).map_or(number, |&there| there.into())
    }

    /// What a texture unit of the source is in the translation; `None` if that reads none of its textures.
    pub fn unit(&self, unit: u16) -> Option<u16> {
        match self.units.is_empty() {
            true => Some(unit),
            false => self.units.iter().find(|(from, _)| *from == unit).map(|&(_, to)| to),
        }
    }
}
