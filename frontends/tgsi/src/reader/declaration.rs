//! Declarations and immediates.

use super::{Parsed, Parser};
use crate::ast::{DeclDim, Declaration, Immediate, Resource};
use crate::words::{File, ImmType, Interpolation, MemoryKind, Place, Processor, ReturnType, Semantic};
use parallax_text::{Diag, Span, TokenKind, closest, parse_f32, parse_f64, parse_hex_u64};

impl Parser<'_> {
    pub(super) fn declaration(&mut self) -> Parsed<Declaration> {
        let start = self.t.bump().span;
        let file_span = self.t.span();
        let older = self.t.peek_text().eq_ignore_ascii_case("RES");
        let mut file = self.file()?;
        if let Some(torn) = self.torn.last_mut() {
            *torn = Some(file);
        }
        let (mut first, mut last, mut empty) = self.range()?;
        let mut dim = None;
        if self.t.peek().kind == TokenKind::Punct(b'[') {
            dim = Some(if empty { DeclDim::PerVertex } else { DeclDim::Number(first) });
            if !empty && first != last {
                let message = "only the last bracket can hold a range";
                return Err(Box::new(Diag::invalid("tgsi-declaration", file_span.to(self.before()), message)));
            }
            (first, last, empty) = self.range()?;
        }
        if empty {
            let message = "an empty bracket needs a second one with the register number";
            return Err(Box::new(Diag::invalid("tgsi-declaration", file_span.to(self.before()), message)));
        }
        let mask = self.mask()?;
        let mut decl = Declaration {
            file,
            dim,
            first,
            last,
            mask,
            array: 0,
            local: false,
            semantic: None,
            streams: None,
            interpolation: None,
            place: None,
            invariant: false,
            resource: Resource::None,
            span: start,
        };
        if self.t.peek().kind == TokenKind::Punct(b',') && self.t.text(self.t.peek_at(1)).eq_ignore_ascii_case("ARRAY")
        {
            self.t.bump();
            self.t.bump();
            self.expect("tgsi-syntax", b'(')?;
            decl.array = self.number("an array number")?;
            self.expect("tgsi-syntax", b')')?;
        }
        if older && self.names_return_type() {
            self.resources = File::SView;
            file = File::SView;
            decl.file = file;
        }
        match file {
            File::SView => self.view_words(&mut decl)?,
            File::Image => self.image_words(&mut decl)?,
            File::Buffer => {
                let atomic = self.flag("ATOMIC");
                decl.resource = Resource::Buffer { atomic };
            }
            File::Memory => {
                if self.t.eat(b',') {
                    let Some(kind) = MemoryKind::from_name(self.t.peek_text()) else {
                        return Err(self.expected("tgsi-declaration", "GLOBAL, SHARED, PRIVATE or INPUT"));
                    };
                    self.t.bump();
                    decl.resource = Resource::Memory(kind);
                }
            }
            File::Samp => _ = self.flag("CONSTANT"),
            // Mesa up to 8 gave vertex inputs a meaning and all declarations an interpolation; neither says anything.
            File::In if self.processor == Processor::Vertex => {
                self.register_words(&mut decl)?;
                (decl.semantic, decl.interpolation) = (None, None);
            }
            _ => self.register_words(&mut decl)?,
        }
        if self.t.peek().kind == TokenKind::Punct(b',') {
            let diag = Diag::invalid("tgsi-declaration", self.t.span(), format!("too many words for `{file}` here"));
            return Err(Box::new(diag.with_help("end the declaration here")));
        }
        decl.span = start.to(self.before());
        Ok(decl)
    }

    /// `[a]`, `[a..b]` or `[]`: first, last, and whether it was empty.
    fn range(&mut self) -> Parsed<(u32, u32, bool)> {
        self.expect("tgsi-syntax", b'[')?;
        if self.t.eat(b']') {
            return Ok((0, 0, true));
        }
        let start = self.t.span();
        let first = self.number("a register number")?;
        let mut last = first;
        if self.t.eat(b'.') {
            self.expect("tgsi-syntax", b'.')?;
            last = self.number("the last register number")?;
        }
        let span = start.to(self.before());
        self.expect("tgsi-syntax", b']')?;
        if last < first {
            let message = format!("the range {first}..{last} runs backwards");
            return Err(Box::new(Diag::invalid("tgsi-declaration", span, message)));
        }
        Ok((first, last, false))
    }

    /// Whether a shape and then a return type follow: what sampler views have and images have not.
    fn names_return_type(&self) -> bool {
        // A shape is one word, or a number and a word, as `2D`.
        [3, 4].iter().any(|&n| {
            self.t.peek_at(n - 1).kind == TokenKind::Punct(b',')
                && ReturnType::from_name(self.t.text(self.t.peek_at(n))).is_some()
        })
    }

    /// Takes `, WORD` if it is there.
    fn flag(&mut self, word: &str) -> bool {
        let hit =
            self.t.peek().kind == TokenKind::Punct(b',') && self.t.text(self.t.peek_at(1)).eq_ignore_ascii_case(word);
        if hit {
            self.t.bump();
            self.t.bump();
        }
        hit
    }

    /// LOCAL, semantic, streams, interpolation, place, INVARIANT: each optional, in this order.
    fn register_words(&mut self, decl: &mut Declaration) -> Parsed<()> {
        decl.local = self.flag("LOCAL");
        let next = |this: &Self| {
            if this.t.peek().kind == TokenKind::Punct(b',') { this.t.text(this.t.peek_at(1)) } else { "" }
        };
        if let Some(semantic) = Semantic::from_name(next(self)) {
            self.t.bump();
            self.t.bump();
            let mut index = 0;
            if self.t.eat(b'[') {
                index = self.number("a semantic index")?;
                self.expect("tgsi-syntax", b']')?;
            }
            decl.semantic = Some((semantic, index));
        }
        if self.flag("STREAM") {
            self.expect("tgsi-syntax", b'(')?;
            let mut streams = [0; 4];
            for (n, stream) in streams.iter_mut().enumerate() {
                if n > 0 {
                    self.expect("tgsi-syntax", b',')?;
                }
                *stream = self.number("a stream number")?;
            }
            self.expect("tgsi-syntax", b')')?;
            decl.streams = Some(streams);
        }
        if let Some(interpolation) = Interpolation::from_name(next(self)) {
            self.t.bump();
            self.t.bump();
            decl.interpolation = Some(interpolation);
        }
        if let Some(place) = Place::from_name(next(self)) {
            self.t.bump();
            self.t.bump();
            decl.place = Some(place);
        }
        decl.invariant = self.flag("INVARIANT");
        if self.t.peek().kind == TokenKind::Punct(b',') {
            self.t.bump();
            return Err(self.unknown_word());
        }
        Ok(())
    }

    fn unknown_word(&self) -> Box<Diag> {
        let word = self.t.peek_text();
        let diag = *self.expected("tgsi-declaration", "a semantic, interpolation or location here");
        let mut known: Vec<&str> = Semantic::names().chain(Interpolation::names()).chain(Place::names()).collect();
        known.extend(["INVARIANT", "LOCAL"]);
        let exact = known.iter().any(|k| k.eq_ignore_ascii_case(word));
        Box::new(match closest(word, known) {
            Some(_) if exact => diag
                .with_help("order: LOCAL or semantic, STREAM, interpolation, location, INVARIANT; each at most once"),
            Some(near) => diag.with_help(format!("did you mean `{near}`?")),
            None => diag,
        })
    }

    fn view_words(&mut self, decl: &mut Declaration) -> Parsed<()> {
        self.expect("tgsi-declaration", b',')?;
        let target = self.target()?;
        let mut types = Vec::with_capacity(4);
        while self.t.eat(b',') {
            let Some(ty) = ReturnType::from_name(self.t.peek_text()).filter(|_| types.len() < 4) else {
                return Err(self.expected("tgsi-declaration", "one or four of UNORM, SNORM, SINT, UINT, FLOAT"));
            };
            self.t.bump();
            types.push(ty);
        }
        let types = match types[..] {
            [one] => [one; 4],
            [x, y, z, w] => [x, y, z, w],
            _ => return Err(self.expected("tgsi-declaration", "one or four of UNORM, SNORM, SINT, UINT, FLOAT")),
        };
        decl.resource = Resource::View(target, types);
        Ok(())
    }

    fn image_words(&mut self, decl: &mut Declaration) -> Parsed<()> {
        self.expect("tgsi-declaration", b',')?;
        let target = self.target()?;
        let (mut format, mut raw, mut writable) = (None, false, false);
        while self.t.eat(b',') {
            match self.t.peek_text().to_ascii_uppercase().as_str() {
                "RAW" => raw = true,
                "WR" => writable = true,
                word if word.starts_with("PIPE_FORMAT_") => format = Some(word.to_string()),
                _ => return Err(self.expected("tgsi-declaration", "a format, RAW or WR")),
            }
            self.t.bump();
        }
        decl.resource = Resource::Image { target, format, raw, writable };
        Ok(())
    }

    pub(super) fn immediate(&mut self, number: u32) -> Parsed<Immediate> {
        let start = self.t.bump().span;
        if self.t.eat(b'[') {
            let span = self.t.span();
            let given = self.number("an immediate number")?;
            self.expect("tgsi-syntax", b']')?;
            if given != number {
                let message = format!("immediate {given} where {number} follows");
                let diag = Diag::invalid("tgsi-immediate-number", span, message);
                self.diags.push(diag.with_help("immediates are numbered from 0 without gaps"));
            }
        }
        let Some(ty) = ImmType::from_name(self.t.peek_text()) else {
            let names: Vec<&str> = ImmType::names().collect();
            let diag = *self.expected("tgsi-immediate", "the type of an immediate");
            return Err(Box::new(diag.with_help(format!("types: {}", names.join(", ")))));
        };
        self.t.bump();
        self.expect("tgsi-immediate", b'{')?;
        let mut words = [0; 4];
        let wide = matches!(ty, ImmType::Flt64 | ImmType::Int64 | ImmType::Uint64);
        for n in 0..if wide { 2 } else { 4 } {
            if n > 0 {
                let count = if wide { "two" } else { "four" };
                if !self.t.eat(b',') {
                    return Err(self.expected("tgsi-immediate", &format!("`,` ({ty} takes {count} values)")));
                }
            }
            let bits = self.value(ty)?;
            if wide {
                (words[2 * n], words[2 * n + 1]) = (bits as u32, (bits >> 32) as u32);
            } else {
                words[n] = bits as u32;
            }
        }
        self.expect("tgsi-immediate", b'}')?;
        Ok(Immediate { ty, words, span: start.to(self.before()) })
    }

    /// One value of an immediate, as bits.
    fn value(&mut self, ty: ImmType) -> Parsed<u64> {
        let start = self.t.span();
        let sign = match self.t.peek().kind {
            TokenKind::Punct(sign @ (b'+' | b'-')) => Some(sign),
            _ => None,
        };
        if sign.is_some() {
            self.t.bump();
        }
        let token = self.t.peek();
        let apart = sign.is_some() && token.spaced;
        if !matches!(token.kind, TokenKind::Integer | TokenKind::Float) || apart {
            return Err(self.expected("tgsi-immediate", &format!("a {ty} value")));
        }
        let span = start.to(token.span);
        let text = self.t.text(token);
        let hex = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
        let negative = sign == Some(b'-');
        let whole = |max_negative: u64, max: u64| -> Option<u64> {
            let magnitude = match hex {
                Some(hex) => parse_hex_u64(hex)?,
                None if text.bytes().all(|b| b.is_ascii_digit()) => text.parse().ok()?,
                None => return None,
            };
            let fits = magnitude <= if negative { max_negative } else { max };
            fits.then_some(if negative { magnitude.wrapping_neg() } else { magnitude })
        };
        let flip = |bits: u64, top: u32| if negative { bits ^ 1 << top } else { bits };
        let bits = match ty {
            ImmType::Flt32 => match hex {
                Some(hex) => parse_hex_u64(hex).filter(|_| hex.len() == 8 && sign.is_none()),
                None => parse_f32(text).map(|v| flip(u64::from(v.to_bits()), 31)),
            },
            ImmType::Flt64 => parse_f64(text).filter(|_| hex.is_none()).map(|v| flip(v.to_bits(), 63)),
            ImmType::Int32 => whole(1 << 31, (1 << 31) - 1).filter(|_| hex.is_none()),
            ImmType::Uint32 => whole(0, u64::from(u32::MAX)).filter(|_| hex.is_none() && sign.is_none()),
            ImmType::Int64 => whole(1 << 63, (1 << 63) - 1),
            ImmType::Uint64 => whole(0, u64::MAX).filter(|_| sign.is_none()),
        };
        match bits {
            Some(bits) => {
                self.t.bump();
                Ok(bits)
            }
            None => Err(Box::new(bad_value(ty, span.text(self.t.source), span))),
        }
    }
}

fn bad_value(ty: ImmType, text: &str, span: Span) -> Diag {
    let diag = Diag::invalid("tgsi-number", span, format!("`{text}` is not a {ty} value"));
    diag.with_help(match ty {
        ImmType::Flt32 => "a decimal number, or 0x and eight digits",
        ImmType::Flt64 => "a decimal number",
        ImmType::Int32 => "a decimal number from -2147483648 to 2147483647",
        ImmType::Uint32 => "a decimal number from 0 to 4294967295",
        ImmType::Int64 => "a signed 64-bit number, decimal or hexadecimal with 0x",
        ImmType::Uint64 => "an unsigned 64-bit number, decimal or hexadecimal with 0x",
    })
}
