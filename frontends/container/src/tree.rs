//! The tree of what lies in a file.

use crate::foreign::Foreign;
use parallax_text::Diag;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// What lies in some bytes of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Name inside of what holds it; empty for the file itself.
    pub name: String,
    /// Its bytes in the file.
    pub bytes: Range<usize>,
    /// What it is.
    pub content: Content,
    /// What it says about itself, as far as that was looked at.
    pub(crate) said: Vec<Fact>,
    /// What is wrong with it. Places count from the start of the file.
    pub diags: Vec<Diag>,
}

/// What bytes are.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// No container. Whether it is a program, frontends know.
    Plain,
    /// Something with members.
    Container {
        /// What it is: `ar archive`.
        title: String,
        /// What it holds, in the order of the file.
        members: Vec<Node>,
    },
    /// A program whose instruction set is known.
    Program(Arc<Program>),
    /// Recognised, and not read.
    Foreign(Foreign),
    /// Damaged so that nothing of it can be used.
    Broken,
}

/// Something a container says: `registers: 12`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// What it is about.
    pub name: &'static str,
    /// What is said.
    pub value: String,
}

/// Machine words, with what a container says about them.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// What the file calls itself: `Cg fragment program`.
    pub title: &'static str,
    /// Name of the instruction set.
    pub isa: &'static str,
    /// Its dialect, where it has several.
    pub dialect: Option<&'static str>,
    /// How words lie, where there is a choice.
    pub order: Option<Order>,
    /// The words in the file.
    pub code: Range<usize>,
    /// The control word of a fragment program.
    pub control: Option<u32>,
    /// Constants inside the words that have names.
    pub constants: Vec<Named>,
    /// Constant banks that come with the program.
    pub banks: Vec<Bank>,
    /// What it says of a kernel.
    pub kernel: Option<Kernel>,
    /// Frontend options, by name, that follow from the file unless the caller says otherwise.
    pub settings: Vec<(String, &'static str)>,
    /// The model of the machine it is for, where that is not the usual one of its instruction set.
    pub model: Option<&'static str>,
}

/// Parameters and memory of a kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kernel {
    /// Offset in constant bank 0 and size of each parameter, in bytes, by number.
    pub params: Vec<(u32, u32)>,
    /// Bytes of memory that a workgroup shares.
    pub shared: u32,
    /// Bytes of local memory of an invocation.
    pub local: u32,
    /// Invocations of a workgroup along x, y and z, where the kernel asks for a number.
    pub block: Option<[u32; 3]>,
}

/// How 32-bit words lie in a file.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// Least byte first.
    Little,
    /// Most significant byte first, and the halves of every word exchanged.
    HalfSwapped,
    /// Most significant byte first: vertex programs in files for RSX.
    Big,
}

impl Order {
    /// The name frontends know it by.
    pub fn name(self) -> &'static str {
        match self {
            Order::Little => "le",
            Order::HalfSwapped | Order::Big => "rsx",
        }
    }

    /// The word of four bytes.
    pub(crate) fn word(self, bytes: [u8; 4]) -> u32 {
        match self {
            Order::Little => u32::from_le_bytes(bytes),
            Order::HalfSwapped => u32::from_be_bytes(bytes).rotate_left(16),
            Order::Big => u32::from_be_bytes(bytes),
        }
    }

    /// The bytes of a word.
    pub(crate) fn bytes(self, word: u32) -> [u8; 4] {
        match self {
            Order::Little => word.to_le_bytes(),
            Order::HalfSwapped => word.rotate_left(16).to_be_bytes(),
            Order::Big => word.to_be_bytes(),
        }
    }
}

/// A constant of four binary32 components inside the words of a program, with the name callers set it by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// Its name.
    pub name: String,
    /// Where it stands, as bytes from the first word: 16 at each place. In a vertex program, from the first constant.
    pub places: Vec<usize>,
    /// What it holds unless somebody sets it, as bits.
    pub value: [u32; 4],
}

/// A constant bank with its initial contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bank {
    /// Number of the bank.
    pub number: u32,
    /// Its bytes in the file, little-endian words.
    pub bytes: Range<usize>,
}

/// Why there is no member of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Nothing has members here.
    NoMembers,
    /// There are others; the nearest name, if one is near.
    Unknown(Option<String>),
}

impl Node {
    /// Bytes nobody has looked at.
    pub(crate) fn plain(name: String, bytes: Range<usize>) -> Node {
        Node { name, bytes, content: Content::Plain, said: Vec::new(), diags: Vec::new() }
    }

    /// The same bytes, of no use.
    pub(crate) fn broken(self, diag: Diag) -> Node {
        let mut node = Node { content: Content::Broken, ..self };
        node.diags.push(diag);
        node
    }

    /// Adds a fact.
    pub(crate) fn say(&mut self, name: &'static str, value: impl Into<String>) {
        self.said.push(Fact { name, value: value.into() });
    }

    /// What it says about itself, in the order of the file.
    pub fn facts(&self, file: &[u8]) -> Vec<Fact> {
        let more = match &self.content {
            Content::Program(program) if program.title == crate::fpo::TITLE => {
                crate::fpo::facts(file, self.bytes.clone())
            }
            _ => Vec::new(),
        };
        self.said.iter().cloned().chain(more).collect()
    }

    /// A program without its neighbours: itself, not what it holds.
    #[must_use]
    pub fn alone(&self) -> Node {
        let content = match &self.content {
            Content::Container { .. } => Content::Broken,
            other => other.clone(),
        };
        Node {
            name: self.name.clone(),
            bytes: self.bytes.clone(),
            content,
            said: Vec::new(),
            diags: self.diags.clone(),
        }
    }

    /// What it holds; empty for all but containers.
    pub fn members(&self) -> &[Node] {
        match &self.content {
            Content::Container { members, .. } => members,
            _ => &[],
        }
    }

    /// Whether something is wrong with it that refuses it.
    pub fn is_refused(&self) -> bool {
        self.diags.iter().any(Diag::is_error)
    }

    /// What a frontend reads: the words of a program, with constants at their places; else the bytes as they are.
    pub fn code<'a>(&self, file: &'a [u8]) -> Cow<'a, [u8]> {
        let slice = |range: &Range<usize>| file.get(range.clone()).unwrap_or(&[]);
        let Content::Program(program) = &self.content else { return Cow::Borrowed(slice(&self.bytes)) };
        let words = slice(&program.code);
        let Some(order) = program.order.filter(|_| !program.constants.is_empty()) else { return Cow::Borrowed(words) };
        let mut words = words.to_vec();
        for constant in &program.constants {
            let bytes: Vec<u8> = constant.value.iter().flat_map(|word| order.bytes(*word)).collect();
            for &place in &constant.places {
                if let Some(slot) = words.get_mut(place..place + bytes.len()) {
                    slot.copy_from_slice(&bytes);
                }
            }
        }
        Cow::Owned(words)
    }

    /// The node that names separated by colons lead to: `kernels.cubin:blend`. A section of code is found with and without
    /// `.text.` in front.
    ///
    /// # Errors
    /// Where there is none.
    pub fn find(&self, path: &str) -> Result<Vec<&Node>, Fault> {
        let members = self.members();
        if members.is_empty() {
            return Err(Fault::NoMembers);
        }
        // Names may hold colons themselves, and begin as sections do: the whole path is tried first.
        let named = |name: &str| members.iter().find(|member| member.name == name);
        if let Some(member) = named(path).or_else(|| named(path.strip_prefix(".text.")?)) {
            return Ok(vec![member]);
        }
        let mut fault = None;
        for (at, _) in path.match_indices(':') {
            let Some(member) = named(&path[..at]) else { continue };
            match member.find(&path[at + 1..]) {
                Ok(rest) => return Ok(std::iter::once(member).chain(rest).collect()),
                Err(inner) => fault = Some(inner),
            }
        }
        Err(fault.unwrap_or_else(|| {
            let names = members.iter().map(|m| m.name.as_str());
            Fault::Unknown(parallax_text::closest(path, names).map(str::to_string))
        }))
    }
}
