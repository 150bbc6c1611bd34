//! Machine code: what makes it for an engine, and the code of a shader as text, with what it comes from beside it.

use crate::compile::Compiled;
use crate::engine::Engine;
use parallax_core::backend::{Backend, Declined};
use parallax_core::{EntityRef, OpId, verify};
use parallax_step::Programs;
use parallax_x86::{Level, Listing, MachineCode};
use std::fmt::Write;

/// Columns that bytes and instruction take before what they come from is printed.
const WIDTH: usize = 72;

/// The backend that makes it.
pub(crate) fn backend(engine: Engine) -> Result<Box<dyn Backend>, Declined> {
    Ok(Box::new(MachineCode { level: engine.level(), ..MachineCode::BEST }))
}

/// Whether this host can run it.
pub(crate) fn is_available() -> bool {
    Level::best().is_some()
}

/// Lists the code that a compiled shader becomes at a level, by default the best one of this host or AVX-512; whether or not this host can run it: offset, instruction, and where
/// something new starts the source instruction, the op of the IR and the instruction of lane form.
///
/// # Errors
/// What the shader has that is not compiled.
pub fn native_listing(compiled: &Compiled, level: Option<Level>) -> Result<String, Declined> {
    let func = &compiled.shader.func;
    let verified = verify(&compiled.shader).map_err(|_| Declined("the shader breaks the rules of the IR".into()))?;
    let level = level.or_else(Level::best).unwrap_or(Level::Avx512);
    let listing = Listing::new(verified, level, &mut Programs::default()).map_err(|reason| Declined(reason.0))?;
    let bytes = listing.lines.last().map_or(0, |line| line.offset + line.bytes.len());
    let mut out = format!(
        "; {} under {}: {} instructions, {bytes} bytes, {} lanes\n",
        func.name,
        compiled.model(),
        listing.lines.len(),
        level.lanes()
    );
    for line in &listing.lines {
        let op = line.op.map(|op| &func.ops[OpId::new(op as usize)]);
        if let Some(op) = op {
            for id in op.origins.iter() {
                if let Some(source) = func.sources.get(*id).filter(|source| !source.text.is_empty()) {
                    let place = if source.line > 0 { source.line } else { source.offset };
                    let _ = writeln!(out, "; {place}: {}", source.text.trim());
                }
            }
        }
        let mut text = format!("{:6x}  {}", line.offset, line.text);
        if let Some(lane) = &line.lane {
            let _ = write!(text, "{:1$}; {lane}", "", WIDTH.saturating_sub(text.len()).max(1));
            if let Some(op) = op {
                let _ = write!(text, "  <- {}", op.kind);
            }
        }
        out.push_str(&text);
        out.push('\n');
    }
    Ok(out)
}
