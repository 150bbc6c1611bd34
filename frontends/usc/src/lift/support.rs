//! What can be read but not executed, by name.

use super::convert;
use super::flow::{Flow, span};
use super::lookups;
use super::settings::{End, Settings};
use crate::group::{Group, Program};
use crate::opcode::Opcode;
use crate::operation::{Address, Operation};
use crate::register::{Bank, Register};
use parallax_isa::Meaning;
use parallax_text::Diag;

/// Reports every operation that is reached and cannot be executed.
pub(super) fn check(program: &Program, flow: &Flow, settings: &Settings, diags: &mut Vec<Diag>) {
    check_end(program, flow, settings, diags);
    let samples = flow.does(Opcode::Smp) || flow.does(Opcode::Itrsmp);
    let sums = flow.does(Opcode::Sop) || flow.does(Opcode::WideSum);
    for (n, group, _) in flow.groups(program) {
        for operation in &group.operations {
            if let Some(why) = refusal(operation) {
                let message = format!("`{}` is read, but not executed: {why}", operation.view.row.title());
                diags.push(Diag::unsupported("unsupported-operation", span(program, n), message));
            }
            if !samples {
                continue;
            }
            lookups::check(program, n, group, operation, diags);
        }
        if sums || group.names_other() {
            each_register(group, |register| {
                if let Some(why) = unreadable(register) {
                    diags.push(Diag::unsupported("unsupported-register", span(program, n), why));
                }
            });
        }
    }
}

/// Reports a program that some way leads out of.
fn check_end(program: &Program, flow: &Flow, settings: &Settings, diags: &mut Vec<Diag>) {
    let required = match settings.end {
        End::Required => true,
        End::Optional => false,
        // A text that ends nowhere is a piece of a program.
        End::Auto => !program.is_text || program.groups.iter().any(|group| group.head.end),
    };
    let Some(last) = program.groups.len().checked_sub(1).filter(|_| required && flow.runs_out) else { return };
    let message = "the program runs past its last group: expected the flag `end` in a group on every path";
    let help = "end the last group with `(end)`, or put `nop.end` behind it; with the frontend option `end=optional` the \
                program ends there";
    diags.push(Diag::invalid("missing-end", span(program, last), message).with_help(help));
}

fn refusal(operation: &Operation) -> Option<&'static str> {
    match operation.opcode() {
        Opcode::Other => match operation.view.row.meaning {
            Meaning::Unsupported(why) | Meaning::Refused(why) => Some(why),
            Meaning::Lift(_) => None,
        },
        Opcode::Flogcn => Some("it is undocumented"),
        Opcode::Uvsw => match operation.written() {
            Some(Address::Source(6..)) => Some("there are six sources, and it names none of them"),
            _ if operation.cuts() => Some("streams of several primitives are not kept"),
            _ => None,
        },
        Opcode::Pck | Opcode::Unpck => convert::refusal(operation),
        _ => None,
    }
}

/// The registers a group names, as far as they may be unreadable. Sources that nobody reads are constants.
fn each_register(group: &Group, mut see: impl FnMut(Register)) {
    let outputs = [0, 1].map(|n| group.output_code(n).unwrap_or(0));
    for codes in [&group.source_codes()[..], &outputs] {
        for code in codes.iter().filter(|code| **code != 0 && !Register::is_plain(**code)) {
            see(Register::decode(*code));
        }
    }
    group.read_by_sums().for_each(see);
}

fn unreadable(register: Register) -> Option<String> {
    let number = register.number;
    match register.bank {
        Bank::Special => Some(format!("sr{number} holds machine state, which is not modelled")),
        Bank::Reserved4 => Some("register kind 4 with an index register has no name".into()),
        Bank::Reserved5 => Some("register kind 5 with an index register has no name".into()),
        Bank::Constant if register.constant().is_none() => Some(format!("c{number} is not a constant of the table")),
        _ => None,
    }
}
