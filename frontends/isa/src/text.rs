//! The assembler's reader: mnemonics and a tree of steps per mnemonic, read from the templates.

mod read;
mod recogniser;

use crate::code::{Code, Encoding};
use crate::row::{Isa, Meaning, Row, RowId};
use crate::scan::{Label, Refusal, Scan};
use crate::syntax::Item;
use crate::template::{Step, Template};
use crate::{field::Field, words::Words};
use parallax_text::{Diag, LexOptions, Span, closest};
use recogniser::{Part, Recogniser, Settings, Steps};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::marker::PhantomData;

struct Node<K> {
    step: Option<Step<K>>,
    next: SmallVec<[u16; 4]>,
    row: Option<RowId>,
    /// Reads its step, and those behind it up to where there is a choice. Only where reading starts or goes on behind one this
    /// and the following are known.
    steps: Steps,
    /// The node there.
    end: u16,
    /// The number of the set of characters it may begin with.
    first: u32,
}

impl<K: Copy> Node<K> {
    /// What its own step reads.
    fn part<I: Isa<Kind = K>>(&self) -> Option<Part> {
        Some(match self.step? {
            // Blanks may stand in front of every step.
            Step::Text(text) => Part::Text(text.trim()),
            Step::Operand(kind) => Part::Items(I::syntax(kind).items),
        })
    }
}

struct Mnemonic {
    root: u16,
    /// What its suffix says.
    says: Settings,
    /// Number of its further suffixes in [`Reader::further`].
    further: Option<u16>,
}

/// What a suffix says: a field and its value.
type Preset = (&'static Field, u64);

/// A suffix: its field, and the spellings of values.
type Suffix = (&'static Field, &'static [(&'static str, u64)]);

/// Suffixes of a mnemonic behind the first one.
struct Further {
    suffixes: Vec<Suffix>,
    /// Numbers in `says` by how all of them are spelled together, where these are few. Their case is that of the table.
    spelled: Words<u16>,
    says: Vec<Settings>,
}

/// What further suffixes say.
enum Said<'a> {
    Known(&'a Settings),
    Values(SmallVec<[Preset; 4]>),
}

impl Further {
    fn new(suffixes: Vec<Suffix>, recogniser: &mut Recogniser) -> Further {
        /// Most spellings that are prepared.
        const MOST: usize = 256;
        let mut further = Further { suffixes, spelled: Words::default(), says: Vec::new() };
        if further.suffixes.iter().map(|(_, spellings)| spellings.len()).product::<usize>() > MOST {
            return further;
        }
        let all = further.suffixes.iter().fold(vec![String::new()], |fronts, (_, spellings)| {
            fronts.iter().flat_map(|front| spellings.iter().map(move |(end, _)| front.clone() + end)).collect()
        });
        let mut spelled = Vec::new();
        for text in all {
            if let Some(said) = further.read(&text) {
                spelled.push((text, further.says.len() as u16));
                further.says.push(recogniser.values(&said));
            }
        }
        further.spelled = Words::new(spelled);
        further
    }

    /// What the suffixes that are a text say, in either case.
    fn read(&self, mut text: &str) -> Option<SmallVec<[Preset; 4]>> {
        let mut said = SmallVec::new();
        for (field, spellings) in &self.suffixes {
            let stands = |name: &str| text.get(..name.len()).is_some_and(|front| front.eq_ignore_ascii_case(name));
            // The longest spelling counts, among equals the first.
            let fits = spellings.iter().rev().filter(|(name, _)| stands(name));
            let (name, value) = fits.max_by_key(|(name, _)| name.len())?;
            text = &text[name.len()..];
            said.push((*field, *value));
        }
        text.is_empty().then_some(said)
    }
}

/// Number of a mnemonic in its [`Codec`](crate::Codec).
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct MnemonicId(u16);

/// Mnemonics and step trees.
pub(crate) struct Reader<I: Isa> {
    nodes: Vec<Node<I::Kind>>,
    recogniser: Recogniser,
    mnemonics: Vec<Mnemonic>,
    words: Words<MnemonicId>,
    /// Whether mnemonics have letters of either case: small, capital.
    cases: [bool; 2],
    /// Suffixes behind the first one.
    further: Vec<Further>,
    /// Whether a spelling of these starts with a character, in either case.
    starts_suffix: [bool; 256],
    /// Operands in front of mnemonics.
    leading: SmallVec<[Prefix; 2]>,
    /// Which of them each row has.
    has_leading: Vec<u8>,
    refused: FxHashMap<&'static str, &'static str>,
    isa: PhantomData<I>,
}

/// An operand in front of mnemonics.
#[derive(Clone)]
struct Prefix {
    items: &'static [Item],
    steps: Steps,
    /// What is said where it is not written.
    absence: Settings,
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

/// An instruction being read, where it stays: nothing is copied to those who look at it.
pub struct Reading<'a>(Scan<'a>);

impl<'a> Reading<'a> {
    /// Nothing is read yet of a text; `known` is what [`Codec::read_beside`](crate::Codec::read_beside) says.
    #[inline(always)]
    pub fn new(source: &'a str, known: &Encoding) -> Reading<'a> {
        Reading(Scan::new(source, 0, *known))
    }

    /// What was collected: which fields were set.
    #[inline(always)]
    pub fn encoding(&self) -> &Encoding {
        &self.0.encoding
    }

    /// The first name of a place in the program whose number is still to be filled in.
    #[inline(always)]
    pub fn label(&self) -> Option<Label> {
        self.0.labels[0]
    }

    /// Where it ends.
    #[inline(always)]
    pub fn end(&self) -> usize {
        self.0.at
    }
}

impl<I: Isa> Reader<I> {
    pub(crate) fn new(rows: &[&'static Row<I>], templates: &[Option<Template<I::Kind>>]) -> Reader<I> {
        let mut reader = Reader {
            nodes: Vec::new(),
            recogniser: Recogniser::default(),
            mnemonics: Vec::new(),
            words: Words::default(),
            cases: [false; 2],
            further: Vec::new(),
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
                    let items = I::syntax(kind).items;
                    let (steps, absence) = (reader.recogniser.items(items), reader.recogniser.absence(items));
                    reader.leading.push(Prefix { items, steps, absence });
                    leading.len() - 1
                });
                reader.has_leading[n] |= 1 << at;
            }
            let mut all = template.suffixes.iter().filter_map(|kind| I::syntax(*kind).suffix());
            let suffix = all.next();
            let suffixes: Vec<Suffix> = all.collect();
            let further = (!suffixes.is_empty()).then(|| {
                let known = reader.further.iter().position(|other| other.suffixes == suffixes);
                known.unwrap_or_else(|| {
                    reader.further.push(Further::new(suffixes, &mut reader.recogniser));
                    reader.further.len() - 1
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
                    let says = reader.recogniser.values(&[]);
                    words.insert(name.to_string(), Mnemonic { root, says, further });
                    continue;
                };
                for &(end, value) in spellings {
                    let says = reader.recogniser.values(&[(field, value)]);
                    words.insert(format!("{name}{end}"), Mnemonic { root, says, further });
                }
            }
        }
        let all = words.into_iter().enumerate().map(|(n, (word, mnemonic))| {
            reader.mnemonics.push(mnemonic);
            (word, MnemonicId(n as u16))
        });
        reader.words = Words::new(all);
        let has = |is_such: fn(u8) -> bool| reader.words.iter().any(|word| word.bytes().any(is_such));
        reader.cases = [has(|b| b.is_ascii_lowercase()), has(|b| b.is_ascii_uppercase())];
        let suffixes = reader.further.iter().flat_map(|further| &further.suffixes);
        let spellings = suffixes.flat_map(|(_, spellings)| *spellings);
        for first in spellings.filter_map(|(name, _)| name.bytes().next()) {
            reader.starts_suffix[usize::from(first.to_ascii_lowercase())] = true;
            reader.starts_suffix[usize::from(first.to_ascii_uppercase())] = true;
        }
        reader.compile();
        reader
    }

    /// Prepares what is read at once from the mnemonics and from choices on.
    fn compile(&mut self) {
        let roots = (0..self.nodes.len()).filter(|n| self.nodes[*n].step.is_none());
        let chosen = self.nodes.iter().filter(|node| node.next.len() > 1 || node.row.is_some());
        let heads: Vec<usize> = roots.chain(chosen.flat_map(|node| &node.next).map(|n| usize::from(*n))).collect();
        for n in heads {
            let (mut end, mut parts) = (n, Vec::from_iter(self.nodes[n].part::<I>()));
            while let ([only], None) = (self.nodes[end].next.as_slice(), self.nodes[end].row) {
                end = usize::from(*only);
                parts.extend(self.nodes[end].part::<I>());
            }
            let node = &mut self.nodes[n];
            node.end = end as u16;
            node.first = self.recogniser.first(&parts);
            node.steps = self.recogniser.compile(&parts);
        }
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
        self.nodes.push(Node { step, next: SmallVec::new(), row: None, steps: Steps::default(), end: 0, first: 0 });
        (self.nodes.len() - 1) as u16
    }

    /// The mnemonic that stands in a text from byte `start` up to byte `end`.
    #[inline]
    fn mnemonic_at(&self, source: &str, start: usize, end: usize) -> Option<MnemonicId> {
        self.words.get(source.as_bytes(), start, end).or_else(|| self.other_case(source.get(start..end)?))
    }

    #[inline]
    fn mnemonic(&self, word: &str) -> Option<MnemonicId> {
        self.mnemonic_at(word, 0, word.len())
    }

    /// A mnemonic in the other case: tables are written in one, texts may use either.
    #[cold]
    fn other_case(&self, word: &str) -> Option<MnemonicId> {
        let find = |word: String| self.words.get(word.as_bytes(), 0, word.len());
        let [small, capital] = self.cases;
        let lower = || (small && word.bytes().any(|b| b.is_ascii_uppercase())).then(|| word.to_ascii_lowercase());
        let upper = || (capital && word.bytes().any(|b| b.is_ascii_lowercase())).then(|| word.to_ascii_uppercase());
        lower().and_then(find).or_else(|| upper().and_then(find))
    }

    /// A word that is a mnemonic and further suffixes, and what these say.
    #[inline(never)]
    fn with_suffixes(&self, word: &str) -> Option<(MnemonicId, Said<'_>)> {
        if self.further.is_empty() {
            return None;
        }
        let bytes = word.as_bytes();
        // The longest mnemonic counts. What follows it starts with a suffix, so it is ASCII.
        let starts_suffix = |end: &usize| self.starts_suffix[usize::from(bytes[*end])];
        (1..word.len()).rev().filter(starts_suffix).find_map(|end| {
            let mnemonic = self.mnemonic(&word[..end])?;
            let further = &self.further[usize::from(self.mnemonics[usize::from(mnemonic.0)].further?)];
            let said = match further.spelled.get(bytes, end, word.len()) {
                Some(n) => Said::Known(&further.says[usize::from(n)]),
                None => Said::Values(further.read(&word[end..])?),
            };
            Some((mnemonic, said))
        })
    }

    /// All spellings of mnemonics, sorted.
    pub(crate) fn spellings(&self) -> Vec<&str> {
        let mut all: Vec<&str> = self.words.iter().collect();
        all.sort_unstable();
        all
    }

    /// Follows the tree from `node` on to the first row whose text stands here; `None` where there is none. The scan is then
    /// somewhere on a way that led nowhere.
    fn follow(&self, node: u16, scan: &mut Scan<'_>) -> Option<RowId> {
        let node = &self.nodes[usize::from(node)];
        if !node.steps.read(scan) {
            return None;
        }
        let end = &self.nodes[usize::from(node.end)];
        if end.next.is_empty() { end.row } else { self.choose(end, scan) }
    }

    /// Takes the first way behind `node` that leads to a row.
    fn choose(&self, node: &Node<I::Kind>, scan: &mut Scan<'_>) -> Option<RowId> {
        let behind = scan.at;
        scan.blanks();
        let byte = scan.byte(0);
        let may_begin = |next: &u16| self.recogniser.may_begin(self.nodes[usize::from(*next)].first, byte);
        let mut ways = node.next.iter().copied().filter(may_begin);
        let mut way = ways.next();
        while let Some(next) = way {
            way = ways.next();
            if way.is_none() && node.row.is_none() {
                return self.follow(next, scan);
            }
            let start = scan.place();
            let reached = self.follow(next, scan);
            if reached.is_some() {
                return reached;
            }
            scan.return_to(start);
        }
        scan.at = behind;
        node.row
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
            let stands = match self.nodes[usize::from(next)].step {
                None => true,
                // Blanks may stand in front of every step.
                Some(Step::Text(text)) => scan.literal(text.trim()),
                Some(Step::Operand(kind)) => scan.items(I::syntax(kind).items),
            };
            if stands {
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
