//! Code of instructions whose operands alone differ: assembled a few times to see where each bit of an operand stands, then made of
//! the operands.

use smallvec::SmallVec;

/// What an operand can be: a number with bits that may be 0 or 1, one by one.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Range {
    /// A number that it can be.
    pub(crate) start: u64,
    /// Bits that may be others.
    pub(crate) free: u64,
    /// Bits that may be others together, as copies of a sign.
    pub(crate) together: u64,
}

impl Range {
    /// A number that it can be, and the bits that may be others.
    pub(crate) const fn new(start: u64, free: u64) -> Range {
        Range { start, free, together: 0 }
    }

    /// Steps from the start to other numbers.
    fn steps(self) -> impl Iterator<Item = u64> {
        let each = (0..u64::BITS).map(move |bit| self.free & 1 << bit);
        each.chain([self.together]).filter(|&step| step != 0)
    }

    /// A number that it can be, from a random one.
    fn number(self, random: u64) -> u64 {
        let sign = if random & 1 != 0 { self.together } else { 0 };
        self.start ^ random.rotate_left(17) & self.free ^ sign
    }
}

/// Some bits of an operand in the code.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct Run {
    operand: u8,
    limb: u8,
    /// How far its bits are turned to the left.
    turn: u8,
    /// Where they stand.
    mask: u64,
}

/// Code whose operands are filled in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Template<const LIMBS: usize> {
    /// What is there where all operands are 0.
    base: [u64; LIMBS],
    runs: SmallVec<[Run; 6]>,
}

/// Random operands that a template is tried with.
const TRIALS: u64 = 4;

impl<const LIMBS: usize> Template<LIMBS> {
    /// Finds where operands stand. `assemble` gives the code of some operands, or `None` if they cannot be together. `None` where the
    /// code is no sum of its operands' bits.
    pub(crate) fn learn(
        operands: &[Range],
        mut assemble: impl FnMut(&[u64]) -> Option<[u64; LIMBS]>,
    ) -> Option<Template<LIMBS>> {
        let mut numbers: SmallVec<[u64; 8]> = operands.iter().map(|range| range.start).collect();
        let start = assemble(&numbers)?;
        let mut runs: SmallVec<[Run; 6]> = SmallVec::new();
        for (n, (operand, range)) in (0..).zip(operands).enumerate() {
            for step in range.steps() {
                numbers[n] = range.start ^ step;
                let code = assemble(&numbers)?;
                // Bits that go together are taken from the highest.
                let from = step.ilog2();
                for (limb, (code, start)) in (0..).zip(code.iter().zip(start)) {
                    let mut left = code ^ start;
                    while left != 0 {
                        let to = left.trailing_zeros();
                        left &= left - 1;
                        let turn = (to.wrapping_sub(from) % u64::BITS) as u8;
                        let is_same = |run: &&mut Run| (run.operand, run.limb, run.turn) == (operand, limb, turn);
                        match runs.iter_mut().find(is_same) {
                            Some(run) => run.mask |= 1 << to,
                            None => runs.push(Run { operand, limb, turn, mask: 1 << to }),
                        }
                    }
                }
            }
            numbers[n] = range.start;
        }
        let mut template = Template { base: start, runs };
        // Without the operands of the start.
        template.base = template.code(&numbers);
        let mut random = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..TRIALS {
            for (number, range) in numbers.iter_mut().zip(operands) {
                random = random.wrapping_mul(0xd129_0d3b_3b5c_6a95).wrapping_add(0x2545_f491_4f6c_dd1d);
                *number = range.number(random >> 7);
            }
            // Some bits cannot all be 1 at once: there is no P7.
            if assemble(&numbers).is_some_and(|code| code != template.code(&numbers)) {
                return None;
            }
        }
        Some(template)
    }

    /// The code with these operands.
    #[inline(always)]
    pub(crate) fn code(&self, numbers: &[u64]) -> [u64; LIMBS] {
        let mut code = self.base;
        for run in &self.runs {
            if let Some(limb) = code.get_mut(usize::from(run.limb)) {
                *limb ^= run.bits(numbers);
            }
        }
        code
    }

    /// Writes the code as bytes. It is made there: copied, its parts would be loaded before they are all stored.
    #[inline(always)]
    pub(crate) fn put(&self, numbers: &[u64], room: &mut [[u8; 8]; LIMBS]) {
        for (room, limb) in room.iter_mut().zip(self.base) {
            *room = limb.to_le_bytes();
        }
        for run in &self.runs {
            if let Some(limb) = room.get_mut(usize::from(run.limb)) {
                *limb = (u64::from_le_bytes(*limb) ^ run.bits(numbers)).to_le_bytes();
            }
        }
    }
}

impl Run {
    /// The bits of these numbers that stand in the limb.
    #[inline(always)]
    fn bits(&self, numbers: &[u64]) -> u64 {
        numbers.get(usize::from(self.operand)).map_or(0, |number| number.rotate_left(self.turn.into()) & self.mask)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_of_operands_are_found_wherever_they_stand() {
        let operands = [
            Range::new(3, 0xff),
            Range::new(0x40c0_0000, 0xffff_f000),
            Range { start: 5, free: 0x7_ffff, together: 0xfff8_0000 },
        ];
        let code = |numbers: &[u64]| {
            let [a, b, c] = numbers else { return None };
            let literal = (b >> 12 & 0x7_ffff) << 20 | (b >> 31 & 1) << 56;
            // The first stands there twice, once as its opposite.
            Some([0xabcd << 40 ^ a << 3 ^ literal, (!a & 0xff) << 56 | c & 0x7_ffff | (c >> 31 & 1) << 40])
        };
        let template = Template::learn(&operands, code).expect("a sum of bits");
        for numbers in [[0, 0, 0], [0xff, 0xbf80_0000, 0xffff_ffff], [0x12, 0x3f80_0000, 0x7_1234]] {
            assert_eq!(Some(template.code(&numbers)), code(&numbers), "{numbers:x?}");
            let mut room = [[0xff; 8]; 2];
            template.put(&numbers, &mut room);
            assert_eq!(Some(room.map(u64::from_le_bytes)), code(&numbers), "{numbers:x?}");
        }
    }

    #[test]
    fn code_that_is_no_sum_of_bits_is_not_learned() {
        let operands = [Range::new(1, 0xff), Range::new(2, 0xff)];
        assert!(Template::learn(&operands, |numbers| Some([numbers[0] * numbers[1]])).is_none());
        assert!(Template::learn(&operands, |numbers| (numbers[0] != 9).then_some([numbers[0]])).is_none());
        // Nothing but the trials sees this.
        assert!(Template::learn(&operands, |numbers| Some([numbers[0] ^ ((numbers[0] & 6) / 6)])).is_none());
    }
}
