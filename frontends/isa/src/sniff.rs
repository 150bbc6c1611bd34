//! Recognising programs: what the sniffers of all sets share.

use parallax_text::mark_len;

/// Lines of a text that are looked at.
const LINES: usize = 64;

/// Whether bytes are text, if perhaps damaged text, and not words: hardly any control characters (words are full of zeros),
/// and either UTF-8 or half of it ASCII.
pub fn is_text(bytes: &[u8]) -> bool {
    // Words say at their beginning already that they are none.
    let (most, mut control, mut ascii) = (bytes.len() / 10, 0, 0);
    for piece in bytes.chunks(256) {
        control += piece.iter().filter(|b| b.is_ascii_control() && !b.is_ascii_whitespace()).count();
        if control > most {
            return false;
        }
        ascii += piece.iter().filter(|b| b.is_ascii()).count();
    }
    ascii * 2 >= bytes.len() || std::str::from_utf8(bytes).is_ok()
}

/// How the lines of an assembly look.
#[derive(Copy, Clone, Debug)]
pub struct LineShape {
    /// Where blanks and comments in front of something end.
    pub skip: fn(&[u8], usize) -> usize,
    /// Whether nothing but a comment stands in the line from here on.
    pub is_end: fn(&[u8], usize) -> bool,
}

impl LineShape {
    /// Lines that are more than labels and comments, without their labels.
    pub fn lines<'a>(&self, text: &'a str) -> impl Iterator<Item = &'a str> {
        let LineShape { skip, is_end } = *self;
        text[mark_len(text)..].split('\n').filter_map(move |line| {
            let bytes = line.as_bytes();
            let mut at = skip(bytes, 0);
            while let Ok((_, behind)) = crate::assembly::label(bytes, at) {
                at = skip(bytes, behind);
            }
            (!is_end(bytes, at)).then(|| &line[at..])
        })
    }

    /// The first lines of a text.
    pub fn first_lines<'a>(&self, text: &'a str) -> impl Iterator<Item = &'a str> {
        self.lines(text).take(LINES)
    }

    /// Whether at least one, and at least half of the first lines of a text are `so`.
    pub fn half(&self, text: &str, so: impl Fn(&str) -> bool) -> bool {
        let (mut all, mut good) = (0, 0);
        for line in self.first_lines(text) {
            all += 1;
            good += usize::from(so(line));
        }
        good > 0 && good * 2 >= all
    }

    /// Whether a text looks like assembly: its first line can be read, and half of those at its beginning.
    pub fn is_assembly(&self, text: &str, reads: impl Fn(&str) -> bool) -> bool {
        self.lines(text).next().is_some_and(&reads) && self.half(text, reads)
    }
}
