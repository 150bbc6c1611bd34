//! Microcode to the tree that the text dialects are read to: branch words become blocks.

use super::fields::*;
use super::isa::sources;
use super::kind::REGISTERS;
use super::{Instr, Kind, Program, codec};
use crate::ast::{
    Base, CcTest, Clamp, Cond, ConstValue, Dst, File, Image, Name, NameId, NameKind, Precision, Program as Tree,
    SourceFormat, Src, Stmt, StmtKind, Suffix, Swizzle,
};
use crate::check;
use crate::dialect::{Dialect, Features};
use crate::read::{FLOW, NAME, OPERAND};
use crate::table::{Flow, Sem, microcode};
use parallax_isa::{Code, Field, Meaning, Row};
use parallax_lift::Embedded;
use parallax_text::{Diag, Span};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use std::sync::{Arc, LazyLock};

/// The tests by their number in a word.
const TESTS: [Cond; 8] = [Cond::Fl, Cond::Lt, Cond::Eq, Cond::Le, Cond::Gt, Cond::Ne, Cond::Ge, Cond::Tr];

/// What a row's operands are, taken from it once.
#[derive(Copy, Clone)]
struct Form {
    row: &'static crate::table::Row,
    sources: usize,
    result: bool,
    texture: bool,
    test: bool,
}

impl Form {
    fn of(row: &Row<super::Nv40>) -> Result<Form, &'static str> {
        let has = |kind: Kind| row.operands.iter().any(|operand| operand.kind == kind);
        let text = match row.meaning {
            Meaning::Lift(text) => text,
            Meaning::Unsupported(reason) | Meaning::Refused(reason) => return Err(reason),
        };
        Ok(Form {
            row: text,
            sources: sources(row),
            result: has(Kind::Result),
            texture: has(Kind::Unit),
            test: has(Kind::Test) || has(Kind::OptionalTest),
        })
    }
}

/// An open block: where its second arm starts, where it ends, in words, and what closes it.
struct Block {
    other: Option<u64>,
    end: u64,
    closers: SmallVec<[&'static crate::table::Row; 2]>,
    span: Span,
}

/// The markers of blocks.
const IF: &crate::table::Row = microcode("IF");
const ELSE: &crate::table::Row = microcode("ELSE");
const ENDIF: &crate::table::Row = microcode("ENDIF");
const ENDLOOP: &crate::table::Row = microcode("ENDLOOP");
const ENDREP: &crate::table::Row = microcode("ENDREP");

/// The tree being made.
struct Maker<'p> {
    instrs: &'p [Instr],
    /// The slot behind the last instruction.
    slots: u64,
    body: Vec<Stmt>,
    blocks: Vec<Block>,
    names: Vec<Name>,
    /// Names of embedded constants by byte offset.
    embedded: FxHashMap<usize, NameId>,
    diags: Vec<Diag>,
}

impl Program {
    /// The program as the tree that [`crate::lift`] takes; the constants that `embedded` gives names become parameters.
    /// All problems are returned, in order of place; there is no tree when any of them is an error.
    pub fn tree(self, embedded: &[Embedded]) -> (Option<Tree>, Vec<Diag>) {
        let end = self.instrs.last().map_or(0, |instr| instr.span().end);
        let mut maker = Maker {
            instrs: &self.instrs,
            slots: u64::from(end) / 16,
            body: Vec::with_capacity(self.instrs.len() + 8),
            blocks: Vec::new(),
            names: Vec::new(),
            embedded: FxHashMap::default(),
            diags: Vec::new(),
        };
        maker.names(embedded);
        maker.instructions();
        let Maker { body, names, mut diags, .. } = maker;
        let tree = Tree {
            dialect: Dialect::Nv40,
            options: Vec::new(),
            features: Features::empty(),
            names,
            body,
            microcode: Arc::new(self.instrs),
            vertex_microcode: Arc::default(),
        };
        if !diags.iter().any(Diag::is_error) {
            check::program(&tree, &mut diags);
        }
        parallax_text::sort_by_key(&mut diags, |d| d.span.map(|s| s.start));
        (if diags.iter().any(Diag::is_error) { None } else { Some(tree) }, diags)
    }
}

impl Maker<'_> {
    /// Gives embedded constants their names.
    fn names(&mut self, embedded: &[Embedded]) {
        for constant in embedded {
            let id = NameId(self.names.len());
            let value = ConstValue::Vector(constant.value.map(f32::from_bits), 4);
            let (text, kind) = (constant.name.clone(), NameKind::Declare(Some(value)));
            self.names.push(Name { text, kind, span: Span::default() });
            for &place in &constant.places {
                let at = self.instrs.partition_point(|instr| (instr.offset as usize) < place);
                let stands = at
                    .checked_sub(1)
                    .map(|n| self.instrs[n])
                    .is_some_and(|instr| constant_follows(instr.code.word()) && instr.offset as usize + 16 == place);
                if !stands {
                    let message = format!("constant `{}` should be at byte {place}, but there is none", constant.name);
                    self.diags.push(Diag::invalid(NAME, Span::new(place, place.saturating_add(16)), message));
                } else if self.embedded.insert(place, id).is_some() {
                    let message =
                        format!("the constant at byte {place} has two names, one of them `{}`", constant.name);
                    self.diags.push(Diag::invalid(NAME, Span::new(place, place.saturating_add(16)), message));
                }
            }
        }
    }

    fn instructions(&mut self) {
        /// By number of the row.
        static FORMS: LazyLock<Vec<Result<Form, &'static str>>> =
            LazyLock::new(|| codec().rows().map(|(_, row)| Form::of(row)).collect());
        let forms = &*FORMS;
        let called = self.called(forms);
        let mut called = called.into_iter().peekable();
        for n in 0..self.instrs.len() {
            let instr = self.instrs[n];
            let word = u64::from(instr.offset) / 4;
            self.close(word);
            if called.next_if(|target| *target == word).is_some() {
                let kind = StmtKind::Label(label(word));
                self.body.push(Stmt { kind, span: instr.span() });
            }
            match forms[instr.row.index()] {
                Ok(form) => self.instruction(&instr, form, word),
                Err(reason) => {
                    let message = format!("{}: {reason}", instr.row().name);
                    self.diags.push(Diag::unsupported("nv40-unsupported", instr.span(), message));
                }
            }
        }
        self.close(self.slots * 4);
        while let Some(block) = self.blocks.pop() {
            let message = "a block that starts here does not end inside the enclosing block";
            self.diags.push(Diag::invalid(FLOW, block.span, message));
        }
    }

    /// Where calls lead, sorted, each place once.
    fn called(&self, forms: &[Result<Form, &'static str>]) -> Vec<u64> {
        let calls = self
            .instrs
            .iter()
            .filter(|instr| forms[instr.row.index()].is_ok_and(|form| matches!(form.row.sem, Sem::Flow(Flow::Call))));
        let mut all: Vec<u64> = calls.map(|instr| instr.get(&TARGET)).collect();
        all.sort_unstable();
        all.dedup();
        all.retain(|word| self.stands(*word));
        all
    }

    /// Whether an instruction starts at a word.
    fn stands(&self, word: u64) -> bool {
        let at = self.instrs.binary_search_by_key(&word.saturating_mul(4), |instr| u64::from(instr.offset));
        at.is_ok()
    }

    /// Ends the blocks, and starts the second arms, that do so at a word.
    fn close(&mut self, word: u64) {
        while let Some(block) = self.blocks.last_mut() {
            if block.end == word {
                let Some(block) = self.blocks.pop() else { return };
                for row in block.closers {
                    self.marker(row, block.span);
                }
            } else if block.other == Some(word) {
                block.other = None;
                let span = block.span;
                self.marker(ELSE, span);
            } else {
                return;
            }
        }
    }

    /// A statement without operands.
    fn marker(&mut self, row: &'static crate::table::Row, span: Span) {
        self.body.push(Stmt { kind: StmtKind::Instr(crate::ast::Instr::bare(row)), span });
    }

    /// A target of a flow word, if control can go there: the start of an instruction, or what follows the last one.
    fn target(&mut self, instr: &Instr, field: &'static Field, least: u64, most: u64) -> Option<u64> {
        let word = instr.get(field);
        let name = instr.row().name;
        let what = if name == "IF" && std::ptr::eq(field, &TARGET) { "else target" } else { field.name };
        let why = if word > self.slots * 4 {
            format!("beyond the last byte, {}", self.slots * 16)
        } else if !word.is_multiple_of(4) {
            "inside an instruction; instructions start at multiples of 4 words".to_string()
        } else if word < self.slots * 4 && !self.stands(word) {
            "where an instruction's constant is".to_string()
        } else if word < least {
            format!("before byte {}, where the block starts", least * 4)
        } else if word > most {
            format!("after byte {}, where the enclosing block ends", most * 4)
        } else {
            return Some(word);
        };
        let problem = format!("field `{what}` of {name} is word {word}, byte {}, {why}", word * 4);
        self.diags.push(Diag::invalid("nv40-target", instr.span(), problem));
        None
    }

    fn instruction(&mut self, instr: &Instr, form: Form, word: u64) {
        let next = word + instr.bytes() as u64 / 4;
        let most = self.blocks.last().map_or(self.slots * 4, |block| block.other.unwrap_or(block.end));
        let span = instr.span();
        let made = || {
            let test = if form.test { test(&instr.code) } else { None };
            crate::ast::Instr { test, ..crate::ast::Instr::bare(form.row) }
        };
        match form.row.sem {
            Sem::Flow(Flow::If) => {
                let mut out = made();
                let other = self.target(instr, &TARGET, next, most);
                let end = self.target(instr, &BLOCK_END, other.unwrap_or(next), most);
                let (Some(other), Some(end)) = (other, end) else { return };
                out.test = out.test.or(Some(ALWAYS_TEST));
                self.push(out, span);
                let other = (other < end).then_some(other);
                self.blocks.push(Block { other, end, closers: smallvec![ENDIF], span });
                self.close(next);
            }
            Sem::Flow(Flow::Loop { indexed }) => {
                let mut out = made();
                let Some(end) = self.target(instr, &BLOCK_END, next, most) else { return };
                let mut closers: SmallVec<[_; 2]> = smallvec![if indexed { ENDLOOP } else { ENDREP }];
                if let Some(test) = out.test.take() {
                    let enter = crate::ast::Instr { test: Some(test), ..crate::ast::Instr::bare(IF) };
                    self.push(enter, span);
                    closers.push(ENDIF);
                }
                let number = |field: &Field| field.get_signed(&instr.code) as f32;
                let range = [number(&COUNT), number(&START), number(&STEP), 0.0];
                let range = if indexed { range } else { [range[0], 0.0, 0.0, 0.0] };
                out.srcs.push(Src::plain(Base::Const(ConstValue::Vector(range, 4)), span));
                self.push(out, span);
                self.blocks.push(Block { other: None, end, closers, span });
                self.close(next);
            }
            Sem::Flow(Flow::Call) => {
                let Some(target) = self.target(instr, &TARGET, 0, self.slots * 4) else { return };
                if target == self.slots * 4 {
                    let message = "field `target` of CAL is beyond the last instruction";
                    self.diags.push(Diag::invalid("nv40-target", span, message));
                    return;
                }
                let out = crate::ast::Instr { label: Some(label(target).into()), ..made() };
                self.push(out, span);
            }
            Sem::Kill => {
                let mut out = made();
                out.test = out.test.or(Some(ALWAYS_TEST));
                self.push(out, span);
            }
            _ => {
                let mut body = std::mem::take(&mut self.body);
                // Made and filled where it stands: it is large.
                body.extend(std::iter::once_with(|| Stmt { kind: StmtKind::Instr(made()), span }));
                if let Some(Stmt { kind: StmtKind::Instr(out), .. }) = body.last_mut() {
                    self.operands(instr, form, span, out);
                }
                self.body = body;
            }
        }
    }

    /// What an instruction computes with.
    #[inline(always)]
    fn operands(&mut self, instr: &Instr, form: Form, span: Span, out: &mut crate::ast::Instr) {
        if form.result {
            if instr.get(&SCALE) == 4 {
                let message = "field `scale` is 4, and nobody knows what that does";
                self.diags.push(Diag::unsupported("nv40-unsupported", span, message));
            }
            out.suffix = suffix(instr);
            out.dst = self.destination(instr, span);
            // Written out, so that the places of the bits are known when this is compiled.
            if form.sources > 0 {
                out.srcs.push(self.source(instr, span, &SOURCES[0]));
            }
            if form.sources > 1 {
                out.srcs.push(self.source(instr, span, &SOURCES[1]));
            }
            if form.sources > 2 {
                out.srcs.push(self.source(instr, span, &SOURCES[2]));
            }
        }
        if form.texture {
            out.suffix.expand = instr.flag(&EXPAND);
            out.image = Some(Image { unit: instr.get(&UNIT) as u8, target: None, span });
        }
    }

    fn push(&mut self, out: crate::ast::Instr, span: Span) {
        self.body.push(Stmt { kind: StmtKind::Instr(out), span });
    }

    /// A register, which must exist.
    fn register(&mut self, half: bool, number: u64, instr: &Instr) -> Base {
        if !half && number >= REGISTERS {
            let message = format!("`R{number}` does not exist; the last register is `R{}`", REGISTERS - 1);
            self.diags.push(Diag::invalid(OPERAND, instr.span(), message));
        }
        Base::Temp(if half { File::H } else { File::R }, number as u8)
    }

    fn destination(&mut self, instr: &Instr, span: Span) -> Option<Dst> {
        let (half, number) = (instr.flag(&RESULT_HALF), instr.get(&RESULT));
        // Number 63 is what compilers write where nothing but the condition code is wanted.
        let base = if instr.flag(&NO_RESULT) || !half && number == 63 {
            Base::Cc(if half { File::H } else { File::R })
        } else {
            self.register(half, number, instr)
        };
        // The value has x in its highest bit.
        let mask = (instr.get(&MASK) as u8).reverse_bits() >> 4;
        Some(Dst { base, mask, test: test(&instr.code), span })
    }

    #[inline(always)]
    fn source(&mut self, instr: &Instr, span: Span, fields: &'static SourceFields) -> Src {
        let base = match instr.get(&fields.file) {
            file::REGISTER => self.register(instr.flag(&fields.half), instr.get(&fields.register), instr),
            file::INPUT => self.attribute(instr),
            _ => match self.embedded.get(&(instr.offset as usize + 16)) {
                Some(&name) => Base::Name(name, None),
                None => Base::Const(ConstValue::Vector(
                    [0, 1, 2, 3].map(|n| f32::from_bits(instr.get(&CONSTANT[n]) as u32)),
                    4,
                )),
            },
        };
        let format = match instr.get(&fields.precision) {
            1 => SourceFormat::Half,
            2 => SourceFormat::Fixed,
            3 => SourceFormat::Fixed9,
            4 => SourceFormat::Saturated,
            // Seen to change nothing.
            0 | 5 => SourceFormat::Stored,
            other => {
                let message = format!("field `source precision` is {other}, and nobody knows what that does");
                self.diags.push(Diag::unsupported("nv40-unsupported", instr.span(), message));
                SourceFormat::Stored
            }
        };
        Src {
            negate: instr.flag(&fields.negate),
            abs: instr.flag(&fields.absolute),
            inner_negate: false,
            base,
            swizzle: swizzle(instr.get(&fields.swizzle)),
            format,
            perspective: instr.get(&fields.file) == file::INPUT && instr.flag(&PERSPECTIVE),
            span,
        }
    }

    fn attribute(&mut self, instr: &Instr) -> Base {
        /// First texture coordinate.
        const TEX0: i16 = 4;
        let number = instr.get(&ATTRIBUTE);
        if instr.flag(&INDEXED) {
            return Base::AttrIndexed(number as i16 + instr.get(&DISPLACEMENT) as i16 - TEX0);
        }
        if number == 15 {
            let message = "field `attribute` is 15; there are 0 to 14";
            self.diags.push(Diag::invalid(OPERAND, instr.span(), message));
        }
        Base::Attr(number as u8)
    }
}

/// The test that always passes.
const ALWAYS_TEST: CcTest = CcTest { cond: Cond::Tr, swizzle: Swizzle::IDENTITY, code: 0 };

fn label(word: u64) -> String {
    format!("L{}", word / 4)
}

/// The components of a swizzle whose value has x highest.
fn swizzle(value: u64) -> Swizzle {
    Swizzle([6, 4, 2, 0].map(|shift| (value >> shift) as u8 & 3))
}

/// The test of an instruction; `None` where it always passes.
fn test(code: &Code) -> Option<CcTest> {
    let value = TEST.get(code);
    let cond = TESTS[value as usize & 7];
    let test = CcTest { cond, swizzle: swizzle(TEST_SWIZZLE.get(code)), code: (value >> 3) as u8 };
    (cond != Cond::Tr).then_some(test)
}

fn suffix(instr: &Instr) -> Suffix {
    let code = instr.get(&CODE);
    Suffix {
        precision: Some(match instr.get(&PRECISION) {
            0 => Precision::Fp32,
            1 => Precision::Fp16,
            2 => Precision::Fixed,
            _ => Precision::Fixed9,
        }),
        cc: code & 1 != 0,
        code: (code >> 1) as u8,
        clamp: if instr.flag(&SATURATE) { Clamp::Sat } else { Clamp::None },
        scale: match instr.get(&SCALE) {
            scale @ 0..=3 => scale as i8,
            // Whatever 4 does, nobody has seen it.
            4 => 0,
            scale => 4 - scale as i8,
        },
        expand: false,
    }
}
