//! What the fuzz targets do with their bytes, and a driver that needs no fuzzer: random changes of whole programs, for
//! some seconds or for some runs. The targets of `tests/fuzz` call the same functions under libFuzzer.

pub mod targets;

use parallax::FRONTENDS;
use parallax_lift::{Frontend, Layout, Machine, Options, Request};
use parallax_pack::{Elf, Fpo, Order, Parameter, archive, bsd_archive, code_bytes, kernel_info, module_info};
use parallax_random::Random;
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};

/// A function that takes any bytes, and whole programs to start from.
pub struct Target {
    /// Name.
    pub name: String,
    run: Box<Run>,
    seeds: Box<Seeds>,
}

/// What a target does with bytes.
type Run = dyn Fn(&[u8]) + Send + Sync;
/// The programs it starts from.
type Seeds = dyn Fn() -> Vec<Vec<u8>> + Send + Sync;

impl Target {
    fn new(
        name: impl Into<String>,
        run: impl Fn(&[u8]) + Send + Sync + 'static,
        seeds: impl Fn() -> Vec<Vec<u8>> + Send + Sync + 'static,
    ) -> Target {
        Target { name: name.into(), run: Box::new(run), seeds: Box::new(seeds) }
    }

    /// Runs the function once.
    pub fn run(&self, bytes: &[u8]) {
        (self.run)(bytes);
    }
}

/// All of them: those of every instruction set, then the others. A text dialect has one named for it; machine words have
/// `NAME_asm` and `NAME_decode`, and translations of its programs `translate_NAME`.
pub fn targets() -> Vec<Target> {
    let mut all: Vec<Target> = FRONTENDS.iter().copied().flat_map(of_frontend).collect();
    all.extend(FRONTENDS.iter().copied().map(of_translations));
    all.push(Target::new("container_archive", targets::container, archives));
    all.push(Target::new("container_elf", targets::container, elf_files));
    all.push(Target::new("container_fpo", targets::container, cg_binaries));
    all.push(Target::new("ir", targets::ir, filetests));
    all.push(Target::new("machine_code", targets::machine_code, choices));
    all
}

fn of_frontend(frontend: &'static Frontend) -> Vec<Target> {
    let mut all = Vec::new();
    let of_words = frontend.machine.and_then(|machine| machine.dialect);
    let others = frontend.machine.map_or(&[][..], |machine| machine.others);
    let is_words = |dialect: &str| of_words == Some(dialect) || others.contains(&dialect);
    let texts = frontend.dialects.iter().copied().filter(|dialect| !is_words(dialect));
    for dialect in texts {
        let short: String = dialect.chars().filter(char::is_ascii_alphanumeric).collect();
        let run = move |data: &[u8]| targets::source(frontend, Some(dialect), data);
        all.push(Target::new(format!("{}_{short}", frontend.name), run, || programs(frontend, frontend.name)));
    }
    let Some(machine) = &frontend.machine else {
        let run = |data: &[u8]| targets::source(frontend, None, data);
        all.push(Target::new(frontend.name, run, || programs(frontend, frontend.name)));
        return all;
    };
    for dialect in machine.dialects() {
        all.extend(of_words_in(frontend, machine, dialect));
    }
    all
}

/// Translations of the programs of an instruction set.
fn of_translations(frontend: &'static Frontend) -> Target {
    let run = |data: &[u8]| targets::translation(frontend, data);
    let folders = move || {
        let others = frontend.machine.map_or(&[][..], |machine| machine.others);
        let words = frontend.machine.and_then(|machine| machine.dialect);
        std::iter::once(frontend.name).chain(words).chain(others.iter().copied())
    };
    let seeds = move || folders().flat_map(|folder| programs(frontend, folder)).collect();
    Target::new(format!("translate_{}", frontend.name), run, seeds)
}

/// The targets of the machine words of a dialect.
fn of_words_in(frontend: &'static Frontend, machine: &'static Machine, dialect: Option<&'static str>) -> [Target; 2] {
    let name = dialect.unwrap_or(frontend.name);
    let layout = Layout { dialect, ..Layout::default() };
    let text_of =
        move |program: Vec<u8>| if (machine.is_text)(&program) { program } else { listing(machine, &layout, &program) };
    let words_of = move |program: Vec<u8>| match (machine.is_text)(&program) {
        true => (machine.assemble)(&String::from_utf8_lossy(&program), &layout, true).0,
        false => Some(program),
    };
    let assembly = move |data: &[u8]| targets::assembly(frontend, machine, dialect, data);
    let words = move |data: &[u8]| targets::words(frontend, machine, dialect, data);
    // Programs of all dialects of words stand in one folder or in several.
    let programs = move || {
        let names = machine.dialects().map(|dialect| dialect.unwrap_or(frontend.name));
        let found = names.flat_map(|name| programs(frontend, name));
        let is_read = |program: &Vec<u8>| {
            let request = Request { bytes: program, layout, options: &Options::default() };
            (frontend.read)(&request).diags.iter().all(|diag| !diag.is_error())
        };
        found.filter(is_read).collect::<Vec<_>>()
    };
    let texts = move || programs().into_iter().map(text_of).collect();
    let assembly = Target::new(format!("{name}_asm"), assembly, texts);
    let binaries = move || programs().into_iter().filter_map(words_of).collect();
    [assembly, Target::new(format!("{name}_decode"), words, binaries)]
}

/// The programs of a folder of the embedded corpus, and those that the instruction set gives itself.
fn programs(frontend: &Frontend, folder: &str) -> Vec<Vec<u8>> {
    let examples = frontend.examples.iter().map(|text| text.as_bytes().to_vec());
    corpus(folder).into_iter().chain(examples).collect()
}

fn corpus(folder: &str) -> Vec<Vec<u8>> {
    let shaders = parallax_corpus::shaders().filter(|file| file.folder() == folder);
    shaders.map(|file| file.bytes.to_vec()).collect()
}

/// Machine words as text, with labels.
fn listing(machine: &Machine, layout: &Layout, bytes: &[u8]) -> Vec<u8> {
    let lines = (machine.list_labels)(bytes, layout).into_iter().flat_map(|entry| {
        let label = entry.label.map(|label| label + ":\n");
        label.into_iter().chain(entry.line.ok().map(|line| line + "\n"))
    });
    lines.collect::<String>().into_bytes()
}

/// `MOV H0, constant` and the constant, twice.
fn microcode() -> Vec<[u32; 4]> {
    let mov = |end: u32| [0x0100_1e80 | end, 0x1c9d_c802, 0x0001_c800, 0x0001_c800];
    vec![mov(0), [1, 2, 3, 4], mov(1), [5, 6, 7, 8]]
}

/// Cg binaries in both byte orders, and microcode behind a control word.
fn cg_binaries() -> Vec<Vec<u8>> {
    let parameters = vec![
        Parameter::vector("tint", Some([1.0, 2.0, 3.0, 4.0]), &[16]),
        Parameter::vector("shade", None, &[48]),
        Parameter { kind: 1066, ..Parameter::vector("image", None, &[]) },
    ];
    let binary = |order| Fpo::new(order, parameters.clone(), microcode()).write();
    let words = [&0x0200_0040u32.to_be_bytes(), code_bytes(Order::Big, &microcode()).as_slice()].concat();
    vec![binary(Order::Big), binary(Order::Little), words]
}

/// Lists of numbers that random shaders are made from.
fn choices() -> Vec<Vec<u8>> {
    let list = |seed: u64| parallax_gen::choices(seed, 40 + 51 * seed as usize);
    (0..8).map(|seed| list(seed).into_iter().flat_map(u32::to_le_bytes).collect()).collect()
}

/// A cubin of two kernels, and ELF files of every width and byte order.
fn elf_files() -> Vec<Vec<u8>> {
    let cubin = Elf::cubin(50)
        .section(".nv.info", &module_info(&[(5, 12, 0), (6, 8, 64)]))
        .section(".nv.info.first", &kernel_info(0x140, 24))
        .section(".nv.constant2.first", &[1, 2, 3, 4])
        .section(".nv.constant3", &[5; 8])
        .kernel("first", 5, 12, &[0xaa; 64])
        .kernel("second", 6, 8, &[0xbb; 32]);
    let text = b"!!FP1.0\nMOVR o[COLR], 1;\nEND\n";
    let plain = |(wide, big)| Elf::plain(wide, big).section(".text.a", text).section(".text.b", &text[..20]).write();
    let forms = [(false, false), (false, true), (true, false), (true, true)];
    std::iter::once(cubin.write()).chain(forms.map(plain)).collect()
}

/// Archives of all that, as GNU and BSD tools write them.
fn archives() -> Vec<Vec<u8>> {
    let mut files = [elf_files(), cg_binaries(), corpus("nvfp")].concat();
    files.truncate(10);
    let names: Vec<String> = (0..files.len()).map(|n| format!("{}{n}.bin", "name".repeat(n))).collect();
    let members: Vec<(&str, &[u8])> = names.iter().zip(&files).map(|(name, file)| (name.as_str(), &file[..])).collect();
    vec![archive(&members), bsd_archive(&members), archive(&members[..1])]
}

/// The IR of the filetests.
fn filetests() -> Vec<Vec<u8>> {
    let mut files: Vec<PathBuf> = Vec::new();
    for folder in ["parse", "run", "opt"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../filetests").join(folder);
        files.extend(std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()));
    }
    // Folders list their files in any order.
    files.sort();
    files.iter().filter(|file| file.extension().is_some_and(|e| e == "plx")).flat_map(std::fs::read).collect()
}

/// Bytes that broke a promise.
#[derive(Debug)]
pub struct Finding {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Number of the run, from 0.
    pub run: u64,
}

impl Target {
    /// Runs the programs as they are, then changed ones, as long as `go_on` says so of the number of runs done. Gives that
    /// number.
    ///
    /// # Errors
    /// What made the target panic.
    pub fn drive(&self, seed: u64, go_on: impl Fn(u64) -> bool) -> Result<u64, Finding> {
        let seeds = (self.seeds)();
        assert!(!seeds.is_empty(), "{}: nothing to start from", self.name);
        let mut random = Random::new(seed);
        let mut run = 0;
        while go_on(run) {
            let bytes = match seeds.get(run as usize) {
                Some(whole) => whole.clone(),
                None => changed(&seeds, &mut random),
            };
            if std::panic::catch_unwind(AssertUnwindSafe(|| (self.run)(&bytes))).is_err() {
                return Err(Finding { bytes, run });
            }
            run += 1;
        }
        Ok(run)
    }
}

/// A program with a few changes: bits, bytes, cuts, repetitions, pieces of others.
fn changed(seeds: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let pick = |random: &mut Random| &seeds[random.below(seeds.len() as u64) as usize];
    // A piece of at most 40 bytes.
    let piece = |of: &[u8], random: &mut Random| {
        let start = random.below(of.len() as u64) as usize;
        start..of.len().min(start + 1 + random.below(40) as usize)
    };
    let mut bytes = pick(random).clone();
    for _ in 0..1 + random.below(4) {
        if bytes.is_empty() {
            break;
        }
        let at = random.below(bytes.len() as u64) as usize;
        match random.below(6) {
            0 => bytes[at] ^= 1 << random.below(8),
            1 => bytes[at] = random.pick(b"0123456789 \n,;.-+[](){}<>|!_%:=\0\xffxyzwRe"),
            2 => drop(bytes.drain(piece(&bytes, random))),
            3 => {
                let copy = bytes[piece(&bytes, random)].to_vec();
                bytes.splice(at..at, copy);
            }
            4 => {
                let other = pick(random);
                bytes.splice(at..at, other[piece(other, random)].iter().copied());
            }
            _ => {
                let other = pick(random);
                bytes.truncate(at);
                bytes.extend_from_slice(&other[at.min(other.len())..]);
            }
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_keep_their_promises_on_a_few_changed_programs() {
        for target in targets() {
            let whole = (target.seeds)().len() as u64;
            if let Err(Finding { bytes, run }) = target.drive(1, |run| run < whole + 100) {
                panic!("{}: run {run} on {:?}", target.name, String::from_utf8_lossy(&bytes));
            }
        }
    }

    #[test]
    fn a_broken_promise_is_found() {
        let target = Target::new("none", |bytes| assert!(bytes.len() > 3), || vec![b"abcdef".to_vec()]);
        let found = target.drive(1, |run| run < 10_000).expect_err("a short one");
        assert!(found.run > 0 && found.bytes.len() <= 3);
    }
}
