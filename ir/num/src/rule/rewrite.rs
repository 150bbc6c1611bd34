//! What a driver's compiler does to programs beyond keeping their results.

use std::fmt;

/// One thing that it does.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rewrite {
    /// Sums and products are ordered anew, and what cancels is removed.
    Reassociate,
    /// A product that only sums read becomes one multiply-add with each of them.
    Contract,
    /// The same, but not a product with a literal whose sum is with another literal.
    ContractVariables,
    /// A product that one sum reads becomes one multiply-add with it.
    ContractOnce,
}

/// What is said about a rewrite.
#[derive(Copy, Clone, Debug)]
pub struct RewriteInfo {
    /// The rewrite.
    pub rewrite: Rewrite,
    /// Spelling in model files, settings and listings.
    pub name: &'static str,
    /// What it does, and when.
    pub doc: &'static str,
    /// Where the rows of it are from.
    pub source: &'static str,
}

impl Rewrite {
    /// All of them, in the order in which a driver does them.
    pub const ALL: [RewriteInfo; 4] = [
        RewriteInfo {
            rewrite: Rewrite::Reassociate,
            name: "reassociate",
            doc: "orders the sums and products of plain binary32 anew, and removes what cancels, in every program",
            source: "Mesa 22.3.6, nir_opt_algebraic.py, the inexact rules; measured with short programs on llvmpipe",
        },
        RewriteInfo {
            rewrite: Rewrite::Contract,
            name: "contract",
            doc: "makes a multiply-add of a sum and a product that only sums read, in programs of languages, but for `precise` and \
                  NoContraction",
            source: "Mesa 25.0, nir_opt_algebraic.py, late rules under fuse_ffma: is_only_used_by_fadd",
        },
        RewriteInfo {
            rewrite: Rewrite::ContractVariables,
            name: "contract-variables",
            doc: "the same, but not where a factor and the addend are literals that nothing else reads",
            source: "Mesa 25.0, intel compiler, intel_nir_opt_peephole_ffma.c",
        },
        RewriteInfo {
            rewrite: Rewrite::ContractOnce,
            name: "contract-once",
            doc: "makes a multiply-add of a sum and a product that nothing else reads, in programs of languages, but for `precise` \
                  and NoContraction",
            source: "Mesa 25.0, nv50_ir_peephole.cpp, tryADDToMADOrSAD",
        },
    ];

    /// What is said about it.
    pub const fn info(self) -> &'static RewriteInfo {
        &Rewrite::ALL[self as usize]
    }
}

/// A set of rewrites.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Rewrites(u8);

impl Rewrites {
    /// Nothing that changes results.
    pub const NONE: Rewrites = Rewrites(0);

    /// These.
    pub fn of(rewrites: &[Rewrite]) -> Rewrites {
        Rewrites(rewrites.iter().fold(0, |bits, rewrite| bits | 1 << *rewrite as u8))
    }

    /// Whether a rewrite is among them.
    pub const fn contains(self, rewrite: Rewrite) -> bool {
        self.0 & (1 << rewrite as u8) != 0
    }

    /// Those in the set, in the order in which a driver does them.
    pub fn iter(self) -> impl Iterator<Item = Rewrite> {
        Rewrite::ALL.iter().map(|info| info.rewrite).filter(move |rewrite| self.contains(*rewrite))
    }

    /// Reads what [`fmt::Display`] prints; names in any order.
    pub fn from_name(text: &str) -> Option<Rewrites> {
        if text == "none" {
            return Some(Rewrites::NONE);
        }
        let found = |name: &str| Rewrite::ALL.iter().find(|info| info.name == name).map(|info| info.rewrite);
        text.split('+').map(found).collect::<Option<Vec<Rewrite>>>().map(|all| Rewrites::of(&all))
    }
}

/// `none`, or names with `+` between them.
impl fmt::Display for Rewrites {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Rewrites::NONE {
            return f.write_str("none");
        }
        let names: Vec<&str> = self.iter().map(|rewrite| rewrite.info().name).collect();
        f.write_str(&names.join("+"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_at_their_own_index_and_sets_are_read_as_they_are_printed() {
        for (n, info) in Rewrite::ALL.iter().enumerate() {
            assert_eq!(info.rewrite as usize, n);
            assert_eq!(Rewrites::from_name(info.name), Some(Rewrites::of(&[info.rewrite])));
        }
        for text in ["none", "contract", "reassociate+contract"] {
            assert_eq!(Rewrites::from_name(text).map(|set| set.to_string()).as_deref(), Some(text));
        }
        assert_eq!(Rewrites::from_name("contract+reassociate"), Rewrites::from_name("reassociate+contract"));
        assert_eq!(Rewrites::from_name("none+contract"), None);
        assert_eq!(Rewrites::from_name(""), None);
    }
}
