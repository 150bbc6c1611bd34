//! The source text inside of a SPIR-V module: compilers embed what they were given, readers want what was written.

use rustc_hash::{FxHashMap, FxHashSet};

const OP_SOURCE_CONTINUED: u32 = 2;
const OP_SOURCE: u32 = 3;
const OP_STRING: u32 = 7;
const OP_EXT_INST_IMPORT: u32 = 11;
const OP_EXT_INST: u32 = 12;
const DEBUG_SOURCE: u32 = 35;
const DEBUG_SOURCE_CONTINUED: u32 = 102;
/// Words of the header.
const HEADER: usize = 5;

/// Gives a module another name and text for the file that was compiled as `compiled`. What is no module stays as it is.
pub fn with_source(module: &[u8], compiled: &str, name: &str, text: &str) -> Vec<u8> {
    replaced(module, compiled, name, text).unwrap_or_else(|| module.to_vec())
}

fn replaced(module: &[u8], compiled: &str, name: &str, text: &str) -> Option<Vec<u8>> {
    let (words, rest) = module.as_chunks::<4>();
    let words: Vec<u32> = words.iter().map(|word| u32::from_le_bytes(*word)).collect();
    if !rest.is_empty() || words.first() != Some(&0x0723_0203) {
        return None;
    }
    let instructions = instructions(&words)?;
    // What the file is called, and which strings are its text.
    let mut sets = FxHashSet::default();
    let mut files = FxHashSet::default();
    let mut texts: FxHashMap<u32, bool> = FxHashMap::default();
    for &instruction in &instructions {
        let at = &words[instruction.0..instruction.1];
        match (at[0] & 0xffff, at) {
            (OP_STRING, [_, id, literal @ ..]) if is_file(&string(literal), compiled) => {
                files.insert(*id);
            }
            (OP_EXT_INST_IMPORT, [_, id, literal @ ..])
                if string(literal).starts_with("NonSemantic.Shader.DebugInfo") =>
            {
                sets.insert(*id);
            }
            (OP_EXT_INST, [_, _, _, set, DEBUG_SOURCE, file, source, ..]) if sets.contains(set) => {
                texts.insert(*source, files.contains(file));
            }
            _ => {}
        }
    }
    let mut out = words[..HEADER].to_vec();
    let mut drops = false;
    for (from, to) in instructions {
        let at = &words[from..to];
        match (at[0] & 0xffff, at) {
            (OP_STRING, [_, id, ..]) if files.contains(id) => push(&mut out, &[OP_STRING, *id], name),
            (OP_STRING, [_, id, ..]) if texts.get(id) == Some(&true) => push(&mut out, &[OP_STRING, *id], text),
            (OP_SOURCE, [_, language, version, file, _, ..]) if files.contains(file) => {
                drops = true;
                push(&mut out, &[OP_SOURCE, *language, *version, *file], text);
            }
            (OP_SOURCE_CONTINUED, _) if drops => {}
            (OP_EXT_INST, [_, _, _, set, DEBUG_SOURCE_CONTINUED, ..]) if sets.contains(set) && drops => {}
            _ => {
                drops = matches!(at, [_, _, _, set, DEBUG_SOURCE, _, source, ..]
                    if at[0] & 0xffff == OP_EXT_INST && sets.contains(set) && texts.get(source) == Some(&true));
                out.extend_from_slice(at);
            }
        }
    }
    Some(out.iter().flat_map(|word| word.to_le_bytes()).collect())
}

/// Where each instruction begins and ends.
fn instructions(words: &[u32]) -> Option<Vec<(usize, usize)>> {
    let mut out = Vec::new();
    let mut at = HEADER;
    while at < words.len() {
        let end = at + (words[at] >> 16) as usize;
        if end == at || end > words.len() {
            return None;
        }
        out.push((at, end));
        at = end;
    }
    Some(out)
}

fn is_file(found: &str, compiled: &str) -> bool {
    found.rsplit(['/', '\\']).next() == Some(compiled)
}

fn string(words: &[u32]) -> String {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).take_while(|byte| *byte != 0).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Adds an instruction that ends in a string, cut off where an instruction ends.
fn push(out: &mut Vec<u32>, head: &[u32], text: &str) {
    let mut end = text.len().min((0xffff - head.len() - 1) * 4 - 1);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let mut bytes = text.as_bytes()[..end].to_vec();
    bytes.resize(end / 4 * 4 + 4, 0);
    let (literal, _) = bytes.as_chunks::<4>();
    let count = (head.len() + literal.len()) as u32;
    out.push(count << 16 | head[0]);
    out.extend_from_slice(&head[1..]);
    out.extend(literal.iter().map(|word| u32::from_le_bytes(*word)));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module(parts: &[(&[u32], &str)]) -> Vec<u8> {
        let mut words = vec![0x0723_0203, 0x0001_0000, 0, 99, 0];
        parts.iter().for_each(|(head, text)| push(&mut words, head, text));
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    #[test]
    fn names_and_texts_are_those_of_the_user() {
        let before = module(&[
            (&[OP_STRING, 1], "/tmp/x/shader.frag"),
            (&[OP_STRING, 2], "included.glsl"),
            (&[OP_SOURCE, 1, 310, 1], "raised"),
            (&[OP_SOURCE_CONTINUED], " more"),
            (&[OP_SOURCE, 1, 310, 2], "kept"),
        ]);
        let after = module(&[
            (&[OP_STRING, 1], "water.frag"),
            (&[OP_STRING, 2], "included.glsl"),
            (&[OP_SOURCE, 1, 310, 1], "written"),
            (&[OP_SOURCE, 1, 310, 2], "kept"),
        ]);
        assert_eq!(with_source(&before, "shader.frag", "water.frag", "written"), after);
        assert_eq!(with_source(&before[..21], "shader.frag", "a", "b"), &before[..21]);
        assert_eq!(with_source(b"text", "shader.frag", "a", "b"), b"text");
    }
}
