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
        // Declared names may end in `01`; numbered registers do not.
        let (file, index) = if index.len() > 1 && index.starts_with('0') { (text, "") } else { (file, index) };
        let indices = if index.is_empty() { Vec::new() } else { vec![index] };
        word(file).then_some(Spelling { file, indices })
    }

    /// The same text for all spellings of a register: `R[12]` for `R12`, `IN[0]` for `IN[00]`. What is no register name
    /// stays as it is.
    pub fn canonical(text: &str) -> String {
        let Some(Spelling { file, indices }) = Spelling::parse(text) else { return text.trim().to_string() };
        let mut out = file.to_string();
        for index in indices {
            match parallax_text::parse_u64(index) {
                Some(number) => out.push_str(&format!("[{number}]")),
                None => out.push_str(&format!("[{index}]")),
            }
        }
        out
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
        assert_eq!(parts("name01"), Some(("name01".into(), "".into())));
        for bad in ["", "[1]", "R[", "R[1", "R]1[", "12", "a b", "R[]"] {
            assert_eq!(parts(bad), None, "{bad}");
        }
    }

    #[test]
    fn spellings_of_one_register_have_one_canonical_form() {
        for (a, b) in [("IN[0]", "IN[00]"), ("R12", "R[12]"), ("c[16]", " c[0x10]"), ("CONST[1][02]", "CONST[1][2]")] {
            assert_eq!(Spelling::canonical(a), Spelling::canonical(b));
        }
        for (a, b) in [("a1", "a01"), ("f[COL0]", "f[COL1]"), ("x y", "xy"), ("IN[1]", "IN[10]")] {
            assert_ne!(Spelling::canonical(a), Spelling::canonical(b));
        }
    }
}
