//! Text of one instruction: name, suffixes of the immediate, operands.

use crate::prim::{Immediate, Mode, Ty};
use crate::program::{Id, Inst, Program};
use crate::table::Table;
use std::fmt;

/// The name with what the immediate adds to it: `fmul.rtz.ftz`, `first.ffc00000`, `table.rcp`.
pub(crate) fn head(inst: &Inst) -> String {
    let mut out = inst.prim.name().to_string();
    match inst.prim.row().immediate {
        Immediate::None | Immediate::Bits => {}
        Immediate::Mode | Immediate::Direction => {
            out.push_str(&Mode::from_word(inst.imm).unwrap_or(Mode::PLAIN).suffixes());
        }
        Immediate::Nan => out.push_str(&format!(".{}", pattern(inst.ty, inst.imm))),
        Immediate::Table => {
            out.push('.');
            out.push_str(Table::ALL.get(inst.imm as usize).map_or("?", |table| table.name()));
        }
    }
    out
}

/// A pattern of a type in as many hexadecimal digits as it has.
fn pattern(ty: Ty, bits: u64) -> String {
    match ty {
        Ty::F64 | Ty::I64 => format!("{bits:016x}"),
        _ => format!("{bits:08x}"),
    }
}

/// A constant: `true`, an integer, or a pattern with the number it stands for behind it as a comment would be.
pub(crate) fn constant(ty: Ty, bits: u64) -> String {
    match ty {
        Ty::Mask => if bits != 0 { "true" } else { "false" }.to_string(),
        Ty::I32 | Ty::I64 if bits < 1 << 16 => bits.to_string(),
        _ => format!("0x{}", pattern(ty, bits)),
    }
}

/// The number that a float constant is, to read beside its pattern.
pub(crate) fn note(ty: Ty, bits: u64) -> Option<String> {
    match ty {
        Ty::F32 => Some(format!("{:?}", f32::from_bits(bits as u32))),
        Ty::F64 => Some(format!("{:?}", f64::from_bits(bits))),
        _ => None,
    }
}

/// An instruction behind its `=`, its operands named by `name`.
pub(crate) fn body(inst: &Inst, name: &dyn Fn(Id) -> String) -> String {
    let mut out = head(inst);
    if inst.prim.row().immediate == Immediate::Bits {
        out.push(' ');
        out.push_str(&constant(inst.ty, inst.imm));
    }
    for (n, &arg) in inst.args().iter().enumerate() {
        out.push_str(if n == 0 { " " } else { ", " });
        out.push_str(&name(arg));
    }
    if inst.prim.row().immediate == Immediate::Bits
        && let Some(note) = note(inst.ty, inst.imm)
    {
        out.push_str(" ; ");
        out.push_str(&note);
    }
    out
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |id: Id| format!("%{id}");
        let params: Vec<String> = self.params.iter().enumerate().map(|(n, ty)| format!("%{n}: {ty}")).collect();
        writeln!(f, "program ({}) {{", params.join(", "))?;
        for (n, inst) in self.insts.iter().enumerate() {
            writeln!(f, "  %{}: {} = {}", self.params.len() + n, inst.result(), body(inst, &name))?;
        }
        if let Some(slow) = self.slow {
            writeln!(f, "  slow %{slow}")?;
        }
        writeln!(f, "  give %{}", self.result)?;
        f.write_str("}\n")
    }
}
