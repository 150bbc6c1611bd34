//! Numbers of several words, the lowest first.

use crate::prim::{Prim, Ty};
use crate::program::{Code, Emit, Id, Inst};
use crate::table::{Power, Table};
use parallax_num::Fraction;

/// Words, the lowest first.
pub(super) type Words = Vec<Id>;

/// The highest words of a constant.
pub(super) fn top_words(code: &mut Code, v: impl Into<Fraction>, count: usize) -> Words {
    let words = v.into().0.into_iter().flat_map(|word| [word as i32, (word >> 32) as i32]);
    words.skip(8 - count).map(|word| code.int(word)).collect()
}

/// The row of a table of 64 bits.
pub(super) fn row(code: &mut Code, table: Power, number: Id) -> Id {
    code.emit(Inst::new(Prim::Table, Ty::I64, Table::Power(table).number(), &[number]))
}

/// The highest words of a row in several tables.
pub(super) fn row_words(code: &mut Code, table: fn(u8) -> Power, number: Id, count: usize) -> Words {
    let tables = count.div_ceil(2);
    let mut words = Words::new();
    for n in (0..tables).rev() {
        let row = row(code, table(n as u8), number);
        let upper = code.shift(Prim::Shr, row, 32);
        words.extend([row, upper].map(|half| code.op(Prim::Low, &[half])));
    }
    words.split_off(2 * tables - count)
}

/// Words with more of them below.
pub(super) fn padded(words: Words, count: usize, below: Id) -> Words {
    let more = count.saturating_sub(words.len());
    std::iter::repeat_n(below, more).chain(words).collect()
}

/// a b + c + carry: the low word, and what is above.
pub(super) fn multiply_add(code: &mut Code, [a, b, c]: [Id; 3], carry: Option<Id>) -> (Id, Id) {
    let [a, b, c] = [a, b, c].map(|word| code.op(Prim::Zext, &[word]));
    let product = code.op(Prim::Mul, &[a, b]);
    let all = code.op(Prim::Add, &[product, c]);
    let all = carry.map_or(all, |carry| code.op(Prim::Add, &[all, carry]));
    (code.op(Prim::Low, &[all]), code.shift(Prim::Shr, all, 32))
}

/// A number times a word, a word longer.
pub(super) fn times_word(code: &mut Code, a: &[Id], factor: Id) -> Words {
    let none = code.int(0);
    let mut carry = None;
    let mut words = Words::new();
    for &word in a {
        let (low, above) = multiply_add(code, [word, factor, none], carry);
        words.push(low);
        carry = Some(above);
    }
    let last = carry.map_or(none, |carry| code.op(Prim::Low, &[carry]));
    words.push(last);
    words
}

/// A product, as long as both factors.
pub(super) fn product(code: &mut Code, a: &[Id], b: &[Id]) -> Words {
    let none = code.int(0);
    let mut columns = times_word(code, a, b[0]);
    for (j, &factor) in b.iter().enumerate().skip(1) {
        let mut carry = None;
        for (i, &word) in a.iter().enumerate() {
            let (low, above) = multiply_add(code, [word, factor, columns[i + j]], carry);
            columns[i + j] = low;
            carry = Some(above);
        }
        columns.push(carry.map_or(none, |carry| code.op(Prim::Low, &[carry])));
    }
    columns
}

/// The upper half of a product of two numbers of one width, less at most so many units as it has words.
pub(super) fn high_product(code: &mut Code, a: &[Id], b: &[Id]) -> Words {
    let count = a.len();
    let none = code.int(0);
    let mut columns = vec![none; count + 1];
    for (i, &word) in a.iter().enumerate() {
        let mut carry = None;
        for j in count - 1 - i..count {
            let column = &mut columns[i + j + 1 - count];
            let (low, above) = multiply_add(code, [word, b[j], *column], carry);
            *column = low;
            carry = Some(above);
        }
        if let Some(carry) = carry {
            columns[i + 1] = code.op(Prim::Low, &[carry]);
        }
    }
    columns.split_off(1)
}

/// a + b of one width, modulo it.
pub(super) fn sum(code: &mut Code, a: &[Id], b: &[Id]) -> Words {
    carried(code, Prim::Add, a, b)
}

/// a - b of one width, modulo it.
pub(super) fn difference(code: &mut Code, a: &[Id], b: &[Id]) -> Words {
    carried(code, Prim::Sub, a, b)
}

/// Sums or differences of words, the lowest first; what a word has no room for goes to the next one.
fn carried(code: &mut Code, prim: Prim, a: &[Id], b: &[Id]) -> Words {
    let mut carry: Option<Id> = None;
    a.iter()
        .zip(b)
        .map(|(&a, &b)| {
            let [a, b] = [a, b].map(|word| code.op(Prim::Zext, &[word]));
            let all = code.op(prim, &[a, b]);
            let all = carry.map_or(all, |carry| code.op(Prim::Add, &[all, carry]));
            // 1 of a sum, -1 of a difference.
            carry = Some(code.shift(Prim::Sar, all, 32));
            code.op(Prim::Low, &[all])
        })
        .collect()
}

/// Words shifted right by less than their width.
pub(super) fn shifted_right(code: &mut Code, mut words: Words, amount: Id) -> Words {
    let (none, most) = (code.int(0), code.int(31));
    let rest = code.op(Prim::Xor, &[amount, most]);
    words = (0..words.len())
        .map(|n| {
            let own = code.op(Prim::Shr, &[words[n], amount]);
            let Some(&next) = words.get(n + 1) else { return own };
            let next = code.shift(Prim::Shl, next, 1);
            let next = code.op(Prim::Shl, &[next, rest]);
            code.or(own, next)
        })
        .collect();
    let count = words.len();
    for by in [8, 4, 2, 1].into_iter().filter(|&by| by < count) {
        let bit = code.int(32 * by as i32);
        let stays = code.op(Prim::Disjoint, &[amount, bit]);
        words = (0..words.len())
            .map(|n| {
                let from = words.get(n + by).copied().unwrap_or(none);
                code.select(stays, words[n], from)
            })
            .collect();
    }
    words
}
