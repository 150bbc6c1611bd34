//! Containers as filetests write them: words between blanks, line by line.
//!
//! | word | bytes |
//! |---|---|
//! | `"text"` | its characters; `\n` is a line feed |
//! | `00ff` | as they are |
//! | `be:N`, `le:N` | a 32-bit number |
//! | `le16:N`, `le64:N` | numbers of other widths |
//! | `@N` | zeros up to byte N |
//! | `# text` | none: the line goes on as a comment |
//!
//! What comes out is a line for everything in the file, indented by what holds it, with its facts and problems.

use super::vendor::problems;
use parallax_container::{Content, Node, open};

/// The bytes of a text.
pub(super) fn bytes(text: &str) -> Result<Vec<u8>, String> {
    let mut out: Vec<u8> = Vec::new();
    for line in text.lines() {
        let mut rest = line.trim_start();
        while !rest.is_empty() && !rest.starts_with('#') {
            rest = word(rest, &mut out)?.trim_start();
        }
    }
    Ok(out)
}

/// Adds what one word stands for; the result is what follows.
fn word<'a>(text: &'a str, out: &mut Vec<u8>) -> Result<&'a str, String> {
    if let Some(quoted) = text.strip_prefix('"') {
        let (inside, rest) = quoted.split_once('"').ok_or("a quotation without end")?;
        out.extend(inside.replace("\\n", "\n").bytes());
        return Ok(rest);
    }
    let (word, rest) = text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()));
    if let Some(at) = word.strip_prefix('@') {
        let at = number(at)? as usize;
        if at < out.len() || at > 1 << 20 {
            return Err(format!("`{word}`: {} bytes stand there", out.len()));
        }
        out.resize(at, 0);
        return Ok(rest);
    }
    match word.split_once(':') {
        Some(("be", value)) => out.extend((number(value)? as u32).to_be_bytes()),
        Some(("le", value)) => out.extend((number(value)? as u32).to_le_bytes()),
        Some(("le16", value)) => out.extend((number(value)? as u16).to_le_bytes()),
        Some(("le64", value)) => out.extend(number(value)?.to_le_bytes()),
        _ => out.extend(super::vendor::hex_bytes(word)?),
    }
    Ok(rest)
}

fn number(text: &str) -> Result<u64, String> {
    let parsed = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    parsed.map_err(|_| format!("`{text}` is not a number"))
}

/// What lies in a file.
pub(super) fn lines(file: &[u8]) -> Vec<String> {
    let mut out = Vec::new();
    describe(&open(file), file, "", &mut out);
    out
}

fn describe(node: &Node, file: &[u8], indent: &str, out: &mut Vec<String>) {
    let name = if node.name.is_empty() { "file" } else { &node.name };
    let what = match &node.content {
        Content::Plain => "no container",
        Content::Container { title, .. } => title,
        Content::Program(program) => program.title,
        Content::Foreign(foreign) => foreign.name,
        Content::Broken => "damaged",
    };
    out.push(format!("{indent}{name}: {what}, {} bytes at byte {}", node.bytes.len(), node.bytes.start));
    let indent = format!("{indent}. ");
    out.extend(node.facts(file).iter().map(|fact| format!("{indent}{}: {}", fact.name, fact.value)));
    out.extend(problems("", &node.diags).into_iter().map(|line| format!("{indent}{line}")));
    node.members().iter().for_each(|member| describe(member, file, &indent, out));
}
