//! CUDA fatbins: parts, each a header and entries; an entry is a cubin or PTX for one target, with a header of its own. A file is
//! one, and sections of host programs hold them one after the other.

use crate::foreign::{Foreign, PTX};
use crate::reader::{Field, Names};
use crate::tree::{Content, Node};
use parallax_text::Diag;
use std::ops::Range;

const MAGIC: &[u8] = b"\x50\xed\x55\xba";
/// Bytes of the header of a part.
const PART: usize = 16;
/// Bytes of the header of an entry, as far as they are read.
const ENTRY: usize = 64;
const KIND_PTX: u16 = 1;
const KIND_ELF: u16 = 2;
/// Flags of an entry: its bytes are compressed, by LZ4 or by Zstandard.
const COMPRESSED: u64 = 0x2000 | 0x8000;
/// Sections of host programs that hold fatbins: of an executable, and of objects that are linked again.
pub(crate) const SECTIONS: [&str; 2] = [".nv_fatbin", "__nv_relfatbin"];

const OTHER: Foreign = Foreign {
    name: "a part of a CUDA fatbin",
    help: "of fatbins only cubins are read: cuobjdump -lelf FILE lists them",
};

pub(crate) fn is_fatbin(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

pub(crate) fn open(file: &[u8], mut node: Node) -> Node {
    let mut members = Vec::new();
    let whole = node.bytes.clone();
    if let Err(diag) = parts(file, &whole, &mut Names::of(file), &mut members) {
        if members.is_empty() {
            return node.broken(diag);
        }
        node.diags.push(diag);
    }
    if members.is_empty() {
        let diag = Field::new("fatSize", whole.start + 8, 8).invalid("fatbin-empty", "the fatbin has no entries");
        return node.broken(diag);
    }
    node.content = Content::Container { title: "CUDA fatbin".into(), members };
    node
}

/// Adds the entries of all parts in some bytes. Between parts there may be zeros.
///
/// # Errors
/// The first that cannot be found.
pub(crate) fn parts(file: &[u8], bytes: &Range<usize>, names: &mut Names, members: &mut Vec<Node>) -> Result<(), Diag> {
    let mut at = bytes.start;
    while at < bytes.end {
        let rest = file.get(at..bytes.end).unwrap_or(&[]);
        let zeros = rest.iter().take_while(|byte| **byte == 0).count();
        if zeros > 0 {
            at += zeros;
            continue;
        }
        if !is_fatbin(rest) {
            return Err(Field::new("magic", at, rest.len().min(4)).invalid("fatbin-header", "expected 0xba55ed50"));
        }
        if rest.len() < PART {
            let message = format!("{} bytes are left of a header of {PART}", rest.len());
            return Err(Field::new("header", at, rest.len()).invalid("fatbin-header", message));
        }
        let header = u64::from(half(file, at + 6));
        let from = at..bytes.end;
        let size = Field::new("fatSize", at + 8, 8);
        let part = size.range("fatbin-range", "the part", (header.max(PART as u64), long(file, at + 8)), &from)?;
        entries(file, &part, names, members)?;
        at = part.end;
    }
    Ok(())
}

fn entries(file: &[u8], part: &Range<usize>, names: &mut Names, members: &mut Vec<Node>) -> Result<(), Diag> {
    let mut at = part.start;
    while at < part.end {
        let left = part.end - at;
        // The last entry may be filled up.
        if left < ENTRY {
            let filled = file.get(at..part.end).is_some_and(|rest| rest.iter().all(|byte| *byte == 0));
            let message = format!("{left} bytes are left of a header of {ENTRY}");
            return if filled { Ok(()) } else { Err(Field::new("entry", at, left).invalid("fatbin-header", message)) };
        }
        let header = u64::from(word(file, at + 4));
        if header < ENTRY as u64 {
            let message = format!("expected at least {ENTRY}, found {header}");
            return Err(Field::new("headerSize", at + 4, 4).invalid("fatbin-header", message));
        }
        let size = Field::new("size", at + 8, 8);
        let data = size.range("fatbin-range", "the entry", (header, long(file, at + 8)), &(at..part.end))?;
        members.push(entry(file, at, data.clone(), names));
        at = data.end;
    }
    Ok(())
}

fn entry(file: &[u8], at: usize, data: Range<usize>, names: &mut Names) -> Node {
    let target = word(file, at + 28);
    let named = |names: &mut Names, extension: &str| names.told_apart(&format!("sm_{target}.{extension}"));
    let foreign = |name: String, foreign: Foreign| {
        let mut node = Node::plain(name, data.clone());
        node.content = Content::Foreign(foreign);
        node
    };
    match half(file, at) {
        KIND_ELF if long(file, at + 40) & COMPRESSED != 0 || word(file, at + 16) != 0 => {
            let diag = Field::new("flags", at + 40, 8)
                .unsupported("fatbin-compressed", format!("the cubin for sm_{target} is compressed"));
            let help = format!("extract it: cuobjdump -xelf sm_{target} FILE");
            Node::plain(named(names, "cubin"), data.clone()).broken(diag.with_help(help))
        }
        KIND_ELF => crate::part(file, data.clone(), named(names, "cubin")),
        KIND_PTX => foreign(named(names, "ptx"), PTX),
        kind => foreign(named(names, &format!("part{kind}")), OTHER),
    }
}

fn half(file: &[u8], at: usize) -> u16 {
    file.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |bytes| u16::from_le_bytes(*bytes))
}

fn word(file: &[u8], at: usize) -> u32 {
    file.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

fn long(file: &[u8], at: usize) -> u64 {
    file.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |bytes| u64::from_le_bytes(*bytes))
}
