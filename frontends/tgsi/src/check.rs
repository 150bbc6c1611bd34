//! What the grammar alone cannot refuse: undeclared registers, registers that do not fit their place, blocks that do
//! not match, words of another stage.

use crate::ast::{DeclDim, Declaration, Index, Instruction, Program, Reg};
use crate::opcode::{Opcode, Operand};
use crate::structure::{MAX_ERRORS, Structure};
use crate::words::{File, Processor, PropertyName};
use parallax_text::{Diag, Span};
use rustc_hash::FxHashSet;

/// Registers of one file that were declared, by first index where there are two.
#[derive(Default)]
struct Declared {
    rows: Vec<(u32, Vec<u64>)>,
}

impl Declared {
    fn row(&mut self, dim: u32) -> &mut Vec<u64> {
        let at = self.rows.iter().position(|r| r.0 == dim).unwrap_or_else(|| {
            self.rows.push((dim, Vec::new()));
            self.rows.len() - 1
        });
        &mut self.rows[at].1
    }

    /// Marks a register; `false` if it was marked.
    fn mark(&mut self, dim: u32, index: u32) -> bool {
        let row = self.row(dim);
        let (word, bit) = (index as usize / 64, 1u64 << (index % 64));
        if row.len() <= word {
            row.resize(word + 1, 0);
        }
        let fresh = row[word] & bit == 0;
        row[word] |= bit;
        fresh
    }

    fn has(&self, dim: u32, index: u32) -> bool {
        let row = self.rows.iter().find(|r| r.0 == dim);
        row.is_some_and(|r| r.1.get(index as usize / 64).is_some_and(|w| w >> (index % 64) & 1 != 0))
    }
}

struct Checker<'a> {
    program: &'a Program,
    torn: &'a [Option<File>],
    files: Vec<Declared>,
    arrays: FxHashSet<(File, u32)>,
    diags: &'a mut Vec<Diag>,
}

/// Checks a program; `torn` names files with a declaration that could not be read (`None`: any file).
pub(crate) fn check(program: &Program, torn: &[Option<File>], diags: &mut Vec<Diag>) {
    let mut checker = Checker {
        program,
        torn,
        files: File::ALL.iter().map(|_| Declared::default()).collect(),
        arrays: FxHashSet::default(),
        diags,
    };
    for decl in &program.declarations {
        checker.declaration(decl);
    }
    checker.stage();
    for inst in &program.instructions {
        if checker.diags.len() >= MAX_ERRORS {
            return;
        }
        checker.instruction(inst);
    }
    Structure::of(&program.instructions, program.span, diags);
}

/// The highest register number a file may have.
fn last_register(file: File) -> u32 {
    match file {
        File::In | File::Out | File::Sv | File::Samp | File::SView => 255,
        File::Addr | File::Buffer | File::Image | File::Memory => 63,
        _ => 65535,
    }
}

/// Whether registers of the file are named by two indices in this stage.
fn two_indices(file: File, processor: Processor) -> bool {
    match file {
        File::Const | File::HwAtomic | File::ConstBuf => true,
        File::In => matches!(processor, Processor::Geometry | Processor::TessControl | Processor::TessEval),
        File::Out => processor == Processor::TessControl,
        _ => false,
    }
}

impl Checker<'_> {
    fn error(&mut self, code: parallax_text::Code, span: Span, message: String) -> &mut Diag {
        self.diags.push(Diag::invalid(code, span, message));
        let last = self.diags.len() - 1;
        &mut self.diags[last]
    }

    fn declaration(&mut self, decl: &Declaration) {
        let file = decl.file;
        let limit = last_register(file);
        if decl.last > limit {
            let message = format!("{file}[{}] is beyond the last register {file}[{limit}]", decl.last);
            self.error("tgsi-limit", decl.span, message);
            return;
        }
        if matches!(file, File::Null | File::Imm) {
            self.error("tgsi-declaration", decl.span, format!("{file} registers are not declared with DCL"));
            return;
        }
        if matches!(file, File::In | File::Out) && self.program.processor == Processor::Compute {
            self.error("tgsi-stage", decl.span, format!("compute shaders have no {file} registers"));
            return;
        }
        let dim = match decl.dim {
            None => 0,
            Some(_) if !two_indices(file, self.program.processor) => {
                self.error("tgsi-declaration", decl.span, format!("{file} registers have one index here"));
                return;
            }
            Some(DeclDim::PerVertex) if matches!(file, File::In | File::Out) => 0,
            Some(DeclDim::PerVertex) => {
                self.error("tgsi-declaration", decl.span, format!("{file} needs a number in its first bracket"));
                return;
            }
            // The first bracket of a per-vertex register is a size.
            Some(DeclDim::Number(_)) if matches!(file, File::In | File::Out) => 0,
            Some(DeclDim::Number(n)) if n > 31 => {
                self.error("tgsi-limit", decl.span, format!("{file}[{n}] is beyond the last buffer {file}[31]"));
                return;
            }
            Some(DeclDim::Number(n)) => n,
        };
        let mut repeated = None;
        for index in decl.first..=decl.last {
            if !self.files[file as usize].mark(dim, index) {
                repeated = Some(index);
                break;
            }
        }
        if let Some(index) = repeated {
            let name = if dim == 0 { format!("{file}[{index}]") } else { format!("{file}[{dim}][{index}]") };
            self.error("tgsi-redeclared", decl.span, format!("{name} is declared more than once"));
        }
        if decl.array != 0 && !self.arrays.insert((file, decl.array)) {
            self.error("tgsi-array", decl.span, format!("array {} of {file} is declared more than once", decl.array));
        }
    }

    fn stage(&mut self) {
        let set_before = |name: PropertyName, decl: &Declaration| {
            let mut properties = self.program.properties.iter();
            properties.any(|p| p.name == name && p.span.start < decl.span.start)
        };
        let needed = match self.program.processor {
            Processor::Geometry => (File::In, PropertyName::GsInputPrimitive),
            Processor::TessControl => (File::Out, PropertyName::TcsVerticesOut),
            _ => return,
        };
        let mut decls = self.program.declarations.iter();
        let bare = decls.find(|d| d.file == needed.0 && d.dim == Some(DeclDim::PerVertex) && !set_before(needed.1, d));
        if let Some(decl) = bare {
            let message = format!("`[]` of {} takes its size from {}, which must be set first", decl.file, needed.1);
            self.error("tgsi-declaration", decl.span, message);
        }
    }

    fn instruction(&mut self, inst: &Instruction) {
        let only = match inst.op {
            Opcode::KILL | Opcode::KILL_IF | Opcode::KILP | Opcode::KIL | Opcode::DEMOTE => Some("fragment"),
            Opcode::READ_HELPER => Some("fragment"),
            Opcode::EMIT | Opcode::ENDPRIM => Some("geometry"),
            Opcode::BARRIER if self.program.processor != Processor::TessControl => Some("compute"),
            _ => None,
        };
        let here = match self.program.processor {
            Processor::Fragment => "fragment",
            Processor::Geometry => "geometry",
            Processor::Compute => "compute",
            _ => "other",
        };
        if let Some(only) = only
            && only != here
        {
            self.error("tgsi-stage", inst.op_span, format!("{} is allowed in {only} shaders only", inst.op));
        }
        let shape = &inst.op.row().shape;
        for dst in &inst.dsts {
            let file = dst.reg.file;
            let fits = match file {
                File::Null | File::Out | File::Temp | File::Addr => !shape.writes_resource,
                File::Buffer | File::Image | File::Memory | File::HwAtomic => shape.writes_resource,
                _ => false,
            };
            if fits {
                self.reg(&dst.reg);
            } else {
                let help = if shape.writes_resource {
                    "expected a BUFFER, IMAGE or MEMORY register"
                } else {
                    "destinations are OUT, TEMP, ADDR or NULL registers"
                };
                let message = format!("{} cannot write {file} registers", inst.op);
                self.error("tgsi-destination", dst.reg.span, message).help.push(help.to_string());
            }
        }
        for (src, &kind) in inst.srcs.iter().zip(shape.srcs()) {
            self.source(inst, &src.reg, kind);
        }
        if let Some(extra) = &inst.extra {
            for offset in &extra.offsets {
                self.source(inst, &offset.reg, Operand::Int);
            }
        }
    }

    fn source(&mut self, inst: &Instruction, reg: &Reg, kind: Operand) {
        use File::*;
        let (fits, what) = match kind {
            Operand::Sampler => (reg.file == Samp, "a SAMP register"),
            Operand::View => (reg.file == SView, "an SVIEW register"),
            Operand::Input => (reg.file == In, "an IN register"),
            Operand::Resource => {
                let fits = matches!(reg.file, Buffer | Image | Memory | HwAtomic | ConstBuf);
                (fits, "a BUFFER, IMAGE, MEMORY or HWATOMIC register")
            }
            _ => {
                // Queries of samples may name a view.
                let view = reg.file == SView && matches!(inst.op, Opcode::SAMPLE_POS | Opcode::SAMPLE_INFO);
                (matches!(reg.file, Const | In | Out | Temp | Addr | Imm | Sv) || view, "a register with a value")
            }
        };
        if fits {
            self.reg(reg);
        } else {
            self.error("tgsi-source", reg.span, format!("expected {what} for {}, found {}", inst.op, reg.file));
        }
    }

    fn reg(&mut self, reg: &Reg) {
        let file = reg.file;
        if file == File::Null {
            return;
        }
        let two = two_indices(file, self.program.processor);
        if reg.dim.is_some() && !two {
            self.error("tgsi-index", reg.span, format!("{file} registers have one index here"));
            return;
        }
        for index in reg.dim.iter().chain([&reg.index]) {
            self.indirect(index, reg.span);
        }
        if let Some(indirect) = reg.index.indirect {
            let id = indirect.array;
            if id != 0 && !self.arrays.contains(&(file, id)) && !self.is_torn(file) {
                self.error("tgsi-array", reg.span, format!("{file} has no array {id}"));
            }
            let bank = match reg.dim {
                Some(Index { base, indirect: None }) if !matches!(file, File::In | File::Out) => Some(base as u32),
                Some(_) => None,
                None => Some(0),
            };
            let rows = &self.files[file as usize].rows;
            let some = rows.iter().any(|row| bank.is_none_or(|bank| row.0 == bank));
            if !some && file != File::Imm && !self.is_torn(file) {
                let name = match bank {
                    Some(bank) if bank > 0 => format!("{file}[{bank}]"),
                    _ => file.to_string(),
                };
                self.error("tgsi-undeclared", reg.span, format!("{name} has no declared registers"));
            }
            return;
        }
        let index = reg.index.base as u32;
        if file == File::Imm {
            let count = self.program.immediates.len();
            if index as usize >= count && !self.is_torn(file) {
                let message = format!("IMM[{index}] is not declared; there are {count} immediates");
                self.error("tgsi-undeclared", reg.span, message);
            }
            return;
        }
        // Constants that are read by addresses may be declared as vectors.
        if file == File::ConstBuf
            && reg.dim.is_none()
            && self.files[File::Const as usize].rows.iter().any(|row| row.0 == index)
        {
            return;
        }
        // The first index of a per-vertex register is a vertex, and an indirect one could name any buffer.
        let dim = match reg.dim {
            Some(Index { base, indirect: None }) if !matches!(file, File::In | File::Out) => base as u32,
            Some(Index { indirect: Some(_), .. }) => {
                let rows = &self.files[file as usize].rows;
                rows.iter().map(|r| r.0).find(|&d| self.files[file as usize].has(d, index)).unwrap_or(0)
            }
            _ => 0,
        };
        if !self.files[file as usize].has(dim, index) && !self.is_torn(file) {
            let name = if dim == 0 { format!("{file}[{index}]") } else { format!("{file}[{dim}][{index}]") };
            self.undeclared(reg.span, format!("{name} is not declared"));
        }
    }

    fn undeclared(&mut self, span: Span, message: String) {
        let word = message.split_whitespace().find(|w| w.contains('[')).unwrap_or("").to_string();
        let diag = self.error("tgsi-undeclared", span, message);
        if !word.is_empty() {
            diag.help.push(format!("declare it: `DCL {word}`"));
        }
    }

    fn indirect(&mut self, index: &Index, span: Span) {
        let Some(indirect) = index.indirect else { return };
        let file = indirect.file;
        if !matches!(file, File::Addr | File::Temp) {
            let diag = self.error("tgsi-index", span, format!("{file} registers cannot index others"));
            diag.help.push("copy the index to an ADDR register with UARL or ARL".to_string());
        } else if !self.files[file as usize].has(0, indirect.index) && !self.is_torn(file) {
            self.undeclared(span, format!("{file}[{}] is not declared", indirect.index));
        }
    }

    /// Whether a declaration of this file was unreadable, so that what looks undeclared may not be.
    fn is_torn(&self, file: File) -> bool {
        self.torn.iter().any(|t| t.is_none_or(|t| t == file))
    }
}
