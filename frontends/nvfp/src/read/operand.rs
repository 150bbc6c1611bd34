//! Operands: registers, names, literals, swizzles, masks.

use super::{NAME, OPERAND, Parser, Read, SYNTAX};
use crate::ast::CcTest;
use crate::ast::{Array, Base, ConstValue, Dst, File, NameId, NameKind, Out, ParamFile, Src, Swizzle, TARGETS};
use crate::dialect::{
    ATTRIBUTES, Dialect, Features, NV_VERTEX_ATTRIBUTES, NV_VERTEX_RESULTS, VERTEX_ATTRIBUTES, VERTEX_RESULTS, result,
};
use parallax_text::{Diag, Span, TokenKind, closest, four_components, parse_f32};
use smallvec::SmallVec;

/// What an operand must deliver.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Width {
    /// One component.
    Scalar,
    /// Four components.
    Vector,
}

/// Declared names that a name not declared is compared with.
const MOST_COMPARED: usize = 256;

impl Parser<'_> {
    pub(super) fn source(&mut self, width: Width) -> Read<Src> {
        let start = self.tokens.span();
        let mut src = Src::plain(Base::Const(ConstValue::Scalar(0.0)), start);
        let bars = self.has(Features::NV1);
        src.negate = self.sign();
        if self.tokens.peek().kind == TokenKind::Punct(b'|') {
            if !bars {
                let diag =
                    Diag::invalid(OPERAND, self.tokens.span(), "absolute value bars are not part of this dialect");
                return Err(match self.dialect() {
                    Dialect::Arb => diag.with_help("they need `OPTION NV_fragment_program;`"),
                    Dialect::ArbVertex => diag.with_help("they need `OPTION NV_vertex_program2;`"),
                    _ => diag.with_help("write MAX with the operand and its negative"),
                });
            }
            self.bump();
            src.abs = true;
            src.inner_negate = self.sign();
        }
        let mut component = None;
        if let Some(id) = self.plain_name() {
            src.base = Base::Name(id, None);
        } else {
            // Signed literals carry their sign in the value, so that constants are counted as written.
            let literal = matches!(self.tokens.peek().kind, TokenKind::Integer | TokenKind::Float);
            let base;
            (base, component) = self.base()?;
            let sign = if src.abs { &mut src.inner_negate } else { &mut src.negate };
            src.base = match base {
                Base::Const(ConstValue::Scalar(v)) if literal && *sign => {
                    *sign = false;
                    Base::Const(ConstValue::Scalar(-v))
                }
                other => other,
            };
        }
        if component.is_none() && self.tokens.peek().kind == TokenKind::Punct(b'.') {
            let at = self.tokens.peek_at(1).span;
            let letters = self.tokens.text(self.tokens.peek_at(1)).len();
            let swizzle = self.swizzle()?;
            let one_letter = self.dialect().is_arb() || self.dialect().is_nv_vertex();
            if width == Width::Scalar && one_letter && letters > 1 {
                return Err(Diag::invalid(OPERAND, at, "a scalar operand needs exactly one component"));
            }
            component = Some((swizzle, at));
        }
        if let Some((swizzle, _)) = component {
            src.swizzle = swizzle;
        }
        if src.abs {
            self.expect(b'|')?;
        }
        src.span = start.to(self.last);
        if width == Width::Scalar {
            self.check_scalar(&mut src, component.is_some())?;
        }
        self.check_readable(&src)?;
        Ok(src)
    }

    /// An optional sign; true for minus.
    fn sign(&mut self) -> bool {
        if self.eat(b'-') {
            return true;
        }
        if !matches!(self.dialect(), Dialect::Patent | Dialect::Vp10) {
            self.eat(b'+');
        }
        false
    }

    /// A scalar operand selects one component; scalar literals and names need none.
    fn check_scalar(&self, src: &mut Src, selected: bool) -> Read<()> {
        if selected {
            return match src.swizzle.single() {
                Some(_) => Ok(()),
                None => Err(Diag::invalid(OPERAND, src.span, "a scalar operand needs exactly one component")),
            };
        }
        let scalar = match &src.base {
            // ARB_fragment_program, section 3.11.2: a scalar operand ends in a component, whatever it names; the option
            // NV_fragment_program takes that back for literals.
            Base::Const(ConstValue::Scalar(_)) => !self.dialect().is_arb() || self.has(Features::NV1),
            _ if self.dialect().is_arb() => false,
            Base::Name(id, None) => match &self.program.resolve(*id).kind {
                NameKind::Define(ConstValue::Scalar(_)) | NameKind::Declare(Some(ConstValue::Scalar(_))) => true,
                // A DECLARE without default may be set to anything; its x is read.
                NameKind::Declare(None) => true,
                _ => false,
            },
            _ => false,
        };
        if scalar {
            src.swizzle = Swizzle([0; 4]);
            return Ok(());
        }
        let diag = Diag::invalid(OPERAND, src.span, "a scalar operand needs exactly one component");
        Err(diag.with_help("select one, as in `.x`"))
    }

    fn check_readable(&self, src: &Src) -> Read<()> {
        let message = match &src.base {
            Base::Cc(_) => "the condition code register can only be written",
            Base::Out(_) | Base::Relative { array: Array::Results, .. } => "an output register cannot be read",
            Base::Name(id, _) => match self.program.resolve(*id).kind {
                NameKind::Output(..) => "an output variable cannot be read",
                NameKind::Address => "an address register is read in brackets only",
                _ => return Ok(()),
            },
            _ => return Ok(()),
        };
        Err(Diag::invalid(OPERAND, src.span, message))
    }

    pub(super) fn destination(&mut self) -> Read<Dst> {
        let start = self.tokens.span();
        let base = match self.plain_name() {
            Some(id) => Base::Name(id, None),
            None => self.base()?.0,
        };
        let span = start.to(self.last);
        let writable = match &base {
            Base::Temp(..) | Base::Out(_) | Base::Relative { array: Array::Results, .. } => true,
            Base::Cc(file) => {
                self.has(Features::NV1) && self.dialect() == Dialect::Fp10 && *file != File::I
                    || matches!(self.dialect(), Dialect::Patent | Dialect::Vp20)
            }
            Base::Name(id, None) => {
                matches!(self.program.resolve(*id).kind, NameKind::Temp(_) | NameKind::Output(..))
            }
            _ => false,
        };
        if !writable {
            return Err(Diag::invalid(OPERAND, span, format!("`{}` cannot be written", span.text(self.tokens.source))));
        }
        let mask = self.mask()?;
        let test = if self.tokens.peek().kind == TokenKind::Punct(b'(') { self.conditional_write()? } else { None };
        Ok(Dst { base, mask, test, span })
    }

    /// The test of a conditional write; its parenthesis is next.
    fn conditional_write(&mut self) -> Read<Option<CcTest>> {
        if self.dialect() == Dialect::Patent || self.has(Features::NV1) {
            return self.optional_test();
        }
        let diag = Diag::invalid(OPERAND, self.tokens.span(), "conditional writes are not part of this dialect");
        Err(match self.dialect() {
            Dialect::Arb => diag.with_help("they need `OPTION NV_fragment_program;`"),
            Dialect::ArbVertex => diag.with_help("they need `OPTION NV_vertex_program2;`"),
            _ => diag.with_help("they need `!!VP2.0`"),
        })
    }

    /// An address register by its name.
    fn address(&mut self) -> Read<(NameId, Span)> {
        let (word, span) = self.expect_word("an address register")?;
        let id = self.lookup(word).filter(|id| self.program.resolve(*id).kind == NameKind::Address);
        match id {
            Some(id) => Ok((id, span)),
            None => {
                let diag = Diag::invalid(OPERAND, span, format!("`{word}` is not an address register"));
                Err(match self.dialect() {
                    Dialect::ArbVertex => diag.with_help("`ADDRESS A0;` declares one"),
                    Dialect::Vp20 => diag.with_help("address registers: A0 A1"),
                    _ => diag.with_help("the address register is A0"),
                })
            }
        }
    }

    /// A component of an address register: x, which is all that there is without NV_vertex_program2.
    fn address_component(&mut self) -> Read<u8> {
        const ALL: &[&str] = &["x", "y", "z", "w"];
        let (known, what) =
            if self.has(Features::VP2) { (ALL, "`.x`, `.y`, `.z` or `.w`") } else { (&ALL[..1], "`.x`") };
        match self.part(known) {
            Some(comp) => Ok(comp as u8),
            None => Err(self.tokens.expected(SYNTAX, what)),
        }
    }

    /// `A0.x`, or with NV_vertex_program2 `A0` with a mask and a test.
    pub(super) fn address_destination(&mut self) -> Read<Dst> {
        let (id, span) = self.address()?;
        let (mask, test) = if self.has(Features::VP2) {
            let mask = self.mask()?;
            let tested = self.tokens.peek().kind == TokenKind::Punct(b'(');
            (mask, if tested { self.conditional_write()? } else { None })
        } else {
            self.address_component()?;
            (1, None)
        };
        Ok(Dst { base: Base::Name(id, None), mask, test, span: span.to(self.last) })
    }

    /// A whole address register, which takes no swizzle.
    pub(super) fn address_source(&mut self) -> Read<Src> {
        let (id, span) = self.address()?;
        Ok(Src::plain(Base::Name(id, None), span))
    }

    /// `.` and component letters, as indices; the set of letters is checked for mixing.
    pub(super) fn components(&mut self, text: &str, span: Span, what: &str) -> Read<SmallVec<[u8; 4]>> {
        let mut letters = SmallVec::new();
        let mut sets = [false; 2];
        let colours = self.dialect() == Dialect::Arb;
        for c in text.bytes() {
            let (at, set) = match (component(c), c) {
                (Some(at), _) => (at, 0),
                (_, b'r') if colours => (0, 1),
                (_, b'g') if colours => (1, 1),
                (_, b'b') if colours => (2, 1),
                (_, b'a') if colours => (3, 1),
                _ => return Err(Diag::invalid(OPERAND, span, format!("`{text}` is not a {what}"))),
            };
            letters.push(at);
            sets[set] = true;
        }
        if sets == [true; 2] {
            return Err(Diag::invalid(OPERAND, span, format!("`{text}` mixes the letters xyzw and rgba")));
        }
        Ok(letters)
    }

    fn mask(&mut self) -> Read<u8> {
        if !self.eat(b'.') {
            return Ok(15);
        }
        let (text, span) = self.expect_word("a write mask")?;
        if let Some(mask) = mask_of(text) {
            return Ok(mask);
        }
        let letters = self.components(text, span, "write mask")?;
        if !letters.windows(2).all(|p| p[0] < p[1]) {
            let diag = Diag::invalid(OPERAND, span, format!("the letters of write mask `{text}` are not in order"));
            return Err(diag.with_help("a mask names each component once, in the order xyzw"));
        }
        Ok(letters.iter().fold(0, |mask, n| mask | 1 << n))
    }

    /// An optional swizzle.
    pub(super) fn swizzle(&mut self) -> Read<Swizzle> {
        if !self.eat(b'.') {
            return Ok(Swizzle::IDENTITY);
        }
        let (text, span) = self.expect_word("a swizzle")?;
        self.swizzle_word(text, span)
    }

    fn swizzle_word(&mut self, text: &str, span: Span) -> Read<Swizzle> {
        if let Some(swizzle) = swizzle_of(text) {
            return Ok(swizzle);
        }
        let letters = self.components(text, span, "swizzle")?;
        match *letters.as_slice() {
            [a] => Ok(Swizzle([a; 4])),
            [x, y, z, w] => Ok(Swizzle([x, y, z, w])),
            _ => Err(Diag::invalid(OPERAND, span, format!("swizzle `{text}` must have one or four letters"))),
        }
    }

    /// What an operand names. The second part is a swizzle the lexer joined to a literal (`3.x`).
    fn base(&mut self) -> Read<(Base, Option<(Swizzle, Span)>)> {
        let token = self.tokens.peek();
        match token.kind {
            TokenKind::Integer | TokenKind::Float if self.has_literals() => {
                let text = self.tokens.peek_text();
                let value = self.number()?;
                // `3.x` is lexed as `3.` and `x`.
                let next = self.tokens.peek();
                if text.ends_with('.') && next.kind == TokenKind::Word && !next.spaced {
                    let (letters, at) = self.expect_word("a swizzle")?;
                    let swizzle = self.swizzle_word(letters, at)?;
                    return Ok((Base::Const(ConstValue::Scalar(value)), Some((swizzle, at))));
                }
                Ok((Base::Const(ConstValue::Scalar(value)), None))
            }
            TokenKind::Punct(b'{') if self.has_literals() => Ok((Base::Const(self.const_vector()?), None)),
            TokenKind::Word => {
                let base = match self.dialect() {
                    Dialect::Patent => self.patent_base()?,
                    Dialect::Fp10 => self.fp10_base()?,
                    Dialect::Vp10 | Dialect::Vp11 | Dialect::Vp20 => self.nv_vertex_base()?,
                    _ => self.arb_base()?,
                };
                Ok((base, None))
            }
            _ => Err(self.tokens.expected(SYNTAX, "an operand")),
        }
    }

    /// Whether operands may be numbers.
    fn has_literals(&self) -> bool {
        self.dialect() != Dialect::Patent && !self.dialect().is_nv_vertex()
    }

    /// An unsigned number.
    pub(super) fn number(&mut self) -> Read<f32> {
        let token = self.tokens.peek();
        let text = self.tokens.peek_text();
        let hex = text.starts_with("0x") || text.starts_with("0X");
        let value = match token.kind {
            TokenKind::Integer | TokenKind::Float if !hex => parse_f32(text),
            _ => None,
        };
        match value {
            Some(value) => {
                self.bump();
                Ok(value)
            }
            None => Err(self.tokens.expected(SYNTAX, "a number")),
        }
    }

    pub(super) fn signed_number(&mut self) -> Read<f32> {
        let negative = self.sign();
        let value = self.number()?;
        Ok(if negative { -value } else { value })
    }

    /// `{ 1 to 4 numbers }`.
    pub(super) fn const_vector(&mut self) -> Read<ConstValue> {
        self.expect(b'{')?;
        let mut values = [0.0, 0.0, 0.0, 1.0];
        let mut n = 0;
        loop {
            if n == 4 {
                let message = format!("expected `}}` after four numbers, found {}", self.tokens.found());
                return Err(Diag::invalid(SYNTAX, self.tokens.span(), message));
            }
            values[n] = self.signed_number()?;
            n += 1;
            if !self.eat(b',') {
                break;
            }
        }
        self.expect(b'}')?;
        Ok(ConstValue::Vector(values, n as u8))
    }

    /// `R0`, `H3`, `I1` within the dialect's limits.
    fn register(&self, word: &str, span: Span) -> Read<Option<Base>> {
        let Some((file, limit)) = (match (self.dialect(), word.as_bytes().first()) {
            (Dialect::Patent, Some(b'R')) => Some((File::R, 8)),
            (Dialect::Patent, Some(b'H')) => Some((File::H, 16)),
            (Dialect::Patent, Some(b'I')) => Some((File::I, 8)),
            (Dialect::Fp10, Some(b'R')) => Some((File::R, 32)),
            (Dialect::Fp10, Some(b'H')) => Some((File::H, 64)),
            (Dialect::Vp10 | Dialect::Vp11, Some(b'R')) => Some((File::R, 12)),
            (Dialect::Vp20, Some(b'R')) => Some((File::R, 16)),
            _ => None,
        }) else {
            return Ok(None);
        };
        let digits = &word[1..];
        if digits == "C" && !self.dialect().is_nv_vertex() {
            return Ok(Some(Base::Cc(file)));
        }
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return Ok(None);
        }
        match digits.parse::<u8>() {
            Ok(n) if n < limit => Ok(Some(Base::Temp(file, n))),
            // Beyond the limit `!!FP1.0` may have declared it as a name.
            _ if self.dialect() == Dialect::Fp10 && self.lookup(word).is_some() => Ok(None),
            _ => {
                let last = limit - 1;
                let letter = file.letter();
                let message = format!("register `{word}` does not exist; there are {letter}0 to {letter}{last}");
                Err(Diag::invalid(OPERAND, span, message))
            }
        }
    }

    fn patent_base(&mut self) -> Read<Base> {
        let (word, span) = self.expect_word("a register")?;
        if let Some(base) = self.register(word, span)? {
            return Ok(base);
        }
        let limit = match word {
            "p" => 12,
            "c" => 256,
            _ => return Err(Diag::invalid(OPERAND, span, format!("unknown register `{word}`"))),
        };
        self.expect(b'[')?;
        let (n, at) = self.expect_integer("a register number or a defined name")?;
        if n >= limit {
            let last = limit - 1;
            return Err(Diag::invalid(
                OPERAND,
                at,
                format!("`{word}[{n}]` does not exist; the last is `{word}[{last}]`"),
            ));
        }
        self.expect(b']')?;
        if word == "p" {
            return Ok(Base::Attr(n as u8));
        }
        if n > 31 {
            let message = format!("`c[{n}]` lies beyond the 32 constants of the patent's table 2");
            self.diags.push(Diag::warning(OPERAND, span.to(self.last), message));
        }
        Ok(Base::Param(ParamFile::Numbered, n as u16))
    }

    fn fp10_base(&mut self) -> Read<Base> {
        let (word, span) = self.expect_word("a register")?;
        if let Some(base) = self.register(word, span)? {
            return Ok(base);
        }
        let bracket = self.tokens.peek().kind == TokenKind::Punct(b'[');
        match word {
            "f" if bracket => {
                self.bump();
                let (name, at) = self.expect_word("an attribute")?;
                let number = ATTRIBUTES[..12].iter().position(|a| *a == name);
                let Some(number) = number else {
                    let diag = Diag::invalid(OPERAND, at, format!("unknown attribute `{name}`"));
                    return Err(diag.with_help("attributes: WPOS COL0 COL1 FOGC TEX0 to TEX7"));
                };
                self.expect(b']')?;
                Ok(Base::Attr(number as u8))
            }
            "o" if bracket => {
                self.bump();
                let (name, at) = self.expect_word("an output")?;
                let out = match name {
                    "COLR" => Out::Colr,
                    "COLH" => Out::Colh,
                    "DEPR" => Out::Depr,
                    _ => {
                        let diag = Diag::invalid(OPERAND, at, format!("unknown output `{name}`"));
                        return Err(diag.with_help("outputs: COLR COLH DEPR"));
                    }
                };
                self.expect(b']')?;
                Ok(Base::Out(out))
            }
            "p" if bracket => {
                self.bump();
                let (n, at) = self.expect_integer("a parameter number")?;
                if n > 1023 {
                    return Err(Diag::invalid(OPERAND, at, format!("parameter {n} does not exist; there are 1024")));
                }
                self.expect(b']')?;
                Ok(Base::Param(ParamFile::Numbered, n as u16))
            }
            _ => match self.lookup(word) {
                Some(id) => Ok(Base::Name(id, None)),
                None => Err(self.undeclared(word, span)),
            },
        }
    }

    /// `v[OPOS]`, `c[n]`, `c[A0.x + n]`, `R0`, `o[HPOS]`, `CC` (NV_vertex_program2, section 2.14.1.8).
    fn nv_vertex_base(&mut self) -> Read<Base> {
        let (word, span) = self.expect_word("a register")?;
        if word == "CC" && self.has(Features::VP2) {
            return Ok(Base::Cc(File::R));
        }
        if let Some(base) = self.register(word, span)? {
            return Ok(base);
        }
        let (parameters, before, behind) = if self.dialect() == Dialect::Vp20 { (256, 256, 255) } else { (96, 64, 63) };
        match word {
            "v" => {
                self.expect(b'[')?;
                let number = match self.tokens.peek().kind {
                    TokenKind::Integer => {
                        let (n, at) = self.expect_integer("an attribute")?;
                        if n > 15 {
                            let message = format!("attribute {n} does not exist; the last is 15");
                            return Err(Diag::invalid(OPERAND, at, message));
                        }
                        n as u8
                    }
                    _ => {
                        let (name, at) = self.expect_word("an attribute")?;
                        let number = NV_VERTEX_ATTRIBUTES.iter().position(|a| *a == name);
                        let Some(number) = number else {
                            let diag = Diag::invalid(OPERAND, at, format!("unknown attribute `{name}`"));
                            return Err(
                                diag.with_help("attributes: OPOS WGHT NRML COL0 COL1 FOGC TEX0 to TEX7, 0 to 15")
                            );
                        };
                        number as u8
                    }
                };
                self.expect(b']')?;
                Ok(Base::Attr(number))
            }
            "c" => {
                self.expect(b'[')?;
                if self.tokens.peek().kind == TokenKind::Word {
                    return self.relative(Array::Parameters, before, behind);
                }
                let (n, at) = self.expect_integer("a parameter number or an address register")?;
                if n >= parameters {
                    let message = format!("parameter {n} does not exist; the last is {}", parameters - 1);
                    return Err(Diag::invalid(OPERAND, at, message));
                }
                self.expect(b']')?;
                Ok(Base::Param(ParamFile::Numbered, n as u16))
            }
            "o" => {
                self.expect(b'[')?;
                let (name, at) = self.expect_word("a result")?;
                let known = if self.has(Features::VP2) { result::TEXT } else { result::PLAIN };
                let number = NV_VERTEX_RESULTS[..usize::from(known)].iter().position(|r| *r == name);
                let Some(number) = number else {
                    let diag = Diag::invalid(OPERAND, at, format!("unknown result `{name}`"));
                    let clip = if self.has(Features::VP2) { " CLP0 to CLP5" } else { "" };
                    let help = format!("results: HPOS COL0 COL1 BFC0 BFC1 FOGC PSIZ TEX0 to TEX7{clip}");
                    return Err(diag.with_help(help));
                };
                self.expect(b']')?;
                Ok(Base::Out(Out::Vertex(number as u8)))
            }
            _ => {
                let diag = Diag::invalid(OPERAND, span, format!("unknown register `{word}`"));
                Err(diag.with_help("registers: v[OPOS] c[0] R0 o[HPOS]"))
            }
        }
    }

    fn undeclared(&self, word: &str, span: Span) -> Diag {
        let diag = Diag::invalid(NAME, span, format!("`{word}` is not declared"));
        match closest(word, self.program.names.iter().take(MOST_COMPARED).map(|n| n.text.as_str())) {
            Some(near) => diag.with_help(format!("did you mean `{near}`?")),
            None => diag,
        }
    }

    /// The name of something else than an array, of the dialects that declare all names.
    #[inline]
    fn plain_name(&mut self) -> Option<NameId> {
        if !self.dialect().is_arb() {
            return None;
        }
        let id = self.lookup(self.word()?)?;
        if self.elements(id).is_some() {
            return None;
        }
        self.bump();
        Some(id)
    }

    /// How many elements an array has.
    fn elements(&self, id: NameId) -> Option<u32> {
        match &self.program.resolve(id).kind {
            NameKind::Param { items, array: Some(_) } => Some(crate::ast::Program::param_len(items) as u32),
            _ => None,
        }
    }

    fn arb_base(&mut self) -> Read<Base> {
        if let Some(id) = self.plain_name() {
            return Ok(Base::Name(id, None));
        }
        let start = self.tokens.span();
        if let Some(word) = self.word()
            && let Some(id) = self.lookup(word)
            && let Some(len) = self.elements(id)
        {
            self.bump();
            self.expect(b'[')?;
            if self.dialect() == Dialect::ArbVertex && self.tokens.peek().kind == TokenKind::Word {
                // ARB_vertex_program, section 2.14.3.2: offsets are -64 to 63.
                return self.relative(Array::Name(id), 64, 63);
            }
            let (n, at) = self.expect_integer("an element number")?;
            if n >= len {
                return Err(Diag::invalid(OPERAND, at, format!("`{word}` has {len} elements, {n} is beyond the last")));
            }
            self.expect(b']')?;
            return Ok(Base::Name(id, Some(n as u16)));
        }
        match self.word() {
            Some("fragment") if self.dialect() != Dialect::ArbVertex => self.binding(),
            Some("vertex") if self.dialect() == Dialect::ArbVertex => self.binding(),
            Some("program" | "state" | "result") => self.binding(),
            Some(word) => Err(self.undeclared(word, start)),
            None => Err(self.tokens.expected(SYNTAX, "an operand")),
        }
    }

    /// The rest of `array[A0.x + n]` behind the bracket; n is as much below and above 0.
    fn relative(&mut self, array: Array, below: u32, above: u32) -> Read<Base> {
        let (address, _) = self.address()?;
        let comp = self.address_component()?;
        let negative = self.eat(b'-');
        let offset = if negative || self.eat(b'+') { self.expect_integer("an offset")? } else { (0, self.last) };
        if offset.0 > if negative { below } else { above } {
            return Err(Diag::invalid(OPERAND, offset.1, format!("offsets are -{below} to {above}")));
        }
        self.expect(b']')?;
        let offset = offset.0 as i16;
        Ok(Base::Relative { array, address, comp, offset: if negative { -offset } else { offset } })
    }

    /// `[A0.x + n]` of attributes and results of NV_vertex_program3, if that is next.
    fn relative_index(&mut self, array: Array) -> Read<Option<Base>> {
        let indexed = self.has(Features::VP3)
            && self.tokens.peek().kind == TokenKind::Punct(b'[')
            && self.tokens.peek_at(1).kind == TokenKind::Word;
        if !indexed {
            return Ok(None);
        }
        self.bump();
        self.relative(array, 64, 63).map(Some)
    }

    /// `vertex.*`, behind the first word.
    fn vertex_attribute(&mut self) -> Read<Base> {
        const PARTS: &[&str] = &["position", "weight", "normal", "color", "fogcoord", "texcoord", "attrib"];
        Ok(Base::Attr(match self.part(PARTS) {
            Some(n @ (0 | 2)) => n as u8,
            Some(1) => {
                // Units beyond the first need another extension.
                self.bracketed("weight", 1)?;
                1
            }
            Some(3) => match self.part(&["primary", "secondary"]) {
                Some(1) => 4,
                _ => 3,
            },
            Some(4) => 5,
            Some(5) => {
                if let Some(base) = self.relative_index(Array::TexCoords)? {
                    return Ok(base);
                }
                8 + self.bracketed("texture coordinate", 8)?.unwrap_or(0) as u8
            }
            Some(_) => {
                if let Some(base) = self.relative_index(Array::Attributes)? {
                    return Ok(base);
                }
                match self.bracketed("attribute", VERTEX_ATTRIBUTES.len() as u32)? {
                    Some(n) => VERTEX_ATTRIBUTES.len() as u8 + n as u8,
                    None => return Err(self.tokens.expected(SYNTAX, "`[`")),
                }
            }
            None => return Err(self.unknown_part("an attribute of `vertex`", PARTS)),
        }))
    }

    /// `result.*` of a vertex program, behind the first word.
    fn vertex_result(&mut self) -> Read<Base> {
        const ALL: &[&str] = &["position", "color", "fogcoord", "pointsize", "texcoord", "clip"];
        // NV_vertex_program2_option, section 2.14.3.4.
        let parts = if self.has(Features::VP2) { ALL } else { &ALL[..5] };
        let name = match self.part(parts) {
            Some(1) => {
                let side = if self.part(&["front", "back"]) == Some(1) { "back" } else { "front" };
                let colour = if self.part(&["primary", "secondary"]) == Some(1) { "secondary" } else { "primary" };
                format!("result.color.{side}.{colour}")
            }
            Some(4) => {
                if let Some(base) = self.relative_index(Array::Results)? {
                    return Ok(base);
                }
                format!("result.texcoord[{}]", self.bracketed("texture coordinate", 8)?.unwrap_or(0))
            }
            Some(5) => match self.bracketed("clip distance", 6)? {
                Some(n) => format!("result.clip[{n}]"),
                None => return Err(self.tokens.expected(SYNTAX, "`[`")),
            },
            Some(n) => format!("result.{}", parts[n]),
            None => return Err(self.unknown_part("a result", parts)),
        };
        let number = VERTEX_RESULTS.iter().position(|result| *result == name).unwrap_or(0);
        Ok(Base::Out(Out::Vertex(number as u8)))
    }

    /// A dotted name after which the next part is one of `parts`; takes it.
    fn part(&mut self, parts: &[&str]) -> Option<usize> {
        if self.tokens.peek().kind != TokenKind::Punct(b'.') {
            return None;
        }
        let next = self.tokens.peek_at(1);
        let text = self.tokens.text(next);
        let hit = parts.iter().position(|p| next.kind == TokenKind::Word && *p == text)?;
        self.bump();
        self.bump();
        Some(hit)
    }

    fn bracketed(&mut self, what: &str, limit: u32) -> Read<Option<u32>> {
        if !self.eat(b'[') {
            return Ok(None);
        }
        let (n, at) = self.expect_integer(what)?;
        if n >= limit {
            return Err(Diag::invalid(OPERAND, at, format!("{what} {n} is beyond the last, {}", limit - 1)));
        }
        self.expect(b']')?;
        Ok(Some(n))
    }

    /// `fragment.*`, `vertex.*`, `program.*`, `state.*`, `result.*`.
    pub(super) fn binding(&mut self) -> Read<Base> {
        const ATTRIBUTES: &[&str] = &["position", "color", "fogcoord", "texcoord", "facing"];
        const RESULTS: &[&str] = &["color", "depth"];
        let (root, start) = self.expect_word("a binding")?;
        match root {
            "vertex" if self.dialect() == Dialect::ArbVertex => self.vertex_attribute(),
            "result" if self.dialect() == Dialect::ArbVertex => self.vertex_result(),
            "fragment" if self.dialect() != Dialect::ArbVertex => match self.part(ATTRIBUTES) {
                Some(0) => Ok(Base::Attr(0)),
                Some(1) => Ok(Base::Attr(match self.part(&["primary", "secondary"]) {
                    Some(1) => 2,
                    _ => 1,
                })),
                Some(2) => Ok(Base::Attr(3)),
                Some(3) => self.texcoord(),
                Some(4) if self.has(Features::NV2) => Ok(Base::Attr(14)),
                _ => Err(self.unknown_part("an attribute of `fragment`", ATTRIBUTES)),
            },
            "program" => {
                let file = match self.part(&["local", "env"]) {
                    Some(0) => ParamFile::Local,
                    Some(_) => ParamFile::Env,
                    None => return Err(self.tokens.expected(OPERAND, "`.local` or `.env`")),
                };
                let Some(n) = self.bracketed("parameter", 1024)? else {
                    return Err(self.tokens.expected(SYNTAX, "`[`"));
                };
                Ok(Base::Param(file, n as u16))
            }
            "result" => match self.part(RESULTS) {
                Some(0) if self.has(Features::DRAW_BUFFERS) => {
                    let target = self.bracketed("colour", u32::from(TARGETS))?.unwrap_or(0);
                    Ok(Base::Out(Out::color(target as u8)))
                }
                Some(0) if self.tokens.peek().kind == TokenKind::Punct(b'[') => {
                    let diag = Diag::invalid(OPERAND, self.tokens.span(), "this program has one colour");
                    Err(diag.with_help("`result.color[n]` needs `OPTION ARB_draw_buffers;`"))
                }
                Some(0) => Ok(Base::Out(Out::Colr)),
                Some(_) => Ok(Base::Out(Out::Depr)),
                None => Err(self.unknown_part("`.color` or `.depth`", RESULTS)),
            },
            "state" => Ok(Base::State(self.state(start, false)?.into())),
            _ => Err(Diag::invalid(OPERAND, start, format!("unknown binding `{root}`"))),
        }
    }

    /// The problem of a part of a binding that is none of the known ones, at its word.
    fn unknown_part(&mut self, what: &str, known: &[&str]) -> Diag {
        if self.tokens.peek().kind == TokenKind::Punct(b'.') && self.tokens.peek_at(1).kind == TokenKind::Word {
            self.bump();
        }
        let diag = self.tokens.expected(OPERAND, what);
        match parallax_text::closest(self.tokens.peek_text(), known.iter().copied()) {
            Some(near) => diag.with_help(format!("did you mean `{near}`?")),
            None => diag,
        }
    }

    fn texcoord(&mut self) -> Read<Base> {
        let limit = if self.has(Features::NV2) { 10 } else { 8 };
        let indexed = self.tokens.peek().kind == TokenKind::Punct(b'[')
            && self.tokens.text(self.tokens.peek_at(1)) == "A0"
            && self.has(Features::NV2);
        if !indexed {
            let n = self.bracketed("texture coordinate", limit)?.unwrap_or(0);
            return Ok(Base::Attr(4 + n as u8));
        }
        self.bump();
        self.bump();
        if self.part(&["x"]).is_none() {
            return Err(self.tokens.expected(SYNTAX, "`.x`"));
        }
        let offset = if self.eat(b'+') { self.expect_integer("an offset")? } else { (0, self.last) };
        if offset.0 >= limit {
            return Err(Diag::invalid(
                OPERAND,
                offset.1,
                format!("offset {} is beyond the last, {}", offset.0, limit - 1),
            ));
        }
        self.expect(b']')?;
        Ok(Base::AttrIndexed(offset.0 as i16))
    }

    /// The rest of `state.*`: parts and bracketed numbers, up to what can only be a component selection. Arrays take ranges
    /// of numbers, too.
    pub(super) fn state(&mut self, start: Span, in_array: bool) -> Read<String> {
        let mut text = String::from("state");
        let mut parts = 0;
        loop {
            if self.tokens.peek().kind == TokenKind::Punct(b'.') && self.tokens.peek_at(1).kind == TokenKind::Word {
                let word = self.tokens.text(self.tokens.peek_at(1));
                let selects = word.len() <= 4 && word.chars().all(|c| "xyzwrgba".contains(c));
                // The first part is never a selection.
                if selects && parts > 0 {
                    break;
                }
                self.bump();
                self.bump();
                text.push('.');
                text.push_str(word);
                parts += 1;
            } else if parts > 0 && self.tokens.peek().kind == TokenKind::Punct(b'[') {
                self.bump();
                let (n, _) = self.expect_integer("a number")?;
                text.push('[');
                if in_array && text.starts_with("state.matrix.") && text.ends_with(".row[") && self.eat(b'.') {
                    self.expect(b'.')?;
                    let (last, _) = self.expect_integer("a number")?;
                    text.push_str(&format!("{n}..{last}]"));
                    self.expect(b']')?;
                    break;
                }
                self.expect(b']')?;
                text.push_str(&format!("{n}]"));
            } else {
                break;
            }
        }
        if parts == 0 {
            return Err(Diag::invalid(SYNTAX, start.to(self.last), "expected a state variable after `state`"));
        }
        if let Some(matrix) = text.strip_prefix("state.matrix.") {
            let (whole, row) = matrix.split_once(".row[").map_or((matrix, None), |(whole, row)| (whole, Some(row)));
            let (name, change) = whole.split_once('.').map_or((whole, None), |(name, change)| (name, Some(change)));
            let name = name.split('[').next().unwrap_or_default();
            // ARB_vertex_program, table X.4; ARB_fragment_program, table X.3.7.
            let is_known = ["modelview", "projection", "mvp", "texture", "palette", "program"].contains(&name)
                && change.is_none_or(|change| ["inverse", "transpose", "invtrans"].contains(&change))
                && row.is_none_or(|row| row.find(']') == Some(row.len() - 1));
            let span = start.to(self.last);
            if !is_known {
                let diag = Diag::invalid(OPERAND, span, format!("`{text}` is not a matrix or a row of one"));
                return Err(diag.with_help("as in `state.matrix.modelview[0].inverse.row[2]`"));
            }
            if row.is_none() && !in_array {
                let diag = Diag::invalid(OPERAND, span, "a matrix is four vectors: only an array takes it as a whole");
                return Err(diag.with_help("name a row, as in `.row[0]`"));
            }
        }
        Ok(text)
    }
}

/// The component a letter names in all dialects.
fn component(letter: u8) -> Option<u8> {
    match letter {
        b'x' => Some(0),
        b'y' => Some(1),
        b'z' => Some(2),
        b'w' => Some(3),
        _ => None,
    }
}

/// A mask of letters that every dialect has, in their order.
fn mask_of(text: &str) -> Option<u8> {
    text.bytes().try_fold(0u8, |mask, letter| {
        let bit = 1 << component(letter)?;
        (bit > mask).then_some(mask | bit)
    })
}

/// A swizzle of one or four letters that every dialect has.
fn swizzle_of(text: &str) -> Option<Swizzle> {
    match *text.as_bytes() {
        [a] => Some(Swizzle([component(a)?; 4])),
        [x, y, z, w] => four_components([x, y, z, w]).map(Swizzle),
        _ => None,
    }
}
