//! Whether the functions that need a prepared operand get one: MUFU.SIN, MUFU.COS and MUFU.EX2 take what RRO gives.

use crate::view::{Name, Operands, Source};
use crate::{instr::Instr, op::Op, program::Program};
use parallax_text::Diag;

/// What RRO prepares for, by its mode.
const MODES: [&str; 2] = ["SINCOS", "EX2"];

/// What is known of a register where an instruction is reached from the one before it.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Content {
    /// Control may come from elsewhere.
    Unknown,
    /// What RRO gave in the mode of this number.
    Reduced(u8),
    /// Something else.
    Other,
}

/// What is known of all registers.
struct Registers {
    /// What each got, and which time control came from elsewhere had been the last then.
    contents: [(u32, Content); 256],
    /// How often control may have come from elsewhere.
    times: u32,
}

impl Registers {
    fn of(&self, register: usize) -> Content {
        match self.contents[register & 255] {
            (times, content) if times == self.times => content,
            _ => Content::Unknown,
        }
    }

    fn set(&mut self, register: usize, content: Content) {
        self.contents[register & 255] = (self.times, content);
    }

    /// Control may come from elsewhere.
    fn forget(&mut self) {
        self.times += 1;
    }
}

/// The function of MUFU and the mode of RRO it needs.
fn needed(instr: &Instr) -> Option<(&'static str, u8)> {
    (instr.op() == Some(Op::Mufu)).then_some(())?;
    [("COS", 0), ("SIN", 0), ("EX2", 1)].get(Operands::of(instr).get(Name::Function) as usize).copied()
}

/// Warns of functions whose operand does not come from RRO, as far as that can be told without following branches.
pub(crate) fn check(program: &Program) -> Vec<Diag> {
    let mut diags = Vec::new();
    if !program.instrs.iter().any(|instr| needed(instr).is_some()) {
        return diags;
    }
    let mut is_target = vec![false; program.instrs.len()];
    for (n, instr) in program.instrs.iter().enumerate().filter(|(_, instr)| instr.is_branch()) {
        let target = program.addresses.instruction_at(instr.target(program.addresses.of_instruction(n)));
        if let Some(target) = target.and_then(|target| is_target.get_mut(target)) {
            *target = true;
        }
    }
    let mut registers = Registers { contents: [(0, Content::Other); 256], times: 0 };
    for (n, (instr, is_target)) in program.instrs.iter().zip(is_target).enumerate() {
        if is_target {
            registers.forget();
        }
        let Some(op) = instr.op() else { continue };
        let i = Operands::of(instr);
        let number = |source: Source| usize::from(source.register());
        if op == Op::Mufu
            && let Some((function, mode)) = needed(instr)
        {
            let content = registers.of(number(i.a()));
            if content != Content::Unknown && content != Content::Reduced(mode) {
                let span = program.lines.get(n).map_or_else(Default::default, |line| line.span);
                let message =
                    format!("MUFU.{function} takes an operand that RRO.{} did not prepare", MODES[usize::from(mode)]);
                let help = "the result is computed from the operand as it is; compilers put RRO before it";
                diags.push(Diag::warning("operand-without-rro", span, message).with_help(help));
            }
        }
        use Op::{Bra, Brk, Cal, Cont, Exit, Mov, Ret, Rro, Stl, Sync};
        match op {
            Bra | Brk | Cal | Cont | Exit | Ret | Sync if instr.guard() == (7, false) => registers.forget(),
            Bra | Brk | Cal | Cont | Exit | Ret | Sync | Stl => {}
            _ if !i.names(Name::Destination) => {}
            Rro => registers.set(i.d().into(), Content::Reduced(i.get(Name::Reduction) as u8)),
            Mov if instr.form() == "R" => registers.set(i.d().into(), registers.of(number(i.b()))),
            _ => registers.set(i.d().into(), Content::Other),
        }
    }
    diags
}
