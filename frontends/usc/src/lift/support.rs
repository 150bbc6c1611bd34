//! What can be read but not executed, by name.

use super::convert;
use super::flow::{Flow, span};
use super::texture;
use crate::{Address, Bank, Group, Opcode, Operation, Program, Register};
use parallax_isa::Meaning;
use parallax_text::Diag;

/// Reports every operation that is reached and cannot be executed.
pub(super) fn check(program: &Program, flow: &Flow, diags: &mut Vec<Diag>) {
    for (n, group) in flow.groups(program) {
        for operation in &group.operations {
            if let Some(why) = refusal(operation) {
                let message = format!("`{}` is read, but not executed: {why}", operation.row.title());
                diags.push(Diag::unsupported("unsupported-operation", span(program, n), message));
            }
            if let Some(lookup) = operation.lookup() {
                texture::check(program, n, group, &lookup, diags);
            }
        }
        for register in registers(group) {
            if let Some(why) = unreadable(register) {
                diags.push(Diag::unsupported("unsupported-register", span(program, n), why));
            }
        }
    }
}

fn refusal(operation: &Operation) -> Option<&'static str> {
    if let Meaning::Unsupported(why) | Meaning::Refused(why) = operation.row.meaning {
        return Some(why);
    }
    match operation.opcode() {
        Opcode::Flogcn => Some("no document says what it computes"),
        Opcode::Farctanc => Some("the instruction set reference gives no bound for its result"),
        Opcode::Lapc | Opcode::Savl => Some("it jumps to where a register says"),
        Opcode::CndsetlA | Opcode::CndsetlB | Opcode::Cndlpc => Some("it belongs to calls through the link address"),
        Opcode::Sbo => Some("it renames registers while the program runs"),
        Opcode::Itrsmp => Some("iteration and lookup are executed as `fitrp` and `smp` only"),
        Opcode::Branch if operation.branch().is_some_and(|branch| branch.link) => {
            Some("calls return to an address in a register")
        }
        Opcode::Uvsw => {
            let uvsw = operation.uvsw()?;
            match uvsw.write {
                Some(Address::Source(_)) => Some("its address is a value of the program"),
                _ if uvsw.cut => Some("streams of several primitives are not kept"),
                _ => None,
            }
        }
        Opcode::Pck => convert::refusal(&operation.conversion()?, true),
        Opcode::Unpck => convert::refusal(&operation.conversion()?, false),
        _ => None,
    }
}

/// The registers a group names. Sources that nobody reads are constants.
fn registers(group: &Group) -> impl Iterator<Item = Register> {
    let sums = group.operations.iter().filter_map(Operation::sum_of_products);
    let factors = sums.flat_map(|sum| sum.operands).filter_map(|factor| factor.register);
    let sources = (0..6).map(|n| group.source(n));
    sources.chain([0, 1].into_iter().filter_map(|n| group.output(n))).chain(factors)
}

fn unreadable(register: Register) -> Option<String> {
    let number = register.number;
    match register.bank {
        Bank::Special => Some(format!("sr{number} holds state of the machine, which is not modelled")),
        Bank::Reserved(kind) => Some(format!("register kind {kind} behind an index register has no name")),
        Bank::Constant if register.constant().is_none() => Some(format!("c{number} is no constant of the table")),
        Bank::VertexInput if register.index.is_some() => {
            Some("vertex inputs behind an index register are not modelled".to_string())
        }
        _ => None,
    }
}
