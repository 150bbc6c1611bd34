//! TGSI text: reader, checker, printer, lifting.
