//! Opcodes with their suffixes, and the operands each shape takes.

use super::operand::Width;
use super::{FLOW, OPCODE, OPERAND, Parser, Read, SYNTAX};
use crate::ast::Selector;
use crate::ast::{Base, CcTest, Clamp, Cond, Image, Instr, Precision, Stmt, StmtKind, Suffix, Target};
use crate::dialect::{Dialect, Features};
use crate::table::{Row, Shape, Suffixes, TABLE, Vertex};
use parallax_text::{Diag, Span, TokenKind, closest};

impl Parser<'_> {
    /// Suffixes `row` takes here; `None` when the opcode does not exist here.
    fn suffixes(&self, row: &Row) -> Option<Suffixes> {
        match self.dialect() {
            Dialect::Patent => row.patent,
            Dialect::Fp10 => row.fp10,
            Dialect::Arb if self.has(Features::NV2) => row.nv2,
            Dialect::Arb if self.has(Features::NV1) => row.nv1,
            Dialect::Arb => row.arb,
            Dialect::Nv40 | Dialect::Nv40Vertex => None,
            _ => row.vertex_suffixes(self.program.vertex_kind()),
        }
    }

    /// Splits an opcode word into row and suffixes. The longest row name whose rest reads as suffixes wins.
    fn opcode(&self, word: &str, span: Span) -> Read<(&'static Row, Suffix)> {
        let mut refused: Option<(&'static Row, &str)> = None;
        for row in rows_of(word).iter().rev() {
            let Some(rest) = word.strip_prefix(row.name) else { continue };
            let Some((suffix, used)) = split_suffix(rest, self.dialect()) else { continue };
            match self.suffixes(row) {
                Some(allowed) if allowed.contains(used) => return Ok((row, suffix)),
                _ => refused = refused.or(Some((row, rest))),
            }
        }
        let Some((row, rest)) = refused else {
            let known = TABLE.iter().filter(|r| self.suffixes(r).is_some()).map(|r| r.name);
            let diag = Diag::invalid(OPCODE, span, format!("unknown opcode `{word}`"));
            return Err(match closest(word, known) {
                Some(near) => diag.with_help(format!("did you mean `{near}`?")),
                None => diag,
            });
        };
        if self.suffixes(row).is_some() {
            let diag = Diag::invalid(OPCODE, span, format!("opcode `{}` takes no suffix `{rest}` here", row.name));
            return Err(diag.with_help(describe_suffixes(self.suffixes(row).unwrap_or(Suffixes::empty()))));
        }
        let diag = Diag::invalid(OPCODE, span, format!("opcode `{}` does not exist in this dialect", row.name));
        Err(match (self.dialect(), row.nv1, row.nv2) {
            (Dialect::Arb, Some(_), _) => diag.with_help("it needs `OPTION NV_fragment_program;`"),
            (Dialect::Arb, None, Some(_)) => diag.with_help("it needs `OPTION NV_fragment_program2;`"),
            (Dialect::ArbVertex, ..) if row.vertex.contains(Vertex::OPTION2) => {
                diag.with_help("it needs `OPTION NV_vertex_program2;`")
            }
            (Dialect::ArbVertex, ..) if row.vertex.contains(Vertex::OPTION3) => {
                diag.with_help("it needs `OPTION NV_vertex_program3;`")
            }
            _ => diag,
        })
    }

    /// Reads an instruction into `body`.
    pub(super) fn instruction(&mut self, body: &mut Vec<Stmt>) -> Read<()> {
        let (word, span) = self.expect_word("an instruction")?;
        let (row, suffix) = self.opcode(word, span)?;
        body.push(Stmt { kind: StmtKind::Instr(Instr { suffix, ..Instr::bare(row) }), span });
        // Filled where it stands: it is large.
        match body.last_mut() {
            Some(Stmt { kind: StmtKind::Instr(instr), .. }) => self.operands(instr),
            _ => Ok(()),
        }
    }

    fn operands(&mut self, instr: &mut Instr) -> Read<()> {
        let row = instr.row;
        match row.shape {
            Shape::None => {}
            Shape::Load => {
                instr.dst = Some(self.address_destination()?);
                self.expect(b',')?;
                let src = self.source(if self.has(Features::VP2) { Width::Vector } else { Width::Scalar })?;
                instr.srcs.push(src);
            }
            Shape::Address => {
                instr.dst = Some(self.address_destination()?);
                self.expect(b',')?;
                instr.srcs.push(self.address_source()?);
            }
            Shape::Push => instr.srcs.push(self.address_source()?),
            Shape::Pop => {
                let dst = self.address_destination()?;
                // NV_vertex_program3, section 2.14.5.43, as of revision 7: older drivers took tests.
                if dst.mask != 15 || dst.test.is_some_and(|test| test.cond != Cond::Tr) {
                    let diag = Diag::invalid(OPERAND, dst.span, "POPA writes all components, without a test");
                    return Err(diag.with_help("remove the mask or the test"));
                }
                instr.dst = Some(dst);
            }
            Shape::Kil => self.kill(instr)?,
            Shape::Test => instr.test = Some(self.test()?),
            Shape::OptTest => instr.test = self.optional_test()?,
            Shape::Call => {
                let (label, _) = self.expect_word("a label")?;
                instr.label = Some(label.into());
                instr.test = self.optional_test()?;
            }
            Shape::Count => {
                let src = self.source(Width::Vector)?;
                let parameter = match &src.base {
                    Base::Param(..) | Base::Const(_) | Base::State(_) => true,
                    Base::Name(id, _) => matches!(self.program.resolve(*id).kind, crate::ast::NameKind::Param { .. }),
                    _ => false,
                };
                if !parameter {
                    return Err(Diag::invalid(
                        FLOW,
                        src.span,
                        format!("the count of {} must be a parameter", row.name),
                    ));
                }
                instr.srcs.push(src);
            }
            _ => self.data_operands(instr)?,
        }
        Ok(())
    }

    fn data_operands(&mut self, instr: &mut Instr) -> Read<()> {
        instr.dst = Some(self.destination()?);
        let widths: &[Width] = match instr.row.shape {
            Shape::V | Shape::Swz | Shape::Tex => &[Width::Vector],
            Shape::S => &[Width::Scalar],
            Shape::VV => &[Width::Vector; 2],
            Shape::SS => &[Width::Scalar; 2],
            Shape::VS => &[Width::Vector, Width::Scalar],
            _ => &[Width::Vector; 3],
        };
        for &width in widths {
            self.expect(b',')?;
            let src = self.source(width)?;
            instr.srcs.push(src);
        }
        match instr.row.shape {
            Shape::Tex | Shape::Txd => {
                self.expect(b',')?;
                instr.image = Some(self.image()?);
            }
            Shape::Swz => {
                let src = &instr.srcs[0];
                if src.negate || src.abs || !src.swizzle.is_identity() {
                    let message = "the operand of SWZ takes neither sign nor swizzle; use its selectors";
                    return Err(Diag::invalid(OPERAND, src.span, message));
                }
                let mut selectors = [Selector { negate: false, source: 0 }; 4];
                let mut letters = String::new();
                let start = self.tokens.peek_at(1).span;
                for selector in &mut selectors {
                    self.expect(b',')?;
                    *selector = self.selector(&mut letters)?;
                }
                self.components(&letters, start.to(self.last), "selector")?;
                instr.selectors = Some(selectors);
            }
            _ => {}
        }
        Ok(())
    }

    /// One selector; a component is added to `letters`.
    fn selector(&mut self, letters: &mut String) -> Read<Selector> {
        let negate = self.eat(b'-');
        if !negate {
            self.eat(b'+');
        }
        let source = match self.tokens.peek_text() {
            "0" => Some(4),
            "1" => Some(5),
            "x" | "r" => Some(0),
            "y" | "g" => Some(1),
            "z" | "b" => Some(2),
            "w" | "a" => Some(3),
            _ => None,
        };
        let Some(source) = source else {
            return Err(self.tokens.expected(SYNTAX, "a selector: 0, 1 or a component"));
        };
        if source < 4 {
            letters.push_str(self.tokens.peek_text());
        }
        self.bump();
        Ok(Selector { negate, source })
    }

    fn kill(&mut self, instr: &mut Instr) -> Read<()> {
        let declared = self.word().is_some_and(|w| self.lookup(w).is_some());
        let test_word = self.word().is_some_and(|w| Cond::ALL.iter().any(|c| c.name() == w));
        match self.dialect() {
            Dialect::Arb if !self.has(Features::NV1) || declared || !test_word => {
                instr.srcs.push(self.source(Width::Vector)?);
            }
            // `KIL RC.x` of the patent means "not equal".
            Dialect::Patent if matches!(self.word(), Some("RC" | "HC" | "IC")) => {
                self.bump();
                let swizzle = self.swizzle()?;
                instr.test = Some(CcTest { cond: Cond::Ne, swizzle, code: 0 });
            }
            _ => instr.test = Some(self.test()?),
        }
        Ok(())
    }

    /// A bare condition test.
    pub(super) fn test(&mut self) -> Read<CcTest> {
        let word = self.word().map(|word| match self.has(Features::VP3) {
            true => word.strip_suffix(['0', '1']).map_or((word, 0), |test| (test, u8::from(word.ends_with('1')))),
            false => (word, 0),
        });
        let cond = word.and_then(|(word, code)| Some((Cond::ALL.into_iter().find(|c| c.name() == word)?, code)));
        let Some((cond, code)) = cond else {
            let diag = self.tokens.expected(SYNTAX, "a condition test");
            return Err(diag.with_help("tests: EQ GE GT LE LT NE TR FL, with an optional swizzle"));
        };
        self.bump();
        Ok(CcTest { cond, swizzle: self.swizzle()?, code })
    }

    pub(super) fn optional_test(&mut self) -> Read<Option<CcTest>> {
        if !self.eat(b'(') {
            return Ok(None);
        }
        let test = self.test()?;
        self.expect(b')')?;
        Ok(Some(test))
    }

    fn image(&mut self) -> Read<Image> {
        let start = self.tokens.span();
        let unit = match self.dialect() {
            Dialect::Patent => self.expect_integer("a texture number")?.0,
            Dialect::Fp10 => {
                let unit = self.word().and_then(|w| w.strip_prefix("TEX")).and_then(|n| n.parse::<u32>().ok());
                let Some(unit) = unit else {
                    return Err(self.tokens.expected(SYNTAX, "a texture image `TEX0` to `TEX15`"));
                };
                self.bump();
                unit
            }
            _ => {
                if self.word() != Some("texture") {
                    return Err(self.tokens.expected(SYNTAX, "`texture[n]`"));
                }
                self.bump();
                if self.eat(b'[') {
                    let unit = self.expect_integer("a texture unit")?.0;
                    self.expect(b']')?;
                    unit
                } else {
                    0
                }
            }
        };
        let span = start.to(self.last);
        if unit > 15 {
            return Err(Diag::invalid(OPERAND, span, format!("texture unit {unit} does not exist; units are 0 to 15")));
        }
        let target = if self.dialect() == Dialect::Patent && self.tokens.peek().kind != TokenKind::Punct(b',') {
            None
        } else {
            self.expect(b',')?;
            Some(self.target()?)
        };
        Ok(Image { unit: unit as u8, target, span: start.to(self.last) })
    }

    fn target(&mut self) -> Read<Target> {
        // `2D` arrives as the number 2 and the word D.
        let first = self.tokens.peek();
        let mut span = first.span;
        if first.kind == TokenKind::Integer {
            let second = self.tokens.peek_at(1);
            if second.kind == TokenKind::Word && !second.spaced {
                span = span.to(second.span);
            }
        }
        let text = span.text(self.tokens.source);
        let shadow = self.has(Features::SHADOW);
        let target = Target::ALL.into_iter().find(|t| t.name() == text).filter(|t| shadow || !t.is_shadow());
        let Some(target) = target else {
            let diag = self.tokens.expected(OPERAND, "a texture target");
            return Err(diag.with_help("targets: 1D 2D 3D CUBE RECT"));
        };
        self.bump();
        if span != first.span {
            self.bump();
        }
        Ok(target)
    }
}

/// Where the rows of each letter begin, those of Z and of nothing else last.
const STARTS: [usize; 27] = {
    let mut starts = [0; 27];
    let mut letter = 0;
    let mut n = 0;
    while letter < starts.len() {
        while n < TABLE.len() && TABLE[n].name.as_bytes()[0] < b'A' + letter as u8 {
            n += 1;
        }
        starts[letter] = n;
        letter += 1;
    }
    assert!(starts[0] == 0 && n == TABLE.len(), "names begin with capital letters");
    starts
};

/// The rows whose names begin with a word's first letter: rows are sorted, so they stand together.
fn rows_of(word: &str) -> &'static [Row] {
    match word.as_bytes().first() {
        Some(letter @ b'A'..=b'Z') => {
            let letter = usize::from(letter - b'A');
            &TABLE[STARTS[letter]..STARTS[letter + 1]]
        }
        _ => &[],
    }
}

impl Target {
    /// Whether it compares.
    pub const fn is_shadow(self) -> bool {
        matches!(self, Target::Shadow1D | Target::Shadow2D | Target::ShadowRect)
    }
}

/// Reads `[RHX][C][_SAT|_SSAT]` (patent: `c` or `C` only); `None` when `rest` is something else.
fn split_suffix(rest: &str, dialect: Dialect) -> Option<(Suffix, Suffixes)> {
    let mut suffix = Suffix::NONE;
    let mut used = Suffixes::empty();
    if dialect == Dialect::Patent {
        return match rest {
            "" => Some((suffix, used)),
            "c" | "C" => {
                suffix.cc = true;
                Some((suffix, Suffixes::C))
            }
            _ => None,
        };
    }
    let mut rest = rest;
    for (letter, precision, flag) in
        [("R", Precision::Fp32, Suffixes::R), ("H", Precision::Fp16, Suffixes::H), ("X", Precision::Fixed, Suffixes::X)]
    {
        if suffix.precision.is_none()
            && let Some(after) = rest.strip_prefix(letter)
        {
            suffix.precision = Some(precision);
            used |= flag;
            rest = after;
        }
    }
    if let Some(after) = rest.strip_prefix('C') {
        suffix.cc = true;
        used |= Suffixes::C;
        rest = after;
        if let (true, Some(after)) = (dialect.is_vertex(), rest.strip_prefix(['0', '1'])) {
            suffix.code = u8::from(rest.starts_with('1'));
            used |= Suffixes::CODES;
            rest = after;
        }
    }
    match rest {
        "" => {}
        "_SAT" => {
            suffix.clamp = Clamp::Sat;
            used |= Suffixes::SAT;
        }
        "_SSAT" => {
            suffix.clamp = Clamp::SSat;
            used |= Suffixes::SSAT;
        }
        _ => return None,
    }
    Some((suffix, used))
}

fn describe_suffixes(allowed: Suffixes) -> String {
    let mut words = Vec::new();
    for (flag, word) in [
        (Suffixes::R, "R"),
        (Suffixes::H, "H"),
        (Suffixes::X, "X"),
        (Suffixes::C, "C"),
        (Suffixes::CODES, "C0 C1"),
        (Suffixes::SAT, "_SAT"),
        (Suffixes::SSAT, "_SSAT"),
    ] {
        if allowed.contains(flag) {
            words.push(word);
        }
    }
    if words.is_empty() { "it takes no suffix".into() } else { format!("it takes: {}", words.join(" ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suffixes_split_in_their_order_only() {
        let (suffix, _) = split_suffix("RC_SAT", Dialect::Fp10).unwrap();
        assert_eq!(suffix, Suffix { precision: Some(Precision::Fp32), cc: true, clamp: Clamp::Sat, ..Suffix::NONE });
        assert!(split_suffix("CR", Dialect::Fp10).is_none());
        assert!(split_suffix("R", Dialect::Patent).is_none());
        assert!(split_suffix("RH", Dialect::Fp10).is_none());
    }
}
