//! The instruction sets that can be read. A new one is a row of [`FRONTENDS`] and its two functions below.

use crate::compile::timed;
use parallax_core::{Shader, Symbolic};
use parallax_lift::{Options, Setting};
use parallax_text::{Diag, Span, closest};
use std::time::Duration;

/// A line per instruction. Where there is none, a line that assembles to the same bytes, and what is wrong with them.
pub type Listing = Vec<Result<String, (String, Box<Diag>)>>;

/// The bytes an assembler made, unless there were errors, and all problems.
pub type Assembled = (Option<Vec<u8>>, Vec<Diag>);

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
    /// Samples a pixel can have.
    pub samples: u32,
    /// Whether bytes look like a program of this instruction set.
    pub sniff: fn(&[u8]) -> bool,
    /// Whether bytes that no sniffer knows look like a damaged program of this instruction set.
    pub guess: fn(&[u8]) -> bool,
    /// Reads and lifts.
    pub read: fn(&Request<'_>) -> Read,
    /// Binary and assembly, where the instruction set has both.
    pub machine: Option<Machine>,
}

/// What instruction sets with machine words can do beside being lifted.
#[derive(Copy, Clone)]
pub struct Machine {
    /// Lists a binary, one entry an instruction: its text, or why there is none. With `true` the listing reassembles to
    /// the same bytes, with `false` it is that of the vendor's own tool.
    pub list: fn(&[u8], bool) -> Listing,
    /// Assembles a text. The bytes are a whole program: what ends one is added where the text leaves it out.
    pub assemble: fn(&str) -> Assembled,
    /// Assembles a text as it stands.
    pub assemble_plain: fn(&str) -> Assembled,
    /// Whether bytes are text, if perhaps damaged text, and not machine words.
    pub is_text: fn(&[u8]) -> bool,
    /// The reference page, as Markdown.
    pub page: fn() -> String,
    /// How often each instruction form occurs in these binaries, one line a form, and a line of sums.
    pub coverage: fn(&[Vec<u8>]) -> String,
}

/// What a frontend is given.
#[derive(Copy, Clone, Debug)]
pub struct Request<'a> {
    /// The program.
    pub bytes: &'a [u8],
    /// One of the frontend's dialects; sniffed when absent.
    pub dialect: Option<&'static str>,
    /// What the caller wants.
    pub options: &'a Options,
}

/// What a frontend makes of a program.
#[derive(Clone, Debug, Default)]
pub struct Read {
    /// The text problems are located in; a listing for binaries.
    pub text: String,
    /// All problems.
    pub diags: Vec<Diag>,
    /// The lifted shader; `None` if there were errors.
    pub shader: Option<Shader<Symbolic>>,
    /// The model whose arithmetic the program's documents describe.
    pub model: &'static str,
    /// Time to read the text.
    pub parse: Duration,
    /// Time to lift.
    pub lift: Duration,
}

/// Every frontend, in the order of sniffing.
pub const FRONTENDS: &[Frontend] = &[
    Frontend {
        name: "tgsi",
        title: "TGSI text",
        extensions: &["tgsi"],
        dialects: &[],
        settings: parallax_tgsi::SETTINGS,
        samples: 32,
        sniff: |bytes| std::str::from_utf8(bytes).is_ok_and(parallax_tgsi::sniff),
        guess: |_| false,
        read: tgsi,
        machine: None,
    },
    Frontend {
        name: "nvfp",
        title: "NV-style fragment programs: US patent 7136070, !!FP1.0, !!ARBfp1.0",
        extensions: &["fp", "nvfp", "arbfp", "fp10"],
        dialects: &["patent", "fp1.0", "arbfp1.0"],
        settings: parallax_nvfp::SETTINGS,
        samples: 32,
        sniff: |bytes| bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes).starts_with(b"!!"),
        guess: |_| false,
        read: nvfp,
        machine: None,
    },
    Frontend {
        name: "attila",
        title: "ATTILA 128-bit shader instructions, binary and assembly",
        extensions: &["attila"],
        dialects: &[],
        settings: parallax_attila::SETTINGS,
        samples: parallax_attila::limits::SAMPLES as u32,
        sniff: |bytes| {
            parallax_attila::is_binary(bytes) || std::str::from_utf8(bytes).is_ok_and(parallax_attila::is_assembly)
        },
        guess: parallax_attila::may_be_attila,
        read: attila,
        machine: Some(Machine {
            list: |bytes, exact| {
                let style = if exact { parallax_isa::Style::Exact } else { parallax_isa::Style::Vendor };
                parallax_attila::list(bytes, style)
            },
            assemble: |text| parallax_attila::assemble_bytes(text, true),
            assemble_plain: |text| parallax_attila::assemble_bytes(text, false),
            is_text: parallax_attila::is_text,
            page: || parallax_isa::page(&parallax_attila::TABLE),
            coverage: |binaries| parallax_attila::coverage(binaries.iter().map(Vec::as_slice)),
        }),
    },
];

/// The frontend of this name.
pub fn frontend(name: &str) -> Option<&'static Frontend> {
    FRONTENDS.iter().find(|f| f.name == name)
}

/// The frontend for a program: the one whose sniffer knows the bytes, else the one with the file's extension, else the one
/// that takes them for a damaged program of its own.
pub fn sniff(name: &str, bytes: &[u8]) -> Option<&'static Frontend> {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension).to_ascii_lowercase();
    let by_name = || FRONTENDS.iter().find(|f| f.extensions.contains(&extension.as_str()));
    let damaged = || FRONTENDS.iter().find(|f| (f.guess)(bytes));
    FRONTENDS.iter().find(|f| (f.sniff)(bytes)).or_else(by_name).or_else(damaged)
}

impl Frontend {
    /// The dialect of this name, or what is wrong with it.
    pub(crate) fn dialect(&self, name: &str) -> Result<&'static str, Diag> {
        self.dialects.iter().copied().find(|d| *d == name).ok_or_else(|| {
            let diag = crate::problem::invalid("engine-dialect", format!("{} has no dialect `{name}`", self.name));
            match closest(name, self.dialects.iter().copied()) {
                Some(near) => diag.with_help(format!("did you mean `{near}`?")),
                None if self.dialects.is_empty() => diag.with_help("it has one dialect, which needs no name"),
                None => diag.with_help(format!("dialects: {}", self.dialects.join(", "))),
            }
        })
    }
}

/// Bytes as text.
///
/// # Errors
/// Where they stop being text.
pub fn utf8(bytes: &[u8]) -> Result<&str, Box<Diag>> {
    std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        Box::new(Diag::invalid("engine-utf8", Span::new(at, at + 1), format!("byte {at} is no UTF-8 text")))
    })
}

/// Parses, and lifts what parsed without error.
fn read_text<A>(
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
    let (ast, diags) = timed(&mut read.parse, || parse(&text));
    read.diags = diags;
    read.model = model(ast.as_ref());
    if let Some(ast) = &ast
        && !read.diags.iter().any(Diag::is_error)
    {
        match timed(&mut read.lift, || lift(ast, &text, request.options)) {
            Ok(shader) => read.shader = Some(shader),
            Err(diags) => read.diags.extend(diags),
        }
    }
    read.text = text;
    read
}

fn tgsi(request: &Request<'_>) -> Read {
    read_text(request, parallax_tgsi::parse, |_| "tgsi", |program, _, options| parallax_tgsi::lift(program, options))
}

/// Text is assembly; anything else is taken as instruction words, whose problems are located by byte offset.
fn attila(request: &Request<'_>) -> Read {
    let lift = |program: &parallax_attila::Program, options: &Options| {
        let warnings = parallax_attila::check(program).into_iter().filter(|d| !d.is_error());
        (warnings.collect::<Vec<_>>(), parallax_attila::lift(program, options))
    };
    if parallax_attila::is_text(request.bytes) {
        let mut warnings = Vec::new();
        let assemble = parallax_attila::assemble;
        let mut read = read_text(
            request,
            assemble,
            |_| "attila",
            |program, _, options| {
                let (found, shader) = lift(program, options);
                warnings = found;
                shader
            },
        );
        read.diags.extend(warnings);
        return read;
    }
    let mut read = Read { model: "attila", ..Read::default() };
    let (program, diags) = timed(&mut read.parse, || parallax_attila::Program::decode(request.bytes));
    read.diags = diags;
    if !read.diags.iter().any(Diag::is_error) {
        let (warnings, shader) = timed(&mut read.lift, || lift(&program, request.options));
        read.diags.extend(warnings);
        match shader {
            Ok(shader) => read.shader = Some(shader),
            Err(diags) => read.diags.extend(diags),
        }
    }
    read
}

fn nvfp(request: &Request<'_>) -> Read {
    let dialect = request.dialect.and_then(parallax_nvfp::Dialect::from_name);
    read_text(
        request,
        |text| parallax_nvfp::parse(text, dialect),
        |program| program.map(|p| p.dialect).or(dialect).unwrap_or(parallax_nvfp::Dialect::Patent).model(),
        parallax_nvfp::lift,
    )
}
