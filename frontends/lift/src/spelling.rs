//! Register spellings as callers write them: `TEMP[0]`, `CONST[1][0]`, `f[COL0]`, `R0`, `acc`.

/// A spelling taken apart: the file's name and the indices as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spelling<'a> {
    /// `TEMP`, `R`, `acc`.
    pub file: &'a str,
    /// What stands in brackets, or the digits that end the word.
    pub indices: Vec<&'a str>,
}

impl<'a> Spelling<'a> {
    /// Takes a spelling apart; `None` when it is no register name at all.
    pub fn parse(text: &'a str) -> Option<Self> {
        let text = text.trim();
        let word = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_alphanumeric() || b"_.$".contains(&b));
        if let Some(open) = text.find('[') {
            let file = &text[..open];
            let mut indices = Vec::new();
            for part in text[open + 1..].strip_suffix(']')?.split("][") {
                indices.push(part.trim());
            }
            let good = word(file) && indices.iter().all(|i| word(i));
            return good.then_some(Spelling { file, indices });
        }
        let digits = text.len() - text.bytes().rev().take_while(u8::is_ascii_digit).count();
        let (file, index) = text.split_at(digits);
        let indices = if index.is_empty() { Vec::new() } else { vec![index] };
        word(file).then_some(Spelling { file, indices })
    }

    /// Index number `n` as a decimal number.
    pub fn number(&self, n: usize) -> Option<u32> {
        self.indices.get(n)?.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::Spelling;

    #[test]
    fn spellings_of_every_frontend_come_apart() {
        let parts = |text| Spelling::parse(text).map(|s| (s.file.to_string(), s.indices.join(",")));
        assert_eq!(parts("TEMP[3]"), Some(("TEMP".into(), "3".into())));
        assert_eq!(parts("CONST[1][0]"), Some(("CONST".into(), "1,0".into())));
        assert_eq!(parts("f[COL0]"), Some(("f".into(), "COL0".into())));
        assert_eq!(parts("R12"), Some(("R".into(), "12".into())));
        assert_eq!(parts("acc"), Some(("acc".into(), "".into())));
        assert_eq!(parts("program.local[2]"), Some(("program.local".into(), "2".into())));
        for bad in ["", "[1]", "R[", "R[1", "R]1[", "12", "a b", "R[]"] {
            assert_eq!(parts(bad), None, "{bad}");
        }
    }
}
