//! Options and declarations.

use super::{NAME, OPTION, Parser, Read, SYNTAX};
use crate::ast::{Base, ConstValue, Name, NameId, NameKind, ParamFile, ParamItem, Size};
use crate::dialect::{Dialect, Features};
use crate::table::TABLE;
use parallax_text::{Diag, Span, TokenKind, closest};

/// Options of `!!ARBvp1.0` programs.
const VERTEX_OPTIONS: &[&str] =
    &["ARB_fragment_program_shadow", "ARB_position_invariant", "NV_vertex_program2", "NV_vertex_program3"];

/// Options of `!!VP1.1` and `!!VP2.0` programs.
const NV_VERTEX_OPTIONS: &[&str] = &["NV_position_invariant"];

/// Options of `!!ARBfp1.0` programs.
const OPTIONS: &[&str] = &[
    "ARB_draw_buffers",
    "ARB_fog_exp",
    "ARB_fog_exp2",
    "ARB_fog_linear",
    "ARB_fragment_coord_origin_upper_left",
    "ARB_fragment_coord_pixel_center_integer",
    "ARB_fragment_program_shadow",
    "ARB_precision_hint_fastest",
    "ARB_precision_hint_nicest",
    "ATI_draw_buffers",
    "NV_fragment_program",
    "NV_fragment_program2",
];

impl<'a> Parser<'a> {
    /// All `OPTION` lines at the start.
    pub(super) fn options(&mut self) {
        while self.word() == Some("OPTION") {
            if let Err(diag) = self.option() {
                self.diags.push(diag);
                self.recover();
            }
        }
    }

    fn option(&mut self) -> Read<()> {
        self.bump();
        let (name, span) = self.expect_word("the name of an option")?;
        let options = match self.dialect() {
            Dialect::ArbVertex => VERTEX_OPTIONS,
            Dialect::Vp11 | Dialect::Vp20 => NV_VERTEX_OPTIONS,
            _ => OPTIONS,
        };
        if !options.contains(&name) {
            let diag = Diag::invalid(OPTION, span, format!("unknown option `{name}`"));
            return Err(match closest(name, options.iter().copied()) {
                Some(near) => diag.with_help(format!("did you mean `{near}`?")),
                None => diag,
            });
        }
        for prefix in ["ARB_fog_", "ARB_precision_hint_"] {
            let other = self.program.options.iter().find(|o| name.starts_with(prefix) && o.starts_with(prefix));
            if let Some(other) = other
                && other != name
            {
                return Err(Diag::invalid(OPTION, span, format!("option `{name}` contradicts option `{other}`")));
            }
        }
        self.program.features |= match name {
            "NV_fragment_program" => Features::NV1,
            "NV_fragment_program2" => Features::NV1 | Features::NV2,
            "ARB_fragment_program_shadow" => Features::SHADOW,
            "ARB_draw_buffers" | "ATI_draw_buffers" => Features::DRAW_BUFFERS,
            "ARB_fragment_coord_pixel_center_integer" => Features::WHOLE_CENTERS,
            "ARB_position_invariant" | "NV_position_invariant" => Features::POSITION_INVARIANT,
            "NV_vertex_program2" => Features::NV1 | Features::VP2,
            "NV_vertex_program3" => Features::NV1 | Features::VP2 | Features::VP3,
            // Rows of a frame are counted from its first, which is the upper one.
            _ => Features::empty(),
        };
        self.program.options.push(name.to_string());
        self.expect(b';')?;
        Ok(())
    }

    fn declare(&mut self, text: &'a str, span: Span, kind: NameKind) -> Read<NameId> {
        if let Some(old) = self.lookup(text) {
            let place = self.name(old).span;
            let diag = Diag::invalid(NAME, span, format!("`{text}` is declared twice"));
            return Err(diag.with_label(place, "first declared here"));
        }
        if let Some(why) = self.reserved(text) {
            return Err(Diag::invalid(NAME, span, format!("`{text}` cannot be declared: {why}")));
        }
        let id = NameId(self.program.names.len());
        self.program.names.push(Name { text: text.to_string(), kind, span });
        self.names.insert(text, id);
        Ok(id)
    }

    /// Why a name is taken.
    fn reserved(&self, text: &str) -> Option<&'static str> {
        let numbered = |prefix: &str, limit: u32| {
            text.strip_prefix(prefix)
                .filter(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
                .and_then(|n| n.parse::<u32>().ok())
                .is_some_and(|n| n < limit)
        };
        match self.dialect() {
            Dialect::Fp10 => {
                let word = matches!(text, "f" | "o" | "p" | "RC" | "HC" | "END" | "DEFINE" | "DECLARE");
                if numbered("R", 32) || numbered("H", 64) || numbered("TEX", 16) || word {
                    return Some("it names a register");
                }
                TABLE.iter().any(|r| r.fp10.is_some() && r.name == text).then_some("it names an opcode")
            }
            Dialect::Arb | Dialect::ArbVertex => {
                const WORDS: &[&str] = &[
                    "ALIAS", "ATTRIB", "END", "OPTION", "OUTPUT", "PARAM", "TEMP", "fragment", "program", "result",
                    "state", "texture",
                ];
                if self.dialect() == Dialect::ArbVertex && matches!(text, "ADDRESS" | "vertex") {
                    return Some("it is a reserved word");
                }
                if WORDS.contains(&text) {
                    return Some("it is a reserved word");
                }
                let opcode = TABLE.iter().find(|r| r.name == text);
                let exists = opcode.is_some_and(|r| match (self.has(Features::NV2), self.has(Features::NV1)) {
                    _ if self.dialect() == Dialect::ArbVertex => r.vertex.contains(self.program.vertex_kind()),
                    (true, _) => r.nv2.is_some(),
                    (_, true) => r.nv1.is_some(),
                    _ => r.arb.is_some(),
                });
                exists.then_some("it names an opcode")
            }
            _ => None,
        }
    }

    /// `DEFINE` and `DECLARE` of `!!FP1.0`; `None` when the statement is none.
    pub(super) fn fp10_declaration(&mut self, word: &str) -> Read<Option<Vec<NameId>>> {
        if word != "DEFINE" && word != "DECLARE" {
            return Ok(None);
        }
        self.bump();
        let (name, span) = self.expect_word("a name")?;
        let value = if word == "DEFINE" || self.tokens.peek().kind == TokenKind::Punct(b'=') {
            self.expect(b'=')?;
            Some(self.const_value()?)
        } else {
            None
        };
        let kind = match (word, value) {
            ("DEFINE", Some(value)) => NameKind::Define(value),
            (_, value) => NameKind::Declare(value),
        };
        Ok(Some(vec![self.declare(name, span, kind)?]))
    }

    fn const_value(&mut self) -> Read<ConstValue> {
        if self.tokens.peek().kind == TokenKind::Punct(b'{') {
            self.const_vector()
        } else {
            Ok(ConstValue::Scalar(self.signed_number()?))
        }
    }

    /// Declarations of the ARB dialects; `None` when the statement is none.
    pub(super) fn arb_declaration(&mut self, word: &str) -> Read<Option<Vec<NameId>>> {
        let sized = matches!(word, "SHORT" | "LONG")
            && self.has(Features::NV1)
            && self.dialect() == Dialect::Arb
            && matches!(self.tokens.text(self.tokens.peek_at(1)), "TEMP" | "OUTPUT");
        let size = match word {
            "SHORT" if sized => Size::Short,
            "LONG" if sized => Size::Long,
            _ => Size::Default,
        };
        if sized {
            self.bump();
        }
        match self.word() {
            Some("OPTION") => {
                let diag = Diag::invalid(OPTION, self.tokens.span(), "options must come before all statements");
                Err(diag)
            }
            Some(kind @ ("TEMP" | "ADDRESS")) if kind == "TEMP" || self.dialect() == Dialect::ArbVertex => {
                self.bump();
                let mut names = Vec::new();
                loop {
                    let (name, span) = self.expect_word("a name")?;
                    let kind = if kind == "TEMP" { NameKind::Temp(size) } else { NameKind::Address };
                    names.push(self.declare(name, span, kind)?);
                    if !self.eat(b',') {
                        return Ok(Some(names));
                    }
                }
            }
            Some("OUTPUT") => {
                self.bump();
                let (name, span) = self.expect_word("a name")?;
                self.expect(b'=')?;
                let at = self.tokens.span();
                match self.binding()? {
                    Base::Out(out) => Ok(Some(vec![self.declare(name, span, NameKind::Output(out, size))?])),
                    _ => Err(Diag::invalid(SYNTAX, at, "expected a result such as `result.color`")),
                }
            }
            Some("ATTRIB") => {
                self.bump();
                let (name, span) = self.expect_word("a name")?;
                self.expect(b'=')?;
                let at = self.tokens.span();
                match self.binding()? {
                    base @ (Base::Attr(_) | Base::AttrIndexed(_)) => {
                        Ok(Some(vec![self.declare(name, span, NameKind::Attrib(base))?]))
                    }
                    _ if self.dialect() == Dialect::ArbVertex => {
                        Err(Diag::invalid(SYNTAX, at, "expected an attribute such as `vertex.color`"))
                    }
                    _ => Err(Diag::invalid(SYNTAX, at, "expected an attribute such as `fragment.color`")),
                }
            }
            Some("ALIAS") => {
                self.bump();
                let (name, span) = self.expect_word("a name")?;
                self.expect(b'=')?;
                let (old, at) = self.expect_word("a declared name")?;
                let Some(id) = self.lookup(old) else {
                    return Err(Diag::invalid(NAME, at, format!("`{old}` is not declared")));
                };
                Ok(Some(vec![self.declare(name, span, NameKind::Alias { of: id, target: self.program.target(id) })?]))
            }
            Some("PARAM") => {
                self.bump();
                let (name, span) = self.expect_word("a name")?;
                let kind = self.param(span)?;
                Ok(Some(vec![self.declare(name, span, kind)?]))
            }
            _ => Ok(None),
        }
    }

    fn param(&mut self, span: Span) -> Read<NameKind> {
        if !self.eat(b'[') {
            self.expect(b'=')?;
            return Ok(NameKind::Param { items: vec![self.param_item()?], array: None });
        }
        let size = match self.tokens.peek().kind {
            TokenKind::Integer => Some(self.expect_integer("a size")?),
            _ => None,
        };
        self.expect(b']')?;
        self.expect(b'=')?;
        self.expect(b'{')?;
        let mut items = Vec::new();
        loop {
            match self.tokens.peek_text() {
                "state" => items.extend(self.states()?.into_iter().map(ParamItem::State)),
                _ => items.push(self.param_item()?),
            }
            if !self.eat(b',') {
                break;
            }
        }
        self.expect(b'}')?;
        let len = crate::ast::Program::param_len(&items);
        if let Some((size, at)) = size
            && size as usize != len
        {
            let message = format!("the array is declared with {size} elements, {len} are given");
            return Err(Diag::invalid(super::OPERAND, at, message).with_label(span, "this array"));
        }
        Ok(NameKind::Param { items, array: Some(size.map(|s| s.0 as u16)) })
    }

    /// `state.*` in an array: of a matrix all rows, or those of a range.
    fn states(&mut self) -> Read<Vec<String>> {
        let (_, start) = self.expect_word("a state variable")?;
        let text = self.state(start, true)?;
        let rows = |head: &str, first: u32, last: u32| (first..=last).map(|n| format!("{head}.row[{n}]")).collect();
        if !text.starts_with("state.matrix.") {
            return Ok(vec![text]);
        }
        let Some((head, row)) = text.split_once(".row[") else { return Ok(rows(&text, 0, 3)) };
        let range = row.trim_end_matches(']').split_once("..");
        match range.map(|(first, last)| (first.parse(), last.parse())) {
            None => Ok(vec![text]),
            Some((Ok(first), Ok(last))) if first <= last && last < 4 => Ok(rows(head, first, last)),
            Some(_) => {
                Err(Diag::invalid(super::OPERAND, start.to(self.last), "a matrix has the rows 0 to 3, in this order"))
            }
        }
    }

    /// One element.
    fn param_item(&mut self) -> Read<ParamItem> {
        match self.tokens.peek().kind {
            TokenKind::Word => {
                let at = self.tokens.span();
                match self.binding_or_range()? {
                    Some(item) => Ok(item),
                    None => Err(Diag::invalid(SYNTAX, at, "expected a constant, `program.*` or `state.*`")),
                }
            }
            TokenKind::Punct(b'{') => Ok(ParamItem::Const(self.const_vector()?)),
            _ => Ok(ParamItem::Const(ConstValue::Scalar(self.signed_number()?))),
        }
    }

    /// `program.local[n]`, `program.local[a..b]`, `state.*`.
    fn binding_or_range(&mut self) -> Read<Option<ParamItem>> {
        let range = self.tokens.peek_text() == "program"
            && self.tokens.peek_at(5).kind == TokenKind::Punct(b'.')
            && self.tokens.peek_at(6).kind == TokenKind::Punct(b'.');
        if range {
            self.bump();
            self.bump();
            let (word, at) = self.expect_word("`local` or `env`")?;
            let file = match word {
                "local" => ParamFile::Local,
                "env" => ParamFile::Env,
                _ => return Err(Diag::invalid(SYNTAX, at, format!("expected `local` or `env`, found `{word}`"))),
            };
            self.expect(b'[')?;
            let (first, at) = self.expect_integer("a parameter number")?;
            self.expect(b'.')?;
            self.expect(b'.')?;
            let (last, end) = self.expect_integer("a parameter number")?;
            self.expect(b']')?;
            if first > last || last > 1023 {
                return Err(Diag::invalid(
                    super::OPERAND,
                    at.to(end),
                    format!("range {first}..{last} is empty or too long"),
                ));
            }
            return Ok(Some(ParamItem::Range(file, first as u16, last as u16)));
        }
        Ok(match self.binding()? {
            Base::Param(file, n) => Some(ParamItem::Param(file, n)),
            Base::State(text) => Some(ParamItem::State(text.into())),
            _ => None,
        })
    }
}
