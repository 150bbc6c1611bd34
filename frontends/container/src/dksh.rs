//! Shader modules of deko3d, `.dksh`: a control section with a header and a record for each program, then a code section with the
//! code of all and their constants (devkitPro uam, dksh.h). Programs of graphics stages begin with a shader program header.

use crate::reader::{Field, Names};
use crate::tree::{Bank, Content, Node, Program};
use parallax_text::Diag;
use std::ops::Range;
use std::sync::Arc;

const HEADER: usize = 24;
const RECORD: usize = 64;
/// Bytes of a shader program header, which stands in front of the code of a graphics stage.
const PROGRAM_HEADER: usize = 0x50;
const BUNDLE: usize = 32;
/// Bank that holds the constants a compiler puts beside the code.
const CONSTANTS: u32 = 1;

/// Stages by number: what a program of each is called, and what a member of a module.
const STAGES: [(&str, &str); 6] = [
    ("deko3d vertex shader", "vertex"),
    ("deko3d fragment shader", "fragment"),
    ("deko3d geometry shader", "geometry"),
    ("deko3d tessellation control shader", "tess_control"),
    ("deko3d tessellation evaluation shader", "tess_eval"),
    ("deko3d compute shader", "compute"),
];
const COMPUTE: u32 = 5;

/// A module of one fragment program: how many registers it has, and its words, which begin with the shader program header. Fields that say
/// what else a draw asks for, such as tests of depth before the program, are 0.
pub fn module_of_deko3d(registers: u32, code: &[u8]) -> Vec<u8> {
    /// What sections begin and end at.
    const UNIT: usize = 256;
    /// Behind its header a program begins at a multiple of 128 bytes.
    const ENTRY: usize = 128 - PROGRAM_HEADER;
    const FRAGMENT: u32 = 1;
    let control = (HEADER + RECORD).next_multiple_of(UNIT);
    let size = (ENTRY + code.len()).next_multiple_of(UNIT);
    let header = [HEADER, control, size, HEADER, 1].map(|field| field as u32);
    let record = [FRAGMENT, ENTRY as u32, registers];
    let mut bytes = b"DKSH".to_vec();
    bytes.extend(header.iter().chain(&record).flat_map(|field| field.to_le_bytes()));
    bytes.resize(control + ENTRY, 0);
    bytes.extend(code);
    bytes.resize(control + size, 0);
    bytes
}

pub(crate) fn is_dksh(bytes: &[u8]) -> bool {
    bytes.starts_with(b"DKSH")
}

pub(crate) fn open(file: &[u8], mut node: Node) -> Node {
    let module = match Module::new(file, &node.bytes) {
        Ok(module) => module,
        Err(diag) => return node.broken(diag),
    };
    let mut names = Names::of(file);
    let members: Vec<Node> = (0..module.records.len() / RECORD).map(|n| module.member(n, &mut names)).collect();
    if members.is_empty() {
        return node.broken(module.field("num_programs", 20).invalid("dksh-empty", "the module has no programs"));
    }
    node.content = Content::Container { title: "deko3d shader module".into(), members };
    node
}

struct Module<'a> {
    file: &'a [u8],
    /// Its bytes in the file.
    bytes: Range<usize>,
    records: Range<usize>,
    code: Range<usize>,
    /// Where programs and constants begin, from the first byte of the code, in order.
    starts: Vec<usize>,
}

impl<'a> Module<'a> {
    fn new(file: &'a [u8], bytes: &Range<usize>) -> Result<Module<'a>, Diag> {
        if bytes.len() < HEADER {
            let message = format!("the file ends at byte {}, and the header has {HEADER} bytes", bytes.end);
            return Err(Field::new("header", bytes.start, bytes.len()).invalid("dksh-header", message));
        }
        let mut module = Module { file, bytes: bytes.clone(), records: 0..0, code: 0..0, starts: Vec::new() };
        let [control, code, first, count] = [8, 12, 16, 20].map(|at| u64::from(module.word(bytes.start + at)));
        let in_control =
            module.field("control_sz", 8).range("dksh-range", "the control section", (0, control), bytes)?;
        module.code = module.field("code_sz", 12).range("dksh-range", "the code section", (control, code), bytes)?;
        let size = count * RECORD as u64;
        let what = format!("the records of {count} programs");
        module.records = module.field("num_programs", 20).range("dksh-range", &what, (first, size), &in_control)?;
        let records = module.records.clone().step_by(RECORD);
        let mut starts: Vec<usize> =
            records.flat_map(|at| [4, 12].map(|field| module.word(at + field) as usize)).collect();
        starts.sort_unstable();
        module.starts = starts;
        Ok(module)
    }

    /// The word at a byte of the file; 0 behind its end.
    fn word(&self, at: usize) -> u32 {
        self.file.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |bytes| u32::from_le_bytes(*bytes))
    }

    /// A field of the header.
    fn field(&self, name: &'static str, at: usize) -> Field {
        Field::new(name, self.bytes.start + at, 4)
    }

    /// The program of record `n`.
    fn member(&self, n: usize, names: &mut Names) -> Node {
        let at = self.records.start + n * RECORD;
        let [stage, entry, registers, constants, constants_size, scratch] =
            [0, 4, 8, 12, 16, 20].map(|field| self.word(at + field));
        let Some((title, name)) = STAGES.get(stage as usize) else {
            let diag = Field::new("type", at, 4).invalid("dksh-stage", format!("expected 0 to 5, found {stage}"));
            return Node::plain(names.told_apart("program"), at..at + RECORD).broken(diag);
        };
        let name = names.told_apart(name);
        let bank = (u64::from(constants), u64::from(constants_size));
        let placed = self.code_of(at, stage, entry as usize).and_then(|code| {
            let field = Field::new("constbuf1_sz", at + 16, 4);
            Ok((code, field.range("dksh-range", "constant buffer 1", bank, &self.code)?))
        });
        let (code, bank) = match placed {
            Ok(placed) => placed,
            Err(diag) => return Node::plain(name, at..at + RECORD).broken(diag),
        };
        let mut node = Node::plain(name, code.clone());
        node.say("registers", registers.to_string());
        if scratch > 0 {
            node.say("scratch memory", format!("{scratch} bytes for a warp"));
        }
        let banks: Vec<Bank> =
            Some(Bank { number: CONSTANTS, bytes: bank }).into_iter().filter(|bank| !bank.bytes.is_empty()).collect();
        for bank in &banks {
            node.say("constant bank", format!("{}, {}", bank.number, crate::elf::place(&bank.bytes)));
        }
        let (dialect, order, control) = (None, None, None);
        let (constants, settings) = (Vec::new(), Vec::new());
        let program = Program {
            title,
            isa: "spa5",
            dialect,
            order,
            code,
            control,
            constants,
            banks,
            kernel: None,
            settings,
            model: None,
        };
        node.content = Content::Program(Arc::new(program));
        node
    }

    /// The code from an entry point on: up to the next program or constants, without the zeros that fill the section.
    fn code_of(&self, record: usize, stage: u32, entry: usize) -> Result<Range<usize>, Diag> {
        let field = Field::new("entrypoint", record + 4, 4);
        let header = if stage == COMPUTE { 0 } else { PROGRAM_HEADER };
        let least = (header + BUNDLE) as u64;
        field.range("dksh-range", "the program", (entry as u64, least), &self.code)?;
        let start = self.code.start + entry;
        let next =
            self.starts.iter().find(|other| **other > entry).map_or(self.code.end, |next| self.code.start + next);
        let body = self.file.get(start + header..next.min(self.code.end)).unwrap_or(&[]);
        let bundles = body.as_chunks::<BUNDLE>().0;
        let filled = bundles.iter().rposition(|bundle| *bundle != [0; BUNDLE]).map_or(0, |last| last + 1);
        if filled == 0 {
            return Err(field.invalid("dksh-data", format!("no code begins at byte {entry:#x} of the code section")));
        }
        Ok(start..start + header + filled * BUNDLE)
    }
}
