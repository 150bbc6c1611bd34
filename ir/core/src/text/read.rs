//! From text to shader: the driver, statements of the head, and lists.

mod ops;

use super::{COMPS, INTERPS, LEX, LOCATIONS, STAGES};
use crate::{
    AliasDecl, ArrayDecl, AttrDecl, AttrSemantic, BankDecl, Bound, BufferDecl, ConstDecl, EntityRef, Func, Interp,
    Location, OpId, OpKind, OutputDecl, OutputRole, Shader, Source, Stage, Symbolic, TexDecl, TexTarget, Type,
    UnitDecl, ValueId, verify,
};
use parallax_num::{Decl, Model, Slot};
use parallax_text::{Code, Diag, Span, TokenKind, Tokens, closest, lex, parse_u64};
use rustc_hash::FxHashMap;

/// A shader as its text says it is.
#[derive(Clone, Debug, PartialEq)]
pub enum AnyShader {
    /// Without `bind`.
    Symbolic(Shader<Symbolic>),
    /// With `bind`.
    Bound(Shader<Bound>),
}

/// Reads a symbolic shader. All errors of the text are collected; never panics. The result is not verified.
pub fn read(source: &str) -> Result<Shader<Symbolic>, Vec<Diag>> {
    let (shader, bind, _) = read_text(source)?;
    match bind {
        None => Ok(shader),
        Some((_, span)) => {
            Err(vec![Diag::invalid("ir-bound", span, "expected a shader that is not bound to a model, found `bind`")])
        }
    }
}

/// Reads a shader of either state; `models` finds a model by its label. Text with `bind` is verified before it is bound
/// anew (op, slot and model say every rule); the bits of its float literals are those of the text. Symbolic text is not
/// verified.
pub fn read_any(source: &str, models: &dyn Fn(&str) -> Option<Model>) -> Result<AnyShader, Vec<Diag>> {
    let (shader, bind, raw) = read_text(source)?;
    let Some((label, span)) = bind else { return Ok(AnyShader::Symbolic(shader)) };
    let Some(model) = models(&label) else {
        return Err(vec![Diag::invalid("ir-model", span, format!("unknown model `{label}`"))]);
    };
    verify(&shader)?;
    let mut bound = shader.bind(&model);
    for (op, bits) in raw {
        bound.func.ops[op].kind = OpKind::Literal(bits);
    }
    Ok(AnyShader::Bound(bound))
}

/// Container patterns of float literals.
type RawLiterals = Vec<(OpId, u64)>;

/// What `bind` says, and where.
type Bind = Option<(String, Span)>;

fn read_text(source: &str) -> Result<(Shader<Symbolic>, Bind, RawLiterals), Vec<Diag>> {
    let tokens = lex(source, LEX);
    let mut reader = Parser {
        t: Tokens::new(source, &tokens),
        source,
        func: Func::new("", "", Stage::Fragment),
        bind: None,
        values: FxHashMap::default(),
        labels: FxHashMap::default(),
        raw: Vec::new(),
        diags: Vec::new(),
        depth: 0,
    };
    reader.shader();
    let Parser { func, bind, raw, diags, .. } = reader;
    if diags.is_empty() { Ok((Shader::new(func), bind, raw)) } else { Err(diags) }
}

/// Why a statement was given up.
enum Stop {
    /// This.
    Diag(Box<Diag>),
    /// It uses a value whose own statement was given up and reported.
    Silent,
}

impl From<Diag> for Stop {
    fn from(diag: Diag) -> Self {
        Stop::Diag(Box::new(diag))
    }
}

type Step<T> = Result<T, Stop>;

struct Parser<'a> {
    t: Tokens<'a>,
    source: &'a str,
    func: Func,
    /// Label and place of `bind`.
    bind: Bind,
    /// Values by their number; `None` for those whose statement was given up.
    values: FxHashMap<u32, Option<ValueId>>,
    labels: FxHashMap<u32, OpId>,
    /// Container patterns of float literals, in bound text.
    raw: RawLiterals,
    diags: Vec<Diag>,
    depth: usize,
}

const SYNTAX: Code = "ir-syntax";

impl<'a> Parser<'a> {
    fn shader(&mut self) {
        if let Err(stop) = self.title() {
            self.note(stop);
            return;
        }
        loop {
            let statement = self.t.peek_text();
            match statement {
                "bind" | "workgroup" | "attr" | "bank" | "constant" | "texture" | "output" | "buffer" | "unit"
                | "alias" | "slot" | "array" | "source"
                    if self.t.peek_at(1).kind != TokenKind::Punct(b'.') =>
                {
                    // `%1: p0 = attr ...` starts with `%`, so these words only start statements of the head, and
                    // `buffer.store` has a point.
                    let start = self.t.span();
                    if let Err(stop) = self.declaration() {
                        self.note(stop);
                        self.placeholder(statement);
                        self.recover(start);
                    }
                }
                _ => break,
            }
        }
        let body = self.func.body;
        self.region(body);
        if !self.t.eat(b'}') {
            let diag = self.t.expected(SYNTAX, "a statement or `}`");
            self.diags.push(diag);
        } else if !self.t.at_end() {
            let diag = self.t.expected(SYNTAX, "end of text");
            self.diags.push(diag);
        }
    }

    fn note(&mut self, stop: Stop) {
        if let Stop::Diag(diag) = stop {
            self.diags.push(*diag);
        }
    }

    /// Stands in for a declaration given up, so that uses of it and the numbers of later ones are no further errors.
    fn placeholder(&mut self, statement: &str) {
        let name = String::new();
        let iface = &mut self.func.iface;
        match statement {
            "attr" => iface.attrs.push(AttrDecl {
                name,
                semantic: AttrSemantic::Preset,
                interp: Interp::Flat,
                location: Location::Center,
            }),
            "bank" => iface.banks.push(BankDecl { name, len: 0, by_bytes: false }),
            "output" => iface.outputs.push(OutputDecl { name, role: OutputRole::Watch, types: [None; 4] }),
            "buffer" => iface.buffers.push(BufferDecl { name }),
            "slot" => {
                self.func.slots.push(Slot::plain(Decl::F32));
            }
            "array" => {
                self.func.arrays.push(ArrayDecl { name, ty: Type::F32, len: 1 });
            }
            "source" => {
                self.func.sources.push(Source::default());
            }
            _ => {}
        }
    }

    /// Skips the rest of a statement given up that started at `start`: to the next token at the start of a line that stands outside of every
    /// brace opened on the way, or to a closing brace.
    fn recover(&mut self, start: Span) {
        let mut depth = 0usize;
        let mut first = self.t.span() == start;
        while !self.t.at_end() {
            let token = self.t.peek();
            if depth == 0 && !first && self.starts_line(token.span) && token.kind != TokenKind::Punct(b'{') {
                return;
            }
            match token.kind {
                TokenKind::Punct(b'{') => depth += 1,
                TokenKind::Punct(b'}') if depth == 0 => return,
                TokenKind::Punct(b'}') => depth -= 1,
                _ => {}
            }
            self.t.bump();
            first = false;
        }
    }

    fn starts_line(&self, span: Span) -> bool {
        let before = self.source.as_bytes()[..span.start as usize].iter().rev();
        before.take_while(|&&b| b != b'\n').all(|b| b.is_ascii_whitespace())
    }

    fn title(&mut self) -> Step<()> {
        self.word("shader")?;
        self.func.name = self.string()?;
        self.word("stage")?;
        self.punct(b'(')?;
        self.func.iface.stage = self.one_of(STAGES, "a stage")?;
        self.punct(b')')?;
        self.word("from")?;
        self.punct(b'(')?;
        self.func.isa = self.string()?;
        self.punct(b')')?;
        self.punct(b'{')
    }

    fn declaration(&mut self) -> Step<()> {
        let token = self.t.bump();
        match self.t.text(token) {
            "bind" => {
                let span = self.t.span();
                let label = self.string()?;
                if self.bind.replace((label, span)).is_some() {
                    return Err(Diag::invalid(SYNTAX, token.span, "a second `bind`").into());
                }
            }
            "workgroup" => {
                for axis in 0..3 {
                    self.func.iface.workgroup[axis] = self.int()?;
                }
            }
            "attr" => {
                self.ordinal(self.func.iface.attrs.len())?;
                let name = self.string()?;
                let semantic = self.semantic()?;
                let interp = self.one_of(INTERPS, "an interpolation")?;
                let location = self.one_of(LOCATIONS, "a location")?;
                self.func.iface.attrs.push(AttrDecl { name, semantic, interp, location });
            }
            "bank" => {
                self.ordinal(self.func.iface.banks.len())?;
                let name = self.string()?;
                let len = self.sized("len")?;
                let by_bytes = self.t.eat_word("bytes");
                self.func.iface.banks.push(BankDecl { name, len, by_bytes });
            }
            "constant" => {
                let name = self.string()?;
                let bank: u16 = self.sized("bank")?;
                let index = self.sized("index")?;
                let comp = if self.t.peek_text() == "comp" { self.sized("comp")? } else { 0 };
                let mut default = None;
                if self.t.eat(b'=') {
                    let mut words = [0; 4];
                    for word in &mut words {
                        *word = self.int()?;
                    }
                    default = Some(words);
                }
                self.func.iface.constants.push(ConstDecl { name, bank, index, comp, default });
            }
            "texture" => {
                let unit = self.int()?;
                let target = self.shape()?;
                self.func.iface.textures.push(TexDecl { unit, target });
            }
            "output" => {
                self.ordinal(self.func.iface.outputs.len())?;
                let name = self.string()?;
                let role = self.role()?;
                let mut types = [None; 4];
                for ty in &mut types {
                    *ty = if self.t.eat(b'-') { None } else { Some(self.ty()?) };
                }
                self.func.iface.outputs.push(OutputDecl { name, role, types });
            }
            "buffer" => {
                self.ordinal(self.func.iface.buffers.len())?;
                let name = self.string()?;
                self.func.iface.buffers.push(BufferDecl { name });
            }
            "unit" => {
                let unit = self.int()?;
                let name = self.string()?;
                self.func.iface.units.push(UnitDecl { name, unit });
            }
            "alias" => {
                let name = self.string()?;
                let of = self.string()?;
                self.func.iface.aliases.push(AliasDecl { name, of });
            }
            "slot" => {
                self.entity("p", self.func.slots.len())?;
                self.punct(b'=')?;
                let slot = self.slot()?;
                self.func.slots.push(slot);
            }
            "array" => {
                self.entity("a", self.func.arrays.len())?;
                let name = self.string()?;
                let ty = self.ty()?;
                let len = self.sized("len")?;
                self.func.arrays.push(ArrayDecl { name, ty, len });
            }
            _ => {
                self.punct(b'@')?;
                self.ordinal(self.func.sources.len())?;
                let line = self.sized("line")?;
                let offset = self.sized("offset")?;
                let text = self.string()?;
                self.func.sources.push(Source { line, offset, text: &text });
            }
        }
        Ok(())
    }

    // Pieces.

    fn fail<T>(&self, what: &str) -> Step<T> {
        Err(self.t.expected(SYNTAX, what).into())
    }

    fn word(&mut self, word: &str) -> Step<()> {
        let hit = self.t.peek().kind == TokenKind::Word && self.t.peek_text() == word;
        if hit {
            self.t.bump();
            Ok(())
        } else {
            self.fail(&format!("`{word}`"))
        }
    }

    fn punct(&mut self, punct: u8) -> Step<()> {
        if self.t.eat(punct) { Ok(()) } else { self.fail(&format!("`{}`", char::from(punct))) }
    }

    /// A string literal, its `\u{..}` replaced.
    fn string(&mut self) -> Step<String> {
        if self.t.peek().kind != TokenKind::Text {
            return self.fail("a string");
        }
        let token = self.t.bump();
        let text = self.t.text(token);
        let mut rest = text.get(1..text.len() - 1).unwrap_or("");
        let mut out = String::with_capacity(rest.len());
        while let Some(at) = rest.find('\\') {
            out.push_str(&rest[..at]);
            let code = rest[at..].strip_prefix("\\u{").and_then(|r| r.split_once('}'));
            let parsed = code.and_then(|(hex, after)| {
                let c = u32::from_str_radix(hex, 16).ok().and_then(char::from_u32)?;
                Some((c, after))
            });
            let Some((c, after)) = parsed else {
                return Err(Diag::invalid(SYNTAX, token.span, "a backslash that starts no `\\u{..}`").into());
            };
            out.push(c);
            rest = after;
        }
        out.push_str(rest);
        Ok(out)
    }

    /// A whole number that fits `T`.
    fn int<T: TryFrom<u64>>(&mut self) -> Step<T> {
        let number = match self.t.peek().kind {
            TokenKind::Integer => parse_u64(self.t.peek_text()).and_then(|n| T::try_from(n).ok()),
            _ => return self.fail("a whole number"),
        };
        match number {
            Some(n) => {
                self.t.bump();
                Ok(n)
            }
            None => Err(Diag::invalid(SYNTAX, self.t.span(), "the number is too large").into()),
        }
    }

    /// `name(number)`.
    fn sized<T: TryFrom<u64>>(&mut self, name: &str) -> Step<T> {
        self.word(name)?;
        self.punct(b'(')?;
        let n = self.int()?;
        self.punct(b')')?;
        Ok(n)
    }

    /// The number of the next declaration of a kind.
    fn ordinal(&mut self, asked: usize) -> Step<()> {
        let span = self.t.span();
        let found: usize = self.int()?;
        if found != asked {
            let message = format!("expected number {asked}, found {found}: declarations stand in order");
            self.diags.push(Diag::invalid(SYNTAX, span, message));
        }
        Ok(())
    }

    /// The name of the next slot or array, such as `p2`.
    fn entity(&mut self, prefix: &str, asked: usize) -> Step<()> {
        let Some(found) = self.numbered(prefix) else { return self.fail(&format!("`{prefix}{asked}`")) };
        if usize::try_from(found) != Ok(asked) {
            let message = format!("expected `{prefix}{asked}`, found `{prefix}{found}`: declarations stand in order");
            self.diags.push(Diag::invalid(SYNTAX, self.t.span(), message));
        }
        self.t.bump();
        Ok(())
    }

    /// A number behind a one-letter prefix in one word, such as `in3` or `p0`.
    fn numbered(&self, prefix: &str) -> Option<u64> {
        if self.t.peek().kind != TokenKind::Word {
            return None;
        }
        let digits = self.t.peek_text().strip_prefix(prefix)?;
        if digits.starts_with('+') {
            return None;
        }
        digits.parse().ok()
    }

    fn one_of<T: Copy>(&mut self, table: &[(&'static str, T)], what: &str) -> Step<T> {
        let found = self.t.peek_text();
        match table.iter().find(|row| row.0 == found) {
            Some(row) => {
                self.t.bump();
                Ok(row.1)
            }
            None => {
                let mut diag = self.t.expected(SYNTAX, what);
                if let Some(name) = closest(found, table.iter().map(|row| row.0)) {
                    diag = diag.with_help(format!("did you mean `{name}`?"));
                }
                Err(diag.into())
            }
        }
    }

    fn semantic(&mut self) -> Step<AttrSemantic> {
        let plain = match self.t.peek_text() {
            "position" => Some(AttrSemantic::Position),
            "fog" => Some(AttrSemantic::Fog),
            "face" => Some(AttrSemantic::Face),
            "point_coord" => Some(AttrSemantic::PointCoord),
            "preset" => Some(AttrSemantic::Preset),
            _ => None,
        };
        if let Some(semantic) = plain {
            self.t.bump();
            return Ok(semantic);
        }
        match self.t.peek_text() {
            "color" => Ok(AttrSemantic::Color(self.sized("color")?)),
            "texcoord" => Ok(AttrSemantic::TexCoord(self.sized("texcoord")?)),
            "generic" => Ok(AttrSemantic::Generic(self.sized("generic")?)),
            _ => self.fail("an attribute's meaning"),
        }
    }

    fn role(&mut self) -> Step<OutputRole> {
        let plain = match self.t.peek_text() {
            "depth" => Some(OutputRole::Depth),
            "sample_mask" => Some(OutputRole::SampleMask),
            "stencil" => Some(OutputRole::Stencil),
            "position" => Some(OutputRole::Position),
            "watch" => Some(OutputRole::Watch),
            _ => None,
        };
        if let Some(role) = plain {
            self.t.bump();
            return Ok(role);
        }
        match self.t.peek_text() {
            "color" => Ok(OutputRole::Color(self.sized("color")?)),
            "sample_depth" => Ok(OutputRole::SampleDepth(self.sized("sample_depth")?)),
            "generic" => Ok(OutputRole::Generic(self.sized("generic")?)),
            _ => self.fail("an output's meaning"),
        }
    }

    fn shape(&mut self) -> Step<TexTarget> {
        let found = self.t.peek_text();
        match TexTarget::ALL.into_iter().find(|t| t.name() == found) {
            Some(target) => {
                self.t.bump();
                Ok(target)
            }
            None => self.fail("a texture's shape"),
        }
    }

    fn ty(&mut self) -> Step<Type> {
        match Type::from_name(self.t.peek_text()) {
            Some(ty) => {
                self.t.bump();
                Ok(ty)
            }
            None => self.fail("a type"),
        }
    }

    /// Words joined by points without spaces between them.
    fn dotted(&mut self) -> (&'a str, Span) {
        let mut span = self.t.span();
        if self.t.peek().kind != TokenKind::Word {
            return ("", span);
        }
        self.t.bump();
        loop {
            let (point, word) = (self.t.peek(), self.t.peek_at(1));
            let joined =
                point.kind == TokenKind::Punct(b'.') && !point.spaced && !word.spaced && word.kind == TokenKind::Word;
            if !joined {
                break;
            }
            self.t.bump();
            span = span.to(self.t.bump().span);
        }
        (span.text(self.source), span)
    }

    fn slot(&mut self) -> Step<Slot> {
        let mut span = self.t.span();
        // `.ftz+` ends in a sign.
        loop {
            let (_, part) = self.dotted();
            span = span.to(part);
            let sign = self.t.peek();
            if sign.kind != TokenKind::Punct(b'+') || sign.spaced {
                break;
            }
            span = span.to(self.t.bump().span);
            let (point, word) = (self.t.peek(), self.t.peek_at(1));
            if point.kind != TokenKind::Punct(b'.') || point.spaced || word.kind != TokenKind::Word {
                break;
            }
            self.t.bump();
        }
        let text = span.text(self.source);
        match Slot::parse(text) {
            Some(slot) => Ok(slot),
            None => Err(Diag::invalid(SYNTAX, span, format!("`{text}` is not a slot")).into()),
        }
    }

    /// `.x` to `.w`.
    fn comp(&mut self) -> Step<u8> {
        self.punct(b'.')?;
        let found = self.t.peek_text();
        match COMPS.iter().position(|&c| c == found) {
            Some(n) => {
                self.t.bump();
                Ok(n as u8)
            }
            None => self.fail("`x`, `y`, `z` or `w`"),
        }
    }
}

/// The id of the entity numbered `n` of a map with `len` entries.
fn known<K: EntityRef>(n: u64, len: usize) -> Option<K> {
    usize::try_from(n).ok().filter(|&n| n < len).map(K::new)
}
