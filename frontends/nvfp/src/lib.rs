//! NV-style fragment programs: NV40 microcode, and three text dialects: the one of US patent 7136070, `!!FP1.0`
//! (NV_fragment_program), and `!!ARBfp1.0` (ARB_fragment_program, plain or with the options NV_fragment_program and
//! NV_fragment_program2).
//!
//! Text becomes a [`Program`] ([`parse`]), which prints back as its own dialect ([`print()`]) and is lifted to the IR
//! ([`lift`]). Microcode is decoded by [`nv40`] and becomes the same kind of [`Program`].
//!
//! ```
//! use parallax_lift::Options;
//! use parallax_nvfp::{lift, parse, print};
//!
//! let text = "!!FP1.0\nMULR R0, f[TEX0], 0.5;\nMOVH o[COLH], R0;\nEND\n";
//! let (program, problems) = parse(text, None);
//! assert!(problems.is_empty());
//! let program = program.expect("a program without errors");
//! assert!(parse(&print(&program), None).0.is_some());
//! let shader = lift(&program, text, &Options::default()).expect("nothing unsupported");
//! assert_eq!(shader.func.iface.outputs.len(), 1);
//! ```

mod ast;
mod check;
mod dialect;
mod frontend;
mod lift;
mod microcode;
pub mod nv40;
pub mod nv40vp;
mod print;
mod read;
mod table;
mod trials;

pub use ast::{
    Array, Base, CcTest, Clamp, Cond, ConstValue, Dst, File, Image, Instr, Name, NameId, NameKind, Out, ParamFile,
    ParamItem, Precision, Program, Selector, Size, SourceFormat, Src, Stmt, StmtKind, Suffix, Swizzle, Target,
};
pub use dialect::{ATTRIBUTES, Dialect, Features};
pub use frontend::FRONTEND;
pub use lift::{SETTINGS, lift};
pub use print::print;
pub use read::parse;
pub use table::{Group, Row, Shape, Suffixes, TABLE, Vertex};
