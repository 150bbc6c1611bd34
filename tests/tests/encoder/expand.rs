//! What the hardware has no instruction for: sequences that keep every bit.

use super::*;

/// The number 1 as binary32.
const ONE: u32 = 0x3f80_0000;
/// The sign of a binary32 number.
const SIGN: u32 = 1 << 31;

impl Encoder<'_> {
    /// An instruction in several steps must not test a condition code that its first steps change.
    fn in_steps(result: &Fields) -> Result<(), String> {
        match (result.code, result.test) {
            (Some(_), Some(_)) => Err("a condition code that is tested and updated in several steps".into()),
            _ => Ok(()),
        }
    }

    /// Writes the same constant to components.
    fn fill(&mut self, result: Fields, mask: u32, word: u32) {
        if result.mask & mask != 0 {
            let constant =
                Source { origin: Origin::Constant([word; 4]), swizzle: IDENTITY, negate: false, absolute: false };
            self.emit(MOV, Fields { mask: result.mask & mask, ..result }, vec![constant]);
        }
    }

    /// A source in a register of its own, with its signs.
    fn copied(&mut self, source: Source, name: &str) -> Result<Source, String> {
        if matches!(source.origin, Origin::Register((_, true))) {
            return Err(format!("a half register that {name} would have to copy"));
        }
        self.emit(MOV, Fields::plain(SCRATCH[0], 15), vec![source]);
        Ok(Source::register(SCRATCH[0], IDENTITY))
    }

    /// Cosine in x, sine in y. The component that is the operand's own is written last.
    pub(super) fn scs(&mut self, result: Fields, source: Source) -> Result<(), String> {
        Self::in_steps(&result)?;
        let own = match (source.origin, result.register) {
            (Origin::Register(from), Some(to)) if from == to => Some(source.swizzle[0]),
            _ => None,
        };
        let scalar = Source { swizzle: [source.swizzle[0]; 4], ..source };
        let mut steps = vec![(0, COS), (1, SIN)];
        if own == Some(0) {
            steps.reverse();
        }
        for (comp, opcode) in steps {
            if result.mask >> comp & 1 != 0 {
                self.emit(opcode, Fields { mask: 1 << comp, ..result }, vec![scalar]);
            }
        }
        self.fill(result, 12, 0);
        Ok(())
    }

    /// Components, zeros and ones, each with a sign: one move for each kind.
    pub(super) fn swz(&mut self, result: Fields, source: Source, selectors: &[Selector; 4]) -> Result<(), String> {
        Self::in_steps(&result)?;
        let kinds: BTreeMap<(u8, bool), u32> =
            selectors.iter().enumerate().fold(BTreeMap::new(), |mut kinds, (comp, selector)| {
                *kinds.entry((selector.source.max(3), selector.negate)).or_default() |= 1 << comp;
                kinds
            });
        let own = matches!(source.origin, Origin::Register(from) if Some(from) == result.register);
        let source = if own && kinds.len() > 1 { self.copied(source, "SWZ")? } else { source };
        for ((kind, negate), mask) in kinds {
            let sign = if negate { SIGN } else { 0 };
            match kind {
                4 => self.fill(result, mask, sign),
                5 => self.fill(result, mask, ONE | sign),
                _ if result.mask & mask == 0 => {}
                _ => {
                    let swizzle = selectors.map(|selector| selector.source.min(3));
                    let part = Source { swizzle, negate: source.negate ^ negate, ..source };
                    self.emit(MOV, Fields { mask: result.mask & mask, ..result }, vec![part]);
                }
            }
        }
        Ok(())
    }

    /// Products of the second kind are rounded, then subtracted in a MAD; w is 0.
    pub(super) fn xpd(&mut self, result: Fields, sources: &[Source]) -> Result<(), String> {
        Self::in_steps(&result)?;
        let turned = |source: Source, order: [usize; 3]| {
            let [x, y, z] = order.map(|n| source.swizzle[n]);
            Source { swizzle: [x, y, z, z], ..source }
        };
        let inner = Fields { precision: result.precision, ..Fields::plain(SCRATCH[0], 7) };
        self.emit(MUL, inner, vec![turned(sources[0], [2, 0, 1]), turned(sources[1], [1, 2, 0])]);
        let product = Source { negate: true, ..Source::register(SCRATCH[0], IDENTITY) };
        let first = vec![turned(sources[0], [1, 2, 0]), turned(sources[1], [2, 0, 1]), product];
        if result.mask & 7 != 0 {
            self.emit(MAD, Fields { mask: result.mask & 7, ..result }, first);
        }
        self.fill(result, 8, 0);
        Ok(())
    }

    /// A dot product whose first operand has w = 1.
    pub(super) fn dph(&mut self, result: Fields, sources: &[Source]) -> Result<(), String> {
        let first = self.copied(sources[0], "DPH")?;
        self.fill(Fields::plain(SCRATCH[0], 8), 8, ONE);
        self.emit(DP4, result, vec![first, sources[1]]);
        Ok(())
    }

    /// The second operand where the first is below zero, else the third: by the second condition code, which texts lack.
    pub(super) fn cmp(&mut self, result: Fields, sources: &[Source]) {
        let inner = Fields { precision: result.precision, ..Fields::plain(SCRATCH[0], 15) };
        let nothing = Fields { register: None, code: Some(1), ..inner };
        self.emit(MOV, nothing, vec![sources[0]]);
        self.emit(MOV, inner, vec![sources[2]]);
        self.emit(MOV, Fields { test: Some((1, IDENTITY, 1)), ..inner }, vec![sources[1]]);
        self.emit(MOV, result, vec![Source::register(SCRATCH[0], IDENTITY)]);
    }
}
