//! Dot products, by the order and the roundings that the documents name.

use super::{Number, Row, Want, rows};
use crate::inputs::Random;
use dashu_int::IBig;
use parallax_num::Op;
use std::collections::{BTreeMap, BTreeSet};

/// How a sum of products is taken.
#[derive(Copy, Clone)]
enum Step {
    /// The product is rounded, and the sum.
    Apart,
    /// The product is exact, and the sum rounded.
    Fused,
}

impl Row {
    fn exact_product(&self, a: u64, b: u64) -> Option<(IBig, i32)> {
        let (a, b) = (self.operand(a)?, self.operand(b)?);
        match (self.form.is_nan(a) || self.form.is_nan(b), self.form.number(a), self.form.number(b)) {
            (false, Number::Finite(m, e), Number::Finite(n, f)) if !self.form.is_zero(a) && !self.form.is_zero(b) => {
                Some((m * n, e + f))
            }
            _ => None,
        }
    }

    fn one(&self, want: Want) -> Option<u64> {
        match want {
            Want::Words(words) if words.len() == 1 => Some(words[0]),
            _ => None,
        }
    }

    /// One term after the other, the first one rounded; `None` where the row does not fix the bits.
    fn in_order(&self, terms: &[Term], step: Step) -> Option<u64> {
        let mut sum = match terms[0] {
            Term::Product(a, b) => self.one(self.product(a, b))?,
            Term::Number(a) => a,
        };
        for term in &terms[1..] {
            let next = match (term, step) {
                (Term::Number(b), _) => self.added(sum, *b),
                (Term::Product(a, b), Step::Apart) => self.added(sum, self.one(self.product(*a, *b))?),
                (Term::Product(..), Step::Fused) if self.form.is_nan(sum) => self.nan(),
                // An exact product is finite.
                (Term::Product(a, b), Step::Fused) if sum & (self.form.sign() - 1) == self.form.infinity() => {
                    self.exact_product(*a, *b)?;
                    Want::Words(vec![sum])
                }
                (Term::Product(a, b), Step::Fused) => self.sum(self.exact_product(*a, *b)?, self.operand(sum)?),
            };
            sum = self.one(next)?;
        }
        Some(sum)
    }
}

#[derive(Copy, Clone)]
enum Term {
    Product(u64, u64),
    Number(u64),
}

/// The products of an operation in the order of its components, then the addend.
fn terms(op: Op, args: &[u64]) -> Vec<Term> {
    let n = match op {
        Op::Dot2 | Op::Dp2a => 2,
        Op::Dot3 | Op::Dph => 3,
        _ => 4,
    };
    let products = (0..n).map(|k| Term::Product(args[k], args[n + k]));
    let addend = args.get(2 * n).map(|&word| Term::Number(word));
    products.chain(addend).collect()
}

fn permutations(terms: &[Term]) -> Vec<Vec<Term>> {
    if terms.len() == 1 {
        return vec![terms.to_vec()];
    }
    let mut out = Vec::new();
    for n in 0..terms.len() {
        let rest: Vec<Term> = terms.iter().enumerate().filter(|(m, _)| *m != n).map(|(_, term)| *term).collect();
        out.extend(permutations(&rest).into_iter().map(|tail| [vec![terms[n]], tail].concat()));
    }
    out
}

/// Every result that the row allows; empty where it fixes none.
fn allowed(row: &Row, op: Op, terms: &[Term]) -> Vec<u64> {
    let back: Vec<Term> = terms.iter().rev().copied().collect();
    let orders = match (row.says("dot"), op) {
        (Some("ltr-apart" | "ltr-fused"), _) => vec![terms.to_vec()],
        (Some("rtl-apart"), _) => vec![back],
        // z + w + x + y, w being the addend.
        (Some("rtl-apart-dph"), Op::Dph) => vec![vec![terms[2], terms[3], terms[0], terms[1]]],
        (Some("rtl-apart-dph"), _) => vec![back],
        (Some("apart" | "fused"), _) => permutations(terms),
        _ => Vec::new(),
    };
    let step = if row.says("dot").is_some_and(|says| says.contains("fused")) { Step::Fused } else { Step::Apart };
    let found: Option<Vec<u64>> = orders.iter().map(|order| row.in_order(order, step)).collect();
    found.unwrap_or_default()
}

const DOTS: [(Op, usize); 5] = [(Op::Dot2, 4), (Op::Dot3, 6), (Op::Dot4, 8), (Op::Dph, 7), (Op::Dp2a, 5)];

#[test]
fn dot_products_are_those_of_the_documents() {
    let mut checked: BTreeMap<(&str, Op), u64> = BTreeMap::new();
    let mut tells = BTreeSet::new();
    for row in rows().iter().filter(|row| row.says("dot").is_some_and(|says| says != "open" && says != "reach-25")) {
        assert!(row.says("round").is_some() && row.says("mad").is_some(), "{}", row.line);
        let mut random = Random::new(21);
        for (op, count) in DOTS {
            for n in 0..2000 {
                let args: Vec<u64> = (0..count)
                    .map(|_| {
                        let near = (row.form.bias() as u64 + random.below(4)) << row.form.fraction;
                        let word = near | random.below(1 << row.form.fraction) | (random.below(2) * row.form.sign());
                        match n % 8 {
                            // Some of special value.
                            0 => random.pick(&super::specials(row.form)),
                            _ => word,
                        }
                    })
                    .collect();
                let want = allowed(row, op, &terms(op, &args));
                if want.is_empty() {
                    continue;
                }
                let got = row.eval(op, &args);
                let is_nan = row.form.is_nan(got) && want.iter().any(|word| row.form.is_nan(*word));
                assert!(want.contains(&got) || is_nan, "{} {op} of {args:x?} is {got:x}, not {want:x?}", row.line);
                *checked.entry((row.name, op)).or_default() += 1;
                // The operands tell the orders and roundings apart.
                let forward = terms(op, &args);
                let back: Vec<Term> = forward.iter().rev().copied().collect();
                let other = [(&forward, Step::Apart), (&forward, Step::Fused), (&back, Step::Apart)];
                if other
                    .iter()
                    .any(|(order, step)| row.in_order(order, *step).is_some_and(|word| !want.contains(&word)))
                {
                    tells.insert((row.name, op));
                }
            }
        }
    }
    assert!(checked.len() >= 5 * 19 && checked.values().all(|n| *n > 1000), "{checked:?}");
    assert!(tells.len() > checked.len() * 3 / 4, "{} of {}", tells.len(), checked.len());
}

/// ATI CTM Guide 1.01, section 3.6: a term that is 2^25 times smaller than the largest is lost, even if the largest cancel out.
#[test]
fn r500_loses_small_terms_of_dot_products() {
    let rows = rows();
    let row = rows.iter().find(|row| row.says("dot") == Some("reach-25")).expect("a row");
    let one = 0x3f80_0000u64;
    let power = |e: u64| one + (e << 23);
    for e in 2..60 {
        let big = power(e);
        let minus = big | 1 << 31;
        for args in
            [[big, minus, one, one, one, one], [big, one, minus, one, one, one], [one, one, one, big, minus, one]]
        {
            let got = row.eval(Op::Dot3, &args);
            match e {
                // Of this size, rounded sums may lose it, too.
                24 | 25 => {}
                0..24 => assert_eq!(got, one, "{e} {args:x?}"),
                _ => assert_eq!(got & 0x7fff_ffff, 0, "{e} {args:x?}"),
            }
        }
    }
}
