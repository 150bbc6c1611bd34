//! Writers of the containers that parallax reads: archives, ELF files, fatbins, Cg binaries, modules of deko3d. Tests and benchmarks make their files with
//! them. What they write is right; tests damage it.
//!
//! ```
//! let archive = parallax_pack::archive(&[("a.fp", b"!!FP1.0\nEND\n")]);
//! assert!(archive.starts_with(b"!<arch>\n"));
//! ```

mod dksh;
mod elf;
mod fatbin;
mod fpo;

pub use dksh::dksh;
pub use elf::{Elf, kernel_info, kernel_param, module_info};
pub use fatbin::fatbin;
pub use fpo::{Fpo, Order, Parameter, code_bytes};

/// An ar archive of these members, as GNU tools write it: names of more than 15 characters stand in a table of their own.
pub fn archive(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut table = String::new();
    let names: Vec<String> = members
        .iter()
        .map(|(name, _)| {
            if name.len() <= 15 {
                return format!("{name}/");
            }
            let at = table.len();
            table.push_str(name);
            table.push_str("/\n");
            format!("/{at}")
        })
        .collect();
    let mut out = b"!<arch>\n".to_vec();
    if !table.is_empty() {
        member(&mut out, "//", table.as_bytes());
    }
    for (name, (_, bytes)) in names.iter().zip(members) {
        member(&mut out, name, bytes);
    }
    out
}

/// The same as BSD tools write it: every name in front of the member's bytes.
pub fn bsd_archive(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut out = b"!<arch>\n".to_vec();
    for (name, bytes) in members {
        let mut padded = name.as_bytes().to_vec();
        padded.resize(name.len().next_multiple_of(4), 0);
        let field = format!("#1/{}", padded.len());
        member(&mut out, &field, &[&padded, *bytes].concat());
    }
    out
}

/// Header, bytes, and what makes their number even.
fn member(out: &mut Vec<u8>, name: &str, bytes: &[u8]) {
    out.extend(format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", 0, 0, 0, "100644", bytes.len()).as_bytes());
    out.extend(bytes);
    if bytes.len() % 2 == 1 {
        out.push(b'\n');
    }
}
