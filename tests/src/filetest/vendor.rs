//! Filetests in the languages of the instruction sets.
//!
//! The first line is `; test KIND ISA [OPTION]...`, lines that start with `; ` below it describe the file. Lines `;; NAME` divide
//! what follows into cases; what stands before the first of them is put in front of every case. Lines that start with `;> ` at
//! the end of a case are its expectation. Places are counted from the first line of the case's program.
//!
//! | kind | program | expectation |
//! |---|---|---|
//! | `check` | text, or bytes with the option `hex` | every problem with code, place, message and help, or `ok` |
//! | `lift` | the same | problems, and the lifted shader |
//! | `as` | text | the bytes, 16 a line, and problems; option `plain`: without an end added |
//! | `dis` | bytes in hexadecimal | the listing; option `vendor`: as the vendor's own tool writes it |
//! | `run` | text, or bytes with the option `hex` | lines `run [MODEL]: ...`, see `quad.rs` |
//! | `open` | a container, as `container.rs` writes bytes; no instruction set | what lies in it, and problems |
//!
//! Further options: `dialect=NAME`, `model=NAME` (of `run`), `crlf` (lines end in carriage return and line feed), `watch=REGISTER`,
//! `preset=REGISTER`, and the options of
//! the frontend by name, such as `alias=bits`. Instruction sets are found by name in the engine's list.

use super::{container, quad};
use parallax::{Frontend, Layout, LoadOptions, Loaded, Machine, frontend, load};
use parallax_core::text::print;
use parallax_text::{Diag, DiagKind, LineMap};
use std::fmt::Write;

/// Starts a case.
const CASE: &str = ";;";
/// Starts a line of an expectation.
const EXPECTED: &str = ";>";

/// A file of cases.
pub struct VendorTest<'a> {
    source: &'a str,
    kind: &'a str,
    /// None for `open`.
    isa: Option<&'static Frontend>,
    flags: Vec<&'a str>,
    pub(super) options: LoadOptions,
    pub(super) model: Option<&'a str>,
}

impl<'a> VendorTest<'a> {
    /// Reads the header.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(source: &'a str) -> Result<VendorTest<'a>, String> {
        let first = source.lines().next().unwrap_or("");
        let mut words =
            first.strip_prefix("; test ").ok_or("the first line is not `; test KIND ISA`")?.split_whitespace();
        let kind = words.next().ok_or("no kind")?;
        let isa = match kind {
            "open" => None,
            _ => {
                let name = words.next().ok_or("no instruction set")?;
                Some(frontend(name).ok_or_else(|| format!("unknown instruction set `{name}`"))?)
            }
        };
        let options = LoadOptions { isa: isa.map(|isa| isa.name.into()), ..LoadOptions::default() };
        let mut test = VendorTest { source, kind, isa, flags: Vec::new(), options, model: None };
        for word in words {
            match word.split_once('=') {
                Some(("dialect", value)) => test.options.layout.dialect = Some(value.into()),
                Some(("model", value)) => test.model = Some(value),
                Some(("watch", value)) => test.options.lift.watch.push(value.into()),
                Some(("preset", value)) => test.options.lift.preset.push(value.into()),
                Some((name, value)) => {
                    test.options.lift.settings.insert(name.into(), value.into());
                }
                None if ["hex", "plain", "vendor", "crlf"].contains(&word) => test.flags.push(word),
                None => return Err(format!("unknown option `{word}`")),
            }
        }
        Ok(test)
    }

    /// The file with the expectations that come out.
    ///
    /// # Errors
    /// What went wrong beyond a mere difference.
    pub fn actual(&self) -> Result<String, String> {
        let described = self.source.lines().take_while(|line| line.starts_with("; "));
        let mut out: String = described.map(|line| format!("{line}\n")).collect();
        let body = &self.source[out.len()..];
        let starts: Vec<usize> =
            body.match_indices(CASE).map(|(at, _)| at).filter(|&at| at == 0 || body[..at].ends_with('\n')).collect();
        let Some(&first) = starts.first() else {
            return self.case("", body).map(|case| out + &case);
        };
        let prelude = &body[..first];
        out.push_str(prelude);
        for (n, &start) in starts.iter().enumerate() {
            let case = &body[start..starts.get(n + 1).copied().unwrap_or(body.len())];
            let (title, case) = case.split_once('\n').unwrap_or((case, ""));
            let blank = if n + 1 < starts.len() { "\n" } else { "" };
            let case = self.case(prelude, case).map_err(|error| format!("{title}: {error}"))?;
            // Writing to a string cannot fail.
            let _ = write!(out, "{title}\n{case}{blank}");
        }
        Ok(out)
    }

    /// A case behind its title, with the expectation that comes out.
    fn case(&self, prelude: &str, case: &str) -> Result<String, String> {
        let at = case.lines().take_while(|line| !line.starts_with(EXPECTED)).map(|line| line.len() + 1).sum::<usize>();
        let (body, expected) = case.split_at(at.min(case.len()));
        let expected: Vec<&str> = expected
            .lines()
            .filter(|line| !line.is_empty())
            .map(|line| {
                line.strip_prefix(EXPECTED).map(str::trim_start).ok_or(format!("`{line}` is not an expectation"))
            })
            .collect::<Result<_, _>>()?;
        let body = body.trim_end_matches('\n');
        let mut text = format!("{prelude}{body}\n");
        if self.flags.contains(&"crlf") {
            text = text.replace('\n', "\r\n");
        }
        let mut out = if body.is_empty() { String::new() } else { format!("{body}\n") };
        for line in self.lines(&text, &expected)? {
            let _ = writeln!(out, "{EXPECTED} {line}");
        }
        Ok(out)
    }

    /// What a program gives.
    fn lines(&self, text: &str, expected: &[&str]) -> Result<Vec<String>, String> {
        match self.kind {
            "check" => {
                let loaded = self.load(text)?;
                let lines = problems(&loaded.text, &loaded.diags);
                Ok(if lines.is_empty() { vec!["ok".into()] } else { lines })
            }
            "lift" => {
                let loaded = self.load(text)?;
                let mut lines = problems(&loaded.text, &loaded.diags);
                if let Some(shader) = &loaded.shader {
                    lines.extend(print(shader).lines().map(str::to_string));
                }
                Ok(lines)
            }
            "as" => {
                let plain = self.flags.contains(&"plain");
                let machine = self.machine()?;
                let (bytes, diags) = (machine.assemble)(text, &Layout::default(), !plain);
                let mut lines = problems(text, &diags);
                let hex = |row: &[u8]| row.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
                lines.extend(bytes.iter().flat_map(|bytes| bytes.chunks(16)).map(hex));
                Ok(lines)
            }
            "dis" => {
                let bytes = hex_bytes(text)?;
                let mut lines = Vec::new();
                for line in (self.machine()?.list)(&bytes, &Layout::default(), !self.flags.contains(&"vendor")) {
                    match line {
                        Ok(line) => lines.push(line),
                        Err((line, diag)) => {
                            lines.push(line);
                            lines.extend(problems("", &[*diag]));
                        }
                    }
                }
                Ok(lines)
            }
            "open" => Ok(container::lines(&container::bytes(text)?)),
            "run" if expected.is_empty() => Err("no line to run".into()),
            "run" => {
                let bytes = self.bytes(text)?;
                expected.iter().map(|line| quad::line(self, &bytes, line)).collect()
            }
            other => Err(format!("unknown kind `{other}`")),
        }
    }

    fn bytes(&self, text: &str) -> Result<Vec<u8>, String> {
        if self.flags.contains(&"hex") { hex_bytes(text) } else { Ok(text.as_bytes().to_vec()) }
    }

    fn load(&self, text: &str) -> Result<Loaded, String> {
        Ok(load("t", &self.bytes(text)?, &self.options))
    }

    fn machine(&self) -> Result<&'static Machine, String> {
        let isa = self.isa.ok_or("no instruction set")?;
        isa.machine.as_ref().ok_or_else(|| format!("{} has no machine words", isa.name))
    }
}

/// Pairs of hexadecimal digits.
pub(super) fn hex_bytes(text: &str) -> Result<Vec<u8>, String> {
    let digits: Vec<u32> = text
        .chars()
        .filter(|c| !c.is_whitespace())
        .map(|c| c.to_digit(16).ok_or(format!("`{c}` is not a hexadecimal digit")))
        .collect::<Result<_, _>>()?;
    if !digits.len().is_multiple_of(2) {
        return Err("an odd number of digits".into());
    }
    Ok(digits.chunks(2).map(|pair| (pair[0] << 4 | pair[1]) as u8).collect())
}

/// Problems with code, place, message, further places and help. Places in bytes have no line.
pub(crate) fn problems(text: &str, diags: &[Diag]) -> Vec<String> {
    let map = LineMap::new(text);
    let place = |start: u32| {
        if text.is_empty() {
            return format!("byte {start}: ");
        }
        let place = map.place(text, start);
        format!("{}:{}: ", place.line, place.column)
    };
    let mut lines = Vec::new();
    for diag in diags {
        let word = match (diag.is_error(), diag.kind) {
            (false, _) => "warning",
            (true, DiagKind::Invalid) => "error",
            (true, kind) => kind.name(),
        };
        let at = diag.span.map_or(String::new(), |span| place(span.start));
        lines.push(format!("{at}{word}[{}]: {}", diag.code, diag.message));
        lines.extend(diag.labels.iter().map(|label| format!("  {}{}", place(label.span.start), label.text)));
        lines.extend(diag.help.iter().map(|help| format!("  help: {help}")));
    }
    lines
}
