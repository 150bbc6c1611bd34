//! Parameters of kernels as callers write them: `0=buffer:a.npy`, `1=f32:2.5`.

use crate::draw::Draw;
use crate::npy;
use parallax_core::{ConstDecl, Interface};
use std::path::Path;

/// Most words of a buffer that is given by their number.
const MAX_WORDS: usize = 1 << 26;

/// How values are written.
const FORMS: &str = "expected `buffer:FILE.npy`, `zeros:WORDS`, `iota:WORDS`, or values such as `f32:2.5`, `u32:1,2`, `f64:`, \
     `i8:` to `u64:`, `hex:3f800000`";

/// A parameter of a kernel.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct ParamShape {
    /// Its number.
    pub number: u32,
    /// The first of its words in its bank of constants, and how many there are.
    pub words: (usize, usize),
    /// Whether it may be the address of a buffer.
    pub may_point: bool,
    /// Whether it is the handle of a surface: an image that is bound by its name.
    pub is_surface: bool,
}

/// The parameters of a kernel, in order. Programs that are given their buffers by name have none.
pub fn params(iface: &Interface) -> Vec<ParamShape> {
    let mut found: Vec<ParamShape> = Vec::new();
    for constant in &iface.constants {
        let Some((number, rest)) = constant.name.strip_prefix("param[").and_then(|rest| rest.split_once(']')) else {
            continue;
        };
        let Ok(number) = number.parse() else { continue };
        let (first, count) = (first_word(constant), usize::from(constant.count));
        match found.last_mut() {
            // A long one stands in several constants.
            Some(last) if last.number == number && !rest.is_empty() => last.words.1 += count,
            _ => {
                let buffer = iface.buffers.iter().find(|buffer| buffer.name == constant.name);
                let is_surface = buffer.is_some_and(|buffer| buffer.image.is_some());
                let may_point = buffer.is_some() && !is_surface;
                found.push(ParamShape { number, words: (first, count), may_point, is_surface });
            }
        }
    }
    found
}

fn first_word(constant: &ConstDecl) -> usize {
    constant.index as usize * 4 + usize::from(constant.comp)
}

/// Holds a value against the parameters of a kernel: through a pointer, a kernel accesses the buffer of that parameter alone.
///
/// # Errors
/// The value is the address of another parameter's buffer, in a sentence.
pub fn check_pointer(iface: &Interface, number: u32, words: &[u32]) -> Result<(), String> {
    let [_, high] = words else { return Ok(()) };
    let own = format!("param[{number}]");
    let holds = |constant: &&ConstDecl| {
        let is_buffer = iface.buffers.iter().any(|buffer| buffer.name == constant.name);
        is_buffer && constant.name != own && constant.default.is_some_and(|words| words[1] == *high)
    };
    match iface.constants.iter().find(holds) {
        Some(other) => Err(format!(
            "parameter {number} cannot point into the buffer of `{}`: give it a buffer of its own with the same content",
            other.name
        )),
        None => Ok(()),
    }
}

/// Gives a parameter of a kernel a value, or the buffer that it points to something to hold. Files are relative to `folder`.
///
/// # Errors
/// There is no such parameter, the value is of another size, the file cannot be read: what is wrong, as a sentence.
pub fn set_param(draw: &mut Draw, iface: &Interface, number: u32, text: &str, folder: &Path) -> Result<(), String> {
    let all = params(iface);
    let Some(param) = all.iter().find(|param| param.number == number) else {
        return Err(match all.len() {
            0 => "the program has no parameters".to_string(),
            count => format!("there is no parameter {number}: the kernel has {count}, from 0 on"),
        });
    };
    if param.is_surface {
        return Err(format!(
            "the kernel takes it for a surface: its size, format and texels stand in the manifest, under [binding.\"param[{number}]\"]"
        ));
    }
    let (kind, value) = text.split_once(':').ok_or(FORMS)?;
    let count = || {
        value
            .parse()
            .ok()
            .filter(|count| *count <= MAX_WORDS)
            .ok_or_else(|| format!("expected a number of words up to {MAX_WORDS}, found `{value}`"))
    };
    let buffer = match kind {
        "buffer" => {
            let path = folder.join(value);
            Some(npy::words(&path).map_err(|error| format!("{}: {error}", path.display()))?)
        }
        "zeros" => Some(vec![0; count()?]),
        "iota" => Some((0..count()? as u32).collect()),
        _ => None,
    };
    if let Some(words) = buffer {
        let name = format!("param[{number}]");
        let place = iface.buffers.iter().position(|buffer| buffer.name == name);
        let Some(place) = place else {
            return Err(format!("{} bytes hold no address: one has 8", 4 * param.words.1));
        };
        draw.buffers[place] = words;
        return Ok(());
    }
    let mut bytes = Vec::new();
    for item in value.split(',') {
        let item = item.trim();
        let wrong = || format!("`{item}` is no {kind}; {FORMS}");
        match kind {
            "f32" => bytes.extend(item.parse::<f32>().map_err(|_| wrong())?.to_le_bytes()),
            "f64" => bytes.extend(item.parse::<f64>().map_err(|_| wrong())?.to_le_bytes()),
            "u8" | "u16" | "u32" | "u64" | "i8" | "i16" | "i32" | "i64" => {
                let size = kind[1..].parse::<usize>().unwrap_or(32) / 8;
                let number: i128 = match item.strip_prefix("0x") {
                    Some(digits) => i128::from_str_radix(digits, 16).map_err(|_| wrong())?,
                    None => item.parse().map_err(|_| wrong())?,
                };
                let (least, most) = match kind.starts_with('u') {
                    true => (0, (1i128 << (8 * size)) - 1),
                    false => (-(1i128 << (8 * size - 1)), (1i128 << (8 * size - 1)) - 1),
                };
                if !(least..=most).contains(&number) {
                    return Err(format!("{item} does not fit in {kind}: {least} to {most}"));
                }
                bytes.extend(&number.to_le_bytes()[..size]);
            }
            "hex" => bytes.extend(u32::from_str_radix(item, 16).map_err(|_| wrong())?.to_le_bytes()),
            _ => return Err(format!("`{kind}` is no kind of value; {FORMS}")),
        }
    }
    if bytes.len().div_ceil(4) != param.words.1 {
        let (given, size) = (bytes.len(), 4 * param.words.1);
        return Err(format!("the parameter takes {size} bytes, `{text}` has {given}"));
    }
    bytes.resize(4 * param.words.1, 0);
    let words: Vec<u32> = bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
    check_pointer(iface, number, &words)?;
    if let Some(bank) = draw.banks.first_mut() {
        let places = bank.as_flattened_mut().get_mut(param.words.0..).unwrap_or_default();
        places.iter_mut().zip(words).for_each(|(to, word)| *to = word);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use parallax_core::{BankDecl, BufferDecl, Stage, Type};

    fn kernel() -> Interface {
        let mut iface = Interface::new(Stage::Compute);
        iface.banks.push(BankDecl { name: "c[0]".into(), len: 24, by_bytes: true });
        let mut constant = |name: &str, word: u32, count: u8, high: u32| {
            iface.constants.push(ConstDecl {
                name: name.into(),
                bank: 0,
                index: word / 4,
                comp: (word % 4) as u8,
                ty: Type::I32,
                count,
                default: Some([0, high, 0, 0]),
            });
        };
        constant("param[0]", 80, 2, 0x100);
        constant("param[1]", 82, 1, 0);
        constant("param[2]", 84, 4, 0);
        constant("param[2]+16", 88, 2, 0);
        constant("param[3]", 90, 2, 0x400);
        iface.buffers.push(BufferDecl::new("param[0]".into()));
        iface.buffers.push(BufferDecl::new("param[3]".into()));
        iface
    }

    #[test]
    fn values_and_buffers_are_set_where_the_interface_says() {
        let iface = kernel();
        let mut draw = Draw::defaults(&iface).expect("a draw");
        let mut set = |number, text: &str| set_param(&mut draw, &iface, number, text, Path::new(""));
        assert_eq!(set(0, "iota:3"), Ok(()));
        assert_eq!(set(1, "f32:2.5"), Ok(()));
        assert_eq!(set(2, "u32:1,2,3,4,5,0x6"), Ok(()));
        // A place in its own buffer, and a number that is no address.
        assert_eq!((set(0, "hex:10,100"), set(3, "u64:7")), (Ok(()), Ok(())));
        for (number, text, said) in [
            (4, "u32:1", "there is no parameter 4"),
            (3, "hex:10,100", "cannot point into the buffer of `param[0]`"),
            (1, "f64:1", "takes 4 bytes"),
            (1, "zeros:4", "hold no address"),
            (1, "u32:-1", "does not fit in u32"),
            (1, "i8:200", "does not fit in i8"),
            (1, "f32:x", "`x` is no f32"),
            (1, "float:1", "no kind of value"),
            (1, "3", "expected `buffer:"),
            (0, "zeros:99999999999", "expected a number of words"),
            (0, "buffer:none.npy", "none.npy"),
        ] {
            let found = set(number, text).expect_err(text);
            assert!(found.contains(said), "{text}: {found}");
        }
        assert_eq!(draw.buffers[0], [0, 1, 2]);
        let words = draw.banks[0].as_flattened();
        assert_eq!(words[80..82], [0x10, 0x100]);
        assert_eq!((words[82], &words[84..90]), (2.5f32.to_bits(), &[1, 2, 3, 4, 5, 6][..]));
    }
}
