//! From bytes to a lifted shader.

use crate::file::{Source, only_program};
use crate::frontend::{FRONTENDS, LayoutRequest, Recognised, frontend, named_frontend, recognise};
use crate::problem::{Problems, guarded, invalid, unsupported, worst};
use parallax_container::{Content, Foreign, Node, Program};
use parallax_core::{ConstDecl, Interface, Shader, Stage, Symbolic};
use parallax_lift::{Embedded, Frontend, Kernel, Options, Param, Request};
use parallax_text::{Diag, DiagKind};
use std::borrow::Cow;
use std::time::Duration;

/// Largest program, in bytes.
pub const MAX_BYTES: usize = 64 << 20;

/// What the caller wants from loading.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoadOptions {
    /// Instruction set; sniffed when absent.
    pub isa: Option<String>,
    /// Dialect, and how machine words lie.
    pub layout: LayoutRequest,
    /// Watched and preset registers, frontend options.
    pub lift: Options,
}

/// A program that was read, with all there is to say about it, whether or not it can be run.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// Name, such as a path.
    pub name: String,
    /// Instruction set; empty when none was recognised.
    pub isa: &'static str,
    /// The model whose arithmetic the program's documents describe; empty when no instruction set was recognised.
    pub model: &'static str,
    /// The text problems are located in.
    pub text: String,
    /// All problems, warnings included.
    pub diags: Vec<Diag>,
    /// The lifted shader; `None` if there were errors.
    pub shader: Option<Shader<Symbolic>>,
    /// What stands in the program's header, a field and its value each; empty where there is none.
    pub header: Vec<(String, String)>,
    /// What each stage took.
    pub times: LoadTimes,
}

/// Wall-clock time per stage.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct LoadTimes {
    /// Reading the text.
    pub parse: Duration,
    /// Lifting.
    pub lift: Duration,
}

/// Whether a shader can be run.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Status {
    /// It can.
    Ok,
    /// It is legal, but something in it is not supported.
    Unsupported,
    /// It breaks its own rules.
    Invalid,
    /// A bug of parallax stands in the way.
    Internal,
}

impl Status {
    /// The word used in machine output.
    pub fn name(self) -> &'static str {
        match self {
            Status::Ok => "ok",
            Status::Unsupported => "unsupported",
            Status::Invalid => "invalid",
            Status::Internal => "internal",
        }
    }

    /// The status errors amount to.
    pub fn of(diags: &[Diag]) -> Status {
        match worst(diags) {
            None => Status::Ok,
            Some(DiagKind::Unsupported) => Status::Unsupported,
            Some(DiagKind::Invalid) => Status::Invalid,
            Some(DiagKind::Internal) => Status::Internal,
        }
    }
}

impl Loaded {
    /// The lifted shader.
    ///
    /// # Errors
    /// The program's own, if it cannot be run.
    pub fn runnable(&self) -> Result<&Shader<Symbolic>, Problems> {
        self.shader.as_ref().ok_or_else(|| {
            let mut errors: Vec<Diag> = self.diags.iter().filter(|diag| diag.is_error()).cloned().collect();
            if errors.is_empty() {
                errors.push(invalid("engine-no-shader", "the program was not lifted"));
            }
            Problems::new(&self.name, &self.text, errors)
        })
    }

    /// Whether the shader can be run.
    pub fn status(&self) -> Status {
        Status::of(&self.diags)
    }

    /// Number of source instructions of a shader that can be run.
    pub fn instructions(&self) -> usize {
        self.shader.as_ref().map_or(0, |shader| shader.func.sources.len())
    }
}

/// Reads and lifts the program of a file: the file itself, or the only program in a container. Never fails: what is wrong is
/// in [`Loaded::diags`], so that one bad program loses no result of another.
pub fn load(name: &str, bytes: &[u8], options: &LoadOptions) -> Loaded {
    if bytes.len() > MAX_BYTES {
        let diag = invalid("engine-size", format!("{} bytes are too large for a shader", bytes.len()));
        return Loaded::refused(name, vec![diag]);
    }
    let root = parallax_container::open(bytes);
    match only_program(&root, bytes) {
        Ok(node) => load_node(name, bytes, node, options),
        Err(diag) => Loaded::refused(name, vec![diag]),
    }
}

/// Reads and lifts a program found by [`File::open`](crate::File::open).
pub fn load_source(source: &Source, options: &LoadOptions) -> Loaded {
    load_node(&source.name, source.file(), source.node(), options)
}

/// `file` holds the bytes that the places of `node` are of.
fn load_node(name: &str, file: &[u8], node: &Node, options: &LoadOptions) -> Loaded {
    let mut loaded = Loaded::refused(name, node.diags.clone());
    if loaded.status() != Status::Ok {
        return loaded;
    }
    let resolved = resolve(inner_name(name, node), file, node, options);
    let read = resolved.and_then(|resolved| {
        loaded.isa = resolved.frontend.name;
        let layout = resolved.layout.of(resolved.frontend)?;
        let request = Request { bytes: &resolved.bytes, layout, options: &resolved.lift };
        let mut read = guarded(|| (resolved.frontend.read)(&request))?;
        if let Some(shader) = &mut read.shader {
            set_banks(&mut shader.func.iface, &resolved.banks);
            read.diags.extend(other_block(&shader.func.iface, resolved.lift.block));
        }
        read.model = resolved.model.unwrap_or(read.model);
        Ok(read)
    });
    match read {
        Ok(read) => {
            loaded.model = read.model;
            loaded.text = read.text;
            loaded.diags.extend(read.diags);
            loaded.shader = read.shader;
            loaded.header = read.header;
            loaded.times = LoadTimes { parse: read.parse, lift: read.lift };
            if loaded.shader.is_some() && loaded.status() != Status::Ok {
                loaded.shader = None;
            }
        }
        Err(diag) => {
            loaded.text = String::from_utf8_lossy(&node.code(file)).into_owned();
            loaded.diags.push(diag);
        }
    }
    if let Some(shader) = &mut loaded.shader {
        shader.func.name = stem(inner_name(name, node)).to_string();
    }
    loaded
}

impl Loaded {
    /// A program that was not read.
    fn refused(name: &str, diags: Vec<Diag>) -> Loaded {
        Loaded {
            name: name.to_string(),
            isa: "",
            model: "",
            text: String::new(),
            diags,
            shader: None,
            header: Vec::new(),
            times: LoadTimes::default(),
        }
    }
}

/// The name of a member, else that of the file.
pub(crate) fn inner_name<'a>(name: &'a str, node: &'a Node) -> &'a str {
    if node.name.is_empty() { name } else { &node.name }
}

/// A program on the way to its frontend: what the caller says, and what the container around it says where the caller does not.
#[derive(Clone)]
pub struct Resolved<'a> {
    /// Who reads it.
    pub frontend: &'static Frontend,
    /// Its bytes, without what a container has around them.
    pub bytes: Cow<'a, [u8]>,
    /// How its words lie.
    pub layout: LayoutRequest,
    /// Frontend options, and constants that the container names.
    pub(crate) lift: Cow<'a, Options>,
    /// Contents of constant banks by number.
    pub(crate) banks: Vec<(u32, Vec<u8>)>,
    /// The model of the machine that the container names, where that is not the usual one.
    model: Option<&'static str>,
}

/// Who reads a program, and how.
///
/// # Errors
/// Nobody does; it is something else.
pub(crate) fn resolve<'a>(
    name: &str,
    file: &'a [u8],
    node: &Node,
    options: &'a LoadOptions,
) -> Result<Resolved<'a>, Diag> {
    let asked = options.isa.as_deref().map(named_frontend).transpose()?;
    let plain = |frontend: &'static Frontend, bytes: Cow<'a, [u8]>| Resolved {
        frontend,
        bytes,
        layout: options.layout.clone(),
        lift: Cow::Borrowed(&options.lift),
        banks: Vec::new(),
        model: None,
    };
    let bytes = file.get(node.bytes.clone()).unwrap_or(&[]);
    match (&node.content, asked) {
        (Content::Program(program), _) => given(program, file, node.code(file), asked, options),
        (Content::Container { .. } | Content::Broken, _) => Err(invalid("engine-no-program", "this is not a program")),
        (_, Some(asked)) => match parallax_container::with_control_word(bytes) {
            Some(found) if !(asked.sniff)(bytes) => match &found.content {
                Content::Program(program) if program.isa == asked.name => {
                    given(program, bytes, Cow::Owned(found.code(bytes).into_owned()), Some(asked), options)
                }
                _ => Ok(plain(asked, Cow::Borrowed(bytes))),
            },
            _ => Ok(plain(asked, Cow::Borrowed(bytes))),
        },
        (Content::Foreign(foreign), None) => Err(not_read(*foreign)),
        (Content::Plain, None) if bytes.iter().all(u8::is_ascii_whitespace) => {
            Err(invalid("engine-empty", "the file is empty"))
        }
        (Content::Plain, None) => match recognise(name, bytes) {
            Recognised::Frontend(frontend) => Ok(plain(frontend, Cow::Borrowed(bytes))),
            Recognised::Foreign(foreign) => Err(not_read(foreign)),
            Recognised::Program(found) => match &found.content {
                Content::Program(program) => {
                    given(program, bytes, Cow::Owned(found.code(bytes).into_owned()), None, options)
                }
                _ => Err(unrecognised()),
            },
            Recognised::Unknown => Err(unrecognised()),
        },
    }
}

/// Who reads the program of a file, the file itself or the only program in a container, and what of it.
///
/// # Errors
/// There is none, or several, or nobody reads it.
pub fn resolve_only<'a>(bytes: &'a [u8], options: &'a LoadOptions) -> Result<Resolved<'a>, Diag> {
    let root = parallax_container::open(bytes);
    let node = only_program(&root, bytes)?;
    match node.diags.iter().find(|diag| diag.is_error()) {
        Some(diag) => Err(diag.clone()),
        None => resolve("", bytes, node, options),
    }
}

/// A program of which the container says the instruction set. `file` is what its places are of.
fn given<'a>(
    program: &Program,
    file: &[u8],
    bytes: Cow<'a, [u8]>,
    asked: Option<&'static Frontend>,
    options: &'a LoadOptions,
) -> Result<Resolved<'a>, Diag> {
    let mut resolved = Resolved {
        frontend: match asked {
            Some(asked) => asked,
            None => frontend(program.isa).ok_or_else(|| {
                let message = format!("this is a {} of {}, which is not supported", program.title, program.isa);
                unsupported("engine-no-frontend", message)
            })?,
        },
        bytes,
        layout: options.layout.clone(),
        lift: Cow::Borrowed(&options.lift),
        banks: Vec::new(),
        model: None,
    };
    // Who names another instruction set knows better than the container.
    if resolved.frontend.name != program.isa {
        return Ok(resolved);
    }
    if let Some(dialect) = program.dialect
        && !resolved.frontend.dialects.contains(&dialect)
    {
        let message =
            format!("this is a {} of {}, whose dialect {dialect} is not supported", program.title, program.isa);
        return Err(unsupported("engine-no-frontend", message));
    }
    let layout = &mut resolved.layout;
    layout.dialect = layout.dialect.take().or(program.dialect.map(str::to_string));
    layout.order = layout.order.take().or(program.order.map(|order| order.name().to_string()));
    let lift = resolved.lift.to_mut();
    lift.embedded.extend(program.constants.iter().map(|constant| Embedded {
        name: constant.name.clone(),
        places: constant.places.clone(),
        value: constant.value,
    }));
    lift.control = lift.control.or(program.control);
    lift.kernel = lift.kernel.take().or_else(|| program.kernel.as_ref().map(kernel));
    for (name, value) in &program.settings {
        lift.settings.entry(name.clone()).or_insert_with(|| value.to_string());
    }
    resolved.model = program.model;
    let contents = |range: &std::ops::Range<usize>| file.get(range.clone()).unwrap_or(&[]).to_vec();
    resolved.banks = program.banks.iter().map(|bank| (bank.number, contents(&bank.bytes))).collect();
    if let Some(kernel) = resolved.lift.to_mut().kernel.as_mut().filter(|kernel| kernel.tables.is_empty()) {
        // ptxas puts tables there.
        let tables = resolved.banks.iter().filter(|(number, _)| *number == 2);
        let words = tables.flat_map(|(_, bytes)| bytes.as_chunks::<4>().0).map(|word| u32::from_le_bytes(*word));
        kernel.tables = words.collect();
        kernel.variables = resolved.banks.iter().any(|(number, _)| *number == VARIABLES).then_some(VARIABLES as u16);
    }
    Ok(resolved)
}

/// Says that a program has workgroups of its own, other than those that the caller asks for.
fn other_block(iface: &Interface, asked: Option<[u32; 3]>) -> Option<Diag> {
    let ([x, y, z], [a, b, c]) = (iface.workgroup, asked.filter(|asked| *asked != iface.workgroup)?);
    let message = match iface.stage {
        Stage::Compute => format!("the program has workgroups of {x}x{y}x{z} invocations, not {a}x{b}x{c}"),
        stage => format!("a {} program has no workgroups", stage.name()),
    };
    Some(invalid("engine-block", message).with_help("leave out the block; only kernels of NVIDIA take one"))
}

/// The bank where ptxas puts the addresses of variables of the module.
const VARIABLES: u32 = 4;

/// What a container says of a kernel, as frontends take it.
fn kernel(said: &parallax_container::Kernel) -> Kernel {
    Kernel {
        params: said.params.iter().map(|&(offset, size)| Param { offset, size }).collect(),
        tables: Vec::new(),
        variables: None,
        shared: said.shared,
        local: Some(said.local),
        block: said.block,
    }
}

/// Gives constants of an interface the values that come with the program.
fn set_banks(iface: &mut Interface, banks: &[(u32, Vec<u8>)]) {
    for (number, bytes) in banks {
        let Some(bank) = iface.banks.get(*number as usize) else { continue };
        let (words, _) = bytes.as_chunks::<4>();
        for (index, vector) in words.chunks(4).enumerate().take(bank.len as usize) {
            let step = if bank.by_bytes { 16 } else { 1 };
            let mut value = [0; 4];
            value.iter_mut().zip(vector).for_each(|(slot, word)| *slot = u32::from_le_bytes(*word));
            let name = format!("{}[{}]", bank.name, index * step);
            iface.constants.push(ConstDecl::new(name, *number as u16, index as u32, Some(value)));
        }
    }
}

/// A file of another tool.
pub(crate) fn not_read(foreign: Foreign) -> Diag {
    unsupported("engine-foreign", format!("this is {}, which is not supported", foreign.name)).with_help(foreign.help)
}

fn unrecognised() -> Diag {
    invalid("engine-unrecognised", "no instruction set recognises this program").with_help(format!(
        "select it with --from {}",
        FRONTENDS.iter().map(|f| f.name).collect::<Vec<_>>().join(" | ")
    ))
}

/// File name without folder and extension.
pub(crate) fn stem(name: &str) -> &str {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    match file.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => file,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(loaded: &Loaded) -> (&'static str, Status) {
        (loaded.diags[0].code, loaded.status())
    }

    #[test]
    fn nothing_recognisable_is_a_problem_with_a_name() {
        let options = LoadOptions::default();
        assert_eq!(code(&load("x.bin", &[0, 1, 2, 255], &options)), ("engine-unrecognised", Status::Invalid));
        assert_eq!(code(&load("x", b" \n", &options)), ("engine-empty", Status::Invalid));
        let forced = LoadOptions { isa: Some("nvfq".into()), ..LoadOptions::default() };
        let loaded = load("x", b"!!FP1.0 END", &forced);
        assert_eq!((code(&loaded).0, loaded.diags[0].help[0].as_str()), ("engine-isa", "did you mean `nvfp`?"));
    }

    #[test]
    fn bytes_that_are_no_text_are_located() {
        let loaded = load("x.fp", b"!!FP1.0\n\xff", &LoadOptions::default());
        assert_eq!((code(&loaded), loaded.isa), (("utf8", Status::Invalid), "nvfp"));
        assert_eq!(loaded.diags[0].span.map(|s| s.start), Some(8));
    }

    #[test]
    fn a_program_is_sniffed_and_lifted() {
        let loaded = load("dir/half.fp", b"!!FP1.0\nMOVR o[COLR], f[COL0];\nEND\n", &LoadOptions::default());
        assert_eq!((loaded.isa, loaded.model, loaded.status()), ("nvfp", "nvfp", Status::Ok), "{:?}", loaded.diags);
        assert_eq!(loaded.shader.as_ref().map(|s| s.func.name.as_str()), Some("half"));
        let wrong = LoadOptions {
            layout: LayoutRequest { dialect: Some("fp1.1".into()), ..LayoutRequest::default() },
            ..LoadOptions::default()
        };
        assert_eq!(code(&load("half.fp", b"!!FP1.0\nEND\n", &wrong)), ("engine-dialect", Status::Invalid));
    }

    #[test]
    fn banks_of_a_container_are_defaults_of_what_the_shader_reads() {
        use parallax_core::{BankDecl, Stage};
        let mut iface = Interface::new(Stage::Fragment);
        let bank = |name: &str, by_bytes| BankDecl { name: name.into(), len: 2, by_bytes };
        iface.banks = vec![bank("c[0]", true), bank("c[1]", true), bank("local", false)];
        let bytes: Vec<u8> = (1..=12u32).flat_map(u32::to_le_bytes).collect();
        // The first ends inside of a vector; the second has more than is read; there is no ninth.
        set_banks(&mut iface, &[(1, bytes[..24].to_vec()), (2, bytes.clone()), (9, bytes)]);
        let found: Vec<_> = iface.constants.iter().map(|c| (c.name.as_str(), c.bank, c.index, c.default)).collect();
        let expected = [
            ("c[1][0]", 1, 0, Some([1, 2, 3, 4])),
            ("c[1][16]", 1, 1, Some([5, 6, 0, 0])),
            ("local[0]", 2, 0, Some([1, 2, 3, 4])),
            ("local[1]", 2, 1, Some([5, 6, 7, 8])),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn stems() {
        assert_eq!((stem("a/b.c.tgsi"), stem(".x"), stem("-")), ("b.c", ".x", "-"));
    }
}
