//! Rules of whole programs.

use crate::control_flow::{Reach, Terminator};
use crate::fields::{RELATIVE, RESULT, RESULT_BANK, bank};
use crate::instr::{Bank, Condition, Instr};
use crate::{kind::Kind, limits, program::Program, sem::Sem};
use parallax_text::{Diag, Severity, Span};

/// Checks a program: register numbers, jump targets, an end. What is wrong with instructions that are never reached is
/// a warning: they cannot do harm.
pub fn check(program: &Program) -> Vec<Diag> {
    check_reach(program, &Reach::of(program))
}

/// The same where it is known what is reached.
pub(crate) fn check_reach(program: &Program, reach: &Reach) -> Vec<Diag> {
    let mut diags = Vec::new();
    let count = program.instrs.len();
    if count == 0 {
        diags.push(Diag::invalid("empty-program", Span::default(), "the program has no instructions"));
        return diags;
    }
    let mut terminators = reach.terminators.iter().peekable();
    for (n, (instr, &reached)) in program.instrs.iter().zip(&reach.reached).enumerate() {
        let span = program.lines.get(n).map_or(Span::default(), |l| l.span);
        let first = diags.len();
        registers(instr, span, &mut diags);
        if let Some(&(_, terminator)) = terminators.next_if(|(at, _)| *at == n) {
            jump(program, n, terminator, span, &mut diags);
        } else if !reached {
            let terminator = Terminator::of(program, n);
            if terminator != Terminator::End {
                jump(program, n, terminator, span, &mut diags);
            }
            diags[first..].iter_mut().for_each(|d| d.severity = Severity::Warning);
        }
    }
    if count > limits::INSTRUCTIONS {
        let span = program.lines.get(limits::INSTRUCTIONS).map_or(Span::default(), |l| l.span);
        let message = format!("the machine holds {} instructions, the program has {count}", limits::INSTRUCTIONS);
        diags.push(Diag::warning("long-program", span, message));
    }
    let last = count - 1;
    let leaves = match Terminator::of(program, last) {
        Terminator::Next => true,
        // `jmp true` under a guard goes on only where guards are told to hold back jumps; its program then ends there.
        Terminator::Branch(_) => program.instrs[last].condition(0) != Condition::Literal(true),
        Terminator::End | Terminator::Jump(_) => false,
    };
    if leaves && reach.reached[last] {
        let span = program.lines.last().map_or(Span::default(), |l| l.span);
        let message = "field `endflag` of the last instruction is 0: the program does not end";
        diags.push(Diag::invalid("missing-end", span, message));
    }
    diags
}

/// Where an instruction with this terminator jumps, if it is a jump.
fn jump(program: &Program, n: usize, terminator: Terminator, span: Span, diags: &mut Vec<Diag>) {
    match terminator {
        Terminator::Jump(target) | Terminator::Branch(target) => {
            let count = program.instrs.len();
            if target < 0 || target >= count as i64 {
                let last = count - 1;
                let message = format!("the jump leads to instruction {target}; the program has 0 to {last}");
                diags.push(Diag::invalid("jump-out-of-program", span, message));
            }
        }
        Terminator::End => {
            let instr = &program.instrs[n];
            if instr.sem() == Some(Sem::Jump) && instr.condition(0) != Condition::Literal(false) {
                let message = "the program ends with this instruction, so the jump is never taken";
                diags.push(Diag::warning("jump-at-end", span, message).with_help("add `end` after it"));
            }
        }
        Terminator::Next => {}
    }
}

/// Letter and number of registers of each bank.
const fn registers_of(bank: Bank) -> (char, u16) {
    match bank {
        Bank::In => ('i', limits::IN),
        Bank::Out => ('o', limits::OUT),
        Bank::Temp => ('r', limits::TEMP),
        Bank::Addr => ('a', limits::ADDR),
        Bank::Param => ('c', limits::PARAM),
    }
}

/// Whether all registers that an instruction names are there. `false` says nothing of one with a relative address.
fn are_there(instr: &Instr) -> bool {
    /// Registers of the bank of each number; constants go on behind 255.
    const COUNTS: [u16; 8] = {
        let mut counts = [u16::MAX; 8];
        counts[bank::IN as usize] = limits::IN;
        counts[bank::OUT as usize] = limits::OUT;
        counts[bank::TEMP as usize] = limits::TEMP;
        counts[bank::ADDR as usize] = limits::ADDR;
        counts
    };
    let operands = instr.operands();
    let is_source = |n: usize| {
        let source = instr.source_bits(n);
        operands.sources >> n & 1 == 0 || u16::from(source.register) < COUNTS[source.bank() as usize & 7]
    };
    let is_condition = |n: usize| {
        operands.conditions >> n & 1 == 0
            || match instr.condition(n) {
                Condition::Predicate { index, .. } => u16::from(index) < limits::PREDICATES,
                Condition::Literal(_) | Condition::Constant { .. } => true,
            }
    };
    let is_result = || instr.get(&RESULT) < u64::from(COUNTS[instr.get(&RESULT_BANK) as usize & 7]);
    is_source(0)
        && is_source(1)
        && is_source(2)
        && (!operands.result || is_result())
        && (operands.conditions == 0 || is_condition(0) && is_condition(1))
        && (!operands.predicate || u16::from(instr.predicate_result().0) < limits::PREDICATES)
        && (!operands.unit || u16::from(instr.unit()) < limits::UNITS)
        && instr.word() & RELATIVE.mask().word() == 0
}

fn registers(instr: &Instr, span: Span, diags: &mut Vec<Diag>) {
    if !are_there(instr) {
        operands(instr, span, diags);
    }
}

/// Whether all registers it names are there.
pub(crate) fn registers_exist(instr: &Instr) -> bool {
    let mut diags = Vec::new();
    registers(instr, Span::default(), &mut diags);
    diags.is_empty()
}

fn operands(instr: &Instr, span: Span, diags: &mut Vec<Diag>) {
    let mut limit = |letter: char, index: u16, count: u16, field: &str| {
        if index >= count {
            diags.push(no_register(letter, index, count, field, span));
        }
    };
    if let Some(relative) = instr.relative() {
        limit('a', u16::from(relative.register), limits::ADDR, "reladdr");
    }
    let fields = ["op1reg", "op2reg", "op3reg"];
    for operand in instr.row().operands {
        match operand.kind {
            Kind::Source1 | Kind::Source2 | Kind::Source3 => {
                let n = operand.kind as usize - Kind::Source1 as usize;
                let source = instr.source(n);
                let (letter, count) = registers_of(source.bank);
                limit(letter, source.index, count, fields[n]);
            }
            Kind::Condition1 | Kind::Condition2 => {
                let n = operand.kind as usize - Kind::Condition1 as usize;
                if let Condition::Predicate { index, .. } = instr.condition(n) {
                    limit('p', u16::from(index), limits::PREDICATES, fields[n]);
                }
            }
            Kind::Result => {
                let dst = instr.dst();
                let (letter, count) = registers_of(dst.bank);
                limit(letter, dst.index, count, "resreg");
            }
            Kind::PredicateResult | Kind::AndResult => {
                limit('p', u16::from(instr.predicate_result().0), limits::PREDICATES, "resreg");
            }
            Kind::Unit | Kind::Attribute => limit('t', u16::from(instr.unit()), limits::UNITS, "op2reg"),
            Kind::Sample => limit('s', u16::from(instr.unit()), limits::SAMPLES, "op2reg"),
            _ => {}
        }
    }
}

#[cold]
fn no_register(letter: char, index: u16, count: u16, field: &str, span: Span) -> Diag {
    let message =
        format!("field `{field}`: `{letter}{index}` does not exist; the last register is `{letter}{}`", count - 1);
    Diag::invalid("register-number", span, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::codec;
    use crate::fields::SOURCES;
    use parallax_isa::Generator;

    #[test]
    fn registers_are_there_where_nothing_is_wrong() {
        let mut generator = Generator::new(5);
        let (mut right, mut wrong) = (0, 0);
        for n in 0..40_000u32 {
            // Numbers below 32 are seldom drawn, and small ones of all operands at once hardly ever.
            let mut word = generator.any(codec(), false);
            let fields = SOURCES.iter().flat_map(|f| [(&f.register, 31), (&f.any_bank, 3)]);
            for (field, mask) in fields.chain([(&RESULT, 31), (&RELATIVE, 0)]).take(n as usize % 9) {
                let value = field.get(&word) & mask >> (n / 9 % 2);
                field.put(&mut word, value);
            }
            let Ok(instr) = Instr::decode(codec(), word.word()) else { continue };
            let mut diags = Vec::new();
            operands(&instr, Span::default(), &mut diags);
            wrong += usize::from(!diags.is_empty());
            right += usize::from(are_there(&instr));
            if instr.relative().is_none() {
                assert_eq!(are_there(&instr), diags.is_empty(), "{word:?}: {diags:?}");
            }
            assert!(!are_there(&instr) || diags.is_empty(), "{word:?}: {diags:?}");
        }
        assert!(right > 2000 && wrong > 2000, "{right} {wrong}");
    }
}
