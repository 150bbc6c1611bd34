//! Text templates, cut into steps.

use crate::{Isa, Operand, Row, Short};

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

/// What is printed behind the mnemonic: text, blanks included, and the operand behind it.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Piece<C> {
    pub(crate) before: Short,
    pub(crate) class: C,
}

/// A row's template in pieces.
#[derive(Clone, Debug)]
pub(crate) struct Template<C> {
    /// The mnemonic, with each value of what is glued to it.
    pub(crate) names: Vec<Short>,
    /// The operand glued to it.
    pub(crate) glued: Option<C>,
    /// Where the glued operand's only field stands: its value is the number of the name. Empty without one.
    pub(crate) shift: u8,
    pub(crate) mask: u8,
    /// For printing: operands in front of the mnemonic, then those behind it.
    pub(crate) pieces: Vec<Piece<C>>,
    /// How many stand in front.
    pub(crate) leading: usize,
    /// Where these bits are all 0, `plain` is what there is to print.
    pub(crate) loud: u128,
    /// The pieces without those that are silent then.
    pub(crate) plain: Vec<Piece<C>>,
    /// How many of these stand in front of the mnemonic.
    pub(crate) plain_leading: usize,
    /// Text behind the last operand.
    pub(crate) tail: Short,
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
    if !row.text.is_ascii() {
        return problem("text is ASCII".into());
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
        names: Vec::new(),
        glued: None,
        shift: 0,
        mask: 0,
        pieces: Vec::new(),
        leading: 0,
        loud: 0,
        plain: Vec::new(),
        plain_leading: 0,
        tail: Short::new(""),
        steps: Vec::new(),
    };
    let mut parts = parts.into_iter().peekable();
    while let Some(Part::Operand(class)) = parts.peek() {
        out.pieces.push(Piece { before: Short::new(""), class: *class });
        parts.next();
    }
    out.leading = out.pieces.len();
    let Some(Part::Text(text)) = parts.next() else { return problem("no mnemonic".into()) };
    let Some(tail) = text.strip_prefix(row.name) else {
        return problem(format!("`{text}` does not start with the mnemonic"));
    };
    if tail.is_empty()
        && let Some(Part::Operand(class)) = parts.peek()
        && !I::glued(*class).is_empty()
    {
        let &[field] = I::fields(*class) else { return problem("what is glued to a mnemonic has one field".into()) };
        let &[bits] = field.pieces() else { return problem("a glued field is one run of bits".into()) };
        if bits.len > 3 {
            return problem("a glued field has at most 3 bits".into());
        }
        (out.glued, out.shift, out.mask) = (Some(*class), bits.lo, (1 << bits.len) - 1);
        parts.next();
    }
    let mut before = tail.to_string();
    out.steps_of(tail);
    for part in parts {
        match part {
            Part::Text(text) => {
                before.push_str(text);
                out.steps_of(text);
            }
            Part::Operand(class) => {
                if before.len() > Short::MOST {
                    return problem(format!("`{before}` is longer than {} characters", Short::MOST));
                }
                out.pieces.push(Piece { before: Short::new(&before), class });
                out.steps.push(Step::Operand(class));
                before.clear();
            }
        }
    }
    if before.len() > Short::MOST {
        return problem(format!("`{before}` is longer than {} characters", Short::MOST));
    }
    out.tail = Short::new(&before);
    // The text in front of the first operand joins the name where both fit.
    let mut names: Vec<String> = vec![row.name.to_string()];
    if let Some(class) = out.glued {
        let spelling = |value: u64| I::glued(class).iter().find(|(_, v)| *v == value).map_or("", |(text, _)| text);
        names = (0..=u64::from(out.mask)).map(|value| format!("{}{}", row.name, spelling(value))).collect();
    }
    if let Some(first) = out.pieces.get_mut(out.leading)
        && names.iter().all(|name| name.len() + first.before.len() <= Short::MOST)
    {
        names.iter_mut().for_each(|name| name.push_str(first.before.as_str()));
        first.before = Short::new("");
    }
    if let Some(long) = names.iter().find(|name| name.len() > Short::MOST) {
        return problem(format!("`{long}` is longer than {} characters", Short::MOST));
    }
    for (n, piece) in out.pieces.iter().enumerate() {
        match I::silent(piece.class) {
            Some(bits) if piece.before.is_empty() => out.loud |= bits,
            _ => {
                out.plain_leading += usize::from(n < out.leading);
                out.plain.push(*piece);
            }
        }
    }
    out.names = names.iter().map(|name| Short::new(name)).collect();
    Ok(out)
}

impl<C> Template<C> {
    /// Operands in front of the mnemonic.
    pub(crate) fn leading(&self) -> &[Piece<C>] {
        &self.pieces[..self.leading]
    }

    fn steps_of(&mut self, text: &'static str) {
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
