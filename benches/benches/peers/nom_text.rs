//! A parser of ATTILA assembly as one writes it with `nom`: guard, mnemonic, operands with sign, bars, bank, number and components.
//! It looks nothing up and encodes nothing.

use crate::Work;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_while, take_while1};
use nom::character::complete::{char, one_of, space0, u32 as number};
use nom::combinator::{map, opt, recognize};
use nom::sequence::{delimited, preceded, terminated};
use nom::{IResult, Parser};
use std::hint::black_box;

/// A register with its modifiers, or a literal.
#[derive(Copy, Clone, Default)]
#[expect(dead_code, reason = "what a parser is for is to fill them in")]
struct Operand<'a> {
    negated: bool,
    absolute: bool,
    bank: char,
    number: u32,
    components: &'a str,
}

/// A line.
#[expect(dead_code, reason = "what a parser is for is to fill them in")]
struct Line<'a> {
    guard: Option<(bool, u32)>,
    mnemonic: &'a str,
    operands: [Operand<'a>; 4],
    count: usize,
    annotation: &'a str,
}

fn register(text: &str) -> IResult<&str, (char, u32, &str)> {
    let (text, bank) = one_of("riocapts").parse(text)?;
    let (text, number) = number(text)?;
    let (text, _) = opt(delimited(char('['), take_while(|c| c != ']'), char(']'))).parse(text)?;
    let (text, components) =
        opt(preceded(char('.'), take_while1(|c| matches!(c, 'x' | 'y' | 'z' | 'w')))).parse(text)?;
    Ok((text, (bank, number, components.unwrap_or(""))))
}

fn literal(text: &str) -> IResult<&str, (char, u32, &str)> {
    let digits = take_while1(|c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+' | ':'));
    map(recognize(digits), |digits| ('#', 0, digits)).parse(text)
}

fn operand(text: &str) -> IResult<&str, Operand<'_>> {
    let (text, sign) = opt(one_of("-!")).parse(text)?;
    let (text, bar) = opt(char('|')).parse(text)?;
    let (text, (bank, number, components)) = alt((register, literal)).parse(text)?;
    let (text, _) = opt(char('|')).parse(text)?;
    let (text, _) = opt(tag("!INV!")).parse(text)?;
    Ok((text, Operand { negated: sign.is_some(), absolute: bar.is_some(), bank, number, components }))
}

fn line(text: &str) -> IResult<&str, Line<'_>> {
    let guard = delimited(char('('), (opt(char('!')), preceded(char('p'), number)), tag(") "));
    let (text, guard) = opt(guard).parse(text)?;
    let (text, mnemonic) =
        terminated(take_while1(|c: char| c.is_ascii_alphanumeric() || c == '_'), space0).parse(text)?;
    let (mut text, mut operands, mut count) = (text, [Operand::default(); 4], 0);
    while count < operands.len() {
        let Ok((rest, read)) = operand(text) else { break };
        (operands[count], count, text) = (read, count + 1, rest);
        let Ok((rest, _)) = terminated(char::<&str, nom::error::Error<&str>>(','), space0).parse(text) else { break };
        text = rest;
    }
    let (text, annotation) = take_while(|c| c != '\n').parse(text)?;
    let (text, _) = char('\n').parse(text)?;
    let guard = guard.map(|(inverted, number)| (inverted.is_some(), number));
    Ok((text, Line { guard, mnemonic, operands, count, annotation }))
}

/// Reads a listing.
pub(crate) fn work(text: &str) -> Work {
    let text = text.to_string();
    let count = text.lines().count();
    let read = |text: &str| -> usize {
        let (mut rest, mut lines) = (text, 0);
        while let Ok((behind, line)) = line(rest) {
            black_box(&line);
            (rest, lines) = (behind, lines + 1);
        }
        assert!(rest.is_empty(), "the parser stops at {:?}", &rest[..rest.len().min(80)]);
        lines
    };
    assert_eq!(read(&text), count, "every line is one");
    Work::new("nom", text.len() as u64, move || {
        black_box(read(black_box(&text)));
    })
}
