//! The assembler's reader: mnemonics and a tree of steps per mnemonic, read from the templates.

mod read;

use crate::code::{Code, Encoding};
use crate::row::{Isa, Meaning, Row, RowId};
use crate::scan::{Label, Refusal, Scan};
use crate::syntax::{Item, Number};
use crate::template::{Step, Template};
use crate::{field::Field, words::Words};
use parallax_text::{Diag, LexOptions, Span, closest};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::marker::PhantomData;

/// What a node of the tree reads.
#[derive(Copy, Clone, Debug)]
enum Read {
    Nothing,
    Text(&'static str),
    /// A number, or a number and annotations: most operands.
    Number(&'static Number, Option<Marks>),
    Marks(Marks),
    Items(&'static [Item]),
}

/// Annotations and the character in front of each: where it does not stand there are none.
#[derive(Copy, Clone, Debug)]
struct Marks {
    items: &'static [Item],
    front: u8,
}

impl Marks {
    /// Items that are annotations and nothing else.
    fn of(items: &'static [Item]) -> Option<Marks> {
        let [Item::Annotations(open, ..)] = items else { return None };
        let front = open.bytes().find(|b| *b != b' ')?;
        Some(Marks { items, front })
    }

    #[inline(always)]
    fn read(self, scan: &mut Scan<'_>) -> bool {
        !scan.is_next(self.front) || scan.items(self.items)
    }
}

impl Read {
    /// How items are read.
    fn of(items: &'static [Item]) -> Read {
        match items {
            [Item::Number(number)] => Read::Number(number, None),
            [Item::Number(number), rest @ ..] if Marks::of(rest).is_some() => Read::Number(number, Marks::of(rest)),
            _ => Marks::of(items).map_or(Read::Items(items), Read::Marks),
        }
    }
}

struct Node<K> {
    step: Option<Step<K>>,
    read: Read,
    next: SmallVec<[u16; 4]>,
    row: Option<RowId>,
    /// The only node that can follow, where no row ends here.
    only: Option<u16>,
}

#[derive(Copy, Clone)]
struct Mnemonic {
    root: u16,
    preset: Option<Preset>,
    /// Number of its further suffixes in [`Reader::suffixes`].
    suffixes: Option<u16>,
}

/// What a suffix says: a field and its value.
type Preset = (&'static Field, u64);

/// A suffix: its field, and the spellings of values.
type Suffix = (&'static Field, &'static [(&'static str, u64)]);

/// Number of a mnemonic in its [`Codec`](crate::Codec).
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct MnemonicId(u16);

/// Mnemonics and step trees.
pub(crate) struct Reader<I: Isa> {
    nodes: Vec<Node<I::Kind>>,
    mnemonics: Vec<Mnemonic>,
    words: Words<MnemonicId>,
    /// Suffixes behind the first one.
    suffixes: Vec<Vec<Suffix>>,
    /// Whether a spelling of these starts with a character, in either case.
    starts_suffix: [bool; 256],
    /// Operands in front of mnemonics.
    leading: SmallVec<[&'static [Item]; 2]>,
    /// Which of them each row has.
    has_leading: Vec<u8>,
    refused: FxHashMap<&'static str, &'static str>,
    isa: PhantomData<I>,
}

/// Operands in front of a mnemonic: which are written, and where the last stands.
#[derive(Copy, Clone)]
struct Leading {
    given: u8,
    at: usize,
}

/// An instruction read from text.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Parsed {
    /// Its row.
    pub row: RowId,
    /// Its code.
    pub code: Code,
    /// What was collected on the way: which fields were set.
    pub encoding: Encoding,
    /// Names of places in the program whose numbers are still to be filled in, in the order they are written.
    pub labels: [Option<Label>; 2],
    /// Where it ends.
    pub end: usize,
}

impl<I: Isa> Reader<I> {
    pub(crate) fn new(rows: &[&'static Row<I>], templates: &[Option<Template<I::Kind>>]) -> Reader<I> {
        let mut reader = Reader {
            nodes: Vec::new(),
            mnemonics: Vec::new(),
            words: Words::default(),
            suffixes: Vec::new(),
            starts_suffix: [false; 256],
            leading: SmallVec::new(),
            has_leading: vec![0; rows.len()],
            refused: FxHashMap::default(),
            isa: PhantomData,
        };
        let mut roots: FxHashMap<&'static str, u16> = FxHashMap::default();
        let mut words: FxHashMap<String, Mnemonic> = FxHashMap::default();
        let mut leading: Vec<I::Kind> = Vec::new();
        for (n, (row, template)) in rows.iter().zip(templates).enumerate() {
            let Some(template) = template else {
                if let Meaning::Refused(reason) = row.meaning {
                    reader.refused.insert(row.name, reason);
                }
                continue;
            };
            for &kind in &template.leading {
                let at = leading.iter().position(|&k| k == kind).unwrap_or_else(|| {
                    leading.push(kind);
                    reader.leading.push(I::syntax(kind).items);
                    leading.len() - 1
                });
                reader.has_leading[n] |= 1 << at;
            }
            let mut all = template.suffixes.iter().filter_map(|kind| I::syntax(*kind).suffix());
            let suffix = all.next();
            let further: Vec<Suffix> = all.collect();
            let suffixes = (!further.is_empty()).then(|| {
                let known = reader.suffixes.iter().position(|other| *other == further);
                known.unwrap_or_else(|| {
                    reader.suffixes.push(further);
                    reader.suffixes.len() - 1
                }) as u16
            });
            for &name in std::iter::once(&row.name).chain(row.aliases) {
                // An alias that is itself the name of rows stands for those, too.
                let own = name == row.name || rows.iter().any(|other| other.name == name);
                let name_of_root = if own { name } else { row.name };
                let root = match roots.get(name_of_root) {
                    Some(&root) => root,
                    None => *roots.entry(name_of_root).or_insert(reader.push(None)),
                };
                if own {
                    reader.add(root, template, RowId(n as u16));
                }
                let Some((field, spellings)) = suffix else {
                    words.insert(name.to_string(), Mnemonic { root, preset: None, suffixes });
                    continue;
                };
                for &(end, value) in spellings {
                    let preset = Some((field, value));
                    words.insert(format!("{name}{end}"), Mnemonic { root, preset, suffixes });
                }
            }
        }
        let all = words.into_iter().enumerate().map(|(n, (word, mnemonic))| {
            reader.mnemonics.push(mnemonic);
            (word, MnemonicId(n as u16))
        });
        reader.words = Words::new(all);
        let spellings = reader.suffixes.iter().flatten().flat_map(|(_, spellings)| *spellings);
        for first in spellings.filter_map(|(name, _)| name.bytes().next()) {
            reader.starts_suffix[usize::from(first.to_ascii_lowercase())] = true;
            reader.starts_suffix[usize::from(first.to_ascii_uppercase())] = true;
        }
        for node in &mut reader.nodes {
            node.only = match *node.next.as_slice() {
                [only] if node.row.is_none() => Some(only),
                _ => None,
            };
        }
        reader
    }

    /// Adds a row behind `root`. Of rows whose texts are alike, the first is read.
    fn add(&mut self, root: u16, template: &Template<I::Kind>, row: RowId) {
        let mut node = root;
        for step in template.reading() {
            let known = self.nodes[node as usize].next.iter().copied();
            let known = known.into_iter().find(|&k| self.nodes[k as usize].step == Some(step));
            node = known.unwrap_or_else(|| {
                let next = self.push(Some(step));
                self.nodes[node as usize].next.push(next);
                next
            });
        }
        self.nodes[node as usize].row.get_or_insert(row);
    }

    fn push(&mut self, step: Option<Step<I::Kind>>) -> u16 {
        let read = match step {
            None => Read::Nothing,
            // Blanks may stand in front of every step.
            Some(Step::Text(text)) => Read::Text(text.trim()),
            Some(Step::Operand(kind)) => Read::of(I::syntax(kind).items),
        };
        self.nodes.push(Node { step, read, next: SmallVec::new(), row: None, only: None });
        (self.nodes.len() - 1) as u16
    }

    #[inline]
    fn mnemonic(&self, word: &str) -> Option<MnemonicId> {
        self.words.get(word.as_bytes(), 0, word.len()).or_else(|| self.other_case(word))
    }

    /// A mnemonic in the other case: tables are written in one, texts may use either.
    #[cold]
    fn other_case(&self, word: &str) -> Option<MnemonicId> {
        let find = |word: String| self.words.get(word.as_bytes(), 0, word.len());
        find(word.to_ascii_lowercase()).or_else(|| find(word.to_ascii_uppercase()))
    }

    /// A word that is a mnemonic and further suffixes, and what these say.
    #[inline(never)]
    fn with_suffixes(&self, word: &str) -> Option<(MnemonicId, SmallVec<[Preset; 4]>)> {
        if self.suffixes.is_empty() {
            return None;
        }
        // The longest mnemonic counts. What follows it starts with a suffix, so it is ASCII.
        let starts_suffix = |end: &usize| self.starts_suffix[usize::from(word.as_bytes()[*end])];
        (1..word.len()).rev().filter(starts_suffix).find_map(|end| {
            let mnemonic = self.mnemonic(&word[..end])?;
            let (mut rest, mut said) = (&word[end..], SmallVec::new());
            let suffixes = self.mnemonics[usize::from(mnemonic.0)].suffixes?;
            for (field, spellings) in &self.suffixes[usize::from(suffixes)] {
                let stands = |name: &str| rest.get(..name.len()).is_some_and(|front| front.eq_ignore_ascii_case(name));
                // The longest spelling counts, among equals the first.
                let fits = spellings.iter().rev().filter(|(name, _)| stands(name));
                let (name, value) = fits.max_by_key(|(name, _)| name.len())?;
                rest = &rest[name.len()..];
                said.push((*field, *value));
            }
            rest.is_empty().then_some((mnemonic, said))
        })
    }

    /// All spellings of mnemonics, sorted.
    pub(crate) fn spellings(&self) -> Vec<&str> {
        let mut all: Vec<&str> = self.words.iter().collect();
        all.sort_unstable();
        all
    }

    #[inline(always)]
    fn step(node: &Node<I::Kind>, scan: &mut Scan<'_>) -> bool {
        match node.read {
            Read::Nothing => true,
            Read::Text(text) => scan.literal(text),
            Read::Number(number, marks) => {
                scan.blanks();
                scan.number(number) && marks.is_none_or(|marks| marks.read(scan))
            }
            Read::Marks(marks) => marks.read(scan),
            Read::Items(items) => scan.items(items),
        }
    }

    /// Follows the tree behind `node` to the first row whose text stands here; `None` where there is none. What was read
    /// on a way that led nowhere is forgotten.
    fn follow(&self, node: u16, scan: &mut Scan<'_>) -> Option<RowId> {
        let mut node = &self.nodes[usize::from(node)];
        while let Some(only) = node.only {
            node = &self.nodes[usize::from(only)];
            if !Self::step(node, scan) {
                return None;
            }
        }
        if node.next.is_empty() { node.row } else { self.choose(node, scan) }
    }

    /// Takes the first step behind `node` from which a row can be reached.
    fn choose(&self, node: &Node<I::Kind>, scan: &mut Scan<'_>) -> Option<RowId> {
        let start = scan.place();
        let mut is_back = true;
        let reached = node.next.iter().find_map(|&next| {
            let node = &self.nodes[usize::from(next)];
            if !is_back {
                scan.return_to(start);
            }
            if Self::step(node, scan) {
                is_back = false;
                return self.follow(next, scan);
            }
            // A text that does not stand here takes nothing but blanks.
            is_back &= matches!(node.read, Read::Text(_));
            None
        });
        reached.or_else(|| {
            scan.return_to(start);
            node.row
        })
    }

    /// Says why no row behind `node` can be reached.
    #[cold]
    fn refused(&self, node: u16, scan: &mut Scan<'_>, lexer: LexOptions) -> Box<Diag> {
        let mut found = Vec::new();
        self.refusals(node, scan, &mut found);
        Box::new(scan.explain(&found, lexer))
    }

    /// Collects why no row behind `node` can be reached.
    #[cold]
    fn refusals(&self, node: u16, scan: &mut Scan<'_>, found: &mut Vec<Refusal>) {
        let start = scan.place();
        for &next in &self.nodes[usize::from(node)].next {
            scan.return_to(start);
            if Self::step(&self.nodes[usize::from(next)], scan) {
                self.refusals(next, scan, found);
            } else {
                found.push(scan.refusal);
            }
        }
    }

    #[cold]
    fn unknown(&self, word: &str, span: Span) -> Diag {
        if let Some(reason) = self.refused.get(word.to_ascii_lowercase().as_str()) {
            return Diag::invalid("refused-instruction", span, format!("`{word}`: {reason}"));
        }
        let diag = Diag::invalid("unknown-mnemonic", span, format!("unknown instruction `{word}`"));
        match closest(word, self.spellings()) {
            Some(near) => diag.with_help(format!("did you mean `{near}`?")),
            None => diag,
        }
    }
}
