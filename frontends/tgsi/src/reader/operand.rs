//! Operands: registers, masks, swizzles, modifiers, texture targets, offsets.

use super::{Parsed, Parser};
use crate::ast::{Dst, Index, Indirect, Offset, Reg, Src};
use crate::opcode::Operand;
use crate::words::{File, Target};
use parallax_text::{Diag, TokenKind, closest, four_components};

impl Parser<'_> {
    pub(super) fn file(&mut self) -> Parsed<File> {
        let word = self.t.peek_text();
        let found = match self.t.peek().kind {
            TokenKind::Word if word.eq_ignore_ascii_case("RES") => Some(self.resources),
            TokenKind::Word => file_from_name(word),
            _ => None,
        };
        match found {
            Some(file) => {
                self.t.bump();
                Ok(file)
            }
            None => {
                let mut diag = *self.expected("tgsi-register", "a register");
                if let Some(near) = closest(word, File::names()) {
                    diag = diag.with_help(format!("did you mean `{near}`?"));
                }
                Err(Box::new(diag))
            }
        }
    }

    /// Reads a register into one that is new.
    #[inline]
    fn reg(&mut self, reg: &mut Reg) -> Parsed<()> {
        let start = self.t.span();
        reg.file = self.file()?;
        self.bracket(&mut reg.index)?;
        let mut array = self.array_id()?;
        if self.t.peek().kind == TokenKind::Punct(b'[') {
            reg.dim = Some(std::mem::replace(&mut reg.index, Index::number(0)));
            self.bracket(&mut reg.index)?;
            array = array.or(self.array_id()?);
        }
        if let (Some(id), Some(indirect)) = (array, &mut reg.index.indirect) {
            indirect.array = id;
        }
        reg.span = start.to(self.before());
        Ok(())
    }

    /// `(id)` behind a bracket.
    #[inline]
    fn array_id(&mut self) -> Parsed<Option<u32>> {
        if !self.t.eat(b'(') {
            return Ok(None);
        }
        let id = self.number("an array number")?;
        self.expect("tgsi-syntax", b')')?;
        Ok(Some(id))
    }

    /// Reads an index into one that is new.
    #[inline]
    fn bracket(&mut self, index: &mut Index) -> Parsed<()> {
        if let [open, number, close, ..] = *self.t.ahead()
            && [open.kind, number.kind, close.kind]
                == [TokenKind::Punct(b'['), TokenKind::Integer, TokenKind::Punct(b']')]
            && let [digit] = self.t.text(number).as_bytes()
        {
            self.t.take(3);
            index.base = i32::from(digit - b'0');
            return Ok(());
        }
        *index = self.any_bracket()?;
        Ok(())
    }

    fn any_bracket(&mut self) -> Parsed<Index> {
        self.expect("tgsi-syntax", b'[')?;
        let index = if self.t.peek().kind == TokenKind::Word {
            self.indirect()?
        } else {
            Index::number(self.number("a register number")? as i32)
        };
        self.expect("tgsi-syntax", b']')?;
        Ok(index)
    }

    /// `ADDR[n].c+k`.
    fn indirect(&mut self) -> Parsed<Index> {
        let file = self.file()?;
        self.expect("tgsi-syntax", b'[')?;
        let index = self.number("a register number")?;
        self.expect("tgsi-syntax", b']')?;
        let mut comp = 0;
        if self.t.eat(b'.') {
            let word = self.t.peek_text();
            match word.as_bytes() {
                [letter] if component(*letter).is_some() => {
                    comp = component(*letter).unwrap_or(0);
                    self.t.bump();
                }
                _ => return Err(self.expected("tgsi-swizzle", "one of the components x, y, z, w")),
            }
        }
        let mut base = 0;
        if let TokenKind::Punct(sign @ (b'+' | b'-')) = self.t.peek().kind {
            self.t.bump();
            base = self.number("an index offset")? as i32;
            if sign == b'-' {
                base = -base;
            }
        }
        Ok(Index { base, indirect: Some(Indirect { file, index, comp, array: 0 }) })
    }

    /// Reads a destination into one that is new.
    pub(super) fn dst(&mut self, dst: &mut Dst) -> Parsed<()> {
        self.reg(&mut dst.reg)?;
        dst.mask = self.mask()?;
        Ok(())
    }

    /// `.xyzw` with letters left out; absent: all.
    pub(super) fn mask(&mut self) -> Parsed<u8> {
        if !self.t.eat(b'.') {
            return Ok(0xF);
        }
        let token = self.t.peek();
        let word = self.t.peek_text();
        if token.kind != TokenKind::Word {
            return Err(self.expected("tgsi-mask", "components to write"));
        }
        let mut mask = 0u8;
        for letter in word.bytes() {
            let bit = component(letter).map_or(0, |c| 1u8 << c);
            // Letters must be known and go on in order.
            if bit <= mask {
                let diag = Diag::invalid("tgsi-mask", token.span, format!("`{word}` is not a write mask"));
                return Err(Box::new(diag.with_help("a mask names each of x, y, z, w at most once, in this order")));
            }
            mask |= bit;
        }
        self.t.bump();
        Ok(mask)
    }

    /// Reads a source into one that is new.
    pub(super) fn src(&mut self, kind: Operand, src: &mut Src) -> Parsed<()> {
        let start = self.t.peek();
        let negate = self.t.eat(b'-');
        let absolute = self.t.eat(b'|');
        if absolute && self.t.peek().kind == TokenKind::Punct(b'-') {
            let diag = Diag::invalid("tgsi-modifier", self.t.span(), "negation inside the bars of an absolute value");
            return Err(Box::new(diag.with_help("negation goes outside: `-|x|`")));
        }
        if self.t.peek().kind == TokenKind::Punct(b'+') {
            let diag = *self.expected("tgsi-register", "a register");
            return Err(Box::new(diag.with_help("a source cannot have a plus sign")));
        }
        self.reg(&mut src.reg)?;
        src.swizzle = self.swizzle()?;
        if absolute {
            self.expect("tgsi-modifier", b'|')?;
            if self.t.peek().kind == TokenKind::Punct(b'.') {
                let diag = Diag::invalid("tgsi-swizzle", self.t.span(), "swizzle outside the bars");
                return Err(Box::new(diag.with_help("the swizzle goes inside: `|x.yyyy|`")));
            }
        }
        let span = start.span.to(self.before());
        let wrong = match kind {
            Operand::Int if absolute => Some("an integer source takes no absolute value"),
            Operand::Wide if absolute || negate => Some("a 64-bit source takes no modifiers"),
            _ if super::names_resource(kind) && (absolute || negate) => Some("a resource takes no modifiers"),
            _ => None,
        };
        match wrong {
            Some(message) => Err(Box::new(Diag::invalid("tgsi-modifier", span, message))),
            None => {
                (src.negate, src.absolute, src.span) = (negate, absolute, span);
                Ok(())
            }
        }
    }

    #[inline]
    fn swizzle(&mut self) -> Parsed<[u8; 4]> {
        if !self.t.eat(b'.') {
            return Ok([0, 1, 2, 3]);
        }
        let token = self.t.peek();
        if token.kind == TokenKind::Word
            && let Ok(letters) = <[u8; 4]>::try_from(self.t.text(token).as_bytes())
            && let Some(comps) = four_components(letters.map(|letter| letter | 0x20))
        {
            self.t.bump();
            return Ok(comps);
        }
        self.components("a swizzle has exactly four letters, such as `.xxxx`")
    }

    /// `N` letters out of xyzw.
    fn components<const N: usize>(&mut self, help: &str) -> Parsed<[u8; N]> {
        let token = self.t.peek();
        let word = self.t.peek_text();
        if token.kind != TokenKind::Word {
            return Err(self.expected("tgsi-swizzle", "a swizzle"));
        }
        let mut out = [0; N];
        let fits = word.len() == N;
        for (to, letter) in out.iter_mut().zip(word.bytes()) {
            match component(letter).filter(|_| fits) {
                Some(comp) => *to = comp,
                None => {
                    let diag =
                        Diag::invalid("tgsi-swizzle", token.span, format!("`{word}` is not a valid swizzle here"));
                    return Err(Box::new(diag.with_help(help)));
                }
            }
        }
        self.t.bump();
        Ok(out)
    }

    /// The texture target at the cursor, not taken. Names such as `2D` come as a number and a word.
    pub(super) fn target_here(&self) -> Option<Target> {
        let token = self.t.peek();
        let next = self.t.peek_at(1);
        match token.kind {
            TokenKind::Word => Target::from_name(self.t.text(token)),
            TokenKind::Integer if next.kind == TokenKind::Word && !next.spaced => {
                Target::from_name(token.span.to(next.span).text(self.t.source))
            }
            _ => None,
        }
    }

    pub(super) fn target(&mut self) -> Parsed<Target> {
        let Some(target) = self.target_here() else {
            let names: Vec<&str> = Target::names().collect();
            let diag = *self.expected("tgsi-target", "a texture target");
            return Err(Box::new(diag.with_help(format!("targets: {}", names.join(", ")))));
        };
        if self.t.bump().kind == TokenKind::Integer {
            self.t.bump();
        }
        Ok(target)
    }

    pub(super) fn offset(&mut self) -> Parsed<Offset> {
        let mut reg = Reg::NEW;
        self.reg(&mut reg)?;
        let swizzle = if self.t.eat(b'.') {
            self.components("an offset has exactly three letters, such as `.xyz`")?
        } else {
            [0, 1, 2]
        };
        Ok(Offset { reg, swizzle })
    }
}

fn component(letter: u8) -> Option<u8> {
    match letter | 0x20 {
        b'x' => Some(0),
        b'y' => Some(1),
        b'z' => Some(2),
        b'w' => Some(3),
        _ => None,
    }
}

/// As [`File::from_name`], with the common files first.
fn file_from_name(word: &str) -> Option<File> {
    match word {
        "TEMP" => Some(File::Temp),
        "IN" => Some(File::In),
        "OUT" => Some(File::Out),
        "CONST" => Some(File::Const),
        "IMM" => Some(File::Imm),
        _ => File::from_name(word),
    }
}
