//! The inputs of a shader by the spellings of callers.

use crate::spelling::Spelling;
use parallax_core::Interface;
use rustc_hash::{FxHashMap, FxHashSet};

/// What a spelling stands for among the inputs of a shader.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Input {
    /// An attribute or a preset register, by number.
    Attr(usize),
    /// A vector of a constant bank.
    Constant {
        /// Number of the bank.
        bank: usize,
        /// Number of the vector, which may lie beyond what the shader reads.
        vector: usize,
        /// The component it begins at; 0 in banks that are named by vectors.
        comp: usize,
    },
}

/// Attributes, named constants and constant banks of a shader by name.
#[derive(Clone, Debug)]
pub struct InputNames {
    /// What has exactly this name.
    named: FxHashMap<String, Input>,
    /// Number of each bank, and whether its words are named by byte addresses.
    banks: FxHashMap<String, (usize, bool)>,
    /// Banks that are named like a vector, `CONST[1]`: reached through their vectors only.
    nested: FxHashSet<usize>,
}

impl InputNames {
    /// The names in an interface.
    pub fn of(iface: &Interface) -> InputNames {
        let (mut named, mut banks) = (FxHashMap::default(), FxHashMap::default());
        let attrs = iface.attrs.iter().enumerate().map(|(index, attr)| (&attr.name, Input::Attr(index)));
        let constants = iface.constants.iter().map(|constant| {
            let (bank, vector) = (usize::from(constant.bank), constant.index as usize);
            (&constant.name, Input::Constant { bank, vector, comp: usize::from(constant.comp) })
        });
        for (name, input) in attrs.chain(constants) {
            named.entry(Spelling::canonical(name)).or_insert(input);
        }
        for alias in &iface.aliases {
            if let Some(&input) = named.get(&Spelling::canonical(&alias.of)) {
                named.entry(Spelling::canonical(&alias.name)).or_insert(input);
            }
        }
        for (index, bank) in iface.banks.iter().enumerate() {
            banks.entry(bank.name.clone()).or_insert((index, bank.by_bytes));
        }
        let nested = iface.banks.iter().enumerate().filter(|(_, bank)| bank.name.ends_with(']')).map(|(n, _)| n);
        InputNames { named, banks, nested: nested.collect() }
    }

    /// The input of this name. A bank `c` holds `c[5]` and `c5`, a bank `CONST[0]` holds `CONST[0][5]` and `CONST[5]`; a
    /// bank with exactly this name and no index in it is its vector 0. In a bank by bytes, the index is the byte address of a
    /// word; one between two words names none.
    pub fn find(&self, name: &str) -> Option<Input> {
        let name = Spelling::canonical(name);
        if let Some(&input) = self.named.get(&name) {
            return Some(input);
        }
        if let Some(&(bank, _)) = self.banks.get(&name).filter(|(bank, _)| !self.nested.contains(bank)) {
            return Some(Input::Constant { bank, vector: 0, comp: 0 });
        }
        let (prefix, vector) = name.strip_suffix(']')?.rsplit_once('[')?;
        let vector: usize = vector.parse().ok()?;
        let first = || if prefix.ends_with(']') { None } else { self.banks.get(&format!("{prefix}[0]")) };
        let (bank, by_bytes) = *self.banks.get(prefix).or_else(first)?;
        match by_bytes {
            true if !vector.is_multiple_of(4) => None,
            true => Some(Input::Constant { bank, vector: vector / 16, comp: vector / 4 % 4 }),
            false => Some(Input::Constant { bank, vector, comp: 0 }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parallax_core::{BankDecl, Stage};

    #[test]
    fn spellings_of_banks() {
        let mut iface = Interface::new(Stage::Fragment);
        let bank = |name: &str| BankDecl { name: name.into(), len: 4, by_bytes: name == "b[3]" };
        iface.banks = vec![bank("CONST[0]"), bank("CONST[1]"), bank("c"), bank("LIGHT"), bank("b[3]")];
        let names = InputNames::of(&iface);
        let at = |name| names.find(name);
        let constant = |bank, vector| Some(Input::Constant { bank, vector, comp: 0 });
        assert_eq!((at("CONST[3]"), at("CONST[03]")), (constant(0, 3), constant(0, 3)));
        assert_eq!((at("CONST[1]"), at("CONST[0][1]")), (constant(0, 1), constant(0, 1)));
        assert_eq!(at("CONST[1][2]"), constant(1, 2));
        assert_eq!((at("c5"), at("c[0x10]"), at("LIGHT")), (constant(2, 5), constant(2, 16), constant(3, 0)));
        let word = |vector, comp| Some(Input::Constant { bank: 4, vector, comp });
        assert_eq!((at("b[3][0]"), at("b[3][0x14]"), at("b[3][28]")), (word(0, 0), word(1, 1), word(1, 3)));
        assert_eq!((at("b[3][0x15]"), at("b[3]"), at("b[4][0]")), (None, None, None));
        assert_eq!((at("TEMP[0]"), at("c"), at("")), (None, constant(2, 0), None));
    }
}
