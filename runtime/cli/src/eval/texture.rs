//! Texture units of a request.

use super::answer::{Error, string};
use super::request::{Pairs, Texels, TextureSpec, hex32};
use parallax_core::Interface;
use parallax_texture::{Compare, Filter, Image, Sampler, TextureSet, Unit, Wrap};
use std::sync::Arc;

/// All units, named by number or by a name that the interface has for one.
pub(super) fn units(specs: &Pairs<TextureSpec>, iface: Option<&Interface>) -> Result<TextureSet, Error> {
    let mut set = TextureSet::default();
    for (name, spec) in &specs.0 {
        let named = |iface: &Interface| {
            let known = iface.resolve(name);
            iface.units.iter().find(|unit| unit.name == known).map(|unit| unit.unit)
        };
        let unit = iface.and_then(named).or_else(|| name.parse::<u16>().ok().filter(|n| *n < 1024));
        let unit = unit.ok_or_else(|| Error::invalid("texture", format!("{} is not a texture unit", string(name))))?;
        if set.get(unit).is_some() {
            return Err(Error::invalid("texture", format!("texture unit {unit} is given twice")));
        }
        let made =
            make(spec).map_err(|message| Error::invalid("texture", format!("texture unit {unit}: {message}")))?;
        set.set(unit, made);
    }
    Ok(set)
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
    let width = spec.width.ok_or("width is missing")?;
    let layers = || spec.depth.ok_or("depth (the number of layers) is missing");
    let (height, depth) = match spec.dim.as_deref().unwrap_or("2d") {
        "1d_array" => (spec.height.unwrap_or(1), layers()?),
        "2d_array" => (spec.height.ok_or("height is missing")?, layers()?),
        "cube_array" => (spec.height.unwrap_or(width), layers()?.saturating_mul(6)),
        "1d" => (spec.height.unwrap_or(1), 1),
        "2d" | "rect" => (spec.height.ok_or("height is missing")?, 1),
        "3d" => (spec.height.ok_or("height is missing")?, spec.depth.ok_or("depth is missing")?),
        "cube" => match spec.height.unwrap_or(width) {
            height if height == width => (height, 6),
            height => return Err(format!("the faces of a cube must be square, not {width}x{height}")),
        },
        other => {
            let list = "1d, 2d, rect, 3d, cube, 1d_array, 2d_array, cube_array";
            return Err(format!("dim {} is none of {list}", string(other)));
        }
    };
    let is_array = spec.dim.as_deref().is_some_and(|dim| dim.ends_with("_array"));
    if let Some(given) = spec.depth.filter(|&given| !is_array && given != depth) {
        return Err(format!("depth is for dim 3d and arrays only; found {given}"));
    }
    let texels: Vec<[u32; 4]> = match spec.texels.as_ref().ok_or("texels are missing")? {
        Texels::Nested(list) => list.iter().map(|t| texel(t)).collect::<Result<_, _>>()?,
        Texels::Flat(words) if words.len() % 4 != 0 => {
            return Err(format!("found {} words; expected 4 per texel", words.len()));
        }
        Texels::Flat(words) => words.chunks_exact(4).map(texel).collect::<Result<_, _>>()?,
    };
    let image = Image::rgba32f_volume([width, height, depth], texels).map_err(|e| e.to_string())?;
    let filter = match spec.filter.as_deref() {
        None | Some("linear") => Filter::Linear,
        Some("nearest") => Filter::Nearest,
        Some(other) => return Err(format!("filter {} is neither nearest nor linear", string(other))),
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
    let sampler = Sampler { filter, wrap: [wrap; 3], border, compare, ..Sampler::default() };
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
        units(&specs, None).map_err(|e| e.message)
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
