//! Text templates, cut into steps.

use crate::{Isa, Operand, Row, Short};
use smallvec::SmallVec;

/// A token a template writes out.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Literal {
    /// A punctuation character.
    Punct(u8),
    /// A word.
    Word(&'static str),
}

/// A step behind the mnemonic.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step<C> {
    /// Text that is always there.
    Literal(Literal),
    /// An operand.
    Operand(C),
}

/// What is printed behind the mnemonic.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Piece<C> {
    /// Text, blanks included.
    Text(Short),
    /// An operand.
    Operand(C),
}

/// A row's template in pieces.
#[derive(Clone, Debug)]
pub(crate) struct Template<C> {
    /// Operands in front of the mnemonic.
    pub(crate) leading: SmallVec<[C; 2]>,
    /// The mnemonic.
    pub(crate) name: Short,
    /// The operand glued to it.
    pub(crate) glued: Option<C>,
    /// For printing.
    pub(crate) pieces: Vec<Piece<C>>,
    /// For reading.
    pub(crate) steps: Vec<Step<C>>,
}

/// A template, or what is wrong with it.
type Cutting<C> = Result<Template<C>, String>;

enum Part<C> {
    Text(&'static str),
    Operand(C),
}

/// Cuts the template of `row`.
///
/// # Errors
/// A sentence that says what is wrong with it.
pub(crate) fn cut<I: Isa>(row: &Row<I>) -> Cutting<I::Class> {
    let problem = |what: String| Err(format!("template of {}: {what}", row.title()));
    if row.name.len() > 16 || !row.text.is_ascii() {
        return problem("names have at most 16 characters, text is ASCII".into());
    }
    let mut parts: Vec<Part<I::Class>> = Vec::new();
    let mut rest = row.text;
    while !rest.is_empty() {
        match rest.find('{') {
            Some(0) => {
                let Some(end) = rest.find('}') else { return problem("`{` without `}`".into()) };
                let name = &rest[1..end];
                let Some(operand) = row.operands.iter().find(|o: &&Operand<I::Class>| o.name == name) else {
                    return problem(format!("no operand is called `{name}`"));
                };
                parts.push(Part::Operand(operand.class));
                rest = &rest[end + 1..];
            }
            at => {
                let end = at.unwrap_or(rest.len());
                parts.push(Part::Text(&rest[..end]));
                rest = &rest[end..];
            }
        }
    }
    let mut out = Template {
        leading: SmallVec::new(),
        name: Short::new(row.name),
        glued: None,
        pieces: Vec::new(),
        steps: Vec::new(),
    };
    let mut parts = parts.into_iter().peekable();
    while let Some(Part::Operand(class)) = parts.peek() {
        out.leading.push(*class);
        parts.next();
    }
    let Some(Part::Text(text)) = parts.next() else { return problem("no mnemonic".into()) };
    let Some(tail) = text.strip_prefix(row.name) else {
        return problem(format!("`{text}` does not start with the mnemonic"));
    };
    if tail.is_empty()
        && let Some(Part::Operand(class)) = parts.peek()
        && !I::glued(*class).is_empty()
    {
        out.glued = Some(*class);
        parts.next();
    }
    out.text(tail);
    for part in parts {
        match part {
            Part::Text(text) => out.text(text),
            Part::Operand(class) => {
                out.pieces.push(Piece::Operand(class));
                out.steps.push(Step::Operand(class));
            }
        }
    }
    Ok(out)
}

impl<C> Template<C> {
    fn text(&mut self, text: &'static str) {
        let mut left = text;
        while !left.is_empty() {
            let (now, later) = left.split_at(left.len().min(16));
            self.pieces.push(Piece::Text(Short::new(now)));
            left = later;
        }
        let mut left = text.trim_start();
        while let Some(first) = left.bytes().next() {
            let word = left.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
            let len = word.max(1);
            let literal = if word > 0 { Literal::Word(&left[..len]) } else { Literal::Punct(first) };
            self.steps.push(Step::Literal(literal));
            left = left[len..].trim_start();
        }
    }
}
