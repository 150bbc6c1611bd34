//! The special values that the documents of each vendor fix, one row per fact: model, operation, slot (with `<` the source of a
//! conversion), operands = result, then the document. Words are lane words of the model's container in hexadecimal, `nan` is any
//! NaN. The rows were written from the documents, not from what the models give.

use parallax_num::{Decl, Model, Op, Slot, Storage, eval};
use std::collections::BTreeSet;

const ROWS: &str = include_str!("facts.txt");

struct Fact {
    line: &'static str,
    model: &'static str,
    rule: parallax_num::Rule,
    op: Op,
    args: Vec<u64>,
    want: &'static str,
    source: &'static str,
}

fn facts() -> Vec<Fact> {
    let line = |line: &'static str| {
        let (fact, source) = line.split_once(" ; ").expect(line);
        let (left, want) = fact.split_once(" = ").expect(line);
        let mut words = left.split_whitespace();
        let name = words.next().expect(line);
        let model = Model::parse(name).unwrap_or_else(|e| panic!("{line}: {e}"));
        let op = words.next().and_then(Op::from_name).expect(line);
        let slot = words.next().expect(line);
        let (slot, source_format) = slot.split_once('<').unwrap_or((slot, ""));
        let slot = Slot::parse(slot).expect(line);
        let from = Decl::from_name(source_format).unwrap_or(slot.decl);
        let args: Vec<u64> = words.map(|w| u64::from_str_radix(w, 16).expect(line)).collect();
        assert_eq!(args.len(), op.info().args.len(), "{line}");
        let (rule, _) = model.rule(op, &slot, model.storage(from));
        let bare = name.split(['[', '@']).next().unwrap_or(name);
        Fact { line, model: bare, rule, op, args, want: want.trim(), source: source.trim() }
    };
    ROWS.lines().filter(|l| !l.trim().is_empty() && !l.starts_with('#')).map(line).collect()
}

fn is_nan(word: u64, storage: Storage) -> bool {
    match storage {
        Storage::F16 => word & 0x7fff > 0x7c00,
        Storage::F32 => word & 0x7fff_ffff > 0x7f80_0000,
        Storage::F64 => word & (u64::MAX >> 1) > 0x7ff0_0000_0000_0000,
        Storage::Fixed(_) => false,
    }
}

#[test]
fn every_fact_holds() {
    let mut wrong = Vec::new();
    for fact in facts() {
        let got = eval(fact.op, &fact.rule, &fact.args);
        let holds = match fact.want {
            "nan" => is_nan(got, fact.rule.storage),
            bits => u64::from_str_radix(bits, 16) == Ok(got),
        };
        if !holds {
            wrong.push(format!("{}, not {got:x}", fact.line));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// Every model of a vendor or of an interface has facts, and each of them names a document.
#[test]
fn every_model_has_facts_with_sources() {
    let facts = facts();
    let known: BTreeSet<&str> = facts.iter().map(|f| f.model).collect();
    for model in Model::builtin_names() {
        let ours =
            matches!(*model, "ieee" | "binary64" | "nv-patent" | "nv-arb" | "attila" | "tgsi" | "tgsi-mul-zero-wins");
        assert!(
            ours || known.contains(model),
            "{model} has no fact here; the definitions and older models have theirs elsewhere"
        );
    }
    for fact in &facts {
        assert!(fact.source.len() >= 3, "{}", fact.line);
    }
    assert!(facts.len() > 280, "{}", facts.len());
}
