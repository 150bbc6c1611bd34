//! ELF files: sections `.text.NAME` are programs. goblin reads the headers; what they say is judged here.

use crate::cubin::Cubin;
use crate::fatbin;
use crate::foreign::{Foreign, elf_machine};
use crate::reader::{Field, Names, span, zero_ended};
use crate::tree::{Content, Node};
use goblin::container::{Container, Ctx};
use goblin::elf::Elf;
use goblin::elf::header::{EM_CUDA, EM_NONE, Header};
use goblin::elf::section_header::{SHT_NOBITS, SectionHeader};
use parallax_text::Diag;
use std::ops::Range;

/// What sections of code are called, in front of the program's name.
const TEXT: &str = ".text.";

pub(crate) fn is_elf(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x7fELF")
}

/// A section, with the bytes of its fields.
pub(crate) struct Section<'a> {
    pub(crate) name: &'a str,
    pub(crate) header: SectionHeader,
    /// Where the section's header starts in the file.
    at: usize,
    wide: bool,
}

impl Section<'_> {
    /// A field of the section's header.
    pub(crate) fn field(&self, name: &'static str) -> Field {
        let (offset, len) = match (name, self.wide) {
            ("sh_name", _) => (0, 4),
            ("sh_type", _) => (4, 4),
            ("sh_offset", true) => (24, 8),
            ("sh_offset", false) => (16, 4),
            ("sh_size", true) => (32, 8),
            ("sh_size", false) => (20, 4),
            ("sh_link", true) => (40, 4),
            ("sh_link", false) => (24, 4),
            (_, true) => (44, 4),
            (_, false) => (28, 4),
        };
        Field::new(name, self.at + offset, len)
    }

    /// Its bytes in the file.
    ///
    /// # Errors
    /// It has none, or they lie outside of `elf`.
    pub(crate) fn bytes(&self, elf: &Range<usize>) -> Result<Range<usize>, Diag> {
        let what = format!("section {}", self.name);
        if self.header.sh_type == SHT_NOBITS {
            return Err(self.field("sh_type").invalid("elf-data", format!("{what} has no bytes in the file")));
        }
        let (start, len) = (self.header.sh_offset, self.header.sh_size);
        let at_fault = if start > elf.len() as u64 { "sh_offset" } else { "sh_size" };
        self.field(at_fault).range("elf-range", &what, (start, len), elf)
    }
}

/// An ELF file as far as sections go.
struct Sections<'a> {
    header: Header,
    all: Vec<Section<'a>>,
    /// Problems of single sections.
    diags: Vec<Diag>,
}

pub(crate) fn open(file: &[u8], mut node: Node) -> Node {
    let elf = node.bytes.clone();
    let header = match header(file, &elf) {
        Ok(header) => header,
        Err(diag) => return node.broken(diag),
    };
    let machine = header.e_machine;
    let Sections { header, all, diags } = match sections(file, &elf, header) {
        Ok(found) => found,
        Err(diag) => return node.broken(diag),
    };
    node.diags.extend(diags);
    let cuda = machine == EM_CUDA;
    if !cuda && machine != EM_NONE {
        return host(file, &elf, &all, machine, node);
    }
    let cubin = cuda.then(|| Cubin::new(file, &elf, &header, &all, &mut node.diags));
    let title = match &cubin {
        Some(cubin) => format!("CUDA ELF for sm_{}", cubin.sm),
        None => "ELF without a machine".to_string(),
    };
    let mut names = Names::of(file);
    let mut members: Vec<Node> = Vec::new();
    let mut taken: Vec<(Range<usize>, &str)> = Vec::new();
    for section in all.iter().filter(|s| s.name.len() > TEXT.len() && s.name.starts_with(TEXT)) {
        let Some(name) = names.unique(&section.name[TEXT.len()..]) else {
            let message = "the names up to here take more bytes than the file has";
            node.diags.push(section.field("sh_name").invalid("container-names", message));
            break;
        };
        let bytes = match section.bytes(&elf) {
            Ok(bytes) if bytes.is_empty() => {
                let diag =
                    section.field("sh_size").invalid("elf-data", format!("section {} holds no code", section.name));
                members.push(Node::plain(name, bytes).broken(diag));
                continue;
            }
            Ok(bytes) => bytes,
            Err(diag) => {
                members.push(Node::plain(name, elf.start..elf.start).broken(diag));
                continue;
            }
        };
        // Code that is something else as well is no code.
        let other = taken.iter().find(|(other, _)| other.start < bytes.end && bytes.start < other.end);
        if let Some((_, other)) = other {
            let message = format!("section {} shares bytes with section {other}", section.name);
            let diag = section.field("sh_offset").invalid("elf-overlap", message);
            members.push(Node::plain(name, bytes).broken(diag));
            continue;
        }
        let size = Header::size(context(&header));
        if bytes.start < elf.start + size {
            let message = format!("section {} overlaps the file header", section.name);
            members.push(Node::plain(name, bytes).broken(section.field("sh_offset").invalid("elf-overlap", message)));
            continue;
        }
        taken.push((bytes.clone(), section.name));
        let member = Node::plain(name, bytes);
        members.push(match &cubin {
            Some(cubin) => cubin.program(section, member),
            None => member,
        });
    }
    if let Some(cubin) = cubin.as_ref().filter(|_| members.is_empty() && !all.is_empty()) {
        return node.broken(cubin.without_code());
    }
    if members.is_empty() {
        let what = if cuda { "cubin" } else { "ELF file" };
        let diag = Field::new("e_shnum", elf.start + if is_wide(&header) { 60 } else { 48 }, 2)
            .invalid("elf-empty", format!("the {what} has no code: none of its {} sections is .text.NAME", all.len()));
        return node.broken(diag);
    }
    if let Some(cubin) = &cubin {
        cubin.describe(&mut node);
    }
    node.content = Content::Container { title, members };
    node
}

/// A program of a CPU: the fatbins in it, or what it is.
fn host(file: &[u8], elf: &Range<usize>, sections: &[Section<'_>], machine: u16, mut node: Node) -> Node {
    let fatbins = || sections.iter().filter(|section| fatbin::SECTIONS.contains(&section.name));
    let (mut members, mut names) = (Vec::new(), Names::of(file));
    let mut taken: Vec<Range<usize>> = Vec::new();
    for section in fatbins() {
        let found = section.bytes(elf).and_then(|bytes| {
            if taken.iter().any(|other| other.start < bytes.end && bytes.start < other.end) {
                let message = format!("section {} shares bytes with one in front of it", section.name);
                return Err(section.field("sh_offset").invalid("elf-overlap", message));
            }
            taken.push(bytes.clone());
            fatbin::parts(file, &bytes, &mut names, &mut members)
        });
        node.diags.extend(found.err());
    }
    node.content = match (members.is_empty(), fatbins().next()) {
        (false, _) => Content::Container { title: "CPU program with CUDA fatbins".into(), members },
        (true, Some(_)) => {
            node.diags.clear();
            Content::Foreign(Foreign::FATBIN_INSIDE)
        }
        (true, None) => Content::Foreign(elf_machine(machine)),
    };
    node
}

fn is_wide(header: &Header) -> bool {
    header.container().is_ok_and(|container| container == Container::Big)
}

fn context(header: &Header) -> Ctx {
    let container = header.container().unwrap_or(Container::Big);
    Ctx::new(container, header.endianness().unwrap_or_default())
}

/// The header, with a class and a byte order that there are.
fn header(file: &[u8], elf: &Range<usize>) -> Result<Header, Diag> {
    let bytes = file.get(elf.clone()).unwrap_or(&[]);
    let short = |size: usize| {
        let message = format!("the file ends at byte {}, and the header has {size} bytes", bytes.len());
        Field::new("header", elf.start, bytes.len()).invalid("elf-header", message)
    };
    let Some(ident) = bytes.first_chunk::<16>() else { return Err(short(52)) };
    let unknown = |name, at: usize, values: &str| {
        let message = format!("expected {values}, found {}", ident[at]);
        Err(Field::new(name, elf.start + at, 1).invalid("elf-header", message))
    };
    let size = match ident[4] {
        1 => 52,
        2 => 64,
        _ => return unknown("EI_CLASS", 4, "1 or 2, for 32 or 64 bits"),
    };
    if !matches!(ident[5], 1 | 2) {
        return unknown("EI_DATA", 5, "1 or 2, for little- or big-endian");
    }
    if bytes.len() < size {
        return Err(short(size));
    }
    let whole = || Field::new("header", elf.start, size);
    Elf::parse_header(bytes).map_err(|error| whole().invalid("elf-header", error.to_string()))
}

/// All sections with their names.
fn sections<'a>(file: &'a [u8], elf: &Range<usize>, header: Header) -> Result<Sections<'a>, Diag> {
    let bytes = file.get(elf.clone()).unwrap_or(&[]);
    let (context, wide) = (context(&header), is_wide(&header));
    let field = |name: &'static str, narrow: (usize, usize), wide_at: (usize, usize)| {
        let (offset, len) = if wide { wide_at } else { narrow };
        Field::new(name, elf.start + offset, len)
    };
    let (shoff, shentsize) = (field("e_shoff", (32, 4), (40, 8)), field("e_shentsize", (46, 2), (58, 2)));
    let (shnum, shstrndx) = (field("e_shnum", (48, 2), (60, 2)), field("e_shstrndx", (50, 2), (62, 2)));
    if header.e_shoff == 0 {
        return Ok(Sections { header, all: Vec::new(), diags: Vec::new() });
    }
    let size = SectionHeader::size(context);
    if usize::from(header.e_shentsize) != size {
        let message = format!("a section header has {size} bytes, not {}", header.e_shentsize);
        return Err(shentsize.invalid("elf-header", message));
    }
    let first = shoff.range("elf-range", "the first section header", (header.e_shoff, size as u64), elf)?;
    let wrong = |error: goblin::error::Error| shoff.invalid("elf-range", error.to_string());
    let table = first.start - elf.start;
    // More sections than the field can say are counted in the first header.
    let count = match header.e_shnum {
        0 => {
            let first = SectionHeader::parse_from(bytes, table, 1, context).map_err(wrong)?;
            first.first().map_or(0, |first| first.sh_size)
        }
        count => u64::from(count),
    };
    let what = format!("the table of {count} section headers");
    shnum.range("elf-range", &what, (header.e_shoff, count.saturating_mul(size as u64)), elf)?;
    if count == 0 {
        return Ok(Sections { header, all: Vec::new(), diags: Vec::new() });
    }
    let headers = SectionHeader::parse_from(bytes, table, count as usize, context).map_err(wrong)?;
    let place = |n: usize| elf.start + table + n * size;
    // 0xffff says that the number stands in the first section header.
    let index = match header.e_shstrndx {
        0xffff => headers.first().map_or(0, |first| first.sh_link as usize),
        index => usize::from(index),
    };
    let Some(strings) = headers.get(index) else {
        let message = format!("the names should be in section {index}, but there are only {count}");
        return Err(shstrndx.invalid("elf-range", message));
    };
    let strings = Section { name: "of names", header: strings.clone(), at: place(index), wide }.bytes(elf)?;
    let mut diags = Vec::new();
    let mut all = Vec::with_capacity(headers.len());
    for (n, header) in headers.into_iter().enumerate() {
        let mut section = Section { name: "", header, at: place(n), wide };
        let offset = section.header.sh_name;
        let name = match strings.start.checked_add(offset).filter(|at| *at < strings.end) {
            Some(at) => zero_ended(file, at, strings.end),
            None if n == 0 => Ok(""),
            None => Err(format!("byte {offset} is outside the {} bytes of names", strings.len())),
        };
        match name {
            Ok(name) => section.name = name,
            Err(message) => diags.push(section.field("sh_name").invalid("elf-name", message)),
        }
        all.push(section);
    }
    Ok(Sections { header, all, diags })
}

/// Where a section lies, for what is said about it.
pub(crate) fn place(bytes: &Range<usize>) -> String {
    format!("{} bytes at byte {}", bytes.len(), span(bytes).start)
}
