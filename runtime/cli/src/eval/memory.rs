//! Buffers of a request and of its answer, kernels, specialisation constants.

use super::Result2;
use super::answer::{Error, string};
use super::request::{Param, Request, Words, hex_bytes, hex32};
use parallax::{Compiled, Dispatch, Interface, LaneCase, NamedWords, Registers, run_dispatch};
use std::ops::Deref;

/// The grid that a request asks for.
pub(super) fn dispatch(request: &Request, case: LaneCase) -> Dispatch {
    let LaneCase { state, textures, words, fuel, .. } = case;
    Dispatch { grid: request.grid.unwrap_or([1; 3]), state, words, textures, fuel }
}

/// Runs a kernel; its buffers are the answer.
pub(super) fn run_kernel(compiled: &Compiled, dispatch: &Dispatch) -> Result2 {
    let fuel = dispatch.fuel;
    let result = run_dispatch(compiled, dispatch).map_err(|found| Error::of(&found.diags, ""))?;
    if result.out_of_fuel > 0 {
        let who = format!("{} invocations", result.out_of_fuel);
        return Err(Error::of(&[parallax::endless(&compiled.shader.func, fuel, &who)], ""));
    }
    let buffers = buffers_member(compiled, &result.buffers);
    Ok(buffers.strip_prefix(',').unwrap_or(r#""buffers":{}"#).to_string())
}

/// The member `buffers` of an answer, behind others; nothing for programs without buffers.
pub(super) fn buffers_member(compiled: &Compiled, buffers: &[impl Deref<Target = [u32]>]) -> String {
    let declared = &compiled.shader.func.iface.buffers;
    let members: Vec<String> = declared
        .iter()
        .zip(buffers)
        .filter(|(buffer, _)| buffer.workgroup.is_none())
        .map(|(buffer, words)| (buffer.name.as_str(), words))
        .map(|(name, words)| {
            let words: Vec<String> = words.iter().map(|word| format!("\"{word:08x}\"")).collect();
            format!("{}:[{}]", string(name), words.join(","))
        })
        .collect();
    if members.is_empty() { String::new() } else { format!(r#","buffers":{{{}}}"#, members.join(",")) }
}

/// Buffers and constants of a request, as words by name.
pub(super) fn words(request: &Request) -> Result<NamedWords, Error> {
    let mut out = NamedWords::new();
    let pointers = request.params.0.iter().filter_map(|(number, param)| match param {
        Param::Buffer(pointer) => Some((format!("param[{number}]"), &pointer.buffer)),
        Param::Value(_) => None,
    });
    let buffers = request.buffers.iter().flat_map(|pairs| &pairs.0).map(|(name, list)| (name.clone(), list));
    for (name, list) in buffers.chain(pointers) {
        let wrong = |text: &String| {
            let message = format!("buffer `{name}`: {} is not a hexadecimal word of up to 8 digits", string(text));
            Error::invalid("buffers", message)
        };
        let words: Result<Vec<u32>, Error> = list.iter().map(|text| hex32(text).ok_or_else(|| wrong(text))).collect();
        out.push((name, words?));
    }
    if let Some(hex) = &request.push {
        let bytes = hex_bytes(hex)
            .filter(|bytes| bytes.len().is_multiple_of(4))
            .ok_or_else(|| Error::invalid("push", "`push` must be whole words as pairs of hexadecimal digits"))?;
        out.push(("push".into(), bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect()));
    }
    Ok(out)
}

/// Parameters of a kernel that are values, as constants by name.
pub(super) fn parameters(request: &Request, iface: &Interface) -> Result<Registers, Error> {
    let mut out = Registers::new();
    for (number, param) in &request.params.0 {
        let Param::Value(words) = param else { continue };
        let given = match words {
            Words::One(word) => std::slice::from_ref(word),
            Words::Many(words) => words.as_slice(),
        };
        let wrong = |text: &String| {
            let message = format!("param {number}: {} is not a hexadecimal word of up to 8 digits", string(text));
            Error::invalid("params", message)
        };
        let value: Result<Vec<u32>, Error> = given.iter().map(|text| hex32(text).ok_or_else(|| wrong(text))).collect();
        let value = value?;
        let number: u32 = number.parse().unwrap_or(u32::MAX);
        parallax::check_pointer(iface, number, &value).map_err(|message| Error::invalid("params", message))?;
        out.push((format!("param[{number}]"), value));
    }
    Ok(out)
}

/// Specialisation constants of a request, sorted.
pub(super) fn specialisations(request: &Request) -> Result<Vec<(u32, u64)>, Error> {
    let mut out = Vec::new();
    for (id, value) in &request.spec.0 {
        let id = id.parse().map_err(|_| Error::invalid("spec", format!("{} is not a number", string(id))))?;
        let digits = (1..=16).contains(&value.len()) && value.bytes().all(|b| b.is_ascii_hexdigit());
        let bits = u64::from_str_radix(value, 16).ok().filter(|_| digits);
        let bits = bits.ok_or_else(|| {
            Error::invalid("spec", format!("{} is not a number of up to 16 hexadecimal digits", string(value)))
        })?;
        out.push((id, bits));
    }
    out.sort();
    Ok(out)
}
