//! The tables that [`crate::Prim::Table`] reads.

pub use parallax_num::nv_sfu::Table;

/// The row of a table; 0 of a table that does not exist.
pub(crate) fn row(table: u64, number: u32) -> u64 {
    let Some(table) = Table::ALL.get(table as usize) else { return 0 };
    let rows = table.rows();
    rows.get(number as usize % rows.len().max(1)).copied().unwrap_or(0)
}
