//! The shader program header in front of the code of a graphics shader: 20 little-endian words.

use crate::number::print_hex;
use parallax_core::Stage;
use parallax_isa::Out;
use parallax_text::{Diag, Span};

/// A shader program header.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Header {
    /// The words, as stored.
    pub words: [u32; Header::WORDS],
}

/// How an input reaches the shader.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Interpolation {
    /// It does not.
    Unused,
    /// That of the provoking vertex.
    Constant,
    /// Interpolated with perspective.
    Perspective,
    /// Interpolated over the screen.
    Linear,
}

/// How the value of a field is written.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Form {
    /// A number.
    Number,
    /// One bit, `yes` or `no`.
    Flag,
    /// One bit a component, as these letters; `-` for none.
    Letters(&'static str),
    /// Two bits a component: how it is interpolated.
    Interpolations,
    /// A stage of the pipeline.
    Stage,
}

/// A field, or several alike, one behind the other.
#[derive(Copy, Clone, Debug)]
struct Part {
    name: &'static str,
    /// Bit of the first, from the header's start.
    bit: usize,
    /// Bits of each.
    len: usize,
    /// How many there are; their names are numbered from 0 unless there is one.
    count: usize,
    form: Form,
    /// Whether it is listed also where it is 0.
    always: bool,
}

const fn part(name: &'static str, byte: usize, lo: usize, len: usize, form: Form) -> Part {
    Part { name, bit: byte * 8 + lo, len, count: 1, form, always: byte == 0 }
}

/// Fields of every stage, in the order they are listed.
const COMMON: &[Part] = &[
    part("type", 0x00, 0, 5, Form::Number),
    part("version", 0x00, 5, 5, Form::Number),
    part("stage", 0x00, 10, 4, Form::Stage),
    part("mrt", 0x00, 14, 1, Form::Flag),
    part("kills", 0x00, 15, 1, Form::Flag),
    part("global_stores", 0x00, 16, 1, Form::Flag),
    part("sass_version", 0x00, 17, 4, Form::Number),
    part("loads_or_stores", 0x00, 26, 1, Form::Flag),
    part("fp64", 0x00, 27, 1, Form::Flag),
    part("local_low", 0x04, 0, 24, Form::Number),
    part("local_high", 0x08, 0, 24, Form::Number),
    part("call_stack", 0x0c, 0, 24, Form::Number),
    part("primitive_id", 0x14, 24, 1, Form::Flag),
    part("layer", 0x14, 25, 1, Form::Flag),
    part("viewport", 0x14, 26, 1, Form::Flag),
    part("point_size", 0x14, 27, 1, Form::Flag),
    part("position", 0x14, 28, 4, Form::Letters("xyzw")),
];

/// Fields of pixel shaders (type 2).
const PIXEL: &[Part] = &[
    Part { count: 32, ..part("generic", 0x18, 0, 8, Form::Interpolations) },
    part("diffuse", 0x38, 0, 8, Form::Interpolations),
    part("specular", 0x39, 0, 8, Form::Interpolations),
    part("clip_distances", 0x3a, 0, 8, Form::Letters("01234567")),
    part("point_coordinate", 0x3b, 0, 2, Form::Letters("st")),
    part("fog", 0x3b, 2, 1, Form::Flag),
    Part { count: 10, ..part("texture_coordinate", 0x3c, 0, 8, Form::Interpolations) },
    Part { count: 8, ..part("target", 0x48, 0, 4, Form::Letters("rgba")) },
    part("sample_mask", 0x4c, 0, 1, Form::Flag),
    part("depth", 0x4c, 1, 1, Form::Flag),
];

/// Fields of the stages in front of the rasteriser (type 1): what they read, then what they write.
const VERTEX: &[Part] = &[
    part("patch_attributes", 0x04, 24, 8, Form::Number),
    part("threads", 0x08, 24, 8, Form::Number),
    part("topology", 0x0c, 24, 4, Form::Number),
    part("vertices", 0x10, 0, 12, Form::Number),
    part("stores_from", 0x10, 12, 8, Form::Number),
    part("stores_to", 0x10, 24, 8, Form::Number),
    Part { count: 32, ..part("generic", 0x18, 0, 4, Form::Letters("xyzw")) },
    part("diffuse", 0x28, 0, 4, Form::Letters("rgba")),
    part("specular", 0x28, 4, 4, Form::Letters("rgba")),
    part("back_diffuse", 0x29, 0, 4, Form::Letters("rgba")),
    part("back_specular", 0x29, 4, 4, Form::Letters("rgba")),
    part("clip_distances", 0x2a, 0, 8, Form::Letters("01234567")),
    part("point_coordinate", 0x2b, 0, 2, Form::Letters("st")),
    part("fog", 0x2b, 2, 1, Form::Flag),
    part("patch_coordinate", 0x2b, 4, 2, Form::Letters("uv")),
    part("instance_id", 0x2b, 6, 1, Form::Flag),
    part("vertex_id", 0x2b, 7, 1, Form::Flag),
    Part { count: 10, ..part("texture_coordinate", 0x2c, 0, 4, Form::Letters("xyzw")) },
    part("result_primitive_id", 0x35, 0, 1, Form::Flag),
    part("result_layer", 0x35, 1, 1, Form::Flag),
    part("result_viewport", 0x35, 2, 1, Form::Flag),
    part("result_point_size", 0x35, 3, 1, Form::Flag),
    part("result_position", 0x35, 4, 4, Form::Letters("xyzw")),
    Part { count: 32, ..part("result_generic", 0x36, 0, 4, Form::Letters("xyzw")) },
    part("result_diffuse", 0x46, 0, 4, Form::Letters("rgba")),
    part("result_specular", 0x46, 4, 4, Form::Letters("rgba")),
    part("result_back_diffuse", 0x47, 0, 4, Form::Letters("rgba")),
    part("result_back_specular", 0x47, 4, 4, Form::Letters("rgba")),
    part("result_clip_distances", 0x48, 0, 8, Form::Letters("01234567")),
    part("result_point_coordinate", 0x49, 0, 2, Form::Letters("st")),
    part("result_fog", 0x49, 2, 1, Form::Flag),
    Part { count: 10, ..part("result_texture_coordinate", 0x4a, 0, 4, Form::Letters("xyzw")) },
];

const STAGES: [&str; 6] = ["none", "vertex", "tess_control", "tess_evaluation", "geometry", "pixel"];
const INTERPOLATIONS: [&str; 4] = ["unused", "constant", "perspective", "linear"];

/// What a line of a listing begins with.
const DIRECTIVE: &str = ".header ";

/// A line of a listing: a field and its value, or a word with the bits that belong to no field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HeaderLine {
    pub(crate) text: String,
    /// Bytes of the word it stands in, from the header's start.
    pub(crate) bytes: std::ops::Range<usize>,
}

impl Header {
    /// Words of a header.
    pub const WORDS: usize = 20;
    /// Bytes of a header.
    pub const BYTES: usize = 4 * Header::WORDS;

    /// That of a pixel shader that reads and writes nothing.
    pub const PIXEL: Header = {
        let mut words = [0; Header::WORDS];
        words[0] = 2 | 3 << 5 | 5 << 10 | 1 << 17;
        Header { words }
    };

    /// The header at the start of some bytes, if they look like one: a known type, version and stage, and no reserved bits.
    pub fn of(bytes: &[u8]) -> Option<Header> {
        let header = Header::at(bytes.first_chunk()?);
        header.is_likely().then_some(header)
    }

    fn at(bytes: &[u8; Header::BYTES]) -> Header {
        let mut header = Header::default();
        header.words.iter_mut().zip(bytes.as_chunks::<4>().0).for_each(|(word, raw)| *word = u32::from_le_bytes(*raw));
        header
    }

    /// Whether the bytes are the beginning of a header, cut off.
    pub(crate) fn is_cut(bytes: &[u8]) -> bool {
        if bytes.len() < 4 || bytes.len() >= Header::BYTES || bytes.len().is_multiple_of(32) {
            return false;
        }
        let mut whole = [0; Header::BYTES];
        whole[..bytes.len()].copy_from_slice(bytes);
        Header::at(&whole).is_likely()
    }

    fn is_likely(&self) -> bool {
        let field = |bit, len| self.bits(bit, len);
        let reserved = self.words[0] & 0xf3e0_0000 == 0 && (1..4).all(|n| self.words[n] >> 24 == 0);
        matches!(field(0, 5), 1 | 2) && field(5, 5) == 3 && matches!(field(10, 4), 1..=5) && reserved
    }

    /// The bytes.
    pub fn bytes(&self) -> [u8; Header::BYTES] {
        let mut bytes = [0; Header::BYTES];
        bytes.as_chunks_mut::<4>().0.iter_mut().zip(self.words).for_each(|(raw, word)| *raw = word.to_le_bytes());
        bytes
    }

    /// The fields of its type.
    fn parts(&self) -> impl Iterator<Item = &'static Part> + Clone + use<> {
        let own = if self.bits(0, 5) == 1 { VERTEX } else { PIXEL };
        COMMON.iter().chain(own)
    }

    /// Bits of a field, which does not cross words.
    fn bits(&self, bit: usize, len: usize) -> u32 {
        self.words[bit / 32] >> (bit % 32) & (u32::MAX >> (32 - len))
    }

    fn put(&mut self, bit: usize, len: usize, value: u32) {
        let mask = (u32::MAX >> (32 - len)) << (bit % 32);
        self.words[bit / 32] = self.words[bit / 32] & !mask | value << (bit % 32) & mask;
    }

    /// Whether it is that of a pixel shader.
    pub fn is_pixel(&self) -> bool {
        self.bits(10, 4) == 5
    }

    /// The stage, where shaders of it are executed.
    pub fn stage(&self) -> Option<Stage> {
        match self.bits(10, 4) {
            1 => Some(Stage::Vertex),
            5 => Some(Stage::Fragment),
            _ => None,
        }
    }

    /// What the stage is called.
    pub fn stage_name(&self) -> &'static str {
        STAGES.get(self.bits(10, 4) as usize).copied().unwrap_or("unknown")
    }

    /// Whether each target gets a colour of its own; else all enabled ones get that of the first.
    pub fn has_many_targets(&self) -> bool {
        self.bits(14, 1) != 0
    }

    /// Whether KIL has an effect.
    pub fn kills(&self) -> bool {
        self.bits(15, 1) != 0
    }

    /// Whether stores to global memory have an effect.
    pub fn stores(&self) -> bool {
        self.bits(16, 1) != 0
    }

    /// Bytes of local memory.
    pub fn local_bytes(&self) -> u32 {
        self.bits(0x04 * 8, 24).saturating_add(self.bits(0x08 * 8, 24))
    }

    /// How a component, 0 to 3, of a generic input, 0 to 31, is interpolated. Others are not.
    pub fn generic(&self, input: usize, component: usize) -> Interpolation {
        self.interpolation(0x18 * 8, 32, input, component)
    }

    /// How a component of the legacy colours, 0 diffuse and 1 specular, is interpolated.
    pub fn colour(&self, input: usize, component: usize) -> Interpolation {
        self.interpolation(0x38 * 8, 2, input, component)
    }

    /// How a component of a legacy texture coordinate, 0 to 9, is interpolated.
    pub fn texture_coordinate(&self, input: usize, component: usize) -> Interpolation {
        self.interpolation(0x3c * 8, 10, input, component)
    }

    fn interpolation(&self, bit: usize, count: usize, input: usize, component: usize) -> Interpolation {
        if input >= count || component > 3 {
            return Interpolation::Unused;
        }
        match self.bits(bit + 8 * input + 2 * component, 2) {
            0 => Interpolation::Unused,
            1 => Interpolation::Constant,
            2 => Interpolation::Perspective,
            _ => Interpolation::Linear,
        }
    }

    /// Components of the position that are read, bit 0 = x.
    pub fn position(&self) -> u8 {
        self.bits(0x14 * 8 + 28, 4) as u8
    }

    /// Components written to a target, 0 to 7, bit 0 = red; 0 for others.
    pub fn target(&self, n: usize) -> u8 {
        if n < 8 { self.bits(0x48 * 8 + 4 * n, 4) as u8 } else { 0 }
    }

    /// Whether a sample mask is written.
    pub fn sample_mask(&self) -> bool {
        self.bits(0x4c * 8, 1) != 0
    }

    /// Whether a depth is written.
    pub fn depth(&self) -> bool {
        self.bits(0x4c * 8 + 1, 1) != 0
    }

    /// What is wrong with it, at the place of its bytes or, for a text, of its lines.
    pub(crate) fn check(&self, place: impl Fn(usize) -> Span) -> Vec<Diag> {
        let mut diags = Vec::new();
        let mut wrong = |name: &str, expected: &str, help: &str| {
            let Some(part) = self.parts().find(|part| part.name == name) else { return };
            let found = self.bits(part.bit, part.len);
            let message = format!("field `{name}` of the header holds {found}; expected {expected}");
            let diag = Diag::invalid("header-field", place(part.bit / 32 * 4), message);
            diags.push(if help.is_empty() { diag } else { diag.with_help(help) });
        };
        if self.bits(0, 5) != 2 && self.is_pixel() {
            wrong("type", "2, the type of pixel shaders", "");
        }
        if self.bits(0, 5) != 1 && matches!(self.bits(10, 4), 1..=4) {
            wrong("type", "1, the type of the stages in front of the rasteriser", "");
        }
        if self.bits(5, 5) != 3 {
            wrong("version", "3", "");
        }
        for name in ["local_low", "local_high"] {
            let part = self.parts().find(|part| part.name == name);
            if part.is_some_and(|part| !self.bits(part.bit, part.len).is_multiple_of(16)) {
                wrong(name, "a multiple of 16", "");
            }
        }
        if !self.bits(0x0c * 8, 24).is_multiple_of(512) {
            wrong("call_stack", "a multiple of 512", "");
        }
        diags
    }

    /// The fields that say something, one a line, and words with bits that belong to no field.
    pub(crate) fn list(&self) -> Vec<HeaderLine> {
        let mut lines = Vec::new();
        let mut rest = *self;
        let bytes = |bit: usize| bit / 32 * 4..bit / 32 * 4 + 4;
        for part in self.parts() {
            for n in 0..part.count {
                let bit = part.bit + n * part.len;
                let value = self.bits(bit, part.len);
                rest.put(bit, part.len, 0);
                if value != 0 || part.always {
                    let number = if part.count > 1 { n.to_string() } else { String::new() };
                    let text = format!("{DIRECTIVE}{}{number} {}", part.name, part.form.text(value));
                    lines.push(HeaderLine { text, bytes: bytes(bit) });
                }
            }
        }
        for (n, word) in rest.words.iter().enumerate().filter(|(_, word)| **word != 0) {
            lines.push(HeaderLine { text: format!("{DIRECTIVE}word{n} {word:#x}"), bytes: bytes(32 * n) });
        }
        lines
    }

    /// The fields that say something, with their values.
    pub(crate) fn fields(&self) -> Vec<(String, String)> {
        let words = |line: &HeaderLine| {
            let (name, value) = line.text.strip_prefix(DIRECTIVE)?.split_once(' ')?;
            Some((name.to_string(), value.to_string()))
        };
        self.list().iter().filter_map(words).collect()
    }

    /// Sets a field as a line of a listing says.
    ///
    /// # Errors
    /// What was expected instead: in place of the name where there is no such field, else of the value.
    pub(crate) fn set(&mut self, name: &str, value: &str) -> Result<(), (bool, String)> {
        let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let number = || name[stem.len()..].parse::<usize>().ok();
        if stem == "word" {
            let place = number().filter(|n| *n < Header::WORDS);
            let Some(n) = place else { return Err((true, "`word0` to `word19`".into())) };
            let bits = parallax_text::parse_u64(value).and_then(|bits| u32::try_from(bits).ok());
            self.words[n] |= bits.ok_or((false, "a number of 32 bits".to_string()))?;
            return Ok(());
        }
        let found = self.parts().find_map(|part| match part.count {
            1 => (part.name == name).then_some((part, 0)),
            count => number().filter(|n| part.name == stem && *n < count).map(|n| (part, n)),
        });
        let Some((part, n)) = found else {
            let names: Vec<&str> = self.parts().map(|part| part.name).collect();
            return Err((true, format!("a field of the header: {}", names.join(", "))));
        };
        let bits = part.form.read(value).filter(|bits| part.len == 32 || bits >> part.len == 0);
        let bits = bits.ok_or_else(|| (false, part.form.expected(part.len)))?;
        self.put(part.bit + n * part.len, part.len, bits);
        Ok(())
    }
}

impl Form {
    fn text(self, value: u32) -> String {
        match self {
            Form::Number => {
                let mut out = Out::new();
                out.line(|line| print_hex(u64::from(value), line));
                out.as_str().to_string()
            }
            Form::Flag => if value != 0 { "yes" } else { "no" }.into(),
            Form::Letters(_) if value == 0 => "-".into(),
            Form::Letters(letters) => {
                letters.chars().enumerate().filter(|(n, _)| value >> n & 1 != 0).map(|(_, c)| c).collect()
            }
            Form::Interpolations => {
                let words: Vec<&str> = (0..4).map(|n| INTERPOLATIONS[value as usize >> (2 * n) & 3]).collect();
                words.join(" ")
            }
            Form::Stage => STAGES.get(value as usize).map_or_else(|| value.to_string(), |name| name.to_string()),
        }
    }

    fn read(self, text: &str) -> Option<u32> {
        match self {
            Form::Number => parallax_text::parse_u64(text).and_then(|value| u32::try_from(value).ok()),
            Form::Flag => ["no", "yes"].iter().position(|word| *word == text).map(|n| n as u32),
            Form::Letters(_) if text == "-" => Some(0),
            Form::Letters(letters) => {
                text.chars().try_fold(0, |bits, c| Some(bits | 1 << letters.chars().position(|known| known == c)?))
            }
            Form::Interpolations => {
                let mut bits = 0;
                let words: Vec<&str> = text.split_ascii_whitespace().collect();
                for (n, word) in words.iter().enumerate() {
                    bits |= (INTERPOLATIONS.iter().position(|known| known == word)? as u32) << (2 * n);
                }
                (words.len() == 4).then_some(bits)
            }
            Form::Stage => match STAGES.iter().position(|name| *name == text) {
                Some(n) => Some(n as u32),
                None => text.parse().ok(),
            },
        }
    }

    fn expected(self, len: usize) -> String {
        match self {
            Form::Number => format!("a number of {len} bits"),
            Form::Flag => "`yes` or `no`".into(),
            Form::Letters(letters) => format!("some of the letters `{letters}`, or `-`"),
            Form::Interpolations => format!("four words, each one of: {}", INTERPOLATIONS.join(", ")),
            Form::Stage => format!("a stage: {}", STAGES.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_listed_field_by_field_and_read_back() {
        let mut header = Header::default();
        header.words[0] = 0x0002_9462;
        header.words[5] = 0x8000_0000;
        header.words[6] = 0x0000_002a;
        header.words[15] = 0x0000_ff00;
        header.words[18] = 0x0000_000f;
        header.words[19] = 0x2;
        header.words[17] = 0xdead_0000;
        let lines: Vec<String> = header.list().into_iter().map(|line| line.text).collect();
        for line in [
            ".header type 0x2",
            ".header version 0x3",
            ".header stage pixel",
            ".header mrt no",
            ".header kills yes",
            ".header position w",
            ".header generic0 perspective perspective perspective unused",
            ".header texture_coordinate1 linear linear linear linear",
            ".header target0 rgba",
            ".header depth yes",
            ".header word17 0xdead0000",
        ] {
            assert!(lines.iter().any(|known| known == line), "{line}\n{lines:#?}");
        }
        let mut read = Header::default();
        for line in &lines {
            let (name, value) = line[8..].split_once(' ').unwrap();
            read.set(name, value).unwrap();
        }
        assert_eq!(read, header);
        assert_eq!(Header::of(&header.bytes()), Some(header));
        assert!(header.kills() && header.depth() && !header.sample_mask() && header.target(0) == 15);
        assert_eq!(header.generic(0, 2), Interpolation::Perspective);
        assert_eq!(header.generic(0, 3), Interpolation::Unused);
        assert_eq!(read.set("target9", "r").map_err(|e| e.0), Err(true));
        assert_eq!(read.set("target0", "x").map_err(|e| e.0), Err(false));
    }

    #[test]
    fn parts_do_not_overlap_or_cross_words() {
        for kind in [1, 2] {
            let mut seen = Header::default();
            let mut header = Header::default();
            header.words[0] = kind;
            for part in header.parts() {
                for n in 0..part.count {
                    let bit = part.bit + n * part.len;
                    assert!(bit % 32 + part.len <= 32, "{}", part.name);
                    assert_eq!(seen.bits(bit, part.len), 0, "{}", part.name);
                    seen.put(bit, part.len, u32::MAX);
                }
            }
        }
    }
}
