//! The tables that [`crate::Prim::Table`] reads.

use parallax_num::nv_sfu::{self, Path};

/// A table of 64-bit rows: the coefficients of a function of NVIDIA's special function unit.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Table {
    Rcp,
    Rsq,
    Sqrt,
    Sin,
    Exp2,
    Log2,
}

impl Table {
    /// All of them, as numbered in an immediate.
    pub const ALL: [Table; 6] = [Table::Rcp, Table::Rsq, Table::Sqrt, Table::Sin, Table::Exp2, Table::Log2];

    /// Spelling in the textual form.
    pub const fn name(self) -> &'static str {
        match self {
            Table::Rcp => "rcp",
            Table::Rsq => "rsq",
            Table::Sqrt => "sqrt",
            Table::Sin => "sin",
            Table::Exp2 => "exp2",
            Table::Log2 => "log2",
        }
    }

    /// The interpolation that the rows are for.
    pub const fn path(self) -> &'static Path {
        match self {
            Table::Rcp => &nv_sfu::RCP,
            Table::Rsq => &nv_sfu::RSQ,
            Table::Sqrt => &nv_sfu::SQRT,
            Table::Sin => &nv_sfu::SIN,
            Table::Exp2 => &nv_sfu::EXP2,
            Table::Log2 => &nv_sfu::LOG2,
        }
    }

    /// Its rows.
    pub const fn rows(self) -> &'static [u64] {
        self.path().rows
    }
}

/// The row of a table; 0 of a table that does not exist.
pub(crate) fn row(table: u64, number: u32) -> u64 {
    let Some(table) = Table::ALL.get(table as usize) else { return 0 };
    let rows = table.rows();
    rows.get(number as usize % rows.len().max(1)).copied().unwrap_or(0)
}
