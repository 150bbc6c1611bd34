//! The files programs come in.
//!
//! [`open`] says what lies where in a file, as a tree of [`Node`]s: an archive has members, an ELF file sections of code, a
//! fatbin cubins, a Cg binary one program with named constants. Nothing is copied, nothing is decoded: frontends read what [`Node::code`] gives.
//! Whether bytes without a container are a program, frontends know; [`foreign`] names files that none of them reads, and
//! [`with_control_word`] finds microcode behind a control word.
//!
//! A container is never trusted. Every offset and size is held against the file before it is used, what is wrong has the byte
//! of the field that says it, and what can be read in spite of that is in the tree.
//!
//! ```
//! use parallax_container::open;
//!
//! let program = "!!FP1.0\nEND\n";
//! let header = format!("{:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", "a.fp/", 0, 0, 0, 644, program.len());
//! let archive = format!("!<arch>\n{header}{program}");
//! let root = open(archive.as_bytes());
//! let member = &root.members()[0];
//! assert_eq!((member.name.as_str(), &*member.code(archive.as_bytes())), ("a.fp", program.as_bytes()));
//! ```

mod archive;
mod cubin;
mod dksh;
mod elf;
mod fatbin;
mod foreign;
mod fpo;
mod microcode;
mod piglit_script;
mod reader;
mod shader_test;
mod tree;

pub use dksh::module_of_deko3d;
pub use foreign::{Foreign, foreign};
pub use fpo::{CgFragment, CgParameter};
pub use microcode::with_control_word;
pub use tree::{Bank, Content, Fact, Fault, Kernel, Named, Node, Order, Program};

/// Longest name of a member, a section or a parameter, in bytes.
pub const MAX_NAME: usize = 4096;

/// What lies in the bytes of a file. Places in the tree count from its first byte.
pub fn open(file: &[u8]) -> Node {
    let whole = 0..file.len();
    if archive::is_archive(file) { archive::open(file) } else { part(file, whole, String::new()) }
}

/// The bytes of a file with what it says about draws as manifests behind them, for [`open`]: of piglit's tests. `None` where there is
/// nothing to add.
pub fn expand(file: &[u8]) -> Option<Vec<u8>> {
    shader_test::expand(file)
}

/// What lies in a part of a file that is no archive.
fn part(file: &[u8], bytes: std::ops::Range<usize>, name: String) -> Node {
    let node = Node::plain(name, bytes.clone());
    let Some(found) = file.get(bytes) else { return node };
    if elf::is_elf(found) {
        elf::open(file, node)
    } else if dksh::is_dksh(found) {
        dksh::open(file, node)
    } else if fatbin::is_fatbin(found) {
        fatbin::open(file, node)
    } else if shader_test::is_shader_test(found) {
        shader_test::open(file, node)
    } else if fpo::is_fpo(found) {
        fpo::open(file, node)
    } else {
        node
    }
}

#[cfg(test)]
mod tests;
