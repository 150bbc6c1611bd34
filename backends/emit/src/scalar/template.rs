//! Texts of forms, taken apart once: what stands between braces is filled in for each instruction.

/// What is filled in.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    /// `{s}`: the clamp.
    Clamp,
    /// `{d}`: the result.
    Result,
    /// `{f}`: the feed-through of an operation that another one can stand beside.
    Feed,
    /// `{m}`: the mask count.
    Count,
    /// `{0}`: an operand.
    Operand(usize),
    /// `{-0}`: the same with the other sign.
    Opposite(usize),
    /// `{#0}`: a literal.
    Literal(usize),
}

/// A piece of a text.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    Text(&'static str),
    Slot(Slot),
}

/// The pieces of a text. Other braces are text.
pub(crate) fn pieces(text: &'static str) -> Vec<Piece> {
    let mut out = Vec::new();
    let (mut start, mut at) = (0, 0);
    while let Some(open) = text[at..].find('{').map(|n| at + n) {
        at = open + 1;
        let Some(close) = text[at..].find('}').map(|n| at + n) else { break };
        let Some(slot) = slot(&text[at..close]) else { continue };
        if start < open {
            out.push(Piece::Text(&text[start..open]));
        }
        out.push(Piece::Slot(slot));
        (start, at) = (close + 1, close + 1);
    }
    if start < text.len() {
        out.push(Piece::Text(&text[start..]));
    }
    out
}

fn slot(word: &str) -> Option<Slot> {
    Some(match word {
        "s" => Slot::Clamp,
        "d" => Slot::Result,
        "f" => Slot::Feed,
        "m" => Slot::Count,
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
        let slots = [Piece::Slot(Slot::Result), Piece::Text(", "), Piece::Slot(Slot::Opposite(0))];
        assert_eq!(found[0], Piece::Text("if(p0) {\nmov "));
        assert_eq!(found[1..4], slots);
        assert_eq!(found[4..], [Piece::Text("\n}")]);
        assert_eq!(pieces("mov {f}, {#0}{s}")[1..].len(), 4);
    }
}
