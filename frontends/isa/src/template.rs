//! Text templates of rows, cut into steps.

use crate::row::{Isa, Operand, Row};

/// A step of reading or printing an instruction.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step<K> {
    /// Text that is always there.
    Text(&'static str),
    /// An operand.
    Operand(K),
}

/// A row's template in pieces.
#[derive(Clone, Debug)]
pub(crate) struct Template<K> {
    /// Operands in front of the mnemonic.
    pub(crate) leading: Vec<K>,
    /// The operands that are spelled as ends of the mnemonic itself.
    pub(crate) suffixes: Vec<K>,
    /// What stands behind the mnemonic.
    pub(crate) steps: Vec<Step<K>>,
}

impl<K: Copy> Template<K> {
    /// What the reader looks for behind the mnemonic: it skips blanks anyhow.
    pub(crate) fn reading(&self) -> impl Iterator<Item = Step<K>> {
        self.steps.iter().filter_map(|step| match step {
            Step::Text(text) => Some(text.trim()).filter(|text| !text.is_empty()).map(Step::Text),
            operand => Some(*operand),
        })
    }
}

/// Cuts the template of `row`.
///
/// # Errors
/// A sentence that says what is wrong with it.
pub(crate) fn cut<I: Isa>(row: &Row<I>) -> Result<Template<I::Kind>, String> {
    let problem = |what: String| Err(format!("template of {}: {what}", row.title()));
    if !row.text.is_ascii() {
        return problem("text is ASCII".into());
    }
    let mut steps = Vec::new();
    let mut rest = row.text;
    while !rest.is_empty() {
        match rest.find('{') {
            Some(0) => {
                let Some(end) = rest.find('}') else { return problem("`{` without `}`".into()) };
                let name = &rest[1..end];
                let Some(operand) = row.operands.iter().find(|o: &&Operand<I::Kind>| o.name == name) else {
                    return problem(format!("no operand is called `{name}`"));
                };
                steps.push(Step::Operand(operand.kind));
                rest = &rest[end + 1..];
            }
            at => {
                let end = at.unwrap_or(rest.len());
                steps.push(Step::Text(&rest[..end]));
                rest = &rest[end..];
            }
        }
    }
    let mut steps = steps.into_iter().peekable();
    let mut leading = Vec::new();
    while let Some(Step::Operand(kind)) = steps.peek() {
        leading.push(*kind);
        steps.next();
    }
    let Some(Step::Text(text)) = steps.next() else { return problem("no mnemonic".into()) };
    let Some(tail) = text.strip_prefix(row.name) else {
        return problem(format!("`{text}` does not start with the mnemonic"));
    };
    let mut suffixes = Vec::new();
    while tail.is_empty()
        && let Some(Step::Operand(kind)) = steps.peek()
        && let Some((field, _)) = I::syntax(*kind).suffix()
    {
        if suffixes.is_empty() && !matches!(field.pieces(), [bits] if bits.len <= 3) {
            return problem("the field of the first suffix is one run of at most 3 bits".into());
        }
        suffixes.push(*kind);
        steps.next();
    }
    let tail = (!tail.is_empty()).then_some(Step::Text(tail));
    Ok(Template { leading, suffixes, steps: tail.into_iter().chain(steps).collect() })
}
