//! Requests as they are written.

use parallax::{Frontend, LayoutRequest, named_frontend};
use rustc_hash::FxHashSet;
use serde::de::{Error, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use std::fmt;
use std::marker::PhantomData;

/// One case. Unknown keys are errors.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Request {
    /// Comes back in the answer as it is.
    #[serde(default)]
    #[expect(dead_code, reason = "read before the rest, so that errors have it too")]
    pub(super) id: IgnoredAny,
    #[serde(default)]
    pub(super) op: Verb,
    pub(super) isa: String,
    pub(super) dialect: Option<String>,
    pub(super) text: Option<String>,
    pub(super) hex: Option<String>,
    pub(super) bare: Option<bool>,
    pub(super) base: Option<u64>,
    pub(super) order: Option<String>,
    pub(super) to: Option<String>,
    pub(super) model: Option<String>,
    #[serde(default)]
    pub(super) state: Pairs<Words>,
    pub(super) lanes: Option<Vec<Pairs<Words>>>,
    #[serde(default)]
    pub(super) planes: Pairs<Vec<[String; 3]>>,
    pub(super) watch: Option<Vec<String>>,
    #[serde(default)]
    pub(super) options: Pairs<Value>,
    #[serde(default)]
    pub(super) textures: Pairs<TextureSpec>,
    pub(super) buffers: Option<Pairs<Vec<String>>>,
    pub(super) entry: Option<String>,
    pub(super) stage: Option<StageName>,
    #[serde(default)]
    pub(super) spec: Pairs<String>,
    pub(super) push: Option<String>,
    pub(super) grid: Option<[u32; 3]>,
    pub(super) check_races: Option<bool>,
    pub(super) robust: Option<bool>,
    pub(super) budget: Option<u64>,
    pub(super) block: Option<[u32; 3]>,
    pub(super) shared_bytes: Option<u32>,
    #[serde(default)]
    pub(super) params: Pairs<Param>,
    pub(super) samples: Option<Samples>,
    pub(super) position: Option<[u32; 2]>,
}

/// A stage of the pipeline.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum StageName {
    Fragment,
    Vertex,
    Compute,
}

impl Request {
    /// The instruction set.
    pub(super) fn frontend(&self) -> Result<&'static Frontend, super::answer::Error> {
        named_frontend(&self.isa).map_err(|diag| super::answer::Error::of(&[diag], ""))
    }

    /// How words lie.
    pub(super) fn layout(&self) -> LayoutRequest {
        let Request { dialect, order, base, bare, .. } = self;
        LayoutRequest { dialect: dialect.clone(), order: order.clone(), base: *base, bare: *bare }
    }
}

/// What is to be done.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Verb {
    #[default]
    Run,
    Dis,
    As,
    Check,
    Lift,
    Translate,
}

impl Verb {
    pub(super) fn name(self) -> &'static str {
        match self {
            Verb::Run => "run",
            Verb::Dis => "dis",
            Verb::As => "as",
            Verb::Check => "check",
            Verb::Lift => "lift",
            Verb::Translate => "translate",
        }
    }
}

/// The value of a register: one word, or one per component.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "expected a string of hexadecimal digits or a list of them")]
pub(super) enum Words {
    One(String),
    Many(Vec<String>),
}

/// A parameter of a kernel: its words, or what the buffer holds that it points to.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "expected words, or an object with `buffer`")]
pub(super) enum Param {
    Buffer(Pointer),
    Value(Words),
}

/// A parameter that points to a buffer.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Pointer {
    pub(super) buffer: Vec<String>,
}

/// A texture unit: an image, or what every fetch returns.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub(super) struct TextureSpec {
    pub(super) constant: Option<Vec<String>>,
    pub(super) dim: Option<String>,
    pub(super) width: Option<u32>,
    pub(super) height: Option<u32>,
    pub(super) depth: Option<u32>,
    pub(super) texels: Option<Texels>,
    pub(super) filter: Option<String>,
    pub(super) wrap: Option<String>,
    pub(super) border: Option<Vec<String>>,
    pub(super) minify: Option<String>,
    pub(super) mip: Option<String>,
    pub(super) compare: Option<String>,
    /// How `words` lie, and texels in memory.
    pub(super) format: Option<String>,
    /// Texels as they lie in memory.
    pub(super) words: Option<Vec<String>>,
    pub(super) samples: Option<u32>,
}

/// Texels in a row, or one list of four per texel.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "expected a list of words, or of lists of four words")]
pub(super) enum Texels {
    Flat(Vec<String>),
    Nested(Vec<Vec<String>>),
}

/// Multisampling state of the quad.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub(super) struct Samples {
    pub(super) count: u32,
    pub(super) coverage: Option<Vec<String>>,
    pub(super) index: Option<Vec<u32>>,
    pub(super) per_sample: Option<bool>,
}

/// An object whose order counts; a key given twice is an error.
#[derive(Clone, Debug)]
pub(super) struct Pairs<T>(pub(super) Vec<(String, T)>);

impl<T> Default for Pairs<T> {
    fn default() -> Self {
        Pairs(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Pairs<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Object<T> {
            type Value = Pairs<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Pairs<T>, A::Error> {
                let mut pairs: Vec<(String, T)> = Vec::new();
                let mut seen = FxHashSet::default();
                while let Some((key, value)) = map.next_entry::<String, T>()? {
                    if !seen.insert(key.clone()) {
                        return Err(A::Error::custom(format_args!("`{key}` is given twice")));
                    }
                    pairs.push((key, value));
                }
                Ok(Pairs(pairs))
            }
        }
        deserializer.deserialize_map(Object(PhantomData))
    }
}

/// Hexadecimal digits without prefix, at most 8.
pub(super) fn hex32(text: &str) -> Option<u32> {
    let digits = (1..=8).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_hexdigit());
    if digits { u32::from_str_radix(text, 16).ok() } else { None }
}

/// Pairs of hexadecimal digits, blanks between pairs allowed.
pub(super) fn hex_bytes(text: &str) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len() / 2);
    let mut bytes = text.bytes();
    while let Some(high) = bytes.next() {
        if high.is_ascii_whitespace() {
            continue;
        }
        let low = bytes.next()?;
        let digit = |b: u8| char::from(b).to_digit(16);
        out.push((digit(high)? << 4 | digit(low)?) as u8);
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_strict() {
        let read = |text: &str| serde_json::from_str::<Request>(text);
        assert!(read(r#"{"isa":"tgsi","text":""}"#).is_ok());
        for bad in [
            r#"{"text":""}"#,
            r#"{"isa":"tgsi","txet":""}"#,
            r#"{"isa":"tgsi","op":"rum"}"#,
            r#"{"isa":"tgsi","state":{"a":"0","a":"1"}}"#,
            r#"{"isa":"tgsi","state":{"a":1}}"#,
            r#"{"isa":"tgsi","isa":"tgsi"}"#,
            r#"{"isa":"tgsi","position":[-1,0]}"#,
            r#"{"isa":"tgsi","textures":{"0":{"texel":[]}}}"#,
        ] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn digits() {
        assert_eq!(hex32("7fC00000"), Some(0x7fc0_0000));
        assert_eq!([hex32(""), hex32("0x1"), hex32("123456789"), hex32("g"), hex32("+1")], [None; 5]);
        assert_eq!(hex_bytes("00 ff\n1A"), Some(vec![0, 255, 26]));
        assert_eq!([hex_bytes("0"), hex_bytes("0 0"), hex_bytes("zz")], [None, None, None]);
    }
}
