//! Instructions made field by field, for those who write programs without a text. They have the words that the assembler gives the
//! same instructions.

use super::fields::*;
use super::kind::{ATTRIBUTES, IDENTITY};
use super::{Order, codec};
use parallax_isa::{Code, Stream};
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// Condition codes that pass a test.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Test {
    /// Less than zero.
    Less = 1,
    /// Not zero.
    NotEqual = 5,
}

/// A register.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Register {
    /// One of 128 bits.
    Full(u32),
    /// Half of one.
    Half(u32),
}

/// What a source reads.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum File {
    /// A register.
    Register(Register),
    /// The one attribute of an instruction, by number.
    Attribute(u64),
    /// The one constant of an instruction.
    Constant([u32; 4]),
}

/// The word of an instruction without operands, by mnemonic.
static BASES: LazyLock<FxHashMap<&'static str, u128>> =
    LazyLock::new(|| codec().rows().map(|(_, row)| (row.name, row.pattern.base())).collect());

/// The number of an attribute, as listings name it: `TEX0`.
pub fn attribute(name: &str) -> Option<u64> {
    ATTRIBUTES.iter().find(|(known, _)| *known == name).map(|&(_, number)| number)
}

/// A word with values in fields that the compiler knows: each becomes shifts and masks that are numbers.
macro_rules! with {
    ($word:expr, $($field:expr => $value:expr),+) => {{
        let mut word: Word = $word;
        $(const { $field }.put(&mut word.0, $value);)+
        word
    }};
}

/// The word of an instruction, and the constant behind it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Word(Code);

impl Word {
    /// An instruction by its mnemonic.
    pub fn new(mnemonic: &str) -> Option<Word> {
        BASES.get(mnemonic).map(|&base| Word(Code::new(base, 0)))
    }

    /// The format that it computes in: 0 for binary32, 1 for binary16, 2 for fixed point.
    #[must_use]
    #[inline]
    pub fn precision(self, precision: u64) -> Word {
        with!(self, PRECISION => precision)
    }

    /// The result is clamped to [0, 1].
    #[must_use]
    #[inline]
    pub fn saturated(self) -> Word {
        with!(self, SATURATE => 1)
    }

    /// What it writes, and which components, x first.
    #[must_use]
    #[inline]
    pub fn result(self, register: Register, components: u8) -> Word {
        let (number, half) = numbered(register);
        with!(self.mask(components), RESULT => number, RESULT_HALF => half).tested(Test::ALWAYS, IDENTITY)
    }

    /// It writes these components of the condition code alone.
    #[must_use]
    pub fn condition(self, components: u8) -> Word {
        with!(self.mask(components), CODE => 1, NO_RESULT => 1, RESULT => 63).tested(Test::ALWAYS, IDENTITY)
    }

    #[inline]
    fn mask(self, components: u8) -> Word {
        with!(self, MASK => u64::from(components.reverse_bits() >> 4))
    }

    #[inline]
    fn tested(self, test: u64, swizzle: u64) -> Word {
        with!(self, TEST => test, TEST_SWIZZLE => swizzle)
    }

    /// It happens where the condition code passes a test, component by component.
    #[must_use]
    #[inline]
    pub fn when(self, test: Test) -> Word {
        self.tested(test as u64, IDENTITY)
    }

    /// The same by the test of x alone.
    #[must_use]
    #[inline]
    pub fn when_x(self, test: Test) -> Word {
        self.tested(test as u64, 0)
    }

    /// It happens in any case: flow words have a test.
    #[must_use]
    #[inline]
    pub fn always(self) -> Word {
        self.tested(Test::ALWAYS, IDENTITY)
    }

    /// Source `n`, and the component that each component of the instruction reads.
    ///
    /// # Panics
    /// If there are not so many sources.
    #[must_use]
    #[inline]
    pub fn source(self, n: usize, file: File, swizzle: [u8; 4], negate: bool, absolute: bool) -> Word {
        match n {
            0 => self.nth::<0>(file, swizzle, negate, absolute),
            1 => self.nth::<1>(file, swizzle, negate, absolute),
            2 => self.nth::<2>(file, swizzle, negate, absolute),
            _ => panic!("source {n} of an instruction that has at most {}", SOURCES.len()),
        }
    }

    #[inline]
    fn nth<const N: usize>(self, file: File, swizzle: [u8; 4], negate: bool, absolute: bool) -> Word {
        let swizzle = swizzle.iter().fold(0, |all, &comp| all << 2 | u64::from(comp));
        let word = with!(self, SOURCES[N].swizzle => swizzle, SOURCES[N].negate => negate.into(),
            SOURCES[N].absolute => absolute.into());
        match file {
            File::Register(register) => {
                let (number, half) = numbered(register);
                with!(word, SOURCES[N].file => file::REGISTER, SOURCES[N].register => number, SOURCES[N].half => half)
            }
            File::Attribute(number) => with!(word, SOURCES[N].file => file::INPUT, ATTRIBUTE => number),
            File::Constant(words) => {
                let side = words.iter().rev().fold(0, |side, &word| side << 32 | u128::from(word));
                with!(Word(Code::new(word.0.word(), side)), SOURCES[N].file => file::CONSTANT)
            }
        }
    }

    /// The texture unit.
    #[must_use]
    #[inline]
    pub fn unit(self, unit: u64) -> Word {
        with!(self, UNIT => unit)
    }

    /// How often a block runs.
    #[must_use]
    #[inline]
    pub fn count(self, count: u64) -> Word {
        with!(self, COUNT => count)
    }

    /// Where the block of a flow word ends, in slots of 16 bytes.
    pub fn set_end(&mut self, slot: u64) {
        BLOCK_END.put(&mut self.0, slot * 4);
    }

    /// Where its other branch begins.
    pub fn set_other(&mut self, slot: u64) {
        TARGET.put(&mut self.0, slot * 4);
    }

    /// Slots of 16 bytes that it takes.
    pub fn slots(&self) -> u32 {
        if constant_follows(self.0.word()) { 2 } else { 1 }
    }
}

impl Test {
    const ALWAYS: u64 = ALWAYS;
}

const fn numbered(register: Register) -> (u64, u64) {
    match register {
        Register::Full(number) => (number as u64, 0),
        Register::Half(number) => (number as u64, 1),
    }
}

/// The bytes of a program, whose last instruction ends it.
pub fn encode(words: &[Word], order: Order) -> Vec<u8> {
    let (stream, mut out) = (order.stream(), Vec::with_capacity(words.len() * 24));
    for (n, Word(code)) in words.iter().enumerate() {
        let mut code = *code;
        END.put(&mut code, u64::from(n + 1 == words.len()));
        stream.put(&code, &mut out);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::assemble_bytes;
    use super::*;

    #[test]
    fn words_are_those_of_the_assembler() {
        let text = "MOVRC RC.xz, -|R3.wzyx|\nMADH_SAT H5.yw, f[TEX3], {1.0, -0.0, 0.5, 3.0}.y, R1.z\nMOVR R2.x(LT), H9\n\
                    IF NE.x, L1, L2\nL1:\nTEXR R0, f[WPOS].xyxx, TEX7\nL2:\nREP 9, L3\nBRK\nL3:\nRCPR R4.w, R2.x\nKIL LT\n";
        let (wanted, diags) = assemble_bytes(text, Order::Le, true);
        assert!(diags.iter().all(|diag| !diag.is_error()), "{diags:?}");
        let new = |name: &str| Word::new(name).expect(name);
        let register = |n| File::Register(Register::Full(n));
        let constant = File::Constant([1.0f32, -0.0, 0.5, 3.0].map(f32::to_bits));
        let input = |name| File::Attribute(attribute(name).expect(name));
        let mut words = [
            new("MOV").condition(0b101).source(0, register(3), [3, 2, 1, 0], true, true),
            new("MAD")
                .precision(1)
                .saturated()
                .result(Register::Half(5), 0b1010)
                .source(0, input("TEX3"), [0, 1, 2, 3], false, false)
                .source(1, constant, [1; 4], false, false)
                .source(2, register(1), [2; 4], false, false),
            new("MOV").result(Register::Full(2), 1).when(Test::Less).source(
                0,
                File::Register(Register::Half(9)),
                [0, 1, 2, 3],
                false,
                false,
            ),
            new("IF").when_x(Test::NotEqual),
            new("TEX").result(Register::Full(0), 15).source(0, input("WPOS"), [0, 1, 0, 0], false, false).unit(7),
            new("REP").count(9).always(),
            new("BRK").always(),
            new("RCP").result(Register::Full(4), 8).source(0, register(2), [0; 4], false, false),
            new("KIL").when(Test::Less),
        ];
        words[3].set_other(5);
        words[3].set_end(6);
        words[5].set_end(8);
        assert_eq!(words[1].slots(), 2);
        assert_eq!(Some(encode(&words, Order::Le)), wanted);
    }
}
