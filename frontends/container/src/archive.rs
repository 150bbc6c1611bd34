//! ar archives: a header of sixty characters before every member. Names of other lengths than theirs are kept as GNU (`//`) and BSD
//! (`#1/`) tools keep them.

use crate::reader::{Field, Names};
use crate::tree::{Content, Node};
use parallax_text::Diag;
use std::ops::Range;

const MAGIC: &[u8] = b"!<arch>\n";
const THIN: &[u8] = b"!<thin>\n";
/// Name of what has none, or none that can be found.
const DAMAGED: &str = "damaged member";
/// Size of a member's header.
const HEADER: usize = 60;

pub(crate) fn is_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC) || bytes.starts_with(THIN)
}

/// The members of an archive. Damaged ones are left out behind their problem, and the next header that can be one is searched.
pub(crate) fn open(file: &[u8]) -> Node {
    let mut node = Node::plain(String::new(), 0..file.len());
    if file.starts_with(THIN) {
        let diag = Field::new("magic", 0, THIN.len())
            .unsupported("archive-thin", "a thin archive only names its members, which are files of their own")
            .with_help("give those files, or pack them: ar rc NAME.a FILES");
        return node.broken(diag);
    }
    let mut members = Vec::new();
    let mut names = Names::of(file);
    let mut long_names = 0..0;
    let mut at = MAGIC.len();
    while at < file.len() {
        let entry = match Entry::read(file, at, &long_names) {
            Ok(entry) => entry,
            Err(diag) => {
                let next = resume(file, at + 2);
                let name = names.told_apart(DAMAGED);
                members.push(Node::plain(name, at..next).broken(diag));
                at = next;
                continue;
            }
        };
        at = entry.next;
        match entry.name {
            Name::Table => long_names = entry.bytes,
            Name::Symbols => {}
            Name::Wrong(diag) => {
                let name = names.told_apart(DAMAGED);
                members.push(Node::plain(name, entry.bytes).broken(diag));
            }
            Name::Member(name) => {
                let Some(name) = names.unique(name) else {
                    let diag = Field::new("name", entry.header, 16)
                        .invalid("container-names", "the names up to here take more bytes than the archive has");
                    node.diags.push(diag);
                    break;
                };
                members.push(member(file, entry.header, entry.bytes, name));
            }
        }
    }
    if members.is_empty() {
        let diag = Field::new("magic", 0, MAGIC.len()).invalid("archive-empty", "the archive has no members");
        return node.broken(diag);
    }
    node.content = Content::Container { title: "ar archive".into(), members };
    node
}

/// What a member is. Archives in archives are not opened.
fn member(file: &[u8], header: usize, bytes: Range<usize>, name: String) -> Node {
    if file.get(bytes.clone()).is_some_and(is_archive) {
        let diag = Field::new("name", header, 16)
            .unsupported("archive-nested", format!("the member `{name}` is an archive itself"))
            .with_help("unpack it: ar x NAME.a");
        return Node::plain(name, bytes).broken(diag);
    }
    crate::part(file, bytes, name)
}

enum Name<'a> {
    Member(&'a str),
    /// Names too long for a header.
    Table,
    /// Symbols for linkers.
    Symbols,
    /// None that can be found.
    Wrong(Diag),
}

/// A member as its header describes it.
struct Entry<'a> {
    header: usize,
    name: Name<'a>,
    bytes: Range<usize>,
    /// Where the next header stands.
    next: usize,
}

impl<'a> Entry<'a> {
    fn read(file: &'a [u8], at: usize, long_names: &Range<usize>) -> Result<Entry<'a>, Diag> {
        let whole = 0..file.len();
        let Some(header) = file.get(at..at + HEADER) else {
            let rest = file.len() - at;
            return Err(Field::new("header", at, rest)
                .invalid("archive-header", format!("{rest} bytes are left, and a header has {HEADER}")));
        };
        if header[58..] != *b"`\n" {
            return Err(Field::new("end of header", at + 58, 2)
                .invalid("archive-header", "expected a back quote and a line feed"));
        }
        let size = Field::new("size", at + 48, 10);
        let digits = std::str::from_utf8(&header[48..58]).unwrap_or("").trim_end();
        let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        let len: u64 = digits.parse().ok().filter(|_| plain).ok_or_else(|| {
            let found = String::from_utf8_lossy(&header[48..58]).into_owned();
            size.invalid("archive-header", format!("`{}` is not a decimal number", found.trim_end()))
        })?;
        let start = at + HEADER;
        let mut bytes = size.range("archive-range", "the member", (start as u64, len), &whole)?;
        let next = bytes.end + bytes.end % 2;
        let field = Field::new("name", at, 16);
        let name = name(file, &header[..16], &mut bytes, long_names)
            .unwrap_or_else(|message| Name::Wrong(field.invalid("archive-name", message)));
        Ok(Entry { header: at, name, bytes, next })
    }
}

/// The name in a header's first field. One that stands in front of the member's bytes is cut from them.
fn name<'a>(
    file: &'a [u8],
    field: &'a [u8],
    bytes: &mut Range<usize>,
    long_names: &Range<usize>,
) -> Result<Name<'a>, String> {
    let utf8 = |bytes: &'a [u8]| std::str::from_utf8(bytes).map_err(|_| "it is not valid UTF-8".to_string());
    let text = utf8(field)?.trim_end();
    let name = if text == "//" {
        return Ok(Name::Table);
    } else if matches!(text, "/" | "/SYM64/") {
        return Ok(Name::Symbols);
    } else if let Some(len) = text.strip_prefix("#1/") {
        let found = len.parse::<usize>().ok().filter(|len| *len <= bytes.len().min(crate::MAX_NAME));
        let len = found.ok_or_else(|| format!("`{text}` points outside the member"))?;
        let name = utf8(&file[bytes.start..bytes.start + len])?;
        bytes.start += len;
        name.trim_end_matches('\0')
    } else if let Some(offset) = text.strip_prefix('/') {
        let table = file.get(long_names.clone()).unwrap_or(&[]);
        let rest = offset.parse::<usize>().ok().and_then(|offset| table.get(offset..)).filter(|rest| !rest.is_empty());
        let rest = rest.ok_or_else(|| format!("`{text}` points outside the table of long names"))?;
        let rest = &rest[..rest.len().min(crate::MAX_NAME)];
        let len = rest.iter().position(|b| matches!(b, b'\n' | 0)).unwrap_or(rest.len());
        let name = utf8(&rest[..len])?;
        name.strip_suffix('/').unwrap_or(name)
    } else {
        text.strip_suffix('/').unwrap_or(text)
    };
    match name {
        "" => Err("it is empty".into()),
        name if name.starts_with("__.SYMDEF") => Ok(Name::Symbols),
        name => Ok(Name::Member(name)),
    }
}

/// The next byte that can start a header: sixty characters, the last two of them as they should be.
fn resume(file: &[u8], from: usize) -> usize {
    let can_be = |at: &usize| {
        let header = &file[*at..*at + HEADER];
        header[58..] == *b"`\n" && header[..58].iter().all(|b| matches!(b, b' '..=b'~'))
    };
    (from..file.len().saturating_sub(HEADER - 1)).step_by(2).find(can_be).unwrap_or(file.len())
}
