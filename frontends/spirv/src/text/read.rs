//! From text to words.

use super::ids::Ids;
use super::literal::{Number, push_string, unquote};
use super::pattern::{Pattern, Want, is_id, is_result};
use super::tokens::{Token, tokens};
use super::{Assembled, header, names};
use crate::grammar::Grammar;
use crate::module::{HEADER_WORDS, string};
use parallax_text::{Code, Diag, Span};
use rspirv::grammar::OperandKind;
use rspirv::spirv::Op;
use std::collections::HashMap;

/// A text with more problems is not read to its end.
const MAX_ERRORS: usize = 500;

/// Reads the text of a module, as `spirv-as --preserve-numeric-ids` reads it. Comments like those that
/// [`crate::disassemble`] writes in front give the words of the header; without them it is SPIR-V 1.0. The result of an
/// instruction may also stand in the place of its operand.
pub fn assemble(text: &str) -> Assembled {
    let tokens = tokens(text);
    let mut reader = Reader {
        ids: Ids::new(&tokens),
        tokens,
        at: 0,
        words: header::read(text).to_vec(),
        values: HashMap::new(),
        result: None,
        diags: Vec::new(),
    };
    let mut statements = Vec::new();
    while reader.at < reader.tokens.len() && reader.diags.len() < MAX_ERRORS {
        let (first, start) = (reader.at, reader.words.len());
        reader.result = None;
        if reader.statement().is_none() {
            reader.words.truncate(start);
            if let Some((id, span)) = reader.result {
                reader.values.entry(id).or_insert(Value { ty: 0, span, meaning: Meaning::Broken });
            }
            reader.at = reader.at.max(first + 1);
            while !reader.is_start(reader.at) {
                reader.at += 1;
            }
        }
        statements.push((start, reader.tokens[first].span.to(reader.tokens[reader.at - 1].span)));
    }
    reader.words[3] = reader.words[3].max(reader.ids.bound);
    let spans = spans(&reader.words, &statements);
    Assembled { words: reader.words, spans, diags: reader.diags }
}

/// Where each instruction stands: in the statement that its first word comes from.
fn spans(words: &[u32], statements: &[(usize, Span)]) -> Vec<Span> {
    let mut spans = Vec::with_capacity(statements.len());
    let (mut at, mut statement) = (HEADER_WORDS, 0);
    while let Some(word) = words.get(at) {
        while statements.get(statement + 1).is_some_and(|(start, _)| *start <= at) {
            statement += 1;
        }
        spans.push(statements.get(statement).map(|(_, span)| *span).unwrap_or_default());
        at += (word >> 16).max(1) as usize;
    }
    spans
}

/// What is known of a result.
#[derive(Copy, Clone)]
struct Value {
    ty: u32,
    span: Span,
    meaning: Meaning,
}

#[derive(Copy, Clone)]
enum Meaning {
    /// A type of numbers.
    Number(Number),
    Set(Option<names::Set>),
    /// The instruction has a problem: others that need it are not at fault.
    Broken,
    Other,
}

struct Reader<'t> {
    tokens: Vec<Token<'t>>,
    at: usize,
    words: Vec<u32>,
    ids: Ids<'t>,
    values: HashMap<u32, Value>,
    /// The result that stands in front of the statement.
    result: Option<(u32, Span)>,
    diags: Vec<Diag>,
}

/// An instruction that is read.
struct Statement {
    grammar: &'static Grammar,
    /// Its first word.
    head: usize,
    span: Span,
}

impl Statement {
    fn name(&self) -> String {
        format!("Op{}", self.grammar.row.opname)
    }
}

impl<'t> Reader<'t> {
    /// Reports a problem.
    fn refuse<T>(&mut self, code: Code, span: Span, message: String, near: Option<String>) -> Option<T> {
        let diag = Diag::invalid(code, span, message);
        self.diags.push(match near {
            Some(near) => diag.with_help(format!("did you mean `{near}`?")),
            None => diag,
        });
        None
    }

    /// Whether a statement begins at a token, or the text ends.
    fn is_start(&self, at: usize) -> bool {
        let Some(token) = self.tokens.get(at) else { return true };
        match token.text.as_bytes() {
            [b'O', b'p', b'A'..=b'Z', ..] => self.tokens[..at].last().is_none_or(|before| before.text != "="),
            [b'%', ..] => self.tokens.get(at + 1).is_some_and(|next| next.text == "="),
            [b'!', ..] => token.is_first,
            _ => false,
        }
    }

    /// Takes the next token of the statement.
    fn take(&mut self) -> Option<Token<'t>> {
        if self.is_start(self.at) {
            return None;
        }
        self.at += 1;
        Some(self.tokens[self.at - 1])
    }

    /// Reads an instruction, or words that stand for themselves. `None` when there was a problem.
    fn statement(&mut self) -> Option<()> {
        let first = self.tokens[self.at];
        self.at += 1;
        if first.text.starts_with('!') {
            self.immediate(first)?;
            return self.immediates();
        }
        let mut result = None;
        let mut opcode = first;
        if first.text.starts_with('%') {
            let id = self.id(first)?;
            result = Some((id, first.span));
            self.result = result;
            let equals = self.tokens.get(self.at).filter(|token| token.text == "=");
            let Some(token) = equals.and(self.tokens.get(self.at + 1)) else {
                // An opcode without `=` belongs to the same problem.
                self.at += usize::from(self.tokens.get(self.at).is_some_and(|next| next.text.starts_with("Op")));
                let message = format!("`=` and an opcode are expected behind `{}`", first.shown());
                return self.refuse("spirv-as-opcode", first.span, message, None);
            };
            opcode = *token;
            self.at += 2;
        }
        let name = opcode.text.strip_prefix("Op");
        let Some(grammar) = name.and_then(names::opcode) else {
            let near = names::near_opcode(name.unwrap_or(opcode.text)).map(|name| format!("Op{name}"));
            let message = format!("an opcode is expected, found `{}`", opcode.shown());
            return self.refuse("spirv-as-opcode", opcode.span, message, near);
        };
        let statement = Statement { grammar, head: self.words.len(), span: opcode.span };
        if let Some((_, span)) = result.filter(|_| !grammar.has_id) {
            let message = format!("{} has no result, but an id stands in front of it", statement.name());
            return self.refuse("spirv-as-id", span, message, None);
        }
        self.words.push(grammar.row.opcode as u32);
        self.operands(&statement, result)?;
        if let Some(token) = self.take() {
            let message = format!("{} has no more operands, found `{}`", statement.name(), token.shown());
            return self.refuse("spirv-as-operand", token.span, message, None);
        }
        let count = self.words.len() - statement.head;
        if count > 0xffff {
            let message = format!("{} has {count} words; at most 65535 are possible", statement.name());
            return self.refuse("spirv-as-operand", opcode.span, message, None);
        }
        self.words[statement.head] |= (count as u32) << 16;
        self.define(&statement, first.span)
    }

    /// Reads the operands as the grammar has them, up to an immediate.
    fn operands(&mut self, statement: &Statement, result: Option<(u32, Span)>) -> Option<()> {
        let mut pattern = Pattern::of(statement.grammar.row.operands);
        while let Some(want) = pattern.next() {
            if let (OperandKind::IdResult, Some((id, _))) = (want.kind, result) {
                self.words.push(id);
                continue;
            }
            let Some(token) = self.take() else {
                if want.optional {
                    return Some(());
                }
                let message = format!("{} needs one more operand: {}", statement.name(), describe(want.kind));
                let code = if want.kind == OperandKind::IdResult { "spirv-as-id" } else { "spirv-as-operand" };
                return self.refuse(code, statement.span, message, None);
            };
            if token.text.starts_with('!') {
                self.immediate(token)?;
                if let Some((id, _)) = result.filter(|_| want.kind == OperandKind::IdResultType) {
                    self.words.push(id);
                }
                return self.immediates();
            }
            let is_string = want.kind == OperandKind::LiteralString;
            let fits = is_id(want.kind) == token.text.starts_with('%') && is_string == token.text.starts_with('"');
            if want.optional && !fits {
                pattern.skip(want);
                self.at -= 1;
                continue;
            }
            self.operand(statement, want, token, &mut pattern)?;
        }
        // Immediates may follow any instruction.
        if self.tokens.get(self.at).is_some_and(|token| token.text.starts_with('!')) {
            self.immediates()
        } else {
            Some(())
        }
    }

    /// Reads an operand.
    fn operand(&mut self, statement: &Statement, want: Want, token: Token<'t>, pattern: &mut Pattern) -> Option<()> {
        let expected = |reader: &mut Self, code| {
            let message =
                format!("{}: {} is expected, found `{}`", statement.name(), describe(want.kind), token.shown());
            reader.refuse(code, token.span, message, None)
        };
        match want.kind {
            kind if is_id(kind) => {
                if !token.text.starts_with('%') {
                    return expected(self, "spirv-as-operand");
                }
                let id = self.id(token)?;
                self.words.push(id);
            }
            OperandKind::LiteralInteger => self.number(token, Number::UNSIGNED)?,
            OperandKind::LiteralFloat => self.number(token, Number::BINARY32)?,
            OperandKind::LiteralString => self.string(token)?,
            OperandKind::LiteralContextDependentNumber => {
                let number = self.context(statement, token)?;
                self.number(token, number)?;
            }
            OperandKind::LiteralSpecConstantOpInteger => {
                let Some(grammar) = names::opcode(token.text) else {
                    let near = names::near_opcode(token.text).map(String::from);
                    let message = format!("an opcode without `Op` is expected, found `{}`", token.shown());
                    return self.refuse("spirv-as-opcode", token.span, message, near);
                };
                self.words.push(grammar.row.opcode as u32);
                pattern.expand(grammar.row.operands.iter().filter(|operand| !is_result(operand.kind)));
            }
            OperandKind::LiteralExtInstInteger => self.extended(token, pattern)?,
            kind => match names::value(kind, token.text) {
                Ok(value) => {
                    self.words.push(value);
                    pattern.expand(names::parameters(kind, value).iter());
                }
                Err((found, near)) => {
                    let message = format!("{}: {} is expected, found `{found}`", statement.name(), describe(kind));
                    return self.refuse("spirv-as-operand", token.span, message, near);
                }
            },
        }
        Some(())
    }

    /// What numbers an instruction has: those of its type, or of the selector's.
    fn context(&mut self, statement: &Statement, token: Token<'t>) -> Option<Number> {
        let word = self.words.get(statement.head + 1).copied().unwrap_or(0);
        let broken = |value: &&Value| matches!(value.meaning, Meaning::Broken);
        let mut ty = word;
        if statement.grammar.row.opcode == Op::Switch {
            let selector = self.values.get(&word);
            if selector.filter(broken).is_some() {
                return None;
            }
            ty = selector.map_or(0, |selector| selector.ty);
        }
        match self.values.get(&ty).map(|value| value.meaning) {
            Some(Meaning::Number(number)) => Some(number),
            Some(Meaning::Broken) => None,
            _ => {
                let message = format!(
                    "{}: `{}` needs a type of integers or floats of at most 64 bits, declared before",
                    statement.name(),
                    token.shown()
                );
                self.refuse("spirv-as-literal", token.span, message, None)
            }
        }
    }

    /// Reads the name of an extended instruction, or its number if it has no name.
    fn extended(&mut self, token: Token<'t>, pattern: &mut Pattern) -> Option<()> {
        let import = self.words.last().and_then(|set| self.values.get(set)).map(|value| value.meaning);
        let set = match import {
            Some(Meaning::Broken) => return None,
            Some(Meaning::Set(set)) => set,
            _ => None,
        };
        let row = set.and_then(|set| set.iter().find(|row| row.opname == token.text));
        if let Some(row) = row {
            self.words.push(row.opcode.into());
            pattern.replace(row.operands);
            return Some(());
        }
        if !token.text.starts_with(|c: char| c.is_ascii_digit()) {
            let near = set.and_then(|set| parallax_text::closest(token.text, set.iter().map(|row| row.opname)));
            let message = match import {
                Some(Meaning::Set(Some(_))) => {
                    format!("an instruction of the extended set is expected, found `{}`", token.shown())
                }
                Some(Meaning::Set(None)) => {
                    format!("a number is expected for an instruction of an unknown set, found `{}`", token.shown())
                }
                _ => format!("`{}` needs a set of extended instructions, imported before", token.shown()),
            };
            return self.refuse("spirv-as-operand", token.span, message, near.map(String::from));
        }
        self.number(token, Number::UNSIGNED)?;
        let number = self.words.last().copied().unwrap_or(0);
        if let Some(row) = set.and_then(|set| set.lookup_opcode(number)) {
            pattern.replace(row.operands);
        }
        Some(())
    }

    /// The id that a token names.
    fn id(&mut self, token: Token<'t>) -> Option<u32> {
        match self.ids.number(token.text.strip_prefix('%').unwrap_or(token.text)) {
            Ok(id) => Some(id),
            Err(message) => self.refuse("spirv-as-id", token.span, message, None),
        }
    }

    fn number(&mut self, token: Token<'t>, number: Number) -> Option<()> {
        match number.parse(token.text) {
            Ok(bits) => {
                self.words.push(bits as u32);
                if number.words() == 2 {
                    self.words.push((bits >> 32) as u32);
                }
                Some(())
            }
            Err(message) => self.refuse("spirv-as-literal", token.span, message, None),
        }
    }

    fn string(&mut self, token: Token<'t>) -> Option<()> {
        match unquote(token.text) {
            Some(text) if !text.contains('\0') => {
                push_string(&text, &mut self.words);
                Some(())
            }
            Some(_) => self.refuse("spirv-as-literal", token.span, "a string has no zero bytes".to_string(), None),
            None => {
                let message = format!("a string in double quotes is expected, found `{}`", token.shown());
                self.refuse("spirv-as-literal", token.span, message, None)
            }
        }
    }

    /// A word that stands for itself.
    fn immediate(&mut self, token: Token<'t>) -> Option<()> {
        match Number::UNSIGNED.parse(&token.text[1..]) {
            Ok(word) => {
                self.words.push(word as u32);
                Some(())
            }
            Err(message) => self.refuse("spirv-as-literal", token.span, format!("behind `!`: {message}"), None),
        }
    }

    /// The rest of a statement behind an immediate: anything but names.
    fn immediates(&mut self) -> Option<()> {
        while let Some(token) = self.take() {
            match token.text.as_bytes()[0] {
                b'!' => self.immediate(token)?,
                b'"' => self.string(token)?,
                b'%' => {
                    let id = self.id(token)?;
                    self.words.push(id);
                }
                _ => self.number(token, Number::guess(token.text))?,
            }
        }
        Some(())
    }

    /// Remembers what an instruction defines. `spirv-as` lets a second definition of an id pass.
    fn define(&mut self, statement: &Statement, span: Span) -> Option<()> {
        let Grammar { row, has_type, has_id, .. } = *statement.grammar;
        let place = statement.head + 1 + usize::from(has_type);
        let Some(&id) = self.words.get(place).filter(|_| has_id) else { return Some(()) };
        let operands = &self.words[place + 1..];
        let meaning = match row.opcode {
            Op::TypeInt | Op::TypeFloat => {
                Number::of_type(row.opcode, operands).map_or(Meaning::Other, Meaning::Number)
            }
            Op::ExtInstImport => Meaning::Set(names::set(&string(operands).0)),
            _ => Meaning::Other,
        };
        let ty = if has_type { self.words[place - 1] } else { 0 };
        if let Some(old) = self.values.get(&id) {
            let diag = Diag::invalid("spirv-as-id", span, format!("id {id} is defined twice"));
            self.diags.push(diag.with_label(old.span, "first defined here"));
            return None;
        }
        self.values.insert(id, Value { ty, span, meaning });
        Some(())
    }
}

/// What an operand is called in messages.
fn describe(kind: OperandKind) -> String {
    match kind {
        OperandKind::IdResult => "the id of the result".to_string(),
        OperandKind::IdResultType => "the id of a type".to_string(),
        kind if is_id(kind) => "an id".to_string(),
        OperandKind::LiteralInteger => "an integer".to_string(),
        OperandKind::LiteralString => "a string".to_string(),
        OperandKind::LiteralFloat | OperandKind::LiteralContextDependentNumber => "a number".to_string(),
        OperandKind::LiteralExtInstInteger => "the name of an extended instruction".to_string(),
        OperandKind::LiteralSpecConstantOpInteger => "the name of an opcode".to_string(),
        kind => format!("a value of {kind:?}"),
    }
}
