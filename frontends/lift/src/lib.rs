//! Lifting kit: register cells, staged writes, SSA construction, structured control.
