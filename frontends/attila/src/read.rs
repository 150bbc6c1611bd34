//! Operands from text.

use crate::check::limits;
use crate::class::Class;
use crate::fields::*;
use crate::float::parse_hex;
use nom::{Err, IResult};
use parallax_isa::{Clash, Encoding, Field};
use parallax_text::{Diag, Span, Token, TokenKind, Tokens, TokensError, parse_f32, parse_u64};

type Read<'a, T = ()> = IResult<Tokens<'a>, T, TokensError>;

fn fail<T>(diag: Diag) -> Result<T, Err<TokensError>> {
    Err(Err::Error(diag.into()))
}

fn expected<T>(input: &Tokens<'_>, what: &str) -> Result<T, Err<TokensError>> {
    fail(input.expected("syntax", what))
}

/// Sets a field that the text sets only once.
fn put(e: &mut Encoding, field: &Field, value: u64, span: Span) -> Result<(), Err<TokensError>> {
    match e.put(field, value) {
        Ok(()) => Ok(()),
        Err(Clash { field, .. }) => {
            fail(Diag::invalid("set-twice", span, format!("field `{field}` is set twice, to different values")))
        }
    }
}

/// A letter and a number, such as `r12`.
fn split(text: &str) -> Option<(u8, u64)> {
    let (&letter, digits) = text.as_bytes().split_first()?;
    if digits.is_empty() || digits.len() > 4 {
        return None;
    }
    let mut number = 0;
    for &d in digits {
        if !d.is_ascii_digit() {
            return None;
        }
        number = number * 10 + u64::from(d - b'0');
    }
    Some((letter, number))
}

/// A register number that no field holds; most of them are beyond the bank long before.
fn too_high<T>(span: Span, letter: u8, most: u64) -> Result<T, Err<TokensError>> {
    let count = match letter {
        b'i' => limits::IN,
        b'o' => limits::OUT,
        b'r' => limits::TEMP,
        b'a' => limits::ADDR,
        b'p' => limits::PREDICATES,
        b't' => limits::UNITS,
        b's' => limits::SAMPLES,
        _ => limits::PARAM,
    };
    let (letter, last) = (char::from(letter), u64::from(count) - 1);
    let message = if last < most {
        format!("registers end at `{letter}{last}`, and no instruction can name any above `{letter}{most}`")
    } else {
        format!("registers end at `{letter}{last}`")
    };
    fail(Diag::invalid("register-number", span, message))
}

/// A register of one of `letters`, numbered up to `most`.
fn numbered<'a>(mut input: Tokens<'a>, letters: &[u8], most: u64, what: &str) -> Read<'a, u64> {
    let token = input.peek();
    match (token.kind, split(input.peek_text())) {
        (TokenKind::Word, Some((letter, number))) if letters.contains(&letter) => {
            if number > most {
                return too_high(token.span, letter, most);
            }
            input.bump();
            Ok((input, number))
        }
        _ => expected(&input, what),
    }
}

fn component(letter: u8) -> Option<u64> {
    match letter {
        b'x' => Some(0),
        b'y' => Some(1),
        b'z' => Some(2),
        b'w' => Some(3),
        _ => None,
    }
}

/// The letters of a swizzle as its byte: one letter, or four.
fn swizzle_byte(text: &str) -> Option<u64> {
    let bytes = text.as_bytes();
    match *bytes {
        [one] => component(one).map(|c| c * 0x55),
        [x, y, z, w] => Some(component(x)? << 6 | component(y)? << 4 | component(z)? << 2 | component(w)?),
        _ => None,
    }
}

fn swizzle(mut input: Tokens<'_>) -> Read<'_, Option<u64>> {
    if !input.eat(b'.') {
        return Ok((input, None));
    }
    match swizzle_byte(input.peek_text()) {
        Some(byte) => {
            input.bump();
            Ok((input, Some(byte)))
        }
        None => expected(&input, "one or four of the letters x, y, z, w"),
    }
}

fn mask(mut input: Tokens<'_>) -> Read<'_, u64> {
    if input.peek().kind == TokenKind::Punct(b'!') {
        input.bump();
        if input.eat_word("INV") && input.eat(b'!') {
            return Ok((input, 0));
        }
        return expected(&input, "`!INV!`");
    }
    if !input.eat(b'.') {
        return Ok((input, 15));
    }
    let mut bits = 0;
    let mut next = 0;
    for &letter in input.peek_text().as_bytes() {
        match component(letter) {
            Some(c) if c >= next => {
                bits |= 8 >> c;
                next = c + 1;
            }
            _ => return expected(&input, "a write mask: some of x, y, z, w in this order"),
        }
    }
    if bits == 0 {
        return expected(&input, "a write mask");
    }
    input.bump();
    Ok((input, bits))
}

/// `[aM.k + offset]`, if it stands there.
fn relative<'a>(mut input: Tokens<'a>, e: &mut Encoding) -> Read<'a> {
    let open = input.peek();
    if !input.eat(b'[') {
        return Ok((input, ()));
    }
    let (mut input, address) = numbered(input, b"a", 3, "an address register `a0` to `a3`")?;
    if !input.eat(b'.') {
        return expected(&input, "`.` and a component");
    }
    let component = match input.peek_text().as_bytes() {
        &[letter] => component(letter),
        _ => None,
    };
    let Some(component) = component else { return expected(&input, "a component x, y, z or w") };
    input.bump();
    let mut offset = 0;
    let at = input.span();
    if let TokenKind::Punct(sign @ (b'+' | b'-')) = input.peek().kind {
        input.bump();
        let mut negative = sign == b'-';
        if let TokenKind::Punct(second @ (b'+' | b'-')) = input.peek().kind {
            input.bump();
            negative ^= second == b'-';
        }
        let Some(value) = decimal(&input) else { return expected(&input, "an offset") };
        let value = i64::try_from(value).unwrap_or(i64::MAX);
        offset = if negative { -value } else { value };
        input.bump();
        if !ADDRESS_OFFSET.fits(offset) {
            return fail(Diag::invalid("offset-range", at, "offsets go from -256 to 255"));
        }
    }
    if !input.eat(b']') {
        return expected(&input, "`]`");
    }
    let parts =
        [(&RELATIVE, 1), (&ADDRESS, address), (&ADDRESS_COMPONENT, component), (&ADDRESS_OFFSET, offset as u64)];
    for (field, value) in parts {
        if e.put(field, value).is_err() {
            let span = Span { start: open.span.start, end: input.span().start };
            let message = "an instruction has one relative address, and this differs from the one before";
            return fail(Diag::invalid("second-address", span, message));
        }
    }
    Ok((input, ()))
}

fn decimal(input: &Tokens<'_>) -> Option<u64> {
    (input.peek().kind == TokenKind::Integer).then(|| parse_u64(input.peek_text())).flatten()
}

/// The leading `-` and `|`.
fn modifiers<'a>(
    mut input: Tokens<'a>,
    f: &'static SourceFields,
    e: &mut Encoding,
) -> Result<(Tokens<'a>, bool), Err<TokensError>> {
    let span = input.span();
    if input.eat(b'-') {
        put(e, &f.negate, 1, span)?;
    }
    let absolute = input.eat(b'|');
    if absolute {
        put(e, &f.absolute, 1, span)?;
    }
    Ok((input, absolute))
}

fn close(mut input: Tokens<'_>, absolute: bool) -> Read<'_> {
    if absolute && !input.eat(b'|') {
        return expected(&input, "`|`");
    }
    Ok((input, ()))
}

#[inline(always)]
fn source<'a>(input: Tokens<'a>, f: &'static SourceFields, e: &mut Encoding) -> Read<'a> {
    let (mut input, absolute) = modifiers(input, f, e)?;
    let token = input.peek();
    let found = if token.kind == TokenKind::Word { split(input.peek_text()) } else { None };
    let (bank, number) = match found {
        Some((b'i', n @ 0..256)) => (bank::IN, n),
        Some((b'r', n @ 0..256)) => (bank::TEMP, n),
        Some((b'a', n @ 0..256)) => (bank::ADDR, n),
        Some((b'c', n @ 0..256)) => (bank::PARAM, n),
        Some((b'c', n @ 256..512)) => (bank::PARAM2, n - 256),
        Some((b'c', _)) => return too_high(token.span, b'c', 511),
        Some((letter @ (b'i' | b'r' | b'a'), _)) => return too_high(token.span, letter, 255),
        _ => {
            let diag = input.expected("syntax", Class::Source1.expected());
            let literal = matches!(token.kind, TokenKind::Integer | TokenKind::Float | TokenKind::Punct(b'#'));
            let help = "a literal can only be the second source of an instruction with two; others read a constant";
            return fail(if literal { diag.with_help(help) } else { diag });
        }
    };
    input.bump();
    put(e, &f.any_bank, bank, token.span)?;
    put(e, &f.register, number, token.span)?;
    if input.peek().kind == TokenKind::Punct(b'[') {
        if bank != bank::PARAM && bank != bank::PARAM2 {
            return fail(Diag::invalid("relative-bank", input.span(), "only constants are addressed relatively"));
        }
        (input, ()) = relative(input, e)?;
    }
    let (input, swizzle) = swizzle(input)?;
    put(e, &f.swizzle, swizzle.unwrap_or(IDENTITY), token.span)?;
    close(input, absolute)
}

fn condition<'a>(mut input: Tokens<'a>, f: &'static SourceFields, e: &mut Encoding) -> Read<'a> {
    let token = input.peek();
    let text = input.peek_text();
    if token.kind == TokenKind::Word && matches!(text, "true" | "false") {
        input.bump();
        put(e, &f.any_bank, bank::TEMP, token.span)?;
        put(e, &f.absolute, 1, token.span)?;
        put(e, &f.negate, u64::from(text == "true"), token.span)?;
        return Ok((input, ()));
    }
    if input.eat(b'!') {
        put(e, &f.negate, 1, token.span)?;
    }
    let token = input.peek();
    let found = if token.kind == TokenKind::Word { split(input.peek_text()) } else { None };
    let (bank, number) = match found {
        Some((b'p', n @ 0..256)) => (bank::TEMP, n),
        Some((b'c', n @ 0..256)) => (bank::PARAM, n),
        Some((b'c', n @ 256..512)) => (bank::PARAM2, n - 256),
        Some((b'p', _)) => return too_high(token.span, b'p', 255),
        Some((b'c', _)) => return too_high(token.span, b'c', 511),
        _ => return expected(&input, Class::Condition1.expected()),
    };
    input.bump();
    put(e, &f.any_bank, bank, token.span)?;
    put(e, &f.register, number, token.span)?;
    if bank == bank::TEMP {
        return Ok((input, ()));
    }
    (input, ()) = relative(input, e)?;
    if input.eat(b'.') {
        let Some(byte) = swizzle_byte(input.peek_text()).filter(|b| b % 0x55 == 0) else {
            return expected(&input, "a component x, y, z or w");
        };
        put(e, &f.swizzle, byte, token.span)?;
        input.bump();
    }
    Ok((input, ()))
}

/// Up to eight hexadecimal digits behind `#`. They may be cut into several tokens (`3e` and so on), so they are taken
/// from the source itself.
fn hash_bits(mut input: Tokens<'_>) -> Read<'_, u64> {
    let hash = input.bump();
    let rest = input.source.get(hash.span.end as usize..).unwrap_or("");
    let len = rest.bytes().take_while(u8::is_ascii_hexdigit).count();
    let value = u64::from_str_radix(&rest[..len.min(9)], 16);
    let end = hash.span.end + len as u32;
    while input.peek().span.end <= end && !input.at_end() {
        input.bump();
    }
    match value {
        Ok(value) if len <= 8 && input.span().start >= end => Ok((input, value)),
        _ => fail(Diag::invalid("syntax", hash.span, "expected `#` and one to eight hexadecimal digits")),
    }
}

fn float_bits(text: &str, token: Token) -> Option<u32> {
    match token.kind {
        TokenKind::Integer if text.len() > 1 && matches!(text.as_bytes()[1], b'x' | b'X') => {
            parse_u64(text).and_then(|v| u32::try_from(v).ok())
        }
        TokenKind::Float if text.starts_with("0x") || text.starts_with("0X") => parse_hex(text),
        TokenKind::Integer | TokenKind::Float => parse_f32(text).filter(|v| v.is_finite()).map(f32::to_bits),
        TokenKind::Word if text == "inf" => Some(0x7f80_0000),
        TokenKind::Word if text == "nan" => Some(0x7fc0_0000),
        _ => None,
    }
}

fn literal<'a>(input: Tokens<'a>, float: bool, e: &mut Encoding) -> Read<'a> {
    let (mut input, absolute) = modifiers(input, &SOURCES[1], e)?;
    let token = input.peek();
    let bits = if token.kind == TokenKind::Punct(b'#') {
        let bits;
        (input, bits) = hash_bits(input)?;
        bits
    } else if float {
        let Some(bits) = float_bits(input.peek_text(), token) else {
            return expected(&input, "a number that binary32 holds");
        };
        input.bump();
        u64::from(bits)
    } else {
        let Some(bits) = decimal(&input).filter(|v| *v <= u64::from(u32::MAX)) else {
            return expected(&input, "an integer of 32 bits");
        };
        input.bump();
        bits
    };
    put(e, &IMMEDIATE, bits, token.span)?;
    close(input, absolute)
}

fn guard<'a>(mut input: Tokens<'a>, e: &mut Encoding) -> Read<'a> {
    let span = input.span();
    input.bump();
    if input.eat(b'!') {
        put(e, &INVERT_GUARD, 1, span)?;
    }
    let (mut input, number) = numbered(input, b"p", 31, "a predicate `p0` to `p31`")?;
    put(e, &PREDICATED, 1, span)?;
    put(e, &GUARD, number, span)?;
    if !input.eat(b')') {
        return expected(&input, "`)`");
    }
    Ok((input, ()))
}

fn result<'a>(mut input: Tokens<'a>, e: &mut Encoding) -> Read<'a> {
    let token = input.peek();
    let found = if token.kind == TokenKind::Word { split(input.peek_text()) } else { None };
    let (bank, number) = match found {
        Some((b'r', n @ 0..256)) => (bank::TEMP, n),
        Some((b'o', n @ 0..256)) => (bank::OUT, n),
        Some((b'a', n @ 0..256)) => (bank::ADDR, n),
        Some((letter @ (b'o' | b'r' | b'a'), _)) => return too_high(token.span, letter, 255),
        _ => return expected(&input, Class::Result.expected()),
    };
    input.bump();
    put(e, &RESULT_BANK, bank, token.span)?;
    put(e, &RESULT, number, token.span)?;
    let (input, bits) = mask(input)?;
    put(e, &MASK, bits, token.span)?;
    Ok((input, ()))
}

fn predicate_result<'a>(mut input: Tokens<'a>, invertible: bool, e: &mut Encoding) -> Read<'a> {
    let span = input.span();
    if input.eat(b'!') {
        if !invertible {
            let message = "the result of a comparison cannot be inverted: there is no bit for it";
            return fail(
                Diag::invalid("inverted-result", span, message).with_help("invert where the predicate is used"),
            );
        }
        put(e, &SATURATE, 1, span)?;
    }
    let (input, number) = numbered(input, b"p", 255, "a predicate")?;
    put(e, &RESULT, number, span)?;
    Ok((input, ()))
}

fn target<'a>(mut input: Tokens<'a>, e: &mut Encoding) -> Read<'a> {
    let token = input.peek();
    if token.kind == TokenKind::Word {
        e.defer(token.span);
        put(e, &IMMEDIATE, 0, token.span)?;
        input.bump();
        return Ok((input, ()));
    }
    let negative = input.peek().kind == TokenKind::Punct(b'-');
    if negative || input.peek().kind == TokenKind::Punct(b'+') {
        input.bump();
    }
    let value = decimal(&input).and_then(|v| i64::try_from(v).ok()).map(|v| if negative { -v } else { v });
    match value.map(i32::try_from) {
        Some(Ok(value)) => {
            input.bump();
            put(e, &IMMEDIATE, u64::from(value as u32), token.span)?;
            Ok((input, ()))
        }
        Some(Err(_)) => fail(Diag::invalid("jump-range", token.span, "jump distances have 32 bits")),
        None => expected(&input, Class::Target.expected()),
    }
}

fn marks<'a>(mut input: Tokens<'a>, e: &mut Encoding) -> Read<'a> {
    while input.peek().kind == TokenKind::Punct(b'<') {
        input.bump();
        if !input.eat(b'-') {
            return expected(&input, "`<-`");
        }
        let span = input.span();
        match input.peek_text() {
            "end" => put(e, &END, 1, span)?,
            "noend" => put(e, &END, 0, span)?,
            "wait" => put(e, &WAIT, 1, span)?,
            "bits" => {
                input.bump();
                let Some(low) = decimal(&input) else { return expected(&input, "the first word's bits") };
                input.bump();
                let Some(high) = decimal(&input) else { return expected(&input, "the second word's bits") };
                e.flip(u128::from(high) << 64 | u128::from(low));
            }
            _ => return expected(&input, Class::Marks.expected()),
        }
        input.bump();
    }
    Ok((input, ()))
}

/// Whether the tokens can start an operand of `class`.
pub(crate) fn starts(class: Class, input: Tokens<'_>) -> bool {
    let punct = |p| input.peek().kind == TokenKind::Punct(p);
    let behind_modifiers = || {
        let at = usize::from(punct(b'-'));
        let bar = input.peek_at(at).kind == TokenKind::Punct(b'|');
        input.peek_at(at + usize::from(bar))
    };
    match class {
        Class::Guard => punct(b'('),
        Class::Source1 | Class::Source2 | Class::Source3 => {
            let token = behind_modifiers();
            token.kind == TokenKind::Word && split(input.text(token)).is_some()
        }
        Class::FloatLiteral | Class::IntLiteral => {
            let token = behind_modifiers();
            match token.kind {
                TokenKind::Integer | TokenKind::Float | TokenKind::Punct(b'#') => true,
                TokenKind::Word => class == Class::FloatLiteral && matches!(input.text(token), "inf" | "nan"),
                _ => false,
            }
        }
        _ => true,
    }
}

/// Reads an operand of `class`.
#[inline]
pub(crate) fn read<'a>(class: Class, mut input: Tokens<'a>, e: &mut Encoding) -> Read<'a> {
    match class {
        Class::Source1 => source(input, const { &SOURCES[0] }, e),
        Class::Source2 => source(input, const { &SOURCES[1] }, e),
        Class::Source3 => source(input, const { &SOURCES[2] }, e),
        Class::Result => result(input, e),
        Class::Marks => marks(input, e),
        Class::Guard => guard(input, e),
        Class::Saturate => Ok((input, ())),
        Class::PredicateResult => predicate_result(input, false, e),
        Class::AndResult => predicate_result(input, true, e),
        Class::FloatLiteral => literal(input, true, e),
        Class::IntLiteral => literal(input, false, e),
        Class::Condition1 => condition(input, const { &SOURCES[0] }, e),
        Class::Condition2 => condition(input, const { &SOURCES[1] }, e),
        Class::Unit | Class::Attribute => {
            let letters: &[u8] = if class == Class::Unit { b"t" } else { b"ti" };
            let span = input.span();
            let (input, number) = numbered(input, letters, 255, class.expected())?;
            put(e, &SOURCES[1].register, number, span)?;
            Ok((input, ()))
        }
        Class::Sample => {
            let span = input.span();
            if !input.eat(b',') {
                return Ok((input, ()));
            }
            let (input, number) = numbered(input, b"s", 255, class.expected())?;
            put(e, &SOURCES[1].register, number, span)?;
            Ok((input, ()))
        }
        Class::Target => target(input, e),
    }
}
