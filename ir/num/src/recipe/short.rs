//! Products inside an error bound and exact dot products of short numbers by binary64, where that decides.

use super::accuracy::{is_normal, near};
use super::nearby::{Approximation, in_format};
use crate::{Accuracy, DotOrder, Format, Op, Rule, Saturate, StepRules, Storage};

/// Twice the error of a sum of at most five terms, relative to the sum of their magnitudes.
const SUM_ERROR: f64 = 1.0 / (1u64 << 49) as f64;

/// What [`crate::eval`] gives; `None` where other numbers or rules take part, or where binary64 does not decide.
pub(crate) fn eval(op: Op, rule: &Rule, words: &[u64]) -> Option<u64> {
    let Format::Float(format) = rule.format else { return None };
    let is_plain = rule.storage == Storage::F32
        && format.frac <= 23
        && rule.scale == 0
        && rule.saturate == Saturate::None
        && rule.steps == StepRules::OWN;
    if !is_plain {
        return None;
    }
    let number = |word: u64| f64::from(f32::from_bits(word as u32));
    let found = match op {
        Op::Mul if rule.accuracy != Accuracy::Correct => {
            let &[a, b] = words else { return None };
            if !is_normal(a, rule) || !is_normal(b, rule) {
                return None;
            }
            // Two numbers of 24 bits have an exact product.
            near(op, rule, words, Approximation { at: number(a) * number(b), error: None })?
        }
        Op::Dot2 | Op::Dot3 | Op::Dot4 if rule.accuracy == Accuracy::Correct && rule.dot.order == DotOrder::Exact => {
            // The sign of a zero does not matter to a sum that is none.
            if !words.iter().all(|&word| word & 0x7fff_ffff == 0 || is_normal(word, rule)) {
                return None;
            }
            let (a, b) = words.split_at(words.len() / 2);
            let (mut sum, mut size) = (0.0, 0.0);
            for (&a, &b) in a.iter().zip(b) {
                let product = number(a) * number(b);
                (sum, size) = (sum + product, size + product.abs());
            }
            let error = size * SUM_ERROR;
            let [low, high] = [sum - error, sum + error].map(|end| in_format(end, format, rule.round));
            low.filter(|low| high == Some(*low))?
        }
        _ => return None,
    };
    // It is a normal number of the format.
    Some(u64::from((found as f32).to_bits()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recipe::accuracy::by_exact_numbers;
    use crate::soft::arith::{exact_dot, exact_mul};
    use crate::soft::unpack::{encode, operand};
    use crate::soft::value::Val;
    use crate::{Decl, Dot, Model, Probe, Round, Slot};
    use parallax_random::Random;

    const ROUNDS: [Round; 6] =
        [Round::NearestEven, Round::NearestAway, Round::Zero, Round::Up, Round::Down, Round::Away];

    /// A word near 1 with few or many digits; zeros, denormals, specials and large ones among them.
    fn word(random: &mut Random) -> u64 {
        let exponent = [127, 126, 128, 120, 130, 65, 190, 0, 1, 254, 255][random.below(11) as usize];
        let digits = [0, 1, 2, 10, 16, 22, 23][random.below(7) as usize];
        let fraction = random.word() & ((1 << digits) - 1);
        let neg = random.word() & 1;
        neg << 31 | exponent << 23 | fraction << (23 - digits)
    }

    fn rules() -> Vec<Rule> {
        let slot = Slot::plain(Decl::F32);
        let all = Model::builtins();
        let rules = all
            .iter()
            .flat_map(|model| [Op::Mul, Op::Dot3].map(|op| model.rule(op, &slot, model.storage(Decl::F32)).0));
        rules.filter(|rule| rule.storage == Storage::F32 && matches!(rule.format, Format::Float(_))).collect()
    }

    #[test]
    fn products_are_those_of_exact_numbers() {
        let mut random = Random::new(5);
        let (mut tried, mut quick) = (0, 0);
        let bounds = ["[-0.99,+0.13]ulp", "1ulp", "0.51ulp", "2^-22", "<2^-15:0", "2^-20rel", "0.3+2*|x|ulp"];
        for rule in rules() {
            for bound in bounds {
                for k in 0..300u64 {
                    let probe = [Probe::Lowest, Probe::Highest, Probe::Nearest, Probe::Random(k)][k as usize % 4];
                    let accuracy = Accuracy::from_name(bound).unwrap();
                    let rule = Rule { probe, accuracy, round: ROUNDS[random.below(6) as usize], ..rule };
                    let words = [word(&mut random), word(&mut random)];
                    let args = words.map(|word| operand(word, &rule));
                    let exact = exact_mul(&rule, args[0], args[1]);
                    tried += 1;
                    let Some(found) = eval(Op::Mul, &rule, &words) else { continue };
                    quick += 1;
                    let wanted = encode(by_exact_numbers(Op::Mul, &rule, &words, exact, false), rule.storage);
                    assert_eq!(found, wanted, "{words:x?} {bound} {probe:?} {:?} {}", rule.round, rule.format);
                    assert_eq!(crate::eval(Op::Mul, &rule, &words), wanted);
                }
            }
        }
        assert!(tried > 20_000 && quick > tried / 8, "{quick} of {tried}");
    }

    #[test]
    fn dot_products_are_those_of_exact_numbers() {
        let mut random = Random::new(6);
        let (mut tried, mut quick) = (0, 0);
        for rule in rules() {
            for k in 0..2000 {
                let dot = Dot { order: DotOrder::Exact, fused: false, reach: None };
                let format = if k % 3 == 0 { Format::FP24 } else { rule.format };
                let round = ROUNDS[random.below(6) as usize];
                let rule = Rule { accuracy: Accuracy::Correct, dot, round, format, ..rule };
                let (op, n) = [(Op::Dot2, 2), (Op::Dot3, 3), (Op::Dot4, 4)][k % 3];
                let mut words: Vec<u64> = (0..2 * n).map(|_| word(&mut random)).collect();
                if k % 5 == 0 {
                    // Nearly everything cancels.
                    (words[1], words[n + 1]) = (words[0] ^ 1 << 31, words[n] ^ random.below(4));
                }
                let args: Vec<Val> = words.iter().map(|&word| operand(word, &rule)).collect();
                tried += 1;
                let Some(found) = eval(op, &rule, &words) else { continue };
                quick += 1;
                let exact = exact_dot(&rule, &args[..n], &args[n..], None);
                let wanted = encode(by_exact_numbers(op, &rule, &words, exact, false), rule.storage);
                assert_eq!(found, wanted, "{words:x?} {:?} {}", rule.round, rule.format);
            }
        }
        assert!(tried > 20_000 && quick > tried / 20, "{quick} of {tried}");
    }
}
