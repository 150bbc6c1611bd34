//! Faults of kernels: accesses outside of memory, which end a dispatch.

use crate::problem::invalid;
use crate::races::{named, span};
use parallax_core::exec::{AlignedWords, Outputs, Plane};
use parallax_core::{ConstDecl, Func, Interface, OutputRole};
use parallax_lift::{FAULT as REPORT, Fault};
use parallax_text::Diag;

/// Code of the error of a fault.
pub const FAULT: &str = "dispatch-fault";

/// Bytes between an address and a buffer that is named as near.
const NEAR: u64 = 1 << 32;

/// Where the faults of a dispatch are found.
pub(crate) struct Faults {
    /// The output that kernels report in; `None` of those that have no faults.
    output: Option<usize>,
}

impl Faults {
    pub(crate) fn of(iface: &Interface) -> Faults {
        let is_it = |role: OutputRole, name: &str| role == OutputRole::Watch && name == REPORT;
        Faults { output: iface.outputs.iter().position(|output| is_it(output.role, &output.name)) }
    }

    /// The first fault of a workgroup: the first one of the invocation with the lowest number that has one, and that number.
    pub(crate) fn first(&self, outputs: &Outputs, count: usize) -> Option<(usize, Fault)> {
        let output = self.output?;
        let word = |comp: usize, lane: usize| match outputs.planes.get(4 * output + comp) {
            Some(Plane::U32(words)) => words.get(lane).copied().unwrap_or(0),
            _ => 0,
        };
        (0..count).find_map(|lane| Some((lane, Fault::of_words([0, 1, 2].map(|comp| word(comp, lane)))?)))
    }
}

/// Memory near an address.
struct Near<'a> {
    name: &'a str,
    size: u64,
    /// Where the address is, from the first byte on.
    at: i128,
}

impl Near<'_> {
    /// Bytes between an access and the memory.
    fn distance(&self) -> u64 {
        let behind = self.at - i128::from(self.size);
        u64::try_from(behind.max(-self.at).max(0)).unwrap_or(u64::MAX)
    }

    /// Where an access of so many bytes is.
    fn describe(&self, bytes: u32) -> String {
        let Near { name, size, at } = self;
        let end = i128::from(*size);
        match *at {
            at if at < 0 => format!("{} in front of `{name}`, which has {}", bytes_of(-at), bytes_of(end)),
            at if at == end => format!("right behind the end of `{name}`, which has {}", bytes_of(end)),
            at if at > end => format!("{} behind the end of `{name}`, which has {}", bytes_of(at - end), bytes_of(end)),
            at if at + i128::from(bytes) > end => {
                format!("partly behind the end of `{name}`, which has {}, from its byte {at} on", bytes_of(end))
            }
            // Through a pointer, the buffer of its parameter alone is accessed.
            _ => format!("in `{name}`, but computed from the address of another parameter"),
        }
    }
}

fn bytes_of(count: i128) -> String {
    format!("{count} byte{}", if count == 1 { "" } else { "s" })
}

/// The buffer of a parameter that is nearest to an address.
fn nearest<'a>(iface: &'a Interface, buffers: &[AlignedWords], address: u64) -> Option<Near<'a>> {
    let base = |name: &str| {
        let holds = |constant: &&ConstDecl| constant.name == name;
        let [low, high, ..] = iface.constants.iter().find(holds)?.default?;
        Some(u64::from(high) << 32 | u64::from(low))
    };
    let all = iface.buffers.iter().zip(buffers).filter(|(decl, _)| decl.workgroup.is_none() && decl.image.is_none());
    let near = all.filter_map(|(decl, words)| {
        let at = i128::from(address) - i128::from(base(&decl.name)?);
        Some(Near { name: &decl.name, size: 4 * words.len() as u64, at })
    });
    near.filter(|near| near.distance() < NEAR).min_by_key(Near::distance)
}

/// The problem of a fault.
pub(crate) fn report(func: &Func, buffers: &[AlignedWords], fault: &Fault, [x, y, z]: [u64; 3]) -> Diag {
    let Fault { source, bytes, shared, address } = *fault;
    let source = func.sources.get(source);
    let (place, help) = if shared {
        let decl = func.iface.buffers.iter().find(|decl| decl.name == "shared");
        let size = decl.and_then(|decl| decl.workgroup).map_or(0, |words| 4 * u64::from(words));
        (
            format!("at byte {address:#x} of shared memory, which has {size} bytes"),
            "give the workgroup more shared memory (`--shared-bytes`)".to_string(),
        )
    } else {
        match nearest(&func.iface, buffers, address) {
            Some(near) => (
                format!("at {address:#018x}, {}", near.describe(bytes)),
                format!("give `{}` a larger buffer, or correct the address", near.name),
            ),
            None => (
                format!("at {address:#018x}, which is near no buffer"),
                "addresses of buffers come from parameters that are given buffers".to_string(),
            ),
        }
    };
    let message = format!(
        "invocation {x},{y},{z} accesses {} outside of memory {place}: {}",
        bytes_of(bytes.into()),
        named(source)
    );
    Diag { span: source.map(span), ..invalid(FAULT, message) }
        .with_help(help)
        .with_help("with `robust`, accesses outside of memory read 0 and store nothing")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_told_by_the_nearest_memory() {
        let said = |at: i128, bytes: u32| {
            let near = Near { name: "param[0]", size: 12, at };
            (near.distance(), near.describe(bytes))
        };
        for (at, bytes, distance, words) in [
            (-4, 4, 4, "4 bytes in front of `param[0]`, which has 12 bytes"),
            (12, 4, 0, "right behind the end of `param[0]`, which has 12 bytes"),
            (20, 1, 8, "8 bytes behind the end of `param[0]`, which has 12 bytes"),
            (8, 8, 0, "partly behind the end of `param[0]`, which has 12 bytes, from its byte 8 on"),
            (8, 4, 0, "in `param[0]`, but computed from the address of another parameter"),
        ] {
            assert_eq!(said(at, bytes), (distance, words.to_string()));
        }
        assert_eq!(said(-(1 << 63) * 4, 4).0, u64::MAX);
    }
}
