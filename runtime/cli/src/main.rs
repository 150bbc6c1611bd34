//! The parallax command.

fn main() {}
