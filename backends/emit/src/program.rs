//! The program of a target: instructions with registers, before a target writes them.

use crate::Encoding;
use crate::form::{Precision, Signs, SystemValue, Test};
use crate::interface::Places;
use crate::target::Row;
use parallax_core::{BankVector, Interface, TexOp, TexTarget};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A register.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Reg {
    Temp(u32),
    /// One of half the size.
    Half(u32),
    Output(u16),
    Imm(u32),
    Const(u16, u32),
    /// A constant at the component of the address register.
    ConstAt(u16, i32, u8),
    Attr(u16),
    Buffer(u16),
    System(SystemValue),
}

/// A source.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Src {
    pub(crate) reg: Reg,
    pub(crate) swizzle: [u8; 4],
    pub(crate) signs: Signs,
}

/// A line.
#[derive(Clone, Debug)]
pub(crate) enum Line {
    Op {
        row: Row,
        saturate: bool,
        precise: bool,
        precision: Precision,
        dst: Option<(Reg, u8)>,
        srcs: SmallVec<[Src; 3]>,
        texture: Option<Box<TexOp>>,
    },
    /// A component of the address register from one of another.
    Address {
        comp: u8,
        src: Src,
    },
    If {
        src: Src,
        test: Test,
    },
    Else,
    EndIf,
    /// A loop, and how many rounds it has at most, where that is known.
    Loop {
        rounds: Option<u32>,
    },
    EndLoop,
    Break,
    Continue,
}

/// A program as its target writes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Written {
    pub(crate) text: String,
    /// The file, where it is not the text.
    pub(crate) binary: Option<Vec<u8>>,
    pub(crate) instructions: usize,
    /// Constants that got names: bank and vector in the source and in the translation.
    pub(crate) vectors: Vec<(BankVector, BankVector)>,
}

impl Written {
    /// A text with an instruction for each line.
    pub(crate) fn text(text: String, program: &Program<'_>) -> Result<Written, Vec<String>> {
        Ok(Written { text, instructions: program.lines.len(), ..Written::default() })
    }
}

/// A program.
#[derive(Debug)]
pub(crate) struct Program<'a> {
    /// What it is written as.
    pub(crate) encoding: Encoding,
    pub(crate) iface: &'a Interface,
    pub(crate) places: &'a Places,
    pub(crate) lines: Vec<Line>,
    pub(crate) temps: u32,
    /// Registers of half the size.
    pub(crate) halves: u32,
    pub(crate) imms: Vec<Vec<u32>>,
    /// Which components of outputs are written.
    pub(crate) written: Vec<(u16, u8)>,
}

impl Program<'_> {
    /// Whether every texture unit has one shape, as sets ask for whose units are declared by their use.
    pub(crate) fn units_have_one_shape(&self) -> Result<(), Vec<String>> {
        let mut shapes: FxHashMap<u16, TexTarget> = FxHashMap::default();
        for line in &self.lines {
            let Line::Op { texture: Some(tex), .. } = line else { continue };
            let shape = *shapes.entry(tex.unit).or_insert(tex.target);
            if shape != tex.target {
                let (one, other) = (shape.name(), tex.target.name());
                return Err(vec![format!("texture unit {} as `{one}` and as `{other}`: it has one shape", tex.unit)]);
            }
        }
        Ok(())
    }
}
