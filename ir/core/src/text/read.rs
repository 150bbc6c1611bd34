//! From text to shader: the driver, statements of the head, and lists.

mod ops;

use super::{INTERPS, LEX, LOCATIONS, comp_name};
use crate::exec::ImageFormat;
use crate::{
    AliasDecl, ArrayDecl, AttrDecl, AttrSemantic, BankDecl, Bound, BufferDecl, ConstDecl, EntityRef, Func, ImageDecl,
    ImageShape, Interp, Location, OpId, OpKind, OutputDecl, OutputRole, Shader, Source, Stage, Symbolic, TexDecl,
    TexTarget, Type, UnitDecl, ValueId, verify,
};
use parallax_num::{Decl, Model, Slot, Subgroup};
use parallax_text::{Code, Diag, Expected, FormReader, Span, TokenKind, Tokens, lex};
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
        r: FormReader::new(Tokens::new(source, &tokens), SYNTAX),
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

impl From<Box<Diag>> for Stop {
    fn from(diag: Box<Diag>) -> Self {
        Stop::Diag(diag)
    }
}

type Step<T> = Result<T, Stop>;

struct Parser<'a> {
    r: FormReader<'a>,
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
            let statement = self.r.t.peek_text();
            match statement {
                "bind" | "workgroup" | "subgroup" | "subgroups" | "attr" | "bank" | "constant" | "texture"
                | "output" | "buffer" | "unit" | "alias" | "slot" | "array" | "source"
                    if self.r.t.peek_at(1).kind != TokenKind::Punct(b'.') =>
                {
                    // `%1: p0 = attr ...` starts with `%`, so these words only start statements of the head, and
                    // `buffer.store` has a point.
                    let start = self.r.t.span();
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
        if !self.r.t.eat(b'}') {
            let diag = self.r.t.expected(SYNTAX, "a statement or `}`");
            self.diags.push(diag);
        } else if !self.r.t.at_end() {
            let diag = self.r.t.expected(SYNTAX, "end of text");
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
            "attr" => iface.attrs.to_mut().push(AttrDecl {
                name,
                semantic: AttrSemantic::Preset,
                interp: Interp::Flat,
                location: Location::Center,
                mediump: false,
            }),
            "bank" => iface.banks.push(BankDecl { name, len: 0, by_bytes: false }),
            "output" => iface.outputs.push(OutputDecl { name, role: OutputRole::Watch, types: [None; 4] }),
            "buffer" => iface.buffers.push(BufferDecl::new(name)),
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
        let mut first = self.r.t.span() == start;
        while !self.r.t.at_end() {
            let token = self.r.t.peek();
            if depth == 0 && !first && self.starts_line(token.span) && token.kind != TokenKind::Punct(b'{') {
                return;
            }
            match token.kind {
                TokenKind::Punct(b'{') => depth += 1,
                TokenKind::Punct(b'}') if depth == 0 => return,
                TokenKind::Punct(b'}') => depth -= 1,
                _ => {}
            }
            self.r.t.bump();
            first = false;
        }
    }

    fn starts_line(&self, span: Span) -> bool {
        let before = self.source.as_bytes()[..span.start as usize].iter().rev();
        before.take_while(|&&b| b != b'\n').all(|b| b.is_ascii_whitespace())
    }

    fn title(&mut self) -> Step<()> {
        self.r.word("shader")?;
        self.func.name = self.r.string()?;
        self.r.word("stage")?;
        self.r.punct(b'(')?;
        self.func.iface.stage = self.r.named(&Stage::ALL, Stage::name, "a stage")?;
        self.r.punct(b')')?;
        self.func.isa = self.r.string_in("from")?;
        self.func.uncompiled = self.r.t.eat_word("uncompiled");
        Ok(self.r.punct(b'{')?)
    }

    fn declaration(&mut self) -> Step<()> {
        let token = self.r.t.bump();
        match self.r.t.text(token) {
            "bind" => {
                let span = self.r.t.span();
                let label = self.r.string()?;
                if self.bind.replace((label, span)).is_some() {
                    return Err(Diag::invalid(SYNTAX, token.span, "a second `bind`").into());
                }
            }
            "workgroup" => {
                for axis in 0..3 {
                    self.func.iface.workgroup[axis] = self.r.int()?;
                }
            }
            "subgroup" => {
                let span = self.r.t.span();
                let width: u32 = self.r.int()?;
                let known = Subgroup::ALL.iter().copied().find(|subgroup| subgroup.width() == width);
                let fail = || Diag::invalid(SYNTAX, span, "subgroups have 4, 8, 16, 32, 64 or 128 lanes");
                self.func.iface.subgroup = Some(known.ok_or_else(fail)?);
            }
            "subgroups" => self.func.iface.in_subgroups = true,
            "attr" => {
                self.in_order(|r, asked| r.ordinal(asked), self.func.iface.attrs.len())?;
                let name = self.r.string()?;
                let semantic = self.semantic()?;
                let interp = self.r.one_of(INTERPS, "an interpolation")?;
                let location = self.r.one_of(LOCATIONS, "a location")?;
                let mediump = self.r.t.eat_word("mediump");
                self.func.iface.attrs.to_mut().push(AttrDecl { name, semantic, interp, location, mediump });
            }
            "bank" => {
                self.in_order(|r, asked| r.ordinal(asked), self.func.iface.banks.len())?;
                let name = self.r.string()?;
                let len = self.r.sized("len")?;
                let by_bytes = self.r.t.eat_word("bytes");
                self.func.iface.banks.push(BankDecl { name, len, by_bytes });
            }
            "constant" => {
                let name = self.r.string()?;
                let bank: u16 = self.r.sized("bank")?;
                let index = self.r.sized("index")?;
                let comp = if self.r.t.peek_text() == "comp" { self.r.sized("comp")? } else { 0 };
                let (mut ty, mut count) = (Type::F32, 4);
                if Type::from_name(self.r.t.peek_text()).is_some() {
                    ty = self.ty()?;
                    count = self.r.sized("count")?;
                }
                let mut default = None;
                if self.r.t.eat(b'=') {
                    let mut words = [0; 4];
                    for word in &mut words {
                        *word = self.r.int()?;
                    }
                    default = Some(words);
                }
                self.func.iface.constants.push(ConstDecl { name, bank, index, comp, ty, count, default });
            }
            "texture" => {
                let unit = self.r.int()?;
                let target = self.shape()?;
                self.func.iface.textures.push(TexDecl { unit, target });
            }
            "output" => {
                self.in_order(|r, asked| r.ordinal(asked), self.func.iface.outputs.len())?;
                let name = self.r.string()?;
                let role = self.role()?;
                let mut types = [None; 4];
                for ty in &mut types {
                    *ty = if self.r.t.eat(b'-') { None } else { Some(self.ty()?) };
                }
                self.func.iface.outputs.push(OutputDecl { name, role, types });
            }
            "buffer" => {
                self.in_order(|r, asked| r.ordinal(asked), self.func.iface.buffers.len())?;
                let name = self.r.string()?;
                let is_own = self.r.t.peek_text() == "workgroup" && self.r.t.peek_at(1).kind == TokenKind::Punct(b'(');
                let workgroup = if is_own { Some(self.r.sized("workgroup")?) } else { None };
                let floats = self.r.t.eat_word("floats");
                let is_image = self.r.t.peek_text() == "image" && self.r.t.peek_at(1).kind != TokenKind::Punct(b'.');
                let image = if is_image { Some(self.image()?) } else { None };
                self.func.iface.buffers.push(BufferDecl { name, workgroup, floats, image });
            }
            "unit" => {
                let unit = self.r.int()?;
                let name = self.r.string()?;
                self.func.iface.units.push(UnitDecl { name, unit });
            }
            "alias" => {
                let name = self.r.string()?;
                let of = self.r.string()?;
                self.func.iface.aliases.push(AliasDecl { name, of });
            }
            "slot" => {
                self.in_order(|r, asked| r.entity("p", asked), self.func.slots.len())?;
                self.r.punct(b'=')?;
                let slot = self.slot()?;
                self.func.slots.push(slot);
            }
            "array" => {
                self.in_order(|r, asked| r.entity("a", asked), self.func.arrays.len())?;
                let name = self.r.string()?;
                let ty = self.ty()?;
                let len = self.r.sized("len")?;
                self.func.arrays.push(ArrayDecl { name, ty, len });
            }
            _ => {
                self.r.punct(b'@')?;
                self.in_order(|r, asked| r.ordinal(asked), self.func.sources.len())?;
                let line = self.r.sized("line")?;
                let offset = self.r.sized("offset")?;
                let text = self.r.string()?;
                self.func.sources.push(Source { line, offset, text: &text });
            }
        }
        Ok(())
    }

    // Pieces.

    fn fail<T>(&self, what: &str) -> Step<T> {
        Ok(self.r.fail(what)?)
    }

    /// The number or name of the next declaration of a kind; another one is a problem, but the declaration is read on.
    fn in_order(
        &mut self,
        read: impl FnOnce(&mut FormReader<'a>, usize) -> Expected<Option<Box<Diag>>>,
        asked: usize,
    ) -> Step<()> {
        self.diags.extend(read(&mut self.r, asked)?.map(|diag| *diag));
        Ok(())
    }

    fn semantic(&mut self) -> Step<AttrSemantic> {
        let plain = match self.r.t.peek_text() {
            "position" => Some(AttrSemantic::Position),
            "fog" => Some(AttrSemantic::Fog),
            "face" => Some(AttrSemantic::Face),
            "point_coord" => Some(AttrSemantic::PointCoord),
            "preset" => Some(AttrSemantic::Preset),
            _ => None,
        };
        if let Some(semantic) = plain {
            self.r.t.bump();
            return Ok(semantic);
        }
        match self.r.t.peek_text() {
            "color" => Ok(AttrSemantic::Color(self.r.sized("color")?)),
            "texcoord" => Ok(AttrSemantic::TexCoord(self.r.sized("texcoord")?)),
            "generic" => Ok(AttrSemantic::Generic(self.r.sized("generic")?)),
            _ => self.fail("an attribute's meaning"),
        }
    }

    fn role(&mut self) -> Step<OutputRole> {
        let plain = match self.r.t.peek_text() {
            "depth" => Some(OutputRole::Depth),
            "sample_mask" => Some(OutputRole::SampleMask),
            "stencil" => Some(OutputRole::Stencil),
            "position" => Some(OutputRole::Position),
            "fog" => Some(OutputRole::Fog),
            "point_size" => Some(OutputRole::PointSize),
            "watch" => Some(OutputRole::Watch),
            _ => None,
        };
        if let Some(role) = plain {
            self.r.t.bump();
            return Ok(role);
        }
        match self.r.t.peek_text() {
            "color" => Ok(OutputRole::Color(self.r.sized("color")?)),
            "sample_depth" => Ok(OutputRole::SampleDepth(self.r.sized("sample_depth")?)),
            "front_color" => Ok(OutputRole::FrontColor(self.r.sized("front_color")?)),
            "texcoord" => Ok(OutputRole::TexCoord(self.r.sized("texcoord")?)),
            "generic" => Ok(OutputRole::Generic(self.r.sized("generic")?)),
            "clip_distance" => Ok(OutputRole::ClipDistance(self.r.sized("clip_distance")?)),
            "fixed_function" => Ok(OutputRole::FixedFunction(self.r.sized("fixed_function")?)),
            _ => self.fail("an output's meaning"),
        }
    }

    fn image(&mut self) -> Step<ImageDecl> {
        self.r.word("image")?;
        let shape = self.r.named(&ImageShape::ALL, ImageShape::name, "an image's shape")?;
        let format = self.r.named(&ImageFormat::ALL, ImageFormat::name, "an image's format")?;
        Ok(ImageDecl { shape, format, any_format: self.r.t.eat_word("any") })
    }

    fn shape(&mut self) -> Step<TexTarget> {
        Ok(self.r.named(&TexTarget::ALL, TexTarget::name, "a texture's shape")?)
    }

    fn ty(&mut self) -> Step<Type> {
        match Type::from_name(self.r.t.peek_text()) {
            Some(ty) => {
                self.r.t.bump();
                Ok(ty)
            }
            None => self.fail("a type"),
        }
    }

    fn slot(&mut self) -> Step<Slot> {
        let (text, span) = self.r.joined(b"{}@%");
        Slot::parse(text).ok_or_else(|| self.r.wrong(span, format!("`{text}` is not a slot")).into())
    }

    /// `.x` to `.w`.
    fn comp(&mut self) -> Step<u8> {
        self.r.punct(b'.')?;
        Ok(self.r.named(&[0, 1, 2, 3], comp_name, "`x`, `y`, `z` or `w`")?)
    }
}

/// The id of the entity numbered `n` of a map with `len` entries.
fn known<K: EntityRef>(n: u64, len: usize) -> Option<K> {
    usize::try_from(n).ok().filter(|&n| n < len).map(K::new)
}
