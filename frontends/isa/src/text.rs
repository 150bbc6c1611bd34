//! The assembler's reader: mnemonics and a tree of steps per mnemonic, read from the templates.

use crate::template::{Literal, Step, Template};
use crate::{Codec, Encoding, Field, Isa, Meaning, Row, RowId, skim};
use nom::{Err, IResult};
use parallax_text::{Diag, Span, TokenKind, Tokens, TokensError, closest};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

pub(crate) struct Node<C> {
    pub(crate) step: Option<Step<C>>,
    pub(crate) next: SmallVec<[u16; 4]>,
    pub(crate) row: Option<RowId>,
}

#[derive(Copy, Clone)]
pub(crate) struct Mnemonic {
    pub(crate) root: u16,
    pub(crate) preset: Option<(&'static Field, u64)>,
}

/// Mnemonics and step trees.
pub(crate) struct Reader<I: Isa> {
    pub(crate) nodes: Vec<Node<I::Class>>,
    mnemonics: FxHashMap<String, Mnemonic>,
    /// The short ones, as [`skim::key`] makes them.
    pub(crate) plain: FxHashMap<u128, Mnemonic>,
    pub(crate) leading: SmallVec<[I::Class; 2]>,
    pub(crate) has_leading: Vec<u8>,
    refused: FxHashMap<&'static str, &'static str>,
}

/// An instruction read from text.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Parsed {
    /// Its row.
    pub row: RowId,
    /// The word.
    pub word: u128,
    /// What was collected on the way: which fields were set, which place is still to be resolved.
    pub encoding: Encoding,
    /// Where it stands.
    pub span: Span,
}

impl<I: Isa> Reader<I> {
    pub(crate) fn new(rows: &[&'static Row<I>], templates: &[Option<Template<I::Class>>]) -> Reader<I> {
        let mut reader = Reader {
            nodes: Vec::new(),
            mnemonics: FxHashMap::default(),
            plain: FxHashMap::default(),
            leading: SmallVec::new(),
            has_leading: vec![0; rows.len()],
            refused: FxHashMap::default(),
        };
        let mut roots: FxHashMap<&'static str, u16> = FxHashMap::default();
        for (n, (row, template)) in rows.iter().zip(templates).enumerate() {
            let Some(template) = template else {
                if let Meaning::Refused(reason) = row.meaning {
                    reader.refused.insert(row.name, reason);
                }
                continue;
            };
            for class in template.leading().iter().map(|piece| piece.class) {
                if !reader.leading.contains(&class) {
                    reader.leading.push(class);
                }
                let at = reader.leading.iter().position(|&c| c == class).unwrap_or(0);
                reader.has_leading[n] |= 1 << at;
            }
            let root = match roots.get(row.name) {
                Some(&root) => root,
                None => {
                    let root = reader.push(None);
                    roots.insert(row.name, root);
                    root
                }
            };
            let mut node = root;
            for &step in &template.steps {
                let known = reader.nodes[node as usize].next.iter().copied();
                let known = known.into_iter().find(|&k| reader.nodes[k as usize].step == Some(step));
                node = match known {
                    Some(next) => next,
                    None => {
                        let next = reader.push(Some(step));
                        reader.nodes[node as usize].next.push(next);
                        next
                    }
                };
            }
            reader.nodes[node as usize].row = Some(RowId(n as u16));
            let glued = template.glued.map(|class| (&I::fields(class)[0], I::glued(class)));
            for name in std::iter::once(&row.name).chain(row.aliases) {
                match glued {
                    None => {
                        reader.mnemonics.insert(name.to_string(), Mnemonic { root, preset: None });
                    }
                    Some((field, spellings)) => {
                        for &(tail, value) in spellings {
                            let preset = Some((field, value));
                            reader.mnemonics.insert(format!("{name}{tail}"), Mnemonic { root, preset });
                        }
                    }
                }
            }
        }
        reader.plain = reader.mnemonics.iter().filter_map(|(name, m)| Some((skim::key(name)?, *m))).collect();
        reader
    }

    fn push(&mut self, step: Option<Step<I::Class>>) -> u16 {
        self.nodes.push(Node { step, next: SmallVec::new(), row: None });
        (self.nodes.len() - 1) as u16
    }

    fn mnemonic(&self, word: &str) -> Option<Mnemonic> {
        // Tables are written in one case; texts may use the other.
        let exact = self.mnemonics.get(word);
        let lower = || self.mnemonics.get(&word.to_ascii_lowercase());
        let upper = || self.mnemonics.get(&word.to_ascii_uppercase());
        exact.or_else(lower).or_else(upper).copied()
    }

    /// All spellings of mnemonics, sorted.
    pub(crate) fn spellings(&self) -> Vec<&str> {
        let mut all: Vec<&str> = self.mnemonics.keys().map(String::as_str).collect();
        all.sort_unstable();
        all
    }

    fn choose(&self, node: &Node<I::Class>, input: Tokens<'_>) -> Option<u16> {
        node.next.iter().copied().find(|&k| match self.nodes[k as usize].step {
            Some(Step::Operand(class)) => I::starts(class, input),
            Some(Step::Literal(literal)) => stands(literal, input),
            None => false,
        })
    }

    fn expected(&self, node: &Node<I::Class>, input: Tokens<'_>) -> Diag {
        let mut wanted: Vec<String> = node
            .next
            .iter()
            .filter_map(|&k| self.nodes[k as usize].step)
            .map(|step| match step {
                Step::Operand(class) => I::expected(class).to_string(),
                Step::Literal(Literal::Punct(p)) => format!("`{}`", char::from(p)),
                Step::Literal(Literal::Word(word)) => format!("`{word}`"),
            })
            .collect();
        wanted.dedup();
        input.expected("syntax", &wanted.join(" or "))
    }
}

fn stands(literal: Literal, input: Tokens<'_>) -> bool {
    match literal {
        Literal::Punct(p) => input.peek().kind == TokenKind::Punct(p),
        Literal::Word(word) => input.peek().kind == TokenKind::Word && input.peek_text().eq_ignore_ascii_case(word),
    }
}

fn fail<T>(diag: Diag) -> Result<T, Err<TokensError>> {
    Err(Err::Error(diag.into()))
}

impl<I: Isa> Codec<I> {
    /// Whether a word is a mnemonic.
    pub fn is_mnemonic(&self, word: &str) -> bool {
        self.reader().mnemonic(word).is_some()
    }

    /// Reads one instruction; what ends it is left to the caller.
    ///
    /// # Errors
    /// The first problem, located at the offending token.
    pub fn read<'a>(&self, mut input: Tokens<'a>) -> IResult<Tokens<'a>, Parsed, TokensError> {
        let reader = self.reader();
        let start = input.span();
        let mut encoding = Encoding::default();
        let mut given = 0u8;
        let mut given_span = start;
        for (n, &class) in reader.leading.iter().enumerate() {
            if I::starts(class, input) {
                given |= 1 << n;
                given_span = input.span();
                (input, ()) = I::read(class, input, &mut encoding)?;
            }
        }
        let word = input.peek();
        if word.kind != TokenKind::Word {
            return fail(input.expected("syntax", "a mnemonic"));
        }
        let text = input.text(word);
        let Some(mnemonic) = reader.mnemonic(text) else {
            if let Some(reason) = reader.refused.get(text.to_ascii_lowercase().as_str()) {
                return fail(Diag::invalid("refused-instruction", word.span, format!("`{text}`: {reason}")));
            }
            let diag = Diag::invalid("unknown-mnemonic", word.span, format!("there is no instruction `{text}`"));
            let near = closest(text, reader.spellings());
            return fail(match near {
                Some(near) => diag.with_help(format!("did you mean `{near}`?")),
                None => diag,
            });
        };
        input.bump();
        if let Some((field, value)) = mnemonic.preset {
            // The first field set cannot clash with the leading operands: their fields are others.
            let _ = encoding.put(field, value);
        }
        let mut node = &reader.nodes[usize::from(mnemonic.root)];
        let row = loop {
            let next = match *node.next.as_slice() {
                [] => None,
                [only] if node.row.is_none() => Some(only),
                _ => {
                    let chosen = reader.choose(node, input);
                    if chosen.is_none() && node.row.is_none() {
                        return fail(reader.expected(node, input));
                    }
                    chosen
                }
            };
            let Some(next) = next else { break node.row };
            node = &reader.nodes[usize::from(next)];
            match node.step {
                Some(Step::Operand(class)) => (input, ()) = I::read(class, input, &mut encoding)?,
                Some(Step::Literal(literal)) if stands(literal, input) => {
                    input.bump();
                }
                _ => {
                    let wanted = match node.step {
                        Some(Step::Literal(Literal::Punct(p))) => format!("`{}`", char::from(p)),
                        Some(Step::Literal(Literal::Word(word))) => format!("`{word}`"),
                        _ => "an operand".into(),
                    };
                    return fail(input.expected("syntax", &wanted));
                }
            }
        };
        let span = Span { start: start.start, end: input.span().start.max(word.span.end) };
        let Some(row) = row else { return fail(Diag::internal("isa", Some(span), "a template has no row")) };
        if given & !reader.has_leading[row.index()] != 0 {
            let message = format!("`{}` takes no such prefix", self.row(row).name);
            return fail(Diag::invalid("no-prefix", given_span, message));
        }
        let absent = reader.has_leading[row.index()] & !given;
        for (n, &class) in reader.leading.iter().enumerate() {
            if absent >> n & 1 != 0 {
                I::omitted(class, &mut encoding);
            }
        }
        let pattern = &self.row(row).pattern;
        if encoding.flips() & pattern.fixed != 0 {
            let message = "the marked bits would change the operation itself";
            return fail(Diag::invalid("mark-changes-operation", span, message));
        }
        let word = encoding.finish(pattern.base());
        match self.decode(word) {
            Ok(found) if found == row => Ok((input, Parsed { row, word, encoding, span })),
            Ok(_) => fail(Diag::internal("isa", Some(span), "the word reads back as another instruction")),
            Err(reject) => fail(self.explain(word, reject, span)),
        }
    }
}
