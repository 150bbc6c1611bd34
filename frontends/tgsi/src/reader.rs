//! The reader: text to syntax tree, collecting every error.

mod declaration;
mod operand;

use crate::ast::{Dst, Extra, Instruction, Program, Property, Src};
use crate::check;
use crate::opcode::{Mnemonic, Opcode, Operand};
use crate::structure::MAX_ERRORS;
use crate::words::{File, Origin, PixelCenter, Primitive, Processor, PropertyName};
use parallax_text::{Code, Comments, Diag, LexOptions, Span, TokenKind, TokenStream, closest, newlines, parse_u64};
use smallvec::SmallVec;

/// What a piece of the grammar gives.
pub(crate) type Parsed<T> = Result<T, Box<Diag>>;

/// Reads a text. All errors of the text are collected; the tree is there only when there are none.
pub fn parse(text: &str) -> (Option<Program>, Vec<Diag>) {
    if text.len() > u32::MAX as usize / 2 {
        let message = format!("a text of {} bytes is too long", text.len());
        return (None, vec![Diag::unsupported("tgsi-size", Span::default(), message)]);
    }
    let options = LexOptions { comments: Comments::None, newlines: false, carriage_return: true, floats: true };
    let mut reader = Parser {
        t: TokenStream::new(text, 0..text.len(), options),
        diags: Vec::new(),
        line: 1,
        counted: 0,
        processor: Processor::Fragment,
        item: 0,
        torn: Vec::new(),
        resources: File::Image,
    };
    let program = reader.program();
    let Parser { mut diags, torn, .. } = reader;
    if let Some(program) = &program {
        check::check(program, &torn, &mut diags);
    }
    parallax_text::sort_by_key(&mut diags, |d| d.span.map_or(0, |s| s.start));
    diags.truncate(MAX_ERRORS);
    let good = !diags.iter().any(Diag::is_error);
    (program.filter(|_| good), diags)
}

/// Whether a text starts like TGSI: with a header word of its own.
pub fn sniff(text: &str) -> bool {
    let text = &text[parallax_text::mark_len(text)..];
    let word = text.trim_start().split(|c: char| c.is_ascii_whitespace()).next().unwrap_or("");
    processor(word.strip_suffix(".1").unwrap_or(word)).is_some()
}

/// The stage of a header word. Mesa up to 7.4 wrote a version behind it: `FRAG1.1`.
fn processor(word: &str) -> Option<Processor> {
    Processor::from_name(word).or_else(|| Processor::from_name(word.strip_suffix('1')?))
}

pub(crate) struct Parser<'a> {
    pub(crate) t: TokenStream<'a>,
    diags: Vec<Diag>,
    line: u32,
    counted: usize,
    pub(crate) processor: Processor,
    /// Where the current item starts.
    item: u32,
    /// Files with a declaration that could not be read; `None` stands for any.
    torn: Vec<Option<File>>,
    /// What registers of the older file `RES` are now.
    resources: File,
}

impl<'a> Parser<'a> {
    fn program(&mut self) -> Option<Program> {
        let header = self.t.peek();
        let word = self.t.peek_text();
        let Some(processor) = processor(word) else {
            let names: Vec<&str> = Processor::names().collect();
            let mut diag = self.t.expected("tgsi-header", "a header word");
            diag = match closest(word, Processor::names()) {
                Some(near) => diag.with_help(format!("did you mean `{near}`?")),
                None => diag.with_help(format!("the first word is one of {}", names.join(", "))),
            };
            self.diags.push(diag);
            return None;
        };
        self.processor = processor;
        self.t.bump();
        if Processor::from_name(word).is_none() && self.t.source[header.span.end as usize..].starts_with(".1") {
            let end = header.span.end + 2;
            while !self.t.at_end() && self.t.span().start < end {
                self.t.bump();
            }
        }
        let mut program = Program {
            processor,
            span: header.span,
            properties: Vec::new(),
            declarations: Vec::new(),
            immediates: Vec::new(),
            instructions: Vec::with_capacity(self.t.statements_left()),
        };
        while !self.t.at_end() && self.diags.len() < MAX_ERRORS {
            let before = self.t.span();
            self.item = before.start;
            if let Err(diag) = self.item(&mut program) {
                self.diags.push(*diag);
                self.recover(before);
            }
        }
        Some(program)
    }

    fn item(&mut self, program: &mut Program) -> Parsed<()> {
        let token = self.t.peek();
        let word = self.t.text(token);
        match token.kind {
            TokenKind::Word if word.eq_ignore_ascii_case("DCL") => {
                self.in_order(program, "declaration");
                let at = self.torn.len();
                self.torn.push(None);
                program.declarations.push(self.declaration()?);
                self.torn.truncate(at);
            }
            TokenKind::Word if word.eq_ignore_ascii_case("IMM") => {
                self.in_order(program, "immediate");
                let number = program.immediates.len() as u32;
                self.torn.push(Some(File::Imm));
                program.immediates.push(self.immediate(number)?);
                self.torn.pop();
            }
            TokenKind::Word if word.eq_ignore_ascii_case("PROPERTY") => program.properties.push(self.property()?),
            TokenKind::Word => self.instruction(program)?,
            TokenKind::Integer if self.t.peek_at(1).kind == TokenKind::Punct(b':') => {
                self.t.bump();
                self.t.bump();
                if self.t.peek().kind != TokenKind::Word {
                    return Err(self.expected("tgsi-syntax", "an opcode"));
                }
                self.instruction(program)?;
            }
            _ => {
                let diag = self.t.expected("tgsi-syntax", "an opcode, `DCL`, `IMM` or `PROPERTY`");
                return Err(Box::new(self.no_comments(diag)));
            }
        }
        Ok(())
    }

    fn in_order(&mut self, program: &Program, what: &str) {
        if let Some(first) = program.instructions.first() {
            let message = format!("{what} after the first instruction");
            let diag = Diag::invalid("tgsi-order", self.t.span(), message)
                .with_label(first.op_span, "the first instruction")
                .with_help("declarations and immediates come before all instructions");
            self.diags.push(diag);
        }
    }

    /// Skips to where the next item may start.
    fn recover(&mut self, item: Span) {
        if self.t.span() == item {
            self.t.bump();
        }
        while !self.t.at_end() {
            let token = self.t.peek();
            let start = token.span.start as usize;
            let gap = self.t.source.as_bytes()[..start].iter().rev().take_while(|b| b.is_ascii_whitespace());
            let fresh_line = token.spaced && gap.clone().any(|&b| b == b'\n');
            let numbered = token.kind == TokenKind::Integer
                && token.spaced
                && self.t.peek_at(1).kind == TokenKind::Punct(b':')
                && self.t.peek_at(2).kind == TokenKind::Word;
            if fresh_line || numbered {
                return;
            }
            self.t.bump();
        }
    }

    /// Comments are the most common thing a newcomer writes that is none.
    fn no_comments(&self, diag: Diag) -> Diag {
        if matches!(self.t.peek_text(), "#" | ";" | "/") { diag.with_help("TGSI has no comments") } else { diag }
    }

    /// An error at the next token; where that stands on a later line, at the end of what was read so far.
    pub(crate) fn expected(&self, code: Code, what: &str) -> Box<Diag> {
        let (before, next) = (self.before(), self.t.span());
        let gap = Span { start: before.start, end: next.start };
        if before.start > self.item && gap.text(self.t.source).contains('\n') {
            let message = format!("expected {what}, found end of line");
            return Box::new(Diag::invalid(code, before, message));
        }
        Box::new(self.t.expected(code, what))
    }

    #[inline]
    pub(crate) fn expect(&mut self, code: Code, punct: u8) -> Parsed<()> {
        if self.t.eat(punct) { Ok(()) } else { Err(self.expected_punct(code, punct)) }
    }

    #[cold]
    fn expected_punct(&self, code: Code, punct: u8) -> Box<Diag> {
        self.expected(code, &format!("`{}`", char::from(punct)))
    }

    /// A decimal number that fits a register index.
    #[inline]
    pub(crate) fn number(&mut self, what: &str) -> Parsed<u32> {
        let token = self.t.peek();
        match (token.kind, self.t.text(token).as_bytes()) {
            (TokenKind::Integer, [digit]) => {
                self.t.bump();
                Ok(u32::from(digit - b'0'))
            }
            _ => self.long_number(what),
        }
    }

    fn long_number(&mut self, what: &str) -> Parsed<u32> {
        let token = self.t.peek();
        if token.kind != TokenKind::Integer {
            return Err(self.expected("tgsi-number", what));
        }
        let text = self.t.text(token);
        if !text.bytes().all(|b| b.is_ascii_digit()) {
            let message = format!("expected {what} in decimal, found `{text}`");
            return Err(Box::new(Diag::invalid("tgsi-number", token.span, message)));
        }
        match parse_u64(text) {
            Some(number) if number <= i32::MAX as u64 => {
                self.t.bump();
                Ok(number as u32)
            }
            _ => {
                let message = format!("`{text}` is too large for {what}");
                Err(Box::new(Diag::invalid("tgsi-number", token.span, message)))
            }
        }
    }

    /// Line of a byte; called with growing offsets.
    fn line_of(&mut self, offset: u32) -> u32 {
        let upto = offset as usize;
        self.line += newlines(&self.t.source.as_bytes()[self.counted..upto]) as u32;
        self.counted = upto;
        self.line
    }

    fn instruction(&mut self, program: &mut Program) -> Parsed<()> {
        let token = self.t.bump();
        let word = self.t.text(token);
        let mnemonic = Mnemonic::read(word);
        let known = mnemonic.unwrap_or(Mnemonic { op: Opcode::NOP, saturate: false, precise: false });
        let line = self.line_of(token.span.start);
        program.instructions.push(Instruction {
            op: known.op,
            saturate: known.saturate,
            precise: known.precise,
            dsts: SmallVec::new(),
            srcs: SmallVec::new(),
            target: None,
            extra: None,
            label: None,
            op_span: token.span,
            span: token.span,
            line,
        });
        // Filled where it stands: it is large.
        let Some(inst) = program.instructions.last_mut() else { return Ok(()) };
        let result = match mnemonic {
            Some(_) => self.operands(inst),
            None => Err(unknown_opcode(word, token.span)),
        };
        if result.is_err() {
            // Keep the instruction's place, so that labels and blocks still match.
            inst.dsts.clear();
            inst.srcs.clear();
        }
        result
    }

    fn operands(&mut self, inst: &mut Instruction) -> Parsed<()> {
        let shape = &inst.op.row().shape;
        if shape.has_operands() {
            let next = self.t.peek();
            if !next.spaced && next.kind != TokenKind::End {
                let message = format!("expected white space after `{}`", inst.op_span.text(self.t.source));
                return Err(Box::new(Diag::invalid("tgsi-space", next.span, message)));
            }
        }
        for n in 0..usize::from(shape.dsts) {
            self.comma_before(inst, n)?;
            inst.dsts.push(Dst::NEW);
            if let Some(dst) = inst.dsts.last_mut() {
                self.dst(dst)?;
            }
            inst.span = inst.span.to(self.before());
        }
        let left_out = shape.optional && !self.another_source(inst);
        for (n, &kind) in shape.srcs().iter().enumerate().filter(|_| !left_out) {
            self.comma_before(inst, n + usize::from(shape.dsts))?;
            inst.srcs.push(Src::NEW);
            if let Some(src) = inst.srcs.last_mut() {
                self.src(kind, src)?;
                inst.span = inst.span.to(src.span);
            }
        }
        if shape.target {
            self.comma_before(inst, usize::from(shape.dsts) + shape.srcs().len())?;
            inst.target = Some(self.target()?);
            inst.span = inst.span.to(self.before());
        }
        while self.t.peek().kind == TokenKind::Punct(b',') {
            let comma = self.t.bump();
            if shape.target {
                let offset = self.offset()?;
                let extra = inst.extra.get_or_insert_default();
                if extra.offsets.len() == 4 {
                    let message = "more than four texel offsets";
                    return Err(Box::new(Diag::invalid("tgsi-offset", offset.reg.span, message)));
                }
                extra.offsets.push(offset);
            } else if shape.memory {
                self.memory_word(inst)?;
            } else {
                let help = takes(inst.op);
                let message = format!("too many operands for `{}`", inst.op);
                return Err(Box::new(Diag::invalid("tgsi-operands", comma.span, message).with_help(help)));
            }
            inst.span = inst.span.to(self.before());
        }
        if self.t.peek().kind == TokenKind::Punct(b':') {
            if !shape.label {
                let message = format!("`{}` takes no label", inst.op);
                let diag = Diag::invalid("tgsi-label", self.t.span(), message);
                return Err(Box::new(diag.with_help("labels follow CAL, IF, UIF, ELSE, BGNLOOP and ENDLOOP")));
            }
            self.t.bump();
            inst.label = Some(self.number("an instruction number")?);
            inst.span = inst.span.to(self.before());
        }
        Ok(())
    }

    /// Whether sources follow where they may be left out: behind a comma, or a register where nothing stands before them.
    fn another_source(&self, inst: &Instruction) -> bool {
        let next = self.t.peek();
        match next.kind {
            TokenKind::Punct(b',') => !inst.dsts.is_empty(),
            TokenKind::Punct(b'-' | b'|') => inst.dsts.is_empty(),
            TokenKind::Word => inst.dsts.is_empty() && File::from_name(self.t.text(next)).is_some(),
            _ => false,
        }
    }

    /// Where the token before the cursor ended, as an empty range.
    #[inline]
    fn before(&self) -> Span {
        let next = self.t.peek();
        let start = next.span.start as usize;
        if !next.spaced {
            return Span::new(start, start);
        }
        let gap = self.t.source.as_bytes()[..start].iter().rev().take_while(|b| b.is_ascii_whitespace()).count();
        Span::new(start - gap, start - gap)
    }

    fn comma_before(&mut self, inst: &Instruction, operand: usize) -> Parsed<()> {
        if operand == 0 || self.t.eat(b',') {
            return Ok(());
        }
        let next = self.t.peek();
        let starts_operand = matches!(next.kind, TokenKind::Punct(b'.' | b'|' | b'[' | b'('));
        if starts_operand || !(next.spaced || next.kind == TokenKind::End) {
            return Err(self.expected("tgsi-syntax", "`,`"));
        }
        let mut diag = self.expected("tgsi-operands", "`,`");
        diag.message = format!("too few operands for `{}`: {}", inst.op, diag.message);
        Err(Box::new(diag.with_help(takes(inst.op))))
    }

    fn memory_word(&mut self, inst: &mut Instruction) -> Parsed<()> {
        let word = self.t.peek_text();
        if let Some(target) = self.target_here() {
            self.target()?;
            inst.target = Some(target);
            return Ok(());
        }
        let extra = inst.extra.get_or_insert_with(|| Box::new(Extra::default()));
        match word.to_ascii_uppercase().as_str() {
            "COHERENT" => extra.coherent = true,
            "RESTRICT" => extra.restrict = true,
            "VOLATILE" => extra.volatile = true,
            "STREAM_CACHE_POLICY" => extra.stream = true,
            upper if upper.starts_with("PIPE_FORMAT_") => extra.format = Some(upper.to_string()),
            _ => {
                let diag = self.expected("tgsi-operands", "a memory qualifier, texture target or format");
                return Err(Box::new(diag.with_help(takes(inst.op))));
            }
        }
        self.t.bump();
        Ok(())
    }

    fn property(&mut self) -> Parsed<Property> {
        let start = self.t.bump().span;
        let token = self.t.peek();
        let word = self.t.peek_text();
        let Some(mut name) = PropertyName::from_name(word) else {
            let mut diag = *self.expected("tgsi-property", "a property");
            if let Some(near) = closest(word, PropertyName::names()) {
                diag = diag.with_help(format!("did you mean `{near}`?"));
            }
            return Err(Box::new(diag));
        };
        self.t.bump();
        if name == PropertyName::MulZeroWins {
            name = PropertyName::LegacyMathRules;
        }
        let value_token = self.t.peek();
        let value_word = self.t.peek_text();
        let listed = match name {
            PropertyName::GsInputPrimitive | PropertyName::GsOutputPrimitive => {
                Some((Primitive::from_name(value_word).map(|p| p as u32), "a primitive"))
            }
            PropertyName::FsCoordOrigin => Some((Origin::from_name(value_word).map(|p| p as u32), "an origin")),
            PropertyName::FsCoordPixelCenter => {
                Some((PixelCenter::from_name(value_word).map(|p| p as u32), "a pixel centre"))
            }
            PropertyName::NextShader => Some((Processor::from_name(value_word).map(|p| p as u32), "a header word")),
            _ => None,
        };
        let value = match listed {
            None => self.unsigned()?,
            Some((Some(value), _)) => {
                self.t.bump();
                value
            }
            Some((None, what)) => {
                return Err(self.expected("tgsi-property-value", &format!("{what} for `{}`", self.t.text(token))));
            }
        };
        Ok(Property { name, value, span: start.to(value_token.span) })
    }

    fn unsigned(&mut self) -> Parsed<u32> {
        let token = self.t.peek();
        let text = self.t.text(token);
        let digits = token.kind == TokenKind::Integer && text.bytes().all(|b| b.is_ascii_digit());
        match parse_u64(text).and_then(|v| u32::try_from(v).ok()).filter(|_| digits) {
            Some(value) => {
                self.t.bump();
                Ok(value)
            }
            None => Err(self.expected("tgsi-property-value", "a decimal number")),
        }
    }
}

fn unknown_opcode(word: &str, span: Span) -> Box<Diag> {
    let diag = Diag::invalid("tgsi-opcode", span, format!("unknown opcode `{word}`"));
    let upper = word.to_ascii_uppercase();
    if let Some(rest) = upper.strip_suffix("_PRECISE_SAT")
        && Opcode::from_name(rest).is_some()
    {
        return Box::new(diag.with_help(format!("suffixes must be in this order: `{rest}_SAT_PRECISE`")));
    }
    let removed = match upper.as_str() {
        "BREAKC" => Some("use IF and BRK"),
        "CALLNZ" => Some("use IF and CAL"),
        _ => None,
    };
    Box::new(match (removed, closest(&upper, Opcode::all().map(Opcode::name))) {
        (Some(instead), _) => diag.with_help(format!("`{upper}` was removed from TGSI; {instead}")),
        (None, Some(near)) => diag.with_help(format!("did you mean `{near}`?")),
        (None, None) => diag,
    })
}

/// What an opcode takes, for help lines.
fn takes(op: Opcode) -> String {
    let shape = &op.row().shape;
    let count = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let mut parts = Vec::new();
    if shape.dsts > 0 {
        parts.push(count(usize::from(shape.dsts), "destination"));
    }
    if !shape.srcs().is_empty() {
        parts.push(count(shape.srcs().len(), "source"));
    }
    if shape.target {
        parts.push("a texture target".to_string());
    }
    if parts.is_empty() { format!("`{op}` takes no operands") } else { format!("`{op}` takes {}", parts.join(" and ")) }
}

/// The operand kinds that name a resource rather than a value.
pub(crate) fn names_resource(kind: Operand) -> bool {
    matches!(kind, Operand::Sampler | Operand::View | Operand::Resource)
}
