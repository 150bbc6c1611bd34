//! Cg binaries: a header of eight words, records of parameters, a block about the program, microcode. All words are big-endian
//! and microcode lies as RSX memory has it; where the first word is little-endian, all is.
//!
//! Those of vertex programs hold their microcode as plain words, and parameters are numbered constants.
//!
//! A parameter whose value stands inside the microcode says where: the bytes of every place, counted from the first instruction.
//! A sampler's resource is the number of its texture unit above [`TEXTURE_UNIT`].

mod write;

use crate::microcode::{COLOR_IN_R, SLOT, USES_KIL, WRITES_DEPTH, describe, slots};
use crate::reader::{Field, zero_ended};
use crate::tree::{Content, Fact, Named, Node, Order, Program};
use parallax_text::Diag;
use std::ops::Range;
use std::sync::Arc;
pub use write::{CgFragment, CgParameter};

/// What a program of such a file is called.
pub(crate) const TITLE: &str = "Cg fragment program";
/// And of the other profile.
const VERTEX_TITLE: &str = "Cg vertex program";

/// The resource of a sampler that is bound to texture unit 0; those of the other units follow.
const TEXTURE_UNIT: u32 = 2048;
const TEXTURE_UNITS: u32 = 16;

const FRAGMENT: u32 = 7004;
const VERTEX: u32 = 7003;
const HEADER: usize = 32;
const PARAMETER: usize = 48;
const BLOCK: usize = 22;
const VERTEX_BLOCK: usize = 24;
/// The resource of a numbered constant, and how many there are.
const CONSTANT: u32 = 2178;
const CONSTANTS: u32 = 512;
/// Bytes of a default value, and of a constant.
const VALUE: usize = 16;

/// Whether bytes begin with the number of a profile.
pub(crate) fn is_fpo(bytes: &[u8]) -> bool {
    bytes.first_chunk().is_some_and(|first| {
        [u32::from_be_bytes(*first), u32::from_le_bytes(*first)].iter().any(|word| matches!(*word, VERTEX | FRAGMENT))
    })
}

pub(crate) fn open(file: &[u8], mut node: Node) -> Node {
    let reader = match Reader::new(file, &node.bytes) {
        Ok(reader) => reader,
        Err(diag) => return node.broken(diag),
    };
    match reader.program(&mut node, false) {
        Ok(program) => node.content = Content::Program(Arc::new(program)),
        Err(diag) => return node.broken(diag),
    }
    node
}

/// What a Cg binary says about itself and its parameters. Few ask: texts are not made when it is opened.
pub(crate) fn facts(file: &[u8], bytes: Range<usize>) -> Vec<Fact> {
    let mut node = Node::plain(String::new(), bytes);
    if let Ok(reader) = Reader::new(file, &node.bytes) {
        // What is wrong was told when it was opened.
        let _ = reader.program(&mut node, true);
    }
    node.said
}

/// A parameter: its name, its value if it has one, and where that stands in the code.
struct Parameter<'a> {
    name: &'a str,
    value: Option<[u32; 4]>,
    places: Vec<usize>,
    /// The texture unit of a sampler in use, and the shape of its textures as frontends know it.
    sampler: Option<(u32, &'static str)>,
}

impl Parameter<'_> {
    fn named(self) -> Named {
        Named { name: self.name.to_string(), places: self.places, value: self.value.unwrap_or_default() }
    }
}

/// The words of one Cg binary.
struct Reader<'a> {
    file: &'a [u8],
    /// Its bytes in the file.
    bytes: Range<usize>,
    order: Order,
}

/// What parameters have taken so far.
struct Claims {
    /// By slot of the code, the record of the parameter whose value is there.
    slots: Vec<Option<u32>>,
    /// Bytes left for names: a damaged file could name the same bytes over and over.
    names: usize,
}

/// Parts of the binary that nothing else may share.
type Parts = Vec<(&'static str, Range<usize>)>;

impl<'a> Reader<'a> {
    fn new(file: &'a [u8], bytes: &Range<usize>) -> Result<Reader<'a>, Diag> {
        let found = file.get(bytes.clone()).unwrap_or(&[]);
        if found.len() < HEADER {
            let message = format!("the file ends at byte {}, and the header has {HEADER} bytes", found.len());
            return Err(Field::new("header", bytes.start, found.len()).invalid("fpo-header", message));
        }
        let little = matches!(found, [low, high, 0, 0, ..] if [*low, *high] != [0, 0]);
        let order = if little { Order::Little } else { Order::HalfSwapped };
        Ok(Reader { file, bytes: bytes.clone(), order })
    }

    /// The word at a byte of the binary; 0 behind its end.
    fn word(&self, at: usize) -> u32 {
        let bytes = self.file.get(self.bytes.start + at..self.bytes.end).and_then(|b| b.first_chunk()).copied();
        let bytes = bytes.unwrap_or_default();
        if self.order == Order::Little { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) }
    }

    fn half(&self, at: usize) -> u16 {
        let bytes = self.file.get(self.bytes.start + at..self.bytes.end).and_then(|b| b.first_chunk()).copied();
        let bytes = bytes.unwrap_or_default();
        if self.order == Order::Little { u16::from_le_bytes(bytes) } else { u16::from_be_bytes(bytes) }
    }

    fn byte(&self, at: usize) -> u8 {
        self.file.get(self.bytes.start + at).copied().unwrap_or(0)
    }

    fn field(&self, name: &'static str, at: usize, len: usize) -> Field {
        Field::new(name, self.bytes.start + at, len)
    }

    /// The part a word leads to.
    fn part(&self, name: &'static str, at: usize, what: &str, len: u64) -> Result<Range<usize>, Diag> {
        self.field(name, at, 4).range("fpo-range", what, (u64::from(self.word(at)), len), &self.bytes)
    }

    /// The program; with `describe` the node gets the facts.
    fn program(&self, node: &mut Node, describe: bool) -> Result<Program, Diag> {
        let is_vertex = self.word(0) == VERTEX;
        let size = self.field("total size", 8, 4);
        match (u64::from(self.word(8)), self.bytes.len() as u64) {
            (total, len) if total > len => {
                return Err(size.invalid("fpo-size", format!("{total} bytes, and the file has {len}")));
            }
            (total, len) if total < len => {
                node.diags.push(size.warning("fpo-size", format!("{total} bytes, and the file has {len}")));
            }
            _ => {}
        }
        let count = self.word(12);
        let what = format!("the records of {count} parameters");
        let place = (u64::from(self.word(16)), u64::from(count) * PARAMETER as u64);
        let name = match place.0 > self.bytes.len() as u64 {
            true => self.field("parameter array offset", 16, 4),
            false => self.field("parameter count", 12, 4),
        };
        let records = name.range("fpo-range", &what, place, &self.bytes)?;
        let block_len = if is_vertex { VERTEX_BLOCK } else { BLOCK };
        let block = self.part("program block offset", 20, "the program block", block_len as u64)?;
        let ucode_size = self.field("ucode size", 24, 4);
        let len = self.word(24) as usize;
        if len == 0 || !len.is_multiple_of(SLOT) {
            let message = format!("{len} bytes; instructions have {SLOT} bytes each");
            return Err(ucode_size.invalid("fpo-size", message));
        }
        let what = "the microcode";
        let place = (u64::from(self.word(28)), len as u64);
        let name = if place.0 > self.bytes.len() as u64 { self.field("ucode offset", 28, 4) } else { ucode_size };
        let code = name.range("fpo-range", what, place, &self.bytes)?;
        let parts: Parts = vec![
            ("the header", self.bytes.start..self.bytes.start + HEADER),
            ("the records of parameters", records.clone()),
            ("the program block", block.clone()),
            ("the microcode", code.clone()),
        ];
        for (n, name, at) in
            [(1, "parameter array offset", 16), (2, "program block offset", 20), (3, "ucode offset", 28)]
        {
            let (what, bytes) = &parts[n];
            self.apart(name, at, what, bytes, &parts[..n])?;
        }
        let block = block.start - self.bytes.start;
        if is_vertex {
            return self.vertex_program(node, describe, block, &records, &code, &parts);
        }
        let control = u32::from(self.byte(block + 18) & 0x3f) << 24
            | if self.byte(block + 19) == 0 { COLOR_IN_R } else { 0 }
            | if self.byte(block + 20) == 0 { 0 } else { WRITES_DEPTH }
            | if self.byte(block + 21) == 0 { 0 } else { USES_KIL };
        if describe {
            self.describe(block, control, node);
        }
        let words = &self.file[code.clone()];
        let slots = slots(words, self.order);
        if !slots.ended {
            let message = format!("no instruction of its {} has the end bit", words.len() / SLOT);
            return Err(Field::new("ucode", code.start, code.len()).invalid("fpo-end", message));
        }
        let mut claims = Claims { slots: vec![None; words.len() / SLOT], names: self.bytes.len() };
        let (mut constants, mut settings) = (Vec::new(), Vec::new());
        for n in 0..count as usize {
            let at = records.start - self.bytes.start + n * PARAMETER;
            match self.parameter(at, words, &slots.constant, &parts, &mut claims) {
                Ok(parameter) => {
                    if describe {
                        node.say("parameter", self.fact(at, &parameter));
                    }
                    if let Some(diag) = self.shape(at, &parameter, &mut settings) {
                        node.diags.push(diag);
                    }
                    constants.extend(
                        Some(parameter).filter(|p| !p.places.is_empty() && !p.name.is_empty()).map(Parameter::named),
                    );
                }
                Err(diag) => node.diags.push(diag),
            }
        }
        Ok(Program {
            title: TITLE,
            isa: "nvfp",
            dialect: Some("nv40"),
            order: Some(self.order),
            code,
            control: Some(control),
            constants,
            banks: Vec::new(),
            kernel: None,
            settings,
            model: None,
        })
    }

    /// The rest of a vertex program: its constants are numbered, and no values stand in its code.
    fn vertex_program(
        &self,
        node: &mut Node,
        describe: bool,
        block: usize,
        records: &Range<usize>,
        code: &Range<usize>,
        parts: &Parts,
    ) -> Result<Program, Diag> {
        let order = if self.order == Order::Little { Order::Little } else { Order::Big };
        if describe {
            node.say("byte order", if order == Order::Little { "little-endian" } else { "big-endian" });
            node.say("revision", self.word(4).to_string());
            node.say("instructions", self.word(block).to_string());
            node.say("first slot", self.word(block + 4).to_string());
            node.say("registers", self.word(block + 8).to_string());
            for (name, at) in [("inputs", 12), ("results", 16), ("clip planes", 20)] {
                if self.word(block + at) != 0 {
                    node.say(name, format!("0x{:08x}", self.word(block + at)));
                }
            }
        }
        // The end bit is the lowest of the fourth word.
        let ends = |slot: &[u8]| slot.last_chunk().is_some_and(|last| order.word(*last) & 1 != 0);
        let words = &self.file[code.clone()];
        if !words.chunks_exact(SLOT).any(ends) {
            let message = format!("no instruction of its {} has the end bit", words.len() / SLOT);
            return Err(Field::new("ucode", code.start, code.len()).invalid("fpo-end", message));
        }
        let mut claims = Claims { slots: Vec::new(), names: self.bytes.len() };
        let mut constants = Vec::new();
        for at in (records.start..records.end).step_by(PARAMETER).map(|at| at - self.bytes.start) {
            match self.parameter(at, &[], &[], parts, &mut claims) {
                Ok(parameter) => {
                    let number = self.word(at + 12);
                    let is_constant = self.word(at + 4) == CONSTANT && number < CONSTANTS;
                    // The rows of a matrix have records of their own.
                    let is_vector = matches!(self.word(at), 1045..=1048 | 1091);
                    if describe {
                        let place = if is_constant { format!(", c[{number}]") } else { String::new() };
                        node.say("parameter", self.fact(at, &parameter) + &place);
                    }
                    if is_constant && is_vector && !parameter.name.is_empty() && self.word(at + 40) != 0 {
                        let places = vec![number as usize * SLOT];
                        constants.push(Parameter { places, ..parameter }.named());
                    }
                }
                Err(diag) => node.diags.push(diag),
            }
        }
        Ok(Program {
            title: VERTEX_TITLE,
            kernel: None,
            isa: "nvfp",
            dialect: Some("nv40vp"),
            order: Some(order),
            code: code.clone(),
            control: None,
            constants,
            banks: Vec::new(),
            settings: Vec::new(),
            model: None,
        })
    }

    /// Refuses a part that shares bytes with another.
    fn apart(
        &self,
        name: &'static str,
        at: usize,
        what: &str,
        bytes: &Range<usize>,
        others: &[(&str, Range<usize>)],
    ) -> Result<(), Diag> {
        let shared = |other: &Range<usize>| other.start < bytes.end && bytes.start < other.end;
        match others.iter().find(|(_, other)| shared(other)) {
            None => Ok(()),
            Some((other, _)) => {
                let from = bytes.start - self.bytes.start;
                let message =
                    format!("{what}, {} bytes from byte {from} on, would share bytes with {other}", bytes.len());
                Err(self.field(name, at, 4).invalid("fpo-overlap", message))
            }
        }
    }

    /// What the header and the program block say.
    fn describe(&self, block: usize, control: u32, node: &mut Node) {
        node.say("byte order", if self.order == Order::Little { "little-endian" } else { "big-endian" });
        node.say("revision", self.word(4).to_string());
        node.say("instructions", self.word(block).to_string());
        describe(control, node);
        let masks = [
            ("inputs", self.word(block + 4), 8),
            ("texture coordinates", u32::from(self.half(block + 12)), 4),
            ("texture coordinates, two components", u32::from(self.half(block + 14)), 4),
            ("texture coordinates at the centroid", u32::from(self.half(block + 16)), 4),
        ];
        for (name, mask, digits) in masks {
            if mask != 0 {
                node.say(name, format!("0x{mask:0digits$x}"));
            }
        }
    }

    /// What a record says.
    fn parameter(
        &self,
        at: usize,
        code: &[u8],
        constant: &[bool],
        parts: &Parts,
        claims: &mut Claims,
    ) -> Result<Parameter<'a>, Diag> {
        let name: &'a str = match self.word(at + 16) as usize {
            0 => "",
            offset => {
                let field = self.field("name offset", at + 16, 4);
                let end = self.bytes.end;
                let start = self.bytes.start.saturating_add(offset);
                let name = zero_ended(self.file, start, end).map_err(|message| field.invalid("fpo-name", message))?;
                self.apart("name offset", at + 16, "the name", &(start..start + name.len() + 1), parts)?;
                claims.names = claims.names.checked_sub(name.len()).ok_or_else(|| {
                    field.invalid("container-names", "the names up to here take more bytes than the file has")
                })?;
                name
            }
        };
        let default = match self.word(at + 20) {
            0 => None,
            offset => {
                let what = format!("the default value of `{name}`");
                let bytes = self.part("default value offset", at + 20, &what, VALUE as u64)?;
                self.apart("default value offset", at + 20, &what, &bytes, parts)?;
                Some(std::array::from_fn(|n| self.word(offset as usize + 4 * n)))
            }
        };
        let places = match self.word(at + 24) {
            0 => Vec::new(),
            _ => self.places(at, name, constant, parts, claims)?,
        };
        let inside = |place: usize| -> [u32; 4] {
            let (words, _) = code.get(place..).unwrap_or(&[]).as_chunks::<4>();
            std::array::from_fn(|n| words.get(n).map_or(0, |bytes| self.order.word(*bytes)))
        };
        let value = default.or(places.first().map(|place| inside(*place)));
        let unit = self.word(at + 4).checked_sub(TEXTURE_UNIT).filter(|unit| *unit < TEXTURE_UNITS);
        let used = self.word(at + 40) != 0;
        let sampler = unit.filter(|_| used).and_then(|unit| Some((unit, shape(self.word(at))?)));
        Ok(Parameter { name, value, places, sampler })
    }

    /// Notes the shape of a sampler's textures; a problem if the unit has another already.
    fn shape(&self, at: usize, parameter: &Parameter<'_>, settings: &mut Vec<(String, &'static str)>) -> Option<Diag> {
        let (unit, shape) = parameter.sampler?;
        let option = format!("texture{unit}");
        match settings.iter().find(|(name, _)| *name == option) {
            Some((_, other)) if *other != shape => {
                let message = format!(
                    "`{}` is a {} of texture unit {unit}, whose textures are {other} by a sampler before it",
                    parameter.name,
                    type_name(self.word(at))
                );
                Some(self.field("type", at, 4).warning("fpo-sampler", message))
            }
            Some(_) => None,
            None => {
                settings.push((option, shape));
                None
            }
        }
    }

    /// A parameter for people to read.
    fn fact(&self, at: usize, parameter: &Parameter<'_>) -> String {
        let shown = if parameter.name.is_empty() { "without a name" } else { parameter.name };
        let mut fact = format!("{shown}: {}, {}", type_name(self.word(at)), self.usage(at));
        if let Some(value) = parameter.value {
            let numbers = value.map(|bits| format!("{}", f32::from_bits(bits)));
            fact.push_str(&format!(", {}", numbers.join(" ")));
        }
        if !parameter.places.is_empty() {
            let places: Vec<String> = parameter.places.iter().map(usize::to_string).collect();
            fact.push_str(&format!(", at byte {} of the code", places.join(" and ")));
        }
        if let Some((unit, _)) = parameter.sampler {
            fact.push_str(&format!(", texture unit {unit}"));
        }
        fact
    }

    /// The places of a constant in the code, each of them a constant and no other parameter's.
    fn places(
        &self,
        at: usize,
        name: &str,
        constant: &[bool],
        parts: &Parts,
        claims: &mut Claims,
    ) -> Result<Vec<usize>, Diag> {
        let what = format!("the places of `{name}`");
        let count_at = self.part("embedded constant offset", at + 24, &what, 4)?.start - self.bytes.start;
        let count = self.word(count_at);
        let field = self.field("count of embedded constants", count_at, 4);
        let len = 4 + 4 * u64::from(count);
        let bytes = field.range("fpo-range", &what, (count_at as u64, len), &self.bytes)?;
        self.apart("embedded constant offset", at + 24, &what, &bytes, parts)?;
        let (record, mut places) = (at, Vec::new());
        for n in 0..count as usize {
            let at = count_at + 4 + 4 * n;
            let place = self.word(at) as usize;
            let field = self.field("embedded constant", at, 4);
            let slot = place / SLOT;
            let is_constant = place.is_multiple_of(SLOT) && constant.get(slot).copied().unwrap_or(false);
            if !is_constant {
                let message = format!("byte {place} of the code is not a constant, but `{name}` should be there");
                return Err(field.invalid("fpo-embedded", message));
            }
            match claims.slots.get_mut(slot) {
                Some(Some(other)) => {
                    let other = self.name(*other as usize);
                    let message = format!("`{name}` would be at byte {place} of the code, where `{other}` is");
                    return Err(field.invalid("fpo-overlap", message));
                }
                Some(free) => *free = Some(record as u32),
                None => {}
            }
            places.push(place);
        }
        Ok(places)
    }

    /// The name of a parameter that was read already.
    fn name(&self, record: usize) -> &str {
        let start = self.bytes.start.saturating_add(self.word(record + 16) as usize);
        zero_ended(self.file, start, self.bytes.end).unwrap_or("")
    }

    /// How a parameter is used.
    fn usage(&self, at: usize) -> String {
        let variability = match self.word(at + 8) {
            4101 => "varying".into(),
            4102 => "uniform".into(),
            4103 => "constant".into(),
            other => format!("variability {other}"),
        };
        let direction = match self.word(at + 32) {
            4098 => ", output",
            4099 => ", input and output",
            _ => "",
        };
        let unused = if self.word(at + 40) == 0 { ", not used" } else { "" };
        format!("{variability}{direction}{unused}")
    }
}

/// The types of samplers, and the shapes of what they read, as the option of the frontend spells them.
const SAMPLERS: [(u32, &str); 5] = [(1065, "1d"), (1066, "2d"), (1067, "3d"), (1068, "rect"), (1069, "cube")];

/// The shape of what a sampler reads.
fn shape(number: u32) -> Option<&'static str> {
    SAMPLERS.iter().find(|(known, _)| *known == number).map(|(_, shape)| *shape)
}

/// The type of a sampler of a shape; 0 for one that no sampler has.
fn sampler(shape: &str) -> u32 {
    SAMPLERS.iter().find(|(_, known)| *known == shape).map_or(0, |(number, _)| *number)
}

/// The name of a type's number.
fn type_name(number: u32) -> String {
    match number {
        1045 => "float".into(),
        1046..=1048 => format!("float{}", number - 1044),
        1049..=1064 => format!("float{}x{}", (number - 1049) / 4 + 1, (number - 1049) % 4 + 1),
        1065 => "sampler1D".into(),
        1066 => "sampler2D".into(),
        1067 => "sampler3D".into(),
        1068 => "samplerRECT".into(),
        1069 => "samplerCUBE".into(),
        1091 => "float1".into(),
        other => format!("type {other}"),
    }
}
