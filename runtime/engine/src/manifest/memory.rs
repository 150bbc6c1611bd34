//! `[binding]`: buffers and images by the names that a program has for them.

use super::tree::{self, Tree, Value};
use super::{Manifest, PATTERNS, Texture, Which};
use crate::bound_image::{default_image, target};
use crate::draw::{BUFFER_WORDS, Draw, texture_size};
use crate::npy;
use parallax_core::exec::{ImageFormat, ImageLayout};
use parallax_core::{BufferDecl, ImageDecl, Interface};
use parallax_text::{Diag, Span};
use parallax_texture::hash;

/// What a buffer holds, and an image in one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Memory {
    /// Its name in the program.
    name: String,
    span: Span,
    data: Option<Data>,
    /// Words of a buffer.
    count: Option<(u32, Span)>,
    size: Option<(Vec<u32>, Span)>,
    format: Option<(ImageFormat, Span)>,
    samples: Option<(u32, Span)>,
}

#[derive(Clone, Debug, PartialEq)]
enum Data {
    Words(Vec<u32>),
    File { path: String, span: Span },
    Rule(Rule),
}

/// Words by their numbers.
#[derive(Copy, Clone, Debug, PartialEq)]
enum Rule {
    Zeros,
    /// The number itself.
    Iota,
    /// [`hash`] of the seed and the number.
    Random(u32),
    /// Its upper 24 bits as a binary32 number from 0 to 1, below 1.
    Uniform(u32),
}

/// Most words of a buffer.
const MAX_WORDS: usize = 1 << 26;

impl Manifest {
    /// Reads `[binding]`, a table for each name.
    pub(super) fn bindings(&mut self, tree: &mut Tree, value: &Value<'_>) {
        let Some(table) = tree.table(value) else { return };
        for (key, value) in tree.all_entries(table) {
            let Some(inner) = tree.table(value) else { continue };
            let text = |name: &str| inner.get(name).and_then(|value| value.get_ref().as_str());
            let is_picture = text("file").is_some_and(|path| path.to_ascii_lowercase().ends_with(".png"));
            let is_pattern = text("source").is_some_and(|source| PATTERNS.iter().any(|(name, _)| *name == source));
            if is_picture || is_pattern {
                self.texture(tree, value, Some(key.name));
            } else {
                self.memory(tree, value, key.name, key.span);
            }
        }
    }

    fn memory(&mut self, tree: &mut Tree, value: &Value<'_>, name: &str, span: Span) {
        let Some(table) = tree.table(value) else { return };
        let mut memory =
            Memory { name: name.into(), span, data: None, count: None, size: None, format: None, samples: None };
        let (mut seed, before) = (None, tree.errors());
        for (key, value) in
            tree.entries(table, &["words", "file", "source", "seed", "count", "size", "format", "samples"])
        {
            match key.name {
                "words" | "file" | "source" if memory.data.is_some() => {
                    tree.error(key.span, "manifest-binding", "a binding has one of `words`, `file` and `source`");
                }
                "words" => memory.data = words(tree, value).map(Data::Words),
                "file" => {
                    memory.data = tree.string(value).map(|path| Data::File { path, span: tree::span(value) });
                }
                "source" => {
                    let rules = [
                        ("zeros", Rule::Zeros),
                        ("iota", Rule::Iota),
                        ("random", Rule::Random(1)),
                        ("uniform", Rule::Uniform(1)),
                    ];
                    // Whoever misspells the pattern of a texture comes here as well.
                    let rules = rules.into_iter().map(|(name, rule)| (name, Some(rule)));
                    let words: Vec<_> = rules.chain(PATTERNS.iter().map(|(name, _)| (*name, None))).collect();
                    memory.data = tree.word(value, &words).flatten().map(Data::Rule);
                }
                "seed" => seed = tree.integer(value, u32::MAX).map(|seed| (seed, key.span)),
                "count" => memory.count = tree.integer(value, MAX_WORDS as u32).map(|count| (count, key.span)),
                "size" => memory.size = tree.sides(value).map(|sides| (sides, tree::span(value))),
                "format" => {
                    let formats = ImageFormat::ALL.map(|format| (format.name(), format));
                    memory.format = tree.word(value, &formats).map(|format| (format, key.span));
                }
                _ => memory.samples = tree.integer(value, 32).map(|samples| (samples.max(1), key.span)),
            }
        }
        if let Some((seed, at)) = seed {
            match &mut memory.data {
                Some(Data::Rule(Rule::Random(known) | Rule::Uniform(known))) => *known = seed,
                _ => tree.error(
                    at,
                    "manifest-binding",
                    "`seed` requires `source = \"random\"`, `\"uniform\"` or `\"noise\"`",
                ),
            }
        }
        if tree.errors() == before {
            self.memories.push(memory);
        }
    }

    /// Sets buffers and images. What the program does not have is left out: one manifest may serve several.
    pub(super) fn set_memory(&self, iface: &Interface, draw: &mut Draw, bytes: &mut u64, diags: &mut Vec<Diag>) {
        for memory in &self.memories {
            let known = iface.resolve(&memory.name);
            let Some(number) = iface.buffers.iter().position(|buffer| buffer.name == known) else {
                if iface.units.iter().any(|unit| unit.name == known) {
                    let message =
                        format!("`{}` is a texture: it needs a `source` such as noise, or a PNG", memory.name);
                    diags.push(Diag::invalid("manifest-binding", memory.span, message));
                }
                continue;
            };
            match self.contents(memory, &iface.buffers[number], bytes) {
                Ok((words, image)) => {
                    draw.buffers[number] = words;
                    if let Some(image) = image {
                        draw.textures.set_image(number as u16, image);
                    }
                }
                Err(diag) => diags.push(*diag),
            }
        }
    }

    /// The words of a buffer, and the image in it.
    fn contents(
        &self,
        memory: &Memory,
        buffer: &BufferDecl,
        bytes: &mut u64,
    ) -> Result<(Vec<u32>, Option<ImageLayout>), Box<Diag>> {
        let fail = |span, message: String| Box::new(Diag::invalid("manifest-binding", span, message));
        let of_images = [
            memory.size.as_ref().map(|(_, span)| ("size", *span)),
            memory.format.map(|(_, span)| ("format", span)),
            memory.samples.map(|(_, span)| ("samples", span)),
        ];
        let image = match (&buffer.image, memory.count, of_images.into_iter().flatten().next()) {
            (None, _, Some((key, span))) => {
                return Err(fail(span, format!("`{key}` is for images; `{}` is a buffer", memory.name)));
            }
            (Some(_), Some((_, span)), _) => {
                return Err(fail(span, format!("`count` is for buffers; `{}` is an image", memory.name)));
            }
            (decl, ..) => decl.as_ref().map(|decl| memory.layout(decl)).transpose()?,
        };
        let room = match image {
            Some(image) => Some(image.words().unwrap_or(usize::MAX)),
            None => memory.count.map(|(count, _)| count as usize),
        };
        let mut words = match &memory.data {
            Some(Data::Words(words)) => words.clone(),
            Some(Data::File { path, span }) => {
                let full = self.folder.join(path);
                npy::words(&full).map_err(|e| fail(*span, format!("{}: {e}", full.display())))?
            }
            _ => vec![0; room.unwrap_or(BUFFER_WORDS).min(MAX_WORDS + 1)],
        };
        let size = room.unwrap_or(words.len());
        *bytes = bytes.saturating_add(4 * size as u64);
        if size > MAX_WORDS || *bytes > super::apply::MAX_TEXTURE_BYTES {
            return Err(fail(memory.span, format!("`{}` is too large: {size} words", memory.name)));
        }
        if words.len() > size {
            let message = format!("`{}` has room for {size} words, {} are given", memory.name, words.len());
            return Err(fail(memory.span, message));
        }
        words.resize(size, 0);
        if let Some(Data::Rule(rule)) = memory.data {
            for (n, word) in (0u32..).zip(&mut words) {
                *word = match rule {
                    Rule::Zeros => 0,
                    Rule::Iota => n,
                    Rule::Random(seed) => hash(&[seed, n]),
                    // Exact: a number of 24 bits, and a power of two.
                    Rule::Uniform(seed) => ((hash(&[seed, n]) >> 8) as f32 / 16_777_216.0).to_bits(),
                };
            }
        }
        Ok((words, image))
    }
}

impl Memory {
    /// Size and format of the image.
    fn layout(&self, decl: &ImageDecl) -> Result<ImageLayout, Box<Diag>> {
        let fail = |span, message: String| Box::new(Diag::invalid("manifest-binding", span, message));
        let mut image = default_image(decl);
        if let Some((format, span)) = self.format {
            if !decl.any_format && format != decl.format {
                let message = format!("`{}` is {} in the program", self.name, decl.format.name());
                return Err(fail(span, message));
            }
            image.format = format;
        }
        if let Some((sides, span)) = &self.size {
            image.size = match (target(decl.shape), sides.as_slice()) {
                (None, [width]) => [*width, 1, 1],
                (None, _) => return Err(fail(*span, "a texel buffer has one side, [width]".into())),
                (Some(target), sides) => texture_size(target, sides).map_err(|e| fail(*span, e))?,
            };
        }
        if let Some((samples, span)) = self.samples {
            if target(decl.shape).is_none_or(|target| !target.is_multisampled()) && samples != 1 {
                return Err(fail(span, format!("the texels of `{}` have one sample", self.name)));
            }
            image.samples = samples;
        }
        Ok(image)
    }
}

/// A list of hexadecimal words.
fn words(tree: &mut Tree, value: &Value<'_>) -> Option<Vec<u32>> {
    let Some(list) = value.get_ref().as_array() else {
        tree.error(tree::span(value), "manifest-type", "expected a list of words such as \"3f800000\"");
        return None;
    };
    let mut out = Vec::with_capacity(list.len());
    for item in list {
        let word = item.get_ref().as_str().map(|text| text.strip_prefix("0x").unwrap_or(text));
        let digits = word.filter(|word| (1..=8).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_hexdigit()));
        match digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()) {
            Some(word) => out.push(word),
            None => {
                tree.error(tree::span(item), "manifest-type", "expected a word of up to 8 digits such as \"3f800000\"");
                return None;
            }
        }
    }
    Some(out)
}

impl Texture {
    /// The unit of a program that it is for.
    pub(super) fn unit(&self, iface: &Interface, diags: &mut Vec<Diag>) -> Option<u16> {
        match &self.which {
            Which::Index(unit) => Some(*unit as u16),
            Which::Name(name) => {
                let known = iface.resolve(name);
                if iface.buffers.iter().any(|buffer| buffer.name == known) {
                    let message = format!(
                        "`{name}` is memory: it needs `words`, a file of words, or zeros, iota, random or uniform"
                    );
                    diags.push(Diag::invalid("manifest-binding", self.span, message));
                }
                iface.units.iter().find(|unit| unit.name == known).map(|unit| unit.unit)
            }
        }
    }
}
