//! An audit of the built-in models by their documents: the figures of `audit.txt` were read from the documents, and what they mean is
//! computed here, in whole numbers, without a rule or a model. For every model and operation that a row speaks of: all pairs of
//! special operands, and random ones.

mod compares;
mod dots;
mod fixed;
mod ordinary;
mod packs;

use crate::inputs::Random;
use dashu_base::{BitTest, Signed, UnsignedAbs};
use dashu_int::IBig;
use parallax_num::{Decl, Model, Op, Slot, Storage, Tier, eval};
use std::collections::{BTreeMap, BTreeSet};

const ROWS: &str = include_str!("audit.txt");

/// A binary format of 16, 32 or 64 bits.
#[derive(Copy, Clone)]
struct Form {
    exponent: u32,
    fraction: u32,
}

const SINGLE: Form = Form { exponent: 8, fraction: 23 };
const HALF: Form = Form { exponent: 5, fraction: 10 };
const DOUBLE: Form = Form { exponent: 11, fraction: 52 };

/// A number that is no NaN.
#[derive(Clone, Debug)]
enum Number {
    /// The integer times 2^e.
    Finite(IBig, i32),
    Infinite(bool),
}

impl Form {
    fn bias(self) -> i32 {
        (1 << (self.exponent - 1)) - 1
    }

    fn infinity(self) -> u64 {
        ((1 << self.exponent) - 1) << self.fraction
    }

    fn sign(self) -> u64 {
        1 << (self.exponent + self.fraction)
    }

    fn is_nan(self, word: u64) -> bool {
        word & (self.sign() - 1) > self.infinity()
    }

    fn is_denormal(self, word: u64) -> bool {
        word & (self.sign() - 1) < 1 << self.fraction && word & (self.sign() - 1) != 0
    }

    fn is_zero(self, word: u64) -> bool {
        word & (self.sign() - 1) == 0
    }

    fn number(self, word: u64) -> Number {
        let negative = word & self.sign() != 0;
        let field = (word >> self.fraction & ((1 << self.exponent) - 1)) as i32;
        let rest = word & ((1 << self.fraction) - 1);
        if word & (self.sign() - 1) == self.infinity() {
            return Number::Infinite(negative);
        }
        let whole = IBig::from(if field == 0 { rest } else { rest | 1 << self.fraction });
        let e = field.max(1) - self.bias() - self.fraction as i32;
        Number::Finite(if negative { -whole } else { whole }, e)
    }

    /// The word of an exact number that is not zero, and whether it was tiny before rounding.
    fn round(self, m: &IBig, e: i32, toward_zero: bool) -> (u64, bool) {
        let negative = m.is_negative();
        let size = m.unsigned_abs();
        let bits = size.bit_len() as i32;
        // The place of the last bit that is kept.
        let least = 1 - self.bias() - self.fraction as i32;
        let last = (bits + e - 1 - self.fraction as i32).max(least);
        let tiny = bits + e - 1 < 1 - self.bias();
        let size = IBig::from(size);
        let shift = last - e;
        let mut whole = if shift <= 0 { size.clone() << (-shift) as usize } else { size.clone() >> shift as usize };
        if shift > 0 && !toward_zero {
            let rest: IBig = &size - (whole.clone() << shift as usize);
            let twice: IBig = rest * 2;
            let one: IBig = IBig::from(1) << shift as usize;
            let odd = whole.clone() % IBig::from(2) == IBig::from(1);
            if twice > one || twice == one && odd {
                whole += 1;
            }
        }
        let whole = u64::try_from(whole).expect("few bits");
        let word = (((last - least) as u64) << self.fraction) + whole;
        let word = if word >= self.infinity() {
            if toward_zero { self.infinity() - 1 } else { self.infinity() }
        } else {
            word
        };
        (if negative { word | self.sign() } else { word }, tiny)
    }
}

/// What a row says.
struct Row {
    line: &'static str,
    name: &'static str,
    model: Model,
    slot: Slot,
    form: Form,
    says: BTreeMap<&'static str, &'static str>,
}

fn rows() -> Vec<Row> {
    let row = |line: &'static str| {
        let mut words = line.split_whitespace();
        let (name, slot) = (words.next().expect(line), words.next().expect(line));
        let says = words.map(|word| word.split_once('=').expect(line)).collect();
        let slot = Slot::parse(slot).expect(line);
        let says: BTreeMap<&str, &str> = says;
        let form = match (says.get("as").copied(), slot.decl) {
            (Some("half"), _) | (None, Decl::F16) => HALF,
            (Some("double"), _) | (None, Decl::F64) => DOUBLE,
            _ => SINGLE,
        };
        Row { line, name, model: Model::parse(name).expect(line), slot, form, says }
    };
    ROWS.lines().filter(|line| !line.starts_with('#')).map(row).collect()
}

/// What may come out.
enum Want {
    Words(Vec<u64>),
    Nan,
    /// The row does not say.
    Free,
}

impl Row {
    fn says(&self, key: &str) -> Option<&'static str> {
        self.says.get(key).copied()
    }

    fn has_container(&self) -> bool {
        self.model.storage(self.slot.decl).bits() == self.form.exponent + self.form.fraction + 1
    }

    fn eval(&self, op: Op, args: &[u64]) -> u64 {
        eval(op, &self.model.rule(op, &self.slot, self.model.storage(self.slot.decl)).0, args)
    }

    fn operand(&self, word: u64) -> Option<u64> {
        match self.says("in") {
            _ if !self.form.is_denormal(word) => Some(word),
            Some("flush") => Some(word & self.form.sign()),
            Some("plus") => Some(0),
            Some("keep") => Some(word),
            _ => None,
        }
    }

    /// A result before it is flushed, as words that are allowed.
    fn finished(&self, m: &IBig, e: i32) -> Want {
        let Some(round) = self.says("round") else { return Want::Free };
        let (word, tiny) = self.form.round(m, e, round == "rtz");
        let sign = word & self.form.sign();
        // Too large, or cut to the largest number.
        let is_largest = word & (self.form.sign() - 1) == self.form.infinity() - 1;
        if is_largest && self.says("over").is_none() {
            return Want::Free;
        }
        if word & (self.form.sign() - 1) == self.form.infinity() {
            return match self.says("over") {
                Some("ieee") => Want::Words(vec![word]),
                Some("largest") => Want::Words(vec![word - 1]),
                _ => Want::Free,
            };
        }
        let is_denormal = self.form.is_denormal(word) || self.form.is_zero(word);
        let flushed = match self.says("out") {
            Some("flush") => sign,
            Some("plus") => 0,
            Some("keep") => return Want::Words(vec![word]),
            _ if is_denormal || tiny => return Want::Free,
            _ => return Want::Words(vec![word]),
        };
        Want::Words(match (tiny, is_denormal, self.says("tiny")) {
            (_, true, _) => vec![flushed],
            (true, false, Some("before")) => vec![flushed],
            (true, false, Some("after")) | (false, ..) => vec![word],
            (true, false, _) => vec![word, flushed],
        })
    }

    fn nan(&self) -> Want {
        match self.says("nan") {
            Some("inf") => Want::Free,
            None | Some("any") if self.says("over") != Some("largest") => Want::Nan,
            Some(bits) if bits != "any" => Want::Words(vec![u64::from_str_radix(bits, 16).expect(bits)]),
            _ => Want::Free,
        }
    }

    /// A product; NaN and infinity by IEEE 754, but for what the row says of zero.
    fn product(&self, a: u64, b: u64) -> Want {
        let form = self.form;
        let (Some(a), Some(b)) = (self.operand(a), self.operand(b)) else { return Want::Free };
        let sign = (a ^ b) & form.sign();
        let special = form.is_nan(a)
            || form.is_nan(b)
            || a & !form.sign() == form.infinity()
            || b & !form.sign() == form.infinity();
        if form.is_zero(a) || form.is_zero(b) {
            return match self.says("zero") {
                Some("wins") => Want::Words(vec![0]),
                Some("ieee") if special => self.nan(),
                None if special => Want::Free,
                _ => Want::Words(vec![if self.says("out") == Some("plus") { 0 } else { sign }]),
            };
        }
        if form.is_nan(a) || form.is_nan(b) {
            return match self.says("nan") {
                Some("inf") => Want::Words(vec![form.infinity() | sign]),
                _ => self.nan(),
            };
        }
        match (form.number(a), form.number(b)) {
            (Number::Finite(m, e), Number::Finite(n, f)) => self.finished(&(m * n), e + f),
            _ if self.says("over") == Some("largest") => Want::Words(vec![(form.infinity() - 1) | sign]),
            _ => Want::Words(vec![form.infinity() | sign]),
        }
    }

    /// A sum of a number that is exact and a word.
    fn sum(&self, exact: (IBig, i32), b: u64) -> Want {
        let Number::Finite(n, f) = self.form.number(b) else { return Want::Free };
        let (m, e) = exact;
        let low = e.min(f);
        let total: IBig = (m << (e - low) as usize) + (n << (f - low) as usize);
        // Signs of zeros are left to the special values.
        if total == IBig::from(0) { Want::Free } else { self.finished(&total, low) }
    }

    /// A sum of two words; special values by IEEE 754.
    fn added(&self, a: u64, b: u64) -> Want {
        let form = self.form;
        let (Some(a), Some(b)) = (self.operand(a), self.operand(b)) else { return Want::Free };
        if form.is_nan(a) || form.is_nan(b) {
            return self.nan();
        }
        match (form.number(a), form.number(b)) {
            (Number::Finite(m, e), Number::Finite(..)) => self.sum((m, e), b),
            (Number::Infinite(x), Number::Infinite(y)) if x != y => self.nan(),
            (Number::Infinite(negative), _) | (_, Number::Infinite(negative)) => {
                let sign = if negative { form.sign() } else { 0 };
                match self.says("over") {
                    Some("largest") => Want::Words(vec![(form.infinity() - 1) | sign]),
                    _ => Want::Words(vec![form.infinity() | sign]),
                }
            }
        }
    }

    fn multiplied_and_added(&self, a: u64, b: u64, c: u64) -> Want {
        let form = self.form;
        let Some(kind) = self.says("mad") else { return Want::Free };
        let [x, y, z] = [a, b, c].map(|word| self.operand(word));
        let (Some(x), Some(y), Some(z)) = (x, y, z) else { return Want::Free };
        let finite = |word: u64| matches!(form.number(word), Number::Finite(..)) && !form.is_nan(word);
        // Special values of the three are those of a product and a sum, which have cases of their own.
        if [x, y, z].into_iter().any(|word| !finite(word)) || form.is_zero(x) || form.is_zero(y) {
            return Want::Free;
        }
        let (Number::Finite(m, e), Number::Finite(n, f)) = (form.number(x), form.number(y)) else {
            return Want::Free;
        };
        let exact: IBig = m * n;
        match kind {
            "cut24" if !form.is_zero(z) => {
                let size = (&exact).unsigned_abs();
                let bits = size.bit_len() as i32;
                let shift = (bits - 24).max(0) as usize;
                let size = IBig::from(size) >> shift;
                let cut = if exact.is_negative() { -size } else { size };
                self.sum((cut, e + f + shift as i32), z)
            }
            "fused" => self.sum((exact, e + f), z),
            _ => match self.product(a, b) {
                Want::Words(words) if words.len() == 1 => self.added(words[0], c),
                _ => Want::Free,
            },
        }
    }

    fn least(&self, a: u64, b: u64, greatest: bool) -> Want {
        let form = self.form;
        let is_infinite = |word: u64| word & !form.sign() == form.infinity();
        // Where every infinite result is the largest number, the documents do not say whether one that is chosen is a result.
        let may_not_be = self.says("over") == Some("largest") && (is_infinite(a) || is_infinite(b));
        if self.says("minmax").is_none() || may_not_be {
            return Want::Free;
        }
        let kept = |word: u64| match self.says("mmin") {
            _ if !form.is_denormal(word) => Some(word),
            Some("keep") => Some(word),
            Some("flush") => Some(word & form.sign()),
            _ => None,
        };
        let (Some(x), Some(y)) = (kept(a), kept(b)) else { return Want::Free };
        match (form.is_nan(x), form.is_nan(y)) {
            (false, false) => {}
            // A NaN is ordered as an infinity; what becomes of the two together is open.
            (is_first, is_second) if self.says("cmp") == Some("infinity") => {
                let (nan, other) = if is_second { (y, x) } else { (x, y) };
                return match other & (form.sign() - 1) >= form.infinity() || is_first && is_second {
                    true => Want::Free,
                    false if (nan & form.sign() == 0) == greatest => Want::Nan,
                    false => Want::Words(vec![other]),
                };
            }
            (true, true) => return Want::Free,
            (true, false) => {
                return match self.says("minmax") {
                    Some("number" | "second" | "ltge") => Want::Words(vec![y]),
                    _ => Want::Free,
                };
            }
            (false, true) => {
                return match self.says("minmax") {
                    Some("number") => Want::Words(vec![x]),
                    Some("second" | "ltge") => Want::Nan,
                    _ => Want::Free,
                };
            }
        }
        if form.is_zero(x) && form.is_zero(y) {
            return match (self.says("zeros"), self.says("minmax")) {
                (Some("ordered"), _) => Want::Words(vec![if greatest { x & y } else { x | y }]),
                (Some("second"), _) | (_, Some("second")) => Want::Words(vec![y]),
                _ => Want::Free,
            };
        }
        let key = |word: u64| {
            let size = (word & (form.sign() - 1)) as i64;
            if word & form.sign() != 0 { -size } else { size }
        };
        let first = if greatest { key(x) >= key(y) } else { key(x) < key(y) };
        Want::Words(vec![if first { x } else { y }])
    }
}

/// Zeros, denormal numbers, the least and the greatest, infinities, NaN, and some in between.
fn specials(form: Form) -> Vec<u64> {
    let one = (form.bias() as u64) << form.fraction;
    let positive = [
        0,
        1,
        (1 << form.fraction) - 1,
        1 << form.fraction,
        (1 << form.fraction) + 1,
        one - 1,
        one,
        one + 1,
        one + (1 << form.fraction),
        one + (3 << (form.fraction - 1)),
        form.infinity() - 1,
        form.infinity(),
        form.infinity() | 1 << (form.fraction - 1) | 5,
    ];
    positive.into_iter().flat_map(|word| [word, word | form.sign()]).collect()
}

fn triples(form: Form) -> Vec<[u64; 3]> {
    let specials = specials(form);
    let mut random = Random::new(33);
    let mut out: Vec<[u64; 3]> = Vec::new();
    for (n, &a) in specials.iter().enumerate() {
        out.extend(specials.iter().enumerate().map(|(m, &b)| [a, b, specials[(n + 3 * m) % specials.len()]]));
    }
    let mask = form.sign() | (form.sign() - 1);
    for n in 0..6000u64 {
        let a = random.word() & mask;
        // Of one size, of nearby sizes, of any.
        let near = a ^ random.below(1 << form.fraction) ^ (random.below(4) << form.fraction);
        let b = match n % 3 {
            0 => random.word() & mask,
            1 => near ^ form.sign(),
            _ => ((form.bias() as u64) << form.fraction) ^ random.below(1 << form.fraction),
        };
        out.push([a, b, near ^ (random.below(2) * form.sign())]);
    }
    out
}

#[test]
fn arithmetic_is_that_of_the_documents() {
    let mut wrong = Vec::new();
    let mut checked: BTreeMap<(&str, Op), u64> = BTreeMap::new();
    for row in rows().iter().filter(|row| row.has_container() && row.name != "ati-r300") {
        for [a, b, c] in triples(row.form) {
            let cases = [
                (Op::Mul, &[a, b][..], row.product(a, b)),
                (Op::Add, &[a, b], row.added(a, b)),
                (Op::Sub, &[a, b], row.added(a, b ^ row.form.sign())),
                (Op::Mad, &[a, b, c], row.multiplied_and_added(a, b, c)),
                (Op::Min, &[a, b], row.least(a, b, false)),
                (Op::Max, &[a, b], row.least(a, b, true)),
            ];
            for (op, args, want) in cases {
                let got = row.eval(op, args);
                let holds = match &want {
                    Want::Free => continue,
                    Want::Nan => row.form.is_nan(got),
                    Want::Words(words) => words.contains(&got),
                };
                *checked.entry((row.name, op)).or_default() += 1;
                if !holds && wrong.len() < 30 {
                    let want = match want {
                        Want::Words(words) => format!("{words:x?}"),
                        _ => "a NaN".into(),
                    };
                    wrong.push(format!("{} {} {op} of {args:x?} is {got:x}, not {want}", row.name, row.slot));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(
        checked.len() > 120 && checked.values().sum::<u64>() > 500_000,
        "{} {:?}",
        checked.len(),
        checked.values().sum::<u64>()
    );
}

/// Products of R300 lose what R500's keep: numbers of 1.7.16 in binary32, whose sums are cut.
#[test]
fn r300_computes_in_24_bits() {
    let rows = rows();
    let row = rows.iter().find(|row| row.name == "ati-r300").expect("a row");
    let mut random = Random::new(4);
    for _ in 0..20_000 {
        let mut word =
            || (0x3f80_0000 + random.below(4) * 0x80_0000 + (random.below(1 << 16) << 7)) | random.below(2) << 31;
        let (a, b) = (word(), word());
        let (Number::Finite(m, e), Number::Finite(n, f)) = (SINGLE.number(a), SINGLE.number(b)) else { continue };
        let total: IBig = (m << (e + 200) as usize) + (n << (f + 200) as usize);
        if total == IBig::from(0) {
            continue;
        }
        let form = Form { exponent: 8, fraction: 16 };
        let want = form.round(&total, -200, true).0 << 7;
        assert_eq!(row.eval(Op::Add, &[a, b]), want, "{a:x} {b:x}");
    }
}

#[test]
fn functions_are_chains_where_the_documents_say_so() {
    for row in rows().iter().filter(|row| row.has_container()) {
        let mut random = Random::new(8);
        for n in 0..3000 {
            // From 1/8 to 8.
            let least = (row.form.bias() as u64 - 3) << row.form.fraction;
            let [a, b] = [0, 1].map(|_| least + random.below(6 << row.form.fraction));
            let (a, b) = if row.name == "ati-r300" { (a & !0x7f, b & !0x7f) } else { (a, b) };
            let of = |op: Op, args: &[u64]| row.eval(op, args);
            if row.says("div") == Some("rcp") {
                assert_eq!(of(Op::Div, &[a, b]), of(Op::Mul, &[a, of(Op::Rcp, &[b])]), "{} {n}", row.line);
            }
            match row.says("sqrt") {
                Some("rcp-rsq") => assert_eq!(of(Op::Sqrt, &[a]), of(Op::Rcp, &[of(Op::Rsq, &[a])]), "{}", row.line),
                Some("a-rsq") => assert_eq!(of(Op::Sqrt, &[a]), of(Op::Mul, &[a, of(Op::Rsq, &[a])]), "{}", row.line),
                _ => {}
            }
            if row.says("pow") == Some("chain") {
                let steps = of(Op::Exp2, &[of(Op::Mul, &[b, of(Op::Log2, &[a])])]);
                assert_eq!(of(Op::Pow, &[a, b]), steps, "{}: pow of {a:x} {b:x}", row.line);
            }
        }
        // -4.
        let minus = ((row.form.bias() as u64 + 2) << row.form.fraction) | row.form.sign();
        let below = |op: Op| row.eval(op, &[minus]);
        let both = row.says("neg");
        let (rsq, log) = (both.or(row.says("neg-rsq")), both.or(row.says("neg-log")));
        for (op, says) in [(Op::Rsq, rsq), (Op::Log2, log)] {
            match says {
                Some("nan") => assert!(row.form.is_nan(below(op)), "{}", row.line),
                Some(_) => assert_eq!(below(op), row.eval(op, &[minus ^ row.form.sign()]), "{}", row.line),
                None => {}
            }
        }
    }
}

/// Under every probe: the reciprocal r of a is within the bound if r * a is that near to 1, and so on; powers of two against binary64.
#[test]
fn errors_are_within_the_figures_of_the_documents() {
    let value = |word: u64| f64::from(f32::from_bits(word as u32));
    let binade = |v: f64| f64::from_bits(v.abs().to_bits() & 0x7ff0_0000_0000_0000);
    let mut tested = BTreeSet::new();
    for row in rows() {
        for probe in ["", "@low", "@high", "@random:5"] {
            let row = Row {
                model: Model::parse(&format!("{}{probe}", row.name)).expect("a model"),
                says: row.says.clone(),
                ..row
            };
            let mut random = Random::new(12);
            for _ in 0..4000 {
                let word = 0x3c80_0000 + random.below(0x0600_0000);
                let a = value(word);
                for (key, op) in [
                    ("rcp", Op::Rcp),
                    ("rcp-rel", Op::Rcp),
                    ("rsq", Op::Rsq),
                    ("root", Op::Sqrt),
                    ("exp2", Op::Exp2),
                    ("log2", Op::Log2),
                    ("sin", Op::Sin),
                ] {
                    let Some(says) = row.says(key) else { continue };
                    let says: f64 = says.parse().expect(row.line);
                    let bound = f64::from_bits(((1023.0 + says.floor()) as u64) << 52)
                        * if says.fract() == 0.0 { 1.0 } else { 1.65 };
                    let r = value(row.eval(op, &[word]));
                    // Binary64's own functions are off by far less than a thousandth of any bound here.
                    let exact = match op {
                        Op::Rcp => 1.0 / a,
                        Op::Rsq => 1.0 / a.sqrt(),
                        Op::Sqrt => a.sqrt(),
                        Op::Exp2 => a.exp2(),
                        Op::Log2 => a.log2(),
                        _ if a > 3.0 => continue,
                        _ => a.sin(),
                    };
                    let unit = match op {
                        Op::Sin => 1.0,
                        Op::Log2 => exact.abs().max(1.0),
                        // Relative errors.
                        Op::Exp2 | Op::Rsq => exact,
                        Op::Rcp if key == "rcp-rel" => exact,
                        // Reciprocals of a binade lie above the power of two at its end.
                        _ => binade(exact),
                    };
                    assert!((r - exact).abs() <= bound * unit * 1.001, "{} {op} of {a}: {r}, not {exact}", row.name);
                    tested.insert((row.name, key));
                }
            }
        }
    }
    assert!(tested.len() > 50, "{}", tested.len());
}

/// Floats that no integer holds, and NaN.
#[test]
fn conversions_are_those_of_the_documents() {
    for row in rows().iter().filter(|row| row.slot.decl == Decl::F32 && row.form.fraction == SINGLE.fraction) {
        let to_int = |word: u64| row.eval(Op::F2iFloor, &[word]);
        let huge = [0x5000_0000u64, 0xd000_0000, 0x7f80_0000, 0xff80_0000, 0x7fc0_0000];
        match row.says("int") {
            Some("saturate") => {
                assert_eq!(huge.map(to_int), [0x7fff_ffff, 0x8000_0000, 0x7fff_ffff, 0x8000_0000, 0], "{}", row.line);
            }
            Some("zero") => assert_eq!(huge.map(to_int), [0; 5], "{}", row.line),
            _ => {}
        }
        let Some(half) = row.says("half") else { continue };
        let model = &row.model;
        let rule = model.rule(Op::Cvt, &Slot::plain(Decl::F16), Storage::F32).0;
        let mut random = Random::new(6);
        for _ in 0..5000 {
            let word = 0x3880_0000 + random.below(0x0f00_0000);
            let Number::Finite(m, e) = SINGLE.number(word) else { continue };
            let want = HALF.round(&m, e, half == "rtz").0;
            assert_eq!(eval(Op::Cvt, &rule, &[word]), want, "{}: {word:x}", row.line);
        }
    }
}

/// Every model of hardware or of an interface has a row, and whatever claims to be exact or measured names a document and a place in it.
#[test]
fn every_model_is_audited_and_every_claim_has_a_document() {
    let rows = rows();
    let names: BTreeSet<&str> = rows.iter().map(|row| row.name).collect();
    for name in Model::builtin_names() {
        assert!(names.contains(name), "{name} is not audited");
    }
    // What no document says is said to be open; operations of every model have one meaning, which `ordinary.rs` knows.
    for row in rows.iter().filter(|row| row.slot.decl == Decl::F32) {
        for key in ["dot", "cmp", "pack", "ph"] {
            assert!(row.says(key).is_some(), "{}: nothing is said of `{key}`; `open` where no document does", row.line);
        }
    }
    const KEYS: &str = "round in out tiny mad zero nan over minmax zeros mmin int half div sqrt pow neg neg-rsq neg-log rcp rcp-rel rsq \
                        root exp2 log2 sin as dot cmp cin pack pnan ph phd unpack";
    for row in &rows {
        for key in row.says.keys() {
            assert!(KEYS.split_whitespace().any(|known| known == *key), "{}: what is `{key}`?", row.line);
        }
    }
    let mut claims = 0;
    for model in Model::builtins().into_iter().filter(|model| !model.is_definition()) {
        for setting in model.settings().iter().filter(|setting| matches!(setting.tier, Tier::Exact | Tier::Measured)) {
            let source = &*setting.source;
            let names_document =
                source.split([' ', ',']).next().is_some_and(|word| word.chars().any(char::is_uppercase))
                    || source.starts_with("compared with")
                    || source.contains('/');
            let names_place = source.contains([',', ':', '.']) || source.chars().any(|c| c.is_ascii_digit());
            assert!(
                names_document && names_place && source.len() > 12,
                "{}: {} says \"{source}\"",
                model.label(),
                setting.field.name
            );
            claims += 1;
        }
    }
    assert!(claims > 200, "{claims}");
}
