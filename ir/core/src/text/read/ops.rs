//! Statements of the body.

use super::{Parser, SYNTAX, Step, Stop, known};
use crate::op::Immediates;
use crate::text::{CODES, number};
use crate::verify::MAX_DEPTH;
use crate::{
    ArrayId, Effect, EntityList, OpData, OpId, OpKind, Reduction, RegionData, RegionId, Scan, SlotId, SourceId, SysVal,
    TexMode, TexOp, Type, ValueId,
};
use parallax_num::{self as num, Decl};
use parallax_text::{
    Diag, FormReader, Span, TokenKind, Tokens, closest, parse_f32, parse_f64, parse_hex_float, parse_u64,
};

/// What stands before the `=`.
struct Result1 {
    /// Number of the value.
    number: u32,
    span: Span,
    ty: Type,
    slot: Option<SlotId>,
}

impl<'a> Parser<'a> {
    /// Statements up to a closing brace or the end.
    pub(super) fn region(&mut self, region: RegionId) {
        while !matches!(self.r.t.peek().kind, TokenKind::Punct(b'}') | TokenKind::End) {
            let start = self.r.t;
            if let Err(stop) = self.statement(region) {
                self.note(stop);
                self.poison(start);
                self.recover(start.span());
            }
        }
    }

    /// Remembers the results of a statement given up, so that their uses are no further errors.
    fn poison(&mut self, mut t: Tokens<'a>) {
        while t.eat(b'%') {
            let number = parse_u64(t.peek_text()).and_then(|n| u32::try_from(n).ok());
            if let Some(number) = number {
                self.values.entry(number).or_insert(None);
            }
            t.bump();
            t.eat(b':');
            t.bump();
            t.eat(b',');
        }
    }

    fn statement(&mut self, region: RegionId) -> Step<()> {
        let results = self.results()?;
        let (word, span) = self.r.joined(b"%^({})=,:@[\"-");
        let mut data = OpData::new(OpKind::Yield);
        for result in &results {
            match (data.slot, result.slot) {
                (Some(a), Some(b)) if a != b => {
                    let message = format!("an op has one slot; {a} was named before {b}");
                    return Err(Diag::invalid(SYNTAX, result.span, message).into());
                }
                (None, slot) => data.slot = slot,
                _ => {}
            }
        }
        data.kind = self.kind(word, span)?;
        if data.kind.effect() == Effect::Control {
            return self.control(region, data, &results);
        }
        let result = results.first().map(|r| r.ty);
        let mut immediates = ImmediateReader { reader: self, result, args: &mut data.args, raw: None };
        data.kind.immediates(&mut immediates)?;
        let raw = immediates.raw;
        self.r.t.eat(b',');
        self.values(&mut data.args)?;
        self.tail(&mut data)?;
        let op = self.push(region, data, &results)?;
        if let Some(bits) = raw {
            self.raw.push((op, bits));
        }
        Ok(())
    }

    /// `%0: p0, %1: i32 =`, or nothing.
    fn results(&mut self) -> Step<Vec<Result1>> {
        let mut results = Vec::new();
        if self.r.t.peek().kind != TokenKind::Punct(b'%') {
            return Ok(results);
        }
        loop {
            let (number, span) = self.r.value()?;
            self.r.punct(b':')?;
            let (ty, slot) = self.result_type()?;
            results.push(Result1 { number, span, ty, slot });
            if !self.r.t.eat(b',') {
                break;
            }
        }
        self.r.punct(b'=')?;
        Ok(results)
    }

    /// A type, or a slot that stands for its float.
    fn result_type(&mut self) -> Step<(Type, Option<SlotId>)> {
        if let Some(n) = self.r.numbered("p") {
            let slot = self.slot_id(n)?;
            self.r.t.bump();
            return Ok((Type::Float(self.func.slots[slot].decl), Some(slot)));
        }
        Ok((self.ty()?, None))
    }

    fn slot_id(&self, n: u64) -> Step<SlotId> {
        match known(n, self.func.slots.len()) {
            Some(slot) => Ok(slot),
            None => Err(Diag::invalid(SYNTAX, self.r.t.span(), format!("slot p{n} is not declared")).into()),
        }
    }

    /// `under p0` and origins.
    fn tail(&mut self, data: &mut OpData) -> Step<()> {
        if self.r.eat_word("under") {
            let Some(n) = self.r.numbered("p") else { return self.fail("a slot") };
            let slot = self.slot_id(n)?;
            if data.slot.is_some_and(|s| s != slot) {
                return Err(Diag::invalid(SYNTAX, self.r.t.span(), "an op has one slot").into());
            }
            data.slot = Some(slot);
            self.r.t.bump();
        }
        while self.r.t.eat(b'@') {
            let span = self.r.t.span();
            let n: u64 = self.r.int()?;
            match known::<SourceId>(n, self.func.sources.len()) {
                Some(source) => data.origins.push(source),
                None => return Err(Diag::invalid(SYNTAX, span, format!("source @{n} is not declared")).into()),
            }
        }
        Ok(())
    }

    /// Adds an op and its results.
    fn push(&mut self, region: RegionId, data: OpData, results: &[Result1]) -> Step<OpId> {
        for (n, result) in results.iter().enumerate() {
            let twice = results[..n].iter().any(|r| r.number == result.number);
            if twice || self.values.get(&result.number).is_some_and(Option::is_some) {
                let message = format!("%{} is defined twice", result.number);
                return Err(Diag::invalid("ir-redefined", result.span, message).into());
            }
        }
        let types: Vec<Type> = results.iter().map(|r| r.ty).collect();
        let op = self.func.push_op(region, data, &types);
        for (n, result) in results.iter().enumerate() {
            self.values.insert(result.number, Some(self.func.ops[op].results[n]));
        }
        Ok(op)
    }

    fn new_region(&mut self) -> RegionId {
        self.func.regions.push(RegionData::default())
    }

    /// `if`, `loop`, `block`.
    fn control(&mut self, region: RegionId, mut data: OpData, results: &[Result1]) -> Step<()> {
        if self.depth + 2 > MAX_DEPTH {
            let message = format!("regions are nested more than {MAX_DEPTH} deep");
            return Err(Diag::unsupported("ir-depth", self.r.t.span(), message).into());
        }
        let mut params = Vec::new();
        let (mut label, mut cost) = (None, 0);
        match data.kind {
            OpKind::If => {
                let pred = self.value()?;
                data.args.push(pred);
            }
            _ => {
                if data.kind == OpKind::Loop && self.r.eat_word("cost") {
                    self.r.punct(b'(')?;
                    cost = self.r.int()?;
                    self.r.punct(b')')?;
                }
                label = Some(self.r.label()?);
                if data.kind == OpKind::Loop && self.r.t.eat(b'(') {
                    params = self.params(&mut data.args)?;
                }
            }
        }
        if self.r.eat_word("initial") {
            self.r.punct(b'(')?;
            self.values(&mut data.args)?;
            self.r.punct(b')')?;
        }
        self.tail(&mut data)?;
        self.r.punct(b'{')?;
        let op = self.push(region, data, results)?;
        if let Some((n, span)) = label
            && self.labels.insert(n, op).is_some()
        {
            self.diags.push(Diag::invalid("ir-redefined", span, format!("^{n} is defined twice")));
        }
        let inner = self.new_region();
        self.func.regions[inner].cost = cost;
        for param in params {
            let value = self.func.add_param(inner, param.ty);
            if self.values.insert(param.number, Some(value)).flatten().is_some() {
                let message = format!("%{} is defined twice", param.number);
                self.diags.push(Diag::invalid("ir-redefined", param.span, message));
            }
        }
        let mut regions = EntityList::one(inner);
        self.braced(inner)?;
        if self.func.ops[op].kind == OpKind::If {
            self.r.word("else")?;
            self.r.punct(b'{')?;
            let other = self.new_region();
            regions.push(other);
            self.braced(other)?;
        }
        self.func.ops[op].regions = regions;
        Ok(())
    }

    /// Statements and the closing brace; the opening one is read.
    fn braced(&mut self, region: RegionId) -> Step<()> {
        self.depth += 1;
        self.region(region);
        self.depth -= 1;
        Ok(self.r.punct(b'}')?)
    }

    /// `%8: i32 = %9, ...)`.
    fn params(&mut self, args: &mut EntityList<ValueId>) -> Step<Vec<Result1>> {
        let mut params: Vec<Result1> = Vec::new();
        loop {
            let (number, span) = self.r.value()?;
            self.r.punct(b':')?;
            let ty = self.ty()?;
            self.r.punct(b'=')?;
            let first = self.value()?;
            args.push(first);
            params.push(Result1 { number, span, ty, slot: None });
            if !self.r.t.eat(b',') {
                break;
            }
        }
        self.r.punct(b')')?;
        Ok(params)
    }

    /// `^0` where it is used.
    fn target(&mut self) -> Step<OpId> {
        let (n, span) = self.r.label()?;
        match self.labels.get(&n) {
            Some(&op) => Ok(op),
            None => Err(Diag::invalid("ir-unknown", span, format!("^{n} is not defined above")).into()),
        }
    }

    /// A use of a value.
    fn value(&mut self) -> Step<ValueId> {
        let (number, span) = self.r.value()?;
        self.lookup(number, span)
    }

    fn lookup(&self, number: u32, span: Span) -> Step<ValueId> {
        match self.values.get(&number) {
            Some(Some(value)) => Ok(*value),
            Some(None) => Err(Stop::Silent),
            None => Err(Diag::invalid("ir-unknown", span, format!("%{number} is not defined above")).into()),
        }
    }

    /// `%1, %2, ...`, or nothing.
    fn values(&mut self, args: &mut EntityList<ValueId>) -> Step<()> {
        if self.r.t.peek().kind != TokenKind::Punct(b'%') || self.starts_statement() {
            return Ok(());
        }
        let found = self.r.list(FormReader::value)?;
        for (number, span) in found {
            let value = self.lookup(number, span)?;
            args.push(value);
        }
        Ok(())
    }

    /// Whether `%n :` follows: results of the next statement, not operands.
    fn starts_statement(&self) -> bool {
        self.r.t.peek_at(2).kind == TokenKind::Punct(b':')
    }

    /// `[%2 + 4]` with the brackets; the value goes to `args`.
    fn index(&mut self, args: &mut EntityList<ValueId>) -> Step<i32> {
        let value = self.value()?;
        args.push(value);
        let negative = self.r.t.peek().kind == TokenKind::Punct(b'-');
        if !self.r.t.eat(b'+') && !self.r.t.eat(b'-') {
            return Ok(0);
        }
        let span = self.r.t.span();
        let base: i64 = self.r.int::<u32>()?.into();
        match i32::try_from(if negative { -base } else { base }) {
            Ok(base) => Ok(base),
            Err(_) => Err(Diag::invalid(SYNTAX, span, "the number is too large").into()),
        }
    }

    /// The kind a word names, its immediates still to be read.
    fn kind(&self, word: &str, span: Span) -> Step<OpKind> {
        if let Some(kind) = OpKind::from_word(word) {
            return Ok(kind);
        }
        let found = if word.is_empty() { self.r.t.found() } else { format!("`{word}`") };
        let mut diag = Diag::invalid(SYNTAX, span, format!("expected an op, found {found}"));
        let names = num::Op::ALL.iter().map(|row| row.name).chain(OpKind::WORDS.iter().copied());
        if let Some(name) = closest(word, names) {
            diag = diag.with_help(format!("did you mean `{name}`?"));
        }
        Err(diag.into())
    }

    /// A number behind a prefix in one word.
    fn prefixed(&mut self, prefix: &str, what: &str) -> Step<u16> {
        let Some(n) = self.r.numbered(prefix).and_then(|n| u16::try_from(n).ok()) else { return self.fail(what) };
        self.r.t.bump();
        Ok(n)
    }

    fn array(&mut self, args: &mut EntityList<ValueId>) -> Step<ArrayId> {
        let Some(n) = self.r.numbered("a") else { return self.fail("an array such as `a0`") };
        let Some(array) = known(n, self.func.arrays.len()) else {
            return Err(Diag::invalid(SYNTAX, self.r.t.span(), format!("array a{n} is not declared")).into());
        };
        self.r.t.bump();
        self.r.punct(b'[')?;
        let index = self.value()?;
        args.push(index);
        self.r.punct(b']')?;
        Ok(array)
    }

    fn tex(&mut self) -> Step<TexOp> {
        let mode = self.r.named(&TexMode::ALL, TexMode::name, "a lookup mode")?;
        let target = self.shape()?;
        let unit = self.r.sized("unit")?;
        let mut tex = TexOp::plain(unit, target, mode);
        tex.project = self.r.eat_word("project");
        tex.bits = self.r.eat_word("bits");
        if self.r.eat_word("offset") {
            self.r.punct(b'(')?;
            for n in 0..3 {
                if n > 0 {
                    self.r.punct(b',')?;
                }
                let span = self.r.t.span();
                let negative = self.r.t.eat(b'-');
                let size: i64 = self.r.int::<u16>()?.into();
                tex.offset[n] = match i8::try_from(if negative { -size } else { size }) {
                    Ok(offset) => offset,
                    Err(_) => return Err(Diag::invalid(SYNTAX, span, "offsets are -128 to 127").into()),
                };
            }
            self.r.punct(b')')?;
        }
        let span = self.r.t.span();
        tex.moved = self.r.eat_word("moved");
        tex.least_level = self.r.eat_word("least");
        if tex.moved && tex.offsets().is_none() || tex.least_level && tex.least_level_operand().is_none() {
            let message = format!("a lookup of mode {} has no such operand", mode.name());
            return Err(Diag::invalid(SYNTAX, span, message).into());
        }
        Ok(tex)
    }

    /// Bits of a literal. In bound text those of a float are a pattern of the container and go to `raw`.
    fn literal(&mut self, ty: Option<Type>, raw: &mut Option<u64>) -> Step<u64> {
        match ty {
            None => self.fail("a result"),
            Some(Type::Pred) => Ok(self.r.one_of(&[("false", 0), ("true", 1)], "`true` or `false`")?),
            Some(Type::Cc) => Ok(self.r.one_of(CODES, "a condition")?),
            Some(Type::Float(_)) if self.bind.is_some() => {
                *raw = Some(self.r.int()?);
                Ok(0)
            }
            Some(Type::Float(decl)) => self.float(decl),
            Some(ty @ (Type::I16 | Type::I32 | Type::I64)) => {
                let span = self.r.t.span();
                let bits: u64 = self.r.int()?;
                let width = match ty {
                    Type::I16 => 16,
                    Type::I32 => 32,
                    _ => 64,
                };
                if width < 64 && bits >> width != 0 {
                    return Err(Diag::invalid(SYNTAX, span, format!("the number does not fit {ty}")).into());
                }
                Ok(bits)
            }
        }
    }

    /// A float literal of a declared format.
    fn float(&mut self, decl: Decl) -> Step<u64> {
        let mut span = self.r.t.span();
        if self.r.t.peek_text() == "nan" {
            self.r.t.bump();
            self.r.punct(b':')?;
            let bits: u64 = self.r.int()?;
            if number::is_nan(decl, bits) {
                return Ok(bits);
            }
            return Err(Diag::invalid(SYNTAX, span, format!("{bits:#x} is no NaN of {decl}")).into());
        }
        let negative = self.r.t.eat(b'-');
        let token = self.r.t.peek();
        span = span.to(token.span);
        let text = self.r.t.text(token);
        let bits = match token.kind {
            TokenKind::Word if text == "inf" => number::infinity(decl, negative),
            // Digits without point and exponent behind `0x` are a pattern.
            TokenKind::Integer if text.starts_with("0x") && !negative => parse_u64(text),
            TokenKind::Integer | TokenKind::Float => {
                let value = match parse_hex_float(text) {
                    Some(value) => Some(value),
                    None if decl == Decl::F32 => parse_f32(text).map(f64::from),
                    None => parse_f64(text),
                };
                value.and_then(|v| number::pattern_of(decl, if negative { -v } else { v }))
            }
            _ => return self.fail("a float"),
        };
        match bits {
            Some(bits) => {
                self.r.t.bump();
                Ok(bits)
            }
            None => {
                let message = format!("`{}` is no value of {decl}", span.text(self.source));
                Err(Diag::invalid(SYNTAX, span, message).into())
            }
        }
    }
}

/// Reads immediates and the operands that stand between them.
struct ImmediateReader<'r, 'a> {
    reader: &'r mut Parser<'a>,
    /// Type of the first result.
    result: Option<Type>,
    args: &'r mut EntityList<ValueId>,
    /// Container pattern of a float literal, in bound text.
    raw: Option<u64>,
}

impl Immediates for ImmediateReader<'_, '_> {
    type Stop = Stop;

    fn literal(&mut self, bits: &mut u64) -> Step<()> {
        *bits = self.reader.literal(self.result, &mut self.raw)?;
        Ok(())
    }

    fn bank(&mut self, bank: &mut u16) -> Step<()> {
        *bank = self.reader.prefixed("c", "a bank such as `c0`")?;
        Ok(self.reader.r.punct(b'[')?)
    }

    fn vector(&mut self, index: &mut u32) -> Step<()> {
        *index = self.reader.r.int()?;
        Ok(self.reader.r.punct(b']')?)
    }

    fn index(&mut self, base: &mut i32) -> Step<()> {
        *base = self.reader.index(self.args)?;
        Ok(self.reader.r.punct(b']')?)
    }

    fn comp(&mut self, comp: &mut u8) -> Step<()> {
        *comp = self.reader.comp()?;
        Ok(())
    }

    fn attr(&mut self, index: &mut u16) -> Step<()> {
        *index = self.reader.prefixed("in", "an attribute such as `in0`")?;
        Ok(())
    }

    fn attr_at(&mut self, base: &mut i32) -> Step<()> {
        self.reader.r.word("in")?;
        self.reader.r.punct(b'[')?;
        self.index(base)
    }

    fn sys(&mut self, value: &mut SysVal) -> Step<()> {
        *value = self.reader.r.named(&SysVal::ALL, SysVal::name, "a system value")?;
        Ok(())
    }

    fn mask(&mut self, mask: &mut u8) -> Step<()> {
        *mask = self.reader.r.int()?;
        Ok(())
    }

    fn reduction(&mut self, reduction: &mut Reduction) -> Step<()> {
        let r = &mut self.reader.r;
        reduction.op = r.named(&Reduction::OPS, num::Op::name, "an operation such as `iadd`")?;
        reduction.scan = r.named(&Scan::ALL, Scan::name, "`all`, `inclusive` or `exclusive`")?;
        reduction.cluster = r.int()?;
        Ok(())
    }

    fn tex(&mut self, tex: &mut TexOp) -> Step<()> {
        *tex = self.reader.tex()?;
        Ok(())
    }

    fn array(&mut self, array: &mut ArrayId) -> Step<()> {
        *array = self.reader.array(self.args)?;
        Ok(())
    }

    fn buffer(&mut self, buffer: &mut u16) -> Step<()> {
        self.whole_buffer(buffer)?;
        self.reader.r.punct(b'[')?;
        let address = self.reader.value()?;
        self.args.push(address);
        Ok(self.reader.r.punct(b']')?)
    }

    fn whole_buffer(&mut self, buffer: &mut u16) -> Step<()> {
        *buffer = self.reader.prefixed("b", "a buffer such as `b0`")?;
        Ok(())
    }

    fn unit(&mut self, unit: &mut u16) -> Step<()> {
        *unit = self.reader.r.sized("unit")?;
        Ok(())
    }

    fn output(&mut self, index: &mut u16) -> Step<()> {
        *index = self.reader.prefixed("o", "an output such as `o0`")?;
        Ok(())
    }

    fn target(&mut self, target: &mut OpId) -> Step<()> {
        *target = self.reader.target()?;
        Ok(())
    }
}
