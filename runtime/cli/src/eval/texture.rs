//! Texture units and images of a request.

use super::answer::{Error, string};
use super::request::{Pairs, Texels, TextureSpec, hex32};
use parallax::NamedWords;
use parallax_core::exec::{ImageFormat, ImageLayout, Textures};
use parallax_core::{ImageShape, Interface};
use parallax_texture::{Compare, Filter, Image, Mip, Sampler, TextureSet, Unit, Wrap};
use std::sync::Arc;

/// Most words of an image that is memory: all of them are in the answer.
const MAX_IMAGE_WORDS: usize = 1 << 22;

/// All units, named by number or by a name that the interface has for one, and the images in buffers, whose words are added
/// to `words`. A texel buffer may be among `words` alone.
pub(super) fn units(
    specs: &Pairs<TextureSpec>,
    iface: Option<&Interface>,
    words: &mut NamedWords,
) -> Result<TextureSet, Error> {
    let mut set = TextureSet::default();
    for (name, spec) in &specs.0 {
        let known = iface.map_or(name.as_str(), |iface| iface.resolve(name));
        let buffers = iface.into_iter().flat_map(|iface| &iface.buffers);
        let image = (0u16..).zip(buffers).find(|(_, buffer)| buffer.name == known);
        if let Some((buffer, image)) = image.and_then(|(buffer, decl)| Some((buffer, decl.image?))) {
            let wrong = |message| Error::invalid("texture", format!("image {}: {message}", string(name)));
            let (layout, texels) = memory(spec, image.shape, image.format).map_err(wrong)?;
            if set.image(buffer).is_some() {
                return Err(Error::invalid("texture", format!("image {} is given twice", string(name))));
            }
            set.set_image(buffer, layout);
            words.push((name.clone(), texels));
            continue;
        }
        let named = |iface: &Interface| iface.units.iter().find(|unit| unit.name == known).map(|unit| unit.unit);
        let unit = iface.and_then(named).or_else(|| name.parse::<u16>().ok().filter(|n| *n < 1024));
        let unit = unit.ok_or_else(|| Error::invalid("texture", format!("{} is not a texture unit", string(name))))?;
        if set.get(unit).is_some() {
            return Err(Error::invalid("texture", format!("texture unit {unit} is given twice")));
        }
        let made =
            make(spec).map_err(|message| Error::invalid("texture", format!("texture unit {unit}: {message}")))?;
        set.set(unit, made);
    }
    for (buffer, decl) in (0u16..).zip(iface.into_iter().flat_map(|iface| &iface.buffers)) {
        let given = words.iter().find(|(name, _)| iface.is_some_and(|iface| iface.resolve(name) == decl.name));
        if let (Some(image), Some((_, words)), None) = (decl.image, given, set.image(buffer))
            && image.shape == ImageShape::Buffer
        {
            let count = words.len() as u32 * 4 / image.format.bytes();
            set.set_image(buffer, ImageLayout { format: image.format, size: [count, 1, 1], samples: 1 });
        }
    }
    Ok(set)
}

/// How shapes of images are called.
const SHAPES: [(&str, ImageShape); 11] = [
    ("buffer", ImageShape::Buffer),
    ("1d", ImageShape::D1),
    ("2d", ImageShape::D2),
    ("rect", ImageShape::Rect),
    ("3d", ImageShape::D3),
    ("cube", ImageShape::Cube),
    ("1d_array", ImageShape::D1Array),
    ("2d_array", ImageShape::D2Array),
    ("cube_array", ImageShape::CubeArray),
    ("2d_ms", ImageShape::D2Samples),
    ("2d_ms_array", ImageShape::D2SamplesArray),
];

/// The shape that is given, or this one.
fn shape(spec: &TextureSpec, default: ImageShape) -> Result<ImageShape, String> {
    let Some(name) = spec.dim.as_deref() else { return Ok(default) };
    let known = SHAPES.iter().find(|(known, _)| *known == name);
    known.map(|(_, shape)| *shape).ok_or_else(|| {
        let list: Vec<&str> = SHAPES.iter().map(|(name, _)| *name).collect();
        format!("dim {} is none of {}", string(name), list.join(", "))
    })
}

/// Width, height, depth (or layers, or faces) and samples.
fn size(spec: &TextureSpec, shape: ImageShape) -> Result<([u32; 3], u32), String> {
    use ImageShape::*;
    let width = spec.width.ok_or("width is missing")?;
    let layers = || spec.depth.ok_or("depth (the number of layers) is missing");
    let height = || spec.height.ok_or("height is missing");
    let samples = || spec.samples.ok_or("samples is missing");
    let (height, depth, samples) = match shape {
        Buffer => (1, 1, 1),
        D1Array => (spec.height.unwrap_or(1), layers()?, 1),
        D2Array => (height()?, layers()?, 1),
        CubeArray => (spec.height.unwrap_or(width), layers()?.saturating_mul(6), 1),
        D1 => (spec.height.unwrap_or(1), 1, 1),
        D2 | Rect => (height()?, 1, 1),
        D3 => (height()?, spec.depth.ok_or("depth is missing")?, 1),
        D2Samples => (height()?, 1, samples()?),
        D2SamplesArray => (height()?, layers()?, samples()?),
        Cube => match spec.height.unwrap_or(width) {
            height if height == width => (height, 6, 1),
            height => return Err(format!("the faces of a cube must be square, not {width}x{height}")),
        },
    };
    let is_array = matches!(shape, D1Array | D2Array | CubeArray | D2SamplesArray);
    if let Some(given) = spec.depth.filter(|&given| !is_array && given != depth) {
        return Err(format!("depth is for dim 3d and arrays only; found {given}"));
    }
    if let Some(given) = spec.samples.filter(|given| !(1..=32).contains(given) || *given != samples) {
        return Err(format!("samples is for dim 2d_ms and 2d_ms_array only, 1 to 32; found {given}"));
    }
    Ok(([width, height, depth], samples))
}

fn format(spec: &TextureSpec, default: ImageFormat) -> Result<ImageFormat, String> {
    let Some(name) = &spec.format else { return Ok(default) };
    ImageFormat::from_name(name).ok_or_else(|| format!("format {} is not a format such as rgba16f", string(name)))
}

/// Texels as a shader sees them, four words each.
fn texels(spec: &TextureSpec) -> Result<Option<Vec<[u32; 4]>>, String> {
    match &spec.texels {
        None => Ok(None),
        Some(Texels::Nested(list)) => list.iter().map(|t| texel(t)).collect::<Result<_, _>>().map(Some),
        Some(Texels::Flat(words)) if words.len() % 4 != 0 => {
            Err(format!("found {} words; expected 4 per texel", words.len()))
        }
        Some(Texels::Flat(words)) => words.chunks_exact(4).map(texel).collect::<Result<_, _>>().map(Some),
    }
}

/// The words of texels in memory, of which there must be so many.
fn memory_words(list: &[String], needed: usize) -> Result<Vec<u32>, String> {
    if list.len() != needed {
        return Err(format!("{needed} words are needed, {} are given", list.len()));
    }
    let word = |text: &String| {
        hex32(text).ok_or_else(|| format!("{} is not a word of up to 8 hexadecimal digits", string(text)))
    };
    list.iter().map(word).collect()
}

/// An image in a buffer: its layout and its words. Without texels it holds zeros.
fn memory(spec: &TextureSpec, declared: ImageShape, default: ImageFormat) -> Result<(ImageLayout, Vec<u32>), String> {
    if spec.constant.is_some() {
        return Err("the program reads it as memory, so it cannot be a constant".into());
    }
    let shape = shape(spec, declared)?;
    if shape != declared {
        let name = SHAPES.iter().find(|(_, known)| *known == declared).map_or("", |(name, _)| name);
        return Err(format!("the program declares it as {name}"));
    }
    let (size, samples) = size(spec, shape)?;
    let layout = ImageLayout { format: format(spec, default)?, size, samples };
    let needed = layout.words().filter(|words| *words <= MAX_IMAGE_WORDS);
    let needed = needed.ok_or("it is too large")?;
    let words = match (&spec.words, texels(spec)?) {
        (Some(_), Some(_)) => return Err("give `words` or `texels`, not both".into()),
        (Some(words), None) => memory_words(words, needed)?,
        (None, None) => vec![0; needed],
        (None, Some(texels)) => {
            let count = size.iter().map(|&side| side as usize).product::<usize>() * samples as usize;
            if texels.len() != count {
                return Err(format!("{count} texels are needed, {} are given", texels.len()));
            }
            let bits = layout.format.bytes() as usize * 8;
            let mut words = vec![0; needed];
            for (n, texel) in texels.into_iter().enumerate() {
                let texel = layout.format.encode(texel);
                for part in 0..bits.div_ceil(32) {
                    words[n * bits / 32 + part] |= ((texel >> (32 * part)) as u32) << (n * bits % 32);
                }
            }
            words
        }
    };
    Ok((layout, words))
}

fn make(spec: &TextureSpec) -> Result<Unit, String> {
    if let Some(constant) = &spec.constant {
        let alone = spec.dim.is_none() && spec.width.is_none() && spec.texels.is_none();
        return if alone {
            Ok(Unit::Constant(texel(constant)?))
        } else {
            Err("a constant has no size and no texels".into())
        };
    }
    let shape = shape(spec, ImageShape::D2)?;
    if shape == ImageShape::Buffer {
        return Err("the program does not read it as a texel buffer".into());
    }
    let ([width, height, depth], samples) = size(spec, shape)?;
    let size = [width, height, depth.saturating_mul(samples)];
    let texels = match (&spec.words, texels(spec)?) {
        (Some(_), Some(_)) => return Err("give `words` or `texels`, not both".into()),
        (None, None) => return Err("texels are missing".into()),
        (None, Some(texels)) => texels,
        (Some(words), None) => {
            Image::check_volume(size).map_err(|e| e.to_string())?;
            let format = format(spec, ImageFormat::widest(parallax_core::exec::TexelKind::Float))?;
            if format.is_long() {
                return Err(format!("texels of {} are for storage images", format.name()));
            }
            let layout = ImageLayout { format, size, samples: 1 };
            let mut buffer = [memory_words(words, layout.words().ok_or("it is too large")?)?];
            let memory = parallax_core::exec::Memory::Exclusive(&mut buffer);
            let count = size.iter().product::<u32>();
            (0..count).map(|n| layout.load(&memory, 0, n * format.bytes())).collect()
        }
    };
    let image = Image::rgba32f_volume(size, texels).map_err(|e| e.to_string())?.with_samples(samples);
    let filter = |name: &Option<String>| match name.as_deref() {
        None => Ok(None),
        Some("linear") => Ok(Some(Filter::Linear)),
        Some("nearest") => Ok(Some(Filter::Nearest)),
        Some(other) => Err(format!("filter {} is neither nearest nor linear", string(other))),
    };
    let mip = match spec.mip.as_deref() {
        None | Some("none") => Mip::None,
        Some("nearest") => Mip::Nearest,
        Some("linear") => Mip::Linear,
        Some(other) => return Err(format!("mip {} is none of none, nearest, linear", string(other))),
    };
    let is_sliced = !matches!(shape, ImageShape::D1 | ImageShape::D2 | ImageShape::Rect | ImageShape::D3);
    let image = match mip {
        Mip::None => image,
        _ if samples > 1 => return Err("a multisampled image has one level".into()),
        _ => image.with_mipmaps(is_sliced),
    };
    let wrap = match spec.wrap.as_deref() {
        None | Some("repeat") => Wrap::Repeat,
        Some("clamp") => Wrap::Clamp,
        Some("border") => Wrap::Border,
        Some("mirror") => Wrap::Mirror,
        Some(other) => return Err(format!("wrap {} is none of repeat, clamp, border, mirror", string(other))),
    };
    let border = spec.border.as_ref().map_or(Ok([0; 4]), |b| texel(b))?;
    let compare = match spec.compare.as_deref() {
        None => Compare::default(),
        Some(name) => {
            let known = Compare::NAMES.iter().find(|(known, _)| *known == name);
            known.ok_or_else(|| format!("compare {} is not a comparison such as less_equal", string(name)))?.1
        }
    };
    let minify = filter(&spec.minify)?;
    let filter = filter(&spec.filter)?.unwrap_or_default();
    let sampler = Sampler { filter, minify, mip, wrap: [wrap; 3], border, compare };
    Ok(Unit::Image { image: Arc::new(image), sampler })
}

fn texel(words: &[String]) -> Result<[u32; 4], String> {
    let four: &[String; 4] = words.try_into().map_err(|_| format!("expected 4 components, found {}", words.len()))?;
    let mut out = [0; 4];
    for (word, text) in out.iter_mut().zip(four) {
        *word = hex32(text).ok_or_else(|| format!("{} is not a word of up to 8 hexadecimal digits", string(text)))?;
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<TextureSet, String> {
        let specs: Pairs<TextureSpec> = serde_json::from_str(text).map_err(|e| e.to_string())?;
        units(&specs, None, &mut NamedWords::new()).map_err(|e| e.message)
    }

    #[test]
    fn images_and_constants() {
        let one = r#"["3f800000","00000000","00000000","3f800000"]"#;
        let flat = r#""3f800000","00000000","00000000","3f800000""#;
        assert!(matches!(read(&format!(r#"{{"3":{{"constant":{one}}}}}"#)).unwrap().get(3), Some(Unit::Constant(_))));
        for texels in [format!("[{one},{one}]"), format!("[{flat},{flat}]")] {
            let text = format!(r#"{{"0":{{"dim":"2d","width":2,"height":1,"texels":{texels},"filter":"nearest"}}}}"#);
            assert!(matches!(read(&text).unwrap().get(0), Some(Unit::Image { .. })));
        }
        let two = format!("[{one},{one}]");
        let array = r#"{"0":{"dim":"2d_array","width":1,"height":1,"depth":2,"compare":"greater","texels":"#;
        let set = read(&format!("{array}{two}}}}}")).unwrap();
        let Some(Unit::Image { image, sampler }) = set.get(0) else { panic!("{set:?}") };
        assert_eq!((image.depth(), sampler.compare), (2, Compare::Greater));
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, part) in [
            (r#"{"x":{"constant":[]}}"#, "not a texture unit"),
            (r#"{"0":{"constant":["0"]}}"#, "expected 4 components"),
            (r#"{"0":{"width":2}}"#, "height is missing"),
            (r#"{"0":{"width":2,"height":2,"texels":[]}}"#, "needed"),
            (r#"{"0":{"width":0,"height":0,"texels":[]}}"#, "not possible"),
            (r#"{"0":{"dim":"4d","width":1,"texels":[]}}"#, "dim"),
            (r#"{"0":{"dim":"cube","width":2,"height":3,"texels":[]}}"#, "square"),
            (
                r#"{"0":{"dim":"2d","width":1,"height":1,"depth":2,"texels":[]}}"#,
                "depth is for dim 3d and arrays only; found 2",
            ),
            (r#"{"0":{"constant":["0","0","0","0"]},"00":{"constant":["0","0","0","0"]}}"#, "given twice"),
            (r#"{"0":{"constant":["00000000","00000000","00000000","00000000"],"width":1}}"#, "no size"),
        ] {
            let message = read(text).unwrap_err();
            assert!(message.contains(part), "{text}: {message}");
        }
    }
}
