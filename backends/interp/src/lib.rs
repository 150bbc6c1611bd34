//! The reference interpreter on the bound IR.
