//! The embedded shader corpus.
