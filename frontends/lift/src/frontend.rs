//! The descriptor of a frontend: everything the layers above know about an instruction set.
//!
//! Each frontend crate exports one constant of type [`Frontend`]. The engine lists them; nothing else names one.

use crate::{
    options::{Options, Setting},
    spelling::Spelling,
    trials::Trials,
};
use parallax_core::{Shader, Symbolic};
use parallax_text::{Diag, Span};
use std::ops::Range;
use std::time::{Duration, Instant};

/// An instruction set that can be read.
#[derive(Copy, Clone)]
pub struct Frontend {
    /// Name on the command line: `tgsi`.
    pub name: &'static str,
    /// One line about it.
    pub title: &'static str,
    /// File extensions, without the point.
    pub extensions: &'static [&'static str],
    /// Dialects by name, where there are several.
    pub dialects: &'static [&'static str],
    /// Frontend options.
    pub settings: &'static [Setting],
    /// Registers, as callers spell them.
    pub registers: &'static [RegisterFile],
    /// Registers that hold nothing when a program begins, one of each file: `r0`, `TEMP[0]`; `NAME` for those that a
    /// program gives a name. Inputs among them, as far as a program declares any, are told apart.
    pub temporaries: &'static [&'static str],
    /// Whether lanes are switched off by counting, so that no single predicate tells in which lanes a register was written:
    /// what was written in some lanes then counts as written.
    pub mask_is_counter: bool,
    /// Whether the lanes of a subgroup of a kernel go in step, as programs may rely on: what they do at different instructions is
    /// in order.
    pub lanes_in_step: bool,
    /// Whether programs have buffers and banks of constants that are named by numbers and filled by words.
    pub has_words: bool,
    /// Samples a pixel can have.
    pub samples: u32,
    /// How a program asks for a format narrower than binary32, as the end of a sentence that begins "in the source:"; `None`
    /// where it cannot.
    pub narrow: fn(&str) -> Option<&'static str>,
    /// Whether bytes look like a program of this instruction set.
    pub sniff: fn(&[u8]) -> bool,
    /// Whether bytes that no sniffer knows look like a damaged program of this instruction set.
    pub guess: fn(&[u8]) -> bool,
    /// Reads and lifts.
    pub read: fn(&Request<'_>) -> Read,
    /// Prints texts anew, where there is a printer.
    pub reprint: Option<Reprint>,
    /// Binary and assembly, where the instruction set has both.
    pub machine: Option<Machine>,
    /// Texts with one of most things, for tests that change whole programs, besides the corpus.
    pub examples: &'static [&'static str],
    /// How programs of single instructions are written, for tests that try every opcode.
    pub trials: &'static [Trials],
}

/// Prints a text of a dialect anew: what it prints reads as the same program. Gives nothing for a text that cannot be read.
pub type Reprint = fn(&str, Option<&str>) -> Option<String>;

/// Registers of one spelling, and how their values are written.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct RegisterFile {
    /// A register of the file: `R0`, `TEMP[0]`, `acc`.
    pub example: &'static str,
    /// Dialects that have it; empty for all.
    pub dialects: &'static [&'static str],
    /// How a value is written.
    pub format: ValueFormat,
}

/// How the value of a register is written.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum ValueFormat {
    /// Four components of at most this many hexadecimal digits.
    Vector(u8),
    /// One word.
    Scalar,
    /// Four components of a sign (`+`, `-`, or `0` for zero) and a magnitude in fixed point with 32 bits of integer and 32
    /// of fraction. A register `acc` is preset through `acc.sign`, `acc.int` and `acc.frac`; watching it gives the
    /// magnitudes, and the signs as `acc.sign`.
    SignMagnitude,
}

/// A listing of bytes in a layout, with labels.
pub type ListPlain = fn(&[u8], &Layout) -> Vec<Labelled>;

/// What instruction sets with machine words can do besides being lifted.
#[derive(Copy, Clone)]
pub struct Machine {
    /// The dialect whose programs are machine words, where there are several.
    pub dialect: Option<&'static str>,
    /// Further dialects of machine words.
    pub others: &'static [&'static str],
    /// Byte orders by name, where there are several; the first is the default.
    pub orders: &'static [&'static str],
    /// Whether listings depend on the address of the first word.
    pub addressed: bool,
    /// Whether words may come without the control words between them.
    pub bare: bool,
    /// Lists a binary, one entry an instruction: its text, or why there is none. With `true` the listing reassembles to
    /// the same bytes, with `false` it is that of the vendor's own tool.
    pub list: fn(&[u8], &Layout, bool) -> Listing,
    /// Lists a program so that it can be edited: jumps name labels. It reassembles to the same bytes.
    pub list_labels: fn(&[u8], &Layout) -> Vec<Labelled>,
    /// The same without bits that have no meaning, where that is another listing.
    pub list_plain: Option<ListPlain>,
    /// Assembles a text. With `true` the bytes are a whole program: what ends one is added where the text leaves it out.
    /// With `false` the text is assembled as it stands.
    pub assemble: fn(&str, &Layout, bool) -> Assembled,
    /// Whether bytes are text, if perhaps damaged text, and not machine words.
    pub is_text: fn(&[u8]) -> bool,
    /// The reference page, as Markdown.
    pub page: fn() -> String,
    /// How often each instruction form occurs in these binaries, one line a form, and a line of sums.
    pub coverage: fn(&[Vec<u8>]) -> String,
}

impl Machine {
    /// All dialects of machine words; one without a name where there are no several.
    pub fn dialects(&self) -> impl Iterator<Item = Option<&'static str>> + use<> {
        [self.dialect].into_iter().chain(self.others.iter().copied().map(Some))
    }

    /// Words of one dialect and byte order that lie anywhere, and that nothing reads: what a descriptor does not state is as
    /// here.
    pub const EMPTY: Machine = Machine {
        dialect: None,
        others: &[],
        orders: &[],
        addressed: false,
        bare: false,
        list: |_, _, _| Vec::new(),
        list_labels: |_, _| Vec::new(),
        list_plain: None,
        assemble: |_, _, _| (None, Vec::new()),
        is_text: |_| false,
        page: String::new,
        coverage: |_| String::new(),
    };
}

/// How machine words lie in a file, and which dialect they are of.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// One of the frontend's dialects; found out when absent.
    pub dialect: Option<&'static str>,
    /// One of [`Machine::orders`]; the first when absent.
    pub order: Option<&'static str>,
    /// Byte address of the first word.
    pub base: u64,
    /// Words come without control words.
    pub bare: bool,
}

/// A line per instruction. Where there is none, a line that assembles to the same bytes, and what is wrong with them.
pub type Listing = Vec<Listed>;

/// A line of a [`Listing`].
pub type Listed = Result<String, (String, Box<Diag>)>;

/// An entry of a listing with labels.
#[derive(Clone, Debug)]
pub struct Labelled {
    /// The label in front of it, where some jump leads here.
    pub label: Option<String>,
    /// Its bytes in the file.
    pub bytes: Range<usize>,
    /// As in a [`Listing`].
    pub line: Listed,
}

/// The bytes an assembler made, unless there were errors, and all problems.
pub type Assembled = (Option<Vec<u8>>, Vec<Diag>);

/// What a frontend is given.
#[derive(Copy, Clone, Debug)]
pub struct Request<'a> {
    /// The program.
    pub bytes: &'a [u8],
    /// Its dialect, and how its words lie.
    pub layout: Layout,
    /// What the caller wants.
    pub options: &'a Options,
}

/// What a frontend makes of a program.
#[derive(Clone, Debug, Default)]
pub struct Read {
    /// The text problems are located in; empty for binaries.
    pub text: String,
    /// All problems.
    pub diags: Vec<Diag>,
    /// The lifted shader; `None` if there were errors.
    pub shader: Option<Shader<Symbolic>>,
    /// The model whose arithmetic the program's documents describe.
    pub model: &'static str,
    /// What stands in the program's header, a field and its value each; empty where there is none.
    pub header: Vec<(String, String)>,
    /// Time to read the text.
    pub parse: Duration,
    /// Time to lift.
    pub lift: Duration,
}

impl RegisterFile {
    /// A file of every dialect.
    pub const fn new(example: &'static str, format: ValueFormat) -> RegisterFile {
        RegisterFile { example, dialects: &[], format }
    }
}

impl Frontend {
    /// A set without programs: what a descriptor does not state is as here.
    pub const EMPTY: Frontend = Frontend {
        name: "",
        title: "",
        extensions: &[],
        dialects: &[],
        settings: &[],
        registers: &[],
        temporaries: &[],
        mask_is_counter: false,
        lanes_in_step: false,
        has_words: false,
        samples: 1,
        narrow: |_| None,
        sniff: |_| false,
        guess: |_| false,
        read: |_| Read::default(),
        reprint: None,
        machine: None,
        examples: &[],
        trials: &[],
    };

    /// How the value of a register is written; `None` where its spelling does not tell, as for declared names: of these the
    /// interface of the program says it.
    pub fn value_format(&self, register: &str, dialect: Option<&str>) -> Option<ValueFormat> {
        let asked = Spelling::parse(register)?;
        let fits = |row: &&RegisterFile| {
            let known = Spelling::parse(row.example);
            known.is_some_and(|known| known.file == asked.file && known.indices.is_empty() == asked.indices.is_empty())
                && (row.dialects.is_empty() || dialect.is_none_or(|name| row.dialects.contains(&name)))
        };
        self.registers.iter().find(fits).map(|row| row.format)
    }
}

impl Read {
    /// Parses a text, and lifts what parsed without error. `model` names the model, also where nothing was parsed.
    pub fn text<A>(
        request: &Request<'_>,
        parse: impl FnOnce(&str) -> (Option<A>, Vec<Diag>),
        model: impl FnOnce(Option<&A>) -> &'static str,
        lift: impl FnOnce(&A, &str, &Options) -> Result<Shader<Symbolic>, Vec<Diag>>,
    ) -> Read {
        let text = match utf8(request.bytes) {
            Ok(text) => text.to_string(),
            Err(diag) => {
                let text = String::from_utf8_lossy(request.bytes).into_owned();
                return Read { model: model(None), text, diags: vec![*diag], ..Read::default() };
            }
        };
        let mut read = Read::default();
        let ast = read.parse(|| parse(&text));
        read.model = model(ast.as_ref());
        if let Some(ast) = &ast {
            read.lift(|| lift(ast, &text, request.options));
        }
        read.text = text;
        read
    }

    /// Reads a program that is assembly or machine words, and lifts what has no error. Problems of words are located by byte
    /// offset.
    pub fn assembly_or_words<A>(
        request: &Request<'_>,
        is_text: bool,
        model: &'static str,
        assemble: impl FnOnce(&str) -> (Option<A>, Vec<Diag>),
        decode: impl FnOnce(&[u8]) -> (A, Vec<Diag>),
        lift: impl FnOnce(&A, &Options) -> Result<Shader<Symbolic>, Vec<Diag>>,
    ) -> Read {
        if is_text {
            return Read::text(request, assemble, |_| model, |program, _, options| lift(program, options));
        }
        let mut read = Read { model, ..Read::default() };
        let program = read.parse(|| decode(request.bytes));
        read.lift(|| lift(&program, request.options));
        read
    }

    /// Runs the parsing stage and takes over its problems.
    pub fn parse<A>(&mut self, job: impl FnOnce() -> (A, Vec<Diag>)) -> A {
        let start = Instant::now();
        let (ast, diags) = job();
        self.parse += start.elapsed();
        self.diags.extend(diags);
        ast
    }

    /// Runs the lifting stage, unless there were errors before it.
    pub fn lift(&mut self, job: impl FnOnce() -> Result<Shader<Symbolic>, Vec<Diag>>) {
        if self.diags.iter().any(Diag::is_error) {
            return;
        }
        let start = Instant::now();
        let lifted = job();
        self.lift += start.elapsed();
        match lifted {
            Ok(shader) => self.shader = Some(shader),
            Err(diags) => self.diags.extend(diags),
        }
    }
}

/// Bytes as text.
///
/// # Errors
/// Where they stop being text.
pub fn utf8(bytes: &[u8]) -> Result<&str, Box<Diag>> {
    std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        Box::new(Diag::invalid("utf8", Span::new(at, at + 1), format!("byte {at} is not valid UTF-8")))
    })
}
