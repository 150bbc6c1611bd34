//! The printer: syntax tree to canonical text. Reading the text gives the tree back.

use crate::ast::{
    DeclDim, Declaration, Dst, Immediate, Index, Instruction, Offset, Program, Property, Reg, Resource, Src,
};
use crate::words::{ImmType, Origin, PixelCenter, Primitive, Processor, PropertyName, Semantic};
use std::fmt::{self, Display, Write};

const LETTERS: [u8; 4] = *b"xyzw";

/// The canonical text of a program.
pub fn print(program: &Program) -> String {
    program.to_string()
}

impl Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.processor)?;
        for property in &self.properties {
            writeln!(f, "{property}")?;
        }
        for decl in &self.declarations {
            writeln!(f, "{decl}")?;
        }
        for (n, imm) in self.immediates.iter().enumerate() {
            writeln!(f, "IMM[{n}] {imm}")?;
        }
        let width = self.instructions.len().saturating_sub(1).to_string().len().max(3);
        for (n, inst) in self.instructions.iter().enumerate() {
            writeln!(f, "{n:width$}: {inst}")?;
        }
        Ok(())
    }
}

impl Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = self.value as usize;
        let word = match self.name {
            PropertyName::GsInputPrimitive | PropertyName::GsOutputPrimitive => {
                Primitive::ALL.get(at).map(|w| w.name())
            }
            PropertyName::FsCoordOrigin => Origin::ALL.get(at).map(|w| w.name()),
            PropertyName::FsCoordPixelCenter => PixelCenter::ALL.get(at).map(|w| w.name()),
            PropertyName::NextShader => Processor::ALL.get(at).map(|w| w.name()),
            _ => None,
        };
        match word {
            Some(word) => write!(f, "PROPERTY {} {word}", self.name),
            None => write!(f, "PROPERTY {} {}", self.name, self.value),
        }
    }
}

fn mask(f: &mut fmt::Formatter<'_>, mask: u8) -> fmt::Result {
    if mask != 0xF {
        f.write_char('.')?;
        for (n, letter) in LETTERS.into_iter().enumerate() {
            if mask >> n & 1 != 0 {
                f.write_char(char::from(letter))?;
            }
        }
    }
    Ok(())
}

impl Display for Declaration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DCL {}", self.file)?;
        match self.dim {
            None => {}
            Some(DeclDim::PerVertex) => f.write_str("[]")?,
            Some(DeclDim::Number(n)) => write!(f, "[{n}]")?,
        }
        if self.first == self.last {
            write!(f, "[{}]", self.first)?;
        } else {
            write!(f, "[{}..{}]", self.first, self.last)?;
        }
        mask(f, self.mask)?;
        if self.array != 0 {
            write!(f, ", ARRAY({})", self.array)?;
        }
        if self.local {
            f.write_str(", LOCAL")?;
        }
        if let Some((semantic, index)) = self.semantic {
            write!(f, ", {semantic}")?;
            if index != 0 || matches!(semantic, Semantic::Generic | Semantic::TexCoord) {
                write!(f, "[{index}]")?;
            }
        }
        if let Some([x, y, z, w]) = self.streams {
            write!(f, ", STREAM({x}, {y}, {z}, {w})")?;
        }
        if let Some(interpolation) = self.interpolation {
            write!(f, ", {interpolation}")?;
        }
        if let Some(place) = self.place {
            write!(f, ", {place}")?;
        }
        if self.invariant {
            f.write_str(", INVARIANT")?;
        }
        match &self.resource {
            Resource::None | Resource::Buffer { atomic: false } => {}
            Resource::View(target, types) => {
                write!(f, ", {target}")?;
                let distinct = if types.iter().all(|t| *t == types[0]) { 1 } else { 4 };
                for ty in &types[..distinct] {
                    write!(f, ", {ty}")?;
                }
            }
            Resource::Image { target, format, raw, writable } => {
                write!(f, ", {target}")?;
                if let Some(format) = format {
                    write!(f, ", {format}")?;
                }
                if *raw {
                    f.write_str(", RAW")?;
                }
                if *writable {
                    f.write_str(", WR")?;
                }
            }
            Resource::Buffer { atomic: true } => f.write_str(", ATOMIC")?,
            Resource::Memory(kind) => write!(f, ", {kind}")?,
        }
        Ok(())
    }
}

impl Display for Immediate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {{", self.ty)?;
        let w = self.words;
        let wide = |n: usize| u64::from(w[2 * n]) | u64::from(w[2 * n + 1]) << 32;
        match self.ty {
            ImmType::Flt32 => list(f, w, |f, bits| {
                let value = f32::from_bits(bits);
                if value.is_finite() { write!(f, "{value:?}") } else { write!(f, "0x{bits:08x}") }
            }),
            ImmType::Int32 => list(f, w, |f, bits| write!(f, "{}", bits as i32)),
            ImmType::Uint32 => list(f, w, |f, bits| write!(f, "{bits}")),
            ImmType::Flt64 => list(f, [wide(0), wide(1)], |f, bits| {
                let value = f64::from_bits(bits);
                match (value.is_finite(), value > 0.0) {
                    (true, _) => write!(f, "{value:?}"),
                    // Only a literal too large to hold gives an infinity.
                    (false, true) => f.write_str("1e999"),
                    (false, false) => f.write_str("-1e999"),
                }
            }),
            ImmType::Int64 => list(f, [wide(0), wide(1)], |f, bits| write!(f, "{}", bits as i64)),
            ImmType::Uint64 => list(f, [wide(0), wide(1)], |f, bits| write!(f, "{bits}")),
        }?;
        f.write_char('}')
    }
}

fn list<T>(
    f: &mut fmt::Formatter<'_>,
    items: impl IntoIterator<Item = T>,
    each: impl Fn(&mut fmt::Formatter<'_>, T) -> fmt::Result,
) -> fmt::Result {
    for (n, item) in items.into_iter().enumerate() {
        if n > 0 {
            f.write_str(", ")?;
        }
        each(f, item)?;
    }
    Ok(())
}

impl Display for Instruction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.print(&mut text);
        f.write_str(&text)
    }
}

impl Instruction {
    /// Appends the instruction's text. Separate from `Display` because lifting prints every instruction.
    pub(crate) fn print(&self, out: &mut String) {
        out.push_str(self.op.name());
        if self.saturate {
            out.push_str("_SAT");
        }
        if self.precise {
            out.push_str("_PRECISE");
        }
        let mut separator = " ";
        for dst in &self.dsts {
            out.push_str(separator);
            separator = ", ";
            dst.print(out);
        }
        for src in &self.srcs {
            out.push_str(separator);
            separator = ", ";
            src.print(out);
        }
        if let Some(target) = self.target {
            out.push_str(separator);
            separator = ", ";
            out.push_str(target.name());
        }
        if let Some(extra) = &self.extra {
            for offset in &extra.offsets {
                out.push_str(separator);
                offset.print(out);
            }
            for (set, word) in [
                (extra.coherent, "COHERENT"),
                (extra.restrict, "RESTRICT"),
                (extra.volatile, "VOLATILE"),
                (extra.stream, "STREAM_CACHE_POLICY"),
            ] {
                if set {
                    out.push_str(separator);
                    out.push_str(word);
                }
            }
            if let Some(format) = &extra.format {
                out.push_str(separator);
                out.push_str(format);
            }
        }
        if let Some(label) = self.label {
            out.push_str(" :");
            decimal(out, label);
        }
    }
}

fn decimal(out: &mut String, mut n: u32) {
    if n < 10 {
        return out.push(char::from(b'0' + n as u8));
    }
    let mut digits = [0u8; 10];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (n % 10) as u8;
        n /= 10;
        if n == 0 {
            break;
        }
    }
    digits[at..].iter().for_each(|&digit| out.push(char::from(digit)));
}

fn letters(out: &mut String, comps: impl IntoIterator<Item = u8>) {
    out.push('.');
    comps.into_iter().for_each(|comp| out.push(char::from(LETTERS[usize::from(comp & 3)])));
}

impl Reg {
    pub(crate) fn print(&self, out: &mut String) {
        out.push_str(self.file.name());
        if let Some(dim) = &self.dim {
            dim.print(out);
        }
        self.index.print(out);
    }
}

/// Brackets with one digit, which nearly all are.
const BRACKETS: [&str; 10] = ["[0]", "[1]", "[2]", "[3]", "[4]", "[5]", "[6]", "[7]", "[8]", "[9]"];

impl Index {
    fn print(&self, out: &mut String) {
        let Some(indirect) = self.indirect else {
            let number = self.base.unsigned_abs();
            if let Some(plain) = BRACKETS.get(number as usize) {
                return out.push_str(plain);
            }
            out.push('[');
            decimal(out, number);
            return out.push(']');
        };
        out.push('[');
        out.push_str(indirect.file.name());
        out.push('[');
        decimal(out, indirect.index);
        out.push(']');
        letters(out, [indirect.comp]);
        if self.base != 0 {
            out.push(if self.base < 0 { '-' } else { '+' });
            decimal(out, self.base.unsigned_abs());
        }
        out.push(']');
        if indirect.array != 0 {
            out.push('(');
            decimal(out, indirect.array);
            out.push(')');
        }
    }
}

impl Dst {
    fn print(&self, out: &mut String) {
        self.reg.print(out);
        if self.mask != 0xF {
            letters(out, self.comps().map(|c| c as u8));
        }
    }
}

impl Src {
    pub(crate) fn print(&self, out: &mut String) {
        if self.negate {
            out.push('-');
        }
        if self.absolute {
            out.push('|');
        }
        self.reg.print(out);
        if self.swizzle != [0, 1, 2, 3] {
            letters(out, self.swizzle);
        }
        if self.absolute {
            out.push('|');
        }
    }
}

impl Offset {
    fn print(&self, out: &mut String) {
        self.reg.print(out);
        letters(out, self.swizzle);
    }
}
