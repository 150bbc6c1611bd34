//! Words made from rows: round-trip tests, fuzz dictionaries, coverage.

use crate::row::{Isa, Meaning, RowId};
use crate::{code::Code, codec::Codec};
use parallax_random::Random;

/// Makes valid words of one row after another, the same for the same seed.
#[derive(Clone, Debug)]
pub struct Generator {
    random: Random,
}

impl Generator {
    /// A generator.
    pub fn new(seed: u64) -> Generator {
        Generator { random: Random::new(seed) }
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.random.word()
    }

    /// A number below `n` (at least 1).
    pub fn below(&mut self, n: u64) -> u64 {
        self.bits() % n.max(1)
    }

    fn wide(&mut self) -> u128 {
        u128::from(self.bits()) << 64 | u128::from(self.bits())
    }

    /// A code that decodes as `row`, with random operands; with `noise`, ignored bits are random too. `None` for
    /// refused rows, and when a narrower row takes every word tried.
    pub fn word<I: Isa>(&mut self, codec: &Codec<I>, row: RowId, noise: bool) -> Option<Code> {
        let data = codec.row(row);
        if matches!(data.meaning, Meaning::Refused(_)) {
            return None;
        }
        for _ in 0..64 {
            let mut word = self.wide() & data.pattern.free | data.pattern.base();
            if noise {
                word ^= self.wide() & data.pattern.ignored();
            }
            let mut code = Code::from(word);
            for field in data.fields() {
                let (mut tries, side) = (0, field.pieces()[0].lo >= Code::SIDE);
                while (side && tries == 0 || !field.allowed.holds(field.get(&code))) && tries < 1000 {
                    field.put(&mut code, self.bits());
                    tries += 1;
                }
            }
            if codec.decode(code) == Ok(row) {
                return Some(code);
            }
        }
        None
    }

    /// A code of a random row.
    pub fn any<I: Isa>(&mut self, codec: &Codec<I>, noise: bool) -> Code {
        loop {
            let row = RowId(self.below(codec.rows().count() as u64) as u16);
            if let Some(code) = self.word(codec, row, noise) {
                return code;
            }
        }
    }
}

/// How often each row was met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coverage {
    counts: Vec<u64>,
    /// Words that were no instruction.
    pub rejected: u64,
}

impl Coverage {
    /// Nothing met yet.
    pub fn new<I: Isa>(codec: &Codec<I>) -> Coverage {
        Coverage { counts: vec![0; codec.rows().count()], rejected: 0 }
    }

    /// Counts a word.
    pub fn word<I: Isa>(&mut self, codec: &Codec<I>, code: impl Into<Code>) {
        match codec.decode(code) {
            Ok(row) => self.counts[row.index()] += 1,
            Err(_) => self.rejected += 1,
        }
    }

    /// How often a row was met.
    pub fn count(&self, row: RowId) -> u64 {
        self.counts[row.index()]
    }

    /// One line a row that can be met, with its count, and a line of sums: rows met, lifted, unsupported, refused.
    pub fn report<I: Isa>(&self, codec: &Codec<I>) -> String {
        let mut out = String::new();
        let (mut met, mut lifted, mut unsupported, mut refused) = (0, 0, 0, 0);
        for (id, row) in codec.rows() {
            let status = match row.meaning {
                Meaning::Lift(_) => {
                    lifted += 1;
                    "lifted"
                }
                Meaning::Unsupported(_) => {
                    unsupported += 1;
                    "unsupported"
                }
                Meaning::Refused(_) => {
                    refused += 1;
                    continue;
                }
            };
            let count = self.count(id);
            met += usize::from(count > 0);
            out.push_str(&format!("{count:8}  {:24} {status}\n", row.title()));
        }
        let all = lifted + unsupported;
        out.push_str(&format!(
            "{met} of {all} rows met; {lifted} lifted, {unsupported} unsupported, {refused} refused encodings; {} words \
             rejected\n",
            self.rejected
        ));
        out
    }
}

/// Byte strings that occur in programs: mnemonics for the text fuzzer, constant bytes for the binary one.
pub fn dictionary<I: Isa>(codec: &Codec<I>) -> (Vec<String>, Vec<Vec<u8>>) {
    let words = codec.reader().spellings().into_iter().map(str::to_string).collect();
    let bytes = codec
        .rows()
        .map(|(_, row)| row.pattern.base().to_le_bytes()[..row.pattern.width.div_ceil(8) as usize].to_vec())
        .collect();
    (words, bytes)
}
