//! Texts of forms, taken apart once: what stands between braces is filled in for each instruction.

use parallax_isa::Short;

/// What is filled in.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    /// `{s}`: the clamp.
    Clamp,
    /// `{d}`: the result.
    Result,
    /// `{f}`: the feed-through of an operation that another one can stand beside.
    Feed,
    /// `{0}`: an operand.
    Operand(u8),
    /// `{-0}`: the same with the other sign.
    Opposite(u8),
    /// `{#0}`: a literal.
    Literal(u8),
}

/// A piece of a text. Longer texts are several.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    Text(Short),
    Slot(Slot),
}

/// The pieces of a text in ASCII. Other braces are text.
pub(crate) fn pieces(text: &str) -> Vec<Piece> {
    let mut out = Vec::new();
    let push = |mut text: &str, out: &mut Vec<Piece>| {
        while !text.is_empty() {
            let (first, rest) = text.split_at(text.len().min(Short::MOST));
            out.push(Piece::Text(Short::new(first)));
            text = rest;
        }
    };
    let (mut start, mut at) = (0, 0);
    while let Some(open) = text[at..].find('{').map(|n| at + n) {
        at = open + 1;
        let Some(close) = text[at..].find('}').map(|n| at + n) else { break };
        let Some(slot) = slot(&text[at..close]) else { continue };
        push(&text[start..open], &mut out);
        out.push(Piece::Slot(slot));
        (start, at) = (close + 1, close + 1);
    }
    push(&text[start..], &mut out);
    out
}

/// The names of registers: a letter and a number.
pub(crate) const fn names(letter: u8) -> [Short; 256] {
    let mut names = [Short::new(""); 256];
    let mut number = 0;
    while number < names.len() {
        names[number] = Short::numbered(letter, number as u16);
        number += 1;
    }
    names
}

fn slot(word: &str) -> Option<Slot> {
    Some(match word {
        "s" => Slot::Clamp,
        "d" => Slot::Result,
        "f" => Slot::Feed,
        _ => {
            let (kind, number) = word.split_at_checked(word.len().checked_sub(1)?)?;
            let number = number.parse().ok()?;
            match kind {
                "" => Slot::Operand(number),
                "-" => Slot::Opposite(number),
                "#" => Slot::Literal(number),
                _ => return None,
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_of_guards_are_text() {
        let text = "if(p0) {\nmov {d}, {-0}\n}";
        let found = pieces(text);
        let slots = [Piece::Slot(Slot::Result), Piece::Text(Short::new(", ")), Piece::Slot(Slot::Opposite(0))];
        assert_eq!(found[0], Piece::Text(Short::new("if(p0) {\nmov ")));
        assert_eq!(found[1..4], slots);
        assert_eq!(found[4..], [Piece::Text(Short::new("\n}"))]);
        assert_eq!(pieces("mov {f}, {#0}{s}")[1..].len(), 4);
        let long = pieces("a text of several pieces{d}").into_iter().map(|piece| match piece {
            Piece::Text(text) => text.as_str().to_string(),
            Piece::Slot(slot) => format!("{slot:?}"),
        });
        assert_eq!(long.collect::<Vec<_>>(), ["a text of severa", "l pieces", "Result"]);
    }
}
