//! What a GLSL text declares outside of functions: qualifiers, type, names.

use crate::tokens::{Kind, Tokens};
use std::ops::Range;

/// Words that stand before a type.
const QUALIFIERS: &[&str] = &[
    "uniform",
    "attribute",
    "varying",
    "in",
    "out",
    "buffer",
    "shared",
    "const",
    "flat",
    "smooth",
    "noperspective",
    "centroid",
    "sample",
    "patch",
    "invariant",
    "precise",
    "highp",
    "mediump",
    "lowp",
    "coherent",
    "volatile",
    "restrict",
    "readonly",
    "writeonly",
];

/// A declared name.
#[derive(Clone, Debug)]
pub(crate) struct Declarator {
    /// The name.
    pub(crate) name: usize,
    /// Sizes of arrays, behind the name.
    pub(crate) dimensions: Range<usize>,
    /// What stands behind `=`, without it.
    pub(crate) value: Option<Range<usize>>,
    /// The comma or semicolon behind it.
    pub(crate) end: usize,
}

/// A statement outside of functions. All numbers are those of tokens.
#[derive(Clone, Debug)]
pub(crate) struct Declaration {
    /// Qualifiers that are one word.
    pub(crate) qualifiers: Vec<usize>,
    /// `layout(...)`, from the word to the closing parenthesis.
    pub(crate) layouts: Vec<Range<usize>>,
    /// The type, with sizes of arrays.
    pub(crate) ty: Range<usize>,
    /// The braces of a structure or block.
    pub(crate) body: Option<(usize, usize)>,
    pub(crate) declarators: Vec<Declarator>,
}

/// All statements outside of functions that declare something, and the names of the functions that are defined.
pub(crate) fn declarations(tokens: &Tokens<'_>) -> (Vec<Declaration>, Vec<usize>) {
    let (mut found, mut functions) = (Vec::new(), Vec::new());
    let code: Vec<usize> = (0..tokens.list.len()).filter(|&i| tokens.kind(i) != Some(Kind::Directive)).collect();
    let mut at = 0;
    while at < code.len() {
        let first = at;
        // Up to the semicolon, or the end of a function.
        let mut body = None;
        let mut is_function = false;
        while at < code.len() && tokens.at(code[at]) != ";" {
            match tokens.at(code[at]) {
                "(" | "[" => at = skip(tokens, &code, at),
                "{" => {
                    let open = at;
                    at = skip(tokens, &code, at);
                    if open > first && tokens.at(code[open - 1]) == ")" {
                        is_function = true;
                        break;
                    }
                    body.get_or_insert((open, at));
                }
                _ => {}
            }
            at += 1;
        }
        let end = at.min(code.len());
        at += 1;
        if is_function {
            let open = code[first..end].iter().position(|&i| tokens.at(i) == "(");
            functions.extend(open.filter(|open| *open > 0).map(|open| code[first + open - 1]));
        } else if let Some(declaration) = declaration(tokens, &code, first..end, body) {
            found.push(declaration);
        }
    }
    (found, functions)
}

/// The place in `code` of what closes the bracket at a place.
fn skip(tokens: &Tokens<'_>, code: &[usize], open: usize) -> usize {
    let close = tokens.closing(code[open]);
    code.partition_point(|&index| index < close).min(code.len() - 1).max(open)
}

fn declaration(
    tokens: &Tokens<'_>,
    code: &[usize],
    place: Range<usize>,
    body: Option<(usize, usize)>,
) -> Option<Declaration> {
    let word = |at: usize| code.get(at).map_or("", |&index| tokens.at(index));
    let end = place.end;
    // Without a semicolon it is none.
    let last = *code.get(end)?;
    let (mut qualifiers, mut layouts, mut at) = (Vec::new(), Vec::new(), place.start);
    while at < end {
        if word(at) == "layout" {
            let close = skip(tokens, code, at + 1);
            layouts.push(code[at]..code[close] + 1);
            at = close + 1;
        } else if QUALIFIERS.contains(&word(at)) {
            qualifiers.push(code[at]);
            at += 1;
        } else {
            break;
        }
    }
    if at >= end || !tokens.is_word(code[at]) || word(at) == "precision" {
        return None;
    }
    let begins = code[at];
    at = match body {
        Some((_, close)) => close + 1,
        None => at + 1,
    };
    while at < end && word(at) == "[" {
        at = skip(tokens, code, at) + 1;
    }
    let ty = begins..code[at - 1] + 1;
    let mut declarators = Vec::new();
    while at < end && tokens.is_word(code[at]) {
        let name = code[at];
        at += 1;
        let from = at;
        while at < end && word(at) == "[" {
            at = skip(tokens, code, at) + 1;
        }
        // What looks like a call is a prototype or a macro.
        if at < end && word(at) == "(" {
            return None;
        }
        let dimensions = name + 1..if at > from { code[at - 1] + 1 } else { name + 1 };
        let equals = at;
        while at < end && word(at) != "," {
            if matches!(word(at), "(" | "[" | "{") {
                at = skip(tokens, code, at);
            }
            at += 1;
        }
        let stop = code.get(at).copied().unwrap_or(last);
        let value = (word(equals) == "=" && equals < at).then(|| code[equals] + 1..stop);
        declarators.push(Declarator { name, dimensions, value, end: stop });
        at += 1;
    }
    let body = body.map(|(open, close)| (code[open], code[close]));
    Some(Declaration { qualifiers, layouts, ty, body, declarators })
}

impl Declaration {
    /// Whether a qualifier is among those before the type.
    pub(crate) fn is(&self, tokens: &Tokens<'_>, qualifier: &str) -> bool {
        self.qualifiers.iter().any(|&index| tokens.at(index) == qualifier)
    }

    /// The number that a layout gives to a word, such as `binding`; `Some(None)` where it is no literal, or has no number.
    pub(crate) fn layout(&self, tokens: &Tokens<'_>, word: &str) -> Option<Option<u32>> {
        let index = self.layouts.iter().cloned().flatten().find(|&index| tokens.at(index) == word)?;
        let number = (tokens.at(index + 1) == "=").then(|| tokens.at(index + 2).parse().ok()).flatten();
        Some(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_come_apart() {
        let text = "precision mediump float;\nlayout(location = 3) uniform highp vec2 a[2], b = vec2(1, 2);\n\
            #define F(x) x;\nvec3 f(in vec3 p, float q) { return p; }\nuniform struct L { vec3 p; } light;\nvoid main();";
        let tokens = Tokens::of(text);
        let (found, functions) = declarations(&tokens);
        let names: Vec<Vec<&str>> =
            found.iter().map(|d| d.declarators.iter().map(|d| tokens.at(d.name)).collect()).collect();
        assert_eq!(names, [vec!["a", "b"], vec!["light"]]);
        assert_eq!(found[0].layout(&tokens, "location"), Some(Some(3)));
        assert_eq!(found[0].layout(&tokens, "binding"), None);
        assert!(found[0].is(&tokens, "highp") && found[1].body.is_some());
        assert_eq!(functions.iter().map(|&index| tokens.at(index)).collect::<Vec<_>>(), ["f"]);
    }

    #[test]
    fn no_text_makes_it_stumble() {
        for text in
            ["", ";", "{", "uniform", "layout", "layout(", "uniform float", "uniform float x[", "}}", "in vec2 a,", "#"]
        {
            declarations(&Tokens::of(text));
        }
    }
}
