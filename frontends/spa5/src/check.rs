//! Rules of whole programs, and what a compiler for this machine would not write.

use crate::fields::{READ_BARRIER, REUSE_UNUSED, SPARE, WRITE_BARRIER};
use crate::{codec::codec, instr::Instr, op::Op, program::Program, reduction};
use parallax_text::{Diag, Span};
use std::sync::LazyLock;

/// Checks a program: the places branches lead to, and as warnings what the control bits say that has no effect, or that the
/// vendor's own tool refuses.
pub fn check(program: &Program) -> Vec<Diag> {
    let mut diags = Vec::new();
    if program.instrs.is_empty() {
        diags.push(Diag::invalid("empty-program", Span::default(), "the program has no instructions"));
        return diags;
    }
    let kills = program.header.is_none_or(|header| header.kills());
    for (n, instr) in program.instrs.iter().enumerate() {
        let span = program.lines.get(n).map_or(Span::default(), |line| line.span);
        if instr.is_branch() {
            diags.extend(branch(program, n, instr, span));
        }
        diags.extend(control(instr, span));
        if !kills && instr.op() == Some(Op::Kil) {
            let message = "field `kills` of the header is 0, so KIL has no effect";
            diags.push(Diag::warning("kill-without-header", span, message).with_help("write `.header kills yes`"));
        }
    }
    diags.extend(reduction::check(program));
    diags
}

/// What is wrong with the place a branch leads to.
fn branch(program: &Program, n: usize, instr: &Instr, span: Span) -> Option<Diag> {
    let address = program.addresses.of_instruction(n);
    let target = instr.target(address);
    let count = program.instrs.len();
    // The NOPs that fill the last bundle are part of the program.
    let end = if program.bare { count } else { count.next_multiple_of(3) };
    let name = instr.row().name;
    let message = match program.addresses.instruction_at(target) {
        Some(found) if found < end => return None,
        None if target % 8 != 0 => {
            format!(
                "field `distance`: {name} jumps to byte {target:#x}, where no instruction starts; instructions start at multiples of 8"
            )
        }
        _ => {
            let last = program.addresses.of_instruction(end - 1);
            let first = program.addresses.of_instruction(0);
            format!("field `distance`: {name} leads to byte {target:#x}; the program has {first:#x} to {last:#x}")
        }
    };
    Some(Diag::invalid("jump-out-of-program", span, message))
}

/// Whether the result of an instruction comes after a known time.
fn is_fixed_latency(instr: &Instr) -> bool {
    static FIXED: LazyLock<Vec<bool>> =
        LazyLock::new(|| codec().rows().map(|(_, row)| FIXED_LATENCY.contains(&row.name)).collect());
    FIXED[instr.row_id().index()]
}

/// Whether a compiler would write these control bits: no barriers that are none, none where the time is known.
pub(crate) fn control_is_likely(instr: &Instr) -> bool {
    let barriers = [&WRITE_BARRIER, &READ_BARRIER].map(|field| instr.get(field));
    let known = if is_fixed_latency(instr) { barriers == [7, 7] } else { !barriers.contains(&6) };
    known && instr.get(&REUSE_UNUSED) == 0 && instr.get(&SPARE) == 0
}

/// What the control bits ask for in vain.
fn control(instr: &Instr, span: Span) -> Option<Diag> {
    if !is_fixed_latency(instr) {
        return None;
    }
    let field = [&WRITE_BARRIER, &READ_BARRIER].into_iter().find(|field| instr.get(field) != 7);
    let name = instr.row().name;
    if let Some(field) = field {
        let message =
            format!("field `{}` of the control word: {name} has a fixed latency, so it signals no barrier", field.name);
        let help = format!("leave out `&{}={}`", field.name, instr.get(field));
        return Some(Diag::warning("barrier-of-fixed-latency", span, message).with_help(help));
    }
    (instr.get(&REUSE_UNUSED) != 0).then(|| {
        let message = format!("field `reuse_unused` of the control word: {name} has no such operand");
        Diag::warning("reuse-of-no-operand", span, message).with_help("leave out `&reuse.unused`")
    })
}

/// Instructions that the vendor's tool refuses with a barrier; those of the same kind that nobody tried are taken for such.
#[rustfmt::skip]
const FIXED_LATENCY: &[&str] = &[
    "FADD", "FADD32I", "FMUL", "FMUL32I", "FFMA", "FFMA32I", "FMNMX", "FSET", "FSETP", "FCMP", "RRO", "FSWZADD", "MOV",
    "MOV32I", "SEL", "IADD", "IADD32I", "IADD3", "ISCADD", "ISCADD32I", "LEA", "IMNMX", "XMAD", "SHL", "SHR", "SHF",
    "LOP", "LOP32I", "LOP3", "BFE", "BFI", "PRMT", "ISET", "ISETP", "ICMP", "PSET", "PSETP", "CSET", "CSETP", "P2R",
    "R2P", "VOTE", "NOP", "EXIT", "BRA", "KIL", "SYNC", "DEPBAR",
];
