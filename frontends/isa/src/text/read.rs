//! Reading one instruction.

use super::{Leading, MnemonicId, Parsed, Prefix, Reading, Said};
use crate::code::{Code, Encoding};
use crate::codec::Codec;
use crate::lex::word_end;
use crate::row::{Isa, RowId};
use crate::scan::Scan;
use parallax_text::{Diag, Span};

impl<I: Isa> Codec<I> {
    /// Whether a word is a mnemonic.
    pub fn is_mnemonic(&self, word: &str) -> bool {
        self.reader().mnemonic(word).is_some() || self.reader().with_suffixes(word).is_some()
    }

    /// The number of a mnemonic, for [`Codec::read_into`].
    pub fn mnemonic(&self, word: &str) -> Option<MnemonicId> {
        self.reader().mnemonic(word)
    }

    /// Reads the instruction at byte `at`. What follows it is the caller's to judge.
    ///
    /// # Errors
    /// The first problem, located at the offending token.
    #[inline]
    pub fn read(&self, source: &str, at: usize) -> Result<Parsed, Box<Diag>> {
        self.read_beside(source, at, Encoding::default())
    }

    /// The same, where the word at `at`, if there is one, is known to end at byte `end`.
    ///
    /// # Errors
    /// As [`Codec::read`].
    #[inline]
    pub fn read_word(&self, source: &str, (at, end): (usize, usize)) -> Result<Parsed, Box<Diag>> {
        self.read_from(source, at, Some(end), Encoding::default())
    }

    /// Reads the instruction at byte `at`, of which `known` is set already: what an instruction beside it in the same group
    /// says about operands they share.
    ///
    /// # Errors
    /// As [`Codec::read`].
    #[inline]
    pub fn read_beside(&self, source: &str, at: usize, known: Encoding) -> Result<Parsed, Box<Diag>> {
        self.read_from(source, at, None, known)
    }

    /// Reads the instruction at byte `at`; where the word there ends, if that is known.
    #[inline(always)]
    fn read_from(&self, source: &str, at: usize, end: Option<usize>, known: Encoding) -> Result<Parsed, Box<Diag>> {
        let mut scan = Scan::new(source, at, known);
        let (row, code) = self.read_in(&mut scan, at, end, known)?;
        Ok(Parsed { row, code, encoding: scan.encoding, labels: scan.labels, end: scan.at })
    }

    /// The same where a scan stands.
    #[inline(always)]
    fn read_in(
        &self,
        scan: &mut Scan<'_>,
        at: usize,
        end: Option<usize>,
        known: Encoding,
    ) -> Result<(RowId, Code), Box<Diag>> {
        let (reader, source) = (self.reader(), scan.source);
        scan.blanks();
        let start = scan.at;
        // What was said up to here. It is not copied from the scan, which was just written to.
        let mut said_before = known;
        let mut given = 0u8;
        let mut given_at = start;
        for (n, &Prefix { items, ref steps, .. }) in reader.leading.iter().enumerate() {
            if !scan.may_start(items) {
                continue;
            }
            let (before, encoding) = (scan.at, scan.encoding);
            if !steps.read(scan) {
                (scan.at, scan.encoding) = (before, encoding);
                scan.items(items);
                return Err(Box::new(scan.explain(&[scan.refusal], I::LEXER)));
            }
            if scan.at > before {
                given |= 1 << n;
                given_at = before;
                said_before = scan.encoding;
                scan.blanks();
            } else {
                scan.encoding = encoding;
            }
        }
        let place = scan.at;
        scan.at = end.filter(|_| place == at).unwrap_or_else(|| word_end(scan.text(), place));
        if scan.at == place {
            return Err(Box::new(scan.expected_at(place, "a mnemonic", I::LEXER)));
        }
        let mnemonic = match reader.mnemonic_at(source, place, scan.at) {
            Some(mnemonic) => mnemonic,
            None => {
                let word = &source[place..scan.at];
                let Some((mnemonic, said)) = reader.with_suffixes(word) else {
                    return Err(Box::new(reader.unknown(word, Span::new(place, scan.at))));
                };
                // Nothing else sets these fields.
                match said {
                    Said::Known(says) => {
                        let _ = says.set(scan);
                    }
                    Said::Values(values) => values.into_iter().for_each(|(field, value)| {
                        let _ = scan.encoding.put(field, value);
                    }),
                }
                said_before = scan.encoding;
                mnemonic
            }
        };
        self.operands(scan, &said_before, mnemonic, start, Leading { given, at: given_at })
    }

    /// Reads the instruction at byte `start`; its row and code. If its mnemonic, up to byte `end`, was looked up already, nothing stands
    /// in front of it. `known` is what `reading` was made with.
    ///
    /// # Errors
    /// As [`Codec::read`].
    #[inline]
    pub fn read_into(
        &self,
        Reading(scan): &mut Reading<'_>,
        (start, end): (usize, usize),
        mnemonic: Option<MnemonicId>,
        known: &Encoding,
    ) -> Result<(RowId, Code), Box<Diag>> {
        match mnemonic {
            Some(mnemonic) => {
                scan.at = end;
                self.operands(scan, known, mnemonic, start, Leading { given: 0, at: start })
            }
            None => self.read_other(scan, start, known),
        }
    }

    #[cold]
    fn read_other(&self, scan: &mut Scan<'_>, start: usize, known: &Encoding) -> Result<(RowId, Code), Box<Diag>> {
        scan.at = start;
        self.read_in(scan, start, None, *known)
    }

    /// Reads what follows a mnemonic; the row and the code. `said_before` is what the scan holds already.
    #[inline(always)]
    fn operands(
        &self,
        scan: &mut Scan<'_>,
        said_before: &Encoding,
        mnemonic: MnemonicId,
        start: usize,
        leading: Leading,
    ) -> Result<(RowId, Code), Box<Diag>> {
        let reader = self.reader();
        let mnemonic = &reader.mnemonics[usize::from(mnemonic.0)];
        // The first fields set cannot clash with the leading operands: their fields are others.
        let _ = mnemonic.says.set(scan);
        let behind = scan.at;
        let Some(row) = reader.follow(mnemonic.root, scan) else {
            let mut again = Scan::new(scan.source, behind, *said_before);
            let _ = mnemonic.says.set(&mut again);
            return Err(reader.refused(mnemonic.root, &mut again, I::LEXER));
        };
        let span = Span::new(start, scan.at);
        let has = reader.has_leading[row.index()];
        if leading.given & !has != 0 {
            return Err(self.no_prefix(row, leading, scan));
        }
        let mut missing = has & !leading.given;
        while missing != 0 {
            // Nothing can have set them: no operand of the row stands where they could be read.
            let _ = reader.leading[missing.trailing_zeros() as usize].absence.set(scan);
            missing &= missing - 1;
        }
        let mut code = scan.encoding.finish(self.base(row));
        if scan.flips != 0 {
            if scan.flips & self.row(row).pattern.fixed != 0 {
                let message = "the annotated bits would change the operation itself";
                return Err(Diag::invalid("bits-change-operation", span, message).into());
            }
            code = Code::new(code.word() ^ scan.flips, code.side());
        }
        let row = if self.is_own(row, &code) { row } else { self.read_back(row, code, span)? };
        Ok((row, code))
    }

    /// Says that a row does not take the operand that stands in front of its mnemonic.
    #[cold]
    fn no_prefix(&self, row: RowId, leading: Leading, scan: &Scan<'_>) -> Box<Diag> {
        let message = format!("`{}` does not take this prefix", self.row(row).name);
        let token = scan.expected_at(leading.at, "", I::LEXER).span.unwrap_or_default();
        Box::new(Diag::invalid("no-prefix", token, message))
    }

    /// The row that a code read as one of `row` is decoded as.
    #[inline(never)]
    fn read_back(&self, row: RowId, code: Code, span: Span) -> Result<RowId, Box<Diag>> {
        match self.decode(code) {
            // A narrower row may say the same of fewer words.
            Ok(found) if found == row || self.row(found).pattern.narrower_than(&self.row(row).pattern) => Ok(found),
            Ok(_) => Err(Diag::internal("isa", Some(span), "the word reads back as another instruction").into()),
            Err(reject) => Err(self.explain(code, reject, span).into()),
        }
    }
}
