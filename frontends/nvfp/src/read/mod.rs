//! Text to [`Program`]: header, statements, recovery at `;`.

mod declare;
mod instr;
mod operand;
mod preprocess;

use crate::ast::{Name, NameId, Program, Stmt, StmtKind};
use crate::check;
use crate::dialect::{Dialect, Features};
use parallax_text::{Code, Comments, Diag, LexOptions, Span, Token, TokenKind, TokenStream, mark_len};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Shape of statements: tokens that do not fit.
pub(crate) const SYNTAX: Code = "nvfp-syntax";
/// Opcodes and suffixes.
pub(crate) const OPCODE: Code = "nvfp-opcode";
/// Operands: registers, swizzles, masks, limits on attributes and parameters.
pub(crate) const OPERAND: Code = "nvfp-operand";
/// Outputs: what must and must not be written.
pub(crate) const OUTPUT: Code = "nvfp-output";
/// Names: undeclared, declared twice, reserved.
pub(crate) const NAME: Code = "nvfp-name";
/// Options.
pub(crate) const OPTION: Code = "nvfp-option";
/// Blocks, labels, subroutines.
pub(crate) const FLOW: Code = "nvfp-flow";
/// Budgets.
pub(crate) const LIMIT: Code = "nvfp-limit";
/// Vertex programs.
const VERTEX: Code = "nvfp-vertex";

/// Headers of programs that are not executed, why, and what to do.
const OTHER_HEADERS: [(&str, &str, &str); 2] = [
    (
        "!!VP3.0",
        "no extension defines this header: NV_vertex_program3 is an option of `!!ARBvp1.0`",
        "begin with `!!ARBvp1.0` and `OPTION NV_vertex_program3;`",
    ),
    (
        "!!VSP1.0",
        "this is a vertex state program: it writes parameters, and makes no vertex",
        "write its results into the manifest as constants",
    ),
];

pub(crate) type Read<T> = Result<T, Diag>;

/// Reads a program. `dialect` forces one; otherwise the header decides, and a text without header is the patent's.
/// All problems of the text are returned, in order of place; the program is `None` when any of them is an error.
pub fn parse(text: &str, dialect: Option<Dialect>) -> (Option<Program>, Vec<Diag>) {
    let vertex = vertex_program(text).filter(|_| dialect != Some(Dialect::ArbVertex));
    let start = program_start(text, dialect);
    let body = &text[start..];
    let first_word = || &body[..body.find(char::is_whitespace).unwrap_or(body.len())];
    let dialect = match (dialect, Dialect::sniff(body)) {
        (Some(forced), _) => forced,
        (None, Some(found)) => found,
        (None, None) if body.starts_with("!!") => {
            let word = first_word();
            let span = Span::new(start, start + word.len());
            if let Some((_, why, help)) = OTHER_HEADERS.iter().find(|(header, ..)| *header == word) {
                let diag = Diag::unsupported(VERTEX, span, format!("`{word}` is not executed: {why}"));
                return (None, vec![diag.with_help(*help)]);
            }
            let diag = Diag::invalid(SYNTAX, span, format!("unknown program header `{word}`")).with_help(
                "known headers: `!!FP1.0`, `!!ARBfp1.0`, `!!ARBvp1.0`, `!!VP1.0`, `!!VP1.1`, `!!VP2.0`, `!!NVP7136070`, or \
                 none for the patent dialect",
            );
            return (None, vec![diag]);
        }
        (None, None) => Dialect::Patent,
    };
    if dialect.is_words() {
        let message = "NV40 microcode is assembled, not read as a program text";
        return (None, vec![Diag::invalid(SYNTAX, Span::new(start, start), message)]);
    }
    let mut diags = Vec::new();
    if let Some(span) = vertex {
        let message = "the vertex program of this file is not read: `--dialect arbvp1.0` reads it alone";
        diags.push(Diag::warning(VERTEX, span, message));
    }
    let header = dialect.header().len();
    let (skip, wrong_header) = match (body.starts_with(dialect.header()), dialect) {
        (true, _) => (start + header, false),
        (false, Dialect::Patent) => (start, body.starts_with("!!")),
        (false, _) => (start, true),
    };
    if wrong_header {
        let word = first_word();
        diags.push(Diag::invalid(
            SYNTAX,
            Span::new(start, start + word.len()),
            format!("the program must start with `{}`, found `{word}`", dialect.header()),
        ));
        return (None, diags);
    }
    let tokens = match dialect {
        Dialect::Patent => preprocess::tokens(text, skip, &mut diags),
        _ => {
            let options =
                LexOptions { comments: Comments::Line(b'#'), newlines: false, carriage_return: true, floats: true };
            TokenStream::new(text, skip..text.len(), options)
        }
    };
    let features = match dialect {
        Dialect::Fp10 => Features::NV1,
        Dialect::Vp20 => Features::NV1 | Features::VP2,
        _ => Features::empty(),
    };
    let program = Program {
        dialect,
        options: Vec::new(),
        features,
        names: Name::addresses(dialect),
        body: Vec::new(),
        microcode: Arc::default(),
        vertex_microcode: Arc::default(),
    };
    let mut reader = Parser {
        tokens,
        program,
        names: dialect.addresses().iter().enumerate().map(|(n, name)| (*name, NameId(n))).collect(),
        diags,
        last: Span::default(),
    };
    let mut body = Vec::with_capacity(reader.tokens.statements_left());
    reader.statements(&mut body);
    let Parser { mut program, mut diags, .. } = reader;
    program.body = body;
    check::program(&program, &mut diags);
    parallax_text::sort_by_key(&mut diags, |d| d.span.map(|s| s.start));
    let program = if diags.iter().any(Diag::is_error) { None } else { Some(program) };
    (program, diags)
}

/// Where the program of a text begins: at its start, behind a byte order mark, or where its header follows another program or
/// comments. Doom 3 looks for both headers anywhere in a file; the fragment program is read unless the other is asked for.
fn program_start(text: &str, dialect: Option<Dialect>) -> usize {
    let start = mark_len(text);
    let headers = match dialect {
        Some(Dialect::ArbVertex) => [Dialect::ArbVertex; 2],
        _ => [Dialect::Arb, Dialect::ArbVertex],
    };
    match text.as_bytes().get(start) {
        Some(b'#' | b'!') if !text[start..].starts_with(headers[0].header()) => {
            headers.iter().find_map(|dialect| line_start(text, dialect.header())).unwrap_or(start)
        }
        _ => start,
    }
}

/// The header of a vertex program that stands in one file with a fragment program.
fn vertex_program(text: &str) -> Option<Span> {
    let header = Dialect::ArbVertex.header();
    line_start(text, Dialect::Arb.header())?;
    line_start(text, header).map(|start| Span::new(start, start + header.len()))
}

/// The first place where a line begins with a header.
fn line_start(text: &str, word: &str) -> Option<usize> {
    let mark = mark_len(text);
    let marked = text.match_indices('!').map(|(at, _)| at).filter(|&at| text[at..].starts_with(word));
    { marked }.find(|&at| at == mark || text.as_bytes()[at - 1] == b'\n')
}

/// The place in the text and what has been read so far.
pub(crate) struct Parser<'a> {
    tokens: TokenStream<'a>,
    program: Program,
    /// Declared names.
    names: FxHashMap<&'a str, NameId>,
    diags: Vec<Diag>,
    /// The token taken last.
    last: Span,
}

impl<'a> Parser<'a> {
    fn dialect(&self) -> Dialect {
        self.program.dialect
    }

    fn has(&self, feature: Features) -> bool {
        self.program.features.contains(feature)
    }

    fn bump(&mut self) -> Token {
        let token = self.tokens.bump();
        self.last = token.span;
        token
    }

    #[inline]
    fn eat(&mut self, punct: u8) -> bool {
        let hit = self.tokens.peek().kind == TokenKind::Punct(punct);
        if hit {
            self.bump();
        }
        hit
    }

    #[inline]
    fn expect(&mut self, punct: u8) -> Read<Span> {
        if self.eat(punct) { Ok(self.last) } else { Err(self.expected_punct(punct)) }
    }

    #[cold]
    fn expected_punct(&self, punct: u8) -> Diag {
        self.tokens.expected(SYNTAX, &format!("`{}`", char::from(punct)))
    }

    /// The next token if it is a word.
    fn word(&self) -> Option<&'a str> {
        (self.tokens.peek().kind == TokenKind::Word).then(|| self.tokens.peek_text())
    }

    #[inline]
    fn expect_word(&mut self, what: &str) -> Read<(&'a str, Span)> {
        match self.word() {
            Some(word) => {
                self.bump();
                Ok((word, self.last))
            }
            None => Err(self.tokens.expected(SYNTAX, what)),
        }
    }

    fn expect_integer(&mut self, what: &str) -> Read<(u32, Span)> {
        let token = self.tokens.peek();
        let value = (token.kind == TokenKind::Integer).then(|| self.tokens.peek_text().parse::<u32>().ok()).flatten();
        match value {
            Some(value) => {
                self.bump();
                Ok((value, token.span))
            }
            None => Err(self.tokens.expected(SYNTAX, what)),
        }
    }

    /// All statements up to the terminator, recovering at `;`.
    fn statements(&mut self, body: &mut Vec<Stmt>) {
        if self.dialect().is_arb() || matches!(self.dialect(), Dialect::Vp11 | Dialect::Vp20) {
            self.options();
        }
        loop {
            if self.tokens.at_end() {
                if self.dialect() != Dialect::Patent {
                    self.diags.push(self.tokens.expected(SYNTAX, "`END`").with_help("a program ends with `END`"));
                }
                return;
            }
            if self.dialect() != Dialect::Patent && self.word() == Some("END") {
                return;
            }
            let (start, known) = (self.tokens.span(), body.len());
            match self.statement(body) {
                Ok(()) => {
                    if let Some(stmt) = body.get_mut(known) {
                        stmt.span = start.to(self.last);
                    }
                }
                Err(diag) => {
                    body.truncate(known);
                    self.diags.push(diag);
                    self.recover();
                }
            }
        }
    }

    /// Skips to after the next `;`, or to `END`.
    fn recover(&mut self) {
        while !self.tokens.at_end() {
            if self.dialect() != Dialect::Patent && self.word() == Some("END") {
                return;
            }
            if self.bump().kind == TokenKind::Punct(b';') {
                return;
            }
        }
    }

    /// Reads a statement into `body`; where it stands is left to the caller.
    fn statement(&mut self, body: &mut Vec<Stmt>) -> Read<()> {
        // Empty statements are harmless in the patent's text, which ends some lines twice.
        if self.dialect() == Dialect::Patent && self.eat(b';') {
            return Ok(());
        }
        let span = Span::default();
        let Some(word) = self.word() else {
            return Err(self.tokens.expected(SYNTAX, "an instruction"));
        };
        if (self.has(Features::NV2) || self.has(Features::VP2)) && self.tokens.peek_at(1).kind == TokenKind::Punct(b':')
        {
            self.bump();
            self.bump();
            body.push(Stmt { kind: StmtKind::Label(word.to_string()), span });
            return Ok(());
        }
        let declared = match self.dialect() {
            Dialect::Fp10 => self.fp10_declaration(word)?,
            Dialect::Arb | Dialect::ArbVertex => self.arb_declaration(word)?,
            _ => None,
        };
        match declared {
            Some(names) => body.push(Stmt { kind: StmtKind::Declare(names), span }),
            None => self.instruction(body)?,
        }
        if self.tokens.peek().kind != TokenKind::Punct(b';') {
            return Err(self.tokens.expected(SYNTAX, "`;`"));
        }
        // The terminator is not part of the statement's span.
        self.tokens.bump();
        Ok(())
    }

    /// The declared name with this spelling.
    fn lookup(&self, text: &str) -> Option<NameId> {
        self.names.get(text).copied()
    }

    fn name(&self, id: NameId) -> &Name {
        &self.program.names[id.0]
    }
}
