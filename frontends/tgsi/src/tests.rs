//! Tests of the whole way from text to results.

mod rows;
