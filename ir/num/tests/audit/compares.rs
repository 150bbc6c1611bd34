//! Comparisons and condition codes, by what the documents say of NaN and of denormal operands. `SLT`, `SEQ` and the like are one of
//! these and a choice between 1 and 0; `CMP` is a comparison with zero and a choice.

use super::{Number, Row, Want, rows, triples};
use parallax_num::Op;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Less, equal, greater; `None` where a NaN has no place.
fn order(row: &Row, a: u64, b: u64) -> Result<Option<Ordering>, Want> {
    let as_infinity = row.says("cmp") == Some("infinity");
    let place = |word: u64| -> Result<Option<i64>, Want> {
        let form = row.form;
        let word = match row.says("cin") {
            Some("flush" | "keep") | None if !form.is_denormal(word) => word,
            Some("flush") => word & form.sign(),
            Some("keep") => word,
            _ => return Err(Want::Free),
        };
        let size = match form.is_nan(word) {
            true if as_infinity => form.infinity(),
            true => return Ok(None),
            false => word & (form.sign() - 1),
        } as i64;
        Ok(Some(if word & form.sign() != 0 { -size } else { size }))
    };
    Ok(place(a)?.zip(place(b)?).map(|(a, b)| a.cmp(&b)))
}

fn wanted(row: &Row, op: Op, a: u64, b: u64) -> Option<u64> {
    let b = if op == Op::CcOf { 0 } else { b };
    let found = order(row, a, b).ok()?;
    let holds = match (op, found) {
        (Op::CcOf, found) => return Some(found.map_or(3, |order| (order as i8 + 1) as u64)),
        // Whether there is an order at all is a matter of those that have none.
        (Op::Funo, _) if row.says("cmp") != Some("unordered") => return None,
        (Op::Funo, found) => found.is_none(),
        (Op::FNe, None) => row.says("cmp") == Some("unordered"),
        (_, None) => false,
        (Op::FEq, Some(order)) => order.is_eq(),
        (Op::FNe, Some(order)) => order.is_ne(),
        (Op::FLt, Some(order)) => order.is_lt(),
        (Op::FLe, Some(order)) => order.is_le(),
        (Op::FGt, Some(order)) => order.is_gt(),
        (_, Some(order)) => order.is_ge(),
    };
    Some(u64::from(holds))
}

const COMPARES: [Op; 8] = [Op::FEq, Op::FNe, Op::FLt, Op::FLe, Op::FGt, Op::FGe, Op::Funo, Op::CcOf];

#[test]
fn comparisons_are_those_of_the_documents() {
    let mut checked: BTreeMap<(&str, Op), u64> = BTreeMap::new();
    for row in rows().iter().filter(|row| row.says("cmp").is_some_and(|says| says != "open")) {
        for [a, b, _] in triples(row.form) {
            // Equal numbers are rare among them.
            for (a, b) in [(a, b), (a, a), (a, a ^ row.form.sign())] {
                for op in COMPARES {
                    let Some(want) = wanted(row, op, a, b) else { continue };
                    let args = [a, b];
                    let got = row.eval(op, &args[..op.info().args.len()]);
                    assert_eq!(got, want, "{} {op} of {a:x} {b:x}", row.line);
                    *checked.entry((row.name, op)).or_default() += 1;
                }
            }
        }
    }
    assert!(checked.len() > 20 * 7 && checked.values().all(|n| *n > 5000), "{checked:?}");
}

/// The order that is used above is that of the numbers.
#[test]
fn patterns_have_the_order_of_numbers() {
    let rows = rows();
    let row = rows.iter().find(|row| row.name == "ieee").expect("a row");
    let value = |word: u64| match row.form.number(word) {
        Number::Finite(m, e) => m.to_string().parse::<f64>().expect("a number") * f64::from(e).exp2(),
        Number::Infinite(negative) => {
            if negative {
                f64::NEG_INFINITY
            } else {
                f64::INFINITY
            }
        }
    };
    for [a, b, _] in triples(row.form) {
        if !row.form.is_nan(a) && !row.form.is_nan(b) {
            assert_eq!(order(row, a, b).ok().flatten(), value(a).partial_cmp(&value(b)), "{a:x} {b:x}");
        }
    }
}
